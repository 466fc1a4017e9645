//! Goal tables: exact distances of all states near the goal, to the greatest distance that fits
//! into a number of bytes. A table contains one state of each class of symmetric and inverse
//! states.
//!
//! A table is a hash set with linear probing. A slot has four bytes: the upper 28 bits of a hash,
//! and the distance plus one; an empty slot is 0. Other bits of the hash give the index of the
//! first slot. About one of 10⁷ states that are farther is taken for a state of the table. The
//! table contains all states of a distance or no state of that distance.

use crate::{
    build::Build,
    error::TableError,
    table::{Table, Width},
    work::Work,
};
use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher as _, Hash, Hasher},
    sync::Arc,
};
use unriddle_core::{Backward, GoalDistances, Inverses, Puzzle, Rng};

/// Greatest distance that a slot can hold.
const MOST: u32 = 14;
/// Largest percentage of slots that are filled.
const FILLED: u64 = 80;
/// Number of paths that are compared with the rules when a table is opened.
const WALKS: usize = 16;
/// Number of expanded states between two reports of progress.
const LOOK: usize = 1 << 12;

/// A hash whose upper and lower bits are independent.
fn hash<S: Hash>(state: &S) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    state.hash(&mut hasher);
    let h = hasher.finish();
    // The finaliser of MurmurHash3.
    let h = (h ^ (h >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let h = (h ^ (h >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    h ^ (h >> 33)
}

/// The index of the first slot of a hash, and its 28 bits.
fn place(hash: u64, slots: usize) -> (usize, u32) {
    let at = (u128::from(hash << 28) * slots as u128) >> 64;
    (at as usize, (hash >> 36) as u32)
}

/// Builder of the goal table of a puzzle.
pub struct GoalTable<P: Puzzle> {
    /// Any instance of the puzzle.
    pub puzzle: P,
    /// Inverses and symmetries of the puzzle.
    pub ends: Inverses<P>,
    /// Goal states.
    pub goals: Vec<P::State>,
    /// Maximum size of the table in bytes.
    pub bytes: u64,
}

impl<P: Backward> GoalTable<P> {
    /// Creates the builder for the puzzle of an instance and a number of bytes.
    pub fn new(puzzle: &P, ends: Inverses<P>, bytes: u64) -> Self
    where
        P: Clone,
    {
        Self { puzzle: puzzle.clone(), ends, goals: puzzle.goal_states(), bytes }
    }
}

/// Slots of a table during its build.
struct Slots(Vec<u32>);

impl Slots {
    /// Adds a hash; `false` if the table contains it.
    fn add(&mut self, hash: u64, distance: u32) -> bool {
        let (mut at, tag) = place(hash, self.0.len());
        loop {
            let slot = self.0[at];
            if slot == 0 {
                self.0[at] = tag << 4 | (distance + 1);
                return true;
            }
            if slot >> 4 == tag {
                return false;
            }
            at = if at + 1 == self.0.len() { 0 } else { at + 1 };
        }
    }

    /// Removes all hashes of the distance that was added last. Earlier hashes keep their slots,
    /// because probing for them never passed a later hash.
    fn remove(&mut self, distance: u32) {
        let last = self.0.iter_mut().filter(|slot| **slot & 15 == distance + 1);
        last.for_each(|slot| *slot = 0);
    }
}

impl<P: Puzzle> Build for GoalTable<P> {
    fn key(&self) -> String {
        let space = (self.ends.space)(&self.puzzle);
        format!("distances near the goal, {space}, {} bytes", self.bytes)
    }

    fn file_stem(&self) -> String {
        let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let space: String = (self.ends.space)(&self.puzzle).chars().map(word).collect();
        format!("near-{space}-{}", self.bytes)
    }

    fn entries(&self) -> u64 {
        self.bytes / 4 * 4
    }

    fn width(&self) -> Width {
        Width::Byte
    }

    /// The slots, their packed form, and the states of the last two distances.
    fn peak(&self) -> u64 {
        2 * self.bytes + self.bytes / 4 * size_of::<P::State>() as u64
    }

    /// Random paths from the goals: goals have the distance 0, the distances of neighbours differ
    /// by at most one, an action leads nearer to a goal, and only states of the greatest distance
    /// have neighbours without one.
    fn check(&self, table: &Table) -> Result<(), String> {
        let of = |state: &P::State| found(table, &(self.ends.folded)(&self.puzzle, state));
        if let Some(goal) = self.goals.iter().take(WALKS).find(|goal| of(goal) != Some(0)) {
            return Err(format!("a goal has the distance {:?}", of(goal)));
        }
        let mut rng = Rng::new(RandomState::new().hash_one(self.bytes));
        // Greatest distance, and least distance of a state with a neighbour that has none.
        let (mut greatest, mut last) = (0, u32::MAX);
        for _ in 0..WALKS {
            let mut at = self.goals.get(rng.below(self.goals.len() as u64) as usize).copied();
            while let Some(state) = at.take()
                && let Some(distance) = of(&state)
            {
                greatest = greatest.max(distance);
                let after = self.puzzle.actions(&state);
                let after: Vec<_> = after.map(|action| self.puzzle.apply(&state, action)).collect();
                let distances: Vec<_> = after.iter().map(of).collect();
                for other in &distances {
                    match *other {
                        None => last = last.min(distance),
                        Some(other) if other.abs_diff(distance) > 1 => {
                            return Err(format!(
                                "a state has distance {distance}, and its neighbour distance {other}"
                            ));
                        }
                        Some(_) => {}
                    }
                }
                let nearer = distance.checked_sub(1);
                if nearer.is_some() && !distances.contains(&nearer) {
                    return Err(format!(
                        "no action leads nearer from a state of distance {distance}"
                    ));
                }
                // A path leads outwards.
                let chosen = rng.below(after.len().max(1) as u64) as usize;
                at = after.get(chosen).copied().filter(|_| distances[chosen] > Some(distance));
            }
        }
        match last < greatest {
            true => Err(format!("a state one action from distance {last} has no distance")),
            false => Ok(()),
        }
    }

    fn build(&self, work: &Work<'_>) -> Result<Vec<u8>, TableError> {
        let count = (self.bytes / 4) as usize;
        let most = count as u64 * FILLED / 100;
        let mut slots = Slots(vec![0; count]);
        let mut layer: Vec<P::State> = Vec::new();
        for goal in &self.goals {
            let folded = (self.ends.folded)(&self.puzzle, goal);
            if slots.add(hash(&folded), 0) {
                layer.push(folded);
            }
        }
        let (mut before, mut all) = (0, layer.len() as u64);
        for distance in 1..=MOST {
            // The number of states grows from distance to distance by nearly the same factor.
            let len = layer.len() as u64;
            let expected = len * len / before.max(1);
            if len == 0 || distance > 2 && all + expected * 9 / 10 > most {
                break;
            }
            let mut next = Vec::new();
            for (i, state) in layer.iter().enumerate() {
                if i % LOOK == 0 && !work.goes_on(all + next.len() as u64, most) {
                    return Err(TableError::Cancelled);
                }
                // A class has the neighbours of any of its states and of that state's inverse.
                for state in [*state, (self.ends.inverted)(&self.puzzle, state)] {
                    for action in self.puzzle.actions(&state) {
                        let child = self.puzzle.apply(&state, action);
                        let folded = (self.ends.folded)(&self.puzzle, &child);
                        if slots.add(hash(&folded), distance) {
                            next.push(folded);
                        }
                    }
                }
                if all + next.len() as u64 > most {
                    break;
                }
            }
            if all + next.len() as u64 > most {
                slots.remove(distance);
                break;
            }
            all += next.len() as u64;
            before = len;
            layer = next;
        }
        Ok(slots.0.iter().flat_map(|slot| slot.to_le_bytes()).collect())
    }
}

/// Distances near the goal, read from a table.
pub struct Distance<P: Puzzle> {
    ends: Inverses<P>,
    table: Arc<Table>,
}

impl<P: Puzzle> Distance<P> {
    /// Creates the distances of a table that a [`GoalTable`] built.
    #[must_use]
    pub fn new(ends: Inverses<P>, table: Arc<Table>) -> Self {
        Self { ends, table }
    }
}

/// The distance of a representative in a table.
fn found<S: Hash>(table: &Table, folded: &S) -> Option<u32> {
    let packed = table.packed();
    let slots = packed.len() / 4;
    let (mut at, tag) = place(hash(folded), slots);
    loop {
        let bytes = packed.get(4 * at..4 * at + 4)?;
        let slot = u32::from_le_bytes(bytes.try_into().ok()?);
        if slot == 0 {
            return None;
        }
        if slot >> 4 == tag {
            return Some((slot & 15) - 1);
        }
        at = if at + 1 == slots { 0 } else { at + 1 };
    }
}

impl<P: Puzzle> GoalDistances<P> for Distance<P> {
    fn distance(&self, puzzle: &P, state: &P::State) -> Option<u32> {
        found(&self.table, &(self.ends.folded)(puzzle, state))
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
    }
}
