//! The positions of a line of play, each as an instance of its own.

use crate::{
    interface::{
        instance::{AnyPuzzle, Instance},
        values::{Aim, Style},
    },
    present::family::Family,
};
use unriddle_core::ParseError;

/// A position of a line.
struct Step {
    text: String,
    value: i64,
    is_end: bool,
    /// `None` at an end.
    instance: Option<Box<dyn Instance>>,
}

/// A line of play of an instance: the start, and the position after each action.
pub struct Line<'p> {
    puzzle: &'p dyn AnyPuzzle,
    aim: Aim,
    start: &'p dyn Instance,
    actions: Vec<String>,
    /// The line in the notation of records.
    solution: String,
    steps: Vec<Step>,
}

impl<'p> Line<'p> {
    /// Plays a text in the puzzle's notation of solutions. It need not end at a solution.
    ///
    /// # Errors
    /// The position at which the text is unreadable or illegal, and why; a puzzle without paths; or
    /// a position that is no instance of its own.
    pub fn read(
        family: &Family,
        puzzle: &'p dyn AnyPuzzle,
        start: &'p dyn Instance,
        text: &str,
    ) -> Result<Self, ParseError> {
        let no_path =
            || ParseError::at(1, 1, "solutions of this puzzle are not played step by step");
        let mut game = start.game().ok_or_else(no_path)?;
        game.replay(text)?;
        let (actions, solution) = (game.played().to_vec(), game.solution());
        let mut steps = Vec::with_capacity(actions.len() + 1);
        loop {
            let (text, is_end) = (game.text(), game.is_over());
            let instance = if is_end { None } else { Some(puzzle.load(&text)?) };
            steps.push(Step { text, value: game.value(), is_end, instance });
            if !game.undo() {
                break;
            }
        }
        steps.reverse();
        drop(game);
        Ok(Self { puzzle, aim: family.aim, start, actions, solution, steps })
    }

    /// Number of positions: one more than the number of actions.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "the start is always there")]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The position of an index as an instance; `None` if it is solved, or the game is over.
    #[must_use]
    pub fn instance(&self, at: usize) -> Option<&dyn Instance> {
        self.steps[at].instance.as_deref()
    }

    /// Spec of the puzzle.
    pub(super) fn puzzle(&self) -> String {
        self.puzzle.spec()
    }

    pub(super) fn unit(&self) -> &'static str {
        self.puzzle.unit()
    }

    pub(super) fn aim(&self) -> Aim {
        self.aim
    }

    /// Whether the line ends at a solution.
    pub(super) fn is_solved(&self) -> bool {
        self.steps.last().is_some_and(|step| step.is_end)
    }

    pub(super) fn is_end(&self, at: usize) -> bool {
        self.steps[at].is_end
    }

    /// Cost or score of the actions before a position.
    pub(super) fn value(&self, at: usize) -> i64 {
        self.steps[at].value
    }

    /// A position as text.
    pub(super) fn text(&self, at: usize) -> String {
        self.steps[at].text.clone()
    }

    /// The action that leads to a position.
    pub(super) fn action(&self, at: usize) -> Option<&str> {
        self.actions.get(at.checked_sub(1)?).map(String::as_str)
    }

    /// The value of the line to a position, continued by a solution of the position, and the first
    /// action of that solution. `None` if the solution is not one.
    pub(super) fn continued(&self, at: usize, solution: &str) -> Option<(i64, Option<String>)> {
        let position = self.instance(at)?;
        let mut game = position.game()?;
        game.replay(solution).ok()?;
        let texts = game.played().to_vec();
        while game.undo() {}
        let mut whole = self.start.game()?;
        whole.replay(&self.solution).ok()?;
        for _ in at..self.actions.len() {
            whole.undo();
        }
        let mut first = None;
        for text in &texts {
            // The same state has the same actions in the same order, but the texts may differ: the
            // text of a push contains the player's way to the box.
            let index = game.actions().iter().position(|action| action == text)?;
            if first.is_none() {
                first = Some(whole.actions().get(index)?.clone());
            }
            if !game.apply(index) || !whole.apply(index) {
                return None;
            }
        }
        whole.is_over().then(|| (whole.value(), first))
    }

    /// Drawings of all positions.
    pub(super) fn drawings(&self) -> Vec<String> {
        let frames = self.start.frames(&self.solution, Style::Svg).unwrap_or_default();
        frames.into_iter().map(|frame| frame.drawing).collect()
    }
}
