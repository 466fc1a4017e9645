//! The moves of a position with the estimates of what they lead to.
//!
//! Most moves change the estimate by a few terms that can be told from the sets of the columns: nothing
//! is played. Only where a move leads home, or uncovers a card that then goes home by force, the position
//! is copied and played. Both give the same estimate as [`Position::estimate`] of the position played.

use super::{
    position::{COLUMNS, Frame, Position, lower, lower_of_suit, safe},
    weights::Weights,
};
use unriddle_puzzles::freecell::{
    Card, FreeCell, Move, Moves, To,
    card::{Cards, DECK},
};

/// The cards that move together and what taking them away changes.
#[derive(Clone, Copy)]
struct Pick {
    /// The deepest card.
    card: Card,
    set: u64,
    count: i32,
    /// Blockers that are left when they are gone.
    blockers: i32,
    /// The rest of the estimate when they are gone.
    rest: i32,
    free: u32,
    empty: u32,
}

/// A look at the moves of a position.
pub(crate) struct Scan<'a> {
    puzzle: &'a FreeCell,
    frame: &'a Frame,
    weights: Weights,
    position: &'a Position,
    /// What every estimate begins with.
    pub(crate) base: i32,
    /// Moves seen.
    pub(crate) generated: u64,
    /// Free cells and empty columns.
    free: u32,
    empty: u32,
    /// Longest sequences that move onto a card and into an empty column.
    most: u32,
    most_empty: u32,
    /// The estimate's growth with every card that comes onto a column.
    burden: [i32; COLUMNS],
    /// The column of each card that ends one.
    column: [u8; 64],
    next: [u64; 3],
    safe: u64,
}

impl<'a> Scan<'a> {
    #[inline(always)]
    pub(crate) fn new(
        puzzle: &'a FreeCell,
        frame: &'a Frame,
        weights: &Weights,
        position: &'a Position,
        atomic: bool,
    ) -> Self {
        let table = &position.table;
        let (free, empty) = (puzzle.free_cells(table), puzzle.empty_columns(table));
        let (most, most_empty) = if atomic || puzzle.rules().moves == Moves::Single {
            (1, 1)
        } else {
            ((free + 1) << empty, (free + 1) << empty >> 1)
        };
        let mut next = [0; 3];
        for (suit, home) in table.home().into_iter().enumerate() {
            let card = usize::from(home) * 4 + suit;
            next[0] |= 1 << card;
            next[1] |= 1 << (card + 4);
            next[2] |= 1 << (card + 8);
        }
        let mut scan = Self {
            puzzle,
            frame,
            weights: *weights,
            position,
            base: 0,
            generated: 0,
            free,
            empty,
            most,
            most_empty,
            burden: [0; COLUMNS],
            column: [0; 64],
            next,
            safe: safe(table.home()),
        };
        for column in 0..frame.columns {
            let set = position.columns[column];
            if set != 0 {
                let top = (set & table.tops()).trailing_zeros() as usize;
                scan.column[top & 63] = column as u8;
                scan.burden[column] = scan.weigh(set);
            }
        }
        scan
    }

    /// The estimate's growth with every card that comes onto a set of cards.
    #[inline(always)]
    fn weigh(&self, set: u64) -> i32 {
        let w = &self.weights.0;
        let mut sum = 0;
        for (&next, weight) in self.next.iter().zip([w[6], w[7], w[4]]) {
            let mut hit = set & next;
            while hit != 0 {
                sum += weight;
                hit &= hit - 1;
            }
        }
        sum
    }

    /// Gives every move with the estimate of what it leads to; `None` where it wins, and then ends.
    #[inline(always)]
    pub(crate) fn moves(&mut self, mut each: impl FnMut(Move, Option<i32>)) {
        let w = self.weights.0;
        let Position { table, sums, .. } = self.position;
        let key = table.key();
        let rest = self.base
            + self.position.estimate_home(self.frame, &self.weights)
            + w[1] * i32::from(sums.breaks)
            + w[2] * i32::from(sums.deadlocks)
            + w[5] * i32::from(sums.bases)
            + w[6] * i32::from(sums.above[0])
            + w[7] * i32::from(sums.above[1])
            + w[4] * i32::from(sums.above[2]);
        let homeward = self.puzzle.next_home(table);
        for column in 0..self.frame.columns {
            let mut left = self.position.columns[column];
            if left == 0 {
                continue;
            }
            let mut card = Card::from_index((left & table.tops()).trailing_zeros() as usize);
            let mut pick = Pick {
                card,
                set: 0,
                count: 0,
                blockers: i32::from(sums.blockers),
                rest,
                free: self.free,
                empty: self.empty,
            };
            loop {
                pick.card = card;
                pick.set |= card.bit();
                pick.count += 1;
                left &= !card.bit();
                pick.blockers -= i32::from(left & lower(card.index()) != 0);
                pick.rest -= w[2] * i32::from(left & lower_of_suit(card.index()) != 0);
                let below = self.puzzle.beneath(key, card);
                let ordered = self.puzzle.is_ordered(key, card);
                let mut this = pick;
                match below {
                    None => {
                        this.rest -= w[5] * i32::from(card.rank() != self.frame.ranks);
                        this.empty += 1;
                    }
                    Some(_) => {
                        this.rest -= w[1] * i32::from(!ordered);
                        // The cards that matter among those that stay.
                        let burden = match pick.set & (self.next[0] | self.next[1] | self.next[2]) {
                            0 => self.burden[column],
                            _ => self.weigh(left),
                        };
                        this.rest -= burden * pick.count;
                    }
                }
                let uncovers = below.is_some_and(|card| self.safe & card.bit() != 0);
                if pick.count == 1 {
                    if homeward & card.bit() != 0 && self.play(card, To::Home, &mut each) {
                        return;
                    }
                    if self.free > 0 {
                        this.free -= 1;
                        if self.give(&this, To::Cell, uncovers, &mut each) {
                            return;
                        }
                        this.free += 1;
                    }
                }
                if self.build(&this, uncovers, &mut each) {
                    return;
                }
                if below.is_some()
                    && self.empty > 0
                    && pick.count as u32 <= self.most_empty
                    && self.give(&this, To::Empty, uncovers, &mut each)
                {
                    return;
                }
                match below {
                    Some(below) if ordered && (pick.count as u32) < self.most => card = below,
                    _ => break,
                }
            }
        }
        for card in Cards(table.cells()) {
            let pick = Pick {
                card,
                set: card.bit(),
                count: 1,
                blockers: i32::from(sums.blockers),
                rest,
                free: self.free + 1,
                empty: self.empty,
            };
            if homeward & card.bit() != 0 && self.play(card, To::Home, &mut each)
                || self.build(&pick, false, &mut each)
                || self.empty > 0 && self.give(&pick, To::Empty, false, &mut each)
            {
                return;
            }
        }
    }

    /// The moves onto cards that end columns. Whether one wins.
    #[inline(always)]
    fn build(
        &mut self,
        pick: &Pick,
        uncovers: bool,
        each: &mut impl FnMut(Move, Option<i32>),
    ) -> bool {
        for to in [To::First, To::Second] {
            if let Some(onto) = to.onto(pick.card)
                && onto.index() < DECK
                && self.position.table.tops() & onto.bit() != 0
                && self.give(pick, to, uncovers, each)
            {
                return true;
            }
        }
        false
    }

    /// A move that is no move home. Whether it wins.
    #[inline(always)]
    fn give(
        &mut self,
        pick: &Pick,
        to: To,
        uncovers: bool,
        each: &mut impl FnMut(Move, Option<i32>),
    ) -> bool {
        if uncovers {
            return self.play(pick.card, to, each);
        }
        self.generated += 1;
        let w = &self.weights.0;
        let mut estimate = pick.rest;
        let (mut blockers, mut empty) = (pick.blockers, pick.empty);
        match to {
            To::Home | To::Cell => {}
            To::Empty => {
                estimate += w[5] * i32::from(pick.card.rank() != self.frame.ranks);
                empty -= 1;
            }
            To::First | To::Second => {
                let onto = to.onto(pick.card).map_or(0, Card::index);
                let column = usize::from(self.column[onto & 63]) % COLUMNS;
                let beneath = self.position.columns[column];
                estimate += self.burden[column] * pick.count;
                for card in Cards(pick.set) {
                    blockers += i32::from(beneath & lower(card.index()) != 0);
                    estimate += w[2] * i32::from(beneath & lower_of_suit(card.index()) != 0);
                }
            }
        }
        estimate += w[3] * blockers + self.weights.room(pick.free, empty);
        let action = Move {
            card: pick.card,
            to,
        };
        each(action, (blockers != 0).then_some(estimate));
        blockers == 0
    }

    /// A move that is played to see what it leads to. Whether it wins.
    #[inline(never)]
    fn play(&mut self, card: Card, to: To, each: &mut impl FnMut(Move, Option<i32>)) -> bool {
        self.generated += 1;
        let action = Move { card, to };
        let mut after = *self.position;
        after.play(self.puzzle, self.frame, action);
        let won = after.is_won();
        let estimate = self.base + after.estimate(self.puzzle, self.frame, &self.weights);
        each(action, (!won).then_some(estimate));
        won
    }
}
