//! Recipes of training: what network learns what from which examples.

use crate::{
    error::LabError,
    reader::{Amount, Name, Reader},
};
use serde::Deserialize;
use std::{path::Path, time::Duration};
use toml::Spanned;
use unriddle_catalog::units;
use unriddle_neural::{Architecture, Block};

/// Version of the form of recipes.
const VERSION: u32 = 1;

/// Sides of boards that networks are made for.
const SIDES: std::ops::RangeInclusive<u64> = 2..=7;

/// Most rows of a batch, and most steps of a walk.
const MOST: u64 = 1_000_000;

/// What the network learns.
#[derive(Clone, Debug, PartialEq)]
pub enum Method {
    /// Exact distances: all states of optimal solutions (the ANN-distance paper, but for the states on the way).
    Solved(Solved),
    /// One more than the least of the successors, by a network that is renewed when the loss is small (DeepCubeA's
    /// Algorithm 1).
    Iteration {
        /// Where states come from.
        walks: Walks,
        /// When the target is renewed.
        renewal: Renewal,
    },
    /// The length of random walks from the goal, which the distance is at most.
    Walks(Walks),
}

/// Examples with exact distances.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// How many states.
    pub states: u64,
    /// The partition of the additive tables that the solver uses; Manhattan distances if there is none.
    pub tables: Option<String>,
    /// The share of starts that are uniformly random; others are walks from the goal.
    pub uniform: f64,
    /// Most steps of those walks.
    pub steps: u64,
}

/// Random walks from the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walks {
    /// Most steps; their number is uniform.
    pub steps: u64,
}

/// When the network that targets are made with becomes the one that is trained.
#[derive(Clone, Debug, PartialEq)]
pub struct Renewal {
    /// Every so many updates it is asked whether.
    pub every: u64,
    /// The mean loss of these updates must be below this.
    pub below: f64,
    /// After so many updates it is renewed in any case.
    pub at_most: u64,
}

/// How the network is trained.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// Rows of a batch.
    pub batch: usize,
    /// Examples in all.
    pub examples: u64,
    /// Learning rate at first and at the end; between them it falls like a cosine.
    pub rate: (f64, f64),
    /// Overestimates weigh so many times as much as underestimates.
    pub over: f64,
    /// Whether boards are also reflected.
    pub reflect: bool,
    /// Time between checkpoints.
    pub checkpoint: Duration,
}

/// A recipe.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// Its text.
    pub text: String,
    /// What it is.
    pub title: String,
    /// Side of the board.
    pub side: usize,
    /// Seed of everything random.
    pub seed: u64,
    /// The network.
    pub architecture: Architecture,
    /// Whether the linear part begins as the Manhattan distance.
    pub from_manhattan: bool,
    /// What is learned.
    pub method: Method,
    /// How.
    pub schedule: Schedule,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: Spanned<u32>,
    title: String,
    puzzle: Name,
    side: Spanned<u64>,
    seed: u64,
    network: NetworkFile,
    solved: Option<SolvedFile>,
    walks: Option<WalksFile>,
    renewal: Option<RenewalFile>,
    training: TrainingFile,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Linear {
    None,
    Random,
    Manhattan,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NetworkFile {
    linear: Linear,
    blocks: Spanned<Vec<Block>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SolvedFile {
    states: Spanned<Amount>,
    tables: Option<String>,
    #[serde(default = "one")]
    uniform: Spanned<f64>,
    steps: Option<Spanned<u64>>,
}

fn one() -> Spanned<f64> {
    Spanned::new(0..0, 1.0)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WalksFile {
    steps: Spanned<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RenewalFile {
    every: Spanned<u64>,
    below: Spanned<f64>,
    at_most: Option<Spanned<u64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TrainingFile {
    batch: Spanned<u64>,
    examples: Spanned<Amount>,
    rate: Spanned<f64>,
    last_rate: Option<Spanned<f64>>,
    over: Option<Spanned<f64>>,
    #[serde(default)]
    reflect: bool,
    checkpoint: Option<Spanned<Amount>>,
}

impl Recipe {
    /// Reads and validates a recipe.
    ///
    /// # Errors
    /// File, line and column of what is wrong with it.
    pub fn load(path: &Path) -> Result<Self, LabError> {
        let text = std::fs::read_to_string(path).map_err(|e| LabError::file(path, &e))?;
        Self::parse(path, &text)
    }

    /// Validates the text of a recipe, which stands in the file of that path.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn parse(path: &Path, text: &str) -> Result<Self, LabError> {
        let reader = Reader { path, text };
        let file: File = reader.toml()?;
        if *file.version.get_ref() > VERSION {
            let newer = file.version.get_ref();
            let message =
                format!("version {newer} of recipes is newer than this program's, {VERSION}");
            return Err(reader.error(&file.version.span(), message));
        }
        reader.index("puzzle", &file.puzzle, ["tiles"].into_iter())?;
        let side = within(reader, &file.side, SIDES)?;
        let cells = side * side;
        let architecture = Architecture {
            inputs: (cells * cells) as usize,
            groups: cells as usize,
            skip: file.network.linear != Linear::None,
            blocks: file.network.blocks.get_ref().clone(),
        };
        if let Err(why) = architecture.check() {
            return Err(reader.error(&file.network.blocks.span(), why.to_string()));
        }
        let method = method(reader, &file)?;
        let schedule = schedule(reader, &file.training)?;
        Ok(Self {
            text: text.to_owned(),
            title: file.title,
            side: side as usize,
            seed: file.seed,
            architecture,
            from_manhattan: file.network.linear == Linear::Manhattan,
            method,
            schedule,
        })
    }
}

fn within(
    reader: Reader<'_>,
    number: &Spanned<u64>,
    range: std::ops::RangeInclusive<u64>,
) -> Result<u64, LabError> {
    match *number.get_ref() {
        n if range.contains(&n) => Ok(n),
        n => {
            let message = format!("{n} is not within {} to {}", range.start(), range.end());
            Err(reader.error(&number.span(), message))
        }
    }
}

/// A number between two others, both included.
fn real(reader: Reader<'_>, number: &Spanned<f64>, least: f64, most: f64) -> Result<f64, LabError> {
    match *number.get_ref() {
        x if (least..=most).contains(&x) => Ok(x),
        x => {
            let message = format!("{x} is not within {least} to {most}");
            Err(reader.error(&number.span(), message))
        }
    }
}

fn method(reader: Reader<'_>, file: &File) -> Result<Method, LabError> {
    let walks = match &file.walks {
        None => None,
        Some(walks) => Some(Walks {
            steps: within(reader, &walks.steps, 1..=MOST)?,
        }),
    };
    match (&file.solved, walks, &file.renewal) {
        (Some(solved), None, None) => {
            let uniform = real(reader, &solved.uniform, 0.0, 1.0)?;
            let steps = match &solved.steps {
                Some(steps) => within(reader, steps, 1..=MOST)?,
                None if uniform < 1.0 => {
                    let message = "walks from the goal need `steps`, the most that they have";
                    return Err(reader.error(&solved.uniform.span(), message));
                }
                None => 0,
            };
            let states = reader.amount(Some(&solved.states), units::count)?;
            Ok(Method::Solved(Solved {
                states: states.unwrap_or_default().max(1),
                tables: solved.tables.clone(),
                uniform,
                steps,
            }))
        }
        (None, Some(walks), None) => Ok(Method::Walks(walks)),
        (None, Some(walks), Some(renewal)) => {
            let every = within(reader, &renewal.every, 1..=MOST)?;
            let at_most = match &renewal.at_most {
                Some(updates) => within(reader, updates, every..=u64::MAX)?,
                None => u64::MAX,
            };
            Ok(Method::Iteration {
                walks,
                renewal: Renewal {
                    every,
                    below: real(reader, &renewal.below, 0.0, f64::MAX)?,
                    at_most,
                },
            })
        }
        _ => {
            let message = "expected either [solved], or [walks], or [walks] and [renewal]";
            Err(reader.error(&file.puzzle.span(), message))
        }
    }
}

fn schedule(reader: Reader<'_>, file: &TrainingFile) -> Result<Schedule, LabError> {
    let rate = real(reader, &file.rate, 1e-9, 1.0)?;
    let last = match &file.last_rate {
        Some(last) => real(reader, last, 0.0, rate)?,
        None => rate,
    };
    let over = match &file.over {
        Some(over) => real(reader, over, 1e-3, 1e3)?,
        None => 1.0,
    };
    let examples = reader.amount(Some(&file.examples), units::count)?;
    let checkpoint = reader.amount(file.checkpoint.as_ref(), units::duration)?;
    Ok(Schedule {
        batch: within(reader, &file.batch, 1..=MOST)? as usize,
        examples: examples.unwrap_or_default(),
        rate: (rate, last),
        over,
        reflect: file.reflect,
        checkpoint: checkpoint.unwrap_or(Duration::from_secs(300)),
    })
}
