//! Positions in twenty bytes, for searches that keep many: 52 codes of three bits.
//!
//! The parts of a [`Table`] besides its key are restored from the instance in one pass over the
//! cards.

use super::{
    BOTTOM, FreeCell, Table,
    card::{Card, DECK, SUITS},
    state::{CELL, HOME, Key, PER_WORD, SAME, ZOBRIST},
};

/// The lowest bit of every code of a word.
const LOWEST: u64 = 0x1249_2492_4924_9249;

/// The key of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Packed([u32; 5]);

impl Table {
    /// The position in twenty bytes.
    #[inline]
    pub(crate) fn pack(&self) -> Packed {
        Packed::of(self.key)
    }

    /// The card beneath each card, if any; the same for two positions only if their
    /// [`Relations`](super::cycles::Relations) are.
    #[inline]
    pub(crate) fn relations_key(&self) -> Packed {
        // The codes of a bottom, a cell and home (3, 4, 5) all become 7.
        Packed::of(self.key.map(|word| {
            let alone = (word >> 2 | word & word >> 1) & LOWEST;
            word | alone | alone << 1 | alone << 2
        }))
    }
}

impl Packed {
    #[inline]
    fn of([a, b, c]: Key) -> Self {
        // The third word has ten cards, the others leave their highest bit unused.
        Packed([a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32, c as u32])
    }

    /// A well mixed number for tables.
    #[inline]
    pub(crate) fn mixed(&self) -> u64 {
        let [a, b, c, d, e] = self.0.map(u64::from);
        let h = (a | b << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (c | d << 32).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
            ^ e.wrapping_mul(0x1656_67b1_9e37_79f9);
        (h ^ h >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
}

impl FreeCell {
    /// The position of twenty bytes that were packed within this instance.
    #[inline]
    pub(crate) fn unpack(&self, packed: &Packed) -> Table {
        let [a, b, c, d, e] = packed.0.map(u64::from);
        let mut table = Table { key: [a | b << 32, c | d << 32, e], ..self.unmoved.table };
        // Only cards that are not on their card of the start differ from it.
        let (mut gone, mut built) = (0, 0);
        for (word, &codes) in table.key.iter().enumerate() {
            let mut moved = (codes | codes >> 1 | codes >> 2) & LOWEST;
            while moved != 0 {
                let place = moved.trailing_zeros() as usize;
                moved &= moved - 1;
                let card = Card::from_index((word * PER_WORD + place / 3) % DECK);
                let code = (codes >> place) as u8 & 7;
                let zobrist = &ZOBRIST[card.index()];
                table.hash ^= zobrist[usize::from(SAME)] ^ zobrist[usize::from(code)];
                let beneath = self.beneath[card.index()];
                // The bottom is number 63 and no card.
                gone |= 1 << (beneath[usize::from(SAME)] & BOTTOM);
                match code {
                    HOME => table.home[card.index() % SUITS] += 1,
                    CELL => table.cells |= card.bit(),
                    _ => built |= 1 << (beneath[usize::from(code & 3)] & BOTTOM),
                }
                if code >= CELL {
                    table.tops &= !card.bit();
                }
            }
        }
        table.tops &= !(self.unmoved.covered & !gone | built);
        table
    }
}

#[cfg(test)]
mod tests {
    use crate::{Move, tests::varied};
    use unriddle_core::{Puzzle, Rng};

    #[test]
    fn packing_loses_nothing() {
        for seed in 0..40 {
            let puzzle = varied(seed);
            let mut rng = Rng::new(seed);
            let mut table = puzzle.initial_state();
            for _ in 0..100 {
                let again = puzzle.unpack(&table.pack());
                assert_eq!((again.key, again.hash), (table.key, table.hash));
                assert_eq!((again.tops, again.cells), (table.tops, table.cells));
                assert_eq!(again.home, table.home);
                let actions: Vec<Move> = puzzle.actions(&table).collect();
                if actions.is_empty() {
                    break;
                }
                let action = actions[rng.below(actions.len() as u64) as usize];
                table = puzzle.apply(&table, action);
            }
        }
    }
}
