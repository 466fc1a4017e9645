//! Work of a thread: makes children of its parents and estimates them.

use super::{CANDIDATES, LastActions, Layer, PARENTS, select::Candidate};
use crate::{
    evaluate::Evaluator,
    layered_beam::Record,
    memory::{Full, bytes, left, reserve},
    threads::timed_map,
};
use std::{ops::Range, time::Duration};
use unriddle_core::{
    BatchHeuristic, GoalPuzzle, InverseStep, Inverses, Puzzle, Row, SearchError, Successor,
};

/// Smallest numbers of items of a part that is worth a thread: some milliseconds of work. On a
/// loaded machine the wait for a thread takes longer than a smaller part.
pub(super) mod least {
    /// Nodes that are looked up in a goal table.
    pub(in super::super) const FOUND: usize = 4096;
    /// Nodes that are expanded, with estimates of their children.
    pub(in super::super) const EXPANDED: usize = 96;
    /// Candidates whose states are made.
    pub(in super::super) const MADE: usize = 2048;
    /// Candidates whose states are made, with estimates of their inverses.
    pub(in super::super) const RERANKED: usize = 512;
}

/// Sides of a node from which children are made.
pub(super) struct Sides<P: Puzzle> {
    pub(super) inverses: Inverses<P>,
    /// Whether actions are applied to the inverse of a state as well.
    pub(super) both: bool,
}

impl<P: Puzzle> Sides<P> {
    /// Number of sides.
    pub(super) fn count(&self) -> usize {
        1 + usize::from(self.both)
    }

    /// The state of a node, or its inverse.
    fn state(&self, puzzle: &P, state: &P::State, of_inverse: bool) -> P::State {
        if of_inverse { (self.inverses.inverted)(puzzle, state) } else { *state }
    }

    /// For each side, the last action on it and whether it is the side of the inverse.
    fn ways<A: Copy>(&self, last: &[Option<A>; 2]) -> impl Iterator<Item = (Option<A>, bool)> {
        [(last[0], false), (last[1], true)].into_iter().take(self.count())
    }
}

/// Child that is a goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal<A> {
    pub(super) parent: u32,
    pub(super) action: A,
    pub(super) of_inverse: bool,
}

/// State of a candidate.
pub(super) struct Made<P: Puzzle> {
    pub(super) state: P::State,
    /// The estimate, or its sum with the estimate of the inverse.
    pub(super) estimate: f32,
    pub(super) hash: u64,
    pub(super) step: InverseStep<P::Action>,
    pub(super) record: Record<LastActions<P>>,
}

/// Arguments of the expansion of nodes.
pub(super) struct Expansion<'b, P: GoalPuzzle> {
    pub(super) puzzle: &'b P,
    pub(super) heuristic: &'b dyn BatchHeuristic<P>,
    pub(super) sides: &'b Sides<P>,
    pub(super) layer: &'b Layer<'b, P>,
    pub(super) tests_goals: bool,
}

/// Arguments of making the states of candidates.
pub(super) struct Making<'b, P: GoalPuzzle> {
    pub(super) puzzle: &'b P,
    pub(super) sides: &'b Sides<P>,
    /// Heuristic that estimates the inverses.
    pub(super) rerank: Option<&'b dyn BatchHeuristic<P>>,
    /// The current layer and the previous one.
    pub(super) layers: [&'b Layer<'b, P>; 2],
}

/// Buffers of a thread.
pub(super) struct Worker<P: Puzzle> {
    evaluator: Evaluator<P>,
    /// States of nodes, for each node the state and its inverse.
    parents: Vec<P::State>,
    children: Vec<Successor<P::Action>>,
    /// Numbers of children of each node.
    pub(super) counts: Vec<usize>,
    /// Bits of the estimates of all children.
    pub(super) keys: Vec<u32>,
    /// The first child that is a goal.
    pub(super) goal: Option<Goal<P::Action>>,
    pub(super) fault: Option<SearchError>,
    /// Distances and numbers of nodes in the goal table.
    pub(super) found: Vec<(u32, u32)>,
    /// States of candidates; `None` for a state of an earlier layer.
    pub(super) made: Vec<Option<Made<P>>>,
    /// Inverses of the estimated states, if they are estimated as well.
    others: Vec<P::State>,
}

impl<P: GoalPuzzle> Worker<P> {
    pub(super) fn new() -> Self {
        Self {
            evaluator: Evaluator::new(),
            parents: Vec::new(),
            children: Vec::new(),
            counts: Vec::new(),
            keys: Vec::new(),
            goal: None,
            fault: None,
            found: Vec::new(),
            made: Vec::new(),
            others: Vec::new(),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        bytes!(self.evaluator, self.parents, self.children, self.counts, self.keys)
            + bytes!(self.made, self.others)
    }

    /// Largest number of bytes in a beam of the width `width`.
    pub(super) fn most_bytes(width: usize, branching: usize, rerank: usize) -> usize {
        let estimate = size_of::<f32>() + size_of::<u32>();
        let child = size_of::<Successor<P::Action>>() + estimate;
        let parent = 2 * (size_of::<P::State>() + size_of::<Row<'_, P>>()) + branching * child;
        let candidates = width.saturating_mul(2 * rerank).min(CANDIDATES);
        let other = match rerank {
            1 => 0,
            _ => size_of::<P::State>() + size_of::<Row<'_, P>>() + size_of::<f32>(),
        };
        let candidate = size_of::<Option<Made<P>>>() + other;
        width.min(PARENTS) * parent + candidates * candidate
    }

    /// Reserves memory for the states of `count` candidates, and for estimates of their inverses if
    /// the beam `reranks`.
    pub(super) fn reserve_made(
        &mut self,
        count: usize,
        reranks: bool,
        room: u64,
    ) -> Result<(), Full> {
        let before = self.bytes();
        self.made.clear();
        reserve(&mut self.made, count, room)?;
        if reranks {
            self.others.clear();
            let rest = left(room, before, self.bytes());
            reserve(&mut self.others, count, rest)?;
            let rest = left(room, before, self.bytes());
            self.evaluator.reserve(count, rest)?;
        }
        Ok(())
    }

    /// Makes the states of candidates of the current layer, and skips states of the two layers.
    /// With a `rerank` heuristic, adds the estimates of the inverses to the estimates of the
    /// states.
    pub(super) fn make(&mut self, making: &Making<'_, P>, candidates: &[Candidate]) {
        let Making { puzzle, sides, rerank, layers } = *making;
        self.made.clear();
        self.others.clear();
        for &candidate in candidates {
            let Candidate { parent, child, .. } = candidate;
            let record = *layers[0].record(parent);
            let of = layers[0].state(parent);
            let made = child_of(puzzle, sides, (of, &record.data), child);
            self.made.push(made.and_then(|(state, action, of_inverse)| {
                let hash = crate::index::hash(&state);
                let is_needed = sides.both || rerank.is_some();
                let other = is_needed.then(|| (sides.inverses.inverted)(puzzle, &state));
                // One of the two represents both.
                let inverse = other.filter(|_| sides.both);
                let inverse = inverse.map(|inverse| (inverse, crate::index::hash(&inverse)));
                let inverse = inverse.filter(|&(_, other)| other < hash);
                let (is_inverted, (state, hash)) =
                    (inverse.is_some(), inverse.unwrap_or((state, hash)));
                if (layers.iter()).any(|layer| layer.find(hash, &state).is_some()) {
                    return None;
                }
                if rerank.is_some() {
                    self.others.extend(other);
                }
                let [front, back] = record.data;
                let mut last = [Some(action), if of_inverse { front } else { back }];
                if is_inverted {
                    last.swap(0, 1);
                }
                let step = InverseStep { action, of_inverse, is_inverted };
                let record = Record { trace: record.trace, data: last };
                let estimate = candidate.estimate();
                Some(Made { state, estimate, hash, step, record })
            }));
        }
        if let Some(heuristic) = rerank {
            self.rerank(puzzle, heuristic);
        }
    }

    /// Adds the estimates of the inverses to the estimates of the states.
    fn rerank(&mut self, puzzle: &P, heuristic: &dyn BatchHeuristic<P>) {
        let admissible = heuristic.guarantee().is_admissible();
        match (self.evaluator).evaluate(puzzle, heuristic, admissible, self.others.iter()) {
            Ok(estimates) => {
                let made = self.made.iter_mut().flatten();
                made.zip(estimates).for_each(|(made, other)| made.estimate += other);
            }
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// Reserves memory for the children of `parents` parents.
    pub(super) fn reserve(
        &mut self,
        parents: usize,
        branching: usize,
        room: u64,
    ) -> Result<(), Full> {
        let children = parents * branching;
        let before = self.bytes();
        self.parents.clear();
        self.children.clear();
        self.counts.clear();
        self.keys.clear();
        reserve(&mut self.parents, 2 * parents, room)?;
        let rest = left(room, before, self.bytes());
        reserve(&mut self.children, children, rest)?;
        let rest = left(room, before, self.bytes());
        reserve(&mut self.counts, parents, rest)?;
        let rest = left(room, before, self.bytes());
        reserve(&mut self.keys, children, rest)?;
        let room = left(room, before, self.bytes());
        self.evaluator.reserve_both(2 * parents, children, room)
    }

    /// Estimates one state.
    pub(super) fn estimate(
        &mut self,
        puzzle: &P,
        heuristic: &dyn BatchHeuristic<P>,
        state: &P::State,
    ) -> Result<f32, SearchError> {
        let admissible = heuristic.guarantee().is_admissible();
        let states = [state].into_iter();
        let estimates = (self.evaluator).evaluate(puzzle, heuristic, admissible, states)?;
        Ok(estimates[0])
    }

    /// Estimates the children of nodes of a layer, and notes the first child that is a goal.
    pub(super) fn expand(&mut self, expansion: &Expansion<'_, P>, ids: Range<u32>) {
        let Expansion { puzzle, heuristic, sides, layer, tests_goals } = *expansion;
        self.parents.clear();
        self.children.clear();
        self.counts.clear();
        self.keys.clear();
        self.goal = None;
        for id in ids {
            let before = self.children.len();
            let last = &layer.record(id).data;
            for (last, of_inverse) in sides.ways(last) {
                let state = sides.state(puzzle, layer.state(id), of_inverse);
                let parent = self.parents.len() as u32;
                for (number, action) in kept(puzzle, &state, last) {
                    let is_goal = || puzzle.is_goal(&puzzle.apply(&state, action));
                    if tests_goals && self.goal.is_none() && is_goal() {
                        self.goal = Some(Goal { parent: id, action, of_inverse });
                    }
                    self.children.push(Successor { parent, action, number });
                }
                self.parents.push(state);
            }
            self.counts.push(self.children.len() - before);
        }
        let admissible = heuristic.guarantee().is_admissible();
        let (parents, children) = (self.parents.iter(), &self.children);
        match (self.evaluator).evaluate_successors(puzzle, heuristic, admissible, parents, children)
        {
            // Floats of one sign are ordered like their bits.
            Ok(estimates) => self.keys.extend(estimates.iter().map(|h| h.to_bits())),
            Err(fault) => self.fault = Some(fault),
        }
    }
}

/// Actions of a state that do not undo the last action, with their numbers among all actions.
fn kept<P: Puzzle>(
    puzzle: &P,
    state: &P::State,
    last: Option<P::Action>,
) -> impl Iterator<Item = (u32, P::Action)> {
    let actions = (0..).zip(puzzle.actions(state));
    actions.filter(move |&(_, action)| last.is_none_or(|last| !puzzle.is_inverse(last, action)))
}

/// A child of a node by its number: the state, the action, and whether the action was applied to
/// the inverse.
fn child_of<P: Puzzle>(
    puzzle: &P,
    sides: &Sides<P>,
    (state, last): (&P::State, &[Option<P::Action>; 2]),
    mut number: u32,
) -> Option<(P::State, P::Action, bool)> {
    for (last, of_inverse) in sides.ways(last) {
        let state = sides.state(puzzle, state, of_inverse);
        for (_, action) in kept(puzzle, &state, last) {
            if number == 0 {
                return Some((puzzle.apply(&state, action), action, of_inverse));
            }
            number -= 1;
        }
    }
    None
}

/// Largest number of items of a part, if `threads` threads share `count` items in parts of at least
/// `least` items.
pub(super) fn part(count: usize, threads: usize, least: usize) -> usize {
    count.div_ceil(threads.min(count / least).max(1))
}

/// Calls `work` with parts of `size` items of `count`, one part for each worker. Returns the CPU
/// time of the helper threads.
pub(super) fn in_parts<P: GoalPuzzle>(
    count: usize,
    size: usize,
    workers: &mut [Worker<P>],
    work: impl Fn(Range<usize>, &mut Worker<P>) + Sync,
) -> Duration {
    let parts = count.div_ceil(size.max(1)).max(1);
    // Workers without a part clear the results of an earlier call.
    let part = |(i, worker): (usize, _)| {
        work((i * size).min(count)..((i + 1) * size).min(count), worker);
    };
    timed_map(workers.iter_mut().enumerate(), parts, part).1
}
