//! Bidirectional beam search, for puzzles whose states have an inverse at the same distance from
//! the goal ([`Invertible`](unriddle_core::Invertible)).
//!
//! A node represents a state and its inverse, and has the children of both: an action appends to
//! the end of the path that is sought, or to its beginning. In layer t an optimal path contributes
//! t + 1 nodes (i actions at one end, t − i at the other) instead of one node, so that a beam of
//! the same width is likelier to keep one of them.
//!
//! A layer is made in three steps. First, the search estimates all children and stores only their
//! estimates. Second, a histogram of the estimates returns the limit below which 1.5·`width`
//! estimates are. Third, the states of these children are made again in the order of their
//! estimates and added to the next layer, unless they or their inverses are in it or in one of the
//! two previous layers. If too many are skipped, the limit is raised.
//!
//! With a `rerank` of k the next layer first receives k · `width` states, whose inverses are
//! estimated as well, and then keeps the `width` smallest sums of both estimates. A state and its
//! inverse have the same distance from the goal, but a learned estimate has different errors for
//! them. Estimating both for all children would take twice the time.
//!
//! With exact distances near the goal ([`GoalDistances`]) each node of a layer is looked up, and
//! the search ends with the first layer that contains a known node. That node is nearest: the
//! parent of a nearer one would have been known as well.
//!
//! With [`Direction::Forward`] it is a beam of states with the same method: no inverses, and half
//! of the children.
//!
//! Threads share the parents of a layer. Estimates do not depend on the thread that makes them, so
//! that the search is the same for any number of threads.
//!
//! Memory per unit of `width`: four bytes for each child, and three layers of nodes; with `rerank`
//! one of the layers has the nodes of all candidates.

mod select;
mod work;

use crate::{
    beam::{BeamConfig, Direction},
    layered_beam::{self, LayeredBeam, Phase, Policy, Record},
    memory::{Accounted, Full, bytes, reserve},
    report::{Halt, ObserverOf, delegate_search, judge_start},
};
use select::{Candidate, Histogram};
use unriddle_core::{
    BatchHeuristic, Cost, GoalDistances, GoalPuzzle, InverseStep, Inverses, Outcome, Quota,
    SearchError, goal_distances::shortest,
};
use work::{Goal, Sides, Worker, in_parts, least, part};

/// Largest number of parents that a thread expands at a time.
const PARENTS: usize = 1024;

/// Largest number of candidates whose states a thread makes at a time.
const CANDIDATES: usize = 1 << 14;

/// The last action that was applied to a node's state, and to its inverse.
type LastActions<P> = [Option<<P as unriddle_core::Puzzle>::Action>; 2];

type Layer<'a, P> = layered_beam::Layer<P, StatePairs<'a, P>>;

/// Stage of the work on a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Looks the layer's states up in the goal table.
    LookUp,
    Expand,
    Select,
}

/// Policy whose nodes represent a state and its inverse.
struct StatePairs<'a, P: GoalPuzzle> {
    heuristic: &'a dyn BatchHeuristic<P>,
    sides: Sides<P>,
    goal_table: Option<&'a dyn GoalDistances<P>>,
    /// Number of actions of a node.
    branching: usize,
    /// Cost of an action.
    unit: Cost,
    /// Bits of the estimates of all children, parent after parent.
    keys: Vec<u32>,
    /// Index in `keys` of the first child of each expanded parent.
    firsts: Vec<u32>,
    order: Vec<Candidate>,
    /// Bits of the estimates of the next layer's states with their numbers, and the same in another
    /// order.
    ranks: [Vec<u64>; 2],
    histogram: Histogram,
    /// Buffers of each thread.
    workers: Vec<Worker<P>>,
}

/// Bidirectional beam search.
///
/// ```
/// # use unriddle_core::{GoalPuzzle, Puzzle, Reversible};
/// # unriddle_core::toy!(Dial);
/// # impl unriddle_core::GoalPuzzle for Dial {
/// #     fn is_goal(&self, mark: &u8) -> bool {
/// #         *mark == 0
/// #     }
/// # }
/// # impl unriddle_core::Reversible for Dial {
/// #     fn inverse(&self, turn: u8) -> u8 {
/// #         7 - turn
/// #     }
/// # }
/// # impl unriddle_core::Invertible for Dial {
/// #     fn inverted(&self, mark: &u8) -> u8 {
/// #         (7 - mark) % 7
/// #     }
/// #     fn space(&self) -> String {
/// #         "dial 7".to_owned()
/// #     }
/// # }
/// use unriddle_core::{Blind, Budget, Inverses, Scalar, run};
/// use unriddle_search::{beam::{BeamConfig, Direction}, bidirectional::BidirectionalBeam};
///
/// let (width, direction) = (4, Direction::Bidirectional);
/// let config = BeamConfig { width, direction, ..BeamConfig::default() };
/// let heuristic = Scalar(Blind);
/// let mut search = BidirectionalBeam::new(&Dial, &heuristic, Inverses::new(), config)?;
/// let outcome = run(&mut search, &Budget::default(), &mut ())?;
/// // From mark 3 three turns by 6.
/// assert_eq!(outcome.best().unwrap().actions, [6, 6, 6]);
/// # Ok::<(), unriddle_core::SearchError>(())
/// ```
pub struct BidirectionalBeam<'a, P: GoalPuzzle>(LayeredBeam<'a, P, StatePairs<'a, P>>);

impl<'a, P: GoalPuzzle> BidirectionalBeam<'a, P> {
    /// Creates a search on one thread that has not begun.
    ///
    /// # Errors
    /// An option that is out of bounds or has no effect here, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        heuristic: &'a dyn BatchHeuristic<P>,
        inverses: Inverses<P>,
        config: BeamConfig,
    ) -> Result<Self, SearchError> {
        let start = puzzle.initial_state();
        let first = puzzle.actions(&start).next();
        let sides = Sides { inverses, both: config.direction == Direction::Bidirectional };
        let branching = sides.count() * puzzle.actions(&start).count();
        let policy = StatePairs {
            heuristic,
            sides,
            goal_table: None,
            branching,
            unit: first.map_or(1, |action| puzzle.action_cost(&start, action)),
            keys: Vec::new(),
            firsts: Vec::new(),
            order: Vec::new(),
            ranks: Default::default(),
            histogram: Histogram::default(),
            workers: vec![Worker::new()],
        };
        let beam = LayeredBeam::new(puzzle, policy, config)?;
        if config.max_cost > 0 {
            let message = "`max_cost` does not go with `direction=bidirectional`, `goal_table` or `rerank`: all actions cost the same, `max_depth` limits their number";
            return Err(SearchError::BadOption(message.to_owned()));
        }
        Ok(Self(beam))
    }

    /// Uses exact distances near the goal. They must contain all states one action from the goal,
    /// because children are then not tested for goals.
    #[must_use]
    pub fn with_goal_table(mut self, goal_table: Option<&'a dyn GoalDistances<P>>) -> Self {
        self.0.policy.goal_table = goal_table;
        self
    }

    /// Uses up to `threads` threads. The search is the same for any number of threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.0.policy.workers.resize_with(threads.max(1), Worker::new);
        self
    }

    /// Seeks only solutions that cost less than `below`, if it is given.
    #[must_use]
    pub fn below(mut self, below: Option<Cost>) -> Self {
        self.0.below = below;
        self
    }
}

delegate_search!(BidirectionalBeam);

impl<P: GoalPuzzle> Policy<P> for StatePairs<'_, P> {
    type Edge = InverseStep<P::Action>;
    type Data = LastActions<P>;
    type Stage = Stage;

    const FIRST: Stage = Stage::LookUp;
    const RELEASES_FIRST: bool = false;

    fn heuristic(&self) -> Option<&dyn BatchHeuristic<P>> {
        Some(self.heuristic)
    }

    fn admit(beam: &LayeredBeam<'_, P, Self>, quota: &Quota) -> Result<(), SearchError> {
        let width = beam.config.width;
        if beam.needed(width) <= quota.bytes {
            return Ok(());
        }
        let fits = |width: &usize| beam.needed(*width) <= quota.bytes;
        let instead = match (0..31).rev().map(|power| 1 << power).find(fits) {
            Some(widest) => format!("the widest beam of a power of two that fits has {widest}"),
            None => "no beam fits".to_owned(),
        };
        Err(SearchError::TooLarge(format!(
            "a beam of {width} states takes {} bytes, which is more than the {} that are allowed: {instead}",
            beam.needed(width),
            quota.bytes
        )))
    }

    fn root(
        beam: &mut LayeredBeam<'_, P, Self>,
        state: &P::State,
        _: &Quota,
        observer: &mut ObserverOf<'_, P>,
    ) -> Result<Option<LastActions<P>>, Halt> {
        let Self { heuristic, workers, .. } = &mut beam.policy;
        let h = workers[0].estimate(beam.puzzle, *heuristic, state)?;
        let admissible = heuristic.guarantee().is_admissible();
        let h = judge_start(h, admissible, &mut beam.report, &mut beam.stats, observer);
        Ok(h.map(|_| [None; 2]))
    }

    fn fill(
        beam: &mut LayeredBeam<'_, P, Self>,
        stage: Stage,
        quota: &Quota,
        observer: &mut ObserverOf<'_, P>,
    ) -> Result<(), Halt> {
        match stage {
            Stage::LookUp => beam.look_up(observer),
            Stage::Expand if quota.is_used_up(&beam.stats) => return Err(Halt::Quota),
            Stage::Expand => beam.expand(quota, observer)?,
            Stage::Select => beam.select(quota)?,
        }
        Ok(())
    }

    fn ending(beam: &LayeredBeam<'_, P, Self>) -> Option<Outcome<P::Action>> {
        let cost = beam.policy.unit.saturating_mul(beam.depth + 2);
        if beam.next.is_empty() && !beam.lossy && beam.below.is_none() {
            Some(Outcome::Unsolvable)
        } else if beam.next.is_empty() || beam.below.is_some_and(|below| cost >= below) {
            Some(Outcome::Exhausted { best: None })
        } else {
            None
        }
    }

    fn bytes(&self) -> u64 {
        let workers = self.workers.iter().map(Worker::bytes);
        workers.sum::<u64>()
            + bytes!(self.keys, self.firsts, self.order, self.ranks[0], self.ranks[1])
    }
}

impl<P: GoalPuzzle> LayeredBeam<'_, P, StatePairs<'_, P>> {
    /// Ends the search with the path to a node and the actions `rest` from the node to the goal.
    fn solve_by(&mut self, trace: u32, mut rest: Vec<P::Action>, observer: &mut ObserverOf<'_, P>) {
        for step in self.trace.path(trace).into_iter().rev() {
            self.policy.sides.inverses.prepend(self.puzzle, &step, &mut rest);
        }
        self.solve(rest, observer);
    }

    /// Bytes of a beam of the width `width` when all its structures are full.
    fn needed(&self, width: usize) -> u64 {
        let node = size_of::<P::State>()
            + size_of::<InverseStep<P::Action>>()
            + size_of::<Record<LastActions<P>>>()
            + 12;
        let trace = 2 * (8 + size_of::<InverseStep<P::Action>>());
        let rerank = self.config.rerank;
        let StatePairs { branching, workers, histogram, .. } = &self.policy;
        let candidates = 4 * branching + 2 * rerank * size_of::<Candidate>();
        let ranks = if rerank > 1 { 4 * rerank * size_of::<u64>() } else { 0 };
        let each = (2 + rerank) * node + trace + candidates + ranks + 8;
        let buffers = workers.len() * Worker::<P>::most_bytes(width, *branching, rerank);
        let layers = (width as u64).saturating_mul(each as u64);
        layers + buffers as u64 + histogram.bytes() + (1 << 20)
    }

    /// Looks the layer's states up in the goal table.
    fn look_up(&mut self, observer: &mut ObserverOf<'_, P>) {
        self.phase = Phase::Fill(Stage::Expand);
        let Some(goal_table) = self.policy.goal_table else { return };
        let (puzzle, current) = (self.puzzle, &self.current);
        let size = part(current.len(), self.policy.workers.len(), least::FOUND);
        let helped = in_parts(current.len(), size, &mut self.policy.workers, |range, worker| {
            worker.found.clear();
            for id in range.start as u32..range.end as u32 {
                if let Some(distance) = goal_table.distance(puzzle, current.state(id)) {
                    worker.found.push((distance, id));
                }
            }
        });
        self.stats.helper_cpu += helped;
        let found = self.policy.workers.iter().flat_map(|worker| worker.found.iter());
        let mut found: Vec<(u32, u32)> = found.copied().collect();
        found.sort_unstable();
        for (distance, id) in found {
            let cost = self.policy.unit.saturating_mul(self.depth + distance);
            if self.below.is_some_and(|below| cost >= below) {
                continue;
            }
            if let Some(rest) = shortest(puzzle, goal_table, self.current.state(id)) {
                self.solve_by(self.current.record(id).trace, rest, observer);
                return;
            }
        }
    }

    /// Expands the next states of the layer, completely or (for lack of memory) not at all.
    fn expand(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        let left = self.current.len() - self.expanded as usize;
        let (branching, threads) = (self.policy.branching, self.policy.workers.len());
        let limit = |of: u64, done: u64, each: u64| {
            usize::try_from((of.saturating_sub(done) / each).max(1)).unwrap_or(usize::MAX)
        };
        let count = left
            .min(PARENTS * threads)
            .min(limit(quota.expanded, self.stats.expanded, 1))
            .min(limit(quota.generated, self.stats.generated, branching.max(1) as u64));
        let children = count * branching;
        self.grow(quota.bytes, |s, room| reserve(&mut s.policy.keys, children, room))?;
        self.grow(quota.bytes, |s, room| reserve(&mut s.policy.firsts, count, room))?;
        let size = part(count, threads, least::EXPANDED);
        for i in 0..threads {
            self.grow(quota.bytes, |s, room| s.policy.workers[i].reserve(size, branching, room))?;
        }
        let StatePairs { heuristic, sides, workers, goal_table, .. } = &mut self.policy;
        let expansion = work::Expansion {
            puzzle: self.puzzle,
            heuristic: *heuristic,
            sides,
            layer: &self.current,
            // With a goal table the parent of a goal was found there.
            tests_goals: goal_table.is_none(),
        };
        let first = self.expanded;
        self.stats.helper_cpu += in_parts(count, size, workers, |range, worker| {
            worker.expand(&expansion, first + range.start as u32..first + range.end as u32);
        });
        let mut parent = self.expanded;
        for i in 0..threads {
            let worker = &mut self.policy.workers[i];
            if let Some(fault) = worker.fault.take() {
                return Err(fault.into());
            }
            let mut from = 0;
            for &count in &worker.counts {
                self.policy.firsts.push(self.policy.keys.len() as u32);
                self.policy.keys.extend_from_slice(&worker.keys[from..from + count]);
                from += count;
                self.stats.expanded += 1;
                self.stats.generated += count as u64;
                self.stats.evaluated += count as u64;
                if let Some(goal) = worker.goal.filter(|goal| goal.parent == parent) {
                    let cost = self.policy.unit.saturating_mul(self.depth + 1);
                    if self.below.is_none_or(|below| cost < below) {
                        let inverse = self.policy.sides.inverses.inverse;
                        let Goal { action, of_inverse, .. } = goal;
                        let action = if of_inverse { inverse(self.puzzle, action) } else { action };
                        self.solve_by(self.current.record(parent).trace, vec![action], observer);
                        return Ok(());
                    }
                }
                parent += 1;
            }
        }
        self.expanded = parent;
        if self.expanded as usize == self.current.len() {
            self.phase = Phase::Fill(Stage::Select);
        }
        Ok(())
    }

    /// Adds the best children to the next layer.
    fn select(&mut self, quota: &Quota) -> Result<(), Halt> {
        // Number of states that are added, before a rerank drops some of them again.
        let most = self.config.width.saturating_mul(self.config.rerank);
        self.policy.histogram.count(&self.policy.keys);
        let alive = self.policy.histogram.alive;
        let mut take = most.saturating_add(most / 2).min(alive);
        self.next.clear();
        self.policy.ranks[0].clear();
        let mut done = 0;
        loop {
            self.grow(quota.bytes, |s, room| {
                s.policy.order.clear();
                reserve(&mut s.policy.order, take, room)
            })?;
            if self.config.rerank > 1 {
                let count = most.min(alive) - self.policy.ranks[0].len();
                self.grow(quota.bytes, |s, room| reserve(&mut s.policy.ranks[0], count, room))?;
            }
            let StatePairs { histogram, keys, firsts, order, .. } = &mut self.policy;
            histogram.least(keys, firsts, take, order);
            while done < self.policy.order.len() && self.next.len() < most {
                done = self.add(done, most, quota)?;
            }
            if self.next.len() == most || take == alive {
                break;
            }
            take = take.saturating_mul(2).min(alive);
        }
        self.lossy |= done < alive;
        self.truncate(quota)?;
        self.policy.keys.clear();
        self.policy.firsts.clear();
        self.phase = Phase::Close;
        Ok(())
    }

    /// Truncates the next layer to `width` states, keeping the smallest h(s) + h(s⁻¹).
    fn truncate(&mut self, quota: &Quota) -> Result<(), Full> {
        let (width, count) = (self.config.width, self.next.len());
        if count <= width {
            return Ok(());
        }
        self.lossy = true;
        self.grow(quota.bytes, |s, room| {
            s.policy.ranks[1].clear();
            reserve(&mut s.policy.ranks[1], count, room)
        })?;
        let [ranks, ordered] = &mut self.policy.ranks;
        ordered.extend_from_slice(ranks);
        let (_, &mut limit, _) = ordered.select_nth_unstable(width);
        self.next.retain(|id, _| ranks[id as usize] < limit);
        Ok(())
    }

    /// Makes the states of the candidates from index `from` on, on all threads, and adds new ones,
    /// until the next layer has `most` states. Returns the index of the first remaining candidate.
    fn add(&mut self, from: usize, most: usize, quota: &Quota) -> Result<usize, Halt> {
        let threads = self.policy.workers.len();
        let count = (self.policy.order.len() - from).min(CANDIDATES * threads);
        let reranks = self.config.rerank > 1;
        let least = if reranks { least::RERANKED } else { least::MADE };
        let size = part(count, threads, least);
        for i in 0..threads {
            self.grow(quota.bytes, |s, room| {
                s.policy.workers[i].reserve_made(size, reranks, room)
            })?;
        }
        let StatePairs { heuristic, sides, workers, order, .. } = &mut self.policy;
        let making = work::Making {
            puzzle: self.puzzle,
            sides,
            rerank: reranks.then_some(*heuristic),
            layers: [&self.current, &self.previous],
        };
        let order = &order[from..from + count];
        self.stats.helper_cpu +=
            in_parts(count, size, workers, |range, worker| worker.make(&making, &order[range]));
        let mut index = from;
        for i in 0..threads {
            if let Some(fault) = self.policy.workers[i].fault.take() {
                return Err(fault.into());
            }
            for j in 0..self.policy.workers[i].made.len() {
                if self.next.len() == most {
                    return Ok(index);
                }
                index += 1;
                let Some(made) = &self.policy.workers[i].made[j] else { continue };
                // How many candidates are made beyond the last accepted one depends on the number
                // of threads, so they are not counted.
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
                    self.policy.ranks[0].push(rank);
                }
            }
        }
        Ok(index)
    }
}
