//! The lists: every puzzle, search and heuristic by name.

use super::family::Family;
pub use crate::solve::{
    heuristic::GENERAL_HEURISTICS,
    score::GENERAL_PLAYOUTS,
    searches::{GOAL_SEARCHES, SCORE_SEARCHES, searches},
};
use crate::{
    bind::{Bound, bind, position},
    interface::{files::Files, findings::VALIDATE, instance::AnyPuzzle, values::Networks},
    spec::{Spec, SpecError},
};
use std::{fmt, path::Path};
use unriddle_check::CheckError;
use unriddle_core::{Info, Role};

/// Searches, heuristics and play-outs that a solver spec of a puzzle may name.
#[must_use]
pub fn expressions(family: &Family) -> Vec<&'static Info> {
    family.expressions()
}

/// The puzzles that a program knows: a value that is made once, in `main`, and handed to whatever
/// looks a puzzle up by its name.
#[derive(Clone)]
pub struct Registry {
    families: Vec<&'static Family>,
    /// Checkers that were registered for puzzles, by the puzzles' names.
    rules: Vec<(&'static str, Rules)>,
    /// Folder of further networks.
    models: Option<&'static Path>,
    /// Identity of the program's build.
    build: Option<String>,
    /// Name of the program.
    program: &'static str,
    /// Access to files that parameters of puzzles name.
    files: Files,
}

/// A checker that comes with a puzzle: of the puzzle's spec, an instance and a solution it gives
/// the value and the number of actions, or the first thing that is wrong.
pub type Rules = fn(&str, &str, &str) -> Result<(i64, u64), String>;

/// Checker that replays the solutions of a puzzle. Its text is the field `checked_by` of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checker {
    /// The independent checker, `unriddle-check`.
    Independent,
    /// A checker that came with the puzzle of this name ([`Registry::with_rules`]).
    Given(&'static str),
    /// The puzzle itself ([`Instance::replay`](crate::Instance::replay)).
    Own,
}

impl fmt::Display for Checker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Independent => f.write_str("check"),
            Self::Given(name) => write!(f, "rules of {name}"),
            Self::Own => f.write_str("own rules"),
        }
    }
}

/// Why puzzles, or a checker and puzzles, do not go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// Two puzzles have the same name.
    #[error("two puzzles are called `{0}`: every puzzle of a registry needs a name of its own")]
    Twice(&'static str),
    /// Rules are given for a puzzle that is not there.
    #[error("there are rules for `{0}`, but no puzzle of this name")]
    NoPuzzle(String),
    /// Rules are given for a puzzle that has a checker.
    #[error("there are rules for `{0}` already")]
    Checked(&'static str),
}

/// Objection of a checker to a solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Objection {
    /// The text is no solution of any kind.
    #[error("{0}")]
    Unreadable(String),
    /// The solution is wrong, or its puzzle or instance cannot be read.
    #[error("{0}")]
    Wrong(String),
}

impl From<String> for Objection {
    fn from(why: String) -> Self {
        Self::Wrong(why)
    }
}

impl Registry {
    /// A registry of these puzzles, in this order.
    ///
    /// # Errors
    /// Two puzzles of one name.
    pub fn new(families: impl IntoIterator<Item = &'static Family>) -> Result<Self, RegistryError> {
        let mut registry = Self {
            families: Vec::new(),
            rules: Vec::new(),
            models: None,
            build: None,
            program: "unriddle",
            files: Files::NONE,
        };
        for family in families {
            if registry.family(family.info.name).is_some() {
                return Err(RegistryError::Twice(family.info.name));
            }
            registry.families.push(family);
        }
        Ok(registry)
    }

    /// The same with a checker for one of its puzzles. Without one the independent checker replays
    /// solutions of the puzzles that it knows, and every other puzzle replays its own.
    ///
    /// # Errors
    /// No puzzle of this name, or a puzzle that has a checker already.
    pub fn with_rules(mut self, name: &str, rules: Rules) -> Result<Self, RegistryError> {
        let Some(family) = self.family(name) else {
            return Err(RegistryError::NoPuzzle(name.to_owned()));
        };
        let name = family.info.name;
        if self.checker(name) != Ok(Checker::Own) {
            return Err(RegistryError::Checked(name));
        }
        self.rules.push((name, rules));
        Ok(self)
    }

    /// The same with the name of the program, for commands in documents that it writes.
    #[must_use]
    pub fn with_program(self, program: &'static str) -> Self {
        Self { program, ..self }
    }

    /// The name of the program; `unriddle` unless another one was given.
    #[must_use]
    pub fn program(&self) -> &'static str {
        self.program
    }

    /// The same with access to the files that parameters of puzzles name. A new registry has none.
    #[must_use]
    pub fn with_files(self, files: Files) -> Self {
        Self { files, ..self }
    }

    /// Access to the files that parameters of puzzles name.
    #[must_use]
    pub fn files(&self) -> Files {
        self.files
    }

    /// The same with an identity of the program's build. Stored results of another build are not
    /// taken for results of this one.
    #[must_use]
    pub fn with_build(self, build: String) -> Self {
        Self { build: Some(build), ..self }
    }

    /// The identity of the program's build; `None` where versions of declarations show changes.
    #[must_use]
    pub fn build(&self) -> Option<&str> {
        self.build.as_deref()
    }

    /// The same with a folder of further networks, in which `NAME.safetensors` is the network
    /// `NAME`.
    #[must_use]
    pub fn with_models(self, folder: &'static Path) -> Self {
        Self { models: Some(folder), ..self }
    }

    /// The computation of networks on the CPU, with this registry's folder of further networks.
    #[must_use]
    pub fn networks(&self) -> Networks {
        Networks { folder: self.models, ..Networks::default() }
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
    /// Unknown puzzle or parameter: the nearest match and the list; a file that a parameter names
    /// and that is wrong.
    pub fn puzzle(&self, spec: &str) -> Result<(&'static Family, Box<dyn AnyPuzzle>), SpecError> {
        let (family, bound) = self.bound(spec)?;
        Ok((family, (family.configure)(&bound, self.files)?))
    }

    /// Normal form of a puzzle's spec: without the parameters that are at their defaults. Unlike
    /// [`AnyPuzzle::spec`] it keeps parameters that the text of every instance contains, so that a
    /// puzzle made of it reads and generates the same instances.
    ///
    /// # Errors
    /// Unknown puzzle or parameter: the nearest match and the list.
    pub fn normal_spec(&self, spec: &str) -> Result<String, SpecError> {
        Ok(self.bound(spec)?.1.shortened().to_string())
    }

    /// The family of a spec and its bound parameters.
    fn bound(&self, spec: &str) -> Result<(&'static Family, Bound<'static>), SpecError> {
        let spec = Spec::parse(spec)?;
        let infos: Vec<_> = self.families.iter().map(|family| family.info).collect();
        let family = self.families[position(&infos, Role::Puzzle, &spec)?];
        Ok((family, bind(family.info, &spec)?))
    }

    /// Checker of the solutions of the puzzle of a spec: the independent checker where it has
    /// rules for this very puzzle, else the checker that came with the puzzle, else the puzzle
    /// itself.
    ///
    /// # Errors
    /// A puzzle that neither this registry nor the independent checker knows, with the list of
    /// those here.
    pub fn checker(&self, puzzle: &str) -> Result<Checker, String> {
        // The replay reports parameters that do not fit.
        let name = puzzle.split('(').next().unwrap_or_default().trim();
        let family = self.family(name);
        // A name of this registry means its own puzzle, and any other name the known one.
        if family.map_or_else(|| unriddle_check::is_known(puzzle), |f| f.has_independent_rules) {
            return Ok(Checker::Independent);
        }
        let Some(family) = family else {
            let known: Vec<&str> = self.families.iter().map(|f| f.info.name).collect();
            let name: String = name.chars().take(40).collect();
            return Err(format!(
                "the puzzle `{}`, which this program does not know (known: {})",
                name.escape_debug(),
                known.join(", ")
            ));
        };
        let name = family.info.name;
        let given = self.rules.iter().any(|(of, _)| *of == name);
        Ok(if given { Checker::Given(name) } else { Checker::Own })
    }

    /// Lets the puzzle's [`checker`](Self::checker) replay a solution: its value and number of
    /// actions.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn verify(
        &self,
        puzzle: &str,
        instance: &str,
        solution: &str,
    ) -> Result<(i64, u64), Objection> {
        match self.checker(puzzle)? {
            Checker::Independent => match unriddle_check::verify(puzzle, instance, solution) {
                Ok(verdict) => Ok((verdict.value, verdict.length)),
                Err(error @ CheckError::Solution(_)) => {
                    Err(Objection::Unreadable(error.to_string()))
                }
                Err(error) => Err(Objection::Wrong(error.to_string())),
            },
            Checker::Given(name) => {
                let mut rules = self.rules.iter();
                match rules.find(|(of, _)| *of == name) {
                    Some((_, rules)) => Ok(rules(puzzle, instance, solution)?),
                    None => Err(Objection::Wrong(format!("there are no rules for `{name}`"))),
                }
            }
            Checker::Own => {
                let (_, puzzle) = self.puzzle(puzzle).map_err(|error| error.to_string())?;
                let instance = puzzle.load(instance).map_err(|e| format!("instance: {e}"))?;
                Ok(instance.replay(solution)?)
            }
        }
    }

    /// Everything that has a name, with the puzzle that it is of.
    fn declared(&self) -> impl Iterator<Item = (&'static Info, Option<&'static Family>)> {
        let general = searches()
            .chain(GENERAL_HEURISTICS.iter().copied())
            .chain(GENERAL_PLAYOUTS.iter().copied())
            .chain([&VALIDATE])
            .map(|info| (info, None));
        let own = self.families.iter().flat_map(|&family| {
            let all = std::iter::once(family.info).chain(family.own()).chain(family.validation);
            all.map(move |info| (info, Some(family)))
        });
        general.chain(own)
    }

    /// Everything of a name: a puzzle, a search, a heuristic (of any puzzle), a generator.
    #[must_use]
    pub fn named(&self, name: &str) -> Vec<(&'static Info, Option<&'static Family>)> {
        self.declared().filter(|(info, _)| info.name == name).collect()
    }

    /// Names of the solvers by which several ranks can search an instance together.
    #[must_use]
    pub fn on_ranks(&self) -> Vec<&'static str> {
        self.declared().filter(|(info, _)| info.ranks).map(|(info, _)| info.name).collect()
    }

    /// Names of the solvers that keep a journal.
    #[must_use]
    pub fn with_journal(&self) -> Vec<&'static str> {
        self.declared().filter(|(info, _)| info.journal).map(|(info, _)| info.name).collect()
    }

    /// All names, for completions and nearest matches.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> = self.declared().map(|(info, _)| info.name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.families.iter().map(|family| family.info.name);
        f.debug_list().entries(names).finish()
    }
}
