//! Pieces of a puzzle: positions that all moves keep together, found from nothing but the moves.
//!
//! Two positions belong to the same piece if every element of the group that fixes one of them
//! fixes the other as well: the stickers of a corner of a cube, for example. The slots of a piece
//! form a [`Class`]. A piece is described by a *coordinate*: `slot · turns + turn`, where the turn
//! is the orientation of the piece on its slot. A move maps coordinates to coordinates.

use super::{Image, chain::Chain};
use std::collections::HashMap;

/// Slots of pieces that moves exchange, such as the corners of a cube.
#[derive(Clone, Debug)]
pub struct Class {
    /// Number of orientations of a piece on its slot.
    pub turns: usize,
    /// For each coordinate, the positions of the piece's parts, in an order that moves preserve.
    pub positions: Vec<Vec<u16>>,
    /// For each move, the coordinate to which each coordinate is mapped.
    pub moved: Vec<Vec<u16>>,
    /// Whether turns add up: turn `k` is the `k`-th power of turn 1 on every slot.
    pub is_cyclic: bool,
}

impl Class {
    /// Number of slots.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.positions.len() / self.turns
    }

    /// Whether every move preserves the sum of all turns modulo their number.
    #[must_use]
    pub fn preserves_sum(&self) -> bool {
        let sum = |moved: &Vec<u16>| {
            let first = moved.iter().step_by(self.turns);
            first.map(|&to| usize::from(to) % self.turns).sum::<usize>() % self.turns
        };
        self.is_cyclic && self.moved.iter().all(|moved| sum(moved) == 0)
    }

    /// The labels of a state at a coordinate.
    pub fn labels<'s>(
        &'s self,
        state: &'s [u8],
        coordinate: usize,
    ) -> impl Iterator<Item = u8> + 's {
        self.positions[coordinate].iter().map(|&position| state[usize::from(position)])
    }
}

/// The classes of the pieces that `moves` keep together on `points` positions. Positions that no
/// move changes belong to no class.
#[must_use]
pub fn classes(moves: &[Image], points: usize) -> Vec<Class> {
    let mut is_done: Vec<bool> =
        (0..points as u16).map(|p| moves.iter().all(|image| image.of(p) == p)).collect();
    let mut classes = Vec::new();
    while let Some(first) = is_done.iter().position(|done| !done) {
        let first = first as u16;
        let chain = Chain::new(moves, points, &[first]);
        // Fixed together with `first`; positions that no move changes are no part of a piece.
        let linked = chain.fixed_below(1).into_iter();
        let linked = linked.filter(|&p| p != first && !is_done[usize::from(p)]);
        let piece: Vec<u16> = std::iter::once(first).chain(linked).collect();
        // An incomplete chain can fix too much, which the moves contradict.
        let class = class(moves, piece).or_else(|| class(moves, vec![first]));
        let Some(class) = class else { break };
        class.positions.iter().flatten().for_each(|&p| is_done[usize::from(p)] = true);
        classes.push(class);
    }
    classes
}

/// The class of a piece, given its positions on one slot; `None` if a move tears it apart.
fn class(moves: &[Image], piece: Vec<u16>) -> Option<Class> {
    let mut found: HashMap<u16, usize> = HashMap::from([(piece[0], 0)]);
    let mut pieces = vec![piece];
    let mut at = 0;
    while at < pieces.len() {
        for image in moves {
            let moved: Vec<u16> = pieces[at].iter().map(|&p| image.of(p)).collect();
            match found.get(&moved[0]) {
                Some(&known) if pieces[known] != moved => return None,
                Some(_) => {}
                None => {
                    found.insert(moved[0], pieces.len());
                    pieces.push(moved);
                }
            }
        }
        at += 1;
    }
    let mut places: HashMap<Vec<u16>, Vec<usize>> = HashMap::new();
    let mut order = Vec::new();
    for (number, piece) in pieces.iter().enumerate() {
        let mut place = piece.clone();
        place.sort_unstable();
        let on_place = places.entry(place.clone()).or_default();
        if on_place.is_empty() {
            order.push(place);
        }
        on_place.push(number);
    }
    let turns = places[&order[0]].len();
    if places.values().any(|on_place| on_place.len() != turns) {
        return None;
    }
    order.sort_unstable();
    let generator = turn_generator(&pieces, &places[&order[0]]);
    let mut positions = Vec::new();
    for place in &order {
        let first = &pieces[places[place][0]];
        match &generator {
            Some(generator) => {
                let mut piece = first.clone();
                for _ in 0..turns {
                    positions.push(piece.clone());
                    piece = generator.iter().map(|&slot| piece[slot]).collect();
                }
            }
            None => positions.extend(places[place].iter().map(|&number| pieces[number].clone())),
        }
    }
    let numbers: HashMap<u16, u16> =
        positions.iter().zip(0..).map(|(piece, number)| (piece[0], number)).collect();
    let mut moved = Vec::new();
    for image in moves {
        let to = positions.iter().map(|piece| numbers.get(&image.of(piece[0])).copied());
        moved.push(to.collect::<Option<Vec<u16>>>()?);
    }
    Some(Class { turns, positions, moved, is_cyclic: generator.is_some() })
}

/// The permutation of a piece's parts whose powers are all turns on a slot; `None` for turns
/// without such a permutation.
fn turn_generator(pieces: &[Vec<u16>], on_place: &[usize]) -> Option<Vec<usize>> {
    let first = &pieces[on_place[0]];
    let slots = |piece: &Vec<u16>| -> Option<Vec<usize>> {
        piece.iter().map(|position| first.iter().position(|other| other == position)).collect()
    };
    let order = |slots: &[usize]| {
        let mut power = slots.to_vec();
        (1..).find(|_| {
            let is_identity = power.iter().enumerate().all(|(at, &slot)| at == slot);
            power = power.iter().map(|&slot| slots[slot]).collect();
            is_identity
        })
    };
    let mut all = on_place.iter().filter_map(|&number| slots(&pieces[number]));
    all.find(|slots| order(slots) == Some(on_place.len()))
}

/// Pieces of the goal with the same labels, which are interchangeable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Number of its class.
    pub class: usize,
    /// Labels of its parts.
    pub labels: Vec<u8>,
    /// Number of pieces.
    pub count: usize,
    /// Number of orientations with different labels.
    pub turns: usize,
    /// For each coordinate of the class, the first coordinate on the same slot at which a piece of
    /// this kind looks the same.
    pub seen: Vec<u16>,
}

/// The kinds of the pieces of a goal.
#[must_use]
pub fn kinds(classes: &[Class], goal: &[u8]) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for (number, class) in classes.iter().enumerate() {
        let first = kinds.len();
        for place in 0..class.slots() {
            let mut known = kinds[first..].iter_mut();
            match known.find(|kind| kind.coordinate(class, goal, place).is_some()) {
                Some(kind) => kind.count += 1,
                None => kinds.push(Kind::at(number, class, goal, place)),
            }
        }
    }
    kinds
}

impl Kind {
    /// The kind of the piece on a slot of the goal.
    fn at(number: usize, class: &Class, goal: &[u8], place: usize) -> Self {
        let labels: Vec<u8> = class.labels(goal, place * class.turns).collect();
        let looks_alike = |one: usize, other: usize| {
            let (one, other) = (&class.positions[one], &class.positions[other]);
            let label = |position| one.iter().position(|&p| p == position).map(|at| labels[at]);
            other.iter().zip(&labels).all(|(&position, &seen)| label(position) == Some(seen))
        };
        let seen = |coordinate: usize| {
            let first = coordinate - coordinate % class.turns;
            (first..coordinate).find(|&other| looks_alike(coordinate, other)).unwrap_or(coordinate)
        };
        let seen: Vec<u16> = (0..class.positions.len()).map(|at| seen(at) as u16).collect();
        let turns = (0..).zip(&seen).take(class.turns).filter(|&(at, &seen)| at == seen).count();
        Self { class: number, labels, count: 1, turns, seen }
    }

    /// The first coordinate of a piece of this kind on a slot of a state; `None` if another piece
    /// is there.
    #[must_use]
    pub fn coordinate(&self, class: &Class, state: &[u8], place: usize) -> Option<usize> {
        let first = place * class.turns;
        let is_here = |&at: &usize| class.labels(state, at).eq(self.labels.iter().copied());
        (first..first + class.turns).find(is_here)
    }
}
