//! A small reader of JSON (RFC 8259).
//!
//! Numbers keep their literal text, because the reader of the document decides the meaning of a
//! number: a price of more than 2^53 or a level of 84.1 must not be converted to floating point. A
//! key that occurs twice in an object is refused. The standard does not define which of both values
//! counts, so that two programs may read two different puzzles.

use crate::text::start;
use std::{collections::HashSet, fmt, iter::Peekable, str::Chars};

/// Maximum nesting depth of lists and objects: as deep as other readers allow, and far from a stack
/// overflow.
const MOST_DEPTH: usize = 127;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// The text of the number.
    Number(String),
    Text(String),
    List(Vec<Value>),
    /// Keys and values in the order of the document.
    Object(Vec<(String, Value)>),
}

/// Reads a document. The error names the line and column (in characters, from 1) of the fault.
pub(crate) fn read(text: &str) -> Result<Value, String> {
    let mut reader = Reader { rest: text.chars().peekable(), line: 1, column: 1 };
    reader.skip_blanks();
    let value = reader.value(0)?;
    reader.skip_blanks();
    match reader.rest.peek() {
        None => Ok(value),
        Some(_) => Err(reader.expected("the end of the text")),
    }
}

impl Value {
    /// The value of a key of an object; `None` if the key is missing or the value is not an object.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let pair = self.as_object()?.iter().find(|(known, _)| known == key);
        pair.map(|(_, value)| value)
    }

    pub(crate) fn as_object(&self) -> Option<&[(String, Self)]> {
        if let Self::Object(pairs) = self { Some(pairs) } else { None }
    }

    pub(crate) fn as_list(&self) -> Option<&[Self]> {
        if let Self::List(values) = self { Some(values) } else { None }
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The text of a number.
    pub(crate) fn as_literal(&self) -> Option<&str> {
        if let Self::Number(literal) = self { Some(literal) } else { None }
    }

    /// Sets the value of a key of an object.
    pub(crate) fn set(&mut self, key: &str, value: Self) {
        if let Self::Object(pairs) = self {
            match pairs.iter_mut().find(|(k, _)| k == key) {
                Some((_, old)) => *old = value,
                None => pairs.push((key.to_owned(), value)),
            }
        }
    }

    /// A number that is written without a sign, a point and an exponent.
    pub(crate) fn as_index(&self) -> Option<usize> {
        self.as_literal()?.parse().ok()
    }
}

/// The shortest document of this value.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => write!(f, "null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(literal) => write!(f, "{literal}"),
            Self::Text(text) => write!(f, "{}", quoted(text)),
            Self::List(values) => {
                let values: Vec<String> = values.iter().map(Self::to_string).collect();
                write!(f, "[{}]", values.join(","))
            }
            Self::Object(pairs) => {
                let pair = |(key, value): &(String, Self)| format!("{}:{value}", quoted(key));
                write!(f, "{{{}}}", pairs.iter().map(pair).collect::<Vec<_>>().join(","))
            }
        }
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => quoted += &format!("\\u{:04x}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    /// Line of the next character.
    line: usize,
    column: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        match c {
            '\n' => (self.line, self.column) = (self.line + 1, 1),
            _ => self.column += 1,
        }
        Some(c)
    }

    /// The next character, if it is in the list.
    fn next_of(&mut self, wanted: &[char]) -> Option<char> {
        match self.rest.peek() {
            Some(c) if wanted.contains(c) => self.next(),
            _ => None,
        }
    }

    fn skip_blanks(&mut self) {
        while self.next_of(&[' ', '\t', '\n', '\r']).is_some() {}
    }

    fn wrong(&self, why: &str) -> String {
        format!("line {}, column {}: {why}", self.line, self.column)
    }

    fn expected(&mut self, what: &str) -> String {
        let found = match self.rest.peek() {
            None => "the text ends".to_owned(),
            Some(c) if c.is_ascii_graphic() => format!("found `{c}`"),
            Some(c) => format!("found `{}`", c.escape_debug()),
        };
        self.wrong(&format!("expected {what}, but {found}"))
    }

    /// Reads a value that is nested inside `depth` lists and objects.
    fn value(&mut self, depth: usize) -> Result<Value, String> {
        match self.rest.peek() {
            Some('{' | '[') if depth == MOST_DEPTH => {
                Err(self.wrong(&format!("nested more than {MOST_DEPTH} deep")))
            }
            Some('{') => self.object(depth + 1),
            Some('[') => self.list(depth + 1),
            Some('"') => Ok(Value::Text(self.text()?)),
            Some('-' | '0'..='9') => self.number(),
            Some('n') => self.word("null", Value::Null),
            Some('t') => self.word("true", Value::Bool(true)),
            Some('f') => self.word("false", Value::Bool(false)),
            _ => Err(self.expected("a value")),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, String> {
        for c in word.chars() {
            if self.next_of(&[c]).is_none() {
                return Err(self.expected(&format!("`{word}`")));
            }
        }
        Ok(value)
    }

    /// Reads the parts of a list or an object, which commas separate, up to the sign `end`.
    fn parts(
        &mut self,
        end: char,
        mut part: impl FnMut(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        self.next();
        self.skip_blanks();
        if self.next_of(&[end]).is_some() {
            return Ok(());
        }
        loop {
            self.skip_blanks();
            part(self)?;
            self.skip_blanks();
            match self.next_of(&[',', end]) {
                Some(',') => {}
                Some(_) => return Ok(()),
                None => return Err(self.expected(&format!("`,` or `{end}`"))),
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, String> {
        let mut values = Vec::new();
        self.parts(']', |reader| {
            values.push(reader.value(depth)?);
            Ok(())
        })?;
        Ok(Value::List(values))
    }

    fn object(&mut self, depth: usize) -> Result<Value, String> {
        let (mut pairs, mut seen) = (Vec::new(), HashSet::new());
        self.parts('}', |reader| {
            let (line, column) = (reader.line, reader.column);
            if reader.rest.peek() != Some(&'"') {
                return Err(reader.expected("a key in quotation marks"));
            }
            let key = reader.text()?;
            if !seen.insert(key.clone()) {
                let key = start(&key, 40);
                return Err(format!(
                    "line {line}, column {column}: the key `{}` occurs twice in an object",
                    key.escape_debug()
                ));
            }
            reader.skip_blanks();
            if reader.next_of(&[':']).is_none() {
                return Err(reader.expected("`:`"));
            }
            reader.skip_blanks();
            pairs.push((key, reader.value(depth)?));
            Ok(())
        })?;
        Ok(Value::Object(pairs))
    }

    fn number(&mut self) -> Result<Value, String> {
        let mut literal = String::new();
        literal.extend(self.next_of(&['-']));
        match self.next_of(&['0']) {
            // No digit may follow a leading zero.
            Some(zero) => literal.push(zero),
            None => self.digits(&mut literal)?,
        }
        if let Some(point) = self.next_of(&['.']) {
            literal.push(point);
            self.digits(&mut literal)?;
        }
        if let Some(letter) = self.next_of(&['e', 'E']) {
            literal.push(letter);
            literal.extend(self.next_of(&['+', '-']));
            self.digits(&mut literal)?;
        }
        Ok(Value::Number(literal))
    }

    /// Reads at least one digit.
    fn digits(&mut self, literal: &mut String) -> Result<(), String> {
        let before = literal.len();
        while let Some(digit) = self.rest.peek().copied().filter(char::is_ascii_digit) {
            literal.push(digit);
            self.next();
        }
        if literal.len() > before { Ok(()) } else { Err(self.expected("a digit")) }
    }

    fn text(&mut self) -> Result<String, String> {
        let mut text = String::new();
        self.next();
        loop {
            match self.rest.peek().copied() {
                None => return Err(self.wrong("the text ends before a closing quotation mark")),
                Some(c) if c < ' ' => {
                    let c = c.escape_debug();
                    return Err(self.wrong(&format!("`{c}` must be escaped inside a text")));
                }
                _ => {}
            }
            match self.next() {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                other => text.extend(other),
            }
        }
    }

    /// The character of an escape sequence, read from after its backslash.
    fn escape(&mut self) -> Result<char, String> {
        let known = ['"', '\\', '/', 'b', 'f', 'n', 'r', 't', 'u'];
        Ok(match self.next_of(&known) {
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => return self.code(),
            Some(c) => c,
            None => return Err(self.expected("one of `\"\\/bfnrtu` behind a backslash")),
        })
    }

    /// The character of a `\u` code, or of two codes that form a surrogate pair.
    fn code(&mut self) -> Result<char, String> {
        let mut code = self.hexadecimal()?;
        let is_high = (0xd800..0xdc00).contains(&code);
        if is_high && self.next_of(&['\\']).is_some() && self.next_of(&['u']).is_some() {
            let low = self.hexadecimal()?;
            if (0xdc00..0xe000).contains(&low) {
                code = 0x1_0000 + (code - 0xd800) * 0x400 + (low - 0xdc00);
            }
        }
        // Half of a pair is not a character.
        let alone = "half of a surrogate pair without the other half";
        char::from_u32(code).ok_or_else(|| self.wrong(alone))
    }

    fn hexadecimal(&mut self) -> Result<u32, String> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.rest.peek().and_then(|c| c.to_digit(16));
            code = 16 * code + digit.ok_or_else(|| self.expected("four hexadecimal digits"))?;
            self.next();
        }
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_DEPTH, Value, read};

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    fn number(literal: &str) -> Value {
        Value::Number(literal.to_owned())
    }

    #[test]
    fn all_kinds_of_values() {
        let document =
            " {\"a\" : [ null,true , false ],\r\n\t\"b\":{}, \"\": [], \"c\":[{\"d\":\"e\"}]} \n";
        let list = vec![Value::Null, Value::Bool(true), Value::Bool(false)];
        let inner = Value::Object(vec![("d".to_owned(), text("e"))]);
        let pairs = [
            ("a", Value::List(list)),
            ("b", Value::Object(Vec::new())),
            ("", Value::List(Vec::new())),
            ("c", Value::List(vec![inner])),
        ];
        let pairs = pairs.map(|(key, value)| (key.to_owned(), value)).to_vec();
        let value = read(document).unwrap();
        assert_eq!(value, Value::Object(pairs));
        let short = r#"{"a":[null,true,false],"b":{},"":[],"c":[{"d":"e"}]}"#;
        assert_eq!(value.to_string(), short);
        assert_eq!(read(short), Ok(value));
    }

    #[test]
    fn numbers_keep_their_text() {
        for literal in [
            "0",
            "-0",
            "7",
            "-12",
            "0.50",
            "1e9",
            "1.5E-07",
            "2e+3",
            "123456789012345678901234567890",
        ] {
            assert_eq!(read(literal), Ok(number(literal)));
        }
        assert_eq!(number("17").as_index(), Some(17));
        for literal in ["-1", "-0", "1.0", "1e1", "99999999999999999999999"] {
            assert_eq!(number(literal).as_index(), None, "{literal}");
        }
        assert_eq!(text("1").as_index(), None);
    }

    #[test]
    fn escapes() {
        assert_eq!(
            read(r#""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude00\u0000é😀""#),
            Ok(text("\"\\/\u{8}\u{c}\n\r\tAé€😀\0é😀"))
        );
        let all = text("\"\\/\n\u{1f}\u{7f}é😀");
        assert_eq!(all.to_string(), "\"\\\"\\\\/\\u000a\\u001f\u{7f}é😀\"");
        assert_eq!(read(&all.to_string()), Ok(all));
    }

    #[test]
    fn keys_are_found_and_set() {
        let mut value = read(r#"{"a": 1, "b": 2}"#).unwrap();
        assert_eq!(value.get("b"), Some(&number("2")));
        assert_eq!((value.get("c"), number("1").get("a")), (None, None));
        value.set("a", Value::Null);
        value.set("c", text("x"));
        assert_eq!(value.to_string(), r#"{"a":null,"b":2,"c":"x"}"#);
    }

    #[test]
    fn errors_have_a_position() {
        for (document, message) in [
            ("", "line 1, column 1: expected a value, but the text ends"),
            ("\u{feff}1", "line 1, column 1: expected a value, but found `\\u{feff}`"),
            ("1 2", "line 1, column 3: expected the end of the text, but found `2`"),
            ("01", "line 1, column 2: expected the end of the text, but found `1`"),
            ("-", "line 1, column 2: expected a digit, but the text ends"),
            (".5", "line 1, column 1: expected a value, but found `.`"),
            ("1.e3", "line 1, column 3: expected a digit, but found `e`"),
            ("1e+", "line 1, column 4: expected a digit, but the text ends"),
            ("nul", "line 1, column 4: expected `null`, but the text ends"),
            ("True", "line 1, column 1: expected a value, but found `T`"),
            ("[1,\n 2", "line 2, column 3: expected `,` or `]`, but the text ends"),
            ("[1,]", "line 1, column 4: expected a value, but found `]`"),
            ("[,1]", "line 1, column 2: expected a value, but found `,`"),
            ("{\"ä\" 1}", "line 1, column 6: expected `:`, but found `1`"),
            ("{\"a\":1,}", "line 1, column 8: expected a key in quotation marks, but found `}`"),
            ("{a:1}", "line 1, column 2: expected a key in quotation marks, but found `a`"),
            ("{\"a\":1 \"b\":2}", "line 1, column 8: expected `,` or `}`, but found `\"`"),
            (
                "{\"a\":1,\n \"\\u0061\":2}",
                "line 2, column 2: the key `a` occurs twice in an object",
            ),
            ("\"ab", "line 1, column 4: the text ends before a closing quotation mark"),
            (
                "\"\\",
                "line 1, column 3: expected one of `\"\\/bfnrtu` behind a backslash, but the text ends",
            ),
            ("\"a\nb\"", "line 1, column 3: `\\n` must be escaped inside a text"),
            ("\"\\u12g4\"", "line 1, column 6: expected four hexadecimal digits, but found `g`"),
            ("\"\\ud83d\"", "line 1, column 8: half of a surrogate pair without the other half"),
            (
                "\"\\ud83d\\u0041\"",
                "line 1, column 14: half of a surrogate pair without the other half",
            ),
            ("\"\\ude00\"", "line 1, column 8: half of a surrogate pair without the other half"),
        ] {
            assert_eq!(read(document), Err(message.to_owned()), "{document}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(read(&nested(MOST_DEPTH)).is_ok());
        assert_eq!(
            read(&nested(MOST_DEPTH + 1)),
            Err("line 1, column 128: nested more than 127 deep".to_owned())
        );
        assert!(read(&"[{\"a\":".repeat(1_000_000)).is_err());
    }
}
