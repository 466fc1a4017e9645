//! Reports of made-up runs: counted runs, marks, and the order of sections.

use std::{collections::HashMap, path::PathBuf};
use unriddle::catalog::{Device, input::Named};
use unriddle::lab::{
    Experiment, Plan, Row,
    attribute::Attribute,
    experiment::{
        Against, Bound, Claim, Classes, ClassesBy, Compare, Decision, Engine, Limits, Origin,
        Pairing, PlotKind, PlotSpec, Population, Published, Quick, Relation, Solver, Source, Suite,
        TableKind, TableSpec, Test,
    },
    plan::{LoadedSuite, Task},
    references::{self, Figure},
    report::{report, tables},
    row::{Failure, Incumbent, Key, Status},
};

fn attribute(name: &str) -> Attribute {
    Attribute::find(name).expect("an attribute")
}

fn solver(name: &str, suites: Vec<usize>, grid: Option<(&str, &[(&str, &str)])>) -> Solver {
    let own = |(p, v): &(&str, &str)| ((*p).to_owned(), (*v).to_owned());
    Solver {
        name: name.to_owned(),
        engine: Engine::Spec("astar".to_owned()),
        suites,
        limits: Limits {
            time: Some(std::time::Duration::from_secs(30)),
            memory: Some(4 << 30),
            ..Limits::default()
        },
        is_optimum: name == "A*",
        grid: grid.map(|(name, values)| (name.to_owned(), values.iter().map(own).collect())),
    }
}

fn suite(name: &str, instances: usize) -> (Suite, LoadedSuite) {
    let (family, puzzle) = unriddle::registry().puzzle("tiles").expect("tiles");
    let text = "1 2 3 4 5 6 7 8 0";
    let named = |i: usize| {
        let instance = puzzle.load(text).expect("an instance");
        Named::new(format!("i{i}"), instance)
    };
    let suite = Suite {
        name: name.to_owned(),
        puzzle: "tiles".to_owned(),
        source: Source::Deals(1, instances as u64),
        mirrored: false,
        subset: instances / 2,
        quick: None,
        origin: None,
        reference: None,
        optimum: None,
    };
    let column = (0..instances).map(|i| Some(20.0 + (i % 5) as f64)).collect();
    let loaded = LoadedSuite {
        name: name.to_owned(),
        puzzle: "tiles".to_owned(),
        unit: "moves",
        instances: (0..instances).map(named).collect(),
        texts: vec![text.to_owned(); instances],
        reference: HashMap::from([("moves".to_owned(), column)]),
        optimum: vec![None; instances],
        family,
    };
    (suite, loaded)
}

fn plot(kind: PlotKind, name: &str, solvers: &[usize]) -> PlotSpec {
    PlotSpec {
        kind,
        title: format!("{kind:?} of {name}"),
        attribute: attribute(name),
        x: Some(attribute("expanded")),
        solvers: solvers.to_vec(),
        suites: vec![0],
        published: Some("Figure 3 of Nobody 1999".to_owned()),
        bin: None,
        until: None,
    }
}

fn nobody() -> references::Source {
    references::Source {
        authors: "Nobody".to_owned(),
        year: 1999,
        title: "Nothing".to_owned(),
        place: "Nowhere".to_owned(),
    }
}

/// A test of the second solver on the first suite, paired with the first.
fn claim_test(name: &str, pairing: Pairing, relation: Relation, number: f64) -> Test {
    Test {
        suite: 0,
        solver: 1,
        attribute: attribute(name),
        class: None,
        against: Some(Against::Solver(0)),
        pairing,
        relation,
        bound: Bound { number, figure: None },
        confidence: 0.95,
        population: Population::Sample,
    }
}

/// A claim with each verdict, and a claim that cannot be tested.
fn made_up_claims() -> Vec<Claim> {
    let claim = |text: &str, decided_by| Claim { text: text.to_owned(), origin: None, decided_by };
    let tests = |tests: &[Test]| Decision::Tests(tests.to_vec());
    let fewer = claim_test("generated", Pairing::Difference, Relation::LessThan, 0.0);
    let equal = claim_test("value", Pairing::Equal, Relation::AtLeast, 1.0);
    let third = claim_test("value", Pairing::Better, Relation::Within(0.5), 0.3);
    let alone = Test {
        against: None,
        class: Some(0),
        bound: Bound { number: 22.0, figure: None },
        ..claim_test("value", Pairing::Difference, Relation::AtMost, 0.0)
    };
    vec![
        Claim {
            origin: Some(Origin {
                key: "nobody1999".to_owned(),
                source: nobody(),
                place: "Section | 2".to_owned(),
            }),
            ..claim("Greed is as good as A*", tests(&[equal, alone.clone()]))
        },
        claim("Short games are short.", tests(&[alone])),
        claim("Greed saves states.", tests(&[fewer, third])),
        claim("Greed is *wise*", Decision::Missing("wisdom has no unit".to_owned())),
    ]
}

/// Two suites, two solvers and a grid of four.
fn plan(instances: usize) -> Plan {
    let (first, first_loaded) = suite("easy", instances);
    let (second, second_loaded) = suite("hard", instances);
    let mut solvers =
        vec![solver("A*", vec![0, 1], None), solver("greedy | <b>", vec![0, 1], None)];
    for weight in ["1.5", "3"] {
        for h in ["md", "lc"] {
            let grid = ("wA*", &[("h", h), ("w", weight)][..]);
            solvers.push(solver(&format!("wA* {h} {weight}"), vec![0], Some(grid)));
        }
    }
    let all: Vec<usize> = (0..solvers.len()).collect();
    let experiment = Experiment {
        name: "made-up".to_owned(),
        path: PathBuf::from("experiments/made-up.toml"),
        title: "A* on <made-up> runs".to_owned(),
        claims: made_up_claims(),
        scale: Some("a tenth of *nothing*".to_owned()),
        notes: vec!["A note about *definitions*.".to_owned()],
        suites: vec![first, second],
        solvers,
        seeds: vec![1, 2],
        threads: 1,
        device: Device::Cpu,
        attributes: ["solved", "value", "excess", "expanded", "cpu_s", "peak_accounted"]
            .map(attribute)
            .to_vec(),
        classes: Some(Classes {
            solver: 0,
            attribute: attribute("value"),
            by: ClassesBy::Quantiles(vec![0.5]),
            names: vec!["short".to_owned(), "long".to_owned()],
        }),
        tables: vec![
            TableSpec {
                kind: TableKind::Classes { solvers: vec![0, 1] },
                attribute: attribute("expanded"),
                suites: vec![0, 1],
            },
            TableSpec {
                kind: TableKind::Grid {
                    solver: None,
                    rows: "h".to_owned(),
                    columns: "w".to_owned(),
                },
                attribute: attribute("value"),
                suites: vec![0],
            },
            TableSpec {
                kind: TableKind::Paired { baseline: 0, solvers: all.clone() },
                attribute: attribute("expanded"),
                suites: vec![0],
            },
        ],
        plots: vec![
            plot(PlotKind::Histogram, "value", &all),
            plot(PlotKind::Histogram, "expanded", &all),
            plot(PlotKind::Scatter, "expanded", &[0, 1]),
            plot(PlotKind::Coverage, "proved", &all),
            plot(PlotKind::Coverage, "solved", &all),
            plot(PlotKind::Anytime, "value", &all),
            plot(PlotKind::Box, "cpu_s", &all),
            plot(PlotKind::Frontier, "value", &all),
            PlotSpec { suites: vec![0, 1], ..plot(PlotKind::Curves, "value", &all[2..]) },
        ],
        compare: vec![
            Compare {
                suite: 0,
                solver: 0,
                attribute: attribute("expanded"),
                class: Some(0),
                published: Published::Figure(Figure {
                    key: "nobody1999/x".to_owned(),
                    value: 4791.0,
                    unit: "states".to_owned(),
                    place: "Table 1".to_owned(),
                    what: "expanded".to_owned(),
                    source: nobody(),
                }),
                note: Some("Theirs counts | otherwise.".to_owned()),
            },
            Compare {
                suite: 0,
                solver: 0,
                attribute: attribute("value"),
                class: None,
                published: Published::Column("moves".to_owned()),
                note: None,
            },
        ],
        quick: Quick::default(),
        is_quick: false,
        registry: unriddle::registry(),
    };
    let suites = vec![first_loaded, second_loaded];
    let mut tasks = Vec::new();
    for (s, suite) in suites.iter().enumerate() {
        for instance in 0..suite.instances.len() {
            for (solver, declared) in experiment.solvers.iter().enumerate() {
                for &seed in experiment.seeds.iter().filter(|_| declared.suites.contains(&s)) {
                    tasks.push(Task {
                        suite: s,
                        instance,
                        solver,
                        seed,
                        key: Key(tasks.len() as u128 + 7),
                    });
                }
            }
        }
    }
    Plan {
        peers: vec![None; experiment.solvers.len()],
        networks: HashMap::new(),
        experiment,
        suites,
        tasks,
    }
}

/// The run of a task: solvers expand ever fewer states; every tenth instance ends at the time limit
/// with all but A*.
fn row(plan: &Plan, task: &Task) -> Row {
    let optimum = 20 + (task.instance % 5) as i64;
    let mix = (task.instance as u64 * 7919 + task.seed * 104_729 + task.solver as u64 * 31) % 97;
    let stopped = task.instance % 10 == 9 && task.solver > 0;
    let expanded = (1000 * (1 + task.instance as u64 % 13) + 10 * mix) / (1 + task.solver as u64);
    let value = optimum + if task.solver == 0 { 0 } else { (mix % 3) as i64 * 2 };
    let cpu_s = expanded as f64 / 1e5;
    let incumbent = |(part, worse): (f64, i64)| Incumbent {
        cpu_s: cpu_s * part,
        expanded: (expanded as f64 * part) as u64,
        value: value + worse,
    };
    Row {
        experiment: plan.experiment.name.clone(),
        suite: plan.suites[task.suite].name.clone(),
        id: plan.suites[task.suite].instances[task.instance].id.clone(),
        solver: plan.experiment.solvers[task.solver].name.clone(),
        networks: match task.solver {
            1 => Some("tiles15 00ff, tiles8 11ee".to_owned()),
            2 => Some("tiles8 11ee".to_owned()),
            _ => None,
        },
        seed: task.seed,
        key: task.key,
        revision: "0123456789abcdef0123".to_owned(),
        dirty: task.instance == 0,
        version: "0.1.0".to_owned(),
        machine: "a machine".to_owned(),
        status: match task.solver {
            _ if stopped => Status::Stopped,
            0 => Status::Optimal,
            _ => Status::Solved,
        },
        stopped_by: stopped.then(|| "time".to_owned()),
        value: (!stopped).then_some(value),
        checked: (!stopped).then_some(true),
        expanded: Some(expanded),
        generated: Some(expanded * 2),
        cpu_s: Some(cpu_s),
        peak_accounted_bytes: Some(expanded * 100),
        incumbents: match stopped {
            true => Vec::new(),
            false => [(0.1, 8), (0.4, 2), (1.0, 0)].map(incumbent).to_vec(),
        },
        ..Row::default()
    }
}

fn rows(plan: &Plan) -> Vec<Row> {
    plan.tasks.iter().map(|task| row(plan, task)).collect()
}

/// Lines of a text that contain all parts.
fn has_line(text: &str, parts: &[&str]) -> bool {
    text.lines().any(|l| parts.iter().all(|part| l.contains(part)))
}

#[test]
fn the_report_is_as_recorded() {
    let plan = plan(20);
    let report = report(&plan, &rows(&plan), 3).expect("a report");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/report.md");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &report.markdown).expect("written");
        let folder = std::env::temp_dir().join("unriddle-report");
        report.write(&folder).expect("written");
    }
    let recorded = std::fs::read_to_string(&path).expect("a golden file");
    assert!(
        recorded == report.markdown,
        "{} differs; if it should, set UPDATE_GOLDEN=1, run this test again and commit the file:\n{}",
        path.display(),
        report.markdown
    );
}

#[test]
fn the_order_of_rows_does_not_matter() {
    let plan = plan(20);
    let mut all = rows(&plan);
    let straight = report(&plan, &all, 0).expect("a report");
    all.reverse();
    all.swap(3, 90);
    assert!(straight == report(&plan, &all, 0).expect("a report"));
    assert_eq!(straight.figures.len(), 9);
    for (name, svg) in &straight.figures {
        let document = roxmltree::Document::parse(svg).expect(name);
        assert_eq!(document.root_element().tag_name().name(), "svg");
    }
    assert!(!straight.html.contains("<script") && !straight.html.contains("<b>"));
    assert_eq!(straight.html.matches("<svg").count(), 9);
}

#[test]
fn suites_count_as_far_as_they_are_done() {
    let plan = plan(20);
    let all = rows(&plan);
    let half = |suite: usize, limit: usize| -> Vec<Row> {
        let tasks = plan.tasks.iter().zip(&all);
        let kept = tasks.filter(|(t, _)| t.suite != suite || t.instance < limit);
        kept.map(|(_, row)| row.clone()).collect()
    };
    let text = |rows: &[Row]| tables(&plan, rows, 0);
    assert!(has_line(&text(&all), &["- Suite easy", "all 20 instances"]));
    let subset = text(&half(0, 13));
    let words = "the first 10 of 20 instances, until the others are done";
    assert!(has_line(&subset, &["- Suite easy", words]), "{subset}");
    assert!(has_line(&subset, &["- Suite hard", "all 20 instances"]));
    // Ten instances with two seeds, not thirteen.
    let easy = subset.split("## easy").nth(1).expect("a section");
    assert!(has_line(easy, &["| A\\*", " 20 |", "(20 of 20)"]), "{easy}");
    let partial = text(&half(0, 7));
    assert!(has_line(&partial, &["- Suite easy", "7 of 20 instances so far"]));
    let none = text(&half(0, 0));
    assert!(has_line(&none, &["- Suite easy", "no run yet on 20 instances"]));
    assert!(has_line(&none, &["no run yet", "Nobody 1999"]), "{none}");
    // Without any run there is a report all the same.
    assert!(report(&plan, &[], 0).expect("a report").figures.is_empty());
}

#[test]
fn unexplained_failures_are_the_first_section() {
    let plan = plan(20);
    let mut all = rows(&plan);
    assert!(!tables(&plan, &all, 0).contains("## Unexplained"));
    for row in all.iter_mut().take(23) {
        row.status = Status::Failed;
        row.failure = Some(Failure::Crashed);
        row.reason = Some("signal 11 | <i>".to_owned());
    }
    all[30].checked = Some(false);
    all[40].key = Key(1);
    let text = tables(&plan, &all, 2);
    let first = text.lines().find(|line| line.starts_with("## "));
    assert_eq!(first, Some("## Unexplained"));
    assert!(has_line(&text, &["crashed", "signal 11 \\| \\<i\\>"]));
    assert!(text.contains("… and 4 more."), "{text}");
    assert!(text.contains("3 runs of other instances"));
}

#[test]
fn bounds_and_smaller_sets_are_marked() {
    let plan = plan(20);
    let text = tables(&plan, &rows(&plan), 0);
    let easy = text.split("## easy").nth(1).expect("a section");
    // 4 of 40 runs ended at the time limit: effort is a lower bound, values are over the others.
    assert!(has_line(easy, &["greedy \\| \\<b\\>", "≥ ", "(n = 36)\\*", " 4 time |"]), "{easy}");
    assert!(has_line(easy, &["| A\\* ", "**100.0 % (40 of 40)**"]), "{easy}");
    // Values are comparable over the runs that all solvers have.
    assert!(has_line(easy, &["value (moves), n = 36"]));
    let shared = easy.split("The same over the runs").nth(1).expect("shared");
    assert!(has_line(shared, &["| A\\* ", "**"]), "{shared}");
    // 18 instances with pairs; four runs left out.
    let paired = text.split("paired\n").nth(1).expect("paired");
    assert!(has_line(paired, &["greedy", " 18 |", "yes", " 4 |"]), "{paired}");
    assert!(has_line(&text, &["| short", "≤ 22"]), "{text}");
    // Our values equal the values of the column.
    assert!(has_line(&text, &["mean of column moves", "22 moves", " 1 |"]));
}

/// An optimum in single moves does not apply to a value in another measure.
#[test]
fn values_of_two_measures_do_not_compare() {
    let plan = plan(20);
    let mut all = rows(&plan);
    for row in &mut all {
        row.measure = Some("m0".to_owned());
    }
    let same = tables(&plan, &all, 0);
    assert!(same == tables(&plan, &rows(&plan), 0));
    for row in all.iter_mut().filter(|row| row.solver != "A*") {
        row.measure = Some("m1".to_owned());
    }
    assert!(same != tables(&plan, &all, 0));
}

#[test]
fn files_are_written() {
    let plan = plan(4);
    let report = report(&plan, &rows(&plan), 0).expect("a report");
    let folder = tempfile::tempdir().expect("a folder");
    let files = report.write(&folder.path().join("new")).expect("written");
    assert_eq!(files.len(), 2 + report.figures.len());
    assert!(files.iter().all(|file| file.is_file()));
    let beside = std::fs::read_dir(folder.path().join("new")).expect("listed");
    assert_eq!(beside.count(), 3);
    // A file is no folder.
    assert!(report.write(&files[0]).is_err());
}

#[test]
fn odd_runs_do_no_harm() {
    let mut plan = plan(6);
    plan.experiment.title = "\u{1}a\nb".to_owned();
    for (i, solver) in plan.experiment.solvers.iter_mut().enumerate() {
        solver.name = format!("\u{2}]]> & \u{ffff} {i} {}", "long ".repeat(30));
    }
    plan.experiment.plots[0].bin = Some(1e-300);
    let odd = [0.0, -1.0, f64::NAN, f64::INFINITY, 1e308, 5e-324];
    let mut all = rows(&plan);
    for (i, row) in all.iter_mut().enumerate() {
        row.cpu_s = Some(odd[i % odd.len()]);
        row.value = Some([i64::MIN, i64::MAX, 0][i % 3]);
        row.expanded = Some([u64::MAX, 0, 1][i % 3]);
        row.generated = Some(u64::MAX);
        row.incumbents.iter_mut().for_each(|incumbent| {
            incumbent.cpu_s = odd[(i + 1) % odd.len()];
            incumbent.value = i64::MIN;
        });
    }
    let report = report(&plan, &all, usize::MAX / 2).expect("a report");
    for (name, svg) in &report.figures {
        roxmltree::Document::parse(svg).expect(name);
    }
    // Tasks and comparisons with invalid indices are skipped.
    plan.tasks[0].suite = 9;
    plan.tasks[1].instance = 99;
    plan.tasks[2].solver = 99;
    plan.experiment.classes = None;
    plan.experiment.compare[0].suite = 7;
    plan.experiment.compare[1].solver = 77;
    assert!(tables(&plan, &all, 0).contains("## Published beside ours"));
}

#[test]
fn quick_form_is_named_in_the_report() {
    let mut plan = plan(4);
    plan.experiment.is_quick = true;
    let report = report(&plan, &rows(&plan), 0).expect("a report");
    assert_eq!(report.name, "made-up-quick");
    assert!(has_line(&report.markdown, &["quick form"]));
    assert!(has_line(&report.markdown, &["lab run experiments/made-up.toml --quick`"]));
    assert!(report.markdown.contains("(<made-up-quick/1-histogram-easy.svg>)"));
}

/// Run by hand: a hundred thousand runs take seconds.
#[test]
#[ignore = "takes a while"]
fn many_rows_are_fast() {
    let plan = plan(6250);
    let all = rows(&plan);
    assert!(all.len() >= 100_000);
    let start = std::time::Instant::now();
    let report = report(&plan, &all, 0).expect("a report");
    let bytes: usize = report.figures.iter().map(|(_, svg)| svg.len()).sum();
    eprintln!("{} rows: {:?}, {bytes} bytes of figures", all.len(), start.elapsed());
    assert!(start.elapsed().as_secs() < 20);
}
