//! The loop: baseline, generations, final comparison.

use super::{
    arena::Arena,
    files::{baseline_of, baseline_text, count, log, plot},
    recipe::Recipe,
};
use crate::{folder::Folder, parallel::in_order};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use unriddle_catalog::work::WorkError;
use unriddle_catalog::{Cancel, parallel::in_turn};
use unriddle_evolve::{Coevolution, CoevolutionConfig, Generation, Reals, Round, Trial};

/// Least time between two saves of the trials of a baseline.
const BETWEEN_SAVES: Duration = Duration::from_secs(1);

/// What happens during a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A stage begins: its name and its number of trials.
    Stage(&'a str, usize),
    /// A trial of the stage is done.
    Trial,
    /// A generation is done and saved.
    Generation(&'a Generation, &'a Round),
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The file of the weights.
    pub weights: PathBuf,
    /// Mean fitness of the winner on the whole training set.
    pub fitness: f64,
    /// How many of the training instances the winner solves, and how many the baseline solves.
    pub solved: (usize, usize),
    /// The number of training instances.
    pub instances: usize,
}

/// Starts or continues the run of a recipe in a folder. `None` if it was cancelled: the trials of
/// the baseline, and then everything up to the last generation, are kept.
///
/// # Errors
/// Files that cannot be read or written, a checkpoint of another version, or a search that refuses.
/// If no finalist solves anything, that is an error, too, and no weights are written.
pub fn evolve(
    recipe: &Recipe,
    arena: &dyn Arena,
    folder: &Path,
    revision: &str,
    jobs: usize,
    cancel: &Cancel,
    tell: &(dyn Fn(Event<'_>) + Sync),
) -> Result<Option<Finished>, WorkError> {
    let folder = Folder::open(folder, &recipe.text)?;
    let pool = Pool {
        arena,
        jobs,
        cancel,
        tell,
    };
    let failed =
        |error: &dyn std::fmt::Display, name: &str| WorkError::file(&folder.path(name), error);

    let Some(baseline) = pool.baseline(&folder, recipe)? else {
        return Ok(None);
    };

    let mut run = match folder.read("checkpoint.json")? {
        Some(text) => Coevolution::load(&text).map_err(|e| failed(&e, "checkpoint.json"))?,
        None => {
            let space = Reals {
                variation: recipe.variation,
                bounds: arena.bounds(),
            };
            let config = CoevolutionConfig {
                scoring: recipe.scoring(&baseline),
                ..recipe.config
            };
            Coevolution::new(space, config, &baseline, recipe.seed)
                .map_err(|e| WorkError::Usage(e.to_string()))?
        }
    };
    while run.solvers().generation() < recipe.generations {
        let generation = run.solvers().generation();
        let plan = run.ask();
        let trials: Vec<_> = plan
            .jobs
            .iter()
            .map(|job| {
                (
                    Some(plan.solvers[job.solver].as_slice()),
                    job.instance as usize,
                )
            })
            .collect();
        let stage = format!("generation {} of {}", generation + 1, recipe.generations);
        tell(Event::Stage(&stage, trials.len()));
        let Some(trials) = pool.run(&trials)? else {
            return Ok(None);
        };
        run.tell(&trials)
            .map_err(|e| WorkError::Internal(e.to_string()))?;
        let saved = run.save().map_err(|e| failed(&e, "checkpoint.json"))?;
        folder.write("checkpoint.json", &saved)?;
        folder.write("log.csv", &log(&run))?;
        folder.write("curve.svg", &plot(&run)?)?;
        if let (Some(last), Some(round)) = (run.solvers().history().last(), run.rounds().last()) {
            tell(Event::Generation(last, round));
        }
    }
    finish(recipe, &pool, &folder, revision, &run, &baseline)
}

/// Compares the finalists on the whole training set. Fitness in a generation is noisy, because
/// every solver met other instances.
fn finish(
    recipe: &Recipe,
    pool: &Pool<'_>,
    folder: &Folder,
    revision: &str,
    run: &Coevolution<Reals>,
    baseline: &[Trial],
) -> Result<Option<Finished>, WorkError> {
    let arena = pool.arena;
    let mut told: Vec<_> = run.solvers().told().iter().collect();
    told.sort_by(|a, b| b.fitness.total_cmp(&a.fitness));
    let mut finalists: Vec<&Vec<f64>> = Vec::new();
    let best = run.solvers().best().map(|best| &best.genome);
    for genome in best.into_iter().chain(told.iter().map(|one| &one.genome)) {
        if finalists.len() < recipe.finalists && !finalists.contains(&genome) {
            finalists.push(genome);
        }
    }
    let jobs: Vec<_> = finalists
        .iter()
        .flat_map(|genome| (0..arena.instances()).map(|i| (Some(genome.as_slice()), i)))
        .collect();
    (pool.tell)(Event::Stage("finalists on the training set", jobs.len()));
    let Some(trials) = pool.run(&jobs)? else {
        return Ok(None);
    };
    let scoring = &run.config().scoring;
    let mut table = "fitness,solved,genome\n".to_owned();
    let mut winner: Option<(f64, usize, &Vec<f64>)> = None;
    for (genome, trials) in finalists.iter().zip(trials.chunks(arena.instances())) {
        let scores = trials.iter().zip(run.baseline());
        let sum: f64 = scores
            .map(|(&trial, &base)| scoring.score(trial, base))
            .sum();
        let fitness = sum / trials.len() as f64;
        let solved = trials.iter().filter(|trial| trial.solved).count();
        let genes: Vec<String> = genome.iter().map(f64::to_string).collect();
        table += &format!("{fitness},{solved},{}\n", genes.join(" "));
        if winner.is_none_or(|(best, ..)| fitness > best) {
            winner = Some((fitness, solved, genome));
        }
    }
    folder.write("finalists.csv", &table)?;
    let Some((fitness, solved, genome)) = winner else {
        return Err(WorkError::Usage(
            "no generation has been evaluated".to_owned(),
        ));
    };
    if solved == 0 {
        // A finalist that solves nothing is no better than any other, so its weights are of no use
        // to a search.
        return Err(WorkError::Unsolved(format!(
            "no finalist solves any of the {} training instances within {} generated states: no weights are written; the log \
             and the finalists are in {}",
            arena.instances(),
            recipe.nodes,
            folder.path("").display()
        )));
    }
    let source = format!(
        "unriddle evolve {}: {solved} of {} training instances solved; baseline {} with {} states: {}",
        recipe.puzzle,
        arena.instances(),
        recipe.baseline.solver,
        recipe.baseline.nodes,
        baseline.iter().filter(|trial| trial.solved).count()
    );
    let provenance = [
        ("source", source.into()),
        ("seed", count(recipe.seed)),
        ("revision", revision.into()),
        ("generation", count(run.solvers().generation())),
        ("fitness", fitness.into()),
        ("node-budget", count(recipe.nodes)),
    ];
    folder.write("solver.toml", &arena.solver(genome)?)?;
    folder.write("weights.toml", &arena.weights(genome, &provenance)?)?;
    Ok(Some(Finished {
        weights: folder.path("weights.toml"),
        fitness,
        solved: (solved, baseline.iter().filter(|trial| trial.solved).count()),
        instances: arena.instances(),
    }))
}

/// Runs trials on several threads; results are in the order of the trials.
struct Pool<'a> {
    arena: &'a dyn Arena,
    jobs: usize,
    cancel: &'a Cancel,
    tell: &'a (dyn Fn(Event<'_>) + Sync),
}

impl Pool<'_> {
    /// The trials of the baseline: those in the folder, and then the others, which are saved there
    /// as they come. `None` if it was cancelled.
    fn baseline(&self, folder: &Folder, recipe: &Recipe) -> Result<Option<Vec<Trial>>, WorkError> {
        const FILE: &str = "baseline.csv";
        let numbers = &recipe.training;
        let known = folder.read(FILE)?;
        let mut trials = match known {
            Some(text) => baseline_of(&text, &recipe.baseline, numbers)
                .map_err(|why| WorkError::file(&folder.path(FILE), &why))?,
            None => Vec::new(),
        };
        let (done, all) = (trials.len(), self.arena.instances());
        if done == all {
            return Ok(Some(trials));
        }
        (self.tell)(Event::Stage("baseline", all - done));
        let mut saved = Instant::now();
        let work = |index| match self.cancel.is_cancelled() {
            true => Ok(None),
            false => self.trial(None, done + index),
        };
        let save = |trials: &[Trial]| {
            folder.write(FILE, &baseline_text(&recipe.baseline, numbers, trials))
        };
        // Trials after a cancelled one have no place in the file.
        let mut whole = true;
        let taken = in_turn(all - done, self.jobs, &work, &mut |trial| {
            whole &= trial.is_some();
            trials.extend(trial.filter(|_| whole));
            if saved.elapsed() > BETWEEN_SAVES {
                save(&trials)?;
                saved = Instant::now();
            }
            Ok(())
        });
        save(&trials)?;
        taken?;
        Ok(whole.then_some(trials))
    }

    fn trial(&self, genome: Option<&[f64]>, instance: usize) -> Result<Option<Trial>, WorkError> {
        let trial = self.arena.run(genome, instance, self.cancel);
        (self.tell)(Event::Trial);
        trial
    }

    fn run(&self, trials: &[(Option<&[f64]>, usize)]) -> Result<Option<Vec<Trial>>, WorkError> {
        in_order(trials.len(), self.jobs, self.cancel, &|index| {
            let (genome, instance) = trials[index];
            self.trial(genome, instance)
        })
    }
}
