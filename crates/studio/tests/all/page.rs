//! Files of the page and the headers of answers.

use crate::client::{Running, settings};
use serde_json::json;

#[test]
fn files_have_types_tags_and_policies() {
    let server = Running::start(settings());
    let index = server.get("/");
    assert_eq!(index.headers["content-type"], "text/html; charset=utf-8");
    assert_eq!(index.headers["cache-control"], "no-store");
    assert!(index.text().contains("<meta name=\"unriddle-engine\" content=\"server\""));
    assert_eq!(server.token.len(), 32);
    // Every file that the page names is there.
    for part in index.text().split(['"', '\'']).filter(|part| part.starts_with("page.")) {
        assert_eq!(server.get(&format!("/{part}")).status, 200, "{part}");
    }
    for (path, kind) in [
        ("/page.js", "text/javascript"),
        ("/page.css", "text/css"),
        ("/worker.js", "text/javascript"),
    ] {
        let file = server.get(path);
        assert!(file.headers["content-type"].starts_with(kind), "{path}");
        assert_eq!(file.headers["cache-control"], "no-cache");
        let tag = &file.headers["etag"];
        let known = format!("If-None-Match: {tag}");
        let again = server.send(&format!("GET {path}"), &[&known], b"");
        assert_eq!((again.status, again.body.len()), (304, 0));
        let other = server.send(&format!("GET {path}"), &["If-None-Match: \"0\""], b"");
        assert_eq!(other.body, file.body);
    }
    let answer = server.ask("puzzles", &json!({}));
    assert_eq!(answer.headers["content-type"], "application/json");
    assert_eq!(answer.headers["cache-control"], "no-store");
    for answer in [index, answer, server.get("/nothing")] {
        let headers = answer.headers;
        assert_eq!(headers["x-content-type-options"], "nosniff");
        assert_eq!(headers["x-frame-options"], "DENY");
        assert_eq!(headers["referrer-policy"], "no-referrer");
        let policy = &headers["content-security-policy"];
        assert!(policy.starts_with("default-src 'self'; img-src 'self' data: blob:;"), "{policy}");
    }
}
