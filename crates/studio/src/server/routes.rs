//! Routes: each request of a page and the part of the server that answers it.

use super::{
    Limits,
    body::{LARGE, Reader, SMALL, too_large},
    events,
    experiments::{Experiments, Filter},
    failure::{Answer, Failure, written},
    guard::Guard,
    page,
    queue::{Queue, panicked},
    results::Results,
    runs::Runs,
    work::Work,
};
use crate::api::Api;
use axum::{
    Router,
    extract::{Path, Query, Request, State, rejection::QueryRejection},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::{delete, get, post},
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};
use tokio::{sync::Semaphore, task::spawn_blocking};

/// Requests whose bodies hold the texts of files.
const OF_FILES: &[&str] = &["load", "edit"];

/// Most results of an answer.
const MOST_RESULTS: usize = 1_000;

/// Everything that answers need.
pub(super) struct Site {
    pub(super) api: Api,
    pub(super) guard: Guard,
    pub(super) limits: Limits,
    pub(super) queue: Arc<Queue>,
    pub(super) results: Arc<Results>,
    pub(super) experiments: Experiments,
    pub(super) runs: Runs,
    /// Pure requests that are answered at the same time.
    pub(super) answering: Semaphore,
    pub(super) bodies: Reader,
}

type Shared = Arc<Site>;
type Answered = Result<Response, Failure>;

/// The routes of a site.
pub(super) fn router(site: Shared) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/api/begin", post(begin))
        .route("/api/jobs/{job}", delete(cancel))
        .route("/api/jobs/{job}/events", get(listen))
        .route("/api/results", get(results))
        .route("/api/experiments", get(experiments))
        .route("/api/experiments/{name}", get(experiment))
        .route("/api/runs", get(runs))
        .route("/api/runs/{name}", get(run))
        .route("/api/{verb}", post(verb).get(asset))
        .fallback(asset)
        .method_not_allowed_fallback(not_allowed)
        .layer(from_fn_with_state(Arc::clone(&site), guarded))
        .with_state(site)
}

/// Refuses foreign requests, and adds the headers that all answers have.
async fn guarded(State(site): State<Shared>, request: Request, next: Next) -> Response {
    let is_of_api = request.uri().path().starts_with("/api/");
    let checked = site.guard.check(request.method(), request.uri(), request.headers());
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(failure) => failure.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; \
             worker-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
        ),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if is_of_api || !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

async fn index(State(site): State<Shared>) -> Response {
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    ([(header::CONTENT_TYPE, kind)], page::index(site.guard.token())).into_response()
}

/// A file of the page, or the answer to an unknown route.
async fn asset(method: Method, request: Request) -> Answered {
    let path = request.uri().path();
    if method != Method::GET && method != Method::HEAD {
        return Err(unknown(path));
    }
    page::file(path, request.headers()).ok_or_else(|| unknown(path))
}

fn unknown(path: &str) -> Failure {
    match path.starts_with("/api/") {
        true => Failure::unknown("there is no such request; /api/openapi.json describes all"),
        false => Failure::unknown("there is no such file; the page is at /"),
    }
}

async fn not_allowed() -> Failure {
    let message = "this route has another method; /api/openapi.json describes all";
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, message)
}

/// Runs work that may take a while, or panic, on a thread of its own.
async fn aside<T: Send + 'static>(
    site: &Shared,
    work: impl FnOnce(&Site) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let stopped = || Failure::internal("the server is stopping");
    let _permit = site.answering.acquire().await.map_err(|_| stopped())?;
    let site = Arc::clone(site);
    let caught = move || catch_unwind(AssertUnwindSafe(|| work(&site)));
    match spawn_blocking(caught).await {
        Ok(Ok(done)) => done,
        Ok(Err(panic)) => Err(panicked(&*panic)),
        Err(_) => Err(stopped()),
    }
}

async fn verb(State(site): State<Shared>, Path(verb): Path<String>, request: Request) -> Answered {
    if !Api::VERBS.contains(&verb.as_str()) {
        return Err(unknown(request.uri().path()));
    }
    let limit = if OF_FILES.contains(&verb.as_str()) { LARGE } else { SMALL };
    let body = site.bodies.read(request, limit).await?;
    let bytes = body.bytes.clone();
    let answer = aside(&site, move |site| {
        let answer = site.api.answer(&verb, parsed(&bytes)?)?;
        serde_json::to_vec(&answer).map_err(|error| Failure::internal(error.to_string()))
    });
    Ok(written(answer.await?))
}

/// The fields of a request.
fn parsed(body: &[u8]) -> Result<Value, Failure> {
    if body.is_empty() {
        return Ok(json!({}));
    }
    let value = serde_json::from_slice(body);
    value.map_err(|error| Failure::bad(format!("the body of the request is not JSON: {error}")))
}

async fn begin(State(site): State<Shared>, request: Request) -> Answered {
    let body = site.bodies.read(request, LARGE).await?;
    let bytes = body.bytes.clone();
    let is_large = bytes.len() > SMALL;
    let queue = Arc::clone(&site.queue);
    let begun = aside(&site, move |site| {
        let mut fields = parsed(&bytes)?;
        let job = fields["job"].take();
        if is_large && job["kind"] != "validate" {
            return Err(too_large(SMALL));
        }
        if !job.is_object() {
            return Err(Failure::bad("the field `job` is missing; it is an object with a `kind`"));
        }
        queue.add(Work::prepare(&site.api, job, bytes.len(), &site.limits)?)
    });
    Ok(Answer(json!({ "job": begun.await? })).into_response())
}

async fn cancel(State(site): State<Shared>, Path(id): Path<String>) -> Answered {
    let job = site.queue.get(&id).ok_or_else(no_job)?;
    site.queue.cancel(&job);
    Ok(Answer(json!({})).into_response())
}

fn no_job() -> Failure {
    Failure::unknown(
        "there is no such job; it has ended some time ago, or the server was started again",
    )
}

/// Query of a stream of events.
#[derive(Deserialize)]
struct After {
    after: Option<u64>,
}

async fn listen(
    State(site): State<Shared>,
    Path(id): Path<String>,
    query: Result<Query<After>, QueryRejection>,
    headers: HeaderMap,
) -> Answered {
    let job = site.queue.get(&id).ok_or_else(no_job)?;
    let Query(After { after }) = query.map_err(wrong)?;
    // A browser that connects again sends the header, and the address of its first connection.
    let last =
        match headers.get("last-event-id").map(|id| id.to_str().unwrap_or_default()) {
            None | Some("") => None,
            Some(id) => Some(id.parse().map_err(|_| {
                Failure::bad("the header Last-Event-ID is not the number of an event")
            })?),
        };
    Ok(events::stream(job.listen(), last.or(after).unwrap_or(0), site.limits.beat))
}

#[expect(clippy::needless_pass_by_value, reason = "an argument of `map_err`")]
fn wrong(rejection: QueryRejection) -> Failure {
    Failure::bad(rejection.body_text())
}

/// Query of the results.
#[derive(Deserialize)]
struct Limit {
    limit: Option<usize>,
}

async fn results(
    State(site): State<Shared>,
    query: Result<Query<Limit>, QueryRejection>,
) -> Answered {
    let Query(Limit { limit }) = query.map_err(wrong)?;
    let limit = limit.unwrap_or(50).min(MOST_RESULTS);
    let last = aside(&site, move |site| site.results.last(limit).map_err(unread));
    Ok(Answer(json!({ "results": last.await? })).into_response())
}

/// Failure of a database.
#[expect(clippy::needless_pass_by_value, reason = "an argument of `map_err`")]
fn unread(error: impl ToString) -> Failure {
    Failure::internal(error.to_string())
}

async fn experiments(State(site): State<Shared>) -> Answered {
    let all = aside(&site, |site| site.experiments.list().map_err(unread));
    Ok(Answer(json!({ "experiments": all.await? })).into_response())
}

async fn experiment(
    State(site): State<Shared>,
    Path(name): Path<String>,
    query: Result<Query<Filter>, QueryRejection>,
) -> Answered {
    let Query(filter) = query.map_err(wrong)?;
    let found = aside(&site, move |site| site.experiments.get(&name, &filter).map_err(unread));
    let found = found.await?;
    let none = || Failure::unknown("there is no such experiment; /api/experiments lists all");
    Ok(Answer(found.ok_or_else(none)?).into_response())
}

async fn runs(State(site): State<Shared>) -> Answered {
    let all = aside(&site, |site| Ok(site.runs.list()));
    Ok(Answer(json!({ "runs": all.await? })).into_response())
}

async fn run(State(site): State<Shared>, Path(name): Path<String>) -> Answered {
    let found = aside(&site, move |site| site.runs.get(&name).map_err(unread)).await?;
    let none = || Failure::unknown("there is no such run; /api/runs lists all");
    Ok(Answer(found.ok_or_else(none)?).into_response())
}
