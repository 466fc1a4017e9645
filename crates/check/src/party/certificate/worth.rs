//! What an item can be worth to synergy by matrices, wherever it stands and whoever stands beside it.
//!
//! An item has at most so much of its links by a trait: links of the same flows lead to different items, so that each of
//! as many values as there are links is taken at most as often as the region has it, and the best of them bound the sum.
//! Synergy is the sum of what its items have, so that the items' bounds must reach what is required.

use super::region::Derived;
use crate::party::{Rules, matrices::Matrices};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, btree_map::Entry},
};

/// A link's flows as one of its nodes sees them: out of it and into it.
type Flows = (i64, i64);

/// For each node, how many of its links have the same flows.
type Groups = Vec<BTreeMap<Flows, usize>>;

/// Upper bounds of what items are worth, twice by their places and once by their links.
pub(super) struct Worths<'a> {
    rules: &'a Rules,
    matrices: &'a Matrices,
    /// For each trait with affinities and each value that an item has, what it can have of its links on every node.
    of_links: BTreeMap<usize, BTreeMap<usize, Vec<i128>>>,
}

impl<'a> Worths<'a> {
    pub(super) fn new(rules: &'a Rules, matrices: &'a Matrices, derived: &Derived) -> Self {
        let groups = groups(rules, matrices);
        let mut of_links = BTreeMap::new();
        for t in matrices.with_affinity() {
            // How often each value can be taken.
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
        Self {
            rules,
            matrices,
            of_links,
        }
    }

    /// The most that an item of the region is worth on any node.
    pub(super) fn of(&self, item: usize) -> i128 {
        let pool = &self.rules.pool;
        let by_trait: Vec<&Vec<i128>> = self
            .of_links
            .iter()
            .map(|(&t, of_values)| &of_values[&pool.traits[t].of[item]])
            .collect();
        let on = |node: usize| {
            let links: i128 = by_trait.iter().map(|nodes| nodes[node]).sum();
            2 * self.matrices.place(pool, node, item) + links
        };
        (0..self.rules.nodes()).map(on).max().unwrap_or(0)
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

/// What an item of a value can have of its links by the value's trait on every node.
fn of_value(
    matrices: &Matrices,
    value: (usize, usize),
    most: &[i64],
    groups: &Groups,
) -> Vec<i128> {
    // Nodes have the same flows more often than not.
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

/// The most that 0, 1, 2, … links of the same flows are worth to an item of a value.
fn best(
    matrices: &Matrices,
    (t, value): (usize, usize),
    most: &[i64],
    (out, into): Flows,
    links: usize,
) -> Vec<i128> {
    // The item itself is one of those that have its value.
    let times = |other: usize| match other == value {
        true => (most[other] - 1).max(0),
        false => most[other],
    };
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
    // If there are not enough items, the region has no team, and any bound holds.
    let each = each.chain(std::iter::repeat(0)).take(links);
    let mut sums = vec![0];
    let mut sum = 0;
    for worth in each {
        sum += i128::from(worth);
        sums.push(sum);
    }
    sums
}
