//! `unriddle tables`: build, list and remove pattern databases.

use crate::{
    args::{
        Tables, TablesVerb,
        shared::{CacheFolder, CacheOptions},
    },
    exit::{Failure, INPUT, UNSUPPORTED},
    inputs,
    progress::{self, Display},
    signal,
};
use std::{io::Write as _, time::Instant};
use unriddle_catalog::{
    AnyPuzzle, Registry, SolveError, Spec,
    tables::{Cache, Policy},
    units::{show_bytes, show_count, show_seconds},
};

pub(crate) fn run(registry: &Registry, options: &Tables) -> Result<(), Failure> {
    match &options.verb {
        TablesVerb::Build { puzzle, heuristic, cache, threads } => {
            let threads = threads.map_or_else(inputs::cores, usize::from);
            let (_, puzzle) = inputs::puzzle(registry, puzzle)?;
            build(&*puzzle, heuristic, cache, threads)
        }
        TablesVerb::Info { cache } => info(cache),
        TablesVerb::Clean { cache } => clean(cache),
    }
}

fn build(
    puzzle: &dyn AnyPuzzle,
    heuristic: &str,
    options: &CacheOptions,
    threads: usize,
) -> Result<(), Failure> {
    let spec = Spec::parse(heuristic).map_err(|error| Failure::spec("heuristic", &error))?;
    let tables = puzzle.tables(&spec).map_err(|error| match error {
        SolveError::Spec(error) => Failure::spec("heuristic", &error),
        error => Failure::solve(error),
    })?;
    if tables.is_empty() {
        let message = format!("`{heuristic}` has no tables to build");
        return Err(Failure::new(UNSUPPORTED, message));
    }
    let cancel = signal::cancel();
    let display = Display::new();
    let cache = progress::cache(options, threads, &display, &cancel, None);
    for table in &tables {
        let begun = Instant::now();
        let path = cache.path(&**table);
        let there = !options.rebuild && path.as_ref().is_some_and(|path| path.exists());
        let opened = cache.get(&**table);
        display.clear();
        let opened = opened?;
        let Some(bytes) = path.as_ref().and_then(|path| path.metadata().ok()).map(|m| m.len())
        else {
            let message = "the table was built, but cannot be kept in the cache folder";
            return Err(Failure::new(INPUT, message));
        };
        let took = if there {
            "was there".to_owned()
        } else {
            show_seconds(begun.elapsed().as_secs_f64())
        };
        writeln!(
            std::io::stdout(),
            "{}: {} entries, {}, {took}",
            path.unwrap_or_default().display(),
            show_count(opened.entries()),
            show_bytes(bytes),
        )
        .map_err(|error| Failure::output(&error))?;
    }
    Ok(())
}

fn info(options: &CacheFolder) -> Result<(), Failure> {
    let cache = Cache::new(inputs::cache_folder(options), 1, Policy::Reuse);
    let mut out = std::io::stdout();
    let mut write = || -> std::io::Result<Result<(), Failure>> {
        if let Some(folder) = cache.folder() {
            writeln!(out, "{}:", folder.display())?;
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
                Err(error) => {
                    writeln!(out, "  {name}: {}, unusable: {error}", show_bytes(entry.bytes))?;
                }
            }
        }
        Ok(Ok(()))
    };
    write().map_err(|error| Failure::output(&error))?
}

fn clean(options: &CacheFolder) -> Result<(), Failure> {
    let cache = Cache::new(inputs::cache_folder(options), 1, Policy::Reuse);
    let (bytes, count) = cache.clean()?;
    let files = if count == 1 { "file" } else { "files" };
    writeln!(std::io::stdout(), "{count} {files} removed, {} freed", show_bytes(bytes))
        .map_err(|error| Failure::output(&error))
}
