//! Results of searches, and the loop around the steps of a resumable search.

use crate::memory::Full;
use std::fmt::Display;
use unriddle_core::{
    Cost, Observer, Outcome, Progress, Puzzle, Quota, Score, SearchError, Solution, Stats,
};

/// Observer of a search of a puzzle.
pub(crate) type ObserverOf<'o, P> = dyn Observer<<P as Puzzle>::Action> + 'o;

/// Reason why a step of a search did not take place.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The quota of expanded or generated states is used up.
    Quota,
    /// A growth did not fit into the quota's bytes.
    Full,
    /// The search cannot continue.
    Fault(SearchError),
}

impl From<Full> for Halt {
    fn from(Full: Full) -> Self {
        Self::Full
    }
}

impl From<SearchError> for Halt {
    fn from(fault: SearchError) -> Self {
        Self::Fault(fault)
    }
}

/// Result of a search of a goal puzzle.
pub(crate) struct Report<A> {
    pub(crate) best: Option<Solution<A>>,
    /// Best proved lower bound of the optimum.
    pub(crate) bound: Option<i64>,
    pub(crate) outcome: Option<Outcome<A>>,
    pub(crate) fault: Option<SearchError>,
    /// Reason for an end without a proof.
    pub(crate) reason: Option<String>,
}

impl<A: Clone> Report<A> {
    pub(crate) const fn new() -> Self {
        Self { best: None, bound: None, outcome: None, fault: None, reason: None }
    }

    /// Fails if the best solution costs less than the bound: some estimate was too large.
    fn check_bound(&mut self) {
        if let (Some(best), Some(bound)) = (&self.best, self.bound)
            && best.value < bound
        {
            let value = best.value;
            self.fail(SearchError::InadmissibleEstimate { bound, value });
        }
    }

    /// Keeps a lower bound and notifies the observer, if the bound is better than the last one.
    pub(crate) fn prove(
        &mut self,
        bound: impl Into<i64>,
        stats: &Stats,
        observer: &mut dyn Observer<A>,
    ) {
        let bound = bound.into();
        if self.bound.is_none_or(|before| before < bound) {
            self.bound = Some(bound);
            observer.bound(bound, stats);
            self.check_bound();
        }
    }

    /// Keeps a solution and notifies the observer, if the solution is cheaper than the best one.
    pub(crate) fn offer(
        &mut self,
        found: Solution<A>,
        stats: &Stats,
        observer: &mut dyn Observer<A>,
    ) {
        if self.best.as_ref().is_none_or(|best| found.value < best.value) {
            observer.improved(&found, stats);
            self.best = Some(found);
            self.check_bound();
        }
    }

    /// Ends the search with its best solution, which is optimal if the bound has reached its cost.
    /// Without a solution the puzzle is unsolvable. A search that has failed stays so.
    pub(crate) fn finish(&mut self) {
        if self.fault.is_some() {
            return;
        }
        self.outcome = Some(match &self.best {
            Some(best) => {
                let bound = self.bound;
                Outcome::Solved { proof: bound == Some(best.value), bound, best: best.clone() }
            }
            None => Outcome::Unsolvable,
        });
    }

    /// Ends the search with a solution.
    pub(crate) fn solve(
        &mut self,
        found: Solution<A>,
        stats: &Stats,
        observer: &mut dyn Observer<A>,
    ) {
        self.offer(found, stats, observer);
        self.finish();
    }

    /// Ends the search with an error, if there is one.
    pub(crate) fn check(&mut self, result: Result<(), SearchError>) {
        if let Err(fault) = result {
            self.fail(fault);
        }
    }

    /// Ends the search with an error. The first error is kept.
    pub(crate) fn fail(&mut self, fault: SearchError) {
        self.fault.get_or_insert(fault);
        self.outcome = Some(Outcome::Exhausted { best: self.best.clone() });
    }

    /// Progress after `steps`, which have ended the search or halted, and a `fault` of the puzzle.
    pub(crate) fn progress(
        &mut self,
        steps: Result<(), Halt>,
        fault: Option<SearchError>,
    ) -> Progress<A> {
        if let Err(Halt::Fault(fault)) = &steps {
            self.fail(fault.clone());
        }
        match self.fault.clone().or(fault) {
            Some(fault) => Progress::Failed(fault),
            None => progress(steps, self.outcome.as_ref()),
        }
    }
}

/// Reason to give up a play-out, beside which and with which a search holds `bytes` bytes.
pub(crate) fn gives_up(quota: &Quota, bytes: u64) -> Option<Halt> {
    if bytes > quota.bytes {
        return Some(Halt::Full);
    }
    quota.is_over().then_some(Halt::Quota)
}

/// Outcome of a search of a score puzzle whose best line has reached the upper bound of the start,
/// the `ceiling`.
///
/// # Errors
/// The line scores more than the bound allows, or more than can be counted.
pub(crate) fn judge<A: Clone>(
    best: Option<&Solution<A>>,
    ceiling: Option<Score>,
) -> Result<Option<Outcome<A>>, Halt> {
    let Some(best) = best else { return Ok(None) };
    let value = best.value;
    if value == Score::MAX || value == Score::MIN {
        return Err(Halt::Fault(SearchError::uncountable_score()));
    }
    match ceiling {
        Some(bound) if value > bound => {
            Err(Halt::Fault(SearchError::ExceededBound { bound, value }))
        }
        Some(bound) if value == bound => Ok(Some(Outcome::proved(best.clone()))),
        _ => Ok(None),
    }
}

/// Progress after `steps`, which have ended the search with an `outcome` or halted.
pub(crate) fn progress<A: Clone>(
    steps: Result<(), Halt>,
    outcome: Option<&Outcome<A>>,
) -> Progress<A> {
    match (steps, outcome) {
        (Ok(()), Some(outcome)) => Progress::Finished(outcome.clone()),
        (Ok(()), None) | (Err(Halt::Quota), _) => Progress::Running,
        (Err(Halt::Full), _) => Progress::OutOfMemory,
        (Err(Halt::Fault(fault)), _) => Progress::Failed(fault),
    }
}

/// Estimate of the start as a search of a goal puzzle uses it: counts it, raises the bound by an
/// `admissible` one, and ends the search at a proved dead end, for which it returns `None`.
pub(crate) fn judge_start<A: Clone>(
    h: f32,
    admissible: bool,
    report: &mut Report<A>,
    stats: &mut Stats,
    observer: &mut dyn Observer<A>,
) -> Option<f32> {
    stats.evaluated += 1;
    if h == f32::INFINITY {
        report.finish();
        return None;
    }
    if admissible {
        report.prove(h as Cost, stats, observer);
    }
    Some(h)
}

/// Legal actions of a state that `last` has led to, without actions that lead straight back.
#[inline(always)]
pub(crate) fn onward<'p, P: Puzzle>(
    puzzle: &'p P,
    state: &P::State,
    last: Option<P::Action>,
) -> impl Iterator<Item = P::Action> + use<'p, P> {
    let actions = match last {
        Some(last) => puzzle.actions_after(state, last),
        None => puzzle.actions(state),
    };
    actions.filter(move |&action| last.is_none_or(|last| !puzzle.is_inverse(last, action)))
}

/// Error for a path of a cost of `least` or more, which `search` cannot count.
#[cold]
pub(crate) fn too_costly(least: &dyn Display, search: &str) -> SearchError {
    SearchError::TooLarge(format!("a path costs {least} or more, which {search} cannot hold"))
}

/// Implements [`Search`](unriddle_core::Search) by expressions of the search, the quota and the
/// observer.
macro_rules! search {
    (
        $name:ident<P: $puzzle:path $(, $type:ident: $bound:path)*>,
        |$search:ident, $quota:ident, $observer:ident| $advance:expr,
        stats: $stats:expr,
        best: $best:expr,
        bound: $proved:expr
        $(, reason: $reason:expr)?
        $(, tree: $tree:expr)?
        $(, wind_up: $wind_up:ident)? $(,)?
    ) => {
        const _: () = {
            use ::unriddle_core::{Progress, Quota, Search, Solution, Stats};

            impl<P: $puzzle $(, $type: $bound)*> Search for $name<'_, P $(, $type)*> {
                type Action = P::Action;

                fn advance(
                    &mut self,
                    $quota: &Quota,
                    $observer: &mut $crate::report::ObserverOf<'_, P>,
                ) -> Progress<P::Action> {
                    let $search = self;
                    $advance
                }

                fn stats(&self) -> Stats {
                    let $search = self;
                    $stats
                }

                fn best(&self) -> Option<&Solution<P::Action>> {
                    let $search = self;
                    $best
                }

                fn bound(&self) -> Option<i64> {
                    let $search = self;
                    $proved
                }

                $(
                    fn reason(&self) -> Option<String> {
                        let $search = self;
                        $reason
                    }
                )?

                $(
                    fn tree(&self) -> Option<::unriddle_core::TreeShape> {
                        let $search = self;
                        Some($tree)
                    }
                )?

                $(
                    fn wind_up(&mut self, observer: &mut $crate::report::ObserverOf<'_, P>) {
                        self.$wind_up(observer);
                    }
                )?
            }
        };
    };
}
pub(crate) use search;

/// Implements [`Search`](unriddle_core::Search) for a struct with the fields `puzzle`, `stats` and
/// `report` and a method `step`.
macro_rules! goal_search {
    ($name:ident<P $(, $type:ident: $bound:path)*>) => {
        $crate::report::search! {
            $name<P: ::unriddle_core::GoalPuzzle $(, $type: $bound)*>,
            |search, quota, observer| {
                let mut steps = Ok(());
                if search.puzzle.fault().is_none() {
                    while steps.is_ok() && search.report.outcome.is_none() {
                        steps = search.step(quota, observer);
                    }
                }
                search.report.progress(steps, search.puzzle.fault())
            },
            stats: search.stats,
            best: search.report.best.as_ref(),
            bound: search.report.bound,
            reason: search.report.reason.clone(),
        }
    };
}
pub(crate) use goal_search;

/// Adds the method `with_ceiling` to a search of a score puzzle with the field `ceiling`.
macro_rules! ceiling {
    ($name:ident<P: $puzzle:path $(, $type:ident: $bound:path)*>) => {
        impl<P: $puzzle $(, $type: $bound)*> $name<'_, P $(, $type)*> {
            /// Sets an upper bound of the score from the start, if one is known. The search ends
            /// with a line of this score, which is then proved optimal.
            #[must_use]
            pub fn with_ceiling(mut self, ceiling: Option<::unriddle_core::Score>) -> Self {
                self.ceiling = ceiling;
                self
            }
        }
    };
}
pub(crate) use ceiling;

/// Implements [`Search`](unriddle_core::Search) for a struct with the fields `stats`, `ceiling` and
/// `outcome` and a method `step`, whose best solution is an expression of the search.
macro_rules! score_search {
    (
        $name:ident<P: $puzzle:path $(, $type:ident: $bound:path)*>,
        |$search:ident| $best:expr
        $(, tree: $tree:expr)?
        $(, wind_up: $wind_up:ident)?
    ) => {
        $crate::report::search! {
            $name<P: $puzzle $(, $type: $bound)*>,
            |$search, quota, observer| {
                let steps = loop {
                    match $crate::report::judge(Search::best(&*$search), $search.ceiling) {
                        Err(fault) => break Err(fault),
                        Ok(Some(proved)) if $search.outcome.is_none() => {
                            observer.bound(proved.best().map_or(0, |best| best.value), &$search.stats);
                            $search.outcome = Some(proved);
                        }
                        Ok(_) => {}
                    }
                    if $search.outcome.is_some() {
                        break Ok(());
                    }
                    if let Err(halt) = $search.step(quota, observer) {
                        break Err(halt);
                    }
                };
                $crate::report::progress(steps, $search.outcome.as_ref())
            },
            stats: $search.stats,
            best: $best,
            bound: $search.outcome.as_ref().and_then(::unriddle_core::Outcome::bound),
            $(tree: $tree,)?
            $(wind_up: $wind_up,)?
        }
    };
}
pub(crate) use score_search;

/// Implements [`Search`](unriddle_core::Search) for a struct that wraps another search.
macro_rules! delegate_search {
    ($name:ident) => {
        $crate::report::search! {
            $name<P: ::unriddle_core::GoalPuzzle>,
            |search, quota, observer| search.0.advance(quota, observer),
            stats: search.0.stats(),
            best: search.0.best(),
            bound: search.0.bound(),
            reason: search.0.reason(),
        }
    };
}
pub(crate) use delegate_search;
