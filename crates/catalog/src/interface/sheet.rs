//! Sheets: the content of an editor that is a list of values.
//!
//! A document has values of many kinds that no board shows. A [`Sheet`] has them as tables:
//! sections of rows with named columns. An edit is a list of [`Change`]s of cells, so that the
//! puzzle writes its document with only these changes.
//!
//! ```
//! use unriddle_catalog::sheet::{Change, Column, Place, Section, Sheet, Values};
//!
//! let columns = vec![Column::shown("peg"), Column::edited("discs", Values::whole(0, 9))];
//! let rows = vec![vec!["a".to_owned(), "3".to_owned()]];
//! let sheet = Sheet { sections: vec![Section { title: "Pegs".to_owned(), columns, rows }] };
//! let change = |column, text: &str| Change {
//!     place: Place { section: 0, row: 0, column },
//!     text: text.to_owned(),
//! };
//! assert!(sheet.check(&[change(1, "4")]).is_ok());
//! let misfit = sheet.check(&[change(1, "12")]).unwrap_err();
//! assert_eq!(misfit.message, "`discs` is 12, expected a number from 0 to 9");
//! assert!(sheet.check(&[change(0, "b")]).is_err());
//! ```

/// Text of a mark that is set.
pub const ON: &str = "on";

/// Text of a mark that is not set.
pub const OFF: &str = "off";

/// Values that the cells of a column may have.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Any text.
    Text,
    /// A number.
    Number {
        /// Smallest number.
        min: Option<f64>,
        /// Greatest number.
        max: Option<f64>,
        /// Whether the cell may be empty.
        is_optional: bool,
    },
    /// A word of a list.
    Choice(Vec<String>),
    /// [`ON`] or [`OFF`].
    Mark,
}

impl Values {
    /// A number within bounds.
    #[must_use]
    pub fn whole(min: i64, max: i64) -> Self {
        Self::Number { min: Some(min as f64), max: Some(max as f64), is_optional: false }
    }

    /// Whether a cell may have a text.
    fn allow(&self, text: &str) -> bool {
        match self {
            Self::Text => true,
            Self::Number { is_optional, .. } if text.trim().is_empty() => *is_optional,
            Self::Number { min, max, .. } => text.trim().parse::<f64>().is_ok_and(|number| {
                number.is_finite()
                    && min.is_none_or(|min| number >= min)
                    && max.is_none_or(|max| number <= max)
            }),
            Self::Choice(words) => words.iter().any(|word| word == text),
            Self::Mark => [ON, OFF].contains(&text),
        }
    }

    /// The values in words.
    fn in_words(&self) -> String {
        match self {
            Self::Text => "a text".to_owned(),
            Self::Number { min: Some(min), max: Some(max), .. } => {
                format!("a number from {min} to {max}")
            }
            Self::Number { min: Some(min), .. } => format!("a number of at least {min}"),
            Self::Number { max: Some(max), .. } => format!("a number of at most {max}"),
            Self::Number { .. } => "a number".to_owned(),
            Self::Choice(words) => format!("one of {}", words.join(", ")),
            Self::Mark => format!("{ON} or {OFF}"),
        }
    }
}

/// Column of a section.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name.
    pub name: String,
    /// Values of its cells.
    pub values: Values,
    /// Whether its cells may be changed.
    pub is_editable: bool,
}

impl Column {
    /// A column of texts that cannot be changed.
    pub fn shown(name: impl Into<String>) -> Self {
        Self { name: name.into(), values: Values::Text, is_editable: false }
    }

    /// A column whose cells may be changed.
    pub fn edited(name: impl Into<String>, values: Values) -> Self {
        Self { name: name.into(), values, is_editable: true }
    }
}

/// Section of a sheet: a table with a title.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Title.
    pub title: String,
    /// Columns.
    pub columns: Vec<Column>,
    /// Rows, each with a text for every column.
    pub rows: Vec<Vec<String>>,
}

/// Content of an editor that is a list of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Sections from top to bottom.
    pub sections: Vec<Section>,
}

/// Cell of a sheet; all numbers count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Section.
    pub section: usize,
    /// Row of the section.
    pub row: usize,
    /// Column of the section.
    pub column: usize,
}

/// Another text of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The cell.
    pub place: Place,
    /// Its text.
    pub text: String,
}

/// Refused change of a sheet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Misfit {
    /// Sentence with the found and the expected text.
    pub message: String,
    /// The cell; `None` if no cell is at fault.
    pub place: Option<Place>,
}

impl Misfit {
    /// A refusal at a cell.
    pub fn at(place: Place, message: impl Into<String>) -> Self {
        Self { message: message.into(), place: Some(place) }
    }

    /// A refusal without a cell.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), place: None }
    }
}

impl Sheet {
    /// The column and the text of a cell.
    #[must_use]
    pub fn cell(&self, place: Place) -> Option<(&Column, &str)> {
        let section = self.sections.get(place.section)?;
        let text = section.rows.get(place.row)?.get(place.column)?;
        Some((section.columns.get(place.column)?, text))
    }

    /// Checks that all changes are of cells that may be changed, and have values of their columns.
    ///
    /// # Errors
    /// The first change that does not fit.
    pub fn check(&self, changes: &[Change]) -> Result<(), Misfit> {
        for Change { place, text } in changes {
            let Some((column, _)) = self.cell(*place) else {
                let Place { section, row, column } = place;
                let why = format!("section {section} has no cell in row {row}, column {column}");
                return Err(Misfit::at(*place, why));
            };
            if !column.is_editable {
                let why = format!("`{}` cannot be changed", column.name);
                return Err(Misfit::at(*place, why));
            }
            if !column.values.allow(text) {
                let found: String = text.chars().take(40).collect();
                let found = if found.trim().is_empty() { "empty".to_owned() } else { found };
                let expected = column.values.in_words();
                let why = format!("`{}` is {found}, expected {expected}", column.name);
                return Err(Misfit::at(*place, why));
            }
        }
        Ok(())
    }

    /// The changes that change a text.
    #[must_use]
    pub fn news(&self, changes: &[Change]) -> Vec<Change> {
        let is_new =
            |change: &&Change| self.cell(change.place).is_none_or(|(_, text)| text != change.text);
        changes.iter().filter(is_new).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let columns = vec![
            Column::shown("name"),
            Column::edited("level", Values::Number { min: None, max: None, is_optional: true }),
            Column::edited("use", Values::Choice(vec!["free".to_owned(), "fixed".to_owned()])),
            Column::edited("owned", Values::Mark),
        ];
        let row = ["a", "3", "free", OFF].map(String::from).to_vec();
        Sheet { sections: vec![Section { title: "Items".to_owned(), columns, rows: vec![row] }] }
    }

    fn change(column: usize, text: &str) -> Change {
        Change { place: Place { section: 0, row: 0, column }, text: text.to_owned() }
    }

    #[test]
    fn values_of_columns_are_checked() {
        let refused = |column, text| sheet().check(&[change(column, text)]).unwrap_err().message;
        for (column, text) in [(1, ""), (1, " -2.5 "), (2, "fixed"), (3, ON)] {
            assert_eq!(sheet().check(&[change(column, text)]), Ok(()));
        }
        assert_eq!(refused(0, "b"), "`name` cannot be changed");
        assert_eq!(refused(1, "x"), "`level` is x, expected a number");
        assert_eq!(refused(1, "inf"), "`level` is inf, expected a number");
        assert_eq!(refused(2, ""), "`use` is empty, expected one of free, fixed");
        assert_eq!(refused(3, "1"), "`owned` is 1, expected on or off");
        assert_eq!(refused(4, ""), "section 0 has no cell in row 0, column 4");
    }

    #[test]
    fn equal_texts_are_no_news() {
        let changes = [change(1, "3"), change(1, "4"), change(3, OFF)];
        assert_eq!(sheet().news(&changes), changes[1..2]);
    }
}
