//! Greedy best-first search whose open list is put in order by comparing two states at a time.
//!
//! No state has a number. The open list is a binary heap, and whoever compares two states says which one is nearer to the
//! goal: a network that takes both, for example. A state that is added is compared on its way up and the last one, which
//! takes the place of the removed one, on its way down: about 2·log₂ n comparisons per expansion in a list of n states,
//! one after the other, as each depends on the one before. `evaluated` counts them. That is what such a search costs beside
//! one that estimates every state once.
//!
//! Comparisons need be neither consistent nor transitive: whatever they say, each state is expanded once, so that the search
//! is complete. A closed state that is reached again is left alone. The search ends with the first goal that is generated.
//!
//! Memory: all generated states.
//!
//! Reference: V. Cahlík and P. Surynek, "On the Design of a Heuristic based on Artificial Neural Networks for the Near Optimal
//! Solving of the (N²–1)-puzzle" (2019), section 6, where preliminary tests found it expensive.

use crate::{
    index::hash,
    memory::{Accounted, Full, reserve, vec_bytes},
    nodes::{Child, NONE, Nodes},
    resumable::resumable,
};
use unriddle_core::{
    Cost, GoalPuzzle, Observer, Outcome, Progress, Puzzle, Quota, SearchError, Solution, Stats,
    search::check_state_size,
};

/// Says which of two states is nearer to the goal.
pub trait Comparison<P: Puzzle>: Send + Sync {
    /// Whether the first state is nearer than the other one.
    fn is_nearer(&self, puzzle: &P, state: &P::State, other: &P::State) -> bool;

    /// Memory that it takes, in bytes.
    fn bytes(&self) -> u64 {
        0
    }
}

/// The parent of a node.
type Record = u32;

/// Greedy best-first search by comparisons.
pub struct Pairwise<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    comparison: &'a dyn Comparison<P>,
    nodes: Nodes<P::State, P::Action, Record>,
    /// A heap: the node at place i is not farther than those at 2i + 1 and 2i + 2, as far as they were compared.
    open: Vec<u32>,
    children: Vec<Child<P::State, P::Action>>,
    has_begun: bool,
    stats: Stats,
    best: Option<Solution<P::Action>>,
    bound: Option<Cost>,
    outcome: Option<Outcome<P::Action>>,
    fault: Option<SearchError>,
}

impl<'a, P: GoalPuzzle> Pairwise<'a, P> {
    /// A search that has not begun.
    ///
    /// # Errors
    /// States that are too large.
    pub fn new(puzzle: &'a P, comparison: &'a dyn Comparison<P>) -> Result<Self, SearchError> {
        check_state_size::<P>()?;
        Ok(Self {
            puzzle,
            comparison,
            nodes: Nodes::new(),
            open: Vec::new(),
            children: Vec::new(),
            has_begun: false,
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
            (self.best, self.bound) = (Some(best.clone()), Some(0));
            self.outcome = Some(Outcome::Solved { best, proof: true, bound: Some(0) });
            return Ok(());
        }
        let hash = hash(&state);
        self.grow(quota.bytes, |s, room| s.nodes.reserve(1, room))?;
        self.grow(quota.bytes, |s, room| s.nodes.reserve_index(hash, 1, room))?;
        self.grow(quota.bytes, |s, room| reserve(&mut s.open, 1, room))?;
        let id = self.nodes.push(hash, state, None, NONE);
        self.open.push(id);
        self.has_begun = true;
        Ok(())
    }

    /// Whether the node at a place of the open list is nearer than the one at another.
    fn is_nearer(&mut self, place: usize, other: usize) -> bool {
        self.stats.evaluated += 1;
        let state = |place: usize| self.nodes.state(self.open[place]);
        (self.comparison).is_nearer(self.puzzle, state(place), state(other))
    }

    /// Moves the last node of the open list up to its place.
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

    /// Removes the first node of the open list, and moves the one that takes its place down.
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

    /// Expands the first node of the open list. All that it may need is there before it is taken out.
    fn expand(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Result<(), Full> {
        let Some(&id) = self.open.first() else {
            // Every state that can be reached is closed.
            self.outcome = Some(Outcome::Unsolvable);
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
                observer.improved(&best, &self.stats);
                self.best = Some(best.clone());
                self.outcome = Some(Outcome::Solved { best, proof: false, bound: None });
                return Ok(());
            }
            self.open.push(node);
            self.rise();
        }
        Ok(())
    }

    /// Goes on until the quota is used up, the search ends or has a fault.
    fn go_on(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Progress<P::Action> {
        loop {
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            let result = match self.has_begun {
                false => self.start(quota, observer),
                true if quota.is_used_up(&self.stats) => return Progress::Running,
                true => self.expand(quota, observer),
            };
            if result.is_err() {
                return Progress::OutOfMemory;
            }
        }
    }
}

impl<P: GoalPuzzle> Accounted for Pairwise<'_, P> {
    fn bytes(&self) -> u64 {
        self.nodes.bytes() + vec_bytes(&self.open) + vec_bytes(&self.children)
    }

    fn counters(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

resumable!(Pairwise);
