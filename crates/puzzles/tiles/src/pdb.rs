//! Additive pattern databases (Korf and Felner 2002), with or without the mirrored board.
//!
//! A partition splits the tiles into disjoint patterns, whose costs add up. The same tables also
//! serve the board mirrored at the main diagonal, which keeps the goal: the estimate is the larger
//! of both sums (with `mirror=no`, the sum of the board itself). A table contains *(cost −
//! Manhattan distance) / 2*, so the estimate is the Manhattan distance plus twice the larger sum of
//! entries.
//!
//! **Incremental.** A tile that slides along the ranking order of cells (horizontally, or
//! vertically in the mirrored view) changes its own digit of the placement's rank by one. A tile
//! that slides across this order passes the N − 1 cells between, and every tile of its pattern
//! there changes a digit of one of the two by one. A table by pairs of tiles contains these
//! changes, with 0 for tiles of other patterns. The code neither branches on the pattern nor
//! recounts.
//!
//! Admissible, not consistent (see [`crate::sliding`]). The estimate is 0 at the goal.

use super::{
    Tiles,
    board::{Board, Slide, boxed},
    manhattan::Deltas,
    partition::{Partition, bad},
    shape::{MAX_CELLS, Shape},
};
use std::{marker::PhantomData, sync::Arc};
use unriddle_core::{Cost, Guarantee, Heuristic, Info, Options, Role, options};
use unriddle_tables::{Cache, Table, TableError, rank::Placements};

/// The heuristic's declaration.
pub const INFO: Info = Info {
    guarantee: "admissible",
    requires: "square boards of the partition's side, goal blank-last or blank-first",
    reference: "Korf and Felner 2002, Disjoint pattern database heuristics, Artificial Intelligence 134; \
                Felner, Korf and Hanan 2004, Additive pattern database heuristics, JAIR 22",
    parameters: PdbConfig::PARAMETERS,
    ..Info::new(
        Role::Heuristic,
        "pdb",
        "Sum of pattern databases over a partition of the tiles, the larger of the board's and its mirror image's; \
         tables are built once and kept in the cache",
    )
};

options! {
    /// Options of [`Pdb`].
    #[derive(Eq)]
    pub struct PdbConfig of INFO {
        partition: String, positional,
            "name, or tiles such as 1.2.3.4/5.6.7.8 (blank-last goal)",
            "Names: 4-4 (8-puzzle); 7-8, 6-6-3, 5-5-5 (15); 6-6-6-6, 5-5-5-5-4 (24); 7x5 (35); 9x5+3, 12x4 (48).";
        mirror: bool = "yes" of ["yes", "no"],
            "look up the mirror image as well (yes or no)";
    }
}

/// A view of a board: the board itself, or its mirror image at the main diagonal.
#[derive(Clone, Debug)]
struct View {
    shape: Shape,
    /// Pattern of every tile (by the tile's number on the real board).
    pattern: [u8; MAX_CELLS],
    /// Change of the rank when a tile's cell grows by one along the ranking order.
    along: [u32; MAX_CELLS],
    /// The same for a step of N cells, if no tile of its pattern is between.
    across: [u32; MAX_CELLS],
    /// The additional change for a tile between, by moving tile and tile between.
    passed: Box<[[u32; MAX_CELLS]; MAX_CELLS]>,
    /// By slide across and blank's cell: the cells between.
    between: Box<[[u8; 8]; 4 * MAX_CELLS]>,
    /// Tiles of every pattern in the order of ranking, by their numbers on the real board.
    tiles: Vec<Vec<usize>>,
    mirrored: bool,
}

impl View {
    fn new(n: usize, partition: &Partition, mirrored: bool) -> Self {
        let cells = n * n;
        let view = |cell: usize| if mirrored { mirror(n, cell) } else { cell };
        let mut this = Self {
            shape: Shape::square(n),
            pattern: [0; MAX_CELLS],
            along: [0; MAX_CELLS],
            across: [0; MAX_CELLS],
            passed: boxed([0; MAX_CELLS]),
            between: boxed([0; 8]),
            tiles: Vec::new(),
            mirrored,
        };
        for (p, goals) in partition.patterns.iter().enumerate() {
            // The tile that has the role of the pattern's tile in this view: the tile whose goal
            // cell the view maps there.
            let tiles: Vec<usize> = goals.iter().map(|&cell| view(cell) + 1).collect();
            let placements = Placements::new(cells, tiles.len());
            let weight: Vec<u32> = placements.weights().iter().map(|&w| w as u32).collect();
            for (i, &t) in tiles.iter().enumerate() {
                this.pattern[t] = p as u8;
                this.along[t] = weight[i];
                this.across[t] = weight[i].wrapping_mul(n as u32);
                for (j, &u) in tiles.iter().enumerate() {
                    // Passing an earlier tile costs the mover a free cell; a later tile gains one.
                    this.passed[t][u] = match j.cmp(&i) {
                        std::cmp::Ordering::Less => weight[i].wrapping_neg(),
                        std::cmp::Ordering::Equal => 0,
                        std::cmp::Ordering::Greater => weight[j],
                    };
                }
            }
            this.tiles.push(tiles);
        }
        for (slide, blank, from) in Slide::everywhere(Shape::square(n)) {
            if this.is_across(slide) {
                let (a, b) = (view(blank), view(from));
                let cells = a.min(b) + 1..a.max(b);
                for (slot, cell) in this.between[slide.row(blank)].iter_mut().zip(cells) {
                    *slot = view(cell) as u8;
                }
            }
        }
        this
    }

    /// Whether a slide crosses the ranking order of this view.
    #[inline(always)]
    fn is_across(&self, slide: Slide) -> bool {
        slide.is_vertical() != self.mirrored
    }

    /// The change of the moving tile's pattern's rank.
    #[inline(always)]
    fn change<B: Board>(&self, board: &B, slide: Slide, tile: usize) -> u32 {
        let change = if self.is_across(slide) {
            let between = &self.between[slide.row(board.blank())];
            let passed = &self.passed[tile];
            (0..B::shape_or(self.shape).columns - 1).fold(self.across[tile], |sum, i| {
                let other = board.tile(usize::from(between[i & 7])) & (MAX_CELLS - 1);
                sum.wrapping_add(passed[other])
            })
        } else {
            self.along[tile]
        };
        // Up and Left take the tile to a smaller cell, in both views.
        if slide as u8 >= 2 { change } else { change.wrapping_neg() }
    }

    /// Ranks of all patterns from scratch. `cell` is the cell of every tile.
    fn ranks(&self, n: usize, cell: &[usize; MAX_CELLS]) -> impl Iterator<Item = u32> {
        self.tiles.iter().map(move |tiles| {
            let view = |t: &usize| {
                if self.mirrored { mirror(n, cell[*t]) } else { cell[*t] }
            };
            let cells: Vec<usize> = tiles.iter().map(view).collect();
            Placements::new(n * n, tiles.len()).rank(&cells) as u32
        })
    }
}

/// A cell mirrored at the main diagonal of a square.
const fn mirror(n: usize, cell: usize) -> usize {
    Shape::square(n).mirrored(cell)
}

/// Tables up to this size (bytes) stay in the CPU's caches.
const CACHED: u64 = 32 << 20;

/// The sum of `K` pattern databases, on the board and its mirror image. Without the mirror image,
/// the board is looked up twice: this costs little, since the second look-up finds the same
/// entries, and needs no further code. With fewer than `K` patterns, the unused ones count 0.
#[derive(Clone, Debug)]
pub struct Pdb<B, const K: usize> {
    views: [View; 2],
    tables: [Arc<Table>; K],
    deltas: Deltas,
    /// Whether the tables are larger than CPU caches usually are.
    far: bool,
    board: PhantomData<fn() -> B>,
}

/// Indices and entries of the current board, by view and pattern.
#[derive(Clone, Copy, Debug)]
pub struct Memo<const K: usize> {
    index: [[u32; K]; 2],
    entry: [[u8; K]; 2],
    sum: [u8; 2],
    manhattan: u16,
}

impl<const K: usize> Memo<K> {
    #[inline(always)]
    fn cost(&self) -> Cost {
        Cost::from(self.manhattan) + 2 * Cost::from(self.sum[0].max(self.sum[1]))
    }
}

/// The tables of a partition of an instance's board into at most `most` patterns, and their bytes.
/// The first table fills the list up to `most` entries.
fn opened<B: Board>(
    partition: &Partition,
    puzzle: &Tiles<B>,
    most: usize,
    cache: &Cache,
) -> Result<(Vec<Arc<Table>>, u64), TableError> {
    if !puzzle.is_square_with_blank_last() {
        return Err(unsuited(puzzle));
    }
    let n = puzzle.shape().rows;
    if partition.side != n || partition.patterns.len() > most {
        return Err(bad(format!(
            "the partition {} is not one of at most {most} patterns on a board of side {n}",
            partition.name
        )));
    }
    let tables = partition.tables()?.into_iter().map(|pattern| cache.get(&pattern));
    let mut tables = tables.collect::<Result<Vec<_>, _>>()?;
    let Some(first) = tables.first().cloned() else {
        return Err(bad("a partition without patterns".into()));
    };
    let bytes = tables.iter().map(|table| table.bytes()).sum();
    tables.resize(most, first);
    Ok((tables, bytes))
}

/// The reason for refusing a board that is no square, or whose goal is the spiral.
pub(crate) fn unsuited<B: Board>(puzzle: &Tiles<B>) -> TableError {
    bad(format!(
        "pattern databases are made for square boards with the goal blank-last or blank-first; this board is {} \
         with the goal {}: use linear-conflict",
        puzzle.shape(),
        puzzle.convention.name()
    ))
}

impl<B: Board, const K: usize> Pdb<B, K> {
    /// Opens (or builds) the tables of a partition of the instance's tiles into at most `K` patterns.
    /// `mirror`: the mirror image is looked up as well.
    ///
    /// # Errors
    /// A table cannot be opened or built, or the partition does not fit the instance.
    pub fn new(
        puzzle: &Tiles<B>,
        partition: &Partition,
        mirror: bool,
        cache: &Cache,
    ) -> Result<Self, TableError> {
        let (tables, bytes) = opened(partition, puzzle, K, cache)?;
        let side = puzzle.shape().rows;
        Ok(Self {
            views: [false, mirror].map(|mirrored| View::new(side, partition, mirrored)),
            tables: tables.try_into().unwrap_or_else(|_| unreachable!("K tables")),
            deltas: Deltas::new(puzzle),
            far: bytes > CACHED,
            board: PhantomData,
        })
    }
}

impl<B: Board, const K: usize> Heuristic<Tiles<B>> for Pdb<B, K> {
    type Memo = Memo<K>;

    fn guarantee(&self) -> Guarantee {
        Guarantee::Admissible
    }

    fn root(&self, _: &Tiles<B>, board: &B) -> Option<(Cost, Memo<K>)> {
        let side = self.views[0].shape.rows;
        let mut cell = [0; MAX_CELLS];
        for c in 0..side * side {
            cell[board.tile(c)] = c;
        }
        let mut memo = Memo {
            index: [[0; K]; 2],
            entry: [[0; K]; 2],
            sum: [0; 2],
            manhattan: self.deltas.manhattan(board) as u16,
        };
        for (v, view) in self.views.iter().enumerate() {
            for (p, index) in view.ranks(side, &cell).enumerate() {
                memo.index[v][p] = index;
                memo.entry[v][p] = self.tables[p].get(index);
                memo.sum[v] += memo.entry[v][p];
            }
        }
        Some((memo.cost(), memo))
    }

    #[inline(always)]
    fn child(
        &self,
        _: &Tiles<B>,
        parent: &B,
        memo: &Memo<K>,
        slide: Slide,
        _: &B,
    ) -> Option<(Cost, Memo<K>)> {
        let tile = parent.moved(slide) & (MAX_CELLS - 1);
        let mut memo = *memo;
        let change = self.deltas.get(slide, parent.blank(), tile);
        memo.manhattan = memo.manhattan.wrapping_add_signed(change as i16);
        for (v, view) in self.views.iter().enumerate() {
            let p = usize::from(view.pattern[tile]) % K;
            let index = memo.index[v][p].wrapping_add(view.change(parent, slide, tile));
            let entry = self.tables[p].get(index);
            memo.sum[v] = memo.sum[v].wrapping_add(entry).wrapping_sub(memo.entry[v][p]);
            memo.index[v][p] = index;
            memo.entry[v][p] = entry;
        }
        Some((memo.cost(), memo))
    }

    #[inline(always)]
    fn wants_prefetch(&self) -> bool {
        self.far
    }

    #[inline(always)]
    fn prefetch(&self, _: &Tiles<B>, parent: &B, memo: &Memo<K>, slide: Slide) {
        let tile = parent.moved(slide) & (MAX_CELLS - 1);
        for (v, view) in self.views.iter().enumerate() {
            let p = usize::from(view.pattern[tile]) % K;
            let index = memo.index[v][p].wrapping_add(view.change(parent, slide, tile));
            self.tables[p].prefetch(index);
        }
    }

    fn bytes(&self) -> u64 {
        // Patterns may share a table, and unused positions have the first table.
        let first = |i: usize| self.tables[..i].iter().all(|t| !Arc::ptr_eq(t, &self.tables[i]));
        (0..K).filter(|&i| first(i)).map(|i| self.tables[i].bytes()).sum()
    }
}
