//! The `unriddle` command: arguments in, text or JSON out.
//!
//! Data goes to standard output, everything else to standard error. Every non-zero exit also writes one
//! line that begins with `unriddle: ` to standard error; the codes are in [`exit`].

mod args;
mod batch;
mod check;
mod evolve;
mod exit;
mod generate;
mod inputs;
mod lab;
mod list;
mod output;
mod play;
mod progress;
mod show;
mod signal;
mod solve;
mod summary;
mod tables;
mod text;
mod train;
mod tune;
mod usage;
mod validate;

use clap::Parser as _;
use exit::Failure;
use std::process::ExitCode;

/// The revision that the program is built from, for what it writes.
const REVISION: &str = match env!("UNRIDDLE_DIRTY").as_bytes() {
    b"yes" => concat!(env!("UNRIDDLE_REVISION"), " and changes"),
    _ => env!("UNRIDDLE_REVISION"),
};

fn main() -> ExitCode {
    let done = match args::Arguments::try_parse() {
        Ok(arguments) => run(arguments.verb),
        Err(error) => usage::answer(&error),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.tell();
            ExitCode::from(failure.code)
        }
    }
}

fn run(verb: args::Verb) -> Result<(), Failure> {
    use args::Verb;
    match verb {
        Verb::Solve(options) => solve::run(&options),
        Verb::Check(options) => check::run(&options),
        Verb::Generate(options) => generate::run(&options),
        Verb::Show(options) => show::run(&options),
        Verb::Play(options) => play::run(&options),
        Verb::Tables(options) => tables::run(&options),
        Verb::List(options) => list::list(&options),
        Verb::Describe(options) => list::describe(&options),
        Verb::Evolve(options) => evolve::run(&options),
        Verb::Tune(options) => tune::run(&options),
        Verb::Train(options) => train::run(&options),
        Verb::Validate(options) => validate::run(&options),
        Verb::Lab(options) => lab::run(&options),
        Verb::Completions(options) => list::completions(&options),
    }
}
