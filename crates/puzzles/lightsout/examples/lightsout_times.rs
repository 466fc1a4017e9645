//! The fewest presses of boards of all sizes, with times: `cargo run --release -p
//! unriddle-lightsout --example lightsout_times [ones|random] [FIRST] [LAST]`.
//!
//! Each row: side, nullity, presses (`>=` where only the bound is proved), how many solutions have
//! so few, sets of presses looked at, milliseconds of the equations (once for each size) and of the
//! board.
#![allow(missing_docs)]

use std::time::Instant;
use unriddle_core::{Budget, Outcome, Rng, Search as _, run};
use unriddle_lightsout::{
    Lights, Shape, WORDS,
    algebra::Algebra,
    solvers::{Exact, ExactConfig},
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let kind = args.next().unwrap_or_else(|| "ones".to_owned());
    let mut number = |default: usize| args.next().map_or(Ok(default), |word| word.parse());
    let (first, last) = (number(1)?, number(54)?);
    println!("side nullity presses count looked_at equations_ms board_ms");
    for side in first..=last {
        let mut rng = Rng::new(side as u64);
        let shape = Shape::new(side, side, false).ok_or("1 to 200")?;
        let mut lit = vec![kind == "ones"; shape.cells()];
        if kind == "random" {
            for cell in (0..shape.cells()).filter(|_| rng.below(2) == 1) {
                let toggled = shape.toggled(cell);
                toggled.iter().for_each(|&at| lit[usize::from(at)] ^= true);
            }
        }
        let board = Lights::<WORDS>::new(shape, |cell| lit[cell]).ok_or("it has the words")?;
        let begun = Instant::now();
        let algebra = Algebra::of(board.shape());
        let equations = begun.elapsed();
        let nullity = algebra.nullity();
        let begun = Instant::now();
        let config = ExactConfig::default();
        let mut search = Exact::new(algebra, board.start(), config)?;
        let outcome = run(&mut search, &Budget::default(), &mut ())?;
        let took = begun.elapsed();
        let presses = match &outcome {
            Outcome::Solved { best, proof: true, .. } => best.value.to_string(),
            Outcome::Solved { best, bound, .. } => {
                format!("{}>={}", best.value, bound.unwrap_or(0))
            }
            other => format!("{other:?}"),
        };
        let count = search.count().map_or("-".to_owned(), |count| count.to_string());
        println!(
            "{side} {nullity} {presses} {count} {} {:.3} {:.3}",
            search.stats().generated,
            1e3 * equations.as_secs_f64(),
            1e3 * took.as_secs_f64()
        );
    }
    Ok(())
}
