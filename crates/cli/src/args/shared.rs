//! Groups of arguments that several commands have in common.

use clap::{Args, ValueEnum, builder::RangedI64ValueParser};
use std::{path::PathBuf, time::Duration};
use unriddle_catalog::units;

/// Parser of a number of threads.
pub(crate) fn threads() -> RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(1..=1024)
}

/// Parses a limit of memory. A number without a unit is most probably meant in another unit.
fn memory(text: &str) -> Result<u64, String> {
    match units::bytes(text)? {
        0..1024 => Err(format!("{text} bytes is too small; write a unit, such as {text}G")),
        bytes => Ok(bytes),
    }
}

/// Instances on the command line or in files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Instances")]
pub(crate) struct Instances {
    /// Instances, one per argument (- = standard input)
    ///
    /// Puzzles with large instances expect the names of files here.
    #[arg(value_name = "INSTANCE")]
    pub(crate) instances: Vec<String>,
    /// File of instances (- = standard input), repeatable
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Vec<PathBuf>,
    /// Instances by number, from A to B, such as 1..100
    ///
    /// Only some puzzles number their instances. The numbers A and B are included.
    #[arg(long, value_name = "A..B", value_parser = units::range)]
    pub(crate) deals: Option<(u64, u64)>,
}

/// The choice of a solver.
#[derive(Debug, Args)]
#[command(next_help_heading = "Solver")]
pub(crate) struct Solver {
    /// Solver, such as 'idastar(pdb(7-8))', or a TOML file
    ///
    /// `unriddle list` shows all searches and heuristics, and `unriddle describe NAME` their
    /// parameters.
    #[arg(long, value_name = "SPEC", conflicts_with = "preset")]
    pub(crate) solver: Option<String>,
    /// Preset of the puzzle (see `unriddle describe PUZZLE`)
    #[arg(long, value_name = "NAME")]
    pub(crate) preset: Option<String>,
}

/// Arguments of evolving, tuning and training.
#[derive(Debug, Args)]
pub(crate) struct Learn {
    /// Puzzle, such as freecell
    #[arg(value_name = "PUZZLE")]
    pub(crate) puzzle: String,
    /// Recipe in TOML, such as a file below recipes/
    #[arg(long, value_name = "FILE", help_heading = "Recipe and run")]
    pub(crate) recipe: PathBuf,
    /// Folder of the run, which an earlier run may have begun
    ///
    /// The folder holds the checkpoint, journal, log, plot and result. If it contains a checkpoint,
    /// the run resumes from it.
    #[arg(long, value_name = "DIR", help_heading = "Recipe and run")]
    pub(crate) run: PathBuf,
    /// Threads [default: number of cores]
    #[arg(long, value_name = "J", value_parser = threads(), help_heading = "Limits")]
    pub(crate) jobs: Option<u16>,
    /// Stop the run after this wall time: 10m, 2h
    ///
    /// The run ends with a checkpoint, from which the same command resumes.
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = "Limits")]
    pub(crate) time: Option<Duration>,
}

/// Limits of one instance.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Limits {
    /// Stop each search after this wall time: 500ms, 30s, 5m, 2h
    ///
    /// A stopped search reports its best solution and bound. The time in which tables are built
    /// does not count.
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Stop each search at this memory, tables included: 512M, 4G
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub(crate) memory: Option<u64>,
    /// Stop each search after this number of expanded states: 10M
    ///
    /// A state is expanded when the search generates its successors.
    #[arg(long, value_name = "COUNT", value_parser = units::count)]
    pub(crate) max_expansions: Option<u64>,
    /// Stop each search after this number of generated states
    ///
    /// A state is generated when an action leads to it. An expansion generates several states.
    #[arg(long, value_name = "COUNT", value_parser = units::count)]
    pub(crate) max_generated: Option<u64>,
    /// Threads inside one search
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = threads())]
    pub(crate) threads: u16,
    /// Seed of all random numbers
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(crate) seed: u64,
}

/// The folder of stored tables.
#[derive(Debug, Args)]
#[command(next_help_heading = "Tables")]
pub(crate) struct CacheFolder {
    /// Folder of tables [default: the platform's cache folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
}

/// The folder of stored tables, and whether stored tables are used.
#[derive(Debug, Args)]
#[command(next_help_heading = "Tables")]
pub(crate) struct CacheOptions {
    #[command(flatten)]
    pub(crate) folder: CacheFolder,
    /// Build tables again and replace stored files
    #[arg(long)]
    pub(crate) rebuild: bool,
}

/// Device that evaluates networks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Device {
    /// Central processing unit.
    #[default]
    Cpu,
    /// NVIDIA GPU, in a program that is built with `--features cuda`.
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
