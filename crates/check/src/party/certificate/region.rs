//! Regions, and the bounds on counts and sums that follow from them.

use super::{Proof, formation};
use crate::party::{amount::Amount, rules::Rules};
use std::{collections::BTreeMap, rc::Rc};

/// A trait and one of its values.
pub(super) type Counted = (usize, usize);

/// Subset of the teams.
#[derive(Clone)]
pub(super) struct Region {
    /// Bounds on the number of items with a value, at least and at most.
    counts: BTreeMap<Counted, (i64, i64)>,
    /// For each trait, the maximum number of items with the same value.
    pub(super) caps: BTreeMap<usize, i64>,
    /// Sums of numbers, at least and at most.
    sums: BTreeMap<usize, (i64, i64)>,
    /// Items that are in the team.
    pub(super) within: Vec<usize>,
    /// Items that are not in the team.
    without: Vec<usize>,
    /// The items of which a cheaper team of the region consists.
    pub(super) items: Rc<Vec<usize>>,
}

impl Region {
    /// The part of the region that a change makes.
    fn part(&self, change: impl FnOnce(&mut Self)) -> Self {
        let mut part = self.clone();
        change(&mut part);
        part
    }

    pub(super) fn with_count(&self, value: Counted, bounds: (i64, i64)) -> Self {
        self.part(|part| narrow(part.counts.entry(value).or_insert((0, i64::MAX)), bounds))
    }

    pub(super) fn with_cap(&self, t: usize, most: i64) -> Self {
        let most = self.caps.get(&t).map_or(most, |&cap| most.min(cap));
        self.part(|part| _ = part.caps.insert(t, most))
    }

    pub(super) fn with_sum(&self, number: usize, bounds: (i64, i64)) -> Self {
        self.part(|part| narrow(part.sums.entry(number).or_insert((i64::MIN, i64::MAX)), bounds))
    }

    pub(super) fn with_item(&self, item: usize) -> Self {
        self.part(|part| part.within.push(item))
    }

    pub(super) fn without_item(&self, item: usize) -> Self {
        self.part(|part| part.without.push(item))
    }
}

fn narrow(range: &mut (i64, i64), (least, most): (i64, i64)) {
    *range = (range.0.max(least), range.1.min(most));
}

/// Bounds that follow from a region.
pub(super) struct Derived {
    /// Bounds on the number of items with each value of each counted trait; empty for other traits.
    pub(super) ranges: Vec<Vec<(i64, i64)>>,
    /// The bounds of the sums of rated numbers.
    pub(super) sums: BTreeMap<usize, (i64, i64)>,
    /// The most links over which each compared trait can be shared.
    pub(super) shared: Vec<i64>,
    /// The items whose values can occur.
    pub(super) items: Vec<usize>,
}

/// The traits whose values are counted: traits that synergy compares or has matrices for, and
/// traits that requirements count.
pub(super) fn counted(rules: &Rules) -> Vec<usize> {
    let mut counted = rules.compared.clone();
    if let Some(matrices) = &rules.matrices {
        counted.extend(matrices.traits());
    }
    for requirement in &rules.requirements {
        if let Amount::Distinct(t) | Amount::Same(t) = requirement.amount {
            counted.push(t);
        }
    }
    counted.sort_unstable();
    counted.dedup();
    counted
}

/// Whether a requirement demands that some value of a trait occurs `often` times.
pub(super) fn must_repeat(rules: &Rules, t: usize, often: i64) -> bool {
    rules.requirements.iter().any(|requirement| {
        matches!(requirement.amount, Amount::Same(other) if other == t)
            && requirement.least().is_some_and(|least| least >= often)
    })
}

impl Proof<'_> {
    /// The region of all teams.
    pub(super) fn all(&self) -> Region {
        let rules = self.rules;
        let mut region = Region {
            counts: BTreeMap::new(),
            caps: BTreeMap::new(),
            sums: BTreeMap::new(),
            within: rules.fixed.keys().copied().collect(),
            without: Vec::new(),
            items: Rc::new(self.undominated()),
        };
        for requirement in &rules.requirements {
            if let (&Amount::Same(t), Some(most)) = (&requirement.amount, requirement.most()) {
                region = region.with_cap(t, most.min(self.nodes));
            }
        }
        region
    }

    /// Bounds on the number of different values of a trait.
    pub(super) fn distinct(&self, t: usize) -> (i64, i64) {
        let (mut least, mut most) = (0, i64::MAX);
        for requirement in &self.rules.requirements {
            if matches!(requirement.amount, Amount::Distinct(other) if other == t) {
                least = least.max(requirement.least().unwrap_or(0));
                most = most.min(requirement.most().unwrap_or(i64::MAX));
            }
        }
        (least, most)
    }

    /// The bounds that follow from a region; `None` if no team satisfies them.
    pub(super) fn derive(&self, region: &Region) -> Option<Derived> {
        let ranges = self.ranges(region)?;
        let can = |item: &usize| {
            let of = |t: usize| self.rules.pool.traits[t].of[*item];
            let possible = self.counted.iter().all(|&t| ranges[t][of(t)].1 > 0);
            let mut left_out = region.without.iter();
            possible && !left_out.any(|&out| out == *item || self.dominates(out, *item))
        };
        let items: Vec<usize> = region.items.iter().copied().filter(can).collect();
        let nodes = self.rules.nodes();
        let has_all = region.within.iter().all(|item| items.contains(item));
        if items.len() < nodes || region.within.len() > nodes || !has_all {
            return None;
        }
        let sums = self.sums(region, &items)?;
        let mut shared = Vec::new();
        for &t in &self.rules.compared {
            let (different, _) = self.distinct(t);
            shared.push(formation::most_shared(&self.densest, &ranges[t], different)?);
        }
        let all: i64 = shared.iter().sum();
        (all >= self.least_shared).then_some(Derived { ranges, sums, shared, items })
    }

    fn ranges(&self, region: &Region) -> Option<Vec<Vec<(i64, i64)>>> {
        let traits = &self.rules.pool.traits;
        let mut ranges: Vec<Vec<(i64, i64)>> = vec![Vec::new(); traits.len()];
        for &t in &self.counted {
            // No value occurs more often than there are items with it, or than the trait's cap.
            ranges[t] = vec![(0, 0); traits[t].values.len()];
            for &item in region.items.iter() {
                ranges[t][traits[t].of[item]].1 += 1;
            }
            let cap = region.caps.get(&t).copied().unwrap_or(self.nodes);
            for range in &mut ranges[t] {
                range.1 = range.1.min(cap);
            }
        }
        for (&(t, value), &bounds) in &region.counts {
            let range = &mut ranges[t][value];
            narrow(range, bounds);
            if range.0 > range.1 {
                return None;
            }
        }
        for &t in &self.counted {
            // Other values occupy some of the nodes.
            let taken: i64 = ranges[t].iter().map(|range| range.0).sum();
            for range in &mut ranges[t] {
                range.1 = range.1.min(self.nodes - (taken - range.0));
                if range.0 > range.1 {
                    return None;
                }
            }
            let (_, most) = self.distinct(t);
            let sure = ranges[t].iter().filter(|range| range.0 > 0).count() as i64;
            if sure > most {
                return None;
            }
            if sure == most {
                // No node is left for another value.
                ranges[t].iter_mut().filter(|range| range.0 == 0).for_each(|range| range.1 = 0);
            }
        }
        Some(ranges)
    }

    /// The bounds of the sums of rated numbers, by the numbers of the remaining items.
    fn sums(&self, region: &Region, items: &[usize]) -> Option<BTreeMap<usize, (i64, i64)>> {
        let mut sums: BTreeMap<usize, (i64, i64)> = BTreeMap::new();
        let n = self.nodes;
        for requirement in &self.rules.requirements {
            let Amount::Rating(number) = requirement.amount else {
                continue;
            };
            let of = &self.rules.pool.numbers[number].of;
            let low = items.iter().map(|&item| of[item]).min()?;
            let high = items.iter().map(|&item| of[item]).max()?;
            let known = sums.get(&number).or(region.sums.get(&number)).copied();
            let known = known.unwrap_or((i64::MIN, i64::MAX));
            let (mut from, mut to) = (known.0.max(n * low), known.1.min(n * high));
            if let Some(least) = requirement.least() {
                // Twice n times the numbers and their excess must reach this total.
                let wanted = i128::from(2 * n * n) * i128::from(least) - i128::from(n);
                // Among teams with the same sum, the excess is greatest if all numbers are at one
                // of the two ends.
                let reaches = |sum: i64| {
                    let excess = i128::from(n * high - sum) * i128::from(sum - n * low);
                    let missing = wanted - 2 * i128::from(n) * i128::from(sum);
                    2 * excess >= missing * i128::from((high - low).max(1))
                };
                // The total does not decrease with the sum: search for the first sum that reaches
                // it.
                let (mut no, mut yes) = (from, to.saturating_add(1));
                while no < yes {
                    let middle = no + (yes - no) / 2;
                    if reaches(middle) { yes = middle } else { no = middle + 1 }
                }
                from = yes;
            }
            if let Some(most) = requirement.most() {
                let wanted = i128::from(2 * n * n) * i128::from(most + 1) - i128::from(n) - 1;
                let greatest = wanted.div_euclid(2 * i128::from(n));
                to = to.min(i64::try_from(greatest).unwrap_or(i64::MAX));
            }
            if from > to {
                return None;
            }
            sums.insert(number, (from, to));
        }
        Some(sums)
    }
}
