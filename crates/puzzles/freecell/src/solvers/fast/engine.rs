//! Best-first search of a slice.
//!
//! The open list holds *moves*: a parent, a move and its estimate; a position is made, a copy of
//! its parent with the move and the forced ones, and looked up by its hash when its move is taken.
//! A position is expanded all at once or not at all: memory for everything that an expansion may
//! add is reserved before.
//!
//! Engines are kept from instance to instance, so that memory is allocated once for each thread and
//! not once for each deal ([`Engine::lent`]).

use super::{
    super::open::{Open, STACKS},
    columns::Columns,
    frame::{Frame, Values},
    node::{NO_CARD, Node, Step},
    scan::{MOST_MOVES, Moves, Scan},
    seen::Seen,
    weights::Weights,
};
use crate::{
    Card, FreeCell, Move, Table, To,
    card::Cards,
    solvers::exact::{engine::Step as Progress, position::forced},
};
use std::cell::RefCell;
use unriddle_core::{Puzzle, Stats};
use unriddle_search::{memory::Full, nodes::NONE};

/// Most expansions of a slice, for which the table of hashes is large enough.
pub(super) const MOST_EXPANSIONS: u64 = 1 << 20;
/// Nodes and entries of a new engine.
const NODES: usize = 256;
const ENTRIES: usize = 4096;
/// Number of low bits of estimates that the stacks ignore.
const PLACES: u32 = 2;
/// Stack of the start's estimate.
const START: i32 = STACKS as i32 * 5 / 8;
/// Most bytes of an engine that is kept.
const KEPT: u64 = 8 << 20;

thread_local! {
    /// An engine without a search.
    static IDLE: RefCell<Option<Box<Engine>>> = const { RefCell::new(None) };
}

/// A best-first search.
#[derive(Debug)]
pub(super) struct Engine {
    frame: Frame,
    values: Values,
    nodes: Vec<Node>,
    open: Open<Step>,
    seen: Seen,
    columns: Columns,
    moves: Moves,
    /// Slots of the table of hashes that this slice uses.
    slots: usize,
    /// Numbers of nodes and entries for which this search has accounted.
    granted: (usize, usize),
    /// Difference of stacks and estimates.
    offset: i32,
    started: bool,
}

impl Engine {
    /// An engine for an instance, an idle one of this thread if there is any.
    pub(super) fn lent(puzzle: &FreeCell) -> Box<Self> {
        let frame = Frame::new(puzzle);
        match IDLE.try_with(RefCell::take).ok().flatten() {
            Some(mut engine) => {
                engine.frame = frame;
                engine.granted = (0, 0);
                engine.slots = 0;
                engine
            }
            None => Box::new(Self {
                frame,
                values: Values::new(),
                nodes: Vec::new(),
                open: Open::new(),
                seen: Seen::new(),
                columns: Columns::default(),
                moves: Moves::new(),
                slots: 0,
                granted: (0, 0),
                offset: 0,
                started: false,
            }),
        }
    }

    /// Keeps an engine for the next search of this thread, unless it is large.
    pub(super) fn give_back(self: Box<Self>) {
        let bytes = (self.nodes.capacity() * size_of::<Node>() + self.seen.capacity() * 8) as u64
            + self.open.bytes();
        if bytes <= KEPT {
            // A thread that ends keeps nothing.
            let _ = IDLE.try_with(|idle| idle.replace(Some(self)));
        }
    }

    /// Begins a search of at most `expansions` and [`MOST_EXPANSIONS`] expansions.
    pub(super) fn begin(&mut self, weights: &Weights, expansions: u64) {
        self.values.set(&self.frame, weights);
        self.nodes.clear();
        self.open.clear();
        self.slots = self.slots.max(Seen::slots(expansions.min(MOST_EXPANSIONS)));
        self.started = false;
    }

    /// Bytes of the structures that grow, in an engine without idle memory.
    fn bytes(&self) -> u64 {
        let (nodes, entries) = self.granted;
        (nodes * size_of::<Node>() + self.slots * 8) as u64 + Open::<Step>::bytes_of(entries)
    }

    /// Reserves memory for the largest expansion.
    #[inline(always)]
    fn reserve(&mut self, limit: u64, stats: &mut Stats) -> Result<(), Full> {
        let (nodes, entries) = self.granted;
        if self.nodes.len() < nodes && self.open.len() + MOST_MOVES <= entries && self.started {
            return Ok(());
        }
        self.grow(limit, stats)
    }

    #[cold]
    fn grow(&mut self, limit: u64, stats: &mut Stats) -> Result<(), Full> {
        let before = self.granted;
        if self.nodes.len() >= before.0 {
            self.granted.0 = (before.0 * 2).max(NODES);
        }
        if self.open.len() + MOST_MOVES > before.1 {
            self.granted.1 = (before.1 * 2).max(ENTRIES);
        }
        if self.bytes() > limit {
            self.granted = before;
            return Err(Full);
        }
        let extra = self.granted.0 - self.nodes.len();
        self.nodes.reserve_exact(extra);
        self.open.reserve(self.granted.1 - self.open.len(), u64::MAX)?;
        if !self.started {
            self.seen.clear(self.slots);
        }
        stats.peak_bytes = stats.peak_bytes.max(self.bytes());
        Ok(())
    }

    /// Expands the best open position.
    #[inline]
    pub(super) fn step(
        &mut self,
        puzzle: &FreeCell,
        limit: u64,
        stats: &mut Stats,
    ) -> Result<Progress, Full> {
        self.reserve(limit, stats)?;
        if !self.started {
            self.started = true;
            let node = Node::start(&self.frame, &self.values, NONE);
            let scan = Scan::new(&self.frame, &self.values, &node, &mut self.columns);
            self.offset = (START << PLACES) - scan.value();
            let won = scan.is_won();
            self.seen.insert(node.hash);
            self.nodes.push(node);
            if won {
                return Ok(Progress::Solved(self.path(puzzle, 0, None)));
            }
            return Ok(self.expand(puzzle, stats));
        }
        while let Some(entry) = self.open.pop() {
            let id = self.nodes.len();
            let parent = entry.parent as usize;
            // Most known positions are recognised before a node is made.
            let unsettled = self.nodes[parent].hash_after(&self.frame, entry.action);
            if self.seen.contains(unsettled) {
                continue;
            }
            self.nodes.extend_from_within(parent..=parent);
            let node = &mut self.nodes[id];
            node.parent = entry.parent;
            node.step = entry.action;
            node.depth = node.depth.saturating_add(1);
            node.shift(&self.frame, &self.values, entry.action);
            debug_assert_eq!(node.hash, unsettled);
            node.settle(&self.frame, &self.values);
            if node.hash == unsettled || !self.seen.contains(node.hash) {
                if node.hash != unsettled {
                    self.seen.insert(node.hash);
                }
                self.seen.insert(unsettled);
                return Ok(self.expand(puzzle, stats));
            }
            self.nodes.pop();
        }
        Ok(Progress::Empty)
    }

    /// Expands the newest node.
    #[inline(always)]
    fn expand(&mut self, puzzle: &FreeCell, stats: &mut Stats) -> Progress {
        let id = self.nodes.len() - 1;
        let node = &self.nodes[id];
        let scan = Scan::new(&self.frame, &self.values, node, &mut self.columns);
        stats.expanded += 1;
        if scan.is_won() {
            return Progress::Solved(self.path(puzzle, id, None));
        }
        let offset = self.offset + self.values.made * (i32::from(node.depth) + 1);
        scan.moves(offset, &mut self.moves);
        for &(step, estimate) in self.moves.list() {
            self.open.push(estimate >> PLACES, id as u32, step);
        }
        let generated = self.moves.list().len() as u64;
        stats.generated += generated;
        stats.evaluated += generated;
        match self.moves.winner {
            Some(step) => Progress::Solved(self.path(puzzle, id, Some(step))),
            None => Progress::Expanded,
        }
    }

    /// The moves to a node, a step from there, and the moves that win then.
    fn path(&self, puzzle: &FreeCell, id: usize, last: Option<Step>) -> Vec<Move> {
        let action = |parent: usize, step: Step| {
            let onto = &self.nodes[parent].last;
            step.action(onto.get(usize::from(step.to)).map_or(NO_CARD, |&card| card))
        };
        let mut chosen: Vec<Move> = last.map(|step| action(id, step)).into_iter().collect();
        let mut node = &self.nodes[id];
        while node.parent != NONE {
            chosen.push(action(node.parent as usize, node.step));
            node = &self.nodes[node.parent as usize];
        }
        let mut table = puzzle.initial_state();
        let mut path = Vec::with_capacity(chosen.len() + 2 * puzzle.rules().deck());
        puzzle.play_home(&mut table, forced, |action| path.push(action));
        for &action in chosen.iter().rev() {
            table = puzzle.apply(&table, action);
            path.push(action);
            puzzle.play_home(&mut table, forced, |action| path.push(action));
        }
        finish(puzzle, table, &mut path);
        path
    }
}

/// Appends moves that win where free cells and empty columns suffice for all cards above lower
/// ones: the lowest missing cards go home, rank by rank, and each card above one of them is laid
/// into a cell or an empty column, where it is above no card any more.
pub(super) fn finish(puzzle: &FreeCell, mut table: Table, path: &mut Vec<Move>) {
    loop {
        let ready = |table: &Table| Cards(puzzle.homeward(table)).next();
        puzzle.play_home(&mut table, ready, |action| path.push(action));
        let lowest = table.home.iter().zip(0..).min();
        let Some((&home, suit)) = lowest.filter(|&(&home, _)| home < puzzle.rules().ranks) else {
            return;
        };
        let missing = Card::new(home + 1, suit);
        let Some(card) = puzzle.upwards(&table, missing).last() else {
            return;
        };
        let to = if puzzle.free_cells(&table) > 0 { To::Cell } else { To::Empty };
        if to == To::Empty && puzzle.empty_columns(&table) == 0 {
            debug_assert!(false, "no cell or column for a card above a lower one");
            return;
        }
        let action = Move { card, to };
        table = puzzle.apply(&table, action);
        path.push(action);
    }
}
