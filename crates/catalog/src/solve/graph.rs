//! Graph of the states of an instance, up to a limit, and the figures that follow from it.
//!
//! Only [`goal_graph`] and [`score_graph`] know the puzzle; everything else works on numbers.

use rustc_hash::FxHashMap;
use std::{cmp::Reverse, collections::BinaryHeap};
use unriddle_core::{Cancel, Cost, GoalPuzzle, Layered};

/// Number of states that are expanded between two checks of the cancel flag.
const BETWEEN_LOOKS: usize = 1024;

/// States by number, the initial state being 0, with the actions of the expanded states.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// The expanded states, in the order in which they were expanded.
    order: Vec<u32>,
    /// For each state, the range of its actions in `edges`; `None` if it was not expanded.
    first: Vec<Option<(u32, u32)>>,
    /// Target and cost (or reward) of every action.
    edges: Vec<(u32, i64)>,
    /// For each state, the cost of the cheapest known path; unused by score puzzles.
    distance: Vec<i64>,
    /// For each end (a goal, or a final state of a score puzzle), the value that it adds; `None`
    /// for other states.
    end: Vec<Option<i64>>,
    /// Whether every state that can be reached was expanded.
    pub(crate) is_complete: bool,
}

impl Graph {
    fn add(&mut self, distance: i64, end: Option<i64>) -> u32 {
        self.first.push(None);
        self.distance.push(distance);
        self.end.push(end);
        self.first.len() as u32 - 1
    }

    fn actions(&self, state: u32) -> &[(u32, i64)] {
        match self.first[state as usize] {
            Some((first, last)) => &self.edges[first as usize..last as usize],
            None => &[],
        }
    }

    /// Number of states.
    pub(crate) fn len(&self) -> u64 {
        self.first.len() as u64
    }

    /// Number of ends.
    pub(crate) fn ends(&self) -> u64 {
        self.end.iter().flatten().count() as u64
    }
}

/// Whether the actions of a goal are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goals {
    /// A path ends at a goal.
    End,
    /// A goal is a state like others.
    Expanded,
}

/// The states of a goal puzzle in the order of their cost, at most `limit` of them. States that
/// `keep` (given the state and its cost) refuses are not expanded.
pub(crate) fn goal_graph<P: GoalPuzzle>(
    puzzle: &P,
    limit: u64,
    cancel: &Cancel,
    keep: &dyn Fn(&P::State, i64) -> bool,
    goals: Goals,
) -> (Graph, FxHashMap<P::State, u32>) {
    let mut graph = Graph::default();
    let mut numbers = FxHashMap::default();
    let mut states = Vec::new();
    let mut open = BinaryHeap::new();
    let mut see = |graph: &mut Graph, states: &mut Vec<P::State>, state, distance| {
        *numbers.entry(state).or_insert_with(|| {
            states.push(state);
            graph.add(distance, puzzle.is_goal(&state).then_some(0))
        })
    };
    see(&mut graph, &mut states, puzzle.initial_state(), 0);
    open.push((Reverse(0), Reverse(0)));
    graph.is_complete = true;
    while let Some((Reverse(distance), Reverse(number))) = open.pop() {
        let at = number as usize;
        if graph.distance[at] < distance || graph.first[at].is_some() {
            continue;
        }
        let state = states[at];
        let ends = graph.end[at].is_some() && goals == Goals::End;
        if ends || !keep(&state, distance) {
            continue;
        }
        let full = graph.len() >= limit;
        let stopped = graph.order.len().is_multiple_of(BETWEEN_LOOKS) && cancel.is_cancelled();
        if full || stopped {
            graph.is_complete = false;
            break;
        }
        let first = graph.edges.len() as u32;
        for action in puzzle.actions(&state) {
            let cost: Cost = puzzle.action_cost(&state, action);
            let further = distance + i64::from(cost);
            let next = see(&mut graph, &mut states, puzzle.apply(&state, action), i64::MAX);
            graph.edges.push((next, cost.into()));
            if further < graph.distance[next as usize] {
                graph.distance[next as usize] = further;
                open.push((Reverse(further), Reverse(next)));
            }
        }
        graph.first[at] = Some((first, graph.edges.len() as u32));
        graph.order.push(number);
    }
    (graph, numbers)
}

/// The states of a score puzzle, at most `limit` of them.
pub(crate) fn score_graph<P: Layered>(
    puzzle: &P,
    limit: u64,
    cancel: &Cancel,
) -> (Graph, FxHashMap<P::State, u32>) {
    let mut graph = Graph::default();
    let mut numbers = FxHashMap::default();
    let mut states = Vec::new();
    let mut see = |graph: &mut Graph, states: &mut Vec<P::State>, state| {
        *numbers.entry(state).or_insert_with(|| {
            states.push(state);
            let end = puzzle.is_terminal(&state);
            graph.add(0, end.then(|| puzzle.terminal_bonus(&state)))
        })
    };
    see(&mut graph, &mut states, puzzle.initial_state());
    graph.is_complete = true;
    let (mut at, mut after) = (0, Vec::new());
    while at < states.len() {
        let state = states[at];
        let stopped = at.is_multiple_of(BETWEEN_LOOKS) && cancel.is_cancelled();
        if graph.len() > limit || stopped {
            graph.is_complete = false;
            break;
        }
        let first = graph.edges.len() as u32;
        puzzle.successors(&state, &mut after);
        for (action, next) in after.drain(..) {
            let reward = puzzle.reward(&state, action);
            let next = see(&mut graph, &mut states, next);
            graph.edges.push((next, reward));
        }
        graph.first[at] = Some((first, graph.edges.len() as u32));
        graph.order.push(at as u32);
        at += 1;
    }
    if graph.is_complete {
        // Every action leads to a lower layer, so that the successors of a state follow it in the
        // order.
        graph.order.sort_by_key(|&number| Reverse(puzzle.layer(&states[number as usize])));
    }
    (graph, numbers)
}

/// The cheapest paths of a goal puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cheapest {
    /// Their cost.
    pub(crate) cost: i64,
    /// Their number; `None` if actions without a cost make the number meaningless, or if it
    /// overflows.
    pub(crate) paths: Option<u64>,
}

impl Graph {
    /// The cheapest paths to a goal, if all cheaper states were expanded.
    pub(crate) fn cheapest(&self) -> Option<Cheapest> {
        let goals = (0..self.end.len()).filter(|&goal| self.end[goal].is_some());
        let cost = goals.map(|goal| self.distance[goal]).min()?;
        // States are expanded in the order of their cost. If a state of this cost was expanded, or
        // all states were expanded, then all cheaper states were expanded.
        let last = self.order.last().map_or(0, |&last| self.distance[last as usize]);
        if !self.is_complete && last < cost {
            return None;
        }
        Some(Cheapest { cost, paths: self.paths(cost) })
    }

    fn paths(&self, cost: i64) -> Option<u64> {
        let mut paths = vec![0_u64; self.first.len()];
        paths[0] = 1;
        for &state in &self.order {
            let here = paths[state as usize];
            let distance = self.distance[state as usize];
            if distance >= cost || here == 0 {
                continue;
            }
            for &(next, weight) in self.actions(state) {
                if weight == 0 {
                    return None;
                }
                if distance + weight == self.distance[next as usize] {
                    let there = &mut paths[next as usize];
                    *there = there.checked_add(here)?;
                }
            }
        }
        let ends =
            (0..paths.len()).filter(|&end| self.end[end].is_some() && self.distance[end] == cost);
        ends.map(|end| paths[end]).try_fold(0, u64::checked_add)
    }

    /// For each state, the cost of a cheapest path to an end; `None` where there is no path.
    /// Meaningful if the graph of a goal puzzle is complete.
    pub(crate) fn to_end(&self) -> Vec<Option<i64>> {
        // The actions that lead to each state, as ranges of one list.
        let mut first = vec![0_u32; self.first.len() + 1];
        for &(next, _) in &self.edges {
            first[next as usize + 1] += 1;
        }
        for state in 1..first.len() {
            first[state] += first[state - 1];
        }
        let mut place = first.clone();
        let mut before = vec![(0_u32, 0_i64); self.edges.len()];
        for state in 0..self.first.len() as u32 {
            for &(next, cost) in self.actions(state) {
                let at = &mut place[next as usize];
                before[*at as usize] = (state, cost);
                *at += 1;
            }
        }
        let mut costs = vec![None; self.first.len()];
        let mut open: BinaryHeap<(Reverse<i64>, u32)> = BinaryHeap::new();
        for (state, cost) in costs.iter_mut().enumerate() {
            if self.end[state].is_some() {
                *cost = Some(0);
                open.push((Reverse(0), state as u32));
            }
        }
        while let Some((Reverse(cost), state)) = open.pop() {
            if costs[state as usize].is_some_and(|known| known < cost) {
                continue;
            }
            let range = first[state as usize] as usize..first[state as usize + 1] as usize;
            for &(from, more) in &before[range] {
                let known = &mut costs[from as usize];
                if known.is_none_or(|known| cost + more < known) {
                    *known = Some(cost + more);
                    open.push((Reverse(cost + more), from));
                }
            }
        }
        costs
    }

    /// For each state, whether an end is reachable from it. Meaningful if the graph is complete.
    pub(crate) fn alive(&self) -> Vec<bool> {
        self.to_end().iter().map(Option::is_some).collect()
    }

    /// For each state of a complete graph of a score puzzle, the greatest score-to-go and the
    /// number of ways to achieve it (`None` if the number overflows).
    pub(crate) fn best(&self) -> Vec<(i64, Option<u64>)> {
        let mut best = vec![(0, Some(1)); self.first.len()];
        for &state in self.order.iter().rev() {
            best[state as usize] = match self.end[state as usize] {
                Some(bonus) => (bonus, Some(1)),
                None => {
                    let actions = self.actions(state).iter();
                    let values = actions.map(|&(next, reward)| {
                        let (value, ways) = best[next as usize];
                        (value.saturating_add(reward), ways)
                    });
                    values.fold((i64::MIN, Some(0)), |most: (i64, Option<u64>), value| match value
                        .0
                        .cmp(&most.0)
                    {
                        std::cmp::Ordering::Less => most,
                        std::cmp::Ordering::Greater => value,
                        std::cmp::Ordering::Equal => {
                            let ways = most.1.zip(value.1);
                            (most.0, ways.and_then(|(a, b)| a.checked_add(b)))
                        }
                    })
                }
            };
        }
        best
    }
}
