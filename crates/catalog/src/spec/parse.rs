//! The reader of spec texts: a recursive descent over one text, whose depth is limited.

use super::{Arg, MAX_BYTES, MAX_DEPTH, Number, RESERVED, Span, Spec, SpecError, Value, is_name};
use std::sync::Arc;

/// Reads a text that is one expression.
pub(super) fn document(text: &str) -> Result<Spec, SpecError> {
    if text.len() > MAX_BYTES {
        // The position is not computed in a text that may be a whole file.
        return Err(SpecError::new("", 0, too_long(text.len())));
    }
    let source: Arc<str> = text.into();
    let span = Span { start: 0, end: text.len() };
    Reader { source: &source, pos: span.start, end: span.end }.whole()
}

/// Reads the expression inside a quoted string of `outer`, so that errors point into the string.
pub(crate) fn embedded(text: &str, outer: &Spec, span: Span) -> Result<Spec, SpecError> {
    if text.len() > MAX_BYTES {
        return Err(outer.error(span, too_long(text.len())));
    }
    let inner = Span { start: span.start + 1, end: span.end.saturating_sub(1) };
    if outer.source.get(inner.start..inner.end) == Some(text) {
        let mut reader = Reader { source: &outer.source, pos: inner.start, end: inner.end };
        return reader.whole();
    }
    // The string contains escapes: only the string's own position is known, not positions inside
    // it.
    document(text).map_err(|error| {
        outer.error(
            span,
            format!("in this text, at its column {}: {}", error.column(), error.message()),
        )
    })
}

fn too_long(bytes: usize) -> String {
    format!("the spec is {bytes} bytes long; at most {MAX_BYTES} are accepted")
}

/// Kind of an unquoted run of characters.
pub(super) enum Atom {
    Name,
    Number(Number),
    Word,
}

pub(super) fn classify(text: &str) -> Atom {
    if is_name(text) { Atom::Name } else { Number::read(text).map_or(Atom::Word, Atom::Number) }
}

fn is_word_char(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !matches!(c, '(' | ')' | ',' | '=' | '"')
}

/// Whether a text needs no quotes to be read as a text.
pub(super) fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_word_char) && matches!(classify(text), Atom::Word)
}

struct Reader<'s> {
    source: &'s Arc<str>,
    pos: usize,
    end: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.source[self.pos..self.end]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.pos += rest.len() - rest.trim_start().len();
    }

    /// Skips space; whether the next character is `c`, which is then read.
    fn eat(&mut self, c: char) -> bool {
        self.skip_space();
        let found = self.peek() == Some(c);
        if found {
            self.pos += c.len_utf8();
        }
        found
    }

    fn error(&self, byte: usize, message: impl Into<String>) -> SpecError {
        SpecError::new(self.source, byte, message)
    }

    /// The text at the position, for messages.
    fn found(&self) -> String {
        let run: String = self.rest().chars().take_while(|&c| is_word_char(c)).take(33).collect();
        match (run.chars().count(), self.peek()) {
            (_, None) => "the end".to_owned(),
            (0, Some(c)) if c.is_control() => format!("`{}`", c.escape_debug()),
            (0, Some(c)) => format!("`{c}`"),
            (33, _) => format!("`{}…`", run.chars().take(32).collect::<String>()),
            _ => format!("`{run}`"),
        }
    }

    fn expected(&self, what: &str) -> SpecError {
        self.error(self.pos, format!("expected {what}, found {}", self.found()))
    }

    /// The next unquoted run of characters, possibly empty.
    fn atom(&mut self) -> Span {
        self.skip_space();
        let start = self.pos;
        self.pos += self.rest().find(|c| !is_word_char(c)).unwrap_or(self.end - start);
        Span { start, end: self.pos }
    }

    fn text(&self, span: Span) -> &str {
        &self.source[span.start..span.end]
    }

    fn whole(&mut self) -> Result<Spec, SpecError> {
        let span = self.atom();
        if !is_name(self.text(span)) {
            self.pos = span.start;
            return Err(self.expected("a name"));
        }
        let spec = self.expr(span, 1)?;
        self.skip_space();
        match self.peek() {
            None => Ok(spec),
            Some(_) => Err(self.expected("the end")),
        }
    }

    /// The expression whose name has just been read.
    fn expr(&mut self, name: Span, depth: usize) -> Result<Spec, SpecError> {
        if depth > MAX_DEPTH {
            return Err(self.error(
                name.start,
                format!("expressions are nested more than {MAX_DEPTH} deep here"),
            ));
        }
        let mut args: Vec<Arg> = Vec::new();
        let after_name = self.pos;
        if self.eat('(') {
            let open = self.pos - 1;
            if !self.eat(')') {
                loop {
                    let arg = self.arg(depth)?;
                    if arg.name.is_none() && args.last().is_some_and(|last| last.name.is_some()) {
                        return Err(self.error(
                            arg.span.start,
                            "arguments without a name must come before those with one",
                        ));
                    }
                    args.push(arg);
                    if self.eat(')') {
                        break;
                    }
                    if !self.eat(',') {
                        return Err(match self.peek() {
                            None => self.error(open, "this `(` is never closed"),
                            Some(_) => self.expected("`,` or `)`"),
                        });
                    }
                }
            }
        } else {
            self.pos = after_name;
        }
        Ok(Spec {
            name: self.text(name).to_owned(),
            name_span: name,
            args,
            source: Arc::clone(self.source),
        })
    }

    fn arg(&mut self, depth: usize) -> Result<Arg, SpecError> {
        let first = self.atom();
        if first.start < first.end && self.eat('=') {
            let name = self.text(first).to_owned();
            if !is_name(&name) {
                self.pos = first.start;
                return Err(self.expected("the name of a parameter"));
            }
            if RESERVED.contains(&name.as_str()) {
                return Err(self.error(first.start, format!("no parameter is called `{name}`")));
            }
            let atom = self.atom();
            let (value, value_span) = self.value(atom, depth)?;
            return Ok(Arg { name: Some(name), value, span: first, value_span });
        }
        self.pos = first.end;
        let (value, span) = self.value(first, depth)?;
        Ok(Arg { name: None, value, span, value_span: span })
    }

    /// The value that begins with an atom that has just been read (empty before a quote).
    fn value(&mut self, atom: Span, depth: usize) -> Result<(Value, Span), SpecError> {
        if atom.start == atom.end {
            return match self.peek() {
                Some('"') => self.quoted(),
                _ => Err(self.expected("a value")),
            };
        }
        let text = self.text(atom);
        let value = match classify(text) {
            Atom::Name => Value::Expr(self.expr(atom, depth + 1)?),
            Atom::Number(number) => Value::Number(number),
            Atom::Word => Value::Text(text.to_owned()),
        };
        let span = Span { start: atom.start, end: self.pos };
        if !matches!(value, Value::Expr(_)) {
            self.skip_space();
            if self.peek() == Some('(') {
                return Err(self.error(
                    atom.start,
                    format!("`{}` is no name and takes no arguments", self.text(atom)),
                ));
            }
        }
        Ok((value, span))
    }

    fn quoted(&mut self) -> Result<(Value, Span), SpecError> {
        let start = self.pos;
        let mut text = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    let span = Span { start, end: start + at + 1 };
                    self.pos = span.end;
                    return Ok((Value::Text(text), span));
                }
                '\\' => text.push(match chars.next() {
                    Some((_, c @ ('"' | '\\'))) => c,
                    Some((_, 'n')) => '\n',
                    Some((_, 'r')) => '\r',
                    Some((_, 't')) => '\t',
                    Some((_, c)) => {
                        return Err(self.error(
                            start + at,
                            format!(
                                "`\\{}` means nothing; write \\\\ for one \\ (known: \\\" \\\\ \\n \\r \\t)",
                                c.escape_debug()
                            ),
                        ));
                    }
                    None => break,
                }),
                c => text.push(c),
            }
        }
        Err(self.error(start, "this quotation mark is never closed"))
    }
}
