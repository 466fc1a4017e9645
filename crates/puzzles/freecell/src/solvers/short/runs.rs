//! Forced runs of the positions of the fast engine: a lower bound of the moves that are not home
//! (module `board`), from tables of the prefixes.
//!
//! The last run of a column is the ordered sequence at the end of the prefix and the cards that
//! were built on it. Tables of an instance hold the forced runs of each prefix; a position has one
//! number for each column: how many built cards make its last run a forced one.

use crate::{
    Card,
    solvers::fast::{
        frame::{COLUMNS, Frame, NO_RANK},
        node::{IN_CELL, Node, Step, bit},
    },
};

/// The number of a column whose last run is not forced by any of its cards.
const NEVER: u8 = 255;
/// The cards of the first suit.
const SUIT: u64 = 0x1111_1111_1111_1111;

/// A number of cards of a column that never moved.
#[derive(Clone, Copy, Debug, Default)]
struct Prefix {
    /// Forced runs before the last one.
    forced: u8,
    /// Whether the last run is forced.
    is_last_forced: bool,
    /// Cards that are above a lower card of their suit if they are on this prefix.
    above: u64,
}

/// The prefixes of an instance.
#[derive(Debug)]
pub(super) struct Runs {
    prefix: [[Prefix; 32]; COLUMNS],
}

impl Runs {
    pub(super) fn new(frame: &Frame) -> Self {
        let mut prefix = [[Prefix::default(); 32]; COLUMNS];
        for (column, row) in prefix.iter_mut().enumerate() {
            let cards = &frame.start[column][..usize::from(frame.heights[column]) & 31];
            let mut all = Prefix::default();
            let mut lowest = [NO_RANK; 4];
            for (i, &card) in cards.iter().enumerate() {
                let fits = i > 0
                    && Card::from_index(usize::from(card))
                        .fits(Card::from_index(usize::from(cards[i - 1])));
                if !fits {
                    all.forced += u8::from(all.is_last_forced);
                    all.is_last_forced = false;
                }
                all.is_last_forced |= all.above & bit(card) != 0;
                let own = &mut lowest[usize::from(card & 3)];
                *own = (*own).min(card / 4);
                // All ranks above the lowest one of the suit.
                let higher = (!0u64).checked_shl(u32::from(*own) * 4 + 4).unwrap_or(0);
                all.above |= higher & SUIT << (card & 3);
                row[(i + 1) & 31] = all;
            }
        }
        Self { prefix }
    }

    #[inline(always)]
    fn prefix(&self, column: usize, cards: u8) -> &Prefix {
        &self.prefix[column & 7][usize::from(cards) & 31]
    }

    /// Sets the forced runs of all columns of a position.
    pub(super) fn set(&self, frame: &Frame, node: &mut Node) {
        node.forced = 0;
        for column in 0..COLUMNS {
            node.forced_from[column] = self.from(frame, node, column);
            node.forced += self.count(node, column);
        }
    }

    /// Sets the forced runs of a position that was made from another one.
    #[inline(always)]
    pub(super) fn update(&self, frame: &Frame, node: &mut Node, parent: &Node) {
        for column in 0..COLUMNS {
            let (kept, built) = (node.kept[column], node.built[column]);
            // A column of as many cards as before is the same one: a move changes the number.
            if kept == parent.kept[column] && built == parent.built[column] {
                continue;
            }
            node.forced -= self.count(parent, column);
            node.forced_from[column] = self.from(frame, node, column);
            node.forced += self.count(node, column);
        }
    }

    /// Least number of built cards with which the last run of a column is forced, or [`NEVER`].
    #[inline(always)]
    fn from(&self, frame: &Frame, node: &Node, column: usize) -> u8 {
        let prefix = self.prefix(column, node.kept[column]);
        if prefix.is_last_forced {
            return 0;
        }
        // The deepest built card first.
        let built = node.built[column];
        let card = |below| node.under(frame, column, built - 1 - below);
        let first = (0..built).find(|&below| prefix.above & bit(card(below)) != 0);
        first.map_or(NEVER, |below| below + 1)
    }

    /// Number of forced runs of a column.
    #[inline(always)]
    fn count(&self, node: &Node, column: usize) -> u8 {
        let is_last_forced = node.forced_from[column] <= node.built[column];
        self.prefix(column, node.kept[column]).forced + u8::from(is_last_forced)
    }

    /// Number of forced runs after a step that is not home, without the moves home after it.
    #[inline(always)]
    pub(super) fn after(&self, frame: &Frame, node: &Node, step: Step) -> u32 {
        let Step { card, from, to, count } = step;
        let mut total = node.forced;
        if from != IN_CELL {
            let column = usize::from(from) & 7;
            let left = match node.built[column].checked_sub(count) {
                Some(built) => {
                    let prefix = self.prefix(column, node.kept[column]);
                    prefix.forced + u8::from(node.forced_from[column] <= built)
                }
                None => {
                    let prefix = self.prefix(column, node.height(column) - count);
                    prefix.forced + u8::from(prefix.is_last_forced)
                }
            };
            total = total + left - self.count(node, column);
        }
        if to != IN_CELL {
            let column = usize::from(to) & 7;
            let above = self.prefix(column, node.kept[column]).above;
            if node.forced_from[column] > node.built[column] {
                let mut is_forced = above & bit(card) != 0;
                for i in 0..count.saturating_sub(1) {
                    let moved = node.under(frame, usize::from(from), i);
                    is_forced |= above & bit(moved) != 0;
                }
                total += u8::from(is_forced);
            }
        }
        u32::from(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        FreeCell, Rules, parse,
        solvers::{
            fast::{
                columns::Columns,
                frame::Values,
                node::AT_HOME,
                scan::{Moves as List, Scan},
            },
            short::{Weights, autoplay::Autoplay, board::Board, weights::BeamWeights},
        },
    };
    use unriddle_core::{Puzzle, Rng};

    /// Random walks of the beam's positions, with all moves home: the working board counts as many
    /// forced runs, before and after a move.
    #[test]
    fn the_working_board_counts_as_many_forced_runs() {
        let mut most = 0;
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let rules = Rules {
                cells: 1 + rng.below(5) as u8,
                columns: 4 + rng.below(5) as u8,
                ranks: if seed % 2 == 0 { 13 } else { 2 + rng.below(4) as u8 },
                ..Rules::default()
            };
            let mut deck: Vec<Card> = (0..rules.deck()).map(Card::from_index).collect();
            rng.shuffle(&mut deck);
            let puzzle = FreeCell::new(rules, parse::dealt(&deck, &rules));
            let (frame, mut values) = (Frame::new(&puzzle), Values::new());
            values.set(&frame, &BeamWeights::default().estimate);
            let runs = Runs::new(&frame);
            let mut board = Box::new(Board::new(&puzzle, Weights::default()));
            let mut node = Node::start(&frame, &values, 0);
            node.settle_all(&frame, &values);
            runs.set(&frame, &mut node);
            let mut table = Autoplay::Max.close(&puzzle, puzzle.initial_state(), |_| ());
            let (mut columns, mut moves) = (Columns::default(), List::new());
            for _ in 0..60 {
                board.load(&puzzle, &table);
                assert_eq!(u32::from(node.forced), board.forced_runs(), "seed {seed}");
                let scan = Scan::new(&frame, &values, &node, &mut columns);
                scan.moves(0, &mut moves);
                let list = moves.list();
                if list.is_empty() {
                    break;
                }
                let (step, _) = list[rng.below(list.len() as u64) as usize];
                assert_ne!(step.to, AT_HOME);
                let after = runs.after(&frame, &node, step);
                let onto = node.last.get(usize::from(step.to)).copied();
                table = puzzle.apply(&table, step.action(onto.unwrap_or(255)));
                table = Autoplay::Max.close(&puzzle, table, |_| ());
                let parent = node;
                node.shift(&frame, &values, step);
                node.settle_all(&frame, &values);
                runs.update(&frame, &mut node, &parent);
                assert_eq!(u32::from(node.forced), after, "seed {seed}, {step:?}");
                most = most.max(after);
            }
        }
        assert!(most > 5, "{most}");
    }
}
