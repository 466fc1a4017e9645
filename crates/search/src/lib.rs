//! Searches of `unriddle`, one file each, generic over the puzzle.

pub mod idastar;
