//! A weighted sum of features of a position, with weights that evolve.

use crate::{
    board::{Bits, and, or, size, without},
    heuristics::ToGoals,
    level::Way,
    rules::{Sokoban, State},
};
use unriddle_core::{Cost, Guarantee, Heuristic, Info, Options as _, Role, options};

/// Declaration of `features`.
pub(crate) const FEATURES: Info = Info {
    guarantee: "none: a ranking, not a cost",
    requires: "sokoban",
    parameters: FeaturesConfig::PARAMETERS,
    ..Info::new(
        Role::Heuristic,
        "features",
        "a weighted sum of features, for weights that are evolved: in hundredths",
    )
};

options! {
    /// Weights of the features.
    #[derive(Copy)]
    pub(crate) struct FeaturesConfig of FEATURES {
        assignment: f64 = "1" in 0.0..=10.0, "weight of the least assignment of boxes to goals",
            "The assignment is the least sum of pushes that brings every box to a different goal, \
             each as if it were the only box.";
        misplaced: f64 = "0" in 0.0..=10.0, "weight of each box that is not on a goal";
        stuck: f64 = "0" in 0.0..=10.0, "weight of each box off goals that cannot be pushed now";
        beside: f64 = "0" in 0.0..=10.0, "weight of each pair of adjacent boxes not both on goals";
        cut_off: f64 = "0" in 0.0..=10.0, "weight of each free cell that the player cannot reach";
        hemmed: f64 = "0" in 0.0..=10.0, "weight of each box off goals with at most one free neighbour";
    }
}

/// Estimates are whole numbers: hundredths keep fractions of weights apart.
const SCALE: f64 = 100.0;

/// The weighted sum of features.
pub(crate) struct Features<const W: usize> {
    pub(crate) to_goals: ToGoals<W>,
    pub(crate) config: FeaturesConfig,
}

/// The cells of `set` with neighbours in `free` in at most one direction.
fn hemmed<const W: usize>(puzzle: &Sokoban<W>, set: &Bits<W>, free: &Bits<W>) -> Bits<W> {
    let (mut once, mut twice) = ([0; W], [0; W]);
    for way in Way::ALL {
        let beside = puzzle.board().step(free, way);
        twice = or(&twice, &and(&once, &beside));
        once = or(&once, &beside);
    }
    without(set, &twice)
}

impl<const W: usize> Heuristic<Sokoban<W>> for Features<W> {
    type Memo = ();

    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }

    /// Dead ends are recognised by the assignment, whatever its weight.
    fn root(&self, puzzle: &Sokoban<W>, state: &State<W>) -> Option<(Cost, ())> {
        let (pushes, ()) = self.to_goals.root(puzzle, state)?;
        let FeaturesConfig { assignment, misplaced, stuck, beside, cut_off, hemmed: hemmed_in } =
            self.config;
        let board = puzzle.board();
        let (boxes, goals) = (&state.boxes, &board.goals);
        let away = without(boxes, goals);
        let mut sum = assignment * f64::from(pushes) + misplaced * f64::from(size(&away));
        let free = without(&board.floor, boxes);
        if stuck > 0.0 || cut_off > 0.0 {
            let player = puzzle.player(state);
            let pushed = |set, way| or(&set, &board.pushable(&player, boxes, &free, way));
            let movable = Way::ALL.into_iter().fold([0; W], pushed);
            sum += stuck * f64::from(size(&without(&away, &movable)));
            sum += cut_off * f64::from(size(&without(&free, &player)));
        }
        if beside > 0.0 {
            let pairs = |way| {
                let second = and(&board.step(boxes, way), boxes);
                let done = and(&board.step(&and(boxes, goals), way), &and(boxes, goals));
                size(&without(&second, &done))
            };
            sum += beside * f64::from(pairs(Way::ALL[0]) + pairs(Way::ALL[2]));
        }
        if hemmed_in > 0.0 {
            sum += hemmed_in * f64::from(size(&hemmed(puzzle, &away, &free)));
        }
        Some(((SCALE * sum).round() as Cost, ()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, Measure, heuristics::Sum};
    use std::sync::Arc;
    use unriddle_core::Puzzle as _;

    /// Each feature counted by hand.
    #[test]
    fn features_are_counted() {
        let none = FeaturesConfig { assignment: 0.0, ..FeaturesConfig::default() };
        let each = [
            FeaturesConfig { assignment: 1.0, ..none },
            FeaturesConfig { misplaced: 1.5, ..none },
            FeaturesConfig { stuck: 1.0, ..none },
            FeaturesConfig { beside: 1.0, ..none },
            FeaturesConfig { cut_off: 1.0, ..none },
            FeaturesConfig { hemmed: 1.0, ..none },
            none,
        ];
        let levels = [
            // One box of the pair can be pushed, downwards.
            (
                "#########|#@------#|#-$$----#|#-#.#-$-#|#-*-#--.#|#---#--.#|#########",
                Some([1100, 450, 100, 100, 0, 0, 0]),
            ),
            // In a corridor neither box can be pushed.
            ("########|#@$$-..#|########", Some([600, 300, 200, 100, 300, 200, 0])),
            // A box in a corner never gets to a goal.
            ("######|#$-.-#|#-@--#|######", None),
        ];
        for (level, expected) in levels {
            let level = Arc::new(Level::parse(level).unwrap());
            let puzzle = Sokoban::<1>::new(level, Measure::Pushes).unwrap();
            let values = each.map(|config| {
                let to_goals = ToGoals::new(&puzzle, Sum::Assignment);
                let features = Features { to_goals, config };
                let estimate = features.root(&puzzle, &puzzle.initial_state());
                estimate.map(|(estimate, ())| estimate)
            });
            assert_eq!(values, expected.map_or([None; 7], |all| all.map(Some)));
        }
    }
}
