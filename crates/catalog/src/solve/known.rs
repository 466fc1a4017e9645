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
    idastar::{self, parallel::ParallelIdaStar, tree::Tree},
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

    /// Runs iterative deepening on a tree that has tables of its own, `bytes` in total: on the
    /// threads or ranks of the request, with its known solution and its journal.
    ///
    /// # Errors
    /// The search refused or failed.
    pub async fn on_tree(
        mut self,
        tree: impl for<'t> Tree<'t, <P as Puzzle>::Action> + Sync + 'static,
        bytes: u64,
    ) -> Result<Report, SolveError> {
        let (request, known) = (self.request, self.known()?);
        let Request { threads, ranks, journal, .. } = *request;
        self.parallel = threads > 1 || ranks.is_some() || journal.is_some();
        let search = ParallelIdaStar::on_tree(Box::new(tree), threads);
        let search = search.knowing(known).on_ranks(ranks).with_journal(journal);
        self.with_tables(bytes, Ok(search)).await
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
    let solver = given.expr(parameter);
    let request = Request { solver, budget, journal: None, ..*run.request };
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
    let info = declared.bind(Role::Search, search)?.info();
    if run.request.journal.is_some() && !info.journal {
        return Err(SolveError::Unsupported(format!("{} keeps no journal", info.name)));
    }
    if !info.known {
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
