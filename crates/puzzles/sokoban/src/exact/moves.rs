//! The fewest moves: bidirectional breadth-first search by single steps of the player.
//!
//! Each set of boxes has sets of player cells, so that all positions with the same boxes advance
//! together: a layer takes a few shifts for each set of boxes, without a queue. The side with the
//! smaller frontier advances. Both sides are complete by layers, so that the first position that
//! both sides have reached is on a shortest solution. Where boxes or goals are left over, the end
//! has too many positions, and only the side of the start advances.
//!
//! An expansion is a set of boxes in a layer.

use super::{
    lightest::{Part, lightest},
    table::Table,
};
use crate::{
    board::{
        Bit, Bits, Board, Each, and, first, flip, has, is_empty, meet, moved, one, or, set_of,
        size, without,
    },
    bound::{self, Distances, FAR},
    dead::frozen,
    level::{End, Move, Way},
    memory::grown_bytes,
};
use std::{mem::size_of, sync::Arc};
use unriddle_core::{
    Info, Observer, Options as _, Outcome, Progress, Quota, Role, Search, SearchError, Solution,
    Stats, options, search::check_state_size, words,
};

/// Declaration of `move-optimal`.
pub const MOVES: Info = Info {
    guarantee: "optimal in moves",
    requires: "sokoban(measure=moves)",
    parameters: MoveConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "move-optimal",
        "the fewest moves by breadth-first search from both ends, over sets of player cells for each set of boxes",
    )
};

words! {
    /// Choice among the shortest solutions.
    pub enum Lighter {
        /// The first solution found.
        First = "first",
        /// A solution with the fewest pushes.
        Pushes = "pushes",
    }
}

options! {
    /// Options of `move-optimal`.
    #[derive(Copy)]
    pub struct MoveConfig of MOVES {
        ties: Lighter = "first", "choice among the shortest solutions",
            "`first` returns the first shortest solution that the search finds; `pushes` returns \
             one with the fewest pushes, which takes longer.";
    }
}

/// A set of boxes, with player cells for each side: the side of the start and the side of the end.
#[derive(Clone, Copy, Debug)]
struct Record<const W: usize> {
    boxes: Bits<W>,
    /// Cells of all layers so far.
    seen: [Bits<W>; 2],
    /// Cells of the last complete layer.
    front: [Bits<W>; 2],
    /// Cells of the next layer, and perhaps of earlier ones.
    next: [Bits<W>; 2],
    /// Whether a side has examined the boxes, and whether it has found that no solution passes
    /// through them.
    looked: [bool; 2],
    dead: [bool; 2],
}

/// A side of the search.
#[derive(Default)]
struct Side<const W: usize> {
    /// Complete layers, the start's first; needed to reconstruct the path.
    layers: Vec<Vec<Part<W>>>,
    /// Number of records of the last layer that have been expanded.
    expanded: usize,
    /// Records with cells of the next layer.
    next: Vec<u32>,
    /// Number of player cells of the last layer.
    cells: u64,
}

/// The search.
pub struct MoveOptimal<const W: usize> {
    board: Arc<Board<W>>,
    config: MoveConfig,
    start: (Bits<W>, Bit),
    /// Cells from which a box can reach a goal, and cells that a box can reach from the start.
    live: Option<[Bits<W>; 2]>,
    /// The goals that can be reached from each cell.
    goals: Vec<Bits<W>>,
    /// Goals that can be reached from each cell as a mask of goal numbers, for at most four goals.
    few: Vec<u8>,
    records: Vec<Record<W>>,
    table: Table,
    sides: [Side<W>; 2],
    /// The side whose layer is being expanded.
    turn: usize,
    logged: u64,
    stats: Stats,
    outcome: Option<Outcome<Move>>,
}

/// Index of the side of the start, and of the side of the end.
const FORTH: usize = 0;
const BACK: usize = 1;

impl<const W: usize> MoveOptimal<W> {
    /// A search for the fewest moves from a position.
    ///
    /// # Errors
    /// A board whose positions are too large.
    pub fn new(
        board: Arc<Board<W>>,
        start: (Bits<W>, Bit),
        config: MoveConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        check_state_size::<crate::Sokoban<W>>()?;
        Ok(Self {
            board,
            config,
            start,
            live: None,
            goals: Vec::new(),
            few: Vec::new(),
            records: Vec::new(),
            table: Table::default(),
            sides: [Side::default(), Side::default()],
            turn: FORTH,
            logged: 0,
            stats: Stats::default(),
            outcome: None,
        })
    }

    /// The record of a set of boxes.
    #[inline]
    fn record(&mut self, boxes: &Bits<W>) -> u32 {
        let new = self.records.len() as u32;
        let records = &self.records;
        let known = self.table.find(boxes, new, |at| &records[at as usize].boxes);
        known.unwrap_or_else(|| {
            self.records.push(Record {
                boxes: *boxes,
                seen: [[0; W]; 2],
                front: [[0; W]; 2],
                next: [[0; W]; 2],
                looked: [false; 2],
                dead: [false; 2],
            });
            new
        })
    }

    fn begin(&mut self, observer: &mut dyn Observer<Move>) {
        let board = self.board.clone();
        let distances = Distances::new(&board);
        // For each cell, the goals that a box can reach, whatever side the player is on.
        self.goals = (0..board.level.cells())
            .map(|id| {
                let goals = (0..).zip(&board.level.goals);
                let near = goals.filter(|&(goal, _)| distances.nearest(id as u16, goal) < FAR);
                set_of(near.map(|(_, &goal)| board.bit(goal)))
            })
            .collect();
        let all = &board.level.goals;
        if all.len() <= 4 {
            let mask = |goals: &Bits<W>| {
                (0..)
                    .zip(all)
                    .fold(0, |mask, (at, &goal)| mask | u8::from(has(goals, board.bit(goal))) << at)
            };
            self.few = self.goals.iter().map(mask).collect();
        }
        let (boxes, player) = self.start;
        let reachable = bound::reachable(&board, &distances.sides, &boxes);
        self.live = Some([distances.live, reachable]);
        if !self.is_matched(&boxes) || board.level.unsolvable.is_some() {
            self.outcome = Some(Outcome::Unsolvable);
            return;
        }
        let start = self.record(&boxes);
        self.add(FORTH, start, &one(player));
        if self.is_one_sided() {
            self.settle(FORTH, observer);
            return;
        }
        let end = self.record(&board.goals);
        let everywhere = without(&board.floor, &board.goals);
        self.add(BACK, end, &everywhere);
        for side in [FORTH, BACK] {
            if self.settle(side, observer) {
                return;
            }
        }
    }

    /// Whether only the side of the start advances.
    fn is_one_sided(&self) -> bool {
        self.board.level.end != End::Even
    }

    /// Whether the boxes can be assigned to different goals. Boxes that may be left over are not
    /// assigned.
    #[inline]
    fn is_matched(&self, boxes: &Bits<W>) -> bool {
        if self.board.covers() {
            return true;
        }
        if self.few.is_empty() {
            return self.is_augmented(boxes);
        }
        // A bit for each set of at most four goals that the boxes so far can occupy.
        let mut taken: u16 = 1;
        for bit in Each(*boxes) {
            let goals = self.few[usize::from(self.board.id(bit))];
            let mut next = 0;
            for (goal, lacking) in [0x5555, 0x3333, 0x0f0f, 0x00ff].into_iter().enumerate() {
                if goals >> goal & 1 == 1 {
                    next |= (taken & lacking) << (1 << goal);
                }
            }
            taken = next;
        }
        taken != 0
    }

    /// As [`is_matched`](Self::is_matched) for any number of goals, by augmenting paths.
    fn is_augmented(&self, boxes: &Bits<W>) -> bool {
        // The box of each goal.
        let mut owner: Vec<(Bit, Bit)> = Vec::new();
        Each(*boxes).all(|bit| self.augment(bit, &mut owner, &mut [0; W]))
    }

    fn augment(&self, bit: Bit, owner: &mut Vec<(Bit, Bit)>, tried: &mut Bits<W>) -> bool {
        let goals = self.goals[usize::from(self.board.id(bit))];
        for goal in Each(without(&goals, tried)) {
            if has(tried, goal) {
                continue;
            }
            flip(tried, goal);
            let Some(at) = owner.iter().position(|&(known, _)| known == goal) else {
                owner.push((goal, bit));
                return true;
            };
            // Entries keep their indices while other boxes get other goals.
            if self.augment(owner[at].1, owner, tried) {
                owner[at].1 = bit;
                return true;
            }
        }
        false
    }

    /// Adds cells to the next layer of a side.
    #[inline]
    fn add(&mut self, side: usize, record: u32, cells: &Bits<W>) {
        let at = &mut self.records[record as usize];
        if is_empty(&at.next[side]) {
            self.sides[side].next.push(record);
        }
        at.next[side] = or(&at.next[side], cells);
    }

    /// Makes the added positions the last layer. Returns whether both sides have reached a common
    /// position.
    fn settle(&mut self, side: usize, observer: &mut dyn Observer<Move>) -> bool {
        let next = std::mem::take(&mut self.sides[side].next);
        let mut layer = Vec::with_capacity(next.len());
        let mut cells = 0;
        let is_one_sided = self.is_one_sided();
        let mut met = None;
        for record in next {
            let at = &mut self.records[record as usize];
            let new = without(&at.next[side], &at.seen[side]);
            at.next[side] = [0; W];
            if is_empty(&new) {
                continue;
            }
            at.seen[side] = or(&at.seen[side], &new);
            at.front[side] = new;
            cells += u64::from(size(&new));
            if met.is_none() && meet(&new, &at.seen[1 - side]) {
                let common = and(&new, &at.seen[1 - side]);
                met = Some((record, first(&common)));
            }
            if is_one_sided && met.is_none() && self.board.is_end(&at.boxes) {
                met = Some((record, first(&new)));
            }
            layer.push((record, new));
        }
        self.logged += layer.len() as u64;
        let is_empty = layer.is_empty();
        let side = &mut self.sides[side];
        side.layers.push(layer);
        side.expanded = 0;
        side.cells = cells;
        if let Some((record, player)) = met {
            self.finish(record, player, observer);
            return true;
        }
        if is_empty {
            self.outcome = Some(Outcome::Unsolvable);
            return true;
        }
        if let Some(bound) = self.proved() {
            observer.bound(bound, &self.stats);
        }
        let is_back = !is_one_sided && self.sides[BACK].cells < self.sides[FORTH].cells;
        self.turn = usize::from(is_back);
        false
    }

    /// The least length of a solution that is not refuted.
    fn proved(&self) -> Option<i64> {
        let [forth, back] = &self.sides;
        let layers = forth.layers.len() + back.layers.len();
        if self.is_one_sided() {
            return (layers > 0).then_some(layers as i64);
        }
        // The first layer of each side has the distance 0.
        (!back.layers.is_empty()).then(|| layers as i64 - 1)
    }

    /// Whether a side finds that no solution passes through the boxes of a record.
    #[inline]
    fn is_dead(&mut self, side: usize, record: u32, moved: Bit, live: &Bits<W>) -> bool {
        let at = &self.records[record as usize];
        if at.looked[side] {
            return at.dead[side];
        }
        let boxes = at.boxes;
        let dead = !self.is_matched(&boxes)
            || side == FORTH && frozen(&self.board, live, &boxes, &one(moved));
        let at = &mut self.records[record as usize];
        at.looked[side] = true;
        at.dead[side] = dead;
        self.stats.evaluated += 1;
        dead
    }

    /// Expands the cells of a record in the last layer by a step.
    fn expand(&mut self, side: usize, record: u32, front: &Bits<W>) {
        let board = self.board.clone();
        let Some(live) = self.live else {
            return;
        };
        self.stats.expanded += 1;
        let at = &self.records[record as usize];
        let boxes = at.boxes;
        let free = without(&board.floor, &boxes);
        let walked = and(&board.around(front), &without(&free, &at.seen[side]));
        if !is_empty(&walked) {
            self.add(side, record, &walked);
        }
        let open = and(&free, &live[side]);
        for way in Way::ALL {
            // Candidates of a push are cells of boxes; candidates of a step back are cells of the
            // player, and the box behind the player follows.
            let chosen = match side {
                FORTH => board.pushable(front, &boxes, &open, way),
                _ => {
                    let with_box = and(front, &board.step(&boxes, way.back()));
                    let with_box = and(&with_box, &live[side]);
                    and(&with_box, &board.step(&free, way))
                }
            };
            for cell in Each(chosen) {
                self.stats.generated += 1;
                let ahead = board.beside(cell, way);
                let after = moved(&boxes, cell, ahead);
                let player = match side {
                    FORTH => cell,
                    _ => board.beside(cell, way.back()),
                };
                let child = self.record(&after);
                let other = &self.records[child as usize];
                if has(&other.seen[side], player) || has(&other.next[side], player) {
                    continue;
                }
                let moved = if side == FORTH { ahead } else { cell };
                if !self.is_dead(side, child, moved, &live[FORTH]) {
                    self.add(side, child, &one(player));
                }
            }
        }
    }

    /// The predecessor of a position, and the move between them. `layers` are the layers of the
    /// same side before the position's layer.
    fn before(
        &self,
        side: usize,
        boxes: &Bits<W>,
        player: Bit,
        layer: &[Part<W>],
    ) -> Option<(Bits<W>, Bit, Way)> {
        let board = &*self.board;
        let free = without(&board.floor, boxes);
        let is_there = |boxes: &Bits<W>, player: Bit| {
            let record = self.table.get(boxes, |at| &self.records[at as usize].boxes);
            record.is_some_and(|record| {
                let part = layer.iter().find(|part| part.0 == record);
                part.is_some_and(|(_, cells)| has(cells, player))
            })
        };
        let here = one(player);
        for way in Way::ALL {
            // Before a step in this direction the player was on the cell behind. On the side of the
            // end, the layer before contains the positions after the step.
            let from = if side == FORTH { way.back() } else { way };
            let there = and(&board.step(&here, from), &board.floor);
            if is_empty(&there) {
                continue;
            }
            let cell = first(&there);
            if has(&free, cell) && is_there(boxes, cell) {
                return Some((*boxes, cell, way));
            }
            let other = match side {
                FORTH => {
                    let ahead = and(&board.step(&here, way), boxes);
                    if is_empty(&ahead) || !has(&free, cell) {
                        continue;
                    }
                    moved(boxes, first(&ahead), player)
                }
                _ => {
                    let to = and(&board.step(&there, way), &free);
                    if !has(boxes, cell) || is_empty(&to) {
                        continue;
                    }
                    moved(boxes, cell, first(&to))
                }
            };
            if is_there(&other, cell) {
                return Some((other, cell, way));
            }
        }
        None
    }

    /// The solution through a position that both sides have reached.
    fn through(&self, record: u32, player: Bit) -> Vec<Move> {
        let boxes = self.records[record as usize].boxes;
        let mut actions = Vec::new();
        for side in [FORTH, BACK] {
            let (mut boxes, mut player) = (boxes, player);
            // The other side has the position in its last layer; otherwise the search would have
            // ended earlier.
            for layer in self.sides[side].layers.iter().rev().skip(1) {
                let Some((before, from, way)) = self.before(side, &boxes, player, layer) else {
                    break;
                };
                let onto = if side == FORTH { player } else { from };
                actions.push(Move { onto: self.board.id(onto), way });
                (boxes, player) = (before, from);
            }
            if side == FORTH {
                actions.reverse();
            }
        }
        actions
    }

    /// A solution with the fewest pushes among all shortest ones.
    fn lightest(&self) -> Vec<Move> {
        let [forth, back] = &self.sides;
        let boxes = |record: u32| self.records[record as usize].boxes;
        let record = |boxes: &Bits<W>| self.table.get(boxes, |at| &self.records[at as usize].boxes);
        if self.is_one_sided() {
            let mut layers = forth.layers.clone();
            if let Some(last) = layers.last_mut() {
                last.retain(|&(record, _)| self.board.is_end(&boxes(record)));
            }
            return lightest(&self.board, &layers, boxes, record);
        }
        let (Some((last, forth)), Some((first, back))) =
            (forth.layers.split_last(), back.layers.split_last())
        else {
            return Vec::new();
        };
        // Common positions are in the last layers of both sides.
        let shared = last.iter().filter_map(|(record, cells)| {
            let (_, others) = first.iter().find(|(other, _)| other == record)?;
            let common = and(cells, others);
            (!is_empty(&common)).then_some((*record, common))
        });
        let mut layers = forth.to_vec();
        layers.push(shared.collect());
        layers.extend(back.iter().rev().cloned());
        lightest(&self.board, &layers, boxes, record)
    }

    /// Ends with a solution through a position that both sides have reached.
    fn finish(&mut self, record: u32, player: Bit, observer: &mut dyn Observer<Move>) {
        let actions = match self.config.ties {
            Lighter::First => self.through(record, player),
            Lighter::Pushes => self.lightest(),
        };
        let value = actions.len() as i64;
        let best = Solution { actions, value };
        observer.improved(&best, &self.stats);
        self.outcome = Some(Outcome::Solved { best, proof: true, bound: Some(value) });
    }

    /// Bytes that an expansion may need.
    fn next_bytes(&self) -> u64 {
        let more = 4 * self.board.level.boxes().len() as u64;
        let waiting = self.sides.iter().map(|side| side.next.capacity() as u64);
        let parts = self.logged + 2 * waiting.sum::<u64>() + more;
        grown_bytes(&self.records, more)
            + parts * size_of::<Part<W>>() as u64
            + self.table.next_bytes()
    }
}

impl<const W: usize> Search for MoveOptimal<W> {
    type Action = Move;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Move>) -> Progress<Move> {
        if self.live.is_none() && self.outcome.is_none() {
            self.begin(observer);
        }
        loop {
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            if quota.is_used_up(&self.stats) {
                return Progress::Running;
            }
            let bytes = self.next_bytes();
            if bytes > quota.bytes || self.records.len() > u32::MAX as usize / 2 {
                return Progress::OutOfMemory;
            }
            self.stats.peak_bytes = self.stats.peak_bytes.max(bytes);
            let turn = self.turn;
            let side = &mut self.sides[turn];
            let layer = side.layers.last().map_or(&[][..], |layer| layer);
            match layer.get(side.expanded).copied() {
                Some((record, front)) => {
                    side.expanded += 1;
                    self.expand(turn, record, &front);
                }
                None => {
                    self.settle(turn, observer);
                }
            }
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<Move>> {
        self.outcome.as_ref()?.best()
    }

    fn bound(&self) -> Option<i64> {
        self.outcome.as_ref().map_or_else(|| self.proved(), Outcome::bound)
    }
}
