//! A portfolio of SameGame players that take turns on one board.
//!
//! A single play-out gives a first line at once, and a layered beam proves the best line of a small
//! board. Cycles of four kinds of turns follow:
//!
//! 1. runs of [parallel tempering](super::temper) from random lines, longer in every cycle;
//! 2. runs of nested roll-out policy adaptation, each with the next most frequent colour as tabu,
//!    if asked for;
//! 3. re-search of the rest of the best line from random cuts, by short such runs;
//! 4. the end of the best line, solved by dynamic programming from ever earlier cuts, as long as
//!    few cells are left.
//!
//! Turns are measured in work and not in time, so that the same seed gives the same line whatever
//! the machine; tempering gets the most by far, since it finds the most.
//!
//! References: see [`nrpa`](unriddle_search::nrpa), [`layers`](unriddle_search::layers) and
//! [`lns`](unriddle_search::lns).

use super::temper::{MAX_CHAINS, Temper, TemperConfig};
use crate::{
    Group, SameGame,
    board::{COLOURS, count},
    bounds::OneGroupEach,
    tabu::{Tabu, by_frequency},
    value::Linear,
};
use unriddle_core::{
    Info, Options, Puzzle, Role, Score, ScorePuzzle, Search, SearchError, Solution, options,
};
use unriddle_search::{
    Inner,
    layers::{Layers, LayersConfig, MAX_WIDTH},
    lns::{Cut, Lifted, Lns, LnsConfig, Suffix},
    nrpa::{MAX_ITERATIONS, MAX_LEVEL, Nrpa, NrpaConfig},
    relay::{Relay, Turn},
};

/// Declaration for the catalogue.
pub const INFO: Info = Info {
    guarantee: "incomplete; proves its line if the beam cut nothing off",
    requires: "samegame",
    reference: "Swendsen and Wang 1986 (parallel tempering); Rosin 2011 (policy adaptation); Cazenave 2016 (tabu colour)",
    parameters: BestConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "sg-best",
        "portfolio: a layered beam, then parallel tempering and re-search of the best line in turns",
    )
};

options! {
    /// Options of the portfolio.
    #[derive(Copy)]
    pub struct BestConfig of INFO {
        width: usize = "250" in 0..=MAX_WIDTH, "width of the beam (0 = no beam)";
        tempers: u64 = "3" in 0..=64, "runs of parallel tempering in a cycle (0 = none)";
        evaluations: u64 = "2000000" in 1..=u64::MAX,
            "lines of a tempering run in the first cycle", "The number doubles in each further cycle.";
        chains: usize = "8" in 1..=MAX_CHAINS, "temperatures of tempering";
        hot: f64 = "100" in 0.001..=1_000_000.0, "the highest temperature, in points";
        cold: f64 = "20" in 0.001..=1_000_000.0, "the lowest temperature, in points";
        left: f64 = "60" in 0.0..=100_000.0, "cost of a cell that is left, in points";
        adapts: u64 = "0" in 0..=64,
            "runs of policy adaptation in a cycle (0 = none)", "Each run takes the next most frequent colour as tabu.";
        level: u32 = "4" in 1..=MAX_LEVEL, "levels of a run of policy adaptation";
        iterations: u32 = "32" in 1..=MAX_ITERATIONS, "iterations of each of its levels";
        alpha: f64 = "0.5" in 0.0..=100.0, "step of an adaptation";
        again: u64 = "300000", "play-outs of a turn of re-search (0 = none)";
        round: u32 = "100" in 1..=MAX_ITERATIONS,
            "iterations of a round of re-search, which has two levels";
        cycles: u64 = "0", "cycles of all turns (0 = until a limit)";
    }
    also {
        /// Largest number of cells for which the end of the best line is solved exactly (0 =
        /// never). It is not an option of the spec, because a new option would change the keys of
        /// all recorded runs.
        endgame: u32 = 40;
        /// Seed.
        seed: u64 = 0;
    }
}

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// A run of parallel tempering, by its number in the cycle.
    Temper(u64),
    /// A run of policy adaptation, by its number in the cycle.
    Adapt(u64),
    Again,
    End,
}

/// Data shared by the turns; it outlives the search.
#[derive(Debug)]
pub struct Kit<const N: usize, const L: u32> {
    whole: SameGame<N, L>,
    /// The same board, from wherever the re-search begins.
    suffix: Suffix<SameGame<N, L>>,
    /// Tabu colours by frequency.
    tabus: [Tabu; COLOURS],
    again: Lifted<Tabu>,
    value: Linear,
    rest: Lifted<Linear>,
    upper: Lifted<OneGroupEach<true>>,
}

/// Width of the layers that solve the end of a line. If no layer is wider, the result is proved.
const END_WIDTH: usize = 2000;

impl<const N: usize, const L: u32> Kit<N, L> {
    /// For a board.
    #[must_use]
    pub fn new(puzzle: &SameGame<N, L>) -> Self {
        Self {
            whole: puzzle.clone(),
            suffix: Suffix::new(puzzle.clone().into()),
            tabus: std::array::from_fn(|first| Tabu { first: first as u64 }),
            again: Lifted(Tabu::default()),
            value: Linear::default(),
            rest: Lifted(Linear::default()),
            upper: Lifted(OneGroupEach),
        }
    }

    /// The portfolio, which has not begun.
    ///
    /// # Errors
    /// An option out of bounds.
    pub fn best(
        &self,
        config: BestConfig,
    ) -> Result<impl Search<Action = Group> + '_, SearchError> {
        self.adapt(&config, 0, 0)?;
        let mut parts: Vec<Part> = (0..config.tempers).map(Part::Temper).collect();
        parts.extend((0..config.adapts).map(Part::Adapt));
        parts.extend((config.again > 0).then_some(Part::Again));
        parts.extend((config.endgame > 0).then_some(Part::End));
        self.temper(&config, 0, 0, 0)?;
        self.beam(&config)?;
        // A play-out, and the beam.
        let first = 1 + u64::from(config.width > 0);
        // The value of the line whose end was solved last: it is not solved twice.
        let mut solved = None;
        Ok(Relay::new(move |turn, best: Option<&Solution<Group>>| {
            if turn == 0 {
                let search = Box::new(self.adapt(&config, 0, config.seed)?);
                return Ok(Some(Turn { expanded: 1, search }));
            }
            if turn < first {
                return Ok(Some(Turn::whole(self.beam(&config)?)));
            }
            if parts.is_empty() {
                return Ok(None);
            }
            let at = turn - first;
            let (cycle, part) = (at / parts.len() as u64, at % parts.len() as u64);
            if config.cycles > 0 && cycle >= config.cycles {
                return Ok(None);
            }
            let seed = config.seed ^ (at + 2).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let number = |runs: u64, i| cycle.saturating_mul(runs).saturating_add(i);
            Ok(Some(match (parts[part as usize], best) {
                (Part::Temper(i), _) => {
                    let run = number(config.tempers, i);
                    Turn::whole(self.temper(&config, cycle, run, seed)?)
                }
                (Part::Adapt(i), _) => {
                    Turn::whole(self.adapt(&config, number(config.adapts, i), seed)?)
                }
                (Part::Again, Some(best)) => {
                    let search = Box::new(self.again(&config, seed, best)?);
                    Turn { expanded: config.again, search }
                }
                (Part::End, Some(best)) => {
                    let known = solved.replace(best.value) == Some(best.value);
                    let cells = if known { 0 } else { config.endgame };
                    Turn::whole(self.end(cells, best)?)
                }
                (Part::Again | Part::End, None) => return Ok(None),
            }))
        }))
    }

    fn temper(
        &self,
        config: &BestConfig,
        cycle: u64,
        run: u64,
        seed: u64,
    ) -> Result<Temper<'_, N, L>, SearchError> {
        let config = TemperConfig {
            chains: config.chains,
            hot: config.hot,
            cold: config.cold,
            left: config.left,
            evaluations: config.evaluations.saturating_mul(cycle.saturating_add(1)),
            runs: 1,
            first: run,
            seed,
        };
        Temper::new(&self.whole, config)
    }

    fn beam(&self, config: &BestConfig) -> Result<Layers<'_, SameGame<N, L>>, SearchError> {
        let config = LayersConfig { width: config.width.max(1), ..LayersConfig::default() };
        Layers::new(&self.whole, &self.value, config)
    }

    fn adapt(
        &self,
        config: &BestConfig,
        run: u64,
        seed: u64,
    ) -> Result<Nrpa<'_, SameGame<N, L>, Tabu>, SearchError> {
        let colours = by_frequency(&self.whole.initial_state()).len().max(1);
        let tabu = &self.tabus[(run % colours as u64) as usize];
        let config = NrpaConfig {
            level: config.level,
            iterations: config.iterations,
            alpha: config.alpha,
            runs: 1,
            seed,
            ..NrpaConfig::default()
        };
        Nrpa::selective(&self.whole, tabu, config)
    }

    /// The rest of a line, solved from ever earlier cuts, starting at its end, as long as at most
    /// `cells` cells are left.
    fn end(
        &self,
        cells: u32,
        best: &Solution<Group>,
    ) -> Result<impl Search<Action = Group> + '_, SearchError> {
        // Boards near the end of the line, with few cells, and the points earned from each. Cuts
        // move towards the beginning; the line before a cut is never changed.
        let mut rests = Vec::new();
        let mut board = self.whole.initial_state();
        let mut left = best.value;
        for &action in &best.actions {
            if count(board.cells()) <= cells {
                rests.push((board, left));
            }
            left -= self.whole.reward(&board, action);
            board = self.whole.apply(&board, action);
        }
        let lns = LnsConfig {
            plays: u64::MAX,
            cut: Cut::Systematic,
            stride: 1,
            rounds: rests.len().max(1) as u64,
            ..LnsConfig::default()
        };
        let layers = LayersConfig { width: END_WIDTH, ..LayersConfig::default() };
        let make = move |suffix, _| -> Result<Inner<'_, Group>, SearchError> {
            let start = Puzzle::initial_state(suffix);
            let known = rests.iter().find(|(board, _)| *board == start);
            let floor = known.map_or(Score::MIN, |(_, left)| *left);
            let search = Layers::new(suffix, &self.rest, layers)?;
            Ok(Box::new(search.bounded(&self.upper, floor)))
        };
        Ok(Lns::new(&self.suffix, make, lns)?.with_line(best.actions.clone()))
    }

    fn again(
        &self,
        config: &BestConfig,
        seed: u64,
        best: &Solution<Group>,
    ) -> Result<impl Search<Action = Group> + '_, SearchError> {
        let nrpa = NrpaConfig {
            level: 2,
            iterations: config.round,
            alpha: config.alpha,
            runs: 1,
            ..NrpaConfig::default()
        };
        let lns = LnsConfig { plays: u64::MAX, cut: Cut::Random, seed, ..LnsConfig::default() };
        let make = move |suffix, seed| -> Result<Inner<'_, Group>, SearchError> {
            let config = NrpaConfig { seed, ..nrpa };
            Ok(Box::new(Nrpa::selective(suffix, &self.again, config)?))
        };
        Ok(Lns::new(&self.suffix, make, lns)?.with_line(best.actions.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solvers::check;
    use crate::{Scoring, Small, generate::uniform};
    use unriddle_core::{Playout, Progress, Rng, Uniform};

    #[test]
    fn the_declaration_agrees_with_the_configuration() {
        let c = BestConfig::default();
        let defaults = [
            ("width", c.width.to_string()),
            ("tempers", c.tempers.to_string()),
            ("evaluations", c.evaluations.to_string()),
            ("chains", c.chains.to_string()),
            ("hot", c.hot.to_string()),
            ("cold", c.cold.to_string()),
            ("left", c.left.to_string()),
            ("adapts", c.adapts.to_string()),
            ("level", c.level.to_string()),
            ("iterations", c.iterations.to_string()),
            ("alpha", c.alpha.to_string()),
            ("again", c.again.to_string()),
            ("round", c.round.to_string()),
            ("cycles", c.cycles.to_string()),
        ];
        let declared = INFO.parameters.iter();
        let declared: Vec<_> =
            declared.map(|p| (p.name, p.default.unwrap_or_default().to_owned())).collect();
        assert_eq!(declared, defaults);
    }

    /// The end of a poor line becomes the best end, as proved by A*.
    #[test]
    fn the_end_of_a_line_is_solved() {
        let mut better = 0;
        for board in 0..20 {
            let layout = uniform(7, 7, 4, &mut Rng::stream(8, board));
            let puzzle = Small::new(&layout, Scoring::Paper).unwrap();
            let mut actions = Vec::new();
            let rng = &mut Rng::new(board);
            Playout::play(&Uniform, &puzzle, &puzzle.initial_state(), rng, &mut actions);
            let line = Solution::scored(&puzzle, actions);
            let kit = Kit::new(&puzzle);
            let mut search = kit.end(22, &line).unwrap();
            while search.step(1000, &mut ()) == Progress::Running {}
            let found = search.best().unwrap().clone();
            check(&puzzle, &found);
            // The first position of the line with at most 22 cells.
            let mut rest = puzzle.initial_state();
            let mut earned = 0;
            for &action in &line.actions {
                if count(rest.cells()) <= 22 {
                    break;
                }
                earned += puzzle.reward(&rest, action);
                rest = puzzle.apply(&rest, action);
            }
            let from = Small::new(&puzzle.layout(&rest), Scoring::Paper).unwrap();
            let linear = Linear::default();
            let wide = LayersConfig { width: 1 << 20, ..LayersConfig::default() };
            let mut whole = Layers::new(&from, &linear, wide).unwrap();
            let Progress::Finished(outcome) = whole.step(u64::MAX, &mut ()) else {
                panic!("unlimited");
            };
            assert!(outcome.is_optimal());
            assert_eq!(found.value, earned + outcome.best().unwrap().value);
            better += u32::from(found.value > line.value);
        }
        assert!(better > 5, "{better}");
    }

    /// Every turn of two cycles, in slices and in one run; the lines play to their values.
    #[test]
    fn turns_are_taken_whatever_the_pieces() {
        for board in 0..3 {
            let layout = uniform(8, 8, 4, &mut Rng::stream(6, board));
            let puzzle = Small::new(&layout, Scoring::Paper).unwrap();
            let config = BestConfig {
                width: 4,
                tempers: 2,
                evaluations: 50,
                chains: 3,
                adapts: 1,
                level: 2,
                iterations: 6,
                again: 60,
                round: 4,
                endgame: 30,
                cycles: 2,
                seed: board,
                ..BestConfig::default()
            };
            let (kit, other) = (Kit::new(&puzzle), Kit::new(&puzzle));
            let mut whole = kit.best(config).unwrap();
            while whole.step(10_000, &mut ()) == Progress::Running {}
            let mut cut = other.best(config).unwrap();
            while cut.step(1, &mut ()) == Progress::Running {}
            assert_eq!(whole.best(), cut.best());
            assert_eq!(whole.stats(), cut.stats());
            check(&puzzle, whole.best().unwrap());
        }
    }
}
