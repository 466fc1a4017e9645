//! Best-first search over exact positions.
//!
//! A node is a position that was expanded. The open list holds *moves*: a parent, a move and its
//! estimate, twelve bytes; its position is made when the move is taken, and looked up by its exact
//! key among the expanded ones. Estimates are small integers, so that the open list is an array of
//! stacks with a two-level set of the non-empty ones; of equal estimates the newest comes first.
//!
//! A node is expanded all at once or not at all: memory for everything that an expansion may add is
//! reserved before. An expansion costs about 100 ns for setting up the board and 40 ns for each
//! move.

use super::{
    super::open::{Entry, Open},
    position::{Frame, Position, forced},
    scan::Scan,
    weights::Weights,
};
use crate::{Card, FreeCell, Move, Table, To, card::Cards};
use unriddle_core::{Puzzle, Stats};
use unriddle_search::{
    memory::{Full, reserve_least, vec_bytes},
    nodes::NONE,
};

/// More moves than any position has.
const MOST_MOVES: usize = 5 * 52;
/// Most nodes and open moves.
const MOST: usize = 1 << 31;

/// An expanded position and how it was reached.
#[derive(Clone, Copy, Debug)]
struct Node {
    table: Table,
    parent: u32,
    depth: u16,
    action: Move,
}

/// Result of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A node was expanded.
    Expanded,
    /// A node was expanded, and one of its moves wins: all moves from the start.
    Solved(Vec<Move>),
    /// There is no open move.
    Empty,
}

/// A best-first search.
#[derive(Debug)]
pub(crate) struct Engine {
    weights: Weights,
    /// Whether single cards move only.
    atomic: bool,
    nodes: Vec<Node>,
    /// Indices of nodes by hash, at least twice as many slots as nodes.
    index: Vec<u32>,
    open: Open<Move>,
    /// The positions of the nodes with all that the evaluation needs; only while few are expected.
    positions: Vec<Position>,
    frame: Frame,
    started: bool,
}

impl Engine {
    pub(crate) fn new(puzzle: &FreeCell, weights: Weights, atomic: bool) -> Self {
        Self {
            weights,
            atomic,
            nodes: Vec::new(),
            index: Vec::new(),
            open: Open::new(),
            positions: Vec::new(),
            frame: Frame::new(puzzle),
            started: false,
        }
    }

    /// Begins another search; the memory is kept.
    pub(crate) fn restart(&mut self, weights: Weights, atomic: bool) {
        self.weights = weights;
        self.atomic = atomic;
        self.nodes.clear();
        self.positions.clear();
        self.index.fill(NONE);
        self.open.clear();
        self.started = false;
    }

    /// Bytes of the structures that grow.
    pub(crate) fn bytes(&self) -> u64 {
        vec_bytes(&self.nodes)
            + vec_bytes(&self.positions)
            + vec_bytes(&self.index)
            + self.open.bytes()
    }

    /// Reserves memory for the largest expansion.
    #[inline]
    fn reserve(&mut self, limit: u64, stats: &mut Stats) -> Result<(), Full> {
        if self.nodes.len() < self.nodes.capacity()
            && (self.atomic || self.positions.len() < self.positions.capacity())
            && self.open.has_room(MOST_MOVES)
            && self.nodes.len() * 2 < self.index.len()
        {
            return Ok(());
        }
        self.grow(limit, stats)
    }

    #[cold]
    fn grow(&mut self, limit: u64, stats: &mut Stats) -> Result<(), Full> {
        if self.nodes.len() >= MOST {
            return Err(Full);
        }
        let room = limit.saturating_sub(self.bytes());
        reserve_least(&mut self.nodes, 1, 128, room)?;
        if !self.atomic {
            let room = limit.saturating_sub(self.bytes());
            reserve_least(&mut self.positions, 1, 128, room)?;
        }
        let room = limit.saturating_sub(self.bytes());
        self.open.reserve(MOST_MOVES, room)?;
        if self.nodes.len() * 2 >= self.index.len() {
            let size = (self.index.len() * 2).max(1024);
            if (size * size_of::<u32>()) as u64 > limit.saturating_sub(self.bytes()) {
                return Err(Full);
            }
            let mut index = vec![NONE; size];
            for (id, node) in self.nodes.iter().enumerate() {
                let mut at = node.table.hash as usize & (size - 1);
                while index[at] != NONE {
                    at = (at + 1) & (size - 1);
                }
                index[at] = id as u32;
            }
            self.index = index;
        }
        stats.peak_bytes = stats.peak_bytes.max(self.bytes());
        Ok(())
    }

    /// Adds a node, unless its position is known.
    #[inline(always)]
    fn add(&mut self, node: Node) -> bool {
        let mask = self.index.len() - 1;
        let mut at = node.table.hash as usize & mask;
        loop {
            match self.index[at] {
                NONE => break,
                id if self.nodes[id as usize].table == node.table => return false,
                _ => at = (at + 1) & mask,
            }
        }
        self.index[at] = self.nodes.len() as u32;
        self.nodes.push(node);
        true
    }

    /// Expands the best open position.
    #[inline]
    pub(crate) fn step(
        &mut self,
        puzzle: &FreeCell,
        limit: u64,
        stats: &mut Stats,
    ) -> Result<Step, Full> {
        self.reserve(limit, stats)?;
        if !self.started {
            self.started = true;
            let mut table = puzzle.initial_state();
            puzzle.play_home(&mut table, forced, |_| ());
            let position = Position::new(puzzle, &self.frame, table);
            if position.is_won() {
                return Ok(Step::Solved(self.path(puzzle, NONE, None)));
            }
            let action = Move { card: Card::from_index(0), to: To::Home };
            self.add(Node { table, parent: NONE, depth: 0, action });
            return Ok(self.expand(puzzle, position, stats));
        }
        while let Some(Entry { parent, action, .. }) = self.open.pop() {
            let Node { mut table, depth, .. } = self.nodes[parent as usize];
            table = puzzle.apply(&table, action);
            puzzle.play_home(&mut table, forced, |_| ());
            let depth = depth.saturating_add(1);
            if self.add(Node { table, parent, depth, action }) {
                let position = if self.atomic {
                    Position::new(puzzle, &self.frame, table)
                } else {
                    let mut position = self.positions[parent as usize];
                    position.play(puzzle, &self.frame, action);
                    debug_assert_eq!(position.sums, Position::new(puzzle, &self.frame, table).sums);
                    position
                };
                return Ok(self.expand(puzzle, position, stats));
            }
        }
        Ok(Step::Empty)
    }

    /// Expands the newest node.
    #[inline(always)]
    fn expand(&mut self, puzzle: &FreeCell, position: Position, stats: &mut Stats) -> Step {
        let id = self.nodes.len() as u32 - 1;
        if !self.atomic {
            self.positions.push(position);
        }
        stats.expanded += 1;
        let open = &mut self.open;
        let mut scan = Scan::new(puzzle, &self.frame, &self.weights, &position, self.atomic);
        scan.base += self.weights.0[9] * i32::from(self.nodes[id as usize].depth);
        let mut won = None;
        scan.moves(|action, score| match score {
            Some(score) => open.push(score, id, action),
            None => won = Some(action),
        });
        stats.generated += scan.generated;
        stats.evaluated += scan.generated;
        match won {
            Some(action) => Step::Solved(self.path(puzzle, id, Some(action))),
            None => Step::Expanded,
        }
    }

    /// The moves to a node, a move from there, and the moves home that win then.
    fn path(&self, puzzle: &FreeCell, mut id: u32, last: Option<Move>) -> Vec<Move> {
        let mut chosen: Vec<Move> = last.into_iter().collect();
        while id != NONE {
            let node = &self.nodes[id as usize];
            if node.parent != NONE {
                chosen.push(node.action);
            }
            id = node.parent;
        }
        let mut table = puzzle.initial_state();
        let mut path = Vec::with_capacity(chosen.len() + puzzle.rules().deck());
        puzzle.play_home(&mut table, forced, |action| path.push(action));
        for &action in chosen.iter().rev() {
            table = puzzle.apply(&table, action);
            path.push(action);
            puzzle.play_home(&mut table, forced, |action| path.push(action));
        }
        let first = |table: &Table| Cards(puzzle.homeward(table)).next();
        puzzle.play_home(&mut table, first, |action| path.push(action));
        path
    }
}
