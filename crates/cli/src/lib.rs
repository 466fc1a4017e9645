//! The command line of `unriddle`: arguments in, text or JSON out. This crate knows no puzzle: a
//! program passes its puzzles to [`main`].
//!
//! ```no_run
//! use unriddle_catalog::Registry;
//!
//! fn main() -> std::process::ExitCode {
//!     // The families of the puzzles.
//!     let registry = Registry::new([]);
//!     unriddle_cli::main(registry.expect("every puzzle has a name of its own"))
//! }
//! ```
//!
//! Data is written to standard output, everything else to standard error. Every non-zero exit also
//! writes a line that begins with `unriddle: ` to standard error. The module `exit` has the codes.

#![forbid(unsafe_code)]

mod analyse;
mod args;
mod batch;
mod check;
mod convert;
mod exit;
mod generate;
mod improve;
mod inputs;
mod lab;
mod learn;
mod list;
mod output;
mod play;
mod progress;
mod resume;
mod show;
mod signal;
mod solve;
mod summary;
mod tables;
mod text;
mod usage;
mod validate;

use exit::Failure;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};
use unriddle_catalog::Registry;

/// Revision of the program's source, for the files that the program writes.
const REVISION: &str = match env!("UNRIDDLE_DIRTY").as_bytes() {
    b"yes" => concat!(env!("UNRIDDLE_REVISION"), " and changes"),
    _ => env!("UNRIDDLE_REVISION"),
};

/// Executes the command that the program's arguments name, with the puzzles of `registry`.
#[must_use]
pub fn main(mut registry: Registry) -> ExitCode {
    if let Some(folder) = models_folder() {
        registry = registry.with_models(folder);
    }
    let done = match args::parse() {
        Ok(arguments) => run(&registry, arguments.verb),
        Err(error) => usage::answer(&error),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            ExitCode::from(failure.code)
        }
    }
}

/// The folder `models` beside the program, or else in the working folder. It is leaked, because the
/// registry needs it until the program ends.
fn models_folder() -> Option<&'static Path> {
    let beside = std::env::current_exe().ok()?.parent()?.join("models");
    let folder = if beside.is_dir() { beside } else { PathBuf::from("models") };
    Some(Box::leak(folder.into_boxed_path()))
}

fn run(registry: &Registry, verb: args::Verb) -> Result<(), Failure> {
    use args::Verb;
    match verb {
        Verb::Solve(options) => solve::run(registry, &options.0),
        Verb::Improve(options) => improve::run(registry, &options.0),
        Verb::Check(options) => check::run(registry, &options.0),
        Verb::Generate(options) => generate::run(registry, &options.0),
        Verb::Convert(options) => convert::run(registry, &options.0),
        Verb::Analyse(options) => analyse::run(registry, &options.0),
        Verb::Show(options) => show::run(registry, &options.0),
        Verb::Play(options) => play::run(registry, &options.0),
        Verb::Tables(options) => tables::run(registry, &options.0),
        Verb::List(options) => list::list(registry, options.0.kind),
        Verb::Describe(options) => list::describe(registry, &options.0.name),
        Verb::Evolve(options) => learn::evolve_weights(registry, &options.0),
        Verb::Tune(options) => learn::tune_parameters(registry, &options.0),
        Verb::Train(options) => learn::train_network(registry, &options.0),
        Verb::Validate(options) => validate::run(registry, &options.0),
        Verb::Lab(options) => lab::run(registry, &options.0),
        Verb::Completions(options) => list::completions(options.0.shell),
    }
}
