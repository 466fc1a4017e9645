//! An instance that is played action by action, by a person or by a program.
//!
//! ```
//! # use unriddle_catalog::game::Game;
//! /// Plays the first action wherever there is one.
//! fn drift(game: &mut dyn Game) -> String {
//!     while !game.is_over() && game.apply(0) {}
//!     game.solution()
//! }
//! ```

use super::{
    board::{Solid, Spot, Touch, Turn},
    values::{Frame, Style},
};
use unriddle_core::ParseError;

/// A position of an instance, and the actions that led to it.
///
/// ```
/// let puzzle = unriddle_hanoi::FAMILY.default_puzzle().expect("defaults for all parameters");
/// let instance = puzzle.load("1 1")?;
/// let mut game = instance.game().expect("a path leads to its solution");
/// assert_eq!(game.actions(), ["1-2", "1-3"]);
/// assert!(game.apply(1));
/// assert_eq!((game.text().as_str(), game.value()), ("3 1", 1));
/// assert!(game.undo());
/// game.replay("1-2 1-3 2-3")?;
/// assert!(game.is_over());
/// # Ok::<(), unriddle_catalog::ParseError>(())
/// ```
pub trait Game {
    /// The legal actions, as people write them; empty at a dead end.
    fn actions(&self) -> Vec<String>;

    /// Plays the legal action of an index; `false` if there is no such action.
    fn apply(&mut self, index: usize) -> bool;

    /// Takes the last action back; `false` at the initial state.
    fn undo(&mut self) -> bool;

    /// The actions so far, as [`actions`](Self::actions) wrote them.
    fn played(&self) -> &[String];

    /// Plays a solution in the puzzle's notation from the initial state, replacing the actions so
    /// far.
    ///
    /// # Errors
    /// The position at which the solution is unreadable or illegal, and why. The game is unchanged
    /// then.
    fn replay(&mut self, solution: &str) -> Result<(), ParseError>;

    /// The actions so far, in the puzzle's notation.
    fn solution(&self) -> String;

    /// The position as an instance of its own.
    fn text(&self) -> String;

    /// The drawn position, and the action that led to it.
    fn frame(&self, style: Style) -> Frame;

    /// Whether the instance is solved, or the game is over.
    fn is_over(&self) -> bool;

    /// Cost or score of the actions so far.
    fn value(&self) -> i64;

    /// Touchable areas of the current position's SVG drawing; none by default.
    fn spots(&self) -> Vec<Spot> {
        Vec::new()
    }

    /// Inputs that choose each legal action, in the order of [`actions`](Self::actions).
    fn touches(&self) -> Vec<Touch> {
        vec![Touch::default(); self.actions().len()]
    }

    /// The current position as a solid; none by default.
    fn solid(&self) -> Option<Solid> {
        None
    }

    /// Motion of the solid by each legal action, in the order of [`actions`](Self::actions).
    fn turns(&self) -> Vec<Option<Turn>> {
        vec![None; self.actions().len()]
    }
}
