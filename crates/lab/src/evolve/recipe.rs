//! What is evolved and how, as a TOML file.

use crate::{
    error::LabError,
    reader::{Amount, Name},
};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use toml::Spanned;
use unriddle_catalog::{Rng, units};
use unriddle_evolve::{
    CoevolutionConfig, GaConfig, Opponents, Scoring, Selection, SetConfig, Variation,
};

/// Version of the format of recipes. In version 1, `quantum` counted weighted values; a search's
/// scores are millionths of them.
const VERSION: u32 = 2;
/// The search of recipes that name none.
const SEARCH: &str = "staged";

/// What solvers are run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Sets of deals that evolve against the solvers.
    Coevolution,
    /// The same random deals for all solvers of a generation, drawn anew for each.
    Random,
    /// The same random deals for all generations.
    Fixed,
}

/// The search that a solver is run in, with what is the same for all solvers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// The name of the search.
    pub search: String,
    /// Parameters of the search and of the heuristic with their values, as in a spec, in the order of the file.
    pub options: Vec<(String, String)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    puzzle: String,
    heuristic: Option<String>,
    baseline: Option<String>,
    generator: Option<String>,
    method: Method,
    seed: u64,
    generations: u64,
    #[serde(default = "population")]
    population: usize,
    #[serde(default)]
    selection: Selection,
    #[serde(default)]
    variation: Option<Variation>,
    training: PathBuf,
    finalists: usize,
    engine: BTreeMap<Name, Spanned<Amount>>,
    #[serde(default)]
    genes: BTreeMap<String, (f64, f64)>,
    #[serde(default)]
    sets: Sets,
}

fn population() -> usize {
    GaConfig::default().population
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Sets {
    population: usize,
    deals: usize,
    met: usize,
    every: u64,
}

impl Default for Sets {
    fn default() -> Self {
        let sets = SetConfig::default();
        Self {
            population: sets.ga.population,
            deals: sets.instances,
            met: sets.met,
            every: sets.every,
        }
    }
}

/// A recipe.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Its text, by which a run recognises its recipe.
    pub text: String,
    /// Its file.
    pub path: PathBuf,
    /// The puzzle's spec.
    pub puzzle: String,
    /// Spec of the heuristic whose parameters evolve, with the parameters that do not.
    pub heuristic: Option<String>,
    /// Spec of the solver that others are compared with. Options of the engine's search that it
    /// does not give are those of the engine.
    pub baseline: Option<String>,
    /// Spec of the generator of the training instances; without one they are numbered deals.
    pub generator: Option<String>,
    /// The parameters that evolve, each with the least value and the value that it stays below. If
    /// there are none, all real parameters evolve.
    pub genes: BTreeMap<String, (f64, f64)>,
    /// Seed of everything random.
    pub seed: u64,
    /// Generations of solvers.
    pub generations: u64,
    /// How solvers and their opponents are bred.
    pub config: CoevolutionConfig,
    /// How genes vary.
    pub variation: Variation,
    /// How many of the best are compared on the whole training set at the end.
    pub finalists: usize,
    /// The search.
    pub engine: Engine,
    /// States generated per deal.
    pub nodes: u64,
    /// Numbers of the training instances.
    pub training: Vec<u64>,
}

impl Recipe {
    /// Reads a recipe and the training numbers beside it.
    ///
    /// # Errors
    /// A file that cannot be read, with line and column where its text is wrong.
    pub fn load(path: &Path) -> Result<Self, LabError> {
        let text = std::fs::read_to_string(path).map_err(|e| LabError::file(path, &e))?;
        let file: File = toml::from_str(&text).map_err(|error| {
            let place = error.span().unwrap_or(0..0);
            LabError::at(path, &text, &place, error.message())
        })?;
        let refused = |message: String| LabError::at(path, &text, &(0..0), message);
        if file.version > VERSION {
            return Err(refused(format!(
                "version {} of recipes is newer than this program's, {VERSION}",
                file.version
            )));
        }
        let mut search = SEARCH.to_owned();
        let mut nodes = None;
        let mut options = Vec::new();
        let mut table: Vec<_> = file.engine.into_iter().collect();
        table.sort_by_key(|(name, _)| name.span().start);
        for (name, value) in table {
            let mut text = value.get_ref().text();
            match name.get_ref().as_str() {
                "search" => search = text,
                "nodes" => {
                    let count = units::count(&text);
                    nodes = Some(count.map_err(|why| refused(format!("nodes: {why}")))?);
                }
                other => {
                    if other == "quantum" {
                        text = quantum(text, file.version).map_err(refused)?;
                    }
                    options.push((other.to_owned(), text));
                }
            }
        }
        let Some(nodes) = nodes else {
            let message = "the engine has no `nodes`, the states that a trial may generate";
            return Err(refused(message.to_owned()));
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let training = training(&folder.join(&file.training))?;
        let ga = GaConfig {
            population: file.population,
            selection: file.selection,
            ..GaConfig::default()
        };
        let deals = file.sets.deals * file.sets.met;
        let opponents = match file.method {
            Method::Coevolution => Opponents::Evolving(SetConfig {
                ga: GaConfig {
                    population: file.sets.population,
                    ..GaConfig::default()
                },
                variation: Variation::default(),
                instances: file.sets.deals,
                met: file.sets.met,
                every: file.sets.every,
            }),
            Method::Random | Method::Fixed => Opponents::Random {
                instances: deals,
                redraw: file.method == Method::Random,
            },
        };
        let config = CoevolutionConfig {
            solvers: ga,
            opponents,
            scoring: Scoring::default(),
        };
        config
            .validate(training.len())
            .map_err(|why| refused(why.to_string()))?;
        if file.finalists == 0 || file.finalists > file.population {
            return Err(refused(format!(
                "finalists are between 1 and the population, {}",
                file.population
            )));
        }
        Ok(Self {
            path: path.to_owned(),
            puzzle: file.puzzle,
            heuristic: file.heuristic,
            baseline: file.baseline,
            generator: file.generator,
            genes: file.genes,
            seed: file.seed,
            generations: file.generations,
            config,
            variation: file.variation.unwrap_or_default(),
            finalists: file.finalists,
            engine: Engine { search, options },
            nodes,
            training,
            text,
        })
    }
}

/// The numbers of a file, one a line; lines that begin with `#` are comments.
fn training(path: &Path) -> Result<Vec<u64>, LabError> {
    let text = std::fs::read_to_string(path).map_err(|e| LabError::file(path, &e))?;
    let mut numbers = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        if !bare.is_empty() && !bare.starts_with('#') {
            let number = bare.parse().map_err(|_| {
                LabError::at(
                    path,
                    &text,
                    &(offset..offset),
                    "expected the number of a deal",
                )
            })?;
            numbers.push(number);
        }
        offset += line.len();
    }
    Ok(numbers)
}

/// A seeded choice of `count` numbers, in rising order: a training set. The others are the test set.
#[must_use]
pub fn split(numbers: impl Iterator<Item = u64>, count: usize, seed: u64) -> Vec<u64> {
    let mut numbers: Vec<u64> = numbers.collect();
    Rng::new(seed).shuffle(&mut numbers);
    numbers.truncate(count);
    numbers.sort_unstable();
    numbers
}

/// The option `quantum` of a recipe of version `version`, in scores.
fn quantum(text: String, version: u32) -> Result<String, String> {
    Ok(match text.parse::<f64>() {
        Ok(quantum) if version < 2 => (quantum * 1e6).to_string(),
        Ok(quantum) if 0.0 < quantum && quantum < 1.0 => {
            return Err(format!(
                "quantum is {quantum}, but scores are whole millionths of weighted values: 3000 stands for 0.003"
            ));
        }
        _ => text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both versions of a recipe mean the same.
    #[test]
    fn quantum_counts_scores() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("numbers"), "1\n2\n").unwrap();
        let read = |version: u32, quantum: &str| {
            let text = format!(
                "version = {version}\npuzzle = \"toy\"\nmethod = \"fixed\"\nseed = 1\ngenerations = 1\npopulation = 2\n\
                 training = \"numbers\"\nfinalists = 1\nsets = {{ deals = 1, met = 1 }}\n\
                 engine = {{ z = 1, quantum = {quantum}, a = \"b\", nodes = \"3k\" }}\n"
            );
            let path = place.path().join("recipe.toml");
            std::fs::write(&path, text).unwrap();
            Recipe::load(&path)
        };
        let unread = read(2, "0.003").unwrap_err().to_string();
        assert!(unread.contains("3000 stands for 0.003"), "{unread}");
        let load = |version, quantum| read(version, quantum).unwrap();
        let (old, new) = (load(1, "0.003"), load(2, "3000"));
        assert_eq!(old.engine, new.engine);
        assert_eq!((new.nodes, new.engine.search.as_str()), (3_000, SEARCH));
        let options = new.engine.options.iter();
        let options: Vec<_> = options.map(|(n, v)| format!("{n}={v}")).collect();
        assert_eq!(options, ["z=1", "quantum=3000", "a=b"]);
        assert_eq!(load(1, "0").engine, load(2, "0").engine);
    }
}
