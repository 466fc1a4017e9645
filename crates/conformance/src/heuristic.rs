//! Checks of the claims of heuristics.

use crate::{
    Subject, Violation,
    near::{Near, near},
    rules::cost_of,
    subject::{any_action, hold},
};
use unriddle_core::{BatchHeuristic, GoalPuzzle, Guarantee, Heuristic, Row};

/// Numbers of comparisons. A suite without comparisons has proved nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tested {
    /// Edges along which the estimate was looked at.
    pub edges: u64,
    /// States whose estimate was compared with the cost of a path to a goal.
    pub distances: u64,
    /// States with an estimate above 0.
    pub informed: u64,
    /// States that the estimate classifies as dead ends.
    pub dead_ends: u64,
}

/// Checks that an estimate keeps the claim of its [`Guarantee`].
///
/// - It is deterministic. The estimate from the parent's memo equals the estimate from scratch, for
///   all states of random walks and their successors.
/// - *Admissible*: it is never above the cost of a path to a goal, and 0 at goals. The compared
///   states are [near](Subject::near) a goal, or reachable from the start: see
///   [`Subject::backward`].
/// - *Consistent*: along every edge of these states and of the walks, it falls by at most the cost.
/// - No goal can be reached from a dead end, whatever the claim.
///
/// # Errors
/// The first state or edge that violates a claim, with the estimates. Also an admissible estimate
/// without a goal within reach, which cannot be tested. (Then the instance is too large, or
/// `backward` is missing.)
pub fn heuristic<P: GoalPuzzle, H: Heuristic<P>>(
    subject: &Subject<'_, P>,
    heuristic: &H,
) -> Result<Tested, Violation> {
    incremental_is_full(subject, heuristic)?;
    let estimate =
        |state: &P::State| Ok(heuristic.root(subject.puzzle, state).map(|(h, _)| f64::from(h)));
    claims(subject, heuristic.guarantee(), true, estimate)
}

/// Checks an estimate of batches of states like [`heuristic`]. In addition, an estimate must not
/// depend on the other states of the batch, and must be neither negative nor `NaN`.
///
/// # Errors
/// The first state or edge that violates a claim.
pub fn batch_heuristic<P: GoalPuzzle>(
    subject: &Subject<'_, P>,
    heuristic: &dyn BatchHeuristic<P>,
) -> Result<Tested, Violation> {
    let puzzle = subject.puzzle;
    let states: Vec<_> = subject.states().collect();
    let rows: Vec<_> = states.iter().map(|state| Row { puzzle, state }).collect();
    let mut together = vec![f32::NAN; rows.len()];
    heuristic.evaluate(&rows, &mut together);
    let estimate = |state: &P::State| {
        let mut alone = [f32::NAN];
        heuristic.evaluate(&[Row { puzzle, state }], &mut alone);
        let [h] = alone;
        hold(h >= 0.0, || {
            subject.at("an estimate is negative or `NaN`", state).with("estimate", h)
        })?;
        Ok(h.is_finite().then_some(f64::from(h)))
    };
    for (state, together) in states.iter().zip(together) {
        let alone = estimate(state)?.unwrap_or(f64::INFINITY);
        hold(alone == f64::from(together), || {
            let found = subject.at("an estimate depends on other states of the batch", state);
            found.with("alone", alone).with("in a batch", together)
        })?;
    }
    claims(subject, heuristic.guarantee(), true, estimate)
}

/// Checks that the estimate from the parent's memo equals the estimate from scratch.
fn incremental_is_full<P: GoalPuzzle, H: Heuristic<P>>(
    subject: &Subject<'_, P>,
    heuristic: &H,
) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    let mut rng = subject.rng();
    let mut state = puzzle.initial_state();
    let Some((_, mut memo)) = heuristic.root(puzzle, &state) else {
        return Ok(());
    };
    for _ in 0..300 {
        for action in puzzle.actions(&state) {
            // A hint may never change anything.
            heuristic.prefetch(puzzle, &state, &memo, action);
            let child = puzzle.apply(&state, action);
            let found = heuristic.child(puzzle, &state, &memo, action, &child).map(|(h, _)| h);
            let full = heuristic.root(puzzle, &child).map(|(h, _)| h);
            hold(found == full, || {
                let what =
                    "the estimate from the parent's memo differs from the estimate from scratch";
                let violation = subject.edge(what, &state, action);
                violation
                    .with("from the memo", shown(found.map(f64::from)))
                    .with("from scratch", shown(full.map(f64::from)))
            })?;
        }
        let Some(action) = any_action(puzzle, &state, &mut rng) else {
            break;
        };
        let child = puzzle.apply(&state, action);
        let Some((_, next)) = heuristic.child(puzzle, &state, &memo, action, &child) else {
            break;
        };
        (state, memo) = (child, next);
    }
    Ok(())
}

/// An estimate as text.
fn shown(estimate: Option<f64>) -> String {
    estimate.map_or("dead end".to_owned(), |h| h.to_string())
}

/// Checks a claim of estimates. With `needs_goal` a goal must be within reach, if the claim is
/// about distances to it.
pub(crate) fn claims<P: GoalPuzzle>(
    subject: &Subject<'_, P>,
    guarantee: Guarantee,
    needs_goal: bool,
    estimate: impl Fn(&P::State) -> Result<Option<f64>, Violation>,
) -> Result<Tested, Violation> {
    let puzzle = subject.puzzle;
    let mut tested = Tested::default();
    let Near { costs, seen, is_all } = near(subject);
    hold(!needs_goal || !guarantee.is_admissible() || !costs.is_empty() || is_all, || {
        let what = "no goal is within reach: whether the estimate is admissible cannot be \
                        tested (take a smaller instance, or walk back with `backward`)";
        subject.broken(what).with("states seen", seen.len())
    })?;
    for state in seen.iter().copied().chain(subject.states()) {
        let here = estimate(&state)?;
        let again = estimate(&state)?;
        hold(here == again, || {
            let found = subject.at("the estimate is another one when it is asked again", &state);
            found.with("estimates", format!("{} and {}", shown(here), shown(again)))
        })?;
        tested.informed += u64::from(here > Some(0.0));
        tested.dead_ends += u64::from(here.is_none());
        if let Some(&cost) = costs.get(&state) {
            tested.distances += 1;
            let found = |what| {
                let found = subject.at(what, &state);
                found.with("estimate", shown(here)).with("cost of a path to a goal", cost)
            };
            hold(here.is_some(), || found("a goal can be reached from a dead end"))?;
            let fits = here.is_none_or(|h| h <= cost as f64);
            hold(!guarantee.is_admissible() || fits, || found("the estimate is not admissible"))?;
        }
        if guarantee < Guarantee::Consistent && here.is_some() {
            continue;
        }
        for action in puzzle.actions(&state) {
            tested.edges += 1;
            let Some(after) = estimate(&puzzle.apply(&state, action))? else {
                continue;
            };
            let cost = cost_of(puzzle, &state, action);
            let falls = here.is_none_or(|before| before <= cost as f64 + after);
            let consistent = guarantee == Guarantee::Consistent;
            // Only a consistent estimate also classifies all successors of a dead end as dead ends.
            hold(!consistent || (here.is_some() && falls), || {
                let found =
                    subject.edge("the estimate is not consistent on an edge", &state, action);
                found
                    .with("estimate before", shown(here))
                    .with("cost", cost)
                    .with("estimate after", after)
            })?;
        }
    }
    Ok(tested)
}
