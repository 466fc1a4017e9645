//! Computation of the [`Structure`] of an instance: branching, dead ends, the number of optimal
//! solutions.

use super::{
    graph::{Goals, Graph, goal_graph, score_graph},
    heuristic::Maker,
};
use crate::{
    declare::{goal::Goal, listed::DeclaredPuzzle as _, score::Scored},
    interface::structure::{Beside, Branching, Inquiry, RandomPlay, Space, Structure},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use unriddle_core::clock::Instant;
use unriddle_core::{Budget, Cancel, Domain, Puzzle, Rng, Role};

/// The states along a path, the start included, with the actions that were taken.
struct Line<P: Puzzle> {
    states: Vec<P::State>,
    actions: Vec<P::Action>,
}

impl<P: Puzzle> Line<P> {
    fn new(puzzle: &P, actions: Vec<P::Action>) -> Self {
        let mut states = vec![puzzle.initial_state()];
        for &action in &actions {
            states.push(puzzle.apply(&states[states.len() - 1], action));
        }
        Self { states, actions }
    }

    fn branching(&self, puzzle: &P) -> Option<Branching> {
        let mut forced = 0;
        let counts = self.actions.iter().enumerate().map(|(i, _)| {
            let state = &self.states[i];
            let new = match i {
                0 => puzzle.actions(state).count(),
                _ => puzzle.actions_after(state, self.actions[i - 1]).count(),
            };
            forced += u64::from(new == 1);
            puzzle.actions(state).count() as u64
        });
        let counts: Vec<u64> = counts.collect();
        Some(Branching {
            mean: counts.iter().sum::<u64>() as f64 / counts.len() as f64,
            least: *counts.iter().min()?,
            most: *counts.iter().max()?,
            forced,
        })
    }

    /// Calls `visit` with the number of each step, the state before it, and each action that was
    /// not taken there.
    fn beside(&self, puzzle: &P, mut visit: impl FnMut(usize, &P::State, P::Action)) {
        for (i, taken) in self.actions.iter().enumerate() {
            for action in puzzle.actions(&self.states[i]) {
                if action != *taken {
                    visit(i, &self.states[i], action);
                }
            }
        }
    }
}

/// The structure of an instance of a goal puzzle.
pub(crate) fn of_goal<P: Goal>(puzzle: &P, inquiry: &Inquiry<'_>) -> Structure {
    let cancel = &inquiry.request.budget.cancel;
    let mut found = Structure::default();
    let (graph, numbers) = goal_graph(puzzle, inquiry.states, cancel, &|_, _| true, Goals::End);
    let alive = graph.is_complete.then(|| graph.alive());
    if let Some(alive) = &alive {
        found.space = Some(Space {
            states: graph.len(),
            ends: graph.ends(),
            dead: alive.iter().filter(|&&alive| !alive).count() as u64,
        });
    }
    let mut cheapest = graph.cheapest();
    if let (None, Some(optimum)) = (cheapest, inquiry.optimum) {
        cheapest = guided(puzzle, inquiry, optimum).and_then(|graph| graph.cheapest());
    }
    found.optimum = cheapest.map(|cheapest| cheapest.cost);
    found.optimal_solutions = cheapest.and_then(|cheapest| cheapest.paths);
    found.are_sets = P::ARE_SETS;
    if let (true, Some(optimum)) = (P::ARE_SETS, found.optimum) {
        // Every order of a set of actions, each of cost 1, is a path of its own.
        let orders = (1..=optimum).try_fold(1u64, |orders, i| orders.checked_mul(i as u64));
        let sets = |paths| orders.map(|orders| paths / orders);
        found.optimal_solutions = found.optimal_solutions.and_then(sets);
    }
    let actions = inquiry.solution.and_then(|text| puzzle.parse_solution(text).ok());
    if let Some(actions) = actions {
        let line = Line::new(puzzle, actions);
        found.branching = line.branching(puzzle);
        found.beside = Some(match alive {
            Some(alive) => {
                let mut beside = Beside::default();
                line.beside(puzzle, |_, state, action| {
                    let next = numbers.get(&puzzle.apply(state, action));
                    beside.actions += 1;
                    beside.dead += u64::from(next.is_some_and(|&next| !alive[next as usize]));
                });
                beside
            }
            None => probed(puzzle, &line, inquiry.states, cancel),
        });
    }
    found
}

/// The states that may be on a path of cost `optimum`, by the reference solver's heuristic if that
/// never overestimates.
fn guided<P: Goal>(puzzle: &P, inquiry: &Inquiry<'_>, optimum: i64) -> Option<Graph> {
    let request = inquiry.request;
    let given = P::declared().bind(Role::Search, request.solver).ok()?;
    let mut parameters = given.info().parameters.iter();
    let slot = parameters.find(|parameter| parameter.domain == Domain::Heuristic)?;
    let make = Maker { puzzle, request, networks: &RefCell::default() };
    let h = make.each(given.expr(slot.name)).ok()?;
    if !h.guarantee().is_admissible() {
        return None;
    }
    let keep = |state: &P::State, cost: i64| {
        let left = h.estimate(puzzle, state);
        left.is_some_and(|left| cost + i64::from(left) <= optimum)
    };
    let (graph, _) = goal_graph(puzzle, inquiry.states, &request.budget.cancel, &keep, Goals::End);
    Some(graph)
}

/// Ends of the actions beside a solution, by a breadth-first search from each successor until it
/// reaches the solution's states, or states from which these are reachable. All searches together
/// visit at most `limit` states.
fn probed<P: Goal>(puzzle: &P, line: &Line<P>, limit: u64, cancel: &Cancel) -> Beside {
    let mut beside = Beside::default();
    let mut alive: FxHashSet<P::State> = line.states.iter().copied().collect();
    let mut dead: FxHashSet<P::State> = FxHashSet::default();
    let mut starts = Vec::new();
    line.beside(puzzle, |_, state, action| {
        starts.push(puzzle.apply(state, action));
    });
    beside.actions = starts.len() as u64;
    let share = (limit / beside.actions.max(1)).max(1);
    for start in starts {
        if cancel.is_cancelled() {
            beside.unknown += 1;
            continue;
        }
        let mut seen: FxHashSet<P::State> = [start].into_iter().collect();
        let (mut queue, mut at, mut cut) = (vec![start], 0, false);
        let meets = 'search: loop {
            let Some(&state) = queue.get(at) else {
                break false;
            };
            at += 1;
            if alive.contains(&state) || puzzle.is_goal(&state) {
                break true;
            }
            if dead.contains(&state) {
                continue;
            }
            for action in puzzle.actions(&state) {
                let next = puzzle.apply(&state, action);
                if alive.contains(&next) {
                    break 'search true;
                }
                if seen.contains(&next) {
                    continue;
                }
                if seen.len() as u64 >= share {
                    cut = true;
                    continue;
                }
                seen.insert(next);
                queue.push(next);
            }
        };
        match (meets, cut) {
            (true, _) => {
                alive.insert(start);
            }
            (false, false) => {
                beside.dead += 1;
                dead.extend(seen);
            }
            (false, true) => beside.unknown += 1,
        }
    }
    beside
}

/// The structure of an instance of a score puzzle.
pub(crate) fn of_score<P: Scored>(puzzle: &P, inquiry: &Inquiry<'_>) -> Structure {
    let cancel = &inquiry.request.budget.cancel;
    let mut found = Structure {
        random: random(puzzle, inquiry.plays, inquiry.request.seed, &inquiry.request.budget),
        ..Structure::default()
    };
    let (graph, numbers) = score_graph(puzzle, inquiry.states, cancel);
    let best = graph.is_complete.then(|| graph.best());
    if let Some(best) = &best {
        found.space = Some(Space { states: graph.len(), ends: graph.ends(), dead: 0 });
        (found.optimum, found.optimal_solutions) = (Some(best[0].0), best[0].1);
    }
    let actions = inquiry.solution.and_then(|text| puzzle.parse_solution(text).ok());
    if let Some(actions) = actions {
        let line = Line::new(puzzle, actions);
        found.branching = line.branching(puzzle);
        found.beside = best.map(|best| kept(puzzle, &line, &numbers, &best));
    }
    found
}

/// Number of actions beside a best line that lose the best score.
fn kept<P: Scored>(
    puzzle: &P,
    line: &Line<P>,
    numbers: &FxHashMap<P::State, u32>,
    best: &[(i64, Option<u64>)],
) -> Beside {
    let mut beside = Beside::default();
    let left = |state: &P::State| numbers.get(state).map(|&number| best[number as usize].0);
    line.beside(puzzle, |_, state, action| {
        let reward = puzzle.reward(state, action);
        let after = left(&puzzle.apply(state, action)).map(|left| left.saturating_add(reward));
        beside.actions += 1;
        beside.dead += u64::from(after < left(state));
    });
    beside
}

/// Largest memory of a random game in bytes: a longer one has no end that matters.
const LONGEST: u64 = 64 << 20;

/// Random games; `None` if none of them ends within the budget's time and memory.
fn random<P: Scored>(puzzle: &P, games: u64, seed: u64, budget: &Budget) -> Option<RandomPlay> {
    let (playout, mut rng) = (puzzle.random(), Rng::new(seed));
    let mut played = Vec::new();
    let until = budget.time.and_then(|time| Instant::now().checked_add(time));
    let mut continues = |bytes: u64| {
        bytes <= budget.memory.unwrap_or(LONGEST).min(LONGEST)
            && !budget.cancel.is_cancelled()
            && until.is_none_or(|until| Instant::now() < until)
    };
    for _ in 0..games {
        if budget.cancel.is_cancelled() {
            break;
        }
        let (start, mut actions) = (puzzle.initial_state(), Vec::new());
        match playout.play_while(puzzle, &start, &mut rng, &mut actions, &mut continues) {
            Some(score) => played.push((score, actions.len())),
            None => break,
        }
    }
    played.sort_unstable();
    let count = played.len() as f64;
    Some(RandomPlay {
        games: played.len() as u64,
        mean: played.iter().map(|(score, _)| *score as f64).sum::<f64>() / count,
        least: played.first()?.0,
        median: played[(played.len() - 1) / 2].0,
        most: played.last()?.0,
        length: played.iter().map(|(_, length)| *length as f64).sum::<f64>() / count,
    })
}
