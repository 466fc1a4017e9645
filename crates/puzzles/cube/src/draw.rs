//! The unfolded net, as text, with terminal colours, or as an image.

use crate::{
    Turn,
    facelets::{Colours, stickers},
    geometry::FACES,
};
use std::fmt::Write as _;
use unriddle_catalog::Style;

/// Position of each face in the net, in faces from the left and from the top.
const NET: [(usize, usize); 6] = [(1, 0), (2, 1), (1, 1), (1, 2), (0, 1), (3, 1)];

/// Colours of the faces on a terminal with 256 colours: white, red, green, yellow, orange, blue.
const TERMINAL: [u8; 6] = [255, 160, 34, 226, 208, 27];

/// The same in an image.
pub(crate) const IMAGE: [&str; 6] =
    ["#f5f3ec", "#c8372d", "#1f8a4c", "#f0c93a", "#e8842c", "#2a62b8"];

/// The face whose colour is seen in a row and column of the net; `None` beside it.
fn seen<const N: usize>(colours: &Colours, row: usize, column: usize) -> Option<usize> {
    let face = NET.iter().position(|&at| at == (column / N, row / N))?;
    // A 2×2×2 has the outer rows and columns.
    let stretched = |at: usize| if N == 2 { 2 * (at % 2) } else { at % 3 };
    Some(colours.0[9 * face + 3 * stretched(row) + stretched(column)].into())
}

/// The drawing of a cube after a last turn, if any.
pub(crate) fn drawn<const N: usize>(colours: &Colours, last: Option<Turn>, style: Style) -> String {
    match style {
        Style::Svg => svg::<N>(colours, last),
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

/// Width and height of a sticker in an image, gap between stickers, and gap between faces.
pub(crate) const STICKER: usize = 38;
const GAP: usize = 3;
const BETWEEN: usize = 8;

/// Width of a face in an image, with a rim around its stickers.
const fn face_width<const N: usize>() -> usize {
    N * (STICKER + GAP) + GAP
}

/// Upper left corner of the face at a row and a column of faces.
const fn face_corner<const N: usize>(row: usize, column: usize) -> (usize, usize) {
    let step = face_width::<N>() + BETWEEN;
    (BETWEEN + column * step, BETWEEN + row * step)
}

/// Upper left corner of the sticker at a row and a column of the net.
pub(crate) const fn corner<const N: usize>(row: usize, column: usize) -> (usize, usize) {
    let (x, y) = face_corner::<N>(row / N, column / N);
    let step = STICKER + GAP;
    (x + GAP + column % N * step, y + GAP + row % N * step)
}

/// Row and column of a sticker in the net.
pub(crate) const fn position<const N: usize>(sticker: usize) -> (usize, usize) {
    let (across, down) = NET[sticker / 9];
    // A 2×2×2 has the outer rows and columns.
    let (row, column) = (sticker % 9 / 3, sticker % 3);
    let (row, column) = if N == 2 { (row / 2, column / 2) } else { (row, column) };
    (N * down + row, N * across + column)
}

/// The net as a self-contained SVG image. The face of the last turn has a frame.
fn svg<const N: usize>(colours: &Colours, last: Option<Turn>) -> String {
    let ((width, _), (_, height)) = (face_corner::<N>(0, 4), face_corner::<N>(3, 0));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"17\" text-anchor=\"middle\">\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"#faf9f6\"/>\n"
    );
    let side = face_width::<N>();
    for (face, &(column, row)) in NET.iter().enumerate() {
        let (x, y) = face_corner::<N>(row, column);
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"7\" fill=\"#17181a\"/>"
        );
        if last.is_some_and(|turn| usize::from(turn.face()) == face) {
            let (x, y, side) = (x - 3, y - 3, side + 6);
            let _ = writeln!(
                out,
                "<rect class=\"last\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"9\" fill=\"none\" \
                 stroke=\"#1f5fbf\" stroke-width=\"3\"/>"
            );
        }
    }
    for sticker in stickers::<N>() {
        let (row, column) = position::<N>(sticker);
        let (x, y) = corner::<N>(row, column);
        let colour = usize::from(colours.0[sticker]);
        let (class, fill) = (FACES[colour].to_ascii_lowercase(), IMAGE[colour]);
        let ink = if matches!(colour, 0 | 3 | 4) { "#17181a" } else { "#ffffff" };
        let (cx, cy) = (x + STICKER / 2, y + STICKER / 2 + 6);
        let _ = writeln!(
            out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{STICKER}\" height=\"{STICKER}\" rx=\"4\" fill=\"{fill}\"/>\
             <text x=\"{cx}\" y=\"{cy}\" fill=\"{ink}\" fill-opacity=\"0.72\">{}</text>",
            FACES[colour]
        );
    }
    out + "</svg>\n"
}
