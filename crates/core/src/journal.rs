//! Journals: finished pieces of a long search, kept outside of the process that explored them.
//!
//! Iterative deepening divides an iteration into subtrees that are independent of each other. A
//! search with a [`Journal`] adds each explored subtree as a [`Piece`], and takes over the pieces
//! that the journal knows already: pieces of a run that was killed, or of other processes of the
//! same search. Results do not depend on the pieces that a journal knows.

use crate::Cost;
use std::time::Duration;

/// An explored subtree of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Bound of the iteration.
    pub bound: u64,
    /// Number of subtrees of the iteration.
    pub pieces: u64,
    /// Number of this one, from 0.
    pub number: u64,
    /// Expanded states.
    pub expanded: u64,
    /// Generated states.
    pub generated: u64,
    /// Smallest f above the bound, or [`u64::MAX`].
    pub next: u64,
    /// Cost of the goal that was found, which ends the subtree's search.
    pub goal: Option<Cost>,
    /// CPU time.
    pub cpu: Duration,
}

impl Piece {
    /// Name of each field of [`text`](Self::text), separated by commas.
    pub const FIELDS: &str = "bound,pieces,number,expanded,generated,next,goal,cpu_ns";

    /// The fields, separated by commas. A field without a value is empty.
    ///
    /// ```
    /// use std::time::Duration;
    /// use unriddle_core::journal::Piece;
    ///
    /// let cpu = Duration::from_nanos(2_500);
    /// let (expanded, generated, next) = (40, 85, 101);
    /// let piece = Piece { bound: 99, pieces: 8, number: 3, expanded, generated, next, goal: None, cpu };
    /// assert_eq!(piece.text(), "99,8,3,40,85,101,,2500");
    /// assert_eq!(Piece::read(&piece.text()), Some(piece));
    /// assert_eq!(Piece::read("99,8,3,40,85,101,,"), None);
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        let Self { bound, pieces, number, expanded, generated, .. } = self;
        let next = if self.next == u64::MAX { String::new() } else { self.next.to_string() };
        let goal = self.goal.map(|goal| goal.to_string()).unwrap_or_default();
        let cpu = self.cpu.as_nanos();
        format!("{bound},{pieces},{number},{expanded},{generated},{next},{goal},{cpu}")
    }

    /// Reads a [`text`](Self::text); `None` if it is damaged.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let fields: Vec<&str> = text.split(',').collect();
        let [bound, pieces, number, expanded, generated, next, goal, cpu] = fields[..] else {
            return None;
        };
        let count = |text: &str| text.parse::<u64>().ok();
        Some(Self {
            bound: count(bound)?,
            pieces: count(pieces)?,
            number: count(number)?,
            expanded: count(expanded)?,
            generated: count(generated)?,
            next: if next.is_empty() { u64::MAX } else { count(next)? },
            goal: if goal.is_empty() { None } else { Some(goal.parse().ok()?) },
            cpu: Duration::from_nanos(count(cpu)?),
        })
    }
}

/// Journal of a search.
pub trait Journal: Sync {
    /// The known pieces of the iteration with this bound.
    ///
    /// # Errors
    /// The journal cannot be read, or is of another search.
    fn known(&self, bound: u64) -> Result<Vec<Piece>, String>;

    /// Adds a piece.
    ///
    /// # Errors
    /// The journal cannot be written.
    fn add(&self, piece: &Piece) -> Result<(), String>;

    /// Whether this process explores the piece with this number.
    fn is_mine(&self, number: u64) -> bool;

    /// Waits a moment for other processes, which have not explored `open` pieces of the iteration.
    fn wait(&self, open: usize);
}
