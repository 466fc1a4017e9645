//! Assignment puzzles: their own solvers and the searches that they list.

use super::searches::searches;
use crate::{
    bind::Bound,
    declare::{
        assignment::Assignment,
        listed::{Declared, DeclaredPuzzle, Placings, Preset, ReportedSolution},
        solver::{Runner, Solver, not_wired},
    },
    interface::{
        pending::PendingSolve,
        values::{Events, Request},
    },
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
pub(super) fn solve<'a, P: Assignment>(
    puzzle: &'a P,
    request: &'a Request<'a>,
    events: &'a mut dyn Events,
) -> PendingSolve<'a> {
    Box::pin(async move {
        let given = P::declared().bind(Role::Search, request.solver)?;
        let name = given.info().name;
        let run = Runner::new(puzzle, request, &given, events);
        let solver = Solver::all(P::SOLVERS).find(|solver| solver.info.name == name);
        let solver = solver.ok_or_else(|| not_wired("solver", name))?;
        let mut report = (solver.run)(puzzle, &given, run).await?;
        report.unit = puzzle.unit();
        Ok(report)
    })
}
