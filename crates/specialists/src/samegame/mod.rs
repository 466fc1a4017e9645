//! Players of SameGame.

pub mod best;
