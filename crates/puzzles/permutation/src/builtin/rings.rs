//! Puzzles of rings: wreaths, whose rings cross, and globes, whose rings are parallel.

use super::{INVERSES, closed, in_order, named, numbers};
use crate::definition::{Array, Definition, Invalid, MOST_LABELS, identity};

/// Labels of the beads of a wreath.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beads {
    /// Label A for the beads of the left ring, B for the beads of the right ring, and C for the
    /// beads at the two crossings.
    Kinds,
    /// The number of the bead's position in the goal.
    Distinct,
}

/// The move that brings the label of each position of a ring to the next one.
fn rotation(positions: usize, ring: &[usize]) -> Array {
    let mut array = identity(positions);
    for (&from, &to) in ring.iter().zip(ring.iter().cycle().skip(1)) {
        array[to] = from as u16;
    }
    array
}

/// Two rings with `left` and `right` beads, which share two positions.
///
/// The left ring is positions 0 to `left - 1`, clockwise. The rings cross at position 0, at the
/// top, and at position `left / 3` below it. Then follow the other positions of the right ring,
/// clockwise from the top. The crossings divide it in the same way: its part within the left ring
/// has `right / 3 - 1` beads, so that rings of equal size are mirror images.
pub(super) fn wreath([left, right]: [usize; 2], beads: Beads) -> Result<Definition, Invalid> {
    let positions = left + right - 2;
    let crossing = left / 3;
    // The clockwise way from the top to the lower crossing is the outer part of the right ring.
    let outer = right - right / 3 - 1;
    let right_ring: Vec<usize> = std::iter::once(0)
        .chain(left..left + outer)
        .chain(std::iter::once(crossing))
        .chain(left + outer..positions)
        .collect();
    let left_ring: Vec<usize> = (0..left).collect();
    let (labels, goal) = match beads {
        Beads::Kinds => {
            let kind = |at: usize| match at {
                at if at == 0 || at == crossing => 2,
                at => u8::from(at >= left),
            };
            (["A", "B", "C"].map(str::to_owned).to_vec(), (0..positions).map(kind).collect())
        }
        Beads::Distinct => {
            let labels = numbers(0..positions);
            let goal = in_order(&labels);
            (labels, goal)
        }
    };
    let moves = vec![
        named("l", rotation(positions, &left_ring)),
        named("r", rotation(positions, &right_ring)),
    ];
    let title = if beads == Beads::Distinct { ", different beads" } else { "" };
    let name = format!("Wreath {left}/{right}{title}");
    closed(Definition { name, labels, goal, moves, ..Definition::default() }, INVERSES)
}

/// A globe with `parallels + 1` rows of `2 * half` cells, row by row from the north.
///
/// Move `r0` rotates the first row by a cell to the east. Move `f0` turns the half of the globe
/// that begins at column 0 upside down: it exchanges rows and reverses the order of columns. Labels
/// are the numbers of cells in the goal; on a globe of more cells than labels, two neighbours share
/// a label.
pub(super) fn globe([parallels, half]: [usize; 2]) -> Result<Definition, Invalid> {
    let (rows, columns) = (parallels + 1, 2 * half);
    let positions = rows * columns;
    let mut moves = Vec::new();
    for row in 0..rows {
        let ring: Vec<usize> = (row * columns..(row + 1) * columns).collect();
        moves.push(named(format!("r{row}"), rotation(positions, &ring)));
    }
    for first in 0..columns {
        let mut array = identity(positions);
        for row in 0..rows {
            for offset in 0..half {
                let to = row * columns + (first + offset) % columns;
                let from = (parallels - row) * columns + (first + half - 1 - offset) % columns;
                array[to] = from as u16;
            }
        }
        moves.push(named(format!("f{first}"), array));
    }
    let (labels, goal) = if positions <= MOST_LABELS {
        let labels = numbers(0..positions);
        let goal = in_order(&labels);
        (labels, goal)
    } else {
        let pair = |at: usize| (at / 2) as u8;
        (numbers(0..positions / 2), (0..positions).map(pair).collect())
    };
    let name = format!("Globe {parallels}/{half}");
    closed(Definition { name, labels, goal, moves, ..Definition::default() }, INVERSES)
}
