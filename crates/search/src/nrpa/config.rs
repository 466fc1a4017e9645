//! Options and declaration of nested roll-out policy adaptation.

use unriddle_core::{Info, Options, Role, options};

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
    parameters: NrpaConfig::PARAMETERS,
};

options! {
    /// Options of [`Nrpa`](super::Nrpa).
    #[derive(Copy)]
    pub struct NrpaConfig of INFO {
        level: u32 = "3" in 1..=MAX_LEVEL, "levels of learning above the play-outs";
        iterations: u32 = "100" in 1..=MAX_ITERATIONS, "iterations of each level, N";
        alpha: f64 = "1" in 0.0..=100.0,
            "what an adaptation adds to the logit of an action of the best line";
        tau: f64 = "1" in 0.01..=100.0, "temperature that learned logits are divided by";
        bias: f64 = "0" in -100.0..=100.0,
            "what the puzzle's own logits are multiplied by; 0 leaves them out";
        playouts: u32 = "1" in 1..=MAX_ITERATIONS,
            "play-outs of an iteration of level 1, P: more than 1 is stabilised";
        repeat: u32 = "0" in 0..=u32::MAX,
            "a level ends when its best line has come back this many times; 0: never";
        /// For who makes the search: [`selective`](super::Nrpa::selective), or
        /// [`new`](super::Nrpa::new).
        tabu: bool = "on" of ["on", "off"],
            "whether play-outs keep to the puzzle's own filter, where it has one";
        runs: u64 = "0" in 0..=u64::MAX,
            "runs of the highest level, each from an empty policy; 0: until a limit ends the search";
    }
    also {
        /// Seed of the play-outs.
        seed: u64 = 0;
    }
}
