//! Rows of a region's linear program, and the bounds that their multipliers prove.
//!
//! A row is a weighted sum of items, and of *z*, the number of links over which a compared trait is
//! shared. Every team of the region satisfies the row's bounds. For multipliers *y* of the rows, a
//! team costs at least the sum of *y* times the rows' bounds and of each variable's reduced cost at
//! its better end.
//!
//! With synergy by matrices nothing is shared and there is no *z*. The row `worth` states that the
//! upper bounds of the worths of the items ([`super::worth`]) must reach the least synergy.

use super::{
    Proof, formation,
    region::{Derived, Region},
    whole,
    worth::Worths,
};
use crate::{
    json::Value,
    party::{
        amount::{Amount, Requirement},
        text::shown,
    },
};
use std::collections::BTreeSet;

/// Parts of a multiplier of 1.
const PARTS: i128 = 1 << 20;

/// Parts of a slope or height of 1, for lines above shared links.
const LINE: i128 = 1024;

/// Parts of a value's presence of 1.
const PRESENCE: i64 = 1024;

const TOO_LARGE: &str = "the multipliers are too large";

pub(super) struct Row {
    y: i128,
    /// The weight of each item of the region.
    weights: Vec<i128>,
    /// Weights of the shared links of compared traits.
    links: Vec<i128>,
    least: Option<i128>,
    most: Option<i128>,
}

impl Row {
    /// A row over only items, with a multiplier of 0.
    fn of_items(
        derived: &Derived,
        weight: &dyn Fn(usize) -> i128,
        (least, most): (Option<i128>, Option<i128>),
    ) -> Self {
        Self {
            y: 0,
            weights: derived.items.iter().map(|&item| weight(item)).collect(),
            links: vec![0; derived.shared.len()],
            least,
            most,
        }
    }
}

/// The rest of a region after the multipliers have excluded items.
pub(super) struct Left {
    /// Items that a cheaper team may have, each with its cost beyond the bound.
    pub(super) items: Vec<(usize, i128)>,
    /// The lower bound, in parts.
    parts: i128,
}

impl Left {
    /// Lower bound of teams with `many` items of `value`, in parts. `of` gives each item's value of
    /// the trait. `None` if fewer items of the value are left.
    pub(super) fn parts_with(&self, of: &[usize], value: usize, many: i64) -> Option<i128> {
        let its = self.items.iter().filter(|(item, _)| of[*item] == value);
        let mut extra: Vec<i128> = its.map(|(_, reduced)| (*reduced).max(0)).collect();
        extra.sort_unstable();
        let cheapest = extra.get(..usize::try_from(many).ok()?)?;
        let sum = cheapest.iter().copied().fold(0, i128::saturating_add);
        Some(self.parts.saturating_add(sum))
    }
}

impl Proof<'_> {
    /// Reads rows with their multipliers.
    pub(super) fn read_rows(&self, derived: &Derived, rows: &Value) -> Result<Vec<Row>, String> {
        let mut read = Vec::new();
        for row in rows.as_list().ok_or("expected a list of rows")? {
            let Some([Value::Text(name), needs @ .., y]) = row.as_list() else {
                return Err(format!("{} is no row", shown(row)));
            };
            let y = whole(y)?;
            let row = self.row(derived, name, needs);
            let mut row = row.map_err(|why| format!("row `{}`: {why}", shown(name)))?;
            row.y = i128::from(y);
            // A multiplier of the wrong sign would need a bound that the row does not have.
            let end = if y > 0 { row.least } else { row.most };
            if end.is_some() {
                read.push(row);
            }
        }
        Ok(read)
    }

    fn row(&self, derived: &Derived, name: &str, needs: &[Value]) -> Result<Row, String> {
        let compared = &self.rules.compared;
        let plain = |weight: &dyn Fn(usize) -> i128, least, most| {
            Row::of_items(derived, weight, (least, most))
        };
        let nodes = i128::from(self.nodes);
        let value_of = |t: usize, item: usize| self.rules.pool.traits[t].of[item];
        match (name, needs) {
            ("nodes", []) => Ok(plain(&|_| 1, Some(nodes), Some(nodes))),
            ("requirement", [i]) => {
                let requirement = self.requirement(i)?;
                let bounds = requirement.range();
                match &requirement.amount {
                    Amount::Sum(n) | Amount::Average(n) => {
                        let of = &self.rules.pool.numbers[*n].of;
                        Ok(plain(&|item| of[item].into(), bounds.0, bounds.1))
                    }
                    Amount::Count(t, wanted) => {
                        Ok(plain(&|item| wanted[value_of(*t, item)].into(), bounds.0, bounds.1))
                    }
                    _ => Err("the requirement is not linear".to_owned()),
                }
            }
            ("rating", [i, Value::Text(which)]) => self.rating(derived, i, which),
            ("few", [i]) => {
                let requirement = self.requirement(i)?;
                let (Amount::Distinct(t), Some(most)) = (&requirement.amount, requirement.most())
                else {
                    return Err("the requirement asks for no few values".to_owned());
                };
                let ranges = &derived.ranges[*t];
                let sure = ranges.iter().filter(|range| range.0 > 0).count() as i64;
                // The presence of a value is at least its count divided by the most that it may
                // have.
                let presence = |item| match ranges[value_of(*t, item)] {
                    (0, most) => (PRESENCE / most.max(1)).into(),
                    _ => 0,
                };
                let most = i128::from(PRESENCE) * i128::from(most - sure);
                Ok(plain(&presence, None, Some(most)))
            }
            ("count", [trait_name, value]) => {
                let (t, value) = self.value(trait_name, value)?;
                let (least, most) = derived.ranges[t][value];
                Ok(plain(
                    &|item| (value_of(t, item) == value).into(),
                    Some(least.into()),
                    Some(most.into()),
                ))
            }
            ("different", [trait_name, Value::List(values)]) => {
                let t = self.trait_of(trait_name)?;
                let often = values.iter().map(|value| Ok(self.value(trait_name, value)?.1));
                let often = often.collect::<Result<BTreeSet<usize>, String>>()?;
                let (different, _) = self.distinct(t);
                // Values outside this set occur at least as often as there are different ones of
                // them.
                Ok(plain(
                    &|item| (!often.contains(&value_of(t, item))).into(),
                    Some(i128::from(different) - often.len() as i128),
                    None,
                ))
            }
            ("line", [k]) => {
                let k = k.as_index().filter(|&k| k < compared.len());
                let k = k.ok_or("there is no such compared trait")?;
                let ranges = derived.ranges[compared[k]].iter();
                let lines = ranges.map(|&range| formation::line(&self.densest, range));
                let (slopes, heights): (Vec<i64>, Vec<i64>) = lines.unzip();
                let height: i64 = heights.iter().sum();
                let slope = |item| slopes[value_of(compared[k], item)].into();
                let mut row = plain(&slope, Some(-i128::from(height)), None);
                row.links[k] = -LINE;
                Ok(row)
            }
            ("worth", [Value::List(prices)]) => {
                let least = self.rules.least_synergy();
                let (Some(matrices), Some(least)) = (&self.rules.matrices, least) else {
                    return Err("no least synergy by matrices is required".to_owned());
                };
                let prices: Result<Vec<i64>, String> = prices.iter().map(whole).collect();
                let prices = prices?;
                if !prices.is_empty() && prices.len() != self.rules.nodes() {
                    return Err("expected a price for each node, or none".to_owned());
                }
                let worths = Worths::new(self.rules, matrices, derived);
                let (weights, least) = worths.weights(derived, &prices, least);
                Ok(plain(&|item| weights[&item], Some(least), None))
            }
            ("shared", []) if self.rules.matrices.is_none() => {
                let mut row = plain(&|_| 0, Some(self.least_shared.into()), None);
                row.links.fill(1);
                Ok(row)
            }
            _ => Err("there is no such row".to_owned()),
        }
    }

    /// Rows of a rating. `sum` bounds the sum behind the rating. `least` (`most`) bounds from below
    /// (above) that sum plus the excess over the mean, where the mean is computed from the least
    /// (greatest) sum.
    fn rating(&self, derived: &Derived, i: &Value, which: &str) -> Result<Row, String> {
        let requirement = self.requirement(i)?;
        let Amount::Rating(number) = requirement.amount else {
            return Err("the requirement is no rating".to_owned());
        };
        let of = |item: usize| i128::from(self.rules.pool.numbers[number].of[item]);
        let n = i128::from(self.nodes);
        let (from, to) = derived.sums[&number];
        let (from, to) = (i128::from(from), i128::from(to));
        // Twice n times an item's number plus its excess over the mean, `sum` / n.
        let share = |item: usize, sum: i128| 2 * (n * of(item) + (n * of(item) - sum).max(0));
        let bounds = requirement.range();
        let least = bounds.0.map(|least| 2 * n * n * least - n);
        let most = bounds.1.map(|most| 2 * n * n * (most + 1) - n - 1);
        match which {
            "sum" => Ok(Row::of_items(derived, &of, (Some(from), Some(to)))),
            "least" => Ok(Row::of_items(derived, &|item| share(item, from), (least, None))),
            "most" => Ok(Row::of_items(derived, &|item| share(item, to), (None, most))),
            _ => Err("expected sum, least or most".to_owned()),
        }
    }

    fn requirement(&self, i: &Value) -> Result<&Requirement, String> {
        let found = i.as_index().and_then(|i| self.rules.requirements.get(i));
        found.ok_or_else(|| format!("there is no requirement {}", shown(i)))
    }

    /// Reduced costs of the items and of shared links, with `coin` parts for a price of 1. `None`
    /// on overflow.
    fn reduced(
        &self,
        derived: &Derived,
        rows: &[Row],
        coin: i128,
    ) -> Option<(Vec<i128>, Vec<i128>)> {
        let costs = derived.items.iter().map(|&item| i128::from(self.rules.costs[item]));
        let mut items: Vec<i128> = costs.map(|cost| coin * cost).collect();
        let mut links = vec![0i128; derived.shared.len()];
        for row in rows {
            let all = items.iter_mut().chain(&mut links);
            for (reduced, &weight) in all.zip(row.weights.iter().chain(&row.links)) {
                *reduced = reduced.checked_sub(row.y.checked_mul(weight)?)?;
            }
        }
        Some((items, links))
    }

    /// Lower bound on the price of the region's teams, in parts, with `coin` parts for a price of
    /// 1; and the reduced costs of the items. With a `coin` of 0 a positive bound proves that there
    /// is not a team. `None` on overflow.
    fn dual(
        &self,
        region: &Region,
        derived: &Derived,
        rows: &[Row],
        coin: i128,
    ) -> Option<(i128, Vec<i128>)> {
        let (items, links) = self.reduced(derived, rows, coin)?;
        let mut sum = 0i128;
        let mut add = |y: i128, end: i128| {
            sum = sum.checked_add(y.checked_mul(end)?)?;
            Some(())
        };
        for row in rows {
            let end = if row.y > 0 { row.least } else { row.most };
            add(row.y, end.unwrap_or(0))?;
        }
        for (&item, &reduced) in derived.items.iter().zip(&items) {
            let taken = reduced < 0 || region.within.contains(&item);
            add(reduced, taken.into())?;
        }
        // The number of shared links is between 0 and `most`.
        for (&most, &reduced) in derived.shared.iter().zip(&links) {
            let end = if reduced < 0 { most } else { 0 };
            add(reduced, end.into())?;
        }
        Some((sum, items))
    }

    /// Whether a price of at least `parts` parts is not below the certificate's price.
    pub(super) fn is_dear(&self, parts: i128) -> bool {
        let coin = PARTS * self.unit;
        let least = (parts.div_euclid(coin) + i128::from(parts.rem_euclid(coin) > 0)) * self.unit;
        self.below.is_some_and(|below| least > below)
    }

    /// Whether the multipliers close a region.
    pub(super) fn closes(
        &self,
        region: &Region,
        derived: &Derived,
        rows: &[Row],
    ) -> Result<bool, String> {
        let (refuted, _) = self.dual(region, derived, rows, 0).ok_or(TOO_LARGE)?;
        if refuted > 0 {
            return Ok(true);
        }
        let left = self.reduce(region, derived, rows)?;
        Ok(self.is_dear(left.parts) || left.items.len() < self.rules.nodes())
    }

    /// The items that a cheaper team of a region may have.
    pub(super) fn reduce(
        &self,
        region: &Region,
        derived: &Derived,
        rows: &[Row],
    ) -> Result<Left, String> {
        let (parts, reduced) = self.dual(region, derived, rows, PARTS).ok_or(TOO_LARGE)?;
        let mut items = Vec::new();
        for (&item, reduced) in derived.items.iter().zip(reduced) {
            let within = region.within.contains(&item);
            let is_cheap = self.below.is_none_or(|below| {
                let room = (below * PARTS).saturating_sub(parts);
                reduced <= room
            });
            // The bound includes items that must be taken.
            let extra = if within { reduced.min(0) } else { reduced };
            if is_cheap || within {
                items.push((item, extra));
            }
        }
        Ok(Left { items, parts })
    }
}
