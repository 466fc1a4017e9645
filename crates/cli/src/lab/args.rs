//! The arguments of `unriddle lab`.

use crate::args::shared::{CacheFolder, threads};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use unriddle_catalog::work::Shard;

/// Command of `lab`.
#[derive(Debug, Subcommand)]
pub(crate) enum LabVerb {
    /// Execute unfinished runs of experiments, show the tables
    Run(Run),
    /// Count the finished runs of submitted arrays of Slurm
    Status(Status),
    /// Write reports of experiments: Markdown, HTML, plots
    Report(Report),
    /// Write pages that compare a paper's figures with ours
    Paper(Paper),
    /// List the experiments in the results database
    List(Database),
    /// Show the recorded runs of an experiment
    Show(Show),
    /// Write the recorded runs of experiments as CSV files
    Export(Export),
    /// Merge runs from CSV files and other databases
    Merge(Merge),
    /// Compare two solvers, revisions or files of results
    Compare(Compare),
    /// Rewrite results of older versions in the current format
    Migrate(Migrate),
    /// Serve runs to the `lab run` that started the process
    #[command(hide = true)]
    Worker(CacheFolder),
}

/// The database of results.
#[derive(Debug, Args)]
pub(crate) struct Database {
    /// Results database
    #[arg(
        long,
        value_name = "FILE",
        default_value = "results/lab.sqlite",
        help_heading = "Results"
    )]
    pub(crate) database: PathBuf,
}

/// Experiments, in full or quick.
#[derive(Debug, Args)]
pub(crate) struct Experiments {
    /// Files of experiments, such as experiments/cube.toml
    #[arg(value_name = "EXPERIMENT", required = true)]
    pub(crate) experiments: Vec<PathBuf>,
    /// Use the fewer instances and lower limits of [quick]
    ///
    /// The tables are the same and take about two minutes.
    #[arg(long, help_heading = "Runs")]
    pub(crate) quick: bool,
    #[command(flatten)]
    pub(crate) database: Database,
}

/// Arguments of `lab run`.
#[derive(Debug, Args)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) what: Experiments,
    /// Use only the named subset of every suite
    #[arg(long, conflicts_with = "quick", help_heading = "Runs")]
    pub(crate) subset: bool,
    /// Execute only a part of the runs, such as 2/10
    ///
    /// `unriddle lab merge` combines the parts of several machines.
    #[arg(long, value_name = "K/N", default_value = "1/1", help_heading = "Runs")]
    pub(crate) shard: Shard,
    /// Runs in parallel [default: cores / threads of a run]
    #[arg(long, value_name = "J", value_parser = threads(), help_heading = "Runs")]
    pub(crate) jobs: Option<u16>,
    /// Submit an array of jobs to Slurm instead
    ///
    /// The value is a line of further options of sbatch, such as "--time=4:00:00 --mem=8G". Each
    /// job runs one part with a results database of its own beside --database.
    #[arg(
        long,
        value_name = "OPTIONS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with = "shard",
        help_heading = "Slurm"
    )]
    pub(crate) slurm: Option<String>,
    /// Number of the array's jobs
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=100_000),
        requires = "slurm",
        help_heading = "Slurm"
    )]
    pub(crate) parts: usize,
    /// Repeat runs that failed or are of another revision
    ///
    /// Old results are kept apart.
    #[arg(long, help_heading = "Runs")]
    pub(crate) again: bool,
    #[command(flatten)]
    pub(crate) cache: CacheFolder,
}

/// Arguments of `lab status`.
#[derive(Debug, Args)]
pub(crate) struct Status {
    #[command(flatten)]
    pub(crate) what: Experiments,
}

/// Arguments of `lab report`.
#[derive(Debug, Args)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) what: Experiments,
    /// Folder of the report [default: standard output]
    ///
    /// The folder then contains NAME.md, NAME.html and the plots. Standard output gets Markdown.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
}

/// Arguments of `lab paper`.
#[derive(Debug, Args)]
pub(crate) struct Paper {
    /// Keys of papers, such as schadd2012, or all
    #[arg(value_name = "KEY", required = true)]
    pub(crate) papers: Vec<String>,
    /// Folder with the files of papers and references.toml
    #[arg(long, value_name = "DIR", default_value = "data/papers", help_heading = "Results")]
    pub(crate) folder: PathBuf,
    /// Folder of the pages [default: standard output]
    ///
    /// The folder then contains KEY.md and KEY.html. Standard output gets Markdown.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) database: Database,
}

/// Format of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Text for people: a line per run.
    Text,
    /// JSON lines: an object per line.
    Jsonl,
    /// Comma-separated values in the format of `lab export`.
    Csv,
}

/// Arguments of `lab show`.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// Name of the experiment
    pub(crate) experiment: String,
    /// Show only runs that failed or that the checker refused
    #[arg(long, help_heading = "Runs")]
    pub(crate) failed: bool,
    /// Name of the only instance whose runs are shown
    #[arg(long, value_name = "ID", help_heading = "Runs")]
    pub(crate) id: Option<String>,
    /// Name of the only suite whose runs are shown
    #[arg(long, value_name = "NAME", help_heading = "Runs")]
    pub(crate) suite: Option<String>,
    /// Form of the runs: text, jsonl (one object per line), csv
    #[arg(long, default_value = "text", hide_possible_values = true, help_heading = "Output")]
    pub(crate) format: Form,
    #[command(flatten)]
    pub(crate) database: Database,
}

/// Arguments of `lab export`.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Names of experiments [default: all in the database]
    pub(crate) experiments: Vec<String>,
    /// Folder of the files NAME.csv
    #[arg(long, value_name = "DIR", default_value = "results", help_heading = "Output")]
    pub(crate) output: PathBuf,
    /// Write compressed files NAME.csv.zst
    #[arg(long, help_heading = "Output")]
    pub(crate) compact: bool,
    /// Suffix of the files' names: 2of10 writes NAME-2of10.csv
    #[arg(long, value_name = "WORD", help_heading = "Output")]
    pub(crate) suffix: Option<String>,
    #[command(flatten)]
    pub(crate) database: Database,
}

/// Arguments of `lab merge`.
#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// Files of `lab export` (.csv, .csv.zst), or results databases
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) database: Database,
}

/// Format of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ComparisonForm {
    /// Tables in Markdown.
    Text,
    /// Comma-separated values: a line per pair of runs.
    Csv,
    /// A page.
    Html,
}

/// Arguments of `lab compare`.
#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// Files of results, one or two: databases, .csv or .csv.zst
    ///
    /// With one file, give two solvers or two revisions.
    #[arg(value_name = "FILE", required = true, num_args = 1..=2)]
    pub(crate) files: Vec<PathBuf>,
    /// Experiment of the runs [default: all]
    #[arg(long, value_name = "NAME", help_heading = "Runs")]
    pub(crate) experiment: Option<String>,
    /// Solver of the runs, given twice for the two sides
    ///
    /// The value is a spec, or the name of the only solver of that name.
    #[arg(long, value_name = "SPEC", help_heading = "Runs")]
    pub(crate) solver: Vec<String>,
    /// Revision of the runs, given twice for the two sides
    ///
    /// The first digits suffice.
    #[arg(long, value_name = "REVISION", help_heading = "Runs")]
    pub(crate) revision: Vec<String>,
    /// Form of the comparison: text (Markdown), csv, html
    #[arg(long, default_value = "text", hide_possible_values = true, help_heading = "Output")]
    pub(crate) format: ComparisonForm,
    /// File of the comparison [default: standard output]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
}

/// Arguments of `lab migrate`.
#[derive(Debug, Args)]
pub(crate) struct Migrate {
    /// CSV files of `lab export`, or results databases
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Replace NAME.csv by a compressed file NAME.csv.zst
    #[arg(long, help_heading = "Output")]
    pub(crate) compact: bool,
}
