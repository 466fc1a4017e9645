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
//! Reference: the splitting follows Rao, Kumar and Ramesh, *A parallel implementation of
//! iterative-deepening-A\**, AAAI 1987; the fixed order of tasks instead of work stealing makes it
//! deterministic.

use super::{
    Deepening,
    dfs::{Dfs, Frame, FrameOf, NONE, Slice},
    root_of,
};
use crate::{
    report::{Halt, Report, goal_search},
    threads::timed_map,
};
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
};
use unriddle_core::{
    Cost, GoalPuzzle, Heuristic, Observer, Quota, SearchError, Solution, Stats,
    search::check_state_size,
};

/// Number of tasks per thread that a split aims at.
const TASKS: usize = 64;
/// Depth of the deepest split in actions.
const MAX_SPLIT: u32 = 24;
/// Number of expansions that a thread takes from the quota at a time.
const GRAIN: u64 = 4096;

/// Numbers of expanded and generated states.
#[derive(Clone, Copy, Default)]
struct Count {
    expanded: u64,
    generated: u64,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.expanded += other.expanded;
        self.generated += other.generated;
    }
}

/// Subtree of one iteration.
struct Task<P: GoalPuzzle, H: Heuristic<P>> {
    /// Actions from the start to its root.
    path: Vec<P::Action>,
    /// Work of the sequential search in the top of the tree between the previous task and this one.
    before: Count,
    own: Count,
    dfs: Dfs<P, H>,
    /// Smallest f above the bound.
    next: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Done,
    Goal(Cost),
}

/// Iterative-deepening A* on several threads.
pub struct ParallelIdaStar<'a, P: GoalPuzzle, H: Heuristic<P>> {
    puzzle: &'a P,
    heuristic: &'a H,
    threads: usize,
    root: Option<FrameOf<P, H>>,
    deepening: Deepening,
    report: Report<P::Action>,
    /// Tasks of the current iteration; empty before it has begun.
    tasks: Vec<Mutex<Task<P, H>>>,
    /// Work in the top of the tree after the last task.
    tail: Count,
    tail_next: u64,
    /// Index of the first task known to hold a goal.
    winner: usize,
    /// Counts of the earlier iterations.
    finished: Count,
    /// All work so far, including work that the result does not count.
    work: Count,
    stats: Stats,
}

impl<'a, P: GoalPuzzle, H: Heuristic<P>> ParallelIdaStar<'a, P, H> {
    /// Creates a search of the puzzle's instance on `threads` threads.
    ///
    /// # Errors
    /// States that are too large for a search.
    pub fn new(puzzle: &'a P, heuristic: &'a H, threads: usize) -> Result<Self, SearchError> {
        check_state_size::<P>()?;
        let root = root_of(puzzle, heuristic);
        let admissible = heuristic.guarantee().is_admissible();
        Ok(Self {
            puzzle,
            heuristic,
            threads: threads.max(1),
            root: root.map(|(frame, _)| frame),
            deepening: Deepening { bound: root.map_or(0, |(_, h)| h.into()), admissible },
            report: Report::new(),
            tasks: Vec::new(),
            tail: Count::default(),
            tail_next: NONE,
            winner: usize::MAX,
            finished: Count::default(),
            work: Count::default(),
            stats: Stats { evaluated: 1, ..Stats::default() },
        })
    }

    /// Begins an iteration: makes its tasks, enough of them if the quota allows more than a few.
    fn split(&mut self, root: FrameOf<P, H>, quota: &Quota) {
        let room = quota.expanded.saturating_sub(self.work.expanded);
        let room = room.min(quota.generated.saturating_sub(self.work.generated));
        let wanted = if self.threads == 1 { 1 } else { TASKS * self.threads };
        let mut depth = 0;
        loop {
            let mut split = Split {
                puzzle: self.puzzle,
                heuristic: self.heuristic,
                bound: self.deepening.bound,
                depth,
                tasks: Vec::new(),
                pending: Count::default(),
                next: NONE,
                path: Vec::new(),
            };
            split.walk(root);
            let top: u64 = split.tasks.iter().map(|t| t.before.expanded).sum();
            let enough = split.tasks.len() >= wanted || depth == MAX_SPLIT;
            // A deeper walk may take, and make, several times as much; it is not divided by the
            // quota.
            let much = room / 8 <= top + split.pending.expanded
                || quota.bytes / 16 <= records::<P, H>(split.tasks.len());
            if enough || split.tasks.is_empty() || much {
                self.tasks = split.tasks.into_iter().map(Mutex::new).collect();
                self.tail = split.pending;
                self.tail_next = split.next;
                self.winner = usize::MAX;
                for (i, task) in self.tasks.iter_mut().enumerate() {
                    let task = task.get_mut().unwrap_or_else(PoisonError::into_inner);
                    self.work.add(task.before);
                    if matches!(task.state, State::Goal(_)) {
                        self.winner = self.winner.min(i);
                    }
                }
                self.work.add(self.tail);
                return;
            }
            depth += 1;
        }
    }

    /// Lets the threads work on open tasks until the quota is used up or all tasks are done.
    /// Returns whether a task could not grow within the quota's bytes.
    fn work(&mut self, quota: &Quota) -> bool {
        let (tasks, threads) = (&self.tasks, self.threads as u64);
        let cursor = AtomicUsize::new(0);
        let winner = AtomicUsize::new(self.winner);
        let expanded = AtomicU64::new(self.work.expanded);
        let generated = AtomicU64::new(self.work.generated);
        let bytes = AtomicU64::new(0);
        let out_of_memory = AtomicBool::new(false);
        // The tasks' own records, and an equal share of the rest for every thread.
        let records = records::<P, H>(tasks.len());
        let share = quota.bytes.saturating_sub(records) / threads;
        let (puzzle, heuristic, bound) = (self.puzzle, self.heuristic, self.deepening.bound);
        let worker = || {
            loop {
                let index = cursor.fetch_add(1, Ordering::Relaxed);
                if index >= tasks.len() || index > winner.load(Ordering::Relaxed) {
                    return;
                }
                let mut task = tasks[index].lock().unwrap_or_else(PoisonError::into_inner);
                while task.state == State::Open && index <= winner.load(Ordering::Relaxed) {
                    // The thread takes a share of the quota before it uses it.
                    let room = quota.generated.saturating_sub(generated.load(Ordering::Relaxed));
                    let grain = GRAIN.min(room / (16 * threads)).max(u64::from(room > 0));
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
                    let mut stats = Stats::default();
                    let mut next = task.next;
                    let own = Quota { expanded: grain, generated: u64::MAX, bytes: share };
                    let slice = task.dfs.run(puzzle, heuristic, bound, &mut next, &mut stats, &own);
                    task.next = next;
                    task.own.add(Count { expanded: stats.expanded, generated: stats.generated });
                    expanded.fetch_sub(grain - stats.expanded, Ordering::Relaxed);
                    generated.fetch_add(stats.generated, Ordering::Relaxed);
                    bytes.fetch_max(task.dfs.bytes(), Ordering::Relaxed);
                    match slice {
                        Slice::Paused => {}
                        Slice::OutOfMemory => {
                            out_of_memory.store(true, Ordering::Relaxed);
                            return;
                        }
                        Slice::Done => task.state = State::Done,
                        Slice::Goal(cost) => {
                            task.state = State::Goal(cost);
                            winner.fetch_min(index, Ordering::Relaxed);
                        }
                    }
                }
            }
        };
        let count = self.threads.min(tasks.len());
        self.stats.helper_cpu += timed_map(0..count, count, |_| worker()).1;
        self.stats.peak_bytes = self.stats.peak_bytes.max(bytes.into_inner() * threads + records);
        self.work = Count { expanded: expanded.into_inner(), generated: generated.into_inner() };
        self.winner = winner.into_inner();
        out_of_memory.into_inner()
    }

    /// The result of an iteration whose relevant tasks are done; `None` while one is open.
    fn conclude(&mut self) -> Option<Conclusion<P::Action>> {
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
                State::Goal(cost) => {
                    let mut actions = std::mem::take(&mut task.path);
                    actions.extend(task.dfs.path());
                    return Some(Conclusion::Goal(count, Solution::with_cost(actions, cost)));
                }
            }
        }
        count.add(self.tail);
        Some(Conclusion::Next(count, next))
    }

    fn count(&mut self, count: Count) {
        self.stats.expanded = count.expanded;
        self.stats.generated = count.generated;
        self.stats.evaluated = count.generated + 1;
    }
}

/// Accounted size of a number of tasks, without their paths, in bytes.
fn records<P: GoalPuzzle, H: Heuristic<P>>(tasks: usize) -> u64 {
    (tasks * size_of::<Mutex<Task<P, H>>>()) as u64
}

enum Conclusion<A> {
    Goal(Count, Solution<A>),
    Next(Count, u64),
}

/// Walk over the top of the tree.
struct Split<'a, P: GoalPuzzle, H: Heuristic<P>> {
    puzzle: &'a P,
    heuristic: &'a H,
    bound: u64,
    depth: u32,
    tasks: Vec<Task<P, H>>,
    pending: Count,
    next: u64,
    path: Vec<P::Action>,
}

impl<P: GoalPuzzle, H: Heuristic<P>> Split<'_, P, H> {
    fn task(&mut self, dfs: Dfs<P, H>, state: State) {
        self.tasks.push(Task {
            path: self.path.clone(),
            before: std::mem::take(&mut self.pending),
            own: Count::default(),
            dfs,
            next: NONE,
            state,
        });
    }

    /// Walks below a node whose f is within the bound. The recursion is at most [`MAX_SPLIT`] deep.
    fn walk(&mut self, frame: FrameOf<P, H>) {
        self.pending.expanded += 1;
        if self.path.len() as u32 == self.depth {
            return self.task(Dfs::new(frame), State::Open);
        }
        for action in frame.cursor {
            let puzzle = self.puzzle;
            if let Some(last) = frame.last
                && (puzzle.is_inverse(last, action) || puzzle.commutes_after(last, action))
            {
                continue;
            }
            self.pending.generated += 1;
            let state = puzzle.apply(&frame.state, action);
            let child = self.heuristic.child(puzzle, &frame.state, &frame.memo, action, &state);
            let Some((h, memo)) = child else { continue };
            let g = u64::from(frame.g) + u64::from(puzzle.action_cost(&frame.state, action));
            let f = g + u64::from(h);
            if f > self.bound {
                self.next = self.next.min(f);
                continue;
            }
            let g = g as Cost;
            if puzzle.is_goal(&state) {
                // The task is a goal without a subtree; the sequential search ends here.
                let dfs = Dfs { frames: Vec::new(), goal_action: Some(action) };
                return self.task(dfs, State::Goal(g));
            }
            self.path.push(action);
            let cursor = puzzle.actions_after(&state, action);
            self.walk(Frame { state, memo, cursor, last: Some(action), g });
            self.path.pop();
        }
    }
}

impl<P: GoalPuzzle, H: Heuristic<P>> ParallelIdaStar<'_, P, H> {
    fn step(&mut self, quota: &Quota, observer: &mut dyn Observer<P::Action>) -> Result<(), Halt> {
        let Some(root) = self.root else {
            self.report.finish();
            return Ok(());
        };
        if self.puzzle.is_goal(&root.state) {
            let best = Solution::with_cost(Vec::new(), 0);
            self.deepening.solve(best, &mut self.report, &self.stats, observer);
            return Ok(());
        }
        self.deepening.prove(&mut self.report, &self.stats, observer);
        if self.work.expanded >= quota.expanded || self.work.generated >= quota.generated {
            return Err(Halt::Quota);
        }
        if self.tasks.is_empty() {
            if quota.bytes < records::<P, H>(1) {
                return Err(Halt::Full);
            }
            self.split(root, quota);
        }
        let out_of_memory = self.work(quota);
        match self.conclude() {
            None => {
                // The quota stopped the threads: until the next call the counters show the work
                // done. A thread may have found the quota taken by another thread that did not use
                // it all: then they continue.
                self.count(self.work);
                if out_of_memory {
                    return Err(Halt::Full);
                }
            }
            Some(Conclusion::Goal(count, best)) => {
                self.count(count);
                self.deepening.solve(best, &mut self.report, &self.stats, observer);
            }
            Some(Conclusion::Next(count, next)) => {
                self.count(count);
                self.finished = count;
                self.work = count;
                self.deepening.deepen(next, &mut self.report)?;
                self.tasks.clear();
            }
        }
        Ok(())
    }
}

goal_search!(ParallelIdaStar<P, H: Heuristic<P>>);
