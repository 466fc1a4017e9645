//! The linear relaxation of a party puzzle within a region of it.
//!
//! A [`Region`] bounds the numbers of items with a value, and contains the items of the team. Every
//! team of a region is an integral point of a linear program: as many items as nodes, sums and
//! counts within bounds, and enough shared links. For the links, *c* items of a value share their
//! trait over at most as many links as the densest *c* nodes have ([`graph`](super::graph)). A line
//! above that number, between the least and the most of *c* in the region, is linear in the items.
//! The smaller the region, the tighter the lines; therefore the search of [`exact`](super::exact)
//! branches on counts (spatial branch and bound: J. E. Falk and R. M. Soland 1969, Management
//! Science 15).
//!
//! A lower bound of the number of different values is a convex condition on the counts. It is added
//! as cuts where a solution breaks it.

mod counts;
mod dominance;
mod nonlinear;
mod rows;
mod worth;

use super::graph::{densest, least_shared};
use crate::lp::{Engine, PARTS, Status, rounded};
use crate::{Amount, Party, divisor};
pub(super) use counts::Ranges;
use dominance::Dominance;
pub(super) use nonlinear::Hint;
pub(super) use rows::Source;
use std::collections::BTreeMap;
use worth::Worth;

/// Tolerance within which an amount counts as whole.
pub(super) const WHOLE: f64 = 1e-6;

/// Most rows with prices of nodes that are added in a region.
const PRICED: usize = 8;

/// A trait and one of its values.
pub(super) type Value = (usize, u16);

/// A subset of the teams.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Bounds on the numbers of items with a value, at least and at most.
    pub(super) counts: BTreeMap<Value, (i64, i64)>,
    /// For each trait, the maximum number of items with the same value.
    pub(super) caps: BTreeMap<usize, i64>,
    /// Sums of rated numbers, at least and at most.
    pub(super) sums: BTreeMap<usize, (i64, i64)>,
    /// Items that are in the team.
    pub(super) within: Vec<u32>,
    /// Items that are not.
    pub(super) without: Vec<u32>,
}

impl Region {
    /// The part of the region where the count of `value` is from `least` to `most`.
    #[must_use]
    pub(super) fn with_count(&self, value: Value, (least, most): (i64, i64)) -> Self {
        let mut part = self.clone();
        let range = part.counts.entry(value).or_insert((0, i64::MAX));
        *range = (least.max(range.0), most.min(range.1));
        part
    }

    /// The part of the region where the sum of the rated number `n` is from `least` to `most`.
    #[must_use]
    pub(super) fn with_sum(&self, n: usize, (least, most): (i64, i64)) -> Self {
        let mut part = self.clone();
        let range = part.sums.entry(n).or_insert((i64::MIN / 4, i64::MAX / 4));
        *range = (least.max(range.0), most.min(range.1));
        part
    }
}

/// The solved relaxation of a region.
#[derive(Clone, Debug)]
pub(super) struct Relaxed {
    /// Lower bound of the price of its teams.
    pub bound: i64,
    /// Whether the relaxation was solved to optimality; otherwise the amounts that it takes are
    /// meaningless.
    pub solved: bool,
    /// The bound before it is rounded to a price, in [`PARTS`].
    pub parts: i128,
    /// The items that a team cheaper than the cut-off may have, with how much of each the
    /// relaxation takes.
    pub items: Vec<(u32, f64)>,
    /// Reduced cost of each of these items: by how much it raises the bound if it is taken. It is
    /// below 0 for items that the bound takes.
    pub reduced: Vec<i128>,
    /// Number of items with each value in the relaxed solution.
    pub counts: BTreeMap<Value, f64>,
    /// Values for which the relaxation is too optimistic, with the differences: their lines are
    /// above the links that their counts can share, or items rely on more of them than the
    /// relaxation takes.
    pub gaps: Vec<(Value, f64)>,
    /// Whether the counts can share, or be worth, as much as the synergy needs.
    pub shares: bool,
    /// Cuts to choose where other requirements are broken.
    pub hints: Vec<Hint>,
}

impl Relaxed {
    /// The items of which the relaxation takes more than half.
    pub(super) fn taken(&self) -> Vec<u32> {
        let taken = self.items.iter().filter(|(_, x)| *x > 0.5);
        taken.map(|&(item, _)| item).collect()
    }

    /// The items that are taken whole, if there are as many as nodes. They need not reach the
    /// synergy.
    pub(super) fn team(&self, nodes: i64) -> Option<Vec<u32>> {
        let is_whole = |x: f64| x > 1.0 - WHOLE || !self.solved;
        let items = self.items.iter().filter(|(_, x)| is_whole(*x));
        let items: Vec<u32> = items.map(|&(item, _)| item).collect();
        (items.len() as i64 == nodes).then_some(items)
    }
}

/// The possible counts and sums of a region.
struct Possible {
    /// The remaining items.
    items: Vec<u32>,
    /// The ranges of counts.
    ranges: Ranges,
    /// By number: the bounds of its sum, for all rated numbers.
    sums: BTreeMap<usize, (i64, i64)>,
    /// For each compared trait, the most links over which it can be shared.
    shared: Vec<i64>,
}

/// Result of the relaxation of a region.
#[derive(Debug)]
pub(super) enum Finding {
    /// It may hold a cheaper team.
    Open(Relaxed),
    /// No counts and sums are possible in it.
    Impossible,
    /// Its linear program is infeasible.
    Refuted,
    /// No team of the region is cheaper than the limit.
    Dear,
}

/// The multipliers of rows that are not 0, in [`PARTS`]: all that a bound rests on.
pub(super) type Proof = Vec<(Source, i64)>;

/// The relaxation of a puzzle: data that all its regions share.
pub struct Relaxation<'a> {
    pub(super) party: &'a Party,
    pub(super) nodes: i64,
    /// By number of nodes: the most links that this many nodes can have among them.
    densest: Vec<i64>,
    /// Least number of shared traits, over all links, that the required synergy needs.
    least: i64,
    /// By trait: the least and the most number of different values.
    distinct: BTreeMap<usize, (i64, i64)>,
    /// All prices are multiples of this unit.
    unit: i64,
    /// Traits that a required synergy compares.
    compared: Vec<usize>,
    /// Traits of which values are counted.
    traits: Vec<usize>,
    /// Worths of items for a required synergy by matrices.
    worth: Option<Worth<'a>>,
    /// Dominance between items, if one cheapest team is enough.
    dominance: Option<Dominance>,
    /// Solver of the linear programs.
    engine: Engine,
}

impl<'a> Relaxation<'a> {
    /// Prepares the relaxation of a puzzle. `None` if no team can have the required synergy.
    #[must_use]
    pub fn new(party: &'a Party) -> Option<Self> {
        let mut distinct = BTreeMap::new();
        let mut traits = of_synergy(party);
        let compared = if party.synergy.links().is_some() { traits.clone() } else { Vec::new() };
        for requirement in &party.requirements {
            match requirement.amount {
                Amount::Distinct(t) => {
                    let known = distinct.entry(t).or_insert((0, i64::MAX));
                    known.0 = requirement.at_least.unwrap_or(0).max(known.0);
                    known.1 = requirement.at_most.unwrap_or(i64::MAX).min(known.1);
                    traits.push(t);
                }
                Amount::Same(t) => traits.push(t),
                _ => {}
            }
        }
        traits.sort_unstable();
        traits.dedup();
        let least = match party.synergy.links().zip(party.least_synergy()) {
            Some((table, synergy)) => least_shared(&party.formation, table, synergy)?,
            None => 0,
        };
        let allowed = party.costs.iter().zip(&party.allowed);
        let costs = allowed.filter(|(_, allowed)| **allowed).map(|(cost, _)| *cost);
        Some(Self {
            party,
            nodes: party.formation.nodes() as i64,
            densest: densest(&party.formation),
            least,
            distinct,
            unit: costs.fold(0, divisor).abs().max(1),
            compared,
            traits,
            worth: Worth::new(party),
            dominance: None,
            engine: Engine::default(),
        })
    }

    /// The relaxation for finding one cheapest team: items that it can do without are left out.
    #[must_use]
    pub fn for_one(mut self) -> Self {
        self.dominance = Some(Dominance::new(self.party));
        self
    }

    /// The relaxation with another solver of linear programs.
    #[must_use]
    pub fn with(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// The region of all teams, and the items that may be in one.
    #[must_use]
    pub(super) fn all(&self) -> (Region, Vec<u32>) {
        let mut region = Region::default();
        for requirement in &self.party.requirements {
            if let (&Amount::Same(t), Some(most)) = (&requirement.amount, requirement.at_most) {
                let cap = region.caps.entry(t).or_insert(self.nodes);
                *cap = most.min(*cap);
            }
        }
        region.within = self.party.fixed.iter().map(|&(item, _)| item).collect();
        let items = match &self.dominance {
            Some(dominance) => dominance.undominated(self.party, self.nodes as usize),
            None => self.party.pool(),
        };
        (region, items)
    }

    /// The lowest price from `price` on that a team can have.
    pub(super) fn next_price(&self, price: i64) -> i64 {
        self.round(i128::from(price) * i128::from(PARTS))
    }

    /// Rounds `parts`, in [`PARTS`], up to a price.
    pub(super) fn round(&self, parts: i128) -> i64 {
        let unit = i128::from(PARTS) * i128::from(self.unit);
        let units = parts.div_euclid(unit) + i128::from(parts.rem_euclid(unit) > 0);
        i64::try_from(units).ok().and_then(|units| units.checked_mul(self.unit)).unwrap_or(i64::MAX)
    }

    fn code(&self, t: usize, item: u32) -> u16 {
        self.party.items.code(t, item)
    }

    /// The items whose weight is not 0, each by its column and with its weight.
    fn weights(items: &[u32], weight: impl Fn(u32) -> i64) -> Vec<(u32, i64)> {
        let weights = items.iter().enumerate();
        let weights = weights.map(|(j, &item)| (j as u32, weight(item)));
        weights.filter(|&(_, weight)| weight != 0).collect()
    }

    /// Bounds the price of the teams in `region` that consist of `items` and cost less than
    /// `below`, a price that a team can have. `None` if it is proved that no such team exists.
    pub(super) fn solve(&self, region: &Region, items: &[u32], below: i64) -> Option<Relaxed> {
        match self.find(region, items, below) {
            (Finding::Open(relaxed), _) => Some(relaxed),
            _ => None,
        }
    }

    /// As [`solve`](Self::solve), with the reason and its proof.
    pub(super) fn find(&self, region: &Region, items: &[u32], below: i64) -> (Finding, Proof) {
        let Some(possible) = self.possible(region, items) else {
            return (Finding::Impossible, Proof::new());
        };
        let mut rows = self.rows(region, &possible);
        self.nonlinear_rows(&mut rows, &possible);
        let Possible { items, ranges, .. } = &possible;
        let on_nodes = self.on_nodes(items, ranges);
        if let Some(on_nodes) = &on_nodes {
            let free = vec![0; self.nodes as usize];
            let row = on_nodes.row(&free);
            rows.push(Source::Worth(free), row);
        }
        let mut priced = 0;
        let mut solver = self.engine.begin(&rows.program);
        let enough = (below as f64 - 0.5 * self.unit as f64).max(f64::MIN);
        loop {
            let status = solver.solve(enough);
            let multipliers = rounded(&solver.multipliers());
            if status == Status::Infeasible && rows.program.refutes(&multipliers) {
                return (Finding::Refuted, rows.proof(&multipliers));
            }
            let reduced = rows.program.reduced(&multipliers);
            let parts = rows.program.bound(&multipliers);
            let bound = self.round(parts);
            if bound >= below {
                return (Finding::Dear, rows.proof(&multipliers));
            }
            let values = solver.values();
            let mut counts: BTreeMap<Value, f64> = BTreeMap::new();
            for (&item, &x) in items.iter().zip(&values) {
                if x > WHOLE {
                    for &t in &self.traits {
                        *counts.entry((t, self.code(t, item))).or_insert(0.0) += x;
                    }
                }
            }
            let solved = status == Status::Optimal;
            let mut cuts = if solved { self.cuts(&possible, &counts) } else { Vec::new() };
            if let Some(on_nodes) = on_nodes.as_ref().filter(|_| solved && priced < PRICED)
                && let Some(prices) = on_nodes.prices(&values)
            {
                let row = on_nodes.row(&prices);
                cuts.push((Source::Worth(prices), row));
                priced += 1;
            }
            if cuts.is_empty() {
                let proof = rows.proof(&multipliers);
                let room = i128::from(below - self.unit) * i128::from(PARTS) - parts;
                let kept =
                    |(j, item): &(usize, u32)| reduced[*j] <= room || region.within.contains(item);
                let kept = items.iter().copied().enumerate().filter(kept);
                // The bound includes items that must be taken.
                let extra = |(j, item): (usize, u32)| {
                    if region.within.contains(&item) { reduced[j].min(0) } else { reduced[j] }
                };
                let reduced = kept.clone().map(extra).collect();
                let items: Vec<(u32, f64)> = kept.map(|(j, item)| (item, values[j])).collect();
                if (items.len() as i64) < self.nodes {
                    return (Finding::Dear, proof);
                }
                let hints = self.hints(&possible, &counts, &items);
                let (gaps, shares) = match &self.worth {
                    None => self.gaps(&possible, &counts),
                    Some(worth) => {
                        let missed = self.missed(worth, ranges, &counts, &items);
                        let shares = missed.is_empty();
                        (missed, shares)
                    }
                };
                let relaxed =
                    Relaxed { bound, solved, parts, items, reduced, counts, gaps, shares, hints };
                return (Finding::Open(relaxed), proof);
            }
            for (source, cut) in cuts {
                solver.add_row(&cut);
                rows.push(source, cut);
            }
        }
    }

    /// The possible counts and sums of a region; `None` if no team is possible.
    fn possible(&self, region: &Region, items: &[u32]) -> Option<Possible> {
        let ranges = self.ranges(region, items)?;
        let is_left = |&item: &u32| {
            let possible = |&t: &usize| ranges.of((t, self.code(t, item))).1 > 0;
            self.traits.iter().all(possible) && !self.is_left_out(region, item)
        };
        let items: Vec<u32> = items.iter().copied().filter(is_left).collect();
        let nodes = self.nodes as usize;
        let enough = items.len() >= nodes && region.within.len() <= nodes;
        if !enough || region.within.iter().any(|item| !items.contains(item)) {
            return None;
        }
        let sums = self.sums(region, &items)?;
        let shared = self.most_shared(&ranges)?;
        Some(Possible { items, ranges, sums, shared })
    }

    /// Whether the region excludes an item, or an item that dominates it.
    fn is_left_out(&self, region: &Region, item: u32) -> bool {
        region.without.iter().any(|&without| {
            let dominance = self.dominance.as_ref();
            without == item || dominance.is_some_and(|d| d.dominates(self.party, without, item))
        })
    }

    /// Whether a synergy is required that counts shared links.
    pub(super) fn shares_links(&self) -> bool {
        !self.compared.is_empty()
    }

    /// The ranges of all counts in `region` if only `items` remain.
    pub(super) fn ranges_of(&self, region: &Region, items: &[(u32, f64)]) -> Option<Ranges> {
        let items: Vec<u32> = items.iter().map(|&(item, _)| item).collect();
        self.ranges(region, &items)
    }
}

/// The traits that a required synergy depends on; none if no synergy is required.
fn of_synergy(party: &Party) -> Vec<usize> {
    let is_required = party.requirements.iter().any(|r| r.amount == Amount::Synergy);
    if is_required { party.synergy.traits().to_vec() } else { Vec::new() }
}
