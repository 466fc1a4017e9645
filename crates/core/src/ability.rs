//! Optional abilities of a puzzle. An algorithm names the abilities that it needs in its bounds.

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
/// # use unriddle_core::Puzzle;
/// # unriddle_core::toy!(Dial);
/// use unriddle_core::Reversible;
///
/// // A dial with seven marks is turned by 1, or by 6, which is 1 back.
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

/// Predecessors of a state are known.
///
/// ```
/// # use unriddle_core::{GoalPuzzle, Puzzle};
/// # unriddle_core::toy!(Stairs: GoalPuzzle);
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

    /// A step of a random walk away from the goal: a random predecessor, each as likely as any
    /// other, with the action from the predecessor to `state`. The predecessor from which the walk
    /// came by `last`, the action of the previous step, is left out. `None` if no predecessor is
    /// left.
    fn step_back(
        &self,
        state: &Self::State,
        last: Option<Self::Action>,
        rng: &mut Rng,
    ) -> Option<(Self::State, Self::Action)> {
        let mut before = Vec::new();
        self.predecessors(state, &mut |other, action| {
            // The state from which the walk came is a predecessor as well.
            if last.is_none_or(|last| !self.is_inverse(action, last)) {
                before.push((other, action));
            }
        });
        let chosen = rng.below(before.len() as u64) as usize;
        before.into_iter().nth(chosen)
    }

    /// All goal states, or a few representatives if there are too many to list. The puzzle's
    /// documentation lists them.
    fn goal_states(&self) -> Vec<Self::State>;
}

/// States have consecutive numbers.
///
/// ```
/// # use unriddle_core::Puzzle;
/// # unriddle_core::toy!(Stairs);
/// use unriddle_core::Ranked;
///
/// // Stairs have the numbers from 0 to the number of the start.
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
    /// Number of ranks.
    fn ranks(&self) -> u64;
    /// The rank of a state, below [`ranks`](Self::ranks).
    fn rank(&self, state: &Self::State) -> u64;
    /// The state of a rank; `None` where the rank is out of range or belongs to no legal state.
    fn unrank(&self, rank: u64) -> Option<Self::State>;
}

/// The state space has symmetries that preserve distances to the goal.
///
/// Actions of a state do not apply to its representative. A search rebuilds a path of
/// representatives by replay: in each step it applies an action whose result has the next
/// representative.
///
/// ```
/// # use unriddle_core::Puzzle;
/// # unriddle_core::toy!(Dial);
/// use unriddle_core::Symmetric;
///
/// // Marks of a dial at the same distance from 0 on either side.
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

/// Neighbourhood of states, in which a search for a shorter path looks.
///
/// States have keys of 64 bits, and states with the same key are all near or all not. A key may
/// ignore a part of the state (the position of a player). Keys that are equal by chance make a
/// search look at more states, but its result stays correct.
///
/// ```
/// # use unriddle_core::Puzzle;
/// # unriddle_core::toy!(Stairs);
/// use unriddle_core::Vicinity;
///
/// /// Stairs within one step up or down, or within two with the second size.
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
    /// Number of sizes, each with more states than the previous size.
    fn sizes(&self) -> u32;

    /// The key of a state.
    fn key(&self, state: &P::State) -> u64;

    /// The key of the state after a legal action, given the key of the state before. Puzzles
    /// override this if they know the key without the new state.
    fn key_after(&self, puzzle: &P, state: &P::State, key: u64, action: P::Action) -> u64 {
        let _ = key;
        self.key(&puzzle.apply(state, action))
    }

    /// Adds the keys of the states near `state` with a size below [`sizes`](Self::sizes), including
    /// its own key. A key may be added more than once, and its states may be unreachable.
    fn near(&self, state: &P::State, size: u32, keys: &mut Vec<u64>);

    /// A search of the puzzle for the cheapest path through a window, among the states whose keys
    /// are near. Puzzles override this if they have a faster search than breadth-first search over
    /// states. The search ends with that path, or without a path if no path costs less than
    /// `window.below`.
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

/// Part of a path that a search is to make cheaper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window<S> {
    /// First state of the part.
    pub from: S,
    /// Last state of the part; `None` for any goal.
    pub end: Option<S>,
    /// Cost of the part: only cheaper paths are sought.
    pub below: u32,
}

/// Numbered keys of all states near a window.
pub trait NearKeys: Send + Sync {
    /// The number of a key, below [`numbers`](Self::numbers); `None` if its states are not near.
    fn number(&self, key: u64) -> Option<usize>;

    /// Upper bound of the numbers. Some numbers below it may be unused.
    fn numbers(&self) -> usize;
}

/// The input of a network as *active indices* of one-hot groups, never as a dense vector.
///
/// ```
/// # use unriddle_core::Puzzle;
/// # unriddle_core::toy!(Dial);
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

    /// Calls `sink` with each active index of `state`, below [`feature_len`](Self::feature_len).
    fn active(&self, state: &Self::State, sink: &mut dyn FnMut(u32));

    /// Appends each active index of `state`, in the order of [`active`](Self::active). Networks
    /// call it for every estimate; a puzzle that can list the indices faster overrides it.
    fn append_active(&self, state: &Self::State, to: &mut Vec<u32>) {
        self.active(state, &mut |index| to.push(index));
    }

    /// Calls `sink(index, true)` for each index that `action` activates, and `sink(index, false)`
    /// for each index that it deactivates, so that first-layer sums can be updated. The default
    /// compares the active indices of the two states.
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

/// Error of a parser, with its position in the text.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseError {
    /// 1-based line.
    pub line: usize,
    /// 1-based column, in characters.
    pub column: usize,
    /// Message: the found and the expected text.
    pub message: String,
}

impl ParseError {
    /// An error at a 1-based line and column.
    #[must_use]
    pub fn at(line: usize, column: usize, message: impl Into<String>) -> Self {
        Self { line, column, message: message.into() }
    }
}

/// Text of states and solutions.
///
/// ```
/// # use unriddle_core::Puzzle;
/// # unriddle_core::toy!(Stairs);
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

    /// The solution that a reader of `solution_text` reconstructs, if the notation omits actions
    /// and that solution may therefore differ. `None` if the solution is the same.
    fn as_written(&self, actions: &[Self::Action]) -> Option<Vec<Self::Action>> {
        let _ = actions;
        None
    }

    /// Reads a sequence of legal actions from the start.
    ///
    /// # Errors
    /// [`ParseError`] with the position of the first unreadable or illegal action.
    fn parse_solution(&self, text: &str) -> Result<Vec<Self::Action>, ParseError>;
}
