//! Files that are not, or not quite, what the database and its CSV form should be, and those that older
//! versions wrote.

mod common;

use common::{folder, full_row, keyed, message, read, registry, yesterday};
use rusqlite::Connection;
use std::{
    fs::{self, File},
    path::Path,
};
use unriddle_lab::{Row, Store, store::exchange};

#[test]
fn what_is_not_ours_is_refused_and_left_alone() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    for (name, content) in
        [("byte", "h".to_owned()), ("short", "hello".to_owned()), ("long", "hello ".repeat(5000))]
    {
        fs::write(path(name), &content).unwrap();
        let text = message(Store::open(&path(name), &registry()));
        assert!(text.ends_with("not a results database of unriddle"), "{text}");
        assert_eq!(fs::read_to_string(path(name)).unwrap(), content);
    }
    let foreign = Connection::open(path("foreign")).unwrap();
    foreign.execute_batch("CREATE TABLE t (x)").unwrap();
    drop(foreign);
    let before = fs::read(path("foreign")).unwrap();
    let text = message(Store::open(&path("foreign"), &registry()));
    assert!(text.ends_with("not a results database of unriddle"), "{text}");
    assert_eq!(fs::read(path("foreign")).unwrap(), before);

    drop(Store::open(&path("newer"), &registry()).unwrap());
    let newer = Connection::open(path("newer")).unwrap();
    newer.pragma_update(None, "user_version", 7).unwrap();
    drop(newer);
    let text = message(Store::open(&path("newer"), &registry()));
    let said = "newer: written by a newer version (format 7; this program knows 2): use that version, \
                or another --database";
    assert!(text.ends_with(said), "{text}");

    let text = message(Store::open(&path("no/such/results.sqlite"), &registry()));
    assert!(text.contains("there is no folder"), "{text}");
    assert!(message(Store::open(folder.path(), &registry())).contains("a folder"));
    let text = message(Store::open_existing(&path("none"), &registry()));
    assert!(text.contains("there is no results database"), "{text}");
    assert!(!path("none").exists());
}

#[test]
fn a_damaged_database_is_no_panic() {
    let folder = folder();
    let path = folder.path().join("results.sqlite");
    let mut store = Store::open(&path, &registry()).unwrap();
    store.record(None, &(0..500).map(keyed).collect::<Vec<_>>()).unwrap();
    drop(store);
    let whole = fs::read(&path).unwrap();
    for at in (100..whole.len()).step_by(997) {
        let mut bytes = whole.clone();
        let end = whole.len().min(at + 64);
        bytes[at..end].fill(0xff);
        fs::write(&path, bytes).unwrap();
        if let Ok(mut store) = Store::open(&path, &registry()) {
            let _ = (store.rows("e"), store.summary(), store.finished("e"));
            let _ = store.record(None, &[keyed(1000)]);
        }
        for end in ["-wal", "-shm"] {
            let _ = fs::remove_file(folder.path().join(format!("results.sqlite{end}")));
        }
    }
}

#[test]
fn wrong_csv_is_refused_with_its_place() {
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
    check("# unriddle results, format 1\n", &["line 2", "expected the column experiment"]);
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
    // What spreadsheets do to the first lines.
    let saved = good.replacen(
        "# unriddle results, format 3",
        "\u{feff}\"# unriddle results, format 3\",,,",
        1,
    );
    fs::write(&path, saved.replace("incumbents\n", "incumbents,\r\n")).unwrap();
    assert_eq!(read(&path).unwrap(), [row.clone(), row]);
}

/// What older versions wrote, as it lies in `tests/data`. The rows' keys are made up: they are kept, and it is said.
#[test]
fn yesterdays_files_are_read() {
    let folder = folder();
    let path = folder.path().join("results.sqlite");
    for (database, csv, rows, kept) in [
        ("format-1.sqlite", "format-1.csv", yesterday(true), true),
        ("format-2.sqlite", "format-3.csv", yesterday(false), false),
    ] {
        let data = Path::new("tests/data");
        fs::copy(data.join(database), &path).unwrap();
        let mut store = Store::open_existing(&path, &registry()).unwrap();
        // One row more is superseded.
        let count = if kept { rows.len() + 1 } else { 0 };
        assert_eq!(store.kept().count(), count);
        assert_eq!(store.rows("yesterday").unwrap(), rows);
        let summary = store.summary().unwrap().remove(0);
        assert_eq!((summary.live, summary.superseded), (rows.len(), 1));
        assert_eq!(store.record(None, &[keyed(1), rows[0].clone()]).unwrap(), 1);
        drop(store);
        let again = Store::open_existing(&path, &registry()).unwrap();
        assert!(again.kept().is_empty(), "said once");
        drop(again);
        assert_eq!(read(&data.join(csv)).unwrap(), rows);
        let registry = registry();
        let mut back = exchange::read_csv(&data.join(csv), &registry).unwrap();
        assert_eq!(back.by_ref().count(), rows.len());
        assert_eq!(back.kept().count(), if kept { rows.len() } else { 0 });
        let said = back.kept().to_string();
        assert!(!kept || said.contains("not that of the run's own fields (3)"), "{said}");
        fs::remove_file(&path).unwrap();
    }
}

/// Makes the files of today's format for [`yesterdays_files_are_read`]; to be run once for each format, before it is
/// released: `cargo test -p unriddle-lab --test store_files make_yesterday -- --ignored`
#[test]
#[ignore = "writes files of tests/data"]
fn make_yesterday() {
    let path = Path::new("tests/data/format-2.sqlite");
    fs::create_dir_all("tests/data").unwrap();
    let _ = fs::remove_file(path);
    // Small pages for a small file.
    Connection::open(path).unwrap().execute_batch("PRAGMA page_size = 512; VACUUM").unwrap();
    let mut store = Store::open(path, &registry()).unwrap();
    let rows = yesterday(false);
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
    drop(Store::open(&path, &registry()).unwrap());
    let connection = Connection::open(&path).unwrap();
    let lack = "DROP VIEW runs; ALTER TABLE run DROP COLUMN measures; CREATE VIEW runs AS SELECT id FROM run;";
    connection.execute_batch(lack).unwrap();
    let mut store = Store::open(&path, &registry()).unwrap();
    store.record(None, &[full_row()]).unwrap();
    assert_eq!(store.rows("full").unwrap(), [full_row()]);
    let shown: String = connection
        .query_row("SELECT measures FROM runs WHERE measure = 'pushes'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(shown, "pushes=3 moves=5");
}

/// A long instance is written once; without the run that it stands with, `=` is refused with its place.
#[test]
fn long_instances_stand_once() {
    let instance = "0123456789".repeat(2000);
    let rows: Vec<Row> =
        (0..3).map(|seed| Row { seed, instance: instance.clone(), ..full_row() }).collect();
    let folder = folder();
    let path = folder.path().join("rows.csv");
    exchange::write_csv(rows.iter(), File::create(&path).unwrap()).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches(&instance).count(), 1);
    let back: Result<Vec<Row>, _> = exchange::read_csv(&path, &registry()).unwrap().collect();
    assert_eq!(back.unwrap(), rows);
    fs::write(&path, text.replacen(&instance, "=", 1)).unwrap();
    let registry = registry();
    let mut back = exchange::read_csv(&path, &registry).unwrap();
    let told = message(back.next().unwrap());
    assert!(told.contains("there is none above"), "{told}");
}
