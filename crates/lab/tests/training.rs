//! Runs of training: recipes that are refused, and runs that are cancelled and go on.
#![cfg(feature = "train")]

use std::{cell::Cell, path::Path};
use unriddle_catalog::{
    Cancel,
    tables::{Cache, Policy},
};
use unriddle_lab::train::{Event, Recipe, train};
use unriddle_neural::Model;

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

fn recipe(text: &str) -> Result<Recipe, String> {
    Recipe::parse(Path::new("recipe.toml"), text).map_err(|error| error.to_string())
}

/// Trains in a folder, and is cancelled after so many examples.
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
    let finished = train(recipe, folder, "test", &cache, 2, &cancel, &tell).unwrap();
    let bytes = std::fs::read(folder.join("model.safetensors")).unwrap();
    finished.map(|finished| {
        assert_eq!(finished.model, folder.join("model.safetensors"));
        Model::parse(&bytes).unwrap()
    })
}

/// A run that is cancelled twice learns the same as one that is not, bit for bit, whatever it learns from.
#[test]
fn a_run_that_is_cancelled_goes_on() {
    for method in [SOLVED, WALKS, BEAMS, BOOTSTRAP] {
        let place = tempfile::tempdir().unwrap();
        let recipe = recipe(&RECIPE.replace(SOLVED, method)).unwrap();
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
    // Renewed from update 48 on, after every 16 of 200; after that walks grow by a hundredth in each of ten rounds at most.
    assert_eq!(last[6], "10", "{log}");
    assert!((21..=22).contains(&last[7].parse().unwrap()), "{log}");
    // Walks of 50 moves are brought home, which the teacher's walks of 20 do not reach.
    assert!(last[10].parse::<f64>().unwrap() >= 0.9, "{log}");
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
