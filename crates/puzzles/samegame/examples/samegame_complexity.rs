//! Size of SameGame (Schadd et al. 2012, section 2.2), on random boards of 15×15 cells with
//! five colours: length and branching factor of games, and leaves of the game tree and states as
//! powers of ten.
//!
//! ```text
//! cargo run --release -p unriddle-samegame --example samegame_complexity -- [BOARDS] [PLAYOUTS] > docs/results/samegame-complexity.csv
//! ```
//!
//! prints a table (CSV) with a row for one play-out of each policy on each board, and for the best
//! line of a Monte-Carlo tree search of PLAYOUTS play-outs. Branching is the mean over all
//! positions with a move; the leaves are branching to the power of the length. The number of states
//! is an upper bound: each column is an empty one or a stack of cells in any colours.

use unriddle_core::{Playout, Progress, Puzzle, Rng, Search};
use unriddle_samegame::{
    Group, Scoring, Small,
    generate::uniform,
    playout::{Games, Policy},
};
use unriddle_search::spmcts::{Spmcts, SpmctsConfig};

const SIDE: usize = 15;
const COLOURS: usize = 5;

/// Games by length and by the moves that their positions have.
#[derive(Default)]
struct Tally {
    lengths: Vec<f64>,
    choices: u64,
}

impl Tally {
    fn add(&mut self, puzzle: &Small, line: &[Group]) {
        self.lengths.push(line.len() as f64);
        let mut state = puzzle.initial_state();
        for &action in line {
            self.choices += puzzle.actions(&state).count() as u64;
            state = puzzle.apply(&state, action);
        }
    }

    /// Prints the row. The half-width of the interval of the length is 1.96 standard errors.
    fn print(&self, name: &str) {
        let games = self.lengths.len() as f64;
        let moves: f64 = self.lengths.iter().sum();
        let (length, branching) = (moves / games, self.choices as f64 / moves);
        let squares: f64 = self.lengths.iter().map(|one| (one - length).powi(2)).sum();
        let half = 1.96 * (squares / (games - 1.0).max(1.0) / games).sqrt();
        let leaves = length * branching.log10();
        // 1 + c + … + c^r stacks, for each column.
        let stacks: f64 = (0..=SIDE as i32).map(|height| (COLOURS as f64).powi(height)).sum();
        let states = SIDE as f64 * stacks.log10();
        println!("{name},{games},{length:.1} ± {half:.1},{branching:.1},{leaves:.0},{states:.0}");
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, default: u64| args.get(index).map_or(Ok(default), |n| n.parse());
    let (boards, nodes) = (number(0, 250)?, number(1, 10_000)?);
    let mut played: [Tally; Policy::ALL.len()] = Default::default();
    let mut searched = Tally::default();
    for board in 0..boards {
        let layout = uniform(SIDE, SIDE, COLOURS as u8, &mut Rng::stream(2012, board));
        let puzzle = Small::new(&layout, Scoring::Paper).ok_or("too large")?;
        for (tally, policy) in played.iter_mut().zip(Policy::ALL) {
            let games = Games { policy, ..Games::default() };
            let mut line = Vec::new();
            let mut rng = Rng::stream(1, board);
            games.play(&puzzle, &puzzle.initial_state(), &mut rng, &mut line);
            tally.add(&puzzle, &line);
        }
        let games = Games::default();
        let config = SpmctsConfig { nodes, solve: false, ..SpmctsConfig::default() };
        let mut search = Spmcts::new(&puzzle, &games, config)?;
        while search.step(10_000, &mut ()) == Progress::Running {}
        searched.add(&puzzle, search.best().map_or(&[], |best| &best.actions));
    }
    println!("games,boards,length,branching,leaves,states");
    for (tally, policy) in played.iter().zip(Policy::ALL) {
        tally.print(Policy::NAMES[policy as usize]);
    }
    searched.print("spmcts");
    Ok(())
}
