//! Description of a test in words.

use super::super::{compare::unit, markdown::escape, numbers, select::Selection, values::Measure};
use crate::experiment::{Against, Pairing, Population, Relation, Test};

/// Describes the measured quantity and the relation that must hold (Markdown).
pub(super) fn of(selection: &Selection<'_>, test: &Test) -> String {
    let suite = &selection.suites[test.suite];
    let mut subset = escape(suite.name());
    if let Some(name) = selection.class_name(test.class) {
        subset += &format!(", class {}", escape(name));
    }
    let what = escape(&(test.attribute.statistic.words().to_owned() + test.attribute.heading));
    let ours = escape(selection.name(test.solver));
    let theirs = match &test.against {
        Some(Against::Solver(other)) => escape(selection.name(*other)),
        Some(Against::Column(column)) => format!("column {}", escape(column)),
        None => String::new(),
    };
    let is_paired = test.against.is_some();
    let plain = format!("{what} of {ours}");
    let subject = match test.pairing {
        _ if !is_paired => plain,
        Pairing::Difference => format!("{plain} minus {what} of {theirs}"),
        Pairing::Ratio => format!("{plain} relative to {theirs} (ratio of means)"),
        Pairing::GeometricRatio => format!("{plain} relative to {theirs} (geometric mean)"),
        Pairing::Reduction => format!("reduction of {plain} against {theirs}"),
        Pairing::DeviationRatio => {
            format!("standard deviation of {plain} relative to {theirs} (ratio)")
        }
        Pairing::Equal => format!("share of instances with the same {what} of {ours} and {theirs}"),
        Pairing::Better => format!("share of instances with better {what} of {ours} than {theirs}"),
        Pairing::NotWorse => {
            format!("share of instances with {what} of {ours} equal to or better than {theirs}")
        }
    };
    let has_unit = !is_paired || test.pairing == Pairing::Difference;
    let unit = if has_unit { unit(&test.attribute, suite.loaded) } else { String::new() };
    let bound = match test.bound.number {
        0.0 => "0".to_owned(),
        number => numbers::show(number, Measure::of_test(test)) + &unit,
    };
    let relation = match test.relation {
        Relation::AtLeast => format!("at least {bound}"),
        Relation::AtMost => format!("at most {bound}"),
        Relation::LessThan => format!("less than {bound}"),
        Relation::MoreThan => format!("more than {bound}"),
        Relation::Within(share) => {
            let share = numbers::show(share, Measure::Percent);
            format!("within {share} of {bound}")
        }
    };
    let source = test.bound.figure.as_ref().map_or_else(String::new, |figure| {
        let (who, place) = (figure.source.citation(), &figure.place);
        format!(" ({}, {})", escape(&who), escape(place))
    });
    let more = match (test.population, test.confidence) {
        (Population::Set, _) => String::new(),
        (Population::Sample, c) => match numbers::show(c, Measure::Percent) {
            usual if usual == "95.0 %" => String::new(),
            other => format!(", at {other}"),
        },
    };
    format!("{subset}: {subject} is {relation}{source}{more}")
}
