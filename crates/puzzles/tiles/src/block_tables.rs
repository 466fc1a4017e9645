//! Pattern databases of all blocks of 2 × 2 tiles of the goal, as inputs of a network.
//!
//! A block is the four tiles whose goal cells form a square of 2 × 2 cells without the blank's. Its
//! table contains half the difference of the cost of these four tiles and their Manhattan distance
//! (see [`crate::sliding`]). Blocks overlap, so that no sum of their entries is a lower bound. A
//! network learns a weight for every entry instead.
//!
//! A block and its mirror image at the main diagonal share one table, which the mirrored cells of
//! the image's tiles index.

use crate::{board::Board, partition::bad, shape::MAX_CELLS, shape::Shape, sliding::Pattern};
use std::{
    fmt,
    ops::RangeInclusive,
    sync::{Arc, OnceLock},
};
use unriddle_tables::{Cache, Table, TableError, cache::Policy, rank::Placements};

/// Tiles of a block.
const TILES: usize = 4;

/// Largest number of blocks that a tile is part of.
const BLOCKS_OF_TILE: usize = 4;

/// Different entries of a table.
pub(crate) const ENTRIES: usize = 16;

/// Sides of the boards whose networks may see blocks.
pub(crate) const SIDES: RangeInclusive<usize> = 3..=7;

/// The opened tables of every side. Networks of one process share them.
static OPENED: [OnceLock<BlockTables>; MAX_CELLS.isqrt() + 1] =
    [const { OnceLock::new() }; MAX_CELLS.isqrt() + 1];

/// A block of 2 × 2 tiles.
struct Block {
    /// The tiles, in the order in which the table ranks them.
    tiles: [u8; TILES],
    table: Arc<Table>,
    /// Whether the table belongs to the mirror image.
    is_mirrored: bool,
}

/// The blocks of the goal of a square board with the blank last, row by row.
pub(crate) struct BlockTables {
    side: usize,
    /// Growth of a table's index with each digit of a placement's rank.
    weights: [u32; TILES],
    blocks: Vec<Block>,
    /// Numbers of the blocks of every tile; missing ones are the number of blocks.
    of_tile: [[u8; BLOCKS_OF_TILE]; MAX_CELLS],
}

/// The cell of every tile, on the board and on its mirror image.
struct TileCells([[u8; MAX_CELLS]; 2]);

impl BlockTables {
    /// Goal cells of the first tiles of all blocks, row by row.
    fn corners(side: usize) -> impl Iterator<Item = usize> {
        let all = (0..side - 1).flat_map(move |row| (0..side - 1).map(move |c| row * side + c));
        all.filter(move |corner| corner + side + 1 != side * side - 1)
    }

    /// The block whose first tile has the goal cell `corner`.
    fn goals(side: usize, corner: usize) -> [usize; TILES] {
        [corner, corner + 1, corner + side, corner + side + 1]
    }

    /// The tables of a side, from `cache`.
    ///
    /// # Errors
    /// A side without blocks, or a table that cannot be opened or built.
    pub(crate) fn open(side: usize, cache: &Cache) -> Result<&'static Self, TableError> {
        if !SIDES.contains(&side) {
            let (least, most) = (SIDES.start(), SIDES.end());
            let sides =
                format!("of side {least} to {most} with the goal blank-last or blank-first");
            return Err(bad(format!("the input `blocks` is made for square boards {sides}")));
        }
        // The cache is asked each time, since the memory limit is another for every solve.
        let opened = Self::new(side, cache)?;
        Ok(OPENED[side].get_or_init(|| opened))
    }

    /// The tables of a side, opened before or built in memory.
    pub(crate) fn known(side: usize) -> Option<&'static Self> {
        match OPENED.get(side)?.get() {
            Some(known) => Some(known),
            None => Self::open(side, &Cache::new(None, 1, Policy::Reuse)).ok(),
        }
    }

    fn new(side: usize, cache: &Cache) -> Result<Self, TableError> {
        let (shape, blank) = (Shape::square(side), side * side - 1);
        let mut blocks = Vec::new();
        let mut of_tile = [[u8::MAX; BLOCKS_OF_TILE]; MAX_CELLS];
        for (number, corner) in Self::corners(side).enumerate() {
            let image = shape.mirrored(corner);
            let is_mirrored = image < corner;
            let goals = Self::goals(side, corner.min(image));
            let own = |cell| if is_mirrored { shape.mirrored(cell) } else { cell };
            let tiles = goals.map(|cell| own(cell) as u8 + 1);
            for tile in tiles {
                let free = of_tile[usize::from(tile)].iter_mut().find(|one| **one == u8::MAX);
                free.into_iter().for_each(|one| *one = number as u8);
            }
            let table = cache.get(&Pattern::new(side, &goals, blank)?)?;
            blocks.push(Block { tiles, table, is_mirrored });
        }
        let mut weights = [0; TILES];
        let ranks = Placements::new(side * side, TILES);
        for (to, &weight) in weights.iter_mut().zip(ranks.weights()) {
            *to = weight as u32;
        }
        Ok(Self { side, weights, blocks, of_tile })
    }

    /// Number of blocks.
    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// The cells of all tiles of a board.
    #[inline]
    fn cells<B: Board>(&self, board: &B) -> TileCells {
        let mut cells = [[0; MAX_CELLS]; 2];
        for row in 0..self.side {
            for column in 0..self.side {
                let tile = board.tile(row * self.side + column) & (MAX_CELLS - 1);
                cells[0][tile] = (row * self.side + column) as u8;
                cells[1][tile] = (column * self.side + row) as u8;
            }
        }
        TileCells(cells)
    }

    /// The entry of a block.
    #[inline]
    fn entry(&self, block: &Block, TileCells(cells): &TileCells) -> usize {
        let cells = &cells[usize::from(block.is_mirrored)];
        let cell = block.tiles.map(|tile| u32::from(cells[usize::from(tile) & (MAX_CELLS - 1)]));
        let below = |a: usize, b: usize| u32::from(cell[a] < cell[b]);
        let digits = [
            cell[0],
            cell[1] - below(0, 1),
            cell[2] - below(0, 2) - below(1, 2),
            cell[3] - below(0, 3) - below(1, 3) - below(2, 3),
        ];
        let index = digits.iter().zip(&self.weights).map(|(digit, weight)| digit * weight).sum();
        block.table.get(index).into()
    }

    /// Calls `sink` with the number of each block times [`ENTRIES`], plus its entry.
    #[inline]
    pub(crate) fn each<B: Board>(&self, board: &B, mut sink: impl FnMut(usize)) {
        let cells = self.cells(board);
        for (number, block) in self.blocks.iter().enumerate() {
            sink(number * ENTRIES + self.entry(block, &cells));
        }
    }

    /// Calls `sink` with the old and the new index of each block whose entry changes when `tile`
    /// moves from `from` to `to`.
    pub(crate) fn changes<B: Board>(
        &self,
        board: &B,
        [tile, from, to]: [usize; 3],
        mut sink: impl FnMut([usize; 2]),
    ) {
        let (before, shape) = (self.cells(board), Shape::square(self.side));
        let mut after = TileCells(before.0);
        debug_assert_eq!(usize::from(before.0[0][tile]), from);
        after.0[0][tile] = to as u8;
        after.0[1][tile] = shape.mirrored(to) as u8;
        for number in self.of_tile[tile].map(usize::from) {
            let Some(block) = self.blocks.get(number) else { break };
            let both = [&before, &after].map(|cells| number * ENTRIES + self.entry(block, cells));
            if both[0] != both[1] {
                sink(both);
            }
        }
    }

    /// For each index, the index of the mirrored board.
    pub(crate) fn image(&self) -> impl Iterator<Item = usize> {
        let (side, shape) = (self.side, Shape::square(self.side));
        let number = move |corner: usize| Self::corners(side).position(|other| other == corner);
        Self::corners(side).flat_map(move |corner| {
            let image = number(shape.mirrored(corner)).unwrap_or_default();
            (0..ENTRIES).map(move |entry| image * ENTRIES + entry)
        })
    }
}

impl fmt::Debug for BlockTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockTables").field("side", &self.side).finish_non_exhaustive()
    }
}

/// There is one value for each side.
impl PartialEq for BlockTables {
    fn eq(&self, other: &Self) -> bool {
        self.side == other.side
    }
}

impl Eq for BlockTables {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyBoard, Goal, Tiles};
    use unriddle_core::{Features, Learnable, Puzzle, Rng};

    /// Each entry is the table's entry at the rank of the block's placement, of the block itself and
    /// of the mirror image.
    #[test]
    fn entries_are_those_of_the_tables() {
        let side = 4;
        let cache = Cache::new(None, 1, Policy::Reuse);
        let tables = BlockTables::open(side, &cache).unwrap();
        let shape = Shape::square(side);
        let puzzle = Tiles::<AnyBoard>::of(shape, &Goal::BlankLast.cells(shape), Goal::BlankLast);
        let (mut state, mut rng) = (puzzle.initial_state(), Rng::new(1));
        for _ in 0..300 {
            let slides: Vec<_> = puzzle.actions(&state).collect();
            state = puzzle.apply(&state, slides[rng.below(slides.len() as u64) as usize]);
            let mut found = Vec::new();
            tables.each(&state, |index| found.push(index));
            assert_eq!(found.len(), (side - 1).pow(2) - 1);
            for (number, corner) in BlockTables::corners(side).enumerate() {
                let goals = BlockTables::goals(side, corner);
                let pattern = Pattern::new(side, &goals, side * side - 1).unwrap();
                let table = cache.get(&pattern).unwrap();
                let cell = goals.map(|goal| {
                    (0..side * side).find(|&cell| state.tile(cell) == goal + 1).unwrap()
                });
                let rank = Placements::new(side * side, TILES).rank(&cell);
                let entry = usize::from(table.get(rank as u32));
                assert_eq!(found[number], number * ENTRIES + entry, "block {number}");
            }
        }
    }

    /// The input is that of the cells, and an index for each block behind them.
    #[test]
    fn blocks_follow_the_cells() {
        let shape = Shape::square(4);
        let puzzle = Tiles::<AnyBoard>::of(shape, &Goal::BlankLast.cells(shape), Goal::BlankLast);
        let seen = puzzle.seen_by(1);
        let indices = |puzzle: &Tiles<AnyBoard>| {
            let mut indices = Vec::new();
            puzzle.append_active(&puzzle.initial_state(), &mut indices);
            indices
        };
        let (cells, all) = (indices(&puzzle), indices(&seen));
        assert_eq!((cells.len(), all.len()), (16, 24));
        assert_eq!(cells[..], all[..16]);
        assert_eq!(all[16..], [0, 1, 2, 3, 4, 5, 6, 7].map(|block| 256 + 16 * block));
        assert_eq!((seen.groups(), seen.feature_len(), seen.input()), (24, 256 + 8 * 16, 1));
    }

    #[test]
    fn boards_without_blocks_are_seen_by_their_cells() {
        let cache = Cache::new(None, 1, Policy::Reuse);
        let error = BlockTables::open(8, &cache).unwrap_err().to_string();
        assert!(error.contains("square boards of side 3 to 7"), "{error}");
        let shape = Shape { rows: 2, columns: 3 };
        let puzzle = Tiles::<AnyBoard>::of(shape, &Goal::BlankLast.cells(shape), Goal::BlankLast);
        assert_eq!(puzzle.seen_by(1), puzzle);
    }
}
