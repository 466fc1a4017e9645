//! The rules of help texts, checked for every command and argument.

use super::{
    command,
    help::{COMMANDS, EXAMPLES, GROUPS},
};
use clap::Command;

/// Greatest length of a short text.
const SHORT: usize = 60;
/// First words of a short text that are neither noun nor verb.
const NEITHER_NOUN_NOR_VERB: [&str; 13] = [
    "a", "an", "the", "what", "how", "which", "where", "one", "of", "only", "whether", "that",
    "those",
];

/// The declaration of all arguments, including arguments of commands.
fn built() -> Command {
    let mut command = command().disable_help_subcommand(true).disable_help_flag(true);
    command.build();
    command
}

/// Calls `visit` with each command below `command` and its full name.
fn each_command(command: &Command, name: &str, visit: &mut dyn FnMut(&Command, &str)) {
    for below in command.get_subcommands() {
        let name = format!("{name} {}", below.get_name());
        visit(below, &name);
        each_command(below, &name, visit);
    }
}

fn check_short_text(owner: &str, text: &str) {
    let first = text.split(' ').next().unwrap_or_default().to_lowercase();
    assert!(!text.is_empty(), "{owner}: no short text");
    assert!(text.chars().count() <= SHORT, "{owner}: longer than {SHORT} characters: {text}");
    assert!(!text.contains(';'), "{owner}: a semicolon: {text}");
    assert!(
        !NEITHER_NOUN_NOR_VERB.contains(&&*first),
        "{owner}: begins with neither a noun nor a verb: {text}"
    );
}

#[test]
fn every_text_is_short_and_every_option_has_a_heading() {
    let mut arguments = 0;
    each_command(&built(), "unriddle", &mut |command, name| {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        check_short_text(name, &about);
        for argument in command.get_arguments().filter(|argument| argument.get_id() != "help") {
            arguments += 1;
            let owner = format!("{name}: {}", argument.get_id());
            let text = argument.get_help().map(ToString::to_string).unwrap_or_default();
            check_short_text(&owner, &text);
            let has_heading = argument.is_positional() || argument.get_help_heading().is_some();
            assert!(has_heading, "{owner}: no heading");
        }
    });
    assert!(arguments > 100, "{arguments}");
}

#[test]
fn every_command_has_a_group() {
    let command = command();
    let declared: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    let described: Vec<&str> = COMMANDS.iter().map(|help| help.name).collect();
    assert_eq!(declared, described);
    assert!(COMMANDS.iter().all(|help| GROUPS.contains(&help.group)));
}

/// Splits a command line into words as a shell does, up to a pipe or redirection.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(std::mem::take(&mut word)),
            '|' | '>' if !quoted => return words,
            _ => word.push(c),
        }
    }
    words.push(word);
    words
}

#[test]
fn examples_are_valid_command_lines() {
    for line in COMMANDS.iter().flat_map(|help| help.examples).chain(EXAMPLES) {
        let parsed = command().try_get_matches_from(words(line));
        assert!(parsed.is_ok(), "{line}: {parsed:?}");
    }
}

#[test]
fn help_shows_groups_and_examples() {
    let program = command().render_help().to_string();
    for text in GROUPS.iter().chain(&EXAMPLES) {
        assert!(program.contains(text), "{text}: {program}");
    }
    let mut command = built();
    let solve = command.find_subcommand_mut("solve").expect("a command");
    let (short, long) = (solve.render_help().to_string(), solve.render_long_help().to_string());
    for text in ["Instances:", "Solver:", "Limits:", "Tables:", "Output:", "Examples:"] {
        assert!(short.contains(text) && long.contains(text), "{text}: {short}\n{long}");
    }
    assert!(!short.contains("Exit codes:") && long.contains("Exit codes:"), "{short}\n{long}");
}
