//! Boards for pages: squared paper, the inputs of moves, and the sketch of an editor.

use super::{Cell, LENGTH, Line, Morpion, SIDE, STEPS, State};
use unriddle_catalog::{
    board::{Cells, Gesture, Sketch, Spot, Swatch, Touch},
    diagram::{Diagram, Mark, Tone},
};
use unriddle_core::Puzzle as _;

/// Directions in words, in the order of their steps.
const DIRECTIONS: [&str; 4] = ["horizontal", "vertical", "falling", "rising"];

impl Line {
    /// Its left or upper end, and the other one.
    fn ends(self) -> [Cell; 2] {
        [self.at(0), self.at(LENGTH - 1)]
    }

    /// The end that is farther from the new point.
    fn far_end(self) -> Cell {
        self.at(if i32::from(self.index) > LENGTH / 2 { 0 } else { LENGTH - 1 })
    }
}

/// The diagram of a position after the lines `played`.
pub(crate) fn diagram(puzzle: &Morpion, played: &[Line], state: &State) -> Diagram {
    let ends = state.lines(puzzle.rule).into_iter().map(Line::ends);
    let last = played.last().map(|line| line.ends());
    Diagram::around(marks(played, state), ends.collect(), SIDE as i32).with_last(last)
}

fn marks(played: &[Line], state: &State) -> Vec<Mark> {
    let mark = |at: Cell| match played.iter().position(|line| line.point() == at) {
        Some(i) => Mark::added(at, i + 1, played.len()),
        None => Mark::given(at),
    };
    state.all_points().map(mark).collect()
}

/// The cells of the diagram.
pub(crate) fn spots(puzzle: &Morpion, played: &[Line], state: &State) -> Vec<Spot> {
    let marks = marks(played, state);
    let open: Vec<Cell> = puzzle.actions(state).map(Line::point).collect();
    diagram(puzzle, played, state).spots(|at @ (x, y)| {
        let content = match marks.iter().find(|mark| mark.at == at) {
            Some(Mark { tone: Tone::Given, .. }) => "point".to_owned(),
            Some(mark) => format!("point of move {}", mark.text),
            None if open.contains(&at) => "empty, a line is possible".to_owned(),
            None => "empty".to_owned(),
        };
        format!("column {x}, row {y}: {content}")
    })
}

/// The part of the board that the diagram of a position shows, without its content.
fn frame(state: &State) -> Diagram {
    let corners = state.all_points().fold(None, |corners: Option<[Cell; 2]>, (x, y)| {
        let [(left, top), (right, bottom)] = corners.unwrap_or([(x, y); 2]);
        Some([(left.min(x), top.min(y)), (right.max(x), bottom.max(y))])
    });
    let marks = corners.into_iter().flatten().map(Mark::given).collect();
    Diagram::around(marks, Vec::new(), SIDE as i32)
}

/// The legal lines with a new point.
fn lines_at(puzzle: &Morpion, state: &State, (x, y): Cell) -> usize {
    let starts = STEPS.iter().enumerate().flat_map(|(direction, (dx, dy))| {
        (0..LENGTH).map(move |i| (direction, (x - dx * i, y - dy * i)))
    });
    let legal = |(direction, start)| state.legal(direction, start, puzzle.rule);
    starts.filter_map(legal).filter(|line| line.point() == (x, y)).count()
}

/// The inputs of a move: the new point and, if several lines are possible there, the farther end of
/// the line.
pub(crate) fn touch(puzzle: &Morpion, state: &State, line: Line) -> Touch {
    let frame = frame(state);
    let is_only = lines_at(puzzle, state, line.point()) == 1;
    let to = if is_only { None } else { frame.index(line.far_end()) };
    let ((x, y), [(x1, y1), (x2, y2)]) = (line.point(), line.ends());
    let direction = DIRECTIONS[usize::from(line.direction)];
    let name = format!("point {x},{y}, {direction} line from {x1},{y1} to {x2},{y2}");
    Touch { from: frame.index(line.point()), to, name: Some(name), ..Touch::default() }
}

/// The sketch of a position; `None` if lines are drawn, which a sketch does not contain.
pub(crate) fn sketch(text: &str) -> Option<Sketch> {
    let palette = vec![Swatch::new(".", "empty").shown(""), Swatch::new("o", "point").shown("●")];
    let has_lines = text.contains(|c: char| c.is_ascii_digit());
    (!has_lines).then(|| Sketch::of_lines(text, Gesture::Paint, palette))
}

/// The text of a sketch. Missing cells are empty.
pub(crate) fn sketched(cells: &Cells) -> String {
    let row = |row: &Vec<Option<String>>| {
        row.iter().map(|cell| cell.as_deref().unwrap_or(".")).collect::<String>()
    };
    cells.iter().map(row).collect::<Vec<_>>().join("\n")
}
