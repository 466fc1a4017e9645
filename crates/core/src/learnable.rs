//! What training a network asks of a puzzle.

use crate::{
    ability::{Backward, Features, Notation},
    rng::Rng,
};
use std::fmt;

/// What a network is for: it estimates states of all instances with the same purpose, and of no others.
///
/// It stands in the header of a network's file, and is said in one place, [`Learnable::purpose`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Purpose {
    /// The puzzle's name.
    pub puzzle: String,
    /// Its size, as the puzzle writes it.
    pub size: String,
    /// The goal and whatever else decides what an estimate counts, a metric for example.
    pub goal: String,
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { puzzle, size, goal } = self;
        write!(f, "{puzzle} of size {size}, goal {goal}")
    }
}

/// A heuristic that is linear in the inputs of a network: where the linear part of a network may begin.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// The heuristic's name.
    pub name: &'static str,
    /// The weight of each index; an estimate is the sum of those of a state's active indices.
    pub weights: Vec<f32>,
}

/// A puzzle whose distances to the goal a network can learn.
///
/// A puzzle says here what its networks are for, how its inputs are arranged, and how states are made
/// at random; everything else about training is general. Random *instances* come from the puzzle's
/// generators, so that they are not declared a second time.
///
/// ```
/// # use unriddle_core::{Numbers, ParseError, Puzzle, text};
/// # /// A dial with seven marks that is turned by 1 or 6, which is 1 back.
/// # #[derive(Clone)]
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
/// #     fn is_inverse(&self, last: u8, next: u8) -> bool { last + next == 7 }
/// # }
/// # use unriddle_core::{Backward, Features, GoalPuzzle, Notation};
/// # impl GoalPuzzle for Dial {
/// #     fn is_goal(&self, mark: &u8) -> bool { *mark == 0 }
/// # }
/// # impl Backward for Dial {
/// #     fn predecessors(&self, mark: &u8, visit: &mut dyn FnMut(u8, u8)) {
/// #         for turn in [1, 6] {
/// #             visit((mark + 7 - turn) % 7, turn);
/// #         }
/// #     }
/// #     fn goal_states(&self) -> Vec<u8> { vec![0] }
/// # }
/// # impl Features for Dial {
/// #     fn feature_len(&self) -> usize { 7 }
/// #     fn active(&self, mark: &u8, sink: &mut dyn FnMut(u32)) { sink(u32::from(*mark)); }
/// # }
/// # impl Notation for Dial {
/// #     fn state_text(&self, mark: &u8) -> String { mark.to_string() }
/// #     fn solution_text(&self, turns: &[u8]) -> String {
/// #         turns.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
/// #     }
/// #     fn parse_solution(&self, text: &str) -> Result<Vec<u8>, ParseError> {
/// #         text::read(text, |word| word.parse().map_err(|_| "expected a turn".to_owned()))
/// #     }
/// # }
/// use unriddle_core::{Learnable, Purpose, Rng, Walk};
///
/// impl Learnable for Dial {
///     fn purpose(&self) -> Purpose {
///         let [puzzle, size, goal] = ["dial", "7", "0"].map(str::to_owned);
///         Purpose { puzzle, size, goal }
///     }
///     fn groups(&self) -> usize {
///         1
///     }
///     fn begun_at(&self, _: u8) -> Self {
///         Dial
///     }
///     fn action_count(&self) -> usize {
///         2
///     }
///     fn action_number(&self, turn: u8) -> usize {
///         usize::from(turn == 6)
///     }
///     /// The dial seen in a mirror: mark 1 is where mark 6 was.
///     fn images(&self) -> Vec<Vec<u32>> {
///         vec![(0..7).map(|mark| (7 - mark) % 7).collect()]
///     }
/// }
///
/// // A walk that never turns back goes round the dial.
/// let mut walk = Walk::new(&Dial, 0, Steps::NoReturn);
/// walk.go(&Dial, 3, &mut Rng::new(1));
/// assert!([3, 4].contains(&walk.state));
/// # use unriddle_core::Steps;
/// ```
pub trait Learnable: Backward + Features + Notation + Clone {
    /// Whether instances of the same purpose differ in their start alone, so that a state of one is a state of
    /// all. Not where an instance has walls of its own.
    const ONE_SPACE: bool = true;

    /// Names of the inputs by which networks can see states, the usual one first: stickers or pieces, say. A puzzle
    /// with one input need not name it.
    const INPUTS: &'static [&'static str] = &[""];

    /// The same instance, seen by another of its [inputs](Self::INPUTS), counted from 0: its
    /// [`Features`], and `groups`, `images` and `linear` here, are then of that input.
    fn seen_by(&self, input: usize) -> Self {
        let _ = input;
        self.clone()
    }

    /// By which of its inputs this instance is seen: the first unless [`seen_by`](Self::seen_by) says
    /// otherwise.
    fn input(&self) -> usize {
        0
    }

    /// What its networks are for. Instances of the same purpose have inputs of the same form.
    fn purpose(&self) -> Purpose;

    /// The number of one-hot groups: [`active`](Features::active) names one index of each.
    fn groups(&self) -> usize;

    /// Rows and columns of the grid whose places the groups are, row by row, each with as many indices as any other: what convolutions
    /// of a network go over. `None` where groups are no such places.
    fn grid(&self) -> Option<[usize; 2]> {
        None
    }

    /// Of each index of the input, its parts: what it says together with others, which say the same among other things. A network learns of
    /// a part from all of them at once, where each is rarely active. All states have equally many parts. An image of an index has the images of
    /// its parts, in their order. Nothing unless said otherwise.
    fn parts(&self) -> Vec<Vec<Part>> {
        Vec::new()
    }

    /// The same instance, begun at another state.
    fn begun_at(&self, state: Self::State) -> Self;

    /// The number of actions that there are in all states together: a network may have an output for each.
    fn action_count(&self) -> usize;

    /// The number of an action, below [`action_count`](Self::action_count). Actions that are legal in
    /// the same state have different numbers.
    fn action_number(&self, action: Self::Action) -> usize;

    /// Symmetries that keep distances to the goal, without the identity: each maps every index of
    /// the input to the one that replaces it in the image of a state.
    fn images(&self) -> Vec<Vec<u32>> {
        Vec::new()
    }

    /// Whether the cost of every path from a state to the goal is odd; `None` of a puzzle in which
    /// both kinds of paths lead to the goal.
    fn parity(&self) -> Option<fn(&Self::State) -> bool> {
        None
    }

    /// Numbers of steps of the walks on which progress of training is measured.
    fn depths(&self) -> &'static [u64] {
        &[10, 20, 50, 100, 200, 500]
    }

    /// Heuristics that are linear in the inputs.
    fn linear(&self) -> Vec<Linear> {
        Vec::new()
    }

    /// A step of a walk of the kind [`Steps::Canonical`] back from a state, which `done` steps led to from
    /// a goal: the step goes away from the goal as surely as the puzzle can tell. `None` if no such step
    /// is left. Unless said otherwise it is a step that does not take the one before back.
    fn canonical_step(
        &self,
        state: &Self::State,
        done: &[Self::Action],
        rng: &mut Rng,
    ) -> Option<(Self::State, Self::Action)> {
        self.step_back(state, done.last().copied(), rng)
    }
}

/// A part of what an index of the input says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Its number among all parts, counted from 0.
    pub number: u32,
    /// The share of the part's weights that the index takes over: the shares of all active indices that have the part are 1 together.
    pub share: f32,
}

/// Which steps random walks back from a goal have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Steps {
    /// Each predecessor is as likely as any other, the state before among them.
    Any,
    /// The step before is not taken back.
    #[default]
    NoReturn,
    /// The puzzle's [own steps](Learnable::canonical_step) away from the goal.
    Canonical,
    /// Actions, in a walk that begins at the start of an instance instead of a goal; the action before is not taken back. Such a
    /// walk may come to dead ends, and how long it was says nothing of the distance.
    Forward,
}

/// A random walk back from a goal, or with [`Steps::Forward`] on from a start.
#[derive(Clone, Debug)]
pub struct Walk<P: Learnable> {
    /// Where it is.
    pub state: P::State,
    /// The actions that lead from there to the goal, the last one first. Kinds of steps that do not
    /// look back keep the last one only.
    done: Vec<P::Action>,
    steps: Steps,
}

impl<P: Learnable> Walk<P> {
    /// A walk that begins at a goal of the puzzle, or with [`Steps::Forward`] at its start.
    #[must_use]
    pub fn new(puzzle: &P, goal: P::State, steps: Steps) -> Self {
        Self {
            state: match steps {
                Steps::Forward => puzzle.initial_state(),
                _ => goal,
            },
            done: Vec::new(),
            steps,
        }
    }

    /// The action that leads back along the walk, or the last one of a walk forward; `None` where it begins.
    #[must_use]
    pub fn last(&self) -> Option<P::Action> {
        self.done.last().copied()
    }

    /// Goes on by a number of steps, or by fewer where no step is left.
    pub fn go(&mut self, puzzle: &P, steps: u64, rng: &mut Rng) {
        for _ in 0..steps {
            let step = match self.steps {
                Steps::Any => puzzle.step_back(&self.state, None, rng),
                Steps::NoReturn => puzzle.step_back(&self.state, self.done.last().copied(), rng),
                Steps::Canonical => puzzle.canonical_step(&self.state, &self.done, rng),
                Steps::Forward => step_on(puzzle, &self.state, self.done.last().copied(), rng),
            };
            let Some((state, action)) = step else {
                break;
            };
            self.state = state;
            if self.steps != Steps::Canonical {
                self.done.clear();
            }
            self.done.push(action);
        }
    }
}

/// A random action that does not take `last` back, each as likely as any other.
fn step_on<P: Learnable>(
    puzzle: &P,
    state: &P::State,
    last: Option<P::Action>,
    rng: &mut Rng,
) -> Option<(P::State, P::Action)> {
    let goes_on = |&action: &P::Action| last.is_none_or(|last| !puzzle.is_inverse(last, action));
    let actions: Vec<P::Action> = puzzle.actions(state).filter(goes_on).collect();
    let chosen = rng.below(actions.len() as u64) as usize;
    let action = actions.get(chosen).copied()?;
    Some((puzzle.apply(state, action), action))
}
