//! The arguments.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::{path::PathBuf, time::Duration};
use unriddle_catalog::units;

/// Solves single-player puzzles: fast, with proofs where a proof can be had.
#[derive(Debug, Parser)]
#[command(name = "unriddle", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// The end of the help of `solve`.
const CODES: &str = "\
Exit codes:
   0  every instance has a checked solution or, in a batch, a proof that it has none
  10  proved unsolvable (a single instance)
  11  nothing left to try, no proof
  20  stopped by time; 21 by memory; 22 by expanded or generated states; 23 by Ctrl-C
   2  wrong usage; 30 internal error; 31 bad input; 32 combination not supported
A batch ends with the highest code of its instances without an answer.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Solve instances of a puzzle
    #[command(after_help = CODES)]
    Solve(Solve),
    /// Better solutions that are there: shorter ones, or ones of more points
    #[command(after_help = IMPROVED)]
    Improve(Improve),
    /// Replay solutions with the independent checker
    Check(Check),
    /// Make random instances
    Generate(Generate),
    /// Write instances in another notation, or their mirror images
    Convert(Convert),
    /// Draw an instance
    Show(Show),
    /// Play by hand in the terminal, with hints, or play a solution back
    Play(Play),
    /// Build, list and remove pattern databases
    Tables(Tables),
    /// Evolve the weights of a puzzle's heuristics
    #[command(after_help = EVOLVED)]
    Evolve(Evolve),
    /// Tune the parameters of a solver
    #[command(after_help = TUNED)]
    Tune(Tune),
    /// Train a network that estimates what is left to the goal
    #[command(after_help = TRAINED)]
    Train(Train),
    /// Tell a designer all about a puzzle: solvable or why not, the cheapest solution, what requirements cost
    #[command(after_help = VALIDATED)]
    Validate(Validate),
    /// Count patterns of actions in solutions, and compare solutions of mirror images
    #[command(after_help = ANALYSED)]
    Analyse(Analyse),
    /// Run experiments, keep their results, write their reports
    Lab(crate::lab::args::Lab),
    /// List puzzles, searches, heuristics, generators, presets
    List(List),
    /// Explain a puzzle, search, heuristic or generator
    Describe(Describe),
    /// Print a completion script for a shell
    Completions(Completions),
}

/// The end of the help of `analyse`.
const ANALYSED: &str = "\
Solutions of mirror images are found in the same files:
  unriddle convert PUZZLE --file all.txt --mirrored > mirrored.txt
  unriddle solve PUZZLE --file all.txt --format jsonl > all.jsonl
  unriddle solve PUZZLE --file mirrored.txt --format jsonl > mirrored.jsonl
  unriddle analyse all.jsonl mirrored.jsonl";

/// The end of the help of `evolve`.
const EVOLVED: &str = "\
At the end the run's folder holds solver.toml, the best solver, and weights.toml:
  unriddle solve PUZZLE --file instances.txt --solver DIR/solver.toml
Interrupted or killed, the same command goes on from the last trial.";

/// The end of the help of `tune`.
const TUNED: &str = "\
The run's folder holds preset.toml, the solver so far, from the first iteration on:
  unriddle solve PUZZLE --file boards.txt --solver DIR/preset.toml
Interrupted or killed, the same command goes on from the last game.";

/// The end of the help of `train`.
const TRAINED: &str = "\
The run's folder holds model.safetensors, the network so far, and log.csv:
  unriddle solve PUZZLE --solver 'bwas(net(DIR/model.safetensors))' INSTANCE
Interrupted or killed, the same command goes on from the last checkpoint.
Training is built with `cargo build --release --features train`.";

/// The end of the help of `improve`.
const IMPROVED: &str = "\
Every result is at least as good as the solution that was given, however short the time is. Instances without a solution are solved first.
Without a solver, parts of a path are solved again (`windows`), or the end of a line of play (`lns`).
  unriddle solve PUZZLE --file all.txt --format jsonl > all.jsonl
  unriddle improve PUZZLE all.jsonl --time 1m --format jsonl > better.jsonl";

/// The end of the help of `validate`.
const VALIDATED: &str = "\
Exit codes: 0 all solvable, 10 some proved unsolvable, 11 some unknown; others as those of solve.
Without an instance, the one that the puzzle's generator makes of the seed is validated.
Without a limit the reference solver has three seconds an instance.
  unriddle validate PUZZLE --file levels.txt --format html --output report.html
  unriddle validate PUZZLE --file levels.txt --set states=1M --max-expansions 10M";

/// What to validate.
#[derive(Debug, Args)]
pub(crate) struct Validate {
    /// The puzzle, such as tiles or 'tiles(goal=blank-first)'
    #[arg(value_name = "PUZZLE")]
    pub(crate) puzzle: String,
    #[command(flatten)]
    pub(crate) instances: Instances,
    /// A key of the report, such as states=1M; `unriddle describe PUZZLE` lists them. May be given more than once
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub(crate) set: Vec<(String, String)>,
    /// The reference solver: its limits are those of one instance [default: --time 3s]
    #[command(flatten)]
    pub(crate) solver: Solver,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Instances validated at once [default: cores]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) cache: CacheOptions,
    /// Write the report to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Form of the report: text, json (one array), jsonl (one object per line), html (one page)
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub(crate) format: ValidateFormat,
}

/// A key and its value, apart at the first equals sign.
fn key_and_value(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE, such as states=1M")?;
    match (key.trim(), value.trim()) {
        ("", _) => Err("the key before `=` is missing".to_owned()),
        (key, "") => Err(format!("the value of `{key}` is missing")),
        (key, value) => Ok((key.to_owned(), value.to_owned())),
    }
}

/// How a validation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ValidateFormat {
    /// For people.
    Text,
    /// One JSON array.
    Json,
    /// One JSON object per line.
    Jsonl,
    /// A page.
    Html,
}

/// Instances on the command line or in files.
#[derive(Debug, Args)]
pub(crate) struct Instances {
    /// Instances, each one argument (of party and qap: file names); `-` reads standard input
    #[arg(value_name = "INSTANCE")]
    pub(crate) instances: Vec<String>,
    /// A file of instances (`-` is standard input); may be given more than once
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Vec<PathBuf>,
    /// Numbered deals of the puzzle, both ends included, such as 1..100
    #[arg(long, value_name = "A..B", value_parser = units::range)]
    pub(crate) deals: Option<(u64, u64)>,
}

/// Which solver.
#[derive(Debug, Args)]
pub(crate) struct Solver {
    /// The solver, such as 'idastar(pdb(7-8))', or the name of a TOML file that holds one
    #[arg(long, value_name = "SPEC", conflicts_with = "preset")]
    pub(crate) solver: Option<String>,
    /// A preset of the puzzle (see `unriddle describe PUZZLE`)
    #[arg(long, value_name = "NAME")]
    pub(crate) preset: Option<String>,
}

/// What evolving and tuning have in common.
#[derive(Debug, Args)]
pub(crate) struct Learn {
    /// The puzzle, such as freecell
    #[arg(value_name = "PUZZLE")]
    pub(crate) puzzle: String,
    /// A recipe, such as one of those below recipes/
    #[arg(long, value_name = "FILE")]
    pub(crate) recipe: PathBuf,
    /// Folder of the run: checkpoint, journal, log, plot and what comes of it. A run that is there goes on
    #[arg(long, value_name = "DIR")]
    pub(crate) run: PathBuf,
    /// Threads [default: cores]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Wall time after which the run ends with a checkpoint: 10m, 2h. The same command goes on with it
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
}

/// What to evolve.
#[derive(Debug, Args)]
pub(crate) struct Evolve {
    #[command(flatten)]
    pub(crate) learn: Learn,
}

/// What to tune.
#[derive(Debug, Args)]
pub(crate) struct Tune {
    #[command(flatten)]
    pub(crate) learn: Learn,
    /// A scale of the recipe, [scale.NAME]: fewer samples, boards or nodes
    #[arg(long, value_name = "NAME")]
    pub(crate) scale: Option<String>,
}

/// What to train.
#[derive(Debug, Args)]
#[cfg_attr(not(feature = "train"), allow(dead_code))]
pub(crate) struct Train {
    #[command(flatten)]
    pub(crate) learn: Learn,
    /// What computes networks: the CPU, or an NVIDIA GPU (built with --features cuda)
    #[arg(long, value_enum, default_value_t)]
    pub(crate) device: Device,
    /// What computes the target network of a training, which sources search with [default: that of --device]
    #[arg(long, value_enum)]
    pub(crate) solve_device: Option<Device>,
    #[command(flatten)]
    pub(crate) cache: CacheOptions,
}

/// Limits of one instance.
#[derive(Debug, Args)]
pub(crate) struct Limits {
    /// Wall time of the search per instance: 500ms, 30s, 5m, 2h (building tables is not counted)
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Memory per instance, tables included: 512M, 4G
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub(crate) memory: Option<u64>,
    /// Expanded states per instance: 10M
    #[arg(long, value_name = "COUNT", value_parser = units::count)]
    pub(crate) max_expansions: Option<u64>,
    /// Generated states per instance
    #[arg(long, value_name = "COUNT", value_parser = units::count)]
    pub(crate) max_generated: Option<u64>,
    /// Threads inside one search
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    /// Seed of everything random
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(crate) seed: u64,
}

/// Where tables are kept.
#[derive(Debug, Args)]
pub(crate) struct CacheFolder {
    /// Folder of the tables [default: the platform's cache folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
}

/// Where tables are kept, and whether those that are there are used.
#[derive(Debug, Args)]
pub(crate) struct CacheOptions {
    #[command(flatten)]
    pub(crate) folder: CacheFolder,
    /// Build tables anew, also over broken files
    #[arg(long)]
    pub(crate) rebuild: bool,
}

/// What computes networks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Device {
    #[default]
    Cpu,
    Cuda,
}

impl From<Device> for unriddle_catalog::Device {
    fn from(device: Device) -> Self {
        match device {
            Device::Cpu => Self::Cpu,
            Device::Cuda => Self::Cuda,
        }
    }
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One JSON array.
    Json,
    /// One JSON object per line.
    Jsonl,
    /// Comma-separated values with a header.
    Csv,
}

#[derive(Debug, Args)]
pub(crate) struct Solve {
    /// The puzzle, such as tiles or 'tiles(goal=blank-first)'
    #[arg(value_name = "PUZZLE")]
    pub(crate) puzzle: String,
    #[command(flatten)]
    pub(crate) instances: Instances,
    #[command(flatten)]
    pub(crate) batch: Batch,
}

/// How a batch of instances is solved, and what becomes of the results.
#[derive(Debug, Args)]
pub(crate) struct Batch {
    #[command(flatten)]
    pub(crate) solver: Solver,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Wall time for all instances together, building tables included
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(crate) batch_time: Option<Duration>,
    /// Instances solved at once [default: the number of cores, divided by --threads]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// What computes networks: the CPU, or an NVIDIA GPU (built with --features cuda)
    #[arg(long, value_enum, default_value_t)]
    pub(crate) device: Device,
    /// Let instances that are solved at once estimate their states in one batch (networks); their
    /// CPU times are then mixed
    #[arg(long)]
    pub(crate) lockstep: bool,
    /// Prove bounds and unsolvability once more, for the checker to follow: records hold the certificates (party)
    #[arg(long)]
    pub(crate) certify: bool,
    #[command(flatten)]
    pub(crate) cache: CacheOptions,
    /// Write the results to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Go on with an earlier batch: keep the records of the file, and solve what has none there or was cancelled (with --output and
    /// --format jsonl)
    #[arg(long, requires = "output")]
    pub(crate) resume: bool,
    /// Form of the results: text, json (one array), jsonl (one object per line), csv
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub(crate) format: Format,
}

/// What to improve.
#[derive(Debug, Args)]
pub(crate) struct Improve {
    /// The puzzle, such as sokoban or 'sokoban(measure=moves)': its values are to get better
    #[arg(value_name = "PUZZLE")]
    pub(crate) puzzle: String,
    /// Files of records (json, jsonl, csv, results of experiments), or of instances with solutions (.sok); `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "solution")]
    pub(crate) files: Vec<PathBuf>,
    /// An instance, in the place of files
    #[arg(long, value_name = "INSTANCE", requires = "solution", conflicts_with = "files")]
    pub(crate) instance: Option<String>,
    /// The solution of the instance
    #[arg(long, value_name = "SOLUTION", requires = "instance")]
    pub(crate) solution: Option<String>,
    #[command(flatten)]
    pub(crate) batch: Batch,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The puzzle; taken from the records with --file
    #[arg(required_unless_present = "file")]
    pub(crate) puzzle: Option<String>,
    /// The instance
    #[arg(required_unless_present = "file")]
    pub(crate) instance: Option<String>,
    /// The solution
    #[arg(required_unless_present = "file")]
    pub(crate) solution: Option<String>,
    /// Records of `solve --format jsonl` or `json` (`-` is standard input)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["puzzle", "instance", "solution"])]
    pub(crate) file: Option<PathBuf>,
    /// Form of the results: text, json (one array), jsonl (one object per line), csv
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// The puzzle
    pub(crate) puzzle: String,
    /// The generator, such as 'uniform(4)' or 'walk(5, min=1000, max=10000)' [default: the puzzle's first]
    pub(crate) generator: Option<String>,
    /// How many instances
    #[arg(long, short = 'n', value_name = "N", default_value = "1", value_parser = units::count)]
    pub(crate) count: u64,
    /// Seed; instance i of a seed is always the same
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(crate) seed: u64,
}

/// How an instance is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Drawing {
    /// Characters.
    Text,
    /// Scalable vector graphics.
    Svg,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The puzzle
    pub(crate) puzzle: String,
    #[command(flatten)]
    pub(crate) instances: Instances,
    /// A solution of the only instance: the state after it is drawn
    #[arg(long)]
    pub(crate) solution: Option<String>,
    /// Draw the state after this many moves of the solution instead
    #[arg(long, value_name = "MOVES", requires = "solution")]
    pub(crate) at: Option<usize>,
    /// Form of the drawing: text, svg
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub(crate) format: Drawing,
}

#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// The puzzle
    pub(crate) puzzle: String,
    #[command(flatten)]
    pub(crate) instances: Instances,
    /// The notation [default: the one that records have]
    #[arg(long, value_name = "NOTATION")]
    pub(crate) to: Option<String>,
    /// Write the mirror images of the instances
    #[arg(long)]
    pub(crate) mirrored: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Analyse {
    /// Files of records: what `solve` writes as json, jsonl or csv, and results of experiments
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Draw the solution of this instance and that of its mirror image
    #[arg(long, value_name = "ID")]
    pub(crate) figure: Option<String>,
    /// Write to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Form of the counts: text, json
    #[arg(
        long,
        value_enum,
        default_value = "text",
        hide_possible_values = true,
        conflicts_with = "figure"
    )]
    pub(crate) format: Counts,
}

/// Form of the counts of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Counts {
    /// A table.
    Text,
    /// One JSON array.
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct Play {
    /// The puzzle
    pub(crate) puzzle: String,
    #[command(flatten)]
    pub(crate) instances: Instances,
    /// The name of the instance, if there are several
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
    /// Play this solution back
    #[arg(long, conflicts_with_all = ["solver", "preset"])]
    pub(crate) solution: Option<String>,
    /// Solve it first and play the solution back [default: play by hand, with hints of the solver]
    #[arg(long, conflicts_with = "solution")]
    pub(crate) watch: bool,
    #[command(flatten)]
    pub(crate) solver: Solver,
    #[command(flatten)]
    pub(crate) limits: Limits,
    #[command(flatten)]
    pub(crate) cache: CacheOptions,
}

#[derive(Debug, Args)]
pub(crate) struct Tables {
    #[command(subcommand)]
    pub(crate) verb: TablesVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TablesVerb {
    /// Build the tables of a heuristic, such as: tables build tiles 'pdb(7-8)'
    Build {
        /// The puzzle
        puzzle: String,
        /// The heuristic, or the solver
        heuristic: String,
        #[command(flatten)]
        cache: CacheOptions,
        /// Threads [default: the number of cores]
        #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
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

/// What to list.
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

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only one kind: puzzles, searches, heuristics, generators
    #[arg(value_enum, value_name = "KIND", hide_possible_values = true)]
    pub(crate) kind: Option<Kind>,
}

#[derive(Debug, Args)]
pub(crate) struct Describe {
    /// A puzzle, search, heuristic or generator
    pub(crate) name: String,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}
