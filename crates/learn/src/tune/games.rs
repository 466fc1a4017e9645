//! Where samples prove themselves: games on random boards.

use super::recipe::Recipe;
use std::time::Duration;
use unriddle_catalog::work::WorkError;
use unriddle_catalog::{
    AnyPuzzle, Budget, Cancel, Info, Instance, Limit, Networks, Request, Rng, Spec, SpecError,
    bind::bind,
    solve,
    tables::{Cache, Policy},
};

/// A board with the seed of the games on it.
pub(super) struct Board {
    instance: Box<dyn Instance>,
    seed: u64,
}

/// What came of a game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Game {
    /// Its score or cost; `None` if the search was stopped before it had one.
    pub(super) value: Option<i64>,
    /// States expanded (play-outs, of searches that play out).
    pub(super) nodes: u64,
    /// CPU time of the search.
    pub(super) cpu: Duration,
}

/// A puzzle that boards are made of and played.
pub(super) struct Games<'a> {
    recipe: &'a Recipe,
    puzzle: Box<dyn AnyPuzzle>,
    name: String,
    info: &'static Info,
    generator: Spec,
    cache: Cache,
}

impl<'a> Games<'a> {
    /// The games of a recipe.
    ///
    /// # Errors
    /// A spec that does not fit; a recipe that was read has none.
    pub(super) fn new(recipe: &'a Recipe) -> Result<Self, WorkError> {
        let parts = || -> Result<_, SpecError> {
            let (family, puzzle) = recipe.registry.puzzle(&recipe.puzzle)?;
            let generator = Spec::parse(&recipe.generator)?;
            let bound = family.generator(Some(&recipe.generator))?;
            Ok((puzzle, bound.info(), generator))
        };
        let (puzzle, info, generator) = parts().map_err(|e| WorkError::Internal(e.to_string()))?;
        Ok(Self {
            recipe,
            name: puzzle.spec(),
            puzzle,
            info,
            generator,
            cache: Cache::new(None, 1, Policy::Reuse),
        })
    }

    /// The boards of an iteration: its own, whatever came before.
    ///
    /// # Errors
    /// The generator refused.
    pub(super) fn boards(&self, iteration: u64) -> Result<Vec<Board>, WorkError> {
        let refused = |what: &dyn std::fmt::Display| {
            WorkError::Usage(format!("the generator `{}`: {what}", self.generator))
        };
        let generator = bind(self.info, &self.generator).map_err(|e| refused(&e))?;
        let mut stream = Rng::stream(self.recipe.seed, iteration);
        let board = |_| {
            let mut rng = Rng::new(stream.next_u64());
            let text = self.puzzle.generate(&generator, &mut rng);
            let instance = self.puzzle.load(&text.map_err(|e| refused(&e))?);
            Ok(Board {
                instance: instance.map_err(|e| refused(&e))?,
                seed: rng.next_u64(),
            })
        };
        (0..self.recipe.boards).map(board).collect()
    }

    /// Plays a board; `None` if it was cancelled.
    ///
    /// # Errors
    /// The search refused, or the checker its solution.
    pub(super) fn play(
        &self,
        solver: &Spec,
        board: &Board,
        cancel: &Cancel,
    ) -> Result<Option<Game>, WorkError> {
        let limits = &self.recipe.limits;
        let budget = Budget {
            time: limits.time,
            memory: limits.memory,
            expansions: limits.expansions,
            generated: limits.generated,
            cancel: cancel.clone(),
        };
        self.run(solver, board, budget)
    }

    /// Begins a game, to see whether the search accepts its options together.
    ///
    /// # Errors
    /// The search refused.
    pub(super) fn probe(&self, solver: &Spec, board: &Board) -> Result<(), WorkError> {
        let budget = Budget {
            expansions: Some(1),
            ..Budget::default()
        };
        self.run(solver, board, budget).map(drop)
    }

    fn run(&self, solver: &Spec, board: &Board, budget: Budget) -> Result<Option<Game>, WorkError> {
        let request = Request {
            solver,
            budget,
            seed: board.seed,
            threads: 1,
            networks: Networks::default(),
            cache: &self.cache,
        };
        let registry = &self.recipe.registry;
        let instance = &*board.instance;
        let record = solve(registry, "", &self.name, instance, &request, &mut ());
        let record =
            record.map_err(|e| WorkError::Unsupported(format!("the solver `{solver}`: {e}")))?;
        if record.stopped_by.as_deref() == Some(Limit::Cancelled.name()) {
            return Ok(None);
        }
        if record.checked == Some(false) {
            return Err(WorkError::Internal(format!(
                "the checker refuses a solution of `{solver}`: {}; the board is {}",
                record.reason.unwrap_or_default(),
                record.instance
            )));
        }
        Ok(Some(Game {
            value: record.value,
            nodes: record.expanded.unwrap_or(0),
            cpu: Duration::from_secs_f64(record.cpu_s.unwrap_or(0.0).max(0.0)),
        }))
    }
}
