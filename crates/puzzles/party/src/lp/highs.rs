//! HiGHS (Q. Huangfu and J. A. J. Hall 2018, Parallelizing the dual revised simplex method,
//! Mathematical Programming Computation 10) as a solver. Its results are not trusted: bounds and
//! refutations are computed from its multipliers.

use super::{Program, Row, Solver, Status, lengthen};
use ::highs::{Col, HighsModelStatus, Model, RowProblem, Sense, SolvedModel};
use std::ops::RangeInclusive;

/// A program that HiGHS solves.
#[derive(Debug)]
pub struct Highs {
    columns: Vec<Col>,
    /// `None` after an error.
    model: Option<Model>,
    /// Multipliers and values at the end of the last call.
    multipliers: Vec<f64>,
    values: Vec<f64>,
}

impl Highs {
    /// Begins with a program.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let mut problem = RowProblem::new();
        let columns: Vec<Col> = program
            .columns
            .iter()
            .map(|c| problem.add_column(c.cost as f64, c.lower as f64..=c.upper as f64))
            .collect();
        for row in &program.rows {
            problem.add_row(range(row), entries(&columns, row));
        }
        Self {
            model: problem.try_optimise(Sense::Minimise).ok().map(prepared),
            multipliers: vec![0.0; program.rows.len()],
            values: program.columns.iter().map(|c| c.lower as f64).collect(),
            columns,
        }
    }
}

/// Disables presolving, which leaves no ray where it refutes a program, and keeps HiGHS on the
/// calling thread. An option that is refused only costs time.
fn prepared(mut model: Model) -> Model {
    let _ = model.try_set_option("presolve", "off");
    let _ = model.try_set_option("solver", "simplex");
    let _ = model.try_set_option("parallel", "off");
    let _ = model.try_set_option("threads", 1);
    model
}

fn range(row: &Row) -> RangeInclusive<f64> {
    let end = |end: Option<i64>, none: f64| end.map_or(none, |end| end as f64);
    end(row.least, f64::NEG_INFINITY)..=end(row.most, f64::INFINITY)
}

fn entries(columns: &[Col], row: &Row) -> Vec<(Col, f64)> {
    let entry = |&(column, weight): &(u32, i64)| (columns[column as usize], weight as f64);
    row.entries.iter().map(entry).collect()
}

/// Multipliers of the `rows` rows that refute the program, if HiGHS has them.
fn ray(solved: &mut SolvedModel, rows: usize) -> Option<Vec<f64>> {
    let mut found = 0;
    let mut ray = vec![0.0; rows];
    let model = solved.as_mut_ptr();
    // SAFETY: the model is alive and borrowed only for this call, and the ray has capacity for all
    // of its rows.
    let status = unsafe { highs_sys::Highs_getDualRay(model, &mut found, ray.as_mut_ptr()) };
    if status != highs_sys::STATUS_OK || found == 0 {
        return None;
    }
    lengthen(&mut ray);
    Some(ray)
}

impl Solver for Highs {
    fn add_row(&mut self, row: &Row) {
        let added = |mut model: Model| {
            let entries = entries(&self.columns, row);
            model.try_add_row(range(row), entries).ok().map(|_| model)
        };
        self.model = self.model.take().and_then(added);
        self.multipliers.push(0.0);
    }

    fn solve(&mut self, enough: f64) -> Status {
        let Some(mut model) = self.model.take() else {
            return Status::Stalled;
        };
        let _ = model.try_set_option("objective_bound", enough);
        let Ok(mut solved) = model.try_solve() else {
            return Status::Stalled;
        };
        let solution = solved.get_solution();
        self.values = solution.columns().to_vec();
        self.multipliers = solution.dual_rows().to_vec();
        let status = match solved.status() {
            HighsModelStatus::Optimal => Status::Optimal,
            HighsModelStatus::ObjectiveBound => Status::Cut,
            HighsModelStatus::Infeasible => match ray(&mut solved, self.multipliers.len()) {
                Some(ray) => {
                    self.multipliers = ray;
                    Status::Infeasible
                }
                None => Status::Stalled,
            },
            _ => Status::Stalled,
        };
        self.model = Some(solved.into());
        status
    }

    fn multipliers(&self) -> Vec<f64> {
        self.multipliers.clone()
    }

    fn values(&self) -> Vec<f64> {
        self.values.clone()
    }
}
