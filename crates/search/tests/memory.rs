//! Resident memory: the accounted memory of a search is the memory that the process takes.
//!
//! Each search runs in a process of its own, this test binary started again, so that the peaks of
//! different searches are independent.

#![cfg(target_os = "linux")]

mod common;

use common::*;
use std::{env, fs, process::Command, thread};
use unriddle_core::{BatchHeuristic, Guarantee, Progress, Puzzle, Quota, Row, Scalar, Search};
use unriddle_search::{
    astar::{AStar, AStarConfig},
    beam::{Beam, BeamConfig},
    bfs::{Bfs, BfsConfig},
    bwas::{Bwas, BwasConfig},
    greedy::{Greedy, GreedyConfig},
    idtt::{Idtt, IdttConfig},
    qbeam::{ActionValues, QBeam},
    staged::{Keep, Staged, StagedConfig},
};

/// Memory limit of each search. Iterative deepening, which runs for longer, gets less.
fn limit(name: &str) -> u64 {
    match name {
        "idtt" => 32 << 20,
        _ => 100 << 20,
    }
}

/// Name of the search that the child process is to run.
const VARIABLE: &str = "UNRIDDLE_SEARCH_MEMORY_TEST";
const NAMES: [&str; 11] = [
    "astar",
    "astar(w=2)",
    "greedy",
    "bwas",
    "bwas(fractions)",
    "beam",
    "qbeam",
    "bfs",
    "idtt",
    "staged(fractions)",
    "staged(open=list)",
];

/// An estimate with fractions, which makes the open list a heap.
struct Fractions;

impl BatchHeuristic<Endless> for Fractions {
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
    fn evaluate(&self, rows: &[Row<'_, Endless>], out: &mut [f32]) {
        for (row, out) in rows.iter().zip(out) {
            *out = (row.state >> 48) as f32 / 2048.0;
        }
    }
}

/// An estimate with millions of values.
struct Distinct;

impl BatchHeuristic<Endless> for Distinct {
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
    fn evaluate(&self, rows: &[Row<'_, Endless>], out: &mut [f32]) {
        for (row, out) in rows.iter().zip(out) {
            *out = f32::from_bits((row.state >> 34) as u32);
        }
    }
}

/// An estimate of each action.
struct OfActions;

impl ActionValues<Endless> for OfActions {
    fn actions(&self) -> usize {
        4
    }
    fn number(&self, _: &Endless, _: &u64, action: u8) -> usize {
        usize::from(action)
    }
    fn evaluate(&self, rows: &[Row<'_, Endless>], out: &mut [f32]) {
        for (row, out) in rows.iter().zip(out.chunks_exact_mut(4)) {
            for (action, out) in (0..).zip(out) {
                *out = (row.state >> (48 - action)) as f32 / 2048.0;
            }
        }
    }
}

fn make(name: &str) -> Boxed<'static, Endless> {
    let p = &Endless;
    let h = &Scalar(Noise);
    let width = 1 << 28;
    match name {
        "astar" => Box::new(AStar::new(p, h, AStarConfig::default()).unwrap()),
        "astar(w=2)" => Box::new(AStar::new(p, h, AStarConfig { w: 2.0 }).unwrap()),
        "greedy" => Box::new(Greedy::new(p, h, GreedyConfig::default()).unwrap()),
        "bwas" => Box::new(Bwas::new(p, h, BwasConfig::default()).unwrap()),
        "bwas(fractions)" => Box::new(Bwas::new(p, &Fractions, BwasConfig::default()).unwrap()),
        "beam" => {
            let config = BeamConfig { width, ..Default::default() };
            Box::new(Beam::new(p, h, config).unwrap())
        }
        "qbeam" => {
            let config = BeamConfig { width, ..Default::default() };
            Box::new(QBeam::new(p, &OfActions, config).unwrap())
        }
        "bfs" => Box::new(Bfs::new(p, BfsConfig {}).unwrap()),
        "idtt" => Box::new(Idtt::new(p, &Noise, IdttConfig { table: 1 << 40 }).unwrap()),
        "staged(fractions)" => {
            Box::new(Staged::new(p, &Distinct, StagedConfig::default()).unwrap())
        }
        "staged(open=list)" => {
            let config = StagedConfig { open: Keep::All, ..Default::default() };
            Box::new(Staged::new(p, h, config).unwrap())
        }
        _ => panic!("{name}"),
    }
}

/// A line of /proc/self/status, in bytes.
fn status(field: &str) -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|l| l.starts_with(field))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes << 10)
}

/// Not a test of its own: the work of the child process.
#[test]
fn child() {
    let Ok(name) = env::var(VARIABLE) else { return };
    let before = status("VmRSS").unwrap();
    let mut search = make(&name);
    let quota = Quota {
        bytes: limit(&name),
        // Iterative deepening adapts to its memory and would never end.
        expanded: if name == "idtt" { 2_000_000 } else { u64::MAX },
        ..Quota::UNLIMITED
    };
    let progress = search.advance(&quota, &mut ());
    assert_eq!(progress == Progress::OutOfMemory, name != "idtt");
    let stats = search.stats();
    println!(
        "result {} {} {}",
        stats.peak_bytes,
        status("VmHWM").unwrap() - before,
        stats.expanded
    );
}

/// Two at a time: every search runs in its own process, so their peaks do not mix.
#[test]
fn resident_memory_stays_within_the_limit() {
    let (some, others) = NAMES.split_at(NAMES.len() / 2);
    thread::scope(|scope| {
        scope.spawn(|| stay_within_the_limit(some));
        stay_within_the_limit(others);
    });
}

fn stay_within_the_limit(names: &[&str]) {
    for &name in names {
        let limit = limit(name);
        let output = Command::new(env::current_exe().unwrap())
            .args(["--exact", "child", "--nocapture"])
            .env(VARIABLE, name)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{name}: {text}");
        let line = text.split("result ").nth(1).unwrap().lines().next().unwrap();
        let numbers: Vec<u64> = line.split(' ').map(|n| n.parse().unwrap()).collect();
        let (accounted, resident) = (numbers[0], numbers[1]);
        println!("{name}: accounted {accounted}, resident {resident}, expanded {}", numbers[2]);
        assert!(accounted <= limit, "{name}: {accounted}");
        assert!(accounted >= limit / 2, "{name}: {accounted}");
        assert!(resident <= limit / 10 * 11, "{name}: {resident}");
        // Little memory is accounted for and never filled.
        assert!(resident >= limit / 3, "{name}: {resident}");
    }
}

/// A 15-puzzle of 8-byte states takes at most about 32 bytes per stored node in A*.
#[test]
fn bytes_per_node() {
    let puzzle = Sliding::unsolvable(4, 4);
    let scalar = Scalar(Manhattan);
    let mut search = AStar::new(&puzzle, &scalar, AStarConfig::default()).unwrap();
    let quota = Quota { bytes: 60 << 20, ..Quota::UNLIMITED };
    assert_eq!(search.advance(&quota, &mut ()), Progress::OutOfMemory);
    let stats = search.stats();
    // Every evaluated state is stored, and no other.
    let each = stats.peak_bytes as f64 / stats.evaluated as f64;
    println!("{each:.1} bytes per node of {} bytes", size_of::<<Sliding as Puzzle>::State>());
    assert!(each < 34.0, "{each}");
}
