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
        markdown::{Table, code, escape},
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
    let head = ["place", "claim", "verdict", "what was found", "by"];
    let mut table = Table::new(head.map(str::to_owned).to_vec(), &[0, 1, 2, 3, 4]);
    let mut judged: BTreeMap<&str, Vec<Judged>> = BTreeMap::new();
    for (name, recorded) in runs {
        judged.insert(name, recorded.judged());
    }
    let mut told: Vec<(&str, &str)> = Vec::new();
    for experiment in sources.experiments() {
        let claims = experiment.claims.iter().enumerate();
        for (index, claim) in claims {
            let Some(origin) = claim
                .origin
                .as_ref()
                .filter(|origin| origin.key == paper.key)
            else {
                continue;
            };
            let Some(judged) = judged
                .get(experiment.name.as_str())
                .and_then(|j| j.get(index))
            else {
                continue;
            };
            told.push((&origin.place, &claim.text));
            table.push(tested(
                paper,
                runs,
                experiment,
                &origin.place,
                judged,
                tally,
            ));
        }
    }
    // Of experiments without runs only the claims that no other one has decided.
    for experiment in sources
        .experiments()
        .filter(|e| !judged.contains_key(e.name.as_str()))
    {
        for claim in &experiment.claims {
            let Some(origin) = claim
                .origin
                .as_ref()
                .filter(|origin| origin.key == paper.key)
            else {
                continue;
            };
            if told.contains(&(&origin.place, &claim.text)) {
                continue;
            }
            told.push((&origin.place, &claim.text));
            *tally.claims.entry("not tested").or_default() += 1;
            table.push(vec![
                escape(&origin.place),
                in_cell(&claim.text),
                "not tested".to_owned(),
                "no recorded run".to_owned(),
                code(&run(&experiment.name, true)),
            ]);
        }
    }
    for claim in &paper.claims {
        *tally.claims.entry("not tested").or_default() += 1;
        let command = claim.command.as_ref();
        table.push(vec![
            escape(&claim.place),
            in_cell(&claim.text),
            "not tested".to_owned(),
            in_cell(&claim.note),
            command.map_or_else(|| "—".to_owned(), |command| code(command)),
        ]);
    }
    format!("## Claims of the text\n\n{}", table.show())
}

fn tested(
    paper: &Paper,
    runs: &Runs<'_>,
    experiment: &Experiment,
    place: &str,
    judged: &Judged,
    tally: &mut Tally,
) -> Vec<String> {
    let (verdict, found) = match &judged.missing {
        Some(missing) => ("not tested".to_owned(), in_cell(missing)),
        None => {
            let found = judged.tests.iter().map(|test| {
                let shown = match test.shown() {
                    shown if shown.is_empty() => "nothing measured".to_owned(),
                    shown => shown,
                };
                let why = test
                    .why
                    .as_ref()
                    .map_or_else(String::new, |why| format!(", {}", escape(why)));
                format!("{}: {shown}, {}{why}", test.words, test.verdict)
            });
            let found: Vec<String> = found.collect();
            (judged.verdict.to_string(), found.join("; "))
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
    vec![
        escape(place),
        in_cell(judged.claim.text.trim()),
        format!("**{verdict}**"),
        in_cell(&found),
        format!("{link}, {}{scale}", code(&run(name, is_part))),
    ]
}
