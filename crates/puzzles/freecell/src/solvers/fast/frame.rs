//! Tables of an instance and of a slice: whatever depends only on the cards of the start.
//!
//! A column is a *prefix* of its cards at the start that never moved, and cards that were built on
//! it. Prefixes are few (52 in all and the empty ones), so that every feature of a prefix is added
//! up once for a slice and costs nothing in the search.

use super::weights::{
    ABOVE, BLOCKER, BREAK, HIGH_BASE, LEFT, LOW_BASE, MADE, NEXT, OWN_SUIT, ROOM, UNCOVERED,
    VIRGIN, Weights,
};
use crate::{Card, FreeCell, Moves};

/// Most columns.
pub(in crate::solvers) const COLUMNS: usize = 8;
/// Most cards of a column of the start: with thirteen built ones, heights are below 32.
const TALLEST: usize = 18;
/// Lowest rank of an empty prefix: no card is above a lower one there.
pub(in crate::solvers) const NO_RANK: u8 = 63;
/// Offset of depths in [`Values::near`]: a negative depth denotes a card that is in no column.
pub(in crate::solvers) const DEPTHS: i16 = 32;

/// Cards of a column that never moved, and their value.
#[derive(Clone, Copy, Debug)]
pub(in crate::solvers) struct Prefix {
    /// Value of the prefix without cards above it.
    pub(in crate::solvers) value: i16,
    /// Growth of the value with each card above the prefix.
    pub(in crate::solvers) growth: i16,
    /// Cards above a lower card.
    pub(in crate::solvers) blockers: u8,
    /// Lowest rank, from 0; [`NO_RANK`] without cards.
    pub(in crate::solvers) low: u8,
    /// Cards of the ordered sequence at the end.
    pub(in crate::solvers) tail: u8,
}

const NO_CARDS: Prefix = Prefix { value: 0, growth: 0, blockers: 0, low: NO_RANK, tail: 0 };

/// Constants of an instance.
#[derive(Clone, Debug)]
pub(in crate::solvers) struct Frame {
    pub(in crate::solvers) columns: usize,
    pub(in crate::solvers) cells: u32,
    pub(in crate::solvers) ranks: u8,
    /// Number of cards of each column of the start.
    pub(in crate::solvers) heights: [u8; COLUMNS],
    /// Cards of each column of the start.
    pub(in crate::solvers) start: [[u8; 32]; COLUMNS],
    /// Cards in cells at the start, as a set.
    pub(in crate::solvers) held: u64,
    /// Number of cards on the foundation of each suit at the start.
    pub(in crate::solvers) home: [u8; 4],
}

impl Frame {
    /// Whether the engine has the rules and the start of a puzzle.
    pub(in crate::solvers) fn fits(puzzle: &FreeCell) -> bool {
        let rules = puzzle.rules();
        rules.moves == Moves::Sequence
            && usize::from(rules.columns) <= COLUMNS
            && puzzle.layout.columns.iter().all(|column| column.len() <= TALLEST)
    }

    pub(in crate::solvers) fn new(puzzle: &FreeCell) -> Self {
        let rules = puzzle.rules();
        let mut frame = Self {
            columns: usize::from(rules.columns).min(COLUMNS),
            cells: u32::from(rules.cells),
            ranks: rules.ranks,
            heights: [0; COLUMNS],
            start: [[0; 32]; COLUMNS],
            held: puzzle.layout.cells.iter().flatten().fold(0, |set, card| set | card.bit()),
            home: puzzle.layout.foundations,
        };
        for (i, column) in puzzle.layout.columns.iter().enumerate().take(COLUMNS) {
            frame.heights[i] = column.len() as u8;
            for (place, card) in frame.start[i].iter_mut().zip(column) {
                *place = card.index() as u8;
            }
        }
        frame
    }
}

/// Values of a slice.
#[derive(Clone, Debug)]
pub(in crate::solvers) struct Values {
    weights: Weights,
    /// Prefixes of each column, by number of cards.
    pub(in crate::solvers) prefix: [[Prefix; 32]; COLUMNS],
    /// Value of a next card by its depth: with one card less above it, as it is, and with one card
    /// more.
    pub(in crate::solvers) near: [[i16; 4]; 64],
    /// Value of free cells and empty columns.
    pub(in crate::solvers) room: [[i32; 16]; 16],
    /// Value of the only card of a column, by its rank.
    pub(in crate::solvers) base: [i16; 16],
    pub(in crate::solvers) blocker: i16,
    pub(in crate::solvers) left: i32,
    pub(in crate::solvers) made: i32,
    pub(in crate::solvers) uncovered: [i32; 5],
}

impl Values {
    pub(in crate::solvers) fn new() -> Self {
        Self {
            weights: Weights([0; _]),
            prefix: [[NO_CARDS; 32]; COLUMNS],
            near: [[0; 4]; 64],
            room: [[0; 16]; 16],
            base: [0; 16],
            blocker: 0,
            left: 0,
            made: 0,
            uncovered: [0; 5],
        }
    }

    /// Computes the values of an instance.
    pub(in crate::solvers) fn set(&mut self, frame: &Frame, weights: &Weights) {
        let w = &weights.0;
        if self.weights != *weights {
            self.weights = *weights;
            let depth = |cards: usize| match cards {
                0 => 0,
                1..=7 => w[NEXT + cards - 1],
                _ => w[NEXT + 6] + (cards as i16 - 7) * w[NEXT + 7],
            };
            for cards in 0..31 {
                let less = if cards == 0 { 0 } else { depth(cards - 1) };
                self.near[DEPTHS as usize + cards] = [less, depth(cards), depth(cards + 1), 0];
            }
            for (free, row) in self.room.iter_mut().enumerate() {
                for (empty, value) in row.iter_mut().enumerate() {
                    *value = i32::from(w[ROOM + free.min(4) * 4 + empty.min(3)]);
                }
            }
            self.blocker = w[BLOCKER];
            self.left = i32::from(w[LEFT]);
            self.made = i32::from(w[MADE]);
            self.uncovered = std::array::from_fn(|i| i32::from(w[UNCOVERED + i]));
        }
        for (rank, value) in (1..).zip(&mut self.base) {
            *value = if rank == frame.ranks { w[HIGH_BASE] } else { w[LOW_BASE] };
        }
        for column in 0..COLUMNS {
            let cards = &frame.start[column][..usize::from(frame.heights[column]) & 31];
            self.prefix[column][0] = NO_CARDS;
            let mut all = NO_CARDS;
            // The value without the term of the number of cards.
            let mut sum = 0i32;
            // The lowest rank of each suit.
            let mut lowest = [NO_RANK; 4];
            for (i, &card) in cards.iter().enumerate() {
                let rank = card / 4;
                let fits = i > 0
                    && Card::from_index(usize::from(card))
                        .fits(Card::from_index(usize::from(cards[i - 1])));
                sum += i32::from(all.growth);
                if i == 0 {
                    sum += i32::from(self.base[usize::from(rank) & 15]);
                } else if !fits {
                    sum += i32::from(w[BREAK]);
                }
                if rank > all.low {
                    all.blockers += 1;
                    sum += i32::from(w[BLOCKER]);
                }
                let own = &mut lowest[usize::from(card) & 3];
                if rank > *own {
                    sum += i32::from(w[OWN_SUIT]);
                }
                *own = rank.min(*own);
                all.low = rank.min(all.low);
                all.tail = if fits { all.tail + 1 } else { 1 };
                all.growth = all.growth.saturating_add(w[ABOVE + usize::from(rank)]);
                let value = sum + i32::from(w[VIRGIN + i.min(6)]);
                all.value = value.clamp(-16_000, 16_000) as i16;
                self.prefix[column][(i + 1) & 31] = all;
            }
        }
    }
}
