//! Exact distances of states near the goal.

use crate::puzzle::{GoalPuzzle, Puzzle};

/// Exact distances of states near the goal.
pub trait GoalDistances<P: Puzzle>: Sync {
    /// The distance of a state; `None` if the state is farther than all known states.
    ///
    /// With a small probability the table contains a distance for a state that is farther. A caller
    /// has to check the result, for example by following the path ([`shortest`]).
    fn distance(&self, puzzle: &P, state: &P::State) -> Option<u32>;

    /// Memory of the distances in bytes.
    fn bytes(&self) -> u64;
}

/// A shortest path to the goal from a state whose distance is known. `None` if the distance is
/// unknown or wrong.
///
/// The path follows, from each state, the first action to a state with a distance smaller by one.
pub fn shortest<P: GoalPuzzle>(
    puzzle: &P,
    goal_table: &dyn GoalDistances<P>,
    state: &P::State,
) -> Option<Vec<P::Action>> {
    fn go_on<P: GoalPuzzle>(
        puzzle: &P,
        goal_table: &dyn GoalDistances<P>,
        (state, left): (&P::State, u32),
        path: &mut Vec<P::Action>,
    ) -> bool {
        if left == 0 {
            return puzzle.is_goal(state);
        }
        puzzle.actions(state).any(|action| {
            let next = puzzle.apply(state, action);
            if goal_table.distance(puzzle, &next) != Some(left - 1) {
                return false;
            }
            path.push(action);
            let is_path = go_on(puzzle, goal_table, (&next, left - 1), path);
            if !is_path {
                path.pop();
            }
            is_path
        })
    }
    let mut path = Vec::new();
    let left = goal_table.distance(puzzle, state)?;
    go_on(puzzle, goal_table, (state, left), &mut path).then_some(path)
}
