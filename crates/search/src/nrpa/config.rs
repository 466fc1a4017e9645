//! Options and declaration of nested roll-out policy adaptation.

use unriddle_core::{Info, Options, Role, options};

/// Highest level.
pub const MAX_LEVEL: u32 = 16;
/// Largest number of iterations of a level, and of play-outs between two adaptations.
pub const MAX_ITERATIONS: u32 = 1 << 24;

/// Declaration of the search.
pub const INFO: Info = Info {
    guarantee: "none; the best line of all play-outs",
    requires: "a score puzzle whose actions have codes",
    reference: "Rosin 2011 (IJCAI); Cazenave 2020 (bias, temperature); Cazenave, Sevestre and Toulemont 2020 (stabilised); Cazenave 2024 (limited repetitions)",
    parameters: NrpaConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "nrpa",
        "nested roll-out policy adaptation: play-outs by a policy that learns from the best line",
    )
};

options! {
    /// Options of [`Nrpa`](super::Nrpa).
    #[derive(Copy)]
    pub struct NrpaConfig of INFO {
        level: u32 = "3" in 1..=MAX_LEVEL, "levels of learning above the play-outs";
        iterations: u32 = "100" in 1..=MAX_ITERATIONS, "iterations of each level, N";
        alpha: f64 = "1" in 0.0..=100.0,
            "logit added to the actions of the best line (α)",
            "An adaptation adds α to the logit of each action of the best line.";
        tau: f64 = "1" in 0.01..=100.0, "temperature, the divisor of learned logits";
        bias: f64 = "0" in -100.0..=100.0,
            "factor of the puzzle's own logits (0 = ignored)";
        playouts: u32 = "1" in 1..=MAX_ITERATIONS,
            "play-outs per iteration of level 1 (above 1 = stabilised)";
        repeat: u32 = "0" in 0..=u32::MAX,
            "repetitions of the best line that end a level (0 = never)";
        /// The caller chooses [`selective`](super::Nrpa::selective) or [`new`](super::Nrpa::new) by
        /// it.
        tabu: bool = "on" of ["on", "off"],
            "whether play-outs obey the puzzle's own filter";
        runs: u64 = "0" in 0..=u64::MAX,
            "runs of the highest level (0 = until a limit)",
            "Each run begins with an empty policy.";
    }
    also {
        /// Seed of the play-outs.
        seed: u64 = 0;
    }
}
