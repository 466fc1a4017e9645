//! Paths of a puzzle: replays of solutions, and games.

use crate::{
    declare::listed::Presentation,
    interface::{
        board::{Solid, Spot, Touch, Turn},
        game::Game,
        values::{Frame, Style},
    },
};
use unriddle_core::{Notation, ParseError, Puzzle};

/// End and value of a path, which depend on the aim of its puzzle.
pub(crate) struct Rules<P: Presentation> {
    /// Whether a state is an end.
    pub(crate) is_end: fn(&P, &P::State) -> bool,
    /// Message about a last state that is not an end.
    pub(crate) missing: &'static str,
    /// The value of actions from the start.
    pub(crate) value: fn(&P, &[P::Action]) -> i64,
}

impl<P: Presentation> Rules<P> {
    /// Replays a solution: its value and the number of its actions.
    ///
    /// # Errors
    /// Errors of [`replayed`].
    pub(crate) fn replay(&self, puzzle: &P, solution: &str) -> Result<(i64, u64), String> {
        let is_end = |state: &_| (self.is_end)(puzzle, state);
        let actions = replayed(puzzle, solution, &is_end, self.missing)?;
        Ok(((self.value)(puzzle, &actions), actions.len() as u64))
    }
}

/// Replays the actions of a solution; each must be legal and the last state an end.
///
/// # Errors
/// The position of an unreadable text, the first illegal action, or `missing` if the last state is
/// not an end.
pub(crate) fn replayed<P: Puzzle + Notation>(
    puzzle: &P,
    solution: &str,
    is_end: &dyn Fn(&P::State) -> bool,
    missing: &str,
) -> Result<Vec<P::Action>, String> {
    let actions = puzzle.parse_solution(solution).map_err(|error| error.to_string())?;
    let mut state = puzzle.initial_state();
    for (i, &action) in actions.iter().enumerate() {
        check_legal(puzzle, &state, action, i, actions.len())?;
        state = puzzle.apply(&state, action);
    }
    if is_end(&state) {
        Ok(actions)
    } else {
        Err(format!("after {} actions {missing}", actions.len()))
    }
}

/// Checks that the action of an index among all actions is legal.
///
/// # Errors
/// The action and its number.
fn check_legal<P: Puzzle + Notation>(
    puzzle: &P,
    state: &P::State,
    action: P::Action,
    index: usize,
    all: usize,
) -> Result<(), String> {
    match puzzle.actions(state).any(|legal| legal == action) {
        true => Ok(()),
        false => Err(format!(
            "action {} of {all}, `{}`, is illegal",
            index + 1,
            puzzle.solution_text(&[action])
        )),
    }
}

/// The last action of a path and the states before and after it. States of several lines are
/// written on lines of their own.
pub(crate) fn edge_text<P: Presentation>(puzzle: &P, path: &[u32]) -> Option<String> {
    let mut state = puzzle.initial_state();
    let (mut played, mut before) = (Vec::new(), state);
    for &number in path {
        let action = puzzle.actions(&state).nth(number as usize)?;
        (before, state) = (state, puzzle.apply(&state, action));
        played.push(action);
    }
    let (&last, played) = played.split_last()?;
    let action = puzzle.action_text(played, last);
    let [before, after] = [before, state].map(|state| puzzle.state_text(&state));
    let number = path.len();
    Some(if before.contains('\n') || after.contains('\n') {
        format!("action {number} of a path, `{action}`, from\n{before}\nto\n{after}\n")
    } else {
        format!("action {number} of a path, `{action}`, from `{before}` to `{after}`")
    })
}

/// Game of a path puzzle.
pub(crate) struct PathGame<'a, P: Presentation> {
    puzzle: &'a P,
    rules: Rules<P>,
    actions: Vec<P::Action>,
    texts: Vec<String>,
    /// The initial state and the state after each action.
    states: Vec<P::State>,
}

impl<'a, P: Presentation> PathGame<'a, P> {
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
        // The initial state is never taken back.
        &self.states[self.states.len() - 1]
    }

    fn push(&mut self, action: P::Action) {
        self.texts.push(self.puzzle.action_text(&self.actions, action));
        let next = self.puzzle.apply(self.state(), action);
        self.actions.push(action);
        self.states.push(next);
    }
}

impl<P: Presentation> Game for PathGame<'_, P> {
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
        let mut state = self.puzzle.initial_state();
        for (i, &action) in actions.iter().enumerate() {
            check_legal(self.puzzle, &state, action, i, actions.len())
                .map_err(|why| ParseError::at(1, 1, why))?;
            state = self.puzzle.apply(&state, action);
        }
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

    fn spots(&self) -> Vec<Spot> {
        self.puzzle.spots(&self.actions, self.state())
    }

    fn touches(&self) -> Vec<Touch> {
        let state = self.state();
        let legal = self.puzzle.actions(state);
        legal.map(|action| self.puzzle.touch(&self.actions, state, action)).collect()
    }

    fn solid(&self) -> Option<Solid> {
        self.puzzle.solid(&self.actions, self.state())
    }

    fn turns(&self) -> Vec<Option<Turn>> {
        let state = self.state();
        self.puzzle.actions(state).map(|action| self.puzzle.turn(state, action)).collect()
    }

    fn is_over(&self) -> bool {
        (self.rules.is_end)(self.puzzle, self.state())
    }

    fn value(&self) -> i64 {
        (self.rules.value)(self.puzzle, &self.actions)
    }
}
