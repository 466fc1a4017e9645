//! States that searches look at.
//!
//! A search prefers states that the network thinks too well of, and walks from the goal hardly ever meet them: where their values are not
//! learned the search is led astray. So some of the rows of a batch are states that narrow beams of the target network look at on
//! their way home, kept or not.

use super::{recipe::Beams, source::From};
use std::sync::{Mutex, PoisonError};
use unriddle_core::{
    Backward, BatchHeuristic, Budget, Features, GoalPuzzle, Guarantee, Puzzle, Row, run,
};
use unriddle_neural::Net;
use unriddle_search::beam::{Beam, BeamConfig};

/// A network that notes what it is asked about.
struct Noted<'a, S> {
    net: &'a Net,
    every: usize,
    /// How many were asked about, and one of `every`.
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

/// What a beam from a state looks at, that state first.
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
    // Whether it comes home does not matter, nor why it does not.
    if let Ok(mut beam) = Beam::new(&puzzle, &noted, config) {
        let _ = run(&mut beam, &Budget::default(), &mut ());
    }
    let (_, mut seen) = noted
        .seen
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    if seen.is_empty() {
        // A goal is not asked about.
        seen.push(puzzle.initial_state());
    }
    seen
}
