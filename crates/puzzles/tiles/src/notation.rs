//! Texts of states and solutions, in the instance's own convention of the goal.
//!
//! A state is its N² numbers in reading order, separated by a space, with 0 for the blank. A
//! solution is a string over `U D L R` without separators: the direction in which a *tile* moves.
//! Parsing a solution ignores white space, accepts lower case, and plays every move.

use super::{
    Goal, Tiles,
    board::{Board, Slide, possible},
};
use unriddle_core::{Notation, ParseError};

/// Cells as they are written.
pub(crate) fn text(cells: &[u8]) -> String {
    let numbers: Vec<String> = cells.iter().map(u8::to_string).collect();
    numbers.join(" ")
}

/// The slide of a letter, upper or lower case.
fn of_letter(letter: char) -> Option<Slide> {
    Slide::ALL.into_iter().find(|slide| slide.letter() == letter.to_ascii_uppercase())
}

impl<B: Board> Notation for Tiles<B> {
    fn state_text(&self, state: &B) -> String {
        text(&self.convention.turn(&state.cells()))
    }

    fn solution_text(&self, actions: &[Slide]) -> String {
        let turn = |&slide: &Slide| self.convention.turn_slide(slide).letter();
        actions.iter().map(turn).collect()
    }

    fn parse_solution(&self, text: &str) -> Result<Vec<Slide>, ParseError> {
        parsed(text, B::N, self.start.blank(), self.convention)
    }
}

/// The canonical slides of a solution, from the blank's canonical cell on.
fn parsed(text: &str, n: usize, mut blank: usize, goal: Goal) -> Result<Vec<Slide>, ParseError> {
    let mut slides = Vec::new();
    let lines = (1..).zip(text.split('\n'));
    let signs = lines.flat_map(|(line, text)| (1..).zip(text.chars()).map(move |at| (line, at)));
    for (line, (column, sign)) in signs.filter(|(_, (_, sign))| !sign.is_whitespace()) {
        let number = slides.len() + 1;
        let refused = |why: String| ParseError::at(line, column, format!("move {number}{why}"));
        let slide = of_letter(sign)
            .ok_or_else(|| refused(format!(": expected U, D, L or R, found {sign:?}")))?;
        let canonical = goal.turn_slide(slide);
        if possible(n, blank) >> canonical as u8 & 1 == 0 {
            let why = illegal(n, blank, goal, slide);
            return Err(refused(format!(" ({}) is illegal: {why}", slide.letter())));
        }
        blank = blank.wrapping_add_signed(canonical.blank_step(n));
        slides.push(canonical);
    }
    Ok(slides)
}

/// Why a slide of a convention cannot be made with the blank at a canonical cell.
fn illegal(n: usize, blank: usize, goal: Goal, slide: Slide) -> String {
    let cell = match goal {
        Goal::BlankLast => blank,
        Goal::BlankFirst => n * n - 1 - blank,
    };
    let place = ["below it", "to its right", "above it", "to its left"][slide as usize];
    format!("the blank is in row {}, column {}, and no tile is {place}", cell / n + 1, cell % n + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board2, Board3, Board4, Board5, Board8, parse::parse};
    use proptest::prelude::*;
    use unriddle_core::{Puzzle as _, Rng};

    /// A random walk on plain cells in the convention's own orientation agrees with the packed
    /// board.
    fn walk<B: Board>(seed: u64) {
        let n = B::N;
        for goal in [Goal::BlankLast, Goal::BlankFirst] {
            let mut cells = goal.turn(&crate::goal_cells(n));
            let puzzle = Tiles::<B>::new(&cells, goal);
            let mut rng = Rng::new(seed);
            let mut letters = String::new();
            for _ in 0..100 {
                let blank = cells.iter().position(|&t| t == 0).unwrap();
                let slide = Slide::ALL[rng.below(4) as usize];
                if possible(n, blank) >> slide as u8 & 1 == 1 {
                    cells.swap(blank, blank.wrapping_add_signed(slide.blank_step(n)));
                    letters.push(slide.letter());
                }
            }
            let slides = puzzle.parse_solution(&letters).unwrap();
            assert_eq!(puzzle.solution_text(&slides), letters);
            let end = slides.iter().fold(puzzle.initial_state(), |s, &a| s.slide(a));
            let words: Vec<String> = cells.iter().map(u8::to_string).collect();
            assert_eq!(puzzle.state_text(&end), words.join(" "));
            let parsed = parse(&puzzle.state_text(&end), goal).unwrap();
            assert_eq!(parsed.solvable, Ok(()));
            assert_eq!(Tiles::<B>::new(&parsed.cells, goal).initial_state(), end);
        }
    }

    #[test]
    fn texts_follow_the_convention() {
        for seed in 0..5 {
            walk::<Board2>(seed);
            walk::<Board3>(seed);
            walk::<Board4>(seed);
            walk::<Board5>(seed);
            walk::<Board8>(seed);
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
        let turned = Tiles::<Board3>::new(&[0, 1, 2, 3, 4, 5, 6, 7, 8], Goal::BlankFirst);
        assert_eq!(
            turned.parse_solution("R").unwrap_err().message,
            "move 1 (R) is illegal: the blank is in row 1, column 1, and no tile is to its left"
        );
    }

    proptest! {
        #[test]
        fn arbitrary_solutions_are_no_panic(text in "\\PC*") {
            let puzzle = Tiles::<Board3>::new(&[1, 2, 3, 4, 0, 6, 7, 5, 8], Goal::BlankLast);
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
