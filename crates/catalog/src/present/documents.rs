//! Generated documents: `docs/algorithms.md` and `docs/puzzles.md`, made of the declarations, and
//! `models/README.md`.
//!
//! The documents contain the same declarations as the parser and `describe`. A test compares the
//! committed files with the generated ones.

use super::{
    describe::{JOURNAL, KNOWN, RANKS, signature, summary},
    family::Family,
    registry::{
        GENERAL_HEURISTICS, GENERAL_PLAYOUTS, GOAL_SEARCHES, Registry, SCORE_SEARCHES, searches,
    },
};
use crate::{
    bind::domain_text,
    interface::{findings::VALIDATE, instance::Instance, values::Style},
    solve::net,
};
use std::fmt::Write as _;
use unriddle_core::{Info, Rng};

mod models;

pub use models::models;

/// Maximum width of a line outside of tables, in characters.
const WIDTH: usize = 110;

const NOTE: &str = "<!-- Generated from the declarations in the code. Do not edit: run\n     \
                    UPDATE_GOLDEN=1 cargo test -p unriddle --test documents -->\n";

/// Text with the characters escaped that have a meaning in Markdown, except for code between
/// backticks.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '|' | '<' | '\\' | '[' | ']') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The same with a capital letter at its beginning.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    plain(&(first.unwrap_or_default() + chars.as_str()))
}

/// The table of parameters, if there are any, and below it the paragraphs of their details.
fn parameters(out: &mut String, info: &Info) {
    if info.parameters.is_empty() {
        return;
    }
    *out += "| parameter | default | accepts | meaning |\n|---|---|---|---|\n";
    for parameter in info.parameters {
        let default = match parameter.default {
            Some(default) => format!("`{default}`"),
            None => "required".to_owned(),
        };
        let more = if parameter.variadic { ", one or more" } else { "" };
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(
            out,
            "| `{}` | {default} | {}{more} | {} |",
            parameter.name,
            plain(&domain_text(&parameter.domain)),
            plain(&summary(parameter)),
        );
    }
    out.push('\n');
    for parameter in info.parameters.iter().filter(|p| !p.details.is_empty()) {
        let _ = writeln!(out, "- `{}`: {}", parameter.name, plain(parameter.details));
    }
    if info.parameters.iter().any(|p| !p.details.is_empty()) {
        out.push('\n');
    }
}

/// A declaration under a heading.
fn declaration(out: &mut String, level: &str, info: &Info) {
    let _ = writeln!(out, "{level} `{}`\n\n{}.\n", info.name, capital(info.summary));
    let facts = [
        ("Written", format!("`{}`", signature(info))),
        ("Guarantee", plain(info.guarantee)),
        ("Requires", plain(info.requires)),
        ("Known solutions", if info.known { KNOWN.to_owned() } else { String::new() }),
        ("Journal", if info.journal { JOURNAL.to_owned() } else { String::new() }),
        ("Ranks", if info.ranks { RANKS.to_owned() } else { String::new() }),
        ("Reference", plain(info.reference)),
    ];
    for (label, text) in facts.iter().filter(|(_, text)| !text.is_empty()) {
        let _ = writeln!(out, "- {label}: {text}");
    }
    out.push('\n');
    parameters(out, info);
}

/// A table of declarations that links to their headings.
fn overview(out: &mut String, infos: &[&Info]) {
    *out += "| name | description | guarantee |\n|---|---|---|\n";
    for info in infos {
        let _ = writeln!(
            out,
            "| [`{0}`](#{0}) | {1} | {2} |",
            info.name,
            capital(info.summary),
            plain(info.guarantee)
        );
    }
    out.push('\n');
}

/// The first instance that a generator makes of seed 1.
fn sample(family: &Family, generator: &str) -> Option<Box<dyn Instance>> {
    let puzzle = family.default_puzzle()?;
    let bound = family.generator(Some(generator)).ok()?;
    let text = puzzle.generate(&bound, &mut Rng::stream(1, 0)).ok()?;
    puzzle.load(&text).ok()
}

/// Solver specs of every preset, by size.
fn presets(out: &mut String, family: &Family) {
    let declared = family.declared();
    let names = declared.presets.iter().map(|preset| format!(" `{}` |", preset.name));
    let _ = writeln!(out, "| size |{}", names.collect::<String>());
    let _ = writeln!(out, "|---|{}", "---|".repeat(family.declared().presets.len()));
    for size in family.sizes() {
        let instance = sample(family, size.generator);
        let cells = declared.presets.iter().map(|preset| {
            let spec = instance.as_ref().and_then(|instance| instance.preset(preset.name));
            spec.map_or(" none |".to_owned(), |spec| format!(" `{spec}` |"))
        });
        let _ = writeln!(out, "| {} |{}", plain(size.name), cells.collect::<String>());
    }
    out.push('\n');
}

/// Lines of a table of contents: the heading `title`, and links to the declarations below it.
fn contents(out: &mut String, title: &str, infos: &[&Info]) {
    let links: Vec<_> = infos.iter().map(|info| format!("[`{0}`](#{0})", info.name)).collect();
    let colon = if links.is_empty() { "" } else { ": " };
    let _ = writeln!(out, "- [{title}](#{}){colon}{}", title.to_lowercase(), links.join(", "));
}

/// `docs/algorithms.md`: searches, heuristics, play-outs and presets.
#[must_use]
pub fn algorithms(registry: &Registry) -> String {
    let families = registry.families();
    let mut out = format!(
        "# Algorithms\n\n{NOTE}\n\
         A solver is written as an expression, a search around a heuristic: `astar(manhattan, w=2)`,\n\
         `idastar(max(linear-conflict, pdb(5-5-5)))`. Parameters without a name come first; numbers may\n\
         end in `k`, `M` or `G` (thousands, millions, billions). `unriddle describe NAME` shows the same\n\
         as this page.\n\n\
         A result is called *optimal* only where the search and the guarantee of its heuristic prove it:\n\
         an *admissible* heuristic never exceeds the cost-to-go; a *consistent* heuristic is admissible\n\
         and falls by no more than an action's cost along that action.\n\n"
    );
    let own =
        |infos: fn(&Family) -> Vec<&'static Info>| families.iter().flat_map(move |f| infos(f));
    let all = searches().chain(own(|family| family.declared().solvers));
    contents(&mut out, "Searches", &all.collect::<Vec<_>>());
    let heuristics = own(|family| family.declared().heuristics);
    let heuristics: Vec<_> = GENERAL_HEURISTICS.iter().copied().chain(heuristics).collect();
    contents(&mut out, "Heuristics", &heuristics);
    let playouts = own(|family| family.declared().playouts);
    let playouts: Vec<_> = GENERAL_PLAYOUTS.iter().copied().chain(playouts).collect();
    contents(&mut out, "Play-outs", &playouts);
    contents(&mut out, "Presets", &[]);
    out += "\n## Searches\n\n\
            Searches of goal puzzles; `astar` and `idastar` also run on score puzzles, with an upper bound\n\
            instead of a heuristic:\n\n";
    overview(&mut out, GOAL_SEARCHES);
    out += "Searches of score puzzles:\n\n";
    overview(&mut out, SCORE_SEARCHES);
    for family in families.iter().filter(|f| !f.declared().searches.is_empty()) {
        let name = family.info.name;
        let declared = family.declared();
        let searches = declared.searches.iter().map(|info| format!("`{}`", info.name));
        let searches: Vec<String> = searches.collect();
        let searches = searches.join(", ");
        let _ =
            writeln!(out, "Searches that also run on [{name}](puzzles.md#{name}): {searches}.\n");
    }
    for info in searches() {
        declaration(&mut out, "###", info);
    }
    for family in families.iter().filter(|f| !f.declared().solvers.is_empty()) {
        let name = family.info.name;
        let _ = writeln!(out, "Solvers only for [{name}](puzzles.md#{name}):\n");
        overview(&mut out, &family.declared().solvers);
        for info in family.declared().solvers {
            declaration(&mut out, "###", info);
        }
    }
    out += "## Heuristics\n\nHeuristics of every goal puzzle:\n\n";
    overview(&mut out, GENERAL_HEURISTICS);
    for family in families.iter().filter(|f| !f.declared().heuristics.is_empty()) {
        let name = family.info.name;
        let _ = writeln!(out, "Heuristics of [{name}](puzzles.md#{name}):\n");
        overview(&mut out, &family.declared().heuristics);
    }
    for info in heuristics {
        declaration(&mut out, "###", info);
    }
    out += "## Play-outs\n\nPlay-outs of every score puzzle:\n\n";
    overview(&mut out, GENERAL_PLAYOUTS);
    for family in families.iter().filter(|f| !f.declared().playouts.is_empty()) {
        let name = family.info.name;
        let _ = writeln!(out, "Play-outs of [{name}](puzzles.md#{name}):\n");
        overview(&mut out, &family.declared().playouts);
    }
    for info in playouts {
        declaration(&mut out, "###", info);
    }
    out += "## Presets\n\nA preset is a name for a solver that suits the size of the instance.\n\n";
    for family in families {
        let name = family.info.name;
        let _ = writeln!(out, "### Presets of {name}\n");
        for preset in family.declared().presets {
            let _ = writeln!(out, "- `{}`: {}", preset.name, plain(preset.summary));
        }
        out.push('\n');
        presets(&mut out, family);
    }
    finished(&out)
}

/// `docs/puzzles.md`: every puzzle with an example, its parameters, heuristics, generators and
/// presets.
#[must_use]
pub fn puzzles(registry: &Registry) -> String {
    let mut out = format!("# Puzzles\n\n{NOTE}\n");
    let _ = writeln!(
        out,
        "## Keys of every report for designers\n\n\
         `unriddle {} PUZZLE --set KEY=VALUE` reports for any puzzle whether its instances are solvable, and how hard.\n\
         These keys belong to all puzzles; a puzzle's parameters are keys as well.\n",
        VALIDATE.name
    );
    parameters(&mut out, &VALIDATE);
    for family in registry.families() {
        puzzle(&mut out, family);
    }
    finished(&out)
}

/// Form of an instance and the command that solves it. The instance is a part of the command, or a
/// file, the head of which is shown: also where a shell would need the instance in other quotes.
fn written(out: &mut String, family: &Family, generator: &str, text: &str) {
    /// Lines, and characters of a line, of the head of a file.
    const HEAD: (usize, usize) = (3, 76);
    let name = family.info.name;
    if family.inline && !text.contains('\'') {
        let form = match text.contains('\n') {
            true => "line by line".to_owned(),
            false => format!("`{text}`"),
        };
        let _ = writeln!(
            out,
            "This instance is written {form}:\n\n```sh\nunriddle solve {name} '{text}'\n```\n"
        );
        return;
    }
    let cut = |line: &str| match line.chars().count() > HEAD.1 {
        true => line.chars().take(HEAD.1 - 1).chain(['…']).collect(),
        false => line.to_owned(),
    };
    let mut head: Vec<String> = text.lines().take(HEAD.0).map(cut).collect();
    if text.lines().nth(HEAD.0).is_some() {
        head.push("…".to_owned());
    }
    let _ = writeln!(
        out,
        "This instance is a file, made and solved by\n\n\
         ```sh\nunriddle generate {name} '{generator}' --seed 1 > {name}.txt\nunriddle solve {name} {name}.txt\n```\n\n\
         It begins:\n\n```text\n{}\n```\n",
        head.join("\n")
    );
}

fn puzzle(out: &mut String, family: &Family) {
    let info = family.info;
    let name = info.name;
    let _ = writeln!(out, "## {name}\n\n{}.\n", capital(info.summary));
    let sizes = family.sizes();
    let size = sizes.get(sizes.len() / 3);
    if let Some((generator, example)) =
        size.and_then(|size| Some((size.generator, sample(family, size.generator)?)))
    {
        let frames = example.frames("", Style::Plain).unwrap_or_default();
        let drawing = frames.first().map_or("", |frame| &frame.drawing);
        let _ = writeln!(out, "```text\n{}\n```\n", drawing.trim_end());
        written(out, family, generator, &example.text());
    }
    if !info.reference.is_empty() {
        let _ = writeln!(out, "Reference: {}.\n", plain(info.reference));
    }
    if !family.forms.is_empty() {
        let _ = writeln!(out, "### Instances of {name}\n");
        for form in family.forms {
            let _ = writeln!(out, "**{}**: {}\n", plain(form.name), plain(form.rule));
            if !form.puzzle.is_empty() {
                let _ = writeln!(out, "Example of `{}`:\n", form.puzzle);
            }
            if !form.example.is_empty() {
                let _ = writeln!(out, "```text\n{}\n```\n", form.example.trim_end());
            }
        }
    }
    if !info.parameters.is_empty() {
        let _ = writeln!(out, "### Parameters of {name}\n\nWritten `{}`.\n", signature(info));
        parameters(out, info);
    }
    let sizes: Vec<String> = sizes.iter().map(|size| plain(size.name)).collect();
    let _ = writeln!(out, "Sizes: {}.\n", sizes.join(", "));
    let heuristics = family.declared().heuristics;
    if !heuristics.is_empty() {
        let _ = writeln!(out, "### Heuristics of {name}\n");
        for heuristic in heuristics {
            let _ = writeln!(
                out,
                "- [`{0}`](algorithms.md#{0}): {1} ({2})",
                heuristic.name,
                capital(heuristic.summary),
                plain(heuristic.guarantee)
            );
        }
        out.push('\n');
    }
    let networks = family.networks();
    if !networks.is_empty() {
        let _ = writeln!(
            out,
            "Networks that are part of the program, for [`{0}`](algorithms.md#{0}): {networks}.\n",
            net::NAME
        );
    }
    let _ = writeln!(out, "### Generators of {name}\n");
    for generator in family.generators() {
        let _ = writeln!(out, "`{}`: {}.\n", signature(generator), plain(generator.summary));
        if !generator.reference.is_empty() {
            let _ = writeln!(out, "Reference: {}.\n", plain(generator.reference));
        }
        parameters(out, generator);
    }
    if let Some(keys) = family.validation {
        let _ = writeln!(
            out,
            "### Keys of {name}'s reports\n\n`{}`: {}.\n",
            keys.name,
            plain(keys.summary)
        );
        parameters(out, keys);
    }
    let _ = writeln!(
        out,
        "### Solvers of {name}\n\nThe presets, and their solvers for each size: \
         [Presets of {name}](algorithms.md#presets-of-{name}).\n"
    );
}

/// The document with one line break at its end and with wrapped lines.
fn finished(out: &str) -> String {
    let mut done = String::with_capacity(out.len());
    let mut fenced = false;
    for line in out.trim_end().lines() {
        fenced ^= line.starts_with("```");
        if fenced || line.starts_with(['|', '#', '<']) {
            done += line;
        } else {
            wrap(&mut done, line);
        }
        done.push('\n');
    }
    done
}

/// Appends a line of Markdown, wrapped at [`WIDTH`] characters between words. Links and code stay
/// on one line, and no word that may begin a list becomes the first one of a line.
fn wrap(out: &mut String, line: &str) {
    let indent = if line.starts_with("- ") { "  " } else { "" };
    let (mut width, mut code) = (0, false);
    for (i, word) in line.split(' ').enumerate() {
        let length = word.chars().count();
        let starts = |c: char| c.is_alphabetic() || matches!(c, '`' | '[' | '(' | '“');
        let breaks = !code && word.starts_with(starts) && width + 1 + length > WIDTH;
        if i > 0 && breaks {
            out.push('\n');
            out.push_str(indent);
            width = indent.len();
        } else if i > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += length;
        code ^= word.matches('`').count() % 2 == 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_escaped_and_wrapped() {
        assert_eq!(capital("a*, w ≥ 1"), "A\\*, w ≥ 1");
        assert_eq!(capital(""), "");
        assert_eq!(plain("a|b <c>"), "a\\|b \\<c>");
        let long = format!("- {}`abcd e` 1 word", "word ".repeat(21));
        let wrapped = format!("- {}\n  `abcd e` 1 word\n", "word ".repeat(21).trim_end());
        assert_eq!(finished(&long), wrapped);
        let info = GOAL_SEARCHES.iter().find(|info| info.name == "astar").unwrap();
        assert_eq!(signature(info), "astar(h, w=1)");
        let info = GENERAL_HEURISTICS.iter().find(|info| info.name == "max").unwrap();
        assert_eq!(signature(info), "max(h, …)");
    }
}
