//! Tables beyond the standard one of a suite: by classes of instances, by two parameters of a grid,
//! paired with one solver.

use super::{
    data::{Data, Value},
    markdown::{Table, escape},
    numbers::{self, Measure, count, count_of},
    pairs, statistics,
    suite::heading,
    summary::Cells,
};
use crate::{
    attribute::{Attribute, Better, Scale},
    experiment::{ClassesBy, TableSpec},
    plan::LoadedSuite,
};
/// The further tables of a suite.
pub(super) fn tables(data: &Data<'_>, index: usize, suite: &LoadedSuite) -> String {
    let of = |spec: &TableSpec| match spec {
        TableSpec::Classes { attribute, solvers, suites } if suites.contains(&index) => {
            classes(data, index, suite, attribute, solvers)
        }
        TableSpec::Grid { solver, rows, columns, attribute, suites } if suites.contains(&index) => {
            let axes = (rows.as_str(), columns.as_str());
            grids(data, index, suite, solver.as_deref(), axes, attribute)
        }
        TableSpec::Paired { baseline, solvers, attribute, suites } if suites.contains(&index) => {
            paired(data, index, suite, *baseline, solvers, attribute)
        }
        _ => String::new(),
    };
    data.plan.experiment.tables.iter().map(of).collect()
}

/// Rows are classes, columns solvers.
fn classes(
    data: &Data<'_>,
    index: usize,
    suite: &LoadedSuite,
    attribute: &Attribute,
    solvers: &[usize],
) -> String {
    let Some(classes) = &data.plan.experiment.classes else {
        return String::new();
    };
    let by = heading(&classes.attribute, suite);
    let decider = escape(data.name(classes.solver));
    let mut text = format!("### {} by class\n\n", heading(attribute, suite));
    let Some(Some(division)) = data.divisions.get(index) else {
        return text + &format!("The classes are decided by runs of {decider}: none yet.\n\n");
    };
    let solvers = data.among(solvers, index);
    let mut head = vec!["class".to_owned(), by.clone(), "instances".to_owned()];
    head.extend(solvers.iter().map(|&s| escape(data.name(s))));
    let mut table = Table::new(head, &[0, 1]);
    let (mut less, mut bound) = (false, false);
    for (class, name) in classes.names.iter().enumerate() {
        let is_in = |instance: usize| division.class.get(instance) == Some(&Some(class));
        let members = (0..division.class.len()).filter(|&i| is_in(i)).count();
        let values = |&solver: &usize| -> Vec<Value> {
            let all = data.values(index, solver, attribute);
            all.into_iter().filter(|v| is_in(v.instance)).collect()
        };
        let runs = |solver: usize| {
            let runs = data.runs(index, solver).iter();
            runs.filter(|run| is_in(run.instance)).count()
        };
        let cells = Cells::new(solvers.iter().map(values).collect(), attribute);
        less |= cells.differ();
        bound |= cells.is_censored();
        let words = division.words(class, Measure::of(&classes.attribute));
        let mut row = vec![escape(name), words, count(members)];
        row.extend(
            solvers.iter().enumerate().map(|(cell, &solver)| cells.show(cell, runs(solver))),
        );
        table.push(row);
    }
    text += &table.show();
    let (what, numbers) = match &classes.by {
        ClassesBy::Quantiles(quantiles) => ("quantiles of", quantiles),
        ClassesBy::Near(values, _) => ("how near instances are to values of", values),
    };
    text += &format!("Classes by {what} {by} of {decider}");
    let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
    text += &format!(" ({})", numbers.join(", "));
    let without = division.class.iter().enumerate();
    let without = without.filter(|(i, class)| class.is_none() && data.scopes[index].has(*i));
    match without.count() {
        0 => {}
        n => text += &format!("; {} in no class", count_of(n, "instances")),
    }
    let censored = data.values(index, classes.solver, &classes.attribute);
    match censored.iter().filter(|v| v.is_censored).count() {
        0 => {}
        n => text += &format!("; a limit ended {} of these runs", count(n)),
    }
    text + ".\n\n" + marks(less, bound)
}

/// What the marks of a table mean.
fn marks(less: bool, bound: bool) -> &'static str {
    match (less, bound) {
        (false, false) => "",
        (true, false) => "\\* over fewer runs than another cell in comparison.\n\n",
        (false, true) => "≥ a lower bound, because limits ended some runs.\n\n",
        (true, true) => {
            "\\* over fewer runs than another cell in comparison. ≥ a lower bound, because limits ended \
             some runs.\n\n"
        }
    }
}

/// What tells the tables of one grid apart: its name and the parameters that are neither on the rows nor
/// on the columns.
type Fixed<'a> = (&'a str, Vec<&'a (String, String)>);
/// A place in a grid and the solver there.
type Place<'a> = (&'a str, &'a str, usize);

/// Rows and columns are two parameters.
fn grids(
    data: &Data<'_>,
    index: usize,
    suite: &LoadedSuite,
    name: Option<&str>,
    (rows, columns): (&str, &str),
    attribute: &Attribute,
) -> String {
    let mut grids = Vec::<(Fixed<'_>, Vec<Place<'_>>)>::new();
    for solver in data.solvers_of(index) {
        let Some((grid, parameters)) = data.solver(solver).and_then(|s| s.grid.as_ref()) else {
            continue;
        };
        let value = |name: &str| {
            let found = parameters.iter().find(|(p, _)| p == name);
            found.map(|(_, value)| value.as_str())
        };
        let (Some(row), Some(column)) = (value(rows), value(columns)) else {
            continue;
        };
        if name.is_some_and(|name| name != grid) {
            continue;
        }
        let others = parameters.iter().filter(|(p, _)| p != rows && p != columns);
        let fixed = (grid.as_str(), others.collect::<Vec<_>>());
        match grids.iter_mut().find(|(f, _)| *f == fixed) {
            Some((_, places)) => places.push((row, column, solver)),
            None => grids.push((fixed, vec![(row, column, solver)])),
        }
    }
    let mut text = String::new();
    for ((grid, fixed), places) in &grids {
        let mut title = format!(
            "### {} of {} by {} and {}",
            heading(attribute, suite),
            escape(grid),
            escape(rows),
            escape(columns)
        );
        for (parameter, value) in fixed {
            title += &format!(", {} = {}", escape(parameter), escape(value));
        }
        text += &format!("{title}\n\n");
        text += &grid_table(data, index, (rows, columns), places, attribute);
    }
    text
}

fn grid_table(
    data: &Data<'_>,
    index: usize,
    (rows, columns): (&str, &str),
    places: &[Place<'_>],
    attribute: &Attribute,
) -> String {
    // Values stand in the order of the experiment.
    let (mut row_values, mut column_values) = (Vec::new(), Vec::new());
    for &(row, column, _) in places {
        if !row_values.contains(&row) {
            row_values.push(row);
        }
        if !column_values.contains(&column) {
            column_values.push(column);
        }
    }
    let values = places.iter().map(|&(_, _, solver)| data.values(index, solver, attribute));
    let cells = Cells::new(values.collect(), attribute);
    let mut head = vec![format!("{} \\\\ {}", escape(rows), escape(columns))];
    head.extend(column_values.iter().map(|value| escape(value)));
    let mut table = Table::new(head, &[0]);
    for row in row_values {
        let mut line = vec![escape(row)];
        for column in &column_values {
            let place = places.iter().position(|(r, c, _)| *r == row && c == column);
            line.push(place.map_or_else(String::new, |place| {
                let runs = data.runs(index, places[place].2);
                let solved = runs.iter().filter(|run| run.row.is_solved()).count();
                let mut text = cells.show(place, runs.len());
                // Where the number of values says it, it need not be said twice.
                let n = cells.summary(place).map_or(0, |summary| summary.n);
                if solved < runs.len() && solved != n {
                    let (solved, all) = (count(solved), count(runs.len()));
                    text += &format!(", {solved} of {all} solved");
                }
                text
            }));
        }
        table.push(line);
    }
    table.show() + marks(cells.differ(), cells.is_censored())
}

/// Every solver against one.
fn paired(
    data: &Data<'_>,
    index: usize,
    suite: &LoadedSuite,
    baseline: usize,
    solvers: &[usize],
    attribute: &Attribute,
) -> String {
    if data.among(&[baseline], index).is_empty() {
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
    let base = data.values(index, baseline, attribute);
    for solver in data.among(solvers, index) {
        if solver == baseline {
            continue;
        }
        let matched = pairs::matched(&data.values(index, solver, attribute), &base);
        // The difference of a bound and a value is neither.
        let (bounds, whole): (Vec<_>, Vec<_>) =
            (matched.into_iter()).partition(|(a, b)| a.is_censored || b.is_censored);
        let pairs = pairs::by_instance(&whole);
        let mut row = vec![escape(data.name(solver)), count(pairs.len())];
        row.extend(compared(&pairs, attribute));
        row.push(count(bounds.len()));
        table.push(row);
    }
    format!(
        "### {} against {}, paired\n\n{}A pair is an instance for which both have it with the same seeds (its \
         mean over them); the difference and the ratio are of the solver to {1}, the interval is Student's \
         at 95 %; runs with a partner, or of their own, that a limit ended are left out.\n\n",
        heading(attribute, suite),
        escape(data.name(baseline)),
        table.show()
    )
}

/// Difference, ratio, sides, and whether the interval of the difference excludes zero.
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
