//! Public benchmark sets: the first instances of each against the published lengths.
//!
//! The sets are not part of the project. Their folder is named by the environment variable
//! `UNRIDDLE_DATA`; where it is unset these tests report on standard error that they are skipped.

use crate::common::known;
use std::{collections::HashMap, fs, io::Write as _, path::PathBuf};
use unriddle_catalog::{
    Record, Request, Spec, Status,
    input::Piece,
    solve,
    tables::{Cache, cache::Policy},
};

/// A benchmark set: instances with their ids, and optimal values by id.
struct Set {
    instances: Vec<(String, String)>,
    optimum: HashMap<String, i64>,
}

/// Reads `NAME.txt` and `NAME.ref.csv`; `None`, with a message, without public data.
fn set(name: &str) -> Option<Set> {
    of_files(&format!("{name}.txt"), &format!("{name}.ref.csv"), &unriddle_catalog::input::lines)
}

/// Reads a file of instances, which `split` cuts, and one of reference values; `None`, with a
/// message, without public data.
fn of_files(instances: &str, reference: &str, split: &dyn Fn(&str) -> Vec<Piece>) -> Option<Set> {
    let Some(folder) = std::env::var_os("UNRIDDLE_DATA") else {
        // Not `eprintln!`: the test harness would swallow it.
        let _ = writeln!(std::io::stderr(), "SKIPPED: {instances} (UNRIDDLE_DATA is not set)");
        return None;
    };
    let read = |name: &str| {
        let path = PathBuf::from(&folder).join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let instances = split(&read(instances));
    let reference = read(reference);
    let optimum = reference.lines().skip(1).filter_map(|line| {
        let mut fields = line.split(',');
        Some((fields.next()?.to_owned(), fields.next()?.parse().ok()?))
    });
    Some(Set {
        instances: instances.into_iter().map(|piece| (piece.id, piece.text)).collect(),
        optimum: optimum.collect(),
    })
}

/// Solves the first instances of a set with two threads and tables in `cache`.
fn first(
    set: &Set,
    count: usize,
    puzzle: &'static str,
    solver: &str,
    cache: &Cache,
) -> Vec<Record> {
    let known = known(puzzle);
    let solver = Spec::parse(solver).unwrap();
    let records: Vec<Record> = set.instances[..count]
        .iter()
        .map(|(id, text)| {
            let instance = known.load(text);
            let request = Request { seed: 1, threads: 2, ..Request::new(&solver, cache) };
            solve(&unriddle::registry(), id, puzzle, &*instance, &request, &mut ()).unwrap()
        })
        .collect();
    assert!(records.iter().all(|record| record.checked == Some(true)));
    records
}

/// Optimal solvers find the published lengths.
#[test]
fn published_lengths_of_15_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::new(Some(folder.path().to_owned()), 2, Policy::default());
    for (name, count, puzzle) in
        [("tiles/korf100", 20, "tiles(goal=blank-first)"), ("tiles/deepcubea15", 5, "tiles")]
    {
        let Some(set) = set(name) else { continue };
        for record in first(&set, count, puzzle, "idastar(pdb(6-6-3))", &cache) {
            assert_eq!(record.status, Status::Optimal, "{name}: {record:?}");
            assert_eq!(record.value, set.optimum.get(&record.id).copied(), "{name}: {record:?}");
        }
    }
}

/// A beam finds solutions of larger boards, none shorter than the optimum.
#[test]
fn beams_solve_24_puzzles() {
    let cache = crate::common::cache();
    let Some(set) = set("tiles/deepcubea24") else {
        return;
    };
    for record in first(&set, 5, "tiles", "beam(linear-conflict, width=2000)", &cache) {
        let optimum = set.optimum[&record.id];
        let value = record.value.unwrap();
        assert!((optimum..optimum * 3 / 2).contains(&value), "{value}, optimum {optimum}");
    }
}

/// The prices of the paper's puzzles on both public pools are matched and proved.
#[test]
fn prices_of_parties_are_proved() {
    let Some(folder) = std::env::var_os("UNRIDDLE_DATA") else {
        let _ = writeln!(std::io::stderr(), "SKIPPED: party (UNRIDDLE_DATA is not set)");
        return;
    };
    let folder = PathBuf::from(folder).join("party");
    let cache = crate::common::cache();
    for (pool, puzzle, price) in [
        ("synth1", "party(puzzle=type1)", 9000),
        ("synth1", "party(puzzle=\"type3(elf=3)\")", 11_400),
        ("fifa", "party(puzzle=type1)", 51_300),
        ("fifa", "party(puzzle=\"type3(elf=0)\")", 51_500),
    ] {
        let text = fs::read_to_string(folder.join(pool).with_extension("json")).unwrap();
        let instance = known(puzzle).load(&text);
        let found = crate::common::record("party", &*instance, "team-exact", &cache).unwrap();
        assert_eq!((found.status, found.checked), (Status::Optimal, Some(true)));
        assert_eq!(found.value, Some(price), "{pool} {puzzle}");
    }
}

/// Both exact solvers of Sokoban find the published lengths of every Boxoban level.
#[test]
fn published_lengths_of_boxoban_levels() {
    let cache = crate::common::cache();
    let files = [
        ("test", "test_push_optimal", "sokoban", "push-optimal", 12_189),
        ("test", "test_move_optimal", "sokoban(measure=moves)", "move-optimal", 31_986),
        ("hard", "hard_push_optimal", "sokoban", "push-optimal", 59_404),
        ("hard", "hard_move_optimal", "sokoban(measure=moves)", "move-optimal", 189_474),
    ];
    for (levels, reference, puzzle, solver, sum) in files {
        let levels = format!("sokoban/boxoban_{levels}.xsb");
        let reference = format!("sokoban/boxoban_{reference}.csv");
        let (_, sokoban) = unriddle::registry().puzzle("sokoban").unwrap();
        let Some(set) = of_files(&levels, &reference, &|file| sokoban.split(file)) else {
            return;
        };
        let records = first(&set, set.instances.len(), puzzle, solver, &cache);
        for record in &records {
            assert_eq!(record.status, Status::Optimal, "{levels}: {record:?}");
            assert_eq!(record.value, set.optimum.get(&record.id).copied(), "{levels}: {record:?}");
        }
        let values = records.iter().filter_map(|record| record.value);
        assert_eq!(values.sum::<i64>(), sum, "{levels}");
    }
}
