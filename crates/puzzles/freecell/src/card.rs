//! Cards, and sets of cards as bits.
//!
//! A card's number is 4·(rank − 1) + suit, with the suits in the order clubs, diamonds, spades,
//! hearts. Colours alternate in this order, so that the two cards on which a card `c` may be placed
//! are `(c + 4) ^ 1` and `(c + 4) ^ 3`, and whole sets of cards are tested by shifting and swapping
//! bits.

use std::fmt;

/// Cards of a full deck.
pub(crate) const DECK: usize = 52;
/// Suits.
pub(crate) const SUITS: usize = 4;

/// A card of a deck of four suits and up to thirteen ranks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

const RANKS: &[u8; 13] = b"A23456789TJQK";
const LETTERS: &[u8; 4] = b"CDSH";
/// The suits in words, by number.
pub(crate) const SUIT_NAMES: [&str; 4] = ["clubs", "diamonds", "spades", "hearts"];
/// The order in which texts list the foundations: hearts, clubs, diamonds, spades.
pub(crate) const FOUNDATION_ORDER: [u8; 4] = [3, 0, 1, 2];

impl Card {
    /// The card of a rank (1 to 13) and a suit (0 to 3).
    #[must_use]
    #[inline]
    pub const fn new(rank: u8, suit: u8) -> Self {
        Self((rank - 1) * 4 + suit)
    }

    /// The card of a number below 52.
    #[must_use]
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        Self(index as u8)
    }

    /// The card's number, below 52.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 1 (ace) to 13 (king).
    #[must_use]
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / 4 + 1
    }

    /// 0 clubs, 1 diamonds, 2 spades, 3 hearts.
    #[must_use]
    #[inline]
    pub const fn suit(self) -> u8 {
        self.0 % 4
    }

    /// Whether it is a heart or a diamond.
    #[must_use]
    #[inline]
    pub const fn is_red(self) -> bool {
        self.0 % 2 == 1
    }

    /// Whether it may be placed on another card in a column: one rank lower, of the other colour.
    #[inline]
    pub(crate) const fn fits(self, onto: Self) -> bool {
        self.rank() + 1 == onto.rank() && self.is_red() != onto.is_red()
    }

    /// The set of only this card.
    #[inline]
    pub(crate) const fn bit(self) -> u64 {
        1 << self.0
    }

    /// The letter of a suit.
    pub(crate) const fn suit_letter(suit: u8) -> char {
        LETTERS[suit as usize & 3] as char
    }

    /// The suit of a letter, upper or lower case, or of its sign, filled or not.
    pub(crate) fn suit_of(letter: char) -> Option<u8> {
        let letter = match letter {
            '♣' | '♧' => 'C',
            '♦' | '♢' => 'D',
            '♠' | '♤' => 'S',
            '♥' | '♡' => 'H',
            letter => letter,
        };
        let upper = letter.to_ascii_uppercase();
        (0..4).find(|&suit| Self::suit_letter(suit) == upper)
    }

    /// The text of a rank: `A`, `2` … `9`, `T`, `J`, `Q`, `K`.
    pub(crate) fn rank_letter(rank: u8) -> char {
        RANKS[usize::from(rank.saturating_sub(1)).min(12)] as char
    }

    /// The rank of a text: one of those letters in upper or lower case; `10` or `0` for ten.
    pub(crate) fn rank_of(text: &str) -> Option<u8> {
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some('0'), None) => Some(10),
            (Some(c), None) => {
                let upper = c.to_ascii_uppercase();
                (1..=13).find(|&rank| Self::rank_letter(rank) == upper)
            }
            _ => (text == "10").then_some(10),
        }
    }

    /// The card of a text such as `7H`, `td`, `0D`, `10C` or `♥A`: no letter is both a rank and a
    /// suit.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        // Suits may be followed by a mark that selects their drawing.
        const MARKS: [char; 2] = ['\u{fe0e}', '\u{fe0f}'];
        let text = text.trim_end_matches(MARKS);
        let (first, last) = (text.chars().next()?, text.chars().next_back()?);
        let (suit, rank) = match Self::suit_of(last) {
            Some(suit) => (suit, &text[..text.len() - last.len_utf8()]),
            None => (Self::suit_of(first)?, text[first.len_utf8()..].trim_start_matches(MARKS)),
        };
        Some(Self::new(Self::rank_of(rank)?, suit))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Self::rank_letter(self.rank()), Self::suit_letter(self.suit()))
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The cards of a set, lowest number first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cards(pub(crate) u64);

impl Iterator for Cards {
    type Item = Card;
    #[inline(always)]
    fn next(&mut self) -> Option<Card> {
        if self.0 == 0 {
            return None;
        }
        let card = Card(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(card)
    }
}

/// The cards whose first place of building, `(c + 4) ^ 1`, is in a set.
#[inline(always)]
pub(crate) const fn fit_first(set: u64) -> u64 {
    let below = set >> 4;
    (below & 0x5555_5555_5555_5555) << 1 | (below & 0xaaaa_aaaa_aaaa_aaaa) >> 1
}

/// The cards whose second target of building, `(c + 4) ^ 3`, is in a set.
#[inline(always)]
pub(crate) const fn fit_second(set: u64) -> u64 {
    let swapped = fit_first(set);
    (swapped & 0x3333_3333_3333_3333) << 2 | (swapped & 0xcccc_cccc_cccc_cccc) >> 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_agree() {
        for index in 0..DECK {
            let card = Card::from_index(index);
            assert_eq!(Card::parse(&card.to_string()), Some(card));
            assert_eq!(Card::new(card.rank(), card.suit()), card);
        }
        for ten in ["10h", "0H", "Th", "t♥", "♥10", "H0", "10♥\u{fe0f}", "♥\u{fe0f}T"] {
            assert_eq!(Card::parse(ten), Some(Card::new(10, 3)), "{ten}");
        }
        for wrong in
            ["", "H", "1H", "11H", "HH", "7X", "7Hé", "é", "🂡", "00H", "010H", "HTH", "\u{fe0f}"]
        {
            assert_eq!(Card::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn targets_of_building_fit() {
        for index in 0..DECK {
            let card = Card::from_index(index);
            let fitting: Vec<usize> =
                (0..DECK).filter(|&onto| card.fits(Card::from_index(onto))).collect();
            let mut places = vec![(index + 4) ^ 1, (index + 4) ^ 3];
            places.retain(|&place| place < DECK);
            places.sort_unstable();
            assert_eq!(places, fitting);
            for onto in fitting {
                let set = 1u64 << onto;
                let first = fit_first(set) & card.bit() != 0;
                let second = fit_second(set) & card.bit() != 0;
                assert_eq!((first, second), (onto == (index + 4) ^ 1, onto == (index + 4) ^ 3));
            }
        }
    }
}
