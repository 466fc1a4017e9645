//! Reports as one page of HTML without scripts or anything from elsewhere.

use super::{
    answer::Validation,
    text::{footer, lines},
};
use crate::interface::{
    diagram::html_text,
    section::{Block, Column, Points, Section},
};
use std::fmt::Write as _;

const STYLE: &str = "\
body{font-family:system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;line-height:1.45;color:#1b1b1b}
table{border-collapse:collapse;margin:.5rem 0 1rem}td,th{padding:.2rem .7rem;text-align:left;border-bottom:1px solid #ddd}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}section{border-top:2px solid #888;margin-top:2rem}
.bar{display:inline-block;height:.8rem;background:#0072b2}.solvable{color:#00663f}.unsolvable{color:#a33b00}.unknown{color:#6b5b00}
svg{max-width:100%;height:auto}code{overflow-wrap:anywhere}";

/// Length of the longest bar, in pixels.
const WIDEST: f64 = 300.0;

/// Draws points as SVG; `None` if they cannot be drawn.
pub type Drawer<'d> = &'d dyn Fn(&Points) -> Option<String>;

/// The page.
#[must_use]
pub fn html(validations: &[Validation], draw: Drawer<'_>) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Validation</title>\
         <style>{STYLE}</style></head><body>\n<h1>Validation</h1>\n"
    );
    if validations.len() > 1 {
        overview(&mut out, validations);
    }
    for (i, validation) in validations.iter().enumerate() {
        whole(&mut out, i, validation, draw);
    }
    out + "</body></html>\n"
}

/// A table of all instances.
fn overview(out: &mut String, validations: &[Validation]) {
    *out += "<table><tr><th>instance</th><th>verdict</th><th class=\"n\">best found</th>\
             <th class=\"n\">proved bound</th><th>proved optimal</th><th class=\"n\">states expanded</th>\
             <th>duplicate of</th><th class=\"n\">CPU seconds</th></tr>\n";
    for (i, validation) in validations.iter().enumerate() {
        let number = |n: Option<i64>| n.map_or_else(String::new, |n| n.to_string());
        let verdict = validation.verdict.name();
        let expanded = validation.effort.map(|effort| effort.expanded.to_string());
        let same = validation.duplicate_of.as_ref();
        let same = same.map(|other| html_text(&other.id)).or_else(|| {
            let like = validation.like.as_ref()?;
            Some(format!("nearly {}: only {} differs", html_text(&like.id), like.but))
        });
        // Writing to a string does not fail, here and below.
        let _ = writeln!(
            out,
            "<tr><td><a href=\"#p{i}\">{}</a></td><td class=\"{verdict}\">{verdict}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td>{}</td><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{:.2}</td></tr>",
            html_text(&validation.id),
            number(validation.value),
            number(validation.lower_bound.or(validation.upper_bound)),
            if validation.optimal { "yes" } else { "" },
            expanded.unwrap_or_default(),
            same.unwrap_or_default(),
            validation.cpu_s
        );
    }
    *out += "</table>\n";
}

fn whole(out: &mut String, number: usize, validation: &Validation, draw: Drawer<'_>) {
    let _ = writeln!(
        out,
        "<section id=\"p{number}\"><h2>{}</h2>\n<p class=\"{}\"><strong>{}</strong></p>",
        html_text(&validation.id),
        validation.verdict.name(),
        html_text(&validation.headline())
    );
    let lines = lines(validation);
    if !lines.is_empty() {
        list(out, &lines);
    }
    if let Some(drawing) = &validation.drawing {
        *out += drawing;
    }
    if let Some(solution) = validation.solution.as_deref().filter(|text| !text.is_empty()) {
        let _ = writeln!(out, "<p>Solution: <code>{}</code></p>", html_text(solution));
    }
    for section in &validation.sections {
        of_section(out, section, draw);
    }
    let _ = writeln!(out, "<p>{}</p></section>", footer(validation));
}

fn list(out: &mut String, lines: &[String]) {
    let items = lines.iter().map(|line| format!("<li>{}</li>\n", html_text(line)));
    let _ = writeln!(out, "<ul>\n{}</ul>", items.collect::<String>());
}

fn of_section(out: &mut String, section: &Section, draw: Drawer<'_>) {
    let _ = writeln!(out, "<h3>{}</h3>", html_text(&section.title));
    for block in &section.blocks {
        match block {
            Block::Line(line) => {
                let _ = writeln!(out, "<p>{}</p>", html_text(line));
            }
            Block::List(lines) => list(out, lines),
            Block::Table { columns, rows } => table(out, columns, rows),
            Block::Bars(bars) => {
                let most = bars.iter().map(|bar| bar.length).fold(0.0, f64::max);
                *out += "<table>\n";
                for bar in bars {
                    let width = if most > 0.0 { WIDEST * bar.length / most } else { 0.0 };
                    let _ = writeln!(
                        out,
                        "<tr><td class=\"n\">{}</td><td><span class=\"bar\" style=\"width:{width:.0}px\"></span> {}</td></tr>",
                        html_text(&bar.label),
                        html_text(&bar.text)
                    );
                }
                *out += "</table>\n";
            }
            Block::Points(points) => *out += &draw(points).unwrap_or_default(),
        }
    }
}

fn table(out: &mut String, columns: &[Column], rows: &[Vec<String>]) {
    let class = |column: &Column| if column.is_number { " class=\"n\"" } else { "" };
    let head = columns
        .iter()
        .map(|column| format!("<th{}>{}</th>", class(column), html_text(&column.head)));
    let _ = writeln!(out, "<table><tr>{}</tr>", head.collect::<String>());
    for row in rows {
        let cells = row.iter().zip(columns);
        let cells =
            cells.map(|(cell, column)| format!("<td{}>{}</td>", class(column), html_text(cell)));
        let _ = writeln!(out, "<tr>{}</tr>", cells.collect::<String>());
    }
    *out += "</table>\n";
}
