//! Standard notation of solutions, and boards as texts of states.
//!
//! A move is two characters: where from and where to, `1` to `9` and `0` (the tenth) for columns,
//! `a` to `g` and `i` for cells, `h` for home. A move into an empty column carries its number of
//! cards as `vN`, N in hexadecimal: `26v3`. Where a text leaves it out one card moves, as
//! `fc-solve` writes it. Every move is written; with `autoplay=safe` the safe ones home are not.

use super::{
    Autoplay, FreeCell, Move, Moves, Table, To,
    card::{Card, SUIT_NAMES},
    layout::{CELL_LETTERS, COLUMN_DIGITS, Layout},
};
use unriddle_core::{Notation, ParseError, text};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Spot {
    Column(usize),
    Cell(usize),
    Home,
}

impl Notation for FreeCell {
    fn state_text(&self, table: &Table) -> String {
        self.layout_of(table).text()
    }

    fn solution_text(&self, actions: &[Move]) -> String {
        let mut layout = self.layout.clone();
        let mut text = String::with_capacity(actions.len() * 4);
        let folds = self.rules().autoplay == Autoplay::Safe;
        for &action in actions {
            if folds {
                layout.settle(|_| ());
                if layout.is_home(action.card) {
                    continue;
                }
            }
            if !text.is_empty() {
                text.push(' ');
            }
            if layout.play(action, &mut text).is_none() {
                // The checker refuses it with the position.
                text.push_str("??");
                break;
            }
        }
        text
    }

    fn as_written(&self, actions: &[Move]) -> Option<Vec<Move>> {
        if self.rules().autoplay == Autoplay::Written {
            return None;
        }
        // The checker refuses a text that does not read back, with the position.
        self.parse_solution(&self.solution_text(actions)).ok()
    }

    fn parse_solution(&self, solution: &str) -> Result<Vec<Move>, ParseError> {
        let mut layout = self.layout.clone();
        let mut actions = Vec::new();
        let mut words = 0;
        let settle = |layout: &mut Layout, actions: &mut Vec<Move>| {
            if self.rules().autoplay == Autoplay::Safe {
                layout.settle(|action| actions.push(action));
            }
        };
        settle(&mut layout, &mut actions);
        for (line, row) in solution.lines().enumerate() {
            for (word, column) in text::words(row) {
                words += 1;
                let refused =
                    |why: String| ParseError::at(line + 1, column, format!("move {words}: {why}"));
                let action = self.read(&layout, word).map_err(refused)?;
                layout
                    .play_at(action)
                    .ok_or_else(|| refused(format!("`{word}` cannot be played")))?;
                actions.push(action.0);
                settle(&mut layout, &mut actions);
            }
        }
        Ok(actions)
    }
}

/// An action, and its target if that is not the first of its kind.
type Played = (Move, Spot);

impl Layout {
    /// Plays an action into the very cell or column that was named.
    fn play_at(&mut self, (action, spot): Played) -> Option<()> {
        let first_cell = self.cells.iter().position(Option::is_none);
        let first_column = self.columns.iter().position(Vec::is_empty);
        self.play(action, &mut String::new())?;
        match (action.to, spot) {
            (To::Cell, Spot::Cell(wanted)) => self.cells.swap(wanted, first_cell?),
            (To::Empty, Spot::Column(wanted)) => self.columns.swap(wanted, first_column?),
            _ => {}
        }
        Some(())
    }
}

impl FreeCell {
    fn spot(&self, c: char, word: &str) -> Result<Spot, String> {
        let lower = c.to_ascii_lowercase();
        let at = |list: &[u8]| list.iter().position(|&known| char::from(known) == lower);
        let rules = self.rules();
        match (at(COLUMN_DIGITS), at(CELL_LETTERS)) {
            _ if lower == 'h' => Ok(Spot::Home),
            (Some(column), _) if column < usize::from(rules.columns) => Ok(Spot::Column(column)),
            (_, Some(cell)) if cell < usize::from(rules.cells) => Ok(Spot::Cell(cell)),
            (Some(_), _) => Err(format!("`{word}`: there are {} columns", rules.columns)),
            (_, Some(_)) => Err(format!("`{word}`: there are {} cells", rules.cells)),
            _ => Err(format!(
                "`{word}`: expected a column (1 to 9, 0 for the tenth), a cell (a to g, i) or h, found {c:?}"
            )),
        }
    }

    /// Reads a move on a layout; the error is the reason why it is illegal.
    fn read(&self, layout: &Layout, word: &str) -> Result<Played, String> {
        let mut chars = word.chars();
        let (Some(from), Some(to)) = (chars.next(), chars.next()) else {
            return Err(format!("expected two characters such as 1a, 26 or 3h, found `{word}`"));
        };
        let rest = chars.as_str();
        let count = match rest.strip_prefix(['v', 'V']) {
            Some(hex) if hex.len() == 1 => match u8::from_str_radix(hex, 16) {
                Ok(n @ 1..=13) => Some(usize::from(n)),
                _ => return Err(format!("`{word}`: v1 to vd are numbers of cards")),
            },
            None if rest.is_empty() => None,
            _ => return Err(format!("`{word}`: after source and target only vN may follow")),
        };
        let (from, to) = (self.spot(from, word)?, self.spot(to, word)?);
        if from == to {
            return Err(format!("`{word}` moves nothing"));
        }
        let illegal = |why: String| Err(format!("`{word}` is illegal: {why}"));
        // The cards that may move, deepest first.
        let run: &[Card] = match from {
            Spot::Home => return illegal("cards do not come back from home".to_owned()),
            Spot::Cell(cell) => match &layout.cells[cell] {
                Some(card) => std::slice::from_ref(card),
                None => return illegal("that cell is empty".to_owned()),
            },
            Spot::Column(column) => match ordered_end(&layout.columns[column]) {
                [] => return illegal("that column is empty".to_owned()),
                run => run,
            },
        };
        let top = run[run.len() - 1];
        let action = match to {
            Spot::Home => {
                let suit = usize::from(top.suit());
                let next = layout.foundations[suit] + 1;
                if next != top.rank() {
                    let needed = match next > self.rules.ranks {
                        true => "are complete".to_owned(),
                        false => format!("need {} next", Card::new(next, top.suit())),
                    };
                    return illegal(format!("the {} {needed}, not {top}", SUIT_NAMES[suit]));
                }
                Move { card: top, to: To::Home }
            }
            Spot::Cell(cell) => {
                if let Some(held) = layout.cells[cell] {
                    return illegal(format!("that cell holds {held}"));
                }
                if let Spot::Cell(_) = from {
                    return illegal("a card in a cell stays there until it is played".to_owned());
                }
                Move { card: top, to: To::Cell }
            }
            Spot::Column(column) => {
                let most = self.most(layout, layout.columns[column].is_empty());
                let (card, to, moving) = match layout.columns[column].last() {
                    None => {
                        let moving = count.unwrap_or(1);
                        if moving > run.len() {
                            let length = run.len();
                            return illegal(format!("only {length} cards at its end are in order"));
                        }
                        (run[run.len() - moving], To::Empty, moving)
                    }
                    Some(&onto) => {
                        let Some(at) = run.iter().position(|card| card.fits(onto)) else {
                            return illegal(match run.len() {
                                1 => format!("{top} does not fit on {onto}"),
                                n => format!(
                                    "none of the last {n} cards, up to {top}, fits on {onto}"
                                ),
                            });
                        };
                        let to = To::between(run[at], onto).unwrap_or(To::Second);
                        (run[at], to, run.len() - at)
                    }
                };
                if count.is_some_and(|count| count != moving) {
                    return illegal(format!("{moving} cards would have to move"));
                }
                if moving > most {
                    return illegal(format!(
                        "{moving} cards would have to move, and with {} free cells and {} empty columns {most} can",
                        layout.free_cells(),
                        layout.empty_columns(),
                    ));
                }
                Move { card, to }
            }
        };
        if count.is_some() && !matches!(to, Spot::Column(_)) {
            return illegal("only moves into a column carry a number of cards".to_owned());
        }
        Ok((action, to))
    }

    /// Number of cards that can move at once.
    fn most(&self, layout: &Layout, into_empty: bool) -> usize {
        match self.rules().moves {
            Moves::Single => 1,
            Moves::Sequence => {
                (1 + layout.free_cells()) << (layout.empty_columns() - usize::from(into_empty))
            }
        }
    }
}

/// The ordered sequence at the end of a column.
fn ordered_end(column: &[Card]) -> &[Card] {
    let joined = column.windows(2).rev().take_while(|pair| pair[1].fits(pair[0])).count();
    &column[column.len().saturating_sub(joined + 1)..]
}
