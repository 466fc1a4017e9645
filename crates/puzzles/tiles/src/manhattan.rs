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

/// Distances of tiles to their goal cells, and their changes.
#[derive(Clone, Debug)]
pub(crate) struct Deltas {
    /// Change of the moved tile's distance, by slide, blank's cell and tile.
    changes: Box<[[i8; MAX_CELLS]; 4 * MAX_CELLS]>,
    /// Distance by cell and tile; 0 for the blank.
    distances: Box<[[u8; MAX_CELLS]; MAX_CELLS]>,
    shape: Shape,
}

impl Deltas {
    pub(crate) fn new<B: Board>(puzzle: &Tiles<B>) -> Self {
        let (shape, homes) = (puzzle.shape(), puzzle.homes());
        let mut distances = boxed([0; MAX_CELLS]);
        for (cell, distances) in distances.iter_mut().enumerate().take(shape.cells()) {
            for (distance, home) in distances.iter_mut().zip(homes).take(shape.cells()).skip(1) {
                *distance = shape.distance(home.into(), cell) as u8;
            }
        }
        let mut changes = boxed([0; MAX_CELLS]);
        for (slide, blank, from) in Slide::everywhere(shape) {
            for (tile, change) in changes[slide.row(blank)].iter_mut().enumerate() {
                *change = distances[blank][tile] as i8 - distances[from][tile] as i8;
            }
        }
        Self { changes, distances, shape }
    }

    #[inline(always)]
    pub(crate) fn get(&self, slide: Slide, blank: usize, tile: usize) -> i32 {
        i32::from(self.changes[slide.row(blank)][tile & (MAX_CELLS - 1)])
    }

    /// The Manhattan distance of a board, from scratch.
    #[inline]
    pub(crate) fn manhattan<B: Board>(&self, board: &B) -> Cost {
        let cells = B::shape_or(self.shape).cells();
        let distance = |(cell, distances): (usize, &[u8; MAX_CELLS])| {
            Cost::from(distances[board.tile(cell) & (MAX_CELLS - 1)])
        };
        self.distances.iter().take(cells).enumerate().map(distance).sum()
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
