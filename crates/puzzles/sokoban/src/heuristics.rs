//! Heuristics of the generic searches.

use crate::{
    board::{Each, size, without},
    bound::{Distances, FAR, Matching},
    rules::{Sokoban, State},
};
use std::cell::RefCell;
use unriddle_core::{Cost, Guarantee, Heuristic};

/// Number of boxes that are not on goals, or of goals without a box if boxes may be left over: a push
/// brings at most one box to a goal.
pub(crate) fn misplaced<const W: usize>(puzzle: &Sokoban<W>, state: &State<W>) -> Option<Cost> {
    let board = puzzle.board();
    let (boxes, goals) = (&state.boxes, &board.goals);
    Some(size(&if board.covers() { without(goals, boxes) } else { without(boxes, goals) }))
}

/// Function that turns distances of boxes to goals into an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sum {
    /// Each box goes to a different goal.
    Assignment,
    /// Each box goes to the nearest goal.
    Nearest,
}

/// Distances of boxes to goals.
pub(crate) struct ToGoals<const W: usize> {
    distances: Distances<W>,
    sum: Sum,
}

impl<const W: usize> ToGoals<W> {
    pub(crate) fn new(puzzle: &Sokoban<W>, sum: Sum) -> Self {
        Self { distances: Distances::new(puzzle.board()), sum }
    }
}

thread_local! {
    static MATCHING: RefCell<Matching> = RefCell::default();
}

impl<const W: usize> Heuristic<Sokoban<W>> for ToGoals<W> {
    type Memo = ();

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    fn root(&self, puzzle: &Sokoban<W>, state: &State<W>) -> Option<(Cost, ())> {
        if puzzle.board().level.unsolvable.is_some() {
            return None;
        }
        let board = puzzle.board();
        let pushes = match self.sum {
            // Boxes that may be left over need not come to their nearest goals.
            _ if self.sum == Sum::Assignment || board.covers() => {
                MATCHING.with_borrow_mut(|matching| {
                    matching.pushes(board, &self.distances, &state.boxes, state.player)
                })?
            }
            _ => {
                let goals = board.level.goals.len();
                let least = |bit| {
                    let row = self.distances.row(board.id(bit), state.player);
                    row[..goals].iter().copied().min().filter(|&least| least < FAR)
                };
                let each = Each(state.boxes).map(|bit| least(bit).map(Cost::from));
                each.sum::<Option<Cost>>()?
            }
        };
        Some((pushes, ()))
    }
}
