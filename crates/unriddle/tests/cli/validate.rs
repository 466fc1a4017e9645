//! Reports for designers: every puzzle has one, in every form, with an exit code.

use crate::place::{HARDEST, ODD, Place, field};

/// A board and its mirror image, an unsolvable board, and the first board again.
const BOARDS: &str = "hard: 8 6 7 2 5 4 3 0 1\nmirrored: 6 4 7 8 5 0 3 2 1\nodd: 1 2 3 4 5 6 8 7 0\nagain: 8 6 7 2 5 4 3 0 1\n";

#[test]
fn batches_report_unsolvable_and_equal_instances() {
    let place = Place::new();
    place.write("boards.txt", BOARDS);
    let ran = place.run(&["validate", "tiles", "--file", "boards.txt", "--format", "jsonl"]);
    let lines: Vec<&str> = ran.out.lines().collect();
    let words = |name: &str| lines.iter().map(|line| field(line, name)).collect::<Vec<_>>();
    assert_eq!(
        words("verdict"),
        ["\"solvable\"", "\"solvable\"", "\"unsolvable\"", "\"solvable\""]
    );
    assert_eq!(words("value"), ["31", "31", "null", "31"]);
    for (line, same) in lines.iter().zip([
        "\"duplicate_of\":null",
        "\"duplicate_of\":{\"id\":\"hard\",\"exact\":false}",
        "\"duplicate_of\":null",
        "\"duplicate_of\":{\"id\":\"hard\",\"exact\":true}",
    ]) {
        assert!(line.contains(same), "{same}: {line}");
    }
    assert!(lines[2].contains("permutation is odd"), "{}", lines[2]);
    assert!(ran.err.contains("1 unsolvable, 0 unknown, 2 duplicates"), "{}", ran.err);
    ran.bad(10);
}

/// The numbers of the 8-puzzle are known: 181,440 boards of either parity, and 40 shortest paths
/// from one of the two farthest boards (Reinefeld 1993, table 1).
#[test]
fn small_spaces_are_looked_at_whole() {
    let place = Place::new();
    let told = place.run(&["validate", "tiles", HARDEST]).good();
    for part in [
        "1: solvable, optimum 31 moves (proved)",
        "reachable states: 181440; goals: 1; dead ends: 0 (0.0 %)",
        "optimal solutions: 40",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let few = ["validate", "tiles", HARDEST, "--set", "states=1000"];
    let told = place.run(&few).good();
    assert!(!told.contains("reachable states"), "{told}");
    let told = place.run(&["validate", "tiles", ODD]);
    assert!(told.out.contains("goals: 0; dead ends: 181440"), "{}", told.out);
    told.bad(10);
}

/// Three groups of two in two columns: the enumeration proves the optimum, which the search does
/// not.
#[test]
fn scores_of_small_boards_are_proved() {
    let place = Place::new();
    place.write("board.txt", "0 1\n0 1\n2 2\n");
    let ran =
        place.run(&["validate", "samegame", "--file", "board.txt", "--max-expansions", "500"]);
    let told = ran.good();
    assert!(told.contains("(proved)"), "{told}");
    assert!(told.contains("200 random games"), "{told}");
    assert!(told.contains("lose the best score"), "{told}");
}

#[test]
fn deals_are_validated_with_an_impossible_one_among_them() {
    let place = Place::new();
    let deals = ["validate", "freecell", "--deals", "11981..11983", "--preset", "fast"];
    let limited = [&deals[..], &["--max-generated", "2M", "--set", "states=100k"]].concat();
    let ran = place.run(&limited);
    assert!(ran.out.contains("11982: unsolvable (proved)"), "{}", ran.out);
    assert!(ran.err.contains("2 solvable"), "{}", ran.err);
    ran.bad(10);
    let page = place.run(&[&limited[..], &["--format", "html"]].concat()).out;
    assert_eq!(page.matches("<section").count(), 3, "{page}");
    assert_eq!(page.matches("<svg").count(), 3, "{page}");
    assert!(page.contains("<td class=\"unsolvable\">unsolvable</td>"), "{page}");
    let json = place.run(&[&limited[..], &["--format", "json"]].concat()).out;
    assert!(json.starts_with('[') && json.trim_end().ends_with(']'), "{json}");
}

/// Hearts for diamonds, other columns first: the same deal.
#[test]
fn deals_are_the_same_up_to_suits_and_columns() {
    let place = Place::new();
    let deal = place.run(&["show", "freecell", "--deals", "1"]).good();
    assert!(!deal.is_empty());
    let text =
        place.run(&["solve", "freecell", "--deals", "1", "--format", "jsonl", "--preset", "fast"]);
    let text = field(&text.good(), "instance").trim_matches('"').replace("\\n", "\n");
    let swapped: String = text
        .chars()
        .map(|c| match c {
            'H' => 'D',
            'D' => 'H',
            c => c,
        })
        .collect();
    let mut columns: Vec<&str> = swapped.lines().collect();
    columns.reverse();
    place.write("deals.txt", format!("{text}\n\n{}\n", columns.join("\n")));
    let limits = ["--max-generated", "100k", "--set", "states=1k", "--preset", "fast"];
    let ran = place.run(&[&["validate", "freecell", "--file", "deals.txt"][..], &limits].concat());
    assert!(ran.out.contains("up to symmetry"), "{}{}", ran.out, ran.err);
}

#[test]
fn keys_that_do_not_fit_are_refused() {
    let place = Place::new();
    let told = |given: &[&str]| place.run(&[&["validate"], given].concat()).bad(2);
    let wrong = told(&["tiles", HARDEST, "--set", "statse=3"]);
    assert!(
        wrong.contains(
            "tiles has no key `statse`; did you mean `states`? (known: states, games, goal)"
        ),
        "{wrong}"
    );
    let wrong = told(&["tiles", HARDEST, "--set", "states"]);
    assert!(wrong.contains("expected KEY=VALUE"), "{wrong}");
    let wrong = told(&["tiles", HARDEST, "--set", "states="]);
    assert!(wrong.contains("the value of `states` is missing"), "{wrong}");
    let wrong = told(&["tiles", HARDEST, "--set", "states=many"]);
    assert!(wrong.contains("states"), "{wrong}");
    let wrong = told(&["tiles", HARDEST, "--set", "states=1", "--set", "states=2"]);
    assert!(wrong.contains("states"), "{wrong}");
    place.run(&["validate", "tiles", "1 2 x 0"]).bad(31);
    let wrong =
        place.run(&["validate", "party", "--set", "archive=a.csv", "--set", "features=age"]);
    assert!(wrong.bad(32).contains("expected price, synergy"));
}

/// The puzzle's own parameters are keys as well.
#[test]
fn a_key_may_be_a_parameter_of_the_puzzle() {
    let place = Place::new();
    let first = place.run(&["validate", "tiles", "0 1 2 3", "--set", "goal=blank-first"]);
    assert!(first.good().contains("optimum 0 moves (proved)"));
}

/// An instance without any result within the limits is reported as unknown, with its exit code.
#[test]
fn instances_without_result_are_unknown() {
    let place = Place::new();
    let ran = place.run(&[
        "validate",
        "freecell",
        "--deals",
        "1..1",
        "--solver",
        "staged(blind)",
        "--max-generated",
        "1k",
        "--set",
        "states=100",
    ]);
    assert!(ran.out.contains("unknown: neither"), "{}", ran.out);
    assert!(ran.out.contains("limit of states (generated) was reached"), "{}", ran.out);
    ran.bad(11);
}

/// The order of presses means nothing: three presses are one solution and not six.
#[test]
fn optimal_solutions_are_sets_where_actions_commute() {
    let place = Place::new();
    let report = place.run(&["validate", "lightsout", "11000/10100/01110/01100/11100"]).good();
    for part in [
        "optimal solutions: 1 (sets of actions: their order means nothing)",
        "the fewest presses are 3, of one set",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
}
