//! Reader of `.tws` files of twsearch and `.ksolve` files.
//!
//! Lines consist of words; a line that begins with `#` is a comment. In `Solved` and `Move` blocks
//! pieces and slots count from 1, and the orientations of a move belong to the pieces: the piece
//! that arrives at slot i turns by the orientation at its old slot. In `StartState` and
//! `MoveTransformation` blocks pieces and slots count from 0, and the orientations of a move
//! belong to the slots at which pieces arrive. `?` in a solved state allows any piece or
//! orientation.
//!
//! Powers and inverses of moves are moves. Rotations of the whole puzzle, such as `x` and `Uv`, are
//! not: they may occur in sequences only.

use super::{
    Fault, excerpt, fault,
    moves::{Derived, Moves, primed},
    pieces::{Motion, Orbit, Piece, Pieces, declare},
    states::{Word, number, split},
};
use crate::definition::{Closure, Definition, Invalid, MOST_POSITIONS};

/// Reads a file of twsearch or ksolve.
pub(super) fn read(text: &str) -> Result<Definition, Fault> {
    let mut lines = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let mut words = split(line, at, char::is_whitespace);
        words.retain(|word| !word.text.is_empty());
        if words.first().is_some_and(|word| !word.text.starts_with('#')) {
            lines.push(words);
        }
        at += line.len();
    }
    let mut reader = Reader { lines: lines.into_iter(), end: text.len(), ..Reader::default() };
    while let Some(line) = reader.lines.next() {
        reader.command(&line)?;
    }
    reader.finish()
}

type Line = Vec<Word>;

/// Lines of a block for a set: the numbers and the orientations of its pieces.
#[derive(Default)]
struct Rows {
    numbers: Option<Line>,
    orientations: Option<Line>,
}

#[derive(Default)]
struct Reader {
    lines: std::vec::IntoIter<Line>,
    /// The byte after the text.
    end: usize,
    name: String,
    sets: Vec<Orbit>,
    /// The positions, after the solved state.
    body: Option<Body>,
}

struct Body {
    pieces: Pieces,
    /// Number of the first piece of the solved state: 0 or 1.
    first: usize,
    moves: Moves,
    derived: Vec<Derived>,
    illegal: Vec<(u16, u8)>,
}

fn expect(line: &[Word], count: usize, form: &str) -> Result<(), Fault> {
    match line.len() == count {
        true => Ok(()),
        false => fault(line[0].at, format!("expected `{form}`, found {} words", line.len())),
    }
}

fn read_number(word: &Word, what: &str, least: usize, most: usize) -> Result<usize, Fault> {
    match number(&word.text, least, most) {
        Some(number) => Ok(number),
        None => {
            let found = excerpt(&word.text);
            fault(word.at, format!("expected {what} from {least} to {most}, found `{found}`"))
        }
    }
}

/// Whether a name is the name of a rotation of the whole puzzle, by the rule of twsearch.
fn is_rotation(name: &str) -> bool {
    let is_axis = |sign| matches!(sign, 'x' | 'y' | 'z');
    let letters = name.strip_suffix('v').unwrap_or_default();
    let is_letter = |sign: char| sign == '_' || sign.is_ascii_uppercase();
    let axis = name.strip_prefix(is_axis);
    axis.is_some_and(|rest| matches!(rest, "" | "2" | "'"))
        || !letters.is_empty() && letters.chars().all(is_letter)
}

impl Reader {
    fn command(&mut self, line: &[Word]) -> Result<(), Fault> {
        let at = line[0].at;
        match (&*line[0].text, &self.body) {
            ("Name", None) => {
                self.name = line[1..].iter().map(|word| &*word.text).collect::<Vec<_>>().join(" ");
                Ok(())
            }
            ("Set", None) => {
                expect(line, 4, "Set NAME PIECES ORIENTATIONS")?;
                let orbit = Orbit {
                    name: line[1].text.clone(),
                    pieces: read_number(&line[2], "a number of pieces", 1, MOST_POSITIONS)?,
                    orientations: read_number(
                        &line[3],
                        "a number of orientations",
                        1,
                        MOST_POSITIONS,
                    )?,
                };
                declare(&mut self.sets, line[1].at, orbit)
            }
            ("Solved", None) => self.solved(at, 1),
            ("StartState", None) => self.solved(at, 0),
            ("Name" | "Set" | "Solved" | "StartState", Some(_)) => {
                fault(at, format!("expected `{}` before the solved state only", line[0].text))
            }
            ("Move", Some(_)) => self.a_move(line, 1),
            ("MoveTransformation", Some(_)) => self.a_move(line, 0),
            ("MoveAlias", Some(_)) => {
                expect(line, 3, "MoveAlias NAME MOVE")?;
                self.derive(line, true)
            }
            ("MoveSequence", Some(_)) if line.len() < 3 => {
                fault(at, "expected `MoveSequence NAME MOVES`")
            }
            ("MoveSequence", Some(_)) => self.derive(line, is_rotation(&line[1].text)),
            ("Illegal", Some(_)) => self.illegal(line),
            // They only leave out sequences with the same effect as others.
            ("ForbiddenPairs" | "ParallelMoves", Some(_)) => self.skip(at),
            (
                "Move" | "MoveTransformation" | "MoveAlias" | "MoveSequence" | "Illegal"
                | "ForbiddenPairs" | "ParallelMoves",
                None,
            ) => fault(at, format!("expected `{}` after the solved state only", line[0].text)),
            (found, body) => {
                let known = match body {
                    None => "Name, Set, Solved or StartState",
                    Some(_) => "Move, MoveTransformation, MoveAlias, MoveSequence or Illegal",
                };
                fault(at, format!("expected {known}, found `{}`", excerpt(found)))
            }
        }
    }

    fn skip(&mut self, at: usize) -> Result<(), Fault> {
        match self.lines.find(|line| line[0].text == "End") {
            Some(_) => Ok(()),
            None => fault(at, "expected `End` after this block, found the end of the file"),
        }
    }

    /// The lines of each set, up to `End`; `at` is the byte of the beginning of the block.
    fn block(&mut self, at: usize) -> Result<Vec<Rows>, Fault> {
        let mut rows: Vec<Rows> = self.sets.iter().map(|_| Rows::default()).collect();
        let mut current: Option<usize> = None;
        loop {
            let Some(line) = self.lines.next() else {
                return fault(at, "expected `End` after this block, found the end of the file");
            };
            let first = &line[0];
            let is_number =
                first.text == "?" || first.text.starts_with(|c: char| c.is_ascii_digit());
            let set = current.and_then(|set| Some((set, rows.get_mut(set)?)));
            match set {
                Some((_, Rows { numbers: None, .. })) if !is_number => {
                    return fault(first.at, "expected a line of numbers, found none");
                }
                _ if first.text == "End" => return Ok(rows),
                Some((set, rows)) if is_number => {
                    let count = self.sets[set].pieces;
                    if line.len() != count {
                        let found = line.len();
                        return fault(first.at, format!("expected {count} numbers, found {found}"));
                    }
                    match rows {
                        Rows { numbers: numbers @ None, .. } => *numbers = Some(line),
                        Rows { orientations: turns @ None, .. } => *turns = Some(line),
                        _ => return fault(first.at, "expected at most two lines of numbers"),
                    }
                }
                _ => {
                    let set = self.sets.iter().position(|set| set.name == first.text);
                    let is_new = |set: &usize| rows[*set].numbers.is_none();
                    let Some(set) = set.filter(is_new).filter(|_| line.len() == 1) else {
                        let found = excerpt(&first.text);
                        let why =
                            format!("expected `End` or the name of a further set, found `{found}`");
                        return fault(first.at, why);
                    };
                    current = Some(set);
                }
            }
        }
    }

    fn solved(&mut self, at: usize, first: usize) -> Result<(), Fault> {
        if self.sets.is_empty() {
            return fault(at, "expected a line with `Set` before the solved state");
        }
        let blocks = self.block(at)?;
        let mut solved = Vec::new();
        for (set, rows) in self.sets.iter().zip(blocks) {
            let mut pieces = Vec::new();
            for place in 0..set.pieces {
                let mut piece = Piece {
                    number: Some(place + first),
                    orientation: 0,
                    modulus: set.orientations,
                };
                if let Some(word) = rows.numbers.as_ref().map(|words| &words[place]) {
                    let is_any = word.text == "?";
                    let read = || read_number(word, "a piece", first, MOST_POSITIONS);
                    piece.number = if is_any { None } else { Some(read()?) };
                    piece.modulus = if is_any { 1 } else { set.orientations };
                }
                match rows.orientations.as_ref().map(|words| &words[place]) {
                    Some(word) if word.text == "?" => piece.modulus = 1,
                    Some(word) => {
                        let most = set.orientations - 1;
                        piece.orientation = read_number(word, "an orientation", 0, most)?;
                    }
                    None => {}
                }
                pieces.push(piece);
            }
            solved.push(pieces);
        }
        let pieces = Pieces::new(at, &self.sets, &solved)?;
        let moves = Moves::new(pieces.positions());
        self.body = Some(Body { pieces, first, moves, derived: Vec::new(), illegal: Vec::new() });
        Ok(())
    }

    /// A move whose slots count from `first`. The orientations belong to the pieces if it is 1.
    fn a_move(&mut self, line: &[Word], first: usize) -> Result<(), Fault> {
        expect(line, 2, &format!("{} NAME", line[0].text))?;
        let blocks = self.block(line[0].at)?;
        let mut motions = Vec::new();
        for (set, rows) in self.sets.iter().zip(blocks) {
            let Some(numbers) = rows.numbers else {
                motions.push(None);
                continue;
            };
            let at = numbers[0].at;
            let place = |word: &Word| {
                Ok(read_number(word, "a place", first, set.pieces - 1 + first)? - first)
            };
            let permutation: Vec<_> = numbers.iter().map(place).collect::<Result<_, _>>()?;
            let turn = |word: &Word| read_number(word, "an orientation", 0, set.orientations - 1);
            let turns: Vec<_> = match rows.orientations {
                Some(words) => words.iter().map(turn).collect::<Result<_, _>>()?,
                None => vec![0; set.pieces],
            };
            let delta = match first {
                1 => permutation.iter().map(|&from| turns[from]).collect(),
                _ => turns,
            };
            motions.push(Some(Motion::new(at, permutation, delta)?));
        }
        let Some(body) = &mut self.body else { return Ok(()) };
        let array = body.pieces.array(&motions);
        let Word { at, text } = &line[1];
        match is_rotation(text) {
            true => body.moves.word(*at, text, array),
            false => body.moves.push(*at, text, array),
        }
    }

    fn derive(&mut self, line: &[Word], is_word: bool) -> Result<(), Fault> {
        let Some(body) = &mut self.body else { return Ok(()) };
        // Spaces instead of other blanks keep the bytes of the words.
        let content = line[2].at;
        let mut sequence = String::new();
        for word in &line[2..] {
            sequence.push_str(&" ".repeat(word.at - content - sequence.len()));
            sequence.push_str(&word.text.replace(',', " "));
        }
        let (at, name) = (line[1].at, line[1].text.clone());
        body.derived.push(Derived { at, name, content, sequence, is_word });
        Ok(())
    }

    fn illegal(&mut self, line: &[Word]) -> Result<(), Fault> {
        if line.len() < 4 {
            return fault(line[0].at, "expected `Illegal SET PLACE PIECES`");
        }
        let Some(body) = &mut self.body else { return Ok(()) };
        let set = self.sets.iter().position(|set| set.name == line[1].text);
        let Some((set, orbit)) = set.and_then(|at| Some((at, self.sets.get(at)?))) else {
            let found = excerpt(&line[1].text);
            return fault(line[1].at, format!("expected the name of a set, found `{found}`"));
        };
        let place = read_number(&line[2], "a place", 1, orbit.pieces)? - 1;
        for word in &line[3..] {
            // Pieces count from 1 here, also after `StartState`.
            let number = read_number(word, "a piece", 1, MOST_POSITIONS + 1)? - 1 + body.first;
            match body.pieces.forbidden(set, place, number) {
                Some(pairs) if pairs.iter().any(|&pair| body.pieces.solves(pair)) => {
                    let why = "expected a piece that the solved state has elsewhere, found";
                    return fault(word.at, format!("{why} {}", word.text));
                }
                Some(pairs) => body.illegal.extend(pairs),
                None => {
                    return fault(
                        word.at,
                        format!("expected a piece of `{}`, found {}", orbit.name, word.text),
                    );
                }
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Definition, Fault> {
        let Some(mut body) = self.body else {
            let why = "expected a solved state after `Solved` or `StartState`, found none";
            return fault(self.end, why);
        };
        body.moves.derive(body.derived, true)?;
        let mut definition =
            Definition { name: self.name, illegal: body.illegal, ..Definition::default() };
        body.pieces.set_goal(&mut definition);
        body.moves
            .close(&mut definition, Closure { inverses: true, powers: true }, primed)
            .or_else(|Invalid(why)| fault(self.end, why))?;
        Ok(definition)
    }
}

#[cfg(test)]
mod tests;
