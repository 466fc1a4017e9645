//! Plots over time: how many runs have an answer, and how good the solutions are.

use super::{
    Drawn, format,
    kinds::{label, name},
};
use crate::{
    attribute::Quantity,
    experiment::PlotSpec,
    report::{
        data::{Data, Run},
        numbers::{Measure, count, count_of},
    },
    row::Row,
};
use std::collections::BTreeSet;
use unriddle_plot::{Axis, Mark, Scene};

/// When a run had what counts as its answer.
fn answered(row: &Row, quantity: Quantity, optimum: Option<i64>) -> Option<f64> {
    let solved = || row.incumbents.first().map_or(row.cpu_s, |i| Some(i.cpu_s));
    match quantity {
        Quantity::Solved => row.is_solved().then(solved)?,
        Quantity::Proved => row.is_proved().then_some(row.cpu_s)?,
        Quantity::Optimal => {
            let is_optimal = row.is_solved() && (row.is_proved() || row.value == optimum);
            let last = row.incumbents.last().map_or(row.cpu_s, |i| Some(i.cpu_s));
            is_optimal.then_some(last)?
        }
        _ => {
            let is_answer = row.is_proved() || (row.is_solved() && !row.is_censored());
            is_answer.then_some(row.cpu_s)?
        }
    }
}

/// The share that is answered within a CPU time.
pub(super) fn coverage(
    data: &Data<'_>,
    suite: usize,
    spec: &PlotSpec,
    solvers: &[usize],
) -> Option<Drawn> {
    let runs = |s: usize| data.runs(suite, s);
    let all = solvers.iter().flat_map(|&s| runs(s));
    let ends: Vec<f64> = all.filter_map(|run| run.row.cpu_s).collect();
    let latest = ends.iter().copied().filter(|t| t.is_finite()).reduce(f64::max)?;
    let mut times = vec![latest];
    let (mut marks, mut legend) = (Vec::new(), Vec::new());
    for (series, &solver) in solvers.iter().enumerate() {
        let runs = runs(solver);
        let time = |run: &Run<'_>| {
            let optimum = data.optimum(suite, run);
            answered(run.row, spec.attribute.quantity, optimum).filter(|t| t.is_finite())
        };
        let mut found: Vec<f64> = runs.iter().filter_map(time).collect();
        if runs.is_empty() {
            continue;
        }
        found.sort_by(f64::total_cmp);
        times.extend(&found);
        let (mut line, mut share) = (vec![(0.0, 0.0)], 0.0);
        for (i, &t) in found.iter().enumerate() {
            line.push((t, share));
            share = (i + 1) as f64 / runs.len() as f64;
            line.push((t, share));
        }
        line.push((latest, share));
        marks.push(Mark::Line(series, line));
        let text =
            format!("{} ({} of {})", data.name(solver), count(found.len()), count(runs.len()));
        legend.push((series, None, text));
    }
    let what = match spec.attribute.quantity {
        Quantity::Solved => "solved",
        Quantity::Proved => "proved",
        Quantity::Optimal => "solved optimally",
        _ => "answered",
    };
    let scene = Scene {
        title: String::new(),
        x: Axis::over(times.into_iter(), true, format(Measure::Seconds), false),
        y: Axis::share(format(Measure::Percent)),
        x_label: "CPU time".to_owned(),
        y_label: format!("share {what}"),
        marks,
        legend,
    };
    let caption = format!("share of the runs {what} within a CPU time");
    Some(Drawn { scene, caption })
}

/// The mean of the best solutions so far.
pub(super) fn anytime(
    data: &Data<'_>,
    suite: usize,
    spec: &PlotSpec,
    solvers: &[usize],
) -> Option<Drawn> {
    let is_excess = spec.attribute.quantity == Quantity::Excess;
    let mut curves = Vec::new();
    let mut shared: Option<BTreeSet<(usize, u64)>> = None;
    for (series, &solver) in solvers.iter().enumerate() {
        let runs: Vec<&Run<'_>> = data
            .runs(suite, solver)
            .iter()
            .filter(|run| run.row.is_solved() && !run.row.incumbents.is_empty())
            .filter(|run| !is_excess || data.optimum(suite, run).is_some())
            .collect();
        if runs.is_empty() {
            continue;
        }
        let pairs = runs.iter().map(|run| (run.instance, run.seed));
        shared = Some(match shared {
            None => pairs.collect(),
            Some(shared) => pairs.filter(|pair| shared.contains(pair)).collect(),
        });
        curves.push((series, solver, runs));
    }
    let shared = shared.filter(|shared| !shared.is_empty())?;
    let latest = curves
        .iter()
        .flat_map(|(_, _, runs)| runs)
        .filter_map(|run| run.row.cpu_s.filter(|t| t.is_finite()))
        .fold(0.0, f64::max);
    let (mut marks, mut legend) = (Vec::new(), Vec::new());
    let mut all = Vec::<(f64, f64)>::new();
    for (series, solver, runs) in curves {
        // Steps of the sum: when, by how much, and whether it is a run's first.
        let mut steps = Vec::new();
        for run in runs {
            if !shared.contains(&(run.instance, run.seed)) {
                continue;
            }
            let optimum = data.optimum(suite, run).filter(|_| is_excess);
            let mut before = optimum.unwrap_or(0) as f64;
            for (i, incumbent) in run.row.incumbents.iter().enumerate() {
                let value = incumbent.value as f64;
                steps.push((incumbent.cpu_s.max(1e-6), value - before, i == 0));
                before = value;
            }
        }
        steps.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let (mut sum, mut begun, mut line) = (0.0, 0, Vec::<(f64, f64)>::new());
        for (time, change, is_first) in steps {
            sum += change;
            begun += usize::from(is_first);
            if begun == shared.len() && time.is_finite() {
                if let Some(&(_, value)) = line.last() {
                    line.push((time, value));
                }
                line.push((time, sum / begun as f64));
            }
        }
        if let Some(&(time, value)) = line.last() {
            line.push((latest.max(time), value));
        }
        all.extend(&line);
        marks.push(Mark::Line(series, line));
        legend.push((series, None, name(data, solver)));
    }
    let what = label(data, suite, &spec.attribute);
    let scene = Scene {
        title: String::new(),
        x: Axis::over(all.iter().map(|p| p.0), true, format(Measure::Seconds), false),
        y: Axis::over(all.iter().map(|p| p.1), false, format(Measure::Plain), false),
        x_label: "CPU time".to_owned(),
        y_label: format!("mean {what}, best so far"),
        marks,
        legend,
    };
    let caption = format!(
        "mean over the {} for which all of these solvers have a solution; a line begins when all of them \
         have their first",
        count_of(shared.len(), "runs")
    );
    Some(Drawn { scene, caption })
}
