//! Reader of JSON of CayleyPy: lists of generators, and results of its beam search.
//!
//! A list has `actions`, permutations in array form, and `names`; a goal `central_state` and a
//! start `initial_state` are optional, and without a goal all positions differ. A result has the
//! same in `proof`, with a table `generators`; a file of several results of a puzzle has them in
//! `solutions`, of which the first one is read. Files contain the inverses of their moves; missing
//! ones are added.

use super::{
    Fault, fault,
    moves::{Moves, primed},
    states::{self, Word, check_positions},
    tree::{Entry, Node, Table, Value},
};
use crate::definition::{Array, Closure, Definition, Invalid, MOST_POSITIONS, Start};

/// Keys of which a file has at least one.
pub(super) const KEYS: [&str; 5] = ["actions", "names", "generators", "proof", "solutions"];

/// Reads generators or results.
pub(super) fn read(root: &Table) -> Result<Definition, Fault> {
    if let Some(solutions) = root.get("solutions") {
        let results = solutions.list("a list of results")?;
        let Some(result) = results.first() else {
            return fault(solutions.at, "expected a result with `proof`, found an empty list");
        };
        let proof = result.table("a result with `proof`")?.need("proof")?;
        return puzzle(proof.table("a table with `generators`")?, root);
    }
    match root.get("proof") {
        Some(proof) => puzzle(proof.table("a table with `generators`")?, root),
        None => puzzle(root, root),
    }
}

/// The puzzle of a table with generators; `root` has the names of the puzzle and the instance.
fn puzzle(table: &Table, root: &Table) -> Result<Definition, Fault> {
    let generators = generators(table)?;
    let Some(first) = generators.first() else {
        return fault(table.at, "expected at least one generator, found none");
    };
    let positions = first.list.list("a list of positions")?.len();
    check_positions(first.list.at, positions)?;
    let mut moves = Moves::new(positions);
    for Generator { at, name, list } in &generators {
        moves.push(*at, name, array(list, positions)?)?;
    }
    let mut definition = Definition { name: name(root)?, ..Definition::default() };
    let (at, goal) = match table.get("central_state") {
        Some(node) => (node.at, labels(node)?),
        None => (first.list.at, states::all_different(first.list.at, positions, 0)?),
    };
    if goal.len() != positions {
        return fault(at, format!("expected {positions} labels, found {}", goal.len()));
    }
    states::set_goal(&mut definition, at, &goal)?;
    if let Some(node) = table.get("initial_state") {
        let state = states::state(&definition, node.at, &labels(node)?)?;
        definition.starts.push(Start { id: id(root), state });
    }
    let is_signed = generators.iter().any(|generator| generator.name.starts_with('-'));
    let inverse_name = |name: &str| match name.strip_prefix('-') {
        Some(base) => base.to_owned(),
        None if is_signed => format!("-{name}"),
        None => primed(name),
    };
    moves
        .close(&mut definition, Closure { inverses: true, powers: false }, inverse_name)
        .or_else(|Invalid(why)| fault(table.at, why))?;
    Ok(definition)
}

/// Name and permutation of a move; `at` is the byte of the name.
struct Generator<'t> {
    at: usize,
    name: &'t str,
    list: &'t Node,
}

impl<'t> Generator<'t> {
    fn of(entry: &'t Entry) -> Self {
        Self { at: entry.at, name: &entry.key, list: &entry.value }
    }
}

fn generators(table: &Table) -> Result<Vec<Generator<'_>>, Fault> {
    if let Some(node) = table.get("generators") {
        let entries = &node.table("a table with the permutation of each name")?.entries;
        return Ok(entries.iter().map(Generator::of).collect());
    }
    let actions = table.need("actions")?.list("a list of permutations")?;
    let names = table.need("names")?;
    let list = names.list("a list of names")?;
    if list.len() != actions.len() {
        let (expected, found) = (actions.len(), list.len());
        return fault(
            names.at,
            format!("expected {expected} names, one of each action, found {found}"),
        );
    }
    let pairs = list.iter().zip(actions);
    pairs
        .map(|(name, list)| Ok(Generator { at: name.at, name: name.text("a name")?, list }))
        .collect()
}

/// A permutation in array form, whose numbers are below `positions`.
pub(super) fn array(node: &Node, positions: usize) -> Result<Array, Fault> {
    let numbers = node.numbers("a position", positions, positions.min(MOST_POSITIONS))?;
    let array: Array = numbers.into_iter().map(|from| from as u16).collect();
    crate::definition::check_array(&array, positions)
        .or_else(|Invalid(why)| fault(node.at, why))?;
    Ok(array)
}

/// Labels of a state: texts or whole numbers.
fn labels(node: &Node) -> Result<Vec<Word>, Fault> {
    let label = |node: &Node| match &node.value {
        Value::Whole(number) => Ok(Word { at: node.at, text: number.to_string() }),
        Value::Text(text, _) => Ok(Word { at: node.at, text: text.clone() }),
        _ => node.refused("a label, a text or a whole number"),
    };
    node.list("a list of labels")?.iter().map(label).collect()
}

fn name(root: &Table) -> Result<String, Fault> {
    match root.get("name").or_else(|| root.get("competition")) {
        Some(node) => Ok(node.text("a name")?.to_owned()),
        None => Ok(String::new()),
    }
}

fn id(root: &Table) -> String {
    match root.get("puzzle_id").map(|node| &node.value) {
        Some(Value::Whole(number)) => number.to_string(),
        Some(Value::Text(text, _)) => text.clone(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::read::{read, samples};

    fn error(text: &str) -> String {
        read("a.json", text).unwrap_err().to_string()
    }

    #[test]
    fn results_have_a_goal_and_a_start() {
        let definition = &read("a.json", samples::RESULT).unwrap()[0];
        assert_eq!((&*definition.name, &*definition.starts[0].id), ("Toy", "7"));
        let start: Vec<u16> =
            definition.starts[0].state.iter().map(|&label| u16::from(label)).collect();
        assert_eq!(start, samples::R);
        let list = samples::RESULT
            .replacen("\"proof\"", "\"solutions\": [{\"proof\"", 1)
            .replacen("}}", "}}]}", 1)
            .replace("\"R\"", "\"-r\"");
        let listed = &read("a.json", &list).unwrap()[0];
        assert_eq!((&listed.goal, &listed.starts), (&definition.goal, &definition.starts));
        let names: Vec<_> = listed.moves.iter().map(|step| &*step.name).collect();
        assert_eq!(names, ["-r", "r", "S", "-S"]);
        let plain = r#"{"names": ["r"], "actions": [[1, 2, 0]], "central_state": ["A", "B", "A"]}"#;
        let plain = &read("a.json", plain).unwrap()[0];
        assert_eq!(
            (&plain.goal[..], &plain.labels[..]),
            (&[0, 1, 0][..], &["A", "B"].map(str::to_owned)[..])
        );
    }

    #[test]
    fn malformed_files_are_rejected_with_their_positions() {
        for (from, to, expected) in [
            (
                "[0, 1, 2, 9,",
                "[0, 1, 2, 20,",
                "line 3, column 11: expected a position from 0 to 19, found 20",
            ),
            (
                "[0, 1, 2, 9,",
                "[0, 1, 2, 10,",
                "line 3, column 1: no permutation: position 10 occurs twice",
            ),
            (
                "[0, 1, 2, 9,",
                "[0, 1, 9,",
                "line 3, column 1: expected a list of 20 numbers, found 19",
            ),
            (
                "[0, 1, 2, 9,",
                "[0, 1, \"2\", 9,",
                "line 3, column 8: expected a position from 0 to 19, found the text `2`",
            ),
            ("\"S\", ", "", "line 5, column 10: expected 3 names, one of each action, found 2"),
            ("\"S\"", "\"R\"", "line 5, column 16: two moves are called `R`"),
            (
                "\"S\"",
                "\"S 1\"",
                "line 5, column 16: expected a name of a move without blanks, `;` and `=`, found `S 1`",
            ),
            ("\"names\"", "\"name\"", "line 1, column 1: expected the key `names`, found none"),
        ] {
            assert!(samples::ACTIONS.contains(from), "{from}");
            assert_eq!(error(&samples::ACTIONS.replacen(from, to, 1)), expected, "{to}");
        }
        let start = samples::RESULT.replace("e\": [5,", "e\": [6,");
        assert_eq!(
            error(&start),
            "line 6, column 18: expected the label `5` 1 times as in the goal, found it 0 times"
        );
        assert_eq!(
            error(&samples::RESULT.replace("e\": [5,", "e\": [25,")),
            "line 6, column 19: expected a label of the goal, found `25`"
        );
        assert_eq!(
            error(r#"{"solutions": []}"#),
            "line 1, column 15: expected a result with `proof`, found an empty list"
        );
    }
}
