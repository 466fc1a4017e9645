//! Suspended depth-first search with a bound on f: the engine of iterative-deepening A*.
//!
//! The top frame is in local variables while the search runs, the others on an explicit stack; a
//! child's f is tested before the child is pushed. If a heuristic reads large tables, the memory
//! for the children of a new top frame is requested as soon as the frame is pushed.

use super::{
    pruning::kept,
    tree::{NONE, Slice, Subtree},
};
use crate::{automaton::Automaton, memory::vec_bytes};
use std::sync::Arc;
use unriddle_core::{Cost, GoalPuzzle, Heuristic, Puzzle, Quota, Stats};

/// Node of the current path, and its untried actions.
#[derive(Clone, Copy)]
pub(super) struct Frame<S, M, A, C> {
    pub(super) state: S,
    pub(super) memo: M,
    pub(super) cursor: C,
    pub(super) last: Option<A>,
    /// State of the automaton after the path.
    pub(super) pruning: u32,
    /// Cost of the path less the [base](Dfs::base) of the search, as a signed number.
    pub(super) g: u64,
}

pub(super) type FrameOf<P, H> = Frame<
    <P as Puzzle>::State,
    <H as Heuristic<P>>::Memo,
    <P as Puzzle>::Action,
    <P as Puzzle>::Actions,
>;

/// Suspended depth-first search below one root, bounded by f.
pub(super) struct Dfs<'a, P: GoalPuzzle, H: Heuristic<P>> {
    pub(super) puzzle: &'a P,
    pub(super) heuristic: &'a H,
    /// The automaton that leaves out actions, if the puzzle's pairs do not.
    pub(super) automaton: Option<Arc<Automaton>>,
    /// The current path; the last frame is the top.
    pub(super) frames: Vec<FrameOf<P, H>>,
    /// The action that led from the top frame to a goal.
    pub(super) goal_action: Option<P::Action>,
    /// The f of the start for consistent estimates, which no f falls below; otherwise 0. Costs are
    /// less by it, so that a comparison of unsigned numbers with the bound finds both a greater f
    /// than the bound and a smaller f than the start.
    pub(super) base: u64,
}

impl<P: GoalPuzzle, H: Heuristic<P>> Subtree<P::Action> for Dfs<'_, P, H> {
    fn run(&mut self, bound: u64, next: &mut u64, stats: &mut Stats, quota: &Quota) -> Slice {
        let (puzzle, heuristic) = (self.puzzle, self.heuristic);
        let automaton = self.automaton.as_deref();
        let mut frames = std::mem::take(&mut self.frames);
        let Some(mut top) = frames.pop() else { return Slice::Done };
        let mut expanded = stats.expanded;
        let mut generated = stats.generated;
        let limit = bound.wrapping_sub(self.base);
        // Less the base, as a signed number; without a base every f is at least 0.
        let mut smallest = if *next == NONE { i64::MAX } else { (*next - self.base) as i64 };
        let ahead = heuristic.wants_prefetch();
        // Local copies, so that the loop does not load them through the reference.
        let Quota { expanded: most_expanded, generated: most_generated, bytes, .. } = *quota;
        // The capacity of a vector is at most twice its length, and four entries at first.
        let room = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<FrameOf<P, H>>() / 4;
        let slice = 'search: loop {
            let before = top.cursor;
            let Some(action) = top.cursor.next() else {
                let Some(at) = frames.len().checked_sub(1) else {
                    break Slice::Done;
                };
                // The frame is read field by field: a frame that is read back at once, in other
                // pieces than it was written, stalls the CPU.
                let Frame { state, memo, cursor, last, pruning, g } = frames[at];
                frames.truncate(at);
                top = Frame { state, memo, cursor, last, pruning, g };
                continue 'search;
            };
            let Some(pruning) = kept(puzzle, automaton, (top.pruning, top.last), action) else {
                continue;
            };
            generated += 1;
            let child = puzzle.apply(&top.state, action);
            let Some((h, memo)) = heuristic.child(puzzle, &top.state, &top.memo, action, &child)
            else {
                continue;
            };
            // In 64 bits the sum cannot overflow; within the bound it fits a `Cost`.
            let g = top.g.wrapping_add(u64::from(puzzle.action_cost(&top.state, action)));
            let f = g.wrapping_add(u64::from(h));
            let ends = 'judge: {
                if f <= limit {
                    break 'judge puzzle.is_goal(&child);
                }
                // The smallest f seldom changes.
                if f as i64 >= smallest {
                    continue 'search;
                }
                if f as i64 >= 0 {
                    smallest = f as i64;
                    continue 'search;
                }
                true
            };
            if ends {
                self.goal_action = Some(action);
                frames.push(top);
                break match f > limit {
                    true => Slice::Inconsistent,
                    false => Slice::Goal(g.wrapping_add(self.base) as Cost),
                };
            }
            let full = frames.len() >= room;
            if expanded >= most_expanded || generated > most_generated || full {
                // The child is generated again when the search resumes.
                generated -= 1;
                top.cursor = before;
                frames.push(top);
                break if full { Slice::OutOfMemory } else { Slice::Paused };
            }
            expanded += 1;
            frames.push(top);
            let cursor = puzzle.actions_after(&child, action);
            if ahead {
                for next in cursor {
                    heuristic.prefetch(puzzle, &child, &memo, next);
                }
            }
            top = Frame { state: child, memo, cursor, last: Some(action), pruning, g };
        };
        self.frames = frames;
        stats.expanded = expanded;
        stats.evaluated += generated - stats.generated;
        stats.generated = generated;
        if smallest != i64::MAX {
            *next = smallest as u64 + self.base;
        }
        slice
    }

    fn path(&self) -> Vec<P::Action> {
        let mut path = Vec::new();
        for at in 1..self.frames.len() {
            path.extend(self.frames[at].last);
        }
        path.extend(self.goal_action);
        path
    }

    fn bytes(&self) -> u64 {
        vec_bytes(&self.frames)
    }
}
