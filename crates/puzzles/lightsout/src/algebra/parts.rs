//! Restriction of the null space to some of the cells.
//!
//! The operator L of a whole board is I + H + V, where H and V step to the neighbours in a row and
//! in a column. Over GF(2) its square is I + H² + V². In the square, only cells whose rows and
//! whose columns have the same parity interact, so that it splits into four operators, one for each
//! class of cells. A quiet pattern x, L x = 0, is quiet on each class, because L² x = 0. That
//! leaves few patterns on a class: half as many dimensions as the null space has. And L x = 0
//! determines every cell by its neighbours, so that a quiet pattern follows from only its white
//! cells (row and column of different parity) or only its black cells.
//!
//! Restricted to the white cells, the null space is therefore the sum of two spaces of half its
//! dimension, each of which changes only one of the two white classes; the same holds for black.
//! [`Halves`] stores both decompositions. Elimination verifies that the sums are direct; on a torus
//! with an odd side they are not, and there are no halves.

use super::{Algebra, ROW, Row, add, bit, ones, set};

/// Number of low bits of a cell's code that are its column.
const COLUMN: u32 = 8;

/// Distances between neighbouring cells of a class, for which bounds are computed.
pub(crate) const STEPS: [usize; 4] = [2, 4, 8, 16];

/// Maximum number of quiet patterns for parts: contributions to two parts are packed into a word.
const MOST: usize = 60;

/// Maximum number of patterns of a part.
const RANK: usize = 30;

/// A null vector, or any other set of cells.
pub(crate) type Pattern = Vec<Row>;

/// Code of the first cell of a word of a row.
fn spot(line: usize, word: usize) -> u32 {
    ((line as u32) << COLUMN) | (64 * word as u32)
}

/// Whether a pattern has the cell of a code.
pub(crate) fn has(pattern: &[Row], place: u32) -> bool {
    let (line, column) = (place >> COLUMN, place % (1 << COLUMN));
    bit(&pattern[line as usize], column as usize)
}

/// Adds a pattern to another one.
pub(crate) fn join(to: &mut [Row], other: &[Row]) {
    to.iter_mut().zip(other).for_each(|(to, other)| add(to, other));
}

/// A part of the cells, with the restriction of the null space to it.
pub(crate) struct Part {
    /// A basis, as patterns of the whole board.
    pub(crate) patterns: Vec<Pattern>,
    /// The cells, each with the patterns of the basis that have it.
    pub(crate) cells: Vec<(u32, u32)>,
}

impl Part {
    /// Number of patterns of the basis.
    pub(crate) fn rank(&self) -> usize {
        self.patterns.len()
    }
}

/// The cells of a class, each with the patterns that have it.
pub(crate) fn gathered(patterns: &[Pattern], class: &[Row]) -> Vec<(u32, u32)> {
    let mut cells = Vec::new();
    for (line, row) in class.iter().enumerate() {
        for (i, &word) in row.iter().enumerate() {
            for at in ones(word) {
                let bits = patterns.iter().enumerate().fold(0, |bits, (k, pattern)| {
                    bits | ((pattern[line][i] >> at & 1) as u32) << k
                });
                cells.push((spot(line, i) | at as u32, bits));
            }
        }
    }
    cells
}

/// The first cell that two patterns have in common.
fn common(pattern: &[Row], class: &[Row]) -> Option<u32> {
    let rows = pattern.iter().zip(class).enumerate();
    rows.flat_map(|(line, (row, class))| {
        (0..ROW).map(move |i| spot(line, i) | first(row[i] & class[i]))
    })
    .find(|place| place & NONE == 0)
}

/// The code of a word without ones.
const NONE: u32 = 1 << 31;

fn first(word: u64) -> u32 {
    match word {
        0 => NONE,
        word => word.trailing_zeros(),
    }
}

/// Splits a space by a class of cells: a basis of its restriction to the class, and a basis of its
/// patterns that have no cell in the class.
fn split(basis: &[Pattern], class: &[Row]) -> (Vec<Pattern>, Vec<Pattern>) {
    let (mut seen, mut unseen): (Vec<(u32, Pattern)>, Vec<Pattern>) = Default::default();
    for pattern in basis {
        let mut pattern = pattern.clone();
        for (place, other) in &seen {
            if has(&pattern, *place) {
                join(&mut pattern, other);
            }
        }
        match common(&pattern, class) {
            Some(place) => seen.push((place, pattern)),
            None => unseen.push(pattern),
        }
    }
    let seen = seen.into_iter().map(|(_, pattern)| pattern).collect();
    (seen, unseen)
}

/// Brings a basis into a form in which each pattern has a cell in the class that no other pattern
/// has. `None` if some pattern has no cell in the class.
fn reduced(mut basis: Vec<Pattern>, class: &[Row]) -> Option<(Vec<Pattern>, Vec<u32>)> {
    let mut pivots = Vec::new();
    for i in 0..basis.len() {
        let place = common(&basis[i], class)?;
        let pattern = basis[i].clone();
        for (j, other) in basis.iter_mut().enumerate() {
            if j != i && has(other, place) {
                join(other, &pattern);
            }
        }
        pivots.push(place);
    }
    Some((basis, pivots))
}

impl Algebra {
    /// The cells whose row and column have these remainders modulo `step`.
    pub(crate) fn class(&self, step: usize, line: usize, column: usize) -> Pattern {
        let mut row = Row::default();
        for at in (column..self.width).step_by(step) {
            set(&mut row, at);
        }
        let lines = 0..self.lines;
        lines.map(|at| if at % step == line { row } else { Row::default() }).collect()
    }

    /// All cells, with the whole null space, which has at most 32 patterns.
    pub(crate) fn whole(&self) -> &Part {
        self.whole.get_or_init(|| Part {
            cells: gathered(&self.quiet, &self.class(1, 0, 0)),
            patterns: self.quiet.clone(),
        })
    }

    /// The null space in halves; `None` if it is too large or has no such decomposition.
    pub(crate) fn halves(&self) -> Option<&Halves> {
        let halves = self.halves.get_or_init(|| {
            // The decomposition is a property of the usual presses.
            let is_small = self.dense.is_none() && self.nullity() <= MOST;
            is_small.then(|| Halves::new(self).map(Box::new))?
        });
        halves.as_deref()
    }
}

/// The cells in classes, `step` rows and columns apart from each other, if no class has more than
/// `most` patterns.
pub(crate) fn by_steps(algebra: &Algebra, step: usize, most: usize) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    for line in 0..step {
        for column in 0..step {
            let class = algebra.class(step, line, column);
            let (patterns, _) = split(&algebra.quiet, &class);
            if patterns.len() > most {
                return None;
            }
            let cells = gathered(&patterns, &class);
            parts.push(Part { patterns, cells });
        }
    }
    Some(parts)
}

/// Two decompositions of the null space: the sum of two spaces each of which changes only one of
/// the two white classes of cells, and the same for the black classes.
pub(crate) struct Halves {
    /// White and black, with two classes each.
    pub(crate) sides: [[Part; 2]; 2],
    /// For each pattern of each class, its coordinates on the other side: the low half of the word
    /// belongs to the first class there.
    pub(crate) across: [[Vec<u64>; 2]; 2],
}

/// The classes of both sides: parities of row and column.
const CLASSES: [[(usize, usize); 2]; 2] = [[(0, 1), (1, 0)], [(0, 0), (1, 1)]];

impl Halves {
    fn new(algebra: &Algebra) -> Option<Self> {
        let classes = CLASSES.map(|side| side.map(|(line, column)| algebra.class(2, line, column)));
        let mut sides = Vec::new();
        for [first, second] in &classes {
            // A pattern that changes only one class has no cell in the other class.
            let half = |class: &Pattern, other: &Pattern| {
                let (_, unseen) = split(&algebra.quiet, other);
                if unseen.len() > RANK {
                    return None;
                }
                let (patterns, pivots) = reduced(unseen, class)?;
                let cells = gathered(&patterns, class);
                Some((Part { patterns, cells }, pivots))
            };
            let pair = [half(first, second)?, half(second, first)?];
            if pair.iter().map(|(part, _)| part.rank()).sum::<usize>() != algebra.nullity() {
                return None;
            }
            sides.push(pair);
        }
        let [white, black] = <[_; 2]>::try_from(sides).ok()?;
        let seen = |from: &[(Part, Vec<u32>); 2], to: &[(Part, Vec<u32>); 2]| {
            let word = |pattern: &Pattern| {
                let bits = |pivots: &[u32]| {
                    let bits = pivots.iter().enumerate();
                    bits.fold(0, |bits, (i, &place)| bits | u64::from(has(pattern, place)) << i)
                };
                bits(&to[0].1) | bits(&to[1].1) << 32
            };
            [0, 1].map(|i| from[i].0.patterns.iter().map(word).collect())
        };
        let across = [seen(&white, &black), seen(&black, &white)];
        let sides = [white, black].map(|side| side.map(|(part, _)| part));
        Some(Self { sides, across })
    }
}
