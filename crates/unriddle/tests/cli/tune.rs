//! Tuning at the command line: interrupted and resumed runs, the resulting solver, errors.

use crate::place::{Place, field};

pub(crate) const RECIPE: &str = r#"version = 1
title = "a few"
puzzle = "samegame"
generator = "uniform(width=5, height=5, colours=3)"
solver = "spmcts(tabu_color(epsilon={epsilon}), c={c}, t={t}, nodes={nodes})"
method = "cross-entropy"
seed = 1
samples = 5
elite = 2
boards = 3
iterations = 2
smoothing = 0.7
[constants]
nodes = 200
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
min = 1e-5
max = 0.01
log = true
[scale.long]
samples = 8
iterations = 4
constants.nodes = "20k"
"#;

fn arguments<'a>(run: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let fixed = ["tune", "samegame", "--recipe", "recipe.toml", "--run", run];
    [&fixed[..], more].concat()
}

pub(crate) const FILES: [&str; 6] =
    ["recipe.toml", "checkpoint.json", "log.csv", "samples.csv", "curve.svg", "preset.toml"];

#[test]
fn any_number_of_jobs_gives_the_same_run() {
    let place = Place::new();
    place.write("recipe.toml", RECIPE);
    let ran = place.run(&arguments("one", &["--jobs", "1"]));
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ran.err);
    assert!(lines[0].starts_with("iteration 1: mean "), "{}", ran.err);
    let said = ran.good();
    assert!(said.starts_with("one/preset.toml: mean score "), "{said}");
    assert!(said.lines().nth(1).is_some_and(|line| line.starts_with("spmcts(")), "{said}");
    place.run(&arguments("two", &["--jobs", "2"])).good();
    let file = |run: &str, name: &str| place.read(&format!("{run}/{name}"));
    for name in FILES {
        assert_eq!(file("one", name), file("two", name), "{name}");
    }
    let log = file("one", "log.csv");
    let head = log.lines().next().unwrap();
    assert!(head.ends_with(",log10(epsilon),log10(epsilon) deviation"), "{head}");
    assert_eq!(log.lines().count(), 3);
    assert_eq!(file("one", "samples.csv").lines().count(), 11);
    assert!(file("one", "curve.svg").starts_with("<svg"));
    // A repeated run that is finished prints the same result and changes nothing.
    let again = place.run(&arguments("one", &[])).good();
    assert_eq!(again, said);

    // The preset is a solver that `solve` accepts.
    let preset = file("one", "preset.toml");
    for part in
        ["# a few\n", "seed 1\n", "# revision: ", "10 samples, 30 games", "name = \"spmcts\""]
    {
        assert!(preset.contains(part), "{part}: {preset}");
    }
    let record = place
        .run(&[
            "solve",
            "samegame",
            "0 1 1\n0 0 1",
            "--solver",
            "one/preset.toml",
            "--format",
            "jsonl",
        ])
        .good();
    assert_eq!(field(&record, "checked"), "true");
    assert!(field(&record, "solver").contains("nodes=200"), "{record}");

    // Neither another recipe nor another scale goes into the same folder.
    let long = ["--scale", "long"];
    assert!(place.run(&arguments("one", &long)).bad(2).contains("another recipe"));
    place.write("recipe.toml", RECIPE.replace("seed = 1", "seed = 2"));
    assert!(place.run(&arguments("one", &[])).bad(2).contains("another recipe"));
}

/// A run of an evolution strategy that time cuts resumes to the bytes of a whole run.
#[test]
fn evolution_strategies_tune_and_resume() {
    let place = Place::new();
    let recipe =
        RECIPE.replace("\"cross-entropy\"", "\"cma-es\"").replace("samples = 5", "samples = 6");
    let recipe = recipe.replace("elite = 2\n", "").replace("smoothing = 0.7\n", "");
    place.write("recipe.toml", &recipe);
    let ran = place.run(&arguments("one", &[]));
    assert!(ran.err.starts_with("iteration 1: mean "), "{}", ran.err);
    let said = ran.good();
    assert!(said.lines().nth(1).is_some_and(|line| line.starts_with("spmcts(")), "{said}");
    let preset = place.read("one/preset.toml");
    assert!(preset.contains("# the average of the last means of the distribution\n"), "{preset}");
    assert!(place.read("one/log.csv").contains(",deviation,step,samples,c,"));
    // Only the first iteration, as a run leaves it that was killed then.
    place.write("recipe.toml", recipe.replace("iterations = 2", "iterations = 1"));
    place.run(&arguments("two", &["--jobs", "1"])).good();
    place.write("two/recipe.toml", place.read("one/recipe.toml"));
    place.write("recipe.toml", &recipe);
    place.run(&arguments("two", &["--jobs", "1"])).good();
    for name in FILES {
        let file = |run: &str| place.read(&format!("{run}/{name}"));
        assert_eq!(file("one"), file("two"), "{name}");
    }
}

#[test]
fn killed_runs_resume_to_the_same_end() {
    let place = Place::new();
    place.write("recipe.toml", RECIPE);
    let long = ["--scale", "long"];
    place.run(&arguments("whole", &long)).good();
    let mut child = place.start(&arguments("cut", &long));
    // In the midst of the second iteration.
    let journal = place.path("cut/journal.csv");
    let is_far = || std::fs::read_to_string(&journal).is_ok_and(|text| text.starts_with("2,"));
    while !is_far() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_far());
    // As if the kill had come between the samples and the checkpoint of the next iteration.
    let samples = place.read("cut/samples.csv");
    place.write("cut/samples.csv", format!("{samples}5,1,0,0,0,0,0\n"));
    place.run(&arguments("cut", &[&long[..], &["--jobs", "3"]].concat())).good();
    for name in FILES {
        let file = |run: &str| place.read(&format!("{run}/{name}"));
        assert_eq!(file("whole"), file("cut"), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn interrupted_runs_name_the_command_to_resume() {
    use rustix::process::{Pid, Signal, kill_process};
    let place = Place::new();
    place.write("recipe.toml", RECIPE.replace("nodes = 200", "nodes = 0"));
    // The games have no end of their own, so they run until the signal.
    let child = place.start(&arguments("run", &[]));
    while !place.path("run/recipe.toml").exists() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let ran = crate::place::Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.bad(23), "cancelled; the same command resumes from the checkpoint in run");
}

#[test]
fn runs_end_with_their_time_and_resume() {
    let place = Place::new();
    place.write("recipe.toml", RECIPE.replace("nodes = 200", "nodes = 0"));
    let ran = place.run(&arguments("run", &["--time", "200ms"]));
    assert_eq!(ran.bad(20), "its time is up; the same command resumes from the checkpoint in run");
    place.write("recipe.toml", RECIPE);
    place.run(&arguments("other", &["--time", "1h"])).good();
}

#[test]
fn wrong_recipes_are_refused_before_any_game() {
    let place = Place::new();
    let refused = |old: &str, new: &str, code| {
        assert!(RECIPE.contains(old), "{old}");
        place.write("recipe.toml", RECIPE.replace(old, new));
        let message = place.run(&arguments("run", &[])).bad(code);
        assert!(!place.path("run").exists());
        message
    };
    let message = refused("elite = 2", "elite = 6", 31);
    assert!(message.starts_with("recipe.toml, line 9, column 9: `elite` is 6"), "{message}");
    // Options that are sound one by one and not together.
    let message = refused("nodes={nodes})", "nodes={nodes}, restarts=300)", 32);
    assert!(message.contains("cannot be divided among 300 searches"), "{message}");
    place.write("recipe.toml", RECIPE);
    let message = place.run(&arguments("run", &["--scale", "lang"])).bad(2);
    assert!(
        message.ends_with("unknown scale `lang`; did you mean `long`? (known: long)"),
        "{message}"
    );
    let other = ["tune", "tiles", "--recipe", "recipe.toml", "--run", "run"];
    assert_eq!(place.run(&other).bad(2), "the recipe is for samegame, not for tiles");
}

/// For assignments, lower values are better. The resulting solver solves another world.
#[test]
fn solvers_of_parties_are_tuned() {
    let place = Place::new();
    let recipe = r#"version = 1
title = "temperatures"
puzzle = "party"
generator = "world(type2, heroes=300)"
solver = "team-anneal(moves=3000, runs=1, hot={hot}, cold={cold})"
method = "cross-entropy"
seed = 1
samples = 5
elite = 2
boards = 2
iterations = 2
[[parameter]]
name = "hot"
min = 0.1
max = 2
[[parameter]]
name = "cold"
min = 0.001
max = 0.1
log = true
"#;
    place.write("recipe.toml", recipe);
    let tune = ["tune", "party", "--recipe", "recipe.toml", "--run"];
    let said = place.run(&[&tune[..], &["run"]].concat()).good();
    assert!(said.starts_with("run/preset.toml: mean cost "), "{said}");
    let table = place.read("run/samples.csv");
    assert!(table.starts_with("iteration,sample,hot,cold,cost,nodes\n"));
    let costs = |iteration: &str| -> Vec<f64> {
        let lines = table.lines().filter(|line| line.starts_with(iteration));
        let cost = |line: &str| line.split(',').nth(4).and_then(|cost| cost.parse().ok());
        lines.filter_map(cost).collect()
    };
    assert_eq!((costs("1,").len(), costs("2,").len()), (5, 5));
    // The best is the cheapest, and the elite ends at the second.
    let mut first = costs("1,");
    first.sort_unstable_by(f64::total_cmp);
    let log = place.read("run/log.csv");
    let row: Vec<&str> = log.lines().nth(1).unwrap().split(',').collect();
    let cell = |column: usize| row[column].parse::<f64>().unwrap();
    assert_eq!((cell(1), cell(4)), (first[0], first[4]));
    assert_eq!(cell(6), first[1]);
    let preset = place.read("run/preset.toml");
    assert!(preset.contains("# mean cost of the last iteration: "));
    assert!(preset.contains("of its elite at most "), "{preset}");
    let world = place.run(&["generate", "party", "world(type2, heroes=300)"]).good();
    place.write("world.json", &world);
    let solve = ["solve", "party", "world.json", "--solver", "run/preset.toml"];
    place.run(&solve).good();
    place
        .write("recipe.toml", recipe.replace("world(type2, heroes=300)", "world(type2, heroes=3)"));
    let message = place.run(&[&tune[..], &["other"]].concat()).bad(31);
    assert!(message.contains("line 4"), "{message}");
}

/// A puzzle with a goal: the weight of its search is tuned to the effort.
#[test]
fn solvers_of_tiles_are_tuned() {
    let place = Place::new();
    let recipe = r#"version = 1
title = "weight of A*"
puzzle = "tiles"
generator = "uniform(3)"
solver = "astar(manhattan, w={w})"
method = "cross-entropy"
measure = "generated"
seed = 1
samples = 6
elite = 2
boards = 4
iterations = 2
limits.generated = "20k"
[[parameter]]
name = "w"
min = 1
max = 5
"#;
    place.write("recipe.toml", recipe);
    let tune = ["tune", "tiles", "--recipe", "recipe.toml", "--run", "run"];
    let said = place.run(&tune).good();
    assert!(said.starts_with("run/preset.toml: mean generated "), "{said}");
    let solve = ["solve", "tiles", crate::place::EASY, "--solver", "run/preset.toml"];
    place.run(&solve).good();
    place.write("recipe.toml", recipe.replace("limits.generated", "limits.generate"));
    let other = ["tune", "tiles", "--recipe", "recipe.toml", "--run", "other"];
    let message = place.run(&other).bad(31);
    assert!(
        message.starts_with("recipe.toml, line ")
            && message.contains("line 13, column ")
            && message.contains("unknown field `generate`; did you mean `generated`?"),
        "{message}"
    );
}
