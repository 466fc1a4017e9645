//! The parts of the help that clap does not derive: groups of commands, examples and notes.

use clap::Command;
use std::fmt::Write as _;

/// Help of a command beside its arguments.
pub(super) struct CommandHelp {
    pub(super) name: &'static str,
    /// Heading of the command in the list of commands.
    pub(super) group: &'static str,
    pub(super) examples: [&'static str; 3],
    /// Paragraphs that `--help` appends and `-h` omits.
    notes: &'static str,
}

const SOLVE: &str = "Solve";
const DESIGN: &str = "Design";
const LEARN: &str = "Learn";
const RESEARCH: &str = "Research";

/// Headings in the order in which the list of commands has them.
pub(super) const GROUPS: [&str; 4] = [SOLVE, DESIGN, LEARN, RESEARCH];

/// Examples of the whole program.
pub(super) const EXAMPLES: [&str; 3] = [
    "unriddle solve PUZZLE INSTANCE",
    "unriddle validate PUZZLE --file levels.txt --format html --output report.html",
    "unriddle describe PUZZLE",
];

/// Declares commands: heading, name, examples and notes.
macro_rules! commands {
    ($($group:ident $name:literal: $($example:literal),*; $($notes:literal)?)*) => {
        &[$(CommandHelp {
            group: $group,
            name: $name,
            examples: [$($example),*],
            notes: concat!($($notes)?),
        }),*]
    };
}

/// Help of every command, in the order of the list of commands.
pub(super) const COMMANDS: &[CommandHelp] = commands! {
    SOLVE "solve":
        "unriddle solve PUZZLE INSTANCE",
        "unriddle solve PUZZLE --deals 1..100 --time 30s --format jsonl --output deals.jsonl",
        "unriddle solve PUZZLE --file instances.txt --solver 'astar(HEURISTIC)'";
"\
Exit codes:
   0  every instance has a checked solution or, in a batch, a proof that it has none
  10  proved unsolvable (a single instance)
  11  nothing left to try, no proof
  20  stopped by time; 21 by memory; 22 by expanded or generated states; 23 by Ctrl-C
   2  wrong usage; 30 internal error; 31 bad input; 32 combination not supported
A batch ends with the highest code of its instances without an answer."
    SOLVE "check":
        "unriddle check PUZZLE INSTANCE SOLUTION",
        "unriddle check --file results.jsonl",
        "unriddle solve PUZZLE instances.json --certify --format jsonl | unriddle check --file -";
    SOLVE "improve":
        "unriddle improve PUZZLE results.jsonl --max-expansions 200k --format jsonl",
        "unriddle improve PUZZLE solutions.txt --time 1m",
        "unriddle improve PUZZLE results.jsonl --solver 'lns(nrpa)' --time 1m";
"\
Every result is at least as good as the given solution, however short the time is.
Instances without a solution are solved first.
The default solver solves parts of a path again (`windows`), or for puzzles with a score plays the
end of the solution again (`lns`)."
    DESIGN "validate":
        "unriddle validate PUZZLE --file levels.txt --format html --output report.html",
        "unriddle validate PUZZLE --file levels.txt --set states=1M --max-expansions 10M",
        "unriddle validate PUZZLE instances.csv --set KEY=VALUE";
"\
Without an instance, the puzzle's generator makes one from the seed.
Without a limit, the reference solver has three seconds per instance.
Exit codes: 0 all solvable, 10 some proved unsolvable, 11 some unknown.
All other codes are listed by `unriddle solve --help`."
    DESIGN "review":
        "unriddle review PUZZLE INSTANCE LINE",
        "unriddle review PUZZLE --file played.jsonl --format html --output review.html",
        "unriddle review PUZZLE --file levels.sok --preset optimal --time 10s";
"\
The remaining cost is a number where it is proved, and a range where only bounds are known.
Exit codes: 0 no position is lost, 10 an action lost, 11 some positions are unknown."
    DESIGN "generate":
        "unriddle generate PUZZLE GENERATOR -n 1000 --seed 7",
        "unriddle generate PUZZLE -n 20 > instances.txt",
        "unriddle generate PUZZLE | unriddle solve PUZZLE --file - --time 60s";
    DESIGN "show":
        "unriddle show PUZZLE INSTANCE",
        "unriddle show PUZZLE INSTANCE --solution RD --at 1",
        "unriddle show PUZZLE --deals 617..617 --format svg";
    DESIGN "play":
        "unriddle play PUZZLE INSTANCE",
        "unriddle play PUZZLE --deals 1..100 --id 17",
        "unriddle play PUZZLE --file levels.txt --id 1 --watch";
    DESIGN "convert":
        "unriddle convert PUZZLE --deals 617..617",
        "unriddle convert PUZZLE --file levels.txt --to FORM",
        "unriddle convert PUZZLE --file instances.txt --mirrored";
    DESIGN "analyse":
        "unriddle analyse solved.jsonl",
        "unriddle analyse solved.jsonl mirrored.jsonl --format json",
        "unriddle analyse solved.jsonl mirrored.jsonl --figure 1 --output pair.svg";
"\
Pairs of mirror images are found in the given files:
  unriddle convert PUZZLE --file all.txt --mirrored > mirrored.txt
  unriddle solve PUZZLE --file all.txt --format jsonl > solved.jsonl
  unriddle solve PUZZLE --file mirrored.txt --format jsonl > mirrored.jsonl"
    DESIGN "serve":
        "unriddle serve --open",
        "unriddle serve --port 0 --results solved.db",
        "unriddle serve --lab results.db --runs runs";
"\
A job of the page that nobody watches for half a minute is cancelled.
A second Ctrl-C ends the program at once."
    LEARN "train":
        "unriddle train PUZZLE --recipe recipe.toml --run runs/first",
        "unriddle train PUZZLE --recipe recipe.toml --run runs/first --time 10m",
        "unriddle solve PUZZLE --file instances.txt --solver 'bwas(net(runs/first/model.safetensors))'";
"\
The run's folder holds the network so far (model.safetensors) and log.csv.
After an interruption, the same command resumes from the last checkpoint.
Training needs a program that is built with `cargo build --release --features train`."
    LEARN "tune":
        "unriddle tune PUZZLE --recipe recipe.toml --run runs/first",
        "unriddle tune PUZZLE --recipe recipe.toml --run runs/first --scale tenth",
        "unriddle solve PUZZLE --file instances.txt --solver runs/first/preset.toml";
"\
From the first iteration on, the run's folder holds preset.toml, the best solver so far.
After an interruption, the same command resumes from the last game."
    LEARN "evolve":
        "unriddle evolve PUZZLE --recipe recipe.toml --run runs/first",
        "unriddle evolve PUZZLE --recipe recipe.toml --run runs/first --time 2h",
        "unriddle solve PUZZLE --deals 1..100 --solver runs/first/solver.toml";
"\
At the end, the run's folder holds solver.toml (the best solver) and weights.toml.
After an interruption, the same command resumes from the last trial."
    RESEARCH "estimate":
        "unriddle estimate PUZZLE INSTANCE --heuristic HEURISTIC",
        "unriddle estimate PUZZLE INSTANCE --heuristic HEURISTIC --calibrate 1000 --format csv",
        "unriddle estimate PUZZLE INSTANCE --heuristic 'net(FILE)' --heuristic HEURISTIC";
"\
Goals are left out, since searches know that their distance is 0.
A number of states is drawn, and the largest overestimate among them is subtracted from every
estimate: the report has the number of all states that are still overestimated."
    RESEARCH "lab":
        "unriddle lab run experiments/ann-distance-pdb.toml --quick",
        "unriddle lab report experiments/ann-distance-pdb.toml --output docs/results",
        "unriddle lab show ann-distance-pdb --failed";
    RESEARCH "tables":
        "unriddle tables build PUZZLE HEURISTIC",
        "unriddle tables info",
        "unriddle tables clean --cache tables";
    RESEARCH "list":
        "unriddle list",
        "unriddle list puzzles",
        "unriddle list heuristics";
    RESEARCH "describe":
        "unriddle describe PUZZLE",
        "unriddle describe idastar",
        "unriddle describe pdb";
    RESEARCH "completions":
        "unriddle completions bash > ~/.local/share/bash-completion/completions/unriddle",
        "unriddle completions zsh > ~/.zfunc/_unriddle",
        "unriddle completions fish > ~/.config/fish/completions/unriddle.fish";
    RESEARCH "manual":
        "unriddle manual > unriddle.1",
        "unriddle manual | man -l -",
        "unriddle manual > ~/.local/share/man/man1/unriddle.1";
    RESEARCH "version":
        "unriddle version",
        "unriddle version | cat",
        "unriddle version > version.txt";
};

/// The examples of a command under their heading.
fn examples(command: &Command, lines: &[&str]) -> String {
    let style = command.get_styles().get_header();
    let lines = lines.join("\n  ").replace("unriddle", crate::identity().name);
    format!("{style}Examples:{style:#}\n  {lines}")
}

/// Adds its examples and notes to a command.
pub(super) fn add(command: Command) -> Command {
    let Some(help) = COMMANDS.iter().find(|help| help.name == command.get_name()) else {
        return command;
    };
    let short = examples(&command, &help.examples);
    let gap = if help.notes.is_empty() { "" } else { "\n\n" };
    command.after_help(&short).after_long_help(format!("{short}{gap}{}", help.notes))
}

/// Groups the list of commands.
pub(super) fn complete(program: Command) -> Command {
    let style = program.get_styles().get_header().to_owned();
    let mut list = String::new();
    // Writing to a string does not fail.
    for group in GROUPS {
        let _ = writeln!(list, "{style}{group}:{style:#}");
        for help in COMMANDS.iter().filter(|help| help.group == group) {
            let about = program.find_subcommand(help.name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(list, "  {:<12} {about}", help.name);
        }
        list.push('\n');
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{style}Options:{style:#}\n\
         {{options}}{{after-help}}"
    );
    let end = format!(
        "{}\n\n`unriddle COMMAND -h` shows the options of a command, `--help` explains them.",
        examples(&program, &EXAMPLES)
    );
    program.help_template(template).after_help(end)
}
