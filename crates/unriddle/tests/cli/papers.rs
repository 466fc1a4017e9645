//! `unriddle lab paper`: the committed pages equal the pages of the committed results and files.

use crate::place::{Place, Ran, files, results};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Whether a paper's file names an experiment with suites of public data, or such an experiment
/// tests one of its claims.
fn needs_data(paper: &Path) -> bool {
    let read = |path: &Path| std::fs::read_to_string(path).expect("a file");
    let key = paper.file_stem().and_then(|s| s.to_str()).expect("a key");
    let text = read(paper);
    let is_public =
        |text: &str| text.lines().any(|line| line.starts_with("file = ") && !line.contains("\"./"));
    files(&root().join("experiments"), "toml").iter().any(|path| {
        let name = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
        let own = read(path);
        let base = own.lines().find_map(|line| line.strip_prefix("base = "));
        let base = base.map(|base| read(&path.with_file_name(base.trim_matches('"'))));
        let whole = own + &base.unwrap_or_default();
        let is_named = text.contains(&format!("experiment = \"{name}\""));
        (is_named || whole.contains(&format!("source = \"{key}\""))) && is_public(&whole)
    })
}

/// A folder with the database `d.sqlite` of the committed results.
fn with_results() -> Place {
    let place = Place::new().with_models();
    let mut merge: Vec<_> = ["lab", "merge", "--database", "d.sqlite"].map(Into::into).to_vec();
    merge.extend(results(&root()).into_iter().map(PathBuf::into_os_string));
    place.run(&merge).good();
    place
}

/// Set `UPDATE_GOLDEN` to write the pages again, and review the changes.
#[test]
fn committed_pages_of_papers_are_made_of_the_committed_results() {
    let root = root();
    let papers = files(&root.join("data/papers"), "toml");
    assert_eq!(papers.len(), 5);
    let place = with_results();
    let folder = root.join("data/papers");
    let folder = folder.to_str().expect("a path");
    for paper in papers {
        let key = paper.file_stem().and_then(|s| s.to_str()).expect("a key");
        if needs_data(&paper) && std::env::var_os("UNRIDDLE_DATA").is_none() {
            eprintln!("skipped: the page of {key} (UNRIDDLE_DATA is not set)");
            continue;
        }
        place
            .run(&[
                "lab",
                "paper",
                key,
                "--folder",
                folder,
                "--database",
                "d.sqlite",
                "--output",
                "p",
            ])
            .good();
        let file = format!("{key}.md");
        let made = place.read(&format!("p/{file}"));
        let path = root.join("docs/papers").join(&file);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::create_dir_all(root.join("docs/papers")).expect("a folder");
            std::fs::write(&path, &made).expect("written");
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            made == committed,
            "docs/papers/{file} is stale; if it should change, set UPDATE_GOLDEN=1 and run this test again"
        );
    }
}

#[test]
fn pages_without_public_data_are_skipped_and_the_others_made() {
    let (place, folder) = (with_results(), root().join("data/papers"));
    let mut paper = place.command(&["lab", "paper", "all", "--database", "d.sqlite"]);
    paper.arg("--folder").arg(&folder).args(["--output", "p"]).env_remove("UNRIDDLE_DATA");
    let ran = Ran::from(paper.output().expect("the program runs"));
    let mut skipped = 0;
    for paper in files(&folder, "toml") {
        let key = paper.file_stem().and_then(|s| s.to_str()).expect("a key");
        let is_named = ran.err.contains(&format!("skipped the page of {key}: the suite `"));
        assert_eq!(is_named, needs_data(&paper), "{key}: {}", ran.err);
        assert_eq!(place.path(&format!("p/{key}.md")).is_file(), !is_named, "{key}");
        skipped += usize::from(is_named);
    }
    assert!((1..5).contains(&skipped), "{}", ran.err);
    assert_eq!(ran.bad(31), format!("{skipped} of 5 pages not made"));
}

#[test]
fn an_unknown_paper_gets_the_nearest_match() {
    let place = Place::new();
    let root = root();
    let is_readings = |path: &PathBuf| path.to_string_lossy().contains("freecell-readings.csv");
    let readings = results(&root).into_iter().find(is_readings).expect("results");
    let merge: Vec<std::ffi::OsString> =
        vec!["lab".into(), "merge".into(), "--database".into(), "d.sqlite".into(), readings.into()];
    place.run(&merge).good();
    let folder = root.join("data/papers");
    let folder = folder.to_str().expect("a path");
    let told = place
        .run(&["lab", "paper", "schad2012", "--folder", folder, "--database", "d.sqlite"])
        .bad(2);
    assert!(told.contains("unknown paper `schad2012`; did you mean `schadd2012`?"), "{told}");
}
