//! Imports between the modules of a crate.

use crate::source::{Module, closing};
use std::collections::{BTreeMap, BTreeSet};

/// Graph of the modules of a crate. Edges between a module and its descendants are left out.
pub(crate) struct Graph {
    edges: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
}

/// Path of a use: its segments, the last of which is a name, a module or `*`; and the name that it
/// gets.
struct Use {
    path: Vec<String>,
    name: String,
    is_public: bool,
}

impl Graph {
    pub(crate) fn of(modules: &[Module]) -> Self {
        let paths: BTreeSet<&str> = modules.iter().map(|m| m.path.as_str()).collect();
        let uses: BTreeMap<&str, Vec<Use>> =
            modules.iter().map(|m| (m.path.as_str(), uses(m))).collect();
        let mut edges: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
        for module in modules {
            let targets = edges.entry(module.path.clone()).or_default();
            for used in &uses[module.path.as_str()] {
                let Some(target) = defined_in(&paths, &uses, &module.path, &used.path, 0) else {
                    continue;
                };
                if !is_family(&module.path, &target) {
                    let name = used.path.last().cloned().unwrap_or_default();
                    targets.entry(target).or_default().insert(name);
                }
            }
        }
        Self { edges }
    }

    pub(crate) fn modules(&self) -> impl Iterator<Item = &str> {
        self.edges.keys().map(String::as_str)
    }

    /// All edges: from, to, and the names that are used.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (&str, &str, String)> {
        self.edges.iter().flat_map(|(from, targets)| {
            targets.iter().map(move |(to, names)| {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                (from.as_str(), to.as_str(), names.join(", "))
            })
        })
    }

    pub(crate) fn edges_within(&self, circle: &[String]) -> Vec<(&str, &str, String)> {
        let is_inside = |module: &str| circle.iter().any(|inside| inside == module);
        self.edges().filter(|(from, to, _)| is_inside(from) && is_inside(to)).collect()
    }

    /// The strongly connected components of more than one module, sorted.
    pub(crate) fn circles(&self) -> Vec<Vec<String>> {
        let reachable: BTreeMap<&str, BTreeSet<&str>> =
            self.modules().map(|module| (module, self.reachable(module))).collect();
        let mut seen = BTreeSet::new();
        let mut circles = Vec::new();
        for module in self.modules() {
            let circle: Vec<String> = self
                .modules()
                .filter(|other| {
                    reachable[module].contains(other) && reachable[*other].contains(module)
                })
                .map(str::to_owned)
                .collect();
            if circle.len() > 1 && seen.insert(circle.clone()) {
                circles.push(circle);
            }
        }
        circles
    }

    fn reachable(&self, from: &str) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        let mut open = vec![from];
        while let Some(module) = open.pop() {
            for target in self.edges.get(module).into_iter().flat_map(BTreeMap::keys) {
                if found.insert(target.as_str()) {
                    open.push(target);
                }
            }
        }
        found
    }
}

/// Whether one module contains the other, or they are the same.
fn is_family(a: &str, b: &str) -> bool {
    let contains = |outer: &str, inner: &str| {
        outer.is_empty()
            || inner == outer
            || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with("::"))
    };
    contains(a, b) || contains(b, a)
}

/// The module that defines the last segment of a path that is used in `module`; `None` for other
/// crates.
fn defined_in(
    paths: &BTreeSet<&str>,
    uses: &BTreeMap<&str, Vec<Use>>,
    module: &str,
    path: &[String],
    depth: usize,
) -> Option<String> {
    let mut here = module.to_owned();
    let mut rest = path;
    let mut is_ours = false;
    while let [first, after @ ..] = rest {
        match first.as_str() {
            "crate" => here = String::new(),
            "self" => {}
            "super" => {
                here =
                    here.rsplit_once("::").map_or(String::new(), |(parent, _)| parent.to_owned());
            }
            _ => break,
        }
        is_ours = true;
        rest = after;
    }
    while let [first, after @ ..] = rest {
        let inner = if here.is_empty() { first.clone() } else { format!("{here}::{first}") };
        if !paths.contains(inner.as_str()) {
            break;
        }
        is_ours = true;
        here = inner;
        rest = after;
    }
    if !is_ours {
        return None;
    }
    let Some(name) = rest.first().filter(|name| *name != "*") else { return Some(here) };
    // A re-export of that name, or of all of a module that has it.
    if depth < 8
        && let Some(used) =
            uses.get(here.as_str()).into_iter().flatten().find(|u| u.is_public && u.name == *name)
    {
        return defined_in(paths, uses, &here, &used.path, depth + 1);
    }
    Some(here)
}

/// The uses of a module: `use` items, and paths in its code that begin with `crate`, `self` or
/// `super`.
fn uses(module: &Module) -> Vec<Use> {
    let words = &module.words;
    let mut all = Vec::new();
    let mut inline_ends = Vec::new();
    let mut at = 0;
    while at < words.len() {
        inline_ends.retain(|end| *end > at);
        let word = words[at].as_str();
        let is_path = at == 0 || words[at - 1] != "::";
        if word == "use" {
            let end = (at..words.len()).find(|&i| words[i] == ";").unwrap_or(words.len());
            let before = words[at.saturating_sub(5)..at].iter().rev();
            let is_public =
                before.take_while(|w| !matches!(w.as_str(), ";" | "}" | "]")).any(|w| w == "pub");
            let mut found = Vec::new();
            tree(&words[at + 1..end], &[], &mut found);
            all.extend(found.into_iter().map(|(path, name)| Use {
                path: outside(path, inline_ends.len()),
                name,
                is_public,
            }));
            at = end;
        } else if word == "mod" && words.get(at + 2).is_some_and(|w| w == "{") {
            inline_ends.push(closing(words, at + 2));
            at += 3;
        } else if is_path
            && matches!(word, "crate" | "self" | "super")
            && words.get(at + 1).is_some_and(|w| w == "::")
        {
            let mut path = vec![word.to_owned()];
            while words.get(at + 1).is_some_and(|w| w == "::") {
                let Some(next) = words
                    .get(at + 2)
                    .filter(|w| w.chars().all(|c| c.is_alphanumeric() || c == '_'))
                else {
                    break;
                };
                path.push(next.clone());
                at += 2;
            }
            let path = outside(path, inline_ends.len());
            all.push(Use { path, name: String::new(), is_public: false });
            at += 1;
        } else {
            at += 1;
        }
    }
    all
}

/// A path as it is written outside of `depth` modules inside the file.
fn outside(path: Vec<String>, depth: usize) -> Vec<String> {
    let supers = path.iter().take_while(|segment| *segment == "super").count();
    if supers == 0 || depth == 0 {
        return path;
    }
    let inner = supers.min(depth);
    let mut outer = path[inner..].to_vec();
    if supers <= depth {
        outer.insert(0, "self".to_owned());
    }
    outer
}

/// The paths of a use tree, each with the name that it gets.
fn tree(words: &[String], prefix: &[String], found: &mut Vec<(Vec<String>, String)>) {
    let mut path = prefix.to_vec();
    let mut at = 0;
    while at < words.len() {
        match words[at].as_str() {
            "{" => {
                let end = closing(words, at);
                let inner = &words[at + 1..end - 1];
                let mut begin = 0;
                let mut depth = 0;
                for (i, word) in inner.iter().enumerate() {
                    match word.as_str() {
                        "{" => depth += 1,
                        "}" => depth -= 1,
                        "," if depth == 0 => {
                            tree(&inner[begin..i], &path, found);
                            begin = i + 1;
                        }
                        _ => {}
                    }
                }
                tree(&inner[begin..], &path, found);
                return;
            }
            "::" => {}
            "as" => {
                let name = words.get(at + 1).cloned().unwrap_or_default();
                found.push((path, name));
                return;
            }
            word => {
                if word != "self" || path.is_empty() {
                    path.push(word.to_owned());
                }
            }
        }
        at += 1;
    }
    if path.len() > prefix.len() || words.iter().any(|w| w == "self") {
        let name = path.last().cloned().unwrap_or_default();
        found.push((path, name));
    }
}
