//! Beam search that chooses actions before it generates states.
//!
//! The search equals [`beam`](crate::beam), but it estimates the actions of a layer's states
//! instead of their successors. The estimate ([`ActionValues`], for example the Q head of a
//! network) is the cost of an action and of the path from its result to the goal. Only the most
//! promising actions of a layer are applied: with twelve actions per state a beam of width W
//! generates one and a half W states of a layer instead of 12·W, and evaluates W states.
//!
//! The search keeps 1.5·W candidates, because several actions may lead to the same state. It
//! applies them in the order of their priority (ties: of expansion), until it has W different
//! states that are not in the two previous layers. States are compared by `Eq`. The search ends
//! with the first goal generated; it finds a goal only if it kept the goal's action.
//!
//! Selection does not wait for the layer to be complete: whenever there are 3·W candidates they are
//! cut to 1.5·W. As candidates are ordered by (priority, expansion), this keeps the same candidates
//! as one cut at the end.
//!
//! A policy estimates the probability p of each action to be the right one. Its beam is ordered by
//! the probability of the whole path, which is the sum of −ln p along the path
//! ([`ActionValues::is_policy`]), whatever `order` is.
//!
//! Counters: a state whose actions became candidates is *expanded*, a state whose actions were
//! estimated is *evaluated*, and the result of an applied action is *generated*. An empty layer
//! proves that there is no solution if all actions that were left out are proved dead ends.
//!
//! Memory: three layers of nodes, three candidates per unit of W, and the paths that the beam may
//! still follow back (module `trace`).
//!
//! References: F. Agostinelli et al., "Q* Search: Heuristic Search with Deep Q-Networks" (arXiv
//! 2102.04518), where one call estimates all actions of a state; R. Bisiani, "Beam Search", in
//! Encyclopedia of Artificial Intelligence (1987); K. Takano, "Self-Supervision is All You Need for
//! Solving Rubik's Cube" (arXiv 2106.03157), on beams by a policy.

pub use crate::estimates::ActionValues;

use crate::{
    beam::{BeamConfig, Order},
    evaluate::Evaluator,
    layered_beam::{Forward, LayeredBeam, Phase, Policy, Record},
    memory::{Accounted, Full, bytes, reserve},
    report::{Halt, ObserverOf, delegate_search, onward, too_costly},
    views::SeekBelow,
};
use unriddle_core::{Cost, GoalPuzzle, Outcome, Quota, SearchError};

/// Smallest number of states whose actions are estimated at a time (but for the last ones of a
/// layer).
const MIN_BATCH: usize = 1024;
/// Largest number of estimates that are made at a time, unless one state has more.
const MAX_NUMBERS: usize = 1 << 20;

/// Action that the beam may apply.
#[derive(Clone, Copy, Debug)]
struct Candidate<A> {
    /// Bits of the priority: floats of one sign are ordered like their bits.
    priority: u32,
    /// Number of the state in its layer.
    parent: u32,
    /// Number of the action among the state's.
    number: u32,
    /// Cost of the path with the action.
    g: Cost,
    action: A,
}

impl<A> Candidate<A> {
    fn key(&self) -> (u32, u32, u32) {
        (self.priority, self.parent, self.number)
    }
}

/// Stage of the work on a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Estimates the actions of the next states of the layer.
    Evaluate,
    /// Makes candidates of the actions of the next state.
    Expand,
    /// Chooses among all candidates of the layer.
    Cut,
    /// Applies the next action.
    Generate,
}

/// Policy that estimates actions before it generates states.
struct ActionEstimates<'a, P: GoalPuzzle> {
    values: &'a dyn ActionValues<P>,
    /// Number of states whose actions are estimated at a time.
    batch: usize,
    /// First node of the current layer whose actions are estimated, and the node after the last
    /// one.
    estimated: (u32, u32),
    candidates: Vec<Candidate<P::Action>>,
    /// Number of applied candidates.
    taken: usize,
    evaluator: Evaluator<P>,
}

/// Beam search by estimates of actions.
pub struct QBeam<'a, P: GoalPuzzle>(LayeredBeam<'a, P, ActionEstimates<'a, P>>);

impl<'a, P: GoalPuzzle> QBeam<'a, P> {
    /// Creates a search that has not begun. With [`Order::H`] actions compete by their estimates;
    /// with [`Order::F`] the cost so far is added.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        values: &'a dyn ActionValues<P>,
        config: BeamConfig,
    ) -> Result<Self, SearchError> {
        let most = (MAX_NUMBERS / values.actions().max(1)).max(1);
        let policy = ActionEstimates {
            values,
            batch: values.preferred_batch().max(MIN_BATCH).min(most),
            estimated: (0, 0),
            candidates: Vec::new(),
            taken: 0,
            evaluator: Evaluator::new(),
        };
        LayeredBeam::new(puzzle, policy, config).map(Self)
    }

    /// Seeks only solutions that cost less than `below`, as
    /// [`Beam::below`](crate::beam::Beam::below).
    #[must_use]
    pub fn below(mut self, below: Option<Cost>) -> Self {
        self.0.below = below;
        self
    }
}

delegate_search!(QBeam);

impl<P: GoalPuzzle> SeekBelow for QBeam<'_, P> {
    fn seek_below(&mut self, below: Cost) {
        self.0.below = Some(below);
    }
}

impl<P: GoalPuzzle> Policy<P> for ActionEstimates<'_, P> {
    type Edge = P::Action;
    type Data = Forward;
    type Stage = Stage;

    const FIRST: Stage = Stage::Expand;

    fn root(
        _: &mut LayeredBeam<'_, P, Self>,
        _: &P::State,
        _: &Quota,
        _: &mut ObserverOf<'_, P>,
    ) -> Result<Option<Forward>, Halt> {
        Ok(Some(Forward { g: 0, priority: 0.0 }))
    }

    fn fill(
        beam: &mut LayeredBeam<'_, P, Self>,
        stage: Stage,
        quota: &Quota,
        observer: &mut ObserverOf<'_, P>,
    ) -> Result<(), Halt> {
        match stage {
            Stage::Expand if beam.expanded as usize == beam.current.len() => {
                beam.phase = Phase::Fill(Stage::Cut);
            }
            Stage::Expand if quota.is_used_up(&beam.stats) => return Err(Halt::Quota),
            // The states that a layer's last expansion leads to belong to that expansion.
            Stage::Generate if beam.stats.generated >= quota.generated => return Err(Halt::Quota),
            Stage::Expand if beam.expanded == beam.policy.estimated.1 => {
                beam.phase = Phase::Fill(Stage::Evaluate);
            }
            Stage::Expand => beam.expand(quota)?,
            Stage::Evaluate => beam.evaluate(quota)?,
            Stage::Cut => {
                beam.cut();
                beam.policy.candidates.sort_unstable_by_key(Candidate::key);
                beam.phase = Phase::Fill(Stage::Generate);
            }
            Stage::Generate => beam.generate(quota, observer)?,
        }
        Ok(())
    }

    fn ending(beam: &LayeredBeam<'_, P, Self>) -> Option<Outcome<P::Action>> {
        beam.ending()
    }

    fn clear(&mut self) {
        self.candidates.clear();
        self.taken = 0;
        self.estimated = (0, 0);
    }

    fn bytes(&self) -> u64 {
        bytes!(self.evaluator, self.candidates)
    }
}

impl<P: GoalPuzzle> LayeredBeam<'_, P, ActionEstimates<'_, P>> {
    /// Number of candidates that a cut keeps.
    fn kept(&self) -> usize {
        self.config.width + self.config.width.div_ceil(2)
    }

    /// Estimates the actions of the next states of the layer.
    fn evaluate(&mut self, quota: &Quota) -> Result<(), Full> {
        let from = self.expanded;
        let to = (from as usize + self.policy.batch).min(self.current.len()) as u32;
        let (count, numbers) = ((to - from) as usize, self.policy.values.actions());
        self.grow(quota.bytes, |s, room| s.policy.evaluator.reserve_actions(count, numbers, room))?;
        let ActionEstimates { values, evaluator, .. } = &mut self.policy;
        let current = &self.current;
        let states = (from..to).map(|id| current.state(id));
        evaluator.evaluate_actions(self.puzzle, *values, states);
        self.stats.evaluated += count as u64;
        self.policy.estimated = (from, to);
        self.phase = Phase::Fill(Stage::Expand);
        Ok(())
    }

    /// Makes candidates of the actions of the next state: of all, or (for lack of memory) of none.
    fn expand(&mut self, quota: &Quota) -> Result<(), Halt> {
        let (puzzle, values) = (self.puzzle, self.policy.values);
        let id = self.expanded;
        let state = *self.current.state(id);
        let Forward { g, priority } = self.current.record(id).data;
        let row = (id - self.policy.estimated.0) as usize;
        let (before, was_lossy) = (self.policy.candidates.len(), self.lossy);
        let actions = onward(puzzle, &state, self.current.action(id));
        for (number, action) in actions.enumerate() {
            let index = values.number(puzzle, &state, action);
            let estimate = self.policy.evaluator.of_action(row, values.actions(), index)?;
            if estimate == f32::INFINITY {
                continue;
            }
            let Some(child) = g.checked_add(puzzle.action_cost(&state, action)) else {
                return Err(too_costly(&"2^32", "a beam").into());
            };
            if 0 < self.config.max_cost && self.config.max_cost < child {
                self.lossy = true;
                continue;
            }
            let priority = match self.config.order {
                _ if values.is_policy() => priority + estimate,
                Order::H => estimate,
                // The estimate contains the action's cost.
                Order::F => (f64::from(g) + f64::from(estimate)) as f32,
            };
            let grown =
                self.grow(quota.bytes, |s, room| reserve(&mut s.policy.candidates, 1, room));
            if let Err(full) = grown {
                self.policy.candidates.truncate(before);
                self.lossy = was_lossy;
                return Err(full.into());
            }
            self.policy.candidates.push(Candidate {
                priority: priority.to_bits(),
                parent: id,
                number: number as u32,
                g: child,
                action,
            });
        }
        self.stats.expanded += 1;
        self.expanded += 1;
        if self.policy.candidates.len() >= 2 * self.kept() {
            self.cut();
        }
        Ok(())
    }

    /// Drops all but the best candidates.
    fn cut(&mut self) {
        let kept = self.kept();
        let candidates = &mut self.policy.candidates;
        if candidates.len() > kept {
            self.lossy = true;
            candidates.select_nth_unstable_by_key(kept - 1, Candidate::key);
            candidates.truncate(kept);
        }
    }

    /// Applies the next action.
    fn generate(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Full> {
        let Some(&candidate) = self.policy.candidates.get(self.policy.taken) else {
            self.phase = Phase::Close;
            return Ok(());
        };
        if self.next.len() == self.config.width {
            self.lossy = true;
            self.phase = Phase::Close;
            return Ok(());
        }
        let Candidate { parent, g, action, priority, .. } = candidate;
        let child = self.puzzle.apply(self.current.state(parent), action);
        let hash = crate::index::hash(&child);
        self.grow(quota.bytes, |s, room| s.next.reserve(1, room))?;
        self.grow(quota.bytes, |s, room| s.next.reserve_index(hash, 1, room))?;
        self.policy.taken += 1;
        self.stats.generated += 1;
        let trace = self.current.record(parent).trace;
        if self.puzzle.is_goal(&child) {
            self.reach_goal(trace, action, g, observer);
            return Ok(());
        }
        let record = Record { trace, data: Forward { g, priority: f32::from_bits(priority) } };
        if let Some(id) = self.next.find(hash, &child) {
            if g < self.next.record(id).data.g {
                *self.next.record_mut(id) = record;
                self.next.set_action(id, action);
            }
        } else if !self.is_in_earlier_layer(hash, &child, g) {
            self.next.push(hash, child, Some(action), record);
        }
        Ok(())
    }
}
