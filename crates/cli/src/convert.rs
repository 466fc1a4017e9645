//! `unriddle convert`: instances and solutions in other notations, and their mirror images.

use crate::{
    args::Convert,
    exit::{Failure, INPUT, UNSUPPORTED, USAGE, note},
    generate::written,
    inputs, text,
};
use std::io::{BufWriter, Write as _};
use unriddle_catalog::{Family, Registry, input::Named};

/// The text of a notation among all, or the names of all.
fn pick(
    family: &Family,
    forms: Vec<(&'static str, String)>,
    what: &str,
    to: &str,
) -> Result<String, Failure> {
    let known: Vec<&str> = forms.iter().map(|(name, _)| *name).collect();
    let known = if known.is_empty() {
        "its only notation is the notation of records".to_owned()
    } else {
        format!("known: {}", known.join(", "))
    };
    let found = forms.into_iter().find(|(name, _)| *name == to).map(|(_, text)| text);
    found.ok_or_else(|| {
        let name = family.info.name;
        Failure::new(USAGE, format!("--to: {name} has no notation {what}`{to}` ({known})"))
    })
}

/// The instance, or its mirror image, with its solution if solutions are asked for. `None` for an
/// instance without a solution.
fn converted(family: &Family, named: &Named, options: &Convert) -> Result<Option<String>, Failure> {
    let Named { id, instance, solution } = named;
    let no_image =
        || Failure::new(UNSUPPORTED, format!("{} has no mirror images", family.info.name));
    let image = match options.mirrored {
        true => Some(instance.mirrored().ok_or_else(no_image)?),
        false => None,
    };
    let shown = image.as_deref().unwrap_or(&**instance);
    let to = options.to.as_deref();
    if options.solutions.is_none() {
        let form = |to| pick(family, shown.forms(), "", to);
        return to.map_or_else(|| Ok(shown.text()), form).map(Some);
    }
    let Some(solution) = solution else { return Ok(None) };
    let wrong = |error| Failure::new(INPUT, format!("instance {id}: its solution: {error}"));
    let image = match options.mirrored {
        true => Some(instance.mirrored_solution(solution).map_err(wrong)?.ok_or_else(no_image)?),
        false => None,
    };
    let solution = image.as_ref().unwrap_or(solution);
    let text = match to {
        Some(to) => {
            pick(family, shown.solution_forms(solution).map_err(wrong)?, "of solutions ", to)?
        }
        None => shown.standard_solution(solution).map_err(wrong)?,
    };
    Ok(Some(text))
}

pub(crate) fn run(registry: &Registry, options: &Convert) -> Result<(), Failure> {
    let (family, puzzle) = inputs::puzzle(registry, &options.puzzle)?;
    let named = match &options.solutions {
        Some(path) => inputs::with_solutions(family, &*puzzle, path)?,
        None => inputs::strict(family, &*puzzle, &options.instances)?,
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    let is_one = named.len() == 1;
    let mut without = 0;
    for named in &named {
        match converted(family, named, options)? {
            Some(text) => written(&mut out, family, (!is_one).then_some(&*named.id), &text)
                .map_err(Failure::output)?,
            None => without += 1,
        }
    }
    out.flush().map_err(Failure::output)?;
    if without > 0 {
        note(&format!("left out without a solution: {}", text::count(without, "instances")));
    }
    Ok(())
}
