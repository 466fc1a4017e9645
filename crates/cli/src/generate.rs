//! `unriddle generate`.

use crate::{args::Generate, exit::Failure, inputs};
use std::io::{BufWriter, Write as _};
use unriddle_catalog::{Registry, Rng, SpecError};

pub(crate) fn run(registry: &Registry, options: &Generate) -> Result<(), Failure> {
    let (family, puzzle) = inputs::puzzle(registry, &options.puzzle)?;
    let refused = |error: SpecError| Failure::spec("generator", &error);
    let bound = family.generator(options.generator.as_deref());
    let bound = bound.map_err(refused)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for index in 0..options.count {
        let instance = puzzle
            .generate(&bound, &mut Rng::stream(options.seed, index))
            .map_err(refused)?;
        let number = index + 1;
        match instance.contains('\n') {
            // Documents follow each other as they are.
            _ if !family.inline => writeln!(out, "{}", instance.trim_end()),
            // Instances of several lines stand apart by blank lines.
            true => writeln!(out, "# {number}\n{instance}\n"),
            false => writeln!(out, "{number}: {instance}"),
        }
        .map_err(|error| Failure::output(&error))?;
    }
    out.flush().map_err(|error| Failure::output(&error))
}
