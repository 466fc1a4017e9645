//! Solvability of a board.
//!
//! A slide exchanges the blank and a tile, so it flips the parity of the permutation. It also moves
//! the blank by a cell, so it flips the parity of the blank's distance to its goal cell. The two
//! parities are equal at the goal, and therefore on every board from which the goal can be reached.
//! On a board of at least two rows and columns the converse holds (Johnson and Story 1879). Linear
//! in the number of cells.
//!
//! Reference: Johnson and Story 1879 (American Journal of Mathematics 2).

use crate::{Goal, Shape};

/// Whether the goal of a convention can be reached from a board, with the reason if not. `cells` is
/// a permutation of 0…cells−1.
///
/// # Errors
/// The reason in words.
pub(crate) fn solvable(shape: Shape, cells: &[u8], goal: Goal) -> Result<(), String> {
    let (permutation, distance) = parities(shape, cells, goal);
    if permutation == distance {
        return Ok(());
    }
    let word = |odd: bool| if odd { "odd" } else { "even" };
    let goal = match goal {
        Goal::BlankLast => "blank last",
        Goal::BlankFirst => "blank first",
        Goal::Snail => "snail",
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
fn parities(shape: Shape, cells: &[u8], goal: Goal) -> (bool, bool) {
    let homes = goal.homes(shape);
    let home = |number: u8| usize::from(homes[usize::from(number)]);
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
    (odd, shape.distance(blank, home(0)) % 2 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_reason_of_an_unsolvable_board_is_its_parity() {
        let cells = [1, 2, 3, 4, 5, 6, 8, 7, 0];
        let why = solvable(3.into(), &cells, Goal::BlankLast).unwrap_err();
        assert!(
            why.starts_with(
                "the permutation is odd while the blank is an even number of moves from its goal cell"
            ),
            "{why}"
        );
        // Loyd's board: 14 and 15 swapped.
        let loyd = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 14, 0];
        assert!(solvable(4.into(), &loyd, Goal::BlankLast).is_err());
        // The other convention's goal on a board of odd side is an even number of moves away.
        assert!(solvable(3.into(), &Goal::BlankLast.cells(3.into()), Goal::BlankFirst).is_ok());
        assert!(solvable(4.into(), &Goal::BlankLast.cells(4.into()), Goal::BlankFirst).is_err());
    }

    /// Exactly the boards that are reached from the goal are called solvable.
    #[test]
    fn parity_agrees_with_reachability() {
        let shapes = [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)];
        for (goal, (rows, columns)) in Goal::ALL.into_iter().flat_map(|g| shapes.map(|s| (g, s))) {
            let shape = Shape { rows, columns };
            let start = goal.cells(shape);
            let mut reached = HashSet::from([start.clone()]);
            let mut stack = vec![start.clone()];
            while let Some(cells) = stack.pop() {
                let blank = cells.iter().position(|&t| t == 0).unwrap();
                for from in (0..cells.len()).filter(|&from| shape.distance(blank, from) == 1) {
                    let mut next = cells.clone();
                    next.swap(blank, from);
                    if reached.insert(next.clone()) {
                        stack.push(next);
                    }
                }
            }
            let cells = shape.cells();
            let half: usize = (3..=cells).product();
            assert_eq!(reached.len(), half);
            for board in &reached {
                assert_eq!(solvable(shape, board, goal), Ok(()));
                let mut other = board.clone();
                let tiles: Vec<usize> = (0..cells).filter(|&c| other[c] != 0).collect();
                other.swap(tiles[0], tiles[1]);
                assert!(solvable(shape, &other, goal).is_err());
            }
        }
    }
}
