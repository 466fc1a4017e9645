//! Work that is cut into pieces.

use super::{Boxed, Events, Promises, most};
use crate::{Violation, subject::hold};
use std::fmt::Debug;
use unriddle_core::{Outcome, Progress, Quota, Search, Stats};

/// Quotas of generated states that are tried.
const QUOTAS: usize = 10;

/// Checks a search whose work is cut into single expansions. It expands the same states in the same
/// order, with the same outcome, events and counters as a single run. Every call stays within its
/// quota and uses it up. The best solution is available at every cut.
///
/// This asks nothing of the puzzle, and so fits searches of any aim.
///
/// ```
/// use unriddle_conformance::{Promises, cuts, graph::Graph};
/// use unriddle_search::bfs::{Bfs, BfsConfig};
///
/// let graph = Graph::new(vec![vec![(1, 4)], vec![(2, 3)], vec![]]);
/// cuts(Promises::default(), || Box::new(Bfs::new(&graph, BfsConfig::default()).unwrap()))?;
/// # Ok::<(), unriddle_conformance::Violation>(())
/// ```
///
/// # Errors
/// The first difference.
pub fn cuts<'s, A: Clone + Debug + PartialEq>(
    promises: Promises,
    make: impl Fn() -> Boxed<'s, A>,
) -> Result<(), Violation> {
    let mut whole = make();
    let mut events = Events::new();
    let outcome = advance(&mut *whole, &most(promises.expansions), &mut events)?;
    let (mut cut, mut told) = (make(), Events::new());
    let mut trace = vec![cut.stats()];
    let ended = loop {
        let before = trace[trace.len() - 1];
        let progress = advance(&mut *cut, &most(before.expanded + 1), &mut told)?;
        let stats = cut.stats();
        hold(cut.best() == told.improved.last().map(|(best, _)| best), || {
            let found = Violation::new("at a cut, `best` is not the last reported solution");
            found.with("expanded", stats.expanded)
        })?;
        trace.push(stats);
        if progress.is_some() || stats.expanded >= promises.expansions {
            break progress;
        }
        hold(stats.expanded == before.expanded + 1, || {
            let found = Violation::new("a step of one expansion makes more of them, or none");
            found.with("expanded before", before.expanded).with("after", stats.expanded)
        })?;
    };
    let differ = |what: &str, one: &dyn Debug, other: &dyn Debug| {
        let found = Violation::new(format!("cut into single expansions, {what}"));
        found.with_debug("in one run", one).with_debug("in pieces", other)
    };
    hold(outcome == ended, || differ("the search ends otherwise", &outcome, &ended))?;
    if outcome.is_some() {
        hold(whole.stats() == cut.stats(), || {
            differ("the counters are others", &whole.stats(), &cut.stats())
        })?;
        hold(events == told, || differ("the reported events differ", &events, &told))?;
        hold(whole.bound() == cut.bound(), || {
            differ("the bound is another", &whole.bound(), &cut.bound())
        })?;
    }
    quotas(&trace, &make)
}

/// A quota of generated states stops a search before the first expansion beyond it.
fn quotas<'s, A: Clone + Debug + PartialEq>(
    trace: &[Stats],
    make: &impl Fn() -> Boxed<'s, A>,
) -> Result<(), Violation> {
    let Some(last) = trace.last() else {
        return Ok(());
    };
    for part in 0..QUOTAS as u64 {
        let generated = last.generated * part / QUOTAS as u64;
        let mut search = make();
        let quota = Quota { generated, ..Quota::UNLIMITED };
        let ended = advance(&mut *search, &quota, &mut Events::new())?;
        let expected = trace.iter().find(|stats| stats.generated >= generated);
        let stats = search.stats();
        let expected = expected.unwrap_or(last);
        hold(
            match ended {
                Some(_) => stats.expanded <= expected.expanded,
                None => stats.expanded == expected.expanded,
            },
            || {
                let what =
                    "a quota of generated states does not stop the search where it is used up";
                Violation::new(what)
                    .with("quota", generated)
                    .with("expanded", stats.expanded)
                    .with("expanded in single expansions", expected.expanded)
            },
        )?;
    }
    Ok(())
}

/// The outcome, if the search has ended.
fn advance<A: Clone>(
    search: &mut (dyn Search<Action = A> + '_),
    quota: &Quota,
    events: &mut Events<A>,
) -> Result<Option<Outcome<A>>, Violation> {
    match search.advance(quota, events) {
        Progress::Finished(outcome) => Ok(Some(outcome)),
        Progress::Running => {
            let stats = search.stats();
            hold(quota.is_used_up(&stats), || {
                let found = Violation::new("the search stops before its quota is used up");
                found.with_debug("quota", quota).with_debug("counters", stats)
            })?;
            Ok(None)
        }
        Progress::OutOfMemory => {
            Err(Violation::new("the search lacks memory without a limit of it"))
        }
        Progress::Failed(error) => Err(Violation::new("the search fails").with("error", error)),
    }
}
