//! The example of a puzzle of one's own is held to the suites: its tests are a module of its own,
//! which `cargo test` leaves out of examples, because other tests run the example as a program.

#[allow(dead_code)]
#[path = "../../../template/src/main.rs"]
mod own_puzzle;
