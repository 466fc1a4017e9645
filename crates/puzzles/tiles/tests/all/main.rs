//! Tests of the crate, in one program: each program compiles the code that it uses anew.

mod conformance;
mod forms;
mod heuristics;
mod limits;
mod optimal;
mod sliding;
