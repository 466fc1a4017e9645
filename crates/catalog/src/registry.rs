//! The lists: every puzzle, search and heuristic by name.

use crate::{
    bind::{bind, domain_text, find, position},
    freecell,
    instance::{Aim, Family, Puzzle},
    party, qap, samegame,
    spec::{Spec, SpecError},
    tiles,
};
use std::fmt::Write as _;
use unriddle_core::{Domain, Info, Parameter, Role};
use unriddle_search::{
    astar, beam, bfs, bwas, dbs, deepening, greedy, idastar, idtt, layers, lns, nmcs, nrpa, spmcts,
    staged,
};

/// All puzzles.
pub const PUZZLES: &[&Family] = &[
    &tiles::FAMILY,
    &freecell::FAMILY,
    &samegame::FAMILY,
    &party::FAMILY,
    &qap::FAMILY,
];

/// Searches of goal puzzles.
pub const GOAL_SEARCHES: &[&Info] = &[
    &idastar::INFO,
    &idtt::INFO,
    &deepening::INFO,
    &astar::INFO,
    &greedy::INFO,
    &bwas::INFO,
    &beam::INFO,
    &staged::INFO,
    &bfs::INFO,
];

/// Searches of score puzzles alone.
pub const SCORE_SEARCHES: &[&Info] = &[
    &spmcts::INFO,
    &nrpa::INFO,
    &nmcs::INFO,
    &dbs::INFO,
    &layers::INFO,
    &lns::INFO,
];

/// Searches of goal puzzles that also run on score puzzles, as a loss against an upper bound.
const REGRET_SEARCHES: &[&Info] = &[&astar::INFO, &idastar::INFO];

/// All searches.
pub fn searches() -> impl Iterator<Item = &'static Info> {
    GOAL_SEARCHES.iter().chain(SCORE_SEARCHES).copied()
}

/// Heuristics of every goal puzzle.
pub const GENERAL_HEURISTICS: &[&Info] = &[&BLIND, &MAX];

const BLIND: Info = Info {
    name: "blind",
    role: Role::Heuristic,
    version: 1,
    summary: "no knowledge: 0 everywhere",
    guarantee: "consistent",
    requires: "any goal puzzle",
    reference: "",
    parameters: &[],
};

const MAX: Info = Info {
    name: "max",
    role: Role::Heuristic,
    version: 1,
    summary: "the largest of several heuristics, each computed from scratch",
    guarantee: "as the weakest of its parts",
    requires: "any goal puzzle",
    reference: "",
    parameters: &[Parameter::variadic("h", Domain::Heuristic, "the parts")],
};

/// Play-outs of every score puzzle.
pub const GENERAL_PLAYOUTS: &[&Info] = &[&RANDOM, &GREEDY];

const RANDOM: Info = Info {
    name: "random",
    role: Role::Playout,
    version: 1,
    summary: "every legal action with the same probability",
    guarantee: "",
    requires: "any score puzzle",
    reference: "",
    parameters: &[],
};

const GREEDY: Info = Info {
    name: "greedy",
    role: Role::Playout,
    version: 1,
    summary: "the action of the highest reward",
    guarantee: "",
    requires: "any score puzzle",
    reference: "",
    parameters: &[Parameter::named(
        "epsilon",
        Domain::Real { min: 0.0, max: 1.0 },
        "0",
        "probability of any legal action instead",
    )],
};

/// Searches, heuristics and play-outs that a solver spec of a puzzle may name.
#[must_use]
pub fn expressions(family: &Family) -> Vec<&'static Info> {
    let general: [&[&Info]; 3] = match family.aim {
        Aim::Cost => [GOAL_SEARCHES, GENERAL_HEURISTICS, &[]],
        Aim::Score => [SCORE_SEARCHES, REGRET_SEARCHES, GENERAL_PLAYOUTS],
        Aim::Assignment => [&[]; 3],
    };
    let own = [
        family.searches,
        family.specialists,
        family.heuristics,
        family.playouts,
    ];
    [general.concat(), own.concat()].concat()
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
        let own = family
            .specialists
            .iter()
            .chain(family.heuristics)
            .chain(family.playouts)
            .chain(family.generators)
            .filter(|i| i.name == name);
        found.extend(own.map(|&info| (info, Some(family))));
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
        names.extend(
            family
                .specialists
                .iter()
                .chain(family.heuristics)
                .chain(family.playouts)
                .chain(family.generators)
                .map(|info| info.name),
        );
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
        let _ = writeln!(text, "  presets");
        for preset in family.presets {
            let _ = writeln!(text, "    {:<10} {}", preset.name, preset.summary);
        }
        let list = |infos: &[&Info]| {
            infos
                .iter()
                .map(|info| info.name)
                .collect::<Vec<_>>()
                .join(", ")
        };
        if !family.searches.is_empty() {
            let _ = writeln!(text, "  searches   {}", list(family.searches));
        }
        if !family.specialists.is_empty() {
            let _ = writeln!(text, "  solvers    {}", list(family.specialists));
        }
        let _ = writeln!(text, "  heuristics {}", list(family.heuristics));
        if !family.playouts.is_empty() {
            let _ = writeln!(text, "  play-outs  {}", list(family.playouts));
        }
        let _ = writeln!(text, "  generators {}", list(family.generators));
    }
    text
}
