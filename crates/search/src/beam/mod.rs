//! Beam search: breadth-first by number of actions, keeping the W most promising states of each
//! layer.
//!
//! The search expands all states of a layer and evaluates their successors in batches. The W
//! successors with the smallest h (or f = g + h, the same within a layer if all costs are 1) make
//! up the next layer. Ties are broken by the order of generation. The search ends with the first
//! goal generated.
//!
//! Duplicates are removed within a layer (the cheaper path is kept) and against the two previous
//! layers. If actions can be undone this excludes all earlier layers, except for states that were
//! cut off. In a space with longer directed cycles the beam may circle until `max_depth`.
//!
//! Selection does not wait for the layer to be complete: whenever there are 2·W candidates they are
//! cut to W. As candidates are ordered by (h, generation), this keeps the same W as one cut at the
//! end.
//!
//! An empty layer proves that there is no solution if no state was ever cut off (the missing
//! successors were proved dead ends or are in layers that were fully expanded). Otherwise the
//! search is exhausted. A solution is proved optimal only if it costs no more than the start's
//! admissible estimate.
//!
//! Memory: about four layers of nodes, 116 bytes per unit of W for 8-byte states, and the paths
//! that the beam may still follow back (module `trace`).
//!
//! References: R. Bisiani, "Beam Search", in Encyclopedia of Artificial Intelligence (1987); R.
//! Zhou and E. A. Hansen, "Breadth-First Heuristic Search", Artificial Intelligence 170 (2006), on
//! duplicates and layers.

mod config;

pub use config::{BeamConfig, Choose, Direction, INFO, MAX_VIEWS, MAX_WIDTH, Order, Ties, Widen};

use crate::{
    evaluate::Evaluator,
    layered_beam::{Forward, LayeredBeam, Phase, Policy, Record},
    memory::{Accounted, Full, bytes, reserve},
    nodes::Child,
    report::{Halt, ObserverOf, delegate_search, judge_start, onward, too_costly},
    views::SeekBelow,
};
use unriddle_core::{BatchHeuristic, Cost, GoalPuzzle, Outcome, Quota, SearchError};

/// Smallest number of states that are evaluated at a time (but for the last ones of a layer).
const MIN_BATCH: usize = 1024;
/// Largest number of states that are evaluated at a time.
const MAX_BATCH: usize = 1 << 17;

/// Stage of the work on a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Expand,
    Evaluate,
    Cut,
}

/// Policy that estimates states after they are generated.
struct StateEstimates<'a, P: GoalPuzzle> {
    heuristic: &'a dyn BatchHeuristic<P>,
    batch: usize,
    /// Number of evaluated candidates.
    evaluated: u32,
    children: Vec<Child<P::State, P::Action>>,
    evaluator: Evaluator<P>,
    /// Scratch of a cut.
    priorities: Vec<u32>,
}

/// Beam search.
pub struct Beam<'a, P: GoalPuzzle>(LayeredBeam<'a, P, StateEstimates<'a, P>>);

impl<'a, P: GoalPuzzle> Beam<'a, P> {
    /// Creates a search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        heuristic: &'a dyn BatchHeuristic<P>,
        config: BeamConfig,
    ) -> Result<Self, SearchError> {
        let policy = StateEstimates {
            heuristic,
            batch: heuristic.preferred_batch().clamp(MIN_BATCH, MAX_BATCH),
            evaluated: 0,
            children: Vec::new(),
            evaluator: Evaluator::new(),
            priorities: Vec::new(),
        };
        LayeredBeam::new(puzzle, policy, config).map(Self)
    }

    /// Seeks only solutions that cost less than `below`, if it is given. The search then ends with
    /// a layer all of whose states cost as much. [`Outcome::Unsolvable`] means that no cheaper
    /// solution exists: nothing was cut off, and no cheaper path to a state of an earlier layer was
    /// dropped.
    #[must_use]
    pub fn below(mut self, below: Option<Cost>) -> Self {
        self.0.below = below;
        self
    }
}

delegate_search!(Beam);

impl<P: GoalPuzzle> SeekBelow for Beam<'_, P> {
    fn seek_below(&mut self, below: Cost) {
        self.0.below = Some(below);
    }
}

impl<P: GoalPuzzle> Policy<P> for StateEstimates<'_, P> {
    type Edge = P::Action;
    type Data = Forward;
    type Stage = Stage;

    const FIRST: Stage = Stage::Expand;

    fn heuristic(&self) -> Option<&dyn BatchHeuristic<P>> {
        Some(self.heuristic)
    }

    fn root(
        beam: &mut LayeredBeam<'_, P, Self>,
        state: &P::State,
        quota: &Quota,
        observer: &mut ObserverOf<'_, P>,
    ) -> Result<Option<Forward>, Halt> {
        beam.grow(quota.bytes, |s, room| s.policy.evaluator.reserve(1, room))?;
        let (puzzle, Self { heuristic, evaluator, .. }) = (beam.puzzle, &mut beam.policy);
        let admissible = heuristic.guarantee().is_admissible();
        let h = evaluator.evaluate(puzzle, *heuristic, admissible, [state].into_iter())?[0];
        let h = judge_start(h, admissible, &mut beam.report, &mut beam.stats, observer);
        Ok(h.map(|priority| Forward { g: 0, priority }))
    }

    fn fill(
        beam: &mut LayeredBeam<'_, P, Self>,
        stage: Stage,
        quota: &Quota,
        observer: &mut ObserverOf<'_, P>,
    ) -> Result<(), Halt> {
        match stage {
            Stage::Expand if beam.expanded as usize == beam.current.len() => {
                beam.phase = Phase::Fill(Stage::Evaluate);
                Ok(())
            }
            Stage::Expand if quota.is_used_up(&beam.stats) => Err(Halt::Quota),
            Stage::Expand => beam.expand(quota, observer),
            Stage::Evaluate => beam.evaluate(quota),
            Stage::Cut => Ok(beam.cut(quota)?),
        }
    }

    fn ending(beam: &LayeredBeam<'_, P, Self>) -> Option<Outcome<P::Action>> {
        beam.ending()
    }

    fn clear(&mut self) {
        self.evaluated = 0;
    }

    fn bytes(&self) -> u64 {
        bytes!(self.evaluator, self.children, self.priorities)
    }
}

impl<P: GoalPuzzle> LayeredBeam<'_, P, StateEstimates<'_, P>> {
    /// Expands the next state of the layer, completely or (for lack of memory) not at all.
    fn expand(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        let puzzle = self.puzzle;
        let id = self.expanded;
        let state = *self.current.state(id);
        let Record { trace, data: Forward { g, .. } } = *self.current.record(id);
        self.policy.children.clear();
        for action in onward(puzzle, &state, self.current.action(id)) {
            let child = puzzle.apply(&state, action);
            let Some(g) = g.checked_add(puzzle.action_cost(&state, action)) else {
                return Err(too_costly(&"2^32", "beam").into());
            };
            if 0 < self.config.max_cost && self.config.max_cost < g {
                self.lossy = true;
                continue;
            }
            self.grow(quota.bytes, |s, room| reserve(&mut s.policy.children, 1, room))?;
            let hash = crate::index::hash(&child);
            self.policy.children.push(Child { state: child, hash, action, g });
        }
        let count = self.policy.children.len();
        self.grow(quota.bytes, |s, room| s.next.reserve(count, room))?;
        for i in 0..count {
            let hash = self.policy.children[i].hash;
            self.grow(quota.bytes, |s, room| s.next.reserve_index(hash, count, room))?;
        }
        self.stats.expanded += 1;
        self.stats.generated += count as u64;
        self.expanded += 1;
        for i in 0..count {
            let child = self.policy.children[i];
            if !puzzle.is_goal(&child.state) {
                self.add(trace, &child);
            } else if self.reach_goal(trace, child.action, child.g, observer) {
                return Ok(());
            }
        }
        if self.next.len() - self.policy.evaluated as usize >= self.policy.batch {
            self.phase = Phase::Fill(Stage::Evaluate);
        }
        Ok(())
    }

    /// Adds a candidate, unless its state is in one of the three layers (or the path is costlier).
    #[inline]
    fn add(&mut self, parent: u32, child: &Child<P::State, P::Action>) {
        if let Some(id) = self.next.find(child.hash, &child.state) {
            let record = self.next.record_mut(id);
            if child.g < record.data.g {
                if self.config.order == Order::F {
                    record.data.priority -= (record.data.g - child.g) as f32;
                }
                record.data.g = child.g;
                record.trace = parent;
                self.next.set_action(id, child.action);
            }
        } else if !self.is_in_earlier_layer(child.hash, &child.state, child.g) {
            let record = Record { trace: parent, data: Forward { g: child.g, priority: f32::NAN } };
            self.next.push(child.hash, child.state, Some(child.action), record);
        }
    }

    /// Evaluates the candidates that have no estimate yet.
    fn evaluate(&mut self, quota: &Quota) -> Result<(), Halt> {
        let range = self.policy.evaluated..self.next.len() as u32;
        if !range.is_empty() {
            self.grow(quota.bytes, |s, room| s.policy.evaluator.reserve(range.len(), room))?;
            let StateEstimates { heuristic, evaluator, .. } = &mut self.policy;
            let admissible = heuristic.guarantee().is_admissible();
            let next = &self.next;
            let states = range.clone().map(|id| next.state(id));
            let estimates = evaluator.evaluate(self.puzzle, *heuristic, admissible, states)?;
            for (id, &h) in range.clone().zip(estimates) {
                let data = &mut self.next.record_mut(id).data;
                data.priority = match self.config.order {
                    Order::H => h,
                    Order::F => (f64::from(data.g) + f64::from(h)) as f32,
                };
            }
            self.stats.evaluated += range.len() as u64;
            self.policy.evaluated = range.end;
        }
        self.phase = Phase::Fill(Stage::Cut);
        Ok(())
    }

    /// Cuts the candidates, all evaluated, to the width if there are twice as many or the layer is
    /// done.
    fn cut(&mut self, quota: &Quota) -> Result<(), Full> {
        let done = self.expanded as usize == self.current.len();
        let (len, width) = (self.next.len(), self.config.width);
        if done || len >= 2 * width {
            self.grow(quota.bytes, |s, room| {
                s.policy.priorities.clear();
                reserve(&mut s.policy.priorities, len, room)
            })?;
            self.select(width);
        }
        self.phase = if done { Phase::Close } else { Phase::Fill(Stage::Expand) };
        Ok(())
    }

    /// Keeps the `width` best candidates and no dead end.
    fn select(&mut self, width: usize) {
        let dead = f32::INFINITY.to_bits();
        // Floats of one sign are ordered like their bits.
        let bits = |record: &Record<Forward>| record.data.priority.max(0.0).to_bits();
        let priorities = &mut self.policy.priorities;
        for id in 0..self.next.len() as u32 {
            priorities.push(bits(self.next.record(id)));
        }
        let alive = priorities.iter().filter(|&&p| p < dead).count();
        let (limit, mut ties) = if alive <= width {
            (dead, 0)
        } else {
            self.lossy = true;
            let limit = *priorities.select_nth_unstable(width - 1).1;
            let below = priorities.iter().filter(|&&p| p < limit).count();
            (limit, width - below)
        };
        if alive.min(width) < self.next.len() {
            self.next.retain(|_, record| {
                let p = bits(record);
                let tied = p == limit && ties > 0;
                ties -= usize::from(tied);
                p < limit || tied
            });
        }
        self.policy.evaluated = self.next.len() as u32;
    }
}
