//! Published figures beside ours.

use super::{
    data::{Data, Value},
    markdown::{Table, escape},
    numbers::{self, Measure, count, count_of},
    statistics,
    summary::Summary,
};
use crate::{
    attribute::{Attribute, Statistic},
    experiment::{Compare, Published, is_whole},
    plan::LoadedSuite,
    units::of_figure,
};

/// The section; nothing if the experiment compares nothing.
pub(super) fn section(data: &Data<'_>) -> String {
    let compare = &data.plan.experiment.compare;
    if compare.is_empty() {
        return String::new();
    }
    let head = ["what", "published", "ours", "ratio", "note"];
    let mut table = Table::new(head.map(str::to_owned).to_vec(), &[0, 1, 4]);
    for compare in compare {
        if let Some(suite) = data.plan.suites.get(compare.suite) {
            table.push(row(data, suite, compare));
        }
    }
    format!(
        "## Published beside ours\n\n{}The ratio is ours to the published one. Published means are of the \
         published instances; where ours are of a part of the suite, the part is named. A total or an extreme \
         is compared with one of the same instances or not at all.\n\n",
        table.show()
    )
}

/// Both sides: what is published in words and as a number, our values and how they are summed up.
struct Sides {
    words: String,
    published: Option<f64>,
    ours: Vec<Value>,
    attribute: Attribute,
}

fn row(data: &Data<'_>, suite: &LoadedSuite, compare: &Compare) -> Vec<String> {
    let class = compare.class;
    let mut what = format!(
        "{}, {}, {}{}",
        escape(&suite.name),
        escape(data.name(compare.solver)),
        compare.attribute.statistic.words(),
        escape(compare.attribute.heading)
    );
    if let Some(class) = class {
        let classes = data.plan.experiment.classes.as_ref();
        let name = classes.and_then(|c| c.names.get(class));
        what += &format!(", class {}", name.map_or("?".to_owned(), |n| escape(n)));
    }
    let sides = sides(data, suite, compare);
    let runs = data.runs(compare.suite, compare.solver);
    let runs = runs
        .iter()
        .filter(|run| class.is_none() || data.class(compare.suite, run.instance) == class);
    let runs = runs.count();
    let part = data.part(compare.suite, &[compare.solver]);
    let (ours, ratio) = match Summary::of(&sides.ours, &sides.attribute) {
        None if runs == 0 => ("no run yet".to_owned(), "—".to_owned()),
        None => (format!("— in {}", count_of(runs, "runs")), "—".to_owned()),
        Some(summary) => {
            let unit = unit(&sides.attribute, suite);
            let mut n = format!("n = {}", count(summary.n));
            if summary.n < runs {
                n += &format!(" of {} runs", count(runs));
            }
            let is_part = part.is_some() || summary.n < runs;
            if let Some(part) = part {
                n += &format!(", {part}");
            }
            let ours = format!("{}{unit}, {n}", summary.show_interval());
            let ratio = match sides.published {
                // What grows with the number of instances is of all of them or of no use.
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
    // The note is Markdown of the experiment, but must not break the table.
    let note = note.replace(['\n', '\r'], " ").replace('|', "\\|");
    vec![what, sides.words, ours, ratio, note]
}

/// The unit behind a number, where the number does not say it.
pub(super) fn unit(attribute: &Attribute, suite: &LoadedSuite) -> String {
    match attribute.unit {
        "s" | "bytes" | "%" => String::new(),
        "" => format!(" {}", escape(suite.unit)),
        unit => format!(" {}", escape(unit)),
    }
}

fn sides(data: &Data<'_>, suite: &LoadedSuite, compare: &Compare) -> Sides {
    let mut attribute = compare.attribute;
    let class = compare.class;
    let mut ours = data.values(compare.suite, compare.solver, &attribute);
    ours.retain(|v| class.is_none() || data.class(compare.suite, v.instance) == class);
    match &compare.published {
        Published::Figure(figure) => {
            let words = format!(
                "{} {} ({}, {})",
                numbers::plain(figure.value),
                escape(&figure.unit),
                escape(&figure.source.citation()),
                escape(&figure.place)
            );
            Sides {
                words,
                published: Some(
                    figure.value * of_figure(&figure.unit, attribute.unit).unwrap_or(1.0),
                ),
                ours,
                attribute,
            }
        }
        Published::Column(column) => {
            // Only the mean of the same instances can be held against the mean of a column.
            attribute.statistic = Statistic::Mean;
            let values = suite.reference.get(column);
            let at = |v: &Value| *values?.get(v.instance)?;
            ours.retain(|v| at(v).is_some());
            let theirs: Vec<f64> = ours.iter().filter_map(at).collect();
            let published = statistics::mean(&theirs);
            let mean = format!("mean of column {} on the same instances", escape(column));
            let words = match (published, values) {
                (Some(value), _) => {
                    let value = numbers::show(value, Measure::of(&attribute));
                    format!("{value}{} ({mean})", unit(&attribute, suite))
                }
                (None, Some(_)) => mean,
                (None, None) => format!("{mean}, which the suite lacks"),
            };
            Sides { words, published, ours, attribute }
        }
    }
}
