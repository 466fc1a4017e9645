//! What a thread does: children of some parents, and their estimates.

use super::{CANDIDATES, Layer, PARENTS, Record, select::Candidate};
use crate::{
    evaluate::Evaluator,
    memory::{Full, left, reserve, vec_bytes},
};
use cpu_time::ThreadTime;
use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
    time::Duration,
};
use unriddle_core::{
    BatchHeuristic, GoalPuzzle, InverseStep, Inverses, Puzzle, Row, SearchError, Successor,
};

/// Parts that are worth a thread have at least as many items.
const PART: usize = 32;

/// The sides of a node from which it has children.
pub(super) struct Sides<P: Puzzle> {
    pub(super) ends: Inverses<P>,
    /// Whether also actions are applied to its inverse.
    pub(super) both: bool,
}

impl<P: Puzzle> Sides<P> {
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        1 + usize::from(self.both)
    }

    /// A node's state, or its inverse.
    fn state(&self, puzzle: &P, state: &P::State, of_inverse: bool) -> P::State {
        match of_inverse {
            true => (self.ends.inverted)(puzzle, state),
            false => *state,
        }
    }

    /// For each side the last action there, and whether it is the inverse's.
    fn ways<A: Copy>(&self, last: &[Option<A>; 2]) -> impl Iterator<Item = (Option<A>, bool)> {
        [(last[0], false), (last[1], true)].into_iter().take(self.count())
    }
}

/// A child that is a goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal<A> {
    pub(super) parent: u32,
    pub(super) action: A,
    pub(super) of_inverse: bool,
}

/// The state of a candidate.
pub(super) struct Made<P: Puzzle> {
    pub(super) state: P::State,
    /// What it is ordered by: the estimate, or its sum with that of the inverse.
    pub(super) estimate: f32,
    pub(super) hash: u64,
    pub(super) step: InverseStep<P::Action>,
    pub(super) record: Record<P::Action>,
}

/// A thread's buffers.
pub(super) struct Worker<P: Puzzle> {
    evaluator: Evaluator<P>,
    /// Nodes, each as a state and its inverse.
    parents: Vec<P::State>,
    children: Vec<Successor<P::Action>>,
    /// Children of each node.
    pub(super) counts: Vec<usize>,
    /// Bits of the estimates of all children.
    pub(super) keys: Vec<u32>,
    /// The first child that is a goal.
    pub(super) goal: Option<Goal<P::Action>>,
    pub(super) fault: Option<SearchError>,
    /// Distances of nodes that are near the goal.
    pub(super) found: Vec<(u32, u32)>,
    /// States of candidates; `None` of one that is in a layer before.
    pub(super) made: Vec<Option<Made<P>>>,
    /// Inverses of the states that were estimated of those, if they are estimated as well.
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
        self.evaluator.bytes()
            + vec_bytes(&self.parents)
            + vec_bytes(&self.children)
            + vec_bytes(&self.counts)
            + vec_bytes(&self.keys)
            + vec_bytes(&self.made)
            + vec_bytes(&self.others)
    }

    /// Bytes that it may come to hold in a beam of a width.
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

    /// Makes place for the states of `count` candidates, and for estimates of their inverses if it `reranks`.
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

    /// Makes the states of candidates of the current layer, the first of two, and leaves out those that are in one of these layers. With a
    /// heuristic, adds to their estimates those of the inverses of what was estimated.
    pub(super) fn make(
        &mut self,
        (puzzle, sides): (&P, &Sides<P>),
        again: Option<&dyn BatchHeuristic<P>>,
        layers: [&Layer<P>; 2],
        candidates: &[Candidate],
    ) {
        self.made.clear();
        self.others.clear();
        for &candidate in candidates {
            let Candidate { parent, child, .. } = candidate;
            let record = *layers[0].record(parent);
            let of = layers[0].state(parent);
            let made = child_of(puzzle, sides, (of, &record.last), child);
            self.made.push(made.and_then(|(state, action, of_inverse)| {
                let hash = crate::index::hash(&state);
                let is_needed = sides.both || again.is_some();
                let other = is_needed.then(|| (sides.ends.inverted)(puzzle, &state));
                // One of the two stands for both.
                let inverse = other.filter(|_| sides.both);
                let inverse = inverse.map(|inverse| (inverse, crate::index::hash(&inverse)));
                let inverse = inverse.filter(|&(_, other)| other < hash);
                let (is_inverted, (state, hash)) =
                    (inverse.is_some(), inverse.unwrap_or((state, hash)));
                if (layers.iter()).any(|layer| layer.find(hash, &state).is_some()) {
                    return None;
                }
                if again.is_some() {
                    self.others.extend(other);
                }
                let [front, back] = record.last;
                let mut last = [Some(action), if of_inverse { front } else { back }];
                if is_inverted {
                    last.swap(0, 1);
                }
                let step = InverseStep { action, of_inverse, is_inverted };
                let record = Record { trace: record.trace, last };
                let estimate = candidate.estimate();
                Some(Made { state, estimate, hash, step, record })
            }));
        }
        if let Some(heuristic) = again {
            self.rerank(puzzle, heuristic);
        }
    }

    /// Adds to the estimates of what was made those of the others.
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

    /// Makes place for the children of `parents` parents.
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

    /// The estimate of one state.
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

    /// Estimates the children of nodes of a layer; if it `looks`, it tells the first of them that is a goal.
    pub(super) fn expand(
        &mut self,
        (puzzle, heuristic, sides): (&P, &dyn BatchHeuristic<P>, &Sides<P>),
        looks: bool,
        layer: &Layer<P>,
        ids: Range<u32>,
    ) {
        self.parents.clear();
        self.children.clear();
        self.counts.clear();
        self.keys.clear();
        self.goal = None;
        for id in ids {
            let before = self.children.len();
            let last = &layer.record(id).last;
            for (last, of_inverse) in sides.ways(last) {
                let state = sides.state(puzzle, layer.state(id), of_inverse);
                let parent = self.parents.len() as u32;
                for (number, action) in kept(puzzle, &state, last) {
                    let is_goal = || puzzle.is_goal(&puzzle.apply(&state, action));
                    if looks && self.goal.is_none() && is_goal() {
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

/// The actions of a state that do not take the last one back, with their places among all of them.
fn kept<P: Puzzle>(
    puzzle: &P,
    state: &P::State,
    last: Option<P::Action>,
) -> impl Iterator<Item = (u32, P::Action)> {
    let actions = (0..).zip(puzzle.actions(state));
    actions.filter(move |&(_, action)| last.is_none_or(|last| !puzzle.is_inverse(last, action)))
}

/// A child of a node by its number: the state, the action and whether it was applied to the inverse.
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

/// Does `work` on equal parts of `count` items, one for each worker; the CPU time of the threads that helped.
pub(super) fn in_parts<P: GoalPuzzle>(
    count: usize,
    workers: &mut [Worker<P>],
    work: impl Fn(Range<usize>, &mut Worker<P>) + Sync,
) -> Duration {
    let parts = workers.len().min(count / PART).max(1);
    let size = count.div_ceil(parts);
    let helped = Mutex::new(Duration::ZERO);
    let part = |i: usize| (i * size).min(count)..((i + 1) * size).min(count);
    std::thread::scope(|scope| {
        let mut workers = workers.iter_mut().enumerate();
        let first = workers.next();
        for (i, worker) in workers {
            let (work, helped) = (&work, &helped);
            if i >= parts {
                // Nothing of an earlier call is left there.
                work(count..count, worker);
                continue;
            }
            scope.spawn(move || {
                let clock = ThreadTime::now();
                work(part(i), worker);
                *helped.lock().unwrap_or_else(PoisonError::into_inner) += clock.elapsed();
            });
        }
        if let Some((i, worker)) = first {
            work(part(i), worker);
        }
    });
    helped.into_inner().unwrap_or_else(PoisonError::into_inner)
}
