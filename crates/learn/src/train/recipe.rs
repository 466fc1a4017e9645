//! Recipes of training: the network, what it learns, and from which examples.

use serde::Deserialize;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use toml::Spanned;
use unriddle_catalog::units;
use unriddle_catalog::work::{
    WorkError,
    reader::{Amount, Name, Reader},
};
use unriddle_core::Rng;
use unriddle_neural::{Architecture, Block};

/// Version of the form of recipes.
const VERSION: u32 = 1;

/// Sides of boards that networks are made for.
const SIDES: std::ops::RangeInclusive<u64> = 2..=7;

/// Most rows of a batch, and most steps of a walk.
const MOST: u64 = 1_000_000;

/// Actions that value iteration looks ahead: each makes two or three times as many states.
const LOOK_AHEAD: std::ops::RangeInclusive<u64> = 1..=4;

/// What the network learns.
#[derive(Clone, Debug, PartialEq)]
pub enum Method {
    /// Exact distances of all states on optimal solutions (the ANN-distance paper has the starts alone).
    Solved(Solved),
    /// One more than the least estimate of the successors by the target network, which is renewed when
    /// the loss is small (DeepCubeA's Algorithm 1).
    Iteration {
        /// Where states come from.
        walks: Walks,
        /// Some of them come from searches.
        beams: Option<Beams>,
        /// Targets follow from the target network's estimates of states `look_ahead` actions away.
        look_ahead: u32,
        /// When the target is renewed.
        renewal: Renewal,
    },
    /// Lengths of the network's own solutions.
    Bootstrap {
        /// What it solves.
        bootstrap: Bootstrap,
        /// When the network that solves is renewed.
        renewal: Renewal,
    },
    /// Lengths of random walks from the goal, which are upper bounds of distances.
    Walks(Walks),
}

impl Method {
    /// When the target is renewed, where there is one.
    pub(super) fn renewal(&self) -> Option<&Renewal> {
        match self {
            Self::Iteration { renewal, .. } | Self::Bootstrap { renewal, .. } => Some(renewal),
            Self::Solved(_) | Self::Walks(_) => None,
        }
    }

    /// Whether the network learns which of a few states is the nearest to the goal, and not how near it is.
    pub(super) fn learns_choices(&self) -> bool {
        matches!(self, Self::Solved(solved) if solved.learn != Learn::Distances)
    }
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
    /// What is learned from them.
    pub learn: Learn,
}

/// What a network learns of solutions.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Learn {
    /// How many moves are left.
    #[default]
    Distances,
    /// Imitation: which of the states that a move leads to is the next one.
    Moves,
    /// Which of two states is nearer to the goal.
    Order,
}

/// Boards that the network itself solves, beside those of a teacher.
#[derive(Clone, Debug, PartialEq)]
pub struct Bootstrap {
    /// Boards that are solved beside every round of updates.
    pub boards: u64,
    /// Examples that are kept; the oldest make room.
    pub kept: usize,
    /// States that the beam keeps of a layer.
    pub width: usize,
    /// Most steps of the walks that the first boards are.
    pub first: u64,
    /// Most steps of the last ones; they grow as boards are solved.
    pub steps: u64,
    /// By what share solutions may be longer than the network's estimate.
    pub tolerance: f64,
    /// Moves of a solution after which the target network's estimate is added; `None` counts all moves.
    pub ahead: Option<u32>,
    /// Solves short walks, alone at first.
    pub teacher: Teacher,
}

/// A solver that finds optimal solutions: IDA*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Teacher {
    /// The partition of its additive tables; Manhattan distances if there is none.
    pub tables: Option<String>,
    /// Boards that it solves beside every round of updates.
    pub boards: u64,
    /// Examples that are kept; the oldest make room.
    pub kept: usize,
    /// Most steps of the walks.
    pub steps: u64,
    /// Boards that need more generated states than this are left out.
    pub nodes: u64,
    /// Train on this source alone for the first `updates` updates.
    pub updates: u64,
}

/// Random walks from the goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Walks {
    /// Most steps.
    pub steps: u64,
    /// The length of a walk is `steps` times a uniform number to this power. The higher the power, the
    /// more walks are short.
    pub power: f64,
}

impl Walks {
    /// The length of a walk.
    pub(super) fn draw(&self, rng: &mut Rng) -> u64 {
        let all = (self.steps + 1) as f64;
        (all * rng.unit().powf(self.power)) as u64
    }
}

/// Narrow beams of the target network from the ends of walks.
#[derive(Clone, Debug, PartialEq)]
pub struct Beams {
    /// The share of the rows that are states that beams look at.
    pub share: f64,
    /// States that a beam keeps of a layer.
    pub width: usize,
    /// Most layers of a beam.
    pub depth: u32,
    /// Keep one state in `every` as a row.
    pub every: usize,
}

/// When the network that targets are made with becomes the one that is trained.
#[derive(Clone, Debug, PartialEq)]
pub struct Renewal {
    /// Check every `every` updates whether to renew the target network.
    pub every: u64,
    /// The mean loss of these updates must be below this.
    pub below: f64,
    /// Renew the target network after `at_most` updates in any case.
    pub at_most: u64,
    /// No renewal within the first `after` updates.
    pub after: u64,
    /// Whether the target network is computed in bytes.
    pub in_bytes: bool,
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
    /// Weight of an overestimate relative to an underestimate.
    pub over: f64,
    /// The share of examples that are one move off a solution path.
    pub aside: f64,
    /// Whether boards are also reflected.
    pub reflect: bool,
    /// Time between checkpoints.
    pub checkpoint: Duration,
}

impl Schedule {
    /// Updates in all.
    #[must_use]
    pub fn updates(&self) -> u64 {
        self.examples.div_ceil(self.batch as u64)
    }
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
    /// The file of the model that training begins with; random weights if there is none.
    pub start: Option<PathBuf>,
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
    bootstrap: Option<BootstrapFile>,
    walks: Option<WalksFile>,
    beams: Option<BeamsFile>,
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
    start: Option<String>,
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
    #[serde(default)]
    learn: Learn,
}

fn one() -> Spanned<f64> {
    Spanned::new(0..0, 1.0)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BootstrapFile {
    boards: Spanned<u64>,
    kept: Spanned<u64>,
    width: Spanned<u64>,
    first: Option<Spanned<u64>>,
    steps: Spanned<u64>,
    tolerance: Spanned<f64>,
    ahead: Option<Spanned<u64>>,
    renewal: Spanned<u64>,
    teacher: TeacherFile,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TeacherFile {
    tables: Option<String>,
    boards: Spanned<u64>,
    kept: Spanned<u64>,
    steps: Spanned<u64>,
    nodes: Spanned<Amount>,
    updates: Spanned<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WalksFile {
    steps: Spanned<u64>,
    #[serde(default = "one")]
    power: Spanned<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BeamsFile {
    share: Spanned<f64>,
    width: Spanned<u64>,
    depth: Spanned<u64>,
    every: Spanned<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RenewalFile {
    every: Spanned<u64>,
    below: Spanned<f64>,
    at_most: Option<Spanned<u64>>,
    look_ahead: Option<Spanned<u64>>,
    #[serde(default)]
    numbers: Numbers,
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Numbers {
    #[default]
    Single,
    Bytes,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TrainingFile {
    batch: Spanned<u64>,
    examples: Spanned<Amount>,
    rate: Spanned<f64>,
    last_rate: Option<Spanned<f64>>,
    over: Option<Spanned<f64>>,
    aside: Option<Spanned<f64>>,
    #[serde(default)]
    reflect: bool,
    checkpoint: Option<Spanned<Amount>>,
}

impl Recipe {
    /// Reads and validates a recipe.
    ///
    /// # Errors
    /// File, line and column of what is wrong with it.
    pub fn load(path: &Path) -> Result<Self, WorkError> {
        let text = std::fs::read_to_string(path).map_err(|e| WorkError::file(path, &e))?;
        Self::parse(path, &text)
    }

    /// Validates the text of a recipe, which stands in the file of that path.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn parse(path: &Path, text: &str) -> Result<Self, WorkError> {
        let reader = Reader { path, text };
        let file: File = reader.toml()?;
        if *file.version.get_ref() > VERSION {
            let newer = file.version.get_ref();
            let message =
                format!("version {newer} of recipes is newer than this program's, {VERSION}");
            return Err(reader.error(&file.version.span(), message));
        }
        reader.index("puzzle", &file.puzzle, [super::PUZZLE].into_iter())?;
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
        if let (Some(aside), Method::Walks(_) | Method::Iteration { .. }) =
            (&file.training.aside, &method)
        {
            let message =
                "states are beside solutions, which there are with [solved] and [bootstrap]";
            return Err(reader.error(&aside.span(), message));
        }
        let of_distances = [&file.training.over, &file.training.aside];
        if let (true, Some(value)) = (
            method.learns_choices(),
            of_distances.into_iter().flatten().next(),
        ) {
            let message = "is of distances; choices have none";
            return Err(reader.error(&value.span(), message));
        }
        Ok(Self {
            text: text.to_owned(),
            title: file.title,
            side: side as usize,
            seed: file.seed,
            architecture,
            from_manhattan: file.network.linear == Linear::Manhattan,
            start: file.network.start.map(|start| beside(path, &start)),
            method,
            schedule,
        })
    }
}

/// A file that is named beside the recipe.
fn beside(recipe: &Path, name: &str) -> PathBuf {
    recipe.parent().unwrap_or(Path::new("")).join(name)
}

fn within(
    reader: Reader<'_>,
    number: &Spanned<u64>,
    range: std::ops::RangeInclusive<u64>,
) -> Result<u64, WorkError> {
    match *number.get_ref() {
        n if range.contains(&n) => Ok(n),
        n => {
            let message = format!("{n} is not within {} to {}", range.start(), range.end());
            Err(reader.error(&number.span(), message))
        }
    }
}

/// A number between two others, both included.
fn real(
    reader: Reader<'_>,
    number: &Spanned<f64>,
    least: f64,
    most: f64,
) -> Result<f64, WorkError> {
    match *number.get_ref() {
        x if (least..=most).contains(&x) => Ok(x),
        x => {
            let message = format!("{x} is not within {least} to {most}");
            Err(reader.error(&number.span(), message))
        }
    }
}

fn method(reader: Reader<'_>, file: &File) -> Result<Method, WorkError> {
    let walks = match &file.walks {
        None => None,
        Some(walks) => Some(Walks {
            steps: within(reader, &walks.steps, 1..=MOST)?,
            power: real(reader, &walks.power, 0.1, 10.0)?,
        }),
    };
    let beams = match &file.beams {
        None => None,
        Some(beams) => Some(Beams {
            share: real(reader, &beams.share, 0.0, 1.0)?,
            width: within(reader, &beams.width, 1..=MOST)? as usize,
            depth: within(reader, &beams.depth, 1..=MOST)? as u32,
            every: within(reader, &beams.every, 1..=MOST)? as usize,
        }),
    };
    if let (Some(beams), None) = (&file.beams, &file.renewal) {
        let message = "beams are those of a target network: they stand beside [renewal]";
        return Err(reader.error(&beams.share.span(), message));
    }
    match (&file.solved, walks, &file.renewal, &file.bootstrap) {
        (None, None, None, Some(bootstrap)) => {
            let every = within(reader, &bootstrap.renewal, 1..=MOST)?;
            let teacher = &bootstrap.teacher;
            let steps = within(reader, &teacher.steps, 1..=MOST)?;
            let first = match &bootstrap.first {
                Some(first) => within(reader, first, 1..=MOST)?,
                None => steps,
            };
            let ahead = match &bootstrap.ahead {
                Some(ahead) => Some(within(reader, ahead, 1..=u64::from(u16::MAX))? as u32),
                None => None,
            };
            let nodes = reader.amount(Some(&teacher.nodes), units::count)?;
            let updates = within(reader, &teacher.updates, 1..=u64::MAX)?;
            Ok(Method::Bootstrap {
                bootstrap: Bootstrap {
                    boards: within(reader, &bootstrap.boards, 1..=MOST)?,
                    kept: within(reader, &bootstrap.kept, 1..=100 * MOST)? as usize,
                    width: within(reader, &bootstrap.width, 1..=MOST)? as usize,
                    first,
                    steps: within(reader, &bootstrap.steps, first..=MOST)?,
                    tolerance: real(reader, &bootstrap.tolerance, 0.0, 10.0)?,
                    ahead,
                    teacher: Teacher {
                        tables: teacher.tables.clone(),
                        boards: within(reader, &teacher.boards, 1..=MOST)?,
                        kept: within(reader, &teacher.kept, 1..=100 * MOST)? as usize,
                        steps,
                        nodes: nodes.unwrap_or_default(),
                        updates,
                    },
                },
                renewal: Renewal {
                    every,
                    below: f64::INFINITY,
                    at_most: every,
                    after: updates,
                    in_bytes: true,
                },
            })
        }
        (Some(solved), None, None, None) => {
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
                learn: solved.learn,
            }))
        }
        (None, Some(walks), None, None) => Ok(Method::Walks(walks)),
        (None, Some(walks), Some(renewal), None) => {
            let every = within(reader, &renewal.every, 1..=MOST)?;
            let at_most = match &renewal.at_most {
                Some(updates) => within(reader, updates, every..=u64::MAX)?,
                None => u64::MAX,
            };
            let look_ahead = match &renewal.look_ahead {
                Some(actions) => within(reader, actions, LOOK_AHEAD)? as u32,
                None => 1,
            };
            Ok(Method::Iteration {
                walks,
                beams,
                look_ahead,
                renewal: Renewal {
                    every,
                    below: real(reader, &renewal.below, 0.0, f64::MAX)?,
                    at_most,
                    after: 0,
                    in_bytes: renewal.numbers == Numbers::Bytes,
                },
            })
        }
        _ => {
            let message =
                "expected either [solved], or [bootstrap], or [walks], or [walks] and [renewal]";
            Err(reader.error(&file.puzzle.span(), message))
        }
    }
}

fn schedule(reader: Reader<'_>, file: &TrainingFile) -> Result<Schedule, WorkError> {
    let rate = real(reader, &file.rate, 1e-9, 1.0)?;
    let last = match &file.last_rate {
        Some(last) => real(reader, last, 0.0, rate)?,
        None => rate,
    };
    let over = match &file.over {
        Some(over) => real(reader, over, 1e-3, 1e3)?,
        None => 1.0,
    };
    let aside = match &file.aside {
        Some(aside) => real(reader, aside, 0.0, 1.0)?,
        None => 0.0,
    };
    let examples = reader.amount(Some(&file.examples), units::count)?;
    let checkpoint = reader.amount(file.checkpoint.as_ref(), units::duration)?;
    Ok(Schedule {
        batch: within(reader, &file.batch, 1..=MOST)? as usize,
        examples: examples.unwrap_or_default(),
        rate: (rate, last),
        over,
        aside,
        reflect: file.reflect,
        checkpoint: checkpoint.unwrap_or(Duration::from_secs(300)),
    })
}
