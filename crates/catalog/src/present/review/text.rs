//! Reviews as text.

use super::{Position, Review, Verdict};
use crate::{
    interface::values::Aim,
    units::{count_of, printable, show_count},
};
use std::fmt::Write as _;

/// A value with its thousands apart.
fn shown(value: i64) -> String {
    let sign = if value < 0 { "−" } else { "" };
    format!("{sign}{}", show_count(value.unsigned_abs()))
}

impl Review {
    /// The result in a sentence.
    #[must_use]
    pub fn headline(&self) -> String {
        let start = &self.positions[0];
        let end = &self.positions[self.positions.len() - 1];
        let length = self.positions.len() - 1;
        if let Some(number) = self.losing {
            return format!("action {number} of {length} lost: no solution exists from then on");
        }
        match (start.verdict, end.verdict) {
            (Verdict::Lost, _) => "no solution exists from the start on".to_owned(),
            _ if self.solved => {
                let value = count_of(end.value.unsigned_abs(), self.unit);
                let value = if end.value < 0 { format!("−{value}") } else { value };
                match (start.best, start.is_exact()) {
                    (Some(best), true) if best == end.value => {
                        format!("solved, {value}, which is the best possible")
                    }
                    (Some(best), exact) => {
                        let known = if exact { "the best possible is" } else { "best known:" };
                        format!("solved, {value}; {known} {}", shown(best))
                    }
                    (None, _) => format!("solved, {value}"),
                }
            }
            (_, Verdict::Solvable) => "not solved yet, and still solvable".to_owned(),
            (_, Verdict::Lost) => {
                let first = self.positions.iter().position(|p| p.verdict == Verdict::Lost);
                format!("lost, at the latest by action {}", first.unwrap_or(length))
            }
            (_, Verdict::Unknown) => {
                "not solved yet; whether it is solvable is not known within the limits".to_owned()
            }
        }
    }

    /// Cost from a position to the solution, or the score of the best game through it.
    pub(super) fn left(&self, position: &Position) -> String {
        let of = |whole: i64| match self.aim {
            Aim::Score => whole,
            Aim::Cost | Aim::Assignment => whole - position.value,
        };
        let (best, bound) = (position.best.map(of), position.bound.map(of));
        match (best, bound) {
            (Some(best), Some(bound)) if best == bound => shown(best),
            (Some(best), Some(bound)) => {
                format!("{}…{}", shown(best.min(bound)), shown(best.max(bound)))
            }
            (Some(best), None) if self.aim == Aim::Score => format!("≥ {}", shown(best)),
            (Some(best), None) => format!("≤ {}", shown(best)),
            (None, Some(bound)) if self.aim == Aim::Score => format!("≤ {}", shown(bound)),
            (None, Some(bound)) => format!("≥ {}", shown(bound)),
            (None, None) => String::new(),
        }
    }

    /// Remark on the action that led to a position.
    pub(super) fn remark(&self, position: &Position) -> String {
        let lost = match (position.loses, position.loss, position.most_loss) {
            (true, ..) => "loses".to_owned(),
            (_, Some(0), Some(0)) => "best".to_owned(),
            (_, Some(least), Some(most)) if least == most => format!("{} worse", shown(least)),
            (_, Some(least), _) if least > 0 => format!("at least {} worse", shown(least)),
            _ => String::new(),
        };
        match &position.better {
            Some(better) => format!("{lost}; better: {}", printable(better)),
            None => lost,
        }
    }

    /// Head of the column of remaining costs, or of scores.
    pub(super) fn head(&self) -> &'static str {
        match self.aim {
            Aim::Score => "reachable",
            Aim::Cost | Aim::Assignment => "left",
        }
    }
}

/// The review as text: a line for each position.
#[must_use]
pub fn text(review: &Review) -> String {
    let mut out = format!("{}: {}\n", printable(&review.id), review.headline());
    let rows: Vec<[String; 5]> = (review.positions.iter().enumerate())
        .map(|(number, position)| {
            [
                number.to_string(),
                position.action.as_deref().map_or_else(|| "start".to_owned(), printable),
                position.verdict.name().to_owned(),
                review.left(position),
                review.remark(position),
            ]
        })
        .collect();
    let heads = ["", "action", "position", review.head(), ""].map(str::to_owned);
    let width = |column: usize| {
        let cells = rows.iter().chain([&heads]).map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths = [0, 1, 2, 3].map(width);
    for [number, action, verdict, left, remark] in [&heads].into_iter().chain(&rows) {
        let [a, b, c, d] = widths;
        let line = format!("  {number:>a$}  {action:<b$}  {verdict:<c$}  {left:>d$}  {remark}");
        // Writing to a string does not fail.
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}
