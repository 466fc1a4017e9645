//! The standard table of a suite: what every solver did on it.

use super::{
    data::{self, Data},
    markdown::{Table, escape},
    numbers::count,
    summary::Cells,
};
use crate::{attribute::Attribute, plan::LoadedSuite};
use std::collections::BTreeMap;

/// What an asterisk and `≥` say.
const LESS: &str = "\\* over the instances for which this solver has it, and these are not the same for \
                    all solvers: with `value` and the like, those that it solved.\n\n";
const BOUND: &str =
    "≥ a lower bound: runs that a limit ended count with what they had used until then.\n\n";

/// An attribute's heading with its unit, where the cells do not say it.
pub(super) fn heading(attribute: &Attribute, suite: &LoadedSuite) -> String {
    let unit = match attribute.unit {
        "" => suite.unit,
        "s" | "bytes" | "%" => "",
        unit => unit,
    };
    let name = attribute.statistic.words().to_owned() + attribute.heading;
    match unit {
        "" => escape(&name),
        unit => format!("{} ({})", escape(&name), escape(unit)),
    }
}

/// How often which reason occurs: `12: 10 time, 2 memory`.
fn tally<'a>(reasons: impl Iterator<Item = &'a str>) -> String {
    let mut counts = BTreeMap::<&str, usize>::new();
    for reason in reasons {
        *counts.entry(reason).or_default() += 1;
    }
    let total: usize = counts.values().sum();
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(reason, n)| (std::cmp::Reverse(n), reason));
    match &counts[..] {
        [] => "0".to_owned(),
        [(reason, n)] => format!("{} {}", count(*n), escape(reason)),
        _ => {
            let parts: Vec<String> = (counts.iter())
                .map(|(reason, n)| format!("{} {}", count(*n), escape(reason)))
                .collect();
            format!("{}: {}", count(total), parts.join(", "))
        }
    }
}

/// The section of a suite without its further tables.
pub(super) fn section(data: &Data<'_>, index: usize, suite: &LoadedSuite) -> String {
    let solvers = data.solvers_of(index);
    let scope = data.scopes[index];
    let mut text = format!("## {}\n\n{}.\n\n", escape(&suite.name), capital(&scope.words()));
    if solvers.iter().all(|&s| data.runs(index, s).is_empty()) {
        return text;
    }
    let attributes = &data.plan.experiment.attributes;
    let columns: Vec<Cells> = attributes
        .iter()
        .map(|attribute| {
            let values = solvers.iter().map(|&s| data.values(index, s, attribute));
            Cells::new(values.collect(), attribute)
        })
        .collect();
    let mut head = vec!["solver".to_owned(), "runs".to_owned()];
    head.extend(attributes.iter().map(|a| heading(a, suite)));
    head.extend(["limited".to_owned(), "failures".to_owned()]);
    let mut table = Table::new(head, &[0]);
    for (row, &solver) in solvers.iter().enumerate() {
        let runs = data.runs(index, solver);
        let mut cells = vec![escape(data.name(solver)), count(runs.len())];
        cells.extend(columns.iter().map(|column| column.show(row, runs.len())));
        let limited = runs.iter().filter(|run| run.row.is_censored());
        cells.push(tally(limited.map(|run| data::limit_of(run.row))));
        cells.push(tally(runs.iter().filter_map(|run| data::failure_of(run.row))));
        table.push(cells);
    }
    text += &table.show();
    if columns.iter().any(Cells::differ) {
        text += LESS;
    }
    if columns.iter().any(Cells::is_censored) {
        text += BOUND;
    }
    text + &common(data, suite, &solvers, &columns)
}

/// The columns that are not about the same runs once more, over the runs that all solvers have.
fn common(data: &Data<'_>, suite: &LoadedSuite, solvers: &[usize], columns: &[Cells]) -> String {
    let attributes = &data.plan.experiment.attributes;
    let shared: Vec<(&Attribute, usize, Cells)> = (attributes.iter().zip(columns))
        .filter_map(|(attribute, cells)| {
            let (n, cells) = cells.common(attribute)?;
            Some((attribute, n, cells))
        })
        .collect();
    if shared.is_empty() {
        return String::new();
    }
    // A solver without anything in common has no row.
    let kept: Vec<usize> = (0..solvers.len())
        .filter(|&row| shared.iter().any(|(_, _, cells)| cells.summary(row).is_some()))
        .collect();
    let mut head = vec!["solver".to_owned()];
    head.extend(
        shared
            .iter()
            .map(|(attribute, n, _)| format!("{}, n = {}", heading(attribute, suite), count(*n))),
    );
    let mut table = Table::new(head, &[0]);
    let columns: Vec<Cells> = shared
        .into_iter()
        .map(|(_, _, mut cells)| {
            cells.keep(&kept);
            cells
        })
        .collect();
    for (row, &solver) in kept.iter().enumerate() {
        let mut cells = vec![escape(data.name(solvers[solver]))];
        cells.extend(columns.iter().map(|column| column.show(row, 0)));
        table.push(cells);
    }
    let intro = "The same over the runs (instance and seed) which all solvers with any have and which no \
                 limit ended:\n\n";
    intro.to_owned() + &table.show()
}

/// A text with a capital letter.
pub(super) fn capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + rest.as_str()
}
