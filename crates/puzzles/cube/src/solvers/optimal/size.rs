//! Sizes of a table, which distinguish more or fewer cosets.

use crate::Metric;
use unriddle_core::{
    Domain,
    options::{Field, Given},
    words,
};

words! {
    /// Sizes of tables, by the memory that they take.
    pub enum Size {
        /// Corners by their layers, and the set of edges in the slice.
        Standard = "1.3G",
        /// Corners only by their twists.
        Small = "23M",
        /// Also whether the order of the slice's edges is even.
        Double = "2.7G",
        /// Also their order up to the symmetries of the slice.
        Triple = "4G",
        /// Also their order up to exchanges of two pairs.
        Sixfold = "8G",
        /// Also their order up to half turns of the slice.
        Twelvefold = "16G",
    }
}

/// The option `table`: one of the sizes, or `fit` (`None`), the largest that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted(pub Option<Size>);

impl Default for Wanted {
    fn default() -> Self {
        Self(Some(Size::default()))
    }
}

impl Wanted {
    const FIT: &'static str = "fit";

    const NAMES: [&'static str; Size::NAMES.len() + 1] = {
        let mut names = [Self::FIT; Size::NAMES.len() + 1];
        let mut i = 0;
        while i < Size::NAMES.len() {
            names[i] = Size::NAMES[i];
            i += 1;
        }
        names
    };
}

impl Field for Wanted {
    const DOMAIN: Domain = Domain::Choice(&Self::NAMES);

    fn read(given: &dyn Given, name: &str) -> Self {
        Self(Size::of(given.choice(name)))
    }
}

/// Permutation of four: the number at each position.
type Order = [u8; 4];

impl Size {
    /// All sizes, the smallest first.
    pub(crate) const ALL: [Self; 6] =
        [Self::Small, Self::Standard, Self::Double, Self::Triple, Self::Sixfold, Self::Twelvefold];

    /// Whether the layers of corners are distinguished.
    pub(crate) fn has_layers(self) -> bool {
        self != Self::Small
    }

    /// Whether two orders that differ by the permutation `by` of the slice's positions are equal.
    /// These permutations form a group that the symmetries of the slice keep: all permutations, the
    /// even ones, the symmetries of a square, the exchanges of two pairs, or the half turn.
    pub(crate) fn is_same(self, by: Order) -> bool {
        let inversions = (0..4).flat_map(|i| (0..i).map(move |j| (j, i)));
        let is_even = inversions.filter(|&(j, i)| by[j] > by[i]).count() % 2 == 0;
        // Positions of the slice are FR, FL, BL and BR. Opposite positions differ by 2.
        let keeps_opposites = by[0] ^ by[2] == 2;
        let is_half_turn = [[0, 1, 2, 3], [2, 3, 0, 1]].contains(&by);
        match self {
            Self::Small | Self::Standard => true,
            Self::Double => is_even,
            Self::Triple => keeps_opposites,
            Self::Sixfold => is_even && (0..4).all(|i| usize::from(by[usize::from(by[i])]) == i),
            Self::Twelvefold => is_half_turn,
        }
    }

    /// The number of moves within which a coset is marked. With one more, look-ups begin a level
    /// earlier and fewer states of the levels below are generated, but each look-up prunes less.
    /// `docs/measurements.md` compares the depths for some sizes.
    pub(crate) fn depth(self, metric: Metric) -> u8 {
        match (metric, self) {
            (Metric::Quarter, Self::Small) => 10,
            (Metric::Quarter, Self::Standard | Self::Double) => 11,
            (Metric::Quarter, _) => 12,
            (Metric::Half, Self::Small) => 8,
            (Metric::Half, _) => 10,
        }
    }
}
