//! Party building and quadratic assignment at the command line: files, puzzles, validation, errors.

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
        let record =
            place.run(&["solve", "party(puzzle=puzzle.json)", items, "--format", "jsonl"]).good();
        let word = |name: &str| field(&record, name);
        assert_eq!(word("status"), "\"optimal\"");
        assert_eq!((word("value"), word("checked")), ("160".to_owned(), "true".to_owned()));
        place.write("record.jsonl", &record);
        place.run(&["check", "--file", "record.jsonl"]).good();
        let report = place.run(&["validate", "party", items, "--set", "puzzle=puzzle.json"]).good();
        for part in ["optimum 160 coins (proved)", "Aria", "one step looser or tighter"] {
            assert!(report.contains(part), "{part}: {report}");
        }
    }
    let page = place
        .run(&["validate", "party", "items.csv", "--set", "puzzle=puzzle.json", "--format", "html"])
        .good();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<svg"), "{page}");
}

/// Two elves have more in common than an elf and a dwarf, and cost more.
#[test]
fn fronts_show_the_price_of_synergy() {
    let place = Place::new();
    place.write("items.json", ITEMS);
    place.write("puzzle.json", PUZZLE.replace(r#", {"same": "race", "at_least": 2}"#, ""));
    let validate = |more: &[&str]| {
        let fixed = ["validate", "party", "items.json", "--set", "puzzle=puzzle.json"];
        place.run(&[&fixed[..], more].concat()).good()
    };
    let told = validate(&["--set", "front=5"]);
    for line in [
        "  Price of synergy:",
        "    synergy  price  costlier by  for 0.01 more",
        "       0.06    130                              proved",
        "       0.18    160          +30            2.5  proved",
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
    // A report without the request does not mention it.
    for format in ["text", "jsonl", "html"] {
        let told = validate(&["--format", format]);
        assert!(!told.contains("\"front\":") && !told.contains("Price of synergy"));
    }
    place.run(&["validate", "party", "items.json", "--set", "front=x"]).bad(2);
}

#[test]
fn worlds_are_generated_and_contradictions_named() {
    let place = Place::new();
    let worlds = place
        .run(&["generate", "party", "world(impossible, heroes=80)", "-n", "2", "--seed", "3"])
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
    let same = place.run(&["generate", "party", "world(varied, heroes=80)", "--seed", "3"]).good();
    place.write("one.json", &same);
    let drawn = place.run(&["show", "party", "one.json", "--format", "svg"]).good();
    assert!(drawn.starts_with("<svg"), "{drawn}");
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let place = Place::new();
    place.write("items.csv", "name,race,price\nAria,elf,x\nBorin,,10\nAria,elf,-5\n");
    place.write("puzzle.json", PUZZLE);
    let found = place.run(&["solve", "party(puzzle=puzzle.json)", "items.csv"]);
    let told = "unriddle: items.csv, line 2, column 10: the price is \"x\", expected a number such as 12 or \
        12.50, below 2^48 without its point and with at most 3 decimals; line 3, column 7: the cell of `race` is empty; line 4, column 10: the price -5 is negative\n";
    assert_eq!(found.err, told);
    found.bad(31);
    place.write("items.json", ITEMS);
    place.write("broken.json", "{\"requirements\": [\n}");
    let found = place.run(&["solve", "party(puzzle=broken.json)", "items.json"]);
    let told = "items.json, line 1, column 1: broken.json, line 2, column 1: ";
    assert!(found.err.contains(told), "{}", found.err);
    found.bad(31);
    let found = place.run(&["solve", "party", "items.json"]);
    assert!(found.err.contains("puzzle: expected the puzzle"), "{}", found.err);
    found.bad(31);
    place.run(&["solve", "party", "nowhere.json"]).bad(31);
    place.run(&["solve", "party(puzzle=nowhere.json)", "items.json"]).bad(31);
    place.run(&["solve", "tiles", "1 2 3 0", "--puzzle", "type1"]).bad(2);
}

/// A table of a spreadsheet: tabs, names of columns in any case, prices with decimals. Texts for
/// people have decimals and names. The record counts hundredths and names this unit.
#[test]
fn tables_of_spreadsheets_are_solved() {
    let place = Place::new();
    let table = "Name\tRace\tLevel\tPRICE\nAria\telf\t84\t1,120.00\nBorin\tdwarf\t60\t10.25\n\
        Celes\telf\t70\t40.5\nDoran\tdwarf\t90\t300\n\t\t\t\n";
    place.write("items.tsv", table);
    place.write("puzzle.json", PUZZLE);
    let puzzle = "party(puzzle=\"puzzle.json\")";
    let solve = |format: &str| place.run(&["solve", puzzle, "items.tsv", "--format", format]);
    let told = solve("text").good();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "1 3");
    assert_eq!(lines[1], "front: 1 (Borin), back: 3 (Doran)");
    assert!(lines[2].starts_with("310.25 coins, proved optimal, checked"), "{told}");
    let record = solve("jsonl").good();
    for (name, value) in [
        ("value", "31025"),
        ("lower_bound", "31025"),
        ("solution", "\"1 3\""),
        ("unit", "\"0.01 coins\""),
        ("named", "\"front: 1 (Borin), back: 3 (Doran)\""),
        ("checked", "true"),
    ] {
        assert_eq!(field(&record, name), value, "{name}");
    }
    place.write("record.jsonl", &record);
    let told = place.run(&["check", "--file", "record.jsonl"]).good();
    assert!(told.contains("310.25 coins, 2 actions"), "{told}");
    // The text and the record describe the same team.
    let told = place.run(&["check", puzzle, "items.tsv", "1 3"]).good();
    assert!(told.contains("310.25 coins"), "{told}");
    let shown = place.run(&["show", puzzle, "items.tsv", "--solution", "1 3"]).good();
    for part in ["Borin", "300.00", "price 310.25, synergy 0.18"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let (table, _) =
        solve("csv").good().split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert!(table.contains("unit,named"), "{table}");
    let two = place.run(&["solve", puzzle, "items.tsv", "items.tsv"]).good();
    assert!(two.contains("1: 310.25 coins"), "{two}");
    assert!(two.contains(": 1 3 = front: 1 (Borin), back: 3 (Doran)"), "{two}");
    assert!(two.contains("\n1-2: 310.25 coins"), "{two}");
}

/// An objective without the price counts points; with the price it counts coins.
#[test]
fn objectives_without_the_price_count_points() {
    let place = Place::new();
    let solve = |objective: &str, price: &str, format: &str| {
        let document = format!(
            "{{\"nodes\": [\"a\"], \"items\": [{{\"price\": {price}, \"level\": 80}}, \
             {{\"price\": 2, \"level\": 84}}], \"puzzle\": {{\"objective\": {objective}}}}}"
        );
        place.write("team.json", document);
        place.run(&["solve", "party", "team.json", "--format", format])
    };
    for (objective, price, value, unit, text) in [
        ("{\"most\": \"level\"}", "1", "-84", "\"points\"", "-84 points, proved optimal"),
        ("{\"level\": 2}", "1.25", "16000", "\"0.01 points\"", "160.00 points, proved optimal"),
        ("{\"price\": 1, \"level\": 1}", "1", "81", "", "81 coins, proved optimal"),
        ("{\"price\": 0, \"level\": 1}", "1", "80", "\"points\"", "80 points, proved optimal"),
    ] {
        let record = solve(objective, price, "jsonl").good();
        assert_eq!(field(&record, "value"), value, "{record}");
        // Coins are the usual unit, which records leave out.
        let shown =
            if record.contains("\"unit\"") { field(&record, "unit") } else { String::new() };
        assert_eq!(shown, unit, "{record}");
        let told = solve(objective, price, "text").good();
        assert!(told.contains(text), "{told}");
        place.write("record.jsonl", &record);
        let told = place.run(&["check", "--file", "record.jsonl"]).good();
        assert!(told.contains(text.split(',').next().unwrap_or_default()), "{told}");
    }
    let ran = place.run(&["solve", "party", "team.json", "team.json"]);
    assert!(ran.err.contains("; 80.000 points on average"), "{}", ran.err);
}

/// Items without a price are refused by their lines, left out or free, as it is asked for.
#[test]
fn items_without_a_price_are_asked_for() {
    let place = Place::new();
    place.write("items.csv", "name,race,level,price\nAria,elf,84,12.5\nBorin,dwarf,70,\nCeles,elf,70,40\nDoran,dwarf,90,\n");
    place.write("puzzle.json", PUZZLE);
    let solve = |unpriced: &str| {
        let puzzle = format!("party(puzzle=\"puzzle.json\"{unpriced})");
        place.run(&["solve", &puzzle, "items.csv", "--format", "jsonl"])
    };
    let told = solve("");
    let expected = "items.csv, line 3, column 16: 2 items have no price: line 3, line 5; `party(unpriced=exclude)`";
    assert!(told.err.contains(expected), "{}", told.err);
    told.bad(31);
    let (without, free) = (solve(", unpriced=exclude").good(), solve(", unpriced=zero").good());
    assert_eq!(
        (field(&without, "value"), field(&without, "solution")),
        ("525".to_owned(), "\"0 2\"".to_owned())
    );
    assert_eq!(
        (field(&free, "value"), field(&free, "solution")),
        ("0".to_owned(), "\"1 3\"".to_owned())
    );
    for record in [&without, &free] {
        assert_eq!(field(record, "checked"), "true");
        place.write("record.jsonl", record);
        place.run(&["check", "--file", "record.jsonl"]).good();
    }
    let told = solve(", unpriced=exlude");
    assert!(told.err.contains("exclude"), "{}", told.err);
    told.bad(2);
}

/// Worlds have different names, whether they are generated into one file or into several.
#[test]
fn worlds_of_a_batch_have_distinct_names() {
    let place = Place::new();
    let worlds = place.run(&["generate", "party", "world(varied, heroes=40)", "-n", "3"]).good();
    place.write("worlds.jsonl", &worlds);
    place.write("more.jsonl", &worlds);
    let files = ["worlds.jsonl", "more.jsonl"];
    let solved =
        place.run(&["solve", "party", files[0], files[1], "--preset", "fast", "--format", "jsonl"]);
    let mut ids: Vec<String> = solved.out.lines().map(|line| field(line, "id")).collect();
    assert_eq!(ids[..3], ["\"fantasy\"", "\"fantasy-2\"", "\"fantasy-3\""]);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 6);
}

#[test]
fn assignments_are_solved_from_files() {
    let place = Place::new();
    place.write("three.txt", "3\n\n0 5 2\n5 0 3\n2 3 0\n\n0 1 9\n1 0 4\n9 4 0\n");
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

/// The checker can verify a proof independently of the program that proved it. A puzzle without
/// certificates is refused.
#[test]
fn proofs_are_certified_and_checked() {
    let place = Place::new();
    place.write("items.json", ITEMS);
    place.write("puzzle.json", PUZZLE);
    place.write("none.json", PUZZLE.replace("70}", "95}"));
    let solve = |puzzle: &str| {
        let party = format!("party(puzzle={puzzle})");
        place.run(&["solve", &party, "items.json", "--certify", "--format", "jsonl"])
    };
    let record = solve("puzzle.json").good();
    assert_eq!(field(&record, "certified"), "true");
    let check = |record: &str| {
        place.write("record.jsonl", record);
        place.run(&["check", "--file", "record.jsonl"])
    };
    let told = check(&record).good();
    assert!(told.contains("160 coins, 2 actions, the bound is certified"), "{told}");
    // A bound that differs from the certified one.
    let more = record.replace(r#"\"least\":160"#, r#"\"least\":161"#);
    assert_ne!(more, record);
    let told = check(&more).bad(30);
    assert!(told.contains("1 of 1 solutions wrong"), "{told}");
    let ran = solve("none.json");
    assert_eq!(ran.code, Some(10), "{}", ran.err);
    assert_eq!(field(&ran.out, "certified"), "true");
    let told = check(&ran.out).good();
    assert!(told.contains("it is certified that there is no better solution"), "{told}");
    let told = place.run(&["solve", "tiles", "1 2 3 4 5 6 7 0 8", "--certify"]).bad(32);
    assert!(told.contains("there are no certificates for tiles"), "{told}");
}
