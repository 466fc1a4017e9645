//! Tests of internal behaviour: a full disk, concurrent first openings, query plans.

use super::{
    Store,
    read::{LIVE, OF_EXPERIMENT, SUPERSEDED, incumbents_where, runs_where},
};
use crate::row::{Incumbent, Key, Row, Status};
use std::thread;

fn row(n: u64) -> Row {
    Row {
        experiment: "e".into(),
        suite: "s".into(),
        id: format!("{:03}", n % 1000),
        puzzle: "sliding:4x4".into(),
        instance: format!("{:03} 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", n % 1000),
        solver: "idastar:heuristic=manhattan,reduction=none".into(),
        seed: n / 1000,
        limits: "time=30s memory=4G".into(),
        // Unordered, like digests.
        key: Key(u128::from(n).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)),
        revision: "r".into(),
        status: Status::Optimal,
        value: Some(55),
        length: Some(55),
        solution: Some("ULDRULDRULDRULDRULDRULDRULDRULDRULDRULDRULDRULDRULDRULD".into()),
        checked: Some(true),
        checked_by: Some("sliding".into()),
        expanded: Some(n),
        cpu_s: Some(n as f64 / 7.0),
        incumbents: vec![
            Incumbent { cpu_s: 0.25, expanded: n, value: 60 },
            Incumbent { cpu_s: 0.5, expanded: n + 1, value: 55 },
        ],
        ..Row::default()
    }
}

/// An empty database in a folder of its own.
fn empty() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("results.sqlite")).unwrap();
    (folder, store)
}

fn fill(store: &mut Store, from: u64) -> (usize, String) {
    let mut recorded = 0;
    loop {
        let batch: Vec<Row> = (0..100).map(|n| row(from + recorded as u64 + n)).collect();
        match store.record(None, &batch) {
            Ok(new) => recorded += new,
            Err(e) => return (recorded, e.to_string()),
        }
        assert!(recorded < 100_000, "never full");
    }
}

#[test]
fn full_disk_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.sqlite");
    let mut store = Store::open(&path).unwrap();
    let limit = |store: &Store, pages: i64| {
        let sql = format!("PRAGMA max_page_count = {pages}");
        store.connection.query_row(&sql, [], |row| row.get::<_, i64>(0)).unwrap()
    };
    store.record(None, &[row(0)]).unwrap();
    limit(&store, 200);
    let (recorded, message) = fill(&mut store, 1);
    assert!(message.contains("full"), "{message}");
    assert!(message.contains("results.sqlite"), "{message}");
    assert!(recorded > 0);

    // A claim that fails records neither the finished rows nor the claims.
    let owner = store.owner().unwrap();
    let done: Vec<Row> = (50_000..60_000).map(row).collect();
    let wanted: Vec<Key> = (0..100).map(|n| Key(n | 1 << 127)).collect();
    let claims = store.claim(&owner, "e", &wanted, 10, &done);
    assert!(claims.unwrap_err().to_string().contains("full"));

    let rows = store.rows("e").unwrap();
    assert_eq!(rows.len(), recorded + 1);
    assert!(rows.iter().zip(0..).all(|(found, n)| *found == row(n)));
    limit(&store, 1_000_000);
    assert_eq!(store.record(None, &done).unwrap(), done.len());
    let claims = store.claim(&owner, "e", &wanted, 10, &[]).unwrap();
    assert_eq!(claims.taken, wanted[..10]);
    let check: String =
        store.connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
}

#[test]
fn settings_are_applied() {
    let (_folder, store) = empty();
    let text = |name: &str| {
        let sql = format!("SELECT CAST({name} AS TEXT) FROM pragma_{name}");
        store.connection.query_row(&sql, [], |row| row.get::<_, String>(0)).unwrap()
    };
    assert_eq!(text("journal_mode"), "wal");
    assert_eq!(text("synchronous"), "2");
    assert_eq!(text("foreign_keys"), "1");
}

#[test]
fn new_file_is_opened_by_many_threads_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..50 {
        let path = folder.path().join(format!("{n}.sqlite"));
        thread::scope(|scope| {
            let open = |_| scope.spawn(|| Store::open(&path).map(|store| store.rows("e").unwrap()));
            let all: Vec<_> = (0..4).map(open).collect();
            for each in all {
                assert_eq!(each.join().unwrap().unwrap(), []);
            }
        });
    }
}

/// Queries by hand with the `sqlite3` shell use the view `runs`.
#[test]
fn view_shows_every_field_under_its_name() {
    let (_folder, mut store) = empty();
    store.record(None, &[row(7)]).unwrap();
    let found: (String, String, bool, i64, String) = store
        .connection
        .query_row(
            "SELECT key, instance, proved, incumbents, started FROM runs WHERE solver LIKE 'ida%'",
            [],
            |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?, r.get(4)?)),
        )
        .unwrap();
    let row = row(7);
    let started = "1970-01-01 00:00:00".to_owned();
    assert_eq!(found, (row.key.to_string(), row.instance, true, 2, started));
}

/// Values that no version writes are errors, not panics.
#[test]
fn damaged_values_are_rejected() {
    for (damage, word) in [
        ("UPDATE run SET seed = -1", "seed"),
        ("UPDATE run SET status = 'perhaps'", "status"),
        ("UPDATE run SET failure = ''", "failure"),
        ("UPDATE run SET expanded = -5", "expanded"),
        ("UPDATE incumbent SET expanded = -5", "expanded"),
    ] {
        let (_folder, mut store) = empty();
        store.record(None, &[row(1)]).unwrap();
        store.connection.execute(damage, []).unwrap();
        let message = store.rows("e").unwrap_err().to_string();
        assert!(message.contains("damaged") && message.contains(word), "{message}");
    }
}

/// A missing index would only be noticed with many runs.
#[test]
fn queries_use_the_indexes() {
    let (_folder, store) = empty();
    let conditions = [OF_EXPERIMENT, LIVE, SUPERSEDED];
    let fixed = [
        "SELECT 1 FROM run WHERE superseded = 0 AND experiment = ?1 AND key = ?2",
        "SELECT key FROM run WHERE superseded = 0 AND experiment = ?1",
        "SELECT DISTINCT owner FROM claim",
    ];
    let all = conditions
        .iter()
        .flat_map(|condition| [runs_where(condition), incumbents_where(condition)])
        .chain(fixed.map(str::to_owned));
    for sql in all {
        let mut plan = store.connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let count = plan.parameter_count();
        let steps =
            plan.query_map(rusqlite::params_from_iter(vec!["x"; count]), |row| row.get(3)).unwrap();
        let steps: Vec<String> = steps.map(Result::unwrap).collect();
        let full = |step: &String| {
            step.contains("TEMP B-TREE") || step.starts_with("SCAN") && !step.contains("claim")
        };
        assert!(!steps.iter().any(full), "{sql}: {steps:?}");
    }
}
