//! The front of price against synergy in the form that a designer is shown.

use super::PartyInstance;
use crate::{document::decimal, notation, solvers::front};
use serde_json::{Value, json};
use unriddle_catalog::validate::{Front, Point};

pub(super) fn front(instance: &PartyInstance, found: front::Front) -> Front {
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
        drawing: None,
    }
}

/// The text of a document with another lower bound of synergy, in thousandths.
fn asking(document: &Value, thousandths: i64) -> String {
    let synergy: Value = serde_json::from_str(&decimal(thousandths, 3)).unwrap_or_default();
    let mut document = document.clone();
    let puzzle = document.get_mut("puzzle").and_then(Value::as_object_mut);
    if let Some(puzzle) = puzzle {
        let asked = puzzle.entry("synergy").or_insert_with(|| json!({}));
        if let Some(asked) = asked.as_object_mut() {
            asked.insert("at_least".to_owned(), synergy);
            if let Some(most) = asked.remove("exactly") {
                asked.insert("at_most".to_owned(), most);
            }
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
