//! Text and SQL forms of the fields of a [`Row`](crate::Row): cells of a CSV file and values in the
//! database.
//!
//! An unknown value is an empty cell and NULL. A known empty text is the cell `''`, and a text that
//! consists of apostrophes gets two more. Numbers are written in the shortest form that reads back
//! as the same number.

use rusqlite::types::{Value, ValueRef};
use std::borrow::Cow;
use unriddle_catalog::record::{Measured, Unit};

/// Field of a row. By default its SQL value is its CSV cell as text.
pub(crate) trait Cell: Sized {
    /// Describes a valid cell for errors.
    const EXPECTED: &'static str;
    /// Type of the database's column.
    const KIND: &'static str = "TEXT";
    /// Whether files may lack the column; its values are then unknown.
    const MAY_LACK: bool = false;

    /// Returns the cell of a CSV file.
    fn csv(&self) -> Cow<'_, str>;
    /// Reads a cell; `None` if it is invalid.
    fn parse(cell: &str) -> Option<Self>;
    /// Returns the value for the database, or the reason why it cannot hold it.
    fn sql(&self) -> Result<Value, String> {
        Ok(Value::Text(self.csv().into_owned()))
    }
    /// Reads a value of the database; `None` if it is invalid.
    fn read(value: ValueRef<'_>) -> Option<Self> {
        Self::parse(value.as_str().ok()?)
    }
}

/// The CSV form of a type with `Display` and `FromStr`.
macro_rules! csv_as_displayed {
    () => {
        fn csv(&self) -> std::borrow::Cow<'_, str> {
            std::borrow::Cow::Owned(self.to_string())
        }
        fn parse(cell: &str) -> Option<Self> {
            cell.parse().ok()
        }
    };
}
pub(crate) use csv_as_displayed;

impl Cell for String {
    const EXPECTED: &'static str = "a text";

    fn csv(&self) -> Cow<'_, str> {
        Cow::Borrowed(self)
    }
    fn parse(cell: &str) -> Option<Self> {
        Some(cell.to_owned())
    }
}

impl Cell for bool {
    const EXPECTED: &'static str = "true or false";
    const KIND: &'static str = "INTEGER";

    csv_as_displayed!();
    fn sql(&self) -> Result<Value, String> {
        Ok(Value::Integer(i64::from(*self)))
    }
    fn read(value: ValueRef<'_>) -> Option<Self> {
        value.as_i64().ok().map(|n| n != 0)
    }
}

impl Cell for i64 {
    const EXPECTED: &'static str = "a whole number";
    const KIND: &'static str = "INTEGER";

    csv_as_displayed!();
    fn sql(&self) -> Result<Value, String> {
        Ok(Value::Integer(*self))
    }
    fn read(value: ValueRef<'_>) -> Option<Self> {
        value.as_i64().ok()
    }
}

impl Cell for u64 {
    const EXPECTED: &'static str = "a whole number";
    const KIND: &'static str = "INTEGER";

    csv_as_displayed!();
    fn sql(&self) -> Result<Value, String> {
        // SQLite's integers are signed.
        let number = i64::try_from(*self).map(Value::Integer);
        number.map_err(|_| format!("{self} is too large: the database holds numbers below 2^63"))
    }
    fn read(value: ValueRef<'_>) -> Option<Self> {
        u64::try_from(value.as_i64().ok()?).ok()
    }
}

impl Cell for f64 {
    const EXPECTED: &'static str = "a number";
    const KIND: &'static str = "REAL";

    fn csv(&self) -> Cow<'_, str> {
        // `{:?}`, unlike `{}`, is short for very large and very small numbers.
        Cow::Owned(format!("{self:?}"))
    }
    fn parse(cell: &str) -> Option<Self> {
        cell.parse().ok().filter(|x: &f64| !x.is_nan())
    }
    fn sql(&self) -> Result<Value, String> {
        // SQLite would silently store NaN as NULL, that is, as unknown.
        if self.is_nan() { Err("is NaN".to_owned()) } else { Ok(Value::Real(*self)) }
    }
    fn read(value: ValueRef<'_>) -> Option<Self> {
        value.as_f64().ok()
    }
}

impl Cell for Measured {
    const EXPECTED: &'static str = "measures such as m0=81 m1=93";

    csv_as_displayed!();
}

impl Cell for Unit {
    const EXPECTED: &'static str = "a unit such as 0.01 coins";

    csv_as_displayed!();
}

impl<T: Cell> Cell for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;
    const KIND: &'static str = T::KIND;
    const MAY_LACK: bool = true;

    fn csv(&self) -> Cow<'_, str> {
        let text = self.as_ref().map_or(Cow::Borrowed(""), Cell::csv);
        if self.is_some() && is_apostrophes(&text) { Cow::Owned(format!("{text}''")) } else { text }
    }
    fn parse(cell: &str) -> Option<Self> {
        match cell {
            "" => Some(None),
            quoted if quoted.len() >= 2 && is_apostrophes(quoted) => {
                T::parse(&quoted[2..]).map(Some)
            }
            cell => T::parse(cell).map(Some),
        }
    }
    fn sql(&self) -> Result<Value, String> {
        self.as_ref().map_or(Ok(Value::Null), Cell::sql)
    }
    fn read(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Null => Some(None),
            value => T::read(value).map(Some),
        }
    }
}

fn is_apostrophes(text: &str) -> bool {
    text.bytes().all(|b| b == b'\'')
}

/// Column of CSV files and, unless `sql` is empty, of the database.
pub(crate) struct Column {
    /// Name of the field.
    pub(crate) name: &'static str,
    /// Column in a query that joins runs (`r`), instances (`i`), solvers (`s`) and sessions (`b`);
    /// empty for a field that has a table of its own.
    pub(crate) sql: &'static str,
    /// Type of the database's column.
    pub(crate) kind: &'static str,
    /// Whether older files and databases may lack it.
    pub(crate) may_lack: bool,
}

impl Column {
    /// Makes the column of a field of type `T`.
    pub(crate) const fn of<T: Cell>(name: &'static str, sql: &'static str) -> Self {
        Self { name, sql, kind: T::KIND, may_lack: T::MAY_LACK }
    }
}

/// Source of the fields of a row, read in the order of the columns.
pub(crate) trait Cells {
    /// Reason why a field cannot be read.
    type Error;

    /// Reads the next field.
    fn next<T: Cell>(&mut self) -> Result<T, Self::Error>;
}
