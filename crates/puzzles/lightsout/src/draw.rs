//! Drawings: lights in rows and columns, with the presses so far.

use crate::{Lights, Press, is_on};
use std::fmt::Write as _;
use unriddle_catalog::Style;

/// Width and height of a cell in an image.
const STEP: usize = 22;

/// State of a drawn cell.
#[derive(Clone, Copy)]
struct Cell {
    is_on: bool,
    /// Whether it was pressed an odd number of times.
    is_pressed: bool,
    is_last: bool,
}

/// Draws a state and its pressed cells. Rows and columns are numbered as in solutions.
pub(crate) fn drawn<const W: usize>(
    puzzle: &Lights<W>,
    played: &[Press],
    state: &[u64; W],
    style: Style,
) -> String {
    let shape = puzzle.shape();
    let mut is_pressed = vec![false; shape.cells()];
    // Buttons that are not at the lights are not drawn.
    let played = if shape.buttons() == shape.cells() { played } else { &[] };
    for press in played {
        is_pressed[usize::from(press.0)] ^= true;
    }
    let last = played.last().map(|last| usize::from(last.0));
    let cells = is_pressed.into_iter().enumerate().map(|(cell, is_pressed)| Cell {
        is_on: is_on(state, cell),
        is_pressed,
        is_last: last == Some(cell),
    });
    let cells: Vec<Cell> = cells.collect();
    match style {
        Style::Svg => svg(shape.columns, &cells),
        Style::Plain => text(shape.columns, &cells, false),
        Style::Colour => text(shape.columns, &cells, true),
    }
}

/// `#` is on and `.` is off. Brackets enclose the last pressed cell, and `'` follows cells pressed
/// before.
fn text(columns: usize, cells: &[Cell], colour: bool) -> String {
    let mut out = String::new();
    for (row, cells) in cells.chunks(columns).enumerate() {
        let mut line = format!("{row:>3} ");
        for &Cell { is_on, is_pressed, is_last } in cells {
            let sign = if is_on { '#' } else { '.' };
            let [before, after] = match (is_last, is_pressed) {
                (true, _) => ['[', ']'],
                (_, true) => [' ', '\''],
                _ => [' ', ' '],
            };
            // Writing to a string does not fail.
            let _ = match (colour, is_on) {
                (true, true) => write!(line, "{before}\x1b[1;33m{sign}\x1b[0m{after}"),
                (true, false) => write!(line, "{before}\x1b[2m{sign}\x1b[0m{after}"),
                _ => write!(line, "{before}{sign}{after}"),
            };
        }
        out = out + line.trim_end() + "\n";
    }
    let numbers: String = (0..columns).map(|column| format!("{column:^3}")).collect();
    out + "    " + numbers.trim_end() + "\n"
}

/// The board as a self-contained SVG image.
fn svg(columns: usize, cells: &[Cell]) -> String {
    let rows = cells.len() / columns;
    let (width, height) = (STEP * (columns + 1), STEP * (rows + 1));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" font-family=\"sans-serif\" font-size=\"9\" text-anchor=\"middle\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    let middle = |at: usize| STEP * at + STEP / 2;
    for (row, cells) in cells.chunks(columns).enumerate() {
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" fill=\"#8d95a3\">{row}</text>",
            STEP / 2,
            middle(row) + 3
        );
        for (column, &Cell { is_on, is_pressed, is_last }) in cells.iter().enumerate() {
            let (x, y) = (STEP * (column + 1), STEP * row);
            let fill = if is_on { "#f3c742" } else { "#2b303b" };
            let _ = writeln!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"{fill}\"/>",
                x + 1,
                y + 1,
                STEP - 2,
                STEP - 2
            );
            let mark = match (is_last, is_pressed) {
                (true, _) => "r=\"7\" fill=\"none\" stroke=\"#d1493f\" stroke-width=\"3\"",
                (_, true) => "r=\"3\" fill=\"#d1493f\"",
                _ => continue,
            };
            let (cx, cy) = (x + STEP / 2, y + STEP / 2);
            let _ = writeln!(out, "<circle cx=\"{cx}\" cy=\"{cy}\" {mark}/>");
        }
    }
    for column in 0..columns {
        let (x, y) = (middle(column + 1), middle(rows) + 3);
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" fill=\"#8d95a3\">{column}</text>");
    }
    out + "</svg>\n"
}
