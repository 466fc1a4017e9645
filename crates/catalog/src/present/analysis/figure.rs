//! Two solutions that are mirror images of each other, drawn with their conjugate triples marked
//! (Agostinelli et al. 2019, Figure 4).

use crate::interface::{
    diagram::html_text,
    instance::Instance,
    pattern::Pattern,
    values::{Frame, Style},
};
use std::fmt::Write as _;
use unriddle_core::ParseError;

/// States in a row.
const COLUMNS: usize = 8;
/// Pixels from one state to the next.
const STEP: usize = 132;
/// Pixels of a state's width.
const SIDE: usize = 112;
/// Pixels of a row for the actions of its states and the distance to the next row.
const ACTION: usize = 42;
/// Pixels of a heading.
const HEADING: usize = 34;

/// The declared width and height of a drawing.
fn size(drawing: &str) -> (f64, f64) {
    let of = |name: &str| {
        let from = drawing.split(&format!(" {name}=\"")).nth(1)?;
        from.split('"').next()?.parse().ok()
    };
    (of("width").unwrap_or(320.0), of("height").unwrap_or(320.0))
}

/// Pixels of a state's height.
fn height(frames: &[Frame]) -> usize {
    frames.first().map_or(SIDE, |frame| {
        let (width, height) = size(&frame.drawing);
        (SIDE as f64 * height / width).ceil() as usize
    })
}

/// A solution: its states, each below the action that led to it, and boxes around conjugate
/// triples.
fn solution(out: &mut String, top: usize, heading: &str, frames: &[Frame], patterns: &[Pattern]) {
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "<text x=\"10\" y=\"{}\" font-size=\"15\">{}</text>",
        top + 22,
        html_text(heading)
    );
    let top = top + HEADING;
    let tall = height(frames);
    // Position of state `number` of the solution below the heading.
    let position = |number: usize| {
        let (row, column) = (number / COLUMNS, number % COLUMNS);
        (10 + column * STEP, row * (tall + ACTION))
    };
    for (number, frame) in frames.iter().enumerate() {
        let (x, y) = position(number);
        let action = frame.action.as_deref().unwrap_or("start");
        let (width, height) = size(&frame.drawing);
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"15\" text-anchor=\"middle\">{}</text>\n\
             <svg x=\"{x}\" y=\"{}\" width=\"{SIDE}\" height=\"{tall}\" viewBox=\"0 0 {width} {height}\">\n{}</svg>",
            x + SIDE / 2,
            top + y + 17,
            html_text(action),
            top + y + 24,
            frame.drawing,
        );
    }
    let conjugates = (0..).zip(patterns).filter(|(_, pattern)| **pattern == Pattern::Conjugate);
    for (number, (first, _)) in conjugates.enumerate() {
        // Overlapping boxes have different distances from the marked states.
        let apart = 2 + 3 * (number % 2);
        // The first action leads to the state behind it. A box may continue in the next row.
        let mut from: usize = first + 1;
        while from <= first + 3 {
            let end = (first + 3).min((from / COLUMNS + 1) * COLUMNS - 1);
            let ((left, y), (right, _)) = (position(from), position(end));
            let _ = writeln!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"none\" stroke=\"#2a8c3c\" \
                 stroke-width=\"2.5\"/>",
                left - apart,
                top + y + 5 - apart,
                right + SIDE - left + 2 * apart,
                tall + 20 + 2 * apart,
            );
            from = end + 1;
        }
    }
}

/// Solutions of two instances as scalable vector graphics, each with a heading. Triples of the form
/// aba⁻¹ are marked.
///
/// # Errors
/// A solution cannot be read or is illegal.
pub fn figure(pair: [(&str, &dyn Instance, &str); 2]) -> Result<String, ParseError> {
    let (mut body, mut top) = (String::new(), 0);
    for (heading, instance, text) in pair {
        let frames = instance.frames(text, Style::Svg)?;
        solution(&mut body, top, heading, &frames, &instance.patterns(text)?);
        top += HEADING + frames.len().div_ceil(COLUMNS) * (height(&frames) + ACTION);
    }
    let (width, height) = (COLUMNS * STEP + 10, top + 8);
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" font-family=\"sans-serif\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         {body}</svg>\n"
    ))
}
