//! Second pass of a report: judges the experiment's claims by the selected runs.
//!
//! | module | contents |
//! |---|---|
//! | `estimate` | the measured quantity of a test as a number with an interval |
//! | `words` | description of a test in words |
//!
//! A claim is confirmed or refuted if the interval of the measured quantity decides it, and
//! undecided otherwise. Missing measurements are reported, never guessed.

mod estimate;
mod words;

pub(super) use estimate::estimate;

use super::{
    markdown::{Table, escape},
    numbers::{self, count_of},
    select::Selection,
    suite::capital,
    values::{Estimate, Judged, Tested, Verdict},
};
use crate::{
    experiment::{Claim, Decision, Origin, Relation, Test},
    plan::Plan,
    row::Row,
};

impl Tested {
    /// Returns the estimate with its interval in the notation of tables; empty without an estimate.
    #[must_use]
    pub fn shown(&self) -> String {
        self.estimate.as_ref().map_or_else(String::new, Estimate::show)
    }
}

/// Judges the claims of an experiment by its live runs.
#[must_use]
pub fn claims(plan: &Plan, rows: &[Row]) -> Vec<Judged> {
    judge_all(&Selection::new(plan, rows, 0))
}

/// Judges all claims.
pub(super) fn judge_all(selection: &Selection<'_>) -> Vec<Judged> {
    selection.experiment.claims.iter().map(|claim| judge(selection, claim)).collect()
}

fn judge(selection: &Selection<'_>, claim: &Claim) -> Judged {
    let (tests, missing) = match &claim.decided_by {
        Decision::Tests(tests) => (tests.iter().map(|t| tested(selection, t)).collect(), None),
        Decision::Missing(what) => (Vec::new(), Some(what.clone())),
    };
    Judged { claim: claim.clone(), verdict: together(&tests), tests, missing }
}

/// Verdict on a claim all of whose tests must hold.
fn together(tests: &[Tested]) -> Verdict {
    let is = |verdict| move |test: &Tested| test.verdict == verdict;
    match () {
        () if tests.iter().any(is(Verdict::Refuted)) => Verdict::Refuted,
        () if !tests.is_empty() && tests.iter().all(is(Verdict::Confirmed)) => Verdict::Confirmed,
        () => Verdict::Undecided,
    }
}

fn tested(selection: &Selection<'_>, test: &Test) -> Tested {
    let (estimate, verdict, why) = match estimate(selection, test) {
        Err(missing) => (None, Verdict::Undecided, Some(missing)),
        Ok(estimate) => {
            let (verdict, why) = decide(selection, test, &estimate);
            (Some(estimate), verdict, why)
        }
    };
    Tested { words: words::of(selection, test), verdict, estimate, why }
}

fn decide(
    selection: &Selection<'_>,
    test: &Test,
    estimate: &Estimate,
) -> (Verdict, Option<String>) {
    if selection.experiment.is_quick {
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

/// Confirmed if all numbers of an interval have the relation to the bound, refuted if none has.
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

/// Writes the section of a report.
pub(super) fn section(selection: &Selection<'_>, judged: &[Judged]) -> String {
    if judged.is_empty() {
        return String::new();
    }
    let mut text = String::from("## Claims\n\n");
    for (index, judged) in judged.iter().enumerate() {
        text += &line(index + 1, judged);
    }
    text += "\n";
    if let Some(scale) = &selection.experiment.scale {
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
                 Intervals are in brackets and hold for one test each.\n\n";
    }
    text
}

/// Writes `1. **Refuted.** *Claim (source):* sentence.`
fn line(number: usize, judged: &Judged) -> String {
    let verdict = capital(&judged.verdict.to_string());
    let whose = match &judged.claim.origin {
        Some(Origin { source, place, .. }) => {
            format!("{}, {}", escape(&source.citation()), escape(place))
        }
        None => "our expectation".to_owned(),
    };
    let missing = judged.missing.iter().map(|what| format!(" Not tested: {}", sentence(what)));
    let missing: String = missing.collect();
    let text = sentence(&judged.claim.text);
    format!("{number}. **{verdict}.** *Claim ({whose}):* {text}{missing}\n")
}

fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

fn row(number: usize, test: &Tested) -> Vec<String> {
    let why: String = test.why.iter().map(|why| format!(": {}", escape(why))).collect();
    let (shown, n, method) = match &test.estimate {
        Some(found) => (found.show(), found.words_of_n(), found.method.to_string()),
        None => ("—".to_owned(), "—".to_owned(), String::new()),
    };
    let verdict = format!("{}{why}", test.verdict);
    vec![number.to_string(), test.words.clone(), shown, n, method, verdict]
}

impl Estimate {
    /// Returns the estimate with its interval: `−0.12 (−0.15 to −0.09)`.
    #[must_use]
    pub fn show(&self) -> String {
        let value = numbers::show(self.value, self.measure);
        match self.interval {
            Some((low, _)) if self.is_bound && low.is_finite() => format!("≥ {value}"),
            Some((_, high)) if self.is_bound && high.is_finite() => format!("≤ {value}"),
            _ if self.is_bound => format!("about {value}"),
            Some((low, high)) => numbers::show_between(self.value, low, high, self.measure),
            None => value,
        }
    }

    /// Describes the number of instances or restarts.
    fn words_of_n(&self) -> String {
        let n = count_of(self.n, if self.are_restarts { "restarts" } else { "instances" });
        match &self.of {
            Some(of) => format!("{n} ({of})"),
            None => n,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Verdict::*, *};

    #[test]
    fn interval_decides_a_relation_if_all_or_no_numbers_have_it() {
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
