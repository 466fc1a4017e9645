//! Measures the layered beam on seeded SameGame boards (15×15, five colours).
//!
//! ```text
//! cargo run --release -p unriddle-samegame --example samegame_layers -- first=1 last=4 width=1000 tabu=1
//! ```

use std::{collections::HashMap, env};
use unriddle_core::clock::ThreadTime;
use unriddle_core::{Progress, Rng, Search};
use unriddle_samegame::{Group, Scoring, Small, generate::uniform, tabu::Tabu, value::Linear};
use unriddle_search::layers::{Layers, LayersConfig};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options: HashMap<String, String> = env::args()
        .skip(1)
        .filter_map(|word| {
            let (name, value) = word.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        })
        .collect();
    let number = |name: &str, default: u64| -> Result<u64, std::num::ParseIntError> {
        options.get(name).map_or(Ok(default), |text| text.parse())
    };
    let (mut sum, mut runs) = (0, 0);
    let begun = ThreadTime::now();
    for board in number("first", 1)?..=number("last", 4)? {
        let layout = uniform(15, 15, 5, &mut Rng::stream(9000, board));
        let puzzle = Small::new(&layout, Scoring::Paper).ok_or("too large")?;
        let config =
            LayersConfig { width: number("width", 1000)? as usize, ..LayersConfig::default() };
        let value = Linear::default();
        let tabu = Tabu::default();
        let mut search: Box<dyn Search<Action = Group>> = match number("tabu", 0)? {
            0 => Box::new(Layers::new(&puzzle, &value, config)?),
            _ => Box::new(Layers::selective(&puzzle, &tabu, &value, config)?),
        };
        while search.step(10_000, &mut ()) == Progress::Running {}
        let best = search.best().map_or(0, |best| best.value);
        let stats = search.stats();
        print!("{best} ({} k generated, {} MB) ", stats.generated / 1000, stats.peak_bytes >> 20);
        sum += best;
        runs += 1;
    }
    let seconds = begun.elapsed().as_secs_f64() / f64::from(runs);
    println!("| mean {:.1}, {seconds:.2} CPU s per board", sum as f64 / f64::from(runs));
    Ok(())
}
