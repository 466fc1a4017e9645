//! Tables beyond the standard one of a suite: by classes of instances, by two parameters of a grid,
//! paired with one solver.

use super::{
    markdown::{Table, escape},
    numbers::{self, count, count_of},
    pairs,
    select::{Series, SuiteRuns, Value},
    statistics,
    suite::heading,
    summary::Cells,
    values::{Measure, group},
};
use crate::{
    attribute::{Attribute, Better, Scale},
    experiment::{Classes, ClassesBy, Experiment, TableKind, TableSpec},
};
use std::collections::HashSet;

/// Writes the further tables of a suite.
pub(super) fn tables(experiment: &Experiment, suite: &SuiteRuns<'_>) -> String {
    let tables = experiment.tables.iter().filter(|spec| spec.suites.contains(&suite.index));
    let table = |TableSpec { kind, attribute, .. }: &TableSpec| match kind {
        TableKind::Classes { solvers } => {
            let classes = experiment.classes.as_ref();
            classes.map_or_else(String::new, |c| by_class(suite, c, attribute, solvers))
        }
        TableKind::Grid { solver, rows, columns } => {
            grids(suite, solver.as_deref(), &Axes { rows, columns }, attribute)
        }
        TableKind::Paired { baseline, solvers } => paired(suite, *baseline, solvers, attribute),
    };
    tables.map(table).collect()
}

/// Table with a row for each class and a column for each solver.
fn by_class(
    suite: &SuiteRuns<'_>,
    classes: &Classes,
    attribute: &Attribute,
    solvers: &[usize],
) -> String {
    let by = heading(&classes.attribute, suite.loaded);
    let decider = suite.of(classes.solver);
    let decider_name = escape(decider.name());
    let mut text = format!("### {} by class\n\n", heading(attribute, suite.loaded));
    let Some(division) = &suite.division else {
        return text + &format!("The classes are decided by runs of {decider_name}: none yet.\n\n");
    };
    let all = suite.among(solvers);
    let mut head = vec!["class".to_owned(), by.clone(), "instances".to_owned()];
    head.extend(all.iter().map(|series| escape(series.name())));
    let mut table = Table::new(head, &[0, 1]);
    let (mut less, mut bound) = (false, false);
    for (class, name) in classes.names.iter().enumerate() {
        let is_in = |instance: usize| division.class.get(instance) == Some(&Some(class));
        let members = (0..division.class.len()).filter(|&i| is_in(i)).count();
        let values = |series: &&Series<'_>| -> Vec<Value> {
            let all = series.values(attribute);
            all.into_iter().filter(|v| is_in(v.instance)).collect()
        };
        let cells = Cells::new(all.iter().map(values).collect(), attribute);
        less |= cells.differ();
        bound |= cells.is_censored();
        let words = division.words(class, Measure::of(&classes.attribute));
        let mut row = vec![escape(name), words, count(members)];
        row.extend(all.iter().enumerate().map(|(cell, series)| {
            let runs = series.runs.iter().filter(|run| is_in(run.instance));
            cells.show(cell, runs.count())
        }));
        table.push(row);
    }
    text += &table.show();
    let (what, numbers) = match &classes.by {
        ClassesBy::Quantiles(quantiles) => ("quantiles of", quantiles),
        ClassesBy::Near(values, _) => ("how near instances are to values of", values),
    };
    text += &format!("Classes by {what} {by} of {decider_name}");
    let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
    text += &format!(" ({})", numbers.join(", "));
    let without = division.class.iter().enumerate();
    let without = without.filter(|(i, class)| class.is_none() && suite.scope.has(*i));
    match without.count() {
        0 => {}
        n => text += &format!("; {} in no class", count_of(n, "instances")),
    }
    let censored = decider.values(&classes.attribute);
    match censored.iter().filter(|v| v.is_censored).count() {
        0 => {}
        n => text += &format!("; a limit ended {} of these runs", count(n)),
    }
    text + ".\n\n" + &marks(less, bound)
}

/// Explains the marks of a table.
fn marks(less: bool, bound: bool) -> String {
    let less = less.then_some("\\* over fewer runs than another cell in comparison.");
    let bound = bound.then_some("≥ a lower bound, because limits ended some runs.");
    match &[less, bound].into_iter().flatten().collect::<Vec<_>>()[..] {
        [] => String::new(),
        marks => marks.join(" ") + "\n\n",
    }
}

/// Parameters on the rows and columns of a grid.
struct Axes<'a> {
    rows: &'a str,
    columns: &'a str,
}

/// Solver in a grid with its values of the two parameters.
struct GridCell<'a> {
    row: &'a str,
    column: &'a str,
    series: &'a Series<'a>,
}

/// Name of a grid with the parameters that are neither on the rows nor on the columns. Solvers with
/// the same name and parameters share a table.
type Fixed<'a> = (&'a str, Vec<&'a (String, String)>);

/// Tables whose rows and columns are two parameters.
fn grids(
    suite: &SuiteRuns<'_>,
    name: Option<&str>,
    axes: &Axes<'_>,
    attribute: &Attribute,
) -> String {
    let mut grids = Vec::<(Fixed<'_>, Vec<GridCell<'_>>)>::new();
    for series in suite.series() {
        let Some((grid, parameters)) = &series.solver.grid else {
            continue;
        };
        let value = |name: &str| Some(&*parameters.iter().find(|(p, _)| p == name)?.1);
        let (Some(row), Some(column)) = (value(axes.rows), value(axes.columns)) else {
            continue;
        };
        if name.is_some_and(|name| name != grid) {
            continue;
        }
        let others = parameters.iter().filter(|(p, _)| p != axes.rows && p != axes.columns);
        let fixed = (grid.as_str(), others.collect::<Vec<_>>());
        group(&mut grids, fixed, GridCell { row, column, series });
    }
    let mut text = String::new();
    for ((grid, fixed), cells) in &grids {
        let mut title = format!(
            "### {} of {} by {} and {}",
            heading(attribute, suite.loaded),
            escape(grid),
            escape(axes.rows),
            escape(axes.columns)
        );
        for (parameter, value) in fixed {
            title += &format!(", {} = {}", escape(parameter), escape(value));
        }
        text += &format!("{title}\n\n");
        text += &grid_table(axes, cells, attribute);
    }
    text
}

fn grid_table<'a>(axes: &Axes<'_>, solvers: &[GridCell<'a>], attribute: &Attribute) -> String {
    // Values are in the order of the experiment.
    let distinct = |of: fn(&GridCell<'a>) -> &'a str| {
        let mut seen = HashSet::new();
        solvers.iter().map(of).filter(|value| seen.insert(*value)).collect::<Vec<_>>()
    };
    let (rows, columns) = (distinct(|solver| solver.row), distinct(|solver| solver.column));
    let all: Vec<&Series<'_>> = solvers.iter().map(|solver| solver.series).collect();
    let cells = Cells::of(&all, attribute);
    let mut head = vec![format!("{} \\\\ {}", escape(axes.rows), escape(axes.columns))];
    head.extend(columns.iter().map(|value| escape(value)));
    let mut table = Table::new(head, &[0]);
    for row in rows {
        let mut line = vec![escape(row)];
        for column in &columns {
            let cell = solvers.iter().position(|s| s.row == row && s.column == *column);
            line.push(cell.map_or_else(String::new, |cell| {
                let runs = &all[cell].runs;
                let solved = runs.iter().filter(|run| run.row.is_solved()).count();
                let mut text = cells.show(cell, runs.len());
                // The number of solved instances is redundant if it is the number of values.
                let n = cells.summary(cell).map_or(0, |summary| summary.n);
                if solved < runs.len() && solved != n {
                    let (solved, all) = (count(solved), count(runs.len()));
                    text += &format!(", {solved} of {all} solved");
                }
                text
            }));
        }
        table.push(line);
    }
    table.show() + &marks(cells.differ(), cells.is_censored())
}

/// Compares every solver with one.
fn paired(
    suite: &SuiteRuns<'_>,
    baseline: usize,
    solvers: &[usize],
    attribute: &Attribute,
) -> String {
    if suite.among(&[baseline]).is_empty() {
        return String::new();
    }
    let sides = match attribute.better {
        Better::Neutral => "lower / equal / higher",
        _ => "wins / ties / losses",
    };
    let ratio = match attribute.scale {
        Scale::Log => "geometric mean ratio",
        Scale::Linear => "ratio of means",
    };
    let head = ["solver", "pairs", "difference", ratio, sides, "excludes 0", "left out"];
    let mut table = Table::new(head.map(str::to_owned).to_vec(), &[0]);
    let base = suite.of(baseline);
    let base_values = base.values(attribute);
    for series in suite.among(solvers) {
        if series.index == baseline {
            continue;
        }
        let matched = pairs::matched(&series.values(attribute), &base_values);
        // The difference of a bound and a value is neither a bound nor a value.
        let (bounds, whole): (Vec<_>, Vec<_>) =
            (matched.into_iter()).partition(|(a, b)| a.is_censored || b.is_censored);
        let pairs = pairs::by_instance(&whole);
        let mut row = vec![escape(series.name()), count(pairs.len())];
        row.extend(compared(&pairs, attribute));
        row.push(count(bounds.len()));
        table.push(row);
    }
    format!(
        "### {} against {}, paired\n\n{}A pair is an instance for which both have it with the same seeds (its \
         mean over them); the difference and the ratio are of the solver to {1}, the interval is Student's \
         at 95 %; runs with a partner, or of their own, that a limit ended are left out.\n\n",
        heading(attribute, suite.loaded),
        escape(base.name()),
        table.show()
    )
}

/// Returns difference, ratio, sides, and whether the interval of the difference excludes zero.
fn compared(pairs: &[(f64, f64)], attribute: &Attribute) -> Vec<String> {
    let none = || "—".to_owned();
    let measure = Measure::of(attribute);
    let differences: Vec<f64> = pairs.iter().map(|(ours, base)| ours - base).collect();
    let Some(mean) = statistics::mean(&differences) else {
        return vec![none(), none(), none(), none()];
    };
    let half = statistics::half_width(&differences, statistics::CONFIDENCE);
    let difference = match half {
        Some(half) => numbers::show_with(mean, half, measure),
        None => numbers::show(mean, measure),
    };
    let of_means = pairs::ratio_of_means(pairs);
    let ratio = match attribute.scale {
        Scale::Linear => of_means.map(numbers::plain),
        Scale::Log => match statistics::geometric_ratio(pairs) {
            Some(ratio) => Some(numbers::plain(ratio)),
            None => of_means.map(|r| format!("{} (of means)", numbers::plain(r))),
        },
    };
    let lower = pairs.iter().filter(|(ours, base)| ours < base).count();
    let higher = pairs.iter().filter(|(ours, base)| ours > base).count();
    let (first, last) = match attribute.better {
        Better::Higher => (higher, lower),
        Better::Lower | Better::Neutral => (lower, higher),
    };
    let equal = pairs.len() - lower - higher;
    let sides = [first, equal, last].map(count).join(" / ");
    let excludes = match half {
        Some(half) if mean.abs() > half => "yes",
        Some(_) => "no",
        None => "—",
    };
    vec![difference, ratio.unwrap_or_else(none), sides, excludes.to_owned()]
}
