//! Texts of states and solutions.

use crate::{Subject, Violation, subject::hold};
use std::{collections::HashMap, fmt::Display};
use unriddle_core::{Notation, Puzzle};

/// No solution of any puzzle.
const NONSENSE: &str = "\u{1f9e9} no solution at all \u{0}";

/// Checks that different states have different texts and equal states the same text, that solutions
/// are parsed as the same actions (or as [`as_written`](Notation::as_written) returns), and that
/// nonsense is rejected with line and column.
///
/// # Errors
/// The first text that violates a rule.
pub fn notation<P: Notation>(subject: &Subject<'_, P>) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    let mut texts: HashMap<String, P::State> = HashMap::new();
    let mut states: HashMap<P::State, String> = HashMap::new();
    for walk in subject.walked() {
        for state in &walk.states {
            let text = puzzle.state_text(state);
            let found = |what: &str| subject.broken(what).with("text", &text);
            let other = texts.entry(text.clone()).or_insert(*state);
            hold(other == state, || {
                let found = found("two states have the same text");
                found.with("states", format!("{other:?} and {state:?}"))
            })?;
            let other = states.entry(*state).or_insert_with(|| text.clone());
            hold(*other == text, || {
                found("two equal states have different texts").with("other text", &*other)
            })?;
        }
        for length in 0..=walk.actions.len() {
            let actions = &walk.actions[..length];
            let written = puzzle.solution_text(actions);
            let expected = puzzle.as_written(actions).unwrap_or_else(|| actions.to_vec());
            let read = puzzle.parse_solution(&written);
            hold(read.as_ref() == Ok(&expected), || {
                let what = "a solution is not parsed as the written actions";
                let found = subject.broken(what).with("solution", &written);
                let read = match &read {
                    Ok(read) => format!("{read:?}"),
                    Err(error) => error.to_string(),
                };
                found.with_debug("written", &expected).with("read", read)
            })?;
        }
    }
    match puzzle.parse_solution(NONSENSE) {
        Ok(actions) => {
            Err(subject.broken("nonsense is read as a solution").with_debug("read", &actions))
        }
        Err(error) => hold(error.line > 0 && error.column > 0, || {
            subject.broken("lines and columns of an error count from 1")
        }),
    }
}

/// Checks that the text of every state on a walk is parsed as an instance that starts in this
/// state, with the same text and as many actions.
///
/// States of two instances are not compared, because a state may lean on its instance.
///
/// ```
/// use unriddle_conformance::reading;
/// # use unriddle_core::{Notation, Numbers, ParseError, Puzzle, text};
/// # struct Stairs(u8);
/// # impl Puzzle for Stairs {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Numbers;
/// #     fn initial_state(&self) -> u8 { self.0 }
/// #     fn actions(&self, stair: &u8) -> Numbers { Numbers::new(1, (*stair).min(2)) }
/// #     fn apply(&self, stair: &u8, steps: u8) -> u8 { stair - steps }
/// # }
/// # impl Notation for Stairs {
/// #     fn state_text(&self, stair: &u8) -> String { stair.to_string() }
/// #     fn solution_text(&self, steps: &[u8]) -> String {
/// #         steps.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
/// #     }
/// #     fn parse_solution(&self, text: &str) -> Result<Vec<u8>, ParseError> {
/// #         text::read(text, |word| word.parse().map_err(|_| "expected steps".to_owned()))
/// #     }
/// # }
/// // `Stairs` are written as the number of the stair.
/// reading("9", |text| text.parse().map(Stairs))?;
/// # Ok::<(), unriddle_conformance::Violation>(())
/// ```
///
/// # Errors
/// The first text that is refused or read as something else.
pub fn reading<P: Puzzle + Notation, E: Display>(
    instance: &str,
    read: impl Fn(&str) -> Result<P, E>,
) -> Result<(), Violation> {
    let refused = |text: &str, error: E| {
        Violation::new("a text that was written is refused").with("text", text).with("error", error)
    };
    let start = read(instance).map_err(|error| refused(instance, error))?;
    let subject = Subject::written(&start).named(instance);
    for state in subject.states() {
        let text = start.state_text(&state);
        let again = read(&text).map_err(|error| refused(&text, error))?;
        let first = again.initial_state();
        let written = again.state_text(&first);
        hold(written == text, || {
            let found = subject.at("the text of a state reads as another state", &state);
            found.with("read as", &written)
        })?;
        let (here, there) = (start.actions(&state).count(), again.actions(&first).count());
        hold(here == there, || {
            let found = subject.at("a state that is read back has other actions", &state);
            found.with("actions", format!("{here} and {there}"))
        })?;
    }
    Ok(())
}
