//! A test in words.

use super::super::{
    compare::unit,
    data::Data,
    markdown::escape,
    numbers::{self, Measure},
};
use crate::experiment::{Against, Pairing, Population, Relation, Test};

/// What is measured and what must hold (Markdown).
pub(super) fn of(data: &Data<'_>, test: &Test) -> String {
    let suite = data.plan.suites.get(test.suite);
    let mut place = escape(suite.map_or("?", |s| &s.name));
    let classes = data.plan.experiment.classes.as_ref();
    if let Some(name) = test.class.zip(classes).and_then(|(class, c)| c.names.get(class)) {
        place += &format!(", class {}", escape(name));
    }
    let what = escape(&(test.attribute.statistic.words().to_owned() + test.attribute.heading));
    let ours = escape(data.name(test.solver));
    let theirs = match &test.against {
        Some(Against::Solver(other)) => escape(data.name(*other)),
        Some(Against::Column(column)) => format!("column {}", escape(column)),
        None => String::new(),
    };
    let is_paired = test.against.is_some();
    let plain = format!("{what} of {ours}");
    let subject = match test.pairing {
        _ if !is_paired => plain,
        Pairing::Difference => format!("{plain} minus that of {theirs}"),
        Pairing::Ratio => format!("{plain} to that of {theirs} (ratio of means)"),
        Pairing::GeometricRatio => format!("{plain} to that of {theirs} (geometric mean)"),
        Pairing::Reduction => format!("reduction of {plain} against {theirs}"),
        Pairing::DeviationRatio => {
            format!("standard deviation of {plain} to that of {theirs} (ratio)")
        }
        Pairing::Equal => format!("share of instances with the same {what} of {ours} and {theirs}"),
        Pairing::Better => format!("share of instances with better {what} of {ours} than {theirs}"),
        Pairing::NotWorse => {
            format!(
                "share of instances with {what} of {ours} as good as that of {theirs}, or better"
            )
        }
    };
    let measure = match test.pairing {
        _ if !is_paired => Measure::of(&test.attribute),
        Pairing::Difference => Measure::of(&test.attribute),
        pairing if pairing.is_share() => Measure::Percent,
        _ => Measure::Plain,
    };
    let has_unit = !is_paired || test.pairing == Pairing::Difference;
    let counted = suite.filter(|_| has_unit);
    let unit = counted.map_or_else(String::new, |suite| unit(&test.attribute, suite));
    let bound = match test.bound.number {
        0.0 => "0".to_owned(),
        number => numbers::show(number, measure) + &unit,
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
    format!("{place}: {subject} is {relation}{source}{more}")
}
