//! Teams that cost little more than the cheapest: their number, and the items that they have in
//! common.
//!
//! Teams are distinguished by their items, not by the nodes of the items. The pool consists of the
//! items that the bound of the whole puzzle leaves at such a price. Items are chosen in the order
//! of their costs, depth first. A branch ends where its price is too high, or where the best of the
//! remaining items cannot make up for a sum or a count. Each remaining set is placed by local
//! search; the few sets for which this fails are placed exhaustively. If the search completes
//! within its budget, the number is exact. Otherwise it is a lower bound, together with the teams
//! that were known before.

use super::{
    placement::{Climbed, climbed, place},
    rounds::cheaper,
};
use crate::Party;
use std::collections::BTreeSet;
use unriddle_core::Rng;

/// Limits of counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NearConfig {
    /// Most choices of an item.
    pub choices: u64,
    /// Most sets that are placed.
    pub placements: u64,
    /// Most sets that are placed exhaustively; if there are more, the number is a lower bound.
    pub exhausted: usize,
    /// Seed.
    pub seed: u64,
}

impl Default for NearConfig {
    fn default() -> Self {
        Self { choices: 500_000, placements: 2000, exhausted: 20, seed: 0 }
    }
}

/// Teams up to a price.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Near {
    /// The teams, each with its items in ascending order.
    pub teams: BTreeSet<Vec<u32>>,
    /// Whether there are no other teams.
    pub exact: bool,
}

/// Counts the teams that cost at most `most`. `known` are teams that are known already, as
/// [`sorted`] items. `visit` is called with the teams that are found, in node order.
pub fn near(
    party: &Party,
    most: i64,
    known: BTreeSet<Vec<u32>>,
    config: &NearConfig,
    visit: &mut dyn FnMut(&[u32]),
) -> Near {
    let mut found = Near { teams: known, exact: false };
    let Some(pool) = cheaper(party, most.saturating_add(1)) else {
        // No team is that cheap.
        found.exact = true;
        return found;
    };
    let mut count = Count::new(party, pool, most, config, visit);
    found.exact = count.choose(0, &mut Vec::new(), 0) && count.exhaust(config.exhausted);
    found.teams.append(&mut count.found);
    found
}

/// Items in ascending order.
#[must_use]
pub fn sorted(items: &[u32]) -> Vec<u32> {
    let mut items = items.to_vec();
    items.sort_unstable();
    items
}

/// A depth-first count.
struct Count<'a> {
    party: &'a Party,
    /// Items in the order of their costs.
    pool: Vec<u32>,
    most: i64,
    /// Requirements that are sums over items. Each has the least sum, every item's part, and, for
    /// each index in the pool and each number of later items, the most that these items add.
    sums: Vec<Sum>,
    found: BTreeSet<Vec<u32>>,
    /// Sets for which local search found no placement.
    open: Vec<Vec<u32>>,
    choices: u64,
    placements: u64,
    rng: Rng,
    visit: &'a mut dyn FnMut(&[u32]),
}

struct Sum {
    least: i64,
    parts: Vec<i64>,
    /// For each index in the pool and number of items, row by row, the most that they add.
    best: Vec<i64>,
}

impl<'a> Count<'a> {
    fn new(
        party: &'a Party,
        mut pool: Vec<u32>,
        most: i64,
        config: &NearConfig,
        visit: &'a mut dyn FnMut(&[u32]),
    ) -> Self {
        pool.sort_unstable_by_key(|&item| (party.costs[item as usize], item));
        let nodes = party.formation.nodes();
        let sums = party.requirements.iter().filter_map(|requirement| {
            let least = requirement.at_least?;
            let parts = pool.iter().map(|&item| requirement.amount.part(&party.items, item));
            let parts: Vec<i64> = parts.collect::<Option<_>>()?;
            let mut best = vec![0; (pool.len() + 1) * (nodes + 1)];
            let mut top: Vec<i64> = Vec::with_capacity(nodes + 1);
            for (at, &part) in parts.iter().enumerate().rev() {
                let place = top.partition_point(|&other| other >= part);
                top.insert(place, part);
                top.truncate(nodes);
                let mut all = 0;
                for r in 1..=nodes {
                    // If too few items are left, no set is made of them anyway.
                    all += top.get(r - 1).copied().unwrap_or(0);
                    best[at * (nodes + 1) + r] = all;
                }
            }
            Some(Sum { least, parts, best })
        });
        Self {
            party,
            most,
            sums: sums.collect(),
            pool,
            found: BTreeSet::new(),
            open: Vec::new(),
            choices: config.choices,
            placements: config.placements,
            rng: Rng::new(config.seed),
            visit,
        }
    }

    /// Completes a choice with items from the index `from` in the pool on. Returns whether the
    /// budget was enough.
    fn choose(&mut self, from: usize, chosen: &mut Vec<usize>, cost: i64) -> bool {
        let nodes = self.party.formation.nodes();
        let left = nodes - chosen.len();
        if left == 0 {
            return self.place(chosen);
        }
        for at in from..self.pool.len().saturating_sub(left - 1) {
            if cost + self.party.cost_of(&self.pool[at..at + left]) > self.most {
                return true;
            }
            if !self.can_reach(at, chosen, left) {
                continue;
            }
            if self.choices == 0 {
                return false;
            }
            self.choices -= 1;
            chosen.push(at);
            let own = self.party.costs[self.pool[at] as usize];
            let done = self.choose(at + 1, chosen, cost + own);
            chosen.pop();
            if !done {
                return false;
            }
        }
        true
    }

    /// Whether a choice that continues with the item at the index `at` can reach all sums.
    fn can_reach(&self, at: usize, chosen: &[usize], left: usize) -> bool {
        let row = self.party.formation.nodes() + 1;
        self.sums.iter().all(|sum| {
            let now: i64 = chosen.iter().map(|&at| sum.parts[at]).sum();
            now + sum.parts[at] + sum.best[(at + 1) * row + left - 1] >= sum.least
        })
    }

    fn place(&mut self, chosen: &[usize]) -> bool {
        if self.placements == 0 {
            return false;
        }
        self.placements -= 1;
        let items: Vec<u32> = chosen.iter().map(|&at| self.pool[at]).collect();
        match climbed(self.party, &items, &mut self.rng) {
            Some(Climbed::Team(team)) => self.add(&team),
            Some(Climbed::Unknown { .. }) => self.open.push(items),
            None => {}
        }
        true
    }

    /// Searches placements of the open sets. Returns whether there are at most `most` of them.
    fn exhaust(&mut self, most: usize) -> bool {
        if self.open.len() > most {
            return false;
        }
        for items in std::mem::take(&mut self.open) {
            if let Some(team) = place(self.party, &items, &mut self.rng) {
                self.add(&team);
            }
        }
        true
    }

    fn add(&mut self, team: &[u32]) {
        (self.visit)(team);
        self.found.insert(sorted(team));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Team,
        solvers::samples::{cheapest, random},
    };

    /// All sets of four of fourteen items, tried one by one.
    fn naive(party: &Party, most: i64) -> BTreeSet<Vec<u32>> {
        let count = party.items.len() as u32;
        let mut found = BTreeSet::new();
        for bits in 0u32..1 << count {
            if bits.count_ones() != 4 {
                continue;
            }
            let items: Vec<u32> = (0..count).filter(|i| bits >> i & 1 == 1).collect();
            let cost: i64 = items.iter().map(|&i| party.costs[i as usize]).sum();
            let allowed = items.iter().all(|&i| party.allowed[i as usize]);
            if cost <= most && allowed && place(party, &items, &mut Rng::new(0)).is_some() {
                found.insert(items);
            }
        }
        found
    }

    #[test]
    fn all_teams_are_counted_and_a_budget_makes_a_lower_limit() {
        let (mut many, mut limited) = (0, 0);
        for seed in 0..60 {
            let party = random(seed);
            let Some(best) = cheapest(&party) else {
                continue;
            };
            let most = best + best / 5;
            let expected = naive(&party, most);
            let thorough = NearConfig { exhausted: usize::MAX, ..NearConfig::default() };
            let mut shown = BTreeSet::new();
            let all = near(&party, most, BTreeSet::new(), &thorough, &mut |team| {
                assert!(Team::new(&party, team).is_feasible());
                shown.insert(sorted(team));
            });
            assert_eq!(shown, expected, "seed {seed}");
            assert!(all.exact);
            assert_eq!(all.teams, expected, "seed {seed}");
            many += usize::from(all.teams.len() > 1);
            let small = NearConfig { choices: 20, ..NearConfig::default() };
            let some = near(&party, most, BTreeSet::new(), &small, &mut |_| {});
            assert!(some.teams.is_subset(&expected));
            limited += usize::from(!some.exact);
        }
        assert!(many > 5 && limited > 5, "{many} {limited}");
    }
}
