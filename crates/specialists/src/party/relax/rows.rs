//! The rows of a region's linear program.

use super::{
    Region, Relaxation, Value,
    counts::{LINE, Ranges},
};
use crate::lp::{Column, Program, Row};
use std::collections::BTreeMap;
use unriddle_puzzles::party::Amount;

impl Relaxation<'_> {
    /// The rows of a region. `None` if it cannot share as much as is needed.
    pub(super) fn program(
        &self,
        region: &Region,
        items: &[u32],
        ranges: &Ranges,
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
            program
                .rows
                .push(self.count_row(items, *value, ranges.of(*value)));
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
                let lines = ranges.of_trait(t).iter().map(|&range| self.line(range));
                let (slopes, heights): (Vec<i64>, Vec<i64>) = lines.unzip();
                let height: i64 = heights.iter().sum();
                let codes = &party.items.traits[t].codes;
                let mut entries = weighted(&|item| slopes[usize::from(codes[item])]);
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

    pub(super) fn count_row(
        &self,
        items: &[u32],
        (t, value): Value,
        (least, most): (i64, i64),
    ) -> Row {
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
}
