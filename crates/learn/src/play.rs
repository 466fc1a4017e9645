//! A play: one run of a solver on an instance. It is the unit of work of evolution and tuning.

use crate::journal::Kept;
use std::{sync::Arc, time::Duration};
use unriddle_catalog::{
    AnyPuzzle, Budget, Instance, Limit, Record, Registry, Request, Spec, Status, solve,
    tables::{Cache, Policy},
    work::WorkError,
};

/// The result of a solver on an instance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Play {
    /// Whether a solution was found, or proved not to exist.
    pub(crate) solved: bool,
    /// The score, the cost or the length of the solution; `None` if the search was stopped before
    /// it had one.
    pub(crate) value: Option<i64>,
    /// States generated.
    pub(crate) generated: u64,
    /// States expanded (play-outs, of searches that play out).
    pub(crate) expanded: u64,
    /// CPU time of the search.
    pub(crate) cpu: Duration,
}

/// CPU time is left out: it is another one in every run.
impl Kept for Play {
    const IS_KEPT: bool = true;

    fn text(&self) -> String {
        let value = self.value.map_or(String::new(), |value| value.to_string());
        let solved = u8::from(self.solved);
        format!("{solved},{value},{},{}", self.generated, self.expanded)
    }

    fn read(text: &str) -> Option<Self> {
        let [solved, value, generated, expanded] = text.split(',').collect::<Vec<_>>()[..] else {
            return None;
        };
        Some(Self {
            solved: match solved {
                "0" => false,
                "1" => true,
                _ => return None,
            },
            value: if value.is_empty() { None } else { Some(value.parse().ok()?) },
            generated: generated.parse().ok()?,
            expanded: expanded.parse().ok()?,
            cpu: Duration::ZERO,
        })
    }
}

/// Runs solvers on instances of a puzzle.
pub(crate) struct PlayContext<'a> {
    registry: &'a Registry,
    /// The puzzle's spec with its parameters.
    name: String,
    cache: Arc<Cache>,
}

impl<'a> PlayContext<'a> {
    /// Solvers take their tables from a cache.
    pub(crate) fn new(registry: &'a Registry, puzzle: &dyn AnyPuzzle, cache: Arc<Cache>) -> Self {
        Self { registry, name: puzzle.spec(), cache }
    }

    /// A cache of tables in memory, without a folder.
    pub(crate) fn without_folder() -> Arc<Cache> {
        Arc::new(Cache::new(None, 1, Policy::Reuse))
    }

    /// Runs a solver on an instance; `None` if it was cancelled.
    ///
    /// # Errors
    /// The search refused, or the checker its solution.
    pub(crate) fn play(
        &self,
        solver: &Spec,
        instance: &dyn Instance,
        seed: u64,
        budget: Budget,
    ) -> Result<Option<Play>, WorkError> {
        let record = self.record(solver, instance, seed, budget)?;
        Ok(record.map(|record| Play {
            solved: matches!(record.status, Status::Optimal | Status::Solved | Status::Unsolvable),
            value: record.value,
            generated: record.generated.unwrap_or(0),
            expanded: record.expanded.unwrap_or(0),
            cpu: Duration::from_secs_f64(record.cpu_s.unwrap_or(0.0).max(0.0)),
        }))
    }

    /// The same, as a record.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub(crate) fn record(
        &self,
        solver: &Spec,
        instance: &dyn Instance,
        seed: u64,
        budget: Budget,
    ) -> Result<Option<Record>, WorkError> {
        let request = Request {
            budget,
            seed,
            networks: self.registry.networks(),
            ..Request::new(solver, &self.cache)
        };
        let record = solve(self.registry, "", &self.name, instance, &request, &mut ())
            .map_err(|e| WorkError::Unsupported(format!("the solver `{solver}`: {e}")))?;
        if record.stopped_by.as_deref() == Some(Limit::Cancelled.name()) {
            return Ok(None);
        }
        if record.checked == Some(false) {
            return Err(WorkError::Internal(format!(
                "the checker refuses a solution of `{solver}`: {}; the instance is {}",
                record.reason.unwrap_or_default(),
                record.instance
            )));
        }
        Ok(Some(record))
    }
}
