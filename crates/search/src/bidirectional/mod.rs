//! Beam search from both ends of the path at once, for puzzles whose states have an inverse that is as far from the goal
//! ([`Invertible`](unriddle_core::Invertible)).
//!
//! A node stands for a state and its inverse, and has the children of both: an action at the end of the path that is sought, or one at
//! its beginning. A path of length d to the goal is then on t + 1 nodes of layer t instead of one, so that a beam of the same width keeps
//! one of them more often.
//!
//! A layer is gone through in three steps. All children are estimated, and of each its estimate alone is kept. A histogram of the estimates
//! gives the limit below which `width` and half as many more lie. These states are made once more in the order of their estimates, and taken
//! unless they or their inverses were taken before or are in one of the two layers before. If too many were, the limit is raised.
//!
//! With a `rerank` of k, k · `width` states are taken, and the inverse of each is estimated as well: those with the least sums of both estimates make
//! the layer. A state and its inverse are as far from the goal, and a learned estimate errs of each in another way. Both estimates of all children
//! would take twice the time.
//!
//! With a set of exact distances near the goal ([`GoalDistances`]) each node that is taken is looked up there, and the search ends with the first
//! layer that has one: where a nearer one was in reach, its parent was in the set as well.
//!
//! From one end ([`Direction::Forward`]) it is a beam of states with the same means: no inverses, and half of the children.
//!
//! Threads share the parents of a layer. Estimates do not depend on who makes them, so that the search is the same for any number of threads.
//!
//! Memory for each unit of `width`: four bytes for each child, and three layers' worth of nodes; with `rerank` the candidates' nodes instead of
//! those of one of the layers.

mod select;
mod work;

use crate::{
    beam::{BeamConfig, Direction},
    memory::{Accounted, Full, reserve, vec_bytes},
    nodes::{NONE, Nodes},
    resumable::resumable,
    trace::Trace,
};
use select::{Candidate, Histogram};
use unriddle_core::{
    BatchHeuristic, Cost, GoalDistances, GoalPuzzle, InverseStep, Inverses, Observer, Options,
    Outcome, Progress, Quota, SearchError, Solution, Stats, goal_distances::shortest,
    search::check_state_size,
};
use work::{Sides, Worker, in_parts};

/// Parents that a thread expands at a time, at most.
const PARENTS: usize = 1024;

/// Candidates whose states a thread makes at a time, at most.
const CANDIDATES: usize = 1 << 14;

/// The record of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<A> {
    /// Its place in the trace; of a candidate that of its parent.
    trace: u32,
    /// The last action that was applied to the state, and to its inverse.
    last: [Option<A>; 2],
}

pub(crate) type Layer<P> = Nodes<
    <P as unriddle_core::Puzzle>::State,
    InverseStep<<P as unriddle_core::Puzzle>::Action>,
    Record<<P as unriddle_core::Puzzle>::Action>,
>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Start,
    Look,
    Expand,
    Select,
    Extend,
    Done,
}

/// Beam search from both ends.
///
/// ```
/// # use unriddle_core::{GoalPuzzle, Numbers, Puzzle, Reversible};
/// # /// A dial with seven marks that is turned by 1 or 6, which is 1 back.
/// # struct Dial;
/// # #[derive(Clone, Copy)]
/// # struct Turns(u8);
/// # impl Iterator for Turns {
/// #     type Item = u8;
/// #     fn next(&mut self) -> Option<u8> {
/// #         let turn = [1, 6].get(usize::from(self.0)).copied();
/// #         self.0 += 1;
/// #         turn
/// #     }
/// # }
/// # impl Puzzle for Dial {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Turns;
/// #     fn initial_state(&self) -> u8 { 3 }
/// #     fn actions(&self, _: &u8) -> Turns { Turns(0) }
/// #     fn apply(&self, mark: &u8, turn: u8) -> u8 { (mark + turn) % 7 }
/// # }
/// # impl GoalPuzzle for Dial {
/// #     fn is_goal(&self, mark: &u8) -> bool { *mark == 0 }
/// # }
/// # impl Reversible for Dial {
/// #     fn inverse(&self, turn: u8) -> u8 { 7 - turn }
/// # }
/// # impl unriddle_core::Invertible for Dial {
/// #     fn inverted(&self, mark: &u8) -> u8 { (7 - mark) % 7 }
/// #     fn space(&self) -> String { "dial 7".to_owned() }
/// # }
/// use unriddle_core::{Blind, Budget, Inverses, Scalar, run};
/// use unriddle_search::{beam::{BeamConfig, Direction}, bidirectional::BidirectionalBeam};
///
/// let config = BeamConfig { width: 4, direction: Direction::Bidirectional, ..BeamConfig::default() };
/// let heuristic = Scalar(Blind);
/// let mut search = BidirectionalBeam::new(&Dial, &heuristic, Inverses::new(), config)?;
/// let outcome = run(&mut search, &Budget::default(), &mut ())?;
/// // From mark 3 three turns by 6.
/// assert_eq!(outcome.best().unwrap().actions, [6, 6, 6]);
/// # Ok::<(), unriddle_core::SearchError>(())
/// ```
pub struct BidirectionalBeam<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    heuristic: &'a dyn BatchHeuristic<P>,
    sides: Sides<P>,
    near: Option<&'a dyn GoalDistances<P>>,
    config: BeamConfig,
    /// Solutions are sought that cost less than this.
    below: Option<Cost>,
    /// Actions of a node.
    branching: usize,
    /// Cost of an action.
    unit: Cost,
    previous: Layer<P>,
    current: Layer<P>,
    next: Layer<P>,
    /// Nodes of the current layer that are expanded.
    expanded: u32,
    /// Bits of the estimates of all children, parent after parent.
    keys: Vec<u32>,
    /// Where those of each expanded parent begin.
    firsts: Vec<u32>,
    order: Vec<Candidate>,
    /// Of the states of the next layer, the bits of their estimates and their numbers; and the same in another order.
    ranks: [Vec<u64>; 2],
    histogram: Histogram,
    depth: u32,
    /// Whether a state that is no dead end was ever cut off.
    lossy: bool,
    trace: Trace<InverseStep<P::Action>>,
    phase: Phase,
    /// One for each thread.
    workers: Vec<Worker<P>>,
    stats: Stats,
    best: Option<Solution<P::Action>>,
    bound: Option<Cost>,
    outcome: Option<Outcome<P::Action>>,
    fault: Option<SearchError>,
}

impl<'a, P: GoalPuzzle> BidirectionalBeam<'a, P> {
    /// A search that has not begun, on one thread.
    ///
    /// # Errors
    /// An option out of bounds or without meaning here, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        heuristic: &'a dyn BatchHeuristic<P>,
        ends: Inverses<P>,
        config: BeamConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        check_state_size::<P>()?;
        if config.max_cost > 0 {
            let message = "`max_cost` does not go with `direction=bidirectional`, `goal_table` or `rerank`: all actions cost the same, `max_depth` limits their number";
            return Err(SearchError::BadOption(message.to_owned()));
        }
        let start = puzzle.initial_state();
        let first = puzzle.actions(&start).next();
        let sides = Sides { ends, both: config.direction == Direction::Bidirectional };
        let branching = sides.count() * puzzle.actions(&start).count();
        Ok(Self {
            puzzle,
            heuristic,
            sides,
            near: None,
            config,
            below: None,
            branching,
            unit: first.map_or(1, |action| puzzle.action_cost(&start, action)),
            previous: Nodes::new(),
            current: Nodes::new(),
            next: Nodes::new(),
            expanded: 0,
            keys: Vec::new(),
            firsts: Vec::new(),
            order: Vec::new(),
            ranks: Default::default(),
            histogram: Histogram::default(),
            depth: 0,
            lossy: false,
            trace: Trace::new(),
            phase: Phase::Start,
            workers: vec![Worker::new()],
            stats: Stats::default(),
            best: None,
            bound: None,
            outcome: None,
            fault: None,
        })
    }

    /// With exact distances near the goal, those of all states one action from it among them: children are then not looked at for goals.
    #[must_use]
    pub fn with_goal_table(mut self, near: Option<&'a dyn GoalDistances<P>>) -> Self {
        self.near = near;
        self
    }

    /// On up to `threads` threads. The search is the same for any number of them.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.workers.resize_with(threads.max(1), Worker::new);
        self
    }

    /// Seeks only solutions that cost less than `below`, if it is given.
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

    /// Ends with the path by a node and on from it by `rest`.
    fn solved(&mut self, trace: u32, rest: Vec<P::Action>, observer: &mut dyn Observer<P::Action>) {
        let mut path = rest;
        for step in self.trace.path(trace).into_iter().rev() {
            (self.sides.ends).prepend(self.puzzle, &step, &mut path);
        }
        let best = Solution::played(self.puzzle, path);
        observer.improved(&best, &self.stats);
        let bound = self.bound.map(|b| i64::from(b).min(best.value));
        self.best = Some(best.clone());
        self.end(Outcome::Solved { proof: bound == Some(best.value), best, bound });
    }

    /// Bytes that a beam of a width takes in the end.
    fn needed(&self, width: usize) -> u64 {
        let node = size_of::<P::State>()
            + size_of::<InverseStep<P::Action>>()
            + size_of::<Record<P::Action>>()
            + 12;
        let trace = 2 * (8 + size_of::<InverseStep<P::Action>>());
        let rerank = self.config.rerank;
        let candidates = 4 * self.branching + 2 * rerank * size_of::<Candidate>();
        let ranks = if rerank > 1 { 4 * rerank * size_of::<u64>() } else { 0 };
        let each = (2 + rerank) * node + trace + candidates + ranks + 8;
        let workers = self.workers.len() * Worker::<P>::most_bytes(width, self.branching, rerank);
        let layers = (width as u64).saturating_mul(each as u64);
        layers + workers as u64 + self.histogram.bytes() + (1 << 20)
    }

    fn start(&mut self, quota: &Quota, observer: &mut dyn Observer<P::Action>) -> Result<(), Full> {
        let width = self.config.width;
        if self.needed(width) > quota.bytes {
            let fits = |width: &usize| self.needed(*width) <= quota.bytes;
            let widest = (0..31).rev().map(|power| 1 << power).find(fits);
            let instead = match widest {
                Some(widest) => {
                    format!("the widest beam of a power of two that fits has {widest}")
                }
                None => "no beam fits".to_owned(),
            };
            self.fail(SearchError::TooLarge(format!(
                "a beam of {width} states takes {} bytes, which is more than the {} that are allowed: {instead}",
                self.needed(width),
                quota.bytes
            )));
            return Ok(());
        }
        let state = self.puzzle.initial_state();
        if self.puzzle.is_goal(&state) {
            self.bound = Some(0);
            self.solved(NONE, Vec::new(), observer);
            return Ok(());
        }
        let hash = crate::index::hash(&state);
        self.grow(quota.bytes, |s, room| s.current.reserve(1, room))?;
        self.grow(quota.bytes, |s, room| s.current.reserve_index(hash, 1, room))?;
        let admissible = self.heuristic.guarantee().is_admissible();
        let h = match self.workers[0].estimate(self.puzzle, self.heuristic, &state) {
            Ok(h) => h,
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
        let record = Record { trace: NONE, last: [None; 2] };
        self.current.push(hash, state, None, record);
        self.phase = Phase::Look;
        Ok(())
    }

    /// Looks for states of the layer that are near the goal.
    fn look(&mut self, observer: &mut dyn Observer<P::Action>) {
        self.phase = Phase::Expand;
        let Some(near) = self.near else {
            return;
        };
        let (puzzle, current) = (self.puzzle, &self.current);
        let parts = in_parts(current.len(), &mut self.workers, |range, worker| {
            worker.found.clear();
            for id in range.start as u32..range.end as u32 {
                if let Some(distance) = near.distance(puzzle, current.state(id)) {
                    worker.found.push((distance, id));
                }
            }
        });
        self.stats.helper_cpu += parts;
        let found = self.workers.iter().flat_map(|worker| worker.found.iter());
        let mut found: Vec<(u32, u32)> = found.copied().collect();
        found.sort_unstable();
        for (distance, id) in found {
            let cost = self.unit.saturating_mul(self.depth + distance);
            if self.below.is_some_and(|below| cost >= below) {
                continue;
            }
            if let Some(rest) = shortest(puzzle, near, self.current.state(id)) {
                let trace = self.current.record(id).trace;
                self.solved(trace, rest, observer);
                return;
            }
        }
    }

    /// Expands the next states of the layer, all at once or (for lack of memory) not at all.
    fn expand(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Result<(), Full> {
        let left = self.current.len() - self.expanded as usize;
        let limit = |of: u64, done: u64, each: u64| {
            usize::try_from((of.saturating_sub(done) / each).max(1)).unwrap_or(usize::MAX)
        };
        let count = left
            .min(PARENTS * self.workers.len())
            .min(limit(quota.expanded, self.stats.expanded, 1))
            .min(limit(quota.generated, self.stats.generated, self.branching.max(1) as u64));
        let children = count * self.branching;
        self.grow(quota.bytes, |s, room| reserve(&mut s.keys, children, room))?;
        self.grow(quota.bytes, |s, room| reserve(&mut s.firsts, count, room))?;
        for i in 0..self.workers.len() {
            self.grow(quota.bytes, |s, room| {
                let each = count.div_ceil(s.workers.len());
                s.workers[i].reserve(each, s.branching, room)
            })?;
        }
        let (puzzle, heuristic, sides) = (self.puzzle, self.heuristic, &self.sides);
        let (current, first) = (&self.current, self.expanded);
        // A child that is a goal has a parent that was found near it.
        let looks = self.near.is_none();
        self.stats.helper_cpu += in_parts(count, &mut self.workers, |range, worker| {
            let ids = first + range.start as u32..first + range.end as u32;
            worker.expand((puzzle, heuristic, sides), looks, current, ids);
        });
        let mut parent = self.expanded;
        for i in 0..self.workers.len() {
            if let Some(fault) = self.workers[i].fault.take() {
                self.fail(fault);
                return Ok(());
            }
            let worker = &self.workers[i];
            let mut from = 0;
            for &count in &worker.counts {
                self.firsts.push(self.keys.len() as u32);
                let keys = &worker.keys[from..from + count];
                self.keys.extend_from_slice(keys);
                from += count;
                self.stats.expanded += 1;
                self.stats.generated += count as u64;
                self.stats.evaluated += count as u64;
                if let Some(goal) = worker.goal.filter(|goal| goal.parent == parent) {
                    let cost = self.unit.saturating_mul(self.depth + 1);
                    if self.below.is_none_or(|below| cost < below) {
                        let record = *self.current.record(parent);
                        let mut path = vec![goal.action];
                        if goal.of_inverse {
                            path[0] = (self.sides.ends.inverse)(puzzle, goal.action);
                        }
                        self.solved(record.trace, path, observer);
                        return Ok(());
                    }
                }
                parent += 1;
            }
        }
        self.expanded = parent;
        if self.expanded as usize == self.current.len() {
            self.phase = Phase::Select;
        }
        Ok(())
    }

    /// Takes the best children into the next layer.
    fn select(&mut self, quota: &Quota) -> Result<(), Full> {
        // States that are taken, those among them that are left out again.
        let most = self.config.width.saturating_mul(self.config.rerank);
        self.histogram.count(&self.keys);
        let alive = self.histogram.alive();
        let mut take = most.saturating_add(most / 2).min(alive);
        self.next.clear();
        self.ranks[0].clear();
        let mut done = 0;
        loop {
            self.grow(quota.bytes, |s, room| {
                s.order.clear();
                reserve(&mut s.order, take, room)
            })?;
            if self.config.rerank > 1 {
                let places = most.min(alive) - self.ranks[0].len();
                self.grow(quota.bytes, |s, room| reserve(&mut s.ranks[0], places, room))?;
            }
            self.histogram.least(&self.keys, &self.firsts, take, &mut self.order);
            while done < self.order.len() && self.next.len() < most {
                done = self.take((done, most), quota)?;
                if self.phase == Phase::Done {
                    return Ok(());
                }
            }
            if self.next.len() == most || take == alive {
                break;
            }
            take = take.saturating_mul(2).min(alive);
        }
        self.lossy |= done < alive;
        self.leave_out(quota)?;
        self.keys.clear();
        self.firsts.clear();
        self.phase = Phase::Extend;
        if self.next.is_empty() {
            self.end(match self.lossy || self.below.is_some() {
                true => Outcome::Exhausted { best: None },
                false => Outcome::Unsolvable,
            });
        } else if self.depth + 1 >= self.config.max_depth
            || (self.below).is_some_and(|below| self.unit.saturating_mul(self.depth + 2) >= below)
        {
            self.end(Outcome::Exhausted { best: None });
        }
        Ok(())
    }

    /// Of the states that were taken, leaves out those with the greatest sums of estimates that are too many.
    fn leave_out(&mut self, quota: &Quota) -> Result<(), Full> {
        let (width, count) = (self.config.width, self.next.len());
        if count <= width {
            return Ok(());
        }
        self.lossy = true;
        self.grow(quota.bytes, |s, room| {
            s.ranks[1].clear();
            reserve(&mut s.ranks[1], count, room)
        })?;
        let [ranks, ordered] = &mut self.ranks;
        ordered.extend_from_slice(ranks);
        let (_, &mut limit, _) = ordered.select_nth_unstable(width);
        self.next.retain(|id, _| ranks[id as usize] < limit);
        Ok(())
    }

    /// Makes the states of the next candidates from a place on, on all threads, and takes those that are not there, until there are `most`.
    /// Gives the place of the first candidate that was not looked at.
    fn take(&mut self, (from, most): (usize, usize), quota: &Quota) -> Result<usize, Full> {
        let count = (self.order.len() - from).min(CANDIDATES * self.workers.len());
        let reranks = self.config.rerank > 1;
        for i in 0..self.workers.len() {
            self.grow(quota.bytes, |s, room| {
                let each = count.div_ceil(s.workers.len());
                s.workers[i].reserve_made(each, reranks, room)
            })?;
        }
        let (puzzle, sides, before) = (self.puzzle, &self.sides, [&self.current, &self.previous]);
        let again = reranks.then_some(self.heuristic);
        let order = &self.order[from..from + count];
        self.stats.helper_cpu += in_parts(count, &mut self.workers, |range, worker| {
            worker.make((puzzle, sides), again, before, &order[range]);
        });
        let mut place = from;
        for i in 0..self.workers.len() {
            if let Some(fault) = self.workers[i].fault.take() {
                self.fail(fault);
                return Ok(place);
            }
            for j in 0..self.workers[i].made.len() {
                if self.next.len() == most {
                    return Ok(place);
                }
                place += 1;
                let Some(made) = &self.workers[i].made[j] else {
                    continue;
                };
                // Those beyond the last that is taken are as many as threads make of them, and not counted.
                self.stats.evaluated += u64::from(reranks);
                let (state, hash) = (made.state, made.hash);
                let (step, record) = (made.step, made.record);
                let rank = u64::from(made.estimate.to_bits()) << 32 | self.next.len() as u64;
                if self.next.find(hash, &state).is_some() {
                    continue;
                }
                self.grow(quota.bytes, |s, room| s.next.reserve(1, room))?;
                self.grow(quota.bytes, |s, room| s.next.reserve_index(hash, 1, room))?;
                self.next.push(hash, state, Some(step), record);
                if reranks {
                    self.ranks[0].push(rank);
                }
            }
        }
        Ok(place)
    }

    /// Makes what was taken the current layer.
    fn extend(&mut self, quota: &Quota) -> Result<(), Full> {
        let count = self.next.len();
        self.grow(quota.bytes, |s, room| s.trace.reserve(count, room))?;
        for id in 0..count as u32 {
            self.trace.hold(self.next.record(id).trace);
        }
        for id in 0..self.current.len() as u32 {
            self.trace.release(self.current.record(id).trace);
        }
        for id in 0..count as u32 {
            if let Some(step) = self.next.action(id) {
                let record = self.next.record_mut(id);
                record.trace = self.trace.add(record.trace, step);
            }
        }
        std::mem::swap(&mut self.previous, &mut self.current);
        std::mem::swap(&mut self.current, &mut self.next);
        self.next.clear();
        self.expanded = 0;
        self.depth += 1;
        self.phase = Phase::Look;
        Ok(())
    }

    fn go_on(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Progress<P::Action> {
        loop {
            let result = match self.phase {
                Phase::Start => self.start(quota, observer),
                Phase::Look => {
                    self.look(observer);
                    Ok(())
                }
                Phase::Expand if quota.is_used_up(&self.stats) => return Progress::Running,
                Phase::Expand => self.expand(quota, observer),
                Phase::Select => self.select(quota),
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

impl<P: GoalPuzzle> Accounted for BidirectionalBeam<'_, P> {
    fn bytes(&self) -> u64 {
        let workers = self.workers.iter().map(Worker::bytes).sum::<u64>();
        self.previous.bytes()
            + self.current.bytes()
            + self.next.bytes()
            + self.trace.bytes()
            + vec_bytes(&self.keys)
            + vec_bytes(&self.firsts)
            + vec_bytes(&self.order)
            + self.ranks.iter().map(vec_bytes).sum::<u64>()
            + workers
    }

    fn counters(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

resumable!(BidirectionalBeam);
