//! Frame of the depth-first searches with a transposition table: `idtt` and `deepening`.
//!
//! A depth-first search for a path within a threshold θ is repeated, each time with θ raised to the
//! smallest value beyond θ that the last iteration found. The table holds the cheapest g at which a
//! state was visited.

use crate::{
    guard::{check_path, inconsistent},
    index::hash,
    memory::{Accounted, Full, accounted},
    memos::{PathHeuristic, PathMemos},
    report::{Halt, ObserverOf, Report, goal_search},
    table::{self, Table},
};
use unriddle_core::{
    Cost, GoalPuzzle, Guarantee, Quota, SearchError, Solution, Stats, search::check_state_size,
};

/// Method by which a search follows paths within a threshold.
pub(crate) trait Descent<P: GoalPuzzle>: Sized {
    /// State that is to be expanded.
    type Pending;

    /// Whether thresholds are costs of paths, whatever the estimates: θ begins at 0, and every
    /// threshold is a lower bound. Otherwise θ begins at the estimate of the start, and a dead end
    /// is not counted.
    const BY_COST: bool;

    /// The start, with its estimate, as a state that is to be expanded.
    fn root(&mut self, puzzle: &P, state: P::State, h: Cost) -> Self::Pending;

    /// Reserves memory for the expansion of a state.
    fn reserve(
        search: &mut Tabled<'_, P, Self>,
        pending: &Self::Pending,
        quota: &Quota,
    ) -> Result<(), Full>;

    /// Expands a state, for which memory is reserved.
    fn expand(search: &mut Tabled<'_, P, Self>, pending: Self::Pending) -> Result<(), Halt>;

    /// Follows the path until a state is to be expanded, a goal is found, the path is empty or the
    /// quota is used up.
    fn descend(
        search: &mut Tabled<'_, P, Self>,
        quota: &Quota,
        observer: &mut ObserverOf<'_, P>,
    ) -> Result<(), Halt>;

    /// Whether no state of the path is left.
    fn is_empty(&self) -> bool;

    /// Bytes of the path.
    fn bytes(&self) -> u64;
}

/// Iterative deepening with a transposition table.
pub(crate) struct Tabled<'a, P: GoalPuzzle, D: Descent<P>> {
    pub(crate) puzzle: &'a P,
    pub(crate) memos: Box<dyn PathMemos<P> + 'a>,
    pub(crate) descent: D,
    /// Largest size of the table in bytes.
    most: u64,
    /// Whether θ is a lower bound of the optimum.
    proves: bool,
    /// Whether the estimates claim to be consistent.
    pub(crate) consistent: bool,
    table: Table<P::State>,
    /// State to be expanded: generated, looked up and noted in the table.
    pub(crate) pending: Option<D::Pending>,
    /// θ of this iteration.
    pub(crate) threshold: Option<Cost>,
    /// θ of the next iteration, as far as known.
    next: Option<Cost>,
    /// Number of this iteration; 0 before the first.
    iteration: u32,
    /// The known solution, until the observer has it.
    known: Option<Solution<P::Action>>,
    pub(crate) stats: Stats,
    pub(crate) report: Report<P::Action>,
}

impl<'a, P: GoalPuzzle, D: Descent<P>> Tabled<'a, P, D> {
    /// Creates a search that has not begun, with a table of up to `most` bytes.
    ///
    /// # Errors
    /// States that are too large.
    pub(crate) fn new(
        puzzle: &'a P,
        heuristic: &'a dyn PathHeuristic<P>,
        descent: D,
        most: u64,
    ) -> Result<Self, SearchError> {
        check_state_size::<P>()?;
        let memos = heuristic.memos();
        Ok(Self {
            puzzle,
            proves: D::BY_COST || memos.guarantee().is_admissible(),
            consistent: memos.guarantee() == Guarantee::Consistent,
            memos,
            descent,
            most,
            table: Table::default(),
            pending: None,
            threshold: None,
            next: None,
            iteration: 0,
            known: None,
            stats: Stats::default(),
            report: Report::new(),
        })
    }

    /// The same search with a solution that is known already, which it proves or beats.
    pub(crate) fn knowing(mut self, known: Option<Solution<P::Action>>) -> Self {
        self.known = known;
        self
    }

    /// Makes a growth of the path. The table is dropped if the growth does not fit beside it.
    #[inline]
    pub(crate) fn grow_path(
        &mut self,
        quota: &Quota,
        growth: impl Fn(&mut Self, u64) -> Result<(), Full>,
    ) -> Result<(), Full> {
        self.grow(quota.bytes, &growth).or_else(|Full| {
            self.table = Table::default();
            self.grow(quota.bytes, growth)
        })
    }

    /// Begins the next iteration, or ends the search.
    fn begin(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Full> {
        let puzzle = self.puzzle;
        let state = puzzle.initial_state();
        if self.iteration == 0 && puzzle.is_goal(&state) {
            self.report.bound = Some(0);
            self.solve(Vec::new(), observer);
            return Ok(());
        }
        self.grow_path(quota, |s, room| s.memos.reserve(1, room))?;
        let root = self.memos.root(puzzle, &state, 0);
        if self.iteration == 0 {
            self.next = if D::BY_COST { Some(0) } else { root };
            self.stats.evaluated += u64::from(self.next.is_some());
        }
        if let Some(known) = self.known.take() {
            self.report.offer(known, &self.stats, observer);
        }
        // Every solution of a smaller cost would have been found.
        let best = self.report.best.as_ref().map(|best| best.value);
        if let Some(best) = best.filter(|_| self.proves)
            && self.next.is_none_or(|next| best <= next.into())
        {
            self.report.prove(best as Cost, &self.stats, observer);
            self.report.finish();
            return Ok(());
        }
        let (Some(h), Some(threshold)) = (root, self.next.take()) else {
            self.report.finish();
            return Ok(());
        };
        self.threshold = Some(threshold);
        self.iteration += 1;
        if self.proves {
            self.report.prove(threshold, &self.stats, observer);
        }
        self.table.put(hash(&state), &state, 0, self.iteration);
        self.pending = Some(self.descent.root(puzzle, state, h));
        Ok(())
    }

    /// Ends the search with a solution.
    pub(crate) fn solve(&mut self, actions: Vec<P::Action>, observer: &mut ObserverOf<'_, P>) {
        let (puzzle, memos) = (self.puzzle, &mut self.memos);
        let checked = check_path(puzzle, &actions, memos.guarantee(), &mut |state| {
            Ok(memos.root(puzzle, state, 0))
        });
        self.report.check(checked);
        let best = Solution::played(self.puzzle, actions);
        if best.value == 0 {
            self.report.bound.get_or_insert(0);
        }
        self.report.solve(best, &self.stats, observer);
    }

    /// Error of an action after the states of the path, whose last action it is.
    #[cold]
    pub(crate) fn inconsistent(
        &self,
        path: impl Iterator<Item = P::Action>,
        before: Cost,
        after: Cost,
    ) -> Halt {
        Halt::Fault(inconsistent(self.puzzle, &path.collect::<Vec<_>>(), before, after))
    }

    /// Whether the table knows a path to a state that makes a path of cost `g` superfluous.
    #[inline]
    pub(crate) fn is_dominated(&self, hash: u64, state: &P::State, g: Cost) -> bool {
        self.table.get(hash, state).is_some_and(|(known, iteration)| {
            known < g || (known == g && iteration == self.iteration)
        })
    }

    /// Raises θ of the next iteration to `value` at most, for a state beyond θ that no known path
    /// dominates.
    #[inline]
    pub(crate) fn exceed(&mut self, value: Cost, state: &P::State, g: Cost) {
        if self.next.is_none_or(|next| value < next) && !self.is_dominated(hash(state), state, g) {
            self.next = Some(value);
        }
    }

    /// Notes a visit in the table, which first grows if it is crowded and the limits allow it.
    #[inline]
    pub(crate) fn visit(&mut self, hash: u64, state: &P::State, g: Cost, quota: &Quota) {
        if self.table.is_crowded() {
            let path = self.bytes() - self.table.bytes();
            let most = table::beside(path, quota.bytes).min(self.most);
            if self.table.widen(&self.puzzle.initial_state(), most) {
                self.note_peak();
            }
        }
        self.table.put(hash, state, g, self.iteration);
    }

    pub(crate) fn step(
        &mut self,
        quota: &Quota,
        observer: &mut ObserverOf<'_, P>,
    ) -> Result<(), Halt> {
        if let Some(pending) = self.pending.take() {
            let place = if quota.is_used_up(&self.stats) {
                Err(Halt::Quota)
            } else {
                D::reserve(self, &pending, quota).map_err(Halt::from)
            };
            if place.is_err() {
                self.pending = Some(pending);
                return place;
            }
            self.stats.expanded += 1;
            return D::expand(self, pending);
        }
        if self.descent.is_empty() {
            Ok(self.begin(quota, observer)?)
        } else {
            D::descend(self, quota, observer)
        }
    }
}

accounted!(Tabled<P: GoalPuzzle, D: Descent<P>>: table, descent, memos);
goal_search!(Tabled<P, D: Descent<P>>);
