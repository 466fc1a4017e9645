//! The committed documents are those that the declarations give.

mod common;

use unriddle::registry;
use unriddle_catalog::documents;

#[test]
fn algorithms_are_those_declared() {
    common::golden("docs/algorithms.md", &documents::algorithms(&registry()));
}

#[test]
fn puzzles_are_those_declared() {
    common::golden("docs/puzzles.md", &documents::puzzles(&registry()));
}

/// The networks that come with the program take 15 MB at most, and each has a recipe.
#[test]
fn networks_are_those_of_the_headers() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let recipe =
        |name: &str| std::fs::read_to_string(root.join(format!("recipes/cpu/{name}.toml"))).ok();
    common::golden("models/README.md", &documents::models(&registry(), &recipe));
    let registry = registry();
    let all: Vec<_> = (registry.families().iter()).flat_map(|family| family.models()).collect();
    assert!(all.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() <= 15_000_000);
    for (name, _) in all {
        assert!(recipe(name).is_some(), "{name} has no recipe");
    }
}

/// No line is too long for a reader or an editor, and what is announced is there.
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
