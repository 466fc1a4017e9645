//! Runs of training: recipes that are refused, and runs that are cancelled and resumed.
#![cfg(feature = "train")]

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU64, Ordering},
    },
};
use unriddle_catalog::{
    Cancel, Registry,
    ranks::{Alone, Ranks, threads},
    tables::{Cache, Policy},
    work::WorkError,
};
use unriddle_core::{Features as _, Learnable, Puzzle as _};
use unriddle_cube::pieces::SOLVED as SOLVED_CUBE;
use unriddle_learn::{
    Event, RunContext,
    train::{Recipe, TrainContext, train},
};
use unriddle_neural::{Device, Engine as _, Model, Network};

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let families = [
        &unriddle_tiles::FAMILY,
        &unriddle_lightsout::FAMILY,
        &unriddle_cube::FAMILY,
        &unriddle_sokoban::FAMILY,
    ];
    Registry::new(families).expect("one puzzle has one name")
});

const RECIPE: &str = r#"version = 2
title = "a test"
puzzle = "tiles"
instances = "uniform(3)"
seed = 1
[network]
linear = "manhattan"
blocks = [{ dense = 16, activation = "relu" }]
[[source]]
from = "solved"
solver = "idastar(manhattan)"
starts = "uniform(3)"
states = "10k"
[training]
batch = 100
examples = "20k"
rate = 0.002
last_rate = 0.0001
over = 2
images = true
checkpoint = "1h"
"#;

const SOLVED: &str = "[[source]]\nfrom = \"solved\"\nsolver = \"idastar(manhattan)\"\nstarts = \"uniform(3)\"\nstates = \"10k\"\n";

const BOOTSTRAP: &str = r#"[[source]]
from = "own"
boards = 2
kept = 2000
width = 20
steps = 300
first_steps = 20
walk = "any"
tolerance = 0.1
[[source]]
from = "taught"
solver = "idastar(manhattan)"
boards = 4
first = 196
kept = 2000
steps = 20
power = 2
walk = "any"
nodes = "10k"
alone = 48
[target]
every = 16
numbers = "bytes"
averaged = true
images = true
"#;

const LAYERS: &str =
    "from = \"layers\"\nleast_width = 5\nwidth = 20\nsamples = 50\nbeams = 2\nkept = 1000\n";

const TARGET: &str = "[target]\nevery = 20\nbelow = 0.5\nat_most = 60\n";

/// Texts whose parts are replaced. A part that the text does not contain is an error of the test.
trait Edit {
    /// The text with every `from` replaced by `to`.
    fn with(&self, from: &str, to: &str) -> String;
    /// The text with the first `from` replaced by `to`.
    fn with_first(&self, from: &str, to: &str) -> String;
}

impl Edit for str {
    fn with(&self, from: &str, to: &str) -> String {
        assert!(self.contains(from), "no {from:?} in {self}");
        self.replace(from, to)
    }

    fn with_first(&self, from: &str, to: &str) -> String {
        assert!(self.contains(from), "no {from:?} in {self}");
        self.replacen(from, to, 1)
    }
}

/// A recipe of walks.
fn walks(rest: &str) -> String {
    format!("[[source]]\nfrom = \"walks\"\nsteps = 30\n{rest}\n{TARGET}")
}

/// Half of the rows are walks, half come from another source.
fn beside(other: &str, target: &str) -> String {
    let other = format!("target = \"bellman\"\n[[source]]\nsteps = 30\npower = 2\n{other}");
    walks(&other).with(TARGET, "") + TARGET + target
}

/// A recipe of choices.
fn choices(learn: &str) -> String {
    let solved = format!("{SOLVED}learn = \"{learn}\"\n");
    RECIPE.with(SOLVED, &solved).with("over = 2\n", "")
}

fn in_memory() -> Cache {
    Cache::new(None, 1, Policy::Reuse)
}

fn recipe(text: &str) -> Result<Recipe, String> {
    let recipe = Recipe::parse(Path::new("recipe.toml"), text, &REGISTRY, &in_memory());
    recipe.map_err(|error| error.to_string())
}

/// Trains in a folder, and is cancelled after a number of examples.
fn run(recipe: &Recipe, folder: &Path, until: u64) -> Option<Model> {
    let finished = trained(recipe, folder, until).unwrap();
    finished.map(|file| {
        assert_eq!(file, folder.join("model.safetensors"));
        Model::parse(&std::fs::read(file).unwrap()).unwrap()
    })
}

/// The file of the trained network; `None` if it was cancelled.
fn trained(recipe: &Recipe, folder: &Path, until: u64) -> Result<Option<PathBuf>, WorkError> {
    trained_on(&Alone, recipe, folder, until)
}

/// The same on one of several ranks.
fn trained_on(
    ranks: &dyn Ranks,
    recipe: &Recipe,
    folder: &Path,
    until: u64,
) -> Result<Option<PathBuf>, WorkError> {
    let cancel = Cancel::default();
    let last = AtomicU64::new(0);
    let tell = |event: Event<'_>| {
        if let Event::At { done, what } = event
            && what == "examples learned"
        {
            assert!(done >= last.swap(done, Ordering::Relaxed));
            if done >= until {
                cancel.cancel();
            }
        }
    };
    let context = RunContext { revision: "test", ranks, jobs: 2, cancel: &cancel, tell: &tell };
    let context = TrainContext {
        run: &context,
        machine: "a machine",
        cache: &Arc::new(Cache::new(None, 1, Policy::Reuse)),
        device: Device::Cpu,
        solve_device: Device::Cpu,
    };
    let finished = train(recipe, folder, context)?;
    Ok(finished.map(|finished| finished.file))
}

/// A run that is cancelled twice and an uncancelled run learn the same, bit for bit, from any
/// source.
#[test]
fn cancelled_runs_resume() {
    let ahead = BOOTSTRAP.with_first("width", "ahead = 5\naside = 0.3\nwidth");
    let beams = "from = \"beams\"\nwidth = 4\ndepth = 40\nevery = 3\n";
    let deep =
        "look_ahead = 2\nnumbers = \"bytes\"\nloss = \"last\"\nfrom_zero = true\nimages = true\n";
    let sources = [
        SOLVED.to_owned(),
        SOLVED.to_owned() + "keep = \"starts\"\n",
        walks("per_walk = 8\nwalk = \"any\"\ntarget = \"bellman\""),
        walks("walk = \"canonical\"\ntarget = \"clipped\""),
        walks("target = \"length\"").with(TARGET, ""),
        beside(beams, deep),
        beside("from = \"greedy\"\ngreedy_steps = 9\n", ""),
        beside("from = \"backups\"\nexpansions = 20\n", ""),
        beside(
            "from = \"backups\"\nexpansions = 20\nto_goal = true\nmost = 40\nwalk = \"forward\"\n",
            "",
        ),
        beside(LAYERS, ""),
        BOOTSTRAP.to_owned(),
        ahead,
    ];
    let texts = sources.map(|sources| RECIPE.with(SOLVED, &sources));
    let of_actions = [
        ("actions", walks("target = \"bellman\"")),
        ("value-and-actions", walks("target = \"clipped\"")),
        ("value-and-actions", walks("target = \"length\"").with(TARGET, "")),
        ("value-and-actions", BOOTSTRAP.with_first("width", "ahead = 5\nwidth")),
        ("policy", walks("target = \"step\"").with(TARGET, "")),
        ("policy", SOLVED.to_owned()),
        ("pair", SOLVED.to_owned() + "learn = \"order\"\n"),
    ];
    let of_actions = of_actions.map(|(outputs, sources)| {
        let text = RECIPE.with(SOLVED, &sources).with("images = true\n", "");
        let text = match outputs {
            "pair" => text.with("over = 2\n", "images = true\n"),
            _ => text,
        };
        let text = text.with_first("blocks", &format!("outputs = \"{outputs}\"\nblocks"));
        // A linear part would add the same number to all outputs.
        match outputs {
            "policy" | "pair" => text.with("linear = \"manhattan\"\n", ""),
            _ => text,
        }
    });
    let texts = texts.into_iter().chain(["moves", "order"].map(choices));
    for method in texts.chain(of_actions) {
        let place = tempfile::tempdir().unwrap();
        let recipe = recipe(&method.with("examples = \"20k\"", "examples = \"12k\"")).unwrap();
        println!("{}", recipe.text);
        let whole = run(&recipe, &place.path().join("whole"), u64::MAX).unwrap();
        assert_eq!(whole.header.training.examples, 12_000);
        let parts = place.path().join("parts");
        assert!(run(&recipe, &parts, 4_000).is_none());
        assert!(run(&recipe, &parts, 9_000).is_none());
        let resumed = run(&recipe, &parts, u64::MAX).unwrap();
        assert_eq!(resumed.tensors, whole.tensors, "{method}");
        let log = std::fs::read_to_string(parts.join("log.csv")).unwrap();
        assert_eq!(log.lines().count(), 4, "{log}");
        for plot in ["solved.svg", "loss.svg"] {
            let plot = std::fs::read_to_string(parts.join(plot)).unwrap();
            assert!(plot.starts_with("<svg") && plot.contains("examples"), "{plot}");
        }
        // A finished run is not repeated.
        assert_eq!(run(&recipe, &parts, u64::MAX).unwrap().tensors, whole.tensors);
    }
}

/// Several ranks make the examples, and one learns: the same network, also of a run that was
/// cancelled.
#[test]
fn ranks_train_the_same_network() {
    let deep = "look_ahead = 2\nloss = \"last\"\nfrom_zero = true\n";
    let beams = "from = \"beams\"\nwidth = 4\ndepth = 40\nevery = 3\n";
    for sources in [SOLVED, BOOTSTRAP, &beside(beams, deep), &beside(LAYERS, "")] {
        let recipe = recipe(&RECIPE.with(SOLVED, sources)).unwrap();
        let place = tempfile::tempdir().unwrap();
        let alone = run(&recipe, &place.path().join("alone"), u64::MAX).unwrap();
        let folder = place.path().join("ranks");
        for (size, until) in [(3, 8_000), (2, u64::MAX)] {
            let all = threads(size, |ranks| trained_on(ranks, &recipe, &folder, until).unwrap());
            assert!(all.iter().all(|file| file.is_some() == (until == u64::MAX)));
        }
        let bytes = std::fs::read(folder.join("model.safetensors")).unwrap();
        assert_eq!(Model::parse(&bytes).unwrap().tensors, alone.tensors, "{sources}");
    }
}

/// The log has the margin of good paths, by the same paths at every checkpoint.
#[test]
fn margins_are_logged() {
    let margin = "[margin]\nboards = 3\nwide = 200\nnarrow = 2\nsteps = 200\nleast = 100\n";
    let recipe = recipe(&(RECIPE.to_owned() + margin)).unwrap();
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    assert!(run(&recipe, &folder, 8_000).is_none());
    let paths = std::fs::read_to_string(folder.join("margin.json")).unwrap();
    assert!(paths.starts_with("[[") && paths.matches('[').count() == 4, "{paths}");
    run(&recipe, &folder, u64::MAX).unwrap();
    assert_eq!(std::fs::read_to_string(folder.join("margin.json")).unwrap(), paths);
    let log = std::fs::read_to_string(folder.join("log.csv")).unwrap();
    let column = log.lines().next().unwrap().split(',').position(|name| name == "margin");
    for line in log.lines().skip(1) {
        let margin: f64 = line.split(',').nth(column.unwrap()).unwrap().parse().unwrap();
        assert!(margin.abs() < 20.0, "{log}");
    }
}

/// The network solves boards from the end of the teacher's time on, and they get harder as it does.
#[test]
fn networks_learn_from_their_own_solutions() {
    let place = tempfile::tempdir().unwrap();
    let text = RECIPE.with(SOLVED, BOOTSTRAP);
    run(&recipe(&text).unwrap(), place.path(), u64::MAX).unwrap();
    let log = std::fs::read_to_string(place.path().join("log.csv")).unwrap();
    let last: Vec<&str> = log.lines().last().unwrap().split(',').collect();
    // Renewed from update 48 on, after every 16 of 200; after that walks grow by a hundredth in
    // each of ten rounds at most.
    assert_eq!(last[6], "10", "{log}");
    assert!((21..=22).contains(&last[7].parse().unwrap()), "{log}");
    // Walks of 50 moves are brought home, which the teacher's walks of 20 do not reach.
    assert!(last[10].parse::<f64>().unwrap() >= 0.9, "{log}");
}

/// Targets from a few moves plus an estimate differ from targets of whole solutions, and train a
/// network that is as good.
#[test]
fn solutions_are_followed_a_few_moves() {
    let place = tempfile::tempdir().unwrap();
    let text = RECIPE.with(SOLVED, BOOTSTRAP);
    let whole = run(&recipe(&text).unwrap(), &place.path().join("whole"), u64::MAX).unwrap();
    let text = text.with_first("width", "ahead = 5\nwidth");
    let ahead = place.path().join("ahead");
    let model = run(&recipe(&text).unwrap(), &ahead, u64::MAX).unwrap();
    assert_ne!(model.tensors, whole.tensors);
    let log = std::fs::read_to_string(ahead.join("log.csv")).unwrap();
    let last: Vec<&str> = log.lines().last().unwrap().split(',').collect();
    assert!(last[10].parse::<f64>().unwrap() >= 0.9, "{log}");
}

/// Held-out choices are mostly right at the end, and the network's output at the goal is 0.
#[test]
fn choices_are_learned() {
    for learn in ["moves", "order"] {
        let place = tempfile::tempdir().unwrap();
        let recipe = recipe(&choices(learn)).unwrap();
        let model = run(&recipe, place.path(), u64::MAX).unwrap();
        let log = std::fs::read_to_string(place.path().join("log.csv")).unwrap();
        let last: Vec<&str> = log.lines().last().unwrap().split(',').collect();
        let wrong: f64 = last[5].parse().unwrap();
        assert!(wrong > 0.0 && wrong < 0.3, "{learn}: {log}");
        let network = unriddle_neural::Network::new(&model).unwrap();
        let goal: Vec<u32> = (0..9).map(|cell| cell * 9 + (cell + 1) % 9).collect();
        let mut at_goal = [1.0];
        network.evaluate(&goal, &mut at_goal, 1).unwrap();
        // Weights are written in half precision.
        assert!(at_goal[0].abs() < 0.05, "{learn}: {at_goal:?}");
    }
}

/// Comparisons that were not trained on are mostly right at the end.
#[test]
fn pairs_are_compared() {
    let place = tempfile::tempdir().unwrap();
    let text = choices("order").with("linear = \"manhattan\"", "outputs = \"pair\"");
    let text = text.with("examples = \"20k\"", "examples = \"60k\"");
    let model = run(&recipe(&text).unwrap(), place.path(), u64::MAX).unwrap();
    assert_eq!(model.header.architecture.head(), unriddle_neural::Head::Pair);
    assert_eq!(model.header.architecture.inputs, 2 * 81);
    let log = std::fs::read_to_string(place.path().join("log.csv")).unwrap();
    let last: Vec<&str> = log.lines().last().unwrap().split(',').collect();
    let wrong: f64 = last[5].parse().unwrap();
    assert!(wrong > 0.0 && wrong < 0.4, "{log}");
    // Values are not targets of a network that compares pairs.
    let values = text.with("learn = \"order\"\n", "");
    assert!(recipe(&values).err().unwrap().contains("has no targets for the network's `outputs`"));
}

/// There is nothing to weigh in choices, and nothing beside them.
#[test]
fn choices_have_no_distances() {
    for (from, to, why) in [
        ("rate = 0.002", "rate = 0.002\nover = 2", "but choices have none"),
        ("learn =", "aside = 0.5\nlearn =", "`aside` needs `learn = \"distances\"`"),
    ] {
        let told = recipe(&choices("order").with_first(from, to)).err().unwrap();
        assert!(told.contains(why), "{told}");
    }
}

/// A network that learns only by value iteration has nearly the distances of breadth-first search;
/// random weights do not.
#[test]
fn values_are_iterated() {
    let place = tempfile::tempdir().unwrap();
    let text = r#"version = 2
title = "all states"
puzzle = "lightsout"
instances = "random(3, 3)"
seed = 1
[network]
blocks = [{ dense = 128, activation = "relu" }, { dense = 32, activation = "leaky" }]
[[source]]
from = "walks"
steps = 12
walk = "canonical"
target = "bellman"
[target]
every = 25
below = 0.1
at_most = 100
round = "whole"
[training]
batch = 200
examples = "2M"
rate = 0.003
last_rate = 0.0001
images = true
checkpoint = "1h"
"#;
    let model = run(&recipe(text).unwrap(), place.path(), u64::MAX).unwrap();
    // All 2^9 states of the board of three lights a side can be solved; none needs more than nine
    // presses.
    let puzzle = unriddle_lightsout::Lights::<1>::parse("000/000/000", false).unwrap();
    are_exact(&puzzle, &model, 512, 10);
}

/// The same of the 8-puzzle, whose 181,440 states are up to 31 moves away.
#[test]
#[ignore = "takes minutes: cargo test --release -p unriddle-learn --features train --test training -- --ignored"]
fn values_of_the_8_puzzle_are_iterated() {
    let place = tempfile::tempdir().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../recipes/cpu/tiles8-exact.toml");
    let recipe = Recipe::load(&path, &REGISTRY, &in_memory()).unwrap();
    let model = run(&recipe, place.path(), u64::MAX).unwrap();
    let goal = unriddle_tiles::goal_cells(3);
    let last = unriddle_tiles::Goal::BlankLast;
    let puzzle = unriddle_tiles::Tiles::<unriddle_tiles::Board3>::new(&goal, last);
    are_exact(&puzzle, &model, 181_440, 32);
}

/// A network can have another input than the usual one; its file names the input.
#[test]
fn states_are_seen_by_a_named_input() {
    let text = r#"version = 2
title = "lights that are chased"
puzzle = "lightsout"
instances = "random(3)"
seed = 1
[network]
input = "chased"
blocks = [{ dense = 64, activation = "relu" }]
[[source]]
from = "walks"
steps = 9
walk = "canonical"
target = "length"
[training]
batch = 200
examples = "400k"
rate = 0.01
last_rate = 0.0001
images = true
checkpoint = "1h"
"#;
    let place = tempfile::tempdir().unwrap();
    let model = run(&recipe(text).unwrap(), &place.path().join("run"), u64::MAX).unwrap();
    assert_eq!(model.header.input, "chased");
    let puzzle = unriddle_lightsout::Lights::<1>::parse("000/000/000", false).unwrap();
    are_exact(&puzzle.seen_by(1), &model, 1 << 9, 10);
    // The usual input is another one.
    let path = place.path().join("run/model.safetensors");
    let start = format!("start = '{}'\nblocks", path.display());
    let usual = text.with("input = \"chased\"\nblocks", &start);
    let told = trained(&recipe(&usual).unwrap(), &place.path().join("usual"), u64::MAX);
    let told = told.err().unwrap().to_string();
    assert!(told.contains("by another input"), "{told}");
}

/// Training of a network that sees tables as well begins with a network of the cells: its estimates
/// are the same at first. It learns, and it is refused for boards without such tables.
#[test]
fn a_longer_input_begins_with_the_weights_of_a_shorter_one() {
    let place = tempfile::tempdir().unwrap();
    let cells = run(&recipe(RECIPE).unwrap(), &place.path().join("cells"), u64::MAX).unwrap();
    let path = place.path().join("cells/model.safetensors");
    let longer = format!("input = \"blocks\"\nstart = '{}'\nblocks", path.display());
    let text = RECIPE.with_first("blocks", &longer);
    let begun = text.with("examples = \"20k\"", "examples = 0");
    let begun = run(&recipe(&begun).unwrap(), &place.path().join("begun"), u64::MAX).unwrap();
    assert_eq!((&*begun.header.input, begun.header.architecture.inputs), ("blocks", 81 + 3 * 16));
    let puzzle = unriddle_tiles::Tiles::<unriddle_tiles::Board3>::new(
        &[8, 6, 7, 2, 5, 4, 3, 0, 1],
        unriddle_tiles::Goal::BlankLast,
    );
    let estimate = |puzzle: unriddle_tiles::Tiles<unriddle_tiles::Board3>, model: &Model| {
        let (mut active, mut out) = (Vec::new(), [0.0]);
        puzzle.active(&puzzle.initial_state(), &mut |index| active.push(index));
        Network::new(model).unwrap().evaluate(&active, &mut out, 1).unwrap();
        out[0]
    };
    let (short, long) = (estimate(puzzle, &cells), estimate(puzzle.seen_by(1), &begun));
    assert!((short - long).abs() < 0.01 && short > 5.0, "{short} {long}");
    let learned = run(&recipe(&text).unwrap(), &place.path().join("learned"), u64::MAX).unwrap();
    assert_ne!(estimate(puzzle.seen_by(1), &learned), long);
    // The other way round, and on a board without tables.
    let path = place.path().join("learned/model.safetensors");
    let start = format!("start = '{}'\nblocks", path.display());
    let told = trained(
        &recipe(&RECIPE.with_first("blocks", &start)).unwrap(),
        &place.path().join("back"),
        u64::MAX,
    );
    let told = told.err().unwrap().to_string();
    assert!(told.contains("by another input"), "{told}");
    let told = recipe(&text.with("uniform(3)", "uniform(2, 3)")).err().unwrap();
    assert!(
        told.contains("line 8, column 9") && told.contains("square boards of side 3 to 7"),
        "{told}"
    );
}

const PAIRS: &str = r#"version = 2
title = "pairs of pieces"
puzzle = "cube"
instances = "random"
seed = 1
[network]
input = "pairs"
precision = "bytes"
blocks = [{ dense = 16, activation = "relu" }]
[[source]]
from = "walks"
steps = 3
walk = "canonical"
target = "length"
[training]
batch = 200
examples = "40k"
rate = 0.01
last_rate = 0.0001
images = true
checkpoint = "1h"
"#;

/// A network learns with the parts of its input, resumes with them, and is written without them, in
/// 8 bits.
#[test]
fn parts_are_learned_with() {
    let place = tempfile::tempdir().unwrap();
    let recipe = recipe(PAIRS).unwrap();
    let model = run(&recipe, &place.path().join("run"), u64::MAX).unwrap();
    assert_eq!(model.header.input, "pairs");
    let puzzle = unriddle_cube::Cube::<3>::new(SOLVED_CUBE, unriddle_cube::Metric::Quarter);
    let puzzle = puzzle.seen_by(2);
    assert_eq!(model.header.architecture.inputs, puzzle.feature_len());
    assert_eq!(model.header.architecture.groups, puzzle.groups());
    let errors = errors_by_depth(&puzzle, &model, 2);
    println!("{errors:?}");
    let counts: Vec<usize> = errors.iter().map(|(count, _)| *count).collect();
    assert_eq!(counts, [1, 12, 114]);
    assert!(errors.iter().all(|&(_, error)| error < 0.5), "{errors:?}");
    assert_eq!(run(&recipe, &place.path().join("parted"), 10_000), None);
    // The headers differ in the seconds of training.
    let parted = run(&recipe, &place.path().join("parted"), u64::MAX).unwrap();
    assert!(parted.tensors == model.tensors);
}

/// Units that share their weights see symmetric states, in the file as well; a stage resumes with
/// the weights of the stage before.
#[test]
fn units_share_their_weights() {
    let place = tempfile::tempdir().unwrap();
    let puzzle = unriddle_cube::Cube::<3>::new(SOLVED_CUBE, unriddle_cube::Metric::Quarter);
    let puzzle = puzzle.seen_by(2);
    let images = Learnable::images(&puzzle);
    let shared = PAIRS
        .with("[network]\n", "[network]\nshared = true\n")
        .with("[[source]]", "[[stage]]\n[[stage.source]]")
        .with("[training]", "[stage.training]")
        .with("examples = \"40k\"", "examples = \"20k\"");
    let stage = &shared[shared.find("[[stage]]").unwrap()..];
    // Nothing is learned in the second stage.
    let stages = format!("{shared}{}", stage.with("\"20k\"", "0"));
    for (text, is_shared) in [(PAIRS, false), (&shared[..], true), (&stages[..], true)] {
        let folder = place.path().join(text.len().to_string());
        let model = run(&recipe(text).unwrap(), &folder, u64::MAX).unwrap();
        assert_eq!(model.header.sharing.is_some(), is_shared);
        // Sixteen units are one set.
        let rows = if is_shared { 1 } else { 16 };
        assert_eq!(model.tensors["0.weight"].shape, [rows, 13_824]);
        let model = model.with_units(|| images.clone()).unwrap();
        let weights = &model.tensors["0.weight"];
        let rows: Vec<&[f32]> = weights.data.chunks(weights.shape[1]).collect();
        for (row, image) in rows[1..].iter().zip(&images) {
            let same = row.iter().zip(image).all(|(&x, &to)| x == rows[0][to as usize]);
            assert_eq!(same, is_shared);
        }
        let biases = &model.tensors["0.bias"].data;
        assert_eq!(biases.iter().all(|&bias| bias == biases[0]), is_shared);
    }
}

/// At each distance the mean absolute error of a network on all states is at most a half; the error
/// of random weights is far larger.
fn are_exact<P: Learnable>(puzzle: &P, model: &Model, states: usize, depths: usize) {
    let learned = errors_by_depth(puzzle, model, usize::MAX);
    let random = Model::random(model.header.clone(), 1).unwrap();
    let random = errors_by_depth(puzzle, &random, usize::MAX);
    for (depth, ((count, learned), (_, random))) in learned.iter().zip(&random).enumerate() {
        println!("{depth}: {learned:.3}, random weights {random:.3}, {count} states");
    }
    assert_eq!(learned.iter().map(|(count, _)| count).sum::<usize>(), states);
    assert_eq!(learned.len(), depths);
    assert!(learned.iter().all(|&(_, error)| error <= 0.5), "{learned:?}");
    let far = &random[depths / 2..];
    assert!(far.iter().all(|&(_, error)| error > 1.5), "{random:?}");
}

/// The number of states at each distance from the goal, and the mean absolute error of a network on
/// them.
fn errors_by_depth<P: Learnable>(puzzle: &P, model: &Model, deepest: usize) -> Vec<(usize, f64)> {
    let network = unriddle_neural::Network::new(model).unwrap();
    let (mut layer, mut seen) = (puzzle.goal_states(), std::collections::HashSet::new());
    seen.extend(layer.iter().copied());
    let mut errors = Vec::new();
    while !layer.is_empty() && errors.len() <= deepest {
        let mut active = Vec::new();
        for state in &layer {
            puzzle.active(state, &mut |index| active.push(index));
        }
        let mut estimates = vec![0.0; layer.len()];
        network.evaluate(&active, &mut estimates, 2).unwrap();
        let depth = errors.len() as f64;
        let errors_of = estimates.iter().map(|&h| (f64::from(h) - depth).abs());
        errors.push((layer.len(), errors_of.sum::<f64>() / layer.len() as f64));
        let next = layer.iter().flat_map(|state| {
            let actions = puzzle.actions(state);
            actions.map(move |action| puzzle.apply(state, action))
        });
        layer = next.filter(|&state| seen.insert(state)).collect();
    }
    errors
}

/// Each stage begins with the network of the one before.
#[test]
fn stages_follow_each_other() {
    let place = tempfile::tempdir().unwrap();
    let head = RECIPE.split("[[source]]").next().unwrap();
    let training = RECIPE.split_once("[training]").unwrap().1;
    let stage = |seed: u64| {
        let solved = SOLVED.with("[[source]]", "[[stage.source]]");
        format!("[[stage]]\nseed = {seed}\n{solved}[stage.training]{training}")
    };
    let chain = recipe(&format!("{head}{}{}", stage(1), stage(2))).unwrap();
    let last = run(&chain, &place.path().join("chain"), u64::MAX).unwrap();
    let one = run(&recipe(RECIPE).unwrap(), &place.path().join("one"), u64::MAX).unwrap();
    let read = |path: &str| Model::parse(&std::fs::read(place.path().join(path)).unwrap()).unwrap();
    assert_eq!(read("chain/stage-1/model.safetensors").tensors, one.tensors);
    assert_eq!(read("chain/stage-2/model.safetensors").tensors, last.tensors);
    assert_ne!(one.tensors, last.tensors);
    // A chain that is cut resumes.
    let parts = place.path().join("parts");
    assert!(run(&chain, &parts, 12_000).is_none());
    assert_eq!(run(&chain, &parts, u64::MAX).unwrap().tensors, last.tensors);
    // Only the network of a finished stage is needed.
    let end = std::fs::read(parts.join("stage-1/end.safetensors")).unwrap();
    let moved = place.path().join("moved");
    std::fs::create_dir_all(moved.join("stage-1")).unwrap();
    std::fs::write(moved.join("stage-1/end.safetensors"), end).unwrap();
    assert_eq!(run(&chain, &moved, u64::MAX).unwrap().tensors, last.tensors);
    assert!(!moved.join("stage-1/log.csv").exists(), "the first stage was done again");
}

#[test]
fn invalid_recipes_are_refused_with_positions() {
    for (from, to, why) in [
        ("version = 2", "version = 9", "line 1, column 11: version 9 of recipes is newer"),
        (
            "version = 2",
            "version = 1",
            "line 1, column 11: version 1 of recipes has one method where there are now sources",
        ),
        ("\"tiles\"", "\"chess\"", "line 3, column 11: unknown puzzle: `chess`"),
        ("uniform(3)\"\nseed", "uniform(99)\"\nseed", "line 4, column 22"),
        ("dense = 16", "dense = 0", "line 8"),
        ("dense = 16", "units = 16", "line 8"),
        ("\"manhattan\"\nblocks", "\"manhatten\"\nblocks", "did you mean `manhattan`?"),
        (
            "[network]\n",
            "[network]\ninput = \"tiles\"\n",
            "line 7, column 9: unknown input `tiles` (known: cells, blocks)",
        ),
        (
            "states = \"10k\"",
            "states = \"10q\"",
            "line 13, column 10: `states` is \"10q\", expected a whole number",
        ),
        (
            "\"solved\"",
            "\"solve\"",
            "line 10, column 8: unknown `from` `solve`; did you mean `solved`?",
        ),
        ("idastar(manhattan)", "idastar(manhatan)", "line 11, column 19"),
        ("states =", "sates =", "line 13, column 1: unknown field `sates`; did you mean `states`?"),
        (SOLVED, "", "there is no [[source]]"),
        (
            SOLVED,
            "[[source]]\nfrom = \"walks\"\nsteps = 30\nwalk = \"forward\"\ntarget = \"length\"\n",
            "line 13, column 10: `target` must be \"bellman\"",
        ),
        (
            SOLVED,
            "[[source]]\nfrom = \"walks\"\nsteps = 30\ntarget = \"bellman\"\n",
            "line 9, column 1: this source asks a target network",
        ),
        (SOLVED, &format!("{SOLVED}{TARGET}"), "no source asks a target network"),
        ("rate = 0.002", "rate = 0", "`rate` is 0, but must be between"),
        ("over = 2", "above = 2", "unknown field `above`"),
        (
            "states = \"10k\"",
            "states = \"10k\"\naside = 2",
            "line 14, column 9: `aside` is 2, but must be between 0 and 1",
        ),
        (
            "[network]\n",
            "[network]\nprecision = \"double\"\n",
            "line 7, column 13: unknown `precision` `double` (known: half, bytes)",
        ),
        (
            "{ dense = 16,",
            "{ conv = 8, activation = \"relu\" }, { dense = 16,",
            "line 8, column 10: found a convolution, but the puzzle's input is no grid",
        ),
        (
            "[network]\nlinear = \"manhattan\"\nblocks = [{ dense = 16,",
            "[network]\nshared = true\nblocks = [{ dense = 16, norm = true,",
            "line 7, column 10: `shared` is true: only networks that see one state",
        ),
        (
            "states = \"10k\"",
            "states = \"10k\"\nlearn = \"moves\"\ndead = 40",
            "`dead` needs `learn = \"distances\"`",
        ),
        (
            "states = \"10k\"",
            "states = \"10k\"\nastray = 3",
            "`astray` needs starts that are ends of walks",
        ),
        (
            "states = \"10k\"",
            "states = \"10k\"\nwidth = 2",
            "line 14, column 1: unknown field `width`",
        ),
    ] {
        let text = RECIPE.with_first(from, to);
        assert_ne!(text, RECIPE, "{from}");
        let told = recipe(&text).err().unwrap();
        assert!(told.contains(why), "{told}");
    }
}

/// A puzzle that declares no inputs of networks has no recipes; a puzzle without symmetries has no
/// `images`.
#[test]
fn puzzles_without_inputs_are_refused() {
    let registry = Registry::new([&unriddle_hanoi::FAMILY]).unwrap();
    let text = RECIPE.with("\"tiles\"", "\"hanoi\"").with("uniform(3)", "random(3)");
    let told =
        Recipe::parse(Path::new("recipe.toml"), &text, &registry, &in_memory()).err().unwrap();
    let told = told.to_string();
    assert!(told.contains("line 3, column 10: hanoi declares no inputs of networks"), "{told}");
}

/// All committed recipes can be read, and their first models are files of the repository.
#[test]
fn committed_recipes_are_recipes() {
    let mut read = 0;
    // Several recipes have the same tables as inputs.
    let place = tempfile::tempdir().unwrap();
    let cache = Cache::new(Some(place.path().into()), 2, Policy::Reuse);
    for folder in ["ablation24", "cpu", "cuda", "learning15", "paper"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../recipes").join(folder);
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            Recipe::load(&path, &REGISTRY, &cache).unwrap_or_else(|error| panic!("{error}"));
            read += 1;
        }
    }
    assert!(read > 10);
}
