//! Checks of upper bounds, play-outs and filters, which searches of score puzzles use.

use crate::{
    Subject, Violation,
    subject::{both, hold},
};
use unriddle_core::{Playout, Rng, Score, ScorePuzzle, Selective, UpperBound};

/// Checks that an upper bound is consistent: along every edge it falls by at least the reward. In a
/// state without actions, the terminal bonus replaces the bound.
///
/// # Errors
/// The first edge where that is not so.
pub fn upper_bound<P: ScorePuzzle>(
    subject: &Subject<'_, P>,
    bound: &dyn UpperBound<P>,
) -> Result<(), Violation> {
    consistent_bound(subject, |state| Ok(bound.upper(subject.puzzle, state)))
}

/// [`upper_bound`] for a bound that is a function.
pub(crate) fn consistent_bound<P: ScorePuzzle>(
    subject: &Subject<'_, P>,
    upper: impl Fn(&P::State) -> Result<Score, Violation>,
) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    let value = |state: &P::State| {
        if puzzle.is_terminal(state) { Ok(puzzle.terminal_bonus(state)) } else { upper(state) }
    };
    for state in subject.states() {
        let before = value(&state)?;
        for action in puzzle.actions(&state) {
            let reward = puzzle.reward(&state, action);
            let after = value(&puzzle.apply(&state, action))?;
            hold(before >= reward.saturating_add(after), || {
                let found = subject.edge("the upper bound is not consistent", &state, action);
                found.with("bound before", before).with("reward", reward).with("bound after", after)
            })?;
        }
    }
    Ok(())
}

/// Memory of a play-out in bytes at which it counts as endless.
const LONGEST: u64 = 16 << 20;

/// Checks that a play-out plays legal actions to the end, returns their reward, does not change
/// earlier actions, and is the same with the same random numbers.
///
/// # Errors
/// The first state that violates a rule.
pub fn playout<P: ScorePuzzle>(
    subject: &Subject<'_, P>,
    playout: &dyn Playout<P>,
) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    for (walk, index) in subject.walked().zip(0..) {
        for (depth, state) in walk.states.iter().enumerate() {
            let play = || {
                let mut actions = walk.actions[..depth].to_vec();
                let mut rng = Rng::stream(index, depth as u64);
                let mut continues = |bytes: u64| bytes < LONGEST;
                let play =
                    playout.play_while(puzzle, state, &mut rng, &mut actions, &mut continues);
                (play, actions)
            };
            let (score, actions) = play();
            let Some(score) = score else {
                let found = subject.at("a play-out does not come to an end", state);
                return Err(found.with("actions", actions.len()));
            };
            hold(play() == (Some(score), actions.clone()), || {
                subject.at("a play-out differs with the same random numbers", state)
            })?;
            hold(actions.starts_with(&walk.actions[..depth]), || {
                subject.at("a play-out changes earlier actions", state)
            })?;
            let (mut now, mut earned): (_, Score) = (*state, 0);
            for &action in &actions[depth..] {
                hold(puzzle.actions(&now).any(|legal| legal == action), || {
                    let found = subject.at("a play-out plays an illegal action", &now);
                    found.with_debug("action", action)
                })?;
                earned += puzzle.reward(&now, action);
                now = puzzle.apply(&now, action);
            }
            hold(puzzle.is_terminal(&now), || {
                subject.at("a play-out ends before the game does", &now)
            })?;
            earned += puzzle.terminal_bonus(&now);
            hold(earned == score, || {
                let found =
                    subject.at("the reward of a play-out differs from the reported one", state);
                found.with("reported and earned", both(&score, &earned))
            })?;
        }
    }
    Ok(())
}

/// Checks that a filter returns the same tiers for the same actions, and leaves an action wherever
/// one is legal: some action has the lowest tier that occurs.
///
/// # Errors
/// The first state that violates a rule.
pub fn selective<P: ScorePuzzle, S: Selective<P>>(
    subject: &Subject<'_, P>,
    filter: &S,
) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    for (walk, run) in subject.walked().zip(0..) {
        let begin = || filter.begin(puzzle, &walk.states[0], run);
        let (mut one, mut other) = (begin(), begin());
        for (depth, state) in walk.states.iter().enumerate() {
            for action in puzzle.actions(state) {
                let first = filter.tier(puzzle, state, action, depth, &mut one);
                let again = filter.tier(puzzle, state, action, depth, &mut other);
                hold(first == again, || {
                    let found = subject.edge("an action has two tiers", state, action);
                    found.with("tiers", both(&first, &again))
                })?;
            }
        }
    }
    Ok(())
}
