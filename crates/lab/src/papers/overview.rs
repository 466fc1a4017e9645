//! Table at the head of a page: each exhibit with its size, one figure that represents it, and the
//! verdicts on all figures.

use super::{
    Exhibit, Paper,
    beside::{Figures, WITHOUT, beside, heading, is_figure, published},
    tally::counted,
    verdict::Word,
};
use crate::report::markdown::{Table, anchor, escape, in_cell};
use std::collections::BTreeMap;

/// Makes the table. `shown` are the figures of all exhibits.
pub(super) fn table(paper: &Paper, shown: &[Figures]) -> String {
    let head = ["exhibit", "size", "figure", "ours", "published", "verdicts"];
    let columns: Vec<usize> = (0..head.len()).collect();
    let mut table = Table::new(head.map(str::to_owned).to_vec(), &columns);
    for (exhibit, figures) in paper.exhibits.iter().zip(shown) {
        table.push(line(exhibit, figures));
    }
    table.show()
}

fn line(exhibit: &Exhibit, figures: &Figures) -> Vec<String> {
    let title = escape(&exhibit.declared.title);
    let target = match exhibit.is_illustration() {
        true => anchor(WITHOUT),
        false => anchor(&format!("{}: {title}", escape(&heading(exhibit)))),
    };
    let link = format!("[{}](#{target}): {title}", escape(&heading(exhibit)));
    let nothing = || "—".to_owned();
    let Some(reading) = best(exhibit, figures) else {
        let what = match (exhibit.is_illustration(), exhibit.declared.plots.is_empty()) {
            (true, _) => "no measurement",
            (false, true) => "not run",
            (false, false) => "curves",
        };
        return vec![link, nothing(), what.to_owned(), nothing(), nothing(), nothing()];
    };
    // The verdicts on all columns of ours that are of the paper's size, or on all that are not.
    let mut words = BTreeMap::<Word, usize>::new();
    let is_whole = exhibit.is_whole(reading);
    for of_size in (0..figures.len()).filter(|&other| exhibit.is_whole(other) == is_whole) {
        for (ours, cells) in figures[of_size].iter().zip(&exhibit.grid.cells) {
            let compared = ours.iter().zip(cells).filter_map(|(ours, cell)| {
                let (_, _, word) = beside(cell, ours.as_ref()?);
                word
            });
            compared.for_each(|word| *words.entry(word).or_default() += 1);
        }
    }
    let (row, column) = headline(exhibit, figures, reading);
    let cell = &exhibit.grid.cells[row][column];
    let (found, verdict) = match &figures[reading][row][column] {
        Some(ours) => {
            let (found, verdict, word) = beside(cell, ours);
            (found, word.map(|_| verdict))
        }
        None => (nothing(), None),
    };
    let name = match exhibit.grid.columns[column].name.as_str() {
        "" => escape(&exhibit.grid.rows[row].name),
        column => format!("{}, {}", escape(&exhibit.grid.rows[row].name), escape(column)),
    };
    let verdicts = match (words.values().sum::<usize>(), verdict) {
        (0, _) => nothing(),
        (1, Some(verdict)) => verdict,
        _ => counted(&words),
    };
    let scale = exhibit.declared.ours[reading].get_ref().scale.trim_end_matches('.');
    vec![link, in_cell(scale), name, found, published(exhibit, cell), verdicts]
}

/// Whether a figure of ours is a number that can be compared with the published figure.
fn is_compared(exhibit: &Exhibit, figures: &Figures, at: (usize, usize, usize)) -> bool {
    let (reading, row, column) = at;
    let cell = &exhibit.grid.cells[row][column];
    let word = figures[reading][row][column].as_ref().and_then(|ours| beside(cell, ours).2);
    word.is_some_and(|word| word != Word::Incomparable)
}

/// Rows and columns of an exhibit.
fn places(exhibit: &Exhibit) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (rows, columns) = (exhibit.grid.rows.len(), exhibit.grid.columns.len());
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
}

/// The reading that represents an exhibit: the first of the paper's size whose figures can be
/// compared, else the first of any size, else the first that has a figure.
fn best(exhibit: &Exhibit, figures: &Figures) -> Option<usize> {
    let compares = |reading: &usize| {
        places(exhibit).any(|(row, column)| is_compared(exhibit, figures, (*reading, row, column)))
    };
    let has_any = |reading: &usize| figures[*reading].iter().flatten().any(is_figure);
    let readings = || 0..figures.len();
    let whole = readings().filter(|&reading| exhibit.is_whole(reading)).find(compares);
    whole.or_else(|| readings().find(compares)).or_else(|| readings().find(has_any))
}

/// The cell that represents a reading.
fn headline(exhibit: &Exhibit, figures: &Figures, reading: usize) -> (usize, usize) {
    let has = |&(row, column): &(usize, usize)| is_figure(&figures[reading][row][column]);
    let compares =
        |&(row, column): &(usize, usize)| is_compared(exhibit, figures, (reading, row, column));
    let declared = exhibit.headline.filter(has);
    let first = || places(exhibit).find(compares).or_else(|| places(exhibit).find(has));
    declared.or_else(first).unwrap_or_default()
}
