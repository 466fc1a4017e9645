//! Assignment puzzles: their own solvers and the searches that they list.

use super::searches::searches;
use crate::{
    bind::Bound,
    declare::{
        assignment::Assignment,
        listed::{Declared, DeclaredPuzzle, Placings, Preset, ReportedSolution},
        solver::{Runner, Solver, not_wired},
    },
    interface::values::{Events, Report, Request, SolveError},
};
use unriddle_core::{Info, Role, Solution};

impl<P: Assignment> DeclaredPuzzle<Placings> for P {
    type Action = <P as Assignment>::Action;

    fn declared() -> Declared {
        let solvers = Solver::all(P::SOLVERS).map(|solver| solver.info);
        let is_general = |info: &&'static Info| searches().any(|search| search.name == info.name);
        let (searches, solvers) = solvers.partition(is_general);
        Declared { searches, solvers, presets: Preset::infos(P::PRESETS), ..Declared::default() }
    }

    fn presets() -> &'static [Preset<Self>] {
        P::PRESETS
    }

    fn reported(
        &self,
        _: &Bound<'_>,
        best: &Solution<<P as Assignment>::Action>,
    ) -> ReportedSolution {
        ReportedSolution {
            solution: self.solution_text(&best.actions),
            named: self.named(&best.actions),
            length: best.actions.len(),
            value: None,
            measures: Default::default(),
        }
    }
}

/// Solves an instance of an assignment puzzle.
pub(super) fn solve<P: Assignment>(
    puzzle: &P,
    request: &Request<'_>,
    events: &mut dyn Events,
) -> Result<Report, SolveError> {
    let given = P::declared().bind(Role::Search, request.solver)?;
    let name = given.info().name;
    let run = Runner::new(puzzle, request, &given, events);
    let solver = Solver::all(P::SOLVERS).find(|solver| solver.info.name == name);
    let solver = solver.ok_or_else(|| not_wired("solver", name))?;
    let mut report = (solver.run)(puzzle, &given, run)?;
    report.unit = puzzle.unit();
    Ok(report)
}
