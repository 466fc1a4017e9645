//! Cuts: the questions that split a region, and the resulting parts.
//!
//! Where the lines of the relaxation allow more links than the counts can have, a region is cut by
//! the number of items with a value. The first such cut asks which value of a trait, if any, has
//! more than half of its maximum count (few values can). Later cuts choose the value whose line is
//! furthest off. Where the counts are right, the region is cut by items.

use super::super::relax::{Hint, Region, Relaxation, Relaxed, Value, WHOLE};
use std::collections::BTreeMap;

/// A part of a region, with a lower bound that took no linear program.
pub(in crate::solvers) type Part = (Region, i64);

/// A question that cuts a region. Together, its answers cover all teams of the region, except sets
/// of items that are known to be no team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::solvers) enum Cut {
    /// Whether a value occurs at most this often.
    Count(Value, i64),
    /// Whether the sum of the number with this index is at most this amount.
    Sum(usize, i64),
    /// Whether an item is in the team.
    Item(u32),
    /// Cut by the first value of a trait that occurs at least `often` times.
    Often {
        trait_of: usize,
        often: i64,
        /// Values that can occur that often, each with a bound by the reduced costs of the whole
        /// region.
        values: Vec<(u16, i64)>,
        /// Whether it is also possible that no value does.
        or_none: bool,
    },
    /// Cut by the first omitted item of a list. The list has an item for each node, and together
    /// they are not a valid team.
    Team(Vec<u32>),
}

impl Cut {
    /// Chooses the cut of a region that is relaxed and may hold a better team.
    pub(in crate::solvers) fn of(
        relaxation: &Relaxation<'_>,
        region: &Region,
        relaxed: &Relaxed,
    ) -> Self {
        if !relaxed.solved {
            return by_any(region, relaxed);
        }
        let ranges = relaxation.ranges_of(region, &relaxed.items);
        // The cut by a value's count; `None` if the count is fixed.
        let cut = |value: Value| {
            let (least, most) = ranges.as_ref().map_or((0, 0), |ranges| ranges.of(value));
            let count = relaxed.counts.get(&value).copied().unwrap_or(0.0);
            let split = (count + WHOLE).floor() as i64;
            (least < most).then(|| Self::Count(value, split.clamp(least, most - 1)))
        };
        let first = |mut values: Vec<(Value, f64)>| {
            values.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            values
        };
        if let Some(&Hint::Often(t, often)) = relaxed.hints.first() {
            return by_often(relaxation, relaxed, t, often, false);
        }
        if !relaxed.shares {
            for (value, _) in first(relaxed.gaps.clone()) {
                let t = value.0;
                let cap = region.caps.get(&t).copied().unwrap_or(relaxation.nodes);
                let one = |(v, range): (&Value, &(i64, i64))| v.0 == t && range.0 > 0;
                if relaxation.shares_links() && cap > 3 && !region.counts.iter().any(one) {
                    return by_often(relaxation, relaxed, t, cap / 2 + 1, true);
                }
                if let Some(cut) = cut(value) {
                    return cut;
                }
            }
        }
        for &hint in &relaxed.hints {
            match hint {
                Hint::Count(value, split) => return Self::Count(value, split),
                Hint::Sum(n, split) => return Self::Sum(n, split),
                Hint::Often(..) => {}
            }
        }
        // The value whose count is furthest from a whole number.
        let broken = |count: f64| (count - count.round()).abs();
        let counts = relaxed.counts.iter().map(|(&v, &count)| (v, broken(count)));
        let uneven = first(counts.filter(|(_, broken)| *broken > 1e-4).collect());
        let count = uneven.into_iter().find_map(|(value, _)| cut(value));
        count.unwrap_or_else(|| by_item(relaxed))
    }

    /// Splits `region` by this question.
    pub(in crate::solvers) fn parts(&self, region: &Region) -> Vec<Part> {
        match *self {
            Self::Count(value, split) => unbounded([
                region.with_count(value, (0, split)),
                region.with_count(value, (split + 1, i64::MAX)),
            ]),
            Self::Sum(n, split) => unbounded([
                region.with_sum(n, (i64::MIN, split)),
                region.with_sum(n, (split + 1, i64::MAX)),
            ]),
            Self::Item(item) => {
                let (mut with, mut without) = (region.clone(), region.clone());
                with.within.push(item);
                without.without.push(item);
                unbounded([with, without])
            }
            Self::Often { trait_of, often, ref values, or_none } => {
                let mut rest = region.clone();
                let cap = rest.caps.insert(trait_of, often - 1).unwrap_or(i64::MAX);
                let mut parts = unbounded(or_none.then_some(rest));
                let mut others = region.clone();
                for &(value, bound) in values {
                    let value = (trait_of, value);
                    parts.push((others.with_count(value, (often, cap)), bound));
                    others = others.with_count(value, (0, often - 1));
                }
                parts
            }
            Self::Team(ref items) => {
                let mut with = region.clone();
                let mut parts = Vec::new();
                for &item in items {
                    if with.within.contains(&item) {
                        continue;
                    }
                    let mut without = with.clone();
                    without.without.push(item);
                    parts.push(without);
                    with.within.push(item);
                }
                unbounded(parts)
            }
        }
    }
}

/// Parts without a bound of their own.
fn unbounded(regions: impl IntoIterator<Item = Region>) -> Vec<Part> {
    let regions = regions.into_iter();
    regions.map(|region| (region, i64::MIN)).collect()
}

/// Cuts by which value of the trait `t` occurs at least `often` times.
fn by_often(
    relaxation: &Relaxation<'_>,
    relaxed: &Relaxed,
    t: usize,
    often: i64,
    or_none: bool,
) -> Cut {
    let codes = &relaxation.party.items.traits[t].codes;
    // For each value, the costs of its items beyond the bound.
    let mut extra: BTreeMap<u16, Vec<i128>> = BTreeMap::new();
    for (&(item, _), &reduced) in relaxed.items.iter().zip(&relaxed.reduced) {
        extra.entry(codes[item as usize]).or_default().push(reduced.max(0));
    }
    let mut values = Vec::new();
    for (value, mut extra) in extra {
        let Some(last) = usize::try_from(often - 1).ok().filter(|&last| last < extra.len()) else {
            continue;
        };
        // At least `often` of the value's items are taken; the cheapest of them bound the cost.
        extra.select_nth_unstable(last);
        let least: i128 = extra[..=last].iter().sum();
        values.push((value, relaxation.round(relaxed.parts + least)));
    }
    Cut::Often { trait_of: t, often, values, or_none }
}

/// Cuts by any item that may still be left out; without such an item, the items are one team.
fn by_any(region: &Region, relaxed: &Relaxed) -> Cut {
    let items = relaxed.items.iter().map(|&(item, _)| item);
    let open = items.clone().find(|item| !region.within.contains(item));
    open.map_or_else(|| Cut::Team(items.collect()), Cut::Item)
}

/// Cuts by the item whose value is furthest from whole. If all are whole, cuts by the set of items
/// that is taken, which is not a team.
fn by_item(relaxed: &Relaxed) -> Cut {
    let broken = |x: f64| (x - x.round()).abs();
    let uneven = relaxed.items.iter().filter(|(_, x)| broken(*x) > WHOLE);
    let most = uneven.max_by(|a, b| broken(a.1).total_cmp(&broken(b.1)).then(b.0.cmp(&a.0)));
    most.map_or_else(|| Cut::Team(relaxed.taken()), |&(item, _)| Cut::Item(item))
}
