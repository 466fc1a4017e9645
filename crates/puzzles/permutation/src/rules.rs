//! Tables of a puzzle that all its instances share: changed positions of each move, redundant pairs
//! of moves, pieces, and the group.

use crate::{
    definition::{Array, Definition, identity, inverse, product},
    document,
    group::{
        Image,
        chain::Chain,
        pieces::{Class, Kind, classes, kinds},
        symmetries::{Symmetry, symmetries},
    },
    inputs::Inputs,
    neighbours::Adjacency,
};
use std::{collections::HashSet, sync::OnceLock};
use xxhash_rust::xxh3::xxh3_64;

/// Set of moves as bits.
pub type MoveSet = [u64; 4];

fn insert(set: &mut MoveSet, step: usize) {
    set[step / 64] |= 1 << (step % 64);
}

/// Whether a set contains a move.
#[inline]
#[must_use]
pub fn contains(set: &MoveSet, step: u8) -> bool {
    set[usize::from(step) / 64] >> (step % 64) & 1 == 1
}

/// Position whose label a move replaces by the label of another position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The changed position.
    pub to: u16,
    /// The position whose label it receives.
    pub from: u16,
}

fn changes(array: &[u16]) -> Vec<Change> {
    let all = array.iter().zip(0..).map(|(&from, to)| Change { to, from });
    all.filter(|change| change.to != change.from).collect()
}

/// Rules of a puzzle: its definition, and tables that follow from it.
#[derive(Debug)]
pub struct Rules {
    /// The definition.
    pub definition: Definition,
    /// The changes of each move.
    pub forward: Vec<Vec<Change>>,
    /// The most positions that a move changes.
    pub most_changes: usize,
    /// The changes that undo each move.
    pub back: Vec<Vec<Change>>,
    /// The move that undoes each move.
    pub inverses: Vec<Option<u8>>,
    /// All moves.
    pub all: MoveSet,
    /// For each move, the moves that undo it.
    pub undoing: Vec<MoveSet>,
    /// For each move, the moves after which another sequence with the same effect is kept.
    pub redundant: Vec<MoveSet>,
    /// Whether each label of a position that moves change occurs once.
    pub is_distinct: bool,
    /// Hash of the moves and the goal.
    pub id: u64,
    /// Inputs of networks.
    pub inputs: Inputs,
    pieces: OnceLock<Pieces>,
    chain: OnceLock<Chain>,
    adjacency: OnceLock<Adjacency>,
    symmetries: OnceLock<Vec<Symmetry>>,
}

/// Rules are equal if their definitions are.
impl PartialEq for Rules {
    fn eq(&self, other: &Self) -> bool {
        self.definition == other.definition
    }
}

/// Pieces of a puzzle.
#[derive(Debug)]
pub struct Pieces {
    /// Classes of slots.
    pub classes: Vec<Class>,
    /// Kinds of pieces.
    pub kinds: Vec<Kind>,
}

impl Rules {
    /// The rules of a checked definition.
    #[must_use]
    pub fn new(definition: Definition) -> Self {
        let arrays: Vec<&Array> = definition.moves.iter().map(|step| &step.array).collect();
        let back: Vec<Array> = arrays.iter().map(|array| inverse(array)).collect();
        let find = |array: &Array| arrays.iter().position(|other| *other == array);
        let mut all = MoveSet::default();
        (0..arrays.len()).for_each(|step| insert(&mut all, step));
        let mut undoing = vec![MoveSet::default(); arrays.len()];
        for (last, undoing) in undoing.iter_mut().enumerate() {
            let is_back = |&next: &usize| *arrays[next] == back[last];
            (0..arrays.len()).filter(is_back).for_each(|next| insert(undoing, next));
        }
        let moved: Vec<usize> = (0..definition.goal.len())
            .filter(|&at| arrays.iter().any(|a| usize::from(a[at]) != at))
            .collect();
        let count = |label: u8| definition.goal.iter().filter(|&&other| other == label).count();
        let is_distinct = moved.iter().all(|&at| count(definition.goal[at]) == 1);
        let written = {
            let bare = Definition { name: String::new(), net: None, ..definition.clone() };
            document::text(&bare, &bare.goal)
        };
        let forward: Vec<Vec<Change>> = arrays.iter().map(|array| changes(array)).collect();
        Self {
            most_changes: forward.iter().map(Vec::len).max().unwrap_or(0),
            forward,
            inverses: back.iter().map(|array| find(array).map(|at| at as u8)).collect(),
            redundant: match definition.illegal.is_empty() {
                true => redundant(&arrays),
                // Another order could pass through a forbidden state.
                false => vec![MoveSet::default(); arrays.len()],
            },
            back: back.iter().map(|array| changes(array)).collect(),
            all,
            undoing,
            is_distinct,
            id: xxh3_64(written.as_bytes()),
            inputs: Inputs::new(&definition),
            pieces: OnceLock::new(),
            chain: OnceLock::new(),
            adjacency: OnceLock::new(),
            symmetries: OnceLock::new(),
            definition,
        }
    }

    /// Number of positions.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.definition.goal.len()
    }

    /// The moves as mappings of positions.
    #[must_use]
    pub fn images(&self) -> Vec<Image> {
        self.definition.moves.iter().map(|step| Image::of_array(&step.array)).collect()
    }

    /// The pieces that moves keep together.
    pub fn pieces(&self) -> &Pieces {
        self.pieces.get_or_init(|| {
            let classes = classes(&self.images(), self.positions());
            let kinds = kinds(&classes, &self.definition.goal);
            Pieces { classes, kinds }
        })
    }

    /// Neighbouring positions of the goal.
    pub fn adjacency(&self) -> &Adjacency {
        self.adjacency.get_or_init(|| Adjacency::new(&self.definition))
    }

    /// Symmetries without the identity.
    pub fn symmetries(&self) -> &[Symmetry] {
        self.symmetries.get_or_init(|| symmetries(&self.definition))
    }

    /// The group of the moves.
    pub fn chain(&self) -> &Chain {
        self.chain.get_or_init(|| Chain::new(&self.images(), self.positions(), &[]))
    }

    /// Whether every state has an inverse at the same distance from the goal: all labels differ,
    /// the goal is the only one, and every move can be undone and is always legal.
    #[must_use]
    pub fn has_inverses(&self) -> bool {
        self.is_distinct
            && self.definition.wildcards == 0
            && self.definition.illegal.is_empty()
            && self.inverses.iter().all(Option::is_some)
    }
}

/// The pairs of moves with the effect of no move, of one move, or of an earlier pair.
fn redundant(arrays: &[&Array]) -> Vec<MoveSet> {
    let mut known: HashSet<Array> = arrays.iter().map(|array| (*array).clone()).collect();
    known.insert(identity(arrays.first().map_or(0, |array| array.len())));
    let mut redundant = vec![MoveSet::default(); arrays.len()];
    for (last, redundant) in redundant.iter_mut().enumerate() {
        for (next, array) in arrays.iter().enumerate() {
            if !known.insert(product(arrays[last], array)) {
                insert(redundant, next);
            }
        }
    }
    redundant
}
