//! The verifier: a second, deliberately naive implementation of every puzzle's rules.
//!
//! It reads the same texts as a person (the puzzle's spec, an instance, a solution), shares no code
//! with the fast implementation, and depends only on the standard library. Boards are plain
//! vectors, every action is tested by the words of the rule, and nothing is optimised: a mistake
//! would have to be made twice, in two different ways, to stay unnoticed.
//!
//! A puzzle is one module with a loader that returns a `Position`, and one line in `PUZZLES`. The
//! puzzles are sliding tiles (`tiles`), FreeCell (`freecell`), SameGame (`samegame`), Morpion
//! Solitaire (`morpion`), party building (`party`), quadratic assignment (`qap`), Lights Out
//! (`lightsout`), Rubik's cube (`cube`), Sokoban (`sokoban`) and permutation puzzles
//! (`permutation`). Their modules describe the texts of instances and solutions.
//!
//! ```
//! let verdict = unriddle_check::verify("tiles", "1 2 3  4 5 6  7 0 8", "L")?;
//! assert_eq!((verdict.value, verdict.length), (1, 1));
//! let error = unriddle_check::verify("tiles", "1 2 3  4 5 6  7 0 8", "RR").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "move 2 (`R`) is illegal: the blank is in row 3, column 1, and no tile is to its left",
//! );
//! # Ok::<(), unriddle_check::CheckError>(())
//! ```

#![forbid(unsafe_code)]

mod cube;
mod freecell;
mod json;
mod lightsout;
mod morpion;
mod party;
mod permutation;
mod qap;
mod samegame;
mod sokoban;
mod spec;
mod text;
mod tiles;

use std::fmt;

/// Value and length of a correct solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The objective: moves, pushes, score, price, cost.
    pub value: i64,
    /// Number of actions of the solution.
    pub length: u64,
}

/// Reason why a text could not be checked, or why a solution is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// The puzzle has no rules here, or its spec cannot be read.
    Puzzle(String),
    /// The instance is invalid.
    Instance(String),
    /// The solution cannot be read.
    Solution(String),
    /// The certificate is invalid, or does not prove its claim.
    Certificate(String),
    /// An action is against the rules.
    Illegal {
        /// Number of the action, counted from 1.
        number: u64,
        /// The text of the action.
        action: String,
        /// The rule that the action breaks.
        why: String,
    },
    /// All actions are legal, but the last state is not a goal (for a puzzle with points: no end).
    NotGoal {
        /// Number of actions that were played.
        length: u64,
        /// The missing condition.
        how: String,
    },
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Puzzle(why) => write!(f, "puzzle: {why}"),
            Self::Instance(why) => write!(f, "instance: {why}"),
            Self::Solution(why) => write!(f, "solution: {why}"),
            Self::Certificate(why) => write!(f, "certificate: {why}"),
            Self::Illegal { number, action, why } => {
                write!(f, "move {number} (`{action}`) is illegal: {why}")
            }
            Self::NotGoal { length, how } => {
                let moves = text::count(*length as usize, "move", "moves");
                write!(f, "after {moves} the goal is not reached: {how}")
            }
        }
    }
}

impl std::error::Error for CheckError {}

/// A position in play. Texts of actions and positions are in the puzzle's standard notation.
trait Position {
    /// The solution's actions, one text each.
    fn split(&self, solution: &str) -> Result<Vec<String>, String>;
    /// All legal actions.
    fn legal_actions(&self) -> Vec<String>;
    /// Plays an action. If it is illegal, returns the broken rule and changes nothing.
    fn apply(&mut self, action: &str) -> Result<(), String>;
    /// Plays the actions that the puzzle's notation omits, and returns their number.
    fn settle(&mut self) -> u64 {
        0
    }
    /// The missing condition of a goal; `None` if the position is a goal.
    fn missing(&self) -> Option<String>;
    /// The objective of the actions played so far.
    fn value(&self) -> i64;
    /// The position as an instance.
    fn text(&self) -> String;
    /// The goal as an instance, if the goal is unique.
    fn goal(&self) -> Option<String> {
        None
    }
    /// Follows a certificate. Returns the value below which it proves that there is no solution;
    /// `None` if it proves that there is no solution at all.
    fn certificate(&self, text: &str) -> Result<Option<i64>, String> {
        let _ = text;
        Err("this puzzle has no certificates".to_owned())
    }
    /// Returns to the start, if the position supports it; returns whether it does.
    fn rewind(&mut self) -> bool {
        false
    }
}

type Loaded = Result<Box<dyn Position>, CheckError>;

/// Reads an instance under the options of the puzzle's spec.
type Loader = fn(&spec::Options, &str) -> Loaded;

/// The result of a loader that has read its options.
fn loaded(position: Result<impl Position + 'static, String>) -> Loaded {
    position.map(|position| Box::new(position) as _).map_err(CheckError::Instance)
}

/// The puzzles with rules in this crate.
const PUZZLES: &[(&str, Loader)] = &[
    ("tiles", tiles::load),
    ("freecell", freecell::load),
    ("samegame", samegame::load),
    ("morpion", morpion::load),
    ("party", party::load),
    ("qap", qap::load),
    ("lightsout", lightsout::load),
    ("cube", cube::load),
    ("sokoban", sokoban::load),
    ("permutation", permutation::load),
];

fn load(puzzle: &str, instance: &str) -> Loaded {
    let (name, options) = spec::read(puzzle).map_err(CheckError::Puzzle)?;
    match PUZZLES.iter().find(|(known, _)| *known == name) {
        Some((_, loader)) => loader(&options, instance),
        None => {
            let known: Vec<&str> = PUZZLES.iter().map(|(name, _)| *name).collect();
            let (name, known) = (text::start(&name, 40), known.join(", "));
            Err(CheckError::Puzzle(format!("there are no rules for `{name}` (only for {known})")))
        }
    }
}

/// Whether there are rules for the puzzle of this spec (such as `tiles` or
/// `tiles(goal=blank-first)`).
#[must_use]
pub fn is_known(puzzle: &str) -> bool {
    spec::read(puzzle).is_ok_and(|(name, _)| PUZZLES.iter().any(|(known, _)| *known == name))
}

/// Plays a solution from the instance and returns its value and length.
///
/// # Errors
/// The first mistake: a text that cannot be read, an illegal action, or a last state that is no
/// goal.
pub fn verify(puzzle: &str, instance: &str, solution: &str) -> Result<Verdict, CheckError> {
    play(&mut *load(puzzle, instance)?, solution)
}

/// Follows a certificate step by step. Returns the value below which it proves that there is no
/// solution; `None` if it proves that there is no solution at all. The puzzle's module describes
/// the format of certificates.
///
/// # Errors
/// A text that cannot be read, or the first step that does not follow.
pub fn verify_certificate(
    puzzle: &str,
    instance: &str,
    certificate: &str,
) -> Result<Option<i64>, CheckError> {
    let proved = load(puzzle, instance)?.certificate(certificate);
    proved.map_err(CheckError::Certificate)
}

/// Plays each of many solutions from the instance, which is read once where its puzzle allows it.
///
/// # Errors
/// A puzzle or an instance that cannot be read; for each solution the error of [`verify`].
#[allow(clippy::type_complexity)]
pub fn verify_all<'s>(
    puzzle: &str,
    instance: &str,
    solutions: impl IntoIterator<Item = &'s str>,
) -> Result<Vec<Result<Verdict, CheckError>>, CheckError> {
    let mut position = load(puzzle, instance)?;
    let mut verdicts = Vec::new();
    for solution in solutions {
        if !position.rewind() {
            position = load(puzzle, instance)?;
        }
        verdicts.push(play(&mut *position, solution));
    }
    Ok(verdicts)
}

fn play(position: &mut dyn Position, solution: &str) -> Result<Verdict, CheckError> {
    let mut length = position.settle();
    for (number, action) in (1..).zip(position.split(solution).map_err(CheckError::Solution)?) {
        if let Err(why) = position.apply(&action) {
            return Err(CheckError::Illegal { number, action, why });
        }
        length += 1 + position.settle();
    }
    match position.missing() {
        None => Ok(Verdict { value: position.value(), length }),
        Some(how) => Err(CheckError::NotGoal { length, how }),
    }
}

/// All legal actions of a position, in no particular order.
///
/// # Errors
/// A puzzle or an instance that cannot be read.
pub fn legal_actions(puzzle: &str, instance: &str) -> Result<Vec<String>, CheckError> {
    Ok(load(puzzle, instance)?.legal_actions())
}

/// The position after one action.
///
/// # Errors
/// A text that cannot be read, or an illegal action (as move 1).
pub fn apply(puzzle: &str, instance: &str, action: &str) -> Result<String, CheckError> {
    let mut position = load(puzzle, instance)?;
    match position.apply(action) {
        Ok(()) => Ok(position.text()),
        Err(why) => Err(CheckError::Illegal { number: 1, action: action.to_owned(), why }),
    }
}

/// Whether a position is a goal.
///
/// # Errors
/// A puzzle or an instance that cannot be read.
pub fn is_goal(puzzle: &str, instance: &str) -> Result<bool, CheckError> {
    Ok(load(puzzle, instance)?.missing().is_none())
}

/// The goal of the puzzle to which the instance belongs (its size matters); `None` if there are
/// several goals.
///
/// # Errors
/// A puzzle or an instance that cannot be read.
pub fn goal(puzzle: &str, instance: &str) -> Result<Option<String>, CheckError> {
    Ok(load(puzzle, instance)?.goal())
}
