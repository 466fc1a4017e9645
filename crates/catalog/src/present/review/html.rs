//! Reviews as one page of HTML without scripts or anything from elsewhere.

use super::{Position, Review, Verdict};
use crate::interface::diagram::html_text;
use std::fmt::Write as _;

const STYLE: &str = "\
body{font-family:system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;line-height:1.45;color:#1b1b1b;background:#fff}
table{border-collapse:collapse;margin:.5rem 0 1rem}td,th{padding:.2rem .7rem;text-align:left;border-bottom:1px solid #ddd;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}section{border-top:2px solid #888;margin-top:2rem}
.strip{display:flex;flex-wrap:wrap;gap:2px;margin:1rem 0;padding:0;list-style:none}
.strip a{display:block;min-width:1.2rem;padding:.15rem .2rem;text-align:center;text-decoration:none;color:#fff}
.solvable{color:#00663f}.lost{color:#a33b00}.unknown{color:#6b5b00}
.strip .solvable{background:#00663f}.strip .lost{background:#a33b00}.strip .unknown{background:#6b5b00}
tr.loses{background:#fbe9e0}svg{max-width:16rem;height:auto}
@media (prefers-color-scheme:dark){body{color:#e8e8e8;background:#181818}td,th{border-color:#444}
.solvable{color:#5ec99a}.lost{color:#ff9a6b}.unknown{color:#d8c15a}tr.loses{background:#43230f}}";

/// Sign of a verdict, for readers who see no colours.
fn sign(position: &Position) -> &'static str {
    match (position.verdict, position.loses) {
        (_, true) => "✗!",
        (Verdict::Solvable, _) => "✓",
        (Verdict::Lost, _) => "✗",
        (Verdict::Unknown, _) => "?",
    }
}

/// The page.
#[must_use]
pub fn html(reviews: &[Review]) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>Review</title>\
         <style>{STYLE}</style></head><body>\n<h1>Review</h1>\n"
    );
    for (number, review) in reviews.iter().enumerate() {
        whole(&mut out, number, review);
    }
    out + "</body></html>\n"
}

fn whole(out: &mut String, number: usize, review: &Review) {
    // Writing to a string does not fail, here and below.
    let _ = writeln!(
        out,
        "<section><h2>{}</h2>\n<p><strong>{}</strong></p>\n<ol class=\"strip\" start=\"0\">",
        html_text(&review.id),
        html_text(&review.headline())
    );
    for (at, position) in review.positions.iter().enumerate() {
        let _ = writeln!(
            out,
            "<li><a class=\"{}\" href=\"#p{number}-{at}\" title=\"{at}: {}\">{}</a></li>",
            position.verdict.name(),
            position.verdict.name(),
            sign(position)
        );
    }
    let _ = writeln!(
        out,
        "</ol>\n<table><tr><th class=\"n\">number</th><th>action</th><th>position</th>\
         <th class=\"n\">{}</th><th>remark</th><th>drawing</th></tr>",
        review.head()
    );
    for (at, position) in review.positions.iter().enumerate() {
        let class = if position.loses { " class=\"loses\"" } else { "" };
        // A drawing of each position would hide the others.
        let is_drawn = at == 0
            || position.loses
            || position.loss.is_some_and(|loss| loss > 0)
            || at + 1 == review.positions.len();
        let drawing = review.drawings.get(at).filter(|_| is_drawn);
        let _ = writeln!(
            out,
            "<tr id=\"p{number}-{at}\"{class}><td class=\"n\">{at}</td><td>{}</td>\
             <td class=\"{}\">{} {}</td><td class=\"n\">{}</td><td>{}</td><td>{}</td></tr>",
            html_text(position.action.as_deref().unwrap_or("start")),
            position.verdict.name(),
            sign(position),
            position.verdict.name(),
            html_text(&review.left(position)),
            html_text(&review.remark(position)),
            drawing.map_or("", String::as_str)
        );
    }
    *out += "</table></section>\n";
}
