//! The content of a figure, and its drawing as SVG.

use crate::{PlotError, axis::Axis};
use plotters::{
    coord::Shift,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

/// Size of a figure without its legend.
const SIZE: (u32, u32) = (720, 440);
/// Height of a line of the legend.
const LINE: u32 = 20;
/// Approximate width of a letter at the size of labels.
const LETTER: f64 = 6.6;
/// Most letters of names at an axis, of names in legends and of titles; longer ones are cut.
const AT_AXIS: usize = 36;
const IN_LEGEND: usize = 64;
const IN_TITLE: usize = 84;

/// Number of series with colours of their own.
pub const COLOURS: usize = 7;

/// The palette of Okabe and Ito, which colour-blind readers can distinguish, without its yellow.
const PALETTE: [RGBColor; COLOURS] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// Forms of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A disc.
    Dot,
    /// A triangle.
    Triangle,
    /// A square.
    Square,
    /// Two strokes.
    Cross,
    /// A circle that is not filled.
    Ring,
}

/// Something drawn; `usize` is the number of the series, which decides colour and dashes.
pub enum Mark {
    /// A line through points.
    Line(usize, Vec<(f64, f64)>),
    /// Points of a shape.
    Points(usize, Shape, Vec<(f64, f64)>),
    /// A filled rectangle between two corners.
    Bar(usize, (f64, f64), (f64, f64)),
    /// A thin grey line for orientation.
    Guide((f64, f64), (f64, f64)),
    /// Names beside points. A name is left out if every position beside its point is occupied.
    Labels(Vec<((f64, f64), String)>),
}

/// A figure.
pub struct Scene {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Caption of the horizontal axis.
    pub x_label: String,
    /// Caption of the vertical axis.
    pub y_label: String,
    /// Drawn marks, from the lowest layer to the topmost.
    pub marks: Vec<Mark>,
    /// Series with their shapes (none: a line) and names.
    pub legend: Vec<(usize, Option<Shape>, String)>,
}

fn colour(series: usize) -> RGBColor {
    PALETTE[series % PALETTE.len()]
}

/// The shape of a series' points.
#[must_use]
pub fn shape(series: usize) -> Shape {
    [Shape::Dot, Shape::Triangle, Shape::Square][series % 3]
}

/// A text of at most `longest` letters, without the characters that XML forbids.
fn cut(text: &str, longest: usize) -> String {
    let clean = |c: char| {
        if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { ' ' } else { c }
    };
    match text.chars().count() > longest {
        true => text.chars().map(clean).take(longest - 1).chain(['…']).collect(),
        false => text.chars().map(clean).collect(),
    }
}

fn width(text: &str) -> u32 {
    (text.chars().count() as f64 * LETTER).ceil() as u32
}

fn failed(error: impl std::fmt::Display) -> PlotError {
    PlotError(error.to_string())
}

type Pixel = (i32, i32);
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

impl Scene {
    /// The figure with its heading, as SVG.
    ///
    /// # Errors
    /// The drawing failed.
    pub fn draw(mut self, title: &str) -> Result<String, PlotError> {
        for name in self.x.names.iter_mut().chain(&mut self.y.names) {
            *name = cut(name, AT_AXIS);
        }
        let places = self.legend_positions();
        let lines = places.last().map_or(0, |&(_, line)| line + 1);
        let names = self.y.names.len().max(10) as u32;
        let top = 34 + lines * LINE;
        let size = (SIZE.0, SIZE.1 + lines.max(1) * LINE - LINE + (names - 10) * 26);
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            self.draw_on(&area, title, top, &places)?;
            area.present().map_err(failed)?;
        }
        Ok(svg)
    }

    /// Position of each name in the legend: column in pixels, and line.
    fn legend_positions(&self) -> Vec<(u32, u32)> {
        let (mut x, mut line) = (20, 0);
        let mut places = Vec::new();
        for (_, _, name) in &self.legend {
            let wide = 44 + width(&cut(name, IN_LEGEND));
            if x > 20 && x + wide > SIZE.0 {
                (x, line) = (20, line + 1);
            }
            places.push((x, line));
            x += wide;
        }
        places
    }

    fn draw_on(
        &self,
        area: &Area<'_>,
        title: &str,
        top: u32,
        places: &[(u32, u32)],
    ) -> Result<(), PlotError> {
        area.fill(&WHITE).map_err(failed)?;
        let large = ("sans-serif", 16).into_font().color(&BLACK);
        let text = |t: &str, at: (i32, i32), style: &TextStyle<'_>| {
            area.draw_text(t, style, at).map_err(failed)
        };
        text(&cut(title, IN_TITLE), (20, 10), &large)?;
        let small = ("sans-serif", 12).into_font().color(&BLACK);
        let small = small.pos(Pos::new(HPos::Left, VPos::Center));
        for ((series, shape, name), &(x, line)) in self.legend.iter().zip(places) {
            let (x, y) = (x as i32, (40 + line * LINE) as i32);
            match shape {
                None => {
                    for piece in dashed(vec![(x, y), (x + 24, y)], *series) {
                        draw_line(area, piece, colour(*series), 2)?;
                    }
                }
                Some(shape) => draw_point(area, (x + 14, y), *shape, colour(*series))?,
            }
            text(&cut(name, IN_LEGEND), (x + 30, y), &small)?;
        }
        let labels = self.y.ticks().into_iter().map(|v| width(&self.y.label(v)));
        let left = labels.max().unwrap_or(0) + 34;
        let mut chart = ChartBuilder::on(area)
            .margin_top(top)
            .margin_right(24)
            .margin_left(8)
            .margin_bottom(6)
            .x_label_area_size(44)
            .y_label_area_size(left)
            .build_cartesian_2d(self.x.clone(), self.y.clone())
            .map_err(failed)?;
        chart
            .configure_mesh()
            .bold_line_style(RGBColor(225, 228, 232))
            .axis_style(RGBColor(90, 98, 106))
            .label_style(("sans-serif", 12))
            .axis_desc_style(("sans-serif", 13))
            .x_desc(cut(&self.x_label, IN_TITLE))
            .y_desc(cut(&self.y_label, IN_LEGEND))
            .x_label_formatter(&|v| self.x.label(*v))
            .y_label_formatter(&|v| self.y.label(*v))
            .draw()
            .map_err(failed)?;
        // From here on in pixels, so that dashes and shapes are the same on all axes.
        let at = |&(x, y): &(f64, f64)| chart.backend_coord(&(x, y));
        for mark in &self.marks {
            match mark {
                Mark::Guide(from, to) => {
                    draw_line(area, vec![at(from), at(to)], RGBColor(130, 138, 146), 1)?;
                }
                Mark::Line(series, points) => {
                    let mut points: Vec<_> = points.iter().map(at).collect();
                    points.dedup();
                    for piece in dashed(points, *series) {
                        draw_line(area, piece, colour(*series), 2)?;
                    }
                }
                Mark::Points(series, shape, points) => {
                    // Points on the same pixel are one.
                    let mut points: Vec<_> = points.iter().map(at).collect();
                    points.sort_unstable();
                    points.dedup();
                    for place in points {
                        draw_point(area, place, *shape, colour(*series))?;
                    }
                }
                Mark::Bar(series, from, to) => {
                    let corners = [at(from), at(to)];
                    let fill = colour(*series).mix(0.25).filled();
                    area.draw(&Rectangle::new(corners, fill)).map_err(failed)?;
                    let line = colour(*series).stroke_width(1);
                    area.draw(&Rectangle::new(corners, line)).map_err(failed)?;
                }
                Mark::Labels(labels) => self.draw_labels(area, labels, &at, &small)?,
            }
        }
        Ok(())
    }

    /// Draws the labels of points, each at a position where it covers neither another label nor a
    /// point. Labels without such a position are left out.
    fn draw_labels(
        &self,
        area: &Area<'_>,
        labels: &[((f64, f64), String)],
        at: &dyn Fn(&(f64, f64)) -> Pixel,
        style: &TextStyle<'_>,
    ) -> Result<(), PlotError> {
        let points: Vec<_> = labels.iter().map(|(place, _)| at(place)).collect();
        let mut taken: Vec<[i32; 4]> =
            points.iter().map(|&(x, y)| [x - 4, y - 4, x + 4, y + 4]).collect();
        let ceiling = at(&(self.x.ends().0, self.y.ends().1)).1;
        for (&(x, y), (_, text)) in points.iter().zip(labels) {
            let text = cut(text, AT_AXIS);
            let wide = width(&text) as i32;
            let places = [
                // Lines run from left to right more often than up and down.
                (x - wide / 2, y - 13),
                (x - wide / 2, y + 13),
                (x + 8, y),
                (x - wide - 8, y),
                (x + 8, y - 10),
                (x + 8, y + 10),
            ];
            let space = |(x, y): (i32, i32)| [x, y - 7, x + wide, y + 7];
            let is_free = |place: &(i32, i32)| {
                let a = space(*place);
                let free = |b: &[i32; 4]| a[2] < b[0] || b[2] < a[0] || a[3] < b[1] || b[3] < a[1];
                a[1] >= ceiling && a[0] > 40 && a[2] < SIZE.0 as i32 - 4 && taken.iter().all(free)
            };
            if let Some(place) = places.into_iter().find(is_free) {
                taken.push(space(place));
                area.draw_text(&text, style, place).map_err(failed)?;
            }
        }
        Ok(())
    }
}

/// Draws a line.
fn draw_line(
    area: &Area<'_>,
    points: Vec<Pixel>,
    colour: RGBColor,
    width: u32,
) -> Result<(), PlotError> {
    area.draw(&PathElement::new(points, colour.stroke_width(width))).map_err(failed)
}

/// Draws a point of a shape.
fn draw_point(area: &Area<'_>, at: Pixel, shape: Shape, colour: RGBColor) -> Result<(), PlotError> {
    let (x, y) = at;
    let fill = colour.mix(0.75).filled();
    let drawn = match shape {
        Shape::Dot => area.draw(&Circle::new(at, 4, fill)),
        Shape::Triangle => area.draw(&TriangleMarker::new(at, 5, fill)),
        Shape::Square => area.draw(&Rectangle::new([(x - 4, y - 4), (x + 4, y + 4)], fill)),
        Shape::Cross => area.draw(&Cross::new(at, 4, colour.stroke_width(1))),
        Shape::Ring => area
            .draw(&Circle::new(at, 4, WHITE.filled()))
            .and_then(|()| area.draw(&Circle::new(at, 4, colour.stroke_width(2)))),
    };
    drawn.map_err(failed)
}

/// The pieces of a series' line that its dashes leave.
fn dashed(points: Vec<Pixel>, series: usize) -> Vec<Vec<Pixel>> {
    // Lengths of dash and gap, for series beyond the number of colours.
    let (on, off) = match series / PALETTE.len() {
        0 => return vec![points],
        1 => (7, 4),
        _ => (2, 3),
    };
    let (on, period) = (f64::from(on), f64::from(on + off));
    let mut pieces = Vec::new();
    let mut walked = 0.0f64;
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
        let length = dx.hypot(dy);
        let at = |s: f64| {
            let x = f64::from(from.0) + dx * s / length;
            let y = f64::from(from.1) + dy * s / length;
            (x.round() as i32, y.round() as i32)
        };
        let mut start = -(walked % period);
        while length > 0.0 && start < length {
            let (a, b) = (start.max(0.0), (start + on).min(length));
            if a < b {
                pieces.push(vec![at(a), at(b)]);
            }
            start += period;
        }
        walked += length;
    }
    pieces
}
