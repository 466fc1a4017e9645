//! Schema of the database, as the list of steps that lead to it.
//!
//! `PRAGMA user_version` is the number of steps that a file has seen. A released step is never
//! edited: a change of the schema appends a step.
//!
//! A new field of [`Row`] needs no step: the table of runs gets every column that it lacks when the
//! file is opened, and the view `runs` shows it.

use super::{fault::Fault, write::column_of_run};
use crate::row::Row;
use rusqlite::Connection;

/// Application id in the header of a results database (`UNRD`).
pub(super) const APPLICATION_ID: i32 = 0x554e_5244;

/// Step `i` leads from format `i` to format `i + 1`.
pub(super) const MIGRATIONS: &[&str] = &[FORMAT_1, FORMAT_2];

/// Format that this program reads and writes.
pub(super) const FORMAT: i32 = MIGRATIONS.len() as i32;

/// Adds the columns that the table of runs lacks, and shows them in the view.
pub(super) fn complete(connection: &Connection) -> Result<(), Fault> {
    let lacking = lacking(connection)?;
    for (name, kind) in &lacking {
        connection.execute_batch(&format!("ALTER TABLE run ADD COLUMN {name} {kind}"))?;
    }
    if !lacking.is_empty() {
        connection.execute_batch(&format!("DROP VIEW runs; {}", view()))?;
    }
    Ok(())
}

/// Returns the columns that the table of runs lacks, with their types.
pub(super) fn lacking(connection: &Connection) -> Result<Vec<(&'static str, &'static str)>, Fault> {
    let mut select = connection.prepare("SELECT name FROM pragma_table_info('run')")?;
    let there = select.query_map([], |row| row.get(0))?;
    let there: Vec<String> = there.collect::<Result<_, _>>()?;
    let own = Row::COLUMNS.iter().filter_map(|c| Some((column_of_run(c)?, c.kind)));
    Ok(own.filter(|(name, _)| !there.iter().any(|t| t == name)).collect())
}

/// View for queries by hand: every field of a run under its name.
fn view() -> String {
    let shown = Row::COLUMNS.iter().filter(|column| !column.sql.is_empty());
    let shown: Vec<String> = shown
        .map(|column| match column.kind {
            "BLOB" => format!("lower(hex({})) AS {}", column.sql, column.name),
            _ => format!("{} AS {}", column.sql, column.name),
        })
        .collect();
    format!(
        "CREATE VIEW runs AS
SELECT
    r.id AS run, r.superseded, datetime(r.started_ms / 1000, 'unixepoch') AS started,
    r.checked IS NOT 0 AND r.status IN ('optimal', 'unsolvable') AS proved,
    {},
    (SELECT count(*) FROM incumbent AS n WHERE n.run = r.id) AS incumbents
FROM run AS r
JOIN instance AS i ON i.id = r.instance
JOIN solver AS s ON s.id = r.solver
JOIN session AS b ON b.id = r.session;",
        shown.join(", ")
    )
}

/// Data that repeats from run to run (texts of instances, specs, builds) is stored once, in side
/// tables. At most one run of each key and experiment is live: the partial unique index enforces it
/// even if two processes write at once. Superseded runs are kept, but no report counts them.
const FORMAT_1: &str = "
CREATE TABLE instance (
    id INTEGER PRIMARY KEY,
    puzzle TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (puzzle, text)
) STRICT;

CREATE TABLE solver (
    id INTEGER PRIMARY KEY,
    spec TEXT NOT NULL,
    peer_version TEXT NOT NULL,
    UNIQUE (spec, peer_version)
) STRICT;

CREATE TABLE session (
    id INTEGER PRIMARY KEY,
    revision TEXT NOT NULL,
    dirty INTEGER NOT NULL CHECK (dirty IN (0, 1)),
    version TEXT NOT NULL,
    machine TEXT NOT NULL,
    UNIQUE (revision, dirty, version, machine)
) STRICT;

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    experiment TEXT NOT NULL,
    suite TEXT NOT NULL,
    name TEXT NOT NULL,
    instance INTEGER NOT NULL REFERENCES instance (id),
    solver INTEGER NOT NULL REFERENCES solver (id),
    seed INTEGER NOT NULL,
    threads INTEGER NOT NULL,
    limits TEXT NOT NULL,
    key BLOB NOT NULL CHECK (length(key) = 16),
    session INTEGER NOT NULL REFERENCES session (id),
    started_ms INTEGER NOT NULL,
    superseded INTEGER NOT NULL DEFAULT 0 CHECK (superseded IN (0, 1)),
    status TEXT NOT NULL,
    stopped_by TEXT,
    failure TEXT,
    reason TEXT,
    value INTEGER,
    length INTEGER,
    solution TEXT,
    lower_bound INTEGER,
    initial_h REAL,
    checked INTEGER,
    checked_by TEXT,
    expanded INTEGER,
    generated INTEGER,
    evaluated INTEGER,
    reopened INTEGER,
    cpu_s REAL,
    setup_cpu_s REAL,
    wall_s REAL,
    peak_accounted_bytes INTEGER,
    peak_resident_bytes INTEGER
) STRICT;

CREATE UNIQUE INDEX run_live ON run (experiment, key) WHERE superseded = 0;
CREATE INDEX run_superseded ON run (experiment, key) WHERE superseded = 1;

CREATE TABLE incumbent (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    cpu_s REAL NOT NULL,
    expanded INTEGER NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (run, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE claim (
    experiment TEXT NOT NULL,
    key BLOB NOT NULL CHECK (length(key) = 16),
    owner TEXT NOT NULL,
    PRIMARY KEY (experiment, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX claim_owner ON claim (owner);

CREATE VIEW runs AS
SELECT
    r.id AS run, r.superseded, r.experiment, r.suite, r.name AS id,
    i.puzzle, i.text AS instance, s.spec AS solver, s.peer_version,
    r.seed, r.threads, r.limits, lower(hex(r.key)) AS key,
    b.revision, b.dirty, b.version, b.machine,
    r.started_ms, datetime(r.started_ms / 1000, 'unixepoch') AS started,
    r.status, r.checked IS NOT 0 AND r.status IN ('optimal', 'unsolvable') AS proved,
    r.stopped_by, r.failure, r.reason, r.value, r.length, r.solution, r.lower_bound, r.initial_h,
    r.checked, r.checked_by, r.expanded, r.generated, r.evaluated, r.reopened,
    r.cpu_s, r.setup_cpu_s, r.wall_s, r.peak_accounted_bytes, r.peak_resident_bytes,
    (SELECT count(*) FROM incumbent AS n WHERE n.run = r.id) AS incumbents
FROM run AS r
JOIN instance AS i ON i.id = r.instance
JOIN solver AS s ON s.id = r.solver
JOIN session AS b ON b.id = r.session;
";

/// Gives networks a column of their own. In format 1 they are in the column of the versions of
/// external programs. [`migrate`](super::migrate) also translates the keys.
const FORMAT_2: &str = "
ALTER TABLE run ADD COLUMN networks TEXT;
CREATE TEMP TABLE moved AS
SELECT id, spec, peer_version AS networks FROM solver WHERE peer_version <> '' AND spec NOT GLOB 'peer *';
INSERT OR IGNORE INTO solver (spec, peer_version) SELECT spec, '' FROM moved;
UPDATE run SET networks = (SELECT networks FROM moved WHERE moved.id = run.solver),
    solver = (SELECT s.id FROM moved JOIN solver AS s ON s.spec = moved.spec AND s.peer_version = '' WHERE moved.id = run.solver)
WHERE solver IN (SELECT id FROM moved);
DELETE FROM solver WHERE id IN (SELECT id FROM moved);
DROP TABLE moved;
";
