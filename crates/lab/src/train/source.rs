//! Where examples come from.

use super::{
    beams::visited,
    recipe::{Beams, Walks},
};
use crate::error::LabError;
use unriddle_catalog::Cancel;
use unriddle_core::{Backward, Cost, Features, GoalPuzzle, Puzzle, Rng};
use unriddle_neural::Net;

/// Rows of a network's input, and what it is to say of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Batch {
    /// The active indices of the rows, one after the other.
    pub active: Vec<u32>,
    /// A target for each row, in moves.
    pub targets: Vec<f32>,
}

impl Batch {
    pub(super) fn push<P: Features>(&mut self, puzzle: &P, state: &P::State, target: f32) {
        puzzle.active(state, &mut |index| self.active.push(index));
        self.targets.push(target);
    }
}

/// A source of batches: each follows from its number alone, so that any number of threads makes the same.
pub(super) trait Source: Send + Sync {
    /// The batch of a number.
    fn batch(&self, number: u64, rows: usize) -> Batch;
}

/// What a network learns from, as its target changes.
pub(super) trait Course: Sync {
    /// The source of examples, with the network that says what successors cost where there is one.
    fn source<'t>(&'t self, target: Option<&'t Net>) -> Box<dyn Source + 't>;

    /// Goes on after a checkpoint at so many rounds, or from nothing: after this the source is as it was then. `None` if it was
    /// cancelled.
    fn begin(
        &self,
        rounds: u64,
        target: Option<&Net>,
        jobs: usize,
        cancel: &Cancel,
    ) -> Result<Option<()>, LabError> {
        let _ = (rounds, target, jobs, cancel);
        Ok(Some(()))
    }

    /// What is done beside a round of updates, before the batches of the next round are drawn. `None` if it was cancelled.
    fn advance(
        &self,
        round: u64,
        target: Option<&Net>,
        jobs: usize,
        cancel: &Cancel,
    ) -> Result<Option<()>, LabError> {
        let _ = (round, target, jobs, cancel);
        Ok(Some(()))
    }

    /// Most steps of the walks that it has come to, where they grow.
    fn steps(&self) -> Option<u64> {
        None
    }
}

/// States of a walk that become examples: most of the time goes into its steps.
const STOPS: usize = 32;

/// Goes so many random moves back; none takes the last one back.
pub(super) fn walk<P: Backward>(
    puzzle: &P,
    (state, last): (&mut P::State, &mut Option<P::Action>),
    steps: u64,
    rng: &mut Rng,
) {
    for _ in 0..steps {
        let Some((before, action)) = puzzle.step_back(state, *last, rng) else {
            break;
        };
        (*state, *last) = (before, Some(action));
    }
}

/// Random walks from the goal, with their lengths or with what the successors of their ends say.
pub(super) struct Walked<'a, P: Backward> {
    pub puzzle: &'a P,
    pub goal: P::State,
    pub seed: u64,
    pub walks: &'a Walks,
    /// Which of the rows are those that searches look at, if there is a target.
    pub beams: Option<&'a Beams>,
    /// The network that says what successors cost; lengths of walks are learned if there is none.
    pub target: Option<&'a Net>,
}

impl<P: Backward + Features + GoalPuzzle + Clone> Source for Walked<'_, P> {
    fn batch(&self, number: u64, rows: usize) -> Batch {
        let mut rng = Rng::stream(self.seed, number);
        let mut batch = Batch::default();
        let mut states = Vec::with_capacity(rows);
        let mut stops = Vec::with_capacity(STOPS);
        let of_beams = self.target.zip(self.beams);
        let walked = match of_beams {
            Some((_, beams)) => rows - (rows as f64 * beams.share) as usize,
            None => rows,
        };
        while states.len() < walked {
            stops.clear();
            stops.extend((0..STOPS.min(walked - states.len())).map(|_| self.walks.draw(&mut rng)));
            stops.sort_unstable();
            let (mut state, mut last, mut at) = (self.goal, None, 0);
            for &steps in &stops {
                walk(self.puzzle, (&mut state, &mut last), steps - at, &mut rng);
                at = steps;
                batch.push(self.puzzle, &state, steps as f32);
                states.push(state);
            }
        }
        while let (Some((net, beams)), true) = (of_beams, states.len() < rows) {
            let mut start = self.goal;
            let steps = self.walks.draw(&mut rng);
            walk(self.puzzle, (&mut start, &mut None), steps, &mut rng);
            for state in visited(self.puzzle, start, net, beams)
                .into_iter()
                .take(rows - states.len())
            {
                batch.push(self.puzzle, &state, 0.0);
                states.push(state);
            }
        }
        if let Some(target) = self.target {
            self.look_ahead(target, &states, &mut batch.targets);
        }
        batch
    }
}

impl<P: Backward + Features + GoalPuzzle> Walked<'_, P> {
    /// J(s) = min over actions of the cost of the action and the network's estimate of what it leads to; 0 of a goal
    /// (DeepCubeA, equation 1).
    fn look_ahead(&self, network: &Net, states: &[P::State], targets: &mut [f32]) {
        let puzzle = self.puzzle;
        let mut active = Vec::new();
        let mut children: Vec<(usize, f32, bool)> = Vec::new();
        for (row, state) in states.iter().enumerate() {
            for action in puzzle.actions(state) {
                let child = puzzle.apply(state, action);
                puzzle.active(&child, &mut |index| active.push(index));
                let cost = puzzle.action_cost(state, action) as f32;
                children.push((row, cost, puzzle.is_goal(&child)));
            }
        }
        let mut estimates = vec![0.0; children.len()];
        // Rows of the puzzle that the network was made for always fit.
        let _ = network.engine().evaluate(&active, &mut estimates, 1);
        targets.fill(f32::INFINITY);
        for (&(row, cost, is_goal), &estimate) in children.iter().zip(&estimates) {
            let left = if is_goal { 0.0 } else { estimate.max(0.0) };
            targets[row] = targets[row].min(cost + left);
        }
        for (state, target) in states.iter().zip(targets) {
            if puzzle.is_goal(state) {
                *target = 0.0;
            }
        }
    }
}

/// A puzzle that begins elsewhere.
pub(super) struct From<P: Backward> {
    pub puzzle: P,
    pub start: P::State,
}

impl<P: Backward> Puzzle for From<P> {
    type State = P::State;
    type Action = P::Action;
    type Actions = P::Actions;

    fn initial_state(&self) -> P::State {
        self.start
    }
    fn actions(&self, state: &P::State) -> P::Actions {
        self.puzzle.actions(state)
    }
    fn apply(&self, state: &P::State, action: P::Action) -> P::State {
        self.puzzle.apply(state, action)
    }
}

impl<P: Backward> GoalPuzzle for From<P> {
    fn is_goal(&self, state: &P::State) -> bool {
        self.puzzle.is_goal(state)
    }
    fn action_cost(&self, state: &P::State, action: P::Action) -> Cost {
        self.puzzle.action_cost(state, action)
    }
}

impl<P: Backward + Features> Features for From<P> {
    fn feature_len(&self) -> usize {
        self.puzzle.feature_len()
    }
    fn active(&self, state: &P::State, sink: &mut dyn FnMut(u32)) {
        self.puzzle.active(state, sink);
    }
    fn delta(&self, state: &P::State, action: P::Action, sink: &mut dyn FnMut(u32, bool)) {
        self.puzzle.delta(state, action, sink);
    }
}
