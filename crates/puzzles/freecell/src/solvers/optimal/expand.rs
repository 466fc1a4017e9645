//! Expansion of several positions of the same f at a time.
//!
//! A search that expands one position after the other waits mostly for memory: for the index, for
//! nodes, for the memo. Here each of these steps is a loop over the successors of a whole batch, so
//! that the waits overlap.
//!
//! The order of expansion differs from best-first search only among positions of equal f. It does
//! not depend on the limits within which the search advances: a batch that is not expanded whole is
//! continued.

use super::{
    Optimal,
    estimate::Estimate,
    moves::{settle, steps},
    order::Last,
    pending::Pending,
    priority,
    store::Node,
};
use crate::{Move, Table};
use unriddle_core::{Observer, Puzzle, Quota, SearchError, heuristic::PRIORITY_UNIT};
use unriddle_search::{
    memory::{Accounted, Full, vec_bytes},
    nodes::NONE,
};

/// Positions that are expanded at a time, at most.
const BATCH: usize = 32;
/// Moves of a position, at most: four home, one or two onto each column, into an empty column and
/// into a cell each card that ends or begins a sequence.
const MOST_MOVES: usize = 160;
/// Successors of a batch, at most; a full batch has some 130.
const MOST_NEW: usize = 4 * MOST_MOVES;

/// A position that is expanded.
#[derive(Clone, Copy, Debug)]
struct Parent {
    id: u32,
    node: Node,
    table: Table,
    /// Number of its successors.
    count: u64,
    /// The first successor of the next position.
    end: usize,
}

/// A successor that is still to be looked up.
#[derive(Clone, Copy, Debug)]
struct New {
    action: Move,
    table: Table,
    pending: Pending,
    last: Last,
    g: u32,
    /// Cards not home.
    left: u32,
    /// The first entry of the index at which the position may be.
    first: u64,
    /// The node of the position, or [`NONE`].
    id: u32,
    /// Its extra moves, if they are known.
    extra: Option<u8>,
}

/// A successor on its way into the store.
#[derive(Clone, Copy, Debug)]
struct Child {
    hash: u64,
    node: Node,
    f: u16,
    /// The node of the position, or [`NONE`].
    id: u32,
}

/// The positions that are expanded, and scratch memory.
#[derive(Debug)]
pub(super) struct Batch {
    /// Their f.
    f: u16,
    parents: Vec<Parent>,
    /// The next one to expand.
    at: usize,
    /// Their successors, by positions.
    new: Vec<New>,
    /// The first successor of the next position.
    at_new: usize,
    children: Vec<Child>,
}

impl Batch {
    pub(super) fn new() -> Self {
        Self {
            f: 0,
            parents: Vec::with_capacity(BATCH),
            at: 0,
            new: Vec::with_capacity(MOST_NEW),
            at_new: 0,
            children: Vec::with_capacity(MOST_MOVES),
        }
    }

    /// Empties the batch, for positions of an f.
    fn clear(&mut self, f: u16) {
        (self.f, self.at, self.at_new) = (f, 0, 0);
        self.parents.clear();
        self.new.clear();
    }

    /// Whether another position fits.
    fn has_room(&self) -> bool {
        self.parents.len() < BATCH && self.new.len() + MOST_MOVES <= MOST_NEW
    }

    /// The f of the next position; `None` if all are expanded.
    pub(super) fn f(&self) -> Option<u16> {
        (self.at < self.parents.len()).then_some(self.f)
    }

    pub(super) fn bytes(&self) -> u64 {
        vec_bytes(&self.parents) + vec_bytes(&self.new) + vec_bytes(&self.children)
    }
}

impl Optimal<'_> {
    /// Begins a batch with the next nodes of priority `f`, which it closes, and looks their
    /// successors up.
    pub(super) fn begin(&mut self, f: u16) {
        let key = u64::from(f) * u64::from(PRIORITY_UNIT);
        self.batch.clear(f);
        while self.batch.has_room()
            && let Some((_, id)) = self.open.peek().filter(|&(least, _)| least == key)
        {
            self.open.pop();
            let node = self.store.node_mut(id);
            if !node.closed {
                node.closed = true;
                let node = *node;
                self.generate(id, node);
            }
        }
        self.look_up();
    }

    /// Expands the next position of the batch, or (for lack of memory) leaves all as it was.
    pub(super) fn expand(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<Move>,
    ) -> Result<(), Full> {
        if self.memo.is_small(self.store.len()) {
            // Without memory the search is unchanged and reports the shortage at once.
            let room = quota.bytes.saturating_sub(self.bytes());
            self.memo.grow(room)?;
            self.note_peak();
        }
        let before = self.stats;
        let end = self.estimate();
        if self.reserve(quota).is_err() {
            self.stats = before;
            return Err(Full);
        }
        (self.batch.at, self.batch.at_new) = (self.batch.at + 1, end);
        self.store_children(observer);
        Ok(())
    }

    /// Adds a position and its successors to the batch.
    fn generate(&mut self, id: u32, node: Node) {
        let (puzzle, sequences, limit) = (self.puzzle, self.sequences, self.limit());
        let Batch { parents, new, .. } = &mut self.batch;
        let table = puzzle.unpack(&node.packed);
        let mut count = 0;
        for action in steps(puzzle, sequences, &table) {
            if node.last.omits(puzzle, &table, action) {
                continue;
            }
            let mut after = puzzle.apply(&table, action);
            let safe = settle(puzzle, &mut after, |_| {});
            let Some(pending) = node.pending.after(puzzle, sequences, &table, action, safe > 0)
            else {
                continue;
            };
            count += 1;
            let g = u32::from(node.g) + 1 + safe;
            let left = self.deck - after.cards_home();
            if g + left < limit {
                let last = match sequences {
                    true => Last::NONE,
                    false => Last::of(puzzle, &table, node.pending, action, safe > 0),
                };
                let (first, id, extra) = (0, NONE, None);
                new.push(New { action, table: after, pending, last, g, left, first, id, extra });
            }
        }
        parents.push(Parent { id, node, table, count, end: new.len() });
    }

    /// Looks the successors up in the store, and new positions in the memo.
    fn look_up(&mut self) {
        let new = &mut self.batch.new;
        for one in new.iter_mut() {
            one.first = self.store.first(one.table.hash);
        }
        for one in new.iter_mut() {
            let found = self.store.find_from(one.first, one.table.hash, &one.table.pack());
            one.id = found.unwrap_or(NONE);
        }
        for one in new.iter_mut().filter(|one| one.id == NONE) {
            one.extra = self.memo.get(&one.table.relations_key());
        }
    }

    /// Selects the successors of the next position that are new or reached by fewer moves, with
    /// their estimates. Returns the number of the first successor of the position after it.
    fn estimate(&mut self) -> usize {
        let limit = self.limit();
        let Batch { parents, at, new, at_new, children, .. } = &mut self.batch;
        children.clear();
        let parent = &parents[*at];
        let end = parent.end;
        if !self.store.node(parent.id).closed {
            // A position of the same batch has led to it by fewer moves: it is open again.
            return end;
        }
        self.stats.expanded += 1;
        self.stats.generated += parent.count;
        let mut estimate = Estimate::new(self.sequences, parent.node.extra);
        for one in &new[*at_new..end] {
            let &New { action, ref table, pending, last, g, left, id, extra, .. } = one;
            let extra = if id != NONE {
                let node = self.store.node(id);
                let there = u32::from(node.g);
                if there < g || there == g && node.pending.joined(pending) == node.pending {
                    continue;
                }
                node.extra
            } else {
                self.stats.evaluated += 1;
                // It may have been stored since, for a successor of the same batch.
                extra.or_else(|| self.memo.get(&table.relations_key())).unwrap_or_else(|| {
                    let extra = estimate.after(self.puzzle, &parent.table, action);
                    self.memo.set(table.relations_key(), extra);
                    extra
                })
            };
            let f = g + left + u32::from(extra);
            if f >= limit {
                continue;
            }
            if f > u32::from(u16::MAX) {
                self.fault = Some(SearchError::TooLarge(format!(
                    "a path of more than {} moves, which fc-optimal cannot hold",
                    u16::MAX
                )));
                continue;
            }
            let (packed, parent) = (table.pack(), parent.id);
            let node = Node { packed, parent, g: g as u16, extra, closed: false, pending, last };
            children.push(Child { hash: table.hash, node, f: f as u16, id });
        }
        end
    }

    /// Reserves memory for all selected successors.
    fn reserve(&mut self, quota: &Quota) -> Result<(), Full> {
        let count = self.batch.children.len();
        for i in 0..count {
            let Child { hash, f, node, .. } = self.batch.children[i];
            let (key, tie) = priority(f, node.g);
            self.grow(quota.bytes, |s, room| s.store.reserve(hash, count, room))?;
            self.grow(quota.bytes, |s, room| s.open.reserve(key, tie, count, room))?;
        }
        Ok(())
    }

    /// Stores the selected successors.
    fn store_children(&mut self, observer: &mut dyn Observer<Move>) {
        let mut goal = None;
        for i in 0..self.batch.children.len() {
            let Child { hash, f, node, id: known } = self.batch.children[i];
            let Node { packed, g, pending, .. } = node;
            let found = match known {
                // Two moves may lead to the same position.
                NONE => self.store.find(hash, &packed),
                known => Some(known),
            };
            let id = match found {
                None => self.store.insert(hash, node),
                Some(old) => {
                    let there = self.store.node_mut(old);
                    let joined = there.pending.joined(pending);
                    if there.g < g || there.g == g && joined == there.pending {
                        continue;
                    }
                    let closed = there.closed;
                    if g < there.g {
                        *there = node;
                    } else {
                        there.pending = joined;
                        there.closed = false;
                        if !closed {
                            // It is on the open list already.
                            continue;
                        }
                    }
                    self.stats.reopened += u64::from(closed);
                    old
                }
            };
            if f == g {
                goal = Some(id);
            }
            let (key, tie) = priority(f, g);
            self.open.push(key, tie, id);
        }
        if let Some(id) = goal {
            self.improve(id, observer);
        }
    }
}
