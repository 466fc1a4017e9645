//! Many values as one, with its uncertainty and what restricts it.

use super::{
    data::Value,
    numbers::{self, Measure},
    statistics::{self, CONFIDENCE},
};
use crate::attribute::{Attribute, Better, Statistic};
use std::collections::{BTreeMap, BTreeSet};

/// The uncertainty of a statistic.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Spread {
    None,
    Half(f64),
    Range(f64, f64),
    /// A share: ones.
    Ones(usize),
}

/// One statistic of one attribute over some runs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Summary {
    /// How many values.
    pub(super) n: usize,
    /// The statistic.
    pub(super) value: f64,
    /// Whether it is but a lower bound, because limits ended some runs.
    pub(super) is_bound: bool,
    spread: Spread,
    /// Whether every value is of another instance.
    independent: bool,
    measure: Measure,
}

/// The mean of every instance over its seeds: only instances are independent samples.
pub(super) fn by_instance(values: &[Value]) -> Vec<f64> {
    let mut sums: BTreeMap<usize, (f64, usize)> = BTreeMap::new();
    for value in values {
        let (sum, n) = sums.entry(value.instance).or_default();
        *sum += value.value;
        *n += 1;
    }
    sums.into_values().map(|(sum, n)| sum / n as f64).collect()
}

impl Summary {
    /// The attribute's statistic over these values.
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
            // Of lower bounds a deviation says nothing.
            Statistic::Sd if censored => return None,
            Statistic::Sd => (statistics::deviation(&numbers)?, false, Spread::None),
            Statistic::Median => {
                // A censored value may be anything above: where the median is the same with all of them
                // at infinity, it is exact.
                let mut at_most: Vec<f64> = values
                    .iter()
                    .map(|v| if v.is_censored { f64::INFINITY } else { v.value })
                    .collect();
                numbers.sort_by(f64::total_cmp);
                at_most.sort_by(f64::total_cmp);
                let median = statistics::quantile(&numbers, 0.5)?;
                let is_bound = statistics::quantile(&at_most, 0.5) != Some(median);
                let low = statistics::median_interval(&numbers, CONFIDENCE);
                let spread = match low.zip(statistics::median_interval(&at_most, CONFIDENCE)) {
                    // Several runs of an instance are no independent ones.
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
            // The spread of what was used until the limits is no interval of the mean.
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

    /// The same with Wilson's interval for shares.
    pub(super) fn show_interval(&self) -> String {
        let text = self.show();
        match self.spread {
            Spread::Ones(ones) if self.independent => {
                match statistics::wilson(ones, self.n, CONFIDENCE) {
                    Some((low, high)) => {
                        let range = numbers::show_range(low, high, Measure::Percent);
                        format!("{text}, 95 %: {range}")
                    }
                    None => text,
                }
            }
            _ => text,
        }
    }

    /// Whether the number of values is part of what [`Self::show`] says.
    fn says_n(&self) -> bool {
        matches!(self.spread, Spread::Ones(_))
    }
}

/// Cells that are compared with each other: the same attribute of several solvers.
pub(super) struct Cells {
    values: Vec<Vec<Value>>,
    summaries: Vec<Option<Summary>>,
    /// The runs that some cell has.
    any: BTreeSet<(usize, u64)>,
    better: Better,
}

impl Cells {
    /// The cells of these values.
    pub(super) fn new(values: Vec<Vec<Value>>, attribute: &Attribute) -> Self {
        let summaries = values.iter().map(|v| Summary::of(v, attribute)).collect();
        let any = values.iter().flatten().map(Value::pair).collect();
        Self {
            values,
            summaries,
            any,
            better: match attribute.statistic {
                // Results that lie close together may all be bad.
                Statistic::Sd => Better::Neutral,
                _ => attribute.better,
            },
        }
    }

    /// Whether a cell covers less than all that some cell covers.
    pub(super) fn is_less(&self, cell: usize) -> bool {
        self.values.get(cell).is_some_and(|v| v.len() < self.any.len())
    }

    /// Whether some cell covers less than another.
    pub(super) fn differ(&self) -> bool {
        (0..self.values.len()).any(|cell| self.is_less(cell))
    }

    /// Whether limits ended some of the runs.
    pub(super) fn is_censored(&self) -> bool {
        self.values.iter().flatten().any(|v| v.is_censored)
    }

    /// The statistic of a cell.
    pub(super) fn summary(&self, cell: usize) -> Option<&Summary> {
        self.summaries.get(cell)?.as_ref()
    }

    /// The best value, if all cells can be compared and differ.
    fn best(&self) -> Option<f64> {
        if self.differ() || self.is_censored() {
            return None;
        }
        let values: Option<Vec<f64>> =
            (self.summaries.iter()).map(|s| s.as_ref().map(|s| s.value)).collect();
        let values = values?;
        let low = values.iter().copied().reduce(f64::min)?;
        let high = values.iter().copied().reduce(f64::max)?;
        match self.better {
            _ if low == high => None,
            Better::Lower => Some(low),
            Better::Higher => Some(high),
            Better::Neutral => None,
        }
    }

    /// The text of a cell; `runs` is how many runs it could have had.
    pub(super) fn show(&self, cell: usize, runs: usize) -> String {
        let Some(summary) = self.summary(cell) else {
            return "—".to_owned();
        };
        let mut text = summary.show();
        if self.best() == Some(summary.value) {
            text = format!("**{text}**");
        }
        if summary.n < runs && !summary.says_n() {
            text += &format!(" (n = {})", numbers::count(summary.n));
        }
        if self.is_less(cell) {
            text += "\\*";
        }
        text
    }

    /// The same cells over the runs that all cells with any have and no limit ended; `None` if there are
    /// no such runs, fewer than two cells, or nothing would change.
    pub(super) fn common(&self, attribute: &Attribute) -> Option<(usize, Self)> {
        if !self.differ() && !self.is_censored() {
            return None;
        }
        let mut shared: Option<BTreeSet<(usize, u64)>> = None;
        let mut cells = 0;
        for values in self.values.iter().filter(|v| !v.is_empty()) {
            cells += 1;
            let whole = values.iter().filter(|v| !v.is_censored).map(Value::pair);
            shared = Some(match shared {
                None => whole.collect(),
                Some(shared) => whole.filter(|pair| shared.contains(pair)).collect(),
            });
        }
        let shared = shared.filter(|shared| cells > 1 && !shared.is_empty())?;
        let of_shared = |values: &Vec<Value>| {
            let kept = values.iter().filter(|v| shared.contains(&v.pair()));
            kept.copied().collect()
        };
        let cells = Self::new(self.values.iter().map(of_shared).collect(), attribute);
        Some((shared.len(), cells))
    }

    /// Keeps only these cells: those without values are no rivals and must not keep the best from being
    /// marked.
    pub(super) fn keep(&mut self, kept: &[usize]) {
        self.values = kept.iter().map(|&cell| self.values[cell].clone()).collect();
        self.summaries = kept.iter().map(|&cell| self.summaries[cell].clone()).collect();
    }
}
