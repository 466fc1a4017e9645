//! Two sets of runs side by side: two solvers, two revisions, or two files of results.

use super::{
    html,
    markdown::{Table, code, escape},
    numbers::{self, count_of, plain},
    tests_of_pairs::{median, rank_test, sign_test},
    values::Measure,
};
use crate::{
    LabError,
    row::{Row, Status},
};
use std::{collections::BTreeMap, fmt::Write as _};

/// A set of runs with its name.
#[derive(Clone, Debug)]
pub struct Side {
    /// Its name for people.
    pub name: String,
    /// Its runs.
    pub rows: Vec<Row>,
}

/// Whether the runs of both sides may have different solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partners {
    /// Runs of the same solver, instance and seed are pairs.
    SameSolver,
    /// Runs of the same instance and seed are pairs.
    AnySolver,
}

/// Two sets of runs, paired.
pub struct TwoSides<'a> {
    names: [String; 2],
    pairs: Vec<[Row; 2]>,
    /// Runs without a partner, of either side.
    single: [usize; 2],
    /// Whether a larger value is better, by the puzzle's spec.
    is_score: &'a dyn Fn(&str) -> bool,
}

/// A figure that is compared.
struct Figure {
    name: &'static str,
    measure: Measure,
    /// Whether only runs with an answer count: the effort of an unfinished run is a lower bound.
    of_answers: bool,
    of: fn(&Row) -> Option<f64>,
}

const FIGURES: [Figure; 3] = [
    Figure {
        name: "value",
        measure: Measure::Plain,
        of_answers: false,
        of: |row| row.is_solved().then_some(row.value? as f64),
    },
    Figure {
        name: "expanded states",
        measure: Measure::Plain,
        of_answers: true,
        of: |row| row.expanded.map(|n| n as f64),
    },
    Figure { name: "CPU time", measure: Measure::Seconds, of_answers: true, of: |row| row.cpu_s },
];

/// The comparison of a figure.
struct Compared {
    /// Pairs in which both sides have the figure.
    pairs: usize,
    /// Pairs in which A is better, both are equal, and B is better.
    better: [usize; 3],
    ratios: Vec<f64>,
    differences: Vec<f64>,
    sums: [f64; 2],
}

impl<'a> TwoSides<'a> {
    /// Pairs the runs of two sides. `is_score` is whether larger values are better, for a
    /// puzzle's spec.
    ///
    /// # Errors
    /// Two runs of a side with the same partner, or no pair at all.
    pub fn new(
        a: Side,
        b: Side,
        partners: Partners,
        is_score: &'a dyn Fn(&str) -> bool,
    ) -> Result<Self, LabError> {
        let names = [a.name.clone(), b.name.clone()];
        let (a, mut b) = (keyed(a, partners)?, keyed(b, partners)?);
        let mut single = [a.len(), b.len()];
        let mut pairs = Vec::new();
        for (key, ours) in a {
            if let Some(theirs) = b.remove(&key) {
                pairs.push([ours, theirs]);
            }
        }
        single.iter_mut().for_each(|n| *n -= pairs.len());
        if pairs.is_empty() {
            return Err(LabError::Data(format!(
                "{} and {} have no run of the same suite, instance{} and seed",
                names[0],
                names[1],
                if partners == Partners::SameSolver { ", solver" } else { "" }
            )));
        }
        Ok(Self { names, pairs, single, is_score })
    }

    /// Pairs whose outcomes differ: in the status, or in the value of the solution.
    fn changed(&self) -> impl Iterator<Item = &[Row; 2]> {
        self.pairs.iter().filter(|[a, b]| a.status != b.status || a.value != b.value)
    }

    fn compare(&self, figure: &Figure) -> Compared {
        let mut found = Compared {
            pairs: 0,
            better: [0; 3],
            ratios: Vec::new(),
            differences: Vec::new(),
            sums: [0.0; 2],
        };
        for [a, b] in &self.pairs {
            let counts = |row: &Row| !figure.of_answers || is_answer(row);
            if !counts(a) || !counts(b) {
                continue;
            }
            let (Some(x), Some(y)) = ((figure.of)(a), (figure.of)(b)) else { continue };
            let is_score = !figure.of_answers && (self.is_score)(&a.puzzle);
            let order = if is_score { y.total_cmp(&x) } else { x.total_cmp(&y) };
            found.pairs += 1;
            found.better[(order as i8 + 1) as usize] += 1;
            found.sums[0] += x;
            found.sums[1] += y;
            found.differences.push(y - x);
            if x > 0.0 && y > 0.0 {
                found.ratios.push(y / x);
            }
        }
        found
    }

    /// The comparison in Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let [a, b] = &self.names;
        let mut text = format!("# {} and {}\n\n", escape(a), escape(b));
        let _ = writeln!(
            text,
            "A is {}, and B is {}: {}. {} of A and {} of B have no partner.\n",
            escape(a),
            escape(b),
            count_of(self.pairs.len(), "pairs of runs"),
            count_of(self.single[0], "runs"),
            count_of(self.single[1], "runs")
        );
        text += &self.outcomes();
        text += &self.figures();
        text += &self.changes();
        text
    }

    /// Numbers of answers.
    fn outcomes(&self) -> String {
        let head = ["answer", "both", "only A", "only B", "neither", "sign test"];
        let mut table = Table::new(head.map(str::to_owned).to_vec(), &[0]);
        let solved = ("solved", Row::is_solved as Property);
        for (name, has) in [solved, ("proved", Row::is_proved)] {
            let mut counts = [0; 4];
            for [a, b] in &self.pairs {
                let place = match (has(a), has(b)) {
                    (true, true) => 0,
                    (true, false) => 1,
                    (false, true) => 2,
                    (false, false) => 3,
                };
                counts[place] += 1;
            }
            let mut row = vec![name.to_owned()];
            row.extend(counts.map(numbers::count));
            row.push(probability(sign_test(counts[1], counts[2])));
            table.push(row);
        }
        format!("## Answers\n\n{}", table.show())
    }

    /// Wins, ratios and tests of each figure.
    fn figures(&self) -> String {
        let head = [
            "figure",
            "pairs",
            "A better",
            "equal",
            "B better",
            "total A",
            "total B",
            "median B/A",
            "95 %",
            "sign test",
            "rank test",
        ];
        let mut table = Table::new(head.map(str::to_owned).to_vec(), &[0]);
        for figure in &FIGURES {
            let found = self.compare(figure);
            if found.pairs == 0 {
                continue;
            }
            let (centre, interval) = median(found.ratios).unzip();
            let interval = interval.flatten();
            let dash = || "—".to_owned();
            let [wins, _, losses] = found.better;
            let mut row = vec![figure.name.to_owned(), numbers::count(found.pairs)];
            row.extend(found.better.map(numbers::count));
            row.extend(found.sums.map(|sum| numbers::show(sum, figure.measure)));
            row.push(centre.map_or_else(dash, plain));
            row.push(
                interval.map_or_else(dash, |(low, high)| format!("{}–{}", plain(low), plain(high))),
            );
            row.push(probability(sign_test(wins, losses)));
            row.push(rank_test(&found.differences).map_or_else(dash, probability));
            table.push(row);
        }
        format!(
            "## Figures\n\nA value counts where both sides are solved, and an effort where both sides have an \
             answer. A test gives the probability of a difference as large by chance.\n\n{}",
            table.show()
        )
    }

    /// The runs with another outcome.
    fn changes(&self) -> String {
        let head = ["suite", "instance", "solver", "seed", "A", "B"];
        let mut table = Table::new(head.map(str::to_owned).to_vec(), &[0, 1, 2, 4, 5]);
        for [a, b] in self.changed() {
            let solver = match a.solver == b.solver {
                true => code(&a.solver),
                false => format!("{}, {}", code(&a.solver), code(&b.solver)),
            };
            let mut row = vec![escape(&a.suite), escape(&a.id), solver, a.seed.to_string()];
            row.extend([a, b].map(outcome));
            table.push(row);
        }
        match table.show() {
            table if table.is_empty() => "## Changed outcomes\n\nNone.\n".to_owned(),
            table => format!("## Changed outcomes\n\n{table}"),
        }
    }

    /// The comparison as a page.
    #[must_use]
    pub fn html(&self) -> String {
        let title = format!("{} and {}", self.names[0], self.names[1]);
        html::page(&title, &self.markdown(), "", &[])
    }

    /// The pairs as CSV, one per line.
    ///
    /// # Errors
    /// The text cannot be made.
    pub fn csv(&self) -> Result<String, LabError> {
        let wrong = |error: &dyn std::fmt::Display| LabError::Internal(format!("CSV: {error}"));
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut head = ["suite", "id", "puzzle", "seed"].map(str::to_owned).to_vec();
        for side in ["a", "b"] {
            let columns = ["solver", "status", "value", "expanded", "cpu_s"];
            head.extend(columns.map(|column| format!("{column}_{side}")));
        }
        writer.write_record(&head).map_err(|error| wrong(&error))?;
        for [a, b] in &self.pairs {
            let mut cells =
                vec![a.suite.clone(), a.id.clone(), a.puzzle.clone(), a.seed.to_string()];
            for row in [a, b] {
                let or_empty = |value: Option<String>| value.unwrap_or_default();
                cells.push(row.solver.clone());
                cells.push(row.status.name().to_owned());
                cells.push(or_empty(row.value.map(|value| value.to_string())));
                cells.push(or_empty(row.expanded.map(|expanded| expanded.to_string())));
                cells.push(or_empty(row.cpu_s.map(|cpu| cpu.to_string())));
            }
            writer.write_record(&cells).map_err(|error| wrong(&error))?;
        }
        let bytes = writer.into_inner().map_err(|error| wrong(&error))?;
        String::from_utf8(bytes).map_err(|error| wrong(&error))
    }
}

/// Whether a run has a kind of answer.
type Property = fn(&Row) -> bool;

/// Suite, instance, seed and solver of a run; the solver is empty where partners may differ in it.
type PairKey = (String, String, u64, String);

/// The runs of a side by their keys.
fn keyed(side: Side, partners: Partners) -> Result<BTreeMap<PairKey, Row>, LabError> {
    let mut found = BTreeMap::new();
    for row in side.rows {
        let solver = match partners {
            Partners::SameSolver => row.solver.clone(),
            Partners::AnySolver => String::new(),
        };
        let key = (row.suite.clone(), row.id.clone(), row.seed, solver);
        if let Some(twin) = found.insert(key, row) {
            return Err(LabError::Usage(format!(
                "{} has several runs of instance {} of the suite {} with seed {}: name the \
                 experiment, the solver or the revision",
                side.name, twin.id, twin.suite, twin.seed
            )));
        }
    }
    Ok(found)
}

/// Whether a run has an answer: its effort is the effort of the answer.
fn is_answer(row: &Row) -> bool {
    row.is_proved() || (row.is_solved() && !row.is_censored())
}

/// Status and value of a run.
fn outcome(row: &Row) -> String {
    let status = match (row.status, row.failure) {
        (Status::Failed, Some(failure)) => failure.name(),
        (status, _) => status.name(),
    };
    match row.value {
        Some(value) => format!("{status}, {value}"),
        None => status.to_owned(),
    }
}

/// A probability for people.
fn probability(p: f64) -> String {
    match p {
        p if p < 0.001 => "< 0.001".to_owned(),
        p => numbers::fixed(p, 3),
    }
}
