//! Trees that are searched with a growing bound, type-erased.
//!
//! Iterative deepening calls a tree once per slice of thousands of expansions. Bounds, iterations,
//! threads, ranks and outcomes are compiled once for each type of actions.
//! [`IdaStar::new`](super::IdaStar::new) makes the tree of a puzzle and a heuristic; a puzzle may
//! have a tree of its own, whose bound is on anything that never exceeds the cost of a solution.

use unriddle_core::{Cost, Quota, SearchError, Stats};

/// Value of the smallest f above the bound, until one is found.
pub const NONE: u64 = u64::MAX;

/// End of a slice of a depth-first search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slice {
    /// The quota is used up.
    Paused,
    /// The last action of the top frame led to a goal of this cost.
    Goal(Cost),
    /// The tree below the root is explored.
    Done,
    /// The path cannot become longer within the quota's bytes.
    OutOfMemory,
    /// The last action of the top frame led to a state of a smaller f than the start.
    Inconsistent,
}

/// Suspended search below one node, bounded by f.
pub trait Subtree<A>: Send {
    /// Runs until the quota is used up, a goal is found or the subtree is explored. `next` is
    /// lowered to the smallest f above `bound` that is encountered; `bound` is the same in all
    /// calls.
    fn run(&mut self, bound: u64, next: &mut u64, stats: &mut Stats, quota: &Quota) -> Slice;
    /// The actions from the node to the goal that was found, to the state of a smaller f than the
    /// start, or to the node where the search was suspended.
    fn path(&self) -> Vec<A>;
    /// Accounted size of the current path in bytes.
    fn bytes(&self) -> u64;
}

/// Expanded and generated states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Expanded states.
    pub expanded: u64,
    /// Generated states.
    pub generated: u64,
}

impl Count {
    /// Adds another count.
    pub fn add(&mut self, other: Self) {
        self.expanded += other.expanded;
        self.generated += other.generated;
    }
}

/// The initial state, as a search finds it.
#[derive(Clone, Copy)]
pub enum Start {
    /// A proved dead end.
    DeadEnd,
    /// A goal.
    Goal,
    /// A state to expand, with its estimate.
    Open(Cost),
}

/// A subtree that begins below the top of the tree, in the order of the sequential search.
pub struct Part<'a, A> {
    /// Actions from the start to its root.
    pub path: Vec<A>,
    /// Work of the sequential search in the top of the tree between the previous part and this one.
    pub before: Count,
    /// The part itself.
    pub subtree: Box<dyn Subtree<A> + 'a>,
    /// Cost of the goal that is all there is of this part.
    pub goal: Option<Cost>,
}

/// The tree above a depth, explored, and its parts below.
pub struct Top<'a, A> {
    /// The parts, in order. The first one with a goal ends the search.
    pub parts: Vec<Part<'a, A>>,
    /// Work behind the last part.
    pub tail: Count,
    /// Smallest f above the bound in the top of the tree.
    pub next: u64,
    /// Path to a state of a smaller f than the start, although the estimates claim to be
    /// consistent.
    pub inconsistent: Option<Vec<A>>,
}

/// Tree of all paths from the start.
pub trait Tree<'a, A> {
    /// The initial state.
    fn start(&self) -> Start;
    /// An error that the puzzle reports.
    fn fault(&self) -> Option<SearchError> {
        None
    }
    /// Whether no f exceeds the cost of a solution, so that bounds are proved.
    fn is_admissible(&self) -> bool;
    /// Compares the estimates along a solution, or along a path to an inconsistent estimate, with
    /// the guarantee.
    ///
    /// # Errors
    /// Estimates that break the guarantee.
    fn check_path(&self, path: &[A]) -> Result<(), SearchError> {
        let _ = path;
        Ok(())
    }
    /// The whole tree of a bound, unexplored. The search counts the root as expanded.
    fn whole(&self, bound: u64) -> Box<dyn Subtree<A> + 'a>;
    /// Explores the tree down to `depth` actions within `bound`.
    fn split(&self, bound: u64, depth: u32) -> Top<'a, A>;
    /// Least number of parts of an iteration of about `expansions` expansions. `None` where counts
    /// do not depend on it, and threads may choose.
    fn parts(&self, expansions: u64) -> Option<usize> {
        let _ = expansions;
        None
    }
    /// Keeps one of all sequences with the same effect from now on: sequences of at most `depth`
    /// actions, or of as many as leave the automaton small.
    fn prune(&mut self, depth: Option<usize>) {
        let _ = depth;
    }
    /// Size of the automaton in bytes.
    fn bytes(&self) -> u64 {
        0
    }
    /// Accounted size of a subtree without its path, in bytes.
    fn record_bytes(&self) -> usize;
}
