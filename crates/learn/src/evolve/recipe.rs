//! What is evolved and how, as a TOML file.

use crate::template::Template;
use serde::{Deserialize, de::IgnoredAny};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use toml::Spanned;
use unriddle_catalog::work::{
    WorkError,
    reader::{Amount, Name, Reader},
};
use unriddle_catalog::{Rng, units};
use unriddle_evolve::{
    CoevolutionConfig, GaConfig, Opponents, Scoring, Selection, SetConfig, Trial, Variation,
};

/// Version of the format of recipes.
const VERSION: u32 = 3;
/// What a recipe of an older version is answered with.
const OLD: &str = "is not read any more. In version 3 `solver` is the whole solver with {heuristic} in the heuristic's \
    place, such as \"astar({heuristic}, w=2)\"; `heuristic` has its own parameters, and `nodes` stands outside of \
    [engine], which is gone; `baseline` is a table with a `solver` and `nodes` of its own, and `deals` of [sets] are \
    `instances`. Where version 1 had a `quantum`, version 3 has a million times as much";
/// The placeholder of the heuristic in the template of solvers.
pub(super) const SLOT: &str = "heuristic";

/// What solvers are run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Sets of instances that evolve against the solvers.
    Coevolution,
    /// The same random instances for all solvers of a generation, drawn anew for each.
    Random,
    /// The same random instances for all generations.
    Fixed,
}

/// What solvers are compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    /// Spec of its solver.
    pub solver: String,
    /// States that it may generate on an instance.
    pub nodes: u64,
    /// The effort that an instance counts as which it does not solve with them.
    pub unsolved: Unsolved,
}

/// The effort that an instance counts as which the baseline does not solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unsolved {
    /// This number of states.
    States(u64),
    /// Twice the effort of the hardest instance that the baseline solves.
    TwiceHardest,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Read before all else.
    #[serde(rename = "version")]
    _version: IgnoredAny,
    title: String,
    puzzle: String,
    solver: Name,
    heuristic: Name,
    nodes: Spanned<Amount>,
    baseline: Table,
    generator: Option<Name>,
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
    finalists: Spanned<usize>,
    #[serde(default)]
    genes: BTreeMap<String, (f64, f64)>,
    #[serde(default)]
    sets: Sets,
}

/// `[baseline]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    solver: Name,
    nodes: Option<Spanned<Amount>>,
    unsolved: Option<Spanned<Amount>>,
}

fn population() -> usize {
    GaConfig::default().population
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Sets {
    population: usize,
    instances: usize,
    met: usize,
    every: u64,
}

impl Default for Sets {
    fn default() -> Self {
        let sets = SetConfig::default();
        Self {
            population: sets.ga.population,
            instances: sets.instances,
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
    /// Its heading.
    pub title: String,
    /// The puzzle's spec.
    pub puzzle: String,
    /// Spec of the solvers, with `{heuristic}` in the place of the heuristic.
    pub solver: String,
    /// Spec of the heuristic whose parameters evolve, with the parameters that do not.
    pub heuristic: String,
    /// What solvers are compared with.
    pub baseline: Baseline,
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
    /// States that a solver may generate on an instance.
    pub nodes: u64,
    /// Numbers of the training instances.
    pub training: Vec<u64>,
    pub(super) template: Template,
}

impl Recipe {
    /// Reads a recipe and the training numbers beside it.
    ///
    /// # Errors
    /// A file that cannot be read, with line and column where its text is wrong.
    pub fn load(path: &Path) -> Result<Self, WorkError> {
        let text = std::fs::read_to_string(path).map_err(|e| WorkError::file(path, &e))?;
        let reader = Reader { path, text: &text };
        let version = reader.version()?;
        if *version.get_ref() < VERSION {
            let message = format!("version {} of recipes {OLD}", version.get_ref());
            return Err(reader.error(&version.span(), message));
        }
        if *version.get_ref() > VERSION {
            let message = format!(
                "version {} of recipes is newer than this program's, {VERSION}",
                version.get_ref()
            );
            return Err(reader.error(&version.span(), message));
        }
        let file: File = reader.toml()?;
        let refused = |message: String| reader.error(&(0..0), message);
        let template = Template::parse(file.solver.get_ref()).ok();
        let is_ours = |template: &Template| template.slots().eq([SLOT]);
        let Some(template) = template.filter(is_ours) else {
            let message =
                "expected one placeholder, {heuristic}, where the solver takes its heuristic";
            return Err(reader.error(&file.solver.span(), message));
        };
        let count = |amount: &Spanned<Amount>| {
            let number = units::count(&amount.get_ref().text());
            let number = number.map_err(|why| reader.error(&amount.span(), why))?;
            match number {
                0 => Err(reader.error(&amount.span(), "expected a number above 0")),
                number => Ok(number),
            }
        };
        let nodes = count(&file.nodes)?;
        let baseline = Baseline {
            solver: file.baseline.solver.get_ref().clone(),
            nodes: match &file.baseline.nodes {
                Some(own) => count(own)?,
                None => nodes,
            },
            unsolved: match &file.baseline.unsolved {
                None => Unsolved::States(Scoring::default().penalty as u64),
                Some(word) if word.get_ref().text() == "twice-hardest" => Unsolved::TwiceHardest,
                Some(number) => Unsolved::States(count(number).map_err(|_| {
                    let message =
                        "expected a number of states such as \"1G\", or \"twice-hardest\"";
                    reader.error(&number.span(), message)
                })?),
            },
        };
        if let (Unsolved::States(states), Some(place)) =
            (baseline.unsolved, &file.baseline.unsolved)
            && states < baseline.nodes
        {
            let message = "an unsolved instance must not count as less than the states that the baseline may generate on it";
            return Err(reader.error(&place.span(), message));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let training = training(&folder.join(&file.training))?;
        let ga = GaConfig {
            population: file.population,
            selection: file.selection,
            ..GaConfig::default()
        };
        let dealt = file.sets.instances.saturating_mul(file.sets.met);
        let opponents = match file.method {
            Method::Coevolution => Opponents::Evolving(SetConfig {
                ga: GaConfig {
                    population: file.sets.population,
                    ..GaConfig::default()
                },
                variation: Variation::default(),
                instances: file.sets.instances,
                met: file.sets.met,
                every: file.sets.every,
            }),
            Method::Random | Method::Fixed => Opponents::Random {
                instances: dealt,
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
        let finalists = *file.finalists.get_ref();
        if finalists == 0 || finalists > file.population {
            let message = format!(
                "finalists are between 1 and the population, {}",
                file.population
            );
            return Err(reader.error(&file.finalists.span(), message));
        }
        Ok(Self {
            path: path.to_owned(),
            title: file.title,
            puzzle: file.puzzle,
            solver: file.solver.into_inner(),
            heuristic: file.heuristic.into_inner(),
            baseline,
            generator: file.generator.map(Spanned::into_inner),
            genes: file.genes,
            seed: file.seed,
            generations: file.generations,
            config,
            variation: file.variation.unwrap_or_default(),
            finalists,
            nodes,
            training,
            template,
            text: text.clone(),
        })
    }

    /// How trials are scored against those of the baseline.
    #[must_use]
    pub fn scoring(&self, baseline: &[Trial]) -> Scoring {
        let hardest = |trials: &[Trial]| {
            let solved = trials.iter().filter(|trial| trial.solved);
            solved.map(|trial| trial.effort).reduce(f64::max)
        };
        Scoring {
            penalty: match self.baseline.unsolved {
                Unsolved::States(states) => states as f64,
                // A baseline that solves nothing has used up its budget everywhere.
                Unsolved::TwiceHardest => {
                    2.0 * hardest(baseline).unwrap_or(self.baseline.nodes as f64)
                }
            },
            ..self.config.scoring
        }
    }
}

/// The numbers of a file, one a line; lines that begin with `#` are comments.
fn training(path: &Path) -> Result<Vec<u64>, WorkError> {
    let text = std::fs::read_to_string(path).map_err(|e| WorkError::file(path, &e))?;
    let mut numbers = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        if !bare.is_empty() && !bare.starts_with('#') {
            let number = bare.parse().map_err(|_| {
                WorkError::at(
                    path,
                    &text,
                    &(offset..offset),
                    "expected the number of a training instance",
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

    const GOOD: &str = "version = 3\ntitle = \"t\"\npuzzle = \"toy\"\nsolver = \"search({heuristic}, w=2)\"\n\
        heuristic = \"sum\"\nmethod = \"fixed\"\nseed = 1\ngenerations = 1\npopulation = 2\n\
        training = \"numbers\"\nfinalists = 1\nnodes = \"3k\"\nsets = { instances = 1, met = 1 }\n\
        baseline = { solver = \"plain\", nodes = \"20M\" }\n";

    fn read(text: &str) -> Result<Recipe, String> {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("numbers"), "1\n2\n").unwrap();
        let path = place.path().join("recipe.toml");
        std::fs::write(&path, text).unwrap();
        Recipe::load(&path).map_err(|error| {
            let error = error.to_string();
            error.replace(&format!("{}, ", path.display()), "")
        })
    }

    /// The baseline has a budget of its own, and says what unsolved instances count as.
    #[test]
    fn the_baseline_has_a_budget_of_its_own() {
        let recipe = read(GOOD).unwrap();
        assert_eq!((recipe.nodes, recipe.baseline.nodes), (3_000, 20_000_000));
        let shared = read(&GOOD.replace(", nodes = \"20M\"", "")).unwrap();
        assert_eq!(shared.baseline.nodes, 3_000);
        let trials = [Trial::solved(70.0), Trial::unsolved(), Trial::solved(900.0)];
        // As in GA-FreeCell, if nothing else is said.
        assert_eq!(recipe.scoring(&trials).penalty, 1e9);
        let with = |unsolved: &str| {
            let text = format!("\"20M\", unsolved = {unsolved}");
            read(&GOOD.replace("\"20M\"", &text))
        };
        let hardest = with("\"twice-hardest\"").unwrap();
        assert_eq!(hardest.scoring(&trials).penalty, 1_800.0);
        assert_eq!(hardest.scoring(&trials[1..2]).penalty, 40e6);
        assert_eq!(with("\"40M\"").unwrap().scoring(&trials).penalty, 40e6);
        let less = with("1000").unwrap_err();
        assert!(
            less.starts_with("line 14, column 58: an unsolved"),
            "{less}"
        );
        let word = with("\"twice\"").unwrap_err();
        assert!(word.contains("or \"twice-hardest\""), "{word}");
    }

    #[test]
    fn what_is_wrong_is_shown_where_it_is() {
        for (old, new, expected) in [
            (
                "version = 3",
                "version = 2",
                "line 1, column 11: version 2 of recipes is not read any more",
            ),
            (
                "version = 3",
                "version = 4",
                "line 1, column 11: version 4 of recipes is newer",
            ),
            (
                "{heuristic}",
                "h",
                "line 4, column 10: expected one placeholder, {heuristic}",
            ),
            (
                "{heuristic}",
                "{h}",
                "line 4, column 10: expected one placeholder, {heuristic}",
            ),
            ("\"3k\"", "\"3x\"", "line 12, column 9: "),
            (
                "finalists = 1",
                "finalists = 3",
                "line 11, column 13: finalists are",
            ),
            ("nodes = \"20M\"", "node = \"20M\"", "unknown field `node`"),
        ] {
            assert!(GOOD.contains(old), "{old}");
            let said = read(&GOOD.replace(old, new)).unwrap_err();
            assert!(said.contains(expected), "expected {expected}, found {said}");
        }
    }
}
