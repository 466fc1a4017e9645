//! Seeded random numbers: a seed yields the same bytes in all versions.
//!
//! The generator is xoshiro256++ (Blackman and Vigna 2021) from `rand_xoshiro`. Sampling is
//! implemented here, because distributions of general libraries may change their values between
//! versions, and every recorded run names a seed.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A seeded generator.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// Creates the generator of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Creates the generator of the `index`-th independent stream of a seed: for the n-th instance
    /// of a batch, in whatever order instances are made.
    #[must_use]
    pub fn stream(seed: u64, index: u64) -> Self {
        // A SplitMix64 finaliser keeps neighbouring indices apart.
        let mut z = index.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self::new(seed ^ z ^ (z >> 31))
    }

    /// State of the generator, for a checkpoint: [`from_state`](Self::from_state) resumes with the
    /// same numbers.
    #[must_use]
    pub fn state(&self) -> [u8; 32] {
        self.0.state()
    }

    /// Creates the generator with a state from [`state`](Self::state). `None` for 32 zeros, which
    /// no generator has.
    #[must_use]
    pub fn from_state(state: [u8; 32]) -> Option<Self> {
        (state != [0; 32]).then(|| Self(Xoshiro256PlusPlus::from_seed(state)))
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number below `n` (Lemire's multiplication with rejection). 0 for `n = 0`.
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        loop {
            let wide = u128::from(self.next_u64()) * u128::from(n);
            // The second condition decides, but it takes a division and is below n.
            if wide as u64 >= n || wide as u64 >= n.wrapping_neg() % n {
                return (wide >> 64) as u64;
            }
        }
    }

    /// A uniform number in `[0, 1)` with 53 bits.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Brings the items into a uniformly random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of a seed never change: every recorded seed depends on them.
    #[test]
    fn the_bytes_of_a_seed_are_fixed() {
        let mut rng = Rng::new(1);
        let first: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(first, FIRST);
        let mut rng = Rng::stream(1, 2);
        assert_eq!((rng.below(1000), rng.below(1000)), (STREAM[0], STREAM[1]));
    }
    const FIRST: [u64; 3] =
        [14_971_601_782_005_023_387, 13_781_649_495_232_077_965, 1_847_458_086_238_483_744];
    const STREAM: [u64; 2] = [316, 839];

    #[test]
    fn a_restored_generator_continues_with_the_same_numbers() {
        let mut rng = Rng::stream(3, 4);
        rng.below(77);
        let state = rng.state();
        let mut again = Rng::from_state(state).unwrap();
        assert_eq!(again.state(), state);
        for _ in 0..100 {
            assert_eq!(rng.next_u64(), again.next_u64());
        }
        assert!(Rng::from_state([0; 32]).is_none());
        // The bytes of a state never change: every checkpoint depends on them.
        assert_eq!(Rng::new(1).state()[..8], 0x910a_2dec_8902_5cc1u64.to_le_bytes());
    }

    #[test]
    fn below_is_uniform_and_in_range() {
        let mut rng = Rng::new(7);
        let mut count = [0u32; 6];
        for _ in 0..60_000 {
            count[rng.below(6) as usize] += 1;
        }
        assert!(count.iter().all(|&c| (9_500..10_500).contains(&c)), "{count:?}");
        assert_eq!((rng.below(0), rng.below(1)), (0, 0));
    }
}
