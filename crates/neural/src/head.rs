//! What the outputs of a network mean.
//!
//! A network without a head has one output, the cost-to-go of the state. With a head it says something of
//! every action, too. Actions are numbered by the puzzle, from 0, the same for all states; which of them are
//! legal in a state the network does not know.

use serde::{Deserialize, Serialize};

/// What the outputs of a network mean.
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
    /// One output, the cost-to-go of the state.
    #[default]
    Value,
    /// An output for each of this number of actions: the cost of the action, and the cost-to-go of the state
    /// that it leads to (Q values). The least one over the legal actions is the cost-to-go of a state that is
    /// no goal.
    Actions(usize),
    /// A logit for each of this number of actions: the softmax over the legal ones is the probability of each
    /// of them.
    Policy(usize),
    /// Output 0 is that of [`Value`](Self::Value), and the others are those of [`Actions`](Self::Actions).
    ValueAndActions(usize),
    /// Which of two states is nearer to the goal: a logit for each. A row holds the active indices of both; those
    /// of the second one begin at half of the input.
    Pair,
}

impl Head {
    /// How many outputs there are.
    #[must_use]
    pub fn outputs(self) -> usize {
        match self {
            Self::Value => 1,
            Self::Actions(actions) | Self::Policy(actions) => actions,
            Self::ValueAndActions(actions) => actions.saturating_add(1),
            Self::Pair => 2,
        }
    }

    /// How many actions have an output; 0 if none have.
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
