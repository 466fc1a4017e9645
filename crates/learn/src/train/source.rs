//! Where examples come from.

use super::{
    beams::visited,
    recipe::{Beams, Walks},
};
use unriddle_catalog::Cancel;
use unriddle_catalog::work::WorkError;
use unriddle_core::{Backward, Cost, Features, GoalPuzzle, Puzzle, Rng};
use unriddle_neural::{Net, train::Targets};

/// Rows of a network's input, and their targets.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Batch {
    /// The active indices of the rows, one after the other.
    pub active: Vec<u32>,
    /// A target for each row, in moves; empty if choices are learned.
    pub targets: Vec<f32>,
    /// The number of rows of each choice, of which the first is the right one; empty if values are
    /// learned.
    pub choices: Vec<u32>,
}

impl Batch {
    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.targets().rows()
    }

    /// The targets of the network's outputs.
    pub(super) fn targets(&self) -> Targets<'_> {
        match self.choices.is_empty() {
            true => Targets::Values(&self.targets),
            false => Targets::Choices(&self.choices),
        }
    }

    /// The error of a network's outputs: the root of the mean squared error, or the share of wrong
    /// choices.
    pub(super) fn error(&self, outputs: &[f32]) -> f64 {
        match self.targets() {
            Targets::Values(targets) => {
                let errors = outputs.iter().zip(targets).map(|(a, b)| f64::from(a - b));
                let sum: f64 = errors.map(|error| error * error).sum();
                (sum / targets.len().max(1) as f64).sqrt()
            }
            Targets::Choices(sizes) => {
                let (mut rest, mut wrong) = (outputs, 0);
                for &size in sizes {
                    let (group, others) = rest.split_at(size as usize);
                    rest = others;
                    wrong += usize::from(group[1..].iter().any(|&other| other <= group[0]));
                }
                wrong as f64 / sizes.len() as f64
            }
        }
    }

    /// Adds a choice between states, of which the first is the right one. An empty list adds none.
    pub(super) fn push_choice<P: Features>(&mut self, puzzle: &P, states: &[P::State]) {
        if states.is_empty() {
            return;
        }
        for state in states {
            puzzle.active(state, &mut |index| self.active.push(index));
        }
        self.choices.push(states.len() as u32);
    }

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

/// The source of examples during a run, while the target network changes.
pub(super) trait Course: Sync {
    /// The source of examples; the target network, if there is one, estimates successors.
    fn source<'t>(&'t self, target: Option<&'t Net>) -> Box<dyn Source + 't>;

    /// Restores the state that the source had after `rounds` rounds; 0 rounds begin a run. `None` if it
    /// was cancelled.
    fn begin(
        &self,
        rounds: u64,
        target: Option<&Net>,
        jobs: usize,
        cancel: &Cancel,
    ) -> Result<Option<()>, WorkError> {
        let _ = (rounds, target, jobs, cancel);
        Ok(Some(()))
    }

    /// Work that runs in parallel with a round of updates, before the batches of the next round are
    /// drawn. `None` if it was cancelled.
    fn advance(
        &self,
        round: u64,
        target: Option<&Net>,
        jobs: usize,
        cancel: &Cancel,
    ) -> Result<Option<()>, WorkError> {
        let _ = (round, target, jobs, cancel);
        Ok(Some(()))
    }

    /// The present most steps of walks, if they grow.
    fn steps(&self) -> Option<u64> {
        None
    }
}

/// States of a walk that become examples. There are several because its steps take most of the time.
const STOPS: usize = 32;

/// Goes `steps` random moves backwards from a state; no move undoes the one before.
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

/// Random walks from the goal. Targets are their lengths, or follow from estimates of successors.
pub(super) struct Walked<'a, P: Backward> {
    pub puzzle: &'a P,
    pub goal: P::State,
    pub seed: u64,
    pub walks: &'a Walks,
    /// The rows that come from beams; only with a target network.
    pub beams: Option<&'a Beams>,
    /// The target network that estimates successors; without it lengths of walks are learned.
    pub target: Option<Look<'a>>,
}

/// Targets that follow from a network's estimates of later states.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    pub net: &'a Net,
    /// The number of actions to those states.
    pub actions: u32,
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
        while let Some((Look { net, .. }, beams)) = of_beams
            && states.len() < rows
        {
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
    /// (DeepCubeA, equation 1). With more than one action it is the min over all paths of `actions` actions.
    fn look_ahead(&self, Look { net, actions }: Look<'_>, states: &[P::State], to: &mut [f32]) {
        let mut ends = Ends {
            puzzle: self.puzzle,
            active: Vec::new(),
            rows: Vec::new(),
        };
        to.fill(f32::INFINITY);
        for (row, state) in states.iter().enumerate() {
            to[row] = to[row].min(ends.add(row, state, 0.0, actions));
        }
        let mut estimates = vec![0.0; ends.rows.len()];
        // Rows of the puzzle that the network was made for always fit.
        let _ = net.engine().evaluate(&ends.active, &mut estimates, 1);
        for (&(row, cost), &estimate) in ends.rows.iter().zip(&estimates) {
            to[row] = to[row].min(cost + estimate.max(0.0));
        }
    }
}

/// The states that a few actions lead to, for a network to estimate.
struct Ends<'a, P> {
    puzzle: &'a P,
    active: Vec<u32>,
    /// The row of the state where each path begins, and the cost of its actions.
    rows: Vec<(usize, f32)>,
}

impl<P: Features + GoalPuzzle> Ends<'_, P> {
    /// Adds the ends of all paths of `actions` actions from a state. A path ends early at a goal;
    /// returns the least cost of such a path, or infinity.
    fn add(&mut self, row: usize, state: &P::State, cost: f32, actions: u32) -> f32 {
        let puzzle = self.puzzle;
        if puzzle.is_goal(state) {
            return cost;
        }
        if actions == 0 {
            puzzle.active(state, &mut |index| self.active.push(index));
            self.rows.push((row, cost));
            return f32::INFINITY;
        }
        let mut least = f32::INFINITY;
        for action in puzzle.actions(state) {
            let child = puzzle.apply(state, action);
            let cost = cost + puzzle.action_cost(state, action) as f32;
            least = least.min(self.add(row, &child, cost, actions - 1));
        }
        least
    }
}

/// A puzzle with another initial state.
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_neural::{
        Activation, Architecture, Block, Device, Engine, Header, Network, Training,
        train::{Learner, Options},
    };
    use unriddle_tiles::{Board3, Goal, Tiles, goal_cells};

    /// Two actions ahead is one action ahead of what one action ahead says, and nothing is left of a goal.
    #[test]
    fn looking_twice_is_looking_two_ahead() {
        let architecture = Architecture {
            inputs: 81,
            groups: 9,
            skip: false,
            blocks: vec![Block::dense(8, Activation::Relu)],
        };
        let options = Options::default();
        let header = Header {
            puzzle: crate::train::PUZZLE.to_owned(),
            size: "3".to_owned(),
            goal: Goal::NAMES[0].to_owned(),
            architecture: architecture.clone(),
            training: Training::default(),
        };
        let trainer = Learner::new(Device::Cpu, &architecture, None, 3, options).unwrap();
        let model = trainer.model(header, false, &[]);
        let net = Net::new(Engine::F32(Network::new(&model).unwrap()));
        let puzzle = Tiles::<Board3>::new(&goal_cells(3), Goal::BlankLast);
        let goal = puzzle.goal_states()[0];
        let walked = Walked {
            puzzle: &puzzle,
            goal,
            seed: 1,
            walks: &Walks {
                steps: 30,
                power: 1.0,
            },
            beams: None,
            target: None,
        };
        let ahead = |actions, states: &[Board3]| {
            let mut targets = vec![0.0; states.len()];
            walked.look_ahead(Look { net: &net, actions }, states, &mut targets);
            targets
        };
        let mut rng = Rng::new(1);
        for steps in 0..40 {
            let mut state = goal;
            walk(&puzzle, (&mut state, &mut None), steps, &mut rng);
            let children: Vec<Board3> = puzzle
                .actions(&state)
                .map(|slide| puzzle.apply(&state, slide))
                .collect();
            let least = ahead(1, &children)
                .into_iter()
                .fold(f32::INFINITY, f32::min);
            let expected = if puzzle.is_goal(&state) {
                0.0
            } else {
                1.0 + least
            };
            // Costs are added up before the estimate here, and after it there.
            let found = ahead(2, &[state])[0];
            assert!((found - expected).abs() < 1e-4, "{found} {expected}");
        }
    }
}
