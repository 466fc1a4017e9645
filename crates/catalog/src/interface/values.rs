//! Values of a solve: the request, its events, its report and its errors; drawings and networks.

use super::unit::Unit;
use crate::spec::{Spec, SpecError};
use std::{path::Path, time::Duration};
use thiserror::Error;
pub use unriddle_core::Rng;
use unriddle_core::{Budget, Limit, SearchError, Stats, TreeShape, journal::Journal, ranks::Ranks};
pub use unriddle_neural::Device;
use unriddle_tables::{Cache, TableError};

/// Style in which a state is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// Text without colours.
    Plain,
    /// Text with terminal colours.
    Colour,
    /// Scalable vector graphics.
    Svg,
}

/// A state along a solution, drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The drawing.
    pub drawing: String,
    /// The action that led here; `None` for the initial state.
    pub action: Option<String>,
}

/// Key for near-duplicate detection: two instances with equal keys differ only in `but`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Likeness {
    /// The difference, such as `one cell`.
    pub but: &'static str,
    /// Hash (64 bits) of everything except the difference.
    pub key: u64,
}

impl Likeness {
    /// Hash of a part; the key may be a sum of such hashes.
    #[must_use]
    pub fn hash(part: &impl std::hash::Hash) -> u64 {
        unriddle_search::index::hash(part)
    }
}

/// Callback invoked for each state of a solution, starting with the initial one. Call the argument
/// to draw the state; skipping it costs nothing.
pub type Visit<'v> = &'v mut dyn FnMut(&dyn Fn(Style) -> Frame);

/// Reason for a missing certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoCertificate {
    /// The proof was given up.
    Stopped,
    /// The claim is false: this is a better solution.
    False(String),
}

/// Networks by name, with the bytes of their files.
pub type Models = &'static [(&'static str, &'static [u8])];

/// The names of networks as a list for people.
pub(crate) fn model_names(models: Models) -> String {
    let names: Vec<_> = models.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

/// Request to solve an instance.
pub struct Request<'a> {
    /// The search expression.
    pub solver: &'a Spec,
    /// Limits. Memory covers the heuristic's tables and the search's own structures.
    pub budget: Budget,
    /// A known solution in the puzzle's notation. Solvers that improve solutions begin with it;
    /// other solvers ignore it.
    pub known: Option<&'a str>,
    /// Estimates for the heuristic `callable` of the solver; `None` without such a heuristic.
    #[cfg(feature = "arrays")]
    pub evaluator: Option<&'a std::sync::Arc<dyn super::arrays::Evaluator>>,
    /// Seed of everything random.
    pub seed: u64,
    /// Threads inside the search.
    pub threads: usize,
    /// Processes that search the instance together; `None` for one process.
    pub ranks: Option<&'a dyn Ranks>,
    /// Journal of the search's finished pieces, from which it resumes; `None` without one.
    pub journal: Option<&'a dyn Journal>,
    /// Device and batching of the computation of networks.
    pub networks: Networks,
    /// Source of tables.
    pub cache: &'a Cache,
}

impl<'a> Request<'a> {
    /// A request without limits, with seed 0 and one thread.
    #[must_use]
    pub fn new(solver: &'a Spec, cache: &'a Cache) -> Self {
        Self {
            solver,
            budget: Budget::default(),
            known: None,
            #[cfg(feature = "arrays")]
            evaluator: None,
            seed: 0,
            threads: 1,
            ranks: None,
            journal: None,
            networks: Networks::default(),
            cache,
        }
    }
}

/// Device and batching of the computation of networks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Networks {
    /// Device that computes them.
    pub device: Device,
    /// Whether concurrent solves of this process that use the same network share its batches.
    /// Solutions do not depend on it.
    pub lockstep: bool,
    /// Folder in which the network `NAME` is the file `NAME.safetensors`; `None` without such a
    /// folder.
    pub folder: Option<&'static Path>,
}

/// The best solution so far.
#[derive(Clone, Copy)]
pub struct Incumbent<'a> {
    /// Its value.
    pub value: i64,
    /// Number of its actions, as the search counts them.
    pub length: usize,
    /// Writes it in the puzzle's notation.
    pub text: &'a dyn Fn() -> String,
}

/// Observer that is notified of the events of a solve.
///
/// ```
/// use unriddle_catalog::{
///     Events, Incumbent, Request, Spec, Stats,
///     tables::{Cache, Policy},
/// };
///
/// /// The values of all solutions.
/// struct Values(Vec<i64>);
///
/// impl Events for Values {
///     fn improved(&mut self, best: &Incumbent<'_>, _: &Stats) {
///         self.0.push(best.value);
///     }
/// }
///
/// let puzzle = unriddle_hanoi::FAMILY.default_puzzle().expect("defaults for all parameters");
/// let instance = puzzle.load("1 1")?;
/// let solver = Spec::parse("astar(misplaced)")?;
/// let cache = Cache::new(None, 1, Policy::default());
/// let mut values = Values(Vec::new());
/// instance.solve(&Request::new(&solver, &cache), &mut values)?;
/// assert_eq!(values.0.last(), Some(&3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Events {
    /// The search continues; called every few milliseconds. The search waits until this method
    /// returns, and that time does not count against its limits.
    fn progress(&mut self, stats: &Stats) {
        let _ = stats;
    }
    /// Number of states that may be expanded before the next call of
    /// [`progress`](Self::progress).
    fn room(&self) -> u64 {
        u64::MAX
    }
    /// A better solution was found.
    fn improved(&mut self, best: &Incumbent<'_>, stats: &Stats) {
        let _ = (best, stats);
    }
    /// A better lower bound was proved: the optimum of a cost is at least `bound`.
    fn bound(&mut self, bound: i64, stats: &Stats) {
        let _ = (bound, stats);
    }
    /// A better upper bound was proved: the optimum of a score is at most `bound`.
    fn upper_bound(&mut self, bound: i64, stats: &Stats) {
        let _ = (bound, stats);
    }
}

impl Events for () {}

/// Result of a solve in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Solved, and proved optimal.
    Optimal,
    /// Solved.
    Solved,
    /// Proved to have no solution.
    Unsolvable,
    /// An incomplete search has nothing left to try.
    Exhausted,
    /// A limit was reached.
    Stopped,
    /// The solver does not fit the instance, or is unavailable for it: nothing was searched.
    Unsupported,
    /// The text is no instance of the puzzle.
    Refused,
    /// The rules of the puzzle or the search panicked.
    Crashed,
}

/// A solution in the measures of its field: moves of FreeCell with and without automatic ones,
/// pushes and moves, quarter turns. `all` is empty for puzzles with one measure only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// Name of the measure that is the solution's value.
    pub of_value: Option<&'static str>,
    /// Names, without blanks and `=`, and numbers.
    pub all: Vec<(&'static str, u64)>,
}

/// The result of a solve before the checker has verified it.
#[derive(Clone, Debug)]
pub struct Report {
    /// Status of the solve.
    pub status: Status,
    /// The limit, if one was reached.
    pub stopped_by: Option<Limit>,
    /// Objective of the best solution.
    pub value: Option<i64>,
    /// Number of its actions.
    pub length: Option<usize>,
    /// The best solution in the puzzle's notation.
    pub solution: Option<String>,
    /// The best solution for people, with names instead of numbers; `None` where the notation is
    /// readable itself.
    pub named: Option<String>,
    /// Further solutions as good as the best in the puzzle's notation, if the solver was asked for
    /// several.
    pub others: Vec<String>,
    /// Unit of values and bounds, where it is a part of the puzzle's unit or another unit.
    pub unit: Option<Unit>,
    /// Best proved lower bound of an optimum that is a cost.
    pub bound: Option<i64>,
    /// Best proved upper bound of an optimum that is a score.
    pub upper_bound: Option<i64>,
    /// The heuristic's estimate of the initial state; `None` without a heuristic, for a proved dead
    /// end, and where no search began.
    pub initial_h: Option<f64>,
    /// The solution in all measures, where the puzzle has several.
    pub measures: Measures,
    /// The evaluated networks, each as its file and the hash of the bytes that were read, and their
    /// device, if it is not the CPU; `None` without any.
    pub networks: Option<String>,
    /// Reason for the status, where the status does not explain itself.
    pub reason: Option<String>,
    /// Counters; `None` where they would depend on the timing of threads.
    pub stats: Option<Stats>,
    /// Shape of the trees of a Monte-Carlo search.
    pub tree: Option<TreeShape>,
    /// Diversity of the population of an evolutionary search.
    pub diversity: Option<f64>,
    /// Accounted memory of the search at its peak, in bytes.
    pub peak_bytes: u64,
    /// CPU time of the search, all its threads.
    pub cpu: Duration,
    /// CPU time of loading or building tables and other preparations.
    pub setup_cpu: Duration,
    /// Wall time of the search.
    pub wall: Duration,
}

impl Report {
    /// Joins the report of a search with the report `before` of its preparation: efforts are added,
    /// and everything else is the later report's where it has a value.
    pub(crate) fn after(self, before: Self) -> Self {
        let stats = self.stats.zip(before.stats);
        let bound = self.bound.max(before.bound);
        // The bound of the preparation may prove that the later solution is optimal.
        let is_proved = self.value.is_some() && self.value == bound;
        Self {
            status: if is_proved { Status::Optimal } else { self.status },
            stopped_by: self.stopped_by.filter(|_| !is_proved),
            stats: stats.map(|(stats, before)| stats.after(before)),
            peak_bytes: self.peak_bytes.max(before.peak_bytes),
            cpu: self.cpu + before.cpu,
            setup_cpu: self.setup_cpu + before.setup_cpu,
            wall: self.wall + before.wall,
            bound,
            initial_h: self.initial_h.or(before.initial_h),
            networks: self.networks.or(before.networks),
            ..self
        }
    }

    /// The report of a search that was stopped before its tables were built.
    #[must_use]
    pub fn unprepared(limit: Limit) -> Self {
        Self {
            status: Status::Stopped,
            stopped_by: Some(limit),
            ..Self::unsolvable("the heuristic's tables were not finished")
        }
    }

    /// The report of an instance that the solver refused, or whose tables do not fit into memory.
    #[must_use]
    pub fn refused(error: &SolveError) -> Self {
        let (status, stopped_by) = match error {
            SolveError::Table(TableError::Memory(_) | TableError::OverLimit { .. }) => {
                (Status::Stopped, Some(Limit::Memory))
            }
            _ => (Status::Unsupported, None),
        };
        Self { status, stopped_by, ..Self::unsolvable(&error.to_string()) }
    }

    /// The report of an instance that was not searched, or whose search ended without a result.
    #[must_use]
    pub fn failed(status: Status, reason: &str) -> Self {
        Self { status, ..Self::unsolvable(reason) }
    }

    /// The report of an instance that is unsolvable without a search.
    #[must_use]
    pub fn unsolvable(reason: &str) -> Self {
        Self {
            status: Status::Unsolvable,
            stopped_by: None,
            value: None,
            length: None,
            solution: None,
            named: None,
            unit: None,
            bound: None,
            upper_bound: None,
            initial_h: None,
            measures: Measures::default(),
            others: Vec::new(),
            networks: None,
            reason: Some(reason.to_owned()),
            stats: Some(Stats::default()),
            tree: None,
            diversity: None,
            peak_bytes: 0,
            cpu: Duration::ZERO,
            setup_cpu: Duration::ZERO,
            wall: Duration::ZERO,
        }
    }
}

/// Error of a solve that did not run, or broke off.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The solver's spec is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The parts of the spec are right, but do not fit together.
    #[error("{0}")]
    Unsupported(String),
    /// A table is unavailable.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The search refused or failed.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// Kind of a puzzle's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aim {
    /// Costs: less is better.
    Cost,
    /// Scores: more is better.
    Score,
    /// Costs of assigning things to positions: less is better, and no path leads to a solution.
    /// Such a puzzle is solved by its own solvers and by the searches that it lists.
    Assignment,
}
