//! Tests of the crate, in one program: each program compiles the code that it uses anew.

#[path = "../common/mod.rs"]
mod common;

mod agreement;
mod automaton;
mod bidirectional;
mod guards;
mod journal;
mod known;
mod layers;
mod levin;
mod nested;
mod options;
mod pairwise;
mod parallel;
mod qbeam;
mod qbwas;
mod resumption;
mod spmcts;
mod spmcts_options;
mod spread;
mod views;
mod widening;
mod windows;
