//! Object-safe traits of puzzles and instances: the view of the command line and the lab.

pub use super::claims::{Claim, Claims};
use super::{
    accuracy::{self, Accuracy, Comparison},
    board::{Cells, Sketch},
    findings::Findings,
    game::Game,
    pattern::Pattern,
    pending::{self, PendingSolve},
    section::Section,
    sheet::{Change, Misfit, Sheet},
    structure::{Inquiry, Structure},
    unit::Unit,
    values::{
        Events, Frame, Likeness, NoCertificate, Report, Request, Rng, SolveError, Style, Visit,
    },
};
use crate::{
    bind::Bound,
    spec::{Spec, SpecError},
};
use std::sync::Arc;
use unriddle_core::ParseError;
use unriddle_tables::cache::Build;

pub mod batch;
#[cfg(feature = "training-data")]
pub mod training_data;

use batch::{Batch, Piece};

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

    /// Unit of its values for people: a plural such as `moves`, `pushes` or `points`.
    fn unit(&self) -> &'static str {
        "moves"
    }

    /// Reads one instance. A well-formed instance that is proved unsolvable is read as well.
    ///
    /// # Errors
    /// The position at which the text is wrong and the expected text; lines and columns count from
    /// the text's start.
    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError>;

    /// Cuts a file into instances.
    fn split(&self, file: &str) -> Vec<Piece>;

    /// The instance of a number, for puzzles with numbered deals; otherwise `None`.
    ///
    /// # Errors
    /// Why there is no such deal.
    fn deal(&self, number: u64) -> Option<Result<Box<dyn Instance>, String>> {
        let _ = number;
        None
    }

    /// The content of the editor for an instance in standard form; without an instance, of an empty
    /// board. `None` if instances are edited as text.
    fn sketch(&self, instance: Option<&str>) -> Option<Sketch>;

    /// The text of an edited sketch, which [`load`](Self::load) may refuse.
    fn sketched(&self, cells: &Cells) -> String;

    /// The values of an instance in standard form as tables, for puzzles without a
    /// [sketch](Self::sketch). `None` if instances are edited as text.
    fn sheet(&self, instance: &str) -> Option<Sheet>;

    /// The text of an instance in standard form with changed cells of its sheet.
    ///
    /// # Errors
    /// The cell that is at fault, and why.
    fn rewritten(&self, instance: &str, changes: &[Change]) -> Result<String, Misfit>;

    /// Makes the text of a random instance by a generator of this puzzle.
    ///
    /// # Errors
    /// A parameter that does not fit.
    fn generate(&self, generator: &Bound<'_>, rng: &mut Rng) -> Result<String, SpecError>;

    /// The tables of a heuristic, for building in advance; empty for a heuristic without tables.
    ///
    /// # Errors
    /// The heuristic's parameters do not fit this puzzle.
    fn tables(&self, heuristic: &Spec) -> Result<Vec<Box<dyn Build>>, SolveError>;
}

/// An instance of a puzzle.
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

    /// Default name, such as the number of a deal.
    fn name(&self) -> Option<String>;

    /// Unit of its values, where it is not the puzzle's [unit](AnyPuzzle::unit): a part of it, or
    /// another unit.
    fn unit(&self) -> Option<Unit> {
        None
    }

    /// Why it is proved unsolvable, where that is known without a search.
    fn unsolvable(&self) -> Option<&str>;

    /// The solver spec of a preset for this instance; `None` for an unknown preset.
    fn preset(&self, name: &str) -> Option<Spec>;

    /// Solves it.
    ///
    /// # Errors
    /// A spec that does not fit, an unavailable table, a broken heuristic.
    fn solve(&self, request: &Request<'_>, events: &mut dyn Events) -> Result<Report, SolveError> {
        pending::finish(self.begin(request, events))
    }

    /// Begins a solve, which its caller advances by polling it. The first poll begins the work.
    fn begin<'a>(
        &'a self,
        request: &'a Request<'a>,
        events: &'a mut dyn Events,
    ) -> PendingSolve<'a>;

    /// Its optional abilities.
    fn extensions(&self) -> Extensions<'_>;

    /// Its states behind numbers, with the claims of its heuristics or upper bounds; `None` for a
    /// puzzle without paths.
    fn into_claims(self: Box<Self>) -> Option<Arc<dyn Claims>> {
        None
    }

    /// Replays a solution by the puzzle's own rules: its value and the number of its actions. This
    /// is the check for puzzles without rules in the independent checker.
    ///
    /// # Errors
    /// The first error of the solution.
    fn replay(&self, solution: &str) -> Result<(i64, u64), String>;

    /// A solution in the notation of records, read from any notation of solutions that the puzzle
    /// reads.
    ///
    /// # Errors
    /// The position at which the solution is unreadable or illegal, and why.
    fn standard_solution(&self, solution: &str) -> Result<String, ParseError>;

    /// Visits the states along a solution, starting with the initial one.
    ///
    /// # Errors
    /// The position at which the solution is unreadable or illegal, and why.
    fn along(&self, solution: &str, visit: Visit<'_>) -> Result<(), ParseError>;

    /// The drawings of all states along a solution, starting with the initial one.
    ///
    /// # Errors
    /// The position at which the solution is unreadable or illegal, and why.
    fn frames(&self, solution: &str, style: Style) -> Result<Vec<Frame>, ParseError> {
        let mut frames = Vec::new();
        self.along(solution, &mut |scene| frames.push(scene(style)))?;
        Ok(frames)
    }

    /// A game that begins at the initial state; `None` where no path leads to a solution.
    fn game(&self) -> Option<Box<dyn Game + '_>> {
        None
    }

    /// A text that is equal for two instances of a puzzle if they are symmetric to each other. By
    /// default it is [`text`](Self::text).
    fn canonical(&self) -> String {
        self.text()
    }

    /// Keys for near-duplicate detection; empty by default.
    fn likenesses(&self) -> Vec<Likeness> {
        Vec::new()
    }

    /// The instance in other notations that the puzzle reads, each with its name;
    /// [`text`](Self::text) is not among them.
    fn forms(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// A solution in the notations in which other programs keep solutions, each with its name.
    /// Some contain the instance as well.
    ///
    /// # Errors
    /// The solution is unreadable.
    fn solution_forms(&self, solution: &str) -> Result<Vec<(&'static str, String)>, ParseError> {
        let _ = solution;
        Ok(Vec::new())
    }

    /// Its mirror image; `None` if the puzzle's rules have no mirror symmetry.
    fn mirrored(&self) -> Option<Box<dyn Instance>> {
        None
    }

    /// The mirror image of a solution, which is a solution of the
    /// [mirror image](Self::mirrored).
    ///
    /// # Errors
    /// The solution is unreadable.
    fn mirrored_solution(&self, solution: &str) -> Result<Option<String>, ParseError> {
        let _ = solution;
        Ok(None)
    }

    /// The pattern of each three successive actions of a solution; empty for a puzzle without
    /// paths.
    ///
    /// # Errors
    /// The solution is unreadable.
    fn patterns(&self, solution: &str) -> Result<Vec<Pattern>, ParseError> {
        let _ = solution;
        Ok(Vec::new())
    }

    /// The instance as training data; `None` for a puzzle that declares no inputs of networks.
    #[cfg(feature = "training-data")]
    fn training_data(&self) -> Option<Box<dyn training_data::TrainingData>> {
        None
    }

    /// Its states as arrays of bytes; `None` for a puzzle that declares no rows.
    #[cfg(feature = "arrays")]
    fn arrays(&self) -> Option<Box<dyn super::arrays::Arrays>> {
        None
    }

    /// Figures of the states around it and a solution; `None` for a puzzle without states.
    fn structure(&self, inquiry: &Inquiry<'_>) -> Option<Structure> {
        let _ = inquiry;
        None
    }

    /// Estimates of heuristics beside the exact distances of all states that can be reached. The
    /// answer has fewer heuristics if the request is cancelled.
    ///
    /// # Errors
    /// A puzzle without costs to a goal, a wrong heuristic, a missing table or network, or an
    /// instance with more states than the limit.
    fn accuracy(&self, comparison: &Comparison<'_>) -> Result<Vec<Accuracy>, SolveError> {
        let _ = comparison;
        Err(accuracy::unsupported())
    }
}

/// Optional abilities of an instance; a field is `None` if the instance lacks the ability.
#[derive(Clone, Copy, Default)]
pub struct Extensions<'a> {
    /// Additions to the report for designers.
    pub validates: Option<&'a dyn Validates>,
    /// Proofs of bounds that the independent checker can verify.
    pub certifies: Option<&'a dyn Certifies>,
}

/// An instance that adds to the report for designers.
///
/// ```
/// use unriddle_catalog::{
///     Extensions, Request, SolveError,
///     instance::Validates,
///     validate::{Batch, Findings},
/// };
///
/// /// Adds no section.
/// struct Silent;
///
/// impl Validates for Silent {
///     fn findings(
///         &self,
///         _: &Batch<'_>,
///         id: &str,
///         _: &Request<'_>,
///         report: &mut dyn FnMut(&str),
///     ) -> Result<Findings, SolveError> {
///         report(&format!("looking at {id}"));
///         Ok(Findings::default())
///     }
/// }
///
/// let extensions = Extensions { validates: Some(&Silent), ..Extensions::default() };
/// assert!(extensions.validates.is_some() && extensions.certifies.is_none());
/// ```
pub trait Validates {
    /// Refuses keys that do not fit the instance; called before anything is searched.
    ///
    /// # Errors
    /// Why they do not fit.
    fn check(&self, batch: &Batch<'_>, request: &Request<'_>) -> Result<(), SolveError> {
        let _ = (batch, request);
        Ok(())
    }

    /// Analyses the instance, whose name is `id`. `report` is called with the name of each step.
    ///
    /// # Errors
    /// A broken search.
    fn findings(
        &self,
        batch: &Batch<'_>,
        id: &str,
        request: &Request<'_>,
        report: &mut dyn FnMut(&str),
    ) -> Result<Findings, SolveError>;

    /// Sections on a solution that the checker has accepted.
    fn solved(&self, solution: &str) -> Vec<Section> {
        let _ = solution;
        Vec::new()
    }
}

/// An instance whose bounds can be proved by certificates for the independent checker.
///
/// ```
/// use unriddle_catalog::instance::{Certifies, NoCertificate};
///
/// /// An instance with a known optimum.
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
    /// Proves that no solution has a value below `least`, or, if `least` is `None`, that there is
    /// no solution. `go_on` is called now and then with the number of steps so far; the proof is
    /// given up when it returns `false`.
    ///
    /// # Errors
    /// Why there is no certificate.
    fn certificate(
        &self,
        least: Option<i64>,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<String, NoCertificate>;
}
