//! Boards and solutions as texts. A move is `column,row`, counted from 0 at the bottom left; any
//! cell of the group names it.

use super::{Board, Group, SameGame, board::count};
use unriddle_core::text::{played, whole};
use unriddle_core::{Notation, ParseError, Puzzle};

impl<const N: usize, const L: u32> SameGame<N, L> {
    /// Reads a move on a board; the error is the reason why it is illegal.
    fn read(&self, board: &Board<N, L>, word: &str) -> Result<Group, String> {
        let place =
            word.split_once(',').and_then(|(column, row)| Some((whole(column)?, whole(row)?)));
        let Some((column, row)) = place else {
            return Err(format!("expected column,row such as 3,0, found `{word}`"));
        };
        let &Self { width, height, .. } = self;
        if column >= width || row >= height {
            return Err(format!(
                "`{word}` is not on the board of {width} columns and {height} rows"
            ));
        }
        let cell = (column * Board::<N, L>::HEIGHT + row) as u16;
        if board.colour(cell).is_none() {
            return Err(format!("`{word}` is illegal: there is no cell"));
        }
        let group = board.links().group(cell);
        if count(&group) < 2 {
            return Err(format!("`{word}` is illegal: no neighbour has its colour"));
        }
        Ok(Group::of(board, &group))
    }
}

impl<const N: usize, const L: u32> Notation for SameGame<N, L> {
    fn state_text(&self, board: &Board<N, L>) -> String {
        self.layout(board).text()
    }

    fn solution_text(&self, actions: &[Group]) -> String {
        let cell = |group: &Group| format!("{},{}", group.cell / L as u16, group.cell % L as u16);
        actions.iter().map(cell).collect::<Vec<_>>().join(" ")
    }

    fn parse_solution(&self, text: &str) -> Result<Vec<Group>, ParseError> {
        played(text, self.initial_state(), |board, word| {
            let action = self.read(board, word)?;
            *board = self.apply(board, action);
            Ok(action)
        })
    }
}
