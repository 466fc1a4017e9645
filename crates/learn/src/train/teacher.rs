//! Teachers: solvers of the puzzle, by their specs, and its generators.

use crate::play::PlayContext;
use std::sync::Arc;
use unriddle_catalog::{
    AnyPuzzle, Budget, Cancel, Family, Spec, Status, tables::Cache, training_data::States,
    work::WorkError,
};
use unriddle_core::Rng;

use super::{instances::instance, recipe::Recipe};

/// Solvers and generators of the puzzle of a recipe.
pub(super) struct Teachers<'a> {
    family: &'static Family,
    puzzle: Box<dyn AnyPuzzle>,
    ground: PlayContext<'a>,
    cancel: &'a Cancel,
    seed: u64,
}

impl<'a> Teachers<'a> {
    pub(super) fn new(
        recipe: &'a Recipe,
        cache: &Arc<Cache>,
        cancel: &'a Cancel,
    ) -> Result<Self, WorkError> {
        let found = recipe.registry.puzzle(&recipe.puzzle);
        let (family, puzzle) = found.map_err(|error| WorkError::Usage(error.to_string()))?;
        Ok(Self {
            family,
            ground: PlayContext::new(&recipe.registry, &*puzzle, Arc::clone(cache)),
            puzzle,
            cancel,
            seed: recipe.stages.first().map_or(0, |stage| stage.seed),
        })
    }

    /// A solver that gives up after `nodes` generated states.
    pub(super) fn solver(
        &'a self,
        spec: &str,
        nodes: Option<u64>,
    ) -> Result<Teacher<'a>, WorkError> {
        Ok(Teacher {
            of: self,
            solver: Spec::parse(spec).map_err(|error| WorkError::Usage(error.to_string()))?,
            budget: Budget { generated: nodes, cancel: self.cancel.clone(), ..Budget::default() },
        })
    }

    /// The instance that a generator makes, as a list with its start.
    pub(super) fn generate(
        &self,
        generator: &str,
        rng: &mut Rng,
    ) -> Result<Box<dyn States>, WorkError> {
        let failed = |why: String| WorkError::Usage(format!("the generator `{generator}`: {why}"));
        match instance(self.family, &*self.puzzle, generator, rng).map_err(failed)? {
            Some(training_data) => Ok(training_data.starts()),
            None => Err(failed("makes no instances to learn from".to_owned())),
        }
    }
}

/// A solver.
pub(super) struct Teacher<'a> {
    of: &'a Teachers<'a>,
    solver: Spec,
    budget: Budget,
}

impl Teacher<'_> {
    /// Solves the first state of a list. Returns the numbers of the actions and their cost. `None`
    /// if the solver gives up, or if the state has no solution and `dead` is `None`.
    ///
    /// # Errors
    /// The solver refuses, or the checker refuses its solution.
    pub(super) fn solve(
        &self,
        start: &dyn States,
        dead: Option<u32>,
    ) -> Result<Option<(Vec<u16>, u32)>, WorkError> {
        let instance = start.instance(0);
        let budget = self.budget.clone();
        let record = (self.of.ground).record(&self.solver, &*instance, self.of.seed, budget)?;
        let is_dead = record.as_ref().is_some_and(|r| r.status == Status::Unsolvable);
        if let Some(dead) = dead.filter(|_| is_dead) {
            return Ok(Some((Vec::new(), dead)));
        }
        let Some((solution, value)) = record.and_then(|r| r.solution.zip(r.value)) else {
            return Ok(None);
        };
        let actions = start.numbers(0, &solution).map_err(WorkError::Internal)?;
        Ok(Some((actions, u32::try_from(value).unwrap_or(u32::MAX))))
    }
}
