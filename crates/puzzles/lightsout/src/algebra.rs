//! A board as linear equations over GF(2), solved by chasing lights from row to row.
//!
//! Let x_r be the presses of row r, b_r its lights, and A the matrix of a row: a press toggles its
//! own row by A and the neighbouring rows by the identity. All rows follow from the first one (on a
//! torus from the first and the last one) by x_(r+1) = b_r + A x_r + x_(r-1). The condition on the
//! last row is a system with as many equations as a row has cells (twice as many on a torus). Only
//! its right-hand side depends on the lights. It is therefore brought into echelon form once for
//! each shape, in O(n³ / 64) for n columns, and a board costs two chases, O(n² · words of a row),
//! and a product. The longer side is chased.
//!
//! The presses that change nothing, *quiet patterns*, are the null space. The matrix of the whole
//! board is symmetric, so that a board has a solution exactly if an even number of its lights is on
//! in each quiet pattern.
//!
//! Presses of other shapes are not chased: the module `dense` eliminates the whole matrix.
//!
//! References: M. Anderson and T. Feil, "Turning lights out with linear algebra" (Mathematics
//! Magazine 71, 1998); K. Sutner, "Linear cellular automata and the Garden-of-Eden" (Mathematical
//! Intelligencer 11, 1989).

mod dense;
mod parts;

use dense::Dense;
pub(crate) use parts::{Halves, Part, STEPS, by_steps, gathered, has, join};

use crate::{Reach, SIDE, Shape};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Words of a row.
const ROW: usize = SIDE.div_ceil(64);

/// A row of the board, or a row of unknowns.
pub(crate) type Row = [u64; ROW];

/// Two rows: the unknowns of a torus.
type Wide = [u64; 2 * ROW];

/// Maximum number of shapes in the cache.
const KEPT: usize = 32;

/// The equations of a shape, in echelon form.
pub struct Algebra {
    /// The shape of the equations.
    pub(crate) shape: Shape,
    /// The equations of presses that are not chased.
    dense: Option<Dense>,
    /// Whether the rows of the equations are the board's columns.
    is_turned: bool,
    /// Number of chased rows.
    lines: usize,
    /// Number of cells of each row.
    width: usize,
    /// A row of ones.
    ones: Row,
    /// Whether the first and the last row are neighbours.
    joins_lines: bool,
    /// Whether the first and the last cell of a row are neighbours.
    joins_ends: bool,
    /// For each equation in echelon form, the given equations of which it is the sum. The first
    /// ones have a pivot, the others are checks.
    sums: Vec<Wide>,
    /// The unknowns that the first equations determine.
    pivots: Vec<usize>,
    /// A basis of the quiet patterns.
    pub(crate) quiet: Vec<Vec<Row>>,
    /// For each cell that is in a quiet pattern, the quiet patterns that have it; only for at most
    /// 32 patterns.
    whole: OnceLock<Part>,
    /// The two decompositions of the null space into independent halves.
    halves: OnceLock<Option<Box<Halves>>>,
}

fn bit(words: &[u64], at: usize) -> bool {
    words[at / 64] >> (at % 64) & 1 == 1
}

fn set(words: &mut [u64], at: usize) {
    words[at / 64] |= 1 << (at % 64);
}

/// The bits of a word that are 1.
fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            at
        })
    })
}

fn add<const N: usize>(to: &mut [u64; N], other: &[u64; N]) {
    to.iter_mut().zip(other).for_each(|(to, other)| *to ^= other);
}

/// Whether two vectors have an odd number of ones in common.
fn is_odd(a: &[u64], b: &[u64]) -> bool {
    let common = a.iter().zip(b).fold(0, |sum, (a, b)| sum ^ (a & b));
    common.count_ones() % 2 == 1
}

/// Bit of an unknown in a `Wide`: unknowns of the last row follow the unknowns of the first row.
fn place(unknown: usize, width: usize) -> usize {
    match unknown.checked_sub(width) {
        Some(second) => 64 * ROW + second,
        None => unknown,
    }
}

impl Algebra {
    /// The equations of a shape. Equations of the last few shapes are cached.
    #[must_use]
    pub fn of(shape: &Shape) -> Arc<Self> {
        static KNOWN: Mutex<Vec<Arc<Algebra>>> = Mutex::new(Vec::new());
        let lock = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let find = |known: &mut Vec<Arc<Self>>| {
            let at = known.iter().position(|algebra| algebra.is_of(shape))?;
            // The least recently used entry is the first one.
            known[at..].rotate_left(1);
            known.last().cloned()
        };
        if let Some(known) = find(&mut lock()) {
            return known;
        }
        // Computed without the lock, so that other shapes need not wait.
        let made = Arc::new(Self::new(shape));
        let mut known = lock();
        if let Some(known) = find(&mut known) {
            return known;
        }
        if known.len() == KEPT {
            known.remove(0);
        }
        known.push(made.clone());
        made
    }

    fn is_of(&self, shape: &Shape) -> bool {
        let key = |shape: &Shape| (shape.rows, shape.columns, shape.torus, shape.reach);
        key(&self.shape) == key(shape) && (shape.reach.is_some() || self.shape == *shape)
    }

    /// The equations of a shape.
    #[must_use]
    pub fn new(shape: &Shape) -> Self {
        let is_turned = shape.columns > shape.rows;
        let lines = shape.rows.max(shape.columns);
        let width = shape.rows.min(shape.columns);
        let is_chased = shape.reach == Some(Reach::Plus);
        let (dense, quiet) = match is_chased {
            true => (None, Vec::new()),
            false => {
                let (dense, quiet) = Dense::new(shape);
                (Some(dense), quiet)
            }
        };
        let buttons = shape.buttons();
        let (lines, width) = match is_chased {
            true => (lines, width),
            false => (buttons.div_ceil(dense::LINE), buttons.min(dense::LINE)),
        };
        let mut algebra = Self {
            shape: shape.clone(),
            dense,
            is_turned,
            lines,
            width,
            ones: Row::default(),
            joins_lines: shape.torus && lines > 2,
            joins_ends: shape.torus && width > 2,
            sums: Vec::new(),
            pivots: Vec::new(),
            quiet,
            whole: OnceLock::new(),
            halves: OnceLock::new(),
        };
        (0..width).for_each(|at| set(&mut algebra.ones, at));
        if is_chased {
            algebra.eliminate();
        }
        algebra
    }

    fn unknowns(&self) -> usize {
        self.width * (1 + usize::from(self.joins_lines))
    }

    /// The lights of the same row that the presses of a row toggle.
    #[inline]
    fn toggle(&self, row: &Row) -> Row {
        let mut out = *row;
        for i in 0..ROW {
            out[i] ^= row[i] << 1 ^ row[i] >> 1;
            if i > 0 {
                out[i] ^= row[i - 1] >> 63;
            }
            if i + 1 < ROW {
                out[i] ^= row[i + 1] << 63;
            }
        }
        if self.joins_ends {
            let last = self.width - 1;
            out[0] ^= u64::from(bit(row, last));
            out[last / 64] ^= (row[0] & 1) << (last % 64);
        }
        out.iter_mut().zip(&self.ones).for_each(|(out, ones)| *out &= ones);
        out
    }

    /// Chases the lights from the first row; on a torus the last row precedes it. Calls `visit`
    /// with the presses of every row and returns the presses that do not fit at the end.
    #[inline]
    fn chase(&self, lights: &[Row], start: &Wide, mut visit: impl FnMut(&Row)) -> Wide {
        let (mut before, mut now) = (Row::default(), Row::default());
        now.copy_from_slice(&start[..ROW]);
        before.copy_from_slice(&start[ROW..]);
        let (first, last) = (now, before);
        for line in 0..self.lines {
            visit(&now);
            let mut next = self.toggle(&now);
            add(&mut next, &before);
            if let Some(lights) = lights.get(line) {
                add(&mut next, lights);
            }
            (before, now) = (now, next);
        }
        let mut rest = Wide::default();
        if self.joins_lines {
            add(&mut now, &first);
            add(&mut before, &last);
            rest[ROW..].copy_from_slice(&before);
        }
        rest[..ROW].copy_from_slice(&now);
        rest
    }

    /// Brings the equations into reduced echelon form (Gauss and Jordan).
    fn eliminate(&mut self) {
        let count = self.unknowns();
        let mut rows = vec![(Wide::default(), Wide::default()); count];
        for unknown in 0..count {
            let at = place(unknown, self.width);
            let mut start = Wide::default();
            set(&mut start, at);
            let rest = self.chase(&[], &start, |_| {});
            for (equation, (row, _)) in rows.iter_mut().enumerate() {
                if bit(&rest, place(equation, self.width)) {
                    set(row, at);
                }
            }
            set(&mut rows[unknown].1, at);
        }
        let mut free = Vec::new();
        for unknown in 0..count {
            let (at, rank) = (place(unknown, self.width), self.pivots.len());
            let Some(pivot) = (rank..count).find(|&i| bit(&rows[i].0, at)) else {
                free.push(at);
                continue;
            };
            rows.swap(rank, pivot);
            let (row, sum) = rows[rank];
            for (i, (other, others)) in rows.iter_mut().enumerate() {
                if i != rank && bit(other, at) {
                    add(other, &row);
                    add(others, &sum);
                }
            }
            self.pivots.push(at);
        }
        for at in free {
            let mut start = Wide::default();
            set(&mut start, at);
            for (&pivot, (row, _)) in self.pivots.iter().zip(&rows) {
                if bit(row, at) {
                    set(&mut start, pivot);
                }
            }
            let mut pattern = Vec::with_capacity(self.lines);
            self.chase(&[], &start, |row| pattern.push(*row));
            self.quiet.push(pattern);
        }
        self.sums = rows.into_iter().map(|(_, sum)| sum).collect();
    }

    /// Number of independent quiet patterns: a solvable board has 2 to this power of solutions.
    #[must_use]
    pub fn nullity(&self) -> usize {
        self.quiet.len()
    }

    /// Number of buttons minus [`nullity`](Self::nullity): 2 to this power of boards are solvable.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.shape.buttons() - self.nullity()
    }

    /// Bytes of a pattern.
    pub(crate) fn pattern_bytes(&self) -> usize {
        self.lines * size_of::<Row>()
    }

    /// The number of a button, given its chased row and its index there.
    fn cell(&self, line: usize, column: usize) -> usize {
        if self.dense.is_some() {
            line * dense::LINE + column
        } else if self.is_turned {
            column * self.shape.columns + line
        } else {
            line * self.shape.columns + column
        }
    }

    /// The cells of a pattern, numbered as on the board.
    pub(crate) fn cells<'a>(&'a self, pattern: &'a [Row]) -> impl Iterator<Item = usize> + 'a {
        let lines = pattern.iter().enumerate();
        lines.flat_map(move |(line, row)| {
            let words = row.iter().enumerate();
            words.flat_map(move |(i, &word)| {
                ones(word).map(move |column| self.cell(line, 64 * i + column))
            })
        })
    }

    /// The lights of a board in chased rows.
    fn lights(&self, board: &[u64], rows: &mut Vec<Row>) {
        rows.clear();
        if !self.is_turned {
            rows.extend((0..self.lines).map(|line| {
                let from = line * self.width;
                let mut row = Row::default();
                for (i, word) in row.iter_mut().enumerate().take(self.width.div_ceil(64)) {
                    let (at, shift) = ((from + 64 * i) / 64, from % 64);
                    *word = board[at] >> shift;
                    if shift > 0 && at + 1 < board.len() {
                        *word |= board[at + 1] << (64 - shift);
                    }
                    *word &= self.ones[i];
                }
                row
            }));
            return;
        }
        rows.resize(self.lines, Row::default());
        for (line, row) in rows.iter_mut().enumerate() {
            for column in (0..self.width).filter(|&column| bit(board, self.cell(line, column))) {
                set(row, column);
            }
        }
    }

    /// Finds presses that turn all lights of a board off, a bit for each cell in rows. Returns
    /// whether there are any.
    ///
    /// `board` has a bit for each cell, row by row, as a state has, and no other bits.
    pub(crate) fn solve(&self, board: &[u64], scratch: &mut Scratch) -> bool {
        let Scratch { lights, presses } = scratch;
        if let Some(dense) = &self.dense {
            return dense.solve(board, presses);
        }
        self.lights(board, lights);
        let rest = self.chase(lights, &Wide::default(), |_| {});
        let (told, checks) = self.sums.split_at(self.pivots.len());
        if checks.iter().any(|sum| is_odd(sum, &rest)) {
            return false;
        }
        let mut start = Wide::default();
        for (&pivot, sum) in self.pivots.iter().zip(told) {
            start[pivot / 64] |= u64::from(is_odd(sum, &rest)) << (pivot % 64);
        }
        presses.clear();
        self.chase(lights, &start, |row| presses.push(*row));
        true
    }

    /// Reason why no presses turn all lights of a board off; `None` if the board is solvable.
    #[must_use]
    pub fn unsolvable(&self, board: &[u64]) -> Option<String> {
        let mut scratch = Scratch::default();
        if self.solve(board, &mut scratch) {
            return None;
        }
        if let Some(dense) = &self.dense {
            let (lights, lit) = dense.witness(board)?;
            return Some(self.reason(&lights, lit));
        }
        let lit = |pattern: &[Row]| {
            let words = pattern.iter().flatten().zip(scratch.lights.iter().flatten());
            words.map(|(a, b)| (a & b).count_ones()).sum::<u32>()
        };
        let odd = |pattern: &&Vec<Row>| lit(pattern) % 2 == 1;
        let pattern = self.quiet.iter().filter(odd);
        // The pattern with the shortest description.
        let pattern = pattern.min_by_key(|pattern| self.cells(pattern).count())?;
        let cells: Vec<usize> = self.cells(pattern).collect();
        let lit = lit(pattern);
        Some(self.reason(&cells, lit))
    }

    /// The reason why a board is unsolvable: lights of which every press toggles an even number.
    fn reason(&self, lights: &[usize], lit: u32) -> String {
        let named: Vec<String> =
            lights.iter().take(NAMED).map(|&cell| self.shape.light_name(cell)).collect();
        let more = match lights.len().checked_sub(NAMED) {
            Some(more @ 1..) => format!(" and {more} more"),
            _ => String::new(),
        };
        format!(
            "every press toggles an even number of the lights at {}{more}, and an odd number of them, {lit}, is on",
            named.join(" ")
        )
    }
}

/// Maximum number of cells of a quiet pattern that a message lists.
const NAMED: usize = 24;

/// Buffers for a board's rows and its presses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    lights: Vec<Row>,
    /// The presses of the last board that had a solution.
    pub(crate) presses: Vec<Row>,
}
