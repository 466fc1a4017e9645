//! Drawings of a board: as text for a terminal, and as a self-contained SVG image.
//!
//! Both are pure functions of the numbers on the board (in the convention of their goal); colour is
//! asked for by the caller, never looked up. Linear in the number of cells.

use super::{Goal, Shape, notation};
use std::fmt::Write as _;

/// The board as lines of text in a frame, with an empty cell for the blank. With `colour`, tiles at
/// home are green and the others yellow (ANSI). Every line ends with a line break.
pub(crate) fn text(shape: Shape, cells: &[u8], goal: Goal, colour: bool) -> String {
    let Shape { columns, .. } = shape;
    let homes = goal.homes(shape);
    let digits = if cells.len() <= 10 { 1 } else { 2 };
    let rule = "─".repeat(columns * (digits + 1) + 1);
    let mut out = format!("┌{rule}┐\n");
    for (row, tiles) in cells.chunks(columns).enumerate() {
        out.push('│');
        for (column, &tile) in tiles.iter().enumerate() {
            let number = match tile {
                0 => " ".repeat(digits),
                tile => format!("{tile:digits$}"),
            };
            let is_home = usize::from(homes[usize::from(tile)]) == row * columns + column;
            if colour && tile != 0 {
                // Green or yellow.
                let paint = if is_home { "\x1b[32m" } else { "\x1b[33m" };
                out.extend([" ", paint, &number, "\x1b[0m"]);
            } else {
                out.extend([" ", &number]);
            }
        }
        out.push_str(" │\n");
    }
    out + &format!("└{rule}┘\n")
}

/// Width and height of a cell in an SVG image, in pixels.
pub(crate) const CELL: u32 = 64;

/// Width of the frame in an SVG image, in pixels.
pub(crate) const PAD: u32 = CELL / 8;

/// The board as a self-contained SVG picture: rounded tiles in the colour of their goal row. Tiles
/// at home have a white border.
pub(crate) fn svg(shape: Shape, cells: &[u8], goal: Goal) -> String {
    let Shape { rows, columns } = shape;
    let homes = goal.homes(shape);
    let (unit, pad, gap) = (CELL, PAD, CELL / 16);
    let [width, height] = [columns, rows].map(|count| count as u32 * unit + 2 * pad);
    // Names of colours differ between drawings on one page whose colours differ.
    let name = if rows == columns { rows.to_string() } else { format!("{rows}x{columns}") };
    let radius = unit / 8;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-weight="600" text-anchor="middle">"##
    );
    let _ = writeln!(out, "<title>Sliding tiles {shape}: {}</title>", notation::text(shape, cells));
    let _ = writeln!(out, "<defs>");
    for row in 0..rows {
        let (light, dark) = shades(row, rows);
        let _ = writeln!(
            out,
            r#"<linearGradient id="tile-{name}-{row}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="{light}"/><stop offset="1" stop-color="{dark}"/></linearGradient>"#
        );
    }
    let _ = writeln!(out, "</defs>");
    let _ = writeln!(
        out,
        r##"<rect class="paper" width="{width}" height="{height}" rx="{}" fill="#2b303b"/>"##,
        radius + pad
    );
    for (cell, &tile) in cells.iter().enumerate() {
        if tile == 0 {
            continue;
        }
        let (column, row) = ((cell % columns) as u32, (cell / columns) as u32);
        let (x, y) = (pad + column * unit + gap, pad + row * unit + gap);
        let width = unit - 2 * gap;
        let target = usize::from(homes[usize::from(tile)]);
        let (class, border) = if target == cell {
            ("piece home", format!(r##" stroke="#ffffff" stroke-width="{gap}""##))
        } else {
            ("piece", String::new())
        };
        let font = unit * 2 / 5;
        let (cx, baseline) = (x + width / 2, y + width / 2 + font * 7 / 20);
        let _ = writeln!(
            out,
            r##"<g data-piece="{tile}"><rect class="{class}" x="{x}" y="{y}" width="{width}" height="{width}" rx="{radius}" fill="url(#tile-{name}-{})"{border}/><text x="{cx}" y="{baseline}" font-size="{font}" class="ink" fill="#1c2028">{tile}</text></g>"##,
            target / columns
        );
    }
    out.push_str("</svg>\n");
    out
}

/// A lighter and a darker shade of a goal row's hue, from blue at the top to orange at the bottom.
fn shades(row: usize, side: usize) -> (String, String) {
    let share = row as f64 / (side.max(2) - 1) as f64;
    let hue = 205.0 + (30.0 - 205.0) * share;
    (hex(hue, 0.70, 0.82), hex(hue, 0.62, 0.68))
}

/// Hue in degrees, saturation and lightness as a colour that every renderer knows.
fn hex(hue: f64, saturation: f64, lightness: f64) -> String {
    let spread = saturation * lightness.min(1.0 - lightness);
    let channel = |offset: f64| {
        let k = (offset + hue / 30.0) % 12.0;
        let value = lightness - spread * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0);
        (value * 255.0).round() as u8
    };
    let (red, green, blue) = (channel(0.0), channel(8.0), channel(4.0));
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blank_is_an_empty_cell() {
        let drawn = text(Shape::square(3), &[1, 2, 3, 4, 0, 6, 7, 5, 8], Goal::BlankLast, false);
        let expected = "\
┌───────┐
│ 1 2 3 │
│ 4   6 │
│ 7 5 8 │
└───────┘
";
        assert_eq!(drawn, expected);
    }

    #[test]
    fn colours_distinguish_tiles_at_home() {
        let drawn = text(Shape::square(2), &[1, 3, 0, 2], Goal::BlankLast, true);
        let expected = "\
┌─────┐
│ \x1b[32m1\x1b[0m \x1b[33m3\x1b[0m │
│   \x1b[33m2\x1b[0m │
└─────┘
";
        assert_eq!(drawn, expected);
    }

    /// Every line of a drawing has the same width, at every shape.
    #[test]
    fn frames_close() {
        for shape in (4..=64).flat_map(Shape::of_cells) {
            let cells: Vec<u8> = (0..shape.cells() as u8).collect();
            let drawn = text(shape, &cells, Goal::BlankLast, false);
            let widths: Vec<usize> = drawn.lines().map(|l| l.chars().count()).collect();
            assert_eq!(widths.len(), shape.rows + 2);
            assert!(widths.iter().all(|&w| w == widths[0]), "{drawn}");
        }
    }

    #[test]
    fn colours_are_hexadecimal() {
        assert_eq!(hex(0.0, 1.0, 0.5), "#ff0000");
        assert_eq!(hex(120.0, 1.0, 0.25), "#008000");
        assert_eq!(hex(210.0, 0.5, 0.5), "#4080bf");
        assert_ne!(shades(0, 4), shades(3, 4));
    }

    #[test]
    fn svg_draws_every_tile_once() {
        for shape in (4..=64).flat_map(Shape::of_cells) {
            let cells: Vec<u8> = (0..shape.cells() as u8).collect();
            let drawn = svg(shape, &cells, Goal::BlankFirst);
            for tile in &cells[1..] {
                assert_eq!(drawn.matches(&format!(">{tile}</text>")).count(), 1);
            }
            assert_eq!(drawn.matches("<g data-piece=").count(), shape.cells() - 1);
            assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
        }
    }
}
