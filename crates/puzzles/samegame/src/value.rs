//! An estimate of the points that a board may still earn: a weighted sum of simple counts.
//!
//! Good play keeps one colour for a huge last group and clears the others on the way, so one colour
//! has weights of its own: the *main* colour is that for which the sum is largest. For each colour,
//! three numbers are counted: its cells n, its pieces k (groups and single cells) and its single
//! cells s. The number of pieces is cells less links plus squares: a piece without holes has as
//! many cells as it has links less four-cell squares, and one more. A ring counts one short.
//!
//! | weight | main colour | other colours, summed |
//! |---|---|---|
//! | cells² | (n − 2)² | n² |
//! | share | (n − 2)² / k | n² / k |
//! | cells | n | n |
//! | pieces | k | k |
//! | singles | s | s |
//!
//! and for the board a constant for every colour left and for every column.

use super::{
    Board, Group, SameGame,
    board::{Cells, Links, count},
};
use unriddle_core::{Layered, Puzzle, StateValue};

/// Weights of the features, in the order of the table above: the main colour, the others, colours,
/// columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear(pub [f32; 12]);

impl Default for Linear {
    /// Weights found by the Cross-Entropy Method: seven iterations of 48 samples with an elite of
    /// 10, each sample a beam of width 60 on 12 new random boards of 15×15 cells and five colours.
    fn default() -> Self {
        Self([0.65, 0.68, -1.0, -7.5, -4.6, 0.15, 1.05, -1.5, -6.0, -18.5, 8.0, -5.8])
    }
}

/// Number of pieces of a set of cells, given all links of the board.
#[inline(always)]
pub(super) fn pieces<const N: usize, const L: u32>(
    cells: &Cells<N>,
    links: &Links<N, L>,
) -> (u32, u32) {
    let linked = links.linked();
    let squares = links.squares();
    let of = |set: &Cells<N>| (0..N).map(|i| (cells[i] & set[i]).count_ones()).sum::<u32>();
    let n = count(cells);
    let joined = of(&links.up) + of(&links.right);
    // A colour that is all ring would count none.
    let k = (n + of(&squares)).saturating_sub(joined).max(1);
    (k, n - of(&linked))
}

impl<const N: usize, const L: u32> StateValue<SameGame<N, L>> for Linear {
    fn value(&self, _: &SameGame<N, L>, board: &Board<N, L>) -> f32 {
        let links = board.links();
        let w = &self.0;
        let (mut colours, mut others, mut main) = (0.0, 0.0, f32::MIN);
        for colour in 0..board.colours() {
            let cells = board.of_colour(colour);
            let n = count(&cells) as f32;
            if n == 0.0 {
                continue;
            }
            colours += 1.0;
            let (k, s) = pieces(&cells, &links);
            let (k, s) = (k as f32, s as f32);
            let square = (n - 2.0) * (n - 2.0);
            let as_main = w[0] * square + w[1] * square / k + w[2] * n + w[3] * k + w[4] * s;
            let square = n * n;
            let as_other = w[5] * square + w[6] * square / k + w[7] * n + w[8] * k + w[9] * s;
            others += as_other;
            main = main.max(as_main - as_other);
        }
        if colours == 0.0 {
            return 1000.0;
        }
        others + main + w[10] * colours + w[11] * board.width() as f32
    }
}

impl<const N: usize, const L: u32> Layered for SameGame<N, L> {
    /// Cells that are left.
    #[inline]
    fn layer(&self, board: &Board<N, L>) -> usize {
        count(board.cells()) as usize
    }

    fn successors(&self, board: &Board<N, L>, out: &mut Vec<(Group, Board<N, L>)>) {
        let mut groups = self.actions(board);
        while let Some((group, cells)) = groups.next_cells() {
            out.push((group, board.without(&cells)));
        }
    }
}
