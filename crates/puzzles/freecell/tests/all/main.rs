//! Tests of the crate, in one program: each program compiles the code that it uses anew.

mod conformance;
mod freecell_fast;
mod freecell_optimal;
mod freecell_short;
mod freecell_staged;
