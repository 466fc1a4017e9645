//! The unfolded net, as text, with terminal colours, or as an image.

use crate::{facelets::Colours, geometry::FACES};
use std::fmt::Write as _;
use unriddle_catalog::Style;

/// Position of each face in the net, in faces from the left and from the top.
const NET: [(usize, usize); 6] = [(1, 0), (2, 1), (1, 1), (1, 2), (0, 1), (3, 1)];

/// Colours of the faces on a terminal with 256 colours: white, red, green, yellow, orange, blue.
const TERMINAL: [u8; 6] = [255, 160, 34, 226, 208, 27];

/// The same in an image.
const IMAGE: [&str; 6] = ["#ffffff", "#c41e3a", "#009b48", "#ffd500", "#ff7a1a", "#0051ba"];

/// Width and height of a sticker in an image.
const STEP: usize = 24;

/// The face whose colour is seen in a row and column of the net; `None` beside it.
fn seen<const N: usize>(colours: &Colours, row: usize, column: usize) -> Option<usize> {
    let face = NET.iter().position(|&at| at == (column / N, row / N))?;
    // A 2×2×2 has the outer rows and columns.
    let stretched = |at: usize| if N == 2 { 2 * (at % 2) } else { at % 3 };
    Some(colours.0[9 * face + 3 * stretched(row) + stretched(column)].into())
}

pub(crate) fn drawn<const N: usize>(colours: &Colours, style: Style) -> String {
    match style {
        Style::Svg => svg::<N>(colours),
        Style::Plain => text::<N>(colours, false),
        Style::Colour => text::<N>(colours, true),
    }
}

fn text<const N: usize>(colours: &Colours, colour: bool) -> String {
    let mut out = String::new();
    for row in 0..3 * N {
        let mut line = String::new();
        for column in 0..4 * N {
            // Writing to a string does not fail.
            let _ = match seen::<N>(colours, row, column) {
                None => write!(line, "  "),
                Some(face) if colour => {
                    let paper = TERMINAL[face];
                    write!(line, "\x1b[48;5;{paper};38;5;16m{} \x1b[0m", FACES[face])
                }
                Some(face) => write!(line, "{} ", FACES[face]),
            };
            if column % N == N - 1 {
                line.push(' ');
            }
        }
        out = out + line.trim_end() + "\n";
    }
    out
}

/// Nothing outside of the image is needed.
fn svg<const N: usize>(colours: &Colours) -> String {
    let (width, height) = (4 * N * STEP + 20, 3 * N * STEP + 16);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    for row in 0..3 * N {
        for column in 0..4 * N {
            let Some(face) = seen::<N>(colours, row, column) else {
                continue;
            };
            let x = STEP * column + 4 * (column / N) + 2;
            let y = STEP * row + 4 * (row / N) + 2;
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"{}\" stroke=\"#1d1f24\"/>\
                 <text x=\"{}\" y=\"{}\" fill=\"#1d1f24\" fill-opacity=\"0.6\">{}</text>",
                STEP - 1,
                STEP - 1,
                IMAGE[face],
                x + STEP / 2,
                y + STEP / 2 + 4,
                FACES[face]
            );
        }
    }
    out + "</svg>\n"
}
