//! The language of the project, read by a machine: comments, messages, options, test names and
//! documents.
//!
//! Each rule of `docs/style.md` that a machine can check is one entry of [`RULES`]. `counts.txt`
//! holds the number of findings per area and rule; a number may only fall. An exception is one line
//! of [`EXCEPTIONS`] with its reason. `LANGUAGE_LIST=AREA cargo test -p unriddle --test language`
//! prints the findings of an area, `UPDATE_GOLDEN=1` writes numbers that fell.

mod rules;
mod source;

use rules::{EXCEPTIONS, Finding, RULES, findings};
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
};

/// Findings per area and rule.
type Counts = BTreeMap<(String, String), usize>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn all_findings() -> Vec<Finding> {
    let root = root();
    let mut all = Vec::new();
    for (area, path) in source::files(&root) {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        let text = fs::read_to_string(&path).unwrap();
        all.extend(findings(&area, &name, &text));
    }
    all
}

#[test]
fn counts_of_findings_only_fall() {
    let all = all_findings();
    if let Ok(area) = env::var("LANGUAGE_LIST") {
        for finding in all.iter().filter(|f| f.area == area || f.path.starts_with(&area)) {
            println!("{finding}");
        }
    }
    let mut counts = Counts::new();
    for finding in &all {
        *counts.entry((finding.area.clone(), finding.rule.to_owned())).or_default() += 1;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language/counts.txt");
    if env::var_os("UPDATE_GOLDEN").is_some() {
        let line =
            |((area, rule), count): (&(String, String), &usize)| format!("{area} {rule} {count}\n");
        fs::write(&path, counts.iter().map(line).collect::<String>()).unwrap();
    }
    let allowed: Counts = fs::read_to_string(&path).unwrap().lines().map(read_count).collect();
    for ((area, rule), count) in &counts {
        let most = allowed.get(&(area.clone(), rule.clone())).copied().unwrap_or(0);
        let matching = || all.iter().filter(|f| f.area == *area && f.rule == *rule);
        let list: Vec<String> = matching().take(40).map(ToString::to_string).collect();
        assert!(
            *count <= most,
            "{area}: {count} findings of the rule `{rule}`, at most {most} are allowed:\n{}",
            list.join("\n")
        );
    }
    for (key, most) in &allowed {
        let count = counts.get(key).copied().unwrap_or(0);
        let (area, rule) = key;
        assert_eq!(
            count, *most,
            "{area}: the findings of `{rule}` fell; lower the number (UPDATE_GOLDEN=1)"
        );
    }
}

fn read_count(line: &str) -> ((String, String), usize) {
    let words: Vec<&str> = line.split(' ').collect();
    let [area, rule, count] = words[..] else { panic!("not `AREA RULE COUNT`: {line}") };
    ((area.to_owned(), rule.to_owned()), count.parse().unwrap())
}

#[test]
fn every_exception_is_needed() {
    let used: BTreeSet<&str> = all_findings_with_exceptions();
    for exception in EXCEPTIONS {
        assert!(
            used.contains(exception.text),
            "{}: the exception `{}` ({}) matches nothing",
            exception.path,
            exception.text,
            exception.reason
        );
    }
}

/// The texts of the exceptions that match something.
fn all_findings_with_exceptions() -> BTreeSet<&'static str> {
    let root = root();
    let mut used = BTreeSet::new();
    for (_, path) in source::files(&root) {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        let text = fs::read_to_string(&path).unwrap();
        used.extend(rules::used_exceptions(&name, &text));
    }
    used
}

#[test]
fn each_rule_finds_its_example() {
    for rule in RULES {
        let found = findings("core", rule.example_path, rule.example);
        assert!(
            found.iter().any(|finding| finding.rule == rule.name),
            "the rule `{}` does not find its example, but {found:?}",
            rule.name
        );
        let clean = findings("core", rule.example_path, rule.better);
        assert!(clean.is_empty(), "{}: {clean:?}", rule.name);
    }
}
