//! Tests of the crate, in one program: each program compiles the code that it uses anew.

mod analysis;
mod conformance;
mod depths;
mod forms;
mod limits;
mod near;
mod successors;
