//! Experiments of the lab for the page: a list, and the runs of one experiment with filters.

use super::job::lock;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, path::PathBuf, sync::Mutex};
use unriddle_lab::{LabError, Row, Store};

/// Most runs of an answer.
const MOST: usize = 10_000;

/// Runs of an answer if the request names no limit.
const USUAL: usize = 1_000;

/// Databases of experiments, opened when the server starts.
pub(super) struct Experiments {
    stores: Vec<Mutex<Store>>,
}

/// Experiment of the list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ExperimentSummary {
    /// Name.
    name: String,
    /// Number of runs.
    runs: usize,
    /// Number of runs that failed for a reason other than a limit.
    unexplained: usize,
    /// CPU seconds of all runs.
    cpu_s: f64,
    /// Start of the first run, in milliseconds since 1970 (UTC).
    first: Option<i64>,
    /// Start of the last run.
    last: Option<i64>,
}

/// Filters of the runs of an experiment.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Filter {
    /// Spec of the solver.
    solver: Option<String>,
    /// Status.
    status: Option<String>,
    /// Name or text of the instance.
    instance: Option<String>,
    /// Number of runs that are left out before the first one.
    skip: Option<usize>,
    /// Most runs.
    limit: Option<usize>,
}

impl Filter {
    fn admits(&self, run: &ExperimentRun) -> bool {
        let is = |wanted: &Option<String>, found: &str| {
            wanted.as_deref().is_none_or(|wanted| wanted == found)
        };
        is(&self.solver, &run.solver)
            && is(&self.status, &run.status)
            && (is(&self.instance, &run.name) || is(&self.instance, &run.instance))
    }
}

/// Runs of an experiment.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Experiment {
    /// Name.
    name: String,
    /// All solvers of the experiment.
    solvers: BTreeSet<String>,
    /// All statuses of the experiment.
    statuses: BTreeSet<String>,
    /// Number of the runs that the filters admit.
    total: usize,
    /// The runs.
    runs: Vec<ExperimentRun>,
}

/// Run of an experiment, with all that its playback needs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ExperimentRun {
    /// Name of the instance in its suite.
    name: String,
    /// Name of the suite.
    suite: String,
    /// Spec of the puzzle.
    puzzle: String,
    /// Text of the instance.
    instance: String,
    /// Spec of the solver.
    solver: String,
    /// Seed.
    seed: u64,
    /// Status.
    status: String,
    /// Reason of a failure.
    reason: Option<String>,
    /// Value of the best solution.
    value: Option<i64>,
    /// Number of its actions.
    length: Option<u64>,
    /// The best solution.
    solution: Option<String>,
    /// Lower bound of a cost.
    lower_bound: Option<i64>,
    /// Upper bound of a score.
    upper_bound: Option<i64>,
    /// Whether the solution was replayed with success.
    checked: Option<bool>,
    /// Expanded states.
    expanded: Option<u64>,
    /// Generated states.
    generated: Option<u64>,
    /// CPU seconds.
    cpu_s: Option<f64>,
    /// Seconds.
    wall_s: Option<f64>,
}

impl From<Row> for ExperimentRun {
    fn from(row: Row) -> Self {
        Self {
            name: row.id,
            suite: row.suite,
            puzzle: row.puzzle,
            instance: row.instance,
            solver: row.solver,
            seed: row.seed,
            status: row.failure.map_or(row.status.name(), |failure| failure.name()).to_owned(),
            reason: row.reason,
            value: row.value,
            length: row.length,
            solution: row.solution,
            lower_bound: row.lower_bound,
            upper_bound: row.upper_bound,
            checked: row.checked,
            expanded: row.expanded,
            generated: row.generated,
            cpu_s: row.cpu_s,
            wall_s: row.wall_s,
        }
    }
}

impl Experiments {
    /// Experiments of the databases in files.
    ///
    /// # Errors
    /// A file is missing or no database of results.
    pub(super) fn open(files: &[PathBuf]) -> Result<Self, LabError> {
        let stores = files.iter().map(|file| Store::open_existing(file).map(Mutex::new));
        Ok(Self { stores: stores.collect::<Result<_, _>>()? })
    }

    /// All experiments.
    ///
    /// # Errors
    /// A database cannot be read.
    pub(super) fn list(&self) -> Result<Vec<ExperimentSummary>, LabError> {
        let mut all = Vec::new();
        for store in &self.stores {
            let summaries = lock(store).summary()?;
            all.extend(summaries.into_iter().map(|summary| ExperimentSummary {
                name: summary.experiment,
                runs: summary.live,
                unexplained: summary.unexplained,
                cpu_s: summary.cpu_s,
                first: summary.first_ms,
                last: summary.last_ms,
            }));
        }
        Ok(all)
    }

    /// The runs of an experiment; `None` if no database has it.
    ///
    /// # Errors
    /// A database cannot be read.
    pub(super) fn get(&self, name: &str, filter: &Filter) -> Result<Option<Experiment>, LabError> {
        let mut found = Experiment { name: name.to_owned(), ..Experiment::default() };
        let (skip, limit) = (filter.skip.unwrap_or(0), filter.limit.unwrap_or(USUAL).min(MOST));
        for store in &self.stores {
            for run in lock(store).rows(name)?.into_iter().map(ExperimentRun::from) {
                found.solvers.insert(run.solver.clone());
                found.statuses.insert(run.status.clone());
                if filter.admits(&run) {
                    found.total += 1;
                    if found.total > skip && found.runs.len() < limit {
                        found.runs.push(run);
                    }
                }
            }
        }
        Ok(Some(found).filter(|found| !found.statuses.is_empty()))
    }
}
