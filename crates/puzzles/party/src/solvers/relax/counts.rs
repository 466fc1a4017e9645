//! Counts of values: their ranges, the links that values can share within them, and lines above
//! these numbers of links.

use super::{Possible, Region, Relaxation, Value, WHOLE};
use std::collections::BTreeMap;

/// Range of the number of items with each value of the counted traits.
#[derive(Clone, Debug)]
pub(in crate::solvers) struct Ranges(Vec<Vec<(i64, i64)>>);

impl Ranges {
    /// The range of one value.
    #[inline(always)]
    pub(in crate::solvers) fn of(&self, (t, value): Value) -> (i64, i64) {
        self.0[t][usize::from(value)]
    }

    /// The ranges of all values of a trait.
    pub(super) fn of_trait(&self, t: usize) -> &[(i64, i64)] {
        &self.0[t]
    }
}

/// Number of parts of a link in which lines are measured.
pub(super) const LINE: i64 = 1024;

impl Relaxation<'_> {
    /// The range of every value's count. `None` if the ranges contradict each other.
    pub(super) fn ranges(&self, region: &Region, items: &[u32]) -> Option<Ranges> {
        let traits = &self.party.items.traits;
        let mut ranges = vec![Vec::new(); traits.len()];
        for &t in &self.traits {
            let cap = region.caps.get(&t).copied().unwrap_or(self.nodes);
            ranges[t] = vec![(0, 0); traits[t].values.len()];
            for &item in items {
                let (_, most): &mut (i64, i64) = &mut ranges[t][usize::from(self.code(t, item))];
                *most = (*most + 1).min(cap);
            }
        }
        for (&(t, value), &(least, most)) in &region.counts {
            let range = &mut ranges[t][usize::from(value)];
            *range = (range.0.max(least), range.1.min(most));
        }
        for &t in &self.traits {
            let taken: i64 = ranges[t].iter().map(|range| range.0).sum();
            for range in &mut ranges[t] {
                range.1 = range.1.min(self.nodes - taken + range.0);
                if range.0 > range.1 {
                    return None;
                }
            }
        }
        for (&t, &(_, most)) in &self.distinct {
            let sure = ranges[t].iter().filter(|range| range.0 > 0).count() as i64;
            if sure > most {
                return None;
            }
            if sure == most {
                // No node is left for any other value.
                let others = ranges[t].iter_mut().filter(|range| range.0 == 0);
                others.for_each(|range| range.1 = 0);
            }
        }
        Some(Ranges(ranges))
    }

    /// The most links over which each compared trait can be shared. `None` if some counts are
    /// impossible, or if all links together are too few.
    pub(super) fn most_shared(&self, ranges: &Ranges) -> Option<Vec<i64>> {
        let traits = self.compared.iter();
        let shared: Vec<i64> = traits.map(|&t| self.most_shared_of(t, ranges)).collect();
        let possible = shared.iter().all(|&most| most >= 0);
        (possible && shared.iter().sum::<i64>() >= self.least).then_some(shared)
    }

    fn most_shared_of(&self, t: usize, ranges: &Ranges) -> i64 {
        let nodes = self.nodes as usize;
        let none = i64::MIN / 2;
        // By the number of nodes taken and the number of values present.
        let mut most = vec![vec![none; nodes + 1]; nodes + 1];
        most[0][0] = 0;
        let mut values = ranges.of_trait(t).to_vec();
        // Among the values that may be absent, only the ones with the widest ranges matter, one for
        // each node.
        values.sort_unstable_by_key(|&(least, most)| (least == 0, -most));
        let needed = values.iter().filter(|range| range.0 > 0).count();
        values.truncate(needed + nodes);
        for &(least, range) in &values {
            let before =
                if least == 0 { most.clone() } else { vec![vec![none; nodes + 1]; nodes + 1] };
            let from = std::mem::replace(&mut most, before);
            for (taken, from) in from.iter().enumerate() {
                for (there, shared) in from[..nodes].iter().enumerate().filter(|(_, s)| **s >= 0) {
                    for more in least.max(1)..=range.min((nodes - taken) as i64) {
                        let to = &mut most[taken + more as usize][there + 1];
                        *to = (*to).max(shared + self.densest[more as usize]);
                    }
                }
            }
        }
        let (least, _) = self.distinct.get(&t).copied().unwrap_or((0, 0));
        let enough = most[nodes].iter().skip(least.max(0) as usize);
        enough.copied().max().unwrap_or(none)
    }

    /// The line above the links that a value's count can share: its slope and its height at 0, in
    /// [`LINE`].
    pub(super) fn line(&self, (least, most): (i64, i64)) -> (i64, i64) {
        let shared = |count: i64| self.densest[count as usize];
        if most <= least {
            return (0, LINE * shared(least));
        }
        let rise = |count: i64| {
            let rise = LINE * (shared(count) - shared(least));
            rise.div_euclid(count - least) + i64::from(rise.rem_euclid(count - least) > 0)
        };
        // Many values may be absent: their line must begin at the origin.
        let slope = match least {
            0 => (1..=most).map(rise).max().unwrap_or(0),
            _ => rise(most),
        };
        let over = (least..=most).map(|count| LINE * shared(count) - slope * count);
        (slope, over.max().unwrap_or(0))
    }

    /// The values whose lines are above the links that their counts can share, with the
    /// differences; and whether the counts share enough links nevertheless.
    pub(super) fn gaps(
        &self,
        possible: &Possible,
        counts: &BTreeMap<Value, f64>,
    ) -> (Vec<(Value, f64)>, bool) {
        let mut gaps = Vec::new();
        let mut all = 0.0;
        for (&t, &most) in self.compared.iter().zip(&possible.shared) {
            let mut shared = 0.0;
            for (&value, &count) in counts.range((t, 0)..=(t, u16::MAX)) {
                let (slope, at_0) = self.line(possible.ranges.of(value));
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
            all += shared.min(most as f64);
        }
        (gaps, all >= self.least as f64 - 1e-3)
    }
}
