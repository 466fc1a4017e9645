//! Claims, which assign runs to processes, so that several processes share an experiment.

use super::{
    Owner, Store,
    fault::Fault,
    owner::Owners,
    write::{blob, record},
};
use crate::{
    LabError,
    row::{Key, Row},
};
use rusqlite::{Connection, params};

/// Result of claiming runs. Keys after the last one needed and keys that the owner had claimed
/// earlier are in no list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// Runs that the owner is to do now.
    pub taken: Vec<Key>,
    /// Runs that are already recorded, by any process.
    pub recorded: Vec<Key>,
    /// Runs claimed by another living owner.
    pub busy: Vec<Key>,
}

impl Store {
    /// Records the finished runs `done` as [`Store::record`] does, then claims the first runs of
    /// `wanted`, at most `most`, that are neither recorded nor claimed. Claims of dead owners are
    /// free.
    ///
    /// All of it is one transaction: no run is done by two processes, and no run is lost.
    ///
    /// # Errors
    /// The disk is full, another program holds the database, or a number in `done` is too large for
    /// it. Nothing is recorded or claimed then.
    pub fn claim(
        &mut self,
        owner: &Owner,
        experiment: &str,
        wanted: &[Key],
        most: usize,
        done: &[Row],
    ) -> Result<Claims, LabError> {
        self.writing(|transaction, owners| {
            record(transaction, Some(owner), done)?;
            bury(transaction, owners, owner)?;
            claim(transaction, owner, experiment, wanted, most)
        })
    }

    /// Releases the runs that an owner has claimed and not recorded.
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn release(&mut self, owner: &Owner) -> Result<(), LabError> {
        self.writing(|transaction, _| forget(transaction, &owner.id))
    }
}

/// Removes the claims of dead owners. Checking all claims each time is cheap, because there are
/// never more claims than running runs.
fn bury(connection: &Connection, owners: &Owners, me: &Owner) -> Result<(), Fault> {
    let mut select = connection.prepare_cached("SELECT DISTINCT owner FROM claim")?;
    let found = select.query_map([], |row| row.get(0))?;
    for id in found.collect::<Result<Vec<String>, _>>()? {
        if id != me.id && !owners.is_alive(&id) {
            forget(connection, &id)?;
        }
    }
    Ok(())
}

fn forget(connection: &Connection, owner: &str) -> Result<(), Fault> {
    let mut delete = connection.prepare_cached("DELETE FROM claim WHERE owner = ?1")?;
    delete.execute([owner])?;
    Ok(())
}

fn claim(
    connection: &Connection,
    owner: &Owner,
    experiment: &str,
    wanted: &[Key],
    most: usize,
) -> Result<Claims, Fault> {
    let mut look = connection.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM run WHERE superseded = 0 AND experiment = ?1 AND key = ?2),
            (SELECT owner FROM claim WHERE experiment = ?1 AND key = ?2)",
    )?;
    let mut take = connection
        .prepare_cached("INSERT INTO claim (experiment, key, owner) VALUES (?1, ?2, ?3)")?;
    let mut claims = Claims::default();
    for &key in wanted {
        if claims.taken.len() >= most {
            break;
        }
        let state = look.query_row(params![experiment, blob(key)], |row| {
            Ok((row.get::<_, bool>(0)?, row.get::<_, Option<String>>(1)?))
        })?;
        match state {
            (true, _) => claims.recorded.push(key),
            (false, Some(other)) if other != owner.id => claims.busy.push(key),
            (false, Some(_)) => {}
            (false, None) => {
                take.execute(params![experiment, blob(key), owner.id])?;
                claims.taken.push(key);
            }
        }
    }
    Ok(claims)
}
