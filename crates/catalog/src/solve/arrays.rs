//! States of a puzzle as arrays of bytes, and estimates that a program gives to a search.

use super::net::unlikeliness;
use crate::{
    declare::{
        goal::Goal,
        heuristic::{ErasedHeuristic, Setup},
        learning::ArraysOf,
    },
    interface::{
        arrays::{ArrayError, Arrays, Evaluator},
        values::SolveError,
    },
};
use std::sync::Arc;
use unriddle_core::{
    BatchHeuristic, Guarantee, Info, Options, Rng, Role, Row, Rows, Steps, Walk, options,
    rows::Children,
};
use unriddle_search::qbeam::ActionValues;
#[cfg(feature = "ranks")]
use {
    crate::declare::ends::BeamSetup,
    unriddle_search::spread::{RowBytes, SpreadBeam, SpreadSetup},
};

/// Name of the heuristic.
pub(super) const NAME: &str = "callable";

/// Declaration of the heuristic.
pub(super) const INFO: Info = Info {
    guarantee: "none: it may overestimate",
    requires: "a program that gives the function, such as one in Python; a search that estimates many states at a time",
    parameters: CallableConfig::PARAMETERS,
    ..Info::new(Role::Heuristic, NAME, "estimates by a function of the program that solves")
};

options! {
    /// Options of estimates by a function.
    pub(super) struct CallableConfig of INFO {
        policy: bool = "off",
            "take the estimates of actions for a policy's logits",
            "A search that chooses actions then prefers likely actions. Otherwise the estimates are costs.";
    }
}

/// The functions of a puzzle whose states are rows.
pub(crate) const fn functions<P: Goal + Rows>() -> ArraysOf<P> {
    ArraysOf {
        arrays: |puzzle| Box::new(PuzzleArrays(puzzle.seen_by(0))),
        heuristic: |puzzle, setup| {
            let evaluator = evaluator(setup, 1, "one estimate of each state")?;
            Ok(ErasedHeuristic::Batch(Box::new(ByFunction::new(puzzle, evaluator, false))))
        },
        actions: |puzzle, setup| {
            let needs = "an estimate of each action";
            let evaluator = evaluator(setup, puzzle.action_count(), needs)?;
            let config = CallableConfig::read(setup.given);
            Ok(Box::new(ByFunction::new(puzzle, evaluator, config.policy)))
        },
        #[cfg(feature = "ranks")]
        spread: |setup, inverses, ranks| {
            let BeamSetup { puzzle, h, near, threads, config, below } = setup;
            let setup = SpreadSetup {
                puzzle,
                heuristic: h,
                inverses,
                goal_table: near,
                bytes: Box::new(RowBytes(puzzle.seen_by(0))),
                ranks,
                threads,
                below,
            };
            Ok(Box::new(SpreadBeam::new(setup, config)?))
        },
    }
}

/// The evaluator of a request, which has a number of outputs.
fn evaluator(
    setup: &Setup<'_>,
    outputs: usize,
    needs: &str,
) -> Result<Arc<dyn Evaluator>, SolveError> {
    match setup.request.evaluator {
        None => Err(SolveError::Unsupported(format!(
            "`{NAME}` is a function of the program that solves, which did not give one"
        ))),
        Some(evaluator) if evaluator.outputs() != outputs => {
            let found = evaluator.outputs();
            Err(SolveError::Unsupported(format!(
                "this search needs {needs}, {outputs} in all: the function has {found}"
            )))
        }
        Some(evaluator) => Ok(Arc::clone(evaluator)),
    }
}

/// Estimates by an evaluator.
struct ByFunction<P> {
    /// The puzzle with its usual input, to which the bytes of rows belong.
    seen: P,
    evaluator: Arc<dyn Evaluator>,
    is_policy: bool,
}

impl<P: Rows> ByFunction<P> {
    fn new(puzzle: &P, evaluator: Arc<dyn Evaluator>, is_policy: bool) -> Self {
        Self { seen: puzzle.seen_by(0), evaluator, is_policy }
    }

    fn write(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        let width = self.seen.groups();
        let mut bytes = vec![0; rows.len() * width];
        for (row, bytes) in rows.iter().zip(bytes.chunks_exact_mut(width.max(1))) {
            self.seen.write_row(row.state, bytes);
        }
        self.evaluator.evaluate(bytes, width, out);
    }
}

/// Number of states from which the cost of a call is small beside the work of the function.
const BATCH: usize = 1000;

impl<P: Goal + Rows> BatchHeuristic<P> for ByFunction<P> {
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        self.write(rows, out);
    }
    fn preferred_batch(&self) -> usize {
        BATCH
    }
}

impl<P: Goal + Rows> ActionValues<P> for ByFunction<P> {
    fn actions(&self) -> usize {
        self.seen.action_count()
    }
    fn number(&self, puzzle: &P, _: &P::State, action: P::Action) -> usize {
        puzzle.action_number(action)
    }
    fn is_policy(&self) -> bool {
        self.is_policy
    }
    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        self.write(rows, out);
        if self.is_policy {
            for (row, out) in rows.iter().zip(out.chunks_exact_mut(self.seen.action_count())) {
                unlikeliness(row, out);
            }
        }
    }
    fn preferred_batch(&self) -> usize {
        BATCH
    }
}

/// The states of a puzzle as arrays.
struct PuzzleArrays<P>(P);

impl<P: Rows> PuzzleArrays<P> {
    /// The state of a row, which is the `at`-th of an array.
    #[inline]
    fn state(&self, at: usize, row: &[u8]) -> Result<P::State, ArrayError> {
        self.0.state_of_row(row).map_err(|why| ArrayError::Row { row: at, why })
    }

    /// Calls `visit` with each state of an array.
    fn each(
        &self,
        rows: &[u8],
        mut visit: impl FnMut(usize, P::State) -> Result<(), ArrayError>,
    ) -> Result<(), ArrayError> {
        let rows = rows.chunks_exact(self.0.groups().max(1)).enumerate();
        rows.map(|(at, row)| (at, self.state(at, row)))
            .try_for_each(|(at, state)| visit(at, state?))
    }

    /// The legal action of a number.
    fn action(&self, state: &P::State, number: u16) -> Option<P::Action> {
        let is_it = |&action: &P::Action| self.0.action_number(action) == usize::from(number);
        self.0.actions(state).find(is_it)
    }
}

impl<P: Goal + Rows> Arrays for PuzzleArrays<P> {
    fn width(&self) -> usize {
        self.0.groups()
    }

    fn values(&self) -> usize {
        self.0.row_values()
    }

    fn board(&self) -> Option<[usize; 2]> {
        self.0.grid()
    }

    fn actions(&self) -> usize {
        self.0.action_count()
    }

    fn start(&self, row: &mut [u8]) {
        self.0.write_row(&self.0.initial_state(), row);
    }

    fn text(&self, row: &[u8]) -> Result<String, ArrayError> {
        Ok(self.0.state_text(&self.state(0, row)?))
    }

    fn line(&self, row: &[u8], actions: &[u16]) -> Result<String, ArrayError> {
        let begun = self.0.begun_at(self.state(0, row)?);
        let (mut state, mut line) = (begun.initial_state(), Vec::with_capacity(actions.len()));
        for (row, &number) in actions.iter().enumerate() {
            let action = self.action(&state, number);
            let action = action.ok_or(ArrayError::Action { row, action: number })?;
            state = self.0.apply(&state, action);
            line.push(action);
        }
        Ok(begun.solution_text(&line))
    }

    fn expand(&self, rows: &[u8], children: Children<'_>) -> Result<(), ArrayError> {
        let (width, actions) = (self.0.groups(), self.0.action_count());
        let Children { rows: into, legal, costs } = children;
        legal.fill(false);
        let rows = rows.chunks_exact(width.max(1));
        let into = into.chunks_exact_mut((actions * width).max(1));
        let legal = legal.chunks_exact_mut(actions.max(1));
        let costs = costs.chunks_exact_mut(actions.max(1));
        for (row, (state, ((rows, legal), costs))) in
            rows.zip(into.zip(legal).zip(costs)).enumerate()
        {
            let children = Children { rows, legal, costs };
            self.0.expand_row(state, children).map_err(|why| ArrayError::Row { row, why })?;
        }
        Ok(())
    }

    fn legal(&self, rows: &[u8], legal: &mut [bool]) -> Result<(), ArrayError> {
        let actions = self.0.action_count();
        legal.fill(false);
        self.each(rows, |at, state| {
            for action in self.0.actions(&state) {
                legal[at * actions + self.0.action_number(action)] = true;
            }
            Ok(())
        })
    }

    fn apply(&self, rows: &mut [u8], actions: &[u16]) -> Result<(), ArrayError> {
        let rows = rows.chunks_exact_mut(self.0.groups().max(1));
        for (at, (row, &number)) in rows.zip(actions).enumerate() {
            let state = self.state(at, row)?;
            let action = self.action(&state, number);
            let action = action.ok_or(ArrayError::Action { row: at, action: number })?;
            self.0.write_row(&self.0.apply(&state, action), row);
        }
        Ok(())
    }

    fn goals(&self, rows: &[u8], goals: &mut [bool]) -> Result<(), ArrayError> {
        self.each(rows, |at, state| {
            goals[at] = self.0.is_goal(&state);
            Ok(())
        })
    }

    fn walks(&self, steps: &[u64], seed: u64, rows: &mut [u8]) {
        let goals = self.0.goal_states();
        let rows = rows.chunks_exact_mut(self.0.groups().max(1));
        for (at, (row, &steps)) in rows.zip(steps).enumerate() {
            let mut rng = Rng::stream(seed, at as u64);
            let goal = goals.get(rng.below(goals.len() as u64) as usize).copied();
            let goal = goal.unwrap_or_else(|| self.0.initial_state());
            let mut walk = Walk::new(&self.0, goal, Steps::NoReturn);
            walk.go(&self.0, steps, &mut rng);
            self.0.write_row(&walk.state, row);
        }
    }
}
