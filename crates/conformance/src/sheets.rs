//! Sheets of instances that are lists of values.

use crate::{Violation, subject::hold};
use unriddle_catalog::{
    AnyPuzzle,
    sheet::{Change, Column, OFF, ON, Place, Section, Sheet, Values},
};

/// Most cells of a section that are changed, and the rows of all sheets that are made for them:
/// a sheet of many rows takes longer.
const CELLS: usize = 40;
const ROWS: usize = 10_000;

/// Checks that a sheet has only values of its columns, that its own texts change nothing, and that
/// the sheet of a changed instance has each changed text.
pub(crate) fn sheets_are_read_back(puzzle: &dyn AnyPuzzle, text: &str) -> Result<(), Violation> {
    // Some instances are edited as text.
    let Some(sheet) = puzzle.sheet(text) else { return Ok(()) };
    values_are_of_their_columns(&sheet)?;
    let found = |what: &str| Violation::new(what);
    let rows: usize = sheet.sections.iter().map(|section| section.rows.len()).sum();
    let most = (ROWS / rows.max(1)).clamp(2, CELLS);
    for (index, section) in sheet.sections.iter().enumerate() {
        for place in sample(index, section, most) {
            let Some((column, own)) = sheet.cell(place) else { continue };
            let change = |text: &str| [Change { place, text: text.to_owned() }];
            let told =
                |found: Violation| found.with("column", &column.name).with_debug("at", place);
            let same = puzzle.rewritten(text, &change(own));
            hold(same.as_deref() == Ok(text), || {
                told(found("the text of a cell changes the instance")).with_debug("written", &same)
            })?;
            let Some(other) = other(column, own) else { continue };
            // Not every value suits every instance.
            let Ok(changed) = puzzle.rewritten(text, &change(&other)) else { continue };
            let read = puzzle.load(&changed).map_err(|error| {
                told(found("a changed instance is refused")).with("error", error)
            })?;
            let is_own = read.text() == changed;
            hold(is_own, || told(found("a changed instance is not in standard form")))?;
            let Some(after) = puzzle.sheet(&changed) else { continue };
            let rows = |sheet: &Sheet| sheet.sections.get(index).map(|section| section.rows.len());
            if rows(&after) != rows(&sheet) {
                continue;
            }
            let shown = after.cell(place).map(|(_, text)| text.to_owned());
            hold(shown.as_deref() == Some(&*other), || {
                let found = told(found("a changed cell has another text"));
                found.with("written", &other).with_debug("shown", &shown)
            })?;
            let Ok(back) = puzzle.rewritten(&changed, &change(own)) else { continue };
            hold(puzzle.sheet(&back).as_ref() == Some(&sheet), || {
                told(found("a cell that is changed back leaves another sheet"))
                    .with("other", &other)
            })?;
        }
    }
    Ok(())
}

/// About `most` cells of a section that may be changed, evenly spread.
fn sample(section: usize, of: &Section, most: usize) -> Vec<Place> {
    let is_editable = |column: &usize| of.columns[*column].is_editable;
    let columns: Vec<usize> = (0..of.columns.len()).filter(is_editable).collect();
    let cells = of.rows.len() * columns.len();
    let step = cells.div_ceil(most).max(1);
    // A step of the number of columns would reach only one column.
    let step =
        if columns.len() > 1 && step.is_multiple_of(columns.len()) { step + 1 } else { step };
    let place = |cell: usize| Place {
        section,
        row: cell / columns.len(),
        column: columns[cell % columns.len()],
    };
    (0..cells).step_by(step).map(place).collect()
}

/// Another value of a column.
fn other(column: &Column, text: &str) -> Option<String> {
    match &column.values {
        Values::Text => None,
        Values::Number { .. } => {
            let number: f64 = text.trim().parse().unwrap_or(0.0);
            Some((number + 1.0).to_string())
        }
        Values::Choice(words) => {
            let at = words.iter().position(|word| word == text)?;
            (words.len() > 1).then(|| words[(at + 1) % words.len()].clone())
        }
        Values::Mark => Some(if text == ON { OFF } else { ON }.to_owned()),
    }
}

fn values_are_of_their_columns(sheet: &Sheet) -> Result<(), Violation> {
    hold(!sheet.sections.is_empty(), || Violation::new("a sheet has no section"))?;
    for (index, Section { title, columns, rows }) in sheet.sections.iter().enumerate() {
        let found = |what: &str| Violation::new(what).with("section", title);
        hold(!title.trim().is_empty(), || found("a section has no title"))?;
        let is_named = columns.iter().all(|column| !column.name.trim().is_empty());
        hold(is_named, || found("a column has no name"))?;
        for (row, texts) in rows.iter().enumerate() {
            hold(texts.len() == columns.len(), || {
                found("a row has not a text for each column").with("row", row)
            })?;
            let editable = (0..columns.len()).filter(|&column| columns[column].is_editable);
            let own = |column: usize| Change {
                place: Place { section: index, row, column },
                text: texts[column].clone(),
            };
            sheet.check(&editable.map(own).collect::<Vec<_>>()).map_err(|misfit| {
                found("a cell has a value that is not of its column").with("misfit", misfit)
            })?;
        }
    }
    Ok(())
}
