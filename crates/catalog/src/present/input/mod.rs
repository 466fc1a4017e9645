//! Files of instances.

use crate::{interface::instance::AnyPuzzle, units::show_bytes};
use unriddle_core::ParseError;

pub mod pieces;

pub use crate::interface::instance::batch::Named;
pub use pieces::{Piece, boards, distinct, documents, is_name, lines, titled, whole};

/// Most bytes of an instance that fits on a command line.
pub const MOST_INLINE: usize = 1 << 20;

/// Most bytes of an instance that is a document of its own.
pub const MOST_DOCUMENT: usize = 1 << 26;

/// Refuses the text of an instance that is too large, before a reader makes more of it.
///
/// # Errors
/// The text has more than `most` bytes.
pub(super) fn check_size(text: &str, most: usize) -> Result<(), ParseError> {
    if text.len() <= most {
        return Ok(());
    }
    let (found, most) = (show_bytes(text.len() as u64), show_bytes(most as u64));
    let message = format!("the instance has {found}; an instance has at most {most}");
    Err(ParseError::at(1, 1, message))
}

/// Moves the position of an error from a part of a text to the entire text. The part begins on a
/// 1-based `line`, behind `columns` columns.
#[must_use]
pub fn moved(error: ParseError, line: usize, columns: usize) -> ParseError {
    let column = error.column + if error.line == 1 { columns } else { 0 };
    ParseError::at(line + error.line - 1, column, error.message)
}

/// Loads all instances of a file's text.
///
/// # Errors
/// The first refused instance, by its position in the file; a file without any instance.
pub fn load(puzzle: &dyn AnyPuzzle, text: &str) -> Result<Vec<Named>, ParseError> {
    let pieces = puzzle.split(text);
    if pieces.is_empty() {
        return Err(ParseError::at(1, 1, "the text contains no instance"));
    }
    let load = |piece: Piece| {
        let loaded = puzzle.load(&piece.text);
        let instance = loaded.map_err(|error| moved(error, piece.line, piece.column))?;
        Ok(Named { id: piece.id, instance, solution: piece.solution })
    };
    pieces.into_iter().map(load).collect()
}
