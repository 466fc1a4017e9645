//! A position of SameGame whose cells keep the names that they had in the first one.
//!
//! A cell's name is its index in the first position. Cells of a column keep their order, and so do
//! columns. Therefore the initial row of every cell and the current index of every column suffice.

use crate::board::{Board, Cells, Links};

/// Most columns of any board.
const COLUMNS: usize = 32;

/// Index of a column that has closed up.
const GONE: u8 = u8::MAX;

/// A position with names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named<const N: usize, const L: u32> {
    pub(super) board: Board<N, L>,
    pub(super) links: Links<N, L>,
    /// The initial row of each cell; unset at empty cells.
    rows: [[u8; 64]; N],
    /// Current index of each column of the first position, or [`GONE`].
    columns: [u8; COLUMNS],
}

impl<const N: usize, const L: u32> Named<N, L> {
    /// The first position.
    pub(super) fn new(board: Board<N, L>) -> Self {
        Self {
            board,
            links: board.links(),
            rows: [std::array::from_fn(|at| (at % L as usize) as u8); N],
            columns: std::array::from_fn(|column| column as u8),
        }
    }

    /// Current position of a cell; `None` if it has been removed.
    #[inline(always)]
    pub(super) fn place(&self, name: u16) -> Option<u16> {
        let height = L as usize;
        let column = self.columns[usize::from(name) / height % COLUMNS];
        if column == GONE {
            return None;
        }
        let first = usize::from(column) * height;
        let (word, shift) = (first / 64 % N, first % 64);
        let lane = &self.rows[word][shift..shift + height];
        let row = name as u8 % height as u8;
        let mut same = 0;
        for (at, &began) in lane.iter().enumerate() {
            same |= u64::from(began == row) << at;
        }
        same &= self.board.cells()[word] >> shift;
        (same != 0).then(|| first as u16 + same.trailing_zeros() as u16)
    }

    /// The name of a cell.
    #[inline(always)]
    pub(super) fn name(&self, place: u16) -> u16 {
        let here = (u32::from(place) / L) as u8;
        let began = self.columns.iter().position(|&column| column == here);
        let row = self.rows[usize::from(place / 64) % N][usize::from(place % 64)];
        (began.unwrap_or(0) as u32 * L) as u16 + u16::from(row)
    }

    /// Takes a group out.
    #[inline(always)]
    pub(super) fn play(&mut self, group: &Cells<N>) {
        let before = *self.board.cells();
        for (i, rows) in self.rows.iter_mut().enumerate() {
            let mut rest = group[i];
            while rest != 0 {
                // The highest run of cells is removed first, so that lower runs keep their
                // positions.
                let high = 63 - rest.leading_zeros();
                let ones = (!(rest << (63 - high))).leading_zeros().min(high % L + 1);
                let low = high + 1 - ones;
                let bottom = (low / L * L) as usize;
                let (low, ones) = (low as usize, ones as usize);
                fall(&mut rows[bottom..bottom + L as usize], low - bottom, ones);
                rest &= !(u64::MAX << low);
            }
        }
        let closed_up = self.board.take_out(group);
        self.board.relink(&mut self.links, group, closed_up);
        if closed_up {
            self.close_up(&before, group);
        }
    }

    /// Moves the names over columns that have become empty.
    #[cold]
    fn close_up(&mut self, before: &Cells<N>, group: &Cells<N>) {
        let height = L as usize;
        let mut moved = [GONE; COLUMNS];
        let mut to = 0;
        for from in 0..N * 64 / height {
            let (word, shift) = (from * height / 64, from * height % 64);
            let cells = |set: &Cells<N>| set[word] >> shift & u64::MAX >> (64 - L);
            let held = cells(before);
            if held == 0 || held == cells(group) {
                continue;
            }
            for row in 0..height {
                let at = to * height + row;
                self.rows[at / 64][at % 64] = self.rows[word][shift + row];
            }
            moved[from % COLUMNS] = to as u8;
            to += 1;
        }
        for column in &mut self.columns {
            if *column != GONE {
                *column = moved[usize::from(*column) % COLUMNS];
            }
        }
    }
}

/// Takes some bytes out of a column of them; those above fall.
#[inline(always)]
fn fall(column: &mut [u8], low: usize, ones: usize) {
    // Columns of up to 16 rows, which is nearly all boards, are a word.
    if let Ok(all) = <[u8; 16]>::try_from(&*column) {
        let all = u128::from_le_bytes(all);
        let above = u128::MAX << (8 * low);
        // In two steps, since all 16 may go.
        let fallen = all >> (8 * (ones - 1)) >> 8;
        column.copy_from_slice(&(all & !above | fallen & above).to_le_bytes());
    } else {
        column.copy_within(low + ones.., low);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Large, SameGame, Scoring, Small,
        board::{count, is_empty, nth},
        generate::uniform,
    };
    use unriddle_core::{Puzzle, Rng};

    /// Plays at random and compares each removed group with the difference of the boards, cell by
    /// cell.
    fn follow<const N: usize, const L: u32>(puzzle: &SameGame<N, L>, rng: &mut Rng) {
        let start = puzzle.initial_state();
        let mut here = Named::new(start);
        loop {
            let mut seen = 0;
            for name in 0..(N * 64) as u16 {
                let (Some(colour), Some(place)) = (start.colour(name), here.place(name)) else {
                    continue;
                };
                assert_eq!(here.board.colour(place), Some(colour));
                assert_eq!(here.name(place), name);
                seen += 1;
            }
            assert_eq!(seen, count(here.board.cells()));
            assert_eq!(here.links, here.board.links());
            let corners = here.links.corners();
            if is_empty(&corners) {
                break;
            }
            let drawn = nth(&corners, rng.below(u64::from(count(&corners))) as u32);
            here.play(&here.links.group(drawn));
        }
    }

    /// Names stay with their cells whatever is taken out, columns that close up among them.
    #[test]
    fn names_stay_with_their_cells() {
        for seed in 0..50 {
            let mut rng = Rng::stream(11, seed);
            let layout = uniform(2 + seed as usize % 14, 1 + seed as usize % 16, 3, &mut rng);
            follow(&Small::new(&layout, Scoring::Paper).unwrap(), &mut rng);
            follow(&Large::new(&layout, Scoring::Paper).unwrap(), &mut rng);
        }
        let mut rng = Rng::stream(11, 50);
        let layout = uniform(32, 32, 3, &mut rng);
        follow(&Large::new(&layout, Scoring::Paper).unwrap(), &mut rng);
    }
}
