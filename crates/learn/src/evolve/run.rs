//! The stages: baseline, generations, final comparison.

use super::{
    files::{self, baseline_of, baseline_text},
    recipe::Recipe,
    weights::count,
};
use crate::{
    folder::Folder,
    play::{Play, PlayContext},
    run::{CHECKPOINT, Done, Finished, Run, RunContext, Stage, drive, restored},
};
use std::path::Path;
use unriddle_catalog::{Budget, Cancel, Spec, work::WorkError};
use unriddle_evolve::{Coevolution, CoevolutionConfig, Job, Reals, Scoring, Trial};

const BASELINE: &str = "baseline.csv";

/// Starts or continues the run of a recipe in a folder. `None` after a cancellation: all trials so
/// far are kept.
///
/// # Errors
/// Files that cannot be read or written, a checkpoint of another version or recipe, a search that
/// refuses, or finalists that solve nothing (no weights are written then).
pub fn evolve(
    recipe: &Recipe,
    folder: &Path,
    context: &RunContext<'_>,
) -> Result<Option<Finished>, WorkError> {
    let folder = Folder::open(folder, &recipe.text, context.ranks)?;
    let mut evolution = Evolution::new(recipe, context.revision, &folder)?;
    Ok(drive(&mut evolution, &folder, context)?.and(evolution.finished))
}

/// A run of evolution.
struct Evolution<'a> {
    recipe: &'a Recipe,
    ground: PlayContext<'a>,
    revision: &'a str,
    folder: &'a Folder<'a>,
    baseline: Option<Vec<Trial>>,
    /// `None` until the baseline is there.
    run: Option<Coevolution<Reals>>,
    current: Current,
    finished: Option<Finished>,
}

/// The trials of the stage under way.
#[derive(Default)]
struct Current {
    /// Genomes of the finalists, if it is their stage.
    finalists: Vec<Vec<f64>>,
    solvers: Vec<Spec>,
    /// States that a solver may generate.
    nodes: u64,
    trials: Vec<Job>,
}

impl<'a> Evolution<'a> {
    fn new(
        recipe: &'a Recipe,
        revision: &'a str,
        folder: &'a Folder<'a>,
    ) -> Result<Self, WorkError> {
        let (_, puzzle) = recipe
            .registry
            .puzzle(&recipe.puzzle)
            .map_err(|e| WorkError::Internal(e.to_string()))?;
        let baseline = folder.read(BASELINE)?;
        let baseline = baseline.map(|text| baseline_of(&text, &recipe.baseline, &recipe.training));
        let baseline = baseline.transpose().map_err(|why| folder.failed(BASELINE, &why))?;
        let mut evolution = Self {
            recipe,
            ground: PlayContext::new(&recipe.registry, &*puzzle, PlayContext::without_folder()),
            revision,
            folder,
            baseline: None,
            run: None,
            current: Current::default(),
            finished: None,
        };
        if let Some(baseline) = baseline {
            evolution.begin(baseline)?;
        }
        Ok(evolution)
    }

    /// Begins with the generations, or continues from a checkpoint.
    fn begin(&mut self, baseline: Vec<Trial>) -> Result<(), WorkError> {
        let recipe = self.recipe;
        let config = CoevolutionConfig { scoring: recipe.scoring(&baseline), ..recipe.config };
        let fits = |run: &Coevolution<Reals>| *run.config() == config;
        let run = match restored(self.folder, Coevolution::load, fits)? {
            Some(run) => run,
            None => {
                let space = Reals {
                    variation: recipe.variation,
                    bounds: recipe.genes.iter().map(|g| (g.low, g.bound)).collect(),
                };
                Coevolution::new(space, config, &baseline, recipe.seed)
                    .map_err(|e| WorkError::Usage(e.to_string()))?
            }
        };
        self.run = Some(run);
        self.baseline = Some(baseline);
        Ok(())
    }

    fn solvers(&self, genomes: &[Vec<f64>]) -> Result<Vec<Spec>, WorkError> {
        genomes.iter().map(|genome| self.recipe.solver(genome)).collect()
    }

    /// Solvers on all training instances.
    fn on_all(&self, solvers: Vec<Spec>, nodes: u64, finalists: Vec<Vec<f64>>) -> Current {
        let instances = 0..self.recipe.instances.len() as u32;
        let trials = (0..solvers.len())
            .flat_map(|solver| instances.clone().map(move |instance| Job { solver, instance }));
        Current { finalists, trials: trials.collect(), solvers, nodes }
    }

    /// Takes the results of a generation.
    fn generation(&mut self, trials: &[Trial]) -> Result<Option<String>, WorkError> {
        let folder = self.folder;
        let Some(run) = &mut self.run else {
            return Ok(None);
        };
        run.tell(trials).map_err(|e| WorkError::Internal(e.to_string()))?;
        let saved = run.save().map_err(|e| folder.failed(CHECKPOINT, &e))?;
        folder.write("log.csv", &files::log(run))?;
        folder.write("curve.svg", &files::plot(self.recipe, run)?)?;
        folder.write(CHECKPOINT, &saved)?;
        let (last, round) = (run.solvers().history().last(), run.rounds().last());
        Ok(last.zip(round).map(|(last, round)| {
            format!(
                "generation {}: best {:.3}, mean {:.3}, {} of {} trials solved",
                last.number + 1,
                last.best,
                last.mean,
                round.solved,
                round.trials
            )
        }))
    }

    /// Compares the finalists on the whole training set. Fitness in a generation is noisy, because
    /// every solver was run on other instances.
    fn finish(&mut self, trials: &[Trial]) -> Result<(), WorkError> {
        let (recipe, folder) = (self.recipe, self.folder);
        let (Some(run), Some(baseline)) = (&self.run, &self.baseline) else {
            return Ok(());
        };
        let instances = recipe.instances.len();
        let scoring: &Scoring = &run.config().scoring;
        let mut table = "fitness,solved,genome\n".to_owned();
        let mut winner: Option<(f64, usize, &Vec<f64>)> = None;
        for (genome, trials) in self.current.finalists.iter().zip(trials.chunks(instances)) {
            let scores = trials.iter().zip(run.baseline());
            let sum: f64 = scores.map(|(&trial, &base)| scoring.score(trial, base)).sum();
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
            return Err(WorkError::Usage("no generation has been evaluated".to_owned()));
        };
        if solved == 0 {
            // A finalist that solves nothing is no better than any other, so its weights are of no
            // use to a search.
            return Err(WorkError::Unsolved(format!(
                "no finalist solves any of the {instances} training instances within {} generated states: no weights are \
                 written; the log and the finalists are in {}",
                recipe.nodes,
                folder.path("").display()
            )));
        }
        let theirs = baseline.iter().filter(|trial| trial.solved).count();
        let source = format!(
            "unriddle evolve {}: {solved} of {instances} training instances solved; baseline {} with {} states: {theirs}",
            recipe.puzzle, recipe.baseline.solver, recipe.baseline.nodes,
        );
        let provenance = [
            ("source", source.into()),
            ("seed", count(recipe.seed)),
            ("revision", self.revision.into()),
            ("generation", count(run.solvers().generation())),
            ("fitness", fitness.into()),
            ("node-budget", count(recipe.nodes)),
        ];
        folder.write("solver.toml", &recipe.solver(genome)?.to_toml())?;
        folder.write("weights.toml", &recipe.weights(genome, &provenance)?)?;
        self.finished = Some(Finished {
            file: folder.path("weights.toml"),
            summary: format!(
                "fitness {fitness:.4} on the {instances} training instances, {solved} solved (baseline {theirs})"
            ),
        });
        Ok(())
    }
}

/// The genomes that are compared at the end: the best of all generations, then the genomes of the
/// last generation by their fitness, without duplicates.
fn finalists(run: &Coevolution<Reals>, most: usize) -> Vec<Vec<f64>> {
    let mut told: Vec<_> = run.solvers().told().iter().collect();
    told.sort_by(|a, b| b.fitness.total_cmp(&a.fitness));
    let mut finalists: Vec<Vec<f64>> = Vec::new();
    let best = run.solvers().best().map(|best| &best.genome);
    for genome in best.into_iter().chain(told.iter().map(|one| &one.genome)) {
        if finalists.len() < most && !finalists.contains(genome) {
            finalists.push(genome.clone());
        }
    }
    finalists
}

impl Run for Evolution<'_> {
    type Result = Play;

    fn stage(&mut self) -> Result<Option<Stage>, WorkError> {
        if self.finished.is_some() {
            return Ok(None);
        }
        let recipe = self.recipe;
        let (number, name) = match &self.run {
            None => {
                let rival = vec![recipe.rival.clone()];
                self.current = self.on_all(rival, recipe.baseline.nodes, Vec::new());
                (0, "baseline".to_owned())
            }
            Some(run) if run.solvers().generation() < recipe.generations => {
                let generation = run.solvers().generation() + 1;
                let plan = run.ask();
                self.current = Current {
                    finalists: Vec::new(),
                    solvers: self.solvers(plan.solvers)?,
                    nodes: recipe.nodes,
                    trials: plan.jobs.to_vec(),
                };
                (generation, format!("generation {generation} of {}", recipe.generations))
            }
            Some(run) => {
                let finalists = finalists(run, recipe.finalists);
                self.current = self.on_all(self.solvers(&finalists)?, recipe.nodes, finalists);
                (recipe.generations + 1, "finalists on the training set".to_owned())
            }
        };
        Ok(Some(Stage { number, name, pieces: self.current.trials.len(), of: None }))
    }

    fn piece(&self, number: usize, cancel: &Cancel) -> Result<Option<Play>, WorkError> {
        let Job { solver, instance } = self.current.trials[number];
        let budget = Budget {
            generated: Some(self.current.nodes),
            cancel: cancel.clone(),
            ..Budget::default()
        };
        let instance = &*self.recipe.instances[instance as usize];
        self.ground.play(&self.current.solvers[solver], instance, 0, budget)
    }

    fn tell(&mut self, results: Vec<Done<Play>>) -> Result<Option<String>, WorkError> {
        let trial = |done: &Done<Play>| match done.result {
            Play { solved: true, generated, .. } => Trial::solved(generated.max(1) as f64),
            _ => Trial::unsolved(),
        };
        let trials: Vec<Trial> = results.iter().map(trial).collect();
        if self.run.is_none() {
            let (baseline, numbers) = (&self.recipe.baseline, &self.recipe.training);
            self.folder.write(BASELINE, &baseline_text(baseline, numbers, &trials))?;
            let solved = trials.iter().filter(|trial| trial.solved).count();
            let note = format!("baseline: {solved} of {} solved", trials.len());
            self.begin(trials)?;
            return Ok(Some(note));
        }
        if self.current.finalists.is_empty() {
            return self.generation(&trials);
        }
        self.finish(&trials).map(|()| None)
    }
}
