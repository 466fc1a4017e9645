//! Views of a problem searched side by side: equivalent problems, of which the shortest solution
//! counts.
//!
//! A *view* is a problem whose solutions give solutions of the same cost: the mirror image of a
//! board, or its *inverse problem*, which leads from the goal back to the board. A heuristic that
//! errs on one view's way errs elsewhere on another's, so that an incomplete search of each view
//! finds solutions of different costs.
//!
//! The views take turns: each expands as many states as the others, to the end of a *round*. After
//! a round in which a solution was found, the others seek only cheaper ones, and a proof ends the
//! search. Threads advance
//! several views at once. The turns, and so the result at any limit of expansions, are the same for
//! any number of threads.
//!
//! Memory: the sum over the views, each of which may use an equal share of the quota.
//!
//! References: A. Felner and others, "Dual Lookups in Pattern Databases", IJCAI 2005, for the
//! inverse problem of a permutation; U. Zahavi and others, "Dual Search in Permutation State
//! Spaces", AAAI 2006, for searching it.

use crate::{
    report::{Halt, Report},
    threads::timed_map,
};
use std::time::Duration;
use unriddle_core::{Cost, Observer, Outcome, Progress, Quota, Search, Solution, Stats};

/// Search whose bound on the cost of solutions can fall while it runs.
pub trait SeekBelow: Search {
    /// Seeks only solutions that cost less than `below` from now on.
    fn seek_below(&mut self, below: Cost);
}

/// Function that makes a solution of the problem of the actions that solve a view.
pub type Back<'a, A> = Box<dyn Fn(&[A]) -> Solution<A> + Send + Sync + 'a>;

/// Search of a view, and the way back to the problem.
pub struct View<'a, A> {
    /// The search of the view.
    pub search: Box<dyn SeekBelow<Action = A> + Send + 'a>,
    /// The way back.
    pub back: Back<'a, A>,
    /// Whether bounds that the view proves are bounds of the problem.
    pub proves: bool,
}

/// A view and its state.
struct Lane<'a, A> {
    view: View<'a, A>,
    /// The last bound that its search received.
    below: Option<Cost>,
    /// Number of expansions at which its turn ends.
    target: u64,
    has_ended: bool,
}

/// Searches of several views side by side.
///
/// ```
/// # use unriddle_core::{GoalPuzzle, Puzzle};
/// # unriddle_core::toy!(Stairs: GoalPuzzle);
/// use unriddle_core::{Blind, Budget, Scalar, Solution, run};
/// use unriddle_search::{
///     beam::{Beam, BeamConfig},
///     views::{View, Views},
/// };
///
/// let (stairs, blind) = (Stairs(9), Scalar(Blind));
/// let view = || View {
///     search: Box::new(Beam::new(&stairs, &blind, BeamConfig::default()).unwrap()),
///     back: Box::new(|actions: &[u8]| Solution::played(&stairs, actions.to_vec())),
///     proves: true,
/// };
/// let mut search = Views::new(vec![view(), view()], 1000, 2);
/// let outcome = run(&mut search, &Budget::default(), &mut ())?;
/// assert_eq!(outcome.best().unwrap().value, 5);
/// # Ok::<(), unriddle_core::SearchError>(())
/// ```
pub struct Views<'a, A> {
    lanes: Vec<Lane<'a, A>>,
    /// Expansions of a view in a round.
    round: u64,
    /// Expansions of each view at the end of the current round.
    level: u64,
    threads: usize,
    /// CPU time of helper threads.
    helper: Duration,
    report: Report<A>,
    /// The view that found the best solution.
    finder: usize,
    /// Whether a view proved that there is no solution.
    is_unsolvable: bool,
}

impl<'a, A: Copy + Send + Sync> Views<'a, A> {
    /// Creates a search of `views` that has not begun, with rounds of `round` expansions of each
    /// view, on at most `threads` threads. The earliest view decides between equal
    /// solutions.
    #[must_use]
    pub fn new(views: Vec<View<'a, A>>, round: u64, threads: usize) -> Self {
        let lane = |view| Lane { view, below: None, target: 0, has_ended: false };
        Self {
            lanes: views.into_iter().map(lane).collect(),
            round: round.max(1),
            level: round.max(1),
            threads,
            helper: Duration::ZERO,
            report: Report::new(),
            finder: 0,
            is_unsolvable: false,
        }
    }

    /// Seeks only solutions that cost less than `below`, if it is given.
    /// [`Outcome::Unsolvable`] then means that no cheaper solution exists.
    #[must_use]
    pub fn below(mut self, below: Option<Cost>) -> Self {
        for lane in &mut self.lanes {
            lane.seek_below(below);
        }
        self
    }

    /// Whether every view has ended or expanded its share of the round.
    fn has_ended_round(&self) -> bool {
        self.lanes.iter().all(|lane| lane.has_ended || lane.expanded() >= self.level)
    }

    /// Number of views that have not ended.
    fn active(&self) -> usize {
        self.lanes.iter().filter(|lane| !lane.has_ended).count()
    }

    /// Sets the end of each view's turn, so that the views share all expansions that are left
    /// equally, up to the end of the round.
    fn assign(&mut self, left: u64) {
        let active = self.active() as u64;
        let lanes = || self.lanes.iter().filter(|lane| !lane.has_ended);
        let done: u64 = lanes().map(Lane::expanded).sum();
        let total = done.saturating_add(left);
        let (each, mut more) = (total / active, total % active);
        for lane in self.lanes.iter_mut().filter(|lane| !lane.has_ended) {
            let share = each + u64::from(more > 0);
            more = more.saturating_sub(1);
            lane.target = share.min(self.level);
        }
    }

    /// Lets the views take their turns.
    fn advance_views(&mut self, quota: &Quota) -> Vec<(usize, Progress<A>)> {
        let (all, active) = (self.lanes.len() as u64, self.active() as u64);
        let left = quota.generated.saturating_sub(self.stats().generated);
        let bytes = quota.bytes / all;
        let turns = self.lanes.iter_mut().enumerate();
        let turns: Vec<_> = turns.filter(|(_, lane)| lane.has_turn()).collect();
        let (results, helped) = timed_map(turns, self.threads, |(i, lane)| {
            let search = &mut lane.view.search;
            let generated = search.stats().generated.saturating_add((left / active).max(1));
            let share = Quota { expanded: lane.target, generated, bytes, ..quota.clone() };
            (i, search.advance(&share, &mut ()))
        });
        self.helper += helped;
        results
    }

    /// Takes over the end of a view.
    fn end(&mut self, i: usize, outcome: &Outcome<A>, observer: &mut dyn Observer<A>) {
        let stats = self.stats();
        let Lane { view, below, has_ended, .. } = &mut self.lanes[i];
        *has_ended = true;
        if view.proves
            && let Some(bound) = outcome.bound()
        {
            self.report.prove(bound, &stats, observer);
        }
        let best = self.report.best.as_ref().map(|best| best.value);
        match (outcome.best(), best) {
            (Some(found), None) => {
                self.finder = i;
                self.report.offer((view.back)(&found.actions), &stats, observer);
            }
            (Some(found), Some(best)) => {
                let found = (view.back)(&found.actions);
                if found.value < best {
                    self.finder = i;
                    self.report.offer(found, &stats, observer);
                } else if found.value == best && i < self.finder {
                    // The result does not depend on which view comes to its end first.
                    self.finder = i;
                    self.report.best = Some(found);
                }
            }
            // The view has tried every way.
            (None, best) if matches!(outcome, Outcome::Unsolvable) => match (best, *below) {
                (None, _) => self.is_unsolvable = true,
                (Some(_), Some(below)) => self.report.prove(below, &stats, observer),
                (Some(_), None) => {}
            },
            (None, _) => {}
        }
    }

    /// Ends the search after a round, or begins the next one, in which all views seek solutions
    /// that are cheaper than the best.
    fn end_round(&mut self) {
        let best = self.report.best.as_ref().map(|best| best.value);
        if self.is_unsolvable || best.is_some() && best == self.report.bound {
            self.report.finish();
        } else if self.active() == 0 {
            self.close();
        } else {
            self.level = self.level.saturating_add(self.round);
            let below = best.and_then(|best| Cost::try_from(best).ok());
            for lane in self.lanes.iter_mut().filter(|lane| !lane.has_ended) {
                lane.seek_below(below);
            }
        }
    }

    /// Ends the search without a proof.
    fn close(&mut self) {
        self.report.outcome = Some(match self.report.best.clone() {
            Some(best) => Outcome::Solved { proof: false, bound: self.report.bound, best },
            None => Outcome::Exhausted { best: None },
        });
        let mut reasons = self.lanes.iter().filter_map(|lane| lane.view.search.reason());
        self.report.reason = reasons.next();
    }

    fn take_steps(&mut self, quota: &Quota, observer: &mut dyn Observer<A>) -> Result<(), Halt> {
        while self.report.outcome.is_none() {
            let stats = self.stats();
            if self.has_ended_round() {
                self.end_round();
                continue;
            }
            if quota.is_used_up(&stats) {
                return Err(Halt::Quota);
            }
            self.assign(quota.expanded.saturating_sub(stats.expanded));
            let mut halt = Ok(());
            for (i, progress) in self.advance_views(quota) {
                match progress {
                    Progress::Running => {}
                    Progress::Finished(outcome) => self.end(i, &outcome, observer),
                    Progress::OutOfMemory => halt = halt.and(Err(Halt::Full)),
                    Progress::Failed(fault) => halt = Err(Halt::Fault(fault)),
                }
            }
            halt?;
            if quota.is_over() {
                return Err(Halt::Quota);
            }
        }
        Ok(())
    }
}

impl<A: Clone> Lane<'_, A> {
    fn expanded(&self) -> u64 {
        self.view.search.stats().expanded
    }

    fn has_turn(&self) -> bool {
        !self.has_ended && self.target > self.expanded()
    }

    /// Passes a bound on to the search.
    fn seek_below(&mut self, below: Option<Cost>) {
        if let Some(below) = below.filter(|&below| self.below.is_none_or(|old| below < old)) {
            self.below = Some(below);
            self.view.search.seek_below(below);
        }
    }
}

impl<A: Copy + Send + Sync> Search for Views<'_, A> {
    type Action = A;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<A>) -> Progress<A> {
        let steps = self.take_steps(quota, observer);
        self.report.progress(steps, None)
    }

    fn stats(&self) -> Stats {
        let all = self.lanes.iter().map(|lane| lane.view.search.stats());
        let own = Stats { helper_cpu: self.helper, ..Stats::default() };
        all.fold(own, |sum, stats| {
            let peak_bytes = sum.peak_bytes + stats.peak_bytes;
            Stats { peak_bytes, ..stats.after(sum) }
        })
    }

    fn best(&self) -> Option<&Solution<A>> {
        self.report.best.as_ref()
    }

    fn bound(&self) -> Option<i64> {
        self.report.bound
    }

    fn reason(&self) -> Option<String> {
        self.report.reason.clone()
    }
}
