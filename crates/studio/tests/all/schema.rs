//! Real answers of the server against the OpenAPI document that it returns.

use crate::client::{Running, settings, short};
use serde_json::{Value, json};
use unriddle_studio::api::Api;

struct Document(Value);

impl Document {
    /// Validates a value against a schema of the document.
    fn check(&self, what: &str, mut schema: Value, value: &Value) {
        assert!(schema.is_object(), "{what} has no schema");
        // References of the schema begin at the document.
        schema["components"] = self.0["components"].clone();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<String> = validator.iter_errors(value).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{what}: {errors:?}: {value}");
    }

    fn schema(&self, path: &str, method: &str, status: &str, kind: &str) -> Value {
        let operation = &self.0["paths"][path][method];
        let answer = &operation["responses"][status];
        let answer = match answer["$ref"].as_str() {
            Some(name) => &self.0["components"]["responses"][name.rsplit('/').next().unwrap()],
            None => answer,
        };
        answer["content"][kind]["schema"].clone()
    }

    fn answer(&self, path: &str, method: &str, status: u16, value: &Value) {
        let schema = self.schema(path, method, &status.to_string(), "application/json");
        self.check(&format!("{method} {path}"), schema, value);
    }

    fn request(&self, path: &str, value: &Value) {
        let body = &self.0["paths"][path]["post"]["requestBody"]["content"];
        self.check(path, body["application/json"]["schema"].clone(), value);
    }
}

/// A request of every verb.
fn requests() -> Vec<(&'static str, Value)> {
    let (puzzle, instance, line) = ("hanoi", "1 1 1", "1-3 1-2");
    vec![
        ("puzzles", json!({})),
        ("expressions", json!({"puzzle": puzzle})),
        ("load", json!({"puzzle": puzzle, "text": "1 1 1\n2 2 2\n"})),
        ("generate", json!({"puzzle": puzzle, "seed": 1})),
        ("generate", json!({"puzzle": puzzle, "generator": "random(5)", "seed": 1})),
        ("deal", json!({"puzzle": puzzle, "number": 1})),
        ("position", json!({"puzzle": puzzle, "instance": instance, "line": line, "at": 1})),
        ("frames", json!({"puzzle": puzzle, "instance": instance, "line": line})),
        ("film", json!({"puzzle": puzzle, "instance": instance, "line": line, "seconds": 0.5})),
        ("forms", json!({"puzzle": puzzle, "instance": instance, "line": line})),
        ("spec", json!({"puzzle": puzzle, "solver": "astar(blind)"})),
        ("networks", json!({"puzzle": puzzle, "instance": instance})),
        ("sketch", json!({"puzzle": puzzle})),
        ("sketch", json!({"puzzle": puzzle, "instance": instance})),
        ("edit", json!({"puzzle": puzzle, "rows": [["1", "2"], [null, "3"]]})),
    ]
}

#[test]
fn answers_are_as_described() {
    let server = Running::start(settings());
    let document = Document(server.get("/api/openapi.json").json());
    assert_eq!(document.0["openapi"], "3.1.0");
    let mut answered = Vec::new();
    for (verb, fields) in requests() {
        let path = format!("/api/{verb}");
        document.request(&path, &fields);
        let answer = server.ask(verb, &fields);
        assert!([200, 400].contains(&answer.status), "{verb}: {}", answer.text());
        document.answer(&path, "post", answer.status, &answer.json());
        if answer.status == 200 {
            answered.push(verb);
        }
    }
    for verb in Api::VERBS {
        let is_asked = requests().iter().any(|(asked, _)| asked == verb);
        assert!(is_asked, "{verb} is not in this test");
        // The towers have no numbered instances.
        assert!(answered.contains(verb) || ["deal", "edit"].contains(verb), "{verb} was refused");
    }
    for (path, status) in [("/api/results", 200), ("/api/experiments", 200), ("/api/runs", 200)] {
        let job = server.begin(&short());
        server.end_of(&job);
        document.answer(path, "get", status, &server.get(path).json());
    }
    let refused = server.ask("load", &json!({"puzzle": "hanoi", "text": "1 9"}));
    document.answer("/api/load", "post", 400, &refused.json());
    let crashed = server.ask("load", &json!({"puzzle": "countdown", "text": "crash"}));
    document.answer("/api/load", "post", 500, &crashed.json());
    document.answer("/api/runs/{name}", "get", 404, &server.get("/api/runs/x").json());
    let foreign = server.send("GET /api/runs", &["Origin: http://example.org"], b"");
    document.answer("/api/runs", "get", 403, &foreign.json());
}

#[test]
fn events_are_as_described() {
    let server = Running::start(settings());
    let document = Document(server.get("/api/openapi.json").json());
    let event = document.schema("/api/jobs/{job}/events", "get", "200", "text/event-stream");
    let review = json!({"kind": "review", "puzzle": "hanoi", "instance": "1 1 1",
        "line": "1-3 1-2 3-2 1-3"});
    let validate = json!({"kind": "validate", "puzzle": "hanoi", "text": "1 1 1"});
    for job in [short(), review, validate] {
        document.request("/api/begin", &json!({ "job": job }));
        let answer = server.try_begin(&job).json();
        document.answer("/api/begin", "post", 200, &answer);
        for (_, found) in server.listen(answer["job"].as_str().unwrap(), 0) {
            document.check("event", event.clone(), &found);
        }
    }
}
