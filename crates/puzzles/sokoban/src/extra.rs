//! Unequal numbers of boxes and goals.

use unriddle_core::words;

words! {
    /// Pieces of which a level may have more than of the others.
    pub enum Extra {
        /// There are as many boxes as goals.
        None = "none",
        /// More boxes than goals: the end covers every goal.
        Boxes = "boxes",
        /// More goals than boxes: at the end every box is on a goal.
        Goals = "goals",
        /// Either.
        Any = "any",
    }
}

impl Extra {
    /// Whether a level may have these numbers of boxes and goals.
    pub(crate) fn allows(self, boxes: i64, goals: i64) -> bool {
        boxes == goals
            || boxes > goals && goals > 0 && matches!(self, Self::Boxes | Self::Any)
            || boxes < goals && matches!(self, Self::Goals | Self::Any)
    }
}
