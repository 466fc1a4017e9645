//! What counts of values allow: ranges, links that can be shared, and lines above them.

use super::{Region, Relaxation, Value, WHOLE};
use std::collections::BTreeMap;

/// How often each value may occur.
pub(in crate::party) type Ranges = BTreeMap<Value, (i64, i64)>;

/// Lines are in these parts of a link.
pub(super) const LINE: i64 = 1024;

impl Relaxation<'_> {
    /// How often each value may occur. `None` if that cannot be.
    pub(super) fn ranges(&self, region: &Region, items: &[u32]) -> Option<Ranges> {
        let mut ranges: Ranges = BTreeMap::new();
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
        for (&t, &(_, most)) in &self.distinct {
            let of = (t, 0)..=(t, u16::MAX);
            let sure = ranges.range(of.clone()).filter(|(_, range)| range.0 > 0);
            let room = most - sure.count() as i64;
            if room < 0 {
                return None;
            }
            if room == 0 {
                // There is no room for any other value.
                let others = ranges.range_mut(of).filter(|(_, range)| range.0 == 0);
                others.for_each(|(_, range)| range.1 = 0);
            }
        }
        Some(ranges)
    }

    /// The most links over which a trait can be shared.
    pub(super) fn most_shared(&self, t: usize, ranges: &Ranges) -> i64 {
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
        let (least, _) = self.distinct.get(&t).copied().unwrap_or((0, 0));
        let enough = most[nodes].iter().skip(least.max(0) as usize);
        enough.copied().max().unwrap_or(none)
    }

    /// The line above what a value's count can share: its slope and its height at 0, in [`LINE`].
    pub(super) fn line(&self, (least, most): (i64, i64)) -> (i64, i64) {
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

    /// By how much lines are above what counts can share, and whether the counts share enough all the same.
    pub(super) fn gaps(
        &self,
        ranges: &Ranges,
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
