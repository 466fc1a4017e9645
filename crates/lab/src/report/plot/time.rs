//! Plots over time: the share of answered runs, and the value of the best solutions.

use super::{Drawn, Plot, format, label};
use crate::{
    report::{
        numbers::{count, count_of},
        select::Run,
        values::Measure,
    },
    row::{Incumbent, Row},
};
use std::collections::BTreeSet;
use unriddle_plot::{Axis, Mark, Scene};

/// CPU time at which a run had its answer in the sense of an attribute.
fn answered(row: &Row, attribute: &str, optimum: Option<i64>) -> Option<f64> {
    let at = |incumbent: Option<&Incumbent>| incumbent.map(|i| i.cpu_s).or(row.cpu_s);
    let (is_answered, time) = match attribute {
        "solved" => (row.is_solved(), at(row.incumbents.first())),
        "proved" => (row.is_proved(), row.cpu_s),
        "optimal" => {
            let is_optimal = row.is_solved() && (row.is_proved() || row.value == optimum);
            (is_optimal, at(row.incumbents.last()))
        }
        _ => (row.is_proved() || (row.is_solved() && !row.is_censored()), row.cpu_s),
    };
    time.filter(|_| is_answered)
}

/// Coverage: the share of the runs that are answered within a CPU time.
pub(super) fn coverage(Plot { spec, all, .. }: &Plot<'_>) -> Option<Drawn> {
    let ends = all.iter().flat_map(|solver| &solver.runs).filter_map(|run| run.row.cpu_s);
    let latest = ends.filter(|t| t.is_finite()).reduce(f64::max)?;
    let mut times = vec![latest];
    let (mut marks, mut legend) = (Vec::new(), Vec::new());
    for (series, solver) in all.iter().enumerate().filter(|(_, solver)| !solver.runs.is_empty()) {
        let runs = &solver.runs;
        let time = |run: &Run<'_>| answered(run.row, spec.attribute.name, run.optimum);
        let mut found: Vec<f64> = runs.iter().filter_map(time).filter(|t| t.is_finite()).collect();
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
        let text = format!("{} ({} of {})", solver.name(), count(found.len()), count(runs.len()));
        legend.push((series, None, text));
    }
    let what = match spec.attribute.name {
        "solved" => "solved",
        "proved" => "proved",
        "optimal" => "solved optimally",
        _ => "answered",
    };
    let scene = Scene {
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

/// Mean of the best solutions so far.
pub(super) fn anytime(Plot { spec, suite, all }: &Plot<'_>) -> Option<Drawn> {
    let is_excess = spec.attribute.name == "excess";
    let mut curves = Vec::new();
    let mut shared: Option<BTreeSet<(usize, u64)>> = None;
    for (series, solver) in all.iter().enumerate() {
        let runs: Vec<&Run<'_>> = solver
            .runs
            .iter()
            .filter(|run| run.row.is_solved() && !run.row.incumbents.is_empty())
            .filter(|run| !is_excess || run.optimum.is_some())
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
    let mut points = Vec::<(f64, f64)>::new();
    for (series, solver, runs) in curves {
        // Steps of the sum: time, change, and whether the step is the first one of its run.
        let mut steps = Vec::new();
        for run in runs {
            if !shared.contains(&(run.instance, run.seed)) {
                continue;
            }
            let optimum = run.optimum.filter(|_| is_excess);
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
        points.extend(&line);
        marks.push(Mark::Line(series, line));
        legend.push((series, None, solver.name().to_owned()));
    }
    let what = label(suite, &spec.attribute);
    let scene = Scene {
        x: Axis::over(points.iter().map(|p| p.0), true, format(Measure::Seconds), false),
        y: Axis::over(points.iter().map(|p| p.1), false, format(Measure::Plain), false),
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
