//! Options and declaration of staged deepening.

use unriddle_core::{Info, Options, Role, options, words};

/// Deepest local search.
pub const MAX_DEPTH: u32 = 64;
/// Largest table, in states.
pub const MAX_TABLE: usize = 1 << 31;
/// What `describe staged` shows.
pub const INFO: Info = Info {
    name: "staged",
    role: Role::Search,
    version: 1,
    summary: "staged deepening: blind depth-first searches of a few moves between states of an open list",
    guarantee: "incomplete; unsolvable is reported only if no open state was ever overwritten",
    requires: "a goal puzzle; profits where few moves can be undone and many ways lead on",
    reference: "Elyasaf, Hauptman and Sipper 2011, section 3.1.3 (Heineman's search)",
    parameters: StagedConfig::PARAMETERS,
};

words! {
    /// Which states the open list keeps.
    pub enum Keep {
        /// The newest of each score.
        OnePerScore = "one-per-score",
        /// All.
        All = "list",
    }
}

options! {
    /// Options of [`Staged`](super::Staged).
    #[derive(Copy)]
    pub struct StagedConfig of INFO (h: Heuristic, "score of open states, the lowest first") {
        depth: u32 = "7" in 1..=MAX_DEPTH,
            "moves from a state taken from the open list to those that enter it";
        table: usize = "200k" in 1..=MAX_TABLE,
            "states after which the table against loops is emptied";
        open: Keep = "one-per-score",
            "whether the open list keeps one state for each score, the newest, or all";
        quantum: f64 = "0" in 0.0..=1e9,
            "scores within the same multiple of it count as equal; 0: only equal ones";
    }
}

impl StagedConfig {
    /// What the open list is ordered by: a score of at least 0 as an integer.
    pub(super) fn key(&self, score: f32) -> u32 {
        match self.quantum {
            // Floats of one sign are ordered like their bits.
            0.0 => score.to_bits(),
            // The conversion ends at the largest integer.
            quantum => (f64::from(score) / quantum) as u32,
        }
    }
}
