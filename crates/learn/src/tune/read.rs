//! From the text of a recipe to the recipe: everything that can be wrong is found here, and all of it is said.

use super::{
    parameter::{Parameter, shown},
    recipe::{GameLimits, Method, Recipe},
};
use crate::template::Template;
use serde::Deserialize;
use std::{collections::BTreeMap, path::Path};
use toml::Spanned;
use unriddle_catalog::work::{
    WorkError,
    reader::{Amount, Name, Reader, unknown},
};
use unriddle_catalog::{
    Aim, Family, Role, Spec, SpecError, bind,
    registry::{self, Registry},
    spec::is_name,
    units,
};
use unriddle_evolve::{CrossEntropyConfig, Direction, config::MAX_POPULATION};

/// Version of the form of recipes.
const VERSION: u32 = 1;
/// Most boards of an iteration, and most iterations.
const MOST: u64 = 1_000_000;
/// Largest absolute value of a bound: beyond it some whole numbers have no floating-point number.
const LARGEST: f64 = 9_007_199_254_740_992.0;

/// A recipe as it stands in its file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: Spanned<u32>,
    title: String,
    puzzle: Name,
    generator: Name,
    solver: Name,
    method: Spanned<Method>,
    seed: u64,
    samples: Spanned<u64>,
    elite: Option<Spanned<u64>>,
    boards: Spanned<u64>,
    iterations: Spanned<u64>,
    smoothing: Option<Spanned<f64>>,
    least_deviation: Option<Spanned<f64>>,
    #[serde(default)]
    constants: BTreeMap<Name, Spanned<Amount>>,
    #[serde(default)]
    limits: Limits,
    #[serde(default)]
    parameter: Vec<Entry>,
    #[serde(default)]
    scale: BTreeMap<Name, Scale>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Limits {
    time: Option<Spanned<Amount>>,
    memory: Option<Spanned<Amount>>,
    expansions: Option<Spanned<Amount>>,
    generated: Option<Spanned<Amount>>,
}

/// `[[parameter]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Name,
    min: Spanned<f64>,
    max: Spanned<f64>,
    #[serde(default)]
    integer: bool,
    #[serde(default)]
    log: bool,
}

/// `[scale.NAME]`: what is otherwise than in the recipe itself.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scale {
    samples: Option<Spanned<u64>>,
    elite: Option<Spanned<u64>>,
    boards: Option<Spanned<u64>>,
    iterations: Option<Spanned<u64>>,
    smoothing: Option<Spanned<f64>>,
    least_deviation: Option<Spanned<f64>>,
    #[serde(default)]
    constants: BTreeMap<Name, Spanned<Amount>>,
    #[serde(default)]
    limits: Limits,
}

impl Recipe {
    /// Reads and validates a recipe for a puzzle of a registry, as it is or at one of its scales.
    ///
    /// # Errors
    /// File, line and column of everything that is wrong with it.
    pub fn load(path: &Path, scale: Option<&str>, registry: &Registry) -> Result<Self, WorkError> {
        let text = std::fs::read_to_string(path).map_err(|e| WorkError::file(path, &e))?;
        Self::parse(path, &text, scale, registry)
    }

    /// Validates the text of a recipe, which stands in the file of that path.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn parse(
        path: &Path,
        text: &str,
        scale: Option<&str>,
        registry: &Registry,
    ) -> Result<Self, WorkError> {
        let reader = Reader { path, text };
        let mut file: File = reader.toml()?;
        if *file.version.get_ref() > VERSION {
            let message = format!(
                "version {} of recipes is newer than this program's, {VERSION}",
                file.version.get_ref()
            );
            return Err(reader.error(&file.version.span(), message));
        }
        if let Some(name) = scale {
            let known: Vec<String> = file.scale.keys().map(|k| k.get_ref().clone()).collect();
            let Some((_, entry)) = std::mem::take(&mut file.scale)
                .into_iter()
                .find(|(known, _)| known.get_ref() == name)
            else {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                let what = unknown("scale", name, &known);
                return Err(WorkError::Usage(format!("{}: {what}", path.display())));
            };
            rescale(&mut file, entry);
        }
        let mut problems = Vec::new();
        let recipe = Reading {
            reader,
            registry,
            problems: &mut problems,
        }
        .recipe(&file, scale);
        match (WorkError::all(problems), recipe) {
            (None, Some(recipe)) => Ok(recipe),
            (Some(error), _) => Err(error),
            (None, None) => Err(reader.error(&(0..0), "this is no recipe")),
        }
    }
}

/// Puts what a scale says in the place of what the recipe says.
fn rescale(file: &mut File, scale: Scale) {
    let put = |old: &mut Spanned<u64>, new: Option<Spanned<u64>>| {
        if let Some(new) = new {
            *old = new;
        }
    };
    put(&mut file.samples, scale.samples);
    put(&mut file.boards, scale.boards);
    put(&mut file.iterations, scale.iterations);
    file.elite = scale.elite.or(file.elite.take());
    file.smoothing = scale.smoothing.or(file.smoothing.take());
    file.least_deviation = scale.least_deviation.or(file.least_deviation.take());
    for (name, value) in scale.constants {
        // A new key would keep the old one's place.
        file.constants.remove(&name);
        file.constants.insert(name, value);
    }
    let (old, new) = (&mut file.limits, scale.limits);
    old.time = new.time.or(old.time.take());
    old.memory = new.memory.or(old.memory.take());
    old.expansions = new.expansions.or(old.expansions.take());
    old.generated = new.generated.or(old.generated.take());
}

/// Whether more or less is better; `None` for puzzles whose solvers are not tuned.
fn direction(family: &Family) -> Option<Direction> {
    match family.aim {
        Aim::Score => Some(Direction::Maximise),
        Aim::Assignment => Some(Direction::Minimise),
        // Without a solution within the limits there is nothing to compare.
        Aim::Cost => None,
    }
}

/// A reading that goes on after what is wrong.
struct Reading<'a> {
    reader: Reader<'a>,
    registry: &'a Registry,
    problems: &'a mut Vec<WorkError>,
}

impl Reading<'_> {
    /// Notes what is wrong.
    fn check<T>(&mut self, result: Result<T, WorkError>) -> Option<T> {
        result.map_err(|error| self.problems.push(error)).ok()
    }

    fn wrong<T>(&mut self, value: &Spanned<T>, message: impl Into<String>) {
        self.problems
            .push(self.reader.error(&value.span(), message));
    }

    fn recipe(&mut self, file: &File, scale: Option<&str>) -> Option<Recipe> {
        let family = self.puzzle(&file.puzzle, &file.generator);
        let parameters: Vec<Option<Parameter>> = (0..file.parameter.len())
            .map(|index| self.parameter(&file.parameter, index))
            .collect();
        if file.parameter.is_empty() {
            self.wrong(&file.solver, "there is no [[parameter]] to tune");
        }
        let template = self.template(file);
        // Of a puzzle that was refused it does not matter.
        let direction = family.and_then(direction).unwrap_or(Direction::Maximise);
        let config = self.config(file, direction);
        let boards = self.count("boards", &file.boards, MOST);
        let iterations = self.count("iterations", &file.iterations, MOST);
        let limits = self.limits(&file.limits);
        let file_name = self.reader.path.file_name().unwrap_or_default();
        let recipe = Recipe {
            text: match scale {
                None => self.reader.text.to_owned(),
                Some(scale) => format!("# --scale {scale}\n{}", self.reader.text),
            },
            file: file_name.to_string_lossy().into_owned(),
            title: file.title.clone(),
            scale: scale.map(str::to_owned),
            puzzle: file.puzzle.get_ref().clone(),
            generator: file.generator.get_ref().clone(),
            parameters: parameters.into_iter().collect::<Option<_>>()?,
            method: *file.method.get_ref(),
            config: config?,
            boards: boards?,
            iterations: iterations?,
            limits: limits?,
            seed: file.seed,
            registry: self.registry.clone(),
            template: template?,
            constants: file
                .constants
                .iter()
                .map(|(name, value)| (name.get_ref().clone(), value.get_ref().text()))
                .collect(),
        };
        self.bounds(file, family?, &recipe);
        Some(recipe)
    }

    /// The puzzle with its generator.
    fn puzzle(&mut self, name: &Name, generator: &Name) -> Option<&'static Family> {
        let reader = self.reader;
        let refused = |error: SpecError| reader.spec_error(name, name.get_ref(), &error);
        let (family, _) = self.check(self.registry.puzzle(name.get_ref()).map_err(refused))?;
        if direction(family).is_none() {
            let message = format!(
                "{} has no scores: only solvers of score puzzles and of assignments are tuned",
                family.info.name
            );
            self.wrong(name, message);
            return None;
        }
        let read = || family.generator(Some(generator.get_ref())).map(drop);
        let refused = |error: SpecError| reader.spec_error(generator, generator.get_ref(), &error);
        self.check(read().map_err(refused))?;
        Some(family)
    }

    fn parameter(&mut self, entries: &[Entry], index: usize) -> Option<Parameter> {
        let entry = &entries[index];
        let name = entry.name.get_ref();
        let known = self.problems.len();
        let mut before = entries[..index].iter().map(|e| e.name.get_ref().as_str());
        if !is_name(name) {
            let message =
                format!("`{name}` cannot be a name: a letter, then letters, digits, _, -");
            self.wrong(&entry.name, message);
        } else if before.any(|b| b == name) {
            self.wrong(
                &entry.name,
                format!("there is a parameter `{name}` already"),
            );
        }
        let (min, max) = (*entry.min.get_ref(), *entry.max.get_ref());
        for (what, value) in [("min", &entry.min), ("max", &entry.max)] {
            let x = *value.get_ref();
            if !(-LARGEST..=LARGEST).contains(&x) {
                self.wrong(value, format!("`{what}` of `{name}` is out of range"));
            } else if entry.integer && x.fract() != 0.0 {
                let message = format!("`{what}` of `{name}` is {x}, but expected a whole number");
                self.wrong(value, message);
            }
        }
        if entry.log && min <= 0.0 {
            let message = format!("`min` of `{name}` is {min}, but a logarithm needs more than 0");
            self.wrong(&entry.min, message);
        }
        if min >= max {
            let message = format!(
                "`max` of `{name}` is {}, but must be above its `min`, {}",
                shown(max),
                shown(min)
            );
            self.wrong(&entry.max, message);
        }
        let parameter = Parameter {
            name: name.clone(),
            min,
            max,
            integer: entry.integer,
            log: entry.log,
        };
        let distance = parameter.dimension();
        if self.problems.len() == known && distance.high / 2.0 - distance.low / 2.0 <= 0.0 {
            self.wrong(&entry.max, format!("the bounds of `{name}` are too close"));
        }
        (self.problems.len() == known).then_some(parameter)
    }

    /// The solver's template: every placeholder means something, and everything is used.
    fn template(&mut self, file: &File) -> Option<Template> {
        let solver = &file.solver;
        let template = Template::parse(solver.get_ref()).map_err(|byte| {
            let before = &solver.get_ref()[..byte];
            let column = before.chars().count() + 1;
            let message = format!("column {column} of the solver: `{{` without `}}`");
            self.reader.error(&solver.span(), message)
        });
        let template = self.check(template)?;
        let parameters = file.parameter.iter().map(|entry| &entry.name);
        let names: Vec<&Name> = parameters.chain(file.constants.keys()).collect();
        let known: Vec<&str> = names.iter().map(|name| name.get_ref().as_str()).collect();
        for slot in template.slots().filter(|slot| !known.contains(slot)) {
            self.wrong(solver, unknown("placeholder", slot, &known));
        }
        for name in &names {
            if !template.slots().any(|slot| slot == name.get_ref()) {
                let message = format!("the solver does not use {{{}}}", name.get_ref());
                self.wrong(name, message);
            }
        }
        for constant in file.constants.keys() {
            let is_twin = |entry: &Entry| entry.name.get_ref() == constant.get_ref();
            if file.parameter.iter().any(is_twin) {
                let message = format!("`{}` is a parameter already", constant.get_ref());
                self.wrong(constant, message);
            }
        }
        Some(template)
    }

    fn count(&mut self, what: &str, value: &Spanned<u64>, most: u64) -> Option<u64> {
        let n = *value.get_ref();
        if !(1..=most).contains(&n) {
            let message = format!("`{what}` is {n}, but must be between 1 and {most}");
            self.wrong(value, message);
            return None;
        }
        Some(n)
    }

    fn share(&mut self, what: &str, value: Option<&Spanned<f64>>, default: f64) -> Option<f64> {
        let Some(value) = value else {
            return Some(default);
        };
        let x = *value.get_ref();
        if !(0.0..=1.0).contains(&x) {
            let message = format!("`{what}` is {}, but must be between 0 and 1", shown(x));
            self.wrong(value, message);
            return None;
        }
        Some(x)
    }

    fn config(&mut self, file: &File, direction: Direction) -> Option<CrossEntropyConfig> {
        let usual = CrossEntropyConfig::default();
        let samples = self.count("samples", &file.samples, MAX_POPULATION as u64);
        let is_random = *file.method.get_ref() == Method::Random;
        if is_random {
            let message = "random guessing never learns: `elite`, `smoothing` and `least_deviation` \
                           belong to the method \"cross-entropy\"";
            let spans = [
                file.elite.as_ref().map(Spanned::span),
                file.smoothing.as_ref().map(Spanned::span),
                file.least_deviation.as_ref().map(Spanned::span),
            ];
            for span in spans.into_iter().flatten() {
                self.problems.push(self.reader.error(&span, message));
            }
            return Some(CrossEntropyConfig {
                samples: samples? as usize,
                elite: 1,
                smoothing: 0.0,
                direction,
                ..usual
            });
        }
        let elite = match &file.elite {
            Some(elite) => {
                let n = *elite.get_ref();
                let most = *file.samples.get_ref();
                if n == 0 || n > most {
                    let message = format!(
                        "`elite` is {n}, but must be between 1 and the number of samples, {most}"
                    );
                    self.wrong(elite, message);
                }
                n
            }
            None => {
                self.wrong(&file.method, "the Cross-Entropy Method needs an `elite`");
                0
            }
        };
        let smoothing = self.share("smoothing", file.smoothing.as_ref(), usual.smoothing);
        if let (Some(given), Some(0.0)) = (&file.smoothing, smoothing) {
            let message = "a smoothing of 0 never learns: say method = \"random\"";
            self.wrong(given, message);
        }
        let least = file.least_deviation.as_ref();
        let least = self.share("least_deviation", least, usual.least_deviation);
        Some(CrossEntropyConfig {
            samples: samples? as usize,
            elite: elite as usize,
            smoothing: smoothing?,
            least_deviation: least?,
            direction,
        })
    }

    fn limits(&mut self, limits: &Limits) -> Option<GameLimits> {
        let reader = self.reader;
        let time = self.check(reader.amount(limits.time.as_ref(), units::duration));
        let memory = self.check(reader.amount(limits.memory.as_ref(), units::bytes));
        let expansions = self.check(reader.amount(limits.expansions.as_ref(), units::count));
        let generated = self.check(reader.amount(limits.generated.as_ref(), units::count));
        Some(GameLimits {
            time: time?,
            memory: memory?,
            expansions: expansions?,
            generated: generated?,
        })
    }

    /// Binds the solver in the middle of all bounds, and with each parameter alone at either of its bounds:
    /// what a declaration accepts has no holes.
    fn bounds(&mut self, file: &File, family: &Family, recipe: &Recipe) {
        let infos = registry::expressions(family);
        let bound = |point: &[f64]| {
            let text = recipe.solver_text(point);
            let spec = Spec::parse(&text);
            let whole = spec.and_then(|spec| bind::expand(&infos, Role::Search, &spec));
            whole.map_err(|error| (text, error))
        };
        let [low, high, middle] = recipe.corners();
        if let Err((text, error)) = bound(&middle) {
            let error = self.reader.spec_error(&file.solver, &text, &error);
            self.problems.push(error);
            return;
        }
        for (index, entry) in file.parameter.iter().enumerate() {
            for (what, corner, value) in [("min", &low, &entry.min), ("max", &high, &entry.max)] {
                let mut point = middle.clone();
                point[index] = corner[index];
                if let Err((_, error)) = bound(&point) {
                    let name = entry.name.get_ref();
                    let message = format!("`{what}` of `{name}`: {}", error.message());
                    self.wrong(value, message);
                }
            }
        }
    }
}
