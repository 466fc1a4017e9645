//! Network inputs of a level.

/// The cells whose contents are the input of a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Input {
    /// All cells of the level's rectangle.
    #[default]
    Cells,
    /// The cells that are not at the edge of the rectangle; nothing can move at the edge.
    Inside,
}
