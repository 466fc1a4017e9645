//! Section on the claims of a paper's text with their verdicts. Claims that an experiment tests are
//! declared in the experiment, with the paper as their source; the paper's own file has the others.

use super::{
    Paper,
    ours::Sources,
    tally::{Runs, Tally, is_part, report_link},
};
use crate::{
    experiment::{Experiment, Origin},
    report::{
        Judged, Verdict,
        markdown::{code, escape, in_cell},
        numbers::count,
    },
};
use std::collections::BTreeMap;

/// A claim of the text with all verdicts on it.
struct Found<'a> {
    place: &'a str,
    text: &'a str,
    verdicts: Vec<Tried>,
}

/// Verdict of one experiment on a claim.
struct Tried {
    verdict: &'static str,
    /// The result of each test, or the reason for the lack of tests.
    found: Vec<String>,
    /// The number of tests by verdict, if there are several.
    counts: Option<String>,
    /// The report and the command that makes the runs.
    by: String,
}

/// The section: claims that experiments test, with their verdicts, then claims that none tests.
/// Every claim is listed once, with all experiments that test it.
pub(super) fn section(
    paper: &Paper,
    sources: &Sources<'_>,
    runs: &Runs<'_>,
    tally: &mut Tally,
) -> String {
    let judged: BTreeMap<&str, Vec<Judged>> =
        runs.iter().map(|(name, recorded)| (*name, recorded.judged())).collect();
    let is_of_paper = |origin: &&Origin| origin.key == paper.key;
    let mut all: Vec<Found<'_>> = Vec::new();
    // A claim that is decided at the paper's own scale is not repeated at a reduced one.
    let (reduced, whole): (Vec<_>, Vec<_>) =
        sources.experiments().partition(|experiment| experiment.scale.is_some());
    for experiments in [whole, reduced] {
        let decided = all.len();
        for experiment in experiments {
            let verdicts = judged.get(experiment.name.as_str()).into_iter().flatten();
            for (claim, judged) in experiment.claims.iter().zip(verdicts) {
                let origin = claim.origin.as_ref().filter(is_of_paper);
                let Some(place) = origin.map(|origin| origin.place.as_str()) else { continue };
                let is_same = |found: &Found<'_>| found.place == place && found.text == claim.text;
                let verdict = || tried(paper, sources, runs, experiment, judged);
                match all.iter().position(is_same) {
                    Some(known) if known < decided => {}
                    Some(known) => all[known].verdicts.push(verdict()),
                    None => {
                        let verdicts = vec![verdict()];
                        all.push(Found { place, text: &claim.text, verdicts });
                    }
                }
            }
        }
    }
    // Experiments without runs contribute only the claims that no other experiment has decided.
    for experiment in sources.experiments().filter(|e| !judged.contains_key(e.name.as_str())) {
        for claim in &experiment.claims {
            let origin = claim.origin.as_ref().filter(is_of_paper);
            let Some(place) = origin.map(|origin| origin.place.as_str()) else { continue };
            if all.iter().any(|found| found.place == place && found.text == claim.text) {
                continue;
            }
            let (verdict, found) = ("not tested", vec!["no recorded run".to_owned()]);
            let by = code(&sources.run(&experiment.name, true));
            let verdicts = vec![Tried { verdict, found, counts: None, by }];
            all.push(Found { place, text: &claim.text, verdicts });
        }
    }
    for claim in &paper.claims {
        let by = claim.command.as_deref().map(code).unwrap_or_default();
        let (verdict, found) = ("not tested", vec![in_cell(&claim.note)]);
        let verdicts = vec![Tried { verdict, found, counts: None, by }];
        all.push(Found { place: &claim.place, text: &claim.text, verdicts });
    }
    let list: String = all.iter().map(|found| item(found, tally)).collect();
    format!("## Claims of the text\n\n{list}\n")
}

/// Most tests of a claim that are written out; of more the page has the counts, and the report has
/// each.
const WRITTEN: usize = 3;

/// Writes a claim of the list.
fn item(claim: &Found<'_>, tally: &mut Tally) -> String {
    let first = claim.verdicts.first().map_or("not tested", |tried| tried.verdict);
    let agree = claim.verdicts.iter().all(|tried| tried.verdict == first);
    let verdict = if agree { first } else { "differs by experiment" };
    tally.claim(verdict);
    let head = format!("- **{verdict}**, {}: {}", escape(claim.place), in_cell(claim.text.trim()));
    let by = |tried: &Tried| match &tried.by {
        by if by.is_empty() => String::new(),
        by => format!(" ({by})"),
    };
    match &claim.verdicts[..] {
        [tried] => match (&tried.found[..], &tried.counts) {
            (found, Some(counts)) if found.len() > WRITTEN => {
                format!("{head} {counts}{}\n", by(tried))
            }
            (found, _) => format!("{head} {}{}\n", found.join("; "), by(tried)),
        },
        several => {
            let line = |tried: &Tried| {
                let found = tried.counts.clone().unwrap_or_else(|| tried.found.concat());
                format!("  - {}: {found}{}\n", tried.verdict, by(tried))
            };
            format!("{head}\n{}", several.iter().map(line).collect::<String>())
        }
    }
}

/// The word for a verdict. A test at a reduced scale neither confirms nor refutes a claim about the
/// paper's own scale: the effect is seen there, or it is not.
fn word(verdict: Verdict, is_reduced: bool) -> &'static str {
    match (verdict, is_reduced) {
        (Verdict::Confirmed, true) => "seen at a reduced scale",
        (Verdict::Refuted, true) => "not seen at a reduced scale",
        (Verdict::Undecided, true) => "undecided at a reduced scale",
        (verdict, false) => verdict.name(),
    }
}

fn tried(
    paper: &Paper,
    sources: &Sources<'_>,
    runs: &Runs<'_>,
    experiment: &Experiment,
    judged: &Judged,
) -> Tried {
    let scale = experiment.scale.as_ref();
    let is_reduced = scale.is_some();
    let (verdict, found) = match &judged.missing {
        Some(missing) => ("not tested", vec![in_cell(missing)]),
        None => {
            let found = judged.tests.iter().map(|test| {
                let shown = match test.shown() {
                    shown if shown.is_empty() => "nothing measured".to_owned(),
                    shown => shown,
                };
                let why =
                    test.why.as_ref().map_or_else(String::new, |why| format!(", {}", escape(why)));
                let verdict = word(test.verdict, is_reduced);
                in_cell(&format!("{}: {shown}, {verdict}{why}", test.words))
            });
            (word(judged.verdict, is_reduced), found.collect())
        }
    };
    let mut counts = BTreeMap::<&str, usize>::new();
    for test in &judged.tests {
        *counts.entry(word(test.verdict, is_reduced)).or_default() += 1;
    }
    let counts = counts.iter().map(|(word, n)| format!("{} {word}", count(*n)));
    let counts = format!("{} tests: {}", judged.tests.len(), counts.collect::<Vec<_>>().join(", "));
    let counts = (found.len() > 1).then_some(counts);
    let name = &experiment.name;
    let link = report_link(paper, name).unwrap_or_else(|| code(name));
    let scale = scale.map_or_else(String::new, |s| format!("; scale: {}", in_cell(s.trim())));
    let by = format!("{link}, {}{scale}", code(&sources.run(name, is_part(runs, name))));
    Tried { verdict, found, counts, by }
}
