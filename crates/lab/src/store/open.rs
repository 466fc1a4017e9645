//! Opening of databases: creates new ones, adds missing columns, and refuses other files.
//!
//! The header of a file is read before anything is written to it, so that a file that is not a
//! database of results is never changed.

use super::{
    Store,
    fault::{FOREIGN, Fault, is_busy},
    in_transaction,
    owner::Owners,
    schema::{APPLICATION_ID, FORMAT, MIGRATIONS, complete, lacking},
};
use crate::LabError;
use rusqlite::{Connection, OpenFlags, TransactionBehavior, config::DbConfig};
use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// Longest time to wait for other processes that write.
const PATIENCE: Duration = Duration::from_secs(30);

/// Database of any format up to the current one.
pub(super) struct Opened {
    pub(super) connection: Connection,
    /// Name of the file, for messages.
    pub(super) name: String,
    /// Format; 0 for an empty file.
    pub(super) format: i32,
}

impl Store {
    /// Opens the database in a file, and creates it if the file does not exist.
    ///
    /// # Errors
    /// The folder is missing, the file is not a database of results or is of another version, or it
    /// cannot be read and written.
    pub fn open(path: &Path) -> Result<Self, LabError> {
        Self::open_file(path, OpenFlags::SQLITE_OPEN_CREATE)
    }

    /// Opens the database in an existing file.
    ///
    /// # Errors
    /// As [`Store::open`], or the file does not exist.
    pub fn open_existing(path: &Path) -> Result<Self, LabError> {
        if !path.exists() {
            return Err(LabError::Store(format!(
                "{}: there is no results database; `unriddle lab run` makes one",
                path.display()
            )));
        }
        Self::open_file(path, OpenFlags::empty())
    }

    fn open_file(path: &Path, create: OpenFlags) -> Result<Self, LabError> {
        let Opened { mut connection, name, format } = connect(path, create)?;
        let ready = if (1..FORMAT).contains(&format) {
            Err(Fault::Message(format!(
                "written by an older version (format {format}; this program reads {FORMAT}): \
                 run `unriddle lab migrate {name}` once"
            )))
        } else {
            patiently(|| match format == FORMAT && lacking(&connection)?.is_empty() {
                true => Ok(()),
                false => upgrade(&mut connection, |_| Ok(())),
            })
        };
        ready.map_err(|fault| fault.of(&name))?;
        // Two names of one file (links) must lead to one folder of lock files.
        let real = fs::canonicalize(path).map_err(|e| LabError::file(path, &e))?;
        Ok(Self { connection, name, owners: Owners::beside(&real) })
    }
}

/// Connects to the database in a file, which exists unless the flags `create` are given.
pub(super) fn connect(path: &Path, create: OpenFlags) -> Result<Opened, LabError> {
    let name = path.display().to_string();
    let refuse = |message: &str| Err(LabError::Store(format!("{name}: {message}")));
    if path.file_name().is_none() || path.is_dir() {
        return refuse("a folder, or no name of a file; a results database is a file");
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    if !folder.as_os_str().is_empty() && !folder.is_dir() {
        return refuse(&format!("there is no folder {}", folder.display()));
    }
    // SQLite treats a file of one byte as empty.
    if fs::metadata(path).is_ok_and(|file| file.len() == 1) {
        return refuse(FOREIGN);
    }
    // Relative names get a folder in front: SQLite gives `:memory:` a meaning of its own.
    let path = if path.is_absolute() { path.to_owned() } else { Path::new(".").join(path) };
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | create;
    let opened = patiently(|| {
        let connection = Connection::open_with_flags(&path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        let format = format_of(&connection)?;
        // A file system without shared memory keeps its own mode, which is slower but safe.
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
        configure(&connection)?;
        Ok((connection, format))
    });
    let (connection, format) = opened.map_err(|fault| fault.of(&name))?;
    Ok(Opened { connection, name, format })
}

/// Reads the format of a database; 0 if it is empty.
fn format_of(connection: &Connection) -> Result<i32, Fault> {
    // One snapshot for all queries: another process may be creating the file.
    let _snapshot =
        connection.is_autocommit().then(|| connection.unchecked_transaction()).transpose()?;
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i32>(0));
    let application = number("PRAGMA application_id")?;
    let format = number("PRAGMA user_version")?;
    let is_empty = number("SELECT count(*) FROM sqlite_schema")? == 0;
    match (application, format) {
        (0, 0) if is_empty => Ok(0),
        (APPLICATION_ID, 1..=FORMAT) => Ok(format),
        (APPLICATION_ID, newer) if newer > FORMAT => Err(Fault::Message(format!(
            "written by a newer version (format {newer}; this program knows {FORMAT}): use that \
             version, or another --database"
        ))),
        _ => Err(Fault::Message(FOREIGN.to_owned())),
    }
}

/// Retries while other processes hold locks. Several processes may open a new file at the same
/// time, and SQLite does not wait for every lock that it takes then.
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
    // Without QPSG, SQLite prepares some statements anew for each value that is bound to them.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // The indexes of some hundred thousand runs fit into 32 MiB of cache; their keys are random.
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;
         PRAGMA cache_size = -32768;",
    )?;
    Ok(())
}

/// Applies the steps of the schema that a database has not seen, adds the columns that it lacks and
/// does `more`, all in one transaction.
pub(super) fn upgrade<T>(
    connection: &mut Connection,
    more: impl FnOnce(&Connection) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let immediate = connection.transaction_with_behavior(TransactionBehavior::Immediate);
    in_transaction(immediate, |transaction| {
        // Another process may have been faster.
        let format = format_of(transaction)?;
        for step in MIGRATIONS.iter().skip(usize::try_from(format).unwrap_or(0)) {
            transaction.execute_batch(step)?;
        }
        complete(transaction)?;
        let result = more(transaction)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", FORMAT)?;
        Ok(result)
    })
}
