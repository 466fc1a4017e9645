//! Manhattan distance: the sum of the distances of all tiles to their goal cells. Consistent. Each
//! slide changes it by exactly one.

use super::{
    Tiles,
    board::{Board, MAX_CELLS, Slide},
};
use std::marker::PhantomData;
use unriddle_core::{Cost, Guarantee, Heuristic, Info, Role};

/// The heuristic's declaration.
pub const INFO: Info = Info {
    name: "manhattan",
    role: Role::Heuristic,
    version: 1,
    summary: "Sum of the tiles' distances to their goal cells",
    guarantee: "consistent",
    requires: "tiles",
    reference: "Doran and Michie 1966, Experiments with the Graph Traverser program, \
                Proceedings of the Royal Society A 294",
    parameters: &[],
};

/// The distance of a tile from its goal cell in the canonical orientation.
pub(crate) fn distance(n: usize, tile: usize, cell: usize) -> u32 {
    let goal = tile - 1;
    ((goal / n).abs_diff(cell / n) + (goal % n).abs_diff(cell % n)) as u32
}

/// Change of the moved tile's distance, by slide, blank's cell and tile.
#[derive(Clone, Debug)]
pub(crate) struct Deltas(Box<[[i8; MAX_CELLS]; 4 * MAX_CELLS]>);

impl Deltas {
    pub(crate) fn new(n: usize) -> Self {
        let mut table = vec![[0; MAX_CELLS]; 4 * MAX_CELLS];
        for blank in 0..n * n {
            for slide in Slide::ALL {
                if super::possible(n, blank) >> slide as u8 & 1 == 0 {
                    continue;
                }
                let from = blank.wrapping_add_signed(slide.blank_step(n));
                let row = &mut table[slide as usize * MAX_CELLS + blank];
                for (tile, change) in row.iter_mut().enumerate().take(n * n).skip(1) {
                    *change = distance(n, tile, blank) as i8 - distance(n, tile, from) as i8;
                }
            }
        }
        // The conversion cannot fail: the vector was made with that length.
        Self(table.into_boxed_slice().try_into().expect("length of the table"))
    }

    #[inline(always)]
    pub(crate) fn get(&self, slide: Slide, blank: usize, tile: usize) -> i32 {
        let row = slide as usize * MAX_CELLS + (blank & (MAX_CELLS - 1));
        i32::from(self.0[row][tile & (MAX_CELLS - 1)])
    }
}

/// The sum of the tiles' distances to their goal cells.
#[derive(Clone, Debug)]
pub struct Manhattan<B> {
    deltas: Deltas,
    board: PhantomData<fn() -> B>,
}

impl<B: Board> Manhattan<B> {
    /// Makes its table of changes.
    #[must_use]
    pub fn new() -> Self {
        Self { deltas: Deltas::new(B::N), board: PhantomData }
    }
}

impl<B: Board> Default for Manhattan<B> {
    fn default() -> Self {
        Self::new()
    }
}

/// The Manhattan distance of a board, from scratch.
pub(crate) fn manhattan<B: Board>(board: &B) -> Cost {
    (0..B::N * B::N)
        .filter_map(|cell| match board.tile(cell) {
            0 => None,
            tile => Some(distance(B::N, tile, cell)),
        })
        .sum()
}

impl<B: Board> Heuristic<Tiles<B>> for Manhattan<B> {
    type Memo = Cost;

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    fn root(&self, _: &Tiles<B>, board: &B) -> Option<(Cost, Cost)> {
        let h = manhattan(board);
        Some((h, h))
    }

    #[inline(always)]
    fn child(
        &self,
        _: &Tiles<B>,
        parent: &B,
        memo: &Cost,
        slide: Slide,
        _: &B,
    ) -> Option<(Cost, Cost)> {
        let change = self.deltas.get(slide, parent.blank(), parent.moved(slide));
        let h = memo.wrapping_add_signed(change);
        Some((h, h))
    }
}
