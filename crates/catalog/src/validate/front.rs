//! What synergy costs: a front of price against synergy.

use super::html::plain;
use serde::Serialize;
use std::fmt::Write as _;

/// Solutions none of which is as good as another in both price and synergy. Synergies are shares of
/// the full synergy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Front {
    /// The solutions, by rising synergy and price.
    pub points: Vec<Point>,
    /// It is proved that no solution has at least this synergy.
    pub none_from: Option<f64>,
    /// For this synergy and above, neither a solution was found nor a proof that there is none.
    pub open_from: Option<f64>,
    /// CPU seconds.
    pub cpu_s: f64,
    /// The front as SVG, by whoever draws it.
    #[serde(skip)]
    pub drawing: Option<String>,
}

/// A solution of the front.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The synergy that was asked for.
    pub at_least: f64,
    /// The synergy that it has.
    pub synergy: f64,
    /// Its price.
    pub price: i64,
    /// No solution with the synergy that was asked for is cheaper.
    pub lower_bound: i64,
    /// Whether it is proved that no solution is at least as good in both synergy and price and
    /// better in one of them.
    pub efficient: bool,
    /// The solution.
    pub solution: String,
    /// Whether the independent checker confirms the price and the required synergy.
    pub checked: bool,
}

/// A line of the table: synergy, price, how much dearer it is than the point before, the cost per
/// hundredth of synergy between the two, and what is proved.
pub(super) fn rows(front: &Front) -> Vec<[String; 5]> {
    let mut rows = Vec::new();
    let mut before: Option<&Point> = None;
    for point in &front.points {
        let dearer =
            before.map(|before| (point.price - before.price, point.synergy - before.synergy));
        let hundredth = dearer.map(|(price, synergy)| price as f64 / (100.0 * synergy));
        let proved = match (point.checked, point.efficient) {
            (false, _) => "REFUSED BY THE CHECKER".to_owned(),
            (true, true) => "proved".to_owned(),
            (true, false) if point.lower_bound == point.price => {
                format!("the cheapest from {} on, proved", shown(point.at_least))
            }
            (true, false) => format!(
                "the cheapest from {} on costs {} to {}",
                shown(point.at_least),
                point.lower_bound,
                point.price
            ),
        };
        rows.push([
            shown(point.synergy),
            point.price.to_string(),
            dearer.map_or_else(String::new, |(price, _)| format!("{price:+}")),
            hundredth.map_or_else(String::new, |price| format!("{price:.1}")),
            proved,
        ]);
        before = Some(point);
    }
    rows
}

/// A synergy in up to five decimals.
fn shown(synergy: f64) -> String {
    let text = format!("{synergy:.5}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// What is known of synergies above those of the front.
fn ends(front: &Front) -> Vec<String> {
    let open = front.open_from.map(|open| {
        let open = shown(open);
        format!(
            "Nothing with a synergy of {open} or more was found, nor a proof that there is nothing."
        )
    });
    let none = front.none_from.map(|none| match none > 0.0 {
        true => format!("Nothing has a synergy of {} or more (proved).", shown(none)),
        false => "There is no solution, however little synergy is asked for (proved).".to_owned(),
    });
    open.into_iter().chain(none).collect()
}

const HEAD: [&str; 5] = ["synergy", "price", "dearer by", "for 0.01 more", ""];

pub(super) fn text(out: &mut String, front: &Front) {
    let rows = rows(front);
    *out += "  What synergy costs:\n";
    if !rows.is_empty() {
        let head = HEAD.map(str::to_owned);
        let width = |i: usize| rows.iter().chain([&head]).map(|row| row[i].len()).max();
        let widths: Vec<usize> = (0..4).filter_map(width).collect();
        for row in [&head].into_iter().chain(&rows) {
            let cells = row.iter().zip(&widths);
            let cells: String = cells
                .map(|(cell, &width)| format!("{cell:>width$}  "))
                .collect();
            // Writing to a string does not fail, here and below.
            let _ = writeln!(out, "    {}", format!("{cells}{}", row[4]).trim_end());
        }
    }
    for line in ends(front) {
        let _ = writeln!(out, "    {line}");
    }
    let _ = writeln!(out, "    {:.2} s of CPU time", front.cpu_s);
}

pub(super) fn html(out: &mut String, front: &Front) {
    *out += "<h3>What synergy costs</h3>\n";
    if let Some(drawing) = &front.drawing {
        *out += drawing;
    }
    if !front.points.is_empty() {
        let head = HEAD.map(|cell| format!("<th>{cell}</th>"));
        let _ = writeln!(out, "<table><tr>{}</tr>", head.concat());
        for row in rows(front) {
            let [numbers @ .., proved] = row;
            let numbers = numbers.map(|cell| format!("<td class=\"n\">{cell}</td>"));
            let _ = writeln!(out, "<tr>{}<td>{proved}</td></tr>", numbers.concat());
        }
        *out += "</table>\n";
    }
    for line in ends(front) {
        let _ = writeln!(out, "<p>{}</p>", plain(&line));
    }
    let _ = writeln!(out, "<p>{:.2} s of CPU time</p>", front.cpu_s);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fronts_are_told_in_lines() {
        let point = |synergy, price, lower_bound, efficient| Point {
            at_least: synergy - 0.01,
            synergy,
            price,
            lower_bound,
            efficient,
            solution: String::new(),
            checked: true,
        };
        let front = Front {
            points: vec![
                point(0.4, 1000, 1000, true),
                point(0.5, 1100, 1100, false),
                point(0.52, 1300, 1150, false),
            ],
            none_from: Some(0.9),
            open_from: Some(0.53),
            cpu_s: 1.0,
            drawing: None,
        };
        let mut told = String::new();
        text(&mut told, &front);
        assert_eq!(
            told,
            "  What synergy costs:
    synergy  price  dearer by  for 0.01 more
        0.4   1000                            proved
        0.5   1100       +100           10.0  the cheapest from 0.49 on, proved
       0.52   1300       +200          100.0  the cheapest from 0.51 on costs 1150 to 1300
    Nothing with a synergy of 0.53 or more was found, nor a proof that there is nothing.
    Nothing has a synergy of 0.9 or more (proved).
    1.00 s of CPU time
"
        );
        let mut page = String::new();
        html(&mut page, &front);
        assert!(page.contains("<td class=\"n\">+200</td>"), "{page}");
        assert!(
            page.contains("<td>the cheapest from 0.51 on costs 1150 to 1300</td>"),
            "{page}"
        );
    }
}
