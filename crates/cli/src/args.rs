//! The arguments of the program. The first paragraph of a doc comment is the text of `-h`, and
//! `--help` shows all paragraphs.

mod deferred;
mod help;
pub(crate) mod shared;
#[cfg(test)]
mod tests;

use clap::{
    Args, Command, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum,
};
use deferred::Deferred;
use shared::{CacheFolder, CacheOptions, Device, Instances, Learn, Limits, Solver, threads};
use std::{net::IpAddr, path::PathBuf, sync::OnceLock, time::Duration};
use unriddle_catalog::{units, work::Shard};

/// Solves single-player puzzles fast, with proofs where possible.
#[derive(Debug, Parser)]
#[command(max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// The declaration of all arguments, with grouped commands and examples.
pub(crate) fn command() -> Command {
    let identity = crate::identity();
    // The declaration holds a reference to the text.
    static LONG: OnceLock<String> = OnceLock::new();
    let long = LONG.get_or_init(|| identity.description());
    let command = Arguments::command().name(identity.name);
    let command = command.version(identity.version).long_version(long.as_str());
    help::complete(command)
}

/// Parses the arguments of the process.
///
/// # Errors
/// The arguments are invalid, or request help or the version.
pub(crate) fn parse() -> Result<Arguments, clap::Error> {
    let mut command = command();
    let matches = command.try_get_matches_from_mut(std::env::args_os())?;
    Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Command of the program.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Solve instances of a puzzle
    Solve(Deferred<Solve>),
    /// Replay solutions and compare the claims of records
    ///
    /// The independent checker replays solutions of the puzzles whose rules it has, and every other
    /// puzzle replays its own. `right` is about the solution and its value. A claim of optimality,
    /// unsolvability or a bound is verified only if the record has a certificate; other claims are
    /// compared with the other records of the same instance.
    Check(Deferred<Check>),
    /// Improve known solutions
    Improve(Deferred<Improve>),
    /// Report whether instances are solvable, and how well
    ///
    /// For a designer of puzzles, the report shows whether an instance is solvable or why not, the
    /// cheapest known solution with proved bounds, and the price of each requirement.
    Validate(Deferred<Validate>),
    /// Find the losing action of a line, and the loss by each one
    ///
    /// The solver solves each position of the line. A position is solvable, lost by a proof, or
    /// unknown within the limits. The line is a solution, or the beginning of one.
    Review(Deferred<Review>),
    /// Generate random instances
    ///
    /// Instances are written to standard output, in the format that `--file` of other commands
    /// reads. Add `> FILE` to store them.
    Generate(Deferred<Generate>),
    /// Draw instances
    Show(Deferred<Show>),
    /// Play by hand in the terminal, or play a solution back
    Play(Deferred<Play>),
    /// Convert instances to another notation or mirror image
    Convert(Deferred<Convert>),
    /// Count patterns of actions in solutions
    ///
    /// Solutions of mirror images are compared, if both are among the records.
    Analyse(Deferred<Analyse>),
    /// Open a page to set up, solve, play and review puzzles
    ///
    /// The page is served to browsers on this computer, until Ctrl-C. The command prints its
    /// address.
    Serve(Deferred<Serve>),
    /// Train a network that estimates the cost-to-go
    Train(Deferred<Train>),
    /// Tune the numbers in a solver's spec (cross-entropy method)
    ///
    /// Samples of the numbers are played on the same boards, and the next samples are drawn near
    /// the best ones. `unriddle evolve` sets the weights of a heuristic instead.
    Tune(Deferred<Tune>),
    /// Evolve the weights inside a heuristic (genetic algorithm)
    ///
    /// Weights are bred and compared with a baseline by the states that a search generates. This
    /// is for puzzles with a goal. `unriddle tune` sets other numbers of a solver.
    Evolve(Deferred<Learn>),
    /// Compare estimates of heuristics with exact distances
    ///
    /// All states that can be reached from the instance are enumerated, and the distance of each to
    /// the goal is computed. The report has the share of overestimated states, errors by distance,
    /// and the same with an offset that is subtracted from every estimate.
    Estimate(Deferred<Estimate>),
    /// Run experiments, store their results, write reports
    #[command(subcommand)]
    Lab(Deferred<crate::lab::args::LabVerb>),
    /// Build, list and remove pattern databases
    #[command(subcommand)]
    Tables(Deferred<TablesVerb>),
    /// List puzzles, searches, heuristics, generators, presets
    List(Deferred<List>),
    /// Describe a puzzle, search, heuristic or generator
    Describe(Deferred<Describe>),
    /// Print a completion script for a shell
    Completions(Deferred<Completions>),
    /// Print the manual page, or write the pages of all commands
    Manual(Deferred<Manual>),
    /// Print the version and the revision
    Version(Deferred<NoArguments>),
}

impl Verb {
    /// Whether several ranks run the command.
    pub(crate) fn goes_on_ranks(&self) -> bool {
        matches!(
            self,
            Self::Solve(_) | Self::Validate(_) | Self::Evolve(_) | Self::Tune(_) | Self::Train(_)
        )
    }
}

/// Command without arguments.
#[derive(Debug, Args)]
pub(crate) struct NoArguments {}

/// Arguments of `list`.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Kind: puzzles, searches, heuristics, generators
    #[arg(value_enum, value_name = "KIND", hide_possible_values = true)]
    pub(crate) kind: Option<Kind>,
}

/// Arguments of `describe`.
#[derive(Debug, Args)]
pub(crate) struct Describe {
    /// Name of a puzzle, search, heuristic or generator
    pub(crate) name: String,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// Shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Arguments of `manual`.
#[derive(Debug, Args)]
pub(crate) struct Manual {
    /// Folder to write the pages of all commands to
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) folder: Option<PathBuf>,
}

/// Arguments of `validate`.
#[derive(Debug, Args)]
pub(crate) struct Validate {
    /// Puzzle, such as tiles or 'tiles(goal=blank-first)'
    #[arg(value_name = "PUZZLE")]
    pub(crate) puzzle: String,
    #[command(flatten)]
    pub(crate) instances: Instances,
    /// Key of the report, such as states=1M, repeatable
    ///
    /// `unriddle describe PUZZLE` lists the keys of this option.
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value, help_heading = "Output")]
    pub(crate) set: Vec<(String, String)>,
    /// The reference solver, which applies its limits to each instance [default: --time 3s].
    #[command(flatten)]
    pub(crate) solver: Solver,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Instances validated in parallel [default: number of cores]
    #[arg(long, value_name = "J", value_parser = threads(), help_heading = "Limits")]
    pub(crate) jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) cache: CacheOptions,
    /// File of the report [default: standard output]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Form: text, json (array), jsonl (one per line), html (page)
    #[arg(long, default_value = "text", hide_possible_values = true, help_heading = "Output")]
    pub(crate) format: ReportFormat,
}

/// Arguments of `review`.
#[derive(Debug, Args)]
pub(crate) struct Review {
    /// Puzzle, such as tiles
    pub(crate) puzzle: String,
    /// Instance
    #[arg(required_unless_present = "file", requires = "line")]
    pub(crate) instance: Option<String>,
    /// Played actions, in the notation of solutions
    pub(crate) line: Option<String>,
    /// Records, or instances with solutions, repeatable
    ///
    /// `solve` writes records in JSON, JSON lines or CSV. Instances without a solution are left
    /// out.
    #[arg(long, value_name = "FILE", conflicts_with = "instance", help_heading = "Instances")]
    pub(crate) file: Vec<PathBuf>,
    /// The solver, which applies its limits to each position [default: --time 2s].
    #[command(flatten)]
    pub(crate) solver: Solver,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Positions solved in parallel [default: number of cores]
    #[arg(long, value_name = "J", value_parser = threads(), help_heading = "Limits")]
    pub(crate) jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) cache: CacheOptions,
    /// File of the review [default: standard output]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Form: text, json (array), jsonl (one per line), html (page)
    #[arg(long, default_value = "text", hide_possible_values = true, help_heading = "Output")]
    pub(crate) format: ReportFormat,
}

/// Arguments of `estimate`.
#[derive(Debug, Args)]
pub(crate) struct Estimate {
    /// Puzzle, such as tiles or 'cube(size=2)'
    pub(crate) puzzle: String,
    /// Instance
    pub(crate) instance: String,
    /// Heuristic, such as 'net(FILE)', repeatable
    #[arg(long, value_name = "SPEC", required = true, help_heading = "Heuristics")]
    pub(crate) heuristic: Vec<String>,
    /// Calibrate an offset on this number of states, repeatable
    ///
    /// States are drawn at random, with repetition. The offset is their largest overestimate.
    #[arg(long, value_name = "COUNT", value_parser = drawn, help_heading = "Heuristics")]
    pub(crate) calibrate: Vec<u64>,
    /// Seed of the drawn states
    #[arg(long, value_name = "SEED", default_value_t = 0, help_heading = "Heuristics")]
    pub(crate) seed: u64,
    /// Refuse instances with more states
    ///
    /// Memory is some 150 bytes for a state and 30 for each of its actions.
    #[arg(
        long,
        value_name = "COUNT",
        default_value = "5M",
        value_parser = units::count,
        help_heading = "Limits"
    )]
    pub(crate) states: u64,
    #[command(flatten)]
    pub(crate) cache: CacheOptions,
    /// File of the report [default: standard output]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Form: text, json, csv (a line for each offset)
    #[arg(long, default_value = "text", hide_possible_values = true, help_heading = "Output")]
    pub(crate) format: Counts,
}

/// Parses a number of drawn states.
fn drawn(text: &str) -> Result<u64, String> {
    match units::count(text)? {
        0 => Err("at least one state must be drawn".to_owned()),
        count => Ok(count),
    }
}

/// Arguments of `serve`.
#[derive(Debug, Args)]
#[cfg_attr(not(feature = "studio"), allow(dead_code))]
pub(crate) struct Serve {
    /// Port of the page (0 = any free port)
    #[arg(long, value_name = "N", default_value_t = 7878, help_heading = "Page")]
    pub(crate) port: u16,
    /// Address of a network [default: this computer only]
    ///
    /// Everybody who reaches the address can use the page, so that it should only be given in a
    /// network of people who may do so.
    #[arg(long, value_name = "ADDRESS", help_heading = "Page")]
    pub(crate) address: Option<IpAddr>,
    /// Open the page in the browser
    #[arg(long, help_heading = "Page")]
    pub(crate) open: bool,
    /// Database of finished solves [default: memory]
    ///
    /// The file is created if it does not exist. `unriddle lab` also reads it, as the experiment
    /// `studio`.
    #[arg(long, value_name = "FILE", help_heading = "Page")]
    pub(crate) results: Option<PathBuf>,
    /// Database of experiments to show, repeatable
    #[arg(long, value_name = "FILE", help_heading = "Page")]
    pub(crate) lab: Vec<PathBuf>,
    /// Folder of runs of learning to show, repeatable
    ///
    /// The folder is a run of `train`, `tune` or `evolve`, or a folder of such runs.
    #[arg(long, value_name = "FOLDER", help_heading = "Page")]
    pub(crate) runs: Vec<PathBuf>,
    /// Jobs solved in parallel [default: number of cores]
    #[arg(long, value_name = "J", value_parser = threads(), help_heading = "Limits")]
    pub(crate) jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) cache: CacheOptions,
}

/// Splits a setting at its first equals sign into key and value.
fn key_and_value(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE, such as states=1M")?;
    match (key.trim(), value.trim()) {
        ("", _) => Err("the key before `=` is missing".to_owned()),
        (key, "") => Err(format!("the value of `{key}` is missing")),
        (key, value) => Ok((key.to_owned(), value.to_owned())),
    }
}

/// Format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Text for people.
    Text,
    /// A JSON array.
    Json,
    /// JSON lines: an object per line.
    Jsonl,
    /// HTML page.
    Html,
}

/// Arguments of `tune`.
#[derive(Debug, Args)]
pub(crate) struct Tune {
    #[command(flatten)]
    pub(crate) learn: Learn,
    /// Scale of the recipe: its section [scale.NAME]
    ///
    /// A scale replaces numbers of samples, boards or nodes by smaller ones.
    #[arg(long, value_name = "NAME", help_heading = "Recipe and run")]
    pub(crate) scale: Option<String>,
}

/// Arguments of `train`.
#[derive(Debug, Args)]
#[cfg_attr(not(feature = "train"), allow(dead_code))]
pub(crate) struct Train {
    #[command(flatten)]
    pub(crate) learn: Learn,
    /// Device that trains the network
    ///
    /// `cuda` needs a program that is built with `--features cuda`, and an NVIDIA GPU.
    #[arg(long, value_enum, default_value_t, help_heading = "Device")]
    pub(crate) device: Device,
    /// Device that evaluates the target network [default: --device]
    ///
    /// Sources of training data search with the target network.
    #[arg(long, value_enum, help_heading = "Device")]
    pub(crate) solve_device: Option<Device>,
    #[command(flatten)]
    pub(crate) cache: CacheOptions,
}

/// Format of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people.
    Text,
    /// A JSON array.
    Json,
    /// JSON lines: an object per line.
    Jsonl,
    /// Comma-separated values with a header line.
    Csv,
}

/// Arguments of `solve`.
#[derive(Debug, Args)]
pub(crate) struct Solve {
    /// Puzzle, such as tiles or 'tiles(goal=blank-first)'
    #[arg(value_name = "PUZZLE")]
    pub(crate) puzzle: String,
    #[command(flatten)]
    pub(crate) instances: Instances,
    #[command(flatten)]
    pub(crate) batch: Batch,
    /// Search each instance on all ranks of an MPI run together
    ///
    /// Without it each rank solves other instances. `idastar`, and `beam` with `ties=state`, run on
    /// several ranks together; results are the same for any number of ranks, also for one.
    #[arg(long, help_heading = "Limits")]
    pub(crate) together: bool,
}

/// Arguments for solving a batch of instances and writing its results.
#[derive(Debug, Args)]
pub(crate) struct Batch {
    #[command(flatten)]
    pub(crate) solver: Solver,
    /// Device that evaluates networks
    ///
    /// `cuda` needs a program that is built with `--features cuda`, and an NVIDIA GPU.
    #[arg(long, value_enum, default_value_t, help_heading = "Solver")]
    pub(crate) device: Device,
    /// Evaluate the network for parallel instances together
    ///
    /// Instances that are solved in parallel (`--jobs`) then wait for each other and share their
    /// evaluations, which suits a GPU. The CPU time of each instance becomes approximate.
    #[arg(long, help_heading = "Solver")]
    pub(crate) lockstep: bool,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Stop the whole batch after this wall time, tables included
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = "Limits")]
    pub(crate) batch_time: Option<Duration>,
    /// Instances solved in parallel [default: cores / threads]
    #[arg(long, value_name = "J", value_parser = threads(), help_heading = "Limits")]
    pub(crate) jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) cache: CacheOptions,
    /// File of the results [default: standard output]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Form: text, json (array), jsonl (one per line), csv
    #[arg(long, default_value = "text", hide_possible_values = true, help_heading = "Output")]
    pub(crate) format: Format,
    /// Resume an earlier batch (needs --output, --format jsonl)
    ///
    /// Records in the file are kept. Instances without a record, or with a cancelled one, are
    /// solved.
    #[arg(long, requires = "output", help_heading = "Output")]
    pub(crate) resume: bool,
    /// Folder in which a long proof keeps its explored pieces
    ///
    /// The same command resumes after an interruption, also on another number of threads.
    /// `idastar`, `tiles-optimal` and `prove` of these keep a journal, of one instance.
    #[arg(long, value_name = "DIR", conflicts_with = "resume", help_heading = "Output")]
    pub(crate) journal: Option<PathBuf>,
    /// Explore one part of a proof, such as 2/4 (needs --journal)
    ///
    /// Processes on one or several machines share a proof through the same journal. Each explores
    /// another part and waits for the pieces of the others. The result does not depend on the
    /// division.
    #[arg(long, value_name = "K/N", requires = "journal", help_heading = "Output")]
    pub(crate) shard: Option<Shard>,
    /// Store proofs that `check` can verify (some puzzles)
    ///
    /// Bounds and unsolvability are proved a second time. The proofs (certificates) are stored in
    /// the records, and `unriddle check --file` verifies them without a search.
    #[arg(long, help_heading = "Output")]
    pub(crate) certify: bool,
}

/// Arguments of `improve`.
#[derive(Debug, Args)]
pub(crate) struct Improve {
    /// Puzzle, such as sokoban or 'sokoban(measure=moves)'
    ///
    /// The puzzle defines the value that becomes better.
    #[arg(value_name = "PUZZLE")]
    pub(crate) puzzle: String,
    /// Files of records or solutions (- = standard input)
    ///
    /// Records are JSON, JSON lines, CSV or results of experiments. A Sokoban file (.sok) contains
    /// levels with solutions.
    #[arg(value_name = "FILE", required_unless_present = "solution")]
    pub(crate) files: Vec<PathBuf>,
    /// Instance, instead of files
    #[arg(
        long,
        value_name = "INSTANCE",
        requires = "solution",
        conflicts_with = "files",
        help_heading = "Instances"
    )]
    pub(crate) instance: Option<String>,
    /// Solution of the instance
    #[arg(long, value_name = "SOLUTION", requires = "instance", help_heading = "Instances")]
    pub(crate) solution: Option<String>,
    #[command(flatten)]
    pub(crate) batch: Batch,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Puzzle (of records, each record names its puzzle)
    #[arg(required_unless_present = "file", requires = "instance")]
    pub(crate) puzzle: Option<String>,
    /// Instance
    #[arg(required_unless_present = "file")]
    pub(crate) instance: Option<String>,
    /// Solution of the instance
    #[arg(required_unless_present = "file")]
    pub(crate) solution: Option<String>,
    /// Records, or the instance's solution (- = standard input)
    ///
    /// Without an instance, the file has records in JSON or JSON lines. With an instance, the
    /// file's text is its solution.
    #[arg(long, value_name = "FILE", conflicts_with = "solution", help_heading = "Instances")]
    pub(crate) file: Option<PathBuf>,
    /// Form: text, json (array), jsonl (one per line), csv
    #[arg(long, default_value = "text", hide_possible_values = true, help_heading = "Output")]
    pub(crate) format: Format,
}

/// Arguments of `generate`.
#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// Puzzle, such as tiles
    pub(crate) puzzle: String,
    /// Generator, such as 'uniform(4)' [default: the first one]
    ///
    /// `unriddle list generators` shows the generators of each puzzle.
    pub(crate) generator: Option<String>,
    /// Number of instances
    #[arg(
        long,
        short = 'n',
        value_name = "N",
        default_value = "1",
        value_parser = units::count,
        help_heading = "Instances"
    )]
    pub(crate) count: u64,
    /// Seed, from which instance i is always the same
    #[arg(long, value_name = "SEED", default_value_t = 0, help_heading = "Instances")]
    pub(crate) seed: u64,
}

/// Format of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Drawing {
    /// Characters.
    Text,
    /// Scalable vector graphics.
    Svg,
}

/// Arguments of `show`.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// Puzzle, such as tiles
    pub(crate) puzzle: String,
    #[command(flatten)]
    pub(crate) instances: Instances,
    /// Solution of the only instance, whose end is drawn
    #[arg(long, help_heading = "Output")]
    pub(crate) solution: Option<String>,
    /// Number of moves of the solution before the drawing
    #[arg(long, value_name = "MOVES", requires = "solution", help_heading = "Output")]
    pub(crate) at: Option<usize>,
    /// Form of the drawing: text, svg
    #[arg(long, default_value = "text", hide_possible_values = true, help_heading = "Output")]
    pub(crate) format: Drawing,
}

/// Arguments of `convert`.
#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// Puzzle, such as tiles
    pub(crate) puzzle: String,
    #[command(flatten)]
    pub(crate) instances: Instances,
    /// Records, or instances with solutions (- = standard input)
    ///
    /// `solve` writes records in JSON, JSON lines or CSV. Instances without a solution are left
    /// out.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["instances", "file", "deals"], help_heading = "Instances")]
    pub(crate) solutions: Option<PathBuf>,
    /// Notation [default: the notation of records]
    ///
    /// A wrong name is answered by the names of all notations.
    #[arg(long, value_name = "NOTATION", help_heading = "Output")]
    pub(crate) to: Option<String>,
    /// Write the mirror images of the instances
    #[arg(long, help_heading = "Output")]
    pub(crate) mirrored: bool,
}

/// Arguments of `analyse`.
#[derive(Debug, Args)]
pub(crate) struct Analyse {
    /// Files of records in JSON, JSON lines or CSV
    ///
    /// `solve` writes such records, and so do experiments.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Draw this instance beside its mirror image, both solved
    #[arg(long, value_name = "ID", help_heading = "Output")]
    pub(crate) figure: Option<String>,
    /// File of the output [default: standard output]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Form of the counts: text, json, csv
    #[arg(
        long,
        default_value = "text",
        hide_possible_values = true,
        conflicts_with = "figure",
        help_heading = "Output"
    )]
    pub(crate) format: Counts,
}

/// Format of the counts of an analysis or a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Counts {
    /// A table.
    Text,
    /// A JSON array.
    Json,
    /// A table with a line for each share.
    Csv,
}

/// Arguments of `play`.
#[derive(Debug, Args)]
pub(crate) struct Play {
    /// Puzzle, such as tiles
    pub(crate) puzzle: String,
    #[command(flatten)]
    pub(crate) instances: Instances,
    /// Name of the instance, if there are several
    #[arg(long, value_name = "ID", help_heading = "Instances")]
    pub(crate) id: Option<String>,
    /// Solution to play back
    #[arg(long, conflicts_with_all = ["solver", "preset"], help_heading = "Playback")]
    pub(crate) solution: Option<String>,
    /// Solve first and play the solution back
    ///
    /// Without this option, you play by hand and the solver gives hints.
    #[arg(long, conflicts_with = "solution", help_heading = "Playback")]
    pub(crate) watch: bool,
    #[command(flatten)]
    pub(crate) solver: Solver,
    #[command(flatten)]
    pub(crate) limits: Limits,
    #[command(flatten)]
    pub(crate) cache: CacheOptions,
}

/// Command of `tables`.
#[derive(Debug, Subcommand)]
pub(crate) enum TablesVerb {
    /// Build the tables of a heuristic
    Build {
        /// Puzzle, such as tiles
        puzzle: String,
        /// Heuristic or solver, such as 'pdb(7-8)'
        heuristic: String,
        #[command(flatten)]
        cache: CacheOptions,
        /// Threads [default: number of cores]
        #[arg(long, value_name = "T", value_parser = threads(), help_heading = "Tables")]
        threads: Option<u16>,
    },
    /// List the tables in the cache folder
    Info {
        #[command(flatten)]
        cache: CacheFolder,
    },
    /// Remove all tables from the cache folder
    Clean {
        #[command(flatten)]
        cache: CacheFolder,
    },
}

/// Kind of things that `list` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Puzzles with their presets.
    Puzzles,
    /// Searches.
    Searches,
    /// Heuristics by puzzle.
    Heuristics,
    /// Generators by puzzle.
    Generators,
}
