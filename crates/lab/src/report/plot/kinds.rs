//! Plots of values: from runs to what is drawn.

use super::{Drawn, format};
use crate::{
    attribute::{Attribute, Scale},
    experiment::PlotSpec,
    report::{
        data::{Data, Value},
        numbers::{Measure, count, count_of, plain},
        statistics::quantile,
        summary::Cells,
    },
};
use std::collections::{BTreeMap, BTreeSet};
use unriddle_plot::{
    Axis, Format, Mark, Scene, Shape,
    axis::round_step,
    scene::{COLOURS, shape},
};

/// Bins of a histogram at most, about, unless their width is given.
const BINS: f64 = 40.0;
/// Most bins of a histogram.
const MOST_BINS: f64 = 2000.0;

pub(super) fn is_log(attribute: &Attribute) -> bool {
    attribute.scale == Scale::Log
}

/// How the values of an attribute are written at an axis.
pub(super) fn axis_format(attribute: &Attribute) -> Format {
    format(Measure::of(attribute))
}

/// The label of an axis; units that stand at the ticks are not repeated.
pub(super) fn label(data: &Data<'_>, suite: usize, attribute: &Attribute) -> String {
    let unit = match attribute.unit {
        "" => data.plan.suites.get(suite).map_or("", |s| s.unit),
        "s" | "bytes" | "%" => "",
        unit => unit,
    };
    match unit {
        "" => attribute.heading.to_owned(),
        unit => format!("{} ({unit})", attribute.heading),
    }
}

/// A solver's name.
pub(super) fn name(data: &Data<'_>, solver: usize) -> String {
    data.name(solver).to_owned()
}

/// Outlines of how many runs have which value.
pub(super) fn histogram(
    data: &Data<'_>,
    suite: usize,
    spec: &PlotSpec,
    solvers: &[usize],
) -> Option<Drawn> {
    let attribute = &spec.attribute;
    let values: Vec<Vec<Value>> =
        solvers.iter().map(|&s| data.values(suite, s, attribute)).collect();
    // Bins of equal factors where the axis has equal factors.
    let in_log = is_log(attribute) && spec.bin.is_none();
    let of = |v: &Value| {
        if in_log { v.value.max(1e-9).log10() } else { v.value }
    };
    let all: Vec<f64> = values.iter().flatten().map(of).collect();
    let low = all.iter().copied().reduce(f64::min)?;
    let high = all.iter().copied().reduce(f64::max)?;
    // More bins than the runs can fill show but noise.
    let most = values.iter().map(Vec::len).max().unwrap_or(0) as f64;
    let bins = (2.0 * most.sqrt()).clamp(8.0, BINS);
    let whole = all.iter().all(|v| v.fract() == 0.0);
    let bin = match spec.bin {
        Some(bin) if bin > 0.0 && bin.is_finite() => bin,
        _ if whole && !in_log => round_step((high - low) / (1.5 * BINS)).max(1.0),
        _ => round_step((high - low) / bins),
    };
    let bin = bin.max((high - low) / MOST_BINS);
    // Whole values stand in the middle of their bins.
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
    for (series, (&solver, values)) in solvers.iter().zip(&values).enumerate() {
        if values.is_empty() {
            continue;
        }
        let mut bins = vec![0usize; (last - first) as usize + 1];
        for value in values {
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
        marks.push(Mark::Line(series, line));
        let text = format!("{} (n = {})", data.name(solver), count(values.len()));
        legend.push((series, None, text));
    }
    let ends = [edge(first), edge(last + 1.0)];
    let measure = if shares { Measure::Percent } else { Measure::Plain };
    let mut caption = match in_log {
        true => "bins of equal factors".to_owned(),
        false => format!("bins of width {}", plain(bin)),
    };
    let censored = values.iter().flatten().filter(|v| v.is_censored).count();
    if censored > 0 {
        let runs = count_of(censored, "runs");
        caption += &format!("; {runs} that a limit ended count with what they had used until then");
    }
    let scene = Scene {
        title: String::new(),
        x: Axis::over(ends.into_iter(), in_log, axis_format(attribute), false),
        y: Axis::over([tallest].into_iter(), false, format(measure), true),
        x_label: label(data, suite, attribute),
        y_label: if shares { "share of the runs" } else { "runs" }.to_owned(),
        marks,
        legend,
    };
    Some(Drawn { scene, caption })
}

/// Two solvers on the same instances.
pub(super) fn scatter(
    data: &Data<'_>,
    suite: usize,
    spec: &PlotSpec,
    solvers: &[usize],
) -> Option<Drawn> {
    let (&first, &second) = (solvers.first()?, solvers.get(1)?);
    let attribute = &spec.attribute;
    let others = data.values(suite, second, attribute);
    let others: BTreeMap<_, _> = others.into_iter().map(|v| (v.pair(), v)).collect();
    let (mut whole, mut censored) = (Vec::new(), Vec::new());
    for value in data.values(suite, first, attribute) {
        if let Some(other) = others.get(&value.pair()) {
            let is_censored = value.is_censored || other.is_censored;
            let points = if is_censored { &mut censored } else { &mut whole };
            points.push((value.value, other.value));
        }
    }
    let all: Vec<(f64, f64)> = whole.iter().chain(&censored).copied().collect();
    if all.is_empty() {
        return None;
    }
    let both = all.iter().flat_map(|&(x, y)| [x, y]);
    let axis = Axis::over(both, is_log(attribute), axis_format(attribute), false);
    let (low, high) = axis.ends();
    let below = whole.iter().filter(|(x, y)| y < x).count();
    let above = whole.iter().filter(|(x, y)| y > x).count();
    let mut caption = format!(
        "{}, of which {} below the diagonal and {} above",
        count_of(all.len(), "pairs"),
        count(below),
        count(above)
    );
    let mut legend = vec![(0, Some(Shape::Dot), "both ended".to_owned())];
    if !censored.is_empty() {
        caption += &format!("; crosses: a limit ended one of both ({})", count(censored.len()));
        legend.push((1, Some(Shape::Cross), "a limit ended one of both".to_owned()));
    }
    let what = label(data, suite, attribute);
    let scene = Scene {
        title: String::new(),
        x: axis.clone(),
        y: axis,
        x_label: format!("{}: {what}", data.name(first)),
        y_label: format!("{}: {what}", data.name(second)),
        marks: vec![
            Mark::Guide((low, low), (high, high)),
            Mark::Points(0, Shape::Dot, whole),
            Mark::Points(1, Shape::Cross, censored),
        ],
        legend,
    };
    Some(Drawn { scene, caption })
}

/// Five numbers and outliers per solver.
pub(super) fn boxes(
    data: &Data<'_>,
    suite: usize,
    spec: &PlotSpec,
    solvers: &[usize],
) -> Option<Drawn> {
    let attribute = &spec.attribute;
    let mut rows = Vec::new();
    // The first solver stands on top.
    for &solver in solvers.iter().rev() {
        let values = data.values(suite, solver, attribute);
        if !values.is_empty() {
            rows.push((solver, values));
        }
    }
    let (mut marks, mut names, mut all) = (Vec::new(), Vec::new(), Vec::new());
    let (mut outliers, mut censored) = (0, 0);
    for (at, (solver, values)) in rows.iter().enumerate() {
        // Boxes have their names beside them: nothing need be dashed to be told apart.
        let series = solvers.iter().position(|s| s == solver).unwrap_or(0) % COLOURS;
        let y = at as f64;
        let mut sorted: Vec<f64> = values.iter().map(|v| v.value).collect();
        sorted.sort_by(f64::total_cmp);
        censored += values.iter().filter(|v| v.is_censored).count();
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
        names.push(name(data, *solver));
        all.extend(sorted);
    }
    if rows.is_empty() {
        return None;
    }
    let mut caption = format!(
        "quartiles over all instances and seeds, whiskers to the last run within 1.5 box lengths, {}",
        count_of(outliers, "outliers")
    );
    if censored > 0 {
        let runs = count_of(censored, "runs");
        caption += &format!("; {runs} that a limit ended count with what they had used until then");
    }
    let scene = Scene {
        title: String::new(),
        x: Axis::over(all.into_iter(), is_log(attribute), axis_format(attribute), false),
        y: Axis::of_names(names),
        x_label: label(data, suite, attribute),
        y_label: String::new(),
        marks,
        legend: Vec::new(),
    };
    Some(Drawn { scene, caption })
}

/// The mean of one attribute against that of another.
pub(super) fn frontier(
    data: &Data<'_>,
    suite: usize,
    spec: &PlotSpec,
    solvers: &[usize],
) -> Option<Drawn> {
    let horizontal = spec.x.or_else(|| Attribute::find("cpu_s"))?;
    let vertical = &spec.attribute;
    let cells = |attribute: &Attribute| {
        let values = solvers.iter().map(|&s| data.values(suite, s, attribute));
        Cells::new(values.collect(), attribute)
    };
    let (xs, ys) = (cells(&horizontal), cells(vertical));
    // Lines: solvers of one grid that differ in its last parameter only.
    let mut groups = Vec::<(String, Vec<(usize, String)>)>::new();
    for (cell, &solver) in solvers.iter().enumerate() {
        let (group, point) = match grid_line(data, solver) {
            None => (name(data, solver), String::new()),
            Some((line, (parameter, value))) => (format!("{line}, {parameter}"), value.clone()),
        };
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, cells)) => cells.push((cell, point)),
            None => groups.push((group, vec![(cell, point)])),
        }
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
    let mut caption = "a point per solver".to_owned();
    if hollow {
        caption += HOLLOW;
    }
    let axis = |values: Vec<f64>, a: &Attribute| {
        Axis::over(values.into_iter(), is_log(a), axis_format(a), false)
    };
    let scene = Scene {
        title: String::new(),
        x: axis(x_values, &horizontal),
        y: axis(y_values, vertical),
        x_label: mean_of(data, suite, &horizontal),
        y_label: mean_of(data, suite, vertical),
        marks,
        legend,
    };
    Some(Drawn { scene, caption })
}

/// The line that a grid's solver lies on, and the last parameter of the grid, along which the line goes, with its value.
pub(super) fn grid_line<'a>(
    data: &Data<'a>,
    solver: usize,
) -> Option<(String, &'a (String, String))> {
    let (grid, parameters) = data.solver(solver)?.grid.as_ref()?;
    let (last, fixed) = parameters.split_last()?;
    let fixed: String = fixed.iter().map(|(p, v)| format!(" {p}={v}")).collect();
    Some((format!("{grid}{fixed}"), last))
}

/// What a hollow point means, for the caption of a plot that has some.
pub(super) const HOLLOW: &str =
    "; hollow: over fewer runs than others, or a bound because limits ended runs";

/// The shape of a point of a series, hollow where it says less than the others.
pub(super) fn shape_of(series: usize, is_less: bool) -> Shape {
    if is_less { Shape::Ring } else { shape(series) }
}

/// The label of an axis that shows a statistic.
pub(super) fn mean_of(data: &Data<'_>, suite: usize, attribute: &Attribute) -> String {
    format!("{}, {}", label(data, suite, attribute), word(attribute))
}

/// The statistic in a word.
fn word(attribute: &Attribute) -> &'static str {
    use crate::attribute::Statistic;
    match attribute.statistic {
        Statistic::Mean => "mean",
        Statistic::Median => "median",
        Statistic::Share => "share",
        Statistic::Sum => "sum",
        Statistic::Max => "largest",
        Statistic::Sd => "standard deviation",
    }
}
