//! A beam over the positions of the fast engine.
//!
//! A layer is all positions of equal depth in moves that are not home; every card that can go home
//! goes there. The moves of a position are scored as in the fast engine, without being played, and
//! a candidate is the hash of a child, its parent and its move. Only children whose move lets a
//! card go home are made at once, about one of ten. Only candidates that the layer keeps become
//! positions.
//!
//! Short sequences into empty columns are left out, and positions with equal hashes are taken for
//! equal: a beam proves nothing.

use super::{limit::Limit, runs::Runs, weights::BeamWeights};
use crate::{
    FreeCell, Move,
    card::Cards,
    solvers::fast::{
        columns::Columns,
        frame::{Frame, Values},
        node::{NO_CARD, Node, Step},
        scan::{MOST_MOVES, Moves, Scan},
        seen::Seen,
    },
};
use unriddle_core::Stats;
use unriddle_search::{
    memory::{Full, left, reserve, vec_bytes},
    nodes::NONE,
};

/// Slots of a new table of hashes.
const SLOTS: usize = 1 << 12;
/// Number of distinct scores.
const SCORES: usize = 1 << 14;
/// Number of low bits of estimates that scores ignore.
const PLACES: u32 = 1;
/// Estimate of the start: estimates fall on the way to the goal.
const START: i32 = (SCORES as i32 * 3 / 4) << PLACES;

/// A move to a position, which is not made.
#[derive(Clone, Copy, Debug)]
struct Link {
    hash: u64,
    parent: u32,
    step: Step,
}

/// The result of a step of the beam.
#[derive(Debug)]
pub(super) enum Progress {
    Running,
    /// The moves that are not home of a solution, fewer than of all before.
    Solved(Vec<Move>),
    /// No position is left.
    Ended,
}

/// The beam.
#[derive(Debug)]
pub(super) struct Beam {
    frame: Frame,
    values: Values,
    runs: Runs,
    /// Weight of a forced run.
    forced: i32,
    /// The positions of the layer, and of the next one.
    layer: Vec<Node>,
    next: Vec<Node>,
    /// The moves to all positions that were kept, layer by layer.
    links: Vec<Link>,
    /// Number of links before the layer.
    first: usize,
    /// The next position of the layer to expand.
    at: usize,
    depth: u32,
    width: usize,
    /// Difference of scores and estimates.
    offset: i32,
    candidates: Vec<Link>,
    scores: Vec<u16>,
    limit: Limit,
    order: Vec<u32>,
    /// Hashes of the positions kept, and of the candidates of the next layer.
    kept: Seen,
    new: Seen,
    is_cut: bool,
    moves: Moves,
    columns: Columns,
    /// Columns of a child that is made.
    of_child: Columns,
}

/// Enlarges the table for the hashes of `extra` more links.
#[inline(always)]
fn enlarge(seen: &mut Seen, links: &[Link], extra: usize, room: u64) -> Result<(), Full> {
    let slots = ((links.len() + extra) * 2).next_power_of_two();
    if slots <= seen.size() {
        return Ok(());
    }
    if slots > seen.capacity() && 8 * slots as u64 > room {
        return Err(Full);
    }
    seen.clear(slots);
    links.iter().for_each(|link| seen.insert(link.hash));
    Ok(())
}

impl Beam {
    /// A beam that has not begun; `None` for rules and starts that the fast engine does not have.
    pub(super) fn new(puzzle: &FreeCell, weights: &BeamWeights) -> Option<Box<Self>> {
        if !Frame::fits(puzzle) {
            return None;
        }
        let frame = Frame::new(puzzle);
        let mut values = Values::new();
        values.set(&frame, &weights.estimate);
        Some(Box::new(Self {
            runs: Runs::new(&frame),
            frame,
            values,
            forced: i32::from(weights.forced),
            layer: Vec::new(),
            next: Vec::new(),
            links: Vec::new(),
            first: 0,
            at: 0,
            depth: 0,
            width: 0,
            offset: 0,
            candidates: Vec::new(),
            scores: Vec::new(),
            limit: Limit::new(SCORES),
            order: Vec::new(),
            kept: Seen::new(),
            new: Seen::new(),
            is_cut: false,
            moves: Moves::new(),
            columns: Columns::default(),
            of_child: Columns::default(),
        }))
    }

    /// Whether the width or the depth has left out positions.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    pub(super) fn bytes(&self) -> u64 {
        vec_bytes(&self.layer)
            + vec_bytes(&self.next)
            + vec_bytes(&self.links)
            + vec_bytes(&self.candidates)
            + vec_bytes(&self.scores)
            + vec_bytes(&self.order)
            + self.limit.bytes()
            + 8 * (self.kept.capacity() + self.new.capacity()) as u64
            + size_of::<Self>() as u64
    }

    /// Begins a pass at the start. Returns whether moves home suffice.
    pub(super) fn begin(&mut self, width: usize) -> bool {
        self.layer.clear();
        self.links.clear();
        (self.first, self.at, self.depth, self.width) = (0, 0, 0, width);
        self.is_cut = false;
        self.kept.clear(SLOTS.max(self.kept.capacity()));
        self.begin_layer();
        let mut node = Node::start(&self.frame, &self.values, NONE);
        node.settle_all(&self.frame, &self.values);
        self.runs.set(&self.frame, &mut node);
        let forced = i32::from(node.forced);
        let scan = Scan::new(&self.frame, &self.values, &node, &mut self.columns);
        self.offset = START - scan.value() - self.forced * forced;
        let link = Link { hash: node.hash, parent: NONE, step: Step::default() };
        self.kept.insert(link.hash);
        self.links.push(link);
        let is_goal = node.left == 0;
        self.layer.push(node);
        is_goal
    }

    /// Most candidates of a layer: some of them are positions of earlier layers.
    fn candidates(&self) -> usize {
        self.width + self.width / 4
    }

    fn begin_layer(&mut self) {
        self.candidates.clear();
        self.scores.clear();
        self.limit.begin(self.candidates());
        self.new.clear(SLOTS.max(self.new.capacity()));
    }

    /// Expands a position, or begins the next layer; [`reserve`](Self::reserve) comes before. Only
    /// solutions of fewer than `best` moves that are not home count.
    pub(super) fn step(&mut self, best: u32, max_depth: u32, stats: &mut Stats) -> Progress {
        if self.at == self.layer.len() {
            return self.close(max_depth);
        }
        let id = self.at;
        self.at += 1;
        stats.expanded += 1;
        match self.expand(id, best, stats) {
            None => Progress::Running,
            Some(step) => Progress::Solved(self.path(self.first + id, step)),
        }
    }

    /// Reserves `room` bytes at most for the next step.
    ///
    /// # Errors
    /// [`Full`] if the step needs more.
    pub(super) fn reserve(&mut self, room: u64) -> Result<(), Full> {
        if self.at < self.layer.len()
            && self.candidates.capacity() - self.candidates.len() >= MOST_MOVES
            && self.scores.capacity() - self.scores.len() >= MOST_MOVES
            && (self.candidates.len() + MOST_MOVES) * 2 <= self.new.size()
        {
            return Ok(());
        }
        let before = self.bytes();
        let left = |beam: &Self| left(room, before, beam.bytes());
        if self.at < self.layer.len() {
            reserve(&mut self.candidates, MOST_MOVES, room)?;
            let room = left(self);
            reserve(&mut self.scores, MOST_MOVES, room)?;
            let room = left(self);
            return enlarge(&mut self.new, &self.candidates, MOST_MOVES, room);
        }
        let count = self.candidates.len().min(self.candidates());
        self.order.clear();
        self.next.clear();
        reserve(&mut self.order, count, room)?;
        let room = left(self);
        reserve(&mut self.links, count, room)?;
        let room = left(self);
        reserve(&mut self.next, count, room)?;
        let room = left(self);
        enlarge(&mut self.kept, &self.links, count, room)
    }

    /// Adds the children of a position to the candidates, and returns a move that solves.
    fn expand(&mut self, id: usize, best: u32, stats: &mut Stats) -> Option<Step> {
        let (frame, values) = (&self.frame, &self.values);
        let node = &self.layer[id];
        let scan = Scan::new(frame, values, node, &mut self.columns);
        scan.moves(self.offset, &mut self.moves);
        stats.generated += self.moves.list().len() as u64;
        // By column, a set: numbers of cards above a card that comes next on a foundation.
        let mut opens = [0u32; 16];
        for card in Cards(node.next) {
            let (column, height) = node.place(card.index());
            if height < 31 {
                opens[column] |= 1 << ((node.height(column) - 1 - height) & 31);
            }
        }
        let score = |estimate: i32| (estimate >> PLACES).clamp(0, SCORES as i32 - 1) as usize;
        for &(step, estimate) in self.moves.list() {
            // Nothing else lets a card go home.
            let goes_home = (opens[usize::from(step.from) & 15] >> step.count) & 1 != 0;
            // Forced runs only add to the score.
            if !goes_home && self.limit.is_late(score(estimate)) {
                self.is_cut = true;
                continue;
            }
            // Moves home neither add nor remove a forced run.
            let runs = self.runs.after(frame, node, step);
            if self.depth + 1 + runs >= best {
                continue;
            }
            let (hash, estimate) = if !goes_home {
                (None, estimate)
            } else {
                let mut child = *node;
                child.shift(frame, values, step);
                child.settle_all(frame, values);
                if child.left == 0 {
                    return Some(step);
                }
                let value = Scan::new(frame, values, &child, &mut self.of_child).value();
                (Some(child.hash), self.offset + value)
            };
            let score = score(estimate + self.forced * runs as i32);
            if self.limit.is_late(score) {
                self.is_cut = true;
                continue;
            }
            stats.evaluated += 1;
            let hash = hash.unwrap_or_else(|| node.hash_after(frame, step));
            if !self.new.insert_new(hash) {
                continue;
            }
            self.candidates.push(Link { hash, parent: id as u32, step });
            self.scores.push(score as u16);
            self.limit.admit(score);
        }
        None
    }

    /// Makes the best candidates the next layer.
    fn close(&mut self, max_depth: u32) -> Progress {
        let count = self.candidates.len().min(self.candidates());
        self.order.resize(count, 0);
        self.limit.sort(&self.scores, &mut self.order);
        let (candidates, kept) = (&self.candidates, &self.kept);
        self.order.retain(|&candidate| !kept.contains(candidates[candidate as usize].hash));
        self.is_cut |= count < self.candidates.len() || self.order.len() > self.width;
        self.order.truncate(self.width);
        let is_last = self.depth + 1 >= max_depth;
        if self.order.is_empty() || is_last {
            self.is_cut |= is_last;
            return Progress::Ended;
        }
        let first = self.links.len();
        for &candidate in &self.order {
            let Link { hash, parent, step } = self.candidates[candidate as usize];
            let mut node = self.layer[parent as usize];
            node.shift(&self.frame, &self.values, step);
            node.settle_all(&self.frame, &self.values);
            self.runs.update(&self.frame, &mut node, &self.layer[parent as usize]);
            debug_assert_eq!(node.hash, hash);
            self.next.push(node);
            self.kept.insert(hash);
            self.links.push(Link { hash, parent: self.first as u32 + parent, step });
        }
        std::mem::swap(&mut self.layer, &mut self.next);
        (self.first, self.at) = (first, 0);
        self.depth += 1;
        self.begin_layer();
        Progress::Running
    }

    /// The moves to a kept position, and a step from there.
    fn path(&self, id: usize, last: Step) -> Vec<Move> {
        let mut steps = vec![last];
        let mut link = self.links[id];
        while link.parent != NONE {
            steps.push(link.step);
            link = self.links[link.parent as usize];
        }
        let mut node = Node::start(&self.frame, &self.values, NONE);
        node.settle_all(&self.frame, &self.values);
        let mut path = Vec::with_capacity(steps.len());
        for &step in steps.iter().rev() {
            let onto = node.last.get(usize::from(step.to)).map_or(NO_CARD, |&card| card);
            path.push(step.action(onto));
            node.shift(&self.frame, &self.values, step);
            node.settle_all(&self.frame, &self.values);
        }
        path
    }
}
