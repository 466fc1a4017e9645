//! Measures the portfolio on seeded SameGame boards (15×15, five colours).
//!
//! ```text
//! cargo run --release -p unriddle-samegame --example samegame_best -- first=1 last=4 seconds=10 width=0
//! ```

use std::{collections::HashMap, env};
use unriddle_core::clock::ThreadTime;
use unriddle_core::{Progress, Rng, Search};
use unriddle_samegame::solvers::best::{BestConfig, Kit};
use unriddle_samegame::{Scoring, Small, generate::uniform};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options: HashMap<String, String> = env::args()
        .skip(1)
        .filter_map(|word| {
            let (name, value) = word.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        })
        .collect();
    let number = |name: &str, default: f64| -> Result<f64, std::num::ParseFloatError> {
        options.get(name).map_or(Ok(default), |text| text.parse())
    };
    let seconds = number("seconds", 10.0)?;
    let (mut sum, mut playouts, mut runs) = (0, 0, 0u64);
    for board in number("first", 1.0)? as u64..=number("last", 4.0)? as u64 {
        let layout = uniform(15, 15, 5, &mut Rng::stream(9000, board));
        let puzzle = Small::new(&layout, Scoring::Paper).ok_or("too large")?;
        let given = BestConfig::default();
        let config = BestConfig {
            width: number("width", given.width as f64)? as usize,
            tempers: number("tempers", given.tempers as f64)? as u64,
            evaluations: number("evaluations", given.evaluations as f64)? as u64,
            level: number("level", f64::from(given.level))? as u32,
            iterations: number("iterations", f64::from(given.iterations))? as u32,
            alpha: number("alpha", given.alpha)?,
            chains: number("chains", given.chains as f64)? as usize,
            hot: number("hot", given.hot)?,
            cold: number("cold", given.cold)?,
            left: number("left", given.left)?,
            adapts: number("adapts", given.adapts as f64)? as u64,
            again: number("again", given.again as f64)? as u64,
            round: number("round", f64::from(given.round))? as u32,
            endgame: number("endgame", f64::from(given.endgame))? as u32,
            cycles: number("cycles", given.cycles as f64)? as u64,
            seed: board,
        };
        let begun = ThreadTime::now();
        let kit = Kit::new(&puzzle);
        let mut search = kit.best(config)?;
        while begun.elapsed().as_secs_f64() < seconds {
            if search.step(200, &mut ()) != Progress::Running {
                break;
            }
        }
        let best = search.best().map_or(0, |best| best.value);
        sum += best;
        playouts += search.stats().expanded;
        runs += 1;
        print!("{best} ");
    }
    println!(
        "| mean {:.1}, {:.0} play-outs per board, {:.1} k/s",
        sum as f64 / runs as f64,
        playouts as f64 / runs as f64,
        playouts as f64 / runs as f64 / seconds / 1e3
    );
    Ok(())
}
