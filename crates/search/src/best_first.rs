//! The engine of A*, weighted A*, greedy best-first and batch weighted A* search.
//!
//! One loop serves them all: *select* the `batch` entries of smallest f = `weight_g`·g + `weight_h`·h
//! from the open list, *expand* them one by one, *evaluate* all states that turned up for the first time
//! in one call, *push* what is new or was improved. Each stage keeps its own cursor, so that the search
//! can be left after any expansion and wherever a growth does not fit into memory.
//!
//! Invariants
//! - A node is *open* (flag in its record) from its insertion, or reopening, until its expansion. Every
//!   open node with a finite estimate has an entry of its present f in the open list, or is in the
//!   present batch, or is about to be pushed. Entries of nodes that are not open are stale: skipped.
//! - The g of a node never rises, and is at least g of its parent plus the cost of its action, so that
//!   following parents ends at the start.
//! - With reopening and an admissible estimate, some state of an optimal path is open with its optimal g
//!   whenever a batch is selected, so that the least g + h over the open nodes is a lower bound, and so
//!   is the least f divided by `weight_h` (for `weight_h` ≥ `weight_g`).
//!
//! An estimate is computed once per state and stored; a goal state has estimate 0 whatever the heuristic
//! says of it. A dead end is stored, never opened, never evaluated again.
//!
//! Memory: see module `nodes` and module `open`.

use crate::{
    evaluate::Evaluator,
    memory::{Accounted, Full, reserve, vec_bytes},
    nodes::{Child, NONE, Nodes},
    open::Open,
    resumable::resumable,
    weights::Tally,
};
use unriddle_core::{
    BatchHeuristic, Cost, GoalPuzzle, Observer, Outcome, Progress, Quota, SearchError, Solution,
    Stats, heuristic::PRIORITY_UNIT, search::check_state_size,
};

/// What tells the searches apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) weight_g: u64,
    /// At least 1 and at least `weight_g`.
    pub(crate) weight_h: u64,
    /// States selected at a time.
    pub(crate) batch: usize,
    /// Whether closed states that are reached more cheaply are opened again.
    pub(crate) reopen: bool,
    /// Whether the search ends with the first goal generated rather than selected.
    pub(crate) stop_when_generated: bool,
}

/// The record of a node.
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
    /// g + h, of an evaluated node with a whole estimate.
    #[inline]
    fn sum(self) -> u64 {
        u64::from(self.g()) + self.h as u64
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Start,
    Select,
    Expand,
    Evaluate,
    Push,
    Done,
}

/// The engine.
pub(crate) struct BestFirst<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    heuristic: &'a dyn BatchHeuristic<P>,
    settings: Settings,
    admissible: bool,
    nodes: Nodes<P::State, P::Action, Record>,
    open: Open,
    tally: Option<Tally>,
    phase: Phase,
    /// The selected nodes, and how many of them are done with.
    batch: Vec<u32>,
    expanded: usize,
    /// Nodes to be evaluated.
    fresh: Vec<u32>,
    /// Nodes to be pushed, and how many of them are.
    pending: Vec<u32>,
    pushed: usize,
    children: Vec<Child<P::State, P::Action>>,
    evaluator: Evaluator<P>,
    stats: Stats,
    best: Option<Solution<P::Action>>,
    bound: Option<Cost>,
    outcome: Option<Outcome<P::Action>>,
    fault: Option<SearchError>,
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
            nodes: Nodes::new(),
            open: Open::new(),
            tally: None,
            phase: Phase::Start,
            batch: Vec::new(),
            expanded: 0,
            fresh: Vec::new(),
            pending: Vec::new(),
            pushed: 0,
            children: Vec::new(),
            evaluator: Evaluator::new(),
            stats: Stats::default(),
            best: None,
            bound: None,
            outcome: None,
            fault: None,
        })
    }

    fn start(&mut self, quota: &Quota, observer: &mut dyn Observer<P::Action>) -> Result<(), Full> {
        let state = self.puzzle.initial_state();
        if self.puzzle.is_goal(&state) {
            let best = Solution::with_cost(Vec::new(), 0);
            observer.improved(&best, &self.stats);
            self.best = Some(best);
            self.bound = Some(0);
            self.finish();
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
            let mut tally = Tally::new();
            self.grow(quota.bytes, |_, room| tally.reserve(room))?;
            self.tally = Some(tally);
        }
        let id = self.nodes.push(hash, state, None, record);
        self.fresh.push(id);
        self.pending.push(id);
        self.phase = Phase::Evaluate;
        Ok(())
    }

    /// Selects the next batch, or ends the search.
    fn select(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Result<(), Full> {
        let key = loop {
            match self.open.peek() {
                None => {
                    // Every reachable state that is no proved dead end is closed.
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
            && let Some((_, id)) = self.open.pop()
        {
            let record = *self.nodes.record(id);
            if record.is_open() {
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
    fn raise_bound(&mut self, key: u64, observer: &mut dyn Observer<P::Action>) {
        if !(self.admissible && self.settings.reopen) {
            return;
        }
        let mut bound = key.div_ceil(u64::from(PRIORITY_UNIT) * self.settings.weight_h);
        if let Some(least) = self.tally.as_mut().and_then(Tally::least) {
            bound = bound.max(least);
        }
        self.prove(bound, observer);
    }

    fn prove(&mut self, bound: u64, observer: &mut dyn Observer<P::Action>) {
        let bound = Cost::try_from(bound).unwrap_or(Cost::MAX);
        if self.bound.is_none_or(|b| b < bound) {
            self.bound = Some(bound);
            observer.bound(i64::from(bound), &self.stats);
        }
    }

    /// Whether the incumbent is as good as the lower bound.
    fn is_proved(&self) -> bool {
        match (&self.best, self.bound) {
            (Some(best), Some(bound)) => best.value <= i64::from(bound),
            _ => false,
        }
    }

    /// A path to a goal node was found: perhaps a better one than the incumbent.
    fn offer(&mut self, id: u32, observer: &mut dyn Observer<P::Action>) {
        let g = i64::from(self.nodes.record(id).g());
        let value = self.best.as_ref().map(|b| b.value);
        if value.is_some_and(|v| v < g) {
            return;
        }
        // The path may have become cheaper than g where an ancestor was improved.
        let found = Solution::played(self.puzzle, self.nodes.path(id, |r| r.parent));
        if value.is_none_or(|v| found.value < v) {
            observer.improved(&found, &self.stats);
            self.best = Some(found);
        }
    }

    fn finish(&mut self) {
        self.phase = Phase::Done;
        let proof = self.is_proved();
        self.outcome = Some(match &self.best {
            Some(best) => Outcome::Solved {
                best: best.clone(),
                proof,
                bound: self.bound.map(|b| i64::from(b).min(best.value)),
            },
            None => Outcome::Unsolvable,
        });
    }

    fn fail(&mut self, fault: SearchError) {
        self.fault = Some(fault);
        self.phase = Phase::Done;
        self.outcome = Some(Outcome::Exhausted { best: self.best.clone() });
    }

    /// Expands the next node of the batch, all at once or (for lack of memory) not at all.
    fn expand(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Result<(), Full> {
        let id = self.batch[self.expanded];
        if !self.generate(id, quota)? {
            return Ok(());
        }
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
        if self.settings.stop_when_generated && self.best.is_some() {
            self.finish();
        }
        Ok(())
    }

    /// Writes the successors of a node to the scratch list; `false` on a fault.
    fn generate(&mut self, id: u32, quota: &Quota) -> Result<bool, Full> {
        let puzzle = self.puzzle;
        let state = *self.nodes.state(id);
        let g = self.nodes.record(id).g();
        let last = self.nodes.action(id);
        self.children.clear();
        let actions = match last {
            Some(last) => puzzle.actions_after(&state, last),
            None => puzzle.actions(&state),
        };
        for action in actions {
            // Back to the parent, which cannot become cheaper.
            if last.is_some_and(|last| puzzle.is_inverse(last, action)) {
                continue;
            }
            let child = puzzle.apply(&state, action);
            let g = match g.checked_add(puzzle.action_cost(&state, action)) {
                Some(g) if g < OPEN => g,
                _ => {
                    self.fail(SearchError::TooLarge(format!(
                        "a path costs {OPEN} or more, which best-first searches cannot hold"
                    )));
                    return Ok(false);
                }
            };
            self.grow(quota.bytes, |s, room| reserve(&mut s.children, 1, room))?;
            self.children.push(Child { state: child, hash: crate::index::hash(&child), action, g });
        }
        Ok(true)
    }

    /// Adds the `i`-th successor of a node: new, cheaper than before, or neither.
    #[inline]
    fn add(&mut self, parent: u32, i: usize, observer: &mut dyn Observer<P::Action>) {
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
        if old.g() <= child.g || old.h == f32::INFINITY {
            return;
        }
        let opens = old.is_open() || self.settings.reopen;
        let new = Record { parent, g: if opens { g } else { child.g }, h: old.h };
        *self.nodes.record_mut(id) = new;
        self.nodes.set_action(id, child.action);
        // A state that waits for its estimate is counted and pushed when it has one.
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

    /// Computes the estimates of all states that were seen for the first time.
    fn evaluate(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Result<(), Full> {
        self.phase = Phase::Push;
        self.pushed = 0;
        if self.fresh.is_empty() {
            return Ok(());
        }
        let len = self.fresh.len();
        let made = self.grow(quota.bytes, |s, room| s.evaluator.reserve(len, room));
        if made.is_err() {
            self.phase = Phase::Evaluate;
            return made;
        }
        let nodes = &self.nodes;
        let states = self.fresh.iter().map(|&id| nodes.state(id));
        let estimates =
            match self.evaluator.evaluate(self.puzzle, self.heuristic, self.admissible, states) {
                Ok(estimates) => estimates,
                Err(fault) => {
                    self.fail(fault);
                    return Ok(());
                }
            };
        let first = self.stats.evaluated == 0;
        self.stats.evaluated += len as u64;
        for (&id, &h) in self.fresh.iter().zip(estimates) {
            let h = match h {
                0.0 => 0.0,
                _ if self.puzzle.is_goal(self.nodes.state(id)) => 0.0,
                h => h,
            };
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
        self.fresh.clear();
        let start = *self.nodes.record(0);
        if first && self.admissible && start.is_open() {
            self.prove(start.h as u64, observer);
        }
        Ok(())
    }

    /// Adds open-list entries of all new and improved nodes.
    fn push(&mut self, quota: &Quota) -> Result<(), Full> {
        while let Some(&id) = self.pending.get(self.pushed) {
            let record = *self.nodes.record(id);
            // A node improved while it was selected may have been expanded since.
            if record.is_open() {
                // Among equal f the larger g comes first; where g has no weight the smaller one, lest a
                // plateau be searched depth-first and opened again and again.
                let tie = match self.settings.weight_g {
                    0 => record.g(),
                    _ => record.h as u32,
                };
                let g = u64::from(record.g()) * u64::from(PRIORITY_UNIT);
                let h = (f64::from(record.h) * f64::from(PRIORITY_UNIT)) as u64;
                let key = (self.settings.weight_g * g)
                    .saturating_add(self.settings.weight_h.saturating_mul(h));
                self.grow(quota.bytes, |s, room| s.open.reserve(key, tie, 1, room))?;
                self.open.push(key, tie, id);
            }
            self.pushed += 1;
        }
        self.pending.clear();
        self.phase = Phase::Select;
        Ok(())
    }
}

impl<P: GoalPuzzle> BestFirst<'_, P> {
    /// Goes on until the quota is used up, the search ends or has a fault.
    fn go_on(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Progress<P::Action> {
        loop {
            let result = match self.phase {
                Phase::Start => self.start(quota, observer),
                Phase::Select => self.select(quota, observer),
                Phase::Expand => match self.batch.get(self.expanded) {
                    None => {
                        self.phase = Phase::Evaluate;
                        Ok(())
                    }
                    // Twice in the batch, by way of a stale entry.
                    Some(&id) if !self.nodes.record(id).is_open() => {
                        self.expanded += 1;
                        Ok(())
                    }
                    Some(_) if quota.is_used_up(&self.stats) => return Progress::Running,
                    Some(_) => self.expand(quota, observer),
                },
                Phase::Evaluate => self.evaluate(quota, observer),
                Phase::Push => self.push(quota),
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

impl<P: GoalPuzzle> Accounted for BestFirst<'_, P> {
    fn bytes(&self) -> u64 {
        self.nodes.bytes()
            + self.open.bytes()
            + self.evaluator.bytes()
            + vec_bytes(&self.batch)
            + vec_bytes(&self.fresh)
            + vec_bytes(&self.pending)
            + vec_bytes(&self.children)
            + self.tally.as_ref().map_or(0, Tally::bytes)
    }

    fn counters(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

resumable!(BestFirst);

/// Makes a search that is a [`BestFirst`] with other settings.
macro_rules! best_first {
    ($name:ident) => {
        impl<P: ::unriddle_core::GoalPuzzle> ::unriddle_core::Search for $name<'_, P> {
            type Action = P::Action;
            fn advance(
                &mut self,
                quota: &::unriddle_core::Quota,
                observer: &mut dyn ::unriddle_core::Observer<P::Action>,
            ) -> ::unriddle_core::Progress<P::Action> {
                self.0.advance(quota, observer)
            }
            fn stats(&self) -> ::unriddle_core::Stats {
                self.0.stats()
            }
            fn best(&self) -> Option<&::unriddle_core::Solution<P::Action>> {
                self.0.best()
            }
            fn bound(&self) -> Option<i64> {
                self.0.bound()
            }
        }
    };
}
pub(crate) use best_first;
