//! Several searches side by side, on threads (root parallelisation).
//!
//! **Idea.** Every root is an [`Spmcts`] with its own random streams and its share of the
//! play-outs; the best of their solutions counts.
//!
//! **Invariants.** The result does not depend on the number of threads, on timing, or on how the
//! work is divided. Roots that have not ended are never more than one play-out apart when a call
//! ends, the earlier ones ahead, whatever the quota of play-outs was. They are compared after
//! rounds of a fixed number of play-outs each: when a root has proved its solution, the others stop
//! at the end of the same round. If the memory stops the search, of which every root has an equal
//! part, the number of play-outs of the other roots depends on how the work was divided. With a
//! quota of generated states the roots make single play-outs, because the number of states of a
//! play-out is not known in advance.
//!
//! Reference: G. Chaslot, M. H. M. Winands and H. J. van den Herik, "Parallel Monte-Carlo tree
//! search", Computers and Games 2008; Schadd et al. 2012, section 4.3, on the likeness to restarts.

use super::{Spmcts, SpmctsConfig};
use crate::{
    report::{Halt, ObserverOf, score_search},
    threads::timed_map,
};
use unriddle_core::{
    Coded, Outcome, Playout, Progress, Quota, Rng, Score, ScorePuzzle, Search as _, SearchError,
    Stats, TreeShape,
};

/// Number of play-outs of each root in a round.
const ROUND: u64 = 256;

struct Root<'a, P: ScorePuzzle> {
    search: Spmcts<'a, P>,
    ended: bool,
}

/// Single-player Monte-Carlo tree search from several roots.
pub struct Roots<'a, P: ScorePuzzle> {
    roots: Vec<Root<'a, P>>,
    threads: usize,
    /// Number of play-outs of every root up to the end of this round.
    level: u64,
    /// The root with the best solution, the first among equals.
    leader: Option<usize>,
    stats: Stats,
    /// Upper bound of the score that a root has exceeded; the other roots know theirs.
    ceiling: Option<Score>,
    outcome: Option<Outcome<P::Action>>,
}

impl<'a, P: ScorePuzzle> Roots<'a, P> {
    /// Creates a search from `config.roots` roots on `threads` threads.
    ///
    /// # Errors
    /// An option out of bounds, `rave` (see [`coded`](Self::coded)), or states that are too large.
    pub fn new(
        puzzle: &'a P,
        playout: &'a dyn Playout<P>,
        config: SpmctsConfig,
        threads: usize,
    ) -> Result<Self, SearchError> {
        Self::with(config, threads, |config| Spmcts::new(puzzle, playout, config))
    }

    /// Creates a search from several roots of a puzzle whose actions have codes: all options.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn coded(
        puzzle: &'a P,
        playout: &'a dyn Playout<P>,
        config: SpmctsConfig,
        threads: usize,
    ) -> Result<Self, SearchError>
    where
        P: Coded,
    {
        Self::with(config, threads, |config| Spmcts::coded(puzzle, playout, config))
    }

    fn with(
        config: SpmctsConfig,
        threads: usize,
        make: impl Fn(SpmctsConfig) -> Result<Spmcts<'a, P>, SearchError>,
    ) -> Result<Self, SearchError> {
        config.validate()?;
        let count = config.roots as u64;
        let root = |i: u64| {
            let seed = match i {
                0 => config.seed,
                // Far from the streams of the play-outs.
                _ => Rng::stream(config.seed, u64::MAX - i).next_u64(),
            };
            let search = make(SpmctsConfig {
                roots: 1,
                nodes: config.nodes / count + u64::from(i < config.nodes % count),
                seed,
                ..config
            })?;
            Ok(Root { search, ended: false })
        };
        Ok(Self {
            roots: (0..count).map(root).collect::<Result<_, SearchError>>()?,
            threads: threads.max(1),
            level: ROUND,
            leader: None,
            stats: Stats::default(),
            ceiling: None,
            outcome: None,
        })
    }

    /// Sets an upper bound of the score from the start, if one is known. The search ends with the
    /// round in which a root finds a line of this score, which is then proved optimal.
    #[must_use]
    pub fn with_ceiling(mut self, ceiling: Option<Score>) -> Self {
        let with =
            |Root { search, ended }| Root { search: Spmcts::with_ceiling(search, ceiling), ended };
        self.roots = self.roots.into_iter().map(with).collect();
        self
    }

    /// Quota of each root; `None` for a root that has ended or is at the end of the round.
    fn quotas(&self, quota: &Quota) -> Vec<Option<Quota>> {
        let open = || self.roots.iter().filter(|root| !root.ended);
        let count = open().count().max(1) as u64;
        let made: u64 = open().map(|root| root.search.stats.expanded).sum();
        // Number of play-outs that the open roots may have made in all.
        let all = made.saturating_add(quota.expanded.saturating_sub(self.stats.expanded));
        let mut extra = all % count;
        let mut quotas = Vec::with_capacity(self.roots.len());
        for root in &self.roots {
            if root.ended {
                quotas.push(None);
                continue;
            }
            let expanded = all / count + u64::from(extra > 0);
            extra = extra.saturating_sub(1);
            quotas.push((root.search.stats.expanded < self.level).then(|| Quota {
                expanded: expanded.min(self.level),
                generated: u64::MAX,
                bytes: quota.bytes / self.roots.len() as u64,
                ..quota.clone()
            }));
        }
        if quota.generated == u64::MAX {
            return quotas;
        }
        // One play-out of the root with the fewest play-outs.
        let left = quota.generated.saturating_sub(self.stats.generated);
        let behind = |&i: &usize| (self.roots[i].search.stats.expanded, i);
        let next = (0..quotas.len()).filter(|&i| quotas[i].is_some()).min_by_key(behind);
        for (i, own) in quotas.iter_mut().enumerate() {
            let stats = &self.roots[i].search.stats;
            *own = own.take().filter(|_| Some(i) == next).map(|own| Quota {
                expanded: own.expanded.min(stats.expanded + 1),
                generated: stats.generated.saturating_add(left),
                ..own
            });
        }
        quotas
    }

    /// Lets the threads work. Returns whether a root ran out of memory.
    fn work(&mut self, quotas: Vec<Option<Quota>>) -> bool {
        let jobs: Vec<_> = (self.roots.iter_mut().zip(quotas))
            .filter_map(|(root, quota)| Some((root, quota?)))
            .collect();
        let (full, helper_cpu) = timed_map(jobs, self.threads, |(root, quota)| {
            match root.search.advance(&quota, &mut ()) {
                Progress::Running => false,
                Progress::OutOfMemory => true,
                // A root fails only by a line beyond the bound or beyond 64 bits.
                Progress::Finished(_) | Progress::Failed(_) => {
                    root.ended = true;
                    false
                }
            }
        });
        self.stats.helper_cpu += helper_cpu;
        for root in &self.roots {
            let best = root.search.best.as_ref().map(|best| best.value);
            if root.search.ceiling.is_some() && best > root.search.ceiling {
                self.ceiling = root.search.ceiling;
            }
        }
        full.contains(&true)
    }

    /// Sums up the results of the roots.
    fn gather(&mut self, observer: &mut ObserverOf<'_, P>) {
        let mut sum = Stats { helper_cpu: self.stats.helper_cpu, ..Stats::default() };
        let known = self.best().map(|best| best.value);
        let mut highest = None;
        for (i, root) in self.roots.iter().enumerate() {
            let stats = root.search.stats;
            sum.expanded += stats.expanded;
            sum.generated += stats.generated;
            sum.evaluated += stats.evaluated;
            sum.peak_bytes += stats.peak_bytes;
            let value = root.search.best.as_ref().map(|best| best.value);
            if value > highest {
                highest = value;
                self.leader = Some(i);
            }
        }
        self.stats = sum;
        if highest > known
            && let Some(best) = self.best()
        {
            observer.improved(best, &self.stats);
        }
    }

    /// Ends the search, or begins the next round, when every root is at the end of this one.
    fn conclude(&mut self, observer: &mut ObserverOf<'_, P>) {
        let proved = self.roots.iter().filter(|root| root.ended);
        let bound = proved.filter_map(|root| root.search.bound()).next();
        if bound.is_none() && self.roots.iter().any(|root| !root.ended) {
            self.level = self.level.saturating_add(ROUND);
            return;
        }
        if let Some(bound) = bound {
            observer.bound(bound, &self.stats);
        }
        self.outcome = self.best().cloned().map(|best| Outcome::Solved {
            best,
            proof: bound.is_some(),
            bound,
        });
    }

    fn step(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        let quotas = self.quotas(quota);
        let out_of_memory = self.work(quotas);
        self.gather(observer);
        if out_of_memory {
            return Err(Halt::Full);
        }
        let level = self.level;
        let at_end = |root: &Root<'_, P>| root.ended || root.search.stats.expanded >= level;
        if self.roots.iter().all(at_end) {
            self.conclude(observer);
        } else if quota.is_used_up(&self.stats) || quota.is_over() {
            return Err(Halt::Quota);
        }
        Ok(())
    }
}

score_search!(
    Roots<P: ScorePuzzle>,
    |search| search.roots.get(search.leader?)?.search.best(),
    tree: (search.roots.iter()).fold(TreeShape::default(), |sum, root| sum.with(root.search.shape))
);
