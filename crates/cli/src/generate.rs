//! `unriddle generate`.

use crate::{args::Generate, exit::Failure};
use std::io::{BufWriter, Write as _};
use unriddle_catalog::{
    Rng, Role, Spec,
    bind::{bind, find},
    registry,
};

pub(crate) fn run(options: &Generate) -> Result<(), Failure> {
    let (family, puzzle) = registry::puzzle(&options.puzzle)?;
    let spec = match &options.generator {
        Some(text) => Spec::parse(text)?,
        None => Spec::parse(family.generators[0].name)?,
    };
    let bound = bind(find(family.generators, Role::Generator, &spec)?, &spec)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for index in 0..options.count {
        let instance = puzzle.generate(&bound, &mut Rng::stream(options.seed, index))?;
        writeln!(out, "{}: {instance}", index + 1).map_err(|error| Failure::output(&error))?;
    }
    out.flush().map_err(|error| Failure::output(&error))
}
