//! A position with the inputs of the evaluation, as sets.
//!
//! Beside the puzzle's [`Table`] there are the cards of each column as a set, the cards that never
//! moved, and sums over all columns ([`Sums`]). The number of cards above a card needs no walk: a
//! card that never moved is on the same cards as at the start, and the cards above a moved card
//! were built on it, one rank lower each.
//!
//! *Forced*: a card whose move home is safe by the rule of Keller and Horne goes home at once. A
//! card of rank r is safe if both foundations of the other colour reach r − 1, or if they reach r −
//! 2 and the other foundation of its colour r − 3: every card that could still be built on it can
//! then go home itself as soon as it is free. So no solution is lost, whatever the rules.
//!
//! Invariants: bits of cards beyond the deck are never set; no forced move is left in a position
//! that [`Position::play`] made.

use super::weights::{NEXT, WEIGHTS, Weights};
use crate::{
    Card, FreeCell, Move, Table, To,
    card::{Cards, DECK},
};
use unriddle_core::Puzzle;

/// Most columns.
pub(crate) const COLUMNS: usize = 10;

/// The cards that are lower than a card.
#[inline(always)]
pub(crate) fn lower(card: usize) -> u64 {
    (1 << (card & 0x3c)) - 1
}

/// Constants of an instance.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The cards beneath each card at the start.
    beneath: [u64; 64],
    pub(crate) columns: usize,
    pub(crate) ranks: u8,
}

impl Frame {
    pub(crate) fn new(puzzle: &FreeCell) -> Self {
        let mut beneath = [0; 64];
        for column in &puzzle.layout.columns {
            let mut set = 0;
            for &card in column {
                beneath[card.index() & 63] = set;
                set |= card.bit();
            }
        }
        let rules = puzzle.rules();
        Self { beneath, columns: usize::from(rules.columns).min(COLUMNS), ranks: rules.ranks }
    }
}

/// Sums over the columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    /// Cards on a card that they do not fit on.
    pub(crate) breaks: i16,
    /// Cards above a lower card.
    pub(crate) blockers: i16,
    /// Columns whose deepest card is not of the highest rank.
    pub(crate) bases: i16,
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    pub(crate) table: Table,
    /// The cards of each column.
    pub(crate) columns: [u64; COLUMNS],
    /// The cards that never moved.
    pub(crate) virgin: u64,
    pub(crate) sums: Sums,
}

impl Position {
    /// A position reached from the start.
    pub(crate) fn new(puzzle: &FreeCell, frame: &Frame, table: Table) -> Self {
        let mut position = Self { table, columns: [0; COLUMNS], virgin: 0, sums: Sums::default() };
        for (top, column) in Cards(table.tops).zip(0..frame.columns) {
            let mut card = top;
            let mut set = card.bit();
            while let Some(below) = puzzle.beneath(&table.key, card) {
                position.sums.breaks += i16::from(!puzzle.is_ordered(&table.key, card));
                card = below;
                set |= card.bit();
            }
            position.sums.bases += i16::from(card.rank() != frame.ranks);
            position.columns[column] = set;
            let mut left = set;
            let mut card = top;
            loop {
                left &= !card.bit();
                position.sums.blockers += i16::from(left & lower(card.index()) != 0);
                if left == frame.beneath[card.index() & 63] {
                    position.virgin |= card.bit();
                }
                match puzzle.beneath(&table.key, card) {
                    Some(below) => card = below,
                    None => break,
                }
            }
        }
        position
    }

    /// The column of a card that is in one.
    #[inline(always)]
    fn column(&self, card: Card) -> usize {
        let bit = card.bit();
        let mut column = 0;
        while column < COLUMNS - 1 && self.columns[column] & bit == 0 {
            column += 1;
        }
        column
    }

    /// Depth of the next three cards of each foundation: the sum of the weights of those cards,
    /// each times the number of cards above it. `visit` receives each column's sum of weights, by
    /// which the depth grows with every card that is laid onto the column.
    #[inline(always)]
    pub(crate) fn buried(
        &self,
        frame: &Frame,
        weights: &Weights,
        mut column: impl FnMut(usize, i32),
    ) -> i32 {
        let next = Next::of(&self.table);
        let w = &weights.0;
        let mut sum = 0;
        for (i, set) in self.columns.iter().enumerate().take(frame.columns) {
            let mut weigh = 0;
            let mut hit = set & next.all;
            while hit != 0 {
                let card = hit.trailing_zeros() as usize & 63;
                hit &= hit - 1;
                let weight = next.weight(w, card);
                weigh += weight;
                let above = if self.virgin >> card & 1 != 0 {
                    (set & !frame.beneath[card]).count_ones() as i32 - 1
                } else {
                    let top = (set & self.table.tops).trailing_zeros() as usize;
                    (card / 4) as i32 - (top / 4) as i32
                };
                sum += weight * above;
            }
            column(i, weigh);
        }
        sum
    }

    /// Whether moves home suffice: no card is above a lower one.
    #[inline(always)]
    pub(crate) fn is_won(&self) -> bool {
        self.sums.blockers == 0
    }

    /// Takes a card with those above it off its column, where it is in one, and lays them
    /// elsewhere.
    #[inline(always)]
    fn shift(&mut self, puzzle: &FreeCell, frame: &Frame, action: Move) {
        let Move { card, to } = action;
        let key = self.table.key;
        let mut moved = card.bit();
        let onto = match to {
            To::Home | To::Cell => None,
            To::Empty => (0..frame.columns).find(|&column| self.columns[column] == 0),
            To::First | To::Second => to.onto(card).map(|onto| self.column(onto)),
        };
        let sums = &mut self.sums;
        if self.table.cells & card.bit() == 0 {
            let bit = card.bit();
            let column = self.columns.iter().position(|set| set & bit != 0).unwrap_or(0);
            let mut top = self.columns[column] & self.table.tops;
            while top != card.bit() && top != 0 {
                moved |= top;
                let below = puzzle.beneath(&key, Card::from_index(top.trailing_zeros() as usize));
                top = below.map_or(0, Card::bit);
            }
            let left = self.columns[column] & !moved;
            self.columns[column] = left;
            if left == 0 {
                sums.bases -= i16::from(card.rank() != frame.ranks);
            } else {
                sums.breaks -= i16::from(!puzzle.is_ordered(&key, card));
                for card in Cards(moved) {
                    sums.blockers -= i16::from(left & lower(card.index()) != 0);
                }
            }
        }
        if let Some(column) = onto {
            let beneath = self.columns[column];
            if beneath == 0 {
                sums.bases += i16::from(card.rank() != frame.ranks);
            } else {
                for card in Cards(moved) {
                    sums.blockers += i16::from(beneath & lower(card.index()) != 0);
                }
            }
            self.columns[column] = beneath | moved;
        }
        self.virgin &= !moved;
        self.table = puzzle.apply(&self.table, action);
    }

    /// Plays a legal move and the forced ones.
    #[inline]
    pub(crate) fn play(&mut self, puzzle: &FreeCell, frame: &Frame, action: Move) {
        self.shift(puzzle, frame, action);
        while let Some(card) = forced(&self.table) {
            self.shift(puzzle, frame, Move { card, to: To::Home });
        }
    }

    /// Number of cards that must go home before the cards in cells, summed over these.
    #[inline(always)]
    pub(crate) fn distance(&self) -> i32 {
        let home = self.table.home;
        Cards(self.table.cells).map(|card| distance(home, card)).sum()
    }

    /// The part of the evaluation that depends only on the foundations.
    #[inline(always)]
    pub(crate) fn estimate_home(&self, frame: &Frame, weights: &Weights) -> i32 {
        let home = self.table.home;
        let (mut sum, mut low, mut high) = (0, 13, 0);
        for rank in home {
            sum += i32::from(rank);
            low = low.min(rank);
            high = high.max(rank);
        }
        weights.0[0] * (4 * i32::from(frame.ranks) - sum) + weights.0[8] * i32::from(high - low)
    }

    /// The evaluation: less is better.
    #[inline(always)]
    pub(crate) fn estimate(&self, puzzle: &FreeCell, frame: &Frame, weights: &Weights) -> i32 {
        let w = &weights.0;
        let s = &self.sums;
        self.estimate_home(frame, weights)
            + w[1] * i32::from(s.breaks)
            + w[2] * self.distance()
            + w[3] * i32::from(s.blockers)
            + w[5] * i32::from(s.bases)
            + self.buried(frame, weights, |_, _| ())
            + self.columns[..frame.columns]
                .iter()
                .map(|set| weights.virgins((set & self.virgin).count_ones()))
                .sum::<i32>()
            + weights.room(puzzle.free_cells(&self.table), puzzle.empty_columns(&self.table))
    }
}

/// Number of cards of its suit that must go home before a card.
#[inline(always)]
pub(crate) fn distance(home: [u8; 4], card: Card) -> i32 {
    (card.index() / 4) as i32 - i32::from(home[card.index() & 3])
}

/// The cards that come next on the foundations, second and third.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    home: [u8; 4],
    pub(crate) all: u64,
}

impl Next {
    #[inline(always)]
    pub(crate) fn of(table: &Table) -> Self {
        let home = table.home;
        let mut all = 0;
        for (suit, &home) in home.iter().enumerate() {
            all |= 0x111 << (usize::from(home) * 4 + suit);
        }
        Self { home, all }
    }

    /// The weight of one of them.
    #[inline(always)]
    pub(crate) fn weight(&self, w: &[i32; WEIGHTS], card: usize) -> i32 {
        let after = (card / 4).wrapping_sub(usize::from(self.home[card & 3]));
        w[NEXT[after & 3]]
    }
}

/// The cards that come next on the foundations and are safe there.
#[inline(always)]
pub(crate) fn safe(home: [u8; 4]) -> u64 {
    let mut set = 0;
    for suit in 0..4 {
        let others = home[(suit ^ 1) & 3].min(home[(suit ^ 3) & 3]);
        let rank = home[suit];
        if others >= rank || (others + 1 >= rank && home[(suit ^ 2) & 3] + 2 >= rank) {
            set |= 1 << (usize::from(rank) * 4 + suit);
        }
    }
    set & ((1 << DECK) - 1)
}

/// A card of a state that goes home by force, if there is one.
#[inline(always)]
pub(crate) fn forced(table: &Table) -> Option<Card> {
    Cards(safe(table.home) & (table.tops | table.cells)).next()
}
