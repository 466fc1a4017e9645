//! Cards, suits and ranks, and how they are written.

use std::fmt;

/// The letters of the ranks, from the ace; before them the sign of an empty foundation.
const RANKS: [&str; 14] = ["0", "A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Suit {
    Hearts,
    Clubs,
    Diamonds,
    Spades,
}

/// The suits in the order of the foundations.
pub(super) const SUITS: [Suit; 4] = [Suit::Hearts, Suit::Clubs, Suit::Diamonds, Suit::Spades];

impl Suit {
    pub(super) fn read(c: char) -> Option<Self> {
        SUITS.into_iter().find(|suit| suit.letter() == c.to_ascii_uppercase())
    }

    pub(super) fn letter(self) -> char {
        ['H', 'C', 'D', 'S'][self as usize]
    }

    pub(super) fn name(self) -> &'static str {
        ["hearts", "clubs", "diamonds", "spades"][self as usize]
    }

    pub(super) fn is_red(self) -> bool {
        self == Self::Hearts || self == Self::Diamonds
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Card {
    /// 1 for the ace, 13 for the king.
    pub(super) rank: u8,
    pub(super) suit: Suit,
}

impl Card {
    /// A card from its rank and its suit, in letters of either case.
    pub(super) fn read(word: &str) -> Option<Self> {
        let mut chars = word.chars();
        let suit = Suit::read(chars.next_back()?)?;
        let rank = read_rank(chars.as_str())?;
        Some(Self { rank, suit })
    }

    /// Whether the card may be put on another one in a column: one rank lower, and of the other
    /// colour.
    pub(super) fn fits_on(self, other: Self) -> bool {
        self.rank + 1 == other.rank && self.suit.is_red() != other.suit.is_red()
    }

    /// The cards that may be put on this one, in words.
    pub(super) fn wanted(self) -> String {
        let suits = match self.suit.is_red() {
            _ if self.rank == 1 => return "nothing does".to_owned(),
            true => [Suit::Clubs, Suit::Spades],
            false => [Suit::Hearts, Suit::Diamonds],
        };
        let [one, other] = suits.map(|suit| Self { rank: self.rank - 1, suit });
        format!("only {one} or {other} does")
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", rank_text(self.rank), self.suit.letter())
    }
}

/// A rank, counted from 1.
pub(super) fn read_rank(word: &str) -> Option<u8> {
    if word == "10" {
        return Some(10);
    }
    (1..=13).find(|&rank| rank_text(rank).eq_ignore_ascii_case(word))
}

/// Text of a rank; rank 0 means an empty foundation.
pub(super) fn rank_text(rank: u8) -> &'static str {
    RANKS[usize::from(rank)]
}
