//! Report for designers on a board, and the number of its solutions.

use crate::{
    Lights, Reach, Shape,
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
    /// The lights of a press; `None` for the usual ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    press: Option<&'static str>,
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
        let solutions = Solutions::of(self.shape(), self.start(), request)?;
        Ok(Findings { sections: vec![solutions.section()], ..Findings::default() })
    }
}

impl Solutions {
    fn of(shape: &Shape, board: &[u64], request: &Request<'_>) -> Result<Self, SolveError> {
        let algebra = Algebra::of(shape);
        let reason = algebra.unsolvable(board);
        let (mut minimum, mut count) = (None, None);
        if reason.is_none() {
            // Nothing is counted where the solutions are too many to be enumerated.
            let config = ExactConfig { counts: true, attempts: 0, ..ExactConfig::default() };
            let mut search = Exact::new(algebra.clone(), board, config)?;
            let outcome = run(&mut search, &request.budget, &mut ())?;
            let best = outcome.best().filter(|_| outcome.is_optimal());
            (minimum, count) = (best.map(|best| best.value), search.count());
        }
        Ok(Self {
            rows: shape.rows,
            columns: shape.columns,
            torus: shape.torus,
            press: match shape.reach {
                Some(Reach::Plus) => None,
                reach => Some(reach.map_or("listed", Reach::name)),
            },
            nullity: algebra.nullity(),
            rank: algebra.rank(),
            solvable: reason.is_none(),
            solutions_log2: reason.is_none().then_some(algebra.nullity()),
            reason,
            minimum,
            minimum_solutions: count,
        })
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
        let share = match self.rows * self.columns - self.rank {
            0 => "every board can be solved".to_owned(),
            missing => format!("one board of {} can be solved", power(missing)),
        };
        let press = self.press.map_or_else(String::new, |press| format!(", presses: {press}"));
        let size = format!(
            "{}×{}{torus}{press}: nullity {}, rank {}; {share}",
            self.rows, self.columns, self.nullity, self.rank
        );
        let all = match self.nullity {
            0 => "one set of presses solves it".to_owned(),
            nullity => format!("{} sets of presses solve it", power(nullity)),
        };
        let found = match (&self.reason, self.minimum, self.minimum_solutions) {
            (Some(reason), ..) => format!("unsolvable: {reason}"),
            (None, None, _) => {
                format!("{all}; the fewest presses were not found within the limits")
            }
            (None, Some(minimum), _) if self.nullity == 0 => format!("{all}, of {minimum}"),
            (None, Some(minimum), count) => {
                let fewest = format!("{all}; the fewest presses are {minimum}");
                match count {
                    None => fewest,
                    Some(1) => format!("{fewest}, of one set"),
                    Some(count) => format!("{fewest}, of {count} sets"),
                }
            }
        };
        Section::new("solutions", "Solutions", self).with(Block::List(vec![size, found]))
    }
}
