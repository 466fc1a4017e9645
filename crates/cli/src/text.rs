//! Records in words.
//!
//! A single record is shown as a short paragraph with the solution on a line of its own. Several
//! records are shown as a line each. The solution ends the line, so that the edge of a terminal
//! cuts off only the solution.

use unriddle_catalog::units::{count_of, printable, show_bytes, show_count, show_seconds};
use unriddle_catalog::{Limit, Record, Status, record::Unit};

/// Name of the independent checker in records.
const INDEPENDENT: &str = "check";

/// Preparations of less than this many seconds are not worth a word.
const WORTH_A_WORD: f64 = 0.001;

/// A number of things, `many` being their plural: `1 move`, `1,024 moves`.
pub(crate) fn count(number: i64, many: &str) -> String {
    match number {
        ..0 => format!("-{} {many}", show_count(number.unsigned_abs())),
        _ => count_of(number.unsigned_abs(), many),
    }
}

/// A value with its unit: `12 coins`, or `12.50 coins` if values count hundredths. `many` is the
/// puzzle's unit, and `part` the unit of values that differs from it.
pub(crate) fn amount(value: i64, part: Option<&Unit>, many: &str) -> String {
    match part {
        None => count(value, many),
        Some(part) if part.decimals() == 0 => count(value, part.name()),
        Some(part) => format!("{} {}", decimal(value, part), part.name()),
    }
}

/// A value without the name of its unit.
pub(crate) fn bare(value: i64, part: Option<&Unit>) -> String {
    let part = part.filter(|part| part.decimals() > 0);
    part.map_or_else(|| value.to_string(), |part| decimal(value, part))
}

/// A value in whole units, its thousands apart.
fn decimal(value: i64, part: &Unit) -> String {
    let text = part.text(value);
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    let (sign, digits) = match whole.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", whole),
    };
    let whole = digits.parse().map_or_else(|_| digits.to_owned(), show_count);
    format!("{sign}{whole}.{decimals}")
}

/// The limit that ended a search.
pub(crate) fn stop(record: &Record) -> &'static str {
    match record.stopped_by.as_deref() {
        Some(name) if name == Limit::Time.name() => "stopped by the time limit",
        Some(name) if name == Limit::Memory.name() => "stopped by the memory limit",
        Some(name) if name == Limit::Expansions.name() => "stopped by the limit of expanded states",
        Some(name) if name == Limit::Generated.name() => "stopped by the limit of generated states",
        Some(name) if name == Limit::Cancelled.name() => "cancelled",
        _ => "stopped by a limit",
    }
}

/// Why there is no answer.
pub(crate) fn lack(record: &Record) -> String {
    match record.status {
        // A reason names the limit that ended the search.
        Status::Exhausted if record.reason.is_some() => {
            "no solution found, and no proof".to_owned()
        }
        Status::Exhausted => "no solution found, nothing left to try, and no proof".to_owned(),
        Status::Unsupported => "not supported".to_owned(),
        Status::Refused => "not an instance".to_owned(),
        Status::Crashed => "crashed".to_owned(),
        _ => format!("no solution: {}", stop(record)),
    }
}

/// The outcome in a few words.
fn verdict(record: &Record, unit: &str) -> String {
    let part = record.unit.as_ref();
    let bare = |value: i64| bare(value, part);
    // Proved bound of the optimum, below or above.
    let bound = |show: &dyn Fn(i64) -> String| match (record.lower_bound, record.upper_bound) {
        (Some(bound), _) => Some(format!("at least {}", show(bound))),
        (None, Some(bound)) => Some(format!("at most {}", show(bound))),
        (None, None) => None,
    };
    let mut parts = Vec::new();
    match (record.status, record.value) {
        (Status::Unsolvable, _) => parts.push("unsolvable, proved".to_owned()),
        (_, None) => {
            parts.push(lack(record));
            parts.extend(bound(&|bound| amount(bound, part, unit)));
        }
        (status, Some(value)) => {
            let value = amount(value, part, unit);
            let already = record.length == Some(0);
            parts.push(if already { format!("{value} (already solved)") } else { value });
            match status {
                Status::Optimal => parts.push("proved optimal".to_owned()),
                Status::Stopped => {
                    parts.extend(bound(&bare));
                    parts.push(stop(record).to_owned());
                }
                _ => parts.extend(bound(&bare)),
            }
        }
    }
    parts.extend(record.checked.map(|is_right| match (is_right, record.checked_by.as_deref()) {
        (false, _) => "REFUSED BY THE CHECKER".to_owned(),
        (true, Some(other)) if other != INDEPENDENT => format!("checked by {other}"),
        (true, _) => "checked".to_owned(),
    }));
    parts.extend(record.certified.map(|is_right| match is_right {
        true => "certified".to_owned(),
        false => "THE CERTIFICATE IS REFUSED BY THE CHECKER".to_owned(),
    }));
    if let Some(others) = &record.others {
        let count = count(others.len() as i64 + 1, "solutions");
        parts.push(format!("{count} of this value"));
    }
    let mut text = parts.join(", ");
    if let Some(reason) = &record.reason {
        text += &format!(": {}", printable(reason));
    }
    text
}

/// Effort of a search: CPU time, and considerable preparation time and memory.
fn effort(record: &Record) -> String {
    let mut text = format!("{} of CPU time", show_seconds(record.cpu_s.unwrap_or(0.0)));
    let setup = record.setup_cpu_s.unwrap_or(0.0);
    if setup >= WORTH_A_WORD {
        text += &format!(" and {} to prepare", show_seconds(setup));
    }
    if record.peak_bytes >= 1 << 20 {
        text += &format!(", {}", show_bytes(record.peak_bytes));
    }
    text
}

/// The record in a line.
pub(crate) fn line(record: &Record, unit: &str) -> String {
    let mut text = format!("{}: {}", printable(&record.id), verdict(record, unit));
    if let Some(cpu) = record.cpu_s.filter(|_| record.expanded != Some(0)) {
        text += &format!(", {}", show_seconds(cpu));
    }
    if let Some(solution) = record.solution.as_deref().filter(|solution| !solution.is_empty()) {
        text += &format!(": {solution}");
    }
    if let Some(named) = &record.named {
        text += &format!(" = {named}");
    }
    text
}

/// The record as a short paragraph.
pub(crate) fn paragraph(record: &Record, unit: &str) -> String {
    let mut text = String::new();
    if let Some(solution) = record.solution.as_deref().filter(|solution| !solution.is_empty()) {
        text += &format!("{solution}\n");
    }
    if let Some(named) = &record.named {
        text += &format!("{named}\n");
    }
    for other in record.others.iter().flatten() {
        text += &format!("{other}\n");
    }
    text += &format!("{}\n", verdict(record, unit));
    // An instance that is unsolvable without a search has no effort to report.
    if record.expanded == Some(0) && record.status == Status::Unsolvable {
        return text;
    }
    text += &format!("{}: ", record.solver);
    if let (Some(expanded), Some(generated)) = (record.expanded, record.generated) {
        text += &format!(
            "{} expanded, {} generated, ",
            count(expanded as i64, "states"),
            show_count(generated)
        );
    }
    text + &format!("{}\n", effort(record))
}

/// A line that fits in a number of columns.
pub(crate) fn clip(line: &str, columns: usize) -> String {
    match line.char_indices().nth(columns) {
        None => line.to_owned(),
        Some(_) => line.chars().take(columns.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Whether a limit of the whole run came before the instance's search began.
pub(crate) fn not_begun(record: &Record) -> bool {
    let limits = [Limit::Time.name(), Limit::Cancelled.name()];
    record.status == Status::Stopped
        && record.expanded == Some(0)
        && record.stopped_by.as_deref().is_some_and(|limit| limits.contains(&limit))
}

#[cfg(test)]
mod tests {
    use super::{Unit, amount, clip, count};

    #[test]
    fn numbers_have_their_plural() {
        assert_eq!(count(1, "moves"), "1 move");
        assert_eq!(count(0, "moves"), "0 moves");
        assert_eq!(count(-1, "points"), "-1 points");
        assert_eq!(count(12_345, "points"), "12,345 points");
        let cents = Unit::parts(2, "coins");
        let said = [1, 100, -123_456_789].map(|value| amount(value, cents.as_ref(), "coins"));
        assert_eq!(said, ["0.01 coins", "1.00 coins", "-1,234,567.89 coins"]);
        assert_eq!(amount(1, None, "coins"), "1 coin");
        let points = Unit::other(0, "points");
        assert_eq!(amount(-1234, points.as_ref(), "coins"), "-1,234 points");
    }

    #[test]
    fn lines_are_cut_at_the_edge() {
        assert_eq!(clip("abcd", 4), "abcd");
        assert_eq!(clip("abcde", 4), "abc…");
        assert_eq!(clip("µµµµµ", 2), "µ…");
    }
}
