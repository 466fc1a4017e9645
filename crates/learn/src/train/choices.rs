//! Choices: which of a few states is the nearest to the goal. Networks that learn them put states
//! in order, for searches that ask for nothing else; their outputs are no distances.
//!
//! Imitation: of all states that a move leads to, which one does the solution go on with. Order:
//! which of two states is nearer (the ANN-distance paper's section 6; there the network is asked
//! about each pair, here it learns one number for each state).

use super::{
    solved::Examples,
    source::{Batch, Source},
};
use std::ops::Range;
use unriddle_core::{Puzzle as _, Rng};
use unriddle_tiles::{Board, Tiles};

/// Most moves by which the distances of two states that are put in order differ: searches confuse
/// states at similar distances.
const APART: u64 = 8;

/// Rows of examples, grouped by their distances.
pub(super) struct Ordered(Vec<Vec<u32>>);

impl Ordered {
    pub(super) fn new<B: Board>(examples: &Examples<B>, from: Range<usize>) -> Self {
        let mut by_distance = Vec::new();
        for row in from {
            let distance = usize::from(examples.get(row).1);
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
pub(super) struct Chosen<'a, B> {
    pub examples: &'a Examples<B>,
    /// The rows that choices are drawn from.
    pub from: Range<usize>,
    /// Where to draw pairs that are to be put in order; without it moves are imitated.
    pub ordered: Option<&'a Ordered>,
    pub puzzle: &'a Tiles<B>,
    pub seed: u64,
}

impl<B: Board> Chosen<'_, B> {
    /// Whether any choice can be drawn. If none can, a batch would never become full.
    pub(super) fn is_any(&self) -> bool {
        match self.ordered {
            None => (self.from.clone()).any(|row| self.examples.after(row, 1).is_some()),
            Some(ordered) => ordered.is_any(),
        }
    }

    /// The successors of a state on a solution path, with the next state of the path first. Empty for
    /// a goal, and if the next state is no longer kept.
    fn successors(&self, row: usize, states: &mut Vec<B>) {
        let Some(next) = self.examples.after(row, 1) else {
            return;
        };
        let (board, _) = self.examples.get(row);
        states.push(next);
        let others = self.puzzle.actions(&board).map(|slide| board.slide(slide));
        states.extend(others.filter(|&other| other != next));
    }

    /// This state and another one, with the nearer first. Empty if no example has the distance that
    /// was drawn.
    fn pair(&self, row: usize, Ordered(all): &Ordered, rng: &mut Rng, states: &mut Vec<B>) {
        let (board, distance) = self.examples.get(row);
        let apart = 1 + rng.below(APART) as usize;
        let at = match rng.below(2) {
            0 => usize::from(distance).checked_sub(apart),
            _ => Some(usize::from(distance) + apart),
        };
        let Some(others) = at.and_then(|at| all.get(at)).filter(|o| !o.is_empty()) else {
            return;
        };
        let other = others[rng.below(others.len() as u64) as usize] as usize;
        let (other, of_other) = self.examples.get(other);
        states.extend(match of_other < distance {
            true => [other, board],
            false => [board, other],
        });
    }
}

impl<B: Board> Source for Chosen<'_, B> {
    fn batch(&self, number: u64, rows: usize) -> Batch {
        let mut rng = Rng::stream(self.seed, number);
        let mut batch = Batch::default();
        let (mut states, mut drawn) = (Vec::new(), 0);
        while drawn < rows {
            states.clear();
            let row = self.from.start + rng.below(self.from.len() as u64) as usize;
            match self.ordered {
                None => self.successors(row, &mut states),
                Some(ordered) => self.pair(row, ordered, &mut rng, &mut states),
            }
            drawn += states.len();
            batch.push_choice(self.puzzle, &states);
        }
        batch
    }
}
