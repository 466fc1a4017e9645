//! States that searches visit.
//!
//! A search prefers states whose cost-to-go the network underestimates. Random walks from the goal
//! rarely visit such states, so that their values would not be learned, and searches would be
//! misled.

use crate::interface::instance::training_data::{Backup, Narrow};
use rustc_hash::FxHashMap;
use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    sync::{Mutex, PoisonError},
};
use unriddle_core::{BatchHeuristic, Budget, GoalPuzzle, Guarantee, Puzzle, Row, run};
use unriddle_search::beam::{Beam, BeamConfig};

/// A network that records some of the states that it evaluates.
struct RecordingNetwork<'a, P: Puzzle> {
    net: &'a dyn BatchHeuristic<P>,
    every: usize,
    /// The number of evaluated states, and one of `every` of them.
    seen: Mutex<(usize, Vec<P::State>)>,
}

impl<P: Puzzle> BatchHeuristic<P> for RecordingNetwork<'_, P> {
    fn guarantee(&self) -> Guarantee {
        self.net.guarantee()
    }

    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        for row in rows {
            if seen.0.is_multiple_of(self.every) {
                seen.1.push(*row.state);
            }
            seen.0 += 1;
        }
        self.net.evaluate(rows, out);
    }
}

/// The states that a beam from a puzzle's start evaluates, with the start first.
pub(super) fn evaluated<P: GoalPuzzle>(
    puzzle: &P,
    net: &dyn BatchHeuristic<P>,
    beam: Narrow,
    every: usize,
) -> Vec<P::State> {
    let noted = RecordingNetwork { net, every: every.max(1), seen: Mutex::new((0, Vec::new())) };
    let config = BeamConfig { width: beam.width, max_depth: beam.depth, ..BeamConfig::default() };
    // Whether the beam finds a solution does not matter.
    if let Ok(mut beam) = Beam::new(puzzle, &noted, config) {
        let _ = run(&mut beam, &Budget::default(), &mut ());
    }
    let (_, mut seen) = noted.seen.into_inner().unwrap_or_else(PoisonError::into_inner);
    if seen.is_empty() {
        // A goal is not evaluated.
        seen.push(puzzle.initial_state());
    }
    seen
}

/// A node of the search.
struct Node<S> {
    state: S,
    g: f32,
    h: f32,
    is_goal: bool,
    /// Its successors, once it is expanded.
    children: Vec<(u32, f32)>,
}

/// The states that the search expands, in the order of their expansion, and their values. The value
/// of a state is the minimum, over all paths within the search, of the path's cost plus the
/// estimate of its last state, which is open or a goal (estimate 0). [`Backup::most`] determines
/// the values of proved dead ends.
pub(super) fn backed_up<P: GoalPuzzle>(
    puzzle: &P,
    start: P::State,
    net: &dyn BatchHeuristic<P>,
    backup: Backup,
) -> (Vec<P::State>, Vec<f32>) {
    let estimate = |states: &[P::State]| {
        let rows: Vec<_> = states.iter().map(|state| Row { puzzle, state }).collect();
        let mut out = vec![0.0; rows.len()];
        net.evaluate(&rows, &mut out);
        out
    };
    let mut nodes: Vec<Node<P::State>> = Vec::new();
    let mut known: FxHashMap<P::State, u32> = FxHashMap::default();
    // Non-negative floats are in the order of their bits.
    let mut open = BinaryHeap::new();
    let key = |node: &Node<P::State>| (backup.weight * node.g + node.h).max(0.0).to_bits();
    let begin = Node {
        state: start,
        g: 0.0,
        h: estimate(&[start])[0],
        is_goal: puzzle.is_goal(&start),
        children: Vec::new(),
    };
    known.insert(start, 0);
    open.push(Reverse((key(&begin), 0u32)));
    nodes.push(begin);
    let mut expanded = Vec::new();
    while expanded.len() < backup.expansions
        && let Some(Reverse((_, at))) = open.pop()
    {
        let (state, g, is_goal) = {
            let node = &nodes[at as usize];
            (node.state, node.g, node.is_goal)
        };
        expanded.push(at);
        if is_goal {
            if backup.to_goal {
                break;
            }
            // No state behind a goal is nearer to a goal.
            continue;
        }
        let actions: Vec<P::Action> = puzzle.actions(&state).collect();
        let states: Vec<P::State> = actions.iter().map(|&a| puzzle.apply(&state, a)).collect();
        let estimates = estimate(&states);
        for ((&action, child), h) in actions.iter().zip(states).zip(estimates) {
            let cost = puzzle.action_cost(&state, action) as f32;
            let id = *known.entry(child).or_insert_with(|| {
                let id = nodes.len() as u32;
                let is_goal = puzzle.is_goal(&child);
                let node = Node {
                    state: child,
                    g: g + cost,
                    h: if is_goal { 0.0 } else { h },
                    is_goal,
                    children: Vec::new(),
                };
                open.push(Reverse((key(&node), id)));
                nodes.push(node);
                id
            });
            nodes[at as usize].children.push((id, cost));
        }
    }
    let mut values: Vec<f32> = nodes.iter().map(|node| node.h).collect();
    for &at in &expanded {
        if !nodes[at as usize].is_goal {
            values[at as usize] = f32::INFINITY;
        }
    }
    // Values fall until they are shortest paths to the open states; later expansions are nearer to
    // these.
    let mut changed = true;
    while changed {
        changed = false;
        for &at in expanded.iter().rev() {
            let node = &nodes[at as usize];
            let through = node.children.iter();
            let least = through.map(|&(child, cost)| cost + values[child as usize]);
            let least = least.fold(f32::INFINITY, f32::min);
            if !node.is_goal && least < values[at as usize] {
                values[at as usize] = least;
                changed = true;
            }
        }
    }
    let most = backup.most.unwrap_or(f32::INFINITY);
    let valued = expanded.iter().map(|&at| {
        let node = &nodes[at as usize];
        (node.state, values[at as usize].min(most))
    });
    valued.filter(|(_, value)| value.is_finite()).unzip()
}

#[cfg(test)]
mod tests {
    use super::{
        super::corridor::{Corridor, PIT},
        *,
    };
    use unriddle_core::{Blind, Scalar};

    fn values(start: u8, backup: Backup) -> Vec<(u8, f32)> {
        let blind = Scalar(Blind);
        let (states, values) = backed_up(&Corridor, start, &blind, backup);
        states.into_iter().zip(values).collect()
    }

    #[test]
    fn values_come_from_open_states_and_goals() {
        let backup = Backup { expansions: 1000, weight: 1.0, to_goal: false, most: None };
        // Everything is expanded: distances, and no word of the pit.
        let mut all = values(3, backup);
        all.sort_by_key(|&(cell, _)| cell);
        let expected: Vec<(u8, f32)> = (0..=20).map(|cell| (cell, f32::from(cell))).collect();
        assert_eq!(all, expected);
        // The pit is a dead end, and no value is greater than the most.
        let most = values(3, Backup { most: Some(7.0), ..backup });
        assert_eq!(most.len(), 24);
        for (cell, value) in most {
            assert_eq!(value, if cell < PIT { f32::from(cell).min(7.0) } else { 7.0 });
        }
        // To the goal, only the states that a search expands.
        let some = values(3, Backup { to_goal: true, ..backup });
        assert!(some.len() < 15 && some.contains(&(0, 0.0)), "{some:?}");
        assert!(some.contains(&(3, 3.0)));
        // Cut short: the least behind an open state.
        let one = values(3, Backup { expansions: 1, ..backup });
        assert_eq!(one, [(3, 1.0)]);
    }
}
