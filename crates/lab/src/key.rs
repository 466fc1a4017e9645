//! Keys of runs.
//!
//! A key holds the options of the solver and of its nested expressions that differ from the
//! defaults, and the versions of the declarations. An option that is added leaves all keys as they
//! are. A default that changes raises the declaration's version, and so changes the keys of the
//! runs concerned.

use crate::row::{Key, Row};
use std::{collections::BTreeMap, path::Path};
use unriddle_catalog::{
    Registry, Role, Spec,
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
    /// Build of the program, where versions do not show changes.
    build: Option<String>,
}

impl Identity {
    /// Returns the identity of a solver, given by its text, on a puzzle, in the program of a
    /// registry.
    ///
    /// # Errors
    /// The text is invalid: the reason.
    pub(crate) fn of(registry: &Registry, family: &Family, solver: &str) -> Result<Self, String> {
        let build = registry.build().map(str::to_owned);
        let mut identity = Self { short: solver.to_owned(), versions: BTreeMap::new(), build };
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
    let versions = versions.join(", ");
    let networks = row.networks.as_deref().unwrap_or_default();
    let (seed, threads) = (row.seed.to_string(), row.threads.to_string());
    let mut parts = vec![
        "2",
        &row.suite,
        &row.id,
        &row.puzzle,
        &row.instance,
        &identity.short,
        &versions,
        &row.peer_version,
        networks,
        &seed,
        &threads,
        &row.limits,
    ];
    parts.extend(identity.build.as_deref());
    digest(&parts)
}

/// Identity of a program's build: a hash of its executable.
///
/// # Errors
/// The file cannot be read.
pub fn build_of(executable: &Path) -> std::io::Result<String> {
    Ok(format!("build {:032x}", xxh3_128(&std::fs::read(executable)?)))
}

/// Hashes parts, each with its length, so that different lists of parts give different texts.
pub(crate) fn digest(parts: &[&str]) -> Key {
    let whole: String = parts.iter().map(|part| format!("{}:{part}", part.len())).collect();
    Key(xxh3_128(whole.as_bytes()))
}
