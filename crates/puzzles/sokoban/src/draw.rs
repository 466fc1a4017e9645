//! Drawings: the signs of a level in rows, with terminal colours, or as an image.

use crate::picture::{Picture, Place};
use std::fmt::Write as _;
use unriddle_catalog::Style;

/// Width and height of a cell in an image.
pub(crate) const STEP: usize = 56;

/// Content of a drawing.
pub(crate) struct Scene {
    /// The level with boxes and player.
    pub(crate) picture: Picture,
    /// Whether the player can ever reach each cell, by row and column.
    pub(crate) floor: Vec<Vec<bool>>,
    /// Cells from which a box never reaches a goal, in order.
    pub(crate) dead: Vec<Place>,
    /// The cell from which the last action moved a box or the player, and the cell to which.
    pub(crate) last: Option<[Place; 2]>,
}

impl Scene {
    /// Whether a box on a cell never reaches a goal.
    pub(crate) fn is_dead(&self, place: Place) -> bool {
        self.dead.binary_search(&place).is_ok()
    }
}

pub(crate) fn drawn(scene: &Scene, style: Style) -> String {
    match style {
        Style::Plain => text(&scene.picture, false),
        Style::Colour => text(&scene.picture, true),
        Style::Svg => svg(scene),
    }
}

fn text(picture: &Picture, colour: bool) -> String {
    let mut out = String::new();
    for line in picture.lines() {
        for sign in line.chars() {
            let paint = match sign {
                '#' => "2",
                '$' => "1;33",
                '*' => "1;32",
                '@' | '+' => "1;36",
                '.' => "35",
                _ => "",
            };
            // Writing to a string does not fail.
            let _ = if colour && !paint.is_empty() {
                write!(out, "\x1b[{paint}m{sign}\x1b[0m")
            } else {
                write!(out, "{sign}")
            };
        }
        out.push('\n');
    }
    out
}

/// The level as a self-contained SVG image. Walls and floor are pale; boxes and the player have
/// colours.
fn svg(scene: &Scene) -> String {
    let picture = &scene.picture;
    let (rows, columns) = picture.size();
    let (width, height) = (STEP * columns, STEP * rows);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"#faf9f6\"/>\n"
    );
    let places = || (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    for place in places() {
        let (class, fill) = match picture.sign(place) {
            '#' => ("wall", "#8d8a82"),
            _ if scene.floor[place.0][place.1] => ("cell", "#efede6"),
            _ => continue,
        };
        square(
            &mut out,
            place,
            0,
            &format!(
                "class=\"{class}\" fill=\"{fill}\" stroke=\"#000000\" stroke-opacity=\"0.06\""
            ),
        );
        if class == "cell" && scene.is_dead(place) && picture.sign(place) == ' ' {
            let (x, y) = (STEP * place.1 + STEP / 2 - 8, STEP * place.0 + STEP / 2);
            out += &format!(
                "<path class=\"dead\" d=\"M{x} {y}h16\" stroke=\"#d9d5cb\" stroke-width=\"3\"/>\n"
            );
        }
    }
    if let Some([from, to]) = scene.last {
        last(&mut out, from, to);
    }
    for place in places() {
        let sign = picture.sign(place);
        if ".+*".contains(sign) {
            let paint = "class=\"goal\" fill=\"none\" stroke=\"#b36b00\" stroke-width=\"4\"";
            circle(&mut out, place, if sign == '+' { 21 } else { 8 }, paint);
        }
        if "$*".contains(sign) {
            let (class, fill) =
                if sign == '*' { ("box home", "#4d8a5b") } else { ("box", "#b8863b") };
            square(&mut out, place, 9, &format!("class=\"{class}\" rx=\"6\" fill=\"{fill}\""));
            let (x, y) = (STEP * place.1 + 16, STEP * place.0 + 16);
            let (d, opacity) = match sign {
                // A tick besides the colour.
                '*' => (format!("M{} {}l7 8 13-16", x + 2, y + 12), "1"),
                _ => (format!("M{x} {y}l24 24m0-24l-24 24"), "0.5"),
            };
            out += &format!(
                "<path class=\"mark\" d=\"{d}\" fill=\"none\" stroke=\"#ffffff\" stroke-opacity=\"{opacity}\" stroke-width=\"3\"/>\n"
            );
        }
        if "@+".contains(sign) {
            out += "<g data-piece=\"player\">";
            circle(&mut out, place, 16, "class=\"player\" fill=\"#1f5fbf\"");
            out += "</g>\n";
        }
    }
    out + "</svg>\n"
}

/// A square in a cell.
fn square(out: &mut String, (row, column): Place, inset: usize, paint: &str) {
    let (x, y, side) = (STEP * column + inset, STEP * row + inset, STEP - 2 * inset);
    // Writing to a string does not fail.
    let _ = writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" {paint}/>");
}

/// A circle in the middle of a cell.
fn circle(out: &mut String, (row, column): Place, radius: usize, paint: &str) {
    let (x, y) = (STEP * column + STEP / 2, STEP * row + STEP / 2);
    let _ = writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {paint}/>");
}

/// The trace of the last action: a frame around the cell that was left, and a line from it.
fn last(out: &mut String, from: Place, to: Place) {
    let paint = "class=\"last\" fill=\"none\" stroke=\"#1f5fbf\" stroke-opacity=\"0.45\" stroke-width=\"3\"";
    square(out, from, 9, &format!("{paint} rx=\"6\" stroke-dasharray=\"5 5\""));
    let centre = |(row, column): Place| (STEP * column + STEP / 2, STEP * row + STEP / 2);
    let ((x1, y1), (x2, y2)) = (centre(from), centre(to));
    let _ = writeln!(out, "<path {paint} d=\"M{x1} {y1}L{x2} {y2}\"/>");
}
