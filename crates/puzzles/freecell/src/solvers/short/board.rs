//! The working board: one state with its columns spelled out, on which children are tried and
//! scored.
//!
//! A state stores the card beneath each card. To rank a child without making it, its parent is laid
//! out once: columns as arrays, and a summary of every prefix of a column ([`Prefix`]): the set of
//! its cards, the runs that are *forced*, where its last run begins, and its share of the score. A
//! move then changes the ends of at most two columns, and cards that go home shorten some more;
//! nothing below the new ends changes, so that a child is undone by setting the old lengths again.
//!
//! **The lower bound.** A *run* is a maximal ordered sequence within a column. A card above a lower
//! card of its own suit cannot go home before that lower card: it must first be moved elsewhere.
//! The first move of such a card moves cards of one present sequence, so the deepest moved card is
//! of the same run. Different runs have different deepest cards, so at least one move per run with
//! such a card is needed: the number of forced runs bounds the moves from below that are not moves
//! home (the idea of obligatory moves, and of cycles of one card, is Paul and Helmert's).
//!
//! Invariant: `place` and `height` hold the column and height of each card of the laid-out state.
//!
//! Complexity: a layout costs a step per card, a child one per card that moves and one per column.

use super::{
    autoplay::Autoplay,
    cycles::{NO_RANK, Ranks, Run, Runs},
    weights::Weights,
};
use crate::{
    Card, FreeCell, Move, Moves, Table, To,
    card::Cards,
    state::{SAME, code},
};

/// Most columns of a table.
const COLUMNS: usize = 10;
/// Greater than the number of cards in a deck.
const DEPTH: usize = 64;
/// The cards of the first suit; the cards of suit s are this set shifted by s.
const SUIT: u64 = 0x1111_1111_1111_1111;
/// Denotes a cell instead of a column.
const NOWHERE: u8 = 255;

/// Summary of the cards of a column up to some height.
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
    /// Begin of the last run.
    start: u8,
    /// The lowest rank of each suit.
    lows: Ranks,
    /// The last run.
    run: Run,
}

const EMPTY: Prefix = Prefix {
    under: 0,
    score: 0,
    forced: 0,
    run_forced: false,
    start: 0,
    lows: NO_RANK,
    run: Run { low: NO_RANK, top: [0; 4] },
};

/// Sums over the columns.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    forced: i32,
    score: i32,
}

impl Sum {
    /// Replaces the summary of a column that ends in another way than before.
    #[inline(always)]
    fn change(&mut self, before: Prefix, after: Prefix) {
        self.forced += i32::from(after.forced) - i32::from(before.forced);
        self.score += after.score - before.score;
    }
}

/// The worth of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Worth {
    /// Lower bound of the number of moves other than moves home.
    pub(super) forced: u32,
    /// The rank of the child; smaller is better.
    pub(super) score: i32,
    /// Whether all cards are home.
    pub(super) goal: bool,
}

/// Columns, spelled out.
#[derive(Clone)]
struct Columns {
    cards: [[Card; DEPTH]; COLUMNS],
    /// By column and number of cards: the prefix of that many cards.
    prefix: [[Prefix; DEPTH]; COLUMNS],
    len: [u8; COLUMNS],
    place: [u8; DEPTH],
    height: [u8; DEPTH],
}

/// The cards of a state that can move or go home, and the sums over its columns.
#[derive(Clone, Copy, Default)]
struct Ends {
    /// The last cards of the columns.
    tops: u64,
    /// The cards in cells.
    held: u64,
    /// The next card of each suit that is not complete.
    next: u64,
    /// Number of cards on the foundation of each suit.
    home: [u8; 4],
    sum: Sum,
}

impl Ends {
    /// Plays the next card of a suit home.
    #[inline(always)]
    fn send_home(&mut self, card: Card, ranks: u8) {
        let suit = usize::from(card.suit());
        self.home[suit] += 1;
        self.next ^= card.bit();
        if self.home[suit] < ranks {
            self.next |= card.bit() << 4;
        }
    }
}

/// A state, laid out.
pub(super) struct Board {
    weights: Weights,
    columns: usize,
    cells: u32,
    ranks: u8,
    sequence: bool,
    /// The start: most columns of most states begin like one of its columns.
    origin: Columns,
    at: Columns,
    ends: Ends,
    /// The cards that the last child brought home by themselves.
    gone: [Card; DEPTH],
    gone_len: usize,
    undo: Undo,
    runs: Runs,
}

/// Data to undo a child.
#[derive(Clone, Copy)]
struct Undo {
    len: [u8; COLUMNS],
    card: Card,
    from: u8,
    height: u8,
    count: usize,
}

impl Board {
    pub(super) fn new(puzzle: &FreeCell, weights: Weights) -> Self {
        use unriddle_core::Puzzle;
        let rules = puzzle.rules();
        let ace = Card::from_index(0);
        let columns = Columns {
            cards: [[ace; DEPTH]; COLUMNS],
            prefix: [[EMPTY; DEPTH]; COLUMNS],
            len: [0; COLUMNS],
            place: [NOWHERE; DEPTH],
            height: [0; DEPTH],
        };
        let mut board = Self {
            weights,
            columns: usize::from(rules.columns).min(COLUMNS),
            cells: u32::from(rules.cells),
            ranks: rules.ranks,
            sequence: rules.moves == Moves::Sequence,
            origin: columns.clone(),
            at: columns,
            ends: Ends::default(),
            gone: [ace; DEPTH],
            gone_len: 0,
            undo: Undo { len: [0; COLUMNS], card: ace, from: NOWHERE, height: 0, count: 1 },
            runs: Runs::new(),
        };
        board.load(puzzle, &puzzle.initial_state());
        board.origin = board.at.clone();
        board
    }

    /// Lays a state out.
    pub(super) fn load(&mut self, puzzle: &FreeCell, table: &Table) {
        let next = puzzle.next_home(table);
        let (tops, held, home) = (table.tops, table.cells, table.home);
        self.ends = Ends { tops, held, next, home, sum: Sum::default() };
        self.at.place = self.origin.place;
        self.at.height = self.origin.height;
        // The cards with the same card beneath as at the start.
        let mut intact = 0;
        for column in 0..self.columns {
            let cards = &self.origin.cards[column][..usize::from(self.origin.len[column]) % DEPTH];
            let height = cards.iter().take_while(|&&card| code(&table.key, card) == SAME).count();
            let prefix = &self.origin.prefix[column][..=height];
            self.at.prefix[column][..=height].copy_from_slice(prefix);
            self.at.cards[column][..height].copy_from_slice(&cards[..height]);
            self.at.len[column] = height as u8;
            intact |= prefix[height].under;
        }
        for card in Cards(held) {
            self.at.place[card.index()] = NOWHERE;
        }
        // The cards upon those, and columns that begin anew.
        let mut chain = [Card::from_index(0); DEPTH];
        for top in Cards(tops & !intact) {
            let mut count = 0;
            let mut card = Some(top);
            while let Some(at) = card.filter(|at| intact & at.bit() == 0 && count < DEPTH) {
                chain[count] = at;
                count += 1;
                card = puzzle.beneath(&table.key, at);
            }
            let column = match card {
                Some(below) => usize::from(self.at.place[below.index()]),
                None => self.empty_column(),
            } % COLUMNS;
            for &card in chain[..count].iter().rev() {
                self.push(column, card);
            }
        }
        for column in 0..self.columns {
            self.ends.sum.change(EMPTY, self.end(column));
        }
    }

    /// The first empty column.
    fn empty_column(&self) -> usize {
        let mut columns = self.at.len[..self.columns].iter();
        columns.position(|&len| len == 0).unwrap_or(0)
    }

    /// The prefix that ends a column.
    #[inline(always)]
    fn end(&self, column: usize) -> Prefix {
        self.at.prefix[column][usize::from(self.at.len[column]) % DEPTH]
    }

    /// Puts a card on a column.
    #[inline(always)]
    fn push(&mut self, column: usize, card: Card) {
        let at = &mut self.at;
        let len = usize::from(at.len[column]) % (DEPTH - 1);
        let below = at.prefix[column][len];
        let fits = len > 0 && card.fits(at.cards[column][len - 1]);
        let lower = below.under & (card.bit() - 1);
        let must = lower & SUIT << card.suit() != 0;
        let buries = lower & ((1 << (card.index() & !3)) - 1) != 0;
        let run_forced = fits && self.sequence && below.run_forced;
        let start = if fits { below.start } else { len as u8 };
        let newly = must && !run_forced;
        let (suit, rank) = (usize::from(card.suit()), card.rank());
        let mut lows = below.lows;
        lows[suit] = lows[suit].min(rank);
        let mut run = match fits && self.sequence {
            true => below.run,
            false => Run { low: below.lows, top: [0; 4] },
        };
        // Ranks fall within a run: the first of a suit is the highest.
        run.top[suit] = run.top[suit].max(rank);
        let w = &self.weights;
        let score = below.score
            + w.forced * i32::from(newly)
            + w.must * i32::from(must)
            + w.unsorted * i32::from(start - below.start)
            + w.breaks * i32::from(len > 0 && !fits)
            + w.buries * i32::from(buries);
        at.prefix[column][len + 1] = Prefix {
            under: below.under | card.bit(),
            score,
            forced: below.forced + u8::from(newly),
            run_forced: run_forced || must,
            start,
            lows,
            run,
        };
        at.cards[column][len] = card;
        at.place[card.index()] = column as u8;
        at.height[card.index()] = len as u8;
        at.len[column] = len as u8 + 1;
    }

    /// The worth of the state that is laid out.
    pub(super) fn worth(&mut self) -> Worth {
        self.with_cycles(self.rank(&self.ends))
    }

    /// Number of forced runs of the state that is laid out, without cycles.
    #[cfg(test)]
    pub(super) fn forced_runs(&self) -> u32 {
        self.ends.sum.forced as u32
    }

    /// Adds the bound by cycles of runs, of the laid-out state or of the played child.
    #[inline(always)]
    pub(super) fn with_cycles(&mut self, worth: Worth) -> Worth {
        self.runs.clear();
        for column in 0..self.columns {
            let mut end = self.end(column);
            while end.start > 0 {
                if !end.run_forced {
                    self.runs.add(end.run);
                }
                end = self.at.prefix[column][usize::from(end.start) % DEPTH];
            }
        }
        let cycles = self.runs.cycles();
        Worth {
            forced: worth.forced + cycles,
            score: worth.score + self.weights.cycles * cycles as i32,
            ..worth
        }
    }

    #[inline(always)]
    fn rank(&self, ends: &Ends) -> Worth {
        let Ends { tops, held, next, home, sum } = *ends;
        let w = &self.weights;
        let free = self.cells - held.count_ones().min(self.cells);
        let empty = self.columns - (tops.count_ones() as usize).min(self.columns);
        let mut above = 0;
        for card in Cards(next & !held) {
            let column = usize::from(self.at.place[card.index()]) % COLUMNS;
            above += i32::from(self.at.len[column]) - i32::from(self.at.height[card.index()]) - 1;
        }
        let score = sum.score
            + w.free[(free as usize).min(w.free.len() - 1)]
            + w.empty[empty.min(w.empty.len() - 1)]
            + w.above * above
            + w.home * home.iter().map(|&n| i32::from(n)).sum::<i32>();
        Worth { forced: sum.forced as u32, score, goal: next == 0 }
    }

    /// Plays a child, with the cards that go home by themselves ([`gone`](Self::gone)), until it is
    /// taken back: its worth but for the cycles.
    #[inline(always)]
    pub(super) fn child(&mut self, action: Move, autoplay: Autoplay) -> Worth {
        let Move { card, to } = action;
        let len = self.at.len;
        let mut ends = self.ends;
        self.gone_len = 0;
        let from = self.at.place[card.index()];
        let height = self.at.height[card.index()];
        let into = match to {
            To::First | To::Second => {
                to.onto(card).map(|onto| usize::from(self.at.place[onto.index() % DEPTH]) % COLUMNS)
            }
            To::Empty => Some(self.empty_column()),
            To::Cell | To::Home => None,
        };
        // The cards that leave.
        let mut count = 1;
        if from == NOWHERE {
            ends.held &= !card.bit();
        } else {
            let from = usize::from(from) % COLUMNS;
            count = usize::from(self.at.len[from] - height);
            let before = self.end(from);
            self.at.len[from] = height;
            ends.sum.change(before, self.end(from));
            if height > 0 {
                ends.tops |= self.at.cards[from][usize::from(height) - 1].bit();
            }
        }
        let mut moved = card;
        if let Some(into) = into {
            let below = usize::from(self.at.len[into]).checked_sub(1);
            if let Some(&onto) = below.and_then(|i| self.at.cards[into].get(i)) {
                ends.tops &= !onto.bit();
            }
            let before = self.end(into);
            for i in 0..count {
                if from != NOWHERE {
                    moved = self.at.cards[usize::from(from) % COLUMNS]
                        [(usize::from(height) + i) % DEPTH];
                }
                self.push(into, moved);
            }
            ends.sum.change(before, self.end(into));
            ends.tops |= moved.bit();
        } else {
            ends.tops &= !card.bit();
            if to == To::Home {
                ends.send_home(card, self.ranks);
            } else {
                ends.held |= card.bit();
                self.at.place[card.index()] = NOWHERE;
            }
        }
        // The cards that go home by themselves.
        loop {
            let can = ends.next & (ends.tops | ends.held);
            let Some(card) = Cards(can).find(|&card| autoplay.plays(card, ends.home)) else {
                break;
            };
            let bit = card.bit();
            if ends.held & bit != 0 {
                ends.held ^= bit;
            } else {
                let column = usize::from(self.at.place[card.index()]) % COLUMNS;
                let before = self.end(column);
                let left = self.at.len[column].saturating_sub(1);
                self.at.len[column] = left;
                ends.sum.change(before, self.end(column));
                ends.tops ^= bit;
                if left > 0 {
                    ends.tops |= self.at.cards[column][usize::from(left - 1) % DEPTH].bit();
                }
            }
            ends.send_home(card, self.ranks);
            self.gone[self.gone_len % DEPTH] = card;
            self.gone_len += 1;
        }
        self.undo = Undo { len, card, from, height, count: if into.is_some() { count } else { 1 } };
        self.rank(&ends)
    }

    /// Takes the child back: nothing below the old ends has changed.
    #[inline(always)]
    pub(super) fn undo(&mut self) {
        let undo = self.undo;
        self.at.len = undo.len;
        self.at.place[undo.card.index()] = undo.from;
        self.at.height[undo.card.index()] = undo.height;
        for i in usize::from(undo.height) + 1..usize::from(undo.height) + undo.count {
            let card = self.at.cards[usize::from(undo.from) % COLUMNS][i % DEPTH];
            self.at.place[card.index()] = undo.from;
            self.at.height[card.index()] = i as u8;
        }
    }

    /// The cards that the last child brought home by themselves, in this order.
    pub(super) fn gone(&self) -> &[Card] {
        &self.gone[..self.gone_len.min(DEPTH)]
    }
}
