//! Reads recipes of tuning.

use super::{
    parameter::{Parameter, shown},
    recipe::{GameLimits, Measure, Method, Recipe},
    settings::Settings,
};
use crate::{
    recipe::{MOST, RecipeFile, template, whole},
    template::Template,
};
use std::{collections::BTreeMap, path::Path};
use toml::Spanned;
use unriddle_catalog::{
    Aim, Family, Registry, fields,
    spec::is_name,
    work::{
        Each, Fields as _, Nested, Optional, Table, WorkError,
        reader::{Amount, Name, unknown},
    },
};
use unriddle_evolve::{
    CmaEsConfig, CrossEntropyConfig, Direction, Recombination, config::MAX_POPULATION,
};

/// Version of the format of recipes.
const VERSION: u32 = 1;
/// Largest absolute value of a bound: larger whole numbers are not exact in floating point.
const LARGEST: f64 = 9_007_199_254_740_992.0;
/// Default of `penalty`: the factor of PAR10.
const PENALTY: f64 = 10.0;
/// Fields that `[scale.NAME]` may override.
const SCALED: [&str; 8] = [
    "samples",
    "elite",
    "boards",
    "iterations",
    "smoothing",
    "least_deviation",
    "constants",
    "limits",
];

fields! {
    /// The fields of a recipe.
    struct RecipeFields {
        title: String;
        puzzle: Name;
        generator: Name;
        solver: Name;
        method: Method;
        measure: Option<Measure> = None;
        penalty: Option<f64> = None, Optional(1.0..=1e6);
        seed: u64;
        samples: usize, 1..=MAX_POPULATION as u64;
        elite: Option<usize> = None, Optional(0..=u64::MAX);
        boards: u64, 1..=MOST;
        iterations: u64, 1..=MOST;
        smoothing: Option<f64> = None, Optional(0.0..=1.0);
        least_deviation: Option<f64> = None, Optional(0.0..=1.0);
        constants: BTreeMap<Name, Amount> = BTreeMap::new();
        limits: GameLimits = GameLimits::default(), Nested;
        parameter: Vec<ParameterFields> = Vec::new(), Each(Nested);
    }

    /// `[[parameter]]`.
    struct ParameterFields {
        name: Name;
        min: Spanned<f64>;
        max: Spanned<f64>;
        start: Option<Spanned<f64>> = None;
        integer: bool = false;
        log: bool = false;
    }
}

impl Recipe {
    /// Reads and validates a recipe for a puzzle of a registry, with the overrides of the scale
    /// `scale` if one is given.
    ///
    /// # Errors
    /// File, line and column of all errors.
    pub fn load(path: &Path, scale: Option<&str>, registry: &Registry) -> Result<Self, WorkError> {
        let text = std::fs::read_to_string(path).map_err(|e| WorkError::file(path, &e))?;
        Self::parse(path, &text, scale, registry)
    }

    /// Validates the text of the recipe in the file `path`.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn parse(
        path: &Path,
        text: &str,
        scale: Option<&str>,
        registry: &Registry,
    ) -> Result<Self, WorkError> {
        let source = RecipeFile { path, text, registry, version: VERSION, old: "does not exist" };
        let mut unknown_scale = None;
        let recipe = source.read(|table| {
            unknown_scale = rescale(table, scale);
            let fields = &RecipeFields::read_all(table)?;
            Checked { table, source: &source, fields }.recipe(scale)
        });
        match unknown_scale {
            Some(why) => Err(WorkError::Usage(format!("{}: {why}", path.display()))),
            None => recipe,
        }
    }
}

/// Replaces fields of a recipe by the overrides of one scale. Returns an error if there is no scale
/// of that name.
fn rescale(table: &mut Table<'_>, scale: Option<&str>) -> Option<String> {
    let scales = table.named_tables("scale");
    let names: Vec<String> = scales.iter().map(|(name, _)| name.clone()).collect();
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    for (name, fields) in scales {
        fields.only(&SCALED);
        if Some(&*name) == scale {
            table.merge(fields);
        }
    }
    let scale = scale.filter(|scale| !known.contains(scale))?;
    Some(unknown("scale", scale, &known))
}

/// A recipe whose fields are read; everything else is checked here.
struct Checked<'a, 'r> {
    table: &'a Table<'r>,
    source: &'a RecipeFile<'a>,
    fields: &'a RecipeFields,
}

impl Checked<'_, '_> {
    /// Collects an error at a field if `is_wrong`.
    fn refuse(&self, key: &str, is_wrong: bool, message: &str) {
        if is_wrong {
            self.table.wrong_at::<()>(key, message);
        }
    }

    fn recipe(&self, scale: Option<&str>) -> Option<Recipe> {
        let Self { table, source, fields } = self;
        let reading = table.reading;
        let family = reading.puzzle(&fields.puzzle).map(|(family, _)| family);
        if let Some(family) = family {
            reading.generator(family, &fields.generator);
        }
        let parameters: Vec<Option<Parameter>> =
            (0..fields.parameter.len()).map(|index| self.parameter(index)).collect();
        let is_empty = fields.parameter.is_empty();
        self.refuse("solver", is_empty, "there is no [[parameter]] to tune");
        let template = self.template();
        let measure = family.and_then(|family| self.measure(family));
        let config = self.config(measure.map(|(_, direction)| direction));
        let file_name = source.path.file_name().unwrap_or_default();
        let recipe = Recipe {
            text: match scale {
                None => source.text.to_owned(),
                Some(scale) => format!("# --scale {scale}\n{}", source.text),
            },
            file: file_name.to_string_lossy().into_owned(),
            title: fields.title.clone(),
            scale: scale.map(str::to_owned),
            puzzle: fields.puzzle.get_ref().clone(),
            generator: fields.generator.get_ref().clone(),
            parameters: parameters.into_iter().collect::<Option<_>>()?,
            method: fields.method,
            measure: measure?.0,
            penalty: fields.penalty.unwrap_or(PENALTY),
            settings: config?,
            boards: fields.boards,
            iterations: fields.iterations,
            limits: fields.limits,
            seed: fields.seed,
            registry: source.registry.clone(),
            template: template?,
            constants: (fields.constants.iter())
                .map(|(name, value)| (name.get_ref().clone(), value.text()))
                .collect(),
        };
        self.bind_solvers(family?, &recipe);
        Some(recipe)
    }

    /// The measure of games, and whether more or less of it is better.
    fn measure(&self, family: &Family) -> Option<(Measure, Direction)> {
        let name = family.info.name;
        let of_value = match family.aim {
            Aim::Score => Direction::Maximise,
            Aim::Assignment | Aim::Cost => Direction::Minimise,
        };
        let measure = match (self.fields.measure, family.aim) {
            (None, Aim::Cost) => {
                let message = format!(
                    "{name} has a goal: choose the measure of its solvers, `measure = \"generated\"` (the effort of a \
                     solution) or `measure = \"value\"` (its cost)"
                );
                return self.table.wrong_at("puzzle", message);
            }
            (None, Aim::Score | Aim::Assignment) => Measure::Value,
            (Some(measure), _) => measure,
        };
        let (is_value, is_effort) = (measure == Measure::Value, measure == Measure::Generated);
        let message = format!(
            "{name} has no goal that a solver reaches or not: its solvers are tuned for the `value`"
        );
        self.refuse("measure", is_effort && family.aim != Aim::Cost, &message);
        let message = "the effort of a board that is not solved follows from `limits.generated`, which is missing";
        let has_limit = self.fields.limits.generated.is_some();
        self.refuse("measure", is_effort && !has_limit, message);
        let has_penalty = self.fields.penalty.is_some();
        let message = "a `penalty` belongs to `measure = \"generated\"`";
        self.refuse("penalty", is_value && has_penalty, message);
        Some((measure, if is_value { of_value } else { Direction::Minimise }))
    }

    fn parameter(&self, index: usize) -> Option<Parameter> {
        let (before, rest) = self.fields.parameter.split_at(index);
        let ParameterFields { name, min, max, start, integer, log } = rest.first()?;
        let reading = self.table.reading;
        let known = reading.wrongs();
        let text = name.get_ref();
        if !is_name(text) {
            let message =
                format!("`{text}` cannot be a name: a letter, then letters, digits, _, -");
            reading.wrong::<()>(&name.span(), message);
        } else if before.iter().any(|entry| entry.name.get_ref() == text) {
            reading.wrong::<()>(&name.span(), format!("there is a parameter `{text}` already"));
        }
        for (what, value) in [("min", min), ("max", max)] {
            let x = *value.get_ref();
            let message = if !(-LARGEST..=LARGEST).contains(&x) {
                format!("`{what}` of `{text}` is out of range")
            } else if *integer && x.fract() != 0.0 {
                format!("`{what}` of `{text}` is {x}, but expected a whole number")
            } else {
                continue;
            };
            reading.wrong::<()>(&value.span(), message);
        }
        let (least, most) = (*min.get_ref(), *max.get_ref());
        if *log && least <= 0.0 {
            let message =
                format!("`min` of `{text}` is {least}, but a logarithm needs more than 0");
            reading.wrong::<()>(&min.span(), message);
        }
        if least >= most {
            let message = format!(
                "`max` of `{text}` is {}, but must be above its `min`, {}",
                shown(most),
                shown(least)
            );
            reading.wrong::<()>(&max.span(), message);
        }
        if let Some(start) = start {
            let is_strategy = self.fields.method == Method::CmaEs;
            let message = if !is_strategy {
                "a `start` belongs to the method \"cma-es\": the others begin in the middle"
                    .to_owned()
            } else if !(least..=most).contains(start.get_ref()) {
                let x = *start.get_ref();
                format!("`start` of `{text}` is {}, but must be between its bounds", shown(x))
            } else {
                String::new()
            };
            if !message.is_empty() {
                reading.wrong::<()>(&start.span(), message);
            }
        }
        let parameter = Parameter {
            name: text.clone(),
            min: least,
            max: most,
            integer: *integer,
            log: *log,
            start: start.as_ref().map(|start| *start.get_ref()),
        };
        let distance = parameter.dimension();
        if reading.wrongs() == known && distance.high / 2.0 - distance.low / 2.0 <= 0.0 {
            reading.wrong::<()>(&max.span(), format!("the bounds of `{text}` are too close"));
        }
        (reading.wrongs() == known).then_some(parameter)
    }

    /// The solver's template. All placeholders have values, and all values have placeholders.
    fn template(&self) -> Option<Template> {
        let RecipeFields { parameter, constants, solver, .. } = self.fields;
        let parameters = parameter.iter().map(|entry| &entry.name);
        let names: Vec<&Name> = parameters.clone().chain(constants.keys()).collect();
        let known: Vec<&str> = names.iter().map(|name| name.get_ref().as_str()).collect();
        let template = template(self.table.reading, solver, &known)?;
        for name in &names {
            let text = name.get_ref();
            if !template.slots().any(|slot| slot == text) {
                let message = format!("the solver does not use {{{text}}}");
                self.table.reading.wrong::<()>(&name.span(), message);
            }
        }
        for constant in constants.keys() {
            let text = constant.get_ref();
            if parameters.clone().any(|name| name.get_ref() == text) {
                let message = format!("`{text}` is a parameter already");
                self.table.reading.wrong::<()>(&constant.span(), message);
            }
        }
        Some(template)
    }

    fn config(&self, direction: Option<Direction>) -> Option<Settings> {
        match self.fields.method {
            Method::CrossEntropy => self.cross_entropy(direction).map(Settings::CrossEntropy),
            Method::Random => self.guesses(direction).map(Settings::CrossEntropy),
            Method::CmaEs => self.strategy(direction).map(Settings::CmaEs),
        }
    }

    /// Refuses fields of the Cross-Entropy Method that another method has no use for.
    fn only_of_cross_entropy(&self, why: &str, names: &[&str]) {
        let RecipeFields { elite, smoothing, least_deviation, .. } = *self.fields;
        for (key, is_given) in [
            ("elite", elite.is_some()),
            ("smoothing", smoothing.is_some()),
            ("least_deviation", least_deviation.is_some()),
        ] {
            self.refuse(key, is_given && names.contains(&key), why);
        }
    }

    /// Options of random guessing.
    fn guesses(&self, direction: Option<Direction>) -> Option<CrossEntropyConfig> {
        let message = "random guessing never learns: `elite`, `smoothing` and `least_deviation` belong to \
                       the method \"cross-entropy\"";
        self.only_of_cross_entropy(message, &["elite", "smoothing", "least_deviation"]);
        Some(CrossEntropyConfig {
            samples: self.fields.samples,
            elite: 1,
            smoothing: 0.0,
            direction: direction?,
            ..CrossEntropyConfig::default()
        })
    }

    /// Options of the evolution strategy. Pairs and equal weights suit the noise of
    /// games.
    fn strategy(&self, direction: Option<Direction>) -> Option<CmaEsConfig> {
        let RecipeFields { samples, elite, .. } = *self.fields;
        let message = "an evolution strategy adapts its deviations itself: `smoothing` and `least_deviation` \
                       belong to the method \"cross-entropy\"";
        self.only_of_cross_entropy(message, &["smoothing", "least_deviation"]);
        let message = "an evolution strategy draws samples in pairs: `samples` must be even";
        self.refuse("samples", samples % 2 == 1, message);
        let most = samples / 2;
        if let Some(n) = elite.filter(|n| !(1..=most).contains(n)) {
            let message =
                format!("`elite` is {n}, but must be between 1 and half of the samples, {most}");
            self.table.wrong_at::<()>("elite", message);
        }
        Some(CmaEsConfig {
            candidates: samples,
            parents: elite.unwrap_or(most),
            weights: Recombination::Equal,
            mirrored: true,
            direction: direction?,
            ..CmaEsConfig::for_dimensions(self.fields.parameter.len())
        })
    }

    fn cross_entropy(&self, direction: Option<Direction>) -> Option<CrossEntropyConfig> {
        let usual = CrossEntropyConfig::default();
        let RecipeFields { samples, elite, smoothing, least_deviation, .. } = *self.fields;
        if let Some(n) = elite.filter(|n| !(1..=samples).contains(n)) {
            let message = format!(
                "`elite` is {n}, but must be between 1 and the number of samples, {samples}"
            );
            self.table.wrong_at::<()>("elite", message);
        }
        self.refuse("method", elite.is_none(), "the Cross-Entropy Method needs an `elite`");
        let message = "a smoothing of 0 never learns: write method = \"random\"";
        self.refuse("smoothing", smoothing == Some(0.0), message);
        Some(CrossEntropyConfig {
            samples,
            elite: elite?,
            smoothing: smoothing.unwrap_or(usual.smoothing),
            least_deviation: least_deviation.unwrap_or(usual.least_deviation),
            direction: direction?,
        })
    }

    /// Binds the solver in the middle of all bounds, and with each parameter at either of its
    /// bounds. The values that a declaration accepts have no gaps between bounds.
    fn bind_solvers(&self, family: &Family, recipe: &Recipe) {
        let bound = |point: &[f64]| {
            let text = recipe.solver_text(point);
            whole(family, &text).map_err(|error| (text, error))
        };
        let [low, high, middle] = recipe.corners();
        if let Err((text, error)) = bound(&middle) {
            let error = self.table.reading.reader.spec_error(&self.fields.solver, &text, &error);
            self.table.reading.check::<()>(Err(error));
            return;
        }
        for (index, entry) in self.fields.parameter.iter().enumerate() {
            for (what, corner, value) in [("min", &low, &entry.min), ("max", &high, &entry.max)] {
                let mut point = middle.clone();
                point[index] = corner[index];
                if let Err((_, error)) = bound(&point) {
                    let message =
                        format!("`{what}` of `{}`: {}", entry.name.get_ref(), error.message());
                    self.table.reading.wrong::<()>(&value.span(), message);
                }
            }
        }
    }
}
