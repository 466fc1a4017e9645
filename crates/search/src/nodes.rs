//! Node store of the graph searches: states, the actions that led to them and a record per node,
//! each in its own chunked column, with a hash index over the states.
//!
//! Nodes are numbered by `u32` in the order in which they are added. For a 15-puzzle state of 8
//! bytes a node of A* takes 8 (state) + 1 (action) + 12 (parent, g, h) bytes and 5.7 to 11.4 in the
//! index.
//!
//! ```
//! use unriddle_search::{index::hash, nodes::{NONE, Nodes}};
//!
//! // States are numbers, the action `+1` leads from each to the next, and a record is the parent.
//! let mut nodes: Nodes<u64, &str, u32> = Nodes::default();
//! let mut parent = NONE;
//! for state in 5..8u64 {
//!     let hash = hash(&state);
//!     assert_eq!(nodes.find(hash, &state), None);
//!     nodes.reserve(1, u64::MAX).unwrap();
//!     nodes.reserve_index(hash, 1, u64::MAX).unwrap();
//!     let action = (parent != NONE).then_some("+1");
//!     parent = nodes.push(hash, state, action, parent);
//! }
//! let seven = nodes.find(hash(&7u64), &7).unwrap();
//! assert_eq!(nodes.path(seven, |&parent| parent), ["+1", "+1"]);
//! ```

use crate::{
    chunked::Chunked,
    index::{Index, hash},
    memory::{Full, left},
};
use unriddle_core::State;

/// Number of no node: the parent of the start.
pub const NONE: u32 = u32::MAX;

/// Nodes with a record `M` each.
#[derive(Debug)]
pub struct Nodes<S, A, M> {
    states: Chunked<S>,
    /// Actions; node i has entry i − 1 if the first node is the start, which no action led to.
    actions: Chunked<A>,
    without_action: usize,
    records: Chunked<M>,
    index: Index,
}

impl<S: State, A: Copy, M: Copy> Default for Nodes<S, A, M> {
    /// Creates a store without nodes.
    fn default() -> Self {
        Self {
            states: Chunked::default(),
            actions: Chunked::default(),
            without_action: 0,
            records: Chunked::default(),
            index: Index::default(),
        }
    }
}

impl<S: State, A: Copy, M: Copy> Nodes<S, A, M> {
    /// The number of nodes.
    #[inline]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether the store is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of the store.
    pub fn bytes(&self) -> u64 {
        self.states.bytes() + self.actions.bytes() + self.records.bytes() + self.index.bytes()
    }

    /// The state of a node.
    #[inline]
    pub fn state(&self, id: u32) -> &S {
        self.states.get(id as usize)
    }

    /// The record of a node.
    #[inline]
    pub fn record(&self, id: u32) -> &M {
        self.records.get(id as usize)
    }

    /// Mutable reference to the record of a node.
    #[inline]
    pub fn record_mut(&mut self, id: u32) -> &mut M {
        self.records.get_mut(id as usize)
    }

    /// The action that led to a node; `None` for the start.
    #[inline]
    pub fn action(&self, id: u32) -> Option<A> {
        (id as usize).checked_sub(self.without_action).map(|i| *self.actions.get(i))
    }

    /// Replaces the action of a node other than the start.
    #[inline]
    pub fn set_action(&mut self, id: u32, action: A) {
        if let Some(i) = (id as usize).checked_sub(self.without_action) {
            *self.actions.get_mut(i) = action;
        }
    }

    /// The node of a state.
    #[inline]
    pub fn find(&self, hash: u64, state: &S) -> Option<u32> {
        self.index.find(hash, |id| self.states.get(id as usize) == state)
    }

    /// Reserves memory for `extra` more nodes, apart from the index.
    ///
    /// # Errors
    /// [`Full`] if the growth does not fit into `room` bytes.
    #[inline]
    pub fn reserve(&mut self, extra: usize, room: u64) -> Result<(), Full> {
        let states = self.states.has_place(extra);
        if states && self.actions.has_place(extra) && self.records.has_place(extra) {
            return Ok(());
        }
        self.grow(extra, room)
    }

    #[cold]
    fn grow(&mut self, extra: usize, room: u64) -> Result<(), Full> {
        if self.len() + extra >= NONE as usize {
            return Err(Full);
        }
        let before = self.bytes();
        self.states.reserve(extra, room)?;
        self.actions.reserve(extra, left(room, before, self.bytes()))?;
        self.records.reserve(extra, left(room, before, self.bytes()))
    }

    /// Reserves memory for `extra` nodes in the index segment of `hash`.
    ///
    /// # Errors
    /// [`Full`] if the growth does not fit into `room` bytes.
    #[inline]
    pub fn reserve_index(&mut self, hash: u64, extra: usize, room: u64) -> Result<(), Full> {
        let states = &self.states;
        self.index.reserve(hash, extra, room, |id| self::hash(states.get(id as usize)))
    }

    /// Adds a node with a new state, for which memory is reserved.
    #[inline]
    pub fn push(&mut self, hash: u64, state: S, action: Option<A>, record: M) -> u32 {
        let id = self.states.len() as u32;
        self.states.push(state);
        self.records.push(record);
        match action {
            Some(action) => self.actions.push(action),
            None => self.without_action = 1,
        }
        let states = &self.states;
        self.index.insert(hash, id, |id| self::hash(states.get(id as usize)));
        id
    }

    /// Keeps the nodes for which `keep` holds, in their order. Every node has an action.
    pub fn retain(&mut self, mut keep: impl FnMut(u32, &M) -> bool) {
        self.index.clear();
        let mut kept = 0;
        for i in 0..self.len() {
            if keep(i as u32, self.records.get(i)) {
                *self.states.get_mut(kept) = *self.states.get(i);
                *self.actions.get_mut(kept) = *self.actions.get(i);
                *self.records.get_mut(kept) = *self.records.get(i);
                kept += 1;
            }
        }
        self.truncate(kept);
        let states = &self.states;
        for i in 0..kept {
            let hash_of = |id: u32| hash(states.get(id as usize));
            // No more entries than before: every index segment has memory for its own.
            self.index.insert(hash_of(i as u32), i as u32, hash_of);
        }
    }

    fn truncate(&mut self, len: usize) {
        self.states.truncate(len);
        self.actions.truncate(len);
        self.records.truncate(len);
    }

    /// Removes all nodes and keeps the memory.
    pub fn clear(&mut self) {
        self.index.clear();
        self.truncate(0);
        self.without_action = 0;
    }

    /// The actions from the start to a node.
    pub fn path(&self, mut id: u32, parent: impl Fn(&M) -> u32) -> Vec<A> {
        let mut actions = Vec::new();
        while let Some(action) = self.action(id) {
            actions.push(action);
            id = parent(self.record(id));
        }
        actions.reverse();
        actions
    }
}

/// Successor that is to be added to the store.
#[derive(Clone, Copy, Debug)]
pub struct Child<S, A> {
    /// The state.
    pub state: S,
    /// Its hash.
    pub hash: u64,
    /// The action from its parent.
    pub action: A,
    /// The cost of the path to it.
    pub g: u32,
}
