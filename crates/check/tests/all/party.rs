//! Party building: amounts of a small team by hand in both layouts, every rule of a move, and every
//! way in which a text can be wrong.

use unriddle_check::{
    CheckError, Verdict, apply, goal, is_goal, is_known, legal_actions, verify, verify_all,
};

/// Six heroes of two races and three nations for a path of three nodes.
const ROWS: &str = r#""nodes": ["a", "b", "c"], "edges": [[0, 1], ["c", "b"]],
    "traits": ["race", "nation"], "sizes": [2, 4], "heroes": [
    [0, 0, 80, 100], [0, 0, 90, 200], [0, 1, 70, 50], [1, 1, 75, 30], [1, 2, 85.5, 400], [0, 0, 60, 10]]"#;

/// The same heroes as objects; guilds are numbers that are compared.
const OBJECTS: &str = r#""nodes": ["a", "b", "c"], "edges": [[0, 1], [1, 2]], "traits": ["nation"], "items": [
    {"name": "Aria",  "race": "elf", "nation": 7,   "level": 80, "price": 100},
    {"name": "Borin", "race": "elf", "nation": 7,   "level": 90, "price": 200},
    {"level": 70, "price": 50, "nation": 8, "name": "Cato", "race": "elf"},
    {"name": "Dwal",  "race": "orc", "nation": 8,   "level": 75, "price": 30},
    {"name": "Elia",  "race": "orc", "nation": "x", "level": 85.50, "price": 400},
    {"name": "Fenn",  "race": "elf", "nation": 7,   "level": 60, "price": 10}]"#;

fn with(pool: &str, puzzle: &str) -> String {
    format!("{{{pool}, \"puzzle\": {puzzle}}}")
}

/// The price, or the reason of the refusal.
fn outcome(instance: &str, solution: &str) -> Result<i64, String> {
    match verify("party", instance, solution) {
        Ok(verdict) => {
            let length = solution.split_whitespace().count() as u64;
            assert_eq!(verdict.length, length);
            Ok(verdict.value)
        }
        Err(CheckError::NotGoal { how, .. }) => Err(how),
        Err(other) => Err(other.to_string()),
    }
}

/// The team 0 1 2 has synergy 0.28: Aria and Borin share 2 traits, Borin and Cato 1, so that nodes
/// have the means 2, 1.5 and 1 and 10, 9 and 9 points. Its levels are 80, 90 and 70.
#[test]
fn every_requirement_is_kept_or_broken() {
    for (requirement, wrong) in [
        (r#""sum": "level", "at_least": 240"#, ""),
        (
            r#""sum": "level", "at_least": 240.001"#,
            "sum of level is 240, at least 240.001 is required",
        ),
        (
            r#""sum": "level", "at_most": 239.999"#,
            "sum of level is 240, at most 239.999 is allowed",
        ),
        (r#""average": "level", "exactly": 8.0e1"#, ""),
        (
            r#""average": "level", "at_least": 80.001"#,
            "average of level is 80, at least 80.001 is required",
        ),
        // In tenths, as 85.5 asks for: 7200 + 300 are rounded to 2500 / 3.
        (r#""rating": "level", "at_least": 83.3, "at_most": 83.3"#, ""),
        (
            r#""rating": "level", "at_least": 83.4"#,
            "rating of level is 83.3, at least 83.4 is required",
        ),
        (r#""distinct": "nation", "exactly": 2"#, ""),
        (
            r#""distinct": "nation", "at_least": 3"#,
            "distinct of nation is 2, at least 3 is required",
        ),
        (r#""same": "race", "at_least": 3"#, ""),
        (r#""same": "race", "at_most": 2"#, "same of race is 3, at most 2 is allowed"),
        (r#""same": "nation", "exactly": 2"#, ""),
        (r#""same": "nation", "exactly": 1"#, "same of nation is 2, exactly 1 is required"),
        // All bounds count.
        (
            r#""distinct": "nation", "exactly": 3, "at_least": 2"#,
            "distinct of nation is 2, exactly 3 is required",
        ),
    ] {
        for pool in [ROWS, OBJECTS] {
            let instance = with(pool, &format!("{{\"requirements\": [{{{requirement}}}]}}"));
            let expected = match wrong {
                "" => Ok(350),
                wrong => Err(wrong.to_owned()),
            };
            assert_eq!(outcome(&instance, "0 1 2"), expected, "{requirement}");
        }
    }
}

#[test]
fn values_are_counted() {
    for (pool, count, wrong) in [
        (ROWS, r#"{"race": 0}, "exactly": 3"#, ""),
        (ROWS, r#"{"nation": ["0", 2]}, "exactly": 2"#, ""),
        (ROWS, r#"{"nation": "3"}, "at_most": 0"#, ""),
        (
            ROWS,
            r#"{"nation": ["0", 2]}, "at_least": 3"#,
            "count of nation 0 or 2 is 2, at least 3 is required",
        ),
        (OBJECTS, r#"{"race": "elf"}, "exactly": 3"#, ""),
        (OBJECTS, r#"{"nation": [8, "x"]}, "exactly": 1"#, ""),
        (OBJECTS, r#"{"nation": "7"}, "exactly": 2"#, ""),
        (
            OBJECTS,
            r#"{"race": "orc"}, "at_least": 1"#,
            "count of race orc is 0, at least 1 is required",
        ),
        (
            OBJECTS,
            r#"{"nation": []}, "at_least": 1"#,
            "count of nation is 0, at least 1 is required",
        ),
    ] {
        let instance = with(pool, &format!("{{\"requirements\": [{{\"count\": {count}}}]}}"));
        let expected = match wrong {
            "" => Ok(350),
            wrong => Err(wrong.to_owned()),
        };
        assert_eq!(outcome(&instance, "0 1 2"), expected, "{count}");
    }
}

#[test]
fn synergy_is_computed_from_the_links() {
    for (synergy, solution, wrong) in [
        (r#""exactly": 0.28"#, "0 1 2", ""),
        (r#""at_least": 0.281"#, "0 1 2", "synergy is 0.28, at least 0.281 is required"),
        (r#""at_most": 0.279"#, "0 1 2", "synergy is 0.28, at most 0.279 is allowed"),
        // Means 1, 0.5 and 0: the team is the same, but Cato is between the others. 9 + 9 + 9.
        (r#""exactly": 0.27"#, "0 2 1", ""),
        // Means 0, 0.5 and 1: 3 + 6 + 9.
        (r#""exactly": 0.18"#, "0 4 3", ""),
        // Means by only race: 1, 1, 1; by only nation: 1, 0.5, 0; by no trait: 0.
        (r#""traits": ["race"], "exactly": 0.27"#, "0 1 2", ""),
        (r#""traits": ["nation"], "exactly": 0.18"#, "0 1 2", ""),
        (r#""traits": [], "exactly": 0.09"#, "0 1 2", ""),
        // A mean of exactly 1.5 reaches the step, 1 does not; 50 + 50 + 1 points are cut to 100.
        (r#""thr": [1.5], "score": [1, 50], "at_most": 1"#, "0 1 2", ""),
        (r#""thr": [1.501], "score": [1, 50], "exactly": 0.52"#, "0 1 2", ""),
        (
            r#""thr": [1, 1], "score": [0, 0.001, 0.002], "at_least": 1"#,
            "0 1 2",
            "synergy is 0.000…, at least 1 is required",
        ),
    ] {
        for pool in [ROWS, OBJECTS] {
            let instance = with(pool, &format!("{{\"synergy\": {{{synergy}}}}}"));
            let found = outcome(&instance, solution);
            match wrong {
                "" => assert!(found.is_ok(), "{synergy}, {solution}: {found:?}"),
                wrong => assert_eq!(found, Err(wrong.to_owned()), "{synergy}"),
            }
        }
    }
}

#[test]
fn the_puzzle_comes_before_the_pool() {
    let steps = r#""synergy": {"thr": [2], "score": [0, 20], "at_least": 0.9, "traits": []}"#;
    let pool = format!("{ROWS}, {steps}");
    // Only the steps of the pool count, and only node `a` has a mean of 2.
    let of = |puzzle: &str| outcome(&with(&pool, puzzle), "0 1 2");
    assert_eq!(of(r#"{"synergy": {"exactly": 0.2}}"#), Ok(350));
    assert_eq!(of(r#"{"synergy": {"exactly": 0.3, "thr": [], "score": [10]}}"#), Ok(350));
    // Without links the mean is 0; nodes that are linked otherwise are other neighbours.
    assert_eq!(of(r#"{"nodes": ["x", "y", "z"], "synergy": {"exactly": 0}}"#), Ok(350));
    assert_eq!(
        of(r#"{"nodes": ["x", "y", "z"], "edges": [["x", "y"]], "synergy": {"exactly": 0.4}}"#),
        Ok(350)
    );
    let two = with(&pool, r#"{"nodes": ["x", "y"]}"#);
    assert_eq!(outcome(&two, "4 5"), Ok(410));
}

#[test]
fn all_violated_requirements_are_reported() {
    let puzzle = r#"{"synergy": {"at_least": 0.8}, "requirements": [
        {"average": "level", "at_least": 84}, {"same": "race", "at_most": 3}, {"distinct": "race", "at_least": 2}]}"#;
    assert_eq!(
        outcome(&with(ROWS, puzzle), "0 1 5"),
        Err(
            "synergy is 0.3, at least 0.8 is required; average of level is 76.666…, at least 84 is required; \
             distinct of race is 1, at least 2 is required"
                .to_owned()
        )
    );
}

#[test]
fn fixed_excluded_and_owned_items() {
    let puzzle = r#"{"$schema": 1, "name": ["any"], "fixed": [{"item": "Aria", "node": "b"}, 3],
        "excluded": [4, "Fenn", 4], "owned": ["Aria", 1, 5]}"#;
    let instance = with(OBJECTS, puzzle);
    assert_eq!(outcome(&instance, "3 0 2"), Ok(80));
    assert_eq!(outcome(&instance, "1 0 3"), Ok(30));
    for (solution, message) in [
        ("1 0 2", "item 3 is fixed, but not in the team"),
        ("0 3 2", "move 1 (`0`) is illegal: item 0 is fixed on node `b`, and this is node `a`"),
        ("2 3 0", "move 2 (`3`) is illegal: item 0 is fixed on node `b`"),
        ("4 0 3", "move 1 (`4`) is illegal: item 4 is excluded"),
        ("5 0 3", "move 1 (`5`) is illegal: item 5 is excluded"),
        ("3 0 3", "move 3 (`3`) is illegal: item 3 is on node `a` already"),
        ("3 0 6", "move 3 (`6`) is illegal: there is no such item, only 0 to 5"),
        (
            "99999999999999999999999",
            "move 1 (`99999999999999999999999`) is illegal: there is no such item, only 0 to 5",
        ),
        ("3 0 1 2", "move 4 (`2`) is illegal: all 3 nodes are filled"),
        ("3 0", "2 of 3 nodes are filled"),
        ("", "0 of 3 nodes are filled"),
        (
            "3 Aria 1",
            "solution: word 2 is `Aria`; a move is the number of the next node's item, counted from 0",
        ),
        (
            "3 -1",
            "solution: word 2 is `-1`; a move is the number of the next node's item, counted from 0",
        ),
    ] {
        assert_eq!(outcome(&instance, solution), Err(message.to_owned()));
    }
    let actions = ["1", "2", "3"].map(str::to_owned).to_vec();
    assert_eq!(legal_actions("party", &instance), Ok(actions));
}

/// A position as an instance has the items so far fixed on their nodes, and its solutions have all
/// nodes.
#[test]
fn positions() {
    let pool = r#""nodes":["a","b"],"items":[{"price":1},{"price":2},{"price":3}]"#;
    let instance = with(pool, r#"{"fixed":[0,{"item":2,"node":1}],"name":"\u00e9"}"#);
    let after = apply("party", &instance, "0").unwrap();
    assert_eq!(
        after,
        format!(
            "{{{pool},\"puzzle\":{}}}",
            r#"{"fixed":[{"item":0,"node":0},{"item":2,"node":1}],"name":"é"}"#
        )
    );
    let only = |item: &str| Ok(vec![item.to_owned()]);
    assert_eq!(legal_actions("party", &after), only("0"));
    assert_eq!(outcome(&after, "0 2"), Ok(4));
    let free = apply("party", &with(pool, "{}"), "1").unwrap();
    assert_eq!(legal_actions("party", &free), only("1"));
    assert_eq!(outcome(&free, "1 0"), Ok(3));

    assert!(is_known("party"));
    assert_eq!(is_goal("party", &instance), Ok(false));
    assert_eq!(goal("party", &instance), Ok(None));
    let Err(CheckError::Illegal { why, .. }) = apply("party", &instance, "x") else {
        panic!("`x` is no place of a hero in the pool");
    };
    assert!(why.starts_with("a move is the number"));
    assert_eq!(
        verify("party(size=2)", &instance, ""),
        Err(CheckError::Puzzle("party has no parameter `size`".to_owned()))
    );
}

/// Numbers where a trait is expected are compared as they are spelled once they have been read.
#[test]
fn numbers_as_values() {
    let pool = r#""nodes": ["a", "b", "c", "d"], "traits": ["level", "not there"], "items": [
        {"level": 7, "price": 0}, {"level": 7.0, "price": 0}, {"level": 70.00e-1, "price": 0},
        {"level": "7", "price": 0}, {"level": null, "price": 0}, {"level": -3, "price": 0}]"#;
    for requirement in [
        r#"{"distinct": "level", "exactly": 2}"#,
        r#"{"count": {"level": 7}, "exactly": 2}"#,
        r#"{"count": {"level": "7.0"}, "exactly": 2}"#,
        r#"{"count": {"level": [null, -3]}, "exactly": 0}"#,
    ] {
        let instance = with(pool, &format!("{{\"requirements\": [{requirement}]}}"));
        assert_eq!(outcome(&instance, "0 1 2 3"), Ok(0), "{requirement}");
    }
}

#[test]
fn nothing_overflows() {
    let items: Vec<String> = (0..128)
        .map(|i| {
            let level = if i == 0 { "-4294967.295" } else { "4294967295" };
            format!("{{\"level\": {level}, \"price\": 281474976710655}}")
        })
        .collect();
    let nodes: Vec<String> = (0..128).map(|i| format!("\"{i}\"")).collect();
    let pool = format!("\"nodes\": [{}], \"items\": [{}]", nodes.join(","), items.join(","));
    let order: Vec<String> = (0..128).map(|i| i.to_string()).collect();
    let of = |requirement: &str| {
        let puzzle = format!("{{\"requirements\": [{requirement}]}}");
        outcome(&with(&pool, &puzzle), &order.join(" "))
    };
    let bound = r#""at_least": -4294967295"#;
    for amount in ["sum", "average", "rating"] {
        let requirement = format!("{{\"{amount}\": \"level\", {bound}}}");
        assert_eq!(of(&requirement), Ok(128 * 281_474_976_710_655));
    }
    assert_eq!(
        of(r#"{"sum": "level", "at_most": 0}"#),
        Err("sum of level is 545456551497.705, at most 0 is allowed".to_owned())
    );
}

#[test]
fn documents_that_are_wrong() {
    for (document, message) in [
        ("", "line 1, column 1: expected a value, but the text ends"),
        ("{\"items\": [\n1,}", "line 2, column 3: expected a value, but found `}`"),
        ("[]", "expected either `heroes` or `items`, a list of items"),
        ("{\"items\": [], \"heroes\": []}", "expected either `heroes` or `items`, a list of items"),
        ("{\"items\": {}}", "expected either `heroes` or `items`, a list of items"),
        ("{\"items\": []}", "there is no `puzzle` beside the items"),
        ("{\"items\": [], \"puzzle\": []}", "puzzle: expected an object"),
        ("{\"items\": [], \"puzzle\": {\"fix\": 1}}", "puzzle: `fix` is unknown"),
        ("{\"items\": [], \"puzzle\": {}}", "puzzle: neither it nor the items have `nodes`"),
        (
            "{\"items\": [], \"nodes\": [\"a\"], \"puzzle\": {}}",
            "puzzle: 0 items cannot fill 1 nodes",
        ),
    ] {
        assert_eq!(outcome(document, ""), Err(format!("instance: {message}")));
    }
}

#[test]
fn pools_that_are_wrong() {
    for (pool, message) in [
        (
            r#""traits": ["a"], "sizes": [], "heroes": []"#,
            "sizes: expected how many values each of the 1 traits has, at most 65536",
        ),
        (
            r#""traits": ["a"], "sizes": [65537], "heroes": []"#,
            "sizes: expected how many values each of the 1 traits has, at most 65536",
        ),
        (r#""traits": ["a", "a"], "sizes": [1, 1], "heroes": []"#, "traits[1]: `a` occurs twice"),
        (r#""numbers": null, "heroes": []"#, "numbers: expected a list of texts"),
        (r#""numbers": [1], "heroes": []"#, "numbers[0]: expected a text"),
        (
            r#""heroes": [[1, 2, 3]]"#,
            "heroes[0]: expected 2 values: the traits, the numbers and the price",
        ),
        (r#""heroes": [7]"#, "heroes[0]: expected 2 values: the traits, the numbers and the price"),
        (
            r#""traits": ["a"], "sizes": [2], "heroes": [[1, 2, 3], [2, 2, 3]]"#,
            "heroes[1]: `a` is 2, expected a code below 2",
        ),
        (
            r#""heroes": [[0.0001, 3]]"#,
            "heroes[0]: `level` is 0.0001, expected a number below 2^32 of at most three decimals",
        ),
        (
            r#""heroes": [[1, -3]]"#,
            "heroes[0]: the price is -3, expected a number from 0 to 2^48 - 1 (without its point) of at most three decimals",
        ),
        (
            r#""numbers": [], "heroes": [[281474976710655], [281474976710656]]"#,
            "heroes[1]: the price is 281474976710656, expected a number from 0 to 2^48 - 1 (without its point) of at most three decimals",
        ),
        (r#""heroes": [[1, null]]"#, "heroes[0]: there is no price"),
        (r#""items": [7]"#, "items[0]: expected an object"),
        (r#""items": [{}]"#, "items[0]: there is no price"),
        (
            r#""items": [{"price": 1.2345}]"#,
            "items[0]: the price is 1.2345, expected a number from 0 to 2^48 - 1 (without its point) of at most three decimals",
        ),
        (
            r#""items": [{"price": 1, "a": 1}, {"price": 1}]"#,
            "items[1]: there is no `a`, as other items have",
        ),
        (
            r#""items": [{"price": 1}, {"price": 1, "a": 1}]"#,
            "items[0]: there is no `a`, as other items have",
        ),
        (
            r#""items": [{"price": 1, "name": "a"}, {"price": 1}]"#,
            "items: some have a `name` and some have none",
        ),
        (r#""items": [{"price": 1, "name": 2}]"#, "items[0]: `name` is 2, expected a text"),
        (
            r#""items": [{"price": 1, "a": true}]"#,
            "items[0]: `a` is true, expected a number below 2^32 of at most three decimals",
        ),
    ] {
        let document = format!("{{{pool}, \"puzzle\": {{}}}}");
        assert_eq!(outcome(&document, ""), Err(format!("instance: {message}")));
    }
}

#[test]
fn formations_and_steps_that_are_wrong() {
    let many: Vec<String> = (0..129).map(|i| format!("\"{i}\"")).collect();
    let many = format!("\"nodes\": [{}]", many.join(","));
    let steps = "synergy: expected `thr`, ascending means, and `score`, ascending points, one more of them, each \
                 from 0 to 1000 with at most three decimals";
    for (graph, message) in [
        (many.as_str(), "nodes: a formation has 1 to 128 nodes, this one 129"),
        (r#""edges": []"#, "nodes: a formation has 1 to 128 nodes, this one 0"),
        (r#""nodes": ["a", "a"]"#, "nodes[1]: `a` occurs twice"),
        (r#""nodes": ["a"], "edges": 1"#, "edges: expected a list of pairs of nodes"),
        (r#""nodes": ["a", "b"], "edges": [[0, 2]]"#, "edges[0]: [0,2] is no pair of nodes"),
        (r#""nodes": ["a", "b"], "edges": [[0, "c"]]"#, "edges[0]: [0,\"c\"] is no pair of nodes"),
        (r#""nodes": ["a", "b"], "edges": [[0]]"#, "edges[0]: [0] is no pair of nodes"),
        (r#""nodes": ["a", "b"], "edges": [[1, "b"]]"#, "edges[0]: node 1 is linked to itself"),
        (
            r#""nodes": ["a", "b"], "edges": [[0, 1], [1, 0]]"#,
            "edges[1]: nodes 1 and 0 are linked twice",
        ),
        (r#""synergy": {"thr": null}"#, steps),
        (r#""synergy": {"thr": [1]}"#, steps),
        (r#""synergy": {"score": [1]}"#, steps),
        (r#""synergy": {"thr": [1], "score": [1]}"#, steps),
        (r#""synergy": {"thr": [1, 0.5], "score": [1, 2, 3]}"#, steps),
        (r#""synergy": {"thr": [1], "score": [2, 1]}"#, steps),
        (r#""synergy": {"thr": [-1], "score": [2, 3]}"#, steps),
        (r#""synergy": {"thr": [1], "score": [2, 1000.001]}"#, steps),
        (r#""synergy": {"thr": [1], "score": [2, "3"]}"#, steps),
    ] {
        let of_pool = format!("{{\"items\": [], {graph}, \"puzzle\": {{}}}}");
        assert_eq!(outcome(&of_pool, ""), Err(format!("instance: {message}")));
        let own = with(ROWS, &format!("{{{graph}}}"));
        assert_eq!(outcome(&own, ""), Err(format!("instance: puzzle: {message}")));
    }
}

#[test]
fn puzzles_that_are_wrong() {
    for (puzzle, message) in [
        (r#""synergy": 1"#, "synergy: expected an object such as {\"at_least\": 0.8}"),
        (
            r#""synergy": {"at_least": "1"}"#,
            "synergy: `at_least` is \"1\", expected a number below 2^32 of at most three decimals",
        ),
        (r#""synergy": {"atleast": 1}"#, "synergy: `atleast` is unknown"),
        (
            r#""synergy": {"at_least": 0.5, "at_most": 0.4}"#,
            "synergy: no amount keeps all of these bounds",
        ),
        (r#""synergy": {"traits": "race"}"#, "synergy: expected a list of `traits`"),
        (r#""synergy": {"traits": ["level"]}"#, "synergy: there is no trait \"level\""),
        (r#""synergy": {"traits": ["race", "race"]}"#, "synergy: \"race\" occurs twice"),
        (r#""requirements": {}"#, "requirements: expected a list"),
        (r#""requirements": [1]"#, "requirements[0]: expected an object"),
        (
            r#""requirements": [{"at_least": 1}]"#,
            "requirements[0]: expected one of sum, average, rating, count, distinct, same",
        ),
        (
            r#""requirements": [{"sum": "level", "same": "race", "at_least": 1}]"#,
            "requirements[0]: expected one of sum, average, rating, count, distinct, same",
        ),
        (
            r#""requirements": [{"sum": "level", "atleast": 1}]"#,
            "requirements[0]: `atleast` is unknown",
        ),
        (
            r#""requirements": [{"sum": "level"}]"#,
            "requirements[0]: expected a bound: at_least, at_most or exactly",
        ),
        (
            r#""requirements": [{"same": "race", "at_least": 2}, {"sum": "race", "at_least": 1}]"#,
            "requirements[1]: there is no numeric attribute \"race\"",
        ),
        (
            r#""requirements": [{"same": "level", "at_least": 1}]"#,
            "requirements[0]: there is no trait \"level\"",
        ),
        (
            r#""requirements": [{"count": "race", "at_least": 1}]"#,
            "requirements[0]: expected a trait and its values, found \"race\"",
        ),
        (
            r#""requirements": [{"count": {"race": 1, "nation": 1}, "at_least": 1}]"#,
            "requirements[0]: expected a trait and its values, found {\"race\":1,\"nation\":1}",
        ),
        (
            r#""requirements": [{"count": {"level": 1}, "at_least": 1}]"#,
            "requirements[0]: there is no trait `level`",
        ),
        (
            r#""requirements": [{"count": {"race": [1, "1.0"]}, "at_least": 1}]"#,
            "requirements[0]: `race` is never \"1.0\"",
        ),
        (
            r#""requirements": [{"distinct": "race", "exactly": 1.5}]"#,
            "requirements[0]: no amount keeps all of these bounds",
        ),
        // Sums are in tenths, averages in thirtieths.
        (
            r#""requirements": [{"sum": "level", "at_least": 240.01, "at_most": 240.09}]"#,
            "requirements[0]: no amount keeps all of these bounds",
        ),
        (
            r#""requirements": [{"average": "level", "exactly": 80.01}]"#,
            "requirements[0]: no amount keeps all of these bounds",
        ),
        (r#""excluded": null"#, "excluded: expected a list"),
        (r#""excluded": [1, 6]"#, "excluded[1]: there is no item 6"),
        (r#""owned": ["Aria"]"#, "owned[0]: there is no item \"Aria\""),
        (r#""owned": [1.0]"#, "owned[0]: there is no item 1.0"),
        (r#""fixed": [{"node": 1}]"#, "fixed[0]: there is no item {\"node\":1}"),
        (r#""fixed": [{"item": 1, "nod": 2}]"#, "fixed[0]: `nod` is unknown"),
        (r#""fixed": [{"item": 1, "node": 3}]"#, "fixed[0]: there is no node 3"),
        (r#""fixed": [{"item": 1, "node": "d"}]"#, "fixed[0]: there is no node \"d\""),
        (r#""fixed": [1, {"item": 1, "node": 2}]"#, "fixed[1]: item 1 is fixed twice"),
        (
            r#""fixed": [{"item": 1, "node": "b"}, {"item": 2, "node": 1}]"#,
            "fixed[1]: an item is fixed on node 1 already",
        ),
        (r#""fixed": [1], "excluded": [1]"#, "fixed[0]: item 1 is fixed and excluded"),
    ] {
        let document = with(ROWS, &format!("{{{puzzle}}}"));
        assert_eq!(outcome(&document, ""), Err(format!("instance: puzzle: {message}")));
    }
}

/// Prices and objectives are counted in parts of the finest price, or with the decimals that the
/// document gives. Names that differ in upper and lower case are found where only one fits.
#[test]
fn decimal_prices_are_counted_in_parts() {
    let pool = |decimals: &str, items: &str| {
        format!(r#""nodes": ["a", "b"], "edges": [], {decimals} "items": [{items}]"#)
    };
    let items =
        r#"{"Race": "elf", "level": 1.5, "price": 12.50}, {"Race": "orc", "level": 2, "price": 3}"#;
    let plain = with(&pool("", items), "{}");
    assert_eq!(outcome(&plain, "0 1"), Ok(155));
    let cents = pool(r#""decimals": 2,"#, items);
    assert_eq!(outcome(&with(&cents, "{}"), "0 1"), Ok(1550));
    assert_eq!(outcome(&with(&cents, r#"{"owned": [0]}"#), "0 1"), Ok(300));
    let objective = r#"{"objective": {"price": 0.5, "LEVEL": -2}}"#;
    assert_eq!(outcome(&with(&cents, objective), "0 1"), Ok(775 - 700));
    let finer = r#"{"objective": {"price": 0.001}}"#;
    let told = outcome(&with(&cents, finer), "0 1").unwrap_err();
    assert!(told.contains("objective: the value of item 0"), "{told}");
    let distinct = r#"{"requirements": [{"distinct": "race", "exactly": 1}]}"#;
    let told = outcome(&with(&cents, distinct), "0 1").unwrap_err();
    assert!(told.contains("distinct of race is 2"), "{told}");
    let twice = items.replace(r#""level""#, r#""RACE": "x", "level""#);
    let told = outcome(&with(&pool("", &twice), distinct), "0 1").unwrap_err();
    assert!(told.contains("there is no trait \"race\""), "{told}");
    for (decimals, items, reason) in [
        (r#""decimals": 0,"#, items, "decimals: expected 1 to 3, found 0"),
        (r#""decimals": 4,"#, items, "decimals: expected 1 to 3, found 4"),
        ("", r#"{"price": 281474976710655}, {"price": 0.5}"#, "the price of item 0 is too large"),
    ] {
        let told = outcome(&with(&pool(decimals, items), "{}"), "0 1").unwrap_err();
        assert!(told.contains(reason), "{reason}: {told}");
    }
}

#[test]
fn a_verdict_has_a_price_and_a_length() {
    let instance = with(ROWS, r#"{"synergy": {"at_least": 0.28}}"#);
    assert_eq!(verify("party", &instance, "0 1 2"), Ok(Verdict { value: 350, length: 3 }));
}

/// Many teams of one document have the same verdicts as each team has by itself, also after a wrong
/// team and with named values.
#[test]
fn many_solutions_are_verified_at_once() {
    let names = r#""nodes": ["a", "b"], "edges": [], "traits": ["race"], "values": [["elf", "orc"]],
        "heroes": [[0, 80, 1], [1, 70, 2], [0, 60, 4]]"#;
    let text = with(names, r#"{"requirements": [{"count": {"race": "elf"}, "exactly": 1}]}"#);
    let teams = ["0 1", "0 2", "1 1", "2 1", "0"];
    let all = verify_all("party", &text, teams).unwrap();
    let each: Vec<_> = teams.iter().map(|team| verify("party", &text, team)).collect();
    assert_eq!(all, each);
    let values: Vec<_> = all.iter().map(|v| v.as_ref().ok().map(|v| v.value)).collect();
    assert_eq!(values, [Some(3), None, None, Some(6), None]);
    let tiles = verify_all("tiles", "1 2 3 0", ["", "L"]).unwrap();
    assert!(tiles[0].is_ok() && tiles[1].is_err());
}
