//! Drawings of a team: as text for a terminal, and as a self-contained SVG image.
//!
//! A team is a list of items, one for each node in their order. A partial team has fewer items, and
//! the remaining nodes stay empty. An item that does not exist also leaves its node empty.

mod graph;
mod image;

pub use graph::graph;
pub use image::svg;

use super::{
    Party, Team,
    document::decimal,
    items::plain,
    requirement::{Amount, Requirement},
};
use std::fmt::Write as _;

/// Most letters of a cell of the table.
const MOST_LETTERS: usize = 40;

const BOLD: &str = "\x1b[1m";
const GREEN: &str = "\x1b[32m";
const YELLOW: &str = "\x1b[33m";
const RESET: &str = "\x1b[0m";

/// A team that may have empty nodes.
struct Seats<'a> {
    party: &'a Party,
    /// The item of every node.
    items: Vec<Option<u32>>,
}

impl<'a> Seats<'a> {
    fn new(party: &'a Party, items: &[u32]) -> Self {
        let known = |&item: &u32| (item as usize) < party.items.len();
        let seat = |node: usize| items.get(node).copied().filter(known);
        Self { party, items: (0..party.formation.nodes()).map(seat).collect() }
    }

    /// Total cost of the items.
    fn cost(&self) -> i64 {
        let items = self.items.iter().flatten();
        items.map(|&item| self.party.costs[item as usize]).sum()
    }

    /// The worth of a link whose ends both have an item.
    fn worth(&self, link: usize) -> Option<i64> {
        let (a, b) = self.party.formation.links()[link];
        let (a, b) = (usize::from(a), usize::from(b));
        Some(self.party.worth(link, a, self.items[a]?, self.items[b]?))
    }

    /// Points of a node with an item; links to empty nodes are worth nothing yet.
    fn points(&self, node: usize) -> Option<i64> {
        let item = self.items[node]?;
        let at = self.party.formation.at(node).iter();
        let worth = at.filter_map(|&(_, link)| self.worth(usize::from(link)));
        let party = self.party;
        Some(party.synergy.points(&party.items, node, item, worth.sum::<i64>()))
    }

    /// Synergy, in parts of the puzzle's whole.
    fn synergy(&self) -> i64 {
        let points = (0..self.items.len()).filter_map(|node| self.points(node));
        self.party.synergy.of(points.sum())
    }

    /// Price and synergy in words.
    fn caption(&self) -> String {
        let synergy = self.fraction(self.synergy());
        let cost = self.party.price_text(self.cost());
        format!("price {cost}, synergy {synergy}")
    }

    /// Formats parts of the puzzle's whole as a fraction of 1.
    fn fraction(&self, parts: i64) -> String {
        rounded(parts as f64 / self.party.synergy.whole() as f64, 5)
    }

    /// Formats points: in a link table's own units, a hundred for a synergy of 1, and for matrices
    /// as synergy.
    fn points_in_words(&self, points: i64) -> String {
        let of_1 = self.party.synergy.links().map_or(1.0, |_| 100.0);
        rounded(of_1 * points as f64 / self.party.synergy.whole() as f64, 3)
    }

    /// The name of an item, or its number.
    fn item(&self, item: u32) -> String {
        let name = self.party.items.names.get(item as usize);
        name.map_or_else(|| format!("#{item}"), |name| plain(name))
    }
}

/// A number with at most `places` decimals.
pub(super) fn rounded(number: f64, places: usize) -> String {
    let text = format!("{number:.places$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// The width of a text in letters; letters of East Asia count as two.
fn letters(text: &str) -> usize {
    text.chars().map(width).sum()
}

fn width(c: char) -> usize {
    if c < '\u{1100}' { 1 } else { 2 }
}

/// A text cut so that it takes the room of at most `room` letters.
fn short(text: &str, room: usize) -> String {
    if letters(text) <= room {
        return text.to_owned();
    }
    // The last letter is for the dots.
    let mut left = room.saturating_sub(1);
    let fits = |c: &char| {
        let rest = left.checked_sub(width(*c));
        left = rest.unwrap_or(0);
        rest.is_some()
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// A column of the table; numbers are aligned to the right.
struct Column {
    cells: Vec<String>,
    is_number: bool,
}

/// The team as lines of text: a table with a line for every node, then price and synergy, and for a
/// complete team every requirement with its amount and whether it holds. With `colour` the header
/// is bold, and requirements that hold have another colour than the others (ANSI). Every line ends
/// with a line break.
#[must_use]
pub fn text(party: &Party, items: &[u32], colour: bool) -> String {
    let seats = Seats::new(party, items);
    let mut out = table(&columns(&seats), colour);
    let _ = writeln!(out, "{}", seats.caption());
    // An incomplete team has not failed its requirements yet.
    let Some(team) = seats.items.iter().copied().collect::<Option<Vec<u32>>>() else {
        return out;
    };
    let team = Team::new(party, &team);
    for (i, requirement) in party.requirements.iter().enumerate() {
        let amount = team.amount(i);
        let holds = requirement.lack(amount) == 0;
        let (mark, paint) = if holds { ("✓ holds", GREEN) } else { ("✗ fails", YELLOW) };
        let (paint, reset) = if colour { (paint, RESET) } else { ("", "") };
        let amount = in_words(&seats, requirement, amount);
        let text = plain(&requirement.text);
        // Writing to a string does not fail.
        let _ = writeln!(out, "{paint}{mark}{reset}  {text}: {amount}");
    }
    out
}

fn columns(seats: &Seats<'_>) -> Vec<Column> {
    let all = &seats.party.items;
    let column = |name: &str, is_number: bool, cell: &dyn Fn(usize) -> Option<String>| {
        let nodes = (0..seats.items.len()).map(|node| cell(node).unwrap_or_default());
        let cells = std::iter::once(plain(name)).chain(nodes);
        Column { cells: cells.map(|cell| short(&cell, MOST_LETTERS)).collect(), is_number }
    };
    let of_items = |name: &str, is_number: bool, cell: &dyn Fn(u32) -> String| {
        column(name, is_number, &|node| seats.items[node].map(cell))
    };
    let nodes = seats.party.formation.names();
    let mut columns = vec![
        column("node", false, &|node| Some(plain(&nodes[node]))),
        of_items("item", true, &|item| item.to_string()),
    ];
    if !all.names.is_empty() {
        columns.push(of_items("name", false, &|item| seats.item(item)));
    }
    columns.extend(all.traits.iter().map(|t| {
        of_items(&t.name, false, &|item| plain(&t.values[usize::from(t.codes[item as usize])]))
    }));
    let shown = all.numbers.iter().enumerate().filter(|(n, _)| Some(*n) != seats.party.spent);
    columns.extend(shown.map(|(_, number)| {
        of_items(&number.name, true, &|item| decimal(number.values[item as usize], number.places))
    }));
    columns.push(of_items("price", true, &|item| {
        seats.party.price_text(seats.party.costs[item as usize])
    }));
    columns.push(column("points", true, &|node| Some(seats.points_in_words(seats.points(node)?))));
    columns
}

/// The lines of a table.
fn table(columns: &[Column], colour: bool) -> String {
    let width = |column: &Column| column.cells.iter().map(|cell| letters(cell)).max();
    let widths: Vec<usize> = columns.iter().filter_map(width).collect();
    let mut out = String::new();
    for row in 0..columns.first().map_or(0, |column| column.cells.len()) {
        let cells = columns.iter().zip(&widths).map(|(column, &width)| {
            let cell = &column.cells[row];
            let space = " ".repeat(width.saturating_sub(letters(cell)));
            if column.is_number { space + cell } else { cell.clone() + &space }
        });
        let line = cells.collect::<Vec<String>>().join("  ");
        let (bold, reset) = if colour && row == 0 { (BOLD, RESET) } else { ("", "") };
        let _ = writeln!(out, "{bold}{}{reset}", line.trim_end());
    }
    out
}

/// An amount in the units in which it was asked for. Means are asked for as sums, so both are
/// shown.
fn in_words(seats: &Seats<'_>, requirement: &Requirement, amount: i64) -> String {
    let numbers = &seats.party.items.numbers;
    match requirement.amount {
        Amount::Sum(n) => {
            let places = numbers[n].places;
            let unit = 10f64.powi(places as i32);
            let mean = amount as f64 / unit / seats.items.len() as f64;
            let mean = rounded(mean, places as usize + 2);
            format!("{} (mean {mean})", decimal(amount, places))
        }
        Amount::Rating(n) => decimal(amount, numbers[n].places),
        Amount::Count(..) | Amount::Distinct(_) | Amount::Same(_) => amount.to_string(),
        Amount::Synergy => seats.fraction(amount),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{read::pool, rules::party};

    pub(super) const POOL: &str = r#"{"nodes": ["front", "middle", "back"], "edges": [[0, 1], [1, 2]], "items": [
        {"name": "Aria", "race": "elf", "guild": "<7>", "level": 84.5, "price": 1200},
        {"name": "Borin & Sons", "race": "elf", "guild": "<7>", "level": 60, "price": 10},
        {"name": "Cyd\n", "race": "orc", "guild": "<7>", "level": 7.25, "price": 300}]}"#;

    pub(super) fn small() -> Party {
        let text = r#"{"synergy": {"at_least": 0.2}, "owned": [1], "requirements": [
            {"average": "level", "at_least": 51}, {"count": {"race": "elf"}, "exactly": 2}]}"#;
        party(pool(POOL).unwrap(), text).unwrap()
    }

    #[test]
    fn a_whole_team_is_drawn_with_its_requirements() {
        let drawn = text(&small(), &[0, 1, 2], false);
        assert_eq!(
            drawn,
            "\
node    item  name          guild  race  level  price  points
front      0  Aria          <7>    elf   84.50   1200      10
middle     1  Borin & Sons  <7>    elf   60.00      0       9
back       2  Cyd           <7>    orc    7.25    300       9
price 1500, synergy 0.28
✓ holds  synergy at least 0.2: 0.28
✗ fails  average of level at least 51: 151.75 (mean 50.5833)
✓ holds  count of {\"race\":\"elf\"} exactly 2: 2
"
        );
        let coloured = text(&small(), &[0, 1, 2], true);
        assert_eq!(coloured.matches('\x1b').count(), 2 * (1 + 3));
        let stripped = coloured.replace(RESET, "").replace(BOLD, "");
        assert_eq!(stripped.replace(GREEN, "").replace(YELLOW, ""), drawn);
    }

    #[test]
    fn missing_items_are_empty() {
        let party = small();
        assert_eq!(
            text(&party, &[2, 9], false),
            "\
node    item  name  guild  race  level  price  points
front      2  Cyd   <7>    orc    7.25    300       3
middle
back
price 300, synergy 0.03
"
        );
        assert_eq!(text(&party, &[0, 1, 2, 0], false), text(&party, &[0, 1, 2], false));
        assert!(text(&party, &[], false).ends_with("price 0, synergy 0\n"));
    }

    /// The drawn sums are the sums of the team.
    #[test]
    fn drawn_sums_are_correct() {
        let party = small();
        for items in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            let (seats, team) = (Seats::new(&party, &items), Team::new(&party, &items));
            assert_eq!(seats.cost(), team.cost());
            assert_eq!(seats.synergy(), team.synergy());
            let points: i64 = (0..3).filter_map(|node| seats.points(node)).sum();
            assert_eq!(points, team.points());
        }
    }

    #[test]
    fn texts_are_shortened() {
        assert_eq!(short("abcdef", 6), "abcdef");
        assert_eq!(short("abcdefg", 6), "abcde…");
        assert_eq!(short("日本語日本語", 6), "日本…");
        assert_eq!(short("ab", 0), "…");
    }

    #[test]
    fn numbers_are_rounded() {
        assert_eq!(rounded(100.0, 2), "100");
        assert_eq!(rounded(100.0, 0), "100");
        assert_eq!(rounded(0.125, 5), "0.125");
    }
}
