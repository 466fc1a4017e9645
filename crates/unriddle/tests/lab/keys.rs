//! Keys of runs of older versions, which name solvers with all their options.

use rusqlite::Connection;
use std::fs::{self, File};
use unriddle::lab::{
    Row, Store,
    row::Key,
    store::{
        exchange,
        migrate::{Untranslated, migrate},
    },
};

/// A run with a key of the first kind gets its current key; an option that its text does not name
/// has its default. A key that cannot be translated stays.
#[test]
fn old_keys_are_translated() {
    let folder = tempfile::tempdir().unwrap();
    let (path, csv) = (folder.path().join("results.sqlite"), folder.path().join("rows.csv"));
    let row = |solver: &str, puzzle: &str| {
        let row = Row {
            experiment: "old".into(),
            suite: "s".into(),
            id: solver.into(),
            puzzle: puzzle.into(),
            instance: "1 2 3 4 5 6 7 0 8".into(),
            solver: solver.into(),
            peer_version: if solver.contains("net") { "tiles8 11ee".into() } else { String::new() },
            limits: "time=1s".into(),
            ..Row::default()
        };
        let parts = [
            "1",
            "s",
            solver,
            puzzle,
            &row.instance,
            solver,
            &row.peer_version,
            "0",
            "1",
            "time=1s",
        ];
        let whole: String = parts.iter().map(|part| format!("{}:{part}", part.len())).collect();
        Row { key: Key(xxhash_rust::xxh3::xxh3_128(whole.as_bytes())), ..row }
    };
    let all = [
        row("astar(manhattan, w=1)", "tiles"),
        row("greedy(net(tiles8, precision=single, parity=off, mirror=off, less=0))", "tiles"),
        row("peer p: p #00000000", "tiles"),
        row("astar(manhattan, w=1)", "no-such-puzzle"),
        row("astar(manhattan, gone=1)", "tiles"),
        Row { key: Key(5), ..row("bfs", "tiles") },
    ];
    let check = |rows: &[Row], untranslated: &Untranslated| {
        let changed: Vec<bool> =
            rows.iter().zip(&all).map(|(now, old)| now.key != old.key).collect();
        assert_eq!(changed, [true, true, true, false, false, false]);
        assert_eq!(
            (rows[1].networks.as_deref(), &*rows[1].peer_version),
            (Some("tiles8 11ee"), "")
        );
        let message = untranslated.to_string();
        for part in ["3 runs", "no-such-puzzle", "gone", "own fields (1)"] {
            assert!(message.contains(part), "{message}");
        }
    };
    // The file as an older version would have written it, with the columns that it lacks left
    // empty.
    exchange::write_csv(all.iter(), File::create(&csv).unwrap()).unwrap();
    let text = fs::read_to_string(&csv).unwrap().replacen("format 3", "format 2", 1);
    fs::write(&csv, &text).unwrap();
    let registry = unriddle::registry();
    let message = exchange::read(&csv).err().unwrap().to_string();
    assert!(message.contains("run `unriddle lab migrate "), "{message}");
    let migrated = migrate(&csv, &registry).unwrap();
    assert_eq!(migrated.runs, all.len());
    let rows: Vec<Row> = exchange::read(&csv).unwrap().collect::<Result<_, _>>().unwrap();
    check(&rows, &migrated.untranslated);
    assert_eq!(migrate(&csv, &registry).unwrap(), Default::default());

    // The same in a database of the old format.
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../lab/tests/data/format-1.sqlite");
    fs::copy(data, &path).unwrap();
    let connection = Connection::open(&path).unwrap();
    for (n, row) in all.iter().enumerate() {
        let n = n as i64 + 100;
        let put =
            |sql: &str, entry: &[&dyn rusqlite::ToSql]| connection.execute(sql, entry).unwrap();
        put(
            "INSERT OR IGNORE INTO instance VALUES (?1, ?2, ?3)",
            &[&n, &row.puzzle, &row.instance],
        );
        put(
            "INSERT OR IGNORE INTO solver VALUES (?1, ?2, ?3)",
            &[&n, &row.solver, &row.peer_version],
        );
        put(
            "INSERT INTO run (id, experiment, suite, name, instance, solver, seed, threads, limits, key, session, started_ms, status)
             SELECT ?1, 'old', 's', ?2, i.id, s.id, 0, 1, 'time=1s', ?3, 1, ?1, 'failed' FROM instance AS i, solver AS s
             WHERE i.puzzle = ?4 AND i.text = ?5 AND s.spec = ?6 AND s.peer_version = ?7",
            &[&n, &row.id, &row.key.0.to_be_bytes(), &row.puzzle, &row.instance, &row.solver, &row.peer_version],
        );
    }
    drop(connection);
    let message = Store::open_existing(&path).err().unwrap().to_string();
    assert!(message.contains("run `unriddle lab migrate "), "{message}");
    // Four more runs are in the file already.
    let migrated = migrate(&path, &registry).unwrap();
    assert_eq!((migrated.runs, migrated.untranslated.count()), (all.len() + 4, 3 + 4));
    let store = Store::open_existing(&path).unwrap();
    let found = store.rows("old").unwrap();
    let same: Vec<Key> = found.iter().map(|row| row.key).collect();
    assert_eq!(same, rows.iter().map(|row| row.key).collect::<Vec<_>>());
}
