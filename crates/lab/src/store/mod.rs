//! The results database: one SQLite file that several processes may fill at once.
//!
//! | module | what it holds |
//! |---|---|
//! | `schema` | tables, and the steps from each older format to this one |
//! | `open` | opening, creating, and refusing what is not ours |
//! | `owner` | lock files that tell the living from the dead |
//! | `claim` | which process does which run |
//! | `write` | recording |
//! | `read` | rows and summaries |
//! | `merge` | taking over what other machines recorded |
//! | [`exchange`] | rows as CSV |
//!
//! What holds at any moment, whoever is killed and whatever disk is full:
//!
//! * a run that was reported as recorded is on the disk (`synchronous=FULL`);
//! * of all runs with one key in one experiment, at most one is live;
//! * nothing that was recorded is ever deleted: what is run again is superseded;
//! * each public call is one transaction (merging: one for every thousand rows).

mod claim;
pub mod exchange;
mod fault;
mod merge;
mod open;
mod owner;
mod read;
mod schema;
mod write;

pub use claim::Claims;
pub use merge::Merged;
pub use owner::Owner;
pub use read::Summary;

use crate::{LabError, key::Kept};
use fault::Fault;
use owner::Owners;
use rusqlite::{Connection, Transaction, TransactionBehavior};

/// A results database, opened.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    /// For messages.
    name: String,
    owners: Owners,
    /// Runs whose keys could not be translated when the file was opened.
    kept: Kept,
}

impl Store {
    /// The file's name, for messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The runs that keep the keys of an older version: known when the file is opened for the first time by this one.
    #[must_use]
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// Makes an owner of claims for this process.
    ///
    /// # Errors
    /// No lock file can be made beside the database.
    pub fn owner(&self) -> Result<Owner, LabError> {
        self.owners.enter()
    }

    /// Runs `work` in one transaction that may write from its start: what it reads cannot change before
    /// it writes. Any error undoes all of it.
    fn writing<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>, &Owners) -> Result<T, Fault>,
    ) -> Result<T, LabError> {
        let owners = &self.owners;
        let connection = &mut self.connection;
        let whole = || -> Result<T, Fault> {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let result = work(&transaction, owners)?;
            transaction.commit()?;
            Ok(result)
        };
        whole().map_err(|fault| fault.of(&self.name))
    }

    /// Runs `work` on one state of the database, whatever others write meanwhile.
    fn reading<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, LabError> {
        let whole = || -> Result<T, Fault> {
            let transaction = self.connection.unchecked_transaction()?;
            let result = work(&transaction)?;
            transaction.commit()?;
            Ok(result)
        };
        whole().map_err(|fault| fault.of(&self.name))
    }
}

#[cfg(test)]
mod tests;
