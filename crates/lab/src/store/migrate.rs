//! Migration of results of older versions: CSV files of formats 1 and 2, databases of format 1.
//!
//! These formats have the networks of a solver in the column of the versions of external programs,
//! and keys of the first kind, which hold the solver's text with all defaults. Format 1 of CSV
//! files repeats every instance with every run, which needs no translation.

use super::{
    exchange,
    fault::Fault,
    open::{self, Opened},
    read, schema,
    write::blob,
};
use crate::{
    LabError,
    key::{Identity, PEER_PREFIX, digest, key},
    row::{Key, Row},
};
use rusqlite::{Connection, OpenFlags, params};
use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    fs::File,
    io::Read as _,
    path::Path,
};
use unriddle_catalog::registry::Registry;

/// Result of migrating a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Migrated {
    /// Number of translated runs; 0 for a file of the current format, which is left as it is.
    pub runs: usize,
    /// Runs whose keys cannot be translated.
    pub untranslated: Untranslated,
}

/// Runs that keep keys of the first kind: the number of runs by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Untranslated(BTreeMap<String, usize>);

impl Untranslated {
    /// Whether all keys are translated.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of runs.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.values().sum()
    }
}

impl fmt::Display for Untranslated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<String> = self.0.iter().map(|(why, n)| format!("{why} ({n})")).collect();
        write!(
            f,
            "{} runs keep the keys of an older version, so that no experiment finds them again: {}",
            self.count(),
            reasons.join("; ")
        )
    }
}

/// Rewrites a CSV file or a database of an older version in the current format.
///
/// # Errors
/// The file cannot be read or written, contains no results, or is of a newer version. It is
/// unchanged then.
pub fn migrate(path: &Path, registry: &Registry) -> Result<Migrated, LabError> {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(16).read_to_end(&mut head));
    read.map_err(|e| LabError::file(path, &e))?;
    let mut translator = Translator::new(registry);
    let runs = if head.starts_with(b"SQLite format 3") {
        database(path, &mut translator)?
    } else {
        csv(path, &mut translator)?
    };
    Ok(Migrated { runs, untranslated: translator.untranslated })
}

fn csv(path: &Path, translator: &mut Translator<'_>) -> Result<usize, LabError> {
    let (format, rows) = exchange::read_any(path)?;
    if format == exchange::FORMAT {
        return Ok(0);
    }
    let mut rows: Vec<Row> = rows.collect::<Result<_, _>>()?;
    rows.iter_mut().for_each(|row| translator.translate(row));
    exchange::write_file(&rows, path)
}

fn database(path: &Path, translator: &mut Translator<'_>) -> Result<usize, LabError> {
    let Opened { mut connection, name, format } = open::connect(path, OpenFlags::empty())?;
    if format == schema::FORMAT {
        return Ok(0);
    }
    open::upgrade(&mut connection, |transaction| runs(transaction, translator))
        .map_err(|fault| fault.of(&name))
}

/// Translates the keys of all runs of a database whose tables are in the current form.
fn runs(connection: &Connection, translator: &mut Translator<'_>) -> Result<usize, Fault> {
    let mut select = connection.prepare("SELECT id FROM run ORDER BY started_ms DESC, id DESC")?;
    let runs: Vec<i64> = select.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut update = connection.prepare(
        // If several live runs get the same key, the last one counts; the others are superseded.
        "UPDATE run SET key = ?2, superseded = superseded OR EXISTS (
            SELECT 1 FROM run AS other WHERE other.superseded = 0 AND other.experiment = run.experiment
                AND other.key = ?2 AND other.id <> ?1)
         WHERE id = ?1",
    )?;
    for run in &runs {
        for (_, mut row) in read::select(connection, "r.id = ?1", params![run])? {
            let before = row.key;
            translator.translate(&mut row);
            if row.key != before {
                update.execute(params![run, blob(row.key)])?;
            }
        }
    }
    Ok(runs.len())
}

/// Key of the first kind.
fn first_key(row: &Row) -> Key {
    let networks = row.networks.as_deref();
    digest(&[
        "1",
        &row.suite,
        &row.id,
        &row.puzzle,
        &row.instance,
        &row.solver,
        networks.unwrap_or(&row.peer_version),
        &row.seed.to_string(),
        &row.threads.to_string(),
        &row.limits,
    ])
}

/// Translates the keys of runs that an older version recorded.
struct Translator<'r> {
    registry: &'r Registry,
    /// Identities by puzzle and solver, which many runs share.
    identities: HashMap<(String, String), Result<Identity, String>>,
    untranslated: Untranslated,
}

impl<'r> Translator<'r> {
    fn new(registry: &'r Registry) -> Self {
        Self { registry, identities: HashMap::new(), untranslated: Untranslated::default() }
    }

    /// Moves the networks of a row into their own field and translates its key. A key that cannot
    /// be translated stays and is counted.
    fn translate(&mut self, row: &mut Row) {
        if !row.peer_version.is_empty() && !row.solver.starts_with(PEER_PREFIX) {
            row.networks = Some(std::mem::take(&mut row.peer_version));
        }
        match self.translated(row) {
            Ok(key) => row.key = key,
            Err(why) => *self.untranslated.0.entry(why).or_default() += 1,
        }
    }

    fn translated(&mut self, row: &Row) -> Result<Key, String> {
        if first_key(row) != row.key {
            return Err("the key does not match the run's own fields".to_owned());
        }
        let name = (row.puzzle.clone(), row.solver.clone());
        let registry = self.registry;
        let identity = self.identities.entry(name).or_insert_with(|| {
            let known = registry.puzzle(&row.puzzle);
            let (family, _) =
                known.map_err(|e| format!("the puzzle `{}`: {}", row.puzzle, e.message()))?;
            let identity = Identity::of(registry, family, &row.solver);
            let mut identity = identity.map_err(|e| format!("the solver `{}`: {e}", row.solver))?;
            // Every declaration had its first version at the time of the first kind of keys.
            identity.versions.values_mut().for_each(|version| *version = 1);
            Ok(identity)
        });
        identity.as_ref().map(|identity| key(row, identity)).map_err(Clone::clone)
    }
}
