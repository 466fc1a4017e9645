//! Blocks of a table: a bit for each combination of flips of twelve edges, transformed by turns and
//! symmetries.
//!
//! A turn or a symmetry permutes the bits of an index and inverts some of them. The code transforms
//! a block of 2,048 bits in one pass per exchange of two index bits, by operations on words of 64
//! bits. The sum of all flips is even, so that a block of 2,048 bits represents the flips of all
//! twelve edges: half of the 4,096 combinations do not occur.

/// Words of a block.
pub(crate) const WORDS: usize = super::coset::FLIPS / 64;

/// Index bits within a word.
const LOW: usize = 6;

/// Bits whose number has an even number of bits set.
const EVEN: u64 = 0x9669_6996_6996_9669;

/// By index bit within a word, the bits whose number does not have it.
const WITHOUT: [u64; LOW] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// Flips of all twelve edges.
type Wide = [u64; 2 * WORDS];

/// Permutation of index bits.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    /// Pairs of an index bit within a word and one of the word's number, counted from 0.
    across: Vec<(usize, usize)>,
    /// Pairs of index bits within a word, the lower one first.
    within: Vec<(usize, usize)>,
    /// Source of each word.
    words: [u8; 2 * WORDS],
}

impl Exchange {
    /// `from[i]` is the bit of the result's index that bit `i` of the source's index becomes.
    pub(crate) fn new(mut from: [usize; 12]) -> Self {
        let (mut across, mut within) = (Vec::new(), Vec::new());
        for low in 0..LOW {
            if from[low] < LOW {
                continue;
            }
            // There are as many of the others.
            let fits = (LOW..12).find(|&high| from[high] == low);
            let high = fits.or_else(|| (LOW..12).find(|&high| from[high] < LOW));
            let Some(high) = high else { continue };
            across.push((low, high - LOW));
            from.swap(low, high);
        }
        for low in 0..LOW {
            let other = (low..LOW).find(|&other| from[other] == low);
            if let Some(other) = other.filter(|&other| other != low) {
                within.push((low, other));
                from.swap(low, other);
            }
        }
        let mut words = [0; 2 * WORDS];
        for (word, to) in words.iter_mut().enumerate() {
            let bits = (LOW..12).map(|bit| (word >> (from[bit] - LOW) & 1) << (bit - LOW));
            *to = bits.sum::<usize>() as u8;
        }
        Self { across, within, words }
    }

    /// Adds to `sum` the block `source` with permuted index bits, of which the bits of `changed`
    /// are inverted.
    #[inline(always)]
    fn add(&self, source: &[u64; WORDS], changed: usize, sum: &mut [u64; WORDS]) {
        let mut wide: Wide = [0; 2 * WORDS];
        let high = changed >> LOW;
        for (number, &word) in source.iter().enumerate() {
            let even = if number.count_ones() % 2 == 0 { word & EVEN } else { word & !EVEN };
            wide[number ^ high] = even;
            wide[(number + WORDS) ^ high] = word ^ even;
        }
        for (bit, mask) in WITHOUT.iter().enumerate() {
            if changed >> bit & 1 == 1 {
                let by = 1 << bit;
                for word in &mut wide {
                    *word = (*word & mask) << by | *word >> by & mask;
                }
            }
        }
        for &(low, high) in &self.across {
            let (by, mask, step) = (1 << low, WITHOUT[low], 1 << high);
            for pair in wide.chunks_exact_mut(2 * step) {
                let (first, second) = pair.split_at_mut(step);
                for (first, second) in first.iter_mut().zip(second) {
                    let other = (*first >> by ^ *second) & mask;
                    *second ^= other;
                    *first ^= other << by;
                }
            }
        }
        for &(low, high) in &self.within {
            let by = (1 << high) - (1 << low);
            let mask = !WITHOUT[low] & WITHOUT[high];
            for word in &mut wide {
                let other = (*word >> by ^ *word) & mask;
                *word ^= other ^ other << by;
            }
        }
        for (number, sum) in sum.iter_mut().enumerate() {
            *sum |= wide[usize::from(self.words[number])]
                | wide[usize::from(self.words[number + WORDS])];
        }
    }
}

/// [`Exchange::add`] compiled for this CPU.
pub(crate) type Add = fn(&Exchange, &[u64; WORDS], usize, &mut [u64; WORDS]);

/// The fastest version for this CPU.
pub(crate) fn best() -> Add {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn wide(
            exchange: &Exchange,
            source: &[u64; WORDS],
            changed: usize,
            sum: &mut [u64; WORDS],
        ) {
            exchange.add(source, changed, sum);
        }
        // SAFETY: the CPU has the instructions, as was seen above.
        return |exchange, source, changed, sum| unsafe { wide(exchange, source, changed, sum) };
    }
    Exchange::add
}

#[cfg(test)]
mod tests {
    use super::{super::coset::completed, *};
    use unriddle_core::Rng;

    #[test]
    fn bits_go_where_they_should() {
        let rng = &mut Rng::new(7);
        for _ in 0..50 {
            let mut from: [usize; 12] = std::array::from_fn(|i| i);
            rng.shuffle(&mut from);
            let changed = loop {
                let changed = rng.below(4096) as usize;
                if changed.count_ones().is_multiple_of(2) {
                    break changed;
                }
            };
            let source: [u64; WORDS] = std::array::from_fn(|_| rng.next_u64());
            let mut sum = [0; WORDS];
            best()(&Exchange::new(from), &source, changed, &mut sum);
            for flips in 0..2048 {
                let all = completed(flips);
                let bits = (0..12).map(|bit| (all >> from[bit] & 1) << bit);
                let index = (bits.sum::<usize>() ^ changed) & 2047;
                let bit = |block: &[u64; WORDS], at: usize| block[at / 64] >> (at % 64) & 1;
                assert_eq!(bit(&sum, flips), bit(&source, index), "{from:?}");
            }
        }
    }
}
