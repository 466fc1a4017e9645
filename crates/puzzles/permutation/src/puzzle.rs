//! Instance of a permutation puzzle, and the effect of its moves.

use crate::{
    definition::Definition,
    document,
    rules::{Change, MoveSet, Rules, contains},
};
use std::sync::Arc;
use unriddle_core::{
    Backward, GoalPuzzle, Invertible, Notation, ParseError, Puzzle, Reversible, text,
};

/// Name of the puzzle.
pub(crate) const NAME: &str = "permutation";

/// Label of each position, as an index of [`Definition::labels`]; 0 behind the last position.
pub type Labels<const N: usize> = [u8; N];

/// Cursor over the legal moves of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves(MoveSet);

impl Iterator for Moves {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let (word, bits) = self.0.iter_mut().enumerate().find(|(_, bits)| **bits != 0)?;
        let bit = bits.trailing_zeros();
        *bits &= *bits - 1;
        Some((word as u32 * 64 + bit) as u8)
    }
}

/// Instance of a permutation puzzle with at most `N` positions.
#[derive(Clone, Debug)]
pub struct Permutation<const N: usize> {
    pub(crate) rules: Arc<Rules>,
    start: Labels<N>,
    goal: Labels<N>,
}

#[inline]
fn changed<const N: usize>(state: &Labels<N>, changes: &[Change]) -> Labels<N> {
    let mut after = *state;
    for change in changes {
        after[usize::from(change.to)] = state[usize::from(change.from)];
    }
    after
}

/// A state of `N` bytes.
fn padded<const N: usize>(state: &[u8]) -> Labels<N> {
    let mut padded = [0; N];
    padded[..state.len()].copy_from_slice(state);
    padded
}

impl<const N: usize> Permutation<N> {
    /// The instance of rules with a start, which has one label for each position.
    ///
    /// # Panics
    /// The puzzle has more than `N` positions.
    #[must_use]
    pub fn new(rules: Arc<Rules>, start: &[u8]) -> Self {
        Self { start: padded(start), goal: padded(&rules.definition.goal), rules }
    }

    /// The rules that all instances of the puzzle share.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The puzzle's definition.
    #[must_use]
    pub fn definition(&self) -> &Definition {
        &self.rules.definition
    }

    /// The goal of the definition.
    #[must_use]
    pub fn goal(&self) -> &Labels<N> {
        &self.goal
    }

    /// The labels of a state, without the unused bytes.
    #[must_use]
    pub fn labels<'s>(&self, state: &'s Labels<N>) -> &'s [u8] {
        &state[..self.rules.positions()]
    }

    /// Number of positions at which a state differs from the goal.
    #[must_use]
    pub fn misplaced(&self, state: &Labels<N>) -> usize {
        state.iter().zip(&self.goal).filter(|(label, goal)| label != goal).count()
    }

    fn is_legal(&self, state: &Labels<N>) -> bool {
        let illegal = &self.rules.definition.illegal;
        illegal.iter().all(|&(position, label)| state[usize::from(position)] != label)
    }

    /// The moves of a set that are legal in a state.
    fn legal(&self, state: &Labels<N>, moves: MoveSet) -> Moves {
        if self.rules.definition.illegal.is_empty() {
            return Moves(moves);
        }
        let mut legal = moves;
        for step in Moves(moves) {
            if !self.is_legal(&self.apply(state, step)) {
                legal[usize::from(step) / 64] &= !(1 << (step % 64));
            }
        }
        Moves(legal)
    }
}

impl<const N: usize> Puzzle for Permutation<N> {
    type State = Labels<N>;
    type Action = u8;
    type Actions = Moves;

    fn initial_state(&self) -> Labels<N> {
        self.start
    }

    #[inline]
    fn actions(&self, state: &Labels<N>) -> Moves {
        self.legal(state, self.rules.all)
    }

    #[inline]
    fn actions_after(&self, state: &Labels<N>, last: u8) -> Moves {
        let undoing = &self.rules.undoing[usize::from(last)];
        let mut moves = self.rules.all;
        moves.iter_mut().zip(undoing).for_each(|(moves, undoing)| *moves &= !undoing);
        self.legal(state, moves)
    }

    #[inline]
    fn apply(&self, state: &Labels<N>, step: u8) -> Labels<N> {
        changed(state, &self.rules.forward[usize::from(step)])
    }

    #[inline]
    fn is_inverse(&self, last: u8, next: u8) -> bool {
        contains(&self.rules.undoing[usize::from(last)], next)
    }

    #[inline]
    fn commutes_after(&self, last: u8, next: u8) -> bool {
        contains(&self.rules.redundant[usize::from(last)], next)
    }

    /// The state in which each position has a label of its own; no state if a label has too few
    /// bits, or if moves can be illegal.
    fn generic_states(&self) -> Vec<Labels<N>> {
        let numbers: Result<Vec<u8>, _> = (0..self.rules.positions()).map(u8::try_from).collect();
        let numbers = numbers.ok().filter(|_| self.rules.definition.illegal.is_empty());
        numbers.map(|numbers| padded(&numbers)).into_iter().collect()
    }

    fn action_code(&self, step: u8) -> u8 {
        step
    }
}

impl<const N: usize> GoalPuzzle for Permutation<N> {
    #[inline]
    fn is_goal(&self, state: &Labels<N>) -> bool {
        match self.rules.definition.wildcards {
            0 => *state == self.goal,
            wildcards => self.misplaced(state) <= wildcards,
        }
    }
}

/// The only goal state is the goal of the definition: with wildcards it is a representative.
impl<const N: usize> Backward for Permutation<N> {
    fn predecessors(&self, state: &Labels<N>, visit: &mut dyn FnMut(Labels<N>, u8)) {
        for (changes, step) in self.rules.back.iter().zip(0..) {
            let before = changed(state, changes);
            if self.is_legal(&before) {
                visit(before, step);
            }
        }
    }

    fn goal_states(&self) -> Vec<Labels<N>> {
        vec![self.goal]
    }
}

/// A move without an inverse among the moves is its own "inverse"; such a puzzle does not declare
/// that its states have inverses.
impl<const N: usize> Reversible for Permutation<N> {
    fn inverse(&self, step: u8) -> u8 {
        self.rules.inverses[usize::from(step)].unwrap_or(step)
    }
}

impl<const N: usize> Invertible for Permutation<N> {
    /// If position `i` has the label that belongs to position `j`, position `j` of the inverse has
    /// the label that belongs to position `i`.
    fn inverted(&self, state: &Labels<N>) -> Labels<N> {
        let mut home = [0_u16; 256];
        for (&label, position) in self.labels(&self.goal).iter().zip(0..) {
            home[usize::from(label)] = position;
        }
        let mut inverted = *state;
        for (&label, &own) in self.labels(state).iter().zip(&self.goal) {
            inverted[usize::from(home[usize::from(label)])] = own;
        }
        inverted
    }

    fn space(&self) -> String {
        format!("permutation {:016x}", self.rules.id)
    }
}

impl<const N: usize> Notation for Permutation<N> {
    fn state_text(&self, state: &Labels<N>) -> String {
        document::text(self.definition(), self.labels(state))
    }

    fn solution_text(&self, steps: &[u8]) -> String {
        let moves = &self.definition().moves;
        let names: Vec<&str> =
            steps.iter().map(|&step| moves[usize::from(step)].name.as_str()).collect();
        names.join(" ")
    }

    /// Names are separated by blanks, or by dots.
    fn parse_solution(&self, solution: &str) -> Result<Vec<u8>, ParseError> {
        let moves = &self.definition().moves;
        let find = |name: &str| moves.iter().position(|step| step.name == name);
        let mut state = self.start;
        let mut steps = Vec::new();
        for ((line, column), word) in text::placed(solution) {
            let names: Vec<&str> = match find(word) {
                Some(_) => vec![word],
                None => word.split('.').collect(),
            };
            for name in names {
                let number = steps.len() + 1;
                let refused = |why: String| {
                    ParseError::at(line, column, format!("move {number} (`{name}`): {why}"))
                };
                let step = find(name)
                    .ok_or_else(|| refused("expected a move of the puzzle".to_owned()))?
                    as u8;
                let after = self.apply(&state, step);
                if !self.is_legal(&after) {
                    return Err(refused("it leads to a forbidden state".to_owned()));
                }
                state = after;
                steps.push(step);
            }
        }
        Ok(steps)
    }
}
