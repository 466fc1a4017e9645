//! Refused requests: foreign, unknown, oversized, malformed.

use crate::client::{Answer, Running, settings, short};
use serde_json::json;
use std::time::{Duration, Instant};

fn raw(server: &Running, head: &str) -> Answer {
    Answer::read(&mut server.raw(head.as_bytes()))
}

#[test]
fn foreign_hosts_are_refused() {
    let server = Running::start(settings());
    let port = server.port;
    let with =
        |host: &str| raw(&server, &format!("GET / HTTP/1.1\r\n{host}Connection: close\r\n\r\n"));
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")]
    {
        assert_eq!(with(&format!("Host: {host}\r\n")).status, 200, "{host}");
    }
    for host in [
        "example.org".to_owned(),
        format!("example.org:{port}"),
        format!("localhost.example.org:{port}"),
        "127.0.0.1".to_owned(),
        "127.0.0.1:1".to_owned(),
        String::new(),
    ] {
        let message = with(&format!("Host: {host}\r\n")).refusal(403);
        assert!(
            message.starts_with("the header Host does not name this server; open"),
            "{message}"
        );
    }
    with("").refusal(403);
    with(&format!("Host: 127.0.0.1:{port}\r\nHost: example.org\r\n")).refusal(403);
    let absolute = format!("GET http://example.org/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    raw(&server, &absolute).refusal(403);
}

#[test]
fn foreign_origins_are_refused() {
    let server = Running::start(settings());
    let body = b"{}";
    let with = |origin: &str| server.send("POST /api/puzzles", &[origin], body);
    assert_eq!(with(&format!("Origin: http://127.0.0.1:{}", server.port)).status, 200);
    for origin in [
        "http://example.org".to_owned(),
        "null".to_owned(),
        format!("https://127.0.0.1:{}", server.port),
        format!("http://localhost:{}", server.port),
        "http://127.0.0.1:1".to_owned(),
    ] {
        with(&format!("Origin: {origin}")).refusal(403);
    }
}

#[test]
fn changes_need_the_token() {
    let server = Running::start(settings());
    let body = json!({ "job": short() }).to_string();
    let job = server.begin(&short());
    for header in
        ["X-Other: 1", "X-Unriddle-Token:", "X-Unriddle-Token: 0123456789abcdef0123456789abcdef"]
    {
        let message = server.send("POST /api/begin", &[header], body.as_bytes()).refusal(403);
        assert!(message.ends_with("reload the page"), "{message}");
        server.send(&format!("DELETE /api/jobs/{job}"), &[header], b"").refusal(403);
    }
    assert_eq!(server.delete(&job).status, 200);
    let other = Running::start(settings());
    assert_ne!(other.token, server.token);
    assert_ne!(job, server.begin(&short()));
}

#[test]
fn unknown_routes_are_refused_without_reading() {
    let server = Running::start(settings());
    for path in [
        "/api/unknown",
        "/api/",
        "/api/jobs",
        "/nothing",
        "/../Cargo.toml",
        "/page/../../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/..%2fCargo.toml",
        "//etc/passwd",
        "/page.js/",
        "/./page.js",
        "/api/runs/..%2f..%2fetc",
        "/api/experiments/%2e%2e%2fx",
        "/api/runs/%00",
    ] {
        let message = server.get(path).refusal(404);
        assert!(message.starts_with("there is no such"), "{path}: {message}");
    }
    // The bodies are announced and never sent.
    for path in ["/api/unknown", "/nothing"] {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 1000\r\n\r\n",
            server.port
        );
        raw(&server, &head).refusal(404);
    }
    server.get("/api/jobs/0/events").refusal(404);
    server.delete("0").refusal(404);
    server.send("PUT /", &[], b"").refusal(405);
    server.send("POST /", &[], b"").refusal(405);
    server.get("/api/begin").refusal(405);
}

#[test]
fn oversized_bodies_are_refused() {
    let server = Running::start(settings());
    let head = |path: &str, length: usize| {
        format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nX-Unriddle-Token: {}\r\n\
             Content-Length: {length}\r\n\r\n",
            server.port, server.token
        )
    };
    for (path, length, limit) in [
        ("/api/position", (1 << 20) + 1, 1),
        ("/api/load", (64 << 20) + 1, 64),
        ("/api/begin", 100 << 20, 64),
    ] {
        let message = raw(&server, &head(path, length)).refusal(413);
        assert!(message.contains(&format!("at most {limit} MiB")), "{path}: {message}");
    }
    // A body without an announced length.
    let mut text = format!(
        "POST /api/position HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nTransfer-Encoding: chunked\r\n\r\n",
        server.port
    );
    let piece = "x".repeat(1 << 16);
    (0..17).for_each(|_| text += &format!("10000\r\n{piece}\r\n"));
    raw(&server, &text).refusal(413);
    // A long instance of a solve.
    let instance = "1 ".repeat(1 << 20);
    let job = json!({"kind": "solve", "puzzle": "hanoi", "instance": instance});
    server.try_begin(&job).refusal(413);
    // A text within the limit is read.
    let text = "1 ".repeat(3 << 19);
    let answer = server.ask("load", &json!({"puzzle": "hanoi", "text": text}));
    assert!(answer.status == 200 || answer.status == 400, "{}", answer.status);
}

#[test]
fn malformed_requests_are_refused() {
    let server = Running::start(settings());
    let ask = |body: &str| server.send("POST /api/load", &[], body.as_bytes()).refusal(400);
    assert!(ask("{").starts_with("the body of the request is not JSON"));
    for body in ["{", "[]", "1", "null", "{\"puzzle\": 1}", "{\"puzzle\": \"hanoi\"}", "\u{fffd}"] {
        ask(body);
    }
    let message = ask("{\"puzzle\": \"hanoi\", \"text\": \"1\", \"more\": 1}");
    assert!(message.contains("more"), "{message}");
    let refused = server.ask("load", &json!({"puzzle": "hanoi", "text": "1 9"}));
    assert_eq!(refused.status, 400);
    let error = &refused.json()["error"];
    assert_eq!(
        (&error["line"], &error["column"], &error["field"]),
        (&json!(1), &json!(3), &json!("text"))
    );
    for job in [
        json!(null),
        json!(1),
        json!({}),
        json!({"kind": "other"}),
        json!({"kind": "solve", "puzzle": "nothing", "instance": "1"}),
        json!({"kind": "solve", "puzzle": "hanoi", "instance": "1 1", "solver": "nothing"}),
        json!({"kind": "solve", "puzzle": "hanoi", "instance": "1 1", "preset": "nothing"}),
        json!({"kind": "solve", "puzzle": "hanoi", "instance": "1 1", "seconds": -1}),
        json!({"kind": "review", "puzzle": "hanoi", "instance": "1 1", "line": "9-9"}),
    ] {
        server.try_begin(&job).refusal(400);
    }
    server.get("/api/results?limit=x").refusal(400);
    server.get("/api/experiments/x?nothing=1").refusal(400);
    let job = server.begin(&short());
    server.get(&format!("/api/jobs/{job}/events?after=x")).refusal(400);
    server.send(&format!("GET /api/jobs/{job}/events"), &["Last-Event-ID: x"], b"").refusal(400);
}

#[test]
fn connections_are_limited() {
    let server = Running::within(|limits| {
        (limits.connections, limits.patience) = (3, Duration::from_millis(400));
    });
    // Idle connections hold others up until their time is over.
    let idle: Vec<_> = (0..6).map(|_| server.raw(b"GET / HTTP/1.1\r\n")).collect();
    let begun = Instant::now();
    assert_eq!(server.get("/").status, 200);
    assert!(begun.elapsed() > Duration::from_millis(300), "{:?}", begun.elapsed());
    drop(idle);
}

#[test]
fn heads_are_limited_in_size_and_time() {
    let server = Running::within(|limits| limits.patience = Duration::from_millis(300));
    let many: String = (0..100).map(|n| format!("X-{n}: 1\r\n")).collect();
    let long = format!("X-Long: {}\r\n", "x".repeat(1 << 17));
    for headers in [many, long] {
        let head = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{headers}\r\n", server.port);
        let status = raw(&server, &head).status;
        assert!(status == 431 || status == 0, "{status}");
    }
    assert!([0, 400].contains(&raw(&server, "nothing\r\n\r\n").status));
    // A head, and a body, that do not come.
    assert_eq!(raw(&server, "GET / HTTP/1.1\r\nHost: ").status, 0);
    let head = format!(
        "POST /api/load HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 10\r\n\r\n{{",
        server.port
    );
    raw(&server, &head).refusal(408);
    assert_eq!(server.get("/").status, 200);
}
