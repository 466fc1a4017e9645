//! Evolving weights of our puzzles' heuristics.

use std::path::{Path, PathBuf};
use unriddle::{
    catalog::{Cancel, Spec, spec::Value},
    core::Rng,
    learn::{
        RunContext, WorkError,
        evolve::{Gene, Recipe, evolve, split},
    },
};
use unriddle_freecell::heuristics::{Combine, Feature, Orientation, weights};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

const FREECELL: &str = r#"version = 3
title = "t"
puzzle = "freecell"
solver = "staged({heuristic}, depth=7, table=200k, open=one-per-score, quantum=3000)"
heuristic = "mixture(orientation=distance, combine=sum)"
method = "coevolution"
seed = 1
generations = 2
population = 4
training = "numbers"
finalists = 1
nodes = "900k"
[baseline]
solver = "staged(hsdh, depth=7, table=200k, open=one-per-score, quantum=0)"
[sets]
population = 2
instances = 2
met = 1
every = 2
"#;

const TILES: &str = r#"version = 3
title = "t"
puzzle = "tiles"
generator = "uniform(3)"
solver = "astar({heuristic}, w=2)"
heuristic = "net(tiles8, mirror=on)"
method = "random"
seed = 1
generations = 1
population = 2
training = "numbers"
finalists = 1
nodes = "2k"
[baseline]
solver = "astar(manhattan)"
nodes = "200k"
[sets]
instances = 1
met = 1
[genes]
less = [0, 2]
"#;

/// The recipe of a text, with three training instances.
fn recipe(place: &Path, text: &str) -> Result<Recipe, WorkError> {
    std::fs::write(place.join("numbers"), "# a few\n2\n3\n11\n").unwrap();
    let path = place.join("recipe.toml");
    std::fs::write(&path, text).unwrap();
    Recipe::load(&path, &unriddle::registry())
}

/// Runs a recipe and returns a reader of the files that it writes.
fn run(text: &str) -> impl Fn(&str) -> String {
    let place = tempfile::tempdir().unwrap();
    let recipe = recipe(place.path(), text).unwrap_or_else(|error| panic!("{error}"));
    let (run, cancel) = (place.path().join("run"), Cancel::default());
    let means = RunContext {
        revision: "test",
        ranks: &unriddle_catalog::ranks::Alone,
        jobs: 2,
        cancel: &cancel,
        tell: &|_| {},
    };
    assert!(evolve(&recipe, &run, &means).unwrap().is_some());
    move |name| std::fs::read_to_string(place.path().join("run").join(name)).unwrap()
}

/// A run as it was when it knew no puzzle but FreeCell.
#[test]
fn runs_end_as_they_always_did() {
    let file = run(FREECELL);
    assert_eq!(file("baseline.csv"), BASELINE);
    assert_eq!(file("finalists.csv"), FINALISTS);
    assert_eq!(file("weights.toml"), WEIGHTS);
    let read = weights::read(WEIGHTS).unwrap();
    assert_eq!(read.mixture.orientation, Orientation::Distance);
    assert_eq!(read.provenance.node_budget, Some(900_000));
}

/// Solver and weights have the values of a genome bit by bit.
#[test]
fn written_weights_are_read_back() {
    let place = tempfile::tempdir().unwrap();
    let text = FREECELL.replace("combine=sum", "combine=max");
    let recipe = recipe(place.path(), &text).unwrap_or_else(|error| panic!("{error}"));
    let bits = |weights: &[f64]| weights.iter().map(|w| w.to_bits()).collect::<Vec<_>>();
    let mut rng = Rng::new(1);
    for scale in [1.0, 1e-3, 1e-7, 1e-20, 1e-310] {
        let genome: Vec<f64> = (0..9).map(|_| rng.unit() * scale).collect();
        let provenance = [("seed", u64::MAX.to_string().into()), ("source", "\"\n\\ µ".into())];
        let read = weights::read(&recipe.weights(&genome, &provenance).unwrap()).unwrap();
        assert_eq!(bits(&read.mixture.weights), bits(&genome));
        assert_eq!(read.mixture.combine, Combine::Max);
        assert_eq!(read.mixture.orientation, Orientation::Distance);
        assert_eq!(read.provenance.seed, Some(u64::MAX));
        assert_eq!(read.provenance.source.as_deref(), Some("\"\n\\ µ"));
        let solver = Spec::from_toml(&recipe.solver(&genome).unwrap().to_toml()).unwrap();
        let given = |spec: &Spec, name: &str| {
            let mut args = spec.args().iter();
            args.find(|arg| arg.name.as_deref() == Some(name)).unwrap().value.clone()
        };
        let Value::Expr(heuristic) = solver.args()[0].value.clone() else {
            panic!("{solver}");
        };
        let number = |name: &str| match given(&heuristic, name) {
            Value::Number(number) => number.real().unwrap(),
            Value::Text(digits) => digits.parse().unwrap(),
            other => panic!("{name}: {other}"),
        };
        let solver: Vec<f64> = Feature::ALL.iter().map(|feature| number(feature.name())).collect();
        assert_eq!(bits(&solver), bits(&genome));
    }
}

/// Any puzzle whose heuristics have real parameters, with deals of a generator.
#[test]
fn other_puzzles_evolve() {
    let file = run(TILES);
    let less = file("finalists.csv");
    let less = less.lines().nth(1).and_then(|line| line.rsplit(',').next()).unwrap().to_owned();
    assert!((0.0..2.0).contains(&less.parse::<f64>().unwrap()));
    let weights = file("weights.toml");
    let expected = format!(
        "format = 1\nfile = \"tiles8\"\nmirror = \"on\"\n\n[weights]\nless = {less}\n\n[provenance]\n"
    );
    assert!(weights.starts_with(&expected), "{weights}");
    assert!(file("baseline.csv").lines().skip(2).all(|line| line.ends_with(",1")));
    assert!(file("solver.toml").contains("less = "));
}

#[test]
fn unfit_recipes_are_rejected_with_a_reason() {
    for (from, to, text, part) in [
        (
            "\"mixture(orientation=distance, combine=sum)\"",
            "\"hsdh\"",
            FREECELL,
            "line 5, column 13: the heuristic `hsdh` has no real parameter that could evolve; heuristics of freecell that have one: mixture",
        ),
        ("combine=", "combined=", FREECELL, "line 5, column 44: "),
        (
            "depth=7, table=200k, open=one-per-score, quantum=3000",
            "depth=0",
            FREECELL,
            "line 4, column 10: ",
        ),
        ("less = [0, 2]", "more = [0, 2]", TILES, "unknown real parameter of `net`: `more`"),
        ("less = [0, 2]", "less = [0, 200]", TILES, "`less` expects"),
        ("generator = \"uniform(3)\"\n", "", TILES, "tiles has no numbered deals: add a generator"),
        (
            "\"astar({heuristic}, w=2)\"",
            "\"bfs({heuristic})\"",
            TILES,
            "line 5, column 10: `bfs(net",
        ),
        ("\"freecell\"", "\"samegame\"", FREECELL, "line 3, column 10: samegame has no goal"),
    ] {
        assert!(text.contains(from), "{from}");
        let place = tempfile::tempdir().unwrap();
        let error = recipe(place.path(), &text.replace(from, to)).err();
        let error = error.unwrap_or_else(|| panic!("{to}: accepted"));
        assert!(matches!(error, WorkError::Text { .. }), "{error:?}");
        assert!(error.to_string().contains(part), "{to}: {error}");
    }
}

/// The recipes of the paper's experiments are valid. The first line of each set names its deals.
#[test]
fn committed_recipes_match_their_descriptions() {
    let folder = root().join("data/freecell");
    let numbers = |file: &str| -> Vec<u64> {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.parse().unwrap()).collect()
    };
    let text = std::fs::read_to_string(folder.join("training.txt")).unwrap();
    assert!(text.starts_with("# 1,000 of the deals 1 to 32000, by seed 2011"), "{text:.60}");
    let chosen = split(1..=32_000, 1_000, 2011);
    assert_eq!(numbers("training.txt"), chosen);
    let others = (1..=32_000).filter(|n| chosen.binary_search(n).is_err());
    assert_eq!(numbers("test-1000.txt"), split(others, 1_000, 2012));
    for name in ["coevolution", "ga", "one-deal"] {
        let path = root().join("recipes/freecell").join(name).with_extension("toml");
        let recipe = Recipe::load(&path, &unriddle::registry());
        let recipe = recipe.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(recipe.training, chosen);
        assert_eq!((recipe.nodes, recipe.baseline.nodes), (800_000, 20_000_000));
        let is_open = |gene: &Gene| (gene.low, gene.bound) == (0.0, 1.0);
        assert!(recipe.genes.len() == 9 && recipe.genes.iter().all(is_open));
    }
}

const BASELINE: &str = "\
# staged(hsdh, depth=7, table=200k, open=one-per-score, quantum=0), at most 900000 generated states
instance,generated,solved
2,685147,1
3,574992,1
11,684215,1
";
const FINALISTS: &str = "\
fitness,solved,genome
0.2318782096809614,3,0.28331806800476356 0.300704671867393 0.983614032727941 0.16544097393462953 0.9432723155467991 0.29710476206099756 0.8663263681109586 0.27946111850608824 0.7886293837030984
";
const WEIGHTS: &str = r#"format = 1
orientation = "distance"
combine = "sum"

[weights]
hsdh-paper = 0.28331806800476356
number-well-placed = 0.300704671867393
cards-not-home = 0.983614032727941
free-cells = 0.16544097393462953
difference-from-top = 0.9432723155467991
lowest-home-card = 0.29710476206099756
highest-home-card = 0.8663263681109586
difference-home = 0.27946111850608824
bottom-cards-sum = 0.7886293837030984

[provenance]
source = "unriddle evolve freecell: 3 of 3 training instances solved; baseline staged(hsdh, depth=7, table=200k, open=one-per-score, quantum=0) with 900000 states: 3"
seed = 1
revision = "test"
generation = 2
fitness = 0.2318782096809614
node-budget = 900000
"#;
