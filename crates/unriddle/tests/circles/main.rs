//! No circle of modules inside a crate: a module that uses another one is not used by it, directly
//! or through others. Parents and their descendants may know each other.
//!
//! Imports are read as text: `use` trees and paths that begin with `crate`, `self` or `super`, each
//! resolved to the module that defines the name, through re-exports. Tests, benches and examples
//! are not read. `CIRCLES_LIST=1 cargo test -p unriddle --test circles -- --nocapture` prints the
//! imports of each circle.

mod graph;
mod source;

use graph::Graph;
use std::{env, fmt::Write, path::Path};

/// Modules that may know each other, with the reason: the crate, the modules, why they are one
/// idea.
const ALLOWED: &[(&str, &[&str], &str)] = &[(
    "catalog",
    &["work::reading", "work::table"],
    "a reading opens the root table of its file, and a table reports errors through its reading",
)];

/// Floors inside a crate, from the lowest: a module only knows its own floor and those below.
const FLOORS: &[(&str, &[&str])] = &[("catalog", &["interface", "declare", "solve", "present"])];

#[test]
fn modules_of_a_crate_form_no_circle() {
    let mut report = String::new();
    let mut crates = 0;
    for (name, folder) in source::crates(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")) {
        crates += 1;
        let graph = Graph::of(&source::modules(&folder));
        for circle in graph.circles() {
            let is_allowed = |(known, modules, _): &(&str, &[&str], &str)| {
                *known == name && circle.iter().all(|module| modules.contains(&module.as_str()))
            };
            if ALLOWED.iter().any(is_allowed) {
                continue;
            }
            writeln!(report, "{name}: {} modules: {}", circle.len(), circle.join(", ")).unwrap();
            if env::var_os("CIRCLES_LIST").is_some() {
                for (from, to, names) in graph.edges_within(&circle) {
                    writeln!(report, "    {from} -> {to}: {names}").unwrap();
                }
            }
        }
    }
    assert!(crates > 20, "only {crates} crates read");
    assert!(report.is_empty(), "circles of modules:\n{report}");
}

#[test]
fn floors_only_know_those_below() {
    for (name, floors) in FLOORS {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let (_, folder) = source::crates(&root).into_iter().find(|(n, _)| n == name).unwrap();
        let graph = Graph::of(&source::modules(&folder));
        let floor = |module: &str| {
            let first = module.split("::").next().unwrap_or_default();
            floors.iter().position(|floor| *floor == first)
        };
        for floor in *floors {
            assert!(graph.modules().any(|m| m.starts_with(floor)), "{name} has no module {floor}");
        }
        for (from, to, names) in graph.edges() {
            if let (Some(below), Some(above)) = (floor(from), floor(to)) {
                assert!(above <= below, "{name}: {from} must not know {to} ({names})");
            }
        }
    }
}

#[test]
fn circles_are_found() {
    let module = |path: &str, text: &str| source::Module::new(path, text);
    let modules = [
        module("", "mod a; mod b; mod c; pub use b::Low;"),
        module("a", "use crate::c::Top; pub struct Mid;"),
        module("b", "pub struct Low;"),
        module("c", "use crate::{Low, a::Mid as Middle}; pub struct Top;"),
        module("c::d", "use super::Top; use crate::b::Low;"),
    ];
    let graph = Graph::of(&modules);
    assert_eq!(graph.circles(), [["a".to_owned(), "c".to_owned()]]);
    // The re-export at the root is resolved to the module that defines the name.
    assert!(graph.edges().any(|(from, to, names)| (from, to, names.as_str()) == ("c", "b", "Low")));
}
