//! Tests of the crate, in one program: each program compiles the code that it uses anew.

mod checkpoint;
mod cma_es;
mod coevolution;
mod cross_entropy;
mod ga;
