//! Layers of a breadth-first search: sorted numbers of classes, packed as differences.

use crate::{MOST, classes::Classes};

/// A sorted list of numbers, of which each takes as many bytes as its difference to the one before
/// needs.
pub(crate) struct Layer(Vec<u8>);

impl Layer {
    /// Packs a sorted list without repetitions.
    pub(crate) fn pack(sorted: &[u64]) -> Self {
        let mut bytes = Vec::new();
        let mut before = 0;
        for &rank in sorted {
            let mut rest = rank - before;
            before = rank;
            while rest >= 0x80 {
                bytes.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            bytes.push(rest as u8);
        }
        bytes.shrink_to_fit();
        Self(bytes)
    }

    fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        let (mut rank, mut part, mut shift) = (0, 0, 0);
        self.0.iter().filter_map(move |&byte| {
            part |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 != 0 {
                return None;
            }
            rank += part;
            (part, shift) = (0, 0);
            Some(rank)
        })
    }

    fn bytes(&self) -> u64 {
        self.0.len() as u64
    }
}

/// Layers of one side: the last one, the one before, and all earlier ones packed.
pub(crate) struct Layers {
    packed: Vec<Layer>,
    before: Vec<u64>,
    /// The last complete layer, in order.
    pub(crate) last: Vec<u64>,
    /// Position of the next class of the last layer that is to be expanded.
    pub(crate) next: usize,
    /// Classes of the next layer, with repetitions; the first `sorted` are in order without any.
    found: Vec<u64>,
    sorted: usize,
    packed_bytes: u64,
}

/// Found classes without order that are put in order at once.
const UNSORTED: usize = 1 << 18;

impl Layers {
    /// The layers from one class on.
    pub(crate) fn new(first: u64) -> Self {
        let layer = vec![first];
        Self {
            packed: vec![Layer::pack(&layer)],
            before: Vec::new(),
            last: layer,
            next: 0,
            found: Vec::new(),
            sorted: 0,
            packed_bytes: 0,
        }
    }

    /// The number of the last complete layer.
    pub(crate) fn depth(&self) -> u32 {
        self.packed.len() as u32 - 1
    }

    /// Accounted size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let numbers = self.before.capacity() + self.last.capacity() + self.found.capacity();
        self.packed_bytes + 8 * numbers as u64
    }

    /// Whether the layers of `others` bytes and these fit into `most` bytes after another class is
    /// expanded, or after the layer is completed.
    pub(crate) fn fits(&mut self, others: u64, most: u64) -> bool {
        const STEPS: usize = crate::PEGS * crate::PEGS;
        let (len, capacity) = (self.found.len(), self.found.capacity());
        let ends = self.next == self.last.len();
        // Sorting and doubling both need as much memory again.
        let grows = len + STEPS > capacity || len - self.sorted >= UNSORTED || ends;
        let more = if grows { 8 * capacity.max(STEPS) as u64 } else { 0 };
        self.bytes() + others + more <= most
    }

    /// Takes a class of the next layer.
    pub(crate) fn push(&mut self, rank: u64) {
        self.found.push(rank);
    }

    /// Puts the found classes in order where they are many.
    pub(crate) fn tidy(&mut self) {
        if self.found.len() - self.sorted >= UNSORTED.max(self.sorted / 2) {
            self.sort();
        }
    }

    fn sort(&mut self) {
        self.found[self.sorted..].sort_unstable();
        if self.sorted > 0 {
            // Two runs in order, which a stable sort merges.
            self.found.sort();
        }
        self.found.dedup();
        self.sorted = self.found.len();
    }

    /// The classes that were found and are in neither of the last two layers, in order.
    pub(crate) fn new_classes(&mut self) -> Vec<u64> {
        self.sort();
        self.sorted = 0;
        let mut found = std::mem::take(&mut self.found);
        let (mut last, mut before) = (self.last.iter().peekable(), self.before.iter().peekable());
        found.retain(|rank| {
            while last.next_if(|&other| other < rank).is_some() {}
            while before.next_if(|&other| other < rank).is_some() {}
            last.peek() != Some(&rank) && before.peek() != Some(&rank)
        });
        found
    }

    /// Adds a complete layer, in order.
    pub(crate) fn add(&mut self, mut layer: Vec<u64>) {
        layer.shrink_to_fit();
        let packed = Layer::pack(&layer);
        self.packed_bytes += packed.bytes();
        self.packed.push(packed);
        self.before = std::mem::replace(&mut self.last, layer);
        self.next = 0;
    }

    /// A path of classes from a class of the last layer back to the first layer, both included.
    pub(crate) fn back(&self, classes: &Classes, from: u64) -> Vec<u64> {
        let mut path = vec![from];
        let mut at = [0; MOST];
        for layer in self.packed.iter().rev().skip(1) {
            classes.unrank(path[path.len() - 1], &mut at);
            let mut near = Vec::new();
            classes.neighbours(&mut at, |rank| near.push(rank));
            near.sort_unstable();
            let found = layer.numbers().find(|rank| near.binary_search(rank).is_ok());
            // Every class of a layer has a neighbour in the layer before.
            path.extend(found);
        }
        path
    }
}

/// The least number that two lists in order have in common.
pub(crate) fn common(a: &[u64], b: &[u64]) -> Option<u64> {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    if many.len() / 16 > few.len() {
        return few.iter().copied().find(|rank| many.binary_search(rank).is_ok());
    }
    let mut many = many.iter().peekable();
    few.iter().copied().find(|rank| {
        while many.next_if(|&other| other < rank).is_some() {}
        many.peek() == Some(&rank)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_unpacked_as_they_were_packed() {
        let sorted = [0, 1, 127, 128, 129, 1 << 14, 1 << 40, u64::MAX - 1, u64::MAX];
        assert_eq!(Layer::pack(&sorted).numbers().collect::<Vec<u64>>(), sorted);
        assert_eq!(Layer::pack(&[]).numbers().count(), 0);
    }

    #[test]
    fn lists_have_common_numbers() {
        let many: Vec<u64> = (0..100).map(|i| 3 * i).collect();
        for (few, found) in [(&[5, 9][..], Some(9)), (&[1, 2], None), (&[], None)] {
            assert_eq!(common(few, &many), found);
            assert_eq!(common(&many, few), found);
            assert_eq!(common(few, &many[..10]), found);
        }
    }
}
