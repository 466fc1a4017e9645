//! Result of a failed check.

use std::{error::Error, fmt};

/// A promise that is broken, and where: the instance, and the state or the edge at which it shows.
///
/// The [`Debug`] form is the text itself, so that `unwrap` and tests that return a `Result` show it
/// in readable form.
///
/// ```
/// use unriddle_conformance::Violation;
///
/// let found = Violation::new("a state is listed twice").with("state", "3 1 2");
/// assert_eq!(found.to_string(), "a state is listed twice\n  state: 3 1 2");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Violation {
    what: String,
    facts: Vec<(&'static str, String)>,
}

impl Violation {
    /// A broken promise, in words.
    #[must_use]
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), facts: Vec::new() }
    }

    /// Adds a fact about the violation.
    #[must_use]
    pub fn with(mut self, name: &'static str, fact: impl fmt::Display) -> Self {
        self.facts.push((name, fact.to_string()));
        self
    }

    /// Adds a fact in the form of [`Debug`](fmt::Debug).
    pub(crate) fn with_debug(self, name: &'static str, fact: impl fmt::Debug) -> Self {
        self.with(name, format!("{fact:?}"))
    }

    /// The broken promise, in words.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }

    /// A fact of that name, such as `instance`, `state`, `action`, `child`, `cost`.
    #[must_use]
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.facts.iter().find(|(known, _)| *known == name).map(|(_, fact)| fact.as_str())
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        for (name, fact) in &self.facts {
            // Texts of several lines begin on a line of their own.
            if fact.contains('\n') {
                write!(f, "\n  {name}:\n{}", fact.trim_end())?;
            } else {
                write!(f, "\n  {name}: {fact}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for Violation {}
