//! Cutting of files into cubes. Moves and most other forms take one line. Stickers, numbers and
//! names of pieces may take several lines.

use crate::{
    lines::{Line, lines},
    named::REID,
    parse::{is_number, is_piece},
    stickers::{Text, count, named_faces, wrong_count},
};
use unriddle_catalog::input::Piece;
use unriddle_core::text::words;

/// Blank lines that a net or a list of faces may have between two of its lines.
const BLANKS: usize = 2;

/// Most lines of stickers that are refused together.
const LINES: usize = 40;

/// Cuts a file into the texts of cubes.
pub(crate) fn split<const N: usize>(file: &str) -> Vec<Piece> {
    let lines = lines(file);
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if lines[at].is_blank() {
            at += 1;
            continue;
        }
        let mut id = lines[at].id;
        let mut first = at;
        let is_named = |at: usize| named_faces::<N>(&lines[at..]).is_some();
        if is_named(at) {
            id = None;
        } else if lines[at].is_name() {
            first = below::<N>(&lines, at).unwrap_or(at);
        }
        let count = extent::<N>(&lines[first..]);
        let above = at.checked_sub(1).and_then(|at| lines[at].comment());
        let id = id.or(above.filter(|_| count > 1));
        let mut piece = piece(&lines[first..first + count], first == at && !is_named(at));
        piece.id = id.map_or_else(|| lines[at].number.to_string(), str::to_owned);
        pieces.push(piece);
        at = first + count;
    }
    pieces
}

/// The line below a name at which its cube begins: the next line, or stickers behind blank lines.
/// Without such a line, the name has a solved cube.
fn below<const N: usize>(lines: &[Line<'_>], name: usize) -> Option<usize> {
    let next = (name + 1..lines.len()).take(BLANKS + 1).find(|&at| !lines[at].is_blank())?;
    let of_faces = named_faces::<N>(&lines[next..]).is_some();
    let has_name = lines[next].id.is_some() && !of_faces;
    let is_near = next == name + 1;
    (!has_name && (is_near || of_faces || stickers::<N>(&lines[next..]).is_some())).then_some(next)
}

/// The piece of some lines; the id of the first line is left out if it has one.
fn piece(lines: &[Line<'_>], has_id: bool) -> Piece {
    let first = &lines[0];
    let line = first.number;
    if lines.len() == 1 {
        let (text, column) = if has_id { (first.text, first.columns()) } else { (first.all, 0) };
        return Piece { text: text.to_owned(), line, column, ..Piece::default() };
    }
    // Columns of a drawing stay.
    let mut text = match has_id {
        true => " ".repeat(first.columns()) + first.text,
        false => first.all.to_owned(),
    };
    for line in &lines[1..] {
        text.push('\n');
        text.push_str(if line.is_blank() { "" } else { line.all });
    }
    Piece { text, line, column: 0, ..Piece::default() }
}

/// Number of lines of the cube that begins with the first line.
fn extent<const N: usize>(lines: &[Line<'_>]) -> usize {
    if let Some((_, _, count)) = named_faces::<N>(lines) {
        return count;
    }
    if let Some((count, is_cube)) = stickers::<N>(lines) {
        // A line too many in front of a cube makes as many stickers.
        let better = |from: &usize| stickers::<N>(&lines[*from..]).is_some_and(|(_, is)| is);
        return match is_cube {
            true => count,
            false => (1..count).find(better).unwrap_or(count),
        };
    }
    if N == 3
        && let Some(count) = listed(lines)
    {
        return count;
    }
    broken::<N>(lines)
}

/// Number of lines with as many stickers as a cube has, and whether they are a cube in some face
/// order.
fn stickers<const N: usize>(lines: &[Line<'_>]) -> Option<(usize, bool)> {
    let (mut found, mut blanks) = (0, 0);
    for (i, line) in lines.iter().enumerate() {
        if line.is_blank() {
            blanks += 1;
            if blanks > BLANKS {
                return None;
            }
            continue;
        }
        blanks = 0;
        if i > 0 && line.id.is_some() {
            return None;
        }
        found += line.signs?;
        if found > count::<N>() {
            return None;
        }
        if found == count::<N>() {
            let signs: Option<Vec<_>> = lines[..=i].iter().map(Line::stickers).collect();
            let text = Text::of::<N>(&signs?.concat())?;
            // A line of its own needs no second look.
            return Some((i + 1, i == 0 || text.is_cube::<N>()));
        }
    }
    None
}

/// Number of lines of numbers, or of names of pieces, up to the number that a cube has.
fn listed(lines: &[Line<'_>]) -> Option<usize> {
    let of = |is_item: fn(&str) -> bool, most: usize| {
        let mut found = 0;
        for (i, line) in lines.iter().enumerate() {
            let goes_on = !line.is_blank() && (i == 0 || line.id.is_none());
            if !goes_on || !words(line.text).all(|(word, _)| is_item(word)) {
                return (i, found);
            }
            let items = line.text.split(|sign: char| sign.is_whitespace() || ",[]".contains(sign));
            found += items.filter(|item| !item.is_empty()).count();
            if found >= most {
                return (i + 1, found);
            }
        }
        (lines.len(), found)
    };
    let (numbers, count) = of(is_number, 54);
    if numbers > 0 && count > 0 {
        return Some(numbers);
    }
    let (pieces, count) = of(is_piece, REID.len());
    (pieces > 0 && count == REID.len()).then_some(pieces)
}

/// Number of lines that look like the stickers of one cube and are not: one if the first line is
/// another form.
fn broken<const N: usize>(lines: &[Line<'_>]) -> usize {
    let is_part = |(i, line): &(usize, &Line<'_>)| {
        !line.is_blank() && line.signs.is_some() && (*i == 0 || line.id.is_none())
    };
    let begins = |i: usize| i > 0 && stickers::<N>(&lines[i..]).is_some_and(|(_, is)| is);
    let run = lines.iter().enumerate().take(LINES).take_while(is_part);
    let run = run.take_while(|&(i, _)| !begins(i)).count();
    if run < 2 {
        return 1;
    }
    let signs: Vec<_> = lines[..run].iter().filter_map(Line::stickers).flatten().collect();
    if wrong_count::<N>(&signs).is_some() { run } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cube, Metric};

    /// Ids, and the stickers or the errors of the cubes of a file.
    fn cut<const N: usize>(file: &str) -> Vec<(String, Result<String, String>)> {
        use unriddle_catalog::Presentation as _;
        let read = |piece: Piece| {
            let cube = Cube::<N>::parse(&piece.text, Metric::Quarter);
            let error =
                |error| unriddle_catalog::input::moved(error, piece.line, piece.column).to_string();
            (piece.id.clone(), cube.map(|cube| cube.text()).map_err(error))
        };
        split::<N>(file).into_iter().map(read).collect()
    }

    const CUBE: &str = "BBBUUFUUDLRDLRDUUFRRFUFFBBRDDBDDBLRDUFFDLLFRRLLLLBFRBU";
    const NET: &str = "    BBB\n    UUF\n    UUD\nUFF RRF LRD LLL\nDLL UFF LRD LBF\nFRR BBR UUF RBU\n    DDB\n    DDB\n    LRD";

    #[track_caller]
    fn is_one(file: &str, id: &str) {
        assert_eq!(cut::<3>(file), [(id.to_owned(), Ok(CUBE.to_owned()))], "{file}");
    }

    /// A cube in rows of some length.
    fn rows(length: usize) -> String {
        let signs: Vec<char> = CUBE.chars().collect();
        let rows: Vec<String> = signs.chunks(length).map(String::from_iter).collect();
        rows.join("\n")
    }

    #[test]
    fn stickers_are_one_cube_however_they_are_broken_into_lines() {
        for length in [1, 2, 3, 5, 6, 9, 18, 20, 27, 53, 54] {
            is_one(&rows(length), "1");
        }
        is_one(&rows(9).to_lowercase(), "1");
        is_one(&rows(3).replace('\n', "\n\n"), "1");
        is_one(&rows(9).replace('\n', "\n# face\n"), "1");
        is_one(&format!("a: {}", rows(9)), "a");
        is_one(&format!("a:\n{}", rows(9)), "a");
        is_one(&format!("a:\n\n{}", rows(9)), "a");
        is_one(&format!("# a\n{}", rows(9)), "a");
        is_one(&format!("# a\n{CUBE}"), "2");
        let spaced: String = rows(9).chars().flat_map(|sign| [sign, ' ']).collect();
        is_one(&spaced, "1");
        let listed: Vec<String> = CUBE.chars().map(|sign| format!("'{sign}'")).collect();
        is_one(&format!("[{}]", listed.join(", ")), "1");
    }

    #[test]
    fn nets_are_one_cube() {
        is_one(NET, "1");
        is_one(&NET.to_lowercase(), "1");
        is_one(&NET.replace('\n', "\n\n"), "1");
        is_one(&format!("a: {NET}"), "a");
        is_one(&format!("# a\n{NET}\n\n"), "a");
        is_one(&NET.replace("    ", ""), "1");
        is_one(&NET.replace(' ', ""), "1");
        let framed = NET.replace("UFF RRF LRD LLL", "+---+\n|UFF|RRF|LRD|LLL|");
        is_one(&framed, "1");
        let two = cut::<3>(&format!("{NET}\n{NET}\n\nb: R U\n{CUBE}"));
        let ids: Vec<&str> = two.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, ["1", "10", "b", "21"]);
        assert!(two.iter().all(|(_, cube)| cube.is_ok()));
    }

    #[test]
    fn faces_may_have_names() {
        let faces: Vec<&str> = rows(9).leak().split('\n').collect();
        let named = |names: [&str; 6], order: [usize; 6]| {
            let lines = order.map(|i| format!("{}: {}", names[i], faces[i]));
            lines.join("\n")
        };
        let letters = ["U", "R", "F", "D", "L", "B"];
        is_one(&named(letters, [0, 1, 2, 3, 4, 5]), "1");
        is_one(&named(letters, [5, 2, 1, 0, 3, 4]), "1");
        let words = ["Up", "right", "Front face", "bottom", "left", "Back"];
        is_one(&named(words, [0, 1, 2, 3, 4, 5]), "1");
        is_one(&format!("a:\n{}", named(letters, [2, 1, 0, 3, 4, 5])), "a");
        let below = named(words, [0, 1, 2, 3, 4, 5]).replace(": ", ":\n");
        is_one(&below, "1");
    }

    #[test]
    fn broken_stickers_are_one_refused_cube() {
        let errors = |file: &str| -> Vec<String> {
            cut::<3>(file).into_iter().filter_map(|(_, cube)| cube.err()).collect()
        };
        let wrong = NET.replacen("UUD", "UUB", 1);
        let found = errors(&wrong);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("expected 9 stickers of colour B, found 10"), "{found:?}");
        let short = NET.replacen("UUD", "UU", 1);
        let found = errors(&format!("{short}\n\n{NET}"));
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("expected 54 stickers, found 53"), "{found:?}");
        // A good cube that follows without a blank line is another one.
        assert_eq!(cut::<3>(&format!("{short}\n{NET}")).len(), 2);
        assert_eq!(errors("BBB\nUUF\nUUD").len(), 1);
    }

    #[test]
    fn cubes_of_another_size_are_refused() {
        let net = "    UU\n    UU\nLL FF RR BB\nLL FF RR BB\n    DD\n    DD\n";
        let found = cut::<3>(net);
        assert_eq!(found.len(), 1);
        assert!(found[0].1.as_ref().unwrap_err().contains("read with the option size=2"));
        let found = cut::<2>(NET);
        assert_eq!(found.len(), 1);
        assert!(found[0].1.as_ref().unwrap_err().contains("read with the option size=3"));
    }

    #[test]
    fn moves_are_one_cube_a_line() {
        let file =
            "R U F\n[R, U]\na: [R: U]\n\n# comment\nR [U: F]\n1. R U\n x y z\nb:\nc: R\nUF UR";
        let found = cut::<3>(file);
        let ids: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, ["1", "2", "a", "6", "1", "8", "b", "c", "11"]);
        assert!(found.iter().all(|(_, cube)| cube.is_ok()), "{found:?}");
        let found = cut::<3>("R U R': F");
        assert!(found[0].1.as_ref().unwrap_err().contains("line 1, column 7"), "{found:?}");
    }

    #[test]
    fn lists_may_take_several_lines() {
        let words = REID.join(" ");
        let numbers: Vec<String> = (0..54).map(|number: u32| number.to_string()).collect();
        for text in [words, numbers.join(" "), numbers.join(", ")] {
            let broken = text.replacen(" 9", "\n9", 1).replacen(" UFR", "\nUFR", 1);
            assert_ne!(broken, text);
            let found = cut::<3>(&format!("{broken}\n{text}"));
            assert_eq!(found.len(), 2, "{broken}");
            assert!(found.iter().all(|(_, cube)| cube.is_ok()));
        }
    }

    #[test]
    fn pocket_cubes_are_cut_as_well() {
        let solved = "UUUURRRRFFFFDDDDLLLLBBBB";
        let net = "    UU\n    UU\nLL FF RR BB\nLL FF RR BB\n    DD\n    DD\n";
        for file in [solved, net, "UU\nUU\nRR\nRR\nFF\nFF\nDD\nDD\nLL\nLL\nBB\nBB"] {
            assert_eq!(cut::<2>(file), [("1".to_owned(), Ok(solved.to_owned()))]);
        }
    }
}
