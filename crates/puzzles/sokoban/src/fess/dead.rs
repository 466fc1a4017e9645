//! Rules that recognise positions without a solution and need no search.
//!
//! All rules of this file are sound: a reported position has no solution.

use super::{
    blocks::Blocks,
    macros::Sweep,
    map::{BOX, FREE, Map, WALL},
    plan::{add_reach, is_assignable},
};
use crate::{level::Id, memory::refill};
use rustc_hash::FxHashMap;

/// Whether the box on `cell` can never be pushed again and is part of a group of such boxes that
/// are not all on goals. Sound.
///
/// A box is held on an axis by a wall on one side, by dead cells on both sides, or by a
/// neighbouring box that is held while this box counts as a wall. Such walls are marked in
/// `occupied` during the call.
pub(crate) fn freezes(map: &Map, occupied: &mut [u8], held: &mut Vec<Id>, cell: Id) -> bool {
    held.clear();
    is_held(map, occupied, held, cell) && held.iter().any(|&c| !map.is_goal[usize::from(c)])
}

fn is_held(map: &Map, occupied: &mut [u8], held: &mut Vec<Id>, cell: Id) -> bool {
    let at = usize::from(cell);
    let length = held.len();
    occupied[at] = WALL;
    let mut axis = |way: usize| {
        let (a, b) = (map.near[at][way], map.near[at][3 - way]);
        let (a, b) = (usize::from(a), usize::from(b));
        occupied[a] == WALL
            || occupied[b] == WALL
            || map.is_dead[a] && map.is_dead[b]
            || occupied[a] == BOX && is_held(map, occupied, held, a as Id)
            || occupied[b] == BOX && is_held(map, occupied, held, b as Id)
    };
    let is = axis(0) && axis(1);
    occupied[at] = BOX;
    if is {
        held.push(cell);
    } else {
        held.truncate(length);
    }
    is
}

/// Marks as walls the boxes that can never be pushed again; `false` if some of them is not on a
/// goal. Sound.
///
/// Boxes that could be pushed to a live cell, with the player beside them, are removed until no
/// such box is left.
pub(crate) fn settle(map: &Map, occupied: &mut [u8], boxes: &[Id], rest: &mut Vec<Id>) -> bool {
    rest.clear();
    rest.extend_from_slice(boxes);
    loop {
        let before = rest.len();
        rest.retain(|&cell| {
            let at = usize::from(cell);
            let axis = |way: usize| {
                let a = usize::from(map.near[at][way]);
                let b = usize::from(map.near[at][3 - way]);
                occupied[a] == FREE && occupied[b] == FREE && !(map.is_dead[a] && map.is_dead[b])
            };
            let moves = axis(0) || axis(1);
            if moves {
                occupied[at] = FREE;
            }
            !moves
        });
        if rest.len() == before {
            break;
        }
    }
    for &cell in boxes {
        occupied[usize::from(cell)] = BOX;
    }
    for &cell in rest.iter() {
        occupied[usize::from(cell)] = WALL;
    }
    rest.iter().all(|&cell| map.is_goal[usize::from(cell)])
}

/// Tables and buffers of the rules that scan the whole board.
#[derive(Default)]
pub(crate) struct Board {
    taken: Vec<u8>,
    region: Vec<bool>,
    stack: Vec<Id>,
    left: Vec<Id>,
    /// Cells from which a box reaches each goal, by the hash of the walls; a bit set of goals for
    /// each cell.
    reach: FxHashMap<u64, Vec<u128>>,
    blocks: Blocks,
    sweep: Sweep,
}

impl Board {
    /// Whether boxes would hold each other once all goals are filled, although some of them have
    /// not arrived there yet. Sound.
    ///
    /// Played backwards from filled goals, every box that can be pulled by one cell is removed. A
    /// box that can never be pulled was never pushed to its goal, so it must be there already.
    /// Boxes marked as walls in `occupied` stay. The player may end in any part.
    pub(crate) fn is_packed_too_early(&mut self, map: &Map, occupied: &[u8]) -> bool {
        self.taken.clear();
        self.taken.extend(occupied.iter().map(|&o| if o == WALL { WALL } else { FREE }));
        for &goal in &map.goals {
            if self.taken[usize::from(goal)] == FREE {
                self.taken[usize::from(goal)] = BOX;
            }
        }
        let filled = self.taken.clone();
        let mut seen = vec![false; map.n];
        for zone in 0..map.n {
            if filled[zone] != FREE || seen[zone] {
                continue;
            }
            self.taken.copy_from_slice(&filled);
            self.remove_pullable(map, zone as Id);
            for (seen, &is) in seen.iter_mut().zip(&self.region) {
                *seen |= is;
            }
            let stays = |&goal: &Id| {
                let at = usize::from(goal);
                self.taken[at] == BOX && occupied[at] == FREE
            };
            if !map.goals.iter().any(stays) {
                return false;
            }
        }
        true
    }

    /// Repeatedly removes all boxes that a player in the part of `zone` can pull by a cell.
    fn remove_pullable(&mut self, map: &Map, zone: Id) {
        refill(&mut self.region, map.n + 1, false);
        self.flood(map, zone);
        let mut changed = true;
        while changed {
            changed = false;
            for c in 0..map.n {
                if self.taken[c] != BOX {
                    continue;
                }
                let pulls = (0..4).any(|way| {
                    let side = map.near[c][way];
                    let beyond = map.beside(side, way);
                    self.region[usize::from(side)] && self.taken[usize::from(beyond)] == FREE
                });
                if pulls {
                    self.taken[c] = FREE;
                    self.flood(map, c as Id);
                    changed = true;
                }
            }
        }
    }

    fn flood(&mut self, map: &Map, from: Id) {
        self.stack.push(from);
        self.region[usize::from(from)] = true;
        while let Some(at) = self.stack.pop() {
            for &next in &map.near[usize::from(at)] {
                let to = usize::from(next);
                if self.taken[to] == FREE && !self.region[to] {
                    self.region[to] = true;
                    self.stack.push(next);
                }
            }
        }
    }

    /// Whether boxes off start cells remain after repeatedly removing every box that the player can
    /// pull by a cell: a dead position of the backward search. Sound.
    pub(crate) fn is_stuck_backwards(&mut self, map: &Map, occupied: &[u8], player: Id) -> bool {
        self.taken.clear();
        self.taken.extend_from_slice(occupied);
        self.remove_pullable(map, player);
        (0..map.n).any(|c| self.taken[c] == BOX && !map.is_start[c])
    }

    /// Whether boxes cannot be assigned to goals, each by a path of pushes past the boxes that are
    /// marked as walls. Sound; skipped with more than 128 goals.
    pub(crate) fn is_unassignable(&mut self, map: &Map, occupied: &[u8], boxes: &[Id]) -> bool {
        if map.goals.len() > 128 {
            return false;
        }
        let mut walls = 0;
        self.left.clear();
        for &cell in boxes {
            if occupied[usize::from(cell)] == WALL {
                walls ^= map.box_hash[usize::from(cell)];
            } else {
                self.left.push(cell);
            }
        }
        if !self.reach.contains_key(&walls) {
            if self.reach.len() >= 500 {
                self.reach.clear();
            }
            let reach = self.reaches(map, occupied);
            self.reach.insert(walls, reach);
        }
        !is_assignable(&self.reach[&walls], self.left.iter().copied())
    }

    fn reaches(&mut self, map: &Map, occupied: &[u8]) -> Vec<u128> {
        self.taken.clear();
        self.taken.extend(occupied.iter().map(|&o| if o == WALL { WALL } else { FREE }));
        self.blocks.build(map, &self.taken);
        let mut reach = vec![0; map.n];
        add_reach(map, &self.taken, &self.blocks, &mut self.sweep, &mut reach);
        reach
    }

    pub(crate) fn bytes(&self, map: &Map) -> u64 {
        (self.reach.len() * map.n * 16) as u64
    }
}
