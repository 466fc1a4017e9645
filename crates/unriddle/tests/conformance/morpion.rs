//! Morpion Solitaire by both rules: from the cross, and from points at random, up to the edge of the board.

use crate::{Sample, scores::games_agree};
use unriddle_core::Rng;
use unriddle_morpion::{Morpion, Rule, SIDE, family::GREEK_CROSS};

const SPECS: [(&str, Rule); 2] = [
    ("morpion", Rule::Disjoint),
    ("morpion(rule=5t)", Rule::Touching),
];

/// Points at random in a rectangle.
fn scattered(width: usize, height: usize, rng: &mut Rng) -> String {
    let mut row = || {
        (0..width)
            .map(|_| if rng.below(5) < 2 { 'o' } else { '.' })
            .collect()
    };
    let rows: Vec<String> = (0..height).map(|_| row()).collect();
    rows.join("\n")
}

#[test]
fn games() {
    let rng = &mut Rng::new(3);
    let mut instances = Vec::new();
    for (spec, _) in SPECS {
        instances.push((spec, GREEK_CROSS.to_owned()));
        for (width, height) in [(7, 6), (SIDE, 3), (5, SIDE), (1, 9)] {
            instances.push((spec, scattered(width, height, rng)));
        }
    }
    games_agree(&Sample {
        instances,
        read: |spec, text| {
            let (_, rule) = SPECS.into_iter().find(|(known, _)| *known == spec).unwrap();
            Morpion::parse(text, rule).unwrap()
        },
    });
}
