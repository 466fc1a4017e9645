//! Everything that a designer asks of a puzzle: is there a team, and why not; what does the cheapest one cost, and is that
//! proved; how many cost little more, and which items do they have in common; what does each requirement cost.
//!
//! The questions and most of the terms are those of "Automated graph genetic algorithm based puzzle validation for faster game
//! design" (2022), section V.

use super::{
    anneal::{AnnealConfig, anneal_among},
    conflict::{Condition, Conflict, VerdictConfig, conflict},
    construct::{Construct, Guidance},
    exact::{Exact, ExactConfig},
    near::{NearConfig, near, sorted},
    rounds::cheaper,
};
use crate::{Party, Team, requirement::Requirement};
use std::collections::{BTreeMap, BTreeSet};
use unriddle_core::{Budget, Outcome, Rng, Search as _, SearchError, run};

/// The last temperature of the annealing that looks for near teams: above what finds the cheapest one.
const NEAR_COLD: f64 = 0.1;

/// Most near teams that annealing collects.
const MOST_NEAR: usize = 10_000;

/// What an analysis may take, and how far it looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnalysisConfig {
    /// Regions that the proof may look into.
    pub regions: u64,
    /// How much dearer than the cheapest a team may be to count as near to it, as a share of the price.
    pub near: f64,
    /// What counting those may take.
    pub count: NearConfig,
    /// Teams built at random for the histogram of prices.
    pub built: u64,
    /// Moves of an annealing for what a changed requirement costs.
    pub moves: u64,
    /// Seed.
    pub seed: u64,
}

impl Default for AnalysisConfig {
    fn default() -> Self {
        Self {
            regions: 2000,
            near: 0.05,
            count: NearConfig::default(),
            built: 100,
            moves: 100_000,
            seed: 0,
        }
    }
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Analysis {
    /// There is a team.
    Solvable(Box<Solvable>),
    /// It is proved that there is none; the conditions that contradict each other, if they could be told.
    Unsolvable(Option<Conflict>),
    /// Neither a team nor a proof was found.
    Unknown,
}

/// What is known of a puzzle that has a team.
#[derive(Clone, Debug, PartialEq)]
pub struct Solvable {
    /// The cheapest team found, in node order.
    pub team: Vec<u32>,
    /// Its price.
    pub price: i64,
    /// No team is cheaper than this.
    pub bound: i64,
    /// The highest price of a team that counts as near.
    pub near_price: i64,
    /// Near teams, each with its items in ascending order.
    pub near: Vec<Vec<u32>>,
    /// Whether those are all.
    pub near_exact: bool,
    /// Items of the near teams, and how many have each; the most frequent first.
    pub frequent: Vec<(u32, u64)>,
    /// Mean distance of two near teams, as the share of their items that differ; 0 for fewer than two.
    pub diversity: f64,
    /// Prices of teams that were built at random, ascending.
    pub built: Vec<i64>,
    /// What requirements cost.
    pub changes: Vec<Change>,
}

/// A requirement with one of its bounds a step looser or tighter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The requirement's number.
    pub requirement: usize,
    /// Whether the lower bound changed, not the upper one.
    pub least: bool,
    /// Steps: 1 for tighter, −1 for looser.
    pub tighter: i64,
    /// The bound that it then has, in the units of the requirement.
    pub to: i64,
    /// The price of the cheapest team found then; `None` if none was.
    pub price: Option<i64>,
    /// No team is cheaper then; `None` if there is none at all.
    pub bound: Option<i64>,
}

/// Analyses a puzzle. The budget's limits are those of the search for the cheapest team; where it is cancelled later, the parts
/// that are not done are left out. `tell` hears what is done next.
///
/// # Errors
/// None but those of a broken search.
pub fn analyse(
    party: &Party,
    config: &AnalysisConfig,
    budget: &Budget,
    tell: &mut dyn FnMut(&str),
) -> Result<Analysis, SearchError> {
    tell("cheapest team");
    let mut exact = Exact::new(
        party,
        None,
        ExactConfig {
            seed: config.seed,
            ..ExactConfig::default()
        },
    );
    let limits = Budget {
        expansions: Some(config.regions),
        ..budget.clone()
    };
    let outcome = run(&mut exact, &limits, &mut ())?;
    let Some(best) = outcome.best() else {
        if outcome != Outcome::Unsolvable {
            return Ok(Analysis::Unknown);
        }
        tell("conflict");
        let config = VerdictConfig {
            seed: config.seed,
            ..VerdictConfig::default()
        };
        return Ok(Analysis::Unsolvable(conflict(party, &config, |_, _| {})));
    };
    let mut solvable = Solvable {
        team: best.actions.clone(),
        price: best.value,
        bound: outcome.bound().unwrap_or(i64::MIN),
        near_price: best.value + (best.value.abs() as f64 * config.near) as i64,
        near: Vec::new(),
        near_exact: false,
        frequent: Vec::new(),
        diversity: 0.0,
        built: Vec::new(),
        changes: Vec::new(),
    };
    let over = || budget.cancel.is_cancelled();
    if !over() {
        tell("teams built at random");
        build(party, config, &mut solvable);
    }
    if !over() {
        tell("near teams");
        count(party, config, &mut solvable);
    }
    for (i, requirement) in party.requirements.iter().enumerate() {
        for (least, tighter) in [(true, -1), (true, 1), (false, -1), (false, 1)] {
            let Some(to) = moved(
                requirement,
                least,
                tighter * requirement.step(&party.synergy),
            ) else {
                continue;
            };
            if over() {
                continue;
            }
            tell("requirements one step on");
            let mut other = party.clone();
            let bound = match least {
                true => &mut other.requirements[i].at_least,
                false => &mut other.requirements[i].at_most,
            };
            *bound = Some(to);
            let (price, bound) = priced(&other, config, &solvable);
            solvable.changes.push(Change {
                requirement: i,
                least,
                tighter,
                to,
                price,
                bound,
            });
        }
    }
    Ok(Analysis::Solvable(Box::new(solvable)))
}

/// A bound so much tighter; `None` where there is none, or where it could not be broken.
fn moved(requirement: &Requirement, least: bool, by: i64) -> Option<i64> {
    let to = match least {
        true => requirement.at_least? + by,
        false => requirement.at_most? - by,
    };
    (to >= 0).then_some(to)
}

/// Builds teams at random, as players might.
fn build(party: &Party, config: &AnalysisConfig, solvable: &mut Solvable) {
    let construct = Construct::new(party, Guidance::default());
    let mut rng = Rng::stream(config.seed, 1);
    for _ in 0..config.built {
        let built = construct.witness(5, &mut rng);
        let cost = |(items, _): (Vec<u32>, u64)| Team::new(party, &items).cost();
        solvable.built.extend(built.map(cost));
    }
    solvable.built.sort_unstable();
}

/// Counts near teams.
fn count(party: &Party, config: &AnalysisConfig, solvable: &mut Solvable) {
    // Annealing passes many where counting does not come to an end.
    let pool = cheaper(party, solvable.near_price + 1).unwrap_or_default();
    let mut known = BTreeSet::from([sorted(&solvable.team)]);
    let anneal = AnnealConfig {
        moves: config.moves,
        cold: NEAR_COLD,
        seed: config.seed,
        ..AnnealConfig::default()
    };
    let most = solvable.near_price;
    let _ = anneal_among(party, &pool, &solvable.team, &anneal, most, |team| {
        if team.cost() <= most && known.len() < MOST_NEAR {
            known.insert(sorted(team.items()));
        }
    });
    let found = near(party, most, known, &config.count);
    solvable.near_exact = found.exact;
    solvable.near = found.teams.into_iter().collect();
    let mut frequent: BTreeMap<u32, u64> = BTreeMap::new();
    for item in solvable.near.iter().flatten() {
        *frequent.entry(*item).or_default() += 1;
    }
    solvable.frequent = frequent.into_iter().collect();
    solvable
        .frequent
        .sort_by_key(|&(item, times)| (std::cmp::Reverse(times), item));
    solvable.diversity = diversity(&solvable.near);
}

/// Mean share of items that two teams do not have in common, over all pairs, from how many teams have each item.
fn diversity(teams: &[Vec<u32>]) -> f64 {
    let (count, Some(nodes)) = (teams.len() as f64, teams.first().map(Vec::len)) else {
        return 0.0;
    };
    if count < 2.0 {
        return 0.0;
    }
    let mut times: BTreeMap<u32, f64> = BTreeMap::new();
    for item in teams.iter().flatten() {
        *times.entry(*item).or_default() += 1.0;
    }
    let pairs = |n: f64| n * (n - 1.0) / 2.0;
    let common: f64 = times.values().map(|&n| pairs(n)).sum();
    1.0 - common / pairs(count) / nodes as f64
}

/// The price of a puzzle that is a step from one whose cheapest team is known, and a bound of it: the relaxation of the whole
/// puzzle, construction and a short annealing.
fn priced(
    party: &Party,
    config: &AnalysisConfig,
    solvable: &Solvable,
) -> (Option<i64>, Option<i64>) {
    let known = Team::new(party, &solvable.team);
    let known = known.is_feasible().then_some(solvable.team.as_slice());
    let exact = ExactConfig {
        attempts: 50,
        moves: config.moves,
        anneals: 1,
        every: u64::MAX / 8,
        seed: config.seed,
        ..ExactConfig::default()
    };
    let mut exact = Exact::new(party, known, exact);
    // The first team and bound, an annealing, and a few regions.
    let _ = exact.step(20, &mut ());
    let price = exact.best().map(|best| best.value);
    (price, exact.bound())
}

/// A condition in words.
#[must_use]
pub fn spelled(party: &Party, condition: Condition) -> String {
    match condition {
        Condition::Requirement(i) => party.requirements[i].text.clone(),
        Condition::Fixed(i) => match party.fixed[i] {
            (item, None) => format!("item {item} is fixed"),
            (item, Some(node)) => {
                format!("item {item} is fixed on {}", party.formation.names()[node])
            }
        },
        Condition::Excluded => "items are excluded".to_owned(),
    }
}
