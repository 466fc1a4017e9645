//! Estimates by pairs of [`neighbours`](crate::neighbours), and by misplaced labels.

use crate::puzzle::{Labels, Permutation};
use unriddle_core::{Cost, Estimate, Guarantee};

/// Number of moves that broken pairs need; 0 for a goal with wildcards.
fn adjacent<const N: usize>(puzzle: &Permutation<N>, state: &Labels<N>) -> Option<Cost> {
    let adjacency = puzzle.rules.adjacency();
    if adjacency.most == 0 || puzzle.definition().wildcards > 0 {
        return Some(0);
    }
    Some(adjacency.broken(puzzle.labels(state)).div_ceil(adjacency.most) as Cost)
}

/// Number of moves that misplaced labels need: a move changes a limited number of positions.
fn misplaced<const N: usize>(puzzle: &Permutation<N>, state: &Labels<N>) -> Option<Cost> {
    let wrong = puzzle.misplaced(state).saturating_sub(puzzle.definition().wildcards);
    match (wrong, puzzle.rules.most_changes) {
        (0, _) => Some(0),
        (_, 0) => None,
        (_, most) => Some(wrong.div_ceil(most) as Cost),
    }
}

/// Estimate by pairs of neighbours.
#[must_use]
pub fn by_neighbours<const N: usize>() -> Estimate<Permutation<N>> {
    Estimate::new(Guarantee::Consistent, adjacent)
}

/// Estimate by misplaced labels.
#[must_use]
pub fn by_positions<const N: usize>() -> Estimate<Permutation<N>> {
    Estimate::new(Guarantee::Consistent, misplaced)
}
