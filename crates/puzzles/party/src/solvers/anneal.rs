//! Cheap teams by simulated annealing, with penalties that find their own scale.
//!
//! A state is a team, feasible or not. A move puts another item of a pool on a node, or exchanges
//! two nodes. The energy is the price plus, for every requirement, a multiple of its deficit. The
//! unit of a requirement is the effect of changing one item (the spread of a number in the pool,
//! one item of a count, a point of synergy); the unit of the price is its spread in the pool. So
//! neither prices in thousands nor levels in tens need tuning. The multiples follow the search: the
//! multiple rises while a requirement is violated and falls while it is satisfied, so that the
//! search stays near the border of feasibility (strategic oscillation: F. Glover 1989, ORSA Journal
//! on Computing 1).

use crate::{Amount, Party, Requirement, Team};
use unriddle_core::Rng;

/// Options of annealing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnnealConfig {
    /// Number of moves tried.
    pub moves: u64,
    /// First temperature, in spreads of the price.
    pub hot: f64,
    /// Last temperature.
    pub cold: f64,
    /// Seed.
    pub seed: u64,
}

impl Default for AnnealConfig {
    fn default() -> Self {
        Self { moves: 500_000, hot: 0.5, cold: 0.02, seed: 0 }
    }
}

/// Moves between two changes of penalties and temperature.
const ROUND: u64 = 500;

/// By how much a penalty changes.
const CHANGE: f64 = 1.15;

/// Improves `start` with items of `pool`. Returns the cheapest team found that keeps all
/// requirements, with its cost; the start counts if it keeps them. Fixed items stay where they are.
///
/// # Panics
/// If the start does not have as many different items as nodes.
#[must_use]
pub fn anneal(
    party: &Party,
    pool: &[u32],
    start: &[u32],
    config: &AnnealConfig,
) -> Option<(i64, Vec<u32>)> {
    anneal_among(party, pool, start, config, i64::MIN, &mut |_| {})
}

/// As [`anneal`], and calls `visit` with every team on the way that keeps all requirements and
/// costs at most `most`, many of them more than once.
///
/// # Panics
/// As [`anneal`].
pub fn anneal_among(
    party: &Party,
    pool: &[u32],
    start: &[u32],
    config: &AnnealConfig,
    most: i64,
    visit: &mut dyn FnMut(&Team<'_>),
) -> Option<(i64, Vec<u32>)> {
    let mut rng = Rng::new(config.seed);
    let mut team = Team::new(party, start);
    let mut best = team.is_feasible().then(|| (team.cost(), start.to_vec()));
    let free: Vec<usize> = (0..start.len()).filter(|&node| !party.is_fixed(start[node])).collect();
    let is_free = |&item: &u32| party.allowed[item as usize] && !party.is_fixed(item);
    let pool: Vec<u32> = pool.iter().copied().filter(is_free).collect();
    if pool.is_empty() || free.is_empty() {
        return best;
    }
    let mut used = vec![false; party.items.len()];
    start.iter().for_each(|&item| used[item as usize] = true);
    let units = units(party, &pool);
    let price = spread(pool.iter().map(|&item| party.costs[item as usize]));
    let mut weights: Vec<f64> = units.iter().map(|unit| price / unit).collect();
    let energy = |team: &Team<'_>, weights: &[f64]| {
        let lacks = party.requirements.iter().enumerate().zip(weights);
        let lacks = lacks.map(|((i, r), weight)| weight * r.lack(team.amount(i)) as f64);
        team.cost() as f64 + lacks.sum::<f64>()
    };
    let rounds = (config.moves / ROUND).max(1);
    let mut held = vec![0u64; weights.len()];
    for round in 0..rounds {
        let along = round as f64 / rounds as f64;
        let temperature = price * config.hot * (config.cold / config.hot).powf(along);
        let mut now = energy(&team, &weights);
        held.iter_mut().for_each(|held| *held = 0);
        for _ in 0..ROUND {
            let node = free[rng.below(free.len() as u64) as usize];
            let before = team.items()[node];
            // A quarter of the moves are exchanges.
            let undo = if rng.below(4) == 0 {
                let other = free[rng.below(free.len() as u64) as usize];
                if other == node {
                    continue;
                }
                team.swap(node, other);
                Err(other)
            } else {
                let item = pool[rng.below(pool.len() as u64) as usize];
                if used[item as usize] {
                    continue;
                }
                team.replace(node, item);
                Ok(item)
            };
            let after = energy(&team, &weights);
            let worse = after - now;
            if worse <= 0.0 || rng.unit() < (-worse / temperature).exp() {
                now = after;
                if let Ok(item) = undo {
                    used[before as usize] = false;
                    used[item as usize] = true;
                }
                let cheaper = best.as_ref().is_none_or(|(cost, _)| team.cost() < *cost);
                if (cheaper || team.cost() <= most) && team.is_feasible() {
                    if cheaper {
                        best = Some((team.cost(), team.items().to_vec()));
                    }
                    visit(&team);
                }
            } else {
                match undo {
                    Ok(_) => team.replace(node, before),
                    Err(other) => team.swap(node, other),
                }
            }
            for (i, requirement) in party.requirements.iter().enumerate() {
                held[i] += u64::from(requirement.lack(team.amount(i)) == 0);
            }
        }
        for (weight, &held) in weights.iter_mut().zip(&held) {
            if held < ROUND / 4 {
                *weight *= CHANGE;
            } else if held > ROUND / 2 {
                *weight /= CHANGE;
            }
        }
    }
    best
}

/// Effect of a change of one item on the amount of every requirement.
pub(super) fn units(party: &Party, pool: &[u32]) -> Vec<f64> {
    let spread_of = |n: usize| spread(pool.iter().map(|&item| party.items.number(n, item)));
    let unit = |requirement: &Requirement| match requirement.amount {
        Amount::Sum(n) => spread_of(n),
        Amount::Rating(n) => spread_of(n) / party.formation.nodes() as f64,
        Amount::Count(..) | Amount::Distinct(_) | Amount::Same(_) => 1.0,
        Amount::Synergy => party.synergy.hundredth() as f64,
    };
    party.requirements.iter().map(unit).collect()
}

/// Mean distance from the mean, at least 1.
pub(super) fn spread(values: impl Iterator<Item = i64> + Clone) -> f64 {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<i64>() as f64 / count;
    let far: f64 = values.map(|value| (value as f64 - mean).abs()).sum();
    (far / count).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solvers::{
        construct::{Construct, Guidance},
        exact::{Exact, ExactConfig},
        samples,
    };
    use unriddle_core::{Progress, Search as _};

    /// From any start, the result is a feasible team; on small puzzles it is mostly the cheapest.
    #[test]
    fn small_puzzles_are_mostly_solved() {
        let (mut cheapest, mut all) = (0, 0);
        for seed in 0..60 {
            let party = samples::random(seed);
            let construct = Construct::new(&party, Guidance::default());
            let mut rng = Rng::new(seed);
            let Some((start, _)) = construct.witness(50, &mut rng) else {
                continue;
            };
            let pool: Vec<u32> = (0..party.items.len() as u32).collect();
            let config = AnnealConfig { moves: 20_000, seed, ..AnnealConfig::default() };
            let (cost, items) = anneal(&party, &pool, &start, &config).unwrap();
            let team = Team::new(&party, &items);
            assert!(team.is_feasible() && team.cost() == cost);
            assert!((0..4).all(|i| !items[..i].contains(&items[i])));
            assert!(items.iter().all(|&i| party.allowed[i as usize]));
            let mut exact = Exact::new(&party, Some(&items), ExactConfig::BARE);
            let Progress::Finished(outcome) = exact.step(u64::MAX, &mut ()) else {
                panic!("unlimited");
            };
            all += 1;
            cheapest += u32::from(outcome.best().unwrap().value == cost);
        }
        assert!(all > 15 && cheapest * 10 >= all * 9, "{cheapest} of {all}");
    }
}
