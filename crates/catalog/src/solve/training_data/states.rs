//! Lists of states of a puzzle.

use super::{
    layers::{backed_up_layers, cuts},
    search::{backed_up, evaluated},
};
use crate::{
    declare::{goal::Goal, listed::Costs},
    interface::instance::{
        Instance,
        training_data::{Backup, End, Layers, Narrow, PathEnds, States, Step},
    },
    solve::{
        erased::ErasedInstance,
        net::{OfActions, OfPairs, acting},
    },
};
use std::{any::Any, sync::Arc};
use unriddle_core::{BatchHeuristic, Budget, Learnable, Rng, Row, Search, run};
use unriddle_neural::{Head, Net};
use unriddle_search::{
    beam::{Beam, BeamConfig},
    greedy::{Greedy, GreedyConfig},
    pairwise::Pairwise,
    qbeam::QBeam,
};

/// Width of the beam that measures a policy, which estimates no states.
const POLICY_WIDTH: usize = 10;

/// Whether a search finds a solution.
fn is_solved<S: Search>(search: &mut S, budget: &Budget) -> bool {
    run(search, budget, &mut ()).is_ok_and(|outcome| outcome.best().is_some())
}

/// An instance, and its goals, from which walks begin.
pub(super) struct WithGoals<P: Learnable> {
    pub(super) puzzle: P,
    pub(super) goals: Vec<P::State>,
}

/// Estimates of states by a network: its value, or the least value of the state's legal actions.
fn estimator<P: Learnable>(net: &Net) -> Box<dyn BatchHeuristic<P> + '_> {
    let head = net.engine().head();
    if head.has_value() || !head.is_cost() {
        Box::new(net.share())
    } else {
        Box::new(acting(net.share()))
    }
}

/// A list of states of a few instances.
pub(super) struct StateList<P: Learnable> {
    of: Vec<Arc<WithGoals<P>>>,
    rows: Vec<(u32, P::State)>,
}

impl<P: Goal + Learnable> StateList<P> {
    /// An empty list. The instance represents the others where all have the same states.
    pub(super) fn new(of: Arc<WithGoals<P>>) -> Self {
        Self { of: vec![of], rows: Vec::new() }
    }

    /// The list of this puzzle behind the trait object.
    pub(super) fn of(list: &mut dyn States) -> &mut Self {
        list.as_any_mut().downcast_mut().expect("lists of one training are of one puzzle")
    }

    fn read(list: &dyn States) -> &Self {
        list.as_any().downcast_ref().expect("lists of one training are of one puzzle")
    }

    fn instance_of(&mut self, of: &Arc<WithGoals<P>>) -> u32 {
        if P::ONE_SPACE {
            return 0;
        }
        // Most often it is the instance of the previous row.
        let known = self.of.iter().rposition(|known| Arc::ptr_eq(known, of));
        let at = known.unwrap_or_else(|| {
            self.of.push(Arc::clone(of));
            self.of.len() - 1
        });
        at as u32
    }

    pub(super) fn add(&mut self, of: &Arc<WithGoals<P>>, state: P::State) {
        let at = self.instance_of(of);
        self.rows.push((at, state));
    }

    /// Adds states of the instance of a row of another list.
    fn extend(&mut self, from: &Self, row: usize, states: impl IntoIterator<Item = P::State>) {
        let at = self.instance_of(from.at(row).0);
        self.rows.extend(states.into_iter().map(|state| (at, state)));
    }

    fn at(&self, row: usize) -> (&Arc<WithGoals<P>>, &P::State) {
        let (of, state) = &self.rows[row];
        (&self.of[*of as usize], state)
    }

    fn row(&self, row: usize) -> (&P, &P::State) {
        let (of, state) = self.at(row);
        (&of.puzzle, state)
    }

    /// Adds the ends of the paths that continue `path`, which leads to `state`.
    fn add_ends(puzzle: &P, state: &P::State, path: &PathPart, ends: &mut PathEnds) {
        let PathPart { row, first, cost, actions } = *path;
        let end = |action| End { row, action, cost };
        if puzzle.is_goal(state) {
            ends.goals.push(end(first.unwrap_or_default()));
            return;
        }
        if let (0, Some(first)) = (actions, first) {
            puzzle.active(state, &mut |index| ends.active.push(index));
            ends.open.push(end(first));
            if let Some(is_odd) = puzzle.parity() {
                ends.odd.push(is_odd(state));
            }
            if ends.wants_legal {
                add_legal(puzzle, state, &mut ends.legal);
            }
            return;
        }
        for action in puzzle.actions(state) {
            let child = puzzle.apply(state, action);
            let number = || puzzle.action_number(action) as u16;
            let next = PathPart {
                row,
                first: Some(first.unwrap_or_else(number)),
                cost: cost + puzzle.action_cost(state, action) as f32,
                actions: actions.saturating_sub(1),
            };
            Self::add_ends(puzzle, &child, &next, ends);
        }
    }
}

/// The beginning of a path from a row.
struct PathPart {
    row: u32,
    /// The number of the path's first action, if it has begun.
    first: Option<u16>,
    cost: f32,
    /// Number of actions to the path's end.
    actions: u32,
}

/// Adds the numbers of the legal actions of a state, and their count.
fn add_legal<P: Learnable>(puzzle: &P, state: &P::State, (all, counts): &mut (Vec<u16>, Vec<u16>)) {
    let before = all.len();
    let actions = puzzle.actions(state);
    all.extend(actions.map(|action| puzzle.action_number(action) as u16));
    counts.push((all.len() - before) as u16);
}

impl<P: Goal + Learnable> States for StateList<P> {
    fn len(&self) -> usize {
        self.rows.len()
    }
    fn truncate(&mut self, rows: usize) {
        self.rows.truncate(rows);
    }
    fn fresh(&self) -> Box<dyn States> {
        Box::new(Self::new(Arc::clone(&self.of[0])))
    }
    fn push(&mut self, of: &dyn States, row: usize) {
        let (of, state) = Self::read(of).at(row);
        self.add(of, *state);
    }
    fn replace(&mut self, place: usize, of: &dyn States, row: usize) {
        let (of, state) = Self::read(of).at(row);
        let at = self.instance_of(of);
        self.rows[place] = (at, *state);
    }
    fn is_same(&self, row: usize, of: &dyn States, other: usize) -> bool {
        let ((one, state), (two, other)) = (self.at(row), Self::read(of).at(other));
        state == other && (P::ONE_SPACE || Arc::ptr_eq(one, two))
    }

    fn is_goal(&self, row: usize) -> bool {
        let (puzzle, state) = self.row(row);
        puzzle.is_goal(state)
    }
    fn is_odd(&self, row: usize) -> Option<bool> {
        let (puzzle, state) = self.row(row);
        puzzle.parity().map(|is_odd| is_odd(state))
    }
    fn active(&self, row: usize, sink: &mut Vec<u32>) {
        let (puzzle, state) = self.row(row);
        puzzle.active(state, &mut |index| sink.push(index));
    }
    fn ends(&self, row: usize, actions: u32, ends: &mut PathEnds) {
        let (puzzle, state) = self.row(row);
        let path = PathPart { row: row as u32, first: None, cost: 0.0, actions };
        Self::add_ends(puzzle, state, &path, ends);
    }
    fn legal(&self, row: usize, legal: &mut (Vec<u16>, Vec<u16>)) {
        let (puzzle, state) = self.row(row);
        add_legal(puzzle, state, legal);
    }
    fn successors(&self, row: usize, into: &mut dyn States, steps: &mut Vec<Step>) {
        let (puzzle, state) = self.row(row);
        let actions = puzzle.actions(state);
        steps.extend(actions.map(|action| Step {
            action: puzzle.action_number(action) as u16,
            cost: puzzle.action_cost(state, action) as f32,
        }));
        let states = actions.map(|action| puzzle.apply(state, action));
        Self::of(into).extend(self, row, states);
    }
    fn along(
        &self,
        row: usize,
        actions: &[u16],
        into: &mut dyn States,
        left: &mut Vec<u32>,
    ) -> bool {
        let (puzzle, start) = self.row(row);
        let (mut states, mut costs) = (vec![*start], vec![0]);
        for &number in actions {
            let (state, cost) = (states[states.len() - 1], costs[costs.len() - 1]);
            let mut legal = puzzle.actions(&state);
            let action = legal.find(|&action| puzzle.action_number(action) == usize::from(number));
            let Some(action) = action else {
                return false;
            };
            states.push(puzzle.apply(&state, action));
            costs.push(cost + puzzle.action_cost(&state, action));
        }
        let all = costs[costs.len() - 1];
        left.extend(costs.iter().map(|cost| all - cost));
        Self::of(into).extend(self, row, states);
        true
    }

    fn instance(&self, row: usize) -> Box<dyn Instance> {
        let (puzzle, state) = self.row(row);
        ErasedInstance::<P, Costs>::new(puzzle.begun_at(*state)).boxed()
    }
    fn numbers(&self, row: usize, solution: &str) -> Result<Vec<u16>, String> {
        let (puzzle, state) = self.row(row);
        let puzzle = puzzle.begun_at(*state);
        let actions = puzzle.parse_solution(solution);
        let actions = actions.map_err(|error| error.to_string())?;
        let number = |&action: &P::Action| puzzle.action_number(action) as u16;
        Ok(actions.iter().map(number).collect())
    }

    fn beam(&self, row: usize, net: &Net, beam: Narrow) -> Option<Vec<u16>> {
        let (puzzle, state) = self.row(row);
        let puzzle = puzzle.begun_at(*state);
        let config =
            BeamConfig { width: beam.width, max_depth: beam.depth, ..BeamConfig::default() };
        let h = estimator(net);
        let mut beam = Beam::new(&puzzle, &*h, config).ok()?;
        let outcome = run(&mut beam, &Budget::default(), &mut ()).ok()?;
        let number = |&action: &P::Action| puzzle.action_number(action) as u16;
        outcome.best().map(|best| best.actions.iter().map(number).collect())
    }
    fn is_solved(&self, row: usize, net: &Net, expansions: u64) -> bool {
        let (puzzle, state) = self.row(row);
        let puzzle = puzzle.begun_at(*state);
        let budget = Budget { expansions: Some(expansions), ..Budget::default() };
        if net.engine().head() == Head::Pair {
            let pairs = OfPairs::new(net.share(), puzzle.clone());
            let search = Pairwise::new(&puzzle, &pairs);
            return search.is_ok_and(|mut search| is_solved(&mut search, &budget));
        }
        if !net.engine().head().is_cost() {
            let values = OfActions(acting::<P>(net.share()));
            let config = BeamConfig { width: POLICY_WIDTH, ..BeamConfig::default() };
            let search = QBeam::new(&puzzle, &values, config);
            return search.is_ok_and(|mut search| is_solved(&mut search, &budget));
        }
        let h = estimator(net);
        let search = Greedy::new(&puzzle, &*h, GreedyConfig::default());
        search.is_ok_and(|mut search| is_solved(&mut search, &budget))
    }
    fn evaluated(&self, row: usize, net: &Net, beam: Narrow, every: usize, into: &mut dyn States) {
        let (puzzle, state) = self.row(row);
        let states = evaluated(&puzzle.begun_at(*state), &*estimator(net), beam, every);
        Self::of(into).extend(self, row, states);
    }
    fn greedy_walk(&self, row: usize, net: &Net, steps: u64, into: &mut dyn States) {
        let (puzzle, start) = self.row(row);
        let h = estimator::<P>(net);
        let (mut state, mut walked) = (*start, vec![*start]);
        while (walked.len() as u64) < steps && !puzzle.is_goal(&state) {
            let actions: Vec<P::Action> = puzzle.actions(&state).collect();
            let children: Vec<P::State> =
                actions.iter().map(|&a| puzzle.apply(&state, a)).collect();
            let rows: Vec<_> = children.iter().map(|state| Row { puzzle, state }).collect();
            let mut left = vec![0.0; rows.len()];
            h.evaluate(&rows, &mut left);
            for ((left, child), &action) in left.iter_mut().zip(&children).zip(&actions) {
                *left = if puzzle.is_goal(child) { 0.0 } else { *left };
                *left += puzzle.action_cost(&state, action) as f32;
            }
            // The first of several equally near successors.
            let least = left.iter().copied().fold(f32::INFINITY, f32::min);
            let Some(next) = left.iter().position(|&left| left <= least) else {
                break;
            };
            state = children[next];
            walked.push(state);
        }
        Self::of(into).extend(self, row, walked);
    }
    fn backed_up(
        &self,
        row: usize,
        net: &Net,
        backup: Backup,
        into: &mut dyn States,
        targets: &mut Vec<f32>,
    ) {
        let (puzzle, state) = self.row(row);
        let (states, values) = backed_up(puzzle, *state, &*estimator(net), backup);
        targets.extend(values);
        Self::of(into).extend(self, row, states);
    }

    fn backed_up_layers(
        &self,
        row: usize,
        net: &Net,
        layers: Layers,
        rng: &mut Rng,
        into: &mut dyn States,
        targets: &mut Vec<f32>,
    ) {
        let (puzzle, state) = self.row(row);
        let (states, values) = backed_up_layers(puzzle, *state, &*estimator(net), layers, rng);
        targets.extend(values);
        Self::of(into).extend(self, row, states);
    }

    fn cuts(&self, row: usize, net: &Net, beam: Narrow) -> Vec<f32> {
        let (puzzle, state) = self.row(row);
        cuts(puzzle, *state, &*estimator(net), beam)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
