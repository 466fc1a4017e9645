//! Upper bounds of the points that a board can still earn: the over-estimators of the paper.
//!
//! [`OneGroupEach`] assumes that every colour is one group: Σ (n_c − 2)², and 1,000 for an empty
//! board. `OneGroupEach<true>` takes the 1,000 off where a colour is down to a single cell, because
//! then the board cannot be cleared. Both are consistent: a group and the remaining cells of its
//! colour earn at most as much as one group of all of them, and a single cell of a colour stays
//! single.
//!
//! The same holds for the other rules of points, each with its points of a group and of an empty
//! board. Where remaining cells cost points whatever they are, `OneGroupEach<true>` subtracts the
//! cost of single cells. By `score=clicks` a colour is worth −1: it is one move, or it leaves cells
//! that cost more.
//!
//! Reference: Schadd et al. 2012, section 3.

use super::{Board, SameGame};
use unriddle_core::{Score, UpperBound};

/// All cells of a colour in one group, and an empty board. With `LESS_SINGLES`, the points for an
/// empty board are left out where a colour has a single cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OneGroupEach<const LESS_SINGLES: bool>;

impl<const LESS_SINGLES: bool, const N: usize, const L: u32> UpperBound<SameGame<N, L>>
    for OneGroupEach<LESS_SINGLES>
{
    fn upper(&self, puzzle: &SameGame<N, L>, board: &Board<N, L>) -> Score {
        let counts = board.counts();
        let scoring = puzzle.scoring();
        let singles = if LESS_SINGLES { counts.iter().filter(|&&n| n == 1).count() } else { 0 };
        let cleared = if singles == 0 { scoring.cleared() } else { 0 };
        let of_groups: Score = counts.iter().map(|&n| scoring.united(n)).sum();
        of_groups + cleared - scoring.single() * singles as Score
    }
}
