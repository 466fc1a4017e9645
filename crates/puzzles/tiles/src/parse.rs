//! Parsing of boards from numbers.
//!
//! A board is N² numbers in reading order, 0 for the blank, separated by white space (including
//! line breaks) or commas. The side follows from their number. A text that is not a board is
//! rejected with line and column. A board from which no sequence of slides leads to the goal is
//! accepted, together with the reason.
//!
//! **Parity.** A slide exchanges the blank and a tile, so it flips the parity of the permutation.
//! It also moves the blank by a cell, so it flips the parity of the blank's distance to its goal
//! cell. The two parities are equal at the goal, and therefore on every board from which the goal
//! can be reached. On a square board of side 2 or more the converse holds (Johnson and Story 1879).
//! O(N²).
//!
//! Reference: Johnson and Story 1879 (American Journal of Mathematics 2).

use super::{
    Goal,
    board::{MAX_SIDE, distance},
};
use unriddle_core::{ParseError, text};

/// Parsed board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// Side of the board.
    pub side: usize,
    /// Tile numbers in reading order, 0 for the blank, as in the text.
    pub cells: Vec<u8>,
    /// Whether the goal can be reached, or why not.
    pub solvable: Result<(), String>,
}

/// Reads a board.
///
/// # Errors
/// A word that is not a number, the wrong count, a number out of range, or a tile that occurs twice
/// (so that another is missing), with line and column.
pub fn parse(text: &str, goal: Goal) -> Result<Parsed, ParseError> {
    // A comma separates as a blank does.
    let text = text.replace(',', " ");
    let words: Vec<text::Word<'_>> = text::placed(&text).collect();
    let refused = |&((line, column), _): &text::Word<'_>, why| ParseError::at(line, column, why);
    if let Some(word) = words.iter().find(|(_, word)| !word.chars().all(|c| c.is_ascii_digit())) {
        return Err(refused(word, format!("expected a number, found \"{}\"", excerpt(word.1))));
    }
    let count = words.len();
    let Some(side) = (2..=MAX_SIDE).find(|n| n * n == count) else {
        let found = match count {
            0 => "no numbers".to_owned(),
            1 => "1 number".to_owned(),
            count => format!("{count} numbers"),
        };
        let last = text.split('\n').next_back().unwrap_or("");
        return Err(ParseError::at(
            1 + text.matches('\n').count(),
            1 + last.chars().count(),
            format!("found {found}; a board has 4, 9, 16, 25, 36, 49 or 64 (0 for the blank)"),
        ));
    };
    let mut first = vec![None; count];
    let mut cells = Vec::with_capacity(count);
    let mut twice = None;
    for word in &words {
        // A word of digits may exceed the range of the type.
        let Some(number) = word.1.parse().ok().filter(|&n: &usize| n < count) else {
            let why = format!(
                "{} is out of range: a board of side {side} has the numbers 0 to {}",
                excerpt(word.1),
                count - 1
            );
            return Err(refused(word, why));
        };
        match first[number] {
            None => first[number] = Some(word.0),
            Some(before) => {
                twice.get_or_insert((number, before, word));
            }
        }
        cells.push(number as u8);
    }
    if let Some((number, (line, column), word)) = twice {
        let missing: Vec<String> = (0..count).filter(|&n| first[n].is_none()).map(name).collect();
        let why = format!(
            "{} occurs twice, first at line {line}, column {column}; missing: {}",
            name(number),
            missing.join(", ")
        );
        return Err(refused(word, why));
    }
    let solvable = solvable(side, &cells, goal);
    Ok(Parsed { side, cells, solvable })
}

/// A number for messages.
fn name(number: usize) -> String {
    match number {
        0 => "0 (the blank)".to_owned(),
        tile => tile.to_string(),
    }
}

/// The beginning of a word, printable.
fn excerpt(word: &str) -> String {
    let start: String = word.chars().take(20).collect();
    let rest = if word.chars().nth(20).is_some() { "…" } else { "" };
    format!("{}{rest}", start.escape_debug())
}

/// Whether the goal of a convention can be reached from a board, with the reason if not. `cells` is
/// a permutation of 0…N²−1.
///
/// # Errors
/// The reason in words.
pub(crate) fn solvable(side: usize, cells: &[u8], goal: Goal) -> Result<(), String> {
    let (permutation, distance) = parities(side, cells, goal);
    if permutation == distance {
        return Ok(());
    }
    let word = |odd: bool| if odd { "odd" } else { "even" };
    let goal = match goal {
        Goal::BlankLast => "blank last",
        Goal::BlankFirst => "blank first",
    };
    Err(format!(
        "the permutation is {} while the blank is an {} number of moves from its goal cell ({goal}); \
         every move changes both, and at the goal both are even, so no sequence of moves reaches the \
         goal; swapping two tiles would make it solvable",
        word(permutation),
        word(distance)
    ))
}

/// Whether the permutation that takes the goal to the board is odd, and whether the blank's
/// distance to its goal cell is odd.
fn parities(side: usize, cells: &[u8], goal: Goal) -> (bool, bool) {
    let home = |number| goal.home(number, cells.len());
    let mut seen = vec![false; cells.len()];
    let mut odd = false;
    for start in 0..cells.len() {
        // A cycle of length n is n − 1 exchanges.
        let (mut cell, mut length) = (start, 0);
        while !std::mem::replace(&mut seen[cell], true) {
            cell = home(cells[cell]);
            length += 1;
        }
        odd ^= length > 0 && length % 2 == 0;
    }
    let blank = cells.iter().position(|&t| t == 0).unwrap_or(0);
    (odd, distance(side, blank, home(0)) % 2 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn refused(text: &str) -> String {
        parse(text, Goal::BlankLast).unwrap_err().to_string()
    }

    #[test]
    fn separators_may_be_mixed() {
        let parsed = parse(" 1,2, 3\n4 5 6\r\n7,0\t8\n", Goal::BlankLast).unwrap();
        assert_eq!(parsed.side, 3);
        assert_eq!(parsed.cells, [1, 2, 3, 4, 5, 6, 7, 0, 8]);
        assert_eq!(parsed.solvable, Ok(()));
    }

    #[test]
    fn errors_have_line_and_column() {
        assert_eq!(refused("1 2\n3 x0"), "line 2, column 3: expected a number, found \"x0\"");
        assert_eq!(refused("1 -2 3 0"), "line 1, column 3: expected a number, found \"-2\"");
        assert_eq!(
            refused("1 2 3\n"),
            "line 2, column 1: found 3 numbers; a board has 4, 9, 16, 25, 36, 49 or 64 (0 for the blank)"
        );
        assert!(refused(" ").contains("found no numbers"));
        assert_eq!(
            refused("1 2 4 0"),
            "line 1, column 5: 4 is out of range: a board of side 2 has the numbers 0 to 3"
        );
        assert!(
            refused("1 2 99999999999999999999999999 0")
                .contains("99999999999999999999… is out of range")
        );
        assert_eq!(
            refused("1,2,3\n4 5 6\n7 3 3"),
            "line 3, column 3: 3 occurs twice, first at line 1, column 5; missing: 0 (the blank), 8"
        );
    }

    #[test]
    fn the_reason_of_an_unsolvable_board_is_its_parity() {
        let cells = [1, 2, 3, 4, 5, 6, 8, 7, 0];
        let why = solvable(3, &cells, Goal::BlankLast).unwrap_err();
        assert!(
            why.starts_with(
                "the permutation is odd while the blank is an even number of moves from its goal cell"
            ),
            "{why}"
        );
        // Loyd's board: 14 and 15 swapped.
        let text = "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0";
        assert!(parse(text, Goal::BlankLast).unwrap().solvable.is_err());
        // The other convention's goal on a board of odd side is an even number of moves away.
        assert!(solvable(3, &[1, 2, 3, 4, 5, 6, 7, 8, 0], Goal::BlankFirst).is_ok());
        assert!(
            solvable(4, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0], Goal::BlankFirst)
                .is_err()
        );
    }

    /// Exactly the boards that are reached from the goal are called solvable.
    #[test]
    fn parity_agrees_with_reachability() {
        for goal in [Goal::BlankLast, Goal::BlankFirst] {
            for side in [2, 3] {
                let start = goal.turn(&super::super::goal_cells(side));
                let mut reached = HashSet::from([start.clone()]);
                let mut stack = vec![start.clone()];
                while let Some(cells) = stack.pop() {
                    let blank = cells.iter().position(|&t| t == 0).unwrap();
                    for from in 0..cells.len() {
                        let steps = (blank / side).abs_diff(from / side)
                            + (blank % side).abs_diff(from % side);
                        if steps == 1 {
                            let mut next = cells.clone();
                            next.swap(blank, from);
                            if reached.insert(next.clone()) {
                                stack.push(next);
                            }
                        }
                    }
                }
                let cells = side * side;
                let half: usize = (3..=cells).product();
                assert_eq!(reached.len(), half);
                for board in &reached {
                    assert_eq!(solvable(side, board, goal), Ok(()));
                    let mut other = board.clone();
                    let tiles: Vec<usize> = (0..cells).filter(|&c| other[c] != 0).collect();
                    other.swap(tiles[0], tiles[1]);
                    assert!(solvable(side, &other, goal).is_err());
                }
            }
        }
    }

    proptest! {
        #[test]
        fn arbitrary_text_is_no_panic(text in "\\PC*") {
            let _ = parse(&text, Goal::BlankLast);
        }

        #[test]
        fn arbitrary_numbers_are_no_panic(text in "([0-9]{1,2}[ ,\n]{0,2}){0,70}") {
            for goal in [Goal::BlankLast, Goal::BlankFirst] {
                if let Ok(parsed) = parse(&text, goal) {
                    prop_assert_eq!(parsed.cells.len(), parsed.side * parsed.side);
                }
            }
        }

        #[test]
        fn every_permutation_is_read_back(cells in (2usize..=8).prop_flat_map(|side| {
            Just((0..(side * side) as u8).collect::<Vec<u8>>()).prop_shuffle()
        })) {
            let words: Vec<String> = cells.iter().map(u8::to_string).collect();
            let parsed = parse(&words.join(" "), Goal::BlankFirst).unwrap();
            prop_assert_eq!(&parsed.cells, &cells);
            let last = parse(&words.join(",\n"), Goal::BlankLast).unwrap();
            prop_assert_eq!(&last.cells, &cells);
        }
    }
}
