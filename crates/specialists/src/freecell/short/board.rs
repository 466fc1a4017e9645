//! The working board: one state with its columns spelled out, on which children are tried and scored.
//!
//! A state knows of each card what lies beneath it. To rank a child without making it, its parent is
//! laid out once: columns as arrays, and for every prefix of a column what matters of it ([`Prefix`]):
//! the set of its cards, the runs that are *forced*, where its last run begins, and its share of the
//! score. A move then changes the ends of at most two columns, and cards that go home shorten some more;
//! nothing below the new ends changes, so that a child is undone by setting the old lengths again.
//!
//! **The lower bound.** A *run* is a maximal ordered sequence within a column. A card that lies above a
//! lower card of its own suit cannot go home before that one, which is beneath it: it must first be moved
//! elsewhere. The first move of such a card takes cards that lie on one another since now, so the deepest
//! card that moves is of the same run. Different runs have different deepest cards, so at least one move
//! per run with such a card is needed: the number of forced runs bounds the moves from below that are no
//! moves home (the idea of obligatory moves, and of cycles of one card, is Paul and Helmert's).
//!
//! Invariant: `place` and `height` say where each card in a column of the laid-out state is.
//!
//! Complexity: a layout costs a step per card, a child one per card that moves and one per column.

use super::weights::Weights;
use unriddle_puzzles::freecell::{Card, Cards, FreeCell, Move, Moves, Rules, Table, To};

/// Most columns of a table.
const COLUMNS: usize = 10;
/// More than the cards of a deck.
const DEPTH: usize = 64;
/// The cards of the first suit; those of suit s are these shifted by s.
const SUIT: u64 = 0x1111_1111_1111_1111;
/// Instead of a column: a cell.
const NOWHERE: u8 = 255;

/// Which cards go home by themselves, as free moves within a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Autoplay {
    /// Every card that can.
    Max,
    /// A card on which no other card of the table could be built: both cards of the other colour that
    /// fit are home. Nothing is lost: any solution without the move becomes one with it that is no longer.
    Safe,
}

impl Autoplay {
    /// Whether a card goes home by itself, given that it can go.
    #[inline(always)]
    fn plays(self, card: Card, home: [u8; 4]) -> bool {
        let (suit, below) = (usize::from(card.suit()), card.rank() - 1);
        self == Self::Max || below == 0 || (home[suit ^ 1] >= below && home[suit ^ 3] >= below)
    }

    /// Plays the cards that go home by themselves; each is told.
    pub(super) fn close(
        self,
        puzzle: &FreeCell,
        mut table: Table,
        mut told: impl FnMut(Move),
    ) -> Table {
        use unriddle_core::Puzzle;
        loop {
            let can = puzzle.next_home(&table) & (table.tops() | table.cells());
            let Some(card) = Cards(can).find(|&card| self.plays(card, table.home())) else {
                return table;
            };
            let action = Move { card, to: To::Home };
            told(action);
            table = puzzle.apply(&table, action);
        }
    }
}

/// What matters of the cards of a column up to some height.
#[derive(Clone, Copy, Debug)]
struct Prefix {
    /// The cards.
    under: u64,
    /// Their share of the score.
    score: i32,
    /// Forced runs.
    forced: u8,
    /// Whether the last run is forced.
    run_forced: bool,
    /// Where the last run begins.
    start: u8,
}

const EMPTY: Prefix = Prefix {
    under: 0,
    score: 0,
    forced: 0,
    run_forced: false,
    start: 0,
};

/// What a child is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Worth {
    /// Moves other than moves home that are needed at least.
    pub(super) forced: u32,
    /// What it is ranked by, the smaller the better.
    pub(super) score: i32,
    /// Whether all cards are home.
    pub(super) goal: bool,
}

/// One state, laid out.
pub(super) struct Board {
    weights: Weights,
    columns: usize,
    cells: u32,
    ranks: u8,
    sequence: bool,
    cards: [[Card; DEPTH]; COLUMNS],
    prefix: [[Prefix; DEPTH]; COLUMNS],
    len: [u8; COLUMNS],
    place: [u8; DEPTH],
    height: [u8; DEPTH],
    tops: u64,
    held: u64,
    /// The next card of each suit that is not complete.
    next: u64,
    home: [u8; 4],
    /// The cards that the last child brought home by themselves.
    gone: [Card; DEPTH],
    gone_len: usize,
}

impl Board {
    pub(super) fn new(rules: &Rules, weights: Weights) -> Self {
        let ace = Card::from_index(0);
        Self {
            weights,
            columns: usize::from(rules.columns).min(COLUMNS),
            cells: u32::from(rules.cells),
            ranks: rules.ranks,
            sequence: rules.moves == Moves::Sequence,
            cards: [[ace; DEPTH]; COLUMNS],
            prefix: [[EMPTY; DEPTH]; COLUMNS],
            len: [0; COLUMNS],
            place: [NOWHERE; DEPTH],
            height: [0; DEPTH],
            tops: 0,
            held: 0,
            next: 0,
            home: [0; 4],
            gone: [ace; DEPTH],
            gone_len: 0,
        }
    }

    /// Lays a state out.
    pub(super) fn load(&mut self, puzzle: &FreeCell, table: &Table) {
        self.tops = table.tops();
        self.held = table.cells();
        self.next = puzzle.next_home(table);
        self.home = table.home();
        self.len = [0; COLUMNS];
        for card in Cards(self.held) {
            self.place[card.index()] = NOWHERE;
        }
        let mut chain = [Card::from_index(0); DEPTH];
        for (column, top) in Cards(self.tops).take(COLUMNS).enumerate() {
            let mut count = 0;
            let mut card = Some(top);
            while let Some(at) = card.filter(|_| count < DEPTH) {
                chain[count] = at;
                count += 1;
                card = puzzle.beneath(table.key(), at);
            }
            for &card in chain[..count].iter().rev() {
                self.push(column, card);
            }
        }
    }

    /// The prefix that ends a column.
    #[inline(always)]
    fn end(&self, column: usize) -> Prefix {
        match self.len[column] {
            0 => EMPTY,
            n => self.prefix[column][usize::from(n - 1) % DEPTH],
        }
    }

    /// Puts a card on a column.
    #[inline(always)]
    fn push(&mut self, column: usize, card: Card) {
        let len = usize::from(self.len[column]) % DEPTH;
        let below = self.end(column);
        let fits = len > 0 && card.fits(self.cards[column][len - 1]);
        let lower = below.under & (card.bit() - 1);
        let must = lower & SUIT << card.suit() != 0;
        let buries = lower & ((1 << (card.index() & !3)) - 1) != 0;
        let run_forced = fits && self.sequence && below.run_forced;
        let start = if fits { below.start } else { len as u8 };
        let newly = must && !run_forced;
        let w = &self.weights;
        let score = below.score
            + w.forced * i32::from(newly)
            + w.must * i32::from(must)
            + w.unsorted * i32::from(start - below.start)
            + w.breaks * i32::from(len > 0 && !fits)
            + w.buries * i32::from(buries);
        self.prefix[column][len] = Prefix {
            under: below.under | card.bit(),
            score,
            forced: below.forced + u8::from(newly),
            run_forced: run_forced || must,
            start,
        };
        self.cards[column][len] = card;
        self.place[card.index()] = column as u8;
        self.height[card.index()] = len as u8;
        self.len[column] = len as u8 + 1;
    }

    /// The worth of the state that is laid out.
    pub(super) fn worth(&self) -> Worth {
        self.rank(self.held, self.next, self.home)
    }

    #[inline(always)]
    fn rank(&self, held: u64, next: u64, home: [u8; 4]) -> Worth {
        let w = &self.weights;
        let (mut forced, mut score, mut empty) = (0, 0, 0);
        for column in 0..self.columns {
            let end = self.end(column);
            forced += u32::from(end.forced);
            score += end.score;
            empty += usize::from(self.len[column] == 0);
        }
        let free = self.cells - held.count_ones().min(self.cells);
        score += w.free[(free as usize).min(w.free.len() - 1)];
        score += w.empty[empty.min(w.empty.len() - 1)];
        let mut above = 0;
        for card in Cards(next & !held) {
            let column = usize::from(self.place[card.index()]) % COLUMNS;
            above += i32::from(self.len[column]) - i32::from(self.height[card.index()]) - 1;
        }
        score += w.above * above;
        score += w.home * home.iter().map(|&n| i32::from(n)).sum::<i32>();
        Worth {
            forced,
            score,
            goal: next == 0,
        }
    }

    /// The worth of a child, after the cards that go home by themselves; those are then [`gone`](Self::gone).
    #[inline(always)]
    pub(super) fn child(&mut self, action: Move, autoplay: Autoplay) -> Worth {
        let card = action.card;
        let (len, mut tops, mut held) = (self.len, self.tops, self.held);
        let (mut next, mut home) = (self.next, self.home);
        self.gone_len = 0;
        let from = self.place[card.index()];
        let height = self.height[card.index()];
        let into = match action.to {
            To::First | To::Second => action
                .to
                .onto(card)
                .map(|onto| usize::from(self.place[onto.index() % DEPTH]) % COLUMNS),
            To::Empty => (0..self.columns).find(|&column| self.len[column] == 0),
            To::Cell | To::Home => None,
        };
        // The cards that leave.
        let mut count = 1;
        if from == NOWHERE {
            held &= !card.bit();
        } else {
            let from = usize::from(from) % COLUMNS;
            count = usize::from(self.len[from] - height);
            self.len[from] = height;
            if height > 0 {
                tops |= self.cards[from][usize::from(height) - 1].bit();
            }
        }
        let mut moved = card;
        if let Some(into) = into {
            if let Some(&onto) = usize::from(self.len[into])
                .checked_sub(1)
                .and_then(|i| self.cards[into].get(i))
            {
                tops &= !onto.bit();
            }
            for i in 0..count {
                if from != NOWHERE {
                    moved =
                        self.cards[usize::from(from) % COLUMNS][(usize::from(height) + i) % DEPTH];
                }
                self.push(into, moved);
            }
            tops |= moved.bit();
        } else {
            tops &= !card.bit();
            if action.to == To::Home {
                let suit = usize::from(card.suit());
                home[suit] += 1;
                next &= !card.bit();
                if home[suit] < self.ranks {
                    next |= card.bit() << 4;
                }
            } else {
                held |= card.bit();
                self.place[card.index()] = NOWHERE;
            }
        }
        // The cards that go home by themselves.
        loop {
            let can = next & (tops | held);
            let Some(card) = Cards(can).find(|&card| autoplay.plays(card, home)) else {
                break;
            };
            let bit = card.bit();
            if held & bit != 0 {
                held ^= bit;
            } else {
                let column = usize::from(self.place[card.index()]) % COLUMNS;
                let left = self.len[column].saturating_sub(1);
                self.len[column] = left;
                tops ^= bit;
                if left > 0 {
                    tops |= self.cards[column][usize::from(left - 1) % DEPTH].bit();
                }
            }
            let suit = usize::from(card.suit());
            home[suit] += 1;
            next ^= bit;
            if home[suit] < self.ranks {
                next |= bit << 4;
            }
            self.gone[self.gone_len % DEPTH] = card;
            self.gone_len += 1;
        }
        let worth = self.rank(held, next, home);
        // Back to where it was: nothing below the ends has changed.
        self.len = len;
        if into.is_some() && from != NOWHERE {
            let from = usize::from(from) % COLUMNS;
            for i in usize::from(height)..usize::from(height) + count {
                let card = self.cards[from][i % DEPTH];
                self.place[card.index()] = from as u8;
                self.height[card.index()] = i as u8;
            }
        } else {
            self.place[card.index()] = from;
            self.height[card.index()] = height;
        }
        worth
    }

    /// The cards that the last child brought home by themselves, in this order.
    pub(super) fn gone(&self) -> &[Card] {
        &self.gone[..self.gone_len.min(DEPTH)]
    }
}
