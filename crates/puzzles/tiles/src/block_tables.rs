//! Pattern databases of all blocks of 2 × 2 tiles of the goal, as inputs of a network.
//!
//! A block is the four tiles whose goal cells form a square of 2 × 2 cells without the blank's. Its
//! table contains half the difference of the cost of these four tiles and their Manhattan distance
//! (see [`crate::sliding`]). Blocks overlap, so that no sum of their entries is a lower bound. A
//! network learns a weight for every entry instead.
//!
//! A block and its mirror image at the main diagonal share one table, which the mirrored cells of
//! the image's tiles index. Tables are copied from their ranks to an entry for every combination of
//! cells, also of equal ones, so that an index is a sum of four products.

use crate::{board::Board, partition::bad, shape::MAX_CELLS, shape::Shape, sliding::Pattern};
use std::{
    collections::HashMap,
    fmt,
    ops::RangeInclusive,
    sync::{Arc, OnceLock},
};
use unriddle_tables::{Cache, Table, TableError, cache::Policy};

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
    /// The tiles, in the order of the cells of an index.
    tiles: [u8; TILES],
    entries: Arc<[u8]>,
    /// Whether the table belongs to the mirror image.
    is_mirrored: bool,
}

/// The blocks of the goal of a square board with the blank last, row by row.
pub(crate) struct BlockTables {
    side: usize,
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
            return Err(bad(format!(
                "the input `blocks` is made for square boards of side {least} to {most} with the goal blank-last or \
                 blank-first"
            )));
        }
        // The cache is asked each time, since the memory limit is another for every solve.
        let tables = Self::corners(side).filter(|&corner| !Self::is_mirrored(side, corner));
        let tables = tables.map(|corner| {
            let pattern = Pattern::new(side, &Self::goals(side, corner), side * side - 1)?;
            Ok((corner, cache.get(&pattern)?))
        });
        let tables = tables.collect::<Result<Vec<_>, TableError>>()?;
        Ok(OPENED[side].get_or_init(|| Self::new(side, &tables)))
    }

    /// Whether a block has the table of its mirror image.
    fn is_mirrored(side: usize, corner: usize) -> bool {
        Shape::square(side).mirrored(corner) < corner
    }

    /// The tables of a side, opened before or built in memory.
    pub(crate) fn known(side: usize) -> Option<&'static Self> {
        match OPENED.get(side)?.get() {
            Some(known) => Some(known),
            None => Self::open(side, &Cache::new(None, 1, Policy::Reuse)).ok(),
        }
    }

    /// The blocks with tables by the goal cells of their first tiles.
    fn new(side: usize, tables: &[(usize, Arc<Table>)]) -> Self {
        let (shape, cells) = (Shape::square(side), side * side);
        let tables = tables.iter().map(|(corner, table)| (*corner, by_cells(cells, table)));
        let tables: HashMap<usize, Arc<[u8]>> = tables.collect();
        let mut blocks = Vec::new();
        let mut of_tile = [[u8::MAX; BLOCKS_OF_TILE]; MAX_CELLS];
        for (number, corner) in Self::corners(side).enumerate() {
            let is_mirrored = Self::is_mirrored(side, corner);
            let own = |cell| if is_mirrored { shape.mirrored(cell) } else { cell };
            let corner = own(corner);
            let tiles = Self::goals(side, corner).map(|cell| own(cell) as u8 + 1);
            for tile in tiles {
                let free = of_tile[usize::from(tile)].iter_mut().find(|one| **one == u8::MAX);
                free.into_iter().for_each(|one| *one = number as u8);
            }
            blocks.push(Block { tiles, entries: Arc::clone(&tables[&corner]), is_mirrored });
        }
        Self { side, blocks, of_tile }
    }

    /// Number of blocks.
    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// The cells of all tiles of a board.
    #[inline(always)]
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
    #[inline(always)]
    fn entry(&self, block: &Block, TileCells(cells): &TileCells) -> usize {
        let (cells, all) = (&cells[usize::from(block.is_mirrored)], self.side * self.side);
        let mut index = 0;
        for tile in block.tiles {
            index = index * all + usize::from(cells[usize::from(tile) & (MAX_CELLS - 1)]);
        }
        block.entries[index].into()
    }

    /// For each block, its number times [`ENTRIES`], plus its entry.
    #[inline(always)]
    pub(crate) fn each<B: Board>(&self, board: &B) -> impl Iterator<Item = usize> {
        let cells = self.cells(board);
        let blocks = self.blocks.iter().enumerate();
        blocks.map(move |(number, block)| number * ENTRIES + self.entry(block, &cells))
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

/// The entries of a table by the cells of its tiles. Entries of equal cells are 0.
fn by_cells(cells: usize, table: &Table) -> Arc<[u8]> {
    let mut entries = vec![0; cells.pow(TILES as u32)];
    // Ranks are in lexicographic order of the cells.
    let (mut rank, mut rows) = (0, entries.chunks_exact_mut(cells));
    for first in 0..cells {
        for second in 0..cells {
            for third in 0..cells {
                let Some(row) = rows.next() else { break };
                if first == second || first == third || second == third {
                    continue;
                }
                for (cell, entry) in row.iter_mut().enumerate() {
                    if cell != first && cell != second && cell != third {
                        *entry = table.get(rank);
                        rank += 1;
                    }
                }
            }
        }
    }
    entries.into()
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
    use unriddle_tables::rank::Placements;

    /// Each entry is the table's entry at the rank of the block's placement, for a block itself and
    /// for a mirror image.
    #[test]
    fn entries_are_read_from_the_tables() {
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
            found.extend(tables.each(&state));
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

    /// The input begins with the indices of the cells, and has an index for each block behind them.
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
