//! The lab with our puzzles. What needs none of them is tested in the lab's own crate.

mod claims;
mod evolve;
mod experiments;
mod keys;
mod papers;
mod report;
mod scores;
mod tune;
mod worker;
