//! Positions from which no solution is left, as far as it is seen at a glance.

use crate::board::{Bits, Board, and, has, is_empty, meet, one, or, without};
use crate::level::Way;

/// Whether boxes hold each other so that some of them, not all on goals, can never be pushed again. Nothing is
/// reported if the box on `cell` is not held. Sound: what is reported has no solution.
///
/// A box can be pushed along an axis only if both cells beside it on the axis are free, and usefully only if one of them is
/// [live](crate::bound::Distances::live). Boxes that can are taken away, whatever the player can reach, until none is left that can.
#[inline]
#[must_use]
pub fn frozen<const W: usize>(
    board: &Board<W>,
    live: &Bits<W>,
    boxes: &Bits<W>,
    cell: &Bits<W>,
) -> bool {
    let mut left = *boxes;
    loop {
        let free = without(&board.floor, &left);
        let open = and(&free, live);
        let axis = |there: Way| {
            let back = there.back();
            let both = and(&board.step(&free, there), &board.step(&free, back));
            and(
                &both,
                &or(&board.step(&open, there), &board.step(&open, back)),
            )
        };
        let movable = and(&left, &or(&axis(Way(0)), &axis(Way(1))));
        if is_empty(&movable) {
            break;
        }
        left = without(&left, &movable);
        if !meet(&left, cell) {
            return false;
        }
    }
    !is_empty(&without(&left, &board.goals))
}

/// The boxes that hold each other in a position that [`frozen`] reports for one of them; none if there is no such.
#[must_use]
pub fn holding<const W: usize>(board: &Board<W>, live: &Bits<W>, boxes: &Bits<W>) -> Bits<W> {
    let mut held = [0; W];
    for bit in crate::board::Each(*boxes) {
        if !has(live, bit) || frozen(board, live, boxes, &one(bit)) {
            held = or(&held, &one(bit));
        }
    }
    held
}
