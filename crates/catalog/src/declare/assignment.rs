//! Declaration of an assignment puzzle: things are assigned to positions, and no path leads to a
//! solution.

use super::{
    listed::{Placings, Preset},
    solver::Solver,
};
use crate::interface::{instance::Extensions, unit::Unit, values::Visit};
use unriddle_core::ParseError;

/// Assignment puzzle of the catalogue. Most of its behaviour is its own.
///
/// ```
/// use unriddle_catalog::{Aim, Assignment, ParseError, Preset, Solver, Visit, listed::Placings};
///
/// /// A number whose solution is that number of strokes.
/// struct Strokes(usize);
///
/// impl Assignment for Strokes {
///     type Action = char;
///
///     const SOLVERS: &'static [Solver<Self, Placings>] = &[];
///     const PRESETS: &'static [Preset<Self>] = &[];
///
///     fn text(&self) -> String {
///         self.0.to_string()
///     }
///     fn solution_text(&self, strokes: &[char]) -> String {
///         strokes.iter().collect()
///     }
///     fn along(&self, _: &str, _: Visit<'_>) -> Result<(), ParseError> {
///         Ok(())
///     }
///     fn replay(&self, solution: &str) -> Result<(i64, u64), String> {
///         if solution == "|".repeat(self.0) {
///             Ok((self.0 as i64, self.0 as u64))
///         } else {
///             Err(format!("expected {} strokes", self.0))
///         }
///     }
/// }
///
/// assert_eq!(Strokes(3).replay("|||"), Ok((3, 3)));
/// ```
pub trait Assignment: Send + Sync + Sized + 'static {
    /// Assignment of one thing to one position.
    type Action: Clone;

    /// Its solvers: the ones made for this puzzle only, and searches of other aims that can solve
    /// it.
    const SOLVERS: &'static [Solver<Self, Placings>];

    /// Its presets; the first is the default.
    const PRESETS: &'static [Preset<Self>];

    /// Its text in the puzzle's standard form.
    fn text(&self) -> String;

    /// A solution in the puzzle's notation.
    fn solution_text(&self, actions: &[Self::Action]) -> String;

    /// A solution for people, with names instead of numbers; `None` where the notation is readable
    /// itself.
    fn named(&self, actions: &[Self::Action]) -> Option<String> {
        let _ = actions;
        None
    }

    /// Unit of its values, where it is not the puzzle's unit: a part of it, or another unit.
    fn unit(&self) -> Option<Unit> {
        None
    }

    /// Visits the drawings of a solution: at least the drawing of the empty positions.
    ///
    /// # Errors
    /// The position at which the solution is unreadable, and why.
    fn along(&self, solution: &str, visit: Visit<'_>) -> Result<(), ParseError>;

    /// Replays a solution by the puzzle's own rules: its value and the number of its actions.
    ///
    /// # Errors
    /// The first error of the solution.
    fn replay(&self, solution: &str) -> Result<(i64, u64), String>;

    /// A solution in the notation of records, for puzzles that read other notations as well.
    ///
    /// # Errors
    /// The position at which the solution is unreadable, and why.
    fn standard_solution(&self, solution: &str) -> Result<String, ParseError> {
        Ok(solution.to_owned())
    }

    /// A solution in the notations in which other programs keep solutions, each with its name.
    ///
    /// # Errors
    /// The position at which the solution is unreadable, and why.
    fn solution_forms(&self, solution: &str) -> Result<Vec<(&'static str, String)>, ParseError> {
        let _ = solution;
        Ok(Vec::new())
    }

    /// Optional abilities.
    fn extensions(&self) -> Extensions<'_> {
        Extensions::default()
    }
}
