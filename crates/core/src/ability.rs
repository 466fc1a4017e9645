//! Optional abilities of a puzzle. An algorithm names those it needs in its bounds.

use crate::{
    puzzle::{GoalPuzzle, Puzzle},
    rng::Rng,
    search::Search,
};
use std::sync::Arc;
use thiserror::Error;

/// Every action can be undone by one action.
///
/// ```
/// # use unriddle_core::{Numbers, Puzzle};
/// # /// A dial with seven marks that is turned by 1 or 6, which is 1 back.
/// # struct Dial;
/// # #[derive(Clone, Copy)]
/// # struct Turns(u8);
/// # impl Iterator for Turns {
/// #     type Item = u8;
/// #     fn next(&mut self) -> Option<u8> {
/// #         let turn = [1, 6].get(usize::from(self.0)).copied();
/// #         self.0 += 1;
/// #         turn
/// #     }
/// # }
/// # impl Puzzle for Dial {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Turns;
/// #     fn initial_state(&self) -> u8 { 3 }
/// #     fn actions(&self, _: &u8) -> Turns { Turns(0) }
/// #     fn apply(&self, mark: &u8, turn: u8) -> u8 { (mark + turn) % 7 }
/// # }
/// use unriddle_core::Reversible;
///
/// // A dial with seven marks is turned by one, or back, which is by six.
/// impl Reversible for Dial {
///     fn inverse(&self, turn: u8) -> u8 {
///         7 - turn
///     }
/// }
///
/// let there = Dial.apply(&3, 6);
/// assert_eq!(Dial.apply(&there, Dial.inverse(6)), 3);
/// ```
pub trait Reversible: Puzzle {
    /// The action that leads back from `apply(s, action)` to `s`.
    fn inverse(&self, action: Self::Action) -> Self::Action;
}

/// The state space can be walked against its arrows.
///
/// ```
/// # use unriddle_core::{Numbers, Puzzle};
/// # struct Stairs(u8);
/// # impl Puzzle for Stairs {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Numbers;
/// #     fn initial_state(&self) -> u8 { self.0 }
/// #     fn actions(&self, stair: &u8) -> Numbers { Numbers::new(1, (*stair).min(2)) }
/// #     fn apply(&self, stair: &u8, steps: u8) -> u8 { stair - steps }
/// # }
/// # use unriddle_core::GoalPuzzle;
/// # impl GoalPuzzle for Stairs {
/// #     fn is_goal(&self, stair: &u8) -> bool { *stair == 0 }
/// # }
/// use unriddle_core::Backward;
///
/// // `Stairs` go down to 0 by one or two at a time.
/// impl Backward for Stairs {
///     fn predecessors(&self, stair: &u8, visit: &mut dyn FnMut(u8, u8)) {
///         for steps in [1, 2] {
///             visit(stair + steps, steps);
///         }
///     }
///     fn goal_states(&self) -> Vec<u8> {
///         vec![0]
///     }
/// }
///
/// let mut above = Vec::new();
/// Stairs(5).predecessors(&3, &mut |stair, steps| above.push((stair, steps)));
/// assert_eq!(above, [(4, 1), (5, 2)]);
/// ```
pub trait Backward: GoalPuzzle {
    /// Calls `visit(t, a)` for every state `t` and action `a` with `apply(t, a) = state`.
    fn predecessors(&self, state: &Self::State, visit: &mut dyn FnMut(Self::State, Self::Action));

    /// A step of a random walk back: one of the predecessors with the action that leads on from it,
    /// each as likely as any other. The one that takes `last`, the step before, back is left out.
    /// `None` if there is no other.
    fn step_back(
        &self,
        state: &Self::State,
        last: Option<Self::Action>,
        rng: &mut Rng,
    ) -> Option<(Self::State, Self::Action)> {
        let mut before = Vec::new();
        self.predecessors(state, &mut |other, action| {
            // The state that we come from is a predecessor, too.
            if last.is_none_or(|last| !self.is_inverse(action, last)) {
                before.push((other, action));
            }
        });
        let chosen = rng.below(before.len() as u64) as usize;
        before.into_iter().nth(chosen)
    }

    /// All goal states, or a representative few where they are too many to list (the puzzle's
    /// documentation says which).
    fn goal_states(&self) -> Vec<Self::State>;
}

/// States have consecutive numbers.
///
/// ```
/// # use unriddle_core::{Numbers, Puzzle};
/// # struct Stairs(u8);
/// # impl Puzzle for Stairs {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Numbers;
/// #     fn initial_state(&self) -> u8 { self.0 }
/// #     fn actions(&self, stair: &u8) -> Numbers { Numbers::new(1, (*stair).min(2)) }
/// #     fn apply(&self, stair: &u8, steps: u8) -> u8 { stair - steps }
/// # }
/// use unriddle_core::Ranked;
///
/// // Stairs have numbers from 0 to that of the start.
/// impl Ranked for Stairs {
///     fn ranks(&self) -> u64 {
///         u64::from(self.0) + 1
///     }
///     fn rank(&self, stair: &u8) -> u64 {
///         u64::from(*stair)
///     }
///     fn unrank(&self, rank: u64) -> Option<u8> {
///         u8::try_from(rank).ok().filter(|&stair| stair <= self.0)
///     }
/// }
///
/// let puzzle = Stairs(5);
/// assert_eq!((puzzle.unrank(puzzle.rank(&4)), puzzle.unrank(6)), (Some(4), None));
/// ```
pub trait Ranked: Puzzle {
    /// How many ranks there are.
    fn ranks(&self) -> u64;
    /// The rank of a state, below [`ranks`](Self::ranks).
    fn rank(&self, state: &Self::State) -> u64;
    /// The state of a rank; `None` where the rank is out of range or belongs to no legal state.
    fn unrank(&self, rank: u64) -> Option<Self::State>;
}

/// The state space has symmetries that keep distances to the goal.
///
/// After canonicalising, actions no longer refer to the original state: a path of representatives is
/// rebuilt by replay, looking at each step for an action whose result has the next representative.
///
/// ```
/// # use unriddle_core::{Numbers, Puzzle};
/// # /// A dial with seven marks that is turned by 1 or 6, which is 1 back.
/// # struct Dial;
/// # #[derive(Clone, Copy)]
/// # struct Turns(u8);
/// # impl Iterator for Turns {
/// #     type Item = u8;
/// #     fn next(&mut self) -> Option<u8> {
/// #         let turn = [1, 6].get(usize::from(self.0)).copied();
/// #         self.0 += 1;
/// #         turn
/// #     }
/// # }
/// # impl Puzzle for Dial {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Turns;
/// #     fn initial_state(&self) -> u8 { 3 }
/// #     fn actions(&self, _: &u8) -> Turns { Turns(0) }
/// #     fn apply(&self, mark: &u8, turn: u8) -> u8 { (mark + turn) % 7 }
/// # }
/// use unriddle_core::Symmetric;
///
/// // Marks of a dial that are as far from 0 on either side.
/// impl Symmetric for Dial {
///     fn canonical(&self, mark: &u8) -> u8 {
///         (*mark).min((7 - mark) % 7)
///     }
/// }
///
/// assert_eq!(Dial.canonical(&2), Dial.canonical(&5));
/// ```
pub trait Symmetric: Puzzle {
    /// The representative of the state's orbit: equal for two states exactly if they are symmetric.
    fn canonical(&self, state: &Self::State) -> Self::State;
}

/// Which states are near a state, for shortening a path: a shorter one is looked for among the states near it.
///
/// States are known by keys of 64 bits. Two states with the same key are both near, or neither is; what a key leaves out (where a
/// player stands) is free. Keys that are equal by chance let a search look at more states, and do no harm otherwise.
///
/// ```
/// # use unriddle_core::{Numbers, Puzzle};
/// # struct Stairs(u8);
/// # impl Puzzle for Stairs {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Numbers;
/// #     fn initial_state(&self) -> u8 { self.0 }
/// #     fn actions(&self, stair: &u8) -> Numbers { Numbers::new(1, (*stair).min(2)) }
/// #     fn apply(&self, stair: &u8, steps: u8) -> u8 { stair - steps }
/// # }
/// use unriddle_core::Vicinity;
///
/// /// Stairs that are one up or down, and with the second size two.
/// struct Around;
///
/// impl Vicinity<Stairs> for Around {
///     fn sizes(&self) -> u32 {
///         2
///     }
///     fn key(&self, stair: &u8) -> u64 {
///         u64::from(*stair)
///     }
///     fn near(&self, stair: &u8, size: u32, keys: &mut Vec<u64>) {
///         let stair = u64::from(*stair);
///         let reach = u64::from(size) + 1;
///         keys.extend(stair.saturating_sub(reach)..=stair + reach);
///     }
/// }
///
/// let mut keys = Vec::new();
/// Around.near(&5, 0, &mut keys);
/// assert_eq!(keys, [4, 5, 6]);
/// ```
pub trait Vicinity<P: Puzzle>: Send + Sync {
    /// How many sizes there are, each with more states than the one before.
    fn sizes(&self) -> u32;

    /// The key of a state.
    fn key(&self, state: &P::State) -> u64;

    /// The key of the state that a legal action leads to, given that of the state; for puzzles that know it without the state that
    /// comes of it.
    fn key_after(&self, puzzle: &P, state: &P::State, key: u64, action: P::Action) -> u64 {
        let _ = key;
        self.key(&puzzle.apply(state, action))
    }

    /// Adds the keys of the states near a state by a size below [`sizes`](Self::sizes), its own among them. A key may come up more
    /// than once, and need not be one of a state that can be reached.
    fn near(&self, state: &P::State, size: u32, keys: &mut Vec<u64>);

    /// A search of the puzzle's own for the cheapest path through a window among the states whose keys are near, where it has a faster
    /// one than breadth-first search over states. It ends with that path, or without one if none costs less than asked for.
    fn search<'p>(
        &self,
        puzzle: &'p P,
        window: &Window<P::State>,
        near: Arc<dyn NearKeys>,
    ) -> Option<Box<dyn Search<Action = P::Action> + 'p>> {
        let _ = (puzzle, window, near);
        None
    }
}

/// A part of a path that is to become cheaper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window<S> {
    /// The state in which it begins.
    pub from: S,
    /// The state in which it ends; `None` for any goal.
    pub end: Option<S>,
    /// What it costs: paths of this cost or more are of no use.
    pub below: u32,
}

/// The keys of all states that are near a window, numbered.
pub trait NearKeys: Send + Sync {
    /// The number of a key, below [`numbers`](Self::numbers); `None` if its states are not near.
    fn number(&self, key: u64) -> Option<usize>;

    /// An upper bound of the numbers. Not all below it are in use.
    fn numbers(&self) -> usize;
}

/// The input of a network as *active indices* of one-hot groups, never as a dense vector.
///
/// ```
/// # use unriddle_core::{Numbers, Puzzle};
/// # /// A dial with seven marks that is turned by 1 or 6, which is 1 back.
/// # struct Dial;
/// # #[derive(Clone, Copy)]
/// # struct Turns(u8);
/// # impl Iterator for Turns {
/// #     type Item = u8;
/// #     fn next(&mut self) -> Option<u8> {
/// #         let turn = [1, 6].get(usize::from(self.0)).copied();
/// #         self.0 += 1;
/// #         turn
/// #     }
/// # }
/// # impl Puzzle for Dial {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Turns;
/// #     fn initial_state(&self) -> u8 { 3 }
/// #     fn actions(&self, _: &u8) -> Turns { Turns(0) }
/// #     fn apply(&self, mark: &u8, turn: u8) -> u8 { (mark + turn) % 7 }
/// # }
/// use unriddle_core::Features;
///
/// // One index for each mark of a dial.
/// impl Features for Dial {
///     fn feature_len(&self) -> usize {
///         7
///     }
///     fn active(&self, mark: &u8, sink: &mut dyn FnMut(u32)) {
///         sink(u32::from(*mark));
///     }
/// }
///
/// let mut changes = Vec::new();
/// Dial.delta(&6, 1, &mut |index, on| changes.push((index, on)));
/// assert_eq!(changes, [(6, false), (0, true)]);
/// ```
pub trait Features: Puzzle {
    /// Length of the one-hot vector.
    fn feature_len(&self) -> usize;

    /// Calls `sink` with every active index of `state`, each below [`feature_len`](Self::feature_len).
    fn active(&self, state: &Self::State, sink: &mut dyn FnMut(u32));

    /// Calls `sink(index, true)` for every index that becomes active by `action`, and
    /// `sink(index, false)` for every one that ceases to be, so that first-layer sums can be
    /// updated. The default compares the active indices of the two states.
    fn delta(&self, state: &Self::State, action: Self::Action, sink: &mut dyn FnMut(u32, bool)) {
        let active = |state: &Self::State| {
            let mut indices = Vec::new();
            self.active(state, &mut |index| indices.push(index));
            indices
        };
        let (before, after) = (active(state), active(&self.apply(state, action)));
        let gone = before.iter().filter(|index| !after.contains(index));
        gone.for_each(|&index| sink(index, false));
        let come = after.iter().filter(|index| !before.contains(index));
        come.for_each(|&index| sink(index, true));
    }
}

/// Why a text was refused, and where.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseError {
    /// 1-based line.
    pub line: usize,
    /// 1-based column, in characters.
    pub column: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl ParseError {
    /// An error at a 1-based line and column.
    #[must_use]
    pub fn at(line: usize, column: usize, message: impl Into<String>) -> Self {
        Self { line, column, message: message.into() }
    }
}

/// The puzzle's text of states and solutions.
///
/// ```
/// # use unriddle_core::{Numbers, Puzzle};
/// # struct Stairs(u8);
/// # impl Puzzle for Stairs {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Numbers;
/// #     fn initial_state(&self) -> u8 { self.0 }
/// #     fn actions(&self, stair: &u8) -> Numbers { Numbers::new(1, (*stair).min(2)) }
/// #     fn apply(&self, stair: &u8, steps: u8) -> u8 { stair - steps }
/// # }
/// use unriddle_core::{Notation, ParseError, text};
///
/// impl Notation for Stairs {
///     fn state_text(&self, stair: &u8) -> String {
///         stair.to_string()
///     }
///     fn solution_text(&self, steps: &[u8]) -> String {
///         let words: Vec<String> = steps.iter().map(u8::to_string).collect();
///         words.join(" ")
///     }
///     fn parse_solution(&self, solution: &str) -> Result<Vec<u8>, ParseError> {
///         text::read(solution, |word| match word {
///             "1" => Ok(1),
///             "2" => Ok(2),
///             _ => Err("expected 1 or 2".to_owned()),
///         })
///     }
/// }
///
/// let puzzle = Stairs(5);
/// assert_eq!(puzzle.parse_solution(&puzzle.solution_text(&[2, 1, 2])), Ok(vec![2, 1, 2]));
/// let wrong = puzzle.parse_solution("2 3").unwrap_err();
/// assert_eq!(wrong.to_string(), "line 1, column 3: expected 1 or 2, found `3`");
/// ```
pub trait Notation: Puzzle {
    /// The state as one line (or more) that the puzzle's loader reads back.
    fn state_text(&self, state: &Self::State) -> String;

    /// A sequence of actions from the start, in the puzzle's standard notation.
    fn solution_text(&self, actions: &[Self::Action]) -> String;

    /// The solution that the text of a solution stands for, where the notation leaves actions out and may
    /// so come to others; `None` if it is the same.
    fn as_written(&self, actions: &[Self::Action]) -> Option<Vec<Self::Action>> {
        let _ = actions;
        None
    }

    /// Reads a sequence of actions from the start back; every action is legal where it stands.
    ///
    /// # Errors
    /// Says where the first unreadable or illegal action stands.
    fn parse_solution(&self, text: &str) -> Result<Vec<Self::Action>, ParseError>;
}
