//! Tests of the crate, in one program: each program compiles the code that it uses anew.

mod conformance;
mod exact;
mod fess;
mod forms;
mod verdicts;
