//! Beam search whose layers are spread over ranks: processes on one machine or many.
//!
//! Each state belongs to the rank that its hash names. A layer is made in four steps. Each rank
//! estimates all children of its states and keeps only the estimates. A histogram of the estimates
//! over all ranks gives the limit that 1.5·`width` estimates do not exceed. Each rank then makes
//! the children below the limit and sends each to the rank that it belongs to, which drops states
//! of the two previous layers and duplicates. If fewer than `width` states remain, the
//! limit is raised; if more, a second histogram cuts them.
//!
//! States are ordered by the estimate, then by the hash. A state keeps the path with the smallest
//! estimate, then with the smallest hash of the parent, then with the smallest number of the child.
//! So the search is the same for any number of ranks and of threads, but not the same as a
//! [`Beam`](crate::beam::Beam), which orders equal estimates by generation.
//!
//! With [`Direction::Bidirectional`] a node represents a state and its inverse, and has the
//! children of both ([`bidirectional`](crate::bidirectional)). All actions must have the same cost.
//!
//! A call of [`advance`](unriddle_core::Search::advance) makes a layer. All ranks make the same
//! calls.
//!
//! Memory of a rank: its part of three layers, four bytes for each child, and twelve bytes for each
//! state that was ever kept, for the paths.
//!
//! References: R. Zhou and E. A. Hansen, "Breadth-First Heuristic Search", Artificial Intelligence
//! 170 (2006), on layers; M. Evett and others, "PRA*: massively parallel heuristic search" (1995),
//! on states that belong to a process by their hash.

mod limit;
mod node;

use crate::{
    beam::{BeamConfig, Direction},
    evaluate::Evaluator,
    guard::check_batch,
    memory::vec_bytes,
    report::{Halt, ObserverOf, Report, judge_start},
    threads::timed_map,
};
use limit::{Limit, global_limit};
use node::{Child, Kept, Layer, Link, Node, Sides};
use std::ops::Range;
use unriddle_core::{
    BatchHeuristic, Cost, GoalDistances, GoalPuzzle, InverseStep, Inverses, Options as _, Outcome,
    Puzzle, Quota, Rows, SearchError, Solution, Stats, Successor,
    clock::ThreadTime,
    goal_distances::shortest,
    ranks::{Ranks, any, gather},
    search::check_state_size,
};

/// Parents that a thread expands at a time.
const PARENTS: usize = 1024;

/// Bits of infinity: a proved dead end.
const DEAD: u32 = f32::INFINITY.to_bits();

/// States as bytes, in which ranks send them to each other.
pub trait StateBytes<P: Puzzle>: Sync {
    /// Number of bytes of a state.
    fn length(&self) -> usize;

    /// Writes a state to [`length`](Self::length) bytes.
    fn write(&self, state: &P::State, bytes: &mut [u8]);

    /// The state of bytes; `None` if they are damaged.
    fn read(&self, bytes: &[u8]) -> Option<P::State>;
}

/// Bytes of a puzzle whose states are [rows](Rows).
pub struct RowBytes<P>(
    /// The puzzle with its usual input.
    pub P,
);

impl<P: Rows> StateBytes<P> for RowBytes<P> {
    fn length(&self) -> usize {
        self.0.groups()
    }

    fn write(&self, state: &P::State, bytes: &mut [u8]) {
        self.0.write_row(state, bytes);
    }

    fn read(&self, bytes: &[u8]) -> Option<P::State> {
        self.0.state_of_row(bytes).ok()
    }
}

/// Arguments of a search on ranks.
pub struct SpreadSetup<'a, P: GoalPuzzle> {
    /// The puzzle.
    pub puzzle: &'a P,
    /// Estimates of the cost that is left.
    pub heuristic: &'a dyn BatchHeuristic<P>,
    /// Inverses of states, for a bidirectional beam.
    pub inverses: Option<Inverses<P>>,
    /// Exact distances near the goal. They must contain all states one action from the goal.
    pub goal_table: Option<&'a dyn GoalDistances<P>>,
    /// States as bytes.
    pub bytes: Box<dyn StateBytes<P> + 'a>,
    /// The ranks.
    pub ranks: &'a dyn Ranks,
    /// Threads of each rank.
    pub threads: usize,
    /// Bound below which the cost of a solution must be.
    pub below: Option<Cost>,
}

/// Beam search on ranks.
pub struct SpreadBeam<'a, P: GoalPuzzle> {
    setup: SpreadSetup<'a, P>,
    sides: Sides<P>,
    config: BeamConfig,
    /// Cost of an action.
    unit: Cost,
    current: Layer<P::State>,
    previous: Layer<P::State>,
    next: Layer<P::State>,
    /// For each layer, how each of its states was reached.
    links: Vec<Vec<Link>>,
    has_begun: bool,
    lossy: bool,
    stats: Stats,
    report: Report<P::Action>,
}

/// A child that is a goal: the hash of its parent, its number, the parent's rank and index.
type GoalChild = [u64; 4];

/// Estimates of the children of some parents.
struct Expanded {
    /// Bits of the estimates, parent after parent.
    keys: Vec<u32>,
    /// Number of children of each parent.
    counts: Vec<u32>,
    goal: Option<GoalChild>,
    fault: Option<SearchError>,
}

impl<'a, P: GoalPuzzle> SpreadBeam<'a, P> {
    /// Creates a search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds or unknown to this search, actions of different costs, or states
    /// that are too large.
    pub fn new(setup: SpreadSetup<'a, P>, config: BeamConfig) -> Result<Self, SearchError> {
        config.check()?;
        check_state_size::<P>()?;
        let refused = |what: &str| {
            let message = format!("`ties=state` does not go with {what}");
            Err(SearchError::BadOption(message))
        };
        if config.rerank > 1 {
            return refused("`rerank`");
        }
        if config.max_cost > 0 {
            return refused(
                "`max_cost`: all actions cost the same, `max_depth` limits their number",
            );
        }
        let puzzle = setup.puzzle;
        let start = puzzle.initial_state();
        let mut costs = puzzle.actions(&start).map(|action| puzzle.action_cost(&start, action));
        let unit = costs.next().unwrap_or(1);
        if costs.any(|cost| cost != unit) {
            return refused("actions of different costs");
        }
        let inverses = match config.direction {
            Direction::Forward => None,
            Direction::Bidirectional if setup.inverses.is_none() => {
                return refused("`direction=bidirectional` for a puzzle without inverses");
            }
            Direction::Bidirectional => setup.inverses,
        };
        Ok(Self {
            sides: Sides { inverses },
            setup,
            config,
            unit,
            current: Layer::default(),
            previous: Layer::default(),
            next: Layer::default(),
            links: Vec::new(),
            has_begun: false,
            lossy: false,
            stats: Stats::default(),
            report: Report::new(),
        })
    }

    /// The rank of a state.
    fn owner(&self, hash: u64) -> usize {
        let size = self.setup.ranks.size() as u64;
        // The high bits name the rank; tables use the low ones.
        (((hash >> 32) * size) >> 32) as usize
    }

    fn bytes(&self) -> u64 {
        let layers = [&self.current, &self.previous, &self.next].map(Layer::bytes);
        layers.iter().sum::<u64>() + self.links.iter().map(vec_bytes).sum::<u64>()
    }

    /// Begins with the start, which every rank estimates and one rank keeps.
    fn start(&mut self, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        self.has_begun = true;
        let (puzzle, heuristic) = (self.setup.puzzle, self.setup.heuristic);
        let state = puzzle.initial_state();
        if puzzle.is_goal(&state) {
            self.report.bound = Some(0);
            self.solve(Vec::new(), observer);
            return Ok(());
        }
        let admissible = heuristic.guarantee().is_admissible();
        let mut evaluator = Evaluator::new();
        let h = evaluator.evaluate(puzzle, heuristic, admissible, [&state].into_iter())?[0];
        if judge_start(h, admissible, &mut self.report, &mut self.stats, observer).is_none() {
            return Ok(());
        }
        let node = Node::start(state);
        let mut links = Vec::new();
        if self.owner(node.hash) == self.setup.ranks.rank() {
            self.current.insert(Kept { node, key: h.to_bits(), parent: 0, link: Link::default() });
            links.push(Link::default());
        }
        self.links.push(links);
        Ok(())
    }

    fn solve(&mut self, actions: Vec<P::Action>, observer: &mut ObserverOf<'_, P>) {
        let puzzle = self.setup.puzzle;
        self.report.check(check_batch(puzzle, &actions, self.setup.heuristic));
        let best = Solution::played(puzzle, actions);
        self.report.solve(best, &self.stats, observer);
    }

    /// Numbers of the children on the path from the start to a node of the current layer. All
    /// ranks call it together.
    fn path(&self, rank: u64, index: u64) -> Vec<u16> {
        let ranks = self.setup.ranks;
        let (mut rank, mut index) = (rank as usize, index as usize);
        let mut path = Vec::new();
        for layer in self.links.iter().skip(1).rev() {
            let mine = layer.get(index).filter(|_| ranks.rank() == rank);
            let told = gather(ranks, &mine.map_or(Vec::new(), |link| link.bytes().to_vec()));
            let link = told.get(rank).and_then(|bytes| Link::read(bytes)).unwrap_or_default();
            path.push(link.number);
            (rank, index) = (link.rank as usize, link.index as usize);
        }
        path.reverse();
        path
    }

    /// The node at the end of a path, and the steps to it.
    fn replayed(&self, path: &[u16]) -> (Node<P::State>, Vec<InverseStep<P::Action>>) {
        let puzzle = self.setup.puzzle;
        let mut node = Node::start(puzzle.initial_state());
        let mut steps = Vec::new();
        for &number in path {
            if let Some(child) = self.sides.child(puzzle, &node, number) {
                node = child.node;
                steps.push(child.step);
            }
        }
        (node, steps)
    }

    /// Ends the search with the steps to a node and the actions `rest` from there to the goal.
    fn solve_by(
        &mut self,
        steps: &[InverseStep<P::Action>],
        mut rest: Vec<P::Action>,
        observer: &mut ObserverOf<'_, P>,
    ) {
        for step in steps.iter().rev() {
            match &self.sides.inverses {
                Some(inverses) => inverses.prepend(self.setup.puzzle, step, &mut rest),
                None => rest.insert(0, step.action),
            }
        }
        self.solve(rest, observer);
    }

    /// The cost of paths with `more` actions than to the current layer, if such a path is wanted.
    fn is_wanted(&self, more: u32) -> bool {
        let depth = self.links.len() as u32 - 1 + more;
        self.setup.below.is_none_or(|below| self.unit.saturating_mul(depth) < below)
    }

    /// Looks the states of the layer up in the goal table; ends the search at the nearest one.
    fn look_up(&mut self, observer: &mut ObserverOf<'_, P>) {
        let Some(goal_table) = self.setup.goal_table else { return };
        let (puzzle, ranks) = (self.setup.puzzle, self.setup.ranks);
        let nodes = &self.current.nodes;
        let size = nodes.len().div_ceil(self.setup.threads.max(1)).max(PARENTS);
        let find = |nodes: &[Node<P::State>]| {
            let known = nodes.iter().filter_map(|node| {
                Some((u64::from(goal_table.distance(puzzle, &node.state)?), node.hash))
            });
            known.min()
        };
        let (found, helped) = timed_map(nodes.chunks(size), self.setup.threads, find);
        self.stats.helper_cpu += helped;
        let best = found.into_iter().flatten().min();
        let told = match best.and_then(|best| Some((best, self.current.find(best.1)?))) {
            None => Vec::new(),
            Some(((distance, hash), index)) => {
                [distance, hash, index.into()].map(u64::to_le_bytes).concat()
            }
        };
        let told = gather(ranks, &told);
        let found = told.iter().enumerate().filter_map(|(rank, bytes)| {
            let numbers = bytes.as_chunks::<8>().0;
            let mut numbers = numbers.iter().map(|bytes| u64::from_le_bytes(*bytes));
            Some([numbers.next()?, numbers.next()?, rank as u64, numbers.next()?])
        });
        let Some([distance, _, rank, index]) = found.min() else { return };
        if !self.is_wanted(distance as u32) {
            return;
        }
        let path = self.path(rank, index);
        let (node, steps) = self.replayed(&path);
        if let Some(rest) = shortest(puzzle, goal_table, &node.state) {
            self.solve_by(&steps, rest, observer);
        }
    }

    /// Estimates the children of some nodes of the current layer.
    fn estimate(&self, range: Range<usize>) -> Expanded {
        let SpreadSetup { puzzle, heuristic, goal_table, ranks, .. } = &self.setup;
        let (puzzle, heuristic) = (*puzzle, *heuristic);
        let mut all = Expanded { keys: Vec::new(), counts: Vec::new(), goal: None, fault: None };
        let (mut parents, mut children) = (Vec::new(), Vec::new());
        for index in range {
            let node = &self.current.nodes[index];
            let before = children.len();
            for side in 0..self.sides.count() {
                let state = self.sides.state(puzzle, &node.state, side);
                let parent = parents.len() as u32;
                for (number, action) in node.actions(puzzle, &state, side) {
                    // With a goal table the parent of a goal was found there.
                    if goal_table.is_none()
                        && all.goal.is_none_or(|[hash, ..]| node.hash < hash)
                        && puzzle.is_goal(&puzzle.apply(&state, action))
                    {
                        let child = (children.len() - before) as u64;
                        all.goal = Some([node.hash, child, ranks.rank() as u64, index as u64]);
                    }
                    children.push(Successor { parent, action, number });
                }
                parents.push(state);
            }
            all.counts.push((children.len() - before) as u32);
        }
        let admissible = heuristic.guarantee().is_admissible();
        let mut evaluator = Evaluator::new();
        match evaluator.evaluate_successors(
            puzzle,
            heuristic,
            admissible,
            parents.iter(),
            &children,
        ) {
            // Floats of one sign are ordered like their bits.
            Ok(estimates) => all.keys.extend(estimates.iter().map(|h| h.to_bits())),
            Err(fault) => all.fault = Some(fault),
        }
        all
    }

    /// Makes the next layer and takes it for the current one, or ends the search.
    fn layer(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        self.look_up(observer);
        if self.report.outcome.is_some() {
            return Ok(());
        }
        let (ranks, threads) = (self.setup.ranks, self.setup.threads.max(1));
        let clock = (ThreadTime::now(), self.stats.helper_cpu);
        let count = self.current.nodes.len();
        let size = count.div_ceil(threads).clamp(1, PARENTS);
        let parts = (0..count).step_by(size).map(|begin| begin..(begin + size).min(count));
        let parts: Vec<_> = parts.collect();
        let (parts, helped) = timed_map(parts, threads, |range| self.estimate(range));
        self.stats.helper_cpu += helped;
        let cpu = clock.0.elapsed() + (self.stats.helper_cpu - clock.1);
        let mut children = Children::default();
        let (mut goal, mut fault) = (None, None);
        for part in parts {
            children.keys.extend(part.keys);
            children.counts.extend(part.counts);
            goal = goal.into_iter().chain(part.goal).min();
            fault = fault.or(part.fault);
        }
        // Faults, and growth beyond the limit of memory, end all ranks.
        let held = self.bytes() + children.bytes();
        self.stats.peak_bytes = self.stats.peak_bytes.max(held);
        let mut sums = [
            u64::from(fault.is_some()),
            u64::from(held > quota.bytes),
            count as u64,
            children.keys.len() as u64,
            children.keys.iter().filter(|&&key| key < DEAD).count() as u64,
            cpu.as_nanos() as u64,
        ];
        ranks.sum(&mut sums);
        let [faults, full, expanded, generated, alive, nanos] = sums;
        self.stats.helper_cpu += std::time::Duration::from_nanos(nanos).saturating_sub(cpu);
        if let Some(fault) = fault {
            return Err(fault.into());
        }
        if faults > 0 {
            let message = "the heuristic of another rank failed";
            return Err(SearchError::BadEstimate(message.to_owned()).into());
        }
        if full > 0 {
            return Err(Halt::Full);
        }
        self.stats.expanded += expanded;
        self.stats.generated += generated;
        self.stats.evaluated += generated;
        if self.end_at_goal(goal, observer) {
            return Ok(());
        }
        self.select(&children, alive);
        self.close();
        Ok(())
    }

    /// Ends the search at a child that is a goal, if there is one. All ranks call it together.
    fn end_at_goal(&mut self, goal: Option<GoalChild>, observer: &mut ObserverOf<'_, P>) -> bool {
        let told = goal.map_or(Vec::new(), |goal| goal.map(u64::to_le_bytes).concat());
        let found = gather(self.setup.ranks, &told);
        let found = found.iter().filter_map(|bytes| {
            let numbers = bytes.as_chunks::<8>().0;
            let numbers: Vec<u64> = numbers.iter().map(|b| u64::from_le_bytes(*b)).collect();
            GoalChild::try_from(numbers).ok()
        });
        let Some([_, number, rank, index]) = found.min().filter(|_| self.is_wanted(1)) else {
            return false;
        };
        let mut path = self.path(rank, index);
        path.push(number as u16);
        let (_, steps) = self.replayed(&path);
        self.solve_by(&steps, Vec::new(), observer);
        true
    }

    /// Chooses the states of the next layer among `alive` children of all ranks.
    fn select(&mut self, children: &Children, alive: u64) {
        let ranks = self.setup.ranks;
        let width = self.config.width as u64;
        self.next.clear();
        let mut floor = Limit::default();
        let mut target = (width + width / 2).min(alive);
        while target > 0 {
            let limit = self.child_limit(children, target, alive);
            self.send(children, &floor, &limit);
            let mut count = [self.next.nodes.len() as u64];
            ranks.sum(&mut count);
            if count[0] >= width || limit.is_all() {
                self.lossy |= !limit.is_all();
                self.cut(count[0], width);
                return;
            }
            floor = limit;
            target = target.saturating_mul(2).min(alive);
        }
    }

    /// The limit below which at least `target` children of all ranks are.
    fn child_limit(&self, children: &Children, target: u64, alive: u64) -> Limit {
        if target == alive {
            return Limit::all();
        }
        let most = target.saturating_add(target / 4);
        global_limit(self.setup.ranks, target, most, &mut |limit, counts| {
            if limit.needs_hash() {
                children.visit(|parent, number, key| {
                    if key < DEAD && limit.begins_with_key(key) {
                        let hash = self.child(parent, number).map_or(0, |child| child.node.hash);
                        limit.count(key, hash, counts);
                    }
                });
            } else {
                let keys = children.keys.iter().filter(|&&key| key < DEAD);
                keys.for_each(|&key| limit.count(key, 0, counts));
            }
        })
    }

    fn child(&self, parent: usize, number: u16) -> Option<Child<P>> {
        self.sides.child(self.setup.puzzle, &self.current.nodes[parent], number)
    }

    /// Makes the children above `floor` and up to `limit`, sends each to its rank, and adds the
    /// received children to the next layer.
    fn send(&mut self, children: &Children, floor: &Limit, limit: &Limit) {
        let (ranks, bytes) = (self.setup.ranks, &self.setup.bytes);
        let threads = self.setup.threads.max(1);
        let size = children.counts.len().div_ceil(threads).clamp(1, PARENTS);
        let make = |(range, first): (Range<usize>, usize)| {
            let mut parts = vec![Vec::new(); ranks.size()];
            children.visit_range(range, first, |parent, number, key| {
                if key >= DEAD || floor.holds_key(key) || !limit.may_hold(key) {
                    return;
                }
                let Some(child) = self.child(parent, number) else { return };
                let hash = child.node.hash;
                if floor.holds(key, hash) || !limit.holds(key, hash) {
                    return;
                }
                let link = Link { rank: ranks.rank() as u32, index: parent as u32, number };
                let parent = self.current.nodes[parent].hash;
                let kept = Kept { node: child.node, key, parent, link };
                kept.write(&**bytes, &mut parts[self.owner(hash)]);
            });
            parts
        };
        let (made, helped) = timed_map(children.ranges(size), threads, make);
        self.stats.helper_cpu += helped;
        let mut parts = vec![Vec::new(); ranks.size()];
        for made in made {
            for (part, made) in parts.iter_mut().zip(made) {
                part.extend_from_slice(&made);
            }
        }
        for part in ranks.exchange(parts) {
            for kept in Kept::<P::State>::read_all(&**bytes, &part) {
                let is_old = [&self.current, &self.previous]
                    .iter()
                    .any(|layer| layer.has(kept.node.hash, &kept.node.state));
                if !is_old {
                    self.next.insert(kept);
                }
            }
        }
    }

    /// Cuts the next layer, of `count` states on all ranks, to `width` states.
    fn cut(&mut self, count: u64, width: u64) {
        if count <= width {
            return;
        }
        self.lossy = true;
        let next = &self.next;
        let limit = global_limit(self.setup.ranks, width, width, &mut |limit, counts| {
            for (node, &key) in next.nodes.iter().zip(&next.keys) {
                limit.count(key, node.hash, counts);
            }
        });
        self.next.retain(|key, hash| limit.holds(key, hash));
    }

    /// Takes the next layer for the current one, or ends the search.
    fn close(&mut self) {
        let ranks = self.setup.ranks;
        let is_over = !any(ranks, !self.next.nodes.is_empty());
        if is_over && !self.lossy && self.setup.below.is_none() {
            self.report.outcome = Some(Outcome::Unsolvable);
        } else if is_over || !self.is_wanted(2) {
            self.report.outcome = Some(Outcome::Exhausted { best: None });
        } else if self.links.len() as u32 >= self.config.max_depth {
            let deepest = self.config.max_depth;
            self.report.reason =
                Some(format!("the beam ended after {deepest} actions, the limit `max_depth`"));
            self.report.outcome = Some(Outcome::Exhausted { best: None });
        } else {
            std::mem::swap(&mut self.previous, &mut self.current);
            std::mem::swap(&mut self.current, &mut self.next);
            self.next.clear();
            self.links.push(self.current.take_links());
        }
    }

    /// Makes a layer.
    fn advance_layer(
        &mut self,
        quota: &Quota,
        observer: &mut ObserverOf<'_, P>,
    ) -> Result<(), Halt> {
        if self.report.outcome.is_some() || self.setup.puzzle.fault().is_some() {
            return Ok(());
        }
        if !self.has_begun {
            self.start(observer)?;
        } else if quota.is_used_up(&self.stats) {
            return Err(Halt::Quota);
        } else {
            self.layer(quota, observer)?;
        }
        Ok(())
    }
}

/// Estimates of the children of a layer's states on this rank.
#[derive(Default)]
struct Children {
    /// Bits of the estimates, parent after parent.
    keys: Vec<u32>,
    /// Number of children of each parent.
    counts: Vec<u32>,
}

impl Children {
    fn bytes(&self) -> u64 {
        vec_bytes(&self.keys) + vec_bytes(&self.counts)
    }

    /// Calls `visit` with the parent, the number and the estimate of each child.
    fn visit(&self, visit: impl FnMut(usize, u16, u32)) {
        self.visit_range(0..self.counts.len(), 0, visit);
    }

    /// The same for the parents of a range, whose estimates begin at index `first`.
    fn visit_range(
        &self,
        range: Range<usize>,
        mut first: usize,
        mut visit: impl FnMut(usize, u16, u32),
    ) {
        for parent in range {
            for number in 0..self.counts[parent] {
                visit(parent, number as u16, self.keys[first]);
                first += 1;
            }
        }
    }

    /// Ranges of `size` parents, each with the index of its first estimate.
    fn ranges(&self, size: usize) -> Vec<(Range<usize>, usize)> {
        let mut first = 0;
        let range = |(part, counts): (usize, &[u32])| {
            let begin = first;
            first += counts.iter().sum::<u32>() as usize;
            (part * size..part * size + counts.len(), begin)
        };
        self.counts.chunks(size).enumerate().map(range).collect()
    }
}

crate::report::search! {
    SpreadBeam<P: GoalPuzzle>,
    |search, quota, observer| {
        let steps = search.advance_layer(quota, observer);
        let fault = search.setup.puzzle.fault();
        search.report.progress(steps, fault)
    },
    stats: search.stats,
    best: search.report.best.as_ref(),
    bound: search.report.bound,
    reason: search.report.reason.clone(),
}
