//! The texts of the files in a run's folder.

use crate::{
    error::LabError,
    report::plot::{Curve, curves},
};
use std::fmt::Write as _;
use unriddle_evolve::{Coevolution, Reals, Trial};

/// Lines of a TOML document: names and values.
pub type Lines<'a> = [(&'a str, toml::Value)];

/// A count as TOML writes it. Integers of TOML are signed: larger counts are quoted.
pub(super) fn count(value: u64) -> toml::Value {
    match i64::try_from(value) {
        Ok(value) => value.into(),
        Err(_) => value.to_string().into(),
    }
}

/// A weights file: the heuristic's options that do not evolve, its weights, and where they come from.
pub(super) fn weights_text(
    options: &Lines<'_>,
    weights: &Lines<'_>,
    provenance: &Lines<'_>,
) -> String {
    let lines = |lines: &Lines<'_>| -> String {
        let line = |(name, value): &(&str, toml::Value)| format!("{name} = {value}\n");
        lines.iter().map(line).collect()
    };
    format!(
        "format = 1\n{}\n[weights]\n{}\n[provenance]\n{}",
        lines(options),
        lines(weights),
        lines(provenance)
    )
}

/// The efforts of a baseline as CSV.
pub(super) fn baseline_text(numbers: &[u64], trials: &[Trial]) -> String {
    let mut text = "deal,generated,solved\n".to_owned();
    for (number, trial) in numbers.iter().zip(trials) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{number},{},{}", trial.effort, u8::from(trial.solved));
    }
    text
}

/// Reads a baseline back: the trials of the first instances, up to the first line that belongs to
/// another instance or cannot be read.
pub(super) fn baseline_of(text: &str, numbers: &[u64]) -> Vec<Trial> {
    let mut lines = text.lines();
    if lines.next() != Some("deal,generated,solved") {
        return Vec::new();
    }
    let trial = |(line, number): (&str, &u64)| {
        let mut fields = line.split(',');
        (fields.next()?.parse() == Ok(*number)).then_some(())?;
        let effort = fields.next()?.parse().ok()?;
        let solved = fields.next()? == "1";
        Some(Trial { effort, solved })
    };
    lines.zip(numbers).map_while(trial).collect()
}

/// The log: a line for each generation.
pub(super) fn log(run: &Coevolution<Reals>) -> String {
    let mut text =
        "generation,best,mean,median,worst,deviation,diversity,trials,solved,jobs\n".to_owned();
    for (generation, round) in run.solvers().history().iter().zip(run.rounds()) {
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{}",
            generation.number,
            generation.best,
            generation.mean,
            generation.median,
            generation.worst,
            generation.deviation,
            generation.diversity,
            round.trials,
            round.solved,
            round.jobs
        );
    }
    text
}

/// The learning curve: fitness of the best and the mean, and the share of trials solved.
pub(super) fn plot(run: &Coevolution<Reals>) -> Result<String, LabError> {
    let history = run.solvers().history();
    let at = |f: &dyn Fn(usize) -> f64| (0..history.len()).map(|i| (i as f64, f(i))).collect();
    let rounds = run.rounds();
    curves(
        "Learning curve",
        "generation",
        "fitness; share of trials solved",
        vec![
            Curve {
                name: "best fitness".to_owned(),
                points: at(&|i| history[i].best),
            },
            Curve {
                name: "mean fitness".to_owned(),
                points: at(&|i| history[i].mean),
            },
            Curve {
                name: "solved".to_owned(),
                points: at(&|i| rounds[i].solved as f64 / rounds[i].trials.max(1) as f64),
            },
        ],
    )
}
