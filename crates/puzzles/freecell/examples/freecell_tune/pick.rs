//! Choice of a portfolio among candidates.
//!
//! A matrix has the expansions of each candidate on each deal. Slices are added greedily, by the
//! deals that they solve for their expansions; coordinate descent then refines the expansions and
//! the choice. All of this sees half of the deals; the other half judges.

use crate::{Deals, Done, Options, expansions};
use unriddle_core::Rng;
use unriddle_freecell::{
    FreeCell,
    solvers::fast::weights::{Slice, Weights},
};

/// A candidate and its expansions.
type Choice = (usize, u32);

/// Expansions of each candidate on each deal; more than any cap where it does not solve the deal.
type Matrix = Vec<Vec<u32>>;

/// Mean cost of a deal; `unsolved` is the cost of a deal that no slice solves.
fn cost(matrix: &[Vec<u32>], slices: &[Choice], unsolved: u32) -> f64 {
    let deal = |row: &Vec<u32>| {
        let mut spent = 0u64;
        for &(candidate, cap) in slices {
            spent += u64::from(row[candidate].min(cap));
            if row[candidate] <= cap {
                return spent;
            }
        }
        spent + u64::from(unsolved)
    };
    matrix.iter().map(deal).sum::<u64>() as f64 / matrix.len() as f64
}

/// The next slice: the most solved of the deals that are left, for its expansions.
fn best(left: &[&Vec<u32>], candidates: usize, caps: &[u32]) -> Option<Choice> {
    let rate = |&(candidate, cap): &Choice| {
        let solved = left.iter().filter(|row| row[candidate] <= cap).count();
        let spent: u64 = left.iter().map(|row| u64::from(row[candidate].min(cap))).sum();
        solved as f64 / spent as f64
    };
    let all = (0..candidates).flat_map(|candidate| caps.iter().map(move |&cap| (candidate, cap)));
    all.max_by(|a, b| rate(a).total_cmp(&rate(b))).filter(|choice| rate(choice) > 0.0)
}

/// Coordinate descent on the expansions and candidates of the slices.
fn refine(
    matrix: &[Vec<u32>],
    slices: &mut Vec<Choice>,
    candidates: usize,
    unsolved: u32,
    most: u32,
) {
    let mut least = cost(matrix, slices, unsolved);
    for _ in 0..4 {
        let before = least;
        for i in 0..slices.len() {
            let (candidate, cap) = slices[i];
            let caps = [60, 75, 85, 93, 97, 103, 107, 115, 130, 160]
                .map(|percent| (candidate, (cap * percent / 100).clamp(5, most)));
            let others = (0..candidates).map(|other| (other, cap));
            for choice in caps.into_iter().chain(others) {
                let old = std::mem::replace(&mut slices[i], choice);
                let now = cost(matrix, slices, unsolved);
                if now < least {
                    least = now;
                } else {
                    slices[i] = old;
                }
            }
        }
        let mut i = 0;
        while i < slices.len() {
            let old = slices.remove(i);
            let now = cost(matrix, slices, unsolved);
            if now <= least {
                least = now;
            } else {
                slices.insert(i, old);
                i += 1;
            }
        }
        if least > before - 0.02 {
            break;
        }
    }
}

/// The candidates and perturbed copies of them.
fn candidates(options: &Options) -> Done<Vec<Weights>> {
    let given = options.slices("candidates")?;
    let noise: usize = options.get("noise", 2)?;
    let mut rng = Rng::new(options.get("seed", 1)?);
    let mut all: Vec<Weights> = given.iter().map(|slice| slice.weights).collect();
    for copy in 0..noise {
        for slice in &given {
            let mut weights = slice.weights;
            let share = 0.12 + 0.13 * copy as f64 / noise.max(2).saturating_sub(1) as f64;
            for weight in &mut weights.0 {
                // A sum of uniform numbers is nearly normal; its deviation is 1.
                let normal = (0..12).map(|_| rng.below(1 << 20) as f64).sum::<f64>();
                let normal = normal / f64::from(1 << 20) - 6.0;
                let change = normal * share * (f64::from(*weight).abs() + 8.0);
                *weight = (f64::from(*weight) + change).round().clamp(-2000.0, 2000.0) as i16;
            }
            all.push(weights);
        }
    }
    Ok(all)
}

pub(crate) fn pick(options: &Options) -> Done {
    let weights = candidates(options)?;
    let most: u32 = options.get("cap", 1000)?;
    let unsolved: u32 = options.get("unsolved", 5000)?;
    let count: usize = options.get("count", 8)?;
    let deals: Vec<FreeCell> = Deals::new(options)?.take(options.get("deals", 4000)?).collect();
    let row = |puzzle: &FreeCell| {
        let solved = |weights: &Weights| {
            let slice = Slice { weights: *weights, expansions: u64::from(most) };
            expansions(puzzle, slice).map_or(u32::MAX, |count| count as u32)
        };
        weights.iter().map(solved).collect()
    };
    let matrix: Matrix = deals.iter().map(row).collect();
    let (train, test) = matrix.split_at(matrix.len() / 2);
    let caps: Vec<u32> =
        (0..).map(|i| (15.0 * 1.2f64.powi(i)) as u32).take_while(|&cap| cap <= most).collect();
    let mut slices: Vec<Choice> = Vec::new();
    let mut left: Vec<&Vec<u32>> = train.iter().collect();
    while slices.len() < count
        && let Some(choice) = best(&left, weights.len(), &caps)
    {
        slices.push(choice);
        left.retain(|row| row[choice.0] > choice.1);
    }
    eprintln!(
        "greedy: {:.2}, {:.2}",
        cost(train, &slices, unsolved),
        cost(test, &slices, unsolved)
    );
    refine(train, &mut slices, weights.len(), unsolved, most);
    let solved = |matrix: &[Vec<u32>]| {
        let by = |row: &&Vec<u32>| slices.iter().any(|&(candidate, cap)| row[candidate] <= cap);
        matrix.iter().filter(by).count()
    };
    eprintln!(
        "refined: {:.2}, {:.2}; without the unsolved {:.2}, {:.2}; solved {} of {}, {} of {}",
        cost(train, &slices, unsolved),
        cost(test, &slices, unsolved),
        cost(train, &slices, 0),
        cost(test, &slices, 0),
        solved(train),
        train.len(),
        solved(test),
        test.len()
    );
    for slice in options.slices("slices")?.iter().take(options.get("hard", 0)?) {
        println!("{slice}");
    }
    for (candidate, cap) in slices {
        println!("{}", Slice { weights: weights[candidate], expansions: u64::from(cap) });
    }
    Ok(())
}
