//! Sequences of moves in common notation: `R U2 F'`, wide moves (`Rw` or `r`), slices (`M E S`),
//! rotations (`x y z`), repetition `(A B)3`, commutators `[A, B]`, conjugates `[A: B]` and
//! simultaneous moves `A + B`.

use crate::geometry::{Layers, Map, STICKERS, then, turn};
use unriddle_core::ParseError;

/// Moves that the brackets of a text may make.
const MOST: usize = 1_000_000;

/// Brackets that may be within each other.
const DEEPEST: usize = 1_000;

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    /// By number, 0 to 5.
    pub(crate) face: u8,
    pub(crate) layers: Layers,
    /// Clockwise quarter turns, 1 to 3.
    pub(crate) quarters: u8,
}

impl Move {
    fn inverse(self) -> Self {
        Self { quarters: 4 - self.quarters, ..self }
    }
}

/// Permutation of stickers by all moves in sequence.
pub(crate) fn map(moves: &[Move]) -> Map {
    let nothing: Map = std::array::from_fn(|sticker| sticker as u8);
    moves.iter().fold(nothing, |map, one| {
        let once = turn(one.face.into(), one.layers);
        (0..one.quarters).fold(map, |map, _| then(&map, &once))
    })
}

fn inverse(moves: &[Move]) -> impl Iterator<Item = Move> {
    moves.iter().rev().map(|one| one.inverse())
}

/// The face and the layers of a letter.
fn letter(sign: char) -> Option<(u8, Layers)> {
    Some(match sign {
        'M' => (4, Layers::Slice),
        'E' => (3, Layers::Slice),
        'S' => (2, Layers::Slice),
        'x' => (1, Layers::All),
        'y' => (0, Layers::All),
        'z' => (2, Layers::All),
        _ => {
            let face =
                crate::geometry::FACES.iter().position(|face| face.eq_ignore_ascii_case(&sign))?;
            let layers = if sign.is_ascii_uppercase() { Layers::Face } else { Layers::Wide };
            (face as u8, layers)
        }
    })
}

/// Signs that turn a move round.
pub(crate) const PRIMES: [char; 4] = ['\'', '’', '′', '`'];

/// Parses a sequence. Blanks and commas between moves are optional, and comments after `//` are
/// ignored. `is_known` decides which moves are accepted, and `expected` names them in errors.
///
/// # Errors
/// The first character that is not part of a move, or a move that is not accepted; brackets that do
/// not match or mean nothing; simultaneous moves that do not commute; too many moves.
pub(crate) fn read(
    text: &str,
    expected: &str,
    is_known: impl Fn(&Move) -> bool,
) -> Result<Vec<Move>, ParseError> {
    let mut signs = Vec::new();
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or_default();
        signs.extend(code.chars());
        signs.push('\n');
    }
    let mut reader = Reader { signs, expected, at: 0, made: 0, open: Vec::new() };
    let found = reader.read(is_known);
    found.map_err(|(at, why)| {
        let before = &reader.signs[..at.min(reader.signs.len())];
        let line = before.split(|&sign| sign == '\n').count();
        let column = before.iter().rev().take_while(|&&sign| sign != '\n').count() + 1;
        ParseError::at(line, column, why)
    })
}

/// Number of the sign at which a text is refused, and the reason.
type Refused = (usize, String);

fn refused<T>(at: usize, why: impl Into<String>) -> Result<T, Refused> {
    Err((at, why.into()))
}

/// Brackets that are open, or the whole text.
#[derive(Default)]
struct Group {
    /// The opening bracket and its position; `None` for the whole text.
    open: Option<(char, usize)>,
    /// The part before a comma or a colon of square brackets, with this sign.
    first: Option<(Vec<Move>, char)>,
    moves: Vec<Move>,
    /// Axes of the last moves that are simultaneous, one bit for each axis.
    last: Option<u8>,
    /// Position of a `+` that waits for its second move.
    plus: Option<usize>,
}

impl Group {
    /// Appends a move, or the moves that brackets make.
    fn add(&mut self, item: &[Move]) -> Result<(), Refused> {
        // Turns about an axis commute.
        let axes = item.iter().fold(0, |axes, one| axes | 1 << (one.face % 3));
        match (self.plus.take(), self.last) {
            (Some(plus), Some(before)) => {
                if (before | axes).count_ones() > 1 {
                    let why = "expected simultaneous moves that commute, such as R + L', on both \
                               sides of `+`";
                    return refused(plus, why);
                }
                self.last = Some(before | axes);
            }
            (Some(plus), None) => {
                return refused(plus, "expected a move before `+`, such as R + L'");
            }
            (None, _) => self.last = Some(axes),
        }
        self.moves.extend_from_slice(item);
        Ok(())
    }

    /// Refuses a `+` without a second move.
    fn closed(&self) -> Result<(), Refused> {
        match self.plus {
            Some(plus) => refused(plus, "expected a move behind `+`, such as R + L'"),
            None => Ok(()),
        }
    }
}

struct Reader<'t> {
    signs: Vec<char>,
    at: usize,
    expected: &'t str,
    /// Moves that brackets have made.
    made: usize,
    open: Vec<Group>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.signs.get(self.at).copied()
    }

    fn read(&mut self, is_known: impl Fn(&Move) -> bool) -> Result<Vec<Move>, Refused> {
        let mut group = Group::default();
        while let Some(sign) = self.peek() {
            let place = self.at;
            match sign {
                '(' | '[' if self.open.len() >= DEEPEST => {
                    let why = format!("expected at most {DEEPEST} brackets within each other");
                    return refused(place, why);
                }
                '(' | '[' => {
                    let inner = Group { open: Some((sign, place)), ..Group::default() };
                    self.open.push(std::mem::replace(&mut group, inner));
                    self.at += 1;
                }
                ')' | ']' => {
                    self.at += 1;
                    let moves = self.close(group, sign, place)?;
                    // An opening bracket has put the outer group there.
                    group = self.open.pop().unwrap_or_default();
                    group.add(&moves)?;
                }
                '+' => {
                    group.closed()?;
                    group.plus = Some(place);
                    self.at += 1;
                }
                ',' | ':' if group.open.is_some_and(|(open, _)| open == '[') => {
                    group.closed()?;
                    if let Some((_, other)) = group.first {
                        let why = format!(
                            "expected one `,` or `:` in square brackets, found `{sign}` behind \
                             `{other}`: write the inner ones with brackets of their own, such as \
                             [A: [B, C]]"
                        );
                        return refused(place, why);
                    }
                    group.first = Some((std::mem::take(&mut group.moves), sign));
                    group.last = None;
                    self.at += 1;
                }
                ':' => {
                    let why = "expected square brackets around a conjugate, such as [R: U], or an \
                               id that is no sequence of moves before `:`";
                    return refused(place, why);
                }
                _ if sign.is_whitespace() || sign == ',' => self.at += 1,
                _ => {
                    let one = self.one(&is_known)?;
                    group.add(&[one])?;
                }
            }
        }
        group.closed()?;
        if let Some((open, place)) = group.open {
            let close = if open == '(' { ')' } else { ']' };
            return refused(place, format!("expected a `{close}` for this `{open}`"));
        }
        Ok(group.moves)
    }

    /// The moves of a group that a bracket closes, with the repetition behind the bracket.
    fn close(&mut self, group: Group, sign: char, at: usize) -> Result<Vec<Move>, Refused> {
        group.closed()?;
        let Some((open, place)) = group.open else {
            return refused(at, format!("expected an opening bracket for this `{sign}`"));
        };
        if (open == '(') != (sign == ')') {
            let close = if open == '(' { ')' } else { ']' };
            return refused(at, format!("expected `{close}`, found `{sign}`"));
        }
        let Group { first, moves, .. } = group;
        let moves = match first {
            None if open == '(' => moves,
            None => {
                let why = "expected `,` or `:` in square brackets: a commutator [A, B] or a \
                           conjugate [A: B]; write x, y and z for rotations of the whole cube, and \
                           round brackets around other moves";
                return refused(place, why);
            }
            Some((first, link)) => {
                if first.is_empty() || moves.is_empty() {
                    let why = format!("expected moves on both sides of `{link}`");
                    return refused(place, why);
                }
                self.make(2 * (first.len() + moves.len()), place)?;
                let back: Vec<Move> = inverse(&first).collect();
                let mut all = first;
                all.extend_from_slice(&moves);
                all.extend(back);
                if link == ',' {
                    all.extend(inverse(&moves));
                }
                all
            }
        };
        let (count, turns_round) = self.repetition(at)?;
        self.make(moves.len().saturating_mul(count), place)?;
        let once = if turns_round { inverse(&moves).collect() } else { moves };
        Ok(once.repeat(count))
    }

    /// Counts moves that brackets make.
    fn make(&mut self, count: usize, at: usize) -> Result<(), Refused> {
        self.made = self.made.saturating_add(count);
        if self.made > MOST {
            return refused(at, format!("expected brackets that make at most {MOST} moves"));
        }
        Ok(())
    }

    /// Reads a number of repetitions and a sign of inversion behind a closing bracket.
    fn repetition(&mut self, at: usize) -> Result<(usize, bool), Refused> {
        let has_sign = matches!(self.peek(), Some('^' | '*' | '×'));
        self.at += usize::from(has_sign);
        // `(A B) x3`: repetitions, or a rotation about the axis of R.
        let next = self.signs[self.at..].iter().take_while(|sign| sign.is_whitespace()).count();
        let digit = |offset: usize| -> Option<char> {
            let sign = *self.signs.get(self.at + offset)?;
            sign.is_ascii_digit().then_some(sign)
        };
        let is_x = self.signs.get(self.at + next).is_some_and(|&sign| sign == 'x');
        if !has_sign && is_x && digit(next + 1).is_some() {
            let many = digit(next + 2).is_some() || digit(next + 1) > Some('3');
            if !many {
                let found = digit(next + 1).unwrap_or_default();
                let why = format!(
                    "`x{found}` behind a bracket is a repetition or a rotation of the cube: write \
                     `(A B){found}` or `(A B) (x{found})`"
                );
                return refused(self.at + next, why);
            }
            self.at += next + 1;
        }
        let mut digits = String::new();
        let mut turns_round = false;
        while let Some(sign) = self.peek() {
            if sign.is_ascii_digit() && digits.len() < 8 && !turns_round {
                digits.push(sign);
            } else if PRIMES.contains(&sign) && !turns_round {
                turns_round = true;
            } else {
                break;
            }
            self.at += 1;
        }
        let count = if digits.is_empty() && !has_sign { Some(1) } else { digits.parse().ok() };
        match count.filter(|&count| count > 0) {
            Some(count) => Ok((count, turns_round)),
            None => refused(at, "expected a number of repetitions, such as (R U)3"),
        }
    }

    /// Reads a move.
    fn one(&mut self, is_known: impl Fn(&Move) -> bool) -> Result<Move, Refused> {
        let start = self.at;
        let refused = |end: usize| -> Result<Move, Refused> {
            let found: String = self.signs[start..end].iter().collect();
            let found = found.replace(char::is_control, "\u{fffd}");
            let expected = self.expected;
            refused(start, format!("expected {expected}, found `{found}`"))
        };
        let Some((face, mut layers)) = letter(self.signs[start]) else {
            let end = self.signs[start..].iter().position(|sign| sign.is_whitespace());
            return refused(end.map_or(self.signs.len(), |end| start + end).min(start + 12));
        };
        let (mut at, mut digit, mut turns_round) = (start + 1, None, false);
        while let Some(&sign) = self.signs.get(at) {
            match sign {
                'w' if at == start + 1 && layers == Layers::Face => layers = Layers::Wide,
                '1'..='3' if digit.is_none() => digit = Some(sign as u8 - b'0'),
                _ if PRIMES.contains(&sign) && !turns_round => turns_round = true,
                _ => break,
            }
            at += 1;
        }
        let quarters = digit.unwrap_or(1);
        let one =
            Move { face, layers, quarters: if turns_round { 4 - quarters } else { quarters } };
        // A further digit or a second prime has no meaning.
        let next = self.signs.get(at).copied();
        let goes_on = next.is_some_and(|sign| sign.is_ascii_digit() || PRIMES.contains(&sign));
        if !is_known(&one) || goes_on {
            return refused((at + usize::from(goes_on)).max(start + 1));
        }
        self.at = at;
        Ok(one)
    }
}

const _: () = assert!(STICKERS == 54);

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<Move>, String> {
        read(text, "a move", |_| true).map_err(|error| error.to_string())
    }

    #[test]
    fn brackets_make_the_moves_that_they_mean() {
        for (short, long) in [
            ("[R, U]", "R U R' U'"),
            ("[R: U]", "R U R'"),
            ("[R U': [F, D2]] L", "R U' F D2 F' D2 U R' L"),
            ("(R U)3", "R U R U R U"),
            ("(R U)^2 (R U)*2 (R U)×2", "(R U)6"),
            ("(R U)x6", "(R U) (R U)5"),
            ("(R U')'", "U R'"),
            ("[R, U]2'", "U R U' R' U R U' R'"),
            ("((R U)2 F)2", "R U R U F R U R U F"),
            ("[R+L', U]", "R L' U L R' U'"),
            ("R + L + M U", "R L M U"),
            ("R, U, F", "R U F"),
            ("U1 R3 F2 D1", "U R' F2 D"),
            ("U2' R'2 F1' D3'", "U2 R2 F' D"),
            ("(R U) (x2) ()", "R U x2"),
            ("R // [comment\nU", "R U"),
        ] {
            let (short, long) = (all(short).unwrap(), all(long).unwrap());
            assert_eq!(map(&short), map(&long));
        }
        assert_eq!(all("[R, U]2").unwrap().len(), 8);
    }

    #[test]
    fn brackets_without_a_meaning_are_refused() {
        for (text, message) in [
            ("(R U", "line 1, column 1: expected a `)` for this `(`"),
            ("R U]", "line 1, column 4: expected an opening bracket for this `]`"),
            ("[R, U)", "line 1, column 6: expected `]`, found `)`"),
            ("F\n [R U]", "line 2, column 2: expected `,` or `:` in square brackets"),
            ("[R: U, F]", "line 1, column 6: expected one `,` or `:` in square brackets"),
            ("[, R]", "line 1, column 1: expected moves on both sides of `,`"),
            ("R: U", "line 1, column 2: expected square brackets around a conjugate"),
            ("(R: U)", "line 1, column 3: expected square brackets around a conjugate"),
            ("R + U", "line 1, column 3: expected simultaneous moves that commute"),
            ("R +", "line 1, column 3: expected a move behind `+`"),
            ("+ R", "line 1, column 1: expected a move before `+`"),
            ("(R U)x3", "line 1, column 6: `x3` behind a bracket is a repetition or a rotation"),
            ("(R U) x2", "line 1, column 7: `x2` behind a bracket is a repetition or a rotation"),
            ("(R U)0", "line 1, column 5: expected a number of repetitions"),
            ("(R U)^", "line 1, column 5: expected a number of repetitions"),
            ("R4", "line 1, column 1: expected a move, found `R4`"),
            ("R22", "line 1, column 1: expected a move, found `R22`"),
            ("R''", "line 1, column 1: expected a move, found `R''`"),
            ("((R U)1000)1000", "line 1, column 1: expected brackets that make at most 1000000"),
            ("(R)99999999", "line 1, column 1: expected brackets that make at most 1000000"),
        ] {
            let error = all(text).unwrap_err();
            assert!(error.starts_with(message), "{text}: {error}");
        }
        let deep = "(".repeat(100_000);
        assert!(all(&deep).is_err());
        let nested = format!("{}R U{}", "[R: ".repeat(30), "]".repeat(30));
        assert!(all(&nested).is_ok());
        let exploding = format!("{}R{}", "[U, ".repeat(60), "]".repeat(60));
        assert!(all(&exploding).unwrap_err().contains("at most 1000000 moves"));
    }
}
