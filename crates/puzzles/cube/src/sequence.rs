//! Sequences of moves in common notation: `R U2 F'`, wide moves (`Rw` or `r`), slices (`M E S`) and
//! rotations (`x y z`).

use crate::geometry::{Layers, Map, STICKERS, then, turn};
use unriddle_core::ParseError;

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    /// By number, 0 to 5.
    pub(crate) face: u8,
    pub(crate) layers: Layers,
    /// Clockwise quarter turns, 0 to 3.
    pub(crate) quarters: u8,
}

/// Permutation of stickers by all moves in sequence.
pub(crate) fn map(moves: &[Move]) -> Map {
    let nothing: Map = std::array::from_fn(|sticker| sticker as u8);
    moves.iter().fold(nothing, |map, one| {
        let once = turn(one.face.into(), one.layers);
        (0..one.quarters).fold(map, |map, _| then(&map, &once))
    })
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
const PRIMES: [char; 4] = ['\'', '’', '′', '`'];

/// Parses a sequence. Blanks between moves are optional; brackets and comments after `//` are
/// ignored. `is_known` decides which moves are accepted, and `expected` names them in errors.
///
/// # Errors
/// The first character that is not part of a move, or a move that is not accepted.
pub(crate) fn read(
    text: &str,
    expected: &str,
    is_known: impl Fn(&Move) -> bool,
) -> Result<Vec<Move>, ParseError> {
    let mut moves = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split("//").next().unwrap_or_default();
        let signs: Vec<char> = line.chars().collect();
        let mut at = 0;
        while at < signs.len() {
            let start = at;
            let sign = signs[at];
            at += 1;
            if sign.is_whitespace() || matches!(sign, '(' | ')' | '[' | ']' | ',') {
                continue;
            }
            let refused = |end: usize| {
                let found: String = signs[start..end].iter().collect();
                let found = found.escape_debug();
                ParseError::at(number, start + 1, format!("expected {expected}, found `{found}`"))
            };
            let Some((face, mut layers)) = letter(sign) else {
                let end = signs[start..].iter().position(|sign| sign.is_whitespace());
                return Err(refused(end.map_or(signs.len(), |end| start + end).min(start + 12)));
            };
            let mut quarters = 1;
            while let Some(&sign) = signs.get(at) {
                match sign {
                    'w' if layers == Layers::Face => layers = Layers::Wide,
                    '2' | '3' if quarters == 1 => quarters = sign as u8 - b'0',
                    _ if PRIMES.contains(&sign) => quarters = (4 - quarters) % 4,
                    _ => break,
                }
                at += 1;
            }
            let one = Move { face, layers, quarters };
            // A further digit has no meaning.
            if !is_known(&one) || signs.get(at).is_some_and(char::is_ascii_digit) {
                return Err(refused((at + 1).min(signs.len())));
            }
            moves.push(one);
        }
    }
    Ok(moves)
}

const _: () = assert!(STICKERS == 54);
