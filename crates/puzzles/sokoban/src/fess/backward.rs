//! Backward search for an order of packing: boxes are pulled from filled goals until all are out of
//! the way.
//!
//! The sink: a box on a start cell from which it could be pushed to many other start cells, and
//! back, is removed together with that cell. The search thus yields only the order in which goals
//! are emptied; read forwards, it is the order in which to fill them. Section 3.6 of the draft of
//! Shoham and Schaeffer's paper describes the plan; the sink follows a later program of Shoham.

use super::{
    Table, bits,
    blocks::Blocks,
    corral::Parts,
    forward::Taste,
    macros::{Destination, Kind, Sweep},
    map::{BOX, FAR, FREE, Map, mix},
    plan::{Plan, Step as Packing},
    tree::{Child, NOTHING, Node, Tree},
};
use crate::level::{Id, NONE};

/// Number of low bits of a score that encode the distance and do not select a cell.
const FINE: u32 = 16;

/// Minimum distance at which a box leaves the board at a start cell of the same room.
const AWAY: usize = 6;

/// Features of a position, unpacked.
#[derive(Clone, Copy, Debug)]
struct Features {
    left: u32,
    parts: u32,
    on_goals: u32,
    rooms: u32,
    distance: u32,
}

impl Features {
    fn score(self) -> u64 {
        let less = |value: u32| u64::from(255 - value.min(255));
        less(self.left) << 40
            | less(self.parts) << 32
            | less(self.on_goals) << 24
            | less(self.rooms) << 16
            | u64::from(self.distance.min(0xffff))
    }

    fn of(score: u64) -> Self {
        let less = |shift: u32| 255 - (score >> shift & 255) as u32;
        Self {
            left: less(40),
            parts: less(32),
            on_goals: less(24),
            rooms: less(16),
            distance: (score & 0xffff) as u32,
        }
    }
}

/// Cells at which boxes leave the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sink {
    /// No box leaves the board.
    None,
    /// In the largest set of start cells that a box can be pushed between.
    Largest,
    /// At every start cell, in the largest sets first.
    All,
}

/// Planning method of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Cells at which boxes leave the board.
    pub sink: Sink,
    /// Whether a step counts only if the other boxes can still be assigned.
    pub assigns: bool,
    /// Whether there is a plan at all.
    pub plans: bool,
    /// Preferences of the forward search.
    pub taste: Taste,
    /// Seed of the backward search; 0 keeps the usual order. Otherwise moves that are about equally
    /// good are tried in a random order.
    pub seed: u64,
    /// Share of the expansions, in per cent.
    pub share: u64,
}

/// The search.
pub(crate) struct Backward {
    tree: Tree,
    occupied: Vec<u8>,
    boxes: Vec<Id>,
    /// Start cells that no box has reached yet.
    bases: Vec<Id>,
    /// For each cell, the number of bases to which a box could be pushed and back; 0 if the box
    /// cannot leave the board there.
    sinks: Vec<u16>,
    blocks: Blocks,
    sweep: Sweep,
    parts: Parts,
    children: Vec<Child>,
    /// Boxes, followed by bases.
    board: Vec<u64>,
    roots: Vec<Id>,
    /// The node in which no box is left, or all boxes are on start cells.
    pub(crate) done: Option<u32>,
    pub(crate) is_over: bool,
    style: Style,
}

impl Backward {
    pub(crate) fn new(table: &Table, style: Style) -> Self {
        let map = &table.map;
        let mut occupied = map.walls();
        map.goals.iter().for_each(|&g| occupied[usize::from(g)] = BOX);
        let mut parts = Parts::default();
        let mut roots = Vec::new();
        if let Some(first) = (0..map.n).find(|&c| occupied[c] == FREE) {
            parts.build(map, &occupied, first as Id);
            for part in 0..parts.count {
                let mut cells =
                    (0..map.n as Id).filter(|&c| parts.part[usize::from(c)] == part as Id);
                roots.extend(cells.next());
            }
        }
        Self {
            tree: Tree::new(map.words * 2, FINE),
            occupied,
            boxes: Vec::new(),
            bases: Vec::new(),
            sinks: vec![0; map.n + 1],
            blocks: Blocks::default(),
            sweep: Sweep::default(),
            parts: Parts::default(),
            children: Vec::new(),
            board: vec![0; map.words * 2],
            roots,
            done: None,
            is_over: false,
            style,
        }
    }

    /// Expands one node.
    pub(crate) fn step(&mut self, table: &mut Table) {
        if let Some(root) = self.roots.pop() {
            self.begin(table, root);
            return;
        }
        loop {
            let Some((node, child)) = self.tree.choose() else {
                self.is_over = true;
                return;
            };
            let of = self.tree.children[child as usize];
            let words = table.map.words;
            self.board.copy_from_slice(self.tree.board(node));
            bits::clear(&mut self.board[..words], of.from);
            if of.leaves {
                bits::clear(&mut self.board[words..], of.to);
            } else {
                bits::set(&mut self.board[..words], of.to);
            }
            self.load(&table.map);
            if table.rules.retrograde
                && table.dead_board.is_stuck_backwards(&table.map, &self.occupied, of.player)
            {
                self.tree.close(of.hash);
                continue;
            }
            let added = self.tree.add((node, child), &self.board, (of.player, of.hash, of.score));
            self.expand(table, added);
            return;
        }
    }

    fn begin(&mut self, table: &mut Table, player: Id) {
        let map = &table.map;
        let words = map.words;
        self.board.fill(0);
        for &goal in &map.goals {
            bits::set(&mut self.board[..words], goal);
        }
        for &start in &map.starts {
            bits::set(&mut self.board[words..], start);
        }
        self.load(map);
        self.blocks.build(map, &self.occupied);
        let hash = map.hash(player, map.goals.iter().copied());
        let key = table.rooms.key(map, map.goals.iter().copied());
        let features = Features {
            left: map.goals.len() as u32,
            parts: u32::from(self.blocks.parts),
            on_goals: map.goals.len() as u32,
            rooms: u32::from(table.rooms.closed(map, key, &self.occupied)),
            distance: 0,
        };
        let of = (player, hash, features.score());
        let added = self.tree.add((NOTHING, NOTHING), &self.board, of);
        self.expand(table, added);
    }

    fn load(&mut self, map: &Map) {
        map.load(&self.board[..map.words], &mut self.occupied, &mut self.boxes);
        self.bases.clear();
        self.bases.extend(bits::cells(&self.board[map.words..]));
    }

    /// Finds the sets of bases between which one more box could be pushed, in both directions, past
    /// the boxes of the board.
    fn find_sinks(&mut self, map: &Map, player: Id) {
        self.sinks.fill(0);
        if self.style.sink == Sink::None {
            return;
        }
        self.blocks.build(map, &self.occupied);
        let root = self.blocks.root(player);
        let is_open =
            |&c: &Id| self.occupied[usize::from(c)] == FREE && self.blocks.root(c) == root;
        let mut rest: Vec<Id> = self.bases.iter().copied().filter(is_open).collect();
        let mut forth = vec![false; map.n];
        let mut order: Vec<(u16, u16)> = Vec::new();
        let mut of_set = vec![u16::MAX; map.n + 1];
        while let Some(&base) = rest.first() {
            let mut set: Vec<Id> = vec![base];
            forth.fill(false);
            self.sweep.run(map, &self.occupied, &self.blocks, Kind::Push, base, None, |_| true);
            for found in &self.sweep.found {
                forth[usize::from(found.to)] = true;
            }
            self.sweep.run(map, &self.occupied, &self.blocks, Kind::Pull, base, None, |_| true);
            for found in &self.sweep.found {
                let to = found.to;
                if forth[usize::from(to)] && rest.contains(&to) && !set.contains(&to) {
                    set.push(to);
                }
            }
            rest.retain(|c| !set.contains(c));
            for &c in &set {
                self.sinks[usize::from(c)] = set.len() as u16;
                of_set[usize::from(c)] = order.len() as u16;
            }
            order.push((set.len() as u16, order.len() as u16));
        }
        if self.style.sink == Sink::Largest {
            let largest = self.sinks.iter().copied().max().unwrap_or(0);
            // The first such set.
            let first = order.iter().find(|(size, _)| *size == largest).map(|&(_, set)| set);
            for (size, set) in self.sinks.iter_mut().zip(&of_set) {
                if Some(*set) != first {
                    *size = 0;
                }
            }
        }
    }

    /// Whether the boxes without `gone` can all come from bases without `base`.
    fn can_spare(&self, map: &Map, gone: Id, base: Id) -> bool {
        let bases: Vec<Id> = self.bases.iter().copied().filter(|&b| b != base).collect();
        let boxes: Vec<Id> = self.boxes.iter().copied().filter(|&b| b != gone).collect();
        let mut partner = vec![usize::MAX; bases.len()];
        (0..boxes.len()).all(|i| {
            let mut tried = vec![false; bases.len()];
            augment(map, &boxes, &bases, &mut partner, &mut tried, i)
        })
    }

    fn expand(&mut self, table: &mut Table, node: u32) {
        let words = table.map.words;
        self.board.copy_from_slice(self.tree.board(node));
        self.load(&table.map);
        let on_base = |c: &Id| bits::has(&self.board[words..], *c);
        if self.done.is_none() && self.boxes.iter().all(on_base) {
            self.done = Some(node);
        }
        let Node { player, hash, .. } = self.tree.nodes[node as usize];
        self.find_sinks(&table.map, player);
        let map = &table.map;
        self.parts.build(map, &self.occupied, player);
        let key = table.rooms.key(map, self.boxes.iter().copied());
        let on_goals = self.boxes.iter().filter(|&&c| map.is_goal[usize::from(c)]);
        let parent = Features {
            left: self.boxes.len() as u32,
            parts: self.parts.count as u32,
            on_goals: on_goals.count() as u32,
            rooms: u32::from(table.rooms.closed(map, key, &self.occupied)),
            distance: self.boxes.iter().map(|&c| near_goal(map, c)).sum(),
        };
        self.children.clear();
        let mut sinks: Vec<(u16, Child)> = Vec::new();
        for i in 0..self.boxes.len() {
            let from = self.boxes[i];
            // A box that cannot be pulled now needs no walk over the board.
            let can = |way: usize| {
                let side = map.beside(from, way);
                let beyond = map.beside(side, way);
                self.parts.part[usize::from(side)] == 0
                    && !map.is_foreign[usize::from(side)]
                    && self.occupied[usize::from(beyond)] == FREE
            };
            if !(0..4).any(can) {
                continue;
            }
            self.occupied[usize::from(from)] = FREE;
            self.blocks.build(map, &self.occupied);
            self.sweep.run(
                map,
                &self.occupied,
                &self.blocks,
                Kind::Pull,
                from,
                Some(player),
                |c| !map.is_foreign[usize::from(c)],
            );
            let was_goal = map.is_goal[usize::from(from)];
            let part_from = table.rooms.part(map, from);
            let base =
                hash ^ map.box_hash[usize::from(from)] ^ map.player_hash[usize::from(player)];
            let mut sunk: Option<(u16, Child)> = None;
            for index in self.sweep.first..self.sweep.found.len() {
                let found = self.sweep.found[index];
                let to = usize::from(found.to);
                table.generated += 1;
                let mut features = Features {
                    on_goals: parent.on_goals - u32::from(was_goal),
                    distance: parent.distance.saturating_sub(near_goal(map, from)),
                    ..parent
                };
                if self.sinks[to] > sunk.map_or(0, |(size, _)| size)
                    && (table.rooms.apart(from, found.to) || map.crow(from, found.to) >= AWAY)
                    && self.can_spare(map, from, found.to)
                {
                    let player = self.blocks.root(found.to);
                    let hash = base ^ map.player_hash[usize::from(player)] ^ map.base_hash[to];
                    if self.tree.is_closed(hash) {
                        continue;
                    }
                    features.left -= 1;
                    features.parts = u32::from(self.blocks.parts);
                    features.rooms =
                        u32::from(table.rooms.closed(map, key ^ part_from, &self.occupied));
                    let score = features.score();
                    let child =
                        Child { hash, score, from, to: found.to, player, leaves: true, weight: 1 };
                    sunk = Some((self.sinks[to], child));
                    continue;
                }
                let hash = base ^ map.box_hash[to] ^ map.player_hash[usize::from(found.player)];
                if self.tree.is_closed(hash) {
                    continue;
                }
                self.occupied[to] = BOX;
                features.parts = u32::from(found.parts);
                let key = key ^ part_from ^ table.rooms.part(map, found.to);
                features.rooms = u32::from(table.rooms.closed(map, key, &self.occupied));
                features.on_goals += u32::from(map.is_goal[to]);
                features.distance += near_goal(map, found.to);
                self.occupied[to] = FREE;
                let Destination { to, player, .. } = found;
                let score = features.score();
                self.children.push(Child {
                    hash,
                    score,
                    from,
                    to,
                    player,
                    leaves: false,
                    weight: 1,
                });
            }
            sinks.extend(sunk);
            self.occupied[usize::from(from)] = BOX;
        }
        let largest = sinks.iter().map(|&(size, _)| size).max();
        let is_sinking = largest.is_some();
        if is_sinking {
            sinks.retain(|&(size, _)| Some(size) == largest);
            self.children = sinks.into_iter().map(|(_, child)| child).collect();
        }
        if self.style.seed != 0 {
            // Sinks are tried in any order; other moves are permuted only if they differ merely by
            // distance.
            let bits = if is_sinking { 40 } else { FINE };
            for child in &mut self.children {
                let noise = mix(child.hash ^ self.style.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                child.score = child.score >> bits << bits | noise >> (64 - FINE);
            }
        }
        if is_sinking {
            if let Some(best) = self.children.iter_mut().max_by_key(|child| child.score) {
                best.weight = 0;
            }
        } else {
            self.advise(&table.map, parent);
        }
        self.tree.attach(node, &mut self.children);
    }

    /// Applies each advisor, which may name a child.
    fn advise(&mut self, map: &Map, parent: Features) {
        let mut named: [Option<(u64, usize)>; 4] = [None; 4];
        for (i, child) in self.children.iter().enumerate() {
            let of = Features::of(child.score);
            let same = of.parts <= parent.parts && of.rooms <= parent.rooms;
            let better = [
                map.is_goal[usize::from(child.from)]
                    && !map.is_goal[usize::from(child.to)]
                    && same
                    && of.distance > parent.distance,
                of.parts < parent.parts,
                of.rooms < parent.rooms,
                same && of.on_goals <= parent.on_goals && of.distance > parent.distance,
            ];
            for (name, is_better) in named.iter_mut().zip(better) {
                if is_better && name.is_none_or(|(best, _)| child.score > best) {
                    *name = Some((child.score, i));
                }
            }
        }
        for (_, i) in named.into_iter().flatten() {
            self.children[i].weight = 0;
        }
    }

    /// Number of boxes that remain in the best node.
    pub(crate) fn left(&self) -> u32 {
        let best = self.tree.nodes.get(self.tree.best as usize);
        best.map_or(u32::MAX, |node| Features::of(node.score).left)
    }

    /// The plan of the best node.
    pub(crate) fn plan(&self, map: &Map) -> Plan {
        let best = self.done.unwrap_or(self.tree.best);
        if best == NOTHING {
            return Plan::none(map);
        }
        let line = self.tree.line(best);
        let mut steps: Vec<Packing> = Vec::new();
        for &(_, child) in line.iter().rev() {
            let of = &self.tree.children[child as usize];
            // The box was pulled from `from` to `to`; forwards it is pushed from `to`.
            let from = if of.leaves { NONE } else { of.to };
            if of.from == of.to {
                continue;
            }
            match steps.last_mut() {
                Some(last) if from != NONE && last.to == from => last.to = of.from,
                _ => steps.push(Packing { from, to: of.from }),
            }
        }
        let board = self.tree.board(best);
        Plan::new(map, &board[..map.words], steps, self.style.assigns)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.tree.bytes()
    }

    pub(crate) fn growth(&self, most: usize) -> u64 {
        self.tree.growth(most)
    }
}

fn near_goal(map: &Map, cell: Id) -> u32 {
    let distance = map.to_goal[usize::from(cell)];
    if distance == FAR { 0 } else { u32::from(distance) }
}

/// Finds a base for box `i`; other boxes may change their bases (augmenting path).
fn augment(
    map: &Map,
    boxes: &[Id],
    bases: &[Id],
    partner: &mut [usize],
    tried: &mut [bool],
    i: usize,
) -> bool {
    for b in 0..bases.len() {
        if tried[b] || map.far(bases[b], boxes[i]) == FAR {
            continue;
        }
        tried[b] = true;
        if partner[b] == usize::MAX || augment(map, boxes, bases, partner, tried, partner[b]) {
            partner[b] = i;
            return true;
        }
    }
    false
}
