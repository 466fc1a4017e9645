//! Bound by pairs of neighbours: the gaps of a stack of pancakes, for every puzzle.
//!
//! Positions `i` and `i + 1` are neighbours; so are the last and the first where that is better. A
//! pair of labels is *broken* if it is on neighbouring positions, but on none of the goal. A move
//! changes the number of broken pairs by at most the number of neighbouring positions whose labels
//! were no neighbours before the move. The number of broken pairs, divided by the largest such
//! number, is a consistent estimate: for pancakes, where a move separates one pair, it is the gap
//! heuristic (M. Helmert 2010, Landmark heuristics for the pancake problem).

use crate::definition::Definition;
use std::collections::HashSet;

/// Neighbouring positions of a puzzle and pairs of labels.
#[derive(Debug)]
pub struct Adjacency {
    /// Number of pairs: of all positions, or one less in a row.
    pairs: usize,
    /// For each two labels, whether they are neighbours in the goal.
    is_whole: Vec<bool>,
    labels: usize,
    /// The most pairs that a move separates; 0 if none separates any.
    pub most: usize,
}

impl Adjacency {
    /// The neighbours of a definition: in a ring where more pairs are separated at a time than in
    /// proportion, otherwise in a row.
    pub(crate) fn new(definition: &Definition) -> Self {
        let (row, ring) = (Self::with(definition, false), Self::with(definition, true));
        match ring.pairs * row.most.max(1) > row.pairs * ring.most.max(1) {
            true => ring,
            false => row,
        }
    }

    fn with(definition: &Definition, is_ring: bool) -> Self {
        let (positions, labels) = (definition.goal.len(), definition.labels.len());
        let pairs = positions - usize::from(!is_ring);
        let next = |at: usize| (at + 1) % positions;
        let neighbours: HashSet<[usize; 2]> =
            (0..pairs).flat_map(|at| [[at, next(at)], [next(at), at]]).collect();
        let separated = |array: &Vec<u16>| {
            let from = |at: usize| usize::from(array[at]);
            (0..pairs).filter(|&at| !neighbours.contains(&[from(at), from(next(at))])).count()
        };
        let most = definition.moves.iter().map(|step| separated(&step.array)).max();
        let mut is_whole = vec![false; labels * labels];
        for [one, other] in &neighbours {
            let [one, other] = [one, other].map(|&at| usize::from(definition.goal[at]));
            is_whole[one * labels + other] = true;
        }
        Self { pairs, is_whole, labels, most: most.unwrap_or(0) }
    }

    /// Number of broken pairs of a state.
    pub(crate) fn broken(&self, state: &[u8]) -> usize {
        let next = state.iter().cycle().skip(1);
        let pairs = state.iter().zip(next).take(self.pairs);
        let is_broken = |&(&one, &other): &(&u8, &u8)| {
            !self.is_whole[usize::from(one) * self.labels + usize::from(other)]
        };
        pairs.filter(is_broken).count()
    }
}
