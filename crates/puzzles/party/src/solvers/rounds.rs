//! Heuristics for teams as searches: construction and annealing, or any other method that proceeds
//! in rounds.
//!
//! A round counts as *expanded*. The units of a method's effort count as *generated*: teams that
//! were built or repaired, and moves of annealing. A method ends after its rounds, or runs until a
//! limit stops it. No method proves anything.
use super::{
    anneal::{AnnealConfig, anneal},
    construct::{Construct, Guidance, Sums},
    relax::Relaxation,
};
use crate::Party;
use crate::lp::PARTS;
use unriddle_core::{
    Info, Observer, Options, Outcome, Progress, Quota, Rng, Role, Search, Solution, Stats, options,
};

/// The result of a round.
pub struct Round {
    /// A team with its cost.
    pub team: Option<(i64, Vec<u32>)>,
    /// The effort that it took.
    pub effort: u64,
    /// Diversity of the population after it, of a method that has one.
    pub diversity: Option<f64>,
}

/// Rounds as a search.
pub struct Rounds<'a> {
    /// Computes the next round; `None` after the last one.
    round: Box<dyn FnMut() -> Option<Round> + 'a>,
    /// Whether a call of `advance` makes one round at most.
    single: bool,
    ended: bool,
    best: Option<Solution<u32>>,
    diversity: Option<f64>,
    stats: Stats,
}

impl<'a> Rounds<'a> {
    /// A search that calls `round` until it returns `None`.
    #[must_use]
    pub fn new(round: impl FnMut() -> Option<Round> + 'a) -> Self {
        Self {
            round: Box::new(round),
            single: false,
            ended: false,
            best: None,
            diversity: None,
            stats: Stats::default(),
        }
    }

    /// Makes one round in each call of `advance`, so that ranks whose rounds are one can end
    /// together after each of them.
    #[must_use]
    pub fn singly(self) -> Self {
        Self { single: true, ..self }
    }
}

impl Search for Rounds<'_> {
    type Action = u32;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<u32>) -> Progress<u32> {
        while !self.ended {
            if quota.is_used_up(&self.stats) {
                return Progress::Running;
            }
            let Some(round) = (self.round)() else {
                self.ended = true;
                break;
            };
            self.stats.expanded += 1;
            self.stats.generated += round.effort;
            self.diversity = round.diversity;
            if let Some((value, actions)) = round.team {
                self.stats.evaluated += 1;
                if self.best.as_ref().is_none_or(|best| value < best.value) {
                    let best = self.best.insert(Solution { actions, value });
                    observer.improved(best, &self.stats);
                }
            }
            if self.single {
                return Progress::Running;
            }
        }
        Progress::Finished(Outcome::Exhausted { best: self.best.clone() })
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<u32>> {
        self.best.as_ref()
    }

    fn diversity(&self) -> Option<f64> {
        self.diversity
    }
}

/// Declaration of `team-construct`.
pub const CONSTRUCT: Info = Info {
    guarantee: "incomplete",
    requires: "party",
    reference: PAPER,
    parameters: ConstructConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "team-construct",
        "constructive randomised search with filtering and forward checking; a round is an attempt",
    )
};

/// The paper that describes construction and breeding.
pub const PAPER: &str =
    "Automated graph genetic algorithm based puzzle validation for faster game design, 2022";

options! {
    /// Options of [`construct`].
    #[derive(Copy, Eq)]
    pub struct ConstructConfig of CONSTRUCT {
        guided: bool = "yes" of ["yes", "no"],
            "prefer items that share traits with their neighbours";
        sums: Sums = "steady",
            "pruning by a required sum",
            "`steady` keeps items at or above the mean that is still needed. `possible` keeps \
             every item whose shortfall the best remaining items could cover.";
        teams: u64 = "1" in 0..=1 << 40, "number of teams to find (0 = unlimited)";
        attempts: u64 = "0" in 0..=1 << 40, "number of attempts (0 = unlimited)";
    }
    also {
        /// Seed.
        seed: u64 = 0;
    }
}

/// Builds teams. A round is an attempt.
pub fn construct(party: &Party, config: ConstructConfig) -> Rounds<'_> {
    let ConstructConfig { guided, sums, teams, attempts, seed } = config;
    let construct = Construct::new(party, Guidance { guided, sums });
    let mut rng = Rng::new(seed);
    let (mut found, mut tried) = (0, 0);
    Rounds::new(move || {
        if (teams > 0 && found == teams) || (attempts > 0 && tried == attempts) {
            return None;
        }
        tried += 1;
        let team = construct.witness(1, &mut rng);
        found += u64::from(team.is_some());
        Some(Round {
            team: team.map(|(items, _)| (party.cost_of(&items), items)),
            effort: 1,
            diversity: None,
        })
    })
}

/// Declaration of `team-anneal`.
pub const ANNEAL: Info = Info {
    guarantee: "incomplete",
    requires: "party",
    reference: "Glover 1989, Tabu search part I, ORSA Journal on Computing 1 (strategic oscillation)",
    parameters: AnnealingConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "team-anneal",
        "simulated annealing with penalties that find their own scale; a round is an annealing",
    )
};

options! {
    /// Options of [`annealing`].
    #[derive(Copy)]
    pub struct AnnealingConfig of ANNEAL {
        bounds: bool = "yes" of ["yes", "no"],
            "exclude items by the bound of the whole puzzle",
            "An item is excluded if the bound proves that no team with it is cheaper than the \
             best known one.";
        moves: u64 = "500000" in 0..=1 << 40, "moves of an annealing";
        runs: u64 = "0" in 0..=1 << 40, "number of annealings (0 = unlimited)";
        attempts: u64 = "200" in 0..=1 << 40, "attempts at constructing a start";
        hot: f64 = "0.5" in 0.0001..=1000.0, "first temperature, in spreads of the price";
        cold: f64 = "0.02" in 0.0001..=1000.0, "last temperature";
    }
    also {
        /// Seed.
        seed: u64 = 0;
    }
}

/// Anneals from constructed teams, each time with another seed.
pub fn annealing(party: &Party, config: AnnealingConfig) -> Rounds<'_> {
    let construct = Construct::new(party, Guidance::default());
    let mut rng = Rng::new(config.seed);
    let all: Vec<u32> = (0..party.items.len() as u32).collect();
    let (mut runs, mut pool, mut least) = (0, all, i64::MAX);
    Rounds::new(move || {
        if config.runs > 0 && runs == config.runs {
            return None;
        }
        runs += 1;
        let mut round = Round { team: None, effort: config.moves, diversity: None };
        let Some((start, _)) = construct.witness(config.attempts, &mut rng) else {
            return Some(round);
        };
        if config.bounds && least == i64::MAX {
            pool = cheaper(party, party.cost_of(&start)).unwrap_or_default();
        }
        let options = AnnealConfig {
            moves: config.moves,
            hot: config.hot,
            cold: config.cold,
            seed: config.seed.wrapping_add(runs - 1),
        };
        round.team = anneal(party, &pool, &start, &options);
        if let Some((cost, _)) = round.team.as_ref().filter(|(cost, _)| *cost < least) {
            least = *cost;
            if config.bounds {
                pool = cheaper(party, least).unwrap_or(std::mem::take(&mut pool));
            }
        }
        Some(round)
    })
}

/// The items that a team cheaper than `cost` may consist of, by their reduced costs in the
/// relaxation of the whole puzzle. `None` if there is no such team.
#[must_use]
pub fn cheaper(party: &Party, cost: i64) -> Option<Vec<u32>> {
    let items = reduced(party, cost)?;
    Some(items.into_iter().map(|(item, _)| item).collect())
}

/// The items of [`cheaper`], each with its reduced cost: how much a team with the item costs at
/// least beyond the bound. The cost is in units of the price, with fractions, and below 0 where the
/// bound takes the item.
#[must_use]
pub fn reduced(party: &Party, cost: i64) -> Option<Vec<(u32, f64)>> {
    let relaxation = Relaxation::new(party)?;
    let (region, items) = relaxation.all();
    // The relaxation assumes that every limit is attainable.
    let cost = relaxation.next_price(cost);
    let relaxed = relaxation.solve(&region, &items, cost)?;
    let price = |(&(item, _), &parts): (&(u32, f64), &i128)| (item, parts as f64 / PARTS as f64);
    Some(relaxed.items.iter().zip(&relaxed.reduced).map(price).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Team, solvers::samples};

    /// Each method finds teams of the paper's puzzles, at the price that it reports. Single steps
    /// give the result of one run.
    #[test]
    fn rounds_are_searches() {
        for party in samples::paper(5) {
            let annealing_of = |bounds| {
                let config = AnnealingConfig {
                    bounds,
                    moves: 5000,
                    runs: 3,
                    attempts: 100,
                    ..AnnealingConfig::default()
                };
                annealing(&party, config)
            };
            let made = || -> [Box<dyn Search<Action = u32> + '_>; 3] {
                let constructed = construct(
                    &party,
                    ConstructConfig {
                        teams: 2,
                        attempts: 500,
                        seed: 1,
                        ..ConstructConfig::default()
                    },
                );
                [Box::new(constructed), Box::new(annealing_of(false)), Box::new(annealing_of(true))]
            };
            let mut costs = Vec::new();
            for (mut whole, mut single) in made().into_iter().zip(made()) {
                let Progress::Finished(outcome) = whole.step(u64::MAX, &mut ()) else {
                    panic!("unlimited");
                };
                let stepped = loop {
                    if let Progress::Finished(outcome) = single.step(1, &mut ()) {
                        break outcome;
                    }
                };
                assert_eq!(outcome, stepped);
                assert_eq!(whole.stats(), single.stats());
                let best = outcome.best().unwrap();
                let team = Team::new(&party, &best.actions);
                assert!(team.is_feasible() && team.cost() == best.value);
                costs.push(best.value);
            }
            assert!(costs[1] < costs[0] && costs[2] <= costs[0], "{costs:?}");
        }
    }

    /// No item of the cheapest team is left out.
    #[test]
    fn items_of_cheaper_teams_are_kept() {
        for seed in 0..60 {
            let party = samples::random(seed);
            let cheapest = samples::cheapest(&party);
            let kept = cheaper(&party, cheapest.map_or(i64::MAX / 4, |cost| cost + 1));
            let Some(cheapest) = cheapest else { continue };
            let mut fewer = party.clone();
            let kept = kept.unwrap();
            for (item, allowed) in fewer.allowed.iter_mut().enumerate() {
                *allowed &= kept.contains(&(item as u32));
            }
            assert_eq!(samples::cheapest(&fewer), Some(cheapest), "seed {seed}");
        }
    }
}
