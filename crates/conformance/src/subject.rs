//! An instance under test.

use crate::Violation;
use std::fmt::Debug;
use unriddle_core::{Backward, Notation, Puzzle, Rng};

type Predecessors<P> =
    fn(&P, &<P as Puzzle>::State, &mut dyn FnMut(<P as Puzzle>::State, <P as Puzzle>::Action));

/// The goals of a puzzle.
type Goals<P> = fn(&P) -> Vec<<P as Puzzle>::State>;

/// An instance under test: its name in a [`Violation`], the notation of its states, and the extent
/// of the tests.
///
/// ```
/// use unriddle_conformance::{Subject, graph::Graph, puzzle};
/// use unriddle_core::Rng;
///
/// let graph = Graph::random(30, 3, 5, &mut Rng::new(1));
/// puzzle(&Subject::new(&graph).named("thirty nodes").steps(200).seed(7))?;
/// # Ok::<(), unriddle_conformance::Violation>(())
/// ```
pub struct Subject<'a, P: Puzzle> {
    pub(crate) puzzle: &'a P,
    name: Option<String>,
    state_text: fn(&P, &P::State) -> String,
    steps: usize,
    walks: u64,
    seed: u64,
    pub(crate) near: usize,
    /// The goals from which to walk back, and how; `None` where that is not known.
    pub(crate) back: Option<(Goals<P>, Predecessors<P>)>,
}

impl<'a, P: Puzzle> Subject<'a, P> {
    /// An instance whose states are written as `Debug` does.
    pub fn new(puzzle: &'a P) -> Self {
        Self {
            puzzle,
            name: None,
            state_text: |_, state| format!("{state:?}"),
            steps: 60,
            walks: 3,
            seed: 1,
            near: 4_000,
            back: None,
        }
    }

    /// An instance whose states are written in the puzzle's notation.
    pub fn written(puzzle: &'a P) -> Self
    where
        P: Notation,
    {
        Self { state_text: P::state_text, ..Self::new(puzzle) }
    }

    /// Sets the notation of states.
    #[cfg(feature = "catalog")]
    pub(crate) fn texts(self, state_text: fn(&P, &P::State) -> String) -> Self {
        Self { state_text, ..self }
    }

    /// Sets the name in violations. The default is the text of the initial state.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// Sets the number of steps of a random walk. The default is 60.
    #[must_use]
    pub fn steps(self, steps: usize) -> Self {
        Self { steps, ..self }
    }

    /// Sets the number of random walks from the start. The default is 3.
    #[must_use]
    pub fn walks(self, walks: u64) -> Self {
        Self { walks, ..self }
    }

    /// Sets the seed of random walks. The default is 1.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets the number of states near the goal (or near the start) whose distances are compared
    /// with estimates. The default is 4000.
    #[must_use]
    pub fn near(self, near: usize) -> Self {
        Self { near, ..self }
    }

    /// Computes distances backward from the goals, which reaches states near a goal in puzzles of
    /// any size. The default is forward from the start.
    #[must_use]
    pub fn backward(self) -> Self
    where
        P: Backward,
    {
        let predecessors: Predecessors<P> =
            |puzzle, state, visit| puzzle.predecessors(state, visit);
        Self { back: Some((P::goal_states, predecessors)), ..self }
    }

    /// A state as text.
    pub(crate) fn text(&self, state: &P::State) -> String {
        (self.state_text)(self.puzzle, state)
    }

    pub(crate) fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.text(&self.puzzle.initial_state()))
    }

    /// A broken promise of the instance.
    pub(crate) fn broken(&self, what: impl Into<String>) -> Violation {
        Violation::new(what).with("instance", self.name())
    }

    /// A broken promise at a state.
    pub(crate) fn at(&self, what: impl Into<String>, state: &P::State) -> Violation {
        self.broken(what).with("state", self.text(state))
    }

    /// A broken promise at an edge: a state, an action and the state that it leads to.
    pub(crate) fn edge(
        &self,
        what: impl Into<String>,
        state: &P::State,
        action: P::Action,
    ) -> Violation {
        let child = self.puzzle.apply(state, action);
        self.at(what, state).with_debug("action", action).with("child", self.text(&child))
    }

    /// Random walks from the start: of each the actions that were legal in turn.
    pub(crate) fn walked(&self) -> impl Iterator<Item = Walk<P>> + '_ {
        (0..self.walks).map(|index| {
            let mut rng = Rng::stream(self.seed, index);
            let mut walk = Walk { states: vec![self.puzzle.initial_state()], actions: Vec::new() };
            while walk.actions.len() < self.steps {
                let state = walk.states[walk.states.len() - 1];
                let Some(action) = any_action(self.puzzle, &state, &mut rng) else {
                    break;
                };
                walk.states.push(self.puzzle.apply(&state, action));
                walk.actions.push(action);
            }
            walk
        })
    }

    /// The states of all random walks.
    pub(crate) fn states(&self) -> impl Iterator<Item = P::State> + '_ {
        self.walked().flat_map(|walk| walk.states)
    }

    /// A generator of random numbers that belongs to this subject.
    pub(crate) fn rng(&self) -> Rng {
        Rng::stream(self.seed, u64::MAX)
    }
}

/// A walk from the start.
pub(crate) struct Walk<P: Puzzle> {
    /// The start and the state after each action.
    pub(crate) states: Vec<P::State>,
    pub(crate) actions: Vec<P::Action>,
}

/// A random legal action of a state, or `None` if there is no action.
pub(crate) fn any_action<P: Puzzle>(
    puzzle: &P,
    state: &P::State,
    rng: &mut Rng,
) -> Option<P::Action> {
    let count = puzzle.actions(state).count() as u64;
    if count == 0 { None } else { puzzle.actions(state).nth(rng.below(count) as usize) }
}

/// The violation unless `holds`.
pub(crate) fn hold(holds: bool, otherwise: impl FnOnce() -> Violation) -> Result<(), Violation> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// Two values in words, for a fact.
pub(crate) fn both(a: &impl Debug, b: &impl Debug) -> String {
    format!("{a:?} and {b:?}")
}
