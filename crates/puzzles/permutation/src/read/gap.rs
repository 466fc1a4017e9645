//! Reader of generators for the computer algebra system GAP, in the form of
//! `puzzle-geometry --gap`.
//!
//! `M_R:=(1,2,3)(4,5);` is a move, whose name is `R`: `M_` before it is left out. Positions count
//! from 1; a cycle (a,b,c) brings the label at b to a. `Gen:=[M_R,M_U];` lists the moves, otherwise
//! all are used. `ip:=[[1,2],[3]];` lists positions that are identical in the goal; all others
//! differ. A comment begins with `#`. Each move has an inverse, `R'`, but no other powers.

use super::{
    Fault, excerpt, fault,
    moves::{Moves, primed},
    states::{self, Cycles, Word, check_positions, number, split},
};
use crate::definition::{Closure, Definition, Invalid, MOST_POSITIONS};

/// Reads the generators of a file.
pub(super) fn read(text: &str) -> Result<Definition, Fault> {
    let text = without_comments(text);
    let mut generators: Vec<(Word, Cycles)> = Vec::new();
    let (mut listed, mut identical) = (None, Vec::new());
    let mut end = 0;
    for Word { at, text: statement } in statements(&text)? {
        let Some((name, value)) = statement.split_once(":=") else { continue };
        let content = at + name.len() + 2;
        let name =
            Word { at: at + name.len() - name.trim_start().len(), text: name.trim().to_owned() };
        match &*name.text {
            "Gen" => listed = Some(names(value, content)?),
            "ip" => identical = sets(value, content)?,
            _ if value.trim_start().starts_with('(') => {
                let cycles = Cycles::read(value, content, 1)?;
                end = end.max(cycles.end());
                generators.push((name, cycles));
            }
            _ => {}
        }
    }
    if generators.is_empty() {
        return fault(0, "expected generators such as `M_R:=(1,2,3);`, found none");
    }
    end = end.max(identical.iter().flatten().max().map_or(0, |last| last + 1));
    check_positions(0, end)?;
    let used = match listed {
        None => generators.iter().collect(),
        Some(names) => chosen(&generators, &names)?,
    };
    let mut moves = Moves::new(end);
    for (name, cycles) in used {
        let short = name.text.trim_start_matches("M_");
        let short = if short.is_empty() { &name.text } else { short };
        moves.push(name.at, short, cycles.array(end))?;
    }
    let mut definition = Definition::default();
    states::set_goal(&mut definition, 0, &goal(end, &identical))?;
    moves
        .close(&mut definition, Closure { inverses: true, powers: false }, primed)
        .or_else(|Invalid(why)| fault(0, why))?;
    Ok(definition)
}

/// The text with blanks instead of the bytes of comments.
fn without_comments(text: &str) -> String {
    let mut plain = String::new();
    for line in text.split_inclusive('\n') {
        let (code, comment) = line.split_at(line.find('#').unwrap_or(line.len()));
        plain.push_str(code);
        plain.push_str(&" ".repeat(comment.trim_end_matches('\n').len()));
        plain.push_str(if comment.ends_with('\n') { "\n" } else { "" });
    }
    plain
}

fn statements(text: &str) -> Result<Vec<Word>, Fault> {
    let mut statements = split(text, 0, |sign| sign == ';');
    match statements.pop().filter(|last| !last.text.trim().is_empty()) {
        None => Ok(statements),
        Some(last) => {
            let start = last.at + last.text.len() - last.text.trim_start().len();
            let found = excerpt(last.text.trim());
            fault(start, format!("expected a statement that ends with `;`, found `{found}`"))
        }
    }
}

/// The content of a list in brackets, with its byte.
fn inner(value: &str, at: usize) -> Result<Word, Fault> {
    let start = at + value.len() - value.trim_start().len();
    match value.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(inner) => Ok(Word { at: start + 1, text: inner.to_owned() }),
        None => {
            let found = excerpt(value.trim());
            fault(start, format!("expected a list in brackets, found `{found}`"))
        }
    }
}

fn trimmed(word: &Word) -> Word {
    let text = word.text.trim_start();
    Word { at: word.at + word.text.len() - text.len(), text: text.trim_end().to_owned() }
}

fn names(value: &str, at: usize) -> Result<Vec<Word>, Fault> {
    let inner = inner(value, at)?;
    let names = split(&inner.text, inner.at, |sign| sign == ',');
    Ok(names.iter().map(trimmed).filter(|name| !name.text.is_empty()).collect())
}

/// Lists of positions, from 0.
fn sets(value: &str, at: usize) -> Result<Vec<Vec<usize>>, Fault> {
    let inner = inner(value, at)?;
    let mut sets = Vec::new();
    let mut used = vec![false; MOST_POSITIONS];
    // The separators after a closing bracket are part of the next part.
    for part in split(&inner.text, inner.at, |sign| sign == ']') {
        let part = trimmed(&part);
        let text = part.text.trim_start_matches(|sign: char| sign == ',' || sign.is_whitespace());
        let at = part.at + part.text.len() - text.len();
        let Some(numbers) = text.strip_prefix('[') else {
            if text.is_empty() {
                continue;
            }
            return fault(at, format!("expected a list of positions, found `{}`", excerpt(text)));
        };
        let mut set = Vec::new();
        for word in split(numbers, at + 1, |sign| sign == ',').iter().map(trimmed) {
            let Some(number) = number(&word.text, 1, MOST_POSITIONS) else {
                let found = excerpt(&word.text);
                return fault(
                    word.at,
                    format!("expected a position from 1 to {MOST_POSITIONS}, found `{found}`"),
                );
            };
            if std::mem::replace(&mut used[number - 1], true) {
                return fault(word.at, format!("position {number} occurs twice in `ip`"));
            }
            set.push(number - 1);
        }
        sets.push(set);
    }
    Ok(sets)
}

fn chosen<'g>(
    generators: &'g [(Word, Cycles)],
    names: &[Word],
) -> Result<Vec<&'g (Word, Cycles)>, Fault> {
    let generator = |name: &Word| {
        let found = generators.iter().find(|(other, _)| other.text == name.text);
        let why = || format!("expected a generator of this file, found `{}`", excerpt(&name.text));
        found.ok_or_else(|| Fault { at: name.at, why: why() })
    };
    names.iter().map(generator).collect()
}

/// The goal: each set of identical positions has the number of its first one as label.
fn goal(positions: usize, identical: &[Vec<usize>]) -> Vec<Word> {
    let mut labels: Vec<usize> = (0..positions).collect();
    for set in identical {
        let first = set.iter().min().copied().unwrap_or_default();
        set.iter().for_each(|&at| labels[at] = first);
    }
    labels.iter().map(|label| Word { at: 0, text: (label + 1).to_string() }).collect()
}

#[cfg(test)]
mod tests {
    use crate::read::{read, samples};

    fn error(text: &str) -> String {
        read("a.gap", text).unwrap_err().to_string()
    }

    #[test]
    fn identical_positions_share_labels() {
        let text =
            "M_a:=(1,2,3,4);\nM_b:=();\nc:=(1,2);Gen:=[ M_a ,\nc];\nip := [[ 1, 3 ],[6, 2]] ;";
        let definition = &read("a.gap", text).unwrap()[0];
        let shown = definition.goal.iter().map(|&label| &*definition.labels[usize::from(label)]);
        assert_eq!(shown.collect::<Vec<_>>(), ["1", "2", "1", "4", "5", "2"]);
        let names: Vec<_> = definition.moves.iter().map(|step| &*step.name).collect();
        assert_eq!(names, ["a", "a'", "c"]);
        assert_eq!(definition.moves[0].array, [1, 2, 3, 0, 4, 5]);
    }

    #[test]
    fn malformed_files_are_rejected_with_their_positions() {
        for (from, to, expected) in [
            ("(2,4,7)", "(2,4,6)", "line 2, column 20: no permutation: position 6 occurs twice"),
            (
                "(2,4,7)",
                "(2,x,7)",
                "line 2, column 18: expected a position from 1 to 512, found `x`",
            ),
            (
                "(2,4,7)",
                "(2,0,7)",
                "line 2, column 18: expected a position from 1 to 512, found `0`",
            ),
            (
                "(2,4,7)",
                "[2,4,7]",
                "line 2, column 15: expected cycles such as (1,2,3), found `[2,4,7](3,5,8)(15,18,20)…`",
            ),
            (
                "M_M_S",
                "M_M_M_R",
                "line 5, column 7: expected a generator of this file, found `M_M_S`",
            ),
            (
                "M_M_R,M_M_S",
                "M_M_R, M_S",
                "line 5, column 8: expected a generator of this file, found `M_S`",
            ),
            ("[[1],[4]]", "[[1],[1]]", "line 7, column 11: position 1 occurs twice in `ip`"),
            ("[[1],[4]]", "[[1],4]", "line 7, column 10: expected a list of positions, found `4`"),
            (
                "[[1],[4]];",
                "[[1],[4]]",
                "line 7, column 1: expected a statement that ends with `;`, found `ip:=[[1],[4]]`",
            ),
        ] {
            assert!(samples::GAP.contains(from), "{from}");
            assert_eq!(error(&samples::GAP.replacen(from, to, 1)), expected, "{to}");
        }
        assert_eq!(error("M_R:=(1,2);\n R:=(1,3);"), "line 2, column 2: two moves are called `R`");
        assert_eq!(
            error("x:=3;"),
            "line 1, column 1: expected generators such as `M_R:=(1,2,3);`, found none"
        );
    }
}
