//! `unriddle lab compare`: two solvers, two revisions or two files of results run by run.

use super::args::{Compare, ComparisonForm};
use crate::{
    exit::{Failure, INPUT, USAGE},
    output::print,
};
use std::{collections::BTreeSet, path::Path};
use unriddle_catalog::{Aim, Registry, Role, Spec, bind, registry};
use unriddle_lab::{
    Row, Store,
    report::two_sides::{Partners, Side, TwoSides},
    store::exchange,
};

/// The two sides of a list with one or two items, of which one item belongs to both.
fn both<T>(items: &[T]) -> [Option<&T>; 2] {
    [items.first(), items.get(1).or(items.first())]
}

pub(crate) fn run(registry: &Registry, options: &Compare) -> Result<(), Failure> {
    let usage = |message: &str| Failure::new(USAGE, message);
    let (files, solvers, revisions) = (&options.files, &options.solver, &options.revision);
    for (name, count) in [("--solver", solvers.len()), ("--revision", revisions.len())] {
        if count > 2 {
            return Err(usage(&format!(
                "{name} is given {count} times: a comparison has two sides"
            )));
        }
    }
    if files.len() < 2 && solvers.len() < 2 && revisions.len() < 2 {
        let message = "one file has one side: name two files, --solver twice or --revision twice";
        return Err(usage(message));
    }
    let mut sides = Vec::new();
    for side in 0..2 {
        let (file, solver) = (both(files)[side], both(solvers)[side]);
        let revision = both(revisions)[side];
        let file = file.ok_or_else(|| usage("no file of results"))?;
        let mut rows = read(file, options.experiment.as_deref(), revision.is_some())?;
        let mut name = Vec::new();
        if files.len() == 2 || (solvers.len() < 2 && revisions.len() < 2) {
            name.push(file.display().to_string());
        }
        if let Some(revision) = revision {
            rows.retain(|row| row.revision.starts_with(revision.as_str()));
            name.push(format!("revision {revision}"));
        }
        if let Some(solver) = solver {
            let spec = named(registry, &rows, solver)?;
            rows.retain(|row| row.solver == spec);
            if solvers.len() == 2 {
                name.push(solver.clone());
            }
        }
        let name = name.join(", ");
        if rows.is_empty() {
            return Err(Failure::new(INPUT, format!("{name}: there are no such runs")));
        }
        sides.push(Side { name, rows });
    }
    let partners = match solvers.len() {
        2 => Partners::AnySolver,
        _ => Partners::SameSolver,
    };
    let [a, b] = sides.try_into().map_err(|_| usage("a comparison has two sides"))?;
    let is_score =
        |puzzle: &str| registry.puzzle(puzzle).is_ok_and(|(family, _)| family.aim == Aim::Score);
    let compared = TwoSides::new(a, b, partners, &is_score)?;
    let text = match options.format {
        ComparisonForm::Text => compared.markdown(),
        ComparisonForm::Csv => compared.csv()?,
        ComparisonForm::Html => compared.html(),
    };
    match &options.output {
        None => print(&text),
        Some(path) => std::fs::write(path, text)
            .map_err(|error| Failure::new(INPUT, format!("{}: {error}", path.display()))),
    }
}

/// The runs of a file; with `all`, also runs that were repeated.
fn read(file: &Path, experiment: Option<&str>, all: bool) -> Result<Vec<Row>, Failure> {
    let is_wanted = |name: &str| experiment.is_none_or(|wanted| wanted == name);
    if file.extension().is_some_and(|e| e == "csv" || e == "zst") {
        let rows = exchange::read(file)?.collect::<Result<Vec<Row>, _>>()?;
        return Ok(rows.into_iter().filter(|row| is_wanted(&row.experiment)).collect());
    }
    let store = Store::open_existing(file)?;
    let mut rows = Vec::new();
    for summary in store.summary()?.into_iter().filter(|s| is_wanted(&s.experiment)) {
        rows.extend(match all {
            true => store.history(&summary.experiment)?,
            false => store.rows(&summary.experiment)?,
        });
    }
    Ok(rows)
}

/// The solver of the runs that a text means: the spec itself, the same spec with all defaults, or
/// the only spec of that name.
fn named(registry: &Registry, rows: &[Row], text: &str) -> Result<String, Failure> {
    let specs: BTreeSet<&str> = rows.iter().map(|row| row.solver.as_str()).collect();
    let puzzles: BTreeSet<&str> = rows.iter().map(|row| row.puzzle.as_str()).collect();
    let full = |puzzle: &str| {
        let (family, _) = registry.puzzle(puzzle).ok()?;
        let spec = Spec::parse(text).ok()?;
        let infos = registry::expressions(family);
        Some(bind::expand(&infos, Role::Search, &spec).ok()?.to_string())
    };
    let forms = puzzles.into_iter().filter_map(full).chain([text.to_owned()]);
    if let Some(known) = forms.into_iter().find(|form| specs.contains(form.as_str())) {
        return Ok(known);
    }
    let has_name = |spec: &&&str| Spec::parse(spec).is_ok_and(|spec| spec.name() == text);
    let found: Vec<&str> = specs.iter().filter(has_name).copied().collect();
    match found[..] {
        [one] => Ok(one.to_owned()),
        _ => {
            let known: Vec<&str> = specs.into_iter().collect();
            let message = match found.len() {
                0 => format!("no run is by `{text}`"),
                n => format!("{n} solvers are called `{text}`"),
            };
            Err(Failure::new(USAGE, format!("{message} (solvers: {})", known.join("; "))))
        }
    }
}
