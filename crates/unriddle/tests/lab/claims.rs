//! Claims: verdicts, reasons for missing verdicts, and errors in their declarations.

use std::path::{Path, PathBuf};
use unriddle::lab::{
    Experiment, Judged, LabError, Plan, Row, Verdict, claims, report::Method, report::tables,
    row::Status,
};

const GOOD: &str = r#"
title = "T"

[values]
two = "two"

[[suite]]
name = "a"
puzzle = "tiles"
generator = "uniform(3)"
count = 20
subset = 10

[[solver]]
name = "one"
spec = "astar(manhattan)"

[[solver]]
name = "two"
spec = "idastar(manhattan)"

[classes]
solver = "one"
attribute = "value"
quantiles = [0.5]
names = ["short", "long"]

[[claim]]
text = "C."
"#;

/// A path beside the committed experiments, so that the published figures are found.
fn place() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/test.toml")
}

fn read(text: &str) -> Result<Experiment, LabError> {
    Experiment::parse(&place(), text, &unriddle::registry())
}

fn plan(test: &str) -> Plan {
    let text = format!("{GOOD}[[claim.test]]\n{test}\n");
    let experiment = read(&text).unwrap_or_else(|error| panic!("{test}: {error}"));
    Plan::load(experiment, None).unwrap_or_else(|error| panic!("{error}"))
}

/// Every instance is solved by both solvers. The values of the first solver are 1 to 20, and the
/// second has one less on every other instance. The first expands 100 states, the second 10 to 200.
fn run(plan: &Plan) -> Vec<Row> {
    let solved = |task| {
        let mut row = plan.row(task);
        let i = task.instance as i64 + 1;
        row.status = Status::Solved;
        row.checked = Some(true);
        row.value = Some(if task.solver == 0 { i } else { i - i % 2 });
        row.expanded = Some(if task.solver == 0 { 100 } else { 10 * i as u64 });
        row
    };
    plan.tasks.iter().map(solved).collect()
}

/// The verdict on a test by runs that are changed, or dropped.
fn judged(test: &str, keep: impl Fn(&mut Row, usize) -> bool) -> Judged {
    let plan = plan(test);
    let mut rows = Vec::new();
    for (mut row, task) in run(&plan).into_iter().zip(&plan.tasks) {
        if keep(&mut row, task.instance) {
            rows.push(row);
        }
    }
    claims(&plan, &rows).remove(0)
}

fn all(test: &str) -> Judged {
    judged(test, |_, _| true)
}

#[track_caller]
fn is(judged: &Judged, verdict: Verdict, why: &str) {
    let test = &judged.tests[0];
    assert_eq!(judged.verdict, verdict, "{test:?}");
    assert!(test.why.as_deref().unwrap_or_default().contains(why), "{test:?}");
}

const FEWER: &str =
    "solver = \"two\"\nattribute = \"value\"\nbaseline = \"one\"\nis = \"less than\"";

#[test]
fn an_interval_confirms_refutes_or_leaves_open() {
    let found = all(FEWER);
    is(&found, Verdict::Confirmed, "");
    let estimate = found.tests[0].estimate.as_ref().expect("an estimate");
    // Half of the differences are −1, the others 0: a deviation of √(5/19), and t(0.975; 19) =
    // 2.093024.
    let half = 2.093_024 * (5.0f64 / 19.0 / 20.0).sqrt();
    let (low, high) = estimate.interval.expect("an interval");
    assert_eq!((estimate.n, estimate.value, estimate.method), (20, -0.5, Method::Student));
    assert!((low + 0.5 + half).abs() < 1e-6 && (high + 0.5 - half).abs() < 1e-6, "{low} {high}");

    is(&all(&FEWER.replace("less", "more")), Verdict::Refuted, "");
    let open = format!("{FEWER}\nvalue = -0.6");
    is(&all(&open), Verdict::Undecided, "leaves both open");
    // Surer, less is decided.
    let surer = format!("{FEWER}\nvalue = -0.2\nconfidence = ");
    is(&all(&format!("{surer}95")), Verdict::Confirmed, "");
    is(&all(&format!("{surer}99.9")), Verdict::Undecided, "");
    // All tests must hold.
    let both = format!("{FEWER}\n[[claim.test]]\n{}", FEWER.replace("less", "more"));
    is(&all(&both), Verdict::Refuted, "");
}

#[test]
fn shares_medians_and_ratios_have_intervals_of_their_own() {
    let interval = |test: &str| {
        let found = all(test);
        let estimate = found.tests[0].estimate.clone().expect("an estimate");
        (estimate.value, estimate.interval, estimate.method)
    };
    let near = |found: (f64, Option<(f64, f64)>, Method), value: f64, ends: (f64, f64), method| {
        let (low, high) = found.1.expect("an interval");
        assert!((found.0 - value).abs() < 1e-9, "{found:?}");
        assert!((low - ends.0).abs() < 1e-4 && (high - ends.1).abs() < 1e-4, "{found:?}");
        assert_eq!(found.2, method);
    };
    let pairs = "solver = \"two\"\nattribute = \"value\"\nbaseline = \"one\"\nis = \"at least\"\n";
    // Wilson of 10 of 20.
    let equal = interval(&format!("{pairs}as = \"equal\"\nvalue = \"50 %\""));
    near(equal, 0.5, (0.299_3, 0.700_7), Method::Wilson);
    let better = interval(&format!("{pairs}as = \"better\"\nvalue = 50"));
    near(better, 0.5, (0.299_3, 0.700_7), Method::Wilson);
    // Ranks 6 and 15 of 20.
    let median = "solver = \"one\"\nattribute = \"value\"\nstatistic = \"median\"\nis = \"at least\"\nvalue = 3";
    near(interval(median), 10.5, (6.0, 15.0), Method::OrderStatistics);
    // 200 of 210.
    let (ratio, ends, method) = interval(&format!("{pairs}as = \"ratio\""));
    let (low, high) = ends.expect("an interval");
    assert!((ratio - 200.0 / 210.0).abs() < 1e-9 && method == Method::Bootstrap);
    assert!(0.9 < low && low < ratio && ratio < high && high < 1.0, "{low} {high}");
    let (reduction, ends, _) = interval(&format!("{pairs}as = \"reduction\""));
    let (less, more) = ends.expect("an interval");
    assert!((reduction + ratio - 1.0).abs() < 1e-12);
    assert!((less + high - 1.0).abs() < 2e-3 && (more + low - 1.0).abs() < 2e-3);
    // Two solvers that solve the same: no difference, and still an interval.
    let solved = pairs.replace("value", "solved");
    let (difference, ends, method) = interval(&solved);
    let (low, high) = ends.expect("an interval");
    assert_eq!((difference, method), (0.0, Method::PairedShares));
    assert!(low < -0.05 && high > 0.05, "{low} {high}");
}

#[test]
fn missing_measurements_are_reported() {
    let without_two = judged(FEWER, |row, _| row.solver.starts_with("astar"));
    is(&without_two, Verdict::Undecided, "`two` has no runs on suite `a`");
    let without_one = judged(FEWER, |row, _| !row.solver.starts_with("astar"));
    is(&without_one, Verdict::Undecided, "`one` has no runs on suite `a`");
    assert!(without_one.tests[0].estimate.is_none());
    let estimates = FEWER.replace("value", "initial_h");
    is(&all(&estimates), Verdict::Undecided, "none of 20 runs of `two` has `initial_h`");
    let apart = judged(FEWER, |row, i| {
        row.value = row.value.filter(|_| (i < 10) == row.solver.starts_with("astar"));
        row.checked = row.value.map(|_| true);
        true
    });
    is(&apart, Verdict::Undecided, "no instance for which both sides have `value`");
    let alone = "solver = \"two\"\nattribute = \"value\"\nis = \"at most\"\nvalue = 30";
    let one = judged(alone, |_, i| i == 0);
    is(&one, Verdict::Undecided, "one instance gives no interval");
    let class = format!("{alone}\nclass = \"short\"");
    is(&all(&class), Verdict::Confirmed, "");
    let undivided = judged(&class, |row, _| !row.solver.starts_with("astar"));
    is(&undivided, Verdict::Undecided, "classes are decided by runs of `one`");
    let same = judged(alone, |row, _| {
        row.value = Some(7);
        true
    });
    is(&same, Verdict::Undecided, "all 20 values are the same");

    let plan = Plan::load(
        read(&format!("{GOOD}missing = \"no scales\"\n")).unwrap_or_else(|e| panic!("{e}")),
        None,
    )
    .unwrap_or_else(|error| panic!("{error}"));
    let found = claims(&plan, &run(&plan)).remove(0);
    assert_eq!((found.verdict, found.missing.as_deref()), (Verdict::Undecided, Some("no scales")));
}

#[test]
fn a_set_is_decided_by_all_of_it() {
    let set =
        "solver = \"one\"\nattribute = \"value\"\nis = \"at most\"\nvalue = 10.5\nof = \"set\"";
    let found = all(set);
    is(&found, Verdict::Confirmed, "");
    let estimate = found.tests[0].estimate.as_ref().expect("an estimate");
    assert_eq!((estimate.interval, estimate.method), (None, Method::Exact));
    is(&judged(set, |_, i| i < 10), Verdict::Undecided, "the first 10 of 20 instances");
    is(&judged(set, |_, i| i < 3), Verdict::Undecided, "3 of 20 instances so far");
    // Missing runs of other solvers do not matter.
    let others_left = judged(set, |row, i| row.solver.starts_with("astar") || i < 3);
    is(&others_left, Verdict::Confirmed, "");
    let behind = judged(set, |row, i| row.solver.starts_with("idastar") || i < 3);
    is(&behind, Verdict::Undecided, "all 20 instances so far, not by every solver");
    is(&all(&set.replace("10.5", "10.4")), Verdict::Refuted, "");

    // A sum is of a set, and of nothing less.
    let sum = set.replace("\nof = \"set\"", "\nstatistic = \"sum\"").replace("10.5", "210");
    is(&all(&sum), Verdict::Confirmed, "");
    is(&judged(&sum, |_, i| i < 10), Verdict::Undecided, "the first 10 of 20 instances");
    let unsolved = judged(&sum, |row, i| {
        if i < 2 {
            (row.status, row.value, row.checked) = (Status::Stopped, None, None);
        }
        true
    });
    is(&unsolved, Verdict::Undecided, "2 of 20 runs have no value");
    // All of them are there and equal: as a set that is an answer.
    let equal = judged(set, |row, _| {
        row.value = Some(7);
        true
    });
    is(&equal, Verdict::Confirmed, "");
}

#[test]
fn runs_that_a_limit_ended_are_bounds() {
    let limited = |test: &str, solver: &str| {
        judged(test, |row, i| {
            if i < 2 && row.solver.starts_with(solver) {
                (row.status, row.value, row.checked) = (Status::Stopped, None, None);
                row.stopped_by = Some("time".to_owned());
            }
            true
        })
    };
    let states = FEWER.replace("value", "expanded");
    // The second expands 105 states on average, or more: that it is below 0 can no longer be
    // confirmed.
    is(&limited(&states, "idastar"), Verdict::Undecided, "limits ended runs");
    let low = format!("{states}\nvalue = -60");
    is(&limited(&low, "idastar"), Verdict::Refuted, "");
    is(&limited(&format!("{states}\nvalue = 60"), "astar"), Verdict::Confirmed, "");
    is(&limited(&states, ""), Verdict::Undecided, "of both sides");
}

#[test]
fn the_report_shows_claims_near_its_head() {
    let plan = plan(FEWER);
    let rows = run(&plan);
    let text = tables(&plan, &rows, 0);
    let first = text.lines().find(|line| line.starts_with("## "));
    assert_eq!(first, Some("## Claims"));
    assert!(text.contains("1. **Confirmed.** *Claim (our expectation):* C.\n"), "{text}");
    assert!(text.contains("a: value of two minus value of one is less than 0"), "{text}");
    let quick = read(&format!("{GOOD}[[claim.test]]\n{FEWER}\n")).map(Experiment::quick);
    let quick = Plan::load(quick.unwrap_or_else(|e| panic!("{e}")), None);
    let quick = quick.unwrap_or_else(|error| panic!("{error}"));
    let found = claims(&quick, &run(&quick)).remove(0);
    is(&found, Verdict::Undecided, "quick form");
}

/// The refusal of a claim's test: line of the test, column, message.
fn refused(test: &str) -> (usize, usize, String) {
    let text = format!("{GOOD}[[claim.test]]\n{test}\n");
    let before = GOOD.lines().count() + 1;
    match read(&text) {
        Err(LabError::Text { line, column, message, .. }) => {
            (line.saturating_sub(before), column, message)
        }
        Err(other) => panic!("{test}: {other}"),
        Ok(_) => panic!("{test}: accepted"),
    }
}

#[test]
fn errors_in_a_test_have_their_position() {
    let good = "solver = \"two\"\nattribute = \"value\"\nis = \"at most\"\nvalue = 3";
    let with = |from: &str, to: &str| refused(&good.replace(from, to));
    for (found, place, part) in [
        (with("two", "tow"), (1, 10), "unknown solver `tow`; did you mean `two`?"),
        (with("\"value\"", "\"valeu\""), (2, 13), "did you mean `value`?"),
        (with("at most", "at mots"), (3, 6), "unknown relation `at mots`; did you mean `at most`?"),
        (with("value = 3", "value = \"3 %\""), (4, 9), "without a unit"),
        (with("value = 3", "value = \"x\""), (4, 9), "expected a number"),
        (with("value = 3", "valeu = 3"), (4, 1), "valeu"),
        (with("\nvalue = 3", ""), (0, 1), "`value`, `key`"),
        (with("value = 3", "key = \"cahlik2019/section-4.3/lenght\""), (4, 7), "did you mean"),
        (with("value = 3", "key = \"elyasaf2011/table-2/hsdh/solved\""), (4, 7), "in %"),
        (with("value = 3", "value = 3\nby = \"5 %\""), (5, 6), "within"),
        (with("at most", "within"), (3, 6), "`by`"),
        (with("value = 3", "value = 3\nas = \"ratio\""), (5, 6), "`baseline` or `column`"),
        (with("value = 3", "baseline = \"one\"\nas = \"raito\""), (5, 6), "did you mean `ratio`?"),
        (with("value = 3", "baseline = \"two\""), (4, 12), "its own"),
        (with("value = 3", "column = \"x\""), (4, 10), "`reference`"),
        (with("value = 3", "value = 3\nclass = \"shrot\""), (5, 9), "did you mean `short`?"),
        (with("value = 3", "value = 3\nsuite = \"b\""), (5, 9), "unknown suite `b`"),
        (with("value = 3", "value = 3\nof = \"sets\""), (5, 6), "did you mean `set`?"),
        (
            with("value = 3", "value = 3\nstatistic = \"sum\"\nof = \"sample\""),
            (6, 6),
            "no interval",
        ),
        (with("value = 3", "value = 3\nconfidence = 100.0"), (5, 14), "below 100"),
        (with("value = 3", "value = 3\neach = { s = [] }"), (5, 14), "at least one"),
        (
            with("value = 3", "value = 3\neach = { s = [1] }"),
            (5, 14),
            "nothing in the test uses {s}",
        ),
        (with("\"two\"", "\"{s}\"").clone(), (1, 10), "unknown solver `{s}`"),
    ] {
        assert!(found.2.contains(part), "{part}: {found:?}");
        assert_eq!((found.0, found.1), place, "{found:?}");
    }
    // Names are replaced by their values and choices.
    let each = good.replace("\"two\"", "\"{s}\"") + "\neach = { s = [\"one\", \"two\"] }";
    assert_eq!(all(&each).tests.len(), 2);
    assert_eq!(all(&good.replace("\"two\"", "\"{two}\"")).tests.len(), 1);
}

#[test]
fn errors_in_a_claim_have_their_position() {
    let refused = |text: &str| match read(text) {
        Err(LabError::Text { line, message, .. }) => (line, message),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("accepted: {text}"),
    };
    let last = GOOD.lines().count();
    let (line, message) = refused(GOOD);
    assert!(line == last - 1 && message.contains("`missing`"), "{line} {message}");
    let (_, message) = refused(&GOOD.replace("[[claim]]\ntext = \"C.\"\n", ""));
    assert!(message.contains("there is no [[claim]]"), "{message}");
    let (line, message) = refused(&GOOD.replace("\"C.\"", "\" \"\nmissing = \"x\""));
    assert!(line == last && message.contains("is empty"), "{line} {message}");
    let (line, message) =
        refused(&format!("{GOOD}source = \"schad2012\"\nplace = \"p\"\nmissing = \"x\"\n"));
    assert!(line == last + 1 && message.contains("did you mean `schadd2012`?"), "{message}");
    let (_, message) = refused(&format!("{GOOD}source = \"schadd2012\"\nmissing = \"x\"\n"));
    assert!(message.contains("without `place`"), "{message}");
    let (_, message) = refused(&format!("{GOOD}place = \"p\"\nmissing = \"x\"\n"));
    assert!(message.contains("without `source`"), "{message}");
    // Files of the time before claims.
    let (line, message) =
        refused(&GOOD.replace("title = \"T\"", "title = \"T\"\nhypothesis = \"H.\""));
    assert!(line == 3 && message.contains("`hypothesis` has become `[[claim]]`"), "{message}");
    let (line, message) = refused("base = \"tiny.toml\"\nhypothesis = \"H.\"\n");
    assert!(line == 2 && message.contains("`[[claim]]`"), "{message}");
}

/// Instances between the values have no class, and invalid values are rejected with a reason.
#[test]
fn classes_are_near_values() {
    let near = |what: &str| GOOD.replace("quantiles = [0.5]", what);
    // Among the values 1 to 20, 4 and 5 are within a quarter of 4, and 12 to 20 within a quarter of
    // 16.
    let text = near("near = [4, 16]\nwithin = \"25 %\"");
    let test =
        "solver = \"one\"\nattribute = \"value\"\nclass = \"long\"\nis = \"at least\"\nvalue = 3";
    let experiment = read(&format!("{text}[[claim.test]]\n{test}\n")).expect("an experiment");
    let plan = Plan::load(experiment, None).expect("a plan");
    let judged = claims(&plan, &run(&plan)).remove(0);
    let estimate = judged.tests[0].estimate.as_ref().expect("an estimate");
    assert_eq!((estimate.n, estimate.value), (8, 16.5));
    for (what, why) in [
        ("near = [4, 5]\nwithin = \"25 %\"", "so far from each other"),
        ("near = [0, 5]\nwithin = \"25 %\"", "above 0"),
        ("near = [4, 16]\nwithin = \"200 %\"", "between 0 % and 100 %"),
        ("near = [4, 16]", "`quantiles`, or by `near` and `within`"),
        ("near = [4, 16, 90]\nwithin = \"25 %\"", "expected 3 names"),
    ] {
        let text = near(what);
        let told = read(&format!("{text}[[claim.test]]\n{test}\n"));
        let told = told.err().map(|e| e.to_string()).unwrap_or_default();
        assert!(told.contains(why), "{what}: {told}");
    }
}
