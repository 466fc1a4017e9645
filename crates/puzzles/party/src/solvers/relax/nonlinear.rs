//! Requirements that are linear only within small regions: ratings, upper bounds of the number of
//! different values, and lower bounds of the number of equal values.
//!
//! The card game's rating ([`rating`](crate::requirement::rating)) is a sum plus each item's excess
//! over the mean. For a given sum it is linear in the items. For sums within bounds, the excess
//! over the lower bound is at least the true excess, and the excess over the upper bound is at most
//! that. So regions have bounds of such sums, and are cut by them.

use super::{
    Possible, Region, Relaxation, Value, WHOLE,
    rows::{Rows, Source},
};
use crate::lp::Row;
use crate::{Amount, Requirement};
use std::collections::BTreeMap;

/// Best cut of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solvers) enum Hint {
    /// By which value of this trait occurs at least this often; one must.
    Often(usize, i64),
    /// By whether a value occurs at most this often.
    Count(Value, i64),
    /// By whether the sum of the number with this index is at most this amount.
    Sum(usize, i64),
}

/// Bounds of a rating in linear form: twice the number of nodes times the sum of the numbers and of
/// their excess over the mean.
fn doubled(requirement: &Requirement, nodes: i64) -> (Option<i64>, Option<i64>) {
    let square = 2 * nodes * nodes;
    (
        requirement.at_least.map(|least| square * least - nodes),
        requirement.at_most.map(|most| square * (most + 1) - nodes - 1),
    )
}

/// The part of an item in that form, if the team's numbers add up to `sum`.
fn share(nodes: i64, number: i64, sum: i64) -> i64 {
    2 * (nodes * number + (nodes * number - sum).max(0))
}

impl Relaxation<'_> {
    /// By number: the bounds of its sum, for all rated numbers. `None` if no sum is possible.
    pub(super) fn sums(
        &self,
        region: &Region,
        items: &[u32],
    ) -> Option<BTreeMap<usize, (i64, i64)>> {
        let mut sums = BTreeMap::new();
        for requirement in &self.party.requirements {
            let &Amount::Rating(n) = &requirement.amount else {
                continue;
            };
            let nodes = self.nodes;
            let values = items.iter().map(|&item| self.party.items.number(n, item));
            let (low, high) = (nodes * values.clone().min()?, nodes * values.max()?);
            let known = sums.get(&n).or(region.sums.get(&n)).copied();
            let (from, to) = known.unwrap_or((low, high));
            let (mut from, mut to) = (from.max(low), to.min(high));
            let (least, most) = doubled(requirement, nodes);
            // Among teams of equal sum, the excess is greatest where all numbers are at the ends of
            // their range.
            let reaches = |sum: i64, least: i64| {
                let excess = i128::from(high - sum) * i128::from(sum - low);
                let missing = i128::from(least) - i128::from(2 * nodes * sum);
                2 * excess >= missing * i128::from(((high - low) / nodes).max(1))
            };
            if let Some(least) = least {
                // A greater sum never has a lower rating, so that bisection finds the least one.
                let mut beyond = to + 1;
                while from < beyond {
                    let middle = from + (beyond - from) / 2;
                    if reaches(middle, least) { beyond = middle } else { from = middle + 1 }
                }
            }
            if let Some(most) = most {
                to = to.min(most.div_euclid(2 * nodes));
            }
            if from > to {
                return None;
            }
            sums.insert(n, (from, to));
        }
        Some(sums)
    }

    /// Adds the rows of ratings, and of upper bounds of the number of different values.
    pub(super) fn nonlinear_rows(&self, rows: &mut Rows, possible: &Possible) {
        let Possible { items, ranges, sums, .. } = possible;
        for (i, requirement) in self.party.requirements.iter().enumerate() {
            match requirement.amount {
                Amount::Rating(n) => {
                    let number = |item: u32| self.party.items.number(n, item);
                    let with_excess =
                        |sum| Self::weights(items, |item| share(self.nodes, number(item), sum));
                    let (from, to) = sums[&n];
                    let entries = Self::weights(items, number);
                    let sum = Row { entries, least: Some(from), most: Some(to) };
                    rows.push(Source::RatingSum(i), sum);
                    let (least, most) = doubled(requirement, self.nodes);
                    if least.is_some() {
                        let row = Row { entries: with_excess(from), least, most: None };
                        rows.push(Source::RatingLeast(i), row);
                    }
                    if most.is_some() {
                        let row = Row { entries: with_excess(to), least: None, most };
                        rows.push(Source::RatingMost(i), row);
                    }
                }
                Amount::Distinct(t) => {
                    let Some(most) = requirement.at_most else {
                        continue;
                    };
                    // A value is present by at least the share that its count has of its most
                    // possible count.
                    const PARTS: i64 = 1024;
                    let of = ranges.of_trait(t).iter();
                    let sure = of.filter(|range| range.0 > 0).count() as i64;
                    let there = |item| match ranges.of((t, self.code(t, item))) {
                        (0, most) => PARTS / most.max(1),
                        _ => 0,
                    };
                    let (entries, most) = (Self::weights(items, there), PARTS * (most - sure));
                    rows.push(Source::Few(i), Row { entries, least: None, most: Some(most) });
                }
                _ => {}
            }
        }
    }

    /// Cuts for the nonlinear requirements that a solution breaks.
    pub(super) fn hints(
        &self,
        possible: &Possible,
        counts: &BTreeMap<Value, f64>,
        taken: &[(u32, f64)],
    ) -> Vec<Hint> {
        let Possible { ranges, sums, .. } = possible;
        let mut hints = Vec::new();
        for requirement in &self.party.requirements {
            let of_trait = |t: usize| counts.range((t, 0)..=(t, u16::MAX));
            match requirement.amount {
                Amount::Same(t) => {
                    let sure = ranges.of_trait(t).iter().map(|range| range.0).max().unwrap_or(0);
                    let most = of_trait(t).map(|(_, &count)| count).fold(0.0, f64::max);
                    let is_missed = |least: &i64| sure < *least && most < *least as f64 - WHOLE;
                    let least = requirement.at_least.filter(is_missed);
                    hints.extend(least.map(|least| Hint::Often(t, least)));
                }
                Amount::Distinct(t) => {
                    let there = of_trait(t).filter(|(_, count)| **count > WHOLE);
                    let many = there.clone().count() as i64;
                    let open = there.filter(|(value, _)| ranges.of(**value).0 == 0);
                    if requirement.at_most.is_some_and(|most| many > most) {
                        let most = open.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
                        hints.extend(most.map(|(&value, _)| Hint::Count(value, 0)));
                    }
                }
                Amount::Rating(n) => {
                    let number = |item: u32| self.party.items.number(n, item) as f64;
                    let nodes = self.nodes as f64;
                    let sum: f64 = taken.iter().map(|&(item, x)| x * number(item)).sum();
                    let excess = |&(item, x): &(u32, f64)| {
                        2.0 * x * (nodes * number(item) + (nodes * number(item) - sum).max(0.0))
                    };
                    let all: f64 = taken.iter().map(excess).sum();
                    let (least, most) = doubled(requirement, self.nodes);
                    let broken = least.is_some_and(|least| all < least as f64 - 1e-3)
                        || most.is_some_and(|most| all > most as f64 + 1e-3);
                    let (from, to) = sums[&n];
                    if broken && from < to {
                        let split = ((sum + WHOLE).floor() as i64).clamp(from, to - 1);
                        hints.push(Hint::Sum(n, split));
                    }
                }
                _ => {}
            }
        }
        // `Often` hints come first: one of few values must occur that often.
        hints.sort_by_key(|hint| !matches!(hint, Hint::Often(..)));
        hints
    }
}
