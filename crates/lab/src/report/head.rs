//! Head of a report: its title, the origin of the runs, and the unexplained failures.

use super::{
    markdown::{Table, code, escape},
    numbers::{count, count_of},
    select::{Selection, failure_of},
    values::counted,
};
use crate::{experiment::Limits, row::Row};
use std::collections::BTreeSet;
use unriddle_catalog::{
    Device,
    units::{show_bytes, show_count},
};

/// Greatest number of listed unexplained runs.
const LISTED: usize = 20;

/// Writes title and provenance.
pub(super) fn head(selection: &Selection<'_>) -> String {
    let experiment = selection.experiment;
    let mut text = format!("# {}\n\n", escape(experiment.title.trim()));
    let quick = match experiment.is_quick {
        true => ", in its quick form (fewer instances, lower limits: no result)",
        false => "",
    };
    text += &format!("- Experiment: {}{quick}\n", code(&experiment.name));
    for suite in &selection.suites {
        let (name, puzzle) = (escape(suite.name()), code(&suite.loaded.puzzle));
        text += &format!("- Suite {name} ({puzzle}): {}\n", suite.scope.words());
    }
    let revision = |row: &Row| {
        let short: String = row.revision.chars().take(12).collect();
        match (short.as_str(), row.dirty) {
            ("", _) => String::new(),
            (short, true) => format!("{} + local changes", code(short)),
            (short, false) => code(short),
        }
    };
    text += &several(selection, "Revision", revision);
    text += &several(selection, "Version", |row| escape(&row.version));
    text += &several(selection, "Machine", |row| escape(&row.machine));
    text += &elsewhere(selection);
    text += &format!("- {}\n", seeds(&experiment.seeds));
    text += &format!("- Threads: {}\n", experiment.threads);
    if experiment.device == Device::Cuda {
        text += "- Networks are computed on an NVIDIA GPU\n";
    }
    text += &limits(selection);
    let quick = if experiment.is_quick { " --quick" } else { "" };
    let (program, path) = (experiment.registry.program(), experiment.shown_path());
    let command = |verb: &str| code(&format!("{program} lab {verb} {path}{quick}"));
    text += &format!("- Made by {} and {}\n", command("run"), command("report"));
    if selection.apart > 0 {
        text += &format!(
            "- {} of other instances, solvers or limits kept apart, not in this report\n",
            count_of(selection.apart, "runs")
        );
    }
    text + "\n"
}

/// Lists external data of the solvers: versions of external programs, networks with their hashes.
fn elsewhere(selection: &Selection<'_>) -> String {
    let (mut programs, mut networks) = (BTreeSet::new(), BTreeSet::new());
    for row in &selection.asked {
        if !row.peer_version.is_empty() {
            programs.insert((&*row.solver, &*row.peer_version));
        }
        networks.extend(row.networks.iter().flat_map(|all| all.split(", ")));
    }
    let mut text = String::new();
    for (solver, version) in programs {
        text += &format!("- Version of {}: {}\n", escape(solver), escape(version));
    }
    if !networks.is_empty() {
        let networks: Vec<String> = networks.into_iter().map(escape).collect();
        text += &format!("- Networks: {}\n", networks.join(", "));
    }
    text
}

/// Lists the common value of all runs, or all values with the number of their runs.
fn several(selection: &Selection<'_>, name: &str, of: impl Fn(&Row) -> String) -> String {
    let texts = selection.asked.iter().map(|row| of(row)).filter(|text| !text.is_empty());
    let counts = counted(texts);
    if let [(only, _)] = &counts[..] {
        return format!("- {name}: {only}\n");
    }
    let parts = counts.iter().map(|(what, n)| format!("{what} ({})", count_of(*n, "runs")));
    match &parts.collect::<Vec<_>>()[..] {
        [] => String::new(),
        parts => format!("- {name}s: {}\n", parts.join("; ")),
    }
}

fn seeds(seeds: &[u64]) -> String {
    let is_range = seeds.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
    match seeds {
        [] => "Seeds: none".to_owned(),
        [seed] => format!("Seed: {seed}"),
        [first, .., last] if is_range => format!("Seeds: {first}–{last}"),
        _ => {
            let list: Vec<String> = seeds.iter().map(u64::to_string).collect();
            format!("Seeds: {}", list.join(", "))
        }
    }
}

/// Describes limits.
fn words(limits: &Limits) -> String {
    let seconds = |d: std::time::Duration| format!("{} s", d.as_secs_f64());
    let parts = [
        (limits.time.map(seconds), ""),
        (limits.cpu.map(seconds), " CPU time"),
        (limits.memory.map(show_bytes), " accounted memory"),
        (limits.expansions.map(show_count), " expanded states"),
        (limits.generated.map(show_count), " generated states"),
        (limits.resident.map(show_bytes), " resident memory"),
    ];
    let parts: Vec<String> =
        parts.into_iter().filter_map(|(value, what)| Some(value? + what)).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

fn limits(selection: &Selection<'_>) -> String {
    let mut groups = Vec::<(String, Vec<&str>)>::new();
    for solver in &selection.experiment.solvers {
        let words = words(&solver.limits);
        // All solvers of a grid have the limits of its entry.
        let name = solver.grid.as_ref().map_or(&solver.name, |(grid, _)| grid);
        match groups.iter_mut().find(|(w, _)| *w == words) {
            Some((_, names)) if names.contains(&name.as_str()) => {}
            Some((_, names)) => names.push(name),
            None => groups.push((words, vec![name])),
        }
    }
    match &groups[..] {
        [] => String::new(),
        [(words, _)] => format!("- Limits of a run: {words}\n"),
        _ => groups
            .iter()
            .map(|(words, names)| {
                let names: Vec<String> = names.iter().map(|name| escape(name)).collect();
                format!("- Limits of a run of {}: {words}\n", names.join(", "))
            })
            .collect(),
    }
}

/// Lists failed runs that no limit explains; empty without such runs.
pub(super) fn unexplained(selection: &Selection<'_>) -> String {
    let runs: Vec<_> = selection.asked.iter().filter(|row| row.is_unexplained()).collect();
    if runs.is_empty() {
        return String::new();
    }
    let names = ["suite", "instance", "solver", "seed", "what", "reason"];
    let mut table = Table::new(names.map(str::to_owned).to_vec(), &[0, 1, 2, 4, 5]);
    for row in runs.iter().take(LISTED) {
        table.push(vec![
            escape(&row.suite),
            escape(&row.id),
            escape(&row.solver),
            row.seed.to_string(),
            failure_of(row).unwrap_or("failed").to_owned(),
            row.reason.as_deref().map_or_else(String::new, escape),
        ]);
    }
    let mut text = format!(
        "## Unexplained\n\n{} without an answer that no limit explains, or with a wrong one.\n\n{}",
        count_of(runs.len(), "runs"),
        table.show()
    );
    if runs.len() > LISTED {
        text += &format!("… and {} more.\n\n", count(runs.len() - LISTED));
    }
    text
}
