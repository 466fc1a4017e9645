//! The loop: samples, boards, games, distribution.

use super::{
    files::{distribution, log, plot, preset, samples},
    games::{Game, Games},
    journal::Journal,
    recipe::{Method, Recipe},
};
use crate::{folder::Folder, parallel::in_order};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use unriddle_catalog::work::WorkError;
use unriddle_catalog::{Cancel, Spec};
use unriddle_evolve::{CrossEntropy, Dimension, Direction, Iteration};

/// What happens during a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A stage begins: its name and its number of games.
    Stage(&'a str, usize),
    /// A game of the stage is done.
    Game,
    /// An iteration is done and saved.
    Iteration(&'a Round<'a>),
}

/// An iteration that was played.
#[derive(Clone, Debug)]
pub struct Round<'a> {
    /// Its mean values.
    pub iteration: &'a Iteration,
    /// The distribution that results, in words; for random guessing, the best solver so far.
    pub state: String,
    /// States expanded in its games, except those that an earlier process played.
    pub nodes: u64,
    /// CPU time of the same games.
    pub cpu: Duration,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The file of the solver.
    pub preset: PathBuf,
    /// The solver.
    pub solver: Spec,
    /// The mean value of the last iteration's samples.
    pub mean: f64,
}

/// The result of a sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Played {
    /// Its mean value.
    pub(super) value: f64,
    /// States expanded in its games.
    pub(super) nodes: u64,
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
    revision: &str,
    jobs: usize,
    cancel: &Cancel,
    tell: &(dyn Fn(Event<'_>) + Sync),
) -> Result<Option<Finished>, WorkError> {
    let games = Games::new(recipe)?;
    let mut boards = games.boards(0)?;
    // Options that do not go together are found now, not after hours.
    if let Some(board) = boards.first() {
        for corner in recipe.corners() {
            games.probe(&recipe.solver(&corner)?.1, board)?;
        }
    }
    let folder = Folder::open(folder, &recipe.text)?;
    let mut run = start(recipe, &folder)?;
    let place = || folder.path("checkpoint.json");
    while run.iteration() < recipe.iterations {
        let number = run.iteration();
        // Guesses of different iterations are compared with each other: they all play the same boards.
        if number > 0 && recipe.method == Method::CrossEntropy {
            boards = games.boards(number)?;
        }
        let points = run.ask();
        let solvers: Result<Vec<Spec>, _> = points
            .iter()
            .map(|point| recipe.solver(point).map(|(_, whole)| whole))
            .collect();
        let solvers = solvers?;
        let count = solvers.len() * boards.len();
        let stage = format!("iteration {} of {}", number + 1, recipe.iterations);
        tell(Event::Stage(&stage, count));
        let journal = Journal::open(&folder, number + 1, count)?;
        let played = in_order(count, jobs, cancel, &|index| {
            let mut game = journal.get(index);
            if game.is_none() {
                let solver = &solvers[index / boards.len()];
                game = games.play(solver, &boards[index % boards.len()], cancel)?;
                if let Some(game) = &game {
                    journal.add(&folder, number + 1, index, game)?;
                }
            }
            tell(Event::Game);
            Ok(game)
        })?;
        let Some(played) = played else {
            return Ok(None);
        };
        let valued = means(&played, boards.len(), recipe.config.direction)?;
        let fitness: Vec<f64> = valued.iter().map(|sample| sample.value).collect();
        run.tell(&fitness)
            .map_err(|e| WorkError::Internal(e.to_string()))?;
        let saved = run.save().map_err(|e| WorkError::file(&place(), &e))?;
        let before = folder.read("samples.csv")?;
        let table = samples(before.as_deref(), recipe, number + 1, &points, &valued);
        folder.write("samples.csv", &table)?;
        folder.write("log.csv", &log(recipe, &run))?;
        folder.write("curve.svg", &plot(recipe, &run)?)?;
        let solver = answer(recipe, &run)?;
        folder.write("preset.toml", &preset(recipe, &run, &solver, revision))?;
        // The checkpoint comes last, so that everything else exists for every iteration that is not
        // played again.
        folder.write("checkpoint.json", &saved)?;
        if let Some(iteration) = run.history().last() {
            let games = played.iter().enumerate();
            let fresh = || {
                let mine = games.clone().filter(|(i, _)| journal.get(*i).is_none());
                mine.map(|(_, game)| game)
            };
            tell(Event::Iteration(&Round {
                iteration,
                state: match recipe.method {
                    Method::CrossEntropy => distribution(recipe, &run),
                    Method::Random => solver.to_string(),
                },
                nodes: fresh().map(|game| game.nodes).sum(),
                cpu: fresh().map(|game| game.cpu).sum(),
            }));
        }
    }
    Journal::close(&folder)?;
    let last = run.history().last();
    Ok(Some(Finished {
        preset: folder.path("preset.toml"),
        solver: answer(recipe, &run)?,
        mean: last.map_or(0.0, |iteration| iteration.fitness.mean),
    }))
}

/// The run of a folder, or a new one.
fn start(recipe: &Recipe, folder: &Folder) -> Result<CrossEntropy, WorkError> {
    let dimensions = recipe.parameters.iter().map(|p| p.dimension());
    let dimensions: Vec<Dimension> = dimensions.collect();
    let name = "checkpoint.json";
    match folder.read(name)? {
        None => CrossEntropy::new(dimensions, recipe.config, recipe.seed)
            .map_err(|e| WorkError::Usage(e.to_string())),
        Some(text) => {
            let path = folder.path(name);
            let run = CrossEntropy::load(&text).map_err(|e| WorkError::file(&path, &e))?;
            match run.dimensions() == dimensions && *run.config() == recipe.config {
                true => Ok(run),
                false => Err(WorkError::file(&path, &"it is not of the recipe beside it")),
            }
        }
    }
}

/// The solver that results from a run.
fn answer(recipe: &Recipe, run: &CrossEntropy) -> Result<Spec, WorkError> {
    let point = match (recipe.method, run.best()) {
        (Method::Random, Some(best)) => best.genome.clone(),
        _ => run.centre(),
    };
    Ok(recipe.solver(&point)?.0)
}

/// Mean values of the samples, each over its games on `boards` boards. A game without a value,
/// because a limit ended it too early, counts as worse than every other game on its board: beyond
/// the worst by the distance between the worst and the best, and by at least 1.
fn means(played: &[Game], boards: usize, direction: Direction) -> Result<Vec<Played>, WorkError> {
    let missing = |board: usize| {
        let games = played.iter().skip(board).step_by(boards);
        let values = games.filter_map(|game| game.value);
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
        let message = "no sample came to a solution of one of the boards: either the limits of a game are too low, or that \
                       board has none";
        WorkError::Unsolved(message.to_owned())
    })?;
    let sample = |games: &[Game]| Played {
        value: games
            .iter()
            .zip(&missing)
            .map(|(game, &missing)| game.value.unwrap_or(missing) as f64)
            .sum::<f64>()
            / boards as f64,
        nodes: games.iter().map(|game| game.nodes).sum(),
    };
    Ok(played.chunks(boards).map(sample).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game without a result is worse than any other game on the same board.
    #[test]
    fn games_without_a_value_are_worse_than_all_others() {
        let games = |values: [Option<i64>; 6]| {
            values.map(|value| Game {
                value,
                ..Game::default()
            })
        };
        let of = |values, direction| {
            let played = means(&games(values), 2, direction)?;
            Ok::<_, WorkError>(played.iter().map(|p| p.value).collect::<Vec<f64>>())
        };
        // Three samples on two boards.
        let values = [Some(10), Some(7), Some(30), None, None, Some(7)];
        let costs = of(values, Direction::Minimise).unwrap();
        assert_eq!(costs, [8.5, (30 + 8) as f64 / 2.0, (50 + 7) as f64 / 2.0]);
        let scores = of(values, Direction::Maximise).unwrap();
        assert_eq!(scores, [8.5, (30 + 6) as f64 / 2.0, (-10 + 7) as f64 / 2.0]);
        let nothing = [Some(10), None, Some(30), None, None, None];
        assert!(of(nothing, Direction::Minimise).is_err());
    }
}
