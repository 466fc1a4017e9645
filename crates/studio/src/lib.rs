//! The engine behind the page: requests and answers in JSON, jobs that are advanced step by step.
//!
//! [`api`] answers requests. It has no thread, clock or file, so that the server and the module for
//! browsers answer with the same code. An answer is a function of the request; a job is advanced by
//! its caller and reports [events](api::Event). The module `server` (feature `server`) serves the
//! page and answers its requests.

#![forbid(unsafe_code)]

pub mod api;
#[cfg(feature = "server")]
pub mod server;
