//! The engine for WebAssembly: JSON in, records out, one step at a time.
//!
//! A module without threads, clock and files runs the same searches as the program. Its host calls
//! it with a request as JSON and gets an answer as JSON; a solve is a job that the host advances in
//! [steps](engine::Engine), so that it can stop, watch and interrupt it. The same states are
//! expanded in the same order as by the program.
//!
//! This command builds the module for browsers:
//!
//! ```text
//! cargo rustc --release --target wasm32-unknown-unknown -p unriddle-web --crate-type cdylib
//! ```
//!
//! Its exports are the functions of `ffi`; its only import is `host.now`, the time in milliseconds.

pub mod engine;
pub mod kept;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub mod ffi;
