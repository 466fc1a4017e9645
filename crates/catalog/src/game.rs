//! An instance that is played action by action, by a person or by a page.
//!
//! ```
//! # use unriddle_catalog::game::Game;
//! /// Plays the first action wherever there is one.
//! fn drift(game: &mut dyn Game) -> String {
//!     while !game.is_over() && game.apply(0) {}
//!     game.solution()
//! }
//! ```

use crate::{
    instance::{Frame, Style, Visit},
    listed::{Presentation, replayed},
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
    /// The legal actions, as people write them; none at a dead end.
    fn actions(&self) -> Vec<String>;

    /// Plays the legal action of an index; `false` if there is none.
    fn apply(&mut self, index: usize) -> bool;

    /// Takes the last action back; `false` at the start.
    fn undo(&mut self) -> bool;

    /// The actions so far, as [`actions`](Self::actions) wrote them.
    fn played(&self) -> &[String];

    /// Plays a solution in the puzzle's notation from the start, in place of the actions so far.
    ///
    /// # Errors
    /// Where it cannot be read or is illegal, and why. The position is then the one from before.
    fn replay(&mut self, solution: &str) -> Result<(), ParseError>;

    /// The actions so far, in the puzzle's notation.
    fn solution(&self) -> String;

    /// The position as an instance of its own.
    fn text(&self) -> String;

    /// The position, drawn, and the action that led to it.
    fn frame(&self, style: Style) -> Frame;

    /// Whether the instance is solved, or the game is over.
    fn is_over(&self) -> bool;

    /// What the actions so far are worth: a cost or a score.
    fn value(&self) -> i64;
}

/// What the aim of a path puzzle adds to its moves: where a game ends, and its value.
pub(crate) struct Rules<P: Presentation> {
    /// Whether a state is an end.
    pub(crate) is_end: fn(&P, &P::State) -> bool,
    /// What a last state lacks that is not an end, in words.
    pub(crate) missing: &'static str,
    /// The value of actions from the start.
    pub(crate) value: fn(&P, &[P::Action]) -> i64,
}

impl<P: Presentation> Rules<P> {
    /// Replays a solution: its value and the number of its actions.
    ///
    /// # Errors
    /// Those of [`replayed`].
    pub(crate) fn replay(&self, puzzle: &P, solution: &str) -> Result<(i64, u64), String> {
        let is_end = |state: &_| (self.is_end)(puzzle, state);
        let actions = replayed(puzzle, solution, is_end, self.missing)?;
        Ok(((self.value)(puzzle, &actions), actions.len() as u64))
    }
}

/// Visits the states along a solution, the start included.
///
/// # Errors
/// The solution cannot be read or is illegal: where, and why.
pub(crate) fn along<P: Presentation>(
    puzzle: &P,
    solution: &str,
    visit: Visit<'_>,
) -> Result<(), ParseError> {
    Presentation::along(puzzle, &puzzle.parse_solution(solution)?, visit);
    Ok(())
}

/// A path puzzle that is played.
pub(crate) struct Path<'a, P: Presentation> {
    puzzle: &'a P,
    rules: Rules<P>,
    actions: Vec<P::Action>,
    texts: Vec<String>,
    /// The start and the state after each action.
    states: Vec<P::State>,
}

impl<'a, P: Presentation> Path<'a, P> {
    pub(crate) fn new(puzzle: &'a P, rules: Rules<P>) -> Self {
        Self {
            puzzle,
            rules,
            actions: Vec::new(),
            texts: Vec::new(),
            states: vec![puzzle.initial_state()],
        }
    }

    fn state(&self) -> &P::State {
        // The start is never taken back.
        &self.states[self.states.len() - 1]
    }

    fn push(&mut self, action: P::Action) {
        self.texts.push(self.puzzle.action_text(&self.actions, action));
        let next = self.puzzle.apply(self.state(), action);
        self.actions.push(action);
        self.states.push(next);
    }
}

impl<P: Presentation> Game for Path<'_, P> {
    fn actions(&self) -> Vec<String> {
        let legal = self.puzzle.actions(self.state());
        legal.map(|action| self.puzzle.action_text(&self.actions, action)).collect()
    }

    fn apply(&mut self, index: usize) -> bool {
        let action = self.puzzle.actions(self.state()).nth(index);
        if let Some(action) = action {
            self.push(action);
        }
        action.is_some()
    }

    fn undo(&mut self) -> bool {
        if self.actions.pop().is_none() {
            return false;
        }
        self.texts.pop();
        self.states.pop();
        true
    }

    fn played(&self) -> &[String] {
        &self.texts
    }

    fn replay(&mut self, solution: &str) -> Result<(), ParseError> {
        let actions = self.puzzle.parse_solution(solution)?;
        self.actions.clear();
        self.texts.clear();
        self.states.truncate(1);
        for action in actions {
            self.push(action);
        }
        Ok(())
    }

    fn solution(&self) -> String {
        self.puzzle.solution_text(&self.actions)
    }

    fn text(&self) -> String {
        self.puzzle.state_text(self.state())
    }

    fn frame(&self, style: Style) -> Frame {
        let mut last = Frame { drawing: String::new(), action: None };
        let mut left = self.actions.len();
        self.puzzle.along(&self.actions, &mut |scene| {
            // Only the last state is drawn.
            if left == 0 {
                last = scene(style);
            }
            left = left.saturating_sub(1);
        });
        last
    }

    fn is_over(&self) -> bool {
        (self.rules.is_end)(self.puzzle, self.state())
    }

    fn value(&self) -> i64 {
        (self.rules.value)(self.puzzle, &self.actions)
    }
}
