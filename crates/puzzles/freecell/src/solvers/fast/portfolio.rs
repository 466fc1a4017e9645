//! The slices of the fast solver, read from `weights/fast.txt` at compile time.
//!
//! Each line is a slice: its number of expansions, a colon, and its weights in order. The example
//! `freecell_tune` reads and writes such lines.

use super::weights::{Slice, WEIGHTS, Weights};

const TEXT: &[u8] = include_bytes!("../../../weights/fast.txt");

/// Number of slices.
const SLICES: usize = {
    let (mut lines, mut at) = (0, 0);
    while at < TEXT.len() {
        lines += (TEXT[at] == b'\n') as usize;
        at += 1;
    }
    lines
};

/// The slices, in order.
pub static PORTFOLIO: [Slice; SLICES] = {
    let mut slices = [Slice { weights: Weights([0; WEIGHTS]), expansions: 0 }; SLICES];
    let (mut at, mut line) = (0, 0);
    while line < SLICES {
        (slices[line].expansions, slices[line].weights, at) = read(TEXT, at);
        line += 1;
    }
    slices
};

/// A line of a text: a number, a colon and weights; and the position after it.
pub(in crate::solvers) const fn read(text: &[u8], at: usize) -> (u64, Weights, usize) {
    let (number, mut at) = digits(text, at);
    assert!(text[at] == b':', "a colon after the number");
    at += 1;
    let (mut weights, mut weight) = (Weights([0; WEIGHTS]), 0);
    while weight < WEIGHTS {
        assert!(text[at] == b' ', "a space before each weight");
        let negative = text[at + 1] == b'-';
        let (value, end) = digits(text, at + 1 + negative as usize);
        weights.0[weight] = if negative { -(value as i16) } else { value as i16 };
        at = end;
        weight += 1;
    }
    assert!(text[at] == b'\n', "a line for each list of weights");
    (number, weights, at + 1)
}

/// The number at a position of the text, and the position after it.
const fn digits(text: &[u8], mut at: usize) -> (u64, usize) {
    let mut value = 0;
    assert!(text[at].is_ascii_digit(), "a number");
    while text[at].is_ascii_digit() {
        value = value * 10 + (text[at] - b'0') as u64;
        at += 1;
    }
    (value, at)
}
