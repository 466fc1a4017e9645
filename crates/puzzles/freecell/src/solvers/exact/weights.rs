//! The weights of the evaluation, found by hill climbing on deals from 200001 upwards.

/// Number of weights.
pub(crate) const WEIGHTS: usize = 27;

/// Weights of the evaluation, less is better. They multiply, in this order:
///
/// - cards not home
/// - cards on a card that they do not fit on
/// - cards that go home before those in cells
/// - cards above a lower card
/// - cards above the third next card of each suit
/// - columns whose deepest card is not a king
/// - cards above the next card of each suit
/// - cards above the card after that
/// - highest foundation less lowest
/// - moves made
/// - no free cell
/// - 1 free cell
/// - 2 free cells
/// - 3 free cells
/// - 4 or more free cells
/// - no empty column
/// - 1 empty column
/// - 2 empty columns
/// - 3 or more empty columns
/// - columns without a card that never moved
/// - columns with 1 card that never moved
/// - columns with 2 cards that never moved
/// - columns with 3 cards that never moved
/// - columns with 4 cards that never moved
/// - columns with 5 cards that never moved
/// - columns with 6 cards that never moved
/// - columns with more cards that never moved
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Weights(pub(crate) [i32; WEIGHTS]);

/// The weights of the next, the second and the third card.
pub(crate) const NEXT: [usize; 4] = [6, 7, 4, 4];

/// A slice of the portfolio: a best-first search that is given up after some expansions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Slice {
    /// Weights of the estimate.
    pub(crate) weights: Weights,
    /// Positions that it expands at most.
    pub(crate) expansions: u64,
}

/// The weights of the exhaustive search.
pub(crate) const EXHAUSTIVE: Weights = PORTFOLIO[0].weights;

/// The slices, in order.
pub(crate) const PORTFOLIO: [Slice; 8] = [
    Slice {
        weights: Weights([
            14, 48, 0, 6, 0, 21, 13, 1, -9, 24, 213, 132, 81, 39, 2, 60, 11, -14, -1, -7, 1, 4, 18,
            16, 27, 18, 17,
        ]),
        expansions: 140,
    },
    Slice {
        weights: Weights([
            16, 36, 0, 6, -2, 23, 2, 0, -1, 24, 234, 127, 81, 39, 7, 11, 1, -13, -26, -15, 0, -3,
            8, 4, 16, 20, 5,
        ]),
        expansions: 220,
    },
    Slice {
        weights: Weights([
            14, 40, 0, 5, -1, 20, 12, 5, 0, 24, 201, 132, 56, 42, -3, 47, 3, 0, 18, -3, 24, 28, 21,
            11, 18, 18, 19,
        ]),
        expansions: 450,
    },
    Slice {
        weights: Weights([
            16, 36, 0, 6, 0, 23, 2, 0, -3, 24, 234, 127, 81, 39, 8, 12, 5, -35, -14, -6, 2, -2, 8,
            4, 16, 20, 2,
        ]),
        expansions: 1200,
    },
    Slice {
        weights: Weights([
            16, 72, 0, 6, 1, 6, 2, 0, -8, 24, 234, 55, 38, 39, 15, 11, 3, -25, -79, -5, 6, -2, 6,
            -2, 15, 22, 3,
        ]),
        expansions: 3000,
    },
    Slice {
        weights: Weights([
            15, 72, 0, 6, 1, 6, 2, 0, -9, 24, 234, 28, 42, 74, 19, 5, 1, -51, -46, -3, 5, -3, 6, 1,
            15, 22, 1,
        ]),
        expansions: 5000,
    },
    Slice {
        weights: Weights([
            16, 36, 0, 6, 0, 21, 12, 1, -6, 24, 213, 132, 81, 39, -3, 60, 13, -11, -7, -12, 0, 4,
            18, 21, 15, 18, 12,
        ]),
        expansions: 5000,
    },
    Slice {
        weights: Weights([
            16, 36, 0, 6, 0, 23, 2, 0, -3, 24, 234, 127, 81, 39, 8, 12, 5, -35, -14, -6, 2, -2, 8,
            4, 16, 20, 2,
        ]),
        expansions: 20000,
    },
];

impl Weights {
    /// Value of a column by its cards that never moved.
    #[inline(always)]
    pub(crate) fn virgins(&self, count: u32) -> i32 {
        self.0[19 + count.min(7) as usize]
    }

    /// Value of free cells and empty columns.
    #[inline(always)]
    pub(crate) fn room(&self, free: u32, empty: u32) -> i32 {
        self.0[10 + free.min(4) as usize] + self.0[15 + empty.min(3) as usize]
    }
}
