//! A report as text.

use super::answer::Validation;
use crate::interface::{
    section::{Block, Column, Section},
    structure::Structure,
    values::Aim,
};
use crate::units::printable;
use std::fmt::Write as _;

/// Width of the longest bar, in characters.
const WIDEST: f64 = 40.0;

/// The report on one instance.
#[must_use]
pub fn text(validation: &Validation) -> String {
    let mut out = format!("{}: {}\n", printable(&validation.id), validation.headline());
    for line in lines(validation) {
        // Writing to a string does not fail, here and below.
        let _ = writeln!(out, "  {line}");
    }
    if let Some(table) = &validation.table {
        let lines = table.lines().map(|line| format!("  {}\n", line.trim_end()));
        out.extend(lines);
    }
    for section in &validation.sections {
        self::section(&mut out, section);
    }
    let _ = writeln!(out, "  {}", footer(validation));
    out
}

/// The common part in sentences.
pub(super) fn lines(validation: &Validation) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(why) = &validation.refused {
        lines.push(format!("REFUSED BY THE CHECKER: {why}"));
    }
    lines.extend(validation.reasons.iter().cloned());
    if let Some(duplicate) = &validation.duplicate_of {
        let how = if duplicate.exact { "" } else { " (up to symmetry)" };
        lines.push(format!("duplicate of `{}`{how}", duplicate.id));
    }
    if let Some(like) = &validation.like {
        lines.push(format!("near duplicate of `{}`: only {} differs", like.id, like.but));
    }
    if let Some(effort) = &validation.effort {
        lines.push(format!(
            "reference solver {}: {} states expanded, {} generated, {:.2} s of CPU time",
            validation.solver, effort.expanded, effort.generated, effort.cpu_s
        ));
    }
    if let Some(structure) = &validation.structure {
        of_structure(&mut lines, validation, structure);
    }
    lines
}

fn of_structure(lines: &mut Vec<String>, validation: &Validation, found: &Structure) {
    let is_score = validation.aim == Aim::Score;
    if let Some(branching) = found.branching {
        lines.push(format!(
            "legal actions in each state of the solution: {:.1} on average ({} to {})",
            branching.mean, branching.least, branching.most
        ));
        lines.push(format!(
            "forced actions: {} of {} (the only legal one, except to undo the action before)",
            branching.forced,
            validation.length.unwrap_or(0)
        ));
    }
    if let Some(beside) = found.beside {
        let lost = match is_score {
            true => "lose the best score",
            false => "lead to a dead end, a state from which no goal is reachable",
        };
        let unknown = match beside.unknown {
            0 => String::new(),
            unknown => format!("; {unknown} are undecided within the limit `states`"),
        };
        lines.push(format!(
            "mistakes: {} of {} legal actions that the solution does not use {lost}{unknown}",
            beside.dead, beside.actions
        ));
    }
    if let Some(space) = found.space {
        let ends = if is_score { "final states" } else { "goals" };
        let dead = match is_score {
            true => String::new(),
            false => {
                let share = 100.0 * space.dead as f64 / space.states as f64;
                format!("; dead ends: {} ({share:.1} %)", space.dead)
            }
        };
        lines.push(format!("reachable states: {}; {ends}: {}{dead}", space.states, space.ends));
    }
    if let Some(count) = found.optimal_solutions {
        let order = match found.are_sets {
            true => "sets of actions: their order means nothing",
            false => "another order of actions is another solution",
        };
        lines.push(format!("optimal solutions: {count} ({order})"));
    }
    if let Some(random) = found.random {
        lines.push(format!(
            "{} random games: {} to {} {}, median {}, mean {:.1}; {:.1} actions per game on average",
            random.games,
            random.least,
            random.most,
            validation.unit,
            random.median,
            random.mean,
            random.length
        ));
    }
}

/// Time and seed.
pub(super) fn footer(validation: &Validation) -> String {
    format!("whole report: {:.2} s of CPU time, seed {}", validation.cpu_s, validation.seed)
}

fn section(out: &mut String, section: &Section) {
    let _ = writeln!(out, "  {}:", section.title);
    for block in &section.blocks {
        match block {
            Block::Line(line) => {
                let _ = writeln!(out, "    {line}");
            }
            Block::List(lines) => {
                for line in lines {
                    let _ = writeln!(out, "    {line}");
                }
            }
            Block::Table { columns, rows } => table(out, columns, rows),
            Block::Bars(bars) => {
                let most = bars.iter().map(|bar| bar.length).fold(0.0, f64::max);
                let label = bars.iter().map(|bar| bar.label.chars().count()).max();
                let text = bars.iter().map(|bar| bar.text.chars().count()).max();
                for bar in bars {
                    let width = if most > 0.0 { WIDEST * bar.length / most } else { 0.0 };
                    let line = format!(
                        "{:>2$}  {:>3$} {4}",
                        bar.label,
                        bar.text,
                        label.unwrap_or(0),
                        text.unwrap_or(0),
                        "#".repeat(width.ceil() as usize)
                    );
                    let _ = writeln!(out, "    {}", line.trim_end());
                }
            }
            // A drawing; its points are listed in a table beside it.
            Block::Points(_) => {}
        }
    }
}

/// Columns as wide as their widest cell.
fn table(out: &mut String, columns: &[Column], rows: &[Vec<String>]) {
    let width = |i: usize| {
        let cells = rows.iter().map(|row| row[i].chars().count());
        cells.chain([columns[i].head.chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let head: Vec<String> = columns.iter().map(|column| column.head.clone()).collect();
    for row in [&head].into_iter().chain(rows) {
        let cells = row.iter().zip(columns).zip(&widths);
        let cells = cells.map(|((cell, column), &width)| match column.is_number {
            true => format!("{cell:>width$}"),
            false => format!("{cell:<width$}"),
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        let _ = writeln!(out, "    {}", line.trim_end());
    }
}
