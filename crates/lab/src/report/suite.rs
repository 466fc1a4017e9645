//! Standard table of a suite: the results of every solver on it.

use super::{
    markdown::{Table, escape},
    numbers::count,
    select::{Series, SuiteRuns, failure_of, limit_of},
    summary::Cells,
    values::counted,
};
use crate::{attribute::Attribute, plan::LoadedSuite};

/// Meaning of an asterisk and of `≥`.
const LESS: &str = "\\* over the instances for which this solver has a value, which differ between the \
                    solvers: for `value` and similar attributes, the solved instances.\n\n";
const BOUND: &str =
    "≥ a lower bound: runs that a limit ended count with their effort until then.\n\n";

/// Heading of an attribute, with its unit unless the cells contain it.
pub(super) fn heading(attribute: &Attribute, suite: &LoadedSuite) -> String {
    let name = attribute.statistic.words().to_owned() + attribute.heading;
    match attribute.shown_unit(suite.unit) {
        "" => escape(&name),
        unit => format!("{} ({})", escape(&name), escape(unit)),
    }
}

/// Counts reasons: `12: 10 time, 2 memory`.
fn tally<'a>(reasons: impl Iterator<Item = &'a str>) -> String {
    let counts = counted(reasons);
    let parts = counts.iter().map(|(reason, n)| format!("{} {}", count(*n), escape(reason)));
    match &parts.collect::<Vec<_>>()[..] {
        [] => "0".to_owned(),
        [part] => part.clone(),
        parts => {
            format!("{}: {}", count(counts.iter().map(|(_, n)| n).sum()), parts.join(", "))
        }
    }
}

/// Writes the section of a suite without its further tables.
pub(super) fn section(attributes: &[Attribute], suite: &SuiteRuns<'_>) -> String {
    let all = suite.series();
    let scope = capital(&suite.scope.words());
    let mut text = format!("## {}\n\n{scope}.\n\n", escape(suite.name()));
    if all.iter().all(|series| series.runs.is_empty()) {
        return text;
    }
    let columns: Vec<Cells> =
        attributes.iter().map(|attribute| Cells::of(&all, attribute)).collect();
    let mut head = vec!["solver".to_owned(), "runs".to_owned()];
    head.extend(attributes.iter().map(|a| heading(a, suite.loaded)));
    head.extend(["limited".to_owned(), "failures".to_owned()]);
    let mut table = Table::new(head, &[0]);
    for (row, series) in all.iter().enumerate() {
        let runs = &series.runs;
        let mut cells = vec![escape(series.name()), count(runs.len())];
        cells.extend(columns.iter().map(|column| column.show(row, runs.len())));
        let limited = runs.iter().filter(|run| run.row.is_censored());
        cells.push(tally(limited.map(|run| limit_of(run.row))));
        cells.push(tally(runs.iter().filter_map(|run| failure_of(run.row))));
        table.push(cells);
    }
    text += &table.show();
    if columns.iter().any(Cells::differ) {
        text += LESS;
    }
    if columns.iter().any(Cells::is_censored) {
        text += BOUND;
    }
    text + &common(attributes, suite.loaded, &all, &columns)
}

/// Writes the columns whose cells cover different runs again, over the runs that all solvers have.
fn common(
    attributes: &[Attribute],
    suite: &LoadedSuite,
    all: &[&Series<'_>],
    columns: &[Cells],
) -> String {
    let mut head = vec!["solver".to_owned()];
    let mut shared = Vec::new();
    for (attribute, cells) in attributes.iter().zip(columns) {
        if let Some((n, cells)) = cells.common(attribute) {
            head.push(format!("{}, n = {}", heading(attribute, suite), count(n)));
            shared.push(cells);
        }
    }
    if shared.is_empty() {
        return String::new();
    }
    // A solver without common runs has no row.
    let has_runs = |&row: &usize| shared.iter().any(|cells: &Cells| cells.summary(row).is_some());
    let kept: Vec<usize> = (0..all.len()).filter(has_runs).collect();
    let mut table = Table::new(head, &[0]);
    for cells in &mut shared {
        cells.keep(&kept);
    }
    for (row, &index) in kept.iter().enumerate() {
        let mut cells = vec![escape(all[index].name())];
        cells.extend(shared.iter().map(|column| column.show(row, 0)));
        table.push(cells);
    }
    let intro = "The same over the runs (instance and seed) which all solvers with any have and which no \
                 limit ended:\n\n";
    intro.to_owned() + &table.show()
}

/// Capitalises the first letter of a text.
pub(super) fn capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + rest.as_str()
}
