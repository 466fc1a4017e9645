//! Guards of proofs: errors about heuristics that do not keep their claims.

use crate::evaluate::Evaluator;
use std::collections::HashMap;
use unriddle_core::{
    BatchHeuristic, Cost, GoalPuzzle, Guarantee, InconsistentEdge, Puzzle, SearchError,
};

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

/// Estimates states one at a time; `None` is a proved dead end. The checks are compiled once for
/// all heuristics of a puzzle.
type Estimates<'a, P> =
    &'a mut dyn FnMut(&<P as Puzzle>::State) -> Result<Option<Cost>, SearchError>;

/// Compares the estimates along a solution with the `guarantee` that the heuristic claims.
/// `estimate` returns `None` for a proved dead end.
///
/// # Errors
/// [`SearchError::InconsistentEstimate`] for the first action from a state of the path that costs
/// less than the estimates fall, or [`SearchError::InadmissibleEstimate`] for the first state of
/// the path from which a known solution costs less than the estimate.
pub(crate) fn check_path<P: GoalPuzzle>(
    puzzle: &P,
    path: &[P::Action],
    guarantee: Guarantee,
    estimate: Estimates<'_, P>,
) -> Result<(), SearchError> {
    match guarantee {
        Guarantee::None => Ok(()),
        Guarantee::Admissible => check_along(puzzle, path, estimate),
        Guarantee::Consistent => check_around(puzzle, path, estimate),
    }
}

/// Compares the estimate of each state of a solution with the cost of the rest of the path, or of a
/// shorter way: an action that leads from the path to a later state of it, or to a goal.
fn check_along<P: GoalPuzzle>(
    puzzle: &P,
    path: &[P::Action],
    estimate: Estimates<'_, P>,
) -> Result<(), SearchError> {
    let mut state = puzzle.initial_state();
    let (mut states, mut costs) = (vec![state], vec![0]);
    for &action in path {
        costs.push(costs[states.len() - 1] + u64::from(puzzle.action_cost(&state, action)));
        state = puzzle.apply(&state, action);
        states.push(state);
    }
    // Where a path returns to a state, the rest of the path from the last visit is cheapest.
    let places: HashMap<_, _> = states.iter().enumerate().map(|(i, state)| (*state, i)).collect();
    let mut rest = vec![0; states.len()];
    for i in (0..path.len()).rev() {
        rest[i] = rest[i + 1] + costs[i + 1] - costs[i];
        for action in puzzle.actions(&states[i]) {
            let child = puzzle.apply(&states[i], action);
            let later = places.get(&child).filter(|&&later| later > i).map(|&later| rest[later]);
            if let Some(after) = later.or_else(|| puzzle.is_goal(&child).then_some(0)) {
                let cost = u64::from(puzzle.action_cost(&states[i], action));
                rest[i] = rest[i].min(cost + after);
            }
        }
    }
    for ((state, cost), rest) in states.iter().zip(costs).zip(rest) {
        // The estimate of a goal is 0, whatever the heuristic returns.
        if rest > 0
            && !puzzle.is_goal(state)
            && let Some(h) = estimate(state)?
            && u64::from(h) > rest
        {
            let (bound, value) = ((cost + u64::from(h)) as i64, (cost + rest) as i64);
            return Err(SearchError::InadmissibleEstimate { bound, value });
        }
    }
    Ok(())
}

/// Checks all actions in the states of a path, whether the path takes them or not: a search that
/// follows one path at a time may end before it tries the others.
fn check_around<P: GoalPuzzle>(
    puzzle: &P,
    path: &[P::Action],
    estimate: Estimates<'_, P>,
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

/// [`check_path`] for estimates of many states at a time.
///
/// # Errors
/// Errors of [`check_path`], and an estimate of NaN.
pub(crate) fn check_batch<P: GoalPuzzle>(
    puzzle: &P,
    path: &[P::Action],
    heuristic: &dyn BatchHeuristic<P>,
) -> Result<(), SearchError> {
    let mut evaluator = Evaluator::new();
    check_path(puzzle, path, heuristic.guarantee(), &mut |state| {
        let h = evaluator.evaluate(puzzle, heuristic, true, [state].into_iter())?[0];
        Ok((h < EXACT).then_some(h as Cost))
    })
}
