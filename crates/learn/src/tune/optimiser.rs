//! The optimiser of a run: the Cross-Entropy Method or an evolution strategy, behind one interface.

use super::{
    parameter::Parameter,
    recipe::{Method, Recipe},
    settings::Settings,
};
use crate::{
    folder::Folder,
    run::{CHECKPOINT, restored},
};
use unriddle_catalog::work::WorkError;
use unriddle_evolve::{CmaEs, CrossEntropy, Dimension, EvolveError, Generation, ga::Best};

/// Share of a parameter's bounds that is its deviation at the start of an evolution strategy.
const DEVIATION: f64 = 0.2;

/// An optimiser during a run.
pub(super) enum Optimiser {
    CrossEntropy(CrossEntropy),
    CmaEs(CmaEs),
}

/// A finished iteration.
pub(super) struct Iteration<'a> {
    pub(super) fitness: &'a Generation,
    /// The value of the worst of the elite, or the step of the evolution strategy.
    pub(super) state: f64,
    /// Mean and deviation of each parameter that the samples were drawn with.
    pub(super) mean: &'a [f64],
    pub(super) deviation: &'a [f64],
}

impl Optimiser {
    /// The optimiser of a folder's checkpoint, or a new one.
    pub(super) fn start(recipe: &Recipe, folder: &Folder<'_>) -> Result<Self, WorkError> {
        let refused = |e: EvolveError| WorkError::Usage(e.to_string());
        let dimensions = recipe.parameters.iter().map(Parameter::dimension);
        match recipe.settings {
            Settings::CrossEntropy(config) => {
                let dimensions: Vec<Dimension> = dimensions.collect();
                let fits =
                    |run: &CrossEntropy| run.dimensions() == dimensions && *run.config() == config;
                let run = match restored(folder, CrossEntropy::load, fits)? {
                    Some(run) => run,
                    None => CrossEntropy::new(dimensions, config, recipe.seed).map_err(refused)?,
                };
                Ok(Self::CrossEntropy(run))
            }
            Settings::CmaEs(config) => {
                let mean: Vec<f64> = recipe.parameters.iter().map(Parameter::begin).collect();
                let bounds: Vec<(f64, f64)> = dimensions.map(|d| (d.low, d.high)).collect();
                let deviation = bounds.iter().map(|(low, high)| DEVIATION * (high - low));
                let fits = |run: &CmaEs| run.mean().len() == mean.len() && *run.config() == config;
                let run = match restored(folder, CmaEs::load, fits)? {
                    Some(run) => run,
                    None => CmaEs::new(mean, deviation.collect(), config, recipe.seed)
                        .and_then(|run| run.with_bounds(bounds))
                        .map_err(refused)?,
                };
                Ok(Self::CmaEs(run))
            }
        }
    }

    /// The number of the iteration that is to be played, from 0.
    pub(super) fn iteration(&self) -> u64 {
        match self {
            Self::CrossEntropy(run) => run.iteration(),
            Self::CmaEs(run) => run.generation(),
        }
    }

    /// The samples of the iteration.
    pub(super) fn ask(&self) -> Vec<Vec<f64>> {
        match self {
            Self::CrossEntropy(run) => run.ask(),
            Self::CmaEs(run) => run.ask(),
        }
    }

    pub(super) fn tell(&mut self, fitness: &[f64]) -> Result<(), WorkError> {
        let told = match self {
            Self::CrossEntropy(run) => run.tell(fitness),
            Self::CmaEs(run) => run.tell(fitness),
        };
        told.map_err(|e| WorkError::Internal(e.to_string()))
    }

    /// The text of the checkpoint.
    pub(super) fn save(&self, folder: &Folder<'_>) -> Result<String, WorkError> {
        let saved = match self {
            Self::CrossEntropy(run) => run.save(),
            Self::CmaEs(run) => run.save(),
        };
        saved.map_err(|e| folder.failed(CHECKPOINT, &e))
    }

    /// The best sample of all iterations, the luckiest one included.
    pub(super) fn best(&self) -> Option<&Best<Vec<f64>>> {
        match self {
            Self::CrossEntropy(run) => run.best(),
            Self::CmaEs(run) => run.best(),
        }
    }

    /// The point that results from the run so far.
    pub(super) fn answer(&self, method: Method) -> Vec<f64> {
        match (self, self.best()) {
            (_, Some(best)) if method == Method::Random => best.genome.clone(),
            (Self::CrossEntropy(run), _) => run.centre(),
            (Self::CmaEs(run), _) => run.centre(),
        }
    }

    /// Mean and deviation of each parameter that the next samples are drawn with.
    pub(super) fn distribution(&self) -> (Vec<f64>, Vec<f64>) {
        match self {
            Self::CrossEntropy(run) => (run.mean().to_vec(), run.deviation().to_vec()),
            Self::CmaEs(run) => (run.mean().to_vec(), run.deviation()),
        }
    }

    /// The finished iterations.
    pub(super) fn history(&self) -> Vec<Iteration<'_>> {
        match self {
            Self::CrossEntropy(run) => (run.history().iter())
                .map(|entry| Iteration {
                    fitness: &entry.fitness,
                    state: entry.threshold,
                    mean: &entry.mean,
                    deviation: &entry.deviation,
                })
                .collect(),
            Self::CmaEs(run) => (run.history().iter())
                .map(|entry| Iteration {
                    fitness: &entry.fitness,
                    state: entry.step,
                    mean: &entry.mean,
                    deviation: &entry.deviation,
                })
                .collect(),
        }
    }

    /// Name of an iteration's [state](Iteration::state) in the log.
    pub(super) fn state_name(&self) -> &'static str {
        match self {
            Self::CrossEntropy(_) => "threshold",
            Self::CmaEs(_) => "step",
        }
    }
}
