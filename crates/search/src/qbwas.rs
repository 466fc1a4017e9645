//! Batch weighted Q* search: the open list contains actions instead of states.
//!
//! The search equals [`bwas`](crate::bwas), but it estimates the actions of a state before it
//! applies them. The estimate ([`ActionValues`], for example the Q head of a network) is the cost
//! of an action and of the path from its result to the goal. An entry of the open list is a state
//! with one of its actions and has the priority λ·g + h: g is the cost of the path with the action,
//! and h the estimated cost-to-go after it. The N best actions are applied at a time, and all
//! actions of each new state are estimated in one call. With twelve actions per state the search
//! generates and estimates a twelfth of the states of batch weighted A* for the same number of
//! expansions.
//!
//! A state that is reached more cheaply is expanded again, and the entries of its costlier path are
//! skipped. The search ends with the batch in which an action leads to a goal (or, with
//! `stop=generated`, with that action). An empty open list proves that there is no solution;
//! nothing else is proved, because estimates of actions have no guarantee.
//!
//! Counters: a state whose actions became entries is *expanded*, a state whose actions were
//! estimated is *evaluated*, and the result of an applied action is *generated*. A state that is
//! expanded again also counts as *reopened*.
//!
//! Memory: all states, and for each of their actions 16 bytes and an entry of the open list.
//!
//! Beside estimates of costs the engine takes policies, for [`levin`](crate::levin).
//!
//! Reference: F. Agostinelli, S. S. Shperberg, A. Shmakov, S. McAleer, R. Fox and P. Baldi, "Q*
//! Search: Heuristic Search with Deep Q-Networks" (arXiv 2102.04518).

use crate::{
    bwas::{BwasConfig, Stop},
    chunked::Chunked,
    estimates::ActionValues,
    evaluate::Evaluator,
    memory::{Accounted, Full, accounted, reserve},
    nodes::{NONE, Nodes},
    open::Open,
    report::{Halt, ObserverOf, Report, goal_search, onward, too_costly},
    roots::{Clue, Root, UNIT},
    weights::fraction,
};
use unriddle_core::{
    Cost, GoalPuzzle, Options, Quota, SearchError, Solution, Stats, heuristic::PRIORITY_UNIT,
    search::check_state_size,
};

/// Largest number of states whose actions are estimated at a time.
const MAX_BATCH: usize = 1 << 14;

/// Order of the open list.
pub(crate) enum Rank<'a, P: GoalPuzzle> {
    /// By λ·g + h, with the weights of g and h. The g of a path is its cost.
    Cost((u64, u64)),
    /// By the time at which Levin tree searches would reach a state: that from the start, and those
    /// from states of a new smallest estimate. The g of a path is −ln of its probability, in units
    /// of 1/[`UNIT`].
    Levin(Option<Clue<'a, P>>),
}

/// Record of a node.
#[derive(Clone, Copy, Debug)]
struct Record {
    parent: u32,
    g: Cost,
    /// Number of actions on the path, at most 65,535.
    depth: u16,
    /// Whether the actions of the node are still to be expanded.
    waits: bool,
    /// Whether the node is a root of a Levin tree search.
    is_root: bool,
}

/// Action of a node.
#[derive(Clone, Copy, Debug)]
struct Edge<A> {
    node: u32,
    /// The g of the node when the action was estimated: the entry is stale if it has fallen since.
    before: Cost,
    /// The g of the action's result.
    g: Cost,
    action: A,
}

/// Edge that is to be pushed to the open list.
type Entry<A> = (u64, u32, Edge<A>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Start,
    /// Estimates the actions of the next new states.
    Evaluate,
    /// Makes entries of the actions of the next new state.
    Expand,
    /// Adds the entries to the open list.
    Push,
    /// Chooses the next batch of actions.
    Choose,
    /// Applies the next action of the batch.
    Generate,
}

/// Batch weighted Q* search.
pub struct QBwas<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    values: &'a dyn ActionValues<P>,
    config: BwasConfig,
    rank: Rank<'a, P>,
    nodes: Nodes<P::State, P::Action, Record>,
    edges: Chunked<Edge<P::Action>>,
    open: Open,
    phase: Phase,
    /// The chosen edges.
    chosen: Vec<u32>,
    taken: usize,
    /// New nodes.
    fresh: Vec<u32>,
    expanded: usize,
    estimated: (usize, usize),
    /// Roots on the path to the current node, the start first.
    roots: Vec<Root>,
    /// Entries of the current node.
    pending: Vec<Entry<P::Action>>,
    pushed: usize,
    evaluator: Evaluator<P>,
    stats: Stats,
    report: Report<P::Action>,
}

impl<'a, P: GoalPuzzle> QBwas<'a, P> {
    /// Creates a search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        values: &'a dyn ActionValues<P>,
        config: BwasConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        Self::ranked(puzzle, values, config, Rank::Cost(fraction(config.lambda)))
    }

    /// Creates a search with this order of its open list.
    pub(crate) fn ranked(
        puzzle: &'a P,
        values: &'a dyn ActionValues<P>,
        config: BwasConfig,
        rank: Rank<'a, P>,
    ) -> Result<Self, SearchError> {
        check_state_size::<P>()?;
        Ok(Self {
            puzzle,
            values,
            config,
            rank,
            nodes: Nodes::default(),
            edges: Chunked::default(),
            open: Open::default(),
            phase: Phase::Start,
            chosen: Vec::new(),
            taken: 0,
            fresh: Vec::new(),
            expanded: 0,
            estimated: (0, 0),
            roots: Vec::new(),
            pending: Vec::new(),
            pushed: 0,
            evaluator: Evaluator::new(),
            stats: Stats::default(),
            report: Report::new(),
        })
    }

    fn start(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Full> {
        let state = self.puzzle.initial_state();
        if self.puzzle.is_goal(&state) {
            self.report.bound = Some(0);
            self.report.solve(Solution::with_cost(Vec::new(), 0), &self.stats, observer);
            return Ok(());
        }
        let hash = crate::index::hash(&state);
        self.grow(quota.bytes, |s, room| s.nodes.reserve(1, room))?;
        self.grow(quota.bytes, |s, room| s.nodes.reserve_index(hash, 1, room))?;
        self.grow(quota.bytes, |s, room| reserve(&mut s.fresh, 1, room))?;
        self.grow(quota.bytes, |s, room| reserve(&mut s.roots, 1, room))?;
        self.roots.push(Root::new(0, 0));
        let record = Record { parent: NONE, g: 0, depth: 0, waits: true, is_root: true };
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

    /// Makes entries of the actions of the next new node: of all, or (for lack of memory) of none.
    fn expand(&mut self, quota: &Quota) -> Result<(), Halt> {
        let puzzle = self.puzzle;
        let id = self.fresh[self.expanded];
        let state = *self.nodes.state(id);
        let Record { g: before, depth, .. } = *self.nodes.record(id);
        let row = self.expanded - self.estimated.0;
        let unit = u64::from(PRIORITY_UNIT);
        self.find_roots(id, quota)?;
        self.pending.clear();
        // The action that leads back to the parent is left out: the parent cannot become cheaper.
        for action in onward(puzzle, &state, self.nodes.action(id)) {
            let number = self.values.number(puzzle, &state, action);
            let estimate = self.evaluator.of_action(row, self.values.actions(), number)?;
            if estimate == f32::INFINITY {
                continue;
            }
            let cost = match &self.rank {
                Rank::Cost(_) => puzzle.action_cost(&state, action),
                Rank::Levin(_) => (f64::from(estimate) * UNIT) as Cost,
            };
            let Some(g) = before.checked_add(cost) else {
                return Err(too_costly(&"2^32", "best-first searches").into());
            };
            let (key, tie) = match &self.rank {
                Rank::Cost(weights) => {
                    let h = (f64::from(estimate) - f64::from(cost)).max(0.0);
                    let key = (weights.0 * u64::from(g) * unit).saturating_add(
                        weights.1.saturating_mul((h * f64::from(PRIORITY_UNIT)) as u64),
                    );
                    // As in A*: among equal keys the larger g comes first, or the smaller g if g
                    // has no weight.
                    (key, if weights.0 == 0 { g } else { h as u32 })
                }
                Rank::Levin(_) => (Root::time(&self.roots, g, depth) as u64, depth.into()),
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

    /// Finds the roots on the path to a node, and whether the node is one itself.
    fn find_roots(&mut self, id: u32, quota: &Quota) -> Result<(), Full> {
        let Rank::Levin(Some(clue)) = self.rank else { return Ok(()) };
        self.roots.clear();
        let mut above = None;
        let mut at = self.nodes.record(id).parent;
        while at != NONE {
            let Record { parent, g, depth, is_root, .. } = *self.nodes.record(at);
            if is_root {
                above.get_or_insert(at);
                self.grow(quota.bytes, |s, room| reserve(&mut s.roots, 2, room))?;
                self.roots.push(Root::new(g, depth));
            }
            at = parent;
        }
        let is_root = above.is_none_or(|above| {
            let [here, there] = [id, above].map(|id| clue(self.nodes.state(id)));
            here.is_some_and(|here| there.is_none_or(|there| here < there))
        });
        let record = self.nodes.record_mut(id);
        record.is_root = is_root;
        let Record { g, depth, .. } = *record;
        self.roots.reverse();
        if is_root {
            self.grow(quota.bytes, |s, room| reserve(&mut s.roots, 1, room))?;
            self.roots.push(Root::new(g, depth));
        }
        Root::begin(&mut self.roots);
        Ok(())
    }

    fn push(&mut self, quota: &Quota) -> Result<(), Full> {
        while let Some(&(key, tie, edge)) = self.pending.get(self.pushed) {
            self.grow(quota.bytes, |s, room| s.edges.reserve(1, room))?;
            self.grow(quota.bytes, |s, room| s.open.reserve(key, tie, 1, room))?;
            let Ok(id) = u32::try_from(self.edges.len()) else { return Err(Full) };
            self.edges.push(edge);
            self.open.push(key, tie, id);
            self.pushed += 1;
        }
        self.phase = Phase::Expand;
        Ok(())
    }

    /// Whether the node of an edge has the same g as when the edge was made.
    fn is_live(&self, edge: &Edge<P::Action>) -> bool {
        self.nodes.record(edge.node).g == edge.before
    }

    /// Chooses the next batch, or ends the search.
    fn choose(&mut self, quota: &Quota) -> Result<(), Full> {
        if self.report.best.is_some() {
            self.report.finish();
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
        if self.chosen.is_empty() {
            // Every reachable state that is not a proved dead end is expanded.
            self.report.finish();
        } else {
            self.phase = Phase::Generate;
        }
        Ok(())
    }

    /// Applies the next chosen action.
    fn generate(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Full> {
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
            let found = Solution::played(self.puzzle, actions);
            self.report.offer(found, &self.stats, observer);
            if self.config.stop == Stop::Generated {
                self.report.finish();
            }
            return Ok(());
        }
        let depth = self.nodes.record(edge.node).depth.saturating_add(1);
        let parent = edge.node;
        let record = Record { parent, g: edge.g, depth, waits: true, is_root: false };
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

    fn step(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        match self.phase {
            Phase::Start => self.start(quota, observer)?,
            Phase::Expand if self.expanded == self.fresh.len() => {
                self.fresh.clear();
                self.expanded = 0;
                self.estimated = (0, 0);
                self.phase = Phase::Choose;
            }
            Phase::Expand if quota.is_used_up(&self.stats) => return Err(Halt::Quota),
            Phase::Expand if self.expanded == self.estimated.1 => self.phase = Phase::Evaluate,
            Phase::Expand => self.expand(quota)?,
            Phase::Evaluate => self.evaluate(quota)?,
            Phase::Push => self.push(quota)?,
            Phase::Choose => self.choose(quota)?,
            Phase::Generate if self.taken == self.chosen.len() => self.phase = Phase::Expand,
            // The states that a batch's last expansion leads to belong to that expansion.
            Phase::Generate if self.stats.generated >= quota.generated => return Err(Halt::Quota),
            Phase::Generate => self.generate(quota, observer)?,
        }
        Ok(())
    }
}

accounted!(QBwas<P: GoalPuzzle>: nodes, edges, open, evaluator, chosen, fresh, roots, pending);
goal_search!(QBwas<P>);
