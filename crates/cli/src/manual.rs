//! Completions for shells, the manual page, the version.

use crate::{
    args,
    exit::{Failure, INPUT},
    output::print,
};
use clap::{Arg, Command, builder::PossibleValuesParser};
use clap_complete::Shell;
use std::{fs, path::Path};
use unriddle_catalog::Registry;

/// The names that the values of an argument may be.
fn names(registry: &Registry, argument: &str) -> Vec<&'static str> {
    let families = registry.families().iter();
    match argument {
        "puzzle" => families.map(|family| family.info.name).collect(),
        "preset" => {
            let presets = families.flat_map(|family| family.declared().presets);
            let mut names: Vec<&str> = presets.map(|preset| preset.name).collect();
            names.sort_unstable();
            names.dedup();
            names
        }
        "name" => registry.names(),
        _ => Vec::new(),
    }
}

/// Adds the names of puzzles, presets and declarations to all arguments that take them. The command
/// is for completions only: its parser refuses puzzles with parameters.
fn with_names(registry: &Registry, command: Command) -> Command {
    let add = |argument: Arg| match names(registry, argument.get_id().as_str()) {
        names if names.is_empty() => argument,
        names => argument.value_parser(PossibleValuesParser::new(names)),
    };
    command.mut_args(add).mut_subcommands(|command| with_names(registry, command))
}

pub(crate) fn completions(registry: &Registry, shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    let mut command = args::command();
    command.build();
    let name = crate::identity().name;
    clap_complete::generate(shell, &mut with_names(registry, command), name, &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Prints the manual page of the program in the format of `man`, or writes a page for each command
/// to a folder.
pub(crate) fn page(folder: Option<&Path>) -> Result<(), Failure> {
    let mut page = Vec::new();
    let mut command = args::command();
    if let Some(folder) = folder {
        let written =
            fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
        return written
            .map_err(|error| Failure::new(INPUT, format!("{}: {error}", folder.display())));
    }
    command.build();
    clap_mangen::Man::new(command).render(&mut page).map_err(Failure::output)?;
    print(&String::from_utf8_lossy(&page))
}

/// Version, revision and features.
pub(crate) fn version() -> Result<(), Failure> {
    let identity = crate::identity();
    print(&format!("{} {}\n", identity.name, identity.description()))
}
