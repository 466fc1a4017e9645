//! Hints: the position is solved while the terminal is watched.

use crate::{
    args::shared::{CacheOptions, Limits},
    exit::Failure,
    inputs::{self, Choice},
    solve::{budget, request},
    text,
};
use std::{io, thread};
use unriddle_catalog::{
    AnyPuzzle, Cancel, Game, Record, Registry, SolveError, Status, solve, tables::Cache,
};

/// Solver of positions of a game.
pub(super) struct Guide<'a> {
    pub(super) registry: &'a Registry,
    pub(super) puzzle: &'a dyn AnyPuzzle,
    pub(super) choice: &'a Choice,
    pub(super) limits: &'a Limits,
    pub(super) cache: &'a CacheOptions,
}

/// The texts of the positions from a position to its solution, or the reason why no solution is
/// known.
pub(super) type Way = Result<Vec<String>, String>;

impl Guide<'_> {
    /// Solves a position. `is_enough` is called repeatedly, and returns `true` to give up.
    ///
    /// # Errors
    /// The terminal fails.
    pub(super) fn way(
        &self,
        position: &str,
        is_enough: &mut dyn FnMut() -> io::Result<bool>,
    ) -> io::Result<Way> {
        let instance = match self.puzzle.load(position) {
            Ok(instance) => instance,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let Some(mut game) = instance.game() else {
            return Ok(Err("there is no path to a solution".to_owned()));
        };
        let spec = match self.choice.spec(&*instance) {
            Ok(spec) => spec,
            Err(failure) => return Ok(Err(failure.message())),
        };
        let cancel = Cancel::default();
        let raised = cancel.clone();
        // Without progress on the terminal, whose screen shows the game.
        let cache = Cache::new(
            inputs::cache_folder(&self.cache.folder),
            inputs::cores(),
            inputs::policy(self.cache),
        )
        .with_observer(Box::new(move |_, _| !raised.is_cancelled()));
        let request =
            request(self.registry, &spec, budget(self.limits, &cancel), self.limits, &cache);
        let solved =
            || solve(self.registry, "1", &self.puzzle.spec(), &*instance, &request, &mut ());
        let record = thread::scope(|scope| {
            let work = scope.spawn(solved);
            let mut watched = Ok(());
            while !work.is_finished() {
                match is_enough() {
                    Ok(false) => {}
                    Ok(true) => cancel.cancel(),
                    Err(error) => {
                        cancel.cancel();
                        watched = Err(error);
                        break;
                    }
                }
            }
            let record = work.join();
            watched.map(|()| record)
        })?;
        Ok(along(&mut *game, record.unwrap_or_else(|panic| std::panic::resume_unwind(panic))))
    }
}

/// The positions along a record's solution.
fn along(game: &mut dyn Game, record: Result<Record, SolveError>) -> Way {
    let record = record.map_err(|error| Failure::solve(error).message())?;
    let Some(solution) = &record.solution else {
        return Err(match record.status {
            Status::Unsolvable => "proved unsolvable from here".to_owned(),
            _ => record.reason.clone().unwrap_or_else(|| text::lack(&record)),
        });
    };
    game.replay(solution).map_err(|error| error.to_string())?;
    let mut texts = Vec::new();
    while !game.played().is_empty() {
        texts.push(game.text());
        game.undo();
    }
    texts.reverse();
    Ok(texts)
}
