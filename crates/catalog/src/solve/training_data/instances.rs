//! Instances of a puzzle as training data.

use super::{
    check::declarations,
    states::{StateList, WithGoals},
};
use crate::{
    declare::goal::Goal,
    interface::instance::training_data::{NO_ACTION, States, TrainingData},
    solve::inputs::seen_by,
};
use std::{any::Any, sync::Arc};
use unriddle_core::{Learnable, Linear, Part, Purpose, Rng, Steps, Walk};
use unriddle_tables::{Cache, TableError};

/// Instances of one purpose; at least one.
pub(crate) struct PuzzleData<P: Learnable> {
    all: Vec<Arc<WithGoals<P>>>,
    /// Indices of the instances with goals, in which walks begin.
    open: Vec<u32>,
}

impl<P: Goal + Learnable> PuzzleData<P> {
    pub(crate) fn new(puzzle: P) -> Self {
        let goals = puzzle.goal_states();
        Self::of(vec![Arc::new(WithGoals { puzzle, goals })])
    }

    fn of(all: Vec<Arc<WithGoals<P>>>) -> Self {
        let has_goals = |&at: &u32| !all[at as usize].goals.is_empty();
        let open = (0..all.len() as u32).filter(has_goals).collect();
        Self { all, open }
    }

    fn first(&self) -> &P {
        &self.all[0].puzzle
    }

    /// A random instance with goals, and one of its goals. No random number is drawn where there is
    /// no choice.
    fn random(&self, rng: &mut Rng) -> Option<(&Arc<WithGoals<P>>, P::State)> {
        let mut below = |count: usize| match count {
            0 | 1 => 0,
            count => rng.below(count as u64) as usize,
        };
        let of = &self.all[*self.open.get(below(self.open.len()))? as usize];
        let goal = of.goals.get(below(of.goals.len()))?;
        Some((of, *goal))
    }
}

impl<P: Goal + Learnable> TrainingData for PuzzleData<P> {
    fn purpose(&self) -> Purpose {
        self.first().purpose()
    }
    fn input_names(&self) -> &'static [&'static str] {
        P::INPUTS
    }
    fn input(&self) -> usize {
        self.first().input()
    }
    fn seen_by(&self, input: usize, cache: &Cache) -> Result<Box<dyn TrainingData>, TableError> {
        let seen = |of: &Arc<WithGoals<P>>| {
            let puzzle = seen_by(&of.puzzle, input, cache)?;
            Ok(Arc::new(WithGoals { puzzle, goals: of.goals.clone() }))
        };
        let all = self.all.iter().map(seen).collect::<Result<_, TableError>>()?;
        Ok(Box::new(Self::of(all)))
    }
    fn begins_with(&self) -> Option<usize> {
        self.first().begins_with()
    }
    fn inputs(&self) -> usize {
        self.first().feature_len()
    }
    fn groups(&self) -> usize {
        self.first().groups()
    }
    fn grid(&self) -> Option<[usize; 2]> {
        self.first().grid()
    }
    fn parts(&self) -> Vec<Vec<Part>> {
        self.first().parts()
    }
    fn actions(&self) -> usize {
        self.first().action_count()
    }
    fn images(&self) -> Vec<Vec<u32>> {
        self.first().images()
    }
    fn depths(&self) -> &'static [u64] {
        self.first().depths()
    }
    fn linear(&self) -> Vec<Linear> {
        self.first().linear()
    }
    fn has_parity(&self) -> bool {
        self.first().parity().is_some()
    }
    fn len(&self) -> usize {
        self.all.len()
    }
    fn without_goals(&self) -> usize {
        self.all.len() - self.open.len()
    }
    fn add(&mut self, others: &dyn TrainingData) -> Result<(), String> {
        let (ours, theirs) = (self.purpose(), others.purpose());
        debug_assert_eq!(self.input(), others.input());
        match others.as_any().downcast_ref::<Self>() {
            Some(others) if ours == theirs => {
                let before = self.all.len() as u32;
                self.all.extend(others.all.iter().cloned());
                self.open.extend(others.open.iter().map(|at| before + at));
                Ok(())
            }
            _ => Err(format!("found {theirs}, beside {ours}")),
        }
    }
    fn check(&self, states: usize) -> Result<(), String> {
        declarations(self.first(), states)
    }
    fn list(&self) -> Box<dyn States> {
        Box::new(StateList::<P>::new(Arc::clone(&self.all[0])))
    }
    fn starts(&self) -> Box<dyn States> {
        let mut list = StateList::new(Arc::clone(&self.all[0]));
        for of in &self.all {
            list.add(of, of.puzzle.initial_state());
        }
        Box::new(list)
    }
    fn goal(&self, rng: &mut Rng, into: &mut dyn States) {
        if let Some((of, goal)) = self.random(rng) {
            StateList::of(into).add(of, goal);
        }
    }
    fn walk(&self, stops: &[u64], steps: Steps, rng: &mut Rng, into: &mut dyn States) -> Vec<u16> {
        let (into, mut actions) = (StateList::of(into), Vec::with_capacity(stops.len()));
        let Some((of, goal)) = self.random(rng) else {
            return actions;
        };
        let (mut walk, mut at) = (Walk::new(&of.puzzle, goal, steps), 0);
        for &stop in stops {
            walk.go(&of.puzzle, stop.saturating_sub(at), rng);
            at = stop;
            into.add(of, walk.state);
            let number = |action| of.puzzle.action_number(action) as u16;
            actions.push(walk.last().map_or(NO_ACTION, number));
        }
        actions
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
