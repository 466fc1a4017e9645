//! Beam search that chooses actions before it generates states.
//!
//! As [`beam`](crate::beam), but what is estimated are the actions of a layer's states, not the states that
//! they lead to ([`ActionValues`]: the cost of an action and of what is left behind it, as the Q head of a
//! network says). Of all legal actions of a layer the most promising ones are kept, and only those are taken:
//! with twelve actions per state a beam of width W generates one and a half W states of a layer instead of 12·W,
//! and asks the estimate W times.
//!
//! Half as many actions again as the width are kept, because several may lead to the same state. They are
//! taken in the order of promise (ties: of expansion), until W different states are there that are not in the two
//! layers before. States are told apart by `Eq`. The search ends with the first goal generated: it is seen
//! only if its action was kept.
//!
//! Selection does not wait for the layer to be complete: whenever twice as many candidates as are kept have
//! gathered they are cut. As they are ordered by (promise, expansion), this keeps the same ones as one cut at
//! the end.
//!
//! A policy says how likely each action is to be the right one, and its beam is ordered by the probability of the whole
//! path: by the sum of −ln p along it ([`ActionValues::is_policy`]), whatever `order` is.
//!
//! Counters: a state whose actions are looked at is *expanded*, one whose actions are estimated is *evaluated*,
//! and a state that an action was taken to is *generated*. An empty layer proves that there is no solution if
//! no action was ever left out but proved dead ends.
//!
//! Memory: three layers of nodes, three candidates per unit of W, and the paths that the beam may still follow
//! back (module `trace`).
//!
//! References: F. Agostinelli et al., "Q* Search: Heuristic Search with Deep Q-Networks" (arXiv 2102.04518), where
//! one call estimates all actions of a state; R. Bisiani, "Beam Search", in Encyclopedia of Artificial Intelligence
//! (1987); K. Takano, "Self-Supervision is All You Need for Solving Rubik's Cube" (arXiv 2106.03157), on beams by a policy.

use crate::{
    beam::{BeamConfig, Order},
    evaluate::Evaluator,
    memory::{Accounted, Full, reserve, vec_bytes},
    nodes::{NONE, Nodes},
    resumable::resumable,
    trace::Trace,
};
use unriddle_core::{
    Cost, GoalPuzzle, Observer, Options, Outcome, Progress, Puzzle, Quota, Row, SearchError,
    Solution, Stats, search::check_state_size,
};

/// States whose actions are estimated at a time, at least (but for the last of a layer).
const MIN_BATCH: usize = 1024;
/// Estimates that are made at a time, at most, if that is not less than those of one state.
const MAX_NUMBERS: usize = 1 << 20;

/// Estimates of all actions of a batch of states.
///
/// ```
/// # use unriddle_core::{GoalPuzzle, Numbers, Puzzle, Row};
/// # struct Stairs(u8);
/// # impl Puzzle for Stairs {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Numbers;
/// #     fn initial_state(&self) -> u8 { self.0 }
/// #     fn actions(&self, stair: &u8) -> Numbers { Numbers::new(1, (*stair).min(2)) }
/// #     fn apply(&self, stair: &u8, steps: u8) -> u8 { stair - steps }
/// # }
/// # impl GoalPuzzle for Stairs {
/// #     fn is_goal(&self, stair: &u8) -> bool { *stair == 0 }
/// # }
/// use unriddle_core::{Budget, run};
/// use unriddle_search::{beam::BeamConfig, qbeam::{ActionValues, QBeam}};
///
/// /// One or two steps down: each costs 1, and half as many steps as stairs are left.
/// struct Half;
///
/// impl ActionValues<Stairs> for Half {
///     fn actions(&self) -> usize {
///         2
///     }
///     fn number(&self, _: &Stairs, _: &u8, steps: u8) -> usize {
///         usize::from(steps) - 1
///     }
///     fn evaluate(&self, rows: &[Row<'_, Stairs>], out: &mut [f32]) {
///         for (row, out) in rows.iter().zip(out.chunks_exact_mut(2)) {
///             for (steps, out) in (1..).zip(out) {
///                 *out = 1.0 + f32::from(row.state.saturating_sub(steps)) / 2.0;
///             }
///         }
///     }
/// }
///
/// let config = BeamConfig { width: 1, ..BeamConfig::default() };
/// let mut search = QBeam::new(&Stairs(9), &Half, config).unwrap();
/// let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
/// assert_eq!(outcome.best().unwrap().actions, [2, 2, 2, 2, 1]);
/// ```
pub trait ActionValues<P: Puzzle>: Send + Sync {
    /// How many numbers of actions there are.
    fn actions(&self) -> usize;

    /// The number of a legal action of a state, below [`actions`](Self::actions).
    fn number(&self, puzzle: &P, state: &P::State, action: P::Action) -> usize;

    /// Whether what is estimated are not costs but how unlikely an action is: −ln p of a probability p.
    fn is_policy(&self) -> bool {
        false
    }

    /// Writes [`actions`](Self::actions) estimates of every row to `out`, row after row: the cost of the
    /// action with this number and of what is left behind it, infinity for a proved dead end. Those of
    /// actions that are not legal are not looked at.
    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]);

    /// The batch size, in states, from which on a larger batch costs no less per state.
    fn preferred_batch(&self) -> usize {
        1
    }

    /// Memory that the estimate holds, in bytes.
    fn bytes(&self) -> u64 {
        0
    }
}

/// The record of a node.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// Its place in the trace; of a node of the next layer that of its parent.
    trace: u32,
    g: Cost,
    /// What it was chosen by; of a policy the sum along the path.
    promise: f32,
}

/// An action that may be taken.
#[derive(Clone, Copy, Debug)]
struct Candidate<A> {
    /// What it is ordered by: floats of one sign are ordered like their bits.
    promise: u32,
    /// Place of the state in its layer, and of the action among the state's.
    parent: u32,
    place: u32,
    /// Cost of the path with the action.
    g: Cost,
    action: A,
}

impl<A> Candidate<A> {
    fn key(&self) -> (u32, u32, u32) {
        (self.promise, self.parent, self.place)
    }
}

type Layer<P> = Nodes<<P as Puzzle>::State, <P as Puzzle>::Action, Record>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Start,
    /// Estimate the actions of the next states of the layer.
    Evaluate,
    /// Look at the actions of the next state.
    Expand,
    /// Choose among all actions of the layer.
    Cut,
    /// Take the next action.
    Generate,
    Close,
    Extend,
    Done,
}

/// Beam search by estimates of actions.
pub struct QBeam<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    values: &'a dyn ActionValues<P>,
    config: BeamConfig,
    /// Solutions are sought that cost less than this.
    below: Option<Cost>,
    /// Whether a cheaper path to a state of an earlier layer was dropped.
    dearer: bool,
    /// States whose actions are estimated at a time.
    batch: usize,
    /// The layer before the current one, the current one, and the next.
    previous: Layer<P>,
    current: Layer<P>,
    next: Layer<P>,
    /// Nodes of the current layer that are expanded, and from which to which one there are estimates.
    expanded: u32,
    estimated: (u32, u32),
    candidates: Vec<Candidate<P::Action>>,
    /// Candidates that are taken.
    taken: usize,
    depth: u32,
    /// Whether an action that is no dead end was ever left out.
    lossy: bool,
    trace: Trace<P::Action>,
    phase: Phase,
    evaluator: Evaluator<P>,
    stats: Stats,
    best: Option<Solution<P::Action>>,
    bound: Option<Cost>,
    outcome: Option<Outcome<P::Action>>,
    fault: Option<SearchError>,
}

impl<'a, P: GoalPuzzle> QBeam<'a, P> {
    /// A search that has not begun. Ordered by [`Order::H`], actions compete by their estimates; by
    /// [`Order::F`], the cost so far is added.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        values: &'a dyn ActionValues<P>,
        config: BeamConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        check_state_size::<P>()?;
        let most = (MAX_NUMBERS / values.actions().max(1)).max(1);
        Ok(Self {
            puzzle,
            values,
            config,
            below: None,
            dearer: false,
            batch: values.preferred_batch().max(MIN_BATCH).min(most),
            previous: Nodes::new(),
            current: Nodes::new(),
            next: Nodes::new(),
            expanded: 0,
            estimated: (0, 0),
            candidates: Vec::new(),
            taken: 0,
            depth: 0,
            lossy: false,
            trace: Trace::new(),
            phase: Phase::Start,
            evaluator: Evaluator::new(),
            stats: Stats::default(),
            best: None,
            bound: None,
            outcome: None,
            fault: None,
        })
    }

    /// Seeks only solutions that cost less than `below`, as [`Beam::below`](crate::beam::Beam::below).
    #[must_use]
    pub fn below(mut self, below: Option<Cost>) -> Self {
        self.below = below;
        self
    }

    /// Candidates that are kept of a layer.
    fn kept(&self) -> usize {
        self.config.width + self.config.width.div_ceil(2)
    }

    fn end(&mut self, outcome: Outcome<P::Action>) {
        self.phase = Phase::Done;
        self.outcome = Some(outcome);
    }

    fn fail(&mut self, fault: SearchError) {
        self.fault = Some(fault);
        self.end(Outcome::Exhausted { best: None });
    }

    fn solved(&mut self, actions: Vec<P::Action>, observer: &mut dyn Observer<P::Action>) {
        let best = Solution::played(self.puzzle, actions);
        observer.improved(&best, &self.stats);
        self.best = Some(best.clone());
        self.end(Outcome::Solved {
            proof: self.bound.map(i64::from) == Some(best.value),
            bound: self.bound.map(i64::from),
            best,
        });
    }

    fn start(&mut self, quota: &Quota, observer: &mut dyn Observer<P::Action>) -> Result<(), Full> {
        let state = self.puzzle.initial_state();
        if self.puzzle.is_goal(&state) {
            self.bound = Some(0);
            self.solved(Vec::new(), observer);
            return Ok(());
        }
        let hash = crate::index::hash(&state);
        self.grow(quota.bytes, |s, room| s.current.reserve(1, room))?;
        self.grow(quota.bytes, |s, room| s.current.reserve_index(hash, 1, room))?;
        let record = Record { trace: NONE, g: 0, promise: 0.0 };
        self.current.push(hash, state, None, record);
        self.phase = Phase::Expand;
        Ok(())
    }

    /// Estimates the actions of the next states of the layer.
    fn evaluate(&mut self, quota: &Quota) -> Result<(), Full> {
        let from = self.expanded;
        let to = (from as usize + self.batch).min(self.current.len()) as u32;
        let (count, numbers) = ((to - from) as usize, self.values.actions());
        self.grow(quota.bytes, |s, room| s.evaluator.reserve_actions(count, numbers, room))?;
        let current = &self.current;
        let states = (from..to).map(|id| current.state(id));
        (self.evaluator).evaluate_actions(self.puzzle, self.values, states);
        self.stats.evaluated += count as u64;
        self.estimated = (from, to);
        self.phase = Phase::Expand;
        Ok(())
    }

    /// Looks at the actions of the next state of the layer, at all of them or (for lack of memory) at none.
    fn expand(&mut self, quota: &Quota) -> Result<(), Full> {
        let puzzle = self.puzzle;
        let id = self.expanded;
        let state = *self.current.state(id);
        let Record { g, promise, .. } = *self.current.record(id);
        let is_policy = self.values.is_policy();
        let last = self.current.action(id);
        let numbers = self.values.actions();
        let row = (id - self.estimated.0) as usize;
        let (before, was_lossy) = (self.candidates.len(), self.lossy);
        let actions = match last {
            Some(last) => puzzle.actions_after(&state, last),
            None => puzzle.actions(&state),
        };
        for (place, action) in actions.enumerate() {
            if last.is_some_and(|last| puzzle.is_inverse(last, action)) {
                continue;
            }
            let number = self.values.number(puzzle, &state, action);
            let estimate = match self.evaluator.of_action(row, numbers, number) {
                Ok(estimate) => estimate,
                Err(fault) => {
                    self.fail(fault);
                    return Ok(());
                }
            };
            if estimate == f32::INFINITY {
                continue;
            }
            let Some(child) = g.checked_add(puzzle.action_cost(&state, action)) else {
                self.fail(SearchError::TooLarge(
                    "a path costs 2^32 or more, which a beam cannot hold".into(),
                ));
                return Ok(());
            };
            if 0 < self.config.max_cost && self.config.max_cost < child {
                self.lossy = true;
                continue;
            }
            let promise = match self.config.order {
                _ if is_policy => promise + estimate,
                Order::H => estimate,
                // The estimate has the action's cost in it.
                Order::F => (f64::from(g) + f64::from(estimate)) as f32,
            };
            let grown = self.grow(quota.bytes, |s, room| reserve(&mut s.candidates, 1, room));
            if let Err(full) = grown {
                self.candidates.truncate(before);
                self.lossy = was_lossy;
                return Err(full);
            }
            self.candidates.push(Candidate {
                promise: promise.to_bits(),
                parent: id,
                place: place as u32,
                g: child,
                action,
            });
        }
        self.stats.expanded += 1;
        self.expanded += 1;
        if self.candidates.len() >= 2 * self.kept() {
            self.cut();
        }
        Ok(())
    }

    /// Leaves out what is beyond the candidates that are kept.
    fn cut(&mut self) {
        let kept = self.kept();
        if self.candidates.len() > kept {
            self.lossy = true;
            (self.candidates).select_nth_unstable_by_key(kept - 1, Candidate::key);
            self.candidates.truncate(kept);
        }
    }

    /// Takes the next action.
    fn generate(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Result<(), Full> {
        if self.taken == self.candidates.len() {
            self.phase = Phase::Close;
            return Ok(());
        }
        if self.next.len() == self.config.width {
            self.lossy = true;
            self.phase = Phase::Close;
            return Ok(());
        }
        let Candidate { parent, g, action, promise, .. } = self.candidates[self.taken];
        let promise = f32::from_bits(promise);
        let child = self.puzzle.apply(self.current.state(parent), action);
        let hash = crate::index::hash(&child);
        self.grow(quota.bytes, |s, room| s.next.reserve(1, room))?;
        self.grow(quota.bytes, |s, room| s.next.reserve_index(hash, 1, room))?;
        self.taken += 1;
        self.stats.generated += 1;
        let trace = self.current.record(parent).trace;
        if self.puzzle.is_goal(&child) {
            if self.below.is_some_and(|below| g >= below) {
                return Ok(());
            }
            // The trace has the actions of layers that are done: that of the parent is among them.
            let mut actions = self.trace.path(trace);
            actions.push(action);
            self.solved(actions, observer);
            return Ok(());
        }
        if let Some(id) = self.next.find(hash, &child) {
            let record = self.next.record_mut(id);
            if g < record.g {
                *record = Record { trace, g, promise };
                self.next.set_action(id, action);
            }
            return Ok(());
        }
        for layer in [&self.current, &self.previous] {
            if let Some(id) = layer.find(hash, &child) {
                self.dearer |= g < layer.record(id).g;
                return Ok(());
            }
        }
        let record = Record { trace, g, promise };
        self.next.push(hash, child, Some(action), record);
        Ok(())
    }

    /// The layer is done: drops the paths that nothing goes on from.
    fn close(&mut self) {
        let mut next = (0..self.next.len() as u32).map(|id| self.next.record(id));
        let is_over = match self.below {
            None => next.len() == 0,
            Some(below) => next.all(|record| record.g >= below),
        };
        if is_over {
            let is_open = self.lossy || self.below.is_some() && self.dearer;
            self.end(match is_open {
                true => Outcome::Exhausted { best: None },
                false => Outcome::Unsolvable,
            });
            return;
        }
        if self.depth + 1 >= self.config.max_depth {
            self.end(Outcome::Exhausted { best: None });
            return;
        }
        for id in 0..self.next.len() as u32 {
            self.trace.hold(self.next.record(id).trace);
        }
        for id in 0..self.current.len() as u32 {
            self.trace.release(self.current.record(id).trace);
        }
        self.phase = Phase::Extend;
    }

    /// Makes the next layer the current one.
    fn extend(&mut self, quota: &Quota) -> Result<(), Full> {
        let count = self.next.len();
        self.grow(quota.bytes, |s, room| s.trace.reserve(count, room))?;
        for id in 0..count as u32 {
            if let Some(action) = self.next.action(id) {
                let record = self.next.record_mut(id);
                record.trace = self.trace.add(record.trace, action);
            }
        }
        std::mem::swap(&mut self.previous, &mut self.current);
        std::mem::swap(&mut self.current, &mut self.next);
        self.next.clear();
        self.candidates.clear();
        self.taken = 0;
        self.expanded = 0;
        self.estimated = (0, 0);
        self.depth += 1;
        self.phase = Phase::Expand;
        Ok(())
    }

    /// Goes on until the quota is used up, the search ends or has a fault.
    fn go_on(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Progress<P::Action> {
        loop {
            let result = match self.phase {
                Phase::Start => self.start(quota, observer),
                Phase::Expand if self.expanded as usize == self.current.len() => {
                    self.phase = Phase::Cut;
                    Ok(())
                }
                Phase::Expand if quota.is_used_up(&self.stats) => return Progress::Running,
                // What a layer's last expansion leads to belongs to that expansion.
                Phase::Generate if self.stats.generated >= quota.generated => {
                    return Progress::Running;
                }
                Phase::Expand if self.expanded == self.estimated.1 => {
                    self.phase = Phase::Evaluate;
                    Ok(())
                }
                Phase::Expand => self.expand(quota),
                Phase::Evaluate => self.evaluate(quota),
                Phase::Cut => {
                    self.cut();
                    (self.candidates).sort_unstable_by_key(Candidate::key);
                    self.phase = Phase::Generate;
                    Ok(())
                }
                Phase::Generate => self.generate(quota, observer),
                Phase::Close => {
                    self.close();
                    Ok(())
                }
                Phase::Extend => self.extend(quota),
                Phase::Done => {
                    let outcome = self.outcome.clone();
                    return Progress::Finished(
                        outcome.unwrap_or(Outcome::Exhausted { best: None }),
                    );
                }
            };
            if result.is_err() {
                return Progress::OutOfMemory;
            }
        }
    }
}

impl<P: GoalPuzzle> Accounted for QBeam<'_, P> {
    fn bytes(&self) -> u64 {
        self.previous.bytes()
            + self.current.bytes()
            + self.next.bytes()
            + self.trace.bytes()
            + self.evaluator.bytes()
            + vec_bytes(&self.candidates)
    }

    fn counters(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

resumable!(QBeam);
