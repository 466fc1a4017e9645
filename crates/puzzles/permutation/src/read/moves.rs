//! Moves of a file, with the names that its sequences may use.

use super::{Fault, fault, sequence, sequence::Step};
use crate::definition::{
    Array, Closure, Definition, Invalid, MOST_MOVES, Move, check_array, identity, inverse, order,
    product,
};
use std::collections::{HashMap, HashSet};

/// Move that a sequence defines.
#[derive(Clone, Debug)]
pub(super) struct Derived {
    /// The byte of its name.
    pub(super) at: usize,
    pub(super) name: String,
    /// The byte of its sequence.
    pub(super) content: usize,
    pub(super) sequence: String,
    /// Whether its name is only for other sequences.
    pub(super) is_word: bool,
}

/// Moves in the order of the file.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    positions: usize,
    list: Vec<Move>,
    /// Permutations of all names, also of names that are not moves.
    words: HashMap<String, Array>,
    /// Permutations of the moves and their powers.
    known: HashSet<Array>,
}

impl Moves {
    pub(super) fn new(positions: usize) -> Self {
        let known = HashSet::from([identity(positions)]);
        Self { positions, list: Vec::new(), words: HashMap::new(), known }
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.words.contains_key(name)
    }

    /// Adds a name for sequences that is not a move.
    pub(super) fn word(&mut self, at: usize, name: &str, array: Array) -> Result<(), Fault> {
        check_array(&array, self.positions)
            .or_else(|Invalid(why)| fault(at, format!("move `{name}`: {why}")))?;
        match self.words.insert(name.to_owned(), array) {
            None => Ok(()),
            Some(_) => fault(at, format!("two moves are called `{name}`")),
        }
    }

    /// Adds a move; `at` is the byte of its name.
    pub(super) fn push(&mut self, at: usize, name: &str, array: Array) -> Result<(), Fault> {
        let is_bad = |sign: char| sign.is_whitespace() || matches!(sign, ';' | '=');
        if name.is_empty() || name.contains(is_bad) {
            return fault(
                at,
                format!("expected a name of a move without blanks, `;` and `=`, found `{name}`"),
            );
        }
        self.word(at, name, array.clone())?;
        let mut power = array.clone();
        // More moves and powers are refused when the moves are closed.
        while self.known.len() <= 2 * MOST_MOVES && self.known.insert(power.clone()) {
            power = product(&power, &array);
        }
        self.list.push(Move { name: name.to_owned(), array });
        Ok(())
    }

    /// Adds the moves that sequences define. A sequence may contain any of their names. With
    /// `is_new`, a move is not added if it is a power of another move.
    pub(super) fn derive(&mut self, mut all: Vec<Derived>, is_new: bool) -> Result<(), Fault> {
        if let Some(first) = all.get(4 * MOST_MOVES) {
            return fault(first.at, format!("expected at most {} sequences", 4 * MOST_MOVES));
        }
        while !all.is_empty() {
            let mut later = Vec::new();
            let mut first_fault = None;
            let count = all.len();
            for derived in all {
                match self.total(derived.content, &derived.sequence) {
                    Ok(array) if derived.is_word || is_new && self.known.contains(&array) => {
                        self.word(derived.at, &derived.name, array)?;
                    }
                    Ok(array) => self.push(derived.at, &derived.name, array)?,
                    Err(fault) => {
                        first_fault.get_or_insert(fault);
                        later.push(derived);
                    }
                }
            }
            if let Some(fault) = first_fault.filter(|_| later.len() == count) {
                return Err(fault);
            }
            all = later;
        }
        Ok(())
    }

    /// The permutation of a sequence that begins at the byte `at`.
    pub(super) fn total(&self, at: usize, sequence: &str) -> Result<Array, Fault> {
        let is_name = |name: &str| self.contains(name);
        let steps =
            sequence::steps(sequence, &is_name).or_else(|inner| fault(at + inner.at, inner.why))?;
        let mut total = identity(self.positions);
        for Step { name, exponent } in &steps {
            if let Some(array) = self.words.get(name) {
                total = product(&total, &power(array, *exponent));
            }
        }
        Ok(total)
    }

    /// The moves, with inverses and powers, as moves of `definition`.
    pub(super) fn close(
        self,
        definition: &mut Definition,
        closure: Closure,
        inverse_name: impl Fn(&str) -> String,
    ) -> Result<(), Invalid> {
        if self.list.is_empty() {
            return Err(Invalid("expected at least one move, found none".to_owned()));
        }
        definition.moves = self.list;
        definition.close(closure, inverse_name)
    }
}

/// A power of a permutation.
fn power(array: &[u16], exponent: i32) -> Array {
    let mut base = if exponent < 0 { inverse(array) } else { array.to_vec() };
    let mut rest = u64::from(exponent.unsigned_abs()) % order(array).max(1);
    let mut power = identity(array.len());
    while rest > 0 {
        if rest % 2 == 1 {
            power = product(&power, &base);
        }
        base = product(&base, &base);
        rest /= 2;
    }
    power
}

/// Name of an inverse: `U'`.
pub(super) fn primed(name: &str) -> String {
    format!("{name}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_apply_their_moves_in_order() {
        let mut moves = Moves::new(3);
        moves.push(0, "r", vec![1, 2, 0]).unwrap();
        moves.push(0, "s", vec![1, 0, 2]).unwrap();
        let apply = |state: &[u16], array: &[u16]| product(state, array);
        let state = apply(&apply(&[0, 1, 2], &[1, 2, 0]), &[1, 0, 2]);
        assert_eq!(moves.total(0, "r s"), Ok(state));
        assert_eq!(moves.total(0, "r2 r'"), Ok(vec![1, 2, 0]));
    }
}
