//! Tables that the host keeps for the engines after this one.
//!
//! Before a job begins, the host asks which tables it would read, and gives the kept ones among
//! them. After it, the host asks which tables were built, and reads their bytes. So the engine
//! never waits for the host.

use serde::Serialize;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};
use unriddle::catalog::tables::{Store, Table};

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tables that the host has given, and tables that it can read.
#[derive(Default)]
pub struct Kept {
    /// Bytes that no solve has read yet, by key.
    given: Mutex<HashMap<String, Vec<u8>>>,
    built: Mutex<HashMap<String, Built>>,
}

/// A table that was built.
struct Built {
    header: Arc<[u8]>,
    /// The cache keeps the table alive.
    table: Weak<Table>,
    is_listed: bool,
}

/// Key of a table and the number of its bytes.
#[derive(Serialize)]
pub struct Listed {
    key: String,
    length: u64,
}

impl Kept {
    pub(crate) fn give(&self, key: &str, bytes: Vec<u8>) {
        lock(&self.given).insert(key.to_owned(), bytes);
    }

    /// The tables that were built since the last call, sorted by key.
    pub(crate) fn built(&self) -> Vec<Listed> {
        let built = &mut *lock(&self.built);
        let new = built.iter_mut().filter(|(_, built)| !built.is_listed);
        let mut listed: Vec<_> = new
            .filter_map(|(key, built)| {
                built.is_listed = true;
                let length = built.header.len() as u64 + built.table.upgrade()?.bytes();
                Some(Listed { key: key.clone(), length })
            })
            .collect();
        listed.sort_by(|a, b| a.key.cmp(&b.key));
        listed
    }

    /// Header and table of a key that was built. The bytes of the table's file are the header and
    /// the packed entries.
    #[must_use]
    pub fn parts(&self, key: &str) -> Option<(Arc<[u8]>, Arc<Table>)> {
        let built = lock(&self.built);
        let built = built.get(key)?;
        Some((Arc::clone(&built.header), built.table.upgrade()?))
    }
}

impl Store for Kept {
    fn read(&self, key: &str) -> Option<Vec<u8>> {
        lock(&self.given).remove(key)
    }

    fn write(&self, key: &str, header: Vec<u8>, table: &Arc<Table>) {
        let (header, table) = (header.into(), Arc::downgrade(table));
        let built = Built { header, table, is_listed: false };
        lock(&self.built).insert(key.to_owned(), built);
    }
}

/// Store that writes down the keys of tables that the host has not given.
pub(crate) struct Wanted {
    pub(crate) kept: Arc<Kept>,
    pub(crate) keys: Mutex<Vec<String>>,
}

impl Wanted {
    fn want(&self, key: &str) {
        let keys = &mut *lock(&self.keys);
        if !keys.iter().any(|other| other == key) {
            keys.push(key.to_owned());
        }
    }

    /// The keys, in the order in which they were wanted.
    pub(crate) fn keys(&self) -> Vec<String> {
        lock(&self.keys).clone()
    }
}

impl Store for Wanted {
    fn announce(&self, key: &str) {
        if !lock(&self.kept.given).contains_key(key) {
            self.want(key);
        }
    }

    fn read(&self, key: &str) -> Option<Vec<u8>> {
        let read = self.kept.read(key);
        if read.is_none() {
            self.want(key);
        }
        read
    }

    fn write(&self, key: &str, header: Vec<u8>, table: &Arc<Table>) {
        self.kept.write(key, header, table);
    }
}
