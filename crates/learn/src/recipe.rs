//! What the recipes of all kinds have in common: a version, a puzzle, a solver with placeholders, amounts with
//! units. Everything that is wrong with a recipe is found here, and all of it is said, with its place.

use crate::template::Template;
use toml::Spanned;
use unriddle_catalog::{
    AnyPuzzle, Family, Registry, Role, Spec, SpecError, bind, units,
    work::{
        WorkError,
        reader::{Amount, Name, Reader, unknown},
    },
};

/// Refuses a text of another version. `old` says how a text of an older version is brought up to date.
///
/// # Errors
/// The place of the version, and which one is expected.
pub(crate) fn check_version(reader: Reader<'_>, ours: u32, old: &str) -> Result<(), WorkError> {
    let found = reader.version()?;
    let version = *found.get_ref();
    let message = match version.cmp(&ours) {
        std::cmp::Ordering::Equal => return Ok(()),
        std::cmp::Ordering::Less => format!("version {version} of recipes {old}"),
        std::cmp::Ordering::Greater => {
            format!("version {version} of recipes is newer than this program's, {ours}")
        }
    };
    Err(reader.error(&found.span(), message))
}

/// A reading that goes on after what is wrong.
pub(crate) struct Reading<'a> {
    pub(crate) reader: Reader<'a>,
    registry: &'a Registry,
    problems: Vec<WorkError>,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(reader: Reader<'a>, registry: &'a Registry) -> Self {
        Self { reader, registry, problems: Vec::new() }
    }

    /// The result, if nothing was wrong.
    ///
    /// # Errors
    /// All that was wrong, in the order of the places.
    pub(crate) fn end<T>(self, result: Option<T>) -> Result<T, WorkError> {
        match (WorkError::all(self.problems), result) {
            (None, Some(result)) => Ok(result),
            (Some(error), _) => Err(error),
            (None, None) => Err(self.reader.error(&(0..0), "this is no recipe")),
        }
    }

    /// Notes what is wrong.
    pub(crate) fn check<T>(&mut self, result: Result<T, WorkError>) -> Option<T> {
        result.map_err(|error| self.problems.push(error)).ok()
    }

    /// Notes what is wrong with a value.
    pub(crate) fn wrong<T>(&mut self, value: &Spanned<T>, message: impl Into<String>) {
        self.problems.push(self.reader.error(&value.span(), message));
    }

    /// How many things were wrong so far.
    pub(crate) fn wrongs(&self) -> usize {
        self.problems.len()
    }

    /// Notes what is wrong with a spec.
    pub(crate) fn spec<T>(&mut self, name: &Name, result: Result<T, SpecError>) -> Option<T> {
        let reader = self.reader;
        self.check(result.map_err(|error| reader.spec_error(name, name.get_ref(), &error)))
    }

    /// The puzzle of a spec.
    pub(crate) fn puzzle(&mut self, name: &Name) -> Option<(&'static Family, Box<dyn AnyPuzzle>)> {
        let found = self.registry.puzzle(name.get_ref());
        self.spec(name, found)
    }

    /// Checks the spec of a generator.
    pub(crate) fn generator(&mut self, family: &Family, name: &Name) -> Option<()> {
        let bound = family.generator(Some(name.get_ref())).map(drop);
        self.spec(name, bound)
    }

    /// A solver's template, whose placeholders are among the known names.
    pub(crate) fn template(&mut self, solver: &Name, known: &[&str]) -> Option<Template> {
        let template = Template::parse(solver.get_ref()).map_err(|byte| {
            let before = &solver.get_ref()[..byte];
            let column = before.chars().count() + 1;
            let message = format!("column {column} of the solver: `{{` without `}}`");
            self.reader.error(&solver.span(), message)
        });
        let template = self.check(template)?;
        for slot in template.slots().filter(|slot| !known.contains(slot)) {
            self.wrong(solver, unknown("placeholder", slot, known));
        }
        Some(template)
    }

    /// A count between 1 and `most`.
    pub(crate) fn count(&mut self, what: &str, value: &Spanned<u64>, most: u64) -> Option<u64> {
        let n = *value.get_ref();
        if !(1..=most).contains(&n) {
            let message = format!("`{what}` is {n}, but must be between 1 and {most}");
            self.wrong(value, message);
            return None;
        }
        Some(n)
    }

    /// A number between two bounds, or a default.
    pub(crate) fn within(
        &mut self,
        what: &str,
        value: Option<&Spanned<f64>>,
        (low, high): (f64, f64),
        default: f64,
    ) -> Option<f64> {
        let Some(value) = value else {
            return Some(default);
        };
        let x = *value.get_ref();
        if !(low..=high).contains(&x) {
            let message = format!("`{what}` is {x}, but must be between {low} and {high}");
            self.wrong(value, message);
            return None;
        }
        Some(x)
    }

    /// A number of states, such as `"800k"`, of at least 1.
    pub(crate) fn states(&mut self, what: &str, value: &Spanned<Amount>) -> Option<u64> {
        match units::count(&value.get_ref().text()) {
            Ok(0) => self.wrong(value, format!("`{what}` is 0, but must be above 0")),
            Ok(states) => return Some(states),
            Err(why) => self.wrong(value, why),
        }
        None
    }
}

/// A solver's spec with all defaults filled in.
///
/// # Errors
/// An unknown name, a value that does not fit.
pub(crate) fn whole(family: &Family, text: &str) -> Result<Spec, SpecError> {
    bind::expand(&family.expressions(), Role::Search, &Spec::parse(text)?)
}
