//! From the text of a recipe to the recipe and its training instances.

use super::recipe::{Baseline, Gene, Method, Recipe, SLOT, Unsolved, estimate, reals};
use crate::{
    recipe::{Reading, check_version, whole},
    template::Template,
};
use serde::{Deserialize, de::IgnoredAny};
use std::{collections::BTreeMap, path::Path};
use toml::Spanned;
use unriddle_catalog::{
    Aim, AnyPuzzle, Family, Info, Instance, Registry, Rng, Role, Spec,
    bind::{bind, find},
    work::{
        WorkError,
        reader::{Amount, Name, Reader, unknown},
    },
};
use unriddle_evolve::{
    CoevolutionConfig, GaConfig, Opponents, Scoring, Selection, SetConfig, Variation,
    coevolution::MAX_SIDE,
};

/// Version of the form of recipes.
const VERSION: u32 = 3;
/// How a recipe of an older version is brought up to date.
const OLD: &str = "is not read any more. In version 3 there is a `title`; `solver` is the whole solver with \
    {heuristic} in the heuristic's place, such as \"astar({heuristic}, w=2)\"; `heuristic` has its own \
    parameters, and `nodes` stands outside of [engine], which is gone; `baseline` is a table with a `solver` and \
    `nodes` of its own; `deals` of [sets] are `instances`. A `quantum` of version 1 is a million times as much \
    in version 3";
/// Most generations.
const MOST: u64 = 1_000_000;
/// Most training instances that are numbered from 1.
const MOST_INSTANCES: u64 = 1_000_000;

/// A recipe as it stands in its file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Read before all else.
    #[serde(rename = "version")]
    _version: IgnoredAny,
    title: String,
    puzzle: Name,
    solver: Name,
    heuristic: Name,
    nodes: Spanned<Amount>,
    baseline: Rival,
    generator: Option<Name>,
    method: Method,
    seed: u64,
    generations: Spanned<u64>,
    population: Option<Spanned<u64>>,
    #[serde(default)]
    selection: Selection,
    #[serde(default)]
    variation: Variation,
    training: Spanned<Training>,
    finalists: Spanned<u64>,
    #[serde(default)]
    genes: BTreeMap<Name, Spanned<(f64, f64)>>,
    #[serde(default)]
    sets: Sets,
}

/// `[baseline]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rival {
    solver: Name,
    nodes: Option<Spanned<Amount>>,
    unsolved: Option<Spanned<Amount>>,
}

/// A file of numbers, or how many there are from 1 on.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected the name of a file with numbers, or how many instances there are"
)]
enum Training {
    Count(u64),
    File(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Sets {
    population: usize,
    instances: usize,
    met: usize,
    every: u64,
}

impl Default for Sets {
    fn default() -> Self {
        let sets = SetConfig::default();
        Self {
            population: sets.ga.population,
            instances: sets.instances,
            met: sets.met,
            every: sets.every,
        }
    }
}

impl Recipe {
    /// Reads and validates a recipe for a puzzle of a registry, and makes its training instances.
    ///
    /// # Errors
    /// File, line and column of everything that is wrong with it; a file that cannot be read.
    pub fn load(path: &Path, registry: &Registry) -> Result<Self, WorkError> {
        let text = std::fs::read_to_string(path).map_err(|e| WorkError::file(path, &e))?;
        let reader = Reader { path, text: &text };
        check_version(reader, VERSION, OLD)?;
        let file: File = reader.toml()?;
        let mut reading = Reading::new(reader, registry);
        let recipe = read(&mut reading, &file, registry);
        reading.end(recipe)
    }
}

fn read(reading: &mut Reading<'_>, file: &File, registry: &Registry) -> Option<Recipe> {
    let puzzle = reading.puzzle(&file.puzzle);
    let puzzle = puzzle.filter(|(family, _)| comparable(reading, file, family));
    let template = template(reading, file);
    let nodes = reading.states("nodes", &file.nodes);
    let baseline = baseline(reading, file, nodes);
    let generations = reading.count("generations", &file.generations, MOST);
    let usual = GaConfig::default().population;
    let population = match &file.population {
        Some(given) => reading.count("population", given, MAX_SIDE as u64),
        None => Some(usual as u64),
    };
    let finalists =
        population.and_then(|population| reading.count("finalists", &file.finalists, population));
    let training = training(reading, &file.training);
    let config = config(reading, file, population, training.as_deref());
    let (family, puzzle) = puzzle?;
    let rival = whole(family, file.baseline.solver.get_ref());
    let rival = reading.spec(&file.baseline.solver, rival);
    let heuristic = heuristic(reading, file, family);
    if let (Some(template), Some((_, genes))) = (&template, &heuristic) {
        bound(reading, file, family, template, genes);
    }
    let training = training?;
    let instances = instances(reading, file, family, &*puzzle, &training);
    let (info, genes) = heuristic?;
    Some(Recipe {
        text: reading.reader.text.to_owned(),
        path: reading.reader.path.to_owned(),
        title: file.title.clone(),
        puzzle: file.puzzle.get_ref().clone(),
        baseline: baseline?,
        genes,
        seed: file.seed,
        generations: generations?,
        config: config?,
        variation: file.variation,
        finalists: finalists? as usize,
        nodes: nodes?,
        training,
        registry: registry.clone(),
        instances: instances?,
        template: template?,
        heuristic: file.heuristic.get_ref().clone(),
        info,
        rival: rival?,
    })
}

/// Whether the efforts of a puzzle's solvers can be compared.
fn comparable(reading: &mut Reading<'_>, file: &File, family: &Family) -> bool {
    if family.aim == Aim::Cost {
        return true;
    }
    let message = format!(
        "{} has no goal that a solver reaches or not, so that efforts cannot be compared: parameters of its \
         solvers are tuned (`unriddle tune`)",
        family.info.name
    );
    reading.wrong(&file.puzzle, message);
    false
}

/// The template of solvers, with one place for the heuristic.
fn template(reading: &mut Reading<'_>, file: &File) -> Option<Template> {
    let template = reading.template(&file.solver, &[SLOT])?;
    if template.slots().count() != 1 {
        let message = "expected {heuristic} once, where the solver takes its heuristic";
        reading.wrong(&file.solver, message);
    }
    Some(template)
}

fn baseline(reading: &mut Reading<'_>, file: &File, shared: Option<u64>) -> Option<Baseline> {
    let rival = &file.baseline;
    let nodes = match &rival.nodes {
        Some(own) => reading.states("nodes", own),
        None => shared,
    };
    let unsolved = match &rival.unsolved {
        // As in GA-FreeCell, 3.3.4.
        None => Some(Unsolved::States(Scoring::default().penalty as u64)),
        Some(word) if word.get_ref().text() == "twice-hardest" => Some(Unsolved::TwiceHardest),
        Some(amount) => match unriddle_catalog::units::count(&amount.get_ref().text()) {
            Ok(states) => {
                if nodes.is_some_and(|nodes| states < nodes) {
                    let message = "an unsolved instance must not count as less than the states that the \
                                   baseline may generate on it";
                    reading.wrong(amount, message);
                }
                Some(Unsolved::States(states))
            }
            Err(_) => {
                let message = "expected a number of states such as \"1G\", or \"twice-hardest\"";
                reading.wrong(amount, message);
                None
            }
        },
    };
    Some(Baseline { solver: rival.solver.get_ref().clone(), nodes: nodes?, unsolved: unsolved? })
}

fn config(
    reading: &mut Reading<'_>,
    file: &File,
    population: Option<u64>,
    training: Option<&[u64]>,
) -> Option<CoevolutionConfig> {
    let sets = &file.sets;
    let opponents = match file.method {
        Method::Coevolution => Opponents::Evolving(SetConfig {
            ga: GaConfig { population: sets.population, ..GaConfig::default() },
            variation: Variation::default(),
            instances: sets.instances,
            met: sets.met,
            every: sets.every,
        }),
        Method::Random | Method::Fixed => Opponents::Random {
            instances: sets.instances.saturating_mul(sets.met),
            redraw: file.method == Method::Random,
        },
    };
    let config = CoevolutionConfig {
        solvers: GaConfig {
            population: population? as usize,
            selection: file.selection,
            ..GaConfig::default()
        },
        opponents,
        scoring: Scoring::default(),
    };
    let valid = config.validate(training?.len());
    let valid = valid.and_then(|()| Ok(file.variation.validate()?));
    let refused =
        |why: unriddle_evolve::EvolveError| reading.reader.error(&(0..0), why.to_string());
    let valid = valid.map_err(refused);
    reading.check(valid).map(|()| config)
}

/// The numbers of the training instances.
fn training(reading: &mut Reading<'_>, given: &Spanned<Training>) -> Option<Vec<u64>> {
    match given.get_ref() {
        Training::Count(count @ 1..=MOST_INSTANCES) => Some((1..=*count).collect()),
        Training::Count(count) => {
            let message =
                format!("`training` is {count}, but must be between 1 and {MOST_INSTANCES}");
            reading.wrong(given, message);
            None
        }
        Training::File(name) => {
            let folder = reading.reader.path.parent().unwrap_or(Path::new(""));
            let numbers = numbers(&folder.join(name));
            reading.check(numbers)
        }
    }
}

/// The numbers of a file, one a line; lines that begin with `#` are comments.
fn numbers(path: &Path) -> Result<Vec<u64>, WorkError> {
    let text = std::fs::read_to_string(path).map_err(|e| WorkError::file(path, &e))?;
    let mut numbers = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        if !bare.is_empty() && !bare.starts_with('#') {
            let number = bare.parse().map_err(|_| {
                let message = "expected the number of a training instance";
                WorkError::at(path, &text, &(offset..offset), message)
            })?;
            numbers.push(number);
        }
        offset += line.len();
    }
    Ok(numbers)
}

/// The heuristic's declaration, and which of its parameters evolve.
fn heuristic(
    reading: &mut Reading<'_>,
    file: &File,
    family: &Family,
) -> Option<(&'static Info, Vec<Gene>)> {
    let given = Spec::parse(file.heuristic.get_ref());
    let spec = reading.spec(&file.heuristic, given)?;
    let found = find(&family.expressions(), Role::Heuristic, &spec);
    let info = reading.spec(&file.heuristic, found)?;
    let known: Vec<&str> = reals(info).map(|(name, ..)| name).collect();
    if known.is_empty() {
        let heuristics = family.declared().heuristics;
        let evolving = heuristics.iter().filter(|info| reals(info).next().is_some());
        let evolving: Vec<&str> = evolving.map(|info| info.name).collect();
        let others = match &evolving[..] {
            [] => format!("and no heuristic of {} has one", family.info.name),
            names => format!("of {} these have some: {}", family.info.name, names.join(", ")),
        };
        let message = format!(
            "the heuristic `{}` has no real parameter that could evolve; {others}",
            info.name
        );
        reading.wrong(&file.heuristic, message);
        return None;
    }
    let bound = reading.spec(&file.heuristic, bind(info, &spec))?;
    let before = reading.wrongs();
    for (name, values) in &file.genes {
        if !known.contains(&name.get_ref().as_str()) {
            let what = format!("real parameter of `{}`:", info.name);
            reading.wrong(name, unknown(&what, name.get_ref(), &known));
        } else if bound.is_given(name.get_ref()) {
            let message = format!("the heuristic has a `{}` already, which stays", name.get_ref());
            reading.wrong(name, message);
        }
        let (low, bound) = *values.get_ref();
        // NaN is neither above nor below.
        if !(low < bound && low.is_finite() && bound.is_finite()) {
            let message = format!(
                "expected [least, bound] with a bound above the least value, found [{low}, {bound}]"
            );
            reading.wrong(values, message);
        }
    }
    for (name, min, max) in reals(info) {
        let given = file.genes.iter().find(|(known, _)| known.get_ref() == name);
        if let Some((_, values)) = given
            && let (low, bound) = *values.get_ref()
            && (low < min || bound > max)
        {
            let message =
                format!("`{name}` expects numbers from {min} to {max}, found [{low}, {bound}]");
            reading.wrong(values, message);
        }
    }
    if reading.wrongs() > before {
        return None;
    }
    let own = |name: &str| file.genes.iter().find(|(known, _)| known.get_ref() == name);
    let genes = reals(info).filter_map(|(name, min, max)| {
        let (low, bound) = match own(name) {
            Some((_, values)) => *values.get_ref(),
            None if !file.genes.is_empty() || bound.is_given(name) => return None,
            // Only the ratio of weights matters: without other bounds they go from 0 to 1.
            None if min.max(0.0) < max.min(1.0) => (min.max(0.0), max.min(1.0)),
            None => (min, max),
        };
        Some(Gene { name, low, bound })
    });
    let genes: Vec<Gene> = genes.collect();
    if genes.is_empty() {
        let message = "all of its real parameters are given: none is left to evolve";
        reading.wrong(&file.heuristic, message);
    }
    Some((info, genes))
}

/// The training instances: numbered deals, or those of a generator, where each number gives a random
/// sequence of its own.
fn instances(
    reading: &mut Reading<'_>,
    file: &File,
    family: &Family,
    puzzle: &dyn AnyPuzzle,
    numbers: &[u64],
) -> Option<Vec<Box<dyn Instance>>> {
    let name = family.info.name;
    let Some(generator) = &file.generator else {
        let mut made = Vec::new();
        for &number in numbers {
            match (puzzle.deal(number), family.generators().first()) {
                (Some(Ok(deal)), _) => made.push(deal),
                (Some(Err(why)), _) => {
                    reading.wrong(&file.training, why);
                    return None;
                }
                (None, Some(info)) => {
                    let message = format!(
                        "{name} has no numbered deals: add a generator of training instances, such as `generator = \"{}\"`",
                        info.name
                    );
                    reading.wrong(&file.puzzle, message);
                    return None;
                }
                (None, None) => {
                    let message = format!(
                        "{name} has neither numbered deals nor a generator of training instances"
                    );
                    reading.wrong(&file.puzzle, message);
                    return None;
                }
            }
        }
        return Some(made);
    };
    let bound = family.generator(Some(generator.get_ref()));
    let bound = reading.spec(generator, bound)?;
    let mut made = Vec::new();
    for &number in numbers {
        let text = puzzle.generate(&bound, &mut Rng::stream(file.seed, number));
        let text = reading.spec(generator, text)?;
        match puzzle.load(&text) {
            Ok(instance) => made.push(instance),
            Err(error) => {
                reading.wrong(generator, format!("instance {number}: {error}"));
                return None;
            }
        }
    }
    Some(made)
}

/// Binds the solver with the genes in the middle of their bounds, each of which was checked alone.
fn bound(
    reading: &mut Reading<'_>,
    file: &File,
    family: &Family,
    template: &Template,
    genes: &[Gene],
) {
    let middle = genes.iter().map(|gene| gene.low.midpoint(gene.bound));
    let middle: Vec<f64> = middle.collect();
    let heuristic = estimate(file.heuristic.get_ref(), genes, &middle);
    let text = template.fill(&[(SLOT, heuristic)]);
    if let Err(error) = whole(family, &text) {
        let error = reading.reader.spec_error(&file.solver, &text, &error);
        reading.check::<()>(Err(error));
    }
}

/// A seeded choice of `count` numbers, in rising order: a training set. The others are the test set.
#[must_use]
pub fn split(numbers: impl Iterator<Item = u64>, count: usize, seed: u64) -> Vec<u64> {
    let mut numbers: Vec<u64> = numbers.collect();
    Rng::new(seed).shuffle(&mut numbers);
    numbers.truncate(count);
    numbers.sort_unstable();
    numbers
}
