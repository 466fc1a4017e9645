//! `unriddle list`, `describe` and `completions`.

use crate::{
    args::Kind,
    exit::{Failure, USAGE},
    output::print,
};
use std::fmt::Write as _;
use unriddle_catalog::{
    Info,
    bind::nearest,
    registry::{self, Registry},
};

pub(crate) fn list(registry: &Registry, only: Option<Kind>) -> Result<(), Failure> {
    let wanted = |kind| only.is_none_or(|only| only == kind);
    let mut text = String::new();
    if wanted(Kind::Puzzles) {
        heading(&mut text, "PUZZLES, with their presets");
        for family in registry.families() {
            line(&mut text, 2, family.info.name, family.info.summary);
            for preset in family.declared().presets {
                line(&mut text, 4, preset.name, preset.summary);
            }
        }
    }
    if wanted(Kind::Searches) {
        infos(&mut text, "SEARCHES", registry::GOAL_SEARCHES);
        infos(&mut text, "SEARCHES of score puzzles", registry::SCORE_SEARCHES);
        for family in registry.families() {
            let title = format!("SOLVERS of {} only", family.info.name);
            infos(&mut text, &title, &family.declared().solvers);
        }
    }
    if wanted(Kind::Heuristics) {
        infos(&mut text, "HEURISTICS of every puzzle", registry::GENERAL_HEURISTICS);
        for family in registry.families() {
            let title = format!("HEURISTICS of {}", family.info.name);
            infos(&mut text, &title, &family.declared().heuristics);
        }
        infos(&mut text, "PLAY-OUTS of every score puzzle", registry::GENERAL_PLAYOUTS);
        for family in registry.families() {
            let title = format!("PLAY-OUTS of {}", family.info.name);
            infos(&mut text, &title, &family.declared().playouts);
        }
    }
    if wanted(Kind::Generators) {
        for family in registry.families() {
            infos(&mut text, &format!("GENERATORS of {}", family.info.name), &family.generators());
        }
    }
    print(&text)
}

/// Column at which summaries begin.
const SUMMARY: usize = 20;

// Writing to a string does not fail.

fn heading(text: &mut String, title: &str) {
    let gap = if text.is_empty() { "" } else { "\n" };
    let _ = writeln!(text, "{gap}{title}");
}

fn line(text: &mut String, indent: usize, name: &str, summary: &str) {
    let width = SUMMARY - indent - 1;
    let _ = writeln!(text, "{:indent$}{name:<width$} {summary}", "");
}

/// Writes declarations under a heading, and nothing without declarations.
fn infos(text: &mut String, title: &str, infos: &[&Info]) {
    if !infos.is_empty() {
        heading(text, title);
    }
    for info in infos {
        line(text, 2, info.name, info.summary);
    }
}

pub(crate) fn describe(registry: &Registry, name: &str) -> Result<(), Failure> {
    let found = registry.named(name);
    if found.is_empty() {
        let names = registry.names();
        let near =
            nearest(name, &names).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        let message = format!("nothing is called `{name}`{near} (known: {})", names.join(", "));
        return Err(Failure::new(USAGE, message));
    }
    let texts: Vec<String> =
        found.iter().map(|(info, family)| registry::describe(info, *family)).collect();
    print(&texts.join("\n"))
}
