//! Tables that the caller of a cache without a folder keeps, such as the page of a browser.

use crate::{
    build::{Build, follows},
    file,
    table::Table,
};
use std::sync::Arc;

/// Store of tables, in the [file format](mod@crate::file).
///
/// A table that is read is verified as a file is: its checksums, its version, and some of its
/// entries against the rules. A damaged or stale one is built again.
pub trait Store: Send + Sync {
    /// Announces that a solve will read the table of this key, which is not open, before it reads
    /// any.
    fn announce(&self, key: &str) {
        let _ = key;
    }

    /// The bytes of a table; `None` if the store does not have it.
    fn read(&self, key: &str) -> Option<Vec<u8>>;

    /// Called with a table that was built. Its stored form is the header, followed by
    /// its [packed entries](Table::packed).
    fn write(&self, key: &str, header: Vec<u8>, table: &Arc<Table>);
}

/// Reads a table from a store. `None` if the store does not have it.
///
/// # Errors
/// The defect of the bytes, or their first difference from the present rules, as a clause.
pub(crate) fn open(
    store: &dyn Store,
    what: &dyn Build,
    key: &str,
) -> Option<Result<Table, String>> {
    let opened = file::open_bytes(store.read(key)?, key, what.width());
    Some(opened.map_err(|error| error.to_string()).and_then(|(table, header)| {
        follows(what, &table, &header)?;
        Ok(table)
    }))
}
