//! Runs of training: recipes that are refused, and runs that are cancelled and go on.
#![cfg(feature = "train")]

use std::{cell::Cell, path::Path};
use unriddle_catalog::{
    Cancel,
    tables::{Cache, Policy},
};
use unriddle_learn::train::{Event, Means, Recipe, train};
use unriddle_neural::{Device, Model};

const RECIPE: &str = r#"version = 1
title = "a test"
puzzle = "tiles"
side = 3
seed = 1
[network]
linear = "manhattan"
blocks = [{ dense = 16, activation = "relu" }]
[solved]
states = "10k"
[training]
batch = 100
examples = "20k"
rate = 0.002
last_rate = 0.0001
over = 2
reflect = true
checkpoint = "1h"
"#;

const BOOTSTRAP: &str = r#"[bootstrap]
boards = 2
kept = 2000
width = 20
steps = 300
tolerance = 0.1
renewal = 16
[bootstrap.teacher]
boards = 4
kept = 2000
steps = 20
nodes = "10k"
updates = 48
"#;

const SOLVED: &str = "[solved]\nstates = \"10k\"\n";

const WALKS: &str = "[walks]\nsteps = 30\n[renewal]\nevery = 20\nbelow = 0.5\nat_most = 60\n";

const BEAMS: &str = "[walks]\nsteps = 30\npower = 2\n[beams]\nshare = 0.5\nwidth = 4\ndepth = 40\nevery = 3\n\
[renewal]\nevery = 20\nbelow = 0.5\nat_most = 60\nnumbers = \"bytes\"\n";

/// A recipe of choices.
fn choices(learn: &str) -> String {
    let solved = format!("{SOLVED}learn = \"{learn}\"\n");
    RECIPE.replace(SOLVED, &solved).replace("over = 2\n", "")
}

fn recipe(text: &str) -> Result<Recipe, String> {
    Recipe::parse(Path::new("recipe.toml"), text).map_err(|error| error.to_string())
}

/// Trains in a folder, and is cancelled after a number of examples.
fn run(recipe: &Recipe, folder: &Path, until: u64) -> Option<Model> {
    let cancel = Cancel::default();
    let cache = Cache::new(None, 1, Policy::Reuse);
    let last = Cell::new(0);
    let tell = |event: Event<'_>| {
        if let Event::Progress(examples, _, _) = event {
            assert!(examples > last.replace(examples));
            if examples >= until {
                cancel.cancel();
            }
        }
    };
    let means = Means {
        revision: "test",
        machine: "a machine",
        cache: &cache,
        jobs: 2,
        device: Device::Cpu,
        cancel: &cancel,
    };
    let finished = train(recipe, folder, means, &tell).unwrap();
    let bytes = std::fs::read(folder.join("model.safetensors")).unwrap();
    finished.map(|finished| {
        assert_eq!(finished.model, folder.join("model.safetensors"));
        Model::parse(&bytes).unwrap()
    })
}

/// A run that is cancelled twice learns the same as one that is not, bit for bit, whatever it learns from.
#[test]
fn a_run_that_is_cancelled_goes_on() {
    let ahead = BOOTSTRAP.replacen("renewal", "ahead = 5\nrenewal", 1);
    let deep = BEAMS.replacen("every = 20", "every = 20\nlook_ahead = 2", 1);
    let texts = [SOLVED, WALKS, BEAMS, &deep, BOOTSTRAP, &ahead].map(|m| RECIPE.replace(SOLVED, m));
    for method in texts.into_iter().chain(["moves", "order"].map(choices)) {
        let place = tempfile::tempdir().unwrap();
        let recipe = recipe(&method).unwrap();
        let whole = run(&recipe, &place.path().join("whole"), u64::MAX).unwrap();
        assert_eq!(whole.header.training.examples, 20_000);
        let parts = place.path().join("parts");
        assert!(run(&recipe, &parts, 5_000).is_none());
        assert!(run(&recipe, &parts, 12_000).is_none());
        let resumed = run(&recipe, &parts, u64::MAX).unwrap();
        assert_eq!(resumed.tensors, whole.tensors, "{method}");
        let log = std::fs::read_to_string(parts.join("log.csv")).unwrap();
        assert_eq!(log.lines().count(), 4, "{log}");
        for plot in ["solved.svg", "loss.svg"] {
            let plot = std::fs::read_to_string(parts.join(plot)).unwrap();
            assert!(
                plot.starts_with("<svg") && plot.contains("examples"),
                "{plot}"
            );
        }
        // What is done stays done.
        assert_eq!(
            run(&recipe, &parts, u64::MAX).unwrap().tensors,
            whole.tensors
        );
    }
}

/// The network solves boards from the end of the teacher's time on, and they get harder as it does.
#[test]
fn networks_learn_from_their_own_solutions() {
    let place = tempfile::tempdir().unwrap();
    let text = RECIPE.replace(SOLVED, BOOTSTRAP);
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

/// What is learned from moves that lead to an estimate is not what is learned from whole solutions, and as good.
#[test]
fn solutions_are_followed_a_few_moves() {
    let place = tempfile::tempdir().unwrap();
    let text = RECIPE.replace(SOLVED, BOOTSTRAP);
    let whole = run(
        &recipe(&text).unwrap(),
        &place.path().join("whole"),
        u64::MAX,
    )
    .unwrap();
    let text = text.replacen("renewal", "ahead = 5\nrenewal", 1);
    let ahead = place.path().join("ahead");
    let model = run(&recipe(&text).unwrap(), &ahead, u64::MAX).unwrap();
    assert_ne!(model.tensors, whole.tensors);
    let log = std::fs::read_to_string(ahead.join("log.csv")).unwrap();
    let last: Vec<&str> = log.lines().last().unwrap().split(',').collect();
    assert!(last[10].parse::<f64>().unwrap() >= 0.9, "{log}");
}

/// Choices that were not trained on are mostly right at the end, and the network says 0 of the goal.
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

/// There is nothing to weigh in choices, and nothing beside them.
#[test]
fn choices_have_no_distances() {
    for (from, to) in [
        ("rate = 0.002", "rate = 0.002\nover = 2"),
        ("reflect", "aside = 0.5\nreflect"),
    ] {
        let told = recipe(&choices("order").replacen(from, to, 1)).unwrap_err();
        assert!(told.contains("choices have none"), "{told}");
    }
}

#[test]
fn values_are_iterated() {
    let place = tempfile::tempdir().unwrap();
    let text = RECIPE.replace(SOLVED, WALKS);
    let model = run(&recipe(&text).unwrap(), place.path(), u64::MAX).unwrap();
    assert!(model.header.training.recipe.contains("[renewal]"));
    let log = std::fs::read_to_string(place.path().join("log.csv")).unwrap();
    let last = log.lines().last().unwrap().split(',').nth(6).unwrap();
    assert!(last.parse::<u64>().unwrap() >= 3, "{log}");
}

#[test]
fn recipes_that_are_wrong_are_refused_with_their_place() {
    for (from, to, why) in [
        (
            "version = 1",
            "version = 9",
            "line 1, column 11: version 9 of recipes is newer",
        ),
        (
            "\"tiles\"",
            "\"cube\"",
            "line 3, column 10: unknown puzzle `cube`",
        ),
        (
            "side = 3",
            "side = 9",
            "line 4, column 8: 9 is not within 2 to 7",
        ),
        ("dense = 16", "dense = 0", "line 8"),
        ("dense = 16", "units = 16", "line 8"),
        ("states = \"10k\"", "states = \"10q\"", "line 10, column 10"),
        (
            "states = \"10k\"",
            "states = 10\nuniform = 0.5",
            "need `steps`",
        ),
        (SOLVED, "", "expected either [solved]"),
        (
            SOLVED,
            "[walks]\nsteps = 30\n[beams]\nshare = 0.5\nwidth = 4\ndepth = 40\nevery = 3\n",
            "line 12, column 9: beams are those of a target network",
        ),
        (
            "rate = 0.002",
            "rate = 0",
            "line 14, column 8: 0 is not within",
        ),
        ("over = 2", "above = 2", "unknown field"),
        (
            "over = 2",
            "aside = 2",
            "line 16, column 9: 2 is not within 0 to 1",
        ),
    ] {
        let text = RECIPE.replacen(from, to, 1);
        assert_ne!(text, RECIPE);
        let told = recipe(&text).unwrap_err();
        assert!(told.contains(why), "{told}");
    }
}

/// Walks have no states beside them.
#[test]
fn only_solutions_have_states_beside_them() {
    for method in ["[walks]\nsteps = 30\n", WALKS] {
        let text = RECIPE
            .replace(SOLVED, method)
            .replace("over = 2", "aside = 0.5");
        let told = recipe(&text).unwrap_err();
        assert!(told.contains("states are beside solutions"), "{told}");
        assert!(recipe(&text.replace("aside = 0.5", "aside = 0")).is_err());
        assert!(recipe(&text.replace("aside = 0.5\n", "")).is_ok());
    }
}

/// All recipes that are committed can be read.
#[test]
fn committed_recipes_are_recipes() {
    let mut read = 0;
    for folder in ["cpu", "paper"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../recipes")
            .join(folder);
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            Recipe::load(&path).unwrap_or_else(|error| panic!("{error}"));
            read += 1;
        }
    }
    assert!(read > 10);
}
