//! Requirements of network training on a puzzle.

use crate::{
    ability::{Backward, Features, Notation},
    rng::Rng,
};
use std::fmt;

/// Purpose of a network: the network estimates states of all instances with an equal purpose, and
/// of no other instance.
///
/// The header of a network's file contains the purpose. Its only source is [`Learnable::purpose`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Purpose {
    /// The puzzle's name.
    pub puzzle: String,
    /// Size of the puzzle, as the puzzle writes it.
    pub size: String,
    /// The goal and all else on which an estimate depends, for example a metric.
    pub goal: String,
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { puzzle, size, goal } = self;
        write!(f, "{puzzle} of size {size}, goal {goal}")
    }
}

/// Heuristic that is linear in the inputs of a network. The linear part of a network may start with
/// its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// Name of the heuristic.
    pub name: &'static str,
    /// Weight of each index. An estimate is the sum of the weights of a state's active indices.
    pub weights: Vec<f32>,
}

/// Puzzle whose distances to the goal a network can learn.
///
/// The puzzle defines the purpose of its networks, the arrangement of their inputs, and random
/// states; everything else about training is general. Random *instances* come from the puzzle's
/// generators, so that they are not declared twice.
///
/// ```
/// # use unriddle_core::{Backward, Features, GoalPuzzle, Notation, Puzzle};
/// # unriddle_core::toy!(Dial);
/// # impl unriddle_core::GoalPuzzle for Dial {
/// #     fn is_goal(&self, mark: &u8) -> bool {
/// #         *mark == 0
/// #     }
/// # }
/// # impl unriddle_core::Backward for Dial {
/// #     fn predecessors(&self, mark: &u8, visit: &mut dyn FnMut(u8, u8)) {
/// #         for turn in [1, 6] {
/// #             visit((mark + 7 - turn) % 7, turn);
/// #         }
/// #     }
/// #     fn goal_states(&self) -> Vec<u8> {
/// #         vec![0]
/// #     }
/// # }
/// # impl unriddle_core::Features for Dial {
/// #     fn feature_len(&self) -> usize {
/// #         7
/// #     }
/// #     fn active(&self, mark: &u8, sink: &mut dyn FnMut(u32)) {
/// #         sink(u32::from(*mark));
/// #     }
/// # }
/// # impl unriddle_core::Notation for Dial {
/// #     fn state_text(&self, mark: &u8) -> String {
/// #         mark.to_string()
/// #     }
/// #     fn solution_text(&self, turns: &[u8]) -> String {
/// #         turns.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
/// #     }
/// #     fn parse_solution(&self, text: &str) -> Result<Vec<u8>, unriddle_core::ParseError> {
/// #         unriddle_core::text::read(text, |word| {
/// #             word.parse().map_err(|_| "expected a turn".to_owned())
/// #         })
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
///     /// The dial in a mirror: mark 1 and mark 6 change places.
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
    /// Whether instances with the same purpose differ only in their start, so that each state
    /// belongs to all of them. `false` if an instance has walls of its own.
    const ONE_SPACE: bool = true;

    /// Names of the inputs through which networks can see states (for example stickers or pieces).
    /// The first input is the usual one. A puzzle with one input may leave its name empty.
    const INPUTS: &'static [&'static str] = &[""];

    /// The same instance with another of its [inputs](Self::INPUTS), counted from 0. Its
    /// [`Features`], `groups`, `images` and `linear` then belong to that input.
    fn seen_by(&self, input: usize) -> Self {
        let _ = input;
        self.clone()
    }

    /// Number of this instance's input: 0, or the argument of [`seen_by`](Self::seen_by).
    fn input(&self) -> usize {
        0
    }

    /// Number of the input whose indices and groups are the first ones of this instance's input, if
    /// there is such an input. Training may then begin with a network of the shorter input.
    fn begins_with(&self) -> Option<usize> {
        None
    }

    /// Purpose of the puzzle's networks. Instances with the same purpose have inputs of the same
    /// form.
    fn purpose(&self) -> Purpose;

    /// Number of one-hot groups: [`active`](Features::active) reports one index of each group.
    fn groups(&self) -> usize;

    /// Numbers of rows and columns of the grid whose cells are the groups, row by row, if each cell
    /// has the same number of indices. Convolutions of a network slide over this grid. `None` if
    /// the groups form no grid.
    fn grid(&self) -> Option<[usize; 2]> {
        None
    }

    /// For each input index, its parts: sub-features that the index shares with other indices.
    /// Training shares weights per part, so that a network learns about rare indices from common
    /// ones. All states have the same number of parts. A symmetry maps the parts of an index, in
    /// their order, to the parts of the mapped index. Empty by default.
    fn parts(&self) -> Vec<Vec<Part>> {
        Vec::new()
    }

    /// The same instance with another start.
    fn begun_at(&self, state: Self::State) -> Self;

    /// Number of different actions in all states together: a network may have an output for each.
    fn action_count(&self) -> usize;

    /// Number of an action, below [`action_count`](Self::action_count). Legal actions of the same
    /// state have different numbers.
    fn action_number(&self, action: Self::Action) -> usize;

    /// Symmetries that preserve distances to the goal, without the identity. Each maps every input
    /// index of a state to the index that replaces it in the symmetric state.
    fn images(&self) -> Vec<Vec<u32>> {
        Vec::new()
    }

    /// Whether the cost of every path from a state to the goal is odd. `None` for a puzzle in which
    /// even and odd paths lead to the goal.
    fn parity(&self) -> Option<fn(&Self::State) -> bool> {
        None
    }

    /// Lengths of the random walks on which the progress of training is measured.
    fn depths(&self) -> &'static [u64] {
        &[10, 20, 50, 100, 200, 500]
    }

    /// Heuristics that are linear in the inputs.
    fn linear(&self) -> Vec<Linear> {
        Vec::new()
    }

    /// A step of the kind [`Steps::Canonical`] from a state that `done` steps away from a goal have
    /// reached. The step leads away from the goal as surely as the puzzle knows. `None` if no such
    /// step is left. The default takes any step that does not undo the previous step.
    fn canonical_step(
        &self,
        state: &Self::State,
        done: &[Self::Action],
        rng: &mut Rng,
    ) -> Option<(Self::State, Self::Action)> {
        self.step_back(state, done.last().copied(), rng)
    }
}

/// Part of an input index: a sub-feature that several indices share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Number among all parts, counted from 0.
    pub number: u32,
    /// Share of the part's weights that the index receives. The shares of all active indices with
    /// this part add up to 1.
    pub share: f32,
}

/// Kind of the steps of random walks back from a goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Steps {
    /// Any predecessor with the same probability, including the previous state.
    Any,
    /// Any predecessor but the previous state.
    #[default]
    NoReturn,
    /// The puzzle's [own steps](Learnable::canonical_step) away from the goal.
    Canonical,
    /// Legal actions from the start of an instance, without undoing the previous action. Such a
    /// walk may end in a dead end, and its length does not bound the distance.
    Forward,
}

/// Random walk back from a goal, or with [`Steps::Forward`] from a start.
#[derive(Clone, Debug)]
pub struct Walk<P: Learnable> {
    /// Current state.
    pub state: P::State,
    /// Actions from the current state to the goal, in reverse order. Only [`Steps::Canonical`]
    /// needs all of them; for other kinds the last one is stored.
    done: Vec<P::Action>,
    steps: Steps,
}

impl<P: Learnable> Walk<P> {
    /// Starts a walk at a goal of the puzzle, or with [`Steps::Forward`] at the puzzle's start.
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

    /// The action that leads back along the walk, or the last action of a forward walk; `None` at
    /// the beginning.
    #[must_use]
    pub fn last(&self) -> Option<P::Action> {
        self.done.last().copied()
    }

    /// Takes up to `steps` steps; fewer if no step is left.
    pub fn go(&mut self, puzzle: &P, steps: u64, rng: &mut Rng) {
        for _ in 0..steps {
            let step = match self.steps {
                Steps::Any => puzzle.step_back(&self.state, None, rng),
                Steps::NoReturn => puzzle.step_back(&self.state, self.done.last().copied(), rng),
                Steps::Canonical => puzzle.canonical_step(&self.state, &self.done, rng),
                Steps::Forward => step_on(puzzle, &self.state, self.done.last().copied(), rng),
            };
            let Some((state, action)) = step else { break };
            self.state = state;
            if self.steps != Steps::Canonical {
                self.done.clear();
            }
            self.done.push(action);
        }
    }
}

/// A random action that does not undo `last`, each with the same probability.
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
