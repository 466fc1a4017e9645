//! Linear programs over boxed variables in whole numbers, and what is proved of them in whole numbers.
//!
//! [`Simplex`] finds multipliers of the rows with floating point. [`Program::bound`] makes of any multipliers, good or
//! bad, a lower bound that holds without rounding: for multipliers *y* of the rows, every solution costs at least the
//! sum of *y·b* over the rows and of each column's reduced cost at its better end (weak duality). So no claim rests on
//! the arithmetic of the simplex.

mod simplex;

pub use simplex::{Simplex, Status};

/// Multipliers are in these parts of one.
pub const PARTS: i64 = 1 << 20;

/// A variable between two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// What one of it costs.
    pub cost: i64,
    /// The least of it.
    pub lower: i64,
    /// The most of it.
    pub upper: i64,
}

/// A weighted sum of columns within bounds, one of which there must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Columns with their weights, none of them twice.
    pub entries: Vec<(u32, i64)>,
    /// The least of the sum.
    pub least: Option<i64>,
    /// The most of the sum.
    pub most: Option<i64>,
}

/// A program: the cheapest values of its columns that keep its rows within bounds.
///
/// Costs, bounds and weights are meant to be below 2³², columns and rows below 2²⁰: then no sum overflows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The variables.
    pub columns: Vec<Column>,
    /// The conditions.
    pub rows: Vec<Row>,
}

/// Multipliers of rows, in [`PARTS`] of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Multipliers(pub Vec<i64>);

impl Multipliers {
    /// Rounds multipliers. What is beyond all measure, or no number, becomes 0.
    #[must_use]
    pub fn of(real: &[f64]) -> Self {
        let limit = (1u64 << 62) as f64;
        let round = |&y: &f64| match y * PARTS as f64 {
            scaled if scaled.abs() < limit => scaled.round() as i64,
            _ => 0,
        };
        Self(real.iter().map(round).collect())
    }
}

impl Program {
    /// Reduced costs of the columns under multipliers, in [`PARTS`].
    #[must_use]
    pub fn reduced(&self, multipliers: &Multipliers) -> Vec<i128> {
        self.priced(multipliers, i128::from(PARTS))
    }

    fn priced(&self, multipliers: &Multipliers, parts: i128) -> Vec<i128> {
        let mut reduced: Vec<i128> = self
            .columns
            .iter()
            .map(|column| i128::from(column.cost) * parts)
            .collect();
        for (row, &y) in self.rows.iter().zip(&multipliers.0) {
            let y = i128::from(row.usable(y));
            if y != 0 {
                for &(column, weight) in &row.entries {
                    reduced[column as usize] -= y * i128::from(weight);
                }
            }
        }
        reduced
    }

    /// What the rows and the columns at their better ends come to.
    fn dual(&self, multipliers: &Multipliers, reduced: &[i128]) -> i128 {
        let rows = self.rows.iter().zip(&multipliers.0).map(|(row, &y)| {
            let y = row.usable(y);
            let end = if y > 0 { row.least } else { row.most };
            i128::from(y) * i128::from(end.unwrap_or(0))
        });
        let columns = self.columns.iter().zip(reduced).map(|(column, &reduced)| {
            let end = if reduced > 0 {
                column.lower
            } else {
                column.upper
            };
            reduced * i128::from(end)
        });
        rows.sum::<i128>() + columns.sum::<i128>()
    }

    /// A lower bound of the cost by any multipliers of the rows, in [`PARTS`]. Multipliers whose sign needs a bound that
    /// their row does not have count as 0.
    #[must_use]
    pub fn bound(&self, multipliers: &Multipliers) -> i128 {
        self.dual(multipliers, &self.reduced(multipliers))
    }

    /// Whether multipliers prove that nothing keeps the rows within their bounds (Farkas): costs of nothing would be
    /// above 0.
    #[must_use]
    pub fn refutes(&self, multipliers: &Multipliers) -> bool {
        let reduced = self.priced(multipliers, 0);
        self.dual(multipliers, &reduced) > 0
    }
}

impl Row {
    /// A multiplier, or 0 if it would need a bound that there is not.
    fn usable(&self, y: i64) -> i64 {
        let end = if y > 0 { self.least } else { self.most };
        end.map_or(0, |_| y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_core::Rng;

    /// A random program with whole solutions nearby, and the cheapest whole solution by trying all.
    fn random(rng: &mut Rng) -> (Program, Option<i64>) {
        let draw = |rng: &mut Rng, n: u64| rng.below(n) as i64;
        let columns: Vec<Column> = (0..2 + draw(rng, 5))
            .map(|_| {
                let lower = draw(rng, 3) - 1;
                Column {
                    cost: draw(rng, 41) - 10,
                    lower,
                    upper: lower + draw(rng, 4),
                }
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
                    0 => Row {
                        entries,
                        least: Some(least),
                        most: None,
                    },
                    1 => Row {
                        entries,
                        least: None,
                        most: Some(least),
                    },
                    _ => Row {
                        entries,
                        least: Some(least),
                        most: Some(least + width),
                    },
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
                let cost: i64 = program
                    .columns
                    .iter()
                    .zip(&x)
                    .map(|(c, x)| c.cost * x)
                    .sum();
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

    /// Bounds hold for any multipliers; those of the simplex are those of the program's optimum.
    #[test]
    fn bounds_hold_and_are_tight() {
        let mut rng = Rng::new(1);
        let (mut solved, mut refuted) = (0, 0);
        for _ in 0..3000 {
            let (program, best) = random(&mut rng);
            let wild: Vec<f64> = program
                .rows
                .iter()
                .map(|_| rng.unit() * 20.0 - 10.0)
                .collect();
            let wild = Multipliers::of(&wild);
            if let Some(best) = best {
                assert!(program.bound(&wild) <= i128::from(best * PARTS));
                assert!(!program.refutes(&wild));
            }
            // Rows that come later lead to the same end.
            let mut early = program.clone();
            let late = early
                .rows
                .split_off(rng.below(early.rows.len() as u64 + 1) as usize);
            let mut simplex = Simplex::new(&early);
            let mut status = simplex.solve(f64::INFINITY);
            for row in &late {
                simplex.add_row(row);
                status = simplex.solve(f64::INFINITY);
            }
            let multipliers = Multipliers::of(&simplex.multipliers());
            match status {
                Status::Optimal => {
                    let bound = program.bound(&multipliers) as f64 / PARTS as f64;
                    let primal: f64 = simplex
                        .values()
                        .iter()
                        .zip(&program.columns)
                        .map(|(x, c)| x * c.cost as f64)
                        .sum();
                    assert!(
                        (bound - primal).abs() < 1e-2,
                        "{bound} {primal} {program:?}"
                    );
                    for row in &program.rows {
                        let x = simplex.values();
                        let sum: f64 = row
                            .entries
                            .iter()
                            .map(|&(j, w)| w as f64 * x[j as usize])
                            .sum();
                        assert!(row.least.is_none_or(|least| sum >= least as f64 - 1e-5));
                        assert!(row.most.is_none_or(|most| sum <= most as f64 + 1e-5));
                    }
                    solved += 1;
                }
                Status::Infeasible => {
                    assert_eq!(best, None);
                    assert!(program.refutes(&multipliers), "{program:?}");
                    refuted += 1;
                }
                Status::Cut | Status::Stalled => panic!("{status:?} {program:?}"),
            }
        }
        assert!(solved > 1000 && refuted > 300, "{solved} {refuted}");
    }

    /// A search for less than a bound ends as soon as nothing can be that cheap.
    #[test]
    fn a_cut_off_ends_early_with_a_bound_above_it() {
        let mut rng = Rng::new(2);
        let mut cut = 0;
        for _ in 0..500 {
            let (program, _) = random(&mut rng);
            let mut simplex = Simplex::new(&program);
            if simplex.solve(f64::INFINITY) != Status::Optimal {
                continue;
            }
            let free = Multipliers(vec![0; program.rows.len()]);
            let bound = program.bound(&Multipliers::of(&simplex.multipliers()));
            let enough = (bound + program.bound(&free)) as f64 / PARTS as f64 / 2.0;
            let mut simplex = Simplex::new(&program);
            if simplex.solve(enough) == Status::Cut {
                let bound = program.bound(&Multipliers::of(&simplex.multipliers()));
                assert!(bound as f64 / PARTS as f64 >= enough - 1e-2);
                cut += 1;
            }
        }
        assert!(cut > 20, "{cut}");
    }
}
