//! The OpenAPI document of the server, made of the types of requests and answers. The test compares
//! it with `openapi.json`, which the server returns.
//!
//! Set `UPDATE_GOLDEN` to write the file again, and review the changes.

use super::{
    experiments::{self, Experiment},
    results,
    runs::{self, RunLog},
};
use crate::api::{Answer, Api, Event, JobRequest, Refusal, Request};
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

/// Finished solves.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes an answer")]
struct Results {
    /// The newest first.
    results: Vec<results::Solved>,
}

/// Experiments.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes an answer")]
struct Experiments {
    /// In the order of the databases.
    experiments: Vec<experiments::ExperimentSummary>,
}

/// Runs.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes an answer")]
struct Runs {
    /// Sorted by name.
    runs: Vec<runs::RunSummary>,
}

/// Path of the types in the document.
const TYPES: &str = "#/components/schemas";

/// Variant of the answers that a request has, by the field that no other variant has. The answer
/// without a field is a type of its own.
const ANSWERS: &[(&str, &str)] = &[
    ("puzzles", "puzzles"),
    ("expressions", "expressions"),
    ("load", "instances"),
    ("generate", "instances"),
    ("deal", "instances"),
    ("edit", "instances"),
    ("frames", "frames"),
    ("film", "svg"),
    ("forms", "solution"),
    ("spec", "solver"),
    ("networks", "networks"),
    ("position", ""),
    ("sketch", "sketch"),
];

/// Generators of schemas of requests and of answers.
struct Types {
    requests: SchemaGenerator,
    answers: SchemaGenerator,
}

impl Types {
    fn new() -> Self {
        let settings =
            || SchemaSettings::draft2020_12().with(|s| s.definitions_path = TYPES[1..].into());
        Self {
            requests: settings().for_deserialize().into_generator(),
            answers: settings().for_serialize().into_generator(),
        }
    }

    fn request<T: JsonSchema>(&mut self) -> Value {
        self.requests.root_schema_for::<T>().to_value()
    }

    fn answer<T: JsonSchema>(&mut self) -> Value {
        self.answers.subschema_for::<T>().to_value()
    }

    /// Types that others refer to.
    fn all(&mut self) -> Value {
        let mut all = Map::new();
        all.extend(self.answers.take_definitions(true));
        all.extend(self.requests.take_definitions(true));
        Value::Object(all)
    }
}

/// The variants of a type with several.
fn variants(schema: &Value) -> &Vec<Value> {
    ["oneOf", "anyOf"].iter().find_map(|name| schema[name].as_array()).expect("variants")
}

/// The fields of a request, which its address names.
fn fields(request: &Value, verb: &str) -> Value {
    let is_of = |variant: &&Value| variant["properties"]["verb"]["const"] == verb;
    let mut fields = variants(request).iter().find(is_of).expect(verb).clone();
    fields["properties"].as_object_mut().unwrap().remove("verb");
    if let Some(required) = fields["required"].as_array_mut() {
        required.retain(|name| name != "verb");
    }
    fields
}

fn content(schema: &Value) -> Value {
    json!({ "application/json": { "schema": schema } })
}

fn answered(text: &str, schema: &Value, refused: &[(u16, &str)]) -> Value {
    let mut all = json!({ "200": { "description": text, "content": content(schema) } });
    for (status, text) in refused {
        all[status.to_string()] = json!({ "$ref": format!("#/components/responses/{text}") });
    }
    all
}

fn parameter(name: &str, kind: &str, place: &str, text: &str) -> Value {
    json!({
        "name": name, "in": place, "required": place == "path", "description": text,
        "schema": { "type": kind },
    })
}

/// Describes requests that read: address, text, parameters, answer.
fn reading(summary: &str, parameters: &[Value], schema: &Value) -> Value {
    json!({ "get": {
        "summary": summary, "parameters": parameters,
        "responses": answered("The answer.", schema, &[(400, "refused"), (403, "foreign"), (404, "unknown")]),
    } })
}

fn document() -> Value {
    let mut types = Types::new();
    let request = types.request::<Request>();
    let answers = variants(&types.answer_of_all()).clone();
    let mut paths = Map::new();
    for &verb in Api::VERBS {
        let (_, field) = ANSWERS.iter().find(|(name, _)| *name == verb).expect(verb);
        let variant = |answer: &&Value| match *field {
            "" => !answer["$ref"].is_null(),
            field => !answer["properties"][field].is_null(),
        };
        let answer = answers.iter().find(variant).expect(verb);
        let fields = fields(&request, verb);
        let refused = [(400, "refused"), (403, "foreign"), (413, "large"), (500, "crashed")];
        paths.insert(
            format!("/api/{verb}"),
            json!({ "post": {
            "summary": fields["description"],
            "requestBody": { "required": true, "content": content(&fields) },
            "responses": answered("The answer.", answer, &refused),
        } }),
        );
    }
    let _ = types.requests.subschema_for::<JobRequest>();
    let event = types.answer::<Event>();
    let token = parameter("X-Unriddle-Token", "string", "header", "Token of the page.");
    let job = parameter("job", "string", "path", "Name of the job.");
    let name = |text: &str| parameter("name", "string", "path", text);
    let named = json!({ "type": "object", "required": ["job"],
        "properties": { "job": { "type": "string" } } });
    paths.insert(
        "/api/begin".into(),
        json!({ "post": {
        "summary": "Begins a job, or lets it wait for others.",
        "parameters": [token],
        "requestBody": { "required": true, "content": content(&json!({
            "type": "object", "required": ["job"], "additionalProperties": false,
            "properties": { "job": { "$ref": format!("{TYPES}/JobRequest") } },
        })) },
        "responses": answered("Name of the job.", &named, &[
            (400, "refused"), (403, "foreign"), (413, "large"), (429, "busy"), (500, "crashed"),
        ]),
    } }),
    );
    paths.insert(
        "/api/jobs/{job}".into(),
        json!({ "delete": {
        "summary": "Cancels a job; its end event has the best solution so far.",
        "parameters": [job, token],
        "responses": answered("The job ends.", &json!({ "type": "object" }),
            &[(403, "foreign"), (404, "unknown")]),
    } }),
    );
    let after = parameter("after", "integer", "query", "Number of the last event that is known.");
    let last =
        parameter("Last-Event-ID", "integer", "header", "The same, of a browser that resumes.");
    paths.insert(
        "/api/jobs/{job}/events".into(),
        json!({ "get": {
        "summary": "Events of a job as server-sent events, each with its number as `id`.",
        "parameters": [job, after, last],
        "responses": {
            "200": { "description": "Events to the end of the job.",
                "content": { "text/event-stream": { "schema": event } } },
            "204": { "description": "The job has ended, and all its events are known." },
            "400": { "$ref": "#/components/responses/refused" },
            "403": { "$ref": "#/components/responses/foreign" },
            "404": { "$ref": "#/components/responses/unknown" },
        },
    } }),
    );
    let number = |name: &str, text: &str| parameter(name, "integer", "query", text);
    let word = |name: &str, text: &str| parameter(name, "string", "query", text);
    let limit = number("limit", "Most entries of the answer.");
    let schema = types.answer::<Results>();
    paths.insert(
        "/api/results".into(),
        reading("Finished solves, the newest first.", std::slice::from_ref(&limit), &schema),
    );
    let schema = types.answer::<Experiments>();
    paths.insert("/api/experiments".into(), reading("Experiments of the lab.", &[], &schema));
    let schema = types.answer::<Experiment>();
    let filters = [
        name("Name of the experiment."),
        word("solver", "Spec of the solver."),
        word("status", "Status."),
        word("instance", "Name or text of the instance."),
        number("skip", "Number of runs that are left out before the first one."),
        limit,
    ];
    paths.insert(
        "/api/experiments/{name}".into(),
        reading("Runs of an experiment.", &filters, &schema),
    );
    let schema = types.answer::<Runs>();
    paths.insert(
        "/api/runs".into(),
        reading("Runs of training, tuning and evolution.", &[], &schema),
    );
    let schema = types.answer::<RunLog>();
    let parameters = [name("Name of the run.")];
    paths.insert(
        "/api/runs/{name}".into(),
        reading("Log of a run, as far as it is.", &parameters, &schema),
    );
    let error = types.answer::<Refusal>();
    let error =
        json!({ "type": "object", "required": ["error"], "properties": { "error": error } });
    let refusal = |text: &str| json!({ "description": text, "content": content(&error) });
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "unriddle",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Requests of the page. The module for browsers answers the same requests, \
                with the verb as a field.",
        },
        "paths": paths,
        "components": {
            "schemas": types.all(),
            "responses": {
                "refused": refusal("The request is refused, with the position of the error."),
                "foreign": refusal("The request is not of the page, or lacks its token."),
                "unknown": refusal("There is nothing of this name."),
                "large": refusal("The request is too large."),
                "busy": refusal("Too many jobs wait."),
                "crashed": refusal("The rules of a puzzle crashed."),
            },
        },
    })
}

impl Types {
    /// Schema of all answers, whose variants are types of their own.
    fn answer_of_all(&mut self) -> Value {
        let schema = self.answers.subschema_for::<Answer>().to_value();
        assert!(schema["$ref"].is_string(), "{schema}");
        self.answers.definitions_mut().remove("Answer").expect("a type")
    }
}

#[test]
fn document_describes_the_types() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
    let new = format!("{:#}\n", document());
    if option_env!("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &new).unwrap();
    }
    let known = std::fs::read_to_string(path).unwrap();
    assert!(known == new, "openapi.json is stale; UPDATE_GOLDEN=1 writes it again");
}
