//! The sheet of a document: its requirements, its budget, its objective and its items as tables.
//!
//! A changed cell changes one value of the document. Everything else stays as it was read.

mod write;

pub use write::rewritten;

use super::{
    Party,
    document::document,
    errors::Errors,
    items::plain,
    prices::PRICE,
    rules::{BOUNDS, items_of},
};
use serde_json::{Map, Value};
use unriddle_catalog::sheet::{Column, OFF, ON, Section, Sheet, Values};

/// Most items of a sheet; documents with more items are edited as text.
const MOST: usize = 20_000;

/// Uses of an item that are not nodes.
const FREE: &str = "free";
const EXCLUDED: &str = "excluded";
const ANYWHERE: &str = "in the team";

/// Kinds of sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Requirements,
    Budget,
    Objective,
    Items,
}

/// Columns of items, from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ItemColumn {
    Index,
    Name,
    Trait(usize),
    Number(usize),
    Price,
    Use,
    Owned,
}

/// A document with all that its sheet shows.
struct View {
    file: Map<String, Value>,
    party: Party,
    owned: Vec<u32>,
    excluded: Vec<u32>,
}

/// The sheet of a document; `None` for an unreadable document, or for too many items.
#[must_use]
pub fn sheet(text: &str) -> Option<Sheet> {
    let view = View::of(text)?;
    let section = |part| match part {
        Part::Requirements => view.requirements(),
        Part::Budget => view.budget(),
        Part::Objective => view.objective(),
        Part::Items => view.items(),
    };
    Some(Sheet { sections: view.parts().into_iter().map(section).collect() })
}

impl View {
    fn of(text: &str) -> Option<Self> {
        let Ok(Value::Object(file)) = serde_json::from_str(text) else { return None };
        let party = document(text, None).ok()?.party;
        if party.items.len() > MOST {
            return None;
        }
        // The document has no errors.
        let list = |key| {
            let puzzle = file.get("puzzle").and_then(Value::as_object);
            let list = puzzle.map(|file| items_of(file, key, &party.items, &mut Errors::default()));
            list.unwrap_or_default()
        };
        let (owned, excluded) = (list("owned"), list("excluded"));
        Some(Self { file, party, owned, excluded })
    }

    fn parts(&self) -> Vec<Part> {
        let mut parts = vec![Part::Requirements, Part::Budget, Part::Objective, Part::Items];
        // A number of this name is not the price.
        let is_number = self.party.items.find_number(PRICE).is_some();
        if is_number && self.party.spent.is_none() {
            parts.retain(|&part| part != Part::Budget);
        }
        parts
    }

    fn puzzle(&self, key: &str) -> Option<&Value> {
        self.file.get("puzzle")?.get(key)
    }

    /// The requirements of the document's list.
    fn listed(&self) -> &[Value] {
        self.puzzle("requirements").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// Index of the requirement that bounds the price of the team.
    fn budget_index(&self) -> Option<usize> {
        if !self.parts().contains(&Part::Budget) {
            return None;
        }
        self.listed().iter().position(|requirement| {
            let of = requirement.get("sum").and_then(Value::as_str);
            of.is_some_and(|of| of.to_lowercase() == PRICE)
        })
    }

    /// For each row of requirements, the index in the document's list; `None` for synergy.
    fn rows(&self) -> Vec<Option<usize>> {
        let budget = self.budget_index();
        let listed = (0..self.listed().len()).filter(|&index| Some(index) != budget);
        std::iter::once(None).chain(listed.map(Some)).collect()
    }

    fn requirements(&self) -> Section {
        let row = |at: Option<usize>| match at {
            None => bounds("synergy of the team", self.puzzle("synergy")),
            Some(index) => bounds(&in_words(&self.listed()[index]), Some(&self.listed()[index])),
        };
        let rows = self.rows().into_iter().map(row).collect();
        Section { title: "Requirements".to_owned(), columns: bound_columns("requirement"), rows }
    }

    fn budget(&self) -> Section {
        let requirement = self.budget_index().map(|index| &self.listed()[index]);
        let rows = vec![bounds("price of the team", requirement)];
        Section { title: "Budget".to_owned(), columns: bound_columns("amount"), rows }
    }

    /// The numbers of items without the price.
    fn numbers(&self) -> Vec<usize> {
        let all = 0..self.party.items.numbers.len();
        all.filter(|&number| Some(number) != self.party.spent).collect()
    }

    /// Key of a number in the objective; `None` for the price.
    fn weight_key(&self, number: Option<usize>) -> Option<&String> {
        let weights = self.puzzle("objective")?.as_object()?;
        weights.keys().find(|key| match number {
            None => *key == PRICE,
            number => *key != PRICE && self.party.items.find_number(key) == number,
        })
    }

    fn objective(&self) -> Section {
        let weights = self.puzzle("objective");
        let weight = |number: Option<usize>| match weights {
            None if number.is_none() => "1".to_owned(),
            _ => self.weight_key(number).map_or_else(String::new, |key| {
                weights
                    .and_then(|weights| weights.get(key))
                    .map_or_else(String::new, Value::to_string)
            }),
        };
        let numbers = self.numbers().into_iter().map(Some);
        let row = |number: Option<usize>| {
            let name = number.map_or(PRICE, |number| &self.party.items.numbers[number].name);
            vec![plain(name), weight(number)]
        };
        Section {
            title: "Objective: the least of the sum".to_owned(),
            columns: vec![Column::shown("of"), Column::edited("weight", any_number(true))],
            rows: std::iter::once(None).chain(numbers).map(row).collect(),
        }
    }

    fn item_columns(&self) -> Vec<ItemColumn> {
        let items = &self.party.items;
        let mut columns = vec![ItemColumn::Index];
        columns.extend((!items.names.is_empty()).then_some(ItemColumn::Name));
        columns.extend((0..items.traits.len()).map(ItemColumn::Trait));
        columns.extend(self.numbers().into_iter().map(ItemColumn::Number));
        columns.extend([ItemColumn::Price, ItemColumn::Use, ItemColumn::Owned]);
        columns
    }

    fn items(&self) -> Section {
        let items = &self.party.items;
        let mut uses = vec![FREE.to_owned(); items.len()];
        for &item in &self.excluded {
            uses[item as usize] = EXCLUDED.to_owned();
        }
        for &(item, node) in &self.party.fixed {
            uses[item as usize] =
                node.map_or_else(|| ANYWHERE.to_owned(), |node| self.node_use(node));
        }
        let mut owned = vec![OFF; items.len()];
        for &item in &self.owned {
            owned[item as usize] = ON;
        }
        let columns = self.item_columns();
        let cell = |item: usize, column: &ItemColumn| match *column {
            ItemColumn::Index => format!("#{item}"),
            ItemColumn::Name => plain(&items.names[item]),
            ItemColumn::Trait(t) => {
                let of = &items.traits[t];
                plain(&of.values[usize::from(of.codes[item])])
            }
            ItemColumn::Number(_) | ItemColumn::Price => {
                self.number(item, *column).map_or_else(String::new, Value::to_string)
            }
            ItemColumn::Use => uses[item].clone(),
            ItemColumn::Owned => owned[item].to_owned(),
        };
        let row = |item| columns.iter().map(|column| cell(item, column)).collect();
        let column = |column: &ItemColumn| match *column {
            ItemColumn::Index => Column::shown("item"),
            ItemColumn::Name => Column::shown("name"),
            ItemColumn::Trait(t) => Column::shown(plain(&items.traits[t].name)),
            ItemColumn::Number(n) => {
                Column::edited(plain(&items.numbers[n].name), any_number(false))
            }
            ItemColumn::Price => {
                let values = Values::Number { min: Some(0.0), max: None, is_optional: false };
                Column::edited(PRICE, values)
            }
            ItemColumn::Use => {
                let words = [FREE, EXCLUDED, ANYWHERE].map(str::to_owned).into_iter();
                let nodes = 0..self.party.formation.nodes();
                let words = words.chain(nodes.map(|node| self.node_use(node))).collect();
                Column::edited("use", Values::Choice(words))
            }
            ItemColumn::Owned => Column::edited("owned", Values::Mark),
        };
        let all = columns.iter().map(column).collect();
        let rows = (0..items.len()).map(row).collect();
        Section { title: "Items".to_owned(), columns: all, rows }
    }

    /// The use of an item that is fixed on a node.
    fn node_use(&self, node: usize) -> String {
        format!("on {}", self.party.formation.names()[node])
    }

    /// The number of an item in the document.
    fn number(&self, item: usize, column: ItemColumn) -> Option<&Value> {
        let name = self.number_key(column);
        match self.file.get("heroes") {
            Some(heroes) => heroes.get(item)?.get(self.position(column)),
            None => self.file.get("items")?.get(item)?.get(name),
        }
    }

    /// Name of a number or of the price.
    fn number_key(&self, column: ItemColumn) -> &str {
        match column {
            ItemColumn::Number(n) => &self.party.items.numbers[n].name,
            _ => PRICE,
        }
    }

    /// Position of a number or of the price in the row of an item.
    fn position(&self, column: ItemColumn) -> usize {
        let traits = self.party.items.traits.len();
        match column {
            ItemColumn::Number(n) => traits + n,
            _ => traits + self.numbers().len(),
        }
    }
}

fn any_number(is_optional: bool) -> Values {
    Values::Number { min: None, max: None, is_optional }
}

/// Columns of a table of bounds.
fn bound_columns(first: &str) -> Vec<Column> {
    let bounds = BOUNDS.iter().map(|key| Column::edited(key.replace('_', " "), any_number(true)));
    let mut columns = vec![Column::shown(first)];
    columns.extend(bounds);
    columns.push(Column::edited("asked", Values::Mark));
    columns
}

/// Row of a table of bounds.
fn bounds(name: &str, object: Option<&Value>) -> Vec<String> {
    let bound = |key: &&str| object.and_then(|object| object.get(*key)).map(Value::to_string);
    let bounds: Vec<Option<String>> = BOUNDS.iter().map(bound).collect();
    let asked = if bounds.iter().any(Option::is_some) { ON } else { OFF };
    let mut row = vec![plain(name)];
    row.extend(bounds.into_iter().map(Option::unwrap_or_default));
    row.push(asked.to_owned());
    row
}

/// The amount of a requirement in words.
fn in_words(requirement: &Value) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let Some(object) = requirement.as_object() else { return requirement.to_string() };
    let amount = object.iter().find(|(key, _)| !BOUNDS.contains(&key.as_str()));
    match amount {
        Some((kind, of)) if kind == "count" => {
            let of = of.as_object().and_then(|of| of.iter().next());
            let values = |values: &Value| match values {
                Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(", "),
                value => text(value),
            };
            of.map_or_else(|| kind.clone(), |(name, of)| format!("count of {name}: {}", values(of)))
        }
        Some((kind, of)) if kind == "distinct" => format!("distinct values of {}", text(of)),
        Some((kind, of)) if kind == "same" => format!("most items of the same {}", text(of)),
        Some((kind, of)) => format!("{kind} of {}", text(of)),
        None => requirement.to_string(),
    }
}

#[cfg(test)]
mod tests;
