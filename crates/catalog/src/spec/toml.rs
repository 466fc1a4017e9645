//! Specs as TOML tables.
//!
//! ```toml
//! name = "bwas"
//! args = ["net(models/cube3.safetensors)"]
//! lambda = 0.6
//! batch = 10000
//! ```
//!
//! A string stays a text here; the binder reads it as an expression, a number or a choice where the
//! declaration expects one. Arguments keep the order of the document.

use super::{Arg, MAX_DEPTH, MAX_TOML_BYTES, Number, Span, Spec, SpecError, Value, is_name};
use std::{fmt::Write as _, ops::Range, sync::Arc};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// The key of the expression's name.
pub(super) const NAME: &str = "name";
/// The key of the arguments that are given by position.
pub(super) const ARGS: &str = "args";

pub(super) fn read(text: &str) -> Result<Spec, SpecError> {
    if text.len() > MAX_TOML_BYTES {
        let message = format!(
            "the document is {} bytes long; at most {MAX_TOML_BYTES} are accepted",
            text.len()
        );
        return Err(SpecError::new("", 0, message));
    }
    let document = DeTable::parse(text).map_err(|error| {
        let place = error.span().map_or(0, |span| span.start);
        SpecError::new(text, place, format!("not TOML: {}", error.message()))
    })?;
    let reader = Reader { source: text.into() };
    reader.table(document.get_ref(), 0..0, 1)
}

pub(super) fn read_value(value: &toml::Value) -> Result<Spec, SpecError> {
    match value {
        toml::Value::String(text) => Spec::parse(text),
        toml::Value::Table(table) => match toml::to_string(table) {
            Ok(text) => read(&text),
            Err(error) => Err(SpecError::new("", 0, error.to_string())),
        },
        other => Err(SpecError::new(
            "",
            0,
            format!("expected a table or a string with an expression, found {}", other.type_str()),
        )),
    }
}

struct Reader {
    source: Arc<str>,
}

impl Reader {
    fn error(&self, place: &Range<usize>, message: impl Into<String>) -> SpecError {
        SpecError::new(&self.source, place.start, message)
    }

    fn table(
        &self,
        table: &DeTable<'_>,
        place: Range<usize>,
        depth: usize,
    ) -> Result<Spec, SpecError> {
        if depth > MAX_DEPTH {
            return Err(self
                .error(&place, format!("expressions are nested more than {MAX_DEPTH} deep here")));
        }
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let mut name = None;
        let mut positional = Vec::new();
        let mut named = Vec::new();
        for (key, value) in entries {
            let span = key.span();
            match key.get_ref().as_ref() {
                NAME => {
                    match value.get_ref().as_str() {
                        Some(text) if is_name(text) => name = Some((text.to_owned(), value.span())),
                        Some(text) => {
                            return Err(self
                                .error(&value.span(), format!("expected a name, found `{text}`")));
                        }
                        None => {
                            let found = value.get_ref().type_str();
                            return Err(self
                                .error(&value.span(), format!("expected a name, found {found}")));
                        }
                    }
                }
                ARGS => match value.get_ref().as_array() {
                    Some(array) => {
                        for value in array.iter() {
                            positional.push(self.arg(None, value.span(), value, depth)?);
                        }
                    }
                    None => {
                        return Err(self.error(
                            &value.span(),
                            format!("`{ARGS}` is the array of the arguments without a name"),
                        ));
                    }
                },
                key if !is_name(key) => {
                    return Err(self
                        .error(&span, format!("expected the name of a parameter, found `{key}`")));
                }
                key => match value.get_ref().as_array() {
                    Some(array) => {
                        for value in array.iter() {
                            named.push(self.arg(Some(key), span.clone(), value, depth)?);
                        }
                    }
                    None => named.push(self.arg(Some(key), span, value, depth)?),
                },
            }
        }
        let Some((name, span)) = name else {
            return Err(self.error(&place, format!("the table has no `{NAME}`")));
        };
        positional.append(&mut named);
        Ok(Spec {
            name,
            name_span: Span { start: span.start, end: span.end },
            args: positional,
            source: Arc::clone(&self.source),
        })
    }

    fn arg(
        &self,
        name: Option<&str>,
        place: Range<usize>,
        value: &Spanned<DeValue<'_>>,
        depth: usize,
    ) -> Result<Arg, SpecError> {
        let span = value.span();
        let number = |text: &str| {
            Number::read(text).map(Value::Number).ok_or_else(|| {
                self.error(
                    &span,
                    format!("`{text}` is not accepted here; expected a decimal number"),
                )
            })
        };
        let read = match value.get_ref() {
            DeValue::String(text) => Value::Text(text.to_string()),
            DeValue::Integer(integer) if integer.radix() == 10 => number(integer.as_str())?,
            DeValue::Integer(_) => number(self.source.get(span.clone()).unwrap_or(""))?,
            DeValue::Float(float) => number(float.as_str())?,
            DeValue::Boolean(boolean) => Value::from_plain(if *boolean { "true" } else { "false" }),
            DeValue::Table(table) => Value::Expr(self.table(table, span.clone(), depth + 1)?),
            DeValue::Array(_) => {
                return Err(self.error(&span, "an array inside an array means nothing here"));
            }
            DeValue::Datetime(_) => {
                return Err(self.error(&span, "a date means nothing here; put a text in quotes"));
            }
        };
        Ok(Arg {
            name: name.map(str::to_owned),
            value: read,
            span: Span { start: place.start, end: place.end },
            value_span: Span { start: span.start, end: span.end },
        })
    }
}

pub(super) fn write(spec: &Spec) -> String {
    let mut text = String::new();
    for (key, value) in entries(spec) {
        let _ = writeln!(text, "{key} = {value}");
    }
    text
}

/// The lines of a table, with values as TOML expressions.
fn entries(spec: &Spec) -> Vec<(String, String)> {
    let mut entries = vec![(NAME.to_owned(), quoted(&spec.name))];
    let positional: Vec<String> = spec
        .args
        .iter()
        .filter(|arg| arg.name.is_none())
        .map(|arg| self::value(&arg.value))
        .collect();
    if !positional.is_empty() {
        entries.push((ARGS.to_owned(), format!("[{}]", positional.join(", "))));
    }
    let mut done: Vec<&str> = Vec::new();
    for name in spec.args.iter().filter_map(|arg| arg.name.as_deref()) {
        if done.contains(&name) {
            continue;
        }
        done.push(name);
        let same: Vec<String> = spec
            .args
            .iter()
            .filter(|arg| arg.name.as_deref() == Some(name))
            .map(|arg| self::value(&arg.value))
            .collect();
        let text = if same.len() == 1 { same.concat() } else { format!("[{}]", same.join(", ")) };
        entries.push((name.to_owned(), text));
    }
    entries
}

fn value(value: &Value) -> String {
    match value {
        Value::Expr(spec) => {
            let fields: Vec<String> =
                entries(spec).into_iter().map(|(key, value)| format!("{key} = {value}")).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Value::Number(number) => number_text(number),
        Value::Text(text) => quoted(text),
    }
}

/// TOML knows no suffixes and no leading zeros, and its integers have 64 bits: such numbers are
/// written as strings, which the binder also reads as numbers.
fn number_text(number: &Number) -> String {
    let text = number.text();
    let plain = text.trim_start_matches('-');
    let leading_zero =
        plain.starts_with('0') && plain[1..].starts_with(|c: char| c.is_ascii_digit());
    let foreign = text.starts_with('+') || text.ends_with(['k', 'M', 'G']) || text.len() > 18;
    if leading_zero || foreign { quoted(text) } else { text.to_owned() }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
