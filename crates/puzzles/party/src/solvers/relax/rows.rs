//! The rows of a region's linear program.

use super::{Possible, Proof, Region, Relaxation, Value, counts::LINE};
use crate::Amount;
use crate::lp::{Column, Program, Row};
use std::collections::BTreeMap;

/// The meaning of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::solvers) enum Source {
    /// The team has as many items as nodes.
    Nodes,
    /// The linear requirement with this index.
    Requirement(usize),
    /// The bounds of the sum that the rating with this index is made of.
    RatingSum(usize),
    /// The lower bound of the rating with this index, by the excess over the least sum.
    RatingLeast(usize),
    /// The upper bound of the rating with this index, by the excess over the greatest sum.
    RatingMost(usize),
    /// The upper bound of the number of different values, by how many there are at least.
    Few(usize),
    /// Number of items with a value.
    Count(Value),
    /// A lower bound of the number of different values of a trait: some items have values other
    /// than these.
    Different(usize, Vec<u16>),
    /// The most links over which the compared trait with this index is shared, by the lines above
    /// the counts of its values.
    Line(usize),
    /// The lower bound of the number of traits shared over all links.
    Shared,
    /// Worths of items by matrices, with a price for each node.
    Worth(Vec<i64>),
}

/// A region's program, with the meaning of each row.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) program: Program,
    sources: Vec<Source>,
}

impl Rows {
    pub(super) fn push(&mut self, source: Source, row: Row) {
        self.program.rows.push(row);
        self.sources.push(source);
    }

    /// The multipliers that are not 0.
    pub(super) fn proof(&self, multipliers: &[i64]) -> Proof {
        let used = self.sources.iter().zip(multipliers).filter(|(_, y)| **y != 0);
        used.map(|(source, &y)| (source.clone(), y)).collect()
    }
}

impl Relaxation<'_> {
    /// The linear rows of a region, and the rows that bound the links over which its compared
    /// traits can be shared.
    pub(super) fn rows(&self, region: &Region, possible: &Possible) -> Rows {
        let (party, items) = (self.party, &possible.items);
        let mut rows = Rows::default();
        for &item in items {
            let lower = i64::from(region.within.contains(&item));
            rows.program.columns.push(Column { cost: party.costs[item as usize], lower, upper: 1 });
        }
        let (entries, nodes) = (Self::weights(items, |_| 1), Some(self.nodes));
        rows.push(Source::Nodes, Row { entries, least: nodes, most: nodes });
        for (i, requirement) in party.requirements.iter().enumerate() {
            let entries = match &requirement.amount {
                &Amount::Sum(n) => Self::weights(items, |item| party.items.number(n, item)),
                Amount::Count(t, wanted) => {
                    Self::weights(items, |item| i64::from(wanted[usize::from(self.code(*t, item))]))
                }
                _ => continue,
            };
            let row = Row { entries, least: requirement.at_least, most: requirement.at_most };
            rows.push(Source::Requirement(i), row);
        }
        for &value in region.counts.keys() {
            rows.push(Source::Count(value), self.count_row(possible, value));
        }
        if self.least > 0 {
            let mut all = Vec::new();
            for (k, (&t, &most)) in self.compared.iter().zip(&possible.shared).enumerate() {
                let z = rows.program.columns.len() as u32;
                rows.program.columns.push(Column { cost: 0, lower: 0, upper: most });
                all.push((z, 1));
                let lines = possible.ranges.of_trait(t).iter().map(|&range| self.line(range));
                let (slopes, heights): (Vec<i64>, Vec<i64>) = lines.unzip();
                let height: i64 = heights.iter().sum();
                let slope = |item| slopes[usize::from(self.code(t, item))];
                let mut entries = Self::weights(items, slope);
                entries.push((z, -LINE));
                rows.push(Source::Line(k), Row { entries, least: Some(-height), most: None });
            }
            rows.push(Source::Shared, Row { entries: all, least: Some(self.least), most: None });
        }
        rows
    }

    /// The row of the range of a value's count.
    fn count_row(&self, possible: &Possible, value: Value) -> Row {
        let (least, most) = possible.ranges.of(value);
        let is_value = |item| i64::from(self.code(value.0, item) == value.1);
        let entries = Self::weights(&possible.items, is_value);
        Row { entries, least: Some(least), most: Some(most) }
    }

    /// Rows that a solution's counts break: values above their range, and too few different values.
    pub(super) fn cuts(
        &self,
        possible: &Possible,
        counts: &BTreeMap<Value, f64>,
    ) -> Vec<(Source, Row)> {
        let is_above =
            |(value, count): &(&Value, &f64)| **count > possible.ranges.of(**value).1 as f64 + 1e-5;
        let above = counts.iter().filter(is_above);
        let cut = |(&value, _)| (Source::Count(value), self.count_row(possible, value));
        let mut cuts: Vec<(Source, Row)> = above.map(cut).collect();
        for (&t, &(needed, _)) in &self.distinct {
            // Each value counts at most once: values that are taken more than once count as one,
            // the others as often as they are taken.
            let of = counts.range((t, 0)..=(t, u16::MAX));
            let often: Vec<u16> =
                of.clone().filter(|(_, count)| **count > 1.0).map(|(value, _)| value.1).collect();
            let different: f64 = of.map(|(_, count)| count.min(1.0)).sum();
            if different < needed as f64 - 1e-5 {
                let other = |item| i64::from(!often.contains(&self.code(t, item)));
                let entries = Self::weights(&possible.items, other);
                let least = Some(needed - often.len() as i64);
                cuts.push((Source::Different(t, often), Row { entries, least, most: None }));
            }
        }
        cuts
    }
}
