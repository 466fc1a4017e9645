//! Summary of many values as one, with its uncertainty and restrictions.

use super::{
    numbers,
    select::{Series, Value, are_restarts},
    statistics::{self, CONFIDENCE},
    values::Measure,
};
use crate::attribute::{Attribute, Better, Statistic};
use std::collections::{BTreeMap, BTreeSet};

/// Uncertainty of a statistic.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Spread {
    None,
    Half(f64),
    Range(f64, f64),
    /// Number of ones of a share.
    Ones(usize),
}

/// Statistic of an attribute over some runs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Summary {
    /// Number of values.
    pub(super) n: usize,
    /// Value of the statistic.
    pub(super) value: f64,
    /// Whether the value is only a lower bound, because limits ended some runs.
    pub(super) is_bound: bool,
    spread: Spread,
    /// Whether all values are of different instances.
    independent: bool,
    measure: Measure,
}

/// Mean of every instance over its seeds, because only instances are independent samples; of a
/// single instance every [restart](are_restarts) for itself.
pub(super) fn by_instance(values: &[Value]) -> Vec<f64> {
    let restarts = are_restarts(values.iter().copied());
    let mut sums: BTreeMap<u64, (f64, usize)> = BTreeMap::new();
    for value in values {
        let unit = if restarts { value.seed } else { value.instance as u64 };
        let (sum, n) = sums.entry(unit).or_default();
        *sum += value.value;
        *n += 1;
    }
    sums.into_values().map(|(sum, n)| sum / n as f64).collect()
}

impl Summary {
    /// Computes the attribute's statistic over these values.
    pub(super) fn of(values: &[Value], attribute: &Attribute) -> Option<Self> {
        let censored = values.iter().any(|v| v.is_censored);
        let mut numbers: Vec<f64> = values.iter().map(|v| v.value).collect();
        let instances = by_instance(values);
        let (value, is_bound, spread) = match attribute.statistic {
            Statistic::Mean => {
                let spread = statistics::half_width(&instances, CONFIDENCE)
                    .map_or(Spread::None, Spread::Half);
                (statistics::mean(&numbers)?, censored, spread)
            }
            Statistic::Share => {
                let ones = numbers.iter().filter(|&&v| v == 1.0).count();
                (statistics::mean(&numbers)?, censored, Spread::Ones(ones))
            }
            Statistic::Sum if numbers.is_empty() => return None,
            Statistic::Sum => (numbers.iter().sum(), censored, Spread::None),
            Statistic::Max => {
                let largest = numbers.iter().copied().reduce(f64::max)?;
                (largest, censored, Spread::None)
            }
            // A deviation of lower bounds has no meaning.
            Statistic::Sd if censored => return None,
            Statistic::Sd => (statistics::deviation(&numbers)?, false, Spread::None),
            Statistic::Median => {
                // A censored value may be arbitrarily larger. The median is exact if it does not
                // change when all of them are infinite.
                let most = |v: &Value| if v.is_censored { f64::INFINITY } else { v.value };
                let mut at_most: Vec<f64> = values.iter().map(most).collect();
                numbers.sort_by(f64::total_cmp);
                at_most.sort_by(f64::total_cmp);
                let median = statistics::quantile(&numbers, 0.5)?;
                let is_bound = statistics::quantile(&at_most, 0.5) != Some(median);
                let low = statistics::median_interval(&numbers, CONFIDENCE);
                let spread = match low.zip(statistics::median_interval(&at_most, CONFIDENCE)) {
                    // Several runs of an instance are not independent.
                    Some(((low, _), (_, high))) if instances.len() == numbers.len() => {
                        Spread::Range(low, high)
                    }
                    _ => Spread::None,
                };
                (median, is_bound, spread)
            }
        };
        Some(Self {
            n: values.len(),
            value,
            is_bound,
            spread,
            independent: instances.len() == values.len(),
            measure: Measure::of(attribute),
        })
    }

    /// `12.3 ± 0.4`, `12 (10–15)`, `97.0 % (485 of 500)`, `≥ 12.3`.
    pub(super) fn show(&self) -> String {
        let value = numbers::show(self.value, self.measure);
        match self.spread {
            // The spread of values cut off by limits is not an interval of the mean.
            Spread::Half(_) | Spread::None if self.is_bound => format!("≥ {value}"),
            Spread::None => value,
            Spread::Half(half) => numbers::show_with(self.value, half, self.measure),
            Spread::Range(low, high) => {
                let mark = if self.is_bound { "≥ " } else { "" };
                let range = numbers::show_range(low, high, self.measure);
                format!("{mark}{value} ({range})")
            }
            Spread::Ones(ones) => {
                let (ones, n) = (numbers::count(ones), numbers::count(self.n));
                format!("{value} ({ones} of {n})")
            }
        }
    }

    /// As [`show`](Self::show), with Wilson's interval for shares.
    pub(super) fn show_interval(&self) -> String {
        let interval = match self.spread {
            Spread::Ones(ones) if self.independent => statistics::wilson(ones, self.n, CONFIDENCE),
            _ => None,
        };
        let range = interval.map(|(low, high)| numbers::show_range(low, high, Measure::Percent));
        self.show() + &range.map_or_else(String::new, |range| format!(", 95 %: {range}"))
    }

    /// Whether [`show`](Self::show) includes the number of values.
    fn shows_n(&self) -> bool {
        matches!(self.spread, Spread::Ones(_))
    }
}

/// Cells that are compared with each other: one attribute of several solvers.
pub(super) struct Cells {
    values: Vec<Vec<Value>>,
    summaries: Vec<Option<Summary>>,
    /// Runs of any cell.
    any: BTreeSet<(usize, u64)>,
    better: Better,
}

impl Cells {
    /// Makes the cells of an attribute, one for each series.
    pub(super) fn of(all: &[&Series<'_>], attribute: &Attribute) -> Self {
        Self::new(all.iter().map(|series| series.values(attribute)).collect(), attribute)
    }

    /// Makes the cells for these values.
    pub(super) fn new(values: Vec<Vec<Value>>, attribute: &Attribute) -> Self {
        let summaries = values.iter().map(|v| Summary::of(v, attribute)).collect();
        let any = values.iter().flatten().map(Value::pair).collect();
        Self {
            values,
            summaries,
            any,
            better: match attribute.statistic {
                // Results that are close together may all be bad.
                Statistic::Sd => Better::Neutral,
                _ => attribute.better,
            },
        }
    }

    /// Whether a cell lacks a run that another cell has.
    pub(super) fn is_less(&self, cell: usize) -> bool {
        self.values.get(cell).is_some_and(|v| v.len() < self.any.len())
    }

    /// Whether the cells cover different runs.
    pub(super) fn differ(&self) -> bool {
        (0..self.values.len()).any(|cell| self.is_less(cell))
    }

    /// Whether limits ended some of the runs.
    pub(super) fn is_censored(&self) -> bool {
        self.values.iter().flatten().any(|v| v.is_censored)
    }

    /// Returns the statistic of a cell.
    pub(super) fn summary(&self, cell: usize) -> Option<&Summary> {
        self.summaries.get(cell)?.as_ref()
    }

    /// Returns the best value, if all cells are comparable and differ.
    fn best(&self) -> Option<f64> {
        if self.differ() || self.is_censored() {
            return None;
        }
        let values = self.summaries.iter().map(|s| Some(s.as_ref()?.value));
        let values: Vec<f64> = values.collect::<Option<_>>()?;
        let low = values.iter().copied().reduce(f64::min)?;
        let high = values.iter().copied().reduce(f64::max)?;
        match self.better {
            Better::Lower if low < high => Some(low),
            Better::Higher if low < high => Some(high),
            _ => None,
        }
    }

    /// Returns the text of a cell that could have had `runs` runs.
    pub(super) fn show(&self, cell: usize, runs: usize) -> String {
        let Some(summary) = self.summary(cell) else {
            return "—".to_owned();
        };
        let mut text = summary.show();
        if self.best() == Some(summary.value) {
            text = format!("**{text}**");
        }
        if summary.n < runs && !summary.shows_n() {
            text += &format!(" (n = {})", numbers::count(summary.n));
        }
        if self.is_less(cell) {
            text += "\\*";
        }
        text
    }

    /// Returns the number of common runs and the cells over them: runs that all non-empty cells
    /// have and that no limit ended. `None` if there are no such runs, fewer than two cells, or no
    /// change.
    pub(super) fn common(&self, attribute: &Attribute) -> Option<(usize, Self)> {
        if !self.differ() && !self.is_censored() {
            return None;
        }
        let cells: Vec<_> = self.values.iter().filter(|v| !v.is_empty()).collect();
        let whole = |values: &&Vec<Value>| -> BTreeSet<_> {
            values.iter().filter(|v| !v.is_censored).map(Value::pair).collect()
        };
        let shared = cells.iter().map(whole).reduce(|a, b| &a & &b)?;
        if cells.len() < 2 || shared.is_empty() {
            return None;
        }
        let mut values = self.values.clone();
        values.iter_mut().for_each(|values| values.retain(|v| shared.contains(&v.pair())));
        Some((shared.len(), Self::new(values, attribute)))
    }

    /// Keeps only these cells. A cell without values would prevent the best one from being marked.
    pub(super) fn keep(&mut self, kept: &[usize]) {
        self.values = kept.iter().map(|&cell| self.values[cell].clone()).collect();
        self.summaries = kept.iter().map(|&cell| self.summaries[cell].clone()).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restarts_of_a_single_instance_are_the_sample() {
        let value =
            |instance, seed| Value { instance, seed, value: seed as f64, is_censored: false };
        assert_eq!(by_instance(&[value(4, 1), value(4, 2), value(4, 6)]), [1.0, 2.0, 6.0]);
        assert_eq!(by_instance(&[value(4, 1), value(4, 2), value(5, 6)]), [1.5, 6.0]);
        assert_eq!(by_instance(&[value(4, 1)]), [1.0]);
    }
}
