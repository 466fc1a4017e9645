//! Measures length and branching factor of SameGame (Schadd et al. 2012, section 2.2) over games on
//! random boards of 15×15 cells with five colours: one play-out of each policy per board, and the
//! best line of a Monte-Carlo tree search of some play-outs. Branching is the mean over all
//! positions with a move. Also prints the depths of the search trees (Table 2 there); c, d and
//! scale are options of `spmcts`, and a scale of 0 leaves the scores as they are.
//!
//! ```text
//! cargo run --release -p unriddle-samegame --example samegame_complexity -- boards=250 nodes=10000 c=0.1 d=32 scale=0
//! ```

use std::{collections::HashMap, env};
use unriddle_core::{Playout, Progress, Puzzle, Rng, Search};
use unriddle_samegame::{
    Group, Scoring, Small,
    generate::uniform,
    playout::{Games, Policy},
};
use unriddle_search::spmcts::{Spmcts, SpmctsConfig, Values};

/// Games by length and by the moves that their positions have.
#[derive(Default)]
struct Tally {
    games: u32,
    moves: u64,
    choices: u64,
}

impl Tally {
    fn add(&mut self, puzzle: &Small, line: &[Group]) {
        self.games += 1;
        self.moves += line.len() as u64;
        let mut state = puzzle.initial_state();
        for &action in line {
            self.choices += puzzle.actions(&state).count() as u64;
            state = puzzle.apply(&state, action);
        }
    }

    fn print(&self, name: &str) {
        let length = self.moves as f64 / f64::from(self.games);
        let branching = self.choices as f64 / self.moves as f64;
        println!(
            "{name:<12} {length:.1} moves, branching {branching:.1}: game tree of 10^{:.0}",
            length * branching.log10()
        );
    }
}

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
    let real = |name: &str, default: f64| -> Result<f64, std::num::ParseFloatError> {
        options.get(name).map_or(Ok(default), |text| text.parse())
    };
    let scale = real("scale", 0.0)?;
    let boards = number("boards", 250)?;
    let config = SpmctsConfig {
        nodes: number("nodes", 10_000)?,
        c: real("c", 0.1)?,
        d: real("d", 32.0)?,
        values: if scale > 0.0 { Values::Scaled } else { Values::Raw },
        scale: if scale > 0.0 { scale } else { 1.0 },
        ..SpmctsConfig::default()
    };
    let (mut score, mut depth, mut deepest) = (0, 0.0, 0);
    let mut played: [Tally; Policy::ALL.len()] = Default::default();
    let mut searched = Tally::default();
    for board in 0..boards {
        let layout = uniform(15, 15, 5, &mut Rng::stream(2012, board));
        let puzzle = Small::new(&layout, Scoring::Paper).ok_or("too large")?;
        for (tally, policy) in played.iter_mut().zip(Policy::ALL) {
            let games = Games { policy, ..Games::default() };
            let mut line = Vec::new();
            let mut rng = Rng::stream(1, board);
            games.play(&puzzle, &puzzle.initial_state(), &mut rng, &mut line);
            tally.add(&puzzle, &line);
        }
        let games = Games::default();
        let mut search = Spmcts::new(&puzzle, &games, config)?;
        while search.step(10_000, &mut ()) == Progress::Running {}
        searched.add(&puzzle, search.best().map_or(&[], |best| &best.actions));
        score += search.best().map_or(0, |best| best.value);
        let tree = search.tree().unwrap_or_default();
        depth += tree.average_depth().unwrap_or_default();
        deepest += tree.deepest;
    }
    for (tally, policy) in played.iter().zip(Policy::ALL) {
        tally.print(Policy::NAMES[policy as usize]);
    }
    searched.print("spmcts");
    let mean = |sum: f64| sum / boards as f64;
    println!(
        "spmcts: score {:.0}, average depth {:.1}, deepest node {:.1}",
        mean(score as f64),
        mean(depth),
        mean(deepest as f64)
    );
    Ok(())
}
