//! Analysis of a puzzle for its designer. Is there a team, and if not, why? Which price does the
//! cheapest team have, and is the price proved? How many teams cost little more, and which items do
//! they have in common? Which price does each requirement have, and which price does synergy have?
//!
//! All parts share their figures (`solvers::figures`). A team that one part finds counts for each
//! puzzle whose requirements it satisfies, and a bound counts for each tighter puzzle, so that the
//! parts of a report never contradict each other. The part that finds the most teams for other
//! puzzles is computed first. Near teams, which depend on the lowest price, are computed last.
//!
//! The questions and most of the terms are from "Automated graph genetic algorithm based puzzle
//! validation for faster game design" (2022), section V.

use super::{
    anneal::{AnnealConfig, anneal_among},
    conflict::{Condition, Conflict, VerdictConfig, conflict},
    construct::{Construct, Guidance},
    exact::{Exact, ExactConfig},
    figures::{Figures, NO_TEAM, Visitor},
    front::{Front, FrontConfig, front as front_of},
    near::{NearConfig, near, sorted},
    rounds::cheaper,
};
use crate::{Party, requirement::Requirement};
use std::collections::{BTreeMap, BTreeSet};
use unriddle_core::{Budget, Outcome, Rng, Search as _, SearchError, run};

/// The last temperature of the annealing that collects near teams. It is higher than the last
/// temperature of the search for the cheapest team.
const NEAR_COLD: f64 = 0.1;

/// Most near teams that annealing collects.
const MOST_NEAR: usize = 10_000;

/// Limits of an analysis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnalysisConfig {
    /// Most regions that the proof may expand.
    pub regions: u64,
    /// Maximum excess of a near team's price over the cheapest price, as a share of the latter.
    pub near: f64,
    /// Limits of counting near teams.
    pub count: NearConfig,
    /// Teams built at random for the histogram of prices.
    pub built: u64,
    /// Moves of the annealing that prices a changed requirement.
    pub moves: u64,
    /// Limits of the front of price against synergy; `None` for no front.
    pub front: Option<FrontConfig>,
    /// Seed.
    pub seed: u64,
}

/// The result of an analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Whether there is a team, with the findings for either case.
    pub answer: Answer,
    /// The front of price against synergy, where it was asked for.
    pub front: Option<Front>,
}

/// Whether there is a team.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// There is a team.
    Solvable(Box<Solvable>),
    /// It is proved that there is no team. Holds the conditions that contradict each other, if
    /// they were found.
    Unsolvable(Option<Conflict>),
    /// Neither a team nor a proof was found.
    Unknown,
}

/// Findings about a puzzle that has a team.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solvable {
    /// The cheapest team found, in node order.
    pub team: Vec<u32>,
    /// Its price.
    pub price: i64,
    /// Lower bound of the price of a team.
    pub bound: i64,
    /// The highest price of a team that counts as near.
    pub near_price: i64,
    /// Near teams, each with its items in ascending order.
    pub near: Vec<Vec<u32>>,
    /// Whether `near` holds all near teams.
    pub near_exact: bool,
    /// Items of the near teams, and how many have each; the most frequent first.
    pub frequent: Vec<(u32, u64)>,
    /// Mean distance of two near teams, as the share of their items that differ; 0 for fewer than
    /// two.
    pub diversity: f64,
    /// Prices of teams that were built at random, ascending.
    pub built: Vec<i64>,
    /// The prices of changed requirements.
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
    /// The changed bound, in the units of the requirement.
    pub to: i64,
    /// The price of the cheapest team found under the change; `None` if none was found.
    pub price: Option<i64>,
    /// Lower bound of the price under the change; `None` if there is no team at all.
    pub bound: Option<i64>,
}

impl Change {
    /// The requirements of a puzzle with this one changed.
    fn applied(&self, party: &Party) -> Vec<Requirement> {
        let mut requirements = party.requirements.clone();
        let changed = &mut requirements[self.requirement];
        let bound = if self.least { &mut changed.at_least } else { &mut changed.at_most };
        *bound = Some(self.to);
        requirements
    }
}

/// Analyses a puzzle. The limits of `budget` apply to the search for the cheapest team and to each
/// search of the front; when it is cancelled, the remaining parts are left out. `tell` is called
/// with a description of each step.
///
/// # Errors
/// Only errors of a broken search.
pub fn analyse(
    party: &Party,
    config: &AnalysisConfig,
    budget: &Budget,
    tell: &mut dyn FnMut(&str),
) -> Result<Analysis, SearchError> {
    let mut seen: Vec<Vec<u32>> = Vec::new();
    let mut visit = |items: &[u32]| seen.push(items.to_vec());
    tell("cheapest team");
    let options = ExactConfig { seed: config.seed, ..ExactConfig::default() };
    let mut exact = Exact::new(party, None, options);
    let limits = Budget { expansions: Some(config.regions), ..budget.clone() };
    let outcome = run(&mut exact, &limits, &mut Visitor(&mut visit))?;
    let find = |config| front_of(party, config, budget, tell, &mut visit);
    let mut front = config.front.as_ref().map(find).transpose()?;
    let mut figures = Figures::new(party);
    let own = figures.add(&party.requirements, false);
    let proved = if outcome == Outcome::Unsolvable { Some(NO_TEAM) } else { outcome.bound() };
    figures.prove(own, proved.unwrap_or(i64::MIN));
    let changes = changes(party).into_iter();
    let changes = changes.map(|change| (figures.add(&change.applied(party), false), change));
    let mut changes: Vec<(usize, Change)> = changes.collect();
    if let Some(best) = outcome.best() {
        figures.offer(&best.actions);
    }
    let entered = front.as_ref().map(|front| front.enter(party, &mut figures));
    seen.iter().for_each(|items| figures.offer(items));

    let answer = if figures.bound(own) == NO_TEAM {
        tell("conflict");
        let config = VerdictConfig { seed: config.seed, ..VerdictConfig::default() };
        Answer::Unsolvable(conflict(party, &config))
    } else if figures.best(own).is_none() {
        Answer::Unknown
    } else {
        let over = || budget.cancel.is_cancelled();
        let mut asked = party.clone();
        changes.retain(|(number, change)| {
            if !over() {
                tell("requirements one step on");
                asked.requirements = change.applied(party);
                price(&asked, *number, config, &mut figures);
            }
            !over()
        });
        let mut solvable = Solvable::default();
        if !over() {
            tell("teams built at random");
            solvable.built = build(party, config, &mut figures);
        }
        if !over() {
            tell("near teams");
            count(party, own, config, &mut figures, &mut solvable);
        }
        if let Some(best) = figures.best(own) {
            solvable.team.clone_from(&best.items);
            solvable.price = best.price;
        }
        solvable.bound = figures.bound(own);
        let priced = changes.into_iter().map(|(number, change)| Change {
            price: figures.best(number).map(|best| best.price),
            bound: Some(figures.bound(number)).filter(|&bound| bound != NO_TEAM),
            ..change
        });
        solvable.changes = priced.collect();
        Answer::Solvable(Box::new(solvable))
    };
    if let (Some(front), Some(entered)) = (&mut front, &entered) {
        front.update(party, &figures, entered);
    }
    Ok(Analysis { answer, front })
}

/// All steps of all bounds, not priced yet.
fn changes(party: &Party) -> Vec<Change> {
    let mut changes = Vec::new();
    for (i, requirement) in party.requirements.iter().enumerate() {
        let step = requirement.step(&party.synergy);
        for (least, tighter) in [(true, -1), (true, 1), (false, -1), (false, 1)] {
            let bound = if least { requirement.at_least } else { requirement.at_most };
            let by = if least { tighter * step } else { -tighter * step };
            let to = bound.map(|bound| bound + by).filter(|&to| to >= 0);
            let change =
                |to| Change { requirement: i, least, tighter, to, price: None, bound: None };
            changes.extend(to.map(change));
        }
    }
    changes
}

/// Builds teams at random, as players might. Returns their prices, ascending.
fn build(party: &Party, config: &AnalysisConfig, figures: &mut Figures<'_>) -> Vec<i64> {
    let construct = Construct::new(party, Guidance::default());
    let mut rng = Rng::stream(config.seed, 1);
    let teams = (0..config.built).filter_map(|_| construct.witness(5, &mut rng));
    let price = |(items, _): (Vec<u32>, u64)| {
        figures.offer(&items);
        party.cost_of(&items)
    };
    let mut built: Vec<i64> = teams.map(price).collect();
    built.sort_unstable();
    built
}

/// The highest price of a team that counts as near to the cheapest.
fn near_price(cheapest: i64, config: &AnalysisConfig) -> i64 {
    cheapest + (cheapest.abs() as f64 * config.near) as i64
}

/// Counts the teams that are near to the cheapest of a puzzle.
fn count(
    party: &Party,
    own: usize,
    config: &AnalysisConfig,
    figures: &mut Figures<'_>,
    solvable: &mut Solvable,
) {
    let Some(start) = figures.best(own).cloned() else {
        return;
    };
    let most = near_price(start.price, config);
    // Annealing passes many near teams even where counting does not end.
    let pool = cheaper(party, most + 1).unwrap_or_default();
    let mut known = BTreeSet::from([sorted(&start.items)]);
    let anneal = AnnealConfig {
        moves: config.moves,
        cold: NEAR_COLD,
        seed: config.seed,
        ..AnnealConfig::default()
    };
    let _ = anneal_among(party, &pool, &start.items, &anneal, most, &mut |team| {
        figures.offer(team.items());
        if team.cost() <= most && known.len() < MOST_NEAR {
            known.insert(sorted(team.items()));
        }
    });
    let visit = &mut |items: &[u32]| figures.offer(items);
    let found = near(party, most, known, &config.count, visit);
    solvable.near_exact = found.exact;
    let mut teams = found.teams;
    if let Some(best) = figures.best(own) {
        // A cheaper team lowers the limit, so that fewer teams are near.
        solvable.near_price = near_price(best.price, config);
        solvable.near_exact &= solvable.near_price <= most;
        teams.retain(|items| party.cost_of(items) <= solvable.near_price);
        if found.exact {
            figures.prove(own, best.price);
        }
    }
    solvable.near = teams.into_iter().collect();
    let mut frequent: BTreeMap<u32, u64> = BTreeMap::new();
    for item in solvable.near.iter().flatten() {
        *frequent.entry(*item).or_default() += 1;
    }
    // Pairs of teams, and their common items, are counted by the teams that have each item.
    let pairs = |n: u64| (n * n.saturating_sub(1) / 2) as f64;
    let common: f64 = frequent.values().map(|&times| pairs(times)).sum();
    let all = pairs(solvable.near.len() as u64);
    if all > 0.0 {
        solvable.diversity = 1.0 - common / all / party.formation.nodes() as f64;
    }
    solvable.frequent = frequent.into_iter().collect();
    solvable.frequent.sort_by_key(|&(item, times)| (std::cmp::Reverse(times), item));
}

/// Searches the price of a changed puzzle and a bound of it, by the relaxation of the whole puzzle,
/// construction and a short annealing.
fn price(party: &Party, number: usize, config: &AnalysisConfig, figures: &mut Figures<'_>) {
    if figures.is_settled(number) {
        return;
    }
    let known = figures.best(number).map(|best| best.items.clone());
    let exact = ExactConfig {
        attempts: 50,
        moves: config.moves,
        anneals: 1,
        every: u64::MAX / 8,
        seed: config.seed,
        ..ExactConfig::default()
    };
    let mut exact = Exact::new(party, known.as_deref(), exact);
    // The first team and bound, an annealing, and a few regions.
    let _ = exact.step(20, &mut Visitor(&mut |items| figures.offer(items)));
    figures.prove(number, exact.bound().unwrap_or(NO_TEAM));
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

#[cfg(test)]
mod tests;
