//! Instances as an input of networks sees them.

use crate::declare::goal::Goal;
use unriddle_core::Learnable;
use unriddle_tables::{Cache, TableError};

/// An instance as an input sees it, with the tables of the input from a cache.
///
/// # Errors
/// A table cannot be opened or built, or the instance does not have the input.
pub(crate) fn seen_by<P: Goal + Learnable>(
    puzzle: &P,
    input: usize,
    cache: &Cache,
) -> Result<P, TableError> {
    if let Some(learning) = P::LEARNING {
        (learning.open_tables)(puzzle, input, cache)?;
    }
    Ok(puzzle.seen_by(input))
}
