//! Files of levels: XSB and `.sok`.
//!
//! A level is a run of lines of signs; any other line separates it from the next level. Text before
//! the first level belongs to the file. Text after a level belongs to that level, except for a
//! title of the next level: the last paragraph if the next level follows without a blank line, or a
//! line that begins with `;`. Fields are lines such as `Title: …`, `Author: …` and `Comment: …`; a
//! `Comment:` without text extends to `Comment-End:`. A solution block is a line `Solution …` and
//! the lines of letters after it.

use unriddle_catalog::input::Piece;

/// A level of a file with its fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Signs of the level as in the file.
    pub text: String,
    /// Line on which the signs begin, counted from 1.
    pub line: usize,
    /// Column at which they begin, counted from 0.
    pub column: usize,
    /// The name before the colon of a level in one line.
    pub id: Option<String>,
    /// Title of the level.
    pub title: Option<String>,
    /// Other fields, in order.
    pub fields: Vec<(String, String)>,
    /// Other text.
    pub comment: String,
    /// Solutions, as letters.
    pub solutions: Vec<String>,
}

/// Whether a line belongs to a level: it has only signs and counts, and at least one wall.
fn is_row(line: &str) -> bool {
    let line = line.trim_end();
    line.contains('#') && line.chars().all(|sign| " -_\t#$b.*B@p+P|0123456789".contains(sign))
        || line == "-"
}

/// Whether a line consists of letters of a solution.
fn is_letters(line: &str) -> bool {
    let line = line.trim();
    let has_letter = line.contains(|sign: char| "udlrUDLR".contains(sign));
    has_letter && line.chars().all(|sign| "udlrUDLR0123456789() ".contains(sign))
}

/// The levels of a file.
///
/// ```
/// use unriddle_sokoban::files::entries;
///
/// let first = "; first\n\n#####\n#@$.#\n#####\nAuthor: A. N.\nSolution\nR\n";
/// let file = format!("{first}\nsecond\n#####\n#.$@#\n#####\n");
/// let levels = entries(&file);
/// assert_eq!(levels.len(), 2);
/// assert_eq!(levels[0].title.as_deref(), Some("first"));
/// assert_eq!(levels[0].fields, [("Author".to_owned(), "A. N.".to_owned())]);
/// assert_eq!(levels[0].solutions, ["R"]);
/// assert_eq!((levels[1].title.as_deref(), levels[1].line), (Some("second"), 11));
/// ```
#[must_use]
pub fn entries(file: &str) -> Vec<Entry> {
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    let mut entries: Vec<Entry> = Vec::new();
    // Text since the last row of a level. It may be the title of the next level, or belong to the
    // previous one.
    let mut text: Vec<&str> = Vec::new();
    let mut is_open = false;
    for (number, line) in (1..).zip(file.lines()) {
        let begins = |entries: &mut Vec<Entry>, text: &mut Vec<&str>| {
            let title = title(text);
            match entries.last_mut() {
                Some(last) => last.take(text),
                // Text before all levels describes the file.
                None => text.clear(),
            }
            title
        };
        if is_row(line) && (is_open || line != "-") {
            if is_open && let Some(entry) = entries.last_mut() {
                entry.text.push('\n');
                entry.text.push_str(line);
            } else {
                let title = begins(&mut entries, &mut text);
                entries.push(Entry {
                    text: line.to_owned(),
                    line: number,
                    title,
                    ..Entry::default()
                });
            }
            // A level in one line ends with the line.
            is_open = !line.contains('|');
            continue;
        }
        is_open = false;
        if let Some((id, rest)) = line.split_once(':')
            && is_row(rest)
            && rest.contains('|')
        {
            let title = begins(&mut entries, &mut text);
            entries.push(Entry {
                text: rest.to_owned(),
                line: number,
                column: line.chars().count() - rest.chars().count(),
                id: Some(id.trim().to_owned()).filter(|id| !id.is_empty()),
                title,
                ..Entry::default()
            });
            continue;
        }
        text.push(line);
    }
    if let Some(last) = entries.last_mut() {
        last.take(&mut text);
    }
    entries
}

/// Removes the title of the next level from the end of a text.
fn title(text: &mut Vec<&str>) -> Option<String> {
    let last = text.iter().rposition(|line| !line.trim().is_empty())?;
    let line = text[last].trim();
    let is_adjacent = last + 1 == text.len();
    let is_own = match line.strip_prefix(';') {
        Some(_) => true,
        // A separate paragraph directly above the level that is neither a field nor a solution.
        None => {
            let is_first = last == 0 || text[last - 1].trim().is_empty();
            is_adjacent && is_first && field(line).is_none() && !is_letters(line)
        }
    };
    is_own.then(|| {
        text.remove(last);
        line.trim_start_matches(';').trim().to_owned()
    })
}

/// The name and the value of a field.
fn field(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    let name = name.trim();
    let is_name = name.chars().all(|sign| sign.is_alphanumeric() || "-_ ".contains(sign));
    (is_name && !name.is_empty() && name.len() <= 32).then(|| (name, value.trim()))
}

impl Entry {
    /// Stores the lines of text that belong to the level.
    fn take(&mut self, text: &mut Vec<&str>) {
        let (mut in_solution, mut in_comment) = (false, false);
        for line in text.drain(..) {
            let bare = line.trim();
            if in_comment {
                match field(bare) {
                    Some((name, _)) if name.eq_ignore_ascii_case("comment-end") => {
                        in_comment = false;
                    }
                    _ => self.say(bare),
                }
                continue;
            }
            if bare.is_empty() || bare.starts_with("::") {
                continue;
            }
            if is_letters(bare) && (in_solution || bare.len() > 3) {
                match self.solutions.last_mut().filter(|_| in_solution) {
                    Some(solution) => solution.push_str(bare),
                    None => self.solutions.push(bare.to_owned()),
                }
                in_solution = true;
                continue;
            }
            let first = bare.split([' ', ':', '/']).next().unwrap_or("");
            if first.eq_ignore_ascii_case("solution")
                && !bare.to_lowercase().starts_with("solution time")
            {
                self.solutions.push(String::new());
                in_solution = true;
                continue;
            }
            match field(bare) {
                Some((name, value)) if name.eq_ignore_ascii_case("title") => {
                    self.title = Some(value.to_owned());
                }
                Some((name, "")) if name.eq_ignore_ascii_case("comment") => in_comment = true,
                Some((name, value)) => self.fields.push((name.to_owned(), value.to_owned())),
                None => {
                    in_solution = false;
                    self.say(bare.trim_start_matches(';').trim());
                }
            }
        }
        self.solutions.retain(|solution| !solution.is_empty());
    }

    fn say(&mut self, line: &str) {
        if !self.comment.is_empty() {
            self.comment.push('\n');
        }
        self.comment.push_str(line);
    }
}

/// The solution with the fewest letters.
fn shortest(solutions: Vec<String>) -> Option<String> {
    let letters = |solution: &String| {
        let letters = solution.bytes().filter(u8::is_ascii_alphabetic);
        letters.count()
    };
    solutions.into_iter().min_by_key(letters)
}

/// Splits a file into levels. A level in one line may have an id before a colon; other levels have
/// their number in the file as their id.
pub(crate) fn levels(file: &str) -> Vec<Piece> {
    let entries = entries(file);
    let pieces = (1..).zip(entries).map(|(number, entry): (usize, Entry)| Piece {
        id: entry.id.unwrap_or_else(|| number.to_string()),
        text: entry.text,
        line: entry.line,
        column: entry.column,
        solution: shortest(entry.solutions),
    });
    let pieces: Vec<Piece> = pieces.collect();
    match pieces.is_empty() {
        // Text without a level is passed on, so that the parser rejects it with its position.
        true => unriddle_catalog::input::whole(file),
        false => pieces,
    }
}
