//! Iterative-deepening A* split over threads.
//!
//! **Idea.** In every iteration one thread walks the top of the tree, down to a depth that gives
//! enough subtrees. The subtrees become tasks in the order of the sequential search, and threads
//! take tasks in that order.
//!
//! **Invariants.** The result does not depend on timing. The first goal *in action order* wins:
//! when a task finds a goal, later tasks are dropped, and earlier ones run to their end. Counters
//! add up the work that the sequential search would have done until then, so that solution and
//! counters equal [`IdaStar`](super::IdaStar) for any number of threads; work on dropped tasks is
//! not counted. Only when a limit stops the search do the counters depend on timing.
//!
//! **Ranks.** Several processes share an iteration in the same way, in rounds. Each rank holds all
//! tasks and explores its own. After a round the ranks exchange the states of their tasks, and
//! tasks that nobody has begun go to ranks that have few. Every rank finds the solution again in
//! the winning task, so that no actions are sent.
//!
//! **Journal.** The tasks of a long iteration are kept as soon as they end. Tasks that a
//! [`Journal`] knows are taken over (module `pieces`).
//!
//! Reference: the splitting follows Rao, Kumar and Ramesh, *A parallel implementation of
//! iterative-deepening-A\**, AAAI 1987; the fixed order of tasks instead of work stealing makes it
//! deterministic.

mod pieces;

use super::{
    Deepening, IdaStarConfig, deepening_search,
    tree::{Count, NONE, Slice, Subtree, Top, Tree},
    tree_of,
};
use crate::{report::Halt, threads::timed_map};
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};
use unriddle_core::{
    Cost, GoalPuzzle, Heuristic, Observer, Options, Quota, SearchError, Solution, Stats,
    clock::ThreadTime,
    journal::Journal,
    ranks::{Ranks, gather},
};

/// Tasks per thread that a split aims at.
const TASKS: usize = 64;
/// Deepest split, in actions.
const MAX_SPLIT: u32 = 24;
/// Expansions that a thread takes from the quota at a time.
const GRAIN: u64 = 4096;
/// Expansions of each thread in a round of several ranks: some tenths of a second.
const ROUND: u64 = 1 << 19;
/// Open tasks of each thread that a rank begins a round with.
const AHEAD: usize = 4;

/// A subtree of one iteration.
struct Task<'a, A> {
    /// Actions from the start to its root.
    path: Vec<A>,
    /// Work of the sequential search in the top of the tree between the previous task and this one.
    before: Count,
    own: Count,
    subtree: Box<dyn Subtree<A> + 'a>,
    /// Smallest f above the bound.
    next: u64,
    state: State,
    /// Rank that explores it; `None` before a rank has begun it.
    owner: Option<usize>,
    /// Whether another process has explored it.
    is_known: bool,
    /// CPU time, if there is a journal.
    cpu: Duration,
}

impl<A> Task<'_, A> {
    /// Explores a task whose end another rank or process has found, to the same end.
    fn catch_up(&mut self, ranks: Option<&dyn Ranks>, bound: u64) {
        let is_own = self.owner.is_none() || self.owner == ranks.map(Ranks::rank);
        if is_own && !self.is_known {
            return;
        }
        let (mut next, mut stats) = (NONE, Stats::default());
        self.subtree.run(bound, &mut next, &mut stats, &Quota::UNLIMITED);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Done,
    Goal(Cost),
    /// The estimates are not consistent, although they claim to be.
    Inconsistent,
}

/// Iterative-deepening A* on several threads.
pub struct ParallelIdaStar<'a, A> {
    threads: usize,
    ranks: Option<&'a dyn Ranks>,
    journal: Option<&'a dyn Journal>,
    deepening: Deepening<'a, A>,
    /// Tasks of the current iteration; empty before it has begun.
    tasks: Vec<Mutex<Task<'a, A>>>,
    /// Work in the top of the tree behind the last task, and the smallest f above the bound there.
    tail: Count,
    tail_next: u64,
    /// Index of the first task known to hold a goal.
    winner: usize,
    /// Counts of the iterations before this one.
    finished: Count,
    /// Expansions of the iteration before this one.
    last: u64,
    /// All work, including the part that is not counted in the end.
    work: Count,
}

impl<'a, A: Copy + Send + Sync> ParallelIdaStar<'a, A> {
    /// A search of the puzzle's instance on `threads` threads.
    ///
    /// # Errors
    /// States that are too large for a search.
    pub fn new<P, H>(puzzle: &'a P, heuristic: &'a H, threads: usize) -> Result<Self, SearchError>
    where
        P: GoalPuzzle<Action = A>,
        H: Heuristic<P>,
    {
        Ok(Self::on_tree(tree_of(puzzle, heuristic)?, threads))
    }

    /// A search of a tree on `threads` threads.
    #[must_use]
    pub fn on_tree(tree: Box<dyn Tree<'a, A> + Sync + 'a>, threads: usize) -> Self {
        Self {
            threads: threads.max(1),
            ranks: None,
            journal: None,
            deepening: Deepening::new(tree),
            tasks: Vec::new(),
            tail: Count::default(),
            tail_next: NONE,
            winner: usize::MAX,
            finished: Count::default(),
            last: 0,
            work: Count::default(),
        }
    }

    /// Searches together with other ranks, which make the same search and advance it together: a
    /// call makes a round. The search is the same for any number of ranks.
    #[must_use]
    pub fn on_ranks(mut self, ranks: Option<&'a dyn Ranks>) -> Self {
        self.ranks = ranks;
        self
    }

    /// Keeps the tasks of long iterations in a journal, and takes over the tasks that it knows. A
    /// search on ranks has no journal.
    #[must_use]
    pub fn with_journal(mut self, journal: Option<&'a dyn Journal>) -> Self {
        self.journal = journal;
        self
    }

    /// Begins an iteration: makes its tasks, enough of them if the quota allows more than a little.
    fn split(&mut self, quota: &Quota) {
        let budget = quota.expanded.saturating_sub(self.work.expanded);
        let budget = budget.min(quota.generated.saturating_sub(self.work.generated));
        let all = self.threads * self.ranks.map_or(1, Ranks::size);
        let fixed = self.deepening.tree.parts(self.last);
        let fixed = fixed.or(self.kept().map(|_| pieces::PIECES));
        let wanted = fixed.unwrap_or(if all == 1 { 1 } else { TASKS * all });
        let mut depth = 0;
        loop {
            let Top { parts, tail, next, inconsistent } =
                self.deepening.tree.split(self.deepening.bound, depth);
            if let Some(path) = inconsistent {
                self.deepening.inconsistent(&path);
                return;
            }
            let done: u64 = parts.iter().map(|part| part.before.expanded).sum();
            let enough = parts.len() >= wanted || depth == MAX_SPLIT;
            // A deeper walk may do, and make, several times as much; it is not divided by the
            // quota.
            let much = fixed.is_none() && budget / 8 <= done + tail.expanded
                || quota.bytes / 16 <= self.record_bytes(parts.len());
            if !(enough || parts.is_empty() || much) {
                depth += 1;
                continue;
            }
            self.winner = parts.iter().position(|part| part.goal.is_some()).unwrap_or(usize::MAX);
            for part in parts {
                self.work.add(part.before);
                self.tasks.push(Mutex::new(Task {
                    path: part.path,
                    before: part.before,
                    own: Count::default(),
                    subtree: part.subtree,
                    next: NONE,
                    state: part.goal.map_or(State::Open, State::Goal),
                    owner: None,
                    is_known: false,
                    cpu: Duration::ZERO,
                }));
            }
            (self.tail, self.tail_next) = (tail, next);
            self.work.add(tail);
            return;
        }
    }

    /// Lets the threads work on open tasks until the quota is used up or nothing is left to do.
    /// Whether a task may not grow within the quota's bytes.
    ///
    /// # Errors
    /// The journal cannot be written.
    fn work(&mut self, quota: &Quota) -> Result<bool, SearchError> {
        let (tasks, threads) = (&self.tasks, self.threads as u64);
        let journal = self.kept();
        let failure = Mutex::new(None);
        let cursor = AtomicUsize::new(0);
        let winner = AtomicUsize::new(self.winner);
        let expanded = AtomicU64::new(self.work.expanded);
        let generated = AtomicU64::new(self.work.generated);
        let bytes = AtomicU64::new(0);
        let out_of_memory = AtomicBool::new(false);
        // The tasks' own records, and an equal share of the rest for every thread.
        let (records, pruning) = (self.record_bytes(tasks.len()), self.deepening.tree.bytes());
        let share = quota.bytes.saturating_sub(records) / threads;
        let bound = self.deepening.bound;
        let rank = self.ranks.map(Ranks::rank);
        let worker = || {
            loop {
                let index = cursor.fetch_add(1, Ordering::Relaxed);
                if index >= tasks.len() || index > winner.load(Ordering::Relaxed) {
                    return;
                }
                let mut task = tasks[index].lock().unwrap_or_else(PoisonError::into_inner);
                let is_left = rank.is_some() && task.owner != rank;
                if is_left || journal.is_some_and(|journal| !journal.is_mine(index as u64)) {
                    continue;
                }
                let is_open = task.state == State::Open;
                while task.state == State::Open && index <= winner.load(Ordering::Relaxed) {
                    // A share of the quota, taken before it is used.
                    let left = quota.generated.saturating_sub(generated.load(Ordering::Relaxed));
                    let grain = GRAIN.min(left / (16 * threads)).max(u64::from(left > 0));
                    let take = |done: u64| {
                        let grain = grain.min(quota.expanded.saturating_sub(done));
                        (grain > 0).then_some(done + grain)
                    };
                    let Ok(before) =
                        expanded.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
                    else {
                        return;
                    };
                    let grain = grain.min(quota.expanded - before);
                    let cpu = journal.map(|_| ThreadTime::now());
                    let mut stats = Stats::default();
                    let mut next = task.next;
                    let own = Quota { expanded: grain, bytes: share, ..Quota::UNLIMITED };
                    let slice = task.subtree.run(bound, &mut next, &mut stats, &own);
                    task.cpu += cpu.map_or(Duration::ZERO, |cpu| cpu.elapsed());
                    task.next = next;
                    task.own.add(Count { expanded: stats.expanded, generated: stats.generated });
                    expanded.fetch_sub(grain - stats.expanded, Ordering::Relaxed);
                    generated.fetch_add(stats.generated, Ordering::Relaxed);
                    bytes.fetch_max(task.subtree.bytes(), Ordering::Relaxed);
                    match slice {
                        Slice::Paused => {}
                        Slice::OutOfMemory => {
                            out_of_memory.store(true, Ordering::Relaxed);
                            return;
                        }
                        Slice::Done => task.state = State::Done,
                        Slice::Inconsistent => {
                            task.state = State::Inconsistent;
                            winner.fetch_min(index, Ordering::Relaxed);
                        }
                        Slice::Goal(cost) => {
                            task.state = State::Goal(cost);
                            winner.fetch_min(index, Ordering::Relaxed);
                        }
                    }
                }
                if let Some(journal) = journal.filter(|_| is_open)
                    && let Some(piece) = task.piece(bound, tasks.len(), index)
                    && let Err(message) = journal.add(&piece)
                {
                    *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(message);
                    return;
                }
            }
        };
        let workers = self.threads.min(tasks.len());
        let (_, helper_cpu) = timed_map(0..workers, workers, |_| worker());
        let stats = &mut self.deepening.stats;
        stats.helper_cpu += helper_cpu;
        stats.peak_bytes = stats.peak_bytes.max(bytes.into_inner() * threads + records + pruning);
        self.work = Count { expanded: expanded.into_inner(), generated: generated.into_inner() };
        self.winner = winner.into_inner();
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(message) => Err(SearchError::Journal(message)),
            None => Ok(out_of_memory.into_inner()),
        }
    }

    /// Gives tasks that nobody has begun to ranks that have few, in their order.
    fn assign(&mut self, size: usize) {
        let most = AHEAD * self.threads;
        let mut open = vec![0; size];
        let winner = self.winner;
        let tasks = || self.tasks.iter().take(winner.saturating_add(1));
        let task = |task: &'_ Mutex<Task<'a, A>>| {
            let task = task.lock().unwrap_or_else(PoisonError::into_inner);
            (task.state == State::Open, task.owner)
        };
        for (is_open, owner) in tasks().map(task) {
            if let Some(owner) = owner.filter(|_| is_open) {
                open[owner] += 1;
            }
        }
        for task in self.tasks.iter_mut().take(winner.saturating_add(1)) {
            let task = task.get_mut().unwrap_or_else(PoisonError::into_inner);
            if task.state != State::Open || task.owner.is_some() {
                continue;
            }
            let (count, rank) = open.iter().zip(0..).min().map_or((most, 0), |(c, r)| (*c, r));
            if count >= most {
                return;
            }
            open[rank] += 1;
            task.owner = Some(rank);
        }
    }

    /// Explores the tasks of this rank for a while, and takes over other ranks' work. Whether a
    /// task of a rank may not grow within the quota's bytes.
    ///
    /// # Errors
    /// Errors of [`work`](Self::work).
    fn round(&mut self, ranks: &dyn Ranks, quota: &Quota) -> Result<bool, SearchError> {
        self.assign(ranks.size());
        let limit = self.work.expanded.saturating_add(ROUND * self.threads as u64);
        let own = Quota { expanded: limit.min(quota.expanded), ..quota.clone() };
        let cpu = ThreadTime::now();
        let helpers = self.deepening.stats.helper_cpu;
        let out_of_memory = self.work(&own)?;
        let cpu = cpu.elapsed() + (self.deepening.stats.helper_cpu - helpers);
        let mut told = vec![u8::from(out_of_memory)];
        told.extend_from_slice(&(cpu.as_nanos() as u64).to_le_bytes());
        for (index, task) in (0_u64..).zip(&mut self.tasks) {
            let task = task.get_mut().unwrap_or_else(PoisonError::into_inner);
            if task.owner == Some(ranks.rank()) {
                let (state, cost) = match task.state {
                    State::Open => (0, 0),
                    State::Done => (1, 0),
                    State::Goal(cost) => (2, cost.into()),
                    State::Inconsistent => (3, 0),
                };
                let Count { expanded, generated } = task.own;
                for number in [index, state, cost, expanded, generated, task.next] {
                    told.extend_from_slice(&number.to_le_bytes());
                }
            }
        }
        let mut is_full = false;
        for (rank, told) in gather(ranks, &told).iter().enumerate() {
            is_full |= told.first() == Some(&1);
            let (numbers, _) = told.get(1..).unwrap_or_default().as_chunks::<8>();
            let mut numbers = numbers.iter().map(|bytes| u64::from_le_bytes(*bytes));
            let nanos = numbers.next().unwrap_or_default();
            if rank != ranks.rank() {
                self.deepening.stats.helper_cpu += Duration::from_nanos(nanos);
            }
            self.take_over(numbers);
        }
        self.sum();
        Ok(is_full)
    }

    /// Adds up all work.
    fn sum(&mut self) {
        self.work = self.finished;
        self.work.add(self.tail);
        for task in &mut self.tasks {
            let task = task.get_mut().unwrap_or_else(PoisonError::into_inner);
            self.work.add(task.before);
            self.work.add(task.own);
        }
    }

    /// Takes over how far the tasks of a rank are: six numbers for each.
    fn take_over(&mut self, mut numbers: impl Iterator<Item = u64>) {
        while let Some(index) = numbers.next() {
            let mut next = || numbers.next().unwrap_or_default();
            let [state, cost, expanded, generated, least] = [(); 5].map(|()| next());
            let index = index as usize;
            let Some(task) = self.tasks.get_mut(index) else { return };
            let task = task.get_mut().unwrap_or_else(PoisonError::into_inner);
            task.own = Count { expanded, generated };
            task.next = least;
            task.state = match state {
                0 => State::Open,
                1 => State::Done,
                2 => State::Goal(cost as Cost),
                _ => State::Inconsistent,
            };
            if matches!(task.state, State::Goal(_) | State::Inconsistent) {
                self.winner = self.winner.min(index);
            }
        }
    }

    /// Draws the sum of an iteration in which nothing that matters is open any more; `None` while
    /// something is.
    fn conclude(&mut self) -> Option<Conclusion<A>> {
        let mut count = self.finished;
        let mut next = self.tail_next;
        for task in &mut self.tasks {
            let task = task.get_mut().unwrap_or_else(PoisonError::into_inner);
            count.add(task.before);
            count.add(task.own);
            next = next.min(task.next);
            match task.state {
                State::Open => return None,
                State::Done => {}
                State::Inconsistent => {
                    task.catch_up(self.ranks, self.deepening.bound);
                    let mut path = std::mem::take(&mut task.path);
                    path.extend(task.subtree.path());
                    return Some(Conclusion::Inconsistent(path));
                }
                State::Goal(cost) => {
                    task.catch_up(self.ranks, self.deepening.bound);
                    let mut actions = std::mem::take(&mut task.path);
                    actions.extend(task.subtree.path());
                    return Some(Conclusion::Goal(count, Solution::with_cost(actions, cost)));
                }
            }
        }
        count.add(self.tail);
        Some(Conclusion::Next(count, next))
    }

    fn count(&mut self, count: Count) {
        let stats = &mut self.deepening.stats;
        stats.expanded = count.expanded;
        stats.generated = count.generated;
        stats.evaluated = count.generated + 1;
    }

    /// Accounted size of a number of tasks, without their paths, in bytes.
    fn record_bytes(&self, tasks: usize) -> u64 {
        let each = size_of::<Mutex<Task<'_, A>>>() + self.deepening.tree.record_bytes();
        (tasks * each) as u64
    }

    /// Continues until the quota is used up, the search ends or has a fault.
    fn take_steps(&mut self, quota: &Quota, observer: &mut dyn Observer<A>) -> Result<(), Halt> {
        while !self.deepening.has_ended(observer) {
            self.deepening.prove(observer);
            if self.work.expanded >= quota.expanded || self.work.generated >= quota.generated {
                return Err(Halt::Quota);
            }
            if self.tasks.is_empty() {
                if quota.bytes < self.record_bytes(1) {
                    return Err(Halt::Full);
                }
                self.deepening.prune();
                self.split(&self.deepening.left_of(quota));
                if self.deepening.report.fault.is_some() {
                    break;
                }
                self.take_known()?;
            }
            let left = self.deepening.left_of(quota);
            let out_of_memory = match self.ranks {
                None => self.work(&left)?,
                Some(ranks) => self.round(ranks, &left)?,
            };
            match self.conclude() {
                None => {
                    // Stopped by the quota: the counters show the work done. A thread may have
                    // found the quota taken by another thread that did not use all of it; then the
                    // loop continues.
                    self.count(self.work);
                    if out_of_memory {
                        return Err(Halt::Full);
                    }
                    if self.ranks.is_some() || self.wait()? {
                        return Err(Halt::Quota);
                    }
                }
                Some(Conclusion::Goal(count, best)) => {
                    self.count(count);
                    self.deepening.solved(best, observer);
                }
                Some(Conclusion::Inconsistent(path)) => self.deepening.inconsistent(&path),
                Some(Conclusion::Next(count, next)) => {
                    self.count(count);
                    self.last = count.expanded - self.finished.expanded;
                    self.finished = count;
                    self.work = count;
                    self.deepening.deepen(next);
                    self.tasks.clear();
                }
            }
        }
        Ok(())
    }
}

enum Conclusion<A> {
    Goal(Count, Solution<A>),
    Next(Count, u64),
    /// A path to a state of a smaller f than the start.
    Inconsistent(Vec<A>),
}

deepening_search!(ParallelIdaStar);
