//! Files of boards.

use crate::picture::game_id;
use crate::picture::{BUTTONS, bar_parts};
use unriddle_catalog::input::Piece;

/// Part of a file to which the next line may belong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// The next line begins a board.
    Closed,
    /// Rows up to a blank line.
    Rows,
    /// A list of rows, up to its last bracket or a blank line.
    List(usize),
}

/// Splits a file into boards. A line with `/`, with several rows apart by bars, with a whole list
/// of rows, or with an id before a colon is a separate board, and so is a game id; other lines are
/// rows of a board up to a blank line. A line that begins with `#` and contains other characters
/// than signs is a comment: the id of the board of several lines below it.
pub(super) fn boards(file: &str) -> Vec<Piece> {
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut comment, mut open) = (None, Open::Closed);
    for (number, line) in (1..).zip(file.lines()) {
        let bare = line.trim();
        let next = pieces.len() + 1;
        if bare.is_empty() {
            (comment, open) = (None, Open::Closed);
        } else if bare.starts_with('#') && bare.contains(is_no_sign) {
            let text = bare.trim_start_matches('#').trim();
            comment = Some(text.to_owned()).filter(|text| !text.is_empty());
            open = Open::Closed;
        } else if let Some((id, text)) = line.split_once(':').filter(|_| !game_id::is_id(line)) {
            let id = match id.trim() {
                "" => number.to_string(),
                id => id.to_owned(),
            };
            let mut piece = piece(id, text, number);
            piece.column = line.chars().count() - text.chars().count();
            pieces.push(piece);
            (comment, open) = (None, Open::Closed);
        } else if let (Open::List(depth), Some(piece)) = (open, pieces.last_mut()) {
            add(piece, line);
            open = list(line, depth);
        } else if let Some(piece) =
            pieces.last_mut().filter(|_| open == Open::Rows && !is_whole(line) && !is_list(line))
        {
            add(piece, line);
        } else {
            let id = comment.take().unwrap_or_else(|| next.to_string());
            pieces.push(piece(id, line, number));
            open = match (is_whole(line), is_list(line)) {
                (true, _) => Open::Closed,
                (_, true) => list(line, 0),
                _ => Open::Rows,
            };
        }
    }
    pieces
}

fn piece(id: String, text: &str, line: usize) -> Piece {
    Piece { id, text: text.to_owned(), line, ..Piece::default() }
}

fn add(piece: &mut Piece, line: &str) {
    piece.text.push('\n');
    piece.text.push_str(line);
}

/// Whether a line is a board of its own.
fn is_whole(line: &str) -> bool {
    let parts: Vec<usize> = bar_parts(line).into_iter().filter(|&count| count > 0).collect();
    line.contains(['/', ';'])
        || parts.len() > 1 && parts.iter().any(|&count| count > 1)
        || game_id::is_id(line)
        || line
            .trim_start()
            .split_once(BUTTONS)
            .is_some_and(|(board, buttons)| !board.is_empty() && !buttons.trim().is_empty())
}

/// Whether a line begins a list of rows: two brackets before the first light.
fn is_list(line: &str) -> bool {
    let mut signs = line.chars().filter(|sign| !sign.is_whitespace());
    (0..2).all(|_| signs.next().is_some_and(|sign| "[({".contains(sign)))
}

/// The state after a line of a list that begins at a depth of brackets.
fn list(line: &str, depth: usize) -> Open {
    let depth = line.chars().fold(depth, |depth, sign| match sign {
        '[' | '(' | '{' => depth + 1,
        ']' | ')' | '}' => depth.saturating_sub(1),
        _ => depth,
    });
    if depth == 0 { Open::Closed } else { Open::List(depth) }
}

fn is_no_sign(sign: char) -> bool {
    !(sign.is_whitespace() || "01.#,/".contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_paragraphs_are_boards() {
        let file = "# Boards of all forms\n0: 1101\nx: 10/01\n\n# cross\n.#.\n###\n.#.\n\n#.#\n...\n10/11\n";
        let pieces = boards(file);
        let found: Vec<_> = pieces
            .iter()
            .map(|piece| (&*piece.id, &*piece.text, piece.line, piece.column))
            .collect();
        assert_eq!(
            found,
            [
                ("0", " 1101", 2, 2),
                ("x", " 10/01", 3, 2),
                ("cross", ".#.\n###\n.#.", 6, 0),
                ("4", "#.#\n...", 10, 0),
                ("5", "10/11", 12, 0),
            ]
        );
    }

    #[test]
    fn other_forms_are_boards() {
        let file = "xx|--|\nx-|-x\n|x|-|\n|-|x|\n\n[[1,0],\n [0,1]]\n[[1,0],[0,1]]\n[1,0]\n[0,1]\n\n\
                    1x1c:8,8\n10 buttons 11\n10\n01\nbuttons\n1100\n0011\n";
        let pieces = boards(file);
        let found: Vec<_> = pieces.iter().map(|piece| (&*piece.text, piece.line)).collect();
        assert_eq!(
            found,
            [
                ("xx|--|", 1),
                ("x-|-x", 2),
                ("|x|-|\n|-|x|", 3),
                ("[[1,0],\n [0,1]]", 6),
                ("[[1,0],[0,1]]", 8),
                ("[1,0]\n[0,1]", 9),
                ("1x1c:8,8", 12),
                ("10 buttons 11", 13),
                ("10\n01\nbuttons\n1100\n0011", 14),
            ]
        );
    }
}
