//! Standard form of an instance: the whole puzzle and its start in one line.
//!
//! A line contains sections that end with `;`. Each is a keyword and words:
//!
//! ```text
//! positions 4; name toy; moves l=(0,1,2) l'=~l s=(2,3); goal A A B B; start A B A B
//! ```
//!
//! - `positions`: the number of positions, which count from 0.
//! - `moves`: names and permutations in cycles. After a move with the cycle `(a,b,c)` position `a`
//!   has the label that was at `b`, `b` the label of `c`, and `c` the label of `a`. `~l` is the
//!   inverse of the earlier move `l`, and `()` changes nothing.
//! - `goal`, `start`: the label of each position. Labels of one character may be written in one
//!   word.
//! - optional: `name`; `wildcards`, the number of positions at which a solved state may differ from
//!   the goal; `illegal`, pairs `position=label` that no state after a move may have; `net`, rows
//!   of positions and dots that end with `/`, for drawings.
//!
//! A record therefore contains all that is needed to replay its solution, also where the file of
//! the puzzle has changed.

use crate::definition::{
    Array, Definition, MOST_POSITIONS, Move, Net, Start, cycles, identity, inverse,
};
use std::{collections::HashMap, fmt::Write as _};
use unriddle_core::ParseError;

/// Keyword with which the standard form begins when this program writes it.
const FIRST: &str = "positions";

/// Whether a text is meant to be an instance in standard form.
#[must_use]
pub fn is_document(text: &str) -> bool {
    text.contains(';') && text.split_whitespace().next() == Some(FIRST)
}

/// The line of a puzzle with a state as its start.
#[must_use]
pub fn text(definition: &Definition, state: &[u8]) -> String {
    let mut line = format!("{FIRST} {}", definition.goal.len());
    let name: Vec<&str> = definition.name.split_whitespace().collect();
    if !name.is_empty() {
        let _ = write!(line, "; name {}", name.join(" ").replace(';', ","));
    }
    line.push_str("; moves");
    let mut known: HashMap<Array, &str> = HashMap::new();
    for step in &definition.moves {
        let _ = match known.get(&inverse(&step.array)) {
            Some(other) => write!(line, " {}=~{other}", step.name),
            None => write!(line, " {}={}", step.name, cycles_text(&step.array)),
        };
        known.entry(step.array.clone()).or_insert(&step.name);
    }
    for (keyword, state) in [("goal", &definition.goal[..]), ("start", state)] {
        let _ = write!(line, "; {keyword} {}", state_text(definition, state));
    }
    if definition.wildcards > 0 {
        let _ = write!(line, "; wildcards {}", definition.wildcards);
    }
    if !definition.illegal.is_empty() {
        line.push_str("; illegal");
        for &(position, label) in &definition.illegal {
            let _ = write!(line, " {position}={}", definition.labels[usize::from(label)]);
        }
    }
    if let Some(net) = &definition.net {
        let cell = |cell: &Option<u16>| cell.map_or_else(|| ".".to_owned(), |at| at.to_string());
        let row = |row: &Vec<Option<u16>>| row.iter().map(cell).collect::<Vec<_>>().join(" ");
        let rows: Vec<String> = net.iter().map(row).collect();
        let _ = write!(line, "; net {}", rows.join(" / "));
    }
    line
}

/// The cycles of a permutation, without blanks.
fn cycles_text(array: &[u16]) -> String {
    let cycles = cycles(array);
    if cycles.is_empty() {
        return "()".to_owned();
    }
    let number = |position: &u16| position.to_string();
    let cycle =
        |cycle: &Vec<u16>| format!("({})", cycle.iter().map(number).collect::<Vec<_>>().join(","));
    cycles.iter().map(cycle).collect()
}

/// The labels of a state: in one word if each has one character.
#[must_use]
pub fn state_text(definition: &Definition, state: &[u8]) -> String {
    let label = |&label: &u8| definition.labels[usize::from(label)].as_str();
    let is_short = definition.labels.iter().all(|label| label.chars().count() == 1);
    let labels: Vec<&str> = state.iter().map(label).collect();
    labels.join(if is_short { "" } else { " " })
}

/// The texts of the labels of a state of `positions` positions: words, or the characters of a
/// single word.
#[must_use]
pub fn labels_of(text: &str, positions: usize) -> Vec<&str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        [word] if positions > 1 => word.split("").filter(|label| !label.is_empty()).collect(),
        _ => words,
    }
}

/// Part of a text that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong<'t> {
    /// The part.
    pub part: &'t str,
    /// The reason.
    pub why: String,
}

impl Wrong<'_> {
    /// The error with the part's position in a text that contains it.
    #[must_use]
    pub fn within(self, text: &str) -> ParseError {
        let offset = (self.part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let before = text.get(..offset).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        ParseError::at(line, column, self.why)
    }
}

/// Reads a state of a puzzle.
///
/// # Errors
/// Another number of labels than of positions, or an unknown label.
pub fn state<'t>(definition: &Definition, text: &'t str) -> Result<Vec<u8>, Wrong<'t>> {
    let labels = labels_of(text, definition.goal.len());
    let (found, expected) = (labels.len(), definition.goal.len());
    if found != expected {
        return Err(Wrong {
            part: text,
            why: format!("expected {expected} labels, found {found}"),
        });
    }
    let index = |&label: &&'t str| {
        let why = || format!("expected a label of the goal, found `{}`", clipped(label));
        definition.label(label).ok_or_else(|| Wrong { part: label, why: why() })
    };
    labels.iter().map(index).collect()
}

/// Reader of the standard form.
struct Reader<'t> {
    text: &'t str,
    sections: HashMap<&'t str, &'t str>,
}

/// The sections of the standard form; the others are optional.
const SECTIONS: [&str; 8] =
    [FIRST, "name", "moves", "goal", "start", "wildcards", "illegal", "net"];

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Result<Self, ParseError> {
        let mut reader = Self { text, sections: HashMap::new() };
        for section in text.split(';') {
            let section = section.trim();
            if section.is_empty() {
                continue;
            }
            let keyword = section.split_whitespace().next().unwrap_or_default();
            if !SECTIONS.contains(&keyword) {
                let why = format!(
                    "expected one of the keywords {}, found `{}`",
                    SECTIONS.join(", "),
                    clipped(keyword)
                );
                return Err(reader.at(keyword, why));
            }
            if reader.sections.insert(keyword, &section[keyword.len()..]).is_some() {
                return Err(reader.at(keyword, format!("the section `{keyword}` is given twice")));
            }
        }
        Ok(reader)
    }

    /// An error at a part of the text.
    fn at(&self, part: &str, why: impl Into<String>) -> ParseError {
        Wrong { part, why: why.into() }.within(self.text)
    }

    fn section(&self, keyword: &str) -> Result<&'t str, ParseError> {
        let missing = || ParseError::at(1, 1, format!("the section `{keyword}` is missing"));
        self.sections.get(keyword).copied().ok_or_else(missing)
    }

    fn words(&self, keyword: &str) -> impl Iterator<Item = &'t str> + use<'t> {
        self.sections.get(keyword).copied().unwrap_or_default().split_whitespace()
    }

    fn number(&self, word: &str, most: usize) -> Result<usize, ParseError> {
        let number = unriddle_core::text::whole(word).filter(|&number| number <= most);
        number.ok_or_else(|| {
            self.at(word, format!("expected a number of 0 to {most}, found `{}`", clipped(word)))
        })
    }

    fn only_number(&self, keyword: &str, most: usize) -> Result<usize, ParseError> {
        let section = self.section(keyword)?;
        let mut words = section.split_whitespace();
        match (words.next(), words.next()) {
            (Some(word), None) => self.number(word, most),
            _ => Err(self.at(section, format!("expected one number after `{keyword}`"))),
        }
    }

    fn moves(&self, positions: usize) -> Result<Vec<Move>, ParseError> {
        let mut moves: Vec<Move> = Vec::new();
        for word in self.words("moves") {
            let Some((name, value)) = word.split_once('=') else {
                let why = format!("expected a move such as r=(0,1,2), found `{}`", clipped(word));
                return Err(self.at(word, why));
            };
            let array = match value.strip_prefix('~') {
                Some(other) => match moves.iter().find(|step| step.name == other) {
                    Some(step) => inverse(&step.array),
                    None => {
                        let why = format!("expected an earlier move, found `{}`", clipped(other));
                        return Err(self.at(other, why));
                    }
                },
                None => self.cycles(value, positions)?,
            };
            if moves.len() == crate::definition::MOST_MOVES {
                let most = crate::definition::MOST_MOVES;
                return Err(self.at(word, format!("expected at most {most} moves")));
            }
            moves.push(Move { name: name.to_owned(), array });
        }
        Ok(moves)
    }

    fn cycles(&self, text: &str, positions: usize) -> Result<Array, ParseError> {
        let mut array = identity(positions);
        let mut is_used = vec![false; positions];
        let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let Some(inside) = inside else {
            let why = format!("expected cycles such as (0,1,2)(3,4), found `{}`", clipped(text));
            return Err(self.at(text, why));
        };
        for cycle in inside.split(")(").filter(|_| !inside.is_empty()) {
            let mut positions_of = Vec::new();
            for word in cycle.split(',') {
                let position = self.number(word, positions - 1)?;
                if std::mem::replace(&mut is_used[position], true) {
                    return Err(self.at(word, format!("position {position} occurs twice")));
                }
                positions_of.push(position);
            }
            for (at, &position) in positions_of.iter().enumerate() {
                array[position] = positions_of[(at + 1) % positions_of.len()] as u16;
            }
        }
        Ok(array)
    }

    fn illegal(&self, definition: &Definition) -> Result<Vec<(u16, u8)>, ParseError> {
        let pair = |word: &'t str| {
            let (position, label) = word.split_once('=').ok_or_else(|| {
                self.at(word, format!("expected position=label, found `{}`", clipped(word)))
            })?;
            let position = self.number(position, definition.goal.len() - 1)?;
            let known = definition.label(label).ok_or_else(|| {
                self.at(label, format!("expected a label of the goal, found `{}`", clipped(label)))
            })?;
            Ok((position as u16, known))
        };
        self.words("illegal").map(pair).collect()
    }

    fn net(&self, positions: usize) -> Result<Option<Net>, ParseError> {
        let mut rows = vec![Vec::new()];
        for word in self.words("net") {
            match word {
                "/" => rows.push(Vec::new()),
                _ => {
                    let cell = match word {
                        "." => None,
                        _ => Some(self.number(word, positions - 1)? as u16),
                    };
                    rows.last_mut().into_iter().for_each(|row| row.push(cell));
                }
            }
        }
        Ok(self.sections.contains_key("net").then_some(rows))
    }
}

/// A part of a text for a message.
fn clipped(text: &str) -> String {
    let mut clipped: String = text.chars().take(40).collect();
    if clipped.len() < text.len() {
        clipped.push('…');
    }
    clipped.escape_debug().to_string()
}

/// Reads an instance in standard form: a definition with one start.
///
/// # Errors
/// The position at which the text is wrong.
pub fn parse(text: &str) -> Result<Definition, ParseError> {
    let reader = Reader::new(text)?;
    let positions = reader.only_number(FIRST, MOST_POSITIONS)?;
    if positions == 0 {
        return Err(reader.at(reader.section(FIRST)?, "expected at least one position"));
    }
    let mut definition = Definition::default();
    let section = reader.section("goal")?;
    for label in labels_of(section, positions) {
        let known = definition.labels.iter().position(|other| *other == label);
        let at = known.unwrap_or_else(|| {
            definition.labels.push(label.to_owned());
            definition.labels.len() - 1
        });
        let Ok(index) = u8::try_from(at) else {
            let most = crate::definition::MOST_LABELS;
            return Err(reader.at(section, format!("expected at most {most} different labels")));
        };
        definition.goal.push(index);
    }
    if definition.goal.len() != positions {
        let found = definition.goal.len();
        return Err(reader.at(section, format!("expected {positions} labels, found {found}")));
    }
    definition.name = reader.words("name").collect::<Vec<_>>().join(" ");
    reader.section("moves")?;
    definition.moves = reader.moves(positions)?;
    if reader.sections.contains_key("wildcards") {
        definition.wildcards = reader.only_number("wildcards", positions)?;
    }
    definition.illegal = reader.illegal(&definition)?;
    definition.net = reader.net(positions)?;
    let section = reader.section("start")?;
    let start = state(&definition, section).map_err(|wrong| wrong.within(text))?;
    definition.starts = vec![Start { id: String::new(), state: start }];
    definition.check().map_err(|why| ParseError::at(1, 1, why.to_string()))?;
    Ok(definition)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOY: &str = "positions 4; name toy; moves l=(0,1,2) l'=~l s=(2,3) n=(); goal A A B B; \
                       start A B A B; wildcards 1; illegal 3=A; net 0 1 / . 3";

    #[test]
    fn the_standard_form_is_written_as_it_is_read() {
        let toy = parse(TOY).unwrap();
        assert_eq!(toy.moves[0].array, [1, 2, 0, 3]);
        assert_eq!(toy.moves[1].array, [2, 0, 1, 3]);
        let written = text(&toy, &toy.starts[0].state);
        assert_eq!(written, TOY.replace("A A B B", "AABB").replace("A B A B", "ABAB"));
        assert_eq!(parse(&written), Ok(toy));
    }

    #[test]
    fn errors_have_a_position() {
        let error = |from, to| parse(&TOY.replace(from, to)).unwrap_err().to_string();
        for (from, to, expected) in [
            ("s=(2,3)", "s=(2,9)", "line 1, column 51: expected a number of 0 to 3, found `9`"),
            ("s=(2,3)", "s=(2,2)", "line 1, column 51: position 2 occurs twice"),
            ("~l", "~x", "line 1, column 44: expected an earlier move, found `x`"),
            ("goal A A B B; ", "", "line 1, column 1: the section `goal` is missing"),
            ("start A", "start C", "expected a label of the goal, found `C`"),
            ("name toy", "nome toy", "expected one of the keywords"),
            ("s=", "l=", "two moves are called `l`"),
            ("wildcards 1", "wildcards 5", "expected a number of 0 to 4, found `5`"),
            ("positions 4", "positions 4000000000", "expected a number of 0 to 512"),
        ] {
            let found = error(from, to);
            assert!(found.contains(expected), "{to}: {found}");
        }
    }
}
