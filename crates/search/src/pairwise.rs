//! Greedy best-first search whose open list is ordered by comparisons of two states.
//!
//! States have no estimates. The open list is a binary heap, and a [`Comparison`], for example a
//! network with two states as inputs, returns which of two states is nearer to the goal. A new
//! state is compared on its way up the heap. When the first state is removed, the last one replaces
//! it and is compared on its way down. This takes about 2·log₂ n comparisons per expansion with a
//! list of n states, one after the other, because each depends on the previous one. `evaluated`
//! counts comparisons: they are the price of this search compared with a search that estimates
//! every state once.
//!
//! Comparisons need be neither consistent nor transitive: each state is expanded once, so that the
//! search is complete. A closed state that is reached again is ignored. The search ends with the
//! first goal generated.
//!
//! Memory: all generated states.
//!
//! Reference: V. Cahlík and P. Surynek, "On the Design of a Heuristic based on Artificial Neural
//! Networks for the Near Optimal Solving of the (N²–1)-puzzle" (2019), section 6, where preliminary
//! tests found it expensive.

pub use crate::estimates::Comparison;

use crate::{
    index::hash,
    memory::{Accounted, Full, accounted, reserve},
    nodes::{Child, NONE, Nodes},
    report::{Halt, ObserverOf, Report, goal_search},
};
use unriddle_core::{GoalPuzzle, Quota, SearchError, Solution, Stats, search::check_state_size};

/// Record of a node: its parent.
type Record = u32;

/// Greedy best-first search by comparisons.
pub struct Pairwise<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    comparison: &'a dyn Comparison<P>,
    nodes: Nodes<P::State, P::Action, Record>,
    /// Binary heap: the node at index i is not farther than the nodes at 2i + 1 and 2i + 2, as far
    /// as they were compared.
    open: Vec<u32>,
    children: Vec<Child<P::State, P::Action>>,
    stats: Stats,
    report: Report<P::Action>,
}

impl<'a, P: GoalPuzzle> Pairwise<'a, P> {
    /// Creates a search that has not begun.
    ///
    /// # Errors
    /// States that are too large.
    pub fn new(puzzle: &'a P, comparison: &'a dyn Comparison<P>) -> Result<Self, SearchError> {
        check_state_size::<P>()?;
        Ok(Self {
            puzzle,
            comparison,
            nodes: Nodes::default(),
            open: Vec::new(),
            children: Vec::new(),
            stats: Stats::default(),
            report: Report::new(),
        })
    }

    fn start(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Full> {
        let state = self.puzzle.initial_state();
        if self.puzzle.is_goal(&state) {
            self.report.bound = Some(0);
            let best = Solution::with_cost(Vec::new(), 0);
            self.report.solve(best, &self.stats, observer);
            return Ok(());
        }
        let hash = hash(&state);
        self.grow(quota.bytes, |s, room| s.nodes.reserve(1, room))?;
        self.grow(quota.bytes, |s, room| s.nodes.reserve_index(hash, 1, room))?;
        self.grow(quota.bytes, |s, room| reserve(&mut s.open, 1, room))?;
        let id = self.nodes.push(hash, state, None, NONE);
        self.open.push(id);
        Ok(())
    }

    /// Whether the node at an index of the open list is nearer than the node at another index.
    fn is_nearer(&mut self, place: usize, other: usize) -> bool {
        self.stats.evaluated += 1;
        let state = |place: usize| self.nodes.state(self.open[place]);
        (self.comparison).is_nearer(self.puzzle, state(place), state(other))
    }

    /// Moves the last node of the open list up to its position.
    fn rise(&mut self) {
        let mut place = self.open.len() - 1;
        while place > 0 {
            let above = (place - 1) / 2;
            if !self.is_nearer(place, above) {
                break;
            }
            self.open.swap(place, above);
            place = above;
        }
    }

    /// Removes the first node of the open list, and moves its replacement down.
    fn pop(&mut self) -> Option<u32> {
        if self.open.is_empty() {
            return None;
        }
        let first = self.open.swap_remove(0);
        let mut place = 0;
        while 2 * place + 1 < self.open.len() {
            let mut below = 2 * place + 1;
            if below + 1 < self.open.len() && self.is_nearer(below + 1, below) {
                below += 1;
            }
            if !self.is_nearer(below, place) {
                break;
            }
            self.open.swap(place, below);
            place = below;
        }
        Some(first)
    }

    /// Expands the first node of the open list. All memory is reserved before the node is removed.
    fn expand(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Full> {
        let Some(&id) = self.open.first() else {
            // All reachable states are closed.
            self.report.finish();
            return Ok(());
        };
        let (puzzle, state) = (self.puzzle, *self.nodes.state(id));
        let last = self.nodes.action(id);
        self.children.clear();
        for action in puzzle.actions(&state) {
            if last.is_some_and(|last| puzzle.is_inverse(last, action)) {
                continue;
            }
            self.grow(quota.bytes, |s, room| reserve(&mut s.children, 1, room))?;
            let state = puzzle.apply(&state, action);
            let hash = hash(&state);
            self.children.push(Child { state, hash, action, g: 0 });
        }
        let count = self.children.len();
        self.grow(quota.bytes, |s, room| s.nodes.reserve(count, room))?;
        for i in 0..count {
            let hash = self.children[i].hash;
            self.grow(quota.bytes, |s, room| s.nodes.reserve_index(hash, count, room))?;
        }
        self.grow(quota.bytes, |s, room| reserve(&mut s.open, count, room))?;
        self.pop();
        self.stats.expanded += 1;
        self.stats.generated += count as u64;
        for i in 0..count {
            let child = self.children[i];
            if self.nodes.find(child.hash, &child.state).is_some() {
                continue;
            }
            let node = (self.nodes).push(child.hash, child.state, Some(child.action), id);
            if self.puzzle.is_goal(&child.state) {
                let path = self.nodes.path(node, |&parent| parent);
                let best = Solution::played(self.puzzle, path);
                self.report.solve(best, &self.stats, observer);
                return Ok(());
            }
            self.open.push(node);
            self.rise();
        }
        Ok(())
    }

    fn step(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        if self.nodes.is_empty() {
            self.start(quota, observer)?;
        } else if quota.is_used_up(&self.stats) {
            return Err(Halt::Quota);
        } else {
            self.expand(quota, observer)?;
        }
        Ok(())
    }
}

accounted!(Pairwise<P: GoalPuzzle>: nodes, open, children);
goal_search!(Pairwise<P>);
