//! Puzzles and instances behind an object-safe face: what the command line, the lab and the page see.

use crate::{
    analysis::Pattern, bind::Bound, game::Game, record::Unit, spec::Spec, spec::SpecError, validate,
};
use std::time::Duration;
use thiserror::Error;
pub use unriddle_core::Rng;
use unriddle_core::{Budget, Limit, ParseError, SearchError, Stats};
pub use unriddle_neural::Device;
use unriddle_tables::{Cache, TableError, cache::Build};

/// A puzzle with its parameters, such as `tiles(goal=blank-first)`.
///
/// ```
/// use unriddle_catalog::{AnyPuzzle, Rng};
/// use unriddle_hanoi::FAMILY;
///
/// let puzzle: Box<dyn AnyPuzzle> = FAMILY.default_puzzle().expect("defaults for all parameters");
/// let generator = FAMILY.generator(Some("tower(3)"))?;
/// let text = puzzle.generate(&generator, &mut Rng::new(1))?;
/// assert_eq!(puzzle.load(&text)?.text(), "1 1 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait AnyPuzzle: Send + Sync {
    /// Its spec, without parameters that are at their defaults.
    fn spec(&self) -> String;

    /// What its values count, for people: a plural such as `moves`, `pushes` or `points`.
    fn unit(&self) -> &'static str {
        "moves"
    }

    /// Reads one instance. One that is well-formed but proved unsolvable is read, too.
    ///
    /// # Errors
    /// Says where the text is wrong and what was expected; lines and columns count from the text's start.
    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError>;

    /// The instance of a number, for puzzles with numbered deals; otherwise `None`.
    ///
    /// # Errors
    /// Why there is no such deal.
    fn deal(&self, number: u64) -> Option<Result<Box<dyn Instance>, String>> {
        let _ = number;
        None
    }

    /// Makes the text of a random instance by a generator of this puzzle.
    ///
    /// # Errors
    /// A parameter that does not fit.
    fn generate(&self, generator: &Bound<'_>, rng: &mut Rng) -> Result<String, SpecError>;

    /// The tables of a heuristic, for building ahead. A heuristic without tables has none.
    ///
    /// # Errors
    /// The heuristic's parameters do not fit this puzzle.
    fn tables(&self, heuristic: &Spec) -> Result<Vec<Box<dyn Build>>, SolveError>;
}

/// How a state is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// Text without colours.
    Plain,
    /// Text with terminal colours.
    Colour,
    /// Scalable vector graphics.
    Svg,
}

/// A state on the way of a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The drawing.
    pub drawing: String,
    /// The action that led here; `None` for the start.
    pub action: Option<String>,
}

/// What instances that are nearly the same have in common, if they have the same key of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Likeness {
    /// In what they differ, such as `one cell`.
    pub but: &'static str,
    /// The key: a hash of all else.
    pub key: u64,
}

impl Likeness {
    /// The hash of a part, of which keys may be sums.
    #[must_use]
    pub fn hash(part: &impl std::hash::Hash) -> u64 {
        unriddle_search::index::hash(part)
    }
}

/// Told of the states along a solution, the start included. A state is drawn only where its scene is called.
pub type Visit<'v> = &'v mut dyn FnMut(&dyn Fn(Style) -> Frame);

/// One instance.
///
/// ```
/// use unriddle_catalog::{Instance, Style};
///
/// let puzzle = unriddle_hanoi::FAMILY.default_puzzle().expect("defaults for all parameters");
/// let instance = puzzle.load("1 1")?;
/// assert_eq!(instance.replay("1-2 1-3 2-3"), Ok((3, 3)));
/// assert_eq!(instance.frames("1-2", Style::Plain)?.len(), 2);
/// # Ok::<(), unriddle_catalog::ParseError>(())
/// ```
pub trait Instance: Send + Sync {
    /// Its text in the puzzle's standard form.
    fn text(&self) -> String;

    /// What it is called wherever nobody gives it another name: the number of a deal.
    fn name(&self) -> Option<String> {
        None
    }

    /// What its values count, where that is a part of the puzzle's [unit](AnyPuzzle::unit).
    fn unit(&self) -> Option<Unit> {
        None
    }

    /// Why it is proved unsolvable, where that is known without a search.
    fn unsolvable(&self) -> Option<&str> {
        None
    }

    /// The spec that a preset stands for on this instance; `None` for an unknown preset.
    fn preset(&self, name: &str) -> Option<Spec>;

    /// Solves it.
    ///
    /// # Errors
    /// A spec that does not fit, a table that cannot be had, a broken heuristic.
    fn solve(&self, request: &Request<'_>, events: &mut dyn Events) -> Result<Report, SolveError>;

    /// What it offers beyond what every instance does.
    fn extensions(&self) -> Extensions<'_>;

    /// Replays a solution by the puzzle's own rules, for puzzles that the independent checker has
    /// no rules of: its value and the number of its actions.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    fn replay(&self, solution: &str) -> Result<(i64, u64), String>;

    /// Visits the states along a solution, the start included.
    ///
    /// # Errors
    /// The solution cannot be read or is illegal: where, and why.
    fn along(&self, solution: &str, visit: Visit<'_>) -> Result<(), ParseError>;

    /// The drawings of all states along a solution, the start included.
    ///
    /// # Errors
    /// The solution cannot be read or is illegal: where, and why.
    fn frames(&self, solution: &str, style: Style) -> Result<Vec<Frame>, ParseError> {
        let mut frames = Vec::new();
        self.along(solution, &mut |scene| frames.push(scene(style)))?;
        Ok(frames)
    }

    /// The instance, to be played from its start; `None` where no path leads to a solution.
    fn game(&self) -> Option<Box<dyn Game + '_>> {
        None
    }

    /// A text that is equal for two instances of a puzzle if they are symmetric to each other. Unless the puzzle says otherwise
    /// it is [`text`](Self::text).
    fn canonical(&self) -> String {
        self.text()
    }

    /// What it has in common with instances that are nearly the same; nothing unless the puzzle says otherwise.
    fn likenesses(&self) -> Vec<Likeness> {
        Vec::new()
    }

    /// The instance in other notations that the puzzle reads, each with its name; [`text`](Self::text) is not among them.
    fn forms(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Its mirror image; `None` of a puzzle whose rules know none.
    fn mirrored(&self) -> Option<Box<dyn Instance>> {
        None
    }

    /// The mirror image of a solution, which is a solution of the [mirror image](Self::mirrored).
    ///
    /// # Errors
    /// The solution cannot be read.
    fn mirrored_solution(&self, solution: &str) -> Result<Option<String>, ParseError> {
        let _ = solution;
        Ok(None)
    }

    /// What each three actions in a row of a solution are; nothing of a puzzle without a path.
    ///
    /// # Errors
    /// The solution cannot be read.
    fn patterns(&self, solution: &str) -> Result<Vec<Pattern>, ParseError> {
        let _ = solution;
        Ok(Vec::new())
    }

    /// The instance as something to train networks on; `None` of a puzzle that declares no inputs of networks.
    #[cfg(feature = "training-data")]
    fn training_data(&self) -> Option<Box<dyn crate::training_data::TrainingData>> {
        None
    }

    /// What the states around it and a solution are like; `None` of a puzzle without states.
    fn structure(&self, inquiry: &validate::Inquiry<'_>) -> Option<validate::Structure> {
        let _ = inquiry;
        None
    }
}

/// What an instance may offer beyond what every instance does. A field that is `None` is not offered.
#[derive(Clone, Copy, Default)]
pub struct Extensions<'a> {
    /// What it adds to the report for designers.
    pub validates: Option<&'a dyn Validates>,
    /// Proofs of bounds for the independent checker to follow.
    pub certifies: Option<&'a dyn Certifies>,
}

/// An instance that adds to the report that designers are told.
///
/// ```
/// use unriddle_catalog::{
///     Extensions, Request, SolveError,
///     instance::Validates,
///     validate::{Batch, Findings},
/// };
///
/// /// Has a section of its own to add some day.
/// struct Silent;
///
/// impl Validates for Silent {
///     fn findings(
///         &self,
///         _: &Batch<'_>,
///         id: &str,
///         _: &Request<'_>,
///         tell: &mut dyn FnMut(&str),
///     ) -> Result<Findings, SolveError> {
///         tell(&format!("looking at {id}"));
///         Ok(Findings::default())
///     }
/// }
///
/// // What an instance's `extensions` give.
/// let extensions = Extensions { validates: Some(&Silent), ..Extensions::default() };
/// assert!(extensions.validates.is_some() && extensions.certifies.is_none());
/// ```
pub trait Validates {
    /// Refuses keys that do not fit the instance; called before anything is searched.
    ///
    /// # Errors
    /// Why they do not fit.
    fn check(&self, batch: &validate::Batch<'_>, request: &Request<'_>) -> Result<(), SolveError> {
        let _ = (batch, request);
        Ok(())
    }

    /// Analyses it; `id` is its name. `tell` hears what is done next.
    ///
    /// # Errors
    /// A broken search.
    fn findings(
        &self,
        batch: &validate::Batch<'_>,
        id: &str,
        request: &Request<'_>,
        tell: &mut dyn FnMut(&str),
    ) -> Result<validate::Findings, SolveError>;

    /// What there is to say of a solution that the checker has accepted.
    fn solved(&self, solution: &str) -> Vec<validate::Section> {
        let _ = solution;
        Vec::new()
    }
}

/// An instance whose bounds can be proved for the independent checker to follow.
///
/// ```
/// use unriddle_catalog::instance::{Certifies, NoCertificate};
///
/// /// A value that is what it is.
/// struct Exactly(i64);
///
/// impl Certifies for Exactly {
///     fn certificate(
///         &self,
///         least: Option<i64>,
///         _: &mut dyn FnMut(u64) -> bool,
///     ) -> Result<String, NoCertificate> {
///         match least {
///             Some(least) if least <= self.0 => Ok(format!("{} is not below {least}", self.0)),
///             _ => Err(NoCertificate::False(self.0.to_string())),
///         }
///     }
/// }
///
/// let go_on = &mut |_| true;
/// assert_eq!(Exactly(7).certificate(Some(5), go_on).as_deref(), Ok("7 is not below 5"));
/// assert_eq!(Exactly(7).certificate(Some(8), go_on), Err(NoCertificate::False("7".to_owned())));
/// ```
pub trait Certifies {
    /// Proves that no solution has a value below `least`, or, without it, that there is no
    /// solution. `go_on` is asked now and then, with how many steps are done.
    ///
    /// # Errors
    /// Why there is no certificate.
    fn certificate(
        &self,
        least: Option<i64>,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<String, NoCertificate>;
}

/// Why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoCertificate {
    /// It was given up.
    Stopped,
    /// What was to be proved is false: this is a better solution.
    False(String),
}

/// What a solve is asked to do.
pub struct Request<'a> {
    /// The search expression.
    pub solver: &'a Spec,
    /// Limits. Memory covers the heuristic's tables and the search's own structures.
    pub budget: Budget,
    /// A solution that is known, in the puzzle's notation: what a solver that betters solutions begins with. Others do not look at it.
    pub known: Option<&'a str>,
    /// Seed of everything random.
    pub seed: u64,
    /// Threads inside the search.
    pub threads: usize,
    /// How networks are computed.
    pub networks: Networks,
    /// Where tables come from.
    pub cache: &'a Cache,
}

/// How networks are computed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Networks {
    /// What computes them.
    pub device: Device,
    /// Whether what other solves of this process at the same time estimate with the same network is
    /// estimated in one batch with what this one does. Solutions do not depend on it.
    pub lockstep: bool,
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

/// Told what happens during a solve.
///
/// ```
/// use unriddle_catalog::{
///     Budget, Events, Incumbent, Networks, Request, Spec, Stats,
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
/// let request = Request {
///     solver: &Spec::parse("astar(misplaced)")?,
///     budget: Budget::default(),
///     known: None,
///     seed: 1,
///     threads: 1,
///     networks: Networks::default(),
///     cache: &Cache::new(None, 1, Policy::default()),
/// };
/// let mut values = Values(Vec::new());
/// instance.solve(&request, &mut values)?;
/// assert_eq!(values.0.last(), Some(&3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Events {
    /// The search goes on; called every few milliseconds. It waits until this returns, and that time does not count.
    fn progress(&mut self, stats: &Stats) {
        let _ = stats;
    }
    /// How many states may be expanded before [`progress`](Self::progress) is called again.
    fn room(&self) -> u64 {
        u64::MAX
    }
    /// A better solution was found.
    fn improved(&mut self, best: &Incumbent<'_>, stats: &Stats) {
        let _ = (best, stats);
    }
    /// A better bound was proved: the optimum of a cost is not below it.
    fn bound(&mut self, bound: i64, stats: &Stats) {
        let _ = (bound, stats);
    }
    /// A better bound was proved: the optimum of a score is not above it.
    fn upper_bound(&mut self, bound: i64, stats: &Stats) {
        let _ = (bound, stats);
    }
}

impl Events for () {}

/// How a solve ended.
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
    /// The solver does not fit the instance, or cannot be had for it: nothing was searched.
    Unsupported,
}

/// A solution in the measures of its field (GPU games: M0 every move, M1 single GPUs; pushes and
/// moves; quarter turns), and which of them the value is. All is empty for puzzles with one measure
/// only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// The name of the one that the value is.
    pub of_value: Option<&'static str>,
    /// Names, without blanks and `=`, and numbers.
    pub all: Vec<(&'static str, u64)>,
}

/// The result of a solve, before the checker has seen it.
#[derive(Clone, Debug)]
pub struct Report {
    /// How it ended.
    pub status: Status,
    /// The limit, if one was reached.
    pub stopped_by: Option<Limit>,
    /// Objective of the best solution.
    pub value: Option<i64>,
    /// Number of its actions.
    pub length: Option<usize>,
    /// The best solution in the puzzle's notation.
    pub solution: Option<String>,
    /// The best solution for people, with the names of what its numbers stand for; `None` where it needs none.
    pub named: Option<String>,
    /// Further solutions as good as the best in the puzzle's notation, of a solver that was asked for several.
    pub others: Vec<String>,
    /// What values and bounds count, where that is a part of the puzzle's unit.
    pub unit: Option<Unit>,
    /// Best proved bound of an optimum that is a cost: it is not below.
    pub bound: Option<i64>,
    /// Best proved bound of an optimum that is a score: it is not above.
    pub upper_bound: Option<i64>,
    /// The heuristic's estimate of the start; `None` without a heuristic, of a proved dead end, and where
    /// no search began.
    pub initial_h: Option<f64>,
    /// The solution in all measures, where the puzzle has several.
    pub measures: Measures,
    /// The networks that were asked, each as its file and the hash of the bytes that played, and
    /// where they were computed, if not on the CPU; `None` without any.
    pub networks: Option<String>,
    /// Why it is unsolvable or was stopped, where there is more to say.
    pub reason: Option<String>,
    /// Counters; `None` where they would depend on the timing of threads.
    pub stats: Option<Stats>,
    /// Accounted memory of the search, at its peak, in bytes.
    pub peak_bytes: u64,
    /// CPU time of the search, all its threads.
    pub cpu: Duration,
    /// CPU time of loading or building tables and other preparations.
    pub setup_cpu: Duration,
    /// Wall time of the search.
    pub wall: Duration,
}

impl Report {
    /// The report of a search and of what was done for it before: efforts are sums, and the rest is the later one's where it says
    /// anything.
    pub(crate) fn after(self, before: Self) -> Self {
        let stats = self.stats.zip(before.stats);
        let bound = self.bound.max(before.bound);
        // What was proved before may be proved of a better solution.
        let is_proved = self.value.is_some() && self.value == bound;
        Self {
            status: match is_proved {
                true => Status::Optimal,
                false => self.status,
            },
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
            SolveError::Table(TableError::Memory(_)) => (Status::Stopped, Some(Limit::Memory)),
            _ => (Status::Unsupported, None),
        };
        Self { status, stopped_by, ..Self::unsolvable(&error.to_string()) }
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
            peak_bytes: 0,
            cpu: Duration::ZERO,
            setup_cpu: Duration::ZERO,
            wall: Duration::ZERO,
        }
    }
}

/// Why a solve did not run, or broke off.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The solver's spec is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The parts are right, but do not go together.
    #[error("{0}")]
    Unsupported(String),
    /// A table cannot be had.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The search refused or failed.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// What a puzzle's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aim {
    /// Costs: less is better.
    Cost,
    /// Scores: more is better.
    Score,
    /// Costs of putting things in places: less is better, and no path leads there. Solvers made for the puzzle
    /// apply, and searches that the puzzle lists.
    Assignment,
}
