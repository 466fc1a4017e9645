//! Tables of a solve: the memory limit, and tables that were changed.

use std::sync::{Arc, Mutex};
use unriddle_catalog::{
    Budget, Limit, Report, Request, Spec, Status,
    tables::{Cache, Policy},
};
use unriddle_tables::{Build, cache::Event, file};
use unriddle_tiles::{FAMILY, sliding::Pattern};

/// A cache in a folder, or in memory, and the events of its tables.
fn observed(folder: Option<&std::path::Path>) -> (Cache, Arc<Mutex<Vec<&'static str>>>) {
    let log: Arc<Mutex<Vec<&str>>> = Arc::default();
    let shared = Arc::clone(&log);
    let cache = Cache::new(folder.map(Into::into), 1, Policy::Reuse);
    let cache = cache.with_observer(Box::new(move |_, event| {
        shared.lock().unwrap().push(match event {
            Event::Building { .. } => "building",
            Event::Stale { .. } => "stale",
            Event::Opened => "opened",
            _ => return true,
        });
        true
    }));
    (cache, log)
}

fn solve(board: &str, solver: &str, memory: Option<u64>, cache: &Cache) -> Report {
    let instance = FAMILY.default_puzzle().unwrap().load(board).unwrap();
    let solver = Spec::parse(solver).unwrap();
    let budget = Budget { memory, ..Budget::default() };
    instance.solve(&Request { budget, ..Request::new(&solver, cache) }, &mut ()).unwrap()
}

/// The tables of a partition count together, before the first one is built.
#[test]
fn tables_beyond_the_memory_limit_are_not_built() {
    let board = "14 13 15 7 11 12 9 5 6 10 2 1 4 8 0 3";
    // Two tables of 2.9 MB and a small one.
    for (memory, partition) in [(1 << 20, "6-6-3"), (4_000_000, "6-6-3"), (60_000_000, "7-8")] {
        let (cache, log) = observed(None);
        let report = solve(board, &format!("idastar(pdb({partition}))"), Some(memory), &cache);
        assert_eq!((report.status, report.stopped_by), (Status::Stopped, Some(Limit::Memory)));
        let reason = report.reason.unwrap();
        assert!(reason.contains("the table (sliding side=4"), "{reason}");
        assert!(reason.contains("and the memory limit is"), "{reason}");
        assert_eq!(*log.lock().unwrap(), [""; 0]);
    }
}

/// Entries are raised, with right checksums: the table is built again, and the proof holds.
#[test]
fn forged_tables_are_built_again() {
    let folder = std::env::temp_dir().join(format!("unriddle-forged-{}", std::process::id()));
    let (board, solver) = ("3 1 2 8 4 6 0 7 5", "idastar(pdb(4-4))");
    let (cache, _) = observed(Some(&folder));
    assert_eq!(solve(board, solver, None, &cache).value, Some(22));
    for goals in [[0, 1, 2, 3], [4, 5, 6, 7]] {
        let pattern = Pattern::new(3, &goals, 8).unwrap();
        let (Some(path), Ok(table)) = (cache.path(&pattern), cache.get(&pattern)) else { continue };
        let mut forged = table.packed().to_vec();
        for byte in forged.iter_mut().step_by(2).skip(7) {
            *byte = ((*byte & 15) + 4).min(15) | *byte & 0xf0;
        }
        file::write(&path, &pattern.key(), pattern.entries(), &forged).unwrap();
    }
    let (cache, log) = observed(Some(&folder));
    let report = solve(board, solver, None, &cache);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!((report.status, report.value), (Status::Optimal, Some(22)));
    assert!(log.lock().unwrap().contains(&"stale"), "{:?}", log.lock());
}
