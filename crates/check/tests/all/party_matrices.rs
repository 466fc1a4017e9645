//! Party building, synergy by matrices: values by hand, every way in which a text can be wrong, and
//! certificates that follow and that do not.

use unriddle_check::{CheckError, apply, verify, verify_all, verify_certificate};

/// Six heroes of two races and three nations for a path of three nodes; nations are numbers that
/// are compared.
const POOL: &str = r#""nodes": ["a", "b", "c"], "edges": [[0, 1], ["c", "b"]], "traits": ["nation"], "items": [
    {"race": "elf", "nation": 7,   "level": 80, "price": 100},
    {"race": "elf", "nation": 7,   "level": 90, "price": 200},
    {"race": "elf", "nation": 8,   "level": 70, "price": 50},
    {"race": "orc", "nation": 8,   "level": 75, "price": 30},
    {"race": "orc", "nation": "x", "level": 85, "price": 400},
    {"race": "elf", "nation": 7,   "level": 60, "price": 10}]"#;

/// Orcs like elves, but not the other way round; nations 7 and 8 like each other. Node b suits
/// orcs, and node a nation 7.
const MATRICES: &str = r#"
    "affinity": {"race": {"elf": {"elf": 3, "orc": -2}, "orc": {"elf": 5}}, "nation": {"7": {"8": 4}}},
    "places": {"race": {"b": {"orc": 6}}, "nation": {"a": {"7": 1}}}"#;

/// A large flow from a to b, a small one back, and a negative one from b to c.
const FLOWS: &str = r#""flows": [[0, 2, 0], [1, 0, -3], [0, 0, 0]]"#;

fn with(pool: &str, synergy: &str) -> String {
    format!("{{{pool}, \"puzzle\": {{\"synergy\": {{{synergy}}}}}}}")
}

/// The reason why a team is refused; empty if it is valid.
fn outcome(instance: &str, solution: &str) -> String {
    match verify("party", instance, solution) {
        Ok(_) => String::new(),
        Err(CheckError::NotGoal { how, .. }) => how,
        Err(other) => other.to_string(),
    }
}

#[test]
fn synergy_by_hand() {
    for (more, solution, synergy) in [
        // From a to b 2(-2 + 4), back 5 + 4, from b to c -3(5 + 0), worths 6 + 1.
        (FLOWS, "0 3 2", "5"),
        // 2(3 + 4), 3 + 4, -3(-2 + 4); no worth on nodes.
        (FLOWS, "2 0 3", "15"),
        // 2(3), 3, -3(3 + 4), and a.
        (FLOWS, "0 1 2", "-11"),
        // 2(-2 + 4), 5 + 4, nothing from orc to orc and from 8 to x, worths 6 + 1.
        (FLOWS, "5 3 4", "20"),
        // Edges lead from a to b and from c to b: -2 + 4, -2 + 0, worths 6 + 1.
        (r#""whole": 1"#, "0 3 2", "7"),
        // No flow from b: 5 and 5, and no worth on nodes.
        (r#""whole": 1"#, "4 2 3", "10"),
    ] {
        let of =
            |bound: &str| outcome(&with(POOL, &format!("{MATRICES}, {more}, {bound}")), solution);
        assert_eq!(of(&format!("\"exactly\": {synergy}")), "", "{solution}");
        assert_eq!(
            of("\"at_least\": 100"),
            format!("synergy is {synergy}, at least 100 is required")
        );
        assert_eq!(
            of("\"at_most\": -100"),
            format!("synergy is {synergy}, at most -100 is allowed")
        );
    }
}

#[test]
fn whole_divides() {
    let of = |more: &str| outcome(&with(POOL, &format!("{MATRICES}, {FLOWS}, {more}")), "0 3 2");
    assert_eq!(of(r#""whole": 10, "exactly": 0.5"#), "");
    assert_eq!(
        of(r#""whole": 4, "at_least": 1.251"#),
        "synergy is 1.25, at least 1.251 is required"
    );
    assert_eq!(of(r#""whole": 1000000000, "at_least": 0"#), "");
    assert_eq!(
        of(r#""whole": 3, "exactly": 1.666"#),
        "instance: puzzle: synergy: no amount keeps all of these bounds"
    );
    // Without bounds all teams do, and all is read all the same.
    assert_eq!(of(r#""whole": 7"#), "");
}

/// Both directions count if both are given; a missing one is copied from the other.
#[test]
fn affinity_of_zero_is_given() {
    let of = |orc: &str, exactly: i64| {
        let synergy = format!(
            r#""affinity": {{"race": {{"elf": {{"orc": 4}}, "orc": {orc}}}}}, "exactly": {exactly}"#
        );
        // From an elf to an orc, and from another elf to it.
        assert_eq!(outcome(&with(POOL, &synergy), "0 3 2"), "", "{orc}");
        let back = format!(r#"{synergy}, "flows": [[0, 0, 0], [1, 0, 1], [0, 0, 0]]"#);
        outcome(&with(POOL, &back), "0 3 2")
    };
    assert_eq!(of("{}", 8), "");
    assert_eq!(of(r#"{"elf": 0}"#, 8), "synergy is 0, exactly 8 is required");
    assert_eq!(of(r#"{"elf": -1}"#, 8), "synergy is -2, exactly 8 is required");
    // Nothing at all is worth nothing, but has its bounds.
    assert_eq!(outcome(&with(POOL, r#""affinity": {}, "exactly": 0"#), "0 1 2"), "");
    assert_eq!(outcome(&with(POOL, r#""places": {}, "exactly": 0"#), "0 1 2"), "");
}

#[test]
fn rows_and_steps_of_the_pool() {
    // Values are given by codes; the pool's synergy is of the other kind and is ignored.
    let rows = r#""nodes": ["a", "b"], "edges": [[0, 1]], "synergy": {"thr": [1], "score": [0, 100]},
        "traits": ["race"], "sizes": [3], "heroes": [[0, 80, 100], [1, 90, 200], [1, 70, 50]]"#;
    let synergy =
        r#""affinity": {"race": {"0": {"1": 3}}}, "places": {"race": {"a": {"2": 9, "1": 2}}}"#;
    let instance = with(rows, &format!("{synergy}, \"exactly\": 3"));
    assert_eq!(outcome(&instance, "0 1"), "");
    assert_eq!(outcome(&instance, "2 0"), "synergy is 5, exactly 3 is required");
    // Flows exist without any edges.
    let bare = rows.replace(r#""edges": [[0, 1]], "#, "");
    let flows = with(&bare, &format!("{synergy}, \"exactly\": 3"));
    assert_eq!(outcome(&flows, "0 1"), "synergy is 0, exactly 3 is required");
    let flows = with(&bare, &format!("{synergy}, \"flows\": [[0, 0], [1, 0]], \"exactly\": 3"));
    assert_eq!(outcome(&flows, "0 1"), "");
}

/// A position keeps the matrices.
#[test]
fn positions() {
    let instance = with(POOL, &format!("{MATRICES}, {FLOWS}, \"exactly\": 5"));
    let after = apply("party", &instance, "0").unwrap();
    assert!(after.contains(r#""fixed":[{"item":0,"node":0}]"#) && after.contains("\"flows\""));
    assert_eq!(outcome(&after, "0 3 2"), "");
    assert_eq!(outcome(&after, "0 1 2"), "synergy is -11, exactly 5 is required");
}

#[test]
fn texts_that_are_wrong() {
    let neither = "and there is neither `affinity` nor `places`";
    for (synergy, message) in [
        (r#""whole": 1"#, format!(": `whole` goes with matrices, {neither}")),
        (r#""flows": []"#, format!(": `flows` goes with matrices, {neither}")),
    ] {
        let told = outcome(&with(POOL, synergy), "");
        assert_eq!(told, format!("instance: puzzle: synergy{message}"));
    }
    for (more, message) in [
        (r#""traits": []"#, ": `traits` does not go with matrices"),
        (r#""thr": []"#, ": `thr` does not go with matrices"),
        (r#""score": [1]"#, ": `score` does not go with matrices"),
        (r#""positions": {}"#, ": `positions` does not go with matrices"),
        (r#""flow": 1"#, ": `flow` is unknown"),
        (r#""whole": 0"#, ".whole: 0 is no whole number from 1 to 1000000000"),
        (r#""whole": 1000000001"#, ".whole: 1000000001 is no whole number from 1 to 1000000000"),
        (r#""whole": "1""#, ".whole: \"1\" is no whole number from 1 to 1000000000"),
        (r#""whole": 1.0"#, ".whole: 1.0 is no whole number from 1 to 1000000000"),
        (r#""flows": {}"#, ".flows: expected 3 rows, one for every node"),
        (r#""flows": [[0]]"#, ".flows: expected 3 rows, one for every node"),
        (r#""flows": [[0, 0, 0], 1, [0, 0, 0]]"#, ".flows: row 1: expected 3 numbers"),
        (r#""flows": [[0, 0, 0], [0, 0, 0], [0, 0]]"#, ".flows: row 2: expected 3 numbers"),
        (
            r#""flows": [[0, 0, 0], [0, 0, 10001], [0, 0, 0]]"#,
            ".flows: row 1: 10001 is no whole number from -10000 to 10000",
        ),
        (
            r#""flows": [[0, -10001, 0], [0, 0, 0], [0, 0, 0]]"#,
            ".flows: row 0: -10001 is no whole number from -10000 to 10000",
        ),
        (
            r#""flows": [[-0, 0, 0], [0, 0, 0], [0, 0, 0]]"#,
            ".flows: row 0: -0 is no whole number from -10000 to 10000",
        ),
        (
            r#""flows": [[0, 0, 0], [0, 1, 0], [0, 0, 0]]"#,
            ".flows: row 1: node 1 has a flow to itself",
        ),
    ] {
        let told = outcome(&with(POOL, &format!("{MATRICES}, {more}")), "");
        assert_eq!(told, format!("instance: puzzle: synergy{message}"));
    }
    for (synergy, message) in [
        (r#""affinity": null"#, "affinity: expected an object, found null"),
        (r#""affinity": {"level": {}}"#, "affinity: there is no trait `level`"),
        (r#""affinity": {"race": []}"#, "affinity: `race`: expected an object, found []"),
        (
            r#""affinity": {"race": {"elf": 1}}"#,
            "affinity: `race`, `elf`: expected an object, found 1",
        ),
        (r#""affinity": {"race": {"ork": {}}}"#, "affinity: `race`: no item has the value `ork`"),
        (
            r#""affinity": {"nation": {"7": {"7.0": 1}}}"#,
            "affinity: `nation`, `7`: no item has the value `7.0`",
        ),
        (
            r#""affinity": {"race": {"elf": {"elf": 1e3}}}"#,
            "affinity: `race`, `elf`: 1e3 is no whole number from -10000 to 10000",
        ),
        (r#""places": 1"#, "places: expected an object, found 1"),
        (r#""places": {"class": {}}"#, "places: there is no trait `class`"),
        (r#""places": {"race": 1}"#, "places: `race`: expected an object, found 1"),
        (r#""places": {"race": {"0": {}}}"#, "places: `race`: `0` is no node"),
        (r#""places": {"race": {"a": 1}}"#, "places: `race`, `a`: expected an object, found 1"),
        (
            r#""places": {"race": {"a": {"dwarf": 1}}}"#,
            "places: `race`, `a`: no item has the value `dwarf`",
        ),
        (
            r#""places": {"race": {"a": {"elf": 10001}}}"#,
            "places: `race`, `a`: 10001 is no whole number from -10000 to 10000",
        ),
    ] {
        // With and without bounds.
        for bound in ["", ", \"at_least\": 1"] {
            let told = outcome(&with(POOL, &format!("{synergy}{bound}")), "");
            assert_eq!(told, format!("instance: puzzle: synergy.{message}"));
        }
    }
    let pool = |size: usize| {
        format!(r#""nodes": ["a"], "traits": ["t"], "sizes": [{size}], "heroes": [[0, 1, 1]]"#)
    };
    let of = |size: usize, synergy: &str| outcome(&with(&pool(size), synergy), "0");
    assert_eq!(of(1000, r#""affinity": {"t": {"999": {"0": 1}}}"#), "");
    assert_eq!(
        of(1001, r#""affinity": {"t": {}}"#),
        "instance: puzzle: synergy.affinity: `t` has more than 1000 values"
    );
    assert_eq!(of(1001, r#""places": {"t": {"a": {"1000": 1}}}"#), "");
}

/// The largest of everything, on as many links as there may be.
#[test]
fn nothing_overflows() {
    let n = 128;
    let of = |links: usize, bound: &str| {
        let mut flows = vec![vec![0; n]; n];
        for i in 0..links {
            // A circle, and one link more.
            let (a, b) = if i < n { (i, (i + 1) % n) } else { (0, 2) };
            flows[a][b] = -10_000;
            flows[b][a] = -10_000;
        }
        let names: Vec<String> = (0..n).map(|i| format!("\"{i}\"")).collect();
        let heroes = vec!["[0, 1, 1]"; n].join(",");
        let pool = format!(
            r#""nodes": [{}], "traits": ["t"], "sizes": [1], "heroes": [{heroes}]"#,
            names.join(",")
        );
        let places: Vec<String> =
            names.iter().map(|name| format!("{name}: {{\"0\": 10000}}")).collect();
        let synergy = format!(
            r#""flows": {flows:?}, "affinity": {{"t": {{"0": {{"0": 10000}}}}}}, "places": {{"t": {{{}}}}}, {bound}"#,
            places.join(",")
        );
        with(&pool, &synergy)
    };
    let team: Vec<String> = (0..n).map(|i| i.to_string()).collect();
    let team = team.join(" ");
    // 128 links, twice -10^8 each, and 128 worths.
    assert_eq!(
        outcome(&of(n, "\"exactly\": -4294967295"), &team),
        "synergy is -25598720000, exactly -4294967295 is required"
    );
    let instance = of(n, r#""whole": 1000000000, "at_least": 4294967295"#);
    assert_eq!(outcome(&instance, &team), "synergy is -25.598…, at least 4294967295 is required");
    assert_eq!(
        outcome(&of(n + 1, "\"at_least\": 0"), &team),
        "instance: puzzle: synergy.flows: more than 128 links"
    );
    let huge = i64::MAX;
    for rows in [format!("[\"worth\", [], {huge}]"), format!("[\"worth\", [], {}]", i64::MIN)] {
        let proved = prove(&instance, "9", &format!("[[\"closed\", [{rows}]]]"));
        // No team comes near the required synergy.
        assert_eq!(proved.is_ok(), rows.contains(&huge.to_string()), "{proved:?}");
    }
}

fn prove(instance: &str, least: &str, regions: &str) -> Result<Option<i64>, String> {
    let text = format!(r#"{{"certificate": 1, "least": {least}, "regions": {regions}}}"#);
    match verify_certificate("party", instance, &text) {
        Ok(proved) => Ok(proved),
        Err(CheckError::Certificate(why)) => Err(why),
        Err(other) => panic!("{other}"),
    }
}

/// Two dear elves and two cheap orcs for two nodes.
const FOUR: &str = r#""nodes": ["a", "b"], "edges": [[0, 1]], "items": [
    {"race": "elf", "price": 10}, {"race": "elf", "price": 12}, {"race": "orc", "price": 1}, {"race": "orc", "price": 2}]"#;

const ELVES: &str = r#""affinity": {"race": {"elf": {"elf": 3}}}"#;

/// As many parts of a multiplier.
const ONE: i64 = 1 << 20;

#[test]
fn certificates_by_worth() {
    let instance = with(FOUR, &format!("{ELVES}, \"at_least\": 3"));
    assert_eq!(outcome(&instance, "1 0"), "");
    // Each elf has at most 3 of the 6 parts: at 4 a part both cost 24, and the cheaper one is 2
    // below that.
    let four = format!(r#"["closed", [["worth", [], {}]]]"#, 4 * ONE);
    assert_eq!(prove(&instance, "22", &format!("[{four}]")), Ok(Some(22)));
    // With one elf at most there is nothing for anyone; with two the rest follows.
    let cut =
        format!(r#"[["count", "race", "elf", 1, []], ["closed", [["worth", [], 1]]], {four}]"#);
    assert_eq!(prove(&instance, "22", &cut), Ok(Some(22)));
    let without_cut = r#"[["closed", [["worth", [], 1]]]]"#;
    // Prices of nodes are paid once by all items: equal prices change nothing.
    for (price, other, closes) in [(7, 7, true), (-2, -2, true), (7, 8, false), (9, 7, false)] {
        let priced = four.replace("[]", &format!("[{price}, {other}]"));
        let nodes = format!("[[\"nodes\", {}], [", 4 * price * ONE);
        let proved = prove(&instance, "22", &format!("[{}]", priced.replacen("[[", &nodes, 1)));
        assert_eq!(proved.is_ok(), closes, "{price}, {other}: {proved:?}");
    }
    for prices in ["[7]", "[1, 2, 3]", "[0.5, 1]", "7", "[9223372036854775808, 1]"] {
        let priced = four.replace("[]", prices);
        assert!(prove(&instance, "22", &format!("[{priced}]")).is_err(), "{prices}");
    }
    let far = four.replace("[]", &format!("[{0}, {0}]", i64::MIN));
    let _ = prove(&instance, "22", &format!("[{far}]"));
    for (least, regions, why) in [
        ("23", format!("[{four}]"), "do not close it"),
        ("null", format!("[{four}]"), "do not close it"),
        ("22", format!(r#"[["closed", [["worth", [], {}]]]]"#, 3 * ONE), "do not close it"),
        ("22", format!(r#"[["closed", [["worth", [], {}]]]]"#, -4 * ONE), "do not close it"),
        ("22", without_cut.to_owned(), "do not close it"),
        (
            "22",
            cut.replace("\"elf\", 1", "\"elf\", 2"),
            "regions[1]: the multipliers do not close it",
        ),
        ("22", cut.replace("\"elf\"", "\"dwarf\""), "is never \"dwarf\""),
        (
            "22",
            format!("[{}]", four.replace("\"worth\", ", "\"worth\", 1, ")),
            "row `worth`: there is no such row",
        ),
        ("22", r#"[["closed", [["shared", 1]]]]"#.to_owned(), "row `shared`: there is no such row"),
        (
            "22",
            r#"[["closed", [["line", 0, 1]]]]"#.to_owned(),
            "row `line`: there is no such compared trait",
        ),
    ] {
        let told = prove(&instance, least, &regions).expect_err(&regions);
        assert!(told.contains(why), "{regions}: {told}");
    }
    // Where there is no lower bound, no matrix or no bound at all, there is no such row.
    for synergy in
        [format!("{ELVES}, \"at_most\": 3"), ELVES.to_owned(), "\"at_least\": 0.1".to_owned()]
    {
        let told = prove(&with(FOUR, &synergy), "22", &format!("[{four}]")).unwrap_err();
        assert!(told.contains("no least synergy by matrices"), "{told}");
    }
    // Values are counted where synergy depends on them, and only there.
    let cut = r#"[["count", "race", "elf", 1, []]]"#;
    for (synergy, why) in [
        (format!("{ELVES}, \"at_most\": 3"), "2 are left open"),
        (r#""places": {"race": {}}, "at_least": 0"#.to_owned(), "2 are left open"),
        (ELVES.to_owned(), "no trait \"race\" is counted"),
    ] {
        let told = prove(&with(FOUR, &synergy), "1", cut).unwrap_err();
        assert!(told.contains(why), "{synergy}: {told}");
    }
}

/// Elves on node a, with two links of 2 out and 1 in, have 8 from the only orc, 3 from another elf
/// and 10 from the node; on the other nodes they have at most 4. The orc has 8 everywhere. So 21 is
/// the maximum, with three elves 63.
#[test]
fn worth_is_exact() {
    let pool = r#""nodes": ["a", "b", "c"], "items": [{"race": "elf", "price": 1}, {"race": "elf", "price": 1},
        {"race": "elf", "price": 1}, {"race": "orc", "price": 1}]"#;
    let matrices = r#""flows": [[0, 2, 2], [1, 0, 0], [1, 0, 0]], "places": {"race": {"a": {"elf": 5}}},
        "affinity": {"race": {"elf": {"elf": 1, "orc": 4}, "orc": {"elf": 0, "orc": 9}}}"#;
    for (at_least, y, closed) in [
        ("31.5", -20, false),
        ("32", -20, true),
        ("31.5", -21, false),
        ("32", -21, true),
        ("31", -18, false),
    ] {
        let instance = with(pool, &format!("{matrices}, \"at_least\": {at_least}"));
        let regions = format!(r#"[["closed", [["worth", [], 1], ["nodes", {y}]]]]"#);
        let proved = prove(&instance, "null", &regions);
        assert_eq!(proved.is_ok(), closed, "{at_least}, {y}: {proved:?}");
    }
}

/// A low lower bound, or only an upper bound, is satisfied by a negative synergy.
#[test]
fn negative_synergy_is_enough() {
    let hate = r#""affinity": {"race": {"orc": {"orc": -3}}}"#;
    let team = r#"[["team", [2, 3], []], ["closed", []], ["closed", []]]"#;
    for bound in [r#""at_least": -3"#, r#""at_most": -1"#, r#""exactly": -3"#, r#""whole": 7"#] {
        let instance = with(FOUR, &format!("{hate}, {bound}"));
        assert_eq!(outcome(&instance, "2 3"), "", "{bound}");
        let told = prove(&instance, "4", team).expect_err(bound);
        assert!(told.contains("[2, 3] are a cheaper team"), "{bound}: {told}");
    }
    let instance = with(FOUR, &format!("{hate}, \"at_least\": -2.5"));
    // Not two orcs, then: an elf and an orc are the cheapest, and that is proved as well.
    assert_eq!(prove(&instance, "11", team), Ok(Some(11)));
    let told = prove(&instance, "12", team).unwrap_err();
    assert!(told.contains("do not close it"), "{told}");
}

/// A small generator of numbers (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as i64
    }

    fn around(&mut self, n: i64) -> i64 {
        self.below(2 * n + 1) - n
    }
}

/// A random instance: seven items of up to three races and two classes for four nodes.
fn random(dice: &mut Dice) -> String {
    let items: Vec<String> = (0..7)
        .map(|_| {
            let (race, class, price) = (dice.below(3), dice.below(2), 1 + dice.below(9));
            format!("[{race}, {class}, {price}]")
        })
        .collect();
    let mut flows = [[0; 4]; 4];
    for (a, b) in (0..16).map(|i| (i / 4, i % 4)).filter(|(a, b)| a != b) {
        if dice.below(3) > 0 {
            flows[a][b] = dice.around(2);
        }
    }
    let mut table = |rows: [&str; 3], columns: i64| {
        let mut entries = Vec::new();
        for row in rows.iter().filter(|row| !row.is_empty()) {
            let mut of_row = Vec::new();
            for column in 0..columns {
                if dice.below(3) > 0 {
                    of_row.push(format!("\"{column}\": {}", dice.around(4)));
                }
            }
            entries.push(format!("\"{row}\": {{{}}}", of_row.join(",")));
        }
        format!("{{{}}}", entries.join(","))
    };
    let (race, class) = (table(["0", "1", "2"], 3), table(["0", "1", ""], 2));
    let places = table(["a", "d", ""], 2);
    let bound = match dice.below(4) {
        0 => format!("\"at_most\": {}", dice.around(10)),
        1 => format!("\"at_least\": {}, \"at_most\": 12", dice.around(10)),
        _ => format!("\"at_least\": {}", dice.around(20)),
    };
    let whole = 1 + dice.below(2);
    let pool = format!(
        r#""nodes": ["a", "b", "c", "d"], "traits": ["race", "class"], "sizes": [3, 2], "numbers": [], "heroes": [{}]"#,
        items.join(",")
    );
    let synergy = format!(
        r#""flows": {flows:?}, "affinity": {{"race": {race}, "class": {class}}}, "places": {{"class": {places}}},
        "whole": {whole}, {bound}"#
    );
    with(&pool, &synergy)
}

/// All rows of four out of seven items.
fn teams() -> Vec<[usize; 4]> {
    let mut teams = Vec::new();
    for i in 0..7usize.pow(4) {
        let team = [i % 7, i / 7 % 7, i / 49 % 7, i / 343];
        let twice = (0..4).any(|a| (0..a).any(|b| team[a] == team[b]));
        if !twice {
            teams.push(team);
        }
    }
    teams
}

/// No certificate proves more than trying all teams: neither by the bounds of worth nor by placing
/// teams.
#[test]
fn nothing_false_is_proved() {
    let mut dice = Dice(88_172_645_463_325_252);
    let teams = teams();
    let (mut proved, mut refused, mut placed, mut misplaced) = (0, 0, 0, 0);
    for _ in 0..60 {
        let instance = random(&mut dice);
        let texts = teams.iter().map(|team| team.map(|item| item.to_string()).join(" "));
        let texts: Vec<String> = texts.collect();
        let verdicts = verify_all("party", &instance, texts.iter().map(String::as_str)).unwrap();
        let good = teams
            .iter()
            .zip(&verdicts)
            .filter_map(|(team, v)| Some((team, v.as_ref().ok()?.value)));
        let good: Vec<(&[usize; 4], i64)> = good.collect();
        let best = good.iter().map(|(_, price)| *price).min();
        // A price above the optimum must not be proved, whatever the multipliers.
        let has_least = instance.contains("at_least");
        for _ in 0..40 {
            if !has_least {
                break;
            }
            let (y, nodes) = (dice.below(3 * ONE), dice.around(12 * ONE));
            let prices: Vec<i64> = (0..4).map(|_| dice.around(6)).collect();
            let closed = format!(r#"["closed", [["worth", {prices:?}, {y}], ["nodes", {nodes}]]]"#);
            let (value, most) = (dice.below(3), dice.below(4));
            let cut = format!(r#"["count", "race", "{value}", {most}, []], {closed}, {closed}"#);
            for regions in [format!("[{closed}]"), format!("[{cut}]")] {
                let least = match best {
                    Some(best) => best + 1,
                    None => 1000,
                };
                let told = prove(&instance, &least.to_string(), &regions);
                match best {
                    Some(_) => assert!(told.is_err(), "{instance}: {regions}"),
                    None => proved += i64::from(told.is_ok()),
                }
                let told = prove(&instance, "null", &regions);
                assert!(told.is_err() || best.is_none(), "{instance}: {regions}");
                if let Some(best) = best {
                    let told = prove(&instance, &(best - 3).to_string(), &regions);
                    match told {
                        Ok(_) => proved += 1,
                        Err(_) => refused += 1,
                    }
                }
            }
        }
        // Some placement of four items is a team, or none is.
        for team in teams.iter().filter(|team| team.is_sorted()) {
            let told =
                prove(&instance, "null", &format!("[[\"team\", {team:?}, []]]")).unwrap_err();
            if told.contains("the region has no item") {
                continue;
            }
            let is_team = good.iter().any(|(other, _)| {
                let mut other = **other;
                other.sort_unstable();
                other == *team
            });
            assert_eq!(
                told.contains("are a cheaper team"),
                is_team,
                "{instance}: {team:?}, {told}"
            );
            match is_team {
                true => placed += 1,
                false => misplaced += 1,
            }
        }
    }
    let counts = [proved, refused, placed, misplaced];
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}
