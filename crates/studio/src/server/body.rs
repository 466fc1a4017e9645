//! Bodies of requests, within limits of size, time and number.

use super::{failure::Failure, routes::Site};
use axum::{
    body::{Bytes, to_bytes},
    extract::Request,
    http::{StatusCode, header},
};
use tokio::time::timeout;

/// Largest body of most requests, in bytes.
pub(super) const SMALL: usize = 1 << 20;

/// Largest body of a request with the text of a file.
pub(super) const LARGE: usize = 64 << 20;

/// Failure of a body above a limit.
pub(super) fn too_large(limit: usize) -> Failure {
    let message = format!(
        "the request is too large: at most {} MiB are accepted; send fewer or smaller instances",
        limit >> 20
    );
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

/// Reads the body of a request.
///
/// # Errors
/// The body is larger than `limit`, takes too long, or its connection breaks.
pub(super) async fn read(request: Request, limit: usize, site: &Site) -> Result<Bytes, Failure> {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > limit) {
        return Err(too_large(limit));
    }
    // A few large bodies at a time bound the memory of all connections.
    let is_large = limit > SMALL && length.is_none_or(|length| length > SMALL);
    let stopping = |_| Failure::internal("the server is stopping");
    let _permit = match is_large {
        true => Some(site.reading.acquire().await.map_err(stopping)?),
        false => None,
    };
    match timeout(site.limits.patience, to_bytes(request.into_body(), limit)).await {
        Ok(Ok(body)) => Ok(body),
        // A length that was announced is within the limit.
        Ok(Err(_)) if length.is_none() => Err(too_large(limit)),
        Ok(Err(error)) => Err(Failure::bad(format!("the body of the request is cut: {error}"))),
        Err(_) => {
            let message = "the body of the request takes too long; send it again";
            Err(Failure::new(StatusCode::REQUEST_TIMEOUT, message))
        }
    }
}
