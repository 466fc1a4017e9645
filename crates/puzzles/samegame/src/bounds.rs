//! Upper bounds of the points that a board can still earn: the over-estimators of the paper.
//!
//! [`OneGroupEach`] assumes that every colour is one group: Σ (n_c − 2)², and 1,000 for an empty
//! board. [`OneGroupEachLessSingles`] takes the 1,000 off where a colour is down to a single cell,
//! because then the board cannot be cleared. Both are consistent: a group and the remaining cells
//! of its colour earn at most as much as one group of all of them, and a single cell of a colour
//! stays single.
//!
//! Reference: Schadd et al. 2012, section 3.

use super::{Board, CLEARED, SameGame, Scoring, points};
use unriddle_core::{Score, UpperBound};

/// All cells of a colour in one group, and an empty board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OneGroupEach;

/// The same without the points for an empty board where a colour has a single cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OneGroupEachLessSingles;

fn bound<const N: usize, const L: u32>(
    puzzle: &SameGame<N, L>,
    board: &Board<N, L>,
    singles: bool,
) -> Score {
    let counts = board.counts();
    if puzzle.scoring() == Scoring::Clickomania {
        // A single cell of a colour stays.
        let single = |&&n: &&u32| singles && n == 1;
        return -(counts.iter().filter(single).count() as Score);
    }
    let cleared = !singles || !counts.contains(&1);
    let of_groups: Score = counts.iter().filter(|&&n| n > 1).map(|&n| points(n)).sum();
    of_groups + if cleared { CLEARED } else { 0 }
}

impl<const N: usize, const L: u32> UpperBound<SameGame<N, L>> for OneGroupEach {
    fn upper(&self, puzzle: &SameGame<N, L>, board: &Board<N, L>) -> Score {
        bound(puzzle, board, false)
    }
}

impl<const N: usize, const L: u32> UpperBound<SameGame<N, L>> for OneGroupEachLessSingles {
    fn upper(&self, puzzle: &SameGame<N, L>, board: &Board<N, L>) -> Score {
        bound(puzzle, board, true)
    }
}
