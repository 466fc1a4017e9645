//! Files of instances.

use super::family::Family;
use crate::interface::instance::AnyPuzzle;
use unriddle_core::ParseError;

pub mod pieces;

pub use crate::interface::instance::batch::Named;
pub use pieces::{Piece, boards, distinct, documents, lines, titled, whole};

/// A refused part of a text that begins on a 1-based line, behind some columns: the place in the whole.
#[must_use]
pub fn moved(error: ParseError, line: usize, columns: usize) -> ParseError {
    let column = error.column + if error.line == 1 { columns } else { 0 };
    ParseError::at(line + error.line - 1, column, error.message)
}

/// Loads all instances of a file's text.
///
/// # Errors
/// The first instance that is refused, by its place in the file; a file without any instance.
pub fn load(family: &Family, puzzle: &dyn AnyPuzzle, text: &str) -> Result<Vec<Named>, ParseError> {
    let pieces = (family.split)(text);
    if pieces.is_empty() {
        return Err(ParseError::at(1, 1, "there is no instance in it"));
    }
    let load = |piece: Piece| {
        let loaded = puzzle.load(&piece.text);
        let instance = loaded.map_err(|error| moved(error, piece.line, piece.column))?;
        Ok(Named { id: piece.id, instance, solution: piece.solution })
    };
    pieces.into_iter().map(load).collect()
}
