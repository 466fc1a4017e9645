//! The lists: every puzzle, search and heuristic by name.

use crate::{
    bind::{bind, domain_text, find, position},
    family::Family,
    freecell,
    instance::Puzzle,
    party, qap, samegame,
    spec::{Spec, SpecError},
    tiles,
};
pub use crate::{
    heuristic::GENERAL_HEURISTICS,
    score::GENERAL_PLAYOUTS,
    searches::{GOAL_SEARCHES, SCORE_SEARCHES, searches},
};
use std::fmt::Write as _;
use unriddle_core::{Info, Role};

/// All puzzles.
pub const PUZZLES: &[&Family] = &[
    &tiles::FAMILY,
    &freecell::FAMILY,
    &samegame::FAMILY,
    &party::FAMILY,
    &qap::FAMILY,
];

/// Searches, heuristics and play-outs that a solver spec of a puzzle may name.
#[must_use]
pub fn expressions(family: &Family) -> Vec<&'static Info> {
    family.expressions()
}

/// The puzzles that a program knows: a value that is made once, in `main`, and handed to whatever looks a puzzle up by its name.
#[derive(Clone)]
pub struct Registry {
    families: Vec<&'static Family>,
}

/// Why puzzles do not go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// Two puzzles have the same name.
    #[error("two puzzles are called `{0}`: every puzzle of a registry needs a name of its own")]
    Twice(&'static str),
}

impl Registry {
    /// A registry of these puzzles, in this order.
    ///
    /// # Errors
    /// Two puzzles of one name.
    pub fn new(families: impl IntoIterator<Item = &'static Family>) -> Result<Self, RegistryError> {
        let mut registry = Self {
            families: Vec::new(),
        };
        for family in families {
            if registry.family(family.info.name).is_some() {
                return Err(RegistryError::Twice(family.info.name));
            }
            registry.families.push(family);
        }
        Ok(registry)
    }

    /// Its puzzles in order.
    #[must_use]
    pub fn families(&self) -> &[&'static Family] {
        &self.families
    }

    /// The puzzle of a name.
    #[must_use]
    pub fn family(&self, name: &str) -> Option<&'static Family> {
        let mut families = self.families.iter();
        families.find(|family| family.info.name == name).copied()
    }

    /// Finds a puzzle by its spec and binds its parameters.
    ///
    /// # Errors
    /// Unknown puzzle or parameter: the nearest match and the list.
    pub fn puzzle(&self, spec: &str) -> Result<(&'static Family, Box<dyn Puzzle>), SpecError> {
        let spec = Spec::parse(spec)?;
        let infos: Vec<_> = self.families.iter().map(|family| family.info).collect();
        let at = position(&infos, Role::Puzzle, &spec)?;
        let family = self.families[at];
        let bound = bind(family.info, &spec)?;
        Ok((family, (family.configure)(&bound)))
    }
}

/// The declarations of all puzzles.
#[must_use]
pub fn puzzle_infos() -> Vec<&'static Info> {
    PUZZLES.iter().map(|family| family.info).collect()
}

/// Finds a puzzle by its spec and binds its parameters.
///
/// # Errors
/// Unknown puzzle or parameter: the nearest match and the list.
pub fn puzzle(spec: &str) -> Result<(&'static Family, Box<dyn Puzzle>), SpecError> {
    let spec = Spec::parse(spec)?;
    let info = find(&puzzle_infos(), Role::Puzzle, &spec)?;
    let bound = bind(info, &spec)?;
    let family = PUZZLES.iter().find(|family| family.info.name == info.name);
    // `find` gave the declaration of one of them.
    let family = family.unwrap_or(&PUZZLES[0]);
    Ok((family, (family.configure)(&bound)))
}

/// Everything of a name: a puzzle, a search, a heuristic (of any puzzle), a generator.
#[must_use]
pub fn named(name: &str) -> Vec<(&'static Info, Option<&'static Family>)> {
    let mut found: Vec<(&'static Info, Option<&'static Family>)> = Vec::new();
    let general = searches()
        .chain(GENERAL_HEURISTICS.iter().copied())
        .chain(GENERAL_PLAYOUTS.iter().copied())
        .filter(|i| i.name == name);
    found.extend(general.map(|info| (info, None)));
    for &family in PUZZLES {
        if family.info.name == name {
            found.push((family.info, Some(family)));
        }
        let own = family.own().into_iter().filter(|i| i.name == name);
        found.extend(own.map(|info| (info, Some(family))));
    }
    found
}

/// All names, for completions and nearest matches.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = searches()
        .chain(GENERAL_HEURISTICS.iter().copied())
        .chain(GENERAL_PLAYOUTS.iter().copied())
        .map(|info| info.name)
        .collect();
    for family in PUZZLES {
        names.push(family.info.name);
        names.extend(family.own().into_iter().map(|info| info.name));
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// The text of `describe`: summary, guarantee, parameters, reference.
#[must_use]
pub fn describe(info: &Info, family: Option<&Family>) -> String {
    let mut text = String::new();
    let of = match family {
        Some(family) if family.info.name != info.name => format!(" of {}", family.info.name),
        _ => String::new(),
    };
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "{} ({}{of}): {}",
        info.name,
        info.role.name(),
        info.summary
    );
    let mut line = |label: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(text, "  {label:<11}{value}");
        }
    };
    line("guarantee", info.guarantee);
    line("requires", info.requires);
    line("reference", info.reference);
    if !info.parameters.is_empty() {
        let _ = writeln!(text, "  parameters");
    }
    for parameter in info.parameters {
        let default = parameter
            .default
            .map_or("required".to_owned(), |d| format!("default {d}"));
        let _ = writeln!(
            text,
            "    {:<10} {}; {} ({default})",
            parameter.name,
            parameter.summary,
            domain_text(&parameter.domain)
        );
    }
    if let Some(family) = family.filter(|family| family.info.name == info.name) {
        let declared = family.declared();
        let _ = writeln!(text, "  presets");
        for preset in &declared.presets {
            let _ = writeln!(text, "    {:<10} {}", preset.name, preset.summary);
        }
        let list = |infos: &[&Info]| {
            infos
                .iter()
                .map(|info| info.name)
                .collect::<Vec<_>>()
                .join(", ")
        };
        for (what, infos) in [
            ("searches", &declared.searches),
            ("solvers", &declared.solvers),
            ("heuristics", &declared.heuristics),
            ("play-outs", &declared.playouts),
            ("generators", &family.generators()),
        ] {
            if !infos.is_empty() {
                let _ = writeln!(text, "  {what:<10} {}", list(infos));
            }
        }
    }
    text
}
