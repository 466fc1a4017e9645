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

use dfs::{Dfs, Frame, FrameOf, Slice};
use unriddle_core::{
    Cost, Domain, GoalPuzzle, Heuristic, Info, Observer, Outcome, Parameter, Progress, Quota, Role,
    Search, SearchError, Solution, Stats, search::check_state_size,
};

/// Declaration for the catalogue.
pub const INFO: Info = Info {
    name: "idastar",
    role: Role::Search,
    summary: "iterative-deepening A*: depth-first searches with a growing bound on g + h",
    guarantee: "optimal with an admissible heuristic; complete where a solution exists",
    requires: "a goal puzzle; memory for one path",
    reference: "Korf 1985, Depth-first iterative-deepening, Artificial Intelligence 27",
    parameters: &[Parameter::required(
        "h",
        Domain::Heuristic,
        "estimate of the cost that is left",
    )],
};

/// Sequential iterative-deepening A*.
pub struct IdaStar<'a, P: GoalPuzzle, H: Heuristic<P>> {
    puzzle: &'a P,
    heuristic: &'a H,
    dfs: Dfs<P, H>,
    root: Option<FrameOf<P, H>>,
    /// The current iteration's bound.
    bound: Cost,
    /// The smallest f above the bound met so far in this iteration.
    next: Cost,
    stats: Stats,
    proved: Option<i64>,
    started: bool,
    outcome: Option<Outcome<P::Action>>,
}

impl<'a, P: GoalPuzzle, H: Heuristic<P>> IdaStar<'a, P, H> {
    /// A search of the puzzle's instance.
    ///
    /// # Errors
    /// States that are too large for a search.
    pub fn new(puzzle: &'a P, heuristic: &'a H) -> Result<Self, SearchError> {
        check_state_size::<P>()?;
        let state = puzzle.initial_state();
        let mut bound = 0;
        let root = heuristic.root(puzzle, &state).map(|(h, memo)| {
            bound = h;
            let cursor = puzzle.actions(&state);
            Frame {
                state,
                memo,
                cursor,
                last: None,
                g: 0,
            }
        });
        Ok(Self {
            puzzle,
            heuristic,
            dfs: Dfs {
                frames: Vec::new(),
                goal_action: None,
            },
            root,
            bound,
            next: Cost::MAX,
            stats: Stats {
                evaluated: 1,
                ..Stats::default()
            },
            proved: None,
            started: false,
            outcome: None,
        })
    }

    fn solved(&mut self, best: Solution<P::Action>, observer: &mut dyn Observer<P::Action>) {
        let proof = self.heuristic.guarantee().is_admissible();
        observer.improved(&best, &self.stats);
        let bound = if proof { Some(best.value) } else { self.proved };
        self.outcome = Some(Outcome::Solved { best, proof, bound });
    }

    /// Begins an iteration; `false` if the root may not be expanded within the quota.
    fn begin(
        &mut self,
        root: FrameOf<P, H>,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> bool {
        if self.heuristic.guarantee().is_admissible()
            && self.proved.is_none_or(|b| b < self.bound.into())
        {
            self.proved = Some(self.bound.into());
            observer.bound(self.bound.into(), &self.stats);
        }
        if quota.is_used_up(&self.stats) {
            return false;
        }
        self.stats.expanded += 1;
        self.next = Cost::MAX;
        self.dfs.frames.clear();
        self.dfs.frames.push(root);
        self.started = true;
        true
    }
}

impl<P: GoalPuzzle, H: Heuristic<P>> Search for IdaStar<'_, P, H> {
    type Action = P::Action;

    fn advance(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Progress<P::Action> {
        loop {
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            let Some(root) = self.root else {
                self.outcome = Some(Outcome::Unsolvable);
                continue;
            };
            if self.puzzle.is_goal(&root.state) {
                self.solved(
                    Solution {
                        actions: Vec::new(),
                        value: 0,
                    },
                    observer,
                );
                continue;
            }
            if !self.started && !self.begin(root, quota, observer) {
                return Progress::Running;
            }
            let (puzzle, heuristic) = (self.puzzle, self.heuristic);
            let slice = self.dfs.run(
                puzzle,
                heuristic,
                self.bound,
                &mut self.next,
                &mut self.stats,
                quota,
            );
            self.stats.peak_bytes = self.stats.peak_bytes.max(self.dfs.bytes());
            match slice {
                Slice::Paused => return Progress::Running,
                Slice::Goal(cost) => {
                    self.solved(Solution::with_cost(self.dfs.path(), cost), observer);
                }
                Slice::Done if self.next == Cost::MAX => self.outcome = Some(Outcome::Unsolvable),
                Slice::Done => {
                    self.bound = self.next;
                    self.started = false;
                }
            }
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }
    fn bound(&self) -> Option<i64> {
        self.proved
    }
    fn fault(&self) -> Option<SearchError> {
        self.puzzle.fault()
    }
}
