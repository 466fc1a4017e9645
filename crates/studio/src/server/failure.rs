//! Refused requests as answers: a status and the error body of the contract.

use crate::api::Refusal;
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::{Value, json};

/// Refused request.
#[derive(Debug)]
pub(super) struct Failure {
    status: StatusCode,
    error: Value,
}

impl Failure {
    /// Failure with a sentence for the reader.
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, error: json!({ "message": message.into() }) }
    }

    /// Unknown route, job or name.
    pub(super) fn unknown(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// Request from a foreign page, or without the token.
    pub(super) fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    /// Request that the contract refuses.
    pub(super) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// Failure that is no fault of the request.
    pub(super) fn internal(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// The error body without its status, for the end event of a job.
    pub(super) fn into_error(self) -> Value {
        self.error
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let error = serde_json::to_value(&refusal);
        Self {
            status: StatusCode::BAD_REQUEST,
            error: error.unwrap_or_else(|_| json!({ "message": "the request was refused" })),
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.status, Answer(json!({ "error": self.error }))).into_response()
    }
}

/// Answer in JSON.
pub(super) struct Answer<T>(pub(super) T);

impl<T: Serialize> IntoResponse for Answer<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(bytes) => written(bytes),
            Err(error) => {
                let message = format!("the answer cannot be written as JSON: {error}");
                (StatusCode::INTERNAL_SERVER_ERROR, message).into_response()
            }
        }
    }
}

/// Answer whose JSON is already written.
pub(super) fn written(json: Vec<u8>) -> Response {
    let kind = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, kind)], json).into_response()
}
