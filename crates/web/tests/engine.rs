//! Requests in JSON and their answers, with the puzzles of the program.

use serde_json::{Value, json};
use unriddle_web::engine::Engine;

fn engine() -> Engine {
    Engine::new(unriddle::registry())
}

fn call(engine: &mut Engine, request: &Value) -> Value {
    serde_json::from_str(&engine.call(&request.to_string())).unwrap()
}

fn begin(engine: &mut Engine, job: &Value) -> String {
    let answer = call(engine, &json!({"verb": "begin", "job": job}));
    answer["job"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// All events of a job to its end, in steps of some expansions.
fn events(engine: &mut Engine, job: &str, expansions: u64) -> (Vec<Value>, u64) {
    let (mut events, mut steps) = (Vec::new(), 0);
    loop {
        let step = json!({"verb": "step", "job": job, "expansions": expansions});
        let step = call(engine, &step);
        assert!(step["error"].is_null(), "{step}");
        steps += 1;
        assert!(step["expanded"].as_u64().unwrap() <= steps * expansions);
        events.extend(step["events"].as_array().unwrap().clone());
        if step["ended"] == true {
            return (events, steps);
        }
    }
}

#[test]
fn a_job_in_steps_ends_with_a_checked_record() {
    let engine = &mut engine();
    let board = "8 6 7 2 5 4 3 0 1";
    let job = json!({"kind": "solve", "puzzle": "tiles", "instance": board,
        "solver": "idastar(manhattan)"});
    let job = begin(engine, &job);
    let (events, steps) = events(engine, &job, 1_000);
    assert_eq!(events[0], json!({"kind": "begun", "solver": "idastar(manhattan)"}));
    let record = &events.last().unwrap()["record"];
    assert_eq!((&record["status"], &record["value"]), (&json!("optimal"), &json!(31)));
    assert_eq!((&record["checked"], &record["checked_by"]), (&json!(true), &json!("check")));
    assert!(steps > 5, "{steps}");
    let step = json!({"verb": "step", "job": job, "expansions": 1});
    assert_eq!(call(engine, &step)["events"], json!([]));
    assert_eq!(call(engine, &json!({"verb": "close", "job": job})), json!({}));
    assert_eq!(call(engine, &step)["error"]["message"], format!("there is no job {job}"));
}

#[test]
fn a_cancelled_job_keeps_its_best_solution() {
    let engine = &mut engine();
    let job = json!({"kind": "solve", "puzzle": "samegame", "preset": "best",
        "instance": "1 2 1 2\n2 1 2 1\n1 2 2 1\n2 1 1 2"});
    let job = begin(engine, &job);
    call(engine, &json!({"verb": "step", "job": job, "expansions": 50}));
    assert_eq!(call(engine, &json!({"verb": "cancel", "job": job})), json!({}));
    let (events, _) = events(engine, &job, 50);
    let end = events.last().unwrap();
    assert!(end["record"]["solution"].is_string() && end["cancelled"] == true, "{end}");
}

#[test]
fn positions_are_drawn_and_continued() {
    let engine = &mut engine();
    let at = |line: &str, at: Option<usize>| {
        json!({"verb": "position", "puzzle": "tiles", "instance": "1 2 3 4 0 5 7 8 6",
            "line": line, "at": at})
    };
    let start = call(engine, &at("", None));
    assert_eq!(start["actions"].as_array().unwrap().len(), 4);
    assert_eq!(start["spots"].as_array().unwrap().len(), 9);
    assert!(start["svg"].as_str().unwrap().starts_with("<svg"));
    let left = start["actions"].as_array().unwrap().iter().find(|action| action["text"] == "L");
    let left = left.unwrap();
    assert_eq!((&left["name"], &left["key"]), (&json!("tile 5 left"), &json!("ArrowLeft")));
    assert_eq!((&left["from"], &left["line"]), (&json!(5), &json!("L")));
    let end = call(engine, &at("LU", None));
    assert_eq!((&end["over"], &end["value"]), (&json!(true), &json!(2)));
    assert_eq!(end["instance"], "1 2 3 4 5 6 7 8 0");
    let middle = call(engine, &at("LU", Some(1)));
    assert_eq!((&middle["line"], &middle["whole"]), (&json!("L"), &json!("LU")));
    assert_eq!((&middle["value"], &middle["total"]), (&json!(1), &json!(2)));
}

#[test]
fn a_review_marks_the_losing_action() {
    let engine = &mut engine();
    let job = json!({"kind": "review", "puzzle": "sokoban", "line": "dllurrruL",
        "instance": "#######|#--.--#|#-$@--#|#-----#|#######"});
    let job = begin(engine, &job);
    let (events, _) = events(engine, &job, 1_000_000);
    let reviews: Vec<_> = events.iter().filter(|event| event["kind"] == "review").collect();
    let last = reviews.last().unwrap();
    assert_eq!(last["done"], last["of"]);
    assert!(last["review"]["losing"].is_u64(), "{last}");
}

#[test]
fn validations_are_reported_one_by_one() {
    let engine = &mut engine();
    let job = json!({"kind": "validate", "puzzle": "tiles", "preset": "fast",
        "text": "1 2 3 4 0 5 7 8 6\n2 1 3 4 5 6 7 8 0\n"});
    let job = begin(engine, &job);
    let (events, _) = events(engine, &job, 1_000_000);
    let reports = events.iter().filter(|event| event["kind"] == "validated");
    let verdicts: Vec<_> = reports.map(|event| &event["validation"]["verdict"]).collect();
    assert_eq!(verdicts, ["solvable", "unsolvable"]);
}

#[test]
fn sketches_become_instances() {
    let engine = &mut engine();
    let sketch = call(
        engine,
        &json!({"verb": "sketch", "puzzle": "tiles",
        "instance": "1 2 3 4 0 5 7 8 6"}),
    );
    let mut rows = sketch["sketch"]["rows"].clone();
    assert_eq!(rows[1], json!(["4", "0", "5"]));
    (rows[0][0], rows[0][1]) = (json!("2"), json!("1"));
    let edited = call(engine, &json!({"verb": "edit", "puzzle": "tiles", "rows": rows}));
    assert_eq!(edited["instances"][0]["instance"], "2 1 3 4 0 5 7 8 6");
    assert!(edited["instances"][0]["unsolvable"].is_string(), "{edited}");
}

#[test]
fn bad_requests_are_answered_by_a_sentence() {
    let engine = &mut engine();
    let solve = |field: &str, value: Value| {
        let mut job = json!({"kind": "solve", "puzzle": "tiles", "instance": "1 2 3 0"});
        job[field] = value;
        json!({"verb": "begin", "job": job}).to_string()
    };
    for (request, expected) in [
        (String::new(), "request: EOF"),
        (r#"{"verb": "sing"}"#.into(), "request: unknown variant `sing`"),
        (r#"{"verb": "load", "puzzle": "chess", "text": ""}"#.into(), "chess"),
        (r#"{"verb": "load", "puzzle": "tiles", "text": "1 2 3"}"#.into(), "3"),
        (r#"{"verb": "step", "job": "7", "expansions": 1}"#.into(), "there is no job 7"),
        (solve("seconds", json!(-1)), "`seconds`: "),
        (solve("solver", json!("idastar(manhatten)")), "manhatten"),
        (solve("preset", json!("slow")), "the preset `slow`"),
        (solve("puzzles", json!(1)), "unknown field `puzzles`"),
    ] {
        let answer: Value = serde_json::from_str(&engine.call(&request)).unwrap();
        let error = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(error.contains(expected), "{request}: {answer}");
    }
    let puzzles = call(engine, &json!({"verb": "puzzles"}));
    assert!(puzzles["puzzles"].as_array().unwrap().len() >= 8, "{puzzles}");
}

/// Keys of the tables that an answer lists.
fn keys(answer: &Value) -> Vec<String> {
    let tables = answer["tables"].as_array().unwrap_or_else(|| panic!("{answer}")).iter();
    let key = |table: &Value| table["key"].as_str().or(table.as_str()).unwrap().to_owned();
    tables.map(key).collect()
}

#[test]
fn the_next_engine_reads_the_tables_that_its_host_kept() {
    // Tables that are announced together, and tables that are read one after the other.
    for (puzzle, instance, solver) in [
        ("tiles", "5 1 3 4 2 0 7 8 9 6 10 12 13 14 11 15", "idastar(pdb(5-5-5))"),
        ("cube", "R U R' F2 L D", "cube-fast"),
    ] {
        let mut job = json!({"kind": "solve", "puzzle": puzzle, "instance": instance});
        if !solver.is_empty() {
            job["solver"] = json!(solver);
        }
        let wanted = json!({"verb": "wanted", "job": job});
        let tables = json!({"verb": "tables"});
        let first = &mut engine();
        let asked = keys(&call(first, &wanted));
        let name = begin(first, &job);
        let (before, _) = events(first, &name, 100_000);
        let built = call(first, &tables);
        assert!(!asked.is_empty() && asked.iter().all(|key| keys(&built).contains(key)), "{built}");
        assert_eq!(keys(&call(first, &tables)), [""; 0], "they are listed once");
        assert_eq!(keys(&call(first, &wanted)), [""; 0], "they are there");

        let second = &mut engine();
        loop {
            let asked = keys(&call(second, &wanted));
            if asked.is_empty() {
                break;
            }
            for key in asked {
                let (header, table) = first.kept().parts(&key).unwrap();
                let bytes = [&header, table.packed()].concat();
                let mut listed = built["tables"].as_array().unwrap().iter();
                let listed = listed.find(|table| table["key"] == key).unwrap();
                assert_eq!(listed["length"], bytes.len(), "{key}");
                second.keep(&key, bytes);
            }
        }
        let name = begin(second, &job);
        let (after, _) = events(second, &name, 100_000);
        assert_eq!(keys(&call(second, &tables)), [""; 0], "none was built");
        let record = |events: &[Value]| events.last().unwrap()["record"].clone();
        for field in ["status", "value", "solution", "expanded", "checked"] {
            assert_eq!(record(&before)[field], record(&after)[field], "{field}");
        }
        assert_eq!(record(&after)["checked"], true, "{after:?}");
    }
}

#[test]
fn a_damaged_table_of_the_host_is_built_again() {
    let engine = &mut engine();
    let job = json!({"kind": "solve", "puzzle": "tiles", "solver": "idastar(pdb(5-5-5))",
        "instance": "5 1 3 4 2 0 7 8 9 6 10 12 13 14 11 15"});
    let asked = keys(&call(engine, &json!({"verb": "wanted", "job": job})));
    for key in &asked {
        engine.keep(key, vec![0; 5_000]);
    }
    let name = begin(engine, &job);
    let (events, _) = events(engine, &name, 100_000);
    assert_eq!(events.last().unwrap()["record"]["status"], "optimal");
    assert_eq!(keys(&call(engine, &json!({"verb": "tables"}))).len(), asked.len());
}
