//! Drawings of boards with cells in rows and columns, marks on the cells and lines between them: as
//! text, with terminal colours, or as a self-contained SVG file.
//!
//! ```
//! use unriddle_catalog::{Style, diagram::{Diagram, Mark}};
//!
//! let marks = vec![Mark::given((2, 0)), Mark::added((3, 1), 1, 1)];
//! let diagram = Diagram::around(marks, vec![[(2, 0), (3, 1)]], 5);
//! let drawing = diagram.drawn(Style::Plain);
//! let rows = [" 0  .   o   .   .", "          \\", " 1  .   .   1   .", "", " 2  .   .   .   ."];
//! assert!(drawing.lines().eq(rows.into_iter().chain(["    1   2   3   4"])));
//! ```

use super::{
    board::{Area, Spot},
    values::Style,
};
use std::{fmt::Write as _, ops::RangeInclusive};

/// Width and height of a cell in an SVG file.
const STEP: i32 = 32;

/// Cell by its column and row; rows are counted from the top.
pub type Place = (i32, i32);

/// A mark on a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its cell.
    pub at: Place,
    /// Its text, at most three characters.
    pub text: String,
    /// Its tone.
    pub tone: Tone,
}

/// Tone of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A mark of the initial board: a dot in an SVG file.
    Given,
    /// A mark that a move has added.
    Added,
    /// A mark that the last move has added.
    Last,
}

impl Mark {
    /// A mark of the initial board.
    #[must_use]
    pub fn given(at: Place) -> Self {
        let (text, tone) = ("o".to_owned(), Tone::Given);
        Self { at, text, tone }
    }

    /// A mark that move `number` of `count` has added, with the move's number.
    #[must_use]
    pub fn added(at: Place, number: usize, count: usize) -> Self {
        let tone = if number == count { Tone::Last } else { Tone::Added };
        let text = number.to_string();
        Self { at, text, tone }
    }
}

/// A part of a board, drawn with the numbers of its columns and rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    columns: RangeInclusive<i32>,
    rows: RangeInclusive<i32>,
    /// At most one mark per cell. Other cells are empty.
    marks: Vec<Mark>,
    /// Lines from a cell to another one in the same row, column or diagonal.
    lines: Vec<[Place; 2]>,
    /// The line of the last move.
    last: Option<[Place; 2]>,
}

impl Diagram {
    /// The part of a board that contains all marks, with a row or column of empty cells on each
    /// side, as far as the board of `side` columns and rows extends. All lines must be between
    /// marks.
    #[must_use]
    pub fn around(marks: Vec<Mark>, lines: Vec<[Place; 2]>, side: i32) -> Self {
        let range = |of: fn(&Mark) -> i32| {
            let first = marks.iter().map(of).min().unwrap_or(side / 2);
            let last = marks.iter().map(of).max().unwrap_or(side / 2);
            (first - 1).max(0)..=(last + 1).min(side - 1)
        };
        let (columns, rows) = (range(|mark| mark.at.0), range(|mark| mark.at.1));
        Self { columns, rows, marks, lines, last: None }
    }

    /// The diagram with one of its lines as the line of the last move, which an SVG file shows.
    #[must_use]
    pub fn with_last(self, last: Option<[Place; 2]>) -> Self {
        Self { last, ..self }
    }

    /// The drawing.
    #[must_use]
    pub fn drawn(&self, style: Style) -> String {
        match style {
            Style::Plain => self.text(false),
            Style::Colour => self.text(true),
            Style::Svg => self.svg(),
        }
    }

    fn mark(&self, at: Place) -> Option<&Mark> {
        self.marks.iter().find(|mark| mark.at == at)
    }

    /// The characters of all lines: one between neighbouring cells of a row, and a row of text
    /// between rows.
    fn ink(&self) -> Vec<Vec<char>> {
        let size = |range: &RangeInclusive<i32>| (range.end() - range.start()) as usize;
        let mut ink = vec![vec![' '; 4 * size(&self.columns) + 3]; 2 * size(&self.rows) + 1];
        for &[(x1, y1), (x2, y2)] in &self.lines {
            let (dx, dy) = ((x2 - x1).signum(), (y2 - y1).signum());
            let (sign, right) = match (dx, dy) {
                (0, _) => ('|', 1),
                (_, 0) => ('-', 3),
                _ if dx == dy => ('\\', 3),
                _ => ('/', 3),
            };
            for i in 0..(x2 - x1).abs().max((y2 - y1).abs()) {
                // Halfway to the next cell.
                let (x, y) = (x1 + dx * i - self.columns.start(), y1 + dy * i - self.rows.start());
                let (row, column) = (2 * y + dy, 4 * x.min(x + dx) + right);
                let ink = &mut ink[row as usize][column as usize];
                *ink = if *ink == ' ' || *ink == sign { sign } else { 'X' };
            }
        }
        ink
    }

    /// The drawing with three characters for each cell and one between cells.
    fn text(&self, colour: bool) -> String {
        let mut out = String::new();
        for (i, ink) in self.ink().into_iter().enumerate() {
            let y = self.rows.start() + i as i32 / 2;
            let mut row = match i % 2 {
                0 => format!("{y:>2} "),
                _ => "   ".to_owned() + &String::from_iter(&ink),
            };
            for (x, ink) in self.columns.clone().zip(ink.chunks(4)).filter(|_| i % 2 == 0) {
                let mark = self.mark((x, y));
                let text = format!("{:^3}", mark.map_or(".", |mark| &mark.text));
                row += &match mark.map(|mark| mark.tone).filter(|_| colour) {
                    Some(Tone::Last) => format!("\x1b[1;33m{text}\x1b[0m"),
                    Some(Tone::Added) => format!("\x1b[36m{text}\x1b[0m"),
                    _ => text,
                };
                row.extend(ink.get(3));
            }
            out = out + row.trim_end() + "\n";
        }
        let columns = self.columns.clone().map(|x| format!("{x:^3}"));
        out + "   " + columns.collect::<Vec<_>>().join(" ").trim_end() + "\n"
    }

    /// Middle of a column and of a row in an SVG file.
    fn middle(&self, (x, y): Place) -> (i32, i32) {
        let across = (x - self.columns.start()) * STEP + STEP + STEP / 2;
        (across, (y - self.rows.start()) * STEP + STEP / 2)
    }

    /// All cells, row by row.
    fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let columns = self.columns.clone();
        self.rows.clone().flat_map(move |y| columns.clone().map(move |x| (x, y)))
    }

    /// The index of a cell in the list of [spots](Self::spots); `None` outside of the diagram.
    #[must_use]
    pub fn index(&self, (x, y): Place) -> Option<usize> {
        let is_inside = self.columns.contains(&x) && self.rows.contains(&y);
        let width = self.columns.end() + 1 - self.columns.start();
        let index = (y - self.rows.start()) * width + x - self.columns.start();
        is_inside.then_some(index as usize)
    }

    /// The touchable areas of all cells of the SVG file, row by row. `name` names the cell of a
    /// column and a row.
    pub fn spots(&self, mut name: impl FnMut(Place) -> String) -> Vec<Spot> {
        let spot = |at: Place| {
            let (x, y) = self.middle(at);
            let corner = |middle: i32| (middle - STEP / 2) as f32;
            let (width, height) = (STEP as f32, STEP as f32);
            let [column, row] =
                [at.0 - self.columns.start(), at.1 - self.rows.start()].map(|index| index as usize);
            let area = Area { x: corner(x), y: corner(y), width, height };
            Spot { row, column, area, name: name(at) }
        };
        self.places().map(spot).collect()
    }

    /// The drawing as a self-contained SVG file.
    fn svg(&self) -> String {
        let (left, top) = self.middle((*self.columns.start(), *self.rows.start()));
        let (right, bottom) = self.middle((*self.columns.end(), *self.rows.end()));
        let (width, height) = (right + STEP / 2, bottom + STEP + STEP / 2);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"13\" \
             text-anchor=\"middle\">\n\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"#faf9f6\"/>\n"
        );
        // Writing to a string does not fail. Squared paper, pale on any background.
        let mut squares = String::new();
        for x in self.columns.clone() {
            let _ = write!(squares, "M{} {top}V{bottom}", self.middle((x, 0)).0);
        }
        for y in self.rows.clone() {
            let _ = write!(squares, "M{left} {}H{right}", self.middle((0, y)).1);
        }
        let _ = writeln!(out, "<path d=\"{squares}\" stroke=\"#808080\" stroke-opacity=\"0.25\"/>");
        for &line in &self.lines {
            let [(x1, y1), (x2, y2)] = line.map(|at| self.middle(at));
            let (class, paint) = match self.last == Some(line) {
                true => ("line last", "stroke=\"#1f5fbf\" stroke-width=\"4\""),
                false => ("line", "stroke=\"#5f646b\" stroke-width=\"2\""),
            };
            let _ = writeln!(
                out,
                "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {paint}/>"
            );
        }
        for mark in &self.marks {
            let (cx, cy) = self.middle(mark.at);
            let (class, paint) = match mark.tone {
                Tone::Given => ("mark", "r=\"5\" fill=\"#1d1f21\""),
                Tone::Added => ("piece", "r=\"12\" fill=\"#e3e9f3\" stroke=\"#5f646b\""),
                Tone::Last => (
                    "piece last",
                    "r=\"12\" fill=\"#ffe7a8\" stroke=\"#1f5fbf\" stroke-width=\"3\"",
                ),
            };
            let number = match mark.tone {
                Tone::Given => String::new(),
                Tone::Added | Tone::Last => text((cx, cy), "#1d1f21", &mark.text),
            };
            let circle = format!("<circle class=\"{class}\" cx=\"{cx}\" cy=\"{cy}\" {paint}/>");
            let _ = writeln!(out, "<g>{circle}{}</g>", number.trim_end());
        }
        for y in self.rows.clone() {
            out += &text((STEP / 2, self.middle((0, y)).1), "#5f646b", &y.to_string());
        }
        for x in self.columns.clone() {
            out += &text((self.middle((x, 0)).0, height - STEP / 2), "#5f646b", &x.to_string());
        }
        out + "</svg>\n"
    }
}

/// A text in an SVG file.
fn text((x, y): (i32, i32), fill: &str, text: &str) -> String {
    let text = html_text(text);
    format!("<text class=\"ink\" x=\"{x}\" y=\"{}\" fill=\"{fill}\">{text}</text>\n", y + 5)
}

/// Text with the characters escaped that have a meaning in HTML and SVG.
#[must_use]
pub fn html_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            _ => out.push(c),
        }
    }
    out
}

/// Lines of text as a drawing: unchanged, or as graphics with one line of text each.
#[must_use]
pub fn plain_drawing(text: &str, style: Style) -> String {
    let text = text.trim_end();
    if style != Style::Svg {
        return format!("{text}\n");
    }
    let height = 20 * text.lines().count() + 10;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 320 {height}\" width=\"320\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"14\">\n"
    );
    for (i, line) in text.lines().enumerate() {
        // Writing to a string does not fail.
        let _ = writeln!(
            svg,
            "<text class=\"ink\" x=\"10\" y=\"{}\">{}</text>",
            20 * (i + 1),
            html_text(line)
        );
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_in_eight_directions() {
        let ends = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)];
        let marks: Vec<Mark> = ends.map(Mark::given).into();
        let lines = ends.map(|end| [(1, 1), end]);
        let mut diagram = Diagram::around(marks, lines.into(), 3);
        let star = " 0  o   o   o\n      \\ | /\n 1  o - . - o\n      / | \\\n 2  o   o   o\n    0   1   2\n";
        assert_eq!(diagram.text(false), star);
        diagram.lines.push([(0, 1), (1, 0)]);
        diagram.lines.push([(0, 0), (1, 1)]);
        assert!(diagram.text(false).contains("\n      X | /\n"));
    }

    #[test]
    fn only_moves_are_painted() {
        let marks = vec![Mark::given((0, 0)), Mark::added((1, 0), 1, 2), Mark::added((2, 0), 2, 2)];
        let diagram = Diagram::around(marks, Vec::new(), 3);
        let text = diagram.text(true);
        assert!(text.starts_with(" 0  o  \x1b[36m 1 \x1b[0m \x1b[1;33m 2 \x1b[0m\n"), "{text}");
        assert_eq!(diagram.drawn(Style::Svg).matches("<circle").count(), 3);
    }

    #[test]
    fn a_board_without_marks_is_drawn() {
        assert!(Diagram::around(Vec::new(), Vec::new(), 1).text(false).starts_with(" 0  .\n"));
    }
}
