//! What training is made of: states of a puzzle whose type is known no longer.
//!
//! A puzzle that declares [`Learning`](crate::Learning) has [`TrainingData`]: its instances, from which random walks back from goals,
//! searches and solutions make lists of [`States`]. Calls are made per list or per row, never per expanded state of a search, so
//! that all that runs often is compiled for the puzzle. A program that does not train does without (feature `training data`).

mod check;
mod search;
mod states;
mod taught;

use crate::{instance::Instance, net::acting};
use std::any::Any;
use unriddle_core::{BatchHeuristic, Learnable, Linear, Part, Purpose, Rng, Steps};
use unriddle_neural::Net;

pub use search::Backup;
pub(crate) use taught::Taught;

/// Instances of a puzzle with the same purpose, to learn from.
pub trait TrainingData: Send + Sync {
    /// What networks for them are for.
    fn purpose(&self) -> Purpose;
    /// Names of the inputs by which networks can see states, the usual one first.
    fn input_names(&self) -> &'static [&'static str];
    /// Which of these inputs is in use.
    fn input(&self) -> usize;
    /// The same instances, seen by another input.
    fn seen_by(&self, input: usize) -> Box<dyn TrainingData>;
    /// Length of the input.
    fn inputs(&self) -> usize;
    /// Active indices of each state.
    fn groups(&self) -> usize;
    /// Rows and columns of the grid whose places the groups are.
    fn grid(&self) -> Option<[usize; 2]>;
    /// Of each index of the input, its parts.
    fn parts(&self) -> Vec<Vec<Part>>;
    /// The number of actions that there are in all states together.
    fn actions(&self) -> usize;
    /// Symmetries as permutations of the input's indices.
    fn images(&self) -> Vec<Vec<u32>>;
    /// Numbers of steps of the walks on which progress is measured.
    fn depths(&self) -> &'static [u64];
    /// Heuristics that are linear in the inputs.
    fn linear(&self) -> Vec<Linear>;
    /// Whether a state tells if its distance is odd.
    fn has_parity(&self) -> bool;

    /// How many instances there are.
    fn len(&self) -> usize;
    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Adds the instances of other training data.
    ///
    /// # Errors
    /// They are for another purpose.
    fn add(&mut self, others: &dyn TrainingData) -> Result<(), String>;

    /// Whether what the puzzle declares holds for the states that lie nearest to its goals, some `states` of them: indices
    /// and actions within their ranges, images that map the states at each distance onto each other, parities that alternate.
    ///
    /// # Errors
    /// What does not hold, and where.
    fn check(&self, states: usize) -> Result<(), String>;

    /// An empty list of states.
    fn list(&self) -> Box<dyn States>;
    /// The starts of all instances.
    fn starts(&self) -> Box<dyn States>;
    /// A goal of a random instance.
    fn goal(&self, rng: &mut Rng, into: &mut dyn States);
    /// One random walk back from a goal of a random instance; the states that it is at after each of the numbers of steps `stops`,
    /// which ascend. Gives the number of the action that leads back along the walk from each of them, [`NO_ACTION`] from the goal
    /// itself.
    fn walk(&self, stops: &[u64], steps: Steps, rng: &mut Rng, into: &mut dyn States) -> Vec<u16>;

    /// For downcasts.
    #[doc(hidden)]
    fn as_any(&self) -> &dyn Any;
}

/// In the place of the number of an action where there is none.
pub const NO_ACTION: u16 = u16::MAX;

/// An action of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Its number.
    pub action: u16,
    /// Its cost.
    pub cost: f32,
}

/// The end of a path of a few actions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// The row of the state where the path begins.
    pub row: u32,
    /// The number of its first action.
    pub action: u16,
    /// The cost of its actions.
    pub cost: f32,
}

/// The states that a few actions lead to, for a network to estimate.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    /// Active indices of the states at the ends of paths that do not reach a goal.
    pub active: Vec<u32>,
    /// These paths, in the order of `active`.
    pub open: Vec<End>,
    /// Paths that reach a goal.
    pub goals: Vec<End>,
    /// Whether the costs of paths on from the open states are odd; empty of a puzzle without a parity.
    pub odd: Vec<bool>,
    /// Whether [`legal`](Self::legal) is wanted.
    pub wants_legal: bool,
    /// The numbers of the legal actions of the states at the ends of open paths, and how many each has.
    pub legal: (Vec<u16>, Vec<u16>),
}

/// A narrow beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Narrow {
    /// States kept of a layer.
    pub width: usize,
    /// Most layers.
    pub depth: u32,
}

/// A list of states. Rows are counted from 0; a row out of range is an error of the caller, and ends in a panic.
pub trait States: Send + Sync {
    /// How many there are.
    fn len(&self) -> usize;
    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Removes those from a row on.
    fn truncate(&mut self, rows: usize);
    /// An empty list of the same puzzle.
    fn fresh(&self) -> Box<dyn States>;
    /// Adds a row of another list of the same puzzle.
    fn push(&mut self, of: &dyn States, row: usize);
    /// Puts a row of another list in the place of one of this list.
    fn replace(&mut self, place: usize, of: &dyn States, row: usize);
    /// Whether a row is the same state as a row of another list.
    fn is_same(&self, row: usize, of: &dyn States, other: usize) -> bool;

    /// Whether a row is a goal.
    fn is_goal(&self, row: usize) -> bool;
    /// Whether the distance of a row is odd; `None` of a puzzle without a parity.
    fn is_odd(&self, row: usize) -> Option<bool>;
    /// Adds the active indices of a row.
    fn active(&self, row: usize, sink: &mut Vec<u32>);
    /// Adds the ends of all paths of `actions` actions from a row; paths that reach a goal end there.
    fn ends(&self, row: usize, actions: u32, ends: &mut Ends);
    /// Adds the numbers of the legal actions of a row, and how many there are.
    fn legal(&self, row: usize, legal: &mut (Vec<u16>, Vec<u16>));
    /// Adds the successors of a row, and the action that leads to each.
    fn successors(&self, row: usize, into: &mut dyn States, steps: &mut Vec<Step>);
    /// Adds the states after each of some actions from a row, the row first, and what is left of their cost to the end. Says whether
    /// all actions are legal; otherwise nothing is added.
    fn along(
        &self,
        row: usize,
        actions: &[u16],
        into: &mut dyn States,
        left: &mut Vec<u32>,
    ) -> bool;

    /// The instance that begins at a row.
    fn instance(&self, row: usize) -> Box<dyn Instance>;
    /// The numbers of the actions of a solution of that instance.
    ///
    /// # Errors
    /// The solution cannot be read or is illegal.
    fn numbers(&self, row: usize, solution: &str) -> Result<Vec<u16>, String>;

    /// Solves a row by a beam: the numbers of the actions; `None` if the beam finds no solution.
    fn beam(&self, row: usize, net: &Net, beam: Narrow) -> Option<Vec<u16>>;
    /// Whether greedy best-first search, by estimates or by comparisons, or a narrow beam of a policy, solves a row within a
    /// number of expansions.
    fn is_solved(&self, row: usize, net: &Net, expansions: u64) -> bool;
    /// Adds one in `every` of the states that a beam from a row evaluates, kept or not.
    fn evaluated(&self, row: usize, net: &Net, beam: Narrow, every: usize, into: &mut dyn States);
    /// Adds the states of a walk of at most `steps` steps that goes to the successor of least cost and estimate each time.
    fn greedy_walk(&self, row: usize, net: &Net, steps: u64, into: &mut dyn States);
    /// Adds the states that a short search from a row expands, with targets backed up from its open states.
    fn backed_up(
        &self,
        row: usize,
        net: &Net,
        backup: Backup,
        into: &mut dyn States,
        targets: &mut Vec<f32>,
    );

    /// For downcasts.
    #[doc(hidden)]
    fn as_any(&self) -> &dyn Any;
    /// For downcasts.
    #[doc(hidden)]
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

/// What a network says of states: its value, or the least that it says of their legal actions.
pub(crate) fn estimator<P: Learnable>(net: &Net) -> Box<dyn BatchHeuristic<P> + '_> {
    let head = net.engine().head();
    match head.has_value() || !head.is_cost() {
        true => Box::new(net.share()),
        false => Box::new(acting(net.share())),
    }
}
