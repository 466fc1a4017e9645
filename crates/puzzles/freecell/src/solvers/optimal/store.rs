//! Positions met: nodes of 32 bytes in chunks, an index over them, and the open list.
//!
//! The index is cut into parts that grow one after the other, so that a growth needs little room beside
//! what is there; an entry holds 32 bits of the hash and the node's number, and positions are compared
//! whole before they count as equal. The open list is a stack for each pair of f and g, of linked blocks
//! that are used again.
//!
//! Every growth is asked for first ([`Store::reserve`]) against the room that the caller's limit leaves.

use super::pending::Pending;
use crate::pack::Packed;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;
/// A growth did not fit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full;

/// A position met.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) packed: Packed,
    pub(crate) parent: u32,
    /// Moves from the start.
    pub(crate) g: u16,
    /// Extra moves that are still needed at least.
    pub(crate) extra: u8,
    pub(crate) closed: bool,
    /// Which moves may follow.
    pub(crate) pending: Pending,
}

const CHUNK_BITS: u32 = 14;
const CHUNK: usize = 1 << CHUNK_BITS;
const PART_BITS: u32 = 9;
const PARTS: usize = 1 << PART_BITS;
const BLOCK: usize = 255;

/// Entries of a part: the hash's upper half, then the node's number plus one; 0 is free.
#[derive(Debug, Default)]
struct Part {
    slots: Vec<u64>,
    used: usize,
}

#[derive(Debug)]
struct Block {
    ids: [u32; BLOCK],
    next: u32,
}

#[derive(Clone, Copy, Debug)]
struct Stack {
    block: u32,
    used: u32,
}

const EMPTY: Stack = Stack {
    block: NONE,
    used: BLOCK as u32,
};

/// The store.
#[derive(Debug)]
pub(crate) struct Store {
    chunks: Vec<Vec<Node>>,
    len: usize,
    parts: Vec<Part>,
    slots: usize,
    blocks: Vec<Block>,
    unused: u32,
    unused_len: usize,
    /// By f, then by g.
    stacks: Vec<Vec<Stack>>,
    stacks_len: usize,
    /// No stack of a smaller f, and none of this f with a larger g, holds anything.
    lowest: usize,
    highest: isize,
}

impl Store {
    pub(crate) fn new() -> Self {
        Self {
            chunks: Vec::new(),
            len: 0,
            parts: (0..PARTS).map(|_| Part::default()).collect(),
            slots: 0,
            blocks: Vec::new(),
            unused: NONE,
            unused_len: 0,
            stacks: Vec::new(),
            stacks_len: 0,
            lowest: 0,
            highest: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&self) -> u64 {
        let chunks = self.chunks.len() * (CHUNK * size_of::<Node>())
            + self.chunks.capacity() * size_of::<Vec<Node>>();
        let index = self.slots * 8 + PARTS * size_of::<Part>();
        let open = self.blocks.capacity() * size_of::<Block>()
            + self.stacks_len * size_of::<Stack>()
            + self.stacks.capacity() * size_of::<Vec<Stack>>();
        (chunks + index + open) as u64
    }

    #[inline(always)]
    pub(crate) fn node(&self, id: u32) -> &Node {
        &self.chunks[(id >> CHUNK_BITS) as usize][id as usize & (CHUNK - 1)]
    }

    #[inline(always)]
    pub(crate) fn node_mut(&mut self, id: u32) -> &mut Node {
        &mut self.chunks[(id >> CHUNK_BITS) as usize][id as usize & (CHUNK - 1)]
    }

    /// The node of a position.
    #[inline]
    pub(crate) fn find(&self, hash: u64, packed: &Packed) -> Option<u32> {
        let part = &self.parts[hash as usize % PARTS];
        if part.slots.is_empty() {
            return None;
        }
        let mask = part.slots.len() - 1;
        let tag = hash >> 32;
        let mut at = tag as usize & mask;
        loop {
            let slot = part.slots[at];
            if slot == 0 {
                return None;
            }
            if slot >> 32 == tag {
                let id = (slot as u32).wrapping_sub(1);
                if self.node(id).packed == *packed {
                    return Some(id);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Makes place for `extra` more nodes with hashes of `hash`'s part and as many entries of the open
    /// list; stacks up to `f` and `g` are made.
    #[inline]
    pub(crate) fn reserve(
        &mut self,
        hash: u64,
        (f, g): (usize, usize),
        extra: usize,
        limit: u64,
    ) -> Result<(), Full> {
        let part = &self.parts[hash as usize % PARTS];
        let nodes = self.len + extra <= self.chunks.len() << CHUNK_BITS;
        let index = (part.used + extra) * 4 <= part.slots.len() * 3;
        // Every entry may begin a block.
        let open = self.blocks.capacity() - self.blocks.len() + self.unused_len >= extra;
        let stacks = self.stacks.get(f).is_some_and(|stacks| g < stacks.len());
        if nodes && index && open && stacks {
            return Ok(());
        }
        self.grow(hash, (f, g), extra, limit)
    }

    #[cold]
    fn grow(
        &mut self,
        hash: u64,
        (f, g): (usize, usize),
        extra: usize,
        limit: u64,
    ) -> Result<(), Full> {
        let fits = |store: &Self, bytes: usize| match store.bytes().saturating_add(bytes as u64) {
            bytes if bytes <= limit => Ok(()),
            _ => Err(Full),
        };
        if self.len + extra >= NONE as usize {
            return Err(Full);
        }
        while self.len + extra > self.chunks.len() << CHUNK_BITS {
            fits(
                self,
                CHUNK * size_of::<Node>() + self.chunks.len() * 48 + 96,
            )?;
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        let part = hash as usize % PARTS;
        let needed = (self.parts[part].used + extra) * 4;
        if needed > self.parts[part].slots.len() * 3 {
            let old = self.parts[part].slots.len();
            let mut new = old.max(64);
            while needed > new * 3 {
                new *= 2;
            }
            fits(self, new * 8)?;
            let slots = std::mem::replace(&mut self.parts[part].slots, vec![0; new]);
            let fresh = &mut self.parts[part].slots;
            for slot in slots.into_iter().filter(|&slot| slot != 0) {
                let mut at = (slot >> 32) as usize & (new - 1);
                while fresh[at] != 0 {
                    at = (at + 1) & (new - 1);
                }
                fresh[at] = slot;
            }
            self.slots += new - old;
        }
        if self.blocks.capacity() - self.blocks.len() + self.unused_len < extra {
            let more = extra.max(self.blocks.len() / 4);
            // Growing may copy.
            fits(self, (self.blocks.len() + more) * size_of::<Block>())?;
            self.blocks.reserve_exact(more);
        }
        let before: usize = self.stacks.get(f).map_or(0, Vec::len);
        if g >= before {
            fits(
                self,
                (g + 1) * size_of::<Stack>() + (f + 1) * 2 * size_of::<Vec<Stack>>(),
            )?;
            if f >= self.stacks.len() {
                self.stacks.resize_with(f + 1, Vec::new);
            }
            let stacks = &mut self.stacks[f];
            stacks.reserve_exact(g + 1 - stacks.len());
            stacks.resize(g + 1, EMPTY);
            self.stacks_len += g + 1 - before;
        }
        Ok(())
    }

    /// Adds a node whose position is not there; place was made.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u64, node: Node) -> u32 {
        let id = self.len as u32;
        self.chunks[self.len >> CHUNK_BITS].push(node);
        self.len += 1;
        let part = &mut self.parts[hash as usize % PARTS];
        let mask = part.slots.len() - 1;
        let mut at = (hash >> 32) as usize & mask;
        while part.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        part.slots[at] = hash >> 32 << 32 | u64::from(id + 1);
        part.used += 1;
        id
    }

    /// Puts a node on the open list; place was made.
    #[inline]
    pub(crate) fn push(&mut self, f: usize, g: usize, id: u32) {
        let stack = &mut self.stacks[f][g];
        if stack.used == BLOCK as u32 {
            let block = match self.unused {
                NONE => {
                    self.blocks.push(Block {
                        ids: [0; BLOCK],
                        next: NONE,
                    });
                    self.blocks.len() as u32 - 1
                }
                block => {
                    self.unused = self.blocks[block as usize].next;
                    self.unused_len -= 1;
                    block
                }
            };
            self.blocks[block as usize].next = stack.block;
            *stack = Stack { block, used: 0 };
        }
        self.blocks[stack.block as usize].ids[stack.used as usize] = id;
        stack.used += 1;
        if f < self.lowest || f == self.lowest && g as isize > self.highest {
            (self.lowest, self.highest) = (f, g as isize);
        }
    }

    /// The node that is next (smallest f, then largest g, then the latest) with its f.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<(usize, u32)> {
        while let Some(stacks) = self.stacks.get(self.lowest) {
            while let Ok(g) = usize::try_from(self.highest) {
                let stack = stacks.get(g).copied().unwrap_or(EMPTY);
                if stack.block != NONE {
                    let id = self.blocks[stack.block as usize].ids[stack.used as usize - 1];
                    return Some((self.lowest, id));
                }
                self.highest -= 1;
            }
            self.lowest += 1;
            let next = self.stacks.get(self.lowest).map_or(0, Vec::len);
            self.highest = next as isize - 1;
        }
        None
    }

    /// Takes what [`peek`](Self::peek) found.
    #[inline]
    pub(crate) fn pop(&mut self) {
        let stack = &mut self.stacks[self.lowest][self.highest as usize];
        stack.used -= 1;
        if stack.used == 0 {
            let block = stack.block;
            let next = self.blocks[block as usize].next;
            *stack = Stack {
                block: next,
                used: BLOCK as u32,
            };
            self.blocks[block as usize].next = self.unused;
            self.unused = block;
            self.unused_len += 1;
        }
    }
}
