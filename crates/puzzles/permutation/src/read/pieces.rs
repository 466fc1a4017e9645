//! Pieces with orientations, as positions with labels.
//!
//! An orbit of n pieces with m orientations has n·m positions: slot i has the positions of its
//! slots 0 to m − 1, in this order. A piece x with orientation o at slot i has the label
//! (x, (k − o) mod m) at slot k.

use super::{Fault, fault, states::check_positions};
use crate::definition::{Array, Definition, Invalid, MOST_LABELS, MOST_POSITIONS, check_array};

/// Pieces that moves exchange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Orbit {
    pub(super) name: String,
    pub(super) pieces: usize,
    pub(super) orientations: usize,
}

/// Piece of the solved state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Number that identical pieces share, or `None` if any piece is allowed.
    pub(super) number: Option<usize>,
    pub(super) orientation: usize,
    /// Number of orientations that differ: a divisor of all orientations.
    pub(super) modulus: usize,
}

/// Effect of a move on an orbit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Motion {
    /// The slot from which the piece at each slot comes.
    pub(super) permutation: Vec<usize>,
    /// The change of orientation of the piece that arrives at each slot.
    pub(super) delta: Vec<usize>,
}

impl Motion {
    /// Checks the permutation; `at` is its byte.
    pub(super) fn new(
        at: usize,
        permutation: Vec<usize>,
        delta: Vec<usize>,
    ) -> Result<Self, Fault> {
        let array: Array = permutation.iter().map(|&from| from as u16).collect();
        match check_array(&array, array.len()) {
            Ok(()) => Ok(Self { permutation, delta }),
            Err(Invalid(why)) => fault(at, why),
        }
    }
}

/// Adds an orbit; `at` is the byte of its declaration.
pub(super) fn declare(orbits: &mut Vec<Orbit>, at: usize, orbit: Orbit) -> Result<(), Fault> {
    if orbits.iter().any(|other| other.name == orbit.name) {
        return fault(at, format!("two sets of pieces are called `{}`", orbit.name));
    }
    let pieces: usize = orbits.iter().map(|orbit| orbit.pieces).sum();
    check_positions(at, pieces + orbit.pieces)?;
    orbits.push(orbit);
    Ok(())
}

/// Labels of the pieces of a number, at the slots of an orbit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    number: Option<usize>,
    modulus: usize,
    /// Index of its first label.
    first: usize,
}

/// Orbit with its positions.
#[derive(Clone, Debug)]
struct Layout {
    /// The first position.
    base: usize,
    places: usize,
    /// Slots of each slot: the least number that shows all orientations that differ.
    slots: usize,
    kinds: Vec<Kind>,
}

/// Positions of all orbits.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    layouts: Vec<Layout>,
    positions: usize,
    labels: Vec<String>,
    goal: Vec<u8>,
}

impl Pieces {
    /// Positions for the solved state of each orbit; `at` is the byte of the declarations.
    pub(super) fn new(at: usize, orbits: &[Orbit], solved: &[Vec<Piece>]) -> Result<Self, Fault> {
        let mut pieces =
            Self { layouts: Vec::new(), positions: 0, labels: Vec::new(), goal: Vec::new() };
        for ((orbit, solved), prefix) in orbits.iter().zip(solved).zip(prefixes(orbits)) {
            let slots = solved.iter().fold(1, |slots, piece| lcm(slots, piece.modulus));
            let base = pieces.positions;
            pieces.positions = pieces.positions.saturating_add(orbit.pieces.saturating_mul(slots));
            check_positions(at, pieces.positions)?;
            let mut layout = Layout { base, places: orbit.pieces, slots, kinds: Vec::new() };
            for piece in solved {
                let first = pieces.kind(&mut layout.kinds, *piece, &prefix);
                for slot in 0..slots {
                    let turn = slot + piece.modulus - piece.orientation % piece.modulus;
                    let label = first + turn % piece.modulus;
                    let Some(label) = u8::try_from(label).ok().filter(|_| label < MOST_LABELS)
                    else {
                        let why = format!(
                            "expected at most {MOST_LABELS} different labels of pieces and orientations"
                        );
                        return fault(at, why);
                    };
                    pieces.goal.push(label);
                }
            }
            pieces.layouts.push(layout);
        }
        check_positions(at, pieces.positions)?;
        Ok(pieces)
    }

    /// The index of the first label of a piece.
    fn kind(&mut self, kinds: &mut Vec<Kind>, piece: Piece, prefix: &str) -> usize {
        let Piece { number, modulus, .. } = piece;
        let is_same = |kind: &&Kind| kind.number == number && kind.modulus == modulus;
        if let Some(kind) = kinds.iter().find(is_same) {
            return kind.first;
        }
        let others = kinds.iter().filter(|kind| kind.number == number);
        // Letters continue if pieces of a number differ in their visible orientations.
        let letters: usize = others.map(|kind| kind.modulus).sum();
        let first = self.labels.len();
        let number_text = number.map_or("?".to_owned(), |number| number.to_string());
        for turn in 0..modulus {
            let is_single = letters == 0 && modulus == 1;
            let letter = if is_single { String::new() } else { letter(letters + turn) };
            self.labels.push(format!("{prefix}{number_text}{letter}"));
        }
        kinds.push(Kind { number, modulus, first });
        first
    }

    pub(super) fn positions(&self) -> usize {
        self.positions
    }

    /// Sets labels and goal.
    pub(super) fn set_goal(&self, definition: &mut Definition) {
        definition.labels.clone_from(&self.labels);
        definition.goal.clone_from(&self.goal);
    }

    /// The permutation of positions of a move, with its effect on each orbit; an orbit without an
    /// effect stays as it is.
    pub(super) fn array(&self, motions: &[Option<Motion>]) -> Array {
        let mut array: Array = (0..self.positions).map(|at| at as u16).collect();
        for (layout, motion) in self.layouts.iter().zip(motions) {
            let Some(Motion { permutation, delta }) = motion else { continue };
            let (base, slots) = (layout.base, layout.slots);
            for (place, (from, delta)) in permutation.iter().zip(delta).enumerate() {
                for slot in 0..slots {
                    let turned = (slot + slots - delta % slots) % slots;
                    array[base + place * slots + slot] = (base + from * slots + turned) as u16;
                }
            }
        }
        array
    }

    /// Whether the solved state has a label at a position.
    pub(super) fn solves(&self, (position, label): (u16, u8)) -> bool {
        self.goal.get(usize::from(position)) == Some(&label)
    }

    /// Positions and labels of which each shows that a piece of `number` is at a slot of an
    /// orbit, in any orientation. `None` if the orbit has no such slot or piece.
    pub(super) fn forbidden(
        &self,
        orbit: usize,
        place: usize,
        number: usize,
    ) -> Option<Vec<(u16, u8)>> {
        let layout = self.layouts.get(orbit).filter(|layout| place < layout.places)?;
        let kinds = layout.kinds.iter().filter(|kind| kind.number == Some(number));
        // Each orientation has another label at the first slot.
        let position = (layout.base + place * layout.slots) as u16;
        let labels = kinds.flat_map(|kind| kind.first..kind.first + kind.modulus);
        let pairs: Vec<_> = labels.map(|label| (position, label as u8)).collect();
        (!pairs.is_empty()).then_some(pairs)
    }
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut greater, mut less) = (a, b);
    while less > 0 {
        (greater, less) = (less, greater % less);
    }
    (a / greater.max(1)).saturating_mul(b)
}

/// Letters of a number: `a` to `z`, `aa` and so on.
fn letter(number: usize) -> String {
    let last = char::from(b'a' + (number % 26) as u8);
    if number < 26 { last.into() } else { format!("{}{last}", letter(number / 26 - 1)) }
}

/// The first letters of each orbit's name; labels that begin with them are unique.
fn prefixes(orbits: &[Orbit]) -> Vec<String> {
    let stem = |orbit: &Orbit| orbit.name.chars().filter(|sign| sign.is_alphanumeric()).collect();
    let stems: Vec<Vec<char>> = orbits.iter().map(stem).collect();
    let prefix = |(at, stem): (usize, &Vec<char>)| {
        let is_unique = |length: &usize| {
            let begins = |(other, name): (usize, &Vec<char>)| {
                other != at && name.starts_with(&stem[..*length])
            };
            stem[*length - 1].is_alphabetic() && !stems.iter().enumerate().any(begins)
        };
        match (1..=stem.len().min(4)).find(is_unique) {
            Some(length) => stem[..length].iter().collect(),
            // `_` is in no other prefix.
            None => format!("{}{}_", stem.first().copied().unwrap_or('S'), at + 1),
        }
    };
    stems.iter().enumerate().map(prefix).collect()
}

const _: () = assert!(MOST_POSITIONS <= u16::MAX as usize);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::product;

    fn orbit(name: &str, pieces: usize, orientations: usize) -> Orbit {
        Orbit { name: name.to_owned(), pieces, orientations }
    }

    fn piece(number: usize, orientation: usize, modulus: usize) -> Piece {
        Piece { number: Some(number), orientation, modulus }
    }

    #[test]
    fn labels_are_short_and_unique() {
        let names = ["CORNERS", "CENTERS", "EDGES", "EDGES2", "X1", "X11", "..", "..."];
        let orbits = names.map(|name| orbit(name, 1, 1));
        let expected = ["CO", "CE", "E3_", "E4_", "X5_", "X6_", "S7_", "S8_"];
        assert_eq!(prefixes(&orbits), expected);
        assert_eq!([0, 25, 26, 701, 702].map(letter), ["a", "z", "aa", "zz", "aaa"]);
    }

    /// Labels of pieces with orientations, by the definition in the text of the module.
    fn shown(pieces: &Pieces, state: &[(usize, usize)], modulus: usize) -> Vec<u8> {
        let kinds = &pieces.layouts[0].kinds;
        let labels = state.iter().flat_map(|&(number, orientation)| {
            let kind = kinds.iter().find(|kind| kind.number == Some(number)).unwrap();
            let slot = move |slot| kind.first + (slot + modulus - orientation) % modulus;
            (0..modulus).map(slot).map(|label| label as u8)
        });
        labels.collect()
    }

    #[test]
    fn arrays_move_labels_as_moves_move_pieces() {
        let solved = vec![piece(0, 0, 3), piece(1, 2, 3), piece(2, 1, 3)];
        let pieces = Pieces::new(0, &[orbit("C", 3, 3)], &[solved]).unwrap();
        let mut state = vec![(0, 0), (1, 2), (2, 1)];
        assert_eq!(pieces.goal, shown(&pieces, &state, 3));
        let motions = [([1, 2, 0], [1, 0, 2]), ([1, 0, 2], [2, 2, 0]), ([0, 2, 1], [0, 1, 1])];
        let mut total: Array = (0..9).collect();
        for (permutation, delta) in motions {
            let motion = Motion::new(0, permutation.to_vec(), delta.to_vec()).unwrap();
            total = product(&total, &pieces.array(&[Some(motion)]));
            let after = |place: usize| {
                let (number, orientation) = state[permutation[place]];
                (number, (orientation + delta[place]) % 3)
            };
            state = (0..3).map(after).collect();
            let labels: Vec<u8> =
                total.iter().map(|&from| pieces.goal[usize::from(from)]).collect();
            assert_eq!(labels, shown(&pieces, &state, 3));
        }
    }

    #[test]
    fn invisible_orientations_need_no_positions() {
        let solved = vec![piece(0, 0, 1), piece(1, 3, 2)];
        let pieces = Pieces::new(0, &[orbit("C", 2, 4)], &[solved]).unwrap();
        assert_eq!((pieces.positions, &pieces.goal[..]), (4, &[0, 0, 2, 1][..]));
        assert_eq!(pieces.labels, ["C0", "C1a", "C1b"]);
        let motion = Motion::new(0, vec![1, 0], vec![3, 0]).unwrap();
        assert_eq!(pieces.array(&[Some(motion)]), [3, 2, 0, 1]);
    }

    #[test]
    fn forbidden_slots_cover_all_orientations() {
        let solved = vec![piece(1, 0, 2), piece(1, 1, 2), piece(2, 0, 2)];
        let pieces = Pieces::new(0, &[orbit("C", 3, 2)], &[solved]).unwrap();
        assert_eq!(pieces.forbidden(0, 2, 1), Some(vec![(4, 0), (4, 1)]));
        assert_eq!(pieces.forbidden(0, 2, 3), None);
        assert_eq!(pieces.forbidden(0, 3, 1), None);
    }
}
