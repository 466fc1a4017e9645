//! Parts of the board that the player is shut out of, and the boxes around them.
//!
//! Two uses: moves elsewhere are left out where a corral has to be opened first (a PI-corral: its
//! boxes can only be pushed inwards, and the player can make all these pushes now), and corrals are
//! searched on their own, without the other boxes, for a way to open them.

use super::{
    dead::freezes,
    map::{BOX, FREE, Map, WALL},
};
use crate::{
    level::{Id, NONE},
    memory::refill,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{cmp::Reverse, collections::BinaryHeap};

/// The parts of a board and which boxes touch them.
#[derive(Default)]
pub(crate) struct Parts {
    /// The part of each free cell; part 0 is the player's. [`NONE`] for boxes and walls.
    pub(crate) part: Vec<Id>,
    pub(crate) count: usize,
    stack: Vec<Id>,
}

impl Parts {
    pub(crate) fn build(&mut self, map: &Map, occupied: &[u8], player: Id) {
        refill(&mut self.part, map.n + 1, NONE);
        self.count = 0;
        self.fill(map, occupied, player);
        for c in 0..map.n {
            if occupied[c] == FREE && self.part[c] == NONE {
                self.fill(map, occupied, c as Id);
            }
        }
    }

    fn fill(&mut self, map: &Map, occupied: &[u8], from: Id) {
        let part = self.count as Id;
        self.count += 1;
        self.part[usize::from(from)] = part;
        self.stack.push(from);
        while let Some(at) = self.stack.pop() {
            for &next in &map.near[usize::from(at)] {
                let to = usize::from(next);
                if occupied[to] == FREE && self.part[to] == NONE {
                    self.part[to] = part;
                    self.stack.push(next);
                }
            }
        }
    }
}

/// A corral as sets of parts.
type Union = u128;

impl Parts {
    /// Whether a cell is free and the player cannot reach it.
    pub(crate) fn is_hidden(&self, cell: Id) -> bool {
        !matches!(self.part[usize::from(cell)], 0 | NONE)
    }

    /// The part of a cell if the player cannot reach it, as a set; for at most 128 parts.
    fn hidden(&self, cell: Id) -> Option<Union> {
        self.is_hidden(cell).then(|| 1 << self.part[usize::from(cell)])
    }

    /// Whether a cell is in one of some parts that the player cannot reach.
    fn is_in(&self, union: Union, cell: Id) -> bool {
        self.hidden(cell).is_some_and(|part| union & part != 0)
    }

    /// The sets of parts with which the search for corrals begins: each part, and the parts that a
    /// box has in common. `beside` returns the cells that count as beside a box. Empty if there are
    /// no such parts, or too many.
    fn seeds<'m>(
        &self,
        boxes: impl Iterator<Item = Id>,
        beside: impl Fn(usize) -> &'m [Id],
    ) -> Vec<Union> {
        if self.count > 100 {
            return Vec::new();
        }
        let mut seeds: Vec<Union> = (1..self.count).map(|part| 1 << part).collect();
        if seeds.is_empty() {
            return seeds;
        }
        for cell in boxes {
            let sides = beside(usize::from(cell)).iter().filter_map(|&side| self.hidden(side));
            let touched = sides.fold(0, |all, part| all | part);
            if touched.count_ones() > 1 && !seeds.contains(&touched) {
                seeds.push(touched);
            }
        }
        seeds
    }
}

/// Finds the PI-corral with the fewest boxes to push, and returns these boxes; `None` if there is
/// no PI-corral. Boxes that never move are marked as walls.
///
/// Sound: if the position has a solution, some solution begins with a push of such a box.
pub(crate) fn pi_corral(
    map: &Map,
    occupied: &[u8],
    boxes: &[Id],
    parts: &Parts,
) -> Option<Vec<Id>> {
    let mut best: Option<Vec<Id>> = None;
    let mut tried: Vec<Union> = Vec::new();
    for seed in parts.seeds(boxes.iter().copied(), |cell| &map.near[cell]) {
        let mut union = seed;
        while !tried.contains(&union) {
            tried.push(union);
            match corral(map, occupied, boxes, parts, union) {
                Corral::No => break,
                Corral::Larger(more) => union |= more,
                Corral::Inward(inward) => {
                    if best.as_ref().is_none_or(|best| inward.len() < best.len()) {
                        best = Some(inward);
                    }
                    break;
                }
            }
        }
    }
    best.filter(|best| best.len() < boxes.len())
}

/// Classification of a union of parts.
enum Corral {
    No,
    /// No PI-corral without these parts, and perhaps not with them.
    Larger(Union),
    /// A PI-corral with these boxes to push.
    Inward(Vec<Id>),
}

fn corral(map: &Map, occupied: &[u8], boxes: &[Id], parts: &Parts, union: Union) -> Corral {
    let inside = |cell: Id| parts.is_in(union, cell);
    let mut fence = Vec::new();
    let mut has_work = false;
    for &cell in boxes {
        if occupied[usize::from(cell)] == WALL {
            continue;
        }
        if map.near[usize::from(cell)].iter().any(|&side| inside(side)) {
            has_work |= !map.is_goal[usize::from(cell)];
            fence.push(cell);
        }
    }
    has_work = has_work || map.goals.iter().any(|&goal| inside(goal));
    if !has_work || fence.is_empty() {
        return Corral::No;
    }
    let mut inward = Vec::new();
    for &cell in &fence {
        let mut pushes_in = false;
        for way in 0..4 {
            let (to, stands) = (map.beside(cell, way), map.beside(cell, 3 - way));
            let shut = |c: Id| occupied[usize::from(c)] == WALL || fence.contains(&c);
            if shut(to) || shut(stands) || map.is_dead[usize::from(to)] || inside(stands) {
                continue;
            }
            let outer = |c: Id| parts.hidden(c).filter(|_| !inside(c));
            if let Some(more) = outer(stands).or_else(|| outer(to)) {
                return Corral::Larger(more);
            }
            // Boxes outside of the corral on either cell may be moved away.
            if occupied[usize::from(stands)] == BOX || !inside(to) {
                return Corral::No;
            }
            pushes_in = true;
        }
        if pushes_in {
            inward.push(cell);
        }
    }
    Corral::Inward(inward)
}

/// Result of a corral search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Alive,
    Dead,
    /// The search reached its limit of positions without an answer. The number counts the requests
    /// for this corral.
    Unknown(u32),
}

/// Positions of a corral search.
#[derive(Clone, Debug)]
struct Local {
    boxes: Vec<Id>,
    player: Id,
    hash: u64,
}

/// Corral searches with their cached results.
#[derive(Default)]
pub(crate) struct Corrals {
    known: FxHashMap<u64, Verdict>,
    /// Verdicts by the boxes and the player's part of the whole board, which are known without a
    /// flood fill.
    whole: FxHashMap<u64, bool>,
    occupied: Vec<u8>,
    zone: Vec<bool>,
    region: Vec<bool>,
    stack: Vec<Id>,
    held: Vec<Id>,
}

impl Corrals {
    /// Whether one of the corrals of a position can neither be opened nor filled. Sound.
    pub(crate) fn is_dead(
        &mut self,
        map: &Map,
        occupied: &[u8],
        boxes: &[Id],
        parts: &Parts,
        (player, limit): (Id, usize),
    ) -> bool {
        let moving = boxes.iter().copied().filter(|&cell| occupied[usize::from(cell)] != WALL);
        let mut fences: Vec<Vec<Id>> = Vec::new();
        for seed in parts.seeds(moving, |cell| &map.around[cell]) {
            let touches = |&&cell: &&Id| {
                map.around[usize::from(cell)].iter().any(|&side| parts.is_in(seed, side))
            };
            let fence: Vec<Id> = boxes.iter().filter(touches).copied().collect();
            if fence.is_empty() || fences.contains(&fence) {
                continue;
            }
            let key = map.hash(player, fence.iter().copied());
            let is_dead = match self.whole.get(&key) {
                Some(&is_dead) => is_dead,
                None => {
                    let verdict = self.judge(map, &fence, player, limit);
                    if self.whole.len() > 1 << 20 {
                        self.whole.clear();
                    }
                    if !matches!(verdict, Verdict::Unknown(_)) {
                        self.whole.insert(key, verdict == Verdict::Dead);
                    }
                    verdict == Verdict::Dead
                }
            };
            if is_dead {
                return true;
            }
            fences.push(fence);
        }
        false
    }

    /// Whether these boxes, without the others, can be brought to goals, or the part of the board
    /// behind them can be opened.
    pub(crate) fn judge(&mut self, map: &Map, fence: &[Id], player: Id, limit: usize) -> Verdict {
        refill(&mut self.occupied, map.n + 1, FREE);
        self.occupied[map.n] = WALL;
        for &cell in fence {
            self.occupied[usize::from(cell)] = BOX;
        }
        let (size, least) = self.flood(map, player);
        if size + fence.len() == map.n || fence.iter().all(|&c| map.is_goal[usize::from(c)]) {
            return Verdict::Alive;
        }
        let hash = |boxes: &[Id], player: Id| {
            map.hash(player, boxes.iter().copied().filter(|&cell| cell != NONE))
        };
        let root = hash(fence, least);
        let mut budget = limit;
        match self.known.get_mut(&root) {
            Some(Verdict::Unknown(asked)) => {
                *asked += 1;
                let asked = *asked;
                if asked < 128 || !asked.is_power_of_two() {
                    return Verdict::Unknown(asked);
                }
                budget = asked as usize;
            }
            Some(known) => return *known,
            None => {}
        }
        self.zone.clear();
        self.zone.extend(self.region.iter().map(|&seen| !seen));
        if self.known.len() > 1 << 20 {
            self.known.clear();
        }
        // Best first: the largest region of the player, then the fewest boxes.
        let mut nodes = vec![Local { boxes: fence.to_vec(), player: least, hash: root }];
        let mut seen = FxHashSet::from_iter([root]);
        let mut open = BinaryHeap::from([Reverse((0, 0_u32))]);
        let mut expanded = 0;
        while let Some(Reverse((_, index))) = open.pop() {
            if expanded >= budget {
                let asked = match self.known.get(&root) {
                    Some(Verdict::Unknown(asked)) => *asked,
                    _ => 1,
                };
                self.known.insert(root, Verdict::Unknown(asked));
                return Verdict::Unknown(asked);
            }
            expanded += 1;
            let Local { boxes, player, .. } = nodes[index as usize].clone();
            self.occupied[..map.n].fill(FREE);
            for &cell in boxes.iter().filter(|&&cell| cell != NONE) {
                self.occupied[usize::from(cell)] = BOX;
            }
            self.flood(map, player);
            let reached = self.region.clone();
            for i in 0..boxes.len() {
                let cell = boxes[i];
                if cell == NONE {
                    continue;
                }
                for way in 0..4 {
                    let (to, stands) = (map.beside(cell, way), map.beside(cell, 3 - way));
                    if !reached[usize::from(stands)]
                        || self.occupied[usize::from(to)] != FREE
                        || map.is_dead[usize::from(to)]
                    {
                        continue;
                    }
                    let stays = self.zone[usize::from(to)];
                    self.occupied[usize::from(cell)] = FREE;
                    let mut is_alive = false;
                    if stays {
                        self.occupied[usize::from(to)] = BOX;
                    }
                    if !stays || !freezes(map, &mut self.occupied, &mut self.held, to) {
                        let mut moved = boxes.clone();
                        moved[i] = if stays { to } else { NONE };
                        let (size, least) = self.flood(map, cell);
                        let left = moved.iter().filter(|&&b| b != NONE).count();
                        is_alive = size + left == map.n
                            || moved.iter().all(|&b| b == NONE || map.is_goal[usize::from(b)]);
                        let key = hash(&moved, least);
                        // A position that is alive in its own zone is here as good as any other.
                        let is_open = self.known.get(&key) != Some(&Verdict::Dead);
                        if is_open && seen.insert(key) {
                            let order = ((map.n - size - left) * 64 + left) as u32;
                            open.push(Reverse((order, nodes.len() as u32)));
                            nodes.push(Local { boxes: moved, player: least, hash: key });
                        }
                    }
                    self.occupied[usize::from(to)] = FREE;
                    self.occupied[usize::from(cell)] = BOX;
                    if is_alive {
                        self.known.insert(root, Verdict::Alive);
                        return Verdict::Alive;
                    }
                }
            }
        }
        self.known.extend(nodes.into_iter().map(|node| (node.hash, Verdict::Dead)));
        Verdict::Dead
    }

    /// Marks the cells that the player reaches. Returns their number and the least cell.
    fn flood(&mut self, map: &Map, from: Id) -> (usize, Id) {
        refill(&mut self.region, map.n + 1, false);
        self.region[usize::from(from)] = true;
        self.stack.push(from);
        let (mut size, mut least) = (0, from);
        while let Some(at) = self.stack.pop() {
            size += 1;
            least = least.min(at);
            for &next in &map.near[usize::from(at)] {
                let to = usize::from(next);
                if self.occupied[to] == FREE && !self.region[to] {
                    self.region[to] = true;
                    self.stack.push(next);
                }
            }
        }
        (size, least)
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.known.capacity() + self.whole.capacity()) as u64 * 17
    }
}
