//! Drawings of a table: as text for a terminal, and as a self-contained SVG image.
//!
//! Both are pure functions of a layout; colour is asked for by the caller, never looked up.

use super::{
    Layout,
    card::{Card, FOUNDATION_ORDER},
    layout::{CELL_LETTERS, COLUMN_DIGITS},
};
use std::fmt::Write as _;

const RED: &str = "\x1b[31m";
const DIM: &str = "\x1b[2m";
const RESET: &str = "\x1b[0m";

const SYMBOLS: [&str; 4] = ["♣", "♦", "♠", "♥"];

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
const WIDTH: usize = 60;
const HEIGHT: usize = 84;
const GAP: usize = 12;
const STEP: usize = 26;

/// The table as an SVG image: cells above to the left, foundations above to the right, columns
/// below. Nothing outside the image is needed.
pub(crate) fn svg(layout: &Layout) -> String {
    let across = layout.columns.len().max(layout.cells.len() + 5);
    let width = across * (WIDTH + GAP) + GAP;
    let rows = layout.columns.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let top = 2 * GAP + HEIGHT;
    let height = top + (rows - 1) * STEP + HEIGHT + GAP;
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-weight="600">"##
    );
    let _ = writeln!(out, "<title>FreeCell: {}</title>", layout.text().replace('\n', " / "));
    let _ = writeln!(out, r##"<rect width="{width}" height="{height}" rx="14" fill="#23604a"/>"##);
    for (cell, held) in layout.cells.iter().enumerate() {
        let x = GAP + cell * (WIDTH + GAP);
        match held {
            Some(card) => draw_card(&mut out, x, GAP, *card),
            None => draw_place(&mut out, x, GAP, ""),
        }
    }
    for (i, suit) in FOUNDATION_ORDER.into_iter().enumerate() {
        let x = width - (4 - i) * (WIDTH + GAP);
        match layout.foundations[usize::from(suit)] {
            0 => draw_place(&mut out, x, GAP, SYMBOLS[usize::from(suit)]),
            rank => draw_card(&mut out, x, GAP, Card::new(rank, suit)),
        }
    }
    for (i, column) in layout.columns.iter().enumerate() {
        let x = GAP + i * (WIDTH + GAP);
        if column.is_empty() {
            draw_place(&mut out, x, top, "");
        }
        for (row, &card) in column.iter().enumerate() {
            draw_card(&mut out, x, top + row * STEP, card);
        }
    }
    out.push_str("</svg>\n");
    out
}

/// An empty cell, column or foundation, with the sign of the card that belongs there.
fn draw_place(out: &mut String, x: usize, y: usize, sign: &str) {
    let _ = writeln!(
        out,
        r##"<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="7" fill="none" stroke="#5f9c84" stroke-width="2"/>"##
    );
    if !sign.is_empty() {
        let (cx, cy) = (x + WIDTH / 2, y + HEIGHT / 2 + 10);
        let _ = writeln!(
            out,
            r##"<text x="{cx}" y="{cy}" font-size="28" text-anchor="middle" fill="#5f9c84">{sign}</text>"##
        );
    }
}

fn draw_card(out: &mut String, x: usize, y: usize, card: Card) {
    let ink = if card.is_red() { "#b3261e" } else { "#1c2028" };
    let rank = match card.rank() {
        10 => "10".to_owned(),
        rank => Card::rank_letter(rank).to_string(),
    };
    let sign = SYMBOLS[usize::from(card.suit())];
    let (tx, ty) = (x + 6, y + 19);
    let (cx, cy) = (x + WIDTH / 2, y + HEIGHT - 18);
    let _ = writeln!(
        out,
        r##"<g fill="{ink}"><rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="7" fill="#fbfaf6" stroke="#9aa39e"/><text x="{tx}" y="{ty}" font-size="18">{rank}{sign}</text><text x="{cx}" y="{cy}" font-size="30" text-anchor="middle">{sign}</text></g>"##
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
        let image = svg(&layout);
        assert_eq!(image.matches("<g fill=").count(), 12 - 1 - 2 + 2);
        assert!(image.starts_with("<svg ") && image.ends_with("</svg>\n"));
    }
}
