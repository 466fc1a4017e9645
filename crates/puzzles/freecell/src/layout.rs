//! A position with ordered columns and cells, as people see, type and number it.
//!
//! Searches work without this order; texts of states and solutions, drawings and the measures of
//! length are made here, by playing the actions on a table with eight named columns.

use super::{
    Move, Rules, To,
    card::{Card, FOUNDATION_ORDER},
};
/// Position of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a column, at a height from the bottom.
    Column(usize, usize),
    /// In a cell.
    Cell(usize),
    /// On its foundation.
    Home,
}

/// The letters of the cells: `h` is the foundations'.
pub(crate) const CELL_LETTERS: &[u8; 8] = b"abcdefgi";
/// The digits of the columns.
pub(crate) const COLUMN_DIGITS: &[u8; 10] = b"1234567890";

/// Columns, cells and foundations in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Cards of each column, the deepest first.
    pub columns: Vec<Vec<Card>>,
    /// The card in each cell.
    pub cells: Vec<Option<Card>>,
    /// Number of cards on the foundation of each suit, by the suit's number.
    pub foundations: [u8; 4],
}

impl Layout {
    /// An empty table of these rules.
    pub(crate) fn empty(rules: &Rules) -> Self {
        Self {
            columns: vec![Vec::new(); usize::from(rules.columns)],
            cells: vec![None; usize::from(rules.cells)],
            foundations: [0; 4],
        }
    }

    /// Position of a card.
    pub(crate) fn find(&self, card: Card) -> Place {
        if let Some(cell) = self.cells.iter().position(|&held| held == Some(card)) {
            return Place::Cell(cell);
        }
        // Most moves are of last cards.
        if let Some(column) = self.columns.iter().position(|column| column.last() == Some(&card)) {
            return Place::Column(column, self.columns[column].len() - 1);
        }
        let mut columns = self.columns.iter().enumerate();
        let found =
            columns.find_map(|(i, column)| Some((i, column.iter().rposition(|&c| c == card)?)));
        found.map_or(Place::Home, |(column, height)| Place::Column(column, height))
    }

    /// Number of free cells.
    pub(crate) fn free_cells(&self) -> usize {
        self.cells.iter().filter(|cell| cell.is_none()).count()
    }

    /// Number of empty columns.
    pub(crate) fn empty_columns(&self) -> usize {
        self.columns.iter().filter(|c| c.is_empty()).count()
    }

    /// The target column of an action: the column that ends with the card to build on, or the first
    /// empty column.
    pub(crate) fn column_for(&self, to: To, card: Card) -> Option<usize> {
        let onto = match to {
            To::Empty => None,
            To::First | To::Second => Some(to.onto(card)?),
            _ => return None,
        };
        self.columns.iter().position(|c| c.last().copied() == onto)
    }

    /// Plays an action that is legal here and appends its standard notation to a text: where from,
    /// where to, and `vN` (the number of cards, in hexadecimal) into an empty column. Returns the
    /// source and the number of moved cards; `None`, with nothing changed, if the action is not
    /// legal here.
    pub(crate) fn play(&mut self, action: Move, text: &mut String) -> Option<(Place, usize)> {
        let Move { card, to } = action;
        let from = self.find(card);
        let (source, count) = match from {
            Place::Column(column, height) => {
                (COLUMN_DIGITS[column.min(9)], self.columns[column].len() - height)
            }
            Place::Cell(cell) => (CELL_LETTERS[cell.min(7)], 1),
            Place::Home => return None,
        };
        let target = match to {
            To::Home | To::Cell if count > 1 => return None,
            To::Home => {
                self.take(from);
                self.foundations[usize::from(card.suit())] = card.rank();
                b'h'
            }
            To::Cell => {
                let cell = self.cells.iter().position(Option::is_none)?;
                self.take(from);
                self.cells[cell] = Some(card);
                CELL_LETTERS[cell.min(7)]
            }
            To::First | To::Second | To::Empty => {
                let column = self.column_for(to, card)?;
                match from {
                    Place::Column(source, height) if count > 1 => {
                        let moved = self.columns[source].split_off(height);
                        self.columns[column].extend(moved);
                    }
                    _ => {
                        self.take(from);
                        self.columns[column].push(card);
                    }
                }
                COLUMN_DIGITS[column.min(9)]
            }
        };
        text.push(source as char);
        text.push(target as char);
        if to == To::Empty {
            text.push('v');
            text.push(char::from_digit(count as u32, 16).unwrap_or('?'));
        }
        Some((from, count))
    }

    /// Takes the last card off a column, or the card out of a cell.
    fn take(&mut self, from: Place) {
        match from {
            Place::Column(column, _) => drop(self.columns[column].pop()),
            Place::Cell(cell) => self.cells[cell] = None,
            Place::Home => {}
        }
    }

    /// The board as text: foundations and cells if any card is on them, then a line for each
    /// column, deepest card first, `:` for an empty one.
    #[must_use]
    pub fn text(&self) -> String {
        let mut lines = Vec::new();
        if self.foundations != [0; 4] || self.cells.iter().any(Option::is_some) {
            let home = FOUNDATION_ORDER.map(|suit| {
                let rank = match self.foundations[usize::from(suit)] {
                    0 => '0',
                    rank => Card::rank_letter(rank),
                };
                format!(" {}-{rank}", Card::suit_letter(suit))
            });
            let held =
                |cell: &Option<Card>| cell.map_or(" -".to_owned(), |card| format!(" {card}"));
            lines.push(format!("Foundations:{}", home.concat()));
            lines.push(format!("Freecells:{}", self.cells.iter().map(held).collect::<String>()));
        }
        lines.extend(self.columns.iter().map(|column| match &column[..] {
            [] => ":".to_owned(),
            cards => {
                let signs = |card: &Card| {
                    [' ', Card::rank_letter(card.rank()), Card::suit_letter(card.suit())]
                };
                cards.iter().flat_map(signs).skip(1).collect()
            }
        }));
        lines.join("\n")
    }
}
