//! Quadratic assignment by robust tabu search.
//!
//! A move exchanges two facilities. The change of cost of every exchange is kept up to date: after
//! a move, the changes of exchanges of other facilities are updated by a formula of constant
//! length, and the others are recomputed. Every iteration makes the best exchange among exchanges
//! that are not tabu, lead to a new best assignment, or were last made so long ago that they
//! are due. Both facilities are then barred from their old locations for a random time.
//!
//! An iteration costs *O(n²)*. The search has no end of its own. A restart begins from a random
//! assignment after a number of iterations.
//!
//! Reference: É. D. Taillard, "Robust taboo search for the quadratic assignment problem" (Parallel
//! Computing 17, 1991), whose parameters are the defaults.

use crate::qap::Qap;
use unriddle_core::{
    Info, Observer, Options, Outcome, Progress, Quota, Rng, Role, Search, SearchError, Solution,
    Stats, options,
};

/// Declaration of `robust-tabu`.
pub const INFO: Info = Info {
    guarantee: "incomplete",
    requires: "qap",
    reference: "Taillard 1991, Robust taboo search for the quadratic assignment problem, Parallel Computing 17",
    parameters: TabuConfig::PARAMETERS,
    ..Info::new(Role::Search, "robust-tabu", "robust tabu search; an iteration counts as a state")
};

options! {
    /// Options of [`Tabu`].
    #[derive(Copy)]
    pub struct TabuConfig of INFO {
        tenure: f64 = "1" in 0.001..=1000.0,
            "mean tabu time (iterations per facility)",
            "A facility that leaves a location is barred from it for a random number of \
             iterations with this mean, times the number of facilities.";
        due: f64 = "2.2" in 0.001..=1000.0,
            "time after which an exchange is forced (times n²)",
            "An exchange that has not been made for `due` · n² iterations is made next, even if \
             it is tabu.";
        iterations: u64 = "1000000" in 0..=1 << 40, "iterations of a run (0 = unlimited)";
        runs: u64 = "0" in 0..=1 << 40, "number of runs (0 = unlimited)";
    }
    also {
        /// Seed.
        seed: u64 = 0;
    }
}

/// Robust tabu search. Iterations count as expanded; a solution's actions are the locations of the
/// facilities, from 0.
pub struct Tabu<'a> {
    qap: &'a Qap,
    config: TabuConfig,
    rng: Rng,
    /// The location of every facility.
    at: Vec<u16>,
    cost: i64,
    /// Change of cost by an exchange of *i* and *j* > *i*.
    deltas: Vec<i64>,
    /// By facility and location: the iteration until which the facility may not go there.
    barred: Vec<u64>,
    /// Iterations of this run.
    iteration: u64,
    runs: u64,
    best: Option<Solution<u16>>,
    stats: Stats,
}

impl<'a> Tabu<'a> {
    /// A search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds.
    pub fn new(qap: &'a Qap, config: TabuConfig) -> Result<Self, SearchError> {
        config.check()?;
        let n = qap.len();
        Ok(Self {
            qap,
            config,
            rng: Rng::new(config.seed),
            at: (0..n as u16).collect(),
            cost: 0,
            deltas: vec![0; n * n],
            barred: vec![0; n * n],
            iteration: 0,
            runs: 0,
            best: None,
            stats: Stats::default(),
        })
    }

    /// Starts a run from a random assignment.
    fn begin(&mut self) {
        let n = self.qap.len();
        self.rng.shuffle(&mut self.at);
        self.cost = self.qap.cost(&self.at);
        for i in 0..n {
            for j in i + 1..n {
                self.deltas[i * n + j] = self.delta(i, j);
            }
        }
        // At the start, no facility is barred from any location.
        self.barred.fill(0);
        self.iteration = 0;
    }

    /// The change of cost by an exchange, computed from scratch.
    fn delta(&self, r: usize, s: usize) -> i64 {
        let qap = self.qap;
        let (p, q) = (usize::from(self.at[r]), usize::from(self.at[s]));
        let mut delta = (qap.a(r, r) - qap.a(s, s)) * (qap.b(q, q) - qap.b(p, p))
            + (qap.a(r, s) - qap.a(s, r)) * (qap.b(q, p) - qap.b(p, q));
        for k in 0..qap.len() {
            if k != r && k != s {
                let m = usize::from(self.at[k]);
                delta += (qap.a(k, r) - qap.a(k, s)) * (qap.b(m, q) - qap.b(m, p))
                    + (qap.a(r, k) - qap.a(s, k)) * (qap.b(q, m) - qap.b(p, m));
            }
        }
        delta
    }

    /// The change of cost by an exchange of *i* and *j* after *r* and *s* were exchanged, from its
    /// value before that.
    #[inline(always)]
    fn updated(&self, (i, j): (usize, usize), (r, s): (usize, usize)) -> i64 {
        let qap = self.qap;
        let at = |k: usize| usize::from(self.at[k]);
        let (pi, pj, pr, ps) = (at(i), at(j), at(r), at(s));
        let flows = qap.a(r, i) - qap.a(r, j) + qap.a(s, j) - qap.a(s, i);
        let back = qap.a(i, r) - qap.a(j, r) + qap.a(j, s) - qap.a(i, s);
        self.deltas[i * qap.len() + j]
            + flows * (qap.b(ps, pi) - qap.b(ps, pj) + qap.b(pr, pj) - qap.b(pr, pi))
            + back * (qap.b(pi, ps) - qap.b(pj, ps) + qap.b(pj, pr) - qap.b(pi, pr))
    }

    /// Makes the best exchange.
    fn iterate(&mut self) {
        let n = self.qap.len();
        self.iteration += 1;
        let best = self.best.as_ref().map_or(i64::MAX, |best| best.value);
        let due = (self.config.due * (n * n) as f64) as u64;
        let mut chosen: Option<(bool, i64, usize, usize)> = None;
        for i in 0..n {
            for j in i + 1..n {
                let delta = self.deltas[i * n + j];
                let until = [
                    self.barred[i * n + usize::from(self.at[j])],
                    self.barred[j * n + usize::from(self.at[i])],
                ];
                let free = until.iter().any(|&until| until < self.iteration);
                let long = self.iteration > due;
                let overdue = long && until.iter().all(|&until| until < self.iteration - due);
                let aspired = overdue || self.cost + delta < best;
                if !free && !aspired {
                    continue;
                }
                // Aspired exchanges come first.
                let better = chosen.is_none_or(|(was, least, ..)| {
                    (aspired && !was) || (aspired == was && delta < least)
                });
                if better {
                    chosen = Some((aspired, delta, i, j));
                }
            }
        }
        let Some((_, delta, r, s)) = chosen else {
            return;
        };
        let (from_r, from_s) = (usize::from(self.at[r]), usize::from(self.at[s]));
        for (facility, location) in [(r, from_r), (s, from_s)] {
            // Between nine tenths and eleven tenths of the mean.
            let around = 0.9 + 0.2 * self.rng.unit();
            let time = (around * self.config.tenure * n as f64).ceil() as u64;
            self.barred[facility * n + location] = self.iteration + time;
        }
        self.at.swap(r, s);
        self.cost += delta;
        for i in 0..n {
            for j in i + 1..n {
                self.deltas[i * n + j] = if i == r || i == s || j == r || j == s {
                    self.delta(i, j)
                } else {
                    self.updated((i, j), (r, s))
                };
            }
        }
    }

    fn offer(&mut self, observer: &mut dyn Observer<u16>) {
        if self.best.as_ref().is_none_or(|best| self.cost < best.value) {
            let best = Solution { actions: self.at.clone(), value: self.cost };
            observer.improved(&best, &self.stats);
            self.best = Some(best);
        }
    }
}

impl Search for Tabu<'_> {
    type Action = u16;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<u16>) -> Progress<u16> {
        let n = self.qap.len() as u64;
        // With one facility there is no exchange.
        while n > 1 && (self.config.runs == 0 || self.runs < self.config.runs) {
            if quota.is_used_up(&self.stats) {
                return Progress::Running;
            }
            if self.iteration == 0 {
                self.begin();
                self.offer(observer);
            }
            self.iterate();
            self.stats.expanded += 1;
            self.stats.generated += n * (n - 1) / 2;
            self.offer(observer);
            if self.iteration == self.config.iterations {
                self.runs += 1;
                self.iteration = 0;
            }
        }
        if self.best.is_none() {
            self.begin();
            self.offer(observer);
        }
        Progress::Finished(Outcome::Exhausted { best: self.best.clone() })
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<u16>> {
        self.best.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    fn random(n: usize, seed: u64) -> Qap {
        let mut rng = Rng::new(seed);
        let mut text = format!("{n}\n");
        for _ in 0..2 * n * n {
            let _ = write!(text, "{} ", rng.below(20));
        }
        Qap::parse(&text).unwrap()
    }

    /// Costs and changes equal those computed anew, for matrices that are not symmetric, move after
    /// move.
    #[test]
    fn changes_are_kept_up_to_date() {
        for seed in 0..10 {
            let qap = random(7, seed);
            let mut search = Tabu::new(&qap, TabuConfig::default()).unwrap();
            search.begin();
            for _ in 0..200 {
                search.iterate();
                assert_eq!(search.cost, qap.cost(&search.at));
                for i in 0..7 {
                    for j in i + 1..7 {
                        let mut other = search.at.clone();
                        other.swap(i, j);
                        let delta = qap.cost(&other) - search.cost;
                        assert_eq!(search.deltas[i * 7 + j], delta);
                    }
                }
            }
        }
    }

    /// On small instances the best of all assignments is found, and single steps give the result of
    /// one run.
    #[test]
    fn small_instances_are_solved() {
        for seed in 0..10 {
            let qap = random(6, seed);
            let mut least = i64::MAX;
            let mut at: Vec<u16> = (0..6).collect();
            // All permutations, by Heap's algorithm.
            let mut turn = [0; 6];
            let mut i = 0;
            least = least.min(qap.cost(&at));
            while i < 6 {
                if turn[i] < i {
                    at.swap(if i % 2 == 0 { 0 } else { turn[i] }, i);
                    least = least.min(qap.cost(&at));
                    turn[i] += 1;
                    i = 0;
                } else {
                    turn[i] = 0;
                    i += 1;
                }
            }
            let config = TabuConfig { iterations: 300, runs: 3, seed, ..TabuConfig::default() };
            let mut whole = Tabu::new(&qap, config).unwrap();
            let outcome = whole.step(u64::MAX, &mut ());
            assert_eq!(whole.best().unwrap().value, least);
            let mut single = Tabu::new(&qap, config).unwrap();
            let stepped = loop {
                let progress = single.step(1, &mut ());
                if progress != Progress::Running {
                    break progress;
                }
            };
            assert_eq!(outcome, stepped);
            assert_eq!(whole.stats(), single.stats());
        }
    }

    #[test]
    fn one_facility_is_where_it_is() {
        let qap = Qap::parse("1 3 4").unwrap();
        let mut search = Tabu::new(&qap, TabuConfig::default()).unwrap();
        let Progress::Finished(outcome) = search.step(1, &mut ()) else {
            panic!("nothing to do");
        };
        assert_eq!(outcome.best().unwrap().value, 12);
        let bad = TabuConfig { tenure: 0.0, ..TabuConfig::default() };
        assert!(Tabu::new(&qap, bad).is_err());
    }
}
