//! Instruction counts under Callgrind, which do not depend on the machine's load:
//! `cargo bench -p unriddle --bench instructions` (needs valgrind and `cargo install
//! gungraun-runner` of the same version).
#![allow(missing_docs, unreachable_pub)]

mod common;

use common::{board, cache, idastar};
use gungraun::{library_benchmark, library_benchmark_group, main};
use std::hint::black_box;
use unriddle_tiles::{Board4, LinearConflict, Manhattan, Partition, Pdb, Tiles};

const EXPANSIONS: u64 = 100_000;

#[library_benchmark]
#[bench::manhattan(board(1), Manhattan::new(&board(1)))]
fn idastar_manhattan(puzzle: Tiles<Board4>, heuristic: Manhattan<Board4>) -> u64 {
    idastar(black_box(&puzzle), &heuristic, EXPANSIONS)
}

#[library_benchmark]
#[bench::linear_conflict(board(1), LinearConflict::new(&board(1)))]
fn idastar_linear_conflict(puzzle: Tiles<Board4>, heuristic: LinearConflict<Board4>) -> u64 {
    idastar(black_box(&puzzle), &heuristic, EXPANSIONS)
}

fn small_tables() -> Option<Pdb<Board4, 4>> {
    let partition = Partition::parse(4, "1.2.3.4/5.6.7.8/9.10.11.12/13.14.15").ok()?;
    Pdb::new(&board(1), &partition, true, &cache()).ok()
}

#[library_benchmark]
#[bench::small_tables(board(1), small_tables())]
fn idastar_pdb(puzzle: Tiles<Board4>, heuristic: Option<Pdb<Board4, 4>>) -> u64 {
    heuristic.map_or(0, |heuristic| idastar(black_box(&puzzle), &heuristic, EXPANSIONS))
}

library_benchmark_group!(name = depth_first; benchmarks = idastar_manhattan, idastar_linear_conflict, idastar_pdb);
main!(library_benchmark_groups = depth_first);
