//! The shell examples of README and docs are run by a shell, as a reader would run them.

use crate::{
    party::{PUZZLE, TABLE},
    place::{Place, example},
};
use std::{
    ffi::OsString,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Deviation of an example from a plain run.
enum How {
    /// It ends with this code.
    Ends(i32),
    /// This is run, which does the same with less.
    Instead(&'static str),
    /// All examples that begin so are run with this behind them.
    With(&'static str),
    /// It is not run.
    Not(&'static str),
    /// All examples that begin so are not run.
    #[cfg(not(feature = "train"))]
    Skip(&'static str),
}

/// The examples that do not run literally, or that end with another code than 0.
const RULES: &[(&str, How)] = &[
    (
        "cargo run --release -- solve tiles \"14 13 15 7 11 12 9 5 6 10 2 1 4 8 0 3\"",
        How::Instead("unriddle solve tiles \"14 13 15 7 11 12 9 5 6 10 2 1 4 8 0 3\""),
    ),
    ("cargo test --workspace --features train", How::Not("it would run this test, too")),
    // Tables of the 8-puzzle take no time.
    (
        "unriddle generate tiles 'uniform(4)' -n 1000 --seed 7 > boards.txt",
        How::Instead("unriddle generate tiles 'uniform(3)' -n 5 --seed 7 > boards.txt"),
    ),
    (
        "unriddle play tiles \"8 6 7 2 5 4 3 0 1\"              # by hand, with hints; --watch plays a solution back",
        How::Not("it needs a terminal; the tests of the terminal play"),
    ),
    (
        "unriddle solve freecell --deals 1..32000 --format jsonl > solved.jsonl",
        How::Instead("unriddle solve freecell --deals 1..20 --format jsonl > solved.jsonl"),
    ),
    ("unriddle solve freecell 11982                        # unsolvable, proved", How::Ends(10)),
    (
        "unriddle generate cube -n 20 > cubes.txt",
        How::Instead("unriddle generate cube 'scramble(min=2, max=8)' -n 2 > cubes.txt"),
    ),
    (
        "unriddle solve cube --file cubes.txt --memory 9G --format jsonl > cubes.jsonl   # the fewest quarter turns, proved, by the largest table that fits",
        How::Instead(
            "unriddle solve cube --file cubes.txt --memory 100M --format jsonl > cubes.jsonl",
        ),
    ),
    (
        "unriddle solve 'cube(metric=htm)' --file cubes.txt --solver 'cube-optimal(all=20, ties=metric)'   # twenty shortest solutions each",
        How::Instead(
            "unriddle solve 'cube(metric=htm)' --file cubes.txt --solver 'cube-optimal(table=23M, all=20, ties=metric)'",
        ),
    ),
    (
        "unriddle solve cube --file cubes.txt --preset learned --threads 2   # a network that saw random walks alone; near the optimum in seconds",
        How::Instead(
            "unriddle solve cube --file cubes.txt --solver 'beam(net(cube, precision=short), width=1k, direction=bidirectional, goal_table=1M)' --threads 2",
        ),
    ),
    // The preset builds the largest table that fits, and smaller ones take longer here.
    (
        "unriddle solve cube 'LRBUURFRRDFUDRUBLRLBFLFLFDLDBUFDBDFUDLUULFBULRDBBBRFDR'",
        How::With("--preset fast"),
    ),
    (
        "unriddle generate sokoban -n 20 > rooms.txt",
        How::Instead("unriddle generate sokoban -n 2 > rooms.txt"),
    ),
    (
        "unriddle generate samegame -n 20 > colours.txt",
        How::Instead("unriddle generate samegame 'uniform(width=8, height=8)' -n 2 > colours.txt"),
    ),
    (
        "unriddle solve samegame --file colours.txt --time 60s --preset best",
        How::Instead("unriddle solve samegame --file colours.txt --time 500ms --preset best"),
    ),
    (
        "unriddle solve qap nug30.txt --preset best --time 10s",
        How::Instead("unriddle solve qap nug30.txt --preset best --time 200ms"),
    ),
    ("unriddle solve samegame '", How::With("--time 300ms")),
    ("unriddle solve morpion '", How::With("--time 300ms")),
    (
        "unriddle generate morpion | unriddle solve morpion --file - --time 60s   # Morpion Solitaire, 5D; 'morpion(rule=5t)' for 5T",
        How::Instead("unriddle generate morpion | unriddle solve morpion --file - --time 300ms"),
    ),
    (
        "unriddle validate freecell --deals 11980..11984 --format html --output deals.html",
        How::Ends(10),
    ),
    (
        "unriddle generate qap 'uniform' --seed 1 > qap.txt\nunriddle solve qap qap.txt",
        How::With("--time 300ms"),
    ),
    (
        "cargo build --release --features train --example own_puzzle",
        How::Not("tests are built with it"),
    ),
    #[cfg(not(feature = "train"))]
    (
        "own_puzzle train pancakes --recipe recipes/own_puzzle/pancakes.toml --run runs/pancakes",
        How::Not("it needs the feature `train`"),
    ),
    #[cfg(not(feature = "train"))]
    (
        "own_puzzle solve pancakes --file",
        How::Skip("there is no network without the feature `train`"),
    ),
    (
        "unriddle train tiles --recipe recipes/cpu/tiles8.toml --run runs/tiles8     # with `cargo build --release --features train`",
        How::Not("it needs a feature, and takes minutes"),
    ),
];

/// A command, or a block of commands, with its file and line.
struct Example {
    place: String,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The documents that people read: README and those directly in docs.
fn documents() -> Vec<PathBuf> {
    let listing = fs::read_dir(root().join("docs")).expect("the folder");
    let mut paths: Vec<PathBuf> = listing
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    paths.sort();
    paths.insert(0, root().join("README.md"));
    paths
}

/// The examples of a document: whole blocks of `sh`, and the text after `$ ` in blocks of
/// `console`, whose other lines are the output.
fn examples(path: &Path) -> Vec<Example> {
    let text = fs::read_to_string(path).expect("the document");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut examples = Vec::new();
    let mut block: Option<&str> = None;
    for (index, line) in text.lines().enumerate() {
        let place = format!("{name}, line {}", index + 1);
        match (line.strip_prefix("```"), block) {
            (Some(_), Some(_)) => block = None,
            (Some(language), None) => {
                block = Some(language);
                if language == "sh" {
                    let text = String::new();
                    examples.push(Example { place, text });
                }
            }
            (None, Some("sh")) => {
                if let Some(example) = examples.last_mut() {
                    example.text += line;
                    example.text.push('\n');
                }
            }
            (None, Some("console")) => {
                let command = line.strip_prefix("$ ").map(str::to_owned);
                examples.extend(command.map(|text| Example { place, text }));
            }
            (None, _) => {
                let looks = ["$ ", "unriddle ", "cargo "].iter().any(|w| line.starts_with(w));
                let code = block.is_some() || line.starts_with("$ ");
                assert!(!(looks && code), "{place}: no block of `sh` or `console`");
            }
        }
    }
    examples
}

fn fits((rule, how): &(&str, How), text: &str) -> bool {
    match how {
        How::With(_) => text.starts_with(rule),
        #[cfg(not(feature = "train"))]
        How::Skip(_) => text.starts_with(rule),
        _ => text.trim_end() == rule.trim_end(),
    }
}

fn rule(text: &str) -> Option<&'static How> {
    RULES.iter().find(|rule| fits(rule, text)).map(|rule| &rule.1)
}

/// A file of the repository with parts of it replaced, each of which must be there.
fn edited(path: &str, parts: &[(&str, &str)]) -> String {
    let mut text = fs::read_to_string(root().join(path)).expect("a file of the repository");
    for (from, to) in parts {
        assert!(text.contains(from), "{path}: {from}");
        text = text.replace(from, to);
    }
    text
}

/// Creates the files that the examples need: files that a reader would have, and short recipes.
fn furnish(place: &Place) -> OsString {
    for folder in [
        "bin",
        "data/freecell",
        "recipes/freecell",
        "recipes/samegame",
        "recipes/own_puzzle",
        "runs/tiles8",
    ] {
        fs::create_dir_all(place.path(folder)).expect("a folder");
    }
    symlink(env!("CARGO_BIN_EXE_unriddle"), place.path("bin/unriddle")).expect("a link");
    place.write("heroes.csv", TABLE);
    place.write("puzzle.json", PUZZLE);
    place.write("heroes.json", place.run(&["generate", "party"]).good());
    place.write("nug30.txt", place.run(&["generate", "qap", "uniform(8)"]).good());
    place.write("data/freecell/training.txt", "1\n2\n3\n4\n5\n6\n");
    let recipe = "recipes/freecell/coevolution.toml";
    let small = [
        ("generations = 60", "generations = 1"),
        ("population = 50", "population = 4"),
        ("finalists = 10", "finalists = 2"),
        ("instances = 6", "instances = 2"),
        ("met = 2", "met = 1"),
        (
            "depth=7, table=200k, open=one-per-score, quantum=3000",
            "depth=2, table=200k, open=one-per-score, quantum=3000",
        ),
        ("\"800k\"", "\"100k\""),
        ("\"20M\"", "\"100k\""),
    ];
    place.write(recipe, edited(recipe, &small));
    let recipe = "recipes/samegame/spmcts-per-game.toml";
    let small = [
        ("iterations = 20", "iterations = 1"),
        ("width=15, height=15", "width=6, height=6"),
        ("samples = 30", "samples = 4"),
        ("elite = 5", "elite = 2"),
        ("boards = 10", "boards = 1"),
        ("\"300k\"", "\"3k\""),
        ("\"30k\"", "\"300\""),
    ];
    place.write(recipe, edited(recipe, &small));
    let recipe = "recipes/own_puzzle/pancakes.toml";
    let small = [("\"2M\"", "\"100k\""), ("batch = 500", "batch = 200")];
    place.write(recipe, edited(recipe, &small));
    symlink(example("own_puzzle"), place.path("bin/own_puzzle")).expect("a link");
    let model = root().join("models/tiles8.safetensors");
    fs::copy(model, place.path("runs/tiles8/model.safetensors")).expect("a model");
    let mut path = place.path("bin").into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    path
}

/// Runs the examples of a document in their order, in a folder of their own.
fn run(path: &Path) {
    let place = Place::new();
    let programs = furnish(&place);
    for Example { place: at, text } in examples(path) {
        let (script, code) = match rule(&text) {
            None => (text, 0),
            Some(How::Ends(code)) => (text, *code),
            Some(How::Instead(other)) => ((*other).to_owned(), 0),
            Some(How::With(more)) => (format!("{} {more}", text.trim_end()), 0),
            Some(How::Not(why)) => {
                println!("{at}: not run, {why}");
                continue;
            }
            #[cfg(not(feature = "train"))]
            Some(How::Skip(why)) => {
                println!("{at}: not run, {why}");
                continue;
            }
        };
        let begun = std::time::Instant::now();
        let output = Command::new("sh")
            .args(["-e", "-c", &script])
            .current_dir(place.path(""))
            .env("PATH", &programs)
            .env("HOME", place.path(""))
            .env("XDG_CACHE_HOME", place.path("cache"))
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        println!("{at}: {:.1} s", begun.elapsed().as_secs_f64());
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{at}: {script}\n{told}");
    }
}

#[test]
fn the_examples_of_readme_run() {
    run(&documents()[0]);
}

#[test]
fn the_examples_of_docs_run() {
    documents()[1..].iter().for_each(|path| run(path));
}

/// An exception for an example that is not there any more would hide the next one like it.
#[test]
fn exceptions_are_of_examples_that_there_are() {
    let all: Vec<Example> = documents().iter().flat_map(|path| examples(path)).collect();
    assert!(all.len() > 30, "{}", all.len());
    for rule in RULES {
        assert!(all.iter().any(|e| fits(rule, &e.text)), "{}", rule.0);
    }
}
