//! Declarations of puzzles, searches and heuristics: names, parameters, guarantees and references.
//! The parser of specs, `describe`, the shell completions and the generated documents read the same
//! declaration, which is written beside the code that it describes.

/// Kind of a declared thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A puzzle.
    Puzzle,
    /// A search.
    Search,
    /// A heuristic.
    Heuristic,
    /// A generator of instances.
    Generator,
    /// A method to play a score puzzle out.
    Playout,
    /// Keys of the report for designers.
    Validation,
}

impl Role {
    /// Word for messages: `puzzle`, `search`, `heuristic`, `generator`, `play-out`, `validation`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Puzzle => "puzzle",
            Self::Search => "search",
            Self::Heuristic => "heuristic",
            Self::Generator => "generator",
            Self::Playout => "play-out",
            Self::Validation => "validation",
        }
    }
}

/// Set of values that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// An integer within bounds (both included); `k`, `M`, `G` suffixes are accepted.
    Integer {
        /// Smallest value.
        min: u64,
        /// Largest value.
        max: u64,
    },
    /// A real number within bounds (both included).
    Real {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// A word of a list.
    Choice(&'static [&'static str]),
    /// Free text (a partition, a file name).
    Text,
    /// A heuristic expression.
    Heuristic,
    /// A search expression.
    Search,
    /// A play-out expression.
    Playout,
}

/// A parameter of a declared thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Name in `name=value`.
    pub name: &'static str,
    /// Its former name, which specs may still use; keys of recorded runs contain it.
    pub former_name: Option<&'static str>,
    /// Short text: at most 60 characters, without a semicolon.
    pub summary: &'static str,
    /// Paragraph with units, effects and conditions; empty where the short text is enough.
    pub details: &'static str,
    /// Accepted values.
    pub domain: Domain,
    /// Default, written as in a spec; `None` if the parameter must be given.
    pub default: Option<&'static str>,
    /// Whether the parameter may also be given without its name, in the order of declaration.
    pub positional: bool,
    /// Whether a positional parameter may be given many times (`max(a, b, c)`).
    pub variadic: bool,
    /// Former words of a choice, each with its present word: specs may still use them, and keys of
    /// recorded runs contain them.
    pub former_words: &'static [(&'static str, &'static str)],
}

impl Parameter {
    /// A parameter given as `name=value`, with a default.
    #[must_use]
    pub const fn named(
        name: &'static str,
        domain: Domain,
        default: &'static str,
        summary: &'static str,
    ) -> Self {
        Self {
            name,
            former_name: None,
            summary,
            details: "",
            domain,
            default: Some(default),
            positional: false,
            variadic: false,
            former_words: &[],
        }
    }

    /// A parameter given by position or name, without a default.
    #[must_use]
    pub const fn required(name: &'static str, domain: Domain, summary: &'static str) -> Self {
        Self { default: None, positional: true, ..Self::named(name, domain, "", summary) }
    }

    /// A parameter given by position or name, with a default.
    #[must_use]
    pub const fn positional(
        name: &'static str,
        domain: Domain,
        default: &'static str,
        summary: &'static str,
    ) -> Self {
        Self { positional: true, ..Self::named(name, domain, default, summary) }
    }

    /// A positional parameter that is given one or more times.
    #[must_use]
    pub const fn variadic(name: &'static str, domain: Domain, summary: &'static str) -> Self {
        Self { variadic: true, ..Self::required(name, domain, summary) }
    }

    /// Whether `name` is the present or the former name.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || self.former_name == Some(name)
    }

    /// Name in keys of recorded runs.
    #[must_use]
    pub fn recorded_name(&self) -> &'static str {
        self.former_name.unwrap_or(self.name)
    }

    /// The present word for a former word of a choice; other words are returned unchanged.
    #[must_use]
    pub fn present_word<'w>(&self, word: &'w str) -> &'w str {
        self.former_words.iter().find(|(old, _)| *old == word).map_or(word, |&(_, new)| new)
    }

    /// The word of a choice in keys of recorded runs.
    #[must_use]
    pub fn recorded_word<'w>(&self, word: &'w str) -> &'w str {
        self.former_words.iter().find(|(_, new)| *new == word).map_or(word, |&(old, _)| old)
    }
}

/// Declaration of a puzzle, a search, a heuristic, a generator or a play-out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Info {
    /// Name in specs and on the command line.
    pub name: &'static str,
    /// Kind of the declared thing.
    pub role: Role,
    /// Version of the declaration, from 1. It is raised whenever a default or the meaning of a
    /// parameter changes, because keys of recorded runs contain the version and the options that
    /// differ from the defaults.
    pub version: u32,
    /// Summary in a single sentence.
    pub summary: &'static str,
    /// Guarantee for readers: when the answer of a search is optimal or complete; whether a
    /// heuristic is admissible or consistent.
    pub guarantee: &'static str,
    /// Requirements on the puzzle for readers: abilities and aims.
    pub requires: &'static str,
    /// Source: paper, section or equation.
    pub reference: &'static str,
    /// Whether the processes of an MPI run can search an instance together
    /// ([`Ranks`](crate::ranks::Ranks)).
    pub ranks: bool,
    /// Whether a search begins with a solution that is known already.
    pub known: bool,
    /// Whether a search keeps its finished pieces in a [journal](crate::journal).
    pub journal: bool,
    /// Parameters.
    pub parameters: &'static [Parameter],
}

impl Info {
    /// A declaration of version 1 without parameters. Constants add the other fields:
    ///
    /// ```
    /// use unriddle_core::{Info, Role};
    ///
    /// const GAP: Info = Info {
    ///     guarantee: "consistent",
    ///     ..Info::new(Role::Heuristic, "gap", "neighbours that do not follow each other in size")
    /// };
    /// assert_eq!((GAP.name, GAP.version), ("gap", 1));
    /// ```
    #[must_use]
    pub const fn new(role: Role, name: &'static str, summary: &'static str) -> Self {
        Self {
            name,
            role,
            version: 1,
            summary,
            guarantee: "",
            requires: "",
            reference: "",
            ranks: false,
            known: false,
            journal: false,
            parameters: &[],
        }
    }
}
