//! Cubes as the colours of their stickers: letters of faces or any six signs, in an order of the
//! faces or as an unfolded net.

use crate::{
    Pieces,
    facelets::{Colours, Names, STAYS, Wrong, stickers},
    geometry::{CORNERS, FACES, STICKERS, sticker_of},
    lines::{Line, MOST, Sign, face_of},
    named::face,
    scheme::Scheme,
};
use unriddle_core::{ParseError, words};

words! {
    /// Order of the faces in texts of stickers.
    pub enum Order {
        /// U, R, F, D, L, B.
        Usual = "URFDLB",
        /// U, L, F, R, B, D, as in the unfolded net.
        Net = "ULFRBD",
        /// U, D, L, R, B, F.
        Opposite = "UDLRBF",
    }
}

impl Order {
    const ALL: [Self; 3] = [Self::Usual, Self::Net, Self::Opposite];

    fn faces(self) -> Vec<usize> {
        self.name().chars().filter_map(face).map(usize::from).collect()
    }
}

/// Number of stickers of a cube of side `N`.
pub(crate) const fn count<const N: usize>() -> usize {
    6 * N * N
}

/// A text that has as many signs as a cube has stickers, of six colours.
pub(crate) struct Text {
    /// The signs; capitals where it does not matter.
    signs: Vec<Sign>,
    /// Whether they are the letters of the faces.
    is_of_faces: bool,
}

/// The number of each sign.
fn kinds(signs: &[Sign]) -> Vec<(char, usize)> {
    let mut kinds: Vec<(char, usize)> = Vec::new();
    for &(_, sign) in signs {
        match kinds.iter().position(|&(known, _)| known == sign) {
            Some(at) => kinds[at].1 += 1,
            // More kinds are no colours.
            None if kinds.len() < 64 => kinds.push((sign, 1)),
            None => {}
        }
    }
    kinds
}

fn capitals(signs: &[Sign]) -> Vec<Sign> {
    signs.iter().map(|&(place, sign)| (place, sign.to_ascii_uppercase())).collect()
}

impl Text {
    /// The text of a cube of side `N`, if the signs are six of `N²` each.
    pub(crate) fn of<const N: usize>(signs: &[Sign]) -> Option<Self> {
        if signs.len() != count::<N>() {
            return None;
        }
        let is_cube = |signs: &[Sign]| {
            let kinds = kinds(signs);
            kinds.len() == 6 && kinds.iter().all(|&(_, count)| count == N * N)
        };
        let capitals = capitals(signs);
        let signs = [capitals, signs.to_vec()].into_iter().find(|signs| is_cube(signs))?;
        let is_of_faces = signs.iter().all(|&(_, sign)| face(sign).is_some());
        Some(Self { signs, is_of_faces })
    }

    /// Whether the signs are the letters of the faces.
    pub(crate) fn is_of_faces(&self) -> bool {
        self.is_of_faces
    }

    /// The colours of a 2×2×2, by the corner that stays. Opposite colours have no corner in common.
    fn pocket_names(&self, signs: &[char; STICKERS]) -> Result<Names, Wrong> {
        let corner = |place: usize| [0, 1, 2].map(|i| signs[sticker_of(3 * place + i)]);
        let mut names = [' '; 6];
        for (i, sign) in corner(STAYS).into_iter().enumerate() {
            let apart = kinds(&self.signs).into_iter().map(|(other, _)| other).filter(|&other| {
                let meet = |place| corner(place).contains(&sign) && corner(place).contains(&other);
                other != sign && !(0..8).any(meet)
            });
            let apart: Vec<char> = apart.collect();
            let [opposite] = apart[..] else {
                let why = format!("expected one colour that has no corner in common with {sign}");
                return Err(Wrong { sticker: sticker_of(3 * STAYS + i), why });
            };
            let face = CORNERS[STAYS][i];
            (names[face], names[(face + 3) % 6]) = (sign, opposite);
        }
        Ok(names)
    }

    /// Reads the cube if the signs are its stickers `at` these positions.
    fn read<const N: usize>(&self, at: &[usize]) -> Result<(Pieces, Scheme), ParseError> {
        let mut signs = [' '; STICKERS];
        let mut places = [(1, 1); STICKERS];
        for (&sticker, &(place, sign)) in at.iter().zip(&self.signs) {
            (signs[sticker], places[sticker]) = (sign, place);
        }
        let refused = |Wrong { sticker, why }: Wrong| {
            let (line, column) = places[sticker];
            ParseError::at(line, column, why)
        };
        let names = match N {
            _ if self.is_of_faces => FACES,
            3 => std::array::from_fn(|face| signs[9 * face + 4]),
            _ => self.pocket_names(&signs).map_err(refused)?,
        };
        if let Some(twice) = (0..6).find(|&i| names[..i].contains(&names[i])) {
            let sticker = if N == 3 { 9 * twice + 4 } else { sticker_of(3 * STAYS) };
            let why = format!("expected six colours in the centres, found {} twice", names[twice]);
            return Err(refused(Wrong { sticker, why }));
        }
        let colour = |sign: char| names.iter().position(|&name| name == sign).unwrap_or(0) as u8;
        Colours(signs.map(colour)).pieces::<N>(&names).map_err(refused)
    }

    /// The signs in each line: the line's columns.
    fn rows(&self) -> Vec<Vec<usize>> {
        let mut rows: Vec<(usize, Vec<usize>)> = Vec::new();
        for &((line, column), _) in &self.signs {
            match rows.last_mut() {
                Some((last, columns)) if *last == line => columns.push(column),
                _ => rows.push((line, vec![column])),
            }
        }
        rows.into_iter().map(|(_, columns)| columns).collect()
    }

    /// Reads a cube, in an order of faces unless it is drawn as a net.
    ///
    /// # Errors
    /// Stickers of no cube, with the other order in which they are a cube if there is one; a text
    /// that is two cubes.
    pub(crate) fn cube<const N: usize>(
        &self,
        order: Order,
    ) -> Result<(Pieces, Scheme), ParseError> {
        let rows = self.rows();
        let lengths: Vec<usize> = rows.iter().map(Vec::len).collect();
        let net = [vec![N; N], vec![4 * N; N], vec![N; N]].concat();
        // Readings that the lines suggest; the first is the rule.
        let likely = if lengths == net {
            let (top, bottom) = (under(&rows, 0..N, N), under(&rows, 2 * N..3 * N, N));
            match (top, bottom) {
                (1, 1) => vec![net_rows::<N>()],
                (0, 0) => vec![
                    ("as a net with U above the second face", unfolded::<N>(1)),
                    ("as a net with U above the first face", unfolded::<N>(0)),
                ],
                _ => {
                    let ((line, column), _) = self.signs[0];
                    let why = "expected an unfolded net with U above and D below the second of \
                               four faces: rows of U, then L F R B, then D";
                    return Err(ParseError::at(line, column, why));
                }
            }
        } else if lengths == vec![6 * N; N] {
            vec![flat::<N>(order), across::<N>(order)]
        } else {
            vec![flat::<N>(order)]
        };
        if self.is_of_faces && lengths != net && order != Order::Usual {
            // Texts of records have letters of faces in the usual order.
            let usual = flat::<N>(Order::Usual);
            if let Ok(cube) = self.read::<N>(&usual.1) {
                let given = self.read::<N>(&likely[0].1);
                if given.is_err() || given == Ok(cube) {
                    return Ok(cube);
                }
                return Err(self.two_cubes(&likely[0], &usual));
            }
        }
        self.decided::<N>(&likely, order)
    }

    /// Whether the signs are a cube in some order of the faces, or as a net.
    pub(crate) fn is_cube<const N: usize>(&self) -> bool {
        known::<N>(Order::default()).any(|(_, at)| self.read::<N>(&at).is_ok())
    }

    /// Reads a cube of faces with names.
    pub(crate) fn of_named_faces<const N: usize>(
        &self,
        order: &[usize],
    ) -> Result<(Pieces, Scheme), ParseError> {
        self.read::<N>(&faces::<N>(order))
    }

    /// The error of a text that is two cubes.
    fn two_cubes(&self, (one, _): &Reading, (other, _): &Reading) -> ParseError {
        let ((line, column), _) = self.signs[0];
        let why = format!(
            "the stickers are a cube {one} and another one {other}: write each face \
             on a line with its name, such as `U: UUUUUUUUU`"
        );
        ParseError::at(line, column, why)
    }

    /// The cube of the first likely reading, if it is one and no other likely reading is.
    fn decided<const N: usize>(
        &self,
        likely: &[Reading],
        order: Order,
    ) -> Result<(Pieces, Scheme), ParseError> {
        let is_solvable = |(pieces, _): &(Pieces, Scheme)| pieces.defect(N == 3).is_none();
        let solvable = |(_, at): &Reading| self.read::<N>(at).ok().filter(is_solvable);
        let ((line, column), _) = self.signs[0];
        let first = self.read::<N>(&likely[0].1);
        let is_sound = first.as_ref().is_ok_and(is_solvable);
        // Letters of faces that are at home are hardly another cube.
        let is_home =
            |(_, scheme): &(Pieces, Scheme)| self.is_of_faces && is_sound && scheme.is_usual();
        if let Some(found) = first.as_ref().ok().filter(|found| !is_home(found)) {
            let other = |reading: &&Reading| solvable(reading).is_some_and(|cube| cube != *found);
            if let Some(other) = likely[1..].iter().find(other) {
                return Err(self.two_cubes(&likely[0], other));
            }
        }
        if is_sound {
            return first;
        }
        let mut others: Vec<(&str, (Pieces, Scheme))> = Vec::new();
        for reading in known::<N>(order).filter(|(_, at)| *at != likely[0].1) {
            if let Some(cube) = solvable(&reading)
                && others.iter().all(|(_, other)| *other != cube)
            {
                others.push((reading.0, cube));
            }
        }
        let [(how, _)] = others[..] else {
            return first;
        };
        Err(match first {
            Ok((pieces, _)) => {
                let defect = pieces.defect(N == 3).unwrap_or_default();
                let why = format!(
                    "the stickers are a cube {how}; {} {defect}: write them or give the option \
                     accordingly",
                    likely[0].0
                );
                ParseError::at(line, column, why)
            }
            Err(error) => {
                let why = format!("{}; the stickers are a cube {how}", error.message);
                ParseError::at(error.line, error.column, why)
            }
        })
    }
}

/// A way to read stickers: its name, and the sticker of each sign.
type Reading = (&'static str, Vec<usize>);

/// All readings that an error may name.
fn known<const N: usize>(order: Order) -> impl Iterator<Item = Reading> {
    let orders = Order::ALL.into_iter().map(flat::<N>);
    orders.chain([order].into_iter().flat_map(|order| [net_rows::<N>(), across::<N>(order)]))
}

fn flat<const N: usize>(order: Order) -> Reading {
    (told(order), faces::<N>(&order.faces()))
}

fn net_rows<const N: usize>() -> Reading {
    ("as the rows of an unfolded net", unfolded::<N>(1))
}

fn across<const N: usize>(order: Order) -> Reading {
    ("as rows across all faces", beside::<N>(&order.faces()))
}

/// An order of faces in a message.
fn told(order: Order) -> &'static str {
    match order {
        Order::Usual => "in the order U R F D L B (order=URFDLB)",
        Order::Net => "in the order U L F R B D (order=ULFRBD)",
        Order::Opposite => "in the order U D L R B F (order=UDLRBF)",
    }
}

/// Stickers of a face.
fn of_face<const N: usize>(face: usize) -> impl Iterator<Item = usize> {
    stickers::<N>().filter(move |sticker| sticker / 9 == face)
}

/// Stickers of a row of a face.
fn row<const N: usize>(face: usize, row: usize) -> impl Iterator<Item = usize> {
    of_face::<N>(face).skip(N * row).take(N)
}

/// Face by face.
fn faces<const N: usize>(order: &[usize]) -> Vec<usize> {
    order.iter().flat_map(|&face| of_face::<N>(face)).collect()
}

/// Row by row across all faces.
fn beside<const N: usize>(order: &[usize]) -> Vec<usize> {
    (0..N).flat_map(|at| order.iter().flat_map(move |&face| row::<N>(face, at))).collect()
}

/// The rows of a net: U, four faces of which the one with number `front` is F, and D.
fn unfolded<const N: usize>(front: usize) -> Vec<usize> {
    // L, F, R, B.
    const AROUND: [usize; 4] = [4, 2, 1, 5];
    let around: Vec<usize> = (0..4).map(|i| AROUND[(i + 5 - front) % 4]).collect();
    let middle = beside::<N>(&around);
    of_face::<N>(0).chain(middle).chain(of_face::<N>(3)).collect()
}

/// The number of the face in the middle rows of a net that begins nearest to where these rows do.
fn under(rows: &[Vec<usize>], of: std::ops::Range<usize>, side: usize) -> usize {
    let begins = rows[of].iter().map(|row| row[0]).min().unwrap_or(1);
    let distance = |face: &usize| rows[side][face * side].abs_diff(begins);
    (0..4).min_by_key(distance).unwrap_or(0)
}

/// Faces with names, each followed by its stickers: the signs and the order of the faces, and the
/// number of lines.
pub(crate) fn named_faces<const N: usize>(lines: &[Line<'_>]) -> Option<(Text, Vec<usize>, usize)> {
    let (mut order, mut signs) = (Vec::new(), Vec::new());
    for (i, line) in lines.iter().enumerate().take(6 * (N + 3)) {
        if let Some(name) = line.id {
            let face = face_of(name).filter(|face| !order.contains(face))?;
            if signs.len() != N * N * order.len() {
                return None;
            }
            order.push(face);
        } else if order.is_empty() {
            return None;
        }
        line.signs?;
        signs.extend(line.stickers()?);
        if signs.len() > N * N * order.len() {
            return None;
        }
        if signs.len() == count::<N>() {
            return Text::of::<N>(&signs).map(|text| (text, order, i + 1));
        }
    }
    None
}

/// The error of signs that look like the stickers of no cube of side `N`; `None` for other signs.
pub(crate) fn wrong_count<const N: usize>(signs: &[Sign]) -> Option<ParseError> {
    let all = count::<N>();
    let signs = capitals(signs);
    let kinds = kinds(&signs);
    let ((line, column), _) = *signs.first()?;
    let size = (2..=32).find(|side| 6 * side * side == signs.len() && *side != N);
    if let Some(side) =
        size.filter(|side| kinds.len() == 6 && kinds.iter().all(|&(_, count)| count == side * side))
    {
        let option = match side {
            2 => ", which is read with the option size=2",
            3 => ", which is read with the option size=3",
            _ => "",
        };
        let why = format!(
            "expected {all} stickers, found {} as of a cube of side {side}{option}",
            signs.len()
        );
        return Some(ParseError::at(line, column, why));
    }
    if !is_picture::<N>(&signs) {
        return None;
    }
    const HINT: &str = "; moves are apart by blanks, one sequence a line, and those without a sign \
                        may have a 1, such as R1";
    if signs.len() != all {
        let ((line, column), _) = *signs.get(all).or(signs.last())?;
        let least = if signs.len() < MOST { "" } else { "at least " };
        let why = format!("expected {all} stickers, found {least}{}{HINT}", signs.len());
        return Some(ParseError::at(line, column, why));
    }
    let each = N * N;
    if kinds.len() == 6
        && let Some(&(sign, count)) = kinds.iter().find(|&&(_, count)| count > each)
    {
        let mut of = signs.iter().filter(|&&(_, other)| other == sign);
        let &((line, column), _) = of.nth(each)?;
        let why = format!("expected {each} stickers of colour {sign}, found {count}{HINT}");
        return Some(ParseError::at(line, column, why));
    }
    let found: Vec<String> = kinds
        .iter()
        .take(8)
        .map(|(sign, count)| format!("{} {count}", sign.escape_debug()))
        .collect();
    let why =
        format!("expected six colours of {each} stickers each, found {}{HINT}", found.join(", "));
    Some(ParseError::at(line, column, why))
}

/// Whether signs look like stickers rather than moves: by their number, by long words, or by a word
/// in which a sign follows itself twice.
fn is_picture<const N: usize>(signs: &[Sign]) -> bool {
    let all = count::<N>();
    let mut words: Vec<usize> = Vec::new();
    let mut before: Option<(usize, usize)> = None;
    for &((line, column), _) in signs {
        match words.last_mut() {
            Some(length) if before == Some((line, column - 1)) => *length += 1,
            _ => words.push(1),
        }
        before = Some((line, column));
    }
    let is_together = |three: &[Sign]| {
        let ((line, column), sign) = three[0];
        (1..3).all(|i| three[i] == ((line, column + i), sign))
    };
    let lines = signs.last().map_or(0, |((line, _), _)| *line)
        - signs.first().map_or(0, |((line, _), _)| *line);
    let is_half = 2 * signs.len() >= all;
    let is_even = words.iter().all(|length| length % N == 0 && *length > 2);
    signs.len() == all
        || words.iter().any(|length| 2 * length >= all)
        || (is_half && is_even)
        || ((is_half || lines > 0) && signs.windows(3).any(is_together))
}
