//! Keys of runs.
//!
//! A key holds the options of the solver and of its nested expressions that differ from the
//! defaults, and the versions of the declarations. An option that is added leaves all keys as they
//! are. A default that changes raises the declaration's version, and so changes the keys of the
//! runs concerned.

use crate::row::{Key, Row};
use std::collections::BTreeMap;
use unriddle_catalog::{
    Role, Spec,
    bind::{Short, shorten},
    family::Family,
    registry::expressions,
};
use xxhash_rust::xxh3::xxh3_128;

/// Prefix of the text of an external program; no solver expression begins with it.
pub(crate) const PEER_PREFIX: &str = "peer ";

/// Solver as part of a key.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    /// Expression with the options that differ from the defaults; the text of an external program.
    short: String,
    /// Versions of the puzzle and of the declarations in the expression, by role and name.
    pub(crate) versions: BTreeMap<(&'static str, &'static str), u32>,
}

impl Identity {
    /// Returns the identity of a solver, given by its text, on a puzzle.
    ///
    /// # Errors
    /// The text is invalid: the reason.
    pub(crate) fn of(family: &Family, solver: &str) -> Result<Self, String> {
        let mut identity = Self { short: solver.to_owned(), versions: BTreeMap::new() };
        if !solver.starts_with(PEER_PREFIX) {
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
}

/// Returns the key of a run, given the fields that are known before it begins and the identity of
/// its solver.
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

/// Hashes parts, each with its length, so that different lists of parts give different texts.
pub(crate) fn digest(parts: &[&str]) -> Key {
    let whole: String = parts.iter().map(|part| format!("{}:{part}", part.len())).collect();
    Key(xxh3_128(whole.as_bytes()))
}
