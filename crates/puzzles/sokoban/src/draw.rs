//! Drawings: the signs of a level in rows, with terminal colours, or as an image.

use crate::picture::Picture;
use std::fmt::Write as _;
use unriddle_catalog::Style;

/// Width and height of a cell in an image.
const STEP: usize = 24;

pub(crate) fn drawn(picture: &Picture, style: Style) -> String {
    match style {
        Style::Plain => text(picture, false),
        Style::Colour => text(picture, true),
        Style::Svg => svg(picture),
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

/// The level as a self-contained SVG image.
fn svg(picture: &Picture) -> String {
    let (rows, columns) = picture.size();
    let (width, height) = (STEP * columns, STEP * rows);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    for row in 0..rows {
        for column in 0..columns {
            let (x, y) = (STEP * column, STEP * row);
            let (cx, cy) = (x + STEP / 2, y + STEP / 2);
            let sign = picture.sign((row, column));
            let circle = |radius: usize, paint: &str| {
                format!("<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{radius}\" {paint}/>\n")
            };
            let square = |inset: usize, paint: &str| {
                let (x, y, side) = (x + inset, y + inset, STEP - 2 * inset);
                format!("<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" {paint}/>\n")
            };
            if sign == '#' {
                out += &square(0, "fill=\"#2b303b\"");
            }
            if ".+*".contains(sign) {
                out += &circle(5, "fill=\"none\" stroke=\"#d1493f\" stroke-width=\"3\"");
            }
            if "$*".contains(sign) {
                let fill = if sign == '*' { "#5ea34a" } else { "#d99a2b" };
                let paint = "fill-opacity=\"0.9\" stroke=\"#1d1f24\"";
                out += &square(3, &format!("rx=\"3\" fill=\"{fill}\" {paint}"));
            }
            if "@+".contains(sign) {
                out += &circle(8, "fill=\"#3574b8\"");
            }
        }
    }
    out + "</svg>\n"
}
