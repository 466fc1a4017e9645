//! Solvers made for one puzzle, where no generic search can match them.
//!
//! Each is a resumable [`Search`](unriddle_core::Search) like the generic ones, so that limits, progress
//! and cancelling work alike.

pub mod freecell;
pub mod lp;
pub mod party;
pub mod qap;
pub mod samegame;
