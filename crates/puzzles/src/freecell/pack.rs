//! Positions in twenty bytes, for searches that keep many: 52 codes of three bits.
//!
//! What a [`Table`] holds besides its key is found again from the instance in one pass over the cards.

use super::{
    BOTTOM, FreeCell, Table,
    card::Card,
    state::{CELL, HOME, ZOBRIST, code},
};

/// The key of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Packed([u32; 5]);

impl Table {
    /// The position in twenty bytes.
    #[must_use]
    #[inline]
    pub fn pack(&self) -> Packed {
        let [a, b, c] = self.key;
        // The third word has ten cards, the others leave their highest bit unused.
        Packed([
            a as u32,
            (a >> 32) as u32,
            b as u32,
            (b >> 32) as u32,
            c as u32,
        ])
    }
}

impl FreeCell {
    /// The position of twenty bytes that were packed within this instance.
    #[must_use]
    #[inline]
    pub fn unpack(&self, packed: &Packed) -> Table {
        let [a, b, c, d, e] = packed.0.map(u64::from);
        let mut table = Table {
            key: [a | b << 32, c | d << 32, e],
            tops: 0,
            cells: 0,
            home: [0; 4],
            hash: 0,
        };
        let mut covered = 0;
        for index in 0..self.rules.deck() {
            let card = Card::from_index(index);
            let code = code(&table.key, card);
            table.hash ^= ZOBRIST[index][usize::from(code)];
            match code {
                HOME => table.home[index % 4] += 1,
                CELL => table.cells |= card.bit(),
                _ => {
                    table.tops |= card.bit();
                    let below = self.beneath[index][usize::from(code & 3)];
                    // The bottom is number 63 and no card.
                    covered |= 1 << (below & BOTTOM);
                }
            }
        }
        table.tops &= !covered;
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::freecell::{Move, Rules, parse};
    use unriddle_core::{Puzzle, Rng};

    #[test]
    fn packing_loses_nothing() {
        for seed in 0..40 {
            let rules = Rules {
                cells: (seed % 9) as u8,
                columns: 4 + (seed % 7) as u8,
                ..Rules::default()
            };
            let layout = parse::numbered(seed + 1, &rules).unwrap();
            let puzzle = FreeCell::new(rules, layout);
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
