//! The drawing of a team as an SVG image.

use super::{Seats, graph, letters, rounded, short};
use crate::{Party, items::plain};
use std::fmt::Write as _;

/// Width and height of a card, and of a card with the space around it, in pixels.
const CARD: (f64, f64) = (146.0, 86.0);
const SPACE: (f64, f64) = (164.0, 126.0);

/// Margin around the image.
const MARGIN: f64 = 8.0;

/// Height of the lines below the formation.
const FOOT: f64 = 62.0;

/// Least width, so that the caption and the legend fit.
const LEAST_WIDTH: f64 = 430.0;

/// Most letters of an item's name and of a node's name on a card.
const LETTERS: usize = 13;
const NODE_LETTERS: usize = 11;

/// Most traits of a card, and the width of each.
const TRAITS: usize = 3;
const TRAIT: f64 = 26.0;

/// Light colours of the values of traits, for dark letters.
const VALUES: [&str; 8] =
    ["#f6c6bf", "#f8dc9f", "#d3e7a3", "#aee2cb", "#b3ddf0", "#c3ccf7", "#e4c6ef", "#e2dacb"];

/// Colours and widths of links by the share of common traits, from none to all. A link with more
/// common traits is wider, and its colour goes from grey over blue to orange: people who cannot
/// distinguish red from green can distinguish these.
const PAINT: [(&str, f64); 4] =
    [("#a8a296", 1.5), ("#7fabdf", 3.0), ("#2f6fb5", 4.5), ("#c47a00", 6.5)];

/// Dashes of links over which nothing is shared, and of links with an empty end.
const DASHED: &str = r#" stroke-dasharray="6 4""#;
const DOTTED: &str = r#" stroke-dasharray="1 5""#;

/// The index of the paint of a link worth `worth`, if the greatest worth is `most`.
fn shade(worth: i64, most: i64) -> usize {
    let last = PAINT.len() as i64 - 1;
    // Rounded up: only a worth of nothing has the first paint.
    (-(-worth * last).div_euclid(most.max(1))).clamp(0, last) as usize
}

/// The team as an SVG image: a card for every node with the item's name or number and its price,
/// and links that are the wider the more their items share. A link with an empty end is
/// dotted. The image refers to nothing outside it.
#[must_use]
pub fn svg(party: &Party, items: &[u32]) -> String {
    let seats = Seats::new(party, items);
    let at = graph(&party.formation);
    let most = |of: &dyn Fn(&(f64, f64)) -> f64| at.iter().map(of).fold(0.5, f64::max) + 0.5;
    // The widest row reaches both sides; others need not.
    let wide = most(&|at| at.0) * SPACE.0;
    let width = wide.max(LEAST_WIDTH) + 2.0 * MARGIN;
    let height = most(&|at| at.1) * SPACE.1 + 2.0 * MARGIN + FOOT;
    let left = (width - wide) / 2.0;
    let middle =
        |&(x, y): &(f64, f64)| ((left + x * SPACE.0).round(), (MARGIN + y * SPACE.1).round());
    let middles: Vec<(f64, f64)> = at.iter().map(middle).collect();
    let caption = match items {
        [] => {
            let (nodes, links) = (party.formation.nodes(), party.formation.links().len());
            format!("{nodes} nodes and {links} links, no team")
        }
        _ => seats.caption(),
    };
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="12">"##
    );
    let _ = writeln!(out, "<title>Party: {caption}</title>");
    let _ = writeln!(
        out,
        r##"<rect class="paper" width="{width}" height="{height}" fill="#faf9f6"/>"##
    );
    let most = party.synergy.best_link();
    for number in 0..party.formation.links().len() {
        link(&seats, &middles, number, most, &mut out);
    }
    for (node, &middle) in middles.iter().enumerate() {
        card(&seats, node, middle, &mut out);
    }
    let (x, y) = (width / 2.0, height - FOOT + 16.0);
    let _ = writeln!(
        out,
        r##"<text class="ink" x="{x}" y="{y}" fill="#1d1f21" font-size="19" font-weight="600" text-anchor="middle">{caption}</text>"##
    );
    legend(party, most, (x, y + 28.0), &mut out);
    out.push_str("</svg>\n");
    out
}

/// A link from the edge of a card to the edge of another one, so that no card hides it.
fn link(seats: &Seats<'_>, middles: &[(f64, f64)], number: usize, most: i64, out: &mut String) {
    let (a, b) = seats.party.formation.links()[number];
    let (paint, dashes) = match seats.worth(number) {
        None => (0, DOTTED),
        Some(..=0) => (0, DASHED),
        Some(worth) => (shade(worth, most), ""),
    };
    let (colour, wide) = PAINT[paint];
    let path = path(middles, middles[usize::from(a)], middles[usize::from(b)]);
    let _ = writeln!(
        out,
        r##"<path class="c{paint}" d="{path}" fill="none" stroke="{colour}" stroke-width="{wide}" stroke-linecap="round"{dashes}/>"##
    );
}

/// The path of a link: down to the next row, to the next card of the row, or below the cards in
/// between.
fn path(middles: &[(f64, f64)], a: (f64, f64), b: (f64, f64)) -> String {
    let (a, b) = if (a.1, a.0) <= (b.1, b.0) { (a, b) } else { (b, a) };
    let bottom = a.1 + CARD.1 / 2.0;
    if a.1 < b.1 {
        return format!("M{} {bottom}L{} {}", a.0, b.0, b.1 - CARD.1 / 2.0);
    }
    let between = |&(x, y): &(f64, f64)| y == a.1 && a.0 < x && x < b.0;
    if middles.iter().any(between) {
        // As low as possible without reaching the next row.
        let low = bottom + SPACE.1 - CARD.1;
        format!("M{} {bottom}C{} {low} {} {low} {} {bottom}", a.0, a.0, b.0, b.0)
    } else {
        let (from, to) = (a.0 + CARD.0 / 2.0, b.0 - CARD.0 / 2.0);
        format!("M{from} {}H{to}", a.1)
    }
}

/// The card of a node: its name and the price, the item, its traits and the points.
fn card(seats: &Seats<'_>, node: usize, (x, y): (f64, f64), out: &mut String) {
    let (width, height) = CARD;
    let (left, top) = (x - width / 2.0, y - height / 2.0);
    let (inner, right) = (left + 9.0, left + width - 9.0);
    let mut hint = plain(&seats.party.formation.names()[node]);
    let (class, fill) = match seats.items[node] {
        Some(_) => ("card", "#ffffff"),
        None => ("cell", "#f1efe9"),
    };
    let _ = writeln!(
        out,
        r##"<g><rect class="{class}" x="{left}" y="{top}" width="{width}" height="{height}" rx="8" fill="{fill}" stroke="#b9b4a9"/>"##
    );
    let mut line = |x: f64, line: f64, style: &str, text: &str| {
        let y = top + line;
        let _ = writeln!(out, r##"<text x="{x}" y="{y}" {style}>{text}</text>"##);
    };
    let muted = r##"class="ink" fill="#5f646b" font-size="14""##;
    let bold = r##"class="ink" fill="#1d1f21" font-weight="600""##;
    let Some(item) = seats.items[node] else {
        // Nothing else is on the card of an empty node.
        let style = format!(r#"{bold} font-size="22" text-anchor="middle""#);
        line(x, height / 2.0 + 8.0, &style, &escape(&short(&hint, NODE_LETTERS)));
        let hint = escape(&hint);
        let _ = writeln!(out, "<title>{hint}</title></g>");
        return;
    };
    let price = seats.party.price_text(seats.party.costs[item as usize]);
    let end = format!(r#"{muted} text-anchor="end""#);
    line(right, 22.0, &end, &price);
    let room = NODE_LETTERS.saturating_sub((letters(&price) * 3).div_ceil(4)).max(3);
    line(inner, 23.0, &format!(r#"{bold} font-size="18""#), &escape(&short(&hint, room)));
    let name = seats.item(item);
    let bright = r##"class="ink" fill="#1d1f21" font-size="16""##;
    line(inner, 46.0, bright, &escape(&short(&name, LETTERS)));
    if let Some(points) = seats.points(node) {
        let points = seats.points_in_words(points);
        let points = if letters(&points) > 2 { points } else { format!("{points} pts") };
        line(right, 74.0, &end, &points);
    }
    let _ = write!(hint, ": {name}, price {price}");
    for (place, &t) in compared(seats.party).iter().take(TRAITS).enumerate() {
        let of = &seats.party.items.traits[t];
        let code = usize::from(of.codes[item as usize]);
        let value = plain(&of.values[code]);
        let _ = write!(hint, ", {} {value}", plain(&of.name));
        let (x, y) = (inner + place as f64 * (TRAIT + 2.0), top + 57.0);
        let colour = VALUES[code % VALUES.len()];
        let _ = writeln!(
            out,
            r##"<rect x="{x}" y="{y}" width="{TRAIT}" height="21" rx="5" fill="{colour}"/><text class="black" x="{}" y="{}" fill="#1d1f21" font-size="13" text-anchor="middle">{}</text>"##,
            x + TRAIT / 2.0,
            y + 15.0,
            escape(&abbreviated(&value)),
        );
    }
    // Text that does not fit is shown as a tooltip of the card.
    let hint = escape(&hint);
    let _ = writeln!(
        out,
        r##"<rect x="{left}" y="{top}" width="{width}" height="{height}" fill-opacity="0"><title>{hint}</title></rect></g>"##
    );
}

/// The traits on cards: the compared ones, or all if no trait is compared.
fn compared(party: &Party) -> Vec<usize> {
    match party.synergy.traits() {
        [] => (0..party.items.traits.len()).collect(),
        traits => traits.to_vec(),
    }
}

/// At most three letters of a value: the number of a numbered value with the first letter before
/// it, or else the first letters.
fn abbreviated(value: &str) -> String {
    let number = value.trim_start_matches(|c: char| !c.is_ascii_digit());
    let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    let head = value[..value.len() - number.len()].trim();
    if is_number && number.len() <= 2 && !head.is_empty() {
        return head.chars().take(1).chain(number.chars()).collect();
    }
    if is_number && number.len() <= 3 {
        return number.to_owned();
    }
    let width = if letters(value) == value.chars().count() { 3 } else { 1 };
    value.chars().filter(|c| !c.is_whitespace()).take(width).collect()
}

/// Colours of links with their numbers of shared traits, or with the upper ends of their ranges of
/// worth.
fn legend(party: &Party, most: i64, (middle, y): (f64, f64), out: &mut String) {
    let (last, table) = (PAINT.len() as i64 - 1, party.synergy.links());
    let entries = (0..=last).filter_map(|paint| {
        // The range of amounts of this shade, as shades are rounded up.
        let (from, to) = ((paint - 1) * most / last + 1, paint * most / last);
        let text = match table {
            _ if paint > 0 && from > to => return None,
            None => format!("≤ {}", rounded(2.0 * to as f64 / party.synergy.whole() as f64, 2)),
            Some(_) if paint == 0 => "0".to_owned(),
            Some(_) if from == to => from.to_string(),
            Some(_) => format!("{from}–{to}"),
        };
        Some((paint as usize, text))
    });
    let entries: Vec<(usize, String)> = entries.collect();
    let what = if table.is_some() { "traits shared" } else { "worth of links" };
    // The words are as wide as two entries.
    let (each, words) = (70.0, 124.0);
    let mut x = middle - (words + each * entries.len() as f64) / 2.0;
    let _ = writeln!(
        out,
        r##"<text class="ink" x="{x}" y="{y}" fill="#5f646b" font-size="15">{what}</text>"##
    );
    x += words;
    for (paint, counts) in entries {
        let (colour, wide) = PAINT[paint];
        let dashes = if paint == 0 { DASHED } else { "" };
        let _ = writeln!(
            out,
            r##"<path class="c{paint}" d="M{x} {}h24" stroke="{colour}" stroke-width="{wide}" stroke-linecap="round"{dashes}/><text class="ink" x="{}" y="{y}" fill="#5f646b" font-size="15">{counts}</text>"##,
            y - 5.0,
            x + 32.0
        );
        x += each;
    }
}

/// A text within XML, without the characters that XML does not allow.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::tests::small;
    use super::*;

    #[test]
    fn a_team_is_drawn_with_cards_and_links() {
        let drawn = svg(&small(), &[0, 1, 2]);
        assert!(drawn.starts_with("<svg xmlns="));
        assert!(drawn.ends_with("</svg>\n"));
        for text in [
            ">front<",
            ">Aria<",
            ">1200<",
            ">Borin &amp; Sons<",
            ">10 pts<",
            ">elf<",
            ">price 1500, synergy 0.28<",
            "<title>back: Cyd , price 300, guild &lt;7&gt;, race orc</title>",
        ] {
            assert!(drawn.contains(text), "{text} in {drawn}");
        }
        // One link with both traits shared and one link with a single shared trait; each shade is
        // also in the legend.
        let count = |of: &str| drawn.matches(of).count();
        assert_eq!(count(PAINT[3].0), 2);
        assert_eq!(count(PAINT[2].0), 2);
        assert_eq!(count("<rect"), 1 + 4 * 3);
    }

    #[test]
    fn missing_items_are_empty_cards() {
        let drawn = svg(&small(), &[2, 9]);
        assert!(drawn.contains("<title>middle</title>"));
        assert_eq!(drawn.matches(DOTTED).count(), 2);
        assert_eq!(drawn, svg(&small(), &[2]));
    }

    #[test]
    fn values_have_few_letters() {
        let short =
            ["religion 12", "elf", "dragonkin", "7", "1234", "日本語", "a b c", "nation 100"];
        let expected = ["r12", "elf", "dra", "7", "123", "日", "abc", "100"];
        assert_eq!(short.map(abbreviated), expected);
    }

    #[test]
    fn links_go_around_cards() {
        let row = [(80.0, 59.0), (240.0, 59.0), (400.0, 59.0), (160.0, 177.0)];
        assert_eq!(path(&row, row[1], row[0]), "M153 59H167");
        assert_eq!(path(&row[..1], row[0], row[2]), "M153 59H327");
        assert_eq!(path(&row, row[0], row[2]), "M80 102C80 142 400 142 400 102");
        assert_eq!(path(&row, row[3], row[0]), "M80 102L160 134");
    }

    #[test]
    fn shades_go_from_nothing_to_everything() {
        assert_eq!([0, 1, 2, 3].map(|s| shade(s, 3)), [0, 1, 2, 3]);
        assert_eq!([0, 1, 2].map(|s| shade(s, 2)), [0, 2, 3]);
        assert_eq!([0, 1, 9, 10].map(|s| shade(s, 10)), [0, 1, 3, 3]);
        assert_eq!(shade(0, 0), 0);
    }

    #[test]
    fn texts_are_escaped() {
        assert_eq!(escape("<a & \"b\">\u{ffff}"), "&lt;a &amp; \"b\"&gt;");
    }
}
