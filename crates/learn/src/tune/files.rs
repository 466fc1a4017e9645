//! The texts of the files in a run's folder.

use super::{
    optimiser::Optimiser,
    parameter::shown,
    recipe::{Method, Recipe},
};
use crate::figure::{Curve, curves};
use std::fmt::Write as _;
use unriddle_catalog::{Spec, work::WorkError};
use unriddle_evolve::{Direction, Generation};

/// The result of a sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampleResult {
    /// Mean value of its games.
    pub(super) value: f64,
    /// States expanded in its games.
    pub(super) nodes: u64,
}

/// The log: a line for each iteration, with the distribution that its samples were drawn from.
pub(super) fn log(recipe: &Recipe, run: &Optimiser) -> String {
    let state = run.state_name();
    let mut text = format!("iteration,best,mean,median,worst,deviation,{state},samples");
    for parameter in &recipe.parameters {
        let column = parameter.column();
        // Writing to a string does not fail.
        let _ = write!(text, ",{column},{column} deviation");
    }
    text.push('\n');
    for iteration in run.history() {
        let Generation { number, best, mean, median, worst, deviation, evaluations, .. } =
            *iteration.fitness;
        let _ = write!(
            text,
            "{},{best},{mean},{median},{worst},{deviation},{},{evaluations}",
            number + 1,
            iteration.state
        );
        for (mean, deviation) in iteration.mean.iter().zip(iteration.deviation) {
            let _ = write!(text, ",{mean},{deviation}");
        }
        text.push('\n');
    }
    text
}

/// The table of all samples, with an iteration (from 1) added to those before it. Lines of
/// iterations that are played again, after a kill, are left out.
pub(super) fn samples(
    before: Option<&str>,
    recipe: &Recipe,
    iteration: u64,
    points: &[Vec<f64>],
    played: &[SampleResult],
) -> String {
    let names: Vec<&str> = recipe.parameters.iter().map(|p| p.name.as_str()).collect();
    let mut text = format!("iteration,sample,{},{},nodes\n", names.join(","), recipe.measured());
    for line in before.unwrap_or_default().lines().skip(1) {
        let number = line.split(',').next().and_then(|n| n.parse::<u64>().ok());
        if number.is_some_and(|number| number < iteration) {
            text += line;
            text.push('\n');
        }
    }
    for (number, (point, played)) in points.iter().zip(played).enumerate() {
        let values: Vec<String> =
            recipe.parameters.iter().zip(point).map(|(p, &x)| p.text(x)).collect();
        let (values, SampleResult { value, nodes }) = (values.join(","), played);
        let _ = writeln!(text, "{iteration},{},{values},{value},{nodes}", number + 1);
    }
    text
}

/// The learning curve: mean scores or costs of the best sample, of the worst of the elite, and of
/// all samples.
pub(super) fn plot(recipe: &Recipe, run: &Optimiser) -> Result<String, WorkError> {
    let history = run.history();
    let curve = |name: &str, value: &dyn Fn(usize) -> f64| Curve {
        name: name.to_owned(),
        points: (0..history.len()).map(|i| (i as f64 + 1.0, value(i))).collect(),
    };
    let mut all = vec![
        curve("best", &|i| history[i].fitness.best),
        curve("mean", &|i| history[i].fitness.mean),
    ];
    if recipe.method == Method::CrossEntropy {
        all.insert(1, curve("elite", &|i| history[i].state));
    }
    curves("Tuning", "iteration", &format!("mean {} of a sample", recipe.measured()), all)
}

/// The distribution in words: `c 5.96 ± 0.33, d 68 ± 12`.
pub(super) fn distribution(recipe: &Recipe, run: &Optimiser) -> String {
    let (mean, deviation) = run.distribution();
    let pairs = recipe.parameters.iter().zip(mean).zip(deviation);
    let short = |x: f64| shown(format!("{x:.2e}").parse().unwrap_or(x));
    let parts: Vec<String> = pairs
        .map(|((parameter, mean), deviation)| {
            let name = parameter.column();
            format!("{name} {} ± {}", short(mean), short(deviation))
        })
        .collect();
    parts.join(", ")
}

/// The file of the solver: a spec in TOML, below comments about its origin.
pub(super) fn preset(recipe: &Recipe, run: &Optimiser, solver: &Spec, revision: &str) -> String {
    let iterations = run.history().len();
    let samples = iterations * recipe.settings.samples();
    let measure = recipe.measured();
    let mut lines = vec![
        recipe.title.clone(),
        format!("puzzle: {}; boards: {}", recipe.puzzle, recipe.generator),
        format!(
            "recipe: {}{}, method {}, seed {}",
            recipe.file,
            recipe.scale.as_ref().map_or(String::new(), |scale| format!(" at scale {scale}")),
            recipe.method.name(),
            recipe.seed
        ),
        format!("revision: {revision}"),
        format!(
            "seen: iteration {iterations} of {}, {samples} samples, {} games",
            recipe.iterations,
            samples as u64 * recipe.boards
        ),
    ];
    match recipe.method {
        Method::CrossEntropy => {
            lines.push(format!("the centre of the distribution: {}", distribution(recipe, run)));
            if let Some(last) = run.history().last() {
                let side = match recipe.settings.direction() {
                    Direction::Maximise => "least",
                    Direction::Minimise => "most",
                };
                lines.push(format!(
                    "mean {measure} of the last iteration: {:.1}, of its elite at {side} {:.1}",
                    last.fitness.mean, last.state
                ));
            }
        }
        Method::CmaEs => {
            lines.push("the average of the last means of the distribution".to_owned());
            lines.push(format!("the distribution: {}", distribution(recipe, run)));
            if let Some(last) = run.history().last() {
                lines.push(format!(
                    "mean {measure} of the last iteration: {:.1}",
                    last.fitness.mean
                ));
            }
        }
        Method::Random => {
            if let Some(best) = run.best() {
                lines.push(format!(
                    "the best sample, the luckiest one included: mean {measure} {:.1} in iteration {}",
                    best.fitness,
                    best.generation + 1
                ));
            }
        }
    }
    lines.push(format!("solver: {solver}"));
    let mut text = String::new();
    for line in lines {
        // A title may hold anything; a comment ends with its line.
        let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        text += &format!("# {line}\n");
    }
    text + &solver.to_toml()
}
