//! Experiments on scores, for which higher is better and deviations are shown beside averages;
//! experiments with named values, and variants of other experiments.

use std::path::{Path, PathBuf};
use unriddle::lab::{
    Experiment, LabError, Plan,
    attribute::{Better, Statistic},
    experiment::Engine,
    report::tables,
    row::Status,
};

const SCORES: &str = r#"
title = "{nodes} play-outs"
measure = "points"

[values]
nodes = "1k"
nodes-short = 20
nodes-long = "3k"
cpu = "60s"

[limits]
cpu = "{cpu}"

[[claim]]
text = "C, with {nodes-long}."
[[claim.test]]
solver = "grid, time={time}"
attribute = "value"
baseline = "base"
is = "more than"
each = { time = ["short", "long"] }

[[suite]]
name = "boards"
puzzle = "samegame"
generator = "uniform(width=4, height=4, colours=3)"
count = 8

[[solver]]
name = "base"
spec = "spmcts(random, nodes={nodes})"

[[solver]]
name = "grid"
spec = "spmcts(tabu_color, nodes={nodes-{time}})"
grid = [{ name = "time", values = ["short", "long"] }]

[[attribute]]
name = "value"
[[attribute]]
name = "value"
statistic = "sd"
[[attribute]]
name = "length"
[[attribute]]
name = "bound"

[[table]]
kind = "paired"
attribute = "value"
baseline = "base"
"#;

fn place() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/test.toml")
}

fn read(text: &str) -> Experiment {
    Experiment::parse(&place(), text, &unriddle::registry())
        .unwrap_or_else(|error| panic!("{error}"))
}

fn specs(experiment: &Experiment) -> Vec<&str> {
    let solvers = experiment.solvers.iter();
    solvers
        .filter_map(|solver| match &solver.engine {
            Engine::Spec(spec) => Some(spec.as_str()),
            _ => None,
        })
        .collect()
}

#[test]
fn higher_scores_are_better() {
    let experiment = read(SCORES);
    let shown: Vec<_> =
        experiment.attributes.iter().map(|a| (a.heading, a.statistic, a.better)).collect();
    assert_eq!(
        shown,
        [
            ("value", Statistic::Mean, Better::Higher),
            ("value", Statistic::Sd, Better::Higher),
            ("length", Statistic::Mean, Better::Neutral),
            ("upper bound", Statistic::Mean, Better::Lower),
        ]
    );
    // An experiment's own word counts; and of costs less is better.
    let lower = SCORES.replacen("name = \"value\"", "name = \"value\"\nbetter = \"lower\"", 1);
    assert_eq!(read(&lower).attributes[0].better, Better::Lower);
    let tiles = SCORES
        .replace("measure = \"points\"\n", "")
        .replace("samegame", "tiles")
        .replace("uniform(width=4, height=4, colours=3)", "uniform(3)")
        .replace("spmcts(random, nodes={nodes})", "astar(manhattan)")
        .replace(
            "spmcts(tabu_color, nodes={nodes-{time}})",
            "bwas(manhattan, batch={nodes-{time}})",
        );
    assert_eq!(read(&tiles).attributes[0].better, Better::Lower);
}

#[test]
fn the_paired_table_of_scores_counts_higher_ones_as_wins() {
    let plan = Plan::load(read(SCORES), None).unwrap_or_else(|error| panic!("{error}"));
    let rows: Vec<_> = (plan.tasks.iter())
        .map(|task| {
            let i = task.instance as i64;
            let mut row = plan.row(task);
            row.status = Status::Solved;
            row.checked = Some(true);
            row.value = Some(match task.solver {
                0 => 100 + 10 * i,
                // Better by 9 to 11 on all boards but one, which is equal.
                1 if i == 0 => 100,
                1 => 110 + 10 * i + i % 3 - 1,
                // Worse and better by turns.
                _ => 100 + 10 * i + if i % 2 == 0 { 30 } else { -30 },
            });
            row
        })
        .collect();
    let text = tables(&plan, &rows, 0);
    let line = |start: &str, nth: usize| {
        let found = text.lines().filter(|line| line.starts_with(start)).nth(nth);
        found.unwrap_or_else(|| panic!("{start}: {text}")).to_owned()
    };
    let cells = |line: &str| -> Vec<String> {
        line.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    // The first table has a row for the best average, which is marked; a deviation never is.
    let head = cells(&line("| solver", 0));
    assert_eq!(head[3..5], ["value (points)", "standard deviation of value (points)"]);
    let base = cells(&line("| base", 0));
    // √600: of eight values ten apart.
    assert_eq!(base[4], "24.49", "{text}");
    assert!(!base[3].contains("**"), "{text}");
    let short = cells(&line("| grid, time=short", 0));
    assert!(short[3].starts_with("**"), "{text}");
    // Then the paired table.
    let short = cells(&line("| grid, time=short", 1));
    assert_eq!((short[5].as_str(), short[6].as_str()), ("7 / 1 / 0", "yes"), "{text}");
    let long = cells(&line("| grid, time=long", 1));
    assert_eq!((long[5].as_str(), long[6].as_str()), ("4 / 0 / 4", "no"), "{text}");
}

#[test]
fn names_are_replaced_by_their_values() {
    let experiment = read(SCORES);
    assert_eq!(experiment.title, "1k play-outs");
    assert_eq!(experiment.claims[0].text, "C, with 3k.");
    let nodes = |spec: &&str| spec.split("nodes=").nth(1).map(|s| s[..4].to_owned());
    let specs = specs(&experiment);
    let nodes: Vec<_> = specs.iter().filter_map(nodes).collect();
    assert_eq!(nodes, ["1000", "20, ", "3000"], "{specs:?}");
    assert_eq!(experiment.solvers[0].limits.to_string(), "cpu=60s");
    // An unknown name is not replaced, and the solver is invalid.
    let wrong = SCORES.replace("nodes={nodes})", "nodes={node})");
    assert!(Experiment::parse(&place(), &wrong, &unriddle::registry()).is_err());
}

#[test]
fn a_variant_is_its_base_with_other_values() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("whole.toml"), SCORES.replace("measure", "notes = [\"Old.\"]\nmeasure"))
        .unwrap();
    let variant = |text: &str| Experiment::parse(&file("part.toml"), text, &unriddle::registry());
    let base = Experiment::read(&file("whole.toml"), &unriddle::registry()).unwrap();
    let same = variant("base = \"whole.toml\"\n").unwrap();
    assert_eq!((same.name.as_str(), same.path), ("part", file("part.toml")));
    let text =
        "base = \"whole.toml\"\nnotes = [\"New, {nodes}.\"]\n[values]\nnodes = 7\ncpu = \"1s\"\n";
    let other = variant(text).unwrap();
    assert_eq!(other.title, "7 play-outs");
    assert_eq!(other.notes, ["New, 7.", "Old."]);
    assert_eq!(specs(&other)[1..], specs(&base)[1..]);
    assert_ne!(specs(&other)[0], specs(&base)[0]);
    assert_eq!(other.solvers[2].limits.to_string(), "cpu=1s");

    for (text, place, part) in [
        ("base = \"none.toml\"\n", (1, 8), "none.toml"),
        ("base = \"whole.toml\"\n[values]\nnode = 7\n", (3, 8), "no value `node`"),
        ("base = \"whole.toml\"\n[limits]\ncpu = 7\n", (2, 2), "limits"),
        // Variants of variants are rejected, so that a variant is readable with one other file.
        ("base = \"part.toml\"\n", (1, 1), "unknown field `base`"),
    ] {
        std::fs::write(file("part.toml"), text).unwrap();
        match variant(text) {
            Err(LabError::Text { line, column, message, .. }) => {
                assert_eq!((line, column), place, "{message}");
                assert!(message.contains(part), "{message}");
            }
            other => panic!("{text}: {:?}", other.map(|_| ())),
        }
    }
}
