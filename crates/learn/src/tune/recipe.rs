//! Recipes of tuning: solver, parameters, measure and limits.

use super::{parameter::Parameter, settings::Settings};
use crate::{recipe::whole, template::Template};
use serde::Deserialize;
use std::time::Duration;
use unriddle_catalog::{
    Registry, Spec, SpecError, fields, units,
    work::{Optional, Unit, WorkError},
};
use unriddle_evolve::Direction;

/// Method of drawing samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The Cross-Entropy Method.
    CrossEntropy,
    /// The separable evolution strategy with adaptation of the covariance matrix.
    CmaEs,
    /// Random guessing: the distribution of the start, for ever.
    Random,
}

impl Method {
    /// Its name in recipes.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::CrossEntropy => "cross-entropy",
            Self::CmaEs => "cma-es",
            Self::Random => "random",
        }
    }
}

/// Measure of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// The score, the more the better, or the cost, the less the better.
    Value,
    /// States generated until the goal is reached, the less the better.
    Generated,
}

fields! {
    /// Limits of one game, in addition to the limits in the solver's spec.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct GameLimits {
        /// Wall time. With this limit no two runs are the same.
        pub time: Option<Duration> = None, Optional(Unit(units::duration));
        /// Memory in bytes.
        pub memory: Option<u64> = None, Optional(Unit(units::bytes));
        /// States expanded.
        pub expansions: Option<u64> = None, Optional(Unit(units::count));
        /// States generated.
        pub generated: Option<u64> = None, Optional(Unit(units::count));
    }
}

/// A validated recipe, at one scale.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Text of the file, below a line with the scale. A run recognises its recipe by this text.
    pub text: String,
    /// The file's name, without folders.
    pub file: String,
    /// Its heading.
    pub title: String,
    /// The scale (`None` = the recipe without overrides).
    pub scale: Option<String>,
    /// Spec of the puzzle.
    pub puzzle: String,
    /// Spec of the generator of boards.
    pub generator: String,
    /// The tuned parameters, in the order of the file.
    pub parameters: Vec<Parameter>,
    /// Method of drawing samples.
    pub method: Method,
    /// Measure of games.
    pub measure: Measure,
    /// Value of an unsolved board, as a multiple of the states that a game may generate.
    pub penalty: f64,
    /// Options of the optimiser: samples, elite, and whether more or less is better.
    pub settings: Settings,
    /// Boards of an iteration, which all its samples play.
    pub boards: u64,
    /// Iterations.
    pub iterations: u64,
    /// Limits of one game.
    pub limits: GameLimits,
    /// Seed of everything random.
    pub seed: u64,
    /// The puzzles that it may be for.
    pub(super) registry: Registry,
    pub(super) template: Template,
    /// Names and texts of the placeholders that are not tuned.
    pub(super) constants: Vec<(String, String)>,
}

impl Recipe {
    /// Name of the measure: `score` (larger is better), `cost` or `generated` (smaller is better).
    #[must_use]
    pub fn measured(&self) -> &'static str {
        match (self.measure, self.settings.direction()) {
            (Measure::Generated, _) => "generated",
            (Measure::Value, Direction::Maximise) => "score",
            (Measure::Value, Direction::Minimise) => "cost",
        }
    }

    /// The solver of a point of the distribution, as text.
    #[must_use]
    pub fn solver_text(&self, point: &[f64]) -> String {
        let tuned = self.parameters.iter().zip(point);
        let tuned = tuned.map(|(parameter, &x)| (parameter.name.as_str(), parameter.text(x)));
        let fixed = self.constants.iter().map(|(name, text)| (name.as_str(), text.clone()));
        self.template.fill(&tuned.chain(fixed).collect::<Vec<_>>())
    }

    /// The solver at a point of the distribution, as written and with all defaults filled in.
    ///
    /// # Errors
    /// A value that does not fit. Values between the bounds were checked when the recipe was read.
    pub(super) fn solver(&self, point: &[f64]) -> Result<(Spec, Spec), WorkError> {
        let text = self.solver_text(point);
        let bound = || -> Result<(Spec, Spec), SpecError> {
            let (family, _) = self.registry.puzzle(&self.puzzle)?;
            Ok((Spec::parse(&text)?, whole(family, &text)?))
        };
        bound().map_err(|error| WorkError::Usage(format!("the solver `{text}`, {error}")))
    }

    /// The points at which a recipe is tried before its run: all parameters at their least, all at
    /// their largest, all in the middle.
    pub(super) fn corners(&self) -> [Vec<f64>; 3] {
        let at = |share: fn(f64, f64) -> f64| {
            self.parameters.iter().map(Parameter::dimension).map(|d| share(d.low, d.high)).collect()
        };
        [at(|low, _| low), at(|_, high| high), at(f64::midpoint)]
    }
}
