//! The example of a user-defined score puzzle is held to the suites: its tests are a module of its
//! own, which `cargo test` leaves out of examples, because other tests run the example as a
//! program.

#[allow(dead_code)]
#[path = "../examples/own_game.rs"]
mod own_game;
