//! A real server on a free port, and clients that speak HTTP as bytes.

mod brittle;
mod client;
mod clients;
mod data;
mod guard;
mod jobs;
mod page;
mod schema;
