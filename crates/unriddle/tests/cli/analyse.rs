//! `unriddle convert` and `unriddle analyse`, and several solutions of one instance.

use crate::place::Place;
use std::path::Path;

#[test]
fn instances_are_written_in_other_notations() {
    let place = Place::new();
    let ran = place.run(&["convert", "cube", "R U F", "--to", "singmaster"]);
    let text = ran.good();
    assert_eq!(text.split_whitespace().count(), 20);
    // It is read back.
    let back = place.run(&["convert", "cube", text.trim()]).good();
    assert_eq!(back, place.run(&["convert", "cube", "R U F"]).good());
    let ran = place.run(&["convert", "cube", "R U F", "--to", "english"]);
    assert_eq!(
        ran.bad(2),
        "--to: cube has no notation `english` (known: singmaster, deepcubea, net)"
    );
    let ran = place.run(&["convert", "tiles", "1 2 3 0", "--to", "english"]);
    assert!(ran.bad(2).contains("(known: slashes, line, "));
    // Several keep their names, and come in one line each.
    place.write("two", "a: 1 2 3 4 5 6 7 0 8\nb: 1 2 3 4 5 0 7 8 6\n");
    let mirrored = place.run(&["convert", "tiles", "--file", "two", "--mirrored"]);
    assert_eq!(mirrored.good(), "a: 1 2 3 4 5 0 7 8 6\nb: 1 2 3 4 5 6 7 0 8\n");
    let ran = place.run(&["convert", "hanoi", "1 1", "--mirrored"]);
    assert_eq!(ran.bad(32), "hanoi has no mirror images");
}

/// Solutions of records in the notations of other programs, each with its instance where the
/// notation has both.
#[test]
fn solutions_are_written_in_other_notations() {
    let place = Place::new();
    let solved = |name: &str, arguments: &[&str]| {
        let solve = [&["solve"], arguments, &["--format", "jsonl", "--output", name]].concat();
        place.run(&solve).good();
    };
    let convert = |puzzle: &str, file: &str, to: &str| {
        place.run(&["convert", puzzle, "--solutions", file, "--to", to])
    };
    place.write("levels.sok", "One\n\n#####\n#@$.#\n#####\n\nTwo\n\n######\n#@ $.#\n######\n");
    solved("levels.jsonl", &["sokoban", "--file", "levels.sok"]);
    let written = convert("sokoban", "levels.jsonl", "sok").good();
    assert_eq!(
        written,
        "# 1\n#####\n#@$.#\n#####\nSolution\nR\n\n# 2\n######\n#@ $.#\n######\nSolution\nrR\n\n"
    );
    // Its solutions are read with its levels.
    place.write("solved.sok", &written);
    assert_eq!(convert("sokoban", "solved.sok", "sok").good(), written);
    let unsolved = convert("sokoban", "levels.sok", "sok");
    assert!(
        unsolved.err.ends_with("left out without a solution: 2 instances\n"),
        "{}",
        unsolved.err
    );
    assert_eq!(unsolved.out, "");

    solved("board.jsonl", &["tiles", "1 2 3 4 0 5 7 8 6"]);
    for (to, moves) in [("words", "left up"), ("numbers", "5 6"), ("positions", "r2c3 r3c3")] {
        assert_eq!(convert("tiles", "board.jsonl", to).good(), format!("{moves}\n"));
        assert!(
            place.run(&["check", "tiles", "1 2 3 4 0 5 7 8 6", moves]).good().contains("right")
        );
    }
    let mirrored = ["convert", "tiles", "--solutions", "board.jsonl", "--mirrored"];
    assert_eq!(place.run(&mirrored).good(), "UL\n");
    assert_eq!(
        convert("tiles", "board.jsonl", "english").bad(2),
        "--to: tiles has no notation of solutions `english` (known: words, arrows, numbers, positions)"
    );
    let of_tiles = convert("sokoban", "board.jsonl", "sok").bad(31);
    assert!(of_tiles.contains("is of tiles, not of sokoban"), "{of_tiles}");

    place.write("qap.dat", "2\n0 3\n1 0\n0 5\n7 0\n");
    solved("qap.jsonl", &["qap", "--file", "qap.dat"]);
    assert_eq!(convert("qap", "qap.jsonl", "sln").good(), "2 22\n1 2\n");
    place.write("cross", place.run(&["generate", "morpion", "cross"]).good());
    solved("cross.jsonl", &["morpion", "--file", "cross", "--preset", "fast"]);
    let record = convert("morpion", "cross.jsonl", "msr").good();
    assert!(record.starts_with(r#"{"version":"0.1","variant":"5D","score":"#), "{record}");
}

#[test]
fn solutions_are_analysed() {
    let place = Place::new();
    let image = place.run(&["convert", "tiles", "8 6 7 2 5 4 3 0 1", "--mirrored"]).good();
    place.write("two", format!("a: 8 6 7 2 5 4 3 0 1\nb: {image}"));
    for (format, file) in
        [("jsonl", "records.jsonl"), ("csv", "records.csv"), ("json", "records.json")]
    {
        let solve = [
            "solve",
            "tiles",
            "--file",
            "two",
            "--solver",
            "idastar(manhattan)",
            "--format",
            format,
            "--output",
            file,
        ];
        place.run(&solve).good();
        let text = place.run(&["analyse", file]).good();
        assert!(text.starts_with("idastar(manhattan):\n  2 solutions of 31.000 actions"), "{text}");
        assert!(text.contains("mirror images: 1 pair, "), "{text}");
    }
    let json = place.run(&["analyse", "records.csv", "--format", "json"]).good();
    let groups: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(groups[0]["pairs"], 1);
    assert_eq!(groups[0]["triples"], 58);
    assert!(groups[0]["patterns"]["aab"].is_u64());
    let half = groups[0]["half_widths"]["aab"].as_f64().expect("a width");
    let share = 100.0 * groups[0]["patterns"]["aab"].as_f64().expect("a count") / 58.0;
    let table = place.run(&["analyse", "records.csv", "--format", "csv"]).good();
    assert!(table.starts_with("suite,solver,pattern,share\n"), "{table}");
    let line = format!(",idastar(manhattan),aab,{share:.2} ± {:.2} %\n", 100.0 * half);
    assert!(table.contains(&line), "{line} in {table}");
    assert!(table.contains(",mirrored solutions,"), "{table}");
    let drawn = place.run(&["analyse", "records.csv", "--figure", "a", "--output", "pair.svg"]);
    assert_eq!(drawn.good(), "");
    assert!(place.read("pair.svg").starts_with("<svg "));
    assert!(place.run(&["analyse", "records.csv", "--figure", "z"]).bad(31).contains("--figure z"));
    place.write("broken", "id,puzzle\n1,tiles\n");
    let said = place.run(&["analyse", "broken"]).bad(31);
    assert!(said.starts_with("broken, line 2, column 1: not a record: "), "{said}");
    place.write("empty", "");
    assert!(place.run(&["analyse", "empty"]).bad(31).contains("there is no line of values"));
    place.write("wrong", "id,puzzle,instance,solution\nx,tiles,1 2 3 4 5 6 7 0 8,R\n");
    assert!(place.run(&["analyse", "wrong"]).bad(31).starts_with("x: "));
}

#[test]
fn several_solutions_are_each_checked() {
    let place = Place::new();
    let solve = [
        "solve",
        "cube(metric=htm)",
        "R2 L2 U2 D2 F2 B2",
        "--solver",
        "cube-optimal(table=23M, all=10)",
        "--format",
        "jsonl",
        "--output",
        "records.jsonl",
    ];
    place.run(&solve).good();
    let record = place.read("records.jsonl");
    let value: serde_json::Value = serde_json::from_str(&record).expect("JSON");
    assert_eq!(value["others"].as_array().map(Vec::len), Some(5));
    assert_eq!(value["measures"]["qtm"], 12);
    assert!(place.run(&["check", "--file", "records.jsonl"]).good().contains("right"));
    let first = value["others"][0].as_str().expect("a solution");
    place.write("wrong.jsonl", record.replace(first, "R2 L2"));
    let checked = place.run(&["check", "--file", "wrong.jsonl"]);
    assert!(checked.out.contains("further solution 1: "), "{}", checked.out);
}

/// The figures of DeepCubeA's page on conjugate patterns follow from the committed solutions.
#[test]
fn committed_patterns_follow_from_the_results() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for name in ["cube", "cube-learned"] {
        let results = root.join(format!("results/{name}.csv.zst"));
        let results = results.to_str().expect("a path");
        let table = Place::new().run(&["analyse", results, "--format", "csv"]).good();
        let file = format!("docs/results/{name}-patterns.csv");
        let committed = std::fs::read_to_string(root.join(&file)).expect("the table");
        assert!(table == committed, "{file} is not what `analyse` prints");
    }
}
