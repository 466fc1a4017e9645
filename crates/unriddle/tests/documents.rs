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

/// Every link leads to a heading, every table has as many cells in each row, every name is there.
#[test]
fn documents_hold_together() {
    let (algorithms, puzzles) = (
        documents::algorithms(&registry()),
        documents::puzzles(&registry()),
    );
    let anchors = |text: &str| -> Vec<String> {
        let headings = text
            .lines()
            .filter_map(|line| line.trim_start_matches('#').strip_prefix(' '));
        headings
            .map(|heading| heading.replace('`', "").replace(' ', "-").to_lowercase())
            .collect()
    };
    for (text, other, name) in [
        (&algorithms, &puzzles, "puzzles.md"),
        (&puzzles, &algorithms, "algorithms.md"),
    ] {
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
        assert!(
            algorithms.contains(name) || puzzles.contains(name),
            "{name}"
        );
    }
    assert!(
        !algorithms.contains("| |") && !puzzles.contains("| |"),
        "a preset without a solver"
    );
}
