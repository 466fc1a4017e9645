//! The committed reports equal the reports of the committed results, so that every figure has its
//! runs. With `UPDATE_GOLDEN` set, the test writes the reports with pages and plots.

use crate::place::{Place, files, results};
use std::path::{Path, PathBuf};

/// Whether an experiment, or its base experiment, has suites of public data.
fn needs_data(experiment: &Path) -> bool {
    let text = std::fs::read_to_string(experiment).expect("the experiment of a report");
    let base = text.lines().find_map(|line| line.strip_prefix("base = "));
    text.lines().any(|l| l.starts_with("file = ") && !l.contains("\"./"))
        || base.is_some_and(|base| needs_data(&experiment.with_file_name(base.trim_matches('"'))))
}

#[test]
fn committed_reports_are_made_of_the_committed_results() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let reports = files(&root.join("docs/results"), "md");
    assert!(!reports.is_empty(), "there are no reports");
    for path in reports {
        let name = path.file_stem().and_then(|s| s.to_str()).expect("a name");
        let experiment = root.join("experiments").join(format!("{name}.toml"));
        if needs_data(&experiment) && std::env::var_os("UNRIDDLE_DATA").is_none() {
            eprintln!("skipped: the report {name} (UNRIDDLE_DATA is not set)");
            continue;
        }
        let place = Place::new().with_models();
        let parts = results(&root).into_iter().filter(|part| {
            let file = part.file_name().and_then(|s| s.to_str()).unwrap_or_default();
            let stem = file.split('.').next().unwrap_or_default();
            stem == name || stem.starts_with(&format!("{name}-"))
        });
        let parts: Vec<_> = parts.collect();
        assert!(!parts.is_empty(), "there are no results of {name}");
        let mut merge = vec!["lab".into(), "merge".into(), "--database".into(), "d.sqlite".into()];
        merge.extend(parts.into_iter().map(|part| part.into_os_string()));
        place.run(&merge).good();
        let experiment = experiment.to_str().expect("a name");
        let folder = path.parent().and_then(Path::to_str).expect("a folder");
        let output = match std::env::var_os("UPDATE_GOLDEN") {
            Some(_) => folder,
            None => "r",
        };
        let report = ["lab", "report", experiment, "--database", "d.sqlite"];
        place.run(&[&report[..], &["--output", output]].concat()).good();
        if output == folder {
            // The page is for reading on the spot; the Markdown beside it is committed.
            std::fs::remove_file(path.with_extension("html")).expect("the page");
            continue;
        }
        let committed = std::fs::read_to_string(&path).expect("the report");
        assert!(
            place.read(&format!("r/{name}.md")) == committed,
            "docs/results/{name}.md is stale: set UPDATE_GOLDEN=1, run this test again and commit"
        );
    }
}

/// Runs stay the same from a database through CSV and compact files to another database.
#[test]
fn compact_files_hold_the_same_runs_as_csv() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let place = Place::new();
    let is_record = |path: &PathBuf| path.to_string_lossy().contains("morpion-record.csv");
    let record = results(&root).into_iter().find(is_record).expect("results");
    let record = record.to_str().expect("a name");
    place.run(&["lab", "merge", record, "--database", "a.sqlite"]).good();
    place.run(&["lab", "export", "--database", "a.sqlite", "--output", "a"]).good();
    let csv = place.read("a/morpion-record.csv");
    let migrated = place.run(&["lab", "migrate", "--compact", "a/morpion-record.csv"]).good();
    assert!(migrated.contains("in the current format"), "{migrated}");
    assert!(migrated.contains("a/morpion-record.csv.zst: "), "{migrated}");
    place.run(&["lab", "merge", "a/morpion-record.csv.zst", "--database", "b.sqlite"]).good();
    for form in [&["--compact"][..], &[]] {
        let export = ["lab", "export", "--database", "b.sqlite", "--output", "b"];
        place.run(&[&export[..], form].concat()).good();
    }
    assert_eq!(place.read("b/morpion-record.csv"), csv);
    place.run(&["lab", "merge", "b/morpion-record.csv.zst", "--database", "b.sqlite"]).good();
}
