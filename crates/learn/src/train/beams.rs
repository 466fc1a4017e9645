//! States that searches evaluate.
//!
//! A search prefers states whose cost-to-go the network underestimates. Random walks from the goal
//! rarely visit such states, so that their values would not be learned, and searches would go astray.
//! Therefore some rows of a batch are states that narrow beams evaluate with the target network,
//! whether the beams keep them or not.

use super::{recipe::Beams, source::From};
use std::sync::{Mutex, PoisonError};
use unriddle_core::{
    Backward, BatchHeuristic, Budget, Features, GoalPuzzle, Guarantee, Puzzle, Row, run,
};
use unriddle_neural::Net;
use unriddle_search::beam::{Beam, BeamConfig};

/// A network that records some of the states that it evaluates.
struct Noted<'a, S> {
    net: &'a Net,
    every: usize,
    /// The number of evaluated states, and one of `every` of them.
    seen: Mutex<(usize, Vec<S>)>,
}

impl<P: Features> BatchHeuristic<P> for Noted<'_, P::State> {
    fn guarantee(&self) -> Guarantee {
        BatchHeuristic::<P>::guarantee(self.net)
    }

    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        for row in rows {
            if seen.0.is_multiple_of(self.every) {
                seen.1.push(*row.state);
            }
            seen.0 += 1;
        }
        self.net.evaluate(rows, out);
    }
}

/// The states that a beam from a state evaluates, with that state first.
pub(super) fn visited<P: Backward + Features + GoalPuzzle + Clone>(
    puzzle: &P,
    start: P::State,
    net: &Net,
    beams: &Beams,
) -> Vec<P::State> {
    let puzzle = From {
        puzzle: puzzle.clone(),
        start,
    };
    let noted = Noted {
        net,
        every: beams.every,
        seen: Mutex::new((0, Vec::new())),
    };
    let config = BeamConfig {
        width: beams.width,
        max_depth: beams.depth,
        ..BeamConfig::default()
    };
    // Whether the beam finds a solution does not matter.
    if let Ok(mut beam) = Beam::new(&puzzle, &noted, config) {
        let _ = run(&mut beam, &Budget::default(), &mut ());
    }
    let (_, mut seen) = noted
        .seen
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    if seen.is_empty() {
        // A goal is not evaluated.
        seen.push(puzzle.initial_state());
    }
    seen
}
