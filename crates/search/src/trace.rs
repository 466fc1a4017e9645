//! Tree of the paths that a beam search may still follow back: for each node its parent and the
//! action.
//!
//! Only the newest layer grows. A node without children outside that layer can be on no solution
//! and is released, and with it every ancestor that has no other child; its index is used again. In
//! practice almost all of a wide beam descends from a few states some layers ago, so that the tree
//! is little larger than the last layers.

use crate::{
    chunked::Chunked,
    memory::{Full, left},
    nodes::NONE,
};

#[derive(Clone, Copy, Debug)]
struct Link {
    /// The parent, [`NONE`] for a child of the start; for an unused index, the next unused one.
    parent: u32,
    children: u32,
}

/// A forest of actions; the trees' common parent is the start.
#[derive(Debug)]
pub(crate) struct Trace<A> {
    links: Chunked<Link>,
    actions: Chunked<A>,
    free: u32,
    free_len: usize,
}

impl<A: Copy> Trace<A> {
    pub(crate) fn new() -> Self {
        Self { links: Chunked::default(), actions: Chunked::default(), free: NONE, free_len: 0 }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.links.bytes() + self.actions.bytes()
    }

    /// Reserves memory for `count` more nodes.
    pub(crate) fn reserve(&mut self, count: usize, room: u64) -> Result<(), Full> {
        let more = count.saturating_sub(self.free_len);
        if self.links.len() + more >= NONE as usize {
            return Err(Full);
        }
        let before = self.bytes();
        self.links.reserve(more, room)?;
        let room = left(room, before, self.bytes());
        self.actions.reserve(more, room)
    }

    /// Counts a child of a node (or of the start) that is to be [added](Self::add).
    pub(crate) fn hold(&mut self, id: u32) {
        if id != NONE {
            self.links.get_mut(id as usize).children += 1;
        }
    }

    /// Adds a node whose parent is held, for which memory is [reserved](Self::reserve).
    pub(crate) fn add(&mut self, parent: u32, action: A) -> u32 {
        let link = Link { parent, children: 0 };
        match self.free {
            NONE => {
                self.links.push(link);
                self.actions.push(action);
                self.links.len() as u32 - 1
            }
            id => {
                let place = self.links.get_mut(id as usize);
                self.free = place.parent;
                self.free_len -= 1;
                *place = link;
                *self.actions.get_mut(id as usize) = action;
                id
            }
        }
    }

    /// Undoes a [`hold`](Self::hold) for which no node was added, and releases the node if it was
    /// the last.
    pub(crate) fn let_go(&mut self, id: u32) {
        if id != NONE {
            self.links.get_mut(id as usize).children -= 1;
            self.release(id);
        }
    }

    /// The action of a node.
    pub(crate) fn action(&self, id: u32) -> Option<A> {
        (id != NONE).then(|| *self.actions.get(id as usize))
    }

    /// Releases a node if it has no children, and every ancestor without other children.
    pub(crate) fn release(&mut self, mut id: u32) {
        while id != NONE {
            let link = self.links.get_mut(id as usize);
            if link.children > 0 {
                return;
            }
            let parent = link.parent;
            link.parent = self.free;
            self.free = id;
            self.free_len += 1;
            if parent != NONE {
                self.links.get_mut(parent as usize).children -= 1;
            }
            id = parent;
        }
    }

    /// The actions from the start to a node.
    pub(crate) fn path(&self, mut id: u32) -> Vec<A> {
        let mut actions = Vec::new();
        while id != NONE {
            actions.push(*self.actions.get(id as usize));
            id = self.links.get(id as usize).parent;
        }
        actions.reverse();
        actions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_of_dead_branches_are_used_again() {
        let mut trace = Trace::new();
        let add = |trace: &mut Trace<char>, parent, action| {
            trace.reserve(1, u64::MAX).unwrap();
            trace.hold(parent);
            trace.add(parent, action)
        };
        let a = add(&mut trace, NONE, 'a');
        let b = add(&mut trace, a, 'b');
        let c = add(&mut trace, a, 'c');
        let d = add(&mut trace, c, 'd');
        assert_eq!(trace.path(d), ['a', 'c', 'd']);
        trace.release(c);
        assert_eq!(trace.free_len, 0);
        trace.release(d);
        assert_eq!(trace.free_len, 2);
        let e = add(&mut trace, b, 'e');
        assert!(e == c || e == d);
        assert_eq!(trace.path(e), ['a', 'b', 'e']);
        trace.release(e);
        assert_eq!(trace.free_len, 4);
    }
}
