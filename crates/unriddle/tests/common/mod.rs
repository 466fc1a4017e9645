//! Helpers of the tests of all puzzles: sample instances, requests, committed texts.
#![allow(dead_code, unreachable_pub)] // Every test file uses a part of it.

pub mod samples;

use std::{fs, path::PathBuf, time::Duration};
use unriddle_catalog::{
    AnyPuzzle, Budget, Instance, Record, Request, Rng, Role, SolveError, Spec,
    bind::{bind, find},
    family::Family,
    solve,
    tables::{Cache, cache::Policy},
};

/// A puzzle of the registry with its parameters.
pub struct Known {
    /// Its spec.
    pub spec: &'static str,
    pub family: &'static Family,
    pub puzzle: Box<dyn AnyPuzzle>,
}

/// The puzzle of a spec.
pub fn known(spec: &'static str) -> Known {
    let (family, puzzle) = unriddle::registry().puzzle(spec).unwrap();
    Known { spec, family, puzzle }
}

impl Known {
    /// The `index`-th instance that a generator makes of seed 1, as text.
    pub fn generate(&self, generator: &str, index: u64) -> String {
        let spec = Spec::parse(generator).unwrap();
        let info = find(&self.family.generators(), Role::Generator, &spec).unwrap();
        let bound = bind(info, &spec).unwrap();
        self.puzzle.generate(&bound, &mut Rng::stream(1, index)).unwrap()
    }

    pub fn load(&self, text: &str) -> Box<dyn Instance> {
        self.puzzle.load(text).unwrap_or_else(|error| panic!("{}: {text}: {error}", self.spec))
    }
}

/// A cache that keeps its tables in memory.
pub fn cache() -> Cache {
    Cache::new(None, 2, Policy::default())
}

/// A solve without limits on one thread, with seed 1.
pub fn request<'a>(solver: &'a Spec, cache: &'a Cache) -> Request<'a> {
    Request { seed: 1, ..Request::new(solver, cache) }
}

/// Solves and seals, without limits.
pub fn record(
    puzzle: &str,
    instance: &dyn Instance,
    solver: &str,
    cache: &Cache,
) -> Result<Record, SolveError> {
    record_of(puzzle, instance, solver, cache, |request| request)
}

/// Solves the [`request`] without limits, changed by `change`, and seals the record.
pub fn record_of(
    puzzle: &str,
    instance: &dyn Instance,
    solver: &str,
    cache: &Cache,
    change: impl for<'r> FnOnce(Request<'r>) -> Request<'r>,
) -> Result<Record, SolveError> {
    let spec = Spec::parse(solver).unwrap();
    let request = change(request(&spec, cache));
    solve(&unriddle::registry(), "1", puzzle, instance, &request, &mut ())
}

/// The records of a solver without time, and of a solver with one expansion. A limit that is used
/// up at once is named.
pub fn limited(
    puzzle: &str,
    instance: &dyn Instance,
    solver: &str,
    cache: &Cache,
) -> (Record, Record) {
    let within = |budget| {
        record_of(puzzle, instance, solver, cache, |request| Request { budget, ..request }).unwrap()
    };
    let none = within(Budget { time: Some(Duration::ZERO), ..Budget::default() });
    assert_eq!(none.stopped_by.as_deref(), Some("time"), "{solver}");
    let one = within(Budget { expansions: Some(1), ..Budget::default() });
    (none, one)
}

/// The JSON form of a record without times and peak memory, which differ from run to run.
pub fn timeless(record: &Record) -> String {
    let still = Record {
        cpu_s: Some(0.0),
        setup_cpu_s: Some(0.0),
        wall_s: Some(0.0),
        peak_bytes: 0,
        ..record.clone()
    };
    serde_json::to_string(&still).unwrap()
}

/// Compares a text with a committed file, given from the workspace's root; rewrites the file
/// instead if the environment variable `UPDATE_GOLDEN` is set.
pub fn golden(file: &str, text: &str) {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, text).unwrap();
        return;
    }
    let committed = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    let (mut ours, mut theirs) = (text.lines(), committed.lines());
    for number in 1.. {
        let (now, before) = (ours.next(), theirs.next());
        assert_eq!(
            now, before,
            "{file}, line {number} (left: now, right: committed). If the change is meant, set \
             UPDATE_GOLDEN=1, run this test again and commit the file"
        );
        if now.is_none() {
            break;
        }
    }
}
