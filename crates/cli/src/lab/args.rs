//! The arguments of `unriddle lab`.

use crate::args::CacheFolder;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use unriddle_lab::plan::Shard;

/// Which verb of the lab.
#[derive(Debug, Args)]
pub(crate) struct Lab {
    #[command(subcommand)]
    pub(crate) verb: LabVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LabVerb {
    /// Do the runs of experiments that are not finished yet, and show the tables
    Run(Run),
    /// Write the reports of experiments: Markdown, HTML, plots
    Report(Report),
    /// Write the pages of papers: every table and figure of a paper with ours beside it
    Paper(Paper),
    /// List the experiments in the results database
    List(List),
    /// Show the recorded runs of an experiment
    Show(Show),
    /// Write the recorded runs of experiments as CSV files
    Export(Export),
    /// Add runs from files of results and other databases
    Merge(Merge),
    /// Rewrite results of older versions in the current format
    Migrate(Migrate),
    /// Serve runs (what `lab run` starts)
    #[command(hide = true)]
    Worker(Worker),
}

/// Where results are kept.
#[derive(Debug, Args)]
pub(crate) struct Database {
    /// The results database
    #[arg(long, value_name = "FILE", default_value = "results/lab.sqlite")]
    pub(crate) database: PathBuf,
}

/// Experiments, in full or quick.
#[derive(Debug, Args)]
pub(crate) struct Experiments {
    /// Files of experiments, such as experiments/ann-distance-pdb.toml
    #[arg(value_name = "EXPERIMENT", required = true)]
    pub(crate) experiments: Vec<PathBuf>,
    /// Fewer instances and lower limits, as the experiment says: the same tables in two minutes
    #[arg(long)]
    pub(crate) quick: bool,
    #[command(flatten)]
    pub(crate) database: Database,
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) what: Experiments,
    /// Only the named subset of every suite
    #[arg(long, conflicts_with = "quick")]
    pub(crate) subset: bool,
    /// Only a part, such as 2/10; the parts of all machines are brought together by `lab merge`
    #[arg(long, value_name = "K/N", value_parser = shard, default_value = "1/1")]
    pub(crate) shard: Shard,
    /// Runs at once [default: the number of cores, divided by the experiment's threads]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Do runs again that failed, or were recorded by another revision (old results are kept apart)
    #[arg(long)]
    pub(crate) again: bool,
    #[command(flatten)]
    pub(crate) cache: CacheFolder,
}

#[derive(Debug, Args)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) what: Experiments,
    /// Write NAME.md, NAME.html and the plots into this folder instead of Markdown to standard output
    #[arg(long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Paper {
    /// Keys of papers, such as schadd2012, or `all`
    #[arg(value_name = "KEY", required = true)]
    pub(crate) papers: Vec<String>,
    /// Folder of the papers' files, beside references.toml
    #[arg(long, value_name = "DIR", default_value = "data/papers")]
    pub(crate) folder: PathBuf,
    /// Write KEY.md and KEY.html into this folder instead of Markdown to standard output
    #[arg(long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) database: Database,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) database: Database,
}

/// How runs are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// A line per run, for people.
    Text,
    /// One JSON object per line.
    Jsonl,
    /// As `lab export` writes it.
    Csv,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// Name of the experiment
    pub(crate) experiment: String,
    /// Only runs that failed, or whose solution the checker refused
    #[arg(long)]
    pub(crate) failed: bool,
    /// Only runs on the instance of this name
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
    /// Only runs on this suite
    #[arg(long, value_name = "NAME")]
    pub(crate) suite: Option<String>,
    /// Form of the runs: text, jsonl (one object per line), csv
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub(crate) format: Form,
    #[command(flatten)]
    pub(crate) database: Database,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Names of experiments [default: all in the database]
    pub(crate) experiments: Vec<String>,
    /// Folder of the files NAME.csv
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(crate) output: PathBuf,
    /// Write compressed files NAME.csv.zst, which `lab merge` reads as well
    #[arg(long)]
    pub(crate) compact: bool,
    /// A word at the end of the files' names, such as 2of10 for a shard: NAME-2of10.csv
    #[arg(long, value_name = "WORD")]
    pub(crate) suffix: Option<String>,
    #[command(flatten)]
    pub(crate) database: Database,
}

#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// Files of `lab export` (.csv, .csv.zst), or results databases
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) database: Database,
}

#[derive(Debug, Args)]
pub(crate) struct Migrate {
    /// CSV files of `lab export`, or results databases
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Replace each CSV file NAME.csv by a compressed file NAME.csv.zst with the same runs
    #[arg(long)]
    pub(crate) compact: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Worker {
    #[command(flatten)]
    pub(crate) cache: CacheFolder,
}

/// A shard: `2/10`.
fn shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/');
    let numbers = parts.and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match numbers {
        Some((k, n)) if 1 <= k && k <= n => Ok(Shard { k, n }),
        _ => Err("expected K/N with 1 ≤ K ≤ N, such as 2/10".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read() {
        assert_eq!(shard("2/10"), Ok(Shard { k: 2, n: 10 }));
        for bad in ["", "2", "0/3", "4/3", "a/b", "1/0", "-1/2"] {
            assert!(shard(bad).is_err(), "{bad}");
        }
    }
}
