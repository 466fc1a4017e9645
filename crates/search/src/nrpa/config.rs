//! Options and declaration of nested roll-out policy adaptation.

use unriddle_core::{Domain, Info, Parameter, Role, SearchError};

/// Highest level.
pub const MAX_LEVEL: u32 = 16;
/// Most iterations of a level, and most play-outs between two adaptations.
pub const MAX_ITERATIONS: u32 = 1 << 24;

/// What `describe nrpa` shows.
pub const INFO: Info = Info {
    name: "nrpa",
    role: Role::Search,
    version: 1,
    summary: "nested roll-out policy adaptation: play-outs by a policy that learns from the best line",
    guarantee: "none; the best line of all play-outs",
    requires: "a score puzzle whose actions have codes",
    reference: "Rosin 2011 (IJCAI); Cazenave 2020 (bias, temperature); Cazenave, Sevestre and Toulemont 2020 (stabilised); Cazenave 2024 (limited repetitions)",
    parameters: &[
        Parameter::named(
            "level",
            Domain::Integer {
                min: 1,
                max: MAX_LEVEL as u64,
            },
            "3",
            "levels of learning above the play-outs",
        ),
        Parameter::named(
            "iterations",
            Domain::Integer {
                min: 1,
                max: MAX_ITERATIONS as u64,
            },
            "100",
            "iterations of each level, N",
        ),
        Parameter::named(
            "alpha",
            Domain::Real {
                min: 0.0,
                max: 100.0,
            },
            "1",
            "what an adaptation adds to the logit of an action of the best line",
        ),
        Parameter::named(
            "tau",
            Domain::Real {
                min: 0.01,
                max: 100.0,
            },
            "1",
            "temperature that learned logits are divided by",
        ),
        Parameter::named(
            "bias",
            Domain::Real {
                min: -100.0,
                max: 100.0,
            },
            "0",
            "what the puzzle's own logits are multiplied by; 0 leaves them out",
        ),
        Parameter::named(
            "playouts",
            Domain::Integer {
                min: 1,
                max: MAX_ITERATIONS as u64,
            },
            "1",
            "play-outs of an iteration of level 1, P: more than 1 is stabilised",
        ),
        Parameter::named(
            "repeat",
            Domain::Integer {
                min: 0,
                max: u32::MAX as u64,
            },
            "0",
            "a level ends when its best line has come back this many times; 0: never",
        ),
        Parameter::named(
            "tabu",
            Domain::Choice(&["on", "off"]),
            "on",
            "whether play-outs keep to the puzzle's own filter, where it has one",
        ),
        Parameter::named(
            "runs",
            Domain::Integer {
                min: 0,
                max: u64::MAX,
            },
            "0",
            "runs of the highest level, each from an empty policy; 0: until a limit ends the search",
        ),
    ],
};

/// Options of [`Nrpa`](super::Nrpa).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NrpaConfig {
    /// Levels of learning, 1 to [`MAX_LEVEL`].
    pub level: u32,
    /// Iterations of each level, 1 to [`MAX_ITERATIONS`].
    pub iterations: u32,
    /// Step of an adaptation, 0 to 100.
    pub alpha: f64,
    /// Temperature, 0.01 to 100.
    pub tau: f64,
    /// Weight of the puzzle's own logits, 0 to 100.
    pub bias: f64,
    /// Play-outs of an iteration of level 1, 1 to [`MAX_ITERATIONS`].
    pub playouts: u32,
    /// Returns of the best line that end a level; 0 for none.
    pub repeat: u32,
    /// Runs of the highest level; 0 for no end.
    pub runs: u64,
    /// Seed of the play-outs.
    pub seed: u64,
}

impl Default for NrpaConfig {
    fn default() -> Self {
        Self {
            level: 3,
            iterations: 100,
            alpha: 1.0,
            tau: 1.0,
            bias: 0.0,
            playouts: 1,
            repeat: 0,
            runs: 0,
            seed: 0,
        }
    }
}

impl NrpaConfig {
    /// Checks the bounds.
    ///
    /// # Errors
    /// [`SearchError::BadOption`].
    pub fn validate(&self) -> Result<(), SearchError> {
        let refused = |what: String| Err(SearchError::BadOption(format!("nrpa: {what}")));
        for (name, value, max) in [
            ("level", self.level, MAX_LEVEL),
            ("iterations", self.iterations, MAX_ITERATIONS),
            ("playouts", self.playouts, MAX_ITERATIONS),
        ] {
            if !(1..=max).contains(&value) {
                return refused(format!(
                    "{name} is {value}, but must be between 1 and {max}"
                ));
            }
        }
        for (name, value, min) in [
            ("alpha", self.alpha, 0.0),
            ("tau", self.tau, 0.01),
            ("bias", self.bias, -100.0),
        ] {
            if !(min..=100.0).contains(&value) {
                return refused(format!(
                    "{name} is {value}, but must be between {min} and 100"
                ));
            }
        }
        Ok(())
    }
}
