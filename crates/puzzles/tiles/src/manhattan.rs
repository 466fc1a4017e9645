//! Manhattan distance: the sum of the distances of all tiles to their goal cells. Consistent. Each
//! slide changes it by exactly one.

use super::{
    Tiles,
    board::{Board, MAX_CELLS, Slide, boxed, distance},
};
use std::marker::PhantomData;
use unriddle_core::{Cost, Guarantee, Heuristic, Info, Role};

/// The heuristic's declaration.
pub(crate) const INFO: Info = Info {
    guarantee: "consistent",
    requires: "tiles",
    reference: "Doran and Michie 1966, Experiments with the Graph Traverser program, \
                Proceedings of the Royal Society A 294",
    ..Info::new(Role::Heuristic, "manhattan", "Sum of the tiles' distances to their goal cells")
};

/// Change of the moved tile's distance, by slide, blank's cell and tile.
#[derive(Clone, Debug)]
pub(crate) struct Deltas(Box<[[i8; MAX_CELLS]; 4 * MAX_CELLS]>);

impl Deltas {
    pub(crate) fn new(n: usize) -> Self {
        let mut table = boxed([0; MAX_CELLS]);
        for (slide, blank, from) in Slide::everywhere(n) {
            for (home, change) in table[slide.row(blank)][1..n * n].iter_mut().enumerate() {
                *change = distance(n, home, blank) as i8 - distance(n, home, from) as i8;
            }
        }
        Self(table)
    }

    #[inline(always)]
    pub(crate) fn get(&self, slide: Slide, blank: usize, tile: usize) -> i32 {
        i32::from(self.0[slide.row(blank)][tile & (MAX_CELLS - 1)])
    }
}

/// The sum of the tiles' distances to their goal cells.
#[derive(Clone, Debug)]
pub struct Manhattan<B> {
    deltas: Deltas,
    board: PhantomData<fn() -> B>,
}

impl<B: Board> Default for Manhattan<B> {
    fn default() -> Self {
        Self { deltas: Deltas::new(B::N), board: PhantomData }
    }
}

/// The Manhattan distance of a board, from scratch.
pub(crate) fn manhattan<B: Board>(board: &B) -> Cost {
    let far = |cell: usize| Some(distance(B::N, board.tile(cell).checked_sub(1)?, cell));
    (0..B::N * B::N).filter_map(far).sum()
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
