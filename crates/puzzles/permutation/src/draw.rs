//! Drawings: the labels on the unfolded net or in rows of boxes, as text, with terminal colours, or
//! as an image.

use crate::definition::Definition;
use std::fmt::Write as _;
use unriddle_catalog::{Style, diagram::html_text};

/// Number of boxes in a row where there is no net.
const ACROSS: usize = 24;

/// Distance of cells in an image, width and height of a cell, and margin of the image.
const STEP: usize = 38;
const SIDE: usize = 32;
const MARGIN: usize = 6;

/// Height of the number below a box in an image.
const NUMBER: usize = 14;

/// Most characters of a label in a cell of an image.
const CHARACTERS: usize = 4;

/// Colour of a label.
#[derive(Clone, Copy)]
struct Paint {
    /// Number of the colour on a terminal with 256 colours.
    terminal: u8,
    /// Red, green and blue in an image.
    image: [u8; 3],
}

/// Colours of labels. The first six are the usual ones of a cube.
const PALETTE: [Paint; 12] = [
    Paint { terminal: 255, image: [0xf5, 0xf3, 0xec] },
    Paint { terminal: 160, image: [0xc8, 0x37, 0x2d] },
    Paint { terminal: 34, image: [0x1f, 0x8a, 0x4c] },
    Paint { terminal: 226, image: [0xf0, 0xc9, 0x3a] },
    Paint { terminal: 208, image: [0xe8, 0x84, 0x2c] },
    Paint { terminal: 27, image: [0x2a, 0x62, 0xb8] },
    Paint { terminal: 97, image: [0x8a, 0x55, 0xa8] },
    Paint { terminal: 44, image: [0x5c, 0xc8, 0xd2] },
    Paint { terminal: 218, image: [0xf2, 0xa9, 0xc4] },
    Paint { terminal: 94, image: [0x75, 0x4a, 0x24] },
    Paint { terminal: 155, image: [0xa9, 0xd9, 0x4f] },
    Paint { terminal: 240, image: [0x5d, 0x64, 0x70] },
];

/// Letters of the faces of a cube, in the order of their colours in the palette.
const FACES: [&str; 6] = ["U", "R", "F", "D", "L", "B"];

impl Paint {
    /// The colour of a label of many: a hue, with three degrees of lightness in turn.
    fn hue(index: usize, count: usize) -> Self {
        let angle = 360 * index / count.max(1);
        let most = [232, 190, 148][index % 3];
        let least = most * 3 / 10;
        let part = (most - least) * (angle % 60) / 60;
        let (rising, falling) = (least + part, most - part);
        let channels = match angle / 60 {
            0 => [most, rising, least],
            1 => [falling, most, least],
            2 => [least, most, rising],
            3 => [least, falling, most],
            4 => [rising, least, most],
            _ => [most, least, falling],
        };
        // A terminal has six levels of each channel: 0, 95, 135, 175, 215 and 255.
        let level = |channel: usize| match channel {
            0..48 => 0,
            48..115 => 1,
            _ => (channel - 35) / 40,
        };
        let terminal = channels.iter().fold(0, |number, &channel| 6 * number + level(channel));
        Self { terminal: 16 + terminal as u8, image: channels.map(|channel| channel as u8) }
    }

    /// Whether dark text is readable on the colour.
    fn is_light(self) -> bool {
        let [red, green, blue] = self.image.map(u32::from);
        299 * red + 587 * green + 114 * blue > 125_000
    }

    /// The colour in an image.
    fn fill(self) -> String {
        let [red, green, blue] = self.image;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The colour of each label: of the palette, or hues if there are more labels than colours.
fn paints(labels: &[String]) -> Vec<Paint> {
    if labels.len() > PALETTE.len() {
        return (0..labels.len()).map(|index| Paint::hue(index, labels.len())).collect();
    }
    let face = |label: &String| FACES.iter().position(|face| face == label);
    let is_free = |entry: &usize| !labels.iter().any(|label| face(label) == Some(*entry));
    let mut free = (0..PALETTE.len()).filter(is_free);
    let entry = |label| face(label).or_else(|| free.next()).unwrap_or(0);
    labels.iter().map(entry).map(|entry| PALETTE[entry]).collect()
}

/// The positions of each row: the net, then all positions that are not on it.
fn rows(definition: &Definition) -> Vec<Vec<Option<usize>>> {
    let mut rows: Vec<Vec<Option<usize>>> = Vec::new();
    for row in definition.net.iter().flatten() {
        rows.push(row.iter().map(|cell| cell.map(usize::from)).collect());
    }
    let mut is_on_net = vec![false; definition.goal.len()];
    for &at in rows.iter().flatten().flatten() {
        if let Some(is_on_net) = is_on_net.get_mut(at) {
            *is_on_net = true;
        }
    }
    let others: Vec<usize> = (0..is_on_net.len()).filter(|&at| !is_on_net[at]).collect();
    if !rows.is_empty() && !others.is_empty() {
        rows.push(Vec::new());
    }
    rows.extend(others.chunks(ACROSS).map(|row| row.iter().copied().map(Some).collect()));
    rows
}

/// The drawing of a state. `moved` is the array of the last move: positions whose label it brings
/// from another position are marked.
pub(crate) fn drawn(
    definition: &Definition,
    state: &[u8],
    moved: Option<&[u16]>,
    style: Style,
) -> String {
    let paints = paints(&definition.labels);
    let drawing = Drawing { definition, state, moved, paints, rows: rows(definition) };
    match style {
        Style::Svg => drawing.svg(),
        Style::Plain => drawing.text(false),
        Style::Colour => drawing.text(true),
    }
}

/// Parts of a drawing.
struct Drawing<'d> {
    definition: &'d Definition,
    state: &'d [u8],
    moved: Option<&'d [u16]>,
    /// The colour of each label.
    paints: Vec<Paint>,
    rows: Vec<Vec<Option<usize>>>,
}

impl Drawing<'_> {
    /// Index of the label at a position.
    fn index(&self, at: usize) -> usize {
        self.state.get(at).copied().map_or(0, usize::from)
    }

    /// Text of a label, without characters that terminals or images do not accept.
    fn label(&self, index: usize) -> String {
        let is_wrong = |sign: char| sign.is_control() || matches!(sign, '\u{fffe}' | '\u{ffff}');
        let label = self.definition.labels.get(index).map_or("?", String::as_str);
        label.replace(is_wrong, "\u{fffd}")
    }

    fn paint(&self, index: usize) -> Paint {
        self.paints.get(index).copied().unwrap_or(PALETTE[0])
    }

    /// Whether the last move brought the label at a position.
    fn is_last(&self, at: usize) -> bool {
        let from = self.moved.and_then(|array| array.get(at));
        from.is_some_and(|&from| usize::from(from) != at)
    }

    /// Lines of labels. Brackets enclose the labels that the last move brought. Without a net a
    /// line begins with its first position.
    fn text(&self, colour: bool) -> String {
        let labels = 0..self.definition.labels.len();
        let width = labels.map(|index| self.label(index).chars().count()).max().unwrap_or(1);
        let mut out = String::new();
        for row in &self.rows {
            let mut line = String::new();
            if let (None, Some(Some(first))) = (&self.definition.net, row.first()) {
                line = format!("{first:>3} ");
            }
            for cell in row {
                let Some(at) = *cell else {
                    line += &" ".repeat(width + 2);
                    continue;
                };
                let (label, paint) = (self.label(self.index(at)), self.paint(self.index(at)));
                let [before, after] = if self.is_last(at) { ['[', ']'] } else { [' ', ' '] };
                // Writing to a string does not fail.
                let _ = if colour {
                    let (paper, ink) = (paint.terminal, if paint.is_light() { 16 } else { 231 });
                    let label = format!("\x1b[48;5;{paper};38;5;{ink}m{label:^width$}\x1b[0m");
                    write!(line, "{before}{label}{after}")
                } else {
                    write!(line, "{before}{label:^width$}{after}")
                };
            }
            out = out + line.trim_end() + "\n";
        }
        out
    }

    /// The cells as a self-contained SVG image. Cells that the last move changed have a frame.
    /// Without a net the number of its position is below each box.
    fn svg(&self) -> String {
        let is_numbered = self.definition.net.is_none();
        let down = if is_numbered { STEP + NUMBER } else { STEP };
        let across = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let (width, height) = (across * STEP + 2 * MARGIN, self.rows.len() * down + 2 * MARGIN);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"15\" text-anchor=\"middle\">\n\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"#faf9f6\"/>\n"
        );
        let has_pieces = self.has_pieces();
        for (row, cells) in self.rows.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                let Some(at) = *cell else {
                    continue;
                };
                let (x, y) = (MARGIN + column * STEP, MARGIN + row * down);
                let id = match has_pieces {
                    true => format!(" data-piece=\"{}\"", self.index(at)),
                    false => String::new(),
                };
                // Writing to a string does not fail.
                let _ = writeln!(out, "<g{id}>{}</g>", self.cell(at, (x, y)));
                if is_numbered {
                    let (x, y) = (x + STEP / 2, y + STEP + NUMBER - 5);
                    let _ = writeln!(
                        out,
                        "<text class=\"ink\" x=\"{x}\" y=\"{y}\" font-size=\"10\" fill=\"#5f646b\">{at}</text>"
                    );
                }
            }
        }
        out + "</svg>\n"
    }

    /// Whether each label is at one position, so that pages can show how it moves.
    fn has_pieces(&self) -> bool {
        let mut labels = self.state.to_vec();
        labels.sort_unstable();
        labels.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// The cell of a position whose square is at a corner. A label that is too long is a number
    /// and a title.
    fn cell(&self, at: usize, (x, y): (usize, usize)) -> String {
        let index = self.index(at);
        let (label, paint) = (self.label(index), self.paint(index));
        let (shown, title) = match label.chars().count() {
            0..=CHARACTERS => (label, String::new()),
            _ => (format!("#{index}"), format!("<title>{}</title>", html_text(&label))),
        };
        let size = [16, 16, 14, 12][shown.chars().count().clamp(1, CHARACTERS) - 1];
        let (fill, ink) = (paint.fill(), if paint.is_light() { "#17181a" } else { "#ffffff" });
        let gap = (STEP - SIDE) / 2;
        let (left, top) = (x + gap, y + gap);
        let (middle, base, shown) = (x + STEP / 2, y + STEP / 2 + 5, html_text(&shown));
        let mut out = format!(
            "{title}<rect x=\"{left}\" y=\"{top}\" width=\"{SIDE}\" height=\"{SIDE}\" rx=\"4\" fill=\"{fill}\" \
             stroke=\"#000000\" stroke-opacity=\"0.25\"/>\
             <text x=\"{middle}\" y=\"{base}\" font-size=\"{size}\" fill=\"{ink}\">{shown}</text>"
        );
        if self.is_last(at) {
            let (left, top, side) = (x + 1, y + 1, STEP - 2);
            // Writing to a string does not fail.
            let _ = write!(
                out,
                "<rect class=\"last\" x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\" rx=\"6\" fill=\"none\" \
                 stroke=\"#1f5fbf\" stroke-width=\"2\"/>"
            );
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzle(labels: &[&str], net: Option<Vec<Vec<Option<u16>>>>) -> Definition {
        let goal = (0..labels.len() as u8).collect();
        let labels = labels.iter().map(|&label| label.to_owned()).collect();
        Definition { labels, goal, net, ..Definition::default() }
    }

    #[test]
    fn moved_labels_are_in_brackets() {
        let boxes = puzzle(&["a", "b", "up"], None);
        let drawing = drawn(&boxes, &[1, 0, 2], Some(&[1, 0, 2]), Style::Plain);
        assert_eq!(drawing, "  0 [b ][a ] up\n");
        let svg = drawn(&boxes, &[1, 0, 2], Some(&[1, 0, 2]), Style::Svg);
        assert_eq!(svg.matches("class=\"last\"").count(), 2);
    }

    #[test]
    fn positions_beside_the_net_are_drawn_below_it() {
        let net = vec![vec![None, Some(2)], vec![Some(0)]];
        let drawing = drawn(&puzzle(&["a", "b", "c"], Some(net)), &[0, 1, 2], None, Style::Plain);
        assert_eq!(drawing, "    c\n a\n\n b\n");
    }

    #[test]
    fn faces_have_the_colours_of_a_cube_and_labels_differ() {
        let fills = |labels: &[&str]| {
            let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
            paints(&labels).into_iter().map(Paint::fill).collect::<Vec<String>>()
        };
        let twelve = fills(&["a", "B", "c", "d", "U", "e", "f", "g", "h", "i", "j", "k"]);
        assert_eq!((&twelve[1][..], &twelve[4][..]), ("#2a62b8", "#f5f3ec"));
        let many: Vec<String> = (0..100).map(|number| number.to_string()).collect();
        let many = fills(&many.iter().map(String::as_str).collect::<Vec<&str>>());
        for mut fills in [twelve, many] {
            let count = fills.len();
            fills.sort();
            fills.dedup();
            assert_eq!(fills.len(), count);
        }
    }

    #[test]
    fn texts_of_labels_are_escaped_in_images() {
        let svg =
            drawn(&puzzle(&["<&>", "\u{1b}[1m", "a long one"], None), &[0, 1, 2], None, Style::Svg);
        assert!(svg.contains(">&lt;&amp;&gt;</text>") && !svg.contains('\u{1b}'), "{svg}");
        assert!(svg.contains("<title>a long one</title>") && svg.contains(">#2</text>"), "{svg}");
    }
}
