//! Tests of the crate, in one program: each program compiles the code that it uses anew.

mod acting;
mod bytes;
mod common;
mod device;
mod file;
mod heuristic;
mod inference;
mod views;
mod widen;
