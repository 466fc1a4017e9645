//! Starts that people write: a state, or moves from the goal.

use super::sequence;
use crate::{
    definition::{Array, Definition, identity, inverse, order, product},
    document,
};
use unriddle_core::ParseError;

/// The start that a text describes: the labels of a state, or moves from the goal.
///
/// # Errors
/// A text that is neither: of a state if it has as many labels as there are positions, otherwise of
/// the moves.
pub fn start(definition: &Definition, text: &str) -> Result<Vec<u8>, ParseError> {
    let positions = definition.goal.len();
    let is_name = |name: &str| definition.moves.iter().any(|step| step.name == name);
    match document::state(definition, text) {
        Ok(state) => Ok(state),
        Err(wrong) => match sequence::parse(text, &is_name) {
            Ok(steps) => Ok(after(definition, &steps)),
            // A text of labels with a mistake among them.
            Err(_) if document::labels_of(text, positions).len() == positions => {
                Err(wrong.within(text))
            }
            Err(error) => {
                let message = format!("{}, or {}", error.message, wrong.why);
                Err(ParseError { message, ..error })
            }
        },
    }
}

/// The state after steps from the goal.
fn after(definition: &Definition, steps: &[sequence::Step]) -> Vec<u8> {
    let mut array = identity(definition.goal.len());
    for step in steps {
        let named = definition.moves.iter().find(|known| known.name == step.name);
        if let Some(named) = named {
            array = product(&array, &power(&named.array, step.exponent));
        }
    }
    array.iter().map(|&from| definition.goal[usize::from(from)]).collect()
}

/// A power of a permutation.
fn power(array: &[u16], exponent: i32) -> Array {
    let base = if exponent < 0 { inverse(array) } else { array.to_vec() };
    let times = u64::from(exponent.unsigned_abs()) % order(array);
    (0..times).fold(identity(array.len()), |power, _| product(&power, &base))
}
