//! Tuning solvers of puzzles with a goal: by effort and by cost.

use crate::common::{Ran, ran, refusals, registry};
use std::{fs, path::Path};
use unriddle_learn::{
    WorkError,
    tune::{Measure, Recipe, tune},
};

const RECIPE: &str = r#"version = 1
title = "a walk"
puzzle = "walk"
generator = "random"
solver = "astar(weighted(across={across}, down={down}))"
method = "cross-entropy"
measure = "generated"
seed = 1
samples = 8
elite = 2
boards = 3
iterations = 4
limits.generated = "2k"
[[parameter]]
name = "across"
min = 0
max = 4
[[parameter]]
name = "down"
min = 0
max = 4
"#;

fn read(text: &str) -> Result<Recipe, WorkError> {
    Recipe::parse(Path::new("a/r.toml"), text, None, &registry())
}

fn run(text: &str, folder: &Path, jobs: usize, cancel_after: Option<usize>) -> Ran {
    let recipe = read(text).unwrap_or_else(|error| panic!("{error}"));
    ran(jobs, cancel_after, |context| tune(&recipe, folder, context))
}

/// The mean of each iteration, and the best of all.
fn means(folder: &Path) -> (Vec<f64>, f64) {
    let log = fs::read_to_string(folder.join("log.csv")).unwrap();
    let cell = |line: &str, column| line.split(',').nth(column).unwrap().parse().unwrap();
    let lines = log.lines().skip(1);
    let best = lines.clone().map(|line| cell(line, 1)).fold(f64::MAX, f64::min);
    (lines.map(|line| cell(line, 2)).collect(), best)
}

#[test]
fn effort_falls() {
    let place = tempfile::tempdir().unwrap();
    let ran = run(RECIPE, place.path(), 2, None);
    let summary = ran.done.unwrap().unwrap().summary;
    assert!(summary.starts_with("mean generated "), "{summary}");
    let (means, best) = means(place.path());
    assert!(means[3] < means[0], "{means:?}");
    // Each way home has at least 20 steps, each of which generates a few states.
    assert!(best >= 40.0, "{best}");
    let table = fs::read_to_string(place.path().join("samples.csv")).unwrap();
    assert!(table.starts_with("iteration,sample,across,down,generated,nodes\n"));
}

/// A board that is not solved counts as the limit times the penalty.
#[test]
fn unsolved_boards_have_a_penalty() {
    let efforts = |penalty: &str| {
        let place = tempfile::tempdir().unwrap();
        let text = RECIPE
            .replace("iterations = 4", &format!("iterations = 1{penalty}"))
            .replace("\"2k\"", "150");
        run(&text, place.path(), 1, None).done.unwrap();
        means(place.path()).0[0]
    };
    let (once, usual) = (efforts("\npenalty = 1"), efforts(""));
    assert!(once <= 150.0, "{once}");
    assert!(usual > 300.0, "{usual}");
    let place = tempfile::tempdir().unwrap();
    let text = RECIPE.replace("\"2k\"", "9");
    let Err(WorkError::Unsolved(why)) = run(&text, place.path(), 1, None).done else {
        panic!("it solved something");
    };
    assert!(why.contains("within 9 generated states"), "{why}");
}

/// The cost of solutions at a budget: a game that does not end within it is worse than all that do.
#[test]
fn cost_is_tuned() {
    let place = tempfile::tempdir().unwrap();
    let text = RECIPE.replace("\"generated\"", "\"value\"").replace("\"2k\"", "600");
    let recipe = read(&text).unwrap();
    assert_eq!((recipe.measure, recipe.measured()), (Measure::Value, "cost"));
    let done = run(&text, place.path(), 2, None).done.unwrap().unwrap();
    assert!(done.summary.starts_with("mean cost "), "{}", done.summary);
    let log = fs::read_to_string(place.path().join("log.csv")).unwrap();
    let cells: Vec<&str> = log.lines().nth(1).unwrap().split(',').collect();
    let cell = |column: usize| cells[column].parse::<f64>().unwrap();
    let (best, worst) = (cell(1), cell(4));
    // Every way home has at least 20 steps; a game without one counts one more than the others.
    assert!(20.0 <= best && best < worst && worst <= best + 1.0, "{log}");
}

#[test]
fn a_cancelled_run_resumes_after_its_last_game() {
    let place = tempfile::tempdir().unwrap();
    let (whole, cut) = (place.path().join("whole"), place.path().join("cut"));
    let all = run(RECIPE, &whole, 1, None);
    assert_eq!(all.pieces, 4 * 8 * 3);
    assert_eq!(all.stages[0], ("iteration 1 of 4".to_owned(), 24, 0));
    let stopped = run(RECIPE, &cut, 1, Some(31));
    assert!(matches!(stopped.done, Ok(None)));
    let rest = run(RECIPE, &cut, 3, None);
    assert_eq!(rest.done.unwrap().unwrap().summary, all.done.unwrap().unwrap().summary);
    assert_eq!(rest.stages[0], ("iteration 2 of 4".to_owned(), 24, 7));
    assert_eq!(rest.pieces, all.pieces - 31);
    for name in ["checkpoint.json", "log.csv", "samples.csv", "curve.svg", "preset.toml"] {
        let read = |folder: &Path| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(read(&whole), read(&cut), "{name}");
    }
}

#[test]
fn errors_have_positions() {
    refusals(
        RECIPE,
        &[
            (
                "version = 1",
                "version = 0",
                "line 1, column 11: version 0 of recipes does not exist",
            ),
            (
                "measure = \"generated\"\n",
                "",
                "line 3, column 10: walk has a goal: choose the measure of its solvers",
            ),
            (
                "\"generated\"",
                "\"generate\"",
                "unknown variant `generate`; did you mean `generated`?",
            ),
            (
                "limits.generated = \"2k\"\n",
                "",
                "line 7, column 11: the effort of a board that is not solved",
            ),
            (
                "seed = 1",
                "seed = 1\npenalty = 0.5",
                "line 9, column 11: `penalty` is 0.5, but must be between 1 and",
            ),
            (
                "\"generated\"",
                "\"value\"\npenalty = 2",
                "line 8, column 11: a `penalty` belongs to",
            ),
            (
                "boards = 3",
                "board = 3",
                "line 11, column 1: unknown field `board`; did you mean `boards`?",
            ),
        ],
        |text| read(text).err().map(|error| error.to_string()),
    );
}
