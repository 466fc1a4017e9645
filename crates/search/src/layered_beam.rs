//! Engine of the beam searches: a policy makes each layer of nodes from the layer before.
//!
//! The engine holds three layers (the previous, the current and the next one), the paths to their
//! nodes and the report of the search. The policy decides how candidates are estimated, which of
//! them the next layer keeps, and when the search ends.

use crate::{
    beam::BeamConfig,
    guard::check_batch,
    memory::{Accounted, Full, accounted},
    nodes::{NONE, Nodes},
    report::{Halt, ObserverOf, Report, goal_search},
    trace::Trace,
};
use unriddle_core::{
    BatchHeuristic, Cost, GoalPuzzle, Options, Outcome, Quota, SearchError, Solution, Stats,
    search::check_state_size,
};

/// Record of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<D> {
    /// Number of the node's path in the trace; in the next layer, of the parent's path.
    pub(crate) trace: u32,
    pub(crate) data: D,
}

/// Layer of the policy `K`.
pub(crate) type Layer<P, K> = Nodes<
    <P as unriddle_core::Puzzle>::State,
    <K as Policy<P>>::Edge,
    Record<<K as Policy<P>>::Data>,
>;

/// Method by which a beam makes the next layer.
pub(crate) trait Policy<P: GoalPuzzle>: Sized {
    /// Step of a path from one layer to the next.
    type Edge: Copy;
    /// Data of a node.
    type Data: Copy;
    /// Stage of the work on a layer.
    type Stage: Copy;

    /// First stage of each layer.
    const FIRST: Self::Stage;
    /// Whether the paths of the current layer are released before the trace grows by the next one,
    /// which needs less memory, or after.
    const RELEASES_FIRST: bool = true;

    /// Checks whether the beam fits into the quota, before the search begins.
    ///
    /// # Errors
    /// [`SearchError`] if the beam does not fit.
    fn admit(beam: &LayeredBeam<'_, P, Self>, quota: &Quota) -> Result<(), SearchError> {
        let _ = (beam, quota);
        Ok(())
    }

    /// Data of the start, which is not a goal; `None` if the search has ended.
    fn root(
        beam: &mut LayeredBeam<'_, P, Self>,
        state: &P::State,
        quota: &Quota,
        observer: &mut ObserverOf<'_, P>,
    ) -> Result<Option<Self::Data>, Halt>;

    /// Heuristic whose estimates are checked around a solution, if the beam has one.
    fn heuristic(&self) -> Option<&dyn BatchHeuristic<P>> {
        None
    }

    /// Takes a step of a stage. The last stage continues with [`Phase::Close`].
    fn fill(
        beam: &mut LayeredBeam<'_, P, Self>,
        stage: Self::Stage,
        quota: &Quota,
        observer: &mut ObserverOf<'_, P>,
    ) -> Result<(), Halt>;

    /// Outcome of the search if the next layer, which is complete, is not to be expanded.
    fn ending(beam: &LayeredBeam<'_, P, Self>) -> Option<Outcome<P::Action>>;

    /// Clears the data of a layer that is complete.
    fn clear(&mut self) {}

    /// Bytes of the policy's buffers.
    fn bytes(&self) -> u64;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase<S> {
    Start,
    /// The policy works on the next layer.
    Fill(S),
    /// The next layer is complete.
    Close,
    /// The next layer becomes the current one.
    Extend,
}

/// Beam search by a policy.
pub(crate) struct LayeredBeam<'a, P: GoalPuzzle, K: Policy<P>> {
    pub(crate) puzzle: &'a P,
    pub(crate) policy: K,
    pub(crate) config: BeamConfig,
    /// Only solutions of a smaller cost are sought.
    pub(crate) below: Option<Cost>,
    /// Whether a cheaper path to a state of an earlier layer was dropped.
    pub(crate) dropped_cheaper: bool,
    pub(crate) previous: Layer<P, K>,
    pub(crate) current: Layer<P, K>,
    pub(crate) next: Layer<P, K>,
    /// Number of expanded nodes of the current layer.
    pub(crate) expanded: u32,
    /// Number of actions to the current layer.
    pub(crate) depth: u32,
    /// Whether a state that is not a proved dead end was ever cut off.
    pub(crate) lossy: bool,
    pub(crate) trace: Trace<K::Edge>,
    pub(crate) phase: Phase<K::Stage>,
    pub(crate) stats: Stats,
    pub(crate) report: Report<P::Action>,
}

impl<'a, P: GoalPuzzle, K: Policy<P>> LayeredBeam<'a, P, K> {
    /// Creates a search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub(crate) fn new(puzzle: &'a P, policy: K, config: BeamConfig) -> Result<Self, SearchError> {
        config.check()?;
        check_state_size::<P>()?;
        Ok(Self {
            puzzle,
            policy,
            config,
            below: None,
            dropped_cheaper: false,
            previous: Nodes::default(),
            current: Nodes::default(),
            next: Nodes::default(),
            expanded: 0,
            depth: 0,
            lossy: false,
            trace: Trace::new(),
            phase: Phase::Start,
            stats: Stats::default(),
            report: Report::new(),
        })
    }

    /// Ends the search with the solution of these actions.
    pub(crate) fn solve(&mut self, actions: Vec<P::Action>, observer: &mut ObserverOf<'_, P>) {
        if let Some(heuristic) = self.policy.heuristic() {
            self.report.check(check_batch(self.puzzle, &actions, heuristic));
        }
        let best = Solution::played(self.puzzle, actions);
        self.report.solve(best, &self.stats, observer);
    }

    fn start(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        K::admit(self, quota)?;
        let state = self.puzzle.initial_state();
        if self.puzzle.is_goal(&state) {
            self.report.bound = Some(0);
            self.solve(Vec::new(), observer);
            return Ok(());
        }
        let hash = crate::index::hash(&state);
        self.grow(quota.bytes, |s, room| s.current.reserve(1, room))?;
        self.grow(quota.bytes, |s, room| s.current.reserve_index(hash, 1, room))?;
        if let Some(data) = K::root(self, &state, quota, observer)? {
            self.current.push(hash, state, None, Record { trace: NONE, data });
            self.phase = Phase::Fill(K::FIRST);
        }
        Ok(())
    }

    /// Ends the search, or prepares the next layer for its expansion.
    fn close(&mut self) {
        self.report.outcome = K::ending(self).or_else(|| {
            let is_deep = self.depth + 1 >= self.config.max_depth;
            if is_deep {
                let deepest = self.config.max_depth;
                self.report.reason =
                    Some(format!("the beam ended after {deepest} actions, the limit `max_depth`"));
            }
            is_deep.then_some(Outcome::Exhausted { best: None })
        });
        if self.report.outcome.is_none() {
            if K::RELEASES_FIRST {
                self.release();
            }
            self.phase = Phase::Extend;
        }
    }

    /// Releases the paths that no node of the next layer continues.
    fn release(&mut self) {
        for id in 0..self.next.len() as u32 {
            self.trace.hold(self.next.record(id).trace);
        }
        for id in 0..self.current.len() as u32 {
            self.trace.release(self.current.record(id).trace);
        }
    }

    /// Makes the next layer the current one.
    fn extend(&mut self, quota: &Quota) -> Result<(), Full> {
        let count = self.next.len();
        self.grow(quota.bytes, |s, room| s.trace.reserve(count, room))?;
        if !K::RELEASES_FIRST {
            self.release();
        }
        for id in 0..count as u32 {
            if let Some(edge) = self.next.action(id) {
                let record = self.next.record_mut(id);
                record.trace = self.trace.add(record.trace, edge);
            }
        }
        std::mem::swap(&mut self.previous, &mut self.current);
        std::mem::swap(&mut self.current, &mut self.next);
        self.next.clear();
        self.policy.clear();
        self.expanded = 0;
        self.depth += 1;
        self.phase = Phase::Fill(K::FIRST);
        Ok(())
    }

    fn step(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        match self.phase {
            Phase::Start => self.start(quota, observer)?,
            Phase::Fill(stage) => K::fill(self, stage, quota, observer)?,
            Phase::Close => self.close(),
            Phase::Extend => self.extend(quota)?,
        }
        Ok(())
    }
}

accounted!(LayeredBeam<P: GoalPuzzle, K: Policy<P>>: previous, current, next, trace, policy);
goal_search!(LayeredBeam<P, K: Policy<P>>);

/// Data of a node in a beam from the start to the goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forward {
    /// Cost of the path.
    pub(crate) g: Cost,
    /// Value by which the layer is ordered. Infinity is a proved dead end, NaN a missing estimate.
    pub(crate) priority: f32,
}

impl<P: GoalPuzzle, K: Policy<P, Edge = P::Action, Data = Forward>> LayeredBeam<'_, P, K> {
    /// Ends the search with a path and its last action, if the path of cost `g` is cheap enough.
    /// Returns whether the search has ended.
    pub(crate) fn reach_goal(
        &mut self,
        trace: u32,
        action: P::Action,
        g: Cost,
        observer: &mut ObserverOf<'_, P>,
    ) -> bool {
        let is_cheap = self.below.is_none_or(|below| g < below);
        if is_cheap {
            let mut actions = self.trace.path(trace);
            actions.push(action);
            self.solve(actions, observer);
        }
        is_cheap
    }

    /// Whether the state, reached at the cost `g`, is in one of the two layers before the next one.
    #[inline]
    pub(crate) fn is_in_earlier_layer(&mut self, hash: u64, state: &P::State, g: Cost) -> bool {
        for layer in [&self.current, &self.previous] {
            if let Some(id) = layer.find(hash, state) {
                self.dropped_cheaper |= g < layer.record(id).data.g;
                return true;
            }
        }
        false
    }

    /// Outcome if no state of the next layer can lead to a solution of a cost `below` the limit.
    pub(crate) fn ending(&self) -> Option<Outcome<P::Action>> {
        let mut next = (0..self.next.len() as u32).map(|id| self.next.record(id));
        let is_over = match self.below {
            None => next.len() == 0,
            Some(below) => next.all(|record| record.data.g >= below),
        };
        let is_open = self.lossy || self.below.is_some() && self.dropped_cheaper;
        let outcome = if is_open { Outcome::Exhausted { best: None } } else { Outcome::Unsolvable };
        is_over.then_some(outcome)
    }
}
