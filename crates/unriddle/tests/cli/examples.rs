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
    /// The example ends with this exit code.
    Ends(i32),
    /// This command is run, which does the same on smaller inputs.
    Instead(&'static str),
    /// All examples that begin with the rule's text are run with these arguments appended.
    With(&'static str),
    /// The example is not run, for this reason.
    Not(&'static str),
    /// All examples that begin with the rule's text are not run.
    #[cfg(not(feature = "train"))]
    Skip(&'static str),
}

/// The examples that do not run literally, or that end with another code than 0.
const RULES: &[(&str, How)] = &[
    (
        "cargo run --release -- solve tiles \"14 13 15 7 11 12 9 5 6 10 2 1 4 8 0 3\"",
        How::Instead("unriddle solve tiles \"14 13 15 7 11 12 9 5 6 10 2 1 4 8 0 3\""),
    ),
    ("cargo test --workspace --features train", How::Not("it would run this test again")),
    ("cargo install --path crates/unriddle", How::Not("the tests have built the program")),
    (
        "python3 -m venv .venv && . .venv/bin/activate\npip install ./crates/python",
        How::Not("it builds the program once more"),
    ),
    (
        "unriddle lab run experiments/morpion.toml --slurm='--time=4:00:00 --mem=8G' --parts 20\n\
         unriddle lab status experiments/morpion.toml\n\
         unriddle lab merge results/slurm-morpion/part-*.sqlite",
        How::Not("it needs a cluster"),
    ),
    (
        "parallel --sshloginfile hosts --workdir . \\\n    \
         unriddle lab run experiments/morpion.toml --shard {}/20 --database results/part-{}.sqlite ::: $(seq 20)",
        How::Not("it needs several machines"),
    ),
    (
        "cargo install --git https://github.com/unriddle/unriddle unriddle",
        How::Not("it needs the network"),
    ),
    // Tables of the 8-puzzle are built in milliseconds.
    (
        "unriddle generate tiles 'uniform(4)' -n 1000 --seed 7 > boards.txt",
        How::Instead("unriddle generate tiles 'uniform(3)' -n 5 --seed 7 > boards.txt"),
    ),
    ("unriddle play tiles \"8 6 7 2 5 4 3 0 1\"", How::Not("it needs a terminal")),
    ("unriddle play tiles \"8 6 7 2 5 4 3 0 1\" --watch", How::Not("it needs a terminal")),
    (
        "unriddle solve freecell --deals 1..32000 --format jsonl > solved.jsonl",
        How::Instead("unriddle solve freecell --deals 1..20 --format jsonl > solved.jsonl"),
    ),
    ("unriddle solve freecell 11982", How::Ends(10)),
    (
        "unriddle solve freecell 1 --preset optimal",
        How::Instead(
            "unriddle generate 'freecell(ranks=3)' | unriddle solve 'freecell(ranks=3)' --file - --preset optimal",
        ),
    ),
    (
        "unriddle generate cube -n 20 > cubes.txt",
        How::Instead("unriddle generate cube 'scramble(min=2, max=8)' -n 2 > cubes.txt"),
    ),
    (
        "unriddle solve cube --file cubes.txt",
        How::Instead("unriddle solve cube --file cubes.txt --memory 100M"),
    ),
    (
        "unriddle solve cube --file cubes.txt --memory 9G --format jsonl > cubes.jsonl",
        How::Instead(
            "unriddle solve cube --file cubes.txt --memory 100M --format jsonl > cubes.jsonl",
        ),
    ),
    (
        "unriddle solve 'cube(metric=htm)' --file cubes.txt --solver 'cube-optimal(all=20, ties=metric)'",
        How::Instead(
            "unriddle solve 'cube(metric=htm)' --file cubes.txt --solver 'cube-optimal(table=fit, all=20, ties=metric)' --memory 100M",
        ),
    ),
    (
        "unriddle solve cube --file cubes.txt --preset learned --threads 2",
        How::Instead(
            "unriddle solve cube --file cubes.txt --solver 'beam(net(cube-shared, precision=short), width=1k, direction=bidirectional, goal_table=100k)' --threads 2",
        ),
    ),
    (
        "unriddle solve 'sokoban(measure=moves)' --file rooms.txt --preset learned",
        How::Instead(
            "head -n 1 rooms.txt | unriddle solve 'sokoban(measure=moves)' --file - --preset learned",
        ),
    ),
    // The preset builds the largest table that fits, and smaller tables make this cube slow.
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
        "unriddle solve samegame --file colours.txt --time 2m --preset best",
        How::Instead("unriddle solve samegame --file colours.txt --time 500ms --preset best"),
    ),
    (
        "unriddle solve qap nug30.txt --preset best --time 10s",
        How::Instead("unriddle solve qap nug30.txt --preset best --time 200ms"),
    ),
    (
        "unriddle solve qap nug30.txt --time 30s --preset best",
        How::Instead("unriddle solve qap nug30.txt --time 200ms --preset best"),
    ),
    ("unriddle solve samegame '", How::With("--time 300ms")),
    ("unriddle solve morpion '", How::With("--time 300ms")),
    (
        "unriddle solve morpion --file cross.txt --time 4m --preset best",
        How::Instead("unriddle solve morpion --file cross.txt --time 300ms --preset best"),
    ),
    (
        "unriddle generate morpion | unriddle solve morpion --file - --time 60s",
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
    ("unriddle serve --open", How::Not("it runs until it is stopped")),
    (
        "unriddle train tiles --recipe recipes/cpu/tiles8.toml --run runs/tiles8",
        How::Not("it needs a feature, and takes minutes"),
    ),
];

/// A command, or a block of commands, with its file and line.
struct Example {
    source: String,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The documents whose examples are run: README, the documents in `docs`, and the guide to
/// experiments.
fn documents() -> Vec<PathBuf> {
    let listing = fs::read_dir(root().join("docs")).expect("the folder");
    let mut paths: Vec<PathBuf> = listing
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    paths.sort();
    paths.insert(0, root().join("README.md"));
    paths.push(root().join("experiments/README.md"));
    paths
}

/// The examples of a document: whole blocks of `sh`, the text behind `$ ` in blocks of `console`
/// (their other lines are output), and commands that solve in the cells of tables.
fn examples(path: &Path) -> Vec<Example> {
    let text = fs::read_to_string(path).expect("the document");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut examples = Vec::new();
    let mut block: Option<&str> = None;
    for (index, line) in text.lines().enumerate() {
        let source = format!("{name}, line {}", index + 1);
        match (line.strip_prefix("```"), block) {
            (Some(_), Some(_)) => block = None,
            (Some(language), None) => {
                block = Some(language);
                if language == "sh" {
                    let text = String::new();
                    examples.push(Example { source, text });
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
                examples.extend(command.map(|text| Example { source, text }));
            }
            (None, None) if line.starts_with('|') => {
                let code = line.split('`').skip(1).step_by(2);
                let commands = code.filter(|code| code.starts_with("unriddle solve "));
                examples.extend(commands.map(|text| {
                    let (source, text) = (source.clone(), text.to_owned());
                    Example { source, text }
                }));
            }
            (None, _) => {
                let looks = ["$ ", "unriddle ", "cargo "].iter().any(|w| line.starts_with(w));
                let code = block == Some("") || line.starts_with("$ ");
                assert!(!(looks && code), "{source}: no block of `sh` or `console`");
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
        "data/papers",
        "experiments",
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
    place.write("levels.xsb", "#######\n#.@-$-#\n#-$---#\n#---.-#\n#######\n");
    for (file, arguments) in [
        ("boards.txt", ["tiles", "uniform(3)"]),
        ("boards24.txt", ["tiles", "walk(5, min=4, max=8)"]),
        ("boards35.txt", ["tiles", "walk(6, min=4, max=8)"]),
        ("boards63.txt", ["tiles", "walk(8, min=4, max=8)"]),
        ("cubes.txt", ["cube", "scramble(min=2, max=8)"]),
        ("colours.txt", ["samegame", "uniform(width=8, height=8)"]),
        ("cross.txt", ["morpion", "cross"]),
    ] {
        let [puzzle, generator] = arguments;
        place.write(file, place.run(&["generate", puzzle, generator]).good());
    }
    for file in ["experiments/morpion.toml", "data/references.toml"] {
        place.write(file, edited(file, &[]));
    }
    for entry in fs::read_dir(root().join("data/papers")).expect("the folder") {
        let file = entry.expect("an entry").file_name();
        let file = format!("data/papers/{}", file.to_string_lossy());
        place.write(&file, edited(&file, &[]));
    }
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
    for Example { source, text } in examples(path) {
        let (script, code) = match rule(&text) {
            None => (text, 0),
            Some(How::Ends(code)) => (text, *code),
            Some(How::Instead(other)) => ((*other).to_owned(), 0),
            Some(How::With(more)) => (format!("{} {more}", text.trim_end()), 0),
            Some(How::Not(why)) => {
                println!("{source}: not run, {why}");
                continue;
            }
            #[cfg(not(feature = "train"))]
            Some(How::Skip(why)) => {
                println!("{source}: not run, {why}");
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
        println!("{source}: {:.1} s", begun.elapsed().as_secs_f64());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{source}: {script}\n{errors}");
    }
}

#[test]
fn examples_of_readme_run() {
    run(&documents()[0]);
}

#[test]
fn examples_of_commands_run() {
    run(&root().join("docs/commands.md"));
}

#[test]
fn examples_of_other_documents_run() {
    let others = documents().into_iter().skip(1).filter(|path| !path.ends_with("commands.md"));
    others.for_each(|path| run(&path));
}

/// A rule for an example that no longer exists would hide the next example like it.
#[test]
fn rules_name_existing_examples() {
    let all: Vec<Example> = documents().iter().flat_map(|path| examples(path)).collect();
    assert!(all.len() > 30, "{}", all.len());
    for rule in RULES {
        assert!(all.iter().any(|e| fits(rule, &e.text)), "{}", rule.0);
    }
}
