//! Tree of the paths of a puzzle under a heuristic.
//!
//! Only [`Dfs::run`](Subtree::run) and the walk over the top of the tree are compiled for each
//! puzzle and heuristic.

use super::{
    dfs::{Dfs, Frame, FrameOf},
    pruning::kept,
    tree::{Count, NONE, Part, Start, Subtree, Top, Tree},
};
use crate::{automaton::Automaton, guard::check_path};
use std::sync::Arc;
use unriddle_core::{Cost, GoalPuzzle, Guarantee, Heuristic, SearchError};

/// Tree of a puzzle and a heuristic.
pub(super) struct Paths<'a, P: GoalPuzzle, H: Heuristic<P>> {
    puzzle: &'a P,
    heuristic: &'a H,
    /// The root and its estimate, unless it is a proved dead end.
    root: Option<(FrameOf<P, H>, Cost)>,
    /// The f of the start, if the estimates claim to be consistent; otherwise 0.
    base: u64,
    automaton: Option<Arc<Automaton>>,
}

impl<'a, P: GoalPuzzle, H: Heuristic<P>> Paths<'a, P, H> {
    pub(super) fn new(puzzle: &'a P, heuristic: &'a H) -> Self {
        let state = puzzle.initial_state();
        let is_consistent = heuristic.guarantee() == Guarantee::Consistent;
        let mut base = 0;
        let root = heuristic.root(puzzle, &state).map(|(h, memo)| {
            let cursor = puzzle.actions(&state);
            base = if is_consistent { u64::from(h) } else { 0 };
            let (last, pruning) = (None, Automaton::START);
            (Frame { state, memo, cursor, last, pruning, g: 0_u64.wrapping_sub(base) }, h)
        });
        Self { puzzle, heuristic, root, base, automaton: None }
    }

    fn subtree(
        &self,
        frames: Vec<FrameOf<P, H>>,
        goal_action: Option<P::Action>,
    ) -> Box<dyn Subtree<P::Action> + 'a> {
        let Self { puzzle, heuristic, base, .. } = *self;
        let automaton = self.automaton.clone();
        Box::new(Dfs { puzzle, heuristic, automaton, frames, goal_action, base })
    }
}

impl<'a, P: GoalPuzzle, H: Heuristic<P>> Tree<'a, P::Action> for Paths<'a, P, H> {
    fn start(&self) -> Start {
        match &self.root {
            None => Start::DeadEnd,
            Some((frame, _)) if self.puzzle.is_goal(&frame.state) => Start::Goal,
            Some((_, estimate)) => Start::Open(*estimate),
        }
    }

    fn fault(&self) -> Option<SearchError> {
        self.puzzle.fault()
    }

    fn is_admissible(&self) -> bool {
        self.heuristic.guarantee().is_admissible()
    }

    fn check_path(&self, path: &[P::Action]) -> Result<(), SearchError> {
        check_path(self.puzzle, path, self.heuristic.guarantee(), &mut |state| {
            Ok(self.heuristic.root(self.puzzle, state).map(|(h, _)| h))
        })
    }

    fn whole(&self, _: u64) -> Box<dyn Subtree<P::Action> + 'a> {
        let mut frames = Vec::new();
        if let Some((frame, _)) = self.root {
            frames.push(frame);
        }
        self.subtree(frames, None)
    }

    fn split(&self, bound: u64, depth: u32) -> Top<'a, P::Action> {
        let (parts, tail) = (Vec::new(), Count::default());
        let top = Top { parts, tail, next: NONE, inconsistent: None };
        let mut walk = Walk { paths: self, bound, depth, top, path: Vec::new() };
        if let Some((frame, _)) = self.root {
            walk.below(frame);
        }
        walk.top
    }

    fn prune(&mut self, depth: Option<usize>) {
        self.automaton = Automaton::of_puzzle(self.puzzle, depth);
    }

    fn bytes(&self) -> u64 {
        self.automaton.as_ref().map_or(0, |automaton| automaton.bytes())
    }

    fn record_bytes(&self) -> usize {
        size_of::<Dfs<'_, P, H>>()
    }
}

/// Walk over the top of the tree.
struct Walk<'w, 'a, P: GoalPuzzle, H: Heuristic<P>> {
    paths: &'w Paths<'a, P, H>,
    bound: u64,
    depth: u32,
    top: Top<'a, P::Action>,
    path: Vec<P::Action>,
}

impl<'a, P: GoalPuzzle, H: Heuristic<P>> Walk<'_, 'a, P, H> {
    fn part(&mut self, subtree: Box<dyn Subtree<P::Action> + 'a>, goal: Option<Cost>) {
        let before = std::mem::take(&mut self.top.tail);
        self.top.parts.push(Part { path: self.path.clone(), before, subtree, goal });
    }

    /// Walks below a node whose f is within the bound. The recursion is at most `depth` deep.
    fn below(&mut self, frame: FrameOf<P, H>) {
        self.top.tail.expanded += 1;
        if self.path.len() as u32 == self.depth {
            return self.part(self.paths.subtree(vec![frame], None), None);
        }
        let Paths { puzzle, heuristic, .. } = *self.paths;
        let automaton = self.paths.automaton.as_deref();
        for action in frame.cursor {
            let Some(pruning) = kept(puzzle, automaton, (frame.pruning, frame.last), action) else {
                continue;
            };
            self.top.tail.generated += 1;
            let state = puzzle.apply(&frame.state, action);
            let child = heuristic.child(puzzle, &frame.state, &frame.memo, action, &state);
            let Some((h, memo)) = child else { continue };
            let base = self.paths.base;
            let g = frame.g.wrapping_add(u64::from(puzzle.action_cost(&frame.state, action)));
            let f = g.wrapping_add(u64::from(h)).wrapping_add(base);
            if f < base {
                self.path.push(action);
                self.top.inconsistent.get_or_insert_with(|| self.path.clone());
                self.path.pop();
                continue;
            }
            if f > self.bound {
                self.top.next = self.top.next.min(f);
                continue;
            }
            if puzzle.is_goal(&state) {
                let cost = g.wrapping_add(base) as Cost;
                // A part that is nothing but a goal; the sequential search ends here.
                return self.part(self.paths.subtree(Vec::new(), Some(action)), Some(cost));
            }
            self.path.push(action);
            let cursor = puzzle.actions_after(&state, action);
            self.below(Frame { state, memo, cursor, last: Some(action), pruning, g });
            self.path.pop();
        }
    }
}
