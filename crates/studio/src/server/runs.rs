//! Runs of training, tuning and evolution for the page: the logs that they write, as tables.
//!
//! A run is a folder with a recipe and a log in CSV. The folders are read again for each answer, so
//! that the page sees a run that is under way. The name in a request is compared with the names of
//! the folders that were found, and no path is made of it.

use serde::Serialize;
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

/// Most runs that are listed.
const MOST: usize = 1_000;

/// Largest log that is read, in bytes.
const BYTES: u64 = 16 << 20;

/// Files of a run.
const LOG: &str = "log.csv";
const RECIPE: &str = "recipe.toml";

/// Folders of runs.
pub(super) struct Runs {
    folders: Vec<PathBuf>,
}

/// Kind of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// Training of a network.
    Training,
    /// Tuning of the numbers of a solver.
    Tuning,
    /// Evolution of the weights of a heuristic.
    Evolution,
    /// A log with other columns.
    Other,
}

impl Kind {
    /// Kind of a log with this first column.
    fn of(column: &str) -> Self {
        match column {
            "updates" => Self::Training,
            "iteration" => Self::Tuning,
            "generation" => Self::Evolution,
            _ => Self::Other,
        }
    }
}

/// Run of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RunSummary {
    /// Name of its folder.
    name: String,
    /// Kind.
    run: Kind,
    /// Time of the last line of its log, in milliseconds since 1970 (UTC).
    changed: Option<i64>,
    #[serde(skip)]
    folder: PathBuf,
}

/// Log of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RunLog {
    /// The run.
    #[serde(flatten)]
    listed: RunSummary,
    /// Recipe in TOML.
    recipe: String,
    /// Names of the columns.
    columns: Vec<String>,
    /// Lines of the log; `null` in an empty cell.
    rows: Vec<Vec<Option<Cell>>>,
}

/// Cell of a log.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Cell {
    /// Number.
    Number(f64),
    /// Text, or a number that is not finite.
    Text(String),
}

impl Cell {
    /// `None` for an empty cell.
    fn of(text: &str) -> Option<Self> {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        let cell = number.map_or_else(|| Self::Text(text.to_owned()), Self::Number);
        (!text.is_empty()).then_some(cell)
    }
}

impl Runs {
    /// Runs in folders, each a run itself or a folder of runs.
    ///
    /// # Errors
    /// A folder is missing.
    pub(super) fn open(folders: &[PathBuf]) -> Result<Self, String> {
        for folder in folders {
            fs::read_dir(folder).map_err(|error| {
                format!("{}: a folder of runs cannot be read: {error}", folder.display())
            })?;
        }
        Ok(Self { folders: folders.to_vec() })
    }

    /// All runs, sorted by name. The first one of several with the same name counts.
    pub(super) fn list(&self) -> Vec<RunSummary> {
        let mut found = Vec::new();
        for folder in &self.folders {
            found.extend(listed(folder));
            let inside = fs::read_dir(folder).into_iter().flatten().flatten();
            found.extend(inside.filter_map(|entry| listed(&entry.path())).take(MOST));
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found.dedup_by(|a, b| a.name == b.name);
        found.truncate(MOST);
        found
    }

    /// The log of a run; `None` if there is no run of this name.
    ///
    /// # Errors
    /// The log cannot be read.
    pub(super) fn get(&self, name: &str) -> Result<Option<RunLog>, String> {
        let Some(listed) = self.list().into_iter().find(|listed| listed.name == name) else {
            return Ok(None);
        };
        let failed = |error: &dyn std::fmt::Display| format!("{name}: its log: {error}");
        let log = text(&listed.folder.join(LOG)).map_err(|error| failed(&error))?;
        let recipe = text(&listed.folder.join(RECIPE)).unwrap_or_default();
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(log.as_bytes());
        let columns = reader.headers().map_err(|error| failed(&error))?;
        let columns: Vec<String> = columns.iter().map(str::to_owned).collect();
        let rows = reader.records().map(|row| Ok(row?.iter().map(Cell::of).collect()));
        let rows: Result<_, csv::Error> = rows.collect();
        let rows = rows.map_err(|error| failed(&error))?;
        Ok(Some(RunLog { listed, recipe, columns, rows }))
    }
}

/// The run of a folder; `None` if it has no log.
fn listed(folder: &Path) -> Option<RunSummary> {
    let name = folder.canonicalize().ok()?.file_name()?.to_str()?.to_owned();
    let log = folder.join(LOG);
    let changed = fs::metadata(&log).ok()?.modified().ok();
    let changed = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let mut first = String::new();
    let file = fs::File::open(&log).ok()?;
    io::BufRead::read_line(&mut io::BufReader::new(io::Read::take(file, 4096)), &mut first).ok()?;
    Some(RunSummary {
        name,
        run: Kind::of(first.split(',').next().unwrap_or_default().trim()),
        changed: changed.and_then(|since| i64::try_from(since.as_millis()).ok()),
        folder: folder.to_owned(),
    })
}

/// Text of a file of a limited size.
fn text(path: &Path) -> io::Result<String> {
    if fs::metadata(path)?.len() > BYTES {
        return Err(io::Error::other(format!("it is larger than {} MiB", BYTES >> 20)));
    }
    fs::read_to_string(path)
}
