//! The arena of genomes: one search on one instance under a node budget.

use super::{
    files::{Lines, weights_text},
    recipe::{Recipe, SLOT},
};
use crate::template::Template;
use std::fmt::Display;
use unriddle_catalog::work::WorkError;
use unriddle_catalog::{
    AnyPuzzle, Budget, Cancel, Family, Info, Instance, Limit, Networks, Registry, Request, Rng,
    Role, Spec, SpecError, Status,
    bind::{bind, expand, find},
    spec::Value,
    tables::{Cache, Policy},
};
use unriddle_core::Domain;
use unriddle_evolve::Trial;

/// Instances on which weights are evolved.
pub trait Arena: Sync {
    /// For each gene, the least value and the value that it stays below.
    fn bounds(&self) -> Vec<(f64, f64)>;

    /// How many training instances there are.
    fn instances(&self) -> usize;

    /// Runs the solver of a genome, or the baseline's, on an instance; `None` if it was cancelled.
    ///
    /// # Errors
    /// The search refused.
    fn run(
        &self,
        genome: Option<&[f64]>,
        instance: usize,
        cancel: &Cancel,
    ) -> Result<Option<Trial>, WorkError>;

    /// The text of a file with the solver of a genome.
    ///
    /// # Errors
    /// A genome of another arena.
    fn solver(&self, genome: &[f64]) -> Result<String, WorkError>;

    /// The text of a file with the weights of a genome, and where it comes from.
    ///
    /// # Errors
    /// A genome of another arena.
    fn weights(&self, genome: &[f64], provenance: &Lines<'_>) -> Result<String, WorkError>;
}

/// Instances of a puzzle of a registry. A genome stands for a solver: the recipe's template with its
/// heuristic, whose parameters have the values of the genes.
pub struct Trials {
    instances: Vec<Box<dyn Instance>>,
    template: Template,
    /// The heuristic with its options, except for the genes.
    heuristic: String,
    info: &'static Info,
    genes: Vec<Gene>,
    nodes: u64,
    baseline: (Spec, u64),
    cache: Cache,
}

/// A parameter of the heuristic that evolves.
struct Gene {
    name: &'static str,
    bounds: (f64, f64),
}

impl Trials {
    /// The trials of a recipe.
    ///
    /// # Errors
    /// A puzzle without anything that evolves; a spec that does not fit, or is missing; an instance
    /// that does not exist.
    pub fn new(recipe: &Recipe, registry: &Registry) -> Result<Self, WorkError> {
        let refused = |what: &dyn Display| WorkError::file(&recipe.path, what);
        let wrong = |what: &str, error: SpecError| refused(&format!("{what}, {error}"));
        let (family, puzzle) = registry
            .puzzle(&recipe.puzzle)
            .map_err(|e| wrong("puzzle", e))?;
        let declared = family.declared();
        let infos = declared.expressions();
        let name = family.info.name;

        let evolving = declared.heuristics.iter();
        let evolving = evolving.filter(|info| reals(info).next().is_some());
        let evolving: Vec<&str> = evolving.map(|info| info.name).collect();
        if evolving.is_empty() {
            let message =
                format!("nothing of {name} evolves: none of its heuristics has a real parameter");
            return Err(WorkError::Unsupported(message));
        }
        let spec = Spec::parse(&recipe.heuristic).map_err(|e| wrong("heuristic", e))?;
        let info = find(&infos, Role::Heuristic, &spec).map_err(|e| wrong("heuristic", e))?;
        if reals(info).next().is_none() {
            let message = format!(
                "the heuristic `{}` has no real parameter that could evolve; of {name} these have some: {}",
                info.name,
                evolving.join(", ")
            );
            return Err(refused(&message));
        }
        let given = bind(info, &spec).map_err(|e| wrong("heuristic", e))?;
        let heuristic = recipe.heuristic.clone();
        let genes = reals(info).filter_map(|(parameter, min, max)| {
            let bounds = recipe.genes.get(parameter).copied();
            // Only the ratio of weights matters: without other bounds they go from 0 to 1.
            let (low, high) = (min.max(0.0), max.min(1.0));
            let own = if low < high { (low, high) } else { (min, max) };
            let all = recipe.genes.is_empty() && !given.is_given(parameter);
            Some(Gene {
                name: parameter,
                bounds: bounds.or(all.then_some(own))?,
            })
        });
        let genes: Vec<Gene> = genes.collect();
        let known = |name: &String| genes.iter().any(|gene| gene.name == *name);
        if let Some(gene) = recipe.genes.keys().find(|name| !known(name)) {
            let known: Vec<&str> = reals(info).map(|(name, ..)| name).collect();
            return Err(refused(&format!(
                "genes: the heuristic `{}` has no real parameter `{gene}` (known: {})",
                info.name,
                known.join(", ")
            )));
        }

        let whole = |what: &str, text: &str| {
            let spec = Spec::parse(text).and_then(|spec| expand(&infos, Role::Search, &spec));
            spec.map_err(|e| wrong(&format!("{what} `{text}`"), e))
        };
        let trials = Self {
            baseline: (
                whole("baseline", &recipe.baseline.solver)?,
                recipe.baseline.nodes,
            ),
            instances: instances(recipe, family, &*puzzle)?,
            template: recipe.template.clone(),
            heuristic,
            info,
            genes,
            nodes: recipe.nodes,
            cache: Cache::new(None, 1, Policy::Reuse),
        };
        // Between its bounds a parameter takes every value.
        let bounds = trials.bounds();
        for corner in [|b: &(f64, f64)| b.0, |b: &(f64, f64)| b.1] {
            let genome: Vec<f64> = bounds.iter().map(corner).collect();
            whole("solver", &trials.text(&genome))?;
        }
        Ok(trials)
    }

    /// The heuristic of a genome. The text of a number reads back as the same number, bit by bit.
    fn estimate(&self, genome: &[f64]) -> String {
        let genes = self.genes.iter().zip(genome);
        let genes: Vec<_> = genes
            .map(|(g, x)| (g.name.to_owned(), x.to_string()))
            .collect();
        with(&self.heuristic, &genes)
    }

    /// The solver of a genome.
    fn text(&self, genome: &[f64]) -> String {
        self.template.fill(&[(SLOT, self.estimate(genome))])
    }

    /// Parses a spec that was made in this file.
    fn read(text: &str) -> Result<Spec, WorkError> {
        Spec::parse(text).map_err(|e| WorkError::Usage(format!("`{text}`, {e}")))
    }
}

/// The real parameters of a declaration with their bounds.
fn reals(info: &Info) -> impl Iterator<Item = (&'static str, f64, f64)> + use<> {
    info.parameters
        .iter()
        .filter_map(|parameter| match parameter.domain {
            Domain::Real { min, max } => Some((parameter.name, min, max)),
            _ => None,
        })
}

/// A spec with more arguments, each given by its name.
fn with(spec: &dyn Display, more: &[(String, String)]) -> String {
    let text = spec.to_string();
    let more: Vec<String> = more
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    match (text.strip_suffix(')'), more.join(", ")) {
        (_, more) if more.is_empty() => text,
        (Some(begun), more) => format!("{begun}, {more})"),
        (None, more) => format!("{text}({more})"),
    }
}

/// The training instances: numbered deals, or those of a generator, where each number gives a
/// random sequence of its own.
fn instances(
    recipe: &Recipe,
    family: &Family,
    puzzle: &dyn AnyPuzzle,
) -> Result<Vec<Box<dyn Instance>>, WorkError> {
    let refused = |what: &dyn Display| WorkError::file(&recipe.path, what);
    let name = family.info.name;
    let generator = recipe.generator.as_deref();
    let generator = generator.map(|text| family.generator(Some(text)));
    let generator = generator
        .transpose()
        .map_err(|e| refused(&format!("generator, {e}")))?;
    let instance = |&number: &u64| match &generator {
        Some(generator) => {
            let text = puzzle.generate(generator, &mut Rng::stream(recipe.seed, number));
            let text = text.map_err(|e| refused(&format!("generator, {e}")))?;
            puzzle
                .load(&text)
                .map_err(|e| refused(&format!("generator: {e}")))
        }
        None => match (puzzle.deal(number), family.generators().first()) {
            (Some(deal), _) => deal.map_err(|why| refused(&why)),
            (None, Some(info)) => Err(refused(&format!(
                "{name} has no numbered deals: add a generator of training instances, such as `generator = \"{}\"`",
                info.name
            ))),
            (None, None) => Err(WorkError::Unsupported(format!(
                "nothing of {name} evolves: it has neither numbered deals nor a generator of training instances"
            ))),
        },
    };
    recipe.training.iter().map(instance).collect()
}

impl Arena for Trials {
    fn bounds(&self) -> Vec<(f64, f64)> {
        self.genes.iter().map(|gene| gene.bounds).collect()
    }

    fn instances(&self) -> usize {
        self.instances.len()
    }

    fn run(
        &self,
        genome: Option<&[f64]>,
        instance: usize,
        cancel: &Cancel,
    ) -> Result<Option<Trial>, WorkError> {
        let (solver, nodes) = match genome {
            None => self.baseline.clone(),
            Some(genome) => (Self::read(&self.text(genome))?, self.nodes),
        };
        let request = Request {
            solver: &solver,
            budget: Budget {
                generated: Some(nodes),
                cancel: cancel.clone(),
                ..Budget::default()
            },
            seed: 0,
            threads: 1,
            networks: Networks::default(),
            cache: &self.cache,
        };
        let report = self.instances[instance].solve(&request, &mut ());
        let report = report.map_err(|e| WorkError::Unsupported(format!("`{solver}`: {e}")))?;
        if report.stopped_by == Some(Limit::Cancelled) {
            return Ok(None);
        }
        let is_solved = matches!(report.status, Status::Optimal | Status::Solved);
        Ok(Some(match report.stats.filter(|_| is_solved) {
            Some(stats) => Trial::solved(stats.generated.max(1) as f64),
            None => Trial::unsolved(),
        }))
    }

    fn solver(&self, genome: &[f64]) -> Result<String, WorkError> {
        Ok(Self::read(&self.text(genome))?.to_toml())
    }

    fn weights(&self, genome: &[f64], provenance: &Lines<'_>) -> Result<String, WorkError> {
        let spec = Self::read(&self.estimate(genome))?;
        let bound =
            bind(self.info, &spec).map_err(|e| WorkError::Usage(format!("`{spec}`, {e}")))?;
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
