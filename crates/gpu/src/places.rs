//! A puzzle as tables: what an action does to each piece, learned from the puzzle's own rules.
//!
//! A state is a row of cells, one for each group of the puzzle's first input of networks, and the value of a cell is the active index of the
//! group. In a puzzle of permutations the cell of a piece says where it lies, and
//!
//! - an action changes the value of a cell to another, whatever the other cells are,
//! - what one cell says of a state, one cell says of its inverse,
//! - each active index of an input of a network follows from one or two cells of the state or of its inverse.
//!
//! Whether a puzzle is like that is not declared: the tables are made of what random walks show, and every further state of a walk must agree with them.

use thiserror::Error;
use unriddle_core::{Inverses, Learnable, Rng};

/// States of a walk from which tables are made.
const LEARNED: usize = 40_000;

/// States of another walk that must agree with them.
const CHECKED: usize = 2_000;

/// A value that no state of the walk had.
const UNSEEN: u8 = 0;

/// Why a puzzle cannot be put into tables.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PlacesError {
    /// Groups of the first input have different numbers of indices, or too many.
    #[error("the groups of the first input do not have equally many indices, 256 at most")]
    Groups,
    /// States have different actions.
    #[error("some states have other actions than others")]
    Actions,
    /// What an action makes of a piece depends on other pieces.
    #[error("what action {0} does to a piece depends on where others are")]
    Action(usize),
    /// The inverse of a state is not one piece for each piece.
    #[error("the inverse of a state does not say of each piece what the state says of one")]
    Inverse,
    /// An index of the input depends on more than two pieces.
    #[error("group {0} of the network's input depends on more than two pieces")]
    Input(usize),
}

/// Where the active index of a group of an input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// One cell or two. Cells of the state are counted from 0, behind them those of its inverse.
    pub cells: Vec<usize>,
    /// The active index by the values of the cells: `values · first + second` of two. `u32::MAX` of values that were never seen together.
    pub indices: Vec<u32>,
}

/// A puzzle as tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// Cells of a state.
    pub cells: usize,
    /// Values of a cell.
    pub values: usize,
    /// Actions, which all states have.
    pub actions: usize,
    /// What an action makes of a value: `values · (cells · action + cell) + value`.
    pub moved: Vec<u8>,
    /// Which cell of the inverse has which value where a cell has a value: `values · cell + value`.
    pub inverse: Vec<(u8, u8)>,
    /// The action that takes each action back.
    pub undo: Vec<u8>,
    /// The groups of the network's input.
    pub sources: Vec<Source>,
}

impl Places {
    /// Learns the tables of a puzzle and of the input that `seen` is seen by, and checks them.
    ///
    /// # Errors
    /// What the puzzle does that no tables say.
    pub fn learn<P: Learnable>(seen: &P, ends: &Inverses<P>) -> Result<Self, PlacesError> {
        let plain = seen.seen_by(0);
        let cells = plain.groups();
        let values = plain.feature_len() / cells.max(1);
        if cells == 0
            || values * cells != plain.feature_len()
            || values > 256
            || 2 * cells > 256
            || seen.action_count() > 127
        {
            return Err(PlacesError::Groups);
        }
        let mut walk = Walk::new(&plain, seen, ends, [cells, values])?;
        let mut tables = Self {
            cells,
            values,
            actions: seen.action_count(),
            moved: vec![UNSEEN; seen.action_count() * cells * values],
            inverse: Vec::new(),
            undo: walk.undo.clone(),
            sources: Vec::new(),
        };
        let states: Vec<Seen> = (0..LEARNED).map(|_| walk.next()).collect::<Result<_, _>>()?;
        for one in &states {
            let made = one.after.iter().zip(one.before());
            for (cell, (&after, &before)) in made.enumerate() {
                let at = tables.moved_at(one.action, cell, before);
                tables.moved[at] = after;
            }
        }
        tables.inverse = inverse_of(&states, [cells, values])?;
        tables.sources = (0..seen.groups())
            .map(|group| source_of(&states, group, values).ok_or(PlacesError::Input(group)))
            .collect::<Result<_, _>>()?;
        // Of a walk that goes on, every state agrees.
        for _ in 0..CHECKED {
            tables.check(&walk.next()?)?;
        }
        states.iter().try_for_each(|one| tables.check(one))?;
        Ok(tables)
    }

    fn moved_at(&self, action: usize, cell: usize, value: u8) -> usize {
        (action * self.cells + cell) * self.values + usize::from(value)
    }

    /// The cells of a state.
    ///
    /// # Errors
    /// The state has no active index in a group, or one of another group.
    pub fn read<P: Learnable>(&self, plain: &P, state: &P::State) -> Result<Vec<u8>, PlacesError> {
        read(plain, state, [self.cells, self.values])
    }

    /// The cells that an action makes of cells.
    #[must_use]
    pub fn after(&self, cells: &[u8], action: usize) -> Vec<u8> {
        let moved = |(cell, &value): (usize, &u8)| self.moved[self.moved_at(action, cell, value)];
        cells.iter().enumerate().map(moved).collect()
    }

    /// The cells of the inverse of a state.
    #[must_use]
    pub fn inverted(&self, cells: &[u8]) -> Vec<u8> {
        let mut inverse = vec![0; self.cells];
        for (cell, &value) in cells.iter().enumerate() {
            let (place, value) = self.inverse[cell * self.values + usize::from(value)];
            inverse[usize::from(place)] = value;
        }
        inverse
    }

    /// The active indices of a state that has these cells.
    #[must_use]
    pub fn active(&self, cells: &[u8]) -> Vec<u32> {
        let both = [cells, &self.inverted(cells)].concat();
        let index = |source: &Source| source.indices[at(&source.cells, &both, self.values)];
        self.sources.iter().map(index).collect()
    }

    fn check(&self, one: &Seen) -> Result<(), PlacesError> {
        if self.after(one.before(), one.action) != one.after {
            return Err(PlacesError::Action(one.action));
        }
        if self.inverted(one.before()) != one.both[self.cells..] {
            return Err(PlacesError::Inverse);
        }
        let active = self.active(one.before());
        match active.iter().zip(&one.active).position(|(a, b)| a != b) {
            Some(group) => Err(PlacesError::Input(group)),
            None => Ok(()),
        }
    }
}

/// The place in a table of the values of one cell or two.
fn at(cells: &[usize], both: &[u8], values: usize) -> usize {
    let place = |place, &cell: &usize| place * values + usize::from(both[cell]);
    cells.iter().fold(0, place)
}

/// A state of a walk, and what comes of it.
struct Seen {
    /// Its cells and those of its inverse.
    both: Vec<u8>,
    active: Vec<u32>,
    action: usize,
    /// Its cells after the action.
    after: Vec<u8>,
}

impl Seen {
    fn before(&self) -> &[u8] {
        &self.both[..self.after.len()]
    }
}

/// A random walk, with what is seen on it.
struct Walk<'a, P: Learnable> {
    plain: &'a P,
    seen: &'a P,
    ends: &'a Inverses<P>,
    shape: [usize; 2],
    state: P::State,
    undo: Vec<u8>,
    rng: Rng,
}

impl<'a, P: Learnable> Walk<'a, P> {
    fn new(
        plain: &'a P,
        seen: &'a P,
        ends: &'a Inverses<P>,
        shape: [usize; 2],
    ) -> Result<Self, PlacesError> {
        let goal = plain.goal_states().first().copied();
        let state = goal.ok_or(PlacesError::Actions)?;
        let mut undo = vec![0; plain.action_count()];
        for action in plain.actions(&state) {
            let back = (ends.inverse)(plain, action);
            undo[plain.action_number(action)] = plain.action_number(back) as u8;
        }
        Ok(Self { plain, seen, ends, shape, state, undo, rng: Rng::new(1) })
    }

    fn next(&mut self) -> Result<Seen, PlacesError> {
        let (plain, state) = (self.plain, self.state);
        let actions: Vec<P::Action> = plain.actions(&state).collect();
        if actions.len() != plain.action_count() {
            return Err(PlacesError::Actions);
        }
        let action = actions[self.rng.below(actions.len() as u64) as usize];
        let mut both = read(plain, &state, self.shape)?;
        let inverse = (self.ends.inverted)(plain, &state);
        both.extend(read(plain, &inverse, self.shape)?);
        let mut active = Vec::new();
        self.seen.active(&state, &mut |index| active.push(index));
        self.state = plain.apply(&state, action);
        let after = read(plain, &self.state, self.shape)?;
        Ok(Seen { both, active, action: plain.action_number(action), after })
    }
}

fn read<P: Learnable>(
    plain: &P,
    state: &P::State,
    [cells, values]: [usize; 2],
) -> Result<Vec<u8>, PlacesError> {
    let mut found = vec![None; cells];
    plain.active(state, &mut |index| {
        if let Some(cell) = found.get_mut(index as usize / values) {
            *cell = Some((index as usize % values) as u8);
        }
    });
    let all: Option<Vec<u8>> = found.into_iter().collect();
    all.ok_or(PlacesError::Groups)
}

/// Of each value of each cell the one that all inverses have in common. A cell that never changes says nothing of others, and stands for itself.
fn inverse_of(states: &[Seen], [cells, values]: [usize; 2]) -> Result<Vec<(u8, u8)>, PlacesError> {
    let fixed = |cell: usize| states.iter().all(|one| one.both[cell] == states[0].both[cell]);
    let moving: Vec<usize> = (0..cells).filter(|&cell| !fixed(cell)).collect();
    let mut common: Vec<Option<Vec<usize>>> = vec![None; cells * values];
    for one in states {
        let (before, inverse) = one.both.split_at(cells);
        let fact = |&cell: &usize| cell * values + usize::from(inverse[cell]);
        for (cell, &value) in before.iter().enumerate() {
            let of = &mut common[cell * values + usize::from(value)];
            match of {
                None if moving.contains(&cell) => *of = Some(moving.iter().map(fact).collect()),
                None => *of = Some(vec![fact(&cell)]),
                Some(left) if left.len() > 1 => left.retain(|&f| f == fact(&(f / values))),
                Some(_) => {}
            }
        }
    }
    let one = |of: Option<Vec<usize>>| match of.as_deref() {
        None => Ok((0, UNSEEN)),
        Some(&[fact]) => Ok(((fact / values) as u8, (fact % values) as u8)),
        Some(_) => Err(PlacesError::Inverse),
    };
    common.into_iter().map(one).collect()
}

/// The cells on which the index of a group depends: as few as can be.
fn source_of(states: &[Seen], group: usize, values: usize) -> Option<Source> {
    let all = states.first()?.both.len();
    let ones = (0..all).map(|cell| vec![cell]);
    let twos = (0..all).flat_map(|cell| (cell + 1..all).map(move |other| vec![cell, other]));
    ones.chain(twos).find_map(|cells| {
        let mut indices = vec![u32::MAX; values.pow(cells.len() as u32)];
        for one in states {
            let index = &mut indices[at(&cells, &one.both, values)];
            if *index != u32::MAX && *index != one.active[group] {
                return None;
            }
            *index = one.active[group];
        }
        Some(Source { cells, indices })
    })
}
