//! The fields of TOML tables. [`fields!`](crate::fields) declares a structure whose fields are read
//! from a table, each in one line: type, key, default and domain.
//!
//! ```
//! use std::{path::Path, time::Duration};
//! use unriddle_catalog::{
//!     Registry, fields, units,
//!     work::{Fields, Reading, Table, Unit, reader::Reader},
//! };
//!
//! fields! {
//!     /// A walk.
//!     #[derive(Debug)]
//!     struct Walk {
//!         /// Steps.
//!         steps: u64, 1..=1_000;
//!         /// Fewest steps.
//!         least: u64 = 0, 0..=steps.unwrap_or(1_000);
//!         /// Time limit.
//!         limit("time"): Duration = Duration::from_secs(1), Unit(units::duration);
//!     }
//! }
//!
//! let registry = Registry::new([])?;
//! let read = |text: &str| {
//!     let reader = Reader { path: Path::new("walk.toml"), text };
//!     let reading = Reading::new(reader, &registry);
//!     let walk = Walk::read_all(&mut Table::parse(&reading)?);
//!     reading.end(walk)
//! };
//! let walk = read("steps = \"1k\"\ntime = \"3s\"")?;
//! assert_eq!((walk.steps, walk.least, walk.limit.as_secs()), (1_000, 0, 3));
//! assert_eq!(
//!     read("steps = 0\nleats = 3").unwrap_err().to_string(),
//!     "walk.toml, line 1, column 9: `steps` is 0, but must be between 1 and 1000; \
//!      line 2, column 1: unknown field `leats`; did you mean `least`? (known: steps, least, time)"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{
    Reading, WorkError,
    reader::{Amount, Name, nearer, unknown},
};
use crate::units;
use serde::de::{Deserialize, DeserializeOwned};
use std::{
    collections::BTreeMap,
    ops::{Range, RangeInclusive},
};
use toml::{
    Spanned,
    de::{DeTable, DeValue, ValueDeserializer},
};

/// A structure that is read from the fields of a table.
pub trait Fields: Sized {
    /// Reads the fields. `None` if one of them is wrong; the reading collects the errors.
    fn read(table: &mut Table<'_>) -> Option<Self>;

    /// Reads the fields of a table that has no other fields.
    fn read_all(table: &mut Table<'_>) -> Option<Self> {
        let read = Self::read(table);
        table.end();
        read
    }
}

/// A value in the text, with its key and the reading that collects errors.
pub struct Field<'r> {
    reading: &'r Reading<'r>,
    key: &'r str,
    value: Spanned<DeValue<'r>>,
}

impl<'r> Field<'r> {
    fn wrong<T>(&self, message: impl Into<String>) -> Option<T> {
        self.reading.wrong(&self.value.span(), message)
    }

    fn misread<T>(&self, expected: &str) -> Option<T> {
        let found = self.reading.reader.text.get(self.value.span()).unwrap_or_default();
        self.wrong(format!("`{}` is {found:.60}, expected {expected}", self.key))
    }

    /// The value of a type that serde reads.
    fn parse<T: DeserializeOwned>(&self) -> Option<T> {
        T::deserialize(ValueDeserializer::from(self.value.clone()))
            .map_err(|e| {
                self.reading
                    .wrong::<()>(&e.span().unwrap_or(self.value.span()), nearer(e.message()))
            })
            .ok()
    }

    /// The fields of the value, which must be a table.
    fn table(self) -> Option<Table<'r>> {
        match self.value.get_ref() {
            DeValue::Table(table) => {
                Some(Table::new(self.reading, self.value.span(), table.clone()))
            }
            _ => self.misread("a table"),
        }
    }

    /// The elements of the value, which must be a list.
    fn list(self) -> Vec<Self> {
        let Self { reading, key, .. } = self;
        match self.value.get_ref() {
            DeValue::Array(values) => {
                values.iter().cloned().map(|value| Self { reading, key, value }).collect()
            }
            _ => self.misread("a list").unwrap_or_default(),
        }
    }
}

/// The values that a field accepts.
pub trait Domain<T> {
    /// Reads a value; the reading collects errors.
    fn read(&self, field: Field<'_>) -> Option<T>;
}

/// Every value of a type that serde reads.
#[derive(Clone, Copy)]
pub struct Any;

impl<T: DeserializeOwned> Domain<T> for Any {
    fn read(&self, field: Field<'_>) -> Option<T> {
        field.parse()
    }
}

/// A text or a number with a unit, read by a function of [`units`].
#[derive(Clone, Copy)]
pub struct Unit<T>(pub fn(&str) -> Result<T, String>);

impl<T> Domain<T> for Unit<T> {
    fn read(&self, field: Field<'_>) -> Option<T> {
        let amount = field.parse::<Amount>()?;
        (self.0)(&amount.text()).map_err(|why| field.wrong::<()>(why)).ok()
    }
}

/// Words, each with its value.
#[derive(Clone, Copy)]
pub struct Words<'w, T>(pub &'w [(&'w str, T)]);

impl<T: Copy> Domain<T> for Words<'_, T> {
    fn read(&self, field: Field<'_>) -> Option<T> {
        let word: String = field.parse()?;
        let found = self.0.iter().find(|(known, _)| *known == word);
        found.map(|(_, value)| *value).or_else(|| {
            let known: Vec<&str> = self.0.iter().map(|(known, _)| *known).collect();
            field.wrong(unknown(&format!("`{}`", field.key), &word, &known))
        })
    }
}

/// A field that may be absent: its default is `None`.
#[derive(Clone, Copy)]
pub struct Optional<D>(pub D);

impl<T, D: Domain<T>> Domain<Option<T>> for Optional<D> {
    fn read(&self, field: Field<'_>) -> Option<Option<T>> {
        self.0.read(field).map(Some)
    }
}

/// A table within a table.
#[derive(Clone, Copy)]
pub struct Nested;

impl<T: Fields> Domain<T> for Nested {
    fn read(&self, field: Field<'_>) -> Option<T> {
        T::read_all(&mut field.table()?)
    }
}

/// A value together with its position.
#[derive(Clone, Copy)]
pub struct At<D>(pub D);

impl<T, D: Domain<T>> Domain<Spanned<T>> for At<D> {
    fn read(&self, field: Field<'_>) -> Option<Spanned<T>> {
        let span = field.value.span();
        self.0.read(field).map(|value| Spanned::new(span, value))
    }
}

/// A list of values of one domain.
#[derive(Clone, Copy)]
pub struct Each<D>(pub D);

impl<T, D: Domain<T>> Domain<Vec<T>> for Each<D> {
    fn read(&self, field: Field<'_>) -> Option<Vec<T>> {
        let read: Vec<_> = field.list().into_iter().map(|field| self.0.read(field)).collect();
        read.into_iter().collect()
    }
}

macro_rules! numbers {
    ($($number:ty: $wide:ty, $read:expr, $largest:expr, $expected:literal;)*) => { $(
        impl Domain<$number> for RangeInclusive<$wide> {
            fn read(&self, field: Field<'_>) -> Option<$number> {
                let amount = Amount::deserialize(ValueDeserializer::from(field.value.clone()));
                let Some(number) = amount.ok().and_then($read) else {
                    return field.misread($expected);
                };
                let (key, least, most) = (field.key, self.start(), self.end());
                if self.contains(&number) {
                    Some(number as $number)
                } else if *most >= $largest {
                    field.wrong(format!("`{key}` is {number}, but must be at least {least}"))
                } else {
                    field.wrong(format!("`{key}` is {number}, but must be between {least} and {most}"))
                }
            }
        }
    )* };
}

numbers! {
    u64: u64, whole, u64::MAX, "a whole number such as 5000 or \"5k\"";
    usize: u64, whole, u64::MAX, "a whole number such as 5000 or \"5k\"";
    u32: u64, whole, u64::MAX, "a whole number such as 5000 or \"5k\"";
    f64: f64, real, f64::MAX, "a number";
    f32: f64, real, f64::MAX, "a number";
}

fn whole(amount: Amount) -> Option<u64> {
    match amount {
        Amount::Whole(n) => Some(n),
        Amount::Text(text) => units::count(&text).ok(),
        Amount::Real(_) => None,
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the other readers consume their amount")]
fn real(amount: Amount) -> Option<f64> {
    match amount {
        Amount::Whole(n) => Some(n as f64),
        Amount::Real(x) => Some(x),
        Amount::Text(_) => None,
    }
}

/// A table whose fields are read by their keys. [`end`](Self::end) reports the keys that nobody
/// read.
pub struct Table<'r> {
    /// The reading that collects errors.
    pub reading: &'r Reading<'r>,
    span: Range<usize>,
    left: DeTable<'r>,
    known: Vec<&'static str>,
    places: BTreeMap<&'static str, Range<usize>>,
}

impl<'r> Table<'r> {
    /// Parses the text of a reading.
    ///
    /// # Errors
    /// The position of a syntax error of TOML.
    pub fn parse(reading: &'r Reading<'r>) -> Result<Self, WorkError> {
        let table = DeTable::parse(reading.reader.text).map_err(|error| {
            reading.reader.error(&error.span().unwrap_or(0..0), error.message())
        })?;
        Ok(Self::new(reading, 0..0, table.into_inner()))
    }

    fn new(reading: &'r Reading<'r>, span: Range<usize>, left: DeTable<'r>) -> Self {
        Self { reading, span, left, known: Vec::new(), places: BTreeMap::new() }
    }

    fn take(&mut self, key: &'static str) -> Option<Field<'r>> {
        self.known.push(key);
        let value = self.left.remove(key)?;
        self.places.insert(key, value.span());
        Some(Field { reading: self.reading, key, value })
    }

    /// Whether the table has a field that was not read yet.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.left.contains_key(key)
    }

    /// The position of a field that was read, or of the table if the field is absent.
    #[must_use]
    pub fn place(&self, key: &str) -> Range<usize> {
        self.places.get(key).unwrap_or(&self.span).clone()
    }

    /// Collects an error at the value of a field.
    pub fn wrong_at<T>(&self, key: &str, message: impl Into<String>) -> Option<T> {
        self.reading.wrong(&self.place(key), message)
    }

    /// Collects an error at the value of a field if `is_wrong`. The message follows the key.
    pub fn refuse(&self, key: &str, is_wrong: bool, message: &str) {
        if is_wrong {
            self.wrong_at::<()>(key, format!("`{key}` {message}"));
        }
    }

    /// Collects an error at the table.
    pub fn wrong<T>(&self, message: impl Into<String>) -> Option<T> {
        self.reading.wrong(&self.span, message)
    }

    /// The value of a field; `default` if it is absent, or an error if there is no default.
    pub fn field<T>(
        &mut self,
        key: &'static str,
        default: Option<T>,
        domain: &impl Domain<T>,
    ) -> Option<T> {
        match self.take(key) {
            Some(field) => domain.read(field),
            None => default.or_else(|| self.wrong(format!("`{key}` is missing"))),
        }
    }

    /// A required field of a type that serde reads.
    pub fn get<T: DeserializeOwned>(&mut self, key: &'static str) -> Option<T> {
        self.field(key, None, &Any)
    }

    /// A field of a type that serde reads; the outer `None` is an error, the inner an absent field.
    #[allow(clippy::option_option)]
    pub fn maybe<T: DeserializeOwned>(&mut self, key: &'static str) -> Option<Option<T>> {
        self.field(key, Some(None), &Optional(Any))
    }

    /// A required table within this one.
    pub fn table(&mut self, key: &'static str) -> Option<Table<'r>> {
        match self.take(key) {
            Some(field) => field.table(),
            None => self.wrong(format!("[{key}] is missing")),
        }
    }

    /// The tables of a list; empty if the field is absent.
    pub fn tables(&mut self, key: &'static str) -> Vec<Table<'r>> {
        let fields = self.take(key).map(Field::list).unwrap_or_default();
        fields.into_iter().filter_map(Field::table).collect()
    }

    /// The tables of a table with their names; empty if the field is absent.
    pub fn named_tables(&mut self, key: &'static str) -> Vec<(String, Table<'r>)> {
        let all = self.take(key).and_then(Field::table).map(|table| table.left).unwrap_or_default();
        let named = all.into_iter().filter_map(|(name, value)| {
            let field = Field { reading: self.reading, key, value };
            field.table().map(|table| (name.into_inner().into(), table))
        });
        named.collect()
    }

    /// The text of a field with the position of that field.
    #[must_use]
    pub fn name(&self, key: &str, text: &str) -> Name {
        Spanned::new(self.place(key), text.to_owned())
    }

    /// Collects an error for each key that is not in `known`.
    pub fn only(&self, known: &[&str]) {
        for key in self.left.keys().filter(|key| !known.contains(&&**key.get_ref())) {
            self.reading.wrong::<()>(&key.span(), unknown("field", key.get_ref(), known));
        }
    }

    /// Replaces fields by fields of another table. Tables that both have are merged.
    pub fn merge(&mut self, other: Table<'r>) {
        merge(&mut self.left, other.left);
    }

    /// Collects an error for each key that nobody read.
    pub fn end(&mut self) {
        self.only(&self.known);
        self.left.clear();
    }
}

fn merge<'r>(old: &mut DeTable<'r>, new: DeTable<'r>) {
    for (key, value) in new {
        match (old.remove(&**key.get_ref()), value.get_ref()) {
            (Some(inner), DeValue::Table(more)) if inner.get_ref().is_table() => {
                let mut inner = inner;
                if let DeValue::Table(inner) = inner.get_mut() {
                    merge(inner, more.clone());
                }
                old.insert(key, inner);
            }
            _ => drop(old.insert(key, value)),
        }
    }
}

/// Declares structures that are read from the fields of a table; see
/// [`work::table`](crate::work::table).
///
/// A field is `name: type = default, domain;`. Its key is its name, unless another key follows the
/// name: `name("key")`. Without a default the field is required; without a domain serde reads it.
/// Default and domain may use earlier fields, which are `Option`s there. The leading braces contain
/// structures whose own fields belong to the same table.
#[macro_export]
macro_rules! fields {
    ($(
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $({ $($(#[$flat_doc:meta])* $flat_vis:vis $flat:ident: $flat_type:ty;)* })?
            $(
                $(#[$doc:meta])*
                $field_vis:vis $field:ident $(($key:literal))?: $type:ty
                $(= $default:expr)? $(, $domain:expr)?;
            )*
        }
    )*) => { $(
        $(#[$meta])*
        $vis struct $name {
            $($($(#[$flat_doc])* $flat_vis $flat: $flat_type,)*)?
            $($(#[$doc])* $field_vis $field: $type,)*
        }

        impl $crate::work::Fields for $name {
            fn read(table: &mut $crate::work::Table<'_>) -> Option<Self> {
                $($(let $flat = <$flat_type as $crate::work::Fields>::read(table);)*)?
                $(let $field: Option<$type> = table.field(
                    $crate::fields!(@key $field $($key)?),
                    $crate::fields!(@default $($default)?),
                    &$crate::fields!(@domain $($domain)?),
                );)*
                Some(Self { $($($flat: $flat?,)*)? $($field: $field?,)* })
            }
        }
    )* };
    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $key:literal) => { $key };
    (@default) => { None };
    (@default $default:expr) => { Some($default) };
    (@domain) => { $crate::work::Any };
    (@domain $domain:expr) => { $domain };
}
