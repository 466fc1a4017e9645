//! The results database from outside: what is recorded comes back, exactly once, whoever dies.

mod common;

use common::{any_row, full_row, yesterday};
use proptest::prelude::*;
use rusqlite::Connection;
use std::{
    collections::HashSet,
    fs::{self, File},
    path::Path,
    thread,
};
use tempfile::{TempDir, tempdir};
use unriddle_lab::{
    LabError, Row, Store,
    row::{Failure, Key, Status},
    store::exchange,
};

fn folder() -> TempDir {
    tempdir().unwrap()
}

/// A row of experiment `e` with this key.
fn keyed(n: u128) -> Row {
    Row {
        experiment: "e".into(),
        id: n.to_string(),
        key: Key(n),
        revision: "r1".into(),
        ..Row::default()
    }
}

fn message<T>(result: Result<T, LabError>) -> String {
    match result {
        Ok(_) => panic!("expected an error"),
        Err(e) => e.to_string(),
    }
}

fn read(path: &Path) -> Result<Vec<Row>, LabError> {
    exchange::read_csv(path)?.collect()
}

fn through_csv(rows: &[Row]) -> Vec<Row> {
    let folder = folder();
    let path = folder.path().join("rows.csv");
    let file = File::create(&path).unwrap();
    assert_eq!(exchange::write_csv(rows.iter(), file).unwrap(), rows.len());
    read(&path).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn rows_come_back(row in any_row()) {
        let mut store = Store::in_memory().unwrap();
        prop_assert_eq!(store.record(None, std::slice::from_ref(&row)).unwrap(), 1);
        prop_assert_eq!(store.record(None, std::slice::from_ref(&row)).unwrap(), 0);
        prop_assert_eq!(&store.rows(&row.experiment).unwrap(), std::slice::from_ref(&row));
        prop_assert_eq!(&through_csv(&[row.clone(), row.clone()]), &[row.clone(), row]);
    }

    /// No file of any content makes a reader panic.
    #[test]
    fn any_text_is_read_or_refused(text in "[ -~\n\"',]{0,200}", n in 0_usize..40) {
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
        assert_eq!(
            store.rows(&row.experiment).unwrap(),
            std::slice::from_ref(row)
        );
        let keys = store.finished(&row.experiment).unwrap();
        assert_eq!(keys, HashSet::from([row.key]));
    }
    assert_eq!(store.rows("no such experiment").unwrap(), []);
    assert_eq!(through_csv(&rows), rows);
}

#[test]
fn runs_are_read_in_the_order_of_recording() {
    let mut store = Store::in_memory().unwrap();
    let rows: Vec<Row> = [5, 3, 9, 1].map(keyed).to_vec();
    for row in &rows {
        store.record(None, std::slice::from_ref(row)).unwrap();
    }
    assert_eq!(store.rows("e").unwrap(), rows);
}

#[test]
fn too_large_numbers_are_refused_by_name() {
    let mut store = Store::in_memory().unwrap();
    let large = Row {
        generated: Some(1 << 63),
        ..keyed(2)
    };
    let text = message(store.record(None, &[keyed(1), large]));
    assert!(text.contains("generated 9223372036854775808"), "{text}");
    let odd = Row {
        wall_s: Some(f64::NAN),
        ..keyed(3)
    };
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
fn claims_of_the_dead_are_taken_over() {
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
    // A name that leads elsewhere is nobody's, and what it leads to stays.
    add("../../results", 7);
    fs::write(folder.path().join("results.lock"), "").unwrap();
    let claims = second.claim(&me, "e", &keys[6..], 9, &[]).unwrap();
    assert_eq!(
        claims.taken,
        keys[6..8]
            .iter()
            .chain(&keys[8..])
            .copied()
            .collect::<Vec<_>>()
    );
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
fn lock_files_of_the_killed_are_swept() {
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
fn owners_in_memory() {
    let mut store = Store::in_memory().unwrap();
    let (a, b) = (store.owner().unwrap(), store.owner().unwrap());
    let keys = [Key(1), Key(2)];
    assert_eq!(store.claim(&a, "e", &keys, 1, &[]).unwrap().taken, [Key(1)]);
    let claims = store.claim(&b, "e", &keys, 9, &[]).unwrap();
    assert_eq!((claims.taken, claims.busy), (vec![Key(2)], vec![Key(1)]));
    drop(a);
    assert_eq!(store.claim(&b, "e", &keys, 9, &[]).unwrap().taken, [Key(1)]);
    let claims = store
        .claim(&b, "e", &keys, 9, &[keyed(1), keyed(2)])
        .unwrap();
    assert_eq!(claims.recorded, keys);
    // Claims of one experiment are none of another's.
    assert_eq!(store.claim(&b, "f", &keys, 9, &[]).unwrap().taken, keys);
}

#[test]
fn what_is_not_ours_is_refused_and_left_alone() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    for (name, content) in [
        ("byte", "h".to_owned()),
        ("short", "hello".to_owned()),
        ("long", "hello ".repeat(5000)),
    ] {
        fs::write(path(name), &content).unwrap();
        let text = message(Store::open(&path(name)));
        assert!(
            text.ends_with("not a results database of unriddle"),
            "{text}"
        );
        assert_eq!(fs::read_to_string(path(name)).unwrap(), content);
    }
    let foreign = Connection::open(path("foreign")).unwrap();
    foreign.execute_batch("CREATE TABLE t (x)").unwrap();
    drop(foreign);
    let before = fs::read(path("foreign")).unwrap();
    let text = message(Store::open(&path("foreign")));
    assert!(
        text.ends_with("not a results database of unriddle"),
        "{text}"
    );
    assert_eq!(fs::read(path("foreign")).unwrap(), before);

    drop(Store::open(&path("newer")).unwrap());
    let newer = Connection::open(path("newer")).unwrap();
    newer.pragma_update(None, "user_version", 7).unwrap();
    drop(newer);
    let text = message(Store::open(&path("newer")));
    let said = "newer: written by a newer version (format 7; this program knows 1): use that version, \
                or another --database";
    assert!(text.ends_with(said), "{text}");

    let text = message(Store::open(&path("no/such/results.sqlite")));
    assert!(text.contains("there is no folder"), "{text}");
    assert!(message(Store::open(folder.path())).contains("a folder"));
    let text = message(Store::open_existing(&path("none")));
    assert!(text.contains("there is no results database"), "{text}");
    assert!(!path("none").exists());
}

#[test]
fn a_damaged_database_is_no_panic() {
    let folder = folder();
    let path = folder.path().join("results.sqlite");
    let mut store = Store::open(&path).unwrap();
    store
        .record(None, &(0..500).map(keyed).collect::<Vec<_>>())
        .unwrap();
    drop(store);
    let whole = fs::read(&path).unwrap();
    for at in (100..whole.len()).step_by(997) {
        let mut bytes = whole.clone();
        let end = whole.len().min(at + 64);
        bytes[at..end].fill(0xff);
        fs::write(&path, bytes).unwrap();
        if let Ok(mut store) = Store::open(&path) {
            let _ = (store.rows("e"), store.summary(), store.finished("e"));
            let _ = store.record(None, &[keyed(1000)]);
        }
        for end in ["-wal", "-shm"] {
            let _ = fs::remove_file(folder.path().join(format!("results.sqlite{end}")));
        }
    }
}

#[test]
fn what_is_run_again_is_superseded() {
    let mut store = Store::in_memory().unwrap();
    let old = Row {
        revision: "r0".into(),
        started_ms: 5,
        cpu_s: Some(100.0),
        ..keyed(1)
    };
    let dirty = Row {
        dirty: true,
        started_ms: 7,
        ..keyed(2)
    };
    let good = Row {
        status: Status::Solved,
        started_ms: 6,
        cpu_s: Some(1.0),
        setup_cpu_s: Some(0.5),
        ..keyed(3)
    };
    let failed = |n, failure| Row {
        failure: Some(failure),
        started_ms: 6,
        ..keyed(n)
    };
    let (memory, crashed) = (failed(4, Failure::Memory), failed(5, Failure::Crashed));
    let rows = [
        old.clone(),
        dirty,
        good.clone(),
        memory.clone(),
        crashed.clone(),
    ];
    store.record(None, &rows).unwrap();
    let summary = &store.summary().unwrap()[0];
    assert_eq!(summary.revisions, ["r0", "r1", "r1+modified"]);
    assert_eq!((summary.first_ms, summary.last_ms), (Some(5), Some(7)));

    assert_eq!(store.supersede("other", "r1").unwrap(), 0);
    assert_eq!(store.supersede("e", "r1").unwrap(), 2);
    assert_eq!(store.supersede("e", "r1").unwrap(), 0);
    assert_eq!(store.rows("e").unwrap(), [good, memory, crashed]);
    let summary = store.summary().unwrap().remove(0);
    assert_eq!(summary.experiment, "e");
    assert_eq!(
        (summary.live, summary.superseded, summary.unexplained),
        (3, 2, 1)
    );
    assert_eq!(summary.revisions, ["r1"]);
    assert_eq!((summary.first_ms, summary.last_ms), (Some(6), Some(6)));
    assert_eq!(summary.cpu_s, 1.5);
    // The same run is recorded again, even by the old revision.
    assert_eq!(store.record(None, &[old]).unwrap(), 1);
}

#[test]
fn merging() {
    let mut store = Store::in_memory().unwrap();
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

    // The same revision must find the same, whatever the clock says.
    let slow = Row {
        cpu_s: Some(9.0),
        machine: "other".into(),
        ..later.clone()
    };
    assert_eq!(merge(&[slow]).differing, [""; 0]);
    let other = Row {
        expanded: Some(101),
        ..later.clone()
    };
    let merged = merge(std::slice::from_ref(&other));
    assert_eq!(counts(&merged), (0, 1, 0));
    assert!(
        merged.differing[0].contains("expanded 100 here, 101 there"),
        "{merged:?}"
    );
    let cut = Row {
        status: Status::Stopped,
        stopped_by: Some("time".into()),
        value: None,
        ..other.clone()
    };
    assert_eq!(merge(std::slice::from_ref(&cut)).differing, [""; 0]);
    let limited = Row {
        stopped_by: Some("expansions".into()),
        ..cut
    };
    assert_eq!(merge(&[limited]).differing.len(), 1);
    let killed = Row {
        status: Status::Failed,
        failure: Some(Failure::Memory),
        value: None,
        ..other
    };
    assert_eq!(merge(&[killed]).differing, [""; 0]);
    // Modified programs may do anything.
    let dirty = |expanded| Row {
        dirty: true,
        expanded: Some(expanded),
        ..solved(2, "r1", 1000)
    };
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

#[test]
fn wrong_csv_is_refused_with_its_place() {
    let folder = folder();
    let path = folder.path().join("rows.csv");
    let mut file = Vec::new();
    let row = Row {
        seed: 4711,
        reason: Some("two\nlines".into()),
        ..full_row()
    };
    exchange::write_csv([row.clone(), row.clone()].iter(), &mut file).unwrap();
    let good = String::from_utf8(file).unwrap();
    let check = |text: &str, expected: &[&str]| {
        fs::write(&path, text).unwrap();
        let found = message(read(&path));
        for part in expected {
            assert!(found.contains(part), "{found}: {part}");
        }
    };
    check("", &["line 1", "no results of unriddle"]);
    check("a,b\n", &["line 1", "no results of unriddle"]);
    check(
        &good.replace("format 1", "format 2"),
        &["newer version (format 2;"],
    );
    check(
        "# unriddle results, format 1\n",
        &["line 2", "expected the column experiment"],
    );
    check(
        &good.replacen("suite", "sweet", 1),
        &["line 2, column 2", "suite", "sweet"],
    );
    check(
        &good.replacen("incumbents\n", "incumbents,x\n", 1),
        &["line 2, column 38", "found x"],
    );
    let seed = format!(",{},", row.seed);
    check(
        &good.replacen(&seed, ",x,", 1),
        &["line 3, column 8", "seed", "\"x\""],
    );
    // The first row has four line breaks of its own.
    let second = good.rfind(&seed).unwrap();
    let text = format!("{},-1,{}", &good[..second], &good[second + seed.len()..]);
    check(&text, &["line 8, column 8", "seed", "\"-1\""]);
    check(
        &good.replace(",optimal,", ",fine,"),
        &["column 17", "status", "unsolvable"],
    );
    check(
        &good.replace("0.125:5:-3", "0.125:5"),
        &["column 37", "incumbents"],
    );
    let cut = good.trim_end().rfind(',').unwrap();
    check(
        &good[..cut],
        &["line 8, column 37", "incumbents is missing"],
    );
    // What spreadsheets do to the first lines.
    let saved = good.replacen(
        "# unriddle results, format 1",
        "\u{feff}\"# unriddle results, format 1\",,,",
        1,
    );
    fs::write(&path, saved.replace("incumbents\n", "incumbents,\r\n")).unwrap();
    assert_eq!(read(&path).unwrap(), [row.clone(), row]);
}

/// A database that format 1 wrote, as it lies in `tests/data`.
#[test]
fn yesterdays_database_is_read() {
    let folder = folder();
    let path = folder.path().join("results.sqlite");
    fs::copy("tests/data/format-1.sqlite", &path).unwrap();
    let mut store = Store::open_existing(&path).unwrap();
    let rows = yesterday();
    assert_eq!(store.rows("yesterday").unwrap(), rows);
    let summary = store.summary().unwrap().remove(0);
    assert_eq!((summary.live, summary.superseded), (rows.len(), 1));
    assert_eq!(store.record(None, &[keyed(1), rows[0].clone()]).unwrap(), 1);
    fs::copy("tests/data/format-1.csv", folder.path().join("rows.csv")).unwrap();
    assert_eq!(read(&folder.path().join("rows.csv")).unwrap(), rows);
}

/// Makes the files of [`yesterdays_database_is_read`]; to be run once for each format, before it is
/// released: `cargo test -p unriddle-lab --test store make_yesterday -- --ignored`
#[test]
#[ignore = "writes files of tests/data"]
fn make_yesterday() {
    let path = Path::new("tests/data/format-1.sqlite");
    fs::create_dir_all("tests/data").unwrap();
    let _ = fs::remove_file(path);
    // Small pages for a small file.
    Connection::open(path)
        .unwrap()
        .execute_batch("PRAGMA page_size = 512; VACUUM")
        .unwrap();
    let mut store = Store::open(path).unwrap();
    let rows = yesterday();
    let old = Row {
        revision: "old".into(),
        ..rows[0].clone()
    };
    store.record(None, &[old]).unwrap();
    store.supersede("yesterday", "new").unwrap();
    store.record(None, &rows).unwrap();
    exchange::write_csv(
        rows.iter(),
        File::create("tests/data/format-1.csv").unwrap(),
    )
    .unwrap();
}
