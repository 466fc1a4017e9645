//! Committed documents equal the text that the declarations and files of the repository give.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
};
use unriddle::registry;
use unriddle_catalog::documents;

#[test]
fn list_of_algorithms_follows_from_declarations() {
    common::golden("docs/algorithms.md", &documents::algorithms(&registry()));
}

#[test]
fn list_of_puzzles_follows_from_declarations() {
    common::golden("docs/puzzles.md", &documents::puzzles(&registry()));
}

/// The networks that come with the program take 10 MB at most, and each has a recipe.
#[test]
fn list_of_networks_follows_from_their_headers() {
    let recipe =
        |name: &str| fs::read_to_string(root().join(format!("recipes/cpu/{name}.toml"))).ok();
    common::golden("models/README.md", &documents::models(&registry(), &recipe));
    let registry = registry();
    let all: Vec<_> = (registry.families().iter()).flat_map(|family| family.models()).collect();
    assert!(all.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() <= 10_000_000);
    for (name, _) in all {
        assert!(recipe(name).is_some(), "{name} has no recipe");
    }
}

/// No line is too long for a reader or an editor, and no heading or table is empty.
#[test]
fn documents_can_be_read() {
    let no_lines: &[&str] = &[];
    for text in
        [documents::algorithms(&unriddle::registry()), documents::puzzles(&unriddle::registry())]
    {
        let long: Vec<&str> = text.lines().filter(|l| l.chars().count() > 400).collect();
        assert_eq!(long, no_lines);
        // Drawings may have any signs.
        let mut is_drawn = false;
        let is_text = |line: &&str| {
            let is_fence = line.starts_with("```");
            is_drawn ^= is_fence;
            !is_drawn && !is_fence && !line.is_empty()
        };
        let lines: Vec<&str> = text.lines().filter(is_text).collect();
        let depth = |line: &str| line.find(|c| c != '#').unwrap_or(0);
        for pair in lines.windows(2) {
            let empty =
                depth(pair[0]) > 0 && depth(pair[1]) > 0 && depth(pair[1]) <= depth(pair[0]);
            assert!(!empty, "nothing under `{}`", pair[0]);
            let table = pair[0].starts_with("|---") && !pair[1].starts_with('|');
            assert!(!table, "a table without rows before `{}`", pair[1]);
        }
        assert_eq!(depth(lines[lines.len() - 1]), 0);
    }
}

/// Every link leads to a heading, every table has as many cells in each row, every name is there.
#[test]
fn documents_hold_together() {
    let (algorithms, puzzles) =
        (documents::algorithms(&registry()), documents::puzzles(&registry()));
    let anchors = |text: &str| -> Vec<String> {
        let headings =
            text.lines().filter_map(|line| line.trim_start_matches('#').strip_prefix(' '));
        headings.map(|heading| heading.replace('`', "").replace(' ', "-").to_lowercase()).collect()
    };
    for (text, other, name) in
        [(&algorithms, &puzzles, "puzzles.md"), (&puzzles, &algorithms, "algorithms.md")]
    {
        for link in text.split("](").skip(1) {
            let link = link.split(')').next().unwrap();
            let (file, anchor) = link.split_once('#').unwrap();
            let target = if file.is_empty() { text } else { other };
            assert!(file.is_empty() || file == name, "{link}");
            assert!(anchors(target).contains(&anchor.to_owned()), "{link}");
        }
        let mut columns = 0;
        for line in text.lines() {
            let cells = line.replace("\\|", "").matches('|').count();
            assert!(columns == 0 || cells == 0 || cells == columns, "{line}");
            columns = cells;
        }
    }
    for name in registry().names() {
        assert!(algorithms.contains(name) || puzzles.contains(name), "{name}");
    }
    assert!(!algorithms.contains("| |") && !puzzles.contains("| |"), "a preset without a solver");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|why| panic!("{file}: {why}"))
}

/// The paths of a folder, from the workspace's root, in alphabetical order.
fn entries(folder: &str) -> Vec<String> {
    let listing = fs::read_dir(root().join(folder)).unwrap();
    let name = |entry: std::io::Result<fs::DirEntry>| {
        format!("{folder}/{}", entry.unwrap().file_name().to_string_lossy())
    };
    let mut paths: Vec<String> = listing.map(name).collect();
    paths.sort();
    paths
}

/// The file's name without folder and extension.
fn stem(path: &str) -> &str {
    path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap()
}

/// Compares the part of a document between two markers with a text; `UPDATE_GOLDEN` rewrites it.
fn golden_part(file: &str, text: &str) {
    const BEGIN: &str =
        "<!-- Generated: UPDATE_GOLDEN=1 cargo test -p unriddle --test documents -->\n";
    const END: &str = "<!-- End of the generated part -->\n";
    let document = read(file);
    let parts = document.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let (before, after) = parts.unwrap_or_else(|| panic!("{file} lacks `{BEGIN}` or `{END}`"));
    common::golden(file, &format!("{before}{BEGIN}\n{text}\n{END}{after}"));
}

/// The values of `key = "…"` in a TOML file, one per line.
fn values<'t>(toml: &'t str, key: &str) -> Vec<&'t str> {
    let value = |line: &'t str| {
        let rest = line.trim_start_matches("{ ").strip_prefix(key)?.strip_prefix(" = \"")?;
        rest.split('"').next()
    };
    toml.lines().filter_map(value).collect()
}

/// Lower case, with a hyphen for each run of other characters than letters and digits.
fn slug(title: &str) -> String {
    let lower = title.to_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// Every decision has the next number, a file named after its title, and a status in one form.
#[test]
fn decisions_are_indexed() {
    let mut text = "# Decisions\n\n<!-- Generated: UPDATE_GOLDEN=1 cargo test -p unriddle --test \
                    documents -->\n\nA decision that binds others is one page here. Its number \
                    never changes.\n\n| number | decision | status |\n|---|---|---|\n"
        .to_owned();
    let all: Vec<String> =
        entries("docs/adr").into_iter().filter(|path| stem(path) != "README").collect();
    for (path, expected) in all.iter().zip(1..) {
        let document = read(path);
        let mut lines = document.lines().filter(|line| !line.is_empty());
        let heading = lines.next().and_then(|line| line.strip_prefix("# "));
        let (number, title) = heading.and_then(|line| line.split_once(". ")).unwrap();
        assert_eq!(number, expected.to_string(), "{path}: the number of the heading");
        assert_eq!(
            stem(path),
            format!("{expected:04}-{}", slug(title)),
            "the name follows the title"
        );
        let status = lines.next().and_then(|line| line.strip_prefix("Status: "));
        let status = status.unwrap_or_else(|| panic!("{path}: `Status: …` follows the heading"));
        let successor = status.strip_prefix("superseded by ").map(str::parse::<usize>);
        let is_known = status == "accepted"
            || successor.is_some_and(|number| number.is_ok_and(|n| n > expected && n <= all.len()));
        assert!(is_known, "{path}: `{status}` is neither `accepted` nor `superseded by NUMBER`");
        let name = path.rsplit('/').next().unwrap();
        text += &format!("| {number} | [{title}]({name}) | {status} |\n");
    }
    common::golden("docs/adr/README.md", &text);
}

/// Experiments on the machinery: the lab itself, other programs, GPUs.
const MACHINES: &[&str] = &["cube-card", "freecell-peers", "tiny"];

/// The group of an experiment: the first paper whose page shows it or whose claim it tests, else
/// `ours`.
fn group(name: &str, papers: &[String]) -> String {
    if MACHINES.contains(&name) {
        return "machines".to_owned();
    }
    let experiment = read(&format!("experiments/{name}.toml"));
    if let [base] = values(&experiment, "base")[..] {
        return group(stem(base), papers);
    }
    let sources = values(&experiment, "source");
    let shows = |paper: &&String| values(&read(paper), "experiment").contains(&name);
    let tests = |paper: &&String| sources.contains(&stem(paper));
    let paper = papers.iter().find(shows).or_else(|| papers.iter().find(tests));
    paper.map_or_else(|| "ours".to_owned(), |path| stem(path).to_owned())
}

/// The experiments by paper, then ours, then experiments on machines. The first line of each file
/// is a comment with its question.
#[test]
fn experiments_are_indexed() {
    let papers: Vec<String> =
        entries("data/papers").into_iter().filter(|path| path.ends_with(".toml")).collect();
    let all: Vec<String> =
        entries("experiments").into_iter().filter(|path| path.ends_with(".toml")).collect();
    let mut groups: Vec<(String, String)> = papers
        .iter()
        .map(|path| {
            let key = stem(path);
            (key.to_owned(), format!("Paper [{key}](../docs/papers/{key}.md)"))
        })
        .collect();
    groups.push(("ours".to_owned(), "Own questions".to_owned()));
    groups.push(("machines".to_owned(), "Machines".to_owned()));
    let mut parts = Vec::new();
    let mut listed = 0;
    for (key, heading) in groups {
        let mut part = format!(
            "### {heading}\n\n| experiment | question | `UNRIDDLE_DATA` | report |\n|---|---|---|---|\n"
        );
        for path in all.iter().filter(|path| group(stem(path), &papers) == key) {
            let (name, toml) = (stem(path), read(path));
            let question = toml.lines().next().and_then(|line| line.strip_prefix("# "));
            let question =
                question.unwrap_or_else(|| panic!("{path}: a comment is the first line"));
            let base =
                values(&toml, "base").first().map(|base| read(&format!("experiments/{base}")));
            let files = [Some(&toml), base.as_ref()].into_iter().flatten();
            let needs_data =
                files.flat_map(|toml| values(toml, "file")).any(|file| !file.starts_with("./"));
            let data = if needs_data { "needed" } else { "" };
            let report = format!("docs/results/{name}.md");
            let report = if root().join(&report).exists() {
                format!("[report](../{report})")
            } else {
                String::new()
            };
            part += &format!("| `{name}.toml` | {question} | {data} | {report} |\n");
            listed += 1;
        }
        parts.push(part);
    }
    assert_eq!(listed, all.len());
    assert!(MACHINES.iter().all(|name| all.iter().any(|path| stem(path) == *name)));
    golden_part("experiments/README.md", &parts.join("\n"));
}

/// The recipes by folder, with the command that runs them.
#[test]
fn recipes_are_indexed() {
    let mut text = "| recipe | command | puzzle | title |\n|---|---|---|---|\n".to_owned();
    let folders = entries("recipes").into_iter().filter(|path| root().join(path).is_dir());
    for path in folders.flat_map(|folder| entries(&folder)) {
        let toml = read(&path);
        let command = if toml.contains("[network]") || toml.contains("[[stage]]") {
            "train"
        } else if toml.contains("\n[baseline]") {
            "evolve"
        } else {
            "tune"
        };
        let (puzzle, title) = (values(&toml, "puzzle")[0], values(&toml, "title")[0]);
        let name = path.strip_prefix("recipes/").unwrap();
        text += &format!("| `{name}` | `{command}` | `{puzzle}` | {title} |\n");
    }
    golden_part("recipes/README.md", &text);
}

/// Links between documents written by hand lead to files that exist.
#[test]
fn links_lead_to_files() {
    let folders = [".", "docs", "docs/adr", "experiments", "recipes", "fuzz", "counters"];
    let documents = folders.iter().flat_map(|folder| entries(folder));
    for path in documents.filter(|path| path.ends_with(".md")) {
        let folder = root().join(&path).parent().unwrap().to_owned();
        for link in read(&path).split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap();
            let is_file = !target.is_empty() && !target.contains("://") && !target.contains('<');
            assert!(!is_file || folder.join(target).exists(), "{path}: {target}");
        }
    }
}
