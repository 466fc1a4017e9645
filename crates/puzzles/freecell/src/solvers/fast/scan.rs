//! The moves of a position with the estimates of their successors: nothing is played.
//!
//! Each column has three values: as it is, without its last card, and with one card more, which can
//! only be the card of the next lower rank. So a move of one card changes the estimate by two
//! differences, and the values of all columns are computed at once, lane by lane. Longer sequences
//! are valued exactly as well, by tables of the prefixes.
//!
//! The estimate of a move is the value of the position after it, before forced moves home, and a
//! term for the card that the move uncovers.

use super::{
    columns::Columns,
    frame::{COLUMNS, DEPTHS, Frame, Values},
    node::{AT_HOME, IN_CELL, NO_CARD, Node, Step, bit, is_safe},
};

/// Power of two above the number of moves of any position: each end of a column receives at most
/// one sequence of each column and two cards of cells, and each of eight cards in cells and eight
/// columns has at most two other moves.
pub(in crate::solvers) const MOST_MOVES: usize = 128;

/// Moves with the estimates of their successors.
#[derive(Clone, Debug)]
pub(in crate::solvers) struct Moves {
    list: [(Step, i32); MOST_MOVES],
    count: usize,
    /// A move that wins.
    pub(in crate::solvers) winner: Option<Step>,
}

impl Moves {
    pub(in crate::solvers) fn new() -> Self {
        Self { list: [(Step::default(), 0); MOST_MOVES], count: 0, winner: None }
    }

    /// The moves of the last scan.
    #[inline(always)]
    pub(in crate::solvers) fn list(&self) -> &[(Step, i32)] {
        &self.list[..self.count.min(MOST_MOVES)]
    }
}

/// The moves of one position.
pub(in crate::solvers) struct Scan<'a> {
    frame: &'a Frame,
    values: &'a Values,
    node: &'a Node,
    free: u32,
    empty: u32,
    columns: &'a Columns,
    /// Value of the position without free cells and empty columns.
    total: i32,
}

/// A sequence that is taken off a column, or a card that is taken out of a cell.
#[derive(Clone, Copy)]
struct Taken {
    card: u8,
    from: u8,
    count: u8,
    /// Estimate of the rest, without free cells and empty columns.
    rest: i32,
    blockers: i32,
    free: u32,
    empty: u32,
}

impl<'a> Scan<'a> {
    /// Computes the values of the columns into `columns`.
    #[inline(always)]
    pub(in crate::solvers) fn new(
        frame: &'a Frame,
        values: &'a Values,
        node: &'a Node,
        columns: &'a mut Columns,
    ) -> Self {
        columns.set(node, values);
        let left = values.left * i32::from(node.left);
        let (free, empty) = (node.free(frame), node.empty(frame));
        Self { frame, values, node, free, empty, columns, total: left + columns.total }
    }

    /// Value of the position.
    #[inline(always)]
    pub(in crate::solvers) fn value(&self) -> i32 {
        self.total + self.room(self.free, self.empty)
    }

    /// Whether free cells and empty columns suffice for all cards above lower ones.
    #[inline(always)]
    pub(in crate::solvers) fn is_won(&self) -> bool {
        self.columns.all_blockers <= (self.free + self.empty) as i32
    }

    #[inline(always)]
    fn room(&self, free: u32, empty: u32) -> i32 {
        self.values.room[free as usize & 15][empty as usize & 15]
    }

    /// Lists every move with the estimate of its successor, plus `base`.
    #[inline(always)]
    pub(in crate::solvers) fn moves(&self, base: i32, moves: &mut Moves) {
        moves.count = 0;
        moves.winner = None;
        let node = self.node;
        let total = self.total + base;
        // The longest sequences that move onto a card and into an empty column.
        let most = (self.free + 1) << self.empty;
        let (most, most_empty) = (most.min(13) as u8, (most >> 1).min(13) as u8);
        let empty_column = if self.empty > 0 {
            node.last[..self.frame.columns & 15].iter().position(|&card| card == NO_CARD)
        } else {
            None
        };
        for i in 0..COLUMNS {
            let card = node.last[i];
            if card == NO_CARD {
                continue;
            }
            let height = self.columns.height[i] as u8;
            let mut rest = total + i32::from(self.columns.less[i]) - i32::from(self.columns.now[i]);
            if height > 1 {
                rest += self.uncovers(node.under(self.frame, i, 1), card);
            }
            let mut taken = Taken {
                card,
                from: i as u8,
                count: 1,
                rest,
                blockers: self.columns.all_blockers
                    - i32::from(self.columns.blockers[i] - self.columns.blockers_less[i]),
                free: self.free,
                empty: self.empty + u32::from(height == 1),
            };
            if node.next & bit(card) != 0 {
                self.home(taken, i, moves);
            }
            if self.free > 0 {
                let taken = Taken { free: self.free - 1, ..taken };
                self.pass(taken, IN_CELL, 0, 0, moves);
            }
            self.build(&taken, moves);
            let length = node.built[i] + node.tail[i];
            let longest = length.min(most_empty);
            if longest == 1
                && height > 1
                && let Some(to) = empty_column
            {
                self.lay(taken, to, moves);
            }
            for count in 2..=length.min(most) {
                let card = node.under(self.frame, i, count - 1);
                let lays = count == longest && height > count && empty_column.is_some();
                if !lays && node.ends & targets(card) == 0 {
                    continue;
                }
                let (less, blockers) = self.without(i, count);
                let mut rest = total + less - i32::from(self.columns.now[i]);
                if height > count {
                    rest += self.uncovers(node.under(self.frame, i, count), node.last[i]);
                }
                taken.card = card;
                taken.count = count;
                taken.rest = rest;
                taken.blockers =
                    self.columns.all_blockers - i32::from(self.columns.blockers[i]) + blockers;
                taken.empty = self.empty + u32::from(height == count);
                self.build(&taken, moves);
                if lays && let Some(to) = empty_column {
                    self.lay(taken, to, moves);
                }
            }
        }
        let mut cells = node.cells;
        while cells != 0 {
            let card = cells.trailing_zeros() as u8;
            cells &= cells - 1;
            let taken = Taken {
                card,
                from: IN_CELL,
                count: 1,
                rest: total,
                blockers: self.columns.all_blockers,
                free: self.free + 1,
                empty: self.empty,
            };
            if node.next & bit(card) != 0 {
                self.home(taken, COLUMNS, moves);
            }
            self.build(&taken, moves);
            if let Some(to) = empty_column {
                self.lay(taken, to, moves);
            }
        }
    }

    #[inline(always)]
    fn pass(&self, taken: Taken, to: u8, value: i32, blockers: i32, moves: &mut Moves) {
        let Taken { card, from, count, free, empty, .. } = taken;
        let step = Step { card, from, to, count };
        let estimate = taken.rest + value + self.room(free, empty);
        moves.list[moves.count % MOST_MOVES] = (step, estimate);
        moves.count += 1;
        if taken.blockers + blockers <= (free + empty) as i32 {
            moves.winner = Some(step);
        }
    }

    /// The move home of a card of a column, or of a cell ([`COLUMNS`]).
    #[inline(always)]
    fn home(&self, taken: Taken, from: usize, moves: &mut Moves) {
        let (column, height) = self.node.place(usize::from(taken.card) + 4);
        let depth = self.columns.height[column & 7] - 1 - i16::from(height) + DEPTHS;
        let near = &self.values.near[depth as usize & 63];
        let near = i32::from(near[usize::from(column != from)]);
        self.pass(taken, AT_HOME, near - self.values.left, 0, moves);
    }

    /// The move into an empty column.
    #[inline(always)]
    fn lay(&self, taken: Taken, to: usize, moves: &mut Moves) {
        let value = i32::from(self.values.base[usize::from(taken.card / 4) & 15]);
        let taken = Taken { empty: taken.empty - 1, ..taken };
        self.pass(taken, to as u8, value, 0, moves);
    }

    /// The moves onto cards that end columns.
    #[inline(always)]
    fn build(&self, taken: &Taken, moves: &mut Moves) {
        let mut onto = self.node.ends & targets(taken.card);
        while onto != 0 {
            let (to, _) = self.node.place(onto.trailing_zeros() as usize);
            onto &= onto - 1;
            let to = to & 7;
            let (more, blockers) = if taken.count == 1 {
                (self.columns.more[to], self.columns.blockers_more[to])
            } else {
                self.with(to, taken.count)
            };
            let value = i32::from(more) - i32::from(self.columns.now[to]);
            let blockers = i32::from(blockers - self.columns.blockers[to]);
            self.pass(*taken, to as u8, value, blockers, moves);
        }
    }

    /// Sum over the next cards in a column, by their numbers of cards above.
    #[inline(always)]
    fn near(&self, column: usize, value: impl Fn(i16) -> i16) -> i16 {
        let mut sum = 0;
        let mut next = self.node.next;
        while next != 0 {
            let (at, height) = self.node.place(next.trailing_zeros() as usize);
            next &= next - 1;
            if at == column && height < 31 {
                sum += value(self.columns.height[column & 7] - 1 - i16::from(height));
            }
        }
        sum
    }

    /// Value of a column without its last `count` cards, next cards among them kept, and its cards
    /// above lower ones.
    #[inline(never)]
    fn without(&self, column: usize, count: u8) -> (i32, i32) {
        let node = self.node;
        let depth = |cards: i16| self.values.near[(cards + DEPTHS) as usize & 63][1];
        let count16 = i16::from(count);
        let near =
            self.near(
                column,
                |above| {
                    if above < count16 { depth(above) } else { depth(above - count16) }
                },
            );
        let height = node.height(column);
        let (value, blockers) = match node.built[column & 7].checked_sub(count) {
            _ if height == count => (0, 0),
            Some(built) => self.built(column, i16::from(built)),
            None => {
                let prefix = &self.values.prefix[column & 7][usize::from(height - count) & 31];
                (prefix.value, i16::from(prefix.blockers))
            }
        };
        (i32::from(value) + i32::from(near), i32::from(blockers))
    }

    /// Value of a column with `count` cards more, and its cards above lower ones.
    #[inline(never)]
    fn with(&self, column: usize, count: u8) -> (i16, i16) {
        let count = i16::from(count);
        let near =
            self.near(column, |above| self.values.near[(above + count + DEPTHS) as usize & 63][1]);
        let built = i16::from(self.node.built[column & 7]);
        let (value, blockers) = self.built(column, built + count);
        (value.wrapping_add(near), blockers)
    }

    /// Value of a column's prefix with a number of built cards, and its cards above lower ones.
    #[inline(always)]
    fn built(&self, column: usize, count: i16) -> (i16, i16) {
        let (node, i) = (self.node, column & 7);
        let built = i16::from(node.built[i]);
        let most = (i16::from(node.last[i] / 4) + built - 1 - i16::from(node.low[i])).max(0);
        let blockers = count.min(most);
        let value = node.value[i]
            .wrapping_add(node.growth[i].wrapping_mul(count))
            .wrapping_add(self.values.blocker.wrapping_mul(blockers));
        (value, i16::from(node.blockers[i]) + blockers)
    }

    /// Term of an uncovered card, where the column's last card was `last`.
    #[inline(always)]
    fn uncovers(&self, card: u8, last: u8) -> i32 {
        let node = self.node;
        let terms = &self.values.uncovered;
        if node.next & bit(card) != 0 {
            return terms[usize::from(!is_safe(node.next, card))];
        }
        let ends = node.ends & !bit(last);
        let fitting = fitting(card);
        let mut sum = if ends & targets(card) != 0 { terms[2] } else { 0 };
        sum += terms[3] * (node.cells & fitting).count_ones() as i32;
        sum += terms[4] * (ends & fitting).count_ones() as i32;
        sum
    }
}

/// The cards onto which a card may be laid.
#[inline(always)]
fn targets(card: u8) -> u64 {
    // The suits of the other colour, one rank higher.
    (0b1010 >> (card & 1)) << ((card & !3) + 4)
}

/// The cards that may be laid onto a card.
#[inline(always)]
fn fitting(card: u8) -> u64 {
    (0b1010 >> (card & 1)) << (card & !3) >> 4
}
