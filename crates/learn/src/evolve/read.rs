//! Reads recipes of evolution and makes their training instances.

use super::recipe::{Baseline, Gene, Method, Recipe, SLOT, Unsolved, estimate, reals};
use crate::{
    recipe::{MOST, RecipeFile, template, whole},
    template::Template,
};
use serde::Deserialize;
use std::{collections::BTreeMap, path::Path};
use toml::Spanned;
use unriddle_catalog::{
    Aim, AnyPuzzle, Family, Info, Instance, Registry, Rng, Role, Spec,
    bind::{bind, find},
    fields, units,
    work::{
        Fields as _, Nested, Optional, Table, WorkError,
        reader::{Amount, Name, unknown},
    },
};
use unriddle_evolve::{
    CoevolutionConfig, GaConfig, Opponents, Scoring, Selection, SetConfig, Variation,
    coevolution::MAX_SIDE,
};

/// Version of the format of recipes.
const VERSION: u32 = 3;
/// Instructions for converting a recipe of an older version.
const OLD: &str = "is not read any more. In version 3 there is a `title`; `solver` is the whole solver with \
    {heuristic} as its heuristic, such as \"astar({heuristic}, w=2)\"; `heuristic` has its own \
    parameters, and `nodes` is a field of the recipe, without [engine]; `baseline` is a table with a `solver` and \
    `nodes` of its own; `deals` of [sets] are `instances`. A `quantum` of version 1 is a million times as much \
    in version 3";

fields! {
    /// The fields of a recipe.
    struct RecipeFields {
        title: String;
        puzzle: Name;
        solver: Name;
        heuristic: Name;
        nodes: u64, 1..=u64::MAX;
        baseline: BaselineFields, Nested;
        generator: Option<Name> = None;
        method: Method;
        seed: u64;
        generations: u64, 1..=MOST;
        population: usize = GaConfig::default().population, 1..=MAX_SIDE as u64;
        selection: Selection = Selection::default();
        variation: Variation = Variation::default();
        training: Spanned<Training>;
        finalists: usize, 0..=u64::MAX;
        genes: BTreeMap<Name, Spanned<(f64, f64)>> = BTreeMap::new();
        sets: Sets = Sets::default(), Nested;
    }

    /// `[baseline]`.
    struct BaselineFields {
        solver: Name;
        nodes: Option<u64> = None, Optional(1..=u64::MAX);
        unsolved: Option<Spanned<Amount>> = None;
    }

    /// `[sets]`.
    struct Sets {
        population: usize = SetConfig::default().ga.population;
        instances: usize = SetConfig::default().instances;
        met: usize = SetConfig::default().met;
        every: u64 = SetConfig::default().every;
    }
}

impl Default for Sets {
    fn default() -> Self {
        let SetConfig { ga, instances, met, every, .. } = SetConfig::default();
        Self { population: ga.population, instances, met, every }
    }
}

/// A file of numbers, or the count of instances that are numbered from 1.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected the name of a file with numbers, or how many instances there are"
)]
enum Training {
    Count(u64),
    File(String),
}

impl Recipe {
    /// Reads and validates a recipe for a puzzle of a registry, and makes its training instances.
    ///
    /// # Errors
    /// File, line and column of all errors; a file that cannot be read.
    pub fn load(path: &Path, registry: &Registry) -> Result<Self, WorkError> {
        let text = &std::fs::read_to_string(path).map_err(|e| WorkError::file(path, &e))?;
        let source = RecipeFile { path, text, registry, version: VERSION, old: OLD };
        source.read(|table| {
            let fields = &RecipeFields::read_all(table)?;
            Checked { table, source: &source, fields }.recipe()
        })
    }
}

/// A recipe whose fields are read; everything else is checked here.
struct Checked<'a, 'r> {
    table: &'a Table<'r>,
    source: &'a RecipeFile<'a>,
    fields: &'a RecipeFields,
}

impl Checked<'_, '_> {
    fn recipe(&self) -> Option<Recipe> {
        let (fields, reading) = (self.fields, self.table.reading);
        let puzzle = reading.puzzle(&fields.puzzle).filter(|(family, _)| self.has_goal(family));
        let template = self.template();
        let baseline = self.baseline();
        if !(1..=fields.population).contains(&fields.finalists) {
            let (found, most) = (fields.finalists, fields.population);
            let message = format!("`finalists` is {found}, but must be between 1 and {most}");
            self.table.wrong_at::<()>("finalists", message);
        }
        let training = self.training();
        let config = self.config(training.as_deref());
        let (family, puzzle) = puzzle?;
        let solver = &fields.baseline.solver;
        let rival = reading.spec(solver, whole(family, solver.get_ref()));
        let heuristic = self.heuristic(family);
        if let (Some(template), Some((_, genes))) = (&template, &heuristic) {
            self.bind_solver(family, template, genes);
        }
        let training = training?;
        let instances = self.instances(family, &*puzzle, &training);
        let (info, genes) = heuristic?;
        Some(Recipe {
            text: self.source.text.to_owned(),
            path: self.source.path.to_owned(),
            title: fields.title.clone(),
            puzzle: fields.puzzle.get_ref().clone(),
            baseline: baseline?,
            genes,
            seed: fields.seed,
            generations: fields.generations,
            config: config?,
            variation: fields.variation,
            finalists: fields.finalists,
            nodes: fields.nodes,
            training,
            registry: self.source.registry.clone(),
            instances: instances?,
            template: template?,
            heuristic: fields.heuristic.get_ref().clone(),
            info,
            rival: rival?,
        })
    }

    /// Whether the puzzle has a goal, so that the efforts of solvers can be compared.
    fn has_goal(&self, family: &Family) -> bool {
        let message = || {
            format!(
                "{} has no goal that a solver reaches or not, so that efforts cannot be compared: parameters of its \
                 solvers are tuned (`unriddle tune`)",
                family.info.name
            )
        };
        family.aim == Aim::Cost || self.table.wrong_at("puzzle", message()).unwrap_or(false)
    }

    /// The template of solvers, with one placeholder for the heuristic.
    fn template(&self) -> Option<Template> {
        let template = template(self.table.reading, &self.fields.solver, &[SLOT])?;
        if template.slots().count() != 1 {
            let message = "expected {heuristic} once, where the solver takes its heuristic";
            self.table.wrong_at::<()>("solver", message);
        }
        Some(template)
    }

    fn baseline(&self) -> Option<Baseline> {
        let rival = &self.fields.baseline;
        let nodes = rival.nodes.unwrap_or(self.fields.nodes);
        let unsolved = match &rival.unsolved {
            // As in GA-FreeCell, 3.3.4.
            None => Unsolved::States(Scoring::default().penalty as u64),
            Some(word) if word.get_ref().text() == "twice-hardest" => Unsolved::TwiceHardest,
            Some(amount) => match units::count(&amount.get_ref().text()) {
                Ok(states) if states >= nodes => Unsolved::States(states),
                found => {
                    let message = if found.is_ok() {
                        "an unsolved instance must not count as less than the states that the baseline may \
                         generate on it"
                    } else {
                        "expected a number of states such as \"1G\", or \"twice-hardest\""
                    };
                    return self.table.reading.wrong(&amount.span(), message);
                }
            },
        };
        Some(Baseline { solver: rival.solver.get_ref().clone(), nodes, unsolved })
    }

    fn config(&self, training: Option<&[u64]>) -> Option<CoevolutionConfig> {
        let RecipeFields { sets, method, population, selection, variation, .. } = self.fields;
        let opponents = match method {
            Method::Coevolution => Opponents::Evolving(SetConfig {
                ga: GaConfig { population: sets.population, ..GaConfig::default() },
                variation: Variation::default(),
                instances: sets.instances,
                met: sets.met,
                every: sets.every,
            }),
            Method::Random | Method::Fixed => Opponents::Random {
                instances: sets.instances.saturating_mul(sets.met),
                redraw: *method == Method::Random,
            },
        };
        let config = CoevolutionConfig {
            solvers: GaConfig {
                population: *population,
                selection: *selection,
                ..GaConfig::default()
            },
            opponents,
            scoring: Scoring::default(),
        };
        match config.validate(training?.len()).and_then(|()| Ok(variation.validate()?)) {
            Ok(()) => Some(config),
            Err(why) => self.table.wrong(why.to_string()),
        }
    }

    /// The numbers of the training instances.
    fn training(&self) -> Option<Vec<u64>> {
        match self.fields.training.get_ref() {
            Training::Count(count @ 1..=MOST) => Some((1..=*count).collect()),
            Training::Count(count) => {
                let message = format!("`training` is {count}, but must be between 1 and {MOST}");
                self.table.wrong_at("training", message)
            }
            Training::File(name) => {
                let folder = self.source.path.parent().unwrap_or(Path::new(""));
                self.table.reading.check(numbers(&folder.join(name)))
            }
        }
    }

    /// The heuristic's declaration, and the parameters that evolve.
    fn heuristic(&self, family: &Family) -> Option<(&'static Info, Vec<Gene>)> {
        let RecipeFields { heuristic, genes, .. } = self.fields;
        let reading = self.table.reading;
        let spec = reading.spec(heuristic, Spec::parse(heuristic.get_ref()))?;
        let found = find(&family.expressions(), Role::Heuristic, &spec);
        let info = reading.spec(heuristic, found)?;
        let known: Vec<&str> = reals(info).map(|(name, ..)| name).collect();
        if known.is_empty() {
            let heuristics = family.declared().heuristics;
            let evolving = heuristics.iter().filter(|info| reals(info).next().is_some());
            let evolving: Vec<&str> = evolving.map(|info| info.name).collect();
            let (name, puzzle) = (info.name, family.info.name);
            let others = match &evolving[..] {
                [] => format!("and no heuristic of {puzzle} has one"),
                names => format!("heuristics of {puzzle} that have one: {}", names.join(", ")),
            };
            let message =
                format!("the heuristic `{name}` has no real parameter that could evolve; {others}");
            return reading.wrong(&heuristic.span(), message);
        }
        let bound = reading.spec(heuristic, bind(info, &spec))?;
        let before = reading.wrongs();
        for (name, values) in genes {
            if !known.contains(&name.get_ref().as_str()) {
                let what = format!("real parameter of `{}`:", info.name);
                reading.wrong::<()>(&name.span(), unknown(&what, name.get_ref(), &known));
            } else if bound.is_given(name.get_ref()) {
                let name_text = name.get_ref();
                let message = format!("the heuristic has a `{name_text}` already, which stays");
                reading.wrong::<()>(&name.span(), message);
            }
            let (low, high) = *values.get_ref();
            let wrong = match reals(info).find(|(known, ..)| known == name.get_ref()) {
                // NaN is neither above nor below.
                _ if !(low < high && low.is_finite() && high.is_finite()) => {
                    "expected [least, bound] with a bound above the least value".to_owned()
                }
                Some((name, min, max)) if low < min || high > max => {
                    format!("`{name}` expects numbers from {min} to {max}")
                }
                _ => continue,
            };
            reading.wrong::<()>(&values.span(), format!("{wrong}, found [{low}, {high}]"));
        }
        if reading.wrongs() > before {
            return None;
        }
        let own = |name: &str| genes.iter().find(|(known, _)| known.get_ref() == name);
        let evolving = reals(info).filter_map(|(name, min, max)| {
            let (low, bound) = match own(name) {
                Some((_, values)) => *values.get_ref(),
                None if !genes.is_empty() || bound.is_given(name) => return None,
                // Only the ratio of weights matters, so their default bounds are 0 and 1.
                None if min.max(0.0) < max.min(1.0) => (min.max(0.0), max.min(1.0)),
                None => (min, max),
            };
            Some(Gene { name, low, bound })
        });
        let evolving: Vec<Gene> = evolving.collect();
        if evolving.is_empty() {
            let message = "all of its real parameters are given: none is left to evolve";
            reading.wrong::<()>(&heuristic.span(), message);
        }
        Some((info, evolving))
    }

    /// The training instances: numbered deals, or instances of a generator. Each number gives the
    /// generator a random sequence of its own.
    fn instances(
        &self,
        family: &Family,
        puzzle: &dyn AnyPuzzle,
        numbers: &[u64],
    ) -> Option<Vec<Box<dyn Instance>>> {
        let name = family.info.name;
        let Some(generator) = &self.fields.generator else {
            let missing = || match family.generators().first() {
                Some(info) => format!(
                    "{name} has no numbered deals: add a generator of training instances, such as `generator = \"{}\"`",
                    info.name
                ),
                None => format!(
                    "{name} has neither numbered deals nor a generator of training instances"
                ),
            };
            let deal = |&number: &u64| match puzzle.deal(number) {
                Some(Ok(deal)) => Some(deal),
                Some(Err(why)) => self.table.wrong_at("training", why),
                None => self.table.wrong_at("puzzle", missing()),
            };
            return numbers.iter().map(deal).collect();
        };
        let bound =
            self.table.reading.spec(generator, family.generator(Some(generator.get_ref())))?;
        let make = |&number: &u64| {
            let text = puzzle.generate(&bound, &mut Rng::stream(self.fields.seed, number));
            match puzzle.load(&self.table.reading.spec(generator, text)?) {
                Ok(instance) => Some(instance),
                Err(error) => {
                    self.table.wrong_at("generator", format!("instance {number}: {error}"))
                }
            }
        };
        numbers.iter().map(make).collect()
    }

    /// Binds the solver with each gene in the middle of its bounds.
    fn bind_solver(&self, family: &Family, template: &Template, genes: &[Gene]) {
        let middle: Vec<f64> = genes.iter().map(|gene| gene.low.midpoint(gene.bound)).collect();
        let RecipeFields { heuristic, solver, .. } = self.fields;
        let text = template.fill(&[(SLOT, estimate(heuristic.get_ref(), genes, &middle))]);
        let whole = whole(family, &text);
        self.table
            .reading
            .check(whole.map_err(|e| self.table.reading.reader.spec_error(solver, &text, &e)));
    }
}

/// The numbers of a file, one per line. Lines that begin with `#` are comments.
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

/// A seeded choice of `count` numbers in rising order, for a training set. The remaining numbers
/// are the test set.
#[must_use]
pub fn split(numbers: impl Iterator<Item = u64>, count: usize, seed: u64) -> Vec<u64> {
    let mut numbers: Vec<u64> = numbers.collect();
    Rng::new(seed).shuffle(&mut numbers);
    numbers.truncate(count);
    numbers.sort_unstable();
    numbers
}
