//! Validations as one page of HTML without scripts or anything from elsewhere.

use super::{Validation, Verdict, front};
use std::fmt::Write as _;

const STYLE: &str = "\
body{font-family:system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;line-height:1.45;color:#1b1b1b}
table{border-collapse:collapse;margin:.5rem 0 1rem}td,th{padding:.2rem .7rem;text-align:left;border-bottom:1px solid #ddd}
td.n{text-align:right;font-variant-numeric:tabular-nums}section{border-top:2px solid #888;margin-top:2rem}
.bar{display:inline-block;height:.8rem;background:#0072b2}.solvable{color:#00663f}.unsolvable{color:#a33b00}.unknown{color:#6b5b00}
svg{max-width:100%;height:auto}";

/// Text without meaning to HTML.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            _ => out.push(c),
        }
    }
    out
}

/// The page.
#[must_use]
pub fn html(validations: &[Validation]) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Validation</title>\
         <style>{STYLE}</style></head><body>\n<h1>Validation</h1>\n"
    );
    if validations.len() > 1 {
        out += "<table><tr><th>puzzle</th><th>verdict</th><th>price</th><th>bound</th><th>s</th></tr>\n";
        for (i, validation) in validations.iter().enumerate() {
            let number = |n: Option<i64>| n.map_or_else(String::new, |n| n.to_string());
            // Writing to a string does not fail, here and below.
            let _ = writeln!(
                out,
                "<tr><td><a href=\"#p{i}\">{}</a></td><td class=\"{}\">{}</td><td class=\"n\">{}</td>\
                 <td class=\"n\">{}</td><td class=\"n\">{:.2}</td></tr>",
                plain(&validation.id),
                class(validation.verdict),
                class(validation.verdict),
                number(validation.price),
                number(validation.lower_bound),
                validation.cpu_s
            );
        }
        out += "</table>\n";
    }
    for (i, validation) in validations.iter().enumerate() {
        section(&mut out, i, validation);
    }
    out + "</body></html>\n"
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Solvable => "solvable",
        Verdict::Unsolvable => "unsolvable",
        Verdict::Unknown => "unknown",
    }
}

fn section(out: &mut String, number: usize, validation: &Validation) {
    let _ = writeln!(
        out,
        "<section id=\"p{number}\"><h2>{}</h2>\n<p class=\"{}\"><strong>{}</strong></p>\n<ul>",
        plain(&validation.id),
        class(validation.verdict),
        plain(&validation.headline())
    );
    for requirement in &validation.requirements {
        let _ = writeln!(out, "<li>{}</li>", plain(requirement));
    }
    let _ = writeln!(out, "</ul>\n<p>{} items</p>", validation.items);
    if validation.checked == Some(false) {
        let why = validation.reason.as_deref().unwrap_or("");
        let _ = writeln!(
            out,
            "<p><strong>Refused by the checker:</strong> {}</p>",
            plain(why)
        );
    }
    if let Some(conflict) = &validation.conflict {
        let minimal = match conflict.minimal {
            true => "each of them is needed for it",
            false => "perhaps not all of them are needed for it",
        };
        let _ = writeln!(out, "<p>These contradict each other ({minimal}):</p><ul>");
        for condition in &conflict.conditions {
            let _ = writeln!(out, "<li>{}</li>", plain(condition));
        }
        *out += "</ul>\n";
    }
    if let Some(drawing) = &validation.drawing {
        *out += drawing;
    }
    if let Some(near) = &validation.near {
        let many = if near.exact { "" } else { "At least " };
        let _ = writeln!(
            out,
            "<h3>Near the cheapest</h3>\n<p>{many}{} teams cost {} or less; two of them differ in {:.0} % of their items on \
             average.</p>\n<table><tr><th>item</th><th>in</th></tr>",
            near.teams,
            near.price,
            100.0 * near.diversity
        );
        for used in &near.used {
            let name = used.name.clone().unwrap_or_else(|| used.item.to_string());
            let share = 100.0 * used.share;
            let _ = writeln!(
                out,
                "<tr><td>{}</td><td><span class=\"bar\" style=\"width:{share:.0}px\"></span> {share:.0} %</td></tr>",
                plain(&name)
            );
        }
        *out += "</table>\n";
    }
    let most = validation.prices.iter().map(|bar| bar.teams).max();
    if let Some(most) = most.filter(|&most| most > 0) {
        *out += "<h3>Prices of teams that were built at random</h3>\n<table>\n";
        for bar in &validation.prices {
            let _ = writeln!(
                out,
                "<tr><td class=\"n\">{} to {}</td><td><span class=\"bar\" style=\"width:{}px\"></span> {}</td></tr>",
                bar.from,
                bar.to,
                bar.teams * 300 / most,
                bar.teams
            );
        }
        *out += "</table>\n";
    }
    if !validation.changes.is_empty() {
        *out += "<h3>What requirements cost</h3>\n<table><tr><th>requirement</th><th>changed to</th><th>price</th>\
                 <th>difference</th></tr>\n";
        for change in &validation.changes {
            let _ = writeln!(
                out,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td></tr>",
                plain(&change.requirement),
                plain(&change.change),
                plain(&change.priced()),
                change.differs()
            );
        }
        *out += "</table>\n";
    }
    if let Some(found) = &validation.front {
        front::html(out, found);
    }
    let _ = writeln!(
        out,
        "<p>{:.2} s of CPU time, seed {}</p></section>",
        validation.cpu_s, validation.seed
    );
}
