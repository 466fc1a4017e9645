//! What the runs say of an experiment's claims.
//!
//! | module | what it holds |
//! |---|---|
//! | `estimate` | what a test measures, as a number with an interval, or what is missing |
//! | `words` | a test in words |
//!
//! A claim is confirmed or refuted where the interval of what its test measures leaves no doubt, and
//! undecided otherwise; what a test needs and was not measured is said, and guessed never.

mod estimate;
mod words;

use super::{
    data::Data,
    markdown::{Table, escape},
    numbers::{self, count_of},
};
use crate::{
    experiment::{Claim, Decision, Relation, Test},
    plan::Plan,
    row::Row,
};
pub use estimate::{Estimate, Method};
use std::fmt;

/// What is known of a claim, or of one of its tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Confirmed,
    /// It does not hold.
    Refuted,
    /// The runs do not decide it.
    Undecided,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Confirmed => "confirmed",
            Self::Refuted => "refuted",
            Self::Undecided => "undecided",
        })
    }
}

/// A claim and its verdict.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The claim.
    pub claim: Claim,
    /// Its verdict: refuted if one test is, confirmed if all are.
    pub verdict: Verdict,
    /// Its tests.
    pub tests: Vec<Tested>,
    /// Why there is no test (plain text).
    pub missing: Option<String>,
}

/// A test and its verdict.
#[derive(Clone, Debug)]
pub struct Tested {
    /// What is measured and what must hold (Markdown).
    pub words: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// What was found; none where something is missing.
    pub estimate: Option<Estimate>,
    /// Why it is undecided, if it is (plain text).
    pub why: Option<String>,
}

impl Tested {
    /// The estimate with its interval, as tables show it; nothing where there is none.
    #[must_use]
    pub fn shown(&self) -> String {
        self.estimate.as_ref().map_or_else(String::new, Estimate::show)
    }
}

/// Judges the claims of an experiment by its live runs.
#[must_use]
pub fn claims(plan: &Plan, rows: &[Row]) -> Vec<Judged> {
    of_data(&Data::new(plan, rows, 0))
}

pub(super) fn of_data(data: &Data<'_>) -> Vec<Judged> {
    let claims = data.plan.experiment.claims.iter();
    claims.map(|claim| judge(data, claim)).collect()
}

/// What a test measures, or what is missing.
pub(super) fn estimate(data: &Data<'_>, test: &Test) -> Result<Estimate, String> {
    estimate::of(data, test)
}

fn judge(data: &Data<'_>, claim: &Claim) -> Judged {
    let (tests, missing) = match &claim.decided_by {
        Decision::Tests(tests) => (tests.iter().map(|t| tested(data, t)).collect(), None),
        Decision::Missing(what) => (Vec::new(), Some(what.clone())),
    };
    Judged { claim: claim.clone(), verdict: together(&tests), tests, missing }
}

/// All tests must hold.
fn together(tests: &[Tested]) -> Verdict {
    let is = |verdict| move |test: &Tested| test.verdict == verdict;
    match () {
        () if tests.iter().any(is(Verdict::Refuted)) => Verdict::Refuted,
        () if !tests.is_empty() && tests.iter().all(is(Verdict::Confirmed)) => Verdict::Confirmed,
        () => Verdict::Undecided,
    }
}

fn tested(data: &Data<'_>, test: &Test) -> Tested {
    let (estimate, verdict, why) = match estimate::of(data, test) {
        Err(missing) => (None, Verdict::Undecided, Some(missing)),
        Ok(estimate) => {
            let (verdict, why) = decide(data, test, &estimate);
            (Some(estimate), verdict, why)
        }
    };
    Tested { words: words::of(data, test), verdict, estimate, why }
}

fn decide(data: &Data<'_>, test: &Test, estimate: &Estimate) -> (Verdict, Option<String>) {
    if data.plan.experiment.is_quick {
        let why = "the quick form has other limits, so that its runs decide nothing";
        return (Verdict::Undecided, Some(why.to_owned()));
    }
    let (low, high) = estimate.interval.unwrap_or((estimate.value, estimate.value));
    let verdict = holds(test.relation, test.bound.number, low, high);
    let why = (verdict == Verdict::Undecided).then(|| {
        let open = !(low.is_finite() && high.is_finite());
        let bounds = "limits ended runs, of which only a bound is known";
        let both = "the interval leaves both open";
        if open { bounds } else { both }.to_owned()
    });
    (verdict, why)
}

/// Whether all numbers of an interval have a relation to the bound, or none.
fn holds(relation: Relation, bound: f64, low: f64, high: f64) -> Verdict {
    let (all, none) = match relation {
        Relation::AtLeast => (low >= bound, high < bound),
        Relation::MoreThan => (low > bound, high <= bound),
        Relation::AtMost => (high <= bound, low > bound),
        Relation::LessThan => (high < bound, low >= bound),
        Relation::Within(share) => {
            let far = share * bound.abs();
            let (least, most) = (bound - far, bound + far);
            (least <= low && high <= most, high < least || most < low)
        }
    };
    match (all, none) {
        (true, _) => Verdict::Confirmed,
        (_, true) => Verdict::Refuted,
        _ => Verdict::Undecided,
    }
}

/// The section of a report.
pub(super) fn section(data: &Data<'_>) -> String {
    let judged = of_data(data);
    if judged.is_empty() {
        return String::new();
    }
    let mut text = String::from("## Claims\n\n");
    for (index, judged) in judged.iter().enumerate() {
        text += &line(index + 1, judged);
    }
    text += "\n";
    if let Some(scale) = &data.plan.experiment.scale {
        text += &format!("Scale: {}. Verdicts are about this scale.\n\n", scale.trim());
    }
    let head = ["claim", "test", "estimate", "n", "interval", "verdict"];
    let mut table = Table::new(head.map(str::to_owned).to_vec(), &[0, 1, 4, 5]);
    for (index, judged) in judged.iter().enumerate() {
        for test in &judged.tests {
            table.push(row(index + 1, test));
        }
    }
    text += &table.show();
    if judged.iter().any(|judged| !judged.tests.is_empty()) {
        text += "A claim is a sentence, not a result. It is refuted if one of its tests is, and \
                 confirmed if all are; a test is undecided where its interval leaves both open. \
                 Intervals stand in brackets, each for itself.\n\n";
    }
    text
}

/// `1. **Refuted**: the sentence (whose it is).`
fn line(number: usize, judged: &Judged) -> String {
    let verdict = super::suite::capital(&judged.verdict.to_string());
    let whose = match &judged.claim.origin {
        Some(origin) => {
            let (who, place) = (origin.source.citation(), &origin.place);
            format!("{}, {}", escape(&who), escape(place))
        }
        None => "our expectation".to_owned(),
    };
    let missing = judged.missing.as_ref();
    let missing =
        missing.map_or_else(String::new, |what| format!(" Not tested: {}", sentence(what)));
    let text = sentence(&judged.claim.text);
    format!("{number}. **{verdict}.** *Claim ({whose}):* {text}{missing}\n")
}

fn sentence(text: &str) -> String {
    let text = text.trim();
    match text.ends_with(['.', '!', '?']) {
        true => text.to_owned(),
        false => format!("{text}."),
    }
}

fn row(number: usize, test: &Tested) -> Vec<String> {
    let why = test.why.as_ref();
    let why = why.map_or_else(String::new, |why| format!(": {}", escape(why)));
    let (shown, n, method) = match &test.estimate {
        Some(found) => (found.show(), found.words_of_n(), found.method.to_string()),
        None => ("—".to_owned(), "—".to_owned(), String::new()),
    };
    let verdict = format!("{}{why}", test.verdict);
    vec![number.to_string(), test.words.clone(), shown, n, method, verdict]
}

impl Estimate {
    /// `−0.12 (−0.15 to −0.09)`.
    #[must_use]
    pub fn show(&self) -> String {
        let value = numbers::show(self.value, self.measure);
        match self.interval {
            _ if self.is_bound => match self.interval {
                Some((low, _)) if low.is_finite() => format!("≥ {value}"),
                Some((_, high)) if high.is_finite() => format!("≤ {value}"),
                _ => format!("about {value}"),
            },
            Some((low, high)) => numbers::show_between(self.value, low, high, self.measure),
            None => value,
        }
    }

    /// How many instances, and of how many runs where some have no value.
    fn words_of_n(&self) -> String {
        match &self.of {
            Some(of) => format!("{} ({of})", count_of(self.n, "instances")),
            None => count_of(self.n, "instances"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Verdict::*, *};

    #[test]
    fn a_relation_holds_for_all_of_an_interval_or_for_none() {
        let cases = [
            (Relation::AtLeast, 1.0, (1.0, 2.0), Confirmed),
            (Relation::AtLeast, 1.0, (0.9, 2.0), Undecided),
            (Relation::AtLeast, 1.0, (0.5, 0.9), Refuted),
            (Relation::AtLeast, 1.0, (0.5, 1.0), Undecided),
            (Relation::MoreThan, 1.0, (1.0, 2.0), Undecided),
            (Relation::MoreThan, 1.0, (0.5, 1.0), Refuted),
            (Relation::MoreThan, 1.0, (1.1, f64::INFINITY), Confirmed),
            (Relation::AtMost, 1.0, (0.5, 1.0), Confirmed),
            (Relation::AtMost, 1.0, (1.1, f64::INFINITY), Refuted),
            (Relation::LessThan, 1.0, (0.5, 1.0), Undecided),
            (Relation::LessThan, 0.0, (f64::NEG_INFINITY, -0.1), Confirmed),
            (Relation::LessThan, 1.0, (1.0, 1.0), Refuted),
            (Relation::Within(0.1), 10.0, (9.0, 11.0), Confirmed),
            (Relation::Within(0.1), 10.0, (8.9, 10.0), Undecided),
            (Relation::Within(0.1), -10.0, (-10.5, -9.5), Confirmed),
            (Relation::Within(0.1), 10.0, (11.1, 12.0), Refuted),
            (Relation::AtLeast, 1.0, (f64::NAN, f64::NAN), Undecided),
        ];
        for (relation, bound, (low, high), verdict) in cases {
            assert_eq!(holds(relation, bound, low, high), verdict, "{relation:?} {low} {high}");
        }
    }
}
