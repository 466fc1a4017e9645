//! The work of a job on its thread: steps of the search, events, the stored result.

use super::{
    Limits,
    job::Job,
    results::{Results, now},
};
use crate::api::{Api, Event, Most, Prepared, Refusal};
use serde_json::{Value, json};
use std::{
    mem::take,
    sync::Arc,
    time::{Duration, Instant},
};
use unriddle_catalog::{
    Cancel,
    tables::{
        Cache,
        cache::{Event as TableEvent, TableObserver},
    },
    units::show_count,
};
use unriddle_lab::row::Incumbent;

/// Most expansions of a step; steps end by time.
const EXPANSIONS: u64 = 1_000_000;

/// Time in which a search ends by its own limit before the limit of its job ends it.
const GRACE: Duration = Duration::from_secs(1);

/// Prepared job with the limits that it runs within.
pub(super) struct Work {
    prepared: Prepared,
    /// Limit of all of it, tables included.
    time: Duration,
    memory: u64,
    /// Size of its request in bytes.
    bytes: usize,
}

impl Work {
    /// Prepares the job of a request, within the limits of the server.
    ///
    /// # Errors
    /// The job is refused: an unknown field, a text with an error.
    pub(super) fn prepare(
        api: &Api,
        job: Value,
        bytes: usize,
        limits: &Limits,
    ) -> Result<Self, Refusal> {
        let is_long = job["seconds"].is_number();
        let time = if is_long { limits.longest } else { limits.time };
        let (memory, draw) = (limits.memory, limits.draw);
        let most = Most { time: Some(time), memory: Some(memory), draw, ..Most::default() };
        Ok(Self { prepared: api.prepare(job, &most)?, time, memory, bytes })
    }

    /// Size of its request in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Flag that ends the job.
    pub(super) fn cancel(&self) -> Cancel {
        self.prepared.cancel()
    }

    /// Runs the job to its end.
    pub(super) fn run(self, job: &Arc<Job>, cache: &Cache, results: &Results) {
        let (end, when) = (Instant::now() + self.time + GRACE, now());
        let mut incumbents = Vec::new();
        let cache = cache.within(Some(self.memory)).with_observer(observer(job, end));
        let mut run = self.prepared.begin(cache);
        while !run.has_ended() {
            if Instant::now() >= end && !job.is_cancelled() {
                job.note(&format!("stopped after {} s, the limit of a job", self.time.as_secs()));
                job.cancel();
            }
            for event in run.step(EXPANSIONS) {
                match &event {
                    Event::Improved { value, expanded, seconds, .. } => {
                        let (cpu_s, expanded, value) = (*seconds, *expanded, *value);
                        incumbents.push(Incumbent { cpu_s, expanded, value });
                    }
                    // A result is stored before anybody sees it.
                    Event::Ended { record: Some(record), .. } => {
                        let stored = results.store(record, when, take(&mut incumbents));
                        if let Err(error) = stored {
                            job.note(&format!("the result cannot be stored: {error}"));
                        }
                    }
                    _ => {}
                }
                job.push(serde_json::to_value(&event).unwrap_or_else(|error| {
                    let message = format!("an event cannot be written as JSON: {error}");
                    json!({ "kind": "ended", "cancelled": false, "error": { "message": message } })
                }));
            }
        }
    }
}

/// Observer of tables: notes for the listeners, and the end of a build that is not wanted any more.
fn observer(job: &Arc<Job>, end: Instant) -> Box<TableObserver> {
    let job = Arc::clone(job);
    Box::new(move |key, event| {
        match event {
            TableEvent::Waiting => {
                job.note(&format!("waiting for {key}, which another program builds"));
            }
            TableEvent::Building { entries } => {
                job.note(&format!("building {key} ({} entries, once)", show_count(*entries)));
            }
            TableEvent::Progress(progress) => {
                let percent = 100 * progress.done / progress.total.max(1);
                job.push(json!({
                    "kind": "stats", "expanded": 0, "generated": 0, "seconds": 0.0,
                    "note": format!("building {key}: {percent} %"),
                }));
            }
            TableEvent::Built { stored: Err(error) } => {
                job.note(&format!("{key} is used now, but cannot be stored: {error}"));
            }
            TableEvent::Stale { why, .. } => {
                job.note(&format!("{key} is stale and is built again: {why}"));
            }
            TableEvent::TooSlow => {
                job.note(&format!("{key} is not built: it takes longer than the time limit"));
            }
            TableEvent::Built { stored: Ok(_) } | TableEvent::Opened => {}
        }
        !job.is_cancelled() && Instant::now() < end
    })
}
