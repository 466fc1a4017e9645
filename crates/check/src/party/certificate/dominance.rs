//! Items that some cheapest team can do without.
//!
//! An item dominates another one if it costs less (or the same, and precedes it in the list), has
//! the same values of all relevant traits, and suits the requirements at least as well in every
//! number. If a team has the other item and not this one, exchanging the two leaves a team that
//! costs no more. Repeated exchanges end, because each one makes the team cheaper or moves it to
//! the front of the list. So if there is a team below a price, there is also a team in which every
//! item occurs together with all items that dominate it. Proofs need to consider only such teams.

use super::Proof;
use crate::party::{amount::Amount, rules::Rules};
use std::collections::BTreeMap;

/// The traits that a requirement or synergy depends on.
pub(super) fn relevant(rules: &Rules) -> Vec<usize> {
    let mut traits = rules.synergy_traits();
    for requirement in &rules.requirements {
        if let Amount::Count(t, _) | Amount::Distinct(t) | Amount::Same(t) = requirement.amount {
            traits.push(t);
        }
    }
    traits
}

impl Proof<'_> {
    /// Whether the first item dominates the second.
    pub(super) fn dominates(&self, one: usize, other: usize) -> bool {
        let rules = self.rules;
        // Fixed items cannot be exchanged.
        if rules.fixed.contains_key(&one) || rules.fixed.contains_key(&other) {
            return false;
        }
        if (rules.costs[one], one) >= (rules.costs[other], other) {
            return false;
        }
        let same = |&t: &usize| rules.pool.traits[t].of[one] == rules.pool.traits[t].of[other];
        self.relevant.iter().all(same)
            && rules.requirements.iter().all(|requirement| {
                let number = match requirement.amount {
                    Amount::Sum(n) | Amount::Average(n) | Amount::Rating(n) => n,
                    _ => return true,
                };
                let of = &rules.pool.numbers[number].of;
                let (least, most) = requirement.range();
                (least.is_none() || of[one] >= of[other])
                    && (most.is_none() || of[one] <= of[other])
            })
    }

    /// The items that a team may have and that are dominated by fewer items than there are nodes.
    pub(super) fn undominated(&self) -> Vec<usize> {
        let excluded = &self.rules.excluded;
        let mut order: Vec<usize> = (0..excluded.len()).filter(|&item| !excluded[item]).collect();
        order.sort_by_key(|&item| (self.rules.costs[item], item));
        // Only items with the same values can dominate each other. If an item is dominated by an
        // omitted item, it is also dominated by all items that dominate the omitted one.
        let mut kept: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
        for item in order {
            let values = self.relevant.iter().map(|&t| self.rules.pool.traits[t].of[item]);
            let alike = kept.entry(values.collect()).or_default();
            let dominating = alike.iter().filter(|&&other| self.dominates(other, item)).count();
            if dominating < self.rules.nodes() {
                alike.push(item);
            }
        }
        let mut items: Vec<usize> = kept.into_values().flatten().collect();
        items.sort_unstable();
        items
    }
}
