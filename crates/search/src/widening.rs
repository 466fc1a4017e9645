//! Beams one after another, each twice as wide as the one before: an answer soon, and better ones while there is time.
//!
//! The first beam has 1/256 of the configured width, and there is no end but that of the budget: a beam wider than
//! configured follows as well. After the first solution a beam seeks only cheaper ones, so that it is given up once a
//! whole layer costs as much. A beam without a solution is given up after 1024 layers if it is the first, after twice as
//! many if it is the second, and so on: a narrow beam may circle.
//!
//! A beam that cut nothing off and found nothing cheaper proves the best solution optimal, or that there is none.
//! Counters are the sums of all beams' ones. The order of work depends on nothing but the configuration, so that a limit
//! of expansions always stops at the same place.
//!
//! Memory: that of the beam in hand, and the best solution.
//!
//! Reference: R. Zhou and E. A. Hansen, "Beam-Stack Search", ICAPS 2005, on beams as anytime searches; W. Zhang,
//! "Complete Anytime Beam Search", AAAI 1998, on beams that are weakened step by step.

use crate::{
    beam::{BeamConfig, MAX_WIDTH},
    memory::vec_bytes,
    turns::{Before, Inner, Turns},
};
use unriddle_core::{
    Cost, Observer, Outcome, Progress, Quota, Search, SearchError, Solution, Stats,
};

/// What the width of the first beam is divided by.
const BEGIN: usize = 256;
/// Layers of the first beam, at most.
const LAYERS: u32 = 1024;

/// Beams that widen; `F` makes one, given its configuration and what a solution has to cost less than.
///
/// ```
/// # use unriddle_core::{GoalPuzzle, Numbers, Puzzle};
/// # struct Stairs(u8);
/// # impl Puzzle for Stairs {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Numbers;
/// #     fn initial_state(&self) -> u8 { self.0 }
/// #     fn actions(&self, stair: &u8) -> Numbers { Numbers::new(1, (*stair).min(2)) }
/// #     fn apply(&self, stair: &u8, steps: u8) -> u8 { stair - steps }
/// # }
/// # impl GoalPuzzle for Stairs {
/// #     fn is_goal(&self, stair: &u8) -> bool { *stair == 0 }
/// # }
/// use unriddle_core::{Blind, Budget, Scalar, run};
/// use unriddle_search::{beam::{Beam, BeamConfig}, widening::Widening};
///
/// let stairs = Stairs(9);
/// let blind = Scalar(Blind);
/// let config = BeamConfig { width: 256, ..BeamConfig::default() };
/// let mut search = Widening::new(config, |config, below| {
///     Ok(Box::new(Beam::new(&stairs, &blind, config)?.below(below)))
/// });
/// let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
/// assert_eq!(outcome.best().unwrap().value, 5);
/// // A beam cut nothing off, so that the search ended of itself.
/// assert!(outcome.is_optimal());
/// ```
pub struct Widening<'a, A, F> {
    make: F,
    config: BeamConfig,
    /// Beams that were begun.
    begun: u32,
    turns: Turns<'a, A>,
    best: Option<Solution<A>>,
    bound: Option<i64>,
    outcome: Option<Outcome<A>>,
    fault: Option<SearchError>,
}

impl<'a, A, F> Widening<'a, A, F>
where
    A: Clone,
    F: FnMut(BeamConfig, Option<Cost>) -> Result<Inner<'a, A>, SearchError>,
{
    /// A search that has not begun.
    pub fn new(config: BeamConfig, make: F) -> Self {
        Self {
            make,
            config,
            begun: 0,
            turns: Turns::new(),
            best: None,
            bound: None,
            outcome: None,
            fault: None,
        }
    }

    /// The width of a beam by its number; `None` if the one before was the widest.
    fn width(&self, number: u32) -> Option<usize> {
        let first = (self.config.width / BEGIN).max(1);
        let width =
            |number: u32| first.saturating_mul(1_usize.checked_shl(number).unwrap_or(usize::MAX));
        let is_new = number == 0 || width(number - 1) < MAX_WIDTH;
        is_new.then(|| width(number).min(MAX_WIDTH))
    }

    /// Begins the next beam, or ends.
    fn begin(&mut self) {
        let Some(width) = self.width(self.begun) else {
            self.outcome = Some(match self.best.clone() {
                Some(best) => Outcome::Solved { best, proof: false, bound: self.bound },
                None => Outcome::Exhausted { best: None },
            });
            return;
        };
        let layers = LAYERS.saturating_mul(1_u32.checked_shl(self.begun).unwrap_or(u32::MAX));
        let config =
            BeamConfig { width, max_depth: self.config.max_depth.min(layers), ..self.config };
        self.begun += 1;
        // Costs of actions are sums of 32 bits, or the beam fails.
        let below = self.best.as_ref().and_then(|best| best.value.try_into().ok());
        match (self.make)(config, below) {
            Ok(beam) => self.turns.begin(beam),
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// What the end of a beam means for the whole; `None` if it goes on.
    fn ended(&self, beam: &Outcome<A>) -> Option<Outcome<A>> {
        let is_bound = |best: &Solution<A>| self.bound == Some(best.value);
        let is_least = matches!(beam, Outcome::Unsolvable)
            || beam.is_optimal()
            || self.best.as_ref().is_some_and(is_bound);
        is_least.then(|| match &self.best {
            None => Outcome::Unsolvable,
            Some(best) => {
                Outcome::Solved { best: best.clone(), proof: true, bound: Some(best.value) }
            }
        })
    }
}

/// Passes on what is better than all that earlier beams found.
struct Better<'s, A> {
    before: Before,
    best: &'s mut Option<Solution<A>>,
    bound: &'s mut Option<i64>,
    observer: &'s mut dyn Observer<A>,
}

impl<A: Clone> Observer<A> for Better<'_, A> {
    fn improved(&mut self, best: &Solution<A>, stats: &Stats) {
        let is_better = |old: &Solution<A>| best.value < old.value;
        if self.best.as_ref().is_none_or(is_better) {
            *self.best = Some(best.clone());
            self.observer.improved(best, &self.before.and(*stats));
        }
    }
    fn bound(&mut self, bound: i64, stats: &Stats) {
        if self.bound.is_none_or(|old| bound > old) {
            *self.bound = Some(bound);
            self.observer.bound(bound, &self.before.and(*stats));
        }
    }
}

impl<'a, A, F> Search for Widening<'a, A, F>
where
    A: Clone,
    F: FnMut(BeamConfig, Option<Cost>) -> Result<Inner<'a, A>, SearchError>,
{
    type Action = A;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<A>) -> Progress<A> {
        loop {
            if let Some(fault) = &self.fault {
                return Progress::Failed(fault.clone());
            }
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            if self.turns.get().is_none() {
                if quota.is_used_up(&self.turns.stats()) {
                    return Progress::Running;
                }
                self.begin();
                continue;
            }
            let own = (self.best.as_ref()).map_or(0, |best| vec_bytes(&best.actions));
            let mut better = Better {
                before: self.turns.before(own),
                best: &mut self.best,
                bound: &mut self.bound,
                observer,
            };
            match self.turns.advance(quota, u64::MAX, own, &mut better) {
                Progress::Finished(outcome) => {
                    self.outcome = self.ended(&outcome);
                    self.turns.end();
                }
                Progress::Failed(fault) => self.fault = Some(fault),
                stopped => return stopped,
            }
        }
    }

    fn stats(&self) -> Stats {
        self.turns.stats()
    }

    fn best(&self) -> Option<&Solution<A>> {
        self.best.as_ref()
    }

    fn bound(&self) -> Option<i64> {
        self.bound
    }
}
