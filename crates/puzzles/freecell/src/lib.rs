//! FreeCell, with 0 to 8 cells, 4 to 10 columns and decks of 1 to 13 ranks.
//!
//! All cards are face up in columns. The last card of a column and the cards in cells may move:
//! home (each suit from the ace upwards), onto the last card of a column if that is one rank higher
//! and of the other colour, into an empty column, or into a free cell. An ordered sequence moves as
//! one action where free cells and empty columns would let its cards move one by one: (1 + free
//! cells)·2^(empty columns) cards, the column that is moved into not counted. With `moves=single`
//! every card is an action of its own.
//!
//! No card moves by itself (*autoplay*): every move home is an action. Texts of solutions may leave
//! the safe ones out (module `autoplay`).
//!
//! Searches work on [`Table`], which knows no order of columns or cells; people see a [`Layout`].
//!
//! References: Elyasaf, Hauptman and Sipper 2011 (GECCO); Paul and Helmert 2016 (SoCS); the
//! standard notation of solutions and the numbers of deals are Keller's and Horne's
//! (solitairelaboratory.com).
//!
//! # Speed
//!
//! A position has three bits per card and no order of columns or cells. Legal moves are computed
//! with sets of cards in 64-bit words (ADR 6).

#![forbid(unsafe_code)]

mod autoplay;
mod card;
pub mod cycles;
mod deal;
mod draw;
mod family;
mod forms;
pub mod generate;
pub mod heuristics;
mod layout;
pub mod measures;
mod notation;
mod pack;
pub mod parse;
pub mod solvers;
mod state;
mod touch;

pub use autoplay::Autoplay;
pub use card::Card;
#[cfg(not(test))]
pub use family::FAMILY;
pub use layout::Layout;
pub use state::Table;

use card::{Cards, DECK, fit_first, fit_second};
use state::{BASE, CELL, FIRST, HOME, Key, SAME, SECOND, ZOBRIST, code, set_code};
use std::iter;
use unriddle_core::{Cost, GoalPuzzle, Info, Options, Puzzle, Role, options, words};

/// The puzzle's declaration.
pub const INFO: Info = Info {
    reference: "Elyasaf, Hauptman and Sipper 2011, GA-FreeCell, GECCO; Paul and Helmert 2016, Optimal \
                solitaire game solutions using A* search and deadlock analysis, SoCS",
    parameters: Rules::PARAMETERS,
    ..Info::new(
        Role::Puzzle,
        "freecell",
        "FreeCell: bring all cards home, suit by suit from the ace upwards, all cards open from the start",
    )
};

words! {
    /// Definition of an action.
    pub enum Moves {
        /// An ordered sequence may move at once.
        Sequence = "sequence",
        /// Cards move one by one.
        Single = "single",
    }
}

options! {
    /// The rules of a table.
    #[derive(Copy, Eq, Hash)]
    pub struct Rules of INFO {
        cells: u8 = "4" in 0..=8, "number of free cells";
        columns: u8 = "8" in 4..=10, "number of columns";
        ranks: u8 = "13" in 1..=13, "ranks of the deck's four suits, from the ace";
        moves: Moves = "sequence", "whether an ordered sequence moves as one action";
        autoplay: Autoplay = "written",
            "omit safe moves home in texts of solutions", "Horne's rule decides which moves home are safe.";
    }
}

impl Rules {
    /// Number of cards of the deck.
    #[must_use]
    pub fn deck(&self) -> usize {
        usize::from(self.ranks) * card::SUITS
    }
}

/// Target of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum To {
    /// Onto its foundation.
    Home,
    /// Onto `(c + 4) ^ 1`, with all cards above it.
    First,
    /// Onto `(c + 4) ^ 3`, with all cards above it.
    Second,
    /// Into an empty column, with all cards above it.
    Empty,
    /// Into a cell.
    Cell,
}

impl To {
    const ALL: [Self; 5] = [Self::Home, Self::First, Self::Second, Self::Empty, Self::Cell];

    /// The card onto which a card moves; `None` if it moves elsewhere.
    #[inline(always)]
    pub(crate) const fn onto(self, card: Card) -> Option<Card> {
        let onto = match self {
            Self::First => (card.index() + 4) ^ 1,
            Self::Second => (card.index() + 4) ^ 3,
            _ => return None,
        };
        Some(Card::from_index(onto))
    }

    /// The target by which a card moves onto another; `None` if it does not fit.
    pub(crate) fn between(card: Card, onto: Card) -> Option<Self> {
        [Self::First, Self::Second].into_iter().find(|to| to.onto(card) == Some(onto))
    }
}

/// An action: a card, with all cards above it, and where it goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// The deepest card that moves.
    pub card: Card,
    /// Target of the move.
    pub to: To,
}

/// The actions that are still to be tried, one set of cards for each destination, in the order of
/// [`To`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actions {
    sets: [u64; 5],
    at: u8,
}

impl Iterator for Actions {
    type Item = Move;
    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        while let Some(&set) = self.sets.get(usize::from(self.at)) {
            if set == 0 {
                self.at += 1;
                continue;
            }
            self.sets[usize::from(self.at)] = set & (set - 1);
            return Some(Move {
                card: Card::from_index(set.trailing_zeros() as usize),
                to: To::ALL[usize::from(self.at)],
            });
        }
        None
    }
}

/// No card: the bottom of a column.
const BOTTOM: u8 = 63;

/// An instance: rules and a start.
#[derive(Clone, Debug)]
pub struct FreeCell {
    rules: Rules,
    layout: Layout,
    start: Table,
    /// The card beneath a card, or [`BOTTOM`], by its code below [`CELL`].
    beneath: [[u8; 4]; DECK],
    /// The card that lay on each card at the start, or [`BOTTOM`] if none did.
    above: [u8; DECK],
    /// Cards of the tallest column of the start.
    tallest: u8,
    /// The deepest cards of the start's columns, as a set.
    bases: u64,
    /// Codes (bits) by which a card is on a card that it fits on.
    ordered: [u8; DECK],
    /// The code of each destination.
    codes: [[u8; 5]; DECK],
    unmoved: Unmoved,
}

/// The deck with every card on its card of the start, from which positions are unpacked.
#[derive(Clone, Copy, Debug, Default)]
struct Unmoved {
    /// `tops` are all cards of the deck, covered or not.
    table: Table,
    /// The cards that are beneath others.
    covered: u64,
}

impl FreeCell {
    /// An instance of a layout with a complete deck (see [`parse`](parse::parse)); this is not
    /// checked again.
    #[must_use]
    pub fn new(rules: Rules, layout: Layout) -> Self {
        // The card beneath each card at the start: a card, the bottom, or nothing (cells and home).
        let mut original = [None; DECK];
        let mut above = [BOTTOM; DECK];
        for column in &layout.columns {
            let mut below = BOTTOM;
            for card in column {
                original[card.index()] = Some(below);
                if below != BOTTOM {
                    above[usize::from(below)] = card.index() as u8;
                }
                below = card.index() as u8;
            }
        }
        let mut beneath = [[BOTTOM; 4]; DECK];
        let mut ordered = [0; DECK];
        let mut codes = [[0; 5]; DECK];
        for index in 0..DECK {
            let card = Card::from_index(index);
            let place = |to: To| to.onto(card).map_or(BOTTOM, |onto| onto.index() as u8);
            let (first, second) = (place(To::First), place(To::Second));
            let same = original[index];
            beneath[index] = [same.unwrap_or(BOTTOM), first, second, BOTTOM];
            ordered[index] = 1 << FIRST | 1 << SECOND;
            if same.is_some_and(|same| same == first || same == second) {
                ordered[index] |= 1 << SAME;
            }
            let or_same = |place: u8, code: u8| if same == Some(place) { SAME } else { code };
            codes[index] =
                [HOME, or_same(first, FIRST), or_same(second, SECOND), or_same(BOTTOM, BASE), CELL];
        }
        let mut puzzle = Self {
            rules,
            start: Table::default(),
            bases: layout
                .columns
                .iter()
                .filter_map(|column| column.first())
                .fold(0, |set, card| set | card.bit()),
            tallest: layout.columns.iter().map(Vec::len).max().unwrap_or(0) as u8,
            layout,
            beneath,
            above,
            ordered,
            codes,
            unmoved: Unmoved::default(),
        };
        puzzle.start = puzzle.table(&puzzle.layout);
        let Unmoved { table, covered } = &mut puzzle.unmoved;
        let words = ZOBRIST.iter().zip(&puzzle.beneath).enumerate();
        for (index, (zobrist, beneath)) in words.take(rules.deck()) {
            table.tops |= 1 << index;
            table.hash ^= zobrist[usize::from(SAME)];
            *covered |= 1 << beneath[usize::from(SAME)];
        }
        *covered &= !(1 << BOTTOM);
        puzzle
    }

    /// The state of a layout that is reachable from the start.
    fn table(&self, layout: &Layout) -> Table {
        let mut table = Table { home: layout.foundations, ..Table::default() };
        let deck = (0..self.rules.deck()).map(Card::from_index);
        for card in deck.clone().filter(|&card| layout.is_home(card)) {
            set_code(&mut table.key, card, HOME);
        }
        for &card in layout.cells.iter().flatten() {
            set_code(&mut table.key, card, CELL);
            table.cells |= card.bit();
        }
        for column in &layout.columns {
            let mut below = BOTTOM;
            for &card in column {
                let places = self.beneath[card.index()];
                let code = (SAME..=BASE).find(|&code| places[usize::from(code)] == below);
                set_code(&mut table.key, card, code.unwrap_or(SECOND));
                below = card.index() as u8;
            }
            table.tops |= column.last().map_or(0, |card| card.bit());
        }
        for card in deck {
            table.hash ^= ZOBRIST[card.index()][usize::from(code(&table.key, card))];
        }
        table
    }

    /// The rules.
    #[must_use]
    #[inline(always)]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The deepest cards of the columns, as a set.
    #[inline]
    pub(crate) fn bases(&self, table: &Table) -> u64 {
        let kept = Cards(self.bases).filter(|&card| code(&table.key, card) == SAME);
        kept.fold(state::with_code_base(&table.key), |set, card| set | card.bit())
    }

    /// The card beneath a card in a column; `None` at the bottom (and for a card that is in none).
    #[inline(always)]
    pub(crate) fn beneath(&self, key: &Key, card: Card) -> Option<Card> {
        let below = self.beneath[card.index()][usize::from(code(key, card) & 3)];
        (below != BOTTOM).then(|| Card::from_index(usize::from(below)))
    }

    /// The card on a card in a column; `None` at the end of the column.
    #[inline(always)]
    pub(crate) fn above(&self, table: &Table, card: Card) -> Option<Card> {
        if table.tops & card.bit() != 0 {
            return None;
        }
        let original = self.above[card.index()];
        if original != BOTTOM {
            let original = Card::from_index(usize::from(original));
            if code(&table.key, original) == SAME {
                return Some(original);
            }
        }
        let first = Card::from_index(card.index().checked_sub(4)? ^ 1);
        if code(&table.key, first) == FIRST {
            return Some(first);
        }
        Some(Card::from_index((card.index() - 4) ^ 3))
    }

    /// A card in a column and all cards on it, up to the end of the column.
    #[inline(always)]
    pub(crate) fn upwards(&self, table: &Table, card: Card) -> impl Iterator<Item = Card> {
        iter::successors(Some(card), |&card| self.above(table, card))
    }

    /// Whether a card in a column is on a card that it fits on.
    #[inline(always)]
    pub(crate) fn is_ordered(&self, key: &Key, card: Card) -> bool {
        self.ordered[card.index()] >> code(key, card) & 1 != 0
    }

    /// Number of free cells.
    #[inline(always)]
    pub(crate) fn free_cells(&self, table: &Table) -> u32 {
        u32::from(self.rules.cells) - table.cells.count_ones()
    }

    /// Number of empty columns.
    #[inline(always)]
    pub(crate) fn empty_columns(&self, table: &Table) -> u32 {
        u32::from(self.rules.columns) - table.tops.count_ones()
    }

    /// The cards that come next on the foundations, as a set.
    #[inline(always)]
    pub(crate) fn next_home(&self, table: &Table) -> u64 {
        let mut next = 0;
        for (suit, &home) in table.home.iter().enumerate() {
            if home < self.rules.ranks {
                next |= 1 << (usize::from(home) * 4 + suit);
            }
        }
        next
    }

    /// The cards that can go home, as a set.
    #[inline(always)]
    pub(crate) fn homeward(&self, table: &Table) -> u64 {
        self.next_home(table) & (table.tops | table.cells)
    }

    /// Plays home the cards that `choose` returns, one after the other. Calls `played` for each.
    #[inline(always)]
    pub(crate) fn play_home(
        &self,
        table: &mut Table,
        choose: impl Fn(&Table) -> Option<Card>,
        mut played: impl FnMut(Move),
    ) {
        while let Some(card) = choose(table) {
            let action = Move { card, to: To::Home };
            *table = self.apply(table, action);
            played(action);
        }
    }

    /// The states of a layout's columns, in the order of the start: a column keeps its index as
    /// long as it keeps its deepest card, the others fill the free indices in the order of their
    /// deepest cards; cells likewise.
    pub(crate) fn layout_of(&self, table: &Table) -> Layout {
        let mut layout = Layout::empty(&self.rules);
        layout.foundations = table.home;
        let mut moved = Vec::new();
        for top in Cards(table.tops) {
            let downwards = iter::successors(Some(top), |&card| self.beneath(&table.key, card));
            let mut column: Vec<Card> = downwards.collect();
            column.reverse();
            match self.layout.columns.iter().position(|c| c.first() == column.first()) {
                Some(place) => layout.columns[place] = column,
                None => moved.push(column),
            }
        }
        moved.sort_unstable_by_key(|column| column[0]);
        let mut free = 0..layout.columns.len();
        for column in moved {
            if let Some(place) = free.find(|&i| layout.columns[i].is_empty()) {
                layout.columns[place] = column;
            }
        }
        let mut rest = table.cells;
        for (place, held) in self.layout.cells.iter().enumerate() {
            if let Some(card) = held.filter(|card| rest & card.bit() != 0) {
                layout.cells[place] = Some(card);
                rest ^= card.bit();
            }
        }
        for card in Cards(rest) {
            if let Some(cell) = layout.cells.iter_mut().find(|cell| cell.is_none()) {
                *cell = Some(card);
            }
        }
        layout
    }
}

impl FreeCell {
    /// The layout after actions from the start.
    pub(crate) fn layout_after(&self, played: &[Move]) -> Layout {
        let mut layout = self.layout.clone();
        let mut text = String::new();
        for &action in played {
            layout.play(action, &mut text);
        }
        layout
    }
}

impl Puzzle for FreeCell {
    type State = Table;
    type Action = Move;
    type Actions = Actions;

    fn initial_state(&self) -> Table {
        self.start
    }

    #[inline]
    fn actions(&self, table: &Table) -> Actions {
        let (free, empty) = (self.free_cells(table), self.empty_columns(table));
        let mut to_column = table.tops;
        let mut to_empty = 0;
        let mut bases = 0;
        let (most, most_empty) = match self.rules.moves {
            Moves::Sequence => {
                ((free + 1) << empty, if empty > 0 { (free + 1) << (empty - 1) } else { 0 })
            }
            Moves::Single => (1, 1),
        };
        // Every ordered sequence at the end of a column, as far as it can move.
        for top in Cards(table.tops) {
            let mut card = top;
            let mut length = 1;
            loop {
                if length <= most_empty {
                    to_empty |= card.bit();
                }
                let Some(below) = self.beneath(&table.key, card) else {
                    bases |= card.bit();
                    break;
                };
                if length == most || !self.is_ordered(&table.key, card) {
                    break;
                }
                card = below;
                length += 1;
                to_column |= card.bit();
            }
        }
        let building = to_column | table.cells;
        Actions {
            sets: [
                self.homeward(table),
                building & fit_first(table.tops),
                building & fit_second(table.tops),
                // A whole column moved into an empty one changes nothing.
                if empty > 0 { to_empty & !bases | table.cells } else { 0 },
                if free > 0 { table.tops } else { 0 },
            ],
            at: 0,
        }
    }

    #[inline]
    fn apply(&self, table: &Table, action: Move) -> Table {
        let Move { card, to } = action;
        let mut after = *table;
        let old = code(&table.key, card);
        let new = self.codes[card.index()][to as usize];
        set_code(&mut after.key, card, new);
        let zobrist = &ZOBRIST[card.index()];
        after.hash ^= zobrist[usize::from(old & 7)] ^ zobrist[usize::from(new & 7)];
        if old == CELL {
            after.cells &= !card.bit();
            if matches!(to, To::First | To::Second | To::Empty) {
                after.tops |= card.bit();
            }
        } else {
            if let Some(below) = self.beneath(&table.key, card) {
                after.tops |= below.bit();
            }
            if matches!(to, To::Home | To::Cell) {
                after.tops &= !card.bit();
            }
        }
        match to {
            To::Home => after.home[usize::from(card.suit())] = card.rank(),
            To::Cell => after.cells |= card.bit(),
            To::First | To::Second => {
                if let Some(onto) = to.onto(card) {
                    after.tops &= !onto.bit();
                }
            }
            To::Empty => {}
        }
        after
    }
}

impl GoalPuzzle for FreeCell {
    #[inline(always)]
    fn is_goal(&self, table: &Table) -> bool {
        table.home == [self.rules.ranks; 4]
    }
    #[inline(always)]
    fn action_cost(&self, _: &Table, _: Move) -> Cost {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_core::Rng;

    /// A Microsoft deal.
    pub(crate) fn numbered(number: u64, rules: Rules) -> FreeCell {
        FreeCell::new(rules, parse::parse(&number.to_string(), &rules).unwrap())
    }

    /// A deal with other rules for each seed.
    pub(crate) fn varied(seed: u64) -> FreeCell {
        let rules = Rules {
            cells: (seed % 9) as u8,
            columns: 4 + (seed % 7) as u8,
            moves: if seed.is_multiple_of(3) { Moves::Single } else { Moves::Sequence },
            ..Rules::default()
        };
        numbered(seed + 1, rules)
    }

    /// Along random walks the incremental state equals the state of the played layout.
    #[test]
    fn states_and_layouts_agree() {
        assert_eq!(size_of::<Table>(), 56);
        let mut moved = 0;
        for seed in 0..60 {
            let puzzle = varied(seed);
            let mut rng = Rng::new(seed);
            let mut table = puzzle.initial_state();
            let mut layout = puzzle.layout.clone();
            for _ in 0..120 {
                let actions: Vec<Move> = puzzle.actions(&table).collect();
                if actions.is_empty() {
                    break;
                }
                let action = actions[rng.below(actions.len() as u64) as usize];
                let (_, count) = layout.play(action, &mut String::new()).unwrap();
                moved = moved.max(count);
                assert!(puzzle.rules().moves == Moves::Sequence || count == 1);
                table = puzzle.apply(&table, action);
                let again = puzzle.table(&layout);
                assert_eq!(table, again);
                assert_eq!(table.hash, again.hash);
                assert_eq!((table.tops, table.cells), (again.tops, again.cells));
                assert_eq!(table.home, again.home);
                assert_eq!(puzzle.table(&puzzle.layout_of(&table)), table);
            }
        }
        assert!(moved >= 3, "no sequence has moved");
    }
}
