//! Files of levels: XSB and `.sok`.
//!
//! A level is a run of lines of signs; any other line separates it from the next level. Text before
//! the first level belongs to the file, and text after a level belongs to that level. Fields are
//! lines such as `Title: …`, `Author: …` and `Comment: …`; a `Comment:` without text extends to
//! `Comment-End:`. A solution block is a line `Solution …` and the lines of letters after it. Only
//! solutions are used.

use unriddle_catalog::input::Piece;

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

/// Splits a file into levels. A level in one line may have an id before a colon; other levels have
/// their number in the file as their id.
pub(crate) fn levels(file: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    // Text since the last row of a level.
    let mut text: Vec<&str> = Vec::new();
    let mut is_open = false;
    for (number, line) in (1..).zip(file.strip_prefix('\u{feff}').unwrap_or(file).lines()) {
        let in_line = line.split_once(':').filter(|(_, row)| is_row(row) && row.contains('|'));
        if is_row(line) && (is_open || line != "-") {
            if is_open && let Some(piece) = pieces.last_mut() {
                piece.text.push('\n');
                piece.text.push_str(line);
            } else {
                add(&mut pieces, &mut text, "", line, number);
            }
            // A level in one line ends with the line.
            is_open = !line.contains('|');
            continue;
        }
        is_open = false;
        match in_line {
            Some((id, row)) => {
                let column = line.chars().count() - row.chars().count();
                add(&mut pieces, &mut text, id.trim(), row, number).column = column;
            }
            None => text.push(line),
        }
    }
    match pieces.last_mut() {
        Some(last) => last.solution = solution(&text),
        // Text without a level is passed on, so that the parser rejects it with its position.
        None => return unriddle_catalog::input::whole(file),
    }
    pieces
}

/// Adds a level that begins with a row. The text before it belongs to the level before, or to the
/// file.
fn add<'p>(
    pieces: &'p mut Vec<Piece>,
    text: &mut Vec<&str>,
    id: &str,
    row: &str,
    line: usize,
) -> &'p mut Piece {
    if let Some(last) = pieces.last_mut() {
        last.solution = solution(text);
    }
    text.clear();
    let number = pieces.len() + 1;
    let id = if id.is_empty() { number.to_string() } else { id.to_owned() };
    pieces.push(Piece { id, text: row.to_owned(), line, ..Piece::default() });
    &mut pieces[number - 1]
}

/// The name and the value of a field.
fn field(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    let name = name.trim();
    let is_name = name.chars().all(|sign| sign.is_alphanumeric() || "-_ ".contains(sign));
    (is_name && !name.is_empty() && name.len() <= 32).then(|| (name, value.trim()))
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
mod tests {
    use super::*;

    #[test]
    fn levels_have_their_positions_and_solutions() {
        let first = "; first\n\n#####\n#@$.#\n#####\nAuthor: A. N.\nSolution\nR\n";
        let file = format!("{first}\nsecond\n#####\n#.$@#\n#####\nComment:\nllll\n");
        let levels = levels(&file);
        assert_eq!(levels.len(), 2);
        assert_eq!((&*levels[0].id, levels[0].line), ("1", 3));
        assert_eq!(levels[0].solution.as_deref(), Some("R"));
        assert_eq!((&*levels[1].id, levels[1].line), ("2", 11));
        assert_eq!(levels[1].text, "#####\n#.$@#\n#####");
        assert_eq!(levels[1].solution, None);
    }
}
