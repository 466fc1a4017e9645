//! Puzzles: immutable instances (rules and start) with packed `Copy` states.
//!
//! Two aims, two subtraits: [`GoalPuzzle`] minimises the cost to reach a goal, [`ScorePuzzle`]
//! maximises the reward until no action is left. An algorithm made for one aim does not compile on
//! the other; a score puzzle becomes a goal puzzle only through [`Regret`](crate::Regret).

use crate::error::SearchError;
use std::{fmt::Debug, hash::Hash};

/// Cost of an action or a path. Never negative.
pub type Cost = u32;
/// Reward or score. May be negative.
pub type Score = i64;

/// State: a plain packed value. Its identity is `Eq`, never its hash.
///
/// ```
/// #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
/// struct Board {
///     cells: u64,
///     blank: u8,
/// }
///
/// fn is_a_state<S: unriddle_core::State>(_: S) {}
/// is_a_state(Board { cells: 0x1234, blank: 3 });
/// ```
pub trait State: Copy + Eq + Hash + Debug + Send + Sync + 'static {}
impl<T: Copy + Eq + Hash + Debug + Send + Sync + 'static> State for T {}

/// Action: a plain small value, meaningful only together with the state to which it is applied.
///
/// ```
/// #[derive(Clone, Copy, PartialEq, Eq, Debug)]
/// enum Step {
///     Left,
///     Right,
/// }
///
/// fn is_an_action<A: unriddle_core::Action>(_: A) {}
/// is_an_action(Step::Left);
/// is_an_action(Step::Right);
/// ```
pub trait Action: Copy + Eq + Debug + Send + Sync + 'static {}
impl<T: Copy + Eq + Debug + Send + Sync + 'static> Action for T {}

/// A deterministic single-player puzzle instance: the rules and the start. Immutable and shared by
/// threads.
///
/// ```
/// use unriddle_core::{Numbers, Puzzle};
///
/// /// Down the stairs to 0, by one or two at a time.
/// struct Stairs(u8);
///
/// impl Puzzle for Stairs {
///     type State = u8;
///     type Action = u8;
///     type Actions = Numbers;
///
///     fn initial_state(&self) -> u8 {
///         self.0
///     }
///     fn actions(&self, stair: &u8) -> Numbers {
///         Numbers::new(1, (*stair).min(2))
///     }
///     fn apply(&self, stair: &u8, steps: u8) -> u8 {
///         stair - steps
///     }
/// }
///
/// let puzzle = Stairs(5);
/// let next: Vec<u8> = puzzle.actions(&5).map(|steps| puzzle.apply(&5, steps)).collect();
/// assert_eq!(next, [4, 3]);
/// ```
pub trait Puzzle: Send + Sync + 'static {
    /// A packed position.
    type State: State;
    /// A move.
    type Action: Action;
    /// A cursor over the legal actions of one state: a bit set or a fixed array. It is `Copy` so
    /// that a search can be suspended between two actions without an allocation.
    type Actions: Iterator<Item = Self::Action> + Copy + Send + Sync;

    /// The start.
    fn initial_state(&self) -> Self::State;

    /// All legal actions, in a fixed order.
    fn actions(&self, state: &Self::State) -> Self::Actions;

    /// The legal actions after `last` has led to `state`. An implementation may leave out actions
    /// for which [`is_inverse`](Self::is_inverse)`(last, ·)` holds, and only those actions; the
    /// default leaves out no action.
    fn actions_after(&self, state: &Self::State, last: Self::Action) -> Self::Actions {
        let _ = last;
        self.actions(state)
    }

    /// The state after a legal `action`. The result for an illegal action is unspecified.
    fn apply(&self, state: &Self::State, action: Self::Action) -> Self::State;

    /// Whether `next` directly after `last` always leads back to the state before `last`. Every
    /// search may prune such actions.
    fn is_inverse(&self, last: Self::Action, next: Self::Action) -> bool {
        let _ = (last, next);
        false
    }

    /// Whether *last, next* may be left out because another sequence with the same result and at
    /// most the same cost is kept: the other order of two independent actions, or one action
    /// instead of two (two turns of the same face of a cube).
    ///
    /// The kept sequence must precede *last, next* in an order in which replacing pairs always
    /// ends: it is cheaper, or as cheap and shorter, or as long and earlier by a fixed order of the
    /// actions. This is sound only in a tree search without a transposition table or closed list,
    /// which would lose optimal paths.
    fn commutes_after(&self, last: Self::Action, next: Self::Action) -> bool {
        let _ = (last, next);
        false
    }

    /// A *generic* state of each legality class, all of whose pieces are distinct; none by default.
    ///
    /// A puzzle has generic states if two things hold. The class of a state ([`legality_class`])
    /// decides which actions are legal, their costs and the classes to which they lead. And two
    /// sequences of actions that lead from a generic state to the same state do so from every state
    /// of its class. Examples are sliding tiles, whose class is the blank's cell, and puzzles of
    /// permutations, with one class. Depth-first searches then keep one of all sequences with the
    /// same effect.
    ///
    /// [`legality_class`]: Self::legality_class
    fn generic_states(&self) -> Vec<Self::State> {
        Vec::new()
    }

    /// The index of the state's class among [`generic_states`](Self::generic_states).
    fn legality_class(&self, state: &Self::State) -> usize {
        let _ = state;
        0
    }

    /// A number of the action, below 256, which no other action has. It is used only where there
    /// are [`generic_states`](Self::generic_states).
    fn action_code(&self, action: Self::Action) -> u8 {
        let _ = action;
        0
    }
}

/// Cursor over small numbers, for puzzles whose actions are numbers: `Numbers::new(2, 5)` yields 2,
/// 3, 4, 5. Unlike a range it is `Copy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    next: u16,
    last: u16,
}

impl Numbers {
    /// The numbers from `first` to `last`, inclusive; empty if `last` is smaller.
    #[must_use]
    pub fn new(first: u8, last: u8) -> Self {
        Self { next: first.into(), last: last.into() }
    }
}

impl Iterator for Numbers {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let next = (self.next <= self.last).then_some(self.next)?;
        self.next += 1;
        Some(next as u8)
    }
}

/// Cursor over the members of a bit set, in ascending order, for puzzles that compute their legal
/// actions as a bit set: of a `u64`, or of a `u128` for up to 128 actions.
///
/// ```
/// use unriddle_core::Bits;
///
/// let even = Bits(0b1_0101_u64);
/// assert_eq!(even.collect::<Vec<u8>>(), [0, 2, 4]);
/// assert_eq!(even.len(), 3);
/// assert_eq!(Bits(1_u128 << 127).collect::<Vec<u8>>(), [127]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits<T>(
    /// The members that are left.
    pub T,
);

/// Implements the cursor for a type of bit sets.
macro_rules! bits {
    ($($set:ty),+) => {$(
        impl Iterator for Bits<$set> {
            type Item = u8;

            #[inline]
            fn next(&mut self) -> Option<u8> {
                let member = self.0.trailing_zeros();
                // The lowest member is removed; an empty set stays empty.
                self.0 &= self.0.wrapping_sub(1);
                (member < <$set>::BITS).then_some(member as u8)
            }
            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                let count = self.0.count_ones() as usize;
                (count, Some(count))
            }
            #[inline]
            fn count(self) -> usize {
                self.0.count_ones() as usize
            }
        }

        impl ExactSizeIterator for Bits<$set> {}
    )+};
}
bits!(u64, u128);

/// Minimise the total cost of a path to a goal.
///
/// ```
/// # use unriddle_core::Puzzle;
/// # unriddle_core::toy!(Stairs);
/// use unriddle_core::{Cost, GoalPuzzle, Solution};
///
/// impl GoalPuzzle for Stairs {
///     fn is_goal(&self, stair: &u8) -> bool {
///         *stair == 0
///     }
///     /// Two stairs at once are an effort.
///     fn action_cost(&self, _: &u8, steps: u8) -> Cost {
///         if steps == 2 { 3 } else { 1 }
///     }
/// }
///
/// assert_eq!(Solution::played(&Stairs(5), vec![2, 1, 2]).value, 7);
/// ```
pub trait GoalPuzzle: Puzzle {
    /// Whether the state is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Cost of a legal action; 1 by default.
    fn action_cost(&self, state: &Self::State, action: Self::Action) -> Cost {
        let _ = (state, action);
        1
    }

    /// Error of the puzzle that a search has revealed (an inconsistent upper bound in
    /// [`Regret`](crate::Regret)). The driver asks after every slice of work and ends the run with
    /// it.
    fn fault(&self) -> Option<SearchError> {
        None
    }
}

/// Maximise the total reward until no action is left.
///
/// Every line of actions should end. A search gives up a line without an end only at the limits of
/// its memory and time, and then has no solution. Scores beyond 64 bits are errors.
///
/// ```
/// # use unriddle_core::Puzzle;
/// # unriddle_core::toy!(Stairs);
/// use unriddle_core::{Score, ScorePuzzle, Solution};
///
/// impl ScorePuzzle for Stairs {
///     /// The value of the stair that is left.
///     fn reward(&self, stair: &u8, _: u8) -> Score {
///         Score::from(stair % 3)
///     }
///     fn terminal_bonus(&self, _: &u8) -> Score {
///         10
///     }
/// }
///
/// assert_eq!(Solution::scored(&Stairs(5), vec![2, 1, 2]).value, 2 + 0 + 2 + 10);
/// ```
pub trait ScorePuzzle: Puzzle {
    /// Reward of a legal action; 1 by default.
    fn reward(&self, state: &Self::State, action: Self::Action) -> Score {
        let _ = (state, action);
        1
    }

    /// Bonus at a terminal state; may be negative.
    fn terminal_bonus(&self, state: &Self::State) -> Score {
        let _ = state;
        0
    }

    /// Whether no action is left.
    fn is_terminal(&self, state: &Self::State) -> bool {
        self.actions(state).next().is_none()
    }
}
