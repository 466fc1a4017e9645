//! Allowed dependencies between crates, compared with the metadata of cargo.
//!
//! Normal and build dependencies count, including optional and platform-specific ones; dependencies
//! of tests are free. A crate that is not on the list, or an edge that is not, fails the test.

use cargo_metadata::{Dependency, DependencyKind, Metadata, MetadataCommand, Package};
use std::{collections::BTreeSet, fs, path::Path};

/// Every general crate and the crates of this workspace that it may depend on.
const ALLOWED: &[(&str, &[&str])] = &[
    ("unriddle-core", &[]),
    ("unriddle-check", &[]),
    ("unriddle-plot", &[]),
    ("unriddle-search", &["unriddle-core"]),
    ("unriddle-tables", &["unriddle-core"]),
    ("unriddle-evolve", &["unriddle-core"]),
    ("unriddle-neural", &["unriddle-core"]),
    ("unriddle-gpu", &["unriddle-core", "unriddle-neural"]),
    ("unriddle-catalog", LIBRARIES),
    ("unriddle-learn", BELOW_LEARN),
    ("unriddle-lab", &["unriddle-catalog", "unriddle-core", "unriddle-plot"]),
    (CONFORMANCE, &["unriddle-catalog", "unriddle-check", "unriddle-core"]),
    (
        "unriddle-cli",
        &["unriddle-catalog", "unriddle-learn", "unriddle-lab", "unriddle-plot", "unriddle-studio"],
    ),
    ("unriddle-studio", &["unriddle-catalog", "unriddle-core", "unriddle-lab"]),
    ("unriddle-web", &["unriddle", "unriddle-studio"]),
    ("unriddle-python", &["unriddle", "unriddle-studio"]),
];

/// Test suites: only tests may depend on them.
const CONFORMANCE: &str = "unriddle-conformance";

/// Crates below the catalogue, which know no puzzle.
const LIBRARIES: &[&str] = &[
    "unriddle-core",
    "unriddle-check",
    "unriddle-search",
    "unriddle-tables",
    "unriddle-evolve",
    "unriddle-neural",
    "unriddle-gpu",
    "unriddle-plot",
];

const BELOW_LEARN: &[&str] = &[
    "unriddle-core",
    "unriddle-check",
    "unriddle-search",
    "unriddle-tables",
    "unriddle-evolve",
    "unriddle-neural",
    "unriddle-plot",
    "unriddle-catalog",
];

/// Folder of the crates of puzzles, which share one rule.
const PUZZLES: &str = "crates/puzzles/";

/// Whether a crate may depend on another one of ours.
fn may_know(name: &str, edge: &str, puzzles: &BTreeSet<&str>) -> bool {
    if name == "unriddle" {
        // The program and its library show all crates, and have the list of puzzles.
        return true;
    }
    if puzzles.contains(name) {
        return edge == "unriddle-catalog" || LIBRARIES.contains(&edge);
    }
    let allowed = ALLOWED.iter().find(|(known, _)| *known == name);
    let (_, allowed) = allowed.unwrap_or_else(|| panic!("the crate {name} is not on the list"));
    allowed.contains(&edge)
}

/// All that the vocabulary may lean on.
const CORE_NEEDS: &[&str] = &["cpu-time", "rand_core", "rand_xoshiro", "thiserror"];

/// Crates with a user interface: only these print, read the environment or exit.
const FACES: &[&str] = &["unriddle-cli"];

fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .no_deps()
        .exec()
        .unwrap()
}

fn built(package: &Package) -> impl Iterator<Item = &Dependency> {
    package.dependencies.iter().filter(|d| d.kind != DependencyKind::Development)
}

#[test]
fn crates_know_only_those_below_them() {
    let metadata = metadata();
    let ours: BTreeSet<&str> = metadata.packages.iter().map(|p| p.name.as_str()).collect();
    assert!(ours.contains("unriddle-core") && ours.contains("unriddle"), "{ours:?}");
    let puzzles = puzzles(&metadata);
    assert!(puzzles.contains("unriddle-tiles"), "{puzzles:?}");
    for package in &metadata.packages {
        let name = package.name.as_str();
        for dependency in built(package) {
            let edge = dependency.name.as_str();
            let is_ours = ours.contains(edge) || edge.starts_with("unriddle");
            assert!(!is_ours || may_know(name, edge, &puzzles), "{name} must not know {edge}");
            assert_ne!(edge, CONFORMANCE, "{name} may know it in tests alone");
        }
    }
}

/// The crates of puzzles.
fn puzzles(metadata: &Metadata) -> BTreeSet<&str> {
    let packages = metadata.packages.iter();
    let in_folder = packages.filter(|p| p.manifest_path.as_str().contains(PUZZLES));
    in_folder.map(|p| p.name.as_str()).collect()
}

/// No general part names a puzzle in its code. Comments, references in declarations and tests may.
#[test]
fn general_parts_name_no_puzzle() {
    // The checker has a module of rules for each puzzle.
    const RULES: &str = "unriddle-check";
    let names: Vec<&str> = unriddle::FAMILIES.iter().map(|f| f.info.name).collect();
    let metadata = metadata();
    let puzzles = puzzles(&metadata);
    let mut read = 0;
    for package in &metadata.packages {
        let name = package.name.as_str();
        if name == "unriddle" || name == RULES || puzzles.contains(name) {
            continue;
        }
        let folder = package.manifest_path.with_file_name("src");
        for (path, text) in sources(folder.as_std_path()) {
            if path.ends_with("tests.rs") {
                continue;
            }
            read += 1;
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            for (number, line) in code.lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                let word = |c: char| !(c.is_alphanumeric() || c == '_' || c == '-');
                let named = code.split(word).find(|word| names.contains(word));
                assert_eq!(named, None, "{path}, line {}", number + 1);
            }
        }
    }
    assert!(read > 100, "only {read} files read");
}

#[test]
fn the_list_itself_has_no_circle() {
    // Every crate may only name crates whose own list does not lead back to it.
    fn reaches(from: &str, to: &str) -> bool {
        let below = ALLOWED.iter().find(|(name, _)| *name == from).map_or(&[][..], |(_, b)| *b);
        below.iter().any(|&b| b == to || reaches(b, to))
    }
    for (name, _) in ALLOWED {
        assert!(!reaches(name, name), "{name}");
    }
}

#[test]
fn verifier_has_no_dependency_and_core_has_few() {
    let metadata = metadata();
    let of = |name: &str| metadata.packages.iter().find(|p| p.name.as_str() == name).unwrap();
    let check: Vec<&str> =
        of("unriddle-check").dependencies.iter().map(|d| d.name.as_str()).collect();
    assert!(check.is_empty(), "the verifier uses the standard library only, found {check:?}");
    for dependency in built(of("unriddle-core")) {
        assert!(CORE_NEEDS.contains(&dependency.name.as_str()), "core needs {}", dependency.name);
    }
}

/// Nothing below the command line and the page prints, reads the environment or exits the process;
/// and no solver knows the folder of public data.
#[test]
fn libraries_are_silent() {
    const FORBIDDEN: &[&str] = &[
        "println!",
        "print!",
        "env::var",
        "env::args",
        "current_exe",
        "temp_dir",
        "process::exit",
        "stdin()",
        "UNRIDDLE_DATA",
    ];
    let mut read = 0;
    for package in &metadata().packages {
        if FACES.contains(&package.name.as_str()) {
            continue;
        }
        let folder = package.manifest_path.with_file_name("src");
        for (path, text) in sources(folder.as_std_path()) {
            read += 1;
            for (number, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                for word in FORBIDDEN.iter().filter(|word| code.contains(**word)) {
                    let data = *word == "UNRIDDLE_DATA" && package.name.as_str() == "unriddle-lab";
                    assert!(data, "{path}, line {}: {word}", number + 1);
                }
            }
        }
    }
    assert!(read > 50, "only {read} files read");
}

/// All Rust files below a folder.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

/// A published crate is built from its folder: files that its code includes are inside, as are the
/// licences.
#[test]
fn packages_are_complete() {
    // Compiled only for tests of documents.
    const GUIDE: &str = "../../../docs/library.md";
    let metadata = metadata();
    let is_published =
        |package: &&Package| package.publish.as_ref().is_none_or(|to| !to.is_empty());
    let mut included = 0;
    for package in metadata.packages.iter().filter(is_published) {
        let folder = package.manifest_path.parent().unwrap().canonicalize().unwrap();
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(folder.join(licence).is_file(), "{} has no {licence}", package.name);
        }
        for (path, text) in sources(&folder.join("src")) {
            for start in ["include_str!(\"", "include_bytes!(\"", "embedded!(\""] {
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                let files = code.filter_map(|line| line.split_once(start)?.1.split('"').next());
                for file in files.filter(|file| *file != GUIDE) {
                    let file = Path::new(&path).with_file_name("").join(file);
                    let file = file.canonicalize().unwrap_or_else(|e| panic!("{path}: {e}"));
                    assert!(file.starts_with(&folder), "{path} includes {}", file.display());
                    included += 1;
                }
            }
        }
    }
    assert!(included > 10, "only {included} included files are seen");
}

/// Files above 1 MB that belong into the tree: networks that come with the program or are the
/// subject of a committed experiment, and the results of the largest experiments.
const LARGE: &[&str] = &[
    "models/ann-distance-paths.safetensors.gz",
    "models/ann-distance.safetensors.gz",
    "models/cube.safetensors.gz",
    "models/sokoban-wide.safetensors.gz",
    "models/tiles35.safetensors.gz",
    "models/tiles48-blocks.safetensors.gz",
    "models/tiles48.safetensors.gz",
    "crates/puzzles/tiles/models/tiles35-blocks.safetensors.gz",
    "crates/puzzles/tiles/models/tiles48-long.safetensors.gz",
    "results/freecell-table2.csv.zst",
    "results/overestimation-cube.csv.zst",
];

#[test]
fn committed_files_are_small() {
    const MOST: u64 = 1_000_000;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let listed = std::process::Command::new("git").arg("-C").arg(&root).arg("ls-files").output();
    // An archive of the sources has no history.
    let Some(listed) = listed.ok().filter(|output| output.status.success()) else {
        eprintln!("skipped: not a checkout of git");
        return;
    };
    let listed = String::from_utf8(listed.stdout).unwrap();
    let size = |name: &str| fs::symlink_metadata(root.join(name)).map_or(0, |data| data.len());
    for name in listed.lines().filter(|name| !LARGE.contains(name)) {
        assert!(size(name) <= MOST, "{name} has {} bytes, at most {MOST} are allowed", size(name));
    }
    for name in LARGE {
        assert!(size(name) > MOST, "{name} is small or missing: take it off the list");
    }
}
