//! Iterative-deepening A* (Korf 1985): depth-first searches with a growing bound on f = g + h.
//!
//! **Idea.** Each iteration explores the tree of paths whose f does not exceed the bound; the next bound
//! is the smallest f that exceeded this one. Memory is one frame per action of the current path.
//!
//! **Invariants.** With an admissible heuristic every bound is a proved lower bound of the optimum, and
//! the first goal found is optimal. A child's f is tested before the child is pushed. The top frame lives
//! in local variables while the search runs, the others on an explicit stack, so that the search can be
//! suspended between any two expansions. [`parallel`] splits each iteration over threads.
//!
//! **Complexity.** Time about the number of tree nodes with f ≤ optimum; memory linear in the path.
//!
//! Reference: R. E. Korf, *Depth-first iterative-deepening: an optimal admissible tree search*,
//! Artificial Intelligence 27(1), 1985.

mod dfs;
pub mod parallel;

use dfs::{Dfs, Frame, FrameOf, NONE, Slice};
use unriddle_core::{
    Cost, Domain, GoalPuzzle, Heuristic, Info, Observer, Outcome, Parameter, Progress, Quota, Role,
    Search, SearchError, Solution, Stats, search::check_state_size,
};

/// Declaration for the catalogue.
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

/// The root of a search: its frame and its estimate, unless it is a proved dead end.
fn root_of<P: GoalPuzzle, H: Heuristic<P>>(
    puzzle: &P,
    heuristic: &H,
) -> Option<(FrameOf<P, H>, Cost)> {
    let state = puzzle.initial_state();
    let (h, memo) = heuristic.root(puzzle, &state)?;
    let cursor = puzzle.actions(&state);
    Some((Frame { state, memo, cursor, last: None, g: 0 }, h))
}

/// What the sequential and the parallel search have in common: bounds and outcomes.
struct Deepening<A> {
    /// The current iteration's bound on f.
    bound: u64,
    admissible: bool,
    proved: Option<i64>,
    outcome: Option<Outcome<A>>,
    fault: Option<SearchError>,
}

impl<A: Clone> Deepening<A> {
    fn new(bound: Cost, admissible: bool) -> Self {
        Self { bound: bound.into(), admissible, proved: None, outcome: None, fault: None }
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
pub struct IdaStar<'a, P: GoalPuzzle, H: Heuristic<P>> {
    puzzle: &'a P,
    heuristic: &'a H,
    dfs: Dfs<P, H>,
    root: Option<FrameOf<P, H>>,
    deepening: Deepening<P::Action>,
    /// The smallest f above the bound met so far in this iteration.
    next: u64,
    /// Whether the current iteration has begun.
    begun: bool,
    stats: Stats,
}

impl<'a, P: GoalPuzzle, H: Heuristic<P>> IdaStar<'a, P, H> {
    /// A search of the puzzle's instance.
    ///
    /// # Errors
    /// States that are too large for a search.
    pub fn new(puzzle: &'a P, heuristic: &'a H) -> Result<Self, SearchError> {
        check_state_size::<P>()?;
        let root = root_of(puzzle, heuristic);
        let admissible = heuristic.guarantee().is_admissible();
        Ok(Self {
            puzzle,
            heuristic,
            dfs: Dfs { frames: Vec::new(), goal_action: None },
            root: root.map(|(frame, _)| frame),
            deepening: Deepening::new(root.map_or(0, |(_, h)| h), admissible),
            next: NONE,
            begun: false,
            stats: Stats { evaluated: 1, ..Stats::default() },
        })
    }
}

impl<P: GoalPuzzle, H: Heuristic<P>> IdaStar<'_, P, H> {
    /// Goes on until the quota is used up, the search ends or has a fault.
    fn go_on(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Progress<P::Action> {
        loop {
            if let Some(outcome) = &self.deepening.outcome {
                return Progress::Finished(outcome.clone());
            }
            if let Some(fault) = &self.deepening.fault {
                return Progress::Failed(fault.clone());
            }
            let Some(root) = self.root else {
                self.deepening.outcome = Some(Outcome::Unsolvable);
                continue;
            };
            if self.puzzle.is_goal(&root.state) {
                let best = Solution::with_cost(Vec::new(), 0);
                self.deepening.solved(best, &self.stats, observer);
                continue;
            }
            if !self.begun {
                self.deepening.prove(&self.stats, observer);
                if quota.is_used_up(&self.stats) {
                    return Progress::Running;
                }
                self.stats.expanded += 1;
                self.next = NONE;
                self.dfs.frames.clear();
                self.dfs.frames.push(root);
                self.begun = true;
            }
            let (puzzle, heuristic, bound) = (self.puzzle, self.heuristic, self.deepening.bound);
            let (next, stats) = (&mut self.next, &mut self.stats);
            let slice = self.dfs.run(puzzle, heuristic, bound, next, stats, quota);
            self.stats.peak_bytes = self.stats.peak_bytes.max(self.dfs.bytes());
            match slice {
                Slice::Paused => return Progress::Running,
                Slice::OutOfMemory => return Progress::OutOfMemory,
                Slice::Goal(cost) => {
                    let best = Solution::with_cost(self.dfs.path(), cost);
                    self.deepening.solved(best, &self.stats, observer);
                }
                Slice::Done => {
                    self.deepening.deepen(self.next);
                    self.begun = false;
                }
            }
        }
    }

    /// An error of the search or of the puzzle's.
    fn fault(&self) -> Option<SearchError> {
        self.deepening.fault.clone().or_else(|| self.puzzle.fault())
    }
}

impl<P: GoalPuzzle, H: Heuristic<P>> Search for IdaStar<'_, P, H> {
    type Action = P::Action;

    fn advance(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Progress<P::Action> {
        Progress::guarded(self, Self::fault, |search| search.go_on(quota, observer))
    }

    fn stats(&self) -> Stats {
        self.stats
    }
    fn best(&self) -> Option<&Solution<P::Action>> {
        self.deepening.best()
    }
    fn bound(&self) -> Option<i64> {
        self.deepening.proved
    }
}
