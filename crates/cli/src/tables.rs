//! `unriddle tables`: build, list and remove pattern databases.

use crate::{
    args::{CacheOptions, Tables, TablesVerb},
    exit::{Failure, INPUT, UNSUPPORTED},
    inputs,
    progress::{self, Display},
    solve::cancel_on_signal,
    units::{show_bytes, show_count, show_seconds},
};
use std::{io::Write as _, time::Instant};
use unriddle_catalog::{
    Spec, registry,
    tables::{Cache, Policy},
};

pub(crate) fn run(options: &Tables) -> Result<(), Failure> {
    match &options.verb {
        TablesVerb::Build { puzzle, heuristic, cache, threads } => {
            let threads = threads.map_or_else(inputs::cores, usize::from);
            build(puzzle, heuristic, cache, threads)
        }
        TablesVerb::Info { cache } => info(cache),
        TablesVerb::Clean { cache } => clean(cache),
    }
}

fn build(
    puzzle: &str,
    heuristic: &str,
    options: &CacheOptions,
    threads: usize,
) -> Result<(), Failure> {
    let (_, puzzle) = registry::puzzle(puzzle)?;
    let tables = puzzle.tables(&Spec::parse(heuristic)?)?;
    if tables.is_empty() {
        let message = format!("`{heuristic}` has no tables to build");
        return Err(Failure::new(UNSUPPORTED, message));
    }
    let cancel = cancel_on_signal();
    let display = Display::new();
    let folder = inputs::cache_folder(options);
    let policy = inputs::policy(options);
    let cache = progress::cache(folder, threads, policy, &display, &cancel);
    let mut out = std::io::stdout();
    for table in &tables {
        let begun = Instant::now();
        let opened = cache.get(&**table)?;
        let path = cache.path(&**table).filter(|path| path.exists());
        let Some(path) = path else {
            let message = "the table was built but cannot be kept in the cache folder";
            return Err(Failure::new(INPUT, message));
        };
        writeln!(
            out,
            "{}: {} entries, {}, {}",
            path.display(),
            show_count(opened.entries()),
            show_bytes(opened.bytes()),
            show_seconds(begun.elapsed().as_secs_f64())
        )
        .map_err(|error| Failure::output(&error))?;
    }
    Ok(())
}

fn info(options: &CacheOptions) -> Result<(), Failure> {
    let cache = Cache::new(inputs::cache_folder(options), 1, Policy::Reuse);
    let mut out = std::io::stdout();
    let mut write = || -> std::io::Result<Result<(), Failure>> {
        if let Some(folder) = cache.folder() {
            writeln!(out, "{}", folder.display())?;
        }
        let entries = match cache.entries() {
            Ok(entries) => entries,
            Err(error) => return Ok(Err(error.into())),
        };
        for entry in entries {
            let name = entry.path.file_name().unwrap_or_default().to_string_lossy();
            match &entry.header {
                Ok(header) => writeln!(
                    out,
                    "  {name}: {}, {} entries, {}",
                    header.key,
                    show_count(header.entries),
                    show_bytes(entry.bytes)
                )?,
                Err(error) => writeln!(out, "  {name}: {}, unusable: {error}", show_bytes(entry.bytes))?,
            }
        }
        Ok(Ok(()))
    };
    write().map_err(|error| Failure::output(&error))?
}

fn clean(options: &CacheOptions) -> Result<(), Failure> {
    let cache = Cache::new(inputs::cache_folder(options), 1, Policy::Reuse);
    let (bytes, count) = cache.clean()?;
    writeln!(std::io::stdout(), "{count} files removed, {} freed", show_bytes(bytes))
        .map_err(|error| Failure::output(&error))
}
