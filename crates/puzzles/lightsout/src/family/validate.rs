//! What designers are told of a board, and how its solutions are counted.

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

/// The section's data.
#[derive(Debug, Serialize)]
struct Solutions {
    rows: usize,
    columns: usize,
    torus: bool,
    /// Independent patterns of presses that change nothing.
    nullity: usize,
    /// 2 to this power is how many boards of the size can be solved.
    rank: usize,
    solvable: bool,
    /// Why it cannot be solved.
    reason: Option<String>,
    /// 2 to this power is how many sets of presses solve it.
    solutions_log2: Option<usize>,
    /// The fewest presses, if they are proved.
    minimum: Option<i64>,
    /// How many sets of so many presses solve it, if they were counted.
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
                // Where solutions cannot be gone through, nothing is counted.
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
        Ok(Findings {
            sections: vec![solutions.section()],
            ..Findings::default()
        })
    }
}

/// A number of boards or solutions.
fn power(exponent: usize) -> String {
    match exponent {
        ..=20 => (1u32 << exponent).to_string(),
        _ => format!("2^{exponent}"),
    }
}

impl Solutions {
    fn section(&self) -> Section {
        let torus = if self.torus { ", a torus" } else { "" };
        let mut lines = vec![format!(
            "{}×{}{torus}: nullity {}, rank {}; one board of {} can be solved",
            self.rows,
            self.columns,
            self.nullity,
            self.rank,
            power(self.nullity),
        )];
        match (&self.reason, self.minimum, self.minimum_solutions) {
            (Some(reason), ..) => lines.push(format!("unsolvable: {reason}")),
            (None, Some(minimum), Some(count)) => lines.push(format!(
                "{} sets of presses solve it; the fewest are {minimum} presses, in {count} of them",
                power(self.nullity)
            )),
            (None, Some(minimum), None) => lines.push(format!(
                "{} sets of presses solve it; the fewest are {minimum} presses",
                power(self.nullity)
            )),
            (None, None, _) => lines.push(format!(
                "{} sets of presses solve it; which have the fewest presses was not found within the limits",
                power(self.nullity)
            )),
        }
        Section::new("solutions", "Solutions", self).with(Block::List(lines))
    }
}
