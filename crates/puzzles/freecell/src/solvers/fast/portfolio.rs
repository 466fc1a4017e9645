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
        let slice = &mut slices[line];
        (slice.expansions, at) = digits(at);
        assert!(TEXT[at] == b':', "a colon after the expansions");
        at += 1;
        let mut weight = 0;
        while weight < WEIGHTS {
            assert!(TEXT[at] == b' ', "a space before each weight");
            let negative = TEXT[at + 1] == b'-';
            let (value, end) = digits(at + 1 + negative as usize);
            slice.weights.0[weight] = if negative { -(value as i16) } else { value as i16 };
            at = end;
            weight += 1;
        }
        assert!(TEXT[at] == b'\n', "a line for each slice");
        at += 1;
        line += 1;
    }
    slices
};

/// The number at a position of the text, and the position after it.
const fn digits(mut at: usize) -> (u64, usize) {
    let mut value = 0;
    assert!(TEXT[at].is_ascii_digit(), "a number");
    while TEXT[at].is_ascii_digit() {
        value = value * 10 + (TEXT[at] - b'0') as u64;
        at += 1;
    }
    (value, at)
}
