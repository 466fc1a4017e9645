//! The engine of A*, weighted A*, greedy best-first and batch weighted A* search.
//!
//! One loop serves them all. It *selects* the `batch` entries of smallest f = `weight_g`·g +
//! `weight_h`·h from the open list, *expands* them one by one, *evaluates* all new states in one
//! call, and *pushes* new and improved states. Each stage has its own cursor, so that the search
//! can be suspended after any expansion and wherever a growth does not fit into memory.
//!
//! Invariants
//! - A node is *open* (flag in its record) from its insertion, or reopening, until its expansion.
//!   Every open node with a finite estimate has an entry of its present f in the open list, or is
//!   in the present batch, or is about to be pushed. Entries of nodes that are not open are stale
//!   and skipped.
//! - The g of a node never rises, and is at least g of its parent plus the cost of its action, so
//!   that following parents ends at the start.
//! - With reopening and an admissible estimate, some state of an optimal path is open with its
//!   optimal g whenever a batch is selected, so that the least g + h over the open nodes is a lower
//!   bound, and so is the least f divided by `weight_h` (for `weight_h` ≥ `weight_g`).
//!
//! An estimate is computed once per state and stored; the estimate of a goal state is 0 whatever
//! the heuristic returns. A dead end is stored, never opened, and never evaluated again.
//!
//! Memory: see module `nodes` and module `open`.

use crate::{
    evaluate::Evaluator,
    guard::{EXACT, check_batch, inconsistent},
    memory::{Accounted, Full, accounted, reserve},
    nodes::{Child, NONE, Nodes},
    open::Open,
    report::{Halt, ObserverOf, Report, goal_search, onward, too_costly},
    weights::Tally,
};
use unriddle_core::{
    BatchHeuristic, Cost, GoalPuzzle, Guarantee, Quota, SearchError, Solution, State, Stats,
    heuristic::PRIORITY_UNIT, search::check_state_size,
};

/// Parameters in which the searches differ.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Settings {
    pub(crate) weight_g: u64,
    /// At least 1 and at least `weight_g`.
    pub(crate) weight_h: u64,
    /// Number of states selected at a time.
    pub(crate) batch: usize,
    /// Whether closed states that are reached more cheaply are opened again.
    pub(crate) reopen: bool,
    /// Whether the search ends with the first goal generated rather than selected.
    pub(crate) stop_when_generated: bool,
}

/// Record of a node.
#[derive(Clone, Copy, Debug)]
struct Record {
    parent: u32,
    /// g, and the flag [`OPEN`].
    g: u32,
    /// The estimate; NaN while it is not computed.
    h: f32,
}

const OPEN: u32 = 1 << 31;

impl Record {
    #[inline]
    fn g(self) -> u32 {
        self.g & !OPEN
    }
    #[inline]
    fn is_open(self) -> bool {
        self.g & OPEN != 0
    }
    /// The sum g + h of an evaluated node with a whole estimate.
    #[inline]
    fn sum(self) -> u64 {
        u64::from(self.g()) + self.h as u64
    }
    /// The sum g + h as a number that is exact below 2⁵³; NaN while there is no estimate.
    #[inline]
    fn f(self) -> f64 {
        f64::from(self.g()) + f64::from(self.h)
    }
    /// The smallest f of a successor by a consistent estimate; 0 if the estimate is not exact.
    #[inline]
    fn least(&self) -> f64 {
        if self.h < EXACT { self.f() } else { 0.0 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Start,
    Select,
    Expand,
    Evaluate,
    Push,
}

/// Engine of best-first searches.
pub(crate) struct BestFirst<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    heuristic: &'a dyn BatchHeuristic<P>,
    settings: Settings,
    admissible: bool,
    /// Whether the estimates claim to be consistent.
    consistent: bool,
    /// Whether priorities are the sums of g and h, and nodes are expanded one by one: then the
    /// priorities of successors are compared with the priority of the expanded node.
    is_by_key: bool,
    /// The priority of the expanded node, if it is compared; otherwise 0.
    least_key: u64,
    nodes: Nodes<P::State, P::Action, Record>,
    open: Open,
    tally: Option<Tally>,
    phase: Phase,
    /// The selected nodes.
    batch: Vec<u32>,
    expanded: usize,
    /// Nodes without an estimate.
    fresh: Vec<u32>,
    /// Nodes to be pushed.
    pending: Vec<u32>,
    pushed: usize,
    children: Vec<Child<P::State, P::Action>>,
    evaluator: Evaluator<P>,
    /// The known solution, until the observer has it.
    known: Option<Solution<P::Action>>,
    /// Cost of the known solution: states whose g + h is not smaller are not opened.
    upper: u64,
    stats: Stats,
    report: Report<P::Action>,
}

/// Whether the f of a node with the estimate `h` is smaller than the f of its parent.
#[inline(never)]
fn falls<S: State, A: Copy>(nodes: &Nodes<S, A, Record>, id: u32, h: f32) -> bool {
    let record = Record { h, ..*nodes.record(id) };
    record.f() < nodes.record(record.parent).least()
}

impl<'a, P: GoalPuzzle> BestFirst<'a, P> {
    pub(crate) fn new(
        puzzle: &'a P,
        heuristic: &'a dyn BatchHeuristic<P>,
        settings: Settings,
    ) -> Result<Self, SearchError> {
        check_state_size::<P>()?;
        Ok(Self {
            puzzle,
            heuristic,
            settings,
            admissible: heuristic.guarantee().is_admissible(),
            consistent: heuristic.guarantee() == Guarantee::Consistent,
            is_by_key: heuristic.guarantee() == Guarantee::Consistent
                && settings.weight_g == settings.weight_h
                && settings.batch == 1,
            least_key: 0,
            nodes: Nodes::default(),
            open: Open::default(),
            tally: None,
            phase: Phase::Start,
            batch: Vec::new(),
            expanded: 0,
            fresh: Vec::new(),
            pending: Vec::new(),
            pushed: 0,
            children: Vec::new(),
            evaluator: Evaluator::new(),
            known: None,
            upper: u64::MAX,
            stats: Stats::default(),
            report: Report::new(),
        })
    }

    /// The same search with a solution that is known already, which it proves or beats.
    pub(crate) fn knowing(mut self, known: Option<Solution<P::Action>>) -> Self {
        self.known = known;
        self
    }

    fn start(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Full> {
        let state = self.puzzle.initial_state();
        if self.puzzle.is_goal(&state) {
            self.report.bound = Some(0);
            let best = Solution::with_cost(Vec::new(), 0);
            self.report.solve(best, &self.stats, observer);
            return Ok(());
        }
        let hash = crate::index::hash(&state);
        self.grow(quota.bytes, |s, room| s.nodes.reserve(1, room))?;
        self.grow(quota.bytes, |s, room| s.nodes.reserve_index(hash, 1, room))?;
        self.grow(quota.bytes, |s, room| reserve(&mut s.fresh, 1, room))?;
        self.grow(quota.bytes, |s, room| reserve(&mut s.pending, 1, room))?;
        let record = Record { parent: NONE, g: OPEN, h: f32::NAN };
        if self.admissible
            && self.settings.reopen
            && self.settings.weight_g != self.settings.weight_h
        {
            let mut tally = Tally::default();
            self.grow(quota.bytes, |_, room| tally.reserve(room))?;
            self.tally = Some(tally);
        }
        if let Some(known) = self.known.take() {
            if self.admissible && self.settings.reopen {
                self.upper = known.value as u64;
            }
            self.report.offer(known, &self.stats, observer);
        }
        let id = self.nodes.push(hash, state, None, record);
        self.fresh.push(id);
        self.pending.push(id);
        self.phase = Phase::Evaluate;
        Ok(())
    }

    /// Selects the next batch, or ends the search.
    fn select(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Full> {
        let key = loop {
            match self.open.peek() {
                None => {
                    // Every reachable state that is not a proved dead end is closed, or no solution
                    // through it is better than the known one.
                    if let Some(best) = &self.report.best
                        && self.upper != u64::MAX
                    {
                        let best = best.value as Cost;
                        self.report.prove(best, &self.stats, observer);
                    }
                    self.finish();
                    return Ok(());
                }
                Some((key, id)) if self.nodes.record(id).is_open() => break key,
                Some(_) => {
                    self.open.pop();
                }
            }
        };
        self.raise_bound(key, observer);
        if self.is_proved() {
            self.finish();
            return Ok(());
        }
        let len = self.settings.batch.min(self.open.len());
        self.batch.clear();
        self.grow(quota.bytes, |s, room| reserve(&mut s.batch, len, room))?;
        self.expanded = 0;
        let mut goal = false;
        while self.batch.len() < self.settings.batch
            && let Some((key, id)) = self.open.pop()
        {
            let record = *self.nodes.record(id);
            if record.is_open() {
                self.least_key = if self.is_by_key && record.h < EXACT { key } else { 0 };
                if record.h == 0.0 && self.puzzle.is_goal(self.nodes.state(id)) {
                    self.offer(id, observer);
                    goal = true;
                }
                self.batch.push(id);
            }
        }
        if goal {
            self.finish();
        } else {
            self.phase = Phase::Expand;
        }
        Ok(())
    }

    /// The lower bound that follows from the smallest f of the open list.
    fn raise_bound(&mut self, key: u64, observer: &mut ObserverOf<'_, P>) {
        if !(self.admissible && self.settings.reopen) {
            return;
        }
        let mut bound = key.div_ceil(u64::from(PRIORITY_UNIT) * self.settings.weight_h);
        if let Some(least) = self.tally.as_mut().and_then(Tally::least) {
            bound = bound.max(least);
        }
        let bound = Cost::try_from(bound).unwrap_or(Cost::MAX);
        self.report.prove(bound, &self.stats, observer);
    }

    /// Ends the search. Consistent estimates were checked where states were generated.
    fn finish(&mut self) {
        if self.admissible
            && !self.consistent
            && let Some(best) = &self.report.best
        {
            self.report.check(check_batch(self.puzzle, &best.actions, self.heuristic));
        }
        self.report.finish();
    }

    /// Whether the incumbent costs no more than the lower bound.
    fn is_proved(&self) -> bool {
        let bound = self.report.bound;
        self.report.best.as_ref().zip(bound).is_some_and(|(best, bound)| best.value <= bound)
    }

    /// Offers the path to a goal node as a solution, which may be better than the incumbent.
    fn offer(&mut self, id: u32, observer: &mut ObserverOf<'_, P>) {
        let g = i64::from(self.nodes.record(id).g());
        if self.report.best.as_ref().is_some_and(|best| best.value < g) {
            return;
        }
        // The path may have become cheaper than g where an ancestor was improved.
        let found = Solution::played(self.puzzle, self.nodes.path(id, |r| r.parent));
        self.report.offer(found, &self.stats, observer);
    }

    /// Expands the next node of the batch, completely or (for lack of memory) not at all.
    fn expand(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        let id = self.batch[self.expanded];
        self.generate(id, quota)?;
        let count = self.children.len();
        self.grow(quota.bytes, |s, room| s.nodes.reserve(count, room))?;
        for i in 0..count {
            let hash = self.children[i].hash;
            self.grow(quota.bytes, |s, room| s.nodes.reserve_index(hash, count, room))?;
        }
        self.grow(quota.bytes, |s, room| reserve(&mut s.fresh, count, room))?;
        self.grow(quota.bytes, |s, room| reserve(&mut s.pending, count, room))?;

        let record = self.nodes.record_mut(id);
        if let Some(tally) = &mut self.tally {
            tally.remove(record.sum());
        }
        record.g &= !OPEN;
        self.stats.expanded += 1;
        self.stats.generated += count as u64;
        self.expanded += 1;
        for i in 0..count {
            self.add(id, i, observer);
        }
        if self.settings.stop_when_generated && self.report.best.is_some() {
            self.finish();
        }
        Ok(())
    }

    /// Writes the successors of a node to the scratch list.
    fn generate(&mut self, id: u32, quota: &Quota) -> Result<(), Halt> {
        let puzzle = self.puzzle;
        let state = *self.nodes.state(id);
        let g = self.nodes.record(id).g();
        self.children.clear();
        // The action that leads back to the parent is left out: the parent cannot become cheaper.
        for action in onward(puzzle, &state, self.nodes.action(id)) {
            let child = puzzle.apply(&state, action);
            let g = match g.checked_add(puzzle.action_cost(&state, action)) {
                Some(g) if g < OPEN => g,
                _ => return Err(too_costly(&OPEN, "best-first searches").into()),
            };
            self.grow(quota.bytes, |s, room| reserve(&mut s.children, 1, room))?;
            self.children.push(Child { state: child, hash: crate::index::hash(&child), action, g });
        }
        Ok(())
    }

    /// Adds the `i`-th successor of a node: new, cheaper than before, or neither.
    #[inline]
    fn add(&mut self, parent: u32, i: usize, observer: &mut ObserverOf<'_, P>) {
        let child = self.children[i];
        let g = child.g | OPEN;
        let Some(id) = self.nodes.find(child.hash, &child.state) else {
            let h = f32::NAN;
            let id = self.nodes.push(
                child.hash,
                child.state,
                Some(child.action),
                Record { parent, g, h },
            );
            self.fresh.push(id);
            self.pending.push(id);
            if self.puzzle.is_goal(&child.state) {
                self.offer(id, observer);
            }
            return;
        };
        let old = *self.nodes.record(id);
        // A missing estimate is NaN, which is not smaller.
        if self.consistent
            && f64::from(child.g) + f64::from(old.h) < self.nodes.record(parent).least()
        {
            self.fail_at_edge(parent, old.h, child.action);
        }
        if old.g() <= child.g || old.h == f32::INFINITY {
            return;
        }
        let opens = old.is_open() || self.settings.reopen;
        let new = Record { parent, g: if opens { g } else { child.g }, h: old.h };
        *self.nodes.record_mut(id) = new;
        self.nodes.set_action(id, child.action);
        // A state without an estimate is counted and pushed when it has one.
        if !old.h.is_nan() && opens {
            if let Some(tally) = &mut self.tally {
                if old.is_open() {
                    tally.remove(old.sum());
                }
                tally.add(new.sum());
            }
            if !old.is_open() {
                self.stats.reopened += 1;
            }
            self.pending.push(id);
        }
        if self.puzzle.is_goal(&child.state) {
            self.offer(id, observer);
        }
    }

    /// Fails: the estimate falls along an action of a node to `after`, by more than its cost.
    #[cold]
    fn fail_at_edge(&mut self, parent: u32, after: f32, action: P::Action) {
        let mut path = self.nodes.path(parent, |r| r.parent);
        path.push(action);
        let before = self.nodes.record(parent).h;
        let fault = inconsistent(self.puzzle, &path, before as Cost, after as Cost);
        self.report.fail(fault);
    }

    /// Computes the estimates of all new states.
    fn evaluate(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        let len = self.fresh.len();
        self.grow(quota.bytes, |s, room| s.evaluator.reserve(len, room))?;
        let nodes = &self.nodes;
        let states = self.fresh.iter().map(|&id| nodes.state(id));
        let estimates =
            self.evaluator.evaluate(self.puzzle, self.heuristic, self.admissible, states)?;
        let first = self.stats.evaluated == 0;
        let is_by_f = self.consistent && !self.is_by_key && !first;
        let mut fallen = None;
        self.stats.evaluated += len as u64;
        for (&id, &h) in self.fresh.iter().zip(estimates) {
            let h = match h {
                0.0 => 0.0,
                _ if self.puzzle.is_goal(self.nodes.state(id)) => 0.0,
                h => h,
            };
            if is_by_f && falls(&self.nodes, id, h) {
                fallen.get_or_insert(id);
            }
            let record = self.nodes.record_mut(id);
            record.h = h;
            if h == f32::INFINITY {
                record.g &= !OPEN;
            } else if let Some(tally) = &mut self.tally {
                if first {
                    tally.start_at(h as u64);
                }
                tally.add(record.sum());
            }
        }
        let start = *self.nodes.record(0);
        if first && self.admissible && start.is_open() {
            self.report.prove(start.h as Cost, &self.stats, observer);
        }
        if let Some((id, action)) = fallen.and_then(|id| Some((id, self.nodes.action(id)?))) {
            let record = *self.nodes.record(id);
            self.fail_at_edge(record.parent, record.h, action);
        }
        self.fresh.clear();
        Ok(())
    }

    /// Adds open-list entries of all new and improved nodes.
    fn push(&mut self, quota: &Quota) -> Result<(), Full> {
        while let Some(&id) = self.pending.get(self.pushed) {
            let record = *self.nodes.record(id);
            // A node improved while it was selected may have been expanded since.
            if record.is_open() && record.sum() >= self.upper {
                self.nodes.record_mut(id).g &= !OPEN;
                if let Some(tally) = &mut self.tally {
                    tally.remove(record.sum());
                }
            } else if record.is_open() {
                // Among equal f the larger g comes first. If g has no weight the smaller g comes
                // first, lest a plateau be searched depth-first and reopened again and again.
                let tie = if self.settings.weight_g == 0 { record.g() } else { record.h as u32 };
                let g = u64::from(record.g()) * u64::from(PRIORITY_UNIT);
                let h = (f64::from(record.h) * f64::from(PRIORITY_UNIT)) as u64;
                let key = (self.settings.weight_g * g)
                    .saturating_add(self.settings.weight_h.saturating_mul(h));
                if key < self.least_key
                    && let Some(action) = self.nodes.action(id)
                {
                    self.fail_at_edge(record.parent, record.h, action);
                }
                self.grow(quota.bytes, |s, room| s.open.reserve(key, tie, 1, room))?;
                self.open.push(key, tie, id);
            }
            self.pushed += 1;
        }
        self.pending.clear();
        self.phase = Phase::Select;
        Ok(())
    }

    fn step(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        match self.phase {
            Phase::Start => self.start(quota, observer)?,
            Phase::Select => self.select(quota, observer)?,
            Phase::Expand => match self.batch.get(self.expanded) {
                None => self.phase = Phase::Evaluate,
                // The node was selected twice, by a stale entry.
                Some(&id) if !self.nodes.record(id).is_open() => self.expanded += 1,
                Some(_) if quota.is_used_up(&self.stats) => return Err(Halt::Quota),
                Some(_) => self.expand(quota, observer)?,
            },
            Phase::Evaluate => {
                if !self.fresh.is_empty() {
                    self.evaluate(quota, observer)?;
                }
                self.pushed = 0;
                self.phase = Phase::Push;
            }
            Phase::Push => self.push(quota)?,
        }
        Ok(())
    }
}

accounted! {
    BestFirst<P: GoalPuzzle>: nodes, open, evaluator, batch, fresh, pending, children, tally
}
goal_search!(BestFirst<P>);
