//! The texts of the files in a run's folder.

use super::recipe::{Baseline, Recipe};
use crate::figure::{Curve, curves};
use std::fmt::Write as _;
use unriddle_catalog::work::WorkError;
use unriddle_evolve::{Coevolution, Generation, Reals, Round, Trial};

/// The columns of a baseline's file.
const COLUMNS: &str = "instance,generated,solved";

/// First line of a baseline's file: solver and budget of its efforts.
fn of(baseline: &Baseline) -> String {
    let Baseline { solver, nodes, .. } = baseline;
    format!("# {}, at most {nodes} generated states", solver.escape_debug())
}

/// The efforts of a baseline as CSV, below a line with its solver and budget.
pub(super) fn baseline_text(baseline: &Baseline, numbers: &[u64], trials: &[Trial]) -> String {
    let mut text = format!("{}\n{COLUMNS}\n", of(baseline));
    for (number, trial) in numbers.iter().zip(trials) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{number},{},{}", trial.effort, u8::from(trial.solved));
    }
    text
}

/// Reads a baseline back.
///
/// # Errors
/// A file of another solver, budget or training set.
pub(super) fn baseline_of(
    text: &str,
    baseline: &Baseline,
    numbers: &[u64],
) -> Result<Vec<Trial>, String> {
    let mut lines = text.lines();
    for expected in [of(baseline), COLUMNS.to_owned()] {
        let found = lines.next().unwrap_or_default();
        if found != expected {
            return Err(format!(
                "this is another baseline: found `{found}`, expected `{expected}`; give another folder"
            ));
        }
    }
    let trial = |(line, number): (&str, &u64)| {
        let mut fields = line.split(',');
        (fields.next()?.parse() == Ok(*number)).then_some(())?;
        let effort = fields.next()?.parse().ok()?;
        let solved = fields.next()? == "1";
        Some(Trial { effort, solved })
    };
    let trials: Option<Vec<Trial>> = lines.zip(numbers).map(trial).collect();
    trials
        .filter(|trials| trials.len() == numbers.len())
        .ok_or_else(|| "it is not of the training instances of the recipe".to_owned())
}

/// The log: a line for each generation.
pub(super) fn log(run: &Coevolution<Reals>) -> String {
    let mut text =
        "generation,best,mean,median,worst,deviation,diversity,trials,solved,jobs\n".to_owned();
    for (generation, round) in run.solvers().history().iter().zip(run.rounds()) {
        let Generation { number, best, mean, median, worst, deviation, diversity, .. } = generation;
        let Round { trials, solved, jobs } = round;
        let _ = writeln!(
            text,
            "{number},{best},{mean},{median},{worst},{deviation},{diversity},{trials},{solved},{jobs}"
        );
    }
    text
}

/// The learning curve: fitness of the best and the mean, and the share of trials solved.
pub(super) fn plot(recipe: &Recipe, run: &Coevolution<Reals>) -> Result<String, WorkError> {
    let history = run.solvers().history();
    let at = |f: &dyn Fn(usize) -> f64| (0..history.len()).map(|i| (i as f64, f(i))).collect();
    let rounds = run.rounds();
    curves(
        &recipe.title,
        "generation",
        "fitness; share of trials solved",
        vec![
            Curve { name: "best fitness".to_owned(), points: at(&|i| history[i].best) },
            Curve { name: "mean fitness".to_owned(), points: at(&|i| history[i].mean) },
            Curve {
                name: "solved".to_owned(),
                points: at(&|i| rounds[i].solved as f64 / rounds[i].trials.max(1) as f64),
            },
        ],
    )
}
