//! What a report may show of a run: each attribute with its unit, its scale, which way is better and
//! which statistic sums it up.

use crate::row::Row;

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Less is better.
    Lower,
    /// More is better.
    Higher,
    /// Neither.
    Neutral,
}

/// Scale of axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Equal steps.
    Linear,
    /// Equal factors.
    Log,
}

/// How many values become one.
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
    /// Standard deviation of the runs; none where limits ended some of them.
    Sd,
}

impl Statistic {
    /// What stands before the name of an attribute: nothing, or words and a space.
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

/// What an attribute is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// 1 if there is a checked solution.
    Solved,
    /// 1 if the answer is proved.
    Proved,
    /// 1 if there is a checked solution, or a proof that there is none.
    Answered,
    /// 1 if the solution is known to be optimal; unknown without a solution or a known optimum.
    Optimal,
    /// The objective.
    Value,
    /// Number of actions.
    Length,
    /// Value minus optimum.
    Excess,
    /// Best proved bound.
    Bound,
    /// The heuristic's estimate at the start.
    InitialH,
    /// That estimate minus the optimum.
    Error,
    /// What of that is above 0.
    Overestimate,
    /// What of it is below 0, without the sign.
    Underestimate,
    /// 1 if it is not above 0.
    NotOver,
    /// 1 if it is not above 1.
    WithinOne,
    /// States expanded.
    Expanded,
    /// States generated.
    Generated,
    /// States evaluated.
    Evaluated,
    /// States reopened.
    Reopened,
    /// CPU seconds of the search.
    Cpu,
    /// CPU seconds of preparations.
    SetupCpu,
    /// Wall seconds of the search.
    Wall,
    /// States generated per CPU second.
    Rate,
    /// Accounted memory.
    PeakAccounted,
    /// Resident memory.
    PeakResident,
    /// States generated, of solved instances alone.
    SolvedGenerated,
    /// States expanded and states evaluated together, of solved instances alone.
    SolvedVisited,
    /// CPU seconds, of solved instances alone.
    SolvedCpu,
    /// States generated, an unsolved instance counting as [`PENALTY`].
    PenalisedGenerated,
    /// CPU seconds, likewise.
    PenalisedCpu,
    /// The objective, likewise.
    PenalisedValue,
}

/// What GA-FreeCell counts an unsolved instance as (Elyasaf et al. 2011, sections 3.3.4 and 4): states
/// generated, seconds, moves.
pub const PENALTY: (f64, f64, f64) = (1e9, 9_000.0, 60_000.0);

/// An attribute of a report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attribute {
    /// Its name in experiments.
    pub name: &'static str,
    /// Its heading in tables.
    pub heading: &'static str,
    /// What it is.
    pub quantity: Quantity,
    /// Unit; `""` for that of the puzzle's value, `"%"` for shares.
    pub unit: &'static str,
    /// Which way is better.
    pub better: Better,
    /// Scale of axes.
    pub scale: Scale,
    /// How it is summed up.
    pub statistic: Statistic,
}

const fn declare(
    name: &'static str,
    heading: &'static str,
    quantity: Quantity,
    unit: &'static str,
    better: Better,
    statistic: Statistic,
) -> Attribute {
    let scale = match quantity {
        Quantity::Expanded
        | Quantity::Generated
        | Quantity::Evaluated
        | Quantity::Reopened
        | Quantity::Cpu
        | Quantity::SetupCpu
        | Quantity::Wall => Scale::Log,
        _ => Scale::Linear,
    };
    Attribute { name, heading, quantity, unit, better, scale, statistic }
}

/// All attributes with what they are unless an experiment says otherwise.
pub const ATTRIBUTES: &[Attribute] = {
    use Better::{Higher, Lower, Neutral};
    use Quantity as Q;
    use Statistic::{Mean, Share};
    &[
        declare("solved", "solved", Q::Solved, "%", Higher, Share),
        declare("proved", "proved", Q::Proved, "%", Higher, Share),
        declare("answered", "answered", Q::Answered, "%", Higher, Share),
        declare("optimal", "optimal", Q::Optimal, "%", Higher, Share),
        // For costs less is better; for scores see `for_scores`.
        declare("value", "value", Q::Value, "", Lower, Mean),
        declare("length", "length", Q::Length, "actions", Lower, Mean),
        declare("excess", "value − optimum", Q::Excess, "", Lower, Mean),
        declare("bound", "lower bound", Q::Bound, "", Higher, Mean),
        declare("initial_h", "h(start)", Q::InitialH, "", Neutral, Mean),
        declare("error", "h(start) − optimum", Q::Error, "", Neutral, Mean),
        declare("overestimate", "overestimate of the start", Q::Overestimate, "", Lower, Mean),
        declare("underestimate", "underestimate of the start", Q::Underestimate, "", Lower, Mean),
        declare("not_over", "h(start) ≤ optimum", Q::NotOver, "%", Neutral, Share),
        declare("within_one", "h(start) ≤ optimum + 1", Q::WithinOne, "%", Neutral, Share),
        declare("expanded", "expanded", Q::Expanded, "states", Lower, Mean),
        declare("generated", "generated", Q::Generated, "states", Lower, Mean),
        declare("evaluated", "evaluated", Q::Evaluated, "states", Lower, Mean),
        declare("reopened", "reopened", Q::Reopened, "states", Lower, Mean),
        declare("cpu_s", "CPU time", Q::Cpu, "s", Lower, Mean),
        declare("setup_cpu_s", "CPU time to prepare", Q::SetupCpu, "s", Lower, Mean),
        declare("wall_s", "wall time", Q::Wall, "s", Lower, Mean),
        declare("rate", "generated per CPU second", Q::Rate, "states/s", Higher, Mean),
        declare("peak_accounted", "accounted memory", Q::PeakAccounted, "bytes", Lower, Mean),
        declare("peak_resident", "resident memory", Q::PeakResident, "bytes", Lower, Mean),
        declare(
            "solved_generated",
            "generated (solved)",
            Q::SolvedGenerated,
            "states",
            Lower,
            Mean,
        ),
        declare(
            "solved_visited",
            "expanded + evaluated (solved)",
            Q::SolvedVisited,
            "states",
            Lower,
            Mean,
        ),
        declare("solved_cpu_s", "CPU time (solved)", Q::SolvedCpu, "s", Lower, Mean),
        declare(
            "penalised_generated",
            "generated (unsolved: 1000M)",
            Q::PenalisedGenerated,
            "states",
            Lower,
            Mean,
        ),
        declare(
            "penalised_cpu_s",
            "CPU time (unsolved: 9,000 s)",
            Q::PenalisedCpu,
            "s",
            Lower,
            Mean,
        ),
        declare("penalised_value", "value (unsolved: 60,000)", Q::PenalisedValue, "", Lower, Mean),
    ]
};

impl Attribute {
    /// The attribute of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        ATTRIBUTES.iter().find(|a| a.name == name).copied()
    }

    /// The same where values are scores: more is better, the proved bound is an upper one, and a longer
    /// game is neither better nor worse.
    #[must_use]
    pub fn for_scores(mut self) -> Self {
        match self.quantity {
            Quantity::Value | Quantity::Excess => self.better = Better::Higher,
            Quantity::Bound => {
                self.heading = "upper bound";
                self.better = Better::Lower;
            }
            Quantity::Length => self.better = Better::Neutral,
            _ => {}
        }
        self
    }

    /// Whether it is measured in the unit of the puzzle's value.
    #[must_use]
    pub fn is_of_value(&self) -> bool {
        self.unit.is_empty()
    }

    /// Whether a run that a limit ended has but a lower bound of it (counters and times).
    #[must_use]
    pub fn is_censorable(&self) -> bool {
        use Quantity as Q;
        matches!(
            self.quantity,
            Q::Expanded | Q::Generated | Q::Evaluated | Q::Reopened | Q::Cpu | Q::Wall
        )
    }

    /// Its value for a run; `None` where the run has none. `optimum` is the proved optimum, where known.
    #[must_use]
    pub fn of(&self, row: &Row, optimum: Option<i64>) -> Option<f64> {
        use Quantity as Q;
        let count = |n: Option<u64>| n.map(|n| n as f64);
        let truth = |b: bool| Some(f64::from(u8::from(b)));
        // A refused solution has no value.
        let value = row.value.filter(|_| row.is_solved());
        let error = || Some(row.initial_h? - optimum? as f64);
        // What a search took to give up, or to crash, is not what an answer takes.
        let ended = row.is_solved() || row.is_proved() || row.is_censored();
        if self.is_censorable() && !ended {
            return None;
        }
        match self.quantity {
            Q::Solved => truth(row.is_solved()),
            Q::Proved => truth(row.is_proved()),
            Q::Answered => truth(row.is_solved() || row.is_proved()),
            Q::Optimal => match (value, optimum) {
                (Some(value), Some(optimum)) => truth(value == optimum),
                (Some(_), None) if row.is_proved() => Some(1.0),
                _ => None,
            },
            Q::Value => value.map(|v| v as f64),
            Q::Length => count(row.length.filter(|_| row.is_solved())),
            Q::Excess => Some(value? as f64 - optimum? as f64),
            Q::Bound => row.lower_bound.or(row.upper_bound).map(|b| b as f64),
            Q::InitialH => row.initial_h,
            Q::Error => error(),
            Q::Overestimate => error().map(|error| error.max(0.0)),
            Q::Underestimate => error().map(|error| (-error).max(0.0)),
            Q::NotOver => truth(error()? <= 0.0),
            Q::WithinOne => truth(error()? <= 1.0),
            Q::Expanded => count(row.expanded),
            Q::Generated => count(row.generated),
            Q::Evaluated => count(row.evaluated),
            Q::Reopened => count(row.reopened),
            Q::Cpu => row.cpu_s,
            Q::SetupCpu => row.setup_cpu_s,
            Q::Wall => row.wall_s,
            Q::Rate => match row.cpu_s {
                Some(s) if s > 0.0 => Some(row.generated? as f64 / s),
                _ => None,
            },
            Q::PeakAccounted => count(row.peak_accounted_bytes),
            Q::PeakResident => count(row.peak_resident_bytes),
            Q::SolvedGenerated => count(row.generated.filter(|_| row.is_solved())),
            Q::SolvedVisited => count(row.expanded.zip(row.evaluated).map(|(a, b)| a + b))
                .filter(|_| row.is_solved()),
            Q::SolvedCpu => row.cpu_s.filter(|_| row.is_solved()),
            Q::PenalisedGenerated if row.is_solved() => count(row.generated),
            Q::PenalisedGenerated => Some(PENALTY.0),
            Q::PenalisedCpu if row.is_solved() => row.cpu_s,
            Q::PenalisedCpu => Some(PENALTY.1),
            Q::PenalisedValue => Some(value.map_or(PENALTY.2, |v| v as f64)),
        }
    }
}
