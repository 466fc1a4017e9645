//! Records of games from the Greek cross: MSR and Pentasol.
//!
//! MSR 0.1 is a JSON document with the `variant` (`5T` or `5D`) and the `moves`, each the new point
//! `x`, `y`, the direction `dir` (`H`, `V`, `DP` for `/`, `DN` for `\`) and `pos`, the number of
//! the new point along the line from its left or upper end. The cross has columns and rows 0 to 9.
//! The compact form is `MS1:` and the document, compressed (RFC 1951) and written in 64 signs (RFC
//! 4648, for addresses, without padding).
//!
//! A Pentasol text has a move on each line, `(27,25) - +2`: the column and the row of the new
//! point, the direction of the line, and the steps from the new point to the middle of the line.
//! The first line may be a reference point, `(28,28)`: the inner corner of the cross at the upper
//! left. Without a reference point the cross has columns and rows 1 to 10; texts of that kind count
//! the steps from the middle to the new point. Lines that begin with `#` are comments.
//!
//! References: MSR — Morpion Solitaire Record format, version 0.1 (morpion-solitaire.io); records
//! of C. Boyer, morpionsolitaire.com.

use crate::{Cell, LENGTH, Line, Morpion, Rule, SIDE, STEPS, State};
use flate2::read::DeflateDecoder;
use serde::Deserialize;
use serde_json::Value;
use std::io::Read as _;
use unriddle_catalog::input::{self, Piece};
use unriddle_core::{Notation as _, ParseError, Puzzle as _};

/// The Greek cross.
pub const GREEK_CROSS: &str = "...oooo...\n...o..o...\n...o..o...\noooo..oooo\no........o\n\
                               o........o\noooo..oooo\n...o..o...\n...o..o...\n...oooo...";

/// Columns and rows of the board that precede the cross.
const MARGIN: i64 = (SIDE as i64 - 10) / 2;

/// Column and row, within the cross, of its inner corner at the upper left.
const CORNER: i64 = 3;

/// The beginning of the compact form of MSR.
const COMPACT: &str = "MS1:";

/// Most bytes of a record.
const MOST: u64 = 1 << 20;

/// Codes of the directions, in the order of `STEPS`.
const CODES: [&str; STEPS.len()] = ["H", "V", "DN", "DP"];

/// Signs of the directions, in the same order.
const SIGNS: [char; STEPS.len()] = ['-', '|', '\\', '/'];

/// A move of a record: the new point within the cross's columns and rows, the direction, and the
/// number of the new point along the line.
#[derive(Clone, Copy)]
struct Move {
    point: (i64, i64),
    direction: usize,
    index: i64,
    /// Line and column in the text.
    place: (usize, usize),
}

/// An MSR document.
#[derive(Deserialize)]
struct Document {
    /// A text, or a number in old records.
    #[serde(default)]
    version: Value,
    variant: String,
    moves: Vec<Entry>,
}

/// A move of a document.
#[derive(Deserialize)]
struct Entry {
    x: i64,
    y: i64,
    dir: String,
    pos: i64,
}

/// The Greek cross.
pub(crate) fn cross(rule: Rule) -> Result<Morpion, ParseError> {
    Morpion::parse(GREEK_CROSS, rule)
}

/// The game of a text that is a record; `None` for another text.
pub(crate) fn read(text: &str, rule: Rule) -> Option<Result<Vec<Line>, ParseError>> {
    let start = text.trim_start();
    let before = &text[..text.len() - start.len()];
    let line = before.matches('\n').count() + 1;
    if start.starts_with('{') {
        return Some(document(start, line).and_then(|moves| msr(&moves, rule, line)));
    }
    if let Some(packed) = start.strip_prefix(COMPACT) {
        let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
        let at = |why: String| ParseError::at(line, column, why);
        let moves = unpacked(packed.trim()).map_err(at).and_then(|text| {
            // Lines and columns within the document mean nothing here.
            document(&text, 1).map_err(|error| at(format!("in the record: {}", error.message)))
        });
        return Some(moves.and_then(|moves| msr(&moves, rule, line)));
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !is_comment(line));
    lines.next()?.starts_with('(').then(|| pentasol(text, rule))
}

fn is_comment(line: &str) -> bool {
    line.is_empty() || line.starts_with('#')
}

/// Reads a document that begins on a line.
fn document(text: &str, line: usize) -> Result<Document, ParseError> {
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        let at = line + error.line().saturating_sub(1);
        ParseError::at(at, error.column().max(1), format!("expected an MSR record: {message}"))
    })
}

/// The text of a compact record.
fn unpacked(packed: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(packed.len());
    let (mut bits, mut count) = (0u32, 0);
    for sign in packed.trim_end_matches('=').chars() {
        let value = match sign {
            'A'..='Z' => u32::from(sign) - u32::from('A'),
            'a'..='z' => u32::from(sign) - u32::from('a') + 26,
            '0'..='9' => u32::from(sign) - u32::from('0') + 52,
            '-' | '+' => 62,
            '_' | '/' => 63,
            other => {
                let other = other.escape_debug();
                return Err(format!(
                    "expected letters, digits, - and _ after `{COMPACT}`, found `{other}`"
                ));
            }
        };
        bits = bits << 6 | value;
        count += 6;
        if count >= 8 {
            count -= 8;
            // The upper bits belong to earlier bytes.
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    let mut text = String::new();
    let read = DeflateDecoder::new(&*bytes).take(MOST + 1).read_to_string(&mut text);
    match read {
        Ok(size) if size as u64 > MOST => Err(format!("a record has at most {MOST} bytes")),
        Ok(_) => Ok(text),
        Err(error) => Err(format!("the record after `{COMPACT}` cannot be unpacked: {error}")),
    }
}

/// The game of a document.
fn msr(document: &Document, rule: Rule, line: usize) -> Result<Vec<Line>, ParseError> {
    let refused = |why: String| Err(ParseError::at(line, 1, why));
    if let Value::String(version) = &document.version
        && !version.starts_with("0.")
    {
        let version: String = version.chars().take(20).collect();
        return refused(format!("expected an MSR record of version 0, found {version:?}"));
    }
    let played = match &*document.variant.to_uppercase() {
        "5D" | "D5" => Rule::Disjoint,
        "5T" | "T5" => Rule::Touching,
        other => {
            let other: String = other.chars().take(20).collect();
            return refused(format!(
                "expected a record of the variant 5D or 5T, lines of five points, found {other:?}"
            ));
        }
    };
    if played != rule {
        let played = played.name();
        return refused(format!(
            "this is a record by rule {played}, and the puzzle has rule {}: read it with morpion(rule={played})",
            rule.name()
        ));
    }
    let mut moves = Vec::with_capacity(document.moves.len());
    for (i, entry) in document.moves.iter().enumerate() {
        let direction = CODES.iter().position(|code| code.eq_ignore_ascii_case(&entry.dir));
        let Some(direction) = direction else {
            let dir: String = entry.dir.chars().take(20).collect();
            return refused(format!("move {}: expected dir H, V, DP or DN, found {dir:?}", i + 1));
        };
        let point = (entry.x, entry.y);
        moves.push(Move { point, direction, index: entry.pos, place: (line, 1) });
    }
    game(&moves, rule)
}

/// The game of a Pentasol text.
fn pentasol(text: &str, rule: Rule) -> Result<Vec<Line>, ParseError> {
    let mut reference = None;
    let mut moves: Vec<Move> = Vec::new();
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !is_comment(line.trim()));
    for (number, line) in lines {
        let bare = line.trim();
        let place = (number, line.chars().count() - line.trim_start().chars().count() + 1);
        let refused = |why: String| ParseError::at(number, place.1, why);
        let found: String = bare.chars().take(20).flat_map(char::escape_debug).collect();
        let expected = "a move such as (27,25) - +2";
        let Some((point, rest)) = point(bare) else {
            return Err(refused(format!("expected {expected}, found `{found}`")));
        };
        if rest.is_empty() {
            if reference.is_some() || !moves.is_empty() {
                return Err(refused(format!(
                    "expected {expected}, found `{found}` without a direction"
                )));
            }
            reference = Some(point);
            continue;
        }
        let mut signs = rest.chars();
        let direction = signs.next().and_then(|sign| SIGNS.iter().position(|&known| known == sign));
        let steps = signs.as_str().trim();
        let steps = match steps.strip_prefix('+').unwrap_or(steps) {
            "" => Some(0),
            digits => digits.parse().ok().filter(|steps| (-2..=2).contains(steps)),
        };
        let (Some(direction), Some(steps)) = (direction, steps) else {
            return Err(refused(format!(
                "expected {expected}: a direction - | \\ / and steps from -2 to +2, found `{found}`"
            )));
        };
        moves.push(Move { point, direction, index: 2 - steps, place });
    }
    let origin = reference.map_or((1, 1), |(x, y)| (x - CORNER, y - CORNER));
    for step in &mut moves {
        step.point = (step.point.0 - origin.0, step.point.1 - origin.1);
    }
    if reference.is_some() {
        return game(&moves, rule);
    }
    let turned = moves.iter().map(|&step| Move { index: 4 - step.index, ..step });
    let turned: Vec<Move> = turned.collect();
    match (game(&turned, rule), game(&moves, rule)) {
        (Ok(one), Ok(other)) if one != other => Err(ParseError::at(
            1,
            1,
            "the steps of these moves may count to the middle of the line or from there, and both games are \
             legal: write the reference point, such as (4,4), on the first line",
        )),
        (Ok(game), _) | (_, Ok(game)) => Ok(game),
        (Err(error), Err(_)) => Err(error),
    }
}

/// The point at the beginning of a line, and the rest.
fn point(line: &str) -> Option<((i64, i64), &str)> {
    let (inside, rest) = line.strip_prefix('(')?.split_once(')')?;
    let (x, y) = inside.split_once(',')?;
    let number = |text: &str| {
        text.trim().parse::<i64>().ok().filter(|number| (-10_000..=10_000).contains(number))
    };
    Some(((number(x)?, number(y)?), rest.trim()))
}

/// Plays the moves of a record.
fn game(moves: &[Move], rule: Rule) -> Result<Vec<Line>, ParseError> {
    let puzzle = cross(rule)?;
    let mut state: State = puzzle.initial_state();
    let mut lines = Vec::with_capacity(moves.len());
    for (i, step) in moves.iter().enumerate() {
        let line = line(step).and_then(|line| {
            puzzle.step(&mut state, line)?;
            Ok(line)
        });
        let (row, column) = step.place;
        lines.push(line.map_err(|why| {
            let (x, y) = step.point;
            ParseError::at(
                row,
                column,
                format!("move {} at column {x}, row {y} of the cross: {why}", i + 1),
            )
        })?);
    }
    Ok(lines)
}

/// The line of a move on the board.
fn line(step: &Move) -> Result<Line, String> {
    let Move { point: (x, y), direction, index, .. } = *step;
    if !(0..i64::from(LENGTH)).contains(&index) {
        return Err(format!("expected the number of a point of the line, 0 to 4, found {index}"));
    }
    let (dx, dy) = STEPS[direction];
    let at = |point: i64, step: i32| {
        // Clamped, however far beyond the edge.
        let first = point.clamp(-100, 100) + MARGIN - i64::from(step) * index;
        first as i32
    };
    let start: Cell = (at(x, dx), at(y, dy));
    let line = Line::new(direction, start).map(|line| Line { index: index as u8, ..line });
    line.ok_or_else(|| format!("the line leaves the board of {SIDE} columns and {SIDE} rows"))
}

impl Morpion {
    /// A game from the Greek cross as an MSR record, in JSON; `None` if the instance is another
    /// position.
    #[must_use]
    pub fn msr(&self, lines: &[Line]) -> Option<String> {
        if cross(self.rule).is_ok_and(|cross| cross.start != self.start) {
            return None;
        }
        let entry = |line: &Line| {
            let (x, y) = line.point();
            let [x, y] = [x, y].map(|at| i64::from(at) - MARGIN);
            let dir = CODES[usize::from(line.direction)];
            format!(r#"{{"x":{x},"y":{y},"dir":"{dir}","pos":{}}}"#, line.index)
        };
        let moves: Vec<String> = lines.iter().map(entry).collect();
        let variant = match self.rule {
            Rule::Disjoint => "5D",
            Rule::Touching => "5T",
        };
        Some(format!(
            r#"{{"version":"0.1","variant":"{variant}","score":{},"moves":[{}]}}"#,
            lines.len(),
            moves.join(",")
        ))
    }
}

/// Cuts a file into positions and records. The solution of a record is its game.
pub(crate) fn split(file: &str, rule: Rule) -> Vec<Piece> {
    let mut pieces = if file.trim_start().starts_with('{') {
        input::documents(file)
    } else {
        let mut pieces: Vec<Piece> = Vec::new();
        for (i, mut piece) in input::boards(file).into_iter().enumerate() {
            // Without a comment, the number in the file.
            if piece.id == (i + 1).to_string() {
                piece.id = (pieces.len() + 1).to_string();
            }
            paragraph(piece, &mut pieces);
        }
        pieces
    };
    for piece in &mut pieces {
        let game = read(&piece.text, rule).and_then(Result::ok);
        let written = game.and_then(|game| Some(cross(rule).ok()?.solution_text(&game)));
        piece.solution = written;
    }
    pieces
}

/// Adds a paragraph: each compact record in it is an instance, and moves belong to a reference
/// point right above.
fn paragraph(piece: Piece, pieces: &mut Vec<Piece>) {
    let lines: Vec<&str> = piece.text.lines().collect();
    let is_record = |line: &&&str| line.trim_start().starts_with(COMPACT);
    if lines.iter().filter(is_record).count() > 1 {
        for (i, line) in lines.iter().enumerate().filter(|(_, line)| is_record(line)) {
            let id = (pieces.len() + 1).to_string();
            let text = (*line).to_owned();
            pieces.push(Piece { id, text, line: piece.line + i, ..Piece::default() });
        }
        return;
    }
    let is_reference = |text: &str| {
        let mut rows = text.lines().map(str::trim).filter(|line| !is_comment(line));
        let first = rows.next().and_then(point);
        first.is_some_and(|(_, rest)| rest.is_empty()) && rows.next().is_none()
    };
    let is_game = lines.first().is_some_and(|line| line.trim_start().starts_with('('));
    match pieces.last_mut().filter(|last| is_game && is_reference(&last.text)) {
        Some(last) if !is_reference(&piece.text) && !has_reference(&piece.text) => {
            let end = last.line + last.text.lines().count();
            last.text += &"\n".repeat(piece.line.saturating_sub(end) + 1);
            last.text += &piece.text;
        }
        _ => pieces.push(piece),
    }
}

/// Whether the first line of a game is a reference point.
fn has_reference(text: &str) -> bool {
    let mut rows = text.lines().map(str::trim).filter(|line| !is_comment(line));
    rows.next().and_then(point).is_some_and(|(_, rest)| rest.is_empty())
}
