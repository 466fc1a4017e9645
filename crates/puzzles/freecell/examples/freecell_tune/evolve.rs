//! Evolution of one slice.
//!
//! All candidates of a generation are evaluated on the same deals, and each generation on fresh
//! ones: each deal is a coin flip for a small change of the weights, and an evolution on fixed
//! deals collects lucky flips.

use crate::{Deals, Done, Options, expansions};
use std::time::Instant;
use unriddle_core::Direction;
use unriddle_evolve::{CmaEs, CmaEsConfig, Recombination};
use unriddle_freecell::solvers::fast::weights::{Slice, WEIGHTS, Weights};

/// The weights of a vector of reals.
fn rounded(vector: &[f64]) -> Weights {
    let mut weights = Weights([0; WEIGHTS]);
    for (weight, &value) in weights.0.iter_mut().zip(vector) {
        *weight = value.round().clamp(-2000.0, 2000.0) as i16;
    }
    weights
}

pub(crate) fn evolve(options: &Options) -> Done {
    let slices = options.slices("slices")?;
    let from: usize = options.get("from", 0)?;
    let start = slices.get(from).ok_or("no such slice")?.weights;
    let cap: u64 = options.get("cap", 110)?;
    let unsolved: u64 = options.get("unsolved", 260)?;
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
    let mean: Vec<f64> = start.0.iter().map(|&weight| f64::from(weight)).collect();
    let deviation = mean.iter().map(|weight| share * weight.abs() + 4.0).collect();
    let mut run = CmaEs::new(mean, deviation, config, options.get("seed", 1)?)?;
    let mut deals = Deals::new(options)?;
    let begun = Instant::now();
    for generation in 1..=generations {
        let slices: Vec<Slice> = run
            .ask()
            .iter()
            .map(|vector| Slice { weights: rounded(vector), expansions: cap })
            .collect();
        let mut costs = vec![0; slices.len()];
        let mut solved = 0;
        for puzzle in deals.by_ref().take(count) {
            for (&slice, cost) in slices.iter().zip(&mut costs) {
                let found = expansions(&puzzle, slice);
                solved += u64::from(found.is_some());
                *cost += found.unwrap_or(unsolved);
            }
        }
        let fitness: Vec<f64> = costs.iter().map(|&sum| sum as f64 / count as f64).collect();
        run.tell(&fitness)?;
        let mean = fitness.iter().sum::<f64>() / fitness.len() as f64;
        let share = 100.0 * solved as f64 / (count * slices.len()) as f64;
        let seconds = begun.elapsed().as_secs();
        eprintln!(
            "{generation}: {mean:.2}, solved {share:.1} %, step {:.3}, {seconds} s",
            run.step()
        );
        if generation.is_multiple_of(8) {
            eprintln!("{}", Slice { weights: rounded(&run.centre()), expansions: cap });
        }
    }
    println!("{}", Slice { weights: rounded(&run.centre()), expansions: cap });
    Ok(())
}
