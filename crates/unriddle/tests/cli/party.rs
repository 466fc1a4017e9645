//! Party building and quadratic assignment at the command line: files, puzzles, validation, mistakes.

use crate::place::{Place, field};

const ITEMS: &str = r#"{"nodes": ["front", "back"], "edges": [[0, 1]], "items": [
    {"name": "Aria", "race": "elf", "level": 84, "price": 120}, {"name": "Borin", "race": "dwarf", "level": 60, "price": 10},
    {"name": "Celes", "race": "elf", "level": 70, "price": 40}, {"name": "Doran", "race": "dwarf", "level": 90, "price": 300}]}"#;
/// The same items as a table.
pub(crate) const TABLE: &str = "name,race,level,price\nAria,elf,84,120\nBorin,dwarf,60,10\nCeles,elf,70,40\nDoran,dwarf,90,300\n";
/// A puzzle for them.
pub(crate) const PUZZLE: &str = r#"{"nodes": ["front", "back"], "edges": [[0, 1]], "requirements":
    [{"average": "level", "at_least": 70}, {"same": "race", "at_least": 2}]}"#;

#[test]
fn parties_are_solved_and_validated_from_files() {
    let place = Place::new();
    place.write("items.json", ITEMS);
    place.write("items.csv", TABLE);
    place.write("puzzle.json", PUZZLE);
    for items in ["items.json", "items.csv"] {
        let record = place
            .run(&[
                "solve",
                "party(puzzle=puzzle.json)",
                items,
                "--format",
                "jsonl",
            ])
            .good();
        let word = |name: &str| field(&record, name);
        assert_eq!(word("status"), "\"optimal\"");
        assert_eq!(
            (word("value"), word("checked")),
            ("160".to_owned(), "true".to_owned())
        );
        place.write("record.jsonl", &record);
        place.run(&["check", "--file", "record.jsonl"]).good();
        let report = place
            .run(&["validate", "party", items, "--set", "puzzle=puzzle.json"])
            .good();
        for part in [
            "optimum 160 coins (proved)",
            "Aria",
            "one step looser or tighter",
        ] {
            assert!(report.contains(part), "{part}: {report}");
        }
    }
    let page = place
        .run(&[
            "validate",
            "party",
            "items.csv",
            "--set",
            "puzzle=puzzle.json",
            "--format",
            "html",
        ])
        .good();
    assert!(
        page.starts_with("<!DOCTYPE html>") && page.contains("<svg"),
        "{page}"
    );
}

/// Two elves have more in common than an elf and a dwarf, and cost more.
#[test]
fn fronts_tell_what_synergy_costs() {
    let place = Place::new();
    place.write("items.json", ITEMS);
    place.write(
        "puzzle.json",
        PUZZLE.replace(r#", {"same": "race", "at_least": 2}"#, ""),
    );
    let validate = |more: &[&str]| {
        let fixed = [
            "validate",
            "party",
            "items.json",
            "--set",
            "puzzle=puzzle.json",
        ];
        place.run(&[&fixed[..], more].concat()).good()
    };
    let told = validate(&["--set", "front=5"]);
    for line in [
        "  What synergy costs:",
        "    synergy  price  dearer by  for 0.01 more",
        "       0.06    130                            proved",
        "       0.18    160        +30            2.5  proved",
    ] {
        assert!(told.lines().any(|known| known == line), "{line}: {told}");
    }
    let record = validate(&["--set", "front=5", "--format", "jsonl"]);
    for part in [
        r#""none_from":null,"open_from":null,"points":[{"at_least":0.0,"checked":true,"efficient":true"#,
        r#""lower_bound":160,"price":160,"solution":"2 0","synergy":0.18}]"#,
    ] {
        assert!(record.contains(part), "{part}: {record}");
    }
    let page = validate(&["--set", "front=5", "--format", "html"]);
    assert_eq!(page.matches("<svg").count(), 2);
    assert!(page.contains("<td class=\"n\">+30</td>"), "{page}");
    // Nobody who does not ask for it is told.
    for format in ["text", "jsonl", "html"] {
        let told = validate(&["--format", format]);
        assert!(!told.contains("\"front\":") && !told.contains("What synergy costs"));
    }
    place
        .run(&["validate", "party", "items.json", "--set", "front=x"])
        .bad(2);
}

#[test]
fn worlds_are_generated_and_contradictions_named() {
    let place = Place::new();
    let worlds = place
        .run(&[
            "generate",
            "party",
            "world(impossible, heroes=80)",
            "-n",
            "2",
            "--seed",
            "3",
        ])
        .good();
    place.write("worlds.jsonl", &worlds);
    let found = place.run(&["validate", "party", "worlds.jsonl", "--format", "jsonl"]);
    let lines = found.out.lines().count();
    assert_eq!(lines, 2);
    for line in found.out.lines() {
        assert_eq!(field(line, "verdict"), "\"unsolvable\"");
        assert!(line.contains("\"conditions\":[\""), "{line}");
    }
    found.bad(10);
    let same = place
        .run(&[
            "generate",
            "party",
            "world(varied, heroes=80)",
            "--seed",
            "3",
        ])
        .good();
    place.write("one.json", &same);
    let drawn = place
        .run(&["show", "party", "one.json", "--format", "svg"])
        .good();
    assert!(drawn.starts_with("<svg"), "{drawn}");
}

#[test]
fn mistakes_are_told_all_at_once() {
    let place = Place::new();
    place.write(
        "items.csv",
        "name,race,price\nAria,elf,x\nBorin,,10\nAria,elf,5\n",
    );
    place.write("puzzle.json", PUZZLE);
    let found = place.run(&["solve", "party(puzzle=puzzle.json)", "items.csv"]);
    let told = "unriddle: items.csv, line 2, column 10: the price is \"x\", expected a whole number; \
        line 3, column 7: the cell of `race` is empty; line 4, column 1: the name `Aria` stands on line 2, too\n";
    assert_eq!(found.err, told);
    found.bad(31);
    place.write("items.json", ITEMS);
    place.write("broken.json", "{\"requirements\": [\n}");
    let found = place.run(&["solve", "party(puzzle=broken.json)", "items.json"]);
    let told = "items.json, line 1, column 1: broken.json, line 2, column 1: ";
    assert!(found.err.contains(told), "{}", found.err);
    found.bad(31);
    let found = place.run(&["solve", "party", "items.json"]);
    assert!(
        found.err.contains("puzzle: expected the puzzle"),
        "{}",
        found.err
    );
    found.bad(31);
    place.run(&["solve", "party", "nowhere.json"]).bad(31);
    place
        .run(&["solve", "party(puzzle=nowhere.json)", "items.json"])
        .bad(31);
    place
        .run(&["solve", "tiles", "1 2 3 0", "--puzzle", "type1"])
        .bad(2);
}

#[test]
fn assignments_are_solved_from_files() {
    let place = Place::new();
    place.write(
        "three.txt",
        "3\n\n0 5 2\n5 0 3\n2 3 0\n\n0 1 9\n1 0 4\n9 4 0\n",
    );
    let record = place
        .run(&[
            "solve",
            "qap",
            "three.txt",
            "--solver",
            "robust-tabu(iterations=500, runs=1)",
            "--format",
            "jsonl",
        ])
        .good();
    assert_eq!(field(&record, "checked"), "true");
    // By hand: 5 and 1, 3 and 4, 2 and 9, each twice.
    assert_eq!(field(&record, "value"), "70");
    place.write("three.txt", "3\n0 5 x");
    let found = place.run(&["solve", "qap", "three.txt"]);
    assert!(found.err.contains("line 2, column 5"), "{}", found.err);
    found.bad(31);
}

/// What is proved can be verified apart from the program that proved it; a puzzle without certificates says so.
#[test]
fn proofs_are_certified_and_checked() {
    let place = Place::new();
    place.write("items.json", ITEMS);
    place.write("puzzle.json", PUZZLE);
    place.write("none.json", PUZZLE.replace("70}", "95}"));
    let solve = |puzzle: &str| {
        let party = format!("party(puzzle={puzzle})");
        place.run(&[
            "solve",
            &party,
            "items.json",
            "--certify",
            "--format",
            "jsonl",
        ])
    };
    let record = solve("puzzle.json").good();
    assert_eq!(field(&record, "certified"), "true");
    let check = |record: &str| {
        place.write("record.jsonl", record);
        place.run(&["check", "--file", "record.jsonl"])
    };
    let told = check(&record).good();
    assert!(
        told.contains("160 coins, 2 actions, the bound is certified"),
        "{told}"
    );
    // Another bound than the one that was certified.
    let more = record.replace(r#"\"least\":160"#, r#"\"least\":161"#);
    assert_ne!(more, record);
    let told = check(&more).bad(30);
    assert!(told.contains("1 of 1 solutions wrong"), "{told}");
    let ran = solve("none.json");
    assert_eq!(ran.code, Some(10), "{}", ran.err);
    assert_eq!(field(&ran.out, "certified"), "true");
    let told = check(&ran.out).good();
    assert!(
        told.contains("it is certified that there is no better solution"),
        "{told}"
    );
    let told = place
        .run(&["solve", "tiles", "1 2 3 4 5 6 7 0 8", "--certify"])
        .bad(32);
    assert!(
        told.contains("there are no certificates for tiles"),
        "{told}"
    );
}
