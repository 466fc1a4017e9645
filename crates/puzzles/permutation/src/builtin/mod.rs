//! Built-in puzzles, whose definitions are computed.
//!
//! The name of a puzzle contains its sizes, as in `cube-3`, `wreath-6-7` or `pancake-10`.
//! [`KINDS`] lists all kinds.

mod cube;
mod lines;
mod rings;
mod solids;
mod square1;
#[cfg(test)]
mod tests;
mod turns;

use crate::definition::{Array, Closure, Definition, Invalid, MOST_LABELS, Move};
use cube::Turns;
use rings::Beads;
use std::ops::RangeInclusive;

/// Kind of built-in puzzles, which differ in their sizes.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Form of the names. A single capital letter, as in `wreath-A-B`, represents a size.
    pub name: &'static str,
    /// Text with the possible sizes; empty for a single puzzle.
    pub sizes: &'static str,
    /// Description in a line.
    pub text: &'static str,
    /// Name of a puzzle of the kind.
    pub example: &'static str,
    /// Smallest and largest value of each size.
    limits: &'static [RangeInclusive<usize>],
    build: Build,
}

/// Function that computes a definition. Sizes that the kind does not have are 0.
type Build = fn([usize; 2]) -> Result<Definition, Invalid>;

/// Kinds of built-in puzzles.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "cube-N",
        sizes: "2 to 7",
        text: "Rubik's cube, turns of layers by any angle",
        example: "cube-3",
        limits: &[2..=7],
        build: |[side, _]| cube::cube(side, Turns::Half),
    },
    Kind {
        name: "cube-N-quarter",
        sizes: "2 to 7",
        text: "Rubik's cube, quarter turns of layers",
        example: "cube-3-quarter",
        limits: &[2..=7],
        build: |[side, _]| cube::cube(side, Turns::Quarter),
    },
    Kind {
        name: "cube-N-slices",
        sizes: "2 to 7",
        text: "Rubik's cube, quarter turns of all layers",
        example: "cube-3-slices",
        limits: &[2..=7],
        build: |[side, _]| cube::cube(side, Turns::Slices),
    },
    Kind {
        name: "pyraminx",
        sizes: "",
        text: "tetrahedron, turns about its vertices, with tips",
        example: "pyraminx",
        limits: &[],
        build: |_| solids::pyraminx(),
    },
    Kind {
        name: "skewb",
        sizes: "",
        text: "cube, turns of its halves about corners",
        example: "skewb",
        limits: &[],
        build: |_| solids::skewb(),
    },
    Kind {
        name: "megaminx",
        sizes: "",
        text: "dodecahedron, turns of its faces by any angle",
        example: "megaminx",
        limits: &[],
        build: |_| solids::megaminx(),
    },
    Kind {
        name: "square-1",
        sizes: "",
        text: "cube of wedges that changes its shape",
        example: "square-1",
        limits: &[],
        build: |_| square1::square1(),
    },
    Kind {
        name: "wreath-A-B",
        sizes: "3 to 256 each",
        text: "two rings of beads that cross, beads of three kinds",
        example: "wreath-6-6",
        limits: &[3..=256, 3..=256],
        build: |sizes| rings::wreath(sizes, Beads::Kinds),
    },
    Kind {
        name: "wreath-A-B-distinct",
        sizes: "3 to 255 each, A + B at most 258",
        text: "two rings of beads that cross, all beads different",
        example: "wreath-6-6-distinct",
        limits: &[3..=255, 3..=255],
        build: |sizes| rings::wreath(sizes, Beads::Distinct),
    },
    Kind {
        name: "globe-A-B",
        sizes: "A 1 to 63, B 1 to 64, at most 512 cells",
        text: "A + 1 rings of 2B cells, flips of its halves",
        example: "globe-3-4",
        limits: &[1..=63, 1..=64],
        build: rings::globe,
    },
    Kind {
        name: "pancake-N",
        sizes: "2 to 60",
        text: "stack of pancakes, reversals of its top",
        example: "pancake-10",
        limits: &[2..=60],
        build: |[pancakes, _]| lines::pancake(pancakes),
    },
    Kind {
        name: "burnt-pancake-N",
        sizes: "1 to 60",
        text: "stack of pancakes with two different sides",
        example: "burnt-pancake-10",
        limits: &[1..=60],
        build: |[pancakes, _]| lines::burnt_pancake(pancakes),
    },
    Kind {
        name: "top-spin-N-K",
        sizes: "N 3 to 60, K 2 to N",
        text: "ring of N tokens, a turntable reverses K of them",
        example: "top-spin-20-4",
        limits: &[3..=60, 2..=60],
        build: lines::top_spin,
    },
    Kind {
        name: "symmetric-N",
        sizes: "3 to 256",
        text: "row: shifts L and R, and X, a swap of the first two",
        example: "symmetric-10",
        limits: &[3..=MOST_LABELS],
        build: |[positions, _]| lines::symmetric(positions),
    },
    Kind {
        name: "transpositions-N",
        sizes: "2 to 256",
        text: "row, swaps of two neighbours",
        example: "transpositions-10",
        limits: &[2..=MOST_LABELS],
        build: |[positions, _]| lines::transpositions(positions),
    },
    Kind {
        name: "all-transpositions-N",
        sizes: "2 to 23",
        text: "row, swaps of any two",
        example: "all-transpositions-10",
        limits: &[2..=23],
        build: |[positions, _]| lines::all_transpositions(positions),
    },
];

/// The built-in puzzle of a name such as `cube-3` or `pancake-10`; `None` for an unknown kind.
///
/// # Errors
/// A size that does not exist, or a wrong number of sizes.
#[must_use]
pub fn builtin(name: &str) -> Option<Result<Definition, Invalid>> {
    let found = KINDS.iter().find_map(|kind| Some((kind, kind.sizes_in(name)?)));
    if let Some((kind, sizes)) = found {
        let refused = |Invalid(why)| Invalid(format!("`{name}`: {why}"));
        return Some(kind.definition(&sizes).map_err(refused));
    }
    let Kind { name: form, example, .. } = KINDS.iter().find(|kind| kind.is_resized_in(name))?;
    let like = if form == example { String::new() } else { format!(", such as {example}") };
    Some(Err(Invalid(format!("`{name}`: expected the form {form}{like}"))))
}

impl Kind {
    /// The words of a name at the sizes of the kind's form, if the other words are the form's.
    fn sizes_in<'a>(&self, name: &'a str) -> Option<Vec<&'a str>> {
        let mut words = name.split('-');
        let mut sizes = Vec::new();
        for expected in self.name.split('-') {
            let word = words.next()?;
            match is_size(expected) {
                true if is_number(word) => sizes.push(word),
                false if word == expected => {}
                _ => return None,
            }
        }
        words.next().is_none().then_some(sizes)
    }

    /// Whether a name is the kind's form without its sizes, or with another number of sizes.
    fn is_resized_in(&self, name: &str) -> bool {
        let mut words = name.split('-');
        let mut literals = self.name.split('-').filter(|word| !is_size(word));
        literals.all(|literal| words.next() == Some(literal)) && words.all(is_number)
    }

    fn definition(&self, words: &[&str]) -> Result<Definition, Invalid> {
        let mut sizes = [0; 2];
        for ((size, word), limits) in sizes.iter_mut().zip(words).zip(self.limits) {
            let is_possible = |size: &usize| limits.contains(size);
            *size = word.parse().ok().filter(is_possible).ok_or_else(|| {
                let (least, most) = (limits.start(), limits.end());
                Invalid(format!(
                    "expected a size of {least} to {most}, such as {}, found {word}",
                    self.example
                ))
            })?;
        }
        let definition = (self.build)(sizes)?;
        definition.check()?;
        Ok(definition)
    }
}

/// Whether a word of a kind's form represents a size.
fn is_size(word: &str) -> bool {
    word.len() == 1 && word.bytes().all(|sign| sign.is_ascii_uppercase())
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|sign| sign.is_ascii_digit())
}

/// Inverses as further moves.
const INVERSES: Closure = Closure { inverses: true, powers: false };

/// Inverses and powers as further moves.
const POWERS: Closure = Closure { inverses: true, powers: true };

/// A move of a name.
fn named(name: impl Into<String>, array: Array) -> Move {
    Move { name: name.into(), array }
}

/// Adds inverses, named as `U'`, and powers to a definition.
fn closed(mut definition: Definition, closure: Closure) -> Result<Definition, Invalid> {
    definition.close(closure, |name| format!("{name}'"))?;
    Ok(definition)
}

/// Labels that are numbers.
fn numbers(range: std::ops::Range<usize>) -> Vec<String> {
    range.map(|number| number.to_string()).collect()
}

/// The goal that has each label once, in order.
fn in_order(labels: &[String]) -> Vec<u8> {
    // Definitions with more labels than a byte has values are refused.
    (0..labels.len()).map(|label| label as u8).collect()
}
