//! `unriddle estimate`: estimates of heuristics beside the exact distances of all states.

use crate::{
    args::{Counts, Estimate},
    exit::{CANCELLED, Failure, INPUT},
    inputs,
    output::store,
    progress::{self, Display},
    signal,
};
use std::fmt::Write as _;
use unriddle_catalog::{
    Budget, Registry, Request, SolveError, Spec,
    accuracy::{Accuracy, AtOffset, Comparison, Errors},
    units::show_count,
};

/// A count with its share of all states.
fn share(part: u64, of: u64) -> String {
    match part {
        0 => "0".to_owned(),
        _ => format!("{} ({:.3} %)", show_count(part), 100.0 * part as f64 / of as f64),
    }
}

/// Source of an offset.
fn origin(of: &Accuracy, index: usize) -> String {
    match of.offsets[index].drawn {
        Some(count) => format!("largest overestimate of {} drawn states", show_count(count)),
        None if index == 0 => "none".to_owned(),
        None => "largest overestimate of all states".to_owned(),
    }
}

/// A comparison as text.
fn text(of: &Accuracy) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(out, "{}: {} states without the goals", of.heuristic, show_count(of.states));
    if of.lost > 0 {
        let _ = writeln!(out, "  left out, as no goal can be reached: {}", show_count(of.lost));
    }
    if of.pruned > 0 {
        let _ = writeln!(out, "  wrongly taken for dead ends: {}", share(of.pruned, of.states));
    }
    let _ = writeln!(
        out,
        "  {:>8} {:>12} {:>10} {:>22} {:>22} {:>10} {:>10}",
        "distance", "states", "estimate", "overestimated", "by more than 1", "smallest", "largest"
    );
    for at in &of.distances {
        let Errors { overestimated, by_more_than_one, smallest, largest, .. } = at.errors;
        let _ = writeln!(
            out,
            "  {:>8} {:>12} {:>10.3} {:>22} {:>22} {:>10.3} {:>10.3}",
            at.distance,
            show_count(at.states),
            at.mean,
            share(overestimated, at.states),
            share(by_more_than_one, at.states),
            smallest,
            largest
        );
    }
    for (index, AtOffset { offset, errors, .. }) in of.offsets.iter().enumerate() {
        let _ = writeln!(
            out,
            "  offset {offset:.3} ({}): {} overestimated, {} by more than 1; error {:.3} on average, {:.3} at most",
            origin(of, index),
            share(errors.overestimated, of.states),
            share(errors.by_more_than_one, of.states),
            errors.mean_error,
            errors.largest
        );
    }
    out
}

/// Comparisons as a table with a line for each offset.
fn table(all: &[Accuracy]) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "heuristic",
        "states",
        "offset_of",
        "offset",
        "overestimated",
        "overestimated_share",
        "by_more_than_one",
        "smallest_error",
        "largest_error",
        "mean_error",
    ])?;
    for of in all {
        for (index, AtOffset { offset, errors, drawn }) in of.offsets.iter().enumerate() {
            let offset_of = match drawn {
                Some(count) => count.to_string(),
                None if index == 0 => "none".to_owned(),
                None => "all".to_owned(),
            };
            writer.write_record([
                of.heuristic.clone(),
                of.states.to_string(),
                offset_of,
                format!("{offset:.4}"),
                errors.overestimated.to_string(),
                format!("{:.4} %", 100.0 * errors.overestimated as f64 / of.states as f64),
                errors.by_more_than_one.to_string(),
                format!("{:.4}", errors.smallest),
                format!("{:.4}", errors.largest),
                format!("{:.4}", errors.mean_error),
            ])?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

pub(crate) fn run(registry: &Registry, options: &Estimate) -> Result<(), Failure> {
    let (family, puzzle) = inputs::puzzle(registry, &options.puzzle)?;
    let spec =
        |text: &String| Spec::parse(text).map_err(|error| Failure::spec("--heuristic", &error));
    let heuristics: Vec<Spec> = options.heuristic.iter().map(spec).collect::<Result<_, _>>()?;
    let instance = inputs::one(family, &*puzzle, &options.instance)?;
    let (cancel, display) = (signal::cancel(), Display::new());
    let cache = progress::cache(&options.cache, inputs::cores(), &display, &cancel, None);
    let request = Request {
        budget: Budget { cancel: cancel.clone(), ..Budget::default() },
        seed: options.seed,
        networks: registry.networks(),
        // No search runs; errors name the heuristic.
        ..Request::new(&heuristics[0], &cache)
    };
    let bar = display.batch("heuristics", heuristics.len(), 0);
    let step = |name: &str| bar.set_message(name.to_owned());
    let comparison = Comparison {
        heuristics: &heuristics,
        states: options.states,
        drawn: &options.calibrate,
        request: &request,
        step: &step,
    };
    let found = instance.accuracy(&comparison);
    display.clear();
    if cancel.is_cancelled() {
        return Err(Failure::new(CANCELLED, "cancelled before all states were compared"));
    }
    let found = found.map_err(|error| match error {
        SolveError::Spec(error) => Failure::spec("--heuristic", &error),
        other => Failure::solve(other),
    })?;
    let out = match options.format {
        Counts::Text => found.iter().map(text).collect::<Vec<_>>().join("\n"),
        Counts::Csv => table(&found).map_err(|error| Failure::new(INPUT, error.to_string()))?,
        Counts::Json => {
            let text = serde_json::to_string_pretty(&found);
            text.map_err(|error| Failure::new(INPUT, error.to_string()))? + "\n"
        }
    };
    store(options.output.as_deref(), &out)
}
