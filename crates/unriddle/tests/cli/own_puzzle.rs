//! The example of a puzzle of one's own: every verb works on it, and the searches agree.

use crate::{
    place::{Place, field},
    terminal::Terminal,
};
use std::collections::{BTreeMap, VecDeque};

/// A layered beam finds the 31 jumps of the central game, and the bound of the start proves them.
#[test]
fn own_games_are_played_to_their_bound() {
    let place = Place::of_example("own_game");
    let board = place.run(&["generate", "pegs"]).good();
    let board = board.trim_end().rsplit_once(": ").map_or(&*board, |(_, board)| board).to_owned();
    let record = place.run(&["solve", "pegs", &board, "--format", "jsonl"]).good();
    assert_eq!(
        (field(&record, "status"), field(&record, "value")),
        ("\"optimal\"".into(), "31".into())
    );
    assert_eq!(field(&record, "checked_by"), "\"own rules\"");
    assert!(place.run(&["version"]).good().starts_with("own_game "));
}

fn place() -> Place {
    Place::of_example("own_puzzle")
}

/// The least number of flips of every stack of a size, by breadth-first search over plain vectors
/// from the goal.
fn distances(size: u8) -> BTreeMap<Vec<u8>, i64> {
    let goal: Vec<u8> = (1..=size).collect();
    let mut known = BTreeMap::from([(goal.clone(), 0)]);
    let mut queue = VecDeque::from([goal]);
    while let Some(stack) = queue.pop_front() {
        let further = known[&stack] + 1;
        for flip in 2..=stack.len() {
            let mut next = stack.clone();
            next[..flip].reverse();
            if !known.contains_key(&next) {
                known.insert(next.clone(), further);
                queue.push_back(next);
            }
        }
    }
    known
}

/// All stacks of five pancakes, and random ones of nine.
#[test]
fn searches_agree_with_breadth_first_search() {
    let place = place();
    let small = distances(5);
    let lines = small.keys().map(|stack| {
        let words: Vec<String> = stack.iter().map(u8::to_string).collect();
        words.join(" ")
    });
    let lines: Vec<String> = lines.collect();
    place.write("small.txt", lines.join("\n"));
    let expected: Vec<i64> = small.values().copied().collect();
    let random = ["generate", "pancakes", "random(9)", "-n", "12", "--seed", "5"];
    place.write("large.txt", place.run(&random).good());
    for (file, expected) in [("small.txt", Some(expected)), ("large.txt", None)] {
        let values = |solver: &str| -> Vec<(i64, String)> {
            let solve = ["solve", "pancakes", "--file", file, "--solver", solver];
            let ran = place.run(&[&solve[..], &["--format", "jsonl"]].concat());
            let out = ran.good();
            let record = |line: &str| {
                assert_eq!(field(line, "checked"), "true", "{line}");
                assert_eq!(field(line, "checked_by"), "\"own rules\"");
                (field(line, "value").parse().unwrap(), field(line, "status"))
            };
            out.lines().map(record).collect()
        };
        let oracle = values("bfs");
        if let Some(expected) = expected {
            let found: Vec<i64> = oracle.iter().map(|(value, _)| *value).collect();
            assert_eq!(found, expected);
        }
        assert!(oracle.iter().all(|(_, status)| status == "\"optimal\""));
        for solver in ["astar(gap)", "idastar(gap)", "idastar(max(gap, blind))", "idtt(gap)"] {
            assert_eq!(values(solver), oracle, "{solver}");
        }
        for solver in ["beam(gap, width=1000)", "greedy(gap)", "bwas(gap, batch=10)"] {
            let found = values(solver);
            assert_eq!(found.len(), oracle.len());
            let no_shorter = |(one, other): (&(i64, String), &(i64, String))| one.0 >= other.0;
            assert!(found.iter().zip(&oracle).all(no_shorter), "{solver}");
        }
    }
}

#[test]
fn its_solutions_are_checked_by_its_own_rules() {
    let place = place();
    let stack = "3 1 4 2";
    let told = place.run(&["solve", "pancakes", stack]).good();
    assert!(told.contains("flips, proved optimal, checked"), "{told}");
    let record = place.run(&["solve", "pancakes", stack, "--format", "jsonl"]).good();
    let solution = field(&record, "solution").trim_matches('"').to_owned();
    let right = place.run(&["check", "pancakes", stack, &solution]).good();
    assert!(right.contains("right: "), "{right}");
    place.write("records.jsonl", &record);
    let right = place.run(&["check", "--file", "records.jsonl"]).good();
    assert!(right.contains("right: "), "{right}");
    let wrong = place.run(&["check", "pancakes", stack, "2 3"]);
    assert!(wrong.out.contains("the goal is not reached"), "{}", wrong.out);
    wrong.bad(30);
    // A changed record is refused as well.
    let value = format!("\"value\":{}", field(&record, "value"));
    place.write("records.jsonl", record.replace(&value, "\"value\":1"));
    place.run(&["check", "--file", "records.jsonl"]).bad(30);
}

#[test]
fn invalid_input_is_rejected_with_line_and_column() {
    let place = place();
    for (stack, why) in [
        ("3 1 x", "column 5: expected sizes of 1 to 3, each once, found `x`"),
        ("3 1 1", "column 5: expected sizes of 1 to 3, each once, found `1`"),
        ("1 4 2", "column 3: expected sizes of 1 to 3, each once, found `4`"),
    ] {
        let told = place.run(&["solve", "pancakes", stack]).bad(31);
        assert!(told.contains(why), "{told}");
    }
    let told = place.run(&["check", "pancakes", "2 1 3", "2 4"]);
    assert!(told.out.contains("expected a flip of 2 to 3"), "{}", told.out);
    let told = place.run(&["solve", "tiles", "1 2 3 0"]).bad(2);
    assert!(told.contains("unknown puzzle: `tiles` (known: pancakes)"), "{told}");
    let told = place.run(&["solve", "pancakes", "2 1", "--solver", "astar(gaps)"]).bad(2);
    assert!(told.contains("did you mean `gap`?"), "{told}");
}

#[test]
fn it_is_shown_listed_and_described() {
    let place = place();
    let drawn = place.run(&["show", "pancakes", "2 1 3"]).good();
    let bars: Vec<&str> = drawn.lines().map(str::trim).collect();
    assert_eq!(bars, ["===", "=", "====="]);
    let svg = place.run(&["show", "pancakes", "2 1 3", "--format", "svg"]).good();
    assert!(svg.starts_with("<svg ") && svg.matches("<text ").count() == 3, "{svg}");
    let after = place.run(&["show", "pancakes", "2 1 3", "--solution", "2"]).good();
    assert_eq!(after.lines().map(str::trim).collect::<Vec<_>>(), ["=", "===", "====="]);
    let listed = place.run(&["list"]).good();
    for part in ["  pancakes  ", "    default  ", "  astar  ", "  gap  ", "  random  "] {
        assert!(listed.contains(part), "{part}: {listed}");
    }
    assert!(!listed.contains("tiles"), "{listed}");
    let told = place.run(&["describe", "pancakes"]).good();
    for part in ["pancakes (puzzle)", "default", "heuristics gap", "generators random"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let told = place.run(&["describe", "random"]).good();
    assert!(told.contains("an integer from 1 to 16 (default 8)"), "{told}");
}

#[test]
fn it_is_played_in_a_terminal() {
    let place = place();
    let mut terminal = Terminal::new(80, 24);
    let command = &mut place.command(&["play", "pancakes", "2 1 3", "--solution", "2"]);
    let mut child = terminal.start(command);
    terminal.wait_for("=====");
    terminal.wait_for("1 of 1 (2)");
    terminal.type_keys("q");
    assert!(child.wait().expect("it ends").success());
}

/// All 24 stacks of four pancakes can be sorted, and the farthest needs four flips.
#[test]
fn it_is_validated() {
    let place = place();
    let told = place.run(&["validate", "pancakes", "2 4 1 3"]).good();
    for part in [
        "optimum 4 flips (proved)",
        "reachable states: 24; goals: 1; dead ends: 0 (0.0 %)",
        "optimal solutions: ",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    place.write("stacks.txt", "a: 2 1 3\nb: 3 1 2\na: 2 1 3\n");
    let batch = ["validate", "pancakes", "--file", "stacks.txt", "--format", "html"];
    let page = place.run(&batch).good();
    assert_eq!(page.matches("<section").count(), 3);
    assert!(page.contains("duplicate of `a`"), "{page}");
    let wrong = place.run(&["validate", "pancakes", "2 1", "--set", "sates=3"]).bad(2);
    assert!(wrong.contains("did you mean `states`?"), "{wrong}");
}

const EVOLUTION: &str = "\
version = 3
title = \"Pancakes\"
puzzle = \"pancakes\"
generator = \"random(7)\"
solver = \"greedy({heuristic})\"
heuristic = \"mixed\"
method = \"coevolution\"
seed = 1
generations = 2
population = 4
finalists = 2
training = 6
nodes = \"20k\"
[baseline]
solver = \"astar(gap)\"
nodes = \"50k\"
[sets]
population = 3
instances = 2
met = 1
every = 2
";

/// Its weights evolve, and the solver that comes out of it solves.
#[test]
fn its_weights_evolve() {
    let place = place();
    place.write("recipe.toml", EVOLUTION);
    let evolve = ["evolve", "pancakes", "--recipe", "recipe.toml", "--run", "run"];
    let told = place.run(&evolve).good();
    assert!(told.contains("6 training instances, 6 solved (baseline 6)"), "{told}");
    let weights = place.read("run/weights.toml");
    assert!(weights.contains("gaps") && weights.contains("shifts"), "{weights}");
    let solve = ["solve", "pancakes", "3 1 4 2", "--solver", "run/solver.toml"];
    assert!(place.run(&solve).good().contains("checked"));
    // A heuristic without weights has nothing that evolves.
    place.write("recipe.toml", EVOLUTION.replace("\"mixed\"", "\"gap\""));
    let refused = place.run(&["evolve", "pancakes", "--recipe", "recipe.toml", "--run", "other"]);
    let told = refused.bad(31);
    assert!(told.contains("recipe.toml, line") && told.contains("mixed"), "{told}");
}

const TUNING: &str = "\
version = 1
title = \"Pancakes\"
puzzle = \"pancakes\"
generator = \"random(7)\"
solver = \"astar(mixed(gaps={gaps}, shifts={shifts}))\"
method = \"cross-entropy\"
measure = \"generated\"
seed = 1
samples = 6
elite = 2
boards = 3
iterations = 2
limits.generated = \"20k\"
[[parameter]]
name = \"gaps\"
min = 0
max = 1
[[parameter]]
name = \"shifts\"
min = 0
max = 1
";

/// Its parameters are tuned, by the effort of the search.
#[test]
fn its_parameters_are_tuned() {
    let place = place();
    place.write("recipe.toml", TUNING);
    let tune = ["tune", "pancakes", "--recipe", "recipe.toml", "--run", "run"];
    let told = place.run(&tune).good();
    assert!(told.contains("astar(mixed("), "{told}");
    let solve = ["solve", "pancakes", "3 1 4 2", "--solver", "run/preset.toml"];
    assert!(place.run(&solve).good().contains("checked"));
    place.write("recipe.toml", TUNING.replace("measure = \"generated\"\n", ""));
    let told = place.run(&["tune", "pancakes", "--recipe", "recipe.toml", "--run", "other"]);
    assert!(told.bad(31).contains("measure"));
}

const EXPERIMENT: &str = "\
title = \"Pancakes\"
[[claim]]
text = \"Gaps save states.\"
[[claim.test]]
solver = \"A*\"
attribute = \"expanded\"
baseline = \"default\"
is = \"at most\"
of = \"set\"
[[suite]]
name = \"six\"
puzzle = \"pancakes\"
generator = \"random(6)\"
count = 5
[[solver]]
name = \"A*\"
spec = \"astar(gap)\"
[[solver]]
name = \"default\"
preset = \"default\"
[[table]]
kind = \"paired\"
attribute = \"expanded\"
baseline = \"default\"
";

/// The lab's workers are processes of the example itself.
#[test]
fn experiments_run_on_it() {
    let place = place();
    place.write("e.toml", EXPERIMENT);
    let database = ["--database", "d.sqlite"];
    let told = place.run(&[&["lab", "run", "e.toml"][..], &database].concat()).good();
    assert!(told.contains("A\\*") && told.contains("default"), "{told}");
    let report = ["lab", "report", "e.toml", "--output", "out"];
    place.run(&[&report[..], &database].concat()).good();
    let page = place.read("out/e.md");
    assert!(page.contains("Pancakes") && page.contains("100"), "{page}");
    let made = "- Made by `own_puzzle lab run e.toml` and `own_puzzle lab report e.toml`\n";
    assert!(page.contains(made), "{page}");
    assert!(page.contains("*Claim (our expectation):* Gaps save states."), "{page}");
    let rows = place.run(&[&["lab", "show", "e", "--format", "jsonl"][..], &database].concat());
    let rows = rows.good();
    assert_eq!(rows.lines().count(), 10, "{rows}");
    assert!(rows.lines().all(|row| field(row, "checked_by") == "\"own rules\""), "{rows}");
}

#[cfg(feature = "train")]
const TRAINING: &str = "\
version = 2
title = \"Pancakes\"
puzzle = \"pancakes\"
instances = \"random(6)\"
seed = 1
[network]
blocks = [{ dense = 64, activation = \"relu\" }]
[[source]]
from = \"walks\"
steps = 8
target = \"bellman\"
[target]
every = 25
below = 0.2
at_most = 100
[training]
batch = 200
examples = \"200k\"
rate = 0.005
last_rate = 0.0001
";

/// A network learns its distances by the recipe of any other puzzle, and guides a search.
#[cfg(feature = "train")]
#[test]
fn its_distances_are_learned() {
    let place = place();
    place.write("recipe.toml", TRAINING);
    let train = ["train", "pancakes", "--recipe", "recipe.toml", "--run", "run"];
    let told = place.run(&train).good();
    assert!(told.contains("greedy search solves"), "{told}");
    let solver = "astar(net(run/model.safetensors))";
    let solve = ["solve", "pancakes", "4 6 2 5 1 3", "--solver", solver, "--format", "json"];
    let record: serde_json::Value = serde_json::from_str(&place.run(&solve).good()).unwrap();
    let record = record.get(0).unwrap_or(&record);
    assert_eq!(record["status"], "solved", "{record}");
    // No stack of six needs more.
    assert!(record["length"].as_u64().unwrap() <= 7, "{record}");
    assert!(record["networks"].as_str().unwrap().starts_with("run/model.safetensors"), "{record}");
    // A network of another number of pancakes is refused.
    let other = ["solve", "pancakes", "2 1 3", "--solver", solver];
    let refused = place.run(&other).bad(2);
    assert!(refused.contains("the size"), "{refused}");
    // The puzzle declares no symmetries and has no parity.
    let mirrored = "astar(net(run/model.safetensors, parity=on))";
    let refused = place.run(&["solve", "pancakes", "4 6 2 5 1 3", "--solver", mirrored]).bad(2);
    assert!(refused.contains("no parity"), "{refused}");
}
