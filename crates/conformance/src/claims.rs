//! Claims of the heuristics and upper bounds that a puzzle of the catalogue declares.
//!
//! The states of an instance are behind numbers ([`Claims`]), so that the suites of heuristics and
//! bounds run on puzzles whose type is unknown here.

use crate::{
    Subject, Violation, heuristic::claims as claims_hold, playing::consistent_bound, subject::hold,
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};
use unriddle_catalog::{
    Aim,
    instance::{Claim, Claims},
};
use unriddle_core::{Cost, GoalPuzzle, Puzzle, Score, ScorePuzzle};

/// States near the start (or near the end of a solution) that are looked at.
const NEAR: usize = 300;
/// Steps of a random walk, and number of walks.
const WALK: (usize, u64) = (30, 2);
/// Actions before the end of a solution at which states near the goal begin.
const BEFORE_END: usize = 4;

/// Puzzle whose states are numbers.
struct Numbered {
    states: Arc<dyn Claims>,
    start: u32,
}

/// Cursor over the indices of actions.
#[derive(Clone, Copy)]
struct Indices(u16, u16);

impl Iterator for Indices {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
        let next = (self.0 < self.1).then_some(self.0)?;
        self.0 += 1;
        Some(next)
    }
}

impl Puzzle for Numbered {
    type State = u32;
    type Action = u16;
    type Actions = Indices;

    fn initial_state(&self) -> u32 {
        self.start
    }
    fn actions(&self, state: &u32) -> Indices {
        Indices(0, self.states.actions(*state))
    }
    fn apply(&self, state: &u32, action: u16) -> u32 {
        self.states.apply(*state, action)
    }
}

impl GoalPuzzle for Numbered {
    fn is_goal(&self, state: &u32) -> bool {
        self.states.is_end(*state)
    }
    fn action_cost(&self, state: &u32, action: u16) -> Cost {
        Cost::try_from(self.states.worth(*state, action)).unwrap_or(Cost::MAX)
    }
}

impl ScorePuzzle for Numbered {
    fn reward(&self, state: &u32, action: u16) -> Score {
        self.states.worth(*state, action)
    }
    fn terminal_bonus(&self, state: &u32) -> Score {
        self.states.bonus(*state)
    }
    fn is_terminal(&self, state: &u32) -> bool {
        self.states.is_end(*state)
    }
}

/// Checks the claim of one heuristic or upper bound on the states around the start, around the end
/// of a `solution` and along it.
///
/// # Errors
/// The first state or edge at which the claim does not hold.
pub(crate) fn claim_holds(
    aim: Aim,
    states: &Arc<dyn Claims>,
    claim: &dyn Claim,
    solution: Option<&str>,
) -> Result<(), Violation> {
    let along = solution.map_or_else(Vec::new, |solution| states.along(solution));
    let near_end = along.get(along.len().saturating_sub(BEFORE_END + 1)).copied();
    for start in [Some(0), near_end].into_iter().flatten() {
        let puzzle = Numbered { states: Arc::clone(states), start };
        let subject = Subject::new(&puzzle).texts(|puzzle, state| puzzle.states.text(*state));
        let subject = subject.near(NEAR).steps(WALK.0).walks(WALK.1);
        match aim {
            Aim::Score => {
                let bound = |state: &u32| {
                    let bound = estimate(&subject, claim, *state)?;
                    Ok(bound.unwrap_or(f64::INFINITY) as Score)
                };
                consistent_bound(&subject, bound)?;
            }
            _ => {
                let estimate = |state: &u32| {
                    let h = estimate(&subject, claim, *state)?;
                    hold(h >= Some(0.0) || h.is_none(), || {
                        subject.at("an estimate is negative", state)
                    })?;
                    Ok(h)
                };
                claims_hold(&subject, claim.guarantee(), false, estimate)?;
                if start == 0 {
                    admissible_along(&subject, claim, &along)?;
                }
            }
        }
    }
    Ok(())
}

/// The estimate of a state, `None` for a proved dead end.
fn estimate(
    subject: &Subject<'_, Numbered>,
    claim: &dyn Claim,
    state: u32,
) -> Result<Option<f64>, Violation> {
    let estimate = catch_unwind(AssertUnwindSafe(|| claim.estimate(state)));
    let estimate = estimate.map_err(|_| subject.at("an estimate panics", &state))?;
    hold(!estimate.is_nan(), || subject.at("an estimate is `NaN`", &state))?;
    Ok(estimate.is_finite().then_some(estimate))
}

/// An admissible estimate of a state on a solution is at most the cost of the rest.
fn admissible_along(
    subject: &Subject<'_, Numbered>,
    claim: &dyn Claim,
    along: &[u32],
) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    let mut rest = 0;
    for (at, &state) in along.iter().enumerate().rev() {
        if let Some(&next) = along.get(at + 1) {
            // The cheapest of the actions with this result.
            let leads =
                puzzle.actions(&state).filter(|&action| puzzle.apply(&state, action) == next);
            let cost = leads.map(|action| puzzle.action_cost(&state, action)).min();
            rest += u64::from(cost.unwrap_or(Cost::MAX));
        }
        let h = estimate(subject, claim, state)?;
        let found = |what| subject.at(what, &state).with("cost of a path to a goal", rest);
        hold(h.is_some(), || found("a goal can be reached from a dead end"))?;
        let fits = !claim.guarantee().is_admissible() || h.is_none_or(|h| h <= rest as f64);
        hold(fits, || {
            found("the estimate is not admissible").with("estimate", h.unwrap_or_default())
        })?;
    }
    Ok(())
}
