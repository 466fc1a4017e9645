//! Shared by the sections of a page: the counts of its verdicts and the texts in its cells.

use super::{Paper, verdict::Word};
use crate::{
    references::cells::{Cell, Published},
    report::{
        Recorded,
        numbers::{count, count_of},
    },
};
use std::collections::BTreeMap;

/// Recorded runs by experiment.
pub(super) type Runs<'a> = BTreeMap<&'a str, Recorded<'a>>;

/// Counts of the verdicts of a page.
#[derive(Default)]
pub(super) struct Tally {
    figures: usize,
    lost: usize,
    /// Published figures without a figure of ours.
    bare: usize,
    /// Verdicts on figures of the paper's own size, and of others.
    whole: BTreeMap<Word, usize>,
    other: BTreeMap<Word, usize>,
    /// Claims by verdict: confirmed, refuted, undecided, not tested.
    claims: BTreeMap<&'static str, usize>,
}

impl Tally {
    /// Counts a published cell.
    pub(super) fn cell(&mut self, cell: &Cell, has_ours: bool) {
        match cell.published {
            Published::Value(_) => {
                self.figures += 1;
                self.bare += usize::from(!has_ours);
            }
            Published::Lost => self.lost += 1,
            _ => {}
        }
    }

    /// Counts a verdict on a figure of ours.
    pub(super) fn word(&mut self, word: Option<Word>, is_whole: bool) {
        let words = if is_whole { &mut self.whole } else { &mut self.other };
        if let Some(word) = word {
            *words.entry(word).or_default() += 1;
        }
    }

    /// Counts a claim.
    pub(super) fn claim(&mut self, verdict: &'static str) {
        *self.claims.entry(verdict).or_default() += 1;
    }

    pub(super) fn show(&self) -> String {
        let claims = self.claims.iter().map(|(word, n)| format!("{} {word}", count(*n)));
        format!(
            "- Published figures: {}, and {} lost in the text; {} not run\n- Ours at the paper's own size: {}\n- Ours at \
             another size: {}\n- Verdicts on claims: {}\n",
            count(self.figures),
            count_of(self.lost, "cells"),
            count(self.bare),
            counted(&self.whole),
            counted(&self.other),
            list(claims),
        )
    }
}

/// Counts of words: `2 same, 1 better`; `none` without any.
pub(super) fn counted(words: &BTreeMap<Word, usize>) -> String {
    list(words.iter().map(|(word, n)| format!("{} {}", count(*n), word.name())))
}

fn list(all: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = all.collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

/// Whether runs of an experiment are missing.
pub(super) fn is_part(runs: &Runs<'_>, experiment: &str) -> bool {
    runs.get(experiment).is_none_or(|recorded| !recorded.is_full())
}

/// Link to the report of an experiment, if there is one.
pub(super) fn report_link(paper: &Paper, experiment: &str) -> Option<String> {
    let report = paper.root.join(format!("docs/results/{experiment}.md"));
    report.is_file().then(|| format!("[{experiment}](../results/{experiment}.md)"))
}
