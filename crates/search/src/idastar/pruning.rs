//! Pruning: whether an action is left out after a path, by the automaton of the puzzle or by the
//! pairs that the puzzle names.

use crate::automaton::Automaton;
use unriddle_core::GoalPuzzle;

/// The state of the automaton after an action, or `None` if the action is left out. Without an
/// automaton the state is 0.
#[inline(always)]
pub(super) fn kept<P: GoalPuzzle>(
    puzzle: &P,
    automaton: Option<&Automaton>,
    (state, last): (u32, Option<P::Action>),
    action: P::Action,
) -> Option<u32> {
    if let Some(automaton) = automaton {
        return automaton.next(state, puzzle.action_code(action).into());
    }
    let is_left_out = last
        .is_some_and(|last| puzzle.is_inverse(last, action) || puzzle.commutes_after(last, action));
    (!is_left_out).then_some(Automaton::START)
}
