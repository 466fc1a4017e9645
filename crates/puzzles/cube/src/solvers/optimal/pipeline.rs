//! Looking up many states at once, so that the time that memory takes does not count.
//!
//! States wait in one list for each number of moves that are left. When a list is long enough all of its states are looked up
//! together: of each the place of one entry is computed and its loading begun, then each entry is looked at, and of those states
//! that are left the next entry's place, until a state is given up or has passed. Those that have passed are followed by their
//! successors in the next list.

use super::{
    build::{BITS, Near},
    coset::{COSETS, Cosets},
    node::{Map, Node, TURNS},
    order::{Order, State},
};
use std::sync::Arc;
use unriddle_tables::Table;

/// States of a list that are looked up together.
const BATCH: usize = 64;

/// Most moves of a solution.
const MOST: usize = 32;

/// Bits of the three axes of the state; those of its inverse are above them.
const STATE: u8 = 0b111;
const INVERSE: u8 = 0b111_000;

/// A turn of a path, and whether it belongs to its end.
pub(crate) type Step = (u8, bool);

/// Turns, six bits each, in the order in which they were found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Path {
    bits: u128,
}

impl Path {
    #[inline(always)]
    fn and(self, turn: u8, is_end: bool) -> Self {
        Self {
            // 0 is no turn.
            bits: self.bits << 6 | u128::from((turn + 1) | u8::from(is_end) << 5),
        }
    }

    fn steps(self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut bits = self.bits;
        while bits != 0 {
            let step = bits as u8 & 0b11_1111;
            steps.push(((step & 31) - 1, step >> 5 == 1));
            bits >>= 6;
        }
        steps.reverse();
        steps
    }
}

/// A state on the way.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) node: Node,
    pub(crate) path: Path,
    /// Which turns may be the next one, and the last but those that are known.
    pub(crate) front: State,
    pub(crate) back: State,
    /// Which entries are known, and which of them are set.
    known: u8,
    set: u8,
}

impl Entry {
    pub(crate) fn new(node: Node, front: State) -> Self {
        Self {
            node,
            path: Path::default(),
            front,
            back: 0,
            known: 0,
            set: 0,
        }
    }
}

/// What is to be done about a state.
enum Todo {
    LookUp(usize),
    Drop,
    Pass,
}

/// A state whose entry is being loaded.
#[derive(Clone, Copy)]
struct Waiting {
    entry: u16,
    which: u8,
    index: u64,
}

/// Lists of states, and the table that they are looked up in.
pub(crate) struct Pipeline {
    table: Arc<Table>,
    cosets: &'static Cosets,
    turns: &'static [Map; 18],
    front: Arc<Order>,
    back: Arc<Order>,
    /// A marked coset is at most this many moves away.
    depth: usize,
    /// By number of moves that are left.
    lists: Vec<Vec<Entry>>,
    waiting: Vec<Waiting>,
    /// Solutions found: at most `wanted`.
    pub(crate) found: Vec<Vec<Step>>,
    pub(crate) wanted: usize,
    /// States that were looked up.
    pub(crate) generated: u64,
}

impl Pipeline {
    pub(crate) fn new(table: Arc<Table>, near: Near, front: Arc<Order>, back: Arc<Order>) -> Self {
        Self {
            table,
            cosets: &COSETS,
            turns: &TURNS,
            front,
            back,
            depth: near.depth().into(),
            lists: (0..MOST).map(|_| Vec::with_capacity(2 * BATCH)).collect(),
            waiting: Vec::with_capacity(16 * BATCH),
            found: Vec::new(),
            wanted: 1,
            generated: 0,
        }
    }

    /// Whether enough solutions are found.
    fn is_done(&self) -> bool {
        self.found.len() >= self.wanted
    }

    /// Goes through all paths of a number of moves from a state; what is found stands in `found`.
    pub(crate) fn run(&mut self, entry: Entry, left: usize) {
        self.descend(entry, left);
        for left in (0..=self.depth + 2).rev() {
            while !self.lists[left].is_empty() && !self.is_done() {
                self.work(left);
            }
        }
        self.lists.iter_mut().for_each(Vec::clear);
    }

    /// Down to where looking up begins.
    fn descend(&mut self, entry: Entry, left: usize) {
        if left <= self.depth + 2 {
            self.push(left, entry);
            return;
        }
        let order = Arc::clone(&self.front);
        for (turn, front) in order.all(entry.front) {
            if self.is_done() {
                return;
            }
            let next = Entry {
                node: entry.node.turned(self.turns, turn.into()),
                path: entry.path.and(turn, false),
                front,
                ..entry
            };
            self.descend(next, left - 1);
        }
    }

    #[inline(always)]
    fn push(&mut self, left: usize, entry: Entry) {
        self.lists[left].push(entry);
        // The lists above are worked on in the meantime: theirs are never this one.
        if self.lists[left].len() >= BATCH {
            self.work(left);
        }
    }

    /// Looks up the states of a list, and puts their successors into the next one.
    fn work(&mut self, left: usize) {
        let mut list = std::mem::take(&mut self.lists[left]);
        self.generated += list.len() as u64;
        if left == self.depth + 2 {
            self.first(&list);
        } else if left == 0 {
            for entry in &list {
                if entry.node.state.is(&Map::of(&crate::pieces::SOLVED)) && !self.is_done() {
                    self.found.push(entry.path.steps());
                }
            }
        } else if left == self.depth + 1 {
            self.beyond(&mut list, left);
        } else {
            self.within(&mut list, left);
        }
        list.clear();
        // The list is empty: only this call could have filled it.
        self.lists[left] = list;
    }

    /// Where an entry of a state lies: of the state by axes, then of its inverse.
    #[inline(always)]
    fn index(&self, node: &Node, which: usize) -> u64 {
        match which {
            0..3 => self.cosets.index(which, &node.state),
            _ => self.cosets.index(which - 3, &node.inverse),
        }
    }

    /// Begins to load an entry's cache line: of a bit, or of a distance of 64 flips.
    #[inline(always)]
    fn prefetch(&self, byte: usize) {
        #[cfg(target_arch = "x86_64")]
        if let Some(byte) = self.table.packed().get(byte) {
            use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
            // SAFETY: a prefetch has no effect but on the caches, and the address is that of a byte of the table.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(byte).cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = byte;
    }

    #[inline(always)]
    fn bit(&self, index: u64) -> u8 {
        self.table.packed()[(index >> 3) as usize] >> (index & 7) & 1
    }

    /// A lower bound of a coset's distance.
    #[inline(always)]
    fn least(&self, index: u64) -> u8 {
        let word = index >> 6;
        self.table.packed()[BITS + (word >> 1) as usize] >> (4 * (word & 1)) & 15
    }

    /// States of two moves more than a coset may be marked for. Nothing can be given up here, but a turn of an axis keeps the
    /// coset of this axis, so that an entry says something of all states that the axis leads to.
    fn first(&mut self, list: &[Entry]) {
        let mut indices = [[0; 3]; 2 * BATCH];
        for (entry, indices) in list.iter().zip(&mut indices) {
            for (axis, index) in indices.iter_mut().enumerate() {
                *index = self.cosets.index(axis, &entry.node.state);
                self.prefetch((*index >> 3) as usize);
            }
        }
        let order = Arc::clone(&self.front);
        for (entry, indices) in list.iter().zip(&indices) {
            for (axis, &index) in indices.iter().enumerate() {
                let set = self.bit(index) << axis;
                for &(turn, front) in order.of(entry.front, axis) {
                    let next = Entry {
                        node: entry.node.turned(self.turns, turn.into()),
                        path: entry.path.and(turn, false),
                        front,
                        back: entry.back,
                        known: 1 << axis,
                        set,
                    };
                    self.push(self.depth + 1, next);
                }
            }
        }
    }

    /// Looks up states until each is given up or has passed; those that have passed stay in the list.
    #[inline(always)]
    fn look_up(
        &mut self,
        list: &mut Vec<Entry>,
        todo: impl Fn(&Entry) -> Todo,
        place: impl Fn(u64) -> usize,
        is_set: impl Fn(&Self, u64) -> bool,
    ) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.clear();
        let mut passed = [false; 2 * BATCH];
        let mut wait = |this: &Self, entry: u16, of: &Entry, waiting: &mut Waiting| match todo(of) {
            Todo::LookUp(which) => {
                let index = this.index(&of.node, which);
                this.prefetch(place(index));
                let which = which as u8;
                *waiting = Waiting {
                    entry,
                    which,
                    index,
                };
                true
            }
            Todo::Drop => false,
            Todo::Pass => {
                passed[usize::from(entry)] = true;
                false
            }
        };
        let mut one = Waiting {
            entry: 0,
            which: 0,
            index: 0,
        };
        for (i, entry) in list.iter().enumerate() {
            if wait(self, i as u16, entry, &mut one) {
                waiting.push(one);
            }
        }
        while !waiting.is_empty() {
            let mut kept = 0;
            for i in 0..waiting.len() {
                let Waiting {
                    entry,
                    which,
                    index,
                } = waiting[i];
                let of = &mut list[usize::from(entry)];
                of.known |= 1 << which;
                of.set |= u8::from(is_set(self, index)) << which;
                if wait(self, entry, of, &mut one) {
                    waiting[kept] = one;
                    kept += 1;
                }
            }
            waiting.truncate(kept);
        }
        let mut i = 0;
        list.retain(|_| {
            i += 1;
            passed[i - 1]
        });
        self.waiting = waiting;
    }

    /// States of one move more than a coset may be marked for. A coset of the state that is not marked says that the next turn
    /// is not one of its axis, and one of the inverse that the last turn is none.
    fn beyond(&mut self, list: &mut Vec<Entry>, left: usize) {
        let todo = |entry: &Entry| {
            let unknown = !entry.known & (STATE | INVERSE);
            let wanted = if entry.set & STATE == 0 {
                unknown & STATE
            } else if entry.set & INVERSE == 0 {
                unknown & INVERSE
            } else if unknown == 0 {
                return Todo::Pass;
            } else {
                unknown
            };
            match wanted {
                0 => Todo::Drop,
                _ => Todo::LookUp(wanted.trailing_zeros() as usize),
            }
        };
        self.look_up(
            list,
            todo,
            |index| (index >> 3) as usize,
            |this, index| this.bit(index) == 1,
        );
        let (front, back) = (Arc::clone(&self.front), Arc::clone(&self.back));
        for entry in &*list {
            let axes = |set: u8| (0..3).filter(move |axis| set >> axis & 1 == 1);
            let first = axes(entry.set).map(|axis| front.of(entry.front, axis).len());
            let last = axes(entry.set >> 3).map(|axis| back.of(entry.back, axis).len());
            if first.sum::<usize>() <= last.sum() {
                for axis in axes(entry.set) {
                    for &(turn, state) in front.of(entry.front, axis) {
                        self.push(left - 1, self.turned(entry, turn, state, 1 << axis));
                    }
                }
            } else {
                for axis in axes(entry.set >> 3) {
                    for &(turn, state) in back.of(entry.back, axis) {
                        self.push(left - 1, self.preceded(entry, turn, state, 8 << axis));
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn turned(&self, entry: &Entry, turn: u8, front: State, set: u8) -> Entry {
        Entry {
            node: entry.node.turned(self.turns, turn.into()),
            path: entry.path.and(turn, false),
            front,
            back: entry.back,
            known: set,
            set,
        }
    }

    #[inline(always)]
    fn preceded(&self, entry: &Entry, turn: u8, back: State, set: u8) -> Entry {
        Entry {
            node: entry.node.preceded(self.turns, turn.into()),
            path: entry.path.and(turn, true),
            front: entry.front,
            back,
            known: set,
            set,
        }
    }

    /// States all of whose cosets must be within the moves that are left.
    fn within(&mut self, list: &mut Vec<Entry>, left: usize) {
        let todo = |entry: &Entry| {
            if entry.set != entry.known {
                return Todo::Drop;
            }
            match !entry.known & (STATE | INVERSE) {
                0 => Todo::Pass,
                unknown => Todo::LookUp(unknown.trailing_zeros() as usize),
            }
        };
        if left == self.depth {
            self.look_up(
                list,
                todo,
                |index| (index >> 3) as usize,
                |this, index| this.bit(index) == 1,
            );
        } else {
            let place = |index: u64| BITS + (index >> 7) as usize;
            self.look_up(list, todo, place, |this, index| {
                usize::from(this.least(index)) <= left
            });
        }
        let front = Arc::clone(&self.front);
        for entry in &*list {
            for (turn, state) in front.all(entry.front) {
                self.push(left - 1, self.turned(entry, turn, state, 0));
            }
        }
    }

    /// A lower bound of a state's distance.
    pub(crate) fn bound(&self, node: &Node) -> u8 {
        let indices = (0..6).map(|which| self.index(node, which));
        let far = |index| match self.bit(index) {
            0 => self.depth as u8 + 1,
            _ => self.least(index),
        };
        indices.map(far).max().unwrap_or(0)
    }
}
