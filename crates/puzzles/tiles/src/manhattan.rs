//! Manhattan distance: the sum of the distances of all tiles to their goal cells. Consistent. Each
//! slide changes it by exactly one.

use super::{
    Tiles,
    board::{Board, Slide, boxed},
    shape::{MAX_CELLS, Shape},
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
pub(crate) struct Deltas {
    table: Box<[[i8; MAX_CELLS]; 4 * MAX_CELLS]>,
    shape: Shape,
    /// Goal cell of every tile.
    homes: [u8; MAX_CELLS],
}

impl Deltas {
    pub(crate) fn new<B: Board>(puzzle: &Tiles<B>) -> Self {
        let (shape, homes) = (puzzle.shape(), puzzle.homes());
        let mut table = boxed([0; MAX_CELLS]);
        for (slide, blank, from) in Slide::everywhere(shape) {
            let changes = table[slide.row(blank)].iter_mut().zip(homes).take(shape.cells());
            for (change, home) in changes.skip(1) {
                let distance = |cell| shape.distance(home.into(), cell) as i8;
                *change = distance(blank) - distance(from);
            }
        }
        Self { table, shape, homes }
    }

    #[inline(always)]
    pub(crate) fn get(&self, slide: Slide, blank: usize, tile: usize) -> i32 {
        i32::from(self.table[slide.row(blank)][tile & (MAX_CELLS - 1)])
    }

    /// The Manhattan distance of a board, from scratch.
    #[inline]
    pub(crate) fn manhattan<B: Board>(&self, board: &B) -> Cost {
        let shape = B::shape_or(self.shape);
        let tiles = (0..shape.cells()).map(|cell| (cell, board.tile(cell) & (MAX_CELLS - 1)));
        tiles
            .filter(|&(_, tile)| tile != 0)
            .map(|(cell, tile)| shape.distance(self.homes[tile].into(), cell))
            .sum()
    }
}

/// The sum of the tiles' distances to their goal cells.
#[derive(Clone, Debug)]
pub struct Manhattan<B> {
    deltas: Deltas,
    board: PhantomData<fn() -> B>,
}

impl<B: Board> Manhattan<B> {
    /// The distances to the goal of an instance.
    #[must_use]
    pub fn new(puzzle: &Tiles<B>) -> Self {
        Self { deltas: Deltas::new(puzzle), board: PhantomData }
    }
}

impl<B: Board> Heuristic<Tiles<B>> for Manhattan<B> {
    type Memo = Cost;

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    fn root(&self, _: &Tiles<B>, board: &B) -> Option<(Cost, Cost)> {
        let h = self.deltas.manhattan(board);
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
