//! Reads training recipes.

use super::{
    instances::instance,
    recipe::{
        BackupSource, BeamSource, GreedySource, Keep, LayerSource, Learn, Margin, OwnSource,
        Recipe, Renewal, Round, Schedule, Solved, SolvedSource, Source, SourceShare, Stage, Starts,
        TaughtSource, WalkSource, WalkTarget,
    },
};
use crate::recipe::{MOST, RecipeFile, whole};
use std::path::Path;
use unriddle_catalog::{
    Family, Registry, fields,
    tables::Cache,
    training_data::TrainingData,
    work::{
        Any, Fields as _, Table, Words, WorkError,
        reader::{Name, unknown},
    },
};
use unriddle_core::{Rng, Steps};
use unriddle_neural::{Architecture, Block, Head, Precision, train::Views};

/// Version of the format of recipes.
const VERSION: u32 = 2;
/// Instructions for converting a recipe of an older version.
const OLD: &str = "has one method where there are now sources: write `instances` for `side`, a \
    [[source]] with `from = \"walks\"`, \"solved\" and so on for each of its tables, and [target] for \
    [renewal]; see recipes/README.md";

/// States on which the puzzle's declarations are checked (a moment's work).
const CHECKED: usize = 2000;

/// Words for a linear part that is no heuristic of the puzzle.
const NO_LINEAR: &str = "none";
const RANDOM_LINEAR: &str = "random";

fields! {
    /// `[network]`.
    struct NetworkFields {
        input: Option<Name> = None;
        linear: Option<Name> = None;
        outputs: Option<Name> = None;
        start: Option<String> = None;
        precision: Precision = Precision::F16,
            Words(&[("half", Precision::F16), ("bytes", Precision::Bytes)]);
        shared: bool = false;
        blocks: Vec<Block>;
    }
}

impl Recipe {
    /// Reads and validates a recipe for a puzzle of a registry. The tables of its input come from
    /// `cache`.
    ///
    /// # Errors
    /// File, line and column of all errors.
    pub fn load(path: &Path, registry: &Registry, cache: &Cache) -> Result<Self, WorkError> {
        let text = std::fs::read_to_string(path).map_err(|e| WorkError::file(path, &e))?;
        Self::parse(path, &text, registry, cache)
    }

    /// Validates the text of the recipe in the file `path`.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn parse(
        path: &Path,
        text: &str,
        registry: &Registry,
        cache: &Cache,
    ) -> Result<Self, WorkError> {
        let source = RecipeFile { path, text, registry, version: VERSION, old: OLD };
        source.read(|table| recipe(table, &source, cache))
    }
}

fn recipe(table: &mut Table<'_>, source: &RecipeFile<'_>, cache: &Cache) -> Option<Recipe> {
    let title = table.get("title");
    let name = table.get::<Name>("puzzle");
    let instances = table.get::<Name>("instances");
    let levels = table.field("levels", Some(1), &(1..=MOST));
    let seed = table.get("seed");
    let network_table = table.table("network");
    let (name, instances, seed) = (name?, instances?, seed?);
    let (family, puzzle) = table.reading.puzzle(&name)?;
    table.reading.generator(family, &instances)?;
    let training_data =
        match instance(family, &*puzzle, instances.get_ref(), &mut Rng::stream(seed, 0)) {
            Ok(Some(training_data)) => training_data,
            Ok(None) => {
                let message = format!(
                    "{} declares no inputs of networks, so no network can be trained for it",
                    family.info.name
                );
                return table.wrong_at("puzzle", message);
            }
            Err(why) => return table.wrong_at("instances", why),
        };
    let mut network_table = network_table?;
    let network = NetworkFields::read_all(&mut network_table)?;
    let training_data = match &network.input {
        None => training_data,
        Some(name) => by_input(&network_table, &*training_data, name, cache)?,
    };
    if let Err(why) = training_data.check(CHECKED) {
        let message = format!("the declarations of the puzzle for networks do not hold: {why}");
        table.wrong_at::<()>("puzzle", message);
    }
    let (linear, skip) = linear(&network_table, &*training_data, network.linear.as_ref())?;
    let architecture = architecture(&network_table, &network, &*training_data, skip)?;
    let shared = shared(&network_table, &network, &*training_data, &architecture);
    let context = Context { family, training_data: &*training_data, head: architecture.head() };
    let stages: Option<Vec<Stage>> = if table.has("stage") {
        for key in ["source", "target", "training"] {
            if table.maybe::<toml::Value>(key)?.is_some() {
                let message =
                    format!("`{key}` must be moved into a [[stage]], as the recipe has stages");
                table.wrong_at::<()>(key, message);
            }
        }
        let stages = (0u64..).zip(table.tables("stage")).map(|(number, mut stage)| {
            let seed = stage.field("seed", Some(seed.wrapping_add(number)), &Any);
            let read = context.stage(&mut stage, seed);
            stage.end();
            read
        });
        stages.collect::<Vec<_>>().into_iter().collect()
    } else {
        context.stage(table, Some(seed)).map(|stage| vec![stage])
    };
    let margin = match table.has("margin") {
        true => {
            let mut margin = table.table("margin")?;
            let needs = "estimates states of beams: it needs a network with a value";
            margin.refuse("boards", !architecture.head().has_value(), needs);
            Some(Margin::read_all(&mut margin)?)
        }
        false => None,
    };
    table.end();
    let folder = source.path.parent().unwrap_or(Path::new(""));
    Some(Recipe {
        registry: source.registry.clone(),
        text: source.text.to_owned(),
        title: title?,
        puzzle: source.registry.normal_spec(name.get_ref()).ok()?,
        instances: instances.into_inner(),
        levels: levels?,
        architecture,
        linear,
        shared,
        precision: network.precision,
        start: network.start.map(|start| folder.join(start)),
        margin,
        stages: stages?,
        training_data,
    })
}

/// The training data with the input `name`.
fn by_input(
    network: &Table<'_>,
    training_data: &dyn TrainingData,
    name: &Name,
    cache: &Cache,
) -> Option<Box<dyn TrainingData>> {
    let known = training_data.input_names();
    match known.iter().position(|known| known == name.get_ref()) {
        Some(input) => match training_data.seen_by(input, cache) {
            Ok(seen) => Some(seen),
            Err(why) => network.wrong_at("input", why.to_string()),
        },
        None if known.len() == 1 => network
            .wrong_at("input", "the puzzle has one input, which needs no name: delete `input`"),
        None => network.wrong_at("input", unknown("input", name.get_ref(), known)),
    }
}

fn architecture(
    table: &Table<'_>,
    network: &NetworkFields,
    training_data: &dyn TrainingData,
    skip: bool,
) -> Option<Architecture> {
    let has_convolutions = network.blocks.iter().any(|block| block.layers.is_conv());
    if has_convolutions && training_data.grid().is_none() {
        return table.wrong_at(
            "blocks",
            "found a convolution, but the puzzle's input is no grid: use `dense` or `residual` blocks",
        );
    }
    let architecture = Architecture {
        inputs: training_data.inputs(),
        groups: training_data.groups(),
        grid: training_data.grid().filter(|_| has_convolutions).map(Into::into),
        skip,
        blocks: network.blocks.clone(),
    };
    if architecture.head() != Head::Value {
        return table.wrong_at(
            "blocks",
            "found a head among the blocks: delete it and write `outputs`, which knows the number of actions",
        );
    }
    let architecture = match outputs(table, network, training_data.actions())? {
        Head::Value => architecture,
        // The input is two states beside each other.
        Head::Pair => Architecture {
            inputs: 2 * architecture.inputs,
            groups: 2 * architecture.groups,
            ..architecture
        }
        .with_head(Head::Pair),
        head => architecture.with_head(head),
    };
    if let Err(why) = architecture.check() {
        table.wrong_at::<()>("blocks", why.to_string());
    }
    Some(architecture)
}

/// Whether units of the first layer share their weights.
fn shared(
    table: &Table<'_>,
    network: &NetworkFields,
    training_data: &dyn TrainingData,
    architecture: &Architecture,
) -> bool {
    let has_symmetries = !training_data.images().is_empty();
    let suits = architecture.head() != Head::Pair && Views::suit(architecture);
    let message = "is true, but the puzzle declares no symmetries: delete `shared`";
    table.refuse("shared", network.shared && !has_symmetries, message);
    let message = "is true: only networks that see one state share weights, with dense blocks without norms and \
                   dropout, of which all behind the first are narrow";
    table.refuse("shared", network.shared && has_symmetries && !suits, message);
    network.shared
}

/// The head of the network.
fn outputs(table: &Table<'_>, network: &NetworkFields, actions: usize) -> Option<Head> {
    let heads = [
        ("value", Head::Value),
        ("actions", Head::Actions(actions)),
        ("value-and-actions", Head::ValueAndActions(actions)),
        ("policy", Head::Policy(actions)),
        ("pair", Head::Pair),
    ];
    let Some(name) = &network.outputs else { return Some(Head::Value) };
    heads.iter().find(|(word, _)| word == name.get_ref()).map(|(_, head)| *head).or_else(|| {
        let known: Vec<&str> = heads.iter().map(|(word, _)| *word).collect();
        table.wrong_at("outputs", unknown("kind of outputs", name.get_ref(), &known))
    })
}

/// First weights of the linear part, and whether the network has a linear part.
fn linear(
    table: &Table<'_>,
    training_data: &dyn TrainingData,
    name: Option<&Name>,
) -> Option<(Option<Vec<f32>>, bool)> {
    let name = match name.map(|name| name.get_ref().as_str()) {
        None | Some(NO_LINEAR) => return Some((None, false)),
        Some(RANDOM_LINEAR) => return Some((None, true)),
        Some(name) => name,
    };
    let known = training_data.linear();
    match known.iter().find(|linear| linear.name == name) {
        Some(found) => Some((Some(found.weights.clone()), true)),
        None => {
            let names = known.iter().map(|linear| linear.name);
            let names: Vec<&str> = names.chain([NO_LINEAR, RANDOM_LINEAR]).collect();
            table.wrong_at("linear", unknown("linear part", name, &names))
        }
    }
}

/// The puzzle and the outputs of the network, against which stages are checked.
struct Context<'a> {
    family: &'a Family,
    training_data: &'a dyn TrainingData,
    head: Head,
}

impl Context<'_> {
    fn stage(&self, table: &mut Table<'_>, seed: Option<u64>) -> Option<Stage> {
        let target = table.has("target").then(|| self.renewal(table.table("target")?));
        let training = table.table("training");
        let sources = table.tables("source");
        let count = sources.len();
        let sources = sources.into_iter().map(|mut source| {
            let read = self.source(&mut source, target.is_some(), count);
            source.end();
            read
        });
        let sources: Vec<Option<SourceShare>> = sources.collect();
        let mut training = training?;
        let schedule = Schedule::read_all(&mut training);
        let sources: Vec<SourceShare> = sources.into_iter().collect::<Option<_>>()?;
        let target = match target {
            Some(target) => Some(target?),
            None => None,
        };
        let schedule = schedule?;
        if sources.is_empty() {
            return table.wrong("there is no [[source]]: add at least one source of examples");
        }
        if target.is_some() && !sources.iter().any(|entry| entry.source.needs_target()) {
            let message = "no source asks a target network: delete [target], or add such a source";
            return table.wrong_at("target", message);
        }
        self.images(&training, schedule.images);
        training.refuse(
            "images",
            schedule.images && self.head.actions() > 0,
            "is true, but symmetries do not permute the outputs of actions: delete `images`",
        );
        training.refuse(
            "over",
            schedule.over != 1.0 && sources.iter().any(|entry| entry.source.is_choice()),
            "weighs errors of distances, but choices have none: delete `over`",
        );
        Some(Stage { seed: seed?, sources, target, schedule })
    }

    fn renewal(&self, mut table: Table<'_>) -> Option<Renewal> {
        let renewal = Renewal::read_all(&mut table)?;
        self.images(&table, renewal.images);
        table.refuse(
            "round",
            renewal.round == Round::Parity && !self.training_data.has_parity(),
            "is \"parity\", but paths of this puzzle may be even and odd: write \"whole\" or \"no\"",
        );
        Some(renewal)
    }

    fn images(&self, table: &Table<'_>, images: bool) {
        let is_wrong = images && self.training_data.images().is_empty();
        table.refuse("images", is_wrong, "is true, but the puzzle declares no symmetries");
    }

    fn source(&self, table: &mut Table<'_>, has_target: bool, count: usize) -> Option<SourceShare> {
        let read = Words(&[
            ("walks", (|t| WalkSource::read(t).map(Source::Walks)) as fn(&mut Table<'_>) -> _),
            ("beams", |t| BeamSource::read(t).map(Source::Beams)),
            ("greedy", |t| GreedySource::read(t).map(Source::Greedy)),
            ("backups", |t| BackupSource::read(t).map(Source::Backups)),
            ("layers", |t| LayerSource::read(t).map(Source::Layers)),
            ("solved", |t| SolvedSource::read(t).map(Source::Solved)),
            ("taught", |t| TaughtSource::read(t).map(Source::Taught)),
            ("own", |t| OwnSource::read(t).map(Source::Own)),
        ]);
        let read = table.field("from", None, &read)?;
        let share = table.field("share", Some(1.0), &(0.0..=1e6));
        let alone = table.field("alone", Some(0), &(0..=u64::MAX));
        let mut source = read(table)?;
        match &mut source {
            Source::Walks(WalkSource { walks, target, .. }) => table.refuse(
                "target",
                walks.kind == Steps::Forward && *target != WalkTarget::Bellman,
                "must be \"bellman\": the length of a walk forward is no bound of the distance",
            ),
            Source::Solved(SolvedSource { solved, keep, learn, .. }) => {
                let (is_distance, is_path) = (*learn == Learn::Distances, *keep == Keep::Paths);
                let needs = "needs `learn = \"distances\"` and `keep = \"paths\"`";
                table.refuse("aside", solved.aside > 0.0 && !(is_distance && is_path), needs);
                let needs = "needs `learn = \"distances\"`";
                table.refuse("dead", solved.dead.is_some() && !is_distance, needs);
                let needs = "is \"moves\", which needs `keep = \"paths\"`";
                table.refuse("learn", *learn == Learn::Moves && !is_path, needs);
                self.solver(table, solved)?;
            }
            Source::Taught(source) => self.solver(table, &mut source.solved)?,
            _ => {}
        }
        if source.needs_target() && !has_target {
            table.wrong::<()>("this source asks a target network: add [target]");
        }
        if !source.suits(self.head) {
            let message =
                "this source has no targets for the network's `outputs`: change one of the two";
            table.wrong::<()>(message);
        }
        if source.is_choice() && count > 1 {
            let message =
                "choices and distances are not learned together: delete the other sources";
            table.wrong::<()>(message);
        }
        Some(SourceShare { share: share?, alone: alone?, source })
    }

    /// Checks the solver and fills in its defaults.
    fn solver(&self, table: &Table<'_>, solved: &mut Solved) -> Option<()> {
        if let Starts::Generator(spec) = &solved.starts {
            table.reading.generator(self.family, &table.name("starts", spec))?;
            let needs = "needs starts that are ends of walks: delete `starts` or `astray`";
            table.refuse("astray", solved.astray > 0, needs);
        }
        let whole = whole(self.family, &solved.solver);
        let whole = table.reading.spec(&table.name("solver", &solved.solver), whole)?;
        solved.solver = whole.to_string();
        Some(())
    }
}
