//! The text of `unriddle describe`.

use super::family::Family;
use crate::{bind::domain_text, interface::findings::VALIDATE, solve::net};
use std::fmt::Write as _;
use unriddle_core::{Info, Parameter};

/// The short text of a parameter, with its former name and the former words of a choice.
#[must_use]
pub fn summary(parameter: &Parameter) -> String {
    let mut former: Vec<String> =
        parameter.former_name.iter().map(|name| format!("`{name}`")).collect();
    former.extend(parameter.former_words.iter().map(|(old, new)| format!("`{old}` for `{new}`")));
    match former.as_slice() {
        [] => parameter.summary.to_owned(),
        former => format!("{} (formerly {})", parameter.summary, former.join(", ")),
    }
}

/// Appends a text in lines of at most 100 characters that begin with `indent` blanks.
fn paragraph(out: &mut String, indent: usize, text: &str) {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && indent + line.chars().count() + 1 + word.chars().count() > 100 {
            let _ = writeln!(out, "{:indent$}{line}", "");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    let _ = writeln!(out, "{:indent$}{line}", "");
}

/// Form of an expression with its parameters: `bwas(h, lambda=0.6, …)`.
pub(super) fn signature(info: &Info) -> String {
    if info.parameters.is_empty() {
        return info.name.to_owned();
    }
    let word = |by_position: bool| {
        info.parameters.iter().filter(move |p| p.positional == by_position).map(|p| {
            match (p.variadic, p.default) {
                (true, _) => format!("{}, …", p.name),
                (false, Some(default)) => format!("{}={default}", p.name),
                (false, None) => p.name.to_owned(),
            }
        })
    };
    let words: Vec<String> = word(true).chain(word(false)).collect();
    format!("{}({})", info.name, words.join(", "))
}

/// Description of a search whose [`Info::known`] is set.
pub(super) const KNOWN: &str = "begins with one (`unriddle improve`, or the search `prove`)";
/// Description of a search whose [`Info::journal`] is set.
pub(super) const JOURNAL: &str =
    "resumes, and is shared by processes (`--journal DIR`, `--shard K/N`)";
/// Description of a solver whose [`Info::ranks`] is set.
pub(super) const RANKS: &str = "the processes of an MPI run can search an instance together";

/// The text of `describe`: summary, guarantee, parameters, reference.
#[must_use]
pub fn describe(info: &Info, family: Option<&Family>) -> String {
    let mut text = String::new();
    let of = match family {
        Some(family) if family.info.name != info.name => format!(" of {}", family.info.name),
        _ => String::new(),
    };
    // Writing to a string does not fail.
    let _ = writeln!(text, "{} ({}{of}): {}", info.name, info.role.name(), info.summary);
    let mut line = |label: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(text, "  {label:<11}{value}");
        }
    };
    line("guarantee", info.guarantee);
    line("requires", info.requires);
    line("known", if info.known { KNOWN } else { "" });
    line("journal", if info.journal { JOURNAL } else { "" });
    line("ranks", if info.ranks { RANKS } else { "" });
    line("reference", info.reference);
    if !info.parameters.is_empty() {
        let _ = writeln!(text, "  parameters");
    }
    for parameter in info.parameters {
        let default = parameter.default.map_or("required".to_owned(), |d| format!("default {d}"));
        let _ = writeln!(
            text,
            "    {:<10} {}; {} ({default})",
            parameter.name,
            summary(parameter),
            domain_text(&parameter.domain)
        );
        if !parameter.details.is_empty() {
            paragraph(&mut text, 15, parameter.details);
        }
    }
    if let Some(family) = family.filter(|family| family.info.name == info.name) {
        if !family.forms.is_empty() {
            let _ = writeln!(text, "  instances");
        }
        for form in family.forms {
            let _ = writeln!(text, "    {}", form.name);
            paragraph(&mut text, 6, form.rule);
            if !form.puzzle.is_empty() {
                let _ = writeln!(text, "      Example of `{}`:", form.puzzle);
            }
            for line in form.example.lines() {
                let _ = writeln!(text, "        {line}");
            }
        }
        let declared = family.declared();
        let _ = writeln!(text, "  presets");
        for preset in &declared.presets {
            let _ = writeln!(text, "    {:<10} {}", preset.name, preset.summary);
        }
        let list =
            |infos: &[&Info]| infos.iter().map(|info| info.name).collect::<Vec<_>>().join(", ");
        for (what, infos) in [
            ("searches", &declared.searches),
            ("solvers", &declared.solvers),
            ("heuristics", &declared.heuristics),
            ("play-outs", &declared.playouts),
        ] {
            if !infos.is_empty() {
                let _ = writeln!(text, "  {what:<10} {}", list(infos));
            }
        }
    }
    if let Some(family) = family.filter(|family| family.info.name == info.name) {
        let generators = family.generators();
        if !generators.is_empty() {
            let signatures: Vec<_> = generators.into_iter().map(signature).collect();
            let _ = writeln!(text, "  generators {}", signatures.join(", "));
        }
        let keys = [Some(&VALIDATE), family.validation, Some(family.info)];
        let keys = keys.into_iter().flatten().flat_map(|info| info.parameters);
        let keys: Vec<_> = keys.map(|parameter| parameter.name).collect();
        let _ = writeln!(text, "  keys of `validate --set KEY=VALUE`: {}", keys.join(", "));
    }
    let networks = family.map(Family::networks).unwrap_or_default();
    if !networks.is_empty()
        && [family.map_or("", |family| family.info.name), net::NAME].contains(&info.name)
    {
        let _ = writeln!(text, "  networks   {networks}");
    }
    text
}
