//! From the text of a recipe to the recipe.

use super::recipe::{
    Entry, Keep, Learn, Own, Pool, Recipe, Renewal, Round, Schedule, Solved, Source, Stage, Starts,
    WalkTarget, Walks, Window,
};
use crate::{
    fields::{Fields, Table},
    recipe::{Reading, check_version, whole},
};
use serde::{Deserialize, de::IgnoredAny};
use std::{path::Path, time::Duration};
use toml::Spanned;
use unriddle_catalog::{
    AnyPuzzle, Family, Registry,
    training_data::{Backup, Narrow, TrainingData},
    work::{
        WorkError,
        reader::{Name, Reader, unknown},
    },
};
use unriddle_core::{Rng, Steps};
use unriddle_neural::{
    Architecture, Block, Head, Precision,
    train::{Products, Views},
};

/// Version of the form of recipes.
const VERSION: u32 = 2;

/// Most rows of a batch, most steps of a walk, and most of whatever else is counted.
const MOST: u64 = 1_000_000;

/// Actions that value iteration looks ahead: each makes two or three times as many states.
const LOOK_AHEAD: std::ops::RangeInclusive<u64> = 1..=4;

/// States on which it is checked that the puzzle's declarations hold: a moment's work.
const CHECKED: usize = 2000;

/// Words for a linear part that is no heuristic of the puzzle.
const NO_LINEAR: &str = "none";
const RANDOM_LINEAR: &str = "random";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Read before all else.
    #[serde(rename = "version")]
    _version: IgnoredAny,
    title: String,
    puzzle: Name,
    instances: Name,
    levels: Option<Spanned<u64>>,
    seed: u64,
    network: NetworkFile,
    #[serde(default)]
    source: Vec<Table>,
    target: Option<Table>,
    training: Option<Table>,
    #[serde(default)]
    stage: Vec<StageFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NetworkFile {
    input: Option<Name>,
    linear: Option<Name>,
    outputs: Option<Name>,
    start: Option<String>,
    precision: Option<Name>,
    shared: Option<Spanned<bool>>,
    blocks: Spanned<Vec<Block>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StageFile {
    seed: Option<u64>,
    source: Vec<Table>,
    target: Option<Table>,
    training: Table,
}

impl Recipe {
    /// Reads and validates a recipe for a puzzle of a registry.
    ///
    /// # Errors
    /// File, line and column of everything that is wrong with it.
    pub fn load(path: &Path, registry: &Registry) -> Result<Self, WorkError> {
        let text = std::fs::read_to_string(path).map_err(|e| WorkError::file(path, &e))?;
        Self::parse(path, &text, registry)
    }

    /// Validates the text of a recipe, which stands in the file of that path.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn parse(path: &Path, text: &str, registry: &Registry) -> Result<Self, WorkError> {
        let reader = Reader { path, text };
        let old = "has one method where there are now sources: write `instances` for `side`, a \
                   [[source]] with `from = \"walks\"`, \"solved\" and so on for each of its tables, and [target] for [renewal]; \
                   see recipes/README.md";
        check_version(reader, VERSION, old)?;
        let file: File = reader.toml()?;
        let mut reading = Reading::new(reader, registry);
        let recipe = recipe(&mut reading, path, text, file, registry);
        reading.end(recipe)
    }
}

fn recipe(
    reading: &mut Reading<'_>,
    path: &Path,
    text: &str,
    file: File,
    registry: &Registry,
) -> Option<Recipe> {
    let (family, puzzle) = reading.puzzle(&file.puzzle)?;
    reading.generator(family, &file.instances)?;
    let training_data = match instance(family, &*puzzle, file.instances.get_ref(), file.seed, 0) {
        Ok(Some(training_data)) => training_data,
        Ok(None) => {
            let message = format!(
                "{} declares no inputs of networks, so that none can be trained for it",
                family.info.name
            );
            reading.wrong(&file.puzzle, message);
            return None;
        }
        Err(why) => {
            reading.wrong(&file.instances, why);
            return None;
        }
    };
    let training_data = match &file.network.input {
        None => training_data,
        Some(name) => seen_by(reading, &*training_data, name)?,
    };
    if let Err(why) = training_data.check(CHECKED) {
        reading.wrong(
            &file.puzzle,
            format!("what the puzzle declares for networks does not hold: {why}"),
        );
    }
    let levels = match &file.levels {
        None => 1,
        Some(levels) => reading.count("levels", levels, MOST)?,
    };
    let (linear, skip) = linear(reading, &*training_data, file.network.linear.as_ref())?;
    let blocks = file.network.blocks.get_ref().clone();
    let has_convolutions = blocks.iter().any(|block| block.layers.is_conv());
    if has_convolutions && training_data.grid().is_none() {
        let message = "convolutions go over a grid, and this puzzle's input is none";
        reading.wrong(&file.network.blocks, message);
        return None;
    }
    let architecture = Architecture {
        inputs: training_data.inputs(),
        groups: training_data.groups(),
        grid: training_data.grid().filter(|_| has_convolutions).map(Into::into),
        skip,
        blocks,
    };
    if architecture.head() != Head::Value {
        let message = "a head among the blocks: write `outputs` beside them, which knows the number of actions";
        reading.wrong(&file.network.blocks, message);
        return None;
    }
    let architecture =
        match outputs(reading, file.network.outputs.as_ref(), training_data.actions())? {
            Head::Value => architecture,
            // Two states beside each other.
            Head::Pair => Architecture {
                inputs: 2 * architecture.inputs,
                groups: 2 * architecture.groups,
                ..architecture
            }
            .with_head(Head::Pair),
            head => architecture.with_head(head),
        };
    if let Err(why) = architecture.check() {
        reading.wrong(&file.network.blocks, why.to_string());
    }
    let shared = shared(reading, &*training_data, &architecture, file.network.shared.as_ref())?;
    let is_chain = !file.stage.is_empty();
    let mut stages = Vec::new();
    if is_chain && (!file.source.is_empty() || file.target.is_some() || file.training.is_some()) {
        let message = "with [[stage]] all sources, targets and trainings stand in the stages";
        reading.wrong(&file.puzzle, message);
    }
    match file.training {
        Some(training) if !is_chain => {
            let tables = (file.source, file.target, training);
            stages.push(stage(
                reading,
                (family, &*training_data, architecture.head()),
                file.seed,
                tables,
            ));
        }
        None if !is_chain => reading.wrong(&file.puzzle, "[training] is missing"),
        _ => {}
    }
    for (number, entry) in (0u64..).zip(file.stage) {
        // Different unless it is said otherwise.
        let seed = entry.seed.unwrap_or(file.seed.wrapping_add(number));
        let tables = (entry.source, entry.target, entry.training);
        stages.push(stage(reading, (family, &*training_data, architecture.head()), seed, tables));
    }
    let stages: Option<Vec<Stage>> = stages.into_iter().collect();
    let precision =
        match file.network.precision.as_ref().map(|name| (name, name.get_ref().as_str())) {
            None | Some((_, "half")) => Precision::F16,
            Some((_, "bytes")) => Precision::Bytes,
            Some((name, other)) => {
                let message =
                    format!("the precision `{other}` of the model's file: `half` or `bytes`");
                reading.wrong(name, message);
                return None;
            }
        };
    let start = file.network.start;
    Some(Recipe {
        registry: registry.clone(),
        text: text.to_owned(),
        title: file.title,
        puzzle: puzzle.spec(),
        instances: file.instances.into_inner(),
        levels,
        training_data,
        architecture,
        linear,
        shared,
        precision,
        start: start.map(|start| path.parent().unwrap_or(Path::new("")).join(start)),
        stages: stages?,
    })
}

/// Whether units of the first layer share their weights.
fn shared(
    reading: &mut Reading<'_>,
    training_data: &dyn TrainingData,
    architecture: &Architecture,
    given: Option<&Spanned<bool>>,
) -> Option<bool> {
    let Some(given) = given.filter(|given| *given.get_ref()) else {
        return Some(false);
    };
    let message = if training_data.images().is_empty() {
        "`shared` is true, but the puzzle declares no symmetries"
    } else if architecture.head() == Head::Pair || !Views::suit(architecture) {
        "`shared` is true: only of networks that see one state, of dense layers without norms and dropout, with narrow ones behind the first"
    } else {
        return Some(true);
    };
    reading.wrong(given, message);
    None
}

/// The training data of the instance of a number that a generator makes; `None` of a puzzle without inputs of networks.
pub(super) fn instance(
    family: &Family,
    puzzle: &dyn AnyPuzzle,
    generator: &str,
    seed: u64,
    number: u64,
) -> Result<Option<Box<dyn TrainingData>>, String> {
    let bound = family.generator(Some(generator)).map_err(|e| e.to_string())?;
    let text = puzzle.generate(&bound, &mut Rng::stream(seed, number));
    let text = text.map_err(|e| e.to_string())?;
    let instance = puzzle.load(&text).map_err(|e| e.to_string())?;
    Ok(instance.training_data())
}

/// The training data, seen by the input of a name.
fn seen_by(
    reading: &mut Reading<'_>,
    training_data: &dyn TrainingData,
    name: &Name,
) -> Option<Box<dyn TrainingData>> {
    let known = training_data.input_names();
    let place = known.iter().position(|known| known == name.get_ref());
    match (place, known) {
        (Some(place), _) => return Some(training_data.seen_by(place)),
        (None, [_]) => {
            reading.wrong(name, "the puzzle has one input, which needs no name".to_owned())
        }
        (None, known) => reading.wrong(name, unknown("input", name.get_ref(), known)),
    }
    None
}

/// What the network says.
fn outputs(reading: &mut Reading<'_>, name: Option<&Name>, actions: usize) -> Option<Head> {
    let heads = [
        ("value", Head::Value),
        ("actions", Head::Actions(actions)),
        ("value-and-actions", Head::ValueAndActions(actions)),
        ("policy", Head::Policy(actions)),
        ("pair", Head::Pair),
    ];
    let Some(name) = name else {
        return Some(Head::Value);
    };
    let found = heads.iter().find(|(word, _)| word == name.get_ref());
    if found.is_none() {
        let known: Vec<&str> = heads.iter().map(|(word, _)| *word).collect();
        reading.wrong(name, unknown("kind of outputs", name.get_ref(), &known));
    }
    found.map(|(_, head)| *head)
}

/// Weights that the linear part begins with, and whether there is one.
fn linear(
    reading: &mut Reading<'_>,
    training_data: &dyn TrainingData,
    name: Option<&Name>,
) -> Option<(Option<Vec<f32>>, bool)> {
    let Some(name) = name else {
        return Some((None, false));
    };
    match name.get_ref().as_str() {
        NO_LINEAR => return Some((None, false)),
        RANDOM_LINEAR => return Some((None, true)),
        _ => {}
    }
    let known = training_data.linear();
    let found = known.iter().find(|linear| linear.name == name.get_ref());
    let Some(found) = found else {
        let names = known.iter().map(|linear| linear.name);
        let names: Vec<&str> = names.chain([NO_LINEAR, RANDOM_LINEAR]).collect();
        reading.wrong(name, unknown("linear part", name.get_ref(), &names));
        return None;
    };
    Some((Some(found.weights.clone()), true))
}

fn stage(
    reading: &mut Reading<'_>,
    (family, training_data, head): (&Family, &dyn TrainingData, Head),
    seed: u64,
    (sources, target, training): (Vec<Table>, Option<Table>, Table),
) -> Option<Stage> {
    let schedule = schedule(Fields::new(reading, training), training_data);
    let target = match target {
        None => Some(None),
        Some(table) => renewal(Fields::new(reading, table), training_data).map(Some),
    };
    let has_target = !matches!(target, Some(None));
    let count = sources.len();
    let mut entries = Vec::new();
    for table in sources {
        let mut fields = Fields::new(reading, table);
        let entry = entry(&mut fields, family);
        if let Some(entry) = &entry {
            if entry.source.needs_target() && !has_target {
                fields.wrong("this source asks a target network: [target] is missing");
            }
            if !entry.source.suits(head) {
                fields.wrong("this source says nothing that a network with these outputs learns");
            }
            if entry.source.is_choice() && count > 1 {
                fields.wrong(
                    "choices and distances are not learned together: this must be the only source",
                );
            }
        }
        fields.end();
        entries.push(entry);
    }
    let sources: Vec<Entry> = entries.into_iter().collect::<Option<_>>()?;
    let (schedule, target) = (schedule?, target?);
    let nowhere = Spanned::new(0..0, ());
    if sources.is_empty() {
        reading.wrong(&nowhere, "there is no [[source]]");
        return None;
    }
    if target.is_some() && !sources.iter().any(|entry| entry.source.needs_target()) {
        reading.wrong(&nowhere, "[target] is there, but no source asks a target network");
        return None;
    }
    if schedule.images && head.actions() > 0 {
        let message = "`images` is true, but it is not known what images do with the actions that the network says something of";
        reading.wrong(&nowhere, message);
        return None;
    }
    if schedule.over != 1.0 && sources.iter().any(|entry| entry.source.is_choice()) {
        reading.wrong(&nowhere, "`over` is of distances; choices have none");
        return None;
    }
    Some(Stage { seed, sources, target, schedule })
}

#[derive(Clone, Copy)]
enum From {
    Walks,
    Beams,
    Greedy,
    Backups,
    Solved,
    Taught,
    Own,
}

const FROM: &[(&str, From)] = &[
    ("walks", From::Walks),
    ("beams", From::Beams),
    ("greedy", From::Greedy),
    ("backups", From::Backups),
    ("solved", From::Solved),
    ("taught", From::Taught),
    ("own", From::Own),
];

fn entry(fields: &mut Fields<'_, '_>, family: &Family) -> Option<Entry> {
    let from = fields.word("from", FROM, None)?;
    let share = fields.real("share", (0.0, 1e6), Some(1.0));
    let alone = fields.count("alone", 0..=u64::MAX, Some(0));
    let source = match from {
        From::Walks => {
            let walks = walks(fields);
            let per_walk = fields.count("per_walk", 1..=MOST, Some(1));
            let targets = [
                ("bellman", WalkTarget::Bellman),
                ("clipped", WalkTarget::Clipped),
                ("length", WalkTarget::Length),
                ("step", WalkTarget::Step),
            ];
            let target = fields.word("target", &targets, None);
            let is_forward = walks.as_ref().is_some_and(|walks| walks.kind == Steps::Forward);
            if is_forward && target.is_some_and(|target| target != WalkTarget::Bellman) {
                fields.wrong("the length of a walk forward says nothing of the distance: `target` must be \"bellman\"");
            }
            Source::Walks { walks: walks?, per_walk: per_walk? as usize, target: target? }
        }
        From::Beams => {
            let walks = walks(fields);
            let beam = narrow(fields);
            let every = fields.count("every", 1..=MOST, Some(1));
            Source::Beams { walks: walks?, beam: beam?, every: every? as usize }
        }
        From::Greedy => {
            let walks = walks(fields);
            let steps = fields.count("greedy_steps", 1..=MOST, None);
            Source::Greedy { walks: walks?, steps: steps? }
        }
        From::Backups => {
            let walks = walks(fields);
            let expansions = fields.count("expansions", 1..=MOST, None);
            let weight = fields.real("weight", (0.0, 1.0), Some(1.0));
            let to_goal = fields.flag("to_goal");
            // Infinity stands for none.
            let most = fields.real("most", (1.0, f64::INFINITY), Some(f64::INFINITY));
            let backup = Backup {
                expansions: expansions? as usize,
                weight: weight? as f32,
                to_goal: to_goal?,
                most: Some(most? as f32).filter(|most| most.is_finite()),
            };
            Source::Backups { walks: walks?, backup }
        }
        From::Solved => {
            let solved = solved(fields, family);
            let states = fields.count("states", 1..=u64::MAX, None);
            let keep = [("paths", Keep::Paths), ("starts", Keep::Starts)];
            let keep = fields.word("keep", &keep, Some(Keep::Paths));
            let learn =
                [("distances", Learn::Distances), ("moves", Learn::Moves), ("order", Learn::Order)];
            let learn = fields.word("learn", &learn, Some(Learn::Distances));
            let (solved, keep, learn) = (solved?, keep?, learn?);
            if solved.aside > 0.0 && (learn != Learn::Distances || keep == Keep::Starts) {
                fields.wrong("`aside` is of distances along whole paths");
            }
            if solved.dead.is_some() && learn != Learn::Distances {
                fields.wrong("`dead` is of distances");
            }
            if learn == Learn::Moves && keep == Keep::Starts {
                fields.wrong("moves are learned of whole paths");
            }
            Source::Solved { solved, states: states?, keep, learn }
        }
        From::Taught => {
            let solved = solved(fields, family);
            let pool = pool(fields);
            Source::Taught { solved: solved?, pool: pool? }
        }
        From::Own => {
            let walks = walks(fields);
            let first = walks.as_ref().map_or(MOST, |walks| walks.steps);
            let first = fields.count("first_steps", 1..=first, Some(first));
            let width = fields.count("width", 1..=MOST, None);
            let tolerance = match fields.has("tolerance") {
                true => fields.real("tolerance", (0.0, 10.0), None).map(Some),
                false => Some(None),
            };
            let ahead = match fields.has("ahead") {
                true => fields.count("ahead", 1..=u64::from(u16::MAX), None).map(Some),
                false => Some(None),
            };
            let aside = fields.real("aside", (0.0, 1.0), Some(0.0));
            let pool = pool(fields);
            let own = Own {
                width: width? as usize,
                walks: walks?,
                first: first?,
                tolerance: tolerance?,
                ahead: ahead?.map(|actions| actions as u32),
                aside: aside?,
            };
            Source::Own { own, pool: pool? }
        }
    };
    Some(Entry { share: share?, alone: alone?, source })
}

fn walks(fields: &mut Fields<'_, '_>) -> Option<Walks> {
    let steps = fields.count("steps", 1..=MOST, None);
    let least = fields.count("least", 0..=steps.unwrap_or(MOST), Some(0));
    let power = fields.real("power", (0.1, 10.0), Some(1.0));
    let kinds = [
        ("any", Steps::Any),
        ("no-return", Steps::NoReturn),
        ("canonical", Steps::Canonical),
        ("forward", Steps::Forward),
    ];
    let kind = fields.word("walk", &kinds, Some(Steps::NoReturn));
    Some(Walks { steps: steps?, least: least?, power: power?, kind: kind? })
}

fn narrow(fields: &mut Fields<'_, '_>) -> Option<Narrow> {
    let width = fields.count("width", 1..=MOST, None);
    let depth = fields.count("depth", 1..=MOST, None);
    Some(Narrow { width: width? as usize, depth: depth? as u32 })
}

fn pool(fields: &mut Fields<'_, '_>) -> Option<Pool> {
    let boards = fields.count("boards", 1..=MOST, None);
    let first = fields.count("first", 0..=100 * MOST, Some(0));
    let kept = fields.count("kept", 1..=100 * MOST, None);
    Some(Pool { boards: boards?, first: first?, kept: kept? as usize })
}

fn solved(fields: &mut Fields<'_, '_>, family: &Family) -> Option<Solved> {
    let solver = fields.text("solver");
    let nodes = match fields.has("nodes") {
        true => fields.count("nodes", 1..=u64::MAX, None).map(Some),
        false => Some(None),
    };
    let starts = match fields.text("starts") {
        Some(None) => walks(fields).map(Starts::Walks),
        Some(Some(name)) => {
            let known = fields.reading.generator(family, &name);
            known.map(|()| Starts::Generator(name.into_inner()))
        }
        None => None,
    };
    let aside = fields.real("aside", (0.0, 1.0), Some(0.0));
    let dead = match fields.has("dead") {
        true => fields.count("dead", 1..=MOST, None).map(Some),
        false => Some(None),
    };
    let astray = fields.count("astray", 0..=1000, Some(0));
    if astray.is_some_and(|astray| astray > 0) && matches!(starts, Some(Starts::Generator(_))) {
        fields.wrong("`astray` is of starts that are ends of walks");
    }
    let Some(solver) = solver? else {
        fields.wrong("`solver` is missing: the spec of what solves the instances");
        return None;
    };
    let spec = fields.reading.spec(&solver, whole(family, solver.get_ref()));
    Some(Solved {
        solver: spec?.to_string(),
        nodes: nodes?,
        starts: starts?,
        aside: aside?,
        dead: dead?.map(|dead| dead as u32),
        astray: astray?,
    })
}

fn renewal(mut fields: Fields<'_, '_>, training_data: &dyn TrainingData) -> Option<Renewal> {
    let every = fields.count("every", 1..=MOST, None);
    let below = match fields.has("below") {
        true => fields.real("below", (0.0, f64::MAX), None),
        false => Some(f64::INFINITY),
    };
    let loss = [("mean", Window::Mean), ("last", Window::Last)];
    let loss = fields.word("loss", &loss, Some(Window::Mean));
    let at_most = fields.count("at_most", every.unwrap_or(1)..=u64::MAX, Some(u64::MAX));
    let look_ahead = fields.count("look_ahead", LOOK_AHEAD, Some(1));
    let numbers = [("single", false), ("bytes", true)];
    let in_bytes = fields.word("numbers", &numbers, Some(false));
    let averaged = fields.flag("averaged");
    let from_zero = fields.flag("from_zero");
    let images = images(&mut fields, training_data);
    let round = [("no", Round::No), ("whole", Round::Whole), ("parity", Round::Parity)];
    let round = fields.word("round", &round, Some(Round::No));
    if round == Some(Round::Parity) && !training_data.has_parity() {
        fields.wrong("`round` is \"parity\", but paths of this puzzle may be both even and odd");
    }
    fields.end();
    Some(Renewal {
        every: every?,
        below: below?,
        loss: loss?,
        at_most: at_most?,
        look_ahead: look_ahead? as u32,
        in_bytes: in_bytes?,
        averaged: averaged?,
        from_zero: from_zero?,
        images: images?,
        round: round?,
    })
}

fn images(fields: &mut Fields<'_, '_>, training_data: &dyn TrainingData) -> Option<bool> {
    let images = fields.flag("images")?;
    if images && training_data.images().is_empty() {
        fields.wrong("`images` is true, but the puzzle declares no symmetries");
        return None;
    }
    Some(images)
}

fn schedule(mut fields: Fields<'_, '_>, training_data: &dyn TrainingData) -> Option<Schedule> {
    let batch = fields.count("batch", 1..=MOST, None);
    let examples = fields.count("examples", 0..=u64::MAX, None);
    let rate = fields.real("rate", (1e-9, 1.0), None);
    let last = fields.real("last_rate", (0.0, rate.unwrap_or(1.0)), rate.or(Some(1.0)));
    let warm_up = fields.count("warm_up", 0..=MOST, Some(0));
    let over = fields.real("over", (1e-3, 1e3), Some(1.0));
    let weight = fields.real("action_weight", (1e-6, 1e6), Some(1.0));
    let numbers = [("single", Products::Single), ("bf16", Products::Bf16)];
    let products = fields.word("numbers", &numbers, Some(Products::Single));
    let images = images(&mut fields, training_data);
    let checkpoint = fields.duration("checkpoint", Duration::from_secs(300));
    fields.end();
    Some(Schedule {
        batch: batch? as usize,
        examples: examples?,
        rate: (rate?, last?),
        warm_up: warm_up?,
        over: over?,
        action_weight: weight?,
        products: products?,
        images: images?,
        checkpoint: checkpoint?,
    })
}
