//! Options and declaration of staged deepening.

use unriddle_core::{Domain, Info, Parameter, Role, SearchError};

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
    parameters: &[
        Parameter::required(
            "h",
            Domain::Heuristic,
            "score of open states, the lowest first",
        ),
        Parameter::named(
            "depth",
            Domain::Integer {
                min: 1,
                max: MAX_DEPTH as u64,
            },
            "7",
            "moves from a state taken from the open list to those that enter it",
        ),
        Parameter::named(
            "table",
            Domain::Integer {
                min: 1,
                max: MAX_TABLE as u64,
            },
            "200k",
            "states after which the table against loops is emptied",
        ),
        Parameter::named(
            "open",
            Domain::Choice(&Keep::NAMES),
            Keep::NAMES[0],
            "whether the open list keeps one state for each score, the newest, or all",
        ),
        Parameter::named(
            "quantum",
            Domain::Real { min: 0.0, max: 1e9 },
            "0",
            "scores within the same multiple of it count as equal; 0: only equal ones",
        ),
    ],
};

/// Which states the open list keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Keep {
    /// The newest of each score.
    #[default]
    OnePerScore,
    /// All.
    All,
}

impl Keep {
    /// The words of the parameter `open`.
    pub const NAMES: [&'static str; 2] = ["one-per-score", "list"];
}

/// Options of [`Staged`](super::Staged).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StagedConfig {
    /// Moves from a state taken from the open list to those that enter it, 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// States after which the table is emptied, 1 to [`MAX_TABLE`].
    pub table: usize,
    /// Which states the open list keeps.
    pub open: Keep,
    /// Scores within the same multiple of it count as equal; 0 for equal scores alone.
    pub quantum: f64,
}

impl Default for StagedConfig {
    fn default() -> Self {
        Self {
            depth: 7,
            table: 200_000,
            open: Keep::OnePerScore,
            quantum: 0.0,
        }
    }
}

impl StagedConfig {
    /// Checks the bounds.
    ///
    /// # Errors
    /// [`SearchError::BadOption`].
    pub fn validate(&self) -> Result<(), SearchError> {
        let refused = |what: String| Err(SearchError::BadOption(format!("staged: {what}")));
        if !(1..=MAX_DEPTH).contains(&self.depth) {
            return refused(format!(
                "depth is {}, but must be between 1 and {MAX_DEPTH}",
                self.depth
            ));
        }
        if !(1..=MAX_TABLE).contains(&self.table) {
            return refused(format!(
                "table is {}, but must be between 1 and {MAX_TABLE}",
                self.table
            ));
        }
        if !(0.0..=1e9).contains(&self.quantum) {
            return refused(format!(
                "quantum is {}, but must be between 0 and 1e9",
                self.quantum
            ));
        }
        Ok(())
    }

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
