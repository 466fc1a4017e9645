//! Square-1: a cube of wedges, of which half turns over.
//!
//! The top layer is positions 0 to 11, slots of 30° clockwise as seen from above. The bottom layer
//! is positions 12 to 23, clockwise as seen from below. The cut divides both layers before their
//! slots 0 and 6. Slots 0 to 5 are the right half: slots 0 are at the back of the top and at the
//! front of the bottom, so that the right half turned over brings each slot to the slot with the
//! same number in the other layer. The middle layer has two positions: the upper and the lower side
//! of its right half.
//!
//! An edge fills one slot and has a digit as its label. A corner fills two slots: the first has a
//! capital letter, the second the small letter. A corner across the cut blocks the turn of the
//! right half. Such states are illegal, and a turn of a layer by any angle is a single move.

use super::{POWERS, closed, in_order, named};
use crate::definition::{Array, Definition, Invalid, identity};
use std::ops::Range;

/// Slots of a layer.
const SLOTS: usize = 12;

/// Slots of half a layer.
const HALF: usize = SLOTS / 2;

/// The labels of the solved puzzle: both layers, and the middle layer.
const SOLVED: [&str; 3] = ["Aa1Bb2Cc3Dd4", "5Ee6Ff7Gg8Hh", "Mm"];

/// Positions of the middle layer.
const MIDDLE: [usize; 2] = [2 * SLOTS, 2 * SLOTS + 1];

/// The Square-1.
pub(super) fn square1() -> Result<Definition, Invalid> {
    let labels: Vec<String> =
        SOLVED.iter().flat_map(|layer| layer.chars()).map(String::from).collect();
    let goal = in_order(&labels);
    let moves = vec![
        named("U", turn(labels.len(), 0..SLOTS)),
        named("D", turn(labels.len(), SLOTS..2 * SLOTS)),
        named("/", slash(labels.len())),
    ];
    let illegal = illegal(&labels);
    let name = "Square-1".to_owned();
    closed(Definition { name, labels, goal, moves, illegal, ..Definition::default() }, POWERS)
}

/// Clockwise turn of a layer by a slot.
fn turn(positions: usize, layer: Range<usize>) -> Array {
    let mut array = identity(positions);
    array[layer].rotate_right(1);
    array
}

/// The right half turned over.
fn slash(positions: usize) -> Array {
    let mut array = identity(positions);
    for slot in 0..HALF {
        array.swap(slot, SLOTS + slot);
    }
    array.swap(MIDDLE[0], MIDDLE[1]);
    array
}

/// Second halves of corners just after the cut, where the first halves are before it.
fn illegal(labels: &[String]) -> Vec<(u16, u8)> {
    let is_second = |label: &str| label.bytes().all(|sign| sign.is_ascii_lowercase());
    let slots = labels.iter().enumerate().take(2 * SLOTS);
    let second: Vec<u8> =
        slots.filter(|(_, label)| is_second(label)).map(|(index, _)| index as u8).collect();
    let after_cut = (0..2 * SLOTS).step_by(HALF);
    after_cut.flat_map(|slot| second.iter().map(move |&label| (slot as u16, label))).collect()
}
