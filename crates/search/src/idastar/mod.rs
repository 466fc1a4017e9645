//! Iterative-deepening A* (Korf 1985): depth-first searches with a growing bound on f = g + h.
//!
//! **Idea.** Each iteration explores the tree of paths whose f does not exceed the bound; the next
//! bound is the smallest f that exceeded this one. Memory is one frame per action of the current
//! path.
//!
//! **Invariants.** With an admissible heuristic every bound is a proved lower bound of the optimum,
//! and the first goal found is optimal. A child's f is tested before the child is pushed. The top
//! frame lives in local variables while the search runs, the others on an explicit stack, so that
//! the search can be suspended between any two expansions. [`parallel`] splits each iteration over
//! threads.
//!
//! **Pruning.** The search leaves out pairs of actions that the puzzle names. With
//! `prune=automaton` it keeps one of all short sequences with the same effect, by an [automaton] of
//! a puzzle with generic states
//! ([`Puzzle::generic_states`](unriddle_core::Puzzle::generic_states)). No bound, cost or solution
//! is lost, since the smallest of the cheapest paths to a state is kept. If its depth is not given,
//! the automaton is used from the first iteration after a million expansions on, so that small
//! searches do without.
//!
//! [automaton]: crate::automaton
//!
//! **Complexity.** Time about the number of tree nodes with f ≤ optimum; memory linear in the path.
//!
//! Reference: R. E. Korf, *Depth-first iterative-deepening: an optimal admissible tree search*,
//! Artificial Intelligence 27(1), 1985.

mod dfs;
pub mod parallel;
mod paths;
mod pruning;
pub mod tree;

use crate::report::{Halt, Report};
use paths::Paths;
use tree::{NONE, Slice, Start, Subtree, Tree};
use unriddle_core::{
    Cost, GoalPuzzle, Heuristic, Info, Observer, Options, Quota, Role, SearchError, Solution,
    Stats, options, search::check_state_size, words,
};

/// Declaration of the search.
pub const INFO: Info = Info {
    guarantee: "optimal with an admissible heuristic; complete where a solution exists",
    requires: "a goal puzzle; memory for one path",
    reference: "Korf 1985, Depth-first iterative-deepening, Artificial Intelligence 27",
    ranks: true,
    known: true,
    journal: true,
    parameters: IdaStarConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "idastar",
        "iterative-deepening A*: depth-first searches with a growing bound on g + h",
    )
};

words! {
    /// Means of leaving out sequences of actions.
    pub enum Prune {
        /// Pairs that the puzzle names: `is_inverse`, `commutes_after`.
        Pairs = "pairs",
        /// An automaton, where the puzzle has generic states.
        Automaton = "automaton",
    }
}

options! {
    /// Options of [`IdaStar`] and [`parallel::ParallelIdaStar`].
    #[derive(Copy)]
    pub struct IdaStarConfig of INFO (h: Heuristic, "estimate of the cost that is left") {
        prune: Prune = "pairs" of ["pairs", "automaton"], "means of leaving out repeated sequences";
        depth: usize = "0" in 0..=64, "most actions of a sequence (0 = small automaton)",
            "A given depth has its automaton used from the start, by up to a gigabyte of memory while it is built.";
    }
}

/// Expansions after which an automaton is used whose depth is not given.
const AFTER: u64 = 1 << 20;

/// Bounds and outcomes of the sequential and of the parallel search.
struct Deepening<'a, A> {
    tree: Box<dyn Tree<'a, A> + Sync + 'a>,
    /// The current iteration's bound on f.
    bound: u64,
    admissible: bool,
    /// The known solution, until the observer has it.
    known: Option<Solution<A>>,
    config: IdaStarConfig,
    /// Whether the tree has been pruned by an automaton.
    is_pruned: bool,
    stats: Stats,
    report: Report<A>,
}

/// The search tree of a puzzle's instance under a heuristic.
fn tree_of<'a, P: GoalPuzzle, H: Heuristic<P>>(
    puzzle: &'a P,
    heuristic: &'a H,
) -> Result<Box<dyn Tree<'a, P::Action> + Sync + 'a>, SearchError> {
    check_state_size::<P>()?;
    Ok(Box::new(Paths::new(puzzle, heuristic)))
}

impl<'a, A: Copy + Send + Sync> Deepening<'a, A> {
    fn new(tree: Box<dyn Tree<'a, A> + Sync + 'a>) -> Self {
        let bound = match tree.start() {
            Start::Open(estimate) => estimate.into(),
            Start::DeadEnd | Start::Goal => 0,
        };
        let (admissible, stats) =
            (tree.is_admissible(), Stats { evaluated: 1, ..Stats::default() });
        let (config, report) = (IdaStarConfig::default(), Report::new());
        Self { tree, bound, admissible, known: None, config, is_pruned: false, stats, report }
    }

    /// Prepares the tree for an iteration.
    fn prune(&mut self) {
        let IdaStarConfig { prune, depth } = self.config;
        let is_due = depth > 0 || self.stats.expanded >= AFTER;
        if prune == Prune::Automaton && is_due && !self.is_pruned {
            self.is_pruned = true;
            self.tree.prune((depth > 0).then_some(depth));
        }
    }

    /// The quota without the bytes of the automaton.
    fn left_of(&self, quota: &Quota) -> Quota {
        let bytes = quota.bytes.saturating_sub(self.tree.bytes());
        Quota { bytes, ..quota.clone() }
    }

    /// Whether the search has ended; the start may decide it, or a known solution that is proved.
    fn has_ended(&mut self, observer: &mut dyn Observer<A>) -> bool {
        if self.report.outcome.is_none() {
            match self.tree.start() {
                Start::DeadEnd => self.report.finish(),
                Start::Goal => self.solved(Solution::with_cost(Vec::new(), 0), observer),
                Start::Open(_) => {
                    if let Some(known) = self.known.take() {
                        self.report.offer(known, &self.stats, observer);
                    }
                    let best = self.report.best.as_ref().map(|best| best.value);
                    if best.is_none_or(|best| (self.bound as i64) < best) {
                        return false;
                    }
                    // Every other solution costs as much, or was not found below this cost.
                    self.prove(observer);
                    self.report.finish();
                }
            }
        }
        true
    }

    /// Keeps and announces the current bound if it is a better lower bound than before.
    fn prove(&mut self, observer: &mut dyn Observer<A>) {
        if self.admissible {
            self.report.prove(self.bound as Cost, &self.stats, observer);
        }
    }

    fn solved(&mut self, best: Solution<A>, observer: &mut dyn Observer<A>) {
        self.report.check(self.tree.check_path(&best.actions));
        let value = best.value;
        self.report.offer(best, &self.stats, observer);
        if self.admissible && self.report.fault.is_none() {
            self.report.bound = Some(value);
        }
        self.report.finish();
    }

    /// Ends the search with the error that a path leads to a state of a smaller f than the start.
    fn inconsistent(&mut self, path: &[A]) {
        self.report.check(self.tree.check_path(path));
        if self.report.fault.is_none() {
            let message =
                "the heuristic estimates a state differently from scratch and from its predecessor";
            self.report.fail(SearchError::BadEstimate(message.to_owned()));
        }
    }

    /// Ends an iteration without a goal; `next` is the smallest f above its bound.
    fn deepen(&mut self, next: u64) {
        if next == NONE {
            self.report.finish();
        } else if next > Cost::MAX.into() {
            let message =
                format!("every solution costs {next} or more, which is too much to count");
            self.report.fail(SearchError::TooLarge(message));
        } else {
            self.bound = next;
        }
    }
}

/// Implements [`Search`](unriddle_core::Search) for a search with the field `deepening` and a
/// method `take_steps`, and the methods that all of them have before they begin.
macro_rules! deepening_search {
    ($name:ident $(, at_hand: $path:ident)?) => {
        impl<A: Copy + Send + Sync> $name<'_, A> {
            /// The same search with these options.
            ///
            /// # Errors
            /// An option out of bounds.
            pub fn with(mut self, config: IdaStarConfig) -> Result<Self, SearchError> {
                config.check()?;
                self.deepening.config = config;
                Ok(self)
            }

            /// The same search with a solution that is known already. It is proved to be optimal as
            /// soon as no smaller f is left, or a better one is found.
            #[must_use]
            pub fn knowing(mut self, known: Option<Solution<A>>) -> Self {
                self.deepening.known = known;
                self
            }
        }

        impl<A: Copy + Send + Sync> ::unriddle_core::Search for $name<'_, A> {
            type Action = A;

            fn advance(
                &mut self,
                quota: &Quota,
                observer: &mut dyn Observer<A>,
            ) -> ::unriddle_core::Progress<A> {
                let steps = match self.deepening.tree.fault() {
                    None => self.take_steps(quota, observer),
                    Some(_) => Ok(()),
                };
                let fault = self.deepening.tree.fault();
                self.deepening.report.progress(steps, fault)
            }

            fn stats(&self) -> Stats {
                self.deepening.stats
            }

            fn best(&self) -> Option<&Solution<A>> {
                self.deepening.report.best.as_ref()
            }

            fn bound(&self) -> Option<i64> {
                self.deepening.report.bound
            }

            $(
                fn at_hand(&self) -> Vec<A> {
                    self.$path()
                }
            )?
        }
    };
}
use deepening_search;

/// Sequential iterative-deepening A*.
pub struct IdaStar<'a, A> {
    deepening: Deepening<'a, A>,
    /// The tree of the current iteration; `None` before it begins.
    iteration: Option<Box<dyn Subtree<A> + 'a>>,
    /// The smallest f above the bound encountered in this iteration.
    next: u64,
}

impl<'a, A: Copy + Send + Sync> IdaStar<'a, A> {
    /// A search of the puzzle's instance.
    ///
    /// # Errors
    /// States that are too large for a search.
    pub fn new<P, H>(puzzle: &'a P, heuristic: &'a H) -> Result<Self, SearchError>
    where
        P: GoalPuzzle<Action = A>,
        H: Heuristic<P>,
    {
        tree_of(puzzle, heuristic).map(Self::with_tree)
    }

    fn with_tree(tree: Box<dyn Tree<'a, A> + Sync + 'a>) -> Self {
        Self { deepening: Deepening::new(tree), iteration: None, next: NONE }
    }

    /// The current path.
    fn path(&self) -> Vec<A> {
        self.iteration.as_ref().map_or_else(Vec::new, |iteration| iteration.path())
    }

    /// Continues until the quota is used up, the search ends or has a fault.
    fn take_steps(&mut self, quota: &Quota, observer: &mut dyn Observer<A>) -> Result<(), Halt> {
        while !self.deepening.has_ended(observer) {
            let iteration = match &mut self.iteration {
                Some(iteration) => iteration,
                None => {
                    self.deepening.prove(observer);
                    if quota.is_used_up(&self.deepening.stats) {
                        return Err(Halt::Quota);
                    }
                    self.deepening.prune();
                    self.deepening.stats.expanded += 1;
                    self.next = NONE;
                    self.iteration.insert(self.deepening.tree.whole(self.deepening.bound))
                }
            };
            let (quota, pruning) = (self.deepening.left_of(quota), self.deepening.tree.bytes());
            let (next, stats) = (&mut self.next, &mut self.deepening.stats);
            let slice = iteration.run(self.deepening.bound, next, stats, &quota);
            stats.peak_bytes = stats.peak_bytes.max(iteration.bytes() + pruning);
            match slice {
                Slice::Paused => return Err(Halt::Quota),
                Slice::OutOfMemory => return Err(Halt::Full),
                Slice::Goal(cost) => {
                    let best = Solution::with_cost(iteration.path(), cost);
                    self.deepening.solved(best, observer);
                }
                Slice::Inconsistent => {
                    let path = iteration.path();
                    self.deepening.inconsistent(&path);
                }
                Slice::Done => {
                    self.deepening.deepen(self.next);
                    self.iteration = None;
                }
            }
        }
        Ok(())
    }
}

deepening_search!(IdaStar, at_hand: path);
