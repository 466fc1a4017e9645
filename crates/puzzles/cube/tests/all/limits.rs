//! Limits of a solve that hold for its tables.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};
use unriddle_catalog::{
    Budget, Limit, Report, Request, Spec, Status,
    tables::{Cache, Policy},
};
use unriddle_cube::FAMILY;
use unriddle_tables::cache::Event;

/// Solves a cube without stored tables. Returns the report and the events of its tables.
fn solve(solver: &str, budget: Budget) -> (Report, Vec<&'static str>) {
    let log: Arc<Mutex<Vec<&str>>> = Arc::default();
    let shared = Arc::clone(&log);
    let cache = Cache::new(None, 1, Policy::Reuse).with_observer(Box::new(move |_, event| {
        shared.lock().unwrap().push(match event {
            Event::Building { .. } => "building",
            Event::TooSlow => "too slow",
            _ => return true,
        });
        true
    }));
    let puzzle = FAMILY.default_puzzle().unwrap();
    let instance = puzzle.load("R U").unwrap();
    let solver = Spec::parse(solver).unwrap();
    let request = Request { budget, ..Request::new(&solver, &cache) };
    let report = instance.solve(&request, &mut ()).unwrap();
    let events = log.lock().unwrap().clone();
    (report, events)
}

/// Tables larger than the memory limit are not built: the size is known.
#[test]
fn tables_beyond_the_memory_limit_are_not_built() {
    let solvers = [
        ("idastar(pdb)", "pattern cube3"),
        ("astar(max(blind, pdb(corners)))", "pattern cube3"),
        ("cube-fast", "pattern cube3-phases"),
        ("cube-optimal(table=fit)", "cosets of two faces"),
        ("cube-optimal(table=23M)", "cosets of two faces"),
        ("beam(blind, width=10, direction=bidirectional, goal_table=64M)", "near the goal"),
        (
            "windows(beam(blind, width=10, direction=bidirectional, goal_table=64M))",
            "near the goal",
        ),
    ];
    for (solver, table) in solvers {
        let (report, events) = solve(solver, Budget { memory: Some(100_000), ..Budget::default() });
        assert_eq!(report.status, Status::Stopped, "{solver}");
        assert_eq!(report.stopped_by, Some(Limit::Memory), "{solver}");
        let reason = report.reason.unwrap();
        assert!(reason.contains(table), "{solver}: {reason}");
        assert!(reason.contains("the memory limit is 100 KB"), "{solver}: {reason}");
        assert_eq!(events, [""; 0], "{solver}");
    }
    // Within the limit everything is as before.
    let budget = Budget { memory: Some(100 << 20), ..Budget::default() };
    let (report, events) = solve("cube-fast", budget);
    assert_eq!((report.status, events.len()), (Status::Solved, 5));
}

/// A beam that widens under a time limit does without a goal table that takes too long to build.
#[test]
fn a_goal_table_is_given_up_under_a_time_limit() {
    let solver = |widen: &str, bytes: &str| {
        format!(
            "beam(blind, width=100, direction=bidirectional, goal_table={bytes}, widen={widen})"
        )
    };
    let limit = Budget { time: Some(Duration::from_millis(100)), ..Budget::default() };
    let (_, events) = solve(&solver("timed", "256M"), limit.clone());
    assert_eq!(events, ["building", "too slow"]);
    // Without a time limit, and without widening, the table is part of the search.
    let (report, events) = solve(&solver("timed", "64k"), Budget::default());
    assert_eq!((report.value, events), (Some(2), vec!["building"]));
    let (_, events) = solve(&solver("no", "64k"), limit);
    assert_eq!(events, ["building"]);
}
