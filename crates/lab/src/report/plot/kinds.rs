//! Plots of values: histogram, scatter plot, box plot, frontier.

use super::{Drawn, Plot, axis, format, is_log, label};
use crate::{
    attribute::{Attribute, Statistic},
    experiment::Solver,
    report::{
        numbers::{count, count_of, plain},
        pairs,
        select::{SuiteRuns, Value},
        statistics::quantile,
        summary::Cells,
        values::{Measure, group},
    },
};
use std::collections::BTreeSet;
use unriddle_plot::{
    Axis, Mark, Scene, Shape,
    axis::round_step,
    scene::{COLOURS, shape},
};

/// Approximate greatest number of bins of a histogram whose bin width is not given.
const BINS: f64 = 40.0;
/// Greatest number of bins of a histogram.
const MOST_BINS: f64 = 2000.0;

/// Note for the caption of a plot whose values contain some of runs that a limit ended.
fn limited<'a>(values: impl Iterator<Item = &'a Value>) -> String {
    match values.filter(|v| v.is_censored).count() {
        0 => String::new(),
        n => {
            let runs = count_of(n, "runs");
            format!("; {runs} that a limit ended count with their effort until then")
        }
    }
}

/// Histogram: outlines of the number of runs by value.
pub(super) fn histogram(Plot { spec, suite, all }: &Plot<'_>) -> Option<Drawn> {
    let attribute = &spec.attribute;
    let values: Vec<Vec<Value>> = all.iter().map(|series| series.values(attribute)).collect();
    // A logarithmic axis has bins of equal factors.
    let in_log = is_log(attribute) && spec.bin.is_none();
    let of = |v: &Value| if in_log { v.value.max(1e-9).log10() } else { v.value };
    let until = spec.until.unwrap_or(f64::INFINITY);
    let is_shown = |v: &&Value| v.value <= until;
    let numbers: Vec<f64> = values.iter().flatten().filter(is_shown).map(of).collect();
    let low = numbers.iter().copied().reduce(f64::min)?;
    let high = numbers.iter().copied().reduce(f64::max)?;
    // More bins than the runs can fill only show noise.
    let most = values.iter().map(Vec::len).max().unwrap_or(0) as f64;
    let bins = (2.0 * most.sqrt()).clamp(8.0, BINS);
    let whole = numbers.iter().all(|v| v.fract() == 0.0);
    let bin = match spec.bin {
        Some(bin) if bin > 0.0 && bin.is_finite() => bin,
        _ if whole && !in_log => round_step((high - low) / (1.5 * BINS)).max(1.0),
        _ => round_step((high - low) / bins),
    };
    let bin = bin.max((high - low) / MOST_BINS);
    // Whole values are in the middle of their bins.
    let shift = if whole && !in_log && bin == 1.0 { 0.5 } else { 0.0 };
    let index = |v: f64| ((v + shift) / bin).floor();
    let edge = |i: f64| {
        let edge = i * bin - shift;
        if in_log { 10f64.powf(edge) } else { edge }
    };
    let (first, last) = (index(low), index(high));
    let sizes: BTreeSet<usize> = values.iter().map(Vec::len).filter(|&n| n > 0).collect();
    let shares = sizes.len() > 1;
    let (mut marks, mut legend, mut tallest) = (Vec::new(), Vec::new(), 0.0f64);
    for (index_of_series, (series, values)) in all.iter().zip(&values).enumerate() {
        if values.is_empty() {
            continue;
        }
        let mut bins = vec![0usize; (last - first) as usize + 1];
        for value in values.iter().filter(is_shown) {
            if let Some(n) = bins.get_mut((index(of(value)) - first) as usize) {
                *n += 1;
            }
        }
        let total = if shares { values.len() as f64 } else { 1.0 };
        let mut line = vec![(edge(first), 0.0)];
        for (i, n) in bins.into_iter().enumerate() {
            let (height, i) = (n as f64 / total, i as f64);
            tallest = tallest.max(height);
            line.push((edge(first + i), height));
            line.push((edge(first + i + 1.0), height));
        }
        line.push((edge(last + 1.0), 0.0));
        marks.push(Mark::Line(index_of_series, line));
        let text = format!("{} (n = {})", series.name(), count(values.len()));
        legend.push((index_of_series, None, text));
    }
    let ends = [edge(first), edge(last + 1.0)];
    let measure = if shares { Measure::Percent } else { Measure::Plain };
    let bins = match in_log {
        true => "bins of equal factors".to_owned(),
        false => format!("bins of width {}", plain(bin)),
    };
    let beyond = match values.iter().flatten().count() - numbers.len() {
        0 => String::new(),
        n => format!("; {} above {} are not shown", count_of(n, "runs"), plain(until)),
    };
    let caption = bins + &beyond + &limited(values.iter().flatten());
    let scene = Scene {
        x: Axis::over(ends.into_iter(), in_log, format(Measure::of(attribute)), false),
        y: Axis::over([tallest].into_iter(), false, format(measure), true),
        x_label: label(suite, attribute),
        y_label: if shares { "share of the runs" } else { "runs" }.to_owned(),
        marks,
        legend,
    };
    Some(Drawn { scene, caption })
}

/// Scatter plot of two solvers on the same instances.
pub(super) fn scatter(Plot { spec, suite, all }: &Plot<'_>) -> Option<Drawn> {
    let (first, second) = (all.first()?, all.get(1)?);
    let attribute = &spec.attribute;
    let (mut whole, mut censored) = (Vec::new(), Vec::new());
    for (value, other) in pairs::matched(&first.values(attribute), &second.values(attribute)) {
        let is_censored = value.is_censored || other.is_censored;
        let points = if is_censored { &mut censored } else { &mut whole };
        points.push((value.value, other.value));
    }
    let points = whole.len() + censored.len();
    if points == 0 {
        return None;
    }
    let both = whole.iter().chain(&censored).flat_map(|&(x, y)| [x, y]);
    let axis = axis(both, attribute);
    let (low, high) = axis.ends();
    let below = whole.iter().filter(|(x, y)| y < x).count();
    let above = whole.iter().filter(|(x, y)| y > x).count();
    let mut caption = format!(
        "{}, of which {} below the diagonal and {} above",
        count_of(points, "pairs"),
        count(below),
        count(above)
    );
    let mut legend = vec![(0, Some(Shape::Dot), "both ended".to_owned())];
    if !censored.is_empty() {
        caption += &format!("; crosses: a limit ended one of both ({})", count(censored.len()));
        legend.push((1, Some(Shape::Cross), "a limit ended one of both".to_owned()));
    }
    let what = label(suite, attribute);
    let scene = Scene {
        x: axis.clone(),
        y: axis,
        x_label: format!("{}: {what}", first.name()),
        y_label: format!("{}: {what}", second.name()),
        marks: vec![
            Mark::Guide((low, low), (high, high)),
            Mark::Points(0, Shape::Dot, whole),
            Mark::Points(1, Shape::Cross, censored),
        ],
        legend,
    };
    Some(Drawn { scene, caption })
}

/// Box plot: quartiles, whiskers and outliers of each solver.
pub(super) fn boxes(Plot { spec, suite, all }: &Plot<'_>) -> Option<Drawn> {
    let attribute = &spec.attribute;
    let (mut marks, mut names, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    let (mut outliers, mut all_values) = (0, Vec::new());
    // The first solver is at the top.
    for (index, solver) in all.iter().enumerate().rev() {
        let values = solver.values(attribute);
        if values.is_empty() {
            continue;
        }
        // Boxes have their names beside them and need no dashes to be distinguished.
        let series = index % COLOURS;
        let y = names.len() as f64;
        let mut sorted: Vec<f64> = values.iter().map(|v| v.value).collect();
        sorted.sort_by(f64::total_cmp);
        let [low, middle, high] = [0.25, 0.5, 0.75].map(|p| quantile(&sorted, p).unwrap_or(0.0));
        let reach = 1.5 * (high - low);
        let inside = |v: &&f64| (low - reach..=high + reach).contains(*v);
        let least = *sorted.iter().find(inside)?;
        let most = *sorted.iter().rev().find(inside)?;
        let out: Vec<(f64, f64)> = sorted.iter().filter(|v| !inside(v)).map(|&v| (v, y)).collect();
        outliers += out.len();
        marks.push(Mark::Line(series, vec![(least, y), (low, y)]));
        marks.push(Mark::Line(series, vec![(high, y), (most, y)]));
        for end in [least, most] {
            marks.push(Mark::Line(series, vec![(end, y - 0.15), (end, y + 0.15)]));
        }
        marks.push(Mark::Bar(series, (low, y - 0.3), (high, y + 0.3)));
        marks.push(Mark::Line(series, vec![(middle, y - 0.3), (middle, y + 0.3)]));
        marks.push(Mark::Points(series, Shape::Ring, out));
        names.push(solver.name().to_owned());
        numbers.extend(sorted);
        all_values.extend(values);
    }
    if names.is_empty() {
        return None;
    }
    let caption = format!(
        "quartiles over all instances and seeds, whiskers to the last run within 1.5 box lengths, {}{}",
        count_of(outliers, "outliers"),
        limited(all_values.iter())
    );
    let scene = Scene {
        x: axis(numbers, attribute),
        y: Axis::of_names(names),
        x_label: label(suite, attribute),
        y_label: String::new(),
        marks,
        legend: Vec::new(),
    };
    Some(Drawn { scene, caption })
}

/// Frontier: mean of one attribute against the mean of another.
pub(super) fn frontier(Plot { spec, suite, all }: &Plot<'_>) -> Option<Drawn> {
    let horizontal = spec.x.or_else(|| Attribute::find("cpu_s"))?;
    let vertical = &spec.attribute;
    let (xs, ys) = (Cells::of(all, &horizontal), Cells::of(all, vertical));
    // A line connects solvers of one grid that differ only in its last parameter.
    let mut groups = Vec::<(String, Vec<(usize, String)>)>::new();
    for (cell, series) in all.iter().enumerate() {
        let (name, point) = match grid_line(series.solver) {
            None => (series.name().to_owned(), String::new()),
            Some((line, (parameter, value))) => (format!("{line}, {parameter}"), value.clone()),
        };
        group(&mut groups, name, (cell, point));
    }
    let (mut marks, mut legend, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    let (mut x_values, mut y_values, mut hollow) = (Vec::new(), Vec::new(), false);
    for (series, (group, members)) in groups.into_iter().enumerate() {
        let mut line = Vec::new();
        for (cell, text) in members {
            let (Some(x), Some(y)) = (xs.summary(cell), ys.summary(cell)) else {
                continue;
            };
            let place = (x.value, y.value);
            let is_less = x.is_bound || y.is_bound || xs.is_less(cell) || ys.is_less(cell);
            hollow |= is_less;
            marks.push(Mark::Points(series, shape_of(series, is_less), vec![place]));
            if !text.is_empty() {
                labels.push((place, text));
            }
            line.push(place);
            x_values.push(place.0);
            y_values.push(place.1);
        }
        if line.is_empty() {
            continue;
        }
        // Below the points.
        marks.insert(0, Mark::Line(series, line));
        legend.push((series, Some(shape(series)), group));
    }
    if x_values.is_empty() {
        return None;
    }
    marks.push(Mark::Labels(labels));
    let caption = format!("a point per solver{}", if hollow { HOLLOW } else { "" });
    let scene = Scene {
        x: axis(x_values, &horizontal),
        y: axis(y_values, vertical),
        x_label: mean_of(suite, &horizontal),
        y_label: mean_of(suite, vertical),
        marks,
        legend,
    };
    Some(Drawn { scene, caption })
}

/// Returns the name of the line to which a grid's solver belongs, and the last parameter of the
/// grid, which varies along the line, with its value.
pub(super) fn grid_line(solver: &Solver) -> Option<(String, &(String, String))> {
    let (grid, parameters) = solver.grid.as_ref()?;
    let (last, fixed) = parameters.split_last()?;
    let fixed: String = fixed.iter().map(|(p, v)| format!(" {p}={v}")).collect();
    Some((format!("{grid}{fixed}"), last))
}

/// Meaning of a hollow point, for the caption of a plot that has some.
pub(super) const HOLLOW: &str =
    "; hollow: over fewer runs than others, or a bound because limits ended runs";

/// Shape of a point of a series: hollow if it is over fewer runs or a bound.
pub(super) fn shape_of(series: usize, is_less: bool) -> Shape {
    if is_less { Shape::Ring } else { shape(series) }
}

/// Label of an axis that shows a statistic.
pub(super) fn mean_of(suite: &SuiteRuns<'_>, attribute: &Attribute) -> String {
    let statistic = match attribute.statistic {
        Statistic::Mean => "mean",
        Statistic::Median => "median",
        Statistic::Share => "share",
        Statistic::Sum => "sum",
        Statistic::Max => "largest",
        Statistic::Sd => "standard deviation",
    };
    format!("{}, {statistic}", label(suite, attribute))
}
