//! Options and declaration of staged deepening.

use unriddle_core::{Info, Options, Role, options, words};

/// Deepest local search.
pub const MAX_DEPTH: u32 = 64;
/// Largest table, in states.
pub const MAX_TABLE: usize = 1 << 31;
/// Declaration of the search.
pub const INFO: Info = Info {
    guarantee: "incomplete; unsolvable is reported only if no open state was ever overwritten",
    requires: "a goal puzzle; profits where few moves can be undone and many ways lead on",
    reference: "Elyasaf, Hauptman and Sipper 2011, section 3.1.3 (Heineman's search)",
    parameters: StagedConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "staged",
        "staged deepening: blind depth-first searches of a few moves between states of an open list",
    )
};

words! {
    /// States that the open list keeps.
    pub enum Keep {
        /// The newest state of each score.
        OnePerScore = "one-per-score",
        /// All states.
        All = "list",
    }
}

options! {
    /// Options of [`Staged`](super::Staged).
    #[derive(Copy)]
    pub struct StagedConfig of INFO (h: Heuristic, "score of open states, the lowest first") {
        depth: u32 = "7" in 1..=MAX_DEPTH,
            "moves of a local search from an open state to open states";
        table: usize = "200k" in 1..=MAX_TABLE,
            "states after which the table against loops is emptied";
        open: Keep = "one-per-score",
            "states of the open list: one per score, or all",
            "`one-per-score` keeps the newest state of each score; `list` keeps all states.";
        quantum: f64 = "0" in 0.0..=1e9,
            "width of classes of equal scores (0 = equal scores only)",
            "Scores with the same ⌊score / quantum⌋ count as equal.";
    }
}

impl StagedConfig {
    /// Order of the open list: a score of at least 0 as an integer.
    pub(super) fn key(&self, score: f32) -> u32 {
        match self.quantum {
            // Floats of one sign are ordered like their bits.
            0.0 => score.to_bits(),
            // The conversion saturates at the largest integer.
            quantum => (f64::from(score) / quantum) as u32,
        }
    }
}
