//! Parts of a page that the table at its head and the sections share: a published figure, and ours
//! beside it.

use super::{
    Exhibit,
    ours::Ours,
    verdict::{self, Word},
};
use crate::{
    references::{
        cells::{Cell, Published},
        paper::Kind,
    },
    report::{
        markdown::{escape, in_cell},
        numbers::plain,
    },
};

/// Our figures by reading, row and column.
pub(super) type Figures = Vec<Vec<Vec<Option<Ours>>>>;

/// Heading of the section on exhibits without a measurement.
pub(super) const WITHOUT: &str = "Without a measurement";

/// Position of the exhibit in the paper: `Table 1`, `Text, section 4`.
pub(super) fn heading(exhibit: &Exhibit) -> String {
    let declared = &exhibit.declared;
    let mut letters = declared.place.chars();
    let Some(first) = letters.next() else {
        return String::new();
    };
    let (first, rest): (String, &str) = (first.into(), letters.as_str());
    match declared.kind {
        Kind::Text if !declared.place.to_lowercase().starts_with("text") => {
            format!("Text, {}{rest}", first.to_lowercase())
        }
        _ => format!("{}{rest}", first.to_uppercase()),
    }
}

pub(super) fn published(exhibit: &Exhibit, cell: &Cell) -> String {
    let unit = match cell.unit.as_str() {
        "" => String::new(),
        unit => format!(" {}", escape(unit)),
    };
    let place = match cell.place == exhibit.declared.place {
        true => String::new(),
        false => format!(" ({})", escape(&cell.place)),
    };
    match &cell.published {
        Published::Value(value) => format!("{}{unit}{place}", plain(*value)),
        Published::Words(words) => format!("{}{place}", escape(words)),
        Published::Lost => "*lost in the text*".to_owned(),
        _ => "—".to_owned(),
    }
}

/// Returns our figure beside a cell as text, and the verdict as text and word.
pub(super) fn beside(cell: &Cell, ours: &Ours) -> (String, String, Option<Word>) {
    match (ours, &cell.published) {
        (Ours::NotRun(why), _) => (format!("not run: {}", in_cell(why)), "—".to_owned(), None),
        (Ours::Words(words), Published::Words(theirs)) if words == theirs => {
            (escape(words), Word::Same.name().to_owned(), Some(Word::Same))
        }
        (Ours::Words(words), _) => (in_cell(words), "—".to_owned(), None),
        (Ours::Number(side, factor), Published::Value(value)) => {
            let verdict = verdict::of(value * factor, side);
            (escape(&side.found.text), escape(&verdict.text), Some(verdict.word))
        }
        (Ours::Number(side, _), _) => (escape(&side.found.text), "—".to_owned(), None),
    }
}

/// Whether there is a figure of ours.
pub(super) fn is_figure(ours: &Option<Ours>) -> bool {
    matches!(ours, Some(Ours::Number(..) | Ours::Words(_)))
}
