//! The files of the page, which are part of the program.

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use xxhash_rust::xxh3::xxh3_128;

/// File of the page.
struct Asset {
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

/// The list of files: name and media type.
macro_rules! assets {
    ($($name:literal: $kind:literal,)*) => {
        &[$(Asset {
            path: concat!("/", $name),
            kind: $kind,
            bytes: include_bytes!(concat!("../../page/", $name)),
        },)*]
    };
}

const ASSETS: &[Asset] = assets! {
    "page.js": "text/javascript; charset=utf-8",
    "page.css": "text/css; charset=utf-8",
    "worker.js": "text/javascript; charset=utf-8",
};

const INDEX: &str = include_str!("../../page/index.html");

/// Description of the requests and answers.
const OPENAPI: Asset = Asset {
    path: "/api/openapi.json",
    kind: "application/json",
    bytes: include_bytes!("../../openapi.json"),
};

/// Page with the token of a server.
pub(super) fn index(token: &str) -> String {
    let meta = |name: &str, content: &str| format!("<meta name=\"{name}\" content=\"{content}\"");
    INDEX
        .replace(&meta("unriddle-token", ""), &meta("unriddle-token", token))
        .replace(&meta("unriddle-engine", ""), &meta("unriddle-engine", "server"))
}

/// Answer for the path of a file; `None` if there is no such file. A path is compared with the list
/// and never opened.
pub(super) fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    let asset = ASSETS.iter().find(|asset| asset.path == path);
    let asset = asset.or_else(|| (path == OPENAPI.path).then_some(&OPENAPI));
    let asset = asset?;
    let tag = format!("\"{:032x}\"", xxh3_128(asset.bytes));
    let known = headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
    let is_known = known.is_some_and(|known| known.split(',').any(|one| one.trim() == tag));
    let text = |text: &str| HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static(""));
    let about = [
        (header::ETAG, text(&tag)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::CONTENT_TYPE, text(asset.kind)),
    ];
    Some(match is_known {
        true => (StatusCode::NOT_MODIFIED, about).into_response(),
        false => (about, asset.bytes).into_response(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_contains_token_and_engine() {
        let page = index("0123");
        assert!(page.contains("<meta name=\"unriddle-token\" content=\"0123\""));
        assert!(page.contains("<meta name=\"unriddle-engine\" content=\"server\""));
    }
}
