//! `solve`: the written results, their order, and exit codes.

use crate::place::{EASY, ENDLESS, HARDEST, ODD, Place, Ran, field};
use unriddle_catalog::Record;

/// A text in which every time is replaced by `T`.
fn untimed(text: &str) -> String {
    let mut words = text.split(' ').peekable();
    let mut out = Vec::new();
    while let Some(word) = words.next() {
        let rest = words.peek().and_then(|next| {
            let unit = next.trim_end_matches([',', ':', '\n']);
            ["µs", "ms", "s", "min"].contains(&unit).then(|| &next[unit.len()..])
        });
        match rest.filter(|_| word.parse::<f64>().is_ok()) {
            None => out.push(word.to_owned()),
            Some(rest) => {
                words.next();
                out.push(format!("T{rest}"));
            }
        }
    }
    out.join(" ")
}

#[test]
fn one_instance_is_a_paragraph() {
    let place = Place::new();
    let ran = place.run(&["solve", "tiles", HARDEST, "--solver", "bfs"]);
    let text = ran.good();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert_eq!(lines[0].len(), 31);
    assert!(lines[0].chars().all(|c| "UDLR".contains(c)));
    assert_eq!(lines[1], "31 moves, proved optimal, checked");
    assert!(lines[2].starts_with("bfs: 181,4"), "{text}");
    assert_eq!(
        untimed(&place.run(&["solve", "tiles", EASY, "--solver", "astar(manhattan)"]).good()),
        "L\n1 move, proved optimal, checked\n\
         astar(manhattan, w=1): 1 state expanded, 3 generated, T of CPU time\n"
    );
    assert_eq!(
        untimed(&place.run(&["solve", "tiles", "1 2 3 0", "--solver", "astar(manhattan)"]).good()),
        "0 moves (already solved), proved optimal, checked\n\
         astar(manhattan, w=1): 0 states expanded, 0 generated, T of CPU time\n"
    );
}

#[test]
fn a_batch_is_a_line_each_and_a_summary() {
    let place = Place::new();
    place.write("some", format!("# three\neasy: {EASY}\n\n{ODD}\n{EASY}\n"));
    let ran = place.run(&["solve", "tiles", "--file", "some", "--jobs", "1"]);
    assert_eq!(ran.code, Some(0));
    let out = untimed(&ran.out);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "easy: 1 move, proved optimal, checked, T: L");
    assert!(lines[1].starts_with("4: unsolvable, proved: the permutation is odd"), "{}", lines[1]);
    assert_eq!(lines[2], "5: 1 move, proved optimal, checked, T: L");
    assert_eq!(lines.len(), 3);
    assert!(
        ran.err.starts_with(
            "3 instances: 2 solved (2 proved optimal), 1 proved unsolvable; 1.000 moves on average; "
        ),
        "{}",
        ran.err
    );
}

/// Fields that only some puzzles and solvers have, and that are otherwise omitted.
const OTHERS: [&str; 12] = [
    "tree_nodes",
    "tree_depth",
    "tree_deepest",
    "diversity",
    "measure",
    "measures",
    "networks",
    "unit",
    "named",
    "certificate",
    "certified",
    "others",
];

/// The fields that every record has, in order.
fn fields() -> Vec<&'static str> {
    let mut fields = Record::FIELDS.to_vec();
    fields.retain(|name| !OTHERS.contains(name));
    fields
}

/// The names of the fields of an object without objects inside, in their order.
fn names(line: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find("\":") {
        let start = rest[..at].rfind('"').map_or(0, |quote| quote + 1);
        names.push(&rest[start..at]);
        rest = &rest[at + 2..];
    }
    names
}

#[test]
fn a_record_has_its_fields_in_order() {
    let place = Place::new();
    let arguments = [
        "solve",
        "tiles(goal=blank-last)",
        EASY,
        "--solver",
        "astar(manhattan)",
        "--seed",
        "7",
        "--format",
        "jsonl",
    ];
    let line = place.run(&arguments).good();
    assert_eq!(names(&line), fields());
    for (name, value) in [
        ("id", "\"1\""),
        ("puzzle", "\"tiles\""),
        ("instance", "\"1 2 3 4 5 6 7 0 8\""),
        ("solver", "\"astar(manhattan, w=1)\""),
        ("seed", "7"),
        ("status", "\"optimal\""),
        ("stopped_by", "null"),
        ("value", "1"),
        ("length", "1"),
        ("solution", "\"L\""),
        ("lower_bound", "1"),
        ("upper_bound", "null"),
        ("initial_h", "1.0"),
        ("checked", "true"),
        ("checked_by", "\"check\""),
        ("expanded", "1"),
        ("generated", "3"),
        ("reopened", "0"),
        ("reason", "null"),
        ("schema", "2"),
    ] {
        assert_eq!(field(&line, name), value, "{name}");
    }
    assert!(field(&line, "cpu_s").parse::<f64>().is_ok());
    assert!(field(&line, "setup_cpu_s").parse::<f64>().is_ok());
    // The same run gives the same bytes, times and memory apart.
    let again = place.run(&arguments).good();
    let counters = ["id", "instance", "solution", "expanded", "generated", "evaluated", "solver"];
    for name in counters {
        assert_eq!(field(&line, name), field(&again, name), "{name}");
    }
    // The record of a preset contains its spec with all defaults, like the record of a spec.
    let of = |arguments: &[&str]| {
        let ran = place.run(&[&["solve", "tiles", EASY, "--format", "jsonl"], arguments].concat());
        field(&ran.good(), "solver")
    };
    assert_eq!(of(&["--solver", "astar(linear-conflict)"]), "\"astar(linear-conflict, w=1)\"");
    for preset in ["default", "optimal", "fast", "best"] {
        let spec = of(&["--preset", preset]);
        assert_eq!(of(&["--solver", spec.trim_matches('"')]), spec, "{preset}");
    }
}

#[test]
fn all_forms_hold_the_same() {
    let place = Place::new();
    let solve = |format: &str| {
        place.run(&["solve", "tiles", &format!("a: {EASY}"), ODD, "--format", format]).good()
    };
    let lines = solve("jsonl");
    let records: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let array: Vec<serde_json::Value> = serde_json::from_str(&solve("json")).expect("JSON");
    let table = solve("csv");
    let mut csv = csv::Reader::from_reader(table.as_bytes());
    // A table has the columns of every puzzle. Columns that this puzzle lacks are empty.
    let heads = csv.headers().expect("a header").clone();
    assert_eq!(heads.iter().collect::<Vec<_>>(), Record::FIELDS);
    let column = |name: &str| heads.iter().position(|head| head == name).expect("a column");
    let rows: Vec<csv::StringRecord> = csv.records().map(|row| row.expect("a row")).collect();
    assert_eq!((records.len(), array.len(), rows.len()), (2, 2, 2));
    for ((record, other), row) in records.iter().zip(&array).zip(&rows) {
        assert!(OTHERS.iter().all(|name| row[column(name)].is_empty()));
        for name in fields().iter().filter(|name| !name.ends_with("_s")) {
            assert_eq!(record[name], other[name], "{name}");
            let text = match &record[name] {
                serde_json::Value::Null => String::new(),
                serde_json::Value::String(text) => text.clone(),
                value => value.to_string(),
            };
            assert_eq!(text, row[column(name)], "{name}");
        }
    }
    assert_eq!((&records[0]["id"], &records[1]["id"]), (&"a".into(), &"2".into()));
    assert_eq!(records[1]["status"], "unsolvable");
    assert_eq!(records[1]["checked"], serde_json::Value::Null);
}

#[test]
fn records_have_the_order_of_the_input_for_any_number_of_jobs() {
    let place = Place::new();
    // Hard and easy ones in turn, so that two workers finish out of order.
    let boards: Vec<String> =
        (0..12).map(|i| format!("n{i}: {}\n", if i % 2 == 0 { HARDEST } else { EASY })).collect();
    place.write("some", boards.concat());
    let solve = |jobs: &str| {
        let text = place
            .run(&["solve", "tiles", "--file", "some", "--jobs", jobs, "--format", "jsonl"])
            .good();
        let row =
            |line: &str| (field(line, "id"), field(line, "solution"), field(line, "expanded"));
        text.lines().map(row).collect::<Vec<_>>()
    };
    let one = solve("1");
    let ids: Vec<&str> = one.iter().map(|row| row.0.trim_matches('"')).collect();
    assert_eq!(ids, ["n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9", "n10", "n11"]);
    assert_eq!(solve("2"), one);
    assert_eq!(solve("12"), one);
}

#[test]
fn instances_come_from_arguments_files_and_standard_input() {
    let place = Place::new();
    place.write("some", format!("{EASY}\nx: {EASY}\n"));
    let ids = |ran: Ran| {
        let text = ran.good();
        text.lines().map(|line| field(line, "id").replace('"', "")).collect::<Vec<_>>()
    };
    let format = ["--format", "jsonl"];
    let with = |arguments: &[&'static str]| [&["solve", "tiles"], arguments, &format].concat();
    assert_eq!(ids(place.run(&with(&[EASY, "y: 1 2 3 0"]))), ["1", "y"]);
    // Arguments first, then files in their order.
    assert_eq!(ids(place.run(&with(&["--file", "some", EASY]))), ["1", "1-2", "x"]);
    let input = format!("\u{feff}# comment\r\nz: {EASY}\r\n");
    assert_eq!(ids(place.feed(&with(&[]), &input)), ["z"]);
    assert_eq!(ids(place.feed(&with(&["-"]), &input)), ["z"]);
    assert_eq!(ids(place.feed(&with(&["--file", "-"]), &input)), ["z"]);
    // A pasted board of several lines is one instance.
    assert_eq!(ids(place.run(&with(&["1 2 3\n4 5 6\n7 0 8"]))), ["1"]);
}

#[test]
fn limits_end_with_their_codes_and_known_bounds() {
    let place = Place::new();
    for (limit, code, by, words) in [
        (["--max-expansions", "1k"], 22, "expansions", "the limit of expanded states"),
        (["--max-generated", "1k"], 22, "generated", "the limit of generated states"),
        (["--time", "1ms"], 20, "time", "the time limit"),
        (["--batch-time", "1ms"], 20, "time", "the time limit"),
        (["--memory", "100k"], 21, "memory", "the memory limit"),
    ] {
        let solver = if by == "memory" { "astar(manhattan)" } else { "idastar(manhattan)" };
        let arguments =
            [&["solve", "tiles", ENDLESS, "--format", "jsonl", "--solver", solver], &limit[..]]
                .concat();
        let ran = place.run(&arguments);
        let line = ran.out.clone();
        assert_eq!(ran.bad(code), format!("no solution: stopped by {words}"), "{limit:?}");
        assert_eq!(field(&line, "status"), "\"stopped\"");
        assert_eq!(field(&line, "stopped_by"), format!("\"{by}\""));
        assert_eq!(field(&line, "checked"), "null");
    }
    let ran = place.run(&[
        "solve",
        "tiles",
        ENDLESS,
        "--solver",
        "beam(manhattan, width=1, max_depth=3)",
    ]);
    assert!(
        ran.out.starts_with("no solution found, and no proof: ") && ran.out.contains("max_depth"),
        "{}",
        ran.out
    );
    assert_eq!(ran.bad(11), "no solution found, and no proof");
    // Tables that leave no memory are refused before the search, with the figures.
    let ran = place.run(&["solve", "tiles", EASY, "--solver", "astar(pdb(4-4))", "--memory", "1k"]);
    assert!(
        ran.out.starts_with("no solution: stopped by the memory limit: the table (sliding side=3 "),
        "{}",
        ran.out
    );
    assert_eq!(ran.bad(21), "no solution: stopped by the memory limit");
}

#[test]
fn a_batch_ends_with_the_code_of_its_unanswered_instances() {
    let place = Place::new();
    place.write("some", format!("{EASY}\n{ENDLESS}\n{ODD}\n{ENDLESS}\n"));
    let ran = place.run(&[
        "solve",
        "tiles",
        "--file",
        "some",
        "--solver",
        "idastar(manhattan)",
        "--max-expansions",
        "1000",
    ]);
    assert!(ran.err.contains(
        "4 instances: 1 solved (1 proved optimal), 1 proved unsolvable, 2 without an answer;"
    ));
    assert_eq!(
        ran.bad(22),
        "2 of 4 instances without an answer (2 stopped by the limit of expanded states)"
    );
}

#[test]
fn instances_that_were_not_begun_have_no_record() {
    let place = Place::new();
    place.write("some", format!("{ENDLESS}\n").repeat(9));
    let arguments = [
        "solve",
        "tiles",
        "--file",
        "some",
        "--jobs",
        "1",
        "--batch-time",
        "50ms",
        "--solver",
        "idastar(manhattan)",
    ];
    let ran = place.run(&arguments);
    assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
    assert_eq!(
        ran.bad(20),
        "9 of 9 instances without an answer (8 not begun, 1 stopped by the time limit)"
    );
    let ran = place.run(&[&arguments[..], &["--format", "jsonl"]].concat());
    assert_eq!(ran.out.lines().count(), 1);
    assert_eq!(field(&ran.out, "stopped_by"), "\"time\"");
}

#[test]
fn several_threads_inside_a_search_find_the_same_length() {
    let place = Place::new();
    let line =
        place.run(&["solve", "tiles", HARDEST, "--threads", "2", "--format", "jsonl"]).good();
    assert_eq!(
        (field(&line, "value"), field(&line, "status")),
        ("31".to_owned(), "\"optimal\"".to_owned())
    );
}

/// Searches that share the batches of a network find the same solutions in the same states as
/// independent searches.
#[test]
fn lockstep_does_not_change_solutions() {
    let place = Place::new();
    let boards = place.run(&["generate", "tiles", "uniform(3)", "-n", "20"]);
    place.write("boards", boards.good());
    let of = |lockstep: &[&str]| -> Vec<[String; 3]> {
        let solve = ["solve", "tiles", "--file", "boards", "--jobs", "5", "--format", "jsonl"];
        let solver = ["--solver", "beam(net(tiles8), width=20)"];
        let ran = place.run(&[&solve[..], &solver, lockstep].concat());
        let fields = |line| ["id", "solution", "generated"].map(|name| field(line, name));
        ran.good().lines().map(fields).collect()
    };
    let alone = of(&[]);
    assert_eq!(alone.len(), 20);
    assert_eq!(of(&["--lockstep"]), alone);
}

/// A GPU that does not exist, or that the program cannot use, is refused with the reason, and so
/// are bytes on a GPU.
#[test]
fn missing_gpus_are_rejected() {
    let place = Place::new();
    let board = "1 2 3 4 5 6 7 0 8";
    let of = |solver: &str, device: &str| {
        place.run(&["solve", "tiles", board, "--solver", solver, "--device", device])
    };
    of("astar(net(tiles8))", "cpu").good();
    let refused = of("astar(manhattan)", "cuda").bad(32);
    assert!(refused.contains("evaluates no network"), "{refused}");
    let refused = of("astar(net(tiles8, precision=bytes))", "cuda").bad(2);
    assert!(refused.contains("only on the CPU"), "{refused}");
    let ran = of("astar(net(tiles8))", "cuda");
    // Only a program that was built for GPUs and has one solves it.
    if cfg!(feature = "cuda") && ran.code == Some(0) {
        return;
    }
    let refused = ran.bad(2);
    assert!(refused.contains("tiles8: ") && refused.contains("CUDA"), "{refused}");
}

/// A network in the folder `models` beside the program is found by its name. A name of a built-in
/// network refers to the built-in network.
#[test]
fn networks_beside_the_program_are_found_by_name() {
    let place = Place::new().with_program();
    std::fs::create_dir(place.path("models")).expect("a folder");
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/tiles8.safetensors");
    std::fs::copy(model, place.path("models/mine.safetensors")).expect("a copy");
    place.write("models/tiles8.safetensors", "no network");
    let of = |name: &str| {
        let solver = format!("astar(net({name}))");
        place.run(&["solve", "tiles", "1 2 3 4 5 6 7 0 8", "--solver", &solver])
    };
    of("mine").good();
    of("tiles8").good();
    let told = of("yours").bad(2);
    assert!(told.contains("networks that are part of the program: tiles8"), "{told}");
}
