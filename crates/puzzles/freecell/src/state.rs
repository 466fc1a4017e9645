//! A position without the names of its columns and cells.
//!
//! A position is determined by the card beneath every card: the card beneath it at the start, one
//! of the two cards on which it may be built, the bottom of a column, a cell, or its foundation.
//! Three bits distinguish these, so that 52 cards take 20 of the 24 bytes of the [`Key`]. Cells and
//! columns are not numbered: positions that differ only in the order of their columns or cells are
//! equal, which is all the symmetry that the rules have. Moving a sequence changes only the code of
//! its deepest card, and so one term of the hash.
//!
//! Invariants: each code is the smallest valid one (a card on its initial neighbour has code
//! [`SAME`], even if it was built there), so that equal positions have equal keys. `tops`, `cells`,
//! `home` and `hash` follow from the key and the instance. Two states can be compared only within
//! one instance: code [`SAME`] depends on its start.

use super::card::{Card, DECK};
use std::hash::{Hash, Hasher};

/// The card is on the same card as at the start.
pub(crate) const SAME: u8 = 0;
/// The card is on `(c + 4) ^ 1`.
pub(crate) const FIRST: u8 = 1;
/// The card is on `(c + 4) ^ 3`.
pub(crate) const SECOND: u8 = 2;
/// The card is the deepest of a column.
pub(crate) const BASE: u8 = 3;
/// The card is in a cell.
pub(crate) const CELL: u8 = 4;
/// The card is on its foundation.
pub(crate) const HOME: u8 = 5;

/// Codes of three bits, 21 cards a word.
pub(crate) type Key = [u64; 3];

/// Codes of a word.
pub(crate) const PER_WORD: usize = 21;

/// Word and shift of every card's code: a table, because every step would need a division by 21.
const PLACES: [(u8, u8); 64] = {
    let mut places = [(0, 0); 64];
    let mut card = 0;
    while card < 63 {
        places[card] = ((card / PER_WORD) as u8, (card % PER_WORD * 3) as u8);
        card += 1;
    }
    places
};

/// The code of a card.
#[inline(always)]
pub(crate) fn code(key: &Key, card: Card) -> u8 {
    let (word, shift) = PLACES[card.index() & 63];
    // There is always such a word; to ask is faster than to divide.
    key.get(usize::from(word)).map_or(0, |word| (word >> shift) as u8 & 7)
}

/// Sets the code of a card.
#[inline(always)]
pub(crate) fn set_code(key: &mut Key, card: Card, code: u8) {
    let (word, shift) = PLACES[card.index() & 63];
    let word = &mut key[usize::from(word) % 3];
    *word = *word & !(7 << shift) | u64::from(code) << shift;
}

/// The cards whose code is [`BASE`], as a set.
#[inline(always)]
pub(crate) fn with_code_base(key: &Key) -> u64 {
    let mut set = 0;
    for (i, word) in key.iter().enumerate() {
        // The only code in use whose two low bits are set.
        let mut bases = word & word >> 1 & 0o111_111_111_111_111_111_111;
        while bases != 0 {
            set |= 1 << (i * PER_WORD + bases.trailing_zeros() as usize / 3);
            bases &= bases - 1;
        }
    }
    set
}

/// Random words of every card and code (`SplitMix64` of their numbers).
pub(crate) const ZOBRIST: [[u64; 8]; DECK] = {
    let mut table = [[0; 8]; DECK];
    let mut i = 0;
    while i < DECK * 8 {
        let mut z = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        table[i / 8][i % 8] = z ^ (z >> 31);
        i += 1;
    }
    table
};

/// A position: 56 bytes, equal up to the order of columns and cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Table {
    /// Identity of the position: the card beneath every card.
    pub(crate) key: Key,
    /// The cards that end a column, as a set.
    pub(crate) tops: u64,
    /// The cards in cells, as a set.
    pub(crate) cells: u64,
    /// Number of cards on the foundation of each suit.
    pub(crate) home: [u8; 4],
    /// A hash of the key, kept along.
    pub(crate) hash: u64,
}

impl Table {
    /// Number of cards on the foundations.
    #[must_use]
    #[inline(always)]
    pub fn cards_home(&self) -> u32 {
        self.home.iter().map(|&n| u32::from(n)).sum()
    }
}

impl PartialEq for Table {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}
impl Eq for Table {}

impl Hash for Table {
    #[inline(always)]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}
