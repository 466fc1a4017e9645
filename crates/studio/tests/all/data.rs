//! Results, experiments and runs.

use crate::client::{Running, settings, short};
use serde_json::{Value, json};
use std::fs;
use unriddle_lab::{
    Row, Store,
    row::{Key, Status},
};

#[test]
fn results_are_stored_before_the_end_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("solved.db");
    let mut places = [settings(), settings()];
    places[1].results = Some(file.clone());
    for settings in places {
        let server = Running::start(settings);
        for _ in 0..3 {
            let job = server.begin(&short());
            let end = server.end_of(&job);
            let last = server.get("/api/results?limit=1").json();
            let result = &last["results"][0];
            for field in ["status", "value", "solution", "expanded", "puzzle", "instance"] {
                assert_eq!(result["record"][field], end["record"][field], "{field}");
            }
            assert_eq!(result["solver"], "astar(blind)");
            assert!(result["when"].as_i64().unwrap() > 1_700_000_000_000);
        }
        assert_eq!(server.get("/api/results").json()["results"].as_array().unwrap().len(), 3);
    }
    let rows = Store::open_existing(&file).unwrap().rows("studio").unwrap();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row.status == Status::Optimal && row.version == "1"));
    assert!(rows.iter().all(|row| row.incumbents.len() == 1), "{rows:?}");
    // The next server shows the same results.
    let again =
        Running::start(unriddle_studio::server::Settings { results: Some(file), ..settings() });
    assert_eq!(again.get("/api/results").json()["results"].as_array().unwrap().len(), 3);
}

#[test]
fn experiments_are_listed_and_filtered() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lab.db");
    let row = |number: u128, solver: &str, status| Row {
        experiment: "towers".to_owned(),
        suite: "all".to_owned(),
        id: (number / 2).to_string(),
        puzzle: "hanoi".to_owned(),
        instance: "1 1".to_owned(),
        solver: solver.to_owned(),
        key: Key(number),
        status,
        solution: Some("1-2 1-3 2-3".to_owned()),
        value: Some(3),
        expanded: Some(9),
        ..Row::default()
    };
    let rows: Vec<Row> = (0..10)
        .map(|number| match number % 2 {
            0 => row(number, "astar(blind)", Status::Optimal),
            _ => row(number, "greedy(blind)", Status::Solved),
        })
        .collect();
    Store::open(&file).unwrap().record(None, &rows).unwrap();
    let server =
        Running::start(unriddle_studio::server::Settings { lab: vec![file], ..settings() });
    let list = server.get("/api/experiments").json();
    assert_eq!(list["experiments"][0]["name"], "towers");
    assert_eq!(list["experiments"][0]["runs"], 10);
    let of =
        |query: &str| -> Value { server.get(&format!("/api/experiments/towers{query}")).json() };
    let all = of("");
    assert_eq!((&all["total"], &all["runs"][0]["solution"]), (&json!(10), &json!("1-2 1-3 2-3")));
    assert_eq!(all["solvers"], json!(["astar(blind)", "greedy(blind)"]));
    assert_eq!(of("?solver=greedy(blind)")["total"], 5);
    assert_eq!(of("?status=optimal&instance=2")["total"], 1);
    assert_eq!(of("?instance=1%201")["total"], 10);
    let few = of("?skip=8&limit=1");
    assert_eq!(few["runs"].as_array().unwrap().len(), 1);
    assert_eq!(few["runs"][0]["name"], "4");
    server.get("/api/experiments/other").refusal(404);
}

#[test]
fn runs_are_read_again_for_each_answer() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("runs/first");
    fs::create_dir_all(&run).unwrap();
    fs::write(run.join("recipe.toml"), "title = \"First\"\n").unwrap();
    let header = "iteration,best,mean\n";
    fs::write(run.join("log.csv"), format!("{header}1,5,\n")).unwrap();
    fs::write(folder.path().join("log.csv"), "secret\n1\n").unwrap();
    let server = Running::start(unriddle_studio::server::Settings {
        runs: vec![folder.path().join("runs")],
        ..settings()
    });
    let list = server.get("/api/runs").json();
    assert_eq!(list["runs"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&list["runs"][0]["name"], &list["runs"][0]["run"]),
        (&json!("first"), &json!("tuning"))
    );
    let read = || server.get("/api/runs/first").json();
    let first = read();
    assert_eq!(first["columns"], json!(["iteration", "best", "mean"]));
    assert_eq!(first["rows"], json!([[1.0, 5.0, null]]));
    assert_eq!(first["recipe"], "title = \"First\"\n");
    fs::write(run.join("log.csv"), format!("{header}1,5,\n2,4,NaN\n")).unwrap();
    assert_eq!(read()["rows"][1], json!([2.0, 4.0, "NaN"]));
    for path in ["..", "%2e%2e", "..%2f", "first%2f..%2f.."] {
        server.get(&format!("/api/runs/{path}")).refusal(404);
    }
}
