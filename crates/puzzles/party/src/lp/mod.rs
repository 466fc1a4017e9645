//! Linear programs over boxed variables in whole numbers, and bounds of them that are proved in
//! whole numbers.
//!
//! A [`Solver`] finds multipliers of the rows with floating point: [`Simplex`], or HiGHS with the
//! feature `highs`. [`Program::bound`] turns any multipliers, good or bad, into a lower bound that
//! holds without rounding: for multipliers *y* of the rows, every solution costs at least the sum
//! of *y·b* over the rows and of each column's reduced cost at its better end (weak duality). So no
//! claim rests on the arithmetic of a solver.

#[cfg(feature = "highs")]
mod highs;
mod simplex;

#[cfg(feature = "highs")]
pub use highs::Highs;
pub use simplex::Simplex;
use unriddle_core::{SearchError, words};

/// Multipliers are in units of 1 / `PARTS`.
pub const PARTS: i64 = 1 << 20;

/// A variable between two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The cost of one unit.
    pub cost: i64,
    /// Lower bound.
    pub lower: i64,
    /// Upper bound.
    pub upper: i64,
}

/// A weighted sum of columns within bounds, of which there must be at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Columns with their weights, none of them twice.
    pub entries: Vec<(u32, i64)>,
    /// Lower bound of the sum.
    pub least: Option<i64>,
    /// Upper bound of the sum.
    pub most: Option<i64>,
}

/// A program: minimise the cost of the columns while the rows are within their bounds.
///
/// Costs, bounds and weights should be below 2³², and columns and rows below 2²⁰: then no sum
/// overflows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The variables.
    pub columns: Vec<Column>,
    /// The conditions.
    pub rows: Vec<Row>,
}

/// Result of [`Solver::solve`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The values are optimal.
    Optimal,
    /// No values keep the rows within bounds; the multipliers refute the program.
    Infeasible,
    /// No solution costs less than the cut-off.
    Cut,
    /// Too many pivots, or numerical trouble. The multipliers may be poor.
    Stalled,
}

/// A program that is being solved.
pub trait Solver {
    /// Adds a row; the next call of [`Solver::solve`] starts where the last one ended.
    fn add_row(&mut self, row: &Row);

    /// Continues to the optimum, or until no solution can cost less than `enough`.
    fn solve(&mut self, enough: f64) -> Status;

    /// Multipliers of the rows, for [`Program::bound`]; after [`Status::Infeasible`], the
    /// multipliers that refute the program.
    fn multipliers(&self) -> Vec<f64>;

    /// Values of the columns.
    fn values(&self) -> Vec<f64>;
}

words! {
    /// A solver of linear programs.
    pub enum Engine {
        /// [`Simplex`].
        Own = "own",
        /// HiGHS, where the feature `highs` is built in.
        Highs = "highs",
    }
}

impl Engine {
    /// The engines that are built in.
    pub const BUILT: &[Self] = &[
        Self::Own,
        #[cfg(feature = "highs")]
        Self::Highs,
    ];

    /// Refuses an engine that is not built in.
    ///
    /// # Errors
    /// [`SearchError::BadOption`].
    pub fn check(self) -> Result<(), SearchError> {
        if Self::BUILT.contains(&self) {
            return Ok(());
        }
        let lp = self.name();
        Err(SearchError::BadOption(format!(
            "lp={lp} is not built in: build with the feature `{lp}` (cargo build --release --features {lp})"
        )))
    }

    /// Starts with a program; [`Simplex`] replaces an engine that is not built in.
    #[must_use]
    pub fn begin(self, program: &Program) -> Box<dyn Solver> {
        match self {
            #[cfg(feature = "highs")]
            Self::Highs => Box::new(Highs::new(program)),
            _ => Box::new(Simplex::new(program)),
        }
    }
}

/// Scales multipliers that refute to a length that rounds well: their length has no meaning.
fn lengthen(ray: &mut [f64]) {
    let longest = ray.iter().fold(f64::MIN_POSITIVE, |a: f64, y| a.max(y.abs()));
    ray.iter_mut().for_each(|y| *y *= 1024.0 / longest);
}

/// Rounds multipliers of rows to [`PARTS`] of one. Infinite, `NaN` and huge multipliers become 0.
#[must_use]
pub fn rounded(multipliers: &[f64]) -> Vec<i64> {
    let limit = (1u64 << 62) as f64;
    let round = |&y: &f64| match y * PARTS as f64 {
        scaled if scaled.abs() < limit => scaled.round() as i64,
        _ => 0,
    };
    multipliers.iter().map(round).collect()
}

impl Program {
    /// Reduced costs of the columns under [rounded] multipliers, in [`PARTS`].
    #[must_use]
    pub fn reduced(&self, multipliers: &[i64]) -> Vec<i128> {
        self.priced(multipliers, i128::from(PARTS))
    }

    fn priced(&self, multipliers: &[i64], parts: i128) -> Vec<i128> {
        let mut reduced: Vec<i128> =
            self.columns.iter().map(|column| i128::from(column.cost) * parts).collect();
        for (row, &y) in self.rows.iter().zip(multipliers) {
            let y = i128::from(row.usable(y));
            if y != 0 {
                for &(column, weight) in &row.entries {
                    reduced[column as usize] -= y * i128::from(weight);
                }
            }
        }
        reduced
    }

    /// The dual objective: the rows at their bounds plus the columns at their better ends.
    fn dual(&self, multipliers: &[i64], reduced: &[i128]) -> i128 {
        let rows = self.rows.iter().zip(multipliers).map(|(row, &y)| {
            let y = row.usable(y);
            let end = if y > 0 { row.least } else { row.most };
            i128::from(y) * i128::from(end.unwrap_or(0))
        });
        let columns = self.columns.iter().zip(reduced).map(|(column, &reduced)| {
            let end = if reduced > 0 { column.lower } else { column.upper };
            reduced * i128::from(end)
        });
        rows.sum::<i128>() + columns.sum::<i128>()
    }

    /// A lower bound of the cost by any multipliers of the rows, in [`PARTS`]. A multiplier counts
    /// as 0 if its sign needs a bound that its row does not have.
    #[must_use]
    pub fn bound(&self, multipliers: &[i64]) -> i128 {
        self.dual(multipliers, &self.reduced(multipliers))
    }

    /// Whether multipliers prove that no values keep the rows within their bounds (Farkas): the
    /// dual objective for costs of 0 is above 0.
    #[must_use]
    pub fn refutes(&self, multipliers: &[i64]) -> bool {
        self.dual(multipliers, &self.priced(multipliers, 0)) > 0
    }
}

impl Row {
    /// A multiplier, or 0 if its row does not have the bound that it needs.
    fn usable(&self, y: i64) -> i64 {
        let end = if y > 0 { self.least } else { self.most };
        end.map_or(0, |_| y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_core::Rng;

    /// A random program with whole solutions nearby, and the cost of its cheapest whole solution by
    /// trying all.
    fn random(rng: &mut Rng) -> (Program, Option<i64>) {
        let draw = |rng: &mut Rng, n: u64| rng.below(n) as i64;
        let columns: Vec<Column> = (0..2 + draw(rng, 5))
            .map(|_| {
                let lower = draw(rng, 3) - 1;
                Column { cost: draw(rng, 41) - 10, lower, upper: lower + draw(rng, 4) }
            })
            .collect();
        let rows = (0..1 + draw(rng, 4))
            .map(|_| {
                let entries = (0..columns.len() as u32)
                    .map(|column| (column, draw(rng, 9) - 3))
                    .filter(|&(_, weight)| weight != 0);
                let entries = entries.collect();
                let least = draw(rng, 20) - 6;
                let width = draw(rng, 6);
                match draw(rng, 3) {
                    0 => Row { entries, least: Some(least), most: None },
                    1 => Row { entries, least: None, most: Some(least) },
                    _ => Row { entries, least: Some(least), most: Some(least + width) },
                }
            })
            .collect();
        let program = Program { columns, rows };
        let mut x: Vec<i64> = program.columns.iter().map(|c| c.lower).collect();
        let mut best = None;
        'all: loop {
            let within = program.rows.iter().all(|row| {
                let sum: i64 = row.entries.iter().map(|&(j, w)| w * x[j as usize]).sum();
                row.least.is_none_or(|least| sum >= least)
                    && row.most.is_none_or(|most| sum <= most)
            });
            if within {
                let cost: i64 = program.columns.iter().zip(&x).map(|(c, x)| c.cost * x).sum();
                best = Some(best.map_or(cost, |best: i64| best.min(cost)));
            }
            for (x, column) in x.iter_mut().zip(&program.columns) {
                if *x < column.upper {
                    *x += 1;
                    continue 'all;
                }
                *x = column.lower;
            }
            return (program, best);
        }
    }

    /// The optima of random programs; `None` for refuted ones.
    fn optima(engine: Engine) -> Vec<Option<f64>> {
        let mut rng = Rng::new(1);
        let mut optima = Vec::new();
        for _ in 0..3000 {
            let (program, best) = random(&mut rng);
            let wild: Vec<f64> = program.rows.iter().map(|_| rng.unit() * 20.0 - 10.0).collect();
            let wild = rounded(&wild);
            if let Some(best) = best {
                assert!(program.bound(&wild) <= i128::from(best * PARTS));
                assert!(!program.refutes(&wild));
            }
            // Rows that are added later lead to the same result.
            let mut early = program.clone();
            let late = early.rows.split_off(rng.below(early.rows.len() as u64 + 1) as usize);
            let mut solver = engine.begin(&early);
            let mut status = solver.solve(f64::INFINITY);
            for row in &late {
                solver.add_row(row);
                status = solver.solve(f64::INFINITY);
            }
            let multipliers = rounded(&solver.multipliers());
            optima.push(match status {
                Status::Optimal => {
                    let bound = program.bound(&multipliers) as f64 / PARTS as f64;
                    let x = solver.values();
                    let costs = x.iter().zip(&program.columns);
                    let primal: f64 = costs.map(|(x, c)| x * c.cost as f64).sum();
                    assert!((bound - primal).abs() < 1e-2, "{bound} {primal} {program:?}");
                    for row in &program.rows {
                        let entries = row.entries.iter();
                        let sum: f64 = entries.map(|&(j, w)| w as f64 * x[j as usize]).sum();
                        assert!(row.least.is_none_or(|least| sum >= least as f64 - 1e-5));
                        assert!(row.most.is_none_or(|most| sum <= most as f64 + 1e-5));
                    }
                    Some(bound)
                }
                Status::Infeasible => {
                    assert_eq!(best, None);
                    assert!(program.refutes(&multipliers), "{program:?}");
                    None
                }
                // HiGHS has no ray where no row has an entry.
                Status::Stalled
                    if engine != Engine::Own
                        && program.rows.iter().all(|row| row.entries.is_empty()) =>
                {
                    assert_eq!(best, None);
                    None
                }
                Status::Cut | Status::Stalled => panic!("{status:?} {program:?}"),
            });
        }
        optima
    }

    /// Bounds hold for any multipliers. The multipliers of every solver give the optimum of the
    /// program.
    #[test]
    fn bounds_hold_and_are_tight() {
        let own = optima(Engine::Own);
        let solved = own.iter().flatten().count();
        let refuted = own.len() - solved;
        assert!(solved > 1000 && refuted > 300, "{solved} {refuted}");
        for &engine in Engine::BUILT {
            for (own, other) in own.iter().zip(optima(engine)) {
                let agree = match (own, other) {
                    (Some(own), Some(other)) => (own - other).abs() < 1e-2,
                    (own, other) => own.is_none() && other.is_none(),
                };
                assert!(agree, "{engine:?}: {own:?} {other:?}");
            }
        }
    }

    /// A program of many columns that must cover some rows, so that it takes many pivots.
    fn covering(rng: &mut Rng) -> Program {
        let draw = |rng: &mut Rng, from: u64, to: u64| (from + rng.below(to - from + 1)) as i64;
        let columns = (0..200).map(|_| Column { cost: draw(rng, 1, 100), lower: 0, upper: 1 });
        let columns = columns.collect();
        let rows = (0..20).map(|_| {
            let entries = (0..200).map(|column| (column, draw(rng, 0, 20) - 11));
            let entries = entries.filter(|&(_, weight)| weight > 0).collect();
            Row { entries, least: Some(25), most: None }
        });
        let rows = rows.collect();
        Program { columns, rows }
    }

    /// A search below a cut-off ends as soon as it is proved that no solution is that cheap.
    #[test]
    fn a_cut_off_ends_early_with_a_bound_above_it() {
        for &engine in Engine::BUILT {
            let mut rng = Rng::new(2);
            let mut cut = 0;
            for _ in 0..50 {
                let program = covering(&mut rng);
                let mut solver = engine.begin(&program);
                assert_eq!(solver.solve(f64::INFINITY), Status::Optimal);
                let bound = program.bound(&rounded(&solver.multipliers()));
                let enough = bound as f64 / PARTS as f64 / 2.0;
                let mut solver = engine.begin(&program);
                if solver.solve(enough) == Status::Cut {
                    let early = program.bound(&rounded(&solver.multipliers()));
                    assert!(early as f64 / PARTS as f64 >= enough - 1e-2);
                    assert!(early <= bound);
                    cut += 1;
                }
            }
            assert!(cut > 20, "{engine:?}: {cut}");
        }
    }
}
