//! Review of a line of play. Each position has a verdict, solvable or lost, and the best value that
//! can still be reached; each action has its loss.
//!
//! A [`Line`] has the positions of the played actions as instances of their own. Their records, by
//! any solver and in any order, make a [`Review`]: the proof of one record also holds for positions
//! before or after it. [`text`] and [`html`] write reviews for people; the fields of a review are
//! the fields of its JSON form.
//!
//! ```no_run
//! use unriddle_catalog::{Registry, Request, Spec, record, review::{Line, Review, text}};
//! # fn example(registry: &Registry, request: &Request<'_>) -> Result<(), Box<dyn std::error::Error>> {
//! let (family, puzzle) = registry.puzzle("tiles")?;
//! let instance = puzzle.load("1 2 3 4 0 5 7 8 6")?;
//! let line = Line::read(family, &*puzzle, &*instance, "U L")?;
//! let solve = |at: usize| {
//!     let position = line.instance(at)?;
//!     record::solve(registry, "1", &puzzle.spec(), position, request, &mut ()).ok()
//! };
//! let records: Vec<_> = (0..line.len()).map(solve).collect();
//! print!("{}", text(&Review::new("1", &line, &records)));
//! # Ok(())
//! # }
//! ```

mod html;
mod line;
mod text;

pub use html::html;
pub use line::Line;
pub use text::text;

use super::record::Record;
use crate::interface::values::{Aim, Status};
use serde::Serialize;

/// Version of the form of a review.
pub const SCHEMA: u32 = 1;

/// Whether a position can be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// A solution from here is known, and checked.
    Solvable,
    /// No solution exists from here, by a proof.
    Lost,
    /// Neither is known within the limits.
    Unknown,
}

impl Verdict {
    /// The word for reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Solvable => "solvable",
            Self::Lost => "lost",
            Self::Unknown => "unknown",
        }
    }
}

/// A position of a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Position {
    /// The action that led to it, as people write it; `None` at the start.
    pub action: Option<String>,
    /// The position as an instance of its own.
    pub instance: String,
    /// Cost or score of the actions so far.
    pub value: i64,
    /// Whether it can be solved.
    pub verdict: Verdict,
    /// The best known value of a whole game through this position.
    pub best: Option<i64>,
    /// The proved bound of that value: from below for a cost, from above for a score.
    pub bound: Option<i64>,
    /// Least loss of the best value by the action that led here.
    pub loss: Option<i64>,
    /// Greatest loss, where it is known.
    pub most_loss: Option<i64>,
    /// Whether the action that led here made a solvable position a lost one.
    pub loses: bool,
    /// A better action.
    pub better: Option<String>,
}

impl Position {
    /// Whether the best value is known.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.best.is_some() && self.best == self.bound
    }
}

/// Review of a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Review {
    /// Version of this form.
    pub schema: u32,
    /// Name of the instance.
    pub id: String,
    /// Spec of the puzzle.
    pub puzzle: String,
    /// Unit of the values.
    pub unit: &'static str,
    /// Whether less or more is better.
    #[serde(skip)]
    pub aim: Aim,
    /// Whether the line ends at a solution.
    pub solved: bool,
    /// Number of the action, counted from 1, that made a solvable position a lost one.
    pub losing: Option<usize>,
    /// The start and the position after each action.
    pub positions: Vec<Position>,
    /// Drawings of the positions, where they are needed.
    #[serde(skip)]
    drawings: Vec<String>,
}

impl Review {
    /// The review of a line by the records of its positions, which may be missing.
    #[must_use]
    pub fn new(id: &str, line: &Line<'_>, records: &[Option<Record>]) -> Self {
        let mut found: Vec<Found> = (0..line.len())
            .map(|at| Found::of(line, at, records.get(at).and_then(Option::as_ref)))
            .collect();
        combine(&mut found, line.aim());
        let positions: Vec<Position> =
            (0..line.len()).map(|at| position(line, at, &found)).collect();
        Self {
            schema: SCHEMA,
            id: id.to_owned(),
            puzzle: line.puzzle(),
            unit: line.unit(),
            aim: line.aim(),
            solved: line.is_solved(),
            losing: positions.iter().position(|position| position.loses),
            positions,
            drawings: Vec::new(),
        }
    }

    /// The review with drawings of the positions, for a page.
    #[must_use]
    pub fn drawn(self, line: &Line<'_>) -> Self {
        Self { drawings: line.drawings(), ..self }
    }

    /// Number of positions with a verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.positions.iter().filter(|position| position.verdict == verdict).count()
    }
}

/// Facts about a position.
struct Found {
    verdict: Verdict,
    /// Best known value of a game through the position.
    best: Option<i64>,
    /// Bound of it.
    bound: Option<i64>,
    /// First action of the solution that was found.
    first: Option<String>,
}

impl Found {
    /// Facts about a position from its record.
    fn of(line: &Line<'_>, at: usize, record: Option<&Record>) -> Self {
        if line.is_end(at) {
            let value = Some(line.value(at));
            return Self { verdict: Verdict::Solvable, best: value, bound: value, first: None };
        }
        let mut found = Self { verdict: Verdict::Unknown, best: None, bound: None, first: None };
        let Some(record) = record.filter(|record| record.checked != Some(false)) else {
            return found;
        };
        if record.status == Status::Unsolvable {
            found.verdict = Verdict::Lost;
            return found;
        }
        let through = record.solution.as_deref().and_then(|text| line.continued(at, text));
        if let Some((value, first)) = through {
            found.verdict = Verdict::Solvable;
            found.best = Some(value);
            found.first = first;
        }
        // The value of the actions before is the same for all games through the position.
        let before = match (found.best, record.value, line.aim()) {
            (Some(whole), Some(rest), _) => Some(whole - rest),
            (_, _, Aim::Cost) => Some(line.value(at)),
            _ => None,
        };
        let bound = record.lower_bound.or(record.upper_bound);
        let bound = bound.or(record.value.filter(|_| record.status == Status::Optimal));
        found.bound = bound.zip(before).map(|(bound, before)| bound + before);
        found
    }
}

/// Extends the facts of each position to its neighbours: a game through a position contains the
/// positions before it.
fn combine(found: &mut [Found], aim: Aim) {
    let better = |a: i64, b: i64| if aim == Aim::Score { a.max(b) } else { a.min(b) };
    let weaker = |a: i64, b: i64| if aim == Aim::Score { a.min(b) } else { a.max(b) };
    let pick = |a: Option<i64>, b: Option<i64>, choose: &dyn Fn(i64, i64) -> i64| match (a, b) {
        (Some(a), Some(b)) => Some(choose(a, b)),
        (a, b) => a.or(b),
    };
    for at in (1..found.len()).rev() {
        let (before, after) = found.split_at_mut(at);
        let (before, after) = (&mut before[at - 1], &after[0]);
        if after.verdict == Verdict::Solvable {
            before.verdict = Verdict::Solvable;
        }
        let best = pick(before.best, after.best, &better);
        if best != before.best {
            (before.best, before.first) = (best, None);
        }
    }
    for at in 1..found.len() {
        let (before, after) = found.split_at_mut(at);
        let (before, after) = (&before[at - 1], &mut after[0]);
        if before.verdict == Verdict::Lost {
            after.verdict = Verdict::Lost;
        }
        after.bound = pick(after.bound, before.bound, &weaker);
    }
}

/// The position of an index, with the loss of the action before.
fn position(line: &Line<'_>, at: usize, found: &[Found]) -> Position {
    let here = &found[at];
    let mut position = Position {
        action: line.action(at).map(str::to_owned),
        instance: line.text(at),
        value: line.value(at),
        verdict: here.verdict,
        best: here.best.filter(|_| here.verdict != Verdict::Lost),
        bound: here.bound.filter(|_| here.verdict != Verdict::Lost),
        loss: None,
        most_loss: None,
        loses: false,
        better: None,
    };
    let Some(before) = at.checked_sub(1).map(|before| &found[before]) else {
        return position;
    };
    position.loses = (before.verdict, here.verdict) == (Verdict::Solvable, Verdict::Lost);
    if position.loses {
        position.better.clone_from(&before.first);
        return position;
    }
    let worse = |from: i64, to: i64| if line.aim() == Aim::Score { from - to } else { to - from };
    // At least: from the best that was known before to the bound after.
    position.loss = before.best.zip(here.bound).map(|(from, to)| worse(from, to).max(0));
    position.most_loss = before.bound.zip(here.best).map(|(from, to)| worse(from, to).max(0));
    if position.loss.is_some_and(|loss| loss > 0) {
        position.better.clone_from(&before.first);
    }
    position
}
