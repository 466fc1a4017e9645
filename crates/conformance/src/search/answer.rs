//! Checks of the answers of a search.

use super::{Boxed, Events, Promises, most};
use crate::{Subject, Violation, subject::hold};
use unriddle_core::{GoalPuzzle, Guarantee, Outcome, Progress, Quota, Solution, Stats};

/// Checks the answer of a search on an instance with a known optimum (`None` = no solution) and
/// estimates of the given guarantee. Returns the counters of the search.
///
/// - The answer is a legal path to a goal, has the reported value, and is no better than the
///   optimum. Proofs are true, and promises are kept.
/// - Bounds only rise, at most to the optimum. Solutions get better, and the last reported solution
///   is the answer.
/// - After the end, every further call returns the same answer.
///
/// If the instance has no solution, a search without [`Promises::proves_unsolvable`] is skipped,
/// since it may run forever.
///
/// ```
/// use unriddle_conformance::{Promises, Subject, answers, graph::Graph};
/// use unriddle_core::Guarantee;
/// use unriddle_search::bfs::{Bfs, BfsConfig};
///
/// let graph = Graph::new(vec![vec![(1, 4), (2, 9)], vec![(2, 3)], vec![]]);
/// let (promises, claim) = (Promises::default(), Guarantee::Consistent);
/// let stats = answers(&Subject::new(&graph), promises, claim, Some(7), || {
///     Box::new(Bfs::new(&graph, BfsConfig::default()).unwrap())
/// })?;
/// assert_eq!(stats.expanded, 2);
/// # Ok::<(), unriddle_conformance::Violation>(())
/// ```
///
/// # Errors
/// The first broken promise.
pub fn answers<'s, P: GoalPuzzle>(
    subject: &Subject<'_, P>,
    promises: Promises,
    guarantee: Guarantee,
    optimum: Option<i64>,
    make: impl Fn() -> Boxed<'s, P::Action>,
) -> Result<Stats, Violation> {
    if optimum.is_none() && !promises.proves_unsolvable {
        return Ok(Stats::default());
    }
    let broken = |what: &str| {
        let found = subject.broken(what);
        match optimum {
            Some(optimum) => found.with("optimum", optimum),
            None => found.with("optimum", "no solution"),
        }
    };
    let mut search = make();
    let mut events = Events::new();
    let outcome = match search.advance(&most(promises.expansions), &mut events) {
        Progress::Finished(outcome) => outcome,
        Progress::Running => {
            hold(!promises.complete || optimum.is_none(), || {
                let what = "a solution is promised, and the search does not come to an end";
                broken(what).with("expanded", search.stats().expanded)
            })?;
            return Ok(search.stats());
        }
        Progress::OutOfMemory => {
            return Err(broken("the search lacks memory without a limit of it"));
        }
        Progress::Failed(error) => return Err(broken("the search fails").with("error", error)),
    };
    let ended = || format!("{outcome:?}");
    check_events(&events, optimum)
        .map_err(|found| broken(found.what()).with_debug("events", &events))?;
    hold(search.best() == outcome.best(), || {
        broken("`best` is not the solution of the outcome").with("outcome", ended())
    })?;
    let last = events.improved.last().map(|(best, _)| best);
    hold(last == outcome.best(), || {
        let found = broken("the last reported solution is not the solution of the outcome");
        found.with("outcome", ended())
    })?;
    match (&outcome, optimum) {
        (Outcome::Stopped { .. }, _) => {
            Err(broken("the search itself ends with `Stopped`, which is for limits"))
        }
        (Outcome::Unsolvable, None) => Ok(()),
        (Outcome::Unsolvable, Some(_)) => Err(broken("no solution is claimed to exist")),
        (Outcome::Exhausted { .. }, optimum) => {
            let promised = match optimum {
                Some(_) => promises.complete,
                None => promises.proves_unsolvable,
            };
            hold(!promised, || broken("the search gives up"))
        }
        (Outcome::Solved { best, proof, bound }, optimum) => {
            let cost = replayed(subject, best)?;
            let optimum = optimum.unwrap_or(cost);
            hold(cost >= optimum, || {
                broken("the solution is better than the optimum that the test was given")
            })?;
            hold(!proof || (cost == optimum && *bound == Some(cost)), || {
                let found = broken("a proof is claimed, and the optimum or the bound is another");
                found.with("outcome", ended())
            })?;
            hold(bound.is_none_or(|bound| bound <= optimum), || {
                broken("the bound is above the optimum").with("outcome", ended())
            })?;
            let promised = promises.optimal && guarantee.is_admissible();
            hold(*proof || !(promised || promises.proves_alone), || {
                let found = broken("a proved optimum is promised, and there is no proof");
                found.with("outcome", ended())
            })
        }
    }?;
    let again = search.advance(&Quota::UNLIMITED, &mut ());
    hold(again == Progress::Finished(outcome.clone()), || {
        let found = broken("a further call after the end returns something else");
        found.with("outcome", ended()).with_debug("again", &again)
    })?;
    Ok(search.stats())
}

/// Checks that reported bounds and solutions are plausible.
fn check_events<A>(events: &Events<A>, optimum: Option<i64>) -> Result<(), Violation> {
    let bounds: Vec<i64> = events.bounds.iter().map(|(bound, _)| *bound).collect();
    hold(bounds.is_sorted_by(|a, b| a < b), || {
        Violation::new("a reported bound is no better than the one before")
    })?;
    let fits = |&bound: &i64| optimum.is_none_or(|optimum| bound <= optimum);
    hold(bounds.iter().all(fits), || Violation::new("a reported bound is above the optimum"))?;
    let values: Vec<i64> = events.improved.iter().map(|(best, _)| best.value).collect();
    hold(values.is_sorted_by(|a, b| a > b), || {
        Violation::new("a reported solution is no better than the one before")
    })
}

/// The cost of a solution that is played action by action.
fn replayed<P: GoalPuzzle>(
    subject: &Subject<'_, P>,
    best: &Solution<P::Action>,
) -> Result<i64, Violation> {
    let puzzle = subject.puzzle;
    let (mut state, mut cost) = (puzzle.initial_state(), 0);
    for &action in &best.actions {
        hold(puzzle.actions(&state).any(|legal| legal == action), || {
            subject.at("a solution plays an illegal action", &state).with_debug("action", action)
        })?;
        cost += i64::from(puzzle.action_cost(&state, action));
        state = puzzle.apply(&state, action);
    }
    hold(puzzle.is_goal(&state), || subject.at("a solution does not end at a goal", &state))?;
    hold(cost == best.value, || {
        let found = subject.broken("the cost of a solution differs from the reported one");
        found.with("reported", best.value).with("cost", cost)
    })?;
    Ok(cost)
}
