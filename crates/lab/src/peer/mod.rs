//! External programs on the same instances, so that "faster than X" is a committed experiment.
//!
//! A peer is described by a TOML file:
//!
//! ```toml
//! name = "fc-solve"
//! origin = "https://…"                            # where to get it
//! version = ["fc-solve", "--version"]             # its first line of output is recorded
//! # {instance}, {file}, {id}, {seed}; without {instance} and {file} the instance is on stdin
//! command = ["fc-solve", "-l", "lg", "{file}"]
//! [output]                                        # regular expressions with one group, by line
//! solution = "^Solution: (.*)$"                   # in the puzzle's notation, for the checker
//! expanded = "^Expanded (\\d+) states"
//! unsolvable = "^No solution"                     # output for an instance without a solution
//! ```
//!
//! A program that begins with `./` is looked up beside the file. The claim of a peer is never a
//! proof: only a solution that the checker has replayed counts.

mod process;

pub use process::abandon;

use crate::{
    error::LabError,
    experiment::Limits,
    key::PEER_PREFIX,
    reader::Reader,
    row::{Failure, Row, Status},
};
use regex_lite::Regex;
use serde::Deserialize;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use toml::Spanned;
use unriddle_catalog::Registry;
use xxhash_rust::xxh3::xxh3_64;

/// Time limit for a peer to print its version.
const VERSION_TIME: Duration = Duration::from_secs(20);

/// External program with its description.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Name.
    pub name: String,
    /// First line that it prints as its version; empty before [`ask`](Self::ask).
    pub version: String,
    /// Name, command and a digest of the patterns for its output: together with the version they
    /// decide a run.
    pub text: String,
    /// File of the description.
    pub path: PathBuf,
    /// Command that prints its version.
    version_command: Vec<String>,
    /// Source from which it is available.
    origin: Option<String>,
    command: Vec<String>,
    solution: Option<Regex>,
    /// Whether the solution consists of all matching lines, joined.
    joined: bool,
    expanded: Option<Regex>,
    generated: Option<Regex>,
    unsolvable: Option<Regex>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    origin: Option<String>,
    version: Spanned<Vec<String>>,
    command: Spanned<Vec<String>>,
    output: Output,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Output {
    solution: Option<Spanned<String>>,
    #[serde(default)]
    joined: bool,
    expanded: Option<Spanned<String>>,
    generated: Option<Spanned<String>>,
    unsolvable: Option<Spanned<String>>,
}

impl Peer {
    /// Reads the description.
    ///
    /// # Errors
    /// The description is invalid: line and column.
    pub fn read(path: &Path) -> Result<Self, LabError> {
        let text = std::fs::read_to_string(path).map_err(|error| LabError::file(path, &error))?;
        let file: File = toml::from_str(&text).map_err(|error| {
            LabError::at(path, &text, &error.span().unwrap_or(0..0), error.message())
        })?;
        let reader = Reader { path, text: &text };
        let folder = path.parent().unwrap_or(Path::new(""));
        let located = |words: &Spanned<Vec<String>>| {
            let Some((program, rest)) = words.get_ref().split_first() else {
                return reader.refuse(words, "expected a program and its arguments");
            };
            let program = program.strip_prefix("./").map_or(program.clone(), |beside| {
                let whole = folder.join(beside);
                let whole = std::path::absolute(&whole).unwrap_or(whole);
                whole.to_string_lossy().into_owned()
            });
            Ok([&[program], rest].concat())
        };
        let pattern = |pattern: &Option<Spanned<String>>, groups: usize| {
            let Some(pattern) = pattern else {
                return Ok(None);
            };
            match Regex::new(pattern.get_ref()) {
                Ok(regex) if regex.captures_len() == groups + 1 => Ok(Some(regex)),
                Ok(_) => {
                    reader.refuse(pattern, format!("expected a pattern with {groups} group(s)"))
                }
                Err(error) => reader.refuse(pattern, error.to_string()),
            }
        };
        let command = located(&file.command)?;
        let Output { solution, joined, expanded, generated, unsolvable } = file.output;
        let patterns = [&solution, &expanded, &generated, &unsolvable];
        let [a, b, c, d] = patterns.map(|pattern| pattern.as_ref().map(Spanned::get_ref));
        let digest = xxh3_64(format!("{:?}", (a, b, c, d, joined)).as_bytes()) as u32;
        let words = file.command.get_ref().join(" ");
        Ok(Self {
            text: format!("{}{}: {words} #{digest:08x}", PEER_PREFIX, file.name),
            name: file.name,
            version: String::new(),
            path: path.to_owned(),
            version_command: located(&file.version)?,
            origin: file.origin,
            command,
            solution: pattern(&solution, 1)?,
            joined,
            expanded: pattern(&expanded, 1)?,
            generated: pattern(&generated, 1)?,
            unsolvable: pattern(&unsolvable, 0)?,
        })
    }

    /// Asks the program for its version.
    ///
    /// # Errors
    /// The program is not installed; the message contains its origin.
    pub fn ask(&mut self) -> Result<(), LabError> {
        let version = process::first_line(&self.version_command, self.folder(), VERSION_TIME);
        self.version = version.map_err(|why| {
            let origin = self.origin.iter();
            let origin: String = origin.map(|o| format!("; it can be had from {o}")).collect();
            LabError::Data(format!("the peer `{}`: {why}{origin}", self.name))
        })?;
        Ok(())
    }

    /// Folder of the description, which is the program's working directory.
    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// Runs the program on the instance of a row and fills in the outcome. `registry` has the
    /// checker of its solution, `scratch` is the folder for the instance's file, and `alive` is
    /// called repeatedly while the program runs.
    pub fn run(
        &self,
        registry: &Registry,
        row: &mut Row,
        limits: &Limits,
        scratch: &Path,
        alive: &mut dyn FnMut(),
    ) {
        let ran = match process::run(&self.command, self.folder(), scratch, row, limits, alive) {
            Ok(ran) => ran,
            Err(why) => {
                row.failure = Some(Failure::Refused);
                row.reason = Some(why);
                return;
            }
        };
        row.cpu_s = Some(ran.cpu.as_secs_f64());
        row.setup_cpu_s = Some(0.0);
        row.wall_s = Some(ran.wall.as_secs_f64());
        row.peak_resident_bytes = ran.peak_resident.filter(|&bytes| bytes > 0);
        let group = |regex: &Option<Regex>| {
            let regex = regex.as_ref()?;
            // The last matching line counts.
            let mut lines = ran.output.lines().rev();
            let found = lines.find_map(|line| regex.captures(line))?;
            Some(found.get(1)?.as_str().trim().to_owned())
        };
        let number =
            |regex| group(regex).and_then(|text| text.replace([',', '_'], "").parse().ok());
        row.expanded = number(&self.expanded);
        row.generated = number(&self.generated);
        let solution = match (&self.solution, self.joined) {
            (Some(regex), true) => {
                let lines = ran.output.lines().filter_map(|line| regex.captures(line));
                let parts: Vec<String> = lines.map(|found| found[1].trim().to_owned()).collect();
                (!parts.is_empty()).then(|| parts.join(" "))
            }
            _ => group(&self.solution),
        };
        if let Some(solution) = solution {
            row.status = Status::Solved;
            row.checked_by = registry.checker(&row.puzzle).ok().map(|c| c.to_string());
            match registry.verify(&row.puzzle, &row.instance, &solution) {
                Ok((value, length)) => {
                    row.checked = Some(true);
                    row.value = Some(value);
                    row.length = Some(length);
                }
                Err(why) => {
                    row.checked = Some(false);
                    row.reason = Some(why.to_string());
                }
            }
            row.solution = Some(solution);
            return;
        }
        let gave_up = self.unsolvable.as_ref();
        if gave_up.is_some_and(|regex| ran.output.lines().any(|line| regex.is_match(line))) {
            // The program claims it without a proof.
            row.status = Status::Exhausted;
            row.reason = Some("the program claims that there is no solution".to_owned());
        } else if let Some(limit) = ran.limit {
            row.status = Status::Stopped;
            row.stopped_by = Some(limit.to_owned());
        } else if ran.success {
            row.status = Status::Exhausted;
            row.reason = Some("the program ended without a solution".to_owned());
        } else {
            row.failure = Some(Failure::Crashed);
            row.reason = Some(ran.end);
        }
    }
}
