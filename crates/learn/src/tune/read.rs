//! From the text of a recipe to the recipe.

use super::{
    parameter::{Parameter, shown},
    recipe::{GameLimits, Measure, Method, Recipe},
};
use crate::{
    recipe::{Reading, check_version, whole},
    template::Template,
};
use serde::{Deserialize, de::IgnoredAny};
use std::{collections::BTreeMap, path::Path};
use toml::Spanned;
use unriddle_catalog::{
    Aim, Family, Registry,
    spec::is_name,
    units,
    work::{
        WorkError,
        reader::{Amount, Name, Reader, unknown},
    },
};
use unriddle_evolve::{CrossEntropyConfig, Direction, config::MAX_POPULATION};

/// Version of the form of recipes.
const VERSION: u32 = 1;
/// Most boards of an iteration, and most iterations.
const MOST: u64 = 1_000_000;
/// Largest absolute value of a bound: beyond it some whole numbers have no floating-point number.
const LARGEST: f64 = 9_007_199_254_740_992.0;
/// What a board that is not solved counts as, in budgets, if nothing else is said: the factor of PAR10.
const PENALTY: f64 = 10.0;

/// A recipe as it stands in its file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Read before all else.
    #[serde(rename = "version")]
    _version: IgnoredAny,
    title: String,
    puzzle: Name,
    generator: Name,
    solver: Name,
    method: Spanned<Method>,
    measure: Option<Spanned<Measure>>,
    penalty: Option<Spanned<f64>>,
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

/// `[scale.NAME]`: what is otherwise than in the recipe itreading.
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
        check_version(reader, VERSION, "is not one that there was")?;
        let mut file: File = reader.toml()?;
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
        let mut reading = Reading::new(reader, registry);
        let recipe = read(&mut reading, &file, scale, registry);
        reading.end(recipe)
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

fn read(
    reading: &mut Reading<'_>,
    file: &File,
    scale: Option<&str>,
    registry: &Registry,
) -> Option<Recipe> {
    let family = reading.puzzle(&file.puzzle).map(|(family, _)| family);
    if let Some(family) = family {
        reading.generator(family, &file.generator);
    }
    let parameters: Vec<Option<Parameter>> =
        (0..file.parameter.len()).map(|index| parameter(reading, &file.parameter, index)).collect();
    if file.parameter.is_empty() {
        reading.wrong(&file.solver, "there is no [[parameter]] to tune");
    }
    let template = template(reading, file);
    let limits = limits(reading, &file.limits);
    // Of a puzzle that was refused it does not matter.
    let measure = match family {
        Some(family) => measure(reading, file, family, limits.as_ref()),
        None => Some((Measure::Value, Direction::Maximise)),
    };
    let penalty = file.penalty.as_ref();
    let penalty = reading.within("penalty", penalty, (1.0, 1e6), PENALTY);
    let config = config(reading, file, measure.map(|(_, direction)| direction));
    let boards = reading.count("boards", &file.boards, MOST);
    let iterations = reading.count("iterations", &file.iterations, MOST);
    let file_name = reading.reader.path.file_name().unwrap_or_default();
    let text = reading.reader.text;
    let recipe = Recipe {
        text: match scale {
            None => text.to_owned(),
            Some(scale) => format!("# --scale {scale}\n{text}"),
        },
        file: file_name.to_string_lossy().into_owned(),
        title: file.title.clone(),
        scale: scale.map(str::to_owned),
        puzzle: file.puzzle.get_ref().clone(),
        generator: file.generator.get_ref().clone(),
        parameters: parameters.into_iter().collect::<Option<_>>()?,
        method: *file.method.get_ref(),
        measure: measure?.0,
        penalty: penalty?,
        config: config?,
        boards: boards?,
        iterations: iterations?,
        limits: limits?,
        seed: file.seed,
        registry: registry.clone(),
        template: template?,
        constants: file
            .constants
            .iter()
            .map(|(name, value)| (name.get_ref().clone(), value.get_ref().text()))
            .collect(),
    };
    bounds(reading, file, family?, &recipe);
    Some(recipe)
}

/// What games are measured by, and whether more or less of it is better.
fn measure(
    reading: &mut Reading<'_>,
    file: &File,
    family: &Family,
    limits: Option<&GameLimits>,
) -> Option<(Measure, Direction)> {
    let name = family.info.name;
    let of_value = match family.aim {
        Aim::Score => Direction::Maximise,
        Aim::Assignment | Aim::Cost => Direction::Minimise,
    };
    let measure = match (&file.measure, family.aim) {
        (None, Aim::Cost) => {
            let message = format!(
                "{name} has a goal: say what its solvers are tuned for, `measure = \"generated\"` (the effort of a \
                 solution) or `measure = \"value\"` (its cost)"
            );
            reading.wrong(&file.puzzle, message);
            return None;
        }
        (None, Aim::Score | Aim::Assignment) => Measure::Value,
        (Some(given), aim) => {
            if *given.get_ref() == Measure::Generated && aim != Aim::Cost {
                let message = format!(
                    "{name} has no goal that a solver reaches or not: its solvers are tuned for the `value`"
                );
                reading.wrong(given, message);
            }
            if *given.get_ref() == Measure::Generated
                && limits.is_some_and(|limits| limits.generated.is_none())
            {
                let message = "the effort of a board that is not solved follows from `limits.generated`, which is missing";
                reading.wrong(given, message);
            }
            *given.get_ref()
        }
    };
    if let (Some(penalty), Measure::Value) = (&file.penalty, measure) {
        let message = "a `penalty` belongs to `measure = \"generated\"`";
        reading.wrong(penalty, message);
    }
    Some(match measure {
        Measure::Value => (measure, of_value),
        Measure::Generated => (measure, Direction::Minimise),
    })
}

fn parameter(reading: &mut Reading<'_>, entries: &[Entry], index: usize) -> Option<Parameter> {
    let entry = &entries[index];
    let name = entry.name.get_ref();
    let known = reading.wrongs();
    let mut before = entries[..index].iter().map(|e| e.name.get_ref().as_str());
    if !is_name(name) {
        let message = format!("`{name}` cannot be a name: a letter, then letters, digits, _, -");
        reading.wrong(&entry.name, message);
    } else if before.any(|b| b == name) {
        reading.wrong(&entry.name, format!("there is a parameter `{name}` already"));
    }
    let (min, max) = (*entry.min.get_ref(), *entry.max.get_ref());
    for (what, value) in [("min", &entry.min), ("max", &entry.max)] {
        let x = *value.get_ref();
        if !(-LARGEST..=LARGEST).contains(&x) {
            reading.wrong(value, format!("`{what}` of `{name}` is out of range"));
        } else if entry.integer && x.fract() != 0.0 {
            let message = format!("`{what}` of `{name}` is {x}, but expected a whole number");
            reading.wrong(value, message);
        }
    }
    if entry.log && min <= 0.0 {
        let message = format!("`min` of `{name}` is {min}, but a logarithm needs more than 0");
        reading.wrong(&entry.min, message);
    }
    if min >= max {
        let message = format!(
            "`max` of `{name}` is {}, but must be above its `min`, {}",
            shown(max),
            shown(min)
        );
        reading.wrong(&entry.max, message);
    }
    let parameter =
        Parameter { name: name.clone(), min, max, integer: entry.integer, log: entry.log };
    let distance = parameter.dimension();
    if reading.wrongs() == known && distance.high / 2.0 - distance.low / 2.0 <= 0.0 {
        reading.wrong(&entry.max, format!("the bounds of `{name}` are too close"));
    }
    (reading.wrongs() == known).then_some(parameter)
}

/// The solver's template: every placeholder means something, and everything is used.
fn template(reading: &mut Reading<'_>, file: &File) -> Option<Template> {
    let solver = &file.solver;
    let parameters = file.parameter.iter().map(|entry| &entry.name);
    let names: Vec<&Name> = parameters.chain(file.constants.keys()).collect();
    let known: Vec<&str> = names.iter().map(|name| name.get_ref().as_str()).collect();
    let template = reading.template(solver, &known)?;
    for name in &names {
        if !template.slots().any(|slot| slot == name.get_ref()) {
            let message = format!("the solver does not use {{{}}}", name.get_ref());
            reading.wrong(name, message);
        }
    }
    for constant in file.constants.keys() {
        let is_twin = |entry: &Entry| entry.name.get_ref() == constant.get_ref();
        if file.parameter.iter().any(is_twin) {
            let message = format!("`{}` is a parameter already", constant.get_ref());
            reading.wrong(constant, message);
        }
    }
    Some(template)
}

fn config(
    reading: &mut Reading<'_>,
    file: &File,
    direction: Option<Direction>,
) -> Option<CrossEntropyConfig> {
    let usual = CrossEntropyConfig::default();
    let samples = reading.count("samples", &file.samples, MAX_POPULATION as u64);
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
            reading.check::<()>(Err(reading.reader.error(&span, message)));
        }
        return Some(CrossEntropyConfig {
            samples: samples? as usize,
            elite: 1,
            smoothing: 0.0,
            direction: direction?,
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
                reading.wrong(elite, message);
            }
            n
        }
        None => {
            reading.wrong(&file.method, "the Cross-Entropy Method needs an `elite`");
            0
        }
    };
    let smoothing =
        reading.within("smoothing", file.smoothing.as_ref(), (0.0, 1.0), usual.smoothing);
    if let (Some(given), Some(0.0)) = (&file.smoothing, smoothing) {
        let message = "a smoothing of 0 never learns: say method = \"random\"";
        reading.wrong(given, message);
    }
    let least = file.least_deviation.as_ref();
    let least = reading.within("least_deviation", least, (0.0, 1.0), usual.least_deviation);
    Some(CrossEntropyConfig {
        samples: samples? as usize,
        elite: elite as usize,
        smoothing: smoothing?,
        least_deviation: least?,
        direction: direction?,
    })
}

fn limits(reading: &mut Reading<'_>, limits: &Limits) -> Option<GameLimits> {
    let reader = reading.reader;
    let time = reading.check(reader.amount(limits.time.as_ref(), units::duration));
    let memory = reading.check(reader.amount(limits.memory.as_ref(), units::bytes));
    let expansions = reading.check(reader.amount(limits.expansions.as_ref(), units::count));
    let generated = reading.check(reader.amount(limits.generated.as_ref(), units::count));
    Some(GameLimits {
        time: time?,
        memory: memory?,
        expansions: expansions?,
        generated: generated?,
    })
}

/// Binds the solver in the middle of all bounds, and with each parameter alone at either of its bounds:
/// what a declaration accepts has no holes.
fn bounds(reading: &mut Reading<'_>, file: &File, family: &Family, recipe: &Recipe) {
    let bound = |point: &[f64]| {
        let text = recipe.solver_text(point);
        whole(family, &text).map_err(|error| (text, error))
    };
    let [low, high, middle] = recipe.corners();
    if let Err((text, error)) = bound(&middle) {
        let error = reading.reader.spec_error(&file.solver, &text, &error);
        reading.check::<()>(Err(error));
        return;
    }
    for (index, entry) in file.parameter.iter().enumerate() {
        for (what, corner, value) in [("min", &low, &entry.min), ("max", &high, &entry.max)] {
            let mut point = middle.clone();
            point[index] = corner[index];
            if let Err((_, error)) = bound(&point) {
                let name = entry.name.get_ref();
                let message = format!("`{what}` of `{name}`: {}", error.message());
                reading.wrong(value, message);
            }
        }
    }
}
