//! Comparison of a puzzle's rules with a second implementation, by texts: legal actions, their
//! successors, ends of games, and values of solutions.
//!
//! [`Checker`] is the independent checker of this workspace. For a puzzle that it does not know,
//! [`Rules`] may be a naive implementation in a test.

use crate::{
    Subject, Violation,
    near::near,
    rules::cost_of,
    subject::{any_action, hold},
};
use std::{collections::BTreeSet, fmt::Display};
use unriddle_core::{GoalPuzzle, Notation, Puzzle, Rng, ScorePuzzle};

/// A second implementation of a puzzle's rules. States and solutions are texts. The text of a state
/// is also an instance that starts there.
///
/// ```
/// use unriddle_conformance::second::Rules;
///
/// /// Down the stairs to 0 by one or two at a time, in texts.
/// struct Stairs;
///
/// fn number(text: &str) -> Result<i64, String> {
///     text.parse().map_err(|_| format!("expected a number, found `{text}`"))
/// }
///
/// impl Rules for Stairs {
///     fn actions(&self, stair: &str) -> Result<Vec<String>, String> {
///         let most = number(stair)?.min(2);
///         Ok((1..=most).map(|steps| steps.to_string()).collect())
///     }
///     fn apply(&self, stair: &str, steps: &str) -> Result<String, String> {
///         Ok((number(stair)? - number(steps)?).to_string())
///     }
///     fn is_end(&self, stair: &str) -> Result<bool, String> {
///         Ok(number(stair)? == 0)
///     }
///     fn verify(&self, stair: &str, solution: &str) -> Result<(i64, u64), String> {
///         let steps: Result<Vec<i64>, _> = solution.split_whitespace().map(number).collect();
///         let steps = steps?;
///         if steps.iter().sum::<i64>() == number(stair)? {
///             return Ok((steps.len() as i64, steps.len() as u64));
///         }
///         Err("the goal is not reached".to_owned())
///     }
/// }
///
/// assert_eq!(Stairs.actions("1"), Ok(vec!["1".to_owned()]));
/// assert_eq!(Stairs.verify("5", "2 1 2"), Ok((3, 3)));
/// ```
pub trait Rules {
    /// The legal actions of a state, each as the text of a solution of one action.
    ///
    /// # Errors
    /// The text is invalid.
    fn actions(&self, state: &str) -> Result<Vec<String>, String>;

    /// The state that an action leads to.
    ///
    /// # Errors
    /// A text cannot be read, or the action is illegal.
    fn apply(&self, state: &str, action: &str) -> Result<String, String>;

    /// Whether a state is a goal, or a game is over there.
    ///
    /// # Errors
    /// The text cannot be read.
    fn is_end(&self, state: &str) -> Result<bool, String>;

    /// The value of a solution and its number of actions.
    ///
    /// # Errors
    /// A text is invalid, or the solution is wrong.
    fn verify(&self, state: &str, solution: &str) -> Result<(i64, u64), String>;

    /// The one goal of the puzzle that a state belongs to; `None` where there are many.
    ///
    /// # Errors
    /// The text cannot be read.
    fn goal(&self, state: &str) -> Result<Option<String>, String> {
        let _ = state;
        Ok(None)
    }
}

/// The rules of the independent checker for the puzzle of a spec.
#[derive(Clone, Copy, Debug)]
pub struct Checker<'s>(pub &'s str);

/// An error as text.
fn text<T>(result: Result<T, impl Display>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

impl Rules for Checker<'_> {
    fn actions(&self, state: &str) -> Result<Vec<String>, String> {
        text(unriddle_check::legal_actions(self.0, state))
    }
    fn apply(&self, state: &str, action: &str) -> Result<String, String> {
        text(unriddle_check::apply(self.0, state, action))
    }
    fn is_end(&self, state: &str) -> Result<bool, String> {
        text(unriddle_check::is_goal(self.0, state))
    }
    fn verify(&self, state: &str, solution: &str) -> Result<(i64, u64), String> {
        let verdict = text(unriddle_check::verify(self.0, state, solution))?;
        Ok((verdict.value, verdict.length))
    }
    fn goal(&self, state: &str) -> Result<Option<String>, String> {
        text(unriddle_check::goal(self.0, state))
    }
}

/// A puzzle that is read from its texts, and its second implementation.
pub struct Both<'r, F> {
    /// Reads an instance.
    pub read: F,
    /// The second implementation.
    pub rules: &'r dyn Rules,
}

impl<P: Puzzle + Notation, E: Display, F: Fn(&str) -> Result<P, E>> Both<'_, F> {
    fn read(&self, state: &str) -> Result<P, Violation> {
        (self.read)(state).map_err(|error| {
            let found = Violation::new("a text that was written is refused");
            found.with("text", state).with("error", error)
        })
    }

    /// Checks that both implementations have the same actions at every step of a random walk, and
    /// that these lead to the same texts.
    ///
    /// # Errors
    /// The first difference.
    pub fn agree(&self, instance: &str) -> Result<(), Violation> {
        self.agree_on(instance, |_, _| None)
    }

    /// The same, and both know the same goals.
    ///
    /// # Errors
    /// The first difference.
    pub fn agree_on_goals(&self, instance: &str) -> Result<(), Violation>
    where
        P: GoalPuzzle,
    {
        self.agree_on(instance, |puzzle: &P, state| Some(puzzle.is_goal(state)))
    }

    /// The same, and both know the same ends of a game.
    ///
    /// # Errors
    /// The first difference.
    pub fn agree_on_ends(&self, instance: &str) -> Result<(), Violation>
    where
        P: ScorePuzzle,
    {
        self.agree_on(instance, |puzzle: &P, state| Some(puzzle.is_terminal(state)))
    }

    fn agree_on(
        &self,
        instance: &str,
        is_end: impl Fn(&P, &P::State) -> Option<bool>,
    ) -> Result<(), Violation> {
        let start = self.read(instance)?;
        let subject = Subject::written(&start).named(instance);
        for state in subject.states() {
            let written = start.state_text(&state);
            // The texts of actions are solutions that begin in this state.
            let here = self.read(&written)?;
            let first = here.initial_state();
            let differ = |what: &str| subject.broken(what).with("state", &written);
            let refused = |error: String| {
                differ("the second implementation refuses a state").with("error", error)
            };
            let texts = here.actions(&first).map(|a| here.solution_text(&[a]));
            let ours: BTreeSet<String> = texts.collect();
            let theirs = self.rules.actions(&written).map_err(refused)?;
            let theirs: BTreeSet<String> = theirs.into_iter().collect();
            hold(ours == theirs, || {
                let list = |from: &BTreeSet<String>, other| {
                    let only: Vec<_> = from.difference(other).map(String::as_str).collect();
                    only.join(" | ")
                };
                differ("the implementations know different actions")
                    .with("only the puzzle", list(&ours, &theirs))
                    .with("only the second", list(&theirs, &ours))
            })?;
            if let Some(ours) = is_end(&here, &first) {
                let theirs = self.rules.is_end(&written).map_err(refused)?;
                hold(ours == theirs, || {
                    let found = differ("the implementations differ in whether it is an end");
                    found.with("the puzzle", ours).with("the second", theirs)
                })?;
            }
            for action in here.actions(&first) {
                let child = here.state_text(&here.apply(&first, action));
                let action = here.solution_text(&[action]);
                let theirs = self.rules.apply(&written, &action).map_err(refused)?;
                hold(child == theirs, || {
                    let found = differ("an action leads to different states");
                    let found = found.with("action", &action);
                    found.with("the puzzle", &child).with("the second", &theirs)
                })?;
            }
        }
        Ok(())
    }

    /// Checks shortest solutions of states near the goal, or near the instance if a puzzle has no
    /// predecessors. The second implementation returns the same cost and number of actions. At a
    /// goal, the empty solution is right. Returns the number of compared solutions with at least
    /// one action.
    ///
    /// # Errors
    /// The first solution that is worth something else.
    pub fn agree_on_solutions(&self, instance: &str) -> Result<u64, Violation>
    where
        P: GoalPuzzle,
    {
        let refused = |error: String| {
            let found = Violation::new("the second implementation refuses an instance");
            found.with("instance", instance).with("error", error)
        };
        let mut starts = vec![instance.to_owned()];
        if let Some(goal) = self.rules.goal(instance).map_err(refused)? {
            self.worth(&goal, &[], 0)?;
            let at_goal = self.read(&goal)?;
            let mut rng = Rng::new(6);
            for steps in [1, 6, 12] {
                let mut state = at_goal.initial_state();
                for _ in 0..steps {
                    if let Some(action) = any_action(&at_goal, &state, &mut rng) {
                        state = at_goal.apply(&state, action);
                    }
                }
                starts.push(at_goal.state_text(&state));
            }
        }
        let mut compared = 0;
        for start in &starts {
            let puzzle = self.read(start)?;
            let near = near(&Subject::written(&puzzle));
            let mut state = puzzle.initial_state();
            let Some(&cost) = near.costs.get(&state) else {
                continue;
            };
            let mut actions = Vec::new();
            while !puzzle.is_goal(&state) {
                // An action that is on a shortest path; steps that cost nothing are left to others.
                let left = near.costs[&state];
                let next = puzzle.actions(&state).find(|&action| {
                    let rest = near.costs.get(&puzzle.apply(&state, action));
                    let paid = cost_of(&puzzle, &state, action);
                    paid > 0 && rest.is_some_and(|rest| rest + paid == left)
                });
                let Some(next) = next else {
                    break;
                };
                state = puzzle.apply(&state, next);
                actions.push(next);
            }
            if puzzle.is_goal(&state) {
                self.worth(start, &actions, cost as i64)?;
                compared += u64::from(!actions.is_empty());
            }
        }
        Ok(compared)
    }

    /// Random games: the second implementation counts the same points.
    ///
    /// # Errors
    /// The first game that is worth something else.
    pub fn agree_on_scores(&self, instance: &str) -> Result<(), Violation>
    where
        P: ScorePuzzle,
    {
        let puzzle = self.read(instance)?;
        for walk in Subject::written(&puzzle).named(instance).steps(usize::MAX).walked() {
            let edges = walk.states.iter().zip(&walk.actions);
            let earned = edges.map(|(state, &action)| puzzle.reward(state, action));
            let earned: i64 = earned.sum();
            let score = earned + puzzle.terminal_bonus(&walk.states[walk.states.len() - 1]);
            self.worth(instance, &walk.actions, score)?;
        }
        Ok(())
    }

    fn worth(&self, instance: &str, actions: &[P::Action], value: i64) -> Result<(), Violation> {
        let puzzle = self.read(instance)?;
        let solution = puzzle.solution_text(actions);
        let ours = (value, actions.len() as u64);
        let theirs = self.rules.verify(instance, &solution);
        hold(theirs.as_ref() == Ok(&ours), || {
            Violation::new("a solution is worth something else to the second implementation")
                .with("instance", instance)
                .with("solution", solution)
                .with_debug("the puzzle (value, length)", ours)
                .with_debug("the second", &theirs)
        })
    }
}
