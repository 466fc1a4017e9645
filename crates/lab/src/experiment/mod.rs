//! An experiment: suites of instances, solvers, limits, claims, and the contents of its report.
//!
//! `experiments/README.md` describes the TOML form. [`Experiment::read`] validates all of it, so
//! that after hours of running only the runs themselves can fail.

mod claim;
mod claims;
mod file;
mod limits;
mod read;
mod reader;
mod shown;
mod solvers;

pub use claim::{Against, Bound, Claim, Decision, Origin, Pairing, Population, Relation, Test};
pub(crate) use claims::is_whole;
pub use limits::Limits;

use crate::{attribute::Attribute, references::Figure};
use std::path::{Path, PathBuf};
use unriddle_catalog::{Device, Registry, units};

/// A validated experiment.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Name of the file without extension.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Heading of the report.
    pub title: String,
    /// Claims that the experiment decides.
    pub claims: Vec<Claim>,
    /// Scale of the claims' tests, as a part of a paper's scale (`None` = the paper's scale).
    pub scale: Option<String>,
    /// Definitions for the report, one paragraph each (Markdown).
    pub notes: Vec<String>,
    /// The instances.
    pub suites: Vec<Suite>,
    /// The solvers; each solver of a grid is an entry.
    pub solvers: Vec<Solver>,
    /// Seeds; every solver runs once with each on every instance.
    pub seeds: Vec<u64>,
    /// Threads inside one search.
    pub threads: u64,
    /// Device that computes networks.
    pub device: Device,
    /// Attributes of the report, in order.
    pub attributes: Vec<Attribute>,
    /// A division of the instances into classes.
    pub classes: Option<Classes>,
    /// Tables of the report beyond the standard one of every suite.
    pub tables: Vec<TableSpec>,
    /// Plots of the report.
    pub plots: Vec<PlotSpec>,
    /// Published figures to put beside ours.
    pub compare: Vec<Compare>,
    /// Differences of the quick form (`--quick`).
    pub quick: Quick,
    /// Whether this is the quick form.
    pub is_quick: bool,
    /// The puzzles that its suites are of.
    pub registry: Registry,
}

/// A set of instances.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// Spec of the puzzle.
    pub puzzle: String,
    /// Source of its instances.
    pub source: Source,
    /// Whether its instances are the mirror images of those.
    pub mirrored: bool,
    /// Number of its first instances that represent the suite until all are done.
    pub subset: usize,
    /// Number of its first instances in a quick run.
    pub quick: Option<usize>,
    /// Origin of a file of public data, for people who do not have it.
    pub origin: Option<String>,
    /// A CSV file of published values by instance, below the folder of public data.
    pub reference: Option<String>,
    /// The column of `reference` that holds the proved optimum.
    pub optimum: Option<String>,
}

/// Source of instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A generator of the puzzle.
    Generator {
        /// Its spec.
        spec: String,
        /// Seed.
        seed: u64,
        /// Number of instances.
        count: usize,
    },
    /// A file below the folder of public data, or, beginning with `./`, beside the experiment.
    File {
        /// Its path.
        path: String,
        /// Ids of the used instances, in this order [default: all].
        ids: Option<Vec<String>>,
        /// Number of skipped first instances.
        skip: usize,
        /// Number of used instances behind the skipped ones [default: all].
        count: Option<usize>,
    },
    /// Numbered deals of the puzzle, both ends included.
    Deals(u64, u64),
}

/// Engine of a solver: a spec, a preset, or an external program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A solver expression.
    Spec(String),
    /// A preset of the puzzle.
    Preset(String),
    /// An external program: the file that describes it.
    Peer(PathBuf),
}

/// A solver of an experiment.
#[derive(Clone, Debug)]
pub struct Solver {
    /// Its name in tables.
    pub name: String,
    /// Its engine.
    pub engine: Engine,
    /// Indices of the suites that it runs on.
    pub suites: Vec<usize>,
    /// Limits of every run.
    pub limits: Limits,
    /// Whether its proved values are the optima of the instances.
    pub is_optimum: bool,
    /// The grid that it comes from: the name of the `[[solver]]` entry and the parameters' values
    /// in the order of the file.
    pub grid: Option<(String, Vec<(String, String)>)>,
}

/// A division of the instances into classes by an attribute of one solver's runs.
#[derive(Clone, Debug)]
pub struct Classes {
    /// Index of the solver whose runs decide.
    pub solver: usize,
    /// The attribute that decides.
    pub attribute: Attribute,
    /// Rule of the classes.
    pub by: ClassesBy,
    /// The classes' names.
    pub names: Vec<String>,
}

/// Rule that assigns a class to an instance.
#[derive(Clone, Debug, PartialEq)]
pub enum ClassesBy {
    /// Upper quantiles of all classes but the last, ascending, in (0, 1).
    Quantiles(Vec<f64>),
    /// Ascending values, and the largest relative distance of an instance from the value of its
    /// class. Other instances have no class.
    Near(Vec<f64>, f64),
}

/// A table beyond the standard ones. Its cells show one attribute.
#[derive(Clone, Debug)]
pub struct TableSpec {
    /// Rows and columns.
    pub kind: TableKind,
    /// Attribute of the cells.
    pub attribute: Attribute,
    /// Indices of suites; one table each.
    pub suites: Vec<usize>,
}

/// Rows and columns of a table.
#[derive(Clone, Debug)]
pub enum TableKind {
    /// Rows are the classes, columns the solvers.
    Classes {
        /// Indices of solvers.
        solvers: Vec<usize>,
    },
    /// Rows and columns are two parameters of a grid of solvers.
    Grid {
        /// Name of the `[[solver]]` entry; without one, the grids of the suite's own solvers.
        solver: Option<String>,
        /// The parameter of the rows.
        rows: String,
        /// The parameter of the columns.
        columns: String,
    },
    /// Every solver against one, on the instances and seeds for which both have the attribute.
    Paired {
        /// Index of the solver that the others are compared with.
        baseline: usize,
        /// Indices of the others.
        solvers: Vec<usize>,
    },
}

/// Kinds of plots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlotKind {
    /// Frequencies of an attribute's values, one outline per solver.
    Histogram,
    /// An attribute of two solvers on the same instances.
    Scatter,
    /// Share of the instances answered within a CPU time.
    Coverage,
    /// Mean value of the best solution so far over CPU time.
    Anytime,
    /// Quartiles, whiskers and outliers of an attribute over all seeds.
    Box,
    /// Mean of one attribute against the mean of another, a point per solver, a line per grid row.
    Frontier,
    /// Mean of an attribute over the last parameter of a grid, a line per suite: one plot for all
    /// suites.
    Curves,
}

/// A grid's value as a number: `0.5`, `64k`; `None` if it is a word.
#[must_use]
pub fn parameter(text: &str) -> Option<f64> {
    let number = text.parse().ok().filter(|n: &f64| n.is_finite());
    number.or_else(|| units::count(text).ok().map(|count| count as f64))
}

/// A plot.
#[derive(Clone, Debug)]
pub struct PlotSpec {
    /// Kind of the plot.
    pub kind: PlotKind,
    /// Heading.
    pub title: String,
    /// Plotted attribute (the vertical axis of a frontier).
    pub attribute: Attribute,
    /// The horizontal axis of a frontier.
    pub x: Option<Attribute>,
    /// Indices of solvers; two for a scatter.
    pub solvers: Vec<usize>,
    /// Indices of suites; one plot each, or one of all of them if it is of curves.
    pub suites: Vec<usize>,
    /// A published plot to name beside it, such as `Figure 3 of Cahlík and Surynek 2019`.
    pub published: Option<String>,
    /// Width of a histogram's bins.
    pub bin: Option<f64>,
    /// Largest value of a histogram; larger ones are only counted.
    pub until: Option<f64>,
}

/// The published side of a comparison.
#[derive(Clone, Debug)]
pub enum Published {
    /// A figure of `data/references.toml`.
    Figure(Figure),
    /// The mean of a column of the suite's reference file over the same instances.
    Column(String),
}

/// A published figure beside ours.
#[derive(Clone, Debug)]
pub struct Compare {
    /// Index of the suite.
    pub suite: usize,
    /// Index of the solver.
    pub solver: usize,
    /// Compared attribute.
    pub attribute: Attribute,
    /// Only the instances of this class.
    pub class: Option<usize>,
    /// The published side.
    pub published: Published,
    /// Remark about the comparison.
    pub note: Option<String>,
}

/// Differences of the quick form.
#[derive(Clone, Debug, Default)]
pub struct Quick {
    /// Instances of every suite without a number of its own.
    pub instances: usize,
    /// Seeds, if fewer.
    pub seeds: Option<usize>,
    /// Limits that override the limits of the solvers.
    pub limits: Limits,
}

/// File of the published figures, in the folder of a catalogue of experiments.
const REFERENCES: &str = "data/references.toml";

/// The nearest folder above a file that contains published figures.
fn catalogue(file: &Path) -> Option<PathBuf> {
    let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let mut folders = whole.ancestors().skip(1);
    folders.find(|folder| folder.join(REFERENCES).is_file()).map(Path::to_owned)
}

impl Experiment {
    /// Path of the file for commands in a report: relative to the nearest folder above that has
    /// `data/references.toml`, or else the path from which the experiment was read.
    #[must_use]
    pub fn shown_path(&self) -> String {
        let relative = || {
            let folder = catalogue(&self.path).filter(|_| self.path.is_file())?;
            let whole = std::path::absolute(&self.path).ok()?;
            let parts = whole.strip_prefix(folder).ok()?.iter();
            Some(parts.map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/"))
        };
        relative().unwrap_or_else(|| self.path.display().to_string())
    }

    /// The quick form: fewer instances and seeds, lower limits, the same tables.
    #[must_use]
    pub fn quick(mut self) -> Self {
        for suite in &mut self.suites {
            let count = suite.quick.unwrap_or(self.quick.instances);
            suite.subset = count;
            match &mut suite.source {
                Source::Generator { count: all, .. } => *all = count.min(*all),
                Source::File { count: all, .. } => *all = Some(all.map_or(count, |a| a.min(count))),
                Source::Deals(first, last) => *last = (*last).min(*first + count as u64 - 1),
            }
        }
        if let Some(seeds) = self.quick.seeds {
            self.seeds.truncate(seeds);
        }
        for solver in &mut self.solvers {
            solver.limits = self.quick.limits.or(&solver.limits);
        }
        self.is_quick = true;
        self
    }
}
