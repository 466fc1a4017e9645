//! Damaged and foreign files, and files of older versions.

mod common;

use common::{folder, full_row, keyed, message, read, recorded, registry};
use rusqlite::Connection;
use std::{
    fs::{self, File},
    path::Path,
};
use unriddle_lab::{
    Row, Store,
    store::{exchange, migrate::migrate},
};

#[test]
fn foreign_files_are_rejected_and_unchanged() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    for (name, content) in
        [("byte", "h".to_owned()), ("short", "hello".to_owned()), ("long", "hello ".repeat(5000))]
    {
        fs::write(path(name), &content).unwrap();
        let text = message(Store::open(&path(name)));
        assert!(text.ends_with("not a results database of unriddle"), "{text}");
        assert_eq!(fs::read_to_string(path(name)).unwrap(), content);
    }
    let foreign = Connection::open(path("foreign")).unwrap();
    foreign.execute_batch("CREATE TABLE t (x)").unwrap();
    drop(foreign);
    let before = fs::read(path("foreign")).unwrap();
    let text = message(Store::open(&path("foreign")));
    assert!(text.ends_with("not a results database of unriddle"), "{text}");
    assert_eq!(fs::read(path("foreign")).unwrap(), before);

    drop(Store::open(&path("newer")).unwrap());
    let newer = Connection::open(path("newer")).unwrap();
    newer.pragma_update(None, "user_version", 7).unwrap();
    drop(newer);
    let text = message(Store::open(&path("newer")));
    let expected = "newer: written by a newer version (format 7; this program knows 2): use that version, \
                or another --database";
    assert!(text.ends_with(expected), "{text}");

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
    store.record(None, &(0..500).map(keyed).collect::<Vec<_>>()).unwrap();
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
fn invalid_csv_is_rejected_with_its_position() {
    let folder = folder();
    let path = folder.path().join("rows.csv");
    let mut file = Vec::new();
    let row = Row { seed: 4711, reason: Some("two\nlines".into()), ..full_row() };
    exchange::write_csv([row.clone(), row.clone()].iter(), &mut file).unwrap();
    let good = String::from_utf8(file).unwrap();
    // Incumbents are the last column.
    let last = good.lines().nth(1).unwrap().split(',').count();
    let check = |text: &str, expected: &[&str]| {
        fs::write(&path, text).unwrap();
        let found = message(read(&path));
        for part in expected {
            assert!(found.contains(part), "{found}: {part}");
        }
    };
    check("", &["line 1", "no results of unriddle"]);
    check("a,b\n", &["line 1", "no results of unriddle"]);
    check(&good.replace("format 3", "format 4"), &["newer version (format 4;"]);
    check("# unriddle results, format 3\n", &["line 2", "expected the column experiment"]);
    check(&good.replace("format 3", "format 2"), &["format 2;", "run `unriddle lab migrate "]);
    check(&good.replacen("suite", "sweet", 1), &["line 2, column 2", "no column", "sweet"]);
    check(
        &good.replacen("incumbents\n", "incumbents,x\n", 1),
        &[&format!("line 2, column {}", last + 1), "called x"],
    );
    let seed = format!(",{},", row.seed);
    check(&good.replacen(&seed, ",x,", 1), &["line 3, column 8", "seed", "\"x\""]);
    // The first row has four line breaks of its own.
    let second = good.rfind(&seed).unwrap();
    let text = format!("{},-1,{}", &good[..second], &good[second + seed.len()..]);
    check(&text, &["line 8, column 8", "seed", "\"-1\""]);
    check(&good.replace(",optimal,", ",fine,"), &["column 17", "status", "unsolvable"]);
    check(&good.replace("0.125:5:-3", "0.125:5"), &[&format!("column {last}"), "incumbents"]);
    let cut = good.trim_end().rfind(',').unwrap();
    check(&good[..cut], &[&format!("line 8, column {last}"), "incumbents is missing"]);
    // Spreadsheets change the first lines when they save a file.
    let saved = good.replacen(
        "# unriddle results, format 3",
        "\u{feff}\"# unriddle results, format 3\",,,",
        1,
    );
    fs::write(&path, saved.replace("incumbents\n", "incumbents,\r\n")).unwrap();
    assert_eq!(read(&path).unwrap(), [row.clone(), row]);
}

/// The keys of the rows in `tests/data` are made up: they stay and are counted.
#[test]
fn files_of_older_versions_are_migrated() {
    let folder = folder();
    let path = folder.path().join("results.sqlite");
    let copy = folder.path().join("rows.csv");
    for (database, csv, is_old) in
        [("format-1.sqlite", "format-1.csv", true), ("format-2.sqlite", "format-3.csv", false)]
    {
        let (data, rows) = (Path::new("tests/data"), recorded(is_old));
        fs::copy(data.join(database), &path).unwrap();
        fs::copy(data.join(csv), &copy).unwrap();
        if is_old {
            for text in [message(Store::open_existing(&path)), message(read(&copy))] {
                assert!(text.contains("run `unriddle lab migrate "), "{text}");
            }
        }
        // One more row of the database is superseded.
        let counts = |runs| if is_old { (runs, runs) } else { (0, 0) };
        for (file, runs) in [(&path, rows.len() + 1), (&copy, rows.len())] {
            let migrated = migrate(file, &registry()).unwrap();
            assert_eq!((migrated.runs, migrated.untranslated.count()), counts(runs));
            let text = migrated.untranslated.to_string();
            let reason = format!("does not match the run's own fields ({runs})");
            assert!(!is_old || text.contains(&reason), "{text}");
            assert_eq!(migrate(file, &registry()).unwrap().runs, 0, "migrated once");
        }
        assert_eq!(read(&copy).unwrap(), rows);
        let mut store = Store::open_existing(&path).unwrap();
        assert_eq!(store.rows("yesterday").unwrap(), rows);
        let summary = store.summary().unwrap().remove(0);
        assert_eq!((summary.live, summary.superseded), (rows.len(), 1));
        assert_eq!(store.record(None, &[keyed(1), rows[0].clone()]).unwrap(), 1);
        drop(store);
        fs::remove_file(&path).unwrap();
    }
}

/// A truncated or damaged compact file is an error, not a panic.
#[test]
fn damaged_compact_files_are_rejected() {
    let folder = folder();
    let path = folder.path().join("rows.csv.zst");
    let rows: Vec<Row> = (0..50).map(keyed).chain([full_row()]).collect();
    exchange::write_file(&rows, &path).unwrap();
    let whole = fs::read(&path).unwrap();
    assert!(!folder.path().join("rows.csv.zst.partial").exists());
    for end in 0..whole.len() {
        fs::write(&path, &whole[..end]).unwrap();
        assert!(read(&path).is_err(), "{end}");
        let mut bytes = whole.clone();
        bytes[end] ^= 0xff;
        fs::write(&path, bytes).unwrap();
        let _ = read(&path);
    }
}

/// Makes the files of the current format for [`files_of_older_versions_are_migrated`]; to be run
/// once for each format, before it is released: `cargo test -p unriddle-lab --test store_files
/// make_files_of_the_current_format -- --ignored`
#[test]
#[ignore = "writes files of tests/data"]
fn make_files_of_the_current_format() {
    let path = Path::new("tests/data/format-2.sqlite");
    fs::create_dir_all("tests/data").unwrap();
    let _ = fs::remove_file(path);
    // Small pages for a small file.
    Connection::open(path).unwrap().execute_batch("PRAGMA page_size = 512; VACUUM").unwrap();
    let mut store = Store::open(path).unwrap();
    let rows = recorded(false);
    let old = Row { revision: "old".into(), ..rows[0].clone() };
    store.record(None, &[old]).unwrap();
    store.supersede("yesterday", "new", &[rows[0].key]).unwrap();
    store.record(None, &rows).unwrap();
    exchange::write_csv(rows.iter(), File::create("tests/data/format-3.csv").unwrap()).unwrap();
}

/// A field that a later version adds is a column that a file of this version lacks.
#[test]
fn a_database_gets_the_columns_that_it_lacks() {
    let folder = folder();
    let path = folder.path().join("results.sqlite");
    drop(Store::open(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    let lack = "DROP VIEW runs; ALTER TABLE run DROP COLUMN measures; CREATE VIEW runs AS SELECT id FROM run;";
    connection.execute_batch(lack).unwrap();
    let mut store = Store::open(&path).unwrap();
    store.record(None, &[full_row()]).unwrap();
    assert_eq!(store.rows("full").unwrap(), [full_row()]);
    let shown: String = connection
        .query_row("SELECT measures FROM runs WHERE measure = 'pushes'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(shown, "pushes=3 moves=5");
}

/// A long instance is written once; `=` without such a run is rejected with its position.
#[test]
fn long_instances_are_written_once() {
    let instance = "0123456789".repeat(2000);
    let rows: Vec<Row> =
        (0..3).map(|seed| Row { seed, instance: instance.clone(), ..full_row() }).collect();
    let folder = folder();
    let path = folder.path().join("rows.csv");
    exchange::write_csv(rows.iter(), File::create(&path).unwrap()).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches(&instance).count(), 1);
    let back: Result<Vec<Row>, _> = exchange::read(&path).unwrap().collect();
    assert_eq!(back.unwrap(), rows);
    fs::write(&path, text.replacen(&instance, "=", 1)).unwrap();
    let mut back = exchange::read(&path).unwrap();
    let text = message(back.next().unwrap());
    assert!(text.contains("there is no such line"), "{text}");
}
