//! Guards of proofs: errors about heuristics that do not keep their claims.

use crate::evaluate::Evaluator;
use unriddle_core::{BatchHeuristic, Cost, GoalPuzzle, Guarantee, InconsistentEdge, SearchError};

/// Largest estimate that searches of many states represent exactly. Above it, rounding makes a
/// consistent estimate look inconsistent.
pub(crate) const EXACT: f32 = (1 << 24) as f32;

/// Error of the last action of a path from the start, along which the estimates fall from `before`
/// to `after`, by more than the cost.
#[cold]
pub(crate) fn inconsistent<P: GoalPuzzle>(
    puzzle: &P,
    path: &[P::Action],
    before: Cost,
    after: Cost,
) -> SearchError {
    let mut state = puzzle.initial_state();
    let (mut numbers, mut cost, mut edge) = (Vec::new(), 0, String::new());
    for (i, &action) in path.iter().enumerate() {
        let number = puzzle.actions(&state).position(|legal| legal == action);
        numbers.push(number.unwrap_or_default() as u32);
        let next = puzzle.apply(&state, action);
        if i + 1 == path.len() {
            cost = puzzle.action_cost(&state, action);
            edge = format!("action {action:?} from {state:?} to {next:?}");
        }
        state = next;
    }
    let edge = InconsistentEdge { before, cost, after, path: numbers, edge };
    SearchError::InconsistentEstimate(Box::new(edge))
}

/// Checks all actions in the states of a path, whether the path takes them or not: a search that
/// follows one path at a time may end before it tries the others. `estimate` returns `None` for a
/// proved dead end.
///
/// # Errors
/// [`SearchError::InconsistentEstimate`] for the first action that costs less than the estimates
/// fall.
pub(crate) fn check_around<P: GoalPuzzle>(
    puzzle: &P,
    path: &[P::Action],
    mut estimate: impl FnMut(&P::State) -> Result<Option<Cost>, SearchError>,
) -> Result<(), SearchError> {
    let mut state = puzzle.initial_state();
    for depth in 0..=path.len() {
        // The estimate of a goal is 0, whatever the heuristic returns.
        let before = if puzzle.is_goal(&state) { None } else { estimate(&state)? };
        if let Some(before) = before.filter(|&before| before > 0) {
            for action in puzzle.actions(&state) {
                let child = puzzle.apply(&state, action);
                let after = if puzzle.is_goal(&child) { Some(0) } else { estimate(&child)? };
                let cost = puzzle.action_cost(&state, action);
                if let Some(after) = after
                    && u64::from(before) > u64::from(cost) + u64::from(after)
                {
                    let edge = [&path[..depth], &[action]].concat();
                    return Err(inconsistent(puzzle, &edge, before, after));
                }
            }
        }
        if let Some(&action) = path.get(depth) {
            state = puzzle.apply(&state, action);
        }
    }
    Ok(())
}

/// [`check_around`] for estimates of many states at a time. A heuristic that does not claim to be
/// consistent is not asked.
///
/// # Errors
/// Errors of [`check_around`], and an estimate of NaN.
pub(crate) fn check_batch<P: GoalPuzzle>(
    puzzle: &P,
    path: &[P::Action],
    heuristic: &dyn BatchHeuristic<P>,
) -> Result<(), SearchError> {
    if heuristic.guarantee() < Guarantee::Consistent {
        return Ok(());
    }
    let mut evaluator = Evaluator::new();
    check_around(puzzle, path, |state| {
        let h = evaluator.evaluate(puzzle, heuristic, true, [state].into_iter())?[0];
        Ok((h < EXACT).then_some(h as Cost))
    })
}
