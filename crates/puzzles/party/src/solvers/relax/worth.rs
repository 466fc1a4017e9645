//! Bounds of synergy by matrices: the maximum worth of each item to a team.
//!
//! The synergy of a team is the sum over its items of the worths of their links and nodes. The
//! worth of an item on a node is bounded by the neighbours that suit it best among all values that
//! can still occur, each as often as it can. As every node has one item, nodes may have prices. An
//! item is worth at most its best node beyond that node's price, and the sum of these bounds over
//! the team's items, and of the prices, is at least the required synergy. That is linear in the
//! items, whatever the prices are. Where a solution's items cannot be assigned to the nodes so that
//! they are worth enough, the assignment's dual prices cut it off. With fewer possible values the
//! bound is tighter: regions are cut by the counts of values that items rely on although the
//! relaxation takes fewer of them.

use super::{Relaxation, Value, counts::Ranges};
use crate::{
    Matrices, Party, Synergy,
    lp::Row,
    solvers::assignment::greatest,
    synergy::{Affinity, Flow},
};
use std::collections::BTreeMap;

/// Weights are scaled down to at most this, so that multipliers stay exact enough.
const MOST: u64 = 1 << 20;

/// Links of nodes by their flows, and the required synergy.
#[derive(Clone, Debug)]
pub(super) struct Worth<'a> {
    matrices: &'a Matrices,
    /// The required synergy.
    least: i64,
    /// For each node: the different flows of its links as seen from the node, each with its number
    /// of links.
    groups: Vec<Vec<(Flow, i64)>>,
}

impl<'a> Worth<'a> {
    /// `None` if no synergy by matrices is required.
    pub(super) fn new(party: &'a Party) -> Option<Self> {
        let Synergy::Matrices(matrices) = &party.synergy else {
            return None;
        };
        let groups = |node: usize| {
            let mut groups: BTreeMap<Flow, i64> = BTreeMap::new();
            for &(_, link) in party.formation.at(node) {
                let link = usize::from(link);
                let is_first = usize::from(party.formation.links()[link].0) == node;
                let flow = matrices.flows[link];
                *groups.entry(if is_first { flow } else { flow.turned() }).or_insert(0) += 1;
            }
            groups.into_iter().collect()
        };
        let groups = (0..party.formation.nodes()).map(groups).collect();
        Some(Self { matrices, least: party.least_synergy()?, groups })
    }
}

/// The best neighbours of an item of `value` over `many` links of one flow. `tell` is called with
/// each value of the neighbours, its number of neighbours, and the worth of each. Returns the sum.
fn best(
    affinity: &Affinity,
    (flow, many): (Flow, i64),
    value: u16,
    there: &[(u16, i64)],
    mut tell: impl FnMut(u16, i64, i64),
) -> i64 {
    // The best values so far, by falling worth. The list is short, because few links are alike.
    let mut taken: Vec<(i64, u16, i64)> = Vec::new();
    let mut all = 0;
    for &(other, often) in there {
        let often = often - i64::from(other == value);
        let worth = flow.worth(affinity, value, other);
        if often <= 0 || (all >= many && taken.last().is_some_and(|last| last.0 >= worth)) {
            continue;
        }
        let at = taken.partition_point(|before| before.0 >= worth);
        taken.insert(at, (worth, other, often));
        all += often;
        while let Some(&(_, _, last)) = taken.last()
            && all - last >= many
        {
            taken.pop();
            all -= last;
        }
    }
    let (mut sum, mut room) = (0, many);
    for (worth, other, often) in taken {
        let often = often.min(room);
        sum += often * worth;
        room -= often;
        tell(other, often, worth);
    }
    sum
}

/// Upper bounds of the worths of items on nodes.
pub(super) struct OnNodes {
    nodes: usize,
    /// The required synergy.
    least: i64,
    /// A row of nodes for each item.
    worth: Vec<i64>,
}

impl OnNodes {
    /// The row that requires the items to be worth enough together, given a price of each node.
    pub(super) fn row(&self, prices: &[i64]) -> Row {
        let least = self.least - prices.iter().sum::<i64>();
        let most: Vec<i64> = self.beyond(prices).collect();
        let greatest = most.iter().map(|most| most.unsigned_abs()).max();
        let parts = greatest.unwrap_or(0).div_ceil(MOST).next_power_of_two() as i64;
        // Rounding up keeps the row valid: a sum of rounded weights reaches the rounded bound.
        let up = |amount: i64| -(-amount).div_euclid(parts);
        let entries = most.iter().enumerate().map(|(j, &most)| (j as u32, up(most)));
        let entries = entries.filter(|entry| entry.1 != 0).collect();
        Row { entries, least: Some(up(least)), most: None }
    }

    /// For each item: the most that it is worth on a node beyond the price of that node.
    fn beyond<'a>(&'a self, prices: &'a [i64]) -> impl Iterator<Item = i64> + 'a {
        self.worth.chunks_exact(self.nodes).map(move |on| {
            let beyond = on.iter().zip(prices).map(|(worth, price)| worth - price);
            beyond.max().unwrap_or(0)
        })
    }

    /// Prices of nodes whose row cuts off the solution `values`: the dual prices of the best
    /// assignment of the items of which it takes most. `None` if the row holds.
    pub(super) fn prices(&self, values: &[f64]) -> Option<Vec<i64>> {
        let mut order: Vec<usize> = (0..self.worth.len() / self.nodes).collect();
        let nodes = self.nodes.min(order.len());
        let by_value = |a: &usize, b: &usize| values[*b].total_cmp(&values[*a]).then(a.cmp(b));
        order.select_nth_unstable_by(nodes - 1, by_value);
        let taken = &order[..nodes];
        let found = greatest(nodes, |node, i| self.worth[taken[i] * self.nodes + node]);
        let all: f64 =
            self.beyond(&found.prices).zip(values).map(|(beyond, x)| beyond as f64 * x).sum();
        let bound = all + found.prices.iter().sum::<i64>() as f64;
        let is_broken = bound < self.least as f64 - 1e-3 * (1.0 + bound.abs());
        is_broken.then_some(found.prices)
    }
}

impl Relaxation<'_> {
    /// The values of an affinity's trait that can occur, each with its most occurrences.
    fn there(affinity: &Affinity, ranges: &Ranges) -> Vec<(u16, i64)> {
        let of = ranges.of_trait(affinity.of).iter().enumerate();
        let of = of.map(|(value, range)| (value as u16, range.1));
        of.filter(|(_, most)| *most > 0).collect()
    }

    /// Bounds of the worth of each item on each node, item by item; `None` if no synergy by
    /// matrices is required.
    pub(super) fn on_nodes(&self, items: &[u32], ranges: &Ranges) -> Option<OnNodes> {
        let worth = self.worth.as_ref()?;
        // By affinity, node and value; only for values that can occur.
        let mut known: Vec<Vec<Vec<i64>>> = Vec::new();
        for affinity in &worth.matrices.affinities {
            let there = Self::there(affinity, ranges);
            let on = |groups: &Vec<(Flow, i64)>| {
                let mut sums = vec![0; affinity.values];
                for &(value, _) in &there {
                    let of =
                        |&group: &(Flow, i64)| best(affinity, group, value, &there, |_, _, _| {});
                    sums[usize::from(value)] = groups.iter().map(of).sum();
                }
                sums
            };
            known.push(worth.groups.iter().map(on).collect());
        }
        let on = |item: u32, node: usize| {
            let links =
                worth.matrices.affinities.iter().zip(&known).map(|(affinity, known)| {
                    known[node][usize::from(self.code(affinity.of, item))]
                });
            worth.matrices.place(&self.party.items, node, item) + links.sum::<i64>()
        };
        let nodes = worth.groups.len();
        let all = items.iter().flat_map(|&item| (0..nodes).map(move |node| (item, node)));
        Some(OnNodes {
            nodes,
            least: worth.least,
            worth: all.map(|(item, node)| on(item, node)).collect(),
        })
    }

    /// Values of which items count on more than are taken, each with the worth that is missing
    /// then.
    pub(super) fn missed(
        &self,
        worth: &Worth<'_>,
        ranges: &Ranges,
        counts: &BTreeMap<Value, f64>,
        taken: &[(u32, f64)],
    ) -> Vec<(Value, f64)> {
        let affinities = worth.matrices.affinities.iter();
        let there: Vec<_> = affinities.map(|a| (a, Self::there(a, ranges))).collect();
        let mut missed: BTreeMap<Value, f64> = BTreeMap::new();
        for &(item, x) in taken.iter().filter(|(_, x)| *x > super::WHOLE) {
            let on = |node: usize, tell: &mut dyn FnMut(Value, Value, i64, i64)| {
                let mut sum = worth.matrices.place(&self.party.items, node, item);
                for (affinity, there) in &there {
                    let value = self.code(affinity.of, item);
                    for &group in &worth.groups[node] {
                        sum += best(affinity, group, value, there, |other, often, each| {
                            tell((affinity.of, value), (affinity.of, other), often, each);
                        });
                    }
                }
                sum
            };
            let nodes = 0..worth.groups.len();
            let Some(node) = nodes.max_by_key(|&node| on(node, &mut |_, _, _, _| {})) else {
                continue;
            };
            on(node, &mut |own, other, often, each| {
                let count = counts.get(&other).copied().unwrap_or(0.0);
                let lacking = often as f64 - (count - super::WHOLE).ceil()
                    + f64::from(u8::from(own == other));
                let range = ranges.of(other);
                if lacking > 0.0 && each > 0 && range.0 < range.1 {
                    *missed.entry(other).or_insert(0.0) += x * lacking * each as f64;
                }
            });
        }
        missed.into_iter().collect()
    }
}
