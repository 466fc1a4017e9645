//! The cheapest team, with a proof: best-first branch and bound over regions.
//!
//! A region's relaxation ([`relax`](super::relax)) bounds its price, and a region that may hold a
//! better team is split by a cut (`cut`). Items of a region whose reduced cost is too high are left
//! out. All bounds are whole-number bounds of the linear programs, so that no proof depends on
//! rounding.

mod cut;

use super::{
    anneal::{AnnealConfig, anneal},
    construct::{Construct, Guidance},
    placement::place,
    relax::{Region, Relaxation, Relaxed},
};
use crate::lp::Engine;
use crate::{Party, Team};
pub(super) use cut::Cut;
use std::{cmp::Reverse, collections::BTreeMap, sync::Arc};
use unriddle_core::{
    Info, Observer, Options, Outcome, Progress, Quota, Rng, Role, Search, Solution, Stats, options,
};

/// Order of open regions: by bound, and among regions of equal bound the newest first.
type Key = (i64, Reverse<u64>);

/// A region that may hold a better team.
struct Open {
    region: Region,
    state: State,
}

/// State of an open region.
enum State {
    /// Its relaxation is not solved yet, and for most regions never is. Holds the items that its
    /// teams may consist of.
    Fresh(Arc<[u32]>),
    /// Its relaxation is solved.
    Relaxed(Box<Relaxed>),
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
        (size_of::<(Key, Self)>() + values(self.region.counts.len()) + state) as u64
    }
}

/// Declaration of `team-exact`.
pub const INFO: Info = Info {
    guarantee: "optimal, or a proof that there is no team",
    requires: "party",
    parameters: ExactConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "team-exact",
        "branch and bound over counts of trait values, with annealing among the items that the bounds leave",
    )
};

options! {
    /// Options of [`Exact`].
    #[derive(Copy, Eq)]
    pub struct ExactConfig of INFO {
        attempts: u64 = "100" in 0..=1 << 40, "attempts at constructing a first team";
        moves: u64 = "500000" in 0..=1 << 40, "moves of an annealing (0 = no annealing)";
        anneals: u64 = "2" in 0..=1 << 40, "annealings at the start",
            "The pool of the first annealing contains the items that the relaxation of the whole \
             puzzle leaves. Each further annealing uses the items that the bounds leave after the \
             previous one.";
        every: u64 = "16" in 0..=1 << 40, "regions before the next annealing",
            "The number of regions grows by a quarter with each annealing. These annealings have \
             a tenth of `moves`; their pool contains the items that the best region leaves.";
        engine("lp"): Engine = "own", "solver of the linear programs",
            "`highs` requires a program built with the feature `highs`.";
    }
    also {
        /// Seed.
        seed: u64 = 0;
    }
}

impl ExactConfig {
    /// Only regions and bounds, without any heuristic for teams.
    pub const BARE: Self =
        Self { attempts: 0, moves: 0, anneals: 0, every: 1, seed: 0, engine: Engine::Own };
}

/// The search. It expands regions.
pub struct Exact<'a> {
    config: ExactConfig,
    /// `None` if no team can have the required synergy.
    relaxation: Option<Relaxation<'a>>,
    party: &'a Party,
    /// Number of annealings done at the start; `None` before the first team and the first bound.
    begun: Option<u64>,
    /// Number of expanded regions at which to anneal again.
    next: u64,
    open: BTreeMap<Key, Open>,
    /// Number of regions bounded so far.
    number: u64,
    best: Option<Solution<u32>>,
    /// Exclusive upper bound on the price of the teams that are searched.
    limit: i64,
    /// The bound that was reported last.
    told: Option<i64>,
    stats: Stats,
    /// Accounted size of the open regions, in bytes.
    bytes: u64,
    rng: Rng,
}

impl<'a> Exact<'a> {
    /// A search that has not begun. `known` is a first incumbent, if there is one.
    #[must_use]
    pub fn new(party: &'a Party, known: Option<&[u32]>, config: ExactConfig) -> Self {
        let known = known.map(|items| Team::new(party, items));
        let solution =
            |team: Team<'_>| Solution { actions: team.items().to_vec(), value: team.cost() };
        let relaxation = Relaxation::new(party).map(Relaxation::for_one);
        Self {
            config,
            relaxation: relaxation.map(|relaxation| relaxation.with(config.engine)),
            party,
            begun: None,
            next: config.every,
            open: BTreeMap::new(),
            number: 0,
            best: known.filter(Team::is_feasible).map(solution),
            // Far above all prices, and far from where sums overflow.
            limit: i64::MAX / 4,
            told: None,
            stats: Stats::default(),
            bytes: 0,
            rng: Rng::new(config.seed),
        }
    }

    /// Restricts the search to teams that cost less than `price`: [`Outcome::Unsolvable`] then
    /// means that no such team exists.
    #[must_use]
    pub fn cheaper_than(mut self, price: i64) -> Self {
        // The relaxation assumes that every limit is attainable.
        let limit = self.relaxation.as_ref().map(|r| r.next_price(price));
        self.limit = limit.unwrap_or(price).min(self.limit);
        self.best = self.best.filter(|best| best.value < self.limit);
        self
    }

    /// Whether the search has ended: the best team is the cheapest, or no team exists.
    fn is_finished(&self) -> bool {
        self.relaxation.is_none() || (self.begun.is_some() && self.open.is_empty())
    }

    fn below(&self) -> i64 {
        self.best.as_ref().map_or(self.limit, |best| best.value)
    }

    fn offer(&mut self, actions: Vec<u32>) {
        let value = self.party.cost_of(&actions);
        if value < self.below() {
            self.best = Some(Solution { actions, value });
        }
    }

    /// Finds a first team and bounds the whole puzzle.
    fn begin(&mut self) {
        self.begun = Some(0);
        if self.best.is_none() && self.config.attempts > 0 {
            let construct = Construct::new(self.party, Guidance::default());
            if let Some((items, _)) = construct.witness(self.config.attempts, &mut self.rng) {
                self.offer(items);
            }
        }
        self.look_at_all();
    }

    /// Starts, or restarts, with the region of all teams.
    fn look_at_all(&mut self) {
        self.open.clear();
        self.bytes = 0;
        if let Some(relaxation) = &self.relaxation {
            let (region, items) = relaxation.all();
            self.look(region, &items, i64::MIN);
        }
    }

    /// Anneals among the items of the most promising region.
    fn anneal(&mut self, moves: u64) {
        let (Some((_, open)), Some(best)) = (self.open.first_key_value(), &self.best) else {
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
        if let Some((_, items)) = anneal(self.party, &pool, &best.actions, &config) {
            self.offer(items);
        }
    }

    /// Does the next step: the start, an annealing, or solving or cutting the most promising
    /// region.
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
        let (Some(((least, _), open)), Some(relaxation)) =
            (self.open.pop_first(), &self.relaxation)
        else {
            return;
        };
        self.bytes -= open.bytes();
        if least >= below {
            self.open.clear();
            self.bytes = 0;
            return;
        }
        match open.state {
            State::Fresh(items) => self.look(open.region, &items, least),
            State::Relaxed(relaxed) => {
                let items: Arc<[u32]> = relaxed.items.iter().map(|&(item, _)| item).collect();
                let cut = Cut::of(relaxation, &open.region, &relaxed);
                for (region, bound) in cut.parts(&open.region) {
                    let bound = bound.max(least);
                    if bound < below {
                        self.number += 1;
                        self.keep(bound, region, State::Fresh(Arc::clone(&items)));
                    }
                }
            }
        }
    }

    fn keep(&mut self, bound: i64, region: Region, state: State) {
        let open = Open { region, state };
        self.bytes += open.bytes();
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.bytes);
        self.open.insert((bound, Reverse(self.number)), open);
    }

    /// Solves the relaxation of a region with a known lower bound `bound`, and keeps the region if
    /// it may hold a better team.
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
        if let Some(taken) = relaxed.team(relaxation.nodes) {
            self.stats.evaluated += 1;
            if let Some(placed) = place(self.party, &taken, &mut self.rng) {
                self.offer(placed);
            }
        }
        let bound = bound.max(relaxed.bound);
        if bound < self.below() {
            self.keep(bound, region, State::Relaxed(Box::new(relaxed)));
        }
    }
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
            if let Some(bound) = self.bound().filter(|&bound| self.told < Some(bound)) {
                self.told = Some(bound);
                observer.bound(bound, &self.stats);
            }
        }
        Progress::Finished(match self.best.clone() {
            Some(best) => Outcome::Solved { bound: Some(best.value), best, proof: true },
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
        let open = self.open.first_key_value().map(|(&(bound, _), _)| bound);
        open.into_iter().chain(self.best.as_ref().map(|best| best.value)).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solvers::samples::{cheapest, random};

    /// On small puzzles with all kinds of requirements, the search ends with the result of trying
    /// all teams, with and without its heuristics and with every solver of linear programs. Its
    /// bounds hold on the way.
    #[test]
    fn the_cheapest_team_is_found_and_proved() {
        let (mut solved, mut none) = (0, 0);
        for seed in 0..150 {
            let party = random(seed);
            let best = cheapest(&party);
            for config in configs(seed) {
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

    /// Prices of thousands of millions are bounded as well as any.
    #[test]
    fn large_prices_are_bounded() {
        for seed in 0..40 {
            let mut party = random(seed);
            party.costs.iter_mut().for_each(|cost| *cost = *cost * 1_000_003 + 17);
            let mut exact = Exact::new(&party, None, ExactConfig::BARE);
            let Progress::Finished(outcome) = exact.step(300, &mut ()) else {
                panic!("seed {seed}");
            };
            let best = outcome.best().map(|best| best.value);
            assert_eq!(best, cheapest(&party), "seed {seed}");
        }
    }

    /// A weighted sum may be below 0.
    #[test]
    fn negative_costs_are_bounded() {
        for seed in 0..60 {
            let mut party = random(seed);
            let levels = &party.items.numbers[0].values;
            let costs = party.costs.iter_mut().zip(levels);
            costs.for_each(|(cost, level)| *cost -= 20 * level);
            let mut exact = Exact::new(&party, None, quick(seed));
            let Progress::Finished(outcome) = exact.step(3000, &mut ()) else {
                panic!("seed {seed}");
            };
            let best = outcome.best().map(|best| best.value);
            assert_eq!(best, cheapest(&party), "seed {seed}");
        }
    }

    /// With heuristics and without, by all solvers of linear programs.
    fn configs(seed: u64) -> impl Iterator<Item = ExactConfig> {
        Engine::BUILT.iter().flat_map(move |&engine| {
            let plain = [ExactConfig::BARE, quick(seed)];
            plain.map(|config| ExactConfig { engine, ..config })
        })
    }

    fn quick(seed: u64) -> ExactConfig {
        ExactConfig { moves: 5000, seed, ..ExactConfig::default() }
    }

    /// Single steps give the result of one run, and a known team is the first incumbent.
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
                // There is no team below the cheapest price, and just that one below the next
                // price.
                for (limit, found) in [(best.value, None), (best.value + 1, Some(best.value))] {
                    for config in [ExactConfig::BARE, quick(seed)] {
                        let mut below = Exact::new(&party, None, config).cheaper_than(limit);
                        let Progress::Finished(outcome) = below.step(u64::MAX, &mut ()) else {
                            panic!("unlimited");
                        };
                        assert_eq!(outcome.best().map(|best| best.value), found);
                    }
                }
            }
        }
    }
}
