//! Tests of the crate, in one program: each program compiles the code that it uses anew.

mod common;
mod evolve;
mod training;
mod tune;
