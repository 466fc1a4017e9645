//! A job of the server: its events, its listeners and its cancel flag.

use super::log::{Entry, Log};
use serde_json::{Value, json};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::watch;
use unriddle_catalog::Cancel;

/// Shortest time between two `stats` without a note.
const STATS: Duration = Duration::from_millis(90);

/// Locks a mutex, also after a panic of another thread: no invariant spans two changes.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Job with its events.
#[derive(Debug)]
pub(super) struct Job {
    /// Unguessable name.
    pub(super) id: String,
    cancel: Cancel,
    log: Mutex<Log>,
    /// Number of the last event, for listeners.
    news: watch::Sender<u64>,
    audience: Mutex<Audience>,
    /// Time of the last `stats`.
    counted: Mutex<Option<Instant>>,
}

/// Listeners of a job.
#[derive(Debug)]
struct Audience {
    listeners: usize,
    /// Time at which the number of listeners changed.
    since: Instant,
}

impl Job {
    /// Job without events. `cancel` ends its work.
    pub(super) fn new(id: String, cancel: Cancel, events: usize) -> Self {
        Self {
            id,
            cancel,
            log: Mutex::new(Log::new(events)),
            news: watch::Sender::new(0),
            audience: Mutex::new(Audience { listeners: 0, since: Instant::now() }),
            counted: Mutex::new(None),
        }
    }

    /// Raises the cancel flag.
    pub(super) fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Whether the cancel flag is raised.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Adds an event and notifies the listeners. Too frequent counters are left out.
    pub(super) fn push(&self, event: Value) {
        if event["kind"] == "stats" {
            let mut counted = lock(&self.counted);
            let is_fresh = counted.is_some_and(|last| last.elapsed() < STATS);
            if is_fresh && event["note"].is_null() {
                return;
            }
            *counted = Some(Instant::now());
        }
        let mut log = lock(&self.log);
        log.push(event);
        self.news.send_replace(log.last());
    }

    /// Adds `stats` with a note.
    pub(super) fn note(&self, note: &str) {
        self.push(json!({
            "kind": "stats", "expanded": 0, "generated": 0, "seconds": 0.0, "note": note,
        }));
    }

    /// Adds the end event of a job that has no record.
    pub(super) fn end(&self, error: Option<Value>) {
        let mut event = json!({ "kind": "ended", "cancelled": self.is_cancelled() });
        if let Some(error) = error {
            event["error"] = error;
        }
        self.push(event);
    }

    /// Whether the end event was sent.
    pub(super) fn has_ended(&self) -> bool {
        lock(&self.log).has_ended()
    }

    /// Number of the last event.
    pub(super) fn last(&self) -> u64 {
        lock(&self.log).last()
    }

    /// Copies the events after the number `id`.
    pub(super) fn after(&self, id: u64) -> Vec<Entry> {
        lock(&self.log).after(id).cloned().collect()
    }

    /// Receiver that is notified of new events.
    pub(super) fn news(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    /// Whether nobody has listened for `time`.
    pub(super) fn is_unheard(&self, time: Duration) -> bool {
        let audience = lock(&self.audience);
        audience.listeners == 0 && audience.since.elapsed() >= time
    }

    /// Counts a listener until the guard is dropped.
    pub(super) fn listen(self: &Arc<Self>) -> Listener {
        change(&self.audience, 1);
        Listener(Arc::clone(self))
    }
}

/// Listener of a job.
#[derive(Debug)]
pub(super) struct Listener(pub(super) Arc<Job>);

impl Drop for Listener {
    fn drop(&mut self) {
        change(&self.0.audience, -1);
    }
}

fn change(audience: &Mutex<Audience>, by: isize) {
    let mut audience = lock(audience);
    audience.listeners = audience.listeners.saturating_add_signed(by);
    audience.since = Instant::now();
}
