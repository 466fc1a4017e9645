//! Staged deepening: depth-first searches of a few moves, and an open list of the states at their
//! ends.
//!
//! From the best state of the open list a blind depth-first search goes exactly `depth` moves deep
//! and tests every state for the goal. The states at that depth are scored and merged into the open
//! list. The states before them are only kept in a table against loops, which is emptied when it
//! has grown to `table` states. The idea comes from FreeCell: almost every state has many
//! continuations, so that intermediate states can be forgotten, and a heuristic is worth evaluating
//! only every few moves.
//!
//! Every state is noted in the table, also states that enter the open list, and a noted state is
//! not followed again, at whatever depth it was reached first. Hence a local search does not find
//! all states `depth` moves away. The table outlives the local search. When it is emptied during a
//! local search, the states of the current path are noted again. After that states may be reached
//! again, and the search need not end in a space with cycles that is larger than the table.
//!
//! The open list keeps the newest state of each score (`open=one-per-score`, the original), or all
//! states, the newest first among equals (`open=list`). Scores are single-precision reals; with
//! `quantum` q > 0 scores with the same ⌊score / q⌋ count as equal.
//!
//! Relation to the original: its look-ahead is K = 6 with a test `depth > K`, so that states enter
//! the open list seven moves after the state that was removed from it: `depth=7` here. The
//! pseudocode of the paper empties the table only between local searches; this search empties it at
//! once, so that it never exceeds its size.
//!
//! Counters: a state is *expanded* in a local search; successors are *generated* whether new or
//! not; states that entered the open list are *evaluated*. Nodes in the sense of the paper are the
//! distinct states visited, expanded + evaluated: successors in the table are not nodes.
//!
//! Guarantee: no guarantee of the cost. An empty open list proves that there is no solution if no
//! state was ever overwritten (every state was then expanded, directly or from the open list,
//! except for proved dead ends); otherwise the search is exhausted.
//!
//! Memory: `table` states and 10 to 21 bytes each; for each open state the state with 8 bytes and
//! 16 (list) or up to 32 (tree); the paths to open states as a forest (module `trace`), 8 bytes and
//! an action per node, where local searches share their beginnings and overwritten states release
//! theirs.
//!
//! References: A. Elyasaf, A. Hauptman and M. Sipper, "GA-FreeCell: Evolving Solvers for the Game
//! of FreeCell", GECCO 2011, section 3.1.3 and algorithm 1; the search is G. Heineman's (2009).

mod config;
mod open;

pub use config::{INFO, Keep, MAX_DEPTH, MAX_TABLE, StagedConfig};

use crate::{
    evaluate::Evaluator,
    guard::check_batch,
    index::hash,
    memory::{Accounted, Full, accounted, reserve},
    nodes::NONE,
    report::{Halt, ObserverOf, Report, goal_search, too_costly},
    trace::Trace,
    visited::Visited,
};
use open::{Entry, Open};
use unriddle_core::{
    BatchHeuristic, GoalPuzzle, Options as _, Outcome, Quota, SearchError, Solution, Stats,
    search::check_state_size,
};

/// Smallest number of states that are evaluated at a time (but for the last ones of a local
/// search).
const MIN_BATCH: usize = 1024;
/// Largest number of states that are evaluated at a time.
const MAX_BATCH: usize = 1 << 17;

/// State of the local search's path.
struct Frame<P: GoalPuzzle> {
    state: P::State,
    actions: P::Actions,
    g: u32,
    /// The action that led here; `None` for the start.
    last: Option<P::Action>,
    /// Its number in the trace, which it holds; [`NONE`] for the start, and until an open state
    /// needs it.
    trace: u32,
}

/// Staged deepening.
pub struct Staged<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    heuristic: &'a dyn BatchHeuristic<P>,
    config: StagedConfig,
    batch: usize,
    path: Vec<Frame<P>>,
    /// State to be expanded, noted in the table.
    pending: Option<Frame<P>>,
    visited: Visited<P::State>,
    /// States that are to be scored and merged into the open list.
    leaves: Vec<Entry<P::State>>,
    open: Open<P::State>,
    trace: Trace<P::Action>,
    evaluator: Evaluator<P>,
    /// Whether an open state was ever overwritten.
    lossy: bool,
    stats: Stats,
    report: Report<P::Action>,
}

impl<'a, P: GoalPuzzle> Staged<'a, P> {
    /// Creates a search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        heuristic: &'a dyn BatchHeuristic<P>,
        config: StagedConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        check_state_size::<P>()?;
        Ok(Self {
            puzzle,
            heuristic,
            config,
            batch: heuristic.preferred_batch().clamp(MIN_BATCH, MAX_BATCH),
            path: Vec::new(),
            pending: None,
            visited: Visited::default(),
            leaves: Vec::new(),
            open: Open::new(config.open),
            trace: Trace::new(),
            evaluator: Evaluator::new(),
            lossy: false,
            stats: Stats::default(),
            report: Report::new(),
        })
    }

    fn solve(&mut self, actions: Vec<P::Action>, observer: &mut ObserverOf<'_, P>) {
        self.report.check(check_batch(self.puzzle, &actions, self.heuristic));
        let best = Solution::played(self.puzzle, actions);
        self.report.bound = (best.value == 0).then_some(0);
        self.report.solve(best, &self.stats, observer);
    }

    fn start(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Full> {
        let state = self.puzzle.initial_state();
        if self.puzzle.is_goal(&state) {
            self.solve(Vec::new(), observer);
            return Ok(());
        }
        let depth = self.config.depth as usize;
        self.grow(quota.bytes, |s, room| reserve(&mut s.path, depth, room))?;
        self.grow(quota.bytes, |s, room| s.visited.reserve(1, room))?;
        self.visited.insert(hash(&state), &state);
        self.pending = Some(Frame {
            actions: self.puzzle.actions(&state),
            state,
            g: 0,
            last: None,
            trace: NONE,
        });
        Ok(())
    }

    /// Notes a state, for which memory is reserved. Returns whether the state is new.
    #[inline(always)]
    fn note(&mut self, state: &P::State) -> bool {
        if self.visited.len() >= self.config.table {
            self.visited.clear();
            // A small table may be smaller than the path.
            for frame in self.path.iter().take(self.config.table - 1) {
                self.visited.insert(hash(&frame.state), &frame.state);
            }
        }
        self.visited.insert(hash(state), state)
    }

    /// The number in the trace of a successor of the path's last state, for which memory is
    /// reserved.
    fn leaf(&mut self, action: P::Action) -> u32 {
        let mut parent = NONE;
        for (i, frame) in self.path.iter_mut().enumerate() {
            if i > 0
                && frame.trace == NONE
                && let Some(last) = frame.last
            {
                self.trace.hold(parent);
                frame.trace = self.trace.add(parent, last);
                self.trace.hold(frame.trace);
            }
            parent = frame.trace;
        }
        self.trace.hold(parent);
        self.trace.add(parent, action)
    }

    /// Tries actions until a state is to be expanded, a batch is full, a goal is found, the local
    /// search is over or the quota of generated states is used up.
    fn descend(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        let puzzle = self.puzzle;
        let depth = self.config.depth as usize;
        while self.stats.generated < quota.generated {
            let last = self.path.len() == depth;
            self.grow(quota.bytes, |s, room| s.visited.reserve(1, room))?;
            if last {
                self.grow(quota.bytes, |s, room| s.trace.reserve(depth, room))?;
                self.grow(quota.bytes, |s, room| reserve(&mut s.leaves, 1, room))?;
            }
            let Some(frame) = self.path.last_mut() else { return Ok(()) };
            let Some(action) = frame.actions.next() else {
                self.trace.let_go(frame.trace);
                self.path.pop();
                continue;
            };
            if frame.last.is_some_and(|last| puzzle.is_inverse(last, action)) {
                continue;
            }
            let child = puzzle.apply(&frame.state, action);
            let cost = puzzle.action_cost(&frame.state, action);
            self.stats.generated += 1;
            let g = frame.g.checked_add(cost).ok_or_else(|| too_costly(&"2^32", "staged"))?;
            if puzzle.is_goal(&child) {
                let mut actions = self.trace.path(self.path[0].trace);
                actions.extend(self.path[1..].iter().filter_map(|frame| frame.last));
                actions.push(action);
                self.solve(actions, observer);
                return Ok(());
            }
            if !self.note(&child) {
                continue;
            }
            if !last {
                self.pending = Some(Frame {
                    actions: puzzle.actions_after(&child, action),
                    state: child,
                    g,
                    last: Some(action),
                    trace: NONE,
                });
                return Ok(());
            }
            let trace = self.leaf(action);
            self.leaves.push(Entry { state: child, trace, g });
            if self.leaves.len() >= self.batch {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Scores the states at the end of the local search and merges them into the open list.
    fn merge(&mut self, quota: &Quota) -> Result<(), Halt> {
        let count = self.leaves.len();
        self.grow(quota.bytes, |s, room| s.evaluator.reserve(count, room))?;
        self.grow(quota.bytes, |s, room| s.open.reserve(count, room))?;
        let states = self.leaves.iter().map(|leaf| &leaf.state);
        let scores = self.evaluator.evaluate(self.puzzle, self.heuristic, false, states)?;
        for (leaf, &score) in self.leaves.iter().zip(scores) {
            if score == f32::INFINITY {
                self.trace.release(leaf.trace);
            } else if let Some(old) = self.open.push(self.config.key(score), *leaf) {
                self.lossy = true;
                self.trace.release(old.trace);
            }
        }
        self.stats.evaluated += count as u64;
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.bytes());
        self.leaves.clear();
        Ok(())
    }

    /// Begins the local search of the best open state, or ends the search.
    fn next(&mut self) {
        let Some(entry) = self.open.pop() else {
            self.report.outcome = Some(if self.lossy {
                Outcome::Exhausted { best: None }
            } else {
                Outcome::Unsolvable
            });
            return;
        };
        let last = self.trace.action(entry.trace);
        self.trace.hold(entry.trace);
        self.pending = Some(Frame {
            actions: match last {
                Some(last) => self.puzzle.actions_after(&entry.state, last),
                None => self.puzzle.actions(&entry.state),
            },
            state: entry.state,
            g: entry.g,
            last,
            trace: entry.trace,
        });
    }

    fn step(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        if self.visited.is_empty() {
            self.start(quota, observer)?;
        } else if self.pending.is_some() {
            if quota.is_used_up(&self.stats) {
                return Err(Halt::Quota);
            }
            self.stats.expanded += 1;
            self.path.extend(self.pending.take());
        } else if self.leaves.len() >= self.batch
            || (self.path.is_empty() && !self.leaves.is_empty())
        {
            self.merge(quota)?;
        } else if self.path.is_empty() {
            self.next();
        } else if self.stats.generated >= quota.generated {
            return Err(Halt::Quota);
        } else {
            self.descend(quota, observer)?;
        }
        Ok(())
    }
}

accounted!(Staged<P: GoalPuzzle>: visited, open, trace, evaluator, leaves, path);
goal_search!(Staged<P>);
