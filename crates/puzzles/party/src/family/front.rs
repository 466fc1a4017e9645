//! The front of price against synergy in the form that a designer is shown.

use super::PartyInstance;
use crate::{document::decimal, draw::rounded, notation, solvers::front};
use serde::Serialize;
use serde_json::{Value, json};
use unriddle_catalog::validate::{Block, Column, Points, Section};

/// Price of synergy: teams of which no other team is better in both synergy and price, from the
/// cheapest to the one with the most synergy.
#[derive(Serialize)]
struct Front {
    points: Vec<Point>,
    /// No team has this synergy or more; `None` if nothing is proved.
    none_from: Option<f64>,
    /// From here on neither a team nor a proof was found.
    open_from: Option<f64>,
    cpu_s: f64,
}

/// A team of the front.
#[derive(Serialize)]
struct Point {
    /// The synergy that was asked for.
    at_least: f64,
    synergy: f64,
    price: i64,
    /// No team with the synergy that was asked for is cheaper.
    lower_bound: i64,
    /// Whether it is proved that no team is at least as good in both synergy and price and better
    /// in one of them.
    efficient: bool,
    solution: String,
    /// Whether the independent checker confirms the price and the required synergy.
    checked: bool,
}

/// The section, and how many of its teams the checker refused.
pub(super) fn front(instance: &PartyInstance, found: front::Front) -> (Section, u64) {
    let front = checked(instance, found);
    let refused = front.points.iter().filter(|point| !point.checked).count();
    let points = front.points.iter();
    let drawn = points.map(|point| [point.synergy, point.price as f64, point.lower_bound as f64]);
    let points = Points {
        title: "Price of synergy".to_owned(),
        axes: ["synergy".to_owned(), "price".to_owned()],
        points: drawn.collect(),
    };
    let numbers = ["synergy", "price", "costlier by", "for 0.01 more"].map(Column::number);
    let columns = numbers.into_iter().chain([Column::words("")]).collect();
    let table = Block::Table { columns, rows: rows(&front) };
    let mut section = Section::new("front", "Price of synergy", &front);
    if !front.points.is_empty() {
        section = section.with(Block::Points(points)).with(table);
    }
    let time = format!("{:.2} s of CPU time", front.cpu_s);
    let lines = ends(&front).into_iter().chain([time]);
    (section.with(Block::List(lines.collect())), refused as u64)
}

/// A line of the table: synergy, price, difference of the price to the point before, price per
/// hundredth of synergy between the two points, and the proved statement.
fn rows(front: &Front) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut before: Option<&Point> = None;
    for point in &front.points {
        let increase =
            before.map(|before| (point.price - before.price, point.synergy - before.synergy));
        let hundredth = increase.map(|(price, synergy)| price as f64 / (100.0 * synergy));
        let (from, bound, price) = (shown(point.at_least), point.lower_bound, point.price);
        let proved = match (point.checked, point.efficient) {
            (false, _) => "REFUSED BY THE CHECKER".to_owned(),
            (true, true) => "proved".to_owned(),
            (true, false) if bound == price => format!("the cheapest from {from} on, proved"),
            (true, false) => format!("the cheapest from {from} on costs {bound} to {price}"),
        };
        rows.push(vec![
            shown(point.synergy),
            price.to_string(),
            increase.map_or_else(String::new, |(price, _)| format!("{price:+}")),
            hundredth.map_or_else(String::new, |price| format!("{price:.1}")),
            proved,
        ]);
        before = Some(point);
    }
    rows
}

/// A synergy in up to five decimals.
fn shown(synergy: f64) -> String {
    rounded(synergy, 5)
}

/// Statements on synergies above the front.
fn ends(front: &Front) -> Vec<String> {
    let open = front.open_from.map(|open| {
        let open = shown(open);
        format!(
            "No team with a synergy of {open} or more was found, and it is not proved that no such team exists."
        )
    });
    let none = front.none_from.map(|none| match shown(none) {
        from if none > 0.0 => format!("No team has a synergy of {from} or more (proved)."),
        _ => "There is no team, however little synergy is asked for (proved).".to_owned(),
    });
    open.into_iter().chain(none).collect()
}

fn checked(instance: &PartyInstance, found: front::Front) -> Front {
    let whole = instance.party.synergy.whole();
    let part = |synergy: i64| synergy as f64 / whole as f64;
    // The instance was read from this text: it is a document.
    let document: Value = serde_json::from_str(&instance.text).unwrap_or_default();
    let points = found.points.into_iter().map(|point| {
        let solution = notation::text(&point.team);
        // Documents have three decimals.
        let thousandths = (i128::from(point.synergy) * 1000).div_euclid(whole.into());
        let asked = asking(&document, i64::try_from(thousandths).unwrap_or(i64::MAX));
        let verdict = unriddle_check::verify(crate::INFO.name, &asked, &solution);
        Point {
            at_least: part(point.at_least),
            synergy: part(point.synergy),
            price: point.price,
            lower_bound: point.bound,
            efficient: point.efficient,
            checked: verdict.is_ok_and(|verdict| verdict.value == point.price),
            solution,
        }
    });
    Front {
        points: points.collect(),
        none_from: found.none_from.map(part),
        open_from: found.open_from.map(part),
        cpu_s: found.cpu.as_secs_f64(),
    }
}

/// The text of a document with another lower bound of synergy, in thousandths.
fn asking(document: &Value, thousandths: i64) -> String {
    let synergy: Value = serde_json::from_str(&decimal(thousandths, 3)).unwrap_or_default();
    let mut document = document.clone();
    let puzzle = document.get_mut("puzzle").and_then(Value::as_object_mut);
    if let Some(puzzle) = puzzle
        && let Value::Object(asked) = puzzle.entry("synergy").or_insert_with(|| json!({}))
    {
        asked.insert("at_least".to_owned(), synergy);
        if let Some(most) = asked.remove("exactly") {
            asked.insert("at_most".to_owned(), most);
        }
    }
    document.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_ask_for_another_synergy() {
        let with = |puzzle: Value| json!({"heroes": [], "puzzle": puzzle});
        for (before, after) in [
            (json!({}), json!({"synergy": {"at_least": 0.25}})),
            (
                json!({"synergy": {"exactly": 0.9, "traits": ["race"]}, "owned": [1]}),
                json!({"synergy": {"at_least": 0.25, "at_most": 0.9, "traits": ["race"]}, "owned": [1]}),
            ),
        ] {
            let asked: Value = serde_json::from_str(&asking(&with(before), 250)).unwrap();
            assert_eq!(asked, with(after));
        }
    }
}
