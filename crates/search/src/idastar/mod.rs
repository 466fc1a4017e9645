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
//! **Complexity.** Time about the number of tree nodes with f ≤ optimum; memory linear in the path.
//!
//! Reference: R. E. Korf, *Depth-first iterative-deepening: an optimal admissible tree search*,
//! Artificial Intelligence 27(1), 1985.

mod dfs;
pub mod parallel;
mod tree;

use dfs::{NONE, Slice};
use tree::{Paths, Start, Subtree, Tree};
use unriddle_core::{
    Cost, Domain, GoalPuzzle, Heuristic, Info, Observer, Outcome, Parameter, Progress, Quota, Role,
    Search, SearchError, Solution, Stats, search::check_state_size,
};

/// Declaration of the search.
pub const INFO: Info = Info {
    name: "idastar",
    role: Role::Search,
    version: 1,
    summary: "iterative-deepening A*: depth-first searches with a growing bound on g + h",
    guarantee: "optimal with an admissible heuristic; complete where a solution exists",
    requires: "a goal puzzle; memory for one path",
    reference: "Korf 1985, Depth-first iterative-deepening, Artificial Intelligence 27",
    parameters: &[Parameter::required("h", Domain::Heuristic, "estimate of the cost that is left")],
};

/// Bounds and outcomes of the sequential and of the parallel search.
struct Deepening<'a, A> {
    tree: Box<dyn Tree<'a, A> + Sync + 'a>,
    /// The current iteration's bound on f.
    bound: u64,
    admissible: bool,
    proved: Option<i64>,
    outcome: Option<Outcome<A>>,
    fault: Option<SearchError>,
}

impl<'a, A: Copy + Send + Sync> Deepening<'a, A> {
    fn new<P, H>(puzzle: &'a P, heuristic: &'a H) -> Result<Self, SearchError>
    where
        P: GoalPuzzle<Action = A>,
        H: Heuristic<P>,
    {
        check_state_size::<P>()?;
        let tree = Paths::new(puzzle, heuristic);
        let bound = match tree.start() {
            Start::Open(estimate) => estimate.into(),
            Start::DeadEnd | Start::Goal => 0,
        };
        let admissible = tree.is_admissible();
        let tree = Box::new(tree);
        Ok(Self { tree, bound, admissible, proved: None, outcome: None, fault: None })
    }

    /// The end of the search, once it is known; the start may decide it.
    fn end(&mut self, stats: &Stats, observer: &mut dyn Observer<A>) -> Option<Progress<A>> {
        if self.outcome.is_none() && self.fault.is_none() {
            match self.tree.start() {
                Start::DeadEnd => self.outcome = Some(Outcome::Unsolvable),
                Start::Goal => self.solved(Solution::with_cost(Vec::new(), 0), stats, observer),
                Start::Open(_) => return None,
            }
        }
        match (&self.outcome, &self.fault) {
            (Some(outcome), _) => Some(Progress::Finished(outcome.clone())),
            (None, fault) => fault.clone().map(Progress::Failed),
        }
    }

    /// An error of the search or of the puzzle.
    fn fault(&self) -> Option<SearchError> {
        self.fault.clone().or_else(|| self.tree.fault())
    }

    /// Keeps and announces the current bound if it is a better lower bound than before.
    fn prove(&mut self, stats: &Stats, observer: &mut dyn Observer<A>) {
        let bound = self.bound as i64;
        if self.admissible && self.proved.is_none_or(|before| before < bound) {
            self.proved = Some(bound);
            observer.bound(bound, stats);
        }
    }

    fn solved(&mut self, best: Solution<A>, stats: &Stats, observer: &mut dyn Observer<A>) {
        observer.improved(&best, stats);
        if self.admissible {
            self.proved = Some(best.value);
        }
        self.outcome = Some(Outcome::Solved { best, proof: self.admissible, bound: self.proved });
    }

    /// Ends an iteration without a goal; `next` is the smallest f above its bound.
    fn deepen(&mut self, next: u64) {
        if next == NONE {
            self.outcome = Some(Outcome::Unsolvable);
        } else if next > Cost::MAX.into() {
            let message =
                format!("every solution costs {next} or more, which is too much to count");
            self.fault = Some(SearchError::TooLarge(message));
        } else {
            self.bound = next;
        }
    }

    fn best(&self) -> Option<&Solution<A>> {
        self.outcome.as_ref().and_then(Outcome::best)
    }
}

/// Sequential iterative-deepening A*.
pub struct IdaStar<'a, A> {
    deepening: Deepening<'a, A>,
    /// The tree of the current iteration; `None` before it begins.
    iteration: Option<Box<dyn Subtree<A> + 'a>>,
    /// The smallest f above the bound encountered in this iteration.
    next: u64,
    stats: Stats,
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
        Ok(Self {
            deepening: Deepening::new(puzzle, heuristic)?,
            iteration: None,
            next: NONE,
            stats: Stats { evaluated: 1, ..Stats::default() },
        })
    }

    /// Continues until the quota is used up, the search ends or has a fault.
    fn go_on(&mut self, quota: &Quota, observer: &mut dyn Observer<A>) -> Progress<A> {
        loop {
            if let Some(end) = self.deepening.end(&self.stats, observer) {
                return end;
            }
            let iteration = match &mut self.iteration {
                Some(iteration) => iteration,
                None => {
                    self.deepening.prove(&self.stats, observer);
                    if quota.is_used_up(&self.stats) {
                        return Progress::Running;
                    }
                    self.stats.expanded += 1;
                    self.next = NONE;
                    self.iteration.insert(self.deepening.tree.whole())
                }
            };
            let (next, stats) = (&mut self.next, &mut self.stats);
            let slice = iteration.run(self.deepening.bound, next, stats, quota);
            stats.peak_bytes = stats.peak_bytes.max(iteration.bytes());
            match slice {
                Slice::Paused => return Progress::Running,
                Slice::OutOfMemory => return Progress::OutOfMemory,
                Slice::Goal(cost) => {
                    let best = Solution::with_cost(iteration.path(), cost);
                    self.deepening.solved(best, &self.stats, observer);
                }
                Slice::Done => {
                    self.deepening.deepen(self.next);
                    self.iteration = None;
                }
            }
        }
    }
}

impl<A: Copy + Send + Sync> Search for IdaStar<'_, A> {
    type Action = A;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<A>) -> Progress<A> {
        let fault = |search: &Self| search.deepening.fault();
        Progress::guarded(self, fault, |search| search.go_on(quota, observer))
    }

    fn stats(&self) -> Stats {
        self.stats
    }
    fn best(&self) -> Option<&Solution<A>> {
        self.deepening.best()
    }
    fn bound(&self) -> Option<i64> {
        self.deepening.proved
    }
}
