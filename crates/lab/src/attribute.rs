//! Attributes of runs that a report may show. Each is one entry of [`ATTRIBUTES`]: name, heading,
//! unit, direction, statistic, and the function that takes its value from a run.

use crate::row::Row;

/// Direction of improvement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Less is better.
    Lower,
    /// More is better.
    Higher,
    /// Neither direction is better.
    Neutral,
}

/// Scale of axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Ticks at equal steps.
    Linear,
    /// Ticks at equal factors.
    Log,
}

/// Statistic that summarises the values of many runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Statistic {
    /// Arithmetic mean with a 95 % interval (Student's t).
    Mean,
    /// Median with a 95 % interval (order statistics).
    Median,
    /// Share of ones with a 95 % interval (Wilson).
    Share,
    /// Sum.
    Sum,
    /// Largest.
    Max,
    /// Standard deviation of the runs; undefined if limits ended some of them.
    Sd,
}

impl Statistic {
    /// Returns the words before the name of an attribute: empty, or with a space at the end.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Mean | Self::Share => "",
            Self::Median => "median ",
            Self::Sum => "total ",
            Self::Max => "largest ",
            Self::Sd => "standard deviation of ",
        }
    }
}

/// Counts of GA-FreeCell for an unsolved instance (Elyasaf et al. 2011, sections 3.3.4 and 4):
/// states generated, seconds, moves.
pub const PENALTY: (f64, f64, f64) = (1e9, 9_000.0, 60_000.0);

/// Attribute of a report.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// Name in experiments.
    pub name: &'static str,
    /// Heading in tables.
    pub heading: &'static str,
    /// Unit; `""` for the unit of the puzzle's value, `"%"` for shares, `"1"` for plain numbers.
    pub unit: &'static str,
    /// Direction of improvement.
    pub better: Better,
    /// Scale of axes.
    pub scale: Scale,
    /// Statistic over many runs.
    pub statistic: Statistic,
    /// Whether a run that a limit ended only has a lower bound on it (counters and times).
    pub is_censorable: bool,
    /// Value for a run.
    value: fn(&Run<'_>) -> Option<f64>,
}

/// Run with the proved optimum of its instance, where it is known.
struct Run<'a> {
    row: &'a Row,
    optimum: Option<i64>,
}

impl Run<'_> {
    /// Objective value of a checked solution.
    fn value(&self) -> Option<i64> {
        self.row.value.filter(|_| self.row.is_solved())
    }

    /// Whether the solution is optimal, where this is known.
    fn is_optimal(&self) -> Option<bool> {
        match (self.value()?, self.optimum) {
            (value, Some(optimum)) => Some(value == optimum),
            (_, None) => self.row.is_proved().then_some(true),
        }
    }

    /// Value of a checked solution minus the optimum.
    fn excess(&self) -> Option<f64> {
        Some(self.value()? as f64 - self.optimum? as f64)
    }

    /// Estimate at the start minus the optimum.
    fn error(&self) -> Option<f64> {
        Some(self.row.initial_h? - self.optimum? as f64)
    }
}

const fn attribute(
    name: &'static str,
    heading: &'static str,
    unit: &'static str,
    better: Better,
    value: fn(&Run<'_>) -> Option<f64>,
) -> Attribute {
    let (scale, statistic) = (Scale::Linear, Statistic::Mean);
    Attribute { name, heading, unit, better, scale, statistic, is_censorable: false, value }
}

/// Share of the runs with a property; the value is `None` where the property is unknown.
const fn share(
    name: &'static str,
    heading: &'static str,
    better: Better,
    value: fn(&Run<'_>) -> Option<f64>,
) -> Attribute {
    Attribute { statistic: Statistic::Share, ..attribute(name, heading, "%", better, value) }
}

/// Counter or time: lower is better, axes are logarithmic, and limits may censor it.
const fn effort(
    name: &'static str,
    heading: &'static str,
    unit: &'static str,
    value: fn(&Run<'_>) -> Option<f64>,
) -> Attribute {
    let attribute = attribute(name, heading, unit, Better::Lower, value);
    Attribute { scale: Scale::Log, is_censorable: true, ..attribute }
}

fn count(number: Option<u64>) -> Option<f64> {
    number.map(|n| n as f64)
}

fn truth(is: bool) -> Option<f64> {
    Some(f64::from(u8::from(is)))
}

/// All attributes with their defaults, which an experiment may override.
pub const ATTRIBUTES: &[Attribute] = {
    use Better::{Higher, Lower, Neutral};
    &[
        share("solved", "solved", Higher, |r| truth(r.row.is_solved())),
        share("proved", "proved", Higher, |r| truth(r.row.is_proved())),
        share("answered", "answered", Higher, |r| truth(r.row.is_solved() || r.row.is_proved())),
        share("optimal", "optimal", Higher, |r| truth(r.is_optimal()?)),
        // Lower is better for costs; `for_scores` has the directions for scores.
        attribute("value", "value", "", Lower, |r| r.value().map(|v| v as f64)),
        attribute("length", "length", "actions", Lower, |r| {
            count(r.row.length.filter(|_| r.row.is_solved()))
        }),
        attribute("excess", "value − optimum", "", Lower, |r| r.excess()),
        share("two_longer", "two longer than the optimum", Lower, |r| truth(r.excess()? == 2.0)),
        share("four_longer", "four longer than the optimum", Lower, |r| truth(r.excess()? == 4.0)),
        attribute("bound", "lower bound", "", Higher, |r| {
            r.row.lower_bound.or(r.row.upper_bound).map(|b| b as f64)
        }),
        attribute("initial_h", "h(start)", "", Neutral, |r| r.row.initial_h),
        attribute("error", "h(start) − optimum", "", Neutral, |r| r.error()),
        attribute("overestimate", "overestimate of the start", "", Lower, |r| {
            r.error().map(|error| error.max(0.0))
        }),
        attribute("underestimate", "underestimate of the start", "", Lower, |r| {
            r.error().map(|error| (-error).max(0.0))
        }),
        share("not_over", "h(start) ≤ optimum", Neutral, |r| truth(r.error()? <= 0.0)),
        share("within_one", "h(start) ≤ optimum + 1", Neutral, |r| truth(r.error()? <= 1.0)),
        effort("expanded", "expanded", "states", |r| count(r.row.expanded)),
        effort("generated", "generated", "states", |r| count(r.row.generated)),
        effort("evaluated", "evaluated", "states", |r| count(r.row.evaluated)),
        effort("reopened", "reopened", "states", |r| count(r.row.reopened)),
        effort("cpu_s", "CPU time", "s", |r| r.row.cpu_s),
        Attribute {
            is_censorable: false,
            ..effort("setup_cpu_s", "CPU time to prepare", "s", |r| r.row.setup_cpu_s)
        },
        effort("wall_s", "wall time", "s", |r| r.row.wall_s),
        attribute("rate", "generated per CPU second", "states/s", Higher, |r| {
            let seconds = r.row.cpu_s.filter(|&s| s > 0.0)?;
            Some(r.row.generated? as f64 / seconds)
        }),
        attribute("tree_nodes", "nodes of the tree", "nodes", Neutral, |r| count(r.row.tree_nodes)),
        attribute("tree_depth", "average depth of the tree", "actions", Neutral, |r| {
            r.row.tree_depth
        }),
        attribute("tree_deepest", "deepest node of the tree", "actions", Neutral, |r| {
            count(r.row.tree_deepest)
        }),
        attribute("diversity", "diversity of the population", "1", Neutral, |r| r.row.diversity),
        attribute("peak_accounted", "accounted memory", "bytes", Lower, |r| {
            count(r.row.peak_accounted_bytes)
        }),
        attribute("peak_resident", "resident memory", "bytes", Lower, |r| {
            count(r.row.peak_resident_bytes)
        }),
        attribute("solved_generated", "generated (solved)", "states", Lower, |r| {
            count(r.row.generated.filter(|_| r.row.is_solved()))
        }),
        attribute("solved_visited", "expanded + evaluated (solved)", "states", Lower, |r| {
            let visited = r.row.expanded.zip(r.row.evaluated).map(|(a, b)| a + b);
            count(visited.filter(|_| r.row.is_solved()))
        }),
        attribute("solved_cpu_s", "CPU time (solved)", "s", Lower, |r| {
            r.row.cpu_s.filter(|_| r.row.is_solved())
        }),
        attribute("penalised_generated", "generated (unsolved: 1000M)", "states", Lower, |r| {
            if r.row.is_solved() { count(r.row.generated) } else { Some(PENALTY.0) }
        }),
        attribute("penalised_cpu_s", "CPU time (unsolved: 9,000 s)", "s", Lower, |r| {
            if r.row.is_solved() { r.row.cpu_s } else { Some(PENALTY.1) }
        }),
        attribute("penalised_value", "value (unsolved: 60,000)", "", Lower, |r| {
            Some(r.value().map_or(PENALTY.2, |v| v as f64))
        }),
    ]
};

impl Attribute {
    /// Finds the attribute with a name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        ATTRIBUTES.iter().find(|a| a.name == name).copied()
    }

    /// Returns the attribute for values that are scores: higher values are better, the proved bound
    /// is an upper one, and a longer game is neither better nor worse.
    #[must_use]
    pub fn for_scores(mut self) -> Self {
        match self.name {
            "value" | "excess" => self.better = Better::Higher,
            "bound" => {
                self.heading = "upper bound";
                self.better = Better::Lower;
            }
            "length" => self.better = Better::Neutral,
            _ => {}
        }
        self
    }

    /// Returns the unit to write after a number, given the unit of the puzzle's value; empty for
    /// plain numbers, and for times, sizes and shares, whose numbers contain their unit.
    #[must_use]
    pub(crate) fn shown_unit(&self, of_value: &'static str) -> &'static str {
        match self.unit {
            "s" | "bytes" | "%" | "1" => "",
            "" => of_value,
            unit => unit,
        }
    }

    /// Whether it is measured in the unit of the puzzle's value.
    #[must_use]
    pub fn is_of_value(&self) -> bool {
        self.unit.is_empty()
    }

    /// Returns the value for a run; `None` if the run has none. `optimum` is the proved optimum of
    /// the instance, where it is known.
    #[must_use]
    pub fn of(&self, row: &Row, optimum: Option<i64>) -> Option<f64> {
        // The effort of a search that gave up or crashed is not the effort of an answer.
        let has_answer = row.is_solved() || row.is_proved() || row.is_censored();
        if self.is_censorable && !has_answer {
            return None;
        }
        (self.value)(&Run { row, optimum })
    }
}
