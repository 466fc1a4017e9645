//! The linear relaxation of a party puzzle within a region of it.
//!
//! A [`Region`] says how often values of traits occur, and which items are in the team. Within it every team is a whole
//! point of a linear program: as many items as nodes, sums and counts within bounds, and links shared. For the last, *c*
//! items of a value share their trait over at most as many links as the densest *c* nodes have ([`graph`](super::graph));
//! a line above that number, between the least and the most of *c* in the region, is linear in the items. The
//! smaller the region, the closer are the lines, which is what the search of [`exact`](super::exact) branches for
//! (spatial branch and bound: J. E. Falk and R. M. Soland 1969, Management Science 15).
//!
//! At least so many different values are a convex condition on the counts, and become the cuts that a solution breaks.

use super::graph::{densest, least_shared};
use crate::lp::{Column, Multipliers, PARTS, Program, Row, Simplex, Status};
use std::collections::BTreeMap;
use unriddle_puzzles::party::{Amount, Party};

/// Lines are in these parts of a link.
const LINE: i64 = 1024;

/// What is whole to this much counts as whole.
pub(super) const WHOLE: f64 = 1e-6;

/// A trait and one of its values.
pub(super) type Value = (usize, u16);

/// Part of all teams.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// How often values occur, at least and at most.
    pub(super) counts: BTreeMap<Value, (i64, i64)>,
    /// How often any value of a trait occurs, at most.
    pub(super) caps: BTreeMap<usize, i64>,
    /// Items that are in the team.
    pub(super) within: Vec<u32>,
    /// Items that are not.
    pub(super) without: Vec<u32>,
}

impl Region {
    /// How often a value may occur, as far as this region says.
    pub(super) fn range_of(&self, value: Value) -> (i64, i64) {
        self.counts.get(&value).copied().unwrap_or((0, i64::MAX))
    }

    /// The part of it where a value occurs so often.
    #[must_use]
    pub(super) fn with_count(&self, value: Value, (least, most): (i64, i64)) -> Self {
        let (known_least, known_most) = self.range_of(value);
        let mut part = self.clone();
        let range = (least.max(known_least), most.min(known_most));
        part.counts.insert(value, range);
        part
    }
}

/// What is known of a region.
#[derive(Clone, Debug)]
pub(super) struct Relaxed {
    /// No team in it costs less.
    pub bound: i64,
    /// Whether the relaxation was solved to its end; otherwise what it takes means nothing.
    pub solved: bool,
    /// The items that a team cheaper than the cut-off may have, and how much of each the relaxation takes.
    pub items: Vec<(u32, f64)>,
    /// How much of each value it takes.
    pub counts: BTreeMap<Value, f64>,
    /// Values whose lines are above what their counts can share, by how much.
    pub gaps: Vec<(Value, f64)>,
    /// Whether the counts can share as much as is needed.
    pub shares: bool,
}

/// What all regions of a puzzle have in common.
pub struct Relaxation<'a> {
    pub(super) party: &'a Party,
    pub(super) nodes: i64,
    /// The most links among nodes, by their number.
    densest: Vec<i64>,
    /// Traits shared over all links that the required synergy needs.
    least: i64,
    /// The least number of different values of traits.
    distinct: BTreeMap<usize, i64>,
    /// What all prices are multiples of.
    unit: i64,
    /// Traits of which values are counted.
    traits: Vec<usize>,
}

impl<'a> Relaxation<'a> {
    /// Prepares the relaxation of a puzzle. `None` if no team whatsoever has the synergy.
    #[must_use]
    pub fn new(party: &'a Party) -> Option<Self> {
        let mut least = 0;
        let mut distinct = BTreeMap::new();
        let mut traits = party.table.traits.clone();
        for requirement in &party.requirements {
            match (&requirement.amount, requirement.at_least) {
                (Amount::Synergy, Some(synergy)) => {
                    least = least.max(least_shared(&party.formation, &party.table, synergy)?);
                }
                (&Amount::Distinct(t), Some(many)) => {
                    let known = distinct.entry(t).or_insert(0);
                    *known = many.max(*known);
                    traits.push(t);
                }
                (&Amount::Same(t), _) => traits.push(t),
                _ => {}
            }
        }
        traits.sort_unstable();
        traits.dedup();
        let allowed = party.costs.iter().zip(&party.allowed);
        let costs = allowed
            .filter(|(_, allowed)| **allowed)
            .map(|(cost, _)| *cost);
        Some(Self {
            party,
            nodes: party.formation.nodes() as i64,
            densest: densest(&party.formation),
            least,
            distinct,
            unit: costs.fold(0, divisor).max(1),
            traits,
        })
    }

    /// All teams, and all items that may be in one.
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
        let items = (0..self.party.items.len() as u32)
            .filter(|&item| self.party.allowed[item as usize])
            .collect();
        (region, items)
    }

    /// The next price from here on upwards.
    pub(super) fn round(&self, parts: i128) -> i64 {
        let unit = i128::from(PARTS) * i128::from(self.unit);
        let units = parts.div_euclid(unit) + i128::from(parts.rem_euclid(unit) > 0);
        i64::try_from(units)
            .ok()
            .and_then(|units| units.checked_mul(self.unit))
            .unwrap_or(i64::MAX)
    }

    fn code(&self, t: usize, item: u32) -> u16 {
        self.party.items.traits[t].codes[item as usize]
    }

    /// Bounds the price of the teams in a region that are made of some items and cost less than `below`. `None` if there
    /// are none.
    pub(super) fn solve(&self, region: &Region, items: &[u32], below: i64) -> Option<Relaxed> {
        let ranges = self.ranges(region, items)?;
        let items: Vec<u32> = items
            .iter()
            .copied()
            .filter(|item| {
                let possible = |&t: &usize| ranges[&(t, self.code(t, *item))].1 > 0;
                self.traits.iter().all(possible) && !region.without.contains(item)
            })
            .collect();
        let mut program = self.program(region, &items, &ranges)?;
        let mut simplex = Simplex::new(&program);
        let enough = (below as f64 - 0.5 * self.unit as f64).max(f64::MIN);
        loop {
            let status = simplex.solve(enough);
            let multipliers = Multipliers::of(&simplex.multipliers());
            if status == Status::Infeasible && program.refutes(&multipliers) {
                return None;
            }
            let reduced = program.reduced(&multipliers);
            let parts = program.bound(&multipliers);
            let bound = self.round(parts);
            if bound >= below {
                return None;
            }
            let values = simplex.values();
            let mut counts: BTreeMap<Value, f64> = BTreeMap::new();
            for (&item, &x) in items.iter().zip(&values) {
                if x > WHOLE {
                    for &t in &self.traits {
                        *counts.entry((t, self.code(t, item))).or_insert(0.0) += x;
                    }
                }
            }
            let cuts = match status {
                Status::Optimal => self.cuts(&items, &ranges, &counts),
                _ => Vec::new(),
            };
            if cuts.is_empty() {
                let room = i128::from(below - self.unit) * i128::from(PARTS) - parts;
                let kept =
                    items
                        .iter()
                        .zip(&values)
                        .zip(&reduced)
                        .filter(|((item, _), reduced)| {
                            **reduced <= room || region.within.contains(item)
                        });
                let items = kept.map(|((&item, &x), _)| (item, x)).collect();
                let (gaps, shares) = self.gaps(&ranges, &counts);
                return Some(Relaxed {
                    bound,
                    solved: status == Status::Optimal,
                    items,
                    counts,
                    gaps,
                    shares,
                });
            }
            for cut in cuts {
                simplex.add_row(&cut);
                program.rows.push(cut);
            }
        }
    }

    /// How often each value may occur in a region that is left with some items.
    pub(super) fn ranges_of(
        &self,
        region: &Region,
        items: &[(u32, f64)],
    ) -> BTreeMap<Value, (i64, i64)> {
        let items: Vec<u32> = items.iter().map(|&(item, _)| item).collect();
        self.ranges(region, &items).unwrap_or_default()
    }

    /// How often each value may occur. `None` if that cannot be.
    fn ranges(&self, region: &Region, items: &[u32]) -> Option<BTreeMap<Value, (i64, i64)>> {
        let mut ranges: BTreeMap<Value, (i64, i64)> = BTreeMap::new();
        for &t in &self.traits {
            let cap = region.caps.get(&t).copied().unwrap_or(self.nodes);
            for &item in items {
                let (_, most) = ranges.entry((t, self.code(t, item))).or_insert((0, 0));
                *most = (*most + 1).min(cap);
            }
        }
        for (value, &(least, most)) in &region.counts {
            let Some(range) = ranges.get_mut(value) else {
                if least > 0 {
                    return None;
                }
                continue;
            };
            *range = (range.0.max(least), range.1.min(most));
        }
        for &t in &self.traits {
            let of = (t, 0)..=(t, u16::MAX);
            let taken: i64 = ranges.range(of.clone()).map(|(_, range)| range.0).sum();
            for (_, range) in ranges.range_mut(of) {
                range.1 = range.1.min(self.nodes - taken + range.0);
                if range.0 > range.1 {
                    return None;
                }
            }
        }
        Some(ranges)
    }

    /// The most links over which a trait can be shared.
    fn most_shared(&self, t: usize, ranges: &BTreeMap<Value, (i64, i64)>) -> i64 {
        let nodes = self.nodes as usize;
        let none = i64::MIN / 2;
        // By nodes that are taken, and values that are there.
        let mut most = vec![vec![none; nodes + 1]; nodes + 1];
        most[0][0] = 0;
        let mut values: Vec<(i64, i64)> = ranges
            .range((t, 0)..=(t, u16::MAX))
            .map(|(_, &range)| range)
            .collect();
        // Of values that need not be there only as many matter as there are nodes, those of the widest ranges.
        values.sort_unstable_by_key(|&(least, most)| (least == 0, -most));
        let needed = values.iter().filter(|range| range.0 > 0).count();
        values.truncate(needed + nodes);
        for &(least, range) in &values {
            let before = if least == 0 {
                most.clone()
            } else {
                vec![vec![none; nodes + 1]; nodes + 1]
            };
            let from = std::mem::replace(&mut most, before);
            for taken in 0..=nodes {
                for there in 0..nodes {
                    let shared = from[taken][there];
                    if shared < 0 {
                        continue;
                    }
                    for more in least.max(1)..=range.min((nodes - taken) as i64) {
                        let to = &mut most[taken + more as usize][there + 1];
                        *to = (*to).max(shared + self.densest[more as usize]);
                    }
                }
            }
        }
        let distinct = self.distinct.get(&t).copied().unwrap_or(0).max(0) as usize;
        let enough = most[nodes].iter().skip(distinct);
        enough.copied().max().unwrap_or(none)
    }

    /// The line above what a value's count can share: its slope and its height at 0, in [`LINE`].
    fn line(&self, (least, most): (i64, i64)) -> (i64, i64) {
        let shared = |count: i64| self.densest[count as usize];
        if most <= least {
            return (0, LINE * shared(least));
        }
        let rise = |count: i64| {
            let rise = LINE * (shared(count) - shared(least));
            rise.div_euclid(count - least) + i64::from(rise.rem_euclid(count - least) > 0)
        };
        // Values that need not be there are many: their line must begin at nothing.
        let slope = match least {
            0 => (1..=most).map(rise).max().unwrap_or(0),
            _ => rise(most),
        };
        let over = (least..=most).map(|count| LINE * shared(count) - slope * count);
        (slope, over.max().unwrap_or(0))
    }

    /// The rows of a region. `None` if it cannot share as much as is needed.
    fn program(
        &self,
        region: &Region,
        items: &[u32],
        ranges: &BTreeMap<Value, (i64, i64)>,
    ) -> Option<Program> {
        let party = self.party;
        let mut program = Program::default();
        for &item in items {
            let lower = i64::from(region.within.contains(&item));
            program.columns.push(Column {
                cost: party.costs[item as usize],
                lower,
                upper: 1,
            });
        }
        let weighted = |weight: &dyn Fn(usize) -> i64| -> Vec<(u32, i64)> {
            let weights = items
                .iter()
                .enumerate()
                .map(|(j, &i)| (j as u32, weight(i as usize)));
            weights.filter(|&(_, weight)| weight != 0).collect()
        };
        program.rows.push(Row {
            entries: weighted(&|_| 1),
            least: Some(self.nodes),
            most: Some(self.nodes),
        });
        for requirement in &party.requirements {
            let entries = match &requirement.amount {
                Amount::Sum(n) => weighted(&|item| party.items.numbers[*n].values[item]),
                Amount::Count(t, wanted) => weighted(&|item| {
                    i64::from(wanted[usize::from(party.items.traits[*t].codes[item])])
                }),
                _ => continue,
            };
            program.rows.push(Row {
                entries,
                least: requirement.at_least,
                most: requirement.at_most,
            });
        }
        for value in region.counts.keys() {
            if let Some(&range) = ranges.get(value) {
                program.rows.push(self.count_row(items, *value, range));
            }
        }
        if self.least > 0 {
            let mut all = Vec::new();
            for &t in &party.table.traits {
                let most = self.most_shared(t, ranges);
                if most < 0 {
                    return None;
                }
                let z = program.columns.len() as u32;
                program.columns.push(Column {
                    cost: 0,
                    lower: 0,
                    upper: most,
                });
                all.push((z, 1));
                let mut height = 0;
                let mut slopes: BTreeMap<u16, i64> = BTreeMap::new();
                for (&(_, value), &range) in ranges.range((t, 0)..=(t, u16::MAX)) {
                    let (slope, at_0) = self.line(range);
                    slopes.insert(value, slope);
                    height += at_0;
                }
                let codes = &party.items.traits[t].codes;
                let mut entries = weighted(&|item| slopes[&codes[item]]);
                entries.push((z, -LINE));
                program.rows.push(Row {
                    entries,
                    least: Some(-height),
                    most: None,
                });
            }
            let reachable: i64 = all
                .iter()
                .map(|&(z, _)| program.columns[z as usize].upper)
                .sum();
            if reachable < self.least {
                return None;
            }
            program.rows.push(Row {
                entries: all,
                least: Some(self.least),
                most: None,
            });
        }
        Some(program)
    }

    fn count_row(&self, items: &[u32], (t, value): Value, (least, most): (i64, i64)) -> Row {
        let of = items
            .iter()
            .enumerate()
            .filter(|(_, item)| self.code(t, **item) == value);
        Row {
            entries: of.map(|(j, _)| (j as u32, 1)).collect(),
            least: Some(least),
            most: Some(most),
        }
    }

    /// Rows that counts break: values beyond their range, and too few different ones.
    fn cuts(
        &self,
        items: &[u32],
        ranges: &BTreeMap<Value, (i64, i64)>,
        counts: &BTreeMap<Value, f64>,
    ) -> Vec<Row> {
        let mut cuts = Vec::new();
        for (&value, &count) in counts {
            let range = ranges[&value];
            if count > range.1 as f64 + 1e-5 {
                cuts.push(self.count_row(items, value, range));
            }
        }
        for (&t, &needed) in &self.distinct {
            // Each value counts once: those that are there more than once as one, the others as often as they are there.
            let of = counts.range((t, 0)..=(t, u16::MAX));
            let often: Vec<u16> = of
                .clone()
                .filter(|(_, count)| **count > 1.0)
                .map(|(value, _)| value.1)
                .collect();
            let different: f64 = of.map(|(_, count)| count.min(1.0)).sum();
            if different < needed as f64 - 1e-5 {
                let others = items
                    .iter()
                    .enumerate()
                    .filter(|(_, item)| !often.contains(&self.code(t, **item)));
                cuts.push(Row {
                    entries: others.map(|(j, _)| (j as u32, 1)).collect(),
                    least: Some(needed - often.len() as i64),
                    most: None,
                });
            }
        }
        cuts
    }

    /// By how much lines are above what counts can share, and whether the counts share enough all the same.
    fn gaps(
        &self,
        ranges: &BTreeMap<Value, (i64, i64)>,
        counts: &BTreeMap<Value, f64>,
    ) -> (Vec<(Value, f64)>, bool) {
        let mut gaps = Vec::new();
        let mut all = 0.0;
        for &t in &self.party.table.traits {
            let mut shared = 0.0;
            for (&value, &count) in counts.range((t, 0)..=(t, u16::MAX)) {
                let (slope, at_0) = self.line(ranges[&value]);
                let line = (slope as f64 * count + at_0 as f64) / LINE as f64;
                let low = (count + WHOLE).floor().clamp(0.0, self.nodes as f64) as usize;
                let next = (low + 1).min(self.nodes as usize);
                let part = (count - low as f64).max(0.0);
                let (low, next) = (self.densest[low] as f64, self.densest[next] as f64);
                let can = low + part * (next - low);
                shared += can;
                if line > can + 1e-3 {
                    gaps.push((value, line - can));
                }
            }
            all += shared.min(self.most_shared(t, ranges) as f64);
        }
        (gaps, all >= self.least as f64 - 1e-3)
    }
}

/// The greatest common divisor.
fn divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { divisor(b, a % b) }
}
