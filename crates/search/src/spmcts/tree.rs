//! Tree: an arena of nodes with `u32` numbers, children as linked siblings.
//!
//! A node contains no state and no parent: a descent makes the states again and remembers its path.
//! A node takes 48 bytes with actions of two bytes, and 24 more with RAVE. Nodes that are cut off
//! when a move is played are used again. Their descendants become free one generation at a time,
//! when their parents' indices are used, so that cutting off takes no time.

use crate::{chunked::Chunked, memory::Full, nodes::NONE};
use unriddle_core::Score;

/// Rewards of play-outs through a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally {
    pub(super) visits: u64,
    pub(super) sum: f64,
    pub(super) squares: f64,
    pub(super) top: Score,
}

impl Tally {
    pub(super) const EMPTY: Self = Self { visits: 0, sum: 0.0, squares: 0.0, top: Score::MIN };

    #[inline]
    pub(super) fn add(&mut self, value: Score) {
        let v = value as f64;
        self.visits += 1;
        self.sum += v;
        self.squares += v * v;
        self.top = self.top.max(value);
    }

    /// The tally with `by` added to each result.
    pub(super) fn shifted(self, by: Score) -> Self {
        if self.visits == 0 {
            return self;
        }
        let (n, b) = (self.visits as f64, by as f64);
        Self {
            visits: self.visits,
            sum: self.sum + n * b,
            squares: self.squares + 2.0 * b * self.sum + n * b * b,
            top: self.top.saturating_add(by),
        }
    }
}

/// Number of actions without a child before it is counted.
const UNCOUNTED: u32 = u32::MAX;
/// Value instead of that number: every line below the node was played.
const SOLVED: u32 = u32::MAX - 1;

/// Position in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<A> {
    /// Totals from the start of the game.
    pub(super) tally: Tally,
    child: u32,
    sibling: u32,
    missing: u32,
    /// The action that led here; `None` for the root of a tree that was planted.
    pub(super) action: Option<A>,
}

/// All-moves-as-first statistics of a node's action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amaf {
    pub(super) code: u64,
    pub(super) sum: f64,
    pub(super) visits: u64,
}

/// Tree of positions.
#[derive(Debug)]
pub(super) struct Tree<A> {
    nodes: Chunked<Node<A>>,
    /// RAVE statistics beside the nodes, if used.
    amaf: Option<Chunked<Amaf>>,
    root: u32,
    /// The first unused index; its siblings follow, and their children.
    free: u32,
}

impl<A: Copy + Eq> Tree<A> {
    pub(super) fn new(amaf: bool) -> Self {
        Self {
            nodes: Chunked::default(),
            amaf: amaf.then(Chunked::default),
            root: NONE,
            free: NONE,
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.nodes.bytes() + self.amaf.as_ref().map_or(0, Chunked::bytes)
    }

    /// Reserves memory for one more node.
    #[inline]
    pub(super) fn reserve(&mut self, room: u64) -> Result<(), Full> {
        if self.free != NONE {
            return Ok(());
        }
        if self.nodes.len() + 1 >= NONE as usize {
            return Err(Full);
        }
        let before = self.nodes.bytes();
        self.nodes.reserve(1, room)?;
        let room = room.saturating_sub(self.nodes.bytes() - before);
        match &mut self.amaf {
            Some(amaf) => amaf.reserve(1, room),
            None => Ok(()),
        }
    }

    /// Whether the tree has a root.
    pub(super) fn is_planted(&self) -> bool {
        self.root != NONE
    }

    #[inline]
    pub(super) fn root(&self) -> u32 {
        self.root
    }

    #[inline]
    pub(super) fn node(&self, id: u32) -> &Node<A> {
        self.nodes.get(id as usize)
    }

    #[inline]
    pub(super) fn tally_mut(&mut self, id: u32) -> &mut Tally {
        &mut self.nodes.get_mut(id as usize).tally
    }

    #[inline]
    pub(super) fn amaf(&self, id: u32) -> Option<&Amaf> {
        self.amaf.as_ref().map(|amaf| amaf.get(id as usize))
    }

    #[inline]
    pub(super) fn amaf_mut(&mut self, id: u32) -> Option<&mut Amaf> {
        self.amaf.as_mut().map(|amaf| amaf.get_mut(id as usize))
    }

    #[inline]
    pub(super) fn is_solved(&self, id: u32) -> bool {
        self.node(id).missing == SOLVED
    }

    pub(super) fn solve(&mut self, id: u32) {
        self.nodes.get_mut(id as usize).missing = SOLVED;
    }

    /// The newest child.
    #[inline]
    pub(super) fn first_child(&self, id: u32) -> Option<u32> {
        Some(self.node(id).child).filter(|&id| id != NONE)
    }

    /// The next older sibling.
    #[inline]
    pub(super) fn sibling(&self, id: u32) -> Option<u32> {
        Some(self.node(id).sibling).filter(|&id| id != NONE)
    }

    /// The children, newest first.
    #[inline]
    pub(super) fn children(&self, id: u32) -> impl Iterator<Item = (u32, &Node<A>)> {
        let mut next = self.node(id).child;
        std::iter::from_fn(move || {
            if next == NONE {
                return None;
            }
            let (id, node) = (next, self.node(next));
            next = node.sibling;
            Some((id, node))
        })
    }

    /// The child that an action leads to.
    #[inline]
    pub(super) fn child(&self, id: u32, action: A) -> Option<u32> {
        self.children(id).find(|(_, node)| node.action == Some(action)).map(|(id, _)| id)
    }

    /// Number of actions without a child; `actions` counts all, and is called at most once for a
    /// node.
    #[inline]
    pub(super) fn missing(&mut self, id: u32, actions: impl FnOnce() -> usize) -> u32 {
        let known = self.node(id).missing;
        if known != UNCOUNTED {
            return known;
        }
        let missing = actions().saturating_sub(self.children(id).count()) as u32;
        self.nodes.get_mut(id as usize).missing = missing;
        missing
    }

    /// Removes everything and plants a root, for which memory is [reserved](Self::reserve).
    pub(super) fn plant(&mut self, tally: Tally) {
        self.nodes.truncate(0);
        if let Some(amaf) = &mut self.amaf {
            amaf.truncate(0);
        }
        self.free = NONE;
        self.root = self.place(None, tally, 0);
    }

    /// Adds a child, for which memory is [reserved](Self::reserve).
    pub(super) fn add(&mut self, parent: u32, action: A, tally: Tally, code: u64) -> u32 {
        let id = self.place(Some(action), tally, code);
        let node = self.nodes.get_mut(parent as usize);
        let sibling = std::mem::replace(&mut node.child, id);
        if node.missing < SOLVED {
            node.missing = node.missing.saturating_sub(1);
        }
        self.nodes.get_mut(id as usize).sibling = sibling;
        id
    }

    fn place(&mut self, action: Option<A>, tally: Tally, code: u64) -> u32 {
        let node = Node { tally, child: NONE, sibling: NONE, missing: UNCOUNTED, action };
        let own = Amaf { code, sum: 0.0, visits: 0 };
        if self.free == NONE {
            self.nodes.push(node);
            if let Some(amaf) = &mut self.amaf {
                amaf.push(own);
            }
            return self.nodes.len() as u32 - 1;
        }
        let id = self.free;
        let Node { child, sibling, .. } = *self.node(id);
        self.free = sibling;
        self.release(child);
        *self.nodes.get_mut(id as usize) = node;
        if let Some(amaf) = &mut self.amaf {
            *amaf.get_mut(id as usize) = own;
        }
        id
    }

    /// Puts a node and its siblings before the unused indices.
    fn release(&mut self, first: u32) {
        if first == NONE {
            return;
        }
        let mut last = first;
        while self.node(last).sibling != NONE {
            last = self.node(last).sibling;
        }
        self.nodes.get_mut(last as usize).sibling = self.free;
        self.free = first;
    }

    /// Makes a child of the root the root and cuts off all other nodes.
    pub(super) fn descend(&mut self, child: u32) {
        let old = self.root;
        let after = self.node(child).sibling;
        if self.node(old).child == child {
            self.nodes.get_mut(old as usize).child = after;
        } else {
            let before = self.children(old).find(|(_, node)| node.sibling == child);
            if let Some(before) = before.map(|(id, _)| id) {
                self.nodes.get_mut(before as usize).sibling = after;
            }
        }
        self.nodes.get_mut(child as usize).sibling = NONE;
        self.root = child;
        self.release(old);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_of_cut_off_nodes_are_used_again() {
        let mut tree: Tree<u8> = Tree::new(true);
        let add = |tree: &mut Tree<u8>, parent, action| {
            tree.reserve(u64::MAX).unwrap();
            tree.add(parent, action, Tally::EMPTY, 0)
        };
        tree.reserve(u64::MAX).unwrap();
        tree.plant(Tally::EMPTY);
        let root = tree.root();
        assert_eq!(tree.missing(root, || 3), 3);
        let children = [0, 1, 2].map(|a| add(&mut tree, root, a));
        for child in children {
            for a in 0..2 {
                let grandchild = add(&mut tree, child, a);
                add(&mut tree, grandchild, 0);
            }
        }
        assert_eq!(tree.missing(root, || unreachable!()), 0);
        assert_eq!(tree.child(root, 1), Some(children[1]));
        assert_eq!(tree.nodes.len(), 16);
        tree.descend(children[1]);
        assert_eq!((tree.root(), tree.children(tree.root()).count()), (children[1], 2));
        // Eleven are cut off: the old root and two of its children with all below.
        for a in 10..21 {
            add(&mut tree, children[1], a);
        }
        assert_eq!((tree.nodes.len(), tree.free), (16, NONE));
        add(&mut tree, children[1], 21);
        assert_eq!(tree.nodes.len(), 17);
        assert_eq!(tree.children(children[1]).count(), 14);
    }

    #[test]
    fn nodes_are_small() {
        assert_eq!(size_of::<Node<u16>>(), 48);
        assert_eq!(size_of::<Amaf>(), 24);
    }

    #[test]
    fn a_shifted_tally_equals_the_tally_of_shifted_results() {
        let (mut plain, mut shifted) = (Tally::EMPTY, Tally::EMPTY);
        for value in [3, -4, 12] {
            plain.add(value);
            shifted.add(value + 100);
        }
        let other = plain.shifted(100);
        assert_eq!((other.visits, other.top), (shifted.visits, shifted.top));
        assert_eq!((other.sum, other.squares), (shifted.sum, shifted.squares));
        assert_eq!(Tally::EMPTY.shifted(5).top, Score::MIN);
    }
}
