//! Evolution of one slice of `fc-fast`, and of the order of layers of `fc-short`.
//!
//! All candidates of a generation are evaluated on the same deals, and each generation on fresh
//! ones: each deal is a coin flip for a small change of the weights, and an evolution on fixed
//! deals collects lucky flips.

use crate::{Deals, Done, Options, expansions};
use std::time::Instant;
use unriddle_core::{Direction, Progress, Quota, Search};
use unriddle_evolve::{CmaEs, CmaEsConfig, Recombination};
use unriddle_freecell::solvers::{
    fast::weights::{Slice, WEIGHTS, Weights},
    short::{BeamWeights, Short, ShortConfig},
};
use unriddle_freecell::{FreeCell, To};

/// Most moves that are not home, as which a deal without a solution counts.
const MOST_STEPS: usize = 60;

/// The weights of a vector of reals.
fn rounded(vector: &[f64]) -> Weights {
    let mut weights = Weights([0; WEIGHTS]);
    for (weight, &value) in weights.0.iter_mut().zip(vector) {
        *weight = value.round().clamp(-2000.0, 2000.0) as i16;
    }
    weights
}

fn reals(weights: &Weights) -> Vec<f64> {
    weights.0.iter().map(|&weight| f64::from(weight)).collect()
}

/// Evolves a vector and prints the result. A generation's cost of a vector is the mean over fresh
/// deals.
fn descend<T: std::fmt::Display>(
    options: &Options,
    start: Vec<f64>,
    read: impl Fn(&[f64]) -> T,
    cost: impl Fn(&FreeCell, &T) -> f64,
) -> Done {
    let count: usize = options.get("deals", 1200)?;
    let generations: u64 = options.get("generations", 112)?;
    let share: f64 = options.get("step", 0.12)?;
    let config = CmaEsConfig {
        candidates: 24,
        parents: 12,
        weights: Recombination::Equal,
        mirrored: true,
        average: 0.4,
        direction: Direction::Minimise,
    };
    let deviation = start.iter().map(|weight| share * weight.abs() + 4.0).collect();
    let mut run = CmaEs::new(start, deviation, config, options.get("seed", 1)?)?;
    let mut deals = Deals::new(options)?;
    let begun = Instant::now();
    for generation in 1..=generations {
        let candidates: Vec<T> = run.ask().iter().map(|vector| read(vector)).collect();
        let mut costs = vec![0.0; candidates.len()];
        for puzzle in deals.by_ref().take(count) {
            for (candidate, sum) in candidates.iter().zip(&mut costs) {
                *sum += cost(&puzzle, candidate);
            }
        }
        let fitness: Vec<f64> = costs.iter().map(|sum| sum / count as f64).collect();
        run.tell(&fitness)?;
        let mean = fitness.iter().sum::<f64>() / fitness.len() as f64;
        let seconds = begun.elapsed().as_secs();
        eprintln!("{generation}: {mean:.3}, step {:.3}, {seconds} s", run.step());
        if generation.is_multiple_of(8) {
            eprintln!("{}", read(&run.centre()));
        }
    }
    println!("{}", read(&run.centre()));
    Ok(())
}

/// Evolves a slice, by the expansions until a deal is solved.
pub(crate) fn slice(options: &Options) -> Done {
    let slices = options.slices("slices")?;
    let from: usize = options.get("from", 0)?;
    let start = slices.get(from).ok_or("no such slice")?.weights;
    let cap: u64 = options.get("cap", 110)?;
    let unsolved: u64 = options.get("unsolved", 260)?;
    let read = |vector: &[f64]| Slice { weights: rounded(vector), expansions: cap };
    descend(options, reals(&start), read, |puzzle, &slice| {
        expansions(puzzle, slice).unwrap_or(unsolved) as f64
    })
}

/// Evolves the order of layers, by the moves that are not home of the first solution.
pub(crate) fn order(options: &Options) -> Done {
    let width: usize = options.get("width", 128)?;
    let slices = options.slices("slices")?;
    let from: usize = options.get("from", 0)?;
    let mut start = reals(&slices.get(from).ok_or("no such slice")?.weights);
    start.push(options.get("forced", 15.0)?);
    let read = |vector: &[f64]| BeamWeights {
        estimate: rounded(vector),
        forced: vector[WEIGHTS].round().clamp(0.0, 2000.0) as i16,
    };
    descend(options, start, read, |puzzle, &beam_weights| {
        let config =
            ShortConfig { first: width, last: width, beam_weights, ..ShortConfig::default() };
        // Deals without a solution by all moves home are searched by other beams for long.
        let quota = Quota { expanded: 40 * width as u64, ..Quota::UNLIMITED };
        let search = Short::new(puzzle, config).ok();
        let steps = search.and_then(|mut search| match search.advance(&quota, &mut ()) {
            Progress::Finished(outcome) => {
                let best = outcome.best()?;
                Some(best.actions.iter().filter(|action| action.to != To::Home).count())
            }
            _ => None,
        });
        steps.unwrap_or(MOST_STEPS) as f64
    })
}
