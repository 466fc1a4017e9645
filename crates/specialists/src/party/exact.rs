//! The cheapest team, with a proof: best-first branch and bound over regions.
//!
//! A region's relaxation ([`relax`](super::relax)) bounds its price. Where the lines of the relaxation promise more links
//! than counts can have, the region is cut by how often a value occurs: first by whether any value of a trait
//! makes up more than half of what it may, and by which (few values can), later by the value whose line is furthest off.
//! Where the counts are right it is cut by items. What is left out of a region's items costs too much by its reduced
//! cost. Bounds are whole-number bounds of the linear programs, so that a proof rests on no rounding.

use super::{
    anneal::{AnnealConfig, anneal},
    construct::{Construct, Guidance},
    placement::place,
    relax::{Hint, Region, Relaxation, Relaxed, Value, WHOLE},
};
use std::{
    cmp::{Ordering, Reverse},
    collections::{BTreeMap, BinaryHeap},
    sync::Arc,
};
use unriddle_core::{Observer, Outcome, Progress, Quota, Rng, Search, Solution, Stats};
use unriddle_puzzles::party::{Party, Team};

/// A region that may hold a better team.
struct Open {
    bound: i64,
    /// Regions are opened in this order among equal bounds: the newest first.
    number: u64,
    region: Region,
    state: State,
}

/// What is known of an open region.
enum State {
    /// Its relaxation is not solved yet: most regions never come to it. The items that it may be made of.
    Fresh(Arc<[u32]>),
    /// It is.
    Relaxed(Box<Relaxed>),
}

/// A part of a region, and a bound of it that cost nothing.
type Part = (Region, i64);

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Open {}
impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Open {
    fn bytes(&self) -> u64 {
        let values = |values: usize| 48 * values;
        let state = match &self.state {
            State::Fresh(_) => 0,
            State::Relaxed(relaxed) => {
                size_of::<Relaxed>() + 32 * relaxed.items.len() + values(relaxed.counts.len())
            }
        };
        (size_of::<Self>() + values(self.region.counts.len()) + state) as u64
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        (Reverse(self.bound), self.number).cmp(&(Reverse(other.bound), other.number))
    }
}

/// Options of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactConfig {
    /// Attempts at constructing a first team.
    pub attempts: u64,
    /// Moves of annealing among what the whole puzzle's relaxation leaves; 0 for none.
    pub moves: u64,
    /// Annealings at the start; each with what the one before leaves.
    pub anneals: u32,
    /// Later annealings, of a tenth of the moves, among what the best region leaves: the first after so many
    /// regions, each next one after a quarter more.
    pub every: u64,
    /// Seed.
    pub seed: u64,
}

impl Default for ExactConfig {
    fn default() -> Self {
        Self {
            attempts: 100,
            moves: 500_000,
            anneals: 2,
            every: 16,
            seed: 0,
        }
    }
}

impl ExactConfig {
    /// Regions and bounds alone, without any heuristic for teams.
    pub const BARE: Self = Self {
        attempts: 0,
        moves: 0,
        anneals: 0,
        every: 1,
        seed: 0,
    };
}

/// The search. It expands regions.
pub struct Exact<'a> {
    config: ExactConfig,
    /// `None` if the synergy is beyond any team.
    relaxation: Option<Relaxation<'a>>,
    party: &'a Party,
    /// Annealings at the start that are done; `None` before the first team and the first bound.
    begun: Option<u32>,
    /// When to anneal again.
    next: u64,
    open: BinaryHeap<Open>,
    /// Regions bounded.
    number: u64,
    best: Option<Solution<u32>>,
    /// The bound that was told last.
    told: Option<i64>,
    stats: Stats,
    /// Accounted size of the open regions, in bytes.
    bytes: u64,
    rng: Rng,
}

impl<'a> Exact<'a> {
    /// Begins, with a team that is known already, if any.
    #[must_use]
    pub fn new(party: &'a Party, known: Option<&[u32]>, config: ExactConfig) -> Self {
        let known = known.map(|items| Team::new(party, items));
        let solution = |team: Team<'_>| Solution {
            actions: team.items().to_vec(),
            value: team.cost(),
        };
        Self {
            config,
            relaxation: Relaxation::new(party),
            party,
            begun: None,
            next: config.every,
            open: BinaryHeap::new(),
            number: 0,
            best: known.filter(Team::is_feasible).map(solution),
            told: None,
            stats: Stats::default(),
            bytes: 0,
            rng: Rng::new(config.seed),
        }
    }

    /// Whether the search has ended: the best team is the cheapest, or there is none.
    fn is_finished(&self) -> bool {
        self.relaxation.is_none() || (self.begun.is_some() && self.open.is_empty())
    }

    fn below(&self) -> i64 {
        // Far above all prices, and far from where sums overflow.
        self.best.as_ref().map_or(i64::MAX / 4, |best| best.value)
    }

    fn offer(&mut self, cost: i64, items: Vec<u32>) {
        if cost < self.below() {
            self.best = Some(Solution {
                actions: items,
                value: cost,
            });
        }
    }

    /// A first team, and the bound of the whole puzzle.
    fn begin(&mut self) {
        self.begun = Some(0);
        if self.best.is_none() && self.config.attempts > 0 {
            let construct = Construct::new(self.party, Guidance::default());
            if let Some((items, _)) = construct.witness(self.config.attempts, &mut self.rng) {
                self.offer(Team::new(self.party, &items).cost(), items);
            }
        }
        self.look_at_all();
    }

    /// Begins, or begins again, with all teams.
    fn look_at_all(&mut self) {
        self.open.clear();
        self.bytes = 0;
        if let Some(relaxation) = &self.relaxation {
            let (region, items) = relaxation.all();
            self.look(region, &items, 0);
        }
    }

    /// Anneals among the items of the most promising region.
    fn anneal(&mut self, moves: u64) {
        let (Some(open), Some(best)) = (self.open.peek(), &self.best) else {
            return;
        };
        let pool: Vec<u32> = match &open.state {
            State::Fresh(items) => items.to_vec(),
            State::Relaxed(relaxed) => relaxed.items.iter().map(|&(item, _)| item).collect(),
        };
        let config = AnnealConfig {
            moves,
            seed: self.config.seed.wrapping_add(self.number),
            ..AnnealConfig::default()
        };
        if let Some((cost, items)) = anneal(self.party, &pool, &best.actions, &config) {
            self.offer(cost, items);
        }
    }

    /// Does what is next: the start, an annealing, or solving or cutting the most promising region.
    fn expand(&mut self) {
        match self.begun {
            None => return self.begin(),
            Some(done) if done < self.config.anneals && self.config.moves > 0 => {
                self.begun = Some(done + 1);
                let before = self.below();
                self.anneal(self.config.moves);
                if self.below() < before {
                    // A better team leaves fewer items.
                    self.look_at_all();
                }
                return;
            }
            Some(_) => {}
        }
        if self.config.moves > 0 && self.stats.expanded >= self.next {
            self.next = self.stats.expanded * 5 / 4 + self.config.every.max(1);
            self.anneal(self.config.moves / 10);
        }
        let below = self.below();
        let Some(open) = self.open.pop() else {
            return;
        };
        self.bytes -= open.bytes();
        if open.bound >= below {
            self.open.clear();
            self.bytes = 0;
            return;
        }
        match &open.state {
            State::Fresh(items) => {
                let items = Arc::clone(items);
                self.look(open.region, &items, open.bound);
            }
            State::Relaxed(relaxed) => {
                let items: Arc<[u32]> = relaxed.items.iter().map(|&(item, _)| item).collect();
                for (region, bound) in self.cut(&open.region, relaxed) {
                    let bound = bound.max(open.bound);
                    if bound < below {
                        self.number += 1;
                        let state = State::Fresh(Arc::clone(&items));
                        self.keep(bound, region, state);
                    }
                }
            }
        }
    }

    fn keep(&mut self, bound: i64, region: Region, state: State) {
        let open = Open {
            bound,
            number: self.number,
            region,
            state,
        };
        self.bytes += open.bytes();
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.bytes);
        self.open.push(open);
    }

    /// Solves the relaxation of a region with a bound, and keeps it if it may hold a better team.
    fn look(&mut self, region: Region, items: &[u32], bound: i64) {
        let below = self.below();
        let Some(relaxation) = &self.relaxation else {
            return;
        };
        self.number += 1;
        self.stats.generated += 1;
        let Some(relaxed) = relaxation.solve(&region, items, below) else {
            return;
        };
        let taken: Vec<u32> = relaxed
            .items
            .iter()
            .filter(|(_, x)| *x > 1.0 - WHOLE)
            .map(|&(item, _)| item)
            .collect();
        if relaxed.solved && taken.len() as i64 == relaxation.nodes {
            self.stats.evaluated += 1;
            if let Some(placed) = place(self.party, &taken, &mut self.rng) {
                self.offer(Team::new(self.party, &placed).cost(), placed);
            }
        }
        let bound = bound.max(relaxed.bound);
        if bound < self.below() {
            self.keep(bound, region, State::Relaxed(Box::new(relaxed)));
        }
    }

    /// Regions that make up another one, without teams known to be none or not better.
    fn cut(&self, region: &Region, relaxed: &Relaxed) -> Vec<Part> {
        let Some(relaxation) = &self.relaxation else {
            return Vec::new();
        };
        if !relaxed.solved {
            return by_any(region, relaxed);
        }
        let ranges = relaxation.ranges_of(region, &relaxed.items);
        // What a value's count is cut into, if it can be.
        let cut = |value: Value| {
            let (least, most) = ranges.as_ref().map_or((0, 0), |ranges| ranges.of(value));
            let count = relaxed.counts.get(&value).copied().unwrap_or(0.0);
            let split = (count + WHOLE).floor() as i64;
            (least < most).then(|| by_count(region, value, split.clamp(least, most - 1)))
        };
        let first = |mut values: Vec<(Value, f64)>| {
            values.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            values
        };
        if let Some(&Hint::Often(t, often)) = relaxed.hints.first() {
            let mut parts = self.by_often(region, relaxed, t, often);
            // There is no team without one.
            parts.remove(0);
            return parts;
        }
        if !relaxed.shares {
            for (value, _) in first(relaxed.gaps.clone()) {
                let t = value.0;
                let cap = region.caps.get(&t).copied().unwrap_or(relaxation.nodes);
                let one = |(v, range): (&Value, &(i64, i64))| v.0 == t && range.0 > 0;
                if cap > 3 && !region.counts.iter().any(one) {
                    return self.by_often(region, relaxed, t, cap / 2 + 1);
                }
                if let Some(regions) = cut(value) {
                    return regions;
                }
            }
        }
        for &hint in &relaxed.hints {
            match hint {
                Hint::Count(value, split) => return by_count(region, value, split),
                Hint::Sum(n, split) => {
                    let low = region.with_sum(n, (i64::MIN, split));
                    return unbounded([low, region.with_sum(n, (split + 1, i64::MAX))]);
                }
                Hint::Often(..) => {}
            }
        }
        // The value whose count is furthest from whole.
        let broken = |count: f64| (count - count.round()).abs();
        let counts = relaxed.counts.iter().map(|(&v, &count)| (v, broken(count)));
        let uneven = first(counts.filter(|(_, broken)| *broken > 1e-4).collect());
        let regions = uneven.into_iter().find_map(|(value, _)| cut(value));
        regions.unwrap_or_else(|| by_item(region, relaxed))
    }

    /// By which value of a trait occurs at least so often, if one does; first the region where none does.
    fn by_often(&self, region: &Region, relaxed: &Relaxed, t: usize, often: i64) -> Vec<Part> {
        let codes = &self.party.items.traits[t].codes;
        // What each item of a value costs beyond the bound.
        let mut extra: BTreeMap<u16, Vec<i128>> = BTreeMap::new();
        for (&(item, _), &reduced) in relaxed.items.iter().zip(&relaxed.reduced) {
            let of = extra.entry(codes[item as usize]).or_default();
            of.push(reduced.max(0));
        }
        let mut rest = region.clone();
        let cap = rest.caps.insert(t, often - 1).unwrap_or(i64::MAX);
        let mut parts = unbounded([rest]);
        // Of several such values the first one counts.
        let mut others = region.clone();
        for (value, mut extra) in extra {
            let Some(last) = usize::try_from(often - 1)
                .ok()
                .filter(|&last| last < extra.len())
            else {
                continue;
            };
            // So many of the value's items are taken: the cheapest of them, at least.
            extra.select_nth_unstable(last);
            let least: i128 = extra[..=last].iter().sum();
            let bound = self
                .relaxation
                .as_ref()
                .map_or(0, |relaxation| relaxation.round(relaxed.parts + least));
            let value = (t, value);
            parts.push((others.with_count(value, (often, cap)), bound));
            others = others.with_count(value, (0, often - 1));
        }
        parts
    }
}

/// Parts of which nothing is known but what is known of the whole.
fn unbounded(regions: impl IntoIterator<Item = Region>) -> Vec<Part> {
    regions.into_iter().map(|region| (region, 0)).collect()
}

impl Search for Exact<'_> {
    type Action = u32;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<u32>) -> Progress<u32> {
        while !self.is_finished() {
            if quota.is_used_up(&self.stats) {
                return Progress::Running;
            }
            if self.bytes > quota.bytes {
                return Progress::OutOfMemory;
            }
            let before = self.below();
            self.expand();
            self.stats.expanded += 1;
            if let Some(best) = self.best.as_ref().filter(|best| best.value < before) {
                observer.improved(best, &self.stats);
            }
            let bound = self.bound();
            if bound > self.told
                && let Some(bound) = bound
            {
                self.told = Some(bound);
                observer.bound(bound, &self.stats);
            }
        }
        Progress::Finished(match &self.best {
            Some(best) => Outcome::Solved {
                best: best.clone(),
                proof: true,
                bound: Some(best.value),
            },
            None => Outcome::Unsolvable,
        })
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<u32>> {
        self.best.as_ref()
    }

    fn bound(&self) -> Option<i64> {
        self.begun?;
        let open = self.open.peek().map(|open| open.bound);
        let best = self.best.as_ref().map(|best| best.value);
        match (open, best) {
            (Some(open), Some(best)) => Some(open.min(best)),
            (open, best) => open.or(best),
        }
    }
}

/// By a value's count: at most `split`, and more.
fn by_count(region: &Region, value: Value, split: i64) -> Vec<Part> {
    unbounded([
        region.with_count(value, (0, split)),
        region.with_count(value, (split + 1, i64::MAX)),
    ])
}

/// By any item that may be there or not; if there is none, nothing is left to cut.
fn by_any(region: &Region, relaxed: &Relaxed) -> Vec<Part> {
    let open = |item: &u32| !region.within.contains(item);
    let item = relaxed.items.iter().map(|&(item, _)| item).find(open);
    item.map_or_else(Vec::new, |item| with_and_without(region, item))
}

fn with_and_without(region: &Region, item: u32) -> Vec<Part> {
    let (mut with, mut without) = (region.clone(), region.clone());
    with.within.push(item);
    without.without.push(item);
    unbounded([with, without])
}

/// By an item: the one that is furthest from whole; if all are whole, then each in turn is left out of the team that they
/// are, which is no team.
fn by_item(region: &Region, relaxed: &Relaxed) -> Vec<Part> {
    let broken = |x: f64| (x - x.round()).abs();
    let uneven = relaxed
        .items
        .iter()
        .filter(|(_, x)| broken(*x) > WHOLE)
        .max_by(|a, b| broken(a.1).total_cmp(&broken(b.1)).then(b.0.cmp(&a.0)));
    if let Some(&(item, _)) = uneven {
        return with_and_without(region, item);
    }
    let mut with = region.clone();
    let mut regions = Vec::new();
    for &(item, _) in relaxed.items.iter().filter(|(_, x)| *x > 0.5) {
        if with.within.contains(&item) {
            continue;
        }
        let mut without = with.clone();
        without.without.push(item);
        regions.push((without, 0));
        with.within.push(item);
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::party::samples::{cheapest, random};

    /// On small puzzles of all kinds of requirements the search ends with what trying all teams gives, with its heuristics
    /// and without, and its bounds hold on the way.
    #[test]
    fn the_cheapest_team_is_found_and_proved() {
        let (mut solved, mut none) = (0, 0);
        for seed in 0..150 {
            let party = random(seed);
            let best = cheapest(&party);
            for config in [ExactConfig::BARE, quick(seed)] {
                let mut exact = Exact::new(&party, None, config);
                let mut bound = None;
                let outcome = loop {
                    match exact.step(1, &mut ()) {
                        Progress::Finished(outcome) => break outcome,
                        progress => assert_eq!(progress, Progress::Running),
                    }
                    assert!(exact.stats().expanded < 10_000, "seed {seed}");
                    let now = exact.bound();
                    if let (Some(now), Some(best)) = (now, best) {
                        assert!(now <= best, "seed {seed}");
                        assert!(Some(now) >= bound, "seed {seed}");
                    }
                    bound = now;
                };
                assert_eq!(outcome.best().map(|best| best.value), best, "seed {seed}");
                match &outcome {
                    Outcome::Solved { best, proof, .. } => {
                        assert!(proof);
                        let team = Team::new(&party, &best.actions);
                        assert!(team.is_feasible() && team.cost() == best.value);
                    }
                    outcome => assert_eq!(*outcome, Outcome::Unsolvable),
                }
            }
            match best {
                Some(_) => solved += 1,
                None => none += 1,
            }
        }
        assert!(solved > 40 && none > 20, "{solved} {none}");
    }

    /// Prices in the thousands of millions are as good as any.
    #[test]
    fn large_prices_are_bounded_too() {
        for seed in 0..40 {
            let mut party = random(seed);
            party
                .costs
                .iter_mut()
                .for_each(|cost| *cost = *cost * 1_000_003 + 17);
            let mut exact = Exact::new(&party, None, ExactConfig::BARE);
            let Progress::Finished(outcome) = exact.step(300, &mut ()) else {
                panic!("seed {seed}");
            };
            let best = outcome.best().map(|best| best.value);
            assert_eq!(best, cheapest(&party), "seed {seed}");
        }
    }

    fn quick(seed: u64) -> ExactConfig {
        ExactConfig {
            moves: 5000,
            seed,
            ..ExactConfig::default()
        }
    }

    /// One step at a time is as one run, and a known team is where the search begins.
    #[test]
    fn steps_are_as_one_run() {
        for seed in 0..20 {
            let party = random(seed);
            let mut whole = Exact::new(&party, None, quick(seed));
            let Progress::Finished(outcome) = whole.step(u64::MAX, &mut ()) else {
                panic!("unlimited");
            };
            let mut single = Exact::new(&party, None, quick(seed));
            let stepped = loop {
                if let Progress::Finished(outcome) = single.step(1, &mut ()) {
                    break outcome;
                }
            };
            assert_eq!(outcome, stepped);
            assert_eq!(whole.stats(), single.stats());
            if let Some(best) = outcome.best() {
                let known = Exact::new(&party, Some(&best.actions), quick(seed));
                assert_eq!(known.best().map(|b| b.value), Some(best.value));
            }
        }
    }
}
