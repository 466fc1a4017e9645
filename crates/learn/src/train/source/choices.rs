//! Choices: the state of a group that is nearest to the goal. Networks that learn choices sort
//! states, for searches that need only an order; their outputs are not distances.
//!
//! Imitation chooses the solution's next state among the successors of a state. Order chooses the
//! nearer of two states (section 6 of the ANN-distance paper), either by a network whose input is
//! both states, as in the paper, or by a network with one output per state.

use super::{Batch, pool::Pool};
use std::ops::Range;
use unriddle_catalog::training_data::States;
use unriddle_core::Rng;

/// Greatest difference between the distances of two states that are put in order: searches confuse
/// states at similar distances.
const APART: u64 = 8;

/// Rows of examples, grouped by their distances.
pub(super) struct Ordered(Vec<Vec<u32>>);

impl Ordered {
    pub(super) fn new(pool: &Pool<'_>, from: Range<usize>) -> Self {
        let mut by_distance = Vec::new();
        for row in from {
            let distance = pool.left(row) as usize;
            if by_distance.len() <= distance {
                by_distance.resize(distance + 1, Vec::new());
            }
            by_distance[distance].push(row as u32);
        }
        Self(by_distance)
    }

    /// Whether two of the rows can be put in order.
    fn is_any(&self) -> bool {
        let pairs = |apart| self.0.iter().zip(self.0.iter().skip(apart));
        (1..=APART as usize)
            .any(|apart| pairs(apart).any(|(one, other)| !one.is_empty() && !other.is_empty()))
    }
}

/// Random choices from some of the examples.
pub(super) struct Chosen<'a> {
    pub pool: &'a Pool<'a>,
    /// The rows that choices are drawn from.
    pub from: Range<usize>,
    /// Pairs of states to sort (`None` = imitate moves).
    pub ordered: Option<&'a Ordered>,
    /// The length of a state's input, of a network that sees two states at a time.
    pub pairs: Option<usize>,
    pub seed: u64,
}

impl Chosen<'_> {
    /// Whether any choice can be drawn. If none can, a batch would never become full.
    pub(super) fn is_any(&self) -> bool {
        match self.ordered {
            None => (self.from.clone()).any(|row| self.pool.after(row, 1).is_some()),
            Some(ordered) => ordered.is_any(),
        }
    }

    /// The successors of a state on a solution path, with the next state of the path first. Empty
    /// for a goal, and if the next state is no longer kept.
    fn successors(&self, row: usize, states: &mut dyn States) {
        let pool = self.pool;
        let Some(next) = pool.after(row, 1) else {
            return;
        };
        let mut others = pool.states().fresh();
        pool.states().successors(row, &mut *others, &mut Vec::new());
        states.push(pool.states(), next);
        for other in 0..others.len() {
            if !pool.states().is_same(next, &*others, other) {
                states.push(&*others, other);
            }
        }
    }

    /// This state and another one, with the nearer first. Empty if no example has the distance that
    /// was drawn.
    fn pair(&self, row: usize, Ordered(all): &Ordered, rng: &mut Rng, states: &mut dyn States) {
        let pool = self.pool;
        let distance = pool.left(row) as usize;
        let apart = 1 + rng.below(APART) as usize;
        let at = match rng.below(2) {
            0 => distance.checked_sub(apart),
            _ => Some(distance + apart),
        };
        let Some(others) = at.and_then(|at| all.get(at)).filter(|o| !o.is_empty()) else {
            return;
        };
        let other = others[rng.below(others.len() as u64) as usize] as usize;
        let nearer_first =
            if (pool.left(other) as usize) < distance { [other, row] } else { [row, other] };
        for row in nearer_first {
            states.push(pool.states(), row);
        }
    }

    /// Adds choices to the batch of a number, until they have `rows` rows.
    pub(super) fn add(&self, number: u64, rows: usize, batch: &mut Batch) {
        let mut rng = Rng::stream(self.seed, number);
        let (mut states, mut drawn) = (self.pool.states().fresh(), 0);
        while drawn < rows {
            states.truncate(0);
            let row = self.from.start + rng.below(self.from.len() as u64) as usize;
            match self.ordered {
                None => self.successors(row, &mut *states),
                Some(ordered) => self.pair(row, ordered, &mut rng, &mut *states),
            }
            if states.len() < 2 {
                continue;
            }
            match self.pairs {
                None => {
                    drawn += states.len();
                    batch.push_choice(&*states);
                }
                Some(inputs) => {
                    drawn += 1;
                    batch.push_pair(&*states, rng.below(2) == 1, inputs);
                }
            }
        }
    }
}
