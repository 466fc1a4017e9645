//! Report for designers on a board, and the number of its solutions.

use crate::{
    Lights,
    algebra::Algebra,
    solvers::{Exact, ExactConfig},
};
use serde::Serialize;
use unriddle_catalog::{
    Request, SolveError,
    instance::Validates,
    validate::{Batch, Block, Findings, Section},
};
use unriddle_core::run;

/// Data of the section.
#[derive(Debug, Serialize)]
struct Solutions {
    rows: usize,
    columns: usize,
    torus: bool,
    /// Number of independent patterns of presses that change nothing.
    nullity: usize,
    /// Exponent of the number of solvable boards of the size, a power of 2.
    rank: usize,
    solvable: bool,
    /// Reason why the board is unsolvable.
    reason: Option<String>,
    /// Exponent of the number of solutions, a power of 2.
    solutions_log2: Option<usize>,
    /// The fewest presses, if they are proved.
    minimum: Option<i64>,
    /// The number of solutions with the fewest presses, if they were counted.
    minimum_solutions: Option<u64>,
}

impl<const W: usize> Validates for Lights<W> {
    fn findings(
        &self,
        _: &Batch<'_>,
        _: &str,
        request: &Request<'_>,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Findings, SolveError> {
        tell("solutions");
        let shape = self.shape();
        let algebra = Algebra::of(shape);
        let reason = algebra.unsolvable(self.start());
        let (mut minimum, mut count) = (None, None);
        if reason.is_none() {
            let config = ExactConfig {
                counts: true,
                // Nothing is counted where the solutions are too many to be enumerated.
                attempts: 0,
                ..ExactConfig::default()
            };
            let mut search = Exact::new(algebra.clone(), self.start(), config)?;
            let outcome = run(&mut search, &request.budget, &mut ())?;
            let best = outcome.best().filter(|_| outcome.is_optimal());
            (minimum, count) = (best.map(|best| best.value), search.count());
        }
        let solutions = Solutions {
            rows: shape.rows(),
            columns: shape.columns(),
            torus: shape.is_torus(),
            nullity: algebra.nullity(),
            rank: algebra.rank(),
            solvable: reason.is_none(),
            solutions_log2: reason.is_none().then_some(algebra.nullity()),
            reason,
            minimum,
            minimum_solutions: count,
        };
        Ok(Findings { sections: vec![solutions.section()], ..Findings::default() })
    }
}

/// Text of a number of boards or solutions, at least two.
fn power(exponent: usize) -> String {
    match exponent {
        ..=20 => (1u32 << exponent).to_string(),
        _ => format!("2^{exponent}"),
    }
}

impl Solutions {
    fn section(&self) -> Section {
        let torus = if self.torus { ", a torus" } else { "" };
        let share = match self.nullity {
            0 => "every board can be solved".to_owned(),
            nullity => format!("one board of {} can be solved", power(nullity)),
        };
        let size = format!(
            "{}×{}{torus}: nullity {}, rank {}; {share}",
            self.rows, self.columns, self.nullity, self.rank
        );
        let all = match self.nullity {
            0 => "one set of presses solves it".to_owned(),
            nullity => format!("{} sets of presses solve it", power(nullity)),
        };
        let found = match (&self.reason, self.minimum, self.minimum_solutions) {
            (Some(reason), ..) => format!("unsolvable: {reason}"),
            (None, Some(minimum), _) if self.nullity == 0 => format!("{all}, of {minimum}"),
            (None, Some(minimum), Some(1)) => {
                format!("{all}; the fewest presses are {minimum}, of one set")
            }
            (None, Some(minimum), Some(count)) => {
                format!("{all}; the fewest presses are {minimum}, of {count} sets")
            }
            (None, Some(minimum), None) => format!("{all}; the fewest presses are {minimum}"),
            (None, None, _) => {
                format!("{all}; the fewest presses were not found within the limits")
            }
        };
        Section::new("solutions", "Solutions", self).with(Block::List(vec![size, found]))
    }
}
