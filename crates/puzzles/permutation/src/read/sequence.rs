//! Sequences of moves as people write them.
//!
//! Blanks or dots separate the moves. `U2` or `U^2` is the second power of `U`; `U'`, `-U` or
//! `U^-1` is its inverse; `U2'` is both. `(R U)3` is a repetition, `[A, B]` the commutator
//! `A B A' B'`, `[A: B]` the conjugate `A B A'`; a number and `'` may follow each bracket. The name
//! of a move has precedence over a power: `r12` is the move `r12` if a puzzle has it, otherwise the
//! power 12 of `r`.

use super::{Fault, excerpt, fault};
use unriddle_core::ParseError;

/// Most steps of a sequence.
pub const MOST_STEPS: usize = 10_000;

/// Greatest power of a step.
const MOST_EXPONENT: i32 = 1_000_000;

/// Deepest nesting of brackets.
const DEPTH: usize = 32;

/// Step of a sequence: a power of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Name of the move.
    pub name: String,
    /// The power; negative for the inverse.
    pub exponent: i32,
}

/// Steps of a sequence of moves; `is_name` returns whether a puzzle has a move of that name.
///
/// # Errors
/// The position of an unknown move, of a bracket without its counterpart, or of a part that makes
/// the sequence longer than [`MOST_STEPS`].
pub fn parse(text: &str, is_name: &dyn Fn(&str) -> bool) -> Result<Vec<Step>, ParseError> {
    steps(text, is_name).map_err(|fault| fault.locate(text))
}

/// Steps of a sequence of moves; an error has its byte within `text`.
pub(super) fn steps(text: &str, is_name: &dyn Fn(&str) -> bool) -> Result<Vec<Step>, Fault> {
    let mut scanner = Scanner { text, at: 0, is_name };
    let steps = scanner.sequence(0)?;
    match scanner.peek() {
        None => Ok(steps),
        Some(sign) => fault(scanner.at, format!("expected a move, found `{sign}`")),
    }
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    is_name: &'t dyn Fn(&str) -> bool,
}

fn is_separator(sign: char) -> bool {
    sign.is_whitespace() || sign == '.'
}

fn is_bracket(sign: char) -> bool {
    "()[],:".contains(sign)
}

fn is_prime(sign: char) -> bool {
    matches!(sign, '\'' | '’' | '′')
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&mut self) -> Option<char> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(is_separator).len();
        self.rest().chars().next()
    }

    /// The steps before the end of the text or a bracket that closes.
    fn sequence(&mut self, depth: usize) -> Result<Vec<Step>, Fault> {
        let mut steps: Vec<Step> = Vec::new();
        while let Some(sign) = self.peek() {
            let at = self.at;
            let word = self.rest().split(char::is_whitespace).next().unwrap_or_default();
            if (self.is_name)(word) {
                self.at += word.len();
                steps.push(Step { name: word.to_owned(), exponent: 1 });
            } else {
                match sign {
                    '(' => steps.extend(self.group(depth)?),
                    '[' => steps.extend(self.pair(depth)?),
                    ')' | ']' | ',' | ':' => break,
                    _ => steps.push(self.step()?),
                }
            }
            if steps.len() > MOST_STEPS {
                return fault(at, format!("expected at most {MOST_STEPS} moves in a sequence"));
            }
        }
        Ok(steps)
    }

    /// The sequence after the bracket that is next.
    fn inner(&mut self, depth: usize) -> Result<Vec<Step>, Fault> {
        if depth == DEPTH {
            return fault(self.at, format!("expected at most {DEPTH} brackets within each other"));
        }
        self.at += 1;
        self.sequence(depth + 1)
    }

    fn closing(&mut self, open: usize, end: char) -> Result<(), Fault> {
        match self.peek() {
            Some(sign) if sign == end => {
                self.at += 1;
                Ok(())
            }
            Some(sign) => fault(self.at, format!("expected `{end}`, found `{sign}`")),
            None => fault(open, format!("expected `{end}` after this bracket, found none")),
        }
    }

    fn group(&mut self, depth: usize) -> Result<Vec<Step>, Fault> {
        let open = self.at;
        let inner = self.inner(depth)?;
        self.closing(open, ')')?;
        self.repeated(&inner)
    }

    fn pair(&mut self, depth: usize) -> Result<Vec<Step>, Fault> {
        let open = self.at;
        let first = self.inner(depth)?;
        let between = self.peek();
        if !matches!(between, Some(',' | ':')) {
            return fault(self.at, "expected `,` or `:` between the two parts in brackets");
        }
        let second = self.inner(depth)?;
        self.closing(open, ']')?;
        let mut steps = [&first[..], &second, &inverse(&first)].concat();
        if between == Some(',') {
            steps.extend(inverse(&second));
        }
        self.repeated(&steps)
    }

    /// The steps, as many times as the number and the sign after a bracket determine.
    fn repeated(&mut self, steps: &[Step]) -> Result<Vec<Step>, Fault> {
        let (at, rest) = (self.at, self.rest());
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (digits, after) = rest.split_at(digits);
        let count = exponent(at, digits)? as usize;
        self.at += digits.len();
        let prime = after.chars().next().filter(|&sign| is_prime(sign));
        self.at += prime.map_or(0, char::len_utf8);
        let length = steps.len().saturating_mul(count);
        if length > MOST_STEPS {
            return fault(at, format!("expected at most {MOST_STEPS} moves in a sequence"));
        }
        let steps: Vec<_> = steps.iter().cycle().take(length).cloned().collect();
        Ok(if prime.is_some() { inverse(&steps) } else { steps })
    }

    /// The move that is next, with its power.
    fn step(&mut self) -> Result<Step, Fault> {
        let (at, rest) = (self.at, self.rest());
        let end = rest.find(|sign| is_separator(sign) || is_bracket(sign)).unwrap_or(rest.len());
        let word = &rest[..end];
        self.at += word.len();
        for (body, sign) in [(Some(word), 1), (word.strip_prefix('-'), -1)] {
            let Some(body) = body else { continue };
            let base = body.strip_suffix(is_prime).unwrap_or(body);
            let sign_of_base = if base.len() < body.len() { -sign } else { sign };
            let name = base.trim_end_matches(|c: char| c.is_ascii_digit());
            let digits = &base[name.len()..];
            let (name, sign_of_name) = match name.strip_suffix("^-") {
                _ if digits.is_empty() => (name, sign_of_base),
                Some(name) => (name, -sign_of_base),
                None => (name.strip_suffix('^').unwrap_or(name), sign_of_base),
            };
            let found = |name: &str, exponent| Ok(Step { name: name.to_owned(), exponent });
            if (self.is_name)(body) {
                return found(body, sign);
            }
            if (self.is_name)(base) {
                return found(base, sign_of_base);
            }
            if (self.is_name)(name) {
                return found(name, sign_of_name * exponent(at + word.len() - body.len(), digits)?);
            }
        }
        fault(at, format!("expected a move of the puzzle, found `{}`", excerpt(word)))
    }
}

/// The number that digits represent; 1 without digits.
fn exponent(at: usize, digits: &str) -> Result<i32, Fault> {
    if digits.is_empty() {
        return Ok(1);
    }
    match digits.parse().ok().filter(|&exponent| exponent <= MOST_EXPONENT) {
        Some(exponent) => Ok(exponent),
        None => fault(
            at,
            format!("expected a multiple of at most {MOST_EXPONENT}, found {}", excerpt(digits)),
        ),
    }
}

fn inverse(steps: &[Step]) -> Vec<Step> {
    let undo = |step: &Step| Step { name: step.name.clone(), exponent: -step.exponent };
    steps.iter().rev().map(undo).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Result<String, String> {
        let is_name = |name: &str| ["R", "U", "U'", "r12", "r", "f0", "2L", "a.b"].contains(&name);
        let steps = parse(text, &is_name).map_err(|error| error.to_string())?;
        let word = |step: &Step| format!("{}{:+}", step.name, step.exponent);
        Ok(steps.iter().map(word).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn powers_and_inverses_are_read() {
        for (text, expected) in [
            ("", ""),
            ("R U' R'", "R+1 U'+1 R-1"),
            ("R.U.-f0", "R+1 U+1 f0-1"),
            ("R2' U3 R’", "R-2 U+3 R-1"),
            ("r12 r13 2L2 -R2'", "r12+1 r+13 2L+2 R+2"),
            ("U'' a.b R0", "U'-1 a.b+1 R+0"),
            ("R^2 U^-1 R^-3' r12^2", "R+2 U-1 R+3 r12+2"),
        ] {
            assert_eq!(written(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn brackets_are_expanded() {
        for (text, expected) in [
            ("(R U)2", "R+1 U+1 R+1 U+1"),
            ("(R U2)'", "U-2 R-1"),
            ("(R U)2'", "U-1 R-1 U-1 R-1"),
            ("[R: U]", "R+1 U+1 R-1"),
            ("[R2, U r]", "R+2 U+1 r+1 R-2 r-1 U-1"),
            ("[R: [U, r]]'f0", "R+1 r+1 U+1 r-1 U-1 R-1 f0+1"),
            ("(R)0()", ""),
        ] {
            assert_eq!(written(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn invalid_sequences_are_rejected_with_their_positions() {
        for (text, expected) in [
            ("R^", "line 1, column 1: expected a move of the puzzle, found `R^`"),
            ("R X", "line 1, column 3: expected a move of the puzzle, found `X`"),
            ("R\n(U", "line 2, column 1: expected `)` after this bracket, found none"),
            ("R )", "line 1, column 3: expected a move, found `)`"),
            ("[R U]", "line 1, column 5: expected `,` or `:` between the two parts in brackets"),
            ("[R, U)", "line 1, column 6: expected `]`, found `)`"),
            ("R9999999", "line 1, column 1: expected a multiple of at most 1000000, found 9999999"),
            ("((R U)5000)2", "line 1, column 12: expected at most 10000 moves in a sequence"),
        ] {
            assert_eq!(written(text), Err(expected.to_owned()), "{text}");
        }
        assert!(written(&"[R,".repeat(1000)).is_err());
        assert!(written(&format!("{}R{}", "[R,".repeat(30), "]".repeat(30))).is_err());
    }
}
