//! The runs that an experiment asks for.

use crate::{experiment::Experiment, row::Key};
use std::collections::HashMap;
use unriddle_catalog::input::Named;

/// A suite with its instances.
pub struct LoadedSuite {
    /// Its name.
    pub name: String,
    /// Spec of the puzzle, without parameters at their defaults.
    pub puzzle: String,
    /// What the puzzle's values count: `moves`.
    pub unit: &'static str,
    /// The instances.
    pub instances: Vec<Named>,
    /// Their texts in standard form.
    pub texts: Vec<String>,
    /// Columns of published values by instance; a column's values are in the order of `instances`.
    pub reference: HashMap<String, Vec<Option<f64>>>,
    /// Proved optima by instance, in the order of `instances`, where the suite names their column.
    pub optimum: Vec<Option<i64>>,
}

/// One run that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Index of the suite.
    pub suite: usize,
    /// Index of the instance in the suite.
    pub instance: usize,
    /// Index of the solver.
    pub solver: usize,
    /// Seed.
    pub seed: u64,
    /// What decides the result.
    pub key: Key,
}

/// All runs of an experiment, those of the suites' subsets first, instance by instance.
pub struct Plan {
    /// The experiment.
    pub experiment: Experiment,
    /// Its suites in the same order.
    pub suites: Vec<LoadedSuite>,
    /// The runs.
    pub tasks: Vec<Task>,
}
