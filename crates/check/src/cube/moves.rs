//! Moves of a cube, and the turns of faces that they come to.
//!
//! A move is a letter with at most one digit from 1 to 3, its number of quarter turns, and at most
//! one `'`, which reverses the move. Blanks between moves may be left out, and so may commas.
//!
//! - `U R F D L B` turn a face.
//! - `Uw` or `u` turns a face with the layer behind it, and so for the other faces.
//! - `M E S` turn the layer between L and R as L, between U and D as D, between F and B as F.
//! - `x y z` turn the whole cube as R, U and F.
//!
//! A 2×2×2 has no layers between faces. `(A)3` is A three times and `(A)'` its inverse, `[A, B]` is
//! A B A' B', `[A: B]` is A B A', and A + B are two moves of one axis at once. Text behind `//` is
//! a comment.

/// A move: how many quarter turns each of the three layers along an axis makes, seen from the first
/// face of the axis. The first layer is next to that face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Move {
    /// The axis of U and D, of R and L, or of F and B.
    axis: usize,
    layers: [usize; 3],
}

impl Move {
    fn inverse(self) -> Self {
        Self { layers: self.layers.map(|quarters| (4 - quarters) % 4), ..self }
    }
}

/// Most moves that a text may mean.
const MOST: usize = 1_000_000;

/// Deepest brackets.
const DEEPEST: usize = 1_000;

/// The faces that turn, with their numbers of clockwise quarter turns. The faces are named by where
/// they are before the first move.
pub(super) fn turns(text: &str, size: usize) -> Result<Vec<(usize, usize)>, String> {
    let text: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect();
    let text = text.join("\n");
    let mut reader = Reader { signs: text.chars().collect(), at: 0, size, made: 0 };
    let moves = reader.sequence(0, true)?;
    if let Some(sign) = reader.signs.get(reader.at) {
        return Err(reader.refused(format!("`{}` closes or divides nothing", sign.escape_debug())));
    }
    let mut turns = Vec::new();
    // The face at each position.
    let mut faces = [0, 1, 2, 3, 4, 5];
    for one in moves {
        play(one, size, &mut faces, &mut turns);
    }
    Ok(turns)
}

/// Writes a move as turns against the layer that stays: the middle one, or the last one of a 2×2×2
/// that has the faces D, B and L.
fn play(one: Move, size: usize, faces: &mut [usize; 6], turns: &mut Vec<(usize, usize)>) {
    let [first, middle, last] = one.layers;
    let (here, there) = (faces[one.axis], faces[one.axis + 3]);
    let stays = match size {
        3 => middle,
        // The faces U, R and F of a 2×2×2 turn.
        _ if here < 3 => last,
        _ => first,
    };
    for (face, quarters) in [(here, first + 4 - stays), (there, 2 * 4 - last - (4 - stays))] {
        if quarters % 4 != 0 {
            turns.push((face, quarters % 4));
        }
    }
    // The part of the cube beside the layers turns the whole cube.
    for _ in 0..stays {
        let around = match one.axis {
            // Seen from U, clockwise: F to L, L to B, B to R, R to F.
            0 => [2, 4, 5, 1],
            // Seen from R: F to U, U to B, B to D, D to F.
            1 => [2, 0, 5, 3],
            // Seen from F: U to R, R to D, D to L, L to U.
            _ => [0, 1, 3, 4],
        };
        let before = *faces;
        for i in 0..4 {
            faces[around[(i + 1) % 4]] = before[around[i]];
        }
    }
}

struct Reader {
    signs: Vec<char>,
    at: usize,
    size: usize,
    /// Moves that brackets have made.
    made: usize,
}

fn is_prime(sign: char) -> bool {
    "'’′`".contains(sign)
}

impl Reader {
    /// An error at the current sign, counted from 1.
    fn refused(&self, why: impl std::fmt::Display) -> String {
        let before = &self.signs[..self.at.min(self.signs.len())];
        let line = before.split(|&sign| sign == '\n').count();
        let character = before.iter().rev().take_while(|&&sign| sign != '\n').count() + 1;
        match line {
            1 => format!("character {character}: {why}"),
            _ => format!("line {line}, character {character}: {why}"),
        }
    }

    fn next(&self) -> Option<char> {
        self.signs.get(self.at).copied()
    }

    fn skip(&mut self) {
        while self.next().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Moves up to a sign that belongs to no move; with `commas` between them or without.
    fn sequence(&mut self, depth: usize, commas: bool) -> Result<Vec<Move>, String> {
        if depth > DEEPEST {
            return Err(self.refused("the brackets are nested too deeply"));
        }
        let mut moves: Vec<Move> = Vec::new();
        // Where moves at the same time begin, and whether a `+` waits for another one.
        let (mut last, mut plus) = (None, false);
        loop {
            self.skip();
            let item = match self.next() {
                Some('+') if !plus && last.is_some() => {
                    plus = true;
                    self.at += 1;
                    continue;
                }
                Some(',') if commas => {
                    self.at += 1;
                    continue;
                }
                Some('(' | '[') => self.group(depth)?,
                Some(sign) if !")],:+".contains(sign) => vec![self.one()?],
                _ if plus => return Err(self.refused("`+` has no second move")),
                _ => return Ok(moves),
            };
            match last.filter(|_| plus) {
                None => last = Some(moves.len()),
                Some(from) => {
                    let axis = moves[from..].iter().chain(&item).map(|one| one.axis);
                    let axes: std::collections::BTreeSet<usize> = axis.collect();
                    if axes.len() > 1 {
                        return Err(self.refused("the moves beside `+` are not of one axis"));
                    }
                    plus = false;
                }
            }
            moves.extend(item);
        }
    }

    fn count(&mut self, number: usize) -> Result<(), String> {
        self.made = self.made.saturating_add(number);
        if self.made > MOST {
            return Err(self.refused(format!("the brackets make more than {MOST} moves")));
        }
        Ok(())
    }

    /// Moves in brackets, with the repetition behind them.
    fn group(&mut self, depth: usize) -> Result<Vec<Move>, String> {
        let is_round = self.next() == Some('(');
        let close = if is_round { ')' } else { ']' };
        self.at += 1;
        let mut moves = self.sequence(depth + 1, is_round)?;
        if !is_round {
            let link = self.next();
            if !matches!(link, Some(',' | ':')) {
                return Err(self.refused("expected `,` or `:` in square brackets"));
            }
            self.at += 1;
            let inner = self.sequence(depth + 1, false)?;
            if moves.is_empty() || inner.is_empty() {
                return Err(self.refused("expected moves on both sides of `,` and `:`"));
            }
            self.count(2 * (moves.len() + inner.len()))?;
            let back = |moves: &[Move]| -> Vec<Move> {
                moves.iter().rev().map(|one| one.inverse()).collect()
            };
            let end = if link == Some(',') { back(&inner) } else { Vec::new() };
            moves = [moves.clone(), inner, back(&moves), end].concat();
        }
        if self.next() != Some(close) {
            return Err(self.refused(format!("expected `{close}`")));
        }
        self.at += 1;
        self.repeated(moves)
    }

    fn repeated(&mut self, moves: Vec<Move>) -> Result<Vec<Move>, String> {
        let begin = self.at;
        let mut has_sign = self.next().is_some_and(|sign| "^*×".contains(sign));
        self.at += usize::from(has_sign);
        if !has_sign {
            // `x3` may be a rotation.
            self.skip();
            let digits = self.signs[self.at..].iter().skip(1);
            let digits: String = digits.take_while(|sign| sign.is_ascii_digit()).collect();
            match (self.next(), digits.as_str()) {
                (Some('x'), "0" | "1" | "2" | "3") => {
                    return Err(self.refused("a repetition, or a rotation of the cube"));
                }
                (Some('x'), _) if !digits.is_empty() => {
                    has_sign = true;
                    self.at += 1;
                }
                _ => self.at = begin,
            }
        }
        let from = self.at;
        while self.next().is_some_and(|sign| sign.is_ascii_digit()) {
            self.at += 1;
        }
        let digits: String = self.signs[from..self.at].iter().collect();
        let number = match digits.as_str() {
            "" if !has_sign => 1,
            _ => match digits.parse() {
                Ok(number) if number > 0 && digits.len() <= 8 => number,
                _ => return Err(self.refused("expected a number of repetitions")),
            },
        };
        let is_back = self.next().is_some_and(is_prime);
        self.at += usize::from(is_back);
        self.count(moves.len().saturating_mul(number))?;
        let once: Vec<Move> = match is_back {
            true => moves.iter().rev().map(|one| one.inverse()).collect(),
            false => moves,
        };
        Ok(once.repeat(number))
    }

    /// A single move.
    fn one(&mut self) -> Result<Move, String> {
        let begin = self.at;
        let letter = self.next().unwrap_or(' ');
        self.at += 1;
        let is_wide = "URFDLB".contains(letter) && self.next() == Some('w');
        self.at += usize::from(is_wide);
        let (mut digit, mut is_back) = (None, false);
        while let Some(sign) = self.next() {
            match sign.to_digit(10) {
                Some(number @ 1..=3) if digit.is_none() => digit = Some(number as usize),
                None if is_prime(sign) && !is_back => is_back = true,
                None if !is_prime(sign) => break,
                _ => {
                    let found: String = self.signs[begin..=self.at].iter().collect();
                    self.at = begin;
                    return Err(self.refused(format!("`{found}` is no move")));
                }
            }
            self.at += 1;
        }
        let quarters = digit.unwrap_or(1);
        let quarters = if is_back { 4 - quarters } else { quarters };
        let back = 4 - quarters;
        let (axis, layers) = match (letter, is_wide) {
            ('U', false) => (0, [quarters, 0, 0]),
            ('R', false) => (1, [quarters, 0, 0]),
            ('F', false) => (2, [quarters, 0, 0]),
            ('D', false) => (0, [0, 0, back]),
            ('L', false) => (1, [0, 0, back]),
            ('B', false) => (2, [0, 0, back]),
            ('U', true) | ('u', _) => (0, [quarters, quarters, 0]),
            ('R', true) | ('r', _) => (1, [quarters, quarters, 0]),
            ('F', true) | ('f', _) => (2, [quarters, quarters, 0]),
            ('D', true) | ('d', _) => (0, [0, back, back]),
            ('L', true) | ('l', _) => (1, [0, back, back]),
            ('B', true) | ('b', _) => (2, [0, back, back]),
            ('E', _) => (0, [0, back, 0]),
            ('M', _) => (1, [0, back, 0]),
            ('S', _) => (2, [0, quarters, 0]),
            ('y', _) => (0, [quarters; 3]),
            ('x', _) => (1, [quarters; 3]),
            ('z', _) => (2, [quarters; 3]),
            _ => {
                self.at = begin;
                let shown = letter.escape_debug();
                return Err(self.refused(format!("`{shown}` is no move; a turn is R, R' or R2")));
            }
        };
        let is_inner = layers != [quarters; 3] && layers[1] != 0;
        if self.size == 2 && is_inner {
            self.at = begin;
            return Err(self.refused(format!("a 2×2×2 has no move `{letter}`")));
        }
        Ok(Move { axis, layers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_turns_of_faces() {
        let turns = |text: &str, size| -> Result<String, String> {
            let words = turns(text, size)?.into_iter().map(|(face, quarters)| {
                let face = crate::cube::FACES[face];
                format!("{face}{}", ["", "2", "'"][quarters - 1])
            });
            Ok(words.collect::<Vec<_>>().join(" "))
        };
        for (text, size, found) in [
            ("R U2' F3 D1' L'2", 3, "R U2 F' D' L2"),
            ("x U", 3, "F"),
            ("y R z U", 3, "B F"),
            ("Rw U", 3, "L F"),
            ("M U", 3, "R L' B"),
            ("x y z", 3, ""),
            ("[R, U] [R: U] (R U)2 (R U')'", 3, "R U R' U' R U R' R U R U U R'"),
            ("[R + L', U] // [", 3, "R L' U L R' U'"),
            ("D U", 2, "U U"),
            ("L F", 2, "R U"),
            ("(R,U)x4 (x2) R, U", 2, "R U R U R U R U R U"),
        ] {
            assert_eq!(turns(text, size).as_deref(), Ok(found), "{text}");
        }
        for text in [
            "R U Q",
            "R4",
            "R''",
            "R22",
            "[R U]",
            "[R, U",
            "(R",
            "R)",
            "R + U",
            "R +",
            "+ R",
            "R: U",
            "(R)0",
            "(R)^",
            "(R)x3",
            "(R) x2",
            "(R)99999999",
            "[R: U, F]",
            "(R: U)",
            "[r]",
        ] {
            assert!(turns(text, 3).is_err(), "{text}");
        }
        assert!(turns("R U // Q\n F Q", 3).unwrap_err().starts_with("line 2, character 4: `Q`"));
        assert!(turns("Rw", 2).is_err() && turns("M", 2).is_err());
        assert!(turns(&"(".repeat(100_000), 3).is_err());
    }
}
