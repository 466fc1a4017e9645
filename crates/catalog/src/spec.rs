//! Specs: solvers, heuristics and puzzles written as expressions, such as
//! `bwas(net(models/cube3.safetensors), lambda=0.6, batch=10k)`.
//!
//! ```text
//! expr   := name [ "(" [ arg { "," arg } ] ")" ]
//! arg    := [ name "=" ] value                      (those without a name come first)
//! value  := expr | number | word | '"' text '"'
//! name   := letter { letter | digit | "_" | "-" }
//! number := [ "+" | "-" ] digits [ "." digits ] [ ("e" | "E") [ "+" | "-" ] digits ] [ suffix ]
//! suffix := "k" | "M" | "G"
//! word   := any other run of characters without space, control character or one of  ( ) , = "
//! ```
//!
//! A [`Spec`] knows no declarations: [`bind`](crate::bind) compares it with one. The same spec can
//! be written as a TOML table ([`Spec::from_toml`]). Invariants, each with a property test: no text
//! makes the parser panic; [`Display`](fmt::Display) prints text that parses back to an equal spec;
//! so does [`Spec::to_toml`]. Lengths and depths are limited, so a hostile text cannot exhaust the
//! stack.

mod error;
mod parse;
mod toml;

pub use error::SpecError;
pub use unriddle_core::number::{NotInteger, Number};

use std::{fmt, str::FromStr, sync::Arc};

/// Longest text of a spec, in bytes.
pub const MAX_BYTES: usize = 8 * 1024;
/// Longest TOML document of a spec, in bytes.
pub const MAX_TOML_BYTES: usize = 64 * 1024;
/// Deepest nesting of expressions.
pub const MAX_DEPTH: usize = 32;

/// A range of bytes of the text that a spec was read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
}

/// An expression: a name with arguments. Two specs are equal if their names and arguments are,
/// wherever they are in a text.
#[derive(Clone)]
pub struct Spec {
    pub(crate) name: String,
    pub(crate) name_span: Span,
    pub(crate) args: Vec<Arg>,
    /// The whole text (or document) that the spans point into.
    pub(crate) source: Arc<str>,
}

/// An argument. Two arguments are equal if their names and values are, wherever they are in a text.
#[derive(Clone, Debug)]
pub struct Arg {
    /// The name before the `=`, if there is one.
    pub name: Option<String>,
    /// Its value.
    pub value: Value,
    /// Position of the name, or else of the value.
    pub span: Span,
    /// Position of the value.
    pub value_span: Span,
}

/// The value of an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An expression; a bare word that could be a name is one without arguments.
    Expr(Spec),
    /// A number, as it was written.
    Number(Number),
    /// A bare word that is neither a name nor a number, or any text in quotes.
    Text(String),
}

impl Spec {
    /// Reads an expression.
    ///
    /// # Errors
    /// The position of the first error, and the expected text.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        parse::document(text)
    }

    /// Reads a TOML document: `name` is the name, `args` (an array) holds the arguments that are
    /// given by position, every other key is an argument given by name. A nested expression is a
    /// table of the same form, or a string where the declaration expects an expression; an array
    /// gives one argument many times.
    ///
    /// # Errors
    /// The position of the first error, and the expected text.
    pub fn from_toml(text: &str) -> Result<Self, SpecError> {
        toml::read(text)
    }

    /// Reads a TOML value: a table as in [`from_toml`](Self::from_toml), or a string with an
    /// expression.
    ///
    /// # Errors
    /// Errors of [`from_toml`](Self::from_toml); positions refer to the table written as text.
    pub fn from_toml_value(value: &::toml::Value) -> Result<Self, SpecError> {
        toml::read_value(value)
    }

    /// The TOML document that [`from_toml`](Self::from_toml) reads back. A number that TOML cannot
    /// write (`10k`) comes back as a text, which binds to the same value.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::write(self)
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments, in the order of the text.
    #[must_use]
    pub fn args(&self) -> &[Arg] {
        &self.args
    }

    /// Position of the name in [`source`](Self::source).
    #[must_use]
    pub fn name_span(&self) -> Span {
        self.name_span
    }

    /// The whole text that the expression is part of.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// An error at a position of this spec's text.
    #[must_use]
    pub fn error(&self, place: Span, message: impl Into<String>) -> SpecError {
        SpecError::new(&self.source, place.start, message)
    }
}

impl PartialEq for Spec {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.args == other.args
    }
}

impl PartialEq for Arg {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.value == other.value
    }
}

impl FromStr for Spec {
    type Err = SpecError;
    fn from_str(text: &str) -> Result<Self, SpecError> {
        Self::parse(text)
    }
}

impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Spec({self})")
    }
}

/// The canonical text.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, arg) in self.args.iter().enumerate() {
            f.write_str(if i == 0 { "(" } else { ", " })?;
            if let Some(name) = &arg.name {
                write!(f, "{name}=")?;
            }
            write!(f, "{}", arg.value)?;
        }
        f.write_str(if self.args.is_empty() { "" } else { ")" })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expr(spec) => write!(f, "{spec}"),
            Self::Number(number) => f.write_str(number.text()),
            Self::Text(text) if parse::is_word(text) => f.write_str(text),
            Self::Text(text) => {
                f.write_str("\"")?;
                for c in text.chars() {
                    match c {
                        '"' => f.write_str("\\\"")?,
                        '\\' => f.write_str("\\\\")?,
                        '\n' => f.write_str("\\n")?,
                        '\r' => f.write_str("\\r")?,
                        '\t' => f.write_str("\\t")?,
                        c => write!(f, "{c}")?,
                    }
                }
                f.write_str("\"")
            }
        }
    }
}

impl Value {
    /// The value of a plain text, with quotes only where they are needed. A name becomes an
    /// expression without arguments, a number becomes a number.
    pub(crate) fn from_plain(text: &str) -> Self {
        match parse::classify(text) {
            parse::Atom::Name => Self::Expr(Spec {
                name: text.to_owned(),
                name_span: Span::default(),
                args: Vec::new(),
                source: text.into(),
            }),
            parse::Atom::Number(number) => Self::Number(number),
            parse::Atom::Word => Self::Text(text.to_owned()),
        }
    }
}

/// Names that no parameter can have, because a TOML table uses them itself.
pub(crate) const RESERVED: [&str; 2] = [toml::NAME, toml::ARGS];

/// Whether the text is a name: a letter, then letters, digits, `_` and `-` (all ASCII).
#[must_use]
pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}

pub(crate) use parse::embedded;

#[cfg(test)]
mod tests;
