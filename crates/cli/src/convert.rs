//! `unriddle convert`: instances in other notations, and their mirror images.

use crate::{
    args::Convert,
    exit::{Failure, UNSUPPORTED, USAGE},
    generate::written,
    inputs,
};
use std::io::{BufWriter, Write as _};
use unriddle_catalog::{Family, Instance, Registry, input::Named};

/// An instance in a notation.
fn text(family: &Family, instance: &dyn Instance, to: Option<&str>) -> Result<String, Failure> {
    let Some(to) = to else {
        return Ok(instance.text());
    };
    let forms = instance.forms();
    forms.iter().find(|(name, _)| *name == to).map(|(_, text)| text.clone()).ok_or_else(|| {
        let name = family.info.name;
        let known: Vec<&str> = forms.iter().map(|(name, _)| *name).collect();
        let known = if known.is_empty() {
            "its only notation is the notation of records".to_owned()
        } else {
            format!("known: {}", known.join(", "))
        };
        Failure::new(USAGE, format!("--to: {name} has no notation `{to}` ({known})"))
    })
}

pub(crate) fn run(registry: &Registry, options: &Convert) -> Result<(), Failure> {
    let (family, puzzle) = inputs::puzzle(registry, &options.puzzle)?;
    let named = inputs::strict(family, &*puzzle, &options.instances)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let is_one = named.len() == 1;
    for Named { id, instance, .. } in &named {
        let mirrored = if options.mirrored {
            Some(instance.mirrored().ok_or_else(|| {
                Failure::new(UNSUPPORTED, format!("{} has no mirror images", family.info.name))
            })?)
        } else {
            None
        };
        let text = text(family, mirrored.as_deref().unwrap_or(&**instance), options.to.as_deref())?;
        written(&mut out, family, (!is_one).then_some(&**id), &text).map_err(Failure::output)?;
    }
    out.flush().map_err(Failure::output)
}
