//! Items that some cheapest team can do without.
//!
//! An item *dominates* another one if it costs no more (among equal items the first dominates), has
//! the same values of all traits that anything depends on, and suits the requirements at least as
//! well in every number. In a team with the dominated item and without the other, the two can be
//! exchanged, and the team costs no more. So there is a cheapest team that has, with each item, all
//! items that dominate it. None of its items is dominated by as many others as there are nodes, or
//! by an omitted item.

use crate::{Amount, LinkTable, Party};
use std::collections::HashMap;

/// Direction in which values of a number suit the requirements better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Better {
    More,
    Less,
    /// Neither: only equal values are as good.
    Same,
}

/// Dominance relation of the items.
#[derive(Clone, Debug)]
pub(super) struct Dominance {
    /// By item: a code for its values of all traits that anything depends on.
    kinds: Vec<u32>,
    /// The numbers that requirements bound.
    numbers: Vec<(usize, Better)>,
}

impl Dominance {
    pub(super) fn new(party: &Party) -> Self {
        let mut traits = super::of_synergy(party);
        let table = party.synergy.links();
        traits.extend(table.and_then(LinkTable::position_of));
        let mut numbers: Vec<(usize, Better)> = Vec::new();
        for requirement in &party.requirements {
            match requirement.amount {
                Amount::Sum(n) | Amount::Rating(n) => {
                    let better = match (requirement.at_least, requirement.at_most) {
                        (_, None) => Better::More,
                        (None, _) => Better::Less,
                        _ => Better::Same,
                    };
                    match numbers.iter_mut().find(|(known, _)| *known == n) {
                        Some((_, known)) if *known != better => *known = Better::Same,
                        Some(_) => {}
                        None => numbers.push((n, better)),
                    }
                }
                Amount::Count(t, _) | Amount::Distinct(t) | Amount::Same(t) => traits.push(t),
                Amount::Synergy => {}
            }
        }
        traits.sort_unstable();
        traits.dedup();
        let mut known: HashMap<Vec<u16>, u32> = HashMap::new();
        let kinds = (0..party.items.len())
            .map(|item| {
                let codes = traits.iter().map(|&t| party.items.traits[t].codes[item]);
                let next = known.len() as u32;
                *known.entry(codes.collect()).or_insert(next)
            })
            .collect();
        Self { kinds, numbers }
    }

    /// Whether `one` dominates `other`.
    pub(super) fn dominates(&self, party: &Party, one: u32, other: u32) -> bool {
        let (a, b) = (one as usize, other as usize);
        let order = |item: usize| (party.costs[item], item);
        self.kinds[a] == self.kinds[b]
            && order(a) < order(b)
            && !party.is_fixed(one)
            && !party.is_fixed(other)
            && self.numbers.iter().all(|&(n, better)| {
                let values = &party.items.numbers[n].values;
                match better {
                    Better::More => values[a] >= values[b],
                    Better::Less => values[a] <= values[b],
                    Better::Same => values[a] == values[b],
                }
            })
    }

    /// The items that may be chosen and that fewer than `nodes` others dominate, in their order.
    pub(super) fn undominated(&self, party: &Party, nodes: usize) -> Vec<u32> {
        let mut order = party.pool();
        order.sort_unstable_by_key(|&item| (party.costs[item as usize], item));
        // Dominance is transitive: an item that is dominated by a dropped one is also dominated by
        // all that dominate the dropped one.
        let mut kept: HashMap<u32, Vec<u32>> = HashMap::new();
        for item in order {
            let alike = kept.entry(self.kinds[item as usize]).or_default();
            let is_dominating = |other: &&u32| self.dominates(party, **other, item);
            if alike.iter().rev().filter(is_dominating).take(nodes).count() < nodes {
                alike.push(item);
            }
        }
        let mut kept: Vec<u32> = kept.into_values().flatten().collect();
        kept.sort_unstable();
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solvers::samples::{cheapest, random, teams};

    /// Some cheapest team has with each item all that dominate it, and no item that too many
    /// dominate.
    #[test]
    fn a_cheapest_team_does_without_dominated_items() {
        let (mut fewer, mut barred) = (0, 0);
        for seed in 0..150 {
            // Few kinds of items, so that many are alike.
            let mut party = random(seed);
            for t in &mut party.items.traits {
                t.codes.iter_mut().for_each(|code| *code %= 2);
            }
            let party = with_packed(&party);
            let dominance = Dominance::new(&party);
            let all = party.pool();
            let kept = dominance.undominated(&party, party.formation.nodes());
            fewer += all.len() - kept.len();
            let mut best = None;
            teams(&party, |team| {
                let has = |item: &u32| team.items().contains(item);
                let closed = team.items().iter().all(|&item| {
                    let dominating = |other: &&u32| dominance.dominates(&party, **other, item);
                    kept.contains(&item) && all.iter().filter(dominating).all(has)
                });
                barred += usize::from(!closed);
                if closed && team.is_feasible() && best.is_none_or(|best| team.cost() < best) {
                    best = Some(team.cost());
                }
            });
            assert_eq!(best, cheapest(&party), "seed {seed}");
        }
        assert!(fewer > 10 && barred > 1000, "{fewer} {barred}");
    }

    /// The same puzzle after its items have changed.
    fn with_packed(party: &Party) -> Party {
        let mut fresh = Party::new(
            party.items.clone(),
            party.formation.clone(),
            party.synergy.clone(),
            party.requirements.clone(),
        );
        fresh.costs.clone_from(&party.costs);
        fresh.allowed.clone_from(&party.allowed);
        fresh.fixed.clone_from(&party.fixed);
        fresh
    }
}
