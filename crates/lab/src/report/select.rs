//! First pass of a report: selects the runs in scope and sorts them into series by suite and
//! solver, in the order of the plan, independently of the order of the rows.

use super::{numbers, scope::Scope, statistics, values::Measure};
use crate::{
    attribute::Attribute,
    experiment::{Classes, ClassesBy, Experiment, Solver},
    plan::{LoadedSuite, Plan, Task},
    row::{Failure, Key, Row, Status},
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Run in scope.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) instance: usize,
    pub(super) seed: u64,
    pub(super) row: &'a Row,
    /// Proved optimum of the instance in the measure of the run's value, where it is known.
    pub(super) optimum: Option<i64>,
}

/// Value of an attribute for a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Value {
    pub(super) instance: usize,
    pub(super) seed: u64,
    pub(super) value: f64,
    /// Whether it is only a lower bound, because a limit ended the run.
    pub(super) is_censored: bool,
}

impl Value {
    /// Instance and seed, by which runs of two solvers are paired.
    pub(super) fn pair(&self) -> (usize, u64) {
        (self.instance, self.seed)
    }
}

/// Whether the values are of restarts of one instance. The restarts then are the sample, since runs
/// with different seeds are independent. Where there are several instances, only the instances are.
pub(super) fn are_restarts(values: impl Iterator<Item = Value>) -> bool {
    let mut values = values.peekable();
    let Some(first) = values.next() else { return false };
    values.peek().is_some() && values.all(|value| value.instance == first.instance)
}

/// Runs of one solver on one suite.
pub(super) struct Series<'a> {
    /// Index of the solver.
    pub(super) index: usize,
    pub(super) solver: &'a Solver,
    /// Runs in scope, ascending by instance and seed.
    pub(super) runs: Vec<Run<'a>>,
    /// Number of runs that the plan asks for.
    wanted: usize,
}

impl<'a> Series<'a> {
    /// Name of the solver.
    pub(super) fn name(&self) -> &'a str {
        &self.solver.name
    }

    /// Returns an attribute's values for the runs that have it.
    pub(super) fn values(&self, attribute: &Attribute) -> Vec<Value> {
        let value = |run: &Run<'_>| {
            let value = attribute.of(run.row, run.optimum).filter(|v| v.is_finite())?;
            Some(Value {
                instance: run.instance,
                seed: run.seed,
                value,
                is_censored: attribute.is_censorable && run.row.is_censored(),
            })
        };
        self.runs.iter().filter_map(value).collect()
    }
}

/// Classes of a suite's instances.
pub(super) struct Division {
    /// Index of the class by instance; `None` for an instance without a class.
    pub(super) class: Vec<Option<usize>>,
    /// Exclusive lower and inclusive upper bound of each class.
    bounds: Vec<(f64, f64)>,
}

impl Division {
    /// Describes the bounds of a class.
    pub(super) fn words(&self, class: usize, measure: Measure) -> String {
        let none = (f64::NEG_INFINITY, f64::INFINITY);
        let (low, high) = self.bounds.get(class).copied().unwrap_or(none);
        let show = |bound: f64| numbers::show(bound, measure);
        match (low.is_finite(), high.is_finite()) {
            (false, false) => "all".to_owned(),
            (false, true) => format!("≤ {}", show(high)),
            (true, false) => format!("> {}", show(low)),
            (true, true) => format!("> {}, ≤ {}", show(low), show(high)),
        }
    }
}

/// Runs of one suite.
pub(super) struct SuiteRuns<'a> {
    /// Index of the suite.
    pub(super) index: usize,
    pub(super) loaded: &'a LoadedSuite,
    pub(super) scope: Scope,
    /// Classes, if the experiment has some and the deciding solver ran.
    pub(super) division: Option<Division>,
    /// By solver of the experiment.
    all: Vec<Series<'a>>,
}

impl<'a> SuiteRuns<'a> {
    /// Name of the suite.
    pub(super) fn name(&self) -> &'a str {
        &self.loaded.name
    }

    /// Returns the series of a solver, which is empty if the solver does not run on the suite.
    pub(super) fn of(&self, solver: usize) -> &Series<'a> {
        &self.all[solver]
    }

    /// Returns the series of the solvers that run on the suite.
    pub(super) fn series(&self) -> Vec<&Series<'a>> {
        self.all.iter().filter(|series| self.is_on(series)).collect()
    }

    /// Returns the series of the given solvers, as far as they run on the suite.
    pub(super) fn among(&self, solvers: &[usize]) -> Vec<&Series<'a>> {
        solvers.iter().map(|&solver| self.of(solver)).filter(|series| self.is_on(series)).collect()
    }

    fn is_on(&self, series: &Series<'_>) -> bool {
        series.solver.suites.contains(&self.index)
    }

    /// Describes the part of the suite that the runs of these solvers cover; `None` if they cover
    /// all of it, even if runs of other solvers are missing.
    pub(super) fn part(&self, solvers: &[usize]) -> Option<String> {
        let is_done = |&solver: &usize| self.of(solver).wanted == self.of(solver).runs.len();
        let is_whole = matches!(self.scope, Scope::Partial { .. }) && solvers.iter().all(is_done);
        self.scope.part().filter(|_| !is_whole)
    }

    /// Returns the class of an instance.
    pub(super) fn class(&self, instance: usize) -> Option<usize> {
        *self.division.as_ref()?.class.get(instance)?
    }

    /// Whether an instance is in a class; without a class, every instance is.
    pub(super) fn is_in(&self, class: Option<usize>, instance: usize) -> bool {
        class.is_none() || self.class(instance) == class
    }

    /// Returns an attribute's values for a solver's runs on the instances of a class.
    pub(super) fn values(
        &self,
        solver: usize,
        attribute: &Attribute,
        class: Option<usize>,
    ) -> Vec<Value> {
        let mut values = self.of(solver).values(attribute);
        values.retain(|v| self.is_in(class, v.instance));
        values
    }
}

/// All runs of a report.
pub(super) struct Selection<'a> {
    pub(super) experiment: &'a Experiment,
    pub(super) suites: Vec<SuiteRuns<'a>>,
    /// All rows that the plan asks for, in its order.
    pub(super) asked: Vec<&'a Row>,
    /// Number of rows that the plan does not ask for.
    pub(super) apart: usize,
}

impl<'a> Selection<'a> {
    /// Sorts the rows by the plan.
    pub(super) fn new(plan: &'a Plan, rows: &'a [Row], apart: usize) -> Self {
        let mut by_key: HashMap<Key, &Row> = HashMap::with_capacity(rows.len());
        for row in rows {
            let kept = by_key.entry(row.key).or_insert(row);
            // The last of several rows with one key counts, whatever their order.
            if (row.started_ms, &row.revision) > (kept.started_ms, &kept.revision) {
                *kept = row;
            }
        }
        let solvers = plan.experiment.solvers.len();
        let mut tasks = vec![Vec::new(); plan.suites.len()];
        let mut asked_keys = HashSet::with_capacity(plan.tasks.len());
        for task in &plan.tasks {
            let suite = plan.suites.get(task.suite);
            let fits = suite.is_some_and(|suite| task.instance < suite.instances.len());
            // Two solvers may be the same on an instance: one run, shown for both.
            if fits && task.solver < solvers {
                asked_keys.insert(task.key);
                tasks[task.suite].push(task);
            }
        }
        let mut selection = Self {
            experiment: &plan.experiment,
            suites: Vec::new(),
            asked: Vec::new(),
            apart: apart + rows.iter().filter(|r| !asked_keys.contains(&r.key)).count(),
        };
        for (index, (loaded, mut tasks)) in plan.suites.iter().zip(tasks).enumerate() {
            tasks.sort_by_key(|task| (task.instance, task.solver, task.seed));
            selection.add(index, loaded, &tasks, &by_key);
        }
        selection
    }

    /// Adds a suite with its tasks, ascending by instance, solver and seed.
    fn add(
        &mut self,
        index: usize,
        loaded: &'a LoadedSuite,
        tasks: &[&Task],
        by_key: &HashMap<Key, &'a Row>,
    ) {
        let instances = loaded.instances.len();
        let subset = self.experiment.suites.get(index).map_or(0, |s| s.subset);
        let there = tasks.iter().map(|task| (task.instance, by_key.contains_key(&task.key)));
        let scope = Scope::of(instances, subset, there);
        let found: Vec<(&Task, &'a Row)> =
            tasks.iter().filter_map(|task| Some((*task, *by_key.get(&task.key)?))).collect();
        self.asked.extend(found.iter().map(|(_, row)| row));
        // Least proved value of each instance, with its measure where the puzzle has several.
        let mut proved: Vec<Option<(i64, Option<&str>)>> = vec![None; instances];
        for (task, row) in &found {
            let decides = self.experiment.solvers[task.solver].is_optimum;
            if let Some(value) = row.value.filter(|_| decides && row.is_proved()) {
                let found = (value, row.measure.as_deref());
                let best = &mut proved[task.instance];
                *best = Some(best.map_or(found, |b| found.min(b)));
            }
        }
        let optimum = |instance: usize, row: &Row| {
            let known = loaded.optimum.get(instance).copied().flatten().map(|known| (known, None));
            let (value, measure) = known.or(proved[instance])?;
            let both = measure.zip(row.measure.as_deref());
            both.is_none_or(|(of, found)| of == found).then_some(value)
        };
        let solvers = self.experiment.solvers.iter().enumerate();
        let mut all: Vec<Series<'a>> = solvers
            .map(|(index, solver)| Series { index, solver, runs: Vec::new(), wanted: 0 })
            .collect();
        for task in tasks {
            all[task.solver].wanted += 1;
        }
        for (task, row) in found.into_iter().filter(|(task, _)| scope.has(task.instance)) {
            let Task { instance, seed, .. } = *task;
            let run = Run { instance, seed, row, optimum: optimum(instance, row) };
            all[task.solver].runs.push(run);
        }
        let classes = self.experiment.classes.as_ref();
        let division = classes.and_then(|c| divide(&all[c.solver], instances, c));
        self.suites.push(SuiteRuns { index, loaded, scope, division, all });
    }

    /// Name of a solver.
    pub(super) fn name(&self, solver: usize) -> &'a str {
        self.experiment.solvers.get(solver).map_or("?", |s| &s.name)
    }

    /// Name of a class.
    pub(super) fn class_name(&self, class: Option<usize>) -> Option<&'a str> {
        Some(self.experiment.classes.as_ref()?.names.get(class?)?)
    }
}

/// Divides a suite into classes by the runs of the deciding solver.
fn divide(decider: &Series<'_>, instances: usize, classes: &Classes) -> Option<Division> {
    let mut of_instance = BTreeMap::<usize, Vec<f64>>::new();
    for value in decider.values(&classes.attribute) {
        of_instance.entry(value.instance).or_default().push(value.value);
    }
    if of_instance.is_empty() {
        return None;
    }
    let means: Vec<Option<f64>> =
        (0..instances).map(|i| statistics::mean(of_instance.get(&i)?)).collect();
    let mut sorted: Vec<f64> = means.iter().flatten().copied().collect();
    sorted.sort_by(f64::total_cmp);
    let bounds: Vec<(f64, f64)> = match &classes.by {
        ClassesBy::Quantiles(quantiles) => {
            let between = quantiles.iter().filter_map(|&p| statistics::quantile(&sorted, p));
            let between: Vec<f64> = between.collect();
            let lows = [f64::NEG_INFINITY].into_iter().chain(between.iter().copied());
            let highs = between.iter().copied().chain([f64::INFINITY]);
            lows.zip(highs).collect()
        }
        ClassesBy::Near(values, share) => {
            (values.iter()).map(|value| (value * (1.0 - share), value * (1.0 + share))).collect()
        }
    };
    let class = |mean: f64| bounds.iter().position(|&(low, high)| low < mean && mean <= high);
    Some(Division { class: means.iter().map(|mean| mean.and_then(class)).collect(), bounds })
}

/// Limit that ended a censored run.
pub(super) fn limit_of(row: &Row) -> &str {
    match (row.failure, row.stopped_by.as_deref()) {
        (Some(Failure::Memory), _) => "resident memory",
        (Some(_), _) => "CPU time, killed",
        (None, Some(limit)) => limit,
        (None, None) => "a limit",
    }
}

/// Failure of a run for a reason other than a limit; an exhausted search is one.
pub(super) fn failure_of(row: &Row) -> Option<&'static str> {
    match row.failure {
        _ if row.checked == Some(false) => Some("refused by the checker"),
        Some(failure) if !failure.is_explained() => Some(failure.name()),
        Some(_) => None,
        None if row.status == Status::Exhausted => Some("exhausted"),
        None if row.status == Status::Failed => Some("failed"),
        None => None,
    }
}
