//! The forms in which people write a cube.

use crate::{
    Cube, Metric, Pieces,
    facelets::Colours,
    geometry::{FACES, Layers},
    lines::{lines, signs, without_comments},
    named::{face, numbers, reid},
    scheme::Scheme,
    sequence::{self, Move},
    stickers::{Order, Text, named_faces, wrong_count},
};
use unriddle_core::{
    ParseError,
    text::{Word, placed},
};

/// Moves that scrambles and solutions of side `N` may have.
pub(crate) fn is_known<const N: usize>(one: &Move) -> bool {
    N == 3 || matches!(one.layers, Layers::Face | Layers::All)
}

const MOVES: &str =
    "a move such as R, U2, F', Rw, M or x; or a cube as stickers, pieces or numbers";
const POCKET_MOVES: &str = "a move such as R, U2, F' or x; or a cube as 24 stickers";

/// Whether a word consists of numbers, commas and brackets.
pub(crate) fn is_number(word: &str) -> bool {
    word.chars().all(|sign| sign.is_ascii_digit() || ",[]".contains(sign))
}

/// Whether a word is the name of a piece: two or three neighbouring faces.
pub(crate) fn is_piece(word: &str) -> bool {
    let faces: Vec<u8> = word.chars().filter_map(|sign| face(sign).map(|face| face % 3)).collect();
    let meet = (1..faces.len()).all(|i| !faces[..i].contains(&faces[i]));
    faces.len() == word.chars().count() && (2..=3).contains(&faces.len()) && meet
}

/// Words of a text that are looked at; names of pieces are fewer.
const WORDS: usize = 64;

/// Whether words are rather names of pieces, with a few wrong ones, than moves or stickers.
fn are_pieces(words: &[Word<'_>]) -> bool {
    let is_short = |(_, word): &Word<'_>| (2..=3).contains(&word.chars().count());
    let right = words.iter().filter(|(_, word)| is_piece(word)).count();
    (8..WORDS).contains(&words.len()) && words.iter().all(is_short) && 4 * right >= 3 * words.len()
}

impl<const N: usize> Cube<N> {
    /// Parses a cube from stickers, from moves of the solved cube, from pieces or from numbers of
    /// stickers. Only the 3×3×3 has the last two notations.
    ///
    /// Moves and stickers may describe any orientation of the whole cube. Turns and solutions name
    /// faces as the cube is held then.
    ///
    /// ```
    /// use unriddle_cube::{Cube, Metric};
    ///
    /// let read = |text| Cube::<3>::parse(text, Metric::Half);
    /// let turned = read("UUUUUUUUU BBBRRRRRR RRRFFFFFF DDDDDDDDD FFFLLLLLL LLLBBBBBB")?;
    /// assert_eq!(read("U"), Ok(turned.clone()));
    /// // The two lower layers turn in the opposite direction, then the whole cube rotates back.
    /// assert_eq!(read("Dw y"), Ok(turned));
    /// // The face at the right of the cube as it is held.
    /// assert_eq!(read("y R")?.start(), read("R")?.start());
    /// let error = read("R U Q2").unwrap_err().to_string();
    /// assert!(error.starts_with("line 1, column 5: expected a move"), "{error}");
    /// # Ok::<(), unriddle_core::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// The text is invalid at this position, or the stickers are not the stickers of a cube.
    /// [`defect`](Self::defect) reports twisted, flipped or exchanged pieces.
    pub fn parse(text: &str, metric: Metric) -> Result<Self, ParseError> {
        Self::parse_ordered(text, metric, Order::default())
    }

    /// Parses a cube as [`parse`](Self::parse) does; stickers that are not drawn as a net are in an
    /// order of the faces.
    ///
    /// # Errors
    /// Errors of [`parse`](Self::parse).
    pub fn parse_ordered(text: &str, metric: Metric, order: Order) -> Result<Self, ParseError> {
        let text = without_comments(text);
        let (start, scheme) = pieces::<N>(&text, order)?;
        Ok(Self { scheme, ..Self::new(start, metric) })
    }
}

fn pieces<const N: usize>(text: &str, order: Order) -> Result<(Pieces, Scheme), ParseError> {
    if let Some(found) = named::<N>(text) {
        return found;
    }
    // Two slashes may be a comment or may separate stickers.
    let code: Vec<&str> =
        text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join("\n");
    let found = signs(&code);
    let stickers = found.as_deref().and_then(Text::of::<N>);
    let stickers = stickers.or_else(|| {
        let all = text.contains("//").then(|| signs(text)).flatten();
        all.as_deref().and_then(Text::of::<N>)
    });
    if let Some(stickers) = stickers {
        return unambiguous::<N>(text, &stickers, order);
    }
    let words: Vec<Word<'_>> = placed(&code).take(WORDS).collect();
    let is_numbers = |word: Word<'_>| is_number(word.1);
    if N == 3 && !words.is_empty() && placed(&code).all(is_numbers) {
        return numbers(&code);
    }
    if N == 3 && are_pieces(&words) {
        return reid(&words).map(|pieces| (pieces, Scheme::default()));
    }
    let moves = moves::<N>(&code);
    let is_of_faces = |signs: &[((usize, usize), char)]| {
        signs.iter().all(|(_, sign)| FACES.contains(&sign.to_ascii_uppercase()))
    };
    if let Some(found) = &found
        && (moves.is_err() || is_of_faces(found))
        && let Some(error) = wrong_count::<N>(found)
    {
        return Err(error);
    }
    let colours = Colours::moved(&sequence::map(&moves?));
    colours.pieces::<N>(&FACES).map_err(|wrong| ParseError::at(1, 1, wrong.why))
}

/// Reads faces with names.
fn named<const N: usize>(text: &str) -> Option<Result<(Pieces, Scheme), ParseError>> {
    let all = text.contains(':').then(|| lines(text))?;
    let first = all.iter().position(|line| !line.is_blank())?;
    let (faces, order, count) = named_faces::<N>(&all[first..])?;
    let is_all = all[first + count..].iter().all(|line| line.is_blank());
    is_all.then(|| faces.of_named_faces::<N>(&order))
}

fn moves<const N: usize>(text: &str) -> Result<Vec<Move>, ParseError> {
    let expected = if N == 3 { MOVES } else { POCKET_MOVES };
    sequence::read(text, expected, is_known::<N>)
}

/// Reads stickers. Other signs than the letters of the faces must not be moves as well.
fn unambiguous<const N: usize>(
    text: &str,
    stickers: &Text,
    order: Order,
) -> Result<(Pieces, Scheme), ParseError> {
    if !stickers.is_of_faces() && moves::<N>(text).is_ok() {
        let why = "the text is a sequence of moves, or the stickers of a cube in six colours: \
                   write one of the six signs in another way";
        return Err(ParseError::at(1, 1, why));
    }
    stickers.cube::<N>(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{named::REID, pieces::SOLVED};
    use unriddle_catalog::Style;
    use unriddle_core::{GoalPuzzle as _, Notation as _, Puzzle as _, Rng};

    fn read(text: &str) -> Result<Pieces, String> {
        let cube = Cube::<3>::parse(text, Metric::Quarter);
        cube.map(|cube| *cube.start()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_solved_cube_in_all_forms() {
        let numbers: Vec<String> = (0..54).map(|number: u32| number.to_string()).collect();
        for text in ["", &REID.join(" "), &numbers.join(" "), "x y z M E S x2 M' R R'"] {
            let pieces = read(text);
            // Middle layers move the centres, so that the corners move.
            if text.contains('M') {
                assert!(pieces.is_ok());
            } else {
                assert_eq!(pieces, Ok(SOLVED), "{text}");
            }
        }
    }

    #[test]
    fn forms_are_read_back() {
        let rng = &mut Rng::new(3);
        for _ in 0..100 {
            let pieces = (0..40).fold(SOLVED, |pieces, _| pieces.turned(rng.below(18) as u8));
            let cube = Cube::<3>::new(pieces, Metric::Quarter);
            let forms = [Cube::<3>::singmaster(&pieces), cube.deepcubea(&pieces)];
            for form in forms.into_iter().flatten() {
                assert_eq!(read(&form), Ok(pieces), "{form}");
            }
        }
        // A clockwise turn of U takes the edge of UR to UF.
        let turned = Cube::<3>::singmaster(&SOLVED.turned(0)).unwrap();
        assert!(turned.starts_with("UR UB UL UF"));
    }

    #[test]
    fn wide_moves_and_slices_equal_turns_of_the_other_layers() {
        for (one, other) in
            [("Rw", "L x"), ("M", "L' R x'"), ("E", "D' U y'"), ("S", "F' B z"), ("u2", "D2 y2")]
        {
            assert_eq!(read(one), read(other), "{one}");
            assert!(read(one).is_ok());
        }
    }

    #[test]
    fn errors_have_line_and_column() {
        for (text, message) in [
            (
                "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBU",
                "line 1, column 54: expected 9 stickers of colour U, found 10",
            ),
            (
                "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBB",
                "line 1, column 53: expected 54 stickers, found 53",
            ),
            (
                "RUUUUUUUU URRRRRRRR FFFFFFFFF DDDDDDDDD LLLLLLLLL BBBBBBBBB",
                "line 1, column 9: no corner has the colours UUF, seen at URF",
            ),
            (
                "R 2R",
                "line 1, column 3: expected a move such as R, U2, F', Rw, M or x; or a cube as stickers, pieces or numbers, found `2R`",
            ),
            ("1 2 3", "line 1, column 5: expected 54 numbers of stickers, found 3"),
        ] {
            let found = read(text).unwrap_err();
            assert!(found.starts_with(message), "{found}");
        }
    }

    /// The text of the cube, and whether moves solve it.
    fn solved_by<const N: usize>(text: &str, moves: &str) -> bool {
        let cube = Cube::<N>::parse(text, Metric::Quarter).unwrap();
        let turns = cube.parse_solution(moves).unwrap();
        let last = turns.iter().fold(*cube.start(), |state, &turn| cube.apply(&state, turn));
        cube.is_goal(&last)
    }

    /// Stickers of the solved cube after moves, by their permutation.
    fn stickers_after(moves: &str) -> String {
        let moves = sequence::read(moves, "", |_| true).unwrap();
        let colours = Colours::moved(&sequence::map(&moves));
        colours.0.iter().map(|&face| FACES[usize::from(face)]).collect()
    }

    #[test]
    fn solutions_are_of_the_cube_as_it_is_held() {
        for (scramble, solution) in [
            ("y R", "R'"),
            ("D L2 F' Rw", "L' U L L F'"),
            ("F2 M U", "U' R' L D D"),
            ("UURUURUURBBBBBBBBBRRDRRDRRDDDLDDLDDLFFFFFFFFFULLULLULL", "R'"),
            ("x y2 R U", "U' R'"),
            ("R", "z D' y"),
            ("R U", "x F' Rw' L x' R'"),
        ] {
            let is_right = solved_by::<3>(scramble, solution);
            // The last one is wrong on purpose.
            assert_eq!(is_right, scramble != "R U", "{scramble}: {solution}");
        }
        assert!(solved_by::<2>("x R U", "U' R'"));
        assert!(solved_by::<2>("D", "U'"));
        assert!(solved_by::<2>("B", "x y D' z2"));
    }

    /// The text of a cube has the stickers as the moves leave them, and solutions in any notation
    /// solve it if and only if they solve these.
    #[test]
    fn random_scrambles_agree_with_their_stickers() {
        let rng = &mut Rng::new(11);
        let words = ["R", "U", "F", "D", "L", "B", "Rw", "u", "M", "E", "S", "x", "y", "z"];
        for _ in 0..300 {
            let moves: Vec<String> = (0..12)
                .map(|_| {
                    let word = words[rng.below(words.len() as u64) as usize];
                    format!("{word}{}", ["", "2", "'"][rng.below(3) as usize])
                })
                .collect();
            let scramble = moves.join(" ");
            let cube = Cube::<3>::parse(&scramble, Metric::Half).unwrap();
            let written = cube.state_text(cube.start());
            assert_eq!(written, stickers_after(&scramble));
            assert_eq!(Cube::<3>::parse(&written, Metric::Half).as_ref(), Ok(&cube));
            let numbers = cube.deepcubea(cube.start()).unwrap();
            assert_eq!(Cube::<3>::parse(&numbers, Metric::Half).as_ref(), Ok(&cube));
            assert!(solved_by::<3>(&scramble, &format!("({scramble})'")));
            let some = &moves[3..].join(" ");
            let after = stickers_after(&format!("{scramble} ({some})'"));
            let is_solved = (0..54).all(|i| after.as_bytes()[i] == after.as_bytes()[i / 9 * 9]);
            assert_eq!(solved_by::<3>(&scramble, &format!("({some})'")), is_solved);
        }
    }

    #[test]
    fn any_six_signs_are_colours() {
        let letters = "BBBUUFUUDLRDLRDUUFRRFUFFBBRDDBDDBLRDUFFDLLFRRLLLLBFRBU";
        let expected = read(letters);
        for (signs, separator) in [
            ("WRGYOB", ""),
            ("123456", " "),
            ("abcdef", ","),
            ("⬜🟥🟩🟨🟧🟦", " "),
            ("urfdlb", ""),
            ("#*.o=-", ""),
        ] {
            let signs: Vec<char> = signs.chars().collect();
            let painted: Vec<String> = letters
                .chars()
                .map(|letter| signs[usize::from(face(letter).unwrap())].to_string())
                .collect();
            let text = painted.join(separator);
            match signs[0] {
                // Punctuation among letters or digits separates.
                '#' => assert!(read(&text.replace('o', "+").replace('#', "~")).is_ok()),
                _ => assert_eq!(read(&text), expected, "{text}"),
            }
        }
        let pocket = "WGWW RRRB GYGG YYYO OOOO BBBB";
        let error = Cube::<2>::parse(pocket, Metric::Half).unwrap_err().to_string();
        assert!(error.contains("expected"), "{error}");
        let rng = &mut Rng::new(4);
        for _ in 0..100 {
            let pieces = crate::generate::uniform::<2>(rng);
            let cube = Cube::<2>::new(pieces, Metric::Half);
            let letters = cube.state_text(&pieces);
            let painted: String = letters
                .chars()
                .map(|letter| ['W', 'R', 'G', 'Y', 'O', 'B'][usize::from(face(letter).unwrap())])
                .collect();
            assert_eq!(Cube::<2>::parse(&painted, Metric::Half), Ok(cube));
        }
    }

    #[test]
    fn the_order_of_faces_is_an_option_and_named_in_errors() {
        let net = "oyyoyywggbbgbbgyogrwwrrrryyobbwggbrrrrwyowwggyoowwboob";
        let own = "oyyoyywggobbwggbrrrwwrrrryyyoowwboobbbgbbgyogrrwyowwgg";
        let expected = read("R U2 F' L D");
        assert_eq!(read(own), expected);
        let error = read(net).unwrap_err();
        assert!(error.contains("a cube in the order U L F R B D (order=ULFRBD)"), "{error}");
        let ordered = |text, order| {
            Cube::<3>::parse_ordered(text, Metric::Quarter, order).map(|cube| *cube.start())
        };
        assert_eq!(ordered(net, Order::Net).ok(), expected.clone().ok());
        let error = ordered(own, Order::Net).unwrap_err().to_string();
        assert!(error.contains("(order=URFDLB)"), "{error}");
        let faces: Vec<&str> = [0, 27, 36, 9, 45, 18].map(|from| &own[from..from + 9]).to_vec();
        let opposite = faces.concat();
        assert_eq!(ordered(&opposite, Order::Opposite).ok(), expected.ok());
        let error = read(&opposite).unwrap_err();
        assert!(error.contains("(order=UDLRBF)"), "{error}");
    }

    #[test]
    fn nets_are_read_where_they_are_sure() {
        let solved = "UUU\nUUU\nUUU\nLLLFFFRRRBBB\nLLLFFFRRRBBB\nLLLFFFRRRBBB\nDDD\nDDD\nDDD";
        // Without blanks in front, U may be above L as well: a cube seen from another side.
        let exchanged = "R U R' U' R' F R2 U' R' U' R U R' F'";
        let cube = Cube::<3>::parse(exchanged, Metric::Half).unwrap();
        let net = crate::draw::drawn::<3>(&cube.colours(cube.start()), None, Style::Plain);
        let flush: Vec<&str> = net.lines().map(str::trim).collect();
        assert_eq!(read(&flush.join("\n")).as_ref(), Ok(cube.start()));
        let colours = flush.join("\n").replace('U', "W").replace('L', "O");
        let error = read(&colours).unwrap_err();
        assert!(error.contains("U above the first face"), "{error}");
        assert_eq!(read(solved), Ok(SOLVED));
        let indented = |columns: usize| {
            let is_short = |line: &str| line.len() == 3;
            let indent = |line: &str| " ".repeat(if is_short(line) { columns } else { 0 }) + line;
            solved.lines().map(indent).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(read(&indented(3)), Ok(SOLVED));
        let error = read(&indented(6)).unwrap_err();
        assert!(error.contains("U above and D below the second"), "{error}");
        let across = "UUURRRFFFDDDLLLBBB\nUUURRRFFFDDDLLLBBB\nUUURRRFFFDDDLLLBBB";
        let error = read(across).unwrap_err();
        assert!(error.contains("rows across all faces"), "{error}");
    }

    #[test]
    fn texts_that_are_two_things_are_refused() {
        for (text, message) in [
            (
                "UUUURRRRFFFFDDDDLLLLBBBB",
                "as of a cube of side 2, which is read with the option size=2",
            ),
            (&"URFDLB".repeat(16), "as of a cube of side 4"),
            (
                "bbbuufuudlrdlrduufrrfuffbbrddbddblrduffdllfrrllllbfrb",
                "expected 54 stickers, found 53",
            ),
            ("[r] U", "a commutator [A, B] or a conjugate [A: B]"),
            (&"MRUFSE".repeat(9), "a sequence of moves, or the stickers of a cube in six colours"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
        let wrong = (0..54).map(|i: u32| {
            if i == 0 {
                2
            } else if i == 2 {
                0
            } else {
                i
            }
        });
        let wrong: Vec<String> = wrong.map(|number| number.to_string()).collect();
        let error = read(&wrong.join(" ")).unwrap_err();
        assert!(error.contains("by the other stickers of its piece"), "{error}");
    }

    #[test]
    fn the_pocket_cube_may_be_held_in_any_way() {
        let read = |text: &str| Cube::<2>::parse(text, Metric::Half).unwrap();
        assert_eq!(*read("x y2 z'").start(), SOLVED);
        // D equals U as seen from another side.
        assert_eq!(read("D y"), read("U"));
        assert_eq!(*read("D").start(), *read("U").start());
        assert_eq!(*read("UUUU RRRR FFFF DDDD LLLL BBBB").start(), SOLVED);
        assert_eq!(*read("FFFF RRRR DDDD BBBB LLLL UUUU").start(), SOLVED);
    }
}
