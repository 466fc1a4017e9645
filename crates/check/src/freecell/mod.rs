//! FreeCell, with 0 to 8 cells, 4 to 10 columns and 1 to 13 ranks.
//!
//! An instance is a board or the number of a Microsoft deal. A board is a line `Foundations: H-0
//! C-2 D-A S-T` and a line `Freecells: 7D - - -` (both may be omitted), then one line for each
//! column, the buried card first, `:` for an empty column.
//!
//! A solution is a sequence of words: the source and the destination, `1` to `9` and `0` for the
//! columns, `a` to `g` and `i` for the cells, `h` for home. A move into an empty column gives its
//! number of cards, as in `26v3`; without a number a single card moves, as `fc-solve` writes it.
//!
//! Every word is one move. Cards move home automatically only with `autoplay=safe`. Then, at the
//! start and after every word, cards move home as long as some card is free, next in its suit and
//! safe. A card is safe in three cases: it is an ace or a two; both suits of the other colour are
//! home up to the rank below it; or they are home up to two ranks below it and the other suit of
//! its colour up to three.

mod board;
mod cards;

use crate::{
    Loaded, Position, loaded,
    spec::Options,
    text::{clip, count, words},
};
use board::{Board, Rules};
use cards::{Card, SUITS, Suit, rank_text};

struct Freecell {
    rules: Rules,
    board: Board,
    moves: i64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A column, counted from 0.
    Column(usize),
    /// A cell, counted from 0.
    Cell(usize),
    Home,
}

struct Move {
    from: Place,
    to: Place,
    /// The number after `v`.
    number: Option<usize>,
}

pub(crate) fn load(options: &Options, instance: &str) -> Loaded {
    let rules = board::read_rules(options)?;
    loaded(board::read(&rules, instance).map(|board| Freecell { rules, board, moves: 0 }))
}

fn read_move(word: &str) -> Option<Move> {
    let (from, to, number) = match word.as_bytes() {
        [from, to] => (from, to, None),
        [from, to, b'v' | b'V', digit] => (from, to, Some(read_number(*digit)?)),
        _ => return None,
    };
    Some(Move { from: read_place(*from)?, to: read_place(*to)?, number })
}

fn read_place(letter: u8) -> Option<Place> {
    Some(match letter.to_ascii_lowercase() {
        b'h' => Place::Home,
        b'0' => Place::Column(9),
        b'i' => Place::Cell(7),
        digit @ b'1'..=b'9' => Place::Column((digit - b'1').into()),
        letter @ b'a'..=b'g' => Place::Cell((letter - b'a').into()),
        _ => return None,
    })
}

fn read_number(digit: u8) -> Option<usize> {
    match digit.to_ascii_lowercase() {
        digit @ b'1'..=b'9' => Some((digit - b'0').into()),
        letter @ b'a'..=b'd' => Some((letter - b'a' + 10).into()),
        _ => None,
    }
}

/// The message for a word that is not a move.
const NOTATION: &str =
    "a move is two of 1 to 9, 0, a to g, i and h, optionally followed by v1 to vd";

impl Place {
    fn letter(self) -> char {
        // `h` is home, so that the eighth cell is `i`.
        match self {
            Self::Column(column) => ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'][column],
            Self::Cell(cell) => ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'i'][cell],
            Self::Home => 'h',
        }
    }

    fn name(self) -> String {
        match self {
            Self::Column(column) => format!("column {}", column + 1),
            Self::Cell(_) => format!("cell {}", self.letter()),
            Self::Home => "home".to_owned(),
        }
    }
}

impl Freecell {
    /// An error if the board has no such column or cell.
    fn exists(&self, place: Place) -> Result<(), String> {
        let (columns, cells) = (self.rules.columns, self.rules.cells);
        match place {
            Place::Column(column) if column >= columns => {
                Err(format!("there is no {}, only {columns} columns", place.name()))
            }
            Place::Cell(cell) if cell >= cells => {
                Err(format!("there is no {}, only {}", place.name(), count(cells, "cell", "cells")))
            }
            _ => Ok(()),
        }
    }

    /// The card that may leave a column or cell.
    fn top(&self, place: Place) -> Result<Card, String> {
        let card = match place {
            Place::Column(column) => self.board.columns[column].last().copied(),
            Place::Cell(cell) => self.board.cells[cell],
            Place::Home => return Err("no card leaves the foundations".to_owned()),
        };
        card.ok_or_else(|| format!("{} is empty", place.name()))
    }

    /// The cards that may leave a column or cell together, without the limit on their number: the
    /// end of a column, as long as each card fits on the one before it, or one card from a cell.
    fn sequence(&self, place: Place) -> &[Card] {
        match place {
            Place::Column(column) => {
                let cards = &self.board.columns[column];
                let mut start = cards.len().saturating_sub(1);
                while start > 0 && cards[start].fits_on(cards[start - 1]) {
                    start -= 1;
                }
                &cards[start..]
            }
            Place::Cell(cell) => self.board.cells[cell].as_slice(),
            Place::Home => &[],
        }
    }

    /// The number of cards, if that many may move at once into a column.
    fn at_once(&self, number: usize, to: usize) -> Result<usize, String> {
        if self.rules.single {
            return match number {
                1 => Ok(1),
                _ => Err(format!("{number} cards would have to move, but cards move singly")),
            };
        }
        let cells = self.board.cells.iter().filter(|cell| cell.is_none()).count();
        let columns = self.board.columns.iter().enumerate();
        let columns = columns.filter(|(i, column)| *i != to && column.is_empty()).count();
        let limit = (1 + cells) << columns;
        if number <= limit {
            return Ok(number);
        }
        let other = if self.board.columns[to].is_empty() { "other " } else { "" };
        let cells = count(cells, "free cell", "free cells");
        let (one, more) = (format!("{other}empty column"), format!("{other}empty columns"));
        let columns = count(columns, &one, &more);
        Err(format!(
            "{number} cards would have to move, but with {cells} and {columns} {limit} can"
        ))
    }

    /// Number of cards that a move moves, if it is legal.
    fn number(&self, action: &Move) -> Result<usize, String> {
        let (from, to) = (action.from, action.to);
        self.exists(from)?;
        self.exists(to)?;
        if from == to {
            return Err("source and destination are the same".to_owned());
        }
        let card = self.top(from)?;
        match (to, action.number) {
            (Place::Cell(_) | Place::Home, Some(_)) => {
                Err(format!("a move to {} takes no count of cards", to.name()))
            }
            (Place::Home, None) => self.home(card),
            (Place::Cell(cell), None) => match (from, self.board.cells[cell]) {
                (Place::Cell(_), _) => Err("a card cannot go from cell to cell".to_owned()),
                (_, Some(other)) => Err(format!("{} is taken by {other}", to.name())),
                (_, None) => Ok(1),
            },
            (Place::Column(column), number) => match self.board.columns[column].last() {
                None => self.onto_nothing(from, column, number),
                Some(under) => self.onto(*under, from, column, number),
            },
        }
    }

    fn home(&self, card: Card) -> Result<usize, String> {
        let wanted = Card { rank: self.board.foundations[card.suit as usize] + 1, suit: card.suit };
        if card != wanted {
            let suit = card.suit.name();
            return Err(format!("the {suit} need {wanted} next, not {card}"));
        }
        Ok(1)
    }

    /// All columns, then all cells.
    fn sources(&self) -> impl Iterator<Item = Place> + use<> {
        let cells = (0..self.rules.cells).map(Place::Cell);
        (0..self.rules.columns).map(Place::Column).chain(cells)
    }

    /// Takes the card that may leave a column or cell.
    fn take(&mut self, place: Place) -> Option<Card> {
        match place {
            Place::Column(column) => self.board.columns[column].pop(),
            Place::Cell(cell) => self.board.cells[cell].take(),
            Place::Home => None,
        }
    }

    fn put(&mut self, card: Card, place: Place) {
        match place {
            Place::Column(column) => self.board.columns[column].push(card),
            Place::Cell(cell) => self.board.cells[cell] = Some(card),
            Place::Home => self.board.foundations[card.suit as usize] = card.rank,
        }
    }

    /// Moves one safe card home. Returns whether there was one.
    fn send_safe_card_home(&mut self) -> bool {
        let is_safe = |place: &Place| self.top(*place).is_ok_and(|card| self.is_safe(card));
        let Some(card) = self.sources().find(is_safe).and_then(|place| self.take(place)) else {
            return false;
        };
        self.put(card, Place::Home);
        self.moves += 1;
        true
    }

    /// Whether a card is next in its suit, and safe.
    fn is_safe(&self, card: Card) -> bool {
        let home = |suit: Suit| i32::from(self.board.foundations[suit as usize]);
        let rank = i32::from(card.rank);
        if home(card.suit) + 1 != rank {
            return false;
        }
        // Whether the other suits of one colour are home up to some ranks below the card's rank.
        let up_to = |red: bool, below: i32| {
            let mut suits = SUITS.into_iter().filter(|suit| suit.is_red() == red);
            suits.all(|suit| suit == card.suit || home(suit) >= rank - below)
        };
        let red = card.suit.is_red();
        rank <= 2 || up_to(!red, 1) || (up_to(!red, 2) && up_to(red, 3))
    }

    fn onto_nothing(&self, from: Place, to: usize, number: Option<usize>) -> Result<usize, String> {
        let fitting = self.sequence(from).len();
        let number = number.unwrap_or(1);
        if number <= fitting {
            return self.at_once(number, to);
        }
        let Place::Column(column) = from else {
            return Err(format!("{number} cards would have to move, but {} holds 1", from.name()));
        };
        let cards = &self.board.columns[column];
        let many = cards.len();
        if number > many {
            let name = from.name();
            return Err(format!("{number} cards would have to move, but {name} has {many}"));
        }
        let (card, under) = (cards[many - fitting], cards[many - fitting - 1]);
        Err(format!("{number} cards are no sequence: {card} does not fit on {under}"))
    }

    fn onto(
        &self,
        under: Card,
        from: Place,
        to: usize,
        number: Option<usize>,
    ) -> Result<usize, String> {
        let sequence = self.sequence(from);
        let Some(deepest) = sequence.iter().position(|card| card.fits_on(under)) else {
            let wanted = under.wanted();
            return Err(match sequence {
                [card] => format!("{card} does not fit on {under}, {wanted}"),
                cards => format!("none of {} fits on {under}, {wanted}", row_of_cards(cards)),
            });
        };
        let (fitting, first) = (sequence.len() - deepest, sequence[deepest]);
        if let Some(number) = number.filter(|number| *number != fitting) {
            let fit = count(fitting, "card fits", "cards fit");
            return Err(format!("{fit} on {under}, {first} first, not {number}"));
        }
        self.at_once(fitting, to)
    }
}

impl Position for Freecell {
    fn split(&self, solution: &str) -> Result<Vec<String>, String> {
        words(solution, |word| read_move(word).is_some(), NOTATION, clip)
    }

    fn legal_actions(&self) -> Vec<String> {
        let is_column = |place: &Place| matches!(place, Place::Column(_));
        // Among the empty columns, and among the empty cells, only the first one is a destination.
        let (filled, empty): (Vec<Place>, Vec<Place>) =
            self.sources().partition(|place| self.top(*place).is_ok());
        let mut others: Vec<Place> = filled.iter().copied().filter(is_column).collect();
        others.extend(empty.iter().find(|place| !is_column(place)));
        others.push(Place::Home);
        let empty_column = empty.into_iter().find(is_column);
        let is_legal = |from, to, number| self.number(&Move { from, to, number }).is_ok();
        let mut actions = Vec::new();
        for from in filled {
            let word = |to: Place| format!("{}{}", from.letter(), to.letter());
            let legal = others.iter().filter(|&&to| is_legal(from, to, None));
            actions.extend(legal.map(|&to| word(to)));
            if let Some(to) = empty_column {
                for n in 1..=13 {
                    let whole = match from {
                        Place::Column(column) => n == self.board.columns[column].len(),
                        _ => false,
                    };
                    if !whole && is_legal(from, to, Some(n)) {
                        actions.push(format!("{}v{n:x}", word(to)));
                    }
                }
            }
        }
        actions
    }

    fn apply(&mut self, action: &str) -> Result<(), String> {
        let action = read_move(action).ok_or(NOTATION)?;
        let number = self.number(&action)?;
        let mut moved = [None; 13];
        for card in &mut moved[..number] {
            *card = self.take(action.from);
        }
        // The card on top is put down last.
        for card in moved[..number].iter().rev().flatten() {
            self.put(*card, action.to);
        }
        self.moves += 1;
        Ok(())
    }

    fn settle(&mut self) -> u64 {
        let mut number = 0;
        while self.rules.autoplay && self.send_safe_card_home() {
            number += 1;
        }
        number
    }

    fn missing(&self) -> Option<String> {
        let mut suits = Vec::new();
        for suit in SUITS {
            let verb = if suits.is_empty() { " stand" } else { "" };
            let name = suit.name();
            match self.board.foundations[suit as usize] {
                rank if rank == self.rules.ranks => {}
                0 => suits.push(format!("{name}{verb} at 0")),
                rank => suits.push(format!("{name}{verb} at {}", Card { rank, suit })),
            }
        }
        let last = suits.pop()?;
        Some(if suits.is_empty() { last } else { format!("{}, and {last}", suits.join(", ")) })
    }

    fn value(&self) -> i64 {
        self.moves
    }

    fn text(&self) -> String {
        board_text(&self.board)
    }

    fn goal(&self) -> Option<String> {
        Some(board_text(&Board {
            foundations: [self.rules.ranks; 4],
            cells: vec![None; self.rules.cells],
            columns: vec![Vec::new(); self.rules.columns],
        }))
    }
}

fn board_text(board: &Board) -> String {
    let mut lines = Vec::new();
    let untouched = board.foundations == [0; 4] && board.cells.iter().all(Option::is_none);
    if !untouched {
        let rank = |suit: Suit| rank_text(board.foundations[suit as usize]);
        let home = SUITS.map(|suit| format!(" {}-{}", suit.letter(), rank(suit)));
        let cell = |cell: &Option<Card>| cell.map_or(" -".to_owned(), |card| format!(" {card}"));
        let cells: String = board.cells.iter().map(cell).collect();
        lines = vec![format!("Foundations:{}", home.concat()), format!("Freecells:{cells}")];
    }
    let column =
        |cards: &Vec<Card>| if cards.is_empty() { ":".to_owned() } else { row_of_cards(cards) };
    lines.extend(board.columns.iter().map(column));
    lines.join("\n")
}

fn row_of_cards(cards: &[Card]) -> String {
    let words: Vec<String> = cards.iter().map(Card::to_string).collect();
    words.join(" ")
}
