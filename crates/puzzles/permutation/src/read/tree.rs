//! Tree of the values of a JSON or TOML file or of a Python literal, with their positions.
//!
//! `serde_json` reports positions of syntax errors only. A puzzle needs them for wrong numbers too,
//! and the order of its moves.

use super::{Fault, excerpt, fault};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// Value and the byte at which it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) at: usize,
    pub(super) value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Flag(bool),
    Whole(i64),
    /// Number that is not a whole one of 64 bits, or a date.
    Other(&'static str),
    /// A text, and the byte at which its content begins.
    Text(String, usize),
    List(Vec<Node>),
    Table(Table),
}

/// Entries with different keys, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Table {
    pub(super) at: usize,
    pub(super) entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// The byte at which the key begins.
    pub(super) at: usize,
    pub(super) key: String,
    pub(super) value: Node,
}

impl Node {
    fn kind(&self) -> String {
        match &self.value {
            Value::Null => "null".to_owned(),
            Value::Flag(flag) => flag.to_string(),
            Value::Whole(number) => number.to_string(),
            Value::Other(kind) => (*kind).to_owned(),
            Value::Text(text, _) => format!("the text `{}`", excerpt(text)),
            Value::List(_) => "a list".to_owned(),
            Value::Table(_) => "a table".to_owned(),
        }
    }

    /// The error that the value is not as expected.
    pub(super) fn refused<T>(&self, expected: &str) -> Result<T, Fault> {
        fault(self.at, format!("expected {expected}, found {}", self.kind()))
    }

    pub(super) fn table(&self, expected: &str) -> Result<&Table, Fault> {
        match &self.value {
            Value::Table(table) => Ok(table),
            _ => self.refused(expected),
        }
    }

    pub(super) fn list(&self, expected: &str) -> Result<&[Node], Fault> {
        match &self.value {
            Value::List(list) => Ok(list),
            _ => self.refused(expected),
        }
    }

    pub(super) fn text(&self, expected: &str) -> Result<&str, Fault> {
        match &self.value {
            Value::Text(text, _) => Ok(text),
            _ => self.refused(expected),
        }
    }

    /// The byte at which the content of a text begins, otherwise the value.
    pub(super) fn content(&self) -> usize {
        match self.value {
            Value::Text(_, content) => content,
            _ => self.at,
        }
    }

    pub(super) fn flag(&self) -> Result<bool, Fault> {
        match self.value {
            Value::Flag(flag) => Ok(flag),
            _ => self.refused("true or false"),
        }
    }

    /// A whole number from `least` to `most`.
    pub(super) fn number(&self, what: &str, least: usize, most: usize) -> Result<usize, Fault> {
        let number = match self.value {
            Value::Whole(number) => usize::try_from(number).ok(),
            _ => None,
        };
        match number.filter(|number| (least..=most).contains(number)) {
            Some(number) => Ok(number),
            None => self.refused(&format!("{what} from {least} to {most}")),
        }
    }

    /// A list of `count` numbers below `end`.
    pub(super) fn numbers(
        &self,
        what: &str,
        count: usize,
        end: usize,
    ) -> Result<Vec<usize>, Fault> {
        let list = self.list(&format!("a list of {count} numbers"))?;
        if list.len() != count {
            return fault(
                self.at,
                format!("expected a list of {count} numbers, found {}", list.len()),
            );
        }
        list.iter().map(|node| node.number(what, 0, end.saturating_sub(1))).collect()
    }
}

impl Table {
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    pub(super) fn need(&self, key: &str) -> Result<&Node, Fault> {
        match self.get(key) {
            Some(node) => Ok(node),
            None => fault(self.at, format!("expected the key `{key}`, found none")),
        }
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| &*entry.key)
    }

    /// Rejects keys that are not in `known`.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), Fault> {
        match self.entries.iter().find(|entry| !known.contains(&&*entry.key)) {
            None => Ok(()),
            Some(entry) => {
                let known: Vec<_> = known.iter().map(|key| format!("`{key}`")).collect();
                let why = format!(
                    "expected one of the keys {}, found `{}`",
                    known.join(", "),
                    excerpt(&entry.key)
                );
                fault(entry.at, why)
            }
        }
    }
}

/// Values of a TOML document.
pub(super) fn toml(text: &str) -> Result<Table, Fault> {
    match DeTable::parse(text) {
        Ok(root) => Ok(toml_table(text, root.get_ref(), 0)),
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            fault(at, error.message().lines().collect::<Vec<_>>().join(", "))
        }
    }
}

fn toml_table(text: &str, table: &DeTable<'_>, at: usize) -> Table {
    let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
        let name: &std::borrow::Cow<'_, str> = key.get_ref();
        Entry { at: key.span().start, key: name.to_string(), value: toml_node(text, value) }
    };
    let mut entries: Vec<_> = table.iter().map(entry).collect();
    entries.sort_by_key(|entry| entry.at);
    Table { at, entries }
}

fn toml_node(text: &str, node: &Spanned<DeValue<'_>>) -> Node {
    let at = node.span().start;
    let value = match node.get_ref() {
        DeValue::String(string) => Value::Text(string.to_string(), toml_content(text, at)),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or(Value::Other("a large number"), Value::Whole),
        DeValue::Float(_) => Value::Other("a decimal"),
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(list) => {
            Value::List(list.iter().map(|node| toml_node(text, node)).collect())
        }
        DeValue::Table(table) => Value::Table(toml_table(text, table, at)),
    };
    Node { at, value }
}

/// The byte at which the content of a TOML string begins: a line end after three quotes is not
/// part of it.
fn toml_content(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    match rest.strip_prefix("\"\"\"").or_else(|| rest.strip_prefix("'''")) {
        None => at + 1,
        Some(content) if content.starts_with("\r\n") => at + 5,
        Some(content) => at + 3 + usize::from(content.starts_with('\n')),
    }
}

/// Deepest nesting of lists and tables.
const DEPTH: usize = 32;

/// Values of a JSON document.
pub(super) fn json(text: &str) -> Result<Node, Fault> {
    Scanner { text, at: 0, is_python: false }.document()
}

/// Values of a Python literal: texts may have single quotes, and a comma may end a list.
pub(super) fn python(text: &str) -> Result<Node, Fault> {
    Scanner { text, at: 0, is_python: true }.document()
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    is_python: bool,
}

impl<'t> Scanner<'t> {
    fn document(mut self) -> Result<Node, Fault> {
        let node = self.node(0)?;
        match self.peek() {
            None => Ok(node),
            Some(_) => self.unexpected("the end of the file"),
        }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next character that is not blank.
    fn peek(&mut self) -> Option<char> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self.rest().chars().next()
    }

    fn unexpected<T>(&mut self, expected: &str) -> Result<T, Fault> {
        let found = match self.peek() {
            None => "the end of the text".to_owned(),
            Some(sign) => format!("`{}`", excerpt(sign.encode_utf8(&mut [0; 4]))),
        };
        fault(self.at, format!("expected {expected}, found {found}"))
    }

    fn node(&mut self, depth: usize) -> Result<Node, Fault> {
        let sign = self.peek();
        let at = self.at;
        if depth > DEPTH {
            return fault(at, format!("expected at most {DEPTH} lists within each other"));
        }
        let value = match sign {
            Some('{') => Value::Table(self.table(depth)?),
            Some('[') => Value::List(self.list(depth)?),
            Some('"') => Value::Text(self.string()?, at + 1),
            Some('\'') if self.is_python => Value::Text(self.string()?, at + 1),
            _ => self.scalar()?,
        };
        Ok(Node { at, value })
    }

    /// Whether another part follows: `end` ends the parts, and a comma is between two of them.
    fn continues(&mut self, end: char, is_first: bool) -> Result<bool, Fault> {
        if self.peek() == Some(end) {
            self.at += 1;
            return Ok(false);
        }
        if is_first {
            return Ok(true);
        }
        if self.peek() != Some(',') {
            return self.unexpected(&format!("`,` or `{end}`"));
        }
        self.at += 1;
        let ends = self.is_python && self.peek() == Some(end);
        self.at += usize::from(ends);
        Ok(!ends)
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Node>, Fault> {
        self.at += 1;
        let mut list = Vec::new();
        while self.continues(']', list.is_empty())? {
            list.push(self.node(depth + 1)?);
        }
        Ok(list)
    }

    fn table(&mut self, depth: usize) -> Result<Table, Fault> {
        let mut table = Table { at: self.at, entries: Vec::new() };
        let mut keys = std::collections::HashSet::new();
        self.at += 1;
        while self.continues('}', table.entries.is_empty())? {
            let is_key = matches!(self.peek(), Some('"'))
                || self.is_python && matches!(self.peek(), Some('\''));
            if !is_key {
                return self.unexpected("a key in quotes");
            }
            let at = self.at;
            let key = self.string()?;
            if !keys.insert(key.clone()) {
                return fault(at, format!("the key `{}` occurs twice", excerpt(&key)));
            }
            if self.peek() != Some(':') {
                return self.unexpected("`:`");
            }
            self.at += 1;
            let value = self.node(depth + 1)?;
            table.entries.push(Entry { at, key, value });
        }
        Ok(table)
    }

    /// A text in quotes, of which the first one is next.
    fn string(&mut self) -> Result<String, Fault> {
        let rest = self.rest();
        let quote = rest.chars().next().unwrap_or('"');
        let mut is_escaped = false;
        let is_end = |&(at, sign): &(usize, char)| {
            let is_end = at > 0 && sign == quote && !is_escaped;
            is_escaped = sign == '\\' && !is_escaped;
            is_end
        };
        let Some((end, _)) = rest.char_indices().find(is_end) else {
            return fault(
                self.at,
                format!("expected a second `{quote}`, found the end of the text"),
            );
        };
        let (at, source) = (self.at, &rest[..=end]);
        self.at += source.len();
        let inner = &source[1..end];
        if self.is_python {
            return match inner.contains('\\') {
                false => Ok(inner.to_owned()),
                true => fault(at, "expected a text without `\\`"),
            };
        }
        serde_json::from_str(source)
            .or_else(|error| fault(at + error.column().saturating_sub(1), "invalid text in quotes"))
    }

    /// A number, `true`, `false` or `null`.
    fn scalar(&mut self) -> Result<Value, Fault> {
        let rest = self.rest();
        let is_end = |sign: char| sign.is_whitespace() || ",:[]{}\"'".contains(sign);
        let word = rest.find(is_end).map_or(rest, |end| &rest[..end]);
        let at = self.at;
        let value = match word {
            "" => return self.unexpected("a value"),
            "true" => Value::Flag(true),
            "false" => Value::Flag(false),
            "null" => Value::Null,
            _ => match serde_json::from_str::<serde_json::Number>(word) {
                Ok(number) => number.as_i64().map_or(Value::Other("a decimal"), Value::Whole),
                Err(_) => {
                    return fault(at, format!("expected a value, found `{}`", excerpt(word)));
                }
            },
        };
        self.at += word.len();
        Ok(value)
    }
}
