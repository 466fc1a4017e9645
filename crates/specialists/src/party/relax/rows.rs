//! The rows of a region's linear program.

use super::{
    Region, Relaxation, Value,
    counts::{LINE, Ranges},
};
use crate::lp::{Column, Program, Row};
use std::collections::BTreeMap;
use unriddle_puzzles::party::Amount;

impl Relaxation<'_> {
    /// The linear rows of a region, and those of what its compared traits can share at most.
    pub(super) fn program(
        &self,
        region: &Region,
        items: &[u32],
        ranges: &Ranges,
        most_shared: &[i64],
    ) -> Program {
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
        program.rows.push(Row {
            entries: Self::weights(items, |_| 1),
            least: Some(self.nodes),
            most: Some(self.nodes),
        });
        for requirement in &party.requirements {
            let entries = match &requirement.amount {
                Amount::Sum(n) => {
                    let values = &party.items.numbers[*n].values;
                    Self::weights(items, |item| values[item as usize])
                }
                Amount::Count(t, wanted) => Self::weights(items, |item| {
                    i64::from(wanted[usize::from(self.code(*t, item))])
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
            program
                .rows
                .push(self.count_row(items, *value, ranges.of(*value)));
        }
        if self.least > 0 {
            let mut all = Vec::new();
            for (&t, &most) in party.table.traits.iter().zip(most_shared) {
                let z = program.columns.len() as u32;
                program.columns.push(Column {
                    cost: 0,
                    lower: 0,
                    upper: most,
                });
                all.push((z, 1));
                let lines = ranges.of_trait(t).iter().map(|&range| self.line(range));
                let (slopes, heights): (Vec<i64>, Vec<i64>) = lines.unzip();
                let height: i64 = heights.iter().sum();
                let slope = |item| slopes[usize::from(self.code(t, item))];
                let mut entries = Self::weights(items, slope);
                entries.push((z, -LINE));
                program.rows.push(Row {
                    entries,
                    least: Some(-height),
                    most: None,
                });
            }
            program.rows.push(Row {
                entries: all,
                least: Some(self.least),
                most: None,
            });
        }
        program
    }

    pub(super) fn count_row(
        &self,
        items: &[u32],
        (t, value): Value,
        (least, most): (i64, i64),
    ) -> Row {
        Row {
            entries: Self::weights(items, |item| i64::from(self.code(t, item) == value)),
            least: Some(least),
            most: Some(most),
        }
    }

    /// Rows that counts break: values beyond their range, and too few different ones.
    pub(super) fn cuts(
        &self,
        items: &[u32],
        ranges: &Ranges,
        counts: &BTreeMap<Value, f64>,
    ) -> Vec<Row> {
        let mut cuts = Vec::new();
        for (&value, &count) in counts {
            let range = ranges.of(value);
            if count > range.1 as f64 + 1e-5 {
                cuts.push(self.count_row(items, value, range));
            }
        }
        for (&t, &(needed, _)) in &self.distinct {
            // Each value counts once: those that are there more than once as one, the others as often as they are there.
            let of = counts.range((t, 0)..=(t, u16::MAX));
            let often: Vec<u16> = of
                .clone()
                .filter(|(_, count)| **count > 1.0)
                .map(|(value, _)| value.1)
                .collect();
            let different: f64 = of.map(|(_, count)| count.min(1.0)).sum();
            if different < needed as f64 - 1e-5 {
                let other = |item| i64::from(!often.contains(&self.code(t, item)));
                cuts.push(Row {
                    entries: Self::weights(items, other),
                    least: Some(needed - often.len() as i64),
                    most: None,
                });
            }
        }
        cuts
    }
}
