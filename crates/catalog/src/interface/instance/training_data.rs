//! Type-erased training data: lists of states of any learnable puzzle.
//!
//! A puzzle that declares [`Learning`](crate::Learning) has [`TrainingData`]: its instances, from
//! which random walks back from goals, searches and solutions make lists of [`States`]. Calls are
//! made once per list or per row, never per expanded state of a search, so that all inner loops are
//! compiled for the puzzle. A program that does not train is compiled without this module (feature
//! `training-data`).

use super::Instance;
use std::any::Any;
use unriddle_core::{Linear, Part, Purpose, Rng, Steps};
use unriddle_neural::Net;
use unriddle_tables::{Cache, TableError};

/// Instances of a puzzle with the same purpose, to learn from.
pub trait TrainingData: Send + Sync {
    /// Puzzle, size and goal of the networks that learn from these instances.
    fn purpose(&self) -> Purpose;
    /// Names of the inputs by which networks can see states, the usual one first.
    fn input_names(&self) -> &'static [&'static str];
    /// Index of the input that is in use.
    fn input(&self) -> usize;
    /// The same instances, seen by another input, whose tables come from a cache.
    ///
    /// # Errors
    /// A table of the input cannot be opened or built, or an instance does not have the input.
    fn seen_by(&self, input: usize, cache: &Cache) -> Result<Box<dyn TrainingData>, TableError>;
    /// Index of the input whose indices and groups are the first ones of the input in use.
    fn begins_with(&self) -> Option<usize>;
    /// Length of the input.
    fn inputs(&self) -> usize;
    /// Number of active indices of each state.
    fn groups(&self) -> usize;
    /// Rows and columns of the grid whose cells the groups are.
    fn grid(&self) -> Option<[usize; 2]>;
    /// The parts of each index of the input.
    fn parts(&self) -> Vec<Vec<Part>>;
    /// The number of different actions of all states together.
    fn actions(&self) -> usize;
    /// Symmetries as permutations of the input's indices.
    fn images(&self) -> Vec<Vec<u32>>;
    /// Lengths of the walks on which progress is measured, in steps.
    fn depths(&self) -> &'static [u64];
    /// Heuristics that are linear in the inputs.
    fn linear(&self) -> Vec<Linear>;
    /// Whether a state determines if its distance is odd.
    fn has_parity(&self) -> bool;

    /// Number of instances.
    fn len(&self) -> usize;
    /// Whether there are no instances.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Number of instances without a goal state, in which no walk begins.
    fn without_goals(&self) -> usize;
    /// Adds the instances of other training data.
    ///
    /// # Errors
    /// They are for another purpose.
    fn add(&mut self, others: &dyn TrainingData) -> Result<(), String>;

    /// Checks the puzzle's declarations on the `states` states that are nearest to its goals:
    /// indices and actions within their ranges, symmetries that map the states at each distance
    /// onto each other, parities that alternate.
    ///
    /// # Errors
    /// The violated declaration, and the state.
    fn check(&self, states: usize) -> Result<(), String>;

    /// An empty list of states.
    fn list(&self) -> Box<dyn States>;
    /// The initial states of all instances.
    fn starts(&self) -> Box<dyn States>;
    /// Adds a goal of a random instance to a list.
    fn goal(&self, rng: &mut Rng, into: &mut dyn States);
    /// Adds states of one random walk back from a goal of a random instance: the state after each
    /// number of steps of `stops`, which ascend. Returns, for each of these states, the number of
    /// the action that leads back along the walk; [`NO_ACTION`] for the goal itself.
    fn walk(&self, stops: &[u64], steps: Steps, rng: &mut Rng, into: &mut dyn States) -> Vec<u16>;

    /// The value itself, for downcasts.
    #[doc(hidden)]
    fn as_any(&self) -> &dyn Any;
}

/// Number that means "no action".
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
pub struct PathEnds {
    /// Active indices of the states at the ends of paths that do not reach a goal.
    pub active: Vec<u32>,
    /// These paths, in the order of `active`.
    pub open: Vec<End>,
    /// Paths that reach a goal.
    pub goals: Vec<End>,
    /// For each open state, whether its distance is odd; empty for a puzzle without a parity.
    pub odd: Vec<bool>,
    /// Whether [`legal`](Self::legal) is wanted.
    pub wants_legal: bool,
    /// The numbers of the legal actions of all open states, and how many each state has.
    pub legal: (Vec<u16>, Vec<u16>),
}

/// A narrow beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Narrow {
    /// Number of states that a layer keeps.
    pub width: usize,
    /// Maximum number of layers.
    pub depth: u32,
}

/// A short best-first search whose open states' estimates are backed up to all states that it
/// expanded: limited-horizon Bellman learning (arXiv 2511.10264, 2025).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backup {
    /// Number of expanded states.
    pub expansions: usize,
    /// Weight of the cost so far in the order of expansions: f = `weight` g + h.
    pub weight: f32,
    /// Whether the search ends with the first goal that it expands. The states are then the same
    /// states that a solver expands, because its searches end there as well.
    pub to_goal: bool,
    /// The greatest value, which proved dead ends have as well: states behind which the search
    /// leaves no open state and no goal. If it is `None`, proved dead ends are left out, and values
    /// of dead ends that the search does not prove grow without limit.
    pub most: Option<f32>,
}

/// A beam that ends at the first goal, and whose estimates are backed up through all of its layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// Width and depth of the beam, and of further beams.
    pub beam: Narrow,
    /// Number of examples beside the states of the best paths. Each is a random state of a random
    /// layer.
    pub samples: usize,
    /// Number of further beams. Each begins at a random state that the beam has not kept.
    pub strays: u32,
}

/// A list of states. Rows are counted from 0; a row out of range is an error of the caller, and
/// ends in a panic.
pub trait States: Send + Sync {
    /// Number of rows.
    fn len(&self) -> usize;
    /// Whether there are no rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Keeps only the first `rows` rows.
    fn truncate(&mut self, rows: usize);
    /// An empty list of the same puzzle.
    fn fresh(&self) -> Box<dyn States>;
    /// Adds a row of another list of the same puzzle.
    fn push(&mut self, of: &dyn States, row: usize);
    /// Replaces the row `place` of this list by a row of another list.
    fn replace(&mut self, place: usize, of: &dyn States, row: usize);
    /// Whether a row is the same state as a row of another list.
    fn is_same(&self, row: usize, of: &dyn States, other: usize) -> bool;

    /// Whether a row is a goal.
    fn is_goal(&self, row: usize) -> bool;
    /// Whether the distance of a row is odd; `None` for a puzzle without a parity.
    fn is_odd(&self, row: usize) -> Option<bool>;
    /// Adds the active indices of a row.
    fn active(&self, row: usize, sink: &mut Vec<u32>);
    /// Adds the ends of all paths of `actions` actions from a row; paths that reach a goal end
    /// there.
    fn ends(&self, row: usize, actions: u32, ends: &mut PathEnds);
    /// Adds the numbers of the legal actions of a row, and their count.
    fn legal(&self, row: usize, legal: &mut (Vec<u16>, Vec<u16>));
    /// Adds the successors of a row, and the action that leads to each.
    fn successors(&self, row: usize, into: &mut dyn States, steps: &mut Vec<Step>);
    /// Adds the row and the states after each of `actions` to `into`, and the cost from each of
    /// them to the end to `left`. Returns whether all actions are legal; otherwise nothing is
    /// added.
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
    /// The solution is unreadable or illegal.
    fn numbers(&self, row: usize, solution: &str) -> Result<Vec<u16>, String>;

    /// Solves a row by a beam: the numbers of the actions; `None` if the beam finds no solution.
    fn beam(&self, row: usize, net: &Net, beam: Narrow) -> Option<Vec<u16>>;
    /// Whether a search solves a row within a number of expansions: greedy best-first search by
    /// estimates or by comparisons, or a narrow beam by a policy.
    fn is_solved(&self, row: usize, net: &Net, expansions: u64) -> bool;
    /// Adds every `every`-th state that a beam from a row evaluates, kept or not.
    fn evaluated(&self, row: usize, net: &Net, beam: Narrow, every: usize, into: &mut dyn States);
    /// Adds the states of a walk of at most `steps` steps that always chooses the successor with
    /// the smallest sum of action cost and estimate.
    fn greedy_walk(&self, row: usize, net: &Net, steps: u64, into: &mut dyn States);
    /// Adds the states that a short search from a row expands, with targets backed up from its open
    /// states.
    fn backed_up(
        &self,
        row: usize,
        net: &Net,
        backup: Backup,
        into: &mut dyn States,
        targets: &mut Vec<f32>,
    );

    /// Adds states that a beam from a row keeps, with targets that are consistent within the beam:
    /// the minimum, over all paths through kept states, of the path's cost plus the estimate of the
    /// first state that is not kept, or 0 at a goal.
    fn backed_up_layers(
        &self,
        row: usize,
        net: &Net,
        layers: Layers,
        rng: &mut Rng,
        into: &mut dyn States,
        targets: &mut Vec<f32>,
    );

    /// For each layer of a beam from a row, behind the first layer, the greatest estimate that the
    /// beam keeps, or infinity if it keeps all states. The beam ends at the first goal.
    fn cuts(&self, row: usize, net: &Net, beam: Narrow) -> Vec<f32>;

    /// The value itself, for downcasts.
    #[doc(hidden)]
    fn as_any(&self) -> &dyn Any;
    /// The value itself, for downcasts.
    #[doc(hidden)]
    fn as_any_mut(&mut self) -> &mut dyn Any;
}
