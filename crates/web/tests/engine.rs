//! Requests in JSON and their answers, with the puzzles of the program.

use serde_json::{Value, json};
use unriddle_web::engine::Engine;

fn engine() -> Engine {
    Engine::new(unriddle::registry())
}

fn call(engine: &mut Engine, request: &Value) -> Value {
    serde_json::from_str(&engine.call(&request.to_string())).unwrap()
}

#[test]
fn a_job_in_steps_ends_with_a_checked_record() {
    let engine = &mut engine();
    let board = "8 6 7 2 5 4 3 0 1";
    let solve = json!({"verb": "solve", "puzzle": "tiles", "instance": board,
        "solver": "idastar(manhattan)"});
    let job = call(engine, &solve)["job"].clone();
    let step = json!({"verb": "step", "job": job, "expansions": 1_000});
    let mut steps = 0;
    let last = loop {
        let step = call(engine, &step);
        assert!(step["error"].is_null(), "{step}");
        steps += 1;
        if step["ended"] == true {
            break step;
        }
        assert!(step["expanded"].as_u64().unwrap() <= steps * 1_000);
    };
    let record = &last["record"];
    assert_eq!((&record["status"], &record["value"]), (&json!("optimal"), &json!(31)));
    assert_eq!((&record["checked"], &record["checked_by"]), (&json!(true), &json!("check")));
    assert!(steps > 5, "{steps}");
    let ended = call(engine, &step);
    assert_eq!(ended["error"], format!("job {job} has ended"));
    assert_eq!(call(engine, &json!({"verb": "close", "job": job})), json!({}));
    assert_eq!(call(engine, &step)["error"], format!("there is no job {job}"));
}

#[test]
fn a_cancelled_job_keeps_its_best_solution() {
    let engine = &mut engine();
    let solve = json!({"verb": "solve", "puzzle": "samegame", "preset": "best",
        "instance": "1 2 1 2\n2 1 2 1\n1 2 2 1\n2 1 1 2"});
    let job = call(engine, &solve)["job"].clone();
    let step = json!({"verb": "step", "job": job, "expansions": 50});
    call(engine, &step);
    assert_eq!(call(engine, &json!({"verb": "cancel", "job": job})), json!({}));
    let mut last = call(engine, &step);
    while last["ended"] != true {
        last = call(engine, &step);
    }
    assert!(last["record"]["solution"].is_string(), "{last}");
}

#[test]
fn positions_are_drawn_and_continued() {
    let engine = &mut engine();
    let at = |line: &str| {
        json!({"verb": "position", "puzzle": "tiles", "instance": "1 2 3 4 0 5 7 8 6",
            "line": line})
    };
    let start = call(engine, &at(""));
    assert_eq!(start["actions"].as_array().unwrap().len(), 4);
    assert!(start["drawing"].as_str().unwrap().starts_with("<svg"));
    let end = call(engine, &at("LU"));
    assert_eq!((&end["over"], &end["value"]), (&json!(true), &json!(2)));
    assert_eq!(end["instance"], "1 2 3 4 5 6 7 8 0");
}

#[test]
fn bad_requests_are_answered_by_a_sentence() {
    let engine = &mut engine();
    for (request, expected) in [
        ("", "request: EOF"),
        (r#"{"verb": "sing"}"#, "request: unknown variant `sing`"),
        (r#"{"verb": "load", "puzzle": "chess", "text": ""}"#, "chess"),
        (r#"{"verb": "load", "puzzle": "tiles", "text": "1 2 3"}"#, "line 1"),
        (r#"{"verb": "step", "job": 7, "expansions": 1}"#, "there is no job 7"),
        (
            r#"{"verb": "solve", "puzzle": "tiles", "instance": "1 2 3 0", "seconds": -1}"#,
            "seconds: ",
        ),
        (
            r#"{"verb": "solve", "puzzle": "tiles", "instance": "1 2 3 0", "preset": "slow"}"#,
            "the preset `slow`",
        ),
    ] {
        let answer: Value = serde_json::from_str(&engine.call(request)).unwrap();
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(error.contains(expected), "{request}: {answer}");
    }
    let puzzles = call(engine, &json!({"verb": "puzzles"}));
    assert!(puzzles["puzzles"].as_array().unwrap().len() >= 8, "{puzzles}");
}
