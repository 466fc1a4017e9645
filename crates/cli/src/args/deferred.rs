//! Arguments that are declared only when their command is given.

use super::help;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Subcommand, builder::Resettable};

/// Arguments or commands below a command, declared when the command is given: declaring all of them
/// takes longer than everything else that the program does at its start.
#[derive(Debug)]
pub(crate) struct Deferred<T>(pub(crate) T);

/// Declares the arguments of `command`, and adds examples and notes. The command keeps its texts,
/// which the type of the arguments would replace.
fn declared(command: Command, declare: fn(Command) -> Command) -> Command {
    let (short, long) = (command.get_about().cloned(), command.get_long_about().cloned());
    help::add(declare(command).about(Resettable::from(short)).long_about(Resettable::from(long)))
}

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| declared(command, T::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: Subcommand> Subcommand for Deferred<T> {
    fn augment_subcommands(command: Command) -> Command {
        command.defer(|command| declared(command, T::augment_subcommands))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        T::has_subcommand(name)
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
