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

use crate::report::{Halt, Report, goal_search};
use dfs::{Dfs, Frame, FrameOf, NONE, Slice};
use unriddle_core::{
    Cost, Domain, GoalPuzzle, Heuristic, Info, Observer, Parameter, Quota, Role, SearchError,
    Solution, Stats, search::check_state_size,
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

/// Bounds of the iterations of the sequential and the parallel search.
struct Deepening {
    /// Bound of this iteration on f.
    bound: u64,
    admissible: bool,
}

impl Deepening {
    /// Keeps the bound of this iteration and notifies the observer, if it is a better lower bound.
    fn prove<A: Clone>(
        &self,
        report: &mut Report<A>,
        stats: &Stats,
        observer: &mut dyn Observer<A>,
    ) {
        if self.admissible {
            report.prove(self.bound as Cost, stats, observer);
        }
    }

    /// Ends the search with a path to a goal.
    fn solve<A: Clone>(
        &self,
        best: Solution<A>,
        report: &mut Report<A>,
        stats: &Stats,
        observer: &mut dyn Observer<A>,
    ) {
        report.bound = Cost::try_from(best.value).ok().filter(|_| self.admissible);
        report.solve(best, stats, observer);
    }

    /// Ends an iteration without a goal; `next` is the smallest f above its bound.
    fn deepen<A: Clone>(&mut self, next: u64, report: &mut Report<A>) -> Result<(), SearchError> {
        if next == NONE {
            report.finish();
        } else if next > Cost::MAX.into() {
            let message =
                format!("every solution costs {next} or more, which is too much to count");
            return Err(SearchError::TooLarge(message));
        } else {
            self.bound = next;
        }
        Ok(())
    }
}

/// Sequential iterative-deepening A*.
pub struct IdaStar<'a, P: GoalPuzzle, H: Heuristic<P>> {
    puzzle: &'a P,
    heuristic: &'a H,
    dfs: Dfs<P, H>,
    root: Option<FrameOf<P, H>>,
    deepening: Deepening,
    report: Report<P::Action>,
    /// Smallest f above the bound in this iteration so far.
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
            deepening: Deepening { bound: root.map_or(0, |(_, h)| h.into()), admissible },
            report: Report::new(),
            next: NONE,
            begun: false,
            stats: Stats { evaluated: 1, ..Stats::default() },
        })
    }

    #[inline]
    fn step(&mut self, quota: &Quota, observer: &mut dyn Observer<P::Action>) -> Result<(), Halt> {
        let Some(root) = self.root else {
            self.report.finish();
            return Ok(());
        };
        if self.puzzle.is_goal(&root.state) {
            let best = Solution::with_cost(Vec::new(), 0);
            self.deepening.solve(best, &mut self.report, &self.stats, observer);
            return Ok(());
        }
        if !self.begun {
            self.deepening.prove(&mut self.report, &self.stats, observer);
            if quota.is_used_up(&self.stats) {
                return Err(Halt::Quota);
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
            Slice::Paused => return Err(Halt::Quota),
            Slice::OutOfMemory => return Err(Halt::Full),
            Slice::Goal(cost) => {
                let best = Solution::with_cost(self.dfs.path(), cost);
                self.deepening.solve(best, &mut self.report, &self.stats, observer);
            }
            Slice::Done => {
                self.deepening.deepen(self.next, &mut self.report)?;
                self.begun = false;
            }
        }
        Ok(())
    }
}

goal_search!(IdaStar<P, H: Heuristic<P>>);
