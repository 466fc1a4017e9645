//! Estimate of a test: the measured number with its interval.

use super::super::{
    numbers::{count, count_of},
    pairs,
    scope::Scope,
    select::{Selection, SuiteRuns, Value, are_restarts},
    statistics::{self, FEWEST},
    summary::{Summary, by_instance},
    values::{Estimate, Measure, Method},
};
use crate::{
    attribute::{Better, Statistic},
    experiment::{Against, Pairing, Population, Test, is_whole},
};

/// Ends of an interval that are open because limits ended runs.
#[derive(Clone, Copy, Default)]
struct Open {
    above: bool,
    below: bool,
}

/// Number with its interval and the method of the interval.
type Number = (f64, Option<(f64, f64)>, Method);

/// Number of a test with the number of instances and the open ends.
type Measured = Result<(Number, usize, Open), String>;

/// Measures a test.
///
/// # Errors
/// Data is missing: the reason.
pub(crate) fn estimate(selection: &Selection<'_>, test: &Test) -> Result<Estimate, String> {
    let name = selection.name(test.solver);
    let suite = &selection.suites[test.suite];
    let suite_name = suite.name();
    let solvers = solvers(selection, test);
    complete(suite, test, &solvers)?;
    let runs = in_class(selection, suite, test)?;
    if runs == 0 {
        let class = selection.class_name(test.class);
        let class = class.map_or_else(String::new, |name| format!(", class `{name}`"));
        return Err(format!("`{name}` has no runs on suite `{suite_name}`{class}"));
    }
    let ours = suite.values(test.solver, &test.attribute, test.class);
    if ours.is_empty() {
        let (runs, attribute) = (count_of(runs, "runs"), test.attribute.name);
        return Err(format!("none of {runs} of `{name}` has `{attribute}`"));
    }
    let (found, n, open) = match &test.against {
        None => alone(&ours, test, runs)?,
        Some(against) => {
            let theirs = match against {
                Against::Solver(other) => {
                    if suite.of(*other).runs.is_empty() {
                        let other = selection.name(*other);
                        return Err(format!("`{other}` has no runs on suite `{suite_name}`"));
                    }
                    suite.values(*other, &test.attribute, test.class)
                }
                Against::Column(column) => {
                    let values = suite.loaded.reference.get(column);
                    let values = values.ok_or_else(|| {
                        format!("the reference file of `{suite_name}` has no column `{column}`")
                    })?;
                    let there = |v: &Value| {
                        let value = (*values.get(v.instance)?)?;
                        Some(Value { value, is_censored: false, ..*v })
                    };
                    ours.iter().filter_map(there).collect()
                }
            };
            paired(&ours, &theirs, test)?
        }
    };
    let (value, interval, method) = found;
    let (low, high) = interval.unwrap_or((value, value));
    let ends = (
        if open.below { f64::NEG_INFINITY } else { low },
        if open.above { f64::INFINITY } else { high },
    );
    let is_bound = open.above || open.below;
    Ok(Estimate {
        value,
        interval: (is_bound || interval.is_some()).then_some(ends),
        is_bound,
        n,
        are_restarts: are_restarts(ours.iter().copied()),
        method,
        of: described(suite, test, &solvers, ours.len(), runs),
        measure: Measure::of_test(test),
    })
}

/// Describes the instances of an estimate; `None` if they are all of the suite and have values.
fn described(
    suite: &SuiteRuns<'_>,
    test: &Test,
    solvers: &[usize],
    values: usize,
    runs: usize,
) -> Option<String> {
    let mut parts = Vec::new();
    if test.class.is_some() {
        parts.push("in the class".to_owned());
    }
    parts.extend(suite.part(solvers));
    if values < runs {
        let (values, runs) = (count(values), count_of(runs, "runs"));
        parts.push(format!("{values} of {runs} have a value"));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Solvers whose runs a test uses.
fn solvers(selection: &Selection<'_>, test: &Test) -> Vec<usize> {
    let other = match test.against {
        Some(Against::Solver(other)) => Some(other),
        Some(Against::Column(_)) | None => None,
    };
    let classes = selection.experiment.classes.as_ref();
    let decider = test.class.and(classes).map(|classes| classes.solver);
    [Some(test.solver), other, decider].into_iter().flatten().collect()
}

/// Refuses a claim about a set if runs on a part of the set are missing.
fn complete(suite: &SuiteRuns<'_>, test: &Test, solvers: &[usize]) -> Result<(), String> {
    let part = match (test.population, suite.scope) {
        (Population::Sample, _) | (Population::Set, Scope::Partial { done: 0, .. }) => None,
        (Population::Set, _) => suite.part(solvers),
    };
    let why = |part| format!("it is about all instances of the suite, and the runs are of {part}");
    part.map_or(Ok(()), |part| Err(why(part)))
}

/// Number of the solver's runs in the test's class.
fn in_class(
    selection: &Selection<'_>,
    suite: &SuiteRuns<'_>,
    test: &Test,
) -> Result<usize, String> {
    if test.class.is_some() && suite.division.is_none() {
        let classes = selection.experiment.classes.as_ref();
        let decider = classes.map_or("?", |c| selection.name(c.solver));
        return Err(format!("the classes are decided by runs of `{decider}`, but no run exists"));
    }
    let runs = suite.of(test.solver).runs.iter();
    Ok(runs.filter(|run| suite.is_in(test.class, run.instance)).count())
}

/// Statistic of one solver.
fn alone(ours: &[Value], test: &Test, runs: usize) -> Measured {
    let attribute = &test.attribute;
    let instances = by_instance(ours);
    let n = instances.len();
    if is_whole(attribute.statistic) && ours.len() < runs {
        let without = count(runs - ours.len());
        return Err(format!("{without} of {} have no value", count_of(runs, "runs")));
    }
    let summary = Summary::of(ours, attribute).ok_or(match attribute.statistic {
        Statistic::Sd => "a single value, or values that a limit ended, have no deviation",
        _ => "there is no value",
    })?;
    let open = Open { above: summary.is_bound, below: false };
    let value = summary.value;
    if test.population == Population::Set {
        return Ok(((value, None, Method::Exact), n, open));
    }
    let confidence = test.confidence;
    let found = match attribute.statistic {
        Statistic::Share if n == ours.len() => {
            let ones = ours.iter().filter(|v| v.value == 1.0).count();
            (value, statistics::wilson(ones, n, confidence), Method::Wilson)
        }
        Statistic::Mean | Statistic::Share => student(&instances, confidence)?,
        Statistic::Median => {
            let mut sorted: Vec<f64> = ours.iter().map(|v| v.value).collect();
            sorted.sort_by(f64::total_cmp);
            let interval = statistics::median_interval(&sorted, confidence);
            let interval = interval
                .filter(|_| n == ours.len())
                .ok_or("the interval of a median needs six instances or more, each with one run")?;
            (value, Some(interval), Method::OrderStatistics)
        }
        Statistic::Sd => {
            let interval = statistics::bootstrap(&instances, confidence, statistics::deviation);
            let interval = interval.filter(|_| n == ours.len()).ok_or_else(|| {
                format!("a deviation needs {FEWEST} instances or more, each with one run")
            })?;
            (value, Some(interval), Method::Bootstrap)
        }
        // Tests of these statistics are about a set.
        Statistic::Sum | Statistic::Max => (value, None, Method::Exact),
    };
    Ok((found, n, open))
}

/// Mean with its interval.
fn student(values: &[f64], confidence: f64) -> Result<Number, String> {
    let value = statistics::mean(values).ok_or("there is no value")?;
    match statistics::half_width(values, confidence) {
        Some(half) if half > 0.0 => {
            Ok((value, Some((value - half, value + half)), Method::Student))
        }
        Some(_) => Err(same(values.len(), "values")),
        None => Err("one instance gives no interval".to_owned()),
    }
}

/// Message for a sample without spread.
fn same(n: usize, what: &str) -> String {
    let n = count_of(n, what);
    format!("all {n} are the same, so that as a sample they give no interval")
}

/// Statistic of pairs.
fn paired(ours: &[Value], theirs: &[Value], test: &Test) -> Measured {
    let matched = pairs::matched(ours, theirs);
    let pairs = pairs::by_instance(&matched);
    if pairs.is_empty() {
        let attribute = test.attribute.name;
        return Err(format!("there is no instance for which both sides have `{attribute}`"));
    }
    let ours = matched.iter().any(|(ours, _)| ours.is_censored);
    let theirs = matched.iter().any(|(_, theirs)| theirs.is_censored);
    let open = match test.pairing {
        Pairing::Difference | Pairing::Ratio | Pairing::GeometricRatio => {
            Open { above: ours, below: theirs }
        }
        Pairing::Reduction => Open { above: theirs, below: ours },
        // Bounds do not decide a deviation, and which side of a pair is better.
        _ if ours || theirs => {
            return Err("limits ended runs, of which only a bound is known".to_owned());
        }
        _ => Open::default(),
    };
    if ours && theirs {
        return Err("limits ended runs of both sides, of which only bounds are known".to_owned());
    }
    Ok((number(&pairs, matched.len(), test)?, pairs.len(), open))
}

fn number(pairs: &[(f64, f64)], runs: usize, test: &Test) -> Result<Number, String> {
    let n = pairs.len();
    let whole = test.population == Population::Set;
    let is_higher = test.attribute.better == Better::Higher;
    let exact = |value: f64| (value, None, Method::Exact);
    let share = |is: &dyn Fn(f64, f64) -> bool| {
        let ones = pairs.iter().filter(|(a, b)| is(*a, *b)).count();
        let value = ones as f64 / n as f64;
        match whole {
            true => exact(value),
            false => (value, statistics::wilson(ones, n, test.confidence), Method::Wilson),
        }
    };
    let ratio = || pairs::ratio_of_means(pairs).ok_or("the mean of the other side is 0".to_owned());
    let bootstrap = |value: f64, statistic: fn(&[(f64, f64)]) -> Option<f64>| {
        if whole {
            return Ok(exact(value));
        }
        let interval = statistics::bootstrap(pairs, test.confidence, statistic);
        let interval = interval.ok_or_else(|| match n < FEWEST {
            true => format!("the interval of a ratio needs {FEWEST} pairs or more: here are {n}"),
            false => "some resamples have no ratio, because the divisor is 0".to_owned(),
        })?;
        if interval.0 == interval.1 {
            return Err(same(n, "pairs"));
        }
        Ok((value, Some(interval), Method::Bootstrap))
    };
    match test.pairing {
        Pairing::Difference => {
            let differences: Vec<f64> = pairs.iter().map(|(a, b)| a - b).collect();
            let mean = statistics::mean(&differences).ok_or("there is no pair")?;
            match test.attribute.statistic {
                _ if whole => Ok(exact(mean)),
                // One run of each: both sides are 0 or 1.
                Statistic::Share if runs == n => {
                    let more = differences.iter().filter(|d| **d > 0.0).count();
                    let fewer = differences.iter().filter(|d| **d < 0.0).count();
                    let interval = statistics::paired_shares(more, fewer, n, test.confidence);
                    Ok((mean, interval, Method::PairedShares))
                }
                _ => student(&differences, test.confidence),
            }
        }
        Pairing::Ratio => bootstrap(ratio()?, pairs::ratio_of_means),
        Pairing::Reduction => {
            bootstrap(1.0 - ratio()?, |pairs| Some(1.0 - pairs::ratio_of_means(pairs)?))
        }
        Pairing::GeometricRatio => {
            if pairs.iter().any(|(a, b)| *a <= 0.0 || *b <= 0.0) {
                return Err("a geometric mean is of numbers above 0".to_owned());
            }
            let logarithms: Vec<f64> = pairs.iter().map(|(a, b)| (a / b).ln()).collect();
            let mean = statistics::mean(&logarithms).ok_or("there is no pair")?;
            if whole {
                return Ok(exact(mean.exp()));
            }
            let (mean, interval, _) = student(&logarithms, test.confidence)?;
            let interval = interval.map(|(low, high)| (low.exp(), high.exp()));
            Ok((mean.exp(), interval, Method::StudentOfLogarithms))
        }
        Pairing::DeviationRatio => {
            let ratio = pairs::ratio_of_deviations(pairs);
            let ratio = ratio.ok_or("one pair, or equal values, have no deviation")?;
            bootstrap(ratio, pairs::ratio_of_deviations)
        }
        Pairing::Equal => Ok(share(&|a, b| a == b)),
        Pairing::Better if is_higher => Ok(share(&|a, b| a > b)),
        Pairing::Better => Ok(share(&|a, b| a < b)),
        Pairing::NotWorse if is_higher => Ok(share(&|a, b| a >= b)),
        Pairing::NotWorse => Ok(share(&|a, b| a <= b)),
    }
}
