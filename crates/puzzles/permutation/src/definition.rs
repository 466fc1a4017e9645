//! Definition of a permutation puzzle: labelled positions, and moves that permute the labels.

use std::{collections::HashSet, fmt};

/// Most positions of a puzzle.
pub const MOST_POSITIONS: usize = 512;

/// Most different labels of a puzzle: a state stores each label in a byte.
pub const MOST_LABELS: usize = 256;

/// Most moves of a puzzle, with inverses and powers.
pub const MOST_MOVES: usize = 256;

/// Permutation in array form: the label at position `i` comes from position `self[i]`, so that
/// `after[i] = before[self[i]]`. Positions count from 0.
pub type Array = Vec<u16>;

/// Move of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Name, without blanks, `;` and `=`.
    pub name: String,
    /// Its permutation.
    pub array: Array,
}

/// Unfolded surface: rows of cells, each a position or empty.
pub type Net = Vec<Vec<Option<u16>>>;

/// State of an instance that a file contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Identifier of the instance; may be empty.
    pub id: String,
    /// The label of each position, as an index of [`Definition::labels`].
    pub state: Vec<u8>,
}

/// Puzzle whose moves permute labelled positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definition {
    /// Name for people; may be empty.
    pub name: String,
    /// Texts of the labels, without blanks and `;`.
    pub labels: Vec<String>,
    /// The label of each position of the goal, as an index of `labels`.
    pub goal: Vec<u8>,
    /// All moves, with inverses and powers.
    pub moves: Vec<Move>,
    /// Number of positions at which a solved state may differ from the goal.
    pub wildcards: usize,
    /// Forbidden states: no move may bring the label to the position.
    pub illegal: Vec<(u16, u8)>,
    /// Unfolded surface, for drawings.
    pub net: Option<Net>,
    /// Instances that the file of the puzzle contains.
    pub starts: Vec<Start>,
}

/// Reason why a definition is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid(pub String);

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Rejects an array that is no permutation of `positions` positions.
///
/// # Errors
/// The first index that is out of range or repeated.
pub fn check_array(array: &[u16], positions: usize) -> Result<(), Invalid> {
    if array.len() != positions {
        return Err(Invalid(format!("expected {positions} positions, found {}", array.len())));
    }
    let mut is_used = vec![false; positions];
    for &from in array {
        match is_used.get_mut(usize::from(from)) {
            None => {
                let most = positions - 1;
                return Err(Invalid(format!("position {from} is out of range 0 to {most}")));
            }
            Some(used) if *used => {
                return Err(Invalid(format!("no permutation: position {from} occurs twice")));
            }
            Some(used) => *used = true,
        }
    }
    Ok(())
}

/// The permutation that first applies `first`, then `second`.
#[must_use]
pub fn product(first: &[u16], second: &[u16]) -> Array {
    second.iter().map(|&from| first[usize::from(from)]).collect()
}

/// The permutation that undoes `array`.
#[must_use]
pub fn inverse(array: &[u16]) -> Array {
    let mut inverse = vec![0; array.len()];
    for (to, &from) in array.iter().enumerate() {
        inverse[usize::from(from)] = to as u16;
    }
    inverse
}

/// The identity of `positions` positions.
#[must_use]
pub fn identity(positions: usize) -> Array {
    (0..positions as u16).collect()
}

/// Order of a permutation: the least number of repetitions that change nothing, saturated at
/// `u64::MAX`.
#[must_use]
pub fn order(array: &[u16]) -> u64 {
    let gcd = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    cycles(array).iter().fold(1, |order: u64, cycle| {
        let length = cycle.len() as u64;
        order.saturating_mul(length / gcd(order, length))
    })
}

/// The cycles of a permutation with at least two positions: a cycle `(a, b, c)` has `array[a] = b`
/// and `array[b] = c`.
#[must_use]
pub fn cycles(array: &[u16]) -> Vec<Vec<u16>> {
    let mut is_seen = vec![false; array.len()];
    let mut cycles = Vec::new();
    for first in 0..array.len() {
        let mut cycle = Vec::new();
        let mut at = first;
        while !is_seen[at] {
            is_seen[at] = true;
            cycle.push(at as u16);
            at = usize::from(array[at]);
        }
        if cycle.len() > 1 {
            cycles.push(cycle);
        }
    }
    cycles
}

/// Moves that a reader adds to the moves of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closure {
    /// Whether each move has an inverse.
    pub inverses: bool,
    /// Whether each move has all its powers, named `U2`, `U3` and so on; with `inverses` the
    /// shorter direction is named, as `U2'`.
    pub powers: bool,
}

impl Definition {
    /// Adds inverses and powers after each move. A permutation that a move of the file or an
    /// earlier move has is not added. `inverse_name` makes the name of an inverse.
    ///
    /// # Errors
    /// More moves than [`MOST_MOVES`].
    pub fn close(
        &mut self,
        closure: Closure,
        inverse_name: impl Fn(&str) -> String,
    ) -> Result<(), Invalid> {
        let base = std::mem::take(&mut self.moves);
        let mut known: HashSet<Array> = base.iter().map(|step| step.array.clone()).collect();
        known.insert(identity(self.goal.len()));
        for step in base {
            let mut derived = Vec::new();
            if closure.inverses {
                derived.push((inverse_name(&step.name), inverse(&step.array)));
            }
            if closure.powers {
                let order = order(&step.array);
                let most = if closure.inverses { order / 2 } else { order.saturating_sub(1) };
                let mut power = step.array.clone();
                for exponent in 2..=most.min(MOST_MOVES as u64 + 1) {
                    power = product(&power, &step.array);
                    let name = power_name(&step.name, exponent);
                    derived.push((name.clone(), power.clone()));
                    if closure.inverses {
                        derived.push((inverse_name(&name), inverse(&power)));
                    }
                }
            }
            self.moves.push(step);
            let new = derived.into_iter().filter(|(_, array)| known.insert(array.clone()));
            self.moves.extend(new.map(|(name, array)| Move { name, array }));
            if self.moves.len() > MOST_MOVES {
                return Err(Invalid(format!(
                    "expected at most {MOST_MOVES} moves with inverses and powers"
                )));
            }
        }
        Ok(())
    }

    /// Checks all parts: sizes, permutations, names, labels.
    ///
    /// # Errors
    /// The first part that is wrong.
    pub fn check(&self) -> Result<(), Invalid> {
        let refused = |why: String| Err(Invalid(why));
        let positions = self.goal.len();
        if positions == 0 || positions > MOST_POSITIONS {
            return refused(format!("expected 1 to {MOST_POSITIONS} positions, found {positions}"));
        }
        if self.labels.is_empty() || self.labels.len() > MOST_LABELS {
            return refused(format!(
                "expected 1 to {MOST_LABELS} different labels, found {}",
                self.labels.len()
            ));
        }
        let mut labels = HashSet::new();
        for label in &self.labels {
            check_word("label", label, &[';'])?;
            if !labels.insert(label) {
                return refused(format!("the label `{label}` is listed twice"));
            }
        }
        if self.moves.is_empty() || self.moves.len() > MOST_MOVES {
            return refused(format!(
                "expected 1 to {MOST_MOVES} moves, found {}",
                self.moves.len()
            ));
        }
        let mut names = HashSet::new();
        for Move { name, array } in &self.moves {
            check_word("name of a move", name, &[';', '='])?;
            if !names.insert(name) {
                return refused(format!("two moves are called `{name}`"));
            }
            check_array(array, positions)
                .map_err(|why| Invalid(format!("move `{name}`: {why}")))?;
        }
        let is_label = |&label: &u8| usize::from(label) < self.labels.len();
        let states =
            std::iter::once(&self.goal).chain(self.starts.iter().map(|start| &start.state));
        for state in states {
            if state.len() != positions || !state.iter().all(is_label) {
                return refused(format!("a state needs {positions} known labels"));
            }
        }
        if self.wildcards > positions {
            return refused(format!(
                "wildcards is {}, but there are {positions} positions",
                self.wildcards
            ));
        }
        for (position, label) in &self.illegal {
            if usize::from(*position) >= positions || !is_label(label) {
                return refused(format!("an illegal label has a position above {}", positions - 1));
            }
            if self.goal[usize::from(*position)] == *label {
                return refused(format!("the goal has an illegal label at position {position}"));
            }
        }
        let is_there = |cell: &Option<u16>| cell.is_none_or(|at| usize::from(at) < positions);
        if let Some(net) = &self.net
            && !net.iter().flatten().all(is_there)
        {
            return refused(format!("the net has a position above {}", positions - 1));
        }
        Ok(())
    }

    /// The index of a label.
    #[must_use]
    pub fn label(&self, text: &str) -> Option<u8> {
        self.labels.iter().position(|label| label == text).map(|at| at as u8)
    }
}

/// Name of a power: `U2`, or `D1^2` for a name that ends with a digit.
fn power_name(name: &str, exponent: u64) -> String {
    let separator = if name.ends_with(|sign: char| sign.is_ascii_digit()) { "^" } else { "" };
    format!("{name}{separator}{exponent}")
}

/// Rejects a word that the one-line form of an instance cannot contain.
fn check_word(what: &str, word: &str, refused: &[char]) -> Result<(), Invalid> {
    let is_bad = |sign: char| sign.is_whitespace() || refused.contains(&sign);
    match word.is_empty() || word.contains(is_bad) {
        false => Ok(()),
        true => Err(Invalid(format!(
            "the {what} `{word}` is empty or contains a blank or one of `{}`",
            refused.iter().collect::<String>()
        ))),
    }
}
