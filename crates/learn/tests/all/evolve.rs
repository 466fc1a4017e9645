//! Evolution of weights: runs that are cancelled and resumed, baselines with their own budgets, and
//! the errors of recipes.

use crate::common::{Ran, ran, refusals, registry};
use std::{collections::BTreeMap, fs, path::Path};
use unriddle_evolve::Trial;
use unriddle_learn::{
    WorkError,
    evolve::{Recipe, evolve},
};

const RECIPE: &str = r#"version = 3
title = "a walk"
puzzle = "walk"
solver = "astar({heuristic}, w=1)"
heuristic = "weighted"
generator = "random"
method = "coevolution"
seed = 1
generations = 3
population = 4
training = 6
finalists = 2
nodes = 3000
[baseline]
solver = "astar(far)"
nodes = "20k"
[sets]
population = 3
instances = 2
met = 1
every = 2
"#;

fn read(text: &str) -> Result<Recipe, WorkError> {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("r.toml");
    fs::write(&path, text).unwrap();
    Recipe::load(&path, &registry())
}

fn run(text: &str, folder: &Path, jobs: usize, cancel_after: Option<usize>) -> Ran {
    let recipe = read(text).unwrap_or_else(|error| panic!("{error}"));
    ran(jobs, cancel_after, |context| evolve(&recipe, folder, context))
}

/// All that a run leaves, except for the journal, whose lines are in the order of their ends.
fn left(folder: &Path) -> BTreeMap<String, String> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let name = |entry: &fs::DirEntry| entry.file_name().into_string().unwrap();
    files
        .filter(|entry| !name(entry).starts_with('.') && name(entry) != "journal.csv")
        .map(|entry| (name(&entry), fs::read_to_string(entry.path()).unwrap()))
        .collect()
}

/// A run that is cancelled anywhere resumes after the last trial and ends with the same bytes.
#[test]
fn a_cancelled_run_resumes_to_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let whole = run(RECIPE, &place.path().join("whole"), 1, None);
    let finished = whole.done.unwrap().unwrap();
    assert!(finished.summary.contains("(baseline 6)"), "{}", finished.summary);
    assert_eq!(whole.stages[0], ("baseline".to_owned(), 6, 0));
    let names: Vec<&str> = whole.stages.iter().map(|stage| stage.0.as_str()).collect();
    let finalists = "finalists on the training set";
    let generations = ["generation 1 of 3", "generation 2 of 3", "generation 3 of 3"];
    assert_eq!(names[1..], [&generations[..], &[finalists]].concat());
    let expected = left(&place.path().join("whole"));
    let files: Vec<&str> = expected.keys().map(String::as_str).collect();
    assert_eq!(
        files,
        [
            "baseline.csv",
            "checkpoint.json",
            "curve.svg",
            "finalists.csv",
            "log.csv",
            "recipe.toml",
            "solver.toml",
            "weights.toml"
        ]
    );
    for stop in [4, 6, 9, whole.pieces - 1] {
        let folder = place.path().join(stop.to_string());
        let stopped = run(RECIPE, &folder, 1, Some(stop));
        assert!(matches!(stopped.done, Ok(None)), "{stop}");
        assert_eq!(stopped.pieces, stop);
        let rest = run(RECIPE, &folder, 3, None);
        assert!(rest.done.unwrap().is_some());
        assert_eq!(rest.pieces, whole.pieces - stop, "{stop}");
        assert_eq!(left(&folder), expected, "{stop}");
    }
    // A run that is done does nothing more.
    let again = run(RECIPE, &place.path().join("whole"), 2, None);
    assert_eq!((again.pieces, again.done.unwrap().unwrap()), (0, finished));
    assert_eq!(left(&place.path().join("whole")), expected);
}

/// Evolution improves a heuristic without weights: the winner needs fewer states.
#[test]
fn evolution_saves_effort() {
    for method in ["random", "fixed", "coevolution"] {
        let place = tempfile::tempdir().unwrap();
        let text = RECIPE.replace("\"coevolution\"", &format!("{method:?}"));
        let text = text
            .replace("astar(far)", "astar(blind)")
            .replace("generations = 3", "generations = 8");
        let done = run(&text, place.path(), 2, None).done.unwrap();
        assert!(done.is_some());
        let table = left(place.path())["finalists.csv"].clone();
        let fitness = |line: &str| line.split(',').next().unwrap().parse::<f64>().unwrap();
        let best = table.lines().skip(1).map(fitness).fold(0.0, f64::max);
        assert!(best > 0.3, "{method}: {table}");
    }
}

/// The baseline has its own budget, and the recipe defines the effort of an unsolved instance.
#[test]
fn the_baseline_has_a_budget_of_its_own() {
    let recipe = read(RECIPE).unwrap();
    assert_eq!((recipe.nodes, recipe.baseline.nodes), (3_000, 20_000));
    let shared = read(&RECIPE.replace("nodes = \"20k\"\n", "")).unwrap();
    assert_eq!(shared.baseline.nodes, 3_000);
    let trials = [Trial::solved(70.0), Trial::unsolved(), Trial::solved(900.0)];
    // The default is from GA-FreeCell.
    assert_eq!(recipe.scoring(&trials).penalty, 1e9);
    let with = |unsolved: &str| {
        let text = format!("nodes = \"20k\"\nunsolved = {unsolved}\n");
        read(&RECIPE.replace("nodes = \"20k\"\n", &text)).unwrap()
    };
    let hardest = with("\"twice-hardest\"");
    assert_eq!(hardest.scoring(&trials).penalty, 1_800.0);
    assert_eq!(hardest.scoring(&trials[1..2]).penalty, 40e3);
    assert_eq!(with("\"40k\"").scoring(&trials).penalty, 40e3);
    // Its file is of one solver and one budget.
    let place = tempfile::tempdir().unwrap();
    run(RECIPE, place.path(), 1, Some(8)).done.unwrap();
    let path = place.path().join("baseline.csv");
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        text.starts_with(
            "# astar(far), at most 20000 generated states\ninstance,generated,solved\n1,"
        ),
        "{text}"
    );
    for (from, to) in [("20000", "3000"), ("far", "blind"), ("\n6,", "\n7,")] {
        assert!(text.contains(from), "{from}");
        fs::write(&path, text.replace(from, to)).unwrap();
        let refused = run(RECIPE, place.path(), 1, None).done.unwrap_err();
        assert!(matches!(refused, WorkError::File { .. }), "{refused}");
    }
}

#[test]
fn a_run_that_solves_nothing_writes_no_weights() {
    let place = tempfile::tempdir().unwrap();
    let text = RECIPE.replace("nodes = 3000", "nodes = 9");
    let Err(WorkError::Unsolved(why)) = run(&text, place.path(), 1, None).done else {
        panic!("it solved something");
    };
    assert!(why.contains("any of the 6"), "{why}");
    assert!(!place.path().join("weights.toml").exists());
    assert!(place.path().join("finalists.csv").exists());
}

#[test]
fn genes_are_the_parameters_that_the_recipe_leaves_open() {
    let names = |heuristic: &str, genes: &str| {
        let text = RECIPE.replace("\"weighted\"", &format!("{heuristic:?}"));
        let recipe = read(&format!("{text}{genes}")).unwrap();
        let genes = recipe.genes.iter();
        genes.map(|g| (g.name, g.low, g.bound)).collect::<Vec<_>>()
    };
    let both = [("across", 0.0, 1.0), ("down", 0.0, 1.0)];
    assert_eq!(names("weighted", ""), both);
    assert_eq!(names("weighted()", ""), both);
    assert_eq!(names("weighted(across=2)", ""), both[1..]);
    let own = names("weighted", "[genes]\nacross = [1, 3]\n");
    assert_eq!(own, [("across", 1.0, 3.0)]);
    let recipe = read(&RECIPE.replace("\"weighted\"", "\"weighted(across=2)\"")).unwrap();
    assert_eq!(recipe.solver_text(&[0.25]), "astar(weighted(across=2, down=0.25), w=1)");
}

#[test]
fn errors_have_positions() {
    let genes = |line: &str| format!("every = 2\n[genes]\n{line}\n");
    let (unknown, empty, outside) =
        (genes("acros = [0, 1]"), genes("across = [1, 1]"), genes("across = [0, 9]"));
    refusals(
        RECIPE,
        &[
            (
                "version = 3",
                "version = 2",
                "line 1, column 11: version 2 of recipes is not read any more",
            ),
            ("version = 3", "version = 4", "line 1, column 11: version 4 of recipes is newer"),
            (
                "seed = 1",
                "sead = 1",
                "line 8, column 1: unknown field `sead`; did you mean `seed`?",
            ),
            ("nodes = \"20k\"", "node = \"20k\"", "unknown field `node`; did you mean `nodes`?"),
            (
                "\"coevolution\"",
                "\"coevolutio\"",
                "unknown variant `coevolutio`; did you mean `coevolution`?",
            ),
            (
                "\"walk\"",
                "\"wall\"",
                "line 3, column 11: unknown puzzle: `wall`; did you mean `walk`?",
            ),
            ("astar({", "astra({", "unknown search: `astra`; did you mean"),
            ("{heuristic}", "far", "line 4, column 10: expected {heuristic} once"),
            ("{heuristic}", "{h}", "line 4, column 10: unknown placeholder `h`"),
            ("{heuristic}", "{heuristic", "column 7 of the solver: `{` without `}`"),
            ("w=1", "v=1", "line 4, column 10: "),
            (
                "\"weighted\"",
                "\"far\"",
                "line 5, column 13: the heuristic `far` has no real parameter that could evolve; heuristics of walk that have one: weighted",
            ),
            (
                "\"weighted\"",
                "\"weihted\"",
                "line 5, column 14: unknown heuristic: `weihted`; did you mean",
            ),
            (
                "\"weighted\"",
                "\"weighted(across=1, down=1)\"",
                "line 5, column 13: all of its real parameters are given",
            ),
            ("\"random\"", "\"randon\"", "line 6, column 14: unknown generator"),
            (
                "generator = \"random\"\n",
                "",
                "line 3, column 10: walk has no numbered deals: add a generator",
            ),
            ("generations = 3", "generations = 0", "line 9, column 15: `generations` is 0"),
            ("training = 6", "training = 0", "line 11, column 12: `training` is 0"),
            ("training = 6", "training = \"none\"", "none: "),
            (
                "finalists = 2",
                "finalists = 5",
                "line 12, column 13: `finalists` is 5, but must be between 1 and 4",
            ),
            ("nodes = 3000", "nodes = \"7x\"", "line 13, column 9: "),
            ("nodes = 3000", "nodes = 0", "line 13, column 9: `nodes` is 0"),
            ("astar(far)", "astar(fat)", "line 15, column 17: unknown heuristic"),
            (
                "nodes = \"20k\"",
                "nodes = \"20k\"\nunsolved = 100",
                "line 17, column 12: an unsolved instance must not",
            ),
            ("nodes = \"20k\"", "unsolved = \"twice\"", "or \"twice-hardest\""),
            (
                "every = 2",
                &unknown,
                "unknown real parameter of `weighted`: `acros`; did you mean `across`?",
            ),
            ("every = 2", &empty, "line 23, column 10: expected [least, bound]"),
            ("every = 2", &outside, "line 23, column 10: `across` expects numbers from 0 to 4"),
        ],
        |text| read(text).err().map(|error| error.to_string()),
    );
    // All at once.
    let text = RECIPE.replace("\"weighted\"", "\"far\"").replace("finalists = 2", "finalists = 9");
    let said = read(&text).err().unwrap().to_string();
    assert!(said.contains("line 5,") && said.contains("; line 12,"), "{said}");
}
