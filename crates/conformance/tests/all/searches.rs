//! The suite of a search finds every broken promise: sound searches pass, and each fault is found.

use unriddle_conformance::{
    Boxed, Promises, Violation,
    graph::{Estimates, Graph},
    search,
};
use unriddle_core::{Limit, Observer, Outcome, Progress, Quota, Scalar, Search, Solution, Stats};
use unriddle_search::{
    astar::{AStar, AStarConfig},
    bfs::{Bfs, BfsConfig},
    greedy::{Greedy, GreedyConfig},
    idastar::IdaStar,
};

type Estimated = Scalar<Estimates>;

fn astar<'a>(graph: &'a Graph, estimates: &'a Estimated) -> AStar<'a, Graph> {
    AStar::new(graph, estimates, AStarConfig::default()).unwrap()
}

#[test]
fn sound_searches_pass() -> Result<(), Violation> {
    search(Promises::default(), |graph, estimates| Box::new(astar(graph, estimates)))?;
    let alone = Promises { proves_alone: true, ..Promises::default() };
    search(alone, |graph, _| Box::new(Bfs::new(graph, BfsConfig::default()).unwrap()))?;
    let greedy = Promises { optimal: false, ..Promises::default() };
    search(greedy, |graph, estimates| {
        Box::new(Greedy::new(graph, estimates, GreedyConfig::default()).unwrap())
    })?;
    // Without a table, the search may run forever if there is no solution or if costs are 0.
    let deepening = Promises {
        proves_unsolvable: false,
        complete: false,
        expansions: 20_000,
        ..Promises::default()
    };
    search(deepening, |graph, estimates| Box::new(IdaStar::new(graph, &estimates.0).unwrap()))
}

#[derive(Clone, Copy, Debug)]
enum Fault {
    /// The reported value is one too small.
    Value,
    /// The last action of a solution is missing.
    Path,
    /// Every solution counts as proved.
    Proof,
    /// There is never a solution.
    Unsolvable,
    /// The search gives up at once.
    GivesUp,
    /// The end is a limit.
    Stopped,
    /// It begins anew at every call.
    Forgets,
    /// It makes two expansions where one is asked for.
    Greedy,
    /// It stops although there is quota left.
    Lazy,
    /// It does not look at the quota of generated states.
    Generated,
    /// A further call after the end returns another answer.
    Again,
    /// The search reports a bound above the optimum.
    Bound,
    /// The search reports solutions twice.
    Twice,
    /// `best` is never known.
    Best,
    /// It holds more than it may.
    Memory,
    /// The search loses its counters when it runs out of memory.
    Loses,
}

/// A sound search with a fault.
struct Faulty<'a> {
    make: Box<dyn Fn() -> Boxed<'a, u8> + 'a>,
    inner: Boxed<'a, u8>,
    fault: Fault,
    ended: u32,
    lost: u64,
}

/// Observer that forwards events, some of them with a fault.
struct Teller<'o>(&'o mut dyn Observer<u8>, Fault);

impl Observer<u8> for Teller<'_> {
    fn improved(&mut self, best: &Solution<u8>, stats: &Stats) {
        let best = match self.1 {
            Fault::Value | Fault::Path => spoilt(best, self.1),
            _ => best.clone(),
        };
        self.0.improved(&best, stats);
        if matches!(self.1, Fault::Twice) {
            self.0.improved(&best, stats);
        }
    }
    fn bound(&mut self, bound: i64, stats: &Stats) {
        let more = if matches!(self.1, Fault::Bound) { 1_000_000_000 } else { 0 };
        self.0.bound(bound + more, stats);
    }
}

fn spoilt(best: &Solution<u8>, fault: Fault) -> Solution<u8> {
    let mut best = best.clone();
    match fault {
        Fault::Value => best.value += 1,
        Fault::Path => {
            best.actions.pop();
        }
        _ => {}
    }
    best
}

impl Search for Faulty<'_> {
    type Action = u8;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<u8>) -> Progress<u8> {
        let mut quota = quota.clone();
        match self.fault {
            Fault::Forgets => self.inner = (self.make)(),
            Fault::Greedy => quota.expanded = quota.expanded.saturating_add(1),
            Fault::Generated => quota.generated = u64::MAX,
            Fault::Memory => quota.bytes = u64::MAX,
            Fault::Lazy if quota.expanded > 3 => quota.expanded = 3,
            _ => {}
        }
        let progress = self.inner.advance(&quota, &mut Teller(observer, self.fault));
        if progress == Progress::OutOfMemory {
            self.lost = 1;
        }
        let Progress::Finished(outcome) = progress else {
            return progress;
        };
        self.ended += 1;
        Progress::Finished(match (self.fault, outcome) {
            (Fault::Unsolvable, _) => Outcome::Unsolvable,
            (Fault::GivesUp, _) => Outcome::Exhausted { best: None },
            (Fault::Stopped, _) => Outcome::Stopped { why: Limit::Time, best: None, bound: None },
            (Fault::Again, _) if self.ended > 1 => Outcome::Exhausted { best: None },
            (Fault::Proof, Outcome::Solved { best, .. }) => {
                Outcome::Solved { bound: Some(best.value), proof: true, best }
            }
            (fault, Outcome::Solved { best, proof, bound }) => {
                Outcome::Solved { best: spoilt(&best, fault), proof, bound }
            }
            (_, outcome) => outcome,
        })
    }

    fn stats(&self) -> Stats {
        let stats = self.inner.stats();
        Stats {
            generated: match self.fault {
                Fault::Loses => stats.generated - self.lost.min(stats.generated),
                _ => stats.generated,
            },
            ..stats
        }
    }

    fn best(&self) -> Option<&Solution<u8>> {
        match self.fault {
            Fault::Best => None,
            _ => self.inner.best(),
        }
    }

    fn bound(&self) -> Option<i64> {
        self.inner.bound()
    }
}

#[test]
fn every_fault_is_found() {
    let faults = [
        (Fault::Value, "`best` is not the solution of the outcome"),
        (Fault::Path, "`best` is not the solution of the outcome"),
        (Fault::Proof, "a proof is claimed"),
        (Fault::Unsolvable, "`best` is not the solution of the outcome"),
        (Fault::GivesUp, "`best` is not the solution of the outcome"),
        (Fault::Stopped, "`best` is not the solution of the outcome"),
        (Fault::Forgets, "the reported events differ"),
        (Fault::Greedy, "a quota of generated states"),
        (Fault::Lazy, "the search does not come to an end"),
        (Fault::Generated, "a quota of generated states"),
        (Fault::Again, "a further call after the end returns something else"),
        (Fault::Bound, "a reported bound is above the optimum"),
        (Fault::Twice, "a reported solution is no better"),
        (Fault::Best, "`best` is not the solution of the outcome"),
        (Fault::Memory, "holds more than its limit of memory"),
        (Fault::Loses, "after lack of memory the counters are others"),
    ];
    for (fault, what) in faults {
        // A weighted search proves little, so that a proof that is made up is wrong.
        let w = if matches!(fault, Fault::Proof) { 5.0 } else { 1.0 };
        let promises = Promises { optimal: w == 1.0, ..Promises::default() };
        let found = search(promises, |graph, estimates| {
            let make = move || -> Boxed<'_, u8> {
                Box::new(AStar::new(graph, estimates, AStarConfig { w }).unwrap())
            };
            Box::new(Faulty { inner: make(), make: Box::new(make), fault, ended: 0, lost: 0 })
        });
        let found = found.expect_err(&format!("{fault:?} is found"));
        assert!(found.what().contains(what), "{fault:?}: {found}");
        assert!(found.fact("instance").is_some(), "{fault:?}: {found}");
    }
}

/// A search that consistently reports a wrong outcome.
struct Wrong<'a> {
    inner: AStar<'a, Graph>,
    outcome: fn(Option<&Solution<u8>>) -> Outcome<u8>,
}

impl Search for Wrong<'_> {
    type Action = u8;

    fn advance(&mut self, quota: &Quota, _: &mut dyn Observer<u8>) -> Progress<u8> {
        match self.inner.advance(quota, &mut ()) {
            Progress::Finished(_) => Progress::Finished((self.outcome)(self.inner.best())),
            other => other,
        }
    }
    fn stats(&self) -> Stats {
        self.inner.stats()
    }
}

#[test]
fn wrong_answers_are_found() {
    type Answer = fn(Option<&Solution<u8>>) -> Outcome<u8>;
    let answers: [(Answer, &str); 3] = [
        (|_| Outcome::Unsolvable, "no solution is claimed to exist"),
        (|_| Outcome::Exhausted { best: None }, "the search gives up"),
        (
            |_| Outcome::Stopped { why: Limit::Memory, best: None, bound: None },
            "ends with `Stopped`",
        ),
    ];
    for (outcome, what) in answers {
        let found = search(Promises::default(), |graph, estimates| {
            let inner = astar(graph, estimates);
            Box::new(Wrong { inner, outcome })
        });
        let found = found.unwrap_err();
        assert!(found.what().contains(what), "{found}");
    }
}

/// A search that does not keep a claimed promise is rejected.
#[test]
fn broken_promises_are_found() {
    let found = search(Promises::default(), |graph, estimates| {
        Box::new(Greedy::new(graph, estimates, GreedyConfig::default()).unwrap())
    });
    let found = found.unwrap_err();
    assert!(found.what().contains("a proved optimum is promised"), "{found}");
    assert!(found.fact("edges").is_some(), "{found}");
    let found =
        search(Promises { expansions: 20_000, ..Promises::default() }, |graph, estimates| {
            Box::new(IdaStar::new(graph, &estimates.0).unwrap())
        });
    assert!(found.is_err());
}
