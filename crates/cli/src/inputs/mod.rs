//! Instances from arguments, files and standard input, and other inputs that commands have in
//! common.

use crate::{
    args::shared::{CacheFolder, CacheOptions},
    exit::Failure,
};
use etcetera::BaseStrategy as _;
use std::path::PathBuf;
use unriddle_catalog::{AnyPuzzle, Family, Registry, tables::Policy};

mod choice;
mod entries;
mod text;

pub(crate) use choice::Choice;
pub(crate) use entries::{Entries, Entry, Refused, all, one, pick, strict, with_solutions};
pub(crate) use text::{name_of, read, records, solved};

/// The puzzle of a spec.
pub(crate) fn puzzle(
    registry: &Registry,
    spec: &str,
) -> Result<(&'static Family, Box<dyn AnyPuzzle>), Failure> {
    registry.puzzle(spec).map_err(|error| Failure::spec("puzzle", &error))
}

/// The folder of tables: the requested one, or the platform's cache folder.
pub(crate) fn cache_folder(options: &CacheFolder) -> Option<PathBuf> {
    options.cache.clone().or_else(|| {
        let base = etcetera::choose_base_strategy().ok()?;
        Some(base.cache_dir().join("unriddle"))
    })
}

/// Policy for stored tables.
pub(crate) fn policy(options: &CacheOptions) -> Policy {
    if options.rebuild { Policy::Rebuild } else { Policy::Reuse }
}

/// Number of cores.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
