//! Recipes of evolution: solvers, heuristic, baseline and training instances.

use super::weights::{Lines, weights_text};
use crate::template::Template;
use serde::Deserialize;
use std::path::PathBuf;
use unriddle_catalog::{
    Info, Instance, Registry, Spec, SpecError,
    bind::{Bound, bind},
    spec::Value,
    work::WorkError,
};
use unriddle_core::Domain;
use unriddle_evolve::{CoevolutionConfig, Scoring, Trial, Variation};

/// The placeholder of the heuristic in the template of solvers.
pub(super) const SLOT: &str = "heuristic";

/// Choice of the instances on which solvers are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Sets of instances that evolve against the solvers.
    Coevolution,
    /// The same random instances for all solvers of a generation, drawn anew for each.
    Random,
    /// The same random instances for all generations.
    Fixed,
}

/// The solver with which evolved solvers are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    /// Spec of its solver, as the recipe has it.
    pub solver: String,
    /// States that it may generate on an instance.
    pub nodes: u64,
    /// The effort that an instance counts as which it does not solve with them.
    pub unsolved: Unsolved,
}

/// The effort that an instance counts as which the baseline does not solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unsolved {
    /// This number of states.
    States(u64),
    /// Twice the effort of the hardest instance that the baseline solves.
    TwiceHardest,
}

/// A parameter of the heuristic that evolves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gene {
    /// Its name.
    pub name: &'static str,
    /// The least value.
    pub low: f64,
    /// The value that it stays below.
    pub bound: f64,
}

/// A validated recipe, with its training instances.
pub struct Recipe {
    /// Its text, by which a run recognises its recipe.
    pub text: String,
    /// Its file.
    pub path: PathBuf,
    /// Its heading.
    pub title: String,
    /// Spec of the puzzle.
    pub puzzle: String,
    /// The solver with which evolved solvers are compared.
    pub baseline: Baseline,
    /// The parameters that evolve, in the order of their declarations.
    pub genes: Vec<Gene>,
    /// Seed of everything random.
    pub seed: u64,
    /// Generations of solvers.
    pub generations: u64,
    /// Breeding of solvers and their opponents.
    pub config: CoevolutionConfig,
    /// Variation of genes.
    pub variation: Variation,
    /// Number of the best solvers that are compared on the whole training set at the end.
    pub finalists: usize,
    /// States that a solver may generate on an instance.
    pub nodes: u64,
    /// Numbers of the training instances.
    pub training: Vec<u64>,
    pub(super) registry: Registry,
    pub(super) instances: Vec<Box<dyn Instance>>,
    pub(super) template: Template,
    /// The heuristic, except for its genes.
    pub(super) heuristic: String,
    pub(super) info: &'static Info,
    /// The baseline's solver with all defaults filled in.
    pub(super) rival: Spec,
}

impl Recipe {
    /// Scoring of trials against the baseline's trials.
    #[must_use]
    pub fn scoring(&self, baseline: &[Trial]) -> Scoring {
        let solved = baseline.iter().filter(|trial| trial.solved);
        let hardest = solved.map(|trial| trial.effort).reduce(f64::max);
        Scoring {
            penalty: match self.baseline.unsolved {
                Unsolved::States(states) => states as f64,
                // A baseline that solves nothing has used up its budget everywhere.
                Unsolved::TwiceHardest => 2.0 * hardest.unwrap_or(self.baseline.nodes as f64),
            },
            ..self.config.scoring
        }
    }

    /// The heuristic of a genome. The text of a number reads back as the same number, bit by bit.
    fn estimate(&self, genome: &[f64]) -> String {
        estimate(&self.heuristic, &self.genes, genome)
    }

    /// The solver of a genome, as text.
    #[must_use]
    pub fn solver_text(&self, genome: &[f64]) -> String {
        self.template.fill(&[(SLOT, self.estimate(genome))])
    }

    /// The solver of a genome.
    ///
    /// # Errors
    /// A genome of another recipe.
    pub fn solver(&self, genome: &[f64]) -> Result<Spec, WorkError> {
        read(&self.solver_text(genome), Spec::parse)
    }

    /// The text of a file with the weights of a genome, and where it comes from.
    ///
    /// # Errors
    /// A genome of another recipe.
    pub fn weights(&self, genome: &[f64], provenance: &Lines<'_>) -> Result<String, WorkError> {
        let text = self.estimate(genome);
        let spec = read(&text, Spec::parse)?;
        let bound: Bound<'_> = read(&text, |_| bind(self.info, &spec))?;
        let weights = reals(self.info).map(|(name, ..)| (name, bound.real(name).into()));
        let mut positions = self.info.parameters.iter().filter(|p| p.positional);
        let options = spec.args().iter().filter_map(|arg| {
            let name = match arg.name.as_deref() {
                Some(name) => name,
                None => positions.next()?.name,
            };
            let is_weight = reals(self.info).any(|(weight, ..)| weight == name);
            let value = match &arg.value {
                Value::Text(text) => text.clone().into(),
                Value::Expr(spec) => spec.to_string().into(),
                Value::Number(number) => {
                    match number.integer().ok().and_then(|n| n.try_into().ok()) {
                        Some(integer) => toml::Value::Integer(integer),
                        None => number.real()?.into(),
                    }
                }
            };
            (!is_weight).then_some((name, value))
        });
        let (options, weights): (Vec<_>, Vec<_>) = (options.collect(), weights.collect());
        Ok(weights_text(&options, &weights, provenance))
    }
}

/// Reads a text that follows from a recipe that was checked.
fn read<'t, T>(
    text: &'t str,
    read: impl FnOnce(&'t str) -> Result<T, SpecError>,
) -> Result<T, WorkError> {
    read(text).map_err(|e| WorkError::Usage(format!("`{text}`, {e}")))
}

/// A heuristic with the values of its genes, given by their names.
pub(super) fn estimate(heuristic: &str, genes: &[Gene], genome: &[f64]) -> String {
    let genes = genes.iter().zip(genome);
    let genes: Vec<String> = genes.map(|(gene, x)| format!("{}={x}", gene.name)).collect();
    match (heuristic.trim_end().strip_suffix(')'), genes.join(", ")) {
        (_, genes) if genes.is_empty() => heuristic.to_owned(),
        (Some(begun), genes) if begun.trim_end().ends_with('(') => format!("{begun}{genes})"),
        (Some(begun), genes) => format!("{begun}, {genes})"),
        (None, genes) => format!("{heuristic}({genes})"),
    }
}

/// The real parameters of a declaration with their bounds.
pub(super) fn reals(info: &Info) -> impl Iterator<Item = (&'static str, f64, f64)> + use<> {
    info.parameters.iter().filter_map(|parameter| match parameter.domain {
        Domain::Real { min, max } => Some((parameter.name, min, max)),
        _ => None,
    })
}
