//! Hill climbing on the weights of one slice of `fc-fast`, to expand as few positions as possible.
//!
//! `cargo run --release -p unriddle-freecell --example freecell_tune -- FIRST COUNT CAP SECONDS
//! SEED [hard=LIMIT] [WEIGHTS...]`: deals FIRST.. that the first slices (`hard`) leave; a deal
//! given up at CAP counts three times CAP.

use std::time::Instant;
use unriddle_core::{Progress, Quota, Rng, Search};
use unriddle_freecell::solvers::fast::{
    Fast,
    weights::{PORTFOLIO, Slice, WEIGHTS, Weights},
};
use unriddle_freecell::{FreeCell, Rules, parse};

/// The cost of a deal: its generated positions, in units of an expansion's work.
fn cost(puzzle: &FreeCell, weights: Weights, cap: u64) -> u64 {
    let slice = Slice { weights, expansions: u64::MAX };
    let mut search = Fast::with_slices(puzzle, vec![slice]);
    let quota = Quota { expanded: cap, ..Quota::UNLIMITED };
    match search.advance(&quota, &mut ()) {
        Progress::Finished(_) => search.stats().expanded,
        _ => 3 * cap,
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| -> Result<u64, Box<dyn std::error::Error>> {
        Ok(words.get(i).ok_or("too few arguments")?.parse()?)
    };
    let (first, count, cap, seconds, seed) =
        (number(0)?, number(1)?, number(2)?, number(3)?, number(4)?);
    let hard: usize = match words.get(5).and_then(|word| word.strip_prefix("hard=")) {
        Some(text) => text.parse()?,
        None => 0,
    };
    let mut weights = PORTFOLIO[hard.min(PORTFOLIO.len() - 1)].weights;
    let given: Vec<i32> = words[5 + usize::from(hard > 0)..]
        .iter()
        .map(|word| word.trim_end_matches(',').parse())
        .collect::<Result<_, _>>()?;
    for (weight, given) in weights.0.iter_mut().zip(given) {
        *weight = given;
    }
    let rules = Rules::default();
    let mut deals = Vec::new();
    let mut at = first;
    while deals.len() < count as usize {
        let puzzle = FreeCell::new(rules, parse::numbered(at, &rules)?);
        at += 1;
        let solved = PORTFOLIO[..hard.min(PORTFOLIO.len())]
            .iter()
            .any(|slice| cost(&puzzle, slice.weights, slice.expansions) < 3 * slice.expansions);
        if !solved {
            deals.push(puzzle);
        }
    }
    let mut rng = Rng::new(seed);
    let begun = Instant::now();
    let mut costs: Vec<u64> = deals.iter().map(|deal| cost(deal, weights, cap)).collect();
    let mut best: u64 = costs.iter().sum();
    println!("{:.1} {:?} (to deal {at})", best as f64 / count as f64, weights.0);
    let mut tried = 0;
    while begun.elapsed().as_secs() < seconds {
        tried += 1;
        let mut other = weights;
        for _ in 0..1 + rng.below(3) {
            let i = rng.below(WEIGHTS as u64) as usize;
            let scale = [1.3, 0.75, 1.1, 0.9, 1.7, 0.5][rng.below(6) as usize];
            let step = rng.below(5) as i32 - 2;
            other.0[i] = ((f64::from(other.0[i]) * scale) as i32 + step).clamp(-200, 1000);
        }
        if other == weights {
            continue;
        }
        // A race: aborted as soon as it is clearly behind on the same deals.
        let (mut sum, mut known) = (0, 0);
        let mut new = Vec::with_capacity(deals.len());
        for (deal, &before) in deals.iter().zip(&costs) {
            let c = cost(deal, other, cap);
            new.push(c);
            sum += c;
            known += before;
            let margin = 3.0 * cap as f64 * (new.len() as f64).sqrt() * 0.15;
            if sum as f64 > known as f64 + margin || sum > best {
                break;
            }
        }
        if new.len() < deals.len() {
            continue;
        }
        if sum <= best {
            weights = other;
            if sum < best {
                println!(
                    "{:.1} {:?} ({tried}, {} s)",
                    sum as f64 / count as f64,
                    weights.0,
                    begun.elapsed().as_secs()
                );
            }
            best = sum;
            costs = new;
        }
    }
    Ok(())
}
