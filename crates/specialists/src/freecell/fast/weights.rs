//! The weights of the evaluation.

/// Number of weights.
pub const WEIGHTS: usize = 19;

/// Weights of the evaluation, less is better: see [`NAMES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Weights(pub [i32; WEIGHTS]);

/// What each weight is multiplied with.
pub const NAMES: [&str; WEIGHTS] = [
    "cards not home",
    "cards on one that they do not fit on",
    "cards above a lower card of their suit",
    "cards above a lower card",
    "cards above the third next card of each suit",
    "columns whose deepest card is not a king",
    "cards above the next card of each suit",
    "cards above the card after that",
    "highest foundation less lowest",
    "moves made",
    "no free cell",
    "1 free cell",
    "2 free cells",
    "3 free cells",
    "4 or more free cells",
    "no empty column",
    "1 empty column",
    "2 empty columns",
    "3 or more empty columns",
];

/// A slice of the portfolio: a best-first search that is given up after some expansions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    /// What it goes by.
    pub weights: Weights,
    /// Positions that it expands at most.
    pub expansions: u64,
}

/// The weights of the exhaustive search.
pub const EXHAUSTIVE: Weights = PORTFOLIO[0].weights;

/// The slices, in order.
pub const PORTFOLIO: [Slice; 1] = [Slice {
    weights: Weights([
        14, 12, 3, 2, 0, 4, 6, 1, -1, 8, 67, 35, 23, 9, 0, 48, 3, 2, 3,
    ]),
    expansions: 1000,
}];

impl Weights {
    /// What free cells and empty columns are worth.
    #[inline(always)]
    pub(crate) fn room(&self, free: u32, empty: u32) -> i32 {
        self.0[10 + free.min(4) as usize] + self.0[15 + empty.min(3) as usize]
    }
}
