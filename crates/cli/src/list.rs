//! `unriddle list`, `describe` and `completions`.

use crate::{
    args::{Arguments, Completions, Describe, Kind, List},
    exit::{Failure, USAGE},
};
use clap::CommandFactory as _;
use std::{fmt::Write as _, io::Write as _};
use unriddle_catalog::{bind::nearest, registry};

fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout();
    let done = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    done.map_err(|error| Failure::output(&error))
}

pub(crate) fn list(options: &List) -> Result<(), Failure> {
    let mut text = String::new();
    // Writing to a string does not fail.
    let mut line = |name: &str, summary: &str| {
        let _ = writeln!(text, "  {name:<18}{summary}");
    };
    let wanted = |kind| options.kind.is_none_or(|only| only == kind);
    if wanted(Kind::Puzzles) {
        line("PUZZLES", "");
        for family in registry::PUZZLES {
            line(family.info.name, family.info.summary);
            for preset in family.presets {
                line(&format!("  --preset {}", preset.name), preset.summary);
            }
        }
    }
    if wanted(Kind::Searches) {
        line("SEARCHES", "");
        for info in registry::SEARCHES {
            line(info.name, info.summary);
        }
    }
    if wanted(Kind::Heuristics) {
        line("HEURISTICS", "of every puzzle");
        for info in registry::GENERAL_HEURISTICS {
            line(info.name, info.summary);
        }
        for family in registry::PUZZLES {
            line("HEURISTICS", &format!("of {}", family.info.name));
            for info in family.heuristics {
                line(info.name, info.summary);
            }
        }
    }
    if wanted(Kind::Generators) {
        for family in registry::PUZZLES {
            line("GENERATORS", &format!("of {}", family.info.name));
            for info in family.generators {
                line(info.name, info.summary);
            }
        }
    }
    let text: String = text
        .lines()
        .map(|line| {
            let heading = line.trim_start().starts_with(|c: char| c.is_ascii_uppercase());
            let line = if heading { line.trim() } else { line.trim_end() };
            format!("{line}\n")
        })
        .collect();
    print(&text)
}

pub(crate) fn describe(options: &Describe) -> Result<(), Failure> {
    let found = registry::named(&options.name);
    if found.is_empty() {
        let names = registry::names();
        let near = nearest(&options.name, &names)
            .map(|near| format!("; did you mean `{near}`?"))
            .unwrap_or_default();
        let message = format!("nothing is called `{}`{near} (known: {})", options.name, names.join(", "));
        return Err(Failure::new(USAGE, message));
    }
    let texts: Vec<String> =
        found.iter().map(|(info, family)| registry::describe(info, *family)).collect();
    print(&texts.join("\n"))
}

pub(crate) fn completions(options: &Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Arguments::command(), "unriddle", &mut script);
    print(&String::from_utf8_lossy(&script))
}
