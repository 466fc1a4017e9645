//! Drawings: lights in rows and columns, with the presses so far.

use crate::{Lights, Press, Shape, is_on};
use std::fmt::Write as _;
use unriddle_catalog::Style;

/// Width and height of a cell in an image.
pub(crate) const STEP: usize = 48;

/// Width of the numbers of rows and height of the numbers of columns in an image, and margin at the
/// other sides.
const RIM: usize = 28;
const MARGIN: usize = 6;

/// Least number of buttons in a row below the lights.
const BUTTONS_ACROSS: usize = 5;

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
    let button = played.last().map(|last| usize::from(last.0));
    // Texts do not show buttons that are not at the lights.
    let played = if has_buttons_below(shape) { &[] } else { played };
    for press in played {
        is_pressed[usize::from(press.0)] ^= true;
    }
    let last = button.filter(|_| !played.is_empty());
    let cells = is_pressed.into_iter().enumerate().map(|(cell, is_pressed)| Cell {
        is_on: is_on(state, cell),
        is_pressed,
        is_last: last == Some(cell),
    });
    let cells: Vec<Cell> = cells.collect();
    match style {
        Style::Svg => svg(shape, &cells, button),
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

/// Whether buttons are not at the lights, so that they are drawn below them.
pub(crate) fn has_buttons_below(shape: &Shape) -> bool {
    shape.buttons() != shape.cells()
}

/// Number of buttons in a row below the lights.
fn buttons_across(shape: &Shape) -> usize {
    shape.columns.max(BUTTONS_ACROSS).min(shape.buttons())
}

/// Upper left corner of a light in the image.
pub(crate) fn light_place(row: usize, column: usize) -> (usize, usize) {
    (RIM + STEP * column, MARGIN + STEP * row)
}

/// Row and column of a button below the lights, and its upper left corner in the image.
pub(crate) fn button_place(shape: &Shape, button: usize) -> ((usize, usize), (usize, usize)) {
    let across = buttons_across(shape);
    let (row, column) = (shape.rows + button / across, button % across);
    let (x, y) = light_place(row, column);
    ((row, column), (x, y + RIM))
}

/// The board as a self-contained SVG image.
fn svg(shape: &Shape, cells: &[Cell], last: Option<usize>) -> String {
    let (rows, columns) = (shape.rows, shape.columns);
    let (across, below) = match has_buttons_below(shape) {
        true => {
            let across = buttons_across(shape);
            (columns.max(across), STEP * shape.buttons().div_ceil(across))
        }
        false => (columns, 0),
    };
    let (width, height) = (RIM + STEP * across + MARGIN, 2 * MARGIN + STEP * rows + RIM + below);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"15\" text-anchor=\"middle\">\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"#faf9f6\"/>\n"
    );
    let middle = |at: usize| at + STEP / 2;
    for row in 0..rows {
        let (x, y) = (RIM / 2, middle(light_place(row, 0).1) + 5);
        number(&mut out, (x, y), row);
    }
    for (index, &Cell { is_on, is_pressed, is_last }) in cells.iter().enumerate() {
        let (x, y) = light_place(index / columns, index % columns);
        let (class, fill) = if is_on { ("on", "#f0b429") } else { ("off", "#dcd8ce") };
        out += "<g>";
        square(&mut out, (x, y), &format!("class=\"{class}\" fill=\"{fill}\""));
        if is_on {
            let (cx, cy) = (middle(x), middle(y));
            // Writing to a string does not fail.
            let _ = writeln!(
                out,
                "<circle class=\"mark\" cx=\"{cx}\" cy=\"{cy}\" r=\"9\" fill=\"#fff7dd\"/>"
            );
        }
        if is_pressed {
            let (cx, cy) = (x + STEP - 11, y + 11);
            let _ = writeln!(
                out,
                "<circle class=\"ink\" cx=\"{cx}\" cy=\"{cy}\" r=\"4\" fill=\"#5f646b\"/>"
            );
        }
        if is_last {
            square(&mut out, (x, y), LAST);
        }
        out += "</g>\n";
    }
    let y = light_place(rows, 0).1 + RIM - 8;
    for column in 0..if below > 0 { 0 } else { columns } {
        number(&mut out, (middle(light_place(0, column).0), y), column);
    }
    for button in 0..if below > 0 { shape.buttons() } else { 0 } {
        let (_, (x, y)) = button_place(shape, button);
        square(&mut out, (x, y), "class=\"cell\" fill=\"#f1efe9\" stroke=\"#b9b4a9\"");
        number(&mut out, (middle(x), middle(y) + 5), button);
        if last == Some(button) {
            square(&mut out, (x, y), LAST);
        }
    }
    out + "</svg>\n"
}

/// Attributes of the frame of the last press.
const LAST: &str = "class=\"last\" fill=\"none\" stroke=\"#1f5fbf\" stroke-width=\"4\"";

/// The rounded square of a cell.
fn square(out: &mut String, (x, y): (usize, usize), paint: &str) {
    let (x, y, side) = (x + 2, y + 2, STEP - 4);
    let _ = writeln!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"6\" {paint}/>"
    );
}

/// The number of a row, a column or a button.
fn number(out: &mut String, (x, y): (usize, usize), number: usize) {
    let _ =
        writeln!(out, "<text class=\"ink\" x=\"{x}\" y=\"{y}\" fill=\"#5f646b\">{number}</text>");
}
