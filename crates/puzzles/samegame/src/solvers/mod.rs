//! Players of SameGame.

pub mod best;
mod line;
mod named;
pub mod temper;

/// Replays a line: it is legal, ends where no group is left, and has the value that it claims.
#[cfg(test)]
fn check(puzzle: &crate::Small, line: &unriddle_core::Solution<crate::Group>) {
    use unriddle_core::{Puzzle, ScorePuzzle, Solution};
    let scored = Solution::scored(puzzle, line.actions.clone());
    assert_eq!(scored, *line);
    let end = line.actions.iter().fold(puzzle.initial_state(), |board, &a| {
        assert!(puzzle.actions(&board).any(|legal| legal == a));
        puzzle.apply(&board, a)
    });
    assert!(puzzle.is_terminal(&end));
}
