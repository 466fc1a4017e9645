//! The board with its tables of distances: pushes of a lone box from every cell to every other
//! cell.

use super::{
    blocks::Blocks,
    macros::{Kind, Sweep},
    map::{FAR, Map},
};
use crate::level::{Id, Level};

impl Map {
    /// The board of a level, with the tables of distances.
    pub(crate) fn new(level: &Level) -> Self {
        let mut map = Self::without_distances(level);
        map.measure();
        map
    }

    /// Fills the tables of distances by one sweep of a lone box from every cell.
    fn measure(&mut self) {
        let occupied = self.walls();
        let mut blocks = Blocks::default();
        blocks.build(self, &occupied);
        let mut sweep = Sweep::default();
        let mut pushes = vec![FAR; self.n * self.n];
        for from in 0..self.n {
            pushes[from * self.n + from] = 0;
            sweep.run(self, &occupied, &blocks, Kind::Push, from as Id, None, |_| true);
            for found in &sweep.found {
                let least = &mut pushes[from * self.n + usize::from(found.to)];
                *least = (*least).min(found.count);
            }
        }
        for c in 0..self.n {
            let of = |a: usize, b: usize| pushes[a * self.n + b];
            let least = self.goals.iter().map(|&g| of(c, usize::from(g))).min();
            self.to_goal[c] = least.unwrap_or(FAR);
            self.is_dead[c] = self.to_goal[c] == FAR;
            let mut starts = self.starts.iter();
            self.is_foreign[c] = !starts.any(|&s| of(usize::from(s), c) != FAR);
        }
        self.pushes = pushes;
    }
}
