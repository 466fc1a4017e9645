//! Curves: an attribute over the last parameter of a grid, with a line for each suite.

use super::{
    Drawn, axis, format,
    kinds::{HOLLOW, grid_line, mean_of, shape_of},
};
use crate::{
    experiment::{PlotSpec, parameter as number},
    report::{
        select::Selection,
        summary::Cells,
        values::{Measure, group},
    },
};
use unriddle_plot::{Axis, Mark, Scene, scene::shape};

/// Least ratio of the largest to the smallest value of a parameter with a logarithmic axis.
const WIDE: f64 = 20.0;

/// Draws the statistic of an attribute over the last parameter of a grid: a line for each suite and
/// each choice of the grid's other parameters.
pub(super) fn curves(selection: &Selection<'_>, spec: &PlotSpec) -> Option<Drawn> {
    let attribute = &spec.attribute;
    let (mut lines, mut name) = (Vec::<(String, Vec<Point>)>::new(), String::new());
    for suite in spec.suites.iter().map(|&suite| &selection.suites[suite]) {
        let all = suite.among(&spec.solvers);
        let cells = Cells::of(&all, attribute);
        for (cell, series) in all.iter().enumerate() {
            let Some((line, (parameter, value))) = grid_line(series.solver) else {
                continue;
            };
            let (Some(x), Some(y)) = (number(value), cells.summary(cell)) else {
                continue;
            };
            name.clone_from(parameter);
            let line = match spec.suites.len() {
                1 => line,
                _ => format!("{}: {line}", suite.name()),
            };
            let point = Point { at: (x, y.value), is_less: y.is_bound || cells.is_less(cell) };
            group(&mut lines, line, point);
        }
    }
    let points = || lines.iter().flat_map(|(_, points)| points);
    let xs = || points().map(|point| point.at.0);
    let least = xs().reduce(f64::min)?;
    let is_wide = least > 0.0 && xs().any(|x| x >= WIDE * least);
    let is_hollow = points().any(|point| point.is_less);
    let x = Axis::over(xs(), is_wide, format(Measure::Plain), false);
    let y = axis(points().map(|point| point.at.1), attribute);
    let (mut marks, mut legend) = (Vec::new(), Vec::new());
    for (series, (name, mut points)) in lines.into_iter().enumerate() {
        points.sort_by(|a, b| a.at.0.total_cmp(&b.at.0));
        marks.push(Mark::Line(series, points.iter().map(|point| point.at).collect()));
        for Point { at, is_less } in points {
            marks.push(Mark::Points(series, shape_of(series, is_less), vec![at]));
        }
        legend.push((series, Some(shape(series)), name));
    }
    let scene = Scene {
        x,
        y,
        x_label: name,
        y_label: mean_of(&selection.suites[*spec.suites.first()?], attribute),
        marks,
        legend,
    };
    let hollow = if is_hollow { HOLLOW } else { "" };
    let caption = format!("a point per solver, a line per suite and grid{hollow}");
    Some(Drawn { scene, caption })
}

/// Point of a line.
struct Point {
    at: (f64, f64),
    /// Whether it is over fewer runs than others, or a bound.
    is_less: bool,
}
