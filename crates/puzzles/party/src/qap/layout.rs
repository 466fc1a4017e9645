//! Layouts of files with instances: QAPLIB's own, and those with known values beside the size or
//! behind the matrices.
//!
//! Which numbers are values and which are entries follows from their count. An additional value has
//! to be on the line of the size, or on a line of its own behind the matrices. The instances of a
//! file have the same layout.

use super::MOST;
use unriddle_core::ParseError;

/// Signs that begin a comment, which ends with its line.
const COMMENTS: [&str; 3] = ["#", "%", "//"];

/// A word of a file that is not part of a comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    /// Line and column, from 1.
    pub(super) place: (usize, usize),
    /// Bytes before it.
    pub(super) offset: usize,
    /// Whether it is the first one of its line.
    pub(super) begins: bool,
}

/// The words of a text without its comments.
pub(super) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut offset = 0;
    let lines = text.split('\n').enumerate().map(move |(i, line)| {
        let start = offset;
        offset += line.len() + 1;
        (i + 1, start, line)
    });
    lines.flat_map(|(number, start, line)| {
        let end = COMMENTS.iter().filter_map(|sign| line.find(sign)).min();
        let line = &line[..end.unwrap_or(line.len())];
        let mut begins = true;
        unriddle_core::text::words(line).map(move |(word, column)| {
            let within = word.as_ptr() as usize - line.as_ptr() as usize;
            let begins = std::mem::replace(&mut begins, false);
            Word { text: word, place: (number, column), offset: start + within, begins }
        })
    })
}

/// Number of values that are no entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Values beside the size.
    beside: usize,
    /// Values behind the matrices.
    behind: usize,
    /// Whether sizes, matrices and values begin and end with lines.
    by_lines: bool,
}

/// QAPLIB's layout, in which numbers may be broken into lines anywhere.
const PLAIN: Layout = Layout { by_lines: false, ..LAYOUTS[0] };

const fn by_lines(beside: usize, behind: usize) -> Layout {
    Layout { beside, behind, by_lines: true }
}

/// The layouts that can be recognised by their lines; the first one is without values.
const LAYOUTS: [Layout; 6] = [
    by_lines(0, 0),
    by_lines(1, 0),
    by_lines(2, 0),
    by_lines(0, 1),
    by_lines(0, 2),
    by_lines(1, 1),
];

/// The size in a word.
fn size(word: &str) -> Option<usize> {
    word.parse().ok().filter(|n| (1..=MOST).contains(n))
}

/// Instances at the beginning of a text.
struct Cut {
    /// Bytes and position before each instance but the first, and of a rest.
    starts: Vec<(usize, (usize, usize))>,
    /// Number of complete instances.
    complete: usize,
    /// Whether they are the entire text.
    whole: bool,
    /// Numbers beside a size that are neither values nor entries.
    odd: Option<usize>,
}

/// Numbers on the lines of an instance.
#[derive(Default)]
struct Lines {
    /// Numbers beside the size.
    more: usize,
    /// Numbers on the current line, if it is not the size's.
    here: Option<usize>,
    /// Whether a line that is not the last one has another count than the size's line.
    differ: bool,
}

impl Lines {
    /// Counts a number, which may begin a line.
    fn count(&mut self, begins: bool) {
        match &mut self.here {
            here if begins => {
                self.differ |= here.is_some_and(|here| here != self.more + 1);
                self.here = Some(1);
            }
            Some(here) => *here += 1,
            None => self.more += 1,
        }
    }

    /// Whether the size's line has a part of a row beside the size, although lines are not broken
    /// after the same count of numbers everywhere.
    fn are_odd(&self, n: usize) -> bool {
        n > 1 && (1..=2).contains(&self.more) && self.more < n && self.here.is_some() && self.differ
    }
}

impl Layout {
    /// Cuts a text as far as it has this layout.
    fn cut(self, text: &str) -> Cut {
        let mut cut = Cut { starts: Vec::new(), complete: 0, whole: false, odd: None };
        let mut words = words(text).peekable();
        while let Some(first) = words.next() {
            if cut.complete > 0 {
                cut.starts.push((first.offset, first.place));
            }
            let Some(n) = size(first.text) else { return cut };
            let body = 1 + self.beside + 2 * n * n;
            let mut lines = Lines::default();
            for at in 1..body + self.behind {
                match words.next() {
                    Some(word) if self.allows(at, body, word.begins) => lines.count(word.begins),
                    _ => return cut,
                }
            }
            if !self.by_lines && lines.are_odd(n) {
                cut.odd = Some(lines.more);
                return cut;
            }
            if self.by_lines && words.peek().is_some_and(|word| !word.begins) {
                return cut;
            }
            cut.complete += 1;
        }
        cut.whole = true;
        cut
    }

    /// Whether the word of a number may begin its line or not; the matrices end before the word
    /// `body`.
    fn allows(self, at: usize, body: usize, begins: bool) -> bool {
        match at {
            _ if !self.by_lines => true,
            at if at <= self.beside => !begins,
            at if at == self.beside + 1 || at == body => begins,
            at => at < body || !begins,
        }
    }
}

/// Beginnings of the instances of a file but the first, each in bytes and by line and column.
pub(super) fn starts(file: &str) -> Vec<(usize, (usize, usize))> {
    let plain = PLAIN.cut(file);
    if plain.whole {
        return plain.starts;
    }
    let mut cuts: Vec<Cut> = LAYOUTS.iter().map(|layout| layout.cut(file)).collect();
    match cuts.iter().filter(|cut| cut.whole).count() {
        // An instance is broken: the layout of most instances before it.
        0 => {
            let most = cuts.iter().map(|cut| cut.complete).max().unwrap_or(0);
            let best = cuts.into_iter().find(|cut| cut.complete == most && most > 0);
            best.filter(|_| most >= plain.complete).map_or(plain.starts, |cut| cut.starts)
        }
        1 => {
            cuts.retain(|cut| cut.whole);
            cuts.pop().map(|cut| cut.starts).unwrap_or_default()
        }
        // The reader refuses the file as one instance.
        _ => Vec::new(),
    }
}

/// Numbers of values beside the size and behind the matrices of a text that is one instance.
///
/// # Errors
/// A text whose first line has some numbers more than its size, which are no values.
pub(super) fn values(text: &str) -> Result<(usize, usize), ParseError> {
    let single = |layout: &Layout| {
        let cut = layout.cut(text);
        cut.whole && cut.complete == 1
    };
    if let Some(layout) = LAYOUTS.into_iter().find(single) {
        return Ok((layout.beside, layout.behind));
    }
    let first = words(text).next();
    if let (Some(more), Some(first)) = (PLAIN.cut(text).odd, first) {
        let n = size(first.text).unwrap_or(0);
        let (entries, left) = (2 * n * n, 2 * n * n - more);
        let why = format!(
            "the size {n} has {more} more on its line: if they are known values, the matrices have \
             {left} numbers and need {entries}; if they are entries, begin the first row on a line of \
             its own"
        );
        return Err(ParseError::at(first.place.0, first.place.1, why));
    }
    // The reader finds a number too few or too many.
    Ok((0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &str = "0 1 2\n1 0 3\n2 3 0\n\n0 2 1\n2 0 3\n1 3 0\n";

    #[test]
    fn values_are_recognised_by_lines_and_counts() {
        for (text, expected) in [
            (format!("3\n{ROWS}"), Ok((0, 0))),
            (format!("3 {}", ROWS.replace('\n', " ")), Ok((0, 0))),
            (format!("3 20\n{ROWS}"), Ok((1, 0))),
            (format!(" 3   20 % best\n\n{ROWS}"), Ok((1, 0))),
            (format!("3 20 20\n{ROWS}"), Ok((2, 0))),
            (format!("# best\n3 // size\n{ROWS}20\n"), Ok((0, 1))),
            (format!("3\n{ROWS}19 20\n"), Ok((0, 2))),
            (format!("3 20\n{ROWS}20"), Ok((1, 1))),
            // Left to the reader, which finds a number too few or too many.
            (format!("3 20 20 20\n{ROWS}"), Ok((0, 0))),
            (format!("3 20 {}", ROWS.replace('\n', " ")), Ok((0, 0))),
            // Two numbers on each line.
            ("3 0\n1 2\n1 0\n3 2\n3 0\n0 2\n1 2\n0 3\n1 3\n0".to_owned(), Ok((0, 0))),
            (format!("3\n{}", &ROWS[..ROWS.len() - 2]), Ok((0, 0))),
            ("1 5\n3\n4".to_owned(), Ok((1, 0))),
            // A row with a number too few under a value.
            (
                format!("3 20\n{}", ROWS.replacen("0 1 2", "1 2", 1)),
                Err("1, column 1: the size 3 has 1 more on its line"),
            ),
        ] {
            let found = values(&text).map_err(|error| error.to_string());
            match expected {
                Ok(expected) => assert_eq!(found, Ok(expected), "{text}"),
                Err(part) => {
                    let found = found.unwrap_err();
                    assert!(found.starts_with(&format!("line {part}")), "{text}: {found}");
                }
            }
        }
    }

    #[test]
    fn instances_with_values_follow_each_other() {
        let lines = |file: &str| -> Vec<usize> {
            starts(file).into_iter().map(|(_, (line, _))| line).collect()
        };
        for (head, end) in
            [("3", ""), ("3 20", ""), ("3 20 20", ""), ("3", "20\n"), ("3", "7 20\n")]
        {
            let one = format!("{head}\n{ROWS}{end}");
            let high = one.lines().count();
            let three = [one.as_str(); 3].concat();
            assert_eq!(lines(&three), [high + 1, 2 * high + 1], "{one}");
            // The instances before a broken one stay whole.
            let broken = three[..three.len() - end.len() - 4].to_owned();
            assert_eq!(lines(&broken)[0], high + 1, "{broken}");
        }
    }
}
