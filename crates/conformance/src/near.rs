//! Distances to the goal, with which estimates are compared.
//!
//! With predecessors, Dijkstra's algorithm from the goals computes exact distances. Otherwise a
//! bounded part of the space is generated from the start, and each distance is the least cost of a
//! path within that part. This is an upper bound of the true distance, so an estimate above it is
//! certainly too high. If the part is the whole space, the distance is exact.

use crate::{Subject, rules::cost_of};
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, VecDeque},
};
use unriddle_core::GoalPuzzle;

/// States near a goal.
pub(crate) struct Near<P: GoalPuzzle> {
    /// Upper bound of the distance to a goal, for each state with a known path.
    pub(crate) costs: HashMap<P::State, u64>,
    /// States that were looked at, those from which no goal is known included.
    pub(crate) seen: Vec<P::State>,
    /// Whether these are all states there are, so that one without a cost is a dead end.
    pub(crate) is_all: bool,
}

/// The states near a goal of a subject.
pub(crate) fn near<P: GoalPuzzle>(subject: &Subject<'_, P>) -> Near<P> {
    match subject.back {
        Some((goals, predecessors)) => {
            let visit = |state: &P::State, visit: &mut dyn FnMut(P::State, u64)| {
                predecessors(subject.puzzle, state, &mut |before, action| {
                    visit(before, cost_of(subject.puzzle, &before, action));
                });
            };
            let costs = dijkstra(goals(subject.puzzle), subject.near, visit);
            Near { seen: costs.keys().copied().collect(), costs, is_all: false }
        }
        None => forward(subject),
    }
}

fn forward<P: GoalPuzzle>(subject: &Subject<'_, P>) -> Near<P> {
    let puzzle = subject.puzzle;
    let start = puzzle.initial_state();
    let mut numbers = HashMap::from([(start, 0usize)]);
    let mut seen = vec![start];
    // Predecessors of each state, with the costs of the edges.
    let mut before: Vec<Vec<(usize, u64)>> = vec![Vec::new()];
    let mut queue = VecDeque::from([0]);
    let mut is_all = true;
    while let Some(id) = queue.pop_front() {
        let state = seen[id];
        for action in puzzle.actions(&state) {
            let child = puzzle.apply(&state, action);
            let known = numbers.get(&child).copied();
            let Some(to) = known.or_else(|| (seen.len() < subject.near).then_some(seen.len()))
            else {
                is_all = false;
                continue;
            };
            if known.is_none() {
                numbers.insert(child, to);
                seen.push(child);
                before.push(Vec::new());
                queue.push_back(to);
            }
            before[to].push((id, cost_of(puzzle, &state, action)));
        }
    }
    let goals = (0..seen.len()).filter(|&id| puzzle.is_goal(&seen[id]));
    let costs = dijkstra(goals, usize::MAX, |&id, visit| {
        for &(from, cost) in &before[id] {
            visit(from, cost);
        }
    });
    Near { costs: costs.iter().map(|(&id, &cost)| (seen[id], cost)).collect(), seen, is_all }
}

/// The nodes that are nearest, `most` of them, with their distances.
fn dijkstra<N: Copy + Eq + std::hash::Hash>(
    from: impl IntoIterator<Item = N>,
    most: usize,
    around: impl Fn(&N, &mut dyn FnMut(N, u64)),
) -> HashMap<N, u64> {
    let mut closed = HashMap::new();
    // Nodes need no order: entries of the heap are numbers of a list.
    let mut list: Vec<N> = from.into_iter().collect();
    let mut open: BinaryHeap<_> = (0..list.len()).map(|id| Reverse((0, id))).collect();
    while let Some(Reverse((cost, id))) = open.pop() {
        if closed.len() >= most {
            break;
        }
        let node = list[id];
        if closed.contains_key(&node) {
            continue;
        }
        closed.insert(node, cost);
        around(&node, &mut |other, more| {
            if !closed.contains_key(&other) {
                open.push(Reverse((cost + more, list.len())));
                list.push(other);
            }
        });
    }
    closed
}
