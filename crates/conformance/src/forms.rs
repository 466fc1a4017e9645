//! Forms in which people write instances: examples, and texts that the puzzle writes itself.

use crate::{Violation, subject::hold};
use unriddle_catalog::{AnyPuzzle, Family, Instance, ParseError, Registry, Rng, input};

/// Checks the forms that a puzzle declares: the example of each form is one instance, also as a
/// file with a byte order mark and with line ends of Windows, and every notation that `convert`
/// writes is a declared form.
///
/// # Errors
/// The first broken promise, with the form.
pub fn examples(family: &'static Family) -> Result<(), Violation> {
    let registry = Registry::new([family])
        .map_err(|error| Violation::new("a registry refuses the puzzle").with("error", error))?;
    for form in family.forms.iter().filter(|form| !form.example.is_empty()) {
        let broken = |what: &str| Violation::new(what).with("form", form.name);
        let spec = if form.puzzle.is_empty() { family.info.name } else { form.puzzle };
        let (_, puzzle) = registry
            .puzzle(spec)
            .map_err(|error| broken("a form names no puzzle").with("error", error))?;
        let mut first: Option<String> = None;
        let unix = form.example.to_owned();
        for file in [unix.replace('\n', "\r\n"), format!("\u{feff}{unix}"), unix] {
            let read = input::load(&*puzzle, &file)
                .map_err(|error| broken("the example of a form is refused").with("error", error))?;
            hold(read.len() == 1, || {
                broken("the example of a form is not one instance").with("instances", read.len())
            })?;
            let instance = &read[0].instance;
            let text = instance.text();
            if let Some(first) = &first {
                hold(*first == text, || {
                    broken("line ends or a mark change the instance").with("instance", &text)
                })?;
            }
            for (name, _) in instance.forms() {
                hold(family.forms.iter().any(|known| known.name == name), || {
                    broken("a notation is no declared form").with("notation", name)
                })?;
            }
            first = Some(text);
        }
    }
    Ok(())
}

/// Checks that the texts of `count` random instances are read back as the same instances, in every
/// notation that the puzzle writes, each as the text of a file.
///
/// # Errors
/// The first text that is another instance, several, or refused.
pub fn read_back(
    family: &Family,
    puzzle: &dyn AnyPuzzle,
    generator: &str,
    count: u64,
) -> Result<(), Violation> {
    let broken = |what: &str| Violation::new(what).with("puzzle", puzzle.spec());
    let generator = family
        .generator(Some(generator))
        .map_err(|error| broken("a generator is refused").with("error", error))?;
    for index in 0..count {
        let text = puzzle
            .generate(&generator, &mut Rng::stream(54, index))
            .map_err(|error| broken("a generator makes nothing").with("error", error))?;
        let read = |file: &str| {
            let loaded = input::load(puzzle, file);
            let named = loaded.map_err(|error| broken("a text is refused").with("error", error))?;
            hold(named.len() == 1, || {
                broken("a text is not one instance").with("instances", named.len())
            })?;
            named
                .into_iter()
                .next()
                .map(|named| named.instance)
                .ok_or_else(|| broken("no instance"))
        };
        let instance = read(&text).map_err(|found| found.with("text", &text))?;
        let own = ("its own text", instance.text());
        for (form, written) in instance.forms().into_iter().chain([own]) {
            let told = |found: Violation| found.with("form", form).with("text", &written);
            let again = read(&written).map_err(told)?;
            hold(again.text() == instance.text(), || {
                let found = broken("a text is read as another instance");
                told(found).with("read", again.text()).with("meant", instance.text())
            })?;
        }
    }
    Ok(())
}

/// Checks that a solution is read back from every notation of solutions that the puzzle writes. A
/// notation with the name of a declared form is the text of a file with the instance and its
/// solution; another is a solution.
///
/// # Errors
/// The first notation that is refused, or read as another instance or solution.
pub fn of_solution(
    family: &Family,
    puzzle: &dyn AnyPuzzle,
    instance: &dyn Instance,
    solution: &str,
) -> Result<(), Violation> {
    let refused = |error: &ParseError| Violation::new("a solution is refused").with("error", error);
    let standard = |text: &str| {
        instance.standard_solution(text).map_err(|error| refused(&error).with("text", text))
    };
    let meant = standard(solution)?;
    for (form, written) in instance.solution_forms(solution).map_err(|error| refused(&error))? {
        let told = |found: Violation| found.with("form", form).with("text", &written);
        let read = if family.forms.iter().any(|known| known.name == form) {
            let loaded = input::load(puzzle, &written).map_err(|error| told(refused(&error)))?;
            let named = loaded.first().filter(|named| named.instance.text() == instance.text());
            let broken =
                || told(Violation::new("an instance with its solution is read as another"));
            let named = named.filter(|_| loaded.len() == 1).ok_or_else(broken)?;
            named.solution.clone().unwrap_or_default()
        } else {
            written.clone()
        };
        let read = standard(&read).map_err(told)?;
        hold(read == meant, || {
            let found = told(Violation::new("a solution is read as another solution"));
            found.with("read", &read).with("meant", &meant)
        })?;
    }
    Ok(())
}
