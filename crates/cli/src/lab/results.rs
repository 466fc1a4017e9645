//! `unriddle lab list|show|export|merge|migrate`: contents of the results database and files of
//! results.

use super::args::{Database, Export, Form, Merge, Migrate, Show};
use crate::{
    exit::{Failure, INPUT, USAGE, note},
    output::print,
};
use std::path::{Path, PathBuf};
use unriddle_catalog::{
    Registry,
    units::{show_count, show_seconds},
};
use unriddle_lab::{
    Row, Store, row,
    store::{exchange, migrate},
};

pub(crate) fn list(options: &Database) -> Result<(), Failure> {
    let store = Store::open_existing(&options.database)?;
    let mut text = String::new();
    for summary in store.summary()? {
        text += &format!("{}: {} runs", summary.experiment, show_count(summary.live as u64));
        if summary.unexplained > 0 {
            text += &format!(", {} failed unexplained", summary.unexplained);
        }
        if summary.superseded > 0 {
            text += &format!(", {} superseded", summary.superseded);
        }
        let short = |r: &String| match r.split_once('+') {
            Some((r, _)) => format!("{} + local changes", r.get(..12).unwrap_or(r)),
            None => r.get(..12).unwrap_or(r).to_owned(),
        };
        let revisions: Vec<String> = summary.revisions.iter().map(short).collect();
        text += &format!(
            ", {} of CPU time, revision {}\n",
            show_seconds(summary.cpu_s),
            revisions.join(", ")
        );
    }
    if text.is_empty() {
        note("the results database is empty");
    }
    print(&text)
}

/// The rows of an experiment.
///
/// # Errors
/// The experiment has no rows.
fn rows(store: &Store, experiment: &str) -> Result<Vec<Row>, Failure> {
    let rows = store.rows(experiment)?;
    if rows.is_empty() {
        let known: Vec<String> = store.summary()?.into_iter().map(|s| s.experiment).collect();
        let message = format!(
            "there are no runs of an experiment `{experiment}` (known: {})",
            known.join(", ")
        );
        return Err(Failure::new(USAGE, message));
    }
    Ok(rows)
}

pub(crate) fn show(options: &Show) -> Result<(), Failure> {
    let mut rows = rows(&Store::open_existing(&options.database.database)?, &options.experiment)?;
    rows.retain(|row| {
        (!options.failed || row.is_unexplained())
            && options.id.as_ref().is_none_or(|id| *id == row.id)
            && options.suite.as_ref().is_none_or(|suite| *suite == row.suite)
    });
    row::sort(&mut rows);
    let text = match options.format {
        Form::Csv => {
            let mut text = Vec::new();
            exchange::write_csv(rows.iter(), &mut text)?;
            String::from_utf8_lossy(&text).into_owned()
        }
        Form::Jsonl => {
            let lines = rows.iter().map(|row| Ok(serde_json::to_string(row)? + "\n"));
            lines.collect::<std::io::Result<_>>().map_err(Failure::output)?
        }
        Form::Text => rows.iter().map(|row| line(row) + "\n").collect(),
    };
    print(&text)
}

/// A run in a line.
fn line(row: &Row) -> String {
    let mut text = format!("{} {} [{}] seed {}: ", row.suite, row.id, row.solver, row.seed);
    text += match row.failure {
        Some(failure) => failure.name(),
        None => row.status.name(),
    };
    if let Some(limit) = &row.stopped_by {
        text += &format!(" by {limit}");
    }
    if let Some(value) = row.value {
        text += &format!(", value {value}");
    }
    if row.checked == Some(false) {
        text += ", refused by the checker";
    }
    if let Some(expanded) = row.expanded {
        text += &format!(", {} expanded", show_count(expanded));
    }
    if let Some(cpu) = row.cpu_s {
        text += &format!(", {}", show_seconds(cpu));
    }
    if let Some(reason) = &row.reason {
        text += &format!(" ({})", reason.escape_debug());
    }
    text
}

pub(crate) fn export(options: &Export) -> Result<(), Failure> {
    let store = Store::open_existing(&options.database.database)?;
    let names = if options.experiments.is_empty() {
        store.summary()?.into_iter().map(|s| s.experiment).collect()
    } else {
        options.experiments.clone()
    };
    let failed = |path: &Path, error: std::io::Error| {
        Failure::new(INPUT, format!("{}: {error}", path.display()))
    };
    std::fs::create_dir_all(&options.output).map_err(|e| failed(&options.output, e))?;
    for name in names {
        // A name comes from a file of any origin, and becomes a file name here.
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(fits) {
            let message = format!("`{}` is no name of an experiment", name.escape_debug());
            return Err(Failure::new(INPUT, message));
        }
        let mut rows = rows(&store, &name)?;
        row::sort(&mut rows);
        let suffix = options.suffix.as_ref().map(|s| format!("-{s}")).unwrap_or_default();
        let compact = if options.compact { ".zst" } else { "" };
        let path = options.output.join(format!("{name}{suffix}.csv{compact}"));
        let count = exchange::write_file(&rows, &path)?;
        print(&format!("{}: {} runs\n", path.display(), show_count(count as u64)))?;
    }
    Ok(())
}

pub(crate) fn merge(options: &Merge) -> Result<(), Failure> {
    let mut store = Store::open(&options.database.database)?;
    let mut differing = 0;
    for path in &options.files {
        let merged = if path.extension().is_some_and(|e| e == "csv" || e == "zst") {
            store.merge(exchange::read(path)?)?
        } else {
            let other = Store::open_existing(path)?;
            let mut rows = Vec::new();
            for summary in other.summary()? {
                rows.extend(other.rows(&summary.experiment)?);
            }
            store.merge(rows.into_iter().map(Ok))?
        };
        print(&format!(
            "{}: {} new runs, {} known, {} superseded\n",
            path.display(),
            merged.added,
            merged.known,
            merged.superseded
        ))?;
        for line in &merged.differing {
            note(&format!("warning: same revision, other result: {line}"));
        }
        differing += merged.differing.len();
    }
    match differing {
        0 => Ok(()),
        n => Err(Failure::new(INPUT, format!("{n} runs have other results here than there"))),
    }
}

pub(crate) fn migrate(registry: &Registry, options: &Migrate) -> Result<(), Failure> {
    for path in &options.files {
        let migrated = migrate::migrate(path, registry)?;
        let name = path.display();
        if !migrated.untranslated.is_empty() {
            note(&format!("{name}: {}", migrated.untranslated));
        }
        print(&match migrated.runs {
            0 => format!("{name}: in the current format\n"),
            runs => format!("{name}: {} runs rewritten\n", show_count(runs as u64)),
        })?;
        if options.compact && path.extension().is_some_and(|e| e == "csv") {
            let rows = exchange::read(path)?.collect::<Result<Vec<Row>, _>>()?;
            let compact = PathBuf::from(format!("{name}.zst"));
            exchange::write_file(&rows, &compact)?;
            std::fs::remove_file(path)
                .map_err(|error| Failure::new(INPUT, format!("{name}: {error}")))?;
            print(&format!("{}: {} runs\n", compact.display(), show_count(rows.len() as u64)))?;
        }
    }
    Ok(())
}
