//! Results database: recorded runs are read back exactly once, even if processes are killed.

mod common;

use common::{any_row, folder, full_row, keyed, message, read};
use proptest::prelude::*;
use rusqlite::Connection;
use std::{
    collections::HashSet,
    fs::{self, File},
    thread,
};
use tempfile::TempDir;
use unriddle_lab::{
    LabError, Row, Store,
    row::{Failure, Key, Status},
    store::exchange,
};

fn through_csv(rows: &[Row]) -> Vec<Row> {
    let folder = folder();
    let path = folder.path().join("rows.csv");
    let file = File::create(&path).unwrap();
    assert_eq!(exchange::write_csv(rows.iter(), file).unwrap(), rows.len());
    read(&path).unwrap()
}

fn through_compact_file(rows: &[Row]) -> Vec<Row> {
    let folder = folder();
    let path = folder.path().join("rows.csv.zst");
    assert_eq!(exchange::write_file(rows, &path).unwrap(), rows.len());
    read(&path).unwrap()
}

/// An empty database in a folder of its own.
fn empty() -> (TempDir, Store) {
    let folder = folder();
    let store = Store::open(&folder.path().join("results.sqlite")).unwrap();
    (folder, store)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn rows_come_back(row in any_row()) {
        let (_folder, mut store) = empty();
        prop_assert_eq!(store.record(None, std::slice::from_ref(&row)).unwrap(), 1);
        prop_assert_eq!(store.record(None, std::slice::from_ref(&row)).unwrap(), 0);
        prop_assert_eq!(&store.rows(&row.experiment).unwrap(), std::slice::from_ref(&row));
        let rows = [row.clone(), row];
        prop_assert_eq!(&through_csv(&rows), &rows);
        prop_assert_eq!(&through_compact_file(&rows), &rows);
    }

    /// No file of any content makes a reader panic.
    #[test]
    fn readers_never_panic(text in "[ -~\n\"',]{0,200}", n in 0_usize..40) {
        let folder = folder();
        let path = folder.path().join("rows.csv");
        fs::write(&path, &text).unwrap();
        prop_assert!(read(&path).is_err());
        prop_assert!(Store::open(&path).is_err() || text.is_empty());
        let mut file = Vec::new();
        exchange::write_csv([full_row()].iter(), &mut file).unwrap();
        let whole = String::from_utf8(file).unwrap();
        let cut = whole.len() - n.min(whole.len());
        fs::write(&path, whole[..cut].to_owned() + &text).unwrap();
        let _ = read(&path);
    }
}

/// An instance that looks like the sign for repetition is not confused with it.
#[test]
fn instances_that_begin_with_the_sign_for_repetition_come_back() {
    let rows = ["=", "==", "=a", "a", &"=".repeat(500), &"=".repeat(500)]
        .map(|instance| Row { instance: instance.to_owned(), ..Row::default() });
    assert_eq!(through_csv(&rows), rows);
}

#[test]
fn full_and_empty_rows_come_back() {
    let rows = [full_row(), Row::default()];
    let folder = folder();
    let path = folder.path().join("results.sqlite");
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.record(None, &rows).unwrap(), 2);
    drop(store);
    let store = Store::open_existing(&path).unwrap();
    for row in &rows {
        assert_eq!(store.rows(&row.experiment).unwrap(), std::slice::from_ref(row));
        let keys = store.finished(&row.experiment).unwrap();
        assert_eq!(keys, HashSet::from([row.key]));
    }
    assert_eq!(store.rows("no such experiment").unwrap(), []);
    assert_eq!(through_csv(&rows), rows);
    assert_eq!(through_compact_file(&rows), rows);
    assert_eq!(through_compact_file(&[]), []);
}

#[test]
fn runs_are_read_in_the_order_of_recording() {
    let (_folder, mut store) = empty();
    let rows: Vec<Row> = [5, 3, 9, 1].map(keyed).to_vec();
    for row in &rows {
        store.record(None, std::slice::from_ref(row)).unwrap();
    }
    assert_eq!(store.rows("e").unwrap(), rows);
}

#[test]
fn too_large_numbers_are_refused_by_name() {
    let (_folder, mut store) = empty();
    let large = Row { generated: Some(1 << 63), ..keyed(2) };
    let text = message(store.record(None, &[keyed(1), large]));
    assert!(text.contains("generated 9223372036854775808"), "{text}");
    let odd = Row { wall_s: Some(f64::NAN), ..keyed(3) };
    assert!(message(store.record(None, &[odd])).contains("wall_s"));
    assert_eq!(store.rows("e").unwrap(), []);
}

#[test]
fn each_run_is_done_exactly_once() {
    let folder = folder();
    let path = folder.path().join("results.sqlite");
    let keys: Vec<Key> = (0..5000).map(Key).collect();
    let work = || {
        let mut store = Store::open(&path).unwrap();
        let owner = store.owner().unwrap();
        let mut wanted = keys.clone();
        let mut did = Vec::new();
        let mut done: Vec<Row> = Vec::new();
        loop {
            let claims = store.claim(&owner, "e", &wanted, 7, &done).unwrap();
            done = claims.taken.iter().map(|key| keyed(key.0)).collect();
            did.extend(claims.taken.iter().copied());
            let gone: HashSet<Key> = claims.taken.into_iter().chain(claims.recorded).collect();
            wanted.retain(|key| !gone.contains(key));
            if wanted.is_empty() {
                assert_eq!(store.record(Some(&owner), &done).unwrap(), done.len());
                return did;
            }
        }
    };
    let both = thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        threads.map(|thread| thread.join().unwrap())
    });
    let mut all: Vec<Key> = both.concat();
    all.sort();
    assert_eq!(all, keys);
    let store = Store::open(&path).unwrap();
    assert_eq!(store.finished("e").unwrap(), keys.into_iter().collect());
    let claims: i64 = Connection::open(&path)
        .unwrap()
        .query_row("SELECT count(*) FROM claim", [], |row| row.get(0))
        .unwrap();
    assert_eq!(claims, 0);
}

#[test]
fn claims_of_dead_owners_are_free() {
    let folder = folder();
    let path = folder.path().join("results.sqlite");
    let owners = folder.path().join("results.sqlite.owners");
    let keys: Vec<Key> = (0..10).map(Key).collect();
    let mut first = Store::open(&path).unwrap();
    let mut second = Store::open(&path).unwrap();
    let me = second.owner().unwrap();

    let dropped = first.owner().unwrap();
    let claims = first.claim(&dropped, "e", &keys, 4, &[]).unwrap();
    assert_eq!(claims.taken, keys[..4]);
    // It holds them, so that neither it nor another gets them again.
    let again = first.claim(&dropped, "e", &keys[..4], 4, &[]).unwrap();
    assert_eq!(again, Default::default());
    let claims = second.claim(&me, "e", &keys, 2, &[]).unwrap();
    assert_eq!(claims.taken, keys[4..6]);
    assert_eq!(claims.busy, keys[..4]);
    drop(dropped);
    let claims = second.claim(&me, "e", &keys, 4, &[]).unwrap();
    assert_eq!(claims.taken, keys[..4]);

    // Killed: the claims are there, so is the lock file, but nobody holds it.
    let add = |owner: &str, key: u128| {
        let connection = Connection::open(&path).unwrap();
        let entry = rusqlite::params![key.to_be_bytes(), owner];
        let sql = "INSERT INTO claim (experiment, key, owner) VALUES ('e', ?1, ?2)";
        connection.execute(sql, entry).unwrap();
    };
    add("1234-5-6", 6);
    fs::write(owners.join("1234-5-6.lock"), "").unwrap();
    // A name with a path belongs to no owner, and the file at the path is not removed.
    add("../../results", 7);
    fs::write(folder.path().join("results.lock"), "").unwrap();
    let claims = second.claim(&me, "e", &keys[6..], 9, &[]).unwrap();
    assert_eq!(claims.taken, keys[6..8].iter().chain(&keys[8..]).copied().collect::<Vec<_>>());
    assert!(!owners.join("1234-5-6.lock").exists());

    second.release(&me).unwrap();
    let other = first.owner().unwrap();
    let claims = first.claim(&other, "e", &keys, 99, &[]).unwrap();
    assert_eq!(claims.taken, keys);
    drop((me, other));
    assert!(!owners.exists());
    assert!(folder.path().join("results.lock").exists());
}

#[test]
fn lock_files_of_killed_processes_are_removed() {
    let folder = folder();
    let owners = folder.path().join("results.sqlite.owners");
    fs::create_dir(&owners).unwrap();
    fs::write(owners.join("1-2-3.lock"), "").unwrap();
    let store = Store::open(&folder.path().join("results.sqlite")).unwrap();
    let living = store.owner().unwrap();
    let second = store.owner().unwrap();
    assert_eq!(fs::read_dir(&owners).unwrap().count(), 2);
    drop((living, second));
}

#[test]
fn owners_release_claims_when_dropped() {
    let (_folder, mut store) = empty();
    let (a, b) = (store.owner().unwrap(), store.owner().unwrap());
    let keys = [Key(1), Key(2)];
    assert_eq!(store.claim(&a, "e", &keys, 1, &[]).unwrap().taken, [Key(1)]);
    let claims = store.claim(&b, "e", &keys, 9, &[]).unwrap();
    assert_eq!((claims.taken, claims.busy), (vec![Key(2)], vec![Key(1)]));
    drop(a);
    assert_eq!(store.claim(&b, "e", &keys, 9, &[]).unwrap().taken, [Key(1)]);
    let claims = store.claim(&b, "e", &keys, 9, &[keyed(1), keyed(2)]).unwrap();
    assert_eq!(claims.recorded, keys);
    // Claims are separate for each experiment.
    assert_eq!(store.claim(&b, "f", &keys, 9, &[]).unwrap().taken, keys);
}

#[test]
fn repeated_runs_are_superseded() {
    let (_folder, mut store) = empty();
    let old = Row { revision: "r0".into(), started_ms: 5, cpu_s: Some(100.0), ..keyed(1) };
    let dirty = Row { dirty: true, started_ms: 7, ..keyed(2) };
    let good = Row {
        status: Status::Solved,
        started_ms: 6,
        cpu_s: Some(1.0),
        setup_cpu_s: Some(0.5),
        ..keyed(3)
    };
    let failed = |n, failure| Row { failure: Some(failure), started_ms: 6, ..keyed(n) };
    let (memory, crashed) = (failed(4, Failure::Memory), failed(5, Failure::Crashed));
    let rows = [old.clone(), dirty, good.clone(), memory.clone(), crashed.clone()];
    store.record(None, &rows).unwrap();
    let summary = &store.summary().unwrap()[0];
    assert_eq!(summary.revisions, ["r0", "r1", "r1+modified"]);
    assert_eq!((summary.first_ms, summary.last_ms), (Some(5), Some(7)));

    // Others stay as they are: of another experiment, not asked for, good ones of this revision.
    let keys: Vec<_> = rows.iter().map(|row| row.key).collect();
    assert_eq!(store.supersede("other", "r1", &keys).unwrap(), 0);
    assert_eq!(store.supersede("e", "r1", &[]).unwrap(), 0);
    assert_eq!(store.supersede("e", "r1", &keys[..2]).unwrap(), 2);
    assert_eq!(store.supersede("e", "r1", &keys[..3]).unwrap(), 0);
    let left = [good.clone(), memory, crashed];
    assert_eq!(store.rows("e").unwrap(), left);
    let summary = store.summary().unwrap().remove(0);
    assert_eq!(summary.experiment, "e");
    assert_eq!((summary.live, summary.superseded, summary.unexplained), (3, 2, 1));
    assert_eq!(summary.revisions, ["r1"]);
    assert_eq!((summary.first_ms, summary.last_ms), (Some(6), Some(6)));
    assert_eq!(summary.cpu_s, 1.5);
    // Failed runs are superseded as well.
    assert_eq!(store.supersede("e", "r1", &keys).unwrap(), 2);
    assert_eq!(store.rows("e").unwrap(), [good]);
    // The same run is recorded again, even by the old revision.
    assert_eq!(store.record(None, &[old]).unwrap(), 1);
}

#[test]
fn merged_runs_are_added_known_or_superseded() {
    let (_folder, mut store) = empty();
    let mut merge = |rows: &[Row]| store.merge(rows.iter().cloned().map(Ok)).unwrap();
    let solved = |n, revision: &str, started_ms| Row {
        revision: revision.into(),
        started_ms,
        status: Status::Optimal,
        value: Some(10),
        expanded: Some(100),
        ..keyed(n)
    };
    let counts = |m: &unriddle_lab::store::Merged| (m.added, m.known, m.superseded);

    let many: Vec<Row> = (100..2600).map(keyed).collect();
    assert_eq!(counts(&merge(&many)), (2500, 0, 0));
    assert_eq!(counts(&merge(&many)), (0, 2500, 0));

    let first = solved(1, "r1", 1000);
    assert_eq!(counts(&merge(std::slice::from_ref(&first))), (1, 0, 0));
    // Older: kept, but does not count.
    assert_eq!(counts(&merge(&[solved(1, "r0", 900)])), (0, 0, 1));
    assert_eq!(counts(&merge(&[solved(1, "r0", 900)])), (0, 1, 0));
    // Later: counts.
    let later = solved(1, "r2", 1100);
    assert_eq!(counts(&merge(std::slice::from_ref(&later))), (1, 0, 1));
    assert_eq!(counts(&merge(std::slice::from_ref(&first))), (0, 1, 0));

    // Runs of one revision must have equal results, except for times.
    let slow = Row { cpu_s: Some(9.0), machine: "other".into(), ..later.clone() };
    assert_eq!(merge(&[slow]).differing, [""; 0]);
    let other = Row { expanded: Some(101), ..later.clone() };
    let merged = merge(std::slice::from_ref(&other));
    assert_eq!(counts(&merged), (0, 1, 0));
    assert!(merged.differing[0].contains("expanded 100 here, 101 there"), "{merged:?}");
    let cut = Row {
        status: Status::Stopped,
        stopped_by: Some("time".into()),
        value: None,
        ..other.clone()
    };
    assert_eq!(merge(std::slice::from_ref(&cut)).differing, [""; 0]);
    let limited = Row { stopped_by: Some("expansions".into()), ..cut };
    assert_eq!(merge(&[limited]).differing.len(), 1);
    let killed =
        Row { status: Status::Failed, failure: Some(Failure::Memory), value: None, ..other };
    assert_eq!(merge(&[killed]).differing, [""; 0]);
    // Modified programs may do anything.
    let dirty = |expanded| Row { dirty: true, expanded: Some(expanded), ..solved(2, "r1", 1000) };
    assert_eq!(merge(&[dirty(1), dirty(2)]).differing, [""; 0]);

    assert_eq!(store.rows("e").unwrap().len(), 2502);
    assert!(store.rows("e").unwrap().contains(&later));
    // Those before the batch with the error are kept.
    let rows = (0..1500).map(|n| match n {
        1200 => Err(LabError::Usage("broken".into())),
        n => Ok(keyed(1 << 64 | n)),
    });
    assert_eq!(message(store.merge(rows)), "broken");
    assert_eq!(store.rows("e").unwrap().len(), 3502);
}
