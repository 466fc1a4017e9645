//! The search.

use crate::device::{Gpu, Layers};
use std::sync::Arc;
use unriddle_core::{
    Cost, Inverses, Learnable, GoalDistances, Observer, Outcome, Progress, Quota, Search, SearchError,
    Solution, Stats,
    InverseStep, goal_distances::shortest,
};

/// Layers that a beam has at most: what it has seen is kept for as many.
const LAYERS: u32 = 64;

/// Options of a beam on a GPU.
#[derive(Clone, Copy, Debug)]
pub struct GpuConfig {
    /// States kept of each layer.
    pub width: usize,
    /// Candidates for each state of the width whose inverses are estimated, too.
    pub rerank: usize,
    /// Actions of the longest path considered, [`LAYERS`] at most.
    pub max_depth: u32,
}

/// Beam search from both ends on a GPU.
///
/// Layers are expanded all at once, so that limits are seen between them.
pub struct GpuBeam<'a, P: Learnable> {
    puzzle: &'a P,
    plain: P,
    ends: Inverses<P>,
    gpu: Arc<Gpu>,
    config: GpuConfig,
    below: Option<Cost>,
    unit: Cost,
    /// Actions by their numbers.
    actions: Vec<P::Action>,
    layers: Option<Layers>,
    count: usize,
    depth: u32,
    stats: Stats,
    best: Option<Solution<P::Action>>,
    outcome: Option<Outcome<P::Action>>,
    fault: Option<SearchError>,
}

impl<'a, P: Learnable> GpuBeam<'a, P> {
    /// A search that has not begun.
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
            layers: None,
            count: 0,
            depth: 0,
            stats: Stats::default(),
            best: None,
            outcome: None,
            fault: None,
        }
    }

    /// Seeks only solutions that cost less than `below`, if it is given.
    #[must_use]
    pub fn below(mut self, below: Option<Cost>) -> Self {
        self.below = below;
        self
    }

    /// Whether a path of `actions` actions is worth finding.
    fn is_sought(&self, actions: u32) -> bool {
        let cost = self.unit.saturating_mul(actions);
        self.below.is_none_or(|below| cost < below)
    }

    fn cells(&self, state: &P::State) -> Result<Vec<u8>, SearchError> {
        let cells = self.gpu.places().read(&self.plain, state);
        cells.map_err(|why| SearchError::BadOption(why.to_string()))
    }

    /// Ends with the path by a node of the last layer, or the start's, that is said to be near the goal. False where it is not: of a hash that is equal to one
    /// near the goal by chance, as one of some thousand searches meets.
    fn solved(
        &mut self,
        node: Option<u32>,
        observer: &mut dyn Observer<P::Action>,
    ) -> Result<bool, SearchError> {
        let steps = match (node, &self.layers) {
            (Some(node), Some(layers)) => self.gpu.steps(layers, node)?,
            _ => Vec::new(),
        };
        let (puzzle, ends) = (self.puzzle, &self.ends);
        let mut state = puzzle.initial_state();
        let mut taken = Vec::with_capacity(steps.len());
        for &(of_inverse, number) in &steps {
            if of_inverse {
                state = (ends.inverted)(puzzle, &state);
            }
            let action = self.actions[number];
            state = puzzle.apply(&state, action);
            let is_inverted = self.gpu.is_inverted(&self.cells(&state)?);
            if is_inverted {
                state = (ends.inverted)(puzzle, &state);
            }
            taken.push(InverseStep { action, of_inverse, is_inverted });
        }
        let near = Near(&self.gpu, &self.plain);
        let Some(mut path) = shortest(puzzle, &near, &state) else {
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
        let shape = [self.config.width, self.config.rerank, depth as usize];
        let cells = self.cells(&self.puzzle.initial_state())?;
        let mut layers = self.gpu.layers(shape)?;
        let near = self.gpu.begin(&mut layers, &cells)?;
        self.layers = Some(layers);
        self.count = 1;
        if near.is_some_and(|distance| self.is_sought(distance)) {
            self.solved(None, observer)?;
        }
        Ok(())
    }

    fn expand(&mut self, observer: &mut dyn Observer<P::Action>) -> Result<(), SearchError> {
        let Some(layers) = &mut self.layers else {
            return Ok(());
        };
        let expanded = self.gpu.expand(layers, self.count)?;
        let children = self.count * 2 * self.actions.len();
        self.stats.expanded += self.count as u64;
        self.stats.generated += children as u64;
        self.stats.evaluated += expanded.evaluated;
        self.count = expanded.kept;
        self.depth += 1;
        // One that is hidden by a false hit has children that are near as well.
        if let Some((_, node)) =
            (expanded.near).filter(|&(near, _)| self.is_sought(self.depth + near))
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

/// Exact distances that lie on the GPU.
struct Near<'a, P>(&'a Gpu, &'a P);

impl<P: Learnable + Sync> GoalDistances<P> for Near<'_, P> {
    fn distance(&self, _: &P, state: &P::State) -> Option<u32> {
        let cells = self.0.places().read(self.1, state).ok()?;
        self.0.goal_table_distance(&cells).ok().flatten()
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
            let done = if self.layers.is_none() {
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
        if let Some(layers) = self.layers.take() {
            self.gpu.give_back(layers);
        }
    }
}
