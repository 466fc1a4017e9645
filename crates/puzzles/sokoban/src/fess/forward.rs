//! The search forwards along a plan: features, advisors, expansion.

use super::{
    Table, bits,
    blocks::Blocks,
    corral::{Parts, pi_corral},
    dead::{freezes, settle},
    macros::{Destination, Kind, Sweep},
    map::{BOX, FAR, FREE, Map, WALL},
    plan::Plan,
    tree::{Child, NOTHING, Node, Tree},
};
use crate::level::Id;
use std::cmp::Reverse;

/// Number of low bits of a score that encode hotspots and distance and do not select a cell.
const FINE: u32 = 24;

/// Result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    More,
    /// All goals are filled by this child of this node.
    Found(u32, u32),
    /// No node is left to expand.
    End,
}

/// The features of a position, unpacked.
#[derive(Clone, Copy, Debug)]
struct Features {
    packed: u32,
    parts: u32,
    rooms: u32,
    cut_off: u32,
    hot: u32,
    distance: u32,
}

impl Features {
    fn score(self) -> u64 {
        let less = |value: u32| u64::from(255 - value.min(255));
        u64::from(self.packed.min(1023)) << 48
            | less(self.parts) << 40
            | less(self.rooms) << 32
            | less(self.cut_off) << 24
            | less(self.hot) << 16
            | u64::from(self.distance.min(0xffff))
    }

    fn of(score: u64) -> Self {
        let less = |shift: u32| 255 - (score >> shift & 255) as u32;
        Self {
            packed: (score >> 48) as u32,
            parts: less(40),
            rooms: less(32),
            cut_off: less(24),
            hot: less(16),
            distance: (score & 0xffff) as u32,
        }
    }
}

/// Preferences of the forward search besides the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taste {
    /// Whether advisors name moves; without advisors, all moves have the weight 0.
    pub advisors: bool,
    /// Whether, if no move does the plan's next step, an advisor names the move of the box that is
    /// nearest to it.
    pub opener: bool,
    /// Whether an advisor names moves of boxes away from cells where they block others.
    pub hotspots: bool,
    /// Whether an advisor names moves that let the player into another part of the board.
    pub explorer: bool,
    /// Whether ties prefer boxes near goals; otherwise they prefer boxes far from goals.
    pub near: bool,
}

impl Taste {
    /// All advisors, with boxes far from goals first.
    pub const USUAL: Self =
        Self { advisors: true, opener: true, hotspots: true, explorer: true, near: false };

    /// The contribution of a box's distance to scores.
    fn distance(self, map: &Map, cell: Id) -> u32 {
        let distance = u32::from(finite(map.to_goal[usize::from(cell)]));
        if self.near { 500 - distance.min(500) } else { distance }
    }
}

/// The search.
pub(crate) struct Forward {
    pub(crate) tree: Tree,
    pub(crate) plan: Plan,
    occupied: Vec<u8>,
    marks: Vec<u8>,
    boxes: Vec<Id>,
    rest: Vec<Id>,
    held: Vec<Id>,
    blocks: Blocks,
    sweep: Sweep,
    parts: Parts,
    /// Scores by cell of the moved box; 0 if not computed.
    scores: Vec<u64>,
    /// Cache of whether the box may enter a cell: 0 unknown, 1 allowed, 2 forbidden.
    enters: Vec<u8>,
    children: Vec<Child>,
    board: Vec<u64>,
    is_begun: bool,
    taste: Taste,
}

impl Forward {
    pub(crate) fn new(table: &Table, plan: Plan, taste: Taste) -> Self {
        let map = &table.map;
        Self {
            tree: Tree::new(map.words, FINE),
            plan,
            occupied: map.walls(),
            marks: map.walls(),
            boxes: Vec::new(),
            rest: Vec::new(),
            held: Vec::new(),
            blocks: Blocks::default(),
            sweep: Sweep::default(),
            parts: Parts::default(),
            scores: vec![0; map.n + 1],
            enters: vec![0; map.n + 1],
            children: Vec::new(),
            board: vec![0; map.words],
            is_begun: false,
            taste,
        }
    }

    /// Expands one node.
    pub(crate) fn step(&mut self, table: &mut Table) -> Step {
        if !self.is_begun {
            self.is_begun = true;
            self.begin(table);
            return self.expand(table, 0);
        }
        loop {
            let Some((node, child)) = self.tree.choose() else {
                return Step::End;
            };
            let of = self.tree.children[child as usize];
            self.board.copy_from_slice(self.tree.board(node));
            bits::clear(&mut self.board, of.from);
            bits::set(&mut self.board, of.to);
            if self.is_dead(table, of.player) {
                self.tree.close(of.hash);
                continue;
            }
            let added = self.tree.add((node, child), &self.board, (of.player, of.hash, of.score));
            return self.expand(table, added);
        }
    }

    fn begin(&mut self, table: &mut Table) {
        self.board.fill(0);
        let map = &table.map;
        map.starts.iter().for_each(|&c| bits::set(&mut self.board, c));
        for &c in &map.starts {
            self.occupied[usize::from(c)] = BOX;
        }
        self.blocks.build(map, &self.occupied);
        let player = self.blocks.root(map.player);
        let hash = map.hash(player, map.starts.iter().copied());
        let parts = u32::from(self.blocks.parts);
        let key = table.rooms.key(map, map.starts.iter().copied());
        let rooms = table.rooms.closed(map, key, &self.occupied);
        let distance = map.starts.iter().map(|&c| self.taste.distance(map, c)).sum();
        let packed = self.plan.packed(&self.board);
        let features = Features {
            packed,
            parts,
            rooms: u32::from(rooms),
            cut_off: self.plan.cut_off(&self.board, packed),
            hot: table.hot.count(&self.board),
            distance,
        };
        self.tree.add((NOTHING, NOTHING), &self.board, (player, hash, features.score()));
    }

    /// Rules that are too slow for every child.
    fn is_dead(&mut self, table: &mut Table, player: Id) -> bool {
        table.map.load(&self.board, &mut self.occupied, &mut self.boxes);
        let rules = table.rules;
        let map = &table.map;
        if !settle(map, &mut self.occupied, &self.boxes, &mut self.rest) {
            return true;
        }
        if rules.bipartite && table.dead_board.is_unassignable(map, &self.occupied, &self.boxes)
            || rules.retrograde && table.dead_board.is_packed_too_early(map, &self.occupied)
        {
            return true;
        }
        if rules.corral {
            self.parts.build(map, &self.occupied, player);
            let limit = (player, table.rules.corral_limit);
            let Self { occupied, boxes, parts, .. } = self;
            return table.corrals.is_dead(map, occupied, boxes, parts, limit);
        }
        false
    }

    /// Generates the children of a node.
    fn expand(&mut self, table: &mut Table, node: u32) -> Step {
        self.board.copy_from_slice(self.tree.board(node));
        table.map.load(&self.board, &mut self.occupied, &mut self.boxes);
        let Node { player, score, hash, .. } = self.tree.nodes[node as usize];
        let parent = Features::of(score);
        let map = &table.map;
        let mut allowed: Option<Vec<Id>> = None;
        if table.rules.pi_corral && settle(map, &mut self.occupied, &self.boxes, &mut self.rest) {
            self.parts.build(map, &self.occupied, player);
            allowed = pi_corral(map, &self.occupied, &self.boxes, &self.parts);
        }
        for &c in &self.boxes {
            self.occupied[usize::from(c)] = BOX;
        }
        self.parts.build(map, &self.occupied, player);
        self.marks.copy_from_slice(&self.occupied);
        let key = table.rooms.key(map, self.boxes.iter().copied());
        self.children.clear();
        let mut explorer: Option<(u64, usize)> = None;
        let count = self.boxes.len();
        for i in 0..count {
            let from = self.boxes[i];
            if allowed.as_ref().is_some_and(|list| !list.contains(&from)) {
                continue;
            }
            let map = &table.map;
            // A box that cannot be pushed now needs no walk over the board.
            let can = |way: usize| {
                let (side, to) = (map.beside(from, way), map.beside(from, 3 - way));
                self.parts.part[usize::from(side)] == 0
                    && !map.is_dead[usize::from(to)]
                    && self.occupied[usize::from(to)] == FREE
            };
            if !(0..4).any(can) {
                continue;
            }
            self.occupied[usize::from(from)] = FREE;
            self.marks[usize::from(from)] = FREE;
            self.blocks.build(map, &self.occupied);
            self.enters.fill(0);
            self.scores.fill(0);
            {
                let (enters, marks, held) = (&mut self.enters, &mut self.marks, &mut self.held);
                let is_allowed = |c: Id| {
                    let at = usize::from(c);
                    if enters[at] == 0 {
                        let mut fits = !map.is_dead[at];
                        if fits && table.rules.freeze {
                            marks[at] = BOX;
                            fits = !freezes(map, marks, held, c);
                            marks[at] = FREE;
                        }
                        enters[at] = if fits { 1 } else { 2 };
                    }
                    enters[at] == 1
                };
                self.sweep.run(
                    map,
                    &self.occupied,
                    &self.blocks,
                    Kind::Push,
                    from,
                    Some(player),
                    is_allowed,
                );
            }
            bits::clear(&mut self.board, from);
            // Whether the move of this box can open a part of the board to the player.
            let opens = map.near[usize::from(from)].iter().any(|&side| self.parts.is_hidden(side));
            let part_from = table.rooms.part(map, from);
            let base =
                hash ^ map.box_hash[usize::from(from)] ^ map.player_hash[usize::from(player)];
            for index in self.sweep.first..self.sweep.found.len() {
                let found = self.sweep.found[index];
                let to = usize::from(found.to);
                table.generated += 1;
                let hash = base ^ map.box_hash[to] ^ map.player_hash[usize::from(found.player)];
                if self.tree.is_closed(hash) {
                    continue;
                }
                if self.scores[to] == 0 {
                    bits::set(&mut self.board, found.to);
                    self.occupied[to] = BOX;
                    let key = key ^ part_from ^ table.rooms.part(map, found.to);
                    let packed = self.plan.packed(&self.board);
                    let features = Features {
                        packed,
                        parts: u32::from(found.parts),
                        rooms: u32::from(table.rooms.closed(map, key, &self.occupied)),
                        cut_off: self.plan.cut_off(&self.board, packed),
                        hot: table.hot.count(&self.board),
                        distance: (parent.distance + self.taste.distance(map, found.to))
                            .saturating_sub(self.taste.distance(map, from)),
                    };
                    self.occupied[to] = FREE;
                    self.scores[to] = features.score() | 1 << 63;
                    bits::clear(&mut self.board, found.to);
                }
                let score = self.scores[to] & !(1 << 63);
                if opens
                    && score >> 48 >= u64::from(parent.packed)
                    && map.far(found.to, from) != FAR
                {
                    let is_best = explorer.is_none_or(|(best, _)| score > best);
                    if is_best && self.explores(table, found.to, found.player) {
                        explorer = Some((score, self.children.len()));
                    }
                }
                let Destination { to, player, .. } = found;
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
            bits::set(&mut self.board, from);
            self.occupied[usize::from(from)] = BOX;
            self.marks[usize::from(from)] = BOX;
        }
        self.advise(table, parent, explorer.map(|(_, index)| index));
        let mut solved = None;
        let is_goal = |cell: Id| table.map.is_goal[usize::from(cell)];
        for child in self.children.iter().filter(|child| is_goal(child.to) && !is_goal(child.from))
        {
            bits::clear(&mut self.board, child.from);
            bits::set(&mut self.board, child.to);
            if bits::within(&table.map.goal_bits, &self.board) {
                solved = Some(child.hash);
            }
            bits::set(&mut self.board, child.from);
            bits::clear(&mut self.board, child.to);
        }
        self.tree.attach(node, &mut self.children);
        if let Some(hash) = solved {
            let first = self.tree.children.len() - self.children.len();
            let mut all = self.tree.children[first..].iter();
            if let Some(at) = all.position(|child| child.hash == hash) {
                return Step::Found(node, (first + at) as u32);
            }
        }
        Step::More
    }

    /// Whether a box that did not move can be pushed from a new side after the move to `to`.
    fn explores(&self, table: &Table, to: Id, player: Id) -> bool {
        let map = &table.map;
        let reaches = |side: Id| {
            let at = usize::from(side);
            side != to
                && self.occupied[at] == FREE
                && self.parts.part[at] != 0
                && self.blocks.without(map, to, side) == player
        };
        self.boxes.iter().any(|&cell| {
            self.occupied[usize::from(cell)] == BOX
                && (0..4).any(|way| {
                    let beyond = map.beside(cell, 3 - way);
                    self.occupied[usize::from(beyond)] != WALL
                        && !map.is_dead[usize::from(beyond)]
                        && reaches(map.beside(cell, way))
                })
        })
    }

    /// Applies each advisor, which may name a child.
    fn advise(&mut self, table: &Table, parent: Features, explorer: Option<usize>) {
        let map = &table.map;
        if !self.taste.advisors {
            self.children.iter_mut().for_each(|child| child.weight = 0);
            return;
        }
        let mut named: [Option<(u64, usize)>; 4] = [None; 4];
        let next = self.plan.next(parent.packed);
        let mut opener: Option<((u16, Reverse<u16>), usize)> = None;
        let mut out: Option<((u16, Reverse<u16>), usize)> = None;
        for (i, child) in self.children.iter().enumerate() {
            let of = Features::of(child.score);
            if of.packed < parent.packed {
                continue;
            }
            let better = [
                of.packed > parent.packed,
                of.parts < parent.parts,
                of.rooms < parent.rooms,
                of.hot < parent.hot,
            ];
            for (name, is_better) in named.iter_mut().zip(better) {
                if is_better && name.is_none_or(|(best, _)| child.score > best) {
                    *name = Some((child.score, i));
                }
            }
            let worse = of.parts > parent.parts || of.rooms > parent.rooms;
            if let Some(step) = next
                && !worse
                && child.from != child.to
            {
                let key =
                    (map.far(child.from, step.to), Reverse(finite(map.far(child.to, step.to))));
                if opener.is_none_or(|(best, _)| key < best) {
                    opener = Some((key, i));
                }
            }
            if parent.cut_off > 0
                && !worse
                && of.cut_off <= parent.cut_off
                && map.far(child.to, child.from) != FAR
                && self.plan.is_in_zone(child.from, parent.packed)
                && !self.plan.is_in_zone(child.to, parent.packed)
            {
                let key = (0, Reverse(finite(map.far(child.from, child.to))));
                if out.is_none_or(|(best, _)| key < best) {
                    out = Some((key, i));
                }
            }
        }
        if named[0].is_some() || !self.taste.opener {
            opener = None;
        }
        if !self.taste.hotspots {
            named[3] = None;
        }
        let all = named.iter().map(|name| name.map(|(_, i)| i));
        let explorer = explorer.filter(|_| self.taste.explorer);
        let others = [explorer, opener.map(|(_, i)| i), out.map(|(_, i)| i)];
        for i in all.chain(others).flatten() {
            self.children[i].weight = 0;
        }
    }
}

/// Replaces the distance of an unreachable cell by 0.
fn finite(distance: u16) -> u16 {
    if distance == FAR { 0 } else { distance }
}
