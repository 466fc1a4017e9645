//! Playing a score puzzle to its end, at random or by a policy.

use crate::{
    info::{Info, Role},
    options,
    options::Options,
    puzzle::{Puzzle, Score, ScorePuzzle},
    rng::Rng,
};
use std::fmt::Debug;

/// A way to play a score puzzle from any state to the end.
///
/// The same generator in the same state gives the same game.
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
/// # use unriddle_core::{Score, ScorePuzzle};
/// # impl ScorePuzzle for Stairs {
/// #     fn reward(&self, stair: &u8, steps: u8) -> Score { Score::from(stair % 3) * Score::from(steps) }
/// # }
/// use unriddle_core::{Playout, Rng};
///
/// /// Always one stair at a time.
/// struct Slow;
///
/// impl Playout<Stairs> for Slow {
///     fn play(&self, puzzle: &Stairs, from: &u8, _: &mut Rng, actions: &mut Vec<u8>) -> Score {
///         let mut score = 0;
///         for stair in (1..=*from).rev() {
///             score += puzzle.reward(&stair, 1);
///             actions.push(1);
///         }
///         score
///     }
/// }
///
/// let mut actions = Vec::new();
/// let score = Slow.play(&Stairs(5), &5, &mut Rng::new(1), &mut actions);
/// assert_eq!((score, actions), (2 + 1 + 0 + 2 + 1, vec![1; 5]));
/// ```
pub trait Playout<P: ScorePuzzle>: Send + Sync + 'static {
    /// Plays to a terminal state, appends the actions, and gives what they earn, terminal bonus included.
    fn play(
        &self,
        puzzle: &P,
        state: &P::State,
        rng: &mut Rng,
        actions: &mut Vec<P::Action>,
    ) -> Score;
}

/// Plays from a state until nothing is chosen, appends the actions, and gives what they earn with the terminal
/// bonus.
fn play_by<P: ScorePuzzle>(
    puzzle: &P,
    state: &P::State,
    actions: &mut Vec<P::Action>,
    mut choose: impl FnMut(&P::State) -> Option<P::Action>,
) -> Score {
    let mut state = *state;
    let mut score = 0;
    while let Some(action) = choose(&state) {
        score += puzzle.reward(&state, action);
        state = puzzle.apply(&state, action);
        actions.push(action);
    }
    score + puzzle.terminal_bonus(&state)
}

/// A legal action, each with the same probability; `None` where there is none.
fn any<P: ScorePuzzle>(puzzle: &P, state: &P::State, rng: &mut Rng) -> Option<P::Action> {
    let mut legal = puzzle.actions(state);
    legal.nth(rng.below(legal.count() as u64) as usize)
}

/// Every legal action with the same probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uniform;

impl<P: ScorePuzzle> Playout<P> for Uniform {
    fn play(
        &self,
        puzzle: &P,
        state: &P::State,
        rng: &mut Rng,
        actions: &mut Vec<P::Action>,
    ) -> Score {
        play_by(puzzle, state, actions, |state| any(puzzle, state, rng))
    }
}

/// Every legal action with the same probability, as [`Uniform`], but listed in a [`Menu`]: faster where
/// the puzzle keeps a menu up to date along a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UniformByMenu;

impl<P: Coded> Playout<P> for UniformByMenu {
    fn play(
        &self,
        puzzle: &P,
        state: &P::State,
        rng: &mut Rng,
        actions: &mut Vec<P::Action>,
    ) -> Score {
        let mut menu = MenuOf::<P>::new(*state);
        puzzle.list(&mut menu);
        let mut score = 0;
        while !menu.live.is_empty() {
            let choice = rng.below(menu.live.len() as u64) as usize;
            let action = menu.entries[menu.live[choice] as usize].action;
            score += puzzle.reward(&menu.state, action);
            actions.push(action);
            puzzle.follow(&mut menu, choice);
        }
        score + puzzle.terminal_bonus(&menu.state)
    }
}

/// Declaration of [`Greedy`].
pub const GREEDY: Info = Info {
    name: "greedy",
    role: Role::Playout,
    version: 1,
    summary: "the action of the highest reward",
    guarantee: "",
    requires: "any score puzzle",
    reference: "",
    parameters: Greedy::PARAMETERS,
};

options! {
    /// The action of the highest reward, the first among equals; with a small probability any other.
    #[derive(Copy)]
    pub struct Greedy of GREEDY {
        /// 0 uses no random numbers.
        epsilon: f64 = "0" in 0.0..=1.0, "probability of any legal action instead";
    }
}

impl<P: ScorePuzzle> Playout<P> for Greedy {
    fn play(
        &self,
        puzzle: &P,
        state: &P::State,
        rng: &mut Rng,
        actions: &mut Vec<P::Action>,
    ) -> Score {
        play_by(puzzle, state, actions, |state| {
            if self.epsilon > 0.0 && rng.unit() < self.epsilon {
                return any(puzzle, state, rng);
            }
            puzzle
                .actions(state)
                .map(|action| (action, puzzle.reward(state, action)))
                .reduce(|best, next| if next.1 > best.1 { next } else { best })
                .map(|(action, _)| action)
        })
    }
}

/// Keeps play-outs from actions that seldom pay, unless nothing better is left: a selective policy
/// (T. Cazenave 2016, Nested rollout policy adaptation with selective policies, CGW).
///
/// Every legal action has a tier, and a play-out chooses among those of the lowest tier that is there. A
/// filter with two answers says 0 for what is allowed and 1 for what is tabu; more tiers say which tabu is
/// to be broken first.
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
/// # use unriddle_core::{Score, ScorePuzzle};
/// # impl ScorePuzzle for Stairs {
/// #     fn reward(&self, stair: &u8, steps: u8) -> Score { Score::from(stair % 3) * Score::from(steps) }
/// # }
/// use unriddle_core::{Filtered, Playout, Rng, Selective};
///
/// /// Two stairs at a time are tabu.
/// struct NoHaste;
///
/// impl Selective<Stairs> for NoHaste {
///     type Memo = ();
///
///     fn begin(&self, _: &Stairs, _: &u8, _: u64) {}
///     fn tier(&self, _: &Stairs, _: &u8, steps: u8, _: usize, (): &mut ()) -> u8 {
///         u8::from(steps == 2)
///     }
/// }
///
/// let mut actions = Vec::new();
/// Filtered(NoHaste).play(&Stairs(5), &5, &mut Rng::new(1), &mut actions);
/// assert_eq!(actions, [1; 5]);
/// ```
pub trait Selective<P: ScorePuzzle>: Send + Sync + 'static {
    /// What is known of one play-out, made at its first state (the most frequent colour, for one).
    type Memo: Clone + Debug + Send + Sync + 'static;

    /// A play-out begins at `state`. `run` counts the restarts of the search that asks: a filter may
    /// try another tabu in each, but within a run it should say the same of the same state, lest what a
    /// policy learns turns stale.
    fn begin(&self, puzzle: &P, state: &P::State, run: u64) -> Self::Memo;

    /// The tier of a legal action, `depth` actions after the play-out's first state.
    fn tier(
        &self,
        puzzle: &P,
        state: &P::State,
        action: P::Action,
        depth: usize,
        memo: &mut Self::Memo,
    ) -> u8;
}

/// No action is tabu.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unfiltered;

impl<P: ScorePuzzle> Selective<P> for Unfiltered {
    type Memo = ();

    fn begin(&self, _: &P, _: &P::State, _: u64) -> Self::Memo {}

    #[inline(always)]
    fn tier(&self, _: &P, _: &P::State, _: P::Action, _: usize, (): &mut ()) -> u8 {
        0
    }
}

/// Every action of the lowest tier with the same probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filtered<S>(pub S);

impl<P: ScorePuzzle, S: Selective<P>> Playout<P> for Filtered<S> {
    fn play(
        &self,
        puzzle: &P,
        state: &P::State,
        rng: &mut Rng,
        actions: &mut Vec<P::Action>,
    ) -> Score {
        let mut memo = self.0.begin(puzzle, state, 0);
        let mut kept = Vec::new();
        let mut depth = 0;
        play_by(puzzle, state, actions, |state| {
            let mut lowest = u8::MAX;
            kept.clear();
            for action in puzzle.actions(state) {
                let tier = self.0.tier(puzzle, state, action, depth, &mut memo);
                if tier < lowest {
                    lowest = tier;
                    kept.clear();
                }
                if tier == lowest {
                    kept.push(action);
                }
            }
            depth += 1;
            match kept.len() {
                0 => None,
                n => Some(kept[rng.below(n as u64) as usize]),
            }
        })
    }
}

/// Every action has a code that stands for it wherever it may be played: what a policy learns about
/// (Rosin 2011, Nested rollout policy adaptation for Monte Carlo tree search, IJCAI).
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
/// # use unriddle_core::{Score, ScorePuzzle};
/// # impl ScorePuzzle for Stairs {
/// #     fn reward(&self, stair: &u8, steps: u8) -> Score { Score::from(stair % 3) * Score::from(steps) }
/// # }
/// use unriddle_core::{Coded, playout::Menu};
///
/// impl Coded for Stairs {
///     type Shape = ();
///
///     /// The same steps from the same stair.
///     fn code(&self, stair: &u8, steps: u8) -> u64 {
///         u64::from(*stair) << 8 | u64::from(steps)
///     }
/// }
///
/// let puzzle = Stairs(5);
/// let mut menu = Menu::new(5);
/// puzzle.list(&mut menu);
/// assert_eq!(menu.live.len(), 2);
/// // Two stairs down.
/// puzzle.follow(&mut menu, 1);
/// assert_eq!(menu.state, 3);
/// ```
pub trait Coded: ScorePuzzle {
    /// What a [`Menu`] keeps of an action so that the next one is quick to list; `()` for nothing.
    type Shape: Copy + Debug + Default + Send;

    /// The code of a legal action: equal for what counts as the same action in other states.
    fn code(&self, state: &Self::State, action: Self::Action) -> u64;

    /// What is added to the action's logit whatever was learned (generalised NRPA); 0 unless said
    /// otherwise.
    fn bias(&self, state: &Self::State, action: Self::Action) -> f32 {
        let _ = (state, action);
        0.0
    }

    /// The entry of a legal action, with the default shape.
    fn entry(&self, state: &Self::State, action: Self::Action) -> EntryOf<Self> {
        Entry {
            action,
            code: self.code(state, action),
            bias: self.bias(state, action),
            shape: Self::Shape::default(),
        }
    }

    /// Lists the legal actions of the menu's state, all as new entries.
    fn list(&self, menu: &mut MenuOf<Self>) {
        menu.live.clear();
        let state = menu.state;
        for action in self.actions(&state) {
            menu.push(self.entry(&state, action));
        }
    }

    /// Plays a legal action, given as its place in `live`, and brings the menu up to date. An entry may stay
    /// only while its action, code and bias do.
    fn follow(&self, menu: &mut MenuOf<Self>, choice: usize) {
        let entry = &menu.entries[menu.live[choice] as usize];
        menu.state = self.apply(&menu.state, entry.action);
        self.list(menu);
    }
}

/// The menu of a puzzle.
pub type MenuOf<P> = Menu<<P as Puzzle>::State, <P as Puzzle>::Action, <P as Coded>::Shape>;

/// An entry of a puzzle's menu.
pub type EntryOf<P> = Entry<<P as Puzzle>::Action, <P as Coded>::Shape>;

/// An action that was legal somewhere on a line of play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry<A, X> {
    /// The action.
    pub action: A,
    /// Its code.
    pub code: u64,
    /// Its bias.
    pub bias: f32,
    /// What the puzzle keeps of it.
    pub shape: X,
}

/// The legal actions along a line of play; [`Coded::list`] begins it. Actions that stay legal keep
/// their entries, so that what is known of an entry (its logit, for one) is looked up only once.
#[derive(Debug)]
pub struct Menu<S, A, X> {
    /// Where the line has come to.
    pub state: S,
    /// All entries of the line so far.
    pub entries: Vec<Entry<A, X>>,
    /// The entries that are legal in the state.
    pub live: Vec<u32>,
}

impl<S: Clone, A: Clone, X: Clone> Clone for Menu<S, A, X> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone(), entries: self.entries.clone(), live: self.live.clone() }
    }

    /// Keeps the buffers.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.state.clone_from(&source.state);
        self.entries.clone_from(&source.entries);
        self.live.clone_from(&source.live);
    }
}

impl<S, A, X> Menu<S, A, X> {
    /// A menu without entries.
    #[must_use]
    pub fn new(state: S) -> Self {
        Self { state, entries: Vec::new(), live: Vec::new() }
    }

    /// Adds a legal action.
    #[inline]
    pub fn push(&mut self, entry: Entry<A, X>) {
        self.live.push(self.entries.len() as u32);
        self.entries.push(entry);
    }

    /// Bytes that it holds.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> u64 {
        let entries = self.entries.capacity() * size_of::<Entry<A, X>>();
        (entries + self.live.capacity() * size_of::<u32>()) as u64
    }
}
