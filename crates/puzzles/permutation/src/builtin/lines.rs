//! Puzzles of a row or of a ring whose labels all differ: pancakes, Top Spin, and generators of the
//! symmetric group.

use super::{INVERSES, closed, in_order, named, numbers};
use crate::definition::{Array, Definition, Invalid, Move, identity};

/// Label of the plate under the pancakes. The plate never moves. It is a position because the last
/// pancake is in order only if it is next to the plate, which a lower bound can then count.
const PLATE: &str = "_";

/// A puzzle whose goal has each label once, in order.
fn ordered(name: String, labels: Vec<String>, moves: Vec<Move>) -> Definition {
    let goal = in_order(&labels);
    Definition { name, labels, goal, moves, ..Definition::default() }
}

/// The move that reverses the first `count` positions.
fn reversal(positions: usize, count: usize) -> Array {
    let mut array = identity(positions);
    array[..count].reverse();
    array
}

/// The move that swaps two positions, named by them.
fn transposition(positions: usize, [first, second]: [usize; 2]) -> Move {
    let mut array = identity(positions);
    array.swap(first, second);
    named(format!("{first}-{second}"), array)
}

/// A stack of pancakes of sizes 1 to `pancakes`, from its top, with the plate below. A move is
/// named by the number of pancakes that it reverses.
pub(super) fn pancake(pancakes: usize) -> Result<Definition, Invalid> {
    let mut labels = numbers(1..pancakes + 1);
    labels.push(PLATE.to_owned());
    let flip = |count: usize| named(count.to_string(), reversal(pancakes + 1, count));
    let moves = (2..=pancakes).map(flip).collect();
    Ok(ordered(format!("{pancakes} pancakes"), labels, moves))
}

/// A stack of pancakes that are burnt at one side, with the plate below. A pancake has two
/// positions, its sides from above: `3` is the good side of the third pancake and `-3` its burnt
/// side, so that the first labels of all pancakes are the stack as a signed permutation.
pub(super) fn burnt_pancake(pancakes: usize) -> Result<Definition, Invalid> {
    let sides = |pancake: usize| [pancake.to_string(), format!("-{pancake}")];
    let mut labels: Vec<String> = (1..=pancakes).flat_map(sides).collect();
    labels.push(PLATE.to_owned());
    let positions = labels.len();
    let flip = |count: usize| named(count.to_string(), reversal(positions, 2 * count));
    let moves = (1..=pancakes).map(flip).collect();
    Ok(ordered(format!("{pancakes} burnt pancakes"), labels, moves))
}

/// A ring of tokens 1 to `tokens`. Move `r` brings the token of each position to the next one, and
/// `t` reverses the tokens at the first `turned` positions.
pub(super) fn top_spin([tokens, turned]: [usize; 2]) -> Result<Definition, Invalid> {
    if turned > tokens {
        return Err(Invalid(format!(
            "expected a turntable of 2 to {tokens} tokens, found {turned}"
        )));
    }
    let mut rotation = identity(tokens);
    rotation.rotate_right(1);
    let moves = vec![named("r", rotation), named("t", reversal(tokens, turned))];
    let name = format!("Top Spin, {tokens} tokens, turntable of {turned}");
    closed(ordered(name, numbers(1..tokens + 1), moves), INVERSES)
}

/// The symmetric group with the generators of a cycle: `L` shifts all labels to the left, `R` to
/// the right, and `X` swaps the first two. Labels count from 0, as positions.
pub(super) fn symmetric(positions: usize) -> Result<Definition, Invalid> {
    let [mut left, mut right, mut swap] = [(); 3].map(|()| identity(positions));
    left.rotate_left(1);
    right.rotate_right(1);
    swap.swap(0, 1);
    let moves = vec![named("L", left), named("R", right), named("X", swap)];
    Ok(ordered(format!("Row of {positions}, shifts and a swap"), numbers(0..positions), moves))
}

/// The symmetric group with the swaps of two neighbours. Labels count from 0, as positions.
pub(super) fn transpositions(positions: usize) -> Result<Definition, Invalid> {
    let moves = (1..positions).map(|second| transposition(positions, [second - 1, second]));
    let name = format!("Row of {positions}, swaps of neighbours");
    Ok(ordered(name, numbers(0..positions), moves.collect()))
}

/// The symmetric group with all swaps. Labels count from 0, as positions.
pub(super) fn all_transpositions(positions: usize) -> Result<Definition, Invalid> {
    let pairs = (0..positions).flat_map(|a| (a + 1..positions).map(move |b| [a, b]));
    let moves = pairs.map(|pair| transposition(positions, pair)).collect();
    Ok(ordered(format!("Row of {positions}, swaps"), numbers(0..positions), moves))
}
