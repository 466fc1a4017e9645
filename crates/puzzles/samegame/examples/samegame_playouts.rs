//! Measures play-outs of SameGame from the start of a random 15×15 board with five colours.
//!
//! ```text
//! cargo run --release -p unriddle-samegame --example samegame_playouts -- 100000
//! ```

use unriddle_core::clock::ThreadTime;
use unriddle_core::{Playout, Puzzle, Rng};
use unriddle_samegame::{
    Scoring, Small,
    generate::uniform,
    playout::{Games, Policy},
};

fn main() {
    let count = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(100_000u32);
    for policy in Policy::ALL {
        let games = Games { policy, ..Games::default() };
        let mut rng = Rng::new(1);
        let (mut moves, mut sum, mut best) = (0, 0, i64::MIN);
        let layout = uniform(15, 15, 5, &mut Rng::new(2012));
        let Some(puzzle) = Small::new(&layout, Scoring::Paper) else {
            return;
        };
        let start = puzzle.initial_state();
        let mut actions = Vec::new();
        let begun = ThreadTime::now();
        for _ in 0..count {
            actions.clear();
            let score = games.play(&puzzle, &start, &mut rng, &mut actions);
            moves += actions.len();
            sum += score;
            best = best.max(score);
        }
        let seconds = begun.elapsed().as_secs_f64();
        let each = |total: f64| total / f64::from(count);
        println!(
            "{:<12} {:>8.0} play-outs/s, {:.0} ns per move, {:.1} moves, mean {:.1}, best {best}",
            Policy::NAMES[policy as usize],
            f64::from(count) / seconds,
            seconds * 1e9 / moves as f64,
            each(moves as f64),
            each(sum as f64),
        );
    }
}
