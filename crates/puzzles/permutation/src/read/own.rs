//! Our own form of a permutation puzzle: a TOML file.
//!
//! ```toml
//! name = "Ring of six"
//! # The label of each position: between blanks, or one word with a label in each character.
//! # Without it `positions = 6` makes all positions different, with the labels 0 to 5.
//! solved = "AABBCC"
//! inverses = true      # each move has an inverse: R'
//! powers = false       # each move has its powers too: R2, R3
//! wildcards = 0        # number of positions at which a solved state may differ from `solved`
//! # Positions on a drawing; a dot is an empty cell.
//! net = """
//! 0 1 2
//! 5 4 3
//! """
//! # No move may bring one of these labels to the position.
//! illegal = [{ position = 3, labels = ["A"] }]
//!
//! [moves]
//! # Array: the label at position 0 comes from position 1, at position 1 from position 2.
//! R = [1, 2, 3, 4, 5, 0]
//! # Cycles: the label at position 0 comes from position 1, at position 1 from position 0.
//! S = "(0 1)"
//! # Moves that are played one after another, with powers and brackets.
//! T = { sequence = "R2 S R2'" }
//!
//! [[instances]]
//! id = "1"
//! start = "BAABCC"
//!
//! [[instances]]
//! id = "2"
//! scramble = "R S R'"
//! ```
//!
//! Positions count from 0. A puzzle of pieces with orientations declares them; then a move may
//! contain a permutation, and a change of orientation at each slot, for each kind of pieces:
//!
//! ```toml
//! [[pieces]]
//! name = "CORNERS"
//! count = 4
//! orientations = 3
//! solved = [0, 0, 1, 2]   # identical pieces have the same number; without it all are different
//!
//! [moves.R]
//! CORNERS = { permutation = [1, 2, 0, 3], orientation = [1, 0, 2, 0] }
//! ```
//!
//! The piece at slot i comes from slot `permutation[i]` and is turned by `orientation[i]`. Slot k
//! of slot i is position 3 i + k here; the positions of further pieces follow. The labels are
//! `C0a`, `C0b`, `C0c`, `C1a` and so on, unless `solved` gives others for all positions.

use super::{
    Fault, excerpt, fault, generators, kpuzzle,
    moves::{Derived, Moves, primed},
    pieces::{Orbit, Piece, Pieces, declare},
    states::{self, Cycles, Word, all_different, labels, split},
    tree::{self, Entry, Node, Table, Value},
};
use crate::definition::{Array, Closure, Definition, Invalid, MOST_POSITIONS, Start};

const KEYS: [&str; 11] = [
    "name",
    "solved",
    "positions",
    "inverses",
    "powers",
    "wildcards",
    "net",
    "illegal",
    "moves",
    "pieces",
    "instances",
];

/// Key of a sequence of moves.
const SEQUENCE: &str = "sequence";

/// Reads our own form.
pub(super) fn read(text: &str) -> Result<Definition, Fault> {
    let root = tree::toml(text)?;
    root.only(&KEYS)?;
    let mut definition = Definition::default();
    if let Some(name) = root.get("name") {
        name.text("a name")?.clone_into(&mut definition.name);
    }
    let (orbits, pieces) = match root.get("pieces") {
        Some(node) => {
            let (orbits, pieces) = pieces(node)?;
            (orbits, Some(pieces))
        }
        None => (Vec::new(), None),
    };
    goal(&root, pieces.as_ref(), &mut definition)?;
    let positions = definition.goal.len();
    if let Some(node) = root.get("wildcards") {
        definition.wildcards = node.number("a number of positions", 0, positions)?;
    }
    if let Some(node) = root.get("net") {
        definition.net = Some(net(node, positions)?);
    }
    if let Some(node) = root.get("illegal") {
        definition.illegal = illegal(node, &definition)?;
    }
    let listed = root.need("moves")?;
    let reader = MoveReader { positions, orbits: &orbits, pieces: pieces.as_ref() };
    let moves = reader.all(listed)?;
    if let Some(node) = root.get("instances") {
        definition.starts = instances(node, &definition, &moves)?;
    }
    let flag = |key, default| root.get(key).map_or(Ok(default), Node::flag);
    let closure = Closure { inverses: flag("inverses", true)?, powers: flag("powers", false)? };
    moves.close(&mut definition, closure, primed).or_else(|Invalid(why)| fault(listed.at, why))?;
    Ok(definition)
}

fn pieces(node: &Node) -> Result<(Vec<Orbit>, Pieces), Fault> {
    let (mut orbits, mut solved) = (Vec::new(), Vec::new());
    for node in node.list("a list of tables `[[pieces]]`")? {
        let table = node.table("a table with `name` and `count`")?;
        table.only(&["name", "count", "orientations", "solved"])?;
        let named = table.need("name")?;
        let name = named.text("a name of pieces")?.to_owned();
        if name.is_empty() || name == SEQUENCE {
            return fault(named.at, format!("expected another name of pieces, found `{name}`"));
        }
        let count = |node: &Node| node.number("a number", 1, MOST_POSITIONS);
        let pieces = count(table.need("count")?)?;
        let orientations = table.get("orientations").map_or(Ok(1), count)?;
        declare(&mut orbits, named.at, Orbit { name, pieces, orientations })?;
        let numbers = match table.get("solved") {
            Some(node) => node.numbers("a piece", pieces, pieces)?,
            None => (0..pieces).collect(),
        };
        let piece = |number| Piece { number: Some(number), orientation: 0, modulus: orientations };
        solved.push(numbers.into_iter().map(piece).collect());
    }
    let pieces = Pieces::new(node.at, &orbits, &solved)?;
    Ok((orbits, pieces))
}

/// Sets labels and goal.
fn goal(root: &Table, pieces: Option<&Pieces>, definition: &mut Definition) -> Result<(), Fault> {
    let positions = match root.get("positions") {
        Some(node) => Some((node.at, node.number("a number of positions", 1, MOST_POSITIONS)?)),
        None => None,
    };
    match (root.get("solved"), pieces, positions) {
        (Some(node), ..) => {
            let words = labels(node.text("a text of labels")?, node.content());
            states::set_goal(definition, node.at, &words)?;
        }
        (None, Some(pieces), _) => pieces.set_goal(definition),
        (None, None, Some((at, positions))) => {
            states::set_goal(definition, at, &all_different(at, positions, 0)?)?;
        }
        (None, None, None) => {
            return fault(0, "expected the key `solved`, `positions` or `pieces`, found none");
        }
    }
    let found = definition.goal.len();
    let at = root.get("solved").map_or(0, |node| node.at);
    if let Some(expected) = pieces.map(Pieces::positions).filter(|&expected| expected != found) {
        return fault(
            at,
            format!("expected {expected} labels as positions of pieces, found {found}"),
        );
    }
    match positions {
        Some((at, expected)) if expected != found => fault(
            at,
            format!("expected {found} positions as elsewhere in the file, found {expected}"),
        ),
        _ => Ok(()),
    }
}

fn net(node: &Node, positions: usize) -> Result<Vec<Vec<Option<u16>>>, Fault> {
    let text = node.text("rows of positions and dots")?;
    let mut used = vec![false; positions];
    let mut net = Vec::new();
    let mut at = node.content();
    for line in text.split_inclusive('\n') {
        let mut row = Vec::new();
        let words = split(line, at, char::is_whitespace);
        at += line.len();
        for Word { at, text } in words.iter().filter(|word| !word.text.is_empty()) {
            if text == "." {
                row.push(None);
                continue;
            }
            let most = positions.saturating_sub(1);
            let Some(position) = states::number(text, 0, most) else {
                let found = excerpt(text);
                return fault(
                    *at,
                    format!("expected a dot or a position from 0 to {most}, found `{found}`"),
                );
            };
            if std::mem::replace(&mut used[position], true) {
                return fault(*at, format!("position {position} occurs twice in the net"));
            }
            row.push(Some(position as u16));
        }
        if !row.is_empty() {
            net.push(row);
        }
    }
    match net.is_empty() {
        false => Ok(net),
        true => fault(node.at, "expected rows of positions and dots, found none"),
    }
}

fn illegal(node: &Node, definition: &Definition) -> Result<Vec<(u16, u8)>, Fault> {
    let mut illegal = Vec::new();
    for node in node.list("a list of tables with `position` and `labels`")? {
        let table = node.table("a table with `position` and `labels`")?;
        table.only(&["position", "labels"])?;
        let most = definition.goal.len().saturating_sub(1);
        let position = table.need("position")?.number("a position", 0, most)? as u16;
        for node in table.need("labels")?.list("a list of labels")? {
            match definition.label(node.text("a label")?) {
                Some(label) if definition.goal.get(usize::from(position)) == Some(&label) => {
                    return node.refused("a label that the solved state has elsewhere");
                }
                Some(label) => illegal.push((position, label)),
                None => return node.refused("a label of the solved state"),
            }
        }
    }
    Ok(illegal)
}

/// Reader of the moves of a puzzle.
struct MoveReader<'p> {
    positions: usize,
    orbits: &'p [Orbit],
    pieces: Option<&'p Pieces>,
}

impl MoveReader<'_> {
    fn all(&self, listed: &Node) -> Result<Moves, Fault> {
        let mut moves = Moves::new(self.positions);
        let mut derived = Vec::new();
        for Entry { at, key, value } in &listed.table("a table `[moves]`")?.entries {
            let sequence = match &value.value {
                Value::Table(table) => table.get(SEQUENCE).map(|sequence| (table, sequence)),
                _ => None,
            };
            let Some((table, sequence)) = sequence else {
                moves.push(*at, key, self.array(value)?)?;
                continue;
            };
            table.only(&[SEQUENCE])?;
            derived.push(Derived {
                at: *at,
                name: key.clone(),
                content: sequence.content(),
                sequence: sequence.text("a sequence of moves")?.to_owned(),
                is_word: false,
            });
        }
        moves.derive(derived, false)?;
        Ok(moves)
    }

    fn array(&self, node: &Node) -> Result<Array, Fault> {
        match (&node.value, self.pieces) {
            (Value::List(_), _) => generators::array(node, self.positions),
            (Value::Text(text, content), _) => {
                let cycles = Cycles::read(text, *content, 0)?;
                match cycles.end() > self.positions {
                    false => Ok(cycles.array(self.positions)),
                    true => {
                        let (most, found) = (self.positions - 1, cycles.end() - 1);
                        fault(
                            node.at,
                            format!("expected positions from 0 to {most}, found {found}"),
                        )
                    }
                }
            }
            (Value::Table(table), Some(pieces)) => {
                let names: Vec<_> = self.orbits.iter().map(|orbit| &*orbit.name).collect();
                table.only(&names)?;
                let keys = ["permutation", "orientation"];
                let motion = |orbit: &Orbit| {
                    let Some(node) = table.get(&orbit.name) else { return Ok(None) };
                    node.table("a table with `permutation`")?.only(&keys)?;
                    kpuzzle::motion(orbit, node, keys).map(Some)
                };
                let motions: Vec<_> = self.orbits.iter().map(motion).collect::<Result<_, _>>()?;
                Ok(pieces.array(&motions))
            }
            (Value::Table(table), None) => {
                table.only(&[SEQUENCE])?;
                node.refused("a list of positions, cycles or a sequence")
            }
            _ => node.refused("a list of positions, cycles or a sequence"),
        }
    }
}

fn instances(node: &Node, definition: &Definition, moves: &Moves) -> Result<Vec<Start>, Fault> {
    let mut starts: Vec<Start> = Vec::new();
    for node in node.list("a list of tables `[[instances]]`")? {
        let table = node.table("a table with `start` or `scramble`")?;
        table.only(&["id", "start", "scramble"])?;
        let id = match table.get("id") {
            Some(node) => {
                let id = node.text("an identifier")?.to_owned();
                if starts.iter().any(|other| other.id == id) {
                    return fault(node.at, format!("two instances are called `{}`", excerpt(&id)));
                }
                id
            }
            None => String::new(),
        };
        let state = match (table.get("start"), table.get("scramble")) {
            (Some(start), None) => {
                let words = labels(start.text("a text of labels")?, start.content());
                states::state(definition, start.at, &words)?
            }
            (None, Some(scramble)) => {
                let array =
                    moves.total(scramble.content(), scramble.text("a sequence of moves")?)?;
                array.iter().map(|&from| definition.goal[usize::from(from)]).collect()
            }
            _ => return fault(node.at, "expected either `start` or `scramble`"),
        };
        starts.push(Start { id, state });
    }
    Ok(starts)
}

#[cfg(test)]
mod tests;
