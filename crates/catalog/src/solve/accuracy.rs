//! Computation of the [`Accuracy`] of heuristics: all states of an instance, their distances to the
//! goals, and the estimates of each heuristic.

use super::{
    graph::{Goals, goal_graph},
    heuristic::Maker,
};
use crate::{
    declare::goal::Goal,
    interface::{
        accuracy::{Accuracy, AtDistance, AtOffset, Comparison, Errors},
        values::SolveError,
    },
    units::show_count,
};
use std::{cell::RefCell, collections::BTreeMap};
use unriddle_core::{Rng, Row};

/// Number of states that are estimated at a time.
const BATCH: usize = 4096;

/// A state with its distance and its estimate, both 0 or more; an infinite estimate is a dead end.
#[derive(Clone, Copy)]
struct Pair {
    distance: i64,
    estimate: f32,
}

impl Pair {
    fn error(self, offset: f64) -> f64 {
        (f64::from(self.estimate) - offset).max(0.0) - self.distance as f64
    }
}

impl Errors {
    fn of(pairs: impl Iterator<Item = Pair>, offset: f64) -> Self {
        let mut errors = Self {
            overestimated: 0,
            by_more_than_one: 0,
            smallest: f64::INFINITY,
            largest: f64::NEG_INFINITY,
            mean_error: 0.0,
        };
        let mut finite = 0;
        for pair in pairs {
            let error = pair.error(offset);
            errors.overestimated += u64::from(error > 0.0);
            errors.by_more_than_one += u64::from(error > 1.0);
            if pair.estimate.is_finite() {
                errors.smallest = errors.smallest.min(error);
                errors.largest = errors.largest.max(error);
                errors.mean_error += error;
                finite += 1;
            }
        }
        errors.mean_error /= f64::from(finite.max(1));
        errors
    }
}

/// The largest overestimate of the finite estimates; at least 0.
fn largest(pairs: impl Iterator<Item = Pair>) -> f64 {
    pairs.filter(|pair| pair.estimate.is_finite()).map(|pair| pair.error(0.0)).fold(0.0, f64::max)
}

/// The offset that overestimates none of the drawn states, for each number of drawn states. They
/// are drawn with repetition, each number from a stream of its own.
fn offsets(pairs: &[Pair], drawn: &[u64], seed: u64) -> Vec<AtOffset> {
    let all = || pairs.iter().copied();
    let at = |drawn, offset| AtOffset { drawn, offset, errors: Errors::of(all(), offset) };
    let calibrated = drawn.iter().map(|&count| {
        let mut rng = Rng::stream(seed, count);
        let one = |_| pairs[rng.below(pairs.len() as u64) as usize];
        at(Some(count), largest((0..count).map(one)))
    });
    let none = at(None, 0.0);
    let least = at(None, largest(all()));
    std::iter::once(none).chain(calibrated).chain([least]).collect()
}

fn by_distance(pairs: &[Pair]) -> Vec<AtDistance> {
    let mut layers: BTreeMap<i64, Vec<Pair>> = BTreeMap::new();
    for &pair in pairs {
        layers.entry(pair.distance).or_default().push(pair);
    }
    let layer = |(distance, pairs): (i64, Vec<Pair>)| {
        let errors = Errors::of(pairs.iter().copied(), 0.0);
        let states = pairs.len() as u64;
        AtDistance { distance, states, mean: errors.mean_error + distance as f64, errors }
    };
    layers.into_iter().map(layer).collect()
}

/// The accuracy of heuristics on all states that can be reached from an instance.
pub(crate) fn of_goal<P: Goal>(
    puzzle: &P,
    comparison: &Comparison<'_>,
) -> Result<Vec<Accuracy>, SolveError> {
    let request = comparison.request;
    let make = Maker { puzzle, request, networks: &RefCell::default() };
    // A wrong heuristic is refused before any work.
    let mut heuristics = Vec::with_capacity(comparison.heuristics.len());
    for spec in comparison.heuristics {
        heuristics.push((spec, make.heuristic(spec)?.into_batch()));
    }
    let cancel = &request.budget.cancel;
    (comparison.step)("states");
    let (graph, numbers) =
        goal_graph(puzzle, comparison.states, cancel, &|_, _| true, Goals::Expanded);
    if cancel.is_cancelled() {
        return Ok(Vec::new());
    }
    if !graph.is_complete {
        let limit = show_count(comparison.states);
        let message = format!("the instance has more than {limit} states; the limit is too low");
        return Err(SolveError::Unsupported(message));
    }
    let to_goal = graph.to_end();
    let mut states: Vec<(P::State, i64)> = Vec::with_capacity(numbers.len());
    let mut lost = 0;
    let mut by_number: Vec<_> = numbers.into_iter().collect();
    by_number.sort_unstable_by_key(|&(_, number)| number);
    for (state, number) in by_number {
        match to_goal[number as usize] {
            None => lost += 1,
            Some(_) if puzzle.is_goal(&state) => {}
            Some(distance) => states.push((state, distance)),
        }
    }
    let mut found = Vec::with_capacity(heuristics.len());
    for (spec, heuristic) in &heuristics {
        (comparison.step)(&spec.to_string());
        let mut pairs = Vec::with_capacity(states.len());
        let mut out = vec![0.0; BATCH];
        for part in states.chunks(BATCH) {
            if cancel.is_cancelled() {
                return Ok(found);
            }
            let rows: Vec<Row<'_, P>> =
                part.iter().map(|(state, _)| Row { puzzle, state }).collect();
            let out = &mut out[..rows.len()];
            heuristic.evaluate(&rows, out);
            let pair = |(&(_, distance), &estimate)| Pair { distance, estimate };
            pairs.extend(part.iter().zip(&*out).map(pair));
        }
        found.push(Accuracy {
            heuristic: spec.to_string(),
            states: pairs.len() as u64,
            lost,
            pruned: pairs.iter().filter(|pair| pair.estimate.is_infinite()).count() as u64,
            distances: by_distance(&pairs),
            offsets: match pairs.is_empty() {
                true => Vec::new(),
                false => offsets(&pairs, comparison.drawn, request.seed),
            },
        });
    }
    Ok(found)
}
