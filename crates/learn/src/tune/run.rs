//! The stages: one for each iteration of samples on boards.

use super::{
    files::{SampleResult, distribution, log, plot, preset, samples},
    optimiser::Optimiser,
    recipe::{Measure, Method, Recipe},
};
use crate::{
    folder::Folder,
    play::{Play, PlayContext},
    run::{CHECKPOINT, Done, Finished, Run, RunContext, Stage, drive},
};
use std::{path::Path, time::Duration};
use unriddle_catalog::{
    AnyPuzzle, Budget, Cancel, Family, Instance, Rng, Spec,
    units::{show_count, show_number},
    work::WorkError,
};
use unriddle_evolve::Direction;

/// A board with the seed of the games on it.
struct Board {
    instance: Box<dyn Instance>,
    seed: u64,
}

/// Starts or continues the run of a recipe in a folder. `None` if it was cancelled: everything up
/// to the last game is kept.
///
/// # Errors
/// Files that cannot be read or written, a checkpoint that does not fit the recipe, a search that
/// refuses its options or finds nothing.
pub fn tune(
    recipe: &Recipe,
    folder: &Path,
    context: &RunContext<'_>,
) -> Result<Option<Finished>, WorkError> {
    let boards = Boards::new(recipe)?;
    let first = boards.of(0)?;
    // Options that do not go together are found now, not after hours.
    if let Some(board) = first.first() {
        for corner in recipe.corners() {
            let budget = Budget { expansions: Some(1), ..Budget::default() };
            boards.ground.play(&recipe.solver(&corner)?.1, &*board.instance, board.seed, budget)?;
        }
    }
    let folder = Folder::open(folder, &recipe.text, context.ranks)?;
    let mut tuning = Tuning {
        recipe,
        revision: context.revision,
        folder: &folder,
        optimiser: Optimiser::start(recipe, &folder)?,
        boards,
        current: Current { boards: first, ..Current::default() },
    };
    if drive(&mut tuning, &folder, context)?.is_none() {
        return Ok(None);
    }
    let history = tuning.optimiser.history();
    let mean = history.last().map_or(0.0, |iteration| iteration.fitness.mean);
    let solver = answer(recipe, &tuning.optimiser)?;
    Ok(Some(Finished {
        file: folder.path("preset.toml"),
        summary: format!("mean {} {mean:.1} in the last iteration\n{solver}", recipe.measured()),
    }))
}

/// Makes boards.
struct Boards<'a> {
    recipe: &'a Recipe,
    puzzle: Box<dyn AnyPuzzle>,
    ground: PlayContext<'a>,
    family: &'static Family,
}

impl<'a> Boards<'a> {
    fn new(recipe: &'a Recipe) -> Result<Self, WorkError> {
        let found = recipe.registry.puzzle(&recipe.puzzle);
        let (family, puzzle) = found.map_err(|e| WorkError::Internal(e.to_string()))?;
        let ground = PlayContext::new(&recipe.registry, &*puzzle, PlayContext::without_folder());
        Ok(Self { recipe, puzzle, ground, family })
    }

    /// The boards of an iteration: its own, whatever came before.
    ///
    /// # Errors
    /// The generator refused.
    fn of(&self, iteration: u64) -> Result<Vec<Board>, WorkError> {
        let refused = |what: &dyn std::fmt::Display| {
            WorkError::Usage(format!("the generator `{}`: {what}", self.recipe.generator))
        };
        let generator = self.family.generator(Some(&self.recipe.generator));
        let generator = generator.map_err(|e| refused(&e))?;
        let mut stream = Rng::stream(self.recipe.seed, iteration);
        let board = |_| {
            let mut rng = Rng::new(stream.next_u64());
            let text = self.puzzle.generate(&generator, &mut rng);
            let instance = self.puzzle.load(&text.map_err(|e| refused(&e))?);
            Ok(Board { instance: instance.map_err(|e| refused(&e))?, seed: rng.next_u64() })
        };
        (0..self.recipe.boards).map(board).collect()
    }
}

/// A run of tuning.
struct Tuning<'a> {
    recipe: &'a Recipe,
    revision: &'a str,
    folder: &'a Folder<'a>,
    optimiser: Optimiser,
    boards: Boards<'a>,
    current: Current,
}

/// The games of the iteration under way.
#[derive(Default)]
struct Current {
    points: Vec<Vec<f64>>,
    solvers: Vec<Spec>,
    boards: Vec<Board>,
}

impl Run for Tuning<'_> {
    type Result = Play;

    fn stage(&mut self) -> Result<Option<Stage>, WorkError> {
        let (recipe, number) = (self.recipe, self.optimiser.iteration());
        if number >= recipe.iterations {
            return Ok(None);
        }
        // Guesses of different iterations are compared with each other: they all play the same
        // boards.
        if number > 0 && recipe.method != Method::Random {
            self.current.boards = self.boards.of(number)?;
        }
        let points = self.optimiser.ask();
        let solvers = points.iter().map(|point| Ok(recipe.solver(point)?.1));
        self.current.solvers = solvers.collect::<Result<_, WorkError>>()?;
        self.current.points = points;
        Ok(Some(Stage {
            number: number + 1,
            name: format!("iteration {} of {}", number + 1, recipe.iterations),
            pieces: self.current.solvers.len() * self.current.boards.len(),
            of: None,
        }))
    }

    fn piece(&self, number: usize, cancel: &Cancel) -> Result<Option<Play>, WorkError> {
        let limits = &self.recipe.limits;
        let budget = Budget {
            time: limits.time,
            memory: limits.memory,
            expansions: limits.expansions,
            generated: limits.generated,
            cancel: cancel.clone(),
        };
        let Current { solvers, boards, .. } = &self.current;
        let (solver, board) = (&solvers[number / boards.len()], &boards[number % boards.len()]);
        self.boards.ground.play(solver, &*board.instance, board.seed, budget)
    }

    fn tell(&mut self, results: Vec<Done<Play>>) -> Result<Option<String>, WorkError> {
        let (recipe, folder) = (self.recipe, self.folder);
        let plays: Vec<Play> = results.iter().map(|done| done.result).collect();
        let valued = means(&plays, self.current.boards.len(), recipe)?;
        let fitness: Vec<f64> = valued.iter().map(|sample| sample.value).collect();
        let run = &mut self.optimiser;
        let number = run.iteration() + 1;
        run.tell(&fitness)?;
        let saved = run.save(folder)?;
        let before = folder.read("samples.csv")?;
        let table = samples(before.as_deref(), recipe, number, &self.current.points, &valued);
        folder.write("samples.csv", &table)?;
        folder.write("log.csv", &log(recipe, run))?;
        folder.write("curve.svg", &plot(recipe, run)?)?;
        let solver = answer(recipe, run)?;
        folder.write("preset.toml", &preset(recipe, run, &solver, self.revision))?;
        // The checkpoint comes last, so that everything else exists for every iteration that is not
        // played again.
        folder.write(CHECKPOINT, &saved)?;
        let history = run.history();
        let Some(iteration) = history.last() else {
            return Ok(None);
        };
        let fresh = results.iter().filter(|done| done.is_fresh);
        let nodes: u64 = fresh.clone().map(|done| done.result.expanded).sum();
        let cpu: Duration = fresh.map(|done| done.result.cpu).sum();
        let state = match recipe.method {
            Method::CrossEntropy | Method::CmaEs => distribution(recipe, run),
            Method::Random => solver.to_string(),
        };
        let elite = match recipe.method {
            Method::CrossEntropy => format!("elite from {:.1}, ", iteration.state),
            Method::CmaEs | Method::Random => String::new(),
        };
        let fitness = iteration.fitness;
        Ok(Some(format!(
            "iteration {number}: mean {:.1}, {elite}best {:.1}; {state}; {} nodes a CPU second",
            fitness.mean,
            fitness.best,
            show_count((nodes as f64 / cpu.as_secs_f64().max(1e-6)) as u64)
        )))
    }
}

/// The solver that results from a run.
fn answer(recipe: &Recipe, run: &Optimiser) -> Result<Spec, WorkError> {
    Ok(recipe.solver(&run.answer(recipe.method))?.0)
}

/// Mean values of the samples, each over its games on `boards` boards.
fn means(played: &[Play], boards: usize, recipe: &Recipe) -> Result<Vec<SampleResult>, WorkError> {
    let values = match recipe.measure {
        Measure::Value => values(played, boards, recipe.settings.direction()),
        Measure::Generated => efforts(played, recipe),
    }?;
    let samples = played.chunks(boards).zip(values.chunks(boards));
    let sample = |(games, values): (&[Play], &[f64])| SampleResult {
        value: values.iter().sum::<f64>() / boards as f64,
        nodes: games.iter().map(|game| game.expanded).sum(),
    };
    Ok(samples.map(sample).collect())
}

/// States generated in each game. A game that was stopped counts as the limit times the penalty; a
/// proof that a board has no solution counts its own states.
fn efforts(played: &[Play], recipe: &Recipe) -> Result<Vec<f64>, WorkError> {
    let limit = recipe.limits.generated.unwrap_or(0);
    if !played.iter().any(|play| play.solved) {
        return Err(WorkError::Unsolved(format!(
            "no sample solves any of the boards within {} generated states: the limit is too low",
            show_number(limit as f64)
        )));
    }
    let effort = |play: &Play| {
        if play.solved { play.generated as f64 } else { limit as f64 * recipe.penalty }
    };
    Ok(played.iter().map(effort).collect())
}

/// The value of each game. A game without one, because a limit ended it too early, counts as worse
/// than every other game on its board: beyond the worst by the distance between the worst and the
/// best, and by at least 1.
fn values(played: &[Play], boards: usize, direction: Direction) -> Result<Vec<f64>, WorkError> {
    let missing = |board: usize| {
        let values = played.iter().skip(board).step_by(boards).filter_map(|game| game.value);
        let (least, most) = (values.clone().min()?, values.max()?);
        // Values are costs and scores of one board, far from where differences overflow.
        let beyond = most.saturating_sub(least).max(1);
        Some(match direction {
            Direction::Maximise => least.saturating_sub(beyond),
            Direction::Minimise => most.saturating_add(beyond),
        })
    };
    let missing: Option<Vec<i64>> = (0..boards).map(missing).collect();
    let missing = missing.ok_or_else(|| {
        let message = "no sample came to a solution of one of the boards: either the limits of a game are too low, \
                       or that board has none";
        WorkError::Unsolved(message.to_owned())
    })?;
    let value = |(game, &missing): (&Play, &i64)| game.value.unwrap_or(missing) as f64;
    Ok(played.iter().zip(missing.iter().cycle()).map(value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game without a result is worse than any other game on the same board.
    #[test]
    fn games_without_a_value_are_worse_than_all_others() {
        let games =
            |values: [Option<i64>; 6]| values.map(|value| Play { value, ..Play::default() });
        let of = |given, direction| values(&games(given), 2, direction);
        // Three samples on two boards.
        let given = [Some(10), Some(7), Some(30), None, None, Some(7)];
        let costs = of(given, Direction::Minimise).unwrap();
        assert_eq!(costs, [10.0, 7.0, 30.0, 8.0, 50.0, 7.0]);
        let scores = of(given, Direction::Maximise).unwrap();
        assert_eq!(scores, [10.0, 7.0, 30.0, 6.0, -10.0, 7.0]);
        let nothing = [Some(10), None, Some(30), None, None, None];
        assert!(of(nothing, Direction::Minimise).is_err());
    }
}
