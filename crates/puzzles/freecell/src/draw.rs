//! Drawings of a table: as text for a terminal, and as a self-contained SVG image.
//!
//! Both are pure functions of a layout; colour is asked for by the caller, never looked up.

use super::{
    Layout,
    card::{Card, FOUNDATION_ORDER, SUITS},
    layout::{CELL_LETTERS, COLUMN_DIGITS},
};
use std::fmt::Write as _;

const RED: &str = "\x1b[31m";
const DIM: &str = "\x1b[2m";
const RESET: &str = "\x1b[0m";

pub(crate) const SYMBOLS: [&str; 4] = ["♣", "♦", "♠", "♥"];

fn face(card: Card, colour: bool) -> String {
    let text = format!("{}{}", Card::rank_letter(card.rank()), SYMBOLS[usize::from(card.suit())]);
    match colour && card.is_red() {
        true => format!("{RED}{text}{RESET}"),
        false => text,
    }
}

fn dim(text: &str, colour: bool) -> String {
    match colour {
        true => format!("{DIM}{text}{RESET}"),
        false => text.to_owned(),
    }
}

/// The table as lines of text: cells and foundations with their letters, then the columns hanging
/// down under their digits, each card as rank and suit. With `colour`, hearts and diamonds are red
/// (ANSI). Every line ends with a line break.
pub(crate) fn text(layout: &Layout, colour: bool) -> String {
    let mut out = String::new();
    for (cell, held) in layout.cells.iter().enumerate() {
        let shown = held.map_or_else(|| dim("--", colour), |card| face(card, colour));
        // Writing to a string does not fail.
        let _ = write!(out, "{}:{shown} ", char::from(CELL_LETTERS[cell.min(7)]));
    }
    out.push_str(if layout.cells.is_empty() { "h:" } else { "  h:" });
    for suit in FOUNDATION_ORDER {
        let shown = match layout.foundations[usize::from(suit)] {
            0 => dim(&format!("-{}", SYMBOLS[usize::from(suit)]), colour),
            rank => face(Card::new(rank, suit), colour),
        };
        let _ = write!(out, " {shown}");
    }
    out.push_str("\n\n");
    let digits = COLUMN_DIGITS.iter().take(layout.columns.len());
    let heads: Vec<String> =
        digits.map(|&digit| dim(&format!(" {}", char::from(digit)), colour)).collect();
    out.push_str(&heads.join("  "));
    out.push('\n');
    let rows = layout.columns.iter().map(Vec::len).max().unwrap_or(0);
    for row in 0..rows {
        let mut line = String::new();
        for (i, column) in layout.columns.iter().enumerate() {
            let shown = column.get(row).map_or("  ".to_owned(), |&card| face(card, colour));
            line.push_str(if i > 0 { "  " } else { "" });
            line.push_str(&shown);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Width and height of a card in pixels, the gap between cards, and the visible part of a covered
/// one.
const WIDTH: usize = 64;
const HEIGHT: usize = 88;
const GAP: usize = 6;
const STEP: usize = 30;

/// Upper edge of the columns.
const TOP: usize = 3 * GAP + HEIGHT;

/// Number of cards in a row of the image: the columns, or cells and foundations.
fn across(layout: &Layout) -> usize {
    layout.columns.len().max(layout.cells.len() + SUITS)
}

/// Left edge of a column of the image.
fn left(column: usize) -> usize {
    GAP + column * (WIDTH + GAP)
}

/// Column, upper left corner and visible size of a slot of the image.
pub(crate) fn visible(layout: &Layout, place: Shown) -> (usize, [usize; 4]) {
    match place {
        Shown::Cell(cell) => (cell, [left(cell), GAP, WIDTH, HEIGHT]),
        Shown::Foundation(index) => {
            let column = across(layout) - SUITS + index;
            (column, [left(column), GAP, WIDTH, HEIGHT])
        }
        Shown::Column(column, row) => {
            let is_covered = row + 1 < layout.columns[column].len();
            let height = if is_covered { STEP } else { HEIGHT };
            (column, [left(column), TOP + row * STEP, WIDTH, height])
        }
    }
}

/// Slot of the image for a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// A cell.
    Cell(usize),
    /// A foundation, by its index in [`FOUNDATION_ORDER`].
    Foundation(usize),
    /// A column and the height of a card; height 0 in an empty column.
    Column(usize, usize),
}

/// The table as an SVG image: cells above to the left, foundations above to the right, columns
/// below. The card of the last action, with the cards on it, has a frame. Nothing outside the image
/// is needed.
pub(crate) fn svg(layout: &Layout, last: Option<Card>) -> String {
    let width = left(across(layout));
    let rows = layout.columns.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let height = TOP + (rows - 1) * STEP + HEIGHT + GAP;
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-weight="600">"##
    );
    let _ = writeln!(out, "<title>FreeCell: {}</title>", layout.text().replace('\n', " / "));
    let _ = writeln!(
        out,
        r##"<rect class="paper" width="{width}" height="{height}" fill="#faf9f6"/>"##
    );
    let mut frame = None;
    let mut place = |shown: Shown, card: Option<Card>, sign: &str| {
        let (_, [x, y, ..]) = visible(layout, shown);
        if card.is_some() && card == last {
            frame = Some(shown);
        }
        match card {
            Some(card) => draw_card(&mut out, x, y, card),
            None => draw_place(&mut out, x, y, sign),
        }
    };
    for (cell, &held) in layout.cells.iter().enumerate() {
        place(Shown::Cell(cell), held, "");
    }
    for (index, suit) in FOUNDATION_ORDER.into_iter().enumerate() {
        let rank = layout.foundations[usize::from(suit)];
        let card = (rank > 0).then(|| Card::new(rank, suit));
        place(Shown::Foundation(index), card, SYMBOLS[usize::from(suit)]);
    }
    for (column, cards) in layout.columns.iter().enumerate() {
        if cards.is_empty() {
            place(Shown::Column(column, 0), None, "");
        }
        for (row, &card) in cards.iter().enumerate() {
            place(Shown::Column(column, row), Some(card), "");
        }
    }
    if let Some(shown) = frame {
        let (_, [x, y, ..]) = visible(layout, shown);
        let height = match shown {
            Shown::Column(column, row) => (layout.columns[column].len() - 1 - row) * STEP + HEIGHT,
            _ => HEIGHT,
        };
        let _ = writeln!(
            out,
            r##"<rect class="last" x="{x}" y="{y}" width="{WIDTH}" height="{height}" rx="7" fill="none" stroke="#1f5fbf" stroke-width="3"/>"##
        );
    }
    out.push_str("</svg>\n");
    out
}

/// An empty cell, column or foundation, with the sign of the card that belongs there.
fn draw_place(out: &mut String, x: usize, y: usize, sign: &str) {
    let (x, y, width, height) = (x + 1, y + 1, WIDTH - 2, HEIGHT - 2);
    let _ = writeln!(
        out,
        r##"<rect class="cell" x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="#f1efe9" stroke="#cfcabf" stroke-width="1.5"/>"##
    );
    if !sign.is_empty() {
        let (cx, cy) = (x + width / 2, y + height / 2 + 11);
        let _ = writeln!(
            out,
            r##"<text class="mark" x="{cx}" y="{cy}" font-size="32" text-anchor="middle" fill="#a8a296">{sign}</text>"##
        );
    }
}

fn draw_card(out: &mut String, x: usize, y: usize, card: Card) {
    let (class, ink) = match card.is_red() {
        true => ("red", "#b3261e"),
        false => ("black", "#1d1f21"),
    };
    let rank = match card.rank() {
        10 => "10".to_owned(),
        rank => Card::rank_letter(rank).to_string(),
    };
    let sign = SYMBOLS[usize::from(card.suit())];
    let (tx, ty, tw) = (x + 5, y + 23, x + WIDTH - 5);
    let (cx, cy) = (x + WIDTH / 2, y + HEIGHT - 18);
    let _ = writeln!(
        out,
        r##"<g data-piece="{card}" fill="{ink}"><rect class="card" x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="7" fill="#ffffff" stroke="#b9b4a9"/><text class="{class}" x="{tx}" y="{ty}" font-size="24">{rank}</text><text class="{class}" x="{tw}" y="{ty}" font-size="24" text-anchor="end">{sign}</text><text class="{class}" x="{cx}" y="{cy}" font-size="36" text-anchor="middle">{sign}</text></g>"##
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rules, parse::parse};

    #[test]
    fn tables_are_drawn_with_letters_and_digits() {
        let rules = Rules { ranks: 3, columns: 4, cells: 2, ..Rules::default() };
        let text_of = "Foundations: H-A C-0 D-0 S-2\nFreecells: 3H -\n3C 2D AC\n:\n3S 2H AD\n3D 2C";
        let layout = parse(text_of, &rules).unwrap();
        assert_eq!(
            text(&layout, false),
            "a:3♥ b:--   h: A♥ -♣ -♦ 2♠\n\n 1   2   3   4\n3♣      3♠  3♦\n2♦      2♥  2♣\nA♣      A♦\n"
        );
        assert!(text(&layout, true).contains("\x1b[31m3♥\x1b[0m"));
        let image = svg(&layout, Card::parse("2H"));
        assert_eq!(image.matches("<g data-piece=").count(), 12 - 1 - 2 + 2);
        assert!(image.starts_with("<svg ") && image.ends_with("</svg>\n"));
    }
}
