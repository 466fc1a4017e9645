//! Microsoft's numbered deals, in all their ranges.
//!
//! A linear congruential generator, state ← state·214013 + 2531011 modulo 2³², gives 15 bits a
//! time. Deals up to 2³¹ − 1 agree with Microsoft's program; from 2³¹ to 2³² − 1 the sixteenth bit
//! is set; from 2³² to 2³³ − 1 the seed is n − 2³² and the draws are 16 bits plus one (as
//! `FreeCell` Pro and the solvers in its wake number them).

use super::card::{Card, DECK};

/// The first numbered deal.
pub(crate) const FIRST: u64 = 1;
/// The last numbered deal.
pub(crate) const LAST: u64 = (1 << 33) - 1;

/// The order of the suits in Microsoft's deck (clubs, diamonds, hearts, spades) as our suits.
const SUIT_ORDER: [u8; 4] = [0, 1, 3, 2];

/// The deck of a numbered deal in the order in which it is dealt: card i goes to column i modulo 8.
/// `None` outside [`FIRST`]`..=`[`LAST`].
pub(crate) fn deck(number: u64) -> Option<[Card; DECK]> {
    if !(FIRST..=LAST).contains(&number) {
        return None;
    }
    let mut state = number as u32;
    let mut draw = || {
        state = state.wrapping_mul(214_013).wrapping_add(2_531_011);
        match number >> 31 {
            0 => state >> 16 & 0x7fff,
            1 => state >> 16 & 0x7fff | 0x8000,
            _ => (state >> 16 & 0xffff) + 1,
        }
    };
    let mut rest: [Card; DECK] =
        std::array::from_fn(|i| Card::new((i / 4) as u8 + 1, SUIT_ORDER[i % 4]));
    let mut dealt = rest;
    for (i, place) in dealt.iter_mut().enumerate() {
        let left = DECK - i;
        let drawn = draw() as usize % left;
        *place = rest[drawn];
        rest[drawn] = rest[left - 1];
    }
    Some(dealt)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_row(number: u64) -> String {
        let deck = deck(number).unwrap();
        let row: Vec<String> = deck[..8].iter().map(Card::to_string).collect();
        row.join(" ")
    }

    #[test]
    fn every_range_has_its_deals() {
        assert_eq!(first_row(1), "JD 2D 9H JC 5D 7H 7C 5H");
        assert_eq!(first_row(617), "7D AD 5C 3S 5S 8C 2D AH");
        assert_eq!(first_row(11_982), "AH AS 4H AC 2D 6S TS JS");
        assert_eq!(first_row(1_000_000), "2D 6H 6S TH JC 3C 4D TD");
        assert_eq!(first_row(1 << 31), "QH QC 2H 6S 2S 3D KS 8C");
        assert_eq!(first_row(1 << 32), "TS 5S 2S TD 3C AD JC 6D");
        assert_eq!(first_row(LAST), "TC 2S JS 5S 4D 6H 3H 7C");
        assert_eq!((deck(0), deck(LAST + 1)), (None, None));
    }
}
