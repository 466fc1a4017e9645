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
    },
};
use std::collections::BTreeMap;

/// The section: claims that experiments test, with their verdicts, then claims that none tests.
pub(super) fn section(
    paper: &Paper,
    sources: &Sources<'_>,
    runs: &Runs<'_>,
    tally: &mut Tally,
) -> String {
    let mut list = String::new();
    let judged: BTreeMap<&str, Vec<Judged>> =
        runs.iter().map(|(name, recorded)| (*name, recorded.judged())).collect();
    let is_of_paper = |origin: &&Origin| origin.key == paper.key;
    let mut shown: Vec<(&str, &str)> = Vec::new();
    // A claim that is decided at the paper's own scale is not repeated at a reduced one.
    let (reduced, whole): (Vec<_>, Vec<_>) =
        sources.experiments().partition(|experiment| experiment.scale.is_some());
    for experiments in [whole, reduced] {
        let decided = shown.clone();
        for experiment in experiments {
            let verdicts = judged.get(experiment.name.as_str()).into_iter().flatten();
            for (claim, judged) in experiment.claims.iter().zip(verdicts) {
                let origin = claim.origin.as_ref().filter(is_of_paper);
                let Some(place) = origin.map(|origin| origin.place.as_str()) else { continue };
                if !decided.contains(&(place, &claim.text)) {
                    shown.push((place, &claim.text));
                    list += &tested(paper, sources, runs, experiment, place, judged, tally);
                }
            }
        }
    }
    // Experiments without runs contribute only the claims that no other experiment has decided.
    for experiment in sources.experiments().filter(|e| !judged.contains_key(e.name.as_str())) {
        for claim in &experiment.claims {
            let Some(origin) = claim.origin.as_ref().filter(is_of_paper) else {
                continue;
            };
            if shown.contains(&(&origin.place, &claim.text)) {
                continue;
            }
            shown.push((&origin.place, &claim.text));
            tally.claim("not tested");
            let (found, by) =
                (["no recorded run".to_owned()], code(&sources.run(&experiment.name, true)));
            list += &item("not tested", &origin.place, &claim.text, &found, &by);
        }
    }
    for claim in &paper.claims {
        tally.claim("not tested");
        let by = claim.command.as_deref().map(code).unwrap_or_default();
        list += &item("not tested", &claim.place, &claim.text, &[in_cell(&claim.note)], &by);
    }
    format!("## Claims of the text\n\n{list}\n")
}

/// Writes a claim of the list. `found` has the result of each test, or the reason why there is no
/// test; `by` is the command that made the runs. Several tests are a list below the claim, and a
/// single test is on the same line.
fn item(verdict: &str, place: &str, claim: &str, found: &[String], by: &str) -> String {
    let by = if by.is_empty() { String::new() } else { format!(" ({by})") };
    let head = format!("- **{verdict}**, {}: {}", escape(place), in_cell(claim));
    match found {
        [found] => format!("{head} {found}{by}\n"),
        _ => {
            let tests: String = found.iter().map(|test| format!("  - {test}\n")).collect();
            format!("{head}{by}\n{tests}")
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

fn tested(
    paper: &Paper,
    sources: &Sources<'_>,
    runs: &Runs<'_>,
    experiment: &Experiment,
    place: &str,
    judged: &Judged,
    tally: &mut Tally,
) -> String {
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
    tally.claim(verdict);
    let name = &experiment.name;
    let link = report_link(paper, name).unwrap_or_else(|| code(name));
    let scale = scale.map_or_else(String::new, |s| format!("; scale: {}", in_cell(s.trim())));
    let by = format!("{link}, {}{scale}", code(&sources.run(name, is_part(runs, name))));
    item(verdict, place, judged.claim.text.trim(), &found, &by)
}
