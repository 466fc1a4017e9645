//! FreeCell at the command line: numbered deals, boards, proofs, measures, evolution.

use crate::place::{Place, field};

/// Deal 1 as a board.
const DEAL_1: &str = "JD KD 2S 4C 3S 6D 6S\n2D KC KS 5C TD 8S 9C\n9H 9S 9D TS 4S 8D 2H\nJC 5S QD QH TH QS 6H\n\
    5D AD JS 4H 8H 6C\n7H QC AS AC 2C 3D\n7C KH AH 4D JH 8C\n5H 3H 3C 7S 7D TC\n";
/// A small table and a deck for it.
const SMALL: &str = "freecell(cells=1, columns=4, ranks=3)";
const SMALL_BOARD: &str = "3D 2D AH\n2C 3H AC\nAS 3C AD\n2H 2S 3S";

#[test]
fn numbered_deals_are_solved_in_all_measures() {
    let place = Place::new();
    let lines = place.run(&["solve", "freecell", "--deals", "1..30", "--format", "jsonl"]).good();
    assert_eq!(lines.lines().count(), 30);
    for (i, line) in lines.lines().enumerate() {
        assert_eq!(field(line, "id"), format!("\"{}\"", i + 1));
        assert_eq!(field(line, "checked"), "true");
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let number = |name: &str| {
            let measures = &record["measures"];
            let found = measures.get(name).unwrap_or(&record[name]);
            found.as_i64().unwrap()
        };
        assert_eq!(field(line, "measure"), "\"m0\"");
        assert_eq!(number("value"), number("m0"));
        assert_eq!(number("m0"), number("m3") + 52);
        assert!(number("m3") <= number("m2") && number("m2") <= number("m0"));
        assert!(number("m0") <= number("m1"));
    }
    // The same deal as a number, as a board, and in a file.
    let solution = field(lines.lines().next().unwrap(), "solution");
    place.write("boards", format!("# one\n{DEAL_1}\n\n# two\n2\n"));
    for arguments in [&["1"][..], &[DEAL_1], &["--file", "boards"]] {
        let whole = [&["solve", "freecell", "--format", "jsonl"][..], arguments].concat();
        let lines = place.run(&whole).good();
        assert_eq!(field(lines.lines().next().unwrap(), "solution"), solution);
    }
}

#[test]
fn safe_moves_home_may_be_left_out() {
    let place = Place::new();
    let safe = "freecell(autoplay=safe)";
    let arguments = ["solve", safe, "--deals", "1..40", "--preset", "fast", "--format", "jsonl"];
    let lines = place.run(&arguments).good();
    for line in lines.lines() {
        assert_eq!(field(line, "checked"), "true");
        assert_eq!(field(line, "value"), field(line, "length"));
        let words = field(line, "solution").split(' ').count();
        let measured = format!("\"m2\":{words},");
        assert!(line.contains(&measured), "{line}");
    }
    let solution = field(lines.lines().next().unwrap(), "solution");
    let solution = solution.trim_matches('"');
    place.run(&["check", safe, "1", solution]).good();
    place.run(&["show", safe, "1", "--solution", solution, "--at", "20"]).good();
    // Read as if every move were written, moves are missing.
    place.run(&["check", "freecell", "1", solution]).bad(30);
}

#[test]
fn the_impossible_deal_is_proved() {
    let place = Place::new();
    let ran = place.run(&["solve", "freecell", "11982"]);
    assert!(ran.out.starts_with("unsolvable, proved"), "{}", ran.out);
    ran.bad(10);
}

#[test]
fn measures_follow_the_preset() {
    let place = Place::new();
    let solve = |preset| {
        let arguments = ["solve", SMALL, SMALL_BOARD, "--preset", preset, "--format", "jsonl"];
        place.run(&arguments).good()
    };
    let optimal = solve("optimal");
    assert_eq!(field(&optimal, "status"), "\"optimal\"");
    assert_eq!(field(&optimal, "measure"), "\"m1\"");
    let measured = format!("\"m1\":{},", field(&optimal, "value"));
    assert!(optimal.contains(&measured), "{optimal}");
    assert_eq!(field(&solve("short"), "measure"), "\"m0\"");
    // In single cards nothing is shorter.
    let single = SMALL.replace(')', ", moves=single)");
    let arguments = ["solve", &single, SMALL_BOARD, "--solver", "bfs", "--format", "jsonl"];
    assert_eq!(field(&place.run(&arguments).good(), "value"), field(&optimal, "value"));
}

#[test]
fn generated_boards_go_round() {
    let place = Place::new();
    let boards = place.run(&["generate", SMALL, "-n", "5", "--seed", "3"]).good();
    assert!(boards.starts_with("# 1\n"), "{boards}");
    place.write("boards", &boards);
    let solved = place.run(&["solve", SMALL, "--file", "boards", "--format", "csv"]);
    let lines = solved.good();
    let heads: Vec<&str> = lines.lines().next().unwrap().split(',').collect();
    assert!(["measure", "measures"].iter().all(|name| heads.contains(name)));
    assert!(lines.contains(",m0,m0="), "{lines}");
    let deals = place.run(&["generate", "freecell", "microsoft(max=9)", "-n", "2"]).good();
    let numbers: Vec<u64> =
        deals.lines().map(|line| line.split_once(": ").unwrap().1.parse().unwrap()).collect();
    assert!(numbers.iter().all(|n| (1..=9).contains(n)), "{deals}");
    assert!(place.run(&["show", "freecell", "617"]).good().contains("7♦  A♦  5♣  3♠"));
}

#[test]
fn wrong_boards_and_deals_are_refused() {
    let place = Place::new();
    let refused = |text: &str| place.feed(&["solve", "freecell", "-"], text).bad(31);
    assert_eq!(
        refused(&DEAL_1.replace(" TC", "")),
        "standard input, line 8, column 1: 51 cards where 52 belong; missing: TC"
    );
    assert!(refused(&DEAL_1.replace("TC", "TC AS")).ends_with("a second AS"));
    assert!(refused(&DEAL_1.replace("TC", "AS")).ends_with("a second AS"));
    assert!(refused(&format!("Foundations: H-Z\n{DEAL_1}")).contains("expected a foundation"));
    assert!(refused(&format!("Freecells: - - - - -\n{DEAL_1}")).contains("a cell too many"));
    assert!(refused(&format!("{DEAL_1}:\n:")).ends_with("a column too many: 8 are set"));
    let numbers = "the numbers go from 1 to 8589934591";
    for (deal, range) in [("0", "0..3"), ("8589934592", "8589934590..8589934592")] {
        let message = place.run(&["solve", "freecell", "--deals", range]).bad(31);
        assert_eq!(message, format!("--deals: no deal {deal}: {numbers}"));
        assert!(refused(deal).ends_with(numbers));
    }
    assert!(refused("-3").ends_with(numbers));
    let message = place.run(&["solve", "tiles", "--deals", "1..3"]).bad(32);
    assert_eq!(message, "tiles has no numbered deals");
}

#[test]
fn illegal_moves_have_a_reason() {
    let place = Place::new();
    let wrong = |solution: &str| place.run(&["check", "freecell", "1", solution]).out;
    assert_eq!(
        wrong("1a 1h"),
        "1: WRONG: move 2 (`1h`) is illegal: the diamonds need AD next, not 6D\n"
    );
    assert!(wrong("1a 12").contains("does not fit on 9C"), "{}", wrong("1a 12"));
}

/// A small recipe of an evolution on the deals of `deals.txt`.
pub(crate) fn recipe(generations: u32) -> String {
    format!(
        "version = 3\ntitle = \"t\"\npuzzle = \"freecell\"\nsolver = \"staged({{heuristic}}, depth=2, quantum=3000)\"\n\
         heuristic = \"mixture(orientation=distance, combine=sum)\"\nmethod = \"coevolution\"\nseed = 1\n\
         generations = {generations}\npopulation = 4\ntraining = \"deals.txt\"\nfinalists = 2\nnodes = \"100k\"\n\
         baseline = {{ solver = \"staged(hsdh, depth=2)\", nodes = \"200k\" }}\n\
         [sets]\npopulation = 3\ninstances = 2\nmet = 1\nevery = 2\n"
    )
}

/// Deals of `deals.txt`.
pub(crate) const DEALS: &str = "# a few\n1\n2\n3\n4\n5\n6\n";

/// Files of a run of an evolution that do not depend on its interruptions.
pub(crate) const EVOLVED: [&str; 6] =
    ["baseline.csv", "checkpoint.json", "log.csv", "finalists.csv", "weights.toml", "solver.toml"];

/// An evolution that is stopped and resumed ends like one without an interruption.
#[test]
fn evolution_resumes_after_a_stop() {
    let place = Place::new();
    place.write("deals.txt", DEALS);
    place.write("recipe.toml", recipe(3));
    let evolve = |run: &str, jobs: &str| {
        place.run(&["evolve", "freecell", "--recipe", "recipe.toml", "--run", run, "--jobs", jobs])
    };
    let said = evolve("whole", "1").good();
    assert!(said.contains("weights.toml: fitness"), "{said}");
    let file = |run: &str, name: &str| place.read(&format!("{run}/{name}"));
    // Killed as soon as a generation is saved, and taken up with another number of threads.
    let arguments = ["evolve", "freecell", "--recipe", "recipe.toml", "--run", "other"];
    let mut child = place.start(&arguments);
    while !place.path("other/checkpoint.json").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    evolve("other", "3").good();
    for name in EVOLVED {
        assert_eq!(file("whole", name), file("other", name), "{name}");
    }
    assert!(file("whole", "curve.svg").starts_with("<svg"));
    // A search reads the written weights.
    let solver = format!("staged(weights({}))", place.path("whole/weights.toml").display());
    let arguments = ["solve", "freecell", "1", "--solver", &solver, "--max-generated", "50k"];
    let ran = place.run(&arguments);
    assert!(matches!(ran.code, Some(0 | 22)), "{}", ran.err);
    // An evolution without any solved instance has no result.
    place.write("recipe.toml", recipe(1).replace("100k", "1k"));
    let none = evolve("none", "1").bad(11);
    assert!(none.contains("no weights are written"), "{none}");
    assert!(!place.path("none/weights.toml").exists());
    // Another recipe does not go into the same folder.
    place.write("recipe.toml", recipe(4));
    assert!(evolve("whole", "1").bad(2).contains("another recipe"));
    place.write("recipe.toml", recipe(4).replace("population = 4", "population = 1"));
    assert!(evolve("new", "1").bad(31).contains("population"));
}
