//! Batch weighted Q* search: the open list holds actions, not states.
//!
//! As [`bwas`](crate::bwas), but what is estimated are the actions of a state before they are taken
//! ([`ActionValues`]: the cost of an action and of what is left behind it, as the Q head of a network says). An entry
//! of the open list is a state with one of its actions, of priority λ·g + h: g is the cost of the path with the action,
//! and h what is left behind it. The N best are taken at a time; only they become states, and of each new state all
//! actions are estimated in one call. With twelve actions per state that is a twelfth of the states that batch weighted
//! A* generates and estimates for as many expansions.
//!
//! A state that is reached more cheaply is expanded again; entries that lead on from its dearer path are skipped. The
//! search ends with the batch in which an action leads to a goal (or, with `stop=generated`, with that action). It
//! proves nothing but that there is no solution, once the open list is empty: estimates of actions have no guarantee.
//!
//! Counters: a state whose actions are looked at is *expanded*, one whose actions are estimated is *evaluated*, and one
//! that an action was taken to is *generated*; one that is expanded again counts as *reopened*, too.
//!
//! Memory: all states, and 16 bytes and an entry of the open list for each of their actions.
//!
//! Reference: F. Agostinelli, S. S. Shperberg, A. Shmakov, S. McAleer, R. Fox and P. Baldi, "Q* Search: Heuristic Search
//! with Deep Q-Networks" (arXiv 2102.04518).

use crate::{
    bwas::{BwasConfig, Stop},
    chunked::Chunked,
    evaluate::Evaluator,
    memory::{Accounted, Full, reserve, vec_bytes},
    nodes::{NONE, Nodes},
    open::Open,
    qbeam::ActionValues,
    resumable::resumable,
    weights::fraction,
};
use unriddle_core::{
    Cost, GoalPuzzle, Observer, Options, Outcome, Progress, Quota, SearchError, Solution, Stats,
    heuristic::PRIORITY_UNIT, search::check_state_size,
};

/// States whose actions are estimated at a time, at most.
const MAX_BATCH: usize = 1 << 14;

/// The record of a node.
#[derive(Clone, Copy, Debug)]
struct Record {
    parent: u32,
    g: Cost,
    /// Whether its actions are still to be looked at.
    waits: bool,
}

/// An action of a node.
#[derive(Clone, Copy, Debug)]
struct Edge<A> {
    node: u32,
    /// The g of the node when the action was estimated: the entry is stale if it has fallen since.
    before: Cost,
    /// The g of the state that it leads to.
    g: Cost,
    action: A,
}

/// An edge on its way into the open list.
type Entry<A> = (u64, u32, Edge<A>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Start,
    /// Estimate the actions of the next new states.
    Evaluate,
    /// Look at the actions of the next new state.
    Expand,
    /// Add them to the open list.
    Push,
    /// Choose the next batch of actions.
    Choose,
    /// Take the next of them.
    Generate,
    Done,
}

/// Batch weighted Q* search.
pub struct QBwas<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    values: &'a dyn ActionValues<P>,
    config: BwasConfig,
    weights: (u64, u64),
    nodes: Nodes<P::State, P::Action, Record>,
    edges: Chunked<Edge<P::Action>>,
    open: Open,
    phase: Phase,
    /// The chosen edges, and how many of them are taken.
    chosen: Vec<u32>,
    taken: usize,
    /// New nodes, how many of them are expanded, and from which to which there are estimates.
    fresh: Vec<u32>,
    expanded: usize,
    estimated: (usize, usize),
    /// Entries of the node in hand, and how many of them are pushed.
    pending: Vec<Entry<P::Action>>,
    pushed: usize,
    evaluator: Evaluator<P>,
    stats: Stats,
    best: Option<Solution<P::Action>>,
    bound: Option<Cost>,
    outcome: Option<Outcome<P::Action>>,
    fault: Option<SearchError>,
}

impl<'a, P: GoalPuzzle> QBwas<'a, P> {
    /// A search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        values: &'a dyn ActionValues<P>,
        config: BwasConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        check_state_size::<P>()?;
        Ok(Self {
            puzzle,
            values,
            config,
            weights: fraction(config.lambda),
            nodes: Nodes::new(),
            edges: Chunked::new(),
            open: Open::new(),
            phase: Phase::Start,
            chosen: Vec::new(),
            taken: 0,
            fresh: Vec::new(),
            expanded: 0,
            estimated: (0, 0),
            pending: Vec::new(),
            pushed: 0,
            evaluator: Evaluator::new(),
            stats: Stats::default(),
            best: None,
            bound: None,
            outcome: None,
            fault: None,
        })
    }

    fn finish(&mut self) {
        self.phase = Phase::Done;
        let bound = self.bound.map(i64::from);
        self.outcome = Some(match self.best.clone() {
            Some(best) => Outcome::Solved { proof: bound == Some(best.value), bound, best },
            None => Outcome::Unsolvable,
        });
    }

    fn fail(&mut self, fault: SearchError) {
        self.fault = Some(fault);
        self.phase = Phase::Done;
        self.outcome = Some(Outcome::Exhausted { best: self.best.clone() });
    }

    /// A path to a goal was found: perhaps a better one than the incumbent.
    fn offer(&mut self, found: Solution<P::Action>, observer: &mut dyn Observer<P::Action>) {
        let is_better = |best: &Solution<P::Action>| found.value < best.value;
        if self.best.as_ref().is_none_or(is_better) {
            observer.improved(&found, &self.stats);
            self.best = Some(found);
        }
    }

    fn start(&mut self, quota: &Quota, observer: &mut dyn Observer<P::Action>) -> Result<(), Full> {
        let state = self.puzzle.initial_state();
        if self.puzzle.is_goal(&state) {
            self.bound = Some(0);
            self.offer(Solution::with_cost(Vec::new(), 0), observer);
            self.finish();
            return Ok(());
        }
        let hash = crate::index::hash(&state);
        self.grow(quota.bytes, |s, room| s.nodes.reserve(1, room))?;
        self.grow(quota.bytes, |s, room| s.nodes.reserve_index(hash, 1, room))?;
        self.grow(quota.bytes, |s, room| reserve(&mut s.fresh, 1, room))?;
        let record = Record { parent: NONE, g: 0, waits: true };
        let id = self.nodes.push(hash, state, None, record);
        self.fresh.push(id);
        self.phase = Phase::Expand;
        Ok(())
    }

    /// Estimates the actions of the next new nodes.
    fn evaluate(&mut self, quota: &Quota) -> Result<(), Full> {
        let from = self.expanded;
        let to = (from + MAX_BATCH).min(self.fresh.len());
        let numbers = self.values.actions();
        self.grow(quota.bytes, |s, room| s.evaluator.reserve_actions(to - from, numbers, room))?;
        let nodes = &self.nodes;
        let states = self.fresh[from..to].iter().map(|&id| nodes.state(id));
        (self.evaluator).evaluate_actions(self.puzzle, self.values, states);
        self.stats.evaluated += (to - from) as u64;
        self.estimated = (from, to);
        self.phase = Phase::Expand;
        Ok(())
    }

    /// Looks at the actions of the next new node, at all of them or (for lack of memory) at none.
    fn expand(&mut self, quota: &Quota) -> Result<(), Full> {
        let puzzle = self.puzzle;
        let id = self.fresh[self.expanded];
        let state = *self.nodes.state(id);
        let before = self.nodes.record(id).g;
        let last = self.nodes.action(id);
        let row = self.expanded - self.estimated.0;
        let unit = u64::from(PRIORITY_UNIT);
        self.pending.clear();
        let actions = match last {
            Some(last) => puzzle.actions_after(&state, last),
            None => puzzle.actions(&state),
        };
        for action in actions {
            // Back to the parent, which cannot become cheaper.
            if last.is_some_and(|last| puzzle.is_inverse(last, action)) {
                continue;
            }
            let number = self.values.number(puzzle, &state, action);
            let estimate = match self.evaluator.of_action(row, self.values.actions(), number) {
                Ok(estimate) => estimate,
                Err(fault) => {
                    self.fail(fault);
                    return Ok(());
                }
            };
            if estimate == f32::INFINITY {
                continue;
            }
            let cost = puzzle.action_cost(&state, action);
            let Some(g) = before.checked_add(cost) else {
                self.fail(SearchError::TooLarge(
                    "a path costs 2^32 or more, which best-first searches cannot hold".into(),
                ));
                return Ok(());
            };
            let h = (f64::from(estimate) - f64::from(cost)).max(0.0);
            let key = (self.weights.0 * u64::from(g) * unit).saturating_add(
                self.weights.1.saturating_mul((h * f64::from(PRIORITY_UNIT)) as u64),
            );
            // As in A*: among equal ones the larger g comes first, or the smaller one where g has no weight.
            let tie = match self.weights.0 {
                0 => g,
                _ => h as u32,
            };
            self.grow(quota.bytes, |s, room| reserve(&mut s.pending, 1, room))?;
            let edge = Edge { node: id, before, g, action };
            self.pending.push((key, tie, edge));
        }
        self.nodes.record_mut(id).waits = false;
        self.stats.expanded += 1;
        self.expanded += 1;
        self.pushed = 0;
        self.phase = Phase::Push;
        Ok(())
    }

    fn push(&mut self, quota: &Quota) -> Result<(), Full> {
        while let Some(&(key, tie, edge)) = self.pending.get(self.pushed) {
            self.grow(quota.bytes, |s, room| s.edges.reserve(1, room))?;
            self.grow(quota.bytes, |s, room| s.open.reserve(key, tie, 1, room))?;
            let Ok(id) = u32::try_from(self.edges.len()) else {
                return Err(Full);
            };
            self.edges.push(edge);
            self.open.push(key, tie, id);
            self.pushed += 1;
        }
        self.phase = Phase::Expand;
        Ok(())
    }

    /// Whether the node of an edge has not been reached more cheaply since.
    fn is_live(&self, edge: &Edge<P::Action>) -> bool {
        self.nodes.record(edge.node).g == edge.before
    }

    /// Chooses the next batch, or ends the search.
    fn choose(&mut self, quota: &Quota) -> Result<(), Full> {
        if self.best.is_some() {
            self.finish();
            return Ok(());
        }
        let len = self.config.batch.min(self.open.len());
        self.chosen.clear();
        self.grow(quota.bytes, |s, room| reserve(&mut s.chosen, len, room))?;
        self.grow(quota.bytes, |s, room| reserve(&mut s.fresh, len, room))?;
        self.taken = 0;
        while self.chosen.len() < self.config.batch
            && let Some((_, id)) = self.open.pop()
        {
            if self.is_live(self.edges.get(id as usize)) {
                self.chosen.push(id);
            }
        }
        match self.chosen.is_empty() {
            // Every reachable state that is no proved dead end is expanded.
            true => self.finish(),
            false => self.phase = Phase::Generate,
        }
        Ok(())
    }

    /// Takes the next chosen action.
    fn generate(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Result<(), Full> {
        let edge = *self.edges.get(self.chosen[self.taken] as usize);
        if !self.is_live(&edge) {
            self.taken += 1;
            return Ok(());
        }
        let child = (self.puzzle).apply(self.nodes.state(edge.node), edge.action);
        let hash = crate::index::hash(&child);
        self.grow(quota.bytes, |s, room| s.nodes.reserve(1, room))?;
        self.grow(quota.bytes, |s, room| s.nodes.reserve_index(hash, 1, room))?;
        self.taken += 1;
        self.stats.generated += 1;
        if self.puzzle.is_goal(&child) {
            let mut actions = self.nodes.path(edge.node, |record| record.parent);
            actions.push(edge.action);
            self.offer(Solution::played(self.puzzle, actions), observer);
            if self.config.stop == Stop::Generated {
                self.finish();
            }
            return Ok(());
        }
        let record = Record { parent: edge.node, g: edge.g, waits: true };
        let Some(id) = self.nodes.find(hash, &child) else {
            let id = self.nodes.push(hash, child, Some(edge.action), record);
            self.fresh.push(id);
            return Ok(());
        };
        let old = *self.nodes.record(id);
        if edge.g < old.g {
            *self.nodes.record_mut(id) = record;
            self.nodes.set_action(id, edge.action);
            if !old.waits {
                self.stats.reopened += 1;
                self.fresh.push(id);
            }
        }
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
                Phase::Expand if self.expanded == self.fresh.len() => {
                    self.fresh.clear();
                    self.expanded = 0;
                    self.estimated = (0, 0);
                    self.phase = Phase::Choose;
                    Ok(())
                }
                Phase::Expand if quota.is_used_up(&self.stats) => return Progress::Running,
                Phase::Expand if self.expanded == self.estimated.1 => {
                    self.phase = Phase::Evaluate;
                    Ok(())
                }
                Phase::Expand => self.expand(quota),
                Phase::Evaluate => self.evaluate(quota),
                Phase::Push => self.push(quota),
                Phase::Choose => self.choose(quota),
                Phase::Generate if self.taken == self.chosen.len() => {
                    self.phase = Phase::Expand;
                    Ok(())
                }
                // What a batch's last expansion leads to belongs to that expansion.
                Phase::Generate if self.stats.generated >= quota.generated => {
                    return Progress::Running;
                }
                Phase::Generate => self.generate(quota, observer),
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

impl<P: GoalPuzzle> Accounted for QBwas<'_, P> {
    fn bytes(&self) -> u64 {
        self.nodes.bytes()
            + self.edges.bytes()
            + self.open.bytes()
            + self.evaluator.bytes()
            + vec_bytes(&self.chosen)
            + vec_bytes(&self.fresh)
            + vec_bytes(&self.pending)
    }

    fn counters(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

resumable!(QBwas);
