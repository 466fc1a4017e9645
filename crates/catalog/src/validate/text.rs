//! A validation as text.

use super::{Near, Validation, front};
use std::fmt::Write as _;

/// Width of the longest bar of a histogram, in characters.
const WIDEST: u64 = 40;

/// The report on one instance.
#[must_use]
pub fn text(validation: &Validation) -> String {
    let mut out = format!("{}: {}\n", validation.id, validation.headline());
    // Writing to a string does not fail, here and below.
    let _ = writeln!(
        out,
        "  {} items; {}",
        validation.items,
        validation.requirements.join("; ")
    );
    if validation.checked == Some(false) {
        let why = validation.reason.as_deref().unwrap_or("");
        let _ = writeln!(out, "  REFUSED BY THE CHECKER: {why}");
    }
    if let Some(conflict) = &validation.conflict {
        let minimal = match conflict.minimal {
            true => "each of them is needed for it",
            false => "perhaps not all of them are needed for it",
        };
        let _ = writeln!(out, "  These contradict each other ({minimal}):");
        for condition in &conflict.conditions {
            let _ = writeln!(out, "    {condition}");
        }
    }
    if let Some(table) = &validation.table {
        let lines = table.lines().map(|line| format!("  {line}\n"));
        out.extend(lines);
    }
    if let Some(near) = &validation.near {
        near_text(&mut out, near);
    }
    let most = validation.prices.iter().map(|bar| bar.teams).max();
    if let Some(most) = most.filter(|&most| most > 0) {
        out += "  Prices of teams that were built at random:\n";
        for bar in &validation.prices {
            let width = (bar.teams * WIDEST).div_ceil(most) as usize;
            let _ = writeln!(
                out,
                "    {:>9} to {:<9} {:>4} {}",
                bar.from,
                bar.to,
                bar.teams,
                "#".repeat(width)
            );
        }
    }
    if !validation.changes.is_empty() {
        out += "  With a requirement one step looser or tighter:\n";
        for change in &validation.changes {
            let _ = writeln!(
                out,
                "    {:<44} {:<16} {:<22} {}",
                change.requirement,
                change.change,
                change.priced(),
                change.differs()
            );
        }
    }
    if let Some(found) = &validation.front {
        front::text(&mut out, found);
    }
    let _ = writeln!(
        out,
        "  {:.2} s of CPU time, seed {}",
        validation.cpu_s, validation.seed
    );
    out
}

fn near_text(out: &mut String, near: &Near) {
    let many = match near.exact {
        true => "",
        false => "at least ",
    };
    let _ = writeln!(
        out,
        "  {many}{} teams cost {} or less; two of them differ in {:.0} % of their items on average",
        near.teams,
        near.price,
        100.0 * near.diversity
    );
    let used = near.used.iter().take(8).map(|used| {
        let name = used.name.clone().unwrap_or_else(|| used.item.to_string());
        format!("{name} in {:.0} %", 100.0 * used.share)
    });
    let _ = writeln!(out, "  Most used: {}", used.collect::<Vec<_>>().join(", "));
}
