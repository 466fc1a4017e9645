//! The weights of the evaluation.

/// Number of weights.
pub const WEIGHTS: usize = 60;

/// Weights of the evaluation, less is better. They multiply, by index:
///
/// | index | feature |
/// |---|---|
/// | 0 | cards not home |
/// | 1 | cards on a card that they do not fit on, since the start |
/// | 2 | cards above a lower card |
/// | 3 | columns whose deepest card is not of the highest rank |
/// | 4 | columns whose deepest card is |
/// | 5 | moves made |
/// | 6 | cards above a lower card of their suit, since the start |
/// | 7 to 13 | next cards of the foundations with 1 to 7 cards above them |
/// | 14 | each further card above a next card |
/// | 15 to 34 | 0 to 4 or more free cells with 0 to 3 or more empty columns |
/// | 35 to 41 | columns with 1 to 7 or more cards that never moved |
/// | 42 to 54 | cards above a card of rank 1 to 13 that never moved |
/// | 55 | the uncovered card comes next on a foundation and is safe there |
/// | 56 | the uncovered card comes next on a foundation |
/// | 57 | the uncovered card fits on the last card of a column |
/// | 58 | cards in cells that fit on the uncovered card |
/// | 59 | last cards of columns that fit on the uncovered card |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Weights(pub [i16; WEIGHTS]);

/// Index of the weight of cards not home.
pub(super) const LEFT: usize = 0;
/// Index of the weight of cards on a card that they do not fit on.
pub(super) const BREAK: usize = 1;
/// Index of the weight of cards above a lower card.
pub(super) const BLOCKER: usize = 2;
/// Index of the weight of deepest cards that are not of the highest rank.
pub(super) const LOW_BASE: usize = 3;
/// Index of the weight of deepest cards of the highest rank.
pub(super) const HIGH_BASE: usize = 4;
/// Index of the weight of moves made.
pub(super) const MADE: usize = 5;
/// Index of the weight of cards above a lower card of their suit.
pub(super) const OWN_SUIT: usize = 6;
/// Index of the first weight of next cards.
pub(super) const NEXT: usize = 7;
/// Index of the first weight of free cells and empty columns.
pub(super) const ROOM: usize = 15;
/// Index of the first weight of cards that never moved.
pub(super) const VIRGIN: usize = 35;
/// Index of the first weight of cards above a card of a rank.
pub(super) const ABOVE: usize = 42;
/// Index of the first weight of uncovered cards.
pub(super) const UNCOVERED: usize = 55;

/// A slice of the portfolio: a best-first search that is given up after some expansions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    /// Weights of the estimate.
    pub weights: Weights,
    /// Positions that it expands at most.
    pub expansions: u64,
}

impl std::fmt::Display for Slice {
    /// A line of `weights/fast.txt`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:", self.expansions)?;
        self.weights.0.iter().try_for_each(|weight| write!(f, " {weight}"))
    }
}

impl std::str::FromStr for Slice {
    type Err = String;

    /// Reads a line of `weights/fast.txt`.
    fn from_str(line: &str) -> Result<Self, String> {
        let expected = || format!("expected N: and {WEIGHTS} weights, found `{line}`");
        let (expansions, weights) = line.split_once(':').ok_or_else(expected)?;
        let weights: Vec<i16> =
            weights.split_whitespace().map_while(|word| word.parse().ok()).collect();
        Ok(Self {
            weights: Weights(weights.try_into().map_err(|_| expected())?),
            expansions: expansions.trim().parse().map_err(|_| expected())?,
        })
    }
}
