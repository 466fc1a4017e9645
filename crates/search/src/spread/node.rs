//! Nodes of a layer, and their bytes.

use super::StateBytes;
use crate::{index::hash, memory::vec_bytes};
use hashbrown::HashTable;
use unriddle_core::{InverseStep, Inverses, Puzzle};

/// No action.
const NONE: u16 = u16::MAX;

/// A state, and for a bidirectional beam its inverse.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<S> {
    pub(super) state: S,
    pub(super) hash: u64,
    /// For the state and its inverse, the number of the action that undoes the last one.
    undo: [u16; 2],
}

impl<S: std::hash::Hash> Node<S> {
    pub(super) fn start(state: S) -> Self {
        Self { hash: hash(&state), state, undo: [NONE; 2] }
    }
}

impl<S> Node<S> {
    /// Actions of a side's state that do not undo the last action, with their numbers among all.
    pub(super) fn actions<P: Puzzle>(
        &self,
        puzzle: &P,
        state: &P::State,
        side: usize,
    ) -> impl Iterator<Item = (u32, P::Action)> + use<P, S> {
        let undo = u32::from(self.undo[side]);
        (0..).zip(puzzle.actions(state)).filter(move |&(number, _)| number != undo)
    }
}

/// Sides of a node from which children are made.
pub(super) struct Sides<P: Puzzle> {
    /// Inverses, where actions are applied to the inverse of a state as well.
    pub(super) inverses: Option<Inverses<P>>,
}

/// A child of a node.
pub(super) struct Child<P: Puzzle> {
    pub(super) node: Node<P::State>,
    pub(super) step: InverseStep<P::Action>,
}

impl<P: Puzzle> Sides<P> {
    pub(super) fn count(&self) -> usize {
        1 + usize::from(self.inverses.is_some())
    }

    /// The state of a side.
    pub(super) fn state(&self, puzzle: &P, state: &P::State, side: usize) -> P::State {
        match &self.inverses {
            Some(inverses) if side == 1 => (inverses.inverted)(puzzle, state),
            _ => *state,
        }
    }

    /// The child of a number: the children of the state, then the children of its inverse.
    pub(super) fn child(&self, puzzle: &P, node: &Node<P::State>, number: u16) -> Option<Child<P>> {
        let mut left = usize::from(number);
        for side in 0..self.count() {
            let state = self.state(puzzle, &node.state, side);
            for (_, action) in node.actions(puzzle, &state, side) {
                if left > 0 {
                    left -= 1;
                    continue;
                }
                let after = puzzle.apply(&state, action);
                let undo = puzzle.actions(&after).position(|back| puzzle.is_inverse(action, back));
                let undo = undo.map_or(NONE, |number| number as u16);
                // The action of the other end keeps its number: states with inverses have the same
                // actions.
                let undo = [undo, node.undo[1 - side]];
                return Some(self.node(puzzle, after, undo, (action, side == 1)));
            }
        }
        None
    }

    fn node(
        &self,
        puzzle: &P,
        state: P::State,
        undo: [u16; 2],
        (action, of_inverse): (P::Action, bool),
    ) -> Child<P> {
        let node = Node { hash: hash(&state), state, undo };
        let mut step = InverseStep { action, of_inverse, is_inverted: false };
        let other = self.inverses.as_ref().map(|inverses| (inverses.inverted)(puzzle, &state));
        // One of the two represents both.
        match other.map(|other| (hash(&other), other)).filter(|(other, _)| *other < node.hash) {
            None => Child { node, step },
            Some((hash, state)) => {
                step.is_inverted = true;
                Child { node: Node { hash, state, undo: [undo[1], undo[0]] }, step }
            }
        }
    }
}

/// Link of a node to its parent: the rank and the index of the parent, and the number of the child
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) rank: u32,
    pub(super) index: u32,
    pub(super) number: u16,
}

impl Link {
    pub(super) fn bytes(&self) -> [u8; 10] {
        let mut bytes = [0; 10];
        bytes[..4].copy_from_slice(&self.rank.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.index.to_le_bytes());
        bytes[8..].copy_from_slice(&self.number.to_le_bytes());
        bytes
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let (rank, bytes) = bytes.split_first_chunk()?;
        let (index, bytes) = bytes.split_first_chunk()?;
        let (number, _) = bytes.split_first_chunk()?;
        Some(Self {
            rank: u32::from_le_bytes(*rank),
            index: u32::from_le_bytes(*index),
            number: u16::from_le_bytes(*number),
        })
    }
}

/// A node that another rank made, or this one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept<S> {
    pub(super) node: Node<S>,
    /// Bits of its estimate.
    pub(super) key: u32,
    /// Hash of the parent.
    pub(super) parent: u64,
    pub(super) link: Link,
}

/// Number of bytes beside the bytes of the state.
const BESIDE: usize = 4 + 8 + 10 + 4;

impl<S: Copy + std::hash::Hash> Kept<S> {
    pub(super) fn write<P: Puzzle<State = S>>(
        &self,
        states: &dyn StateBytes<P>,
        out: &mut Vec<u8>,
    ) {
        let begin = out.len();
        out.resize(begin + states.length(), 0);
        states.write(&self.node.state, &mut out[begin..]);
        out.extend_from_slice(&self.key.to_le_bytes());
        out.extend_from_slice(&self.parent.to_le_bytes());
        out.extend_from_slice(&self.link.bytes());
        self.node.undo.iter().for_each(|undo| out.extend_from_slice(&undo.to_le_bytes()));
    }

    /// The nodes of some bytes; a damaged one is left out.
    pub(super) fn read_all<'b, P: Puzzle<State = S>>(
        states: &'b dyn StateBytes<P>,
        bytes: &'b [u8],
    ) -> impl Iterator<Item = Self> + 'b {
        let length = states.length();
        bytes.chunks_exact(length + BESIDE).filter_map(move |bytes| {
            let (state, bytes) = bytes.split_at(length);
            let state = states.read(state)?;
            let (key, bytes) = bytes.split_first_chunk()?;
            let (parent, bytes) = bytes.split_first_chunk()?;
            let (link, bytes) = bytes.split_at_checked(10)?;
            let (undo, _) = bytes.as_chunks::<2>();
            let node = Node {
                hash: hash(&state),
                state,
                undo: [u16::from_le_bytes(*undo.first()?), u16::from_le_bytes(*undo.get(1)?)],
            };
            Some(Self {
                node,
                key: u32::from_le_bytes(*key),
                parent: u64::from_le_bytes(*parent),
                link: Link::read(link)?,
            })
        })
    }
}

/// The nodes of a layer on one rank.
pub(super) struct Layer<S> {
    pub(super) nodes: Vec<Node<S>>,
    /// Bits of their estimates; empty once the layer is complete, as the two below.
    pub(super) keys: Vec<u32>,
    parents: Vec<u64>,
    links: Vec<Link>,
    index: HashTable<u32>,
}

impl<S> Default for Layer<S> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            keys: Vec::new(),
            parents: Vec::new(),
            links: Vec::new(),
            index: HashTable::new(),
        }
    }
}

impl<S> Layer<S> {
    pub(super) fn bytes(&self) -> u64 {
        let index = self.index.capacity() as u64 * 5;
        vec_bytes(&self.nodes)
            + vec_bytes(&self.keys)
            + vec_bytes(&self.parents)
            + vec_bytes(&self.links)
            + index
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.keys.clear();
        self.parents.clear();
        self.links.clear();
        self.index.clear();
    }

    /// The index of a node of a hash.
    pub(super) fn find(&self, hash: u64) -> Option<u32> {
        self.index.find(hash, |&at| self.nodes[at as usize].hash == hash).copied()
    }

    /// Links of the nodes to their parents, when the layer is complete.
    pub(super) fn take_links(&mut self) -> Vec<Link> {
        (self.keys, self.parents) = (Vec::new(), Vec::new());
        std::mem::take(&mut self.links)
    }

    /// Keeps the nodes of some estimates and hashes.
    pub(super) fn retain(&mut self, holds: impl Fn(u32, u64) -> bool) {
        let mut kept = 0;
        for at in 0..self.nodes.len() {
            if holds(self.keys[at], self.nodes[at].hash) {
                self.nodes.swap(kept, at);
                self.keys.swap(kept, at);
                self.parents.swap(kept, at);
                self.links.swap(kept, at);
                kept += 1;
            }
        }
        self.nodes.truncate(kept);
        self.keys.truncate(kept);
        self.parents.truncate(kept);
        self.links.truncate(kept);
        let Self { nodes, index, .. } = self;
        index.clear();
        for at in 0..nodes.len() as u32 {
            let of = |at: &u32| nodes[*at as usize].hash;
            index.insert_unique(of(&at), at, of);
        }
    }
}

impl<S: Copy + Eq> Layer<S> {
    pub(super) fn has(&self, hash: u64, state: &S) -> bool {
        self.index.find(hash, |&at| self.nodes[at as usize].state == *state).is_some()
    }

    /// Adds a node, or a better path to a node.
    pub(super) fn insert(&mut self, kept: Kept<S>) {
        let Kept { node, key, parent, link } = kept;
        let found = self.index.find(node.hash, |&at| self.nodes[at as usize].state == node.state);
        if let Some(&at) = found {
            let at = at as usize;
            let known = (self.keys[at], self.parents[at], self.links[at].number);
            if (key, parent, link.number) < known {
                self.nodes[at] = node;
                self.keys[at] = key;
                self.parents[at] = parent;
                self.links[at] = link;
            }
            return;
        }
        let at = self.nodes.len() as u32;
        self.nodes.push(node);
        self.keys.push(key);
        self.parents.push(parent);
        self.links.push(link);
        let Self { nodes, index, .. } = self;
        index.insert_unique(node.hash, at, |&at| nodes[at as usize].hash);
    }
}
