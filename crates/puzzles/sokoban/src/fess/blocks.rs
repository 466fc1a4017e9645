//! Connected parts of the free cells, and the parts into which one more closed cell splits them.
//!
//! One depth-first walk finds, for every free cell, which of its neighbours stay connected without
//! it (Hopcroft and Tarjan 1973, Efficient algorithms for graph manipulation). The box that is to
//! be moved is lifted off the board before the walk. Then, for every cell where it can be put down,
//! the number of parts of the board and the part of the player follow in constant time: no child
//! needs a flood fill.
//!
//! A part is named by its least cell. Walks begin at the least cell of each part, so that the cells
//! that stay connected with the root of the walk are named by the root.

use super::map::{FREE, Map};
use crate::{
    level::{Id, NONE},
    memory::refill,
};

/// The parts of the board.
#[derive(Default)]
pub(crate) struct Blocks {
    /// Number of each cell in the order of the walk, counted from 1; 0 for cells that are not free.
    came: Vec<u16>,
    /// The greatest number in the cell's subtree.
    last: Vec<u16>,
    /// The least number of a cell with an edge from the subtree.
    low: Vec<u16>,
    parent: Vec<Id>,
    /// The least cell of the subtree.
    least: Vec<Id>,
    /// The least cell of its part.
    root: Vec<Id>,
    /// Number of parts.
    pub(crate) parts: u16,
    stack: Vec<(Id, u8)>,
}

impl Blocks {
    /// Walks over the free cells.
    pub(crate) fn build(&mut self, map: &Map, occupied: &[u8]) {
        let n = map.n;
        refill(&mut self.came, n + 1, 0);
        self.last.resize(n + 1, 0);
        self.low.resize(n + 1, 0);
        self.parent.resize(n + 1, NONE);
        self.least.resize(n + 1, NONE);
        self.root.resize(n + 1, NONE);
        self.parts = 0;
        let mut clock = 0;
        for r in 0..n {
            if occupied[r] != FREE || self.came[r] != 0 {
                continue;
            }
            self.parts += 1;
            let root = r as Id;
            self.parent[r] = NONE;
            clock += 1;
            self.enter(root, root, clock);
            self.stack.push((root, 0));
            while let Some(top) = self.stack.last_mut() {
                let (cell, way) = *top;
                let at = usize::from(cell);
                if way < 4 {
                    top.1 += 1;
                    let next = map.near[at][usize::from(way)];
                    let to = usize::from(next);
                    if occupied[to] != FREE || next == self.parent[at] {
                        continue;
                    }
                    if self.came[to] == 0 {
                        self.parent[to] = cell;
                        clock += 1;
                        self.enter(next, root, clock);
                        self.stack.push((next, 0));
                    } else {
                        self.low[at] = self.low[at].min(self.came[to]);
                    }
                } else {
                    self.stack.pop();
                    self.last[at] = clock;
                    let parent = self.parent[at];
                    if parent != NONE {
                        let parent = usize::from(parent);
                        self.low[parent] = self.low[parent].min(self.low[at]);
                        self.least[parent] = self.least[parent].min(self.least[at]);
                    }
                }
            }
        }
    }

    fn enter(&mut self, cell: Id, root: Id, clock: u16) {
        let at = usize::from(cell);
        self.came[at] = clock;
        self.low[at] = clock;
        self.least[at] = cell;
        self.root[at] = root;
    }

    /// The least cell of the part of a free cell.
    #[inline]
    pub(crate) fn root(&self, cell: Id) -> Id {
        self.root[usize::from(cell)]
    }

    /// The least cell of the part that free cell `of` is in once free cell `closed` is closed.
    #[inline]
    pub(crate) fn without(&self, map: &Map, closed: Id, of: Id) -> Id {
        let (c, u) = (usize::from(closed), usize::from(of));
        let root = self.root[u];
        if self.root[c] == root && self.came[u] > self.came[c] && self.came[u] <= self.last[c] {
            // Below the closed cell: in the subtree of one of its children.
            for &child in &map.near[c] {
                let w = usize::from(child);
                if self.came[w] != 0
                    && self.parent[w] == closed
                    && self.came[w] <= self.came[u]
                    && self.came[u] <= self.last[w]
                {
                    return if self.low[w] >= self.came[c] { self.least[w] } else { root };
                }
            }
        }
        root
    }

    /// For each side of a free cell, the least cell of the part that the side is in once the cell
    /// is closed; [`NONE`] where the side is not free.
    #[inline]
    pub(crate) fn sides(&self, map: &Map, cell: Id) -> [Id; 4] {
        map.near[usize::from(cell)].map(|side| {
            if self.came[usize::from(side)] == 0 { NONE } else { self.without(map, cell, side) }
        })
    }

    /// Number of parts after a free cell is closed. `sides` is the result of [`sides`](Self::sides)
    /// for the cell.
    #[inline]
    pub(crate) fn parts_without(&self, sides: &[Id; 4]) -> u16 {
        let mut different = 0;
        for (i, &side) in sides.iter().enumerate() {
            if side != NONE && !sides[..i].contains(&side) {
                different += 1;
            }
        }
        self.parts + different - 1
    }
}
