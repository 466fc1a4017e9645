//! Reader of KPuzzle JSON, the form of cubing.js and twips.
//!
//! Pieces and slots count from 0. A move brings piece `permutation[i]` to slot i and turns it by
//! `orientationDelta[i]`. An `orientationMod` of 0 shows all orientations of a piece, otherwise
//! orientations that are equal modulo that number are the same. Powers and inverses of moves are
//! moves. Derived moves are moves too, unless they are powers of other moves, or all together are
//! more than [`MOST_MOVES`](crate::definition::MOST_MOVES); then they are left out. Rotations of
//! the whole puzzle are moves as any others.

use super::{
    Fault, fault,
    moves::{Derived, Moves, primed},
    pieces::{Motion, Orbit, Piece, Pieces, declare},
    tree::{Node, Table, Value},
};
use crate::definition::{Closure, Definition, Invalid, MOST_POSITIONS};

/// Keys of which a KPuzzle has at least one.
pub(super) const KEYS: [&str; 3] = ["orbits", "defaultPattern", "derivedMoves"];

/// Reads a KPuzzle.
pub(super) fn read(root: &Table) -> Result<Definition, Fault> {
    let mut definition = Definition::default();
    if let Some(name) = root.get("name") {
        name.text("a name")?.clone_into(&mut definition.name);
    }
    let declared = root.need("orbits")?;
    let orbits = orbits(declared)?;
    let patterns = root.need("defaultPattern")?.table("a table with the pieces of each orbit")?;
    let solved: Vec<_> =
        orbits.iter().map(|orbit| pattern(orbit, patterns)).collect::<Result<_, _>>()?;
    let pieces = Pieces::new(declared.at, &orbits, &solved)?;
    pieces.set_goal(&mut definition);
    let mut moves = Moves::new(pieces.positions());
    let listed = root.need("moves")?;
    for entry in &listed.table("a table with moves")?.entries {
        let motions = entry.value.table("a table with the effect on each orbit")?;
        // Files contain moves of orbits that their puzzle does not have.
        let motion = |orbit: &Orbit| {
            let effect = |node: &Node| motion(orbit, node, ["permutation", "orientationDelta"]);
            motions.get(&orbit.name).map(effect).transpose()
        };
        let motions: Vec<_> = orbits.iter().map(motion).collect::<Result<_, _>>()?;
        moves.push(entry.at, &entry.key, pieces.array(&motions))?;
    }
    let base = moves.clone();
    let closure = Closure { inverses: true, powers: true };
    derive(root, &mut moves)?;
    moves
        .close(&mut definition, closure, primed)
        .or_else(|_| base.close(&mut definition, closure, primed))
        .or_else(|Invalid(why)| fault(listed.at, why))?;
    Ok(definition)
}

fn orbits(node: &Node) -> Result<Vec<Orbit>, Fault> {
    let mut orbits = Vec::new();
    for node in node.list("a list of orbits")? {
        let table = node.table("a table with `orbitName`, `numPieces` and `numOrientations`")?;
        let count = |key| table.need(key)?.number("a number", 1, MOST_POSITIONS);
        let orbit = Orbit {
            name: table.need("orbitName")?.text("the name of an orbit")?.to_owned(),
            pieces: count("numPieces")?,
            orientations: count("numOrientations")?,
        };
        declare(&mut orbits, node.at, orbit)?;
    }
    Ok(orbits)
}

/// The solved pieces of an orbit.
fn pattern(orbit: &Orbit, patterns: &Table) -> Result<Vec<Piece>, Fault> {
    let (places, orientations) = (orbit.pieces, orbit.orientations);
    let table = patterns.need(&orbit.name)?.table("a table with `pieces`")?;
    let numbers = table.need("pieces")?.numbers("a piece", places, places)?;
    let list = |key: &str, what, end| {
        let list = table.get(key).map(|node| node.numbers(what, places, end)).transpose()?;
        Ok(list.unwrap_or_else(|| vec![0; places]))
    };
    let turns = list("orientation", "an orientation", orientations)?;
    let moduli = list("orientationMod", "a divisor of the orientations", orientations + 1)?;
    let piece = |((number, orientation), modulus)| {
        let modulus = if modulus == 0 { orientations } else { modulus };
        Piece { number: Some(number), orientation, modulus }
    };
    let pieces: Vec<_> = numbers.into_iter().zip(turns).zip(moduli).map(piece).collect();
    match pieces.iter().position(|piece| !orientations.is_multiple_of(piece.modulus)) {
        None => Ok(pieces),
        Some(at) => {
            let found = pieces[at].modulus;
            let node = table.get("orientationMod").and_then(|node| node.list("").ok()?.get(at));
            let at = node.map_or(table.at, |node| node.at);
            fault(at, format!("expected a divisor of {orientations} orientations, found {found}"))
        }
    }
}

/// The effect of a move on an orbit; `keys` are the keys of its permutation and orientations.
pub(super) fn motion(orbit: &Orbit, node: &Node, keys: [&str; 2]) -> Result<Motion, Fault> {
    let table = node.table(&format!("a table with `{}` and `{}`", keys[0], keys[1]))?;
    let places = orbit.pieces;
    let list = table.need(keys[0])?;
    let permutation = list.numbers("a place", places, places)?;
    let delta = match table.get(keys[1]) {
        Some(node) => node.numbers("an orientation", places, orbit.orientations)?,
        None => vec![0; places],
    };
    Motion::new(list.at, permutation, delta)
}

/// Adds the moves that algorithms define. A move with the same name in `moves` has precedence.
fn derive(root: &Table, moves: &mut Moves) -> Result<(), Fault> {
    let mut all = Vec::new();
    let derived = root.get("derivedMoves").filter(|node| node.value != Value::Null);
    let Some(derived) = derived else { return Ok(()) };
    for entry in &derived.table("a table with algorithms")?.entries {
        let sequence = entry.value.text("an algorithm")?.to_owned();
        if !moves.contains(&entry.key) {
            let (name, content) = (entry.key.clone(), entry.value.content());
            all.push(Derived { at: entry.at, name, content, sequence, is_word: false });
        }
    }
    moves.derive(all, true)
}

#[cfg(test)]
mod tests {
    use crate::{
        definition::{Definition, product},
        read::{read, samples},
    };

    fn changed(from: &str, to: &str) -> Result<Definition, String> {
        assert!(samples::KPUZZLE.contains(from), "{from}");
        let read = read("a.json", &samples::KPUZZLE.replacen(from, to, 1));
        read.map(|mut all| all.remove(0)).map_err(|error| error.to_string())
    }

    #[test]
    fn derived_moves_are_moves_unless_they_are_known() {
        let derived = r#"}, "derivedMoves": { "x": "y'", "y": "R'", "T": "[R: S]", "W": "(T R)2" },
  "moves": {"#;
        let definition = changed("},\n  \"moves\": {", derived).unwrap();
        let names: Vec<_> = definition.moves.iter().map(|step| &*step.name).collect();
        assert_eq!(names[..8], ["R", "R'", "S", "S'", "T", "T'", "W", "W'"]);
        assert!(!names.contains(&"x") && !names.contains(&"y"));
        let array =
            |name: &str| &definition.moves.iter().find(|step| step.name == name).unwrap().array[..];
        assert_eq!(array("T"), product(&product(array("R"), array("S")), array("R'")));
    }

    #[test]
    fn too_many_derived_moves_are_left_out() {
        let moves = |count: usize| {
            let step = |n: usize| format!("\"D{n}x\": \"(R S){} (R S'){} R\"", n / 7, n % 7);
            let derived: Vec<_> = (0..count).map(step).collect();
            let derived =
                format!("}}, \"derivedMoves\": {{{}}},\n  \"moves\": {{", derived.join(","));
            changed("},\n  \"moves\": {", &derived).unwrap().moves.len()
        };
        assert!(moves(3) > 4);
        assert_eq!(moves(300), 4);
    }

    #[test]
    fn powers_are_moves() {
        let definition =
            changed(r#""permutation": [0, 2, 3, 1]"#, r#""permutation": [1, 2, 3, 0]"#).unwrap();
        let names =
            definition.moves.iter().map(|step| &*step.name).filter(|name| name.starts_with('R'));
        let expected = ["R", "R'", "R2", "R2'", "R3", "R3'", "R4", "R4'", "R5", "R5'", "R6"];
        assert_eq!(names.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn equal_pieces_and_orientations_share_labels() {
        let pattern = r#""pieces": [0, 0, 2, 2], "orientationMod": [1, 0, 3, 3], "orientation": [0, 0, 1, 0]"#;
        let definition =
            changed(r#""pieces": [0, 1, 2, 3], "orientation": [0, 0, 0, 0]"#, pattern).unwrap();
        let shown: Vec<_> = definition.goal[..12]
            .iter()
            .map(|&label| &*definition.labels[usize::from(label)])
            .collect();
        // The first kind of piece 0 has a single label, the second has three.
        let expected =
            ["C0", "C0", "C0", "C0b", "C0c", "C0d", "C2c", "C2a", "C2b", "C2a", "C2b", "C2c"];
        assert_eq!(shown, expected);
    }

    #[test]
    fn malformed_files_are_rejected_with_their_positions() {
        let place = "line 13, column 36: expected a place from 0 to 3, found 4";
        for (from, to, expected) in [
            ("[1, 2, 0, 3]", "[4, 2, 0, 3]", place),
            (
                "[1, 2, 0, 3]",
                "[1, 2, 2, 3]",
                "line 13, column 35: no permutation: position 2 occurs twice",
            ),
            (
                "[1, 0, 2, 0]",
                "[1, 0, 3, 0]",
                "line 13, column 76: expected an orientation from 0 to 2, found 3",
            ),
            (
                "[1, 0, 2, 0]",
                "[1, 0, 2]",
                "line 13, column 69: expected a list of 4 numbers, found 3",
            ),
            ("\"S\": {", "\"R\": {", "line 16, column 5: the key `R` occurs twice"),
            (
                "\"orientation\": [0, 0, 0, 0]",
                "\"orientationMod\": [0, 2, 3, 1]",
                "line 8, column 64: expected a divisor of 3 orientations, found 2",
            ),
            (
                "\"numPieces\": 4",
                "\"numPieces\": 4.5",
                "line 4, column 44: expected a number from 1 to 512, found a decimal",
            ),
            ("\"moves\"", "\"move\"", "line 1, column 1: expected the key `moves`, found none"),
            (
                "\"EDGES\": { \"p",
                "\"EDGE\": { \"p",
                "line 7, column 21: expected the key `EDGES`, found none",
            ),
            (
                "}\n}\n",
                "},\n\"derivedMoves\": {\"T\": \"R X\"}}",
                "line 21, column 26: expected a move of the puzzle, found `X`",
            ),
            (
                "\"name\": \"Toy\",",
                "\"name\": \"Toy\"",
                "line 3, column 3: expected `,` or `}`, found `\"`",
            ),
        ] {
            assert_eq!(changed(from, to).map(|_| ()), Err(expected.to_owned()), "{to}");
        }
    }
}
