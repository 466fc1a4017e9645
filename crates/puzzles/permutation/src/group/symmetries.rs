//! Symmetries of a puzzle: exchanges of positions, labels and moves that leave its rules the same.
//!
//! A symmetry maps position `p` to φ(p), label `l` to λ(l) and move `m` to σ(m), so that
//! φ ∘ m = σ(m) ∘ φ for the arrays of the moves, and goal(φ(p)) = λ(goal(p)). It maps states to
//! states at the same distance from the goal: rotations and mirror images of a cube, for example.
//!
//! They are found by choosing φ of a position and σ of the moves one by one. Each choice
//! determines others, which contradict most choices at once.

use crate::definition::{Definition, cycles};

/// Most symmetries that are listed.
const MOST: usize = 96;

/// Most choices that are tried.
const TRIES: usize = 100_000;

/// Symmetry of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// For each position, the position to which it is mapped.
    pub positions: Vec<u16>,
    /// For each label, the label to which it is mapped.
    pub labels: Vec<u8>,
    /// For each move, the move to which it is mapped.
    pub moves: Vec<u8>,
}

impl Symmetry {
    /// The symmetric state.
    #[must_use]
    pub fn image(&self, state: &[u8]) -> Vec<u8> {
        let mut image = vec![0; state.len()];
        for (&label, &to) in state.iter().zip(&self.positions) {
            image[usize::from(to)] = self.labels[usize::from(label)];
        }
        image
    }

    fn is_identity(&self) -> bool {
        self.positions.iter().zip(0..).all(|(&to, from)| to == from)
    }
}

/// Symmetries of a puzzle without the identity: all of them, or some where there are many. A puzzle
/// with forbidden states has none here.
#[must_use]
pub fn symmetries(definition: &Definition) -> Vec<Symmetry> {
    if !definition.illegal.is_empty() {
        return Vec::new();
    }
    let mut search = Search::new(definition);
    search.next_choice(&Map::new(definition));
    search.found
}

/// Values of φ, λ and σ that are known so far.
#[derive(Clone)]
struct Map {
    positions: Vec<Option<u16>>,
    labels: Vec<Option<u8>>,
    moves: Vec<Option<u8>>,
    is_taken: Vec<bool>,
    is_label_taken: Vec<bool>,
}

impl Map {
    fn new(definition: &Definition) -> Self {
        let (positions, labels) = (definition.goal.len(), definition.labels.len());
        Self {
            positions: vec![None; positions],
            labels: vec![None; labels],
            moves: vec![None; definition.moves.len()],
            is_taken: vec![false; positions],
            is_label_taken: vec![false; labels],
        }
    }
}

struct Search<'d> {
    definition: &'d Definition,
    /// For each move, the lengths of its cycles.
    types: Vec<Vec<usize>>,
    /// Whether moves change a position.
    is_moved: Vec<bool>,
    tries: usize,
    found: Vec<Symmetry>,
}

impl<'d> Search<'d> {
    fn new(definition: &'d Definition) -> Self {
        let lengths = |array: &Vec<u16>| {
            let mut lengths: Vec<usize> = cycles(array).iter().map(Vec::len).collect();
            lengths.sort_unstable();
            lengths
        };
        let is_moved =
            |at: usize| definition.moves.iter().any(|step| usize::from(step.array[at]) != at);
        Self {
            types: definition.moves.iter().map(|step| lengths(&step.array)).collect(),
            is_moved: (0..definition.goal.len()).map(is_moved).collect(),
            definition,
            tries: TRIES,
            found: Vec::new(),
        }
    }

    /// Chooses σ of a move that changes a position with a known φ, otherwise φ of a position: every
    /// choice then has consequences.
    fn next_choice(&mut self, map: &Map) {
        let position =
            (0..map.positions.len()).find(|&at| self.is_moved[at] && map.positions[at].is_none());
        let mut steps = (0..map.moves.len()).filter(|&step| map.moves[step].is_none());
        let changes = |step: &usize| {
            let mut array = self.definition.moves[*step].array.iter().enumerate();
            array.any(|(at, &from)| usize::from(from) != at && map.positions[at].is_some())
        };
        match (steps.clone().find(changes), position) {
            (Some(step), _) => self.choose_move(map, step),
            (None, Some(position)) => self.choose_position(map, position),
            (None, None) => match steps.next() {
                // A move that changes nothing.
                Some(step) => self.choose_move(map, step),
                None => self.end(map),
            },
        }
    }

    /// Whether another choice may be tried.
    fn goes_on(&mut self) -> bool {
        let goes_on = self.tries > 0 && self.found.len() < MOST;
        self.tries = self.tries.saturating_sub(1);
        goes_on
    }

    fn choose_position(&mut self, map: &Map, position: usize) {
        for image in 0..map.positions.len() {
            if !self.is_moved[image] || map.is_taken[image] || !self.goes_on() {
                continue;
            }
            let mut next = map.clone();
            if self.set(&mut next, position, image) {
                self.next_choice(&next);
            }
        }
    }

    fn choose_move(&mut self, map: &Map, step: usize) {
        for image in 0..map.moves.len() {
            let is_used = map.moves.contains(&Some(image as u8));
            if is_used || self.types[step] != self.types[image] || !self.goes_on() {
                continue;
            }
            let mut next = map.clone();
            next.moves[step] = Some(image as u8);
            let known: Vec<usize> =
                (0..next.positions.len()).filter(|&at| next.positions[at].is_some()).collect();
            if known.into_iter().all(|position| self.follow(&mut next, position, step)) {
                self.next_choice(&next);
            }
        }
    }

    /// Sets φ of a position and of all positions that follow; `false` for a contradiction.
    fn set(&self, map: &mut Map, position: usize, image: usize) -> bool {
        let mut open = vec![[position, image]];
        while let Some([position, image]) = open.pop() {
            match map.positions[position] {
                Some(known) if usize::from(known) == image => continue,
                None if !map.is_taken[image] => {}
                _ => return false,
            }
            map.positions[position] = Some(image as u16);
            map.is_taken[image] = true;
            if !self.set_label(map, position, image) {
                return false;
            }
            for (step, &to) in map.moves.iter().enumerate() {
                let Some(to) = to else { continue };
                let arrays = [step, usize::from(to)].map(|step| &self.definition.moves[step].array);
                open.push([arrays[0][position].into(), arrays[1][image].into()]);
            }
        }
        true
    }

    /// Sets λ of the label that a position has in the goal.
    fn set_label(&self, map: &mut Map, position: usize, image: usize) -> bool {
        let goal = &self.definition.goal;
        let (label, image) = (usize::from(goal[position]), goal[image]);
        match map.labels[label] {
            Some(known) => known == image,
            None => {
                map.labels[label] = Some(image);
                !std::mem::replace(&mut map.is_label_taken[usize::from(image)], true)
            }
        }
    }

    /// Sets φ of the position to which a known move relates a known position.
    fn follow(&self, map: &mut Map, position: usize, step: usize) -> bool {
        let (Some(image), Some(to)) = (map.positions[position], map.moves[step]) else {
            return true;
        };
        let moves = &self.definition.moves;
        let next = moves[step].array[position];
        let image = moves[usize::from(to)].array[usize::from(image)];
        self.set(map, next.into(), image.into())
    }

    /// Completes a map by the positions that no move changes, and keeps it.
    fn end(&mut self, map: &Map) {
        let goal = &self.definition.goal;
        let mut map = map.clone();
        let fixed: Vec<usize> = (0..goal.len()).filter(|&at| !self.is_moved[at]).collect();
        for &position in &fixed {
            let known = map.labels[usize::from(goal[position])];
            let mut images = fixed.iter().filter(|&&image| {
                let label = usize::from(goal[image]);
                !map.is_taken[image]
                    && known.map_or(!map.is_label_taken[label], |known| usize::from(known) == label)
            });
            let Some(&image) = images.next() else { return };
            map.positions[position] = Some(image as u16);
            map.is_taken[image] = true;
            if !self.set_label(&mut map, position, image) {
                return;
            }
        }
        // A label that the goal does not have stays.
        let labels = map.labels.iter().zip(0..).map(|(label, own)| label.or(Some(own)));
        let symmetry = Symmetry {
            positions: map.positions.iter().filter_map(|&image| image).collect(),
            labels: labels.flatten().collect(),
            moves: map.moves.iter().filter_map(|&image| image).collect(),
        };
        if !symmetry.is_identity() && !self.found.contains(&symmetry) {
            self.found.push(symmetry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{builtin::builtin, definition::product};
    use unriddle_core::Rng;

    #[test]
    fn solids_have_their_symmetries() {
        for (name, count) in [
            ("cube-3", 47),
            ("cube-3-quarter", 47),
            // Inner layers may be exchanged without the outer ones.
            ("cube-4", 95),
            ("pyraminx", 23),
            // A fixed corner leaves the rotations about it, and mirror images.
            ("cube-2", 5),
            ("skewb", 5),
            ("pancake-6", 0),
            ("square-1", 0),
        ] {
            let definition = builtin(name).unwrap().unwrap();
            assert_eq!(symmetries(&definition).len(), count, "{name}");
        }
    }

    #[test]
    fn symmetries_map_moves_to_moves() {
        let mut rng = Rng::new(1);
        for name in ["cube-2", "cube-3", "wreath-6-6", "globe-2-3", "top-spin-7-4", "megaminx"] {
            let definition = builtin(name).unwrap().unwrap();
            let all = symmetries(&definition);
            assert!(!all.is_empty(), "{name}");
            for symmetry in all {
                assert_eq!(symmetry.image(&definition.goal), definition.goal, "{name}");
                let mut array = crate::definition::identity(definition.goal.len());
                let mut image = array.clone();
                let after = |array: &[u16]| -> Vec<u8> {
                    array.iter().map(|&from| definition.goal[usize::from(from)]).collect()
                };
                for _ in 0..10 {
                    let step = rng.below(definition.moves.len() as u64) as usize;
                    let to = usize::from(symmetry.moves[step]);
                    array = product(&array, &definition.moves[step].array);
                    image = product(&image, &definition.moves[to].array);
                    assert_eq!(symmetry.image(&after(&array)), after(&image), "{name}");
                }
            }
        }
    }
}
