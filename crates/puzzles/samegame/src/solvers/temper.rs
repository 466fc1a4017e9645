//! Parallel tempering of lines of SameGame, also called replica exchange.
//!
//! Several lines (the module `line`) are changed at once, each at its own temperature: a worse line
//! is accepted with probability e^(−loss / T), so that the hot ones wander and the cold ones climb.
//! Temperatures fall geometrically from the first to the last. Every 500 lines each, neighbours are
//! offered to exchange their temperatures, with probability min(1, e^((1/T₁ − 1/T₂)(v₂ − v₁))) for
//! the hotter one's T₁ and v₁: lines found at high temperatures are refined at low ones, and stuck
//! lines are heated again. Other than annealing, which must know its end before it begins, this may
//! be stopped at any time.
//!
//! Every run begins with random lines; each third takes the next most frequent colour as tabu
//! instead of the most frequent one. Lines that are not cleared are played to their end where they
//! would be the best.
//!
//! Counters: a line is *expanded* and *evaluated*, its moves after the cut are *generated*. Memory:
//! for each temperature two lines of at most half as many positions as the board has cells.
//!
//! References: R. H. Swendsen and J.-S. Wang, "Replica Monte Carlo simulation of spin glasses",
//! Physical Review Letters 57 (1986); D. J. Earl and M. W. Deem, "Parallel tempering: theory,
//! applications, and new perspectives", Physical Chemistry Chemical Physics 7 (2005), equation 5;
//! the tabu colour: Cazenave 2016.

use super::line::{Aim, Line, Trial};
use crate::{Group, SameGame, tabu::by_frequency};
use unriddle_core::{
    Observer, Outcome, Progress, Puzzle, Quota, Rng, Search, SearchError, Solution, Stats,
};

/// Lines that each temperature tries between two exchanges.
const TURN: u64 = 500;

/// Most temperatures.
pub const MAX_CHAINS: usize = 64;

/// Options of [`Temper`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TemperConfig {
    /// Temperatures, 1 to [`MAX_CHAINS`].
    pub chains: usize,
    /// The highest, in points, above 0.
    pub hot: f64,
    /// The lowest, in points, above 0 and not above the highest.
    pub cold: f64,
    /// Cost of a cell that is left, in points.
    pub left: f64,
    /// Lines of a run, over all temperatures, at least 1.
    pub evaluations: u64,
    /// Runs; 0 for no end.
    pub runs: u64,
    /// Number of the first run, which determines its tabu.
    pub first: u64,
    /// Seed.
    pub seed: u64,
}

/// Parallel tempering.
pub struct Temper<'a, const N: usize, const L: u32> {
    puzzle: &'a SameGame<N, L>,
    config: TemperConfig,
    rng: Rng,
    aim: Aim<'a, N, L>,
    /// Colours by frequency.
    colours: Vec<u8>,
    /// Temperatures from the highest, and the line of each.
    heats: Vec<f64>,
    lines: Vec<Line<N, L>>,
    trial: Trial<N, L>,
    /// Lines of the run so far; runs so far.
    evaluations: u64,
    runs: u64,
    stats: Stats,
    best: Option<Solution<Group>>,
    outcome: Option<Outcome<Group>>,
}

impl<'a, const N: usize, const L: u32> Temper<'a, N, L> {
    /// A search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds.
    pub fn new(puzzle: &'a SameGame<N, L>, config: TemperConfig) -> Result<Self, SearchError> {
        let TemperConfig { chains, hot, cold, .. } = config;
        let heats = cold > 0.0 && hot >= cold && hot.is_finite() && config.left.is_finite();
        if !heats || !(1..=MAX_CHAINS).contains(&chains) || config.evaluations == 0 {
            return Err(SearchError::BadOption(format!(
                "tempering: 1 to {MAX_CHAINS} temperatures must be above 0 and not rise, a run must have lines"
            )));
        }
        let board = puzzle.initial_state();
        let fall = |i| (cold / hot).powf(i as f64 / (chains - 1).max(1) as f64);
        let mut search = Self {
            puzzle,
            config,
            rng: Rng::new(config.seed),
            aim: Aim::new(puzzle, 0, config.left),
            colours: by_frequency(&board),
            heats: (0..chains).map(|i| hot * fall(i)).collect(),
            lines: Vec::new(),
            trial: Trial::new(board),
            evaluations: 0,
            runs: 0,
            stats: Stats::default(),
            best: None,
            outcome: None,
        };
        search.aim.tabu = search.tabu_of(config.first);
        Ok(search)
    }

    /// The tabu of a run: two of three times the most frequent colour, else each of the others in
    /// turn.
    fn tabu_of(&self, run: u64) -> u8 {
        let others = self.colours.len().saturating_sub(1).max(1) as u64;
        let place = if run % 3 == 2 { 1 + run / 3 % others } else { 0 };
        let colour = self.colours.get(place as usize).or(self.colours.first());
        colour.copied().unwrap_or(0)
    }

    /// Reserves all memory that the search needs; returns whether it fits the quota.
    fn reserve_all(&mut self, quota: &Quota) -> bool {
        if !self.lines.is_empty() {
            return true;
        }
        let most = self.aim.most();
        let chains = self.config.chains;
        let lines = chains as u64 * Line::<N, L>::bytes(most) + Trial::<N, L>::bytes(most);
        // The best line, and its replacement.
        let best = (2 * most * size_of::<Group>()) as u64;
        let small = (self.colours.capacity() + chains * size_of::<f64>()) as u64;
        if lines + best + small > quota.bytes {
            return false;
        }
        let board = self.puzzle.initial_state();
        self.lines = (0..chains).map(|_| Line::new(board, most)).collect();
        self.trial.reserve(most);
        self.stats.peak_bytes = lines + best + small;
        true
    }

    /// Tries a line.
    fn evaluate(&mut self, observer: &mut dyn Observer<Group>) {
        let chain = (self.evaluations / TURN) as usize % self.lines.len();
        let line = &mut self.lines[chain];
        let trial = &mut self.trial;
        line.try_change(&self.aim, &mut self.rng, trial);
        self.stats.expanded += 1;
        self.stats.evaluated += 1;
        self.stats.generated += trial.moves();
        let record = self.best.as_ref().map(|best| best.value);
        if record.is_none_or(|best| trial.value > best as f64 || trial.score > best) {
            let found = line.solution(&self.aim, trial);
            if record.is_none_or(|best| found.value > best) {
                observer.improved(self.best.insert(found), &self.stats);
            }
        }
        let gain = trial.value - line.value;
        if gain >= 0.0 || self.rng.unit() < (gain / self.heats[chain]).exp() {
            line.accept(trial);
        } else {
            line.reject(trial);
        }
        self.evaluations += 1;
        if self.evaluations == self.config.evaluations {
            self.begin_again();
        } else if self.evaluations.is_multiple_of(TURN * self.lines.len() as u64) {
            self.exchange();
        }
    }

    /// Offers neighbours to exchange their temperatures: every other pair, and the others the next
    /// time.
    fn exchange(&mut self) {
        let odd = self.evaluations / (TURN * self.lines.len() as u64) % 2;
        for hot in (odd as usize..self.lines.len() - 1).step_by(2) {
            let gain = self.lines[hot].value - self.lines[hot + 1].value;
            let colder = 1.0 / self.heats[hot + 1] - 1.0 / self.heats[hot];
            if gain >= 0.0 || self.rng.unit() < (colder * gain).exp() {
                self.lines.swap(hot, hot + 1);
            }
        }
    }

    /// The next run, or the end.
    fn begin_again(&mut self) {
        self.runs += 1;
        self.evaluations = 0;
        self.lines.iter_mut().for_each(Line::clear);
        self.aim.tabu = self.tabu_of(self.config.first + self.runs);
        if self.runs == self.config.runs {
            self.outcome = Some(Outcome::Exhausted { best: self.best.clone() });
        }
    }
}

impl<const N: usize, const L: u32> Search for Temper<'_, N, L> {
    type Action = Group;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Group>) -> Progress<Group> {
        loop {
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            if quota.is_used_up(&self.stats) {
                return Progress::Running;
            }
            if !self.reserve_all(quota) {
                return Progress::OutOfMemory;
            }
            self.evaluate(observer);
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<Group>> {
        self.best.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solvers::check;
    use crate::{Scoring, Small, generate::uniform};
    use unriddle_core::{Score, ScorePuzzle};

    const USUAL: TemperConfig = TemperConfig {
        chains: 8,
        hot: 100.0,
        cold: 20.0,
        left: 60.0,
        evaluations: 2_000_000,
        runs: 0,
        first: 0,
        seed: 0,
    };

    /// Lines play to their values under every scoring, and are the same however the work is cut.
    #[test]
    fn lines_play_to_their_values() {
        for (seed, scoring) in Scoring::ALL.into_iter().enumerate() {
            let layout = uniform(9, 8, 4, &mut Rng::stream(12, seed as u64));
            let puzzle = Small::new(&layout, scoring).unwrap();
            let config = TemperConfig {
                // Two exchanges in each run.
                chains: 3,
                evaluations: 8 * TURN,
                runs: 3,
                seed: seed as u64,
                ..USUAL
            };
            let mut whole = Temper::new(&puzzle, config).unwrap();
            while whole.step(10_000, &mut ()) == Progress::Running {}
            let mut cut = Temper::new(&puzzle, config).unwrap();
            while cut.step(1, &mut ()) == Progress::Running {}
            assert_eq!((whole.best(), whole.stats()), (cut.best(), cut.stats()));
            assert_eq!(whole.stats().expanded, 12_000);
            check(&puzzle, whole.best().unwrap());
        }
    }

    /// Tempering finds the best line of small boards, as an exhaustive search does.
    #[test]
    fn small_boards_are_played_best() {
        fn optimum(puzzle: &Small, board: &<Small as Puzzle>::State) -> Score {
            let after = |a| puzzle.reward(board, a) + optimum(puzzle, &puzzle.apply(board, a));
            let best = puzzle.actions(board).map(after).max();
            best.unwrap_or_else(|| puzzle.terminal_bonus(board))
        }
        for seed in 0..6 {
            let layout = uniform(4, 4, 3, &mut Rng::stream(13, seed));
            let puzzle = Small::new(&layout, Scoring::Paper).unwrap();
            let config = TemperConfig { chains: 2, evaluations: 3000, runs: 6, ..USUAL };
            let mut search = Temper::new(&puzzle, config).unwrap();
            while search.step(10_000, &mut ()) == Progress::Running {}
            let value = search.best().unwrap().value;
            assert_eq!(value, optimum(&puzzle, &puzzle.initial_state()), "{seed}");
        }
    }

    #[test]
    fn bad_options_and_little_memory_are_reported() {
        let layout = uniform(5, 5, 3, &mut Rng::stream(14, 0));
        let puzzle = Small::new(&layout, Scoring::Paper).unwrap();
        let config = TemperConfig { cold: 0.0, ..USUAL };
        assert!(Temper::new(&puzzle, config).is_err());
        let mut search = Temper::new(&puzzle, USUAL).unwrap();
        let quota = Quota { bytes: 1000, ..Quota::UNLIMITED };
        assert_eq!(search.advance(&quota, &mut ()), Progress::OutOfMemory);
        assert!(search.best().is_none());
    }
}
