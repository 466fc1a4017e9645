//! Texts of states and solutions, in the instance's own convention of the goal.
//!
//! A state of a square is its numbers in reading order, separated by a space, with 0 for the blank.
//! The rows of another board are separated by ` / `. A solution is a string over `U D L R` without
//! separators: the direction in which a *tile* moves.
//!
//! A solution is also read in lower case, as words (`up down left right`), as arrows, as the
//! numbers of the moved tiles, and as their positions before the move (`r2c3`: row 2, column 3).
//! White space, commas, brackets and quotation marks separate moves. Every move is played.

use super::{
    Tiles,
    board::{Board, Slide},
    shape::Shape,
};
use unriddle_core::{Notation, ParseError};

/// Words of the slides, in the order of their numbers.
const WORDS: [&str; 4] = ["up", "left", "down", "right"];
/// Arrows of the slides, in the order of their numbers.
const ARROWS: [char; 4] = ['↑', '←', '↓', '→'];

/// Cells as they are written.
pub(crate) fn text(shape: Shape, cells: &[u8]) -> String {
    let line = |cells: &[u8]| cells.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
    if shape.is_square() {
        return line(cells);
    }
    let rows: Vec<String> = cells.chunks(shape.columns).map(line).collect();
    rows.join(" / ")
}

impl<B: Board> Tiles<B> {
    /// A board as it is written.
    pub(crate) fn written(&self, board: &B) -> String {
        text(self.shape(), &self.convention.turn(&self.cells(board)))
    }
}

impl<B: Board> Notation for Tiles<B> {
    fn state_text(&self, state: &B) -> String {
        self.written(state)
    }

    fn solution_text(&self, actions: &[Slide]) -> String {
        let turn = |&slide: &Slide| self.convention.turn_slide(slide).letter();
        actions.iter().map(turn).collect()
    }

    fn parse_solution(&self, text: &str) -> Result<Vec<Slide>, ParseError> {
        let mut board =
            Plain { shape: self.shape(), cells: self.convention.turn(&self.cells(&self.start)) };
        let moves = moves(text)?;
        let start = board.clone();
        let mut slides = Vec::with_capacity(moves.len());
        for (number, step) in (1..).zip(&moves) {
            let slide = board.slide(step.what).map_err(|why| {
                let hint = start.hint(&moves).unwrap_or_default();
                let why = format!("move {number} ({}) is illegal: {why}{hint}", step.label());
                ParseError::at(step.line, step.column, why)
            })?;
            slides.push(self.convention.turn_slide(slide));
        }
        Ok(slides)
    }
}

/// A solution in words, in arrows, and as the numbers and the positions of the tiles that move.
pub(crate) fn in_other_forms<B: Board>(
    puzzle: &Tiles<B>,
    actions: &[Slide],
) -> Vec<(&'static str, String)> {
    let shape = puzzle.shape();
    let mut cells = puzzle.convention.turn(&puzzle.cells(&puzzle.start));
    let mut forms = ["words", "arrows", "numbers", "positions"].map(|name| (name, vec![]));
    for &action in actions {
        let slide = puzzle.convention.turn_slide(action);
        let blank = cells.iter().position(|&tile| tile == 0).unwrap_or(0);
        let from = blank.wrapping_add_signed(slide.blank_step(shape.columns));
        let (row, column) = (from / shape.columns + 1, from % shape.columns + 1);
        let written = [
            WORDS[slide as usize].to_owned(),
            ARROWS[slide as usize].to_string(),
            cells[from].to_string(),
            format!("r{row}c{column}"),
        ];
        for ((_, moves), text) in forms.iter_mut().zip(written) {
            moves.push(text);
        }
        cells.swap(blank, from);
    }
    forms.into_iter().map(|(name, moves)| (name, moves.join(" "))).collect()
}

/// A move as it is written.
#[derive(Clone, Copy, Debug)]
enum Written {
    /// The direction in which a tile moves.
    To(Slide),
    /// The number of the tile that moves.
    Tile(usize),
    /// The row and column of the tile that moves, counted from 1.
    At(usize, usize),
}

/// A move with its position in the text.
#[derive(Clone, Copy, Debug)]
struct Step {
    what: Written,
    line: usize,
    column: usize,
}

impl Step {
    fn label(&self) -> String {
        match self.what {
            Written::To(slide) => slide.letter().to_string(),
            Written::Tile(tile) => format!("tile {tile}"),
            Written::At(row, column) => format!("r{row}c{column}"),
        }
    }
}

/// The slide of a letter, upper or lower case, or of an arrow.
fn of_letter(letter: char) -> Option<Slide> {
    let arrow = ARROWS.iter().position(|&arrow| arrow == letter);
    let is_letter = |slide: &Slide| slide.letter() == letter.to_ascii_uppercase();
    arrow.map(|at| Slide::ALL[at]).or_else(|| Slide::ALL.into_iter().find(is_letter))
}

/// The slide of a word, in any case.
fn of_word(word: &str) -> Option<Slide> {
    WORDS.iter().position(|known| known.eq_ignore_ascii_case(word)).map(|at| Slide::ALL[at])
}

/// The number of a word of digits. A number beyond the type is too large for any board.
fn number(word: &str) -> Option<usize> {
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| word.parse().unwrap_or(usize::MAX))
}

/// The row and column of a word such as `r2c3`.
fn of_position(word: &str) -> Option<(usize, usize)> {
    let (row, column) = word.strip_prefix(['r', 'R'])?.split_once(['c', 'C'])?;
    Some((number(row)?, number(column)?))
}

/// The moves of a text.
fn moves(text: &str) -> Result<Vec<Step>, ParseError> {
    let is_separator = |sign: char| {
        sign.is_whitespace()
            || matches!(sign, ',' | ';' | '[' | ']' | '(' | ')' | '{' | '}' | '\'' | '"')
    };
    let mut moves = Vec::new();
    for (line, content) in (1..).zip(text.split('\n')) {
        let mut column = 1;
        for word in content.split(is_separator) {
            let at = column;
            column += word.chars().count() + 1;
            if word.is_empty() {
                continue;
            }
            let whole = if let Some(slide) = of_word(word) {
                Some(Written::To(slide))
            } else if let Some(tile) = number(word) {
                Some(Written::Tile(tile))
            } else {
                of_position(word).map(|(row, column)| Written::At(row, column))
            };
            if let Some(what) = whole {
                moves.push(Step { what, line, column: at });
                continue;
            }
            for (column, sign) in (at..).zip(word.chars()) {
                let slide = of_letter(sign).ok_or_else(|| {
                    let number = moves.len() + 1;
                    let why = format!("move {number}: expected U, D, L or R, found {sign:?}");
                    ParseError::at(line, column, why)
                })?;
                moves.push(Step { what: Written::To(slide), line, column });
            }
        }
    }
    Ok(moves)
}

/// A board in the convention in which it is written.
#[derive(Clone, Debug)]
struct Plain {
    shape: Shape,
    cells: Vec<u8>,
}

impl Plain {
    /// Plays a move.
    fn slide(&mut self, written: Written) -> Result<Slide, String> {
        let blank = self.cells.iter().position(|&tile| tile == 0).unwrap_or(0);
        let Shape { rows, columns } = self.shape;
        let (row, column) = (blank / columns + 1, blank % columns + 1);
        let possible = Slide::ALL
            .into_iter()
            .filter(|&slide| self.shape.possible(blank) >> slide as u8 & 1 == 1)
            .map(|slide| (slide, blank.wrapping_add_signed(slide.blank_step(columns))));
        let (found, missing) = match written {
            Written::To(slide) => {
                let side = ["below it", "to its right", "above it", "to its left"][slide as usize];
                (possible.clone().find(|found| found.0 == slide), format!("no tile is {side}"))
            }
            Written::Tile(tile) => (
                possible.clone().find(|&(_, from)| usize::from(self.cells[from]) == tile),
                format!("tile {tile} is not beside it"),
            ),
            Written::At(to_row, to_column) => {
                let is_cell = (1..=rows).contains(&to_row) && (1..=columns).contains(&to_column);
                let cell = is_cell.then(|| (to_row - 1) * columns + to_column - 1);
                (
                    possible.clone().find(|&(_, from)| Some(from) == cell),
                    format!("row {to_row}, column {to_column} is not beside it"),
                )
            }
        };
        let Some((slide, from)) = found else {
            return Err(format!("the blank is in row {row}, column {column}, and {missing}"));
        };
        self.cells.swap(blank, from);
        Ok(slide)
    }

    /// A hint at the other meaning of letters, if all moves are directions, and all are legal as
    /// directions of the blank.
    fn hint(&self, moves: &[Step]) -> Option<String> {
        let mut board = self.clone();
        for step in moves {
            let Written::To(slide) = step.what else { return None };
            board.slide(Written::To(slide.inverse())).ok()?;
        }
        let legal = match moves.len() {
            1 => "it is legal".to_owned(),
            count => format!("all {count} moves are legal"),
        };
        Some(format!(
            "; read as moves of the blank, {legal}, but U, D, L and R are moves of a tile: exchange U with D \
             and L with R"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyBoard, Board3, Board4, Board5, Goal, parse::parse};
    use proptest::prelude::*;
    use unriddle_core::{Puzzle as _, Rng};

    /// A random walk on plain cells in the convention's own orientation agrees with the packed
    /// board, and its solution is read in every form.
    fn walk<B: Board>(shape: Shape, goal: Goal, seed: u64) {
        let mut cells = goal.cells(shape);
        let puzzle = Tiles::<B>::of(shape, &cells, goal);
        let mut rng = Rng::new(seed);
        let (mut letters, mut words) = (String::new(), Vec::new());
        let (mut tiles, mut places) = (Vec::new(), Vec::new());
        for _ in 0..100 {
            let blank = cells.iter().position(|&t| t == 0).unwrap();
            let slide = Slide::ALL[rng.below(4) as usize];
            if shape.possible(blank) >> slide as u8 & 1 == 1 {
                let from = blank.wrapping_add_signed(slide.blank_step(shape.columns));
                letters.push(slide.letter());
                words.push(["Up", "left", "DOWN", "'right'"][slide as usize]);
                tiles.push(cells[from].to_string());
                places.push(format!("r{}c{}", from / shape.columns + 1, from % shape.columns + 1));
                cells.swap(blank, from);
            }
        }
        let slides = puzzle.parse_solution(&letters).unwrap();
        assert_eq!(puzzle.solution_text(&slides), letters);
        for other in [
            words.join(" "),
            format!("[{}]", words.join(",")),
            tiles.join(" "),
            places.join(", "),
            letters.replace('U', "↑").replace('R', " →").replace('D', "d"),
        ] {
            assert_eq!(puzzle.parse_solution(&other).unwrap(), slides, "{other}");
        }
        let end = slides.iter().fold(puzzle.initial_state(), |s, &a| s.slide(a));
        assert_eq!(puzzle.state_text(&end), text(shape, &cells));
        let parsed = parse(&puzzle.state_text(&end), goal).unwrap();
        assert_eq!((parsed.shape, parsed.solvable), (shape, Ok(())));
        assert_eq!(Tiles::<B>::of(shape, &parsed.cells, goal).initial_state(), end);
    }

    #[test]
    fn texts_follow_the_convention() {
        for seed in 0..5 {
            for goal in Goal::ALL {
                for shape in (4..=64).flat_map(Shape::of_cells) {
                    walk::<AnyBoard>(shape, goal, seed);
                }
                if goal != Goal::Snail {
                    walk::<Board3>(3.into(), goal, seed);
                    walk::<Board4>(4.into(), goal, seed);
                    walk::<Board5>(5.into(), goal, seed);
                }
            }
        }
    }

    #[test]
    fn errors_name_the_move_and_its_column() {
        let puzzle = Tiles::<Board3>::new(&[1, 2, 3, 4, 5, 6, 7, 0, 8], Goal::BlankLast);
        let refused = |text| puzzle.parse_solution(text).unwrap_err().to_string();
        assert_eq!(puzzle.parse_solution(" l\n").unwrap(), [Slide::Left]);
        assert_eq!(
            refused("R r"),
            "line 1, column 3: move 2 (R) is illegal: the blank is in row 3, column 1, and no tile is to its left"
        );
        assert_eq!(refused("R\nxU"), "line 2, column 1: move 2: expected U, D, L or R, found 'x'");
        assert_eq!(
            refused("1 8"),
            "line 1, column 1: move 1 (tile 1) is illegal: the blank is in row 3, column 2, and tile 1 is not beside it"
        );
        assert_eq!(
            refused("r3c3 r9c1"),
            "line 1, column 6: move 2 (r9c1) is illegal: the blank is in row 3, column 3, and row 9, column 1 is not beside it"
        );
        let turned = Tiles::<Board3>::new(&[0, 1, 2, 3, 4, 5, 6, 7, 8], Goal::BlankFirst);
        assert_eq!(
            turned.parse_solution("R 1").unwrap_err().message,
            "move 1 (R) is illegal: the blank is in row 1, column 1, and no tile is to its left"
        );
    }

    /// A solution whose letters move the blank.
    #[test]
    fn moves_of_the_blank_are_recognised() {
        let puzzle = Tiles::<Board3>::new(&[1, 2, 3, 4, 5, 6, 0, 7, 8], Goal::BlankLast);
        assert_eq!(
            puzzle.parse_solution("right, R").unwrap_err().message,
            "move 1 (R) is illegal: the blank is in row 3, column 1, and no tile is to its left; read as moves \
             of the blank, all 2 moves are legal, but U, D, L and R are moves of a tile: exchange U with D and L \
             with R"
        );
        for other in ["R7", "RRR", "R r3c2"] {
            let why = puzzle.parse_solution(other).unwrap_err().message;
            assert!(!why.contains("moves of the blank"), "{why}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_solutions_are_no_panic(text in "\\PC*") {
            let puzzle = Tiles::<Board3>::new(&[1, 2, 3, 4, 0, 6, 7, 5, 8], Goal::BlankLast);
            let _ = puzzle.parse_solution(&text);
        }

        #[test]
        fn arbitrary_moves_are_no_panic(text in "([UDLR]|up|r[0-9]c[0-9]|[0-9]{1,25}|[ ,\n]){0,40}") {
            let puzzle = Tiles::<Board3>::new(&[1, 2, 3, 4, 0, 6, 7, 5, 8], Goal::BlankFirst);
            let _ = puzzle.parse_solution(&text);
        }

        #[test]
        fn parsed_solutions_are_written_back(text in "[UDLRudlr \n]{0,40}") {
            let puzzle = Tiles::<Board4>::new(
                &[1, 2, 3, 4, 5, 0, 7, 8, 9, 6, 10, 12, 13, 14, 11, 15],
                Goal::BlankFirst,
            );
            if let Ok(slides) = puzzle.parse_solution(&text) {
                let bare: String = text.split_whitespace().collect();
                prop_assert_eq!(puzzle.solution_text(&slides), bare.to_uppercase());
            }
        }
    }
}
