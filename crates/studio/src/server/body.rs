//! Bodies of requests, within limits of size, time and number.

use super::failure::Failure;
use axum::{
    body::{Bytes, to_bytes},
    extract::Request,
    http::{StatusCode, header},
};
use std::time::Duration;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};

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

/// Body that was read.
pub(super) struct Body<'a> {
    pub(super) bytes: Bytes,
    /// Held as long as the bytes are used.
    _permit: Option<SemaphorePermit<'a>>,
}

/// Reader of bodies.
pub(super) struct Reader {
    /// Time for a body.
    patience: Duration,
    /// Large bodies that are used at the same time: their number bounds the memory of all
    /// connections.
    large: Semaphore,
}

impl Reader {
    /// Reader of bodies that come within `patience`.
    pub(super) fn new(patience: Duration) -> Self {
        Self { patience, large: Semaphore::new(2) }
    }

    /// Reads the body of a request.
    ///
    /// # Errors
    /// The body is larger than `limit`, takes too long, or its connection breaks.
    pub(super) async fn read(&self, request: Request, limit: usize) -> Result<Body<'_>, Failure> {
        let length = request.headers().get(header::CONTENT_LENGTH);
        let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        if length.is_some_and(|length| length > limit) {
            return Err(too_large(limit));
        }
        let is_large = limit > SMALL && length.is_none_or(|length| length > SMALL);
        let stopping = |_| Failure::internal("the server is stopping");
        let permit = match is_large {
            true => Some(self.large.acquire().await.map_err(stopping)?),
            false => None,
        };
        match timeout(self.patience, to_bytes(request.into_body(), limit)).await {
            Ok(Ok(bytes)) => Ok(Body { bytes, _permit: permit }),
            // A length that was announced is within the limit.
            Ok(Err(_)) if length.is_none() => Err(too_large(limit)),
            Ok(Err(error)) => Err(Failure::bad(format!("the body of the request is cut: {error}"))),
            Err(_) => {
                let message = "the body of the request takes too long; send it again";
                Err(Failure::new(StatusCode::REQUEST_TIMEOUT, message))
            }
        }
    }
}
