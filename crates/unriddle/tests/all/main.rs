//! Tests of the crate, in one program: each program compiles the code that it uses anew.

#[path = "../common/mod.rs"]
mod common;

mod assignments;
mod automata;
mod data;
mod declarations;
mod fingerprint;
mod golden;
mod matrix;
mod networks;
mod options;
mod permutation;
mod review;
mod scores;
