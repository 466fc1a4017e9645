//! The board of a search: the cells that can change, with precomputed tables.
//!
//! Cells are renumbered without boxes that can never move and without blind alleys, so that the
//! search does not encounter them. The number after the last cell represents all walls: its
//! neighbours are itself, so that no look-up has to test for the edge.

use super::bits;
use crate::level::{Id, Level, NONE};

/// Distance to an unreachable cell.
pub(crate) const FAR: u16 = u16::MAX;

/// An empty cell.
pub(crate) const FREE: u8 = 0;
/// A cell with a box.
pub(crate) const BOX: u8 = 1;
/// A wall, or a box that will never move.
pub(crate) const WALL: u8 = 2;

/// The board.
pub(crate) struct Map {
    /// Number of cells.
    pub(crate) n: usize,
    /// Number of words of a bit set of cells.
    pub(crate) words: usize,
    /// The neighbours of each cell, by direction; `n` for walls.
    pub(crate) near: Vec<[Id; 4]>,
    /// Row and column of each cell.
    pub(crate) places: Vec<(usize, usize)>,
    /// The eight cells around each cell, in the order of a walk around it that begins below:
    /// straight and diagonal neighbours alternate.
    pub(crate) around: Vec<[Id; 8]>,
    pub(crate) is_goal: Vec<bool>,
    pub(crate) goals: Vec<Id>,
    pub(crate) goal_bits: Vec<u64>,
    pub(crate) is_start: Vec<bool>,
    pub(crate) starts: Vec<Id>,
    pub(crate) player: Id,
    /// The number of each cell in the level.
    pub(crate) ids: Vec<Id>,
    /// Whether the omitted cells make a solution impossible.
    pub(crate) is_hopeless: bool,
    /// The fewest pushes of a lone box from one cell (row) to another (column), wherever the player
    /// begins.
    pub(crate) pushes: Vec<u16>,
    /// The fewest pushes of a lone box to a goal.
    pub(crate) to_goal: Vec<u16>,
    /// Cells from which a lone box reaches no goal, and walls.
    pub(crate) is_dead: Vec<bool>,
    /// Cells that a lone box reaches from no start cell, and walls.
    pub(crate) is_foreign: Vec<bool>,
    /// Hash of a box on each cell.
    pub(crate) box_hash: Vec<u64>,
    /// Hash of the player in the region whose least cell this is.
    pub(crate) player_hash: Vec<u64>,
    /// Hash of a start cell to which no further box is pulled.
    pub(crate) base_hash: Vec<u64>,
}

/// A pseudo-random word that depends on another word.
pub(crate) fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// A generator of well-mixed words from a fixed seed.
fn hashes(count: usize, seed: &mut u64) -> Vec<u64> {
    let next = |_| {
        *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(*seed)
    };
    (0..count).map(next).collect()
}

impl Map {
    /// The board of a level, without the tables of distances.
    pub(super) fn without_distances(level: &Level) -> Self {
        let cells = level.cells();
        let marked = |ids: &[Id]| {
            let mut marks = vec![false; cells];
            ids.iter().for_each(|&id| marks[usize::from(id)] = true);
            marks
        };
        let (is_goal, is_box) = (marked(&level.goals), marked(level.boxes()));
        let kept = kept(level, &is_goal, &is_box);
        let stays = |id: Id| id != NONE && kept[usize::from(id)];
        let ids: Vec<Id> = (0..cells as Id).filter(|&id| stays(id)).collect();
        let n = ids.len();
        let mut new = vec![n as Id; cells];
        for (i, &id) in ids.iter().enumerate() {
            new[usize::from(id)] = i as Id;
        }
        let renumbered = |id: Id| {
            if id == NONE { n as Id } else { new[usize::from(id)] }
        };
        let mut near: Vec<[Id; 4]> =
            ids.iter().map(|&id| level.neighbours(id).map(renumbered)).collect();
        near.push([n as Id; 4]);
        let places: Vec<_> = ids.iter().map(|&id| level.place(id)).collect();
        let around = ids.iter().map(|&id| {
            let (row, column) = level.place(id);
            let at = |(down, right): (isize, isize)| {
                let place = (row.wrapping_add_signed(down), column.wrapping_add_signed(right));
                renumbered(level.id(place))
            };
            [(1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1)].map(at)
        });
        let around: Vec<_> = around.collect();
        let chosen = |of: &[bool]| -> Vec<bool> {
            ids.iter().map(|&id| of[usize::from(id)]).chain([false]).collect()
        };
        let (is_goal_here, is_start) = (chosen(&is_goal), chosen(&is_box));
        let listed =
            |of: &[bool]| -> Vec<Id> { (0..n as Id).filter(|&c| of[usize::from(c)]).collect() };
        let (goals, starts) = (listed(&is_goal_here), listed(&is_start));
        // Omitted cells must have either both a box and a goal, or neither.
        let out = |&id: &usize| !kept[id] && is_goal[id] != is_box[id];
        let is_hopeless = (0..cells).any(|id| out(&id)) || level.unsolvable.is_some();
        let words = n.div_ceil(64).max(1);
        let mut goal_bits = vec![0; words];
        goals.iter().for_each(|&g| bits::set(&mut goal_bits, g));
        let mut seed = 0x5eed_50c0_ba11;
        Self {
            n,
            words,
            near,
            places,
            around,
            is_goal: is_goal_here,
            goals,
            goal_bits,
            is_start,
            starts,
            player: renumbered(level.player),
            ids,
            is_hopeless,
            pushes: Vec::new(),
            to_goal: vec![FAR; n + 1],
            is_dead: vec![true; n + 1],
            is_foreign: vec![true; n + 1],
            box_hash: hashes(n + 1, &mut seed),
            player_hash: hashes(n + 1, &mut seed),
            base_hash: hashes(n + 1, &mut seed),
        }
    }

    /// The hash of a position: the boxes, and the player in the region with a least cell.
    pub(crate) fn hash(&self, player: Id, boxes: impl IntoIterator<Item = Id>) -> u64 {
        let boxes = boxes.into_iter().map(|cell| self.box_hash[usize::from(cell)]);
        boxes.fold(self.player_hash[usize::from(player)], |hash, cell| hash ^ cell)
    }

    /// A board with only walls.
    pub(crate) fn walls(&self) -> Vec<u8> {
        let mut occupied = vec![FREE; self.n + 1];
        occupied[self.n] = WALL;
        occupied
    }

    /// Lists the boxes of a set, and marks them on a board without other boxes.
    pub(crate) fn load(&self, set: &[u64], occupied: &mut [u8], boxes: &mut Vec<Id>) {
        occupied[..self.n].fill(FREE);
        boxes.clear();
        boxes.extend(bits::cells(set));
        boxes.iter().for_each(|&cell| occupied[usize::from(cell)] = BOX);
    }

    /// The fewest pushes of a lone box.
    #[inline]
    pub(crate) fn far(&self, from: Id, to: Id) -> u16 {
        self.pushes[usize::from(from) * self.n + usize::from(to)]
    }

    #[inline]
    pub(crate) fn beside(&self, cell: Id, way: usize) -> Id {
        self.near[usize::from(cell)][way]
    }

    /// Distance between two cells in steps, without walls.
    pub(crate) fn crow(&self, a: Id, b: Id) -> usize {
        let ((r, c), (s, d)) = (self.places[usize::from(a)], self.places[usize::from(b)]);
        r.abs_diff(s) + c.abs_diff(d)
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.n * self.n * 2 + self.n * 128) as u64
    }
}

/// Cells of a level that can matter. Boxes that can never be pushed, blind alleys, and the cells
/// that these close off are left out.
fn kept(level: &Level, is_goal: &[bool], is_box: &[bool]) -> Vec<bool> {
    let cells = level.cells();
    let mut stuck = is_box.to_vec();
    loop {
        let free = |id: Id| id != NONE && !stuck[usize::from(id)];
        let pushable = |&id: &usize| {
            let [down, left, right, up] = *level.neighbours(id as Id);
            stuck[id] && (free(down) && free(up) || free(left) && free(right))
        };
        let Some(id) = (0..cells).find(pushable) else {
            break;
        };
        stuck[id] = false;
    }
    let mut kept: Vec<bool> = stuck.iter().map(|&is_stuck| !is_stuck).collect();
    let player = usize::from(level.player);
    loop {
        let walls = |id: usize| {
            let is_wall = |&&near: &&Id| near == NONE || !kept[usize::from(near)];
            level.neighbours(id as Id).iter().filter(is_wall).count()
        };
        let blind =
            |&id: &usize| kept[id] && !is_goal[id] && !is_box[id] && id != player && walls(id) >= 3;
        let Some(id) = (0..cells).find(blind) else {
            break;
        };
        kept[id] = false;
    }
    level.reach(level.player, |id| kept[id])
}
