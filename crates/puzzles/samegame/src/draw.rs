//! Drawings of a board: as text for a terminal, and as a self-contained SVG image.

use super::Layout;
use std::fmt::Write as _;

/// ANSI backgrounds and SVG fills of the colours, distinguishable also by lightness.
pub(crate) const PAINT: [(&str, &str); 8] = [
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

/// Width and height of a cell in pixels, space for the numbers of rows and columns, and margin at
/// the other sides.
const SIDE: usize = 32;
const RIM: usize = 26;
const MARGIN: usize = 6;

/// Shapes of the colours around the middle of a stone: circle, square, triangle, diamond, cross,
/// plus, ring, bar.
const SHAPES: [&str; 8] = [
    "m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0z",
    "m-5-5h10v10h-10z",
    "m0-7l7 12h-14z",
    "m0-8l7 8-7 8-7-8z",
    "m-7-4l3-3 4 4 4-4 3 3-4 4 4 4-3 3-4-4-4 4-3-3 4-4z",
    "m-2-7h4v5h5v4h-5v5h-4v-5h-5v-4h5z",
    "m-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0zm3.5 0a3.5 3.5 0 1 1 7 0a3.5 3.5 0 1 1-7 0z",
    "m-7-2.5h14v5h-14z",
];

/// Upper left corner of a cell; rows count from the bottom.
pub(crate) fn corner(height: usize, column: usize, row: usize) -> (usize, usize) {
    (RIM + column * SIDE, MARGIN + (height - 1 - row) * SIDE)
}

/// Width and height of a cell.
pub(crate) const fn side() -> usize {
    SIDE
}

/// The path of a game to a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The number of each stone at the start, by column and row of the position; empty where the
    /// path is unknown.
    stones: Vec<Vec<usize>>,
    /// Columns and rows of the stones that the last move took out.
    last: Vec<(usize, usize)>,
}

impl Trace {
    /// The start of a game.
    #[must_use]
    pub fn of(columns: &[Vec<u8>]) -> Self {
        let mut numbers = 0..;
        let column = |column: &Vec<u8>| numbers.by_ref().take(column.len()).collect();
        Self { stones: columns.iter().map(column).collect(), last: Vec::new() }
    }

    /// Takes out the stones at some columns and rows.
    pub fn take_out(&mut self, cells: Vec<(usize, usize)>) {
        for (column, stones) in self.stones.iter_mut().enumerate() {
            let mut row = 0..;
            stones.retain(|_| !row.next().is_some_and(|row| cells.contains(&(column, row))));
        }
        self.stones.retain(|stones| !stones.is_empty());
        self.last = cells;
    }
}

/// The board as an SVG image. Each colour has a shape of its own. A line surrounds the cells of the
/// last move. Nothing outside the image is needed.
#[must_use]
pub fn svg(layout: &Layout, trace: &Trace) -> String {
    let width = RIM + layout.width * SIDE + MARGIN;
    let height = MARGIN + layout.height * SIDE + RIM;
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="13">"##
    );
    let _ = writeln!(out, "<title>SameGame: {}</title>", layout.text().replace('\n', " / "));
    let _ = writeln!(
        out,
        r##"<rect class="paper" width="{width}" height="{height}" fill="#faf9f6"/>"##
    );
    let (inner, down) = (layout.width * SIDE, layout.height * SIDE);
    let _ = writeln!(
        out,
        r##"<rect class="cell" x="{RIM}" y="{MARGIN}" width="{inner}" height="{down}" rx="6" fill="#f1efe9"/>"##
    );
    for row in 0..layout.height {
        let (_, y) = corner(layout.height, 0, row);
        number(&mut out, RIM / 2, y + SIDE / 2 + 5, row);
        for column in 0..layout.width {
            if let Some(colour) = layout.colour(column, row) {
                let id = trace.stones.get(column).and_then(|stones| stones.get(row));
                stone(&mut out, corner(layout.height, column, row), colour, id);
            }
        }
    }
    for column in 0..layout.width {
        number(&mut out, RIM + column * SIDE + SIDE / 2, height - 8, column);
    }
    out += &outline(layout.height, &trace.last);
    out.push_str("</svg>\n");
    out
}

fn stone(out: &mut String, (x, y): (usize, usize), colour: u8, id: Option<&usize>) {
    let colour = usize::from(colour & 7);
    let (fill, shape) = (PAINT[colour].1, SHAPES[colour]);
    let (left, top, side) = (x + 1, y + 1, SIDE - 2);
    let (cx, cy) = (x + SIDE / 2, y + SIDE / 2);
    let id = id.map_or_else(String::new, |id| format!(r#" data-piece="{id}""#));
    // Dark shapes on the two light colours.
    let mark = if matches!(colour, 2 | 7) { "#1d1f21" } else { "#ffffff" };
    let _ = writeln!(
        out,
        r##"<g{id}><rect class="c{colour}" x="{left}" y="{top}" width="{side}" height="{side}" rx="5" fill="{fill}"/><path d="M{cx} {cy}{shape}" fill="{mark}" fill-opacity="0.55" fill-rule="evenodd"/></g>"##
    );
}

fn number(out: &mut String, x: usize, y: usize, number: usize) {
    let _ = writeln!(
        out,
        r##"<text class="ink" x="{x}" y="{y}" fill="#5f646b" text-anchor="middle">{number}</text>"##
    );
}

/// The line around some cells: the edges to other cells.
fn outline(height: usize, cells: &[(usize, usize)]) -> String {
    let mut path = String::new();
    for &(column, row) in cells {
        let (x, y) = corner(height, column, row);
        let is_other = |column: Option<usize>, row: Option<usize>| {
            column.zip(row).is_none_or(|at| !cells.contains(&at))
        };
        let edges = [
            (is_other(Some(column), Some(row + 1)), x, y, 'h'),
            (is_other(Some(column), row.checked_sub(1)), x, y + SIDE, 'h'),
            (is_other(column.checked_sub(1), Some(row)), x, y, 'v'),
            (is_other(Some(column + 1), Some(row)), x + SIDE, y, 'v'),
        ];
        for (_, x, y, way) in edges.into_iter().filter(|&(is_edge, ..)| is_edge) {
            let _ = write!(path, "M{x} {y}{way}{SIDE}");
        }
    }
    if path.is_empty() {
        return path;
    }
    format!(
        "<path class=\"last\" d=\"{path}\" fill=\"none\" stroke=\"#1d1f21\" stroke-width=\"3\" stroke-linecap=\"round\"/>\n"
    )
}
