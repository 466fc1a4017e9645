//! Results of searches, and the loop around the steps of a resumable search.

use crate::memory::Full;
use unriddle_core::{Cost, Observer, Outcome, Progress, Puzzle, SearchError, Solution, Stats};

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
    pub(crate) bound: Option<Cost>,
    pub(crate) outcome: Option<Outcome<A>>,
    pub(crate) fault: Option<SearchError>,
}

impl<A: Clone> Report<A> {
    pub(crate) const fn new() -> Self {
        Self { best: None, bound: None, outcome: None, fault: None }
    }

    /// Keeps a lower bound and notifies the observer, if the bound is better than the last one.
    pub(crate) fn prove(&mut self, bound: Cost, stats: &Stats, observer: &mut dyn Observer<A>) {
        if self.bound.is_none_or(|before| before < bound) {
            self.bound = Some(bound);
            observer.bound(i64::from(bound), stats);
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
        }
    }

    /// Ends the search with its best solution, which is optimal if the bound has reached its cost.
    /// Without a solution the puzzle is unsolvable.
    pub(crate) fn finish(&mut self) {
        self.outcome = Some(match &self.best {
            Some(best) => {
                let bound = self.bound.map(|bound| i64::from(bound).min(best.value));
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

    /// Ends the search with an error.
    pub(crate) fn fail(&mut self, fault: SearchError) {
        self.fault = Some(fault);
        self.outcome = Some(Outcome::Exhausted { best: self.best.clone() });
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

/// Error for a path whose cost `search` cannot count.
#[cold]
pub(crate) fn too_costly(search: &str) -> SearchError {
    SearchError::TooLarge(format!("a path costs 2^32 or more, which {search} cannot hold"))
}

/// Takes steps until the search ends, `step` halts or fails.
#[inline(always)]
pub(crate) fn advance_steps<S, A: Clone>(
    search: &mut S,
    outcome: impl Fn(&S) -> Option<&Outcome<A>>,
    mut step: impl FnMut(&mut S) -> Result<(), Halt>,
) -> Progress<A> {
    loop {
        if let Some(outcome) = outcome(search) {
            return Progress::Finished(outcome.clone());
        }
        match step(search) {
            Ok(()) => {}
            Err(Halt::Quota) => return Progress::Running,
            Err(Halt::Full) => return Progress::OutOfMemory,
            Err(Halt::Fault(fault)) => return Progress::Failed(fault),
        }
    }
}

/// Implements [`Search`](unriddle_core::Search) for a struct with the fields `puzzle`, `stats` and
/// `report`, and a function `step(&mut self, quota, observer) -> Result<(), Halt>`.
macro_rules! goal_search {
    ($name:ident<P $(, $type:ident: $bound:path)*>) => {
        impl<P: ::unriddle_core::GoalPuzzle $(, $type: $bound)*> $name<'_, P $(, $type)*> {
            /// Error of the search or of its puzzle.
            fn fault(&self) -> Option<::unriddle_core::SearchError> {
                self.report.fault.clone().or_else(|| self.puzzle.fault())
            }
        }

        impl<P: ::unriddle_core::GoalPuzzle $(, $type: $bound)*> ::unriddle_core::Search
            for $name<'_, P $(, $type)*>
        {
            type Action = P::Action;

            fn advance(
                &mut self,
                quota: &::unriddle_core::Quota,
                observer: &mut dyn ::unriddle_core::Observer<P::Action>,
            ) -> ::unriddle_core::Progress<P::Action> {
                ::unriddle_core::Progress::guarded(self, Self::fault, |search| {
                    $crate::report::advance_steps(
                        search,
                        |search| search.report.outcome.as_ref(),
                        |search| match search.step(quota, observer) {
                            Err($crate::report::Halt::Fault(fault)) => {
                                search.report.fail(fault.clone());
                                Err(fault.into())
                            }
                            result => result,
                        },
                    )
                })
            }

            fn stats(&self) -> ::unriddle_core::Stats {
                self.stats
            }

            fn best(&self) -> Option<&::unriddle_core::Solution<P::Action>> {
                self.report.best.as_ref()
            }

            fn bound(&self) -> Option<i64> {
                self.report.bound.map(i64::from)
            }
        }
    };
}
pub(crate) use goal_search;

/// Implements [`Search`](unriddle_core::Search) for a search of a score puzzle with the fields
/// `stats` and `outcome`, and a function `step(&mut self, quota, observer) -> Result<(), Halt>`.
/// `$best` returns its best line.
macro_rules! score_search {
    ($name:ident<P: $puzzle:path $(, $type:ident: $bound:path)*>, $best:expr) => {
        impl<P: $puzzle $(, $type: $bound)*> ::unriddle_core::Search for $name<'_, P $(, $type)*> {
            type Action = P::Action;

            fn advance(
                &mut self,
                quota: &::unriddle_core::Quota,
                observer: &mut dyn ::unriddle_core::Observer<P::Action>,
            ) -> ::unriddle_core::Progress<P::Action> {
                $crate::report::advance_steps(
                    self,
                    |search| search.outcome.as_ref(),
                    |search| search.step(quota, observer),
                )
            }

            fn stats(&self) -> ::unriddle_core::Stats {
                self.stats
            }

            fn best(&self) -> Option<&::unriddle_core::Solution<P::Action>> {
                let best: fn(&Self) -> Option<&::unriddle_core::Solution<P::Action>> = $best;
                best(self)
            }

            fn bound(&self) -> Option<i64> {
                self.outcome.as_ref().and_then(::unriddle_core::Outcome::bound)
            }
        }
    };
}
pub(crate) use score_search;

/// Implements [`Search`](unriddle_core::Search) for a struct whose only field is another search.
macro_rules! delegate_search {
    ($name:ident) => {
        impl<P: ::unriddle_core::GoalPuzzle> ::unriddle_core::Search for $name<'_, P> {
            type Action = P::Action;

            fn advance(
                &mut self,
                quota: &::unriddle_core::Quota,
                observer: &mut dyn ::unriddle_core::Observer<P::Action>,
            ) -> ::unriddle_core::Progress<P::Action> {
                self.0.advance(quota, observer)
            }

            fn stats(&self) -> ::unriddle_core::Stats {
                self.0.stats()
            }

            fn best(&self) -> Option<&::unriddle_core::Solution<P::Action>> {
                self.0.best()
            }

            fn bound(&self) -> Option<i64> {
                self.0.bound()
            }
        }
    };
}
pub(crate) use delegate_search;
