//! Hotspots: boxes that keep another box from goals which it could reach if they were not there.

use super::{
    bits,
    blocks::Blocks,
    macros::{Kind, Sweep},
    map::{FREE, Map, WALL},
};
use crate::level::Id;

/// Maximum number of cells of a board with a table, which takes a search for each cell and goal.
const MOST: usize = 400;

/// For each cell, the cells from which a box reaches fewer goals if the cell is a wall.
pub(crate) struct Hot {
    words: usize,
    blocks: Vec<u64>,
}

impl Hot {
    pub(crate) fn new(map: &Map) -> Self {
        let words = map.words;
        let mut table = vec![0; (map.n + 1) * words];
        if map.n > MOST {
            return Self { words, blocks: table };
        }
        let (mut blocks, mut sweep) = (Blocks::default(), Sweep::default());
        let mut occupied = map.walls();
        let mut reached = vec![false; map.n];
        for c in 0..map.n {
            if map.is_dead[c] {
                continue;
            }
            occupied[c] = WALL;
            blocks.build(map, &occupied);
            for &goal in &map.goals {
                if usize::from(goal) == c {
                    continue;
                }
                reached.fill(false);
                sweep.run(map, &occupied, &blocks, Kind::Pull, goal, None, |_| true);
                for found in &sweep.found {
                    reached[usize::from(found.to)] = true;
                }
                for (x, &is_reached) in reached.iter().enumerate() {
                    if x != c && !is_reached && map.far(x as Id, goal) != super::map::FAR {
                        bits::set(&mut table[c * words..(c + 1) * words], x as Id);
                    }
                }
            }
            occupied[c] = FREE;
        }
        Self { words, blocks: table }
    }

    /// The cells from which a box reaches fewer goals because of a box on this cell.
    pub(crate) fn blocked(&self, cell: Id) -> &[u64] {
        let at = usize::from(cell) * self.words;
        &self.blocks[at..at + self.words]
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.blocks.len() * 8) as u64
    }

    /// Number of boxes that are hotspots.
    pub(crate) fn count(&self, boxes: &[u64]) -> u32 {
        let mut count = 0;
        for cell in bits::cells(boxes) {
            count += u32::from(bits::meet(self.blocked(cell), boxes));
        }
        count
    }
}
