//! `unriddle generate`.

use crate::{args::Generate, exit::Failure, inputs};
use std::io::{BufWriter, Write};
use unriddle_catalog::{Family, Registry, Rng, SpecError};

pub(crate) fn run(registry: &Registry, options: &Generate) -> Result<(), Failure> {
    let (family, puzzle) = inputs::puzzle(registry, &options.puzzle)?;
    let refused = |error: SpecError| Failure::spec("generator", &error);
    let bound = family.generator(options.generator.as_deref()).map_err(refused)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for index in 0..options.count {
        let instance =
            puzzle.generate(&bound, &mut Rng::stream(options.seed, index)).map_err(refused)?;
        written(&mut out, family, Some(&(index + 1).to_string()), &instance)
            .map_err(Failure::output)?;
    }
    out.flush().map_err(Failure::output)
}

/// Writes an instance in the format of instance files, with the name `id` if there is one.
pub(crate) fn written(
    out: &mut dyn Write,
    family: &Family,
    id: Option<&str>,
    instance: &str,
) -> std::io::Result<()> {
    let instance = instance.trim_end();
    match (id, instance.contains('\n')) {
        // Instances that are documents of their own are concatenated.
        _ if !family.inline => writeln!(out, "{instance}"),
        (None, _) => writeln!(out, "{instance}"),
        // Blank lines separate instances of several lines.
        (Some(id), true) => writeln!(out, "# {id}\n{instance}\n"),
        (Some(id), false) => writeln!(out, "{id}: {instance}"),
    }
}
