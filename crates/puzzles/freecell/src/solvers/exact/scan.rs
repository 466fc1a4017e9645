//! The moves of a position with the estimates of their successors.
//!
//! Most moves change the estimate by a few terms that follow from the sets of the columns: nothing
//! is played. Only where a move leads home, or uncovers a card that then goes home by force, the
//! position is copied and played. Both give the same estimate as [`Position::estimate`] of the
//! position played.

use super::{
    position::{COLUMNS, Frame, Next, Position, distance, lower, safe},
    weights::Weights,
};
use crate::{
    Card, FreeCell, Move, Moves, To,
    card::{Cards, DECK},
};

/// The cards that move together, and the changes of the estimate by their removal.
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
    /// Weights of the relevant cards among the remaining ones.
    burden: i32,
}

/// A look at the moves of a position.
pub(crate) struct Scan<'a> {
    puzzle: &'a FreeCell,
    frame: &'a Frame,
    weights: &'a Weights,
    position: &'a Position,
    /// Initial value of every estimate.
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
    /// Value of the columns by their cards that never moved.
    virgins: i32,
    /// The column of each card that ends one.
    column: [u8; 64],
    next: Next,
    /// The estimate for buried cards.
    buried: i32,
    safe: u64,
}

impl<'a> Scan<'a> {
    #[inline(always)]
    pub(crate) fn new(
        puzzle: &'a FreeCell,
        frame: &'a Frame,
        weights: &'a Weights,
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
        let mut scan = Self {
            puzzle,
            frame,
            weights,
            position,
            base: 0,
            generated: 0,
            free,
            empty,
            most,
            most_empty,
            burden: [0; COLUMNS],
            virgins: 0,
            column: [0; 64],
            next: Next::of(table),
            buried: 0,
            safe: safe(table.home),
        };
        for column in 0..frame.columns {
            let set = position.columns[column];
            scan.virgins += weights.virgins((set & position.virgin).count_ones());
            let top = (set & table.tops).trailing_zeros() as usize;
            scan.column[top & 63] = column as u8;
        }
        let burden = &mut scan.burden;
        scan.buried = position.buried(frame, weights, |column, sum| burden[column] = sum);
        scan
    }

    /// Passes every move with the estimate of its successor; `None` for a winning move, which is
    /// the last one.
    #[inline(always)]
    pub(crate) fn moves(&mut self, mut each: impl FnMut(Move, Option<i32>)) {
        let w = &self.weights.0;
        let Position { table, sums, .. } = self.position;
        let key = &table.key;
        let virgin = self.position.virgin;
        let rest = self.base
            + self.virgins
            + self.position.estimate_home(self.frame, self.weights)
            + w[1] * i32::from(sums.breaks)
            + w[2] * self.position.distance()
            + w[5] * i32::from(sums.bases)
            + self.buried;
        let homeward = self.puzzle.next_home(table);
        for column in 0..self.frame.columns {
            let mut left = self.position.columns[column];
            if left == 0 {
                continue;
            }
            let mut virgins = (left & virgin).count_ones();
            let mut card = Card::from_index((left & table.tops).trailing_zeros() as usize);
            let mut pick = Pick {
                card,
                set: 0,
                count: 0,
                blockers: i32::from(sums.blockers),
                rest: rest - self.weights.virgins(virgins),
                free: self.free,
                empty: self.empty,
                burden: self.burden[column],
            };
            loop {
                pick.card = card;
                pick.set |= card.bit();
                pick.count += 1;
                left &= !card.bit();
                pick.blockers -= i32::from(left & lower(card.index()) != 0);
                let below = self.puzzle.beneath(key, card);
                let ordered = self.puzzle.is_ordered(key, card);
                if self.next.all & card.bit() != 0 {
                    pick.burden -= self.next.weight(w, card.index());
                }
                let mut this = pick;
                match below {
                    None => {
                        this.rest -= w[5] * i32::from(card.rank() != self.frame.ranks);
                        this.empty += 1;
                    }
                    Some(_) => {
                        this.rest -= w[1] * i32::from(!ordered);
                        // The relevant cards among the remaining ones.
                        this.rest -= pick.burden * pick.count;
                    }
                }
                if card.bit() & virgin != 0 {
                    virgins -= 1;
                }
                this.rest += self.weights.virgins(virgins);
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
        for card in Cards(table.cells) {
            let pick = Pick {
                card,
                set: card.bit(),
                count: 1,
                blockers: i32::from(sums.blockers),
                rest: rest - w[2] * distance(table.home, card),
                free: self.free + 1,
                empty: self.empty,
                burden: 0,
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
                && self.position.table.tops & onto.bit() != 0
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
            To::Home => {}
            To::Cell => estimate += w[2] * distance(self.position.table.home, pick.card),
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
                }
            }
        }
        estimate += w[3] * blockers + self.weights.room(pick.free, empty);
        let action = Move { card: pick.card, to };
        debug_assert_eq!(self.played(action), (blockers, estimate), "{action:?}");
        each(action, (blockers != 0).then_some(estimate));
        blockers == 0
    }

    /// Blockers and estimate after a move, by playing it.
    #[inline(always)]
    fn played(&self, action: Move) -> (i32, i32) {
        let mut after = *self.position;
        after.play(self.puzzle, self.frame, action);
        let estimate = after.estimate(self.puzzle, self.frame, self.weights);
        (i32::from(after.sums.blockers), self.base + estimate)
    }

    /// Evaluates a move by playing it; returns whether it wins.
    #[inline(never)]
    fn play(&mut self, card: Card, to: To, each: &mut impl FnMut(Move, Option<i32>)) -> bool {
        self.generated += 1;
        let action = Move { card, to };
        let (blockers, estimate) = self.played(action);
        each(action, (blockers != 0).then_some(estimate));
        blockers == 0
    }
}
