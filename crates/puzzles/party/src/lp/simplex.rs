//! The dual simplex method for boxed columns, with flips of bounds along the way (the long-step
//! rule: J. L. Nazareth 1987; I. Maros 2003, A generalized dual phase-2 simplex algorithm, EJOR
//! 149).
//!
//! Every column has both bounds. So the basis of the rows' own variables is dual feasible once each
//! column is at the end that its cost prefers, and there is no first phase. The inverse of the
//! basis is kept dense, which suits programs of up to a few hundred rows and many columns. Costs
//! are perturbed slightly, by amounts that depend only on the column's number, so that ties do not
//! stall. Bounds are computed from the multipliers with the true costs ([`Program::bound`]), so
//! that the perturbation does not invalidate them.

use super::{Program, Row, Solver, Status, lengthen};
use std::{cmp::Ordering, collections::BinaryHeap};

/// Rows may be out of bounds by this much, after scaling.
const FEASIBLE: f64 = 1e-7;

/// Smallest pivot that is accepted.
const PIVOT: f64 = 1e-7;

/// Pivots after which the inverse is computed anew.
const REFRESH: usize = 100;

/// The position of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Lower,
    Upper,
    /// In the basis, at this index.
    Basic(u32),
}

/// A program being solved. Variables are its columns and, after them, a variable for each row that
/// equals its sum.
#[derive(Clone, Debug)]
pub struct Simplex {
    /// Number of columns.
    n: usize,
    /// Entries by column and by row, scaled; the row's own variable has the entry −1.
    columns: Vec<Vec<(u32, f64)>>,
    rows: Vec<Vec<(u32, f64)>>,
    /// The factor by which each row was multiplied.
    scales: Vec<f64>,
    /// True costs and perturbed costs, for columns only.
    costs: Vec<f64>,
    perturbed: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    at: Vec<At>,
    /// Reduced costs under the perturbed costs; 0 in the basis.
    reduced: Vec<f64>,
    /// For each index of the basis, its variable.
    basis: Vec<u32>,
    values: Vec<f64>,
    /// The inverse of the basis, row by row.
    inverse: Vec<Vec<f64>>,
    pivots: usize,
    /// The multipliers that refute the program, if there are any.
    ray: Option<Vec<f64>>,
}

/// A variable that may enter the basis.
struct Candidate {
    ratio: f64,
    pivot: f64,
    variable: u32,
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Candidate {}
impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Candidate {
    /// The greatest candidate has the smallest ratio, and among equal ratios the largest pivot.
    fn cmp(&self, other: &Self) -> Ordering {
        let ratio = other.ratio.total_cmp(&self.ratio);
        ratio.then(self.pivot.total_cmp(&other.pivot)).then(other.variable.cmp(&self.variable))
    }
}

impl Simplex {
    /// Starts at the basis of the rows.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let n = program.columns.len();
        let costs: Vec<f64> = program.columns.iter().map(|c| c.cost as f64).collect();
        let perturb = |(j, cost): (usize, &f64)| {
            // A pseudo-random fraction: multiples of the golden ratio.
            let fraction = (j as f64 * 0.618_033_988_749_895).fract();
            cost + (1.0 + cost.abs()) * 1e-7 * (0.5 + fraction)
        };
        let perturbed: Vec<f64> = costs.iter().enumerate().map(perturb).collect();
        let at = perturbed.iter().map(|&c| if c < 0.0 { At::Upper } else { At::Lower }).collect();
        let mut simplex = Self {
            n,
            columns: vec![Vec::new(); n],
            rows: Vec::new(),
            scales: Vec::new(),
            reduced: perturbed.clone(),
            costs,
            perturbed,
            lower: program.columns.iter().map(|c| c.lower as f64).collect(),
            upper: program.columns.iter().map(|c| c.upper as f64).collect(),
            at,
            basis: Vec::new(),
            values: Vec::new(),
            inverse: Vec::new(),
            pivots: 0,
            ray: None,
        };
        program.rows.iter().for_each(|row| simplex.add_row(row));
        simplex
    }

    /// The value of a variable.
    fn value(&self, variable: usize) -> f64 {
        match self.at[variable] {
            At::Lower => self.lower[variable],
            At::Upper => self.upper[variable],
            At::Basic(place) => self.values[place as usize],
        }
    }

    /// Duals of the scaled rows under costs of the columns.
    fn duals(&self, costs: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.rows.len()];
        for (place, &variable) in self.basis.iter().enumerate() {
            let cost = costs.get(variable as usize).copied().unwrap_or(0.0);
            if cost != 0.0 {
                for (y, of) in y.iter_mut().zip(&self.inverse[place]) {
                    *y += cost * of;
                }
            }
        }
        y
    }

    /// The cost of the values, a lower bound as long as the reduced costs have the right signs.
    fn objective(&self) -> f64 {
        (0..self.n).map(|j| self.perturbed[j] * self.value(j)).sum()
    }

    /// The index of the basic variable that is furthest out of bounds, measured by the dual
    /// steepest edge (J. J. Forrest and D. Goldfarb 1992; with a dense inverse its norms cost
    /// little), and whether the variable is above its upper bound.
    fn leaving(&self) -> Option<(usize, bool)> {
        let mut found = None;
        let mut most = 0.0;
        for (place, &variable) in self.basis.iter().enumerate() {
            let value = self.values[place];
            let below = self.lower[variable as usize] - value;
            let above = value - self.upper[variable as usize];
            let out = below.max(above);
            if out > FEASIBLE {
                let norm: f64 = self.inverse[place].iter().map(|x| x * x).sum();
                let weight = out * out / norm;
                if weight > most {
                    most = weight;
                    found = Some((place, above > below));
                }
            }
        }
        found
    }

    /// Removes the variable at index `place` from the basis. `Err(true)`: no variable can replace
    /// it, so that the program is refuted; `Err(false)`: numerical trouble.
    fn pivot(&mut self, place: usize, above: bool) -> Result<(), bool> {
        let m = self.rows.len();
        let leaving = self.basis[place] as usize;
        let rho = self.inverse[place].clone();
        let mut alpha = vec![0.0; self.n + m];
        for (r, row) in self.rows.iter().enumerate() {
            let rho = rho[r];
            if rho.abs() > 1e-12 {
                for &(column, weight) in row {
                    alpha[column as usize] += rho * weight;
                }
                alpha[self.n + r] = -rho;
            }
        }
        let sign = if above { 1.0 } else { -1.0 };
        let mut candidates = Vec::new();
        for (j, &alpha) in alpha.iter().enumerate() {
            let pivot = sign * alpha;
            let fits = match self.at[j] {
                At::Lower => pivot > PIVOT,
                At::Upper => pivot < -PIVOT,
                At::Basic(_) => false,
            };
            if fits && self.upper[j] > self.lower[j] {
                candidates.push(Candidate {
                    ratio: (self.reduced[j] / pivot).max(0.0),
                    pivot: pivot.abs(),
                    variable: j as u32,
                });
            }
        }
        let bound = if above { self.upper[leaving] } else { self.lower[leaving] };
        let mut out = sign * (self.values[place] - bound);
        // Along the dual ray, the reduced cost of every candidate reaches 0 at some point. Beyond
        // it, the candidate is at its other end, and the row is less far out of bounds.
        let mut heap = BinaryHeap::from(candidates);
        let mut flips: Vec<u32> = Vec::new();
        let mut entering = None;
        while let Some(candidate) = heap.pop() {
            let j = candidate.variable as usize;
            let width = self.upper[j] - self.lower[j];
            out -= candidate.pivot * width;
            if out <= FEASIBLE {
                entering = Some(j);
                break;
            }
            flips.push(candidate.variable);
        }
        let Some(entering) = entering else {
            self.ray = Some(rho.iter().map(|&x| sign * x).collect());
            return Err(true);
        };
        let column = self.solved(entering);
        if (column[place] - alpha[entering]).abs() > 1e-6 * (1.0 + alpha[entering].abs()) {
            return Err(false);
        }
        if !flips.is_empty() {
            let mut moved = vec![0.0; m];
            for &j in &flips {
                let j = j as usize;
                let width = self.upper[j] - self.lower[j];
                let (at, by) = match self.at[j] {
                    At::Lower => (At::Upper, width),
                    _ => (At::Lower, -width),
                };
                self.at[j] = at;
                self.for_entries(j, |r, weight| moved[r] += weight * by);
            }
            for (value, of) in self.values.iter_mut().zip(&self.inverse) {
                *value -= of.iter().zip(&moved).map(|(a, b)| a * b).sum::<f64>();
            }
        }
        // The dual step.
        let step = self.reduced[entering] / alpha[entering];
        for (reduced, alpha) in self.reduced.iter_mut().zip(&alpha) {
            *reduced -= step * alpha;
        }
        self.reduced[entering] = 0.0;
        self.reduced[leaving] = -step;
        // The primal step.
        let step = (self.values[place] - bound) / column[place];
        let value = self.value(entering) + step;
        for (value, column) in self.values.iter_mut().zip(&column) {
            *value -= step * column;
        }
        self.values[place] = value;
        self.basis[place] = entering as u32;
        self.at[leaving] = if above { At::Upper } else { At::Lower };
        self.at[entering] = At::Basic(place as u32);
        eliminate(&mut self.inverse, &column, place);
        self.pivots += 1;
        Ok(())
    }

    fn for_entries(&self, variable: usize, mut tell: impl FnMut(usize, f64)) {
        if variable >= self.n {
            tell(variable - self.n, -1.0);
        } else {
            for &(r, weight) in &self.columns[variable] {
                tell(r as usize, weight);
            }
        }
    }

    /// The inverse times a variable's column.
    fn solved(&self, variable: usize) -> Vec<f64> {
        let dot = |of: &Vec<f64>| {
            let mut sum = 0.0;
            self.for_entries(variable, |r, weight| sum += weight * of[r]);
            sum
        };
        self.inverse.iter().map(dot).collect()
    }

    /// Computes inverse, values and reduced costs anew from the basis. Returns `false` if the basis
    /// is singular.
    fn refresh(&mut self) -> bool {
        let m = self.rows.len();
        // The inverse for the rows' own variables is −1 times the identity. The other variables
        // enter one by one, each at the index of a row's variable that no other variable has
        // replaced.
        self.inverse = vec![vec![0.0; m]; m];
        for r in 0..m {
            self.inverse[r][r] = -1.0;
        }
        let basis = std::mem::take(&mut self.basis);
        let mut taken = vec![false; m];
        let mut order = vec![u32::MAX; m];
        let mut pending = Vec::new();
        for variable in basis {
            match (variable as usize).checked_sub(self.n) {
                Some(r) => {
                    taken[r] = true;
                    order[r] = variable;
                }
                None => pending.push(variable),
            }
        }
        // Short columns first: they cause least fill-in.
        pending.sort_by_key(|&j| (self.columns[j as usize].len(), j));
        for variable in pending {
            let column = self.solved(variable as usize);
            // The largest pivot, and the first one among equals.
            let open = (0..m).rev().filter(|&r| !taken[r] && column[r].abs() > PIVOT);
            let size = |&a: &usize, &b: &usize| column[a].abs().total_cmp(&column[b].abs());
            let Some(place) = open.max_by(size) else {
                return false;
            };
            eliminate(&mut self.inverse, &column, place);
            taken[place] = true;
            order[place] = variable;
        }
        self.basis = order;
        for (place, &variable) in self.basis.iter().enumerate() {
            self.at[variable as usize] = At::Basic(place as u32);
        }
        let y = self.duals(&self.perturbed);
        for j in 0..self.n + m {
            if matches!(self.at[j], At::Basic(_)) {
                self.reduced[j] = 0.0;
                continue;
            }
            let mut reduced = self.perturbed.get(j).copied().unwrap_or(0.0);
            self.for_entries(j, |r, weight| reduced -= y[r] * weight);
            self.reduced[j] = reduced;
            // A sign that rounding has turned is repaired by a flip, if the variable has another
            // end.
            self.at[j] = match self.at[j] {
                At::Lower if reduced < 0.0 && self.upper[j].is_finite() => At::Upper,
                At::Upper if reduced > 0.0 && self.lower[j].is_finite() => At::Lower,
                at => at,
            };
        }
        let mut sums = vec![0.0; m];
        for j in 0..self.n + m {
            if !matches!(self.at[j], At::Basic(_)) {
                let value = self.value(j);
                if value != 0.0 {
                    self.for_entries(j, |r, weight| sums[r] += weight * value);
                }
            }
        }
        for (value, of) in self.values.iter_mut().zip(&self.inverse) {
            *value = -of.iter().zip(&sums).map(|(a, b)| a * b).sum::<f64>();
        }
        true
    }
}

impl Solver for Simplex {
    /// The row's own variable enters the basis.
    fn add_row(&mut self, row: &Row) {
        let r = self.rows.len();
        let largest = row.entries.iter().map(|&(_, w)| w.unsigned_abs()).max();
        let scale = 1.0 / largest.unwrap_or(1).max(1) as f64;
        let entries: Vec<(u32, f64)> =
            row.entries.iter().map(|&(column, weight)| (column, weight as f64 * scale)).collect();
        let end = |end: Option<i64>, none: f64| end.map_or(none, |end| end as f64 * scale);
        self.lower.push(end(row.least, f64::NEG_INFINITY));
        self.upper.push(end(row.most, f64::INFINITY));
        // The last row of the new inverse: (a · inverse, −1).
        let mut last = vec![0.0; r + 1];
        let mut value = 0.0;
        for &(column, weight) in &entries {
            if let At::Basic(place) = self.at[column as usize] {
                for (last, of) in last.iter_mut().zip(&self.inverse[place as usize]) {
                    *last += weight * of;
                }
            }
            value += weight * self.value(column as usize);
            self.columns[column as usize].push((r as u32, weight));
        }
        last[r] = -1.0;
        for of in &mut self.inverse {
            of.push(0.0);
        }
        self.inverse.push(last);
        self.values.push(value);
        self.basis.push((self.n + r) as u32);
        self.at.push(At::Basic(r as u32));
        self.reduced.push(0.0);
        self.rows.push(entries);
        self.scales.push(scale);
        self.ray = None;
    }

    fn solve(&mut self, enough: f64) -> Status {
        let most = self.pivots + 20 * self.rows.len() + 2000;
        let mut fresh = false;
        loop {
            if self.ray.is_some() {
                return Status::Infeasible;
            }
            let Some((place, above)) = self.leaving() else {
                if fresh || self.pivots == 0 {
                    return Status::Optimal;
                }
                // An apparent optimum must be confirmed with a fresh inverse.
                if !self.refresh() {
                    return Status::Stalled;
                }
                fresh = true;
                continue;
            };
            if self.pivots >= most {
                return Status::Stalled;
            }
            if enough.is_finite() && self.objective() >= enough {
                return Status::Cut;
            }
            fresh = match self.pivot(place, above) {
                Ok(()) => false,
                Err(true) if fresh || self.pivots == 0 => return Status::Infeasible,
                Err(false) if fresh => return Status::Stalled,
                // The inverse may be inaccurate.
                Err(_) => {
                    self.ray = None;
                    if !self.refresh() {
                        return Status::Stalled;
                    }
                    true
                }
            };
            if self.pivots.is_multiple_of(REFRESH) && !fresh && !self.refresh() {
                return Status::Stalled;
            }
        }
    }

    fn multipliers(&self) -> Vec<f64> {
        let mut y = self.ray.clone().unwrap_or_else(|| self.duals(&self.costs));
        for (y, scale) in y.iter_mut().zip(&self.scales) {
            *y *= scale;
        }
        if self.ray.is_some() {
            lengthen(&mut y);
        }
        y
    }

    fn values(&self) -> Vec<f64> {
        (0..self.n).map(|j| self.value(j)).collect()
    }
}

/// Brings a column into the inverse at `place`.
fn eliminate(inverse: &mut [Vec<f64>], column: &[f64], place: usize) {
    let mut row = std::mem::take(&mut inverse[place]);
    let by = 1.0 / column[place];
    for x in &mut row {
        *x *= by;
    }
    for (r, of) in inverse.iter_mut().enumerate() {
        let factor = column[r];
        if r != place && factor != 0.0 {
            for (x, y) in of.iter_mut().zip(&row) {
                *x -= factor * y;
            }
        }
    }
    inverse[place] = row;
}
