//! The keys of runs, and the translation of keys of the first kind.
//!
//! A key holds the options of the solver and of everything nested in it that differ from the
//! defaults, and the versions of the declarations. An option that is added leaves the keys of all
//! runs as they are. A default that changes raises the declaration's version, and so changes the
//! keys of the runs that it concerns. Keys of the first kind held the solver's text with all
//! defaults.

use crate::{
    peer::Peer,
    row::{Key, Row},
};
use std::{
    collections::{BTreeMap, HashMap},
    fmt,
};
use unriddle_catalog::{
    Role, Spec,
    bind::{Short, shorten},
    family::Family,
    registry::{Registry, expressions},
};
use xxhash_rust::xxh3::xxh3_128;

/// A solver as keys have it.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    /// The options that differ from the defaults; of an external program its text.
    short: String,
    /// The versions of the puzzle and of what the solver is made of.
    versions: BTreeMap<(&'static str, &'static str), u32>,
}

impl Identity {
    /// The identity of a solver, given by its text, on a puzzle.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub(crate) fn of(family: &Family, solver: &str) -> Result<Self, String> {
        let mut identity = Self { short: solver.to_owned(), versions: BTreeMap::new() };
        if !solver.starts_with(Peer::PREFIX) {
            let spec = Spec::parse(solver).map_err(|error| error.to_string())?;
            let short = shorten(&expressions(family), Role::Search, &spec);
            let Short { spec, versions } = short.map_err(|error| error.to_string())?;
            identity.short = spec.to_string();
            identity.versions = versions;
        }
        let puzzle = (Role::Puzzle.name(), family.info.name);
        identity.versions.insert(puzzle, family.info.version);
        Ok(identity)
    }

    /// The same at the time of the first kind of keys, when every declaration had its first version.
    fn first(mut self) -> Self {
        self.versions.values_mut().for_each(|version| *version = 1);
        self
    }
}

/// The key of a run: what is known of it before it begins, with the identity of its solver.
pub(crate) fn key(row: &Row, identity: &Identity) -> Key {
    let version =
        |(&(role, name), version): (&(&str, &str), &u32)| format!("{role} {name} {version}");
    let versions: Vec<String> = identity.versions.iter().map(version).collect();
    let networks = row.networks.as_deref().unwrap_or_default();
    digest(&[
        "2",
        &row.suite,
        &row.id,
        &row.puzzle,
        &row.instance,
        &identity.short,
        &versions.join(", "),
        &row.peer_version,
        networks,
        &row.seed.to_string(),
        &row.threads.to_string(),
        &row.limits,
    ])
}

/// The key of the first kind.
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

fn digest(parts: &[&str]) -> Key {
    // Every part with its length: no two lists of parts give the same text.
    let mut whole = String::new();
    for part in parts {
        whole += &format!("{}:{part}", part.len());
    }
    Key(xxh3_128(whole.as_bytes()))
}

/// Runs that keep keys of the first kind: how many, by the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept(BTreeMap<String, usize>);

impl Kept {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.values().sum()
    }
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<String> = self.0.iter().map(|(why, n)| format!("{why} ({n})")).collect();
        write!(
            f,
            "{} runs keep the keys that an older version gave them, so that no experiment finds them again: {}",
            self.count(),
            reasons.join("; ")
        )
    }
}

/// Gives runs that an older version recorded the keys that this one knows them by.
pub(crate) struct Translator<'r> {
    registry: &'r Registry,
    /// By puzzle and solver: many runs have the same.
    identities: HashMap<(String, String), Result<Identity, String>>,
    pub(crate) kept: Kept,
}

impl<'r> Translator<'r> {
    pub(crate) fn new(registry: &'r Registry) -> Self {
        Self { registry, identities: HashMap::new(), kept: Kept::default() }
    }

    /// Brings a row that an older version wrote into the current form: networks are in a field of
    /// their own, and the key is of the current kind. A key that cannot be translated is kept and
    /// counted.
    pub(crate) fn translate(&mut self, row: &mut Row) {
        if !row.peer_version.is_empty() && !row.solver.starts_with(Peer::PREFIX) {
            row.networks = Some(std::mem::take(&mut row.peer_version));
        }
        match self.translated(row) {
            Ok(key) => row.key = key,
            Err(why) => *self.kept.0.entry(why).or_default() += 1,
        }
    }

    fn translated(&mut self, row: &Row) -> Result<Key, String> {
        if first_key(row) != row.key {
            return Err("the key is not that of the run's own fields".to_owned());
        }
        let place = (row.puzzle.clone(), row.solver.clone());
        let registry = self.registry;
        let identity = self.identities.entry(place).or_insert_with(|| {
            let known = registry.puzzle(&row.puzzle);
            let (family, _) =
                known.map_err(|e| format!("the puzzle `{}`: {}", row.puzzle, e.message()))?;
            let identity = Identity::of(family, &row.solver);
            let identity = identity.map_err(|e| format!("the solver `{}`: {e}", row.solver))?;
            Ok(identity.first())
        });
        identity.as_ref().map(|identity| key(row, identity)).map_err(Clone::clone)
    }
}
