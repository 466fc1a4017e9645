//! Whole figures of numbers.

use crate::{
    PlotError,
    axis::{Axis, Format},
    scene::{Mark, Scene, Shape},
};

/// A named line of points.
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// Its points, in the order of the line.
    pub points: Vec<(f64, f64)>,
}

/// A figure of lines over a common axis, both axes linear and from zero. `text` formats the numbers
/// at the axes.
///
/// # Errors
/// The figure cannot be drawn.
pub fn curves(
    title: &str,
    x_label: &str,
    y_label: &str,
    curves: Vec<Curve>,
    text: fn(f64) -> String,
) -> Result<String, PlotError> {
    let all = || curves.iter().flat_map(|curve| &curve.points);
    let over = |values: Vec<f64>| Axis::over(values.into_iter(), false, Format::plain(text), true);
    let scene = Scene {
        x: over(all().map(|p| p.0).collect()),
        y: over(all().map(|p| p.1).collect()),
        x_label: x_label.to_owned(),
        y_label: y_label.to_owned(),
        legend: curves.iter().enumerate().map(|(i, curve)| (i, None, curve.name.clone())).collect(),
        marks: (0..).zip(curves).map(|(i, curve)| Mark::Line(i, curve.points)).collect(),
    };
    scene.draw(title)
}

/// A point of a front: the least `y` that was found for `x`, and a lower bound of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrontPoint {
    /// The amount that should be large.
    pub x: f64,
    /// The amount that should be small.
    pub y: f64,
    /// Lower bound of `y` at `x` or beyond; equal to `y` where that is proved.
    pub bound: f64,
}

/// A figure of a front, its points by rising `x` and `y`. The steps between them show which `y` is
/// enough for each `x`. `text` writes the numbers at the axes.
///
/// # Errors
/// The figure cannot be drawn.
pub fn front(
    title: &str,
    x_label: &str,
    y_label: &str,
    points: &[FrontPoint],
    text: fn(f64) -> String,
) -> Result<String, PlotError> {
    let (proved, open): (Vec<FrontPoint>, Vec<FrontPoint>) =
        points.iter().partition(|point| point.bound >= point.y);
    let places = |points: &[FrontPoint]| points.iter().map(|point| (point.x, point.y)).collect();
    let mut steps = Vec::new();
    for point in points {
        if let Some(&(before, _)) = steps.last() {
            steps.push((before, point.y));
        }
        steps.push((point.x, point.y));
    }
    let mut marks = vec![Mark::Line(0, steps)];
    marks.extend(open.iter().map(|point| Mark::Guide((point.x, point.bound), (point.x, point.y))));
    let mut legend = vec![(0, None, "the least that is enough".to_owned())];
    for (shape, points, name) in
        [(Shape::Dot, proved, "proved"), (Shape::Ring, open, "found; grey: down to the bound")]
    {
        if !points.is_empty() {
            legend.push((0, Some(shape), name.to_owned()));
            marks.push(Mark::Points(0, shape, places(&points)));
        }
    }
    let over = |values: Vec<f64>| Axis::over(values.into_iter(), false, Format::plain(text), false);
    let scene = Scene {
        x: over(points.iter().map(|point| point.x).collect()),
        y: over(points.iter().flat_map(|point| [point.y, point.bound]).collect()),
        x_label: x_label.to_owned(),
        y_label: y_label.to_owned(),
        marks,
        legend,
    };
    scene.draw(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(x: f64) -> String {
        format!("{x}")
    }

    #[test]
    fn figures_are_valid_xml_with_all_texts() {
        let point = |x, y, bound| FrontPoint { x, y, bound };
        let points = [point(1.0, 10.0, 10.0), point(3.0, 25.0, 20.0)];
        let front = front("A < B", "gain", "cost", &points, text).unwrap();
        let curve =
            |name: &str| Curve { name: name.to_owned(), points: vec![(0.0, 1.0), (1.0, 5.0)] };
        let curves = curves("T", "x", "y", vec![curve("one"), curve("two")], text).unwrap();
        for (svg, words) in
            [(front, ["A < B", "gain", "cost", "proved"]), (curves, ["T", "x", "one", "two"])]
        {
            let document = roxmltree::Document::parse(&svg).unwrap();
            let texts: Vec<&str> =
                document.descendants().filter_map(|node| node.text()).map(str::trim).collect();
            for word in words {
                assert!(texts.contains(&word), "{word}: {texts:?}");
            }
        }
    }
}
