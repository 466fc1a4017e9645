//! `unriddle convert` and `unriddle analyse`, and several solutions of one instance.

use crate::place::Place;

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
