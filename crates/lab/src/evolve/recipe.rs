//! What is evolved and how, as a TOML file.

use crate::error::LabError;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use unriddle_catalog::{Rng, units};
use unriddle_evolve::{
    CoevolutionConfig, GaConfig, Opponents, Scoring, Selection, SetConfig, Variation,
};

/// Version of the form of recipes. In version 1 `quantum` counted weighted values, of which a search's scores are millionths.
const VERSION: u32 = 2;

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

/// The search that a solver is run in, and how far.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Engine {
    /// Look-ahead of staged deepening.
    pub depth: u32,
    /// States of the transposition table.
    pub table: u64,
    /// The open list: `one-per-score` or `list`.
    pub open: String,
    /// Scores within the same multiple of it count as equal, as in `staged(…, quantum=…)`: a score is a weighted value in
    /// millionths. 0 for equal ones alone.
    pub quantum: f64,
    /// How values are oriented: `printed` or `distance`.
    pub orientation: String,
    /// How weighted values are combined: `sum` or `max`.
    pub combine: String,
    /// States generated per deal, such as `300k`; a deal that takes more counts as unsolved.
    pub nodes: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    puzzle: String,
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
    engine: Engine,
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
    /// Its text, by which a run knows its recipe again.
    pub text: String,
    /// The puzzle's name.
    pub puzzle: String,
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
        let mut file: File = toml::from_str(&text).map_err(|error| {
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
        if file.version < 2 {
            file.engine.quantum *= 1e6;
        } else if 0.0 < file.engine.quantum && file.engine.quantum < 1.0 {
            return Err(refused(format!(
                "quantum is {}, but scores are whole millionths of weighted values: 3000 stands for 0.003",
                file.engine.quantum
            )));
        }
        let nodes =
            units::count(&file.engine.nodes).map_err(|why| refused(format!("nodes: {why}")))?;
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
            puzzle: file.puzzle,
            seed: file.seed,
            generations: file.generations,
            config,
            variation: file.variation.unwrap_or_default(),
            finalists: file.finalists,
            engine: file.engine,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Both forms of the same recipe mean the same, and the new number in the old form is told from it.
    #[test]
    fn quantum_counts_scores() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let committed = Recipe::load(&root.join("recipes/freecell/ga.toml")).unwrap();
        assert_eq!(committed.engine.quantum, 3000.0);
        let place = tempfile::tempdir().unwrap();
        let load = |from: &str, to: &str| {
            let text = committed.text.replace(from, to);
            let training = root.join("data/freecell/training.txt");
            let training = training.display().to_string();
            let text = text.replace("../../data/freecell/training.txt", &training);
            let path = place.path().join("recipe.toml");
            std::fs::write(&path, text).unwrap();
            Recipe::load(&path)
        };
        let old = "quantum = 0.003";
        let unread = load("quantum = 3000", old).unwrap_err().to_string();
        assert!(unread.contains("3000 stands for 0.003"), "{unread}");
        load("quantum = 3000", "quantum = 0").unwrap();
        let text = committed.text.replace("version = 2", "version = 1");
        let older = load(&committed.text, &text.replace("quantum = 3000", old)).unwrap();
        assert_eq!(older.engine, committed.engine);
    }

    /// The committed sets are those that their first lines name.
    #[test]
    fn the_committed_split_is_what_it_says() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/freecell"));
        let path = &folder.join("training.txt");
        let text = std::fs::read_to_string(path).unwrap();
        assert!(
            text.starts_with("# 1,000 of the deals 1 to 32000, by seed 2011"),
            "{text:.60}"
        );
        let chosen = split(1..=32_000, 1_000, 2011);
        assert_eq!(training(path).unwrap(), chosen);
        let others = (1..=32_000).filter(|n| chosen.binary_search(n).is_err());
        let test = training(&folder.join("test-1000.txt")).unwrap();
        assert_eq!(test, split(others, 1_000, 2012));
    }
}
