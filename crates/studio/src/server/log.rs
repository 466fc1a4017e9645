//! The log of a job: its last events, from which a listener resumes.
//!
//! The log is bounded in events and in bytes. The oldest `stats` are dropped first, then partial
//! reviews that a later one contains, then older solutions, bounds and reports. The first
//! and the last event are always kept.

use serde_json::Value;
use std::{collections::VecDeque, sync::Arc};

/// Bytes of all events of a job.
const BYTES: usize = 8 << 20;

/// Rank in which events are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Counters; a later event replaces them.
    Stats,
    /// Partial review; the next one contains it.
    Partial,
    /// Solution or bound.
    Found,
    /// Beginning or end of the job.
    Frame,
}

impl Kind {
    fn of(name: &str) -> Self {
        match name {
            "stats" => Self::Stats,
            "review" => Self::Partial,
            "begun" | "ended" => Self::Frame,
            _ => Self::Found,
        }
    }
}

/// Event with its number.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Number, from 1.
    pub(super) id: u64,
    /// The event in JSON, in one line.
    pub(super) text: Arc<str>,
    /// Whether it is the last event.
    pub(super) is_end: bool,
    kind: Kind,
}

/// Events of a job.
#[derive(Debug)]
pub(super) struct Log {
    entries: VecDeque<Entry>,
    last: u64,
    bytes: usize,
    most: usize,
    has_ended: bool,
}

impl Log {
    /// Empty log of at most `most` events.
    pub(super) fn new(most: usize) -> Self {
        Self { entries: VecDeque::new(), last: 0, bytes: 0, most: most.max(4), has_ended: false }
    }

    /// Number of the last event; 0 before the first one.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// Whether the end event is in the log.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Adds an event, unless the log has ended.
    pub(super) fn push(&mut self, mut event: Value) {
        if self.has_ended {
            return;
        }
        self.last += 1;
        let name = event["kind"].as_str().unwrap_or_default();
        let (kind, is_end) = (Kind::of(name), name == "ended");
        event["id"] = self.last.into();
        let text: Arc<str> = event.to_string().into();
        self.has_ended = is_end;
        self.bytes += text.len();
        self.entries.push_back(Entry { id: self.last, text, is_end, kind });
        while self.entries.len() > self.most || self.bytes > BYTES {
            let Some(dropped) = self.least_needed() else { break };
            self.bytes -= self.entries.remove(dropped).map_or(0, |entry| entry.text.len());
        }
    }

    /// Index of the event to drop; `None` if all events are needed.
    fn least_needed(&self) -> Option<usize> {
        // The last event is kept: listeners have not seen it.
        let older = self.entries.len().saturating_sub(1);
        let first = |kind| self.entries.iter().take(older).position(|entry| entry.kind == kind);
        let last_partial = self.entries.iter().rposition(|entry| entry.kind == Kind::Partial);
        first(Kind::Stats)
            .or_else(|| first(Kind::Partial).filter(|&index| Some(index) != last_partial))
            .or_else(|| first(Kind::Found))
    }

    /// The events after the number `id`.
    pub(super) fn after(&self, id: u64) -> impl Iterator<Item = &Entry> {
        let begin = self.entries.partition_point(|entry| entry.id <= id);
        self.entries.range(begin..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn kinds(log: &Log) -> Vec<String> {
        let kind = |entry: &Entry| {
            let event: Value = serde_json::from_str(&entry.text).unwrap();
            assert_eq!(event["id"], entry.id);
            format!("{} {}", event["kind"].as_str().unwrap(), entry.id)
        };
        log.after(0).map(kind).collect()
    }

    #[test]
    fn stats_are_dropped_first_and_solutions_last() {
        let mut log = Log::new(5);
        for kind in ["begun", "stats", "improved", "stats", "bound", "stats", "improved"] {
            log.push(json!({ "kind": kind }));
        }
        assert_eq!(kinds(&log), ["begun 1", "improved 3", "bound 5", "stats 6", "improved 7"]);
        log.push(json!({ "kind": "improved" }));
        log.push(json!({ "kind": "ended" }));
        assert_eq!(kinds(&log), ["begun 1", "bound 5", "improved 7", "improved 8", "ended 9"]);
        assert_eq!(log.after(7).count(), 2);
        log.push(json!({ "kind": "stats" }));
        assert_eq!((log.last(), log.has_ended()), (9, true));
    }

    #[test]
    fn last_partial_review_is_kept() {
        let mut log = Log::new(4);
        for kind in ["begun", "review", "review", "improved", "review", "ended"] {
            log.push(json!({ "kind": kind }));
        }
        assert_eq!(kinds(&log), ["begun 1", "improved 4", "review 5", "ended 6"]);
    }

    #[test]
    fn bytes_are_bounded() {
        let mut log = Log::new(1000);
        let solution = "U".repeat(1 << 20);
        for _ in 0..20 {
            log.push(json!({ "kind": "improved", "solution": solution }));
        }
        assert_eq!(log.after(0).count(), 7);
        assert_eq!(log.after(19).count(), 1);
    }
}
