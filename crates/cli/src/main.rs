//! The `unriddle` command: arguments in, text or JSON out.
//!
//! Data goes to standard output, everything else to standard error. Every non-zero exit also writes one
//! line to standard error; the codes are in [`exit`].

mod args;
mod check;
mod exit;
mod generate;
mod inputs;
mod list;
mod output;
mod play;
mod progress;
mod show;
mod solve;
mod tables;
mod units;

use clap::Parser as _;
use exit::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = args::Arguments::parse();
    match run(arguments.verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !failure.message.is_empty() {
                eprintln!("unriddle: {}", failure.message);
            }
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
        Verb::Completions(options) => list::completions(&options),
    }
}
