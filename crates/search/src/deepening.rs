//! Iterative deepening by cost alone, with a transposition table and ordered successors.
//!
//! Depth-first search for a path of cost g ≤ θ, again and again with θ raised to the smallest cost that
//! was beyond it; where every action costs 1 that is one action more each time. The heuristic takes no
//! part in that: it only decides which successor of a state is tried first (those of smallest h, equal ones
//! in the puzzle's order). GA-FreeCell calls this iterative deepening where nothing is ordered
//! (`deepening(blind)`) and IDA* where the heuristic orders; IDA* proper is `idastar` or, with a table,
//! [`idtt`](crate::idtt).
//!
//! The table is that of `idtt`, with its rule: a path that reaches a state at g is given up if a visit at a
//! smaller g is known, or one at the same g in this iteration. So the answer is optimal whatever the
//! heuristic promises, θ is a lower bound, and if no undominated path went beyond θ there is no solution. A
//! heuristic's dead ends are not followed; it has to have proved them.
//!
//! All successors of a state are generated at once, to be ordered, goals first; the heuristic is asked for those within
//! θ only. They lie on a stack that all states of the path share.
//!
//! Complexity: states at the largest distances dominate; ordering helps in the last iteration alone, by
//! half of it on average where it knows nothing. Memory: the table, and for each state of the path its
//! successors.
//!
//! References: R. E. Korf, "Depth-First Iterative-Deepening", Artificial Intelligence 27 (1985);
//! Elyasaf, Hauptman and Sipper 2011, sections 3.1.1 and 3.1.2.

use crate::{
    index::hash,
    memory::{Accounted, Full, reserve, vec_bytes},
    memos::{PathHeuristic, PathMemos},
    table::{self, Table},
};
use std::cmp::Reverse;
use unriddle_core::{
    Cost, GoalPuzzle, Info, Observer, Options, Outcome, Progress, Quota, Role, Search, SearchError,
    Solution, Stats, options, search::check_state_size,
};

/// What `describe deepening` shows.
pub const INFO: Info = Info {
    name: "deepening",
    role: Role::Search,
    version: 1,
    summary: "iterative deepening by cost with a transposition table; h only orders successors",
    guarantee: "optimal with any heuristic, whatever the size of the table",
    requires: "a goal puzzle; memory for the table",
    reference: "Korf 1985; Elyasaf, Hauptman and Sipper 2011, sections 3.1.1 and 3.1.2",
    parameters: DeepeningConfig::PARAMETERS,
};

options! {
    /// Options of [`Deepening`].
    #[derive(Copy, Eq)]
    pub struct DeepeningConfig of INFO (h: Heuristic, "what orders the successors of a state") {
        /// It grows as it fills.
        table: u64 = "1G" in 0..=1 << 46, "largest size of the table, in bytes";
    }
}

/// A state that is still to be visited.
struct Child<P: GoalPuzzle> {
    state: P::State,
    /// The place of its memo.
    memo: usize,
    g: Cost,
    /// What it is ordered by; goals come before all others.
    h: Option<Cost>,
    /// The action that led here; `None` for the start.
    last: Option<P::Action>,
}

/// A state of the path.
#[derive(Clone, Copy)]
struct Frame<A> {
    last: Option<A>,
    /// Where its successors begin on their stack; they end where the next state's begin.
    children: usize,
    /// The first place of its successors' memos.
    memos: usize,
}

/// Iterative deepening with ordered successors.
pub struct Deepening<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    memos: Box<dyn PathMemos<P> + 'a>,
    /// The first place of a memo that no state of the path and no successor of one needs.
    free: usize,
    config: DeepeningConfig,
    table: Table<P::State>,
    path: Vec<Frame<P::Action>>,
    /// The untried successors of the path's states, of each the next one last.
    children: Vec<Child<P>>,
    /// A state to be expanded, noted in the table.
    pending: Option<Child<P>>,
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

impl<'a, P: GoalPuzzle> Deepening<'a, P> {
    /// A search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        heuristic: &'a dyn PathHeuristic<P>,
        config: DeepeningConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        check_state_size::<P>()?;
        Ok(Self {
            puzzle,
            memos: heuristic.memos(),
            free: 0,
            config,
            table: Table::new(),
            path: Vec::new(),
            children: Vec::new(),
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

    /// Begins the next iteration, or ends the search.
    fn begin(&mut self, quota: &Quota, observer: &mut dyn Observer<P::Action>) -> Result<(), Full> {
        let state = self.puzzle.initial_state();
        if self.iteration == 0 && self.puzzle.is_goal(&state) {
            self.solved(Vec::new(), observer);
            return Ok(());
        }
        self.grow_path(quota, |s, room| s.memos.reserve(1, room))?;
        let root = self.memos.root(self.puzzle, &state, 0);
        if self.iteration == 0 {
            self.stats.evaluated += 1;
            self.next = Some(0);
        }
        let (Some(_), Some(threshold)) = (root, self.next.take()) else {
            self.outcome = Some(Outcome::Unsolvable);
            return Ok(());
        };
        self.threshold = Some(threshold);
        self.iteration += 1;
        observer.bound(i64::from(threshold), &self.stats);
        self.table.put(hash(&state), &state, 0, self.iteration);
        self.pending = Some(Child { state, memo: 0, g: 0, h: None, last: None });
        self.free = 1;
        Ok(())
    }

    fn solved(&mut self, actions: Vec<P::Action>, observer: &mut dyn Observer<P::Action>) {
        // Of cost θ: all of smaller cost were found not to be goals.
        let best = Solution::played(self.puzzle, actions);
        observer.improved(&best, &self.stats);
        self.threshold = Some(Cost::try_from(best.value).unwrap_or(Cost::MAX));
        self.outcome =
            Some(Outcome::Solved { bound: Some(best.value), proof: true, best: best.clone() });
        self.best = Some(best);
    }

    /// Whether the table knows a path to a state that makes one of cost `g` idle.
    #[inline]
    fn is_dominated(&self, hash: u64, state: &P::State, g: Cost) -> bool {
        self.table.get(hash, state).is_some_and(|(known, iteration)| {
            known < g || (known == g && iteration == self.iteration)
        })
    }

    /// Generates and orders the successors of a state, for which place was made.
    fn expand(&mut self, parent: &Child<P>, threshold: Cost) {
        let puzzle = self.puzzle;
        let (first, first_memo) = (self.children.len(), self.free);
        let actions = match parent.last {
            Some(last) => puzzle.actions_after(&parent.state, last),
            None => puzzle.actions(&parent.state),
        };
        for action in actions {
            if parent.last.is_some_and(|last| puzzle.is_inverse(last, action)) {
                continue;
            }
            let state = puzzle.apply(&parent.state, action);
            self.stats.generated += 1;
            let cost = puzzle.action_cost(&parent.state, action);
            let Some(g) = parent.g.checked_add(cost) else {
                self.fault = Some(SearchError::TooLarge(
                    "a path costs 2^32 or more, which deepening cannot hold".into(),
                ));
                self.outcome = Some(Outcome::Exhausted { best: None });
                return;
            };
            if g > threshold {
                if self.next.is_none_or(|next| g < next)
                    && !self.is_dominated(hash(&state), &state, g)
                {
                    self.next = Some(g);
                }
                continue;
            }
            let goal = puzzle.is_goal(&state);
            self.stats.evaluated += 1;
            let (from, memo) = (parent.memo, self.free);
            let estimate = self.memos.child(puzzle, &parent.state, action, &state, from, memo);
            let h = match estimate {
                Some(h) => Some(h).filter(|_| !goal),
                // A goal is no dead end; one that is called so is not told from others.
                None => continue,
            };
            self.free += 1;
            self.children.push(Child { state, memo, g, h, last: Some(action) });
        }
        // The next one last: those that are equal in reverse order.
        self.children[first..].reverse();
        self.children[first..].sort_by_key(|child| Reverse(child.h));
        self.path.push(Frame { last: parent.last, children: first, memos: first_memo });
    }

    /// Visits successors until one is to be expanded, a goal is found or the path is empty.
    fn descend(&mut self, quota: &Quota, observer: &mut dyn Observer<P::Action>) {
        while let Some(&frame) = self.path.last() {
            if self.children.len() == frame.children {
                self.path.pop();
                self.free = frame.memos;
                continue;
            }
            let Some(child) = self.children.pop() else {
                return;
            };
            let hash = hash(&child.state);
            if self.is_dominated(hash, &child.state, child.g) {
                continue;
            }
            if child.h.is_none() {
                let mut actions: Vec<_> = self.path.iter().filter_map(|f| f.last).collect();
                actions.extend(child.last);
                self.solved(actions, observer);
                return;
            }
            self.grow_table(quota);
            self.table.put(hash, &child.state, child.g, self.iteration);
            self.pending = Some(child);
            return;
        }
    }
}

impl<P: GoalPuzzle> Deepening<'_, P> {
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
            if let (Some(child), Some(threshold)) = (self.pending.take(), self.threshold) {
                let used_up = quota.is_used_up(&self.stats);
                let place = |s: &mut Self| {
                    let count = s.puzzle.actions(&child.state).count();
                    s.grow_path(quota, |s, room| reserve(&mut s.path, 1, room))?;
                    s.grow_path(quota, |s, room| reserve(&mut s.children, count, room))?;
                    s.grow_path(quota, |s, room| s.memos.reserve(s.free + count, room))
                };
                if used_up || place(self).is_err() {
                    self.pending = Some(child);
                    return match used_up {
                        true => Progress::Running,
                        false => Progress::OutOfMemory,
                    };
                }
                self.stats.expanded += 1;
                self.expand(&child, threshold);
            } else if self.path.is_empty() {
                if self.begin(quota, observer).is_err() {
                    return Progress::OutOfMemory;
                }
            } else {
                self.descend(quota, observer);
            }
        }
    }

    /// An error of the search or of the puzzle's.
    fn fault(&self) -> Option<SearchError> {
        self.fault.clone().or_else(|| self.puzzle.fault())
    }
}

impl<P: GoalPuzzle> Accounted for Deepening<'_, P> {
    fn bytes(&self) -> u64 {
        self.table.bytes() + vec_bytes(&self.path) + vec_bytes(&self.children) + self.memos.bytes()
    }

    fn counters(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

impl<P: GoalPuzzle> Search for Deepening<'_, P> {
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
        self.threshold.map(i64::from)
    }
}
