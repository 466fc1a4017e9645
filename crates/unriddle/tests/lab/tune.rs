//! Recipes of tuning: the committed ones, and everything that may be wrong with one.

use std::path::Path;
use unriddle::{
    core::Direction,
    learn::tune::{Recipe, Settings},
};
use unriddle_evolve::{CmaEsConfig, CrossEntropyConfig, Recombination};

const GOOD: &str = r#"version = 1
title = "t"
puzzle = "samegame"
generator = "uniform(width=4, height=4)"
solver = "spmcts(tabu_color(epsilon={epsilon}), c={c}, t={t}, nodes={nodes})"
method = "cross-entropy"
seed = 1
samples = 6
elite = 2
boards = 3
iterations = 2
constants.nodes = "1k"
[[parameter]]
name = "c"
min = 0
max = 10
[[parameter]]
name = "t"
min = 0
max = 30
integer = true
[[parameter]]
name = "epsilon"
min = 0.0001
max = 0.01
log = true
[scale.small]
samples = 4
constants.nodes = 100
limits.time = "1s"
"#;

fn read(text: &str, scale: Option<&str>) -> Result<Recipe, String> {
    Recipe::parse(Path::new("a/r.toml"), text, scale, &unriddle::registry())
        .map_err(|error| error.to_string())
}

fn cross_entropy(recipe: &Recipe) -> CrossEntropyConfig {
    match recipe.settings {
        Settings::CrossEntropy(config) => config,
        Settings::CmaEs(config) => panic!("{config:?}"),
    }
}

/// The good recipe for the evolution strategy, which begins at a value of its own.
fn strategy() -> String {
    GOOD.replace("cross-entropy", "cma-es")
        .replace("elite = 2\n", "")
        .replace("max = 30\n", "max = 30\nstart = 3\n")
}

/// Returns the error after a part of the good recipe is replaced.
fn refused(old: &str, new: &str) -> String {
    assert!(GOOD.contains(old), "{old}");
    read(&GOOD.replace(old, new), None).expect_err(new)
}

#[test]
fn a_good_recipe_is_read_at_each_scale() {
    let recipe = read(GOOD, None).unwrap();
    let config = cross_entropy(&recipe);
    assert_eq!((config.samples, config.elite), (6, 2));
    assert_eq!(recipe.text, GOOD);
    assert_eq!(
        recipe.solver_text(&[2.5, 7.0, -3.0]),
        "spmcts(tabu_color(epsilon=0.001), c=2.5, t=7, nodes=1k)"
    );
    let small = read(GOOD, Some("small")).unwrap();
    let config = cross_entropy(&small);
    assert_eq!((config.samples, config.elite), (4, 2));
    assert!(small.solver_text(&[0.0; 3]).ends_with("nodes=100)"));
    assert_eq!(small.limits.time.unwrap().as_secs(), 1);
    // A run in a folder is one of a scale.
    assert!(small.text.starts_with("# --scale small\n"));
    assert_eq!(
        read(GOOD, Some("smal")).unwrap_err(),
        "a/r.toml: unknown scale `smal`; did you mean `small`? (known: small)"
    );
}

#[test]
fn errors_have_their_position() {
    let mut wrong = Vec::new();
    for (old, new, expected) in [
        ("version = 1", "version = 9", "line 1, column 11: version 9 of recipes is newer"),
        (
            "\"samegame\"",
            "\"samegam\"",
            "line 3, column 11: unknown puzzle: `samegam`; did you mean",
        ),
        (
            "\"samegame\"",
            "\"tiles\"",
            "line 3, column 10: tiles has a goal: choose the measure of its solvers",
        ),
        ("uniform(", "uniforn(", "line 4, column 14: unknown generator: `uniforn`"),
        ("c={c}", "c={cc}", "line 5, column 10: unknown placeholder `cc`; did you mean `c`?"),
        ("c={c}", "c=1", "line 14, column 8: the solver does not use {c}"),
        ("nodes={nodes}", "nodes=5", "line 12, column 11: the solver does not use {nodes}"),
        ("nodes={nodes})", "nodes={nodes)", "column 59 of the solver: `{` without `}`"),
        ("spmcts(", "spmct(", "unknown search: `spmct`"),
        (
            "max = 10",
            "max = 0",
            "line 16, column 7: `max` of `c` is 0, but must be above its `min`, 0",
        ),
        ("min = 0\nmax = 10", "min = -1\nmax = 10", "line 15, column 7: `min` of `c`: `c` expects"),
        ("max = 0.01", "max = 2", "line 25, column 7: `max` of `epsilon`: `epsilon` expects"),
        ("max = 30", "max = 30.5", "`max` of `t` is 30.5, but expected a whole number"),
        ("max = 30", "max = nan", "`max` of `t` is out of range"),
        ("min = 0.0001", "min = 0", "`min` of `epsilon` is 0, but a logarithm needs more than 0"),
        (
            "elite = 2",
            "elite = 7",
            "line 9, column 9: `elite` is 7, but must be between 1 and the number of samples, 6",
        ),
        ("elite = 2\n", "", "line 6, column 10: the Cross-Entropy Method needs an `elite`"),
        ("boards = 3", "boards = 0", "`boards` is 0, but must be between 1 and 1000000"),
        (
            "seed = 1",
            "seed = 1\nsmoothing = 1.5",
            "`smoothing` is 1.5, but must be between 0 and 1",
        ),
        ("seed = 1", "seed = 1\nsmoothing = 0", "a smoothing of 0 never learns"),
        ("\"cross-entropy\"", "\"random\"", "line 9, column 9: random guessing never learns"),
        ("\"cross-entropy\"", "\"luck\"", "line 6, column 10: unknown variant `luck`"),
        ("seed = 1", "seed = 1\nlimits.time = \"soon\"", "line 8, column 15: "),
        ("seed = 1", "seeds = 1", "line 7, column 1: unknown field `seeds`; did you mean `seed`?"),
        ("name = \"t\"", "name = \"c\"", "there is a parameter `c` already"),
        ("name = \"t\"", "name = \"2t\"", "`2t` cannot be a name"),
        ("constants.nodes", "constants.c", "line 12, column 11: `c` is a parameter already"),
    ] {
        let said = refused(old, new);
        if !said.starts_with("a/r.toml, line ") || !said.contains(expected) {
            wrong.push(format!("expected {expected}, found {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let (head, _) = GOOD.split_once("[[parameter]]").unwrap();
    assert!(read(head, None).unwrap_err().contains("there is no [[parameter]] to tune"));
}

#[test]
fn all_errors_are_reported_at_once() {
    let text = GOOD.replace("elite = 2", "elite = 7").replace("max = 10", "max = 0");
    let said = read(&text.replace("c={c}", "c={x}"), None).unwrap_err();
    let places = ["a/r.toml, line 5,", "; line 9,", "; line 14,", "; line 16,"];
    let found: Vec<_> = places.iter().map(|place| said.find(place)).collect();
    assert!(found.iter().all(Option::is_some) && found.is_sorted(), "{said}");
}

#[test]
fn random_guessing_is_a_smoothing_of_nothing() {
    let text = GOOD.replace("cross-entropy", "random").replace("elite = 2\n", "");
    let recipe = read(&text, None).unwrap();
    let config = cross_entropy(&recipe);
    assert_eq!((config.smoothing, config.elite), (0.0, 1));
}

#[test]
fn evolution_strategies_draw_pairs_from_their_start() {
    let recipe = read(&strategy(), None).unwrap();
    let expected = CmaEsConfig {
        candidates: 6,
        parents: 3,
        weights: Recombination::Equal,
        mirrored: true,
        average: 0.4,
        direction: Direction::Maximise,
    };
    assert_eq!(recipe.settings, Settings::CmaEs(expected));
    assert_eq!(recipe.parameters[1].start, Some(3.0));
    let fewer = strategy().replace("boards = 3", "elite = 1\nboards = 3");
    let parents = CmaEsConfig { parents: 1, ..expected };
    assert_eq!(read(&fewer, None).unwrap().settings, Settings::CmaEs(parents));
    for (old, new, expected) in [
        (
            "samples = 6",
            "samples = 5",
            "line 8, column 11: an evolution strategy draws samples in pairs",
        ),
        (
            "boards = 3",
            "elite = 4\nboards = 3",
            "`elite` is 4, but must be between 1 and half of the samples, 3",
        ),
        ("boards = 3", "smoothing = 0.5\nboards = 3", "adapts its deviations itself"),
        ("start = 3", "start = 31", "`start` of `t` is 31, but must be between its bounds"),
        ("cma-es", "random", "a `start` belongs to the method \"cma-es\""),
    ] {
        let text = strategy();
        assert!(text.contains(old), "{old}");
        let said = read(&text.replace(old, new), None).unwrap_err();
        assert!(said.contains(expected), "expected {expected}, found {said}");
    }
}

/// Higher scores and lower costs are better.
#[test]
fn assignments_have_costs() {
    for (method, elite) in [("cross-entropy", "elite = 2\n"), ("random", "")] {
        let text = GOOD.replace("cross-entropy", method).replace("elite = 2\n", elite);
        let recipe = read(&text, None).unwrap();
        assert_eq!(recipe.settings.direction(), Direction::Maximise);
        assert_eq!(recipe.measured(), "score");
        let text = format!(
            "version = 1\ntitle = \"t\"\npuzzle = \"party\"\ngenerator = \"world(varied)\"\n\
             solver = \"team-anneal(runs=1, hot={{hot}})\"\nmethod = \"{method}\"\nseed = 1\nsamples = 6\n{elite}\
             boards = 3\niterations = 2\n[[parameter]]\nname = \"hot\"\nmin = 0.1\nmax = 1\n"
        );
        let recipe = read(&text, None).unwrap();
        assert_eq!(recipe.settings.direction(), Direction::Minimise);
        assert_eq!(recipe.measured(), "cost");
    }
}

/// Puzzles with a goal are tuned to the effort of a solution, or to its cost.
#[test]
fn goals_have_efforts_and_costs() {
    let text = "version = 1\ntitle = \"t\"\npuzzle = \"tiles\"\ngenerator = \"uniform(3)\"\n\
        solver = \"astar(manhattan, w={w})\"\nmethod = \"cross-entropy\"\nmeasure = \"generated\"\nseed = 1\n\
        samples = 6\nelite = 2\nboards = 3\niterations = 2\nlimits.generated = \"50k\"\n\
        [[parameter]]\nname = \"w\"\nmin = 1\nmax = 3\n";
    let recipe = read(text, None).unwrap();
    assert_eq!(recipe.settings.direction(), Direction::Minimise);
    assert_eq!(recipe.measured(), "generated");
    let costs = text.replace("\"generated\"", "\"value\"");
    assert_eq!(read(&costs, None).unwrap().measured(), "cost");
    let scores = GOOD.replace("seed = 1", "seed = 1\nmeasure = \"generated\"");
    let said = read(&scores, None).unwrap_err();
    assert!(said.contains("line 8, column 11: samegame has no goal"), "{said}");
}

/// The committed recipes are sound, at every scale.
#[test]
fn the_committed_recipes_are_read() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../recipes"));
    for puzzle in ["samegame", "party"] {
        for entry in std::fs::read_dir(folder.join(puzzle)).unwrap() {
            let path = entry.unwrap().path();
            for scale in [None, Some("tenth")] {
                Recipe::load(&path, scale, &unriddle::registry()).unwrap();
            }
        }
    }
}
