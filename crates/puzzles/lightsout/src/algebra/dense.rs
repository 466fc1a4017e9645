//! A board with any buttons as linear equations over GF(2), by elimination on the whole matrix.
//!
//! Each light is an equation, each button an unknown. Gauss and Jordan bring the equations into
//! reduced echelon form in O(n³ / 64) for n lights and buttons. The sums of lights that no button
//! changes are the checks: a board has a solution exactly if an even number of the lights of each
//! check is on.

use super::{ROW, Row, bit, is_odd, ones, set};
use crate::Shape;

/// Buttons of a line of a pattern.
pub(super) const LINE: usize = 64 * ROW;

/// The equations of a shape, in echelon form.
pub(crate) struct Dense {
    /// For each button that the equations determine, the lights of its equation.
    pivots: Vec<(usize, Vec<u64>)>,
    /// Sets of lights of which every button toggles an even number.
    checks: Vec<Vec<u64>>,
    /// Lines of a pattern.
    lines: usize,
}

/// Adds a row to another one.
fn add(to: &mut [u64], other: &[u64]) {
    to.iter_mut().zip(other).for_each(|(to, other)| *to ^= other);
}

impl Dense {
    /// The equations of a shape, and a basis of the patterns of presses that change nothing.
    pub(super) fn new(shape: &Shape) -> (Self, Vec<Vec<Row>>) {
        let (lights, buttons) = (shape.cells(), shape.buttons());
        let lines = buttons.div_ceil(LINE);
        let width = buttons.div_ceil(64);
        // For each light, the buttons that toggle it, then the lights whose sum the row is.
        let mut rows = vec![vec![0; width + lights.div_ceil(64)]; lights];
        for button in 0..buttons {
            for &light in shape.toggled(button) {
                set(&mut rows[usize::from(light)], button);
            }
        }
        for (light, row) in rows.iter_mut().enumerate() {
            set(&mut row[width..], light);
        }
        let (mut pivots, mut free) = (Vec::new(), Vec::new());
        for button in 0..buttons {
            let rank = pivots.len();
            let Some(pivot) = (rank..lights).find(|&row| bit(&rows[row], button)) else {
                free.push(button);
                continue;
            };
            rows.swap(rank, pivot);
            let row = std::mem::take(&mut rows[rank]);
            for other in rows.iter_mut().filter(|other| !other.is_empty() && bit(other, button)) {
                add(other, &row);
            }
            rows[rank] = row;
            pivots.push(button);
        }
        let quiet = free.into_iter().map(|button| {
            let mut pattern = vec![Row::default(); lines];
            press(&mut pattern, button);
            for (&pivot, row) in pivots.iter().zip(&rows) {
                if bit(row, button) {
                    press(&mut pattern, pivot);
                }
            }
            pattern
        });
        let quiet = quiet.collect();
        let mut sums = rows.into_iter().map(|row| row[width..].to_vec());
        let pivots = pivots.into_iter().zip(sums.by_ref()).collect();
        (Self { pivots, checks: sums.collect(), lines }, quiet)
    }

    /// Finds presses that turn all lights of a board off; returns whether there are any.
    pub(super) fn solve(&self, board: &[u64], presses: &mut Vec<Row>) -> bool {
        if self.failed(board).next().is_some() {
            return false;
        }
        presses.clear();
        presses.resize(self.lines, Row::default());
        for (button, lights) in &self.pivots {
            if is_odd(lights, board) {
                press(presses, *button);
            }
        }
        true
    }

    /// The checks of which an odd number of lights is on.
    fn failed<'a>(&'a self, board: &'a [u64]) -> impl Iterator<Item = &'a Vec<u64>> {
        self.checks.iter().filter(|check| is_odd(check, board))
    }

    /// The smallest check of which an odd number of lights is on: its lights, and how many are on.
    pub(super) fn witness(&self, board: &[u64]) -> Option<(Vec<usize>, u32)> {
        let size = |check: &&Vec<u64>| check.iter().map(|word| word.count_ones()).sum::<u32>();
        let check = self.failed(board).min_by_key(size)?;
        let lights = check.iter().enumerate();
        let lights = lights.flat_map(|(i, &word)| ones(word).map(move |at| 64 * i + at)).collect();
        let lit = check.iter().zip(board).map(|(a, b)| (a & b).count_ones()).sum();
        Some((lights, lit))
    }
}

/// Adds a button to a pattern.
fn press(pattern: &mut [Row], button: usize) {
    pattern[button / LINE][button % LINE / 64] ^= 1 << (button % 64);
}
