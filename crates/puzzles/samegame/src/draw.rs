//! Drawings of a board: as text for a terminal, and as a self-contained SVG image.

use super::Layout;
use std::fmt::Write as _;

/// ANSI backgrounds and SVG fills of the colours, distinguishable also by lightness.
const PAINT: [(&str, &str); 8] = [
    ("41", "#c8453b"),
    ("44", "#2f6fb5"),
    ("43", "#e8b93e"),
    ("42", "#3f9a59"),
    ("45", "#8a55a8"),
    ("46", "#37aebb"),
    ("100", "#5d6470"),
    ("47", "#cfd4d9"),
];

/// The board as lines of text, rows from the top with their numbers, columns with the last digit of
/// theirs below. With `colour` cells are painted (ANSI). Every line ends with a line break.
#[must_use]
pub fn text(layout: &Layout, colour: bool) -> String {
    let mut out = String::new();
    for row in (0..layout.height).rev() {
        // Writing to a string does not fail.
        let _ = write!(out, "{row:>2} ");
        for column in 0..layout.width {
            match layout.colour(column, row) {
                None => out.push_str(" ."),
                Some(c) if colour => {
                    let _ = write!(out, "\x1b[{}m {c}\x1b[0m", PAINT[usize::from(c & 7)].0);
                }
                Some(c) => out.extend([' ', char::from(b'0' + c)]),
            }
        }
        out.push('\n');
    }
    out.push_str("   ");
    for column in 0..layout.width {
        let _ = write!(out, " {}", column % 10);
    }
    out.push('\n');
    out
}

/// Side of a cell in pixels.
const SIDE: usize = 28;

/// The board as an SVG image. Nothing outside the image is needed.
#[must_use]
pub fn svg(layout: &Layout) -> String {
    let (width, height) = ((layout.width + 1) * SIDE, (layout.height + 1) * SIDE);
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="11">"##
    );
    let _ = writeln!(out, "<title>SameGame: {}</title>", layout.text().replace('\n', " / "));
    let _ = writeln!(out, r##"<rect width="{width}" height="{height}" rx="8" fill="#20242c"/>"##);
    for row in 0..layout.height {
        let y = (layout.height - 1 - row) * SIDE + SIDE / 4;
        let base = y + SIDE / 2 + 4;
        let _ = writeln!(
            out,
            r##"<text x="10" y="{base}" fill="#8d95a3" text-anchor="middle">{row}</text>"##
        );
        for column in 0..layout.width {
            if let Some(colour) = layout.colour(column, row) {
                let x = column * SIDE + SIDE * 3 / 4;
                let side = SIDE - 2;
                let fill = PAINT[usize::from(colour & 7)].1;
                let _ = writeln!(
                    out,
                    r##"<rect x="{x}" y="{y}" width="{side}" height="{side}" rx="4" fill="{fill}"/>"##
                );
            }
        }
    }
    for column in 0..layout.width {
        let x = column * SIDE + SIDE * 3 / 4 + SIDE / 2;
        let y = height - 6;
        let _ = writeln!(
            out,
            r##"<text x="{x}" y="{y}" fill="#8d95a3" text-anchor="middle">{column}</text>"##
        );
    }
    out.push_str("</svg>\n");
    out
}
