//! Reader of the files of Kaggle's Santa 2023: puzzles of `puzzle_info.csv` and instances of
//! `puzzles.csv`.
//!
//! A row of `puzzle_info.csv` has the name of a puzzle and its moves, a Python dictionary of
//! permutations in array form; the inverse of a move `f0` is `-f0`. Puzzles with more positions
//! than [`MOST_POSITIONS`] are left out. The file has no goals: the positions of a puzzle are all
//! different, or all equal if there are more than [`MOST_LABELS`]. A row of `puzzles.csv` has the
//! goal of an instance.

use super::{
    Fault, excerpt, fault, generators,
    moves::Moves,
    states::{self, Word, all_different, number, split},
    tree,
};
use crate::definition::{Closure, Definition, Invalid, MOST_LABELS, MOST_POSITIONS, Start};
use std::borrow::Borrow;
use unriddle_core::ParseError;

/// First line of `puzzle_info.csv`.
pub(super) const HEADER: &str = "puzzle_type,allowed_moves";

/// First line of `puzzles.csv`.
const INSTANCES: &str = "id,puzzle_type,solution_state,initial_state,num_wildcards";

/// Reads the puzzles of `puzzle_info.csv`.
pub(super) fn read(text: &str) -> Result<Vec<Definition>, Fault> {
    let mut definitions: Vec<Definition> = Vec::new();
    let (mut at, mut is_header, mut left_out) = (0, true, 0);
    for line in text.split_inclusive('\n') {
        let row = Word { at, text: line.trim_end().to_owned() };
        at += line.len();
        if row.text.is_empty() {
            continue;
        }
        if std::mem::take(&mut is_header) {
            header(&row)?;
            continue;
        }
        let fields = fields(&row)?;
        let [name, moves] = &fields[..] else {
            let found = fields.len();
            return fault(
                row.at,
                format!("expected a puzzle and its moves in quotes, found {found} fields"),
            );
        };
        if name.text.is_empty() {
            return fault(row.at, "expected the name of a puzzle before `,`, found none");
        }
        if definitions.iter().any(|other| other.name == name.text) {
            return fault(row.at, format!("two puzzles are called `{}`", excerpt(&name.text)));
        }
        match puzzle(&name.text, moves)? {
            Some(definition) => definitions.push(definition),
            None => left_out += 1,
        }
    }
    match definitions.is_empty() {
        false => Ok(definitions),
        true if left_out > 0 => fault(
            0,
            format!(
                "expected puzzles of at most {MOST_POSITIONS} positions, found only larger ones"
            ),
        ),
        true => fault(at, format!("expected the line `{HEADER}` and puzzles, found no puzzle")),
    }
}

fn header(row: &Word) -> Result<(), Fault> {
    if row.text == HEADER {
        return Ok(());
    }
    let found = if row.text.starts_with(INSTANCES) {
        "instances: name the file `puzzle_info.csv`".to_owned()
    } else {
        format!("`{}`", excerpt(&row.text))
    };
    fault(row.at, format!("expected the line `{HEADER}`, found {found}"))
}

/// The fields of a row; quotes may surround a field.
fn fields(row: &Word) -> Result<Vec<Word>, Fault> {
    let mut fields = Vec::new();
    let mut rest = &row.text[..];
    loop {
        let at = row.at + row.text.len() - rest.len();
        let after = if let Some(content) = rest.strip_prefix('"') {
            let Some(end) = quote(content) else {
                return fault(at, "expected a second `\"` in this line, found none");
            };
            fields.push(Word { at: at + 1, text: content[..end].replace("\"\"", "\"") });
            &content[end + 1..]
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            fields.push(Word { at, text: rest[..end].to_owned() });
            &rest[end..]
        };
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None if after.is_empty() => return Ok(fields),
            None => {
                let at = row.at + row.text.len() - after.len();
                return fault(at, format!("expected `,` after `\"`, found `{}`", excerpt(after)));
            }
        }
    }
}

/// The byte of the quote that ends a field: two quotes are a quote within it.
fn quote(content: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + content.get(from..)?.find('"')?;
        if !content[at + 1..].starts_with('"') {
            return Some(at);
        }
        from = at + 2;
    }
}

/// A puzzle; `None` if it has too many positions.
fn puzzle(name: &str, moves: &Word) -> Result<Option<Definition>, Fault> {
    let inner = |inner: Fault| Fault { at: moves.at + inner.at, why: inner.why };
    let node = tree::python(&moves.text).map_err(inner)?;
    let table = node.table("a dictionary of moves").map_err(inner)?;
    let Some(first) = table.entries.first() else {
        return fault(moves.at, "expected at least one move, found none");
    };
    let positions = first.value.list("a list of positions").map_err(inner)?.len();
    if positions > MOST_POSITIONS {
        return Ok(None);
    }
    let mut definition = Definition { name: name.to_owned(), ..Definition::default() };
    let goal = match positions > MOST_LABELS {
        true => vec![Word { at: moves.at, text: "?".to_owned() }; positions],
        false => all_different(first.value.at, positions, 0).map_err(inner)?,
    };
    states::set_goal(&mut definition, moves.at, &goal)?;
    let mut all = Moves::new(positions);
    for entry in &table.entries {
        let array = generators::array(&entry.value, positions).map_err(inner)?;
        all.push(entry.at, &entry.key, array).map_err(inner)?;
    }
    all.close(&mut definition, Closure { inverses: true, powers: false }, |name| {
        format!("-{name}")
    })
    .or_else(|Invalid(why)| fault(moves.at, why))?;
    Ok(Some(definition))
}

/// Whether a text is meant to be a line of `puzzles.csv`.
#[must_use]
pub fn is_row(text: &str) -> bool {
    text.split(',').count() > 3 && text.split(';').count() > 2
}

/// Instance of a line of `puzzles.csv`: the puzzle of its type among `definitions`, with its goal,
/// its number of wildcards and one start. `None` for an empty line and the first line of the file.
///
/// # Errors
/// The column of the first field that is invalid.
#[must_use]
pub fn row<D: Borrow<Definition>>(
    definitions: &[D],
    line: &str,
) -> Option<Result<Definition, ParseError>> {
    let line = line.trim_end();
    if line.is_empty() || line.trim_start_matches('\u{feff}') == INSTANCES {
        return None;
    }
    Some(instance(definitions, line).map_err(|fault| fault.locate(line)))
}

fn instance<D: Borrow<Definition>>(definitions: &[D], line: &str) -> Result<Definition, Fault> {
    let fields = fields(&Word { at: 0, text: line.to_owned() })?;
    let [id, puzzle, solution, initial, wildcards] = &fields[..] else {
        return fault(0, format!("expected `{INSTANCES}`, found {} fields", fields.len()));
    };
    let mut bases = definitions.iter().map(Borrow::borrow);
    let Some(base) = bases.find(|base: &&Definition| base.name == puzzle.text) else {
        let found = excerpt(&puzzle.text);
        return fault(
            puzzle.at,
            format!(
                "expected a puzzle of `puzzle_info.csv` with at most {MOST_POSITIONS} positions, found `{found}`"
            ),
        );
    };
    let mut definition = base.clone();
    let positions = definition.goal.len();
    let labels = |field: &Word| split(&field.text, field.at, |sign| sign == ';');
    let goal = labels(solution);
    if goal.len() != positions {
        let found = goal.len();
        return fault(solution.at, format!("expected {positions} labels, found {found}"));
    }
    states::set_goal(&mut definition, solution.at, &goal)?;
    let Some(count) = number(&wildcards.text, 0, positions) else {
        let found = excerpt(&wildcards.text);
        return fault(
            wildcards.at,
            format!("expected a number of wildcards from 0 to {positions}, found `{found}`"),
        );
    };
    definition.wildcards = count;
    let state = states::state(&definition, initial.at, &labels(initial))?;
    definition.starts = vec![Start { id: id.text.clone(), state }];
    definition.check().or_else(|Invalid(why)| fault(0, why))?;
    Ok(definition)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{read, samples};

    fn error(text: &str) -> String {
        read("a.csv", text).unwrap_err().to_string()
    }

    #[test]
    fn rows_are_instances() {
        let puzzles = read("puzzle_info.csv", samples::SANTA).unwrap();
        let names: Vec<_> = puzzles[0].moves.iter().map(|step| &*step.name).collect();
        assert_eq!(names, ["r", "-r", "s"]);
        assert_eq!(row(&puzzles, INSTANCES), None);
        assert_eq!(row(&puzzles, "\r\n"), None);
        let instance = row(&puzzles, "4,toy,R;G;R,G;R;R,1\r\n").unwrap().unwrap();
        assert_eq!((&instance.goal[..], instance.wildcards), (&[0, 1, 0][..], 1));
        assert_eq!(instance.labels, ["R", "G"]);
        assert_eq!(instance.starts, [Start { id: "4".to_owned(), state: vec![1, 0, 0] }]);
        assert_eq!(instance.moves, puzzles[0].moves);
    }

    #[test]
    fn invalid_rows_are_rejected_with_their_columns() {
        let puzzles = read("puzzle_info.csv", samples::SANTA).unwrap();
        for (line, expected) in [
            (
                "4,toy,R;G;B,B;G;R",
                "column 1: expected `id,puzzle_type,solution_state,initial_state,num_wildcards`, found 4 fields",
            ),
            (
                "4,box,R;G;B,B;G;R,0",
                "column 3: expected a puzzle of `puzzle_info.csv` with at most 512 positions, found `box`",
            ),
            ("4,toy,R;G,B;G;R,0", "column 7: expected 3 labels, found 2"),
            ("4,toy,R;;B,B;G;R,0", "column 9: expected a label without blanks and `;`, found ``"),
            ("4,toy,R;G;B,B;G;X,0", "column 17: expected a label of the goal, found `X`"),
            (
                "4,toy,R;G;B,B;B;R,0",
                "column 13: expected the label `G` 1 times as in the goal, found it 0 times",
            ),
            (
                "4,toy,R;G;B,B;G;R,4",
                "column 19: expected a number of wildcards from 0 to 3, found `4`",
            ),
            ("4,toy,R;G;B,\"B;G;R,0", "column 13: expected a second `\"` in this line, found none"),
        ] {
            let found = row(&puzzles, line).unwrap().unwrap_err().to_string();
            assert_eq!(found, format!("line 1, {expected}"), "{line}");
        }
        assert!(row(&puzzles, "4,toy,R;G;B,B;B;R,1").unwrap().is_ok());
    }

    #[test]
    fn malformed_files_are_rejected_with_their_positions() {
        for (from, to, expected) in [
            (
                "[1, 2, 0]",
                "[1, 2, 3]",
                "line 2, column 19: expected a position from 0 to 2, found 3",
            ),
            (
                "[1, 2, 0]",
                "[1, 2, 1]",
                "line 2, column 12: no permutation: position 1 occurs twice",
            ),
            ("[1, 0, 2]", "[1, 0]", "line 2, column 28: expected a list of 3 numbers, found 2"),
            ("'s'", "'r'", "line 2, column 23: the key `r` occurs twice"),
            ("'s'", "s", "line 2, column 23: expected a key in quotes, found `s`"),
            (
                "toy,",
                "toy,1,",
                "line 2, column 1: expected a puzzle and its moves in quotes, found 3 fields",
            ),
            ("Toy,", "toy,", "line 3, column 1: two puzzles are called `toy`"),
            (
                "puzzle_type",
                "type",
                "line 1, column 1: expected the line `puzzle_type,allowed_moves`, found `type,allowed_moves`",
            ),
        ] {
            assert!(samples::SANTA.contains(from), "{from}");
            assert_eq!(error(&samples::SANTA.replacen(from, to, 1)), expected, "{to}");
        }
        let expected = "line 2, column 1: expected the line `puzzle_type,allowed_moves` and puzzles, found no puzzle";
        assert_eq!(error("puzzle_type,allowed_moves\n"), expected);
    }

    #[test]
    fn large_puzzles_are_left_out() {
        let array = |positions: usize| {
            let numbers: Vec<_> = (0..positions).rev().map(|at| at.to_string()).collect();
            format!("p{positions},\"{{'a': [{}]}}\"\n", numbers.join(", "))
        };
        let text = format!("{HEADER}\n{}{}{}", array(256), array(513), array(486));
        let puzzles = read("puzzle_info.csv", &text).unwrap();
        let names: Vec<_> = puzzles.iter().map(|puzzle| &*puzzle.name).collect();
        assert_eq!(names, ["p256", "p486"]);
        assert_eq!((puzzles[0].labels.len(), puzzles[1].labels.len()), (256, 1));
        let found = error(&format!("{HEADER}\n{}", array(513)));
        assert!(found.contains("found only larger ones"), "{found}");
    }
}
