//! Beams that widen.

use crate::common::*;
use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};
use unriddle_conformance::graph::{Estimates, Graph};
use unriddle_core::{
    BatchHeuristic, Budget, Cancel, GoalPuzzle, Guarantee, Limit, Observer, Outcome, Progress,
    Quota, Rng, Row, Scalar, Search, SearchError, Solution, Stats, run,
};
use unriddle_search::{
    beam::{Beam, BeamConfig},
    widening::Widening,
};

/// Without a limit the search continues until a beam cuts off no state, which proves the optimum if
/// all costs are 1.
#[test]
fn they_end_with_a_proof() {
    let mut rng = Rng::new(71);
    let h = Scalar(Manhattan);
    for _ in 0..8 {
        let puzzle = Sliding::scrambled(3, 2, 300, &mut rng);
        let mut search = widening(&puzzle, &h, 2560);
        let mut events = Events::default();
        let outcome = finish(&mut *search, &mut events);
        assert!(outcome.is_optimal());
        let best = outcome.best().expect("it is solved");
        assert_eq!(Some(check(&puzzle, best)), optimum(&puzzle));
        let values = &events.improved;
        assert!(values.is_sorted_by(|a, b| a.0.value > b.0.value), "only better ones are told of");
        assert_eq!(values.last().map(|(last, _)| last), Some(best));
    }
    let outcome = finish(&mut *widening(&Sliding::unsolvable(3, 2), &h, 2560), &mut ());
    assert_eq!(outcome, Outcome::Unsolvable);
}

/// A limit leaves the best so far, and more work never a worse one.
#[test]
fn more_work_is_never_worse() {
    let puzzle = Sliding::scrambled(4, 4, 1000, &mut Rng::new(72));
    let h = Scalar(Manhattan);
    let mut before = None;
    for expansions in [1_000, 10_000, 100_000, 300_000] {
        let mut search = widening(&puzzle, &h, 2560);
        let budget = Budget { expansions: Some(expansions), ..Default::default() };
        let outcome = run(&mut *search, &budget, &mut ()).expect("it does not fail");
        assert_eq!(search.stats().expanded, expansions);
        let Outcome::Stopped { why, best, .. } = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!(why, Limit::Expansions);
        let value = best.map(|best| check(&puzzle, &best));
        assert!(before.is_none() || value <= before, "{value:?} after {before:?}");
        before = value;
    }
    assert!(before.is_some());
}

/// A reported proof is valid with different costs.
#[test]
fn proofs_where_costs_differ() {
    let mut rng = Rng::new(73);
    let mut proved = 0;
    for round in 0..300 {
        let puzzle = Graph::random(40, 4, 1 + round % 12, &mut rng);
        let h = Scalar(Estimates::admissible(&puzzle, &mut rng));
        let outcome = finish(&mut *widening(&puzzle, &h, 256), &mut ());
        match optimum(&puzzle) {
            None => assert_eq!(outcome.best(), None),
            Some(optimum) => {
                assert_ne!(outcome, Outcome::Unsolvable);
                assert!(outcome.best().is_none_or(|best| best.value >= optimum));
                if outcome.is_optimal() {
                    assert_eq!(outcome.best().map(|best| best.value), Some(optimum));
                    proved += 1;
                }
            }
        }
    }
    assert!(proved > 50, "{proved}");
}

/// Manhattan distances, and the number of states that were estimated: a clock that no load slows.
struct Counted {
    estimates: AtomicU64,
    /// Time of an estimate.
    each: Duration,
}

impl Counted {
    fn new(each: Duration) -> Self {
        Self { estimates: AtomicU64::new(0), each }
    }

    fn time(&self) -> Duration {
        self.each * self.estimates.load(Ordering::Relaxed) as u32
    }
}

impl<P: GoalPuzzle> BatchHeuristic<P> for Counted
where
    Scalar<Manhattan>: BatchHeuristic<P>,
{
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        self.estimates.fetch_add(rows.len() as u64, Ordering::Relaxed);
        BatchHeuristic::<P>::evaluate(&Scalar(Manhattan), rows, out);
    }
}

/// A limit of the counted time: raises the cancel flag.
struct Deadline<'a> {
    clock: &'a Counted,
    limit: Duration,
    cancel: Cancel,
    /// Time and value of each solution.
    found: Vec<(Duration, i64)>,
}

impl<A> Observer<A> for Deadline<'_> {
    fn improved(&mut self, best: &Solution<A>, _: &Stats) {
        self.found.push((self.clock.time(), best.value));
    }
    fn progress(&mut self, _: &Stats) {
        if self.clock.time() >= self.limit {
            self.cancel.cancel();
        }
    }
    /// The clock is looked at often.
    fn room(&self) -> u64 {
        16
    }
}

/// Times and values of the solutions of a 15-puzzle within `limit`, by beams of which the widest
/// one without a limit has a width of `width`.
fn timed(width: usize, each: Duration, limit: Duration) -> Vec<(Duration, i64)> {
    let puzzle = Sliding::scrambled(4, 4, 1000, &mut Rng::new(74));
    let clock = Counted::new(each);
    let config = BeamConfig { width, ..BeamConfig::default() };
    let search = Widening::new(config, |config, below| {
        Ok(Box::new(Beam::new(&puzzle, &clock, config)?.below(below)))
    });
    let mut search = search.paced(limit, || clock.time());
    let cancel = Cancel::default();
    let budget = Budget { cancel: cancel.clone(), ..Budget::default() };
    let mut deadline = Deadline { clock: &clock, limit, cancel, found: Vec::new() };
    let outcome = run(&mut search, &budget, &mut deadline).expect("it does not fail");
    assert!(matches!(outcome, Outcome::Stopped { why: Limit::Cancelled, .. }), "{outcome:?}");
    let best = outcome.best().expect("a narrow beam answers");
    check(&puzzle, best);
    assert_eq!(deadline.found.last().map(|&(_, value)| value), Some(best.value));
    deadline.found
}

/// However wide the configured beam is and however slow the machine: the first beam answers within
/// a tenth of the limit, and wider ones find better solutions.
#[test]
fn a_narrow_beam_answers_first() {
    let limit = Duration::from_secs(4);
    for width in [5_000, 100_000, 1_000_000] {
        let found = timed(width, Duration::from_micros(20), limit);
        assert!(found[0].0 <= limit / 10, "{found:?}");
        assert!(found.len() > 2 && found[found.len() - 1].0 > limit / 4, "{found:?}");
    }
    // The first beam is too slow here, and takes turns with others.
    let found = timed(100_000, Duration::from_micros(100), limit);
    assert!(!found.is_empty(), "{found:?}");
}

/// Beam that finds a solution if it is narrow, and otherwise does not fit into the memory.
struct Narrow(usize);

impl Search for Narrow {
    type Action = ();

    fn advance(&mut self, _: &Quota, observer: &mut dyn Observer<()>) -> Progress<()> {
        if self.0 > 100 {
            return Progress::Failed(SearchError::TooLarge("a wide beam".to_owned()));
        }
        let best = Solution { actions: Vec::new(), value: 1000 - self.0 as i64 };
        observer.improved(&best, &self.stats());
        Progress::Finished(Outcome::Solved { best, proof: false, bound: None })
    }
    fn stats(&self) -> Stats {
        Stats::default()
    }
}

#[test]
fn a_beam_that_does_not_fit_into_the_memory_keeps_the_solution() {
    let search = |width| {
        let config = BeamConfig { width, ..BeamConfig::default() };
        Widening::new(config, |config: BeamConfig, _| Ok(Box::new(Narrow(config.width))))
    };
    let budget = Budget { memory: Some(1), ..Budget::default() };
    for is_paced in [false, true] {
        let mut search = search(256 * 8);
        if is_paced {
            search = search.paced(Duration::from_secs(1), || Duration::ZERO);
        }
        let outcome = run(&mut search, &budget, &mut ()).expect("it does not fail");
        let Outcome::Stopped { why: Limit::Memory, best: Some(best), .. } = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!(best.value, if is_paced { 968 } else { 936 });
    }
    // Nothing is solved: the reason is an error.
    assert!(run(&mut search(256 * 256), &budget, &mut ()).is_err());
}
