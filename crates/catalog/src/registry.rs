//! The lists: every puzzle, search and heuristic by name.

use crate::{
    bind::{bind, domain_text, position},
    family::Family,
    instance::AnyPuzzle,
    net,
    spec::{Spec, SpecError},
    validate::VALIDATE,
};
pub use crate::{
    heuristic::GENERAL_HEURISTICS,
    score::GENERAL_PLAYOUTS,
    searches::{GOAL_SEARCHES, SCORE_SEARCHES, searches},
};
use std::fmt::{self, Write as _};
use unriddle_core::{Info, Parameter, Role};

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
    /// Checkers that came with puzzles, by their names.
    rules: Vec<(&'static str, Rules)>,
}

/// A checker that comes with a puzzle: of the puzzle's spec, an instance and a solution it gives
/// the value and the number of actions, or the first thing that is wrong.
pub type Rules = fn(&str, &str, &str) -> Result<(i64, u64), String>;

/// Who replays the solutions of a puzzle. Its text is what records say in `checked_by`.
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

impl Registry {
    /// A registry of these puzzles, in this order.
    ///
    /// # Errors
    /// Two puzzles of one name.
    pub fn new(families: impl IntoIterator<Item = &'static Family>) -> Result<Self, RegistryError> {
        let mut registry = Self { families: Vec::new(), rules: Vec::new() };
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
    /// No puzzle of this name, or one that has a checker.
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
    pub fn puzzle(&self, spec: &str) -> Result<(&'static Family, Box<dyn AnyPuzzle>), SpecError> {
        let spec = Spec::parse(spec)?;
        let infos: Vec<_> = self.families.iter().map(|family| family.info).collect();
        let at = position(&infos, Role::Puzzle, &spec)?;
        let family = self.families[at];
        let bound = bind(family.info, &spec)?;
        Ok((family, (family.configure)(&bound)))
    }

    /// Who replays the solutions of the puzzle of a spec: the independent checker where it has
    /// rules, else the checker that came with the puzzle, else the puzzle itself.
    ///
    /// # Errors
    /// A puzzle that neither this registry nor the independent checker knows, with the list of those here.
    pub fn checker(&self, puzzle: &str) -> Result<Checker, String> {
        if unriddle_check::is_known(puzzle) {
            return Ok(Checker::Independent);
        }
        // Parameters that do not fit are for the replay to tell.
        let name = puzzle.split('(').next().unwrap_or_default().trim();
        let Some(family) = self.family(name) else {
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

    /// Lets the puzzle's [`checker`](Self::checker) replay a solution: its value and number of actions.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn verify(
        &self,
        puzzle: &str,
        instance: &str,
        solution: &str,
    ) -> Result<(i64, u64), String> {
        match self.checker(puzzle)? {
            Checker::Independent => unriddle_check::verify(puzzle, instance, solution)
                .map(|verdict| (verdict.value, verdict.length))
                .map_err(|error| error.to_string()),
            Checker::Given(name) => {
                let mut rules = self.rules.iter();
                match rules.find(|(of, _)| *of == name) {
                    Some((_, rules)) => rules(puzzle, instance, solution),
                    None => Err(format!("there are no rules for `{name}`")),
                }
            }
            Checker::Own => {
                let (_, puzzle) = self.puzzle(puzzle).map_err(|error| error.to_string())?;
                let instance = puzzle.load(instance).map_err(|e| format!("instance: {e}"))?;
                instance.replay(solution)
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

/// The paragraph of a parameter, with the former names of the parameter and of its values.
fn explanation(parameter: &Parameter) -> String {
    let mut sentences = Vec::new();
    if !parameter.details.is_empty() {
        sentences.push(parameter.details.trim().to_owned());
    }
    if let Some(name) = parameter.former_name {
        sentences.push(format!("Formerly `{name}`."));
    }
    for (former, word) in parameter.former_words {
        sentences.push(format!("`{word}` was formerly `{former}`."));
    }
    sentences.join(" ")
}

/// Breaks a text into lines of at most 85 characters.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut().filter(|line| line.len() + 1 + word.len() <= 85) {
            Some(line) => *line = format!("{line} {word}"),
            None => lines.push(word.to_owned()),
        }
    }
    lines
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
    let _ = writeln!(text, "{} ({}{of}): {}", info.name, info.role.name(), info.summary);
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
        let default = parameter.default.map_or("required".to_owned(), |d| format!("default {d}"));
        let _ = writeln!(
            text,
            "    {:<10} {}; {} ({default})",
            parameter.name,
            parameter.summary,
            domain_text(&parameter.domain)
        );
        for line in wrapped(&explanation(parameter)) {
            let _ = writeln!(text, "{:15}{line}", "");
        }
    }
    if let Some(family) = family.filter(|family| family.info.name == info.name) {
        if !family.forms.is_empty() {
            let _ = writeln!(text, "  instances");
        }
        for form in family.forms {
            let _ = writeln!(text, "    {form}");
        }
        let declared = family.declared();
        let _ = writeln!(text, "  presets");
        for preset in &declared.presets {
            let _ = writeln!(text, "    {:<10} {}", preset.name, preset.summary);
        }
        let list =
            |infos: &[&Info]| infos.iter().map(|info| info.name).collect::<Vec<_>>().join(", ");
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
    if let Some(family) = family.filter(|family| family.info.name == info.name) {
        let keys = [Some(&VALIDATE), family.validation, Some(family.info)];
        let keys = keys.into_iter().flatten().flat_map(|info| info.parameters);
        let keys: Vec<_> = keys.map(|parameter| parameter.name).collect();
        let _ = writeln!(text, "  keys of validate: {}", keys.join(", "));
    }
    let networks = family.map(Family::networks).unwrap_or_default();
    if !networks.is_empty()
        && [family.map_or("", |family| family.info.name), net::NAME].contains(&info.name)
    {
        let _ = writeln!(text, "  networks   {networks}");
    }
    text
}
