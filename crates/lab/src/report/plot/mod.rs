//! Figures: one per plot of the experiment and suite.

mod axis;
mod kinds;
mod scene;
mod time;

use super::{data::Data, markdown::escape, numbers::Measure, suite::capital};
use crate::{error::LabError, experiment::PlotKind};
use axis::Axis;
use scene::{Mark, Scene, Shape};

/// A figure with its heading and caption.
pub(super) struct Figure {
    /// Its file's name.
    pub(super) file: String,
    /// Its heading, as plain text.
    title: String,
    /// The drawing; none without data.
    pub(super) svg: Option<String>,
    /// What it shows (Markdown).
    caption: String,
}

/// A drawing with its caption.
struct Drawn {
    scene: Scene,
    caption: String,
}

/// A named line of points.
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// A figure of lines over a common axis, both axes linear and from zero.
pub(crate) fn curves(
    title: &str,
    x_label: &str,
    y_label: &str,
    curves: Vec<Curve>,
) -> Result<String, LabError> {
    let all = || curves.iter().flat_map(|curve| &curve.points);
    let over = |values: Vec<f64>| Axis::over(values.into_iter(), false, Measure::Plain, true);
    let scene = Scene {
        title: title.to_owned(),
        x: over(all().map(|p| p.0).collect()),
        y: over(all().map(|p| p.1).collect()),
        x_label: x_label.to_owned(),
        y_label: y_label.to_owned(),
        legend: curves
            .iter()
            .enumerate()
            .map(|(i, curve)| (i, None, curve.name.clone()))
            .collect(),
        marks: curves
            .into_iter()
            .enumerate()
            .map(|(i, curve)| Mark::Line(i, curve.points))
            .collect(),
    };
    scene.draw()
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
/// enough for each `x`.
///
/// # Errors
/// The figure cannot be drawn.
pub fn front(
    title: &str,
    x_label: &str,
    y_label: &str,
    points: &[FrontPoint],
) -> Result<String, LabError> {
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
    marks.extend(
        open.iter()
            .map(|point| Mark::Guide((point.x, point.bound), (point.x, point.y))),
    );
    let mut legend = vec![(0, None, "enough for so much".to_owned())];
    for (shape, points, name) in [
        (Shape::Dot, proved, "proved"),
        (Shape::Ring, open, "found; grey: down to the bound"),
    ] {
        if !points.is_empty() {
            legend.push((0, Some(shape), name.to_owned()));
            marks.push(Mark::Points(0, shape, places(&points)));
        }
    }
    let over = |values: Vec<f64>| Axis::over(values.into_iter(), false, Measure::Plain, false);
    let scene = Scene {
        title: title.to_owned(),
        x: over(points.iter().map(|point| point.x).collect()),
        y: over(
            points
                .iter()
                .flat_map(|point| [point.y, point.bound])
                .collect(),
        ),
        x_label: x_label.to_owned(),
        y_label: y_label.to_owned(),
        marks,
        legend,
    };
    scene.draw()
}

/// All figures of the experiment.
pub(super) fn figures(data: &Data<'_>) -> Result<Vec<Figure>, LabError> {
    let mut figures = Vec::<Figure>::new();
    for (number, spec) in data.plan.experiment.plots.iter().enumerate() {
        for &index in &spec.suites {
            let Some(suite) = data.plan.suites.get(index) else {
                continue;
            };
            let solvers = data.among(&spec.solvers, index);
            let (kind, drawn) = match spec.kind {
                PlotKind::Histogram => ("histogram", kinds::histogram(data, index, spec, &solvers)),
                PlotKind::Scatter => ("scatter", kinds::scatter(data, index, spec, &solvers)),
                PlotKind::Coverage => ("coverage", time::coverage(data, index, spec, &solvers)),
                PlotKind::Anytime => ("anytime", time::anytime(data, index, spec, &solvers)),
                PlotKind::Box => ("box", kinds::boxes(data, index, spec, &solvers)),
                PlotKind::Frontier => ("frontier", kinds::frontier(data, index, spec, &solvers)),
            };
            let title = match spec.suites.len() {
                1 => spec.title.clone(),
                _ => format!("{} ({})", spec.title, suite.name),
            };
            let mut caption = format!(
                "{}: {}.",
                escape(&suite.name),
                data.scopes
                    .get(index)
                    .map_or_else(String::new, |s| s.words())
            );
            let svg = match drawn {
                None => {
                    caption += " No run with data yet.";
                    None
                }
                Some(Drawn {
                    mut scene,
                    caption: more,
                }) => {
                    scene.title.clone_from(&title);
                    caption += &format!(" {}.", capital(&more));
                    Some(scene.draw()?)
                }
            };
            if let Some(published) = &spec.published {
                caption += &format!(" Published: {}.", escape(published.trim_end_matches('.')));
            }
            // Suites whose names differ in odd letters only are told apart by their number.
            let mut file = format!("{}-{kind}-{}.svg", number + 1, slug(&suite.name));
            if figures.iter().any(|figure| figure.file == file) {
                file = format!("{}-{kind}-{}-{index}.svg", number + 1, slug(&suite.name));
            }
            figures.push(Figure {
                file,
                title,
                svg,
                caption,
            });
        }
    }
    Ok(figures)
}

/// The section on the figures of a report of this name.
pub(super) fn section(figures: &[Figure], name: &str) -> String {
    if figures.is_empty() {
        return String::new();
    }
    let mut text = "## Plots\n\n".to_owned();
    for figure in figures {
        text += &format!("### {}\n\n", escape(&figure.title));
        if figure.svg.is_some() {
            let (title, file) = (escape(&figure.title), &figure.file);
            text += &format!("![{title}](<{name}/{file}>)\n\n");
        }
        text += &format!("{}\n\n", figure.caption);
    }
    text
}

/// A name as part of a file's name.
fn slug(name: &str) -> String {
    name.chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '-'
            }
        })
        .collect()
}
