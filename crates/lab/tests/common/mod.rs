//! Rows for tests. Not every test needs all of them.
#![allow(dead_code)]

use proptest::{collection::vec, option, prelude::*};
use std::path::Path;
use tempfile::{TempDir, tempdir};
use unriddle_catalog::Registry;
use unriddle_lab::{
    LabError, Row,
    row::{Failure, Incumbent, Key, Status},
    store::exchange,
};

/// Registry without puzzles.
pub(crate) fn registry() -> Registry {
    Registry::new([]).unwrap()
}

/// A row in which every field is known, with texts that formats trip over.
pub(crate) fn full_row() -> Row {
    Row {
        experiment: "full".into(),
        suite: "korf".into(),
        id: "a,b".into(),
        puzzle: "sliding:4x4".into(),
        instance: "line 1\nline \"2\"\r\nline\t3, the last\n".into(),
        solver: "idastar:heuristic=manhattan".into(),
        peer_version: "1.2.3".into(),
        seed: 9_223_372_036_854_775_807,
        threads: 2,
        limits: "time=30s memory=4G".into(),
        key: Key(0x0123_4567_89ab_cdef_fedc_ba98_7654_3210),
        revision: "deadbeef".into(),
        dirty: true,
        version: "0.1.0".into(),
        machine: "Ünïcode 🧩".into(),
        started_ms: -1,
        status: Status::Optimal,
        stopped_by: Some("time".into()),
        failure: Some(Failure::Hung),
        reason: Some("'quoted'".into()),
        value: Some(i64::MIN),
        length: Some(3),
        solution: Some(String::new()),
        lower_bound: Some(-7),
        upper_bound: Some(9),
        initial_h: Some(f64::INFINITY),
        checked: Some(false),
        checked_by: Some("''".into()),
        expanded: Some(0),
        generated: Some(9_223_372_036_854_775_807),
        evaluated: Some(2),
        reopened: Some(3),
        cpu_s: Some(0.1 + 0.2),
        setup_cpu_s: Some(f64::MIN_POSITIVE / 3.0),
        wall_s: Some(1e300),
        measure: Some("pushes".into()),
        measures: Some("pushes=3 moves=5".parse().unwrap()),
        networks: Some("tiles8 11ee".into()),
        peak_accounted_bytes: Some(1 << 40),
        peak_resident_bytes: Some(5),
        incumbents: vec![
            Incumbent { cpu_s: 0.1, expanded: 4, value: 9 },
            Incumbent { cpu_s: 0.125, expanded: 5, value: -3 },
        ],
        ..Row::default()
    }
}

/// Row of the first format: it has fewer fields, and networks in the field for versions of
/// programs.
fn old_row() -> Row {
    Row {
        peer_version: String::new(),
        networks: Some("1.2.3".into()),
        measure: None,
        measures: None,
        upper_bound: None,
        ..full_row()
    }
}

/// Rows of the files in `tests/data`: of the first formats (migrated), and of the current ones.
pub(crate) fn recorded(is_old: bool) -> Vec<Row> {
    let experiment = || "yesterday".to_owned();
    let row = || if is_old { old_row() } else { full_row() };
    vec![
        Row { experiment: experiment(), ..row() },
        Row { experiment: experiment(), ..Row::default() },
        Row {
            experiment: experiment(),
            key: Key(7),
            status: Status::Stopped,
            stopped_by: Some("memory".into()),
            ..row()
        },
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{0,8}", "[ ',;\"\\\\\n\r\t#:-]{0,6}", any::<String>(), "'{0,4}",]
}

fn count() -> impl Strategy<Value = u64> {
    prop_oneof![0..10_u64, 0..=i64::MAX as u64]
}

fn real() -> impl Strategy<Value = f64> {
    prop_oneof![
        0.0..100.0,
        any::<f64>().prop_filter("a number", |x| !x.is_nan()),
        Just(f64::INFINITY),
        Just(-0.0),
    ]
}

/// Any row that the database accepts.
pub(crate) fn any_row() -> impl Strategy<Value = Row> {
    let place = (text(), text(), text(), text(), text(), text(), text());
    let run = (count(), count(), text(), any::<u128>());
    let build = (text(), any::<bool>(), text(), text(), any::<i64>());
    let end = (
        prop::sample::select(Status::ALL.to_vec()),
        option::of(text()),
        option::of(prop::sample::select(Failure::ALL.to_vec())),
        option::of(text()),
    );
    let answer = (
        option::of(any::<i64>()),
        option::of(count()),
        option::of(text()),
        option::of(any::<i64>()),
        option::of(real()),
        option::of(any::<bool>()),
        option::of(text()),
    );
    let counters =
        (option::of(count()), option::of(count()), option::of(count()), option::of(count()));
    let costs = (
        option::of(real()),
        option::of(real()),
        option::of(real()),
        option::of(count()),
        option::of(count()),
    );
    let word = prop_oneof!["[a-z_]{1,6}", "[^ =\\pC\\pZ]{1,3}"];
    let measured = vec((word, count()), 0..3).prop_map(|all| {
        let parts: Vec<String> = all.iter().map(|(name, n)| format!("{name}={n}")).collect();
        parts.join(" ").parse().unwrap()
    });
    let late =
        (option::of(any::<i64>()), option::of(text()), option::of(measured), option::of(text()));
    let incumbent = (real(), count(), any::<i64>())
        .prop_map(|(cpu_s, expanded, value)| Incumbent { cpu_s, expanded, value });
    let all = (place, run, build, end, answer, counters, costs, vec(incumbent, 0..4), late);
    all.prop_map(|(place, run, build, end, answer, counters, costs, incumbents, late)| Row {
        experiment: place.0,
        suite: place.1,
        id: place.2,
        puzzle: place.3,
        instance: place.4,
        solver: place.5,
        peer_version: place.6,
        seed: run.0,
        threads: run.1,
        limits: run.2,
        key: Key(run.3),
        revision: build.0,
        dirty: build.1,
        version: build.2,
        machine: build.3,
        started_ms: build.4,
        status: end.0,
        stopped_by: end.1,
        failure: end.2,
        reason: end.3,
        value: answer.0,
        length: answer.1,
        solution: answer.2,
        lower_bound: answer.3,
        initial_h: answer.4,
        checked: answer.5,
        checked_by: answer.6,
        expanded: counters.0,
        generated: counters.1,
        evaluated: counters.2,
        reopened: counters.3,
        cpu_s: costs.0,
        setup_cpu_s: costs.1,
        wall_s: costs.2,
        peak_accounted_bytes: costs.3,
        peak_resident_bytes: costs.4,
        incumbents,
        upper_bound: late.0,
        measure: late.1,
        measures: late.2,
        networks: late.3,
        ..Row::default()
    })
}

/// A folder of the test's own.
pub(crate) fn folder() -> TempDir {
    tempdir().unwrap()
}

/// A row of experiment `e` with this key.
pub(crate) fn keyed(n: u128) -> Row {
    Row {
        experiment: "e".into(),
        id: n.to_string(),
        key: Key(n),
        revision: "r1".into(),
        ..Row::default()
    }
}

/// Message of an error.
pub(crate) fn message<T>(result: Result<T, LabError>) -> String {
    match result {
        Ok(_) => panic!("expected an error"),
        Err(e) => e.to_string(),
    }
}

/// All rows of a CSV file.
pub(crate) fn read(path: &Path) -> Result<Vec<Row>, LabError> {
    exchange::read(path)?.collect()
}
