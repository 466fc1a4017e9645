//! Network inputs of a state.

/// The representation of a state that is the input of a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Input {
    /// The lights.
    #[default]
    Lights,
    /// The presses that chase the lights to the last row, and the lights that remain there
    /// (`Lights::chased`).
    Chased,
}
