//! Playing a score puzzle to its end, at random or by a policy.

use crate::{
    puzzle::{Score, ScorePuzzle},
    rng::Rng,
};

/// A way to play a score puzzle from any state to the end.
///
/// The same generator in the same state gives the same game.
pub trait Playout<P: ScorePuzzle>: Send + Sync + 'static {
    /// Plays to a terminal state, appends the actions, and gives what they earn, terminal bonus included.
    fn play(
        &self,
        puzzle: &P,
        state: &P::State,
        rng: &mut Rng,
        actions: &mut Vec<P::Action>,
    ) -> Score;
}

/// Every legal action with the same probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uniform;

impl<P: ScorePuzzle> Playout<P> for Uniform {
    fn play(
        &self,
        puzzle: &P,
        state: &P::State,
        rng: &mut Rng,
        actions: &mut Vec<P::Action>,
    ) -> Score {
        let mut state = *state;
        let mut score = 0;
        loop {
            let count = puzzle.actions(&state).count() as u64;
            let Some(action) = puzzle.actions(&state).nth(rng.below(count) as usize) else {
                return score + puzzle.terminal_bonus(&state);
            };
            score += puzzle.reward(&state, action);
            state = puzzle.apply(&state, action);
            actions.push(action);
        }
    }
}

/// Every action has a code that stands for it wherever it may be played: what a policy learns about
/// (Rosin 2011, Nested rollout policy adaptation for Monte Carlo tree search, IJCAI).
pub trait Coded: ScorePuzzle {
    /// The code of a legal action: equal for what counts as the same action in other states.
    fn code(&self, state: &Self::State, action: Self::Action) -> u64;

    /// What is added to the action's logit whatever was learned (generalised NRPA); 0 unless said
    /// otherwise.
    fn bias(&self, state: &Self::State, action: Self::Action) -> f32 {
        let _ = (state, action);
        0.0
    }

    /// All legal actions in their order, with codes and biases: what a play-out asks of every state.
    fn coded(&self, state: &Self::State, out: &mut Vec<(Self::Action, u64, f32)>) {
        out.clear();
        for action in self.actions(state) {
            out.push((action, self.code(state, action), self.bias(state, action)));
        }
    }
}
