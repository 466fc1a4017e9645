//! Beam search: breadth-first by number of actions, keeping the W most promising states of each layer.
//!
//! All states of a layer are expanded; of their successors, evaluated in batches, the W with the smallest
//! h (or f = g + h, the same within a layer where all costs are 1) make up the next layer. Ties are
//! broken by the order of generation. The search ends with the first goal generated.
//!
//! Duplicates are removed within a layer (the cheaper path is kept) and against the two layers before,
//! which in a space whose actions can be undone is enough to never meet an earlier layer again, but for
//! states that were cut off. In a space with longer directed cycles the beam may circle until
//! `max_depth`.
//!
//! Selection does not wait for the layer to be complete: whenever 2·W candidates have gathered they are
//! cut to W. As candidates are ordered by (h, generation), this keeps the same W as one cut at the end.
//!
//! An empty layer proves that there is no solution if nothing was ever cut off (successors that are
//! missing were proved dead ends or are in layers that were fully expanded). Otherwise the search is
//! exhausted. A solution is proved optimal only where it costs no more than the start's admissible
//! estimate.
//!
//! Memory: about four layers' worth of nodes, 116 bytes per unit of W for 8-byte states, and the paths that
//! the beam may still follow back (module `trace`).
//!
//! References: R. Bisiani, "Beam Search", in Encyclopedia of Artificial Intelligence (1987); R. Zhou and
//! E. A. Hansen, "Breadth-First Heuristic Search", Artificial Intelligence 170 (2006), on duplicates and
//! layers.

use crate::{
    evaluate::Evaluator,
    memory::{Accounted, Full, reserve, vec_bytes},
    nodes::{Child, NONE, Nodes},
    resumable::resumable,
    trace::Trace,
};
use unriddle_core::{
    BatchHeuristic, Cost, GoalPuzzle, Info, Observer, Options, Outcome, Progress, Quota, Role,
    SearchError, Solution, Stats, options, search::check_state_size, words,
};

/// Largest width.
pub const MAX_WIDTH: usize = 1 << 28;
/// States that are evaluated at a time, at least (but for the last of a layer).
const MIN_BATCH: usize = 1024;
/// States that are evaluated at a time, at most.
const MAX_BATCH: usize = 1 << 17;

/// What `describe beam` shows.
pub const INFO: Info = Info {
    name: "beam",
    role: Role::Search,
    version: 1,
    summary: "beam search: keeps the most promising states of each layer",
    guarantee: "incomplete; unsolvable is reported only if no state was ever cut off",
    requires: "a goal puzzle; memory for the beam",
    reference: "Bisiani 1987; Zhou and Hansen 2006 (duplicates)",
    parameters: BeamConfig::PARAMETERS,
};

words! {
    /// What a layer is ordered by.
    pub enum Order {
        /// The estimate.
        H = "h",
        /// Cost so far plus estimate.
        F = "f",
    }
}

words! {
    /// Whether narrower beams go first and wider ones follow.
    pub enum Widen {
        /// One beam of the width.
        No = "no",
        /// Beams that widen where the time is limited, and one beam where it is not.
        Timed = "timed",
    }
}

words! {
    /// Direction of the search.
    pub enum Direction {
        /// From the start to the goal.
        Forward = "forward" was "start",
        /// From the start and the goal, alternating by the estimates.
        Bidirectional = "bidirectional" was "both",
    }
}

words! {
    /// What is estimated.
    pub enum Choose {
        /// States, when they are generated.
        States = "states",
        /// Actions, before the states that they lead to are generated.
        Actions = "actions",
    }
}

options! {
    /// Options of [`Beam`].
    #[derive(Copy, Eq)]
    pub struct BeamConfig of INFO (h: Heuristic, "estimate of the cost that is left") {
        width: usize = "10000" in 1..=MAX_WIDTH, "states kept of each layer";
        max_depth: u32 = "10000" in 1..=u32::MAX, "actions of the longest path considered";
        max_cost: u32 = "0" in 0..=u32::MAX, "cost of the dearest path considered; 0 for any";
        order: Order = "h", "what a layer is ordered by: h, or f = g + h for unequal costs";
        choose: Choose = "states", "what is estimated: states that were generated, or actions before their states are, by a network with outputs of actions";
        direction was "ends": Direction = "forward",
            "direction of the search: forward or bidirectional",
            "`bidirectional` expands from the start and from the goal; the states of the puzzle need inverses at the same distance from the goal (`Invertible`)";
        goal_table was "near": u64 = "0" in 0..=1 << 36,
            "bytes of the goal table (0 = none)",
            "The goal table holds the exact distances of states near the goal. It is built once, kept in the cache, and ends the search early. At least 64,000 bytes are used; the puzzle must be `Invertible`";
        rerank was "rerank": usize = "1" in 1..=64,
            "candidates reranked per state of the width (1 = off)",
            "`rerank` × `width` candidates are estimated again by h(s) + h(s⁻¹), and the `width` smallest sums are kept; the puzzle must be `Invertible`";
        widen: Widen = "no", "timed: under a time limit begin with a width of 1/256, double it until the time is used up, and keep the best solution; without a time limit, and with no, one beam";
    }
}

impl BeamConfig {
    /// Whether it is for puzzles whose states have inverses alone ([`BidirectionalBeam`](crate::bidirectional::BidirectionalBeam)).
    #[must_use]
    pub fn needs_inverses(&self) -> bool {
        self.direction == Direction::Bidirectional || self.goal_table > 0 || self.rerank > 1
    }
}

/// The record of a node.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// Its place in the trace; of a candidate that of its parent.
    trace: u32,
    g: u32,
    /// What it is ordered by, infinity for a dead end; of a candidate NaN while it is not evaluated.
    priority: f32,
}

type Layer<P> =
    Nodes<<P as unriddle_core::Puzzle>::State, <P as unriddle_core::Puzzle>::Action, Record>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Start,
    Expand,
    Evaluate,
    Cut,
    Close,
    Extend,
    Done,
}

/// Beam search.
pub struct Beam<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    heuristic: &'a dyn BatchHeuristic<P>,
    config: BeamConfig,
    /// Solutions are sought that cost less than this.
    below: Option<Cost>,
    /// Whether a cheaper path to a state of an earlier layer was dropped.
    dearer: bool,
    batch: usize,
    /// The layer before the current one, the current one, and the candidates of the next.
    previous: Layer<P>,
    current: Layer<P>,
    next: Layer<P>,
    /// Nodes of the current layer that are expanded.
    expanded: u32,
    /// Candidates that are evaluated.
    evaluated: u32,
    depth: u32,
    /// Whether a state that is no dead end was ever cut off.
    lossy: bool,
    trace: Trace<P::Action>,
    phase: Phase,
    children: Vec<Child<P::State, P::Action>>,
    evaluator: Evaluator<P>,
    /// Scratch of a cut.
    priorities: Vec<u32>,
    stats: Stats,
    best: Option<Solution<P::Action>>,
    bound: Option<Cost>,
    outcome: Option<Outcome<P::Action>>,
    fault: Option<SearchError>,
}

impl<'a, P: GoalPuzzle> Beam<'a, P> {
    /// A search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        heuristic: &'a dyn BatchHeuristic<P>,
        config: BeamConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        check_state_size::<P>()?;
        Ok(Self {
            puzzle,
            heuristic,
            config,
            below: None,
            dearer: false,
            batch: heuristic.preferred_batch().clamp(MIN_BATCH, MAX_BATCH),
            previous: Nodes::new(),
            current: Nodes::new(),
            next: Nodes::new(),
            expanded: 0,
            evaluated: 0,
            depth: 0,
            lossy: false,
            trace: Trace::new(),
            phase: Phase::Start,
            children: Vec::new(),
            evaluator: Evaluator::new(),
            priorities: Vec::new(),
            stats: Stats::default(),
            best: None,
            bound: None,
            outcome: None,
            fault: None,
        })
    }

    /// Seeks only solutions that cost less than `below`, if it is given: a layer ends the search all of whose states
    /// cost as much. [`Outcome::Unsolvable`] then says that there is no cheaper solution: nothing was cut off, and no
    /// cheaper path to a state of an earlier layer was dropped.
    #[must_use]
    pub fn below(mut self, below: Option<Cost>) -> Self {
        self.below = below;
        self
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
        let bound = self.bound.map(|b| i64::from(b).min(best.value));
        self.best = Some(best.clone());
        self.end(Outcome::Solved { proof: bound == Some(best.value), best, bound });
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
        self.grow(quota.bytes, |s, room| s.evaluator.reserve(1, room))?;
        let admissible = self.heuristic.guarantee().is_admissible();
        let estimate =
            self.evaluator.evaluate(self.puzzle, self.heuristic, admissible, [&state].into_iter());
        let h = match estimate {
            Ok(estimate) => estimate[0],
            Err(fault) => {
                self.fail(fault);
                return Ok(());
            }
        };
        self.stats.evaluated += 1;
        if h == f32::INFINITY {
            self.end(Outcome::Unsolvable);
            return Ok(());
        }
        if admissible {
            self.bound = Some(h as Cost);
            observer.bound(i64::from(h as Cost), &self.stats);
        }
        let record = Record { trace: NONE, g: 0, priority: h };
        self.current.push(hash, state, None, record);
        self.phase = Phase::Expand;
        Ok(())
    }

    /// Expands the next state of the layer, all at once or (for lack of memory) not at all.
    fn expand(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Result<(), Full> {
        let puzzle = self.puzzle;
        let id = self.expanded;
        let state = *self.current.state(id);
        let Record { trace, g, .. } = *self.current.record(id);
        let last = self.current.action(id);
        self.children.clear();
        let actions = match last {
            Some(last) => puzzle.actions_after(&state, last),
            None => puzzle.actions(&state),
        };
        for action in actions {
            if last.is_some_and(|last| puzzle.is_inverse(last, action)) {
                continue;
            }
            let child = puzzle.apply(&state, action);
            let Some(g) = g.checked_add(puzzle.action_cost(&state, action)) else {
                self.fail(SearchError::TooLarge(
                    "a path costs 2^32 or more, which beam cannot hold".into(),
                ));
                return Ok(());
            };
            if 0 < self.config.max_cost && self.config.max_cost < g {
                self.lossy = true;
                continue;
            }
            self.grow(quota.bytes, |s, room| reserve(&mut s.children, 1, room))?;
            self.children.push(Child { state: child, hash: crate::index::hash(&child), action, g });
        }
        let count = self.children.len();
        self.grow(quota.bytes, |s, room| s.next.reserve(count, room))?;
        for i in 0..count {
            let hash = self.children[i].hash;
            self.grow(quota.bytes, |s, room| s.next.reserve_index(hash, count, room))?;
        }
        self.stats.expanded += 1;
        self.stats.generated += count as u64;
        self.expanded += 1;
        for i in 0..count {
            let child = self.children[i];
            if puzzle.is_goal(&child.state) {
                if self.below.is_some_and(|below| child.g >= below) {
                    continue;
                }
                let mut actions = self.trace.path(trace);
                actions.push(child.action);
                self.solved(actions, observer);
                return Ok(());
            }
            self.add(trace, &child);
        }
        if self.next.len() - self.evaluated as usize >= self.batch {
            self.phase = Phase::Evaluate;
        }
        Ok(())
    }

    /// Adds a candidate, unless its state is in one of the three layers (or the path there is dearer).
    #[inline]
    fn add(&mut self, parent: u32, child: &Child<P::State, P::Action>) {
        if let Some(id) = self.next.find(child.hash, &child.state) {
            let record = self.next.record_mut(id);
            if child.g < record.g {
                if self.config.order == Order::F {
                    record.priority -= (record.g - child.g) as f32;
                }
                record.g = child.g;
                record.trace = parent;
                self.next.set_action(id, child.action);
            }
            return;
        }
        for layer in [&self.current, &self.previous] {
            if let Some(id) = layer.find(child.hash, &child.state) {
                self.dearer |= child.g < layer.record(id).g;
                return;
            }
        }
        let record = Record { trace: parent, g: child.g, priority: f32::NAN };
        self.next.push(child.hash, child.state, Some(child.action), record);
    }

    /// Evaluates the candidates that are not evaluated yet.
    fn evaluate(&mut self, quota: &Quota) -> Result<(), Full> {
        let range = self.evaluated..self.next.len() as u32;
        if range.is_empty() {
            self.phase = Phase::Cut;
            return Ok(());
        }
        self.grow(quota.bytes, |s, room| s.evaluator.reserve(range.len(), room))?;
        let admissible = self.heuristic.guarantee().is_admissible();
        let next = &self.next;
        let states = range.clone().map(|id| next.state(id));
        let estimates =
            match self.evaluator.evaluate(self.puzzle, self.heuristic, admissible, states) {
                Ok(estimates) => estimates,
                Err(fault) => {
                    self.fail(fault);
                    return Ok(());
                }
            };
        for (id, &h) in range.clone().zip(estimates) {
            let record = self.next.record_mut(id);
            record.priority = match self.config.order {
                Order::H => h,
                Order::F => (f64::from(record.g) + f64::from(h)) as f32,
            };
        }
        self.stats.evaluated += range.len() as u64;
        self.evaluated = range.end;
        self.phase = Phase::Cut;
        Ok(())
    }

    /// Cuts the candidates, all evaluated, to the width if there are twice as many or the layer is done.
    fn cut(&mut self, quota: &Quota) -> Result<(), Full> {
        let done = self.expanded as usize == self.current.len();
        let (len, width) = (self.next.len(), self.config.width);
        if done || len >= 2 * width {
            self.grow(quota.bytes, |s, room| {
                s.priorities.clear();
                reserve(&mut s.priorities, len, room)
            })?;
            self.select(width);
        }
        self.phase = if done { Phase::Close } else { Phase::Expand };
        Ok(())
    }

    /// Keeps the `width` best candidates and no dead end.
    fn select(&mut self, width: usize) {
        let dead = f32::INFINITY.to_bits();
        // Floats of one sign are ordered like their bits.
        let bits = |record: &Record| record.priority.max(0.0).to_bits();
        for id in 0..self.next.len() as u32 {
            self.priorities.push(bits(self.next.record(id)));
        }
        let alive = self.priorities.iter().filter(|&&p| p < dead).count();
        let (limit, mut ties) = if alive <= width {
            (dead, 0)
        } else {
            self.lossy = true;
            let limit = *self.priorities.select_nth_unstable(width - 1).1;
            let below = self.priorities.iter().filter(|&&p| p < limit).count();
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
        self.evaluated = self.next.len() as u32;
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

    /// Makes the candidates the current layer.
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
        self.expanded = 0;
        self.evaluated = 0;
        self.depth += 1;
        self.phase = Phase::Expand;
        Ok(())
    }
}

impl<P: GoalPuzzle> Beam<'_, P> {
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
                    self.phase = Phase::Evaluate;
                    Ok(())
                }
                Phase::Expand if quota.is_used_up(&self.stats) => return Progress::Running,
                Phase::Expand => self.expand(quota, observer),
                Phase::Evaluate => self.evaluate(quota),
                Phase::Cut => self.cut(quota),
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

impl<P: GoalPuzzle> Accounted for Beam<'_, P> {
    fn bytes(&self) -> u64 {
        self.previous.bytes()
            + self.current.bytes()
            + self.next.bytes()
            + self.trace.bytes()
            + self.evaluator.bytes()
            + vec_bytes(&self.children)
            + vec_bytes(&self.priorities)
    }

    fn counters(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

resumable!(Beam);
