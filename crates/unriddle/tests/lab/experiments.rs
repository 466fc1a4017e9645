//! Reading experiments: the committed ones, and everything that may be wrong with one.

use std::path::{Path, PathBuf};
use unriddle::lab::{
    Experiment, LabError, Plan,
    experiment::{Engine, Source},
};
use unriddle_catalog::work::Shard;

const GOOD: &str = r#"
title = "T"

[[suite]]
name = "a"
puzzle = "tiles"
generator = "uniform(3)"
count = 7
subset = 3

[[solver]]
name = "ida"
spec = "idastar(manhattan)"

[[claim]]
text = "C."
[[claim.test]]
solver = "ida"
attribute = "expanded"
is = "more than"
value = 3
"#;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A path beside the committed experiments, so that the published figures are found.
fn place() -> PathBuf {
    root().join("experiments/test.toml")
}

fn read(text: &str) -> Result<Experiment, LabError> {
    Experiment::parse(&place(), text, &unriddle::registry())
}

/// The refusal of the good text with some part replaced: line, column, message.
fn refused(from: &str, to: &str) -> (usize, usize, String) {
    assert!(GOOD.contains(from), "{from}");
    match read(&GOOD.replace(from, to)) {
        Err(LabError::Text { line, column, message, .. }) => (line, column, message),
        Err(other) => panic!("{to}: {other}"),
        Ok(_) => panic!("{to}: accepted"),
    }
}

#[test]
fn a_small_experiment_is_read() {
    let experiment = read(GOOD).unwrap();
    assert_eq!(experiment.name, "test");
    assert_eq!(experiment.seeds, [0]);
    let solver = &experiment.solvers[0];
    let spec = "idastar(manhattan, prune=pairs, depth=0)";
    assert_eq!(solver.engine, Engine::Spec(spec.to_owned()));
    let source = Source::Generator { spec: "uniform(3)".to_owned(), seed: 0, count: 7 };
    assert_eq!(experiment.suites[0].source, source);
}

/// A network that replaces another one changes the keys of its runs and of no others.
#[test]
fn runs_are_known_by_the_bytes_of_their_networks() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.safetensors");
    let solver = format!(
        "\n[[solver]]\nname = \"net\"\nspec = 'greedy(net({:?}))'\n",
        file.display().to_string()
    );
    let plan = |model: &str| {
        std::fs::copy(root().join("models").join(model), &file).unwrap();
        Plan::load(read(&(GOOD.to_owned() + &solver)).unwrap(), None).unwrap()
    };
    let (first, second, again) = (
        plan("tiles8.safetensors"),
        plan("tiles15-narrow.safetensors.gz"),
        plan("tiles8.safetensors"),
    );
    assert_eq!(first.tasks, again.tasks);
    assert_eq!(first.tasks.len(), 14);
    for (a, b) in first.tasks.iter().zip(&second.tasks) {
        assert_eq!((a.suite, a.instance, a.solver), (b.suite, b.instance, b.solver));
        assert_eq!(a.key == b.key, a.solver == 0, "{a:?}");
        let (a, b) = (first.row(a), second.row(b));
        assert_eq!(a.solver, b.solver);
        assert_eq!(a.networks == b.networks, a.networks.is_none());
    }
    let named = first.row(&first.tasks[1]).networks;
    let hash = xxhash_rust::xxh3::xxh3_64(&std::fs::read(&file).unwrap());
    assert_eq!(named, Some(format!("{} {hash:016x}", file.display())));
}

#[test]
fn errors_have_their_position() {
    let (line, _, message) = refused("title = \"T\"", "title = ");
    assert_eq!(line, 2, "{message}");
    let (line, column, message) = refused("count = 7", "count = \"many\"");
    assert_eq!((line, column), (8, 9), "{message}");
    let (line, column, message) = refused("subset = 3", "subsets = 3");
    assert_eq!((line, column), (9, 1), "{message}");
    assert!(message.contains("subset"), "{message}");

    // The position within the string.
    let (line, column, message) = refused("idastar(manhattan)", "idastar(manhatan)");
    assert_eq!((line, column), (13, 17), "{message}");
    assert!(message.contains("manhattan"), "{message}");
    let (line, column, message) = refused("uniform(3)", "unifrom(3)");
    assert_eq!((line, column), (7, 14), "{message}");
    assert!(message.contains("uniform"), "{message}");
    let (_, _, message) = refused("uniform(3)", "uniform(33)");
    assert!(message.contains("33"), "{message}");
    let (_, _, message) = refused("puzzle = \"tiles\"", "puzzle = \"tile\"");
    assert!(message.contains("tiles"), "{message}");
}

#[test]
fn references_within_the_file_are_checked() {
    let add = |more: &str| {
        refused(
            "spec = \"idastar(manhattan)\"\n",
            &format!("spec = \"idastar(manhattan)\"\n{more}"),
        )
        .2
    };
    let message = add("[[attribute]]\nname = \"expandd\"\n");
    assert!(message.contains("did you mean `expanded`"), "{message}");
    let message = add("suites = [\"b\"]\n");
    assert!(message.contains("unknown suite `b`"), "{message}");
    let message = add("[[compare]]\nsuite = \"a\"\nsolver = \"ida\"\nattribute = \"expanded\"\n\
         key = \"cahlik2019/table-1/easy/pbd\"\n");
    assert!(message.contains("cahlik2019/table-1/easy/pdb"), "{message}");
    let message = add(
        "[[compare]]\nsuite = \"a\"\nsolver = \"ida\"\nattribute = \"expanded\"\ncolumn = \"optimal\"\n",
    );
    assert!(message.contains("no `reference`"), "{message}");
    let message = add("[[table]]\nkind = \"classes\"\nattribute = \"expanded\"\n");
    assert!(message.contains("needs [classes]"), "{message}");
    let message = add("[[plot]]\nkind = \"scatter\"\nattribute = \"expanded\"\n");
    assert!(message.contains("two `solvers`"), "{message}");
    let message = add("[[plot]]\nkind = \"curves\"\nattribute = \"expanded\"\n");
    assert!(message.contains("values are numbers: `ida` has none"), "{message}");
    let message = add("[[solver]]\nname = \"twin\"\nspec = \"idastar(h=manhattan)\"\n");
    assert!(message.contains("are the same"), "{message}");
    let message = add("[[solver]]\nname = \"ida\"\nspec = \"astar(manhattan)\"\n");
    assert!(message.contains("already"), "{message}");
    let message = add("grid = [{ name = \"w\", values = [1, 2] }]\n");
    assert!(message.contains("does not use {w}"), "{message}");
    let message = add("[limits]\ntime = \"3 parsecs\"\n");
    assert!(message.contains("parsecs"), "{message}");
}

#[test]
fn a_report_has_one_measure() {
    let (_, _, message) = refused("title = \"T\"", "title = \"T\"\nmeasure = \"points\"");
    assert!(message.contains("moves"), "{message}");
}

#[test]
fn numbered_deals_need_a_puzzle_that_has_them() {
    let (line, _, message) = refused("generator = \"uniform(3)\"\ncount = 7", "deals = \"1..10\"");
    assert_eq!(line, 7);
    assert!(message.contains("no numbered deals"), "{message}");
    let (_, _, message) = refused("count = 7", "");
    assert!(message.contains("`count`"), "{message}");
}

#[test]
fn a_missing_data_file_is_named_with_where_it_comes_from() {
    let text = GOOD.replace(
        "generator = \"uniform(3)\"\ncount = 7",
        "file = \"tiles/none.txt\"\norigin = \"the shop\"",
    );
    let unset = Plan::load(read(&text).unwrap(), None).err().unwrap().to_string();
    for part in ["tiles/none.txt", "UNRIDDLE_DATA", "the shop"] {
        assert!(unset.contains(part), "{unset}");
    }
    let folder = tempfile::tempdir().unwrap();
    let absent = Plan::load(read(&text).unwrap(), Some(folder.path())).err().unwrap().to_string();
    assert!(absent.contains("does not exist"), "{absent}");

    std::fs::create_dir(folder.path().join("tiles")).unwrap();
    let file = folder.path().join("tiles/none.txt");
    std::fs::write(&file, "# two\na: 1 2 3 4 5 6 7 8 0\nb: 1 2 3 4 y 6 7 8 0\n").unwrap();
    match Plan::load(read(&text).unwrap(), Some(folder.path())) {
        Err(LabError::Text { line, column, .. }) => assert_eq!((line, column), (3, 12)),
        other => panic!("{:?}", other.map(|_| ())),
    }
}

#[test]
fn a_suite_may_be_a_part_of_a_file_or_its_mirror_images() {
    let folder = tempfile::tempdir().unwrap();
    let boards = "a: 1 2 3 4 5 6 7 8 0\nb: 1 2 3 4 5 6 7 0 8\nc: 1 2 3 4 5 0 7 8 6\n";
    std::fs::write(folder.path().join("boards"), boards).unwrap();
    let values = "id,moves,solution\nb,1,L\nc,1,U\n";
    std::fs::write(folder.path().join("values.csv"), values).unwrap();
    let load = |suite: &str| {
        let suite = format!("file = \"boards\"\n{suite}");
        let text = GOOD.replace("generator = \"uniform(3)\"\ncount = 7", &suite);
        let plan = Plan::load(read(&text).unwrap(), Some(folder.path()));
        plan.map(|plan| {
            let suite = &plan.suites[0];
            let named = |i: usize| format!("{}: {}", suite.instances[i].id, suite.texts[i]);
            let names: Vec<_> = (0..suite.instances.len()).map(named).collect();
            (names, suite.reference.clone())
        })
    };
    let (names, _) = load("skip = 1\ncount = 1").unwrap();
    assert_eq!(names, ["b: 1 2 3 4 5 6 7 0 8"]);
    let (names, columns) = load("skip = 1\nmirrored = true\nreference = \"values.csv\"").unwrap();
    assert_eq!(names, ["b: 1 2 3 4 5 0 7 8 6", "c: 1 2 3 4 5 6 7 0 8"]);
    // A column of words has nothing to compare with.
    let columns: Vec<_> = columns.into_iter().collect();
    assert_eq!(columns, [("moves".to_owned(), vec![Some(1.0), Some(1.0)])]);
    let (names, _) = load("ids = [\"c\", \"a\"]\ncount = 1").unwrap();
    assert_eq!(names, ["c: 1 2 3 4 5 0 7 8 6"]);
    for ids in ["ids = [\"d\"]", "ids = [\"a\", \"d\"]"] {
        let why = load(ids).err().unwrap().to_string();
        assert!(why.contains("no instance `d`"), "{why}");
    }
    let why = load("ids = [\"a\", \"a\"]").err().unwrap().to_string();
    assert!(why.contains("`a` is named twice"), "{why}");
    let why = load("skip = 3").err().unwrap().to_string();
    assert!(why.contains("which has 3"), "{why}");
    std::fs::write(folder.path().join("values.csv"), "id,moves\nb,1\nc,L\n").unwrap();
    let why = load("reference = \"values.csv\"").err().unwrap().to_string();
    assert!(why.contains("line 3") && why.contains("expected a number"), "{why}");
    let (line, _, message) = refused("count = 7", "count = 7\nskip = 1");
    assert_eq!(line, 9);
    assert!(message.contains("`skip`"), "{message}");
    let (_, _, message) = refused("count = 7", "count = 7\nids = [\"a\"]");
    assert!(message.contains("`ids`"), "{message}");
}

#[test]
fn keys_depend_on_everything_that_decides_a_run_and_nothing_else() {
    let keys = |text: &str| -> Vec<_> {
        let plan = Plan::load(read(text).unwrap(), None).unwrap();
        plan.tasks.iter().map(|task| task.key).collect()
    };
    let good = keys(GOOD);
    assert_eq!(good.len(), 7);
    // Words, comments, names of solvers and the contents of a report decide nothing.
    let same = GOOD
        .replace("\"T\"", "\"Another\" # words")
        .replace("\"ida\"", "\"IDA*\"")
        .replace("idastar(manhattan)", "idastar( h = manhattan )");
    assert_eq!(keys(&same), good);
    // An experiment that asks for more runs keeps the keys of its former ones.
    let more = GOOD.replace("count = 7", "count = 9");
    assert_eq!(keys(&more)[..7], good[..]);
    let (limits, seeds) = ("[limits]\nexpansions = 5\n[[suite]]", "seeds = [1]\n[[suite]]");
    for (from, to) in [
        ("[[suite]]", limits),
        ("[[suite]]", seeds),
        ("[[suite]]", "threads = 2\n[[suite]]"),
        ("name = \"a\"", "name = \"b\""),
        ("count = 7", "count = 7\nseed = 1"),
        ("tiles\"", "tiles(goal=blank-first)\""),
        ("idastar", "astar"),
    ] {
        let other = keys(&GOOD.replace(from, to));
        assert!(other.iter().all(|key| !good.contains(key)), "{to}");
    }
}

/// The device of networks is part of the keys of runs with networks, and of no others.
#[test]
fn device_is_a_cpu_or_a_gpu() {
    let (_, _, message) = refused("[[suite]]", "device = \"gpu\"\n[[suite]]");
    assert!(
        message.contains("unknown `device` `gpu`") && message.contains("(known: cpu, cuda)"),
        "{message}"
    );
    let keys = |text: &str| -> Vec<_> {
        let plan = Plan::load(read(text).unwrap(), None).unwrap();
        plan.tasks.iter().map(|task| task.key).collect()
    };
    let on = |text: &str, device| {
        keys(&text.replace("[[suite]]", &format!("device = \"{device}\"\n[[suite]]")))
    };
    assert_eq!(on(GOOD, "cuda"), keys(GOOD));
    let net = GOOD.replace("idastar(manhattan)", "astar(net(tiles8))");
    assert_eq!(on(&net, "cpu"), keys(&net));
    let card = on(&net, "cuda");
    assert!(card.iter().all(|key| !keys(&net).contains(key)));
}

#[test]
fn shards_are_a_partition_and_subsets_come_first() {
    let grid = "spec = \"astar(manhattan, w={w})\"\ngrid = [{ name = \"w\", values = [1, 2.5] }]";
    let text = GOOD
        .replace("spec = \"idastar(manhattan)\"", grid)
        .replace("solver = \"ida\"", "solver = \"ida, w=1\"");
    let plan = Plan::load(read(&text).unwrap(), None).unwrap();
    let names: Vec<_> = plan.experiment.solvers.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["ida, w=1", "ida, w=2.5"]);
    assert_eq!(plan.tasks.len(), 14);
    let whole = Shard { k: 1, n: 1 };
    assert_eq!(plan.part(whole, false), plan.tasks);
    assert_eq!(plan.part(whole, true), plan.tasks[..6]);
    let mut all = Vec::new();
    for k in 1..=3 {
        let part = plan.part(Shard { k, n: 3 }, false);
        // All solvers of an instance stay together.
        assert!(part.chunks(2).all(|pair| pair[0].instance == pair[1].instance));
        all.extend(part.into_iter().map(|task| task.key));
    }
    all.sort_unstable();
    let mut keys: Vec<_> = plan.tasks.iter().map(|task| task.key).collect();
    keys.sort_unstable();
    assert_eq!(all, keys);
}

#[test]
fn quick_is_the_same_with_less() {
    let text = format!("{GOOD}\n[quick]\ninstances = 2\nlimits = {{ expansions = \"10k\" }}\n");
    let quick = read(&text).unwrap().quick();
    assert_eq!(quick.solvers[0].limits.to_string(), "expansions=10000");
    assert_eq!(Plan::load(quick, None).unwrap().tasks.len(), 2);
}

#[test]
fn every_committed_experiment_is_valid() {
    let mut read = 0;
    for entry in std::fs::read_dir(root().join("experiments")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "toml") {
            let experiment = Experiment::read(&path, &unriddle::registry())
                .unwrap_or_else(|error| panic!("{error}"));
            match std::env::var_os("UNRIDDLE_DATA") {
                Some(data) => {
                    // Peers need not be installed.
                    let plan = Plan::of_results(experiment.quick(), Some(Path::new(&data)), &[]);
                    plan.map(|_| ()).unwrap_or_else(|error| panic!("{error}"));
                }
                None => {
                    eprintln!(
                        "skipped: instances of {} (UNRIDDLE_DATA is not set)",
                        path.display()
                    );
                }
            }
            read += 1;
        }
    }
    assert!(read >= 4, "only {read} experiments");
}

/// Texts that are nearly experiments: parts cut out, doubled, exchanged.
#[test]
fn no_text_makes_the_reader_panic() {
    let mut random = unriddle::catalog::Rng::new(7);
    let committed = root().join("experiments/ann-distance-pdb.toml");
    let whole: Vec<char> = std::fs::read_to_string(committed).unwrap().chars().collect();
    let words =
        ["[[", "]", "=", "\"", "{x}", "-1", "1e99", "\u{301}", "[quick]\n", "'", "\n", "nan"];
    let mut accepted = 0;
    for _ in 0..3000 {
        let mut text = whole.clone();
        for _ in 0..=random.below(3) {
            let from = random.below(text.len() as u64) as usize;
            let to = (from + random.below(12) as usize).min(text.len());
            let word = words[random.below(words.len() as u64) as usize];
            let piece: Vec<char> = match random.below(3) {
                0 => Vec::new(),
                1 => word.chars().collect(),
                _ => text[from..to].to_vec().repeat(2),
            };
            text.splice(from..to, piece);
        }
        let text: String = text.into_iter().collect();
        match read(&text) {
            Ok(experiment) => {
                let _ = experiment.quick();
                accepted += 1;
            }
            Err(LabError::Text { line, column, message, .. }) => {
                assert!(
                    line <= text.lines().count() + 1 && column > 0,
                    "{line}, {column}: {message}"
                );
            }
            Err(LabError::File { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }
    // Most changes break something, some only words.
    assert!(accepted > 50 && accepted < 2900, "{accepted}");
}
