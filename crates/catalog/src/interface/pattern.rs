//! Patterns of three successive actions (Agostinelli et al. 2019, Methods, "Conjugate patterns and
//! symmetric states").

use unriddle_core::{Puzzle, words};

words! {
    /// Pattern of three successive actions; a and b are different actions that are not inverse to
    /// each other.
    pub enum Pattern {
        /// No pattern of this list.
        Other = "other",
        /// An action, another one, and the inverse of the first, which may be the first itself.
        Conjugate = "aba⁻¹",
        /// An action before and after another one.
        Around = "aba",
        /// An action twice, then another one.
        Twice = "aab",
        /// An action, then another one twice.
        ThenTwice = "abb",
    }
}

impl Pattern {
    /// All patterns.
    pub const ALL: [Self; 5] =
        [Self::Other, Self::Conjugate, Self::Around, Self::Twice, Self::ThenTwice];

    fn found<P: Puzzle>(puzzle: &P, [a, b, c]: [P::Action; 3]) -> Self {
        let is_undone = |last, next| puzzle.is_inverse(last, next);
        match (a == b, b == c) {
            (true, false) if !is_undone(b, c) => Self::Twice,
            (false, true) if !is_undone(a, b) => Self::ThenTwice,
            (false, false) if !is_undone(a, b) && is_undone(a, c) => Self::Conjugate,
            (false, false) if !is_undone(a, b) && a == c => Self::Around,
            _ => Self::Other,
        }
    }

    /// The patterns of all triples of successive actions: two fewer than there are actions.
    pub(crate) fn all_of<P: Puzzle>(puzzle: &P, actions: &[P::Action]) -> Vec<Self> {
        actions.array_windows().map(|&triple| Self::found(puzzle, triple)).collect()
    }
}
