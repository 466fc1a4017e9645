//! Pages of papers: figures beside the published ones, and errors in a paper's file.

use std::{fs, path::Path};
use tempfile::TempDir;
use unriddle::lab::{
    Experiment, LabError, Paper, Plan, Row, references::References, report::Report, row::Status,
};

const REFERENCES: &str = r#"
[source.nobody1999]
authors = "Nobody"
year = 1999
title = "Nothing"
where = "Nowhere 1"
"#;

const EXPERIMENT: &str = r#"
title = "T"

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

[[attribute]]
name = "solved"
[[attribute]]
name = "expanded"

[[claim]]
text = "One expands less | than two."
source = "nobody1999"
place = "Section 7"
[[claim.test]]
solver = "one"
baseline = "two"
attribute = "expanded"
is = "less than"
"#;

const PAPER: &str = r#"
about = "A paper of nobody."

[[definition]]
term = "states"
text = "those that were expanded."

[[claim]]
place = "Section 8"
text = "Nothing tests this."
note = "It cannot be tested."

[[exhibit]]
kind = "table"
id = "table-1"
place = "Table 1"
title = "States"
unit = "states"
columns = [{ id = "one", name = "first" }, { id = "two", name = "second" }]
rows = [
  { id = "expanded", name = "expanded", cells = [100, 250] },
  { id = "generated", name = "generated", cells = ["lost", "none"] },
  { id = "solved", name = "solved", unit = "%", cells = [50, { value = 100, place = "Section 2" }] },
  { id = "others", name = "others", cells = ["= table-1/expanded/one", { quotient = "table-1/expanded/two", of = "table-1/expanded/one" }] },
]

[[exhibit.ours]]
name = "twenty boards"
experiment = "e"
scale = "whole"
deviation = "none"
measure = { suite = "a" }
columns = { one = { solver = "one" }, two = { solver = "two" } }
rows = { expanded = { attribute = "expanded" }, generated = { attribute = "generated" }, solved = { attribute = "solved" } }

[[exhibit.missing]]
because = "nobody knows"
command = "unriddle list"

[[exhibit]]
kind = "text"
id = "text"
place = "Section 3"
title = "Parameters"
rows = [
  { id = "depth", name = "depth", cells = [7] },
  { id = "share", name = "share", cells = [0.5] },
  { id = "beam", name = "width", cells = [10] },
]

[[exhibit.ours]]
name = "a file"
file = "data/run.toml"
command = "make"
scale = "whole"
deviation = "none"
cells = { depth = { at = "engine.depth" } }

[[exhibit.ours]]
name = "a log"
file = "data/log.csv"
command = "make"
scale = "whole"
deviation = "none"
cells = { share = { when = { kind = "b" }, column = "share", better = "higher" } }

[[exhibit.ours]]
name = "defaults"
puzzle = "tiles"
scale = "whole"
deviation = "none"
cells = { beam = { spec = "beam(manhattan, width=10)", option = "width" } }
"#;

/// A folder with a paper, an experiment and files of both.
fn folder(paper: &str, experiment: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    };
    write("data/references.toml", REFERENCES);
    write("data/papers/nobody1999.toml", paper);
    write("data/run.toml", "[engine]\ndepth = 7\n");
    write("data/log.csv", "kind,share\na,0.1\nb,0.7 ± 0.1\n");
    write("experiments/e.toml", experiment);
    folder
}

fn experiment_of(root: &Path) -> Experiment {
    let path = root.join("experiments/e.toml");
    Experiment::read(&path, &unriddle::registry()).expect("an experiment")
}

/// Every board solved: the first solver expands 90 to 109 states, the second 250.
fn run(root: &Path) -> Vec<Row> {
    let plan = Plan::load(experiment_of(root), None).expect("a plan");
    let solved = |task: &unriddle::lab::plan::Task| {
        let mut row = plan.row(task);
        row.status = Status::Solved;
        row.value = Some(20);
        row.checked = Some(true);
        let expanded = [90 + task.instance as u64, 250][task.solver];
        row.expanded = Some(expanded);
        row.generated = Some(2 * expanded);
        row.cpu_s = Some(1.0);
        row.machine = "a machine".to_owned();
        row.revision = "0123abcd4567".to_owned();
        row.dirty = true;
        row.started_ms = 1_796_040_000_000;
        row
    };
    plan.tasks.iter().map(solved).collect()
}

fn page(root: &Path, rows: &[Row]) -> Result<Report, LabError> {
    let paper = Paper::read(&root.join("data/papers"), "nobody1999")?;
    paper.page(&unriddle::registry(), &|_| Ok(rows.to_vec()), None)
}

fn has_line(text: &str, parts: &[&str]) -> bool {
    text.lines().any(|line| parts.iter().all(|part| line.contains(part)))
}

#[test]
fn every_published_figure_has_ours_beside_it() {
    let folder = folder(PAPER, EXPERIMENT);
    let rows = run(folder.path());
    let page = page(folder.path(), &rows).expect("a page");
    let text = &page.markdown;
    let lines: &[&[&str]] = &[
        &["# Nobody 1999: Nothing"],
        // 99.5 on average; the published 100 is inside the interval.
        &["| expanded", "| first", "100 states", "99.5 (", "n = 20", "same within the interval"],
        &["| expanded", "| second", "250 states"],
        &["| generated", "| first", "*lost in the text*", "199.0 ("],
        &["| solved", "| first", "50 %", "100.0 (83.9 to 100.0) %", "better by +50 points"],
        &["| solved", "| second", "100 % (Section 2)", "same within the interval"],
        // The quotient has no figure of ours.
        &["| others", "| first", "100 states", "not run (1)"],
        &["| others", "| second", "2.500", "not run (1)"],
        &["- Not run (1): nobody knows. It would be run by `unriddle list`."],
        &["| depth", "7 ", "same"],
        &["| share", "0.500", "0.7 ± 0.1", "better by +40 %; 95 %: +20 to +60"],
        &["| width", "10", "same"],
        &["Section 7", "One expands less \\| than two.", "**confirmed**", "experiments/e.toml`"],
        &["Section 8", "Nothing tests this.", "not tested", "It cannot be tested."],
        &["- Verdicts on claims: 1 confirmed, 1 not tested"],
        // The table at the head, and the table of the recorded runs.
        &[
            "[Table 1](#table-1-states): States",
            "| whole",
            "expanded, first",
            "99.5 (",
            "100 states",
        ],
        &["[Text, section 3](#text-section-3-parameters)", "depth", "| 7 ", "2 same, 1 better"],
        &["- Ours at the paper's own size: 5 same, 2 better"],
        &["- Ours at another size: none"],
        &["| `e`", "2026-11-30", "0123abcd+", "| 0 ", "40 |"],
        &["Machines: (1) a machine. All runs together took 0.0111 CPU hours"],
        &["- *states*: those that were expanded."],
    ];
    for parts in lines {
        assert!(has_line(text, parts), "{parts:?} in:\n{text}");
    }
    assert!(page.html.contains("<h1>Nobody 1999: Nothing</h1>"), "{}", page.html);
}

/// Figures of another size are counted separately, and a declared cell represents its exhibit.
#[test]
fn sizes_are_counted_separately() {
    let paper = PAPER.replacen("scale = \"whole\"", "scale = \"a tenth\"", 1);
    let paper =
        paper.replacen("id = \"table-1\"", "id = \"table-1\"\nheadline = \"solved/two\"", 1);
    let folder = folder(&paper, EXPERIMENT);
    let text = page(folder.path(), &run(folder.path())).expect("a page").markdown;
    for parts in [
        &["- Ours at the paper's own size: 2 same, 1 better"][..],
        &["- Ours at another size: 3 same, 1 better"],
        &["[Table 1]", "| a tenth", "solved, second", "3 same, 1 better"],
    ] {
        assert!(has_line(&text, parts), "{parts:?} in:\n{text}");
    }
    let paper = paper.replacen("solved/two", "solved/too", 1);
    let error = page(self::folder(&paper, EXPERIMENT).path(), &[]).expect_err("no such cell");
    assert!(error.to_string().contains("did you mean `solved/two`?"), "{error}");
}

/// A claim that several experiments test is listed once, with the verdict of each.
#[test]
fn a_claim_of_several_experiments_is_listed_once() {
    let folder = folder(PAPER, &format!("scale = \"a tenth\"\n{EXPERIMENT}"));
    let opposite = EXPERIMENT.replacen("is = \"less than\"", "is = \"more than\"", 1);
    let other = format!("scale = \"a half\"\n{opposite}");
    fs::write(folder.path().join("experiments/f.toml"), other).expect("written");
    let rows = run(folder.path());
    let paper = Paper::read(&folder.path().join("data/papers"), "nobody1999").expect("a paper");
    let of = |name: &str| {
        let mine = |row: &Row| Row { experiment: name.to_owned(), ..row.clone() };
        Ok(rows.iter().map(mine).collect())
    };
    let text = paper.page(&unriddle::registry(), &of, None).expect("a page").markdown;
    assert_eq!(text.matches("One expands less").count(), 1);
    assert!(has_line(&text, &["**differs by experiment**", "One expands less"]), "{text}");
    assert!(has_line(&text, &["  - seen at a reduced scale: ", "experiments/e.toml"]), "{text}");
    assert!(
        has_line(&text, &["  - not seen at a reduced scale: ", "experiments/f.toml"]),
        "{text}"
    );
}

/// An experiment at a reduced scale neither confirms nor refutes a claim of the paper.
#[test]
fn claims_at_a_reduced_scale_are_seen_or_not() {
    let mut words = Vec::new();
    for is in ["less than", "more than"] {
        let experiment = EXPERIMENT.replacen("is = \"less than\"", &format!("is = \"{is}\""), 1);
        let folder = folder(PAPER, &format!("scale = \"a tenth\"\n{experiment}"));
        let text = page(folder.path(), &run(folder.path())).expect("a page").markdown;
        let line = text.lines().find(|line| line.contains("One expands less")).expect("the claim");
        assert!(line.contains("scale: a tenth"), "{line}");
        words.push(line.split("**").nth(1).expect("a verdict").to_owned());
    }
    assert_eq!(words, ["seen at a reduced scale", "not seen at a reduced scale"]);
}

/// Commands name the program that makes the page, and an experiment by its path in the catalogue.
#[test]
fn commands_name_their_program() {
    let folder = folder(PAPER, EXPERIMENT);
    let registry = unriddle::registry().with_program("riddler");
    let paper = Paper::read(&folder.path().join("data/papers"), "nobody1999").expect("a paper");
    let page = paper.page(&registry, &|_| Ok(Vec::new()), None).expect("a page");
    assert!(has_line(&page.markdown, &["`riddler lab run experiments/e.toml --subset`"]));
    assert!(has_line(&page.markdown, &["Made by `riddler lab paper nobody1999 "]));
    assert!(!page.markdown.contains("`unriddle lab"), "{}", page.markdown);
    let shown = |path: &Path| {
        let read = Experiment::read(path, &registry).expect("an experiment");
        read.shown_path()
    };
    assert_eq!(shown(&folder.path().join("experiments/e.toml")), "experiments/e.toml");
    assert_eq!(shown(&folder.path().join("data/../experiments/e.toml")), "experiments/e.toml");
    // Without published figures above it, an experiment is named as it was read.
    let lone = tempfile::tempdir().expect("a folder");
    let path = lone.path().join("e.toml");
    fs::write(&path, "version = 1\n").expect("written");
    let experiment = Experiment { path: path.clone(), ..experiment_of(folder.path()) };
    assert_eq!(experiment.shown_path(), path.display().to_string());
}

#[test]
fn without_recorded_runs_nothing_is_claimed() {
    let folder = folder(PAPER, EXPERIMENT);
    let page = page(folder.path(), &[]).expect("a page");
    let text = &page.markdown;
    for parts in [
        &["| expanded", "| first", "100 states", "not run: nothing is recorded"][..],
        &["Section 7", "not tested", "no recorded run", "lab run experiments/e.toml"],
        &["- Verdicts on claims: 2 not tested"],
    ] {
        assert!(has_line(text, parts), "{parts:?} in:\n{text}");
    }
}

/// Half of the runs cover a part of the suite, whose total is not comparable with a published
/// total.
#[test]
fn total_of_a_part_is_not_comparable() {
    let paper = PAPER.replacen(
        "expanded = { attribute = \"expanded\" }",
        "expanded = { attribute = \"expanded\", statistic = \"sum\" }",
        1,
    );
    let folder = folder(&paper, EXPERIMENT);
    let mut rows = run(folder.path());
    let whole = page(folder.path(), &rows).expect("a page");
    let line = ["| expanded", "1,990 states", "worse by +1,890 %, no interval"];
    assert!(has_line(&whole.markdown, &line), "{}", whole.markdown);
    rows.truncate(20);
    let part = page(folder.path(), &rows).expect("a page");
    assert!(has_line(&part.markdown, &["| expanded", "not comparable"]), "{}", part.markdown);
}

#[test]
fn errors_have_their_position() {
    let cases: &[(&str, &str, &str)] = &[
        // Replaced text, replacement, and part of the error.
        ("experiment = \"e\"", "experiment = \"f\"", "unknown experiment `f`"),
        ("solver = \"one\"", "solver = \"ono\"", "unknown solver `ono`; did you mean `one`?"),
        ("suite = \"a\"", "suite = \"b\"", "unknown suite `b`"),
        (
            "\"generated\" }",
            "\"generate\" }",
            "unknown attribute `generate`; did you mean `generated`?",
        ),
        ("suite = \"a\"", "class = \"a\"", "needs `suite`"),
        (
            "rows = { expanded",
            "rows = { expande",
            "unknown row `expande`; did you mean `expanded`?",
        ),
        ("columns = { one", "columns = { ono", "unknown column `ono`; did you mean `one`?"),
        (
            "\"= table-1/expanded/one\"",
            "\"= table-1/expanded/on\"",
            "did you mean `table-1/expanded/one`?",
        ),
        ("id = \"generated\"", "id = \"expanded\"", "there is a row `expanded` already"),
        ("cells = [100, 250]", "cells = [100]", "expected 2 cells, one for each column, found 1"),
        (
            "because =",
            "rows = [\"solved\"]\nbecause =",
            "`nobody1999/table-1/others/one` has neither",
        ),
        ("experiment = \"e\"", "", "one of: `experiment`, `file`, `puzzle`"),
        ("engine.depth", "engine.dept", "unknown name `dept`; did you mean `depth`?"),
        (
            "kind = \"b\"",
            "kind = \"c\"",
            "expected one row of data/log.csv with kind = \"c\", found 0",
        ),
        ("column = \"share\"", "column = \"shore\"", "did you mean `share`?"),
        ("option = \"width\"", "option = \"with\"", "unknown name `with`; did you mean `width`?"),
        ("beam(manhattan", "beem(manhattan", "did you mean `beam`?"),
        ("unit = \"%\"", "unit = \"s\"", "the figure is in \"s\" and `solved` in \"%\""),
        ("kind = \"table\"", "kind = \"tabel\"", "unknown variant `tabel`"),
        ("note = ", "notes = ", "unknown field `notes`"),
        ("at = \"engine.depth\"", "better = \"lower\"", "needs `at` (TOML), or `column`"),
    ];
    for (from, to, told) in cases {
        let paper = PAPER.replacen(from, to, 1);
        assert!(paper != PAPER, "{from}");
        let folder = folder(&paper, EXPERIMENT);
        let error = page(folder.path(), &[]).expect_err(told).to_string();
        assert!(error.contains(told), "{told}\n{error}");
        assert!(error.contains("nobody1999.toml, line "), "{error}");
    }
    let table =
        "kind = \"table\"\nid = \"f\"\nplace = \"\"\ntitle = \"\"\nfile = \"data/log.csv\"\n";
    for (more, told) in [
        ("", "a `file` needs `columns`"),
        ("columns = [{ id = \"a\", name = \"a\" }]", "a `file` needs the `key`"),
        ("key = \"c\"\ncolumns = [{ id = \"a\", name = \"a\" }]", "unknown column of the file `c`"),
        (
            "key = \"a\"\ncolumns = [{ id = \"b\", name = \"b\" }]",
            "there is a figure `nobody1999/f/1/b`",
        ),
    ] {
        let folder = folder(&format!("{PAPER}\n[[exhibit]]\n{table}{more}\n"), EXPERIMENT);
        fs::write(folder.path().join("data/log.csv"), "a,b\n1,2\n1,3\n").expect("written");
        let error = page(folder.path(), &[]).expect_err(told).to_string();
        assert!(error.contains(told), "{told}\n{error}");
    }
    let folder = folder(PAPER, EXPERIMENT);
    let error = Paper::read(&folder.path().join("data/papers"), "nobody1998");
    let error = error.expect_err("no such paper").to_string();
    assert!(error.contains("unknown paper `nobody1998`; did you mean `nobody1999`?"), "{error}");
}

#[test]
fn figures_of_papers_are_references() {
    let folder = folder(PAPER, EXPERIMENT);
    let path = folder.path().join("data/references.toml");
    let references = References::read(&path).expect("references");
    let figure = |key: &str| references.get(&format!("nobody1999/{key}"));
    let solved = figure("table-1/solved/two").expect("a figure");
    assert_eq!((solved.value, &*solved.unit, &*solved.place), (100.0, "%", "Section 2"));
    assert_eq!(solved.what, "States, solved, second");
    assert_eq!(figure("text/depth").map(|f| f.value), Some(7.0));
    // Cells that are lost, missing or the same as another cell declare no figures.
    for key in ["table-1/generated/one", "table-1/generated/two", "table-1/others/one"] {
        assert!(figure(key).is_none(), "{key}");
    }
    let twice =
        "[figure.\"nobody1999/text/depth\"]\nvalue = 1\nunit = \"\"\nplace = \"\"\nwhat = \"\"\n";
    fs::write(&path, format!("{REFERENCES}{twice}")).expect("written");
    let error = References::read(&path).expect_err("one key twice").to_string();
    assert!(error.contains("there is a figure `nobody1999/text/depth` already"), "{error}");
}
