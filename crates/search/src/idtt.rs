//! Iterative deepening A* with a bounded transposition table.
//!
//! Depth-first search for a path of g + h ≤ θ, again and again with θ raised to the smallest g + h that
//! was beyond it (Korf 1985). The table remembers, of as many states as it can hold, the cheapest g at
//! which each was visited, so that other paths to them need not be followed.
//!
//! A path that reaches a state at g is given up if the table knows of a visit of that state at a smaller
//! g in any iteration, or at the same g in this one. This never loses an optimal path: its states are
//! reached with their smallest possible g, and in each iteration the first such visit goes on. Therefore
//! the search is optimal with an admissible estimate whatever the table has forgotten, and the raised θ
//! stays a lower bound; and if no undominated path went beyond θ, there is no solution. Children beyond
//! θ are looked up only when they would lower the next θ, which is rare.
//!
//! Inverse actions are pruned; the order of commuting actions is not (unsound beside a table).
//!
//! Complexity: with enough memory each state is expanded about once per iteration, as in A*; with less
//! the search degrades towards IDA*. On an unsolvable puzzle it ends only if the table holds the whole
//! space (or no cycle exists). For costs with many different sums there are many iterations.
//!
//! Memory: 8 bytes beside the state per entry (see module `table`), and the path. The table takes up to
//! `table` bytes, less if the quota is smaller: then the count of expansions depends on the quota, the
//! answer does not.
//!
//! References: R. E. Korf, "Depth-First Iterative-Deepening", Artificial Intelligence 27 (1985).
//! A. Reinefeld and T. A. Marsland, "Enhanced Iterative-Deepening Search", IEEE Transactions on Pattern
//! Analysis and Machine Intelligence 16 (1994); of their two uses of the table the dominance by g is
//! taken, the backed-up estimates are not.

use crate::{
    index::hash,
    memory::{Accounted, Full, reserve, vec_bytes},
    memos::{PathHeuristic, PathMemos},
    table::{self, Table},
};
use unriddle_core::{
    Cost, GoalPuzzle, Info, Observer, Options, Outcome, Progress, Quota, Role, Search, SearchError,
    Solution, Stats, options, search::check_state_size,
};

/// What `describe idtt` shows.
pub const INFO: Info = Info {
    name: "idtt",
    role: Role::Search,
    version: 1,
    summary: "iterative-deepening A* with a bounded transposition table",
    guarantee: "optimal with an admissible heuristic, whatever the size of the table",
    requires: "a goal puzzle; memory for the table; profits where many paths lead to the same state",
    reference: "Korf 1985; Reinefeld and Marsland 1994",
    parameters: IdttConfig::PARAMETERS,
};

options! {
    /// Options of [`Idtt`].
    #[derive(Copy, Eq)]
    pub struct IdttConfig of INFO (h: Heuristic, "estimate of the cost that is left") {
        /// It grows as it fills.
        table: u64 = "1G" in 0..=1 << 46, "largest size of the table, in bytes";
    }
}

/// A state of the path, and which of its actions are still to be tried.
struct Frame<P: GoalPuzzle> {
    state: P::State,
    actions: P::Actions,
    g: Cost,
    /// The action that led here; `None` for the start.
    last: Option<P::Action>,
}

/// Iterative deepening with a transposition table.
pub struct Idtt<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    /// The memo of the path's n-th state is at place n, that of a successor of its last one behind them.
    memos: Box<dyn PathMemos<P> + 'a>,
    config: IdttConfig,
    admissible: bool,
    table: Table<P::State>,
    path: Vec<Frame<P>>,
    /// A state to be expanded: generated, looked up and noted in the table.
    pending: Option<Frame<P>>,
    /// θ of the iteration, and of the next one so far.
    threshold: Option<Cost>,
    next: Option<Cost>,
    /// 0 before the first.
    iteration: u32,
    stats: Stats,
    best: Option<Solution<P::Action>>,
    outcome: Option<Outcome<P::Action>>,
    fault: Option<SearchError>,
}

impl<'a, P: GoalPuzzle> Idtt<'a, P> {
    /// A search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        heuristic: &'a dyn PathHeuristic<P>,
        config: IdttConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        check_state_size::<P>()?;
        let memos = heuristic.memos();
        Ok(Self {
            puzzle,
            config,
            admissible: memos.guarantee().is_admissible(),
            memos,
            table: Table::new(),
            path: Vec::new(),
            pending: None,
            threshold: None,
            next: None,
            iteration: 0,
            stats: Stats::default(),
            best: None,
            outcome: None,
            fault: None,
        })
    }

    /// Lets the table grow while it is crowded and both limits allow it.
    #[inline]
    fn grow_table(&mut self, quota: &Quota) {
        if self.table.is_crowded() {
            let path = self.bytes() - self.table.bytes();
            let most = table::beside(path, quota.bytes).min(self.config.table);
            if self.table.widen(&self.puzzle.initial_state(), most) {
                self.note_peak();
            }
        }
    }

    /// Makes a growth of the path; the table gives way if it must.
    #[inline]
    fn grow_path(
        &mut self,
        quota: &Quota,
        growth: impl Fn(&mut Self, u64) -> Result<(), Full>,
    ) -> Result<(), Full> {
        self.grow(quota.bytes, &growth).or_else(|Full| {
            self.table = Table::new();
            self.grow(quota.bytes, growth)
        })
    }

    /// Makes place for one more state on the path and for a successor of it.
    #[inline]
    fn reserve_path(&mut self, quota: &Quota) -> Result<(), Full> {
        self.grow_path(quota, |s, room| reserve(&mut s.path, 1, room))?;
        self.grow_path(quota, |s, room| s.memos.reserve(s.path.len() + 2, room))
    }

    /// Begins the next iteration, or ends the search.
    fn begin(&mut self, quota: &Quota, observer: &mut dyn Observer<P::Action>) -> Result<(), Full> {
        let puzzle = self.puzzle;
        let state = puzzle.initial_state();
        if self.iteration == 0 && puzzle.is_goal(&state) {
            self.solved(Vec::new(), observer);
            return Ok(());
        }
        self.grow_path(quota, |s, room| s.memos.reserve(1, room))?;
        let Some(h) = self.memos.root(puzzle, &state, 0) else {
            self.outcome = Some(Outcome::Unsolvable);
            return Ok(());
        };
        if self.iteration == 0 {
            self.stats.evaluated += 1;
            self.next = Some(h);
        }
        let Some(threshold) = self.next.take() else {
            self.outcome = Some(Outcome::Unsolvable);
            return Ok(());
        };
        self.threshold = Some(threshold);
        self.iteration += 1;
        if self.admissible {
            observer.bound(i64::from(threshold), &self.stats);
        }
        self.table.put(hash(&state), &state, 0, self.iteration);
        self.pending = Some(Frame { state, actions: puzzle.actions(&state), g: 0, last: None });
        Ok(())
    }

    fn solved(&mut self, actions: Vec<P::Action>, observer: &mut dyn Observer<P::Action>) {
        let best = Solution::played(self.puzzle, actions);
        observer.improved(&best, &self.stats);
        let proof = best.value == 0 || self.bound().is_some_and(|b| best.value <= b);
        self.outcome = Some(Outcome::Solved {
            bound: match proof {
                true => Some(best.value),
                false => self.bound(),
            },
            proof,
            best: best.clone(),
        });
        self.best = Some(best);
    }

    /// Whether the table knows a path to a state that makes one of cost `g` idle.
    #[inline]
    fn is_dominated(&self, hash: u64, state: &P::State, g: Cost) -> bool {
        self.table.get(hash, state).is_some_and(|(known, iteration)| {
            known < g || (known == g && iteration == self.iteration)
        })
    }

    /// Tries actions until a state is to be expanded, a goal is found, the path is empty or the quota
    /// of generated states is used up.
    fn descend(&mut self, threshold: Cost, quota: &Quota, observer: &mut dyn Observer<P::Action>) {
        let puzzle = self.puzzle;
        while let depth = self.path.len()
            && let Some(frame) = self.path.last_mut()
            && self.stats.generated < quota.generated
        {
            let Some(action) = frame.actions.next() else {
                self.path.pop();
                continue;
            };
            if frame.last.is_some_and(|last| puzzle.is_inverse(last, action)) {
                continue;
            }
            let child = puzzle.apply(&frame.state, action);
            self.stats.generated += 1;
            self.stats.evaluated += 1;
            let Some(h) = self.memos.child(puzzle, &frame.state, action, &child, depth - 1, depth)
            else {
                continue;
            };
            let cost = puzzle.action_cost(&frame.state, action);
            let Some(g) = frame.g.checked_add(cost) else {
                self.fault = Some(SearchError::TooLarge(
                    "a path costs 2^32 or more, which idtt cannot hold".into(),
                ));
                self.outcome = Some(Outcome::Exhausted { best: None });
                return;
            };
            let f = g.saturating_add(h);
            if f > threshold {
                if self.next.is_none_or(|next| f < next)
                    && !self.is_dominated(hash(&child), &child, g)
                {
                    self.next = Some(f);
                }
                continue;
            }
            let hash = hash(&child);
            if self.is_dominated(hash, &child, g) {
                continue;
            }
            if puzzle.is_goal(&child) {
                let mut actions: Vec<_> = self.path.iter().filter_map(|f| f.last).collect();
                actions.push(action);
                self.solved(actions, observer);
                return;
            }
            self.grow_table(quota);
            self.table.put(hash, &child, g, self.iteration);
            self.pending = Some(Frame {
                state: child,
                actions: puzzle.actions_after(&child, action),
                g,
                last: Some(action),
            });
            return;
        }
    }
}

impl<P: GoalPuzzle> Idtt<'_, P> {
    /// Goes on until the quota is used up, the search ends or has a fault.
    fn go_on(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Progress<P::Action> {
        loop {
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            if let Some(frame) = self.pending.take() {
                let used_up = quota.is_used_up(&self.stats);
                if used_up || self.reserve_path(quota).is_err() {
                    self.pending = Some(frame);
                    return match used_up {
                        true => Progress::Running,
                        false => Progress::OutOfMemory,
                    };
                }
                self.stats.expanded += 1;
                self.path.push(frame);
            }
            match self.threshold {
                Some(threshold) if !self.path.is_empty() => {
                    if self.stats.generated >= quota.generated {
                        return Progress::Running;
                    }
                    self.descend(threshold, quota, observer);
                }
                _ => {
                    if self.begin(quota, observer).is_err() {
                        return Progress::OutOfMemory;
                    }
                }
            }
        }
    }

    /// An error of the search or of the puzzle's.
    fn fault(&self) -> Option<SearchError> {
        self.fault.clone().or_else(|| self.puzzle.fault())
    }
}

impl<P: GoalPuzzle> Accounted for Idtt<'_, P> {
    fn bytes(&self) -> u64 {
        self.table.bytes() + vec_bytes(&self.path) + self.memos.bytes()
    }

    fn counters(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

impl<P: GoalPuzzle> Search for Idtt<'_, P> {
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
        self.best.as_ref()
    }

    fn bound(&self) -> Option<i64> {
        self.threshold.filter(|_| self.admissible).map(i64::from)
    }
}
