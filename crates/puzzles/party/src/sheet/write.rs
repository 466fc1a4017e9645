//! Writing changed cells of a sheet into its document.

use super::{ANYWHERE, BOUNDS, EXCLUDED, FREE, ItemColumn, Part, View};
use crate::{
    document::document,
    errors::{Errors, Location, ReadError},
    prices::PRICE,
    rules::item_of,
};
use serde_json::{Map, Number, Value, json};
use unriddle_catalog::sheet::{Change, Misfit, OFF, ON, Place};

/// A document that is being changed.
struct Writer<'a> {
    view: &'a View,
    parts: Vec<Part>,
    file: Map<String, Value>,
    /// Indices of requirements that are removed.
    removed: Vec<usize>,
    /// The requirement that bounds the price of the team.
    budget: Option<Value>,
}

/// The text of a document with changed cells of its [sheet](super::sheet).
///
/// # Errors
/// The cell that is at fault, and why.
pub fn rewritten(text: &str, changes: &[Change]) -> Result<String, Misfit> {
    let view = View::of(text).ok_or_else(|| Misfit::new("the document is edited as text"))?;
    let mut writer = Writer {
        parts: view.parts(),
        file: view.file.clone(),
        removed: Vec::new(),
        budget: view.budget_index().map(|index| view.listed()[index].clone()),
        view: &view,
    };
    for change in changes {
        writer.write(change)?;
    }
    let requirements = writer.finish();
    let text = Value::Object(writer.file.clone()).to_string();
    match document(&text, None) {
        Ok(read) => Ok(read.text),
        Err(errors) => Err(writer.misfit(&errors, &requirements, changes)),
    }
}

/// The number of a cell.
fn number(change: &Change) -> Result<Value, Misfit> {
    let text = change.text.trim();
    serde_json::from_str::<Number>(text).map(Value::Number).map_err(|_| {
        let why = format!("found {text}, expected a number such as 12 or 0.5");
        Misfit::at(change.place, why)
    })
}

impl Writer<'_> {
    fn puzzle(&mut self) -> Option<&mut Map<String, Value>> {
        self.file.get_mut("puzzle")?.as_object_mut()
    }

    /// A list of the puzzle.
    fn list(&mut self, key: &str) -> Option<&mut Vec<Value>> {
        self.puzzle()?.entry(key).or_insert_with(|| json!([])).as_array_mut()
    }

    fn write(&mut self, change: &Change) -> Result<(), Misfit> {
        let Place { section, row, column } = change.place;
        match self.parts.get(section) {
            Some(Part::Requirements) => match self.view.rows().get(row) {
                Some(&Some(index)) if column > BOUNDS.len() => {
                    self.removed.extend((change.text == OFF).then_some(index));
                }
                Some(&Some(index)) => {
                    let requirement = self.list("requirements").and_then(|all| all.get_mut(index));
                    set_bound(requirement.and_then(Value::as_object_mut), change)?;
                }
                _ => {
                    let puzzle = self.puzzle();
                    let synergy =
                        puzzle.map(|puzzle| puzzle.entry("synergy").or_insert_with(|| json!({})));
                    set_bound(synergy.and_then(Value::as_object_mut), change)?;
                }
            },
            Some(Part::Budget) => {
                let budget = self.budget.get_or_insert_with(|| json!({"sum": PRICE}));
                set_bound(budget.as_object_mut(), change)?;
            }
            Some(Part::Objective) => self.weigh(row, change)?,
            Some(Part::Items) => self.item(row as u32, column, change)?,
            None => {}
        }
        Ok(())
    }

    /// Changes the weight of a number in the objective.
    fn weigh(&mut self, row: usize, change: &Change) -> Result<(), Misfit> {
        let number_at = row.checked_sub(1).and_then(|row| self.view.numbers().get(row).copied());
        let name = match number_at {
            Some(number) => self.view.party.items.numbers[number].name.clone(),
            None => PRICE.to_owned(),
        };
        let key = self.view.weight_key(number_at).cloned().unwrap_or(name);
        let Some(puzzle) = self.puzzle() else { return Ok(()) };
        let weights = puzzle.entry("objective").or_insert_with(|| json!({PRICE: 1}));
        if let Some(weights) = weights.as_object_mut() {
            if change.text.trim().is_empty() {
                weights.remove(&key);
            } else {
                weights.insert(key, number(change)?);
            }
        }
        Ok(())
    }

    fn item(&mut self, item: u32, column: usize, change: &Change) -> Result<(), Misfit> {
        match self.view.item_columns().get(column) {
            Some(ItemColumn::Use) => self.set_use(item, &change.text),
            Some(ItemColumn::Owned) if change.text == ON => self.add("owned", item),
            Some(ItemColumn::Owned) => self.remove("owned", item),
            Some(&of @ (ItemColumn::Number(_) | ItemColumn::Price)) => {
                let (at, position) = (item as usize, self.view.position(of));
                let key = self.view.number_key(of);
                let rows = self.file.get_mut("heroes").and_then(|rows| rows.get_mut(at));
                let cell = match rows {
                    Some(row) => row.get_mut(position),
                    None => {
                        self.file.get_mut("items").and_then(|rows| rows.get_mut(at)?.get_mut(key))
                    }
                };
                if let Some(cell) = cell {
                    *cell = number(change)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn set_use(&mut self, item: u32, of: &str) {
        self.remove("excluded", item);
        self.remove("fixed", item);
        let name = self.reference(item);
        match of {
            FREE => {}
            EXCLUDED => self.add("excluded", item),
            ANYWHERE => self.add("fixed", item),
            node => {
                let node = node.strip_prefix("on ").unwrap_or(node);
                let entry = json!({"item": name, "node": node});
                if let Some(list) = self.list("fixed") {
                    list.push(entry);
                }
            }
        }
    }

    /// The name of an item that no other item has, or its number.
    fn reference(&self, item: u32) -> Value {
        let items = &self.view.party.items;
        let name = items.names.get(item as usize);
        let name = name.filter(|name| items.named(name).take(2).count() == 1);
        name.map_or_else(|| json!(item), |name| json!(name))
    }

    fn add(&mut self, key: &str, item: u32) {
        let name = self.reference(item);
        if let Some(list) = self.list(key) {
            list.push(name);
        }
    }

    /// Removes an item from a list, and an empty list from the puzzle.
    fn remove(&mut self, key: &str, item: u32) {
        let items = &self.view.party.items;
        let is_other = |value: &Value| {
            let value = value.get("item").unwrap_or(value);
            item_of(value, items, key, &mut Errors::default()) != Some(item)
        };
        let Some(puzzle) = self.file.get_mut("puzzle").and_then(Value::as_object_mut) else {
            return;
        };
        let Some(list) = puzzle.get_mut(key).and_then(Value::as_array_mut) else { return };
        list.retain(is_other);
        if list.is_empty() {
            puzzle.remove(key);
        }
    }

    /// Writes the budget, and removes requirements. Returns the index of each requirement of the
    /// new list in the old one.
    fn finish(&mut self) -> Vec<usize> {
        let old = self.view.listed().len();
        let mut kept: Vec<usize> = (0..old).collect();
        let is_bound = |budget: &Value| BOUNDS.iter().any(|key| budget.get(key).is_some());
        let (at, removed) = (self.view.budget_index(), std::mem::take(&mut self.removed));
        match (self.budget.take(), at) {
            (Some(budget), Some(at)) if is_bound(&budget) => {
                if let Some(list) = self.list("requirements") {
                    list[at] = budget;
                }
            }
            (Some(budget), None) if is_bound(&budget) => {
                self.list("requirements").into_iter().for_each(|list| list.push(budget.clone()));
                kept.push(old);
            }
            (_, Some(at)) => kept.retain(|&index| index != at),
            _ => {}
        }
        kept.retain(|index| !removed.contains(index));
        if kept.len() != old || !removed.is_empty() {
            let list = self.list("requirements");
            let all = list.map(std::mem::take).unwrap_or_default();
            let all = all.into_iter().enumerate().filter(|(index, _)| kept.contains(index));
            let all: Vec<Value> = all.map(|(_, requirement)| requirement).collect();
            if let Some(puzzle) = self.puzzle() {
                puzzle.insert("requirements".to_owned(), Value::Array(all));
            }
        }
        kept
    }

    /// The refusal of a document, at the cell of its first error, or else at the last change.
    fn misfit(&self, errors: &[ReadError], kept: &[usize], changes: &[Change]) -> Misfit {
        let last = changes.last().map(|change| change.place);
        let Some(ReadError { place, reason }) = errors.first() else {
            return Misfit { message: "the document is refused".to_owned(), place: last };
        };
        let found = match place {
            Location::Path(path) => self.row(path, kept),
            Location::Text(..) => None,
        };
        let found = found.map(|(part, row)| {
            let section = self.parts.iter().position(|&other| other == part).unwrap_or(0);
            let here =
                |change: &&Change| (change.place.section, change.place.row) == (section, row);
            let change = changes.iter().rev().find(here);
            change.map_or(Place { section, row, column: 1 }, |change| change.place)
        });
        let message = if found.is_some() { reason.clone() } else { format!("{place}: {reason}") };
        Misfit { message, place: found.or(last) }
    }

    /// The section and the row of a path such as `puzzle.requirements[2]`.
    fn row(&self, path: &str, kept: &[usize]) -> Option<(Part, usize)> {
        let path = path.strip_prefix("puzzle.").unwrap_or(path);
        let (key, index) = match path.split_once('[') {
            Some((key, rest)) => (key, rest.trim_end_matches(']').parse::<usize>().ok()),
            None => (path, None),
        };
        match (key, index) {
            ("synergy", _) => Some((Part::Requirements, 0)),
            ("objective", _) => Some((Part::Objective, 0)),
            ("heroes" | "items", Some(index)) => Some((Part::Items, index)),
            ("requirements", Some(index)) => {
                let old = *kept.get(index)?;
                let row = self.view.rows().iter().position(|&row| row == Some(old));
                Some(row.map_or((Part::Budget, 0), |row| (Part::Requirements, row)))
            }
            (key @ ("fixed" | "excluded" | "owned"), Some(index)) => {
                let value = self.file.get("puzzle")?.get(key)?.get(index)?;
                let value = value.get("item").unwrap_or(value);
                let item = item_of(value, &self.view.party.items, key, &mut Errors::default())?;
                Some((Part::Items, item as usize))
            }
            _ => None,
        }
    }
}

/// Changes a bound of a requirement.
fn set_bound(object: Option<&mut Map<String, Value>>, change: &Change) -> Result<(), Misfit> {
    let Some(object) = object else { return Ok(()) };
    let key = change.place.column.checked_sub(1).and_then(|column| BOUNDS.get(column));
    match key {
        Some(&key) if change.text.trim().is_empty() => {
            object.remove(key);
        }
        Some(&key) => {
            object.insert(key.to_owned(), number(change)?);
        }
        None if change.text == OFF => {
            for key in BOUNDS {
                object.remove(key);
            }
        }
        None if BOUNDS.iter().any(|key| object.contains_key(*key)) => {}
        None => {
            return Err(Misfit::at(change.place, "write a bound: nothing is asked without one"));
        }
    }
    Ok(())
}
