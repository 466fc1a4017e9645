//! What a designer is told of an instance: whether it can be solved and why not, the cheapest solution, how many come close
//! to it, and what each requirement costs.
//!
//! A [`Validation`] is made by an instance that [`validates`](crate::Extensions::validates); here it is written: its fields are
//! those of the JSON form, [`text`] and [`html()`] are for people.

mod front;
mod html;
mod text;

pub use front::{Front, Point};
pub use html::html;
pub(crate) use html::plain;
pub use text::text;

use serde::Serialize;
use unriddle_core::{Budget, Cancel};

/// Version of the JSON form.
pub const SCHEMA: u32 = 1;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Limits of the search for the cheapest solution; its flag ends the rest, too.
    pub budget: Budget,
    /// How many parts of the space the proof may look into.
    pub regions: u64,
    /// How much dearer a near solution may be, as a share of the price.
    pub near: f64,
    /// Searches of the front of price against synergy, each for one point at most and with the same limits; `None` for no front.
    pub front: Option<u64>,
    /// Seed of everything random.
    pub seed: u64,
}

/// Whether there is a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// There is.
    Solvable,
    /// It is proved that there is none.
    Unsolvable,
    /// Neither was found within the limits.
    Unknown,
}

/// All that is known of an instance.
#[derive(Clone, Debug, Serialize)]
pub struct Validation {
    /// Name of the instance.
    pub id: String,
    /// Spec of the puzzle.
    pub puzzle: String,
    /// What is required, in words.
    pub requirements: Vec<String>,
    /// Number of items.
    pub items: usize,
    /// Whether there is a solution.
    pub verdict: Verdict,
    /// Why there is none.
    pub conflict: Option<Conflict>,
    /// The cheapest solution found.
    pub solution: Option<String>,
    /// Its price.
    pub price: Option<i64>,
    /// No solution is cheaper.
    pub lower_bound: Option<i64>,
    /// Their difference, as a share of the bound.
    pub gap: Option<f64>,
    /// Whether it is proved that none is cheaper.
    pub optimal: bool,
    /// Whether the independent checker agrees.
    pub checked: Option<bool>,
    /// Why it does not.
    pub reason: Option<String>,
    /// Solutions that cost little more.
    pub near: Option<Near>,
    /// Prices of solutions that were built at random.
    pub prices: Vec<Bar>,
    /// What each requirement costs.
    pub changes: Vec<Change>,
    /// What synergy costs, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub front: Option<Front>,
    /// Seed.
    pub seed: u64,
    /// CPU seconds.
    pub cpu_s: f64,
    /// Wall seconds.
    pub wall_s: f64,
    /// Version of this form.
    pub schema: u32,
    /// The cheapest solution as SVG.
    #[serde(skip)]
    pub drawing: Option<String>,
    /// The same as a table of text.
    #[serde(skip)]
    pub table: Option<String>,
}

/// Conditions that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Conflict {
    /// In words.
    pub conditions: Vec<String>,
    /// Whether none of them could be missed.
    pub minimal: bool,
}

/// Solutions that cost little more than the cheapest.
#[derive(Clone, Debug, Serialize)]
pub struct Near {
    /// The highest price of one.
    pub price: i64,
    /// How many there are, by what they are made of.
    pub teams: u64,
    /// Whether those are all, and not only those that were found.
    pub exact: bool,
    /// Mean share of items that two of them do not have in common.
    pub diversity: f64,
    /// The items that most of them have.
    pub used: Vec<Used>,
}

/// An item of near solutions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Used {
    /// Its number.
    pub item: u32,
    /// Its name, if items have names.
    pub name: Option<String>,
    /// The share of them that have it.
    pub share: f64,
}

/// A bar of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bar {
    /// The lowest price.
    pub from: i64,
    /// The highest.
    pub to: i64,
    /// How many are within.
    pub teams: u64,
}

/// A requirement a step looser or tighter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The requirement as it is.
    pub requirement: String,
    /// The bound that is changed, as it then is.
    pub change: String,
    /// Whether it is tighter.
    pub tighter: bool,
    /// The price of the cheapest solution found then; none if there was none.
    pub price: Option<i64>,
    /// No solution is cheaper then; none if there is no solution.
    pub lower_bound: Option<i64>,
    /// By how much it is dearer.
    pub difference: Option<i64>,
}

/// What an archive of solutions of many kinds is asked for.
#[derive(Clone, Debug)]
pub struct ArchiveRequest {
    /// The features that tell kinds apart, in words.
    pub features: String,
    /// Solutions that are built or mended.
    pub evaluations: u64,
    /// Ends it early, with what is there.
    pub cancel: Cancel,
    /// Seed.
    pub seed: u64,
}

/// Solutions of many kinds, each the cheapest of its kind that was found.
#[derive(Clone, Debug)]
pub struct Archive {
    /// Names of the features.
    pub features: Vec<String>,
    /// How many kinds there are at the most.
    pub capacity: u64,
    /// Solutions that were built or mended.
    pub evaluations: u64,
    /// One for each kind that was found.
    pub cells: Vec<Cell>,
}

/// The cheapest solution of its kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its features.
    pub features: Vec<f64>,
    /// Its price.
    pub price: i64,
    /// The solution.
    pub solution: String,
    /// Whether the independent checker agrees.
    pub checked: bool,
}

impl Change {
    /// The price in words: proved, at most, none.
    fn priced(&self) -> String {
        match (self.price, self.lower_bound) {
            (Some(price), Some(bound)) if price == bound => price.to_string(),
            (Some(price), bound) => format!("{} to {price}", bound.unwrap_or(0)),
            (None, Some(bound)) => format!("none found, {bound} or more"),
            (None, None) => "no solution".to_owned(),
        }
    }

    fn differs(&self) -> String {
        match self.difference {
            Some(difference) => format!("{difference:+}"),
            None => String::new(),
        }
    }
}

impl Validation {
    /// The verdict in a sentence.
    #[must_use]
    pub fn headline(&self) -> String {
        match (self.verdict, self.price, self.lower_bound) {
            (Verdict::Solvable, Some(price), _) if self.optimal => {
                format!("solvable, {price} at the cheapest (proved)")
            }
            (Verdict::Solvable, Some(price), Some(bound)) => format!(
                "solvable, {price} at the most for the cheapest, {bound} at the least ({:.1} % apart)",
                100.0 * self.gap.unwrap_or(0.0)
            ),
            (Verdict::Solvable, ..) => "solvable".to_owned(),
            (Verdict::Unsolvable, ..) => "unsolvable (proved)".to_owned(),
            (Verdict::Unknown, ..) => {
                "unknown: neither a solution nor a proof was found".to_owned()
            }
        }
    }
}
