//! Abilities that a puzzle may have: each suite has the name of its ability.

use crate::{Subject, Violation, subject::hold};
use std::collections::{BTreeSet, HashSet};
use unriddle_core::{
    Backward, Coded, Features, Invertible, Layered, Puzzle, Ranked, Reversible, Rng, Rows,
    Symmetric, playout::Menu, rows::Children,
};

/// Every action is undone by its inverse, which is legal, and the inverse of which it is.
///
/// # Errors
/// The first edge where that is not so.
pub fn reversible<P: Reversible>(subject: &Subject<'_, P>) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    edges(subject, |state, action, child| {
        let back = puzzle.inverse(action);
        let edge = |what| subject.edge(what, state, action).with_debug("inverse", back);
        hold(puzzle.actions(child).any(|legal| legal == back), || {
            edge("the inverse of an action is not legal after it")
        })?;
        hold(puzzle.apply(child, back) == *state, || {
            edge("the inverse of an action does not undo it")
        })?;
        hold(puzzle.inverse(back) == action, || {
            edge("the inverse of the inverse is not the action itself")
        })
    })
}

/// Predecessors are exactly those whose actions lead here, each listed once; goal states are goals.
///
/// # Errors
/// The first state or edge where that is not so.
pub fn backward<P: Backward>(subject: &Subject<'_, P>) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    let goals = puzzle.goal_states();
    hold(!goals.is_empty(), || subject.broken("there is no goal state to walk back from"))?;
    for goal in &goals {
        hold(puzzle.is_goal(goal), || subject.at("a goal state is no goal", goal))?;
    }
    for state in subject.states().chain(goals) {
        let mut seen = HashSet::new();
        let mut found = Ok(());
        puzzle.predecessors(&state, &mut |before, action| {
            let edge = |what| {
                let found = subject.at(what, &state).with("predecessor", subject.text(&before));
                found.with_debug("action", action)
            };
            let mut check = || {
                hold(puzzle.actions(&before).any(|legal| legal == action), || {
                    edge("the action from a predecessor is not legal there")
                })?;
                hold(puzzle.apply(&before, action) == state, || {
                    edge("the action from a predecessor leads elsewhere")
                })?;
                hold(seen.insert((before, format!("{action:?}"))), || {
                    edge("a predecessor is listed twice with the same action")
                })
            };
            if found.is_ok() {
                found = check();
            }
        });
        found?;
    }
    edges(subject, |state, action, child| {
        let mut is_there = false;
        puzzle.predecessors(child, &mut |before, by| {
            is_there |= before == *state && by == action;
        });
        hold(is_there, || subject.edge("an edge is not found backward", state, action))
    })
}

/// Checks active indices and `delta`.
///
/// Active indices are below `feature_len` and distinct. `delta` turns the indices of a state into
/// the indices of its successor. An action that changes the state changes the indices.
///
/// # Errors
/// The first state or edge that violates a rule.
pub fn features<P: Features>(subject: &Subject<'_, P>) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    let active = |state: &P::State| {
        let (mut set, mut found) = (BTreeSet::new(), Ok(()));
        let mut listed = Vec::new();
        puzzle.active(state, &mut |index| {
            listed.push(index);
            let broken = |what| Err(subject.at(what, state).with("index", index));
            if found.is_ok() && index as usize >= puzzle.feature_len() {
                found = broken("an active index is not below `feature_len`");
            } else if !set.insert(index) && found.is_ok() {
                found = broken("an index is active twice");
            }
        });
        let mut appended = Vec::new();
        puzzle.append_active(state, &mut appended);
        hold(listed == appended, || {
            subject.at("`append_active` lists other indices than `active`", state)
        })?;
        found.map(|()| set)
    };
    edges(subject, |state, action, child| {
        let before = active(state)?;
        let (mut set, mut found) = (before.clone(), Ok(()));
        puzzle.delta(state, action, &mut |index, on| {
            let changed = if on { set.insert(index) } else { set.remove(&index) };
            if !changed && found.is_ok() {
                let what = "`delta` switches an index to its present state";
                let violation = subject.edge(what, state, action);
                found = Err(violation.with("index", index).with("switched to", on));
            }
        });
        found?;
        hold(set == active(child)?, || {
            let what = "`delta` does not lead to the active indices of the next state";
            subject.edge(what, state, action)
        })?;
        hold(child == state || set != before, || {
            subject.edge("two states have the same active indices", state, action)
        })
    })
}

/// Checks the rows of states: a row is read back, its bytes are below `row_values`, and the
/// children that `expand_row` makes of it are the rows of the next states. A row with a byte out of
/// range is refused.
///
/// # Errors
/// The first state that violates a rule.
pub fn rows<P: Rows>(subject: &Subject<'_, P>) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    let (width, actions) = (puzzle.groups(), puzzle.action_count());
    let row_of = |state: &P::State| {
        let mut row = vec![u8::MAX; width];
        puzzle.write_row(state, &mut row);
        row
    };
    for state in subject.states() {
        let row = row_of(&state);
        let found = |what| subject.at(what, &state).with("row", format!("{row:?}"));
        let is_below = row.iter().all(|&byte| usize::from(byte) < puzzle.row_values());
        hold(is_below, || found("a byte is not below `row_values`"))?;
        hold(puzzle.state_of_row(&row) == Ok(state), || found("the row is not read back"))?;
        let mut wrong = row.clone();
        if let Some(last) = wrong.last_mut() {
            *last = u8::MAX;
            let is_refused = puzzle.state_of_row(&wrong).is_err();
            hold(is_refused, || found("a row with a byte out of range is read"))?;
        }
        let mut children = vec![u8::MAX; actions * width];
        let (mut legal, mut costs) = (vec![false; actions], vec![0; actions]);
        let (mut expected, mut expected_legal) = (children.clone(), legal.clone());
        let mut expected_costs = costs.clone();
        for action in puzzle.actions(&state) {
            let number = puzzle.action_number(action);
            expected_legal[number] = true;
            expected_costs[number] = puzzle.action_cost(&state, action);
            let child = row_of(&puzzle.apply(&state, action));
            expected[number * width..(number + 1) * width].copy_from_slice(&child);
        }
        let into = Children { rows: &mut children, legal: &mut legal, costs: &mut costs };
        let expanded = puzzle.expand_row(&row, into);
        hold(expanded.is_ok(), || found("the row is not expanded"))?;
        let is_same = (&children, &legal, &costs) == (&expected, &expected_legal, &expected_costs);
        hold(is_same, || found("`expand_row` makes other children"))?;
    }
    Ok(())
}

/// Checks that ranks are below `ranks`, that `unrank` returns the state, and that a rank out of
/// range has no state.
///
/// # Errors
/// The first state that violates a rule.
pub fn ranked<P: Ranked>(subject: &Subject<'_, P>) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    for state in subject.states() {
        let rank = puzzle.rank(&state);
        let found = |what| subject.at(what, &state).with("rank", rank);
        hold(rank < puzzle.ranks(), || found("a rank is not below `ranks`"))?;
        hold(puzzle.unrank(rank) == Some(state), || {
            found("`unrank` returns another state for the rank of a state")
        })?;
    }
    hold(puzzle.unrank(puzzle.ranks()).is_none(), || {
        subject.broken("a rank that is out of range has a state")
    })
}

/// Checks that the representative of an orbit represents itself, and that a state and its
/// representative have the same neighbours up to symmetry.
///
/// # Errors
/// The first state that violates a rule.
pub fn symmetric<P: Symmetric>(subject: &Subject<'_, P>) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    let around = |state: &P::State| -> HashSet<P::State> {
        let children = puzzle.actions(state).map(|a| puzzle.apply(state, a));
        children.map(|child| puzzle.canonical(&child)).collect()
    };
    for state in subject.states() {
        let canonical = puzzle.canonical(&state);
        let found =
            |what| subject.at(what, &state).with("representative", subject.text(&canonical));
        hold(puzzle.canonical(&canonical) == canonical, || {
            found("a representative has another representative")
        })?;
        hold(around(&canonical) == around(&state), || {
            found("a state and its representative have different neighbours")
        })?;
    }
    Ok(())
}

/// Checks that a state and its inverse have the same distance to the goal.
///
/// The actions of a walk from a goal to a state also lead from the inverse of the state to a goal.
/// The state and its inverse are folded to the same state.
///
/// # Errors
/// The first state where that is not so.
pub fn invertible<P: Invertible + Backward>(subject: &Subject<'_, P>) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    let rng = &mut Rng::new(1);
    for goal in puzzle.goal_states() {
        for length in 0..30 {
            let (mut state, mut walk) = (goal, Vec::new());
            for _ in 0..length {
                let actions: Vec<P::Action> = puzzle.actions(&state).collect();
                let action = actions[rng.below(actions.len() as u64) as usize];
                state = puzzle.apply(&state, action);
                walk.push(action);
            }
            let inverse = puzzle.inverted(&state);
            let found = |what| {
                let found = subject.at(what, &state);
                found.with("inverse", subject.text(&inverse))
            };
            hold(puzzle.inverted(&inverse) == state, || {
                found("the inverse of the inverse is not the state itself")
            })?;
            let end = (walk.iter()).fold(inverse, |at, &action| puzzle.apply(&at, action));
            hold(puzzle.is_goal(&end), || {
                found("the actions from a goal to a state do not lead from its inverse to a goal")
            })?;
            let folded = puzzle.folded(&state);
            let is_one = puzzle.folded(&inverse) == folded && puzzle.folded(&folded) == folded;
            hold(is_one, || found("a state and its inverse are folded to different states"))?;
        }
    }
    Ok(())
}

/// Every action leads to a lower layer, and `successors` are the actions with their states.
///
/// # Errors
/// The first state or edge where that is not so.
pub fn layered<P: Layered>(subject: &Subject<'_, P>) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    let mut listed = Vec::new();
    for state in subject.states() {
        listed.clear();
        puzzle.successors(&state, &mut listed);
        let actions = puzzle.actions(&state);
        let same = actions.map(|action| (action, puzzle.apply(&state, action)));
        // The order is the puzzle's own business.
        let same: Vec<_> = same.collect();
        let equal = same.len() == listed.len() && same.iter().all(|one| listed.contains(one));
        hold(equal, || subject.at("`successors` are not the actions with their states", &state))?;
    }
    edges(subject, |state, action, child| {
        let (above, below) = (puzzle.layer(state), puzzle.layer(child));
        hold(below < above, || {
            let found = subject.edge("an action does not lead to a lower layer", state, action);
            found.with("layers", format!("{above} and {below}"))
        })
    })
}

/// Checks that the menu that `follow` updates along a playout equals a menu that `list` makes for
/// the state: the same actions, codes and biases.
///
/// # Errors
/// The first state with a difference.
pub fn coded<P: Coded>(subject: &Subject<'_, P>) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    for walk in subject.walked() {
        let mut menu = Menu::new(walk.states[0]);
        puzzle.list(&mut menu);
        for (depth, state) in walk.states.iter().enumerate() {
            hold(menu.state == *state, || {
                let found = subject.at("a menu that followed a line is elsewhere", state);
                found.with("menu's state", subject.text(&menu.state))
            })?;
            let live = menu.live.iter().map(|&i| menu.entries[i as usize]);
            let live: Vec<_> = live.map(|e| (e.action, e.code, e.bias.to_bits())).collect();
            let legal = puzzle.actions(state).map(|action| {
                (action, puzzle.code(state, action), puzzle.bias(state, action).to_bits())
            });
            let legal: Vec<_> = legal.collect();
            let equal = legal.len() == live.len() && legal.iter().all(|one| live.contains(one));
            hold(equal, || {
                let found = subject.at("a menu does not list the legal actions", state);
                found.with_debug("menu", &live).with_debug("legal", &legal)
            })?;
            let Some(&next) = walk.actions.get(depth) else {
                break;
            };
            if let Some(choice) = live.iter().position(|(action, ..)| *action == next) {
                puzzle.follow(&mut menu, choice);
            }
        }
    }
    Ok(())
}

/// Calls `visit` for every edge that leaves a state of a walk: state, action, next state.
fn edges<P: Puzzle>(
    subject: &Subject<'_, P>,
    mut visit: impl FnMut(&P::State, P::Action, &P::State) -> Result<(), Violation>,
) -> Result<(), Violation> {
    for state in subject.states() {
        for action in subject.puzzle.actions(&state) {
            visit(&state, action, &subject.puzzle.apply(&state, action))?;
        }
    }
    Ok(())
}
