//! Searches that begin with a solution, which is known or which another solver finds.

use super::{erased::PathAim, path::replayed};
use crate::{
    bind::Bound,
    declare::{
        goal::Goal,
        listed::{Costs, DeclaredPuzzle},
        solver::{Runner, not_wired},
    },
    interface::values::{Report, Request, SolveError, Status},
};
use unriddle_core::{Options, Puzzle, Role, Solution};
use unriddle_search::{
    idastar,
    windows::{Windows, WindowsConfig},
};

/// Name of the request's solution in messages.
pub(super) const KNOWN: &str = "the known solution";

impl<P: Goal> Runner<'_, P, Costs> {
    /// The known solution of the request, replayed.
    ///
    /// # Errors
    /// An action that is illegal, or a path that does not reach the goal.
    pub fn known(&self) -> Result<Option<Solution<<P as Puzzle>::Action>>, SolveError> {
        let read = |text| actions(self.puzzle, text, KNOWN);
        let known = self.request.known.map(read).transpose()?;
        Ok(known.map(|actions| Solution::played(self.puzzle, actions)))
    }
}

/// The actions of a solution that `name` describes.
///
/// # Errors
/// The first action that is illegal, or a path that does not reach the goal.
pub(super) fn actions<P: Goal>(
    puzzle: &P,
    text: &str,
    name: &str,
) -> Result<Vec<<P as Puzzle>::Action>, SolveError> {
    let missing = <Costs as PathAim<P>>::rules().missing;
    replayed(puzzle, text, &|end| puzzle.is_goal(end), missing)
        .map_err(|why| SolveError::Unsupported(format!("{name}: {why}")))
}

/// The solution of the solver in a parameter, unless a solution is known.
pub(super) async fn first<P: Goal>(
    puzzle: &P,
    given: &Bound<'_>,
    parameter: &str,
    run: &mut Runner<'_, P, Costs>,
) -> Result<Option<Report>, SolveError> {
    if run.request.known.is_some() {
        return Ok(None);
    }
    let budget = run.request.budget.clone();
    let request = Request { solver: given.expr(parameter), budget, ..*run.request };
    let report = <Costs as PathAim<P>>::solve(puzzle, &request, run.events).await?;
    run.spend(&report);
    Ok(Some(report))
}

/// Proves the known solution, or the first solver's.
pub(super) async fn prove<P: Goal>(
    puzzle: &P,
    given: &Bound<'_>,
    mut run: Runner<'_, P, Costs>,
) -> Result<Report, SolveError> {
    let search = given.expr("search");
    let declared = <P as DeclaredPuzzle<Costs>>::declared();
    let is_known = declared.bind(Role::Search, search)?.info().known;
    if !is_known {
        let message = format!(
            "prove: `{}` does not begin with a known solution; `{}` does",
            search.name(),
            idastar::INFO.name
        );
        return Err(SolveError::Unsupported(message));
    }
    let first = first(puzzle, given, "first", &mut run).await?;
    let known = match &first {
        None => run.request.known,
        Some(report) => report.solution.as_deref(),
    };
    match first {
        Some(first) if first.status == Status::Optimal => Ok(first),
        _ => {
            let budget = run.budget().clone();
            let request = Request { solver: search, budget, known, ..*run.request };
            let report = <Costs as PathAim<P>>::solve(puzzle, &request, run.events).await?;
            Ok(after(report, first))
        }
    }
}

/// Shortens the known solution, or the inner solver's.
pub(super) async fn shorten<P: Goal>(
    puzzle: &P,
    given: &Bound<'_>,
    mut run: Runner<'_, P, Costs>,
) -> Result<Report, SolveError> {
    let first = first(puzzle, given, "search", &mut run).await?;
    let (known, name) = match &first {
        Some(report) => (report.solution.as_deref(), "the inner solver's solution"),
        None => (run.request.known, KNOWN),
    };
    let is_solved = |report: &Report| report.status == Status::Solved;
    let Some(known) = known.filter(|_| first.as_ref().is_none_or(is_solved)) else {
        // Nothing to shorten, nothing shorter, or no time left.
        return first.ok_or_else(|| not_wired("search", given.info().name));
    };
    let actions = actions(puzzle, known, name)?;
    let config = WindowsConfig::read(given);
    let report = run.plain(Windows::new(puzzle, puzzle.vicinity(), actions, config)).await?;
    Ok(after(report, first))
}

/// The report of a search and of its preparation.
fn after(report: Report, first: Option<Report>) -> Report {
    match first {
        Some(first) => report.after(first),
        None => report,
    }
}
