//! Cutting of a file into boards.
//!
//! A line that is a board is an instance of its own, and so are lines that together are a board:
//! rows below each other, with a line of the size before them or without. Where lines can be cut in
//! one way only, so that every part is a board, they are cut so. Otherwise something is wrong with
//! them, and they are cut so that boards stay apart from the rest as far as their numbers show:
//! numbers of a board are smaller than the count of its cells.
//!
//! A text before a colon is the name of a board and begins a new one. Blank lines end a board, except
//! behind the size and between single lines. Comments and the lines of a frame are part of the
//! board around them.

use super::{
    parse::{is_frame, read, size_word, without_comment},
    shape::{MAX_CELLS, MAX_LINES},
};
use unriddle_catalog::input::Piece;

/// Largest number of words of a board: its cells and its size.
const MAX_WORDS: usize = MAX_CELLS + 2;
/// Largest number of lines of a board: its rows and its size.
const MAX_UNITS: usize = MAX_CELLS + 1;

/// Lines that belong together in any case: a line, or the lines from an opening bracket to the
/// closing one.
#[derive(Clone, Debug)]
struct Unit {
    /// First line and last line, from 0.
    lines: (usize, usize),
    /// The text before the colon.
    id: Option<String>,
    /// Column at which the text begins behind the id, in bytes.
    from: usize,
    /// Number of words, or of the signs of a single word.
    width: usize,
    /// Whether blank lines precede it.
    is_apart: bool,
}

/// A file as lines.
struct File<'t> {
    lines: Vec<&'t str>,
}

/// Cuts a file into boards.
pub(crate) fn split(text: &str) -> Vec<Piece> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file = File { lines: text.lines().collect() };
    let mut pieces = Vec::new();
    for units in file.segments() {
        let mut from = 0;
        for to in file.cut(&units) {
            pieces.push(file.piece(&units[from..to]));
            from = to;
        }
    }
    pieces
}

/// The name before the colon of a line without comment, and the first byte behind it. The size of a
/// game id is no name.
fn name(line: &str) -> Option<(&str, usize)> {
    let (id, rest) = line.split_once(':')?;
    let is_game = size_word(id.trim()).is_some()
        && rest.trim().bytes().all(|b| b.is_ascii_digit() || b == b',')
        && !rest.trim().is_empty();
    let is_bracket = id.trim_start().starts_with(['[', '(', '{']);
    (!is_game && !is_bracket).then_some((id.trim(), id.len() + 1))
}

/// Number of opening brackets less closing ones.
fn depth(text: &str) -> isize {
    let sign = |sign| match sign {
        '[' | '(' | '{' => 1,
        ']' | ')' | '}' => -1,
        _ => 0,
    };
    text.chars().map(sign).sum()
}

/// The words of a line, or the signs of its only word.
fn width(text: &str) -> usize {
    let is_separator = |sign: char| sign.is_whitespace() || ",|│┃║/;[](){}'\"`".contains(sign);
    let mut words = text.split(is_separator).filter(|word| !word.is_empty());
    match (words.next(), words.next()) {
        (None, _) => 0,
        (Some(word), None) if size_word(word).is_none() => word.chars().count(),
        (Some(_), None) => 2,
        _ => 2 + words.count(),
    }
}

impl<'t> File<'t> {
    /// The text of units from the first one's beginning on.
    fn text(&self, units: &[Unit]) -> String {
        let (Some(first), Some(last)) = (units.first(), units.last()) else {
            return String::new();
        };
        let mut text = self.lines[first.lines.0][first.from..].to_owned();
        for line in &self.lines[first.lines.0 + 1..=last.lines.1] {
            text.push('\n');
            text.push_str(line);
        }
        text
    }

    /// Whether units are a board.
    fn is_board(&self, units: &[Unit]) -> bool {
        read(&self.text(units)).is_ok()
    }

    /// Units that may be cut into boards: a name begins a new segment, and so does a blank line.
    fn segments(&self) -> Vec<Vec<Unit>> {
        // Paragraphs first.
        let mut paragraphs: Vec<Vec<Unit>> = Vec::new();
        let mut is_apart = true;
        let mut open = 0;
        for (number, &line) in self.lines.iter().enumerate() {
            if line.trim().is_empty() {
                (is_apart, open) = (true, 0);
                continue;
            }
            let content = without_comment(line);
            if content.trim().is_empty() || is_frame(content) {
                continue;
            }
            if let (true, Some(unit)) = (open > 0, paragraphs.last_mut().and_then(|p| p.last_mut()))
            {
                unit.lines.1 = number;
                unit.width += width(content);
                open += depth(content);
                continue;
            }
            let (id, from) = match name(content) {
                Some((id, from)) => (Some(id.to_owned()), from),
                None => (None, 0),
            };
            let rest = &content[from..];
            open = depth(rest);
            let unit = Unit { lines: (number, number), id, from, width: width(rest), is_apart };
            match paragraphs.last_mut().filter(|_| !is_apart) {
                Some(paragraph) => paragraph.push(unit),
                None => paragraphs.push(vec![unit]),
            }
            is_apart = false;
        }
        // Then segments.
        let mut segments: Vec<Vec<Unit>> = Vec::new();
        let mut was_single = false;
        for paragraph in paragraphs {
            let is_single = paragraph.len() == 1;
            for (i, unit) in paragraph.into_iter().enumerate() {
                let continues =
                    segments.last().and_then(|segment| segment.last()).is_some_and(|last| {
                        let is_size = was_single && self.is_size(last);
                        unit.id.is_none() && (i > 0 || is_size || was_single && is_single)
                    });
                match segments.last_mut().filter(|_| continues) {
                    Some(segment) => segment.push(unit),
                    None => segments.push(vec![unit]),
                }
            }
            was_single = is_single;
        }
        segments
    }

    /// Whether a unit is a line with the size of a board, or with nothing but a name.
    fn is_size(&self, unit: &Unit) -> bool {
        let line = without_comment(&self.lines[unit.lines.0][unit.from..]);
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_side = |word: &str| word.parse().is_ok_and(|n: usize| n <= MAX_LINES);
        match words[..] {
            [] => true,
            [word] => is_side(word) || size_word(word).is_some(),
            [rows, columns] => is_side(rows) && is_side(columns),
            _ => false,
        }
    }

    /// The ends of the parts into which units are cut.
    fn cut(&self, units: &[Unit]) -> Vec<usize> {
        let count = units.len();
        if count <= 1 {
            return vec![count];
        }
        let words: usize = units.iter().map(|unit| unit.width).sum();
        if words <= MAX_WORDS && count <= MAX_UNITS && self.is_board(units) {
            return vec![count];
        }
        let alone: Vec<bool> =
            units.iter().map(|unit| self.is_board(std::slice::from_ref(unit))).collect();
        // A board among boards is one; the others may belong together.
        let is_sure = |at: usize| {
            alone[at] && (at == 0 || alone[at - 1]) && alone.get(at + 1).is_none_or(|&next| next)
        };
        let (mut ends, mut from) = (Vec::new(), 0);
        while from < count {
            if is_sure(from) {
                from += 1;
                ends.push(from);
                continue;
            }
            let to = (from..count).find(|&at| is_sure(at)).unwrap_or(count);
            let (run, alone) = (&units[from..to], &alone[from..to]);
            let cut = self.boards(run, alone).unwrap_or_else(|| self.doubtful(run, alone));
            ends.extend(cut.into_iter().map(|end| from + end));
            from = to;
        }
        ends
    }

    /// The ends of all boards that begin at a unit.
    fn ends(&self, units: &[Unit], alone: &[bool], from: usize) -> Vec<usize> {
        let mut words = 0;
        let mut ends = Vec::new();
        for to in from + 1..=units.len().min(from + MAX_UNITS) {
            words += units[to - 1].width;
            if words > MAX_WORDS {
                break;
            }
            if if to == from + 1 { alone[from] } else { self.is_board(&units[from..to]) } {
                ends.push(to);
            }
        }
        ends
    }

    /// The only way to cut units into boards.
    fn boards(&self, units: &[Unit], alone: &[bool]) -> Option<Vec<usize>> {
        let count = units.len();
        // For each unit, the end of the board that begins there, and the number of ways from there on,
        // as far as they matter: 0, 1 or more.
        let mut ends = vec![0; count];
        let mut ways = vec![0u8; count + 1];
        ways[count] = 1;
        for from in (0..count).rev() {
            for to in self.ends(units, alone, from) {
                if ways[to] > 0 {
                    ways[from] = ways[from].saturating_add(ways[to]).min(2);
                    ends[from] = to;
                }
            }
        }
        if ways[0] != 1 {
            return None;
        }
        let next = |&from: &usize| ends.get(from).copied();
        Some(std::iter::successors(ends.first().copied(), next).collect())
    }

    /// Cuts units that are no boards altogether: boards apart from the rest, unless they may be a
    /// part of it.
    fn doubtful(&self, units: &[Unit], alone: &[bool]) -> Vec<usize> {
        let count = units.len();
        // The number of units in boards from each unit on, and the end of the board there.
        let (mut best, mut ends) = (vec![0; count + 1], vec![0; count]);
        for from in (0..count).rev() {
            best[from] = best[from + 1];
            for to in self.ends(units, alone, from) {
                if best[to] + to - from > best[from] {
                    (best[from], ends[from]) = (best[to] + to - from, to);
                }
            }
        }
        // First unit, end, and whether the part is a board.
        let mut parts: Vec<(usize, usize, bool)> = Vec::new();
        while let from = parts.last().map_or(0, |part| part.1)
            && from < count
        {
            let is_board = ends[from] > 0;
            parts.push((from, if is_board { ends[from] } else { from + 1 }, is_board));
        }
        // A board beside a line of equal length that is wrong may be a part of a larger board.
        let is_unsure = |pair: &[(usize, usize, bool)]| {
            pair[0].2 != pair[1].2 && units[pair[0].1 - 1].width == units[pair[1].0].width
        };
        if best[0] > 0 && !parts.windows(2).any(is_unsure) {
            let is_cut = |pair: &&[(usize, usize, bool)]| {
                pair[0].2 || pair[1].2 || units[pair[1].0].is_apart
            };
            let cuts = parts.windows(2).filter(is_cut).map(|pair| pair[0].1);
            return cuts.chain([count]).collect();
        }
        // Lines of equal length belong together.
        let (mut cut, mut from) = (Vec::new(), 0);
        while from < count {
            let width = units[from].width;
            let to = (from..count).find(|&at| units[at].width != width).unwrap_or(count);
            let (run, alone) = (&units[from..to], &alone[from..to]);
            let ends = self.boards(run, alone).unwrap_or_else(|| self.equal(run, width));
            cut.extend(ends.into_iter().map(|end| from + end));
            from = to;
        }
        cut
    }

    /// Cuts units of equal width, something about which is wrong.
    fn equal(&self, units: &[Unit], width: usize) -> Vec<usize> {
        let count = units.len();
        let is_square = |cells: usize| (2..=8).any(|side| side * side == cells);
        let text = self.text(units);
        let numbers = || {
            let lines = text.lines().map(without_comment);
            let words = lines.flat_map(|line| line.split(|sign: char| !sign.is_ascii_digit()));
            words.filter_map(|word| word.parse::<usize>().ok())
        };
        let small = numbers().filter(|&number| number < width).count();
        if is_square(width) && 4 * small >= 3 * numbers().count() {
            return (1..=count).collect();
        }
        if width >= 2 && count > width && count.is_multiple_of(width) {
            return (1..=count / width).map(|board| board * width).collect();
        }
        self.apart(units)
    }

    /// Cuts units at blank lines.
    fn apart(&self, units: &[Unit]) -> Vec<usize> {
        let begins = (1..units.len()).filter(|&at| units[at].is_apart);
        begins.chain([units.len()]).collect()
    }

    /// The piece of the units of a board.
    fn piece(&self, units: &[Unit]) -> Piece {
        let (first, text) = (&units[0], self.text(units));
        let line = first.lines.0;
        let given = first.id.clone().filter(|id| !id.is_empty());
        let (id, index) = match (given, index(&text, first.width)) {
            (Some(id), _) => (id, 0),
            (None, Some((id, behind))) => (id.to_owned(), behind),
            (None, None) => ((line + 1).to_string(), 0),
        };
        let before = &self.lines[line][..first.from + index];
        Piece {
            id,
            text: text[index..].to_owned(),
            line: line + 1,
            column: before.chars().count(),
            ..Piece::default()
        }
    }
}

/// The number before the numbers of a square in one line of a number of words, and the first byte
/// behind it.
fn index(text: &str, words: usize) -> Option<(&str, usize)> {
    if !(2..=8).any(|side| side * side + 1 == words) {
        return None;
    }
    let from = text.len() - text.trim_start().len();
    let length = text[from..].find(char::is_whitespace)?;
    let (id, rest) = (&text[from..from + length], &text[from + length..]);
    let is_number = id.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && read(text).is_ok() && read(rest).is_ok()).then_some((id, from + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names, first lines and texts of the pieces of a file; line breaks are shown as `|`.
    fn shown(file: &str) -> Vec<String> {
        let shown = |piece: &Piece| {
            let text = piece.text.trim().replace('\n', "|");
            format!("{} {}: {text}", piece.id, piece.line)
        };
        split(file).iter().map(shown).collect()
    }

    #[test]
    fn lines_are_boards_or_rows() {
        // Lines of boards, with names, comments and blank lines between.
        let file = "# c\n1 2 3 0\n\na: 1,2,3 0 # x\r\n 3 1 2 0\n";
        assert_eq!(shown(file), ["2 2: 1 2 3 0", "a 4: 1,2,3 0 # x", "5 5: 3 1 2 0"]);
        // Rows.
        assert_eq!(shown("1 2 3\n4 0 5\n7 8 6\n"), ["1 1: 1 2 3|4 0 5|7 8 6"]);
        let four = "1 2 3 4\n5 6 7 8\n9 10 0 11\n13 14 15 12";
        assert_eq!(split(four).len(), 1);
        // The first row is a board of side 2, and the first two are a board of 2×4.
        assert_eq!(split("0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15").len(), 1);
        assert_eq!(split("0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 14").len(), 1);
        assert_eq!(split("0 1 2 3\n\n4 5 6 7\n\n8 9 10 11\n\n12 13 14 15").len(), 1);
        // Four boards of side 2.
        assert_eq!(split("0 1 2 3\n3 1 2 0\n1 2 0 3\n1 2 3 0").len(), 4);
    }

    #[test]
    fn boards_of_rows_follow_each_other() {
        let apart = "1 2 3\n4 0 5\n7 8 6\n\n3 1\n2 0\n\nz: 1 2 0\n3 4 5";
        assert_eq!(shown(apart), ["1 1: 1 2 3|4 0 5|7 8 6", "5 5: 3 1|2 0", "z 8: 1 2 0|3 4 5"]);
        let together = "1 2 3\n4 0 5\n7 8 6\n# two\n1 2 3\n4 5 6\n7 8 0\n1 2 3 0\n3 1 2 0";
        assert_eq!(split(together).len(), 4);
        let sizes = "3\n1 2 3\n4 0 5\n7 8 6\n2\n1 2\n3 0\n2 3\n1 2 3\n4 5 0";
        assert_eq!(split(sizes).len(), 3);
        assert_eq!(split("# c\n3\n\n1 2 3 # first\n4 0 5\n7 8 6\n").len(), 1);
        assert_eq!(shown("one:\n1 2\n3 0\ntwo:\n1 2\n0 3"), ["one 1: 1 2|3 0", "two 4: 1 2|0 3"]);
        assert_eq!(split("[[1, 2],\n [3, 0]]\n[[1, 2],\n [0, 3]]").len(), 2);
        assert_eq!(split("[1, 2]\n[3, 0]\n\n(1, 2, 3, 0)\n(3, 1, 2, 0)").len(), 3);
        assert_eq!(split("123405786\n123456780\n1230").len(), 3);
        assert_eq!(split("123\n405\n786\n").len(), 1);
    }

    #[test]
    fn names_are_texts_before_colons() {
        assert_eq!(shown("2x3:1,2,3,4,5,0"), ["1 1: 2x3:1,2,3,4,5,0"]);
        assert_eq!(shown("a: 2x3:1,2,3,4,5,0"), ["a 1: 2x3:1,2,3,4,5,0"]);
        assert_eq!(shown("2x3: 1 2 3 / 4 5 0"), ["2x3 1: 1 2 3 / 4 5 0"]);
        assert_eq!(shown("{\"a\": [1, 2, 3, 0]}"), ["1 1: {\"a\": [1, 2, 3, 0]}"]);
        // The number of a board in a list.
        let pieces = split(" 17 3 1 2 0\n18 0 1 2 3");
        let read: Vec<_> = pieces.iter().map(|p| (&*p.id, &*p.text, p.line, p.column)).collect();
        assert_eq!(read, [("17", " 3 1 2 0", 1, 3), ("18", " 0 1 2 3", 2, 2)]);
        // Either end may be the board.
        assert_eq!(shown("0 3 1 2 0"), ["1 1: 0 3 1 2 0"]);
        assert!(read_error("0 3 1 2 0").contains("found 5 numbers"));
    }

    fn read_error(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn boards_stay_apart_from_what_is_wrong() {
        for (file, boards) in [
            // A number twice, one too few, one out of range, a word.
            ("1 2 3 4 5 6 7 8 0\n1 2 3 4 5 6 7 7 0\n1 2 3 4 5 6 7 0 8", 3),
            ("1 2 3 4 5 6 7 8 0\n1 2 3 4 5 6 7 0\n1 2 3 4 5 6 7 0 8", 3),
            ("1 2 3 4 5 6 7 8 88\n1 2 3 4 5 6 7 0 8", 2),
            ("1 2 3 4 5 6 7 8 0\nwhat is this\n1 2 3 4 5 6 7 0 8", 3),
            // Boards of rows, one of which is wrong.
            ("1 2 3\n4 0 5\n7 8 6\n\n1 2 3\n4 4 5\n7 8 6\n\n1 2 3\n4 5 0\n7 8 6", 3),
            ("1 2 3\n4 0 5\n7 8 6\n1 2 3\n4 4 5\n7 8 6\n1 2 3\n4 5 0\n7 8 6", 3),
            ("1 2 3 4 5 6 7 8 0\n1 2 3 4 5 6 7 8\n1 2 3\n4 0 5\n7 8 6\n3\n1 2 3\n4 5 6\n7 8 0", 4),
            ("1 2 3 0\nx y\nz\n\nq\n3 1 2 0", 4),
            ("[1, 2, 3, 0]\n[1, 2, 3\n\n[1, 2, 0, 3]", 3),
            // One board with a number twice.
            ("1 2 3 4\n5 6 7 8\n9 10 0 11\n13 14 15 15", 1),
        ] {
            assert_eq!(split(file).len(), boards, "{file}");
        }
    }

    #[test]
    fn long_files_are_cut_in_linear_time() {
        let mut file = "1 2 3 4 5 6 7 8 0\n".repeat(20_000);
        file.push_str("1 2 3 4 5 6 7 8\n");
        file.push_str(&"1 2 3\n4 5 6\n7 8 0\n".repeat(2_000));
        assert_eq!(split(&file).len(), 22_001);
        assert!(!split(&"[".repeat(100_000)).is_empty());
    }
}
