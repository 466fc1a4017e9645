//! Assignments: things are put in places, and no path leads there. Solvers made for the puzzle apply.

use crate::{
    bind::Bound,
    instance::{Events, Extensions, Report, Request, SolveError, Visit},
    listed::{Declared, DeclaredPuzzle, Placings, Preset, Solver, Written, infos, preset},
    record::Unit,
    searches::searches,
    solver::{Runner, not_wired},
    spec::Spec,
};
use unriddle_core::{Info, ParseError, Role, Solution};

/// An assignment of the catalogue: what is its own, which is nearly all.
///
/// ```
/// use unriddle_catalog::{Aim, Assignment, ParseError, Preset, Solver, Visit, listed::Placings};
///
/// /// As many strokes as a number says.
/// struct Strokes(usize);
///
/// impl Assignment for Strokes {
///     type Action = char;
///
///     const SOLVERS: &'static [Solver<Self, Placings>] = &[];
///     const PRESETS: &'static [Preset<Self>] = &[];
///
///     fn text(&self) -> String {
///         self.0.to_string()
///     }
///     fn solution_text(&self, strokes: &[char]) -> String {
///         strokes.iter().collect()
///     }
///     fn along(&self, _: &str, _: Visit<'_>) -> Result<(), ParseError> {
///         Ok(())
///     }
///     fn replay(&self, solution: &str) -> Result<(i64, u64), String> {
///         match solution == "|".repeat(self.0) {
///             true => Ok((self.0 as i64, self.0 as u64)),
///             false => Err(format!("expected {} strokes", self.0)),
///         }
///     }
/// }
///
/// assert_eq!(Strokes(3).replay("|||"), Ok((3, 3)));
/// ```
pub trait Assignment: Send + Sync + Sized + 'static {
    /// What is put into a place.
    type Action: Clone;

    /// Its solvers: those made for it alone, and searches of other aims that it can be solved by.
    const SOLVERS: &'static [Solver<Self, Placings>];

    /// Its presets; the first is the default.
    const PRESETS: &'static [Preset<Self>];

    /// Its text in the puzzle's standard form.
    fn text(&self) -> String;

    /// A solution in the puzzle's notation.
    fn solution_text(&self, actions: &[Self::Action]) -> String;

    /// A solution for people, with the names of what its numbers stand for; `None` where it needs none.
    fn named(&self, actions: &[Self::Action]) -> Option<String> {
        let _ = actions;
        None
    }

    /// What its values count, where that is a part of the puzzle's unit.
    fn unit(&self) -> Option<Unit> {
        None
    }

    /// Visits the drawings of a solution: at least of the empty places.
    ///
    /// # Errors
    /// The solution cannot be read: where, and why.
    fn along(&self, solution: &str, visit: Visit<'_>) -> Result<(), ParseError>;

    /// Replays a solution by the puzzle's own rules: its value and the number of its actions.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    fn replay(&self, solution: &str) -> Result<(i64, u64), String>;

    /// What else it offers.
    fn extensions(&self) -> Extensions<'_> {
        Extensions::default()
    }
}

impl<P: Assignment> DeclaredPuzzle<Placings> for P {
    type Action = <P as Assignment>::Action;

    fn declared() -> Declared {
        let solvers = P::SOLVERS.iter().map(|solver| solver.info);
        let is_general = |info: &&'static Info| searches().any(|search| search.name == info.name);
        let (searches, solvers) = solvers.partition(is_general);
        Declared { searches, solvers, presets: infos(P::PRESETS), ..Declared::default() }
    }

    fn text(&self) -> String {
        Assignment::text(self)
    }

    fn preset(&self, name: &str) -> Option<Spec> {
        preset(P::PRESETS, self, name)
    }

    fn solve(&self, request: &Request<'_>, events: &mut dyn Events) -> Result<Report, SolveError> {
        let given = Self::declared().bind(Role::Search, request.solver)?;
        let run = Runner::new(self, request, &given, events);
        let name = given.info().name;
        match P::SOLVERS.iter().find(|solver| solver.info.name == name) {
            Some(solver) => (solver.run)(self, &given, run),
            None => Err(not_wired("solver", name)),
        }
    }

    fn written(&self, _: &Bound<'_>, best: &Solution<<P as Assignment>::Action>) -> Written {
        Written {
            solution: self.solution_text(&best.actions),
            named: self.named(&best.actions),
            length: best.actions.len(),
            value: None,
            measures: Default::default(),
        }
    }

    fn unit(&self) -> Option<Unit> {
        Assignment::unit(self)
    }

    fn along(&self, solution: &str, visit: Visit<'_>) -> Result<(), ParseError> {
        Assignment::along(self, solution, visit)
    }

    fn replay(&self, solution: &str) -> Result<(i64, u64), String> {
        Assignment::replay(self, solution)
    }

    fn extensions(&self) -> Extensions<'_> {
        Assignment::extensions(self)
    }
}
