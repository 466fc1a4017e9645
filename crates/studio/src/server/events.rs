//! Server-sent events: the events of a job as a stream that a browser resumes.

use super::job::Listener;
use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use http_body::Frame;
use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::{
    select,
    sync::mpsc,
    time::{Instant, MissedTickBehavior, interval_at},
};

/// Size from which a piece of the stream is sent.
const PIECE: usize = 1 << 16;

/// Sign of life. Comments of the protocol would be invisible to the page.
const BEAT: &str = "data: {\"kind\":\"beat\"}\n\n";

/// Answer with the events after the number `after`. After an empty answer a
/// browser does not connect again: the job has ended and the listener has its end event.
pub(super) fn stream(listener: Listener, after: u64, beat: Duration) -> Response {
    if listener.0.has_ended() && after >= listener.0.last() {
        return StatusCode::NO_CONTENT.into_response();
    }
    let (pieces, receiver) = mpsc::channel(4);
    tokio::spawn(send(listener, after, beat, pieces));
    let kind = HeaderValue::from_static("text/event-stream");
    let body = Body::new(Pieces(receiver));
    ([(header::CONTENT_TYPE, kind)], body).into_response()
}

/// Sends events until the job has ended or the listener has gone.
async fn send(listener: Listener, mut at: u64, beat: Duration, pieces: mpsc::Sender<Bytes>) {
    let job = &listener.0;
    let mut news = job.news();
    let mut pulse = interval_at(Instant::now() + beat, beat);
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut piece = String::from("retry: 1000\n\n");
    loop {
        // Events that come after this line are seen by `changed`.
        news.borrow_and_update();
        let mut is_end = false;
        for entry in job.after(at) {
            at = entry.id;
            is_end |= entry.is_end;
            piece += &format!("id: {at}\ndata: {}\n\n", entry.text);
            if piece.len() >= PIECE && pieces.send(std::mem::take(&mut piece).into()).await.is_err()
            {
                return;
            }
        }
        if !piece.is_empty() && pieces.send(std::mem::take(&mut piece).into()).await.is_err() {
            return;
        }
        if is_end {
            return;
        }
        select! {
            changed = news.changed() => if changed.is_err() { return },
            _ = pulse.tick() => piece += BEAT,
            () = pieces.closed() => return,
        }
    }
}

/// Body of the pieces of a stream.
struct Pieces(mpsc::Receiver<Bytes>);

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
    }
}
