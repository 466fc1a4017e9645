//! Which process does which run: claims, so that several processes share an experiment.

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

/// What came of the wish to do runs. Keys that were not looked at (there was enough before them) and
/// those that the owner had claimed earlier are in none of the lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// The owner's to do now.
    pub taken: Vec<Key>,
    /// Recorded already, by whomever.
    pub recorded: Vec<Key>,
    /// Claimed by another owner that lives.
    pub busy: Vec<Key>,
}

impl Store {
    /// Records the finished runs `done` as [`Store::record`] does, then claims up to `most` of `wanted`,
    /// the first that are neither recorded nor claimed. Claims of owners that died are free.
    ///
    /// All of it is one transaction: between two processes, no run is done twice, and none is lost.
    ///
    /// # Errors
    /// The disk is full, another program holds the database, or a number of `done` is too large for it.
    /// Nothing is recorded or claimed then.
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

    /// Gives back all that an owner has claimed and not recorded.
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn release(&mut self, owner: &Owner) -> Result<(), LabError> {
        self.writing(|transaction, _| forget(transaction, owner.id()))
    }
}

/// Removes the claims of the dead. There are never more claims than runs under way, so that looking at
/// all of them each time costs little.
fn bury(connection: &Connection, owners: &Owners, me: &Owner) -> Result<(), Fault> {
    let mut select = connection.prepare_cached("SELECT DISTINCT owner FROM claim")?;
    let found = select.query_map([], |row| row.get(0))?;
    for id in found.collect::<Result<Vec<String>, _>>()? {
        if id != me.id() && !owners.is_alive(&id) {
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
            (false, Some(other)) if other != owner.id() => claims.busy.push(key),
            (false, Some(_)) => {}
            (false, None) => {
                take.execute(params![experiment, blob(key), owner.id()])?;
                claims.taken.push(key);
            }
        }
    }
    Ok(claims)
}
