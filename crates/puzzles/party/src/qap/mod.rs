//! The quadratic assignment problem: every facility gets a different location, and the sum of flows
//! times distances is minimised.
//!
//! Synergy is a special case of it (T. C. Koopmans and M. Beckmann 1957, Econometrica 25): all
//! items are placed, and every pair of nodes counts. Instances have the form of QAPLIB (R. E.
//! Burkard, S. E. Karisch and F. Rendl 1997, Journal of Global Optimization 10): the number *n*,
//! then two matrices of *n* × *n* whole numbers, row by row, separated by blanks. A solution is a
//! permutation, counted from 1: the location of each facility. The cost is the sum of *a(i, j) ·
//! b(p(i), p(j))* over all *i* and *j*. Collections also have known values in their files, and
//! solutions in files of their own ([`solution`]).

mod draw;
pub mod family;
mod layout;
mod sheet;
pub mod solution;
pub mod solver;

#[cfg(not(test))]
pub use family::FAMILY;
use layout::Word;
use unriddle_core::{Info, ParseError, Rng, Role};

/// Declaration of the puzzle.
pub const INFO: Info = Info {
    reference: "Koopmans and Beckmann 1957, Econometrica 25; QAPLIB (Burkard, Karisch and Rendl 1997)",
    ..Info::new(
        Role::Puzzle,
        "qap",
        "quadratic assignment: every facility to a location of its own, as cheaply as flows and distances allow",
    )
};

/// Most facilities.
pub const MOST: usize = 256;

/// Largest number of a matrix, so that no cost overflows.
const LARGEST: i64 = 1 << 23;

/// An instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Qap {
    n: usize,
    /// Both matrices, row by row.
    a: Vec<i64>,
    b: Vec<i64>,
}

impl Qap {
    /// Reads an instance in QAPLIB's format. Known values may be beside the size or on a line of
    /// their own behind the matrices.
    ///
    /// # Errors
    /// The position of the first word that is not a whole number within bounds; too few words, or
    /// too many; numbers that may be values or entries.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let (beside, behind) = layout::values(text)?;
        let mut words = layout::words(text);
        let last = (text.lines().count().max(1), 1);
        let mut next = |what: &dyn Fn() -> String, least: i64, most: i64| {
            let Some(Word { place, text: word, .. }) = words.next() else {
                let message = format!("the text ends, expected {}", what());
                return Err(ParseError::at(last.0, last.1, message));
            };
            let number = word.parse::<i64>().ok();
            number.filter(|number| (least..=most).contains(number)).ok_or_else(|| {
                let word: String = word.chars().take(40).collect();
                let message = format!("expected {}, {least} to {most}, found `{word}`", what());
                ParseError::at(place.0, place.1, message)
            })
        };
        let n = next(&|| "the number of facilities".to_owned(), 1, MOST as i64)? as usize;
        let known = || "a known value".to_owned();
        for _ in 0..beside {
            next(&known, i64::MIN, i64::MAX)?;
        }
        let mut matrix = |name: &str| {
            // The cells are allocated as they are read.
            let mut cells = Vec::new();
            for cell in 0..n * n {
                let (row, column) = (cell / n + 1, cell % n + 1);
                let what = || format!("row {row}, column {column} of the {name} matrix");
                cells.push(next(&what, -LARGEST, LARGEST)?);
            }
            Ok::<_, ParseError>(cells)
        };
        let (a, b) = (matrix("first")?, matrix("second")?);
        for _ in 0..behind {
            next(&known, i64::MIN, i64::MAX)?;
        }
        match words.next() {
            None => Ok(Self { n, a, b }),
            Some(Word { place: (line, column), text: word, .. }) => {
                let word: String = word.chars().take(40).collect();
                let message = format!("expected the end of the text, found `{word}`");
                Err(ParseError::at(line, column, message))
            }
        }
    }

    /// The number of facilities, and of locations.
    #[must_use]
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there are no facilities: never.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// The flow from one facility to another.
    #[inline(always)]
    #[must_use]
    pub fn a(&self, i: usize, j: usize) -> i64 {
        self.a[i * self.n + j]
    }

    /// The distance from one location to another.
    #[inline(always)]
    #[must_use]
    pub fn b(&self, i: usize, j: usize) -> i64 {
        self.b[i * self.n + j]
    }

    /// A random instance: distances and flows from 0 to 99, symmetric, with zeros on the diagonals,
    /// as Taillard's (Parallel Computing 17, 1991). A size out of bounds is clamped.
    #[must_use]
    pub fn uniform(n: usize, rng: &mut Rng) -> Self {
        let n = n.clamp(1, MOST);
        let mut matrix = || {
            let mut cells = vec![0; n * n];
            for i in 0..n {
                for j in 0..i {
                    cells[i * n + j] = rng.below(100) as i64;
                    cells[j * n + i] = cells[i * n + j];
                }
            }
            cells
        };
        let (a, b) = (matrix(), matrix());
        Self { n, a, b }
    }

    /// The instance in QAPLIB's format.
    #[must_use]
    pub fn text(&self) -> String {
        let rows = |cells: &[i64]| {
            let row = |row: &[i64]| {
                let row: Vec<String> = row.iter().map(ToString::to_string).collect();
                row.join(" ") + "\n"
            };
            cells.chunks(self.n).map(row).collect::<String>()
        };
        format!("{}\n\n{}\n{}", self.n, rows(&self.a), rows(&self.b))
    }

    /// The cost of an assignment: the location of every facility, counted from 0.
    #[must_use]
    pub fn cost(&self, at: &[u16]) -> i64 {
        let row = |i: usize| {
            let one = |j: usize| self.a(i, j) * self.b(usize::from(at[i]), usize::from(at[j]));
            (0..self.n).map(one).sum::<i64>()
        };
        (0..self.n).map(row).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_are_read_and_errors_have_positions() {
        let text = "2\n\n0 3\n1 0\n\n 0 5\n7 0\n";
        let qap = Qap::parse(text).unwrap();
        assert_eq!((qap.len(), qap.a(0, 1), qap.b(1, 0)), (2, 3, 7));
        assert_eq!(qap.cost(&[0, 1]), 3 * 5 + 7);
        assert_eq!(qap.cost(&[1, 0]), 3 * 7 + 5);
        let told = |text: &str| Qap::parse(text).unwrap_err().to_string();
        assert_eq!(
            told("2\n0 x\n1 0"),
            "line 2, column 3: expected row 1, column 2 of the first matrix, -8388608 to 8388608, found `x`"
        );
        assert_eq!(
            told("1\n0"),
            "line 2, column 1: the text ends, expected row 1, column 1 of the second matrix"
        );
        assert_eq!(told("1 0 0 9"), "line 1, column 7: expected the end of the text, found `9`");
        assert_eq!(
            told("0"),
            "line 1, column 1: expected the number of facilities, 1 to 256, found `0`"
        );
        assert!(told("").starts_with("line 1, column 1: the text ends"));
    }

    #[test]
    fn instances_and_assignments_are_read_back() {
        let qap = Qap::uniform(5, &mut Rng::new(1));
        assert_eq!(Qap::parse(&qap.text()), Ok(qap.clone()));
        assert_eq!(qap.parse_solution("3 1\n2 5 4"), Ok(vec![2, 0, 1, 4, 3]));
        assert_eq!(qap.solution_text(&[2, 0, 1, 4, 3]), "3 1 2 5 4");
        let told = |text: &str| qap.parse_solution(text).unwrap_err().to_string();
        assert_eq!(told("1 2 2"), "line 1, column 5: location 2 is taken");
        assert_eq!(told("1 2\n 6"), "line 2, column 2: expected a location, 1 to 5, found `6`");
        assert_eq!(told("+1"), "line 1, column 1: expected a location, 1 to 5, found `+1`");
        assert_eq!(told("1 2"), "line 1, column 1: 2 locations, expected 5");
        assert!(told("1 2 3 4 5 6").starts_with("line 1, column 11"));
    }
}
