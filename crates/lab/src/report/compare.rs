//! Section with published figures beside ours.

use super::{
    markdown::{Table, escape, in_cell},
    numbers::{self, count, count_of},
    select::{Selection, SuiteRuns, Value},
    statistics,
    summary::Summary,
    values::Measure,
};
use crate::{
    attribute::{Attribute, Statistic},
    experiment::{Compare, Published, is_whole},
    plan::LoadedSuite,
    units::of_figure,
};

/// Writes the section; empty if the experiment compares nothing.
pub(super) fn section(selection: &Selection<'_>) -> String {
    let compare = &selection.experiment.compare;
    if compare.is_empty() {
        return String::new();
    }
    let head = ["what", "published", "ours", "ratio", "note"];
    let mut table = Table::new(head.map(str::to_owned).to_vec(), &[0, 1, 4]);
    for compare in compare {
        let suite = selection.suites.get(compare.suite);
        let suite = suite.filter(|_| compare.solver < selection.experiment.solvers.len());
        if let Some(suite) = suite {
            table.push(row(selection, suite, compare));
        }
    }
    format!(
        "## Published beside ours\n\n{}The ratio is ours to the published one. Published means are of the \
         published instances; where ours are of a part of the suite, the part is named. A total or an extreme \
         is compared with one of the same instances or not at all.\n\n",
        table.show()
    )
}

/// The published side in words and as a number, and our values with their attribute.
struct Sides {
    words: String,
    published: Option<f64>,
    ours: Vec<Value>,
    attribute: Attribute,
}

fn row(selection: &Selection<'_>, suite: &SuiteRuns<'_>, compare: &Compare) -> Vec<String> {
    let class = compare.class;
    let (suite_name, solver) = (escape(suite.name()), escape(selection.name(compare.solver)));
    let (statistic, heading) = (compare.attribute.statistic, escape(compare.attribute.heading));
    let mut what = format!("{suite_name}, {solver}, {}{heading}", statistic.words());
    if class.is_some() {
        what += &format!(", class {}", escape(selection.class_name(class).unwrap_or("?")));
    }
    let sides = sides(suite, compare);
    let runs = suite.of(compare.solver).runs.iter();
    let runs = runs.filter(|run| suite.is_in(class, run.instance)).count();
    let part = suite.part(&[compare.solver]);
    let (ours, ratio) = match Summary::of(&sides.ours, &sides.attribute) {
        None if runs == 0 => ("no run yet".to_owned(), "—".to_owned()),
        None => (format!("— in {}", count_of(runs, "runs")), "—".to_owned()),
        Some(summary) => {
            let unit = unit(&sides.attribute, suite.loaded);
            let mut n = format!("n = {}", count(summary.n));
            if summary.n < runs {
                n = format!("{n} of {} runs", count(runs));
            }
            let is_part = part.is_some() || summary.n < runs;
            if let Some(part) = part {
                n += &format!(", {part}");
            }
            let ours = format!("{}{unit}, {n}", summary.show_interval());
            let ratio = match sides.published {
                // A statistic that grows with the number of instances needs all of them.
                _ if is_whole(sides.attribute.statistic) && is_part => {
                    "not comparable: of a part".to_owned()
                }
                Some(published) if published != 0.0 => {
                    let mark = if summary.is_bound { "≥ " } else { "" };
                    format!("{mark}{}", numbers::plain(summary.value / published))
                }
                _ => "—".to_owned(),
            };
            (ours, ratio)
        }
    };
    let note = compare.note.as_deref().unwrap_or_default();
    vec![what, sides.words, ours, ratio, in_cell(note)]
}

/// Unit after a number, unless the number contains it.
pub(super) fn unit(attribute: &Attribute, suite: &LoadedSuite) -> String {
    match attribute.shown_unit(suite.unit) {
        "" => String::new(),
        unit => format!(" {}", escape(unit)),
    }
}

fn sides(suite: &SuiteRuns<'_>, compare: &Compare) -> Sides {
    let mut attribute = compare.attribute;
    let mut ours = suite.values(compare.solver, &attribute, compare.class);
    match &compare.published {
        Published::Figure(figure) => {
            let (value, unit) = (numbers::plain(figure.value), escape(&figure.unit));
            let (who, place) = (escape(&figure.source.citation()), escape(&figure.place));
            let words = format!("{value} {unit} ({who}, {place})");
            let factor = of_figure(&figure.unit, attribute.unit).unwrap_or(1.0);
            Sides { words, published: Some(figure.value * factor), ours, attribute }
        }
        Published::Column(column) => {
            // The mean of a column is only comparable with the mean over the same instances.
            attribute.statistic = Statistic::Mean;
            let values = suite.loaded.reference.get(column);
            let at = |v: &Value| *values?.get(v.instance)?;
            ours.retain(|v| at(v).is_some());
            let theirs: Vec<f64> = ours.iter().filter_map(at).collect();
            let published = statistics::mean(&theirs);
            let mean = format!("mean of column {} on the same instances", escape(column));
            let words = match (published, values) {
                (Some(value), _) => {
                    let value = numbers::show(value, Measure::of(&attribute));
                    format!("{value}{} ({mean})", unit(&attribute, suite.loaded))
                }
                (None, Some(_)) => mean,
                (None, None) => format!("{mean}, which the suite lacks"),
            };
            Sides { words, published, ours, attribute }
        }
    }
}
