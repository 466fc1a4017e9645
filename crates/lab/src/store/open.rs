//! Opening a database: creating it, bringing it up to date, refusing what is not ours.
//!
//! A file that is not ours is never written to: the header is read before anything else happens.

use super::{
    Store,
    fault::{FOREIGN, Fault, is_busy},
    owner::Owners,
    read,
    schema::{APPLICATION_ID, FORMAT, MIGRATIONS, OLD_KEYS, complete, lacking},
    write::blob,
};
use crate::{
    LabError,
    key::{Kept, Translator},
};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, config::DbConfig, params};
use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};
use unriddle_catalog::registry::Registry;

/// How long to wait for other processes that write.
const PATIENCE: Duration = Duration::from_secs(30);

impl Store {
    /// Opens the database in a file, and makes it if there is none. Keys of an older format are translated.
    ///
    /// # Errors
    /// The folder is missing, the file is something else or of a newer version, or it cannot be read
    /// and written.
    pub fn open(path: &Path, registry: &Registry) -> Result<Self, LabError> {
        Self::open_file(path, OpenFlags::SQLITE_OPEN_CREATE, registry)
    }

    /// Opens the database in a file that is already there.
    ///
    /// # Errors
    /// As [`Store::open`], or there is no such file.
    pub fn open_existing(path: &Path, registry: &Registry) -> Result<Self, LabError> {
        if !path.exists() {
            return Err(LabError::Store(format!(
                "{}: there is no results database; `unriddle lab run` makes one",
                path.display()
            )));
        }
        Self::open_file(path, OpenFlags::empty(), registry)
    }

    /// A database in memory, gone when it is dropped.
    ///
    /// # Errors
    /// No memory.
    pub fn in_memory() -> Result<Self, LabError> {
        let name = "the database in memory".to_owned();
        let open = || -> Result<Connection, Fault> {
            let mut connection = Connection::open_in_memory()?;
            configure(&connection)?;
            migrate(&mut connection, None)?;
            Ok(connection)
        };
        Ok(Self {
            connection: open().map_err(|fault| fault.of(&name))?,
            name,
            owners: Owners::Memory(Default::default()),
            kept: Kept::default(),
        })
    }

    fn open_file(path: &Path, create: OpenFlags, registry: &Registry) -> Result<Self, LabError> {
        let name = path.display().to_string();
        let refuse = |message: &str| Err(LabError::Store(format!("{name}: {message}")));
        if path.file_name().is_none() || path.is_dir() {
            return refuse("a folder, or no name of a file; a results database is a file");
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        if !folder.as_os_str().is_empty() && !folder.is_dir() {
            return refuse(&format!("there is no folder {}", folder.display()));
        }
        // SQLite takes a file of one byte for an empty one.
        if fs::metadata(path).is_ok_and(|file| file.len() == 1) {
            return refuse(FOREIGN);
        }
        // Relative names get a folder in front: SQLite gives `:memory:` a meaning of its own.
        let path = if path.is_absolute() { path.to_owned() } else { Path::new(".").join(path) };
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | create;
        let (connection, kept) = patiently(|| {
            let mut connection = Connection::open_with_flags(&path, flags)?;
            connection.busy_timeout(PATIENCE)?;
            format_of(&connection)?;
            // A file system without shared memory keeps its own mode; all is then slower, but safe.
            connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
            configure(&connection)?;
            let kept = migrate(&mut connection, Some(registry))?;
            Ok((connection, kept))
        })
        .map_err(|fault| fault.of(&name))?;
        // Two names of one file (links) must lead to one folder of lock files.
        let real = fs::canonicalize(&path).map_err(|e| LabError::file(&path, &e))?;
        Ok(Self { connection, name, owners: Owners::beside(&real), kept })
    }
}

/// The format of a file: 0 where nothing is in it yet.
fn format_of(connection: &Connection) -> Result<i32, Fault> {
    // All at one moment: another process may be making the file.
    let _snapshot =
        connection.is_autocommit().then(|| connection.unchecked_transaction()).transpose()?;
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i32>(0));
    let application = number("PRAGMA application_id")?;
    let format = number("PRAGMA user_version")?;
    let is_empty = number("SELECT count(*) FROM sqlite_schema")? == 0;
    match (application, format) {
        (0, 0) if is_empty => Ok(0),
        (APPLICATION_ID, 1..=FORMAT) => Ok(format),
        (APPLICATION_ID, newer) if newer > FORMAT => Err(Fault::Said(format!(
            "written by a newer version (format {newer}; this program knows {FORMAT}): use that \
             version, or another --database"
        ))),
        _ => Err(Fault::Said(FOREIGN.to_owned())),
    }
}

/// Tries again while others are in the way. Several processes may open a new file at the same time, and
/// SQLite does not wait for every lock that it takes then.
fn patiently<T>(mut open: impl FnMut() -> Result<T, Fault>) -> Result<T, Fault> {
    let start = Instant::now();
    loop {
        match open() {
            Err(Fault::Sql(error)) if is_busy(&error) && start.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(10));
            }
            result => return result,
        }
    }
}

fn configure(connection: &Connection) -> Result<(), Fault> {
    connection.set_prepared_statement_cache_capacity(64);
    // Otherwise SQLite prepares some statements anew for each value that is bound to them.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // The indexes of some hundred thousand runs fit into 32 MiB of cache: their keys come in no order.
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;
         PRAGMA cache_size = -32768;",
    )?;
    Ok(())
}

/// Applies the steps that a file has not seen and adds the columns that it lacks, all or none.
/// Returns the runs whose keys could not be translated.
fn migrate(connection: &mut Connection, registry: Option<&Registry>) -> Result<Kept, Fault> {
    if format_of(connection)? == FORMAT && lacking(connection)?.is_empty() {
        return Ok(Kept::default());
    }
    let transaction: Transaction<'_> =
        connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    let format = format_of(&transaction)?;
    let mut kept = Kept::default();
    for step in MIGRATIONS.iter().skip(usize::try_from(format).unwrap_or(0)) {
        transaction.execute_batch(step)?;
    }
    complete(&transaction)?;
    if let (1..=OLD_KEYS, Some(registry)) = (format, registry) {
        kept = translate(&transaction, registry)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", FORMAT)?;
    transaction.commit()?;
    Ok(kept)
}

/// Gives all runs keys of today's kind.
fn translate(connection: &Connection, registry: &Registry) -> Result<Kept, Fault> {
    let mut translator = Translator::new(registry);
    let mut select = connection.prepare("SELECT id FROM run ORDER BY started_ms DESC, id DESC")?;
    let runs: Vec<i64> = select.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut update = connection.prepare(
        // Of live runs that turn out to be the same one, the last counts; the others are kept.
        "UPDATE run SET key = ?2, superseded = superseded OR EXISTS (
            SELECT 1 FROM run AS other WHERE other.superseded = 0 AND other.experiment = run.experiment
                AND other.key = ?2 AND other.id <> ?1)
         WHERE id = ?1",
    )?;
    for run in runs {
        for (_, mut row) in read::select(connection, "r.id = ?1", params![run])? {
            let before = row.key;
            translator.translate(&mut row);
            if row.key != before {
                update.execute(params![run, blob(row.key)])?;
            }
        }
    }
    Ok(translator.kept)
}
