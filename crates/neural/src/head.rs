//! Meaning of the outputs of a network.
//!
//! A network without a head has one output, the cost-to-go of the state. A head may add an output
//! for every action. The puzzle numbers its actions from 0, in the same way for all states. The
//! network does not know which of them are legal in a state.

use serde::{Deserialize, Serialize};

/// Meaning of the outputs of a network.
///
/// ```
/// use unriddle_neural::Head;
///
/// let head: Head = serde_json::from_str(r#"{"actions":12}"#).unwrap();
/// assert_eq!((head, head.outputs(), head.has_value()), (Head::Actions(12), 12, false));
/// assert_eq!(Head::ValueAndActions(12).outputs(), 13);
/// assert_eq!(serde_json::to_string(&Head::Value).unwrap(), r#""value""#);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Head {
    /// A single output, the cost-to-go of the state.
    #[default]
    Value,
    /// An output for each of this number of actions: the cost of the action plus the cost-to-go of
    /// the state that it leads to (Q values). The least one over the legal actions is the
    /// cost-to-go of a state, unless the state is a goal.
    Actions(usize),
    /// A logit for each of this number of actions. The softmax over the legal actions gives their
    /// probabilities.
    Policy(usize),
    /// Output 0 as in [`Value`](Self::Value), followed by the outputs of
    /// [`Actions`](Self::Actions).
    ValueAndActions(usize),
    /// A logit for each of two states: the nearer one to the goal has the greater logit. A row
    /// holds the active indices of both states; the indices of the second one begin at half of the
    /// input.
    Pair,
}

impl Head {
    /// Number of outputs.
    #[must_use]
    pub fn outputs(self) -> usize {
        match self {
            Self::Value => 1,
            Self::Actions(actions) | Self::Policy(actions) => actions,
            Self::ValueAndActions(actions) => actions.saturating_add(1),
            Self::Pair => 2,
        }
    }

    /// Number of actions that have an output.
    #[must_use]
    pub fn actions(self) -> usize {
        match self {
            Self::Value | Self::Pair => 0,
            Self::Actions(actions) | Self::Policy(actions) | Self::ValueAndActions(actions) => {
                actions
            }
        }
    }

    /// Whether output 0 is the cost-to-go of the state.
    #[must_use]
    pub fn has_value(self) -> bool {
        matches!(self, Self::Value | Self::ValueAndActions(_))
    }

    /// Whether all outputs are costs, so that a linear part may be added to them.
    #[must_use]
    pub fn is_cost(self) -> bool {
        !matches!(self, Self::Policy(_) | Self::Pair)
    }
}
