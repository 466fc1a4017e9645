//! Players of SameGame.

pub mod anneal;
pub mod best;
