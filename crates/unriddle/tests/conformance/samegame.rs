//! SameGame of both shapes.

use crate::{Sample, scores::games_agree};
use unriddle_core::Rng;
use unriddle_samegame::{Layout, SameGame, Scoring, generate::uniform};

const SPECS: [(&str, Scoring); 3] = [
    ("samegame", Scoring::Paper),
    ("samegame(score=contest)", Scoring::Contest),
    ("samegame(score=clickomania)", Scoring::Clickomania),
];

fn sample<const N: usize, const L: u32>(sizes: &[(usize, usize, u8)]) -> Sample<SameGame<N, L>> {
    let rng = &mut Rng::new(9);
    let mut instances = Vec::new();
    for &(width, height, colours) in sizes {
        for (spec, _) in SPECS {
            instances.push((spec, uniform(width, height, colours, rng).text()));
        }
    }
    Sample {
        instances,
        read: |spec, text| {
            let (_, scoring) = SPECS.into_iter().find(|(known, _)| *known == spec).unwrap();
            SameGame::new(&Layout::parse(text).unwrap(), scoring).unwrap()
        },
    }
}

#[test]
fn small_boards() {
    games_agree(&sample::<4, 16>(&[
        (15, 15, 5),
        (4, 3, 2),
        (16, 16, 8),
        (1, 5, 2),
        (7, 2, 3),
    ]));
}

#[test]
fn large_boards() {
    games_agree(&sample::<16, 32>(&[(20, 18, 5), (32, 32, 8), (3, 31, 2)]));
}
