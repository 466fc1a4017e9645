//! Reason why a puzzle has no team: a minimal set of conditions that contradict each other.
//!
//! Conditions are left out one after the other. A condition without which the puzzle is still
//! unsolvable is not needed; the remaining conditions are a minimal conflict (the deletion filter:
//! J. W. Chinneck and E. W. Dravnieks 1991, "Locating minimal infeasible constraint sets in linear
//! programs", ORSA Journal on Computing 3). Construction is tried first, because it is fast where
//! there are many teams. If it fails, the exact search runs with all prices at 0, so that it looks
//! for the first team that it can find.

use super::{
    construct::{Construct, Guidance},
    exact::{Exact, ExactConfig},
};
use crate::Party;
use unriddle_core::{Progress, Quota, Rng, Search as _};

/// A condition that a team must satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A requirement, by its index.
    Requirement(usize),
    /// A fixed item, by its index among the fixed items.
    Fixed(usize),
    /// The exclusion of items that may not be chosen.
    Excluded,
}

/// Whether there is a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is a team: this one.
    Solvable(Vec<u32>),
    /// It is proved that there is no team.
    Unsolvable,
    /// The search was given up.
    Unknown,
}

/// Conditions that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The conditions.
    pub conditions: Vec<Condition>,
    /// Whether it is proved that each of them is needed.
    pub minimal: bool,
}

/// Options of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictConfig {
    /// Attempts at construction.
    pub attempts: u64,
    /// Most regions that the exact search may expand.
    pub regions: u64,
    /// Seed.
    pub seed: u64,
}

impl Default for VerdictConfig {
    fn default() -> Self {
        Self { attempts: 20, regions: 2000, seed: 0 }
    }
}

/// Whether there is a team, whatever it costs.
#[must_use]
pub fn verdict(party: &Party, config: &VerdictConfig) -> Verdict {
    let construct = Construct::new(party, Guidance::default());
    let found = construct.witness(config.attempts, &mut Rng::new(config.seed));
    if let Some((items, _)) = found {
        return Verdict::Solvable(items);
    }
    let mut free = party.clone();
    free.costs.fill(0);
    let bare = ExactConfig { seed: config.seed, ..ExactConfig::BARE };
    let mut exact = Exact::new(&free, None, bare);
    let quota = Quota { expanded: config.regions, ..Quota::UNLIMITED };
    let progress = exact.advance(&quota, &mut ());
    match (exact.best(), progress) {
        (Some(best), _) => Verdict::Solvable(best.actions.clone()),
        (None, Progress::Finished(_)) => Verdict::Unsolvable,
        (None, _) => Verdict::Unknown,
    }
}

/// A conflict of a puzzle that has no team. `None` unless it is proved that it has none.
#[must_use]
pub fn conflict(party: &Party, config: &VerdictConfig) -> Option<Conflict> {
    if verdict(party, config) != Verdict::Unsolvable {
        return None;
    }
    let requirements = (0..party.requirements.len()).map(Condition::Requirement);
    let fixed = (0..party.fixed.len()).map(Condition::Fixed);
    let excluded = party.allowed.contains(&false).then_some(Condition::Excluded);
    let all: Vec<Condition> = requirements.chain(fixed).chain(excluded).collect();
    let mut kept = all.clone();
    let mut minimal = true;
    for condition in &all {
        let fewer: Vec<Condition> = kept.iter().copied().filter(|c| c != condition).collect();
        match verdict(&only(party, &fewer), config) {
            Verdict::Unsolvable => kept = fewer,
            Verdict::Solvable(_) => {}
            Verdict::Unknown => minimal = false,
        }
    }
    Some(Conflict { conditions: kept, minimal })
}

/// The puzzle with only the given conditions.
#[must_use]
pub fn only(party: &Party, conditions: &[Condition]) -> Party {
    let mut only = party.clone();
    only.requirements.clear();
    only.fixed.clear();
    only.allowed.fill(true);
    for condition in conditions {
        match *condition {
            Condition::Requirement(i) => only.requirements.push(party.requirements[i].clone()),
            Condition::Fixed(i) => only.fixed.push(party.fixed[i]),
            Condition::Excluded => only.allowed.clone_from(&party.allowed),
        }
    }
    only
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Team;
    use crate::solvers::samples::{cheapest, random};

    /// Conflicts of small puzzles have no team, and each of their conditions is needed: by trying
    /// all teams.
    #[test]
    fn conflicts_are_minimal() {
        let config = VerdictConfig::default();
        let (mut solvable, mut sizes) = (0, [0; 12]);
        for seed in 0..120 {
            let party = random(seed);
            match verdict(&party, &config) {
                Verdict::Solvable(items) => {
                    assert!(Team::new(&party, &items).is_feasible());
                    assert_eq!(conflict(&party, &config), None);
                    solvable += 1;
                }
                Verdict::Unsolvable => {
                    let found = conflict(&party, &config).unwrap();
                    assert!(found.minimal);
                    let conditions = &found.conditions;
                    assert_eq!(cheapest(&only(&party, conditions)), None, "seed {seed}");
                    for (i, _) in conditions.iter().enumerate() {
                        let mut fewer = conditions.clone();
                        fewer.remove(i);
                        assert!(cheapest(&only(&party, &fewer)).is_some(), "seed {seed}");
                    }
                    sizes[conditions.len()] += 1;
                }
                Verdict::Unknown => panic!("seed {seed}"),
            }
        }
        assert!(solvable > 30 && sizes[1..].iter().filter(|n| **n > 0).count() > 1, "{sizes:?}");
    }
}
