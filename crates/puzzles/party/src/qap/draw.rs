//! Drawings of an assignment: a line for every facility, and a self-contained SVG image.
//!
//! The image has a square for each pair of locations: its area shows the flow between their
//! facilities, and its colour the distance. A cheap assignment has large squares only in light
//! colours.

use super::Qap;
use std::fmt::Write as _;

/// Most facilities whose pairs are drawn one by one; others share squares.
const MOST: usize = 40;

/// Width of the image without margins, and the margins for names and for the caption.
const SIDE: f64 = 480.0;
const MARGIN: f64 = 44.0;
const FOOT: f64 = 66.0;

/// Colours of distances from short to long. They differ in lightness.
const PAINT: [&str; 4] = ["#bcd3ee", "#7fabdf", "#2f6fb5", "#c47a00"];

/// Lines of an assignment: the location of every facility, and the cost. `at` is empty for an
/// instance without an assignment.
#[must_use]
pub(super) fn text(puzzle: &Qap, at: &[u16]) -> String {
    let mut lines = vec![format!("{} facilities and locations", puzzle.len())];
    let places = at.iter().enumerate();
    lines.extend(places.map(|(i, at)| format!("facility {} at location {}", i + 1, at + 1)));
    if !at.is_empty() {
        lines.push(format!("cost {}", puzzle.cost(at)));
    }
    lines.join("\n")
}

/// Flow and distance of a square, each as a share of the largest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Share {
    flow: f64,
    distance: f64,
}

/// Shares of the pairs of locations, row by row; several locations share a square of a large
/// instance. Without an assignment the flows are zero.
fn shares(puzzle: &Qap, at: &[u16]) -> (usize, Vec<Share>) {
    let n = puzzle.len();
    let each = n.div_ceil(MOST);
    let side = n.div_ceil(each);
    let mut facility = vec![None; n];
    for (i, &location) in at.iter().enumerate() {
        facility[usize::from(location)] = Some(i);
    }
    let mut sums = vec![(0u64, 0u64); side * side];
    for k in 0..n {
        for l in 0..n {
            let sum = &mut sums[k / each * side + l / each];
            if let (Some(i), Some(j)) = (facility[k], facility[l]) {
                sum.0 += puzzle.a(i, j).unsigned_abs();
            }
            sum.1 += puzzle.b(k, l).unsigned_abs();
        }
    }
    let most = |of: fn(&(u64, u64)) -> u64| sums.iter().map(of).max().unwrap_or(0).max(1) as f64;
    let (flows, distances) = (most(|sum| sum.0), most(|sum| sum.1));
    let share = |&(flow, distance): &(u64, u64)| Share {
        flow: flow as f64 / flows,
        distance: distance as f64 / distances,
    };
    (side, sums.iter().map(share).collect())
}

/// The image of an assignment; `at` is empty for an instance without an assignment.
#[must_use]
pub(super) fn svg(puzzle: &Qap, at: &[u16]) -> String {
    let n = puzzle.len();
    let (side, shares) = shares(puzzle, at);
    let step = SIDE / side as f64;
    let (width, height) = (SIDE + 2.0 * MARGIN, SIDE + MARGIN + FOOT);
    let caption = match at {
        [] => format!("{n} facilities and {n} locations, none assigned"),
        at => format!("cost {}", puzzle.cost(at)),
    };
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="12">
<title>Quadratic assignment: {caption}</title>
<rect class="paper" width="{width}" height="{height}" fill="#faf9f6"/>
<rect class="cell" x="{MARGIN}" y="{MARGIN}" width="{SIDE}" height="{SIDE}" fill="#f1efe9" stroke="#b9b4a9"/>"##
    );
    for (index, share) in shares.iter().enumerate() {
        let (row, column) = (index / side, index % side);
        // An empty instance shows all distances at the same size.
        let flow = if at.is_empty() { 0.5 } else { share.flow };
        let wide = (flow.sqrt() * (step - 2.0)).max(0.0);
        if wide < 0.5 || share.distance == 0.0 {
            continue;
        }
        let middle = |place: usize| MARGIN + (place as f64 + 0.5) * step - wide / 2.0;
        let paint = ((share.distance * 4.0).ceil() as usize).clamp(1, 4) - 1;
        let _ = writeln!(
            out,
            r##"<rect class="c{paint}" x="{:.1}" y="{:.1}" width="{wide:.1}" height="{wide:.1}" fill="{}"/>"##,
            middle(column),
            middle(row),
            PAINT[paint],
        );
    }
    names(puzzle, at, step, &mut out);
    let x = width / 2.0;
    let y = SIDE + MARGIN + 26.0;
    let _ = writeln!(
        out,
        r##"<text class="ink" x="{x}" y="{y}" fill="#1d1f21" font-size="18" font-weight="600" text-anchor="middle">{caption}</text>"##
    );
    legend(x, y + 24.0, &mut out);
    out.push_str("</svg>\n");
    out
}

/// The location of every row, with its facility, and of every column. Only a large image has no
/// names.
fn names(puzzle: &Qap, at: &[u16], step: f64, out: &mut String) {
    let n = puzzle.len();
    if n > MOST {
        return;
    }
    let size = (step * 0.62).clamp(6.0, 13.0);
    let mut text = |x: f64, y: f64, anchor: &str, class: &str, text: &str| {
        let weight = if class == "strong" { r#" font-weight="600""# } else { "" };
        let _ = writeln!(
            out,
            r##"<text class="ink" x="{x:.1}" y="{y:.1}" fill="#5f646b" font-size="{size:.1}" text-anchor="{anchor}"{weight}>{text}</text>"##
        );
    };
    let mut facility = vec![None; n];
    for (i, &location) in at.iter().enumerate() {
        facility[usize::from(location)] = Some(i + 1);
    }
    for place in 0..n {
        let middle = MARGIN + (place as f64 + 0.5) * step;
        let low = middle + size * 0.35;
        text(MARGIN - 6.0, low, "end", "", &(place + 1).to_string());
        text(middle, MARGIN - 6.0, "middle", "", &(place + 1).to_string());
        if let Some(facility) = facility[place] {
            text(MARGIN + SIDE + 6.0, low, "start", "strong", &format!("f{facility}"));
        }
    }
}

/// The meaning of colours and areas.
fn legend(middle: f64, y: f64, out: &mut String) {
    let mut x = middle - 246.0;
    let _ = writeln!(
        out,
        r##"<text class="ink" x="{x}" y="{y}" fill="#5f646b" font-size="14">area: flow between locations · colour: distance</text>"##
    );
    x += 334.0;
    for (paint, name) in ["short", "", "", "long"].into_iter().enumerate() {
        let colour = PAINT[paint];
        let _ = writeln!(
            out,
            r##"<rect class="c{paint}" x="{x}" y="{}" width="12" height="12" fill="{colour}"/><text class="ink" x="{}" y="{y}" fill="#5f646b" font-size="14">{name}</text>"##,
            y - 10.0,
            x + 17.0
        );
        x += if name.is_empty() { 16.0 } else { 58.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_core::Rng;

    #[test]
    fn pairs_of_locations_have_squares() {
        let qap = Qap::parse("2\n\n0 3\n1 0\n\n 0 5\n7 0\n").unwrap();
        let drawn = svg(&qap, &[1, 0]);
        assert!(drawn.contains(">cost 26<"), "{drawn}");
        assert!(drawn.contains(">f2<") && drawn.contains("cost 26</title>"), "{drawn}");
        // Facility 2 is at location 1: its flow of 1 goes over the distance of 5.
        let (side, all) = shares(&qap, &[1, 0]);
        assert_eq!((side, all[1].flow, all[2].flow), (2, 1.0 / 3.0, 1.0));
        assert_eq!((all[1].distance, all[2].distance), (5.0 / 7.0, 1.0));
        assert!(svg(&qap, &[]).contains("none assigned"));
    }

    #[test]
    fn large_instances_share_squares() {
        let mut rng = Rng::new(1);
        let qap = Qap::uniform(256, &mut rng);
        let mut at: Vec<u16> = (0..256).collect();
        rng.shuffle(&mut at);
        assert_eq!(shares(&qap, &at).0, 37);
        assert!(svg(&qap, &at).len() < 200_000);
    }
}
