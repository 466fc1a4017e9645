//! How the fields of a [`Row`](crate::Row) are written: each type as a cell of a CSV file and as a
//! value in the database.
//!
//! An unknown value is an empty cell and NULL. A text that is known to be empty is `''` in a cell
//! (and a text of apostrophes only gets two more). Numbers are written in the shortest form that
//! reads back as the same number.

use crate::row::{Failure, Incumbent, Key, Status};
use rusqlite::types::{Value, ValueRef};
use std::borrow::Cow;
use unriddle_catalog::record::{Measured, Unit};

/// A field of a row.
pub(crate) trait Cell {
    /// As a cell.
    fn cell(&self) -> Cow<'_, str>;
    /// As a value; or what is wrong with it.
    fn value(&self) -> Result<Value, String>;
    /// What a cell holds.
    fn of_cell(cell: &str) -> Option<Self>
    where
        Self: Sized;
    /// What a value holds.
    fn of_value(value: ValueRef<'_>) -> Option<Self>
    where
        Self: Sized;
    /// What a cell is expected to hold, in words.
    fn expected() -> String
    where
        Self: Sized;
    /// Whether a column may be missing: what it would say is then unknown.
    fn may_lack() -> bool
    where
        Self: Sized,
    {
        false
    }
    /// The type of the database's column.
    fn kind() -> &'static str
    where
        Self: Sized;
}

/// A type whose cell is its text and whose value is another type's.
macro_rules! cell {
    ($($type:ty, $kind:literal, $expected:expr, $text:expr, $parse:expr, $value:expr, $read:expr;)*) => {$(
        impl Cell for $type {
            fn cell(&self) -> Cow<'_, str> {
                let text: fn(&$type) -> Cow<'_, str> = $text;
                text(self)
            }
            fn value(&self) -> Result<Value, String> {
                let value: fn(&$type) -> Result<Value, String> = $value;
                value(self)
            }
            fn of_cell(cell: &str) -> Option<Self> {
                let parse: fn(&str) -> Option<$type> = $parse;
                parse(cell)
            }
            fn of_value(value: ValueRef<'_>) -> Option<Self> {
                let read: fn(ValueRef<'_>) -> Option<$type> = $read;
                read(value)
            }
            fn expected() -> String {
                $expected.into()
            }
            fn kind() -> &'static str {
                $kind
            }
        }
    )*};
}

cell! {
    String, "TEXT", "a text",
        |text| Cow::Borrowed(text),
        |cell| Some(cell.to_owned()),
        |text| Ok(Value::Text(text.clone())),
        |value| value.as_str().ok().map(str::to_owned);
    bool, "INTEGER", "true or false",
        |truth| Cow::Borrowed(if *truth { "true" } else { "false" }),
        |cell| cell.parse().ok(),
        |truth| Ok(Value::Integer(i64::from(*truth))),
        |value| value.as_i64().ok().map(|n| n != 0);
    i64, "INTEGER", "a whole number",
        |n| Cow::Owned(n.to_string()),
        |cell| cell.parse().ok(),
        |n| Ok(Value::Integer(*n)),
        |value| value.as_i64().ok();
    u64, "INTEGER", "a whole number",
        |n| Cow::Owned(n.to_string()),
        |cell| cell.parse().ok(),
        // SQLite's numbers have a sign.
        |n| match i64::try_from(*n) {
            Ok(number) => Ok(Value::Integer(number)),
            Err(_) => Err(format!("{n} is too large: the database holds numbers below 2^63")),
        },
        |value| u64::try_from(value.as_i64().ok()?).ok();
    f64, "REAL", "a number",
        // Unlike `{}`, `{:?}` is short for very large and very small numbers.
        |x| Cow::Owned(format!("{x:?}")),
        |cell| cell.parse().ok().filter(|x: &f64| !x.is_nan()),
        // SQLite has no word for what is not a number: it would become "unknown" without a trace.
        |x| match x.is_nan() {
            true => Err("is not a number".to_owned()),
            false => Ok(Value::Real(*x)),
        },
        |value| value.as_f64().ok();
    Key, "BLOB", "32 hexadecimal digits",
        |key| Cow::Owned(key.to_string()),
        |cell| cell.parse().ok(),
        |key| Ok(Value::Blob(key.0.to_be_bytes().to_vec())),
        |value| Some(Key(u128::from_be_bytes(value.as_blob().ok()?.try_into().ok()?)));
    Status, "TEXT", one_of(&Status::ALL, Status::name),
        |status| Cow::Borrowed(status.name()),
        |cell| word(cell, &Status::ALL, Status::name),
        |status| Ok(Value::Text(status.name().to_owned())),
        |value| word(value.as_str().ok()?, &Status::ALL, Status::name);
    Failure, "TEXT", one_of(&Failure::ALL, Failure::name),
        |failure| Cow::Borrowed(failure.name()),
        |cell| word(cell, &Failure::ALL, Failure::name),
        |failure| Ok(Value::Text(failure.name().to_owned())),
        |value| word(value.as_str().ok()?, &Failure::ALL, Failure::name);
    Measured, "TEXT", "measures such as m0=81 m1=93",
        |measured| Cow::Owned(measured.to_string()),
        |cell| cell.parse().ok(),
        |measured| Ok(Value::Text(measured.to_string())),
        |value| value.as_str().ok()?.parse().ok();
    Unit, "TEXT", "a unit such as 0.01 coins",
        |unit| Cow::Owned(unit.to_string()),
        |cell| cell.parse().ok(),
        |unit| Ok(Value::Text(unit.to_string())),
        |value| value.as_str().ok()?.parse().ok();
    // In the database they have a table of their own.
    Vec<Incumbent>, "", "incumbents such as 0.5:1200:42, separated by blanks",
        |all| {
            let one = |i: &Incumbent| format!("{:?}:{}:{}", i.cpu_s, i.expanded, i.value);
            Cow::Owned(all.iter().map(one).collect::<Vec<_>>().join(" "))
        },
        |cell| cell.split_whitespace().map(incumbent).collect(),
        |_| Ok(Value::Null),
        |_| Some(Vec::new());
}

impl<T: Cell> Cell for Option<T> {
    fn cell(&self) -> Cow<'_, str> {
        let Some(known) = self else {
            return Cow::Borrowed("");
        };
        let text = known.cell();
        match is_apostrophes(&text) {
            true => Cow::Owned(format!("{text}''")),
            false => text,
        }
    }
    fn value(&self) -> Result<Value, String> {
        self.as_ref().map_or(Ok(Value::Null), Cell::value)
    }
    fn of_cell(cell: &str) -> Option<Self> {
        match cell {
            "" => Some(None),
            quoted if quoted.len() >= 2 && is_apostrophes(quoted) => {
                T::of_cell(&quoted[2..]).map(Some)
            }
            cell => T::of_cell(cell).map(Some),
        }
    }
    fn of_value(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Null => Some(None),
            value => T::of_value(value).map(Some),
        }
    }
    fn expected() -> String {
        T::expected()
    }
    fn may_lack() -> bool {
        true
    }
    fn kind() -> &'static str {
        T::kind()
    }
}

fn is_apostrophes(text: &str) -> bool {
    text.bytes().all(|b| b == b'\'')
}

/// A word of a list.
fn word<T: Copy>(word: &str, all: &[T], name: fn(T) -> &'static str) -> Option<T> {
    all.iter().copied().find(|&each| name(each) == word)
}

fn one_of<T: Copy>(all: &[T], name: fn(T) -> &'static str) -> String {
    let names: Vec<&str> = all.iter().map(|&each| name(each)).collect();
    format!("one of {}", names.join(", "))
}

fn incumbent(text: &str) -> Option<Incumbent> {
    let mut parts = text.split(':');
    let incumbent = Incumbent {
        cpu_s: f64::of_cell(parts.next()?)?,
        expanded: parts.next()?.parse().ok()?,
        value: parts.next()?.parse().ok()?,
    };
    parts.next().is_none().then_some(incumbent)
}

/// A column: of CSV files, and, where it has a place there, of the database.
pub(crate) struct Column {
    /// The field's name.
    pub(crate) name: &'static str,
    /// Its place in a query that joins runs (`r`), instances (`i`), solvers (`s`) and sessions
    /// (`b`); empty for a field that has a table of its own.
    pub(crate) place: &'static str,
    /// The type of the database's column.
    pub(crate) kind: fn() -> &'static str,
    /// Whether older files and databases may lack it.
    pub(crate) may_lack: fn() -> bool,
}

impl Column {
    /// The column of a field of a type.
    pub(crate) const fn of<T: Cell>(name: &'static str, place: &'static str) -> Self {
        Self { name, place, kind: T::kind, may_lack: T::may_lack }
    }
}

/// Where the fields of a row are read from, one after the other in the order of the columns.
pub(crate) trait Cells {
    /// Why there is no field.
    type Error;

    /// The next field.
    fn next<T: Cell>(&mut self) -> Result<T, Self::Error>;
}
