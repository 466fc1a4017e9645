//! The runs that count, in the order of the plan: whatever order the rows come in, a report is the same.

use super::{numbers::Measure, scope::Scope, statistics};
use crate::{
    attribute::Attribute,
    experiment::{Classes, ClassesBy, Solver},
    plan::{LoadedSuite, Plan},
    row::{Key, Row, Status},
};
use std::collections::{HashMap, HashSet};

/// A run in scope.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) instance: usize,
    pub(super) seed: u64,
    pub(super) row: &'a Row,
}

/// An attribute's value for a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Value {
    pub(super) instance: usize,
    pub(super) seed: u64,
    pub(super) value: f64,
    /// Whether it is but a lower bound, because a limit ended the run.
    pub(super) is_censored: bool,
}

impl Value {
    /// What a run is paired by.
    pub(super) fn pair(&self) -> (usize, u64) {
        (self.instance, self.seed)
    }
}

/// The classes of a suite's instances.
pub(super) struct Division {
    /// Index of the class of every instance that has one.
    pub(super) class: Vec<Option<usize>>,
    /// What instances of each class are above, and what they are at most.
    pub(super) bounds: Vec<(f64, f64)>,
}

impl Division {
    /// The bounds of a class in words.
    pub(super) fn words(&self, class: usize, measure: Measure) -> String {
        let none = (f64::NEG_INFINITY, f64::INFINITY);
        let (low, high) = self.bounds.get(class).copied().unwrap_or(none);
        let show = |bound: f64| super::numbers::show(bound, measure);
        match (low.is_finite(), high.is_finite()) {
            (false, false) => "all".to_owned(),
            (false, true) => format!("≤ {}", show(high)),
            (true, false) => format!("> {}", show(low)),
            (true, true) => format!("> {}, ≤ {}", show(low), show(high)),
        }
    }
}

/// A proved optimum, with the measure that it is in, where the puzzle has several.
type Optimum<'a> = (i64, Option<&'a str>);

/// All that a report is made of.
pub(super) struct Data<'a> {
    pub(super) plan: &'a Plan,
    /// By suite.
    pub(super) scopes: Vec<Scope>,
    /// Runs in scope by suite and solver, ascending by instance and seed.
    runs: Vec<Vec<Vec<Run<'a>>>>,
    /// How many runs the plan asks for, by suite and solver.
    wanted: Vec<Vec<usize>>,
    /// All rows that the plan asks for, in its order.
    pub(super) asked: Vec<&'a Row>,
    /// Rows that it does not ask for.
    pub(super) apart: usize,
    /// Proved optima by suite and instance.
    optimum: Vec<Vec<Option<Optimum<'a>>>>,
    /// By suite, where the experiment has classes and the deciding solver ran.
    pub(super) divisions: Vec<Option<Division>>,
}

impl<'a> Data<'a> {
    /// Sorts the rows by the plan.
    pub(super) fn new(plan: &'a Plan, rows: &'a [Row], apart: usize) -> Self {
        let mut by_key: HashMap<Key, &Row> = HashMap::with_capacity(rows.len());
        for row in rows {
            let kept = by_key.entry(row.key).or_insert(row);
            // Of several rows of one key the last one counts, whatever their order.
            if (row.started_ms, &row.revision) > (kept.started_ms, &kept.revision) {
                *kept = row;
            }
        }
        let solvers = plan.experiment.solvers.len();
        let mut tasks = vec![Vec::new(); plan.suites.len()];
        let mut asked_keys = HashSet::with_capacity(plan.tasks.len());
        for task in &plan.tasks {
            let Some(suite) = plan.suites.get(task.suite) else {
                continue;
            };
            let fits = task.instance < suite.instances.len() && task.solver < solvers;
            // Two solvers may come to the same on an instance: one run, shown for both.
            if fits {
                asked_keys.insert(task.key);
                tasks[task.suite].push(task);
            }
        }
        let mut data = Self {
            plan,
            scopes: Vec::new(),
            runs: Vec::new(),
            wanted: Vec::new(),
            asked: Vec::new(),
            apart: apart + rows.iter().filter(|r| !asked_keys.contains(&r.key)).count(),
            optimum: Vec::new(),
            divisions: Vec::new(),
        };
        for (index, (suite, tasks)) in plan.suites.iter().zip(&mut tasks).enumerate() {
            tasks.sort_by_key(|task| (task.instance, task.solver, task.seed));
            let subset = plan.experiment.suites.get(index).map_or(0, |s| s.subset);
            let there = tasks.iter().map(|task| (task.instance, by_key.contains_key(&task.key)));
            let scope = Scope::of(suite.instances.len(), subset, there);
            let (mut runs, mut wanted) = (vec![Vec::new(); solvers], vec![0; solvers]);
            let known = suite.optimum.iter().map(|known| Some(((*known)?, None)));
            let mut optimum: Vec<_> = known.collect();
            optimum.resize(suite.instances.len(), None);
            let mut proved = vec![None; optimum.len()];
            for task in tasks.iter() {
                wanted[task.solver] += 1;
                let Some(&row) = by_key.get(&task.key) else {
                    continue;
                };
                data.asked.push(row);
                let decides = plan.experiment.solvers[task.solver].is_optimum;
                if let Some(value) = row.value.filter(|_| decides && row.is_proved()) {
                    let found = (value, row.measure.as_deref());
                    let best: &mut Option<_> = &mut proved[task.instance];
                    *best = Some(best.map_or(found, |b| found.min(b)));
                }
                if scope.has(task.instance) {
                    runs[task.solver].push(Run { instance: task.instance, seed: task.seed, row });
                }
            }
            for (known, proved) in optimum.iter_mut().zip(proved) {
                *known = known.or(proved);
            }
            data.scopes.push(scope);
            data.runs.push(runs);
            data.wanted.push(wanted);
            data.optimum.push(optimum);
        }
        if let Some(classes) = &plan.experiment.classes {
            data.divisions =
                (0..plan.suites.len()).map(|suite| data.divide(suite, classes)).collect();
        }
        data
    }

    /// The suites with their indices.
    pub(super) fn suites(&self) -> impl Iterator<Item = (usize, &'a LoadedSuite)> {
        self.plan.suites.iter().enumerate()
    }

    /// A solver.
    pub(super) fn solver(&self, solver: usize) -> Option<&'a Solver> {
        self.plan.experiment.solvers.get(solver)
    }

    /// Its name.
    pub(super) fn name(&self, solver: usize) -> &'a str {
        self.solver(solver).map_or("?", |s| &s.name)
    }

    /// Indices of the solvers that run on a suite.
    pub(super) fn solvers_of(&self, suite: usize) -> Vec<usize> {
        let solvers = self.plan.experiment.solvers.iter().enumerate();
        solvers
            .filter(|(_, solver)| solver.suites.contains(&suite))
            .map(|(index, _)| index)
            .collect()
    }

    /// Those of some solvers that run on a suite.
    pub(super) fn among(&self, solvers: &[usize], suite: usize) -> Vec<usize> {
        let on = self.solvers_of(suite);
        let runs = |s: &usize| on.contains(s);
        solvers.iter().copied().filter(runs).collect()
    }

    /// The runs in scope of a solver on a suite.
    pub(super) fn runs(&self, suite: usize, solver: usize) -> &[Run<'a>] {
        let runs = self.runs.get(suite).and_then(|runs| runs.get(solver));
        runs.map_or(&[], Vec::as_slice)
    }

    /// Of which part of a suite the runs of these solvers are, in words; `None` if they are of all of it, whatever is left
    /// for other solvers.
    pub(super) fn part(&self, suite: usize, solvers: &[usize]) -> Option<String> {
        let scope = self.scopes.get(suite)?;
        let wanted = |solver: usize| self.wanted.get(suite).and_then(|all| all.get(solver));
        let is_done = |&solver: &usize| wanted(solver) == Some(&self.runs(suite, solver).len());
        let is_whole = matches!(scope, Scope::Partial { .. }) && solvers.iter().all(is_done);
        scope.part().filter(|_| !is_whole)
    }

    /// The proved optimum of a run's instance; none that is in another measure than the run's value.
    pub(super) fn optimum(&self, suite: usize, run: &Run<'_>) -> Option<i64> {
        let (value, measure) = (*self.optimum.get(suite)?.get(run.instance)?)?;
        let same = measure.zip(run.row.measure.as_deref());
        same.is_none_or(|(of, found)| of == found).then_some(value)
    }

    /// An attribute's values for the runs that have it.
    pub(super) fn values(&self, suite: usize, solver: usize, attribute: &Attribute) -> Vec<Value> {
        let value = |run: &Run<'_>| {
            let optimum = self.optimum(suite, run);
            let value = attribute.of(run.row, optimum).filter(|v| v.is_finite())?;
            Some(Value {
                instance: run.instance,
                seed: run.seed,
                value,
                is_censored: attribute.is_censorable() && run.row.is_censored(),
            })
        };
        self.runs(suite, solver).iter().filter_map(value).collect()
    }

    /// The class of an instance.
    pub(super) fn class(&self, suite: usize, instance: usize) -> Option<usize> {
        let division = self.divisions.get(suite)?.as_ref()?;
        *division.class.get(instance)?
    }

    fn divide(&self, suite: usize, classes: &Classes) -> Option<Division> {
        let mut of_instance = HashMap::<usize, Vec<f64>>::new();
        for value in self.values(suite, classes.solver, &classes.attribute) {
            of_instance.entry(value.instance).or_default().push(value.value);
        }
        if of_instance.is_empty() {
            return None;
        }
        let count = self.plan.suites.get(suite)?.instances.len();
        let means: Vec<Option<f64>> =
            (0..count).map(|i| statistics::mean(of_instance.get(&i)?)).collect();
        let mut sorted: Vec<f64> = means.iter().flatten().copied().collect();
        sorted.sort_by(f64::total_cmp);
        let bounds: Vec<(f64, f64)> = match &classes.by {
            ClassesBy::Quantiles(quantiles) => {
                let between = (quantiles.iter()).filter_map(|&p| statistics::quantile(&sorted, p));
                let between: Vec<f64> = between.collect();
                let lows = [f64::NEG_INFINITY].into_iter().chain(between.iter().copied());
                let highs = between.iter().copied().chain([f64::INFINITY]);
                lows.zip(highs).collect()
            }
            ClassesBy::Near(values, share) => (values.iter())
                .map(|value| (value * (1.0 - share), value * (1.0 + share)))
                .collect(),
        };
        let class = |mean: f64| bounds.iter().position(|&(low, high)| low < mean && mean <= high);
        Some(Division { class: means.iter().map(|mean| mean.and_then(class)).collect(), bounds })
    }
}

/// What ended a run that a limit ended.
pub(super) fn limit_of(row: &Row) -> &str {
    use crate::row::Failure;
    match (row.failure, row.stopped_by.as_deref()) {
        (Some(Failure::Memory), _) => "resident memory",
        (Some(_), _) => "CPU time, killed",
        (None, Some(limit)) => limit,
        (None, None) => "a limit",
    }
}

/// What went wrong with a run, other than by a limit; exhausted searches included.
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
