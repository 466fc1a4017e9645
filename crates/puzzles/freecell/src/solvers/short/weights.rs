//! Ranking of states of equal depth: a linear function of the counts of the working board.
//!
//! The weights were set by hand and tried out on deals 100001 to 100200, which are in no usual test
//! set: those kept gave the smallest mean length at widths 128 to 1024. Terms of weight 0 did not
//! pay there.

use crate::solvers::fast::{portfolio::read, weights::Weights as Estimate};

/// The weights; the sum is better the smaller it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// A forced run: one more move at least.
    pub forced: i32,
    /// A cycle of runs that block each other: one more move at least.
    pub cycles: i32,
    /// A card that must move before it can go home.
    pub must: i32,
    /// A card beneath the last run of its column.
    pub unsorted: i32,
    /// A card on a card that it does not fit on.
    pub breaks: i32,
    /// A card above one of lower rank.
    pub buries: i32,
    /// A card above the next card of a foundation.
    pub above: i32,
    /// A card at home.
    pub home: i32,
    /// By the number of free cells; the last for all numbers above.
    pub free: [i32; 6],
    /// By the number of empty columns; the last for all numbers above.
    pub empty: [i32; 4],
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            forced: 8,
            cycles: 8,
            must: 0,
            unsorted: 4,
            breaks: 0,
            buries: 0,
            above: 1,
            home: 0,
            free: [24, 18, 12, 5, 0, 0],
            empty: [16, 8, 0, 0],
        }
    }
}

/// Weights of the order of a layer of the beam over positions of the fast engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeamWeights {
    /// Weights of the features of a position, and of the card that a move uncovers.
    pub estimate: Estimate,
    /// Weight of a forced run, which is one move more at least.
    pub forced: i16,
}

/// The weights of the file `weights/short.txt`, which the example `freecell_tune` makes.
impl Default for BeamWeights {
    fn default() -> Self {
        const { Self::read(include_bytes!("../../../weights/short.txt")) }
    }
}

impl BeamWeights {
    const fn read(text: &[u8]) -> Self {
        let (forced, estimate, _) = read(text, 0);
        Self { estimate, forced: forced as i16 }
    }
}

impl std::fmt::Display for BeamWeights {
    /// The line of `weights/short.txt`: the weight of a forced run, a colon, and the others.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:", self.forced)?;
        self.estimate.0.iter().try_for_each(|weight| write!(f, " {weight}"))
    }
}
