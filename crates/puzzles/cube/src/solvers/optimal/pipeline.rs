//! Look-up of many states at once, which hides the latency of memory.
//!
//! States wait in a list for each number of remaining moves. When a list is long enough, all of its
//! states are looked up in steps. First, the code computes the index of one entry per state. Next,
//! it prefetches all entries. Then it reads each entry. For the states that are left, it computes
//! the index of the next entry, until each state is given up or has passed. The successors of the
//! states that passed go to the next list.
//!
//! Each of these steps is a loop of its own. A prefetch instruction does not retire before its
//! address is translated. If the hundred instructions that compute an index separated the
//! prefetches, only a few would be in flight, and each would wait for its translation. In a loop of
//! prefetches the translations overlap, which halves the time of a state. For the same reason, the
//! word that is read from the byte vectors is stored before the larger tables are read.

use super::{
    build::Near,
    coset::Cosets,
    node::{Map, Node, TURNS},
    order::{Order, State},
};
use std::sync::Arc;
use unriddle_tables::Table;

/// States of a list that are looked up together.
const BATCH: usize = 256;

/// Most moves of a solution.
const MOST: usize = 32;

/// Bits of the three axes of the state. The bits above belong to the inverse.
const STATE: u8 = 0b111;
const INVERSE: u8 = 0b111_000;

/// A turn of a path, and whether it belongs to its end.
pub(crate) type Step = (u8, bool);

/// Record of the turns that led to a state: nothing, or [`Path`].
pub(crate) trait Trail: Copy + Default {
    /// With one more turn.
    fn and(self, turn: u8, is_end: bool) -> Self;

    /// The turns in the order in which they were found.
    fn steps(self) -> Vec<Step>;
}

impl Trail for () {
    fn and(self, _: u8, _: bool) -> Self {}

    fn steps(self) -> Vec<Step> {
        Vec::new()
    }
}

/// Turns, six bits each.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Path(u128);

impl Trail for Path {
    fn and(self, turn: u8, is_end: bool) -> Self {
        // 0 is no turn.
        Self(self.0 << 6 | u128::from((turn + 1) | u8::from(is_end) << 5))
    }

    fn steps(self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut bits = self.0;
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
struct Entry<T> {
    node: Node,
    /// Rules for the next turn, and for the last turn before the known ones.
    front: State,
    back: State,
    /// Set of cosets whose marks are known, and the set of marked cosets.
    known: u8,
    set: u8,
    /// Cosets that are looked up first.
    hint: u8,
    trail: T,
}

impl<T> Entry<T> {
    /// Sets the cosets that are known to be marked, and the cosets to look up first.
    #[inline(always)]
    fn marked(self, set: u8, hint: u8) -> Self {
        Self { known: set, set, hint, ..self }
    }
}

/// Next step after a coset of a state was looked up: a coset's number below 6, or one of these.
const DROP: u8 = 6;
const PASS: u8 = 7;

/// A coset that is being loaded.
#[derive(Clone, Copy, Default)]
struct Waiting {
    /// The coset's word, and later its index.
    index: u64,
    entry: u16,
    which: u8,
}

/// The first of the cosets in `wanted`: one of those in `hint`, if there are such.
#[inline(always)]
fn pick(wanted: u8, hint: u8) -> u8 {
    let hinted = wanted & hint;
    let from = if hinted == 0 { wanted } else { hinted };
    from.trailing_zeros() as u8
}

/// Next step for a state with one more remaining move than the depth of marks. If no coset of the
/// state, or no coset of its inverse, is marked, the state is given up. Otherwise all marks are
/// looked up.
#[inline(always)]
fn beyond(known: u8, set: u8, hint: u8) -> u8 {
    let unknown = !known & (STATE | INVERSE);
    let ahead = set & STATE != 0;
    let behind = set & INVERSE != 0;
    let wanted = if !ahead {
        unknown & STATE
    } else if !behind {
        unknown & INVERSE
    } else {
        unknown
    };
    let end = if ahead & behind { PASS } else { DROP };
    if wanted == 0 { end } else { pick(wanted, hint) }
}

/// Next step for a state all of whose cosets must be marked.
#[inline(always)]
fn within(known: u8, set: u8, hint: u8) -> u8 {
    let unknown = !known & (STATE | INVERSE);
    let next = if unknown == 0 { PASS } else { pick(unknown, hint) };
    if set == known { next } else { DROP }
}

/// Begins to load a byte's cache line.
#[inline(always)]
fn prefetch(packed: &[u8], byte: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: a prefetch has no effect but on the caches, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(packed.as_ptr().wrapping_add(byte).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (packed, byte);
}

/// The byte of a coset's bit.
#[inline(always)]
fn place_of_bit(index: u64) -> usize {
    (index >> 3) as usize
}

/// Whether a coset is marked.
#[inline(always)]
pub(super) fn bit(packed: &[u8], index: u64) -> u8 {
    packed[place_of_bit(index)] >> (index & 7) & 1
}

/// A lower bound of a coset's distance; distances of words begin at the byte `bits`.
#[inline(always)]
pub(super) fn least(packed: &[u8], bits: usize, index: u64) -> u8 {
    let word = index >> 6;
    packed[bits + (word >> 1) as usize] >> (4 * (word & 1)) & 15
}

/// Lists of states, and the table that they are looked up in.
pub(crate) struct Pipeline<T> {
    table: Arc<Table>,
    cosets: Arc<Cosets>,
    /// First index of the distances of words.
    bits: usize,
    turns: &'static [Map; 18],
    front: Arc<Order>,
    back: Arc<Order>,
    /// A marked coset is at most this many moves away.
    depth: usize,
    /// By number of moves that are left.
    lists: Vec<Vec<Entry<T>>>,
    waiting: Vec<Waiting>,
    /// States of the list that is looked up that have passed.
    passed: Vec<u16>,
    /// Solutions found: at most `wanted`.
    pub(crate) found: Vec<Vec<Step>>,
    pub(crate) wanted: usize,
    /// States that were looked up.
    pub(crate) generated: u64,
}

impl<T: Trail> Pipeline<T> {
    pub(crate) fn new(
        table: &Arc<Table>,
        near: Near,
        front: &Arc<Order>,
        back: &Arc<Order>,
    ) -> Self {
        Self {
            table: Arc::clone(table),
            cosets: Cosets::of(near.size),
            bits: near.bits(),
            turns: &TURNS,
            front: Arc::clone(front),
            back: Arc::clone(back),
            depth: near.depth().into(),
            lists: (0..MOST).map(|_| Vec::with_capacity(BATCH)).collect(),
            waiting: vec![Waiting::default(); BATCH],
            passed: Vec::with_capacity(BATCH),
            found: Vec::new(),
            wanted: 1,
            generated: 0,
        }
    }

    /// Whether enough solutions are found.
    fn is_done(&self) -> bool {
        self.found.len() >= self.wanted
    }

    /// Enumerates all paths of `left` moves from a state. Stores solutions in `found`.
    pub(crate) fn run(&mut self, node: Node, front: State, left: usize) {
        let entry = Entry { node, front, back: 0, known: 0, set: 0, hint: 0, trail: T::default() };
        self.descend(entry, left);
        for left in (0..=self.depth + 2).rev() {
            while !self.lists[left].is_empty() && !self.is_done() {
                self.work(left);
            }
        }
        self.lists.iter_mut().for_each(Vec::clear);
    }

    /// Down to where looking up begins.
    fn descend(&mut self, entry: Entry<T>, left: usize) {
        if left <= self.depth + 2 {
            self.push(left, entry);
            return;
        }
        let order = Arc::clone(&self.front);
        for (turn, front) in order.all(entry.front) {
            if self.is_done() {
                return;
            }
            let next = self.turned(&entry, turn, front);
            self.descend(next, left - 1);
        }
    }

    #[inline(always)]
    fn push(&mut self, left: usize, entry: Entry<T>) {
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
                    self.found.push(entry.trail.steps());
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

    /// The word of a coset: of the state by axes, then of its inverse.
    #[inline(always)]
    fn word(&self, node: &Node, which: u8) -> u64 {
        match which {
            0..3 => self.cosets.word(which.into(), &node.state),
            _ => self.cosets.word(usize::from(which - 3), &node.inverse),
        }
    }

    /// States with two more remaining moves than the depth of marks. No state can be given up here.
    /// A turn of an axis keeps the coset of this axis, so that a look-up serves all states that the
    /// axis leads to.
    fn first(&mut self, list: &[Entry<T>]) {
        let mut indices = [[0; 3]; BATCH];
        for (entry, indices) in list.iter().zip(&mut indices) {
            for (axis, index) in indices.iter_mut().enumerate() {
                *index = self.cosets.word(axis, &entry.node.state);
            }
        }
        for index in indices[..list.len()].as_flattened_mut() {
            *index = self.cosets.place(*index);
        }
        let table = Arc::clone(&self.table);
        let packed = table.packed();
        for index in indices[..list.len()].as_flattened() {
            prefetch(packed, place_of_bit(*index));
        }
        let order = Arc::clone(&self.front);
        for (entry, indices) in list.iter().zip(&indices) {
            let bits = indices.map(|index| bit(packed, index));
            let set = bits[0] | bits[1] << 1 | bits[2] << 2;
            for axis in 0..3 {
                for &(turn, front) in order.of(entry.front, axis) {
                    let mut next = self.turned(entry, turn, front);
                    next.known = 1 << axis;
                    next.set = set & next.known;
                    // A coset that is marked here is probably marked there, and a single marked
                    // coset suffices.
                    next.hint = set;
                    self.push(self.depth + 1, next);
                }
            }
        }
    }

    /// Looks up the cosets of states until each state is given up or has passed. States that passed
    /// are stored in `passed`.
    #[inline(always)]
    fn look_up(
        &mut self,
        list: &mut [Entry<T>],
        todo: impl Fn(u8, u8, u8) -> u8,
        place: impl Fn(u64) -> usize,
        is_set: impl Fn(&[u8], u64) -> u8,
    ) {
        let table = Arc::clone(&self.table);
        let packed = table.packed();
        let mut waiting = std::mem::take(&mut self.waiting);
        let mut passed = std::mem::take(&mut self.passed);
        passed.resize(BATCH, 0);
        let (mut count, mut ends) = (0, 0);
        // Without branches: how a look-up ends cannot be foreseen.
        let mut sort = |entry: usize, of: &Entry<T>, waiting: &mut [Waiting], count: &mut usize| {
            let next = todo(of.known, of.set, of.hint);
            let to = &mut waiting[*count];
            (to.entry, to.which) = (entry as u16, next);
            *count += usize::from(next < DROP);
            passed[ends] = entry as u16;
            ends += usize::from(next == PASS);
        };
        for (i, entry) in list.iter().enumerate() {
            sort(i, entry, &mut waiting, &mut count);
        }
        while count > 0 {
            for one in &mut waiting[..count] {
                one.index = self.word(&list[usize::from(one.entry)].node, one.which);
            }
            for one in &mut waiting[..count] {
                one.index = self.cosets.place(one.index);
            }
            for one in &waiting[..count] {
                prefetch(packed, place(one.index));
            }
            let mut kept = 0;
            for i in 0..count {
                let Waiting { index, entry, which } = waiting[i];
                let of = &mut list[usize::from(entry)];
                of.known |= 1 << which;
                of.set |= is_set(packed, index) << which;
                sort(entry.into(), of, &mut waiting, &mut kept);
            }
            count = kept;
        }
        passed.truncate(ends);
        self.waiting = waiting;
        self.passed = passed;
    }

    /// States with one more remaining move than the depth of marks. If a coset of the state is not
    /// marked, no turn about its axis can be next. If a coset of the inverse is not marked, no turn
    /// about its axis can be last.
    fn beyond(&mut self, list: &mut [Entry<T>], left: usize) {
        self.look_up(list, beyond, place_of_bit, bit);
        let (front, back) = (Arc::clone(&self.front), Arc::clone(&self.back));
        let passed = std::mem::take(&mut self.passed);
        for entry in passed.iter().map(|&entry| &list[usize::from(entry)]) {
            let axes = |set: u8| (0..3).filter(move |axis| set >> axis & 1 == 1);
            let first = axes(entry.set).map(|axis| front.of(entry.front, axis).len());
            let last = axes(entry.set >> 3).map(|axis| back.of(entry.back, axis).len());
            // A coset that is not marked here is probably not marked there.
            let hint = !entry.set & (STATE | INVERSE);
            if first.sum::<usize>() <= last.sum() {
                for axis in axes(entry.set) {
                    for &(turn, state) in front.of(entry.front, axis) {
                        let next = self.turned(entry, turn, state);
                        self.push(left - 1, next.marked(1 << axis, hint));
                    }
                }
            } else {
                for axis in axes(entry.set >> 3) {
                    for &(turn, state) in back.of(entry.back, axis) {
                        let next = self.preceded(entry, turn, state);
                        self.push(left - 1, next.marked(8 << axis, hint));
                    }
                }
            }
        }
        self.passed = passed;
    }

    #[inline(always)]
    fn turned(&self, entry: &Entry<T>, turn: u8, front: State) -> Entry<T> {
        Entry {
            node: entry.node.turned(self.turns, turn.into()),
            front,
            back: entry.back,
            known: 0,
            set: 0,
            hint: 0,
            trail: entry.trail.and(turn, false),
        }
    }

    #[inline(always)]
    fn preceded(&self, entry: &Entry<T>, turn: u8, back: State) -> Entry<T> {
        Entry {
            node: entry.node.preceded(self.turns, turn.into()),
            front: entry.front,
            back,
            known: 0,
            set: 0,
            hint: 0,
            trail: entry.trail.and(turn, true),
        }
    }

    /// States all of whose cosets must be within the remaining moves. With one move less than the
    /// depth of marks, the bits prune more than the distances of words.
    fn within(&mut self, list: &mut [Entry<T>], left: usize) {
        if left + 1 >= self.depth {
            self.look_up(list, within, place_of_bit, bit);
        } else {
            let bits = self.bits;
            let place = |index: u64| bits + (index >> 7) as usize;
            let is_near =
                |packed: &[u8], index| u8::from(usize::from(least(packed, bits, index)) <= left);
            self.look_up(list, within, place, is_near);
        }
        let front = Arc::clone(&self.front);
        let passed = std::mem::take(&mut self.passed);
        for entry in passed.iter().map(|&entry| &list[usize::from(entry)]) {
            for (turn, state) in front.all(entry.front) {
                let next = self.turned(entry, turn, state);
                self.push(left - 1, next);
            }
        }
        self.passed = passed;
    }

    /// A lower bound of a state's distance.
    pub(crate) fn bound(&self, node: &Node) -> u8 {
        let indices = (0..6).map(|which| self.cosets.place(self.word(node, which)));
        let packed = self.table.packed();
        let far = |index| match bit(packed, index) {
            0 => self.depth as u8 + 1,
            _ => least(packed, self.bits, index),
        };
        indices.map(far).max().unwrap_or(0)
    }
}
