//! The requests of a page.

use serde::Deserialize;
use unriddle_catalog::board::Cells;

/// A request whose answer is a function of its fields.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "verb", rename_all = "lowercase", deny_unknown_fields)]
pub enum Request {
    /// The puzzles with their presets, generators and notations.
    Puzzles {},
    /// The searches and heuristics that a solver's spec of a puzzle may name.
    Expressions {
        /// Spec of the puzzle.
        puzzle: String,
    },
    /// The instances of a text, in any form that the puzzle reads.
    Load {
        /// Spec of the puzzle.
        puzzle: String,
        /// Text of a file.
        text: String,
    },
    /// A random instance.
    Generate {
        /// Spec of the puzzle.
        puzzle: String,
        /// Expression of the generator; `None` for the puzzle's first one.
        generator: Option<String>,
        /// Seed.
        seed: u64,
    },
    /// The instance of a number.
    Deal {
        /// Spec of the puzzle.
        puzzle: String,
        /// The number.
        number: u64,
    },
    /// The position after a line of play.
    Position {
        /// Spec of the puzzle.
        puzzle: String,
        /// Text of the instance.
        instance: String,
        /// Actions in the notation of solutions.
        #[serde(default)]
        line: String,
        /// Number of the actions that are played; `None` for all.
        at: Option<usize>,
    },
    /// The drawings of all positions of a line.
    Frames {
        /// Spec of the puzzle.
        puzzle: String,
        /// Text of the instance.
        instance: String,
        /// Actions in the notation of solutions.
        line: String,
    },
    /// A line as an animated drawing.
    Film {
        /// Spec of the puzzle.
        puzzle: String,
        /// Text of the instance.
        instance: String,
        /// Actions in the notation of solutions.
        line: String,
        /// Seconds per position; `None` for 0.5.
        seconds: Option<f64>,
    },
    /// The instance and the line in other notations.
    Forms {
        /// Spec of the puzzle.
        puzzle: String,
        /// Text of the instance.
        instance: String,
        /// Actions in the notation of solutions.
        #[serde(default)]
        line: String,
    },
    /// The normal form of a solver's spec.
    Spec {
        /// Spec of the puzzle.
        puzzle: String,
        /// Text of the instance, which must be readable; `None` without an instance.
        instance: Option<String>,
        /// Search expression.
        solver: String,
    },
    /// The networks that a solver reads.
    Networks {
        /// Spec of the puzzle.
        puzzle: String,
        /// Text of the instance.
        instance: String,
        /// Search expression; `None` for the preset.
        solver: Option<String>,
        /// Name of a preset; `None` for the first one.
        preset: Option<String>,
    },
    /// The content of the editor.
    Sketch {
        /// Spec of the puzzle.
        puzzle: String,
        /// Text of the instance; `None` for an empty board.
        instance: Option<String>,
    },
    /// The instance of an edited sketch: of its cells, or of an instance and the changes of its
    /// tables.
    Edit {
        /// Spec of the puzzle.
        puzzle: String,
        /// Symbols, row by row; `null` where there is no cell.
        #[serde(default)]
        rows: Cells,
        /// Text of the instance whose tables are changed; `None` for a sketch of cells.
        instance: Option<String>,
        /// Changes of the tables.
        #[serde(default)]
        changes: Vec<Change>,
    },
}

/// Another text of a cell of a table; numbers count from 0.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Section.
    pub section: usize,
    /// Row of the section.
    pub row: usize,
    /// Column of the section.
    pub column: usize,
    /// The text.
    pub text: String,
}

/// A job: work that takes a while and reports events.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum JobRequest {
    /// Solves an instance.
    Solve {
        /// Spec of the puzzle.
        puzzle: String,
        /// Text of the instance.
        instance: String,
        /// Search expression; `None` for the preset.
        solver: Option<String>,
        /// Name of a preset; `None` for the first one.
        preset: Option<String>,
        /// Limit of the time of searching, in seconds.
        seconds: Option<f64>,
        /// Limit of expanded states.
        expansions: Option<u64>,
        /// Limit of memory in bytes.
        memory: Option<u64>,
        /// Seed of everything random.
        #[serde(default)]
        seed: u64,
        /// A known solution, with which solvers that improve solutions begin.
        known: Option<String>,
    },
    /// Reviews a line of play.
    Review {
        /// Spec of the puzzle.
        puzzle: String,
        /// Text of the instance.
        instance: String,
        /// Actions in the notation of solutions.
        line: String,
        /// Search expression; `None` for the preset.
        solver: Option<String>,
        /// Name of a preset; `None` for the first one.
        preset: Option<String>,
        /// Limit of the time of searching per position, in seconds; `None` for 2.
        seconds: Option<f64>,
    },
    /// Reports on instances for designers.
    Validate {
        /// Spec of the puzzle.
        puzzle: String,
        /// Text of a file of instances.
        text: String,
        /// Search expression; `None` for the preset.
        solver: Option<String>,
        /// Name of a preset; `None` for the first one.
        preset: Option<String>,
        /// Limit of the time of the reference solver per instance, in seconds; `None` for 3.
        seconds: Option<f64>,
    },
}
