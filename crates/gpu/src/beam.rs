//! Bidirectional beam search on a GPU.

use crate::device::{BeamBuffers, BeamShape, Gpu, NodeStep};
use std::sync::Arc;
use unriddle_core::{
    Cost, GoalDistances, InverseStep, Inverses, Learnable, Observer, Outcome, Progress, Quota,
    Search, SearchError, Solution, Stats, goal_distances::shortest,
};

/// Greatest number of layers of a beam. The set of known states is allocated for all of them.
const LAYERS: u32 = 64;

/// Options of a beam on a GPU.
#[derive(Clone, Copy, Debug)]
pub struct GpuConfig {
    /// States kept of each layer.
    pub width: usize,
    /// Candidates for each state of the width that are reranked by the estimates of their inverses.
    pub rerank: usize,
    /// Greatest number of actions of a path, at most 64.
    pub max_depth: u32,
}

/// Bidirectional beam search on a GPU.
///
/// A layer is expanded as one unit; limits are checked between layers.
pub struct GpuBeam<'a, P: Learnable> {
    puzzle: &'a P,
    plain: P,
    ends: Inverses<P>,
    gpu: Arc<Gpu>,
    config: GpuConfig,
    below: Option<Cost>,
    unit: Cost,
    /// Actions in the order of their numbers.
    actions: Vec<P::Action>,
    buffers: Option<BeamBuffers>,
    count: usize,
    depth: u32,
    stats: Stats,
    best: Option<Solution<P::Action>>,
    outcome: Option<Outcome<P::Action>>,
    fault: Option<SearchError>,
}

impl<'a, P: Learnable> GpuBeam<'a, P> {
    /// Search from the puzzle's start.
    #[must_use]
    pub fn new(puzzle: &'a P, ends: Inverses<P>, gpu: Arc<Gpu>, config: GpuConfig) -> Self {
        let start = puzzle.initial_state();
        let mut actions: Vec<P::Action> = puzzle.actions(&start).collect();
        actions.sort_by_key(|&action| puzzle.action_number(action));
        let first = actions.first();
        Self {
            puzzle,
            plain: puzzle.seen_by(0),
            ends,
            gpu,
            config,
            below: None,
            unit: first.map_or(1, |&action| puzzle.action_cost(&start, action)),
            actions,
            buffers: None,
            count: 0,
            depth: 0,
            stats: Stats::default(),
            best: None,
            outcome: None,
            fault: None,
        }
    }

    /// The same search, limited to solutions that cost less than `below`.
    #[must_use]
    pub fn below(mut self, below: Option<Cost>) -> Self {
        self.below = below;
        self
    }

    /// Whether a path of `actions` actions costs less than the bound.
    fn is_sought(&self, actions: u32) -> bool {
        let cost = self.unit.saturating_mul(actions);
        self.below.is_none_or(|below| cost < below)
    }

    fn cells(&self, state: &P::State) -> Result<Vec<u8>, SearchError> {
        let cells = self.gpu.tables().read(&self.plain, state);
        cells.map_err(|why| SearchError::BadOption(why.to_string()))
    }

    /// Ends the search with the path through `node` of the last layer, or from the start, whose
    /// hash is in the goal table. Returns false if the state itself is not near the goal: its hash
    /// then equals the hash of a state near the goal by chance, which happens in one of some
    /// thousand searches.
    fn solved(
        &mut self,
        node: Option<u32>,
        observer: &mut dyn Observer<P::Action>,
    ) -> Result<bool, SearchError> {
        let steps = match (node, &self.buffers) {
            (Some(node), Some(buffers)) => self.gpu.steps(buffers, node)?,
            _ => Vec::new(),
        };
        let (puzzle, ends) = (self.puzzle, &self.ends);
        let mut state = puzzle.initial_state();
        let mut taken = Vec::with_capacity(steps.len());
        for NodeStep { of_inverse, action } in steps {
            if of_inverse {
                state = (ends.inverted)(puzzle, &state);
            }
            let action = self.actions[action];
            state = puzzle.apply(&state, action);
            let is_inverted = self.gpu.is_inverted(&self.cells(&state)?);
            if is_inverted {
                state = (ends.inverted)(puzzle, &state);
            }
            taken.push(InverseStep { action, of_inverse, is_inverted });
        }
        let goal_table = GoalTable { gpu: &self.gpu, plain: &self.plain };
        let Some(mut path) = shortest(puzzle, &goal_table, &state) else {
            return Ok(false);
        };
        for step in taken.iter().rev() {
            ends.prepend(puzzle, step, &mut path);
        }
        let best = Solution::played(puzzle, path);
        observer.improved(&best, &self.stats);
        self.best = Some(best.clone());
        self.outcome = Some(Outcome::Solved { best, bound: None, proof: false });
        Ok(true)
    }

    fn begin(&mut self, observer: &mut dyn Observer<P::Action>) -> Result<(), SearchError> {
        let depth = self.config.max_depth.min(LAYERS);
        let GpuConfig { width, rerank, .. } = self.config;
        let shape = BeamShape { width, rerank, layers: depth as usize };
        let cells = self.cells(&self.puzzle.initial_state())?;
        let mut buffers = self.gpu.buffers(shape)?;
        let distance = self.gpu.begin(&mut buffers, &cells)?;
        self.buffers = Some(buffers);
        self.count = 1;
        if distance.is_some_and(|distance| self.is_sought(distance)) {
            self.solved(None, observer)?;
        }
        Ok(())
    }

    fn expand(&mut self, observer: &mut dyn Observer<P::Action>) -> Result<(), SearchError> {
        let Some(buffers) = &mut self.buffers else {
            return Ok(());
        };
        let expanded = self.gpu.expand(buffers, self.count)?;
        let children = self.count * 2 * self.actions.len();
        self.stats.expanded += self.count as u64;
        self.stats.generated += children as u64;
        self.stats.evaluated += expanded.evaluated;
        self.count = expanded.kept;
        self.depth += 1;
        // A false hit may hide another node near the goal, but its children are near the goal as
        // well.
        if let Some((_, node)) =
            (expanded.near_goal).filter(|&(distance, _)| self.is_sought(self.depth + distance))
            && self.solved(Some(node), observer)?
        {
            return Ok(());
        }
        let is_last = self.depth >= self.config.max_depth.min(LAYERS);
        if self.count == 0 || is_last || !self.is_sought(self.depth + 1) {
            self.outcome = Some(Outcome::Exhausted { best: None });
        }
        Ok(())
    }
}

/// Goal table of a GPU, for states of the puzzle.
struct GoalTable<'a, P> {
    gpu: &'a Gpu,
    /// Puzzle with its first network input.
    plain: &'a P,
}

impl<P: Learnable + Sync> GoalDistances<P> for GoalTable<'_, P> {
    fn distance(&self, _: &P, state: &P::State) -> Option<u32> {
        let cells = self.gpu.tables().read(self.plain, state).ok()?;
        self.gpu.goal_table_distance(&cells).ok().flatten()
    }

    fn bytes(&self) -> u64 {
        0
    }
}

impl<P: Learnable> Search for GpuBeam<'_, P> {
    type Action = P::Action;

    fn advance(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Progress<P::Action> {
        loop {
            if let Some(fault) = &self.fault {
                return Progress::Failed(fault.clone());
            }
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            let done = if self.buffers.is_none() {
                self.begin(observer)
            } else if quota.is_used_up(&self.stats) {
                return Progress::Running;
            } else {
                self.expand(observer)
            };
            self.fault = done.err();
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<P::Action>> {
        self.best.as_ref()
    }
}

impl<P: Learnable> Drop for GpuBeam<'_, P> {
    fn drop(&mut self) {
        if let Some(buffers) = self.buffers.take() {
            self.gpu.recycle(buffers);
        }
    }
}
