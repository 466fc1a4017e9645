//! Table of the recorded runs behind a page: their machines, dates, programs and costs.

use super::{
    Paper,
    ours::Sources,
    tally::{Runs, is_part, report_link},
};
use crate::{
    error::LabError,
    report::{
        markdown::{Table, code, escape},
        numbers::{count, plain},
    },
    row::Row,
};
use rusqlite::Connection;
use std::collections::BTreeSet;

/// Most revisions and seeds that are named one by one.
const NAMED: usize = 3;
/// Number of digits of a revision.
const DIGITS: usize = 8;

/// The section.
pub(super) fn section(
    paper: &Paper,
    sources: &Sources<'_>,
    runs: &Runs<'_>,
) -> Result<String, LabError> {
    let calendar = Connection::open_in_memory();
    let calendar = calendar.map_err(|error| LabError::Usage(format!("a calendar: {error}")))?;
    let head =
        ["experiment", "results", "machine", "dates", "revisions", "seeds", "runs", "CPU hours"];
    let mut table = Table::new(head.map(str::to_owned).to_vec(), &[0, 1, 2, 3, 4, 5]);
    let mut machines: Vec<&str> = Vec::new();
    let mut hours = 0.0;
    for (name, rows) in sources.rows() {
        let on: BTreeSet<usize> = (rows.iter())
            .map(|row| {
                let known = machines.iter().position(|machine| *machine == row.machine);
                known.unwrap_or_else(|| {
                    machines.push(&row.machine);
                    machines.len() - 1
                })
            })
            .collect();
        let cost = rows.iter().filter_map(|row| row.cpu_s).sum::<f64>() / 3600.0;
        hours += cost;
        let file = format!("results/{name}.csv.zst");
        let results = match paper.root.join(&file).is_file() {
            true => format!("[CSV](../../{file})"),
            false => "—".to_owned(),
        };
        let numbers: Vec<String> = on.into_iter().map(|i| (i + 1).to_string()).collect();
        let part = if is_part(runs, name) { ", not all" } else { "" };
        table.push(vec![
            report_link(paper, name).unwrap_or_else(|| code(name)),
            results,
            numbers.join(", "),
            dates(&calendar, rows)?,
            few(rows.iter().map(revision).collect(), "revisions"),
            few(rows.iter().map(|row| row.seed.to_string()).collect(), "seeds"),
            format!("{}{part}", count(rows.len())),
            plain(cost),
        ]);
    }
    let numbered = machines.iter().enumerate().map(|(i, m)| format!("({}) {}", i + 1, escape(m)));
    Ok(format!(
        "## Recorded runs\n\n{}Machines: {}. All runs together took {} CPU hours; an experiment may serve several \
         pages. `+`: built from files that were not committed yet.\n\n",
        table.show(),
        numbered.collect::<Vec<_>>().join("; "),
        plain(hours),
    ))
}

/// The beginning of the program's revision, with `+` if its files differed.
fn revision(row: &Row) -> String {
    let digits = row.revision.get(..DIGITS).unwrap_or(&row.revision);
    format!("{digits}{}", if row.dirty { "+" } else { "" })
}

/// A few names, or how many there are.
fn few(names: BTreeSet<String>, what: &str) -> String {
    match names.len() {
        n if n > NAMED => format!("{} {what}", count(n)),
        _ => names.into_iter().map(|name| escape(&name)).collect::<Vec<_>>().join(", "),
    }
}

/// The first and the last day (UTC), by the calendar of SQLite.
fn dates(calendar: &Connection, rows: &[Row]) -> Result<String, LabError> {
    let day = |ms: i64| {
        let text =
            calendar.query_row("SELECT date(?1, 'unixepoch')", [ms / 1000], |row| row.get(0));
        text.map_err(|error| LabError::Usage(format!("the day of a run: {error}")))
    };
    let times = || rows.iter().map(|row| row.started_ms).filter(|&ms| ms > 0);
    let (Some(first), Some(last)) = (times().min(), times().max()) else {
        return Ok("—".to_owned());
    };
    let (first, last): (String, String) = (day(first)?, day(last)?);
    Ok(if first == last { first } else { format!("{first} to {last}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_dated_by_their_first_and_last_day() {
        let calendar = Connection::open_in_memory().unwrap();
        let row = |started_ms| Row { started_ms, ..Row::default() };
        let rows = [row(1_709_164_799_999), row(0), row(1_709_164_800_000)];
        assert_eq!(dates(&calendar, &rows).unwrap(), "2024-02-28 to 2024-02-29");
        assert_eq!(dates(&calendar, &rows[2..]).unwrap(), "2024-02-29");
        assert_eq!(dates(&calendar, &[]).unwrap(), "—");
    }
}
