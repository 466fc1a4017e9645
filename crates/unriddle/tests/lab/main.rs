//! Tests of the lab that need puzzles. Tests without puzzles are in the crate of the lab.

mod claims;
mod evolve;
mod experiments;
mod keys;
mod papers;
mod report;
mod scores;
mod tune;
mod worker;
