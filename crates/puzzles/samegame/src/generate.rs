//! Seeded boards.

use super::Layout;
use unriddle_core::Rng;

/// A full board, every cell of any colour with the same probability.
#[must_use]
pub fn uniform(width: usize, height: usize, colours: u8, rng: &mut Rng) -> Layout {
    let mut column = || (0..height).map(|_| rng.below(u64::from(colours)) as u8).collect();
    Layout { width, height, columns: (0..width).map(|_| column()).collect() }
}
