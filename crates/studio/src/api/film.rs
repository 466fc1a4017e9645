//! A line as an animated SVG: the drawings of its positions, one after another.

use super::answer::Frame;
use std::fmt::Write as _;

/// Seconds for which the last position is shown longer.
const REST: f64 = 2.0;

/// Attribute of the root of a drawing.
fn attribute<'s>(svg: &'s str, name: &str) -> Option<&'s str> {
    let root = &svg[..svg.find('>')?];
    let from = root.find(&format!(" {name}=\""))? + name.len() + 3;
    Some(&root[from..from + root[from..].find('"')?])
}

/// The box of a drawing.
fn view(svg: &str) -> String {
    let size = |name| attribute(svg, name).unwrap_or("320").trim_end_matches("px");
    let sized = || format!("0 0 {} {}", size("width"), size("height"));
    attribute(svg, "viewBox").map_or_else(sized, str::to_owned)
}

/// The film of drawings that are shown for `seconds` each, in an endless loop.
pub(super) fn film(frames: &[Frame], seconds: f64) -> String {
    let total = seconds * frames.len() as f64 + REST;
    let largest = |index: usize| {
        let number = |frame: &Frame| view(&frame.svg).split(' ').nth(index)?.parse::<f64>().ok();
        frames.iter().filter_map(number).fold(1.0, f64::max)
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\">\n",
        largest(2),
        largest(3)
    );
    for (i, frame) in frames.iter().enumerate() {
        let share = |at: f64| (at / total).clamp(0.0, 1.0);
        let begin = share(seconds * i as f64);
        let end = if i + 1 == frames.len() { 1.0 } else { share(seconds * (i + 1) as f64) };
        // Drawings without an opening tag are shown as they are.
        let svg = frame.svg.trim_end();
        let (times, values) = match i {
            0 => (format!("0;{end:.5}"), "visible;hidden"),
            _ if end >= 1.0 => (format!("0;{begin:.5}"), "hidden;visible"),
            _ => (format!("0;{begin:.5};{end:.5}"), "hidden;visible;hidden"),
        };
        let hidden = if i == 0 { "visible" } else { "hidden" };
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "<g visibility=\"{hidden}\">{}<animate attributeName=\"visibility\" calcMode=\"discrete\" \
             dur=\"{total:.2}s\" repeatCount=\"indefinite\" keyTimes=\"{times}\" values=\"{values}\"/>\
             {svg}</g>",
            frame.action.as_deref().map_or_else(String::new, |action| {
                format!("<title>{}</title>", unriddle_catalog::diagram::html_text(action))
            })
        );
    }
    out + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_shows_one_position_at_a_time() {
        let frame = |svg: &str| Frame { svg: svg.to_owned(), action: None };
        let film = film(
            &[
                frame("<svg width=\"40\" height=\"30\"></svg>"),
                frame("<svg viewBox=\"0 0 50 20\"/>"),
            ],
            1.0,
        );
        assert!(
            film.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 50 30\"")
        );
        assert!(film.contains("keyTimes=\"0;0.25000\" values=\"visible;hidden\""), "{film}");
        assert!(film.contains("keyTimes=\"0;0.25000\" values=\"hidden;visible\""), "{film}");
    }
}
