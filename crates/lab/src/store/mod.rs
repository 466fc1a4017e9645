//! Results database: one SQLite file that several processes may fill at once.
//!
//! | module | contents |
//! |---|---|
//! | `schema` | tables, and the steps from each older format to the current one |
//! | `open` | opening and creating databases, refusing other files |
//! | `owner` | lock files that distinguish living processes from dead ones |
//! | `claim` | assignment of runs to processes |
//! | `write` | recording |
//! | `read` | rows and summaries |
//! | `merge` | adding runs that other machines recorded |
//! | [`exchange`], `compact` | files of results: CSV and its compact form |
//! | [`migrate`] | results of older versions |
//!
//! Invariants at any moment, even if processes are killed or the disk is full:
//!
//! * a run that was reported as recorded is on the disk (`synchronous=FULL`);
//! * at most one run of each key and experiment is live;
//! * nothing that was recorded is ever deleted: a run that is repeated is superseded;
//! * each public call is one transaction (merging: one for every thousand rows).

mod claim;
mod compact;
pub mod exchange;
mod fault;
mod merge;
pub mod migrate;
mod open;
mod owner;
mod read;
mod schema;
mod write;

pub use claim::Claims;
pub use merge::Merged;
pub use owner::Owner;
pub use read::Summary;

use crate::LabError;
use fault::Fault;
use owner::Owners;
use rusqlite::{Connection, Transaction, TransactionBehavior};

/// Open results database.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    /// Name of the file, for messages.
    name: String,
    owners: Owners,
}

impl Store {
    /// Makes an owner of claims for this process.
    ///
    /// # Errors
    /// A lock file cannot be created beside the database.
    pub fn owner(&self) -> Result<Owner, LabError> {
        self.owners.enter()
    }

    /// Runs `work` in one transaction that holds the write lock from its start, so that the data it
    /// reads cannot change before it writes. An error undoes all of it.
    fn writing<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>, &Owners) -> Result<T, Fault>,
    ) -> Result<T, LabError> {
        let immediate = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        in_transaction(immediate, |transaction| work(transaction, &self.owners))
            .map_err(|fault| fault.of(&self.name))
    }

    /// Runs `work` on one snapshot of the database, independently of concurrent writers.
    fn reading<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, LabError> {
        in_transaction(self.connection.unchecked_transaction(), work)
            .map_err(|fault| fault.of(&self.name))
    }
}

/// Runs `work` in a transaction, which it commits unless `work` fails.
fn in_transaction<'c, T>(
    transaction: rusqlite::Result<Transaction<'c>>,
    work: impl FnOnce(&Transaction<'c>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let transaction = transaction?;
    let result = work(&transaction)?;
    transaction.commit()?;
    Ok(result)
}

#[cfg(test)]
mod tests;
