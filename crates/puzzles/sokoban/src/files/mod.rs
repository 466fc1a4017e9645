//! Files of levels: XSB, `.sok` and `.slc`.
//!
//! A level is a block of rows: lines of signs with a wall, and lines of floor between them that
//! have a `-` or `_`. Blocks without player, box and goal are decoration. A level in one line is
//! a line with `|` between its rows. Any other line is text. Text before the first level belongs
//! to the file, and text after a level belongs to that level. Fields are lines such as `Title:
//! …`, `Author: …` and `Comment: …`; a `Comment:` without text extends to `Comment-End:`. A
//! solution is a line `Solution`, perhaps with letters behind a colon, and the lines of letters
//! after it. Only solutions are used.

pub(crate) mod slc;

use crate::signs::Signs;
use unriddle_catalog::input::{self, Piece};
use unriddle_core::ParseError;

/// A line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line<'f> {
    /// A row of a level.
    Row,
    /// A line of floor: a row if it is between rows.
    Floor,
    /// A level in one line, with its id.
    Level(&'f str, &'f str),
    /// Any other line.
    Text,
}

/// Whether each count in a line has a sign behind it, and no count follows a blank that belongs to
/// a text.
fn has_valid_counts(line: &str) -> bool {
    let mut is_counted = false;
    let (mut before, mut has_sign) = (None, false);
    for sign in line.chars() {
        if sign.is_ascii_digit() {
            if has_sign && before == Some((' ', false)) {
                return false;
            }
            before = None;
            is_counted = true;
        } else {
            before = Some((sign, is_counted));
            has_sign |= sign != ' ';
            is_counted = false;
        }
    }
    !is_counted
}

/// Whether a line is a row of a level. A row with letters begins and ends with a wall, so that it
/// is not mistaken for a text with a `#`.
fn is_row(line: &str, signs: &Signs) -> bool {
    let line = line.trim_end();
    let bare = line.trim_start();
    let is_plain = |sign: char| signs.plain(sign).is_some() || sign.is_ascii_digit() || sign == '|';
    if !line.chars().all(|sign| is_plain(sign) || signs.knows(sign)) || !has_valid_counts(line) {
        return false;
    }
    if line.chars().all(is_plain) {
        return line.chars().any(|sign| signs.plain(sign) == Some('#'));
    }
    let ends = [bare.chars().next(), bare.chars().next_back()].map(|sign| sign.unwrap_or(' '));
    // The same letter at both ends, or signs of walls.
    let are_walls = ends[0] == ends[1] && signs.may_be_wall(ends[0])
        || ends.iter().all(|&sign| signs.plain(sign) == Some('#'));
    are_walls && bare.chars().nth(2).is_some() || bare.contains('|') && bare.contains('#')
}

/// Whether a line looks like a row with signs that are unknown: the walls at its ends are known.
fn has_walls(line: &str) -> bool {
    let line = line.trim();
    line.len() > 2 && line.starts_with('#') && line.ends_with('#')
}

/// Whether a line looks like a level in one line with signs that are unknown: a quarter of it are
/// walls.
fn is_like_level(line: &str) -> bool {
    let line = line.trim();
    let walls = line.matches('#').count();
    line.contains('|')
        && line.ends_with(['#', '|'])
        && line.starts_with(|sign: char| "#-_".contains(sign) || sign.is_ascii_digit())
        && 4 * walls >= line.chars().count()
}

/// The kind of a line; `is_open` is whether the line before is a row.
fn kind<'f>(line: &'f str, is_open: bool, signs: &Signs) -> Line<'f> {
    let bare = line.trim();
    let is_level = |row: &str| row.contains('|') && (is_row(row, signs) || is_like_level(row));
    if let Some((id, row)) = line.split_once(':').filter(|(_, row)| is_level(row)) {
        return Line::Level(id.trim(), row);
    }
    if is_level(line) {
        return Line::Level("", line);
    }
    if is_row(line, signs) {
        return Line::Row;
    }
    match () {
        () if is_open && has_walls(line) => Line::Row,
        () if !bare.is_empty() && bare.chars().all(|sign| "-_ \t".contains(sign)) => Line::Floor,
        () => Line::Text,
    }
}

/// Whether rows have a player, a box or a goal, or unknown signs that are not words.
fn has_content(rows: &[&str], signs: &Signs) -> bool {
    let plain = |sign: char| signs.plain(sign).is_some_and(|_| signs.may_be_content(sign));
    if rows.iter().any(|row| row.chars().any(plain)) {
        return true;
    }
    let is_other = |sign: char| {
        signs.plain(sign).is_none()
            && !sign.is_ascii_digit()
            && !sign.is_whitespace()
            && sign != '|'
    };
    // Different letters side by side, some of them unknown.
    let is_word = |(one, other): (char, char)| {
        let are_letters = [one, other].iter().all(|&sign| is_other(sign) && sign.is_alphabetic());
        are_letters && one != other && !(signs.knows(one) && signs.knows(other))
    };
    let has_words = rows.iter().any(|row| row.chars().zip(row.chars().skip(1)).any(is_word));
    let others = || rows.iter().flat_map(|row| row.chars()).filter(|&sign| is_other(sign));
    !has_words && others().any(|sign| signs.may_be_content(sign) || !signs.knows(sign))
}

/// Whether a line consists of letters of a solution.
fn is_letters(line: &str) -> bool {
    let line = line.trim();
    let has_letter = line.contains(|sign: char| "udlrUDLR".contains(sign));
    has_letter && line.chars().all(|sign| "udlrUDLR0123456789() ".contains(sign))
}

/// A file while it is cut into levels.
struct Cutter<'f> {
    signs: &'f Signs,
    pieces: Vec<Piece>,
    /// Text since the last level.
    text: Vec<&'f str>,
    /// Lines of the open block: their numbers, and whether they are only floor.
    block: Vec<(usize, &'f str, bool)>,
}

impl<'f> Cutter<'f> {
    /// Adds a level. The text before it belongs to the level before, or to the file.
    fn add(&mut self, id: &str, text: String, line: usize, column: usize) {
        if let Some(last) = self.pieces.last_mut() {
            last.solution = solution(&self.text);
        }
        self.text.clear();
        let number = self.pieces.len() + 1;
        let id = if id.is_empty() { number.to_string() } else { id.to_owned() };
        self.pieces.push(Piece { id, text, line, column, ..Piece::default() });
    }

    /// Ends the open block: it is a level, several, or decoration.
    fn close(&mut self) {
        let mut block = std::mem::take(&mut self.block);
        while block.last().is_some_and(|&(.., is_floor)| is_floor) {
            block.pop();
        }
        let has_player = |rows: &[(usize, &str, bool)]| {
            rows.iter().any(|(_, row, _)| row.chars().any(|sign| self.signs.may_be_player(sign)))
        };
        let parts = || block.split(|&(.., is_floor)| is_floor).filter(|part| !part.is_empty());
        // Floor between two players separates two levels.
        let parts: Vec<&[(usize, &str, bool)]> =
            if parts().filter(|part| has_player(part)).count() > 1 {
                parts().collect()
            } else {
                vec![&block]
            };
        for part in parts {
            let rows: Vec<&str> = part.iter().map(|&(_, row, _)| row).collect();
            match part.first() {
                Some(&(line, ..)) if has_content(&rows, self.signs) => {
                    self.add("", rows.join("\n"), line, 0);
                }
                _ => self.text.extend(rows),
            }
        }
    }
}

/// Splits a file into levels. A level in one line may have an id before a colon; other levels have
/// their number in the file as their id.
pub(crate) fn levels(file: &str, signs: &Signs) -> Vec<Piece> {
    if slc::is_xml(file) {
        let pieces = slc::levels(file);
        if !pieces.is_empty() {
            return pieces;
        }
    }
    let mut cutter = Cutter { signs, pieces: Vec::new(), text: Vec::new(), block: Vec::new() };
    for (number, line) in (1..).zip(file.strip_prefix('\u{feff}').unwrap_or(file).lines()) {
        match kind(line, !cutter.block.is_empty(), signs) {
            Line::Row => cutter.block.push((number, line, false)),
            Line::Floor if !cutter.block.is_empty() => cutter.block.push((number, line, true)),
            Line::Level(id, row) => {
                cutter.close();
                if has_content(&[row], signs) {
                    let column = line.chars().count() - row.chars().count();
                    cutter.add(id, row.to_owned(), number, column);
                } else {
                    cutter.text.push(line);
                }
            }
            Line::Floor | Line::Text => {
                cutter.close();
                cutter.text.push(line);
            }
        }
    }
    cutter.close();
    match cutter.pieces.last_mut() {
        Some(last) => last.solution = solution(&cutter.text),
        // Text without a level is passed on, so that the parser rejects it with its position.
        None => return input::whole(file),
    }
    input::distinct(cutter.pieces.iter_mut().map(|piece| &mut piece.id));
    cutter.pieces
}

/// The only level of a text in XML, as rows; `None` if the text is not XML.
///
/// # Errors
/// No level, or several.
pub(crate) fn unwrapped(text: &str) -> Result<Option<String>, ParseError> {
    if !slc::is_xml(text) {
        return Ok(None);
    }
    match &slc::levels(text)[..] {
        [level] => Ok(Some(level.text.clone())),
        [] => Err(ParseError::at(
            1,
            1,
            "found XML without a level: expected a `<Level>` with its rows in `<L>`",
        )),
        levels => {
            let count = levels.len();
            Err(ParseError::at(
                1,
                1,
                format!("found {count} levels, expected one; give them as a file"),
            ))
        }
    }
}

/// The name and the value of a field.
fn field(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    let name = name.trim();
    let is_name = name.chars().all(|sign| sign.is_alphanumeric() || "-_ ".contains(sign));
    (is_name && !name.is_empty() && name.len() <= 32).then(|| (name, value.trim()))
}

/// The letters of a solution in the line of its title: behind `Solution` and a colon, or
/// behind the word itself.
fn titled_solution(line: &str) -> Option<&str> {
    let lower = line.to_ascii_lowercase();
    let at = lower.find("solution")?;
    // Lower case of ASCII letters keeps all positions.
    let rest = &line[at + "solution".len()..];
    let letters = rest.rsplit_once(':').map_or(rest, |(_, letters)| letters);
    is_letters(letters).then(|| letters.trim())
}

/// The solution with the fewest letters in the text behind a level.
fn solution(text: &[&str]) -> Option<String> {
    let mut solutions: Vec<String> = Vec::new();
    let (mut in_solution, mut in_comment) = (false, false);
    for bare in text.iter().map(|line| line.trim()) {
        let field = field(bare);
        if in_comment {
            in_comment = !field.is_some_and(|(name, _)| name.eq_ignore_ascii_case("comment-end"));
            continue;
        }
        if bare.is_empty() || bare.starts_with("::") {
            continue;
        }
        let first = bare.split([' ', ':', '/']).next().unwrap_or("");
        if is_letters(bare) && (in_solution || bare.len() > 3) {
            match solutions.last_mut().filter(|_| in_solution) {
                Some(solution) => solution.push_str(bare),
                None => solutions.push(bare.to_owned()),
            }
            in_solution = true;
        } else if let Some(letters) = titled_solution(bare) {
            solutions.push(letters.to_owned());
            in_solution = true;
        } else if first.eq_ignore_ascii_case("solution")
            && !bare.to_lowercase().starts_with("solution time")
        {
            solutions.push(String::new());
            in_solution = true;
        } else {
            in_solution &= field.is_some();
            in_comment = field.is_some_and(|(name, value)| {
                value.is_empty() && name.eq_ignore_ascii_case("comment")
            });
        }
    }
    solutions.retain(|solution| !solution.is_empty());
    let letters = |solution: &String| solution.bytes().filter(u8::is_ascii_alphabetic).count();
    solutions.into_iter().min_by_key(letters)
}

#[cfg(test)]
mod tests;
