//! Files of boards.

use unriddle_catalog::input::Piece;

/// Splits a file into boards. A line with `/` or with an id before a colon is a separate board;
/// other lines are rows of a board up to a blank line. A line that begins with `#` and contains
/// other characters than signs is a comment: the id of the board of several lines below it.
pub(super) fn boards(file: &str) -> Vec<Piece> {
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut comment, mut is_open) = (None, false);
    for (number, line) in (1..).zip(file.lines()) {
        let bare = line.trim();
        let next = pieces.len() + 1;
        if bare.is_empty() {
            (comment, is_open) = (None, false);
        } else if bare.starts_with('#') && bare.contains(is_no_sign) {
            let text = bare.trim_start_matches('#').trim();
            comment = Some(text.to_owned()).filter(|text| !text.is_empty());
            is_open = false;
        } else if let Some((id, text)) = line.split_once(':') {
            let id = match id.trim() {
                "" => number.to_string(),
                id => id.to_owned(),
            };
            pieces.push(Piece {
                id,
                text: text.to_owned(),
                line: number,
                column: line.chars().count() - text.chars().count(),
                ..Piece::default()
            });
            (comment, is_open) = (None, false);
        } else if let Some(piece) = pieces.last_mut().filter(|_| is_open && !line.contains('/')) {
            piece.text.push('\n');
            piece.text.push_str(line);
        } else {
            pieces.push(Piece {
                id: comment.take().unwrap_or_else(|| next.to_string()),
                text: line.to_owned(),
                line: number,
                column: 0,
                ..Piece::default()
            });
            is_open = !line.contains('/');
        }
    }
    pieces
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
}
