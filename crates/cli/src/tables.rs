//! `unriddle tables`: build, list and remove pattern databases.

use crate::{
    args::{
        TablesVerb,
        shared::{CacheFolder, CacheOptions},
    },
    exit::{Failure, INPUT, UNSUPPORTED},
    inputs,
    output::print,
    progress::{self, Display},
    signal,
};
use std::time::Instant;
use unriddle_catalog::{
    AnyPuzzle, Registry, SolveError, Spec,
    tables::{Cache, Policy},
    units::{show_bytes, show_count, show_seconds},
};

pub(crate) fn run(registry: &Registry, verb: &TablesVerb) -> Result<(), Failure> {
    match verb {
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
        return Err(Failure::new(UNSUPPORTED, format!("`{heuristic}` has no tables to build")));
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
        let took = show_seconds(begun.elapsed().as_secs_f64());
        let took = if there { "was there" } else { &took };
        print(&format!(
            "{}: {} entries, {}, {took}\n",
            path.unwrap_or_default().display(),
            show_count(opened.entries()),
            show_bytes(bytes),
        ))?;
    }
    Ok(())
}

fn info(options: &CacheFolder) -> Result<(), Failure> {
    let cache = Cache::new(inputs::cache_folder(options), 1, Policy::Reuse);
    if let Some(folder) = cache.folder() {
        print(&format!("{}:\n", folder.display()))?;
    }
    let mut text = String::new();
    for entry in cache.entries()? {
        let name = entry.path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = show_bytes(entry.bytes);
        text += &match &entry.header {
            Ok(header) => {
                let entries = show_count(header.entries);
                format!("  {name}: {}, {entries} entries, {bytes}\n", header.key)
            }
            Err(error) => format!("  {name}: {bytes}, unusable: {error}\n"),
        };
    }
    print(&text)
}

fn clean(options: &CacheFolder) -> Result<(), Failure> {
    let (bytes, count) = Cache::new(inputs::cache_folder(options), 1, Policy::Reuse).clean()?;
    let files = if count == 1 { "file" } else { "files" };
    print(&format!("{count} {files} removed, {} freed\n", show_bytes(bytes)))
}
