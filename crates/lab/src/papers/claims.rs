//! The claims of a paper's text with their verdicts. A claim that an experiment tests is declared there, with the
//! paper as its source; the paper's own file has the others.

use super::{
    Paper,
    ours::Sources,
    page::{Runs, Tally, in_cell, run},
};
use crate::{
    experiment::Experiment,
    report::{
        Judged,
        markdown::{code, escape},
    },
};
use std::collections::BTreeMap;

/// The section: those that experiments test, with their verdicts, then those that none tests.
pub(super) fn section(
    paper: &Paper,
    sources: &Sources<'_>,
    runs: &Runs<'_>,
    tally: &mut Tally,
) -> String {
    let mut list = String::new();
    let mut judged: BTreeMap<&str, Vec<Judged>> = BTreeMap::new();
    for (name, recorded) in runs {
        judged.insert(name, recorded.judged());
    }
    let mut told: Vec<(&str, &str)> = Vec::new();
    for experiment in sources.experiments() {
        let claims = experiment.claims.iter().enumerate();
        for (index, claim) in claims {
            let Some(origin) = claim.origin.as_ref().filter(|origin| origin.key == paper.key)
            else {
                continue;
            };
            let Some(judged) = judged.get(experiment.name.as_str()).and_then(|j| j.get(index))
            else {
                continue;
            };
            told.push((&origin.place, &claim.text));
            let item = tested(paper, runs, experiment, &origin.place, judged, tally);
            list += &item.shown();
        }
    }
    // Of experiments without runs only the claims that no other one has decided.
    for experiment in sources.experiments().filter(|e| !judged.contains_key(e.name.as_str())) {
        for claim in &experiment.claims {
            let Some(origin) = claim.origin.as_ref().filter(|origin| origin.key == paper.key)
            else {
                continue;
            };
            if told.contains(&(&origin.place, &claim.text)) {
                continue;
            }
            told.push((&origin.place, &claim.text));
            *tally.claims.entry("not tested").or_default() += 1;
            let item = Item {
                place: escape(&origin.place),
                claim: in_cell(&claim.text),
                verdict: "not tested".to_owned(),
                found: vec!["no recorded run".to_owned()],
                by: code(&run(&experiment.name, true)),
            };
            list += &item.shown();
        }
    }
    for claim in &paper.claims {
        *tally.claims.entry("not tested").or_default() += 1;
        let command = claim.command.as_ref();
        let item = Item {
            place: escape(&claim.place),
            claim: in_cell(&claim.text),
            verdict: "not tested".to_owned(),
            found: vec![in_cell(&claim.note)],
            by: command.map_or_else(String::new, |command| code(command)),
        };
        list += &item.shown();
    }
    format!("## Claims of the text\n\n{list}\n")
}

/// A claim in the list.
struct Item {
    place: String,
    claim: String,
    verdict: String,
    /// What each test found, or why there is none.
    found: Vec<String>,
    /// What made it.
    by: String,
}

impl Item {
    /// Several tests stand below the claim, one behind it.
    fn shown(&self) -> String {
        let Self { place, claim, verdict, found, by } = self;
        let by = if by.is_empty() { String::new() } else { format!(" ({by})") };
        let head = format!("- **{verdict}**, {place}: {claim}");
        match &found[..] {
            [found] => format!("{head} {found}{by}\n"),
            _ => {
                let tests: String = found.iter().map(|test| format!("  - {test}\n")).collect();
                format!("{head}{by}\n{tests}")
            }
        }
    }
}

fn tested(
    paper: &Paper,
    runs: &Runs<'_>,
    experiment: &Experiment,
    place: &str,
    judged: &Judged,
    tally: &mut Tally,
) -> Item {
    let (verdict, found) = match &judged.missing {
        Some(missing) => ("not tested".to_owned(), vec![in_cell(missing)]),
        None => {
            let found = judged.tests.iter().map(|test| {
                let shown = match test.shown() {
                    shown if shown.is_empty() => "nothing measured".to_owned(),
                    shown => shown,
                };
                let why =
                    test.why.as_ref().map_or_else(String::new, |why| format!(", {}", escape(why)));
                in_cell(&format!("{}: {shown}, {}{why}", test.words, test.verdict))
            });
            (judged.verdict.to_string(), found.collect())
        }
    };
    let word = match verdict.as_str() {
        "confirmed" => "confirmed",
        "refuted" => "refuted",
        "undecided" => "undecided",
        _ => "not tested",
    };
    *tally.claims.entry(word).or_default() += 1;
    let name = &experiment.name;
    let is_part = runs
        .get(name.as_str())
        .is_some_and(|r| (0..experiment.suites.len()).any(|suite| !r.is_full(suite)));
    let report = paper.root.join(format!("docs/results/{name}.md"));
    let link = match report.is_file() {
        true => format!("[{name}](../results/{name}.md)"),
        false => code(name),
    };
    let scale = experiment.scale.as_ref();
    let scale = scale.map_or_else(String::new, |s| format!("; scale: {}", in_cell(s.trim())));
    Item {
        place: escape(place),
        claim: in_cell(judged.claim.text.trim()),
        verdict,
        found,
        by: format!("{link}, {}{scale}", code(&run(name, is_part))),
    }
}
