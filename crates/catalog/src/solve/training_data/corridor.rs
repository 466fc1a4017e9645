//! A small puzzle for tests.

use unriddle_core::{GoalPuzzle, Numbers, Puzzle};

/// A corridor of 20 cells with its goal at cell 0. From each cell one may fall into a pit of
/// three cells, from which nothing leads out.
pub(super) struct Corridor;

/// First cell of the pit.
pub(super) const PIT: u8 = 60;

impl Puzzle for Corridor {
    type State = u8;
    type Action = u8;
    type Actions = Numbers;
    fn initial_state(&self) -> u8 {
        3
    }
    fn actions(&self, &cell: &u8) -> Numbers {
        match cell {
            PIT.. => Numbers::new(0, 0),
            0 | 20 => Numbers::new(0, 1),
            _ => Numbers::new(0, 2),
        }
    }
    fn apply(&self, &cell: &u8, action: u8) -> u8 {
        match (cell, action) {
            (PIT.., _) => PIT + (cell - PIT + 1) % 3,
            (0, 0) => 1,
            (_, 0) => cell - 1,
            (0 | 20, _) | (_, 2) => PIT,
            _ => cell + 1,
        }
    }
}

impl GoalPuzzle for Corridor {
    fn is_goal(&self, cell: &u8) -> bool {
        *cell == 0
    }
}
