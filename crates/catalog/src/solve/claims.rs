//! States of path puzzles behind numbers, for tests of the claims of heuristics and bounds.

use super::heuristic::Maker;
use crate::{
    declare::{
        goal::Goal,
        listed::{Costs, Kind, Presentation, Scores},
        score::Scored,
    },
    interface::{
        claims::{Claim, Claims},
        values::{Request, SolveError},
    },
};
use rustc_hash::FxHashMap;
use std::{
    cell::RefCell,
    marker::PhantomData,
    sync::{Arc, Mutex, PoisonError},
};
use unriddle_core::{BatchHeuristic, Guarantee, Row, UpperBound};

/// Aim of path puzzles: [`Costs`] or [`Scores`]. The compiler needs this trait to see that the two
/// implementations of [`Instance`](crate::Instance) do not overlap.
pub(crate) trait Path: Kind {}

impl Path for Costs {}
impl Path for Scores {}

/// The part of a puzzle's claims that depends on its aim.
pub(crate) trait Aimed<P: Presentation>: Path {
    fn worth(puzzle: &P, state: &P::State, action: P::Action) -> i64;
    fn is_end(puzzle: &P, state: &P::State) -> bool;
    fn bonus(puzzle: &P, state: &P::State) -> i64;
    fn estimates(puzzle: &P, request: &Request<'_>) -> Result<Estimates<P>, SolveError>;
}

/// Estimates of states, with their guarantee.
pub(crate) struct Estimates<P: Presentation> {
    guarantee: Guarantee,
    of: Of<P>,
}

/// Function of an estimate.
type Of<P> = Box<dyn Fn(&P, &<P as unriddle_core::Puzzle>::State) -> f64 + Send + Sync>;

impl<P: Presentation> Estimates<P> {
    pub(super) fn of_heuristic(puzzle: &P, request: &Request<'_>) -> Result<Self, SolveError>
    where
        P: Goal,
    {
        let networks = RefCell::default();
        let make = Maker { puzzle, request, networks: &networks };
        let heuristic: Box<dyn BatchHeuristic<P>> = make.heuristic(request.solver)?.into_batch();
        let guarantee = heuristic.guarantee();
        let of = move |puzzle: &P, state: &P::State| {
            let mut out = [f32::NAN];
            heuristic.evaluate(&[Row { puzzle, state }], &mut out);
            f64::from(out[0])
        };
        Ok(Self { guarantee, of: Box::new(of) })
    }

    pub(super) fn of_bound(bound: Box<dyn UpperBound<P>>) -> Self
    where
        P: Scored,
    {
        let of = move |puzzle: &P, state: &P::State| bound.upper(puzzle, state) as f64;
        Self { guarantee: Guarantee::Consistent, of: Box::new(of) }
    }
}

/// States that were reached, and their numbers.
struct Reached<S> {
    states: Vec<S>,
    numbers: FxHashMap<S, u32>,
}

/// States of a puzzle behind numbers.
struct Numbered<P: Presentation, A> {
    puzzle: P,
    reached: Mutex<Reached<P::State>>,
    aim: PhantomData<A>,
}

impl<P: Presentation, A> Numbered<P, A> {
    fn state(&self, number: u32) -> P::State {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner).states[number as usize]
    }

    fn number(&self, state: P::State) -> u32 {
        let mut reached = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
        let Reached { states, numbers } = &mut *reached;
        *numbers.entry(state).or_insert_with(|| {
            states.push(state);
            states.len() as u32 - 1
        })
    }

    fn action(&self, state: &P::State, index: u16) -> P::Action {
        let mut actions = self.puzzle.actions(state);
        actions.nth(usize::from(index)).expect("the index of an action is below their number")
    }
}

/// The claims of a puzzle.
pub(super) fn claims<P: Presentation, A: Aimed<P>>(puzzle: P) -> Arc<dyn Claims> {
    let reached = Reached { states: Vec::new(), numbers: FxHashMap::default() };
    let all = Numbered { puzzle, reached: Mutex::new(reached), aim: PhantomData::<A> };
    all.number(all.puzzle.initial_state());
    Arc::new(all)
}

impl<P: Presentation, A: Aimed<P>> Claims for Numbered<P, A> {
    fn actions(&self, state: u32) -> u16 {
        let count = self.puzzle.actions(&self.state(state)).count();
        u16::try_from(count).unwrap_or(u16::MAX)
    }

    fn apply(&self, state: u32, action: u16) -> u32 {
        let state = self.state(state);
        self.number(self.puzzle.apply(&state, self.action(&state, action)))
    }

    fn worth(&self, state: u32, action: u16) -> i64 {
        let state = self.state(state);
        A::worth(&self.puzzle, &state, self.action(&state, action))
    }

    fn is_end(&self, state: u32) -> bool {
        A::is_end(&self.puzzle, &self.state(state))
    }

    fn bonus(&self, state: u32) -> i64 {
        A::bonus(&self.puzzle, &self.state(state))
    }

    fn text(&self, state: u32) -> String {
        self.puzzle.state_text(&self.state(state))
    }

    fn along(&self, solution: &str) -> Vec<u32> {
        let Ok(actions) = self.puzzle.parse_solution(solution) else { return Vec::new() };
        let mut state = self.puzzle.initial_state();
        let mut numbers = vec![0];
        for action in actions {
            state = self.puzzle.apply(&state, action);
            numbers.push(self.number(state));
        }
        numbers
    }

    fn claim(self: Arc<Self>, request: &Request<'_>) -> Result<Box<dyn Claim>, SolveError> {
        let estimates = A::estimates(&self.puzzle, request)?;
        Ok(Box::new(Estimated { of: self, estimates }))
    }
}

/// Estimates of numbered states.
struct Estimated<P: Presentation, A> {
    of: Arc<Numbered<P, A>>,
    estimates: Estimates<P>,
}

impl<P: Presentation, A: Aimed<P>> Claim for Estimated<P, A> {
    fn guarantee(&self) -> Guarantee {
        self.estimates.guarantee
    }

    fn estimate(&self, state: u32) -> f64 {
        (self.estimates.of)(&self.of.puzzle, &self.of.state(state))
    }
}
