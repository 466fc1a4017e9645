//! A position with all inputs of the evaluation: 256 bytes, whose columns keep their numbers.
//!
//! A column is a prefix of its cards at the start and cards that were built on it, whose ranks are
//! consecutive: the number of the built cards, the last card and two bits of suit for each rank
//! determine them. Each card has its column and height in one byte, so that the number of cards
//! above it needs no walk.
//!
//! The hash is a sum over the cards in play, of a factor for the card times a factor for the card
//! beneath it. The hash is equal for all orders of columns and cells. A move changes only one
//! term: the deepest moved card has another card beneath it.
//!
//! *Forced*: a card whose move home is safe by the rule of Keller and Horne goes home at once
//! (module `position` of the exact search).

use super::frame::{COLUMNS, Frame, NO_RANK, Values};
use crate::{Card, Move, To};

/// No card: the last card of an empty column.
pub(in crate::solvers) const NO_CARD: u8 = 255;
/// A card that is in no column.
const NOWHERE: u8 = 255;
/// Factors of the hash for the bottom of a column and for a cell.
const BOTTOM: usize = 62;
const CELL: usize = 63;
/// The cards of the first suit, and one bit more after its last rank.
const SUIT: u64 = 0x0011_1111_1111_1111;

/// Odd random factors (`SplitMix64`).
const fn factors(mut seed: u64) -> [u64; 64] {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        table[i] = (z ^ (z >> 31)) | 1;
        i += 1;
    }
    table
}

static CARD: [u64; 64] = factors(1);
static BENEATH: [u64; 64] = factors(2);

/// Term of the hash of a card on a card, the bottom or a cell.
#[inline(always)]
fn term(card: u8, beneath: usize) -> u64 {
    CARD[usize::from(card) & 63].wrapping_mul(BENEATH[beneath & 63])
}

/// Set of one card; empty for [`NO_CARD`].
#[inline(always)]
pub(in crate::solvers) const fn bit(card: u8) -> u64 {
    ((card < 64) as u64) << (card & 63)
}

/// Source or target of a step: a column below [`COLUMNS`], or one of these.
pub(in crate::solvers) const IN_CELL: u8 = 8;
pub(in crate::solvers) const AT_HOME: u8 = 9;

/// A move of a number of cards between columns, cells and foundations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::solvers) struct Step {
    /// The deepest card that moves.
    pub(in crate::solvers) card: u8,
    pub(in crate::solvers) from: u8,
    pub(in crate::solvers) to: u8,
    pub(in crate::solvers) count: u8,
}

/// A position and how it was reached.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(in crate::solvers) struct Node {
    /// Column and height of each card, in 3 and 5 bits.
    place: [u8; 64],
    /// Suits of built cards, two bits for each rank.
    suits: [u32; COLUMNS],
    /// Value of the prefix; where it is empty, of the deepest built card.
    pub(in crate::solvers) value: [i16; COLUMNS],
    /// Value of the prefix without its last card.
    pub(in crate::solvers) shorter: [i16; COLUMNS],
    /// Growth of the value with each built card.
    pub(in crate::solvers) growth: [i16; COLUMNS],
    /// Last card of each column, or [`NO_CARD`].
    pub(in crate::solvers) last: [u8; COLUMNS],
    /// Number of built cards.
    pub(in crate::solvers) built: [u8; COLUMNS],
    /// Number of cards of the prefix.
    pub(in crate::solvers) kept: [u8; COLUMNS],
    /// Cards of the prefix above a lower card, and the same without its last card.
    pub(in crate::solvers) blockers: [u8; COLUMNS],
    pub(in crate::solvers) fewer: [u8; COLUMNS],
    /// Lowest rank of the prefix.
    pub(in crate::solvers) low: [u8; COLUMNS],
    /// Cards of the ordered sequence at the end of the prefix.
    pub(in crate::solvers) tail: [u8; COLUMNS],
    pub(in crate::solvers) parent: u32,
    pub(in crate::solvers) step: Step,
    /// Cards in cells, last cards of columns, next cards of the foundations, as sets.
    pub(in crate::solvers) cells: u64,
    pub(in crate::solvers) ends: u64,
    pub(in crate::solvers) next: u64,
    pub(in crate::solvers) hash: u64,
    pub(in crate::solvers) depth: u16,
    /// Number of cards that are not home.
    pub(in crate::solvers) left: u8,
    /// In a beam for short solutions, number of runs that must be moved; and for each column, the
    /// least number of built cards with which the last run is one of them.
    pub(in crate::solvers) forced: u8,
    pub(in crate::solvers) forced_from: [u8; COLUMNS],
}

impl Node {
    /// The start of an instance, with forced moves played.
    pub(in crate::solvers) fn start(frame: &Frame, values: &Values, parent: u32) -> Self {
        let mut node = Self {
            place: [NOWHERE; 64],
            suits: [0; COLUMNS],
            value: [0; COLUMNS],
            shorter: [0; COLUMNS],
            growth: [0; COLUMNS],
            last: [NO_CARD; COLUMNS],
            built: [0; COLUMNS],
            kept: [0; COLUMNS],
            blockers: [0; COLUMNS],
            fewer: [0; COLUMNS],
            low: [NO_RANK; COLUMNS],
            tail: [0; COLUMNS],
            parent,
            step: Step::default(),
            cells: frame.held,
            ends: 0,
            next: 0,
            hash: 0,
            depth: 0,
            left: 4 * frame.ranks - frame.home.iter().sum::<u8>(),
            forced: 0,
            forced_from: [0; COLUMNS],
        };
        for (suit, &home) in frame.home.iter().enumerate() {
            node.next |= 1 << (usize::from(home) * 4 + suit);
        }
        for card in crate::card::Cards(frame.held) {
            node.hash = node.hash.wrapping_add(term(card.index() as u8, CELL));
        }
        for column in 0..COLUMNS {
            let count = frame.heights[column];
            let mut beneath = BOTTOM;
            for (height, &card) in (0..count).zip(&frame.start[column]) {
                node.hash = node.hash.wrapping_add(term(card, beneath));
                node.place[usize::from(card) & 63] = (column as u8) << 5 | height;
                node.last[column] = card;
                beneath = usize::from(card);
            }
            node.ends |= bit(node.last[column]);
            node.set_prefix(values, column, count);
        }
        node.settle(frame, values);
        node
    }

    /// Sets the number of cards of a column's prefix.
    #[inline(always)]
    fn set_prefix(&mut self, values: &Values, column: usize, count: u8) {
        let column = column & 7;
        let row = &values.prefix[column];
        let (prefix, less) =
            (row[usize::from(count) & 31], row[usize::from(count.saturating_sub(1)) & 31]);
        self.kept[column] = count;
        self.value[column] = prefix.value;
        self.growth[column] = prefix.growth;
        self.blockers[column] = prefix.blockers;
        self.low[column] = prefix.low;
        self.tail[column] = prefix.tail;
        self.shorter[column] = less.value;
        self.fewer[column] = less.blockers;
    }

    /// Number of cards of a column.
    #[inline(always)]
    pub(in crate::solvers) fn height(&self, column: usize) -> u8 {
        self.kept[column & 7] + self.built[column & 7]
    }

    /// Number of free cells.
    #[inline(always)]
    pub(in crate::solvers) fn free(&self, frame: &Frame) -> u32 {
        frame.cells - self.cells.count_ones()
    }

    /// Number of empty columns.
    #[inline(always)]
    pub(in crate::solvers) fn empty(&self, frame: &Frame) -> u32 {
        frame.columns as u32 - self.ends.count_ones()
    }

    /// Column and height of a card; column 7 and height 31 if it is in none.
    #[inline(always)]
    pub(in crate::solvers) fn place(&self, card: usize) -> (usize, u8) {
        let place = self.place[card & 63];
        (usize::from(place >> 5), place & 31)
    }

    /// The card under `above` cards of a column, which has more.
    #[inline(always)]
    pub(in crate::solvers) fn under(&self, frame: &Frame, column: usize, above: u8) -> u8 {
        let column = column & 7;
        if above < self.built[column] {
            let rank = self.last[column] / 4 + above;
            (rank * 4) | ((self.suits[column] >> (2 * (rank & 15))) as u8 & 3)
        } else {
            let height = self.kept[column] + self.built[column] - 1 - above;
            frame.start[column][usize::from(height) & 31]
        }
    }

    /// Hash of the position after a legal step, without the forced moves.
    #[inline(always)]
    pub(in crate::solvers) fn hash_after(&self, frame: &Frame, step: Step) -> u64 {
        let Step { card, from, to, count } = step;
        let beneath = if from == IN_CELL {
            CELL
        } else {
            let column = usize::from(from) & 7;
            let height = self.height(column);
            if height > count { usize::from(self.under(frame, column, count)) } else { BOTTOM }
        };
        let hash = self.hash.wrapping_sub(term(card, beneath));
        match to {
            AT_HOME => hash,
            IN_CELL => hash.wrapping_add(term(card, CELL)),
            _ => {
                let onto = self.last[usize::from(to) & 7];
                let beneath = if onto == NO_CARD { BOTTOM } else { usize::from(onto) };
                hash.wrapping_add(term(card, beneath))
            }
        }
    }

    /// Plays a legal step, without the forced moves.
    #[inline(always)]
    pub(in crate::solvers) fn shift(&mut self, frame: &Frame, values: &Values, step: Step) {
        let Step { card, from, to, count } = step;
        // The cards that move, the last one first.
        let mut moved = [card; 13];
        if from == IN_CELL {
            self.cells &= !bit(card);
            self.hash = self.hash.wrapping_sub(term(card, CELL));
        } else {
            let column = usize::from(from) & 7;
            for above in 0..count.saturating_sub(1) {
                moved[usize::from(above) % 13] = self.under(frame, column, above);
            }
            moved[usize::from(count - 1) % 13] = card;
            let height = self.height(column);
            let left = if height > count { self.under(frame, column, count) } else { NO_CARD };
            let beneath = if left == NO_CARD { BOTTOM } else { usize::from(left) };
            self.hash = self.hash.wrapping_sub(term(card, beneath));
            self.ends = self.ends & !bit(self.last[column]) | bit(left);
            self.last[column] = left;
            match self.built[column].checked_sub(count) {
                Some(built) => {
                    self.built[column] = built;
                    if height == count {
                        self.value[column] = 0;
                    }
                }
                None => {
                    let kept = height - count;
                    self.built[column] = 0;
                    self.set_prefix(values, column, kept);
                }
            }
        }
        match to {
            AT_HOME => {
                self.next += 15 * bit(card);
                self.left -= 1;
                self.place[usize::from(card) & 63] = NOWHERE;
            }
            IN_CELL => {
                self.cells |= bit(card);
                self.hash = self.hash.wrapping_add(term(card, CELL));
                self.place[usize::from(card) & 63] = NOWHERE;
            }
            _ => {
                let column = usize::from(to) & 7;
                let onto = self.last[column];
                let height = self.height(column);
                let beneath = if onto == NO_CARD {
                    self.value[column] = values.base[usize::from(card / 4) & 15];
                    BOTTOM
                } else {
                    usize::from(onto)
                };
                self.hash = self.hash.wrapping_add(term(card, beneath));
                let last = moved[0];
                self.ends = self.ends & !bit(onto) | bit(last);
                self.last[column] = last;
                self.built[column] += count;
                let highest = (column as u8) << 5 | (height + count - 1) & 31;
                for (above, &card) in (0..count).zip(&moved) {
                    let shift = 2 * ((card / 4) & 15);
                    let suits = self.suits[column] & !(3 << shift);
                    self.suits[column] = suits | u32::from(card & 3) << shift;
                    self.place[usize::from(card) & 63] = highest - above;
                }
            }
        }
    }

    /// Plays all forced moves.
    #[inline(always)]
    pub(in crate::solvers) fn settle(&mut self, frame: &Frame, values: &Values) {
        while let Some(card) = self.forced() {
            self.send_home(frame, values, card);
        }
    }

    /// Plays all moves home, forced or not.
    #[inline(always)]
    pub(in crate::solvers) fn settle_all(&mut self, frame: &Frame, values: &Values) {
        loop {
            let ready = self.next & (self.ends | self.cells);
            if ready == 0 {
                return;
            }
            self.send_home(frame, values, ready.trailing_zeros() as u8);
        }
    }

    #[inline(always)]
    fn send_home(&mut self, frame: &Frame, values: &Values, card: u8) {
        let (column, _) = self.place(usize::from(card));
        let from = if self.cells & bit(card) != 0 { IN_CELL } else { column as u8 };
        self.shift(frame, values, Step { card, from, to: AT_HOME, count: 1 });
    }

    /// A card that can go home and is safe there.
    #[inline(always)]
    fn forced(&self) -> Option<u8> {
        let mut ready = self.next & (self.ends | self.cells);
        while ready != 0 {
            let card = ready.trailing_zeros() as u8;
            if is_safe(self.next, card) {
                return Some(card);
            }
            ready &= ready - 1;
        }
        None
    }
}

/// Whether a next card is safe on its foundation.
#[inline(always)]
pub(in crate::solvers) fn is_safe(next: u64, card: u8) -> bool {
    let home = |suit: u8| ((next & SUIT << (suit & 3)).trailing_zeros() / 4) as u8;
    let rank = card / 4;
    let others = home(card ^ 1).min(home(card ^ 3));
    others >= rank || (others + 1 >= rank && home(card ^ 2) + 2 >= rank)
}

impl Step {
    /// The action of the puzzle.
    pub(in crate::solvers) fn action(self, onto: u8) -> Move {
        let card = Card::from_index(usize::from(self.card));
        let to = match self.to {
            AT_HOME => To::Home,
            IN_CELL => To::Cell,
            _ if onto == NO_CARD => To::Empty,
            _ => To::between(card, Card::from_index(usize::from(onto))).unwrap_or(To::Empty),
        };
        Move { card, to }
    }
}
