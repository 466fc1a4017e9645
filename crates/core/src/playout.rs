//! Playing a score puzzle to its end, at random or by a policy.

use crate::{
    info::{Info, Role},
    options,
    options::Options,
    puzzle::{Puzzle, Score, ScorePuzzle},
    rng::Rng,
};
use std::fmt::Debug;

/// Method to play a score puzzle from any state to the end.
///
/// A generator in the same state plays the same game.
///
/// ```
/// # use unriddle_core::{Puzzle, Score, ScorePuzzle};
/// # unriddle_core::toy!(Stairs: ScorePuzzle);
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
    /// Plays to a terminal state and appends the actions. Returns their reward, terminal bonus
    /// included.
    fn play(
        &self,
        puzzle: &P,
        state: &P::State,
        rng: &mut Rng,
        actions: &mut Vec<P::Action>,
    ) -> Score;

    /// Plays as [`play`](Self::play), but gives the game up and returns `None` if `continues`
    /// returns `false`. A play-out calls it after every [`CHECKED`] actions with the bytes of its
    /// memory, the actions included. The default never gives up: it is for games that always end
    /// soon.
    fn play_while(
        &self,
        puzzle: &P,
        state: &P::State,
        rng: &mut Rng,
        actions: &mut Vec<P::Action>,
        continues: Continues<'_>,
    ) -> Option<Score> {
        let _ = continues;
        Some(self.play(puzzle, state, rng, actions))
    }
}

/// Test whether a play-out continues, given the bytes of its memory.
pub type Continues<'c> = &'c mut dyn FnMut(u64) -> bool;

/// Number of actions after which a play-out asks whether it continues.
pub const CHECKED: usize = 1000;

/// Whether a play-out with further structures of `more` bytes continues; it may then append
/// [`CHECKED`] actions. While a vector grows, its old and its new buffer exist.
fn may_continue<A>(actions: &mut Vec<A>, more: u64, continues: Continues<'_>) -> bool {
    let held = actions.capacity();
    let grows = held - actions.len() < CHECKED;
    let items = if grows { held + (2 * held).max(actions.len() + CHECKED) } else { held };
    let continues = continues((items * size_of::<A>()) as u64 + more);
    if grows && continues {
        actions.reserve(CHECKED);
    }
    continues
}

/// Plays from a state until `choose` returns `None`, and appends the actions. Returns their reward
/// with the terminal bonus, or `None` if the game was given up.
fn play_by<P: ScorePuzzle>(
    puzzle: &P,
    state: &P::State,
    actions: &mut Vec<P::Action>,
    continues: Continues<'_>,
    mut choose: impl FnMut(&P::State) -> Option<P::Action>,
) -> Option<Score> {
    let mut state = *state;
    let mut score: Score = 0;
    loop {
        for _ in 0..CHECKED {
            let Some(action) = choose(&state) else {
                return Some(score.saturating_add(puzzle.terminal_bonus(&state)));
            };
            score = score.saturating_add(puzzle.reward(&state, action));
            state = puzzle.apply(&state, action);
            actions.push(action);
        }
        if !may_continue(actions, 0, continues) {
            return None;
        }
    }
}

/// Implements [`Playout`] by a body of [`Playout::play_while`].
macro_rules! playout {
    (|$self:ident, $puzzle:ident, $state:ident, $rng:ident, $actions:ident, $continues:ident|
        $body:expr) => {
        fn play(
            &self,
            puzzle: &P,
            state: &P::State,
            rng: &mut Rng,
            actions: &mut Vec<P::Action>,
        ) -> Score {
            let score = self.play_while(puzzle, state, rng, actions, &mut |_| true);
            score.unwrap_or_default()
        }

        fn play_while(
            &$self,
            $puzzle: &P,
            $state: &P::State,
            $rng: &mut Rng,
            $actions: &mut Vec<P::Action>,
            $continues: Continues<'_>,
        ) -> Option<Score> {
            $body
        }
    };
}

/// A random legal action, each with the same probability; `None` in a terminal state.
fn any<P: ScorePuzzle>(puzzle: &P, state: &P::State, rng: &mut Rng) -> Option<P::Action> {
    let mut legal = puzzle.actions(state);
    legal.nth(rng.below(legal.count() as u64) as usize)
}

/// Play-out in which all legal actions have the same probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uniform;

impl<P: ScorePuzzle> Playout<P> for Uniform {
    playout!(|self, puzzle, state, rng, actions, continues| {
        play_by(puzzle, state, actions, continues, |state| any(puzzle, state, rng))
    });
}

/// Like [`Uniform`], but with the legal actions listed in a [`Menu`]: faster if the puzzle updates
/// a menu along a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UniformByMenu;

impl<P: Coded> Playout<P> for UniformByMenu {
    playout!(|self, puzzle, state, rng, actions, continues| {
        let mut menu = MenuOf::<P>::new(*state);
        puzzle.list(&mut menu);
        let mut score: Score = 0;
        loop {
            for _ in 0..CHECKED {
                if menu.live.is_empty() {
                    return Some(score.saturating_add(puzzle.terminal_bonus(&menu.state)));
                }
                let choice = rng.below(menu.live.len() as u64) as usize;
                let action = menu.entries[menu.live[choice] as usize].action;
                score = score.saturating_add(puzzle.reward(&menu.state, action));
                actions.push(action);
                puzzle.follow(&mut menu, choice);
            }
            // The entries may double before the next check.
            if !may_continue(actions, 2 * menu.bytes(), continues) {
                return None;
            }
        }
    });
}

/// Declaration of [`Greedy`].
pub const GREEDY: Info = Info {
    requires: "any score puzzle",
    parameters: Greedy::PARAMETERS,
    ..Info::new(Role::Playout, "greedy", "the action of the highest reward")
};

options! {
    /// Play-out of the action with the highest reward, the first among equals; with a small
    /// probability any other action.
    #[derive(Copy)]
    pub struct Greedy of GREEDY {
        /// 0 uses no random numbers.
        epsilon: f64 = "0" in 0.0..=1.0, "probability of any legal action instead";
    }
}

impl<P: ScorePuzzle> Playout<P> for Greedy {
    playout!(|self, puzzle, state, rng, actions, continues| {
        play_by(puzzle, state, actions, continues, |state| {
            if self.epsilon > 0.0 && rng.unit() < self.epsilon {
                return any(puzzle, state, rng);
            }
            puzzle
                .actions(state)
                .map(|action| (action, puzzle.reward(state, action)))
                .reduce(|best, next| if next.1 > best.1 { next } else { best })
                .map(|(action, _)| action)
        })
    });
}

/// Selective policy: keeps play-outs from actions that seldom pay, unless no better action is left
/// (T. Cazenave 2016, Nested rollout policy adaptation with selective policies, CGW).
///
/// Every legal action has a tier, and a play-out chooses among the actions of the lowest tier
/// present. A filter with two tiers assigns 0 to allowed actions and 1 to tabu actions. Further
/// tiers order the tabus by which is broken first.
///
/// ```
/// # use unriddle_core::{Puzzle, Score, ScorePuzzle};
/// # unriddle_core::toy!(Stairs: ScorePuzzle);
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
    /// Data of one play-out, made at its first state (for example the most frequent colour).
    type Memo: Clone + Debug + Send + Sync + 'static;

    /// Begins a play-out at `state`. `run` counts the restarts of the search. A filter may use
    /// another tabu in each run; within a run it should return the same tiers for the same state,
    /// because a policy learns them.
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

/// Filter without tabus.
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

/// Play-out in which all actions of the lowest tier have the same probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filtered<S>(pub S);

impl<P: ScorePuzzle, S: Selective<P>> Playout<P> for Filtered<S> {
    playout!(|self, puzzle, state, rng, actions, continues| {
        let mut memo = self.0.begin(puzzle, state, 0);
        let mut kept = Vec::new();
        let mut depth = 0;
        play_by(puzzle, state, actions, continues, |state| {
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
    });
}

/// Ability: every action has a code that identifies it in all states. Policies learn about codes
/// (Rosin 2011, Nested rollout policy adaptation for Monte Carlo tree search, IJCAI).
///
/// ```
/// # use unriddle_core::{Puzzle, Score, ScorePuzzle};
/// # unriddle_core::toy!(Stairs: ScorePuzzle);
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
    /// Data of an action in a [`Menu`] that speed up listing the next actions; `()` for no data.
    type Shape: Copy + Debug + Default + Send;

    /// Code of a legal action: equal for actions that a policy treats as the same in different
    /// states.
    fn code(&self, state: &Self::State, action: Self::Action) -> u64;

    /// Bias that is added to the action's learned logit (generalised NRPA); 0 by default.
    fn bias(&self, state: &Self::State, action: Self::Action) -> f32 {
        let _ = (state, action);
        0.0
    }

    /// Entry of a legal action, with the default shape.
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

    /// Plays a legal action, given as its index in `live`, and updates the menu. An entry may stay
    /// only while its action, code and bias stay the same.
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
    /// Data of the puzzle.
    pub shape: X,
}

/// Legal actions along a line of play; [`Coded::list`] begins it. Actions that stay legal keep
/// their entries, so that a policy looks up the data of an entry (for example its logit) only once.
#[derive(Debug)]
pub struct Menu<S, A, X> {
    /// Current state of the line.
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

    /// Reuses the buffers.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.state.clone_from(&source.state);
        self.entries.clone_from(&source.entries);
        self.live.clone_from(&source.live);
    }
}

impl<S, A, X> Menu<S, A, X> {
    /// Creates a menu without entries.
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

    /// Bytes of the menu.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> u64 {
        let entries = self.entries.capacity() * size_of::<Entry<A, X>>();
        (entries + self.live.capacity() * size_of::<u32>()) as u64
    }
}
