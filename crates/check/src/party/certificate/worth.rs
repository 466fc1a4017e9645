//! Upper bounds on the worth of an item for synergy by matrices, on any node and with any
//! neighbours.
//!
//! Links of a node with the same flows lead to different items. So each value is used there at most
//! as often as the region allows, and the sum of the best values, one per link, bounds the gain of
//! an item from its links by a trait. Synergy is the sum of the worths of the items. Nodes may have
//! arbitrary prices. Each price is paid once, so that the best worths of the items beyond a price
//! must reach the required synergy less all prices.

use super::region::Derived;
use crate::party::{matrices::Matrices, rules::Rules};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, btree_map::Entry},
};

/// Greatest absolute value of a weight.
const MOST: u128 = 1 << 20;

/// A link's flows from the viewpoint of a node: out of it and into it.
type Flows = (i64, i64);

/// For each node, the number of its links by their flows.
type Groups = Vec<BTreeMap<Flows, usize>>;

/// Upper bounds of the worths of items. Worths of nodes count twice and links once, because a link
/// counts at both ends.
pub(super) struct Worths<'a> {
    rules: &'a Rules,
    matrices: &'a Matrices,
    /// For each trait with affinities and each value of an item, its bound by links on every node.
    of_links: BTreeMap<usize, BTreeMap<usize, Vec<i128>>>,
}

impl<'a> Worths<'a> {
    pub(super) fn new(rules: &'a Rules, matrices: &'a Matrices, derived: &Derived) -> Self {
        let groups = groups(rules, matrices);
        let mut of_links = BTreeMap::new();
        for t in matrices.with_affinity() {
            // Maximum number of times that each value can be used.
            let most: Vec<i64> = derived.ranges[t].iter().map(|range| range.1).collect();
            let mut of_values = BTreeMap::new();
            for &item in &derived.items {
                let value = rules.pool.traits[t].of[item];
                if let Entry::Vacant(entry) = of_values.entry(value) {
                    entry.insert(of_value(matrices, (t, value), &most, &groups));
                }
            }
            of_links.insert(t, of_values);
        }
        Self { rules, matrices, of_links }
    }

    /// The most that an item of the region is worth on any node beyond the node's price. An empty
    /// `prices` means prices of 0.
    fn beyond(&self, prices: &[i64], item: usize) -> i128 {
        let pool = &self.rules.pool;
        let by_trait: Vec<&Vec<i128>> = self
            .of_links
            .iter()
            .map(|(&t, of_values)| &of_values[&pool.traits[t].of[item]])
            .collect();
        let on = |node: usize| {
            let links: i128 = by_trait.iter().map(|nodes| nodes[node]).sum();
            let price = prices.get(node).copied().unwrap_or(0);
            2 * self.matrices.place(pool, node, item) + links - i128::from(price)
        };
        (0..self.rules.nodes()).map(on).max().unwrap_or(0)
    }
}

impl Worths<'_> {
    /// For each item the bound on its worth beyond the prices of nodes, and the sum that all items
    /// must reach. Both are rounded up to parts large enough that no weight exceeds [`MOST`].
    pub(super) fn weights(
        &self,
        derived: &Derived,
        prices: &[i64],
        least: i64,
    ) -> (BTreeMap<usize, i128>, i128) {
        let items = derived.items.iter();
        let beyond: Vec<(usize, i128)> =
            items.map(|&item| (item, self.beyond(prices, item))).collect();
        let greatest = beyond.iter().map(|(_, worth)| worth.unsigned_abs()).max();
        let parts = greatest.unwrap_or(0).div_ceil(MOST).next_power_of_two() as i128;
        let up = |worth: i128| -(-worth).div_euclid(parts);
        let paid: i128 = prices.iter().map(|&price| i128::from(price)).sum();
        let weights = beyond.into_iter().map(|(item, worth)| (item, up(worth)));
        (weights.collect(), up(i128::from(least) - paid))
    }
}

fn groups(rules: &Rules, matrices: &Matrices) -> Groups {
    let mut groups = Vec::new();
    for node in 0..rules.nodes() {
        let mut times = BTreeMap::new();
        for other in rules.graph.neighbours(node) {
            *times.entry(matrices.flows(node, other)).or_insert(0) += 1;
        }
        groups.push(times);
    }
    groups
}

/// The most that an item of `value` (trait and value) gains from its links by this trait, on every
/// node. `most` bounds how often each value occurs.
fn of_value(
    matrices: &Matrices,
    value: (usize, usize),
    most: &[i64],
    groups: &Groups,
) -> Vec<i128> {
    // Many nodes have links of the same flows, so each flow is computed once.
    let mut longest: BTreeMap<Flows, usize> = BTreeMap::new();
    for (&flows, &links) in groups.iter().flatten() {
        let known = longest.entry(flows).or_insert(0);
        *known = links.max(*known);
    }
    let sums = longest
        .into_iter()
        .map(|(flows, links)| (flows, best(matrices, value, most, flows, links)));
    let sums: BTreeMap<Flows, Vec<i128>> = sums.collect();
    let on = |groups: &BTreeMap<Flows, usize>| {
        let of_groups = groups.iter().map(|(flows, &links)| sums[flows][links]);
        of_groups.sum()
    };
    groups.iter().map(on).collect()
}

/// The most that 0, 1, 2, … up to `links` links of the same flows are worth to an item of a value.
fn best(
    matrices: &Matrices,
    (t, value): (usize, usize),
    most: &[i64],
    (out, into): Flows,
    links: usize,
) -> Vec<i128> {
    // The item itself has one of the occurrences of its value.
    let times = |other: usize| if other == value { (most[other] - 1).max(0) } else { most[other] };
    let mut offers: Vec<(i64, i64)> = Vec::new();
    let mut others: i64 = (0..most.len()).map(times).sum();
    for &(other, forth, back) in matrices.partners(t, value) {
        offers.push((out * forth + into * back, times(other)));
        others -= times(other);
    }
    offers.push((0, others));
    offers.sort_unstable_by_key(|&(worth, _)| Reverse(worth));
    let offers = offers.into_iter();
    let each = offers.flat_map(|(worth, times)| std::iter::repeat_n(worth, times.max(0) as usize));
    // With too few items the region has no team, and any bound holds.
    let each = each.chain(std::iter::repeat(0)).take(links);
    let mut sums = vec![0];
    let mut sum = 0;
    for worth in each {
        sum += i128::from(worth);
        sums.push(sum);
    }
    sums
}
