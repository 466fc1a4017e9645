//! The tree of a feature-space search: nodes whose children are all scored when they are expanded,
//! kept by cells of the feature space.
//!
//! The search goes round the cells, and in every second step serves the cell of the best node so
//! far. In a cell the child with the least weight comes first: the number of moves on its path that
//! no advisor named. A node belongs to the cell of the best score on its path, so that a move that
//! makes things worse opens no cell of its own (Shoham and Schaeffer 2020).

use crate::level::Id;
use rustc_hash::FxHashMap;
use std::{cmp::Reverse, collections::BinaryHeap, iter};

/// No node, or no cell.
pub(crate) const NOTHING: u32 = u32::MAX;

/// A generated move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub(crate) hash: u64,
    /// Features, from the most significant one on; greater is better.
    pub(crate) score: u64,
    pub(crate) from: Id,
    pub(crate) to: Id,
    /// The least cell of the player's part after the move.
    pub(crate) player: Id,
    /// Whether the box leaves the board at the start cell that it has reached.
    pub(crate) leaves: bool,
    /// Weight of the move: 0 if an advisor named it.
    pub(crate) weight: u8,
}

/// An expanded node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The parent node, and the child of it that became this node.
    pub(crate) parent: u32,
    pub(crate) child: u32,
    pub(crate) player: Id,
    /// Number of moves on the path that no advisor named.
    weight: u32,
    /// The best score on the path.
    best: u64,
    pub(crate) score: u64,
    pub(crate) hash: u64,
    cell: u32,
    /// Children of the node, best first, and the index of the next untried one.
    children: (u32, u32),
    next: u32,
}

/// Priority of a node within a cell: least weight, best score, oldest.
type Key = Reverse<(u32, Reverse<u64>, u32, u32)>;

#[derive(Default)]
struct Cell {
    open: BinaryHeap<Key>,
    /// The next cell in round-robin order.
    next: u32,
}

/// The tree.
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) children: Vec<Child>,
    /// Boxes of each node.
    boards: Vec<u64>,
    words: usize,
    cells: Vec<Cell>,
    by_key: FxHashMap<u64, u32>,
    /// Nodes that were expanded or found dead.
    closed: FxHashMap<u64, u32>,
    /// Number of low bits of a score that do not select a cell.
    fine: u32,
    current: u32,
    steps: u64,
    pub(crate) best: u32,
    open: usize,
}

impl Tree {
    pub(crate) fn new(words: usize, fine: u32) -> Self {
        Self {
            nodes: Vec::new(),
            children: Vec::new(),
            boards: Vec::new(),
            words,
            cells: Vec::new(),
            by_key: FxHashMap::default(),
            closed: FxHashMap::default(),
            fine,
            current: 0,
            steps: 0,
            best: NOTHING,
            open: 0,
        }
    }

    /// The boxes of a node.
    pub(crate) fn board(&self, node: u32) -> &[u64] {
        let at = node as usize * self.words;
        &self.boards[at..at + self.words]
    }

    /// Whether a position was expanded, or found dead.
    #[inline]
    pub(crate) fn is_closed(&self, hash: u64) -> bool {
        self.closed.contains_key(&hash)
    }

    pub(crate) fn close(&mut self, hash: u64) {
        self.closed.entry(hash).or_insert(NOTHING);
    }

    /// Adds a node without children.
    pub(crate) fn add(
        &mut self,
        (parent, child): (u32, u32),
        board: &[u64],
        (player, hash, score): (Id, u64, u64),
    ) -> u32 {
        let index = self.nodes.len() as u32;
        let (weight, best) = match self.nodes.get(parent as usize) {
            Some(node) => {
                let own = self.children[child as usize].weight;
                (node.weight + u32::from(own), node.best.max(score))
            }
            None => (0, score),
        };
        let key = best >> self.fine;
        let known = self.by_key.get(&key).copied();
        let cell = known.unwrap_or_else(|| self.add_cell(key));
        self.nodes.push(Node {
            parent,
            child,
            player,
            weight,
            best,
            score,
            hash,
            cell,
            children: (0, 0),
            next: 0,
        });
        self.boards.extend_from_slice(board);
        self.closed.insert(hash, index);
        if self.best == NOTHING || score > self.nodes[self.best as usize].score {
            self.best = index;
        }
        index
    }

    /// A new cell, which is inserted as the next one of the round.
    fn add_cell(&mut self, key: u64) -> u32 {
        let cell = self.cells.len() as u32;
        let next = match self.cells.get_mut(self.current as usize) {
            Some(current) => std::mem::replace(&mut current.next, cell),
            None => cell,
        };
        self.cells.push(Cell { open: BinaryHeap::new(), next });
        self.by_key.insert(key, cell);
        cell
    }

    /// Sets the children of a node.
    pub(crate) fn attach(&mut self, node: u32, children: &mut [Child]) {
        if let [first, rest @ ..] = children
            && rest.len() < 2
        {
            first.weight = 0;
        }
        children.sort_by_key(|child| (child.weight, Reverse(child.score)));
        let begin = self.children.len() as u32;
        self.children.extend_from_slice(children);
        let of = &mut self.nodes[node as usize];
        of.children = (begin, self.children.len() as u32);
        of.next = begin;
        self.offer(node);
    }

    fn offer(&mut self, node: u32) {
        let of = &self.nodes[node as usize];
        if of.next < of.children.1 {
            let child = &self.children[of.next as usize];
            let key = (of.weight + u32::from(child.weight), Reverse(child.score), of.next, node);
            self.cells[of.cell as usize].open.push(Reverse(key));
            self.open += 1;
        }
    }

    /// The next child to expand, with its node; `None` if no untried child is left.
    pub(crate) fn choose(&mut self) -> Option<(u32, u32)> {
        while self.open > 0 {
            self.steps += 1;
            let is_open = |cell: u32| !self.cells[cell as usize].open.is_empty();
            let best = self.nodes[self.best as usize].cell;
            let cell = if self.steps.is_multiple_of(2) && is_open(best) {
                best
            } else {
                let mut current = self.cells[self.current as usize].next;
                while !is_open(current) {
                    current = self.cells[current as usize].next;
                }
                self.current = current;
                current
            };
            let Some(Reverse((_, _, child, node))) = self.cells[cell as usize].open.pop() else {
                continue;
            };
            self.open -= 1;
            self.nodes[node as usize].next += 1;
            self.offer(node);
            if !self.is_closed(self.children[child as usize].hash) {
                return Some((node, child));
            }
        }
        None
    }

    /// The moves from the root to a node, as nodes with children.
    pub(crate) fn line(&self, node: u32) -> Vec<(u32, u32)> {
        let before = |&(node, _): &(u32, u32)| {
            let of = &self.nodes[node as usize];
            (of.parent != NOTHING).then_some((of.parent, of.child))
        };
        let mut line: Vec<_> = iter::successors(before(&(node, NOTHING)), before).collect();
        line.reverse();
        line
    }

    /// Upper bound of the bytes by which an expansion of at most `most` children grows the tree.
    pub(crate) fn growth(&self, most: usize) -> u64 {
        // Vectors and tables without free capacity double it.
        let of = |len: usize, capacity: usize, more: usize, size: usize| {
            if len + more <= capacity { 0 } else { capacity.max(more) * size }
        };
        let all = of(self.nodes.len(), self.nodes.capacity(), 1, size_of::<Node>())
            + of(self.children.len(), self.children.capacity(), most, size_of::<Child>())
            + of(self.boards.len(), self.boards.capacity(), self.words, 8)
            + of(self.closed.len(), self.closed.capacity(), 64, 16)
            + of(self.by_key.len(), self.by_key.capacity(), 1, 16)
            + of(self.cells.len(), self.cells.capacity(), 1, size_of::<Cell>())
            + (self.open + 4) * size_of::<Key>();
        all as u64
    }

    /// Bytes allocated by the tree.
    pub(crate) fn bytes(&self) -> u64 {
        let vectors = self.nodes.capacity() * size_of::<Node>()
            + self.children.capacity() * size_of::<Child>()
            + self.boards.capacity() * 8
            + (self.closed.capacity() + self.by_key.capacity()) * 16
            + self.cells.capacity() * size_of::<Cell>()
            + self.open * 2 * size_of::<Key>();
        vectors as u64
    }
}
