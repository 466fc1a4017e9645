//! Moves of one box to anywhere: all cells that it can be pushed or pulled to while the others
//! stay, with the part of the board that the player is in afterwards.

use super::{
    blocks::Blocks,
    map::{FREE, Map},
};
use crate::{
    level::{Id, NONE},
    memory::refill,
};

/// Direction in which a search plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Push,
    Pull,
}

/// Destination of a box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Destination {
    pub(crate) to: Id,
    /// The least cell of the player's part after the move.
    pub(crate) player: Id,
    /// Number of parts of the board after the move.
    pub(crate) parts: u16,
    /// Number of pushes.
    pub(crate) count: u16,
    /// The entry before the last push; `u32::MAX` for the first entries.
    back: u32,
    /// The direction of the last push or pull.
    way: u8,
}

/// A breadth-first search over the cells of a box and the parts that the player can be in.
#[derive(Default)]
pub(crate) struct Sweep {
    /// For each cell, bits of the sides that the player has reached.
    seen: Vec<u8>,
    /// Destinations, nearest first. Without a given player, the list begins with one entry for each
    /// part around the start.
    pub(crate) found: Vec<Destination>,
    /// Number of entries for the cell where the box began.
    pub(crate) first: usize,
}

impl Sweep {
    /// Finds the destinations of the box that was lifted off `from`; all other boxes are in
    /// `occupied`, from which `blocks` was built. The player begins in the part whose least cell is
    /// `player` with the box at `from`, or on any side if `player` is `None`. The box enters only
    /// cells that are `allowed`.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    pub(crate) fn run(
        &mut self,
        map: &Map,
        occupied: &[u8],
        blocks: &Blocks,
        kind: Kind,
        from: Id,
        player: Option<Id>,
        mut allowed: impl FnMut(Id) -> bool,
    ) {
        self.found.clear();
        refill(&mut self.seen, map.n + 1, 0);
        let sides = blocks.sides(map, from);
        let parts = blocks.parts_without(&sides);
        for way in 0..4 {
            let side = sides[way];
            let is_new = side != NONE && self.seen[usize::from(from)] >> way & 1 == 0;
            if is_new && player.is_none_or(|player| player == side) {
                self.enter(&sides, parts, from, side, (0, u32::MAX, 4));
            }
        }
        self.first = self.found.len();
        let mut next = 0;
        while let Some(&Destination { to: cell, player, count, .. }) = self.found.get(next) {
            let sides = blocks.sides(map, cell);
            for way in 0..4 {
                if sides[way] != player {
                    continue;
                }
                // The player is on this side. A push moves the box to the opposite side and the
                // player to the box's cell. A pull moves the box to this side and the player one
                // cell further.
                let (moved, to, stands) = match kind {
                    Kind::Push => (3 - way, map.beside(cell, 3 - way), cell),
                    Kind::Pull => {
                        let to = map.beside(cell, way);
                        (way, to, map.beside(to, way))
                    }
                };
                if occupied[usize::from(to)] != FREE
                    || occupied[usize::from(stands)] != FREE
                    || self.seen[usize::from(to)] >> way & 1 == 1
                    || !allowed(to)
                {
                    continue;
                }
                let sides = blocks.sides(map, to);
                let parts = blocks.parts_without(&sides);
                let link = (count + 1, next as u32, moved as u8);
                self.enter(&sides, parts, to, sides[way], link);
            }
            next += 1;
        }
    }

    #[inline]
    fn enter(
        &mut self,
        sides: &[Id; 4],
        parts: u16,
        to: Id,
        player: Id,
        (count, back, way): (u16, u32, u8),
    ) {
        for (way, &side) in sides.iter().enumerate() {
            if side == player {
                self.seen[usize::from(to)] |= 1 << way;
            }
        }
        self.found.push(Destination { to, player, parts, count, back, way });
    }

    /// The single pushes, or pulls, that lead to an entry: the cell of the box before each, and its
    /// direction.
    pub(crate) fn path(&self, entry: usize) -> Vec<(Id, u8)> {
        let mut path = Vec::new();
        let mut at = entry;
        while self.found[at].back != u32::MAX {
            let back = self.found[at].back as usize;
            path.push((self.found[back].to, self.found[at].way));
            at = back;
        }
        path.reverse();
        path
    }
}
