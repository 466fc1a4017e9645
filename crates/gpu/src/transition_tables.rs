//! Transition tables: the effect of each action on each piece, learned from a random walk.
//!
//! A state is a row of cells, one for each group of the puzzle's first network input. The value of
//! a cell is the active index within the group. In a permutation puzzle a cell is a piece and its
//! value the position of the piece. The tables require that
//!
//! - an action maps the value of a cell to another value, whatever the other cells are,
//! - each cell of a state determines one cell of the inverse state,
//! - each active index of a network's input follows from one or two cells of the state or of its
//!   inverse.
//!
//! A puzzle does not declare these properties. The tables are learned from a random walk, and every
//! further state of the walk must agree with them.

use thiserror::Error;
use unriddle_core::{Inverses, Learnable, Rng};

/// States of the walk from which the tables are learned.
const LEARNED: usize = 40_000;

/// Further states of the walk that must agree with the tables.
const CHECKED: usize = 2_000;

/// Successor of a value that no state of the walk had.
const UNSEEN: u8 = 0;

/// Reason why a puzzle has no transition tables.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TransitionTablesError {
    /// Groups of the first input have different numbers of indices, or too many.
    #[error(
        "the groups of the puzzle's first network input have different numbers of indices, or more than 256"
    )]
    Groups,
    /// The set of legal actions depends on the state.
    #[error("the set of legal actions differs between states")]
    Actions,
    /// The effect of an action on a piece depends on other pieces.
    #[error("the effect of action {0} on a piece depends on the positions of other pieces")]
    Action(usize),
    /// The pieces of a state and of its inverse do not correspond.
    #[error("inverting a state does not permute its pieces one to one")]
    Inverse,
    /// An index of the input depends on more than two pieces.
    #[error("group {0} of the network's input depends on more than two pieces")]
    Input(usize),
}

/// Numbers of cells of a state and of values of a cell.
#[derive(Clone, Copy)]
struct Shape {
    cells: usize,
    values: usize,
}

/// Cells that determine the active index of a group of a network's input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexSource {
    /// Numbers of one or two cells. Cells of the state are counted from 0; cells of the inverse
    /// follow.
    pub cells: Vec<usize>,
    /// Active index by the value of the cell, or by `values · first + second` for two cells;
    /// `u32::MAX` for values that never occurred together.
    pub indices: Vec<u32>,
}

/// Transition tables of a puzzle, and the network input as a function of the cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransitionTables {
    /// Number of cells of a state.
    pub cells: usize,
    /// Number of values of a cell.
    pub values: usize,
    /// Number of actions, which are legal in all states.
    pub actions: usize,
    /// Value of a cell after an action, by `values · (cells · action + cell) + value`.
    pub successors: Vec<u8>,
    /// Cell of the inverse state and its value, by `values · cell + value`.
    pub inverse: Vec<(u8, u8)>,
    /// Action that undoes each action.
    pub undoing: Vec<u8>,
    /// Sources of the groups of the network's input.
    pub sources: Vec<IndexSource>,
}

impl TransitionTables {
    /// Learns the tables of a puzzle and of the network input that `puzzle` selects, and checks
    /// them.
    ///
    /// # Errors
    /// A property of the puzzle that tables cannot represent.
    pub fn learn<P: Learnable>(
        puzzle: &P,
        ends: &Inverses<P>,
    ) -> Result<Self, TransitionTablesError> {
        let plain = puzzle.seen_by(0);
        let cells = plain.groups();
        let values = plain.feature_len() / cells.max(1);
        if cells == 0
            || values * cells != plain.feature_len()
            || values > 256
            || 2 * cells > 256
            || puzzle.action_count() > 127
        {
            return Err(TransitionTablesError::Groups);
        }
        let mut walk = SampleWalk::new(&plain, puzzle, ends, Shape { cells, values })?;
        let mut tables = Self {
            cells,
            values,
            actions: puzzle.action_count(),
            successors: vec![UNSEEN; puzzle.action_count() * cells * values],
            inverse: Vec::new(),
            undoing: walk.undoing.clone(),
            sources: Vec::new(),
        };
        let states: Vec<Sample> = (0..LEARNED).map(|_| walk.next()).collect::<Result<_, _>>()?;
        for one in &states {
            let made = one.after.iter().zip(one.before());
            for (cell, (&after, &before)) in made.enumerate() {
                let at = tables.successor_at(one.action, cell, before);
                tables.successors[at] = after;
            }
        }
        tables.inverse = inverse_of(&states, Shape { cells, values })?;
        tables.sources = (0..puzzle.groups())
            .map(|group| {
                source_of(&states, group, values).ok_or(TransitionTablesError::Input(group))
            })
            .collect::<Result<_, _>>()?;
        // Validate the tables on further states of the walk.
        for _ in 0..CHECKED {
            tables.check(&walk.next()?)?;
        }
        states.iter().try_for_each(|one| tables.check(one))?;
        Ok(tables)
    }

    fn successor_at(&self, action: usize, cell: usize, value: u8) -> usize {
        (action * self.cells + cell) * self.values + usize::from(value)
    }

    /// Cells of a state. `plain` is the puzzle with its first input.
    ///
    /// # Errors
    /// A group has no active index.
    pub fn read<P: Learnable>(
        &self,
        plain: &P,
        state: &P::State,
    ) -> Result<Vec<u8>, TransitionTablesError> {
        read(plain, state, Shape { cells: self.cells, values: self.values })
    }

    /// Cells after an action.
    #[must_use]
    pub fn after(&self, cells: &[u8], action: usize) -> Vec<u8> {
        let next =
            |(cell, &value): (usize, &u8)| self.successors[self.successor_at(action, cell, value)];
        cells.iter().enumerate().map(next).collect()
    }

    /// Cells of the inverse state.
    #[must_use]
    pub fn inverted(&self, cells: &[u8]) -> Vec<u8> {
        let mut inverse = vec![0; self.cells];
        for (cell, &value) in cells.iter().enumerate() {
            let (to, value) = self.inverse[cell * self.values + usize::from(value)];
            inverse[usize::from(to)] = value;
        }
        inverse
    }

    /// Active indices of the network's input for a state with these cells.
    #[must_use]
    pub fn active(&self, cells: &[u8]) -> Vec<u32> {
        let both = [cells, &self.inverted(cells)].concat();
        let index = |source: &IndexSource| source.indices[at(&source.cells, &both, self.values)];
        self.sources.iter().map(index).collect()
    }

    fn check(&self, one: &Sample) -> Result<(), TransitionTablesError> {
        if self.after(one.before(), one.action) != one.after {
            return Err(TransitionTablesError::Action(one.action));
        }
        if self.inverted(one.before()) != one.both[self.cells..] {
            return Err(TransitionTablesError::Inverse);
        }
        let active = self.active(one.before());
        let group = active.iter().zip(&one.active).position(|(a, b)| a != b);
        group.map_or(Ok(()), |group| Err(TransitionTablesError::Input(group)))
    }
}

/// Index in a table by the values of one or two cells.
fn at(cells: &[usize], both: &[u8], values: usize) -> usize {
    let index = |index, &cell: &usize| index * values + usize::from(both[cell]);
    cells.iter().fold(0, index)
}

/// State of the walk and its successor.
struct Sample {
    /// Cells of the state, followed by the cells of its inverse.
    both: Vec<u8>,
    /// Active indices of the network's input.
    active: Vec<u32>,
    action: usize,
    /// Cells after the action.
    after: Vec<u8>,
}

impl Sample {
    fn before(&self) -> &[u8] {
        &self.both[..self.after.len()]
    }
}

/// Random walk that yields samples.
struct SampleWalk<'a, P: Learnable> {
    plain: &'a P,
    puzzle: &'a P,
    ends: &'a Inverses<P>,
    shape: Shape,
    state: P::State,
    undoing: Vec<u8>,
    rng: Rng,
}

impl<'a, P: Learnable> SampleWalk<'a, P> {
    fn new(
        plain: &'a P,
        puzzle: &'a P,
        ends: &'a Inverses<P>,
        shape: Shape,
    ) -> Result<Self, TransitionTablesError> {
        let goal = plain.goal_states().first().copied();
        let state = goal.ok_or(TransitionTablesError::Actions)?;
        let mut undoing = vec![0; plain.action_count()];
        for action in plain.actions(&state) {
            let back = (ends.inverse)(plain, action);
            undoing[plain.action_number(action)] = plain.action_number(back) as u8;
        }
        Ok(Self { plain, puzzle, ends, shape, state, undoing, rng: Rng::new(1) })
    }

    fn next(&mut self) -> Result<Sample, TransitionTablesError> {
        let (plain, state) = (self.plain, self.state);
        let actions: Vec<P::Action> = plain.actions(&state).collect();
        if actions.len() != plain.action_count() {
            return Err(TransitionTablesError::Actions);
        }
        let action = actions[self.rng.below(actions.len() as u64) as usize];
        let mut both = read(plain, &state, self.shape)?;
        let inverse = (self.ends.inverted)(plain, &state);
        both.extend(read(plain, &inverse, self.shape)?);
        let mut active = Vec::new();
        self.puzzle.active(&state, &mut |index| active.push(index));
        self.state = plain.apply(&state, action);
        let after = read(plain, &self.state, self.shape)?;
        Ok(Sample { both, active, action: plain.action_number(action), after })
    }
}

fn read<P: Learnable>(
    plain: &P,
    state: &P::State,
    Shape { cells, values }: Shape,
) -> Result<Vec<u8>, TransitionTablesError> {
    let mut found = vec![None; cells];
    plain.active(state, &mut |index| {
        if let Some(cell) = found.get_mut(index as usize / values) {
            *cell = Some((index as usize % values) as u8);
        }
    });
    let all: Option<Vec<u8>> = found.into_iter().collect();
    all.ok_or(TransitionTablesError::Groups)
}

/// For each (cell, value), the (cell, value) that every observed inverse has. A cell that never
/// changes maps to itself.
fn inverse_of(
    states: &[Sample],
    Shape { cells, values }: Shape,
) -> Result<Vec<(u8, u8)>, TransitionTablesError> {
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
        Some(_) => Err(TransitionTablesError::Inverse),
    };
    common.into_iter().map(one).collect()
}

/// Smallest set of cells that determines the index of a group.
fn source_of(states: &[Sample], group: usize, values: usize) -> Option<IndexSource> {
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
        Some(IndexSource { cells, indices })
    })
}
